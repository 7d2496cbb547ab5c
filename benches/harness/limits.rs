//! The limit of the machine: the fastest of three ways to copy bytes.

/// glibc's `memcpy`.
pub(crate) fn memcpy(source: &[u8], destination: &mut [u8]) {
    destination.copy_from_slice(source);
}

/// The string instruction; large copies with it do not read the destination first.
#[cfg(target_arch = "x86_64")]
pub(crate) fn rep_movsb(source: &[u8], destination: &mut [u8]) {
    assert_eq!(source.len(), destination.len());
    // SAFETY: both ranges are as long as the count says, and `destination` is borrowed mutably.
    unsafe {
        core::arch::asm!(
            "rep movsb",
            inout("rcx") source.len() => _,
            inout("rsi") source.as_ptr() => _,
            inout("rdi") destination.as_mut_ptr() => _,
            options(nostack, preserves_flags)
        );
    }
}

/// A copy past the caches, with the widest registers of the CPU.
#[cfg(target_arch = "x86_64")]
pub(crate) fn non_temporal(source: &[u8], destination: &mut [u8]) {
    use core::arch::x86_64::*;
    assert!(source.len() == destination.len() && source.len().is_multiple_of(64));
    assert_eq!(destination.as_ptr().align_offset(64), 0);

    #[target_feature(enable = "avx512f")]
    unsafe fn wide(source: *const u8, destination: *mut u8, len: usize) {
        for at in (0..len).step_by(64) {
            // SAFETY: the caller passes ranges of `len` bytes, a multiple of 64, and an aligned destination.
            unsafe {
                _mm512_stream_si512(
                    destination.add(at).cast(),
                    _mm512_loadu_si512(source.add(at).cast()),
                )
            };
        }
    }
    #[target_feature(enable = "avx")]
    unsafe fn narrow(source: *const u8, destination: *mut u8, len: usize) {
        for at in (0..len).step_by(32) {
            // SAFETY: as above; 32 divides 64.
            unsafe {
                _mm256_stream_si256(
                    destination.add(at).cast(),
                    _mm256_loadu_si256(source.add(at).cast()),
                )
            };
        }
    }
    // SAFETY: each function runs where its feature was found; lengths and alignment are asserted above.
    unsafe {
        if is_x86_feature_detected!("avx512f") {
            wide(source.as_ptr(), destination.as_mut_ptr(), source.len());
        } else if is_x86_feature_detected!("avx") {
            narrow(source.as_ptr(), destination.as_mut_ptr(), source.len());
        } else {
            memcpy(source, destination);
        }
        _mm_sfence();
    }
}

/// Copies one slice to the other, of the same length.
pub(crate) type Copy = fn(&[u8], &mut [u8]);

/// The copies that this machine has.
pub(crate) fn copies() -> Vec<(&'static str, Copy)> {
    let mut copies: Vec<(&'static str, Copy)> = vec![("memcpy", memcpy)];
    #[cfg(target_arch = "x86_64")]
    copies.extend([("rep movsb", rep_movsb as Copy), ("non-temporal", non_temporal)]);
    copies
}
