//! Views of host values as packed arrays, for layouts that store elements as the host holds them.
#![allow(unsafe_code, reason = "slices of host values are written as bytes")]

use super::error::PackError;
use super::host::{bytes_of, bytes_of_mut};
use super::view::{PackedMut, PackedRef};
use crate::layout::{Host, Layout};

/// Fails to evaluate for element types that are stored in other bits than the host's.
const fn assert_whole<L: Layout>() {
    let spec = <L as Layout>::SPEC;
    assert!(
        spec.dtype().bits() >= 8 && spec.stored_bits() == spec.dtype().bits(),
        "only elements of whole bytes, stored as they are, can be viewed as values of the host"
    );
}

impl<'a, L: Layout> PackedRef<'a, L> {
    /// Views values in the order in which the layout stores them, padding included: for a layout without tiles, a
    /// row-major array.
    ///
    /// # Errors
    /// If `values` has not the length of the layout, or the layout splits the array between memories.
    pub fn of(values: &'a [Host<L>]) -> Result<Self, PackError> {
        const { assert_whole::<L>() }
        Self::new(bytes_of(values))
    }
}

impl<'a, L: Layout> PackedMut<'a, L> {
    /// Views values, as [`PackedRef::of`].
    ///
    /// # Errors
    /// As [`PackedRef::of`].
    pub fn of(values: &'a mut [Host<L>]) -> Result<Self, PackError> {
        const { assert_whole::<L>() }
        // SAFETY: `bool`, the host type whose bytes are not all values, holds elements of less than a byte.
        Self::new(unsafe { bytes_of_mut(values) })
    }
}
