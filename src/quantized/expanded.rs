//! Products of many rows of activations by weights that are expanded to `f32`, some rows of weights at a time, and multiplied by the
//! kernels of matrix products: on CPUs that have no kernels for the weights as they are stored.

use crate::compute::multiply_rows;
use crate::movement::host::zeroed;
use core::ops::Range;

/// The numbers of the rows of weights that are expanded together, 8 MiB: each part is multiplied by all activations, which are
/// copied to panels each time.
const PART: usize = 1 << 21;

/// The smallest number of rows of a part, which one thread expands.
const ROWS: usize = 64;

/// The number of elements from which threads share the rows of a part.
#[cfg(feature = "parallel")]
const SHARED: usize = if cfg!(test) { 1 } else { 1 << 16 };

/// The reason why a product cannot be computed: this number of bytes cannot be allocated.
pub(crate) struct NoMemory(pub(crate) usize);

/// Weights that can be expanded.
pub(crate) struct Weights<E> {
    pub(crate) rows: usize,
    pub(crate) columns: usize,
    /// Writes the numbers of some rows, one row after the other.
    pub(crate) expand: E,
}

impl<E: Fn(Range<usize>, &mut [f32]) + Sync> Weights<E> {
    /// Writes the numbers of the rows from one on.
    fn expand_part(&self, first: usize, to: &mut [f32]) {
        let Self { columns, ref expand, .. } = *self;
        #[cfg(feature = "parallel")]
        if rayon::current_num_threads() > 1 && to.len() >= SHARED {
            use rayon::prelude::*;
            to.par_chunks_mut(ROWS * columns).enumerate().for_each(|(number, to)| {
                let first = first + number * ROWS;
                expand(first..first + to.len() / columns, to);
            });
            return;
        }
        expand(first..first + to.len() / columns, to);
    }

    /// Writes `x` times the transposed weights in row-major order: for each row of activations, a sum for each row of weights.
    pub(crate) fn multiply<T: Copy>(
        &self,
        x: &[T],
        number: impl Fn(T) -> f32,
        y: &mut [f32],
    ) -> Result<(), NoMemory> {
        let Self { rows, columns, .. } = *self;
        let m = x.len() / columns;
        let part = (PART / columns).max(ROWS).min(rows);
        let memory = |len: usize| zeroed::<f32>(len).ok_or(NoMemory(len.saturating_mul(4)));
        let len = |count: usize| part.checked_mul(count).ok_or(NoMemory(usize::MAX));
        let (mut weights, mut sums) = (memory(len(columns)?)?, memory(len(m)?)?);
        let mut transposed = memory(x.len())?;
        for (row, x) in x.chunks_exact(columns).enumerate() {
            for (to, x) in transposed[row..].iter_mut().step_by(m).zip(x) {
                *to = number(*x);
            }
        }
        for first in (0..rows).step_by(part) {
            let count = part.min(rows - first);
            let (weights, sums) = (&mut weights[..count * columns], &mut sums[..count * m]);
            self.expand_part(first, weights);
            multiply_rows([count, columns, m], weights, &transposed, sums)
                .map_err(|_| NoMemory(weights.len() * 4))?;
            for (row, y) in y.chunks_exact_mut(rows).enumerate() {
                let sums = sums[row..].iter().step_by(m);
                y[first..][..count].iter_mut().zip(sums).for_each(|(y, sum)| *y = *sum);
            }
        }
        Ok(())
    }
}
