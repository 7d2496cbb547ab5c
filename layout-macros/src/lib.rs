//! The procedural macros of tensor-layout: use that crate.
//!
//! ```text
//! tokens -> [flatten] -> layout_core::syntax (grammar, rules) -> [emit] -> a type
//!                                   \-> diagnostics -> [error] -> compile errors, each under its token
//! ```
//! The macros know no rule of their own: what is allowed, and what it means, is layout-core's.

mod emit;
mod error;
mod flatten;
mod items;
mod sparse_encoding;
mod tiled;
mod tpu;

use proc_macro::TokenStream;

/// A tiled layout in XLA's notation, as a type.
///
/// Takes any static array shape of rank 0 to 8 as XLA prints it, `tiled!(bf16[1000,384]{1,0:T(8,128)(2,1)})`, and
/// the spelling of the documents, `tiled!(F32[3,5]<1,0:T(2,2)>)`. Without a layout the array is row-major.
///
/// A size is a literal, a name (a const, or a const generic parameter), or an expression in braces. Literals are
/// checked here, expressions under `cargo check`, names where the type is first used.
///
/// ```
/// use tensor_layout::{Layout, Packed, tiled};
///
/// type Weights = tiled!(bf16[1000,384]{1,0:T(8,128)(2,1)});
/// const _: () = assert!(Weights::LEN == 1000 * 384);
///
/// const ROWS: usize = 12;
/// type Rows = tiled!(f32[ROWS, {ROWS * 2}]{1,0:T(8,128)});
/// assert_eq!(Rows::DIMS, [12, 24]);
///
/// fn first<const N: usize>(x: &Packed<tiled!(f32[N, 128]{1,0:T(8,128)})>) -> f32 {
///     x.get([0, 0])
/// }
/// assert_eq!(first(&<tiled!(f32[3,128]{1,0:T(8,128)})>::pack(&[7.0; 3 * 128]).unwrap()), 7.0);
/// ```
///
/// The older layout of XLA, whose dimensions are padded to given widths with a given value:
///
/// ```
/// use tensor_layout::tiled;
/// type Padded = tiled!(f32[2,3]{0,1} padded to [3,5] with zero);
/// assert_eq!((Padded::LEN, Padded::offset([1, 2])), (15, 7));
/// ```
///
/// # Errors
/// Every mistake is an error under its own token:
///
/// ```compile_fail
/// type Bad = tensor_layout::tiled!(f32[3,5]{1,1:T(0,2)});
/// ```
#[proc_macro]
pub fn tiled(input: TokenStream) -> TokenStream {
    tiled::expand(input.into()).into()
}

/// The layout that the TPU compiler (TPU v4 and later) gives an array by default, as a type.
///
/// `tpu!(bf16[1000,384])` is the same type as `tiled!(bf16[1000,384]{1,0:T(8,128)(2,1)})`. Sizes may be literals,
/// consts, and expressions in braces. A const generic parameter cannot be used: the order of the dimensions depends
/// on the sizes, and stable Rust computes no const arguments from parameters.
///
/// ```
/// use tensor_layout::{Layout, tiled, tpu};
/// const ROWS: usize = 1000;
/// type Acts = tpu!(bf16[ROWS, 384]);
/// let same: fn() -> Option<Acts> = || None::<tiled!(bf16[1000,384]{1,0:T(8,128)(2,1)})>;
/// assert_eq!(Acts::SPEC.to_string(), "bf16[1000,384]{1,0:T(8,128)(2,1)}");
/// ```
#[proc_macro]
pub fn tpu(input: TokenStream) -> TokenStream {
    tpu::expand(input.into()).into()
}

/// A sparse encoding in MLIR's notation, as a type.
///
/// Takes a level map, with the other entries of the encoding behind it, or MLIR's whole text:
///
/// ```
/// use tensor_layout::sparse::Encoding;
/// use tensor_layout::sparse_encoding;
///
/// type Csr = sparse_encoding!((i, j) -> (i : dense, j : compressed));
/// type Dcsc = sparse_encoding!((i, j) -> (j : compressed, i : compressed), posWidth = 32, crdWidth = 8);
/// type Bsr = sparse_encoding!(#sparse_tensor.encoding<{
///     map = (i, j) ->
///         ( i floordiv 2 : dense, j floordiv 3 : compressed,
///           i mod 2      : dense, j mod 3      : dense )
/// }>);
/// assert_eq!(Csr::SPEC.to_string(), "#sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>");
/// ```
///
/// The level formats are those of MLIR, `dense`, `batch`, `compressed`, `loose_compressed`, `singleton` and
/// `structured[n, m]`, and two more: `range`, for the diagonals of DIA, and `delta[b]`, for gaps in place of coordinates.
/// The level map is proved to have an inverse.
///
/// ```
/// use tensor_layout::sparse_encoding;
/// type Dia = sparse_encoding!((i, j) -> (j - i : compressed, i : range));
/// type Ell = sparse_encoding!([c](i, j) -> (c * 3 * i : dense, i : dense, j : compressed));
/// type Nv24 = sparse_encoding!((i, j) -> (i : dense, j floordiv 4 : dense, j mod 4 : structured[2, 4]), crdWidth = 2);
/// ```
///
/// As an item it defines types whose tokens other macros can read, since it leaves a macro of the same name behind; one
/// `use` brings both:
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
#[proc_macro]
pub fn sparse_encoding(input: TokenStream) -> TokenStream {
    sparse_encoding::expand(input.into()).into()
}
