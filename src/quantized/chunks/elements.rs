//! The codes of elements in 64 bytes, and tables of their numbers.

use super::super::integers::Integers;
use super::super::lanes::Tables;
use super::super::row_kernel::GROUP;
use super::CHUNK;
use crate::cpu::HasAvx512;
use core::arch::x86_64::*;
use half::bf16;
use layout_core::quantized::QuantizedSpec;

/// The elements of chunks.
pub(super) trait Codes: Copy + Send + Sync {
    /// Bytes of a group.
    const BYTES: usize;
    /// Groups of a chunk.
    const GROUPS: usize = CHUNK / Self::BYTES;
    /// Elements of a chunk.
    const ELEMENTS: usize = Self::GROUPS * GROUP;

    /// The tables.
    fn new(simd: HasAvx512, spec: &QuantizedSpec, tables: &Tables) -> Self;

    /// A chunk whose groups are at any addresses.
    ///
    /// # Safety
    /// There must be an address for each group of a chunk, at which a group is readable, and the CPU must have AVX-512.
    unsafe fn gather(groups: &[*const u8]) -> __m512i;
}

/// Elements of 4 bits: a table of their unsigned integers, four times.
#[derive(Clone, Copy)]
pub(super) struct Nibbles(__m512i);

impl Nibbles {
    /// The integers of the elements in the low and in the high bits of each byte.
    ///
    /// # Safety
    /// The CPU must have AVX-512.
    #[inline(always)]
    pub(super) unsafe fn integers(self, codes: __m512i) -> [__m512i; 2] {
        // SAFETY: the caller promises the instructions.
        unsafe {
            let mask = _mm512_set1_epi8(15);
            [codes, _mm512_srli_epi16::<4>(codes)]
                .map(|codes| _mm512_shuffle_epi8(self.0, _mm512_and_si512(codes, mask)))
        }
    }
}

impl Codes for Nibbles {
    const BYTES: usize = GROUP / 2;

    #[inline(always)]
    fn new(_: HasAvx512, spec: &QuantizedSpec, tables: &Tables) -> Self {
        // Elements of 4 bits are small integers times a unit.
        let halves = Integers::of(spec, tables).map_or([0; 16], |integers| integers.halves);
        // SAFETY: the value proves the instructions; the array has 16 bytes.
        Self(unsafe { _mm512_broadcast_i32x4(_mm_loadu_si128(halves.as_ptr().cast())) })
    }

    /// # Safety
    /// As [`Codes::gather`].
    #[inline(always)]
    unsafe fn gather(groups: &[*const u8]) -> __m512i {
        // SAFETY: the caller promises four groups of 16 bytes, and the instructions.
        unsafe {
            let codes = _mm512_castsi128_si512(_mm_loadu_si128(groups[0].cast()));
            let codes = _mm512_inserti32x4::<1>(codes, _mm_loadu_si128(groups[1].cast()));
            let codes = _mm512_inserti32x4::<2>(codes, _mm_loadu_si128(groups[2].cast()));
            _mm512_inserti32x4::<3>(codes, _mm_loadu_si128(groups[3].cast()))
        }
    }
}

/// Floats of 8 bits: seven bits select a byte from each of two tables, one of high and one of low bytes, and the eighth bit is the
/// sign.
#[derive(Clone, Copy)]
pub(super) struct Floats {
    pub(super) high: [__m512i; 2],
    pub(super) low: [__m512i; 2],
}

impl Floats {
    /// The tables of numbers in whose codes the eighth bit is the sign.
    #[inline(always)]
    pub(super) fn of(_: HasAvx512, numbers: &[f32; 256]) -> Self {
        let words: [u16; 128] =
            core::array::from_fn(|code| bf16::from_f32(numbers[code]).to_bits());
        let (high, low) = (words.map(|word| (word >> 8) as u8), words.map(|word| word as u8));
        // SAFETY: the value proves the instructions; the arrays have twice 64 bytes.
        unsafe {
            let load = |bytes: &[u8; 128]| {
                [0, 64].map(|at| _mm512_loadu_si512(bytes.as_ptr().add(at).cast()))
            };
            Self { high: load(&high), low: load(&low) }
        }
    }

    /// The first eight of each 16 bytes, and the last eight, as `bf16`. All words of a lane come from the same four bytes.
    ///
    /// # Safety
    /// The CPU must have AVX-512 with VBMI.
    #[inline(always)]
    pub(super) unsafe fn words(self, codes: __m512i) -> [__m512i; 2] {
        // SAFETY: the caller promises the instructions.
        unsafe {
            let low = _mm512_permutex2var_epi8(self.low[0], codes, self.low[1]);
            let high = _mm512_permutex2var_epi8(self.high[0], codes, self.high[1]);
            // The high bytes, or the sign bits of the codes.
            let signs = _mm512_set1_epi8(i8::MIN);
            let high = _mm512_ternarylogic_epi64::<0xF8>(high, codes, signs);
            [_mm512_unpacklo_epi8(low, high), _mm512_unpackhi_epi8(low, high)]
        }
    }
}

impl Codes for Floats {
    const BYTES: usize = GROUP;

    #[inline(always)]
    fn new(simd: HasAvx512, _: &QuantizedSpec, tables: &Tables) -> Self {
        Self::of(simd, &tables.elements)
    }

    /// # Safety
    /// As [`Codes::gather`].
    #[inline(always)]
    unsafe fn gather(groups: &[*const u8]) -> __m512i {
        // SAFETY: the caller promises two groups of 32 bytes, and the instructions.
        unsafe {
            let codes = _mm512_castsi256_si512(_mm256_loadu_si256(groups[0].cast()));
            _mm512_inserti64x4::<1>(codes, _mm256_loadu_si256(groups[1].cast()))
        }
    }
}
