//! Aliases with documentation.

use crate::editor;
use crate::package::{self, Kept};
use crate::rust::{Aliases, Item, aliases, error};
use crate::{sharded, sparse_encoding, sparse_tensor, tiled, tpu};
use layout_core::TiledSpec;
use layout_core::draw::{Draw, docs, hover};
use proc_macro2::{Delimiter, Ident, Span, TokenStream, TokenTree};
use quote::quote;
use syn::Macro;

/// The macros of layouts.
const MACROS: [&str; 5] = ["tiled", "tpu", "sparse_encoding", "sparse_tensor", "sharded"];

/// `tiled!(..)`: a macro and its input.
pub(crate) struct Call {
    pub(crate) name: Ident,
    pub(crate) input: TokenStream,
}

/// `tpu!(..)`, if the tokens are `tpu(..)`.
fn without_mark(tokens: &TokenStream) -> Option<String> {
    let trees: Vec<_> = tokens.clone().into_iter().collect();
    let [TokenTree::Ident(name), TokenTree::Group(input)] = trees.as_slice() else { return None };
    let is_macro = MACROS.iter().any(|known| name == known);
    is_macro.then(|| format!("{name}!{}", input.to_string().replace(' ', "")))
}

impl Call {
    /// The call that a definition consists of, or the error if it is anything else.
    pub(crate) fn of(item: &Item) -> syn::Result<Self> {
        let Ok(call) = syn::parse2::<Macro>(item.tokens.clone()) else {
            let span = item
                .tokens
                .clone()
                .into_iter()
                .next()
                .map_or_else(|| item.name.span(), |tree| tree.span());
            if let Some(call) = without_mark(&item.tokens) {
                let message = format!(
                    "an exclamation mark follows the name of a macro\n\nhelp: the layout is `{call}`"
                );
                return Err(syn::Error::new(span, message));
            }
            if syn::parse2::<syn::Path>(item.tokens.clone()).is_ok() {
                let message = "expected a layout, found a name\n\n\
                     help: write the layout itself, `tiled!(f32[3,5]{1,0})`; another name for a type is an alias outside of the macro";
                return Err(syn::Error::new(span, message));
            }
            let array = bare_array(&item.tokens).unwrap_or_else(|| "f32[3,5]{1,0}".into());
            let message = format!(
                "expected a layout: `tiled!(..)`, `tpu!(..)`, `sparse_encoding!(..)`, `sparse_tensor!(..)` or `sharded!(..)`\n\nhelp: write `tiled!` around it: `type {} = tiled!({array});`",
                item.name
            );
            return Err(syn::Error::new(span, message));
        };
        match call.path.segments.last() {
            Some(name) if MACROS.iter().any(|known| name.ident == known) => {
                Ok(Self { name: name.ident.clone(), input: call.tokens })
            }
            name => {
                let message = "this macro does not write a layout: use `tiled!`, `tpu!`, `sparse_encoding!`, `sparse_tensor!` or `sharded!`";
                let span = name.map_or_else(Span::call_site, |name| name.ident.span());
                Err(syn::Error::new(span, message))
            }
        }
    }
}

/// The text of an array that is written without its macro, `f32[8,128]{1,0}`.
fn bare_array(tokens: &TokenStream) -> Option<String> {
    let mut trees = tokens.clone().into_iter();
    let (element, sizes) = (trees.next()?, trees.next()?);
    let is_array = matches!(element, TokenTree::Ident(_))
        && matches!(&sizes, TokenTree::Group(sizes) if sizes.delimiter() == Delimiter::Bracket);
    let has_words = trees.any(|tree| matches!(tree, TokenTree::Ident(_)));
    (is_array && !has_words).then(|| tokens.to_string().replace(' ', ""))
}

pub(crate) fn expand(input: TokenStream) -> TokenStream {
    if input.is_empty() {
        return input;
    }
    let example = "write `pub type W1 = tiled!(f32[3,5]{1,0});`";
    let start = input.clone().into_iter().next().map_or_else(Span::call_site, |tree| tree.span());
    let Some(Aliases { items, mistakes, .. }) = aliases(input) else {
        return error(&syn::Error::new(start, "expected definitions of layouts"), example);
    };
    let mistakes = mistakes.iter().map(|mistake| error(mistake, example));
    items.iter().map(definition).chain(mistakes).collect()
}

fn definition(item: &Item) -> TokenStream {
    let Call { name, input } = match Call::of(item) {
        Ok(call) => call,
        Err(mistake) => {
            let (conditions, error) = (item.conditions(), error(&mistake, ""));
            return quote!(#(#conditions)* #error);
        }
    };
    let name = name.to_string();
    let offers = match editor::before_items(&input, |cursor| editor::read(&name, cursor)) {
        Ok(offers) => offers,
        Err(alone) => return alone,
    };
    let items = match name.as_str() {
        "tiled" => {
            let (layout, spec) = tiled::described(input);
            tiled_alias(item, &layout, spec)
        }
        "tpu" => {
            let (layout, spec) = tpu::described(input);
            tiled_alias(item, &layout, spec)
        }
        "sparse_encoding" => sparse_encoding::alias(item, input),
        "sparse_tensor" => sparse_tensor::alias(item, input),
        _ => sharded::alias(item, input),
    };
    quote!(#offers #items)
}

/// An array. If only rustc knows the sizes, the documentation comes from the listing in the package.
fn tiled_alias(item: &Item, layout: &TokenStream, spec: Option<TiledSpec>) -> TokenStream {
    if spec.is_some() {
        return alias(item, layout, "", spec.as_ref());
    }
    let written = as_written(item);
    let note = format!("`{written}`, with sizes that only rustc knows.");
    let kept = package::directory().ok().map(|package| Kept::read(&package));
    let file = item.name.span().unwrap().file();
    let found = kept.and_then(|kept| {
        Some((kept.layout(&item.name.to_string(), file.as_ref())?, kept.file.to_str()?.to_owned()))
    });
    let Some((spec, listing)) = found else { return alias(item, layout, &note, spec.as_ref()) };
    let note = format!("{note} `LAYOUTS.md` has their values:\n\n");
    let alias = alias(item, layout, &note, Some(&spec));
    // Makes Cargo recompile the crate when the listing changes.
    let conditions = item.conditions();
    quote! {
        #alias
        #(#conditions)*
        const _: &[::core::primitive::u8] = ::core::include_bytes!(#listing);
    }
}

/// The definition as it is written, for the documentation.
pub(crate) fn as_written(item: &Item) -> String {
    item.tokens.to_string().replace("! (", "!(")
}

/// `pub type W1 = ..;` with its documentation, which is a note and then a description.
pub(crate) fn alias(
    item: &Item,
    layout: &TokenStream,
    note: &str,
    subject: Option<&impl Draw>,
) -> TokenStream {
    let Item { attributes, visibility, name, generics, .. } = item;
    // Only rustdoc makes a page; an editor shows the documentation as text.
    let page = format!("{note}{}", subject.map(docs).unwrap_or_default());
    let hover = format!("{note}{}", subject.map(hover).unwrap_or_default());
    let search = subject.map(|subject| {
        let names = search_names(&subject.notation());
        quote!(#[doc(alias(#(#names),*))])
    });
    quote! {
        #(#attributes)*
        #[doc = ""]
        #[cfg_attr(doc, doc = #page)]
        #[cfg_attr(not(doc), doc = #hover)]
        #search
        #visibility type #name #generics = #layout;
    }
}

/// The aliases under which the search of the documentation finds a layout: its notation, and each prefix of it that ends with a
/// bracket, `bf16[64,128]` and `bf16[64,128]{1,0:T(8,128)`, because rustdoc compares whole texts. rustc does not allow quotes
/// in them.
fn search_names(notation: &str) -> Vec<String> {
    let whole = notation.replace(['"', '\''], "");
    // Nobody searches for a sharding or an encoding by a prefix.
    let layout = whole.split(' ').next().unwrap_or_default();
    let ends = layout.char_indices().filter(|(_, char)| matches!(char, ']' | ')' | '}'));
    let mut names: Vec<_> = ends.map(|(at, _)| layout[..=at].to_owned()).collect();
    names.retain(|name| *name != whole);
    names.push(whole);
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layouts_are_found_by_their_beginning() {
        assert_eq!(
            search_names("bf16[64,128]{1,0:T(8,128)(2,1)}"),
            [
                "bf16[64,128]",
                "bf16[64,128]{1,0:T(8,128)",
                "bf16[64,128]{1,0:T(8,128)(2,1)",
                "bf16[64,128]{1,0:T(8,128)(2,1)}",
            ]
        );
        let sharded = search_names(r#"f32[8]{0} <@Pod, [{"data"}]>"#);
        assert_eq!(sharded, ["f32[8]", "f32[8]{0}", "f32[8]{0} <@Pod, [{data}]>"]);
        assert_eq!(search_names("f32[]"), ["f32[]"]);
    }
}
