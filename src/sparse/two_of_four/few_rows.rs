//! Products of a few rows of activations, by functions that need instructions that not every CPU has.
#![allow(unsafe_code, reason = "instructions that not every CPU has")]

use super::{TwoOfFourError, Weights, memory};
use half::bf16;

/// A function that computes the sums of rows of weights, of which it is given the number of the first and the number of rows, for some
/// rows of activations, whose sums it writes one row after the other.
///
/// # Safety
/// The CPU must have the instructions of the function.
type FewFn = unsafe fn(&Weights<'_>, usize, usize, &[bf16], &mut [f32]);

/// The functions of an instruction set. A value proves that the CPU has it.
#[derive(Clone, Copy)]
pub(super) struct FewRows {
    /// Rows of activations are padded to a multiple of this number of elements.
    step: usize,
    /// The functions for one row of activations, two, and so on.
    functions: [FewFn; 5],
}

impl FewRows {
    /// # Safety
    /// The CPU must have the instructions of the functions.
    pub(super) const unsafe fn new(step: usize, functions: [FewFn; 5]) -> Self {
        Self { step, functions }
    }
}

impl Weights<'_> {
    /// The product, a few rows of activations at a time.
    pub(super) fn few_rows(
        &self,
        FewRows { step, functions }: FewRows,
        x: &[bf16],
        y: &mut [f32],
    ) -> Result<(), TwoOfFourError> {
        let (m, width) = (x.len() / self.columns, self.columns.next_multiple_of(step));
        let mut padded = memory::<bf16>(m.saturating_mul(width))?;
        for (to, from) in padded.chunks_exact_mut(width).zip(x.chunks_exact(self.columns)) {
            to[..from.len()].copy_from_slice(from);
        }
        let most = functions.len();
        self.strips(m, y, &|first, count, y| {
            for (x, y) in padded.chunks(most * width).zip(y.chunks_mut(most * count)) {
                // SAFETY: whoever made the functions had proof of their instructions.
                unsafe { functions[x.len() / width - 1](self, first, count, x, y) };
            }
        })
    }
}
