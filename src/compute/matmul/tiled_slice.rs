//! The inner loops of a product with tile registers.
//!
//! The sums of a few columns stay next to the panels of `A` in the L2 cache until they are complete: loading them from `C` and storing
//! them there for each part would halve the speed. In `bf16[1024,1024] * bf16[1024,1024]`, `B` has 512 rows of
//! words. The first 256 rows of 32 columns, 32 KiB in the L1 cache, are multiplied by all rows of `A` that are in panels, then
//! the other 256 rows; only then are the sums written, or finished. Sums that are written past the caches are written while the next
//! columns are computed, a row or two after each four products of tiles: alone, this would take as long as a fifth of the products.
#![allow(
    unsafe_code,
    reason = "lines bypass the caches, and what finishes sums writes to parts of one array"
)]

use super::grid::Word;
use super::lanes::{LINE_WORDS, Panel, Start};
use super::slice::{Right, Slice};
use super::tiles::{COLUMNS, LineRows, TileColumn, Writes};
use crate::cpu::{Cpu, Instructions, LINE, Stores, for_cpu, second_level};
use core::ops::Range;

/// The largest number of rows of words of `B` whose tiles are kept in the L1 cache: 32 KiB. It is small in tests, so that most of their
/// products have several parts.
const NEAR_WORDS: usize = if cfg!(test) { 32 } else { 256 };

impl Slice<'_> {
    /// How sums are written: past the caches if `C` does not fit in the L2 cache beside the panels, unless they still have to be
    /// finished, or are added to those of the next slice.
    pub(super) fn stores(&self) -> Stores {
        let product = self.product;
        let bytes = size_of::<Word>() * product.a.rows.saturating_mul(product.b.columns);
        let is_read = product.finish.is_some() || self.words.end < product.depth();
        // Small in tests, so that most of their products do so.
        let near = if cfg!(test) { 1 << 12 } else { second_level() / 4 };
        Stores::of_either(product.kernel.tiles.is_some() && !is_read && bytes > near)
    }

    /// Computes all columns for some rows of `A`, which are in panels, and whose sums start at `rows_at` in `c`. The memory after
    /// the panels is for sums. Sums that are finished are not written to `c`.
    pub(super) fn tiled_columns(
        &self,
        rows: Range<usize>,
        panels: &mut [u32],
        rows_at: &[usize],
        stores: Stores,
        c: &mut [Word],
    ) {
        let kernel = &self.product.kernel;
        let blocks = rows_at.len().div_ceil(kernel.rows);
        let each = kernel.panel_words(self.words.len());
        let (panels, sums) = panels.split_at_mut(blocks * each);
        let (mut sums, rest) = words_of(sums).split_at_mut(blocks * kernel.rows * COLUMNS);
        let mut others = &mut rest[..sums.len()];
        // Parts of equal size, of whole steps.
        let parts = self.words.len().div_ceil(NEAR_WORDS).max(1);
        let most = kernel.whole_steps(self.words.len().div_ceil(parts)).max(1);
        let streaming = stores.begin();
        let finish = self.product.finish.filter(|_| self.is_last());
        let lines = LineRows::of(rows_at).filter(|_| streaming.in_order());
        // Where the sums in `others` are to be written, and the number of rows that have been.
        let mut pending = None;
        for first in self.columns.clone().step_by(COLUMNS) {
            let columns = first..self.columns.end.min(first + COLUMNS);
            let start = self.start(first);
            if matches!(start, Start::Sums) {
                self.each_run(columns.clone(), |i, across, run| {
                    for (&at, sums) in rows_at.iter().zip(sums.chunks_exact_mut(COLUMNS)) {
                        sums[i..][..run].copy_from_slice(&c[at + across..][..run]);
                    }
                });
            }
            let ready = kernel.ready();
            for from in (0..self.words.len().max(1)).step_by(most) {
                let words = from..self.words.len().min(from + most);
                let start = if from == 0 { start } else { Start::Sums };
                let mut column = TileColumn {
                    a: &panels[from * kernel.rows..],
                    a_next: each,
                    b: self.near(first, words.clone()),
                    c: sums,
                    adds: matches!(start, Start::Sums),
                    ahead: self.after(first, words),
                    writes: None,
                };
                if let (Some((across, done)), Some(rows_at)) = (pending, lines) {
                    let c = &mut c[across..];
                    column.writes = Some(Writes { sums: others, rows_at, done, c });
                }
                ready.run_column(&mut column);
                if let (Some((_, done)), Some(writes)) = (&mut pending, column.writes) {
                    *done = writes.done;
                }
            }
            // The code that finishes sums may multiply matrices itself.
            drop(ready);
            write_rest(pending.take(), others, c, rows_at);
            if let Some(finish) = finish {
                // SAFETY: threads share the rows of a slice, and no other slice that runs at the same time has its columns.
                unsafe { finish.finish(rows.clone(), columns, sums, COLUMNS) };
                continue;
            }
            // Whole rows of lines are written while the next columns are computed.
            let across = self.product.c.offset(0, first);
            let is_whole =
                columns.len() == COLUMNS && self.product.c.run(first, COLUMNS) == COLUMNS;
            if is_whole && lines.is_some_and(|lines| lines.fit(&c[across..])) {
                pending = Some((across, 0));
                core::mem::swap(&mut sums, &mut others);
                continue;
            }
            self.each_run(columns, |i, across, run| {
                write(&sums[i..], run, &mut c[across..], rows_at, streaming.in_order());
            });
        }
        write_rest(pending, others, c, rows_at);
    }

    /// Some rows of words of the panel of `B` that starts at a column.
    fn near(&self, column: usize, words: Range<usize>) -> Panel<'_> {
        let Right { words: b, grid, .. } = self.b;
        let first = column - self.columns.start;
        let mask = if words.end == self.words.len() { self.mask } else { u32::MAX };
        Panel::new(b, grid, words, first..first + COLUMNS, mask)
    }

    /// As many words of `B` as follow some rows of words of a panel.
    fn after(&self, column: usize, words: Range<usize>) -> &[Word] {
        let panel = (column - self.columns.start) * self.b.grid.height;
        let all = self.b.words.get(panel + words.end * COLUMNS..).unwrap_or(&[]);
        &all[..all.len().min(words.len() * COLUMNS)]
    }
}

/// The memory of words as that of sums.
fn words_of(words: &mut [u32]) -> &mut [Word] {
    // SAFETY: a `Word` is the four bytes of a `u32`, any bytes are either, and the result borrows the slice.
    unsafe { core::slice::from_raw_parts_mut(words.as_mut_ptr().cast(), words.len()) }
}

/// Writes the rows of sums that have not been written yet: where they start in each row of `c`, and the number of rows that have been.
fn write_rest(pending: Option<(usize, usize)>, sums: &[Word], c: &mut [Word], rows_at: &[usize]) {
    if let Some((across, done)) = pending {
        write(&sums[done * COLUMNS..], COLUMNS, &mut c[across..], &rows_at[done..], true);
    }
}

/// Copies some sums of each row of blocks to the rows of `c`, past the caches if `streams` and if they are whole lines there.
///
/// # Panics
/// If there are fewer sums, or if a row is not in `c`.
fn write(sums: &[Word], count: usize, c: &mut [Word], rows_at: &[usize], streams: bool) {
    let start = c.as_ptr().addr();
    let is_line = |at: usize| (start + at * size_of::<Word>()).is_multiple_of(LINE);
    if streams && count.is_multiple_of(LINE_WORDS) && rows_at.iter().all(|&at| is_line(at)) {
        assert!(rows_at.iter().all(|&at| at <= c.len() && count <= c.len() - at));
        let Some(last) = rows_at.len().checked_sub(1) else { return };
        assert!(sums.len() >= last * COLUMNS + count);
        let (sums, lines, c) = (sums.as_ptr(), count / LINE_WORDS, c.as_mut_ptr());
        // SAFETY: each row of sums has that many lines, and so has `c` at each start of a row, which is that of a line, as checked.
        unsafe {
            for_cpu!(
                Cpu::detect(),
                unsafe stream(sums: *const Word, lines: usize, c: *mut Word, rows_at: &[usize])
            )
        }
    } else {
        for (&at, sums) in rows_at.iter().zip(sums.chunks(COLUMNS)) {
            let (from, to) = (&sums[..count], &mut c[at..][..count]);
            match (from.as_array::<COLUMNS>(), to.as_mut_array()) {
                (Some(from), Some(to)) => *to = *from,
                _ => to.copy_from_slice(from),
            }
        }
    }
}

/// Copies the first lines of each row of sums past the caches.
///
/// # Safety
/// `sums` must be valid for reads of that many lines at each [`COLUMNS`] words, one for each start of a row, and `c` for writes at each
/// of these starts, which must be aligned to lines.
#[inline(always)]
unsafe fn stream<I: Instructions>(
    simd: I,
    sums: *const Word,
    lines: usize,
    c: *mut Word,
    rows_at: &[usize],
) {
    for (i, &at) in rows_at.iter().enumerate() {
        for line in 0..lines {
            // SAFETY: the caller promises the lines.
            unsafe {
                let sums = simd.load(sums.add(i * COLUMNS + line * LINE_WORDS).cast());
                simd.stream(c.add(at + line * LINE_WORDS).cast(), sums);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpu::{fence, forced};

    #[test]
    fn sums_are_written_to_their_rows_on_every_cpu() {
        let word = |i: usize| (i as u32).to_le_bytes();
        let sums: Vec<_> = (1..=3 * COLUMNS).map(word).collect();
        let mut memory = vec![Word::default(); 2048];
        let first = memory.as_ptr().align_offset(LINE);
        for cpu in Cpu::all() {
            forced::set(cpu, true);
            // Lines, a part of a line, no sum, and rows that are not whole lines or in another order.
            for (start, count, rows_at) in [
                (0, COLUMNS, [0, 512, 64]),
                (COLUMNS - LINE_WORDS, LINE_WORDS, [16, 0, 80]),
                (3, 5, [7, 700, 70]),
                (0, COLUMNS, [3, 103, 203]),
                (0, 0, [0, 1, 2]),
            ] {
                for streams in [false, true] {
                    memory.fill(Word::default());
                    write(&sums[start..], count, &mut memory[first..], &rows_at, streams);
                    fence();
                    let mut expected = vec![Word::default(); memory.len()];
                    for (row, at) in rows_at.into_iter().enumerate() {
                        expected[first + at..][..count]
                            .copy_from_slice(&sums[row * COLUMNS + start..][..count]);
                    }
                    assert_eq!(memory, expected, "{cpu:?}, {count} at {rows_at:?}");
                }
            }
        }
        forced::set(Cpu::detect(), false);
    }
}
