//! Vectors of 16 words: AVX-512, with the dot products of bf16 and of bytes where there are.
#![allow(unsafe_code, reason = "instructions that not every CPU has")]

use super::grid::Word;
use super::lanes::{Dot, MicroBlock, Vectors, multiply};
use crate::element::{BF16, F32, S8};
use core::arch::x86_64::*;
use core::marker::PhantomData;
use core::mem::transmute;

/// The CPU has AVX-512, and the dot products of elements `E`, which words hold.
struct Avx512<E>(PhantomData<E>);

impl<E> Avx512<E> {
    /// # Safety
    /// The CPU must have AVX-512 F; for bf16 BF16, for s8 VNNI.
    #[inline(always)]
    unsafe fn new() -> Self {
        Self(PhantomData)
    }
}

impl<E> Clone for Avx512<E> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<E> Copy for Avx512<E> {}

impl<E> Vectors for Avx512<E> {
    type Vector = __m512i;
    const LANES: usize = 16;

    #[inline(always)]
    fn splat(self, word: u32) -> __m512i {
        // SAFETY: a value of this type stands for a CPU with the instructions.
        unsafe { _mm512_set1_epi32(word.cast_signed()) }
    }

    #[inline(always)]
    fn and(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: as above.
        unsafe { _mm512_and_si512(a, b) }
    }

    /// # Safety
    /// As [`Vectors::load`].
    #[inline(always)]
    unsafe fn load(self, from: *const Word) -> __m512i {
        // SAFETY: as above; the caller promises the words.
        unsafe { _mm512_loadu_si512(from.cast()) }
    }

    /// # Safety
    /// As [`Vectors::store`].
    #[inline(always)]
    unsafe fn store(self, words: __m512i, to: *mut Word) {
        // SAFETY: as above; the caller promises the words.
        unsafe { _mm512_storeu_si512(to.cast(), words) }
    }
}

impl Dot for Avx512<F32> {
    const PARTS: usize = 1;

    #[inline(always)]
    fn part(self, words: __m512i, _: usize) -> __m512i {
        words
    }

    #[inline(always)]
    fn dot(self, sums: __m512i, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: a value of this type stands for a CPU with the instructions.
        unsafe {
            let [sums, a, b] = [sums, a, b].map(|words| _mm512_castsi512_ps(words));
            _mm512_castps_si512(_mm512_fmadd_ps(a, b, sums))
        }
    }
}

impl Dot for Avx512<BF16> {
    const PARTS: usize = 1;

    #[inline(always)]
    fn part(self, words: __m512i, _: usize) -> __m512i {
        words
    }

    #[inline(always)]
    fn dot(self, sums: __m512i, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: a value of this type stands for a CPU with the instructions; the vectors are the same 64 bytes.
        unsafe {
            let [a, b] = [a, b].map(|words| transmute::<__m512i, __m512bh>(words));
            _mm512_castps_si512(_mm512_dpbf16_ps(_mm512_castsi512_ps(sums), a, b))
        }
    }
}

/// Two `bf16`, each of which is widened to an `f32`: words are two parts.
struct Widened;

impl Dot for Avx512<Widened> {
    const PARTS: usize = 2;

    #[inline(always)]
    fn part(self, words: __m512i, part: usize) -> __m512i {
        // SAFETY: a value of this type stands for a CPU with the instructions.
        unsafe {
            match part {
                0 => _mm512_slli_epi32::<16>(words),
                _ => _mm512_and_si512(words, _mm512_set1_epi32(0xFFFF_0000_u32.cast_signed())),
            }
        }
    }

    #[inline(always)]
    fn dot(self, sums: __m512i, a: __m512i, b: __m512i) -> __m512i {
        Avx512::<F32>(PhantomData).dot(sums, a, b)
    }
}

/// `A` holds 128 more than its elements, since the instruction takes bytes without a sign there.
impl Dot for Avx512<S8> {
    const PARTS: usize = 1;

    #[inline(always)]
    fn part(self, words: __m512i, _: usize) -> __m512i {
        words
    }

    #[inline(always)]
    fn dot(self, sums: __m512i, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: a value of this type stands for a CPU with the instructions.
        unsafe { _mm512_dpbusd_epi32(sums, a, b) }
    }
}

/// Rows of a block, of two vectors each: sums for both units to be busy, and at most 20 of them for the compiler to
/// keep them in registers.
pub(super) const ROWS: usize = 8;
pub(super) const COLUMNS: usize = 2 * 16;
/// Vectors of a block of one row: so many sums that none waits for another.
const WIDE_VECTORS: usize = 8;
/// Columns of such a block.
pub(super) const WIDE: usize = WIDE_VECTORS * 16;

#[target_feature(enable = "avx512f")]
pub(super) fn f32(block: &mut MicroBlock<'_>) {
    // SAFETY: the function has the features.
    multiply::<_, ROWS, 2>(unsafe { Avx512::<F32>::new() }, block);
}

#[target_feature(enable = "avx512f,avx512bf16")]
pub(super) fn bf16(block: &mut MicroBlock<'_>) {
    // SAFETY: the function has the features.
    multiply::<_, ROWS, 2>(unsafe { Avx512::<BF16>::new() }, block);
}

#[target_feature(enable = "avx512f,avx512vnni")]
pub(super) fn s8(block: &mut MicroBlock<'_>) {
    // SAFETY: the function has the features.
    multiply::<_, ROWS, 2>(unsafe { Avx512::<S8>::new() }, block);
}

/// One row of [`s8`].
#[target_feature(enable = "avx512f,avx512vnni")]
pub(super) fn s8_row(block: &mut MicroBlock<'_>) {
    // SAFETY: the function has the features.
    multiply::<_, 1, 2>(unsafe { Avx512::<S8>::new() }, block);
}

/// One row of [`f32`].
#[target_feature(enable = "avx512f")]
pub(super) fn f32_row(block: &mut MicroBlock<'_>) {
    // SAFETY: the function has the features.
    multiply::<_, 1, 2>(unsafe { Avx512::<F32>::new() }, block);
}

/// One row of [`bf16`].
#[target_feature(enable = "avx512f,avx512bf16")]
pub(super) fn bf16_row(block: &mut MicroBlock<'_>) {
    // SAFETY: the function has the features.
    multiply::<_, 1, 2>(unsafe { Avx512::<BF16>::new() }, block);
}

/// One row of [`s8`], in more columns.
#[target_feature(enable = "avx512f,avx512vnni")]
pub(super) fn s8_wide_row(block: &mut MicroBlock<'_>) {
    // SAFETY: the function has the features.
    multiply::<_, 1, WIDE_VECTORS>(unsafe { Avx512::<S8>::new() }, block);
}

/// One row of [`f32`], in more columns.
#[target_feature(enable = "avx512f")]
pub(super) fn f32_wide_row(block: &mut MicroBlock<'_>) {
    // SAFETY: the function has the features.
    multiply::<_, 1, WIDE_VECTORS>(unsafe { Avx512::<F32>::new() }, block);
}

/// One row of [`bf16`], in more columns.
#[target_feature(enable = "avx512f,avx512bf16")]
pub(super) fn bf16_wide_row(block: &mut MicroBlock<'_>) {
    // SAFETY: the function has the features.
    multiply::<_, 1, WIDE_VECTORS>(unsafe { Avx512::<BF16>::new() }, block);
}

/// Blocks of `bf16`, widened.
#[target_feature(enable = "avx512f")]
pub(super) fn widened(block: &mut MicroBlock<'_>) {
    // SAFETY: the function has the features.
    multiply::<_, ROWS, 2>(unsafe { Avx512::<Widened>::new() }, block);
}

/// One row of [`widened`].
#[target_feature(enable = "avx512f")]
pub(super) fn widened_row(block: &mut MicroBlock<'_>) {
    // SAFETY: the function has the features.
    multiply::<_, 1, 2>(unsafe { Avx512::<Widened>::new() }, block);
}

/// One row of [`widened`], in more columns.
#[target_feature(enable = "avx512f")]
pub(super) fn widened_wide_row(block: &mut MicroBlock<'_>) {
    // SAFETY: the function has the features.
    multiply::<_, 1, WIDE_VECTORS>(unsafe { Avx512::<Widened>::new() }, block);
}
