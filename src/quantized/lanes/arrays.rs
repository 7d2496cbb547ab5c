//! Vectors as arrays, for the instructions that every CPU of the target has.

use super::{Lanes, Tables};

macro_rules! arrays {
    ($($Cpu:ty)*) => { $(
        impl Lanes for $Cpu {
            type Vector = [f32; 16];

            #[inline(always)]
            fn splat(self, x: f32) -> [f32; 16] {
                [x; 16]
            }

            #[inline(always)]
            fn halves(self, low: f32, high: f32) -> [f32; 16] {
                core::array::from_fn(|lane| if lane < 8 { low } else { high })
            }

            #[inline(always)]
            fn array(self, a: [f32; 16]) -> [f32; 16] {
                a
            }

            /// # Safety
            /// As [`Lanes::load`].
            #[inline(always)]
            unsafe fn load(self, from: *const f32) -> [f32; 16] {
                // SAFETY: the caller promises the numbers.
                unsafe { from.cast::<[f32; 16]>().read_unaligned() }
            }

            #[inline(always)]
            fn add(self, a: [f32; 16], b: [f32; 16]) -> [f32; 16] {
                core::array::from_fn(|lane| a[lane] + b[lane])
            }

            #[inline(always)]
            fn mul(self, a: [f32; 16], b: [f32; 16]) -> [f32; 16] {
                core::array::from_fn(|lane| a[lane] * b[lane])
            }

            #[inline(always)]
            fn sum(self, a: [f32; 16]) -> f32 {
                let a: [f32; 8] = core::array::from_fn(|lane| a[lane] + a[lane + 8]);
                let a: [f32; 4] = core::array::from_fn(|lane| a[lane] + a[lane + 4]);
                (a[0] + a[2]) + (a[1] + a[3])
            }

            /// # Safety
            /// As [`Lanes::s8`].
            #[inline(always)]
            unsafe fn s8(self, from: *const u8) -> [f32; 16] {
                // SAFETY: the caller promises the bytes.
                unsafe { from.cast::<[i8; 16]>().read() }.map(f32::from)
            }

            /// # Safety
            /// As [`Lanes::nibbles`].
            #[inline(always)]
            unsafe fn nibbles(self, from: *const u8, tables: &Tables) -> ([f32; 16], [f32; 16]) {
                // SAFETY: the caller promises the bytes.
                let bytes = unsafe { from.cast::<[u8; 16]>().read() };
                let number = |code: u8| tables.nibbles[usize::from(code)];
                (bytes.map(|byte| number(byte & 15)), bytes.map(|byte| number(byte >> 4)))
            }

            /// # Safety
            /// As [`Lanes::e4m3`].
            #[inline(always)]
            unsafe fn e4m3(self, from: *const u8, tables: &Tables) -> [f32; 16] {
                // SAFETY: the caller promises the bytes.
                let bytes = unsafe { from.cast::<[u8; 16]>().read() };
                bytes.map(|byte| tables.elements[usize::from(byte)])
            }

            /// # Safety
            /// As [`Lanes::e5m2`].
            #[inline(always)]
            unsafe fn e5m2(self, from: *const u8, tables: &Tables) -> [f32; 16] {
                // SAFETY: the caller promises the bytes.
                unsafe { self.e4m3(from, tables) }
            }
        }
    )* };
}
arrays! { crate::cpu::Baseline }
// On other targets these are the baseline.
#[cfg(all(test, any(target_arch = "x86_64", target_arch = "aarch64")))]
arrays! { crate::cpu::Portable }
