//! Documented aliases of layouts, and tables of them.

/// Layouts with documentation: each alias keeps its own comment, and gains the numbers and a picture of the layout.
///
/// An alias is made by [`tiled!`](crate::tiled!), [`tpu!`](crate::tpu!), [`sparse_encoding!`](crate::sparse_encoding!),
/// [`sparse_tensor!`](crate::sparse_tensor!) or [`sharded!`](crate::sharded!). Its page shows the canonical text in the
/// compiler's notation, the logical and the physical shape, stored elements, bytes and padding, the index function in source
/// form, and the offset of each element. For a sparse encoding it shows the contents of each level and a small matrix stored in
/// it, and for a sharding the part that each device stores. A search of the documentation for the canonical text finds the
/// alias.
///
/// ```
/// use tensor_layout::{Layout, layouts, mesh};
/// mesh! { pub Pod = ["data" = 2, "model" = 4] }
/// layouts! {
///     /// Weights of the first layer.
///     pub type W1 = tpu!(bf16[64,128]);
///     pub type Adj = sparse_encoding!((i, j) -> (i : dense, j : compressed));
///     pub type Emb = sharded!(bf16[32000,4096] @ Pod [{"data"}, {"model"}]);
/// }
/// # fn main() {
/// assert_eq!(W1::SPEC.to_string(), "bf16[64,128]{1,0:T(8,128)(2,1)}");
/// # }
/// ```
///
/// Only rustc knows the values of sizes that are names or expressions. The numbers and the picture then come from the file
/// `LAYOUTS.md`, which a test with [`layouts_listing!`](crate::layouts_listing) keeps up to date. An alias may have const
/// parameters, `type Rows<const N: usize> = tiled!(f32[N,128]);`; its page then has neither numbers nor a picture.
///
/// # Errors
/// Every mistake is an error under its own token:
///
/// ```compile_fail
/// tensor_layout::layouts! { pub type Bad = tiled!(f32[3,5]{1,1}); }
/// # fn main() {}
/// ```
#[macro_export]
macro_rules! layouts {
    ($($input:tt)*) => { $crate::__private::macros::layouts! { [$crate] $($input)* } };
}

/// A table of all layouts of a crate in Markdown, for its documentation: `#![doc = tensor_layout::layouts_index!()]`.
///
/// Reads the sources of the crate, starting from `src/lib.rs` or `src/main.rs`, or from the given file, relative to its
/// `Cargo.toml`: `layouts_index!("src/bin/model.rs")`. It finds the layouts that [`layouts!`] defines in the crate root
/// and in its modules, following `#[path]` and `cfg_attr`. If only rustc knows the values of sizes, the numbers come from the
/// file `LAYOUTS.md` that [`layouts_listing!`](crate::layouts_listing) keeps up to date. Meshes are also found through `use`.
/// Layouts that `#[cfg(..)]` excludes are left out; if only rustc can evaluate a condition, as for features, the layout is
/// listed with it.
///
/// ```no_run
/// let table: &str = tensor_layout::layouts_index!();
/// ```
#[macro_export]
macro_rules! layouts_index {
    ($($input:tt)*) => { $crate::__private::macros::layouts_index! { [$crate] $($input)* } };
}

/// All layouts of a crate, evaluated by rustc, as a `Listing`: for a test that keeps `LAYOUTS.md` and `LAYOUTS.json` up to
/// date, so that a reviewer sees in a diff that a layout changed, and by how many bytes.
///
/// ```no_run
/// #[test]
/// fn the_listing_is_up_to_date() {
///     tensor_layout::layouts_listing!().check(env!("CARGO_MANIFEST_DIR")).unwrap();   // `BLESS=1` rewrites it
/// }
/// ```
///
/// Accepts the same argument as [`layouts_index!`]. An alias must be visible in the crate root. Aliases that `#[cfg(..)]`
/// excludes are left out, as are those with parameters that have no default.
#[macro_export]
macro_rules! layouts_listing {
    ($($input:tt)*) => { $crate::__private::macros::layouts_listing! { [$crate] $($input)* } };
}
