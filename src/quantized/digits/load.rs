//! Elements and scales of a quad, from each arrangement.

use super::super::row_kernel::{GROUP, Rows};
use super::{CHUNK, CHUNK_GROUPS, CHUNKS, GROUPS, LaneScales, place};
use crate::cpu::HasAvx512;
use core::arch::x86_64::*;
use core::array::from_fn;

/// The bytes of elements of a group.
const BYTES: usize = GROUP / 2;

/// Where loops find elements and scales.
#[derive(Clone, Copy)]
pub(super) struct Order<const V: usize> {
    /// The sources of the bytes of scales, in planes: the scales of a quad one after the other.
    planes: [__m512i; V],
    /// The same in blocks, for each chunk and vector: among the first 64 bytes of the chunk.
    blocks: __m512i,
    /// The bytes of scales that each chunk has, in the vector with its sums.
    masks: [u64; CHUNKS],
    /// The sources of the elements of a chunk in blocks, but for the last group.
    elements: __m512i,
}

impl<const V: usize> Order<V> {
    pub(super) fn new<S: LaneScales>(_: HasAvx512) -> Self {
        let mut scale_of = [[0; 16]; V];
        for scale in 0..GROUPS * V {
            let (vector, lane) = place::<V>(scale);
            scale_of[vector][lane] = scale;
        }
        // SAFETY: the value proves the instructions; the array has 64 bytes.
        let vector = |bytes: [u8; CHUNK]| unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) };
        let planes = scale_of.map(|scale_of| {
            vector(from_fn(|at| {
                let (lane, byte) = S::position(at);
                (scale_of[lane] * S::BYTES + byte) as u8
            }))
        });
        let (together, unit) = (unit_scales::<V>(), unit_bytes::<S, V>());
        let masks = from_fn(|chunk| {
            let is_of_chunk = |at: usize| {
                let scale = scale_of[chunk * V / CHUNKS][S::position(at).0];
                scale / (CHUNK_GROUPS * V) == chunk
            };
            let bits = (0..CHUNK).filter(|at| is_of_chunk(*at)).map(|at| 1 << at);
            bits.sum::<u64>() & S::MASK
        });
        let elements: [u8; CHUNK] = from_fn(|at| {
            let (group, byte) = (at / BYTES, at % BYTES);
            let (block, within) = (group * V / together, group % (together / V));
            (block * unit + together * S::BYTES + within * BYTES + byte) as u8
        });
        // The scales of a lane of all vectors have the same place in their chunks.
        let blocks = from_fn(|at| {
            let (lane, byte) = S::position(at);
            let scale = scale_of[0][lane] % (CHUNK_GROUPS * V);
            (scale / together * unit + scale % together * S::BYTES + byte) as u8
        });
        Self { planes, blocks: vector(blocks), masks, elements: vector(elements) }
    }
}

/// The number of scales that are stored together before their elements, in blocks.
const fn unit_scales<const V: usize>() -> usize {
    if V == 1 { 1 } else { 2 * V }
}

/// The bytes of these scales and their elements.
const fn unit_bytes<S: LaneScales, const V: usize>() -> usize {
    unit_scales::<V>() * S::BYTES + unit_scales::<V>() / V * BYTES
}

/// Some rows of weights.
#[derive(Clone, Copy)]
pub(super) struct Weights<'a, const V: usize> {
    pub(super) rows: Rows<'a>,
    /// The number of groups of a row.
    pub(super) groups: usize,
    pub(super) order: Order<V>,
}

/// A quad: the codes of its chunks, and the bytes of its scales in the order of their sums.
pub(super) type Loaded<const V: usize> = ([__m512i; CHUNKS], [__m512i; V]);

/// How quads are loaded.
pub(super) trait Load<S: LaneScales, const V: usize> {
    /// The bytes from one quad to the next, at most.
    const BYTES: usize;

    /// The quad of a row that starts with group `first`.
    ///
    /// # Safety
    /// The row must be readable, have the whole quad, and have this arrangement. The CPU must have AVX-512 with VBMI.
    unsafe fn quad(weights: &Weights<'_, V>, row: usize, first: usize) -> Loaded<V>;
}

/// All elements are contiguous, and all scales.
pub(super) struct Planes;

impl<S: LaneScales, const V: usize> Load<S, V> for Planes {
    const BYTES: usize = GROUPS * BYTES;

    /// # Safety
    /// As [`Load::quad`].
    #[inline(always)]
    unsafe fn quad(weights: &Weights<'_, V>, row: usize, first: usize) -> Loaded<V> {
        let rows = &weights.rows;
        // SAFETY: the caller promises the quad and its scales.
        unsafe {
            let elements = rows.elements.add(row * rows.element_row + first * BYTES);
            let scales = rows.scales.add(row * rows.scale_row + first * V * S::BYTES);
            let scales = match GROUPS * V * S::BYTES {
                16 => _mm512_castsi128_si512(_mm_loadu_si128(scales.cast())),
                32 => _mm512_castsi256_si512(_mm256_loadu_si256(scales.cast())),
                _ => _mm512_loadu_si512(scales.cast()),
            };
            let mut codes = [_mm512_setzero_si512(); CHUNKS];
            for (chunk, codes) in codes.iter_mut().enumerate() {
                *codes = _mm512_loadu_si512(elements.add(chunk * CHUNK).cast());
            }
            (codes, in_order::<S, V>(weights, scales))
        }
    }
}

/// The elements of each group follow its scale, or those of two groups follow four scales.
pub(super) struct Blocks;

impl<S: LaneScales, const V: usize> Load<S, V> for Blocks {
    const BYTES: usize = GROUPS * (BYTES + V * S::BYTES);

    /// # Safety
    /// As [`Load::quad`].
    #[inline(always)]
    unsafe fn quad(weights: &Weights<'_, V>, row: usize, first: usize) -> Loaded<V> {
        let (rows, order, group) = (&weights.rows, &weights.order, BYTES + V * S::BYTES);
        // SAFETY: the caller promises the quad. A chunk has at least 68 bytes, with three groups and all scales in the first 64.
        unsafe {
            let from = rows.scales.add(row * rows.scale_row + first * group);
            let mut codes = [_mm512_setzero_si512(); CHUNKS];
            let mut scales = [_mm512_setzero_si512(); V];
            for (chunk, codes) in codes.iter_mut().enumerate() {
                let from = from.add(chunk * CHUNK_GROUPS * group);
                let bytes = _mm512_loadu_si512(from.cast());
                let last = from.add(CHUNK_GROUPS * group - BYTES);
                let elements = _mm512_permutexvar_epi8(order.elements, bytes);
                *codes = _mm512_inserti32x4::<3>(elements, _mm_loadu_si128(last.cast()));
                let vector = chunk * V / CHUNKS;
                let (mask, before) = (order.masks[chunk], scales[vector]);
                scales[vector] = _mm512_mask_permutexvar_epi8(before, mask, order.blocks, bytes);
            }
            (codes, scales)
        }
    }
}

/// Groups and scales at any distances, with one or more groups for each scale. Past the end of the row, the last group is read again.
pub(super) struct Anywhere;

impl<S: LaneScales, const V: usize> Load<S, V> for Anywhere {
    const BYTES: usize = 0;

    /// # Safety
    /// As [`Load::quad`], except that the row needs only one group of the quad.
    unsafe fn quad(weights: &Weights<'_, V>, row: usize, first: usize) -> Loaded<V> {
        let rows = &weights.rows;
        let (mut codes, mut scales) = ([0_u8; CHUNKS * CHUNK], [0_u8; CHUNK]);
        let to = codes.chunks_exact_mut(BYTES).zip(scales.chunks_exact_mut(V * S::BYTES));
        for (group, (codes, scales)) in to.enumerate() {
            let group = (first + group).min(weights.groups - 1);
            let (block, within) = (group / rows.groups, group % rows.groups);
            let elements = block * rows.element_stride + within * BYTES;
            let scale = block * rows.scale_stride + within * rows.group_scales;
            // SAFETY: the caller promises the group and its scales.
            unsafe {
                let from = rows.elements.add(row * rows.element_row + elements);
                codes.copy_from_slice(core::slice::from_raw_parts(from, BYTES));
                let from = rows.scales.add(row * rows.scale_row + scale);
                scales.copy_from_slice(core::slice::from_raw_parts(from, V * S::BYTES));
            }
        }
        // SAFETY: the caller promises the instructions; the arrays have the bytes that are read.
        unsafe {
            let load = |at: usize| _mm512_loadu_si512(codes.as_ptr().add(at * CHUNK).cast());
            let scales = _mm512_loadu_si512(scales.as_ptr().cast());
            ([load(0), load(1), load(2), load(3)], in_order::<S, V>(weights, scales))
        }
    }
}

/// The bytes of the scales of a quad in the order of its sums.
///
/// # Safety
/// The CPU must have AVX-512 with VBMI.
#[inline(always)]
unsafe fn in_order<S: LaneScales, const V: usize>(
    weights: &Weights<'_, V>,
    scales: __m512i,
) -> [__m512i; V] {
    let mut vectors = weights.order.planes;
    for vector in &mut vectors {
        // SAFETY: the caller promises the instructions.
        *vector = unsafe { _mm512_maskz_permutexvar_epi8(S::MASK, *vector, scales) };
    }
    vectors
}
