//! Operators and brackets of sparse tensors, which do not exist: their errors say what to write.

use super::no_brackets::no_brackets;
use super::tensor::SparseTensor;
use super::typed::Encoding;
use core::ops::{Add, Div, Mul, Sub};

/// The right operand of an operator of sparse tensors.
#[diagnostic::on_unimplemented(
    message = "sparse tensors have no operators: a kernel computes them",
    label = "not an operation on sparse tensors",
    note = "a sum: `sparse_kernel! {{ fn add(a: Csr<f64>[i, j], b: Csr<f64>[i, j]) -> c: Csr<f64>[i, j] {{ c[i, j] = a[i, j] + b[i, j] }} }}`",
    note = "a product: `sparse_kernel! {{ fn spmv(a: Csr<f64>[i, j], x: Dense<f64>[j]) -> y: Dense<f64>[i] {{ y[i] += a[i, j] * x[j] }} }}`",
    note = "each value alone: `a.map(|x| 2.0 * x)`"
)]
pub trait RightOperand {}

// With no implementation at all, rustc would propose to add one.
#[diagnostic::do_not_recommend]
impl RightOperand for core::convert::Infallible {}

macro_rules! operators {
    ($($Operator:ident $method:ident;)*) => { $(
        operators! { $Operator $method [E: Encoding, T, R] SparseTensor<E, T> }
        operators! { $Operator $method ['a, E: Encoding, T, R] &'a SparseTensor<E, T> }
    )* };
    ($Operator:ident $method:ident [$($generics:tt)*] $Tensor:ty) => {
        #[doc(hidden)]
        impl<$($generics)*> $Operator<R> for $Tensor
        where
            R: RightOperand,
        {
            type Output = Self;

            fn $method(self, _: R) -> Self {
                self
            }
        }
    };
}
operators! {
    Add add;
    Sub sub;
    Mul mul;
    Div div;
}

no_brackets! {
    [E: Encoding, T] [SparseTensor<E, T>]
    /// The index in `a[[0, 1]]`.
    #[diagnostic::on_unimplemented(
        message = "a sparse tensor has no elements in brackets: `a.get([i, j])` is an element",
        label = "an element that is not stored is zero, and has no reference",
        note = "`a.row(i)` is the entries of a row where rows are stored one after another, and `a.iter()` all entries"
    )]
    IndexInBrackets
}
