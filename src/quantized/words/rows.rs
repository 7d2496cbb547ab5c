//! The loops over rows of weights.

use super::super::float_tables::FloatTables;
use super::super::lanes::{Lanes, Tables};
use super::super::panels::Has;
use super::super::row_kernel::{GROUP, Rows, TOGETHER};
use super::{CHUNK, LaneScales, Word};
use crate::cpu::{HasAvx512, prefetch};
use core::arch::x86_64::*;
use layout_core::quantized::{Arrangement, QuantizedSpec};

/// The distance in bytes at which elements are prefetched. Reading this many bytes takes longer than the latency of memory.
const AHEAD: usize = 16 << 10;

/// The number of groups of a chunk.
const GROUPS: usize = CHUNK / GROUP;

/// What all rows of weights of a layout have in common.
#[derive(Clone, Copy)]
pub(super) struct Common<S: LaneScales> {
    elements: FloatTables,
    scales: S::Table,
    /// Whether all elements are contiguous, and all scales, with one for each group.
    is_contiguous: bool,
    /// The sources of the bytes of scales, if these are contiguous.
    scale_bytes: __m512i,
}

impl<S: LaneScales> Common<S> {
    /// The common data for rows of this layout.
    pub(super) fn of(has: Has, spec: &QuantizedSpec, tables: &Tables) -> Self {
        let scale_bytes: [u8; CHUNK] = core::array::from_fn(|at| {
            let (lane, byte) = S::position(at);
            (lane * GROUPS / 16 * S::BYTES + byte) as u8
        });
        Self {
            elements: FloatTables::of(has.avx512(), &tables.elements),
            scales: S::table(has.avx512(), tables),
            is_contiguous: spec.arrangement() == Arrangement::Planes && spec.block() == GROUP,
            // SAFETY: `has` proves the instructions; the array has 64 bytes.
            scale_bytes: unsafe { _mm512_loadu_si512(scale_bytes.as_ptr().cast()) },
        }
    }
}

/// Multiplies rows of weights by `x`, which [`arrange`](super::activations::arrange) has written: a sum for each row.
///
/// # Safety
/// The elements and scales of `y.len()` rows must be readable, have these types, and have the layout of `common`.
pub(super) unsafe fn multiply<S: LaneScales, W: Word>(
    has: Has,
    common: &Common<S>,
    rows: Rows<'_>,
    x: &[W],
    y: &mut [f32],
) {
    let groups = rows.blocks * rows.groups;
    assert!(rows.groups.is_power_of_two() && x.len() >= (groups * GROUP).next_multiple_of(CHUNK));
    let it = Loop { rows, groups, common: *common };
    // SAFETY: `has` proves the instructions; there is an activation for each element; the caller promises the rows.
    unsafe { all_rows::<S, W>(has.avx512(), &it, x, y) }
}

/// Some rows of weights.
#[derive(Clone, Copy)]
struct Loop<'a, S: LaneScales> {
    rows: Rows<'a>,
    /// The number of groups of a row.
    groups: usize,
    common: Common<S>,
}

impl<S: LaneScales> Loop<'_, S> {
    /// The bytes of a whole chunk of a row, and the scale of each lane.
    ///
    /// # Safety
    /// The row must have the chunk, with contiguous elements and scales, and the CPU must have AVX-512 with VBMI.
    #[inline(always)]
    unsafe fn contiguous(&self, row: usize, chunk: usize) -> (__m512i, __m512) {
        let bytes = GROUPS * S::BYTES;
        // SAFETY: the caller promises the chunk and its scales.
        unsafe {
            let elements = self.rows.elements.add(row * self.rows.element_row + chunk * CHUNK);
            let scales = self.rows.scales.add(row * self.rows.scale_row + chunk * bytes);
            let scales = match bytes {
                2 => _mm512_set1_epi16(scales.cast::<i16>().read_unaligned()),
                4 => _mm512_set1_epi32(scales.cast::<i32>().read_unaligned()),
                _ => _mm512_set1_epi64(scales.cast::<i64>().read_unaligned()),
            };
            (_mm512_loadu_si512(elements.cast()), self.decode(scales))
        }
    }

    /// The scale of each lane, from the scales of a chunk one after the other, repeated.
    ///
    /// # Safety
    /// The CPU must have AVX-512 with VBMI.
    #[inline(always)]
    unsafe fn decode(&self, scales: __m512i) -> __m512 {
        // SAFETY: the caller promises the instructions.
        unsafe {
            let scales = _mm512_maskz_permutexvar_epi8(S::MASK, self.common.scale_bytes, scales);
            S::decode(scales, self.common.scales)
        }
    }

    /// As [`Loop::contiguous`], with groups at any distances. Past the end of the row, the last group is read again.
    ///
    /// # Safety
    /// As [`Loop::contiguous`], except that the row needs only one group of the chunk, and elements and scales may be anywhere.
    #[inline(always)]
    unsafe fn anywhere(&self, row: usize, chunk: usize) -> (__m512i, __m512) {
        let (rows, shift) = (&self.rows, self.rows.groups.trailing_zeros());
        let (mut groups, mut scales) = ([rows.elements; GROUPS], [0; size_of::<u64>()]);
        // SAFETY: the caller promises the row and its scales; no group is past its end, and each has 32 bytes.
        unsafe {
            for (number, to) in scales.chunks_exact_mut(S::BYTES).take(GROUPS).enumerate() {
                let group = (chunk * GROUPS + number).min(self.groups - 1);
                let (block, within) = (group >> shift, group & (rows.groups - 1));
                let at = row * rows.element_row + block * rows.element_stride + within * GROUP;
                groups[number] = rows.elements.add(at);
                let at = row * rows.scale_row + block * rows.scale_stride;
                let from = rows.scales.add(at);
                to.copy_from_slice(core::slice::from_raw_parts(from, S::BYTES));
            }
            let scales = _mm512_set1_epi64(i64::from_le_bytes(scales));
            let codes = _mm512_castsi256_si512(_mm256_loadu_si256(groups[0].cast()));
            let codes = _mm512_inserti64x4::<1>(codes, _mm256_loadu_si256(groups[1].cast()));
            (codes, self.decode(scales))
        }
    }

    /// The products of a chunk, added up in each lane.
    ///
    /// # Safety
    /// The activations of a chunk must be readable at `x`, and the CPU must have the instructions that [`Has`] proves.
    #[inline(always)]
    unsafe fn part<W: Word>(&self, codes: __m512i, x: *const W) -> __m512 {
        // SAFETY: as the caller promises.
        unsafe {
            let mut sums = [_mm512_setzero_ps(); 2];
            for (number, words) in self.common.elements.words(codes).into_iter().enumerate() {
                sums = W::add(sums, words, x.add(number * 32));
            }
            W::total(sums)
        }
    }
}

/// # Safety
/// The elements and scales of `y.len()` rows must be readable, there must be the activations that [`multiply`] asserts, and the CPU
/// must have the instructions that [`Has`] proves.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512bf16,avx2,bmi2")]
unsafe fn all_rows<S: LaneScales, W: Word>(
    simd: HasAvx512,
    it: &Loop<'_, S>,
    x: &[W],
    y: &mut [f32],
) {
    let together = if it.common.is_contiguous { y.len() / TOGETHER * TOGETHER } else { 0 };
    let (whole, rest) = y.split_at_mut(together);
    for (number, y) in whole.chunks_exact_mut(TOGETHER).enumerate() {
        // SAFETY: the caller promises the rows and the instructions; elements and scales are contiguous.
        unsafe { some_rows::<S, W, true, TOGETHER>(simd, it, number * TOGETHER, x, y) };
    }
    for (number, y) in rest.chunks_exact_mut(1).enumerate() {
        // SAFETY: as above.
        unsafe { some_rows::<S, W, false, 1>(simd, it, together + number, x, y) };
    }
}

/// `N` rows of weights, from `first` on.
///
/// # Safety
/// As [`all_rows`], for these rows, whose elements and scales must be contiguous if `CONTIGUOUS`.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512bf16,avx2,bmi2")]
unsafe fn some_rows<S: LaneScales, W: Word, const CONTIGUOUS: bool, const N: usize>(
    simd: HasAvx512,
    it: &Loop<'_, S>,
    first: usize,
    x: &[W],
    y: &mut [f32],
) {
    // A copy, which the compiler keeps in registers despite the prefetches.
    let it = &{ *it };
    let mut sums = [_mm512_setzero_ps(); N];
    let whole = it.groups / GROUPS;
    // SAFETY: the caller promises the activations, the rows and their scales.
    unsafe {
        let elements = it.rows.elements.add(first * it.rows.element_row).wrapping_add(AHEAD);
        let scales = it.rows.scales.add(first * it.rows.scale_row);
        let scale_bytes = GROUPS * S::BYTES;
        let scales = scales.wrapping_add(AHEAD / CHUNK * scale_bytes);
        for chunk in 0..whole {
            let x = x.as_ptr().add(chunk * CHUNK);
            for (n, sum) in sums.iter_mut().enumerate() {
                let (codes, scales) = if CONTIGUOUS {
                    // Rows are contiguous, so prefetches advance through memory in order, whatever the order of reading.
                    let number = chunk * N + n;
                    prefetch(elements.wrapping_add(number * CHUNK));
                    if number.is_multiple_of(8) {
                        prefetch(scales.wrapping_add(number * scale_bytes));
                    }
                    it.contiguous(first + n, chunk)
                } else {
                    it.anywhere(first + n, chunk)
                };
                *sum = _mm512_fmadd_ps(it.part(codes, x), scales, *sum);
            }
        }
        if it.groups % GROUPS > 0 {
            let x = x.as_ptr().add(whole * CHUNK);
            for (n, sum) in sums.iter_mut().enumerate() {
                let (codes, scales) = it.anywhere(first + n, whole);
                // The other lanes repeat the last group, and are not added.
                *sum = _mm512_mask3_fmadd_ps(it.part(codes, x), scales, *sum, 0xFF);
            }
        }
    }
    for (y, sum) in y.iter_mut().zip(sums) {
        *y = simd.sum(sum) * it.rows.tensor_scale;
    }
}
