//! The numbers of block-scaled arrays, a group of 32 elements at a time.
#![allow(unsafe_code, reason = "rows of weights are read by address")]

use super::lanes::Lanes;
use super::matmul::{for_all_kinds, for_kinds, tables};
use super::row_bytes::RowBytes;
use super::row_kernel::{
    Byte, E4m3, E5m2, Elements, F16, F32, GROUP, Kinds, Nibbles, Of, Pairs, Rows, S8, ScaleKind,
    ScaleNumber,
};
use super::view::DynQuantizedRef;
use crate::cpu::{Cpu, for_cpu};
use layout_core::DType;
use layout_core::quantized::QuantizedSpec;

/// Half of the elements of a group: a vector.
const HALF: usize = GROUP / 2;

/// The number of rows that are copied at a time, if the scales of several blocks are stored together.
const COPIED: usize = 16;

impl DynQuantizedRef<'_> {
    /// Writes the numbers of all rows; returns whether it did, which needs rows of whole groups, and memory if they are copied.
    pub(super) fn unpack_groups(&self, values: &mut [f32]) -> bool {
        let (spec, count) = (self.spec(), self.row_range().len());
        assert_eq!(values.len(), count * spec.columns());
        if values.is_empty() || !spec.columns().is_multiple_of(GROUP) {
            return false;
        }
        let (first, tables) = (self.row_range().start, &tables(spec));
        let bytes = RowBytes::of(self, first);
        if bytes.has_whole_groups(spec) {
            // SAFETY: the rows were checked to be within the bytes, and there is a value for each element.
            return unsafe { run(spec, bytes.rows(self, tables, count), values) };
        }
        let mut parts = values.chunks_mut(COPIED * spec.columns()).enumerate();
        parts.all(|(part, values)| {
            let count = values.len() / spec.columns();
            let Some(copy) = RowBytes::of(self, first + part * COPIED).copy(spec, count) else {
                return false;
            };
            // SAFETY: as above.
            unsafe { run(spec, copy.bytes().rows(self, tables, count), values) }
        })
    }
}

/// [`unpack`] for the kinds of elements and scales of a layout; returns whether it has them.
///
/// # Safety
/// As [`unpack`].
unsafe fn run(spec: &QuantizedSpec, rows: Rows<'_>, values: &mut [f32]) -> bool {
    let distance = spec.pair_distance().unwrap_or(HALF);
    // SAFETY: the caller makes the same promises.
    unsafe {
        for_all_kinds!(spec, K => { run_kind::<K>(rows, distance, values); true }, else false)
    }
}

/// # Safety
/// As [`unpack`].
unsafe fn run_kind<K: Kinds>(rows: Rows<'_>, distance: usize, values: &mut [f32]) {
    // SAFETY: the caller makes the same promises.
    unsafe {
        for_cpu!(Cpu::detect(), unsafe unpack<K: Kinds>(
            rows: Rows<'_>, distance: usize, values: &mut [f32]
        ))
    }
}

/// Writes the numbers of rows. In a group, this number of elements of the first vector and of the second one alternate.
///
/// # Safety
/// The elements and scales of as many rows as `values` has must be readable.
#[inline(always)]
unsafe fn unpack<S: Lanes, K: Kinds>(simd: S, rows: Rows<'_>, distance: usize, values: &mut [f32]) {
    let block_len = rows.groups * GROUP;
    let tensor_scale = simd.splat(rows.tensor_scale);
    for (row, values) in values.chunks_exact_mut(rows.blocks * block_len).enumerate() {
        for (block, values) in values.chunks_exact_mut(block_len).enumerate() {
            // SAFETY: the caller promises the rows.
            unsafe {
                let at = row * rows.scale_row + block * rows.scale_stride;
                let scale = K::Scales::read(simd, rows.scales.add(at), rows.tables).vector(simd);
                let at = row * rows.element_row + block * rows.element_stride;
                let mut from = rows.elements.add(at);
                for to in values.as_chunks_mut::<GROUP>().0 {
                    let (a, b) = K::Elements::load(simd, from, rows.tables);
                    let a = simd.array(simd.mul(simd.mul(a, scale), tensor_scale));
                    let b = simd.array(simd.mul(simd.mul(b, scale), tensor_scale));
                    write(a, b, distance, to);
                    from = from.add(K::Elements::BYTES);
                }
            }
        }
    }
}

/// Writes the numbers of a group.
#[inline(always)]
fn write(a: [f32; HALF], b: [f32; HALF], distance: usize, to: &mut [f32; GROUP]) {
    match distance {
        1 => write_apart::<1>(a, b, to),
        8 => write_apart::<8>(a, b, to),
        _ => write_apart::<HALF>(a, b, to),
    }
}

/// The same for a distance that is known when it is compiled, and thus by vectors.
#[inline(always)]
fn write_apart<const DISTANCE: usize>(a: [f32; HALF], b: [f32; HALF], to: &mut [f32; GROUP]) {
    for at in 0..HALF {
        let first = at / DISTANCE * 2 * DISTANCE + at % DISTANCE;
        (to[first], to[first + DISTANCE]) = (a[at], b[at]);
    }
}
