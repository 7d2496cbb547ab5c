//! The formats of matrices that other crates also have, as types and as operands of `sparse_kernel!`.
//!
//! ```
//! use tensor_layout::sparse::{Duplicates, SparseTensor, formats};
//! use tensor_layout::sparse_kernel;
//!
//! sparse_kernel! {
//!     fn spmv(a: formats::Csr<f64>[i, j], x: Dense<f64>[j]) -> y: Dense<f64>[i] { y[i] += a[i, j] * x[j] }
//! }
//!
//! let a = SparseTensor::<formats::Csr, f64>::from_coo([2, 3], &[([1, 2], 2.0)], Duplicates::Error)?;
//! assert_eq!(spmv(&a, &[1.0, 1.0, 4.0])?.values(), [0.0, 8.0]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::typed::Encoded;
use super::types::{
    Compressed, Dense, Dim, Floordiv, Level, Mod, Nonunique, Rank, Singleton, Structured,
};
use layout_core::sparse::Bits2;

/// Compressed sparse rows: `(i, j) -> (i : dense, j : compressed)`.
///
/// ```
/// use tensor_layout::sparse::{SparseTensor, formats::Csr};
/// let matrix = SparseTensor::<Csr<u32, u32>, f64>::from_dense([2, 3], &[0.0, 5.0, 0.0, 7.0, 0.0, 9.0])?;
/// assert_eq!((matrix.positions(1), matrix.coordinates(1)), (&[0, 1, 3][..], &[1, 0, 2][..]));
/// # Ok::<(), tensor_layout::sparse::BuildError>(())
/// ```
pub type Csr<P = usize, C = usize> =
    Encoded<Rank<2>, (Level<Dim<0>, Dense>, Level<Dim<1>, Compressed>), P, C>;

/// Compressed sparse columns: `(i, j) -> (j : dense, i : compressed)`.
///
/// ```
/// use tensor_layout::sparse::{SparseTensor, formats::Csc};
/// let matrix = SparseTensor::<Csc, f64>::from_dense([2, 3], &[0.0, 5.0, 0.0, 7.0, 0.0, 9.0])?;
/// assert_eq!((matrix.positions(1), matrix.values()), (&[0, 1, 2, 3][..], &[7.0, 5.0, 9.0][..]));
/// # Ok::<(), tensor_layout::sparse::BuildError>(())
/// ```
pub type Csc<P = usize, C = usize> =
    Encoded<Rank<2>, (Level<Dim<1>, Dense>, Level<Dim<0>, Compressed>), P, C>;

/// Sorted entries: `(i, j) -> (i : compressed(nonunique), j : singleton)`.
///
/// ```
/// use tensor_layout::sparse::{SparseTensor, formats::Coo};
/// let matrix = SparseTensor::<Coo, f64>::from_dense([2, 3], &[0.0, 5.0, 0.0, 7.0, 0.0, 9.0])?;
/// assert_eq!(matrix.coordinates(0), [0, 1, 1, 0, 1, 2]);          // row, column, row, column, ..
/// # Ok::<(), tensor_layout::sparse::BuildError>(())
/// ```
pub type Coo<P = usize, C = usize> =
    Encoded<Rank<2>, (Level<Dim<0>, Nonunique<Compressed>>, Level<Dim<1>, Singleton>), P, C>;

/// Two of each four elements of a row, with coordinates of two bits, as tensor cores of GPUs read them:
/// `(i, j) -> (i : dense, j floordiv 4 : dense, j mod 4 : structured[2, 4]), crdWidth = 2`.
///
/// ```
/// use tensor_layout::half::bf16;
/// use tensor_layout::sparse::{SparseTensor, formats::TwoOfFour};
/// let weights = [0.0, 5.0, 0.0, 7.0, 0.0, 0.0, 0.0, 9.0].map(bf16::from_f32);
/// let matrix = SparseTensor::<TwoOfFour, bf16>::from_dense([1, 8], &weights)?;
/// assert_eq!(matrix.values().len(), 4);                           // two of each four
/// # Ok::<(), tensor_layout::sparse::BuildError>(())
/// ```
pub type TwoOfFour = Encoded<
    Rank<2>,
    (
        Level<Dim<0>, Dense>,
        Level<Floordiv<Dim<1>, 4>, Dense>,
        Level<Mod<Dim<1>, 4>, Structured<2, 4>>,
    ),
    usize,
    Bits2,
>;

/// The definition of [`Csr`], for macros.
#[doc(hidden)]
#[macro_export]
macro_rules! __formats_csr {
    ([$($callback:tt)*] $($rest:tt)*) => {
        $($callback)*! { $($rest)* { (i, j) -> (i : dense, j : compressed) } }
    };
}

/// The definition of [`Csc`], for macros.
#[doc(hidden)]
#[macro_export]
macro_rules! __formats_csc {
    ([$($callback:tt)*] $($rest:tt)*) => {
        $($callback)*! { $($rest)* { (i, j) -> (j : dense, i : compressed) } }
    };
}

/// The definition of [`Coo`], for macros.
#[doc(hidden)]
#[macro_export]
macro_rules! __formats_coo {
    ([$($callback:tt)*] $($rest:tt)*) => {
        $($callback)*! { $($rest)* { (i, j) -> (i : compressed(nonunique), j : singleton) } }
    };
}

/// The definition of [`TwoOfFour`], for macros.
#[doc(hidden)]
#[macro_export]
macro_rules! __formats_two_of_four {
    ([$($callback:tt)*] $($rest:tt)*) => {
        $($callback)*! { $($rest)* {
            (i, j) -> (i : dense, j floordiv 4 : dense, j mod 4 : structured[2, 4]), crdWidth = 2
        } }
    };
}

#[doc(hidden)]
pub use crate::{
    __formats_coo as Coo, __formats_csc as Csc, __formats_csr as Csr,
    __formats_two_of_four as TwoOfFour,
};
