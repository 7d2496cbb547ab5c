//! Any text is a sparse encoding or an error; what an encoding prints is itself, and its inverse is one.
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
    // One entry at each corner of a small array comes back.
    let shape: Vec<usize> = (0..encoding.rank()).map(|dim| 2 + dim % 2).collect();
    let mut entries = vec![(vec![0; shape.len()], 1)];
    entries.push((shape.iter().map(|size| size - 1).collect(), 2));
    // A dense level can claim more than fits: blocks are as large as they are written.
    let places = encoding.levels().iter().try_fold(1usize, |places, level| {
        places
            .checked_mul(level.expr.extent(&shape)?.size.max(1))
            .filter(|places| *places < 1 << 16)
    });
    if places.is_none() {
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
