//! Run-time sizes: storage has room for the bound of a bounded dimension, `<=n`, and its length can change at run time.

use super::entry::Const;
use super::packed::Packed;
use super::types::{Sealed, Unknown};
use super::view::{PackedMut, PackedRef};
use crate::movement::PackError;
use crate::typed::forward::forward;
use crate::typed::{Host, Layout, Specified, WithElementOf, WithRankOf};
use layout_core::tiled::TiledSpec;

/// The sizes that an array stores at run time. Everything past them in storage is padding.
pub trait RunTimeSizes: Sealed + Copy + Send + Sync + 'static {
    /// The sizes that the type of an array of shape `S` contains: either `S`, or [`Unknown`](super::types::Unknown).
    #[doc(hidden)]
    type Static<S>;
    /// The sizes of a new array, from those of its layout.
    #[doc(hidden)]
    fn of(dims: &[usize]) -> Self;
    /// The sizes; `None` if they are always the sizes of the layout.
    #[doc(hidden)]
    fn get(&self) -> Option<&[usize]>;
    /// Changes the size of a bounded dimension.
    #[doc(hidden)]
    fn set(&mut self, dim: usize, size: usize);
}

/// The run-time sizes for a layout without bounded dimensions: nothing, since the layout has all sizes.
#[derive(Clone, Copy, Debug)]
pub struct StaticSizes;

/// The run-time sizes for a layout with bounded dimensions: one number for each dimension.
#[derive(Clone, Copy, Debug)]
pub struct DynamicSizes<I>(I);

impl Sealed for StaticSizes {}
impl RunTimeSizes for StaticSizes {
    type Static<S> = S;
    #[inline(always)]
    fn of(_: &[usize]) -> Self {
        Self
    }
    #[inline(always)]
    fn get(&self) -> Option<&[usize]> {
        None
    }
    #[inline(always)]
    fn set(&mut self, _: usize, _: usize) {}
}

impl<I> Sealed for DynamicSizes<I> {}
impl<I: AsRef<[usize]> + AsMut<[usize]> + Copy + Default + Send + Sync + 'static> RunTimeSizes
    for DynamicSizes<I>
{
    type Static<S> = Unknown;
    #[inline(always)]
    fn of(dims: &[usize]) -> Self {
        let mut sizes = I::default();
        sizes.as_mut().copy_from_slice(dims);
        Self(sizes)
    }
    #[inline(always)]
    fn get(&self) -> Option<&[usize]> {
        Some(self.0.as_ref())
    }
    #[inline(always)]
    fn set(&mut self, dim: usize, size: usize) {
        self.0.as_mut()[dim] = size;
    }
}

/// The run-time sizes of arrays of the layout `L`.
pub(crate) type SizesOf<L> = <L as Specified>::RunTimeSizes;

/// The sizes of a new array.
#[inline(always)]
pub(crate) fn bounds<L: Layout>() -> SizesOf<L> {
    // Not the sizes of the spec: the program would then contain the whole spec.
    SizesOf::<L>::of(L::DIMS.as_ref())
}

/// Whether a dimension of the layout is bounded.
pub(crate) const fn is_bounded<L: Layout>() -> bool {
    Const::<L>::SPEC.draft().bounded != 0
}

pub(crate) fn is_bounded_in<L: Layout>(dim: usize) -> bool {
    Const::<L>::SPEC.draft().bounded >> dim & 1 == 1
}

/// Whether dimension `dim` of a layout can have the length `len`.
///
/// # Panics
/// If there is no dimension `dim`.
#[track_caller]
pub(crate) fn allows(spec: &TiledSpec, dim: usize, len: usize) -> bool {
    let bound = spec.dims()[dim];
    len == bound || len < bound && spec.draft().bounded >> dim & 1 == 1
}

/// The number of rows in a row-major array of `len` elements, where a row has the elements with the same index in dimension 0.
///
/// # Errors
/// [`PackError::RowMajorLength`] if the array is not a whole number of rows, and [`PackError::Window`] if a scalar, which has no
/// rows, is to have more.
pub(crate) fn rows_in(spec: &TiledSpec, dims: &[usize], len: usize) -> Result<usize, PackError> {
    if dims.is_empty() {
        return Err(PackError::Window { dim: 0, layout: (*spec).into() });
    }
    let row = dims.iter().skip(1).product::<usize>().max(1);
    if !len.is_multiple_of(row) {
        let (actual, expected) = (len, len / row * row);
        return Err(PackError::RowMajorLength { actual, expected, layout: (*spec).into() });
    }
    Ok(len / row)
}

/// Panics if two arrays of a loop differ in their run-time sizes.
#[track_caller]
pub(crate) fn assert_same_sizes(a: &[usize], b: &[usize]) {
    assert!(a == b, "the arrays differ in size: {a:?} and {b:?}");
}

impl<L: Layout> Packed<L> {
    /// An array of zero bytes with the sizes `sizes`: at most the bound for a bounded dimension, and the size of the layout for
    /// any other.
    ///
    /// ```
    /// use tensor_layout::{Packed, half::bf16, tiled};
    /// type Keys = tiled!(bf16[<=4096,512]{1,0:T(8,128)(2,1)});
    /// let mut keys = Packed::<Keys>::with_sizes([0, 512]).unwrap();
    /// keys.push_rows(&[bf16::ONE; 3 * 512]).unwrap();
    /// assert_eq!((keys.len(0), keys.total()), (3, 1536.0));
    /// keys.set_len(0, 2).unwrap();
    /// assert_eq!((keys.dims(), keys.sum(&[1])), ([2, 512], vec![512.0; 2]));
    /// ```
    ///
    /// # Errors
    /// [`PackError::Window`] if the layout does not allow a size, and as for [`Packed::zeroed`].
    pub fn with_sizes(sizes: L::Index /* [rows, columns] */) -> Result<Self, PackError> {
        let mut packed = Self::zeroed()?;
        for (dim, size) in sizes.as_ref().iter().enumerate() {
            packed.set_len(dim, *size)?;
        }
        Ok(packed)
    }

    forward! {
        /// The sizes of the array. The size of a bounded dimension is its current length, not its bound.
        PackedRef::dims() -> L::Index;

        /// The size of dimension `dim`; for a bounded dimension, its current length.
        #[track_caller]
        PackedRef::len(dim: usize) -> usize; // x.len(0); the number of elements is L::SPEC.elements()
    }

    /// Changes the length of a bounded dimension, `<=n`. No bytes are moved or written: elements that are added to the array have
    /// the values that are in their storage: zeros, or values of earlier elements.
    ///
    /// The storage still has the tiles up to the bound.
    ///
    /// # Errors
    /// [`PackError::Window`] if `len` is larger than the bound, or if the dimension is not bounded and `len` is not its size.
    /// The array is then unchanged.
    ///
    /// # Panics
    /// If there is no dimension `dim`.
    #[track_caller]
    pub fn set_len(&mut self, dim: usize, len: usize) -> Result<(), PackError> {
        if allows(Const::<L>::SPEC, dim, len) {
            self.sizes.set(dim, len);
            return Ok(());
        }
        Err(PackError::Window { dim, layout: (*Const::<L>::SPEC).into() })
    }

    /// Appends row-major rows to dimension 0, which must be bounded. A row consists of all elements with the same index in
    /// dimension 0.
    ///
    /// # Errors
    /// [`PackError::RowMajorLength`] if `row_major` is not a whole number of rows, [`PackError::Window`] if the rows exceed the
    /// bound, and as for [`PackedMut::pack_window`]. The array then keeps its size.
    pub fn push_rows(&mut self, row_major: &[Host<L>]) -> Result<(), PackError> {
        let dims = self.dims();
        let rows = rows_in(Const::<L>::SPEC, dims.as_ref(), row_major.len())?;
        let (mut first, mut shape) = (L::Index::default(), dims);
        first.as_mut()[0] = dims.as_ref()[0];
        shape.as_mut()[0] = rows;
        self.grow(rows, |packed| packed.as_mut().pack_window(first, shape, row_major))
    }

    /// Appends the rows of `from` to dimension 0, which must be bounded; see [`Packed::push_rows`].
    ///
    /// # Errors
    /// As for [`PackedMut::update_rows`]. The array then keeps its size.
    pub fn append_rows<M>(&mut self, from: &Packed<M>) -> Result<(), PackError>
    where
        M: WithElementOf<L> + WithRankOf<L>,
    {
        let first = self.len(0);
        self.grow(from.len(0), |packed| packed.update_rows(first, from))
    }

    /// Makes dimension 0 longer, and restores its length if `write` fails.
    fn grow(
        &mut self,
        rows: usize,
        write: impl FnOnce(&mut Self) -> Result<(), PackError>,
    ) -> Result<(), PackError> {
        let before = self.len(0);
        self.set_len(0, before.saturating_add(rows))?;
        let result = write(self);
        if result.is_err() {
            self.sizes.set(0, before);
        }
        result
    }

    /// Sets the sizes of a new array to `sizes`, the sizes of its source.
    ///
    /// # Panics
    /// If this layout does not allow one of `sizes`, because the dimension is not bounded here and has another size.
    #[track_caller]
    pub(crate) fn sized(mut self, sizes: &[usize]) -> Self {
        for (dim, size) in sizes.iter().enumerate() {
            assert!(
                self.set_len(dim, *size).is_ok(),
                "the array has {size} indices in dimension {dim}, which `{}` cannot have",
                Const::<L>::SPEC
            );
        }
        self
    }
}

impl<L: Layout> PackedRef<'_, L> {
    /// See [`Packed::dims`].
    pub fn dims(self) -> L::Index {
        let mut dims = L::DIMS;
        dims.as_mut().copy_from_slice(self.sizes());
        dims
    }

    /// See [`Packed::len`].
    ///
    /// # Panics
    /// If there is no dimension `dim`.
    #[track_caller]
    pub fn len(self, dim: usize) -> usize {
        self.sizes()[dim]
    }

    /// The sizes, which are constants for a layout without bounded dimensions.
    #[inline(always)]
    pub(crate) fn sizes(&self) -> &[usize] {
        self.stored_sizes().get().unwrap_or(Const::<L>::SPEC.dims())
    }

    /// Whether the array has all elements of its layout: each bounded dimension is as long as its bound.
    pub(crate) fn is_whole(self) -> bool {
        (const { !is_bounded::<L>() }) || self.sizes() == Const::<L>::SPEC.dims()
    }

    /// Panics if `index` is past the run-time sizes. The sizes of the layout are checked when the offset is computed.
    #[inline(always)]
    #[track_caller]
    pub(crate) fn check(self, index: &L::Index) {
        if const { is_bounded::<L>() } {
            let inside = index.as_ref().iter().zip(self.sizes()).all(|(i, size)| i < size);
            assert!(inside, "index {index:?} is out of bounds: the sizes are {:?}", self.sizes());
        }
    }
}

impl<L: Layout> PackedMut<'_, L> {
    forward! {
        PackedRef::dims() -> L::Index;
        #[track_caller]
        PackedRef::len(dim: usize) -> usize;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::typed::Tiled;
    use crate::typed::types::*;
    use crate::{BF16, F32};
    use alloc::vec::Vec;

    type Exact = Tiled<BF16, Shape2<40, 70>, Order2<1, 0>, (Tile2<8, 128>, Tile2<2, 1>)>;
    type Attributed = Tiled<F32, Shape1<9>, Order1<0>, (), (TailAlignment<16>, MemorySpace<1>)>;
    type Keys = Tiled<BF16, Shape2<40, 70>, Order2<1, 0>, (Tile2<8, 128>,), (Bounded<1>,)>;
    type Between = Tiled<
        F32,
        Shape3<4, 5, 6>,
        Order3<2, 1, 0>,
        (),
        (TailAlignment<16>, Bounded<2>, PaddedTo<Shape3<4, 8, 6>, Zero>),
    >;

    #[test]
    fn sizes_are_stored_only_where_they_can_change() {
        let (slice, buffer) = (size_of::<&[u8]>(), size_of::<(Vec<u8>, usize)>());
        assert_eq!(size_of::<PackedRef<'static, Exact>>(), slice);
        assert_eq!(size_of::<PackedMut<'static, Attributed>>(), slice);
        assert_eq!(size_of::<Packed<Exact>>(), buffer);
        assert_eq!(size_of::<PackedRef<'static, Keys>>(), slice + size_of::<[usize; 2]>());
        assert_eq!(size_of::<PackedMut<'static, Between>>(), slice + size_of::<[usize; 3]>());
        assert_eq!(size_of::<Packed<Between>>(), buffer + size_of::<[usize; 3]>());
        let mut between = Packed::<Between>::zeroed().unwrap();
        between.set_len(1, 3).unwrap();
        assert_eq!(between.as_mut().dims(), [4, 3, 6]);
        assert!(Packed::<Attributed>::zeroed().unwrap().set_len(0, 8).is_err());
    }
}
