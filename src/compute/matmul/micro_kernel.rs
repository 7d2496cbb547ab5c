//! A micro-kernel: the functions and numbers of a product for elements of a type, and what calls the functions.
#![allow(unsafe_code, reason = "kernels need instructions that not every CPU has")]

use super::grid::Word;
use super::in_place::InPlace;
use super::lanes::{ByteTable, LINE_WORDS, MicroBlock, Panel, Start};
use super::panels;
use super::row_run::{RowRun, RunFn};
use super::tile_kernels::TileKernel;
use super::tiles::TileColumn;
use super::zipped_run::{ZippedFn, ZippedRun};
use core::marker::PhantomData;
use layout_core::dtype::DType;

/// How a word of `A` is stored in its panel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Prepare {
    /// It is unchanged.
    Keep,
    /// Two `bf16` become two `f32`.
    Widen,
    /// Four bytes become two words of two `i16`: elements 0 and 2, then 1 and 3.
    SignExtend,
    /// 128 is added to each byte.
    Shift,
    /// It is unchanged, and the micro-kernel adds 128 to each byte of `B`. Each sum of a row is then too large by 128 times the
    /// sum of that row of `A`, a single number that is subtracted.
    Flip,
    /// An `f64` is two words, each of which is multiplied by two words of `B`.
    Double,
    /// It is unchanged, in a line of 16 words of a row.
    #[cfg_attr(
        not(any(test, all(target_arch = "x86_64", feature = "std"))),
        expect(dead_code, reason = "only x86-64 has tile registers")
    )]
    Lines,
}

impl Prepare {
    /// The words of a panel of `A` for each row of words of `B`.
    pub(super) const fn parts(self) -> usize {
        match self {
            Self::Keep | Self::Shift | Self::Flip | Self::Lines => 1,
            Self::Widen | Self::SignExtend | Self::Double => 2,
        }
    }

    /// The two words that a word becomes, for the ways of storing that split words.
    #[inline(always)]
    pub(super) fn split(self, word: u32) -> [u32; 2] {
        if self == Self::Widen {
            return [word << 16, word & 0xFFFF_0000];
        }
        let signed = |byte: u32| i32::from((word >> (8 * byte)) as i8).cast_unsigned();
        [signed(0) & 0xFFFF | signed(2) << 16, signed(1) & 0xFFFF | signed(3) << 16]
    }
}

/// A function that computes a block, for CPUs that have its instructions.
pub(super) type BlockFn = unsafe fn(&mut MicroBlock<'_>);

/// A function that writes the first words of all rows, then the second words of all rows, and so on; for elements of 64 bits, two
/// words each.
pub(super) type TransposeFn = unsafe fn(&[&[Word]], &mut [u32]);

/// The largest number of rows, and the number of columns of the blocks of a run and the function for up to this number.
pub(super) type FewRows = [(usize, usize, RunFn); 2];

/// The number of rows of each group, the number of columns of the blocks of a run and the function for a group, of more rows than a
/// few that are divided into groups.
pub(super) type ManyRows = [(usize, usize, RunFn); 2];

/// A micro-kernel that this CPU can run.
#[derive(Clone, Copy, Debug)]
pub(super) struct MicroKernel {
    /// The types of the elements in panels of `A` and of `B`.
    pub(super) elements: [DType; 2],
    /// The number of elements of `B` in a word, which are one above the other.
    pub(super) stacked: usize,
    /// The number of parts of a row of words by which a word of `B` is multiplied, if its elements are widened in registers. Part
    /// `p` has the elements `p`, `p + spread`, and so on, of each `stacked` elements of a row of `A`.
    pub(super) spread: usize,
    /// The element types of the operands, if other kernels may compute products of few rows of them.
    pub(super) operands: Option<[DType; 2]>,
    /// The table in which the kernel looks up elements of `B`.
    pub(super) table: &'static ByteTable,
    /// The rows of a block.
    pub(super) rows: usize,
    /// The columns of a block, in words.
    pub(super) columns: usize,
    /// The largest number of rows of words in a block, so that the panels of `A` and `B` stay in the L1 and L2 caches.
    pub(super) depth: usize,
    /// The number of rows of `A` up to which `B` is read in place.
    pub(super) direct: usize,
    /// The number of rows of words of `B` that are then read from left to right, for each block of rows.
    pub(super) chunk: usize,
    pub(super) prepare: Prepare,
    pub(super) run: BlockFn,
    /// Computes a block in which the words of `B` are split as those of `A` are, if that is faster. For integers only: padding
    /// in the last row of words is not cleared, but is multiplied by zeros of `A`.
    pub(super) run_split: Option<BlockFn>,
    /// The kernel that reads `A` in place, if that is faster than copying it to panels.
    pub(super) in_place: Option<InPlace>,
    /// Computes a block of one row.
    pub(super) row: BlockFn,
    /// Computes products of one row, with the number of columns of its blocks: enough for words of `B` to be read in long
    /// pieces.
    pub(super) wide_row: (usize, RunFn),
    /// Computes products of a few rows.
    pub(super) few_rows: Option<FewRows>,
    /// Computes groups of rows, one after the other, if that is faster than blocks: for words that take as long to widen as to multiply.
    pub(super) many_rows: Option<ManyRows>,
    /// Computes products of one row with `B` as rows of narrow elements, with the number of columns of its blocks.
    pub(super) zipped_row: Option<(usize, ZippedFn)>,
    /// Writes rows of elements to a panel of `A`.
    pub(super) transpose: TransposeFn,
    /// The functions that a kernel of tiles has in addition to those of vectors.
    pub(super) tiles: Option<TileKernel>,
}

impl MicroKernel {
    /// A number of words of a row, rounded up to whole steps of the micro-kernel.
    pub(super) const fn whole_steps(&self, words: usize) -> usize {
        match self.prepare {
            Prepare::Lines => words.next_multiple_of(LINE_WORDS),
            _ => words,
        }
    }

    /// The words of a panel of `A` for a block of rows with this number of words each.
    pub(super) const fn panel_words(&self, words: usize) -> usize {
        self.rows * self.parts() * self.whole_steps(words)
    }

    /// The words of a panel of `A` for each row and each word of `B`.
    pub(super) const fn parts(&self) -> usize {
        self.prepare.parts() * self.spread
    }

    /// The number of words that a word of `B` becomes in a panel.
    pub(super) const fn packed_parts(&self) -> usize {
        if self.run_split.is_some() { self.prepare.parts() } else { 1 }
    }

    /// The kernel with the registers of this thread ready for blocks, until it is dropped. Nothing that runs in between may use
    /// a kernel: neither functions of users, nor code that can run tasks of other threads.
    #[inline]
    pub(super) fn ready(&self) -> Ready<'_> {
        if let Some(tiles) = &self.tiles {
            // SAFETY: whoever made this value had proof that the CPU has tile registers, and that the process may use them. No
            // other kernel is in use on this thread.
            unsafe { (tiles.configure)(tiles.height, tiles.words) };
        }
        Ready { kernel: self, thread: PhantomData }
    }

    /// Writes the first words of all rows, then the second words of all rows, and so on. With rows `a0 a1 a2` and `b0 b1 b2`,
    /// it writes `a0 b0 a1 b1 a2 b2`. Words of elements of 64 bits stay together.
    #[inline]
    pub(super) fn transpose(&self, rows: &[&[Word]], to: &mut [u32]) {
        // SAFETY: as in `run`; the function checks the lengths.
        unsafe { (self.transpose)(rows, to) }
    }

    /// A block of this kernel, with nothing to prefetch.
    #[inline]
    pub(super) fn block<'b>(
        &self,
        a: &'b [u32],
        b: Panel<'b>,
        start: Start<'b>,
        c: &'b mut [Word],
        rows: &'b [usize],
    ) -> MicroBlock<'b> {
        MicroBlock { a, b, start, c, rows, next: &[], ahead: &[], table: self.table }
    }

    /// Computes a block of one row.
    pub(super) fn run_row(&self, block: &mut MicroBlock<'_>) {
        // SAFETY: as in `run`.
        unsafe { (self.row)(block) }
    }

    /// The kernel for a few rows, or for groups of rows, whose blocks [`MicroKernel::run_few_rows`] computes; `None` if there are too
    /// many rows.
    pub(super) fn few_rows(&self, rows: usize) -> Option<Self> {
        let (high, columns, run) = match (rows, &self.few_rows) {
            (1, _) => (1, self.wide_row.0, self.wide_row.1),
            (_, few) => match few.iter().flatten().find(|(high, ..)| rows <= *high) {
                Some(few) => *few,
                // Groups with the fewest rows that `A` does not have, and of those the highest.
                None => *self.many_rows.as_ref()?.iter().min_by_key(|(high, ..)| {
                    (rows.next_multiple_of(*high), core::cmp::Reverse(*high))
                })?,
            },
        };
        let transpose = match high == self.rows {
            true => self.transpose,
            false => panels::transpose_of(self.elements[0]),
        };
        // With few rows, the sums of columns would be shared with few rows.
        let prepare = if self.prepare == Prepare::Shift { Prepare::Flip } else { self.prepare };
        let (wide_row, run_split) = ((columns, run), None);
        Some(Self { rows: high, columns, wide_row, run_split, transpose, prepare, ..*self })
    }

    /// Computes a run of blocks of one row, of words that are put together in registers.
    ///
    /// # Panics
    /// If the kernel has no such function.
    pub(super) fn run_zipped_row(&self, run: &mut ZippedRun<'_>) {
        let (_, function) = self.zipped_row.expect("chosen for it");
        // SAFETY: as in `run_row`; the function checks the run.
        unsafe { function(run) }
    }

    /// Computes a run of blocks of a few rows.
    pub(super) fn run_few_rows(&self, run: &mut RowRun<'_>) {
        // SAFETY: as in `run_row`; the function checks the run.
        unsafe { (self.wide_row.1)(run) }
    }
}

/// A micro-kernel for which the registers of a thread are ready.
pub(super) struct Ready<'a> {
    kernel: &'a MicroKernel,
    /// Other threads have registers of their own.
    thread: PhantomData<*const ()>,
}

impl Ready<'_> {
    /// Computes a block of [`MicroKernel::rows`] rows; `split` says whether the words of `B` are split.
    #[inline]
    pub(super) fn run(&self, split: bool, block: &mut MicroBlock<'_>) {
        let kernel = self.kernel;
        let run = if split { kernel.run_split.unwrap_or(kernel.run) } else { kernel.run };
        // SAFETY: whoever made the kernel had proof that the CPU has the instructions of the function. If they use tile
        // registers, this value has configured these, and each earlier block has finished with them. The function checks the
        // block.
        unsafe { run(block) }
    }

    /// Computes blocks of [`MicroKernel::rows`] rows, one below the other.
    ///
    /// # Panics
    /// If the kernel has no tiles.
    pub(super) fn run_column(&self, column: &mut TileColumn<'_>) {
        let tiles = self.kernel.tiles.as_ref().expect("a kernel of tiles");
        // SAFETY: as in `run`.
        unsafe { (tiles.column)(column) }
    }
}

impl Drop for Ready<'_> {
    #[inline]
    fn drop(&mut self) {
        if let Some(tiles) = &self.kernel.tiles {
            // SAFETY: this value has configured the registers, and no block needs them any more.
            unsafe { (tiles.release)() };
        }
    }
}

/// The number of elements of a panel of `B` in a word.
pub(super) const fn stacked(dtype: DType) -> usize {
    let size = dtype.byte_width();
    if size < 4 { 4 / size } else { 1 }
}
