//! Products of few rows. They take as long as reading `B`, so `B` is read once and in the order of its bytes: a few rows of
//! tiles at a time, from left to right, while the sums of all rows stay in a cache.
//!
//! In `bf16[1,4096] * bf16[4096,4096]{1,0:T(8,128)(2,1)}`, 16 rows of words are four rows of tiles, and each piece of a row of
//! tiles that is read has 16 KiB.
//!
//! Tile registers [load the tiles of `B` where they are](super::shallow_tiles) if these have 2, 4, 8 or 16 rows of words.
//!
//! If `B` does not have rows of words, as in `bf16[4096,4096]`, the words of a few rows and columns at a time are assembled in the
//! L1 cache, and multiplied immediately; for one row of `A`, they are assembled [in registers](super::zipped_run).
#![allow(unsafe_code, reason = "what finishes sums writes to parts of one array")]

use super::choose::{MicroKernel, Prepare, Ready, prefetch_helps_streams};
use super::grid::{Grid, NIBBLES, Word};
use super::lanes::{LINE_WORDS, MicroBlock, Panel, Start};
use super::multiplication::Multiplication;
use super::panels::{Ahead, MAX_ROWS, Matrix, SHIFT};
use super::row_run::RowRun;
use super::scratch::{NoMemory, Scratch};
use super::tiles;
use super::zipped_run::{self, ZippedRun, order_columns};
use crate::cpu::prefetch_element;
use core::ops::Range;
use layout_core::dtype::DType;

/// The number of sums of a strip of columns, which stay in the L2 cache.
const STRIP_WORDS: usize = 1 << 15;

/// The same for tile registers, on CPUs with 2 MiB of that cache: fewer strips are longer runs of memory.
const TILE_STRIP_WORDS: usize = 1 << 17;

/// The largest number of columns of a strip, if threads share the strips, and the smallest of a matrix without tiles.
#[cfg(feature = "parallel")]
const STRIP: usize = 1024;
#[cfg(feature = "parallel")]
const LEAST: usize = 128;

/// The number of words of `B` from which threads share the strips: 64 KiB, which are read in the time that it takes to wake a thread.
#[cfg(feature = "parallel")]
const SHARED: usize = if cfg!(test) { 1 } else { 1 << 14 };

/// The largest number of words of `A`.
const A_WORDS: usize = 1 << 19;

/// The largest inner dimension with which every product of one row is skinny: a word of `A` for each element.
pub(super) const MAX_INNER: usize = A_WORDS - NIBBLES;

/// The number of rows of words of a chunk that is read without prefetches: with `bf16` 32 rows of tiles, and thus 32 streams. On
/// Zen 5, one row of `bf16` takes 0.8 to 0.9 of the time of 16 rows of words; with elements of 4 bits, more rows take longer.
/// Without tiles, each row is a stream.
const STREAM_CHUNK: usize = 128;
const NIBBLE_CHUNK: usize = 16;
const ROW_STREAMS: usize = 8;

/// The number of rows of words, and of columns, that are assembled at a time if `B` has no rows of words: 16 KiB, or half of that
/// for one row of `A`, for which no sums are kept from block to block.
const STAGED_ROWS: usize = 16;
const STAGED_COLUMNS: usize = 256;

/// The same for tile registers: 32 KiB. They load and store their sums for each block, so a block has more rows of words, which must be
/// the same distance apart.
const TILE_STAGE: Grid = Grid { height: 64, width: 128, across: 1 };

/// The largest number of rows of words of a chunk.
const MAX_CHUNK: usize = 1024;

/// A row of zeros of `A`, in up to two parts, after 128 is added to its elements.
static SHIFTS: [u32; 2 * MAX_CHUNK] = [SHIFT; 2 * MAX_CHUNK];

/// The distance in words at which `B` is prefetched: whole tiles, or a part of each row if there are no tiles.
const AHEAD_WORDS: usize = 1024;

/// A product of few rows, with `B` as rows of words.
pub(super) struct SkinnyProduct<'a> {
    product: &'a Multiplication<'a>,
    words: &'a [Word],
    /// The rows of words of `B`, or of the assembled part of it.
    grid: Grid,
    /// Whether words are assembled.
    stages: bool,
    /// Whether they are assembled in registers.
    zips: bool,
    /// The kernel for all rows, or for one row.
    kernel: MicroKernel,
    /// The number of rows of words of `A` and `B`.
    depth: usize,
    /// The number of rows of words that are read from left to right.
    chunk: usize,
    /// The number of rows of `A`, rounded up to whole blocks.
    rows: usize,
    /// The number of columns of a strip, in whole blocks.
    wide: usize,
    /// The words from one row of sums to the next. If this were a power of two, all rows would be in the same sets of the L1 cache.
    pitch: usize,
    /// Whether the rows are few enough for runs.
    runs: bool,
    /// Whether they are, and the CPU prefetches `B` well enough on its own.
    streams: bool,
}

/// Some rows and columns of the words of `B`, in a grid of words.
struct WordBlock<'b> {
    words: &'b [Word],
    grid: Grid,
    rows: Range<usize>,
    columns: Range<usize>,
}

/// The data for assembling words: the starts of the rows of `B`, and memory for a part.
struct Stage<'s> {
    rows_at: &'s [usize],
    room: &'s mut [Word],
}

/// The number of threads that share the columns of `B`, which has `depth` rows of words.
fn threads(depth: usize, columns: usize) -> usize {
    #[cfg(feature = "parallel")]
    if depth.saturating_mul(columns) >= SHARED {
        return rayon::current_num_threads();
    }
    let _ = (depth, columns);
    1
}

/// The number of columns of a strip, a multiple of `unit`, so that all threads have equally many strips.
#[cfg(feature = "parallel")]
fn share(columns: usize, depth: usize, unit: usize) -> usize {
    let threads = threads(depth, columns);
    if threads == 1 {
        return usize::MAX;
    }
    let strips = threads * columns.div_ceil(threads * STRIP);
    columns.div_ceil(strips.max(1)).max(1).next_multiple_of(unit)
}

impl<'a> SkinnyProduct<'a> {
    /// The product, if it has few rows, and if `B` has rows of words in which no tile ends within a block, or such rows can be
    /// assembled.
    pub(super) fn of(product: &'a Multiplication<'a>) -> Option<Self> {
        let Matrix { bytes, grid, size, .. } = product.b;
        let has_tiles = product.kernel.tiles.is_some();
        let has_words =
            size == 4 && product.b.is_plain() && grid.width.is_multiple_of(product.kernel.columns);
        let shallow = product.kernel.shallow(product.a.rows, grid.height).filter(|_| has_words);
        let stages = if has_tiles { shallow.is_none() } else { !has_words };
        let height = if product.a.rows == 1 { STAGED_ROWS / 2 } else { STAGED_ROWS };
        // Rows of narrow elements that no tile divides.
        let has_rows = stages && size < 4 && product.b.is_plain() && grid.across == 1;
        let grid = match stages {
            true if has_tiles => TILE_STAGE,
            true => Grid { height, width: STAGED_COLUMNS, across: 1 },
            false => grid,
        };
        let (kernel, runs, zips) = match shallow {
            Some(kernel) => (kernel, false, false),
            None => Self::choose(product, &grid, has_rows),
        };
        let depth = product.depth();
        let rows = product.a.rows.next_multiple_of(kernel.rows);
        let fits = (!stages || size <= 4)
            && grid.width.is_multiple_of(kernel.columns)
            && product.a.rows <= kernel.direct
            && rows.saturating_mul(depth * kernel.parts()) <= A_WORDS;
        // Taller chunks if the sums are read and written more often.
        let streams = runs && !prefetch_helps_streams();
        let chunk = match grid.across {
            _ if zips => zipped_run::rows(kernel.elements[1]) / kernel.stacked,
            _ if stages => height,
            _ if !streams => kernel.chunk,
            1 => ROW_STREAMS,
            _ if kernel.stacked == NIBBLES => NIBBLE_CHUNK,
            _ => STREAM_CHUNK,
        };
        let least = if stages || has_tiles { chunk } else { chunk * rows.div_ceil(kernel.rows) };
        let tiles = if grid.height < least { least.next_multiple_of(grid.height) } else { least };
        let chunk = tiles.min(MAX_CHUNK);
        let columns = product.b.columns.next_multiple_of(kernel.columns);
        let strip = if has_tiles { TILE_STRIP_WORDS } else { STRIP_WORDS };
        let wide = (strip / rows).next_multiple_of(grid.width).min(columns);
        // Each row of a strip of a matrix without tiles is a run of memory.
        #[cfg(feature = "parallel")]
        let unit = match grid.across {
            1 if !stages => LEAST.next_multiple_of(kernel.columns),
            _ => grid.width,
        };
        #[cfg(feature = "parallel")]
        let wide = wide.min(share(columns, depth, unit));
        let pitch = wide + LINE_WORDS;
        let words = bytes.as_chunks().0;
        fits.then_some(Self {
            product,
            words,
            grid,
            stages,
            zips,
            kernel,
            depth,
            chunk,
            rows,
            wide,
            pitch,
            runs,
            streams,
        })
    }

    /// The kernel, whether it computes runs, and whether words are put together in registers.
    fn choose(
        product: &Multiplication<'_>,
        grid: &Grid,
        has_rows: bool,
    ) -> (MicroKernel, bool, bool) {
        let all = product.kernel;
        let Some(few) = all.few_rows(product.a.rows).filter(|_| all.tiles.is_none()) else {
            return (all, false, false);
        };
        if product.a.rows == 1
            && let Some((columns, _)) = few.zipped_row.filter(|_| has_rows)
        {
            return (MicroKernel { columns, ..few }, true, true);
        }
        match grid.width.is_multiple_of(few.columns) {
            true => (few, true, false),
            false => (all, false, false),
        }
    }

    /// The number of rows of sums: those of `A`, and one that is subtracted if 128 is added to the elements of `A`.
    fn sums(&self) -> usize {
        self.rows + usize::from(self.shifts())
    }

    fn shifts(&self) -> bool {
        self.kernel.prepare == Prepare::Shift
    }

    /// Writes the product to `c`.
    pub(super) fn run(&self, c: &mut [Word]) -> Result<(), NoMemory> {
        let columns = self.product.b.columns;
        let all = self.panels(self.chunk) * (self.depth / self.chunk);
        let mut panels = Scratch::<u32>::new(all + self.panels(self.depth % self.chunk))?;
        let panels = panels.words();
        for (words, panels) in self.chunks().zip(panels.chunks_mut(self.panels(self.chunk))) {
            let each = self.kernel.panel_words(words.len());
            for (i, panel) in panels.chunks_exact_mut(each).enumerate() {
                self.product.a.pack_rows(&self.kernel, i * self.kernel.rows, words.clone(), panel);
            }
        }
        let mut excess = [0; MAX_ROWS];
        if self.kernel.prepare == Prepare::Flip {
            for (row, excess) in excess.iter_mut().enumerate().take(self.rows) {
                *excess = self.excess(panels.iter().skip(row).step_by(self.rows));
            }
        }
        let b = &self.product.b;
        let rows_at = b.rows_at(&(0..if self.stages { self.depth } else { 0 }))?;
        let rows_at = &*rows_at;
        let staged = self.stages && !self.zips;
        let room = if staged { self.chunk * self.grid.width } else { 0 };
        let len = self.sums() * self.pitch;
        let strip = len + room;
        let mut sums = Scratch::<Word>::new(columns.div_ceil(self.wide) * strip)?;
        let sums = sums.words();
        if self.depth == 0 {
            sums.fill(Word::default());
        }
        let panels = &*panels;
        let compute = |(i, sums): (usize, &mut [Word])| {
            let first = i * self.wide;
            let columns = first..columns.min(first + self.wide);
            let (sums, room) = sums.split_at_mut(len);
            let stage = &mut Stage { rows_at, room };
            match self.kernel.tiles {
                None if self.zips => self.strip_of_one_zipped_row(columns, panels, sums, rows_at),
                None if self.runs => self.strip_of_few_rows(columns, panels, sums, stage),
                None => self.strip::<MAX_ROWS>(columns, panels, sums, stage),
                Some(_) => self.strip::<{ tiles::ROWS }>(columns, panels, sums, stage),
            }
        };
        let is_shared = threads(self.depth, columns) > 1;
        if is_shared {
            #[cfg(feature = "parallel")]
            {
                use rayon::prelude::*;
                sums.par_chunks_mut(strip).enumerate().for_each(compute);
            }
        } else {
            sums.chunks_mut(strip).enumerate().for_each(compute);
        }
        for (i, sums) in sums.chunks(strip).enumerate() {
            let first = i * self.wide;
            self.write(first..columns.min(first + self.wide), sums, &excess, c);
        }
        if let Some(finish) = self.product.finish {
            // SAFETY: there is only this call, after all threads have finished.
            unsafe { finish.finish(0..self.product.a.rows, 0..columns, c, self.product.c.width) };
        }
        Ok(())
    }

    /// The words of the panels of `A` for this number of words of each row.
    fn panels(&self, words: usize) -> usize {
        self.kernel.panel_words(words) * (self.rows / self.kernel.rows)
    }

    /// The ranges of rows of words that are read from left to right, one after the other.
    fn chunks(&self) -> impl Iterator<Item = Range<usize>> + use<> {
        let (depth, chunk) = (self.depth, self.chunk);
        (0..depth).step_by(chunk).map(move |start| start..depth.min(start + chunk))
    }

    /// The words of some rows and columns, in place or assembled, while those of the following columns are prefetched.
    fn words_of<'s>(
        &'s self,
        rows: &Range<usize>,
        columns: Range<usize>,
        stage: &'s mut Stage<'_>,
    ) -> WordBlock<'s> {
        let grid = self.grid;
        if !self.stages {
            return WordBlock { words: self.words, grid, rows: rows.clone(), columns };
        }
        let elements = 4 / self.product.b.size;
        let rows_of = |rows: Range<usize>| {
            let end = stage.rows_at.len().min(rows.end * elements);
            &stage.rows_at[end.min(rows.start * elements)..end]
        };
        let ahead = match columns.end < self.product.b.columns {
            true => Ahead { rows_at: rows_of(rows.clone()), column: columns.end },
            false => Ahead { rows_at: rows_of(rows.end..rows.end + self.chunk), column: 0 },
        };
        let (rows_at, room) = (rows_of(rows.clone()), &mut stage.room[..rows.len() * grid.width]);
        let b = &self.product.b;
        b.pack_columns(rows_at, columns.start, grid.width, room, Some(ahead));
        WordBlock { words: room, grid, rows: 0..rows.len(), columns: 0..columns.len() }
    }

    /// Computes the sums of some columns, row after row, with a kernel of at most `ROWS` rows.
    fn strip<const ROWS: usize>(
        &self,
        columns: Range<usize>,
        panels: &[u32],
        sums: &mut [Word],
        stage: &mut Stage<'_>,
    ) {
        let ready = self.kernel.ready();
        let wide = if self.stages { self.grid.width } else { columns.len() };
        for (words, panels) in self.chunks().zip(panels.chunks(self.panels(self.chunk))) {
            for first in columns.clone().step_by(wide) {
                let part = self.words_of(&words, first..columns.end.min(first + wide), stage);
                let sums = &mut sums[first - columns.start..];
                self.part::<ROWS>(&ready, &words, &part, panels, sums);
            }
        }
    }

    /// The sums of the columns of a part.
    fn part<const ROWS: usize>(
        &self,
        ready: &Ready<'_>,
        words: &Range<usize>,
        part: &WordBlock<'_>,
        panels: &[u32],
        sums: &mut [Word],
    ) {
        let Self { product, ref kernel, pitch, .. } = *self;
        let WordBlock { words: b, ref grid, ref rows, ref columns } = *part;
        let each = kernel.panel_words(words.len());
        let (mask, ahead) = (product.mask(words.end), self.ahead());
        let (mut at, mut column) = (columns.start % grid.width, columns.start);
        let mut tile = grid.offset(rows.start, columns.start - at);
        // Words of the first tile above the chunk.
        let above = rows.start % grid.height * grid.width;
        while column < columns.end {
            let first = tile + at;
            let mut beside = &[][..];
            if !self.stages && kernel.tiles.is_some() {
                // The same part of the next tiles, in the order of their bytes, or of the first tiles of the chunk below.
                let is_last = column - at + grid.width >= columns.end;
                let next = match is_last {
                    true => grid.offset(rows.end, columns.start),
                    false => tile + grid.height * grid.width,
                };
                beside = b.get(next + at * grid.height..).unwrap_or(&[]);
            } else if !self.stages {
                let piece = if grid.across == 1 { first } else { tile - above + at * grid.height };
                self.prefetch(words, piece + ahead);
            }
            let b = Panel::at(
                b,
                grid,
                (rows.start % grid.height, rows.len()),
                (first, kernel.columns),
                mask,
            );
            let start = if words.start == 0 { Start::Zero } else { Start::Sums };
            let across = column - columns.start;
            let mut rows_at: [usize; ROWS] = core::array::from_fn(|i| i * pitch + across);
            for panel in panels.chunks_exact(each) {
                let rows = &rows_at[..kernel.rows];
                let block = kernel.block(panel, b, start, sums, rows);
                ready.run(false, &mut MicroBlock { ahead: beside, ..block });
                beside = &[];
                rows_at.iter_mut().for_each(|at| *at += kernel.rows * pitch);
            }
            if self.shifts() {
                let (a, rows) =
                    (&SHIFTS[..words.len() * kernel.spread], &[self.rows * pitch + across][..]);
                kernel.run_row(&mut kernel.block(a, b, start, sums, rows));
            }
            (at, column) = (at + kernel.columns, column + kernel.columns);
            if at == grid.width {
                (at, tile) = (0, tile + grid.height * grid.width);
            }
        }
    }

    /// Computes the sums of some columns of a product of few rows.
    fn strip_of_few_rows(
        &self,
        columns: Range<usize>,
        panels: &[u32],
        sums: &mut [Word],
        stage: &mut Stage<'_>,
    ) {
        let Self { product, ref kernel, ref grid, .. } = *self;
        let wide = columns.len().next_multiple_of(kernel.columns);
        // Prefetches are made for one block at a time.
        let piece = match (self.stages, self.streams) {
            (true, _) => grid.width,
            (_, true) => wide,
            _ => kernel.columns,
        };
        for (rows, a) in self.chunks().zip(panels.chunks(self.panels(self.chunk))) {
            let (adds, mask) = (rows.start > 0, product.mask(rows.end));
            for across in (0..wide).step_by(piece.max(1)) {
                let column = columns.start + across;
                if !self.streams && !self.stages {
                    let (at, above) = (column % grid.width, rows.start % grid.height);
                    let piece = match grid.across {
                        1 => grid.offset(rows.start, column),
                        _ => grid.offset(rows.start - above, column - at) + at * grid.height,
                    };
                    self.prefetch(&rows, piece + self.ahead());
                }
                let count = piece.min(wide - across);
                let part = self.words_of(&rows, column..column + count, stage);
                let WordBlock { words: b, ref grid, rows, columns } = part;
                let c = &mut sums[across..][..(kernel.rows - 1) * self.pitch + count];
                let (table, pitch) = (kernel.table, self.pitch);
                kernel.run_few_rows(&mut RowRun {
                    a,
                    b,
                    grid,
                    rows,
                    columns,
                    mask,
                    adds,
                    table,
                    c,
                    pitch,
                });
            }
        }
    }

    /// Computes the sums of some columns of a product of one row, with words that are put together in registers.
    fn strip_of_one_zipped_row(
        &self,
        columns: Range<usize>,
        panels: &[u32],
        sums: &mut [Word],
        rows_at: &[usize],
    ) {
        let Self { product, ref kernel, .. } = *self;
        let across = product.b.column_at(columns.start);
        let c = &mut sums[..columns.len().next_multiple_of(kernel.columns)];
        for (rows, a) in self.chunks().zip(panels.chunks(self.panels(self.chunk))) {
            let elements = product.b.word_elements();
            let starts = |rows: Range<usize>| {
                let end = rows_at.len().min(rows.end * elements);
                let mut starts = [0; zipped_run::MAX_ROWS];
                let rows_at = &rows_at[end.min(rows.start * elements)..end];
                for (start, row) in starts.iter_mut().zip(rows_at) {
                    *start = product.b.byte_at(row + across);
                }
                (starts, rows_at.len())
            };
            let ((here, count), (below, next)) =
                (starts(rows.clone()), starts(rows.end..rows.end + rows.len()));
            let (columns, adds, table) = (columns.len(), rows.start > 0, kernel.table);
            kernel.run_zipped_row(&mut ZippedRun {
                a,
                b: product.b.bytes,
                rows_at: &here[..count],
                next: &below[..next],
                most: zipped_run::rows(kernel.elements[1]),
                columns,
                adds,
                table,
                c: &mut *c,
            });
        }
        order_columns(c, kernel.columns, kernel.stacked);
    }

    /// The distance at which words are prefetched.
    fn ahead(&self) -> usize {
        let Grid { height, width, across } = self.grid;
        if across == 1 { AHEAD_WORDS / 4 } else { AHEAD_WORDS.next_multiple_of(height * width) }
    }

    /// Prefetches the words that a block will read of each row of tiles, in the order of their bytes. `at` is the position of
    /// the block in its first tile; the prefetched words are some tiles further to the right.
    #[inline]
    fn prefetch(&self, words: &Range<usize>, at: usize) {
        let Grid { height, width, across } = self.grid;
        let (pieces, each, apart) = match across {
            // Without tiles, each row counts as one.
            1 => (words.len(), self.kernel.columns, width),
            _ => {
                let tiles = (words.start % height + words.len()).div_ceil(height);
                (tiles, height * self.kernel.columns, across * height * width)
            }
        };
        for piece in 0..pieces {
            for line in (0..each).step_by(LINE_WORDS) {
                prefetch_element(self.words, at + piece * apart + line);
            }
        }
    }

    /// The number by which the sums of a row of `A` are too large if 128 is added to the elements of `B`. If `A` is unsigned, 128
    /// is subtracted instead.
    fn excess<'w>(&self, row: impl Iterator<Item = &'w u32>) -> i32 {
        let elements = row.flat_map(|word| word.to_le_bytes());
        match self.kernel.elements[0] {
            DType::U8 => elements
                .fold(0_i32, |sum, element| sum.wrapping_add(element.into()))
                .wrapping_mul(-128),
            _ => elements
                .fold(0_i32, |sum, element| sum.wrapping_add((element as i8).into()))
                .wrapping_mul(128),
        }
    }

    /// Writes the sums of some columns to `c`, after subtracting their excess.
    fn write(
        &self,
        columns: Range<usize>,
        sums: &[Word],
        excess: &[i32; MAX_ROWS],
        c: &mut [Word],
    ) {
        let (grid, pitch) = (&self.product.c, self.pitch);
        let (sums, shift) = sums.split_at(self.rows * pitch);
        for (row, sums) in sums.chunks(pitch).take(self.product.a.rows).enumerate() {
            let mut column = columns.start;
            while column < columns.end {
                let run = grid.run(column, columns.end - column);
                let first = column - columns.start;
                let to = &mut c[grid.offset(row, column)..][..run];
                if self.product.adds {
                    add(self.kernel.elements[0], to, &sums[first..][..run]);
                } else {
                    to.copy_from_slice(&sums[first..][..run]);
                }
                if self.shifts() {
                    for (to, shift) in to.iter_mut().zip(&shift[first..][..run]) {
                        let [sum, shift] = [*to, *shift].map(i32::from_le_bytes);
                        *to = sum.wrapping_sub(shift).to_le_bytes();
                    }
                }
                if let Some(&excess) = excess.get(row).filter(|excess| **excess != 0) {
                    for to in &mut *to {
                        *to = i32::from_le_bytes(*to).wrapping_sub(excess).to_le_bytes();
                    }
                }
                column += run;
            }
        }
    }
}

/// Adds sums; their type follows from the element type.
fn add(element: DType, to: &mut [Word], sums: &[Word]) {
    match element {
        DType::F64 => {
            let to = to.as_flattened_mut().as_chunks_mut::<8>().0;
            for (to, sum) in to.iter_mut().zip(sums.as_flattened().as_chunks().0) {
                *to = (f64::from_le_bytes(*to) + f64::from_le_bytes(*sum)).to_le_bytes();
            }
        }
        DType::S8 | DType::U8 | DType::S16 => {
            for (to, sum) in to.iter_mut().zip(sums) {
                let [a, b] = [*to, *sum].map(i32::from_le_bytes);
                *to = a.wrapping_add(b).to_le_bytes();
            }
        }
        _ => {
            for (to, sum) in to.iter_mut().zip(sums) {
                *to = (f32::from_le_bytes(*to) + f32::from_le_bytes(*sum)).to_le_bytes();
            }
        }
    }
}
