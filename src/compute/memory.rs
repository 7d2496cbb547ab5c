//! Memory that may not be there.

use crate::movement::PackError;
use crate::typed::Layout;
use crate::typed::entry::Const;
use alloc::vec::Vec;

/// Bytes that the allocator does not have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct NoMemory {
    pub(super) bytes: usize,
}

impl NoMemory {
    /// The error for an array of the layout `L`, or what is computed from it.
    pub(super) fn of<L: Layout>(self) -> PackError {
        PackError::OutOfMemory { bytes: self.bytes, layout: (*Const::<L>::SPEC).into() }
    }
}

/// An empty list with room for `len` values.
pub(super) fn reserved<T>(len: usize) -> Result<Vec<T>, NoMemory> {
    let mut list = Vec::new();
    match list.try_reserve_exact(len) {
        Ok(()) => Ok(list),
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
