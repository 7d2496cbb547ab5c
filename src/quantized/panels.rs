//! Products of many rows of `bf16` activations, on CPUs whose AVX-512 has dot products of `bf16`, with weights that are unpacked first.
//!
//! 32 rows of weights at a time become a panel: for each pair of columns, the pairs of all 32 rows side by side, in two vectors.
//! Each block of six rows of activations is multiplied by the panel, so a weight is unpacked once for all of them. The sums of a
//! block of weights are kept apart until its last element, then multiplied by the scales of the 32 rows, and added to the sums so
//! far. With AMX, [tile registers](super::panel_tiles) multiply 16 rows at a time.
#![allow(
    unsafe_code,
    reason = "instructions that not every CPU has; threads write different columns"
)]

use super::panel_tiles;
use crate::cpu::HasAvx512;
use crate::cpu::detect::{HasAmxBf16, HasAvx512Bf16};
use crate::movement::host;
use alloc::vec::Vec;
use core::arch::x86_64::*;
use core::marker::PhantomData;
use core::mem::transmute;
use half::bf16;

/// The number of rows of activations from which unpacking a panel pays off.
pub(crate) const FROM: usize = 6;

/// The number of rows of activations that are multiplied at once.
const ROWS: usize = 6;

/// The number of rows of weights in a panel: two vectors.
pub(crate) const COLUMNS: usize = 32;

/// The number of elements of each row of weights in a panel, so that the panel stays in the L2 cache.
pub(crate) const DEPTH: usize = 4096;

/// The instructions for which the loops are compiled.
#[derive(Clone, Copy)]
pub(crate) struct Has {
    avx512: HasAvx512,
    _bf16: HasAvx512Bf16,
    tiles: Option<HasAmxBf16>,
}

impl Has {
    /// Whether the CPU has the dot products too.
    pub(crate) fn detect(avx512: HasAvx512) -> Option<Self> {
        let tiles = HasAmxBf16::detect();
        HasAvx512Bf16::detect().map(|_bf16| Self { avx512, _bf16, tiles })
    }

    /// The number of rows of activations, of `rows`, that tile registers multiply if a block of weights has that many pairs.
    pub(crate) fn tiled_rows(self, rows: usize, pairs: usize) -> usize {
        let fits = self.tiles.is_some() && pairs.is_multiple_of(panel_tiles::PAIRS);
        if fits { rows - rows % panel_tiles::ROWS } else { 0 }
    }

    /// AVX-512 without the dot products.
    pub(crate) fn avx512(self) -> HasAvx512 {
        self.avx512
    }
}

/// Weights that become panels.
pub(crate) trait Source: Sync {
    /// The number of rows, which are the columns of the result.
    fn rows(&self) -> usize;

    /// The number of elements of a row.
    fn columns(&self) -> usize;

    /// The number of blocks that are unpacked at once, starting at an element, and the number of pairs of elements in each. From
    /// element 0, there are the most blocks.
    fn part(&self, first: usize) -> BlockCount;

    /// The factor by which sums are multiplied at the end.
    fn factor(&self) -> f32;

    /// Writes the panel of a part: pairs of 32 rows, and the scales of 32 rows for each block. Rows that do not exist are zeros.
    ///
    /// # Safety
    /// The CPU must have the instructions that [`Has`] proves.
    unsafe fn unpack(&self, has: Has, part: Part, panel: &mut [u32], scales: &mut [f32]);
}

/// The number of blocks of a row, and their size.
#[derive(Clone, Copy)]
pub(crate) struct BlockCount {
    pub(crate) count: usize,
    /// The number of pairs of elements in a block.
    pub(crate) pairs: usize,
}

impl BlockCount {
    fn all_pairs(self) -> usize {
        self.count * self.pairs
    }
}

/// Some of the elements of the rows of a strip.
#[derive(Clone, Copy)]
pub(crate) struct Part {
    /// The first row, and the number of rows.
    pub(crate) row: usize,
    pub(crate) rows: usize,
    /// The first element of these rows.
    pub(crate) first: usize,
    pub(crate) blocks: BlockCount,
}

/// The error that memory for this number of bytes cannot be allocated.
pub(crate) struct NoMemory(pub(crate) usize);

/// A product of rows of activations.
pub(crate) struct ManyRows<'a, S> {
    pub(crate) has: Has,
    pub(crate) weights: &'a S,
    /// The activations: for each row, as many as the weights have columns.
    pub(crate) x: &'a [bf16],
    /// Whether the threads of rayon's current pool share the weights.
    #[cfg(feature = "parallel")]
    pub(crate) parallel: bool,
}

/// The result. Each strip of weights computes some of its columns.
struct Output<'a> {
    first: *mut f32,
    /// The number of elements of a row.
    stride: usize,
    memory: PhantomData<&'a mut [f32]>,
}

// SAFETY: the numbers are borrowed mutably while the value exists, and each strip writes different columns.
unsafe impl Sync for Output<'_> {}

/// A panel of elements, and their scales, in memory that starts at a cache line.
struct Memory {
    bytes: Vec<u8>,
    start: usize,
    /// Pairs of 32 rows.
    panel: usize,
}

impl<S: Source> ManyRows<'_, S> {
    /// Writes the product in row-major order.
    pub(crate) fn all(&self, y: &mut [f32]) -> Result<(), NoMemory> {
        let (rows, width) = (self.weights.rows(), self.weights.columns());
        let m = self.x.len() / width;
        assert_eq!((self.x.len(), y.len()), (m * width, m * rows));
        let output = Output { first: y.as_mut_ptr(), stride: rows, memory: PhantomData };
        let strips = rows.div_ceil(COLUMNS);
        // SAFETY: the result has the elements of all rows of activations and of weights, as asserted, and each strip is computed
        // once.
        let strip = |memory: &mut Option<Memory>, strip| unsafe {
            let memory = match memory {
                Some(memory) => memory,
                none => none.insert(self.memory()?),
            };
            self.strip(strip, memory, &output);
            Ok(())
        };
        #[cfg(feature = "parallel")]
        if self.parallel {
            use rayon::prelude::*;
            return (0..strips).into_par_iter().try_for_each_init(|| None, strip);
        }
        let mut memory = None;
        (0..strips).try_for_each(|number| strip(&mut memory, number))
    }

    fn memory(&self) -> Result<Memory, NoMemory> {
        let blocks = self.weights.part(0);
        let panel = blocks.all_pairs() * COLUMNS;
        let len = (panel + blocks.count * COLUMNS) * size_of::<u32>();
        let (bytes, start) = host::aligned(len).ok_or(NoMemory(len))?;
        Ok(Memory { bytes, start, panel })
    }

    /// The sums of 32 rows of weights, or of the last ones.
    ///
    /// # Safety
    /// The result must have a row of `stride` elements for each row of activations, and nothing else may use these columns.
    unsafe fn strip(&self, strip: usize, memory: &mut Memory, output: &Output<'_>) {
        let (rows, width) = (self.weights.rows(), self.weights.columns());
        let count = (rows - strip * COLUMNS).min(COLUMNS);
        // The lowest bits are for the first rows.
        let bits = u32::MAX >> (COLUMNS - count);
        let masks = [bits as u16, (bits >> 16) as u16];
        let mut first = 0;
        while first < width {
            let blocks = self.weights.part(first);
            let part = Part { row: strip * COLUMNS, rows: count, first, blocks };
            let end = first + 2 * blocks.all_pairs();
            let (panel, scales) = memory.split(blocks);
            // SAFETY: `has` proves the instructions.
            unsafe { self.weights.unpack(self.has, part, panel, scales) };
            let sums = Sums {
                panel,
                scales,
                blocks,
                masks,
                adds: first > 0,
                factor: if end >= width { self.weights.factor() } else { 1.0 },
                stride: output.stride,
            };
            let tiled = self.has.tiled_rows(self.x.len() / width, blocks.pairs);
            if tiled > 0 {
                // SAFETY: the caller promises the result; `has` proves the instructions, and no other function of this thread has
                // anything in tile registers.
                unsafe {
                    let to = output.first.add(strip * COLUMNS);
                    panel_tiles::multiply(&sums, &self.x[first..], width, tiled, to);
                }
            }
            for (number, x) in self.x[tiled * width..].chunks(ROWS * width).enumerate() {
                // SAFETY: the caller promises these rows of the result; `has` proves the instructions.
                unsafe {
                    let row = tiled + number * ROWS;
                    let to = output.first.add(row * output.stride + strip * COLUMNS);
                    let x = &x[first..];
                    match x.len().div_ceil(width) {
                        1 => multiply::<1>(&sums, x, width, to),
                        2 => multiply::<2>(&sums, x, width, to),
                        3 => multiply::<3>(&sums, x, width, to),
                        4 => multiply::<4>(&sums, x, width, to),
                        5 => multiply::<5>(&sums, x, width, to),
                        _ => multiply::<ROWS>(&sums, x, width, to),
                    }
                }
            }
            first = end;
        }
    }
}

impl Memory {
    /// The part of the panel and of the scales that belongs to this number of blocks.
    fn split(&mut self, blocks: BlockCount) -> (&mut [u32], &mut [f32]) {
        let (panel, scales) = self.bytes[self.start..].split_at_mut(self.panel * size_of::<u32>());
        let (pairs, count) = (blocks.all_pairs() * COLUMNS, blocks.count * COLUMNS);
        assert!(pairs <= self.panel && count * size_of::<f32>() <= scales.len());
        // SAFETY: both start at a multiple of 64 bytes and have that many; any bytes are words or numbers.
        unsafe {
            (
                core::slice::from_raw_parts_mut(panel.as_mut_ptr().cast(), pairs),
                core::slice::from_raw_parts_mut(scales.as_mut_ptr().cast(), count),
            )
        }
    }
}

/// Words `j` of 16 vectors as vector `j`.
#[target_feature(enable = "avx512f")]
pub(crate) fn transpose(rows: [__m512i; 16]) -> [__m512i; 16] {
    let zero = _mm512_setzero_si512();
    let (mut pairs, mut fours, mut columns) = ([zero; 16], [zero; 16], [zero; 16]);
    for i in 0..8 {
        pairs[2 * i] = _mm512_unpacklo_epi32(rows[2 * i], rows[2 * i + 1]);
        pairs[2 * i + 1] = _mm512_unpackhi_epi32(rows[2 * i], rows[2 * i + 1]);
    }
    // Quarter `q` of `fours[4 * i + j]` is word `4 * q + j` of four rows, starting at row `4 * i`.
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

/// The operand by which rows of activations are multiplied, and the destination of the sums.
pub(super) struct Sums<'a> {
    pub(super) panel: &'a [u32],
    pub(super) scales: &'a [f32],
    pub(super) blocks: BlockCount,
    /// Which lanes of the two vectors of a row are elements of the result.
    pub(super) masks: [u16; 2],
    /// Whether the result so far is added.
    pub(super) adds: bool,
    /// The factor by which the sums are multiplied at the end.
    pub(super) factor: f32,
    /// The number of elements from one row of the result to the next.
    pub(super) stride: usize,
}

/// Multiplies `R` rows of activations, `width` apart, by a panel.
///
/// # Safety
/// The result must have `R` rows of the lanes that the masks name, `stride` apart, and the CPU must have AVX-512 F with its dot
/// products of `bf16`.
#[target_feature(enable = "avx512f,avx512bf16")]
unsafe fn multiply<const R: usize>(with: &Sums<'_>, x: &[bf16], width: usize, to: *mut f32) {
    let BlockCount { count: blocks, pairs } = with.blocks;
    assert!(x.len() >= (R - 1) * width + 2 * blocks * pairs);
    assert!(with.panel.len() >= blocks * pairs * COLUMNS && with.scales.len() >= blocks * COLUMNS);
    // SAFETY: the activations, the panel and the scales have the lengths that are asserted; the caller promises the result and the
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
                // Lanes that the mask leaves out are not written, so they may be out of bounds.
                let to = to.add(row * with.stride).wrapping_add(half * 16);
                _mm512_mask_storeu_ps(to, with.masks[half], _mm512_mul_ps(sum, factor));
            }
        }
    }
}
