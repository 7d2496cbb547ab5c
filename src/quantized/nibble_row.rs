//! Products of one row of `bf16` activations with elements of 4 bits, on CPUs whose AVX-512 has dot products of `bf16`.
//!
//! A table makes a `bf16` of each element, exactly, 32 at a time; two instructions multiply and add 64 of them, where those for `f32`
//! take four. Two groups of 32 elements share a vector: lanes 0 to 7 have the sums of the first one, the others those of the second.
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
use super::row_kernel::{Byte, F16, F32, GROUP, Rows};
use super::view::DynQuantizedRef;
use crate::cpu::{HasAvx512, prefetch};
use core::arch::x86_64::*;
use core::mem::transmute;
use half::bf16;
use layout_core::DType;

/// Elements of two groups: those of a step.
const STEP: usize = 2 * GROUP;

/// Bytes of a group.
const BYTES: usize = GROUP / 2;

/// Rows of weights that share the reading of activations.
const TOGETHER: usize = 4;

/// How the scales of two groups become a vector.
trait TwoScales: Copy {
    /// The first one in eight lanes, and the second in the others.
    ///
    /// # Safety
    /// Both addresses must be good for a scale.
    unsafe fn load(simd: HasAvx512, first: *const u8, second: *const u8, tables: &Tables)
    -> __m512;
}

impl TwoScales for F16 {
    /// # Safety
    /// As [`TwoScales::load`].
    #[inline(always)]
    unsafe fn load(_: HasAvx512, first: *const u8, second: *const u8, _: &Tables) -> __m512 {
        // SAFETY: the caller promises the scales; the value proves the instructions.
        unsafe {
            let [first, second] = [first, second]
                .map(|from| _mm_set1_epi16(i16::from_le_bytes(from.cast::<[u8; 2]>().read())));
            _mm512_cvtph_ps(_mm256_set_m128i(second, first))
        }
    }
}

impl TwoScales for F32 {
    /// # Safety
    /// As [`TwoScales::load`].
    #[inline(always)]
    unsafe fn load(simd: HasAvx512, first: *const u8, second: *const u8, _: &Tables) -> __m512 {
        // SAFETY: the caller promises the scales.
        let [first, second] =
            unsafe { [first.cast::<[u8; 4]>().read(), second.cast::<[u8; 4]>().read()] };
        simd.halves(f32::from_le_bytes(first), f32::from_le_bytes(second))
    }
}

impl TwoScales for Byte {
    /// # Safety
    /// As [`TwoScales::load`].
    #[inline(always)]
    unsafe fn load(
        simd: HasAvx512,
        first: *const u8,
        second: *const u8,
        tables: &Tables,
    ) -> __m512 {
        // SAFETY: the caller promises the scales.
        let [first, second] = unsafe { [first.read(), second.read()] };
        simd.halves(tables.scales[usize::from(first)], tables.scales[usize::from(second)])
    }
}

/// Writes activations that are in the order of groups as two vectors for each two groups: the first halves of both, and the second
/// halves. What no group is left for stays.
fn interleave(from: &[bf16], to: &mut [bf16]) {
    for (to, from) in to.chunks_exact_mut(STEP).zip(from.chunks(STEP)) {
        for (group, from) in from.chunks_exact(GROUP).enumerate() {
            let (first, second) = from.split_at(GROUP / 2);
            to[group * BYTES..][..BYTES].copy_from_slice(first);
            to[GROUP + group * BYTES..][..BYTES].copy_from_slice(second);
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
    interleave(x, &mut ordered);
    let bytes = spec.columns() / spec.block() * (spec.element_stride() + spec.scale().byte_width());
    let strip = (STRIP / bytes.max(1)).max(1).next_multiple_of(TOGETHER);
    let compute = |(number, y): (usize, &mut [f32])| {
        let rows = RowBytes::of(weights, first + number * strip).rows(weights, tables, y.len());
        // SAFETY: the rows are as many as the sums.
        unsafe {
            match spec.scale() {
                DType::F16 => multiply::<F16>(has, rows, &ordered, y),
                DType::F32 => multiply::<F32>(has, rows, &ordered, y),
                _ => multiply::<Byte>(has, rows, &ordered, y),
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
/// The elements and scales of `y.len()` rows must be readable.
unsafe fn multiply<C: TwoScales>(has: Has, rows: Rows<'_>, x: &[bf16], y: &mut [f32]) {
    assert!(rows.groups.is_power_of_two());
    assert!(x.len() >= (rows.blocks * rows.groups * GROUP).next_multiple_of(STEP));
    // SAFETY: `has` proves the instructions; there are as many activations; the caller promises the rows.
    unsafe { all_rows::<C>(has.avx512(), rows, x, y) }
}

/// # Safety
/// The elements and scales of `y.len()` rows must be readable, the activations as many as [`multiply`] asserts, and the CPU must have
/// the instructions that [`Has`] proves.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512bf16,avx2,bmi2")]
unsafe fn all_rows<C: TwoScales>(simd: HasAvx512, rows: Rows<'_>, x: &[bf16], y: &mut [f32]) {
    // Five bits select a word, of which the fifth is one of the other element in the byte.
    let table: [bf16; 32] =
        core::array::from_fn(|code| bf16::from_f32(rows.tables.nibbles[code % 16]));
    // SAFETY: the array has 64 bytes.
    let table = unsafe { _mm512_loadu_si512(table.as_ptr().cast()) };
    let (whole, rest) = y.split_at_mut(y.len() / TOGETHER * TOGETHER);
    let first_of_rest = whole.len();
    for (number, y) in whole.chunks_exact_mut(TOGETHER).enumerate() {
        // SAFETY: the caller promises the rows and the instructions.
        unsafe { some_rows::<C, TOGETHER>(simd, &rows, number * TOGETHER, table, x, y) };
    }
    for (number, y) in rest.chunks_exact_mut(1).enumerate() {
        // SAFETY: as above.
        unsafe { some_rows::<C, 1>(simd, &rows, first_of_rest + number, table, x, y) };
    }
}

/// `N` rows of weights, from `first` on.
///
/// # Safety
/// As [`all_rows`], for these rows.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512bf16,avx2,bmi2")]
unsafe fn some_rows<C: TwoScales, const N: usize>(
    simd: HasAvx512,
    rows: &Rows<'_>,
    first: usize,
    table: __m512i,
    x: &[bf16],
    y: &mut [f32],
) {
    // Blocks have 32, 64, 128 or 256 elements.
    let shift = rows.groups.trailing_zeros();
    let groups = rows.blocks << shift;
    let mut sums = [_mm512_setzero_ps(); N];
    for group in (0..groups).step_by(2) {
        // Where the last group is alone, the other lanes have it too, and are not added.
        let pair = [group, (group + 1).min(groups - 1)];
        let lanes = if pair[1] == group { 0x00FF } else { 0xFFFF };
        // SAFETY: the caller promises the activations, the rows and their scales.
        unsafe {
            let x = x.as_ptr().add(group * GROUP);
            let x = [x, x.add(GROUP)]
                .map(|from| transmute::<__m512i, __m512bh>(_mm512_loadu_si512(from.cast())));
            for (n, sum) in sums.iter_mut().enumerate() {
                let elements = pair.map(|group| {
                    let (block, within) = (group >> shift, group & (rows.groups - 1));
                    let offset = (first + n) * rows.element_row + block * rows.element_stride;
                    rows.elements.add(offset + within * BYTES)
                });
                let scales = pair.map(|group| {
                    let offset = (first + n) * rows.scale_row;
                    rows.scales.add(offset + (group >> shift) * rows.scale_stride)
                });
                if N > 1 {
                    prefetch(elements[0].wrapping_add(N * rows.element_row));
                }
                let [low, high] = elements.map(|from| _mm_loadu_si128(from.cast()));
                let codes = _mm512_cvtepu8_epi16(_mm256_set_m128i(high, low));
                let halves = [codes, _mm512_srli_epi16::<4>(codes)].map(|codes| {
                    transmute::<__m512i, __m512bh>(_mm512_permutexvar_epi16(codes, table))
                });
                let part = _mm512_dpbf16_ps(_mm512_setzero_ps(), halves[0], x[0]);
                let part = _mm512_dpbf16_ps(part, halves[1], x[1]);
                let scales = C::load(simd, scales[0], scales[1], rows.tables);
                *sum = _mm512_mask3_fmadd_ps(part, scales, *sum, lanes);
            }
        }
    }
    for (y, sum) in y.iter_mut().zip(sums) {
        *y = simd.sum(sum) * rows.tensor_scale;
    }
}
