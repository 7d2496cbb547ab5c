//! Any text is a sparse encoding or an error; an encoding prints as a text that reads back as the same encoding, and its inverse is
//! correct.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tensor_layout::sparse::{Duplicates, DynSparseTensor, SparseEncoding};

fuzz_target!(|text: &str| {
    let encoding = match text.parse::<SparseEncoding>() {
        Ok(encoding) => encoding,
        Err(error) => {
            assert!(!error.mistakes().is_empty() && !error.to_string().is_empty());
            return;
        }
    };
    let printed = encoding.to_string();
    assert_eq!(printed.parse().as_ref(), Ok(&encoding), "{printed}");
    // One entry at each corner of a small array is read back.
    let shape: Vec<usize> = (0..encoding.rank()).map(|dim| 2 + dim % 2).collect();
    let mut entries = vec![(vec![0; shape.len()], 1)];
    entries.push((shape.iter().map(|size| size - 1).collect(), 2));
    // A dense level can require more than fits in memory: blocks can have any written size.
    let positions = encoding.levels().iter().try_fold(1usize, |positions, level| {
        positions
            .checked_mul(level.expr.extent(&shape)?.size.max(1))
            .filter(|positions| *positions < 1 << 16)
    });
    if positions.is_none() {
        return;
    }
    if let Ok(tensor) = DynSparseTensor::from_coo(encoding, &shape, &entries, Duplicates::Error) {
        let mut read = tensor.to_coo();
        read.sort();
        assert_eq!(read, entries, "{printed}");
        let again = DynSparseTensor::assemble(encoding, tensor.clone().disassemble());
        assert_eq!(again.as_ref(), Ok(&tensor), "{printed}");
    }
});
