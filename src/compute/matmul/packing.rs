//! The micro-kernel that copies `B` to a panel while it computes the first rows of `C`: it has every word of `B` in a register,
//! and storing words takes no time beside the multiplications.
#![allow(
    unsafe_code,
    reason = "the innermost loop reads and writes unchecked, after all checks are made"
)]
#![cfg_attr(
    not(any(test, all(target_arch = "x86_64", feature = "std"))),
    expect(dead_code, reason = "only x86-64 has kernels that copy `B`")
)]

use super::grid::Word;
use super::lanes::{Dot, LINE_WORDS, MicroBlock, load_sums, multiply_row, store_sums};
use crate::cpu::prefetch;

/// The number of rows of words after which `B` is prefetched. The prefetchers of the CPU do not predict the next page or tile.
const ROWS_AHEAD: usize = 32;

/// A function that computes a block and writes the words of its `B` to a panel, for CPUs that have its instructions.
pub(super) type PackingFn = unsafe fn(&mut MicroBlock<'_>, &mut [Word]);

/// Computes a block of `ROWS` rows and `VECTORS` vectors, and writes the words of its panel of `B`, row after row, to `packed`.
///
/// # Panics
/// If a slice of the block or `packed` is too short, or if the last row of words has padding.
#[inline(always)]
pub(super) fn multiply_packing<S: Dot, const ROWS: usize, const VECTORS: usize>(
    simd: S,
    block: &mut MicroBlock<'_>,
    packed: &mut [Word],
) {
    const { assert!(S::PARTS == 1) }
    let (panel, columns, factors) = (block.b, VECTORS * S::LANES, ROWS * S::FACTOR_WORDS);
    let mut sums = load_sums::<_, ROWS, VECTORS>(simd, block);
    assert!(panel.mask == u32::MAX && packed.len() == panel.rows * columns);
    let ahead = panel.distance(ROWS_AHEAD);
    let (mut a, mut to) = (block.a.as_ptr(), packed.as_mut_ptr());
    for (at, rows) in panel.pieces() {
        let mut b = panel.words()[at..].as_ptr();
        for _ in 0..rows {
            for line in (0..columns).step_by(LINE_WORDS) {
                prefetch(b.wrapping_add(ahead + line));
            }
            for vector in (0..columns).step_by(S::LANES) {
                // SAFETY: the panel promises that its words exist, and `packed` has room for each row of words, as asserted.
                unsafe { simd.store(simd.load(b.add(vector)), to.add(vector)) };
            }
            // SAFETY: as above, and `a` has words for each row of words, as `load_sums` asserts.
            unsafe { multiply_row(simd, &mut sums, 0, (a, 0), b, None) };
            b = b.wrapping_add(panel.width);
            (a, to) = (a.wrapping_add(factors), to.wrapping_add(columns));
        }
    }
    store_sums(simd, block, sums);
}

/// Micro-kernels that copy `B`, in the form of [`micro_kernels`](super::lanes::micro_kernels).
#[cfg(all(feature = "std", target_arch = "x86_64"))]
macro_rules! packing_kernels {
    ($Set:ident: $($name:ident $features:literal $Words:ty [$rows:tt $vectors:tt];)*) => { $(
        /// The kernel of blocks that copies `B`.
        #[target_feature(enable = $features)]
        pub(super) fn $name(block: &mut MicroBlock<'_>, packed: &mut [Word]) {
            // SAFETY: the function has the features.
            multiply_packing::<_, $rows, $vectors>(unsafe { $Set::<$Words>::new() }, block, packed);
        }
    )* };
}
#[cfg(all(feature = "std", target_arch = "x86_64"))]
pub(super) use packing_kernels;
