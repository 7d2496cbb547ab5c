//! Products strip by strip: some rows of weights at a time, which stay in a cache while all rows of activations are multiplied by
//! them.

use super::error::QuantizedError;
use super::lanes::Tables;
use super::row_bytes::{RowBytes, row_bytes};
use super::row_kernel::{Rows, TOGETHER};
use super::view::DynQuantizedRef;

/// The bytes of weights that stay in a cache while all activations are multiplied by them.
const STRIP: usize = 1 << 16;

/// The number of multiplications from which threads share the rows of weights.
#[cfg(feature = "parallel")]
pub(super) const PARALLEL: usize = if cfg!(test) { 1 } else { 1 << 18 };

/// The number of rows of weights of a strip.
pub(super) fn rows_of_strip(weights: &DynQuantizedRef<'_>) -> usize {
    (STRIP / row_bytes(weights.spec()).max(1)).max(1).next_multiple_of(TOGETHER)
}

/// Writes the products of `m` rows of activations in row-major order. `multiply` writes the sums of some rows of weights, times the
/// row of activations of a number. With the feature `parallel`, threads share the strips.
pub(super) fn product(
    weights: &DynQuantizedRef<'_>,
    tables: &Tables,
    m: usize,
    y: &mut [f32],
    multiply: impl Fn(Rows<'_>, usize, &mut [f32]) + Sync,
) -> Result<(), QuantizedError> {
    let strip = rows_of_strip(weights);
    let first = weights.row_range().start;
    // The sums of a strip: those of one row of activations after the other.
    let compute = |(number, sums): (usize, &mut [f32])| {
        let count = sums.len() / m;
        let rows = RowBytes::of(weights, first + number * strip).rows(weights, tables, count);
        for (x, sums) in sums.chunks_exact_mut(count).enumerate() {
            multiply(rows, x, sums);
        }
    };
    let all = |sums: &mut [f32]| {
        #[cfg(feature = "parallel")]
        if rayon::current_num_threads() > 1 && sums.len() * weights.spec().columns() >= PARALLEL {
            use rayon::prelude::*;
            return sums.par_chunks_mut(strip * m).enumerate().for_each(compute);
        }
        sums.chunks_mut(strip * m).enumerate().for_each(compute);
    };
    if m == 1 {
        all(y);
        return Ok(());
    }
    let mut sums = weights.memory::<f32>(y.len())?;
    all(&mut sums);
    let rows = y.len() / m;
    for (number, sums) in sums.chunks(strip * m).enumerate() {
        let count = sums.len() / m;
        for (sums, y) in sums.chunks_exact(count).zip(y.chunks_exact_mut(rows)) {
            y[number * strip..][..count].copy_from_slice(sums);
        }
    }
    Ok(())
}
