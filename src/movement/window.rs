//! Windows: part of an array, packed and unpacked on its own.
#![allow(unsafe_code, reason = "slices of host values are written as bytes")]

use super::error::PackError;
use super::host::{bytes_of, bytes_of_mut};
use super::plan::Plan;
use super::transfer;
use super::typed::Const;
use super::view::{PackedMut, PackedRef};
use crate::index_map::IndexMap;
use crate::layout::{Host, Layout};
use crate::tiled::{Tile, TiledSpec};

/// A window of `shape` in an array, from index `first` on.
struct Window<'a> {
    first: &'a [usize],
    shape: &'a [usize],
    /// The row-major map of the window.
    rows: IndexMap,
}

impl<'a> Window<'a> {
    /// Checks that the window lies within the array.
    fn new(spec: &TiledSpec, first: &'a [usize], shape: &'a [usize]) -> Result<Self, PackError> {
        transfer::check_layout(spec)?;
        let error = |dim| PackError::Window { dim, layout: (*spec).into() };
        if first.len() != spec.rank() || shape.len() != spec.rank() {
            return Err(error(spec.rank().min(first.len()).min(shape.len())));
        }
        let fits = |dim: &usize| {
            first[*dim].checked_add(shape[*dim]).is_some_and(|end| end <= spec.dims()[*dim])
        };
        if let Some(dim) = (0..spec.rank()).find(|dim| !fits(dim)) {
            return Err(error(dim));
        }
        Ok(Self { first, shape, rows: transfer::row_major(spec).with_window(shape) })
    }

    fn elements(&self) -> usize {
        // No more than the array has, if none of the sizes is zero.
        if self.shape.contains(&0) { 0 } else { self.shape.iter().product() }
    }

    fn bounds(&self) -> (&'a [usize], &'a [usize]) {
        (self.first, self.shape)
    }
}

impl TiledSpec {
    /// Writes a window of a packed array, of `shape` from index `first` on, from a row-major array of that shape, given
    /// as bytes. Nothing else of `packed` changes, padding included.
    ///
    /// ```
    /// use layout_core::TiledSpec;
    /// let spec: TiledSpec = "s8[3,5]{1,0:T(2,2)}".parse().unwrap();
    /// let mut packed = vec![0; spec.bytes()];
    /// spec.pack_window_bytes(&[1, 2], &[2, 2], &[1, 2, 3, 4], &mut packed).unwrap();
    /// let mut row = [0; 3];
    /// spec.unpack_window_bytes(&[2, 1], &[1, 3], &packed, &mut row).unwrap();
    /// assert_eq!(row, [0, 3, 4]);
    /// ```
    ///
    /// # Errors
    /// As [`TiledSpec::pack_bytes`], or if the window does not lie within the array; `packed` is then unchanged.
    pub fn pack_window_bytes(
        &self,
        first: &[usize],
        shape: &[usize],
        row_major: &[u8],
        packed: &mut [u8],
    ) -> Result<(), PackError> {
        let window = Window::new(self, first, shape)?;
        let plan = Plan::window(&window.rows, self.map(), window.bounds(), Some(0));
        transfer::pack_window(self, &plan, window.elements(), row_major, packed)
    }

    /// Reads a window of a packed array, of `shape` from index `first` on, into a row-major array of that shape, given
    /// as bytes.
    ///
    /// # Errors
    /// As [`TiledSpec::unpack_bytes`], or if the window does not lie within the array; `row_major` is then unchanged.
    pub fn unpack_window_bytes(
        &self,
        first: &[usize],
        shape: &[usize],
        packed: &[u8],
        row_major: &mut [u8],
    ) -> Result<(), PackError> {
        let window = Window::new(self, first, shape)?;
        let plan = Plan::window(self.map(), &window.rows, window.bounds(), Some(1));
        transfer::unpack_window(self, (&plan).into(), window.elements(), packed, row_major)
    }

    /// Moves a window of `shape`, from index `first` on, of the packed array `from`, in this layout, to the same place of
    /// the packed array `to`, in the layout `destination`. Nothing else of `to` changes, padding included.
    ///
    /// # Errors
    /// As [`TiledSpec::relayout_bytes`], or if the window does not lie within the array; `to` is then unchanged.
    pub fn relayout_window_bytes(
        &self,
        (first, shape): (&[usize], &[usize]),
        from: &[u8],
        destination: &Self,
        to: &mut [u8],
    ) -> Result<(), PackError> {
        self.check_shape(destination)?;
        let window = Window::new(self, first, shape)?;
        let plan = Plan::window(self.map(), destination.map(), window.bounds(), None);
        transfer::relayout_window(&plan, (self, from), (destination, to))
    }
}

impl<L: Layout> PackedRef<'_, L> {
    /// Reads the window of `shape` from index `first` on into a row-major array of that shape.
    ///
    /// # Errors
    /// If `row_major` has not one value for each element of the window, or the window does not lie within the array.
    pub fn unpack_window(
        self,
        first: L::Index,
        shape: L::Index,
        row_major: &mut [Host<L>],
    ) -> Result<(), PackError> {
        // SAFETY: unpacking leaves 0 or 1 in each byte of a `bool` that it has written to.
        let bytes = unsafe { bytes_of_mut(row_major) };
        Const::<L>::SPEC.unpack_window_bytes(first.as_ref(), shape.as_ref(), self.as_bytes(), bytes)
    }
}

impl<L: Layout> PackedMut<'_, L> {
    /// Writes the window of `shape` from index `first` on from a row-major array of that shape. Nothing else changes,
    /// padding included.
    ///
    /// ```
    /// use layout_core::{F32, Layout, Tiled, types::{Order2, Shape2, Tile2}};
    /// type Rows = Tiled<F32, Shape2<3, 5>, Order2<1, 0>, (Tile2<2, 2>,)>;
    /// let mut packed = Rows::pack(&[0.0; 15]).unwrap();
    /// packed.as_mut().pack_window([1, 3], [2, 2], &[1.0, 2.0, 3.0, 4.0]).unwrap();
    /// assert_eq!((packed.get([1, 4]), packed.get([2, 3])), (2.0, 3.0));
    /// ```
    ///
    /// # Errors
    /// If `row_major` has not one value for each element of the window, a value does not fit the element type, or the
    /// window does not lie within the array; nothing has been written then.
    pub fn pack_window(
        &mut self,
        first: L::Index,
        shape: L::Index,
        row_major: &[Host<L>],
    ) -> Result<(), PackError> {
        let (first, shape) = (first.as_ref(), shape.as_ref());
        Const::<L>::SPEC.pack_window_bytes(first, shape, bytes_of(row_major), self.as_bytes_mut())
    }

    /// Copies the window of `shape` from index `first` on from an array in any layout. Nothing else changes, padding
    /// included.
    ///
    /// # Errors
    /// If the window does not lie within the array; nothing has been written then.
    pub fn copy_window<M>(
        &mut self,
        first: L::Index,
        shape: L::Index,
        from: PackedRef<'_, M>,
    ) -> Result<(), PackError>
    where
        M: Layout<Element = <L as Layout>::Element, Shape = <L as Layout>::Shape>,
    {
        let (source, destination) = const { (Const::<M>::SPEC, Const::<L>::SPEC) };
        let window = (first.as_ref(), shape.as_ref());
        source.relayout_window_bytes(window, from.as_bytes(), destination, self.as_bytes_mut())
    }

    /// Copies the elements of one tile from an array in any layout: the window that the tile at `tile`, counted in
    /// tiles of this array's first level along each dimension, covers of it.
    ///
    /// ```
    /// use layout_core::{F32, Layout, Tiled, kernel::Packed, types::{Order2, Shape2, Tile2}};
    /// type Rows = Tiled<F32, Shape2<3, 5>, Order2<1, 0>, (Tile2<2, 2>,)>;
    /// type Columns = Tiled<F32, Shape2<3, 5>, Order2<0, 1>>;
    /// let from = Columns::pack(&[1.0; 15]).unwrap();
    /// let mut to = Packed::<Rows>::zeroed().unwrap();
    /// to.as_mut().copy_tile([1, 2], from.as_ref()).unwrap();
    /// assert_eq!((to.get([2, 4]), to.get([2, 3]), to.get([1, 4])), (1.0, 0.0, 0.0));
    /// ```
    ///
    /// # Errors
    /// If there is no such tile, or the layout has a tile that combines dimensions; nothing has been written then.
    pub fn copy_tile<M>(&mut self, tile: L::Index, from: PackedRef<'_, M>) -> Result<(), PackError>
    where
        M: Layout<Element = <L as Layout>::Element, Shape = <L as Layout>::Shape>,
    {
        let spec = const { Const::<L>::SPEC };
        let (mut first, mut shape) = (L::Index::default(), L::Index::default());
        for dim in 0..L::RANK {
            let error = || PackError::Window { dim, layout: (*spec).into() };
            let (size, bound) = (tile_size(spec, dim).ok_or_else(error)?, spec.dims()[dim]);
            let start = tile.as_ref()[dim].checked_mul(size).filter(|&start| start < bound);
            let start = start.ok_or_else(error)?;
            first.as_mut()[dim] = start;
            shape.as_mut()[dim] = size.min(bound - start);
        }
        self.copy_window(first, shape, from)
    }
}

/// Elements of a tile of the first level along a dimension; an array without tiles is one tile. `None` where a tile
/// combines dimensions.
fn tile_size(spec: &TiledSpec, dim: usize) -> Option<usize> {
    let Some(tile) = spec.tiles().first() else { return Some(spec.dims()[dim]) };
    let minor = spec.minor_to_major().iter().position(|&other| other == dim)?;
    let sizes = tile.as_slice();
    if sizes.contains(&Tile::COMBINE) {
        return None;
    }
    Some(sizes.len().checked_sub(minor + 1).map_or(1, |at| sizes[at]))
}
