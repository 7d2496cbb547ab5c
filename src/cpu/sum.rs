//! The sum of the numbers in a register.

use core::arch::x86_64::*;

/// The sum of eight numbers: of `[a, b, c, d, e, f, g, h]`, `((a + e) + (c + g)) + ((b + f) + (d + h))`.
///
/// # Safety
/// The CPU must have AVX.
#[inline(always)]
pub(crate) unsafe fn sum_of_eight(numbers: __m256) -> f32 {
    // SAFETY: as the caller promises.
    unsafe {
        let [low, high] = [_mm256_castps256_ps128(numbers), _mm256_extractf128_ps::<1>(numbers)];
        let four = _mm_add_ps(low, high);
        let two = _mm_add_ps(four, _mm_movehl_ps(four, four));
        _mm_cvtss_f32(_mm_add_ss(two, _mm_movehdup_ps(two)))
    }
}
