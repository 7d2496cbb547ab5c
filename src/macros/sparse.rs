//! Sparse encodings and tensors in the notation of MLIR.

/// A sparse encoding in MLIR's notation, as a type.
///
/// Accepts a level map followed by the other entries of the encoding, or MLIR's whole text:
///
/// ```
/// use tensor_layout::sparse::Encoding;
/// use tensor_layout::sparse_encoding;
///
/// type Csr = sparse_encoding!((i, j) -> (i : dense, j : compressed));
/// type Dcsc = sparse_encoding!(
///     (i, j) -> (j : compressed, i : compressed), posWidth = 32, crdWidth = 8
/// );
/// type Bsr = sparse_encoding!(#sparse_tensor.encoding<{
///     map = (i, j) ->
///         ( i floordiv 2 : dense, j floordiv 3 : compressed,
///           i mod 2      : dense, j mod 3      : dense )
/// }>);
/// let text = "#sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>";
/// assert_eq!(Csr::SPEC.to_string(), text);
/// ```
///
/// A matrix stored in the first encoding, compressed rows. The positions are where the coordinates of each row begin and end:
///
#[cfg_attr(doc, doc = layout_macros::__pictures!("(i, j) -> (i : dense, j : compressed)"))]
///
/// The level formats are those of MLIR, `dense`, `batch`, `compressed`, `loose_compressed`, `singleton` and
/// `structured[n, m]`, and two more: `range`, for the diagonals of DIA, and `delta[b]`, which stores gaps instead of
/// coordinates. The macro proves that the level map has an inverse.
///
/// ```
/// use tensor_layout::sparse_encoding;
/// type Dia = sparse_encoding!((i, j) -> (j - i : compressed, i : range));
/// type Ell = sparse_encoding!([c](i, j) -> (c * 3 * i : dense, i : dense, j : compressed));
/// type Nv24 = sparse_encoding!(
///     (i, j) -> (i : dense, j floordiv 4 : dense, j mod 4 : structured[2, 4]), crdWidth = 2
/// );
/// ```
///
/// Used as an item, the macro defines types whose tokens other macros can read: it also defines a macro of the same name, and
/// one `use` imports both:
///
/// ```
/// tensor_layout::sparse_encoding! {
///     /// Rows of sorted columns.
///     pub type Csr = (i, j) -> (i : dense, j : compressed);
///     type Coo = (i, j) -> (i : compressed(nonunique), j : singleton);
/// }
/// # fn main() {
/// let text = Csr!([stringify]);
/// assert!(text.contains("compressed"));
/// # }
/// ```
///
/// # Errors
/// Every mistake is an error under its own token:
///
/// ```compile_fail
/// type Bad = tensor_layout::sparse_encoding!((i, j) -> (i floordiv 2 : dense, j : compresed));
/// ```
#[cfg_attr(docsrs, doc(cfg(feature = "sparse")))]
#[macro_export]
macro_rules! sparse_encoding {
    ($($input:tt)*) => { $crate::__private::macros::sparse_encoding! { [$crate] $($input)* } };
}

/// A sparse tensor with its sizes, as a type: MLIR's `tensor<4x6xf64, #CSR>`.
///
/// The encoding is an alias or MLIR's whole text. An alias names the type that Rust would spell that way: `#CSR` is `Csr`,
/// `#SortedCOO` is `SortedCoo`, and `#BSR_explicit` is `BsrExplicit`. The short form accepts any type that is an encoding, and
/// its sizes may also be names (consts or const generic parameters) and expressions in braces. `?` is a size that is known only
/// at run time.
///
/// ```
/// use tensor_layout::sparse::{Duplicates, formats};
/// use tensor_layout::{sparse_encoding, sparse_tensor};
///
/// sparse_encoding! { type Csr = (i, j) -> (i : dense, j : compressed); }
/// type A = sparse_tensor!(tensor<4x6xf64, #CSR>);
/// type B = sparse_tensor!(tensor<?x6xf64, #sparse_tensor.encoding<{ map = (i, j) -> (j : dense, i : compressed) }>>);
/// const ROWS: usize = 2;
/// type C = sparse_tensor!(f64[{ROWS * 2}, 6] formats::Csr<u32, u32>);
/// fn rows<const N: usize>(matrix: &sparse_tensor!(f64[N, 6] Csr)) -> [usize; N] {
///     core::array::from_fn(|i| matrix.row(i).count())
/// }
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let a = A::from_coo(&[([0, 1], 1.0), ([3, 5], 2.0)], Duplicates::Error)?;
/// assert_eq!(rows(&a), [1, 0, 0, 1]);
/// let b = B::with_shape([3, 6], &[], Duplicates::Error)?;
/// assert_eq!((b.shape(), C::empty()?.shape()), ([3, 6], [4, 6]));
/// assert_eq!(
///     A::SPEC.to_string(),
///     "tensor<4x6xf64, #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>>",
/// );
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// Every mistake is an error under its own token:
///
/// ```compile_fail
/// type Bad = tensor_layout::sparse_tensor!(f64[4,x-6] Csr);
/// ```
#[cfg_attr(docsrs, doc(cfg(feature = "sparse")))]
#[macro_export]
macro_rules! sparse_tensor {
    ($($input:tt)*) => { $crate::__private::macros::sparse_tensor! { [$crate] $($input)* } };
}
