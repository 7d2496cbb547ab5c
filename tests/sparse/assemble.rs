//! Arrays that the caller provides: if they are not a tensor, they are returned with an error; if they are, the tensor can be read.

use crate::encoding_table::ENCODINGS;
use crate::encodings::*;
use proptest::prelude::*;
use tensor_layout::sparse::{
    AssembleError, DynSparseTensor, LevelParts, Parts, SparseEncoding, SparseTensor,
};

fn csr(positions: &[usize], coordinates: &[usize], values: usize) -> Parts<usize, usize, f64> {
    let level = LevelParts { positions: positions.to_vec(), coordinates: coordinates.to_vec() };
    Parts {
        shape: vec![2, 3],
        levels: vec![LevelParts::default(), level],
        values: vec![1.0; values],
    }
}

#[test]
fn nothing_is_copied() {
    let parts = csr(&[0, 1, 3], &[2, 0, 1], 3);
    let addresses = |parts: &Parts<usize, usize, f64>| {
        (
            parts.levels[1].positions.as_ptr(),
            parts.levels[1].coordinates.as_ptr(),
            parts.values.as_ptr(),
        )
    };
    let before = addresses(&parts);
    let tensor = SparseTensor::<Csr, f64>::assemble(parts).expect("a matrix");
    assert_eq!(addresses(&tensor.disassemble()), before);
}

#[test]
fn what_is_no_tensor_is_handed_back() {
    for (parts, expected) in [
        (csr(&[0, 1], &[2], 1), "level 1: 3 positions are needed, but there are 2"),
        (
            csr(&[0, 1, 9], &[2, 0, 1], 3),
            "level 1: segment 1 from 1 to 9 is out of order or out of bounds of the 3 positions",
        ),
        (
            csr(&[0, 3, 1], &[2, 0, 1], 3),
            "level 1: coordinate 0 at position 1 does not come after the one before it",
        ),
        (
            csr(&[0, 3, 1], &[0, 1, 2], 3),
            "level 1: segment 1 from 3 to 1 is out of order or out of bounds of the 3 positions",
        ),
        (
            csr(&[1, 1, 3], &[0, 1, 2], 3),
            "level 1: segment 0 from 1 to 1 is out of order or out of bounds of the 3 positions",
        ),
        (
            csr(&[0, 1, 2], &[0, 1, 2], 3),
            "level 1: segment 2 from 2 to 3 is out of order or out of bounds of the 3 positions",
        ),
        (
            csr(&[0, 1, 3], &[3, 0, 1], 3),
            "level 1: coordinate 3 at position 0 is not between 0 and 2",
        ),
        (
            csr(&[0, 1, 3], &[2, 1, 1], 3),
            "level 1: coordinate 1 at position 2 does not come after the one before it",
        ),
        (csr(&[0, 1, 3], &[2, 0, 1], 2), "level 1: 3 values are needed, but there are 2"),
    ] {
        let rejected = SparseTensor::<Csr, f64>::assemble(parts.clone()).unwrap_err();
        assert_eq!((rejected.to_string().as_str(), &rejected.parts), (expected, &parts));
    }
    let mut parts = csr(&[0, 1, 3], &[2, 0, 1], 3);
    parts.levels.pop();
    let rejected = SparseTensor::<Csr, f64>::assemble(parts).unwrap_err();
    assert_eq!(rejected.error, AssembleError::Levels { expected: 2, found: 1 });
}

#[test]
fn positions_of_a_matrix_without_rows_start_at_zero() {
    let empty = |first: usize| {
        let mut parts = csr(&[first], &[], 0);
        parts.shape = vec![0, 3];
        SparseTensor::<Csr, f64>::assemble(parts)
    };
    assert!(empty(0).is_ok());
    assert_eq!(
        empty(2).unwrap_err().to_string(),
        "level 1: segment 0 from 2 to 2 is out of order or out of bounds of the 0 positions"
    );
}

#[test]
fn gaps_between_segments_are_allowed_but_no_overlaps() {
    let loose = |positions: &[usize]| {
        let mut parts = csr(positions, &[2, 0, 1, 0], 4);
        parts.shape = vec![2, 3];
        SparseTensor::<Loose, f64>::assemble(parts)
    };
    // Segments may be in any order, with gaps between them.
    let tensor = loose(&[2, 3, 0, 1, 4]).expect("a matrix");
    assert_eq!(tensor.to_coo(), [([0, 1], 1.0), ([1, 2], 1.0)]);
    let rejected = loose(&[1, 3, 2, 3, 4]).unwrap_err();
    assert_eq!(
        rejected.to_string(),
        "level 1: segment 1 from 2 to 3 is out of order or out of bounds of the 4 positions"
    );
}

fn numbers(most: isize) -> impl Strategy<Value = Vec<isize>> {
    prop::collection::vec(prop_oneof![8 => 0..=most, 1 => any::<isize>()], 0..8)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4096))]

    #[test]
    fn any_arrays_are_a_tensor_or_an_error(
        which in 0..ENCODINGS.len(),
        levels in prop::collection::vec((numbers(4), numbers(3)), 3),
        values in 0..9usize,
    ) {
        let (text, shape) = ENCODINGS[which];
        let encoding: SparseEncoding = text.parse().expect("an encoding");
        let level = |(level, (positions, coordinates)): (usize, &(Vec<isize>, Vec<isize>))| {
            // Arrays that a format does not have are empty, so that the checks go further.
            let format = encoding.levels()[level].format;
            let positions = if format.has_positions() && !encoding.counts() { positions.as_slice() } else { &[] };
            let positions = positions.iter().map(|position| *position as usize).collect();
            let coordinates = if format.has_coordinates() { coordinates.clone() } else { Vec::new() };
            LevelParts { positions, coordinates }
        };
        let levels = levels.iter().take(encoding.levels().len()).enumerate().map(level).collect();
        let parts = Parts { shape: shape.to_vec(), levels, values: (1..=values).map(|n| n as f64).collect() };
        match DynSparseTensor::assemble(encoding, parts.clone()) {
            Ok(tensor) => {
                for (index, _) in tensor.to_coo() {
                    prop_assert!(index.iter().zip(shape).all(|(x, size)| x < size));
                }
                prop_assert!(!tensor.to_string().is_empty());
                prop_assert_eq!(tensor.disassemble(), parts);
            }
            Err(rejected) => {
                prop_assert_eq!(&rejected.parts, &parts);
                prop_assert!(!rejected.to_string().is_empty());
            }
        }
    }
}

/// The largest coordinate of the level is that of `i64`.
#[test]
fn a_level_can_have_all_coordinates() {
    let encoding: SparseEncoding = "(i) -> (i : compressed)".parse().expect("an encoding");
    let level = LevelParts { positions: vec![0, 0], coordinates: vec![] };
    let parts = Parts { shape: vec![1 << 63], levels: vec![level], values: Vec::<f64>::new() };
    let tensor = DynSparseTensor::assemble(encoding, parts).expect("a tensor without entries");
    assert!(tensor.to_string().contains("dim = ( 9223372036854775808 )"), "{tensor}");
}

#[test]
fn empty_batches_are_not_printed_one_by_one() {
    let encoding: SparseEncoding = "(b, j) -> (b : batch, j : dense)".parse().expect("an encoding");
    let levels = vec![LevelParts::default(), LevelParts::default()];
    let parts = Parts { shape: vec![1 << 40, 0], levels, values: Vec::<f64>::new() };
    let tensor = DynSparseTensor::assemble(encoding, parts).expect("a tensor without values");
    assert!(tensor.to_string().ends_with("values : ( (  ) )\n----\n"), "{tensor}");
}
