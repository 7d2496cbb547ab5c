//! Moves elements one by one.

use crate::movement::regions::Axis;

/// The number of elements along each side of the blocks in which elements are moved.
const BLOCK: usize = 16;

/// Moves elements of `N` bytes between any strides, block by block.
///
/// # Safety
/// The pointers must be valid for all elements that the counts and strides reach, and these must not overlap.
#[inline(always)]
pub(super) unsafe fn gather<const N: usize>(from: *const u8, to: *mut u8, axes: [Axis; 4]) {
    let [a, b, outer, inner] = axes;
    for i in 0..a.count {
        for j in 0..b.count {
            // SAFETY: `i` and `j` are less than the counts.
            unsafe {
                let from = from.add(i * a.source + j * b.source);
                let to = to.add(i * a.destination + j * b.destination);
                blocks::<N>(from, to, [outer, inner]);
            }
        }
    }
}

/// # Safety
/// As for [`gather`].
#[inline(always)]
unsafe fn blocks<const N: usize>(from: *const u8, to: *mut u8, [outer, inner]: [Axis; 2]) {
    for i in (0..outer.count).step_by(BLOCK) {
        for j in (0..inner.count).step_by(BLOCK) {
            for i in i..outer.count.min(i + BLOCK) {
                for j in j..inner.count.min(j + BLOCK) {
                    // SAFETY: `i` and `j` are less than the counts.
                    unsafe {
                        let from = from.add(i * outer.source + j * inner.source);
                        let to = to.add(i * outer.destination + j * inner.destination);
                        to.cast::<[u8; N]>()
                            .write_unaligned(from.cast::<[u8; N]>().read_unaligned());
                    }
                }
            }
        }
    }
}
