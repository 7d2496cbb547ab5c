//! The inner loops of a product. `C` is computed in blocks of a few rows and columns. `A` is copied to panels, in which its
//! rows are adjacent, or read in place.
#![allow(unsafe_code, reason = "the code that finishes sums writes to parts of one array")]

use super::grid::{Grid, Word};
use super::in_place::{Factors, InPlace};
use super::lanes::{LINE_WORDS, MicroBlock, Panel, Start};
use super::micro_kernel::{MicroKernel, Prepare, Ready};
use super::multiplication::Multiplication;
use super::panels::{MAX_COLUMNS, MAX_ROWS, SHIFT};
use super::scratch::{NoMemory, Role, Scratch, filled, offsets};
use crate::cpu::second_level;
use alloc::vec::Vec;
use core::ops::Range;

/// The number of products of words from which threads share the work.
#[cfg(feature = "parallel")]
const PARALLEL: usize = 1 << 20;

/// The largest number of sums of a block of vectors.
const VECTOR_BLOCK: usize = MAX_ROWS * MAX_COLUMNS;

/// Words of `B`, of which the first column is that of a slice.
#[derive(Clone, Copy)]
pub(super) struct Right<'a> {
    pub(super) words: &'a [Word],
    pub(super) grid: &'a Grid,
    /// Whether words are split, so that the second parts of all rows follow the first parts.
    pub(super) split: bool,
}

/// A part of a product: some columns of `C`, and some of the products that are summed up in them.
pub(super) struct Slice<'a> {
    pub(super) product: &'a Multiplication<'a>,
    pub(super) words: Range<usize>,
    pub(super) columns: Range<usize>,
    pub(super) b: Right<'a>,
    /// The bits of the last row of words that belong to elements.
    pub(super) mask: u32,
    /// The initial values of the sums of each column, if the kernel adds 128 to the elements of `A`; empty otherwise, and if
    /// the sums start from those in `C`.
    starts: Vec<Word>,
}

impl<'a> Slice<'a> {
    pub(super) fn new(
        product: &'a Multiplication<'a>,
        words: Range<usize>,
        columns: Range<usize>,
        b: Right<'a>,
    ) -> Self {
        let mask = if b.split { u32::MAX } else { product.mask(words.end) };
        Self { product, words, columns, b, mask, starts: Vec::new() }
    }

    /// Adds the slice's part of the sums to `c`, or writes it there if it is the first slice for its columns.
    pub(super) fn run(mut self, c: &mut [Word]) -> Result<(), NoMemory> {
        if self.product.kernel.prepare == Prepare::Shift {
            let starts = self.starts()?;
            match self.words.start {
                0 if !self.product.adds => self.starts = starts,
                _ => self.add(&starts, c),
            }
        }
        self.rows(0..self.product.a.rows, c)
    }

    /// Whether the sums of its columns are complete after it.
    pub(super) fn is_last(&self) -> bool {
        self.words.end == self.product.depth()
    }

    /// The panel of `B` that starts at a column.
    fn panel(&self, column: usize) -> Panel<'_> {
        let Right { words, grid, split } = self.b;
        let kernel = &self.product.kernel;
        let first = column - self.columns.start;
        let rows = self.words.len() * if split { kernel.packed_parts() } else { 1 };
        Panel::new(words, grid, 0..rows, first..first + kernel.columns, self.mask)
    }

    /// The words of the next panel of `B`, if they are contiguous.
    fn ahead(&self, column: usize) -> &[Word] {
        let (next, wide) = (column + self.product.kernel.columns, self.b.grid.width);
        if wide == self.product.kernel.columns && next < self.columns.end {
            self.panel(next).words()
        } else {
            &[]
        }
    }

    /// For each column, the number from which its sums start so that the 128 that is added to each element of `A` cancels out. With
    /// the elements 1, -2 and 3 in the column of `B`, the sums would be too large by 128 * (1 - 2 + 3), so they start from -256.
    fn starts(&self) -> Result<Vec<Word>, NoMemory> {
        let kernel = &self.product.kernel;
        let columns = self.columns.len().next_multiple_of(kernel.columns);
        let mut starts = filled(Role::C, Word::default(), columns)?;
        let a = filled(Role::A, SHIFT, self.words.len() * kernel.spread)?;
        for (i, starts) in starts.chunks_exact_mut(kernel.columns).enumerate() {
            let b = self.panel(self.columns.start + i * kernel.columns);
            let (start, rows) = (Start::Zero, &[0][..]);
            kernel.run_row(&mut kernel.block(&a, b, start, starts, rows));
            for start in starts {
                *start = i32::from_le_bytes(*start).wrapping_neg().to_le_bytes();
            }
        }
        Ok(starts)
    }

    /// Adds a number to all sums of each column.
    fn add(&self, starts: &[Word], c: &mut [Word]) {
        for row in 0..self.product.a.rows {
            let at = self.product.c.offset(row, 0);
            self.each_run(self.columns.clone(), |i, across, run| {
                for (sum, start) in c[at + across..][..run].iter_mut().zip(&starts[i..]) {
                    let [a, b] = [*sum, *start].map(i32::from_le_bytes);
                    *sum = a.wrapping_add(b).to_le_bytes();
                }
            });
        }
    }

    /// Calls `with` for each contiguous piece in `C` of a row of some columns: the index of its first column among them, its
    /// offset from the start of the row, and the number of its columns. For columns 100 to 299 of tiles of 8 x 128, these are
    /// (0, 100, 28), (28, 1024, 128) and (156, 2048, 44).
    pub(super) fn each_run(
        &self,
        columns: Range<usize>,
        mut with: impl FnMut(usize, usize, usize),
    ) {
        let mut column = columns.start;
        while column < columns.end {
            let run = self.product.c.run(column, columns.end - column);
            with(column - columns.start, self.product.c.offset(0, column), run);
            column += run;
        }
    }

    /// [`Slice::run`] for a slice whose `A` is read in place, and whose `B` is copied to `packed` while the first rows are computed.
    pub(super) fn run_packing(
        (product, in_place): (&'a Multiplication<'a>, &'a InPlace),
        words: Range<usize>,
        columns: Range<usize>,
        (packed, grid): (&mut [Word], &Grid),
        c: &mut [Word],
    ) -> Result<(), NoMemory> {
        let none = Right { words: &[], grid, split: false };
        let slice = Slice::new(product, words.clone(), columns.clone(), none);
        let rows = 0..product.a.rows.min(slice.height(product.a.rows));
        let mut rows_at = offsets(Role::C, rows.len())?;
        rows_at.extend(rows.clone().map(|row| product.c.offset(row, 0)));
        let mut a_rows_at = offsets(Role::A, rows.len())?;
        a_rows_at.extend(rows.clone().map(|row| product.a.row_at(row)));
        let (kernel, wide) = (&product.kernel, product.kernel.columns);
        let alone = Grid { across: 1, ..*grid };
        for (first, panel) in
            columns.clone().step_by(wide).zip(packed.chunks_exact_mut(grid.height * wide))
        {
            let columns = first..columns.end.min(first + wide);
            let done = slice.first_block((in_place, &a_rows_at), &columns, panel, &rows_at, c)?;
            let (left, rows_at) = (Left::Rows(in_place, &a_rows_at[done..]), &rows_at[done..]);
            let right = Right { words: panel, grid: &alone, split: false };
            let slice = Slice::new(product, words.clone(), columns, right);
            slice.columns(&kernel.ready(), first, left, rows_at, c);
        }
        slice.finish(rows.clone(), c);
        let right = Right { words: packed, grid, split: false };
        let slice = Slice::new(product, words, columns, right);
        let later = product.c.offset(rows.end, 0).min(c.len());
        slice.rows(rows.end..product.a.rows, &mut c[later..])
    }

    /// Computes the first block of some columns while it copies `B` to `panel`, or only copies `B` if the block is not whole.
    /// Returns the number of rows that are done.
    fn first_block(
        &self,
        (in_place, a_rows_at): (&InPlace, &[usize]),
        columns: &Range<usize>,
        panel: &mut [Word],
        rows_at: &[usize],
        c: &mut [Word],
    ) -> Result<usize, NoMemory> {
        let Multiplication { kernel, ref a, ref b, c: ref grid, .. } = *self.product;
        let (wide, words) = (kernel.columns, self.words.clone());
        let runs = [grid, &b.grid].map(|grid| grid.run(columns.start, wide));
        if columns.len() < wide || runs != [wide; 2] || rows_at.len() < kernel.rows {
            b.pack_columns(&b.rows_at(&words)?, columns.start, wide, panel, None);
            return Ok(0);
        }
        let (factors, rows_at) =
            (a.factors(&a_rows_at[..kernel.rows], words.start), &rows_at[..kernel.rows]);
        let source = b.bytes.as_chunks().0;
        let source = Panel::new(source, &b.grid, words, columns.clone(), u32::MAX);
        let (start, c) = (self.start(columns.start), &mut c[grid.offset(0, columns.start)..]);
        let block = &mut kernel.block(&[], source, start, c, rows_at);
        in_place.run_packing(&factors, block, panel);
        Ok(kernel.rows)
    }

    /// The initial sums of the columns from one on.
    pub(super) fn start(&self, column: usize) -> Start<'_> {
        match self.starts.get(column - self.columns.start..) {
            Some(starts) if !starts.is_empty() => Start::Columns(starts),
            _ if self.words.start == 0 && !self.product.adds => Start::Zero,
            _ => Start::Sums,
        }
    }

    /// The number of rows of `A` that are in panels at a time, of `rows` rows.
    fn height(&self, rows: usize) -> usize {
        let kernel = &self.product.kernel;
        let each = kernel.panel_words(self.words.len());
        // Half of the cache is for `A`, whose panels are read again for each panel of `B`. Rows that are not adjacent share fewer
        // sets of the cache.
        let share = if self.product.in_place.is_some() { 4 } else { 2 };
        let blocks = second_level() / 4 / share / each.max(1);
        blocks.clamp(1, rows.div_ceil(kernel.rows).max(1)) * kernel.rows
    }

    /// Memory for the panels of some rows of `A`.
    fn panels(&self, rows: &Range<usize>) -> Result<Scratch<u32>, NoMemory> {
        let kernel = &self.product.kernel;
        // Tiles have their sums, and those before them, in the same memory.
        let sums = if kernel.tiles.is_some() { 2 * kernel.rows * kernel.columns } else { 0 };
        let blocks = rows.len().div_ceil(kernel.rows);
        Scratch::new(blocks * (kernel.panel_words(self.words.len()) + sums))
    }

    /// Copies some rows of `A` to panels.
    fn pack_rows(&self, rows: &Range<usize>, panels: &mut [u32]) {
        let kernel = &self.product.kernel;
        let each = kernel.panel_words(self.words.len());
        for (i, row) in rows.clone().step_by(kernel.rows).enumerate() {
            let panel = &mut panels[i * each..][..each];
            self.product.a.pack_rows(kernel, row, self.words.clone(), panel);
        }
    }

    /// Finishes the sums of some rows if they are complete; `c` begins with the first of them.
    fn finish(&self, rows: Range<usize>, c: &[Word]) {
        if let Some(finish) = self.product.finish.filter(|_| self.is_last()) {
            let grid = &self.product.c;
            let first = grid.offset(rows.start, self.columns.start) - grid.offset(rows.start, 0);
            // SAFETY: threads share the rows of a slice, and no other slice that runs at the same time has its columns.
            unsafe { finish.finish(rows, self.columns.clone(), &c[first..], grid.width) };
        }
    }

    /// Computes a range of rows; `c` begins with the first of them.
    fn rows(&self, rows: Range<usize>, c: &mut [Word]) -> Result<(), NoMemory> {
        let (kernel, grid) = (&self.product.kernel, &self.product.c);
        let height = self.height(rows.len());
        let base = grid.offset(rows.start, 0);
        #[cfg(feature = "parallel")]
        if let Some(middle) = self.middle(&rows, height) {
            let (low, high) = c.split_at_mut(grid.offset(middle, 0) - base);
            let (low_rows, high_rows) = (rows.start..middle, middle..rows.end);
            let (low, high) =
                rayon::join(|| self.rows(low_rows, low), || self.rows(high_rows, high));
            return low.and(high);
        }
        let in_place = self.product.in_place.as_ref();
        let packed = if in_place.is_some() { 0 } else { height.min(rows.len()) };
        let mut scratch = self.panels(&(0..packed))?;
        let mut rows_at = offsets(Role::C, height.min(rows.len()))?;
        let mut a_rows_at = offsets(Role::A, height.min(rows.len()))?;
        let panels = scratch.words();
        let stores = self.stores();
        for first in rows.clone().step_by(height) {
            let rows = first..rows.end.min(first + height);
            rows_at.clear();
            rows_at.extend(rows.clone().map(|row| grid.offset(row, 0) - base));
            let left = match in_place {
                Some(in_place) => {
                    a_rows_at.clear();
                    a_rows_at.extend(rows.clone().map(|row| self.product.a.row_at(row)));
                    Left::Rows(in_place, &a_rows_at)
                }
                None => {
                    self.pack_rows(&rows, panels);
                    Left::Panels(panels)
                }
            };
            if kernel.tiles.is_some() {
                self.tiled_columns(rows, panels, &rows_at, stores, c);
                continue;
            }
            let ready = kernel.ready();
            for column in self.columns.clone().step_by(kernel.columns) {
                self.columns(&ready, column, left, &rows_at, c);
            }
            // The code that finishes sums may multiply matrices itself.
            drop(ready);
            self.finish(rows.clone(), &c[grid.offset(rows.start, 0) - base..]);
        }
        Ok(())
    }

    /// The row at which to cut a range of rows for two threads, if it is longer than a block or than half of a thread's share, and
    /// there is enough to do. Each thread writes a contiguous piece.
    #[cfg(feature = "parallel")]
    fn middle(&self, rows: &Range<usize>, height: usize) -> Option<usize> {
        let step = self.product.c.cut() * self.product.kernel.rows;
        let middle = rows.start + (rows.len() / 2).next_multiple_of(step);
        let products = rows.len() * self.columns.len() * self.words.len();
        let threads = rayon::current_num_threads();
        let share = self.product.a.rows.div_ceil(2 * threads);
        let is_long = threads > 1 && rows.len() > height.min(share);
        (is_long && middle < rows.end && products > PARALLEL).then_some(middle)
    }

    /// Computes the blocks of a few columns for some rows of `A`, whose sums start at `rows_at` in `c`.
    fn columns(
        &self,
        ready: &Ready<'_>,
        column: usize,
        left: Left<'_>,
        rows_at: &[usize],
        c: &mut [Word],
    ) {
        let Multiplication { kernel, c: grid, .. } = self.product;
        let wide = kernel.columns;
        let whole = column + wide <= self.columns.end && grid.run(column, wide) == wide;
        let across = grid.offset(0, column);
        let (start, b) = (self.start(column), self.panel(column));
        let ahead = self.ahead(column);
        let share = ahead.len().div_ceil(rows_at.len().div_ceil(kernel.rows));
        let mut ahead = ahead.chunks(share.next_multiple_of(LINE_WORDS).max(LINE_WORDS));
        let mut blocks = rows_at.chunks(kernel.rows).enumerate().peekable();
        while let Some((i, rows)) = blocks.next() {
            let next = blocks.peek().map_or(&[][..], |(_, next)| next);
            let (left, ahead) = (self.left(left, i), ahead.next().unwrap_or(&[]));
            if whole && rows.len() == kernel.rows {
                let (c, table) = (&mut c[across..], kernel.table);
                let block = MicroBlock { a: &[], b, start, c, rows, next, ahead, table };
                self.block(ready, left, block);
            } else {
                let columns = column..self.columns.end.min(column + wide);
                self.edge(ready, Edge { left, b, start, columns, rows_at: rows }, c);
            }
        }
    }

    /// The factors of block number `i`.
    #[inline(always)]
    fn left<'l>(&'l self, left: Left<'l>, i: usize) -> BlockLeft<'l> {
        let kernel = &self.product.kernel;
        match left {
            Left::Panels(panels) => {
                let each = kernel.panel_words(self.words.len());
                BlockLeft::Panel(&panels[i * each..][..each])
            }
            Left::Rows(in_place, rows_at) => {
                let rows_at = &rows_at[i * kernel.rows..];
                let rows_at = &rows_at[..kernel.rows.min(rows_at.len())];
                BlockLeft::Rows(in_place, self.product.a.factors(rows_at, self.words.start))
            }
        }
    }

    /// Computes a block with these factors, which `block` lacks.
    #[inline(always)]
    fn block<'b>(&self, ready: &Ready<'_>, left: BlockLeft<'b>, mut block: MicroBlock<'b>) {
        match left {
            BlockLeft::Panel(a) => {
                block.a = a;
                ready.run(self.b.split, &mut block);
            }
            BlockLeft::Rows(in_place, factors) => in_place.run(&factors, &mut block),
        }
    }

    /// Computes the part of a block that is in `C`, at the edges of `C` or of its tiles.
    #[inline]
    fn edge(&self, ready: &Ready<'_>, edge: Edge<'_>, c: &mut [Word]) {
        let kernel: &MicroKernel = &self.product.kernel;
        let sums = &mut [Word::default(); VECTOR_BLOCK];
        let Edge { left, b, start, columns, rows_at } = edge;
        if matches!(start, Start::Sums) {
            for (at, sums) in rows_at.iter().zip(sums.chunks_exact_mut(kernel.columns)) {
                self.each_run(columns.clone(), |i, across, run| {
                    sums[i..][..run].copy_from_slice(&c[at + across..][..run]);
                });
            }
        }
        let rows: [usize; MAX_ROWS] = core::array::from_fn(|i| i * kernel.columns);
        let (c_block, rows) = (&mut *sums, &rows[..kernel.rows]);
        self.block(ready, left, kernel.block(&[], b, start, c_block, rows));
        for (at, sums) in rows_at.iter().zip(sums.chunks_exact(kernel.columns)) {
            self.each_run(columns.clone(), |i, across, run| {
                c[at + across..][..run].copy_from_slice(&sums[i..][..run]);
            });
        }
    }
}

/// Where the factors of some rows of `A` are.
#[derive(Clone, Copy)]
enum Left<'a> {
    /// In panels, one for each block.
    Panels(&'a [u32]),
    /// In place, in rows that start at these elements.
    Rows(&'a InPlace, &'a [usize]),
}

/// The factors of a block.
enum BlockLeft<'a> {
    Panel(&'a [u32]),
    Rows(&'a InPlace, Factors<'a>),
}

/// A block of which only some rows and columns are in `C`.
struct Edge<'a> {
    left: BlockLeft<'a>,
    b: Panel<'a>,
    start: Start<'a>,
    columns: Range<usize>,
    rows_at: &'a [usize],
}
