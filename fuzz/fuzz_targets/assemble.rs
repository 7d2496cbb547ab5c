//! Any arrays are a sparse tensor or an error, and a tensor can be read.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tensor_layout::sparse::{DynSparseTensor, LevelParts, Parts, SparseEncoding};

const ENCODINGS: [(&str, &[usize]); 21] = [
    ("(i, j) -> (i : dense, j : compressed)", &[2, 3]),
    ("(i, j) -> (i : compressed, j : compressed)", &[2, 3]),
    ("(i, j) -> (i : compressed(nonunique), j : singleton)", &[2, 3]),
    ("(i, j) -> (i : compressed(nonunique, nonordered), j : singleton(soa))", &[2, 3]),
    ("(i, j) -> (i : loose_compressed, j : loose_compressed(nonordered))", &[2, 3]),
    ("(i, j) -> (i : dense, j : delta[1])", &[2, 4]),
    ("(i, j) -> (i : compressed, j : delta[63])", &[2, 4]),
    ("(i, j) -> (j - i : compressed, i : range)", &[2, 3]),
    ("(i, j) -> (i : dense, j floordiv 2 : dense, j mod 2 : structured[1, 2])", &[2, 3]),
    ("[c](i, j) -> (c * 2 * i : dense, i : dense, j : compressed)", &[2, 3]),
    ("(i, j) -> (i : batch, j : compressed)", &[2, 3]),
    ("(b, i, j) -> (b : batch, i : loose_compressed(nonunique), j : singleton)", &[2, 2, 2]),
    ("(i, j) -> (i floordiv 2 : compressed, j : compressed, i mod 2 : dense)", &[3, 2]),
    ("(i, j) -> (i * 4 + j : compressed)", &[2, 3]),
    ("(i, j) -> (i : batch, j : dense)", &[0, 3]),
    ("(i, j) -> (i : compressed, j : dense)", &[2, 0]),
    ("(i, j, k) -> (i : compressed(nonunique), j : singleton, k : singleton)", &[2, 2, 2]),
    (
        "(i, j, k) -> (i : loose_compressed(nonunique, nonordered), j : singleton(soa), k : compressed)",
        &[2, 2, 2],
    ),
    ("(i, j) -> (i : compressed(nonunique), j : delta[2])", &[2, 3]),
    ("(i, j) -> (j - i : batch, i : compressed)", &[2, 3]),
    ("(i, j) -> (i : dense, i + j : structured[1, 4])", &[2, 3]),
];

/// The next byte as a number, which is now and then a large one.
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
