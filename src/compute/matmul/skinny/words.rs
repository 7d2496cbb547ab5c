//! The words of `B` in its bytes, or assembled in a cache if it does not have rows of words, as in `bf16[4096,4096]`.

use super::super::grid::{Grid, Word};
use super::super::lanes::LINE_WORDS;
use super::super::panels::{Ahead, copy};
use super::SkinnyProduct;
use super::plan::{Plan, Staging};
use crate::cpu::{prefetch_behind, prefetch_element};
use core::ops::Range;

/// The distance in words at which `B` is prefetched: whole tiles, or a part of each row if there are no tiles.
const AHEAD_WORDS: usize = 1024;

/// Some rows and columns of the words of `B`, in a grid of words.
pub(super) struct WordBlock<'b> {
    pub(super) words: &'b [Word],
    pub(super) grid: Grid,
    pub(super) rows: Range<usize>,
    pub(super) columns: Range<usize>,
}

/// The data for assembling words: the starts of the rows of `B`, and memory for a part.
pub(super) struct Stage<'s> {
    pub(super) rows_at: &'s [usize],
    pub(super) room: &'s mut [Word],
}

impl SkinnyProduct<'_> {
    /// The words of some rows and columns, in place or assembled, while those of the following columns are prefetched.
    pub(super) fn words_of<'s>(
        &'s self,
        rows: &Range<usize>,
        columns: Range<usize>,
        stage: &'s mut Stage<'_>,
    ) -> WordBlock<'s> {
        let Plan { grid, staging, .. } = self.plan;
        let Some(staging) = staging else {
            return WordBlock { words: self.words, grid, rows: rows.clone(), columns };
        };
        let room = &mut stage.room[..rows.len() * grid.width];
        let (below, column) = match columns.end < self.product.b.columns {
            true => (rows.clone(), columns.end),
            false => (rows.end..rows.end + self.chunk, 0),
        };
        match staging {
            Staging::Copied => {
                self.copy_words(rows, columns.clone(), (below.start, column), room);
            }
            Staging::Assembled => {
                let rows_of = |rows| self.rows_of_words(stage.rows_at, rows);
                let ahead = Ahead { rows_at: rows_of(below), column };
                let rows_at = rows_of(rows.clone());
                let b = &self.product.b;
                b.pack_columns(rows_at, columns.start, grid.width, room, Some(ahead));
            }
        }
        WordBlock { words: room, grid, rows: 0..rows.len(), columns: 0..columns.len() }
    }

    /// Copies some columns of rows of words to `room`, and prefetches as many words from row `next.0` and column `next.1` on. All rows
    /// begin at the top of tiles.
    fn copy_words(
        &self,
        rows: &Range<usize>,
        columns: Range<usize>,
        next: (usize, usize),
        room: &mut [Word],
    ) {
        let grid = &self.product.b.grid;
        let mut column = columns.start;
        while column < columns.end {
            let run = grid.run(column, columns.end - column);
            let before = column - columns.start;
            // The words between the tiles of a column of tiles.
            let between = (grid.across - 1) * grid.height * grid.width;
            let mut at = grid.offset(rows.start, column);
            // Distances rather than addresses, which may be past the last word.
            let ahead = grid.offset(next.0, next.1 + before).wrapping_sub(at);
            for (row, room) in room.chunks_exact_mut(self.plan.grid.width).enumerate() {
                let (from, to) = (&self.words[at..][..run], &mut room[before..][..run]);
                for (line, (from, to)) in
                    from.chunks(LINE_WORDS).zip(to.chunks_mut(LINE_WORDS)).enumerate()
                {
                    let ahead = at.wrapping_add(ahead).wrapping_add(line * LINE_WORDS);
                    prefetch_behind(self.words.as_ptr().wrapping_add(ahead));
                    copy(from, to);
                }
                let is_last = (row + 1).is_multiple_of(grid.height);
                at += grid.width + if is_last { between } else { 0 };
            }
            column += run;
        }
    }

    /// The starts of the rows of `B` that some rows of words consist of, as far as they exist.
    pub(super) fn rows_of_words<'r>(
        &self,
        rows_at: &'r [usize],
        rows: Range<usize>,
    ) -> &'r [usize] {
        let elements = self.product.b.word_elements();
        let end = rows_at.len().min(rows.end * elements);
        &rows_at[end.min(rows.start * elements)..end]
    }

    /// The distance at which words are prefetched.
    pub(super) fn ahead(&self) -> usize {
        let Grid { height, width, across } = self.plan.grid;
        if across == 1 { AHEAD_WORDS / 4 } else { AHEAD_WORDS.next_multiple_of(height * width) }
    }

    /// Prefetches the words that a block will read of each row of tiles, in the order of their bytes. `at` is the position of
    /// the block, which has some columns, in its first tile; the prefetched words are some tiles further to the right.
    #[inline]
    pub(super) fn prefetch(&self, words: &Range<usize>, at: usize, columns: usize) {
        let Grid { height, width, across } = self.plan.grid;
        let (pieces, each, apart) = match across {
            // Without tiles, each row counts as one.
            1 => (words.len(), columns, width),
            _ => {
                let tiles = (words.start % height + words.len()).div_ceil(height);
                (tiles, height * columns, across * height * width)
            }
        };
        for piece in 0..pieces {
            for line in (0..each).step_by(LINE_WORDS) {
                prefetch_element(self.words, at + piece * apart + line);
            }
        }
    }
}
