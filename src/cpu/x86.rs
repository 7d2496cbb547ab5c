//! Lines in the registers of x86-64: four of SSE2, two of AVX2, or one of AVX-512.

#[path = "x86_lanes.rs"]
mod lanes;

use super::{Instructions, LINE};
#[cfg(feature = "std")]
use crate::cpu::{HasAvx2, HasAvx512};
use core::arch::x86_64::*;
#[cfg(feature = "std")]
use lanes::TwoLanes;

#[derive(Clone, Copy)]
pub(crate) struct Baseline;

/// The implementation that the three sets share: functions with the feature enabled, which are inlined into callers that also
/// have it enabled.
macro_rules! instructions {
    (
        $Name:ident $feature:literal $Register:ty: $load:ident $store:ident $stream:ident, $zip:ident $($unzip:ident)?,
        $Lanes:ty: $load_lanes:path
    ) => {
        impl Instructions for $Name {
            type Line = [$Register; LINE / size_of::<$Register>()];

            /// # Safety
            /// As for [`Instructions::load`].
            #[inline(always)]
            unsafe fn load(self, from: *const u8) -> Self::Line {
                /// # Safety
                /// As for [`Instructions::load`].
                #[target_feature(enable = $feature)]
                #[inline]
                unsafe fn load(from: *const u8) -> <$Name as Instructions>::Line {
                    // SAFETY: each register lies within the line.
                    crate::cpu::array(|i| unsafe {
                        $load(from.cast::<$Register>().add(i).cast())
                    })
                }
                // SAFETY: the value proves the instructions, and the caller promises the line.
                unsafe { load(from) }
            }

            /// # Safety
            /// As for [`Instructions::store`].
            #[inline(always)]
            unsafe fn store(self, to: *mut u8, line: Self::Line) {
                /// # Safety
                /// As for [`Instructions::store`].
                #[target_feature(enable = $feature)]
                #[inline]
                unsafe fn store(to: *mut u8, line: <$Name as Instructions>::Line) {
                    for (i, register) in line.into_iter().enumerate() {
                        // SAFETY: each register lies within the line.
                        unsafe { $store(to.cast::<$Register>().add(i).cast(), register) };
                    }
                }
                // SAFETY: the value proves the instructions, and the caller promises the line.
                unsafe { store(to, line) }
            }

            /// # Safety
            /// As for [`Instructions::stream`].
            #[inline(always)]
            unsafe fn stream(self, to: *mut u8, line: Self::Line) {
                /// # Safety
                /// As for [`Instructions::stream`].
                #[target_feature(enable = $feature)]
                #[inline]
                unsafe fn stream(to: *mut u8, line: <$Name as Instructions>::Line) {
                    for (i, register) in line.into_iter().enumerate() {
                        // SAFETY: each register lies within the line, whose alignment is a multiple of its own.
                        unsafe { $stream(to.cast::<$Register>().add(i).cast(), register) };
                    }
                }
                // SAFETY: the value proves the instructions, and the caller promises the line.
                unsafe { stream(to, line) }
            }

            #[inline(always)]
            fn zip<const N: usize>(self, a: Self::Line, b: Self::Line) -> (Self::Line, Self::Line) {
                // SAFETY: the value proves the instructions.
                unsafe { $zip::<N>(a, b) }
            }

            $(
                const UNZIPS: bool = true;

                #[inline(always)]
                fn unzip<const N: usize>(self, a: Self::Line, b: Self::Line) -> (Self::Line, Self::Line) {
                    // SAFETY: the value proves the instructions.
                    unsafe { $unzip::<N>(a, b) }
                }
            )?

            type Lanes = $Lanes;

            /// # Safety
            /// As for [`Instructions::load_lanes`].
            #[inline(always)]
            unsafe fn load_lanes(self, from: *const u8, stride: usize) -> Self::Lanes {
                // SAFETY: the value proves the instructions, and the caller promises the lanes.
                unsafe { $load_lanes(from, stride) }
            }

            type Lane = __m128i;

            /// # Safety
            /// As for [`Instructions::load_lane`].
            #[inline(always)]
            unsafe fn load_lane(self, from: *const u8) -> __m128i {
                // SAFETY: every x86-64 CPU has the instruction, and the caller promises the lane.
                unsafe { _mm_loadu_si128(from.cast()) }
            }
        }
    };
}

instructions! {
    Baseline "sse2" __m128i: _mm_loadu_si128 _mm_storeu_si128 _mm_stream_si128, zip_sse2,
    __m128i: lanes::load_one
}

#[target_feature(enable = "sse2")]
#[inline]
fn zip_sse2<const N: usize>(a: [__m128i; 4], b: [__m128i; 4]) -> ([__m128i; 4], [__m128i; 4]) {
    let pair = |i: usize| match N {
        1 => [_mm_unpacklo_epi8(a[i], b[i]), _mm_unpackhi_epi8(a[i], b[i])],
        2 => [_mm_unpacklo_epi16(a[i], b[i]), _mm_unpackhi_epi16(a[i], b[i])],
        4 => [_mm_unpacklo_epi32(a[i], b[i]), _mm_unpackhi_epi32(a[i], b[i])],
        8 => [_mm_unpacklo_epi64(a[i], b[i]), _mm_unpackhi_epi64(a[i], b[i])],
        _ => [a[i], b[i]],
    };
    let ([p, q], [r, s], [t, u], [v, w]) = (pair(0), pair(1), pair(2), pair(3));
    ([p, q, r, s], [t, u, v, w])
}

#[cfg(feature = "std")]
instructions! {
    HasAvx2 "avx2" __m256i: _mm256_loadu_si256 _mm256_storeu_si256 _mm256_stream_si256, zip_avx2,
    TwoLanes: TwoLanes::load
}

#[cfg(feature = "std")]
#[target_feature(enable = "avx2")]
#[inline]
fn zip_avx2<const N: usize>(a: [__m256i; 2], b: [__m256i; 2]) -> ([__m256i; 2], [__m256i; 2]) {
    let pair = |i: usize| {
        let (low, high) = match N {
            1 => (_mm256_unpacklo_epi8(a[i], b[i]), _mm256_unpackhi_epi8(a[i], b[i])),
            2 => (_mm256_unpacklo_epi16(a[i], b[i]), _mm256_unpackhi_epi16(a[i], b[i])),
            4 => (_mm256_unpacklo_epi32(a[i], b[i]), _mm256_unpackhi_epi32(a[i], b[i])),
            8 => (_mm256_unpacklo_epi64(a[i], b[i]), _mm256_unpackhi_epi64(a[i], b[i])),
            _ => (a[i], b[i]),
        };
        [_mm256_permute2x128_si256::<0x20>(low, high), _mm256_permute2x128_si256::<0x31>(low, high)]
    };
    (pair(0), pair(1))
}

#[cfg(feature = "std")]
instructions! {
    HasAvx512 "avx512f,avx512bw,avx512vbmi" __m512i: _mm512_loadu_si512 _mm512_storeu_si512 _mm512_stream_si512, zip_avx512 unzip_avx512,
    TwoLanes: TwoLanes::load
}

/// For each byte of two shuffled lines, the index of that byte in the two original lines, counted from 64 in the second.
#[cfg(feature = "std")]
struct Shuffle([[u8; LINE]; 2]);

#[cfg(feature = "std")]
impl Shuffle {
    /// Interleaves elements of `n` bytes. With `n` = 4, the first line consists of the bytes 0..4, 64..68, 4..8, 68..72, ...
    const fn zip(n: usize) -> Self {
        let mut bytes = [[0; LINE]; 2];
        let mut at = 0;
        while at < 2 * LINE {
            let (element, byte) = (at / n, at % n);
            let half = LINE / n;
            let from = element % 2 * half + element / 2;
            bytes[at / LINE][at % LINE] = (from * n + byte) as u8;
            at += 1;
        }
        Self(bytes)
    }
}

#[cfg(feature = "std")]
impl Shuffle {
    /// Deinterleaves elements of `n` bytes. With `n` = 4, the first line consists of the bytes 0..4, 8..12, 16..20, ...
    const fn unzip(n: usize) -> Self {
        let mut bytes = [[0; LINE]; 2];
        let mut at = 0;
        while at < 2 * LINE {
            let (element, byte) = (at % LINE / n, at % n);
            bytes[at / LINE][at % LINE] = ((2 * element + at / LINE) * n + byte) as u8;
            at += 1;
        }
        Self(bytes)
    }
}

#[cfg(feature = "std")]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
#[inline]
fn unzip_avx512<const N: usize>(
    [a]: [__m512i; 1],
    [b]: [__m512i; 1],
) -> ([__m512i; 1], [__m512i; 1]) {
    shuffle(a, b, const { &Shuffle::unzip(N) })
}

#[cfg(feature = "std")]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
#[inline]
fn shuffle(a: __m512i, b: __m512i, shuffle: &'static Shuffle) -> ([__m512i; 1], [__m512i; 1]) {
    // The indices are constants, so the compiler chooses the permutation with the widest elements that they allow.
    let [first, second] = &shuffle.0;
    // SAFETY: each array has the bytes of a line.
    let (first, second) = unsafe {
        (_mm512_loadu_si512(first.as_ptr().cast()), _mm512_loadu_si512(second.as_ptr().cast()))
    };
    ([_mm512_permutex2var_epi8(a, first, b)], [_mm512_permutex2var_epi8(a, second, b)])
}

#[cfg(feature = "std")]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
#[inline]
fn zip_avx512<const N: usize>(
    [a]: [__m512i; 1],
    [b]: [__m512i; 1],
) -> ([__m512i; 1], [__m512i; 1]) {
    shuffle(a, b, const { &Shuffle::zip(N) })
}
