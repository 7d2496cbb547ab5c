//! The storage that the elements of an array take if a bounded dimension is shorter than its bound.

use super::array::{Array, Known};
use core::ops::Range;
use layout_core::tiled::TiledSpec;

/// Parts of storage of equal length at equal distances, in ascending order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Used {
    count: usize,
    stride: usize,
    len: usize,
}

impl Used {
    /// The storage of the elements of an array that [`is_untiled`], if it consists of few such parts: all dimensions between the
    /// most minor one that is shorter than its bound and the most major one have their full size. `f32[<=64,<=2048]` with the sizes
    /// 2 and 10 has two parts of 10 elements, 2,048 apart.
    fn of(spec: &TiledSpec, sizes: &[usize]) -> Option<Self> {
        let order = spec.minor_to_major();
        // The elements of the contiguous dimensions, the distance between two such parts, and the number of parts.
        let (mut len, mut stride, mut count) = (1, 1, 1);
        let (mut is_cut, mut full) = (false, 1);
        for (at, &dim) in order.iter().enumerate() {
            let (size, bound) = (sizes[dim], spec.dims()[dim]);
            full *= bound;
            if is_cut {
                if size != bound && at + 1 < order.len() {
                    return None;
                }
                count *= size;
            } else {
                len *= size;
                stride = full;
                is_cut = size != bound;
            }
        }
        Some(Self { count, stride, len })
    }

    /// The parts.
    pub(super) fn parts(self) -> impl Iterator<Item = Range<usize>> {
        let Self { count, stride, len } = self;
        let count = if len == 0 { 0 } else { count };
        (0..count).map(move |number| number * stride..number * stride + len)
    }
}

/// Whether the elements of a layout are contiguous, from the most minor dimension to the most major one.
const fn is_untiled(spec: &TiledSpec) -> bool {
    let (order, mut at, mut full) = (spec.minor_to_major(), 0, 1);
    while at < order.len() {
        let bound = spec.dims()[order[at]];
        // The distance between neighbours, if there are any.
        if bound > 1 && !matches!(spec.stride(order[at]), Some(stride) if stride == full) {
            return false;
        }
        full *= bound;
        at += 1;
    }
    true
}

/// [`is_untiled`], which is a constant if the layout is a type.
fn are_untiled<A: Array>(array: &A) -> bool {
    match const { A::LAYOUT } {
        Some(_) => const { matches!(A::LAYOUT, Some(spec) if is_untiled(spec)) },
        None => is_untiled(array.spec()),
    }
}

/// Whether arrays may be smaller than their layout.
pub(super) const fn may_be_short<A: Known>() -> bool {
    match A::LAYOUT {
        Some(spec) => spec.draft().bounded != 0,
        None => true,
    }
}

/// The storage to compute, if the array is smaller than its layout and it consists of few parts.
pub(super) fn used<A: Array>(array: &A) -> Option<Used> {
    let is_short = !array.is_whole() && are_untiled(array);
    if is_short { Used::of(array.spec(), array.sizes()) } else { None }
}

/// The storage of the lines along a dimension, if they are contiguous: each part is some of them.
pub(super) fn lines<A: Array>(array: &A, dim: usize) -> Option<Used> {
    let are_contiguous = array.spec().minor_to_major().first() == Some(&dim) && are_untiled(array);
    if are_contiguous { Used::of(array.spec(), array.sizes()) } else { None }
}
