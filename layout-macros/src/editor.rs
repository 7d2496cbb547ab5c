//! What an editor completes inside the macros, and what it shows of a layout.
//!
//! rust-analyzer expands a macro twice: as it is written, and with a word of its own at the cursor. It looks for that word in
//! the second expansion, takes from the first one what precedes it there, and offers what Rust allows in its position. So in
//! rust-analyzer, and only there, types stand next to the expansion, one for each kind of name, that are the same in both but
//! for that word:
//!
//! ```text
//! tiled!(b)          ->  Beside<{ .. (elements::pred, attributes::T, ..) .. }, "picture", Tiled<..>>
//! tiled!(b<marker>)  ->  Beside<{ .. (elements::b<marker>, attributes::T, ..) .. }, "picture", Tiled<..>>
//! ```
//!
//! An axis is an associated constant of its mesh, `Pod::data`.
//!
//! Where the cursor is on the name of an alias, rust-analyzer prints the type that the macro becomes, as it is written. Of a
//! block it prints `<expr>`, and of a name its text, whatever that is: the picture is such a name.
//!
//! rust-analyzer does not look into a macro that another one calls where that stands in the type of an alias or in the signature
//! of a function: there it offers nothing. Nor does it offer anything directly behind a colon.

use crate::flatten::{Flat, TokenRange};
#[cfg(feature = "sharding")]
use crate::rust::leading_path;
use crate::rust::{is_name, name_of};
#[cfg(feature = "sharding")]
use crate::sharded::mesh_path;
use layout_core::draw::{Draw, Style};
use layout_core::offers::names;
use layout_core::quantized::syntax::parse_quantized;
#[cfg(feature = "sharding")]
use layout_core::sharding::syntax::parse_sharded;
#[cfg(feature = "sparse")]
use layout_core::sparse::syntax::{parse_encoding, parse_sized};
use layout_core::syntax::{Cursor, Offer, is_asked_for};
use layout_core::tiled::syntax::parse_shape;
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::quote;
use std::env;
use std::fmt::Display;
use std::panic::catch_unwind;
#[cfg(feature = "sharding")]
use syn::Path;

/// Whether rust-analyzer expands the macro rather than rustc.
pub(crate) fn is_on() -> bool {
    env::var_os("RUST_ANALYZER_INTERNALS_DO_NOT_USE").is_some()
}

/// Expands a macro that stands for a type; `expand` also says what to [show](shown) of it.
pub(crate) fn in_type(
    input: TokenStream,
    grammar: impl Fn(&mut Cursor<'_, TokenRange>),
    expand: impl FnOnce(TokenStream) -> (TokenStream, Option<String>),
) -> TokenStream {
    if !is_on() {
        return expand(input).0;
    }
    let offers = Offers::new(&input, grammar);
    // The axis also stands in the input of the mesh's macro, where rust-analyzer would look for it first.
    let (ty, text) = if offers.is_axis { (quote!(()), None) } else { expand(input) };
    beside(&offers.statements, ty, text)
}

/// A type, with what an editor offers and shows.
pub(crate) fn beside(offers: &TokenStream, ty: TokenStream, shown: Option<String>) -> TokenStream {
    if !is_on() {
        return ty;
    }
    // Only rust-analyzer takes a text as a name; what it will do in a later version, nobody knows.
    let name = shown.and_then(|text| catch_unwind(|| Ident::new(&text, Span::call_site())).ok());
    let name = name.map_or_else(|| quote!(()), |name| quote!(#name));
    quote!(::tensor_layout::__private::Beside<{ #offers 0 }, #name, #ty>)
}

/// What rust-analyzer shows of a layout: its notation, its bytes and its picture.
pub(crate) fn shown(subject: &impl Draw) -> Option<String> {
    is_on().then(|| {
        let facts = subject.facts();
        let facts =
            ["bytes", "bytes per device", "padding"].iter().filter_map(|name| facts.get(name));
        let facts: Vec<_> =
            facts.map(|fact| format!("{}: {}", fact.name, fact.grouped())).collect();
        let picture = subject.picture().text(Style { color: false, width: 72 });
        format!("\n{}\n{}\n{picture}", subject.notation(), facts.join(" · "))
    })
}

/// The same of what has no picture. The dot makes it a name: Rust itself refuses one of ASCII that is none.
pub(crate) fn shown_in_words(notation: &impl Display, bytes: usize) -> Option<String> {
    is_on().then(|| format!("\n{notation} · {bytes} bytes\n"))
}

/// What stands before the items that a macro becomes, of which `input` is a part; `Err` if it stands in place of them.
pub(crate) fn before_items(
    input: &TokenStream,
    grammar: impl Fn(&mut Cursor<'_, TokenRange>),
) -> Result<TokenStream, TokenStream> {
    if !is_on() {
        return Ok(TokenStream::new());
    }
    let Offers { statements, is_axis } = Offers::new(input, grammar);
    let offers = quote!(const _: () = { #statements };);
    if is_axis { Err(offers) } else { Ok(offers) }
}

/// What stands for an axis that is not asked for. rust-analyzer looks for the cursor in it, as far from its start as in the
/// name that is written.
const ANY_AXIS: &str = "a text that is longer than the names of the axes that people write";

/// Names of all that could stand at the cursor. For what is not asked for another name stands in: rust-analyzer wants a name
/// where the marker stands in the other expansion.
struct Offers {
    statements: TokenStream,
    /// Whether an axis of a mesh is asked for.
    is_axis: bool,
}

impl Offers {
    fn new(input: &TokenStream, grammar: impl Fn(&mut Cursor<'_, TokenRange>)) -> Self {
        let asked = offered(input, grammar);
        let at = |offer: Offer, other: &str| match &asked {
            Some((asked, name)) if *asked == offer => name.clone(),
            _ => name_of(other, Span::call_site()),
        };
        let is_axis = matches!(&asked, Some((Offer::Axis, _)));
        let axis = mesh(input).map(|mesh| match &asked {
            Some((Offer::Axis, name)) => quote!(let _ = #mesh::#name;),
            // rust-analyzer wants a text in the place of the name, and the mesh in the place of the mesh.
            _ => quote!(let _ = #mesh == #ANY_AXIS;),
        });
        let fixed = Offer::FIXED.iter().map(|offer| {
            let (module, first) = (module(*offer), names(*offer).first().copied());
            let name = at(*offer, first.unwrap_or("__None"));
            quote!(::tensor_layout::__private::offers::#module::#name)
        });
        let (ty, size) = (at(Offer::Type, "usize"), at(Offer::Size, "usize"));
        // A size that is not asked for has to be one.
        let size = if size == "usize" { quote!(usize::MIN) } else { quote!(#size) };
        let statements = quote! {
            #axis
            let _: ::core::option::Option<(#(#fixed,)* #ty,)>;
            let _: usize = #size;
        };
        Self { statements, is_axis }
    }
}

/// The mesh whose axes can stand in the input.
#[cfg(feature = "sharding")]
fn mesh(input: &TokenStream) -> Option<Path> {
    // `@ Pod [..]`, or `mesh Pod; ..`
    mesh_path(input).or_else(|| {
        let mut trees = input.clone().into_iter();
        trees.find(|tree| matches!(tree, TokenTree::Ident(word) if word == "mesh"))?;
        leading_path(trees.collect())
    })
}

#[cfg(not(feature = "sharding"))]
fn mesh(_: &TokenStream) -> Option<TokenStream> {
    None
}

/// The axes of a mesh as an editor offers them.
#[cfg(feature = "sharding")]
pub(crate) fn axes<'a>(mesh: &Ident, axes: impl Iterator<Item = &'a str>) -> TokenStream {
    if !is_on() {
        return TokenStream::new();
    }
    let axes = axes.filter(|name| is_name(name)).map(|name| name_of(name, Span::call_site()));
    quote!(impl #mesh { #(#[allow(non_upper_case_globals)] pub const #axes: () = ();)* })
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
        "quantized" => drop(parse_quantized(cursor)),
        _ => drop(parse_shape(cursor)),
    }
}

/// The word with the marker, which may stand between quotes.
fn asked_for(input: TokenStream) -> Option<Ident> {
    input.into_iter().find_map(|tree| match tree {
        TokenTree::Group(group) => asked_for(group.stream()),
        TokenTree::Ident(name) => is_asked_for(&name.to_string()).then_some(name),
        TokenTree::Literal(text) => {
            let word = text.to_string();
            let word = word.trim_matches('"');
            (is_asked_for(word) && is_name(word)).then(|| Ident::new(word, text.span()))
        }
        TokenTree::Punct(_) => None,
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
        Offer::Scaling => "scalings",
        Offer::Arrangement => "arrangements",
        Offer::Type | Offer::Size | Offer::Axis => "names",
    };
    Ident::new(name, Span::call_site())
}

/// These modules.
pub(crate) fn modules() -> TokenStream {
    let modules = Offer::FIXED.iter().map(|offer| {
        let module = module(*offer);
        let names = names(*offer).into_iter().map(|name| name_of(name, Span::call_site()));
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
            ("sharded", "f32[8] @ Pod [{\"d@\"}]", Offer::Axis),
            ("sharded", "f32[8] @ Pod [{\"data\", \"@\"}]", Offer::Axis),
            ("quantized", "q@", Offer::Scaling),
            ("quantized", "s8[8,64] by f@[1,32]", Offer::Element),
            ("quantized", "s8[8,64] by f16[1,32] in @", Offer::Arrangement),
            ("quantized", "q8_0[8,C@]", Offer::Size),
        ] {
            for marker in ["raCompletionMarker", "intellijRulezz"] {
                let text = text.replace('@', marker).replacen(&format!(" {marker} P"), " @ P", 1);
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
