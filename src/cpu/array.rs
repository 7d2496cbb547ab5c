//! Arrays in loops that are compiled for a CPU.

/// As [`core::array::from_fn`] for at least one element, but always inlined. The standard functions consist of others that may not
/// be, and are then compiled without the CPU's instructions, with vectors in memory.
#[inline(always)]
pub(crate) fn array<T: Copy, const N: usize>(mut element: impl FnMut(usize) -> T) -> [T; N] {
    const { assert!(N > 0) }
    let mut all = [element(0); N];
    let mut i = 1;
    while i < N {
        all[i] = element(i);
        i += 1;
    }
    all
}
