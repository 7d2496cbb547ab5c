//! Asking the caches for what is read later.
#![allow(unsafe_code, reason = "what asks the caches is an instruction of the CPU")]

/// Asks the nearest cache for what will be read soon; any address will do.
#[inline(always)]
pub(crate) fn prefetch<T>(at: *const T) {
    #[cfg(target_arch = "x86_64")]
    {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: every CPU of the target has the instruction, which reads nothing that a program could see.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(at.cast()) }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = at;
}

/// Asks the nearest cache for an element that will be read soon, if there is one.
#[inline(always)]
pub(crate) fn prefetch_element<T>(elements: &[T], at: usize) {
    prefetch(elements.as_ptr().wrapping_add(at));
}

/// Asks the cache behind the nearest one, which has room for lines whose addresses clash in that.
#[inline(always)]
pub(crate) fn prefetch_behind<T>(at: *const T) {
    #[cfg(target_arch = "x86_64")]
    {
        use core::arch::x86_64::{_MM_HINT_T1, _mm_prefetch};
        // SAFETY: as above.
        unsafe { _mm_prefetch::<_MM_HINT_T1>(at.cast()) }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = at;
}
