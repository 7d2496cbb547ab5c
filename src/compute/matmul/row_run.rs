//! The micro-kernel of products of one row, or of a few rows, which runs over many blocks from left to right.
//!
//! In `bf16[1,4096] * bf16[4096,4096]{1,0:T(8,128)(2,1)}`, a run is four rows of tiles. A block has 16 rows of 128 words, so 64
//! multiply-adds of whole vectors for each tile: work that is done for each block instead of once for each run would take
//! longer than the multiply-adds.
#![allow(
    unsafe_code,
    reason = "the innermost loop reads and writes unchecked, after all checks are made"
)]

use super::grid::{Grid, Word};
use super::lanes::{ByteTable, Dot, LINE_WORDS, multiply_row};
use crate::cpu::{prefetch, prefetch_behind};
use core::ops::Range;

/// The words of a page, at which hardware prefetchers stop.
const PAGE_WORDS: usize = 1024;

/// The number of lines at the start of a page that are prefetched: after that, the hardware has found the stream.
const FIRST_LINES: usize = 4;

/// The words of the largest array that the last-level cache may contain: there, prefetches only take time.
const CACHED_WORDS: usize = 1 << 23;

/// The product of a few rows of `A` and adjacent blocks of `B`.
pub(super) struct RowRun<'a> {
    /// For each part and each row of words of `B`, the words of the rows of `A`.
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
    /// The table of the kernel.
    #[cfg_attr(
        not(all(target_arch = "x86_64", feature = "std")),
        expect(dead_code, reason = "only AVX-512 looks up bytes")
    )]
    pub(super) table: &'a ByteTable,
    /// The sums, one word for each column, in rows that are `pitch` words apart.
    pub(super) c: &'a mut [Word],
    pub(super) pitch: usize,
}

/// A function that computes a run, for CPUs that have its instructions.
pub(super) type RunFn = unsafe fn(&mut RowRun<'_>);

/// Computes a run in blocks of `ROWS` rows and `VECTORS` vectors.
///
/// # Panics
/// If a slice of the run is too short, or if a tile does not end at the end of a block.
#[inline(always)]
pub(super) fn multiply_run<S: Dot, const ROWS: usize, const VECTORS: usize>(
    simd: S,
    run: &mut RowRun<'_>,
) {
    let wide = VECTORS * S::LANES;
    let (rows, columns) = (run.rows.clone(), run.columns.clone());
    if rows.is_empty() || columns.is_empty() {
        if !run.adds {
            for row in 0..ROWS {
                run.c[row * run.pitch..][..columns.len()].fill(Word::default());
            }
        }
        return;
    }
    let Grid { height, width, across } = *run.grid;
    assert!([columns.start, columns.len(), width].iter().all(|n| n.is_multiple_of(wide)));
    let factors = ROWS * S::FACTOR_WORDS;
    assert!(run.a.len() == rows.len() * S::PARTS * factors);
    assert!((ROWS - 1).checked_mul(run.pitch).is_some_and(|last| last <= run.c.len()));
    assert!(columns.len() <= run.c.len() - (ROWS - 1) * run.pitch);
    // No other row or block ends later.
    assert!(run.grid.offset(rows.end - 1, columns.end - wide) + wide <= run.b.len());

    // The words from the factors of one part to those of the next.
    let apart = rows.len() * factors;
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
        let mut sums = [[simd.splat(0); VECTORS]; ROWS];
        if run.adds {
            for (i, sums) in sums.iter_mut().enumerate() {
                for (j, sums) in sums.iter_mut().enumerate() {
                    // SAFETY: `c` has a word for each column of each row, as asserted.
                    *sums = unsafe { simd.load(c.wrapping_add(i * run.pitch + j * S::LANES)) };
                }
            }
        }
        // From a block to the next, which is in the tile to the right if the tile ends.
        let next = if at + wide < width { wide } else { height * width - at };
        for part in 0..if S::TOGETHER { 1 } else { S::PARTS } {
            let mut a = run.a[part * apart..].as_ptr();
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
                if S::TOGETHER && S::PARTS > 1 && height * width < PAGE_WORDS {
                    // Words of several parts take so many instructions that the CPU does not see the loads of the next block.
                    // In tiles of whole pages, products of one row take longer with these prefetches.
                    for row in 0..here {
                        for line in 0..VECTORS * S::LANES / LINE_WORDS {
                            let at = row * width + line * LINE_WORDS;
                            prefetch_behind(b.wrapping_add(next + at));
                        }
                    }
                }
                if here == 2 {
                    // Without a loop: in tiles of two rows, each instruction then reads at a constant distance, which CPUs
                    // predict.
                    for _ in 0..2 {
                        // SAFETY: the rows and columns are in `B`, and `a` has words for each part of each row, as asserted.
                        unsafe { multiply_row(simd, &mut sums, part, (a, apart), b, None) };
                        (a, b) = (a.wrapping_add(factors), b.wrapping_add(width));
                    }
                } else {
                    for _ in 0..here {
                        // SAFETY: as above.
                        unsafe { multiply_row(simd, &mut sums, part, (a, apart), b, None) };
                        (a, b) = (a.wrapping_add(factors), b.wrapping_add(width));
                    }
                }
                if here == left {
                    b = b.wrapping_add(below - width);
                }
                (done, left) = (done + here, height);
            }
            if whole < rows.len() {
                // SAFETY: as above.
                unsafe { multiply_row(simd, &mut sums, part, (a, apart), b, Some(mask)) };
            }
        }
        for (i, sums) in sums.iter().enumerate() {
            for (j, sums) in sums.iter().enumerate() {
                // SAFETY: as for the load.
                unsafe { simd.store(*sums, c.wrapping_add(i * run.pitch + j * S::LANES)) };
            }
        }
        (at, c) = (at + wide, c.wrapping_add(wide));
        if at == width {
            (at, tile) = (0, tile + height * width);
        }
    }
}
