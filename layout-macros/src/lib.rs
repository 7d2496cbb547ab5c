//! The procedural macros of tensor-layout. Use that crate instead.
//!
//! ```text
//! tokens -> [visible] -> [flatten] -> layout_core::syntax (grammar, rules) -> [emit] -> a type
//!                                                \-> diagnostics -> [error] -> compile errors, each under its token
//! ```
//! The macros contain no rules: layout-core defines what is allowed, and what it means.
#![warn(clippy::missing_errors_doc, clippy::missing_panics_doc, clippy::missing_safety_doc)]

#[cfg(not(all(feature = "sparse", feature = "sharding")))]
mod absent;
mod conditions;
mod editor;
mod einsum;
// All macros share these modules, which are complete whichever features are on.
#[cfg_attr(not(feature = "sharding"), allow(dead_code))]
mod emit;
mod error;
#[cfg_attr(not(feature = "sparse"), allow(dead_code))]
mod flatten;
#[cfg(any(feature = "sparse", feature = "sharding"))]
mod items;
mod layouts;
mod lines;
mod listing;
mod manifest;
#[cfg(feature = "sharding")]
mod mesh;
mod package;
mod page;
#[cfg(feature = "sharding")]
mod propagate;
#[cfg(feature = "sharding")]
mod propagate_file;
#[cfg(feature = "sharding")]
mod propagate_run;
mod quantized;
mod root;
#[cfg_attr(not(all(feature = "sparse", feature = "sharding")), allow(dead_code))]
mod rust;
mod scan;
#[cfg(feature = "sharding")]
mod sharded;
#[cfg(all(feature = "sparse", feature = "sharding"))]
mod sharded_sparse;
#[cfg(feature = "sharding")]
mod sharding_rule;
#[cfg(feature = "sparse")]
mod sparse_encoding;
#[cfg(feature = "sparse")]
mod sparse_kernel;
#[cfg(feature = "sparse")]
mod sparse_tensor;
#[cfg(feature = "sharding")]
mod stand_in;
mod tiled;
mod tpu;
#[cfg_attr(not(feature = "sharding"), allow(dead_code))]
mod uses;
mod visible;
mod warning;

#[cfg(not(feature = "sharding"))]
use absent::sharded;
#[cfg(all(feature = "sharding", not(feature = "sparse")))]
use absent::sharded_sparse;
#[cfg(not(feature = "sparse"))]
use absent::{sparse_encoding, sparse_tensor};
use proc_macro::TokenStream;
use visible::visible;

/// The expansion of tensor-layout's `tiled!`.
#[proc_macro]
pub fn tiled(input: TokenStream) -> TokenStream {
    root::expand(visible(input.into()), tiled::expand).into()
}

/// The expansion of tensor-layout's `tpu!`.
#[proc_macro]
pub fn tpu(input: TokenStream) -> TokenStream {
    root::expand(visible(input.into()), tpu::expand).into()
}

/// The expansion of tensor-layout's `quantized!`.
#[proc_macro]
pub fn quantized(input: TokenStream) -> TokenStream {
    root::expand(visible(input.into()), quantized::expand).into()
}

/// The expansion of tensor-layout's `einsum!`.
#[proc_macro]
pub fn einsum(input: TokenStream) -> TokenStream {
    root::expand(input.into(), einsum::expand).into()
}

/// The expansion of tensor-layout's `sparse_encoding!`.
#[cfg(feature = "sparse")]
#[proc_macro]
pub fn sparse_encoding(input: TokenStream) -> TokenStream {
    root::expand(visible(input.into()), sparse_encoding::expand).into()
}

/// The expansion of tensor-layout's `sparse_tensor!`.
#[cfg(feature = "sparse")]
#[proc_macro]
pub fn sparse_tensor(input: TokenStream) -> TokenStream {
    root::expand(visible(input.into()), sparse_tensor::expand).into()
}

/// The expansion of tensor-layout's `sparse_kernel!`.
#[cfg(feature = "sparse")]
#[proc_macro]
pub fn sparse_kernel(input: TokenStream) -> TokenStream {
    root::expand(visible(input.into()), sparse_kernel::expand).into()
}

/// Continues `sparse_kernel!` once an encoding is known. Do not use it directly.
#[doc(hidden)]
#[cfg(feature = "sparse")]
#[proc_macro]
pub fn __sparse_kernel_on(input: TokenStream) -> TokenStream {
    root::expand(input.into(), sparse_kernel::on_encoding).into()
}

/// The expansion of tensor-layout's `mesh!`.
#[cfg(feature = "sharding")]
#[proc_macro]
pub fn mesh(input: TokenStream) -> TokenStream {
    root::expand(visible(input.into()), mesh::expand).into()
}

/// The expansion of tensor-layout's `sharded!`.
#[cfg(feature = "sharding")]
#[proc_macro]
pub fn sharded(input: TokenStream) -> TokenStream {
    root::expand(visible(input.into()), sharded::expand).into()
}

/// Continues `sharded!` once the mesh is known. Do not use it directly.
#[doc(hidden)]
#[cfg(feature = "sharding")]
#[proc_macro]
pub fn __sharded_on(input: TokenStream) -> TokenStream {
    root::expand(input.into(), sharded::on_mesh).into()
}

/// The expansion of tensor-layout's `sharding_rule!`.
#[cfg(feature = "sharding")]
#[proc_macro]
pub fn sharding_rule(input: TokenStream) -> TokenStream {
    root::expand(visible(input.into()), sharding_rule::expand).into()
}

/// The expansion of tensor-layout's `propagate!`.
#[cfg(feature = "sharding")]
#[proc_macro]
pub fn propagate(input: TokenStream) -> TokenStream {
    root::expand(visible(input.into()), propagate::expand).into()
}

/// Continues `propagate!` once a mesh or a rule is known. Do not use it directly.
#[doc(hidden)]
#[cfg(feature = "sharding")]
#[proc_macro]
pub fn __propagate_on(input: TokenStream) -> TokenStream {
    root::expand(input.into(), propagate::on_definition).into()
}

/// The expansion of tensor-layout's `layouts!`.
#[proc_macro]
pub fn layouts(input: TokenStream) -> TokenStream {
    root::expand(visible(input.into()), layouts::expand).into()
}

/// Continues `layouts!` once a mesh is known. Do not use it directly.
#[doc(hidden)]
#[cfg(feature = "sharding")]
#[proc_macro]
pub fn __layouts_on(input: TokenStream) -> TokenStream {
    root::expand(input.into(), sharded::aliases_on_mesh).into()
}

/// The expansion of tensor-layout's `checkpoint!`.
#[proc_macro]
pub fn checkpoint(input: TokenStream) -> TokenStream {
    root::expand(visible(input.into()), manifest::expand).into()
}

/// A Markdown file of a package that includes its pictures. Do not use it directly.
#[doc(hidden)]
#[proc_macro]
pub fn __page(input: TokenStream) -> TokenStream {
    page::expand(input.into()).into()
}

/// The names that an editor offers inside the macros, as modules. Do not use it directly.
#[doc(hidden)]
#[proc_macro]
pub fn __offers(_: TokenStream) -> TokenStream {
    editor::modules().into()
}

/// Pictures of layouts for documentation. Do not use it directly.
#[doc(hidden)]
#[proc_macro]
pub fn __pictures(input: TokenStream) -> TokenStream {
    page::pictures(input.into()).into()
}

/// The expansion of tensor-layout's `layouts_index!`.
#[proc_macro]
pub fn layouts_index(input: TokenStream) -> TokenStream {
    root::expand(visible(input.into()), listing::index).into()
}

/// The expansion of tensor-layout's `layouts_listing!`.
#[proc_macro]
pub fn layouts_listing(input: TokenStream) -> TokenStream {
    root::expand(visible(input.into()), listing::listing).into()
}
