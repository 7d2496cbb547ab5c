//! What tile registers read. Panels of `A` have 16 words of each row of a block, then the next 16 words of each row; the rows of
//! words of `B` are the same distance apart.
//!
//! In tiles `(8,128)(2,1)` of `bf16`, a line of 64 bytes has 16 columns of two rows. Two such lines are 32 columns, which are
//! exchanged for a line of each row. In tiles `(8,128)(4,1)` of bytes, four lines are exchanged for a line of each of four rows.
#![allow(unsafe_code, reason = "lines are read and written unchecked, after all checks are made")]

use super::decode::Decode;
use super::lanes::LINE_WORDS;
use super::panels::{Matrix, READ};
use crate::cpu::{Cpu, Instructions, LINE, for_cpu, prefetch_element};
use core::ops::Range;

/// A line of a panel.
type Line = [u32; LINE_WORDS];

impl Matrix<'_> {
    /// [`Matrix::pack_rows`] in lines. Everything that a row does not have of its last line is zero.
    pub(super) fn pack_lines(
        &self,
        rows: usize,
        first: usize,
        words: Range<usize>,
        panel: &mut [u32],
    ) {
        let lines = panel.as_chunks_mut::<LINE_WORDS>().0;
        let elements = 4 / self.size;
        let mut columns = words.start * elements..self.columns.min(words.end * elements);
        let done = self.exchange_lines(rows, first, columns.clone(), lines);
        columns.start += done * LINE_WORDS * elements;
        let lines = &mut lines[done * rows..];
        let plain = self.is_plain();
        for i in 0..rows {
            let at = self.row_at((first + i).min(self.rows - 1));
            let mut lines = lines.iter_mut().skip(i).step_by(rows);
            // The line that is being written, and the number of its bytes that have been written.
            let (mut line, mut done) = (lines.next(), 0);
            let mut read = (!plain).then_some([0; READ * 4]);
            let mut column = columns.start;
            while column < columns.end {
                let most = if plain { usize::MAX } else { READ };
                let run = self.grid.run(column, columns.end - column).min(most);
                let across = self.column_at(column);
                if plain && column + run < columns.end {
                    // In the next tile, which no hardware prefetcher predicts.
                    let next = at + self.column_at(column + run);
                    for element in (0..run).step_by(LINE_WORDS * elements) {
                        prefetch_element(self.bytes, (next + element) * self.size);
                    }
                }
                let mut bytes = self.run(at + across, run, read.as_mut());
                while let Some(to) = line.as_mut().filter(|_| !bytes.is_empty()) {
                    let count = bytes.len().min(4 * LINE_WORDS - done);
                    let (now, later) = bytes.split_at(count);
                    write_line(to, done, now);
                    (bytes, done) = (later, done + count);
                    if done == 4 * LINE_WORDS {
                        (line, done) = (lines.next(), 0);
                    }
                }
                column += run;
            }
            if let Some(line) = line.filter(|_| done > 0) {
                write_line(line, done, &[0; 4 * LINE_WORDS][done..]);
            }
        }
    }

    /// Whether whole lines of the rows of a block are written by [`Matrix::exchange_lines`].
    pub(super) fn exchanges_lines(&self) -> bool {
        matches!(self.decode, Decode::Keep)
            && self.stack > 1
            && self.stack * self.size == 4
            && self.grid.width.is_multiple_of(LINE_WORDS * self.stack)
    }

    /// Writes the first lines of each row from stacked rows, and returns their number for each row: all that are whole, or none
    /// if the rows are not stacked or if a tile ends within a line. Rows that the matrix does not have get any values.
    fn exchange_lines(
        &self,
        rows: usize,
        first: usize,
        columns: Range<usize>,
        lines: &mut [Line],
    ) -> usize {
        let (stack, wide) = (self.stack, LINE_WORDS * self.stack);
        if !self.exchanges_lines()
            || ![rows, first].iter().all(|n| n.is_multiple_of(stack))
            || !columns.start.is_multiple_of(wide)
        {
            return 0;
        }
        let all = columns.len() / wide;
        let mut column = columns.start;
        while column < columns.start + all * wide {
            let run = self.grid.run(column, columns.start + all * wide - column);
            let (count, across) = (run / wide, self.column_at(column));
            let lines = &mut lines[(column - columns.start) / wide * rows..][..count * rows];
            for group in (0..rows).step_by(stack) {
                // The last stacked rows take the place of those that do not exist.
                let row = (first + group).min((self.rows - 1) / stack * stack);
                let from = &self.bytes[(self.row_at(row) + across) * self.size..];
                exchange(stack, &from[..count * stack * LINE], &mut lines[group..], rows);
            }
            column += run;
        }
        all
    }
}

/// Exchanges each `stack` lines of `from`, which contain the elements of as many rows alternately, for a line of each row, and
/// writes these at each `apart` lines of `to`.
///
/// # Panics
/// If `to` is too short.
fn exchange(stack: usize, from: &[u8], to: &mut [Line], apart: usize) {
    let count = from.len() / (stack * LINE);
    assert!(count == 0 || to.len() >= (count - 1) * apart + stack);
    let (from, to, apart) = (from.as_ptr(), to.as_mut_ptr().cast::<u8>(), apart * LINE);
    let cpu = Cpu::detect();
    // SAFETY: the source has `stack` lines for each count, and the destination as many at each distance, as asserted.
    unsafe {
        match stack {
            2 => for_cpu!(
                cpu,
                unsafe pairs(from: *const u8, count: usize, to: *mut u8, apart: usize)
            ),
            _ => for_cpu!(
                cpu,
                unsafe fours(from: *const u8, count: usize, to: *mut u8, apart: usize)
            ),
        }
    }
}

/// [`exchange`] for lines of two rows: `a0 b0 a1 b1 ..` becomes `a0 a1 ..` and `b0 b1 ..`.
///
/// # Safety
/// `from` must be valid for `2 * count` lines, and `to` for two lines at each of `count` distances of `apart` bytes.
#[inline(always)]
unsafe fn pairs<I: Instructions>(
    simd: I,
    from: *const u8,
    count: usize,
    to: *mut u8,
    apart: usize,
) {
    for i in 0..count {
        // SAFETY: the caller promises the lines.
        unsafe {
            let (from, to) = (from.add(2 * i * LINE), to.add(i * apart));
            let (a, b) = simd.unzip::<2>(simd.load(from), simd.load(from.add(LINE)));
            simd.store(to, a);
            simd.store(to.add(LINE), b);
        }
    }
}

/// [`exchange`] for lines of four rows.
///
/// # Safety
/// `from` must be valid for `4 * count` lines, and `to` for four lines at each of `count` distances of `apart` bytes.
#[inline(always)]
unsafe fn fours<I: Instructions>(
    simd: I,
    from: *const u8,
    count: usize,
    to: *mut u8,
    apart: usize,
) {
    for i in 0..count {
        // SAFETY: the caller promises the lines.
        unsafe {
            let (from, to) = (from.add(4 * i * LINE), to.add(i * apart));
            let load = |line: usize| simd.load(from.add(line * LINE));
            // The elements of the first and the third row alternate in the first half, those of the others in the second.
            let (ac, bd) = simd.unzip::<1>(load(0), load(1));
            let (ac_later, bd_later) = simd.unzip::<1>(load(2), load(3));
            let (a, c) = simd.unzip::<1>(ac, ac_later);
            let (b, d) = simd.unzip::<1>(bd, bd_later);
            for (row, line) in [a, b, c, d].into_iter().enumerate() {
                simd.store(to.add(row * LINE), line);
            }
        }
    }
}

/// Writes bytes of a line, starting at one. The bytes after them in their word become zero.
#[inline(always)]
fn write_line(line: &mut Line, from: usize, bytes: &[u8]) {
    if let Some(bytes) = bytes.as_array::<{ 4 * LINE_WORDS }>() {
        for (word, bytes) in line.iter_mut().zip(bytes.as_chunks().0) {
            *word = u32::from_le_bytes(*bytes);
        }
        return;
    }
    for (at, byte) in (from..).zip(bytes) {
        let word = &mut line[at / 4];
        let before = *word & !(u32::MAX << (8 * (at % 4)));
        *word = before | u32::from(*byte) << (8 * (at % 4));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpu::forced;
    use crate::movement::tests::reference::Random;

    #[test]
    fn lines_are_exchanged_on_every_cpu() {
        let random = &mut Random(31);
        for cpu in Cpu::all() {
            forced::set(cpu, false);
            for (stack, count, apart) in [(2, 1, 2), (2, 3, 16), (4, 1, 32), (4, 5, 4), (4, 0, 4)] {
                let from: Vec<_> =
                    (0..count * stack * LINE).map(|_| random.below(256) as u8).collect();
                let mut to = vec![[7; LINE_WORDS]; count * apart];
                exchange(stack, &from, &mut to, apart);
                for (at, line) in to.iter().enumerate() {
                    let (i, row) = (at / apart, at % apart);
                    for (byte, value) in line.iter().flat_map(|word| word.to_le_bytes()).enumerate()
                    {
                        let size = 4 / stack;
                        let (column, byte) = (byte / size, byte % size);
                        let source = (i * stack * LINE) + (column * stack + row) * size + byte;
                        match row < stack {
                            true => assert_eq!(value, from[source], "{cpu:?}, {stack}, {at}"),
                            false => assert_eq!(line, &[7; LINE_WORDS], "{cpu:?}, {stack}, {at}"),
                        }
                    }
                }
            }
        }
        forced::set(Cpu::detect(), false);
    }
}
