//! Plain loops, for the instructions that every CPU of the target has.

use super::{BYTES, Dots, QuantizedActivations, Scale, all_rows};
use crate::quantized::integers::Integers;
use crate::quantized::row_kernel::Rows;
use half::f16;
use layout_core::dtype::float::widen_f16;

/// The instructions that every CPU has.
#[derive(Clone, Copy)]
struct Plain;

/// # Safety
/// As [`all_rows`].
pub(super) unsafe fn multiply<C: Scale, const V: usize>(
    rows: Rows<'_>,
    steps: &[QuantizedActivations<V>],
    codes: &Integers,
    y: &mut [f32],
) {
    // SAFETY: the caller makes the same promises.
    unsafe { all_rows::<Plain, C, V>(Plain, &rows, steps, codes, y) }
}

impl Dots for Plain {
    type Codes = [u8; BYTES];
    type Integers = [i32; 16];
    type Sums = [f32; 16];
    type Scales = [f32; 4];

    #[inline(always)]
    fn zero(self) -> [f32; 16] {
        [0.0; 16]
    }

    /// # Safety
    /// As [`Dots::together`].
    #[inline(always)]
    unsafe fn together(self, from: *const u8) -> [u8; BYTES] {
        // SAFETY: the caller promises the bytes.
        unsafe { from.cast::<[u8; BYTES]>().read() }
    }

    /// # Safety
    /// As [`Dots::apart`].
    #[inline(always)]
    unsafe fn apart<const V: usize>(self, from: [*const u8; 4]) -> [u8; BYTES] {
        let mut codes = [0; BYTES];
        let len = BYTES / (2 * V);
        for (from, to) in from.into_iter().zip(codes.chunks_exact_mut(len)) {
            // SAFETY: the caller promises the bytes.
            unsafe { from.copy_to_nonoverlapping(to.as_mut_ptr(), len) };
        }
        codes
    }

    #[inline(always)]
    fn dot<const V: usize>(
        self,
        codes: [u8; BYTES],
        step: &QuantizedActivations<V>,
        of: &Integers,
    ) -> [i32; 16] {
        let mut products = [0; BYTES];
        if V == 1 {
            for ((product, code), x) in products.iter_mut().zip(codes).zip(step.numbers[0]) {
                *product = i32::from(code.cast_signed()) * i32::from(x);
            }
        } else {
            let number = |code: u8| i32::from(of.halves[usize::from(code)]) - of.excess;
            for (i, (product, code)) in products.iter_mut().zip(codes).enumerate() {
                *product = number(code & 15) * i32::from(step.numbers[0][i])
                    + number(code >> 4) * i32::from(step.numbers[V - 1][i]);
            }
        }
        let fours = products.as_chunks::<4>().0;
        core::array::from_fn(|lane| fours[lane].iter().sum())
    }

    #[inline(always)]
    fn halves(self, bits: [u16; 4]) -> [f32; 4] {
        bits.map(|bits| widen_f16(f16::from_bits(bits)))
    }

    #[inline(always)]
    fn floats(self, numbers: [f32; 4]) -> [f32; 4] {
        numbers
    }

    #[inline(always)]
    fn add_scaled<const V: usize>(
        self,
        sums: [f32; 16],
        integers: [i32; 16],
        a: [f32; 4],
        b: &[f32; 4],
    ) -> [f32; 16] {
        let scales: [f32; 4] = core::array::from_fn(|group| a[group] * b[group]);
        core::array::from_fn(|lane| sums[lane] + integers[lane] as f32 * scales[lane * V / 8])
    }

    #[inline(always)]
    fn sum(self, a: [f32; 16]) -> f32 {
        let a: [f32; 8] = core::array::from_fn(|lane| a[lane] + a[lane + 8]);
        let a: [f32; 4] = core::array::from_fn(|lane| a[lane] + a[lane + 4]);
        (a[0] + a[2]) + (a[1] + a[3])
    }
}
