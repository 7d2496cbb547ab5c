//! Indices in the physical shape: the document's combined vector of tile index and within-tile index.

use super::layout::Layout;
use super::types::{Order, Shape, Tiles};
use super::{Specified, Tiled, attributes::Attributes, unrolled};
use crate::element::Element;
use crate::require::fail;
use layout_core::text::TextOf;
use layout_core::tiled::MAX_TEXT;

/// Fails to compile unless `N` is the number of dimensions of the physical shape.
pub(crate) const fn check_rank<L: Layout, const N: usize>() {
    let () = L::CHECKED;
    if L::UNCHECKED.physical_rank() != N {
        let text: TextOf<{ MAX_TEXT + 120 }> = TextOf::new().str("the physical shape of `");
        let text = text.str(L::UNCHECKED.text().as_str()).str("` has ");
        let rank = L::UNCHECKED.physical_rank();
        let text = text.count(rank, "dimension").str(", not ").num(N);
        let text = text.str("; write `[usize; ").num(rank).str("]`");
        fail(text.as_str())
    }
}

/// The physical shape, for an `N` that [`check_rank`] has checked.
pub(crate) const fn shape<L: Layout, const N: usize>() -> [usize; N] {
    let mut shape = [0; N];
    let mut i = 0;
    while i < N {
        // With another `N` the result is not used, because `check_rank` fails.
        if i < <L as Specified>::MAP.parts().len() {
            shape[i] = <L as Specified>::MAP.parts()[i].size;
        }
        i += 1;
    }
    shape
}

impl<E: Element, S: Shape, O: Order, T: Tiles, A: Attributes> Tiled<E, S, O, T, A> {
    /// The physical shape, major to minor: the dimensions after all tiles are applied; see
    /// [`TiledSpec::physical_shape`](crate::TiledSpec::physical_shape).
    ///
    /// ```
    /// type Figure1 = tensor_layout::tiled!(F32[3,5]<1,0:T(2,2)>);
    /// assert_eq!(Figure1::physical_shape(), [2, 3, 2, 2]);
    /// ```
    pub const fn physical_shape<const N: usize>() -> [usize; N] {
        const { check_rank::<Self, N>() };
        const { shape::<Self, N>() }
    }

    /// The index of an element in the physical shape; see [`Layout::physical_index`].
    ///
    /// # Panics
    /// If `index` is out of bounds, as slice indexing does.
    #[inline(always)]
    #[track_caller]
    pub fn physical_index<const N: usize>(index: S::Index) -> [usize; N] {
        const { check_rank::<Self, N>() };
        physical_index::<Self, N>(index)
    }

    /// The index of the element at an index in the physical shape; see [`Layout::logical_index`].
    #[inline(always)]
    pub fn logical_index<const N: usize>(physical: [usize; N]) -> Option<S::Index> {
        const { check_rank::<Self, N>() };
        logical_index::<Self, N>(physical)
    }
}

/// The digits of the offset of an element at the strides of the physical shape, for an `N` that has been checked.
#[inline(always)]
#[track_caller]
pub(crate) fn physical_index<L: Layout, const N: usize>(index: L::Index) -> [usize; N] {
    unrolled::check_bounds::<L>(&index);
    unrolled::digits::<L, N>(unrolled::offset::<L>(&index))
}

/// The index of the element at a physical index, for an `N` that has been checked.
#[inline(always)]
pub(crate) fn logical_index<L: Layout, const N: usize>(physical: [usize; N]) -> Option<L::Index> {
    let shape = const { shape::<L, N>() };
    let mut offset = 0;
    for (at, size) in physical.into_iter().zip(shape) {
        if at >= size {
            return None;
        }
        offset = offset * size + at;
    }
    unrolled::index::<L>(offset)
}
