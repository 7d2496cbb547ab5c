//! Packed arrays whose layout is only known at run time.
#![allow(unsafe_code, reason = "slices of host values are written as bytes")]

use super::packed::{Packed, allocate};
use crate::element::Element;
use crate::movement::error::PackError;
use crate::movement::host::ALIGN;
use crate::movement::run_time::{allocate as allocate_values, check_shape, check_type};
use crate::movement::transfer::check_packed;
use crate::movement::{DynLayout, bytes_of, bytes_of_mut, pack};
use crate::typed::Layout;
use crate::typed::sizes::{allows, rows_in};
use alloc::vec::Vec;
use core::marker::PhantomData;
use layout_core::parts::MAX_RANK;
use layout_core::tiled::TiledSpec;

/// A packed array, aligned to 64 bytes, of elements `E` in a layout that is only known at run time: the twin of [`Packed`],
/// with the same kernels.
///
/// Functions that allocate memory, or that need arrays of the same shape, return an error if they cannot proceed.
///
/// ```
/// use tensor_layout::{BF16, DynPacked, F32, TiledSpec, half::bf16};
/// let rows: TiledSpec = "f32[3,5]{1,0:T(2,2)}".parse()?;
/// let narrow: TiledSpec = "bf16[3,5]{0,1}".parse()?;
/// let values: Vec<f32> = (0..15).map(|n| n as f32).collect();
///
/// let mut packed = DynPacked::<F32>::pack(&rows, &values)?;
/// packed.map_in_place(|x| x * 2.0);
/// let rounded: DynPacked<BF16> = packed.convert(&narrow, bf16::from_f32)?;
/// assert_eq!(rounded.get(&[2, 3]), bf16::from_f32(26.0));
/// assert_eq!(rounded.sum(&[1])?, [20.0, 70.0, 120.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct DynPacked<E: Element> {
    /// Always one item. A vector, because allocating a box cannot report an error.
    shape: Vec<ShapeOfRunTime>,
    bytes: Vec<u8>,
    /// The index of the first aligned byte, at which the array starts.
    start: usize,
    element: PhantomData<fn() -> E>,
}

#[derive(Clone, Copy)]
struct ShapeOfRunTime {
    spec: TiledSpec,
    sizes: [usize; MAX_RANK],
}

impl<E: Element> DynPacked<E> {
    /// The alignment of the array in bytes.
    pub const ALIGN: usize = ALIGN;

    /// An array whose bytes are all zero.
    ///
    /// # Errors
    /// If memory cannot be allocated, or if `spec` has another element type or an unbounded dimension, or splits the array
    /// between memories.
    pub fn zeroed(spec: &TiledSpec) -> Result<Self, PackError> {
        check_type::<E>(spec)?;
        let (bytes, start) = allocate(spec, spec.storage_bytes())?;
        let mut sizes = [0; MAX_RANK];
        sizes[..spec.rank()].copy_from_slice(spec.dims());
        Self::of(ShapeOfRunTime { spec: *spec, sizes }, bytes, start)
    }

    fn of(shape: ShapeOfRunTime, bytes: Vec<u8>, start: usize) -> Result<Self, PackError> {
        let mut one = Vec::new();
        if one.try_reserve_exact(1).is_err() {
            let bytes = size_of::<ShapeOfRunTime>();
            return Err(PackError::OutOfMemory { bytes, layout: shape.spec.into() });
        }
        one.push(shape);
        Ok(Self { shape: one, bytes, start, element: PhantomData })
    }

    /// Packs a row-major array.
    ///
    /// # Errors
    /// If `row_major` does not have one value for each element, if a value does not fit the element type, and as for
    /// [`DynPacked::zeroed`].
    pub fn pack(spec: &TiledSpec, row_major: &[E::Host]) -> Result<Self, PackError> {
        let mut packed = Self::zeroed(spec)?;
        pack::<E>(spec, row_major, packed.as_bytes_mut())?;
        Ok(packed)
    }

    /// A copy of the bytes of a packed array.
    ///
    /// # Errors
    /// If `bytes` does not have the length of the layout, and as for [`DynPacked::zeroed`].
    pub fn from_bytes(spec: &TiledSpec, bytes: &[u8]) -> Result<Self, PackError> {
        check_packed(spec, bytes.len())?;
        let mut packed = Self::zeroed(spec)?;
        packed.as_bytes_mut().copy_from_slice(bytes);
        Ok(packed)
    }

    /// A copy of the array.
    ///
    /// # Errors
    /// [`PackError::OutOfMemory`] if memory for it cannot be allocated.
    pub fn try_clone(&self) -> Result<Self, PackError> {
        let mut packed = Self::from_bytes(self.spec(), self.as_bytes())?;
        packed.shape[0].sizes = self.shape[0].sizes;
        Ok(packed)
    }

    /// The layout.
    pub fn spec(&self) -> &TiledSpec {
        &self.shape[0].spec
    }

    /// The sizes of the array. The size of a bounded dimension is its current length, not its bound.
    pub fn dims(&self) -> &[usize] {
        let ShapeOfRunTime { spec, sizes } = &self.shape[0];
        &sizes[..spec.rank()]
    }

    /// Changes the length of a bounded dimension, `<=n`; see [`Packed::set_len`].
    ///
    /// # Errors
    /// [`PackError::Window`] if `len` is larger than the bound, or if the dimension is not bounded and `len` is not its size.
    /// The array is then unchanged.
    ///
    /// # Panics
    /// If there is no dimension `dim`.
    #[track_caller]
    pub fn set_len(&mut self, dim: usize, len: usize) -> Result<(), PackError> {
        let spec = self.spec();
        if !allows(spec, dim, len) {
            return Err(PackError::Window { dim, layout: (*spec).into() });
        }
        self.shape[0].sizes[dim] = len;
        Ok(())
    }

    /// Appends row-major rows to dimension 0, which must be bounded; see [`Packed::push_rows`]. Each call plans; a
    /// [`WindowMover`](crate::WindowMover) plans once for all rows.
    ///
    /// ```
    /// use tensor_layout::{BF16, DynPacked, half::bf16};
    /// let mut keys = DynPacked::<BF16>::zeroed(&"bf16[<=4096,64]{1,0:T(8,128)(2,1)}".parse()?)?;
    /// keys.set_len(0, 0)?;
    /// keys.push_rows(&[bf16::ONE; 5 * 64])?;
    /// assert_eq!((keys.dims(), keys.sum(&[0, 1])?), (&[5, 64][..], vec![320.0]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PackError::RowMajorLength`] if `row_major` is not a whole number of rows, [`PackError::Window`] if the rows exceed the
    /// bound, and as for [`DynPacked::pack`]. The array then keeps its size.
    pub fn push_rows(&mut self, row_major: &[E::Host]) -> Result<(), PackError> {
        let ShapeOfRunTime { spec, sizes } = self.shape[0];
        let rank = spec.rank();
        let rows = rows_in(&spec, &sizes[..rank], row_major.len())?;
        let (mut first, mut shape) = ([0; MAX_RANK], sizes);
        (first[0], shape[0]) = (sizes[0], rows);
        self.set_len(0, sizes[0].saturating_add(rows))?;
        let (first, shape) = (&first[..rank], &shape[..rank]);
        let result = spec.pack_window_bytes(first, shape, bytes_of(row_major), self.as_bytes_mut());
        if result.is_err() {
            self.shape[0].sizes[0] = sizes[0];
        }
        result
    }

    /// The stored bytes, padding included.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes[self.start..][..self.spec().storage_bytes()]
    }

    /// The stored bytes, padding included, as a mutable slice.
    pub fn as_bytes_mut(&mut self) -> &mut [u8] {
        let len = self.spec().storage_bytes();
        &mut self.bytes[self.start..][..len]
    }

    /// The layout, and the stored bytes as a mutable slice.
    pub(crate) fn parts_mut(&mut self) -> (&TiledSpec, &mut [u8]) {
        let spec = &self.shape[0].spec;
        (spec, &mut self.bytes[self.start..][..spec.storage_bytes()])
    }

    /// The elements in row-major order.
    ///
    /// # Errors
    /// [`PackError::OutOfMemory`] if memory for them cannot be allocated.
    pub fn unpack(&self) -> Result<Vec<E::Host>, PackError> {
        let (spec, first) = (self.spec(), [0; MAX_RANK]);
        let mut row_major = allocate_values(spec, self.dims().iter().product())?;
        // SAFETY: unpacking leaves 0 or 1 in each byte of a `bool` that it has written to.
        let bytes = unsafe { bytes_of_mut(&mut row_major) };
        if self.dims() == spec.dims() {
            spec.unpack_bytes(self.as_bytes(), bytes)?;
        } else {
            spec.unpack_window_bytes(&first[..spec.rank()], self.dims(), self.as_bytes(), bytes)?;
        }
        Ok(row_major)
    }

    /// The same array in the layout `spec`.
    ///
    /// # Errors
    /// If the layouts differ in shape or element type, if a dimension that is bounded only in this layout is shorter than its
    /// bound, and as for [`DynPacked::zeroed`].
    pub fn relayout(&self, spec: &TiledSpec) -> Result<Self, PackError> {
        check_shape(self.spec(), spec)?;
        let mut packed = Self::zeroed(spec)?;
        packed.set_dims(self.dims())?;
        self.spec().relayout_bytes(self.as_bytes(), spec, packed.as_bytes_mut())?;
        Ok(packed)
    }

    /// Sets the sizes of a new array to the sizes of its source.
    pub(crate) fn set_dims(&mut self, sizes: &[usize]) -> Result<(), PackError> {
        sizes.iter().enumerate().try_for_each(|(dim, size)| self.set_len(dim, *size))
    }

    /// Panics if `index` is past the run-time sizes. The sizes of the layout are checked when the offset is computed.
    #[track_caller]
    fn check(&self, index: &[usize]) {
        let inside = index.iter().zip(self.dims()).all(|(i, size)| i < size);
        assert!(inside, "index {index:?} is out of bounds: the sizes are {:?}", self.dims());
    }

    /// The array as a [`Packed`] array of the layout `L`, in the same memory.
    ///
    /// # Errors
    /// Returns the array itself if its layout is not `L`.
    pub fn into_packed<L: Layout<Element = E>>(self) -> Result<Packed<L>, Self> {
        if *self.spec() != <L as Layout>::SPEC {
            return Err(self);
        }
        Ok(Packed::of_parts(self.bytes, self.start).sized(&self.shape[0].sizes[..L::RANK]))
    }

    /// The element at `index`.
    ///
    /// # Panics
    /// If `index` is out of bounds, as slice indexing does.
    #[track_caller]
    pub fn get(&self, index: &[usize]) -> E::Host {
        self.check(index);
        let value = self.spec().get::<E>(self.as_bytes(), index);
        value.expect("the type and the length were checked when the array was made")
    }

    /// Writes the element at `index`.
    ///
    /// # Errors
    /// If the element type is narrower than a byte and `value` does not fit it.
    ///
    /// # Panics
    /// If `index` is out of bounds, as slice indexing does.
    #[track_caller]
    pub fn set(&mut self, index: &[usize], value: E::Host) -> Result<(), PackError> {
        self.check(index);
        let (spec, bytes) = self.parts_mut();
        spec.set::<E>(bytes, index, value)
    }
}

impl<L: Layout> Packed<L> {
    /// The array as a [`DynPacked`] array, whose layout is a value, in the same memory.
    ///
    /// ```
    /// use tensor_layout::{Layout, TiledSpec, tiled};
    /// type Rows = tiled!(f32[3,5]{1,0:T(2,2)});
    /// let columns: TiledSpec = "f32[3,5]{0,1}".parse()?;
    /// let packed = Rows::pack(&[1.0; 15])?.into_dyn()?.relayout(&columns)?;
    /// assert!(packed.into_packed::<tiled!(f32[3,5]{0,1})>().is_ok());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PackError::OutOfMemory`] if memory for the layout cannot be allocated.
    pub fn into_dyn(self) -> Result<DynPacked<<L as Layout>::Element>, PackError> {
        let mut sizes = [0; MAX_RANK];
        sizes[..L::RANK].copy_from_slice(self.as_ref().sizes());
        let (bytes, start) = self.into_parts();
        DynPacked::of(ShapeOfRunTime { spec: <L as Layout>::SPEC, sizes }, bytes, start)
    }
}
