//! Kernels of few rows that look up the bytes of `B` in a table: floats of 8 bits, which no instruction converts, and integers if
//! pairs of `bf16` are multiplied faster than `f32`.
//!
//! A table has the two bytes of the `bf16` of each byte, in eight vectors. Words of four bytes become pairs of the elements 0 and
//! 2, and 1 and 3.
#![allow(unsafe_code, reason = "instructions that not every CPU has")]

use super::avx512::{Avx512, ROWS};
use super::decode::bf16_of_byte;
use super::grid::Word;
use super::lanes::{ByteTable, Dot, LINE_WORDS, MicroBlock, Vectors, multiply};
use super::micro_kernel::{MicroKernel, Prepare};
use super::row_run::{RowRun, multiply_run};
use super::widened::Functions;
use super::widening::WidenFn;
use super::zipped_run::{Zip, ZippedRun, multiply_zipped};
use crate::cpu::detect::{HasAvx512, HasAvx512Bf16, HasAvx512F};
use crate::cpu::pairs_are_fast;
use crate::element::{BF16, F32};
use core::arch::x86_64::*;
use core::marker::PhantomData;
use layout_core::dtype::DType;
use std::sync::OnceLock;

/// The types with a table.
const TYPES: [DType; 9] = [
    DType::S8,
    DType::U8,
    DType::F8E5M2,
    DType::F8E4M3,
    DType::F8E4M3FN,
    DType::F8E4M3B11FNUZ,
    DType::F8E3M4,
    DType::F8E5M2FNUZ,
    DType::F8E4M3FNUZ,
];

/// The table of a type; `None` if kernels do not look up its elements.
fn table(dtype: DType) -> Option<&'static ByteTable> {
    static TABLES: [OnceLock<ByteTable>; TYPES.len()] = [const { OnceLock::new() }; TYPES.len()];
    let table = &TABLES[TYPES.iter().position(|known| *known == dtype)?];
    Some(table.get_or_init(|| {
        [0, 1].map(|half| core::array::from_fn(|byte| bf16_of_byte(dtype, byte as u8)[half]))
    }))
}

/// Whether the highest bit of an element is the sign of a number whose other bits mean the same without it. The half of a table for
/// positive numbers is then enough.
const fn has_sign_bit(dtype: DType) -> bool {
    matches!(dtype, DType::F8E5M2 | DType::F8E4M3 | DType::F8E4M3FN | DType::F8E3M4)
}

/// Proves that the CPU has AVX-512 with VBMI, and the dot products of elements `Factor`; contains a table. `SIGNED` says that
/// the elements [have a sign bit](has_sign_bit).
struct Lookup<Factor, const SIGNED: bool> {
    tables: [[__m512i; 4]; 2],
    factor: PhantomData<Factor>,
}

impl<Factor, const SIGNED: bool> Lookup<Factor, SIGNED> {
    /// # Safety
    /// The CPU must have AVX-512 F, BW and VBMI, and BF16 for pairs of `bf16`.
    #[inline(always)]
    unsafe fn new(table: &ByteTable) -> Self {
        // SAFETY: the caller promises the instructions, and a table has four vectors of low and of high bytes.
        unsafe {
            let mut tables = [[_mm512_setzero_si512(); 4]; 2];
            for (vectors, bytes) in tables.iter_mut().zip(table) {
                for (vector, bytes) in vectors.iter_mut().zip(bytes.as_chunks::<64>().0) {
                    *vector = _mm512_loadu_si512(bytes.as_ptr().cast());
                }
            }
            Self { tables, factor: PhantomData }
        }
    }

    /// The proof without the table.
    #[inline(always)]
    fn avx512<E>(self) -> Avx512<E> {
        // SAFETY: a value of this type proves that the CPU has the instructions.
        unsafe { Avx512::new() }
    }

    /// The low or high bytes of numbers.
    #[inline(always)]
    fn bytes(self, words: __m512i, half: usize) -> __m512i {
        let [a, b, c, d] = self.tables[half];
        // SAFETY: a value of this type proves that the CPU has the instructions.
        unsafe {
            // The highest bit of an index is ignored.
            let below = _mm512_permutex2var_epi8(a, words, b);
            if SIGNED {
                // The sign is in the high byte. The bits of the first operand, or those of both others.
                let sign = _mm512_set1_epi8(i8::MIN);
                return match half {
                    0 => below,
                    _ => _mm512_ternarylogic_epi32::<0xF8>(below, words, sign),
                };
            }
            let above = _mm512_permutex2var_epi8(c, words, d);
            _mm512_mask_blend_epi8(_mm512_movepi8_mask(words), below, above)
        }
    }

    /// The numbers of bytes 0 and 2 of words, or of bytes 1 and 3, as pairs of `bf16`.
    ///
    /// If the numbers of a word have the low bytes `L0 L1 L2 L3` and the high bytes `H0 H1 H2 H3`, the pairs are `L0 H0 L2 H2` and,
    /// if `odd`, `L1 H1 L3 H3`.
    #[inline(always)]
    fn pairs(self, words: __m512i, odd: bool) -> __m512i {
        let (low, high) = (self.bytes(words, 0), self.bytes(words, 1));
        // SAFETY: as above.
        unsafe {
            let (low, high) = match odd {
                false => (low, _mm512_slli_epi16::<8>(high)),
                true => (_mm512_srli_epi16::<8>(low), high),
            };
            // The bits of the first operand where the mask is set, and those of the second elsewhere.
            _mm512_ternarylogic_epi32::<0xCA>(_mm512_set1_epi16(0xFF), low, high)
        }
    }
}

impl<Factor, const SIGNED: bool> Clone for Lookup<Factor, SIGNED> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<Factor, const SIGNED: bool> Copy for Lookup<Factor, SIGNED> {}

impl<Factor, const SIGNED: bool> Vectors for Lookup<Factor, SIGNED> {
    type Vector = __m512i;
    const LANES: usize = 16;

    #[inline(always)]
    fn splat(self, word: u32) -> __m512i {
        self.avx512::<F32>().splat(word)
    }

    #[inline(always)]
    fn and(self, a: __m512i, b: __m512i) -> __m512i {
        self.avx512::<F32>().and(a, b)
    }

    /// # Safety
    /// As for [`Vectors::load`].
    #[inline(always)]
    unsafe fn load(self, from: *const Word) -> __m512i {
        // SAFETY: the caller promises the same.
        unsafe { self.avx512::<F32>().load(from) }
    }

    /// # Safety
    /// As for [`Vectors::store`].
    #[inline(always)]
    unsafe fn store(self, words: __m512i, to: *mut Word) {
        // SAFETY: the caller promises the same.
        unsafe { self.avx512::<F32>().store(words, to) }
    }
}

impl<const SIGNED: bool> Dot for Lookup<BF16, SIGNED> {
    const PARTS: usize = 2;
    const TOGETHER: bool = true;

    #[inline(always)]
    fn part(self, words: __m512i, part: usize) -> __m512i {
        self.pairs(words, part == 1)
    }

    #[inline(always)]
    fn dot(self, sums: __m512i, a: __m512i, b: __m512i) -> __m512i {
        self.avx512::<BF16>().dot(sums, a, b)
    }
}

impl<const SIGNED: bool> Dot for Lookup<F32, SIGNED> {
    const PARTS: usize = 4;
    const TOGETHER: bool = true;

    #[inline(always)]
    fn part(self, words: __m512i, part: usize) -> __m512i {
        let pairs = self.pairs(words, part % 2 == 1);
        // SAFETY: a value of this type proves that the CPU has the instructions.
        unsafe {
            match part {
                0 | 1 => _mm512_slli_epi32::<16>(pairs),
                _ => _mm512_and_si512(pairs, _mm512_set1_epi32(0xFFFF_0000_u32.cast_signed())),
            }
        }
    }

    #[inline(always)]
    fn dot(self, sums: __m512i, a: __m512i, b: __m512i) -> __m512i {
        self.avx512::<F32>().dot(sums, a, b)
    }
}

impl<Factor, const SIGNED: bool> Zip for Lookup<Factor, SIGNED>
where
    Self: Dot<Vector = __m512i>,
{
    #[inline(always)]
    fn zip<const SIZE: usize>(self, a: __m512i, b: __m512i) -> [__m512i; 2] {
        self.avx512::<F32>().zip::<SIZE>(a, b)
    }

    #[inline(always)]
    fn zip_nibbles(self, a: __m512i, b: __m512i) -> [__m512i; 2] {
        self.avx512::<F32>().zip_nibbles(a, b)
    }
}

/// The functions for factors of a type.
macro_rules! functions {
    ($features:literal $Factor:ty, $signed:literal) => {{
        functions! { @ $features $Factor, $signed: multiply(MicroBlock)
            block [ROWS, 2];
            row [1, 2];
        }
        functions! { @ $features $Factor, $signed: multiply_run(RowRun)
            wide [1, 4];
            two [2, 4];
            four [4, 2];
        }
        functions! { @ $features $Factor, $signed: multiply_zipped(ZippedRun)
            zipped [4];
        }
        Functions {
            block,
            row,
            wide_row: (4 * 16, wide),
            few_rows: [(2, 4 * 16, two), (4, 2 * 16, four)],
            many_rows: None,
            zipped_row: Some((4 * 16, zipped)),
        }
    }};
    (@ $features:literal $Factor:ty, $signed:literal: $multiply:ident($Block:ident) $($name:ident [$($sizes:expr),+];)*) => { $(
        #[target_feature(enable = $features)]
        fn $name(block: &mut $Block<'_>) {
            // SAFETY: the function has the features.
            let lookup = unsafe { Lookup::<$Factor, $signed>::new(block.table) };
            $multiply::<_, $({ $sizes }),+>(lookup, block);
        }
    )* };
}

/// The function and the table that widen words of elements of a type; `None` if the CPU does not look them up.
pub(super) fn widening(dtype: DType) -> Option<(WidenFn, &'static ByteTable)> {
    HasAvx512::detect()?;
    let run: WidenFn = if has_sign_bit(dtype) { widen::<true> } else { widen::<false> };
    Some((run, table(dtype)?))
}

/// Writes bytes 0 and 1 of each word as a pair of `bf16`, and bytes 2 and 3 as another.
///
/// # Safety
/// The CPU must have AVX-512 with VBMI.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
unsafe fn widen<const SIGNED: bool>(table: &ByteTable, words: &[Word], to: [&mut [Word]; 2]) {
    let [first, second] = to.map(|to| &mut to[..words.len()]);
    // SAFETY: the caller promises the instructions.
    let lookup = unsafe { Lookup::<F32, SIGNED>::new(table) };
    let (lines, rest) = words.as_chunks::<LINE_WORDS>();
    let (first, last_first) = first.as_chunks_mut::<LINE_WORDS>();
    let (second, last_second) = second.as_chunks_mut::<LINE_WORDS>();
    for ((line, first), second) in lines.iter().zip(first).zip(second) {
        // SAFETY: as above.
        unsafe { lookup.widen_line(line, [first, second]) };
    }
    if !rest.is_empty() {
        let mut line = [Word::default(); LINE_WORDS];
        line[..rest.len()].copy_from_slice(rest);
        let mut pairs = [[Word::default(); LINE_WORDS]; 2];
        let [first, second] = &mut pairs;
        // SAFETY: as above.
        unsafe { lookup.widen_line(&line, [first, second]) };
        last_first.copy_from_slice(&first[..rest.len()]);
        last_second.copy_from_slice(&second[..rest.len()]);
    }
}

impl<const SIGNED: bool> Lookup<F32, SIGNED> {
    /// Widens the words of a line.
    ///
    /// If the numbers of four words have the low bytes `L0 L1 .. L15` and the high bytes `H0 H1 .. H15`, the words of `below` are
    /// `L0 H0 L1 H1`, `L2 H2 L3 H3`, and the same of the second word; those of `above` are from the third and fourth.
    ///
    /// # Safety
    /// The CPU must have AVX-512 with VBMI.
    #[inline(always)]
    unsafe fn widen_line(self, line: &[Word; LINE_WORDS], to: [&mut [Word; LINE_WORDS]; 2]) {
        // SAFETY: the caller promises the instructions; the arrays have the bytes of vectors.
        unsafe {
            let words = _mm512_loadu_si512(line.as_ptr().cast());
            let (low, high) = (self.bytes(words, 0), self.bytes(words, 1));
            let below = _mm512_castsi512_ps(_mm512_unpacklo_epi8(low, high));
            let above = _mm512_castsi512_ps(_mm512_unpackhi_epi8(low, high));
            let pairs = [
                _mm512_shuffle_ps::<0b10_00_10_00>(below, above),
                _mm512_shuffle_ps::<0b11_01_11_01>(below, above),
            ];
            let [first, second] = to;
            _mm512_storeu_ps(first.as_mut_ptr().cast(), pairs[0]);
            _mm512_storeu_ps(second.as_mut_ptr().cast(), pairs[1]);
        }
    }
}

/// The kernel for a product of few rows, if its right operand is of bytes and is looked up.
pub(super) fn kernel([_, stored]: [DType; 2], panel: DType) -> Option<MicroKernel> {
    HasAvx512::detect()?;
    let table = table(stored)?;
    let pairs = panel == DType::BF16 && pairs_are_fast() && HasAvx512Bf16::detect().is_some();
    if !pairs {
        HasAvx512F::detect()?;
    }
    let functions = match (pairs, has_sign_bit(stored)) {
        (true, true) => functions!("avx512f,avx512bw,avx512vbmi,avx512bf16" BF16, true),
        (true, false) => functions!("avx512f,avx512bw,avx512vbmi,avx512bf16" BF16, false),
        (false, true) => functions!("avx512f,avx512bw,avx512vbmi" F32, true),
        (false, false) => functions!("avx512f,avx512bw,avx512vbmi" F32, false),
    };
    let (factor, parts) = if pairs { (DType::BF16, 2) } else { (DType::F32, 4) };
    let kernel = functions.of_avx512([factor, stored], 4, parts, Prepare::Keep);
    Some(MicroKernel { table, ..kernel })
}
