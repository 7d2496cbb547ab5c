//! Panels: pieces of `A` and `B` in the order in which a micro-kernel reads them.
//!
//! With AVX2 and `f32`, a panel of `A` has the words `a[0][k] a[1][k] .. a[5][k]` of six rows for `k = 0`, then those for `k = 1`,
//! and so on; a panel of `B` has `b[k][0] .. b[k][15]` for each `k`. With `bf16` a word has two elements: `a[i][2k]` and
//! `a[i][2k + 1]`, or `b[2k][j]` and `b[2k + 1][j]`.

use super::decode::Decode;
use super::grid::{Grid, NIBBLES, Word};
use super::in_place::{Factors, WORDS_AHEAD};
use super::lanes::LINE_WORDS;
use super::micro_kernel::{MicroKernel, Prepare, TransposeFn};
use super::scratch::{NoMemory, Offsets, Role, offsets};
use super::widening::Widening;
use crate::cpu::prefetch_element;
use crate::movement::inner::interleave_rows;
use core::ops::Range;
use layout_core::dtype::DType;

/// The largest number of rows of a block of vectors.
pub(super) const MAX_ROWS: usize = 8;
/// The largest number of columns of a block.
pub(super) const MAX_COLUMNS: usize = 64;

/// The number of words of a row of `A` that are copied at a time, while as many words of each row are prefetched.
const ROW_WORDS: usize = 256;

/// The bits that [`Prepare::Shift`] flips: adding 128 to a byte flips its highest bit.
pub(super) const SHIFT: u32 = 0x8080_8080;

/// The number of elements of a row that are decoded at a time.
pub(super) const READ: usize = 32;

/// The elements of rows that a matrix does not have: as many bytes as become words at a time.
static NONE: [u8; 1024] = [0; 1024];

/// The bytes of decoded elements.
type Read = [u8; READ * 4];

/// The words of `B` to prefetch while a panel is copied: some columns, starting at one, of rows that start at `rows_at`.
#[derive(Clone, Copy)]
pub(super) struct Ahead<'a> {
    pub(super) rows_at: &'a [usize],
    pub(super) column: usize,
}

/// A matrix in rows of tiles.
#[derive(Clone, Copy)]
pub(super) struct Matrix<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) grid: Grid,
    /// The number of rows that are stacked in storage, which is the distance between the elements of one row.
    pub(super) stack: usize,
    pub(super) rows: usize,
    pub(super) columns: usize,
    /// The bytes of a stored element.
    pub(super) stored: usize,
    /// The bytes of an element of a panel.
    pub(super) size: usize,
    /// Whether a byte has two elements of a row instead, each of 4 bits. Only products of one row read them.
    pub(super) nibbles: bool,
    pub(super) decode: Decode<'a>,
    /// The conversion of four rows of elements at a time, if there is one.
    pub(super) widening: Option<Widening>,
}

impl<'a> Matrix<'a> {
    /// Whether the elements of a row are read without conversion.
    pub(super) fn is_plain(&self) -> bool {
        self.stack == 1 && matches!(self.decode, Decode::Keep)
    }

    /// The number of elements in a word.
    pub(super) fn word_elements(&self) -> usize {
        if self.nibbles { NIBBLES } else { 4 / self.size }
    }

    /// The byte in which an element is, given its position in elements.
    pub(super) fn byte_at(&self, at: usize) -> usize {
        if self.nibbles { at / 2 } else { at * self.size }
    }

    /// The start of a row, in elements.
    pub(super) fn row_at(&self, row: usize) -> usize {
        match self.stack {
            1 => self.grid.offset(row, 0),
            stack => self.grid.offset(row / stack, 0) * stack + row % stack,
        }
    }

    /// The starts of the rows of a block, from row `first` on. Rows past the end of the matrix start where its last row does.
    pub(super) fn starts_from(&self, first: usize) -> [usize; MAX_ROWS] {
        core::array::from_fn(|i| self.row_at((first + i).min(self.rows - 1)))
    }

    /// The distance in elements from the start of a row to a column.
    pub(super) fn column_at(&self, column: usize) -> usize {
        self.grid.offset(0, column) * self.stack
    }

    /// The factors from some column on of the rows of a block, which start at `rows_at`; the last of them takes the place of those
    /// that are missing. The matrix is [plain](Self::is_plain), and its elements are whole words.
    #[inline]
    pub(super) fn factors(&self, rows_at: &[usize], column: usize) -> Factors<'a> {
        let (wide, Grid { height, width, across: tiles }) = (self.size / 4, self.grid);
        let across = self.column_at(column);
        let tile = height.saturating_mul(width).saturating_mul(wide);
        Factors {
            words: self.bytes.as_chunks().0,
            starts: core::array::from_fn(|i| (rows_at[i.min(rows_at.len() - 1)] + across) * wide),
            left: self.grid.run(column, width),
            width,
            tile,
            ahead: if tiles > 1 { WORDS_AHEAD } else { 0 },
        }
    }

    /// Prefetches some elements of a row, and of the rows that are stacked with it.
    #[inline]
    pub(super) fn prefetch(&self, at: usize, count: usize) {
        for byte in (0..count * self.stack * self.stored).step_by(4 * LINE_WORDS) {
            prefetch_element(self.bytes, at * self.stored + byte);
        }
    }

    /// The bytes of some elements of a row, within one tile, as panels contain them. They are decoded to `read` unless they are
    /// [plain](Self::is_plain).
    #[inline]
    pub(super) fn run<'b>(&self, at: usize, count: usize, read: Option<&'b mut Read>) -> &'b [u8]
    where
        'a: 'b,
    {
        let bytes = &self.bytes[at * self.stored..];
        match read {
            None => &bytes[..count * self.size],
            Some(read) => {
                self.decode.read(bytes, self.stack, count, self.size, read);
                &read[..count * self.size]
            }
        }
    }

    /// Whether the words of each row can be read directly, because no tile ends within one.
    pub(super) fn has_words(&self) -> bool {
        self.grid.across == 1 || (self.grid.width * self.size).is_multiple_of(4)
    }

    /// Calls `with` for some elements of a row, with the index of each among them and its bits as panels contain them.
    pub(super) fn each_element(
        &self,
        row: usize,
        columns: Range<usize>,
        mut with: impl FnMut(usize, u64),
    ) {
        let (at, mut column) = (self.row_at(row), columns.start);
        let mut read = (!self.is_plain()).then_some([0; READ * 4]);
        while column < columns.end {
            let run = self.grid.run(column, columns.end - column).min(READ * 4 / self.size);
            let bytes = self.run(at + self.column_at(column), run, read.as_mut());
            let first = column - columns.start;
            if self.size == 8 {
                for (i, element) in bytes.as_chunks().0.iter().enumerate() {
                    with(first + i, u64::from_le_bytes(*element));
                }
            } else {
                for (i, word) in bytes.as_chunks().0.iter().enumerate() {
                    with(first + i, u32::from_le_bytes(*word).into());
                }
            }
            column += run;
        }
    }

    /// Writes a panel of `A`: for each part and each word in `words`, the word of each row that starts at `first`. Elements of
    /// the last word that a row does not have are zero, or 128. Rows that the matrix does not have are copies of its last row.
    pub(super) fn pack_rows(
        &self,
        kernel: &MicroKernel,
        first: usize,
        words: Range<usize>,
        panel: &mut [u32],
    ) {
        let MicroKernel { rows, prepare, .. } = *kernel;
        if kernel.spread > 1 {
            self.pack_spread(kernel, first, &words, panel);
            if prepare == Prepare::Shift {
                panel.iter_mut().for_each(|word| *word ^= SHIFT);
            }
            return;
        }
        match prepare {
            Prepare::Double => return self.pack_doubles(kernel, first, words, panel),
            Prepare::Lines => return self.pack_lines(rows, first, words, panel),
            _ => {}
        }
        let (panel, parts) = panel.split_at_mut(words.len() * rows);
        if !self.pack_stacked(kernel, first, &words, panel) {
            self.pack_words(kernel, first, &words, panel);
        }
        match prepare {
            Prepare::Keep | Prepare::Double | Prepare::Flip | Prepare::Lines => {}
            Prepare::Shift => panel.iter_mut().for_each(|word| *word ^= SHIFT),
            Prepare::Widen | Prepare::SignExtend => {
                for (first, second) in panel.iter_mut().zip(parts) {
                    [*first, *second] = prepare.split(*first);
                }
            }
        }
    }

    /// [`Matrix::pack_rows`] without the conversion of words.
    fn pack_words(
        &self,
        kernel: &MicroKernel,
        first: usize,
        words: &Range<usize>,
        panel: &mut [u32],
    ) {
        let rows = kernel.rows;
        let mut at = self.starts_from(first);
        let elements = 4 / self.size;
        let (mut column, end) = (words.start * elements, self.columns.min(words.end * elements));
        let plain = self.is_plain();
        let mut reads = (!plain).then_some([[0; READ * 4]; MAX_ROWS]);
        let mut left = panel;
        let most = if plain { ROW_WORDS * elements } else { READ };
        let mut across = self.column_at(column);
        while column < end {
            let run = self.grid.run(column, end - column).min(most);
            let mut runs = [(&[][..], &[][..]); MAX_ROWS];
            let mut reads = reads.as_mut().map(|reads| reads.iter_mut());
            for (runs, at) in runs.iter_mut().zip(at).take(rows) {
                let read = reads.as_mut().and_then(Iterator::next);
                *runs = self.run(at + across, run, read).as_chunks();
            }
            // The words that follow in these rows, or in the next rows: the prefetchers of the CPU do not predict the next
            // tile.
            let more = column + run < end;
            if !more && first + rows < self.rows {
                at = self.starts_from(first + rows);
            }
            if more || first + rows < self.rows {
                across = self.column_at(if more { column + run } else { words.start * elements });
                for at in at[..rows].iter().step_by(self.stack) {
                    self.prefetch(at + across, run);
                }
            }
            let (whole, rest) = left.split_at_mut(runs[0].0.len() * rows);
            kernel.transpose(&runs.map(|(words, _)| words)[..rows], whole);
            if !run.is_multiple_of(elements) {
                for (to, (_, last)) in rest.iter_mut().zip(&runs[..rows]) {
                    let mut word = Word::default();
                    word[..last.len()].copy_from_slice(last);
                    *to = u32::from_le_bytes(word);
                }
            }
            left = rest;
            column += run;
        }
    }

    /// [`Matrix::pack_rows`] for a kernel that widens the words of `B`, without the conversion of words.
    fn pack_spread(
        &self,
        kernel: &MicroKernel,
        first: usize,
        words: &Range<usize>,
        panel: &mut [u32],
    ) {
        match (self.size, kernel.stacked, kernel.spread) {
            (1, 8, 2) => self.pack_spread_of::<1, 8, 2>(kernel.rows, first, words, panel),
            (2, 8, 4) => self.pack_spread_of::<2, 8, 4>(kernel.rows, first, words, panel),
            (2, 4, 2) => self.pack_spread_of::<2, 4, 2>(kernel.rows, first, words, panel),
            (4, 8, 8) => self.pack_spread_of::<4, 8, 8>(kernel.rows, first, words, panel),
            (4, 4, 4) => self.pack_spread_of::<4, 4, 4>(kernel.rows, first, words, panel),
            (4, 2, 2) => self.pack_spread_of::<4, 2, 2>(kernel.rows, first, words, panel),
            sizes => unreachable!("no kernel widens {sizes:?}"),
        }
    }

    /// [`Matrix::pack_spread`] for elements of `SIZE` bytes, of which each `STACKED` are words of `SPREAD` parts.
    fn pack_spread_of<const SIZE: usize, const STACKED: usize, const SPREAD: usize>(
        &self,
        rows: usize,
        first: usize,
        words: &Range<usize>,
        panel: &mut [u32],
    ) {
        const { assert!(SIZE * STACKED == 4 * SPREAD && READ.is_multiple_of(STACKED)) }
        let apart = words.len() * rows;
        let end = self.columns.min(words.end * STACKED);
        for i in 0..rows {
            let at = self.row_at((first + i).min(self.rows - 1));
            for (group, column) in (words.start * STACKED..end).step_by(READ).enumerate() {
                let (mut read, mut done) = ([0; READ * 4], 0);
                let count = READ.min(end - column);
                while done < count {
                    let run = self.grid.run(column + done, count - done);
                    let from = &self.bytes[(at + self.column_at(column + done)) * self.stored..];
                    self.decode.read(from, self.stack, run, SIZE, &mut read[done * SIZE..]);
                    done += run;
                }
                for (word, elements) in read[..count.next_multiple_of(STACKED) * SIZE]
                    .chunks_exact(STACKED * SIZE)
                    .enumerate()
                {
                    for part in 0..SPREAD {
                        let mut bytes = Word::default();
                        for (slot, bytes) in bytes.chunks_exact_mut(SIZE).enumerate() {
                            let from = (part + slot * SPREAD) * SIZE;
                            bytes.copy_from_slice(&elements[from..from + SIZE]);
                        }
                        let at = part * apart + (group * READ / STACKED + word) * rows + i;
                        panel[at] = u32::from_le_bytes(bytes);
                    }
                }
            }
        }
    }

    /// [`Matrix::pack_rows`] for elements of 64 bits.
    fn pack_doubles(
        &self,
        kernel: &MicroKernel,
        first: usize,
        columns: Range<usize>,
        panel: &mut [u32],
    ) {
        let starts = self.starts_from(first);
        let mut reads = (!self.is_plain()).then_some([[0; READ * 4]; MAX_ROWS]);
        let most = if self.is_plain() { usize::MAX } else { READ / 2 };
        let (mut column, mut left) = (columns.start, panel);
        while column < columns.end {
            let run = self.grid.run(column, columns.end - column).min(most);
            let across = self.column_at(column);
            let mut rows: [&[Word]; MAX_ROWS] = [&[]; MAX_ROWS];
            let mut reads = reads.as_mut().map(|reads| reads.iter_mut());
            for (row, at) in rows.iter_mut().zip(starts).take(kernel.rows) {
                let read = reads.as_mut().and_then(Iterator::next);
                *row = self.run(at + across, run, read).as_chunks().0;
            }
            let (to, later) = left.split_at_mut(2 * run * kernel.rows);
            kernel.transpose(&rows[..kernel.rows], to);
            (column, left) = (column + run, later);
        }
    }

    /// The starts of the rows of some words.
    pub(super) fn rows_at(&self, words: &Range<usize>) -> Result<Offsets, NoMemory> {
        let elements = self.word_elements();
        let rows = words.start * elements..self.rows.min(words.end * elements);
        let mut rows_at = offsets(Role::B, rows.len())?;
        rows_at.extend(rows.map(|row| self.row_at(row)));
        Ok(rows_at)
    }

    /// Some columns of the rows that make a row of words; `None` for rows that the matrix does not have.
    #[inline]
    fn rows<'b, const P: usize>(
        &self,
        rows_at: &[usize],
        group: usize,
        across: usize,
        run: usize,
        reads: Option<&'b mut [Read; 4]>,
    ) -> [Option<&'b [u8]>; P]
    where
        'a: 'b,
    {
        let mut reads = reads.map(|reads| reads.iter_mut());
        core::array::from_fn(|i| {
            let at = rows_at.get(group * P + i)?;
            let read = reads.as_mut().and_then(Iterator::next);
            Some(self.run(at + across, run, read))
        })
    }

    /// Writes a panel of `B`: for each row of words, whose elements start at `rows_at`, one word of each of `columns` columns,
    /// starting at `first`. Words of columns that the matrix does not have are not written; elements of rows that it does not
    /// have are zero.
    pub(super) fn pack_columns(
        &self,
        rows_at: &[usize],
        first: usize,
        columns: usize,
        panel: &mut [Word],
        ahead: Option<Ahead<'_>>,
    ) {
        if let Some(widening) = self.widening {
            let done = self.widen_columns(widening, (rows_at, first, columns), panel, ahead);
            let (rows_at, panel) = (&rows_at[2 * done..], &mut panel[done * columns..]);
            return self.pack_columns_of::<2, 2>(rows_at, first, columns, panel, None);
        }
        match self.size {
            1 => self.pack_columns_of::<1, 4>(rows_at, first, columns, panel, ahead),
            2 => self.pack_columns_of::<2, 2>(rows_at, first, columns, panel, ahead),
            _ => self.pack_columns_of::<4, 1>(rows_at, first, columns, panel, ahead),
        }
    }

    /// [`Matrix::pack_columns`] for elements of 8 bits that become pairs of `bf16`, four rows at a time. Returns the number of rows of
    /// words that were written.
    fn widen_columns(
        &self,
        widening: Widening,
        (rows_at, first, columns): (&[usize], usize, usize),
        panel: &mut [Word],
        ahead: Option<Ahead<'_>>,
    ) -> usize {
        let is_aligned = match self.stack {
            1 => true,
            4 => rows_at.first().is_some_and(|at| at.is_multiple_of(4)),
            _ => false,
        };
        let groups = if is_aligned { rows_at.as_chunks::<4>().0 } else { &[] };
        let end = self.columns.min(first + columns);
        let mut words = [Word::default(); NONE.len() / 4];
        let mut asked = ahead.map(|ahead| {
            let across = self.column_at(ahead.column);
            ahead.rows_at.chunks(4).map(move |rows| (rows, across))
        });
        let mut column = first;
        while column < end {
            let run = self.grid.run(column, end - column).min(words.len());
            let across = self.column_at(column);
            for (rows_at, panel) in groups.iter().zip(panel.chunks_exact_mut(2 * columns)) {
                if let Some((rows, across)) = asked.as_mut().and_then(Iterator::next) {
                    // Rows that are stacked are in the same lines.
                    rows.iter()
                        .step_by(self.stack)
                        .for_each(|at| self.prefetch(at + across, columns));
                }
                let words = match self.stack {
                    4 => &self.bytes[rows_at[0] + across..].as_chunks().0[..run],
                    _ => {
                        let rows = rows_at.map(|at| Some(&self.bytes[at + across..][..run]));
                        interleave::<1, 4>(rows, &mut words[..run]);
                        &words[..run]
                    }
                };
                let (above, below) = panel.split_at_mut(columns);
                let at = column - first;
                widening.widen(words, [&mut above[at..][..run], &mut below[at..][..run]]);
            }
            column += run;
        }
        2 * groups.len().min(panel.len() / (2 * columns).max(1))
    }

    /// [`Matrix::pack_columns`] for elements of `SIZE` bytes, `P` of which make a word.
    fn pack_columns_of<const SIZE: usize, const P: usize>(
        &self,
        rows_at: &[usize],
        first: usize,
        columns: usize,
        panel: &mut [Word],
        ahead: Option<Ahead<'_>>,
    ) {
        let end = self.columns.min(first + columns);
        let most = if self.is_plain() { NONE.len() / SIZE } else { READ };
        let mut reads = (!self.is_plain()).then_some([[0; READ * 4]; 4]);
        let mut asked = ahead.map(|ahead| {
            let across = self.column_at(ahead.column);
            ahead.rows_at.chunks(P).map(move |rows| (rows, across))
        });
        let mut column = first;
        while column < end {
            let run = self.grid.run(column, end - column).min(most);
            let across = self.column_at(column);
            for (group, words) in panel.chunks_exact_mut(columns).enumerate() {
                if let Some((rows, across)) = asked.as_mut().and_then(Iterator::next) {
                    for at in rows {
                        self.prefetch(at + across, columns);
                    }
                }
                let words = &mut words[column - first..][..run];
                let rows = self.rows::<P>(rows_at, group, across, run, reads.as_mut());
                match rows[0] {
                    Some(row) if const { P == 1 } => copy(row.as_chunks().0, words),
                    _ => interleave::<SIZE, P>(rows, words),
                }
            }
            column += run;
        }
    }
}

/// Copies words. One or two lines, the usual case, need no function call.
#[inline(always)]
pub(super) fn copy(from: &[Word], to: &mut [Word]) {
    if let (Some(from), Some(to)) = (from.as_array::<LINE_WORDS>(), to.as_mut_array()) {
        *to = *from;
    } else if let (Some(from), Some(to)) =
        (from.as_array::<{ 2 * LINE_WORDS }>(), to.as_mut_array())
    {
        *to = *from;
    } else {
        to.copy_from_slice(from);
    }
}

/// Makes words of the elements of `P` rows, which are neighbours in a column; elements of missing rows are zero.
#[inline(always)]
fn interleave<const SIZE: usize, const P: usize>(rows: [Option<&[u8]>; P], words: &mut [Word]) {
    let rows = rows.map(|row| row.unwrap_or(&NONE[..words.len() * SIZE]));
    let done = interleave_rows::<SIZE, P>(rows, words.as_flattened_mut()) / SIZE;
    for (i, word) in words.iter_mut().enumerate().skip(done) {
        word.copy_from_slice(rows.map(|row| row.as_chunks::<SIZE>().0[i]).as_flattened());
    }
}

/// The function for elements of a panel of a type, on every CPU.
pub(super) fn transpose_of(dtype: DType) -> TransposeFn {
    if dtype == DType::F64 { transpose_doubles } else { transpose }
}

/// [`transpose`] with two words at a time.
pub(super) fn transpose_doubles(rows: &[&[Word]], to: &mut [u32]) {
    let to = to.as_chunks_mut::<2>().0;
    for (i, row) in rows.iter().enumerate() {
        for (to, words) in to.iter_mut().skip(i).step_by(rows.len()).zip(row.as_chunks::<2>().0) {
            *to = words.map(u32::from_le_bytes);
        }
    }
}

/// Writes the first words of all rows, then the second words of all rows, and so on.
pub(super) fn transpose(rows: &[&[Word]], to: &mut [u32]) {
    for (i, row) in rows.iter().enumerate() {
        for (to, &word) in to.iter_mut().skip(i).step_by(rows.len()).zip(*row) {
            *to = u32::from_le_bytes(word);
        }
    }
}
