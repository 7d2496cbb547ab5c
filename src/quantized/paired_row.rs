//! Products of one row of `bf16` activations, on CPUs whose AVX-512 has dot products of `bf16`.
//!
//! Tables make a `bf16` of each element of 4 bits and of each small float, exactly; two instructions multiply and add 64 of them, where
//! those for `f32` take four. Two groups of 32 elements share a vector: lanes 0 to 7 have the sums of the first one, the others those of
//! the second.
#![allow(
    unsafe_code,
    reason = "instructions that not every CPU has; rows of weights are read by address"
)]

use super::error::QuantizedError;
use super::lanes::{Lanes, Tables};
#[cfg(feature = "parallel")]
use super::matmul::PARALLEL;
use super::matmul::{RowBytes, STRIP};
use super::panels::Has;
use super::row_kernel::{Byte, F16, F32, GROUP, Pairs, Rows, TOGETHER};
use super::view::DynQuantizedRef;
use crate::cpu::{HasAvx512, prefetch};
use core::arch::x86_64::*;
use core::mem::transmute;
use half::bf16;
use layout_core::DType;

/// The number of elements of a step: two groups.
const STEP: usize = 2 * GROUP;

/// The number of groups whose scales, in a plane, fit in a cache line.
const GROUPS_PER_SCALE_LINE: usize = 16;

/// How two groups of elements become two vectors of `bf16`.
trait Codes: Copy {
    /// Bytes of a group.
    const BYTES: usize;
    /// Elements that lie together in a vector: runs of so many are in the one vector and in the other in turn.
    const RUN: usize;

    /// The tables.
    fn new(simd: HasAvx512, tables: &Tables) -> Self;

    /// The vectors of two groups.
    ///
    /// # Safety
    /// Both addresses must be good for a group, and the CPU must have the instructions that [`Has`] proves.
    unsafe fn load(self, from: [*const u8; 2]) -> [__m512bh; 2];
}

/// Elements of 4 bits: five bits select a word of the table, of which the fifth is one of the other element in the byte.
#[derive(Clone, Copy)]
struct Nibbles(__m512i);

impl Codes for Nibbles {
    const BYTES: usize = GROUP / 2;
    const RUN: usize = 16;

    #[inline(always)]
    fn new(_: HasAvx512, tables: &Tables) -> Self {
        let words: [bf16; 32] =
            core::array::from_fn(|code| bf16::from_f32(tables.nibbles[code % 16]));
        // SAFETY: the value proves the instructions; the array has 64 bytes.
        Self(unsafe { _mm512_loadu_si512(words.as_ptr().cast()) })
    }

    /// # Safety
    /// As [`Codes::load`].
    #[inline(always)]
    unsafe fn load(self, from: [*const u8; 2]) -> [__m512bh; 2] {
        // SAFETY: the caller promises the bytes and the instructions; the vectors are of 64 bytes.
        unsafe {
            let [low, high] = from.map(|from| _mm_loadu_si128(from.cast()));
            let codes = _mm512_cvtepu8_epi16(_mm256_set_m128i(high, low));
            [codes, _mm512_srli_epi16::<4>(codes)].map(|codes| {
                transmute::<__m512i, __m512bh>(_mm512_permutexvar_epi16(codes, self.0))
            })
        }
    }
}

/// Floats of 8 bits: seven bits select a byte of each of two tables, of the high and of the low bytes, and the eighth is the sign.
#[derive(Clone, Copy)]
struct Floats {
    high: [__m512i; 2],
    low: [__m512i; 2],
}

impl Floats {
    /// The tables of numbers whose codes differ in the sign alone if they differ in the eighth bit.
    #[inline(always)]
    fn of(_: HasAvx512, numbers: &[f32; 256]) -> Self {
        let words: [u16; 128] =
            core::array::from_fn(|code| bf16::from_f32(numbers[code]).to_bits());
        let (high, low) = (words.map(|word| (word >> 8) as u8), words.map(|word| word as u8));
        // SAFETY: the value proves the instructions; the arrays have twice 64 bytes.
        unsafe {
            let load = |bytes: &[u8; 128]| {
                [0, 64].map(|at| _mm512_loadu_si512(bytes.as_ptr().add(at).cast()))
            };
            Self { high: load(&high), low: load(&low) }
        }
    }
}

impl Codes for Floats {
    const BYTES: usize = GROUP;
    const RUN: usize = 8;

    #[inline(always)]
    fn new(simd: HasAvx512, tables: &Tables) -> Self {
        Self::of(simd, &tables.elements)
    }

    /// # Safety
    /// As [`Codes::load`].
    #[inline(always)]
    unsafe fn load(self, from: [*const u8; 2]) -> [__m512bh; 2] {
        // SAFETY: the caller promises the bytes and the instructions; the vectors are of 64 bytes.
        unsafe {
            let [first, second] = from.map(|from| _mm256_loadu_si256(from.cast()));
            let codes = _mm512_inserti64x4::<1>(_mm512_castsi256_si512(first), second);
            let low = _mm512_permutex2var_epi8(self.low[0], codes, self.low[1]);
            let high = _mm512_permutex2var_epi8(self.high[0], codes, self.high[1]);
            // The high bytes, or the sign bits of the codes.
            let signs = _mm512_set1_epi8(i8::MIN);
            let high = _mm512_ternarylogic_epi64::<0xF8>(high, codes, signs);
            [_mm512_unpacklo_epi8(low, high), _mm512_unpackhi_epi8(low, high)]
                .map(|words| transmute::<__m512i, __m512bh>(words))
        }
    }
}

/// How the scales of two groups become a vector.
trait TwoScales: Copy {
    /// What is made of the tables once.
    type Table: Copy;

    fn table(simd: HasAvx512, tables: &Tables) -> Self::Table;

    /// The first one in eight lanes, and the second in the others.
    ///
    /// # Safety
    /// Both addresses must be good for a scale, and the CPU must have the instructions that [`Has`] proves.
    unsafe fn load(
        simd: HasAvx512,
        first: *const u8,
        second: *const u8,
        tables: &Tables,
        table: Self::Table,
    ) -> __m512;
}

impl TwoScales for F16 {
    type Table = ();

    #[inline(always)]
    fn table(_: HasAvx512, _: &Tables) {}

    /// # Safety
    /// As [`TwoScales::load`].
    #[inline(always)]
    unsafe fn load(
        _: HasAvx512,
        first: *const u8,
        second: *const u8,
        _: &Tables,
        (): (),
    ) -> __m512 {
        // SAFETY: the caller promises the scales; the value proves the instructions.
        unsafe {
            let [first, second] = [first, second]
                .map(|from| _mm_set1_epi16(i16::from_le_bytes(from.cast::<[u8; 2]>().read())));
            _mm512_cvtph_ps(_mm256_set_m128i(second, first))
        }
    }
}

impl TwoScales for F32 {
    type Table = ();

    #[inline(always)]
    fn table(_: HasAvx512, _: &Tables) {}

    /// # Safety
    /// As [`TwoScales::load`].
    #[inline(always)]
    unsafe fn load(
        simd: HasAvx512,
        first: *const u8,
        second: *const u8,
        _: &Tables,
        (): (),
    ) -> __m512 {
        // SAFETY: the caller promises the scales.
        let [first, second] =
            unsafe { [first.cast::<[u8; 4]>().read(), second.cast::<[u8; 4]>().read()] };
        simd.halves(f32::from_le_bytes(first), f32::from_le_bytes(second))
    }
}

impl TwoScales for Byte {
    type Table = ();

    #[inline(always)]
    fn table(_: HasAvx512, _: &Tables) {}

    /// # Safety
    /// As [`TwoScales::load`].
    #[inline(always)]
    unsafe fn load(
        simd: HasAvx512,
        first: *const u8,
        second: *const u8,
        tables: &Tables,
        (): (),
    ) -> __m512 {
        // SAFETY: the caller promises the scales.
        let [first, second] = unsafe { [first.read(), second.read()] };
        simd.halves(tables.scales[usize::from(first)], tables.scales[usize::from(second)])
    }
}

impl TwoScales for Pairs {
    type Table = Floats;

    #[inline(always)]
    fn table(simd: HasAvx512, tables: &Tables) -> Floats {
        Floats::of(simd, &tables.scales)
    }

    /// Each group has two: blocks have 16 elements, and so four lanes.
    ///
    /// # Safety
    /// As [`TwoScales::load`], for the two scales of each group.
    #[inline(always)]
    unsafe fn load(
        _: HasAvx512,
        first: *const u8,
        second: *const u8,
        _: &Tables,
        table: Floats,
    ) -> __m512 {
        // SAFETY: the caller promises the scales and the instructions.
        unsafe {
            let [first, second] = [first, second].map(|from| from.cast::<[u8; 2]>().read());
            let codes = u32::from_le_bytes([first[0], first[1], second[0], second[1]]);
            // Four lanes have a code each, in all bytes.
            let places = _mm512_set_epi32(
                0x03030303, 0x03030303, 0x03030303, 0x03030303, 0x02020202, 0x02020202, 0x02020202,
                0x02020202, 0x01010101, 0x01010101, 0x01010101, 0x01010101, 0, 0, 0, 0,
            );
            let codes = _mm512_set1_epi32(codes.cast_signed());
            let codes = _mm512_shuffle_epi8(codes, places);
            // An `f32` has the bytes of a `bf16` as its high ones.
            let [low, high] =
                [(0x4444_4444_4444_4444, table.low), (0x8888_8888_8888_8888, table.high)]
                    .map(|(mask, [a, b])| _mm512_maskz_permutex2var_epi8(mask, a, codes, b));
            let sign = _mm512_and_si512(codes, _mm512_set1_epi32(i32::MIN));
            _mm512_castsi512_ps(_mm512_ternarylogic_epi64::<0xFE>(low, high, sign))
        }
    }
}

/// Writes activations that are in the order of groups as two vectors for each two groups: runs of `run` of them are in the first
/// vector and in the second in turn. What no group is left for stays.
fn interleave(from: &[bf16], run: usize, to: &mut [bf16]) {
    for (to, from) in to.chunks_exact_mut(STEP).zip(from.chunks(STEP)) {
        for (number, from) in from.chunks_exact(run).enumerate() {
            to[number % 2 * GROUP + number / 2 * run..][..run].copy_from_slice(from);
        }
    }
}

/// The sums of all rows of weights, times a row of activations in the order of the groups.
pub(super) fn product(
    has: Has,
    weights: &DynQuantizedRef<'_>,
    x: &[bf16],
    tables: &Tables,
    y: &mut [f32],
) -> Result<(), QuantizedError> {
    let (spec, first) = (weights.spec(), weights.row_range().start);
    let mut ordered = weights.memory::<bf16>(x.len().next_multiple_of(STEP))?;
    let has_nibbles = spec.element().bits() == 4;
    interleave(x, if has_nibbles { Nibbles::RUN } else { Floats::RUN }, &mut ordered);
    let bytes = spec.columns() / spec.block() * (spec.element_stride() + spec.scale().byte_width());
    let strip = (STRIP / bytes.max(1)).max(1).next_multiple_of(TOGETHER);
    let compute = |(number, y): (usize, &mut [f32])| {
        let rows = RowBytes::of(weights, first + number * strip).rows(weights, tables, y.len());
        // SAFETY: the rows are as many as the sums.
        unsafe {
            match (has_nibbles, spec.scale()) {
                (true, _) if spec.block() < GROUP => {
                    multiply::<Nibbles, Pairs>(has, rows, &ordered, y);
                }
                (true, DType::F16) => multiply::<Nibbles, F16>(has, rows, &ordered, y),
                (true, DType::F32) => multiply::<Nibbles, F32>(has, rows, &ordered, y),
                (true, _) => multiply::<Nibbles, Byte>(has, rows, &ordered, y),
                (false, DType::F16) => multiply::<Floats, F16>(has, rows, &ordered, y),
                (false, DType::F32) => multiply::<Floats, F32>(has, rows, &ordered, y),
                (false, _) => multiply::<Floats, Byte>(has, rows, &ordered, y),
            }
        }
    };
    #[cfg(feature = "parallel")]
    if rayon::current_num_threads() > 1 && y.len() * x.len() >= PARALLEL {
        use rayon::prelude::*;
        y.par_chunks_mut(strip).enumerate().for_each(compute);
        return Ok(());
    }
    y.chunks_mut(strip).enumerate().for_each(compute);
    Ok(())
}

/// Multiplies rows of weights by `x`, which [`interleave`] has written: a sum for each row.
///
/// # Safety
/// The elements and scales of `y.len()` rows must be readable, and be those of the types.
unsafe fn multiply<E: Codes, C: TwoScales>(has: Has, rows: Rows<'_>, x: &[bf16], y: &mut [f32]) {
    assert!(rows.groups.is_power_of_two());
    assert!(x.len() >= (rows.blocks * rows.groups * GROUP).next_multiple_of(STEP));
    // SAFETY: `has` proves the instructions; there are as many activations; the caller promises the rows.
    unsafe { all_rows::<E, C>(has.avx512(), rows, x, y) }
}

/// # Safety
/// The elements and scales of `y.len()` rows must be readable, the activations as many as [`multiply`] asserts, and the CPU must have
/// the instructions that [`Has`] proves.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512bf16,avx2,bmi2")]
unsafe fn all_rows<E: Codes, C: TwoScales>(
    simd: HasAvx512,
    rows: Rows<'_>,
    x: &[bf16],
    y: &mut [f32],
) {
    let with = (E::new(simd, rows.tables), C::table(simd, rows.tables));
    let (whole, rest) = y.split_at_mut(y.len() / TOGETHER * TOGETHER);
    let first_of_rest = whole.len();
    for (number, y) in whole.chunks_exact_mut(TOGETHER).enumerate() {
        // SAFETY: the caller promises the rows and the instructions.
        unsafe {
            match rows.groups {
                1 => some_rows::<E, C, TOGETHER, true>(simd, &rows, number * TOGETHER, with, x, y),
                _ => some_rows::<E, C, TOGETHER, false>(simd, &rows, number * TOGETHER, with, x, y),
            }
        }
    }
    for (number, y) in rest.chunks_exact_mut(1).enumerate() {
        // SAFETY: as above.
        unsafe { some_rows::<E, C, 1, false>(simd, &rows, first_of_rest + number, with, x, y) };
    }
}

/// `N` rows of weights, from `first` on.
///
/// # Safety
/// As [`all_rows`], for these rows; with `ONE_GROUP`, blocks must have one group.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512bf16,avx2,bmi2")]
unsafe fn some_rows<E: Codes, C: TwoScales, const N: usize, const ONE_GROUP: bool>(
    simd: HasAvx512,
    rows: &Rows<'_>,
    first: usize,
    with: (E, C::Table),
    x: &[bf16],
    y: &mut [f32],
) {
    // Blocks have 32, 64, 128 or 256 elements.
    let groups = rows.blocks * rows.groups;
    let mut sums = [_mm512_setzero_ps(); N];
    let pairs = groups / 2 * 2;
    // SAFETY: the caller promises the activations, the rows and their scales.
    unsafe {
        for group in (0..pairs).step_by(2) {
            let pair = [group, group + 1];
            step::<E, C, N, ONE_GROUP>(simd, rows, first, with, x, pair, 0xFFFF, &mut sums);
        }
        if pairs < groups {
            // The last group is alone: the other lanes have it too, and are not added.
            let pair = [pairs, pairs];
            step::<E, C, N, ONE_GROUP>(simd, rows, first, with, x, pair, 0x00FF, &mut sums);
        }
    }
    for (y, sum) in y.iter_mut().zip(sums) {
        *y = simd.sum(sum) * rows.tensor_scale;
    }
}

/// Adds the products of two groups of `N` rows to the sums in some lanes.
///
/// # Safety
/// As [`some_rows`], and the row must have the groups.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512bf16,avx2,bmi2")]
#[allow(clippy::too_many_arguments, reason = "what the loop above has in registers")]
unsafe fn step<E: Codes, C: TwoScales, const N: usize, const ONE_GROUP: bool>(
    simd: HasAvx512,
    rows: &Rows<'_>,
    first: usize,
    with: (E, C::Table),
    x: &[bf16],
    pair: [usize; 2],
    lanes: u16,
    sums: &mut [__m512; N],
) {
    let shift = if ONE_GROUP { 0 } else { rows.groups.trailing_zeros() };
    // SAFETY: the caller promises the activations, the rows and their scales.
    unsafe {
        let x = x.as_ptr().add(pair[0] * GROUP);
        let x = [x, x.add(GROUP)]
            .map(|from| transmute::<__m512i, __m512bh>(_mm512_loadu_si512(from.cast())));
        for (n, sum) in sums.iter_mut().enumerate() {
            let elements = pair.map(|group| {
                let within = if ONE_GROUP { 0 } else { group & (rows.groups - 1) };
                let offset =
                    (first + n) * rows.element_row + (group >> shift) * rows.element_stride;
                rows.elements.add(offset + within * E::BYTES)
            });
            let scales = pair.map(|group| {
                let offset = (first + n) * rows.scale_row;
                rows.scales.add(offset + (group >> shift) * rows.scale_stride)
            });
            if N > 1 {
                prefetch(elements[0].wrapping_add(rows.ahead));
                // In planes, a cache line contains the scales of many groups.
                if pair[0].is_multiple_of(GROUPS_PER_SCALE_LINE) {
                    prefetch(scales[0].wrapping_add(rows.scales_ahead));
                }
            }
            let halves = with.0.load(elements);
            let part = _mm512_dpbf16_ps(_mm512_setzero_ps(), halves[0], x[0]);
            let part = _mm512_dpbf16_ps(part, halves[1], x[1]);
            let scales = C::load(simd, scales[0], scales[1], rows.tables, with.1);
            *sum = _mm512_mask3_fmadd_ps(part, scales, *sum, lanes);
        }
    }
}
