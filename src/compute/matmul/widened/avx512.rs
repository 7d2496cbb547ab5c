//! Elements of `B` are widened with AVX-512. Words of eight elements of 4 bits become four pairs of `bf16` or eight `f32`.
#![allow(unsafe_code, reason = "instructions that not every CPU has")]

use super::super::avx512::{Avx512, LOW_VECTORS, ROWS, SignedUnsigned, WIDE, WIDE_VECTORS};
use super::super::compiled::kernels;
use super::super::grid::NIBBLES;
use super::super::lanes::{Dot, MicroBlock, multiply};
use super::super::micro_kernel::{MicroKernel, Prepare};
use super::super::row_run::{RowRun, multiply_run};
use super::super::zipped_run::{ZippedRun, multiply_zipped};
use super::super::{lookup, types};
use super::{As, Functions, Nibbles};
use crate::cpu::detect::{HasAvx512Bf16, HasAvx512F, HasAvx512Vnni};
use crate::cpu::pairs_are_fast;
use crate::element::{BF16, F16, F32, S4, S8, U4, U8};
use core::arch::x86_64::*;
use layout_core::dtype::DType;

/// The number of rows from which integers of 8 bits are looked up to be multiplied in pairs. With fewer rows, `f32` are faster.
const LOOKUP_ROWS: usize = 5;

/// Elements that become factors.
trait Widen {
    /// The number of parts that a word becomes.
    const PARTS: usize;
    /// A part of words: a factor, or several.
    fn widen(proof: Avx512<F32>, words: __m512i, part: usize) -> __m512i;
}

/// Dot products of factors, by the kernel of another type.
macro_rules! dots {
    ($($Factor:ty => $Kernel:ty;)*) => { $(
        impl<E> Dot for Avx512<As<E, $Factor>>
        where
            As<E, $Factor>: Widen,
        {
            const PARTS: usize = <As<E, $Factor> as Widen>::PARTS;
            const TOGETHER: bool = true;

            #[inline(always)]
            fn part(self, words: __m512i, part: usize) -> __m512i {
                // SAFETY: a value of this type proves that the CPU has the instructions.
                <As<E, $Factor>>::widen(unsafe { Avx512::new() }, words, part)
            }

            #[inline(always)]
            fn dot(self, sums: __m512i, a: __m512i, b: __m512i) -> __m512i {
                // SAFETY: as above.
                unsafe { Avx512::<$Kernel>::new() }.dot(sums, a, b)
            }
        }
    )* };
}
dots! {
    F32 => F32;
    BF16 => BF16;
    S8 => S8;
    Flipped => SignedUnsigned;
    Unsigned => SignedUnsigned;
    Signed => S8;
}

/// Signed bytes plus 128; see `Prepare::Flip`.
struct Flipped;
/// Unsigned bytes, by which signed bytes of `A` are multiplied.
struct Unsigned;
/// Signed bytes, by which unsigned bytes of `A` are multiplied.
struct Signed;

/// The number `2^23`, whose last bit is worth 1, and `2^15`, whose bit 8 is worth 1. A byte that replaces these bits is added.
const AT_0: u32 = 0x4B00_0000;
const AT_8: u32 = 0x4700_0000;

/// The bytes of words as `f32`. `FLIPS` are the bits of a byte that are flipped, after which it is `excess` too large.
#[inline(always)]
fn bytes_to_f32<const FLIPS: u32>(_: Avx512<F32>, words: __m512i, part: usize) -> __m512i {
    // SAFETY: the value proves that the CPU has the instructions.
    unsafe {
        let half = if part < 2 { words } else { _mm512_srli_epi32::<16>(words) };
        let (mask, number, one) =
            if part.is_multiple_of(2) { (0xFF, AT_0, 0) } else { (0xFF00, AT_8, 8) };
        let splat = |word: u32| _mm512_set1_epi32(word.cast_signed());
        // `half & mask ^ bits`
        let bits = splat(number | FLIPS << one);
        let sum = _mm512_ternarylogic_epi32::<0x78>(bits, half, splat(mask));
        let excess = _mm512_set1_ps(f32::from_bits(number) + FLIPS as f32);
        _mm512_castps_si512(_mm512_sub_ps(_mm512_castsi512_ps(sum), excess))
    }
}

impl Widen for As<S8, F32> {
    const PARTS: usize = 4;

    #[inline(always)]
    fn widen(proof: Avx512<F32>, words: __m512i, part: usize) -> __m512i {
        bytes_to_f32::<0x80>(proof, words, part)
    }
}

impl Widen for As<U8, F32> {
    const PARTS: usize = 4;

    #[inline(always)]
    fn widen(proof: Avx512<F32>, words: __m512i, part: usize) -> __m512i {
        bytes_to_f32::<0>(proof, words, part)
    }
}

impl Widen for As<BF16, F32> {
    const PARTS: usize = 2;

    #[inline(always)]
    fn widen(_: Avx512<F32>, words: __m512i, part: usize) -> __m512i {
        // SAFETY: the value proves that the CPU has the instructions.
        unsafe {
            match part {
                0 => _mm512_slli_epi32::<16>(words),
                _ => _mm512_and_si512(words, _mm512_set1_epi32(0xFFFF_0000_u32.cast_signed())),
            }
        }
    }
}

impl Widen for As<F16, F32> {
    const PARTS: usize = 2;

    #[inline(always)]
    fn widen(_: Avx512<F32>, words: __m512i, part: usize) -> __m512i {
        // SAFETY: as above.
        unsafe {
            let low = if part == 0 { words } else { _mm512_srli_epi32::<16>(words) };
            _mm512_castps_si512(_mm512_cvtph_ps(_mm512_cvtepi32_epi16(low)))
        }
    }
}

/// The bits of the `f32` of an element of 4 bits.
const fn nibble(bits: usize, signed: bool) -> u32 {
    let number = if signed && bits >= 8 { bits as i32 - 16 } else { bits as i32 };
    (number as f32).to_bits()
}

/// Kernels of elements of 4 bits, in bytes or not, as floats: a table has the number for each element.
macro_rules! nibbles {
    ($($E:ident $signed:literal;)*) => { $(
        impl As<$E, F32> {
            /// The elements in the low bits of words, of which the others do not matter.
            #[inline(always)]
            fn of_low_bits(_: Avx512<F32>, words: __m512i) -> __m512i {
                const TABLE: [u32; 16] = {
                    let (mut table, mut i) = ([0; 16], 0);
                    while i < 16 {
                        table[i] = nibble(i, $signed);
                        i += 1;
                    }
                    table
                };
                // SAFETY: the value proves that the CPU has the instructions; the table is a vector.
                unsafe {
                    let table = _mm512_loadu_si512(TABLE.as_ptr().cast());
                    _mm512_permutexvar_epi32(words, table)
                }
            }
        }

        impl Widen for As<$E, F32> {
            const PARTS: usize = 4;

            #[inline(always)]
            fn widen(proof: Avx512<F32>, words: __m512i, part: usize) -> __m512i {
                Self::of_low_bits(proof, shifted(proof, words, 8 * part))
            }
        }

        impl Widen for As<Nibbles<$E>, F32> {
            const PARTS: usize = 8;

            #[inline(always)]
            fn widen(proof: Avx512<F32>, words: __m512i, part: usize) -> __m512i {
                As::<$E, F32>::of_low_bits(proof, shifted(proof, words, 4 * part))
            }
        }

        /// A word becomes pairs of elements 0 and 4, 1 and 5, 2 and 6, 3 and 7.
        impl Widen for As<Nibbles<$E>, BF16> {
            const PARTS: usize = 4;

            #[inline(always)]
            fn widen(proof: Avx512<F32>, words: __m512i, part: usize) -> __m512i {
                // The fifth bit of an index belongs to another element.
                const TABLE: [u16; 32] = {
                    let (mut table, mut i) = ([0; 32], 0);
                    while i < 32 {
                        table[i] = (nibble(i % 16, $signed) >> 16) as u16;
                        i += 1;
                    }
                    table
                };
                // SAFETY: the value proves that the CPU has the instructions, and kernels of `bf16` also need BW; the table is
                // a vector.
                unsafe {
                    let table = _mm512_loadu_si512(TABLE.as_ptr().cast());
                    _mm512_permutexvar_epi16(shifted(proof, words, 4 * part), table)
                }
            }
        }
    )* };
}
nibbles! { S4 true; U4 false; }

/// Words without their low bits: 0, 4, 8, and so on, of them.
#[inline(always)]
fn shifted(_: Avx512<F32>, words: __m512i, bits: usize) -> __m512i {
    // SAFETY: the value proves that the CPU has the instructions.
    unsafe {
        match bits {
            0 => words,
            4 => _mm512_srli_epi32::<4>(words),
            8 => _mm512_srli_epi32::<8>(words),
            12 => _mm512_srli_epi32::<12>(words),
            16 => _mm512_srli_epi32::<16>(words),
            20 => _mm512_srli_epi32::<20>(words),
            24 => _mm512_srli_epi32::<24>(words),
            _ => _mm512_srli_epi32::<28>(words),
        }
    }
}

/// The low four bits of bytes; those of signed numbers are first 8 too large, then `MORE` is added.
#[inline(always)]
fn low_bits<const SIGNED: bool, const MORE: i8>(_: Avx512<F32>, words: __m512i) -> __m512i {
    // SAFETY: the value proves that the CPU has the instructions; kernels of bytes also need BW.
    unsafe {
        let (mask, flips) = (_mm512_set1_epi8(15), _mm512_set1_epi8(if SIGNED { 8 } else { 0 }));
        let bytes = _mm512_ternarylogic_epi32::<0x78>(flips, words, mask);
        if SIGNED { _mm512_add_epi8(bytes, _mm512_set1_epi8(MORE)) } else { bytes }
    }
}

/// Kernels of elements of 4 bits as bytes of a kind.
macro_rules! nibbles_as_bytes {
    ($($E:ident $signed:literal => $Factor:ident $more:literal;)*) => { $(
        impl Widen for As<$E, $Factor> {
            const PARTS: usize = 1;

            #[inline(always)]
            fn widen(proof: Avx512<F32>, words: __m512i, _: usize) -> __m512i {
                low_bits::<$signed, $more>(proof, words)
            }
        }

        /// A word becomes elements 0, 2, 4 and 6, then 1, 3, 5 and 7.
        impl Widen for As<Nibbles<$E>, $Factor> {
            const PARTS: usize = 2;

            #[inline(always)]
            fn widen(proof: Avx512<F32>, words: __m512i, part: usize) -> __m512i {
                low_bits::<$signed, $more>(proof, shifted(proof, words, 4 * part))
            }
        }
    )* };
}
nibbles_as_bytes! {
    S4 true => S8 -8;
    S4 true => Flipped 120;
    S4 true => Signed -8;
    U4 false => Unsigned 0;
    U4 false => Signed 0;
}

/// The functions for elements `As<Stored, Factor>`, and `As<Stored, FewRows>` for few rows, of which a word has `stacked`.
macro_rules! functions {
    ($features:literal $Stored:ty as $Factor:ty, $FewRows:ty, $stacked:tt) => {{
        kernels! { Avx512, multiply(MicroBlock):
            block $features As<$Stored, $Factor> [ROWS 2];
            row $features As<$Stored, $Factor> [1 2];
        }
        kernels! { Avx512, multiply_run(RowRun):
            wide $features As<$Stored, $FewRows> [1 WIDE_VECTORS];
            two $features As<$Stored, $FewRows> [2 WIDE_VECTORS];
            four $features As<$Stored, $FewRows> [4 LOW_VECTORS];
        }
        kernels! { Avx512, multiply_zipped(ZippedRun):
            zipped_row $features As<$Stored, $FewRows> [$stacked];
        }
        Functions {
            block,
            row,
            wide_row: (WIDE, wide),
            few_rows: [(2, WIDE, two), (4, 16 * LOW_VECTORS, four)],
            many_rows: None,
            zipped_row: Some((16 * $stacked, zipped_row)),
        }
    }};
}

impl Functions {
    /// The kernel of AVX-512 with these functions, of words of `stacked` elements that become `parts` words.
    pub(in super::super) fn of_avx512(
        self,
        [a, stored]: [DType; 2],
        stacked: usize,
        parts: usize,
        prepare: Prepare,
    ) -> MicroKernel {
        let of_a = MicroKernel::avx512(a, self.block, (self.row, self.wide_row.1), prepare);
        self.kernel(of_a, stored, stacked, parts)
    }
}

/// The kernel of AVX-512 for a product of few rows, if there is one.
pub(super) fn kernel(operands: [DType; 2], rows: usize, stored: usize) -> Option<MicroKernel> {
    let panel = types::panel(operands);
    let looks_up = stored == 4 && operands[1] != DType::S4 && operands[1] != DType::U4;
    match panel {
        DType::BF16 if looks_up && rows >= LOOKUP_ROWS && pairs_are_fast() => {
            lookup::kernel(operands, panel).or_else(|| floats(operands, panel, stored))
        }
        DType::S8 | DType::S16 => bytes(operands, stored),
        DType::BF16 if stored == NIBBLES && pairs_are_fast() => pairs(operands),
        DType::BF16 | DType::F32 => floats(operands, panel, stored),
        _ => None,
    }
}

/// Words of `f32`.
fn floats([_, stored_type]: [DType; 2], panel: DType, stored: usize) -> Option<MicroKernel> {
    HasAvx512F::detect()?;
    let functions = match (stored_type, stored) {
        (DType::S8, _) => functions!("avx512f,avx512bw" S8 as F32, F32, 4),
        (DType::U8, _) => functions!("avx512f,avx512bw" U8 as F32, F32, 4),
        (DType::S4, NIBBLES) => functions!("avx512f,avx512bw" Nibbles<S4> as F32, F32, 8),
        (DType::U4, NIBBLES) => functions!("avx512f,avx512bw" Nibbles<U4> as F32, F32, 8),
        (DType::S4, _) => functions!("avx512f,avx512bw" S4 as F32, F32, 4),
        (DType::U4, _) => functions!("avx512f,avx512bw" U4 as F32, F32, 4),
        (DType::BF16, _) if panel == DType::F32 => {
            functions!("avx512f,avx512bw" BF16 as F32, F32, 2)
        }
        (DType::F16, _) => functions!("avx512f,avx512bw" F16 as F32, F32, 2),
        (_, 4) => return lookup::kernel([DType::F32, stored_type], panel),
        _ => return None,
    };
    Some(functions.of_avx512([DType::F32, stored_type], stored, stored, Prepare::Keep))
}

/// Words of pairs of `bf16`.
fn pairs([_, stored_type]: [DType; 2]) -> Option<MicroKernel> {
    HasAvx512Bf16::detect()?;
    let functions = match stored_type {
        DType::S4 => functions!("avx512f,avx512bw,avx512bf16" Nibbles<S4> as BF16, BF16, 8),
        DType::U4 => functions!("avx512f,avx512bw,avx512bf16" Nibbles<U4> as BF16, BF16, 8),
        _ => return None,
    };
    Some(functions.of_avx512([DType::BF16, stored_type], NIBBLES, 4, Prepare::Keep))
}

/// Words of bytes.
fn bytes([a, b]: [DType; 2], stored: usize) -> Option<MicroKernel> {
    HasAvx512Vnni::detect()?;
    let a = if a == DType::U8 { a } else { DType::S8 };
    let functions = match (a, b, stored) {
        (DType::U8, DType::S4, NIBBLES) => {
            functions!("avx512f,avx512bw,avx512vnni" Nibbles<S4> as Signed, Signed, 8)
        }
        (DType::U8, DType::U4, NIBBLES) => {
            functions!("avx512f,avx512bw,avx512vnni" Nibbles<U4> as Signed, Signed, 8)
        }
        (_, DType::S4, NIBBLES) => {
            functions!("avx512f,avx512bw,avx512vnni" Nibbles<S4> as S8, Flipped, 8)
        }
        (_, DType::U4, NIBBLES) => {
            functions!("avx512f,avx512bw,avx512vnni" Nibbles<U4> as Unsigned, Unsigned, 8)
        }
        (DType::U8, DType::S4, _) => {
            functions!("avx512f,avx512bw,avx512vnni" S4 as Signed, Signed, 4)
        }
        (DType::U8, DType::U4, _) => {
            functions!("avx512f,avx512bw,avx512vnni" U4 as Signed, Signed, 4)
        }
        (_, DType::S4, _) => functions!("avx512f,avx512bw,avx512vnni" S4 as S8, Flipped, 4),
        (_, DType::U4, _) => {
            functions!("avx512f,avx512bw,avx512vnni" U4 as Unsigned, Unsigned, 4)
        }
        _ => return None,
    };
    let prepare = if a == DType::S8 && b == DType::S4 { Prepare::Shift } else { Prepare::Keep };
    Some(functions.of_avx512([a, b], stored, stored / 4, prepare))
}
