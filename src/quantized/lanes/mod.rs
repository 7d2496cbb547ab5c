//! Vectors of 16 `f32`, and the elements that become them.
#![allow(
    unsafe_code,
    reason = "vectors are read from memory, and instructions run where they were found"
)]

mod arrays;
#[cfg(all(feature = "std", target_arch = "x86_64"))]
mod avx2;
#[cfg(all(feature = "std", target_arch = "x86_64"))]
mod avx512;

use half::f16;
use layout_core::dtype::float::widen_f16;

/// The numbers of codes.
pub(super) struct Tables {
    /// The numbers of the codes of elements of 4 bits.
    pub(super) nibbles: [f32; 16],
    /// The third and the fourth bytes of these numbers; the first two are zeros.
    #[cfg_attr(
        not(all(feature = "std", target_arch = "x86_64")),
        allow(dead_code, reason = "only AVX2 looks up bytes")
    )]
    pub(super) nibble_bytes: [[u8; 16]; 2],
    /// The numbers of the codes of elements of 8 bits.
    pub(super) elements: [f32; 256],
    /// The numbers of the codes of scales of 8 bits.
    pub(super) scales: [f32; 256],
}

/// Vectors of 16 `f32`. A value proves that the CPU has the instructions. All operations round as those of `f32` do; only
/// [`Lanes::mul_add`] differs between implementors.
pub(super) trait Lanes: Copy {
    type Vector: Copy;

    /// Whether the CPU has 32 registers of vectors, or half as many.
    const HAS_32_REGISTERS: bool = false;

    fn splat(self, x: f32) -> Self::Vector;

    /// One number in the first eight lanes, and another in the last eight.
    fn halves(self, low: f32, high: f32) -> Self::Vector;

    /// The numbers of all lanes.
    fn array(self, a: Self::Vector) -> [f32; 16];

    /// Reads 16 numbers.
    ///
    /// # Safety
    /// They must be readable at `from`, with any alignment.
    unsafe fn load(self, from: *const f32) -> Self::Vector;

    fn add(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;

    fn mul(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;

    /// `a * b + c`: rounded once with AVX-512, and twice elsewhere.
    #[inline(always)]
    fn mul_add(self, a: Self::Vector, b: Self::Vector, c: Self::Vector) -> Self::Vector {
        self.add(self.mul(a, b), c)
    }

    /// The sum of all lanes: of lanes 8 apart, then 4, 2 and 1.
    fn sum(self, a: Self::Vector) -> f32;

    /// 16 elements of type `s8`.
    ///
    /// # Safety
    /// 16 bytes must be readable at `from`.
    unsafe fn s8(self, from: *const u8) -> Self::Vector;

    /// The elements in the low bits of 16 bytes, and those in the high bits.
    ///
    /// # Safety
    /// As [`Lanes::s8`].
    unsafe fn nibbles(self, from: *const u8, tables: &Tables) -> (Self::Vector, Self::Vector);

    /// 16 elements of type `f8e4m3fn`.
    ///
    /// # Safety
    /// As [`Lanes::s8`].
    unsafe fn e4m3(self, from: *const u8, tables: &Tables) -> Self::Vector;

    /// 16 elements of type `f8e5m2`.
    ///
    /// # Safety
    /// As [`Lanes::s8`].
    unsafe fn e5m2(self, from: *const u8, tables: &Tables) -> Self::Vector;

    #[inline(always)]
    fn widen_f16(self, half: f16) -> f32 {
        widen_f16(half)
    }

    /// The numbers of 16 values of type `f16`, given as bytes.
    #[inline(always)]
    fn widen_f16s(self, halves: [[u8; 2]; 16]) -> [f32; 16] {
        halves.map(|half| widen_f16(f16::from_le_bytes(half)))
    }
}
