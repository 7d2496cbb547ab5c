//! Boxes of row-major arrays.

use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

/// A local array: its size, and the index of its first element in the whole array.
pub(super) struct Shard<'a> {
    pub(super) dims: &'a [usize],
    pub(super) origin: Vec<usize>,
}

/// The intersection of two boxes.
pub(super) fn intersection(a: &[Range<usize>], b: &[Range<usize>]) -> Option<Vec<Range<usize>>> {
    let common = a.iter().zip(b).map(|(a, b)| a.start.max(b.start)..a.end.min(b.end));
    let common: Vec<_> = common.collect();
    common.iter().all(|range| !range.is_empty()).then_some(common)
}

/// The number of elements of a box.
pub(super) fn elements(region: &[Range<usize>]) -> usize {
    region.iter().map(ExactSizeIterator::len).product()
}

/// Calls `run` with the byte range of each row of a box in an array, in order.
fn rows(
    region: &[Range<usize>],
    shard: &Shard<'_>,
    width: usize,
    mut run: impl FnMut(Range<usize>),
) {
    let Some((last, before)) = region.split_last() else {
        run(0..width);
        return;
    };
    let mut index: Vec<usize> = before.iter().map(|range| range.start).collect();
    for _ in 0..elements(before) {
        let own = index.iter().chain([&last.start]).zip(&shard.origin);
        let at = own.zip(shard.dims).fold(0, |at, ((i, origin), size)| at * size + i - origin);
        run(at * width..(at + last.len()) * width);
        for dim in (0..index.len()).rev() {
            index[dim] += 1;
            if index[dim] < before[dim].end {
                break;
            }
            index[dim] = before[dim].start;
        }
    }
}

/// Reads the elements of a box, row-major, from the bytes of an array.
pub(super) fn read(
    region: &[Range<usize>],
    shard: &Shard<'_>,
    width: usize,
    bytes: &[u8],
) -> Vec<u8> {
    let mut out = Vec::with_capacity(elements(region) * width);
    rows(region, shard, width, |row| out.extend_from_slice(&bytes[row]));
    out
}

/// Writes the elements of a box, row-major, into the bytes of an array.
pub(super) fn write(
    region: &[Range<usize>],
    shard: &Shard<'_>,
    width: usize,
    from: &[u8],
    bytes: &mut [u8],
) {
    let mut at = 0;
    rows(region, shard, width, |row| {
        let len = row.len();
        bytes[row].copy_from_slice(&from[at..at + len]);
        at += len;
    });
}

impl Shard<'_> {
    /// The whole array.
    pub(super) fn whole(dims: &[usize]) -> Shard<'_> {
        Shard { dims, origin: vec![0; dims.len()] }
    }
}
