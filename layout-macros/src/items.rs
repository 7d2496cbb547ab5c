//! Item forms: `pub type Name = ..;`, whose tokens other macros can read.
//!
//! A macro sees tokens, not types. So an item form leaves a macro of the same name behind, which hands the tokens of the
//! definition to a callback: `Name!([path::to::callback] anything)` is `path::to::callback! { anything { definition } }`.
//! Types and macros have separate names, and one `use` brings both.

use crate::conditions;
use proc_macro2::{Delimiter, Ident, Span, TokenStream, TokenTree};
use quote::{format_ident, quote};

/// One definition.
#[derive(Clone)]
pub(crate) struct Item {
    pub(crate) attributes: Vec<TokenStream>,
    pub(crate) visibility: TokenStream,
    pub(crate) name: Ident,
    pub(crate) tokens: TokenStream,
}

impl Item {
    /// The attributes that say whether it is there at all: all that it becomes has them.
    pub(crate) fn conditions(&self) -> impl Iterator<Item = &TokenStream> {
        self.attributes.iter().filter(|attribute| conditions::of(attribute).is_some())
    }

    /// The macro that hands the definition on.
    pub(crate) fn reader(&self) -> TokenStream {
        let Self { visibility, name, tokens, .. } = self;
        let conditions: Vec<_> = self.conditions().collect();
        let hidden = format_ident!("__{name}_{:016x}", fingerprint(name));
        // Only an exported macro can be named from other crates, and only then may its name be public.
        let export = match visibility.to_string() == "pub" {
            true => quote!(#[macro_export]),
            false => quote!(),
        };
        quote! {
            #(#conditions)*
            #[doc(hidden)]
            #[allow(unused_macros, non_local_definitions)]
            #export
            macro_rules! #hidden {
                ([$($callback:tt)*] $($rest:tt)*) => { $($callback)*! { $($rest)* { #tokens } } };
            }
            #(#conditions)*
            #[doc(hidden)]
            #[allow(unused_imports)]
            #visibility use #hidden as #name;
        }
    }
}

/// A number that no other definition has: of its name and where it stands. Exported macros share one namespace.
fn fingerprint(name: &Ident) -> u64 {
    let span = name.span().unwrap();
    let package = std::env::var("CARGO_PKG_NAME").unwrap_or_default();
    let place = format!("{package} {} {}:{} {name}", span.file(), span.line(), span.column());
    // FNV-1a.
    place.bytes().fold(0xCBF2_9CE4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3)
    })
}

/// The definitions in `input`, or `input` itself if it does not start like one.
pub(crate) fn items(input: TokenStream) -> Result<Vec<Item>, TokenStream> {
    let trees: Vec<TokenTree> = input.clone().into_iter().collect();
    let mut rest = trees.as_slice();
    let mut items = Vec::new();
    while !rest.is_empty() {
        match item(&mut rest) {
            Some(item) => items.push(item),
            None => return Err(input),
        }
    }
    if items.is_empty() { Err(input) } else { Ok(items) }
}

fn item(rest: &mut &[TokenTree]) -> Option<Item> {
    let mut attributes = Vec::new();
    while let [hash @ TokenTree::Punct(punct), TokenTree::Group(group), after @ ..] = *rest
        && punct.as_char() == '#'
        && group.delimiter() == Delimiter::Bracket
    {
        attributes.push(quote!(#hash #group));
        *rest = after;
    }
    let mut visibility = TokenStream::new();
    if let [TokenTree::Ident(word), after @ ..] = *rest
        && word == "pub"
    {
        visibility = quote!(#word);
        *rest = after;
        if let [TokenTree::Group(group), after @ ..] = *rest
            && group.delimiter() == Delimiter::Parenthesis
        {
            visibility = quote!(#word #group);
            *rest = after;
        }
    }
    let [TokenTree::Ident(keyword), TokenTree::Ident(name), TokenTree::Punct(equals), after @ ..] =
        *rest
    else {
        return None;
    };
    if keyword != "type" || equals.as_char() != '=' {
        return None;
    }
    let end = after
        .iter()
        .position(|tree| matches!(tree, TokenTree::Punct(semicolon) if semicolon.as_char() == ';'));
    let (tokens, after) = after.split_at(end.unwrap_or(after.len()));
    *rest = after.get(1..).unwrap_or_default();
    let mut name = name.clone();
    // Both the type and the macro are what the user wrote, not what this macro made up.
    name.set_span(name.span().resolved_at(Span::call_site()));
    Some(Item { attributes, visibility, name, tokens: tokens.iter().cloned().collect() })
}
