//! Vectors of 16 words: AVX-512, with the dot products of bf16 and of bytes if the CPU has them.
#![allow(unsafe_code, reason = "instructions that not every CPU has")]

use super::compiled::{kernels, small_products};
use super::grid::Word;
use super::in_place::{self, Factors, in_place_kernels, multiply_in_place, multiply_packing};
use super::lanes::{Dot, MicroBlock, Vectors, multiply};
use super::panels::SHIFT;
use super::row_run::{RowRun, multiply_run};
use super::small::{FirstLanes, Small, SmallDot};
use super::zipped_run::{Zip, ZippedRun, multiply_zipped};
use crate::element::{BF16, F32, F64, S8};
use core::arch::x86_64::*;
use core::marker::PhantomData;
use core::mem::transmute;

/// Proves that the CPU has AVX-512, and the dot products of elements `E`, which the words contain.
pub(super) struct Avx512<E>(PhantomData<E>);

impl<E> Avx512<E> {
    /// # Safety
    /// The CPU must have AVX-512 F and BW; for bf16 also BF16, and for s8 also VNNI.
    #[inline(always)]
    pub(super) unsafe fn new() -> Self {
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
        // SAFETY: a value of this type proves that the CPU has the instructions.
        unsafe { _mm512_set1_epi32(word.cast_signed()) }
    }

    #[inline(always)]
    fn and(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: as above.
        unsafe { _mm512_and_si512(a, b) }
    }

    /// # Safety
    /// As for [`Vectors::load`].
    #[inline(always)]
    unsafe fn load(self, from: *const Word) -> __m512i {
        // SAFETY: as above, and the caller promises the words.
        unsafe { _mm512_loadu_si512(from.cast()) }
    }

    /// # Safety
    /// As for [`Vectors::store`].
    #[inline(always)]
    unsafe fn store(self, words: __m512i, to: *mut Word) {
        // SAFETY: as above, and the caller promises the words.
        unsafe { _mm512_storeu_si512(to.cast(), words) }
    }
}

impl<E> FirstLanes for Avx512<E> {
    type Mask = __mmask16;

    #[inline(always)]
    fn or(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: a value of this type proves that the CPU has the instructions.
        unsafe { _mm512_or_si512(a, b) }
    }

    #[inline(always)]
    fn is_zero(self, words: __m512i) -> bool {
        // SAFETY: as above.
        unsafe { _mm512_test_epi32_mask(words, words) == 0 }
    }

    #[inline(always)]
    fn first(self, count: usize) -> __mmask16 {
        ((1_u32 << count) - 1) as u16
    }

    /// # Safety
    /// As for [`FirstLanes::load_first`].
    #[inline(always)]
    unsafe fn load_first(self, mask: __mmask16, from: *const Word) -> __m512i {
        // SAFETY: a value of this type proves that the CPU has the instructions; words that the mask leaves out are not read.
        unsafe { _mm512_maskz_loadu_epi32(mask, from.cast()) }
    }

    /// # Safety
    /// As for [`FirstLanes::store_first`].
    #[inline(always)]
    unsafe fn store_first(self, words: __m512i, mask: __mmask16, to: *mut Word) {
        // SAFETY: as above; words outside the mask are not written.
        unsafe { _mm512_mask_storeu_epi32(to.cast(), mask, words) }
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
        // SAFETY: a value of this type proves that the CPU has the instructions.
        unsafe {
            let [sums, a, b] = [sums, a, b].map(|words| _mm512_castsi512_ps(words));
            _mm512_castps_si512(_mm512_fmadd_ps(a, b, sums))
        }
    }
}

/// Two words are an `f64`.
impl Dot for Avx512<F64> {
    const PARTS: usize = 1;
    const FACTOR_WORDS: usize = 2;

    #[inline(always)]
    fn part(self, words: __m512i, _: usize) -> __m512i {
        words
    }

    #[inline(always)]
    fn dot(self, sums: __m512i, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: a value of this type proves that the CPU has the instructions.
        unsafe {
            let [sums, a, b] = [sums, a, b].map(|words| _mm512_castsi512_pd(words));
            _mm512_castpd_si512(_mm512_fmadd_pd(a, b, sums))
        }
    }

    /// # Safety
    /// As for [`Dot::dot_row`].
    #[inline(always)]
    unsafe fn dot_row<const VECTORS: usize>(
        self,
        sums: &mut [__m512i; VECTORS],
        a: *const u32,
        b: [__m512i; VECTORS],
    ) {
        // SAFETY: the caller promises the words.
        let a = unsafe { self.factor(a.cast()) };
        for (sums, b) in sums.iter_mut().zip(b) {
            *sums = self.dot(*sums, a, b);
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
        // SAFETY: a value of this type proves that the CPU has the instructions; the vectors are the same 64 bytes.
        unsafe {
            let [a, b] = [a, b].map(|words| transmute::<__m512i, __m512bh>(words));
            _mm512_castps_si512(_mm512_dpbf16_ps(_mm512_castsi512_ps(sums), a, b))
        }
    }
}

/// Two `bf16`, each of which is widened to an `f32`: each word is two parts.
struct Widened;

impl Dot for Avx512<Widened> {
    const PARTS: usize = 2;
    const TOGETHER: bool = true;

    #[inline(always)]
    fn part(self, words: __m512i, part: usize) -> __m512i {
        // SAFETY: a value of this type proves that the CPU has the instructions.
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

/// `A` contains its elements plus 128, because the instruction reads the bytes of `A` as unsigned.
impl Dot for Avx512<S8> {
    const PARTS: usize = 1;

    #[inline(always)]
    fn part(self, words: __m512i, _: usize) -> __m512i {
        words
    }

    #[inline(always)]
    fn dot(self, sums: __m512i, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: a value of this type proves that the CPU has the instructions.
        unsafe { _mm512_dpbusd_epi32(sums, a, b) }
    }
}

/// Bytes, of which those of `B` are converted to the unsigned bytes that the instruction needs: see `Prepare::Flip`.
struct Flipped;

impl Dot for Avx512<Flipped> {
    const PARTS: usize = 1;

    #[inline(always)]
    fn part(self, words: __m512i, _: usize) -> __m512i {
        // SAFETY: a value of this type proves that the CPU has the instructions.
        unsafe { _mm512_xor_si512(words, _mm512_set1_epi32(SHIFT.cast_signed())) }
    }

    #[inline(always)]
    fn dot(self, sums: __m512i, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: as above.
        unsafe { _mm512_dpbusd_epi32(sums, b, a) }
    }
}

/// Unsigned bytes of `A` and signed bytes of `B`, which are what the instruction multiplies.
struct UnsignedSigned;

impl Dot for Avx512<UnsignedSigned> {
    const PARTS: usize = 1;

    #[inline(always)]
    fn part(self, words: __m512i, _: usize) -> __m512i {
        words
    }

    #[inline(always)]
    fn dot(self, sums: __m512i, a: __m512i, b: __m512i) -> __m512i {
        Avx512::<S8>(PhantomData).dot(sums, a, b)
    }
}

/// Signed bytes of `A` and unsigned bytes of `B`.
pub(super) struct SignedUnsigned;

impl Dot for Avx512<SignedUnsigned> {
    const PARTS: usize = 1;

    #[inline(always)]
    fn part(self, words: __m512i, _: usize) -> __m512i {
        words
    }

    #[inline(always)]
    fn dot(self, sums: __m512i, a: __m512i, b: __m512i) -> __m512i {
        Avx512::<S8>(PhantomData).dot(sums, b, a)
    }
}

/// Unsigned bytes, of which those of `B` are converted to signed bytes: see `Prepare::Flip`.
struct FlippedUnsigned;

impl Dot for Avx512<FlippedUnsigned> {
    const PARTS: usize = 1;

    #[inline(always)]
    fn part(self, words: __m512i, part: usize) -> __m512i {
        Avx512::<Flipped>(PhantomData).part(words, part)
    }

    #[inline(always)]
    fn dot(self, sums: __m512i, a: __m512i, b: __m512i) -> __m512i {
        Avx512::<S8>(PhantomData).dot(sums, a, b)
    }
}

/// The rows of a block of two vectors each: enough sums to keep both units busy, but at most 20, so that the compiler keeps
/// them in registers.
pub(super) const ROWS: usize = 8;
pub(super) const COLUMNS: usize = 2 * 16;
/// The vectors of a block of one or two rows: enough sums that none waits for another.
pub(super) const WIDE_VECTORS: usize = 8;
/// The vectors of a block of four rows.
pub(super) const LOW_VECTORS: usize = 4;
/// The columns of a block of one or two rows.
pub(super) const WIDE: usize = WIDE_VECTORS * 16;

kernels! { Avx512, multiply(MicroBlock):
    f32 "avx512f" F32 [ROWS 2];
    bf16 "avx512f,avx512bf16" BF16 [ROWS 2];
    s8 "avx512f,avx512vnni" S8 [ROWS 2];
    /// One row of [`s8`].
    s8_row "avx512f,avx512vnni" S8 [1 2];
    /// Blocks of bytes, unsigned in `A` or `B` or both. If both are, 128 is subtracted from those of `A`.
    u8_s8 "avx512f,avx512vnni" UnsignedSigned [ROWS 2];
    s8_u8 "avx512f,avx512vnni" SignedUnsigned [ROWS 2];
    u8_u8 "avx512f,avx512vnni" SignedUnsigned [ROWS 2];
    u8_s8_row "avx512f,avx512vnni" UnsignedSigned [1 2];
    s8_u8_row "avx512f,avx512vnni" SignedUnsigned [1 2];
    u8_u8_row "avx512f,avx512vnni" SignedUnsigned [1 2];
    /// One row of [`f32`].
    f32_row "avx512f" F32 [1 2];
    /// One row of [`bf16`].
    bf16_row "avx512f,avx512bf16" BF16 [1 2];
    /// Blocks of `bf16`, widened.
    widened "avx512f" Widened [ROWS 2];
    /// One row of [`widened`].
    widened_row "avx512f" Widened [1 2];
    /// Blocks of `f64`.
    f64 "avx512f" F64 [ROWS 2];
    /// One row of [`f64`].
    f64_row "avx512f" F64 [1 2];
}

in_place_kernels! { Avx512:
    f32_in_place f32_packing "avx512f" F32;
    f64_in_place f64_packing "avx512f" F64;
}

kernels! { Avx512, multiply_run(RowRun):
    /// One row of bytes, in more columns than [`s8_row`], with those of `B` flipped.
    s8_wide_row "avx512f,avx512vnni" Flipped [1 WIDE_VECTORS];
    u8_s8_wide_row "avx512f,avx512vnni" UnsignedSigned [1 WIDE_VECTORS];
    s8_u8_wide_row "avx512f,avx512vnni" SignedUnsigned [1 WIDE_VECTORS];
    u8_u8_wide_row "avx512f,avx512vnni" FlippedUnsigned [1 WIDE_VECTORS];
    /// One row of [`f32`], in more columns.
    f32_wide_row "avx512f" F32 [1 WIDE_VECTORS];
    /// One row of [`bf16`], in more columns.
    bf16_wide_row "avx512f,avx512bf16" BF16 [1 WIDE_VECTORS];
    /// One row of [`widened`], in more columns.
    widened_wide_row "avx512f" Widened [1 WIDE_VECTORS];
    /// One row of [`f64`], in more columns.
    f64_wide_row "avx512f" F64 [1 WIDE_VECTORS];
    /// Two and four rows of these.
    s8_two_rows "avx512f,avx512vnni" Flipped [2 WIDE_VECTORS];
    s8_four_rows "avx512f,avx512vnni" Flipped [4 LOW_VECTORS];
    u8_s8_two_rows "avx512f,avx512vnni" UnsignedSigned [2 WIDE_VECTORS];
    u8_s8_four_rows "avx512f,avx512vnni" UnsignedSigned [4 LOW_VECTORS];
    s8_u8_two_rows "avx512f,avx512vnni" SignedUnsigned [2 WIDE_VECTORS];
    s8_u8_four_rows "avx512f,avx512vnni" SignedUnsigned [4 LOW_VECTORS];
    u8_u8_two_rows "avx512f,avx512vnni" FlippedUnsigned [2 WIDE_VECTORS];
    u8_u8_four_rows "avx512f,avx512vnni" FlippedUnsigned [4 LOW_VECTORS];
    f32_two_rows "avx512f" F32 [2 WIDE_VECTORS];
    f32_four_rows "avx512f" F32 [4 LOW_VECTORS];
    bf16_two_rows "avx512f,avx512bf16" BF16 [2 WIDE_VECTORS];
    bf16_four_rows "avx512f,avx512bf16" BF16 [4 LOW_VECTORS];
    widened_two_rows "avx512f" Widened [2 WIDE_VECTORS];
    widened_four_rows "avx512f" Widened [4 LOW_VECTORS];
    f64_two_rows "avx512f" F64 [2 WIDE_VECTORS];
    f64_four_rows "avx512f" F64 [4 LOW_VECTORS];
}

impl<E> Zip for Avx512<E>
where
    Self: Dot<Vector = __m512i>,
{
    #[inline(always)]
    fn zip<const SIZE: usize>(self, a: __m512i, b: __m512i) -> [__m512i; 2] {
        // SAFETY: a value of this type proves that the CPU has the instructions.
        unsafe {
            match SIZE {
                1 => [_mm512_unpacklo_epi8(a, b), _mm512_unpackhi_epi8(a, b)],
                _ => [_mm512_unpacklo_epi16(a, b), _mm512_unpackhi_epi16(a, b)],
            }
        }
    }

    #[inline(always)]
    fn zip_nibbles(self, a: __m512i, b: __m512i) -> [__m512i; 2] {
        // SAFETY: as above.
        unsafe {
            let mask = _mm512_set1_epi8(15);
            // The bits of the second operand where the first has ones, and those of the third elsewhere.
            [
                _mm512_ternarylogic_epi32::<0xCA>(mask, a, _mm512_slli_epi32::<4>(b)),
                _mm512_ternarylogic_epi32::<0xCA>(mask, _mm512_srli_epi32::<4>(a), b),
            ]
        }
    }
}

kernels! { Avx512, multiply_zipped(ZippedRun):
    /// One row of bytes, with `B` as rows of elements.
    s8_zipped_row "avx512f,avx512bw,avx512vnni" Flipped [4];
    u8_s8_zipped_row "avx512f,avx512bw,avx512vnni" UnsignedSigned [4];
    s8_u8_zipped_row "avx512f,avx512bw,avx512vnni" SignedUnsigned [4];
    u8_u8_zipped_row "avx512f,avx512bw,avx512vnni" FlippedUnsigned [4];
    /// One row of [`bf16`], with `B` as rows of elements.
    bf16_zipped_row "avx512f,avx512bw,avx512bf16" BF16 [2];
    /// One row of [`widened`], with `B` as rows of elements.
    widened_zipped_row "avx512f,avx512bw" Widened [2];
}

impl SmallDot for Avx512<F32> {}

impl SmallDot for Avx512<F64> {
    /// # Safety
    /// As for [`SmallDot::factor`].
    #[inline(always)]
    unsafe fn factor(self, at: *const Word) -> __m512i {
        // SAFETY: a value of this type proves that the CPU has the instructions; the caller promises the words.
        unsafe { _mm512_set1_epi64(at.cast::<i64>().read_unaligned()) }
    }
}

impl SmallDot for Avx512<BF16> {}

impl SmallDot for Avx512<S8> {
    const EXCESS: Option<u32> = Some(SHIFT);

    #[inline(always)]
    fn negative(self, sums: __m512i) -> __m512i {
        // SAFETY: a value of this type proves that the CPU has the instructions.
        unsafe { _mm512_sub_epi32(_mm512_setzero_si512(), sums) }
    }
}

small_products! { Avx512:
    /// A small product of `f32`.
    small_f32 "avx512f" F32, wide [8];
    /// A small product of elements that are widened to `f32`.
    small_widened "avx512f" F32, widened [8];
    /// A small product of `f64`.
    small_f64 "avx512f" F64, wide [8];
    /// A small product of `bf16`, or of `bf16` and `s8`.
    small_bf16 "avx512f,avx512bf16" BF16, mixed [8];
    /// A small product of `s8`.
    small_s8 "avx512f,avx512vnni" S8, narrow [8 4];
}
