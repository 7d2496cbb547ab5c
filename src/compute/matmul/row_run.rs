//! The micro-kernel of products of one row, which runs over many blocks from left to right.
//!
//! In `bf16[1,4096] * bf16[4096,4096]{1,0:T(8,128)(2,1)}`, a run is four rows of tiles. A block has 16 rows of 128 words, so 64
//! multiply-adds of whole vectors for each tile: work that is done for each block instead of once for each run would take
//! longer than the multiply-adds.
#![allow(
    unsafe_code,
    reason = "the innermost loop reads and writes unchecked, after all checks are made"
)]

use super::grid::{Grid, Word};
use super::lanes::{Dot, LINE_WORDS, multiply_row};
use crate::cpu::prefetch;
use core::ops::Range;

/// The words of a page, at which hardware prefetchers stop.
const PAGE_WORDS: usize = 1024;

/// The number of lines at the start of a page that are prefetched: after that, the hardware has found the stream.
const FIRST_LINES: usize = 4;

/// The words of the largest array that the last-level cache may contain: there, prefetches only take time.
const CACHED_WORDS: usize = 1 << 23;

/// The product of one row of `A` and adjacent blocks of `B`.
pub(super) struct RowRun<'a> {
    /// For each part and each row of words of `B`, the words of the row of `A`.
    pub(super) a: &'a [u32],
    /// All words of `B`.
    pub(super) b: &'a [Word],
    pub(super) grid: &'a Grid,
    /// The rows of words of `B`.
    pub(super) rows: Range<usize>,
    /// The words of these rows, in whole blocks.
    pub(super) columns: Range<usize>,
    /// The bits of the last row that belong to elements and not to padding.
    pub(super) mask: u32,
    /// Whether the sums are added to the values of `c` instead of zero.
    pub(super) adds: bool,
    /// The sums, one word for each column.
    pub(super) c: &'a mut [Word],
}

/// A function that computes a run, for CPUs that have its instructions.
pub(super) type RunFn = unsafe fn(&mut RowRun<'_>);

/// Computes a run in blocks of `VECTORS` vectors.
///
/// # Panics
/// If a slice of the run is too short, or if a tile does not end at the end of a block.
#[inline(always)]
pub(super) fn multiply_run<S: Dot, const VECTORS: usize>(simd: S, run: &mut RowRun<'_>) {
    let wide = VECTORS * S::LANES;
    let (rows, columns) = (run.rows.clone(), run.columns.clone());
    if rows.is_empty() || columns.is_empty() {
        if !run.adds {
            run.c.fill(Word::default());
        }
        return;
    }
    let Grid { height, width, across } = *run.grid;
    assert!([columns.start, columns.len(), width].iter().all(|n| n.is_multiple_of(wide)));
    assert!(run.a.len() == rows.len() * S::PARTS * S::FACTOR_WORDS && run.c.len() == columns.len());
    // No other row or block ends later.
    assert!(run.grid.offset(rows.end - 1, columns.end - wide) + wide <= run.b.len());

    let above = rows.start % height;
    // From the last row of a tile to the first row of the tile below.
    let below = (across - 1) * height * width + width;
    let whole = rows.len() - usize::from(run.mask != u32::MAX);
    let mask = simd.splat(run.mask);
    let far = height * width >= PAGE_WORDS
        && across > 1
        && columns.len() > wide
        && run.b.len() > CACHED_WORDS;
    let mut at = columns.start % width;
    let mut tile = run.grid.offset(rows.start - above, columns.start - at);
    let mut c = run.c.as_mut_ptr();
    for _ in 0..columns.len() / wide {
        let mut sums = [[simd.splat(0); VECTORS]];
        if run.adds {
            for (j, sums) in sums[0].iter_mut().enumerate() {
                // SAFETY: `c` has a word for each column, as asserted.
                *sums = unsafe { simd.load(c.wrapping_add(j * S::LANES)) };
            }
        }
        let mut a = run.a.as_ptr();
        for part in 0..S::PARTS {
            let mut b = run.b.as_ptr().wrapping_add(tile + above * width + at);
            let (mut done, mut left) = (0, height - above);
            while done < whole {
                let here = left.min(whole - done);
                if far && at == 0 {
                    // The tile to the right is in the next page.
                    for line in 0..FIRST_LINES {
                        prefetch(b.wrapping_add(height * width + line * LINE_WORDS));
                    }
                }
                if here == 2 {
                    // Without a loop: in tiles of two rows, each instruction then reads at a constant distance, which CPUs
                    // predict.
                    for _ in 0..2 {
                        // SAFETY: the rows and columns are in `B`, and `a` has words for each part of each row, as asserted.
                        unsafe { multiply_row(simd, &mut sums, part, a, b, None) };
                        (a, b) = (a.wrapping_add(S::FACTOR_WORDS), b.wrapping_add(width));
                    }
                } else {
                    for _ in 0..here {
                        // SAFETY: as above.
                        unsafe { multiply_row(simd, &mut sums, part, a, b, None) };
                        (a, b) = (a.wrapping_add(S::FACTOR_WORDS), b.wrapping_add(width));
                    }
                }
                if here == left {
                    b = b.wrapping_add(below - width);
                }
                (done, left) = (done + here, height);
            }
            if whole < rows.len() {
                // SAFETY: as above.
                unsafe { multiply_row(simd, &mut sums, part, a, b, Some(mask)) };
                a = a.wrapping_add(S::FACTOR_WORDS);
            }
        }
        for (j, sums) in sums[0].iter().enumerate() {
            // SAFETY: as for the load.
            unsafe { simd.store(*sums, c.wrapping_add(j * S::LANES)) };
        }
        (at, c) = (at + wide, c.wrapping_add(wide));
        if at == width {
            (at, tile) = (0, tile + height * width);
        }
    }
}

/// Kernels of one row for an instruction set, with this number of vectors: the name of each, the features with which it is
/// compiled, and the elements of its words.
#[cfg(all(feature = "std", target_arch = "x86_64"))]
macro_rules! run_kernels {
    ($Set:ident, $vectors:ident: $(
        $(#[$doc:meta])*
        $name:ident $features:literal $Words:ty;
    )*) => { $(
        $(#[$doc])*
        #[target_feature(enable = $features)]
        pub(super) fn $name(run: &mut RowRun<'_>) {
            // SAFETY: the function has the features.
            multiply_run::<_, $vectors>(unsafe { $Set::<$Words>::new() }, run);
        }
    )* };
}
#[cfg(all(feature = "std", target_arch = "x86_64"))]
pub(super) use run_kernels;
