//! Compares parts of arrays whose layout is only known at run time with loops over `get`.

use super::dynamic::{kept, noisy_of};
use super::*;
use crate::movement::PackError;
use crate::{BF16, DynPacked, Element, F8E4M3FN};
use layout_core::tiled::TiledSpec;

fn sum(a: &[usize], b: &[usize]) -> Vec<usize> {
    a.iter().zip(b).map(|(a, b)| a + b).collect()
}

fn assert_equal<E: Element>(
    part: &DynPacked<E>,
    first: &[usize],
    whole: &DynPacked<E>,
    at: &[usize],
    sizes: &[usize],
) {
    for index in reference::indices(sizes) {
        assert_eq!(
            kept::<E>(part.get(&sum(first, &index))),
            kept::<E>(whole.get(&sum(at, &index))),
            "{index:?} from {first:?} of {} and from {at:?} of {}",
            part.spec(),
            whole.spec()
        );
    }
}

fn any_parts<E: Element>(random: &mut Random) {
    let dims = random.dims();
    let rank = dims.len();
    let x = noisy_of::<E>(&random.layout(E::DTYPE, &dims), random);
    let first: Vec<usize> = dims.iter().map(|size| random.below(size + 1)).collect();
    let sizes: Vec<usize> =
        dims.iter().zip(&first).map(|(size, first)| random.below(size - first + 1)).collect();
    let zeros = vec![0; rank];
    let part = x.slice(&first, &random.layout(E::DTYPE, &sizes)).unwrap();
    assert_equal(&part, &zeros, &x, &first, &sizes);

    let y = noisy_of::<E>(&random.layout(E::DTYPE, &sizes), random);
    let mut written = x.try_clone().unwrap();
    written.update_slice(&first, &y).unwrap();
    assert_equal(&written, &first, &y, &zeros, &sizes);
    for index in reference::indices(&dims) {
        let end = sum(&first, &sizes);
        let is_written = (0..rank).all(|dim| (first[dim]..end[dim]).contains(&index[dim]));
        assert!(
            is_written || kept::<E>(written.get(&index)) == kept::<E>(x.get(&index)),
            "{index:?} outside of {sizes:?} from {first:?} of {}",
            x.spec()
        );
    }

    let Some(&count) = dims.first() else { return };
    let dim = random.below(rank);
    let mut other = dims.clone();
    other[dim] = random.below(9);
    let other = noisy_of::<E>(&random.layout(E::DTYPE, &other), random);
    let (mut both, mut end) = (dims.clone(), vec![0; rank]);
    (both[dim], end[dim]) = (dims[dim] + other.dims()[dim], dims[dim]);
    let joined = x.concatenate(dim, &other, &random.layout(E::DTYPE, &both)).unwrap();
    assert_equal(&joined, &zeros, &x, &zeros, &dims);
    assert_equal(&joined, &end, &other, &zeros, other.dims());

    let rows: Vec<usize> =
        (0..if count == 0 { 0 } else { random.below(7) }).map(|_| random.below(count)).collect();
    let (mut gathered, mut row) = (dims.clone(), dims.clone());
    (gathered[0], row[0]) = (rows.len(), 1);
    let gathered = x.gather_rows(&rows, &random.layout(E::DTYPE, &gathered)).unwrap();
    for (at, number) in rows.iter().enumerate() {
        let [to, from] = [at, *number].map(|row| [&[row], &zeros[1..]].concat());
        assert_equal(&gathered, &to, &x, &from, &row);
    }
}

#[test]
fn parts_have_the_elements_of_their_arrays() {
    let random = &mut Random(31);
    for _ in 0..60 {
        any_parts::<F32>(random);
        any_parts::<BF16>(random);
        any_parts::<S8>(random);
        any_parts::<S4>(random);
        any_parts::<PRED>(random);
        any_parts::<F8E4M3FN>(random);
    }
}

/// A bounded array of no rows, and three rows in another layout.
fn cache_and_rows() -> (DynPacked<S8>, DynPacked<S8>) {
    let spec: TiledSpec = "s8[<=7,2,3]{2,0,1:T(8,128)(4,1)}".parse().unwrap();
    let mut cache = DynPacked::zeroed(&spec).unwrap();
    cache.set_len(0, 0).unwrap();
    let values: Vec<i8> = (1..=18).collect();
    (cache, DynPacked::pack(&"s8[3,2,3]{0,1,2}".parse().unwrap(), &values).unwrap())
}

#[test]
fn rows_of_arrays_are_appended_up_to_the_bound() {
    let (mut cache, rows) = cache_and_rows();
    cache.append_rows(&rows).unwrap();
    cache.append_rows(&rows).unwrap();
    let values: Vec<i8> = (1..=18).chain(1..=18).collect();
    assert_eq!((cache.dims(), cache.unpack().unwrap()), (&[6, 2, 3][..], values.clone()));
    assert!(matches!(cache.append_rows(&rows), Err(PackError::Window { dim: 0, .. })));
    let narrow = DynPacked::<S8>::zeroed(&"s8[1,2,2]".parse().unwrap()).unwrap();
    assert!(matches!(cache.append_rows(&narrow), Err(PackError::Sizes { .. })));
    let scalar = DynPacked::<S8>::zeroed(&"s8[]".parse().unwrap()).unwrap();
    assert!(matches!(cache.append_rows(&scalar), Err(PackError::Sizes { .. })));
    assert_eq!((cache.dims(), cache.unpack().unwrap()), (&[6, 2, 3][..], values));

    assert!(matches!(cache.update_rows(4, &rows), Err(PackError::Window { dim: 0, .. })));
    cache.update_rows(2, &rows).unwrap();
    let expected: Vec<i8> = (1..=12).chain(1..=18).chain(13..=18).collect();
    assert_eq!(cache.unpack().unwrap()[..12], expected[..12]);
    assert_eq!(cache.unpack().unwrap()[12..30], expected[12..30]);
    assert_eq!(cache.unpack().unwrap()[30..], expected[30..]);
}

#[test]
fn parts_of_bounded_arrays_end_at_the_size_of_run_time() {
    let (mut cache, rows) = cache_and_rows();
    cache.append_rows(&rows).unwrap();
    let two: TiledSpec = "s8[2,2,3]".parse().unwrap();
    assert_eq!(cache.slice(&[1, 0, 0], &two).unwrap().total().unwrap(), (7..=18).sum::<i64>());
    assert!(matches!(cache.slice(&[2, 0, 0], &two), Err(PackError::Window { dim: 0, .. })));
    assert!(matches!(cache.slice(&[2, 0], &two), Err(PackError::Sizes { .. })));
    assert!(matches!(cache.update_slice(&[2, 0], &rows), Err(PackError::Sizes { .. })));
    let joined = cache.concatenate(0, &rows, &"s8[<=9,2,3]".parse().unwrap()).unwrap();
    assert_eq!((joined.dims(), joined.total().unwrap()), (&[6, 2, 3][..], 2 * 171));
    let too_small: TiledSpec = "s8[<=5,2,3]".parse().unwrap();
    assert!(matches!(cache.concatenate(0, &rows, &too_small), Err(PackError::Sizes { .. })));
    let gathered = cache.gather_rows(&[2, 2], &too_small).unwrap();
    assert_eq!((gathered.dims(), gathered.total().unwrap()), (&[2, 2, 3][..], 2 * 93));
}

#[test]
#[should_panic(expected = "row 3 does not exist: the array has 3")]
fn a_gathered_row_past_the_size_of_run_time_panics() {
    let (mut cache, rows) = cache_and_rows();
    cache.append_rows(&rows).unwrap();
    drop(cache.gather_rows(&[3], rows.spec()));
}
