//! Products of many rows of `bf16` activations, on CPUs whose AVX-512 has dot products of `bf16`.
//!
//! The elements of weights are numbers of at most 8 bits, so each is a `bf16` exactly. 32 rows of weights at a time become a
//! panel: for each pair of elements, the pairs of all 32 rows side by side, which are two vectors. Each block of six rows of
//! activations is multiplied by the panel, so a weight is unpacked once for all of them. The sums of a block of weights are kept
//! apart until its last element, then multiplied by the scales of the 32 rows, and added to the sums so far.
#![allow(
    unsafe_code,
    reason = "instructions that not every CPU has; threads write different columns"
)]

use super::error::QuantizedError;
use super::lanes::Tables;
use super::row_kernel::{Elements, GROUP, Kinds, ScaleKind};
use super::view::{DynQuantizedRef, tensor_scale};
use crate::cpu::HasAvx512;
use crate::cpu::detect::HasAvx512Bf16;
use crate::movement::host;
use alloc::vec::Vec;
use core::arch::x86_64::*;
use core::marker::PhantomData;
use core::mem::transmute;
use half::bf16;

/// Rows of activations from which on it is worth unpacking a panel.
pub(super) const FROM: usize = 6;

/// Rows of activations that are multiplied at once.
const ROWS: usize = 6;

/// Rows of weights in a panel: two vectors.
const COLUMNS: usize = 32;

/// Elements of a row of weights in a panel, if a block is no longer: as many as leave it in the second cache.
const DEPTH: usize = 4096;

/// Pairs of a group of elements.
const PAIRS: usize = GROUP / 2;

/// The instructions that the loops are compiled for.
#[derive(Clone, Copy)]
pub(super) struct Has {
    avx512: HasAvx512,
    _bf16: HasAvx512Bf16,
}

impl Has {
    /// Whether the CPU has the dot products too.
    pub(super) fn detect(avx512: HasAvx512) -> Option<Self> {
        HasAvx512Bf16::detect().map(|_bf16| Self { avx512, _bf16 })
    }

    /// AVX-512 without the dot products.
    pub(super) fn avx512(self) -> HasAvx512 {
        self.avx512
    }
}

/// A product whose activations are in the order of the groups.
pub(super) struct ManyRows<'a> {
    pub(super) has: Has,
    pub(super) weights: &'a DynQuantizedRef<'a>,
    /// Rows of `width` activations.
    pub(super) x: &'a [bf16],
    pub(super) width: usize,
    pub(super) tables: &'a Tables,
}

/// The result, of which each strip of weights writes some columns.
struct Output<'a> {
    first: *mut f32,
    /// Elements of a row.
    stride: usize,
    memory: PhantomData<&'a mut [f32]>,
}

// SAFETY: the numbers are borrowed mutably for as long as the value lives, and each strip writes columns of its own.
unsafe impl Sync for Output<'_> {}

/// A panel of elements, and their scales, in memory that starts with a cache line.
struct Memory {
    bytes: Vec<u8>,
    start: usize,
    /// Pairs of 32 rows.
    panel: usize,
}

/// Some of the elements of the rows of a strip.
#[derive(Clone, Copy)]
struct Part {
    /// The first row of the array, and how many there are.
    row: usize,
    rows: usize,
    /// The first block, and how many there are.
    block: usize,
    blocks: usize,
}

impl ManyRows<'_> {
    /// Writes the product in row-major order.
    pub(super) fn all<K: Kinds>(&self, y: &mut [f32]) -> Result<(), QuantizedError> {
        let rows = self.weights.row_range();
        let m = self.x.len() / self.width;
        assert_eq!((self.x.len(), y.len()), (m * self.width, m * rows.len()));
        let output = Output { first: y.as_mut_ptr(), stride: rows.len(), memory: PhantomData };
        let strips = rows.len().div_ceil(COLUMNS);
        // SAFETY: the result has the elements of all rows of activations and of weights, as asserted, and each strip is computed
        // once.
        let strip = |memory: &mut Option<Memory>, strip| unsafe {
            let memory = match memory {
                Some(memory) => memory,
                none => none.insert(self.memory()?),
            };
            self.strip::<K>(strip, memory, &output);
            Ok(())
        };
        #[cfg(feature = "parallel")]
        if rayon::current_num_threads() > 1
            && m * self.width * rows.len() >= super::matmul::PARALLEL
        {
            use rayon::prelude::*;
            return (0..strips).into_par_iter().try_for_each_init(|| None, strip);
        }
        let mut memory = None;
        (0..strips).try_for_each(|number| strip(&mut memory, number))
    }

    /// The blocks of a row that are unpacked at once.
    fn depth(&self) -> usize {
        let spec = self.weights.spec();
        (DEPTH / spec.block()).clamp(1, spec.columns() / spec.block())
    }

    fn memory(&self) -> Result<Memory, QuantizedError> {
        let panel = self.depth() * self.weights.spec().block() / 2 * COLUMNS;
        let len = (panel + self.depth() * COLUMNS) * size_of::<u32>();
        let (bytes, start) = host::aligned(len).ok_or_else(|| self.weights.no_memory(len))?;
        Ok(Memory { bytes, start, panel })
    }

    /// The sums of 32 rows of weights, or of the last ones.
    ///
    /// # Safety
    /// The result must have a row of `stride` elements for each row of activations, and nothing else may use these columns.
    unsafe fn strip<K: Kinds>(&self, strip: usize, memory: &mut Memory, output: &Output<'_>) {
        let (spec, rows) = (self.weights.spec(), self.weights.row_range());
        let (blocks, depth) = (spec.columns() / spec.block(), self.depth());
        let count = (rows.len() - strip * COLUMNS).min(COLUMNS);
        // The first rows are those of the lowest bits.
        let bits = u32::MAX >> (COLUMNS - count);
        let masks = [bits as u16, (bits >> 16) as u16];
        for block in (0..blocks).step_by(depth) {
            let part = Part {
                row: rows.start + strip * COLUMNS,
                rows: count,
                block,
                blocks: depth.min(blocks - block),
            };
            let is_last = block + depth >= blocks;
            let factor = if is_last { tensor_scale(spec, self.weights.bytes()) } else { 1.0 };
            // SAFETY: `has` proves the instructions.
            let (panel, scales) = unsafe { self.unpack::<K>(self.has.avx512, part, memory) };
            let sums = Sums {
                panel,
                scales,
                blocks: part.blocks,
                pairs: spec.block() / 2,
                masks,
                adds: block > 0,
                factor,
                stride: output.stride,
            };
            for (number, x) in self.x.chunks(ROWS * self.width).enumerate() {
                // SAFETY: the caller promises these rows of the result; `has` proves the instructions.
                unsafe {
                    let to = output.first.add(number * ROWS * output.stride + strip * COLUMNS);
                    let x = &x[block * spec.block()..];
                    match x.len().div_ceil(self.width) {
                        1 => multiply::<1>(&sums, x, self.width, to),
                        2 => multiply::<2>(&sums, x, self.width, to),
                        3 => multiply::<3>(&sums, x, self.width, to),
                        4 => multiply::<4>(&sums, x, self.width, to),
                        5 => multiply::<5>(&sums, x, self.width, to),
                        _ => multiply::<ROWS>(&sums, x, self.width, to),
                    }
                }
            }
        }
    }

    /// The panel of a part: pairs of 32 rows, and the scales of 32 rows for each block. Rows that are not there are zeros.
    ///
    /// # Safety
    /// The CPU must have the instructions that `has` proves.
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512bf16,avx2,bmi2")]
    unsafe fn unpack<'m, K: Kinds>(
        &self,
        simd: HasAvx512,
        part: Part,
        memory: &'m mut Memory,
    ) -> (&'m [u32], &'m [f32]) {
        let (spec, bytes) = (self.weights.spec(), self.weights.bytes());
        let in_row = spec.columns() / spec.block();
        let groups = spec.block() / GROUP;
        let (panel, scales) = memory.split(part.blocks * spec.block() / 2 * COLUMNS);
        let at = |row: usize, block: usize| (part.row + row) * in_row + part.block + block;
        // Asked once: these are functions of another crate.
        let (elements_start, element_stride) = (spec.elements_start(), spec.element_stride());
        let (scales_start, scale_stride) = (spec.scales_start(), spec.scale_stride());
        let scale_bytes = spec.scale().byte_width();
        for block in 0..part.blocks {
            let scales = &mut scales[block * COLUMNS..][..COLUMNS];
            scales.fill(0.0);
            for (row, scale) in scales[..part.rows].iter_mut().enumerate() {
                let from = scales_start + at(row, block) * scale_stride;
                let from = bytes[from..][..scale_bytes].as_ptr();
                // SAFETY: the slice has the bytes of a scale, and the caller promises the instructions.
                *scale = unsafe { _mm512_cvtss_f32(K::Scales::load(simd, from, self.tables)) };
            }
            for half in 0..COLUMNS / 16 {
                for group in 0..groups {
                    let mut rows = [_mm512_setzero_si512(); 16];
                    let present = part.rows.saturating_sub(half * 16).min(16);
                    for (row, to) in rows[..present].iter_mut().enumerate() {
                        let from = elements_start
                            + at(half * 16 + row, block) * element_stride
                            + group * K::Elements::BYTES;
                        let from = bytes[from..][..K::Elements::BYTES].as_ptr();
                        // SAFETY: the slice has the bytes of a group; the vectors are of 64 bytes.
                        *to = unsafe {
                            let (a, b) = K::Elements::load(simd, from, self.tables);
                            transmute::<__m512bh, __m512i>(_mm512_cvtne2ps_pbh(b, a))
                        };
                    }
                    let first = (block * groups + group) * PAIRS * COLUMNS + half * 16;
                    let to = &mut panel[first..][..(PAIRS - 1) * COLUMNS + 16];
                    for (pair, words) in transpose(rows).into_iter().enumerate() {
                        // SAFETY: the slice has 16 words from each of these on.
                        unsafe {
                            _mm512_storeu_si512(to.as_mut_ptr().add(pair * COLUMNS).cast(), words);
                        }
                    }
                }
            }
        }
        (panel, scales)
    }
}

impl Memory {
    /// The first `pairs` words of the panel, and the scales.
    fn split(&mut self, pairs: usize) -> (&mut [u32], &mut [f32]) {
        let (panel, scales) = self.bytes[self.start..].split_at_mut(self.panel * size_of::<u32>());
        let len = scales.len() / size_of::<f32>();
        assert!(pairs <= self.panel);
        // SAFETY: both start at a multiple of 64 bytes and have as many; any bytes are words, or numbers.
        unsafe {
            (
                core::slice::from_raw_parts_mut(panel.as_mut_ptr().cast(), pairs),
                core::slice::from_raw_parts_mut(scales.as_mut_ptr().cast(), len),
            )
        }
    }
}

/// Words `j` of 16 vectors as vector `j`.
#[target_feature(enable = "avx512f")]
fn transpose(rows: [__m512i; 16]) -> [__m512i; 16] {
    let zero = _mm512_setzero_si512();
    let (mut pairs, mut fours, mut columns) = ([zero; 16], [zero; 16], [zero; 16]);
    for i in 0..8 {
        pairs[2 * i] = _mm512_unpacklo_epi32(rows[2 * i], rows[2 * i + 1]);
        pairs[2 * i + 1] = _mm512_unpackhi_epi32(rows[2 * i], rows[2 * i + 1]);
    }
    // Quarter `q` of `fours[4 * i + j]` is word `4 * q + j` of the rows from `4 * i` on.
    for i in 0..4 {
        for j in 0..2 {
            let (a, b) = (pairs[4 * i + j], pairs[4 * i + j + 2]);
            fours[4 * i + 2 * j] = _mm512_unpacklo_epi64(a, b);
            fours[4 * i + 2 * j + 1] = _mm512_unpackhi_epi64(a, b);
        }
    }
    for j in 0..4 {
        let [a, b, c, d] = [fours[j], fours[4 + j], fours[8 + j], fours[12 + j]];
        // Quarters 0 and 2 of two vectors, and quarters 1 and 3.
        let even = (_mm512_shuffle_i32x4::<0x88>(a, b), _mm512_shuffle_i32x4::<0x88>(c, d));
        let odd = (_mm512_shuffle_i32x4::<0xDD>(a, b), _mm512_shuffle_i32x4::<0xDD>(c, d));
        columns[j] = _mm512_shuffle_i32x4::<0x88>(even.0, even.1);
        columns[4 + j] = _mm512_shuffle_i32x4::<0x88>(odd.0, odd.1);
        columns[8 + j] = _mm512_shuffle_i32x4::<0xDD>(even.0, even.1);
        columns[12 + j] = _mm512_shuffle_i32x4::<0xDD>(odd.0, odd.1);
    }
    columns
}

/// What rows of activations are multiplied by, and where the sums go.
struct Sums<'a> {
    panel: &'a [u32],
    scales: &'a [f32],
    blocks: usize,
    /// Pairs of elements in a block.
    pairs: usize,
    /// Which lanes of the two vectors of a row are elements of the result.
    masks: [u16; 2],
    /// Whether the result so far is added.
    adds: bool,
    /// What the sums are multiplied by at the end.
    factor: f32,
    /// Elements from one row of the result to the next.
    stride: usize,
}

/// Multiplies `R` rows of activations, `width` apart, by a panel.
///
/// # Safety
/// The result must have `R` rows of the lanes that the masks name, `stride` apart, and the CPU must have AVX-512 F with its dot
/// products of `bf16`.
#[target_feature(enable = "avx512f,avx512bf16")]
unsafe fn multiply<const R: usize>(with: &Sums<'_>, x: &[bf16], width: usize, to: *mut f32) {
    let (blocks, pairs) = (with.blocks, with.pairs);
    assert!(x.len() >= (R - 1) * width + 2 * blocks * pairs);
    assert!(with.panel.len() >= blocks * pairs * COLUMNS && with.scales.len() >= blocks * COLUMNS);
    // SAFETY: the activations, the panel and the scales are as many as asserted; the caller promises the result and the
    // instructions.
    unsafe {
        let x: [*const bf16; R] = core::array::from_fn(|row| x.as_ptr().add(row * width));
        let mut sums = [[_mm512_setzero_ps(); 2]; R];
        if with.adds {
            for (row, sums) in sums.iter_mut().enumerate() {
                for (half, sum) in sums.iter_mut().enumerate() {
                    let from = to.add(row * with.stride).wrapping_add(half * 16);
                    *sum = _mm512_maskz_loadu_ps(with.masks[half], from);
                }
            }
        }
        let mut at = 0;
        for block in 0..blocks {
            let mut parts = [[_mm512_setzero_ps(); 2]; R];
            for _ in 0..pairs {
                let from = with.panel.as_ptr().add(at * COLUMNS);
                let b = [from, from.add(16)]
                    .map(|from| transmute::<__m512i, __m512bh>(_mm512_loadu_si512(from.cast())));
                for (parts, x) in parts.iter_mut().zip(x) {
                    let pair = _mm512_set1_epi32(x.add(2 * at).cast::<i32>().read_unaligned());
                    let pair = transmute::<__m512i, __m512bh>(pair);
                    parts[0] = _mm512_dpbf16_ps(parts[0], pair, b[0]);
                    parts[1] = _mm512_dpbf16_ps(parts[1], pair, b[1]);
                }
                at += 1;
            }
            let scales = with.scales.as_ptr().add(block * COLUMNS);
            let scales = [_mm512_loadu_ps(scales), _mm512_loadu_ps(scales.add(16))];
            for (sums, parts) in sums.iter_mut().zip(parts) {
                sums[0] = _mm512_fmadd_ps(parts[0], scales[0], sums[0]);
                sums[1] = _mm512_fmadd_ps(parts[1], scales[1], sums[1]);
            }
        }
        let factor = _mm512_set1_ps(with.factor);
        for (row, sums) in sums.into_iter().enumerate() {
            for (half, sum) in sums.into_iter().enumerate() {
                // Lanes that the mask leaves out are not written, wherever they would lie.
                let to = to.add(row * with.stride).wrapping_add(half * 16);
                _mm512_mask_storeu_ps(to, with.masks[half], _mm512_mul_ps(sum, factor));
            }
        }
    }
}
