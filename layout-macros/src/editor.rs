//! What an editor completes inside the macros.
//!
//! rust-analyzer expands a macro twice: as it is written, and with a word of its own at the cursor. It looks for that word in
//! the second expansion, takes from the first one what precedes it there, and offers what Rust allows in its position. So in
//! rust-analyzer, and only there, types stand next to the expansion, one for each kind of name, that are the same in both but
//! for that word:
//!
//! ```text
//! tiled!(b)          ->  Beside<(elements::pred, attributes::T, ..), Tiled<..>>
//! tiled!(b<marker>)  ->  Beside<(elements::b<marker>, attributes::T, ..), Tiled<..>>
//! ```
//!
//! rust-analyzer does not look into a macro that another one calls where that stands in the type of an alias or in the signature
//! of a function: there it offers nothing.

use crate::flatten::{Flat, TokenRange};
use crate::rust::name_of;
#[cfg(feature = "sharding")]
use layout_core::sharding::syntax::parse_sharded;
#[cfg(feature = "sparse")]
use layout_core::sparse::syntax::{parse_encoding, parse_sized};
use layout_core::syntax::{Cursor, Offer, is_asked_for};
use layout_core::tiled::syntax::parse_shape;
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::quote;
use std::env;

/// Whether rust-analyzer expands the macro rather than rustc.
pub(crate) fn is_on() -> bool {
    env::var_os("RUST_ANALYZER_INTERNALS_DO_NOT_USE").is_some()
}

/// Expands a macro that stands for a type.
pub(crate) fn in_type(
    input: TokenStream,
    grammar: impl Fn(&mut Cursor<'_, TokenRange>),
    expand: impl FnOnce(TokenStream) -> TokenStream,
) -> TokenStream {
    if !is_on() {
        return expand(input);
    }
    let Offers { types, size } = Offers::new(&input, grammar);
    let ty = expand(input);
    quote!(::tensor_layout::__private::Beside<(#types, [(); { #size }]), #ty>)
}

/// What stands before the items that a macro becomes, of which `input` is a part.
pub(crate) fn before_items(
    input: &TokenStream,
    grammar: impl Fn(&mut Cursor<'_, TokenRange>),
) -> TokenStream {
    if !is_on() {
        return TokenStream::new();
    }
    let Offers { types, size } = Offers::new(input, grammar);
    quote! {
        const _: () = {
            let _: ::core::option::Option<(#types,)>;
            let _: usize = #size;
        };
    }
}

/// Names of all that could stand at the cursor. For what is not asked for another name stands in: rust-analyzer wants a name
/// where the marker stands in the other expansion.
struct Offers {
    types: TokenStream,
    size: TokenStream,
}

impl Offers {
    fn new(input: &TokenStream, grammar: impl Fn(&mut Cursor<'_, TokenRange>)) -> Self {
        let asked = offered(input, grammar);
        let at = |offer: Offer, other: &str| match &asked {
            Some((asked, name)) if *asked == offer => name.clone(),
            _ => name_of(other, Span::call_site()),
        };
        let fixed = Offer::FIXED.iter().map(|offer| {
            let (module, first) = (module(*offer), offer.names().first().copied());
            let name = at(*offer, first.unwrap_or("__None"));
            quote!(::tensor_layout::__private::offers::#module::#name)
        });
        let (ty, size) = (at(Offer::Type, "usize"), at(Offer::Size, "usize"));
        // A size that is not asked for has to be one.
        let size = if size == "usize" { quote!(usize::MIN) } else { quote!(#size) };
        Self { types: quote!((#(#fixed,)* #ty)), size }
    }
}

/// What can stand at the cursor, and the word that does.
fn offered(
    input: &TokenStream,
    grammar: impl Fn(&mut Cursor<'_, TokenRange>),
) -> Option<(Offer, Ident)> {
    let name = asked_for(input.clone())?;
    let flat = Flat::new(input.clone());
    let mut cursor = flat.cursor();
    grammar(&mut cursor);
    Some((cursor.offered?, name))
}

/// Reads the input of the macro `name`, which writes a layout.
pub(crate) fn read(name: &str, cursor: &mut Cursor<'_, TokenRange>) {
    match name {
        #[cfg(feature = "sparse")]
        "sparse_encoding" => drop(parse_encoding(cursor)),
        #[cfg(feature = "sparse")]
        "sparse_tensor" => drop(parse_sized(cursor)),
        #[cfg(feature = "sharding")]
        "sharded" => drop(parse_sharded(cursor)),
        _ => drop(parse_shape(cursor)),
    }
}

/// The word with the marker.
fn asked_for(input: TokenStream) -> Option<Ident> {
    input.into_iter().find_map(|tree| match tree {
        TokenTree::Group(group) => asked_for(group.stream()),
        TokenTree::Ident(name) => is_asked_for(&name.to_string()).then_some(name),
        TokenTree::Literal(_) | TokenTree::Punct(_) => None,
    })
}

/// The module of tensor-layout that has the names of an offer.
fn module(offer: Offer) -> Ident {
    let name = match offer {
        Offer::Element => "elements",
        Offer::Attribute => "attributes",
        Offer::Format => "formats",
        Offer::Property => "properties",
        Offer::Key => "keys",
        Offer::Operation => "operations",
        Offer::Type | Offer::Size => "names",
    };
    Ident::new(name, Span::call_site())
}

/// These modules.
pub(crate) fn modules() -> TokenStream {
    let modules = Offer::FIXED.iter().map(|offer| {
        let module = module(*offer);
        let names = offer.names().into_iter().map(|name| name_of(name, Span::call_site()));
        quote!(pub mod #module { #(pub enum #names {})* })
    });
    quote!(#(#modules)*)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(all(feature = "sparse", feature = "sharding"))]
    fn grammars_know_what_can_stand_at_the_cursor() {
        for (name, text, offer) in [
            ("tiled", "@", Offer::Element),
            ("tiled", "b@", Offer::Element),
            ("tiled", "f@ [3,5]{1,0}", Offer::Element),
            ("tiled", "f32[3,R@]", Offer::Size),
            ("tiled", "f32[3]{0:@}", Offer::Attribute),
            ("tiled", "f32[3]{0:T(2)@}", Offer::Attribute),
            ("sparse_encoding", "(i, j) -> (i : @, j : dense)", Offer::Format),
            ("sparse_encoding", "(i, j) -> (i : dense, j : c@)", Offer::Format),
            ("sparse_encoding", "(i) -> (i : compressed(@))", Offer::Property),
            ("sparse_encoding", "(i) -> (i : dense), p@", Offer::Key),
            ("sparse_tensor", "tensor<4x6xf64, #C@>", Offer::Type),
            ("sparse_tensor", "f64[4,6] C@", Offer::Type),
            ("sharded", "f32[8] @ P@ [{}]", Offer::Type),
        ] {
            for marker in ["raCompletionMarker", "intellijRulezz"] {
                let text = text.replace('@', marker).replacen(&format!("{marker} P"), "@ P", 1);
                let input = text.parse().expect("tokens");
                let found = offered(&input, |cursor| read(name, cursor));
                let (found, word) = found.unwrap_or_else(|| panic!("nothing is offered: {text}"));
                assert_eq!(found, offer, "{text}");
                assert!(word.to_string().contains(marker), "{text}");
            }
        }
    }

    #[test]
    fn nothing_is_offered_where_nobody_asks() {
        let input = "f32[3,5]{1,0}".parse().expect("tokens");
        assert!(offered(&input, |cursor| read("tiled", cursor)).is_none());
    }
}
