use super::entry::{self, Const, assert_transposed};
use super::view::{PackedMut, PackedRef};
use crate::movement::error::PackError;
use crate::movement::host::{ALIGN, aligned};
use crate::movement::transfer::{check_layout, check_packed};
use crate::require::require;
use crate::typed::forward::forward;
use crate::typed::same::{SameElement, SameShape, assert_reshape};
use crate::typed::sizes::{SizesOf, bounds};
use crate::typed::{Host, Layout, RowMajor};
use alloc::alloc::handle_alloc_error;
use alloc::vec::Vec;
use core::marker::PhantomData;
use layout_core::tiled::TiledSpec;

/// A packed array of the layout `L`, aligned to 64 bytes. On Linux, the memory of arrays of 4 MiB or more has huge pages if the system
/// grants them.
///
/// ```
/// use tensor_layout::{Layout, tiled};
/// type Rows = tiled!(f32[3,5]{1,0:T(2,2)});
/// type Columns = tiled!(f32[3,5]{0,1});
///
/// let row_major: Vec<f32> = (0..15).map(|n| n as f32).collect();
/// let mut rows = Rows::pack(&row_major).unwrap();
/// assert_eq!(rows.as_bytes().len(), Rows::BYTES);
/// assert_eq!(rows.get([2, 3]), 13.0);
/// rows.set([2, 3], 0.5).unwrap();
///
/// let columns = rows.relayout::<Columns>();
/// assert_eq!(columns.get([2, 3]), 0.5);
/// assert_eq!(columns.unpack()[..6], [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]);
/// ```
/// `relayout` moves each element from its offset in `Rows` to that in `Columns`:
///
#[cfg_attr(doc, doc = layout_macros::__pictures!("f32[3,5]{1,0:T(2,2)}" => "f32[3,5]{0,1}"))]
pub struct Packed<L: Layout /* tpu!(f32[8,128]) */> {
    bytes: Vec<u8>,
    /// The index of the first aligned byte, at which the array starts.
    start: usize,
    pub(super) sizes: SizesOf<L>,
    layout: PhantomData<fn() -> L>,
}

impl<L: Layout> Packed<L> {
    /// The alignment of the array in bytes.
    pub const ALIGN: usize = ALIGN;

    /// An array whose bytes are all zero.
    ///
    /// # Errors
    /// If memory cannot be allocated, or if the layout splits the array between memories.
    pub fn zeroed() -> Result<Self, PackError> {
        let (bytes, start) = entry::zeroed::<L>()?;
        Ok(Self::of_parts(bytes, start))
    }

    /// A copy of the bytes of a packed array.
    ///
    /// # Errors
    /// If `bytes` does not have the length of the layout, and as for [`Packed::zeroed`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, PackError> {
        check_packed(Const::<L>::SPEC, bytes.len())?;
        let mut packed = Self::zeroed()?;
        packed.as_bytes_mut().copy_from_slice(bytes);
        Ok(packed)
    }

    /// Packs a row-major array: [`Layout::pack`] for use if the layout follows from the context.
    ///
    /// ```
    /// use tensor_layout::{Packed, tiled};
    /// let packed: Packed<tiled!(f32[2,3]{0,1})> = Packed::pack(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0])?;
    /// assert_eq!(packed.get([1, 0]), 4.0);
    /// # Ok::<(), tensor_layout::PackError>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Layout::pack`].
    pub fn pack(row_major: &(impl RowMajor<Host<L>> + ?Sized)) -> Result<Self, PackError> {
        L::pack(row_major.row_major())
    }

    /// The stored bytes, padding included.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes[self.start..][..L::BYTES]
    }

    /// The stored bytes, padding included, as a mutable slice.
    pub fn as_bytes_mut(&mut self) -> &mut [u8] {
        &mut self.bytes[self.start..][..L::BYTES]
    }

    /// The array as a view.
    pub fn as_ref(&self) -> PackedRef<'_, L> {
        PackedRef::sized(self.as_bytes(), self.sizes)
    }

    /// The array as a mutable view.
    pub fn as_mut(&mut self) -> PackedMut<'_, L> {
        let bytes = &mut self.bytes[self.start..][..L::BYTES];
        PackedMut::sized(bytes, self.sizes)
    }

    /// A copy of the array. Unlike [`Clone`], it returns an error if memory cannot be allocated.
    ///
    /// # Errors
    /// [`PackError::OutOfMemory`] if memory for the copy cannot be allocated.
    pub fn try_clone(&self) -> Result<Self, PackError> {
        self.as_ref().try_to_packed()
    }

    forward! {
        /// The elements in row-major order.
        PackedRef::unpack() -> Vec<Host<L>>;

        /// [`Packed::unpack`] that returns an error if memory cannot be allocated.
        PackedRef::try_unpack() -> Result<Vec<Host<L>>, PackError>;

        /// The element at `index`.
        #[inline]
        #[track_caller]
        PackedRef::get(index: L::Index) -> Host<L>; // x.get([i, j])

        /// Writes the element at `index`.
        #[inline]
        #[track_caller]
        PackedMut::set(index: L::Index, value: Host<L>) -> Result<(), PackError>; // x.set([i, j], value)?
    }

    /// The same array in the layout `ResultLayout`.
    ///
    /// Takes one pass over the bytes of both arrays, and memory for those of `ResultLayout`. rustc has made the plan.
    ///
    /// # Panics
    /// If a dimension that is bounded only in this layout is shorter than its bound. If memory cannot be allocated, as
    /// collections do; see [`Packed::try_relayout`].
    pub fn relayout<ResultLayout>(&self) -> Packed<ResultLayout>
    where
        ResultLayout: Layout<
                Element: SameElement<<L as Layout>::Element>,
                Shape: SameShape<<L as Layout>::Shape>,
            >,
    {
        self.as_ref().relayout()
    }

    /// [`Packed::relayout`] that returns an error if memory cannot be allocated.
    ///
    /// # Errors
    /// [`PackError::OutOfMemory`] if memory for the new array cannot be allocated.
    ///
    /// # Panics
    /// If a dimension that is bounded only in this layout is shorter than its bound.
    pub fn try_relayout<ResultLayout>(&self) -> Result<Packed<ResultLayout>, PackError>
    where
        ResultLayout: Layout<
                Element: SameElement<<L as Layout>::Element>,
                Shape: SameShape<<L as Layout>::Shape>,
            >,
    {
        self.as_ref().try_relayout()
    }

    /// The same memory as an array of the layout `ResultLayout`, of any shape; see [`PackedRef::reshape`].
    ///
    /// ```
    /// use tensor_layout::{Layout, tiled};
    /// type Rows = tiled!(f32[16,128]{1,0:T(8,128)});
    /// type Blocks = tiled!(f32[2,8,128]{2,1,0:T(8,128)});
    /// let blocks = Rows::pack(&[1.0; 2048]).unwrap().reshape::<Blocks>();
    /// assert_eq!(blocks.sum(&[0, 1]), [16.0; 128]);
    /// ```
    ///
    /// Copies nothing. rustc checks that the bytes are the same.
    ///
    /// # Panics
    /// If a bounded dimension is shorter than its bound.
    #[track_caller]
    pub fn reshape<ResultLayout>(self /* x.reshape::<L>() */) -> Packed<ResultLayout>
    where
        ResultLayout: Layout<Element: SameElement<<L as Layout>::Element>>,
    {
        const { assert_reshape::<L, ResultLayout>() };
        assert!(
            self.as_ref().is_whole(),
            "an array that is shorter than its bound is not reshaped"
        );
        let sizes = bounds::<ResultLayout>();
        Packed { bytes: self.bytes, start: self.start, sizes, layout: PhantomData }
    }

    /// The transposed array, with all dimensions in reverse order, in the layout `ResultLayout`; see [`PackedRef::transpose`].
    ///
    /// Takes one pass over the bytes of both arrays, and memory for those of `ResultLayout`.
    ///
    /// # Panics
    /// If a dimension that is bounded only in this layout is shorter than its bound. If memory cannot be allocated, as
    /// collections do; see [`Packed::try_transpose`].
    pub fn transpose<ResultLayout>(&self) -> Packed<ResultLayout>
    where
        ResultLayout: Layout<Element: SameElement<<L as Layout>::Element>>,
    {
        const { assert_transposed::<L, ResultLayout>() };
        or_end(self.as_ref().turned())
    }

    /// [`Packed::transpose`] that returns an error if memory cannot be allocated.
    ///
    /// # Errors
    /// [`PackError::OutOfMemory`] if memory for the new array cannot be allocated.
    ///
    /// # Panics
    /// If a dimension that is bounded only in this layout is shorter than its bound.
    pub fn try_transpose<ResultLayout>(&self) -> Result<Packed<ResultLayout>, PackError>
    where
        ResultLayout: Layout<Element: SameElement<<L as Layout>::Element>>,
    {
        const { assert_transposed::<L, ResultLayout>() };
        self.as_ref().turned()
    }

    /// The memory of the array, and the index of its first aligned byte.
    pub(crate) fn into_parts(self) -> (Vec<u8>, usize) {
        (self.bytes, self.start)
    }

    /// The array of such parts.
    pub(super) fn of_parts(bytes: Vec<u8>, start: usize) -> Self {
        Self { bytes, start, sizes: bounds::<L>(), layout: PhantomData }
    }

    /// An array of zero bytes, for functions that fail only if memory cannot be allocated.
    pub(crate) fn try_fresh() -> Result<Self, PackError> {
        const {
            require(
                <L as Layout>::SPEC.splits().is_empty(),
                "a layout that splits the array between memories cannot be packed in one",
            );
        }
        Self::zeroed()
    }
}

/// Allocates memory for an array of a layout. Also returns the index of its first aligned byte.
pub(super) fn allocate(spec: &TiledSpec, bytes: usize) -> Result<(Vec<u8>, usize), PackError> {
    check_layout(spec)?;
    aligned(bytes).ok_or_else(|| PackError::OutOfMemory { bytes, layout: (*spec).into() })
}

/// The value of a result whose only error is that memory cannot be allocated; in that case the program ends, as it does for
/// collections.
pub(crate) fn or_end<T>(result: Result<T, PackError>) -> T {
    match result {
        Ok(value) => value,
        Err(PackError::OutOfMemory { bytes, .. }) => {
            match core::alloc::Layout::array::<u8>(bytes) {
                Ok(layout) => handle_alloc_error(layout),
                Err(_) => panic!("capacity overflow"),
            }
        }
        Err(error) => unreachable!("both layouts and lengths were checked: {error}"),
    }
}

impl<L: Layout> Clone for Packed<L> {
    fn clone(&self) -> Self {
        or_end(self.try_clone())
    }
}

/// Compares the bits of the elements; padding may differ.
impl<L: Layout> PartialEq for Packed<L> {
    fn eq(&self, other: &Self) -> bool {
        self.as_ref() == other.as_ref()
    }
}

impl<L: Layout> Eq for Packed<L> {}
