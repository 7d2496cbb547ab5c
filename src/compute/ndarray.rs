//! Arrays of the crate `ndarray`: copies from any layout, and views of layouts that have strides, with the feature `ndarray`.

use super::elements::elements;
use crate::movement::PackError;
use crate::movement::run_time::allocate;
use crate::typed::entry::Const;
use crate::typed::forward::forward;
use crate::typed::{Host, Layout, Packed, PackedRef};
use ndarray::{ArrayD, ArrayView, ArrayViewD, Dimension, IxDyn, ShapeBuilder};

impl<'a, L: Layout> PackedRef<'a, L> {
    /// The elements as a new row-major array of `ndarray`.
    ///
    /// ```
    /// use tensor_layout::{Layout, tpu};
    /// let packed = <tpu!(f32[2,3])>::pack(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]).unwrap();
    /// let array = packed.to_ndarray().unwrap();
    /// assert_eq!((array.shape(), array[[1, 2]]), (&[2, 3][..], 6.0));
    /// ```
    ///
    /// # Errors
    /// [`PackError::OutOfMemory`] if memory for the elements cannot be allocated.
    #[allow(clippy::missing_panics_doc, reason = "there are as many elements as the sizes say")]
    pub fn to_ndarray(self) -> Result<ArrayD<Host<L>>, PackError> {
        let (shape, elements) = (IxDyn(self.sizes()), self.try_unpack()?);
        Ok(ArrayD::from_shape_vec(shape, elements).expect("as many elements as the sizes say"))
    }

    /// The array as a view of `ndarray`, without a copy. `None` unless the layout stores host values and has strides, that is,
    /// no tiles that break them.
    ///
    /// ```
    /// use tensor_layout::{Layout, tiled};
    /// let columns = <tiled!(f32[2,3]{0,1})>::pack(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]).unwrap();
    /// let view = columns.as_ndarray().unwrap();
    /// assert_eq!((view.strides(), view[[1, 2]]), (&[1, 2][..], 6.0));
    /// ```
    pub fn as_ndarray(self) -> Option<ArrayViewD<'a, Host<L>>> {
        if self.sizes().contains(&0) {
            return ArrayView::from_shape(IxDyn(self.sizes()), &[]).ok();
        }
        let map = Const::<L>::SPEC.map();
        let strides: Option<alloc::vec::Vec<usize>> =
            (0..L::RANK).map(|dim| map.stride(dim)).collect();
        let shape = IxDyn(self.sizes()).strides(IxDyn(&strides?));
        ArrayView::from_shape(shape, elements(self)?).ok()
    }
}

impl<L: Layout> Packed<L> {
    /// Packs an array of `ndarray`, whatever its order in memory.
    ///
    /// ```
    /// use ndarray::array;
    /// use tensor_layout::{Packed, tpu};
    /// let array = array![[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]];
    /// let packed = Packed::<tpu!(f32[2,3])>::from_ndarray(array.t()).unwrap();
    /// assert_eq!(packed.unpack(), [1.0, 3.0, 5.0, 2.0, 4.0, 6.0]);
    /// ```
    ///
    /// # Errors
    /// [`PackError::Window`] if the array does not have the sizes of the layout (for bounded dimensions, at most these), and as
    /// for [`Layout::pack`].
    pub fn from_ndarray<D: Dimension>(array: ArrayView<'_, Host<L>, D>) -> Result<Self, PackError> {
        let mut sizes = L::Index::default();
        if array.ndim() != L::RANK {
            let dim = array.ndim().min(L::RANK);
            return Err(PackError::Window { dim, layout: (*Const::<L>::SPEC).into() });
        }
        sizes.as_mut().copy_from_slice(array.shape());
        let mut packed = Self::with_sizes(sizes)?;
        let copy;
        let row_major = if let Some(elements) = array.as_slice() {
            elements
        } else {
            let spec = Const::<L>::SPEC;
            let mut elements = allocate(spec, array.len())?;
            elements.iter_mut().zip(&array).for_each(|(to, x)| *to = *x);
            copy = elements;
            &copy
        };
        packed.as_mut().pack_window(L::Index::default(), sizes, row_major)?;
        Ok(packed)
    }

    forward! {
        PackedRef::to_ndarray() -> Result<ArrayD<Host<L>>, PackError>;
        PackedRef::as_ndarray() -> Option<ArrayViewD<'_, Host<L>>>;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::*;
    use crate::{BF16, F32, S4, Tiled};
    use half::bf16;
    use ndarray::Array3;

    type Tiles = Tiled<F32, Shape3<3, 5, 7>, Order3<1, 2, 0>, (Tile2<2, 4>,)>;

    #[test]
    fn arrays_go_in_and_out_in_any_order_of_memory() {
        let array = Array3::from_shape_fn((7, 3, 5), |(i, j, k)| (i * 100 + j * 10 + k) as f32);
        let turned = array.view().permuted_axes([1, 2, 0]);
        let packed = Packed::<Tiles>::from_ndarray(turned).unwrap();
        assert_eq!(packed.get([2, 4, 6]), 624.0);
        assert_eq!(packed.to_ndarray().unwrap(), turned.into_dyn());
        assert!(packed.as_ndarray().is_none(), "tiles have no strides");
        let error = Packed::<Tiles>::from_ndarray(array.view()).unwrap_err();
        assert!(matches!(error, PackError::Window { dim: 0, .. }), "{error}");
        assert!(Packed::<Tiles>::from_ndarray(ndarray::arr1(&[1.0]).view()).is_err());
    }

    #[test]
    fn layouts_with_strides_are_viewed() {
        type Columns = Tiled<BF16, Shape2<3, 5>, Order2<0, 1>, (), (Bounded<2>,)>;
        let mut columns = Packed::<Columns>::from_fn(|[i, j]| bf16::from_f32((i * 10 + j) as f32));
        columns.set_len(1, 4).unwrap();
        let view = columns.as_ndarray().unwrap();
        assert_eq!((view.shape(), view.strides()), (&[3, 4][..], &[1, 3][..]));
        assert_eq!(view, columns.to_ndarray().unwrap());
        assert_eq!(view.as_ptr().cast(), columns.as_bytes().as_ptr());
        type Nibbles = Tiled<S4, Shape1<3>, Order1<0>, (), (ElementBits<4>,)>;
        assert!(Packed::<Nibbles>::filled(1).as_ndarray().is_none(), "two elements in a byte");
        let empty = Packed::<Tiled<F32, Shape2<0, 3>, Order2<1, 0>>>::zeroed().unwrap();
        assert_eq!(empty.as_ndarray().unwrap().shape(), [0, 3]);
    }
}
