use crate::editor;
use crate::error::compile_errors;
use crate::flatten::{Flat, TokenRange};
use crate::rust::{Item, error, is_name, named, unraw};
use layout_core::sharding::Mesh;
use layout_core::sharding::syntax::{MeshSyntax, lower_mesh, parse_mesh};
use proc_macro2::{Delimiter, Group, Ident, Literal, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::parse::{ParseStream, Parser};
use syn::{Attribute, Visibility};

/// An example of a mesh.
pub(crate) const EXAMPLE: &str = "pub Pod = [\"data\" = 2, \"model\" = 4]";

pub(crate) fn expand(input: TokenStream) -> TokenStream {
    match named(input.clone(), EXAMPLE) {
        Ok(item) => {
            let definition = definition(&item);
            match editor::before_items(&item.tokens, |cursor| editor::read("mesh", cursor)) {
                Ok(offers) => quote!(#offers #definition),
                Err(alone) => alone,
            }
        }
        Err(mistake) => {
            let mistake = match corrected(&input) {
                Some(definition) => {
                    let message = mistake.to_string();
                    let expected = message.split("\n\n").next().unwrap_or_default();
                    let help =
                        format!("the macro defines a type: write `mesh! {{ {definition} }}`");
                    syn::Error::new(mistake.span(), format!("{expected}\n\nhelp: {help}"))
                }
                None => mistake,
            };
            // The uses of the mesh are not reported too.
            let meant = Item::meant(input).map(|item| definition(&item));
            let error = error(&mistake, "");
            quote!(#error #meant)
        }
    }
}

/// The definition that `Pod { data: 2, model: 4 }` or `["data" = 2]` probably means; `None` unless each axis has a name and a size.
fn corrected(input: &TokenStream) -> Option<String> {
    let is_axes = |tree: &TokenTree| matches!(tree, TokenTree::Group(_) | TokenTree::Literal(_));
    let trees: Vec<_> = input.clone().into_iter().collect();
    let (before, axes) = trees.split_at(trees.iter().position(is_axes)?);
    let words = before.iter().filter_map(|tree| match tree {
        TokenTree::Ident(word) => Some(word.to_string()),
        _ => None,
    });
    let words: Vec<_> = words.filter(|word| is_name(word) || word == "pub").collect();
    let public = if words.first().is_some_and(|word| word == "pub") { "pub " } else { "" };
    let name = words.last().filter(|word| *word != "pub").map_or("Pod", String::as_str);
    let axes = match axes {
        [TokenTree::Group(axes)] => axes.stream(),
        axes => axes.iter().cloned().collect(),
    };
    let trees: Vec<_> = axes.into_iter().collect();
    let is_comma =
        |tree: &TokenTree| matches!(tree, TokenTree::Punct(comma) if comma.as_char() == ',');
    let axes = trees.split(is_comma).filter(|axis| !axis.is_empty()).map(|axis| match axis {
        [axis, TokenTree::Punct(sign), TokenTree::Literal(size)]
            if matches!(sign.as_char(), '=' | ':') && size.to_string().parse::<usize>().is_ok() =>
        {
            Some(format!("\"{}\" = {size}", axis.to_string().trim_matches('"')))
        }
        _ => None,
    });
    let axes: Vec<_> = axes.collect::<Option<_>>()?;
    (!axes.is_empty()).then(|| format!("{public}{name} = [{}]", axes.join(", ")))
}

fn definition(item: &Item) -> TokenStream {
    let Item { attributes, visibility, name, .. } = item;
    let flat = Flat::new(item.tokens.clone());
    let mut cursor = flat.cursor();
    let syntax = parse_mesh(&mut cursor);
    if syntax.is_some() {
        cursor.expect_end_of("the mesh");
    }
    let mut diagnostics = cursor.diagnostics;
    let mesh = syntax.as_ref().and_then(|syntax| lower_mesh(syntax, &mut diagnostics));
    let errors: Vec<_> = compile_errors(&flat, diagnostics).collect();
    let mesh = match (&syntax, errors.is_empty()) {
        (_, true) => mesh.unwrap_or_default(),
        // The types of arrays that are split over it name its axes by their numbers.
        (Some(syntax), false) => defined(repaired(syntax)),
        (None, false) => Mesh::default(),
    };
    let conditions = item.conditions();
    let ty =
        of_type(&quote!(#(#attributes)*), &conditions, &visibility.to_token_stream(), name, &mesh);
    // A mesh with mistakes must not cause errors where it is used, and mistakes there must be found.
    let reader = match (errors.is_empty(), syntax) {
        (true, _) => with_visibility(item).reader(),
        (false, Some(syntax)) => {
            with_visibility(&Item { tokens: repaired(&syntax), ..item.clone() }).reader()
        }
        (false, None) => {
            with_visibility(&Item { tokens: UNKNOWN.parse().unwrap_or_default(), ..item.clone() })
                .reader()
        }
    };
    let errors = errors.iter().map(|error| quote!(#(#conditions)* #error;));
    quote! {
        #(#errors)*
        #ty
        #reader
    }
}

/// The axes of a mesh with mistakes, without repeated or missing names, and with size 1 instead of sizes that are not valid.
fn repaired(syntax: &MeshSyntax<TokenRange>) -> TokenStream {
    let mut axes: Vec<(&str, i128)> = Vec::new();
    for (name, size, _) in &syntax.axes {
        if axes.iter().all(|(known, _)| known != name) && !name.is_empty() {
            axes.push((name, size.value));
        }
    }
    let axes = axes.into_iter().map(|(name, size)| {
        // Size 1 divides every dimension, so no further errors follow.
        let size = Literal::usize_unsuffixed(usize::try_from(size).unwrap_or(1).max(1));
        quote!(#name = #size)
    });
    quote!([#(#axes),*])
}

/// The definition of a mesh or of a rule that could not be read, which has been reported.
pub(crate) const UNKNOWN: &str = "? unknown definition";

/// Whether these are the tokens of such a definition.
pub(crate) fn is_unknown(definition: &TokenStream) -> bool {
    definition.to_string().ends_with(UNKNOWN)
}

/// The type of a mesh.
pub(crate) fn of_type(
    attributes: &TokenStream,
    conditions: &[Attribute],
    visibility: &TokenStream,
    name: &Ident,
    mesh: &Mesh,
) -> TokenStream {
    let doc = format!("The mesh `{mesh}`, of {} devices.", mesh.devices());
    let axes = mesh.axes().iter().map(|axis| {
        let (name, size) = (axis.name(), axis.size());
        quote!(::tensor_layout::sharding::MeshAxis::constant(#name, #size))
    });
    let ids = mesh.device_ids().iter();
    let called = unraw(name);
    let offers = editor::axes(name, mesh.axes().iter().map(|axis| axis.name()));
    quote! {
        #attributes
        #[doc = #doc]
        #visibility struct #name;
        #offers
        #(#conditions)*
        #[allow(deprecated)]
        impl ::tensor_layout::sharding::MeshType for #name {
            const NAME: &'static ::core::primitive::str = #called;
            const AXES: &'static [::tensor_layout::sharding::MeshAxis] = &[#(#axes),*];
            const DEVICE_IDS: &'static [::core::primitive::usize] = &[#(#ids),*];
        }
    }
}

/// The definition with its visibility: [`Definition`] reads both.
fn with_visibility(item: &Item) -> Item {
    let Item { visibility, tokens, .. } = item;
    Item { tokens: quote!(#visibility #tokens), ..item.clone() }
}

/// A mesh that has been read, and was checked where it is defined.
pub(crate) struct Definition {
    pub(crate) visibility: Visibility,
    pub(crate) mesh: Mesh,
}

impl Definition {
    pub(crate) fn read(definition: TokenStream) -> Self {
        let split = |input: ParseStream<'_>| Ok((input.parse()?, input.parse::<TokenStream>()?));
        let (visibility, tokens) =
            split.parse2(definition).unwrap_or((Visibility::Inherited, TokenStream::new()));
        Self { visibility, mesh: defined(tokens) }
    }
}

/// Splits the input of a callback into the tokens for its macro and the mesh that was read for it; `None` if that has mistakes by
/// which it cannot be read.
pub(crate) fn read(input: TokenStream) -> (TokenStream, Option<Mesh>) {
    let mut trees: Vec<TokenTree> = input.into_iter().collect();
    let definition = match trees.pop() {
        Some(TokenTree::Group(definition)) => definition.stream(),
        _ => TokenStream::new(),
    };
    let mesh = (!is_unknown(&definition)).then(|| Definition::read(definition).mesh);
    (trees.into_iter().collect(), mesh)
}

/// The mesh of a definition, which was checked when it was defined.
pub(crate) fn defined(tokens: TokenStream) -> Mesh {
    let flat = Flat::new(tokens);
    let mut cursor = flat.cursor();
    parse_mesh(&mut cursor)
        .and_then(|syntax| lower_mesh(&syntax, &mut Vec::new()))
        .unwrap_or_default()
}

/// `path!([callback] input)`: passes the definition at `path` to `callback` of the private module of tensor-layout.
pub(crate) fn on(path: &impl ToTokens, callback: &str, input: TokenStream) -> TokenStream {
    let callback = Ident::new(callback, Span::call_site());
    let mut arguments = quote!([::tensor_layout::__private::#callback] [::tensor_layout]);
    arguments.extend(input);
    let arguments = Group::new(Delimiter::Brace, arguments);
    quote!(#path! #arguments)
}
