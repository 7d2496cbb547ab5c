//! In place of the macros that write a layout, where their features are off: `layouts!` calls the macro of that name of
//! tensor-layout, which says what feature it needs.

use crate::layouts;
use crate::rust::Item;
use layout_core::TiledSpec;
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

/// `tensor_layout::name!(input)`
fn call(name: &str, input: &TokenStream) -> TokenStream {
    let name = Ident::new(name, Span::call_site());
    quote!(::tensor_layout::#name!(#input))
}

/// `pub type A = ..;` of `layouts!`.
fn alias(item: &Item, layout: &TokenStream) -> TokenStream {
    layouts::alias(item, layout, "", None::<&TiledSpec>)
}

#[cfg(not(feature = "sparse"))]
macro_rules! without_sparse {
    ($($name:ident)*) => { $(
        pub(crate) mod $name {
            use super::{Item, TiledSpec, TokenStream, call};

            pub(crate) fn alias(item: &Item, input: TokenStream) -> TokenStream {
                super::alias(item, &described(input).0)
            }

            pub(crate) fn described(input: TokenStream) -> (TokenStream, Option<TiledSpec>) {
                (call(stringify!($name), &input), None)
            }
        }
    )* };
}
#[cfg(not(feature = "sparse"))]
without_sparse! { sparse_encoding sparse_tensor }

#[cfg(not(feature = "sharding"))]
pub(crate) mod sharded {
    use super::{Item, TiledSpec, TokenStream, call, quote};
    use crate::uses::Names;

    pub(crate) fn alias(item: &Item, input: TokenStream) -> TokenStream {
        super::alias(item, &call("sharded", &input))
    }

    pub(crate) fn in_module(_: TokenStream, _: &[String], _: &Names<String>) -> Option<TiledSpec> {
        None
    }

    pub(crate) fn evaluated(alias: &TokenStream, _: &TokenStream) -> TokenStream {
        quote!(<#alias as ::tensor_layout::ShardedLayout>::sharded())
    }
}

/// What a sparse tensor over a mesh is, if only meshes are on.
#[cfg(all(feature = "sharding", not(feature = "sparse")))]
pub(crate) mod sharded_sparse {
    use super::{TokenStream, call};
    use crate::flatten::Flat;
    use layout_core::sharding::Mesh;
    use layout_core::sharding::syntax::is_sparse;

    pub(crate) fn expand(flat: &Flat, _: &TokenStream, _: Option<&Mesh>) -> Option<TokenStream> {
        is_sparse(&flat.cursor()).then(|| call("sparse_tensor", &TokenStream::new()))
    }
}
