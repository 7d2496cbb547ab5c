//! Vectors of 8 words: AVX2 and FMA.
#![allow(unsafe_code, reason = "instructions that not every CPU has")]

use super::compiled::{kernels, small_products};
use super::grid::Word;
use super::lanes::{Dot, MicroBlock, Vectors, multiply};
use super::panels::SHIFT;
use super::row_run::{RowRun, multiply_run};
use super::small::{FirstLanes, Small, SmallDot};
use super::zipped_run::{Zip, ZippedRun, multiply_zipped};
use crate::element::{BF16, F32, F64, S8};
use core::arch::asm;
use core::arch::x86_64::*;
use core::marker::PhantomData;

/// Proves that the CPU has AVX2 and FMA, and AVX-VNNI for `Vnni`. Words contain elements `E`.
pub(super) struct Avx2<E>(PhantomData<E>);

impl<E> Avx2<E> {
    /// # Safety
    /// The CPU must have AVX2 and FMA, and AVX-VNNI for `Vnni`.
    #[inline(always)]
    pub(super) unsafe fn new() -> Self {
        Self(PhantomData)
    }
}

impl<E> Clone for Avx2<E> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<E> Copy for Avx2<E> {}

impl<E> Vectors for Avx2<E> {
    type Vector = __m256i;
    const LANES: usize = 8;
    const REGISTERS: usize = 16;

    #[inline(always)]
    fn splat(self, word: u32) -> __m256i {
        // SAFETY: a value of this type proves that the CPU has the instructions.
        unsafe { _mm256_set1_epi32(word.cast_signed()) }
    }

    #[inline(always)]
    fn and(self, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: as above.
        unsafe { _mm256_and_si256(a, b) }
    }

    /// # Safety
    /// As for [`Vectors::load`].
    #[inline(always)]
    unsafe fn load(self, from: *const Word) -> __m256i {
        // SAFETY: as above, and the caller promises the words.
        unsafe { _mm256_loadu_si256(from.cast()) }
    }

    /// # Safety
    /// As for [`Vectors::store`].
    #[inline(always)]
    unsafe fn store(self, words: __m256i, to: *mut Word) {
        // SAFETY: as above, and the caller promises the words.
        unsafe { _mm256_storeu_si256(to.cast(), words) }
    }
}

impl<E> FirstLanes for Avx2<E> {
    type Mask = __m256i;

    #[inline(always)]
    fn or(self, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: a value of this type proves that the CPU has the instructions.
        unsafe { _mm256_or_si256(a, b) }
    }

    #[inline(always)]
    fn is_zero(self, words: __m256i) -> bool {
        // SAFETY: as above.
        unsafe { _mm256_testz_si256(words, words) == 1 }
    }

    #[inline(always)]
    fn first(self, count: usize) -> __m256i {
        // SAFETY: a value of this type proves that the CPU has the instructions.
        unsafe {
            let lanes = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
            _mm256_cmpgt_epi32(_mm256_set1_epi32(count as i32), lanes)
        }
    }

    /// # Safety
    /// As for [`FirstLanes::load_first`].
    #[inline(always)]
    unsafe fn load_first(self, mask: __m256i, from: *const Word) -> __m256i {
        // SAFETY: as above; words outside the mask are not read.
        unsafe { _mm256_maskload_epi32(from.cast(), mask) }
    }

    /// # Safety
    /// As for [`FirstLanes::store_first`].
    #[inline(always)]
    unsafe fn store_first(self, words: __m256i, mask: __m256i, to: *mut Word) {
        // SAFETY: as above; words outside the mask are not written.
        unsafe { _mm256_maskstore_epi32(to.cast(), mask, words) }
    }
}

impl Dot for Avx2<F32> {
    const PARTS: usize = 1;

    #[inline(always)]
    fn part(self, words: __m256i, _: usize) -> __m256i {
        words
    }

    #[inline(always)]
    fn dot(self, sums: __m256i, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: a value of this type proves that the CPU has the instructions.
        unsafe {
            let [sums, a, b] = [sums, a, b].map(|words| _mm256_castsi256_ps(words));
            _mm256_castps_si256(_mm256_fmadd_ps(a, b, sums))
        }
    }
}

/// Two words are an `f64`.
impl Dot for Avx2<F64> {
    const PARTS: usize = 1;
    const FACTOR_WORDS: usize = 2;

    #[inline(always)]
    fn part(self, words: __m256i, _: usize) -> __m256i {
        words
    }

    #[inline(always)]
    fn dot(self, sums: __m256i, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: a value of this type proves that the CPU has the instructions.
        unsafe {
            let [sums, a, b] = [sums, a, b].map(|words| _mm256_castsi256_pd(words));
            _mm256_castpd_si256(_mm256_fmadd_pd(a, b, sums))
        }
    }

    /// # Safety
    /// As for [`Dot::dot_row`].
    #[inline(always)]
    unsafe fn dot_row<const VECTORS: usize>(
        self,
        sums: &mut [__m256i; VECTORS],
        a: *const u32,
        b: [__m256i; VECTORS],
    ) {
        // SAFETY: the caller promises the words.
        let a = unsafe { self.factor(a.cast()) };
        for (sums, b) in sums.iter_mut().zip(b) {
            *sums = self.dot(*sums, a, b);
        }
    }
}

/// As in the portable kernel, each word is two parts of one `f32` each.
impl Dot for Avx2<BF16> {
    const PARTS: usize = 2;

    #[inline(always)]
    fn part(self, words: __m256i, part: usize) -> __m256i {
        // SAFETY: a value of this type proves that the CPU has the instructions.
        unsafe {
            match part {
                0 => _mm256_slli_epi32::<16>(words),
                _ => _mm256_and_si256(words, _mm256_set1_epi32(0xFFFF_0000_u32.cast_signed())),
            }
        }
    }

    #[inline(always)]
    fn dot(self, sums: __m256i, a: __m256i, b: __m256i) -> __m256i {
        Avx2::<F32>(PhantomData).dot(sums, a, b)
    }
}

/// As in the portable kernel, each word is two parts of two `i16` each.
impl Dot for Avx2<S8> {
    const PARTS: usize = 2;

    #[inline(always)]
    fn part(self, words: __m256i, part: usize) -> __m256i {
        // SAFETY: a value of this type proves that the CPU has the instructions.
        unsafe {
            match part {
                0 => _mm256_srai_epi16::<8>(_mm256_slli_epi16::<8>(words)),
                _ => _mm256_srai_epi16::<8>(words),
            }
        }
    }

    #[inline(always)]
    fn dot(self, sums: __m256i, a: __m256i, b: __m256i) -> __m256i {
        Avx2::<Pairs>(PhantomData).dot(sums, a, b)
    }

    /// # Safety
    /// As for [`Dot::dot_row`].
    #[inline(always)]
    unsafe fn dot_row<const VECTORS: usize>(
        self,
        sums: &mut [__m256i; VECTORS],
        a: *const u32,
        b: [__m256i; VECTORS],
    ) {
        // SAFETY: the caller promises the word.
        unsafe { Avx2::<Pairs>(PhantomData).dot_row(sums, a, b) }
    }
}

/// Two `i16`.
pub(super) struct Pairs;

impl Dot for Avx2<Pairs> {
    const PARTS: usize = 1;

    #[inline(always)]
    fn part(self, words: __m256i, _: usize) -> __m256i {
        words
    }

    #[inline(always)]
    fn dot(self, sums: __m256i, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: a value of this type proves that the CPU has the instructions.
        unsafe { _mm256_add_epi32(sums, _mm256_madd_epi16(a, b)) }
    }

    /// # Safety
    /// As for [`Dot::dot_row`].
    #[inline(always)]
    unsafe fn dot_row<const VECTORS: usize>(
        self,
        sums: &mut [__m256i; VECTORS],
        a: *const u32,
        b: [__m256i; VECTORS],
    ) {
        const { assert!(VECTORS.is_multiple_of(2)) }
        for (sums, b) in sums.as_chunks_mut().0.iter_mut().zip(b.as_chunks().0) {
            // SAFETY: a value of this type proves that the CPU has the instructions; the caller promises the word.
            *sums = unsafe { add_products(*sums, a, *b) };
        }
    }
}

/// Adds the dot products of the pair at `a` and of pairs in `b`. This order of the instructions, both products before both
/// sums, keeps all units busy on a CPU that can add in all units and multiply in some (on Zen 3, 0.98 of the speed of the same
/// instructions without memory accesses). The order of the compiler does not (0.90), nor do merged steps.
///
/// # Safety
/// The word at `a` must be readable.
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn add_products(sums: [__m256i; 2], a: *const u32, b: [__m256i; 2]) -> [__m256i; 2] {
    let [mut first, mut second] = sums;
    // SAFETY: the caller promises the word, and nothing else is read; only the operands change.
    unsafe {
        asm!(
            "vpbroadcastd {pair}, [{a}]",
            "vpmaddwd {products}, {pair}, {b0}",
            "vpmaddwd {pair}, {pair}, {b1}",
            "vpaddd {first}, {first}, {products}",
            "vpaddd {second}, {second}, {pair}",
            a = in(reg) a,
            b0 = in(ymm_reg) b[0],
            b1 = in(ymm_reg) b[1],
            first = inout(ymm_reg) first,
            second = inout(ymm_reg) second,
            pair = out(ymm_reg) _,
            products = out(ymm_reg) _,
            options(pure, readonly, nostack, preserves_flags),
        );
    }
    [first, second]
}

/// Bytes, on a CPU that also has AVX-VNNI. Its instruction reads the bytes of `A` as unsigned, so `A` contains its elements
/// plus 128.
struct Vnni;

impl Dot for Avx2<Vnni> {
    const PARTS: usize = 1;

    #[inline(always)]
    fn part(self, words: __m256i, _: usize) -> __m256i {
        words
    }

    #[inline(always)]
    fn dot(self, sums: __m256i, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: a value of this type proves that the CPU has the instructions.
        unsafe { _mm256_dpbusd_avx_epi32(sums, a, b) }
    }
}

/// [`Vnni`] with the operands exchanged: see `Prepare::Flip`.
struct Flipped;

impl Dot for Avx2<Flipped> {
    const PARTS: usize = 1;

    #[inline(always)]
    fn part(self, words: __m256i, _: usize) -> __m256i {
        // SAFETY: a value of this type proves that the CPU has the instructions.
        unsafe { _mm256_xor_si256(words, _mm256_set1_epi32(SHIFT.cast_signed())) }
    }

    #[inline(always)]
    fn dot(self, sums: __m256i, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: as above.
        unsafe { _mm256_dpbusd_avx_epi32(sums, b, a) }
    }
}

/// The rows of a block: with two vectors each, all 16 registers are in use.
pub(super) const ROWS: usize = 6;
pub(super) const COLUMNS: usize = 2 * 8;
/// The vectors of a block of one row: enough sums that none waits for another.
pub(super) const WIDE_VECTORS: usize = 8;
/// The columns of a block of one row.
pub(super) const WIDE: usize = WIDE_VECTORS * 8;
/// The vectors of a block of two rows.
pub(super) const LOW_VECTORS: usize = 4;
/// The columns of a block of two rows.
pub(super) const LOW: usize = LOW_VECTORS * 8;

kernels! { Avx2, multiply(MicroBlock):
    f32 "avx2,fma" F32 [ROWS 2];
    bf16 "avx2,fma" BF16 [ROWS 2];
    s8 "avx2,fma" S8 [ROWS 2];
    s16 "avx2,fma" Pairs [ROWS 2];
    s8_vnni "avx2,fma,avxvnni" Vnni [ROWS 2];
    /// One row of [`s8_vnni`].
    s8_vnni_row "avx2,fma,avxvnni" Vnni [1 2];
    /// One row of [`f32`].
    f32_row "avx2,fma" F32 [1 2];
    /// One row of [`bf16`].
    bf16_row "avx2,fma" BF16 [1 2];
    /// One row of [`s8`].
    s8_row "avx2,fma" S8 [1 2];
    /// One row of [`s16`].
    s16_row "avx2,fma" Pairs [1 2];
    /// Blocks of `f64`.
    f64 "avx2,fma" F64 [ROWS 2];
    /// One row of [`f64`].
    f64_row "avx2,fma" F64 [1 2];
}

kernels! { Avx2, multiply_run(RowRun):
    /// One row of bytes, in more columns than [`s8_vnni_row`], with those of `B` flipped.
    s8_vnni_wide_row "avx2,fma,avxvnni" Flipped [1 WIDE_VECTORS];
    /// One row of [`f32`], in more columns.
    f32_wide_row "avx2,fma" F32 [1 WIDE_VECTORS];
    /// One row of [`f64`], in more columns.
    f64_wide_row "avx2,fma" F64 [1 WIDE_VECTORS];
    /// Two and four rows of these.
    f32_two_rows "avx2,fma" F32 [2 LOW_VECTORS];
    f32_four_rows "avx2,fma" F32 [4 2];
    f64_two_rows "avx2,fma" F64 [2 LOW_VECTORS];
    f64_four_rows "avx2,fma" F64 [4 2];
}

impl<E> Zip for Avx2<E>
where
    Self: Dot<Vector = __m256i>,
{
    #[inline(always)]
    fn zip<const SIZE: usize>(self, a: __m256i, b: __m256i) -> [__m256i; 2] {
        // SAFETY: a value of this type proves that the CPU has the instructions.
        unsafe {
            match SIZE {
                1 => [_mm256_unpacklo_epi8(a, b), _mm256_unpackhi_epi8(a, b)],
                _ => [_mm256_unpacklo_epi16(a, b), _mm256_unpackhi_epi16(a, b)],
            }
        }
    }

    #[inline(always)]
    fn zip_nibbles(self, a: __m256i, b: __m256i) -> [__m256i; 2] {
        // SAFETY: as above.
        unsafe {
            let mask = _mm256_set1_epi8(15);
            let either = |low, high| {
                _mm256_or_si256(_mm256_and_si256(mask, low), _mm256_andnot_si256(mask, high))
            };
            [either(a, _mm256_slli_epi32::<4>(b)), either(_mm256_srli_epi32::<4>(a), b)]
        }
    }
}

kernels! { Avx2, multiply_zipped(ZippedRun):
    /// One row of bytes, with `B` as rows of elements.
    s8_vnni_zipped_row "avx2,fma,avxvnni" Flipped [4];
}

impl SmallDot for Avx2<F32> {}

impl SmallDot for Avx2<F64> {
    /// # Safety
    /// As for [`SmallDot::factor`].
    #[inline(always)]
    unsafe fn factor(self, at: *const Word) -> __m256i {
        // SAFETY: a value of this type proves that the CPU has the instructions; the caller promises the words.
        unsafe { _mm256_set1_epi64x(at.cast::<i64>().read_unaligned()) }
    }
}

small_products! { Avx2:
    /// A small product of `f32`.
    small_f32 "avx2,fma" F32, wide [4];
    /// A small product of elements that are widened to `f32`.
    small_widened "avx2,fma" F32, widened [4];
    /// A small product of `f64`.
    small_f64 "avx2,fma" F64, wide [4];
}
