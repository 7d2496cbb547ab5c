//! Packing and unpacking by specs that are only known at run time: the same plans, built then.

use super::element;
use super::error::PackError;
use super::host::{bytes_of, bytes_of_mut, zeroed};
use super::transfer::{self, Values, check_elements, check_layout, check_packed};
use crate::dtype::Element;
use crate::tiled::TiledSpec;
use alloc::vec::Vec;

/// Packs a row-major array into `packed`, [`TiledSpec::storage_bytes`] long, padding included.
///
/// # Errors
/// If either slice has the wrong length, a value does not fit the element type, or `spec` is a layout of another
/// element type, has an unbounded dimension or splits the array between memories; `packed` is then unchanged, except
/// that a value of fewer bits than a byte is looked at when it is packed: what `packed` then holds is unspecified.
pub fn pack<E: Element>(
    spec: &TiledSpec,
    row_major: &[E::Host],
    packed: &mut [u8],
) -> Result<(), PackError> {
    check_type::<E>(spec)?;
    check_elements(spec, row_major.len())?;
    pack_values(spec, Values::Slice(bytes_of(row_major)), packed)
}

fn pack_values(spec: &TiledSpec, values: Values<'_>, packed: &mut [u8]) -> Result<(), PackError> {
    let map = transfer::row_major(spec);
    transfer::pack(spec, (&transfer::plan(&map, spec.map())).into(), values, packed)
}

/// Unpacks into a row-major array. Padding is not read.
///
/// # Errors
/// If either slice has the wrong length, or `spec` is a layout of another element type, has an unbounded dimension or
/// splits the array between memories; `row_major` is then unchanged.
#[allow(unsafe_code, reason = "slices of host values are written as bytes")]
pub fn unpack<E: Element>(
    spec: &TiledSpec,
    packed: &[u8],
    row_major: &mut [E::Host],
) -> Result<(), PackError> {
    check_type::<E>(spec)?;
    check_elements(spec, row_major.len())?;
    // SAFETY: unpacking leaves 0 or 1 in each byte of a `bool` that it has written to.
    spec.unpack_bytes(packed, unsafe { bytes_of_mut(row_major) })
}

impl TiledSpec {
    /// Packs a row-major array into a new buffer.
    ///
    /// ```
    /// use layout_core::{DType, S16, TiledSpec};
    /// let spec = TiledSpec::tpu_default(DType::S16, &[2, 3]).unwrap();
    /// let packed = spec.pack::<S16>(&[1, 2, 3, 4, 5, 6]).unwrap();
    /// assert_eq!(packed.len(), spec.bytes());
    /// assert_eq!(packed[..12], [1, 0, 4, 0, 2, 0, 5, 0, 3, 0, 6, 0]);
    /// assert_eq!(spec.unpack::<S16>(&packed).unwrap(), [1, 2, 3, 4, 5, 6]);
    /// ```
    ///
    /// # Errors
    /// As [`pack`], or if there is no memory for the buffer.
    pub fn pack<E: Element>(&self, row_major: &[E::Host]) -> Result<Vec<u8>, PackError> {
        check_type::<E>(self)?;
        check_elements(self, row_major.len())?;
        let mut packed = self.allocate(self.storage_bytes())?;
        pack::<E>(self, row_major, &mut packed)?;
        Ok(packed)
    }

    /// Unpacks into a new row-major array.
    ///
    /// # Errors
    /// As [`unpack`], or if there is no memory for the array.
    pub fn unpack<E: Element>(&self, packed: &[u8]) -> Result<Vec<E::Host>, PackError> {
        check_type::<E>(self)?;
        check_layout(self)?;
        check_packed(self, packed.len())?;
        let mut row_major = self.allocate(self.elements())?;
        unpack::<E>(self, packed, &mut row_major)?;
        Ok(row_major)
    }

    /// Packs a row-major array of host values given as bytes: little-endian, [`DType::byte_width`] for each element,
    /// at any address.
    ///
    /// [`DType::byte_width`]: crate::DType::byte_width
    ///
    /// # Errors
    /// As [`pack`].
    pub fn pack_bytes(&self, row_major: &[u8], packed: &mut [u8]) -> Result<(), PackError> {
        pack_values(self, Values::Bytes(row_major), packed)
    }

    /// Unpacks into a row-major array of host values given as bytes, the reverse of [`TiledSpec::pack_bytes`].
    ///
    /// # Errors
    /// As [`unpack`].
    pub fn unpack_bytes(&self, packed: &[u8], row_major: &mut [u8]) -> Result<(), PackError> {
        let map = transfer::row_major(self);
        transfer::unpack(self, (&transfer::plan(self.map(), &map)).into(), packed, row_major)
    }

    /// Moves the packed array `from`, in this layout, to the packed array `to`, in the layout `destination`.
    ///
    /// # Errors
    /// If the layouts differ in shape or element type, either slice has the wrong length, or either layout has an
    /// unbounded dimension or splits the array between memories; `to` is then unchanged.
    pub fn relayout_bytes(
        &self,
        from: &[u8],
        destination: &Self,
        to: &mut [u8],
    ) -> Result<(), PackError> {
        self.check_shape(destination)?;
        let plan = transfer::plan(self.map(), destination.map());
        transfer::relayout(&plan, (self, from), (destination, to))
    }

    /// The element at `index` of a packed array.
    ///
    /// # Errors
    /// If `packed` has the wrong length, or the layout another element type, an unbounded dimension or splits.
    ///
    /// # Panics
    /// If `index` is out of bounds, as slice indexing does.
    #[track_caller]
    pub fn get<E: Element>(&self, packed: &[u8], index: &[usize]) -> Result<E::Host, PackError> {
        self.check_access::<E>(packed)?;
        Ok(element::get::<E>(packed, self.stored_bits(), self.offset(index)))
    }

    /// Writes the element at `index` of a packed array.
    ///
    /// # Errors
    /// As [`TiledSpec::get`], or if the element type is narrower than a byte and `value` does not fit it.
    ///
    /// # Panics
    /// If `index` is out of bounds, as slice indexing does.
    #[track_caller]
    pub fn set<E: Element>(
        &self,
        packed: &mut [u8],
        index: &[usize],
        value: E::Host,
    ) -> Result<(), PackError> {
        self.check_access::<E>(packed)?;
        element::set::<E>(packed, self.stored_bits(), self.offset(index), value)
            .map_err(|byte| element::misfit(self, index, byte))
    }

    /// Whether the other layout is one of the same shape and element type.
    pub(super) fn check_shape(&self, destination: &Self) -> Result<(), PackError> {
        if self.dtype() == destination.dtype() && self.dims() == destination.dims() {
            return Ok(());
        }
        let (source_layout, destination) = ((*self).into(), (*destination).into());
        Err(PackError::Shape { source_layout, destination })
    }

    fn check_access<E: Element>(&self, packed: &[u8]) -> Result<(), PackError> {
        check_type::<E>(self)?;
        check_layout(self)?;
        check_packed(self, packed.len())
    }

    fn allocate<T: crate::dtype::HostValue>(&self, len: usize) -> Result<Vec<T>, PackError> {
        zeroed(len).ok_or_else(|| PackError::OutOfMemory {
            bytes: len * size_of::<T>(),
            layout: (*self).into(),
        })
    }
}

fn check_type<E: Element>(spec: &TiledSpec) -> Result<(), PackError> {
    if spec.dtype() == E::DTYPE {
        return Ok(());
    }
    Err(PackError::ElementType { actual: E::DTYPE, layout: (*spec).into() })
}
