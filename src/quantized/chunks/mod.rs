//! Products of few rows of activations, 64 bytes of elements at a time, on CPUs whose AVX-512 permutes bytes and has dot products of
//! `bf16`.
//!
//! Tables convert each element of 4 bits and each small float to a `bf16`, exactly. Each lane of a chunk sums products of elements
//! that have the same scale.
#![allow(
    unsafe_code,
    reason = "instructions that not every CPU has; rows of weights are read by address"
)]

mod elements;
mod factors;
mod rows;
mod scales;

use super::error::QuantizedError;
use super::lanes::Tables;
#[cfg(feature = "parallel")]
use super::matmul::PARALLEL;
use super::matmul::{Activation, RowBytes, STRIP, row_bytes, tables};
use super::panels::Has;
use super::row_kernel::{F16, F32, GROUP, TOGETHER};
use super::view::DynQuantizedRef;
use elements::{Codes, Floats, Nibbles};
use factors::Factor;
use layout_core::DType;
use rows::Common;
use scales::{ChunkScales, Powers, Small};

/// The number of bytes of a chunk.
const CHUNK: usize = 64;

/// Writes the sums of all rows of weights, times each row of the numbers of `x`, in row-major order. Rows of weights must consist
/// of whole groups, and their elements must not be `s8`.
pub(super) fn product<T: Activation, F: Factor>(
    has: Has,
    weights: &DynQuantizedRef<'_>,
    x: &[T],
    number: impl Fn(T) -> F,
    y: &mut [f32],
) -> Result<(), QuantizedError> {
    let spec = weights.spec();
    let product = Product { has, weights, x, number, tables: &tables(spec) };
    match (spec.element().bits(), spec.scale()) {
        (4, DType::F16) => product.all::<Nibbles, F16>(y),
        (4, DType::F32) => product.all::<Nibbles, F32>(y),
        (4, DType::F8E8M0FNU) => product.all::<Nibbles, Powers>(y),
        (4, _) if spec.block() < GROUP => product.all::<Nibbles, Small<2>>(y),
        (4, _) => product.all::<Nibbles, Small<1>>(y),
        (_, DType::F16) => product.all::<Floats, F16>(y),
        (_, DType::F32) => product.all::<Floats, F32>(y),
        (_, _) => product.all::<Floats, Powers>(y),
    }
}

/// A product and its operands.
struct Product<'a, T, N> {
    has: Has,
    weights: &'a DynQuantizedRef<'a>,
    x: &'a [T],
    number: N,
    tables: &'a Tables,
}

impl<T: Activation, F: Factor, N: Fn(T) -> F> Product<'_, T, N> {
    fn all<E: Codes, S: ChunkScales>(&self, y: &mut [f32]) -> Result<(), QuantizedError> {
        let (spec, columns) = (self.weights.spec(), self.weights.spec().columns());
        let (m, width) = (self.x.len() / columns, columns.next_multiple_of(E::ELEMENTS));
        let len = m.checked_mul(width).ok_or_else(|| self.weights.no_memory(usize::MAX))?;
        let mut x = self.weights.memory::<F>(len)?;
        for (to, from) in x.chunks_exact_mut(width).zip(self.x.chunks_exact(columns)) {
            factors::arrange::<E, T, F>(spec.pair_distance(), from, &self.number, to);
        }
        let strip = (STRIP / row_bytes(spec).max(1)).max(1).next_multiple_of(TOGETHER);
        if m == 1 {
            strips::<E, S, F>(self.has, (self.weights, self.tables), (&x, width), strip, y);
            return Ok(());
        }
        // All rows of activations are multiplied by the weights of a strip, while the strip is in the cache.
        let mut sums = self.weights.memory::<f32>(y.len())?;
        strips::<E, S, F>(self.has, (self.weights, self.tables), (&x, width), strip, &mut sums);
        let rows = y.len() / m;
        for (number, sums) in sums.chunks(strip * m).enumerate() {
            let count = sums.len() / m;
            for (sums, y) in sums.chunks_exact(count).zip(y.chunks_exact_mut(rows)) {
                y[number * strip..][..count].copy_from_slice(sums);
            }
        }
        Ok(())
    }
}

/// Writes the sums of each strip of `strip` rows of weights; within a strip, those of each row of activations are contiguous.
fn strips<E: Codes, S: ChunkScales, F: Factor>(
    has: Has,
    (weights, tables): (&DynQuantizedRef<'_>, &Tables),
    (x, width): (&[F], usize),
    strip: usize,
    sums: &mut [f32],
) {
    let (m, first) = (x.len() / width, weights.row_range().start);
    let some = |first, count| RowBytes::of(weights, first).rows(weights, tables, count);
    let common = Common::<E, S>::of(has, weights.spec(), &some(first, 0));
    let compute = |(number, sums): (usize, &mut [f32])| {
        let count = sums.len() / m;
        let rows = some(first + number * strip, count);
        for (x, sums) in x.chunks_exact(width).zip(sums.chunks_exact_mut(count)) {
            // SAFETY: there is a row for each sum, with these types of elements and scales.
            unsafe { rows::multiply(has, &common, rows, x, sums) };
        }
    };
    #[cfg(feature = "parallel")]
    if rayon::current_num_threads() > 1 && sums.len() * width >= PARALLEL {
        use rayon::prelude::*;
        return sums.par_chunks_mut(strip * m).enumerate().for_each(compute);
    }
    sums.chunks_mut(strip * m).enumerate().for_each(compute);
}
