//! Windows: part of an array, packed and unpacked on its own.

use super::error::PackError;
use super::plan::Plan;
use super::run_time::check_shape;
use super::transfer::{self, Values};
use layout_core::parts::IndexMap;
use layout_core::tiled::TiledSpec;

/// A window of `shape` in an array, from index `first` on.
pub(super) struct Window<'a> {
    first: &'a [usize],
    shape: &'a [usize],
    /// The row-major map of the window.
    pub(super) rows: IndexMap,
}

impl<'a> Window<'a> {
    /// Checks that the window lies within the array.
    pub(super) fn new(
        spec: &TiledSpec,
        first: &'a [usize],
        shape: &'a [usize],
    ) -> Result<Self, PackError> {
        transfer::check_layout(spec)?;
        let error = |dim| PackError::Window { dim, layout: (*spec).into() };
        if first.len() != spec.rank() || shape.len() != spec.rank() {
            return Err(error(spec.rank().min(first.len()).min(shape.len())));
        }
        let fits = |dim: &usize| {
            first[*dim].checked_add(shape[*dim]).is_some_and(|end| end <= spec.dims()[*dim])
        };
        if let Some(dim) = (0..spec.rank()).find(|dim| !fits(dim)) {
            return Err(error(dim));
        }
        Ok(Self { first, shape, rows: transfer::row_major(spec).with_window(shape) })
    }

    pub(super) fn elements(&self) -> usize {
        // No more than the array has, if none of the sizes is zero.
        if self.shape.contains(&0) { 0 } else { self.shape.iter().product() }
    }

    pub(super) fn bounds(&self) -> (&'a [usize], &'a [usize]) {
        (self.first, self.shape)
    }
}

/// See [`DynLayout::pack_window_bytes`](super::DynLayout::pack_window_bytes).
pub(crate) fn pack(
    spec: &TiledSpec,
    (first, shape): (&[usize], &[usize]),
    row_major: &[u8],
    packed: &mut [u8],
) -> Result<(), PackError> {
    let window = Window::new(spec, first, shape)?;
    let plan = Plan::window(&window.rows, spec.map(), window.bounds(), Some(0));
    transfer::pack_window(spec, (&plan).into(), window.elements(), Values::Bytes(row_major), packed)
}

/// See [`DynLayout::unpack_window_bytes`](super::DynLayout::unpack_window_bytes).
pub(crate) fn unpack(
    spec: &TiledSpec,
    (first, shape): (&[usize], &[usize]),
    packed: &[u8],
    row_major: &mut [u8],
) -> Result<(), PackError> {
    let window = Window::new(spec, first, shape)?;
    let plan = Plan::window(spec.map(), &window.rows, window.bounds(), Some(1));
    transfer::unpack_window(spec, (&plan).into(), window.elements(), packed, row_major)
}

/// See [`DynLayout::relayout_window_bytes`](super::DynLayout::relayout_window_bytes).
pub(crate) fn relayout(
    spec: &TiledSpec,
    (first, shape): (&[usize], &[usize]),
    from: &[u8],
    destination: &TiledSpec,
    to: &mut [u8],
) -> Result<(), PackError> {
    check_shape(spec, destination)?;
    let window = Window::new(spec, first, shape)?;
    let plan = Plan::window(spec.map(), destination.map(), window.bounds(), None);
    transfer::relayout_window((&plan).into(), (spec, from), (destination, to))
}
