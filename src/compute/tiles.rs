//! The tiles of an array, for kernels that users write.

use super::elements::assert_direct;
use crate::require::fail;
use crate::typed::entry::Const;
use crate::typed::packed::Packed;
use crate::typed::view::{PackedMut, PackedRef};
use crate::typed::{Host, Layout, unrolled};
use core::marker::PhantomData;
use core::slice::{Iter, IterMut};
use layout_core::parts::MAX_RANK;
use layout_core::text::TextOf;
use layout_core::tiled::MAX_TEXT;

/// One tile of an array of the layout `L`: `N` elements that are contiguous in storage.
///
/// It contains the elements of a box of the array that starts at [`index`](Self::index) and has the size
/// [`extents`](Self::extents); everything else in it is padding.
///
/// ```
/// use tensor_layout::{Layout, tiled};
/// let packed = <tiled!(s32[3,5]{1,0:T(2,4)})>::pack(&core::array::from_fn::<_, 15, _>(|i| i as i32))?;
/// let tile = packed.tiles::<8>().nth(1).unwrap();
/// assert_eq!((tile.index(), tile.extents()), ([0, 4], [2, 1]));   // column 4 of rows 0 and 1
/// assert_eq!(tile.elements(), &[4, 0, 0, 0, 9, 0, 0, 0]);
/// # Ok::<(), tensor_layout::PackError>(())
/// ```
pub struct TileRef<'a, L: Layout, const N: usize> {
    index: L::Index,
    elements: &'a [Host<L>; N],
}

/// One tile of an array, to write to; otherwise as [`TileRef`].
///
/// ```
/// use tensor_layout::{Packed, tiled};
/// let mut packed = Packed::<tiled!(s32[3,5]{1,0:T(2,4)})>::zeroed()?;
/// for mut tile in packed.tiles_mut::<8>() {
///     let column = tile.index()[1];
///     tile.elements_mut().fill(column as i32);
/// }
/// assert_eq!((packed.get([2, 3]), packed.get([2, 4])), (0, 4));
/// # Ok::<(), tensor_layout::PackError>(())
/// ```
pub struct TileMut<'a, L: Layout, const N: usize> {
    index: L::Index,
    elements: &'a mut [Host<L>; N],
}

/// An iterator over the tiles of an array in storage order; see [`PackedRef::tiles`].
///
/// ```
/// use tensor_layout::{Layout, tiled};
/// let packed = <tiled!(f32[3,5]{1,0:T(2,4)})>::pack(&[1.0; 15])?;
/// let tiles = packed.tiles::<8>();
/// assert_eq!(tiles.len(), 4);
/// assert_eq!(tiles.filter(|tile| tile.is_full()).count(), 1);
/// # Ok::<(), tensor_layout::PackError>(())
/// ```
pub struct Tiles<'a, L: Layout, const N: usize> {
    elements: Iter<'a, [Host<L>; N]>,
    walk: TileStarts<L>,
}

/// An iterator over the mutable tiles of an array in storage order; see [`PackedMut::tiles_mut`].
///
/// ```
/// use tensor_layout::{Packed, tiled};
/// let mut packed = Packed::<tiled!(f32[3,5]{1,0:T(2,4)})>::zeroed()?;
/// packed.tiles_mut::<8>().for_each(|mut tile| tile.elements_mut().fill(1.0));
/// assert_eq!(packed.total(), 15.0);
/// # Ok::<(), tensor_layout::PackError>(())
/// ```
pub struct TilesMut<'a, L: Layout, const N: usize> {
    elements: IterMut<'a, [Host<L>; N]>,
    walk: TileStarts<L>,
}

impl<'a, L: Layout> PackedRef<'a, L> {
    /// The tiles of the first level in storage order, each of [`Layout::TILE_LEN`] elements. An array without tiles is one
    /// tile; an array without elements has none.
    ///
    /// Write `N`, the length of a tile, so that a kernel knows it at compile time and needs no bounds checks. A call does not
    /// compile if `N` is another number, if a later tile reaches across tiles of the first level (these are then not contiguous),
    /// if the tile combines dimensions with `*`, or if storage does not contain host values ([`PackedRef::as_elements`]).
    ///
    /// ```
    /// use tensor_layout::{Layout, tiled};
    /// type Acts = tiled!(f32[1000,300]{1,0:T(8,128)});
    /// let packed = Acts::pack(&[0.5; 300_000]).unwrap();
    ///
    /// let mut sum = 0.0;
    /// for tile in packed.tiles::<1024>() {
    ///     let [rows, columns] = tile.extents();
    ///     for row in tile.elements().as_chunks::<128>().0.iter().take(rows) {
    ///         sum += row[..columns].iter().sum::<f32>();
    ///     }
    /// }
    /// assert_eq!(sum, 150_000.0);
    /// ```
    ///
    /// ```compile_fail
    /// # use tensor_layout::{Layout, tiled};
    /// # type Acts = tiled!(f32[1000,300]{1,0:T(8,128)});
    /// # let packed = Acts::pack(&[0.5; 300_000]).unwrap();
    /// packed.tiles::<512>(); // a tile has 1024 elements
    /// ```
    #[inline]
    pub fn tiles<const N: usize>(self) -> Tiles<'a, L, N> {
        const { Grid::<L>::check(N) };
        Tiles::of(self.as_elements())
    }
}

impl<L: Layout> PackedMut<'_, L> {
    /// See [`PackedRef::tiles`].
    #[inline]
    pub fn tiles<const N: usize>(&self) -> Tiles<'_, L, N> {
        const { Grid::<L>::check(N) };
        Tiles::of(self.as_elements())
    }

    /// The mutable tiles of the first level; see [`PackedRef::tiles`].
    ///
    /// ```
    /// use tensor_layout::{Layout, tiled};
    /// type Identity = tiled!(f32[10,300]{1,0:T(8,128)});
    /// let mut packed = Identity::pack(&[0.0; 3000]).unwrap();
    /// for mut tile in packed.tiles_mut::<1024>() {
    ///     let ([i, j], [rows, columns]) = (tile.index(), tile.extents());
    ///     for row in 0..rows {
    ///         for column in 0..columns {
    ///             let one = i + row == j + column;
    ///             tile.elements_mut()[row * 128 + column] = if one { 1.0 } else { 0.0 };
    ///         }
    ///     }
    /// }
    /// assert_eq!((packed.get([9, 9]), packed.get([9, 8])), (1.0, 0.0));
    /// ```
    #[inline]
    pub fn tiles_mut<const N: usize>(&mut self) -> TilesMut<'_, L, N> {
        const { Grid::<L>::check(N) };
        TilesMut::of(self.as_elements_mut())
    }
}

impl<L: Layout> Packed<L> {
    /// See [`PackedRef::tiles`].
    #[inline]
    pub fn tiles<const N: usize>(&self) -> Tiles<'_, L, N> {
        const { Grid::<L>::check(N) };
        Tiles::of(self.as_elements())
    }

    /// See [`PackedMut::tiles_mut`].
    #[inline]
    pub fn tiles_mut<const N: usize>(&mut self) -> TilesMut<'_, L, N> {
        const { Grid::<L>::check(N) };
        TilesMut::of(self.as_elements_mut())
    }
}

impl<'a, L: Layout, const N: usize> Tiles<'a, L, N> {
    /// The tiles of storage, which must have been [checked](Grid::check).
    #[inline]
    fn of(elements: &'a [Host<L>]) -> Self {
        let elements = &elements[..const { Const::<L>::SPEC.map().len() }];
        Self { elements: elements.as_chunks().0.iter(), walk: TileStarts::start() }
    }
}

impl<'a, L: Layout, const N: usize> TilesMut<'a, L, N> {
    /// The tiles of storage, which must have been [checked](Grid::check).
    #[inline]
    fn of(elements: &'a mut [Host<L>]) -> Self {
        let elements = &mut elements[..const { Const::<L>::SPEC.map().len() }];
        Self { elements: elements.as_chunks_mut().0.iter_mut(), walk: TileStarts::start() }
    }
}

macro_rules! tile {
    ($Tile:ident $Tiles:ident) => {
        impl<'a, L: Layout, const N: usize> $Tile<'a, L, N> {
            /// The index of the first element. It is past the end of the array if the tile is only explicit padding.
            #[inline]
            pub fn index(&self) -> L::Index {
                self.index
            }

            /// The number of indices of the tile within the array, in each dimension; 1 for dimensions that are not tiled.
            #[inline]
            pub fn extents(&self) -> L::Index {
                Grid::<L>::extents(self.index)
            }

            /// Whether the tile contains no padding.
            #[inline]
            pub fn is_full(&self) -> bool {
                self.extents().as_ref().iter().product::<usize>() == N
            }

            /// The number of the element of a tile that is `index` away from the first one in each dimension.
            ///
            /// If that is outside of the tile, the result is unspecified.
            #[inline(always)]
            pub fn offset(&self, index: L::Index) -> usize {
                unrolled::offset_in_tile::<L>(&index)
            }
        }

        impl<'a, L: Layout, const N: usize> Iterator for $Tiles<'a, L, N> {
            type Item = $Tile<'a, L, N>;

            #[inline]
            fn next(&mut self) -> Option<Self::Item> {
                let elements = self.elements.next()?;
                Some($Tile { index: self.walk.step(), elements })
            }

            #[inline]
            fn size_hint(&self) -> (usize, Option<usize>) {
                self.elements.size_hint()
            }
        }

        impl<L: Layout, const N: usize> ExactSizeIterator for $Tiles<'_, L, N> {}
        impl<L: Layout, const N: usize> core::iter::FusedIterator for $Tiles<'_, L, N> {}
    };
}
tile! { TileRef Tiles }
tile! { TileMut TilesMut }

impl<'a, L: Layout, const N: usize> TileRef<'a, L, N> {
    /// The whole tile in storage order, padding included.
    #[inline]
    pub fn elements(&self) -> &'a [Host<L>; N] {
        self.elements
    }
}

impl<L: Layout, const N: usize> TileMut<'_, L, N> {
    /// The whole tile in storage order, padding included.
    #[inline]
    pub fn elements(&self) -> &[Host<L>; N] {
        self.elements
    }

    /// The whole tile in storage order, padding included, as a mutable array. Values that are written to padding are never
    /// read.
    #[inline]
    pub fn elements_mut(&mut self) -> &mut [Host<L>; N] {
        self.elements
    }
}

/// Repeats a macro for each dimension: a compiler that optimizes for size would not see constant dimensions in a loop.
macro_rules! for_each_dim {
    ($L:ident, $m:ident) => { for_each_dim!($L, $m; 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15) };
    ($L:ident, $m:ident; $($dim:literal)*) => { $( if const { $dim < $L::RANK } { $m!($dim); } )* };
}

const _: () = assert!(MAX_RANK == 16, "as many as the macro repeats");

/// The constants of the grid of tiles. Each function that users call checks it itself, so that rustc reports the user's line.
struct Grid<L>(PhantomData<L>);

impl<L: Layout> Grid<L> {
    /// The sizes of a tile in the dimensions of the array.
    const TILE: [usize; MAX_RANK] = match Const::<L>::SPEC.tile_dims() {
        Some(dims) => filled(dims.as_slice()),
        None => fail("the tile combines dimensions with `*`, so it is not a box of the array"),
    };
    const DIMS: [usize; MAX_RANK] = filled(Const::<L>::SPEC.dims());
    const WIDTHS: [usize; MAX_RANK] = filled(Const::<L>::SPEC.widths());
    const MINOR_TO_MAJOR: [usize; MAX_RANK] = filled(Const::<L>::SPEC.minor_to_major());

    #[track_caller]
    const fn check(n: usize) {
        assert_direct::<L>();
        if n != L::TILE_LEN {
            let text: TextOf<{ MAX_TEXT + 120 }> = TextOf::new().str("a tile of `");
            let text = text.str(Const::<L>::SPEC.text().as_str()).str("` has ").num(L::TILE_LEN);
            let text = text.str(" elements, not ").num(n);
            fail(text.str("; write `tiles::<{ L::TILE_LEN }>()`, `L` being the layout").as_str());
        }
    }

    #[inline]
    fn extents(index: L::Index) -> L::Index {
        let mut extents = L::Index::default();
        macro_rules! extent {
            ($dim:literal) => {
                let left = Self::DIMS[$dim].saturating_sub(index.as_ref()[$dim]);
                extents.as_mut()[$dim] = left.min(Self::TILE[$dim]);
            };
        }
        for_each_dim!(L, extent);
        extents
    }
}

const fn filled(sizes: &[usize]) -> [usize; MAX_RANK] {
    let mut list = [0; MAX_RANK];
    let mut i = 0;
    while i < sizes.len() {
        list[i] = sizes[i];
        i += 1;
    }
    list
}

/// The indices of the first elements of the tiles, in storage order.
struct TileStarts<L: Layout> {
    next: L::Index,
}

impl<L: Layout> TileStarts<L> {
    #[inline]
    fn start() -> Self {
        Self { next: L::Index::default() }
    }

    #[inline]
    fn step(&mut self) -> L::Index {
        let index = self.next;
        let mut carry = true;
        macro_rules! step {
            ($i:literal) => {
                if carry {
                    let dim = Grid::<L>::MINOR_TO_MAJOR[$i];
                    let next = &mut self.next.as_mut()[dim];
                    *next += Grid::<L>::TILE[dim];
                    carry = *next >= Grid::<L>::WIDTHS[dim];
                    if carry {
                        *next = 0;
                    }
                }
            };
        }
        for_each_dim!(L, step);
        index
    }
}
