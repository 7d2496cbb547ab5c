use super::entry::{self, Const, assert_transposed};
use super::packed::{Packed, or_end};
use crate::movement::element;
use crate::movement::error::PackError;
use crate::movement::transfer::{check_layout, check_packed};
use crate::typed::forward::forward;
use crate::typed::same::{SameElement, SameShape, assert_reshape};
use crate::typed::sizes::{SizesOf, bounds};
use crate::typed::{Host, Layout};
use alloc::vec::Vec;
use core::marker::PhantomData;
use layout_core::dtype::{DType, Kind};

/// A view of bytes as a packed array of the layout `L`.
///
/// ```
/// use tensor_layout::{PackedRef, tiled};
/// type Nibbles = tiled!(s4[3]{0:E(4)});
/// let view = PackedRef::<Nibbles>::new(&[0xF1, 0x07]).unwrap();
/// assert_eq!(view.unpack(), [1, -1, 7]);
/// ```
///
/// Any bytes are valid. For `pred`, every stored value except 0 is true. For other types that are narrower than their storage,
/// only the low bits count, both when elements are read and when they are moved.
pub struct PackedRef<'a, L: Layout> {
    bytes: &'a [u8],
    sizes: SizesOf<L>,
    layout: PhantomData<fn() -> L>,
}

/// A mutable view of bytes as a packed array of the layout `L`.
///
/// ```
/// use tensor_layout::{PackedMut, tiled};
/// let mut bytes = [0; 8];
/// let mut view = PackedMut::<tiled!(s8[2,3]{1,0:T(2,2)})>::new(&mut bytes)?;
/// view.set([1, 2], 5)?;
/// assert_eq!(bytes, [0, 0, 0, 0, 0, 0, 5, 0]);
/// # Ok::<(), tensor_layout::PackError>(())
/// ```
pub struct PackedMut<'a, L: Layout> {
    bytes: &'a mut [u8],
    sizes: SizesOf<L>,
    layout: PhantomData<fn() -> L>,
}

impl<'a, L: Layout> PackedRef<'a, L> {
    /// A view of `bytes`.
    ///
    /// # Errors
    /// If `bytes` does not have the length of the layout or the alignment of an element, or if the layout splits the
    /// array between memories.
    #[doc(alias = "from_bytes")]
    pub fn new(bytes: &'a [u8]) -> Result<Self, PackError> {
        check::<L>(bytes)?;
        Ok(Self::checked(bytes))
    }

    /// Views bytes that have been checked.
    pub(crate) fn checked(bytes: &'a [u8]) -> Self {
        Self::sized(bytes, bounds::<L>())
    }

    /// Views bytes and sizes that have been checked.
    pub(crate) fn sized(bytes: &'a [u8], sizes: SizesOf<L>) -> Self {
        Self { bytes, sizes, layout: PhantomData }
    }

    pub(super) fn stored_sizes(&self) -> &SizesOf<L> {
        &self.sizes
    }

    /// The stored bytes, padding included.
    pub fn as_bytes(self) -> &'a [u8] {
        self.bytes
    }

    /// The element at `index`.
    ///
    /// # Panics
    /// If `index` is out of bounds, as slice indexing does.
    #[inline]
    #[track_caller]
    pub fn get(self, index: L::Index) -> Host<L> {
        self.check(&index);
        element::get::<<L as Layout>::Element>(self.bytes, stored_bits::<L>(), L::offset(index))
    }

    /// The elements in row-major order.
    ///
    /// # Panics
    /// If memory cannot be allocated, as collections do; see [`PackedRef::try_unpack`].
    pub fn unpack(self) -> Vec<Host<L>> {
        or_end(self.try_unpack())
    }

    /// [`PackedRef::unpack`] that returns an error if memory cannot be allocated.
    ///
    /// # Errors
    /// [`PackError::OutOfMemory`] if memory for the elements cannot be allocated.
    pub fn try_unpack(self) -> Result<Vec<Host<L>>, PackError> {
        let len = self.sizes().iter().product();
        let mut row_major = entry::row_major::<L>(len)?;
        self.unpack_into(&mut row_major)?;
        Ok(row_major)
    }

    /// Writes the elements to `row_major`, in row-major order.
    ///
    /// # Errors
    /// If `row_major` does not have one value for each element.
    pub fn unpack_into(self, row_major: &mut [Host<L>]) -> Result<(), PackError> {
        if self.is_whole() {
            L::unpack_into(self.bytes, row_major)
        } else {
            self.unpack_window(L::Index::default(), self.dims(), row_major)
        }
    }

    /// The same array in the layout `ResultLayout`.
    ///
    /// # Panics
    /// If a dimension that is bounded only in this layout is shorter than its bound. If memory cannot be allocated, as
    /// collections do; see [`PackedRef::try_relayout`].
    pub fn relayout<ResultLayout>(self) -> Packed<ResultLayout>
    where
        ResultLayout: Layout<
                Element: SameElement<<L as Layout>::Element>,
                Shape: SameShape<<L as Layout>::Shape>,
            >,
    {
        or_end(self.try_relayout())
    }

    /// [`PackedRef::relayout`] that returns an error if memory cannot be allocated.
    ///
    /// # Errors
    /// [`PackError::OutOfMemory`] if memory for the new array cannot be allocated.
    ///
    /// # Panics
    /// If a dimension that is bounded only in this layout is shorter than its bound.
    pub fn try_relayout<ResultLayout>(self) -> Result<Packed<ResultLayout>, PackError>
    where
        ResultLayout: Layout<
                Element: SameElement<<L as Layout>::Element>,
                Shape: SameShape<<L as Layout>::Shape>,
            >,
    {
        let mut packed = Packed::try_fresh()?;
        entry::relayout::<L, ResultLayout>(self.bytes, packed.as_bytes_mut())?;
        Ok(packed.sized(self.sizes()))
    }

    /// The same bytes as an array of the layout `ResultLayout`, of any shape. Does not compile unless the elements of both layouts,
    /// taken in row-major order, have the same offsets; see [`assert_same_bytes`].
    ///
    /// ```
    /// use tensor_layout::{Layout, tiled};
    /// type Rows = tiled!(f32[16,128]{1,0:T(8,128)});
    /// type Blocks = tiled!(f32[2,8,128]{2,1,0:T(8,128)});
    /// let rows = Rows::pack(&(0..2048).map(|n| n as f32).collect::<Vec<_>>()).unwrap();
    /// assert_eq!(rows.as_ref().reshape::<Blocks>().get([1, 2, 3]), rows.get([10, 3]));
    /// ```
    ///
    /// ```compile_fail
    /// # use tensor_layout::{Layout, tiled};
    /// type Rows = tiled!(f32[16,100]{1,0:T(8,128)});
    /// type Flat = tiled!(f32[1600]{0:T(1024)}); // the rows are padded, this is not
    /// Rows::pack(&[0.0; 1600]).unwrap().as_ref().reshape::<Flat>();
    /// ```
    ///
    /// [`assert_same_bytes`]: crate::assert_same_bytes
    ///
    /// # Panics
    /// If a bounded dimension is shorter than its bound.
    #[track_caller]
    pub fn reshape<ResultLayout>(self) -> PackedRef<'a, ResultLayout>
    where
        ResultLayout: Layout<Element: SameElement<<L as Layout>::Element>>,
    {
        const { assert_reshape::<L, ResultLayout>() };
        assert!(self.is_whole(), "an array that is shorter than its bound is not reshaped");
        PackedRef::checked(self.bytes)
    }

    /// A copy of the array.
    pub(crate) fn try_to_packed(self) -> Result<Packed<L>, PackError> {
        let mut packed = Packed::try_fresh()?;
        packed.as_bytes_mut().copy_from_slice(self.bytes);
        Ok(packed.sized(self.sizes()))
    }

    /// The transposed array, with all dimensions in reverse order, in the layout `ResultLayout`.
    ///
    /// ```
    /// use tensor_layout::{Layout, tiled};
    /// type Rows = tiled!(f32[3,5]{1,0:T(2,2)});
    /// type Turned = tiled!(f32[5,3]{1,0:T(2,2)});
    /// let rows = Rows::pack(&(0..15).map(|n| n as f32).collect::<Vec<_>>()).unwrap();
    /// let turned = rows.as_ref().transpose::<Turned>();
    /// assert_eq!(turned.get([3, 2]), rows.get([2, 3]));
    /// ```
    ///
    /// Does not compile unless the shape of `ResultLayout` is the shape of `L` in reverse order:
    /// ```compile_fail
    /// # use tensor_layout::{Layout, tiled};
    /// type Rows = tiled!(f32[3,5]);
    /// Rows::pack(&[0.0; 15]).unwrap().as_ref().transpose::<Rows>();
    /// ```
    ///
    /// # Panics
    /// If a dimension that is bounded only in this layout is shorter than its bound. If memory cannot be allocated, as
    /// collections do; see [`PackedRef::try_transpose`].
    pub fn transpose<ResultLayout>(self) -> Packed<ResultLayout>
    where
        ResultLayout: Layout<Element: SameElement<<L as Layout>::Element>>,
    {
        const { assert_transposed::<L, ResultLayout>() };
        or_end(self.turned())
    }

    /// [`PackedRef::transpose`] that returns an error if memory cannot be allocated.
    ///
    /// # Errors
    /// [`PackError::OutOfMemory`] if memory for the new array cannot be allocated.
    ///
    /// # Panics
    /// If a dimension that is bounded only in this layout is shorter than its bound.
    pub fn try_transpose<ResultLayout>(self) -> Result<Packed<ResultLayout>, PackError>
    where
        ResultLayout: Layout<Element: SameElement<<L as Layout>::Element>>,
    {
        const { assert_transposed::<L, ResultLayout>() };
        self.turned()
    }

    /// The transposed array. Callers check the shapes, so that an error is at the line that calls them.
    pub(super) fn turned<M>(self) -> Result<Packed<M>, PackError>
    where
        M: Layout<Element: SameElement<<L as Layout>::Element>>,
    {
        let mut packed = Packed::try_fresh()?;
        entry::transpose::<L, M>(self.bytes, packed.as_bytes_mut())?;
        let mut sizes = self.dims();
        sizes.as_mut().reverse();
        Ok(packed.sized(sizes.as_ref()))
    }
}

impl<'a, L: Layout> PackedMut<'a, L> {
    /// A mutable view of `bytes`.
    ///
    /// # Errors
    /// As for [`PackedRef::new`].
    #[doc(alias = "from_bytes")]
    pub fn new(bytes: &'a mut [u8]) -> Result<Self, PackError> {
        check::<L>(bytes)?;
        Ok(Self::checked(bytes))
    }

    /// Views bytes that have been checked.
    pub(crate) fn checked(bytes: &'a mut [u8]) -> Self {
        Self::sized(bytes, bounds::<L>())
    }

    /// Views bytes and sizes that have been checked.
    pub(crate) fn sized(bytes: &'a mut [u8], sizes: SizesOf<L>) -> Self {
        Self { bytes, sizes, layout: PhantomData }
    }

    /// The same view for a shorter time.
    pub(crate) fn reborrow(&mut self) -> PackedMut<'_, L> {
        PackedMut::sized(self.bytes, self.sizes)
    }

    pub(crate) fn into_bytes(self) -> &'a mut [u8] {
        self.bytes
    }

    /// The array as a read-only view.
    pub fn as_ref(&self) -> PackedRef<'_, L> {
        PackedRef::sized(self.bytes, self.sizes)
    }

    /// The stored bytes, padding included.
    pub fn as_bytes(&self) -> &[u8] {
        self.bytes
    }

    /// The stored bytes, padding included, as a mutable slice.
    pub fn as_bytes_mut(&mut self) -> &mut [u8] {
        self.bytes
    }

    forward! {
        /// The element at `index`.
        #[inline]
        #[track_caller]
        PackedRef::get(index: L::Index) -> Host<L>;
    }

    /// Writes the element at `index`.
    ///
    /// # Errors
    /// If the element type is narrower than a byte and `value` does not fit it.
    ///
    /// # Panics
    /// If `index` is out of bounds, as slice indexing does.
    #[inline]
    #[track_caller]
    pub fn set(&mut self, index: L::Index, value: Host<L>) -> Result<(), PackError> {
        self.as_ref().check(&index);
        let (bits, offset) = (stored_bits::<L>(), L::offset(index));
        element::set::<<L as Layout>::Element>(self.bytes, bits, offset, value)
            .map_err(|byte| element::misfit(Const::<L>::SPEC, index.as_ref(), byte))
    }

    forward! {
        /// The elements in row-major order.
        PackedRef::unpack() -> Vec<Host<L>>;

        /// [`PackedMut::unpack`] that returns an error if memory cannot be allocated.
        PackedRef::try_unpack() -> Result<Vec<Host<L>>, PackError>;

        /// Writes the elements to `row_major`, in row-major order.
        PackedRef::unpack_into(row_major: &mut [Host<L>]) -> Result<(), PackError>;
    }
}

const fn stored_bits<L: Layout>() -> usize {
    const { Const::<L>::SPEC.stored_bits() }
}

/// Checks that `bytes` can be an array of the layout.
fn check<L: Layout>(bytes: &[u8]) -> Result<(), PackError> {
    let spec = Const::<L>::SPEC;
    check_layout(spec)?;
    check_packed(spec, bytes.len())?;
    let align = alignment(spec.dtype(), spec.stored_bits());
    match bytes.as_ptr().addr() % align {
        0 => Ok(()),
        past => Err(PackError::Misaligned { past, align, dtype: spec.dtype() }),
    }
}

/// The alignment of an element in bytes: its size, or that of one part of a complex number.
const fn alignment(dtype: DType, stored_bits: usize) -> usize {
    match (stored_bits, dtype.kind()) {
        (..8, _) => 1,
        (bits, Kind::Complex) => bits / 16,
        (bits, _) => bits / 8,
    }
}

impl<L: Layout> Clone for PackedRef<'_, L> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<L: Layout> Copy for PackedRef<'_, L> {}

/// Compares the bits of the elements; padding may differ.
impl<L: Layout> PartialEq for PackedRef<'_, L> {
    fn eq(&self, other: &Self) -> bool {
        let element = |view: &Self, at| {
            element::load_host(view.bytes, <L as Layout>::SPEC.dtype(), stored_bits::<L>(), at)
        };
        let counts = |index: L::Index| index.as_ref().iter().zip(self.sizes()).all(|(i, n)| i < n);
        let same = |at| element(self, at) == element(other, at);
        self.sizes() == other.sizes()
            && (0..L::LEN).all(|at| !L::index(at).is_some_and(counts) || same(at))
    }
}

impl<L: Layout> Eq for PackedRef<'_, L> {}
