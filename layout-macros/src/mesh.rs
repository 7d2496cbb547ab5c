use crate::error::compile_errors;
use crate::flatten::Flat;
use crate::items::Item;
use layout_core::sharding::Mesh;
use layout_core::sharding::syntax::{lower_mesh, mesh_body};
use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::{quote, quote_spanned};

pub(crate) fn expand(input: TokenStream) -> TokenStream {
    match named(input) {
        Ok(item) => definition(&item),
        Err((span, message)) => quote_spanned!(span=> ::core::compile_error!(#message);),
    }
}

/// `pub Pod = ..`: an item whose tokens are what stands behind the equals sign.
pub(crate) fn named(input: TokenStream) -> Result<Item, (Span, &'static str)> {
    let mut trees = input.into_iter().peekable();
    let mut attributes = Vec::new();
    while let Some(TokenTree::Punct(hash)) = trees.peek()
        && hash.as_char() == '#'
    {
        let tree: TokenStream = trees.by_ref().take(2).collect();
        attributes.push(tree);
    }
    let mut visibility = TokenStream::new();
    if let Some(TokenTree::Ident(word)) = trees.peek()
        && word == "pub"
    {
        visibility.extend(trees.next());
        if let Some(TokenTree::Group(group)) = trees.peek()
            && group.delimiter() == Delimiter::Parenthesis
        {
            visibility.extend(trees.next());
        }
    }
    let span = trees.peek().map_or_else(Span::call_site, TokenTree::span);
    let Some(TokenTree::Ident(mut name)) = trees.next() else {
        return Err((span, "expected a name: `pub Pod = [\"data\" = 2, \"model\" = 4]`"));
    };
    let span = trees.peek().map_or_else(|| name.span(), TokenTree::span);
    if !matches!(trees.next(), Some(TokenTree::Punct(equals)) if equals.as_char() == '=') {
        return Err((span, "expected `=` and the definition behind the name"));
    }
    let mut tokens: Vec<TokenTree> = trees.collect();
    // A definition is an item: it may end as one.
    if matches!(tokens.last(), Some(TokenTree::Punct(end)) if end.as_char() == ';') {
        tokens.pop();
    }
    // Both the type and the macro are what the user wrote, not what this macro made up.
    name.set_span(name.span().resolved_at(Span::call_site()));
    Ok(Item { attributes, visibility, name, tokens: tokens.into_iter().collect() })
}

fn definition(item: &Item) -> TokenStream {
    let Item { attributes, visibility, name, .. } = item;
    let flat = Flat::new(item.tokens.clone());
    let mut cursor = flat.cursor();
    let syntax = mesh_body(&mut cursor);
    if syntax.is_some() {
        cursor.expect_end_of("the mesh");
    }
    let mut diagnostics = cursor.diagnostics;
    let mesh = syntax.and_then(|syntax| lower_mesh(&syntax, &mut diagnostics));
    let errors: Vec<_> = compile_errors(&flat, diagnostics).collect();
    let mesh = mesh.filter(|_| errors.is_empty()).unwrap_or_default();
    let text = mesh.to_string();
    let doc = format!("The mesh `{text}`, of {} devices.", mesh.devices());
    let axes = mesh.axes().iter().map(|axis| {
        let (name, size) = (axis.name(), axis.size());
        quote!(::tensor_layout::sharding::MeshAxis::constant(#name, #size))
    });
    let ids = mesh.device_ids().iter();
    let called = name.to_string();
    // A mesh with mistakes must not give rise to others where it is read.
    let reader = if errors.is_empty() { item.reader() } else { quote!() };
    let conditions: Vec<_> = item.conditions().collect();
    let errors = errors.iter().map(|error| quote!(#(#conditions)* #error;));
    quote! {
        #(#errors)*
        #(#attributes)*
        #[doc = #doc]
        #visibility struct #name;
        #(#conditions)*
        impl ::tensor_layout::sharding::MeshType for #name {
            const NAME: &'static ::core::primitive::str = #called;
            const AXES: &'static [::tensor_layout::sharding::MeshAxis] = &[#(#axes),*];
            const DEVICE_IDS: &'static [::core::primitive::usize] = &[#(#ids),*];
        }
        #reader
    }
}

/// What a macro gets that a mesh was read for: its own tokens, and the mesh.
pub(crate) fn read(input: TokenStream) -> (TokenStream, Mesh) {
    let mut trees: Vec<TokenTree> = input.into_iter().collect();
    let definition = match trees.pop() {
        Some(TokenTree::Group(definition)) => definition.stream(),
        _ => TokenStream::new(),
    };
    (trees.into_iter().collect(), defined(definition))
}

/// The mesh of a definition, which was checked where it stands.
pub(crate) fn defined(definition: TokenStream) -> Mesh {
    let flat = Flat::new(definition);
    let mut cursor = flat.cursor();
    mesh_body(&mut cursor)
        .and_then(|syntax| lower_mesh(&syntax, &mut Vec::new()))
        .unwrap_or_default()
}

/// `path!([callback] input)`: reads the mesh at `path`, and goes on in `callback` of the facade's private module.
pub(crate) fn on(path: &TokenStream, callback: &str, input: TokenStream) -> TokenStream {
    let callback = Ident::new(callback, Span::call_site());
    let callback = quote!([::tensor_layout::__private::#callback]);
    let mut arguments = callback;
    arguments.extend(input);
    let arguments = Group::new(Delimiter::Brace, arguments);
    quote!(#path! #arguments)
}
