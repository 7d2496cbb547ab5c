//! Rectangles whose contiguous sides differ.

/// Elements of a side of the blocks that a transpose works in: a block of either array stays in the nearest cache.
const BLOCK: usize = 16;

/// Moves elements of `N` bytes between any strides, in bytes, block by block.
///
/// # Safety
/// The pointers must be good for the elements that counts and strides reach, not overlapping.
#[inline(always)]
pub(super) unsafe fn strided<const N: usize>(
    from: *const u8,
    to: *mut u8,
    [outer, inner]: [crate::kernel::execute::Axis; 2],
) {
    for i in (0..outer.count).step_by(BLOCK) {
        for j in (0..inner.count).step_by(BLOCK) {
            for i in i..outer.count.min(i + BLOCK) {
                for j in j..inner.count.min(j + BLOCK) {
                    // SAFETY: both counts are kept.
                    unsafe {
                        let from = from.add(i * outer.source + j * inner.source).cast::<[u8; N]>();
                        let to =
                            to.add(i * outer.destination + j * inner.destination).cast::<[u8; N]>();
                        to.write_unaligned(from.read_unaligned());
                    }
                }
            }
        }
    }
}
