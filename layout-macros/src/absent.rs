//! Stand-ins for the macros of layouts whose features are off: `layouts!` calls tensor-layout's macro of the same name, whose error
//! names the missing feature.

use crate::layouts;
use crate::rust::Item;
use layout_core::TiledSpec;
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote_spanned;

/// `tensor_layout::name!(input)`; mistakes in it are reported at `span`.
fn call(name: &str, span: Span, input: &TokenStream) -> TokenStream {
    let span = span.resolved_at(Span::call_site());
    let name = Ident::new(name, span);
    quote_spanned!(span=> ::tensor_layout::#name!(#input))
}

/// `pub type A = name!(..);` of `layouts!`.
fn alias(item: &Item, name: &str, input: &TokenStream) -> TokenStream {
    let written = item.tokens.clone().into_iter().next();
    let span = written.map_or_else(Span::call_site, |tree| tree.span());
    layouts::alias(item, &call(name, span, input), "", None::<&TiledSpec>)
}

#[cfg(not(feature = "sparse"))]
macro_rules! without_sparse {
    ($($name:ident)*) => { $(
        pub(crate) mod $name {
            use super::{Item, Span, TiledSpec, TokenStream};

            #[allow(dead_code, reason = "only a manifest expands a sparse tensor")]
            pub(crate) fn expand(input: TokenStream) -> TokenStream {
                super::call(stringify!($name), Span::call_site(), &input)
            }

            pub(crate) fn alias(item: &Item, input: TokenStream) -> TokenStream {
                super::alias(item, stringify!($name), &input)
            }

            pub(crate) fn described(_: TokenStream) -> ((), Option<TiledSpec>) {
                ((), None)
            }
        }
    )* };
}
#[cfg(not(feature = "sparse"))]
without_sparse! { sparse_encoding sparse_tensor }

#[cfg(not(feature = "sharding"))]
pub(crate) mod sharded {
    use super::{Item, TiledSpec, TokenStream};
    use crate::uses::Names;
    use quote::quote;

    pub(crate) fn alias(item: &Item, input: TokenStream) -> TokenStream {
        super::alias(item, "sharded", &input)
    }

    pub(crate) fn in_module(_: TokenStream, _: &[String], _: &Names<String>) -> Option<TiledSpec> {
        None
    }

    pub(crate) fn evaluated(alias: &TokenStream, _: &TokenStream) -> TokenStream {
        quote!(<#alias as ::tensor_layout::ShardedLayout>::sharded())
    }
}

/// The expansion of a sparse tensor over a mesh if only meshes are on.
#[cfg(all(feature = "sharding", not(feature = "sparse")))]
pub(crate) mod sharded_sparse {
    use super::{Span, TokenStream, call};
    use crate::flatten::Flat;
    use layout_core::sharding::Mesh;
    use layout_core::sharding::syntax::is_sparse;

    pub(crate) fn expand(flat: &Flat, _: &TokenStream, _: Option<&Mesh>) -> Option<TokenStream> {
        let call = || call("sparse_tensor", Span::call_site(), &TokenStream::new());
        is_sparse(&flat.cursor()).then(call)
    }
}
