//! The numbers of block-scaled arrays, a group of 32 elements at a time.
#![allow(unsafe_code, reason = "rows of weights are read by address")]

use super::lanes::Lanes;
use super::matmul::{for_kinds, tables};
use super::row_bytes::RowBytes;
use super::row_kernel::{
    Byte, E4m3, E5m2, Elements, F16, F32, GROUP, Kinds, Nibbles, Of, Pairs, Rows, S8, ScaleKind,
    ScaleNumber,
};
use super::view::DynQuantizedRef;
use crate::cpu::{Cpu, for_cpu};
use layout_core::DType;

/// Half of the elements of a group: a vector.
const HALF: usize = GROUP / 2;

impl DynQuantizedRef<'_> {
    /// Writes the numbers of all rows; returns whether it did, which needs rows of whole groups.
    pub(super) fn unpack_groups(&self, values: &mut [f32]) -> bool {
        let (spec, bytes) = (self.spec(), RowBytes::of(self, self.row_range().start));
        if !bytes.has_whole_groups(spec) || values.is_empty() {
            return false;
        }
        let tables = &tables(spec);
        let rows = bytes.rows(self, tables, self.row_range().len());
        assert_eq!(values.len(), self.row_range().len() * spec.columns());
        let alternate = spec.pair_distance() == Some(1);
        // SAFETY: the rows and their scales are within the bytes, and there is a value for each element.
        unsafe {
            if spec.block() < GROUP {
                run::<Of<Nibbles, Pairs>>(rows, alternate, values);
                return true;
            }
            for_kinds!(spec, K => { run::<K>(rows, alternate, values); true }, else false)
        }
    }
}

/// # Safety
/// As [`unpack`].
unsafe fn run<K: Kinds>(rows: Rows<'_>, alternate: bool, values: &mut [f32]) {
    // SAFETY: the caller makes the same promises.
    unsafe {
        for_cpu!(Cpu::detect(), unsafe unpack<K: Kinds>(
            rows: Rows<'_>, alternate: bool, values: &mut [f32]
        ))
    }
}

/// Writes the numbers of rows. In a group, the elements of the first vector and of the second one `alternate`, or one half follows the
/// other.
///
/// # Safety
/// The elements and scales of as many rows as `values` has must be readable.
#[inline(always)]
unsafe fn unpack<S: Lanes, K: Kinds>(simd: S, rows: Rows<'_>, alternate: bool, values: &mut [f32]) {
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
                    write(a, b, alternate, to);
                    from = from.add(K::Elements::BYTES);
                }
            }
        }
    }
}

/// Writes the numbers of a group.
#[inline(always)]
fn write(a: [f32; HALF], b: [f32; HALF], alternate: bool, to: &mut [f32; GROUP]) {
    if alternate {
        for (at, [first, second]) in to.as_chunks_mut::<2>().0.iter_mut().enumerate() {
            (*first, *second) = (a[at], b[at]);
        }
        return;
    }
    let (low, high) = to.split_at_mut(HALF);
    low.copy_from_slice(&a);
    high.copy_from_slice(&b);
}
