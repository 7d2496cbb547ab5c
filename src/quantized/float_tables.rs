//! Tables that convert floats of 8 bits to `bf16`, exactly, on CPUs whose AVX-512 permutes bytes.
#![allow(unsafe_code, reason = "instructions that not every CPU has")]

use crate::cpu::HasAvx512;
use core::arch::x86_64::*;
use half::bf16;

/// Floats of 8 bits: seven bits select a byte from each of two tables, one of high and one of low bytes, and the eighth bit is the
/// sign.
#[derive(Clone, Copy)]
pub(super) struct FloatTables {
    pub(super) high: [__m512i; 2],
    pub(super) low: [__m512i; 2],
}

impl FloatTables {
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
