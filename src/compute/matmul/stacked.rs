//! Panels of `A` from rows that are stacked, as in TPU tiles of narrow elements.
//!
//! A word of `T(8,128)(2,1)` contains two neighbours in a column, and a word of `T(8,128)(4,1)` four; a word of a panel
//! contains neighbours in a row. So squares of elements are transposed, four columns of four rows at a time: squares of bytes
//! are 16 bytes of one row of words, and have the same position in the panel; squares of `bf16` are 16 bytes of each of two
//! rows of words.
#![allow(unsafe_code, reason = "lanes are read and written unchecked, after all checks are made")]

use super::decode::Decode;
use super::micro_kernel::{MicroKernel, Prepare};
use super::panels::Matrix;
use crate::cpu::{Cpu, Instructions, LANE, Lanes, for_cpu};
use core::ops::Range;

/// The number of rows, and of columns, that are transposed together.
const SIDE: usize = 4;

/// The number of columns that are copied at a time, while as many are prefetched.
const RUN: usize = 256;

impl Matrix<'_> {
    /// Whether most words of the panels of a kernel are written without reading elements one by one.
    pub(super) fn unstacks(&self, kernel: &MicroKernel, columns: usize) -> bool {
        match kernel.prepare {
            Prepare::Lines => self.exchanges_lines(),
            _ => self.has_squares(kernel, columns),
        }
    }

    /// Whether the panels of a kernel are written from squares of elements, if there are whole squares.
    fn has_squares(&self, kernel: &MicroKernel, columns: usize) -> bool {
        matches!(self.decode, Decode::Keep)
            && !matches!(kernel.prepare, Prepare::Double | Prepare::Lines)
            && self.stack > 1
            && self.stack * self.size == 4
            && [kernel.rows, columns, self.grid.width]
                .iter()
                .all(|count| count.is_multiple_of(SIDE))
    }

    /// Writes a panel of `A` as [`Matrix::pack_rows`] does, without the conversion of words, by squares of elements. If a
    /// square would not be whole, or would have rows that do not exist, it writes nothing and returns `false`.
    pub(super) fn pack_stacked(
        &self,
        kernel: &MicroKernel,
        first: usize,
        words: &Range<usize>,
        panel: &mut [u32],
    ) -> bool {
        let (rows, elements) = (kernel.rows, self.stack);
        let columns = words.start * elements..self.columns.min(words.end * elements);
        let whole = first.is_multiple_of(SIDE) && columns.start.is_multiple_of(SIDE);
        if !self.has_squares(kernel, columns.end) || !whole || first + rows > self.rows {
            return false;
        }
        let at = self.starts_from(first);
        let (mut column, mut across) = (columns.start, self.column_at(columns.start));
        while column < columns.end {
            let run = self.grid.run(column, columns.end - column).min(RUN);
            let to = &mut panel[(column - columns.start) / elements * rows..];
            for four in (0..rows).step_by(SIDE) {
                // With bytes, all four rows are in one row of words.
                let sources = [four, four + self.stack % SIDE]
                    .map(|row| &self.bytes[(at[row] + across) * self.size..][..run * 4]);
                unstack(self.stack, sources, &mut to[four..], rows);
            }
            column += run;
            // The words that follow in these rows, or in the next rows.
            let more = column < columns.end;
            let at = if more { at } else { self.starts_from(first + rows) };
            across = self.column_at(if more { column } else { columns.start });
            if more || first + rows < self.rows {
                at[..rows]
                    .iter()
                    .step_by(self.stack)
                    .for_each(|at| self.prefetch(at + across, run));
            }
        }
        true
    }
}

/// Writes the words of four rows to the first four of each `stride` words of `to`. The bytes are those of the rows of words
/// that stack four or two of these rows.
///
/// # Panics
/// If one of the slices is too short.
fn unstack(stack: usize, [a, b]: [&[u8]; 2], to: &mut [u32], stride: usize) {
    let count = a.len() / LANE;
    let words = count * SIDE / stack;
    assert!(b.len() == a.len() && (words == 0 || to.len() >= (words - 1) * stride + SIDE));
    let (a, b, to, stride) = (a.as_ptr(), b.as_ptr(), to.as_mut_ptr().cast::<u8>(), stride * 4);
    let cpu = Cpu::detect();
    // SAFETY: the sources have `count` lanes, and the destination has four words at each of the strides, as asserted.
    unsafe {
        match stack {
            2 => for_cpu!(
                cpu,
                unsafe pairs(a: *const u8, b: *const u8, count: usize, to: *mut u8, stride: usize)
            ),
            _ => for_cpu!(
                cpu,
                unsafe fours(a: *const u8, count: usize, to: *mut u8, stride: usize)
            ),
        }
    }
}

/// [`unstack`] for two rows of words of two elements each.
///
/// # Safety
/// `a` and `b` must be valid for `count` lanes, and `to` for a lane at each of `2 * count` strides.
#[inline(always)]
unsafe fn pairs<I: Instructions>(
    simd: I,
    a: *const u8,
    b: *const u8,
    count: usize,
    to: *mut u8,
    stride: usize,
) {
    let each = const { size_of::<I::Lanes>() / LANE };
    let mut done = 0;
    // SAFETY: the caller promises the same.
    unsafe {
        while done + each <= count {
            let at = |from: *const u8| from.add(done * LANE);
            let (a, b) = (simd.load_lanes(at(a), LANE), simd.load_lanes(at(b), LANE));
            let (a, b) = (a.transpose_units::<8, 2>(), b.transpose_units::<8, 2>());
            let (even, odd) = a.zip::<8>(b);
            even.store_lanes(to.add(2 * done * stride), 2 * stride);
            odd.store_lanes(to.add((2 * done + 1) * stride), 2 * stride);
            done += each;
        }
        while done < count {
            let at = |from: *const u8| from.add(done * LANE);
            let (a, b) = (simd.load_lane(at(a)), simd.load_lane(at(b)));
            let (a, b) = (a.transpose_units::<8, 2>(), b.transpose_units::<8, 2>());
            let (even, odd) = a.zip::<8>(b);
            even.store(to.add(2 * done * stride));
            odd.store(to.add((2 * done + 1) * stride));
            done += 1;
        }
    }
}

/// [`unstack`] for a row of words of four elements each.
///
/// # Safety
/// `a` must be valid for `count` lanes, and `to` for a lane at each of `count` strides.
#[inline(always)]
unsafe fn fours<I: Instructions>(simd: I, a: *const u8, count: usize, to: *mut u8, stride: usize) {
    let each = const { size_of::<I::Lanes>() / LANE };
    let mut done = 0;
    // SAFETY: the caller promises the same.
    unsafe {
        while done + each <= count {
            let lanes = simd.load_lanes(a.add(done * LANE), LANE).transpose_units::<16, 4>();
            lanes.store_lanes(to.add(done * stride), stride);
            done += each;
        }
        while done < count {
            let lane = simd.load_lane(a.add(done * LANE)).transpose_units::<16, 4>();
            lane.store(to.add(done * stride));
            done += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpu::forced;
    use crate::movement::tests::reference::Random;

    /// Byte number `i` of element `column` of a row among stacked rows.
    fn stacked(bytes: &[u8], stack: usize, row: usize, column: usize, i: usize) -> u8 {
        bytes[(column * stack + row) * (4 / stack) + i]
    }

    #[test]
    fn stacked_rows_become_words_on_every_cpu() {
        let random = &mut Random(29);
        for cpu in Cpu::all() {
            forced::set(cpu, false);
            for (stack, lanes, stride) in [(2, 1, 4), (2, 5, 8), (4, 1, 8), (4, 7, 4), (4, 8, 12)] {
                let [a, b] = [(); 2].map(|()| {
                    (0..lanes * LANE).map(|_| random.below(256) as u8).collect::<Vec<_>>()
                });
                let words = lanes * SIDE / stack;
                let mut to = vec![7; (words - 1) * stride + SIDE];
                unstack(stack, [&a, &b], &mut to, stride);
                for (i, word) in to.iter().enumerate() {
                    let (number, row) = (i / stride, i % stride);
                    let size = 4 / stack;
                    let expected = core::array::from_fn(|byte| {
                        let (column, i) = (number * stack + byte / size, byte % size);
                        let source = if row < stack { &a } else { &b };
                        stacked(source, stack, row % stack, column, i)
                    });
                    match row {
                        ..SIDE => assert_eq!(word.to_le_bytes(), expected, "{cpu:?}, {i}"),
                        _ => assert_eq!(*word, 7, "{cpu:?}, {i}"),
                    }
                }
            }
        }
        forced::set(Cpu::detect(), false);
    }
}
