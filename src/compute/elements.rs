//! Storage as a slice of host values.
#![allow(unsafe_code, reason = "storage is viewed as host values")]

use crate::movement::error::PackError;
use crate::movement::host::{bytes_of, bytes_of_mut};
use crate::require::require;
use crate::typed::entry::Const;
use crate::typed::packed::Packed;
use crate::typed::view::{PackedMut, PackedRef};
use crate::typed::{Host, Layout};
use layout_core::tiled::TiledSpec;

/// Whether storage contains host values: whole bytes in the width of the type. For `pred` and types narrower than a byte, not
/// every byte is a value.
pub(crate) const fn direct<L: Layout>() -> bool {
    holds_host_values(Const::<L>::SPEC)
}

/// The same for a layout that is a value.
pub(super) const fn holds_host_values(spec: &TiledSpec) -> bool {
    spec.dtype().bits() >= 8 && spec.dtype().bits() == spec.stored_bits()
}

/// The storage as host values, if it contains host values. The compiler sees their number, so that loops over them need no
/// checks.
#[inline(always)]
pub(crate) fn elements<L: Layout>(bytes: PackedRef<'_, L>) -> Option<&[Host<L>]> {
    let bytes = bytes.as_bytes();
    debug_assert_eq!(bytes.len(), Const::<L>::SPEC.storage_bytes());
    // SAFETY: each array has the bytes of its layout, aligned for a host value: a `Packed` is aligned to 64 bytes, and views
    // check both. Stored and host width are equal, so the values fill the bytes, and each bit pattern is a value, because
    // `bool` is not direct.
    (const { direct::<L>() })
        .then(|| unsafe { core::slice::from_raw_parts(bytes.as_ptr().cast(), const { L::LEN }) })
}

/// The storage as a mutable slice of host values, if it contains host values.
#[inline(always)]
pub(super) fn elements_mut<L: Layout>(packed: PackedMut<'_, L>) -> Option<&mut [Host<L>]> {
    let bytes = packed.into_bytes();
    debug_assert_eq!(bytes.len(), Const::<L>::SPEC.storage_bytes());
    // SAFETY: as in `elements`. Host values have no padding bytes, so all of the storage stays initialized.
    (const { direct::<L>() }).then(|| unsafe {
        core::slice::from_raw_parts_mut(bytes.as_mut_ptr().cast(), const { L::LEN })
    })
}

/// Fails to compile unless storage contains host values. Each function that users call evaluates this itself, so that rustc
/// reports the user's line.
#[track_caller]
pub(super) const fn assert_direct<L: Layout>() {
    require(
        direct::<L>(),
        "elements narrower than a byte, or stored in more bits than they have, are not host values in storage; use \
         `map`, `fold`, `get` or `unpack`",
    );
}

impl<'a, L: Layout> PackedRef<'a, L> {
    /// Views host values in the order in which the layout stores them, padding included; for a row-major layout without tiles,
    /// that is a row-major array. The inverse of [`PackedRef::as_elements`].
    ///
    /// It compiles only for types of 8 or more bits that the layout stores in their own width: not for `pred`, nor with `E(n)` of
    /// another width.
    ///
    /// ```
    /// use tensor_layout::{PackedRef, tiled};
    /// type RowMajor = tiled!(f32[2,3]);
    /// let view = PackedRef::<RowMajor>::from_elements(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]).unwrap();
    /// assert_eq!(view.get([1, 0]), 4.0);
    /// ```
    ///
    /// # Errors
    /// If `elements` does not have the length of the layout, or if the layout splits the array between memories.
    pub fn from_elements(elements: &'a [Host<L>]) -> Result<Self, PackError> {
        const { assert_direct::<L>() };
        Self::new(bytes_of(elements))
    }

    /// All stored elements, padding included, in storage order: the element at `index` is number `L::offset(index)`.
    ///
    /// It compiles only for types of 8 or more bits that the layout stores in their own width; see [`PackedRef::from_elements`].
    ///
    /// ```
    /// use tensor_layout::{Layout, tiled};
    /// type Tiles = tiled!(f32[3,5]{1,0:T(2,2)});
    /// let packed = Tiles::pack(&[1.0; 15]).unwrap();
    /// assert_eq!(packed.as_elements().len(), 24);
    /// assert_eq!(packed.as_elements()[Tiles::offset([2, 3])], 1.0);
    /// ```
    #[inline]
    pub fn as_elements(self) -> &'a [Host<L>] {
        const { assert_direct::<L>() };
        elements(self).unwrap_or_default()
    }
}

impl<'a, L: Layout> PackedMut<'a, L> {
    /// Views host values as a mutable array; see [`PackedRef::from_elements`].
    ///
    /// # Errors
    /// As for [`PackedRef::from_elements`].
    pub fn from_elements(elements: &'a mut [Host<L>]) -> Result<Self, PackError> {
        const { assert_direct::<L>() };
        // SAFETY: the elements are not `bool`s, which are narrower than a byte. For all other types, all bytes are values.
        Self::new(unsafe { bytes_of_mut(elements) })
    }

    /// See [`PackedRef::as_elements`].
    #[inline]
    pub fn as_elements(&self) -> &[Host<L>] {
        const { assert_direct::<L>() };
        elements(self.as_ref()).unwrap_or_default()
    }

    /// All stored elements, padding included, in storage order, as a mutable slice; see [`PackedRef::as_elements`].
    #[inline]
    pub fn as_elements_mut(&mut self) -> &mut [Host<L>] {
        const { assert_direct::<L>() };
        elements_mut(self.reborrow()).unwrap_or_default()
    }
}

impl<L: Layout> Packed<L> {
    /// See [`PackedRef::as_elements`].
    #[inline]
    pub fn as_elements(&self) -> &[Host<L>] {
        const { assert_direct::<L>() };
        elements(self.as_ref()).unwrap_or_default()
    }

    /// All stored elements, padding included, in storage order, as a mutable slice; see [`PackedRef::as_elements`].
    #[inline]
    pub fn as_elements_mut(&mut self) -> &mut [Host<L>] {
        const { assert_direct::<L>() };
        elements_mut(self.as_mut()).unwrap_or_default()
    }
}
