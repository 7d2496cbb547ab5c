//! Any arrays are a sparse tensor or an error, and a tensor can be read.
#![no_main]

#[path = "../../tests/sparse/encoding_table.rs"]
mod encoding_table;

use encoding_table::ENCODINGS;
use libfuzzer_sys::fuzz_target;
use tensor_layout::sparse::{DynSparseTensor, LevelParts, Parts, SparseEncoding};

/// The next byte as a number, which is sometimes large.
fn number(bytes: &mut impl Iterator<Item = u8>) -> isize {
    match bytes.next() {
        Some(255) => isize::MIN,
        Some(254) => isize::MAX,
        Some(253) => -1,
        Some(byte) => (byte % 8).into(),
        None => 0,
    }
}

fuzz_target!(|bytes: &[u8]| {
    let mut bytes = bytes.iter().copied();
    let (text, shape) = ENCODINGS[bytes.next().unwrap_or(0) as usize % ENCODINGS.len()];
    let encoding: SparseEncoding = text.parse().unwrap();
    let list = |bytes: &mut dyn Iterator<Item = u8>| -> Vec<isize> {
        let mut bytes = bytes;
        let len = number(&mut bytes).unsigned_abs() % 8;
        (0..len).map(|_| number(&mut bytes)).collect()
    };
    let levels = encoding.levels().iter().map(|_| LevelParts {
        positions: list(&mut bytes).into_iter().map(|position| position as usize).collect(),
        coordinates: list(&mut bytes),
    });
    let levels = levels.collect();
    let values = list(&mut bytes).into_iter().map(|value| value as i64).collect();
    let parts = Parts { shape: shape.to_vec(), levels, values };
    match DynSparseTensor::assemble(encoding, parts.clone()) {
        Ok(tensor) => {
            for (index, _) in tensor.to_coo() {
                assert!(index.iter().zip(shape).all(|(x, size)| x < size), "{text}");
            }
            assert!(!tensor.to_string().is_empty());
            assert_eq!(tensor.disassemble(), parts);
        }
        Err(rejected) => assert_eq!(rejected.parts, parts),
    }
});
