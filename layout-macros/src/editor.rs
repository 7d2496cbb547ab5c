//! The completions of an editor inside the macros, and the text that it shows for a layout.
//!
//! rust-analyzer expands a macro twice: as it is written, and with a marker at the cursor. It looks for the marker in the
//! second expansion, takes the text before it from the first expansion, and offers whatever Rust allows there. So in
//! rust-analyzer, and only there, the expansion is accompanied by types, one for each kind of name, that are the same in both
//! expansions except for the marker:
//!
//! ```text
//! tiled!(b)          ->  Beside<{ .. (elements::pred, attributes::T, ..) .. }, "picture", Tiled<..>>
//! tiled!(b<marker>)  ->  Beside<{ .. (elements::b<marker>, attributes::T, ..) .. }, "picture", Tiled<..>>
//! ```
//!
//! An axis is an associated constant of its mesh, `Pod::data`.
//!
//! If the cursor is on the name of an alias, rust-analyzer prints the type to which the macro expands, as it is written. It
//! prints `<expr>` for a block, and any name as its text: the picture is such a name.
//!
//! rust-analyzer does not look into a macro that another macro calls in the type of an alias or in the signature of a function:
//! there it offers nothing. Nor does it offer anything directly after a colon.

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
use layout_core::sharding::syntax::{parse_mesh, parse_rule, parse_sharded};
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

/// Expands a macro in type position. `expand` also returns the text to [show](shown) for the type.
pub(crate) fn in_type(
    input: TokenStream,
    grammar: impl Fn(&mut Cursor<'_, TokenRange>),
    expand: impl FnOnce(TokenStream) -> (TokenStream, Option<String>),
) -> TokenStream {
    if !is_on() {
        return expand(input).0;
    }
    let offers = Offers::new(&input, grammar);
    // The axis is also in the input of the macro of the mesh, where rust-analyzer would look for it first.
    let (ty, text) = if offers.is_axis { (quote!(()), None) } else { expand(input) };
    beside(&offers.statements, ty, text)
}

/// Expands the macro `name` in type position. `described` returns the type, and the layout that is shown for it.
pub(crate) fn described_type<D: Draw>(
    name: &str,
    input: TokenStream,
    described: fn(TokenStream) -> (TokenStream, Option<D>),
) -> TokenStream {
    in_type(
        input,
        |cursor| read(name, cursor),
        |input| {
            let (ty, layout) = described(input);
            (ty, layout.as_ref().and_then(shown))
        },
    )
}

/// A type together with the names that an editor offers and the text that it shows.
pub(crate) fn beside(offers: &TokenStream, ty: TokenStream, shown: Option<String>) -> TokenStream {
    if !is_on() {
        return ty;
    }
    // Only rust-analyzer accepts any text as a name, and a later version may not.
    let name = shown.and_then(|text| catch_unwind(|| Ident::new(&text, Span::call_site())).ok());
    let name = name.map_or_else(|| quote!(()), |name| quote!(#name));
    quote!(::tensor_layout::__private::Beside<{ #offers 0 }, #name, #ty>)
}

/// The text that rust-analyzer shows for a layout: its notation, its bytes and its picture.
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

/// The same for a layout without a picture. The `·` makes it a name: `Ident::new` rejects only ASCII text that is not an
/// identifier.
pub(crate) fn shown_in_words(notation: &impl Display, bytes: usize) -> Option<String> {
    is_on().then(|| format!("\n{notation} · {bytes} bytes\n"))
}

/// The statements that precede the expansion of a macro in an expression, of which `input` is a part.
#[cfg(feature = "sharding")]
pub(crate) fn before_value(
    input: &TokenStream,
    grammar: impl Fn(&mut Cursor<'_, TokenRange>),
) -> TokenStream {
    match is_on() {
        true => Offers::new(input, grammar).statements,
        false => TokenStream::new(),
    }
}

/// The items that precede the expansion, of which `input` is a part; `Err` if they replace it.
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

/// Stands for an axis if no axis is being completed. rust-analyzer looks for the cursor in this text, at its offset in the name
/// that is written.
const ANY_AXIS: &str = "a text that is longer than the names of the axes that people write";

/// Names of everything that could be at the cursor. Each kind of name that is not being completed has a stand-in: rust-analyzer
/// needs a name where the other expansion has the marker.
struct Offers {
    statements: TokenStream,
    /// Whether an axis of a mesh is being completed.
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
            // rust-analyzer needs a text in place of the name, and the mesh itself.
            _ => quote!(let _ = #mesh == #ANY_AXIS;),
        });
        let fixed = Offer::FIXED.iter().map(|offer| {
            let (module, first) = (module(*offer), names(*offer).first().copied());
            let name = at(*offer, first.unwrap_or("__None"));
            quote!(::tensor_layout::__private::offers::#module::#name)
        });
        let (ty, size) = (at(Offer::Type, "usize"), at(Offer::Size, "usize"));
        // The stand-in for a size must be a number.
        let size = if size == "usize" { quote!(usize::MIN) } else { quote!(#size) };
        let statements = quote! {
            #axis
            let _: ::core::option::Option<(#(#fixed,)* #ty,)>;
            let _: usize = #size;
        };
        Self { statements, is_axis }
    }
}

/// The mesh whose axes the input can name.
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

/// The axes of a mesh in the form in which an editor offers them.
#[cfg(feature = "sharding")]
pub(crate) fn axes<'a>(mesh: &Ident, axes: impl Iterator<Item = &'a str>) -> TokenStream {
    if !is_on() {
        return TokenStream::new();
    }
    let axes = axes.filter(|name| is_name(name)).map(|name| name_of(name, Span::call_site()));
    quote!(impl #mesh { #(#[allow(non_upper_case_globals)] pub const #axes: () = ();)* })
}

/// The kind of name that can be at the cursor, and the word that is there.
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

/// Reads the input of the macro `name`, which must be a macro of layouts.
pub(crate) fn read(name: &str, cursor: &mut Cursor<'_, TokenRange>) {
    match name {
        #[cfg(feature = "sparse")]
        "sparse_encoding" => drop(parse_encoding(cursor)),
        #[cfg(feature = "sparse")]
        "sparse_tensor" => drop(parse_sized(cursor)),
        #[cfg(feature = "sharding")]
        "sharded" => drop(parse_sharded(cursor)),
        #[cfg(feature = "sharding")]
        "mesh" => drop(parse_mesh(cursor)),
        #[cfg(feature = "sharding")]
        "sharding_rule" => drop(parse_rule(cursor)),
        "quantized" => drop(parse_quantized(cursor)),
        _ => drop(parse_shape(cursor)),
    }
}

/// The word with the marker, which may be in quotes.
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

/// The module of tensor-layout that contains the names of an offer.
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
        Offer::Function => "functions",
        Offer::FactorList => "factor_lists",
        Offer::MeshProperty => "mesh_properties",
        Offer::Type | Offer::Size | Offer::Axis => "names",
    };
    Ident::new(name, Span::call_site())
}

/// The modules of all offers.
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
            ("mesh", "[\"a\" = 2], d@", Offer::MeshProperty),
            ("sharding_rule", "(i,k),(k,j)->(i,j) r@", Offer::FactorList),
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
