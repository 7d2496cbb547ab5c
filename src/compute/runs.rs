//! The runs of an array: elements that are consecutive both in storage and along one dimension.

use crate::typed::entry::Const;
use crate::typed::forward::forward;
use crate::typed::packed::Packed;
use crate::typed::sizes::is_bounded;
use crate::typed::view::{PackedMut, PackedRef};
use crate::typed::{Host, Layout, unrolled};
use layout_core::parts::IndexMap;

/// The longest runs into which all of the storage can be divided, padding included.
#[derive(Clone, Copy)]
pub(super) struct Longest {
    /// The number of elements of a run; the length of the array is a multiple of it.
    pub(super) len: usize,
    /// The dimension along which they are consecutive, if there are several.
    pub(super) dim: usize,
}

impl Longest {
    pub(super) const fn of(map: &IndexMap) -> Self {
        let mut longest = Self { len: 1, dim: 0 };
        let mut i = map.parts().len();
        while i > 0 {
            i -= 1;
            let part = &map.parts()[i];
            if part.size > 1 {
                let follows = part.source == longest.dim || longest.len == 1;
                if part.source >= map.rank() || part.div != longest.len || !follows {
                    break;
                }
                longest = Self { len: longest.len * part.size, dim: part.source };
            }
        }
        longest
    }
}

/// The index of the first element, the offset and the length of each run, in storage order.
#[inline(always)]
pub(super) fn runs<L: Layout>(sizes: L::Index) -> impl Iterator<Item = (L::Index, usize, usize)> {
    let longest = const { Longest::of(Const::<L>::SPEC.map()) };
    (0..const { Const::<L>::SPEC.map().len() }).step_by(longest.len).filter_map(move |offset| {
        let index = unrolled::index::<L>(offset)?;
        if const { is_bounded::<L>() }
            && index.as_ref().iter().zip(sizes.as_ref()).any(|(i, size)| i >= size)
        {
            return None;
        }
        let left = if longest.len == 1 {
            1
        } else {
            sizes.as_ref()[longest.dim] - index.as_ref()[longest.dim]
        };
        Some((index, offset, left.min(longest.len)))
    })
}

impl<'a, L: Layout> PackedRef<'a, L> {
    /// Calls `f` for each run of elements, with the index of its first element, in storage order. No run contains padding.
    ///
    /// A run is contiguous in storage and extends along one dimension. In tiles of `T(8,128)`, it is a row of a tile; without
    /// tiles, a whole row; with `T(8,128)(2,1)`, a pair of elements of one column; and a single element if the layout has nothing
    /// longer. Compiles only for layouts that [`PackedRef::as_elements`] accepts.
    ///
    /// ```
    /// use tensor_layout::{Layout, tiled};
    /// type Acts = tiled!(f32[1,300]{1,0:T(8,128)});
    /// let packed = Acts::pack(&[0.0; 300]).unwrap();
    /// let mut runs = vec![];
    /// packed.for_each_run(|index, elements| runs.push((index, elements.len())));
    /// assert_eq!(runs, [([0, 0], 128), ([0, 128], 128), ([0, 256], 44)]);
    /// ```
    #[inline]
    pub fn for_each_run(self, mut f: impl FnMut(L::Index, &'a [Host<L>])) {
        let elements = self.as_elements();
        for (index, offset, len) in runs::<L>(self.dims()) {
            f(index, &elements[offset..][..len]);
        }
    }
}

impl<L: Layout> PackedMut<'_, L> {
    /// Calls `f` for each run of elements as a mutable slice; see [`PackedRef::for_each_run`].
    #[inline]
    pub fn for_each_run_mut(&mut self, mut f: impl FnMut(L::Index, &mut [Host<L>])) {
        let dims = self.dims();
        let elements = self.as_elements_mut();
        for (index, offset, len) in runs::<L>(dims) {
            f(index, &mut elements[offset..][..len]);
        }
    }
}

impl<L: Layout> Packed<L> {
    /// See [`PackedRef::for_each_run`].
    #[inline]
    pub fn for_each_run<'a>(&'a self, f: impl FnMut(L::Index, &'a [Host<L>])) {
        self.as_ref().for_each_run(f);
    }

    forward! {
        #[inline]
        PackedMut::for_each_run_mut(f: impl FnMut(L::Index, &mut [Host<L>]));
    }
}
