//! The loops over rows of weights.

use super::super::lanes::Lanes;
use super::super::row_kernel::{Rows, TOGETHER};
use super::{CHUNK, ChunkScales, Codes, Factors};
use crate::cpu::{HasAvx512, prefetch};
use core::arch::x86_64::*;
use layout_core::quantized::{Arrangement, QuantizedSpec};

/// The distance in bytes at which elements are prefetched. Reading this many bytes takes longer than the latency of memory.
const AHEAD: usize = 16 << 10;

/// The largest number of groups, and of scales, of a chunk.
const MOST: usize = 8;

/// The arrangement of chunks.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Arranged {
    Planes,
    Blocks,
    Anywhere,
}

/// What all rows of weights of a layout have in common.
#[derive(Clone, Copy)]
pub(super) struct Common<E, S: ChunkScales> {
    codes: E,
    table: S::Table,
    arranged: Arranged,
    /// The sources of bytes: of the elements in the first 64 bytes of a chunk in blocks, and of the scales. In four blocks of
    /// `q4_0`, of 18 bytes each, elements are in the bytes 2 to 17, 20 to 35, 38 to 53 and 56 to 71, and scales begin at 0, 18, 36
    /// and 54.
    element_bytes: __m512i,
    scale_bytes: __m512i,
    /// The number of the scale of each lane.
    lanes: __m512i,
}

impl<E: Codes, S: ChunkScales> Common<E, S> {
    /// The common data for the layout of these rows.
    pub(super) fn of(simd: HasAvx512, spec: &QuantizedSpec, rows: &Rows<'_>) -> Self {
        let count = E::GROUPS * S::OF_GROUP;
        assert!(rows.groups.is_power_of_two() && count <= MOST);
        let scale_of = |lane: usize| lane * count / 16;
        let has_own_scales = rows.groups == 1 || rows.group_scales > 0;
        // The scales of a block, and the bytes of a block with its scales: of four groups at most.
        let scales = rows.groups * S::OF_GROUP;
        let stride = scales * S::BYTES + rows.groups * E::BYTES;
        let arranged = match spec.arrangement() {
            _ if !has_own_scales => Arranged::Anywhere,
            Arrangement::Planes => Arranged::Planes,
            Arrangement::Blocks if E::GROUPS == 4 => Arranged::Blocks,
            Arrangement::Blocks => Arranged::Anywhere,
        };
        // Where a chunk in blocks has its scales and elements. Two blocks of two groups are, in 72 bytes: 4 scales, elements in bytes
        // 4 to 35, 4 scales, and elements from byte 40 on.
        let element_bytes: [u8; CHUNK] = core::array::from_fn(|at| {
            let (block, within) = (at / E::BYTES / rows.groups, at % (E::BYTES * rows.groups));
            (block * stride + scales * S::BYTES + within) as u8
        });
        let scale_bytes: [u8; CHUNK] = core::array::from_fn(|at| {
            let (lane, byte) = S::position(at);
            let scale = scale_of(lane);
            let (block, within) = match arranged {
                Arranged::Blocks => (scale / scales, scale % scales),
                _ => (0, scale),
            };
            (block * stride + within * S::BYTES + byte) as u8
        });
        let lanes: [i32; 16] = core::array::from_fn(|lane| scale_of(lane) as i32);
        let from = [element_bytes.as_ptr(), scale_bytes.as_ptr(), lanes.as_ptr().cast()];
        // SAFETY: the value proves the instructions; the arrays have 64 bytes.
        let [element_bytes, scale_bytes, lanes] =
            from.map(|from| unsafe { _mm512_loadu_si512(from.cast()) });
        let (codes, table) = (E::new(simd, spec, rows.tables), S::table(simd, rows.tables));
        Self { codes, table, arranged, element_bytes, scale_bytes, lanes }
    }
}

/// Multiplies rows of weights by `x`: a sum for each row.
///
/// # Safety
/// The elements and scales of `y.len()` rows must be readable, have these types, and have the arrangement of `common`. The CPU must
/// have the instructions for which [`Factors::all_rows`] is compiled.
pub(super) unsafe fn multiply<E: Codes, S: ChunkScales, F: Factors<E>>(
    simd: HasAvx512,
    common: &Common<E, S>,
    rows: Rows<'_>,
    x: &[F],
    y: &mut [f32],
) {
    let groups = rows.blocks * rows.groups;
    assert!(x.len() >= groups.div_ceil(E::GROUPS) * F::OF_CHUNK);
    let it = Loop { simd, rows, groups, common: *common };
    // SAFETY: there are activations for each chunk; the caller promises the rows and the instructions.
    unsafe { F::all_rows(&it, x, y) }
}

/// Some rows of weights.
#[derive(Clone, Copy)]
pub(super) struct Loop<'a, E, S: ChunkScales> {
    simd: HasAvx512,
    rows: Rows<'a>,
    /// The number of groups of a row.
    groups: usize,
    common: Common<E, S>,
}

/// Loads a chunk from one arrangement of elements and scales.
trait LoadChunk<E: Codes, S: ChunkScales> {
    /// The bytes from one chunk to the next, and from its scales to the next if they are stored apart; 0 if they are not known.
    const BYTES: usize;
    const SCALE_BYTES: usize;

    /// The bytes of a whole chunk of a row, and the scale of each lane.
    ///
    /// # Safety
    /// The row must have the chunk, in this arrangement, and the CPU must have AVX-512 with VBMI.
    unsafe fn chunk(it: &Loop<'_, E, S>, row: usize, chunk: usize) -> (__m512i, __m512);
}

/// Blocks are groups; all elements are contiguous, and so are all scales.
struct LoadPlanes;

impl<E: Codes, S: ChunkScales> LoadChunk<E, S> for LoadPlanes {
    const BYTES: usize = CHUNK;
    const SCALE_BYTES: usize = E::GROUPS * S::OF_GROUP * S::BYTES;

    /// # Safety
    /// As [`LoadChunk::chunk`].
    #[inline(always)]
    unsafe fn chunk(it: &Loop<'_, E, S>, row: usize, chunk: usize) -> (__m512i, __m512) {
        // SAFETY: the caller promises the chunk and its scales.
        unsafe {
            let elements = it.rows.elements.add(row * it.rows.element_row + chunk * CHUNK);
            let bytes = <Self as LoadChunk<E, S>>::SCALE_BYTES;
            let scales = it.rows.scales.add(row * it.rows.scale_row + chunk * bytes);
            let scales = match bytes {
                2 => _mm512_set1_epi16(scales.cast::<i16>().read_unaligned()),
                4 => _mm512_set1_epi32(scales.cast::<i32>().read_unaligned()),
                8 => _mm512_set1_epi64(scales.cast::<i64>().read_unaligned()),
                _ => _mm512_broadcast_i32x4(_mm_loadu_si128(scales.cast())),
            };
            let scales = _mm512_maskz_permutexvar_epi8(S::MASK, it.common.scale_bytes, scales);
            (_mm512_loadu_si512(elements.cast()), S::decode(scales, it.common.table))
        }
    }
}

/// Groups of 16 bytes, each stored after its scale, or two after their four scales.
struct LoadBlocks;

impl<E: Codes, S: ChunkScales> LoadChunk<E, S> for LoadBlocks {
    const BYTES: usize = E::GROUPS * (E::BYTES + S::OF_GROUP * S::BYTES);
    const SCALE_BYTES: usize = 0;

    /// # Safety
    /// As [`LoadChunk::chunk`].
    #[inline(always)]
    unsafe fn chunk(it: &Loop<'_, E, S>, row: usize, chunk: usize) -> (__m512i, __m512) {
        let bytes = <Self as LoadChunk<E, S>>::BYTES;
        // SAFETY: the caller promises the chunk: four groups and their scales, at least 68 bytes, with three groups and all scales in
        // the first 64.
        unsafe {
            let first = it.rows.scales.add(row * it.rows.scale_row + chunk * bytes);
            let last = _mm_loadu_si128(first.add(bytes - E::BYTES).cast());
            let bytes = _mm512_loadu_si512(first.cast());
            let elements = _mm512_permutexvar_epi8(it.common.element_bytes, bytes);
            let scales = _mm512_maskz_permutexvar_epi8(S::MASK, it.common.scale_bytes, bytes);
            (_mm512_inserti32x4::<3>(elements, last), S::decode(scales, it.common.table))
        }
    }
}

/// Groups at any distances. Past the end of the row, the last group is read again.
struct LoadAnywhere;

impl<E: Codes, S: ChunkScales> LoadChunk<E, S> for LoadAnywhere {
    const BYTES: usize = 0;
    const SCALE_BYTES: usize = 0;

    /// # Safety
    /// As [`LoadChunk::chunk`], except that the row needs only one group of the chunk.
    #[inline(always)]
    unsafe fn chunk(it: &Loop<'_, E, S>, row: usize, chunk: usize) -> (__m512i, __m512) {
        let (rows, shift) = (&it.rows, it.rows.groups.trailing_zeros());
        let (mut groups, mut scales) = ([rows.elements; MOST], [0.0; MOST]);
        // SAFETY: the caller promises the row and its scales; no group is past its end.
        unsafe {
            for number in 0..E::GROUPS {
                let group = (chunk * E::GROUPS + number).min(it.groups - 1);
                let (block, within) = (group >> shift, group & (rows.groups - 1));
                groups[number] = rows
                    .elements
                    .add(row * rows.element_row + block * rows.element_stride + within * E::BYTES);
                for of_group in 0..S::OF_GROUP {
                    let at = row * rows.scale_row
                        + block * rows.scale_stride
                        + within * rows.group_scales
                        + of_group * S::BYTES;
                    scales[number * S::OF_GROUP + of_group] =
                        S::one(rows.scales.add(at), rows.tables);
                }
            }
            let scales = _mm512_castps256_ps512(_mm256_loadu_ps(scales.as_ptr()));
            let scales = _mm512_permutexvar_ps(it.common.lanes, scales);
            (E::gather(&groups[..E::GROUPS]), scales)
        }
    }
}

/// A sum for each row.
///
/// # Safety
/// The elements and scales of `y.len()` rows must be readable, there must be the activations that [`multiply`] asserts, and the CPU
/// must have the instructions for which [`Factors::all_rows`] is compiled.
#[inline(always)]
pub(super) unsafe fn all_rows<E: Codes, S: ChunkScales, F: Factors<E>>(
    it: &Loop<'_, E, S>,
    x: &[F],
    y: &mut [f32],
) {
    let together = match it.common.arranged {
        Arranged::Anywhere => 0,
        _ => y.len() / TOGETHER * TOGETHER,
    };
    let (whole, rest) = y.split_at_mut(together);
    for (number, y) in whole.chunks_exact_mut(TOGETHER).enumerate() {
        // SAFETY: the caller promises the rows and the instructions; the arrangement is that of the rows.
        unsafe {
            match it.common.arranged == Arranged::Blocks {
                true => some_rows::<E, S, F, LoadBlocks, TOGETHER>(it, number * TOGETHER, x, y),
                false => some_rows::<E, S, F, LoadPlanes, TOGETHER>(it, number * TOGETHER, x, y),
            }
        }
    }
    for (number, y) in rest.chunks_exact_mut(1).enumerate() {
        // SAFETY: as above.
        unsafe { some_rows::<E, S, F, LoadAnywhere, 1>(it, together + number, x, y) };
    }
}

/// `N` rows of weights, from `first` on.
///
/// # Safety
/// As [`all_rows`], for these rows, which must be arranged as `W` says.
#[inline(always)]
unsafe fn some_rows<E: Codes, S: ChunkScales, F: Factors<E>, W: LoadChunk<E, S>, const N: usize>(
    it: &Loop<'_, E, S>,
    first: usize,
    x: &[F],
    y: &mut [f32],
) {
    // A copy, which the compiler keeps in registers despite the prefetches.
    let it = &{ *it };
    let mut sums = [it.simd.splat(0.0); N];
    let whole = it.groups / E::GROUPS;
    // SAFETY: the caller promises the activations, the rows and their scales.
    unsafe {
        let elements = it.rows.elements.add(first * it.rows.element_row).wrapping_add(AHEAD);
        let scales = it.rows.scales.add(first * it.rows.scale_row);
        let scales = scales.wrapping_add(AHEAD / CHUNK * W::SCALE_BYTES);
        for chunk in 0..whole {
            let x = x.as_ptr().add(chunk * F::OF_CHUNK);
            for (n, sum) in sums.iter_mut().enumerate() {
                // Rows are contiguous, so prefetches advance through memory in order, whatever the order of reading.
                let number = chunk * N + n;
                if W::BYTES > 0 {
                    let ahead = elements.wrapping_add(number * W::BYTES);
                    prefetch(ahead);
                    if W::BYTES > CHUNK {
                        prefetch(ahead.wrapping_add(CHUNK));
                    }
                }
                if W::SCALE_BYTES > 0 && number.is_multiple_of(8) {
                    prefetch(scales.wrapping_add(number * W::SCALE_BYTES));
                }
                let (codes, scales) = W::chunk(it, first + n, chunk);
                *sum = _mm512_fmadd_ps(F::part(it.common.codes, codes, x), scales, *sum);
            }
        }
        let rest = it.groups % E::GROUPS;
        if rest > 0 {
            let x = x.as_ptr().add(whole * F::OF_CHUNK);
            // The remaining lanes repeat the last group, and are not added.
            let lanes = (1_u16 << (rest * 16 / E::GROUPS)) - 1;
            for (n, sum) in sums.iter_mut().enumerate() {
                let (codes, scales) = LoadAnywhere::chunk(it, first + n, whole);
                let part = F::part(it.common.codes, codes, x);
                *sum = _mm512_mask3_fmadd_ps(part, scales, *sum, lanes);
            }
        }
    }
    for (y, sum) in y.iter_mut().zip(sums) {
        *y = it.simd.sum(sum) * it.rows.tensor_scale;
    }
}
