//! AVX-512 with dot products of `bf16` and instructions that spread words by a mask.
//!
//! The coordinates of a group of four elements take half a byte, from which a table makes half a byte of a mask: coordinates 0 and
//! 2, `0b1000`, become `0b0101`. So eight bytes of coordinates become the mask of 64 elements. One instruction expands 16 values to
//! the 32 elements of half of the mask: each value moves to the position of a set bit, and the other elements become zero.
#![allow(unsafe_code, reason = "instructions that not every CPU has")]

use super::few_rows::FewRows;
use super::{TwoOfFourError, Weights};
use crate::cpu::detect::HasAvx512Spread;
use crate::cpu::{HasAvx512, prefetch};
use crate::quantized::panels::{
    BlockCount, COLUMNS, DEPTH, FROM, Has, ManyRows, NoMemory, Part, Source, transpose,
};
use core::arch::x86_64::*;
use core::mem::transmute;
use half::bf16;

/// The number of elements of a step of the loops.
const STEP: usize = 64;

/// The masks for half bytes of coordinates: of the group in the low half of a byte, and of the group in the high half.
const LOW: [u8; 16] = {
    let mut masks = [0; 16];
    let mut half = 0;
    while half < 16 {
        masks[half] = 1 << (half % 4) | 1 << (half / 4);
        half += 1;
    }
    masks
};
const HIGH: [u8; 16] = {
    let mut masks = LOW;
    let mut half = 0;
    while half < 16 {
        masks[half] <<= 4;
        half += 1;
    }
    masks
};

/// The distance in bytes at which values are prefetched. Reading this many bytes takes longer than a memory access.
const AHEAD: usize = 12 << 10;

/// The number of elements that are expanded at once for a panel.
const GROUP: usize = 32;

/// The product, if the CPU has the instructions. Each row must begin with a byte of coordinates, and activations must be finite, as they
/// are multiplied by the zeros of expanded weights.
pub(super) fn product(
    has: HasAvx512,
    weights: &Weights<'_>,
    x: &[bf16],
    y: &mut [f32],
) -> Option<Result<(), TwoOfFourError>> {
    let (panels, _) = (Has::detect(has)?, HasAvx512Spread::detect()?);
    let m = x.len() / weights.columns;
    if m >= FROM {
        let product = ManyRows {
            has: panels,
            weights,
            x,
            #[cfg(feature = "parallel")]
            parallel: rayon::current_num_threads() > 1 && x.len() * weights.rows >= super::PARALLEL,
        };
        return Some(
            product.all(y).map_err(|NoMemory(bytes)| TwoOfFourError::OutOfMemory { bytes }),
        );
    }
    // SAFETY: the instructions were detected.
    let functions =
        unsafe { FewRows::new(STEP, [few::<1>, few::<2>, few::<3>, few::<4>, few::<5>]) };
    Some(weights.few_rows(functions, x, y))
}

/// The mask of 64 elements with these coordinates.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi2,avx512bf16,avx2,bmi2")]
fn mask(coordinates: u64) -> u64 {
    // SAFETY: both tables have 16 bytes.
    let [low, high] = unsafe { [&LOW, &HIGH].map(|table| _mm_loadu_si128(table.as_ptr().cast())) };
    let bytes = _mm_cvtsi64_si128(coordinates.cast_signed());
    let halves = _mm_set1_epi8(15);
    let even = _mm_shuffle_epi8(low, _mm_and_si128(bytes, halves));
    let odd = _mm_shuffle_epi8(high, _mm_and_si128(_mm_srli_epi16::<4>(bytes), halves));
    _mm_cvtsi128_si64(_mm_or_si128(even, odd)).cast_unsigned()
}

/// The sums of `count` rows of weights, starting with row `first`, for `R` rows of activations. The sums of one row of activations
/// are contiguous.
///
/// # Safety
/// The CPU must have the instructions, and there must be `R` rows of activations that are padded to whole steps.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi2,avx512bf16,avx2,bmi2")]
unsafe fn few<const R: usize>(
    weights: &Weights<'_>,
    first: usize,
    count: usize,
    x: &[bf16],
    y: &mut [f32],
) {
    let (columns, width) = (weights.columns, weights.columns.next_multiple_of(STEP));
    let (steps, rest) = (columns / STEP, columns % STEP);
    let (coordinates, values) = weights.some_rows(first, count);
    assert!(x.len() == R * width && y.len() == R * count);
    for row in 0..count {
        let mut sums = [[_mm512_setzero_ps(); 4]; R];
        // SAFETY: the slices have the coordinates and the values of the row, and the assertion checks the length of the
        // activations.
        unsafe {
            let mut positions = coordinates.as_ptr().add(row * columns / 8);
            let mut from = values.as_ptr().add(row * columns / 2);
            let mut x = x.as_ptr();
            for step in 0..steps {
                prefetch(from.cast::<u8>().wrapping_add(AHEAD));
                // A cache line has the coordinates of eight steps. Coordinates take an eighth of the bytes of their values.
                if step.is_multiple_of(8) {
                    prefetch(positions.wrapping_add(AHEAD / 8));
                }
                let mask = mask(positions.cast::<u64>().read_unaligned());
                let halves = [from, from.add(STEP / 4)]
                    .map(|from| _mm512_castsi256_si512(_mm256_loadu_si256(from.cast())));
                add::<R>(mask, halves, x, width, step % 2 * 2, &mut sums);
                (positions, from, x) = (positions.add(STEP / 8), from.add(STEP / 2), x.add(STEP));
            }
            if rest > 0 {
                let mut last = [0; 8];
                positions.copy_to_nonoverlapping(last.as_mut_ptr(), rest / 8);
                let mask = mask(u64::from_le_bytes(last));
                let present = (1_u32 << (rest / 2)) - 1;
                let halves =
                    [(0, present & 0xFFFF), (STEP / 4, present >> 16)].map(|(at, present)| {
                        // Values that the mask excludes are not read, so they may be past the end of the slice.
                        let from = from.wrapping_add(at).cast();
                        _mm512_castsi256_si512(_mm256_maskz_loadu_epi16(present as u16, from))
                    });
                add::<R>(mask, halves, x, width, 0, &mut sums);
            }
        }
        for (number, [a, b, c, d]) in sums.into_iter().enumerate() {
            let sum = _mm512_add_ps(_mm512_add_ps(a, c), _mm512_add_ps(b, d));
            y[number * count + row] = _mm512_reduce_add_ps(sum);
        }
    }
}

/// Adds the products of a step to the sums `at` and `at + 1` of each row of activations. The rows are `width` elements apart.
///
/// # Safety
/// The CPU must have the instructions, and each of the `R` rows of activations, the first of which starts at `x`, must have the
/// elements of a step.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi2,avx512bf16,avx2,bmi2")]
unsafe fn add<const R: usize>(
    mask: u64,
    halves: [__m512i; 2],
    x: *const bf16,
    width: usize,
    at: usize,
    sums: &mut [[__m512; 4]; R],
) {
    let spread = [
        _mm512_maskz_expand_epi16(mask as u32, halves[0]),
        _mm512_maskz_expand_epi16((mask >> 32) as u32, halves[1]),
    ];
    for (row, sums) in sums.iter_mut().enumerate() {
        for (half, spread) in spread.into_iter().enumerate() {
            // SAFETY: the caller promises the activations, and both vector types have 64 bytes, for which every bit pattern is
            // valid.
            unsafe {
                let x = _mm512_loadu_si512(x.add(row * width + half * STEP / 2).cast());
                let [w, x] = [spread, x].map(|vector| transmute::<__m512i, __m512bh>(vector));
                sums[at + half] = _mm512_dpbf16_ps(sums[at + half], w, x);
            }
        }
    }
}

impl Source for Weights<'_> {
    fn rows(&self) -> usize {
        self.rows
    }

    fn columns(&self) -> usize {
        self.columns
    }

    fn part(&self, first: usize) -> BlockCount {
        BlockCount { count: 1, pairs: (self.columns - first).min(DEPTH) / 2 }
    }

    fn factor(&self) -> f32 {
        1.0
    }

    /// # Safety
    /// As for [`Source::unpack`], and the CPU must have the instructions that expand words by a mask.
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi2,avx512bf16,avx2,bmi2")]
    unsafe fn unpack(&self, _: Has, part: Part, panel: &mut [u32], scales: &mut [f32]) {
        scales.fill(1.0);
        let len = 2 * part.blocks.pairs;
        for half in 0..COLUMNS / 16 {
            let present = part.rows.saturating_sub(half * 16).min(16);
            for first in (0..len).step_by(GROUP) {
                let count = GROUP.min(len - first);
                let mut rows = [_mm512_setzero_si512(); 16];
                for (row, to) in rows[..present].iter_mut().enumerate() {
                    let at = (part.row + half * 16 + row) * self.columns + part.first + first;
                    let mut positions = [0; 8];
                    positions[..count / 8]
                        .copy_from_slice(&self.coordinates[at / 8..][..count / 8]);
                    let values = self.values[at / 2..][..count / 2].as_ptr().cast();
                    // SAFETY: the slice has the values that the mask selects.
                    let values = unsafe {
                        _mm256_maskz_loadu_epi16(((1_u32 << (count / 2)) - 1) as u16, values)
                    };
                    let mask = mask(u64::from_le_bytes(positions)) as u32;
                    *to = _mm512_maskz_expand_epi16(mask, _mm512_castsi256_si512(values));
                }
                let words = transpose(rows);
                for (pair, words) in words.into_iter().enumerate().take(count / 2) {
                    let to = &mut panel[(first / 2 + pair) * COLUMNS + half * 16..][..16];
                    // SAFETY: the slice has 16 words.
                    unsafe { _mm512_storeu_si512(to.as_mut_ptr().cast(), words) };
                }
            }
        }
    }
}
