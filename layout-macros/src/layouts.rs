//! Aliases with documentation.

use crate::items::{Item, items};
use crate::package::{self, Kept};
use crate::{mesh, sharded, sparse_encoding, tiled, tpu};
use layout_core::TiledSpec;
use layout_core::draw::{Draw, docs};
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{quote, quote_spanned};

/// The macros that a layout can be written with.
const MACROS: [&str; 4] = ["tiled", "tpu", "sparse_encoding", "sharded"];

/// `tiled!(..)`: which macro, and what it is called with.
pub(crate) struct Call {
    pub(crate) name: Ident,
    pub(crate) input: TokenStream,
}

impl Call {
    /// The call that a definition consists of; else what is wrong with it, and where.
    pub(crate) fn of(item: &Item) -> Result<Self, (Span, &'static str)> {
        let trees: Vec<TokenTree> = item.tokens.clone().into_iter().collect();
        let span = trees.first().map_or_else(|| item.name.span(), TokenTree::span);
        let [path @ .., TokenTree::Ident(name), TokenTree::Punct(bang), TokenTree::Group(input)] =
            trees.as_slice()
        else {
            return Err((
                span,
                "expected a layout: `tiled!(..)`, `tpu!(..)`, `sparse_encoding!(..)` or `sharded!(..)`",
            ));
        };
        let is_path = path.iter().all(|tree| match tree {
            TokenTree::Ident(_) => true,
            TokenTree::Punct(colon) => colon.as_char() == ':',
            _ => false,
        });
        if bang.as_char() != '!' || !is_path {
            return Err((span, "expected one layout: `tiled!(..)`"));
        }
        if !MACROS.iter().any(|known| name == known) {
            return Err((
                name.span(),
                "no macro for layouts has this name: there are `tiled!`, `tpu!`, `sparse_encoding!` and `sharded!`",
            ));
        }
        Ok(Self { name: name.clone(), input: input.stream() })
    }
}

pub(crate) fn expand(input: TokenStream) -> TokenStream {
    if input.is_empty() {
        return input;
    }
    match items(input) {
        Ok(items) => items.iter().map(definition).collect(),
        Err(input) => {
            let span = input.into_iter().next().map_or_else(Span::call_site, |tree| tree.span());
            let message = "expected definitions of layouts\n\nhelp: write `pub type W1 = tiled!(f32[3,5]{1,0});`";
            quote_spanned!(span=> ::core::compile_error!(#message);)
        }
    }
}

fn definition(item: &Item) -> TokenStream {
    let Call { name, input } = match Call::of(item) {
        Ok(call) => call,
        Err((span, message)) => return quote_spanned!(span=> ::core::compile_error!(#message);),
    };
    match name.to_string().as_str() {
        "tiled" => {
            let (layout, spec) = tiled::described(input);
            tiled_alias(item, &layout, spec)
        }
        "tpu" => {
            let (layout, spec) = tpu::described(input);
            tiled_alias(item, &layout, spec)
        }
        "sparse_encoding" => {
            let (encoding, spec) = sparse_encoding::described(input.clone());
            let alias = alias(item, &encoding, "", spec.as_ref());
            // As the item form of that macro.
            let reader = Item { tokens: input, ..item.clone() }.reader();
            quote!(#alias #reader)
        }
        // The picture needs the mesh, which is where its name leads.
        _ => match sharded::mesh_path(&input) {
            Some(path) => {
                let (conditions, read) =
                    (item.conditions(), mesh::on(&path, "layouts_on", item.to_tokens()));
                quote!(#(#conditions)* #read)
            }
            None => alias(item, &sharded::expand(input), "", None::<&TiledSpec>),
        },
    }
}

/// A definition of a sharded array, with the mesh behind it.
pub(crate) fn on_mesh(input: TokenStream) -> TokenStream {
    let (input, mesh) = mesh::read(input);
    let definition = |item: &Item| {
        let input = Call::of(item).map(|call| call.input).unwrap_or_default();
        let (array, described) = sharded::described(input, &mesh);
        alias(item, &array, "", described.as_ref())
    };
    items(input).unwrap_or_default().iter().map(definition).collect()
}

/// An array. Where only rustc knows its sizes, its documentation is that of the listing that the package keeps.
fn tiled_alias(item: &Item, layout: &TokenStream, spec: Option<TiledSpec>) -> TokenStream {
    if spec.is_some() {
        return alias(item, layout, "", spec.as_ref());
    }
    let written = item.tokens.to_string().replace("! (", "!(");
    let note = format!("`{written}`, with sizes that only rustc evaluates.");
    let kept = package::directory().ok().map(|package| Kept::read(&package));
    let file = item.name.span().unwrap().file();
    let found = kept.and_then(|kept| {
        Some((kept.layout(&item.name.to_string(), file.as_ref())?, kept.file.to_str()?.to_owned()))
    });
    let Some((spec, listing)) = found else { return alias(item, layout, &note, spec.as_ref()) };
    let note = format!("{note} `LAYOUTS.md` has their values:\n\n");
    let alias = alias(item, layout, &note, Some(&spec));
    // Cargo compiles anew when the listing changes.
    let conditions = item.conditions();
    quote! {
        #alias
        #(#conditions)*
        const _: &[::core::primitive::u8] = ::core::include_bytes!(#listing);
    }
}

/// `pub type W1 = ..;` with its documentation: a note, then what it is.
fn alias(
    item: &Item,
    layout: &TokenStream,
    note: &str,
    subject: Option<&impl Draw>,
) -> TokenStream {
    let Item { attributes, visibility, name, .. } = item;
    let docs = format!("{note}{}", subject.map(docs).unwrap_or_default());
    let search = subject.map(|subject| {
        let alias = search_name(&subject.notation());
        quote!(#[doc(alias = #alias)])
    });
    quote! {
        #(#attributes)*
        #[doc = ""]
        #[doc = #docs]
        #search
        #visibility type #name = #layout;
    }
}

/// What the search of the documentation finds; rustc takes no quotes there.
fn search_name(notation: &str) -> String {
    notation.replace(['"', '\''], "")
}

impl Item {
    /// The definition as it was written.
    fn to_tokens(&self) -> TokenStream {
        let Self { attributes, visibility, name, tokens } = self;
        quote!(#(#attributes)* #visibility type #name = #tokens;)
    }
}
