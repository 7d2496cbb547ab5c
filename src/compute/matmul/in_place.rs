//! The micro-kernel that reads the factors of `A` where they are, without panels of `A`: elements of 32 or 64 bits are broadcast from
//! memory anyway. A block has 6 rows of 4 vectors, so that 24 multiplications need 10 loads.
//!
//! It also copies `B` to a panel while it computes the first rows of `C`: it has every word of `B` in a register, and storing words
//! takes no time beside the multiplications.
#![allow(
    unsafe_code,
    reason = "the innermost loop reads and writes unchecked, after all checks are made"
)]
#![cfg_attr(
    not(any(test, all(target_arch = "x86_64", feature = "std"))),
    expect(dead_code, reason = "only x86-64 has kernels that read `A` in place")
)]

use super::grid::Word;
use super::lanes::{LINE_WORDS, MicroBlock, load_sums, store_sums};
use super::panels::MAX_ROWS;
use super::small::SmallDot;
use crate::cpu::{prefetch, prefetch_behind};

/// The rows of a block, and its vectors of 16 words.
pub(super) const ROWS: usize = 6;
pub(super) const VECTORS: usize = 4;

/// The number of rows of words after which `B` is prefetched. The prefetchers of the CPU do not predict the next page or tile.
const ROWS_AHEAD: usize = 32;

/// The words of each row that are prefetched before the next tile begins. Measured on Zen 5 with sizes of 256 and 1024, where fewer
/// than 64 take 1 to 2 % longer.
pub(super) const WORDS_AHEAD: usize = 96;

/// A kernel that reads `A` in place.
#[derive(Clone, Copy, Debug)]
pub(super) struct InPlace {
    /// The rows of a block.
    pub(super) rows: usize,
    /// The columns of a block, in words.
    pub(super) columns: usize,
    /// Computes a block.
    pub(super) run: InPlaceFn,
    /// Computes a block, and writes the words of its panel of `B`, row after row, to another panel.
    pub(super) run_packing: PackingFn,
}

/// A function that computes a block, for CPUs that have its instructions.
pub(super) type InPlaceFn = unsafe fn(&Factors<'_>, &mut MicroBlock<'_>);

/// A function that also writes the words of its `B` to a panel.
pub(super) type PackingFn = unsafe fn(&Factors<'_>, &mut MicroBlock<'_>, &mut [Word]);

impl InPlace {
    /// Computes a block.
    pub(super) fn run(&self, factors: &Factors<'_>, block: &mut MicroBlock<'_>) {
        // SAFETY: whoever made this value had proof that the CPU has the instructions of the function, which checks the block.
        unsafe { (self.run)(factors, block) }
    }

    /// Computes a block, and copies its `B`.
    pub(super) fn run_packing(
        &self,
        factors: &Factors<'_>,
        block: &mut MicroBlock<'_>,
        packed: &mut [Word],
    ) {
        // SAFETY: as above.
        unsafe { (self.run_packing)(factors, block, packed) }
    }
}

/// Factors of some rows of `A`, which continue from tile to tile.
#[derive(Clone, Copy)]
pub(super) struct Factors<'a> {
    pub(super) words: &'a [Word],
    /// Where the first factor of each row is, in words.
    pub(super) starts: [usize; MAX_ROWS],
    /// The number of factors of each row that are left in the first tile.
    pub(super) left: usize,
    /// The factors of a row of a tile.
    pub(super) width: usize,
    /// The words from one tile to the next.
    pub(super) tile: usize,
    /// The words of each row that are prefetched before the next tile begins, which the prefetchers of the CPU do not predict.
    pub(super) ahead: usize,
}

impl Factors<'_> {
    /// Whether `rows` rows have `count` factors of `each` words.
    fn has(&self, rows: usize, count: usize, each: usize) -> bool {
        let Some(last) = count.checked_sub(1) else { return true };
        let end = match last.checked_sub(self.left) {
            None => (last + 1) * each,
            Some(later) => {
                self.to_next_tile(self.left, each)
                    + later / self.width * self.tile
                    + (later % self.width + 1) * each
            }
        };
        let (len, starts) = (self.words.len(), &self.starts[..rows]);
        starts.iter().all(|&start| start <= len && end <= len - start)
    }

    /// The words from a factor after which its tile has `left` factors, itself included, to the first factor of the next tile.
    #[inline(always)]
    fn to_next_tile(self, left: usize, each: usize) -> usize {
        self.tile - (self.width - left) * each
    }
}

/// Computes a block of `ROWS` rows and `VECTORS` vectors.
///
/// # Panics
/// If a slice of the block is too short, or if the last row of words has padding.
#[inline(always)]
pub(super) fn multiply_in_place<S: SmallDot, const ROWS: usize, const VECTORS: usize>(
    simd: S,
    factors: &Factors<'_>,
    block: &mut MicroBlock<'_>,
) {
    multiply::<S, ROWS, VECTORS, false>(simd, factors, block, &mut []);
}

/// [`multiply_in_place`], which also writes the words of the panel of `B`, row after row, to `packed`.
///
/// # Panics
/// As above, and if `packed` has another length.
#[inline(always)]
pub(super) fn multiply_packing<S: SmallDot, const ROWS: usize, const VECTORS: usize>(
    simd: S,
    factors: &Factors<'_>,
    block: &mut MicroBlock<'_>,
    packed: &mut [Word],
) {
    assert!(packed.len() == block.b.rows * VECTORS * S::LANES);
    multiply::<S, ROWS, VECTORS, true>(simd, factors, block, packed);
}

#[inline(always)]
fn multiply<S: SmallDot, const ROWS: usize, const VECTORS: usize, const PACKS: bool>(
    simd: S,
    factors: &Factors<'_>,
    block: &mut MicroBlock<'_>,
    packed: &mut [Word],
) {
    const { assert!(S::PARTS == 1 && ROWS <= MAX_ROWS) }
    let panel = block.b;
    let mut sums = load_sums::<_, ROWS, VECTORS>(simd, block);
    assert!(panel.mask == u32::MAX && factors.has(ROWS, panel.rows, S::FACTOR_WORDS));
    let mut rows = [factors.words.as_ptr(); ROWS];
    for (row, start) in rows.iter_mut().zip(factors.starts) {
        *row = row.wrapping_add(start);
    }
    let (mut ahead, mut left) = (block.ahead.as_chunks::<LINE_WORDS>().0, factors.left);
    let (below, mut to) = (panel.distance(ROWS_AHEAD), packed.as_mut_ptr());
    for (at, count) in panel.pieces() {
        let (mut b, mut done) = (panel.words()[at..].as_ptr(), 0);
        while done < count {
            let run = left.min(count - done);
            // Two loops instead of a branch in each iteration of one.
            let (lines, later) = ahead.split_at(ahead.len().min(run));
            for (i, line) in lines.iter().enumerate() {
                prefetch_behind(line);
                // SAFETY: the panel promises that its words exist, and the factors of each row do, as asserted.
                unsafe { multiply_row(simd, &mut sums, &rows, i * S::FACTOR_WORDS, b) };
                b = b.wrapping_add(panel.width);
                prefetch_factors::<S, ROWS>(factors, &rows, i, left);
            }
            for i in lines.len()..run {
                if PACKS {
                    // SAFETY: the panel promises its words, and `packed` has room for each of its rows, as the caller asserts.
                    unsafe { copy::<S, VECTORS>(simd, b, b.wrapping_add(below), to) };
                    to = to.wrapping_add(VECTORS * S::LANES);
                }
                // SAFETY: as above.
                unsafe { multiply_row(simd, &mut sums, &rows, i * S::FACTOR_WORDS, b) };
                b = b.wrapping_add(panel.width);
                prefetch_factors::<S, ROWS>(factors, &rows, i, left);
            }
            let mut step = run * S::FACTOR_WORDS;
            if run == left {
                step = factors.to_next_tile(left, S::FACTOR_WORDS);
            }
            for row in &mut rows {
                *row = row.wrapping_add(step);
            }
            (ahead, done) = (later, done + run);
            left = if run == left { factors.width } else { left - run };
        }
    }
    store_sums(simd, block, sums);
}

/// Prefetches the first words of each row in the next tile, a cache line each, while the last words of this tile are multiplied:
/// `left` factors were left in it, and number `i` of them is the current one.
#[inline(always)]
fn prefetch_factors<S: SmallDot, const ROWS: usize>(
    factors: &Factors<'_>,
    rows: &[*const Word; ROWS],
    i: usize,
    left: usize,
) {
    let later = (left - i) * S::FACTOR_WORDS;
    if later <= factors.ahead && later.is_multiple_of(LINE_WORDS) {
        let next = factors.to_next_tile(left, S::FACTOR_WORDS) + factors.ahead - later;
        for row in rows {
            prefetch(row.wrapping_add(next));
        }
    }
}

/// Copies a row of words, and prefetches another one.
///
/// # Safety
/// `VECTORS` vectors must be readable at `from`, and writable at `to`.
#[inline(always)]
unsafe fn copy<S: SmallDot, const VECTORS: usize>(
    simd: S,
    from: *const Word,
    ahead: *const Word,
    to: *mut Word,
) {
    for line in (0..VECTORS * S::LANES).step_by(LINE_WORDS) {
        prefetch(ahead.wrapping_add(line));
    }
    for vector in (0..VECTORS * S::LANES).step_by(S::LANES) {
        // SAFETY: the caller promises the words.
        unsafe { simd.store(simd.load(from.add(vector)), to.add(vector)) };
    }
}

/// Adds the products of one row of words and of the factor in each row that is `at` words from its start.
///
/// # Safety
/// These factors must be readable, and `VECTORS` vectors at `b`.
#[inline(always)]
unsafe fn multiply_row<S: SmallDot, const ROWS: usize, const VECTORS: usize>(
    simd: S,
    sums: &mut [[S::Vector; VECTORS]; ROWS],
    rows: &[*const Word; ROWS],
    at: usize,
    b: *const Word,
) {
    let mut words = [simd.splat(0); VECTORS];
    for (j, words) in words.iter_mut().enumerate() {
        // SAFETY: the caller promises the vectors.
        *words = unsafe { simd.load(b.add(j * S::LANES)) };
    }
    for (sums, row) in sums.iter_mut().zip(rows) {
        // SAFETY: the caller promises the factor.
        let factor = unsafe { simd.factor(row.add(at)) };
        for (sums, words) in sums.iter_mut().zip(words) {
            *sums = simd.dot(*sums, factor, words);
        }
    }
}

/// The kernel for elements of a type: the names of its functions, and the features with which they are compiled.
#[cfg(all(feature = "std", target_arch = "x86_64"))]
macro_rules! in_place_kernels {
    ($Set:ident: $($run:ident $packing:ident $features:literal $Words:ty;)*) => { $(
        /// The kernel of blocks that reads `A` in place.
        #[target_feature(enable = $features)]
        pub(super) fn $run(factors: &Factors<'_>, block: &mut MicroBlock<'_>) {
            // SAFETY: the function has the features.
            let simd = unsafe { $Set::<$Words>::new() };
            multiply_in_place::<_, { in_place::ROWS }, { in_place::VECTORS }>(simd, factors, block);
        }

        /// The same, which copies `B`.
        #[target_feature(enable = $features)]
        pub(super) fn $packing(
            factors: &Factors<'_>,
            block: &mut MicroBlock<'_>,
            packed: &mut [Word],
        ) {
            // SAFETY: the function has the features.
            let simd = unsafe { $Set::<$Words>::new() };
            multiply_packing::<_, { in_place::ROWS }, { in_place::VECTORS }>(
                simd, factors, block, packed,
            );
        }
    )* };
}
#[cfg(all(feature = "std", target_arch = "x86_64"))]
pub(super) use in_place_kernels;
