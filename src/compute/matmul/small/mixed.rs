//! Small products of `bf16`, or of `bf16` and `s8`, whose sums stay `f32` or are rounded to `bf16`.
//!
//! Bytes are widened on the stack, where the dot products of pairs read them; sums that are rounded are first written to the
//! stack. Nothing else is copied, and nothing is allocated.
#![allow(unsafe_code, reason = "the unused part of arrays on the stack stays uninitialized")]

use super::widened::zeros;
use super::{MAX_NARROW, Rows, Small, SmallDot};
use core::mem::MaybeUninit;
use layout_core::DType;

/// The largest number of elements of a matrix.
const CAPACITY: usize = MAX_NARROW * MAX_NARROW;

impl Small {
    /// The product by dot products of pairs of `bf16`.
    ///
    /// # Panics
    /// If a slice is too short.
    #[inline(always)]
    pub(in crate::compute::matmul) fn mixed<S: SmallDot, const ROWS: usize>(
        &self,
        simd: S,
        a: &[u8],
        b: &[u8],
        c: &mut [u8],
    ) {
        let [rows, depth, columns] = self.dims;
        let (mut a_words, mut b_words) =
            ([MaybeUninit::uninit(); CAPACITY], [MaybeUninit::uninit(); CAPACITY]);
        let mut sums = [MaybeUninit::uninit(); CAPACITY];
        let mut product = *self;
        let (mut a, mut b) = (a, b);
        if self.operands[0] != DType::BF16 {
            a = widen(a, self.a, [rows, depth], &mut a_words);
            product.a = Rows { stride: depth, stack: 1 };
        }
        if self.operands[1] != DType::BF16 {
            b = widen(b, self.b, [depth, columns], &mut b_words);
            product.b = Rows { stride: columns, stack: 1 };
        }
        if self.result == DType::F32 {
            return product.narrow::<S, ROWS, 2>(simd, a, b, c);
        }
        let sums = zeros(&mut sums[..rows * columns]);
        (product.c, product.pads) = (Rows { stride: columns, stack: 1 }, false);
        product.narrow::<S, ROWS, 2>(simd, a, b, sums.as_flattened_mut());
        self.round(sums, c);
    }
}

/// Rows of bytes as rows of `bf16`, of which all bytes are values.
#[inline(always)]
fn widen<'a>(
    from: &[u8],
    lie: Rows,
    [rows, columns]: [usize; 2],
    to: &'a mut [MaybeUninit<[u8; 2]>; CAPACITY],
) -> &'a [u8] {
    let bf16 = |byte: u8| ((f32::from(byte as i8).to_bits() >> 16) as u16).to_le_bytes();
    let rows = if columns > 0 { rows } else { 0 };
    for row in 0..rows {
        let to = &mut to[row * columns..][..columns];
        match lie.stack {
            1 => {
                for (to, byte) in to.iter_mut().zip(&from[row * lie.stride..][..columns]) {
                    to.write(bf16(*byte));
                }
            }
            stack => {
                let words = &from.as_chunks::<4>().0[row / stack * lie.stride..][..columns];
                let shift = row % stack * 8;
                for (to, word) in to.iter_mut().zip(words) {
                    to.write(bf16((u32::from_le_bytes(*word) >> shift) as u8));
                }
            }
        }
    }
    // SAFETY: the loop has written all elements of these rows.
    unsafe { to[..rows * columns].assume_init_ref() }.as_flattened()
}
