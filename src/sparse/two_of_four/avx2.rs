//! AVX2: shuffles of bytes select the activations by which stored values are multiplied.
//!
//! A byte of coordinates stands for two groups of four elements, whose activations are half of a register. With the coordinates 0 and 3,
//! `0b1100`, and then 1 and 2, `0b1001`, the byte is `0b1001_1100`. A table has a shuffle for it, which moves the activations 0, 3, 5 and 6
//! to the high halves of four words. As a word whose low half is zero is the same number in `f32`, these are ready to be multiplied.
#![allow(unsafe_code, reason = "instructions that not every CPU has")]

use super::Weights;
use super::few_rows::FewRows;
use crate::cpu::detect::HasFma;
use crate::cpu::{prefetch, sum_of_eight};
use core::arch::x86_64::*;
use half::bf16;

/// The number of elements of a step of the loop: two vectors of stored values.
const STEP: usize = 32;

/// The distance in bytes at which values are prefetched.
const AHEAD: usize = 4 << 10;

/// The shuffle for each byte of coordinates. A byte with its highest bit set becomes zero.
static SHUFFLES: [[u8; 16]; 256] = {
    let mut shuffles = [[0x80; 16]; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut value = 0;
        while value < 4 {
            let element = value / 2 * 4 + (byte >> (2 * value) & 3);
            shuffles[byte][4 * value + 2] = 2 * element as u8;
            shuffles[byte][4 * value + 3] = 2 * element as u8 + 1;
            value += 1;
        }
        byte += 1;
    }
    shuffles
};

/// The functions for a few rows, if the CPU has the instructions.
pub(super) fn few_rows() -> Option<FewRows> {
    HasFma::detect()?;
    // SAFETY: the CPU has the instructions.
    Some(unsafe { FewRows::new(STEP, [few::<1>, few::<2>, few::<3>, few::<4>, few::<5>]) })
}

/// The sums of `count` rows of weights, starting with row `first`, for `R` rows of activations. The sums of one row of activations
/// are contiguous.
///
/// # Safety
/// The CPU must have AVX2 and FMA.
///
/// # Panics
/// If a slice has another length, or a row of weights does not begin with a byte of coordinates.
#[target_feature(enable = "avx2,fma")]
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
    assert!(columns.is_multiple_of(8) && x.len() == R * width && y.len() == R * count);
    for row in 0..count {
        let mut sums = [[_mm256_setzero_ps(); 2]; R];
        let (positions, last_positions) =
            coordinates[row * columns / 8..][..columns / 8].as_chunks::<{ STEP / 8 }>();
        let (stored, last_stored) =
            values[row * columns / 2..][..columns / 2].as_chunks::<{ STEP / 2 }>();
        for step in 0..steps {
            prefetch(stored[step].as_ptr().cast::<u8>().wrapping_add(AHEAD));
            // SAFETY: each row of activations has the elements of whole steps.
            unsafe {
                add::<R>(
                    &positions[step],
                    &stored[step],
                    x.as_ptr().add(step * STEP),
                    width,
                    &mut sums,
                );
            }
        }
        if rest > 0 {
            let (mut positions, mut stored) = ([0; STEP / 8], [bf16::ZERO; STEP / 2]);
            positions[..rest / 8].copy_from_slice(last_positions);
            stored[..rest / 2].copy_from_slice(last_stored);
            // SAFETY: as above.
            unsafe {
                add::<R>(&positions, &stored, x.as_ptr().add(steps * STEP), width, &mut sums)
            };
        }
        for (number, [a, b]) in sums.into_iter().enumerate() {
            // SAFETY: this function needs AVX2.
            y[number * count + row] = unsafe { sum_of_eight(_mm256_add_ps(a, b)) };
        }
    }
}

/// Adds the products of a step to the sums of each row of activations. The rows are `width` elements apart.
///
/// # Safety
/// The CPU must have the instructions, and each of the `R` rows of activations, the first of which starts at `x`, must have the
/// elements of a step.
#[inline]
#[target_feature(enable = "avx2,fma")]
unsafe fn add<const R: usize>(
    positions: &[u8; STEP / 8],
    stored: &[bf16; STEP / 2],
    x: *const bf16,
    width: usize,
    sums: &mut [[__m256; 2]; R],
) {
    for half in 0..2 {
        // SAFETY: the table has 16 bytes for each byte of coordinates, the step has eight values for each half, and the caller promises
        // the activations.
        unsafe {
            let [low, high] = [2 * half, 2 * half + 1]
                .map(|at| _mm_loadu_si128(SHUFFLES[usize::from(positions[at])].as_ptr().cast()));
            let shuffle = _mm256_set_m128i(high, low);
            let stored = _mm_loadu_si128(stored.as_ptr().add(half * 8).cast());
            let stored = _mm256_slli_epi32::<16>(_mm256_cvtepu16_epi32(stored));
            for (row, sums) in sums.iter_mut().enumerate() {
                let x = _mm256_loadu_si256(x.add(row * width + half * STEP / 2).cast());
                let [x, stored] = [_mm256_shuffle_epi8(x, shuffle), stored]
                    .map(|words| _mm256_castsi256_ps(words));
                sums[half] = _mm256_fmadd_ps(x, stored, sums[half]);
            }
        }
    }
}
