//! Products of few rows of activations, 64 bytes of elements at a time, on CPUs whose AVX-512 permutes bytes.
//!
//! Each lane of a chunk sums products of elements that have the same scale. Elements of 4 bits are integers, multiplied by
//! [digits] of the activations; tables convert small floats to `bf16`, exactly.
#![allow(
    unsafe_code,
    reason = "instructions that not every CPU has; rows of weights are read by address"
)]

mod digits;
mod elements;
mod factors;
mod rows;
mod scales;
mod words;

use super::error::QuantizedError;
use super::integers::Integers;
use super::lanes::Tables;
#[cfg(feature = "parallel")]
use super::matmul::PARALLEL;
use super::matmul::{Activation, RowBytes, STRIP, row_bytes, tables};
use super::panels::Has;
use super::row_kernel::{F16, F32, GROUP, TOGETHER};
use super::s8::HasDots;
use super::view::DynQuantizedRef;
use crate::cpu::HasAvx512;
use alloc::vec::Vec;
use digits::{Conversion, Digits};
use elements::{Codes, Floats, Nibbles};
use factors::Factors;
use layout_core::DType;
use rows::Common;
use scales::{ChunkScales, Powers, Small};
use words::Word;

/// The number of bytes of a chunk.
const CHUNK: usize = 64;

/// Writes the sums of all rows of weights, times each row of the numbers of `x`, in row-major order. The elements must be floats of 8
/// bits, and rows whole groups.
pub(super) fn of_floats<T: Activation, W: Word>(
    has: Has,
    weights: &DynQuantizedRef<'_>,
    x: &[T],
    number: impl Fn(T) -> W,
    y: &mut [f32],
) -> Result<(), QuantizedError> {
    let (spec, columns) = (weights.spec(), weights.spec().columns());
    let (m, width) = (x.len() / columns, columns.next_multiple_of(CHUNK));
    let len = m.checked_mul(width).ok_or_else(|| weights.no_memory(usize::MAX))?;
    let mut arranged = weights.memory::<W>(len)?;
    for (to, from) in arranged.chunks_exact_mut(width).zip(x.chunks_exact(columns)) {
        words::arrange(from, &number, to);
    }
    let product = Product { simd: has.avx512(), weights, tables: &tables(spec), x: &arranged, m };
    match spec.scale() {
        DType::F16 => product.all::<Floats, F16>(y),
        DType::F32 => product.all::<Floats, F32>(y),
        _ => product.all::<Floats, Powers>(y),
    }
}

/// As [`of_floats`], for elements of 4 bits. `None` if activations do not become digits.
pub(super) fn of_nibbles<T: Activation>(
    has: HasDots,
    weights: &DynQuantizedRef<'_>,
    x: &[T],
    y: &mut [f32],
) -> Option<Result<(), QuantizedError>> {
    let (spec, columns) = (weights.spec(), weights.spec().columns());
    let tables = &tables(spec);
    let integers = Integers::of(spec, tables)?;
    let conversion = Conversion::new(has, integers, spec.pair_distance()?);
    let (m, chunks) = (x.len() / columns, columns.div_ceil(Nibbles::ELEMENTS));
    let mut arranged = Vec::new();
    let len = m.saturating_mul(chunks);
    if arranged.try_reserve_exact(len).is_err() {
        return Some(Err(weights.no_memory(len.saturating_mul(size_of::<Digits>()))));
    }
    arranged.resize(len, Digits::ZERO);
    for (to, from) in arranged.chunks_exact_mut(chunks).zip(x.chunks_exact(columns)) {
        if !conversion.convert(from, to) {
            return None;
        }
    }
    let product = Product { simd: has.avx512(), weights, tables, x: &arranged, m };
    Some(match spec.scale() {
        DType::F16 => product.all::<Nibbles, F16>(y),
        DType::F32 => product.all::<Nibbles, F32>(y),
        DType::F8E8M0FNU => product.all::<Nibbles, Powers>(y),
        _ if spec.block() < GROUP => product.all::<Nibbles, Small<2>>(y),
        _ => product.all::<Nibbles, Small<1>>(y),
    })
}

/// A product whose activations are arranged. The CPU has the instructions that multiply them.
struct Product<'a, F> {
    simd: HasAvx512,
    weights: &'a DynQuantizedRef<'a>,
    tables: &'a Tables,
    x: &'a [F],
    /// The number of rows of activations.
    m: usize,
}

impl<F> Product<'_, F> {
    fn all<E: Codes, S: ChunkScales>(&self, y: &mut [f32]) -> Result<(), QuantizedError>
    where
        F: Factors<E>,
    {
        let strip = (STRIP / row_bytes(self.weights.spec()).max(1)).max(1);
        let strip = strip.next_multiple_of(TOGETHER);
        if self.m == 1 {
            self.strips::<E, S>(strip, y);
            return Ok(());
        }
        // All rows of activations are multiplied by the weights of a strip, while the strip is in the cache.
        let mut sums = self.weights.memory::<f32>(y.len())?;
        self.strips::<E, S>(strip, &mut sums);
        let rows = y.len() / self.m;
        for (number, sums) in sums.chunks(strip * self.m).enumerate() {
            let count = sums.len() / self.m;
            for (sums, y) in sums.chunks_exact(count).zip(y.chunks_exact_mut(rows)) {
                y[number * strip..][..count].copy_from_slice(sums);
            }
        }
        Ok(())
    }

    /// Writes the sums of each strip of `strip` rows of weights; within a strip, those of each row of activations are contiguous.
    fn strips<E: Codes, S: ChunkScales>(&self, strip: usize, sums: &mut [f32])
    where
        F: Factors<E>,
    {
        let (weights, m) = (self.weights, self.m);
        let first = weights.row_range().start;
        let some = |first, count| RowBytes::of(weights, first).rows(weights, self.tables, count);
        let common = Common::<E, S>::of(self.simd, weights.spec(), &some(first, 0));
        let compute = |(number, sums): (usize, &mut [f32])| {
            let count = sums.len() / m;
            let rows = some(first + number * strip, count);
            let x = self.x.chunks_exact(self.x.len() / m);
            for (x, sums) in x.zip(sums.chunks_exact_mut(count)) {
                // SAFETY: there is a row for each sum, with these types of elements and scales; the CPU has the instructions.
                unsafe { rows::multiply(self.simd, &common, rows, x, sums) };
            }
        };
        #[cfg(feature = "parallel")]
        if rayon::current_num_threads() > 1 && sums.len() * weights.spec().columns() >= PARALLEL {
            use rayon::prelude::*;
            return sums.par_chunks_mut(strip * m).enumerate().for_each(compute);
        }
        sums.chunks_mut(strip * m).enumerate().for_each(compute);
    }
}
