//! Allocations that can fail.

use crate::cpu::in_huge_pages;
use crate::movement::PackError;
use crate::typed::Layout;
use crate::typed::entry::Const;
use alloc::vec::Vec;
use layout_core::tiled::TiledSpec;

/// Bytes that the allocator does not have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct NoMemory {
    pub(super) bytes: usize,
}

impl NoMemory {
    /// The error for an array of the layout `L`, or for a result that is computed from it.
    pub(super) fn of<L: Layout>(self) -> PackError {
        self.for_layout(Const::<L>::SPEC)
    }

    /// The error for an array of a layout, or for a result that is computed from it.
    pub(super) fn for_layout(self, spec: &TiledSpec) -> PackError {
        PackError::OutOfMemory { bytes: self.bytes, layout: (*spec).into() }
    }
}

/// An empty list with room for `len` values.
pub(super) fn reserved<T>(len: usize) -> Result<Vec<T>, NoMemory> {
    let mut list = Vec::new();
    match list.try_reserve_exact(len) {
        Ok(()) => Ok(in_huge_pages(list)),
        Err(_) => Err(NoMemory { bytes: len.saturating_mul(size_of::<T>()) }),
    }
}

/// `len` times the same value.
pub(super) fn filled<T: Clone>(value: T, len: usize) -> Result<Vec<T>, NoMemory> {
    let mut list = reserved(len)?;
    list.resize(len, value);
    Ok(list)
}

/// The values of an iterator.
pub(super) fn collected<T>(values: impl ExactSizeIterator<Item = T>) -> Result<Vec<T>, NoMemory> {
    let mut list = reserved(values.len())?;
    list.extend(values);
    Ok(list)
}
