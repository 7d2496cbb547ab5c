//! Asking the caches for what is read later.
#![allow(unsafe_code, reason = "what asks the caches is an instruction of the CPU")]

/// Asks for an element that will be read soon, if there is one.
#[inline(always)]
pub(crate) fn prefetch<T>(elements: &[T], at: usize) {
    #[cfg(target_arch = "x86_64")]
    {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: every CPU of the target has the instruction, which reads nothing that a program could see.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(elements.as_ptr().wrapping_add(at).cast()) }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (elements, at);
}
