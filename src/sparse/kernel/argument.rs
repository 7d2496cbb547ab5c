//! The types that generated kernels accept for their operands, and the sizes that these types contain.

use super::dense::{Dense, DenseMut, DenseRef};
use super::error::KernelError;
use crate::sparse::{
    BlockTensor, Encoding, ShapedTensor, SparseElement, SparseSlice, SparseTensor, SparseTensorRef,
};
use crate::typed::types::{Known, OpenShape, Shape, Shape1, Shape2, Unknown};
use crate::typed::{Host, Layout};
use alloc::boxed::Box;
use alloc::rc::Rc;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::ops::Deref;
use half::{bf16, f16};
use num_complex::Complex;

/// An array whose type may contain sizes. A call of a function of `sparse_kernel!` does not compile if the sizes in the types of
/// its arguments contradict each other. Sizes that are only known at run time are compared when it runs.
///
/// A function that is generic over two sizes that must be equal requires that with `where Known<N>: SameSize<M>`. Or it passes an
/// array whose type does not contain the sizes, such as `&**matrix` and `&x[..]`:
///
/// ```
/// use tensor_layout::sparse::formats::Csr;
/// use tensor_layout::types::{Known, SameSize};
/// use tensor_layout::{sparse_kernel, sparse_tensor};
/// sparse_kernel! {
///     fn spmv(a: {(i, j) -> (i : dense, j : compressed)}<f64>[i, j], x: Dense<f64>[j]) -> y: Dense<f64>[i] {
///         y[i] += a[i, j] * x[j]
///     }
/// }
/// type Matrix<const N: usize> = sparse_tensor!(f64[4, N] Csr);
/// fn first<const N: usize, const M: usize>(a: &Matrix<N>, x: &[f64; M]) -> f64
/// where
///     Known<M>: SameSize<N>,
/// {
///     spmv(a, x).unwrap().values()[0]
/// }
/// fn checked_when_it_runs<const N: usize, const M: usize>(a: &Matrix<N>, x: &[f64; M]) -> bool {
///     spmv(a, &x[..]).is_ok()
/// }
/// # fn main() {
/// let matrix = Matrix::<6>::empty().unwrap();
/// assert_eq!(first(&matrix, &[1.0; 6]), 0.0);
/// assert!(!checked_when_it_runs(&matrix, &[1.0; 5]));
/// # }
/// ```
///
/// A type of your own that converts into a [`DenseRef`] also needs an implementation. `type Sizes = Unknown` states that the sizes
/// are only known at run time, and `type Sizes = Shape2<3, 5>` states the sizes.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an array of {RANK} dimensions that a kernel can take",
    note = "a slice of values has rank 1; `DenseRef::new([..], &values)?` gives it the sizes of another rank",
    note = "of a type of your own, `impl StaticSizes<{RANK}> for ..` says which sizes it knows"
)]
pub trait StaticSizes<const RANK: usize> {
    /// The sizes that the type contains: a [`Shape`], an [`OpenShape`] or [`Unknown`].
    type Sizes;
}

/// An argument of a function of `sparse_kernel!` for a dense operand: a slice, an array or a `Vec` of rank 1, a slice, an array or
/// a `Vec` of rows that are arrays, a [`Dense`] of any rank, and any other type that converts into a [`DenseRef`].
///
/// ```
/// use tensor_layout::sparse_kernel;
/// use tensor_layout::sparsify::DenseRef;
/// sparse_kernel! { fn sum(a: Dense<f32>[i, j]) -> s: f32 { s += a[i, j] } }
/// # fn main() -> Result<(), tensor_layout::sparsify::KernelError> {
/// let values = vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
/// assert_eq!(sum(DenseRef::new([2, 3], &values)?)?, 21.0);
/// assert_eq!(sum(&[[1.0, 2.0], [3.0, 4.0]])?, 10.0);
/// # Ok(())
/// # }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a dense operand of rank {RANK} with elements of type `{T}`",
    label = "not what the kernel takes",
    note = "a dense operand is borrowed, and has the elements that the kernel names: `&x` of an array, a `Vec` or a slice, of rows for two dimensions, or `DenseRef::new([..], &values)?` for any number of them"
)]
pub trait DenseOperand<'a, T: 'a, const RANK: usize>:
    Into<DenseRef<'a, T, RANK>> + StaticSizes<RANK>
{
}

#[diagnostic::do_not_recommend]
impl<'a, T: 'a, A, const RANK: usize> DenseOperand<'a, T, RANK> for A where
    A: Into<DenseRef<'a, T, RANK>> + StaticSizes<RANK>
{
}

/// An argument of a function of `sparse_kernel!` for a dense output: the mutable form of a [`DenseOperand`].
///
/// ```
/// use tensor_layout::sparse_kernel;
/// use tensor_layout::sparsify::DenseMut;
/// sparse_kernel! {
///     fn double(x: Dense<f64>[i]) -> y: Dense<f64>[i] { y[i] = 2 * x[i] }
/// }
/// # fn main() -> Result<(), tensor_layout::sparsify::KernelError> {
/// let mut y = [0.0; 2];
/// double_into(&[1.0, 3.0], &mut y)?;
/// assert_eq!(y, [2.0, 6.0]);
/// # Ok(())
/// # }
/// ```
#[diagnostic::on_unimplemented(
    message = "the kernel writes to a dense array of rank {RANK} with elements of type `{T}`",
    label = "not a mutable dense array of rank {RANK} of `{T}`",
    note = "the argument is `{Self}`; `DenseMut::new([..], &mut values)?` gives the sizes of a slice"
)]
pub trait DenseOutput<'a, T: 'a, const RANK: usize>:
    Into<DenseMut<'a, T, RANK>> + StaticSizes<RANK>
{
}

#[diagnostic::do_not_recommend]
impl<'a, T: 'a, A, const RANK: usize> DenseOutput<'a, T, RANK> for A where
    A: Into<DenseMut<'a, T, RANK>> + StaticSizes<RANK>
{
}

/// An argument of a function of `sparse_kernel!` for an operand of the encoding `E`: a tensor, one with its sizes in the type,
/// one over borrowed arrays, one of packed blocks, or a slice.
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
    note = "the argument is `{Self}`; `a.convert::<E>()?` changes the encoding of a sparse tensor, and `a.cast::<{T}>()` its values"
)]
pub trait SparseOperand<E: Encoding, T>: SparseArgument<Encoding = E, Value = T> {}

// The only implementation: of several, rustc would quote that of the argument, with its own encoding.
#[diagnostic::do_not_recommend]
impl<E: Encoding, T, A: SparseArgument<Encoding = E, Value = T> + ?Sized> SparseOperand<E, T>
    for A
{
}

/// A sparse tensor in any of its forms: a [`SparseTensor`], one with its sizes in the type, one over borrowed arrays, one of
/// packed blocks, or a slice. The bound [`SparseOperand`] names its encoding and its values.
///
/// ```
/// use tensor_layout::sparse::{Encoding, SparseTensor, formats::Csr};
/// use tensor_layout::sparsify::{KernelError, SparseArgument};
///
/// /// The number of values that a tensor stores, in whatever form it is given.
/// fn stored<A: SparseArgument<Value = f64>>(a: &A) -> Result<usize, KernelError> {
///     Ok(a.tensor()?.values().len())
/// }
/// let matrix = SparseTensor::<Csr, f64>::from_dense([2, 2], &[0.0, 5.0, 0.0, 7.0])?;
/// assert_eq!(stored(&matrix), Ok(2));
/// # Ok::<(), tensor_layout::sparse::BuildError>(())
/// ```
pub trait SparseArgument {
    /// The encoding.
    type Encoding: Encoding;
    /// The type of a value.
    type Value;
    /// The tensor that the loops read.
    type Tensor<'t>: Deref<Target = SparseTensor<Self::Encoding, Self::Value>>
    where
        Self: 't;

    /// The tensor that the loops read: this one or, for a slice or packed blocks, a new tensor.
    ///
    /// # Errors
    /// If the encoding cannot store the slice, or if memory cannot be allocated.
    fn tensor(&self) -> Result<Self::Tensor<'_>, KernelError>;
}

macro_rules! tensors {
    ($([$($generics:tt)*] $Tensor:ty;)*) => { $(
        #[diagnostic::do_not_recommend]
        impl<$($generics)*> SparseArgument for $Tensor {
            type Encoding = E;
            type Value = T;
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

#[diagnostic::do_not_recommend]
impl<E: Encoding, T: SparseElement> SparseArgument for SparseSlice<'_, E, T> {
    type Encoding = E;
    type Value = T;
    type Tensor<'t>
        = Box<SparseTensor<E, T>>
    where
        Self: 't;

    fn tensor(&self) -> Result<Box<SparseTensor<E, T>>, KernelError> {
        Ok(Box::new(self.to_tensor()?))
    }
}

#[diagnostic::do_not_recommend]
impl<E: Encoding, L: Layout> SparseArgument for BlockTensor<E, L> {
    type Encoding = E;
    type Value = Host<L>;
    type Tensor<'t>
        = Box<SparseTensor<E, Host<L>>>
    where
        Self: 't;

    fn tensor(&self) -> Result<Box<SparseTensor<E, Host<L>>>, KernelError> {
        Ok(Box::new(self.try_unpack()?))
    }
}

macro_rules! pointers {
    ($($Pointer:ty),*) => { $(
        #[diagnostic::do_not_recommend]
        impl<A: SparseArgument + ?Sized> SparseArgument for $Pointer {
            type Encoding = A::Encoding;
            type Value = A::Value;
            type Tensor<'t>
                = A::Tensor<'t>
            where
                Self: 't;

            #[inline]
            fn tensor(&self) -> Result<A::Tensor<'_>, KernelError> {
                (**self).tensor()
            }
        }

        #[diagnostic::do_not_recommend]
        impl<A: StaticSizes<RANK> + ?Sized, const RANK: usize> StaticSizes<RANK> for $Pointer {
            type Sizes = A::Sizes;
        }
    )* };
}
pointers!(&A, &mut A, Box<A>, Rc<A>, Arc<A>);

/// The elements of an array, which may be rows of elements. So an array has sizes for a rank that is not its own, and the one
/// error about it is that of [`DenseOperand`].
#[doc(hidden)]
pub trait Row {
    /// The sizes of an array of `M` of them, and of an array of any number of them.
    type Of<const M: usize>;
    type OfAny;
}

impl<T, const N: usize> Row for [T; N] {
    type Of<const M: usize> = Shape2<M, N>;
    type OfAny = OpenShape<(Unknown, Known<N>)>;
}

macro_rules! not_rows {
    ($([$($generics:tt)*] $T:ty),*) => { $(
        impl<$($generics)*> Row for $T {
            type Of<const M: usize> = Unknown;
            type OfAny = Unknown;
        }
    )* };
}
not_rows!(
    [] bool, [] f16, [] bf16, [] f32, [] f64, [] i8, [] i16, [] i32, [] i64, [] isize, [] u8, [] u16, [] u32, [] u64, [] usize,
    [T] Complex<T>, [T] Vec<T>, [T: ?Sized] &T
);

macro_rules! sizes {
    ($([$($generics:tt)*] $Array:ty: $rank:tt => $Sizes:ty;)*) => { $(
        #[diagnostic::do_not_recommend]
        impl<$($generics)*> StaticSizes<$rank> for $Array {
            type Sizes = $Sizes;
        }
    )* };
}
sizes! {
    [E: Encoding, T, const RANK: usize] SparseTensor<E, T>: RANK => Unknown;
    [E: Encoding, T, const RANK: usize] SparseTensorRef<'_, E, T>: RANK => Unknown;
    [E: Encoding, T, const RANK: usize] SparseSlice<'_, E, T>: RANK => Unknown;
    [E: Encoding, L: Layout, const RANK: usize] BlockTensor<E, L>: RANK => Unknown;
    [E: Encoding, T, S: Shape<Index = E::Index>, const RANK: usize] ShapedTensor<E, T, S>: RANK => S;
    [T] [T]: 1 => Unknown;
    [T] Vec<T>: 1 => Unknown;
    [T, const N: usize] [T; N]: 1 => Shape1<N>;
    [T: Row] [T]: 2 => T::OfAny;
    [T: Row] Vec<T>: 2 => T::OfAny;
    [T: Row, const M: usize] [T; M]: 2 => T::Of<M>;
    [T, const OWN: usize, const RANK: usize] Dense<T, OWN>: RANK => Unknown;
    [T, const OWN: usize, const RANK: usize] DenseRef<'_, T, OWN>: RANK => Unknown;
    [T, const OWN: usize, const RANK: usize] DenseMut<'_, T, OWN>: RANK => Unknown;
}

/// Arrays of Rust are not operands of these ranks.
macro_rules! sizes_of_other_ranks {
    ($($rank:literal)*) => { $( sizes! {
        [T] [T]: $rank => Unknown;
        [T] Vec<T>: $rank => Unknown;
        [T, const N: usize] [T; N]: $rank => Unknown;
    } )* };
}
sizes_of_other_ranks!(0 3 4 5 6 7 8 9 10 11 12 13 14 15 16);
