//! What a generated kernel takes for its operands, and the sizes that the types of these know.

use super::dense::{Dense, DenseMut, DenseRef};
use super::error::KernelError;
use crate::require::fail;
use crate::sparse::types::Slice;
use crate::sparse::{
    Encoding, ShapedTensor, SparseElement, SparseSlice, SparseTensor, SparseTensorRef,
};
use crate::typed::types::Shape;
use alloc::boxed::Box;
use alloc::rc::Rc;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::ops::Deref;
use layout_core::text::Text;

/// An array of which the type may know sizes. A function that `sparse_kernel!` generates does not compile if the sizes that
/// the types of its arguments know cannot fit together.
///
/// A type of your own that converts into a [`DenseRef`] needs an implementation too; an empty one says that only run time knows
/// the sizes.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an array of {RANK} dimensions that a kernel can take",
    note = "of a type of your own, `impl StaticSizes<{RANK}> for ..` says which sizes it knows; it may be empty"
)]
pub trait StaticSizes<const RANK: usize> {
    /// The size of each dimension; `None` where only run time knows it.
    const SIZES: [Option<usize>; RANK] = [None; RANK];
}

/// What a function that `sparse_kernel!` generates takes for an operand of the encoding `E`: a tensor, one with its sizes in
/// the type, one over borrowed arrays, or a slice.
///
/// ```
/// use tensor_layout::sparse::{Duplicates, SliceRange, formats::Csr};
/// use tensor_layout::{sparse_kernel, sparse_tensor};
/// sparse_kernel! {
///     fn sum(a: {(i, j) -> (i : dense, j : compressed)}<f64>[i, j]) -> s: f64 { s += a[i, j] }
/// }
/// # fn main() {
/// type Matrix = sparse_tensor!(f64[4, 6] Csr);
/// let matrix = Matrix::from_coo(&[([1, 5], 2.0), ([3, 0], 4.0)], Duplicates::Error).unwrap();
/// let lower = [SliceRange { offset: 2, size: 2, stride: 1 }, SliceRange { offset: 0, size: 6, stride: 1 }];
/// assert_eq!(sum(&matrix), Ok(6.0));
/// assert_eq!(sum(&matrix.slice(&lower).unwrap()), Ok(4.0));
/// # }
/// ```
#[diagnostic::on_unimplemented(
    message = "the kernel takes a sparse tensor of another encoding, or of other values",
    label = "not the sparse tensor that the kernel takes",
    note = "the kernel takes the encoding `{E}` and values of type `{T}`",
    note = "the argument is `{Self}`"
)]
pub trait SparseOperand<E: Encoding, T> {
    /// The tensor that the loops read.
    type Tensor<'t>: Deref<Target = SparseTensor<E, T>>
    where
        Self: 't;

    /// The tensor that the loops read: this one, or for a slice a tensor of its own.
    ///
    /// # Errors
    /// If the encoding cannot store the slice.
    fn tensor(&self) -> Result<Self::Tensor<'_>, KernelError>;
}

macro_rules! tensors {
    ($([$($generics:tt)*] $Tensor:ty;)*) => { $(
        impl<$($generics)*> SparseOperand<E, T> for $Tensor {
            type Tensor<'t>
                = &'t SparseTensor<E, T>
            where
                Self: 't;

            #[inline]
            fn tensor(&self) -> Result<&SparseTensor<E, T>, KernelError> {
                Ok(self)
            }
        }
    )* };
}
tensors! {
    [E: Encoding, T] SparseTensor<E, T>;
    [E: Encoding, T, S: Shape<Index = E::Index>] ShapedTensor<E, T, S>;
    [E: Encoding, T] SparseTensorRef<'_, E, T>;
}

impl<E: Encoding, T, const RANK: usize> StaticSizes<RANK> for SparseTensor<E, T> {}
impl<E: Encoding, T, const RANK: usize> StaticSizes<RANK> for SparseTensorRef<'_, E, T> {}
impl<E: Encoding, T, const RANK: usize> StaticSizes<RANK> for SparseSlice<'_, E, T> {}

impl<E: Encoding, T, S: Shape<Index = E::Index>, const RANK: usize> StaticSizes<RANK>
    for ShapedTensor<E, T, S>
{
    const SIZES: [Option<usize>; RANK] = {
        let mut sizes = [None; RANK];
        let mut dim = 0;
        while dim < RANK && dim < S::SIZES.len {
            if S::SIZES.items[dim] != Slice::DYNAMIC {
                sizes[dim] = Some(S::SIZES.items[dim]);
            }
            dim += 1;
        }
        sizes
    };
}

impl<E: Encoding, T: SparseElement> SparseOperand<E, T> for SparseSlice<'_, E, T> {
    type Tensor<'t>
        = Box<SparseTensor<E, T>>
    where
        Self: 't;

    fn tensor(&self) -> Result<Box<SparseTensor<E, T>>, KernelError> {
        Ok(Box::new(self.to_tensor()?))
    }
}

macro_rules! pointers {
    ($($Pointer:ty),*) => { $(
        impl<E: Encoding, T, A: SparseOperand<E, T> + ?Sized> SparseOperand<E, T> for $Pointer {
            type Tensor<'t>
                = A::Tensor<'t>
            where
                Self: 't;

            #[inline]
            fn tensor(&self) -> Result<A::Tensor<'_>, KernelError> {
                (**self).tensor()
            }
        }

        impl<A: StaticSizes<RANK> + ?Sized, const RANK: usize> StaticSizes<RANK> for $Pointer {
            const SIZES: [Option<usize>; RANK] = A::SIZES;
        }
    )* };
}
pointers!(&A, &mut A, Box<A>, Rc<A>, Arc<A>);

impl<T> StaticSizes<1> for [T] {}
impl<T> StaticSizes<1> for Vec<T> {}
impl<T, const N: usize> StaticSizes<1> for [T; N] {
    const SIZES: [Option<usize>; 1] = [Some(N)];
}
impl<T, const N: usize> StaticSizes<2> for [[T; N]] {
    const SIZES: [Option<usize>; 2] = [None, Some(N)];
}
impl<T, const N: usize> StaticSizes<2> for Vec<[T; N]> {
    const SIZES: [Option<usize>; 2] = [None, Some(N)];
}
impl<T, const M: usize, const N: usize> StaticSizes<2> for [[T; N]; M] {
    const SIZES: [Option<usize>; 2] = [Some(M), Some(N)];
}
impl<T, const RANK: usize> StaticSizes<RANK> for Dense<T, RANK> {}
impl<T, const RANK: usize> StaticSizes<RANK> for DenseRef<'_, T, RANK> {}
impl<T, const RANK: usize> StaticSizes<RANK> for DenseMut<'_, T, RANK> {}

/// Fails const evaluation if two sizes of an index are known and differ: `x` has `size`, `from` has `expected`.
#[track_caller]
pub const fn same_static_size(
    index: &str,
    (operand, size): (&str, Option<usize>),
    (from, expected): (&str, Option<usize>),
) {
    let (Some(size), Some(expected)) = (size, expected) else { return };
    if size != expected {
        let text = Text::new().str("index `").str(index).str("` is ").num(size).str(" in `");
        let text = text.str(operand).str("`, but ").num(expected).str(" in ").str(from);
        fail(text.as_str())
    }
}
