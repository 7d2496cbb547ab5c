//! Elements of `B` are widened with AVX2: integers to `f32` or to `i16`, floats to `f32`.
#![allow(unsafe_code, reason = "instructions that not every CPU has")]

use super::super::avx2::{Avx2, COLUMNS, LOW, LOW_VECTORS, Pairs, ROWS, WIDE, WIDE_VECTORS};
use super::super::compiled::kernels;
use super::super::grid::{NIBBLES, Word};
use super::super::lanes::{ByteTable, Dot, MicroBlock, Vectors, multiply};
use super::super::micro_kernel::MicroKernel;
use super::super::row_run::{RowRun, multiply_run};
use super::super::types;
use super::super::widening::WidenFn;
use super::super::zipped_run::{ZippedRun, multiply_zipped};
use super::{As, Functions, MAX_ROWS, Nibbles};
use crate::cpu::detect::{HasAvx512F, HasAvx512Vnni, HasAvxVnni, HasFma};
use crate::element::*;
use core::arch::x86_64::*;
use layout_core::dtype::DType;

/// The words of a vector.
const LANES: usize = 8;

/// Elements that become factors.
trait Widen {
    /// The number of parts that a word becomes.
    const PARTS: usize;
    /// A part of words: a factor, or two.
    fn widen(proof: Avx2<F32>, words: __m256i, part: usize) -> __m256i;
}

/// Dot products of factors, by the kernel of another type.
macro_rules! dots {
    ($($Factor:ty => $Kernel:ty;)*) => { $(
        impl<E> Dot for Avx2<As<E, $Factor>>
        where
            As<E, $Factor>: Widen,
        {
            const PARTS: usize = <As<E, $Factor> as Widen>::PARTS;
            const TOGETHER: bool = true;

            #[inline(always)]
            fn part(self, words: __m256i, part: usize) -> __m256i {
                // SAFETY: a value of this type proves that the CPU has the instructions.
                <As<E, $Factor>>::widen(unsafe { Avx2::new() }, words, part)
            }

            #[inline(always)]
            fn dot(self, sums: __m256i, a: __m256i, b: __m256i) -> __m256i {
                // SAFETY: as above.
                unsafe { Avx2::<$Kernel>::new() }.dot(sums, a, b)
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
                // SAFETY: as above, and the caller promises the word.
                unsafe { Avx2::<$Kernel>::new().dot_row(sums, a, b) }
            }
        }
    )* };
}
dots! {
    F32 => F32;
    Pairs => Pairs;
}

/// The bits of words from one on, up to another, as integers of 32 bits.
#[inline(always)]
fn bits<const SIGNED: bool>(_: Avx2<F32>, words: __m256i, from: usize, to: usize) -> __m256i {
    let [up, down] = [32 - to, 32 - to + from].map(|count| count as i64);
    // SAFETY: the value proves that the CPU has the instructions.
    unsafe {
        let count = |bits| _mm_cvtsi64_si128(bits);
        let high = if up == 0 { words } else { _mm256_sll_epi32(words, count(up)) };
        match SIGNED {
            true => _mm256_sra_epi32(high, count(down)),
            false => _mm256_srl_epi32(high, count(down)),
        }
    }
}

/// The same of both halves of words, as integers of 16 bits.
#[inline(always)]
fn halves<const SIGNED: bool>(_: Avx2<F32>, words: __m256i, from: usize, to: usize) -> __m256i {
    let [up, down] = [16 - to, 16 - to + from].map(|count| count as i64);
    // SAFETY: as above.
    unsafe {
        let count = |bits| _mm_cvtsi64_si128(bits);
        let high = if up == 0 { words } else { _mm256_sll_epi16(words, count(up)) };
        match SIGNED {
            true => _mm256_sra_epi16(high, count(down)),
            false => _mm256_srl_epi16(high, count(down)),
        }
    }
}

/// Integers of some bits, of which words have a number.
macro_rules! integers {
    ($($Stored:ty: $signed:literal, $bits:literal bits, a word has $stacked:literal;)*) => { $(
        impl Widen for As<$Stored, F32> {
            const PARTS: usize = $stacked;

            #[inline(always)]
            fn widen(proof: Avx2<F32>, words: __m256i, part: usize) -> __m256i {
                let from = 32 / $stacked * part;
                let integers = bits::<$signed>(proof, words, from, from + $bits);
                // SAFETY: the value proves that the CPU has the instructions.
                unsafe { _mm256_castps_si256(_mm256_cvtepi32_ps(integers)) }
            }
        }

        /// A part has one element of the low half of words, and one of the high half.
        impl Widen for As<$Stored, Pairs> {
            const PARTS: usize = $stacked / 2;

            #[inline(always)]
            fn widen(proof: Avx2<F32>, words: __m256i, part: usize) -> __m256i {
                let from = 32 / $stacked * part;
                halves::<$signed>(proof, words, from, from + $bits)
            }
        }
    )* };
}
integers! {
    S8: true, 8 bits, a word has 4;
    U8: false, 8 bits, a word has 4;
    S4: true, 4 bits, a word has 4;
    U4: false, 4 bits, a word has 4;
    Nibbles<S4>: true, 4 bits, a word has 8;
    Nibbles<U4>: false, 4 bits, a word has 8;
}

impl Widen for As<BF16, F32> {
    const PARTS: usize = 2;

    #[inline(always)]
    fn widen(_: Avx2<F32>, words: __m256i, part: usize) -> __m256i {
        // SAFETY: the value proves that the CPU has the instructions.
        unsafe {
            match part {
                0 => _mm256_slli_epi32::<16>(words),
                _ => _mm256_and_si256(words, _mm256_set1_epi32(0xFFFF_0000_u32.cast_signed())),
            }
        }
    }
}

/// A half of a vector of `f16`, as `f32`.
#[inline(always)]
fn f16_to_f32(_: Avx2<F32>, halves: __m256i, high: bool) -> __m256 {
    // SAFETY: the value proves that the CPU has AVX2, and kernels of floats also need F16C.
    unsafe {
        _mm256_cvtph_ps(match high {
            false => _mm256_castsi256_si128(halves),
            true => _mm256_extracti128_si256::<1>(halves),
        })
    }
}

/// The bytes of a vector in another order, which is the same in both lanes of four words: eight bytes of each lane, then the others.
/// An index of -1 stands for a zero.
#[inline(always)]
fn ordered(_: Avx2<F32>, words: __m256i, order: &[i8; 16]) -> __m256i {
    // SAFETY: the value proves that the CPU has the instructions; the order has the bytes of a lane.
    unsafe {
        let order = _mm256_broadcastsi128_si256(_mm_loadu_si128(order.as_ptr().cast()));
        _mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_shuffle_epi8(words, order))
    }
}

impl Widen for As<F16, F32> {
    const PARTS: usize = 2;

    #[inline(always)]
    fn widen(proof: Avx2<F32>, words: __m256i, part: usize) -> __m256i {
        // The low halves of words, then the high halves.
        const ORDER: [i8; 16] = [0, 1, 4, 5, 8, 9, 12, 13, 2, 3, 6, 7, 10, 11, 14, 15];
        let halves = ordered(proof, words, &ORDER);
        // SAFETY: the value proves that the CPU has the instructions.
        unsafe { _mm256_castps_si256(f16_to_f32(proof, halves, part == 1)) }
    }
}

/// The bytes of a part of words, and those of the next part, each in the high half of 16 bits.
#[inline(always)]
fn high_bytes(proof: Avx2<F32>, words: __m256i, part: usize) -> __m256i {
    const FIRST: [i8; 16] = [-1, 0, -1, 4, -1, 8, -1, 12, -1, 1, -1, 5, -1, 9, -1, 13];
    const SECOND: [i8; 16] = [-1, 2, -1, 6, -1, 10, -1, 14, -1, 3, -1, 7, -1, 11, -1, 15];
    ordered(proof, words, if part < 2 { &FIRST } else { &SECOND })
}

/// The values of a type of 8 bits that are not numbers of its formula.
#[derive(Clone, Copy)]
enum Special {
    /// From a byte without its sign on, infinities and NaN with the mantissa of the `f16` that they become.
    From(u8),
    /// The largest byte without its sign is NaN.
    Largest,
    /// The byte of a zero with a sign is NaN.
    NegativeZero,
}

/// Floats of 8 bits whose exponent has up to 4 bits. With another bias, their bits are those of an `f16`.
///
/// The `f8e4m3fn` 1.5 has the bits `0 0111 100`. As `0 00111 1000000000` they are 1.5 / 256 in `f16`, since the bias of the
/// exponent is 15 there, and 7 here.
#[inline(always)]
fn f8_to_f32(
    proof: Avx2<F32>,
    bytes: __m256i,
    high: bool,
    mantissa: u32,
    bias: u32,
    special: Special,
) -> __m256i {
    // SAFETY: the value proves that the CPU has the instructions.
    unsafe {
        let splat = |bits: u16| _mm256_set1_epi16(bits.cast_signed());
        let unsigned = _mm256_and_si256(bytes, splat(0x7F00));
        let sign = _mm256_and_si256(bytes, splat(0x8000));
        // From bit 8 on, to the mantissa of an `f16`, which has 10 bits.
        let number = _mm256_srl_epi16(unsigned, _mm_cvtsi32_si128((mantissa - 2).cast_signed()));
        let (is_special, also) = match special {
            Special::From(byte) => {
                let before = splat((u16::from(byte) << 8) - 1);
                (_mm256_cmpgt_epi16(unsigned, before), 0x7C00)
            }
            Special::Largest => (_mm256_cmpeq_epi16(unsigned, splat(0x7F00)), 0x7E00),
            Special::NegativeZero => (_mm256_cmpeq_epi16(bytes, splat(0x8000)), 0x7E00),
        };
        let also = _mm256_and_si256(is_special, splat(also));
        let halves = _mm256_or_si256(_mm256_or_si256(number, sign), also);
        let factor = _mm256_set1_ps(f32::from_bits((127 + 15 - bias) << 23));
        _mm256_castps_si256(_mm256_mul_ps(f16_to_f32(proof, halves, high), factor))
    }
}

impl Widen for As<F8E5M2, F32> {
    const PARTS: usize = 4;

    #[inline(always)]
    fn widen(proof: Avx2<F32>, words: __m256i, part: usize) -> __m256i {
        // They are the high bytes of `f16`.
        let halves = high_bytes(proof, words, part);
        // SAFETY: the value proves that the CPU has the instructions.
        unsafe { _mm256_castps_si256(f16_to_f32(proof, halves, part % 2 == 1)) }
    }
}

macro_rules! floats {
    ($($Stored:ident: mantissa of $mantissa:literal bits, bias $bias:literal, $special:expr;)*) => { $(
        impl Widen for As<$Stored, F32> {
            const PARTS: usize = 4;

            #[inline(always)]
            fn widen(proof: Avx2<F32>, words: __m256i, part: usize) -> __m256i {
                let bytes = high_bytes(proof, words, part);
                f8_to_f32(proof, bytes, part % 2 == 1, $mantissa, $bias, $special)
            }
        }
    )* };
}
floats! {
    F8E4M3: mantissa of 3 bits, bias 7, Special::From(0x78);
    F8E4M3FN: mantissa of 3 bits, bias 7, Special::Largest;
    F8E4M3FNUZ: mantissa of 3 bits, bias 8, Special::NegativeZero;
    F8E4M3B11FNUZ: mantissa of 3 bits, bias 11, Special::NegativeZero;
    F8E3M4: mantissa of 4 bits, bias 3, Special::From(0x70);
}

/// Writes bytes 0 and 1 of each word as a pair of `bf16`, and bytes 2 and 3 as another.
///
/// # Safety
/// The CPU must have AVX2, FMA and F16C.
#[target_feature(enable = "avx2,fma,f16c")]
unsafe fn widen<E>(_: &ByteTable, words: &[Word], to: [&mut [Word]; 2])
where
    As<E, F32>: Widen,
{
    // SAFETY: the caller promises the instructions.
    let proof = unsafe { Avx2::<F32>::new() };
    let (vectors, rest) = words.as_chunks::<LANES>();
    let [first, second] = to.map(|to| to[..words.len()].as_chunks_mut::<LANES>());
    for ((words, first), second) in vectors.iter().zip(first.0).zip(second.0) {
        [*first, *second] = widened_pairs::<E>(proof, words);
    }
    if !rest.is_empty() {
        let mut words = [Word::default(); LANES];
        words[..rest.len()].copy_from_slice(rest);
        let pairs = widened_pairs::<E>(proof, &words);
        first.1.copy_from_slice(&pairs[0][..rest.len()]);
        second.1.copy_from_slice(&pairs[1][..rest.len()]);
    }
}

/// The pairs of a vector of words.
#[inline(always)]
fn widened_pairs<E>(proof: Avx2<F32>, words: &[Word; LANES]) -> [[Word; LANES]; 2]
where
    As<E, F32>: Widen,
{
    let mut pairs = [[Word::default(); LANES]; 2];
    // SAFETY: the value proves that the CPU has the instructions; the arrays have the words of a vector.
    unsafe {
        let words = proof.load(words.as_ptr());
        for (half, pairs) in pairs.iter_mut().enumerate() {
            let low = As::<E, F32>::widen(proof, words, 2 * half);
            let high = As::<E, F32>::widen(proof, words, 2 * half + 1);
            // The low halves of such numbers are zero.
            let pair = _mm256_or_si256(_mm256_srli_epi32::<16>(low), high);
            proof.store(pair, pairs.as_mut_ptr());
        }
    }
    pairs
}

/// The function that widens words of elements of a type, if there is one.
pub(in super::super) fn widening(dtype: DType) -> Option<WidenFn> {
    HasFma::detect()?;
    Some(match dtype {
        DType::S8 => widen::<S8>,
        DType::U8 => widen::<U8>,
        DType::F8E5M2 => widen::<F8E5M2>,
        DType::F8E4M3 => widen::<F8E4M3>,
        DType::F8E4M3FN => widen::<F8E4M3FN>,
        DType::F8E4M3FNUZ => widen::<F8E4M3FNUZ>,
        DType::F8E4M3B11FNUZ => widen::<F8E4M3B11FNUZ>,
        DType::F8E3M4 => widen::<F8E3M4>,
        _ => return None,
    })
}

/// The functions for elements `As<Stored, Factor>`, of which a word has `stacked`.
macro_rules! functions {
    ($Stored:ty as $Factor:ty, $stacked:tt) => {{
        kernels! { Avx2, multiply(MicroBlock):
            block "avx2,fma,f16c" As<$Stored, $Factor> [ROWS 2];
            row "avx2,fma,f16c" As<$Stored, $Factor> [1 2];
        }
        kernels! { Avx2, multiply_run(RowRun):
            wide "avx2,fma,f16c" As<$Stored, $Factor> [1 WIDE_VECTORS];
            two "avx2,fma,f16c" As<$Stored, $Factor> [2 LOW_VECTORS];
            four "avx2,fma,f16c" As<$Stored, $Factor> [4 2];
            six "avx2,fma,f16c" As<$Stored, $Factor> [ROWS 2];
        }
        kernels! { Avx2, multiply_zipped(ZippedRun):
            zipped_row "avx2,fma,f16c" As<$Stored, $Factor> [$stacked];
        }
        Functions {
            block,
            row,
            wide_row: (WIDE, wide),
            few_rows: [(2, LOW, two), (4, COLUMNS, four)],
            many_rows: Some([(4, COLUMNS, four), (ROWS, COLUMNS, six)]),
            zipped_row: Some((LANES * $stacked, zipped_row)),
        }
    }};
}

/// The kernel of AVX2 for a product of few rows, if there is one.
pub(super) fn kernel(operands: [DType; 2], rows: usize, stored: usize) -> Option<MicroKernel> {
    let has = HasFma::detect()?;
    let panel = types::panel(operands);
    if rows > max_rows(operands[1]) || multiplies(operands[1], panel) {
        return None;
    }
    let (functions, factor, parts) = match panel {
        DType::S8 | DType::S16 => (integers(operands[1], stored)?, DType::S16, stored / 2),
        DType::BF16 | DType::F32 => (floats(operands[1], stored)?, DType::F32, stored),
        _ => return None,
    };
    Some(functions.kernel(MicroKernel::avx2(has, factor), operands[1], stored, parts))
}

/// The largest number of rows of `A`, up to which panels take longer. Measured on Zen 3.
fn max_rows(stored: DType) -> usize {
    match stored {
        DType::F8E5M2 => 4 * ROWS,
        // They take the most instructions, again for each group of rows.
        DType::F8E4M3
        | DType::F8E4M3FN
        | DType::F8E4M3FNUZ
        | DType::F8E4M3B11FNUZ
        | DType::F8E3M4 => ROWS,
        _ => MAX_ROWS,
    }
}

/// Whether another kernel multiplies elements of `B` at least as fast where they are.
fn multiplies(stored: DType, panel: DType) -> bool {
    match (stored, panel) {
        (DType::S8, DType::S8) if HasAvxVnni::detect().is_some() => true,
        (DType::S8 | DType::U8, DType::S8 | DType::S16) => HasAvx512Vnni::detect().is_some(),
        (DType::BF16, DType::BF16) => HasAvx512F::detect().is_some(),
        _ => false,
    }
}

/// Words of pairs of `i16`.
fn integers(of: DType, stored: usize) -> Option<Functions> {
    Some(match (of, stored) {
        (DType::S8, 4) => functions!(S8 as Pairs, 4),
        (DType::U8, 4) => functions!(U8 as Pairs, 4),
        (DType::S4, 4) => functions!(S4 as Pairs, 4),
        (DType::U4, 4) => functions!(U4 as Pairs, 4),
        (DType::S4, NIBBLES) => functions!(Nibbles<S4> as Pairs, 8),
        (DType::U4, NIBBLES) => functions!(Nibbles<U4> as Pairs, 8),
        _ => return None,
    })
}

/// Words of `f32`.
fn floats(of: DType, stored: usize) -> Option<Functions> {
    Some(match (of, stored) {
        (DType::S8, 4) => functions!(S8 as F32, 4),
        (DType::U8, 4) => functions!(U8 as F32, 4),
        (DType::S4, 4) => functions!(S4 as F32, 4),
        (DType::U4, 4) => functions!(U4 as F32, 4),
        (DType::S4, NIBBLES) => functions!(Nibbles<S4> as F32, 8),
        (DType::U4, NIBBLES) => functions!(Nibbles<U4> as F32, 8),
        (DType::F8E5M2, 4) => functions!(F8E5M2 as F32, 4),
        (DType::F8E4M3, 4) => functions!(F8E4M3 as F32, 4),
        (DType::F8E4M3FN, 4) => functions!(F8E4M3FN as F32, 4),
        (DType::F8E4M3FNUZ, 4) => functions!(F8E4M3FNUZ as F32, 4),
        (DType::F8E4M3B11FNUZ, 4) => functions!(F8E4M3B11FNUZ as F32, 4),
        (DType::F8E3M4, 4) => functions!(F8E3M4 as F32, 4),
        (DType::F16, 2) => functions!(F16 as F32, 2),
        (DType::BF16, 2) => functions!(BF16 as F32, 2),
        _ => return None,
    })
}
