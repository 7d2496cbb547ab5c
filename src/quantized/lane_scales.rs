//! Scales as vectors of 16 numbers, on CPUs whose AVX-512 permutes bytes.
#![allow(unsafe_code, reason = "instructions that not every CPU has")]

use super::float_tables::FloatTables;
use super::lanes::Tables;
use super::row_kernel::{F16, F32};
use crate::cpu::HasAvx512;
use core::arch::x86_64::*;

/// A kind of scales.
pub(super) trait LaneScales: Copy {
    /// The bytes of a scale.
    const BYTES: usize;
    /// The bytes that [`LaneScales::decode`] reads, as a bit for each.
    const MASK: u64;
    /// The tables in the form that `decode` reads.
    type Table: Copy + Send + Sync;

    fn table(simd: HasAvx512, tables: &Tables) -> Self::Table;

    /// The lane of a byte that [`LaneScales::decode`] reads, and its number among the bytes of the scale.
    fn position(byte: usize) -> (usize, usize);

    /// The numbers of scales whose bytes are at the positions of [`LaneScales::position`], with zeros elsewhere.
    ///
    /// # Safety
    /// The CPU must have AVX-512 with VBMI.
    unsafe fn decode(bytes: __m512i, table: Self::Table) -> __m512;
}

impl LaneScales for F16 {
    const BYTES: usize = 2;
    const MASK: u64 = 0xFFFF_FFFF;
    type Table = ();

    #[inline(always)]
    fn table(_: HasAvx512, _: &Tables) {}

    fn position(byte: usize) -> (usize, usize) {
        (byte / 2 % 16, byte % 2)
    }

    /// # Safety
    /// As [`LaneScales::decode`].
    #[inline(always)]
    unsafe fn decode(bytes: __m512i, (): ()) -> __m512 {
        // SAFETY: the caller promises the instructions.
        unsafe { _mm512_cvtph_ps(_mm512_castsi512_si256(bytes)) }
    }
}

impl LaneScales for F32 {
    const BYTES: usize = 4;
    const MASK: u64 = u64::MAX;
    type Table = ();

    #[inline(always)]
    fn table(_: HasAvx512, _: &Tables) {}

    fn position(byte: usize) -> (usize, usize) {
        (byte / 4, byte % 4)
    }

    /// # Safety
    /// As [`LaneScales::decode`].
    #[inline(always)]
    unsafe fn decode(bytes: __m512i, (): ()) -> __m512 {
        // SAFETY: the caller promises the instructions.
        unsafe { _mm512_castsi512_ps(bytes) }
    }
}

/// Powers of two: `f8e8m0fnu`.
#[derive(Clone, Copy)]
pub(super) struct Powers;

impl LaneScales for Powers {
    const BYTES: usize = 1;
    const MASK: u64 = 0x1111_1111_1111_1111;
    type Table = ();

    #[inline(always)]
    fn table(_: HasAvx512, _: &Tables) {}

    fn position(byte: usize) -> (usize, usize) {
        (byte / 4, 0)
    }

    /// The code is the exponent of an `f32`, except that the smallest code is the subnormal number 2^-127, and the largest is not a
    /// number.
    ///
    /// # Safety
    /// As [`LaneScales::decode`].
    #[inline(always)]
    unsafe fn decode(bytes: __m512i, (): ()) -> __m512 {
        // SAFETY: the caller promises the instructions.
        unsafe {
            let numbers = _mm512_castsi512_ps(_mm512_slli_epi32::<23>(bytes));
            let least = _mm512_castsi512_ps(_mm512_set1_epi32(0x0040_0000));
            // The digits are, from the lowest: not a number (twice), zero, one, infinities, other numbers. 0 selects `least`, 1 the
            // number, and 3 not a number.
            let table = _mm512_set1_epi32(0x1131_1011);
            _mm512_fixupimm_ps::<0>(least, numbers, table)
        }
    }
}

/// `f8e4m3fn`.
#[derive(Clone, Copy)]
pub(super) struct Small;

impl LaneScales for Small {
    const BYTES: usize = 1;
    const MASK: u64 = u64::MAX;
    /// The numbers, and the bit of the sign, if these scales have one.
    type Table = (FloatTables, __m512i);

    #[inline(always)]
    fn table(simd: HasAvx512, tables: &Tables) -> Self::Table {
        // The code of 1 with the bit of the sign.
        let sign = if tables.scales[0xB8] < 0.0 { i32::MIN } else { 0 };
        // SAFETY: the value proves the instructions.
        (FloatTables::of(simd, &tables.scales), unsafe { _mm512_set1_epi32(sign) })
    }

    fn position(byte: usize) -> (usize, usize) {
        (byte / 4, 0)
    }

    /// # Safety
    /// As [`LaneScales::decode`].
    #[inline(always)]
    unsafe fn decode(codes: __m512i, (table, sign): Self::Table) -> __m512 {
        // SAFETY: the caller promises the instructions.
        unsafe {
            // The bytes of a `bf16` are the high bytes of an `f32`.
            let [low, high] =
                [(0x4444_4444_4444_4444, table.low), (0x8888_8888_8888_8888, table.high)]
                    .map(|(mask, [a, b])| _mm512_maskz_permutex2var_epi8(mask, a, codes, b));
            let sign = _mm512_and_si512(codes, sign);
            _mm512_castsi512_ps(_mm512_ternarylogic_epi64::<0xFE>(low, high, sign))
        }
    }
}
