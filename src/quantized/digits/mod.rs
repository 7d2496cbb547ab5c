//! Products of few rows of activations by elements of 4 bits, on CPUs whose AVX-512 permutes bytes and has dot products of them.
//!
//! Elements are small integers times a unit. Each 32 activations become integers of 24 bits with a common scale, and each integer
//! three digits of 8 bits, so that dot products of bytes add the products of elements that share a scale, exactly. See
//! [`activations`].
#![allow(
    unsafe_code,
    reason = "instructions that not every CPU has; rows of weights are read by address"
)]

mod activations;
mod load;
mod rows;

use super::error::QuantizedError;
use super::integers::Integers;
use super::lane_scales::{LaneScales, Powers, Small};
use super::lanes::Tables;
use super::matmul::{Activation, tables};
use super::row_kernel::{F16, F32, GROUP};
use super::s8::HasDots;
use super::strips;
use super::view::DynQuantizedRef;
use activations::{Conversion, Quad};
use alloc::vec::Vec;
use layout_core::DType;
use rows::Common;

/// The bytes of a chunk, a vector of elements, and the number of its groups.
const CHUNK: usize = 64;
const CHUNK_GROUPS: usize = 4;

/// The chunks of a quad: it has 16 groups, and as many lanes.
const CHUNKS: usize = 4;

/// The groups of a quad, and its elements.
const GROUPS: usize = CHUNKS * CHUNK_GROUPS;
const ELEMENTS: usize = GROUPS * GROUP;

/// Where the sum for a scale of a quad is: the vector, and its lane. There are `V` scales for each group.
///
/// The sums of a chunk are next to those of the other chunks: with one scale for each group, lane 7 of the only vector is group 1 of
/// chunk 3; with two, lane 7 of the second vector is the second scale of group 1 of chunk 3.
const fn place<const V: usize>(scale: usize) -> (usize, usize) {
    let (group, of_group) = (scale / V, scale % V);
    let (chunk, within) = (group / CHUNK_GROUPS, group % CHUNK_GROUPS);
    let in_vector = CHUNKS / V;
    (chunk / in_vector, 4 * within + V * (chunk % in_vector) + of_group)
}

/// Writes the sums of all rows of weights, times each row of `x`, in row-major order. The elements must have 4 bits, and rows whole
/// groups. `None` if an activation has no digits.
pub(super) fn product<T: Activation>(
    has: HasDots,
    weights: &DynQuantizedRef<'_>,
    x: &[T],
    y: &mut [f32],
) -> Option<Result<(), QuantizedError>> {
    let tables = &tables(weights.spec());
    match (weights.spec().scale(), weights.spec().block()) {
        (DType::F16, _) => of_scales::<F16, T, 1>(has, weights, tables, x, y),
        (DType::F32, _) => of_scales::<F32, T, 1>(has, weights, tables, x, y),
        (DType::F8E8M0FNU, _) => of_scales::<Powers, T, 1>(has, weights, tables, x, y),
        (_, GROUP..) => of_scales::<Small, T, 1>(has, weights, tables, x, y),
        _ => of_scales::<Small, T, 2>(has, weights, tables, x, y),
    }
}

/// As [`product`], for scales of a type, `V` of them for each group.
fn of_scales<S: LaneScales, T: Activation, const V: usize>(
    has: HasDots,
    weights: &DynQuantizedRef<'_>,
    tables: &Tables,
    x: &[T],
    y: &mut [f32],
) -> Option<Result<(), QuantizedError>> {
    let (spec, columns) = (weights.spec(), weights.spec().columns());
    let integers = Integers::of(spec, tables)?;
    let conversion = Conversion::new(has, integers, spec.pair_distance()?);
    let (m, quads) = (x.len() / columns, columns.div_ceil(ELEMENTS));
    let mut digits = Vec::new();
    let len = m.saturating_mul(quads);
    if digits.try_reserve_exact(len).is_err() {
        return Some(Err(weights.no_memory(len.saturating_mul(size_of::<Quad<V>>()))));
    }
    digits.resize(len, Quad::ZERO);
    for (to, from) in digits.chunks_exact_mut(quads).zip(x.chunks_exact(columns)) {
        if !conversion.convert(from, to) {
            return None;
        }
    }
    let common = Common::<S, V>::of(has, spec, &integers, tables);
    Some(strips::product(weights, tables, m, y, |rows, row, sums| {
        let digits = &digits[row * quads..][..quads];
        // SAFETY: there is a row for each sum, with elements and scales of these types.
        unsafe { rows::multiply(&common, rows, digits, sums) };
    }))
}
