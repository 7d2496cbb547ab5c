//! How the scales of weights are read.
#![allow(unsafe_code, reason = "scales are read by address")]

use super::Dots;
use crate::quantized::lanes::Tables;
use crate::quantized::row_kernel::{Byte, F16, F32};
use half::f16;
use layout_core::dtype::float::widen_f16;

/// How a scale is stored.
pub(super) trait Scale {
    /// The number of a scale.
    ///
    /// # Safety
    /// A scale must be readable at the address.
    unsafe fn read(from: *const u8, tables: &Tables) -> f32;

    /// The numbers of the scales of a step: four, or two if `V` is 1, of which the last two are then unspecified.
    ///
    /// # Safety
    /// A scale must be readable at each address; if `V` is 1, the last two are not read.
    #[inline(always)]
    unsafe fn load<S: Dots, const V: usize>(
        simd: S,
        from: [*const u8; 4],
        tables: &Tables,
    ) -> S::Scales {
        let [a, b, c, d] = from;
        // SAFETY: the caller promises the scales.
        let [a, b] = unsafe { [Self::read(a, tables), Self::read(b, tables)] };
        if V == 1 {
            return simd.floats([a, b, 0.0, 0.0]);
        }
        // SAFETY: as above.
        let [c, d] = unsafe { [Self::read(c, tables), Self::read(d, tables)] };
        simd.floats([a, b, c, d])
    }
}

/// # Safety
/// Two bytes must be readable at the address.
#[inline(always)]
unsafe fn two_bytes(from: *const u8) -> u16 {
    // SAFETY: the caller promises the bytes.
    u16::from_le_bytes(unsafe { from.cast::<[u8; 2]>().read() })
}

impl Scale for F16 {
    /// # Safety
    /// As [`Scale::read`].
    #[inline(always)]
    unsafe fn read(from: *const u8, _: &Tables) -> f32 {
        // SAFETY: the caller promises the bytes.
        widen_f16(f16::from_bits(unsafe { two_bytes(from) }))
    }

    /// # Safety
    /// As [`Scale::load`].
    #[inline(always)]
    unsafe fn load<S: Dots, const V: usize>(
        simd: S,
        from: [*const u8; 4],
        _: &Tables,
    ) -> S::Scales {
        let [a, b, c, d] = from;
        // SAFETY: the caller promises the bytes.
        let [a, b] = unsafe { [two_bytes(a), two_bytes(b)] };
        if V == 1 {
            return simd.halves([a, b, 0, 0]);
        }
        // SAFETY: as above.
        let [c, d] = unsafe { [two_bytes(c), two_bytes(d)] };
        simd.halves([a, b, c, d])
    }
}

impl Scale for F32 {
    /// # Safety
    /// As [`Scale::read`].
    #[inline(always)]
    unsafe fn read(from: *const u8, _: &Tables) -> f32 {
        // SAFETY: the caller promises the bytes.
        f32::from_le_bytes(unsafe { from.cast::<[u8; 4]>().read() })
    }
}

impl Scale for Byte {
    /// # Safety
    /// As [`Scale::read`].
    #[inline(always)]
    unsafe fn read(from: *const u8, tables: &Tables) -> f32 {
        // SAFETY: the caller promises the byte.
        tables.scales[usize::from(unsafe { from.read() })]
    }
}
