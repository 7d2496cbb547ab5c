//! Products of few rows. They take as long as reading `B`, so `B` is read once and in the order of its bytes: a few rows of
//! tiles at a time, from left to right, while the sums of all rows stay in a cache.
//!
//! In `bf16[1,4096] * bf16[4096,4096]{1,0:T(8,128)(2,1)}`, 16 rows of words are four rows of tiles, and each piece of a row of
//! tiles that is read has 16 KiB.
#![allow(unsafe_code, reason = "the code that finishes sums writes to parts of one array")]

mod blocks;
mod plan;
mod runs;
mod sums;
mod words;
mod zipped;

use super::grid::{NIBBLES, Word};
use super::lanes::LINE_WORDS;
use super::micro_kernel::Prepare;
use super::multiplication::Multiplication;
use super::panels::{MAX_ROWS, Matrix};
use super::scratch::{NoMemory, Scratch};
use super::tiles;
use core::ops::Range;
use plan::{Loops, Plan};
use words::Stage;

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

/// A product of few rows, with `B` as rows of words.
pub(super) struct SkinnyProduct<'a> {
    product: &'a Multiplication<'a>,
    words: &'a [Word],
    plan: Plan,
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
        let Matrix { bytes, size, .. } = product.b;
        let plan = Plan::of(product);
        let Plan { grid, ref kernel, .. } = plan;
        let depth = product.depth();
        let rows = product.a.rows.next_multiple_of(kernel.rows);
        let fits = (plan.is_in_place() || size <= 4)
            && grid.width.is_multiple_of(kernel.columns)
            && product.a.rows <= kernel.direct
            && rows.saturating_mul(depth * kernel.parts()) <= A_WORDS;
        if !fits {
            return None;
        }
        let chunk = plan.chunk(rows);
        let columns = product.b.columns.next_multiple_of(kernel.columns);
        let strip = if kernel.tiles.is_some() { TILE_STRIP_WORDS } else { STRIP_WORDS };
        let wide = (strip / rows).next_multiple_of(grid.width).min(columns);
        // Each row of a strip of a matrix without tiles is a run of memory.
        #[cfg(feature = "parallel")]
        let unit = match grid.across {
            1 if plan.is_in_place() => LEAST.next_multiple_of(kernel.columns),
            _ => grid.width,
        };
        #[cfg(feature = "parallel")]
        let wide = wide.min(share(columns, depth, unit));
        let pitch = wide + LINE_WORDS;
        Some(Self { product, words: bytes.as_chunks().0, plan, depth, chunk, rows, wide, pitch })
    }

    /// The number of rows of sums: those of `A`, and one that is subtracted if 128 is added to the elements of `A`.
    fn sums(&self) -> usize {
        self.rows + usize::from(self.shifts())
    }

    fn shifts(&self) -> bool {
        self.plan.kernel.prepare == Prepare::Shift
    }

    /// Writes the product to `c`.
    pub(super) fn run(&self, c: &mut [Word]) -> Result<(), NoMemory> {
        let columns = self.product.b.columns;
        let all = self.panels(self.chunk) * (self.depth / self.chunk);
        let mut panels = Scratch::<u32>::new(all + self.panels(self.depth % self.chunk))?;
        let panels = panels.words();
        self.pack_a(panels);
        let mut excess = [0; MAX_ROWS];
        if self.plan.kernel.prepare == Prepare::Flip {
            for (row, excess) in excess.iter_mut().enumerate().take(self.rows) {
                *excess = self.excess(panels.iter().skip(row).step_by(self.rows));
            }
        }
        let b = &self.product.b;
        let rows_at = b.rows_at(&(0..if self.plan.is_in_place() { 0 } else { self.depth }))?;
        let rows_at = &*rows_at;
        let room = if self.plan.staging.is_some() { self.chunk * self.plan.grid.width } else { 0 };
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
            match self.plan.loops {
                Loops::Blocks => self.strip::<MAX_ROWS>(columns, panels, sums, stage),
                Loops::Tiles => self.strip::<{ tiles::ROWS }>(columns, panels, sums, stage),
                Loops::Runs { streams } => {
                    self.strip_of_few_rows(columns, panels, sums, stage, streams);
                }
                Loops::Zipped => self.strip_of_one_zipped_row(columns, panels, sums, rows_at),
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

    /// Packs the rows of `A`, a chunk after the other.
    fn pack_a(&self, panels: &mut [u32]) {
        let (a, kernel) = (&self.product.a, &self.plan.kernel);
        for (words, panels) in self.chunks().zip(panels.chunks_mut(self.panels(self.chunk))) {
            let each = kernel.panel_words(words.len());
            for (i, panel) in panels.chunks_exact_mut(each).enumerate() {
                a.pack_rows(kernel, i * kernel.rows, words.clone(), panel);
            }
        }
    }

    /// The words of the panels of `A` for this number of words of each row.
    fn panels(&self, words: usize) -> usize {
        self.plan.kernel.panel_words(words) * (self.rows / self.plan.kernel.rows)
    }

    /// The ranges of rows of words that are read from left to right, one after the other.
    fn chunks(&self) -> impl Iterator<Item = Range<usize>> + use<> {
        let (depth, chunk) = (self.depth, self.chunk);
        (0..depth).step_by(chunk).map(move |start| start..depth.min(start + chunk))
    }
}
