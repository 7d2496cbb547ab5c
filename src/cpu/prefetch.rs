//! Asking the caches for what is read later.
#![allow(unsafe_code, reason = "what asks the caches is an instruction of the CPU")]

/// Asks the nearest cache for what will be read soon; any address will do.
#[inline(always)]
pub(crate) fn prefetch<T>(at: *const T) {
    ask::<false>(at.cast());
}

/// Asks the nearest cache for an element that will be read soon, if there is one.
#[inline(always)]
pub(crate) fn prefetch_element<T>(elements: &[T], at: usize) {
    prefetch(elements.as_ptr().wrapping_add(at));
}

/// Asks the cache behind the nearest one, which has room for lines whose addresses clash in that.
#[inline(always)]
pub(crate) fn prefetch_behind<T>(at: *const T) {
    ask::<true>(at.cast());
}

#[inline(always)]
fn ask<const BEHIND: bool>(at: *const i8) {
    #[cfg(target_arch = "x86_64")]
    {
        use core::arch::x86_64::{_MM_HINT_T0, _MM_HINT_T1, _mm_prefetch};
        // SAFETY: every CPU of the target has the instruction, which reads nothing that a program could see.
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
