//! Products of few rows of activations by floats of 8 bits, on CPUs whose AVX-512 permutes bytes and has dot products of `bf16`.
//!
//! Tables convert each element to a `bf16`, exactly. Of a chunk of 64 elements, each lane sums products of elements that have the same
//! scale.
#![allow(
    unsafe_code,
    reason = "instructions that not every CPU has; rows of weights are read by address"
)]

mod activations;
mod rows;

use super::error::QuantizedError;
use super::lane_scales::{LaneScales, Powers};
use super::matmul::{Activation, tables};
use super::panels::Has;
use super::row_kernel::{F16, F32};
use super::strips;
use super::view::DynQuantizedRef;
use activations::{Word, arrange};
use layout_core::DType;
use rows::Common;

/// The number of elements of a chunk, and of their bytes.
const CHUNK: usize = 64;

/// Writes the sums of all rows of weights, times each row of the numbers of `x`, in row-major order. The elements must be floats of 8
/// bits, and rows whole groups.
pub(super) fn product<T: Activation, W: Word>(
    has: Has,
    weights: &DynQuantizedRef<'_>,
    x: &[T],
    number: impl Fn(T) -> W,
    y: &mut [f32],
) -> Result<(), QuantizedError> {
    let columns = weights.spec().columns();
    let (m, width) = (x.len() / columns, columns.next_multiple_of(CHUNK));
    let len = m.checked_mul(width).ok_or_else(|| weights.no_memory(usize::MAX))?;
    let mut arranged = weights.memory::<W>(len)?;
    for (to, from) in arranged.chunks_exact_mut(width).zip(x.chunks_exact(columns)) {
        arrange(from, &number, to);
    }
    match weights.spec().scale() {
        DType::F16 => of_scales::<F16, W>(has, weights, &arranged, m, y),
        DType::F32 => of_scales::<F32, W>(has, weights, &arranged, m, y),
        _ => of_scales::<Powers, W>(has, weights, &arranged, m, y),
    }
}

fn of_scales<S: LaneScales, W: Word>(
    has: Has,
    weights: &DynQuantizedRef<'_>,
    x: &[W],
    m: usize,
    y: &mut [f32],
) -> Result<(), QuantizedError> {
    let tables = &tables(weights.spec());
    let common = Common::<S>::of(has, weights.spec(), tables);
    strips::product(weights, tables, m, y, |rows, row, sums| {
        let width = x.len() / m;
        // SAFETY: there is a row for each sum, with elements and scales of these types.
        unsafe { rows::multiply(has, &common, rows, &x[row * width..][..width], sums) };
    })
}
