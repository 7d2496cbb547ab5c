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
