//! The procedural macros of tensor-layout: use that crate.
//!
//! ```text
//! tokens -> [visible] -> [flatten] -> layout_core::syntax (grammar, rules) -> [emit] -> a type
//!                                                \-> diagnostics -> [error] -> compile errors, each under its token
//! ```
//! The macros know no rule of their own: what is allowed, and what it means, is layout-core's.

mod conditions;
mod einsum;
mod emit;
mod error;
mod flatten;
mod items;
mod layouts;
mod lines;
mod listing;
mod manifest;
mod mesh;
mod package;
mod page;
mod propagate;
mod propagate_file;
mod root;
mod rust;
mod scan;
mod sharded;
mod sharded_sparse;
mod sharding_rule;
mod sparse_encoding;
mod sparse_kernel;
mod sparse_tensor;
mod stand_in;
mod tiled;
mod tpu;
mod uses;
mod visible;
mod warning;

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

/// What `einsum!` of tensor-layout becomes.
#[proc_macro]
pub fn einsum(input: TokenStream) -> TokenStream {
    root::expand(input.into(), einsum::expand).into()
}

/// What `sparse_encoding!` of tensor-layout becomes.
#[proc_macro]
pub fn sparse_encoding(input: TokenStream) -> TokenStream {
    root::expand(visible(input.into()), sparse_encoding::expand).into()
}

/// What `sparse_tensor!` of tensor-layout becomes.
#[proc_macro]
pub fn sparse_tensor(input: TokenStream) -> TokenStream {
    root::expand(visible(input.into()), sparse_tensor::expand).into()
}

/// What `sparse_kernel!` of tensor-layout becomes.
#[proc_macro]
pub fn sparse_kernel(input: TokenStream) -> TokenStream {
    root::expand(visible(input.into()), sparse_kernel::expand).into()
}

/// What `sparse_kernel!` becomes once an encoding is known. Not for use by hand.
#[doc(hidden)]
#[proc_macro]
pub fn __sparse_kernel_on(input: TokenStream) -> TokenStream {
    root::expand(input.into(), sparse_kernel::on_encoding).into()
}

/// What `mesh!` of tensor-layout becomes.
#[proc_macro]
pub fn mesh(input: TokenStream) -> TokenStream {
    root::expand(visible(input.into()), mesh::expand).into()
}

/// What `sharded!` of tensor-layout becomes.
#[proc_macro]
pub fn sharded(input: TokenStream) -> TokenStream {
    root::expand(visible(input.into()), sharded::expand).into()
}

/// What `sharded!` becomes once the mesh is known. Not for use by hand.
#[doc(hidden)]
#[proc_macro]
pub fn __sharded_on(input: TokenStream) -> TokenStream {
    root::expand(input.into(), sharded::on_mesh).into()
}

/// What `sharding_rule!` of tensor-layout becomes.
#[proc_macro]
pub fn sharding_rule(input: TokenStream) -> TokenStream {
    root::expand(visible(input.into()), sharding_rule::expand).into()
}

/// What `propagate!` of tensor-layout becomes.
#[proc_macro]
pub fn propagate(input: TokenStream) -> TokenStream {
    root::expand(visible(input.into()), propagate::expand).into()
}

/// What `propagate!` becomes once a mesh or a rule is known. Not for use by hand.
#[doc(hidden)]
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
#[proc_macro]
pub fn __layouts_on(input: TokenStream) -> TokenStream {
    root::expand(input.into(), layouts::on_mesh).into()
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
