//! Lines in the registers of 64-bit ARM: four of NEON.

use super::{Instructions, LANE, LINE, Lanes, transposed_order};
use core::arch::aarch64::*;

#[derive(Clone, Copy)]
pub(crate) struct Baseline;

/// Interleaves the elements of `N` bytes of two registers.
#[inline(always)]
fn zip<const N: usize>(a: uint8x16_t, b: uint8x16_t) -> (uint8x16_t, uint8x16_t) {
    macro_rules! as_elements {
        ($cast:ident $back:ident $first:ident $second:ident) => {{
            let (a, b) = ($cast(a), $cast(b));
            ($back($first(a, b)), $back($second(a, b)))
        }};
    }
    // SAFETY: every CPU of the target has NEON.
    unsafe {
        match N {
            1 => (vzip1q_u8(a, b), vzip2q_u8(a, b)),
            2 => as_elements!(vreinterpretq_u16_u8 vreinterpretq_u8_u16 vzip1q_u16 vzip2q_u16),
            4 => as_elements!(vreinterpretq_u32_u8 vreinterpretq_u8_u32 vzip1q_u32 vzip2q_u32),
            8 => as_elements!(vreinterpretq_u64_u8 vreinterpretq_u8_u64 vzip1q_u64 vzip2q_u64),
            _ => (a, b),
        }
    }
}

impl Instructions for Baseline {
    type Line = [uint8x16_t; LINE / LANE];

    /// # Safety
    /// As for [`Instructions::load`].
    #[inline(always)]
    unsafe fn load(self, from: *const u8) -> Self::Line {
        // SAFETY: each register lies within the line.
        crate::cpu::array(|i| unsafe { vld1q_u8(from.add(i * LANE)) })
    }

    /// # Safety
    /// As for [`Instructions::store`].
    #[inline(always)]
    unsafe fn store(self, to: *mut u8, line: Self::Line) {
        for (i, register) in line.into_iter().enumerate() {
            // SAFETY: each register lies within the line.
            unsafe { vst1q_u8(to.add(i * LANE), register) };
        }
    }

    /// Stores without bypassing the caches: `core` has no such instructions for ARM.
    ///
    /// # Safety
    /// As for [`Instructions::stream`].
    #[inline(always)]
    unsafe fn stream(self, to: *mut u8, line: Self::Line) {
        // SAFETY: as the caller promises.
        unsafe { self.store(to, line) };
    }

    #[inline(always)]
    fn zip<const N: usize>(self, a: Self::Line, b: Self::Line) -> (Self::Line, Self::Line) {
        let pair = |i: usize| zip::<N>(a[i], b[i]);
        let ((p, q), (r, s), (t, u), (v, w)) = (pair(0), pair(1), pair(2), pair(3));
        ([p, q, r, s], [t, u, v, w])
    }

    type Lanes = uint8x16_t;

    /// # Safety
    /// As for [`Instructions::load_lanes`].
    #[inline(always)]
    unsafe fn load_lanes(self, from: *const u8, _: usize) -> uint8x16_t {
        // SAFETY: as the caller promises.
        unsafe { vld1q_u8(from) }
    }

    type Lane = uint8x16_t;

    /// # Safety
    /// As for [`Instructions::load_lane`].
    #[inline(always)]
    unsafe fn load_lane(self, from: *const u8) -> uint8x16_t {
        // SAFETY: as the caller promises.
        unsafe { vld1q_u8(from) }
    }
}

impl Lanes for uint8x16_t {
    #[inline(always)]
    fn zip<const N: usize>(self, other: Self) -> (Self, Self) {
        zip::<N>(self, other)
    }

    #[inline(always)]
    fn deinterleave<const N: usize, const P: usize>(self) -> Self {
        let groups = const { LANE / N / P };
        let order: [u8; LANE] = core::array::from_fn(|at| {
            let element = at / N;
            ((element % groups * P + element / groups) * N + at % N) as u8
        });
        // SAFETY: the array has the bytes of a register, and every CPU of the target has NEON.
        unsafe { vqtbl1q_u8(self, vld1q_u8(order.as_ptr())) }
    }

    #[inline(always)]
    fn transpose_units<const N: usize, const P: usize>(self) -> Self {
        // SAFETY: the array has the bytes of a register, and every CPU of the target has NEON.
        unsafe { vqtbl1q_u8(self, vld1q_u8(const { &transposed_order(N, P) }.as_ptr())) }
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
        unsafe { vst1q_u8(to, self) };
    }

    /// # Safety
    /// As for [`Lanes::stream`].
    #[inline(always)]
    unsafe fn stream(self, to: *mut u8) {
        // SAFETY: as the caller promises.
        unsafe { vst1q_u8(to, self) };
    }
}
