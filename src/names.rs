//! Methods under the names that they have in NumPy, PyTorch and SciPy.
//!
//! The traits are not in scope by default: each thing has one name here. Where a method is called by its other name, rustc
//! says which trait to import; the documentation of the method says what it is called here.
//!
//! ```
//! use tensor_layout::names::ArrayNames;
//! use tensor_layout::{Packed, tpu};
//! type Weights = tpu!(f32[2,3]);
//! let weights = Packed::<Weights>::pack(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0])?;
//! assert_eq!((weights.shape(), weights.ndim(), weights.size()), ([2, 3], 2, 6));
//! assert_eq!(weights.tolist(), weights.unpack());
//! let transposed: Packed<tpu!(f32[3,2])> = weights.t();
//! let square: Packed<tpu!(f32[2,2])> = weights.mm(&transposed);
//! assert_eq!(square.tolist(), [14.0, 32.0, 32.0, 77.0]);
//! # Ok::<(), tensor_layout::PackError>(())
//! ```

use crate::compute::{Operand, ProductOf, ShapeOfProduct, matmul};
#[cfg(feature = "sparse")]
use crate::sparse::{BuildError, Encoding, SparseElement, SparseTensor};
use crate::typed::{Host, Layout, Packed, SameElement};
use alloc::vec::Vec;

/// Methods of [`Packed`] under the names of NumPy and PyTorch.
pub trait ArrayNames {
    /// The layout of the array.
    type Layout: Layout;

    /// [`Packed::dims`]: the sizes of the dimensions.
    fn shape(&self) -> <Self::Layout as Layout>::Index;

    /// [`Layout::RANK`]: the number of dimensions.
    fn ndim(&self) -> usize {
        <Self::Layout as Layout>::RANK
    }

    /// The number of elements, without padding; saturates.
    fn size(&self) -> usize {
        self.shape().as_ref().iter().fold(1, |size, dim| size.saturating_mul(*dim))
    }

    /// [`Packed::unpack`]: the elements in row-major order.
    fn tolist(&self) -> Vec<Host<Self::Layout>>;

    /// [`Packed::unpack`]: the elements in row-major order.
    fn to_vec(&self) -> Vec<Host<Self::Layout>> {
        self.tolist()
    }

    /// [`Packed::unpack`]: the elements in row-major order.
    fn numpy(&self) -> Vec<Host<Self::Layout>> {
        self.tolist()
    }

    /// [`Packed::transpose`]: all dimensions in reverse order.
    fn t<M>(&self) -> Packed<M>
    where
        M: Layout<Element: SameElement<<Self::Layout as Layout>::Element>>;

    /// [`matmul`]: the matrix product with `b`.
    fn mm<B, C>(&self, b: &B) -> Packed<C>
    where
        B: Operand,
        C: ProductOf<Self::Layout, B::Layout>
            + Layout<
                Shape: ShapeOfProduct<
                    <Self::Layout as Layout>::Shape,
                    <B::Layout as Layout>::Shape,
                >,
            >;

    /// [`matmul`](fn@matmul): the matrix product with `b`.
    fn matmul<B, C>(&self, b: &B) -> Packed<C>
    where
        B: Operand,
        C: ProductOf<Self::Layout, B::Layout>
            + Layout<
                Shape: ShapeOfProduct<
                    <Self::Layout as Layout>::Shape,
                    <B::Layout as Layout>::Shape,
                >,
            >,
    {
        self.mm(b)
    }
}

impl<L: Layout> ArrayNames for Packed<L> {
    type Layout = L;

    fn shape(&self) -> L::Index {
        self.dims()
    }

    fn tolist(&self) -> Vec<Host<L>> {
        self.unpack()
    }

    fn t<M>(&self) -> Packed<M>
    where
        M: Layout<Element: SameElement<L::Element>>,
    {
        self.transpose()
    }

    fn mm<B, C>(&self, b: &B) -> Packed<C>
    where
        B: Operand,
        C: ProductOf<L, B::Layout>
            + Layout<Shape: ShapeOfProduct<L::Shape, <B::Layout as Layout>::Shape>>,
    {
        matmul(self, b)
    }
}

/// Methods of [`SparseTensor`] under the names of SciPy.
///
/// ```
/// use tensor_layout::names::SparseNames;
/// use tensor_layout::sparse::{Duplicates, SparseTensor, formats::Csr};
/// let a = SparseTensor::<Csr, f64>::from_coo([2, 3], &[([0, 1], 2.0)], Duplicates::Error).unwrap();
/// assert_eq!((a.nnz(), a.data()), (1, &[2.0][..]));
/// assert_eq!(a.toarray().unwrap(), a.to_dense().unwrap());
/// ```
#[cfg(feature = "sparse")]
pub trait SparseNames<T> {
    /// [`SparseTensor::number_of_entries`]: the number of stored entries.
    fn nnz(&self) -> usize;

    /// [`SparseTensor::values`]: the stored values.
    fn data(&self) -> &[T];

    /// [`SparseTensor::to_dense`]: all elements in row-major order.
    ///
    /// # Errors
    /// If the array has too many elements, or there is no memory for it.
    fn toarray(&self) -> Result<Vec<T>, BuildError>
    where
        T: SparseElement;
}

#[cfg(feature = "sparse")]
impl<E: Encoding, T> SparseNames<T> for SparseTensor<E, T> {
    fn nnz(&self) -> usize {
        self.number_of_entries()
    }

    fn data(&self) -> &[T] {
        self.values()
    }

    fn toarray(&self) -> Result<Vec<T>, BuildError>
    where
        T: SparseElement,
    {
        self.to_dense()
    }
}
