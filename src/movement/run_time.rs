//! Packs and unpacks by specs that are only known at run time, with the same plans as for layout types, but made at run time.

use super::error::PackError;
use super::host::{bytes_of, bytes_of_mut, zeroed};
use super::strided::{self, Strided};
use super::transfer::{self, Values, check_elements, check_layout, check_packed};
use super::{element, window};
use crate::element::{Element, HostValue};
use alloc::vec::Vec;
use layout_core::tiled::TiledSpec;

/// Packs a row-major array into `packed`, whose length must be [`TiledSpec::storage_bytes`]. Padding is written too.
///
/// ```
/// use tensor_layout::{S8, TiledSpec, movement};
/// let spec: TiledSpec = "s8[2,3]{1,0:T(2,2)}".parse()?;
/// let mut packed = vec![0; spec.storage_bytes()];
/// movement::pack::<S8>(&spec, &[1, 2, 3, 4, 5, 6], &mut packed)?;
/// assert_eq!(packed, [1, 2, 4, 5, 3, 0, 6, 0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Complexity
/// Planning is quadratic in the number of parts of the layout, at most a few dozen, and takes some microseconds. Moving is linear
/// in the bytes of both arrays, and allocates no memory that grows with them. [`Mover`](super::Mover) plans once for many arrays.
///
/// # Errors
/// If either slice has the wrong length, if a value does not fit the element type, or if `spec` has another element type or an
/// unbounded dimension, or splits the array between memories. `packed` is then unchanged, except that values narrower than a
/// byte are only checked as they are packed: if one does not fit, the contents of `packed` are unspecified.
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
/// ```
/// use tensor_layout::{S8, TiledSpec, movement};
/// let spec: TiledSpec = "s8[2,3]{1,0:T(2,2)}".parse()?;
/// let mut row_major = [0; 6];
/// movement::unpack::<S8>(&spec, &[1, 2, 4, 5, 3, 0, 6, 0], &mut row_major)?;
/// assert_eq!(row_major, [1, 2, 3, 4, 5, 6]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Complexity
/// As for [`pack`].
///
/// # Errors
/// If either slice has the wrong length, or if `spec` has another element type or an unbounded dimension, or splits the array
/// between memories. `row_major` is then unchanged.
#[allow(unsafe_code, reason = "slices of host values are written as bytes")]
pub fn unpack<E: Element>(
    spec: &TiledSpec,
    packed: &[u8],
    row_major: &mut [E::Host],
) -> Result<(), PackError> {
    check_type::<E>(spec)?;
    check_elements(spec, row_major.len())?;
    // SAFETY: unpacking leaves 0 or 1 in each byte of a `bool` that it writes.
    spec.unpack_bytes(packed, unsafe { bytes_of_mut(row_major) })
}

mod sealed {
    pub trait Sealed {}
}

/// The functions of [`Layout`](crate::Layout) for a layout that is only known at run time: it packs and unpacks arrays, moves
/// them to other layouts, and accesses windows of packed arrays.
///
/// Each call that moves an array plans anew, which takes some microseconds; [`Mover`](super::Mover) plans once for many arrays.
///
/// The trait is sealed: [`TiledSpec`] is its only implementor.
///
/// ```
/// use tensor_layout::{DynLayout, F32, TiledSpec};
/// let spec: TiledSpec = "f32[2,3]{1,0:T(8,128)}".parse()?;
/// let mut packed = spec.pack::<F32>(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0])?;
/// spec.set::<F32>(&mut packed, &[1, 2], 60.0)?;
/// assert_eq!(spec.unpack::<F32>(&packed)?, [1.0, 2.0, 3.0, 4.0, 5.0, 60.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait DynLayout: sealed::Sealed {
    /// Packs a row-major array into a new buffer.
    ///
    /// ```
    /// use tensor_layout::{DType, DynLayout, S16, TiledSpec};
    /// let spec = TiledSpec::tpu_default(DType::S16, &[2, 3]).unwrap();
    /// let packed = spec.pack::<S16>(&[1, 2, 3, 4, 5, 6]).unwrap();
    /// assert_eq!(packed.len(), spec.bytes());
    /// assert_eq!(packed[..12], [1, 0, 4, 0, 2, 0, 5, 0, 3, 0, 6, 0]);
    /// assert_eq!(spec.unpack::<S16>(&packed).unwrap(), [1, 2, 3, 4, 5, 6]);
    /// ```
    ///
    /// # Errors
    /// As for [`pack`], or if memory for the buffer cannot be allocated.
    fn pack<E: Element>(&self, row_major: &[E::Host]) -> Result<Vec<u8>, PackError>;

    /// Unpacks into a new row-major array.
    ///
    /// # Errors
    /// As for [`unpack`], or if memory for the array cannot be allocated.
    fn unpack<E: Element>(&self, packed: &[u8]) -> Result<Vec<E::Host>, PackError>;

    /// Packs a row-major array of host values given as bytes: little-endian, [`DType::byte_width`] for each element, at any
    /// address.
    ///
    /// [`DType::byte_width`]: crate::DType::byte_width
    ///
    /// # Errors
    /// As for [`pack`].
    fn pack_bytes(&self, row_major: &[u8], packed: &mut [u8]) -> Result<(), PackError>;

    /// Packs host values at any strides. They are first copied into row-major order.
    ///
    /// # Errors
    /// As for [`DynLayout::pack_bytes`], or if there is not one stride for each dimension, if the strides lead out of the bytes,
    /// or if memory for the copy cannot be allocated.
    fn pack_strided_bytes(&self, values: Strided<'_>, packed: &mut [u8]) -> Result<(), PackError>;

    /// Unpacks into a row-major array of host values given as bytes, the reverse of [`DynLayout::pack_bytes`].
    ///
    /// # Errors
    /// As for [`unpack`].
    fn unpack_bytes(&self, packed: &[u8], row_major: &mut [u8]) -> Result<(), PackError>;

    /// Moves the packed array `from`, in this layout, to the packed array `to`, in the layout `destination`.
    ///
    /// # Errors
    /// If the layouts differ in shape or element type, if either slice has the wrong length, or if either layout has an
    /// unbounded dimension or splits the array between memories. `to` is then unchanged.
    fn relayout_bytes(
        &self,
        from: &[u8],
        destination: &Self,
        to: &mut [u8],
    ) -> Result<(), PackError>;

    /// The element at `index` of a packed array. Takes constant time; nothing is planned.
    ///
    /// # Errors
    /// If `packed` has the wrong length, or if the layout has another element type, an unbounded dimension or splits.
    ///
    /// # Panics
    /// If `index` is out of bounds, as slice indexing does.
    #[track_caller]
    fn get<E: Element>(&self, packed: &[u8], index: &[usize]) -> Result<E::Host, PackError>;

    /// Writes the element at `index` of a packed array. Takes constant time; nothing is planned.
    ///
    /// # Errors
    /// As for [`DynLayout::get`], or if the element type is narrower than a byte and `value` does not fit it.
    ///
    /// # Panics
    /// If `index` is out of bounds, as slice indexing does.
    #[track_caller]
    fn set<E: Element>(
        &self,
        packed: &mut [u8],
        index: &[usize],
        value: E::Host,
    ) -> Result<(), PackError>;

    /// Writes the window of shape `shape` that starts at index `first` of a packed array, from a row-major array of that shape,
    /// given as bytes. Nothing else in `packed` changes, not even padding.
    ///
    /// ```
    /// use tensor_layout::{DynLayout, TiledSpec};
    /// let spec: TiledSpec = "s8[3,5]{1,0:T(2,2)}".parse().unwrap();
    /// let mut packed = vec![0; spec.bytes()];
    /// spec.pack_window_bytes(&[1, 2], &[2, 2], &[1, 2, 3, 4], &mut packed).unwrap();
    /// let mut row = [0; 3];
    /// spec.unpack_window_bytes(&[2, 1], &[1, 3], &packed, &mut row).unwrap();
    /// assert_eq!(row, [0, 3, 4]);
    /// ```
    ///
    /// # Errors
    /// As for [`DynLayout::pack_bytes`], or if the window is not within the array; `packed` is then unchanged.
    fn pack_window_bytes(
        &self,
        first: &[usize],
        shape: &[usize],
        row_major: &[u8],
        packed: &mut [u8],
    ) -> Result<(), PackError>;

    /// Reads the window of shape `shape` that starts at index `first` of a packed array into a row-major array of that shape,
    /// given as bytes.
    ///
    /// # Errors
    /// As for [`DynLayout::unpack_bytes`], or if the window is not within the array; `row_major` is then unchanged.
    fn unpack_window_bytes(
        &self,
        first: &[usize],
        shape: &[usize],
        packed: &[u8],
        row_major: &mut [u8],
    ) -> Result<(), PackError>;

    /// Moves a window, given as its first index and its shape, of the packed array `from`, in this layout, to the same indices
    /// of the packed array `to`, in the layout `destination`. Nothing else in `to` changes, not even padding.
    ///
    /// # Errors
    /// As for [`DynLayout::relayout_bytes`], or if the window is not within the array; `to` is then unchanged.
    fn relayout_window_bytes(
        &self,
        window: (&[usize], &[usize]),
        from: &[u8],
        destination: &Self,
        to: &mut [u8],
    ) -> Result<(), PackError>;
}

impl sealed::Sealed for TiledSpec {}

impl DynLayout for TiledSpec {
    fn pack<E: Element>(&self, row_major: &[E::Host]) -> Result<Vec<u8>, PackError> {
        check_type::<E>(self)?;
        check_elements(self, row_major.len())?;
        let mut packed = allocate(self, self.storage_bytes())?;
        pack::<E>(self, row_major, &mut packed)?;
        Ok(packed)
    }

    fn unpack<E: Element>(&self, packed: &[u8]) -> Result<Vec<E::Host>, PackError> {
        check_type::<E>(self)?;
        check_layout(self)?;
        check_packed(self, packed.len())?;
        let mut row_major = allocate(self, self.elements())?;
        unpack::<E>(self, packed, &mut row_major)?;
        Ok(row_major)
    }

    fn pack_bytes(&self, row_major: &[u8], packed: &mut [u8]) -> Result<(), PackError> {
        pack_values(self, Values::Bytes(row_major), packed)
    }

    fn pack_strided_bytes(&self, values: Strided<'_>, packed: &mut [u8]) -> Result<(), PackError> {
        strided::pack(self, values, packed)
    }

    fn unpack_bytes(&self, packed: &[u8], row_major: &mut [u8]) -> Result<(), PackError> {
        let map = transfer::row_major(self);
        transfer::unpack(self, (&transfer::plan(self.map(), &map)).into(), packed, row_major)
    }

    fn relayout_bytes(
        &self,
        from: &[u8],
        destination: &Self,
        to: &mut [u8],
    ) -> Result<(), PackError> {
        check_shape(self, destination)?;
        let plan = transfer::plan(self.map(), destination.map());
        transfer::relayout((&plan).into(), (self, from), (destination, to))
    }

    #[track_caller]
    fn get<E: Element>(&self, packed: &[u8], index: &[usize]) -> Result<E::Host, PackError> {
        check_access::<E>(self, packed)?;
        Ok(element::get::<E>(packed, self.stored_bits(), self.offset(index)))
    }

    #[track_caller]
    fn set<E: Element>(
        &self,
        packed: &mut [u8],
        index: &[usize],
        value: E::Host,
    ) -> Result<(), PackError> {
        check_access::<E>(self, packed)?;
        element::set::<E>(packed, self.stored_bits(), self.offset(index), value)
            .map_err(|byte| element::misfit(self, index, byte))
    }

    fn pack_window_bytes(
        &self,
        first: &[usize],
        shape: &[usize],
        row_major: &[u8],
        packed: &mut [u8],
    ) -> Result<(), PackError> {
        window::pack(self, (first, shape), row_major, packed)
    }

    fn unpack_window_bytes(
        &self,
        first: &[usize],
        shape: &[usize],
        packed: &[u8],
        row_major: &mut [u8],
    ) -> Result<(), PackError> {
        window::unpack(self, (first, shape), packed, row_major)
    }

    fn relayout_window_bytes(
        &self,
        window: (&[usize], &[usize]),
        from: &[u8],
        destination: &Self,
        to: &mut [u8],
    ) -> Result<(), PackError> {
        window::relayout(self, window, from, destination, to)
    }
}

/// Checks that the other layout has the same shape and element type.
pub(crate) fn check_shape(spec: &TiledSpec, destination: &TiledSpec) -> Result<(), PackError> {
    if spec.dtype() == destination.dtype() && spec.dims() == destination.dims() {
        return Ok(());
    }
    let (source_layout, destination) = ((*spec).into(), (*destination).into());
    Err(PackError::Shape { source_layout, destination })
}

fn check_access<E: Element>(spec: &TiledSpec, packed: &[u8]) -> Result<(), PackError> {
    check_type::<E>(spec)?;
    check_layout(spec)?;
    check_packed(spec, packed.len())
}

/// Zeroed memory for an array of the layout.
pub(crate) fn allocate<T: HostValue>(spec: &TiledSpec, len: usize) -> Result<Vec<T>, PackError> {
    zeroed(len).ok_or_else(|| PackError::OutOfMemory {
        bytes: len.saturating_mul(size_of::<T>()),
        layout: (*spec).into(),
    })
}

pub(crate) fn check_type<E: Element>(spec: &TiledSpec) -> Result<(), PackError> {
    if spec.dtype() == E::DTYPE {
        return Ok(());
    }
    Err(PackError::ElementType { actual: E::DTYPE, layout: (*spec).into() })
}
