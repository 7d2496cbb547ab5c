//! 64 bytes of elements as vectors of `bf16`.

use super::super::lanes::Tables;
use super::super::row_kernel::GROUP;
use super::CHUNK;
use crate::cpu::HasAvx512;
use core::arch::x86_64::*;
use half::bf16;

/// How the elements of a chunk become vectors of 32 words, each a `bf16`. Words `2l` and `2l + 1` come from bytes `4l` to `4l + 3`
/// of the chunk, so that all words of a lane have the same scale.
pub(super) trait Codes: Copy + Send + Sync {
    /// Bytes of a group.
    const BYTES: usize;
    /// Groups of a chunk.
    const GROUPS: usize = CHUNK / Self::BYTES;
    /// Elements of a chunk.
    const ELEMENTS: usize = Self::GROUPS * GROUP;
    /// The vectors of a chunk.
    type Words: AsRef<[__m512i]>;

    /// The tables.
    fn new(simd: HasAvx512, tables: &Tables) -> Self;

    /// The vectors of a chunk.
    ///
    /// # Safety
    /// The CPU must have the instructions that [`Has`](super::Has) proves.
    unsafe fn words(self, codes: __m512i) -> Self::Words;

    /// A chunk whose groups are at any addresses.
    ///
    /// # Safety
    /// There must be an address for each group of a chunk, at which a group is readable, and the CPU must have the instructions
    /// that [`Has`](super::Has) proves.
    unsafe fn gather(groups: &[*const u8]) -> __m512i;
}

/// Elements of 4 bits: five bits select a word of the table; the fifth is a bit of the other element in the byte.
#[derive(Clone, Copy)]
pub(super) struct Nibbles(__m512i);

impl Codes for Nibbles {
    const BYTES: usize = GROUP / 2;
    type Words = [__m512i; 4];

    #[inline(always)]
    fn new(_: HasAvx512, tables: &Tables) -> Self {
        let words: [bf16; 32] =
            core::array::from_fn(|code| bf16::from_f32(tables.nibbles[code % 16]));
        // SAFETY: the value proves the instructions; the array has 64 bytes.
        Self(unsafe { _mm512_loadu_si512(words.as_ptr().cast()) })
    }

    /// For each pair of bytes: the low and the high bits of the first byte, then those of the second.
    ///
    /// # Safety
    /// As [`Codes::words`].
    #[inline(always)]
    unsafe fn words(self, codes: __m512i) -> [__m512i; 4] {
        // SAFETY: the caller promises the instructions.
        unsafe {
            [
                _mm512_permutexvar_epi16(codes, self.0),
                _mm512_permutexvar_epi16(_mm512_srli_epi16::<4>(codes), self.0),
                _mm512_permutexvar_epi16(_mm512_srli_epi16::<8>(codes), self.0),
                _mm512_permutexvar_epi16(_mm512_srli_epi16::<12>(codes), self.0),
            ]
        }
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
}

impl Codes for Floats {
    const BYTES: usize = GROUP;
    type Words = [__m512i; 2];

    #[inline(always)]
    fn new(simd: HasAvx512, tables: &Tables) -> Self {
        Self::of(simd, &tables.elements)
    }

    /// The first eight of each 16 bytes, and the last eight.
    ///
    /// # Safety
    /// As [`Codes::words`].
    #[inline(always)]
    unsafe fn words(self, codes: __m512i) -> [__m512i; 2] {
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
