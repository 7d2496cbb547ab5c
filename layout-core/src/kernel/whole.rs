//! Moves elements of whole bytes, of the same width on both sides.

use super::execute::{Axis, Mover};

/// Elements of a side of the blocks that a transpose works in: a block of either array stays in the nearest cache.
const BLOCK: usize = 16;

/// Moves elements of `N` bytes.
pub(super) struct Whole<'a, const N: usize> {
    source: &'a [[u8; N]],
    destination: &'a mut [[u8; N]],
}

impl<'a, const N: usize> Whole<'a, N> {
    /// Moves elements from one array to the other; neither need be aligned.
    pub(super) fn new(source: &'a [u8], destination: &'a mut [u8]) -> Self {
        Self { source: source.as_chunks().0, destination: destination.as_chunks_mut().0 }
    }
}

impl<const N: usize> Mover for Whole<'_, N> {
    fn rectangle(&mut self, from: usize, to: usize, outer: Axis, inner: Axis) {
        let (source, destination) = (&self.source[from..], &mut self.destination[to..]);
        match (inner, outer) {
            (Axis { source: 1, destination: 1, .. }, _) => copy(source, destination, outer, inner),
            (Axis { count: 2, destination: 1, .. }, Axis { source: 1, destination: 2, .. }) => {
                interleave::<N, 2>(source, destination, outer.count, inner.source);
            }
            (Axis { count: 4, destination: 1, .. }, Axis { source: 1, destination: 4, .. }) => {
                interleave::<N, 4>(source, destination, outer.count, inner.source);
            }
            (Axis { source: 2, destination: 1, .. }, Axis { count: 2, source: 1, .. }) => {
                deinterleave::<N, 2>(source, destination, inner.count, outer.destination);
            }
            (Axis { source: 4, destination: 1, .. }, Axis { count: 4, source: 1, .. }) => {
                deinterleave::<N, 4>(source, destination, inner.count, outer.destination);
            }
            _ => transpose(source, destination, outer, inner),
        }
    }
}

/// Rows that are contiguous in both arrays.
fn copy<const N: usize>(source: &[[u8; N]], destination: &mut [[u8; N]], outer: Axis, inner: Axis) {
    for i in 0..outer.count {
        destination[i * outer.destination..][..inner.count]
            .copy_from_slice(&source[i * outer.source..][..inner.count]);
    }
}

/// `P` rows of the source, `count` long and `stride` apart, one element of each in turn.
fn interleave<const N: usize, const P: usize>(
    source: &[[u8; N]],
    destination: &mut [[u8; N]],
    count: usize,
    stride: usize,
) {
    let rows: [&[[u8; N]]; P] = core::array::from_fn(|p| &source[p * stride..][..count]);
    let groups = &mut destination.as_chunks_mut::<P>().0[..count];
    for (i, group) in groups.iter_mut().enumerate() {
        *group = core::array::from_fn(|p| rows[p][i]);
    }
}

/// The reverse: `P` rows of the destination, `count` long and `stride` apart, from one element of each in turn.
fn deinterleave<const N: usize, const P: usize>(
    source: &[[u8; N]],
    destination: &mut [[u8; N]],
    count: usize,
    stride: usize,
) {
    let groups = &source.as_chunks::<P>().0[..count];
    let mut rows = destination.chunks_mut(stride);
    let mut rows: [&mut [[u8; N]]; P] =
        core::array::from_fn(|_| rows.next().map_or(&mut [][..], |row| &mut row[..count]));
    for (i, group) in groups.iter().enumerate() {
        for (row, element) in rows.iter_mut().zip(group) {
            row[i] = *element;
        }
    }
}

/// Any strides, block by block.
fn transpose<const N: usize>(
    source: &[[u8; N]],
    destination: &mut [[u8; N]],
    outer: Axis,
    inner: Axis,
) {
    for i in (0..outer.count).step_by(BLOCK) {
        for j in (0..inner.count).step_by(BLOCK) {
            for i in i..outer.count.min(i + BLOCK) {
                for j in j..inner.count.min(j + BLOCK) {
                    destination[i * outer.destination + j * inner.destination] =
                        source[i * outer.source + j * inner.source];
                }
            }
        }
    }
}
