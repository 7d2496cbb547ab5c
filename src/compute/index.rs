//! Elements by index, `x[[i, j]]`, in arrays whose storage contains host values.

use super::elements::{assert_direct, elements, elements_mut};
use crate::typed::{Host, IndexOf, Layout, Packed, PackedMut, PackedRef};
use core::ops::{Index, IndexMut};

/// The element of an array whose storage contains host values.
#[track_caller]
#[inline]
fn element<L: Layout>(array: PackedRef<'_, L>, index: L::Index) -> &Host<L> {
    array.check(&index);
    &elements(array).unwrap_or_default()[L::offset(index)]
}

/// The same, to write.
#[track_caller]
#[inline]
fn element_mut<L: Layout>(array: PackedMut<'_, L>, index: L::Index) -> &mut Host<L> {
    array.as_ref().check(&index);
    &mut elements_mut(array).unwrap_or_default()[L::offset(index)]
}

/// The element at an index, `x[[i, j]]`. Compiles only for layouts that [`PackedRef::as_elements`] accepts; [`Packed::get`] works
/// for all.
///
/// # Panics
/// If the index is out of bounds, as slice indexing does.
impl<L: Layout, I: IndexOf<L::Index>> Index<I> for Packed<L> {
    type Output = I::Element<Host<L>>;

    #[inline]
    #[track_caller]
    fn index(&self, index: I) -> &I::Element<Host<L>> {
        const { assert_direct::<L>() };
        I::element(element(self.as_ref(), index.index()))
    }
}

/// The element at an index, `x[[i, j]]`. Compiles only for layouts that [`PackedRef::as_elements`] accepts; [`Packed::get`] works
/// for all.
///
/// # Panics
/// If the index is out of bounds, as slice indexing does.
impl<L: Layout, I: IndexOf<L::Index>> Index<I> for PackedRef<'_, L> {
    type Output = I::Element<Host<L>>;

    #[inline]
    #[track_caller]
    fn index(&self, index: I) -> &I::Element<Host<L>> {
        const { assert_direct::<L>() };
        I::element(element(*self, index.index()))
    }
}

/// The element at an index, `x[[i, j]]`. Compiles only for layouts that [`PackedRef::as_elements`] accepts; [`Packed::get`] works
/// for all.
///
/// # Panics
/// If the index is out of bounds, as slice indexing does.
impl<L: Layout, I: IndexOf<L::Index>> Index<I> for PackedMut<'_, L> {
    type Output = I::Element<Host<L>>;

    #[inline]
    #[track_caller]
    fn index(&self, index: I) -> &I::Element<Host<L>> {
        const { assert_direct::<L>() };
        I::element(element(self.as_ref(), index.index()))
    }
}

/// The element at an index, to write: `x[[i, j]] = 1.0`; see [`Index`].
///
/// # Panics
/// If the index is out of bounds, as slice indexing does.
impl<L: Layout, I: IndexOf<L::Index>> IndexMut<I> for Packed<L> {
    #[inline]
    #[track_caller]
    fn index_mut(&mut self, index: I) -> &mut I::Element<Host<L>> {
        const { assert_direct::<L>() };
        I::element_mut(element_mut(self.as_mut(), index.index()))
    }
}

/// The element at an index, to write: `x[[i, j]] = 1.0`; see [`Index`].
///
/// # Panics
/// If the index is out of bounds, as slice indexing does.
impl<L: Layout, I: IndexOf<L::Index>> IndexMut<I> for PackedMut<'_, L> {
    #[inline]
    #[track_caller]
    fn index_mut(&mut self, index: I) -> &mut I::Element<Host<L>> {
        const { assert_direct::<L>() };
        I::element_mut(element_mut(self.reborrow(), index.index()))
    }
}

#[cfg(test)]
mod tests {
    use crate::typed::{PackedMut, PackedRef};
    use crate::{Packed, tiled};

    type Tiles = tiled!(f32[3,5]{1,0:T(2,2)});
    type Rows = tiled!(bf16[<=4,5]{1,0:T(2,2)});

    #[test]
    fn elements_are_read_and_written_by_index() {
        let values: Vec<f32> = (0..15).map(|n| n as f32).collect();
        let mut packed = Tiles::pack(&values).unwrap();
        packed[[2, 4]] += 0.5;
        packed.as_mut()[[0, 1]] = -1.0;
        let expected = |at: usize| match at {
            1 => -1.0,
            14 => 14.5,
            _ => at as f32,
        };
        for at in 0..15 {
            let index = [at / 5, at % 5];
            let bytes = packed.as_bytes().to_vec();
            let of_ref: PackedRef<'_, Tiles> = packed.as_ref();
            assert_eq!((packed[index], of_ref[index]), (expected(at), expected(at)));
            let mut copy = Packed::<Tiles>::from_bytes(&bytes).unwrap();
            let of_mut: PackedMut<'_, Tiles> = copy.as_mut();
            assert_eq!(of_mut[index], expected(at));
        }
    }

    #[test]
    #[should_panic(expected = "out of bounds")]
    fn an_index_beyond_a_bounded_size_panics() {
        let mut packed = Packed::<Rows>::with_sizes([3, 5]).unwrap();
        packed[[2, 4]] = crate::half::bf16::ONE;
        let _ = packed[[3, 0]];
    }
}
