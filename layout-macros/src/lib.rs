//! The procedural macros of tensor-layout: use that crate.
//!
//! ```text
//! tokens -> [visible] -> [flatten] -> layout_core::syntax (grammar, rules) -> [emit] -> a type
//!                                                \-> diagnostics -> [error] -> compile errors, each under its token
//! ```
//! The macros know no rule of their own: what is allowed, and what it means, is layout-core's.

#[cfg(not(all(feature = "sparse", feature = "sharding")))]
mod absent;
mod conditions;
mod editor;
mod einsum;
// Shared by all macros, and whole whichever of them are on.
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

/// What `tiled!` of tensor-layout becomes.
#[proc_macro]
pub fn tiled(input: TokenStream) -> TokenStream {
    root::expand(visible(input.into()), tiled::expand).into()
}

/// What `tpu!` of tensor-layout becomes.
#[proc_macro]
pub fn tpu(input: TokenStream) -> TokenStream {
    root::expand(visible(input.into()), tpu::expand).into()
}

/// What `quantized!` of tensor-layout becomes.
#[proc_macro]
pub fn quantized(input: TokenStream) -> TokenStream {
    root::expand(visible(input.into()), quantized::expand).into()
}

/// What `einsum!` of tensor-layout becomes.
#[proc_macro]
pub fn einsum(input: TokenStream) -> TokenStream {
    root::expand(input.into(), einsum::expand).into()
}

/// What `sparse_encoding!` of tensor-layout becomes.
#[cfg(feature = "sparse")]
#[proc_macro]
pub fn sparse_encoding(input: TokenStream) -> TokenStream {
    root::expand(visible(input.into()), sparse_encoding::expand).into()
}

/// What `sparse_tensor!` of tensor-layout becomes.
#[cfg(feature = "sparse")]
#[proc_macro]
pub fn sparse_tensor(input: TokenStream) -> TokenStream {
    root::expand(visible(input.into()), sparse_tensor::expand).into()
}

/// What `sparse_kernel!` of tensor-layout becomes.
#[cfg(feature = "sparse")]
#[proc_macro]
pub fn sparse_kernel(input: TokenStream) -> TokenStream {
    root::expand(visible(input.into()), sparse_kernel::expand).into()
}

/// What `sparse_kernel!` becomes once an encoding is known. Not for use by hand.
#[doc(hidden)]
#[cfg(feature = "sparse")]
#[proc_macro]
pub fn __sparse_kernel_on(input: TokenStream) -> TokenStream {
    root::expand(input.into(), sparse_kernel::on_encoding).into()
}

/// What `mesh!` of tensor-layout becomes.
#[cfg(feature = "sharding")]
#[proc_macro]
pub fn mesh(input: TokenStream) -> TokenStream {
    root::expand(visible(input.into()), mesh::expand).into()
}

/// What `sharded!` of tensor-layout becomes.
#[cfg(feature = "sharding")]
#[proc_macro]
pub fn sharded(input: TokenStream) -> TokenStream {
    root::expand(visible(input.into()), sharded::expand).into()
}

/// What `sharded!` becomes once the mesh is known. Not for use by hand.
#[doc(hidden)]
#[cfg(feature = "sharding")]
#[proc_macro]
pub fn __sharded_on(input: TokenStream) -> TokenStream {
    root::expand(input.into(), sharded::on_mesh).into()
}

/// What `sharding_rule!` of tensor-layout becomes.
#[cfg(feature = "sharding")]
#[proc_macro]
pub fn sharding_rule(input: TokenStream) -> TokenStream {
    root::expand(visible(input.into()), sharding_rule::expand).into()
}

/// What `propagate!` of tensor-layout becomes.
#[cfg(feature = "sharding")]
#[proc_macro]
pub fn propagate(input: TokenStream) -> TokenStream {
    root::expand(visible(input.into()), propagate::expand).into()
}

/// What `propagate!` becomes once a mesh or a rule is known. Not for use by hand.
#[doc(hidden)]
#[cfg(feature = "sharding")]
#[proc_macro]
pub fn __propagate_on(input: TokenStream) -> TokenStream {
    root::expand(input.into(), propagate::on_definition).into()
}

/// What `layouts!` of tensor-layout becomes.
#[proc_macro]
pub fn layouts(input: TokenStream) -> TokenStream {
    root::expand(visible(input.into()), layouts::expand).into()
}

/// What `layouts!` becomes once a mesh is known. Not for use by hand.
#[doc(hidden)]
#[cfg(feature = "sharding")]
#[proc_macro]
pub fn __layouts_on(input: TokenStream) -> TokenStream {
    root::expand(input.into(), sharded::aliases_on_mesh).into()
}

/// What `checkpoint!` of tensor-layout becomes.
#[proc_macro]
pub fn checkpoint(input: TokenStream) -> TokenStream {
    root::expand(visible(input.into()), manifest::expand).into()
}

/// A Markdown file of a package with its pictures in place. Not for use by hand.
#[doc(hidden)]
#[proc_macro]
pub fn __page(input: TokenStream) -> TokenStream {
    page::expand(input.into()).into()
}

/// The names that an editor offers inside the macros, as modules. Not for use by hand.
#[doc(hidden)]
#[proc_macro]
pub fn __offers(_: TokenStream) -> TokenStream {
    editor::modules().into()
}

/// Pictures of layouts for documentation. Not for use by hand.
#[doc(hidden)]
#[proc_macro]
pub fn __pictures(input: TokenStream) -> TokenStream {
    page::pictures(input.into()).into()
}

/// What `layouts_index!` of tensor-layout becomes.
#[proc_macro]
pub fn layouts_index(input: TokenStream) -> TokenStream {
    root::expand(visible(input.into()), listing::index).into()
}

/// What `layouts_listing!` of tensor-layout becomes.
#[proc_macro]
pub fn layouts_listing(input: TokenStream) -> TokenStream {
    root::expand(visible(input.into()), listing::listing).into()
}
