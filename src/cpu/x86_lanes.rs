//! Registers of 16-byte lanes, within which elements are shuffled.

use super::super::Lanes;
#[cfg(feature = "std")]
use super::super::transposed_order;
use core::arch::x86_64::*;

/// Reads one lane; the stride is not used.
///
/// # Safety
/// `from` must be valid for reads of a lane.
#[inline(always)]
pub(super) unsafe fn load_one(from: *const u8, _: usize) -> __m128i {
    // SAFETY: every x86-64 CPU has the instruction, and the caller promises the lane.
    unsafe { _mm_loadu_si128(from.cast()) }
}

/// Every x86-64 CPU has the instructions.
impl Lanes for __m128i {
    #[inline(always)]
    fn zip<const N: usize>(self, other: Self) -> (Self, Self) {
        let (a, b) = (self, other);
        // SAFETY: every x86-64 CPU has them.
        unsafe {
            match N {
                1 => (_mm_unpacklo_epi8(a, b), _mm_unpackhi_epi8(a, b)),
                2 => (_mm_unpacklo_epi16(a, b), _mm_unpackhi_epi16(a, b)),
                4 => (_mm_unpacklo_epi32(a, b), _mm_unpackhi_epi32(a, b)),
                8 => (_mm_unpacklo_epi64(a, b), _mm_unpackhi_epi64(a, b)),
                _ => (a, b),
            }
        }
    }

    #[inline(always)]
    fn deinterleave<const N: usize, const P: usize>(mut self) -> Self {
        let mut group = P;
        while group > 1 {
            // SAFETY: every x86-64 CPU has them.
            self = unsafe {
                match N {
                    1 => {
                        let first = _mm_and_si128(self, _mm_set1_epi16(0xFF));
                        _mm_packus_epi16(first, _mm_srli_epi16::<8>(self))
                    }
                    2 => {
                        let low = _mm_shufflelo_epi16::<0b11_01_10_00>(self);
                        let both = _mm_shufflehi_epi16::<0b11_01_10_00>(low);
                        _mm_shuffle_epi32::<0b11_01_10_00>(both)
                    }
                    4 => _mm_shuffle_epi32::<0b11_01_10_00>(self),
                    _ => self,
                }
            };
            group /= 2;
        }
        self
    }

    #[inline(always)]
    fn transpose_units<const N: usize, const P: usize>(self) -> Self {
        // SAFETY: every x86-64 CPU has them.
        unsafe {
            match (N, P) {
                // Exchanges the two middle bytes of each unit: 0 1 2 3 becomes 0 2 1 3.
                (4, 2) => {
                    let ends = _mm_and_si128(self, _mm_set1_epi32(0xFF00_00FF_u32 as i32));
                    let second = _mm_and_si128(self, _mm_set1_epi32(0xFF00));
                    let third = _mm_and_si128(self, _mm_set1_epi32(0xFF_0000));
                    let middle =
                        _mm_or_si128(_mm_slli_epi32::<8>(second), _mm_srli_epi32::<8>(third));
                    _mm_or_si128(ends, middle)
                }
                (16, 4) => self.deinterleave::<1, 4>(),
                (8, 2) => {
                    let low = _mm_shufflelo_epi16::<0b11_01_10_00>(self);
                    _mm_shufflehi_epi16::<0b11_01_10_00>(low)
                }
                _ => self,
            }
        }
    }

    /// # Safety
    /// As for [`Lanes::store_lanes`].
    #[inline(always)]
    unsafe fn store_lanes(self, to: *mut u8, _: usize) {
        // SAFETY: as the caller promises.
        unsafe { self.store(to) };
    }

    /// # Safety
    /// As for [`Lanes::store`].
    #[inline(always)]
    unsafe fn store(self, to: *mut u8) {
        // SAFETY: as the caller promises.
        unsafe { _mm_storeu_si128(to.cast(), self) }
    }

    /// # Safety
    /// As for [`Lanes::stream`].
    #[inline(always)]
    unsafe fn stream(self, to: *mut u8) {
        // SAFETY: as the caller promises.
        unsafe { _mm_stream_si128(to.cast(), self) }
    }
}

/// For each byte of two deinterleaved lanes, the index of that byte in its original lane. For pairs of elements of 4 bytes that
/// is 0..4, 8..12, 4..8 and 12..16, for each of the two lanes.
#[cfg(feature = "std")]
const fn deinterleaved_order(n: usize, p: usize) -> [u8; 32] {
    let mut order = [0; 32];
    let mut at = 0;
    while at < 32 {
        let (element, groups) = (at % 16 / n, 16 / n / p);
        order[at] = ((element % groups * p + element / groups) * n + at % n) as u8;
        at += 1;
    }
    order
}

/// Two lanes in a register of AVX2. A value proves that the CPU has AVX2: only [`TwoLanes::load`], which requires it, makes a
/// value without another one.
#[cfg(feature = "std")]
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct TwoLanes(__m256i);

#[cfg(feature = "std")]
impl TwoLanes {
    /// Reads two lanes, `stride` bytes apart.
    ///
    /// # Safety
    /// `from` must be valid for reads of each lane, and the CPU must have AVX2.
    #[target_feature(enable = "avx2")]
    #[inline]
    pub(super) unsafe fn load(from: *const u8, stride: usize) -> Self {
        // SAFETY: as the caller promises.
        Self(unsafe { _mm256_loadu2_m128i(from.add(stride).cast(), from.cast()) })
    }
}

#[cfg(feature = "std")]
impl Lanes for TwoLanes {
    #[inline(always)]
    fn zip<const N: usize>(self, other: Self) -> (Self, Self) {
        #[target_feature(enable = "avx2")]
        #[inline]
        fn zip<const N: usize>(a: __m256i, b: __m256i) -> (__m256i, __m256i) {
            match N {
                1 => (_mm256_unpacklo_epi8(a, b), _mm256_unpackhi_epi8(a, b)),
                2 => (_mm256_unpacklo_epi16(a, b), _mm256_unpackhi_epi16(a, b)),
                4 => (_mm256_unpacklo_epi32(a, b), _mm256_unpackhi_epi32(a, b)),
                8 => (_mm256_unpacklo_epi64(a, b), _mm256_unpackhi_epi64(a, b)),
                _ => (a, b),
            }
        }
        // SAFETY: the value proves the instructions.
        let (first, second) = unsafe { zip::<N>(self.0, other.0) };
        (Self(first), Self(second))
    }

    #[inline(always)]
    fn deinterleave<const N: usize, const P: usize>(self) -> Self {
        #[target_feature(enable = "avx2")]
        #[inline]
        fn deinterleave<const N: usize, const P: usize>(lanes: __m256i) -> __m256i {
            if const { N * P >= 16 } {
                return lanes;
            }
            let order = const { &deinterleaved_order(N, if N * P >= 16 { 1 } else { P }) };
            // SAFETY: the array has the bytes of a register.
            _mm256_shuffle_epi8(lanes, unsafe { _mm256_loadu_si256(order.as_ptr().cast()) })
        }
        // SAFETY: the value proves the instructions.
        Self(unsafe { deinterleave::<N, P>(self.0) })
    }

    #[inline(always)]
    fn transpose_units<const N: usize, const P: usize>(self) -> Self {
        #[target_feature(enable = "avx2")]
        #[inline]
        fn transpose_units<const N: usize, const P: usize>(lanes: __m256i) -> __m256i {
            let order = const { &transposed_order(N, P) };
            // SAFETY: the array has the bytes of a lane.
            let order = unsafe { _mm_loadu_si128(order.as_ptr().cast()) };
            _mm256_shuffle_epi8(lanes, _mm256_broadcastsi128_si256(order))
        }
        if const { P == 1 } {
            return self;
        }
        // SAFETY: the value proves the instructions.
        Self(unsafe { transpose_units::<N, P>(self.0) })
    }

    /// # Safety
    /// As for [`Lanes::store_lanes`].
    #[inline(always)]
    unsafe fn store_lanes(self, to: *mut u8, stride: usize) {
        /// # Safety
        /// As for [`Lanes::store_lanes`].
        #[target_feature(enable = "avx2")]
        #[inline]
        unsafe fn store(lanes: __m256i, to: *mut u8, stride: usize) {
            // SAFETY: as the caller promises.
            unsafe { _mm256_storeu2_m128i(to.add(stride).cast(), to.cast(), lanes) }
        }
        // SAFETY: the value proves the instructions, and the caller promises the lanes.
        unsafe { store(self.0, to, stride) }
    }

    /// # Safety
    /// As for [`Lanes::store`].
    #[inline(always)]
    unsafe fn store(self, to: *mut u8) {
        // SAFETY: as the caller promises.
        unsafe { to.cast::<Self>().write_unaligned(self) }
    }

    /// # Safety
    /// As for [`Lanes::stream`].
    #[inline(always)]
    unsafe fn stream(self, to: *mut u8) {
        /// # Safety
        /// As for [`Lanes::stream`].
        #[target_feature(enable = "avx2")]
        #[inline]
        unsafe fn stream(lanes: __m256i, to: *mut u8) {
            // SAFETY: as the caller promises.
            unsafe { _mm256_stream_si256(to.cast(), lanes) }
        }
        // SAFETY: the value proves the instructions, and the caller promises the lanes.
        unsafe { stream(self.0, to) }
    }
}
