//! Entries appended one by one, correct and wrong: an error, or a tensor that passes every check.

use proptest::prelude::*;
use tensor_layout::sparse::{Appender, BuildError, Encoding, SparseTensor, formats};
use tensor_layout::sparse_encoding;

sparse_encoding! {
    type Dense = (i, j) -> (i : dense, j : dense);
    type Csr = (i, j) -> (i : dense, j : compressed);
    type Dcsr = (i, j) -> (i : compressed, j : compressed);
    type Coo = (i, j) -> (i : compressed(nonunique), j : singleton);
    type Soa = (i, j) -> (i : compressed(nonunique), j : singleton(soa));
    type AnyCoo = (i, j) -> (i : compressed(nonunique, nonordered), j : singleton);
    type AnyColumn = (i, j) -> (i : dense, j : compressed(nonordered));
    type AnyRow = (i, j) -> (i : loose_compressed(nonordered), j : loose_compressed);
    type Columns = (i, j) -> (j : dense, i : compressed);
    type Signed = (i, j) -> (i : dense, j - i : compressed);
    type Deep = (i, j) -> (i floordiv 2 : dense, i mod 2 : compressed, j : compressed);
    type Loose = (i, j) -> (i : dense, j : loose_compressed);
    type Rows = (i, j) -> (i : compressed, j : dense);
    type Diagonals = (i, j) -> (j - i : compressed, i : range);
    type Blocks = (i, j) -> (i floordiv 2 : dense, j : compressed, i mod 2 : dense);
    type Gaps = (i, j) -> (i : dense, j : delta[1]);
    type Batched = (i, j) -> (i : batch, j : compressed);
    type Half = (i, j) -> (i : dense, j : structured[2, 4]);
}

/// The error for entries given by their coordinates on all levels. It must occur when they are pushed, when another one is
/// pushed, or at the end.
fn refused<E: Encoding<Index = [usize; 2]>, const N: usize>(entries: &[[usize; N]]) -> String {
    let mut appender = Appender::<E, f64, N>::new([2, 3]).expect("a shape");
    let mut push = |levels: [usize; N]| appender.push([levels[0], levels[N - 1]], levels, 1.0);
    let (wrong, right) = entries.split_last().expect("an entry");
    right.iter().for_each(|levels| push(*levels).expect("an entry"));
    let pushed = push(*wrong);
    if let Err(error) = &pushed {
        assert_eq!(push([1; N]), Err(error.clone()));
    }
    let finished = appender.finish().expect_err("no tensor");
    assert_eq!(pushed.err().unwrap_or(finished.clone()), finished);
    finished.to_string()
}

#[test]
fn coordinates_that_a_level_does_not_have_are_refused() {
    for (found, expected) in [
        (
            refused::<Dense, 2>(&[[0, 3]]),
            "level 1: coordinate 3 of entry 0 is not one of the 3 from 0 on",
        ),
        (
            refused::<Csr, 2>(&[[2, 0]]),
            "level 0: coordinate 2 of entry 0 is not one of the 2 from 0 on",
        ),
        (
            refused::<Csr, 2>(&[[0, 1], [0, 5]]),
            "level 1: coordinate 5 of entry 1 is not one of the 3 from 0 on",
        ),
        (
            refused::<Csr, 2>(&[[0, usize::MAX]]),
            "level 1: coordinate -1 of entry 0 is not one of the 3 from 0 on",
        ),
        (
            refused::<Coo, 2>(&[[0, 0], [1, 9]]),
            "level 1: coordinate 9 of entry 1 is not one of the 3 from 0 on",
        ),
        (
            refused::<Soa, 2>(&[[0, 3]]),
            "level 1: coordinate 3 of entry 0 is not one of the 3 from 0 on",
        ),
        (
            refused::<Loose, 2>(&[[1, 3]]),
            "level 1: coordinate 3 of entry 0 is not one of the 3 from 0 on",
        ),
        (
            refused::<Diagonals, 2>(&[[2, 0], [-2isize as usize, 0]]),
            "level 0: coordinate -2 of entry 1 is not one of the 4 from -1 on",
        ),
        (
            refused::<Diagonals, 2>(&[[2, 2]]),
            "level 1: coordinate 2 of entry 0 is not one of the 2 from 0 on",
        ),
        // Entries of levels that pad are checked at the end.
        (
            refused::<Gaps, 2>(&[[0, 3]]),
            "entry 0 at [0, 3] is out of bounds of the array of shape [2, 3]",
        ),
        (
            refused::<Batched, 2>(&[[2, 0]]),
            "entry 0 at [2, 0] is out of bounds of the array of shape [2, 3]",
        ),
        (
            refused::<Half, 2>(&[[1, 3]]),
            "entry 0 at [1, 3] is out of bounds of the array of shape [2, 3]",
        ),
    ] {
        assert_eq!(found, expected);
    }
}

#[test]
fn entries_out_of_order_are_refused() {
    let after = "append in storage order, each index once";
    for (found, expected) in [
        (
            refused::<Csr, 2>(&[[1, 0], [0, 0]]),
            "level 0: coordinate 0 of entry 1 does not come after 1",
        ),
        (
            refused::<Csr, 2>(&[[1, 2], [1, 1]]),
            "level 1: coordinate 1 of entry 1 does not come after 2",
        ),
        (
            refused::<Csr, 2>(&[[1, 2], [1, 2]]),
            "level 1: coordinate 2 of entry 1 does not come after 2",
        ),
        (
            refused::<Dense, 2>(&[[1, 2], [1, 2]]),
            "level 1: coordinate 2 of entry 1 does not come after 2",
        ),
        (
            refused::<Rows, 2>(&[[1, 2], [0, 2]]),
            "level 0: coordinate 0 of entry 1 does not come after 1",
        ),
        (
            refused::<Coo, 2>(&[[1, 0], [0, 2]]),
            "level 0: coordinate 0 of entry 1 does not come after 1",
        ),
        (
            refused::<Loose, 2>(&[[0, 2], [0, 0]]),
            "level 1: coordinate 0 of entry 1 does not come after 2",
        ),
    ] {
        assert_eq!(found, format!("{expected}, that of the entry before: {after}"));
    }
    // Without order, a repeated coordinate is found at the end.
    assert_eq!(
        refused::<AnyColumn, 2>(&[[0, 2], [0, 0], [0, 2]]),
        "level 1: coordinate 2 at position 2 does not come after the one before it"
    );
}

#[test]
fn levels_without_order_or_with_repeated_coordinates_take_what_they_promise() {
    let mut entries = Appender::<AnyCoo, f64, 2>::new([2, 3]).expect("a shape");
    for (at, index) in [[1, 2], [0, 2], [0, 2], [1, 0]].into_iter().enumerate() {
        entries.push(index, index, at as f64).expect("an entry");
    }
    let entries = entries.finish().expect("a matrix");
    assert_eq!(entries.coordinates(0), [1, 2, 0, 2, 0, 2, 1, 0]);
    assert_eq!(entries.values(), [0.0, 1.0, 2.0, 3.0]);
}

#[test]
fn places_that_memory_cannot_hold_are_an_error() {
    let memory = |error| matches!(error, BuildError::OutOfMemory { .. });
    let last = (1 << 60) - 1;
    let mut rows = Appender::<formats::Csr, f64, 2>::new([1 << 60, 3]).expect("a shape");
    assert!(memory(rows.push([last, 0], [last, 0], 1.0).unwrap_err()));
    assert!(memory(rows.finish().unwrap_err()));
    let mut all = Appender::<Dense, f64, 2>::new([1 << 60, 1 << 60]).expect("a shape");
    assert!(memory(all.push([last, 0], [last, 0], 1.0).unwrap_err()));
    all.reserve(usize::MAX);
    assert!(memory(all.finish().unwrap_err()));
}

/// Appends any entries: the first error is kept, and without an error the tensor passes every check.
fn append<E: Encoding<Index = [usize; 2]>, const N: usize>(
    shape: [usize; 2],
    entries: &[[usize; 3]],
) -> Result<(), TestCaseError> {
    let mut appender = Appender::<E, f64, N>::new(shape).expect("a shape");
    let (mut failed, mut pushed) = (None, 0);
    for entry in entries {
        let levels = core::array::from_fn(|level| entry[level]);
        match (appender.push([entry[0], entry[1]], levels, 1.0), &failed) {
            (Ok(()), None) => pushed += 1,
            (Ok(()), Some(error)) => prop_assert!(false, "pushed after {error}"),
            (Err(error), None) => failed = Some(error),
            (Err(error), Some(first)) => prop_assert_eq!(&error, first),
        }
    }
    match (appender.finish(), failed) {
        (Ok(tensor), None) => {
            prop_assert!(tensor.number_of_entries() >= pushed);
            let parts = tensor.disassemble();
            prop_assert_eq!(
                SparseTensor::<E, f64>::assemble(parts.clone()).map(|tensor| tensor.disassemble()),
                Ok(parts)
            );
        }
        (Ok(_), Some(error)) => prop_assert!(false, "finished after {error}"),
        (Err(error), Some(first)) => prop_assert_eq!(error, first),
        (Err(_), None) => {}
    }
    Ok(())
}

/// Appends entries one by one, and in segments of at most `length` with the same coordinates above: both give the same tensor
/// or the same error.
fn append_segments<E: Encoding<Index = [usize; 2]>, const N: usize>(
    shape: [usize; 2],
    entries: &[[usize; 3]],
    length: usize,
) -> Result<(), TestCaseError> {
    let levels = |entry: &[usize; 3]| core::array::from_fn::<_, N, _>(|level| entry[level]);
    let one_by_one = || {
        let mut appender = Appender::<E, f64, N>::new(shape)?;
        for (value, entry) in entries.iter().enumerate() {
            appender.push([entry[0], entry[1]], levels(entry), value as f64)?;
        }
        appender.finish()
    };
    let together = || {
        let (mut appender, mut value) = (Appender::<E, f64, N>::new(shape)?, 0);
        for segment in entries.chunk_by(|a, b| a[..N - 1] == b[..N - 1]) {
            for part in segment.chunks(length) {
                let appended = appender.segment(levels(&part[0]), length, |room| {
                    for entry in part {
                        room.push(entry[N - 1], value as f64)?;
                        value += 1;
                    }
                    Ok(())
                });
                if let Err(error) = appended {
                    let next = appender.segment(levels(&part[0]), 1, |room| room.push(0, 1.0));
                    assert_eq!(next, Err(error.clone()));
                    assert_eq!(appender.finish().map(|_| ()), Err(error.clone()));
                    return Err(error);
                }
            }
        }
        appender.finish()
    };
    prop_assert_eq!(
        together().map(|tensor| tensor.disassemble()),
        one_by_one().map(|tensor| tensor.disassemble())
    );
    Ok(())
}

#[test]
fn a_segment_that_ends_in_a_panic_is_not_there() {
    let mut rows = Appender::<Csr, f64, 2>::new([2, 3]).expect("a shape");
    rows.segment([0, 0], 3, |row| row.push(1, 1.0)).expect("an entry");
    let more = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        rows.segment([0, 0], 1, |row| {
            row.push(2, 2.0)?;
            row.push(3, 3.0)
        })
    }));
    // The last one is outside, so it is refused.
    assert!(more.expect("no panic").is_err());

    let mut rows = Appender::<Csr, f64, 2>::new([2, 3]).expect("a shape");
    rows.segment([0, 0], 3, |row| row.push(0, 1.0)).expect("an entry");
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        rows.segment([0, 0], 1, |row| {
            row.push(1, 2.0)?;
            row.push(2, 3.0)
        })
    }))
    .expect_err("no room");
    rows.segment([1, 0], 1, |row| row.push(0, 4.0)).expect("an entry");
    let rows = rows.finish().expect("a matrix");
    assert_eq!((rows.positions(1), rows.coordinates(1)), (&[0, 1, 2][..], &[0, 0][..]));
    assert_eq!(rows.values(), [1.0, 4.0]);
}

#[test]
fn a_refused_entry_ends_a_segment_that_goes_on() {
    let mut rows = Appender::<Csr, f64, 2>::new([2, 3]).expect("a shape");
    let refused = rows.segment([0, 0], 3, |row| {
        row.push(1, 1.0)?;
        let _ = row.push(1, 2.0);
        let _ = row.push(2, 3.0);
        Ok(())
    });
    assert!(matches!(
        refused,
        Err(BuildError::Sequence { level: 1, coordinate: 1, entry: 1, last: 1 })
    ));
    assert_eq!(rows.finish().map(|_| ()), refused);
}

#[test]
fn coordinates_of_a_segment_are_as_wide_as_those_of_the_array() {
    assert!(Appender::<formats::Csr<usize, u8>, f64, 2>::new([1, 257]).is_err());
    let mut rows = Appender::<formats::Csr<usize, u8>, f64, 2>::new([1, 256]).expect("a shape");
    rows.segment([0, 0], 1, |row| row.push(255, 1.0)).expect("an entry");
    assert!(rows.segment([0, 0], 1, |row| row.push(256, 1.0)).is_err());
}

#[test]
fn a_segment_that_memory_cannot_hold_is_an_error() {
    let mut rows = Appender::<Csr, f64, 2>::new([2, 3]).expect("a shape");
    let error = rows.segment([0, 0], usize::MAX, |row| row.push(0, 1.0));
    assert!(matches!(error, Err(BuildError::OutOfMemory { level: 1, .. })));
    assert_eq!(rows.finish().map(|_| ()), error);
}

/// Appends segments in every encoding that accepts them.
pub(crate) fn all_segments(
    shape: [usize; 2],
    entries: &[[usize; 3]],
    length: usize,
) -> Result<(), TestCaseError> {
    append_segments::<Csr, 2>(shape, entries, length)?;
    append_segments::<Dcsr, 2>(shape, entries, length)?;
    append_segments::<Columns, 2>(shape, entries, length)?;
    append_segments::<Signed, 2>(shape, entries, length)?;
    append_segments::<Deep, 3>(shape, entries, length)?;
    Ok(())
}

/// Appends entries in every encoding.
pub(crate) fn all_entries(shape: [usize; 2], entries: &[[usize; 3]]) -> Result<(), TestCaseError> {
    append::<Dense, 2>(shape, entries)?;
    append::<Csr, 2>(shape, entries)?;
    append::<Dcsr, 2>(shape, entries)?;
    append::<Coo, 2>(shape, entries)?;
    append::<Soa, 2>(shape, entries)?;
    append::<AnyCoo, 2>(shape, entries)?;
    append::<AnyColumn, 2>(shape, entries)?;
    append::<AnyRow, 2>(shape, entries)?;
    append::<Loose, 2>(shape, entries)?;
    append::<Rows, 2>(shape, entries)?;
    append::<Diagonals, 2>(shape, entries)?;
    append::<Blocks, 3>(shape, entries)?;
    append::<Gaps, 2>(shape, entries)?;
    append::<Batched, 2>(shape, entries)?;
    Ok(())
}

/// Mostly coordinates that exist, in order; some that do not.
pub(crate) fn coordinate() -> impl Strategy<Value = usize> {
    prop_oneof![
        40 => 0..3usize,
        2 => 3..6usize,
        2 => (1..4usize).prop_map(usize::wrapping_neg),
        1 => any::<usize>(),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2048))]

    #[test]
    fn segments_are_their_entries(
        rows in 0..5usize,
        columns in 0..5usize,
        mut entries in prop::collection::vec([coordinate(), coordinate(), coordinate()], 0..12),
        sorted in any::<bool>(),
        length in 1..4usize,
    ) {
        if sorted {
            entries.sort_unstable();
            entries.dedup_by_key(|entry| [entry[0], entry[1]]);
        }
        all_segments([rows, columns], &entries, length)?;
    }

    #[test]
    fn any_entries_are_a_tensor_or_an_error(
        rows in 0..5usize,
        columns in 0..5usize,
        mut entries in prop::collection::vec([coordinate(), coordinate(), coordinate()], 0..8),
        sorted in any::<bool>(),
    ) {
        if sorted {
            entries.sort_unstable();
            entries.dedup();
        }
        all_entries([rows, columns], &entries)?;
    }
}
