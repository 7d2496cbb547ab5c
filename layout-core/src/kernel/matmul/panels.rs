//! Panels: pieces of `A` and `B` in the order in which a micro-kernel reads them.

use super::choose::Kernel;
use super::choose::Prepare;
use super::grid::{Grid, Word};
use core::ops::Range;

/// Columns of a block at most.
pub(super) const MAX_COLUMNS: usize = 32;

/// A matrix in which the elements of a row are beside each other, but for the ends of tiles.
#[derive(Clone, Copy)]
pub(super) struct Matrix<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) grid: Grid,
    pub(super) rows: usize,
    pub(super) columns: usize,
    /// Bytes of an element.
    pub(super) size: usize,
}

impl<'a> Matrix<'a> {
    /// The bytes of the elements in a row and a range of columns, which no tile may end in.
    #[inline]
    fn run(&self, row: usize, columns: Range<usize>) -> &'a [u8] {
        let at = self.grid.offset(row, columns.start);
        &self.bytes[at * self.size..][..columns.len() * self.size]
    }

    /// Whether the words of each row can be read as they are: no tile ends in one.
    pub(super) fn has_words(&self) -> bool {
        self.grid.across == 1 || (self.grid.width * self.size).is_multiple_of(4)
    }

    /// Writes a panel of `A`: for each part and each word in `words`, the word of each row from `first` on. Rows that
    /// the matrix does not have are zero, and so are elements of the last word that a row does not have.
    pub(super) fn pack_rows(
        &self,
        kernel: &Kernel,
        first: usize,
        words: Range<usize>,
        panel: &mut [u32],
    ) {
        for row in 0..kernel.rows {
            match kernel.prepare {
                Prepare::Keep => {
                    self.pack_row(first, row, kernel.rows, &words, panel, |word| [word])
                }
                Prepare::Shift => {
                    self.pack_row(first, row, kernel.rows, &words, panel, |word| [word ^ SHIFT]);
                }
                Prepare::Widen => {
                    let widen = |word| [word << 16, word & 0xFFFF_0000];
                    self.pack_row(first, row, kernel.rows, &words, panel, widen);
                }
                Prepare::Spread => self.pack_row(first, row, kernel.rows, &words, panel, |word| {
                    [0, 8].map(|shift| {
                        let [low, high] = [word, word >> 16].map(|half| (half >> shift) as i8);
                        u32::from(i16::from(low) as u16) | u32::from(i16::from(high) as u16) << 16
                    })
                }),
            }
        }
    }

    #[inline(always)]
    fn pack_row<const PARTS: usize>(
        &self,
        first: usize,
        row: usize,
        rows: usize,
        words: &Range<usize>,
        panel: &mut [u32],
        prepare: impl Fn(u32) -> [u32; PARTS],
    ) {
        let part = words.len() * rows;
        let mut at = row;
        let mut write = |parts: [u32; PARTS]| {
            for (i, word) in parts.into_iter().enumerate() {
                panel[i * part + at] = word;
            }
            at += rows;
        };
        if first + row >= self.rows {
            return words.clone().for_each(|_| write([0; PARTS]));
        }
        let depth = 4 / self.size;
        let (mut column, end) = (words.start * depth, self.columns.min(words.end * depth));
        while column < end {
            let run = self.grid.run(column, end - column);
            let (whole, rest) = self.run(first + row, column..column + run).as_chunks();
            whole.iter().for_each(|&word| write(prepare(u32::from_le_bytes(word))));
            if !rest.is_empty() {
                let mut word = [0; 4];
                word[..rest.len()].copy_from_slice(rest);
                // A word of zeros becomes zeros, but for what is added to the elements that are there.
                let parts = prepare(u32::from_le_bytes(word));
                let absent = prepare(0).map(|word| word & !mask(rest.len()));
                write(core::array::from_fn(|part| parts[part] ^ absent[part]));
            }
            column += run;
        }
    }

    /// Writes a panel of `B`: for each row of words in `words`, one word of each of `columns` columns from `first` on.
    /// Words of columns that the matrix does not have are left as they are, elements of rows that it does not have are
    /// zero.
    pub(super) fn pack_columns(
        &self,
        first: usize,
        columns: usize,
        words: Range<usize>,
        panel: &mut [Word],
    ) {
        match self.size {
            1 => self.interleave::<1, 4>(first, columns, words, panel),
            2 => self.interleave::<2, 2>(first, columns, words, panel),
            _ => self.interleave::<4, 1>(first, columns, words, panel),
        }
    }

    fn interleave<const SIZE: usize, const DEPTH: usize>(
        &self,
        first: usize,
        columns: usize,
        words: Range<usize>,
        panel: &mut [Word],
    ) {
        let none = [[0; SIZE]; MAX_COLUMNS];
        let end = self.columns.min(first + columns);
        for (group, panel) in words.zip(panel.chunks_exact_mut(columns)) {
            let mut column = first;
            while column < end {
                let run = self.grid.run(column, end - column);
                let rows: [&[[u8; SIZE]]; DEPTH] = core::array::from_fn(|i| {
                    let row = group * DEPTH + i;
                    if row < self.rows {
                        self.run(row, column..column + run).as_chunks().0
                    } else {
                        &none[..run]
                    }
                });
                let panel = &mut panel[column - first..][..run];
                if DEPTH == 1 {
                    panel.as_flattened_mut().copy_from_slice(rows[0].as_flattened());
                }
                for (i, word) in panel.iter_mut().enumerate().filter(|_| DEPTH > 1) {
                    let elements: [[u8; SIZE]; DEPTH] = core::array::from_fn(|row| rows[row][i]);
                    word.copy_from_slice(elements.as_flattened());
                }
                column += run;
            }
        }
    }
}

/// What [`Prepare::Shift`] changes: 128 more is the other sign.
pub(super) const SHIFT: u32 = 0x8080_8080;

/// The bits of the first `bytes` bytes of a word.
pub(super) const fn mask(bytes: usize) -> u32 {
    if bytes < 4 { (1 << (8 * bytes)) - 1 } else { u32::MAX }
}
