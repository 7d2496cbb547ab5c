//! Prefetch instructions.
#![allow(unsafe_code, reason = "a prefetch is an instruction of the CPU")]

/// Prefetches into the L1 cache data that will be read soon. Any address is allowed.
#[inline(always)]
pub(crate) fn prefetch<T>(at: *const T) {
    ask::<false>(at.cast());
}

/// Prefetches into the L1 cache an element that will be read soon, if it exists.
#[inline(always)]
pub(crate) fn prefetch_element<T>(elements: &[T], at: usize) {
    prefetch(elements.as_ptr().wrapping_add(at));
}

/// Prefetches into the L2 cache, for lines that would evict each other from L1.
#[inline(always)]
pub(crate) fn prefetch_behind<T>(at: *const T) {
    ask::<true>(at.cast());
}

#[inline(always)]
fn ask<const BEHIND: bool>(at: *const i8) {
    #[cfg(target_arch = "x86_64")]
    {
        use core::arch::x86_64::{_MM_HINT_T0, _MM_HINT_T1, _mm_prefetch};
        // SAFETY: every CPU of the target has the instruction, and it has no effect that a program can observe.
        unsafe {
            match BEHIND {
                true => _mm_prefetch::<_MM_HINT_T1>(at),
                false => _mm_prefetch::<_MM_HINT_T0>(at),
            }
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = at;
}
