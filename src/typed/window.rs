//! Windows of packed arrays, and their tiles as windows.
#![allow(unsafe_code, reason = "slices of host values are written as bytes")]

use super::entry::Const;
use super::layout::{Host, Layout};
use super::same::{SameElement, SameShape};
use super::view::{PackedMut, PackedRef};
use crate::movement::window::WindowLoops;
use crate::movement::{PackError, bytes_of, bytes_of_mut, window};
use core::marker::PhantomData;
use layout_core::tiled::{Tile, TiledSpec};

impl<L: Layout> PackedRef<'_, L> {
    /// Copies the window of sizes `shape` that starts at index `first` to a row-major array.
    ///
    /// # Errors
    /// If `row_major` does not have one value for each element of the window, or if the window is not within the array.
    pub fn unpack_window(
        self,
        first: L::Index,
        shape: L::Index,
        row_major: &mut [Host<L>],
    ) -> Result<(), PackError> {
        check_sizes(self, &first, &shape)?;
        // SAFETY: unpacking leaves 0 or 1 in each byte of a `bool` that it has written to.
        let bytes = unsafe { bytes_of_mut(row_major) };
        let (loops, window) = (const { Const::<L>::WINDOWS }, (first.as_ref(), shape.as_ref()));
        window::unpack_by(loops, Const::<L>::SPEC, window, self.as_bytes(), bytes)
    }
}

impl<L: Layout> PackedMut<'_, L> {
    /// Overwrites the window of sizes `shape` that starts at index `first` with a row-major array. Nothing else changes, not
    /// even padding.
    ///
    /// ```
    /// use tensor_layout::{Layout, tiled};
    /// type Rows = tiled!(f32[3,5]{1,0:T(2,2)});
    /// let mut packed = Rows::pack(&[0.0; 15]).unwrap();
    /// packed.as_mut().pack_window([1, 3], [2, 2], &[1.0, 2.0, 3.0, 4.0]).unwrap();
    /// assert_eq!((packed.get([1, 4]), packed.get([2, 3])), (2.0, 3.0));
    /// ```
    ///
    /// # Errors
    /// If `row_major` does not have one value for each element of the window, if a value does not fit the element type, or if
    /// the window is not within the array. Nothing is written then.
    pub fn pack_window(
        &mut self,
        first: L::Index,
        shape: L::Index,
        row_major: &[Host<L>],
    ) -> Result<(), PackError> {
        check_sizes(self.as_ref(), &first, &shape)?;
        let (loops, window) = (const { Const::<L>::WINDOWS }, (first.as_ref(), shape.as_ref()));
        let bytes = self.as_bytes_mut();
        window::pack_by(loops, Const::<L>::SPEC, window, bytes_of(row_major), bytes)
    }

    /// Overwrites the window of sizes `shape` that starts at index `first` with the same window of an array in any layout.
    /// Nothing else changes, not even padding.
    ///
    /// # Errors
    /// If the window is not within the array. Nothing is written then.
    pub fn copy_window<M>(
        &mut self,
        first: L::Index,
        shape: L::Index,
        from: PackedRef<'_, M>,
    ) -> Result<(), PackError>
    where
        M: Layout<
                Element: SameElement<<L as Layout>::Element>,
                Shape: SameShape<<L as Layout>::Shape>,
            >,
    {
        check_sizes(self.as_ref(), &first, &shape)?;
        let (source, destination) = const { (Const::<M>::SPEC, Const::<L>::SPEC) };
        check_window(source, from.sizes(), first.as_ref(), shape.as_ref())?;
        let window = (first.as_ref(), shape.as_ref());
        let (loops, to) = (const { Between::<M, L>::WINDOWS }, self.as_bytes_mut());
        window::relayout_by(loops, source, window, from.as_bytes(), destination, to)
    }

    /// Copies one tile from an array in any layout: the window of the tile with the index `tile`, counted in tiles of the
    /// first level of this array along each dimension.
    ///
    /// ```
    /// use tensor_layout::{Layout, Packed, tiled};
    /// type Rows = tiled!(f32[3,5]{1,0:T(2,2)});
    /// type Columns = tiled!(f32[3,5]{0,1});
    /// let from = Columns::pack(&[1.0; 15]).unwrap();
    /// let mut to = Packed::<Rows>::zeroed().unwrap();
    /// to.as_mut().copy_tile([1, 2], from.as_ref()).unwrap();
    /// assert_eq!((to.get([2, 4]), to.get([2, 3]), to.get([1, 4])), (1.0, 0.0, 0.0));
    /// ```
    ///
    /// # Errors
    /// If the tile does not exist, or if a tile of the layout combines dimensions. Nothing is written then.
    pub fn copy_tile<M>(&mut self, tile: L::Index, from: PackedRef<'_, M>) -> Result<(), PackError>
    where
        M: Layout<
                Element: SameElement<<L as Layout>::Element>,
                Shape: SameShape<<L as Layout>::Shape>,
            >,
    {
        let spec = const { Const::<L>::SPEC };
        let (mut first, mut shape) = (L::Index::default(), L::Index::default());
        for dim in 0..L::RANK {
            let error = || PackError::Window { dim, layout: (*spec).into() };
            let (size, bound) = (tile_size(spec, dim).ok_or_else(error)?, self.len(dim));
            let start = tile.as_ref()[dim].checked_mul(size).filter(|&start| start < bound);
            let start = start.ok_or_else(error)?;
            first.as_mut()[dim] = start;
            shape.as_mut()[dim] = size.min(bound - start);
        }
        self.copy_window(first, shape, from)
    }
}

/// Two layouts of one shape.
struct Between<L, M>(PhantomData<(L, M)>);

impl<L: Layout, M: Layout> Between<L, M> {
    /// The part that all plans for windows from one layout to the other share.
    const WINDOWS: Option<&'static WindowLoops> =
        WindowLoops::between(Const::<L>::SPEC, Const::<M>::SPEC).as_ref();
}

/// Checks that a window is within the run-time sizes. The sizes of the layout are checked when the window is moved.
fn check_sizes<L: Layout>(
    packed: PackedRef<'_, L>,
    first: &L::Index,
    shape: &L::Index,
) -> Result<(), PackError> {
    if packed.is_whole() {
        return Ok(());
    }
    check_window(Const::<L>::SPEC, packed.sizes(), first.as_ref(), shape.as_ref())
}

/// Checks that a window is within an array of sizes `sizes`.
pub(crate) fn check_window(
    spec: &TiledSpec,
    sizes: &[usize],
    first: &[usize],
    shape: &[usize],
) -> Result<(), PackError> {
    let part = first.iter().zip(shape);
    let fits = |((first, shape), size): ((&usize, &usize), &usize)| {
        first.checked_add(*shape).is_some_and(|end| end <= *size)
    };
    match part.zip(sizes).position(|part| !fits(part)) {
        Some(dim) => Err(PackError::Window { dim, layout: (*spec).into() }),
        None => Ok(()),
    }
}

/// The size of a tile of the first level along dimension `dim`; an array without tiles is one tile. `None` if a tile
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
