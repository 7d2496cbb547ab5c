//! Structs of the tensors of a checkpoint.

use crate::conditions;
use crate::rust::{error, unraw};
use crate::{quantized, sparse_tensor, tiled, tpu};
use layout_core::syntax::nearest;
use proc_macro2::{Delimiter, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::buffer::Cursor;
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::spanned::Spanned;
use syn::{
    Attribute, Expr, ExprLit, ExprUnary, Field, Fields, FieldsNamed, GenericArgument, GenericParam,
    Item, ItemStruct, Lifetime, LifetimeParam, Lit, LitStr, Meta, PathArguments, Token, Type, UnOp,
};

/// An example of a manifest.
const EXAMPLE: &str = "write `pub struct Block { wq: tpu!(bf16[64,64]), }`";

/// The types of fields.
const TYPES: &str = "write `tiled!(..)`, `tpu!(..)`, `quantized!(..)`, the name of a layout, a manifest with its lifetime, or a list";

pub(crate) fn expand(input: TokenStream) -> TokenStream {
    let items = |input: ParseStream<'_>| {
        let mut items = Vec::new();
        while !input.is_empty() {
            items.push(input.parse::<Item>()?);
        }
        Ok(items)
    };
    let written = input.clone();
    let items = match items.parse2(input) {
        Ok(items) => items,
        Err(mistake) => return mistakes(&mistake, written),
    };
    let manifests = manifests(&items);
    let definition = |item| match item {
        Item::Struct(item) => definition(item, &manifests),
        item => error(&syn::Error::new(item.span(), "a manifest is a struct"), EXAMPLE),
    };
    items.into_iter().map(definition).collect()
}

/// The structs of one macro call that have a lifetime, written or not: all with fields.
fn manifests(items: &[Item]) -> Vec<Ident> {
    let name = |item: &Item| match item {
        Item::Struct(item) if !item.fields.is_empty() => Some(item.ident.clone()),
        _ => None,
    };
    items.iter().filter_map(name).collect()
}

/// The mistakes of a struct that is not Rust: those of each field that is not Rust, of the other fields, and of the keyword.
fn mistakes(first: &syn::Error, written: TokenStream) -> TokenStream {
    let Ok(Recovered { keyword, mut item, wrong }) = recovered.parse2(written.clone()) else {
        return error(first, &help(written));
    };
    if wrong.is_empty() && keyword.is_none() {
        return error(first, &help(written));
    }
    let mut errors: TokenStream = keyword.iter().flat_map(|mistake| error(mistake, "")).collect();
    errors.extend(wrong.into_iter().flat_map(|(mistake, field)| error(&mistake, &help(field))));
    // Derived items need all fields.
    item.attrs.clear();
    errors.extend(definition(item, &[]));
    errors
}

/// A struct as far as it can be read.
struct Recovered {
    /// The mistake in its keyword.
    keyword: Option<syn::Error>,
    /// The struct with the fields that are Rust.
    item: ItemStruct,
    /// What is wrong with the other fields, and their tokens.
    wrong: Vec<(syn::Error, TokenStream)>,
}

/// Reads a struct of which only the outline is Rust.
fn recovered(input: ParseStream<'_>) -> syn::Result<Recovered> {
    let (attrs, vis) = (input.call(Attribute::parse_outer)?, input.parse()?);
    let word = input.call(Ident::parse_any)?;
    // `pub Model { .. }`
    let is_name = !input.peek(Ident::peek_any);
    let keyword = (word != "struct").then(|| {
        let help = match is_name {
            true => format!("write `struct {word}`"),
            false => "write `pub struct`".into(),
        };
        let message = format!("expected `struct`, found `{word}`\n\nhelp: {help}");
        syn::Error::new(word.span(), message)
    });
    let ident: Ident = if is_name { word } else { input.parse()? };
    let generics = input.parse()?;
    let braces;
    syn::braced!(braces in input);
    input.parse::<TokenStream>()?;
    let (fields, wrong) = fields(&braces)?;
    let item: ItemStruct = syn::parse_quote!(struct #ident { #(#fields),* });
    Ok(Recovered { keyword, item: ItemStruct { attrs, vis, generics, ..item }, wrong })
}

/// The fields, and those that are not Rust, up to the comma or semicolon after each, with what is wrong with them.
#[allow(clippy::type_complexity, reason = "a mistake and its tokens")]
fn fields(input: ParseStream<'_>) -> syn::Result<(Vec<Field>, Vec<(syn::Error, TokenStream)>)> {
    let (mut fields, mut wrong) = (Vec::new(), Vec::new());
    while !input.is_empty() {
        let start = input.cursor();
        match input.call(Field::parse_named) {
            Ok(field) => {
                let begins_next = input.peek(Ident::peek_any) || input.peek(Token![#]);
                if begins_next || input.peek(Token![;]) {
                    let message = "expected `,`\n\nhelp: fields are separated by commas";
                    wrong.push((input.error(message), TokenStream::new()));
                    fields.push(field);
                } else if input.is_empty() || input.peek(Token![,]) {
                    fields.push(field);
                } else {
                    let mistake = input.error("expected `,`");
                    wrong.push((mistake, field_tokens(input, start)?));
                }
                if begins_next {
                    continue;
                }
            }
            Err(mistake) => wrong.push((mistake, field_tokens(input, start)?)),
        }
        if !input.is_empty() {
            input.parse::<TokenTree>()?;
        }
    }
    Ok((fields, wrong))
}

/// The tokens from `start` to the comma or semicolon that ends the field, which is included.
fn field_tokens(input: ParseStream<'_>, start: Cursor<'_>) -> syn::Result<TokenStream> {
    while !input.is_empty() && !input.peek(Token![,]) && !input.peek(Token![;]) {
        input.parse::<TokenTree>()?;
    }
    let (mut at, mut field) = (start, TokenStream::new());
    let end = input.cursor().token_tree().map_or_else(|| input.cursor(), |(_, next)| next);
    while at != end
        && let Some((tree, next)) = at.token_tree()
    {
        field.extend([tree]);
        at = next;
    }
    Ok(field)
}

/// What to write instead of the first thing that is not Rust: `bias: f32[64]`, or a field that ends with a semicolon.
fn help(written: TokenStream) -> String {
    let fields: Vec<_> = written.into_iter().collect();
    let name = fields.iter().find_map(|tree| match tree {
        TokenTree::Literal(literal) => {
            Some(literal.to_string()).filter(|text| text.starts_with('"'))
        }
        _ => None,
    });
    if let Some(name) = name {
        return format!(
            "the name in the checkpoint is an attribute: `#[name = {name}] w: tpu!(bf16[64,64])`"
        );
    }
    for field in fields.windows(3) {
        if let [TokenTree::Punct(before), TokenTree::Ident(element), TokenTree::Group(sizes)] =
            field
            && matches!(before.as_char(), ':' | '<')
            && sizes.delimiter() == Delimiter::Bracket
        {
            return format!("the type of an array is `tpu!({element}{sizes})`");
        }
    }
    for field in fields.windows(3) {
        if let [TokenTree::Punct(colon), TokenTree::Ident(called), TokenTree::Group(array)] = field
            && colon.as_char() == ':'
            && array.delimiter() == Delimiter::Parenthesis
        {
            return format!("an exclamation mark follows the name of a macro: `{called}!(..)`");
        }
    }
    for field in fields.windows(2) {
        if let [TokenTree::Ident(name), TokenTree::Punct(equals)] = field
            && equals.as_char() == '='
        {
            return format!("the type of a field follows a colon: `{name}: ..`");
        }
    }
    let is_semicolon =
        |tree: &TokenTree| matches!(tree, TokenTree::Punct(end) if end.as_char() == ';');
    if fields.iter().any(is_semicolon) {
        return "fields are separated by commas".into();
    }
    EXAMPLE.into()
}

/// The struct with names for its fields, and without their types, which may be long.
fn with_names(item: &ItemStruct) -> String {
    let fields = (0..item.fields.len()).map(|number| format!("field{number}: .."));
    let fields: Vec<_> = fields.collect();
    match fields.is_empty() {
        true => EXAMPLE.into(),
        false => format!("write `struct {} {{ {} }}`", item.ident, fields.join(", ")),
    }
}

fn definition(mut item: ItemStruct, manifests: &[Ident]) -> TokenStream {
    let mut errors = TokenStream::new();
    let (written, lifetime) = match lifetime(&item) {
        Ok(written) => (written.is_some(), written.unwrap_or_else(implied)),
        Err(mistake) => {
            return error(&mistake, "a manifest has only the lifetime of the checkpoint");
        }
    };
    let Fields::Named(fields) = &mut item.fields else {
        let mistake = syn::Error::new(item.ident.span(), "the fields of a manifest have names");
        return error(&mistake, &with_names(&item));
    };
    errors.extend(without_repeated(fields));
    let (mut finds, mut values) = (TokenStream::new(), TokenStream::new());
    let (loader, outer) = (local("loader"), local("name"));
    for (number, field) in fields.named.iter_mut().enumerate() {
        let nested = field.attrs.extract_if(.., is_nested).count() > 0;
        let lists = load(&mut field.ty, &Context { lifetime: &lifetime, nested, manifests });
        if let Err(mistake) = &lists {
            errors.extend(error(mistake, TYPES));
            // No further errors follow from a type that has been reported.
            field.ty = Type::Verbatim(quote!(()));
        }
        let name = entry(field, lists.as_ref().ok().copied());
        let conditions = conditions::of_item(&field.attrs);
        let (found, ty, field) = (local(&format!("field_{number}")), &field.ty, &field.ident);
        let find = match name {
            Ok(_) if lists.is_err() => quote!(::core::option::Option::<#ty>::None),
            Ok(name) => quote! {
                ::tensor_layout::checkpoint::Loader::find_in::<#ty>(#loader, #outer, #name)
            },
            // The field is kept, so that its absence causes no further errors.
            Err((mistake, help)) => {
                errors.extend(error(&mistake, help));
                quote!(::core::option::Option::<#ty>::None)
            }
        };
        finds.extend(quote!(#(#conditions)* let #found = #find;));
        values.extend(quote!(#(#conditions)* #field: #found?,));
    }
    let mut generics = item.generics.clone();
    if !written {
        let parameter = GenericParam::Lifetime(LifetimeParam::new(lifetime.clone()));
        generics.params.insert(0, parameter);
        // A struct without views has no lifetime.
        if mentions(fields.named.to_token_stream(), &lifetime) {
            item.generics = generics.clone();
        }
    }
    let (name, conditions) = (&item.ident, conditions::of_item(&item.attrs));
    let (parameters, ..) = generics.split_for_impl();
    let (_, arguments, bounds) = item.generics.split_for_impl();
    quote! {
        #errors
        #item
        #(#conditions)*
        #[automatically_derived]
        #[allow(deprecated)]
        impl #parameters ::tensor_layout::checkpoint::Manifest<#lifetime> for #name #arguments #bounds {
            fn find(
                #loader: &mut ::tensor_layout::checkpoint::Loader<#lifetime>,
                #outer: &::core::primitive::str,
            ) -> ::core::option::Option<Self> {
                #finds
                ::core::option::Option::Some(Self { #values })
            }
        }
    }
}

/// Takes out the fields whose names other fields have, and reports them.
fn without_repeated(fields: &mut FieldsNamed) -> TokenStream {
    let (mut errors, mut names) = (TokenStream::new(), Vec::new());
    let is_new = |field: &Field| {
        let Some(name) = &field.ident else { return true };
        // Under conditions, only one of them may exist.
        if !names.contains(name) || !conditions::of_item(&field.attrs).is_empty() {
            names.push(name.clone());
            return true;
        }
        let mistake = syn::Error::new(name.span(), format!("`{name}` is declared twice"));
        errors.extend(error(
            &mistake,
            "give one of the fields another name; `#[name = \"..\"]` is the name in the checkpoint",
        ));
        false
    };
    let kept: Vec<Field> = core::mem::take(&mut fields.named).into_iter().filter(is_new).collect();
    fields.named = kept.into_iter().collect();
    errors
}

/// The name of a variable. It differs from the names of the program's constants, which a pattern would refer to.
fn local(name: &str) -> Ident {
    Ident::new(&format!("__{name}"), Span::mixed_site())
}

/// The lifetime of a manifest, if it is written.
fn lifetime(item: &ItemStruct) -> syn::Result<Option<Lifetime>> {
    let mut written = item.generics.lifetimes().map(|parameter| parameter.lifetime.clone());
    match (written.next(), written.next()) {
        (_, Some(second)) => Err(syn::Error::new(second.span(), "this is a second lifetime")),
        (first, None) => Ok(first),
    }
}

/// The lifetime of a manifest that does not name one.
fn implied() -> Lifetime {
    Lifetime::new("'a", Span::call_site())
}

/// Whether tokens contain a lifetime.
fn mentions(tokens: TokenStream, lifetime: &Lifetime) -> bool {
    let mut quoted = false;
    tokens.into_iter().any(|tree| {
        let was_quoted = std::mem::replace(
            &mut quoted,
            matches!(&tree, TokenTree::Punct(quote) if quote.as_char() == '\''),
        );
        match tree {
            TokenTree::Group(group) => mentions(group.stream(), lifetime),
            TokenTree::Ident(name) => was_quoted && name == lifetime.ident,
            _ => false,
        }
    })
}

/// Whether an attribute says that the type of its field is a manifest.
fn is_nested(attribute: &mut Attribute) -> bool {
    attribute.meta.require_path_only().is_ok_and(|path| path.is_ident("nested"))
}

/// The pattern of the names of a field whose type is a list nested to this depth, or is unknown.
fn entry(field: &mut Field, lists: Option<usize>) -> Result<LitStr, (syn::Error, &'static str)> {
    if let Some(attribute) = field.attrs.iter().position(is_foreign_name) {
        let attribute = field.attrs.remove(attribute);
        let mistake = syn::Error::new_spanned(
            &attribute.meta,
            format!("the name of a tensor is the attribute `name`{}", written_as_name(&attribute)),
        );
        return Err((mistake, NAME));
    }
    let mut written = None;
    for attribute in field.attrs.extract_if(.., |attribute| attribute.path().is_ident("name")) {
        let name = name(&attribute).ok_or_else(|| {
            let message = format!("expected a name in quotes{}", written_as_name(&attribute));
            (syn::Error::new_spanned(&attribute.meta, message), NAME)
        })?;
        if written.replace(name).is_some() {
            let mistake = syn::Error::new(attribute.span(), "the field has a name already");
            return Err((mistake, "leave one of them out"));
        }
    }
    let called = || {
        let name = field.ident.as_ref();
        LitStr::new(&name.map(unraw).unwrap_or_default(), name.span())
    };
    let name = written.unwrap_or_else(called);
    let text = name.value();
    let wrong = |message: String, help| Err((syn::Error::new(name.span(), message), help));
    if text.replace("{}", "").contains(['{', '}']) {
        return wrong("a brace in a name is part of `{}`".into(), "`{}` stands for an index");
    }
    let lists = lists.unwrap_or(usize::MAX);
    match text.matches("{}").count() {
        more if more > lists => wrong(
            format!("the name has `{{}}` {}, but the field is {}", times(more), list(lists)),
            match lists {
                0 => {
                    "make the field a list, `[Layer<'a>; 4]` or `Vec<Layer<'a>>`, or leave `{}` out"
                }
                _ => "leave one `{}` out, or make the field a list of lists: `Vec<Vec<..>>`",
            },
        ),
        _ => Ok(name),
    }
}

/// Whether an attribute names the tensor as other libraries do: `#[rename = ".."]`.
fn is_foreign_name(attribute: &Attribute) -> bool {
    const NAMES: [&str; 7] = ["rename", "serde", "key", "tensor", "tensor_name", "path", "weight"];
    let Some(called) = attribute.path().get_ident().map(ToString::to_string) else { return false };
    // `#[Name = ".."]` and `#[nmae = ".."]`, unless rustc knows the attribute.
    let is_misspelled = called != "name" && nearest(&called, &["name"]).is_some();
    NAMES.contains(&called.as_str()) || is_misspelled
}

/// The attribute `name` with the text that another attribute contains, as the end of a message; empty if it contains none.
fn written_as_name(attribute: &Attribute) -> String {
    fn text(tokens: TokenStream) -> Option<String> {
        tokens.into_iter().find_map(|tree| match tree {
            TokenTree::Literal(literal) => {
                Some(literal.to_string()).filter(|text| text.starts_with('"'))
            }
            TokenTree::Group(group) => text(group.stream()),
            _ => None,
        })
    }
    match text(attribute.meta.to_token_stream()) {
        Some(text) => format!("\n\nhelp: the attribute is `#[name = {text}]`"),
        None => String::new(),
    }
}

/// An example of a name.
const NAME: &str = "as in `#[name = \"layers.{}.attn.wq\"]`, where `{}` is an index";

fn times(number: usize) -> String {
    if number == 1 { "once".into() } else { format!("{number} times") }
}

fn list(lists: usize) -> String {
    match lists {
        0 => "not a list".into(),
        1 => "one list".into(),
        more => format!("{more} nested lists"),
    }
}

/// The text of `#[name = ".."]`.
fn name(attribute: &Attribute) -> Option<LitStr> {
    match &attribute.meta {
        Meta::NameValue(pair) => match &pair.value {
            Expr::Lit(ExprLit { lit: Lit::Str(name), .. }) => Some(name.clone()),
            _ => None,
        },
        _ => None,
    }
}

/// What the types of a field mean.
struct Context<'a> {
    /// The lifetime of the manifest.
    lifetime: &'a Lifetime,
    /// Whether an attribute says that the type is a manifest.
    nested: bool,
    /// The manifests of the same macro call.
    manifests: &'a [Ident],
}

/// Replaces the type of a field by the type that is loaded: a layout becomes a view, also in a list. Returns how deeply lists
/// are nested. A nested manifest is unchanged.
fn load(ty: &mut Type, context: &Context<'_>) -> syn::Result<usize> {
    let lifetime = context.lifetime;
    match ty {
        Type::Array(list) => {
            if matches!(&list.len, Expr::Unary(ExprUnary { op: UnOp::Neg(_), .. })) {
                let message = "a list cannot have a negative length\n\nhelp: write a number, or `Vec<T>` for as many as the file has";
                return Err(syn::Error::new_spanned(&list.len, message));
            }
            return Ok(load(&mut list.elem, context)? + 1);
        }
        Type::Paren(inner) => return load(&mut inner.elem, context),
        Type::Group(inner) => return load(&mut inner.elem, context),
        Type::Path(path) if path.path.get_ident().is_some_and(is_primitive) => {
            let message = "a checkpoint contains arrays, not single numbers";
            return Err(syn::Error::new(path.span(), message));
        }
        Type::Path(path) => {
            let last = path.path.segments.last_mut();
            if let Some(last) = last
                && let PathArguments::AngleBracketed(arguments) = &mut last.arguments
            {
                if ["Packed", "DynPacked", "PackedMut"].iter().any(|array| last.ident == array) {
                    let message = "a field is a view of the checkpoint already\n\n\
                         help: write the layout alone: `tpu!(bf16[64,64])`";
                    return Err(syn::Error::new(path.span(), message));
                }
                let lists = match last.ident.to_string().as_str() {
                    "Vec" => Some(1),
                    "Option" => Some(0),
                    _ => None,
                };
                if let Some(lists) = lists
                    && let Some(GenericArgument::Type(inner)) = arguments.args.first_mut()
                {
                    return Ok(load(inner, context)? + lists);
                }
                let has_lifetime =
                    arguments.args.iter().any(|it| matches!(it, GenericArgument::Lifetime(_)));
                if has_lifetime {
                    return Ok(0);
                }
            }
        }
        Type::Macro(_) => {}
        Type::Reference(_) => {
            let message = "a field is a view of the checkpoint already: leave the `&` out";
            return Err(syn::Error::new(ty.span(), message));
        }
        Type::Slice(list) => {
            let message = "a list has a length, `[T; N]`, or is a `Vec<T>`";
            return Err(syn::Error::new(list.span(), message));
        }
        other => return Err(syn::Error::new(other.span(), "a checkpoint has no such type")),
    }
    if with_lifetime(ty, context) || context.nested {
        return Ok(0);
    }
    let span = ty.span().resolved_at(Span::call_site());
    let view = match expanded(ty) {
        Some((layout, View::Packed)) => {
            quote_spanned!(span=> ::tensor_layout::PackedRef<#lifetime, #layout>)
        }
        Some((layout, View::Quantized)) => {
            quote_spanned!(span=> ::tensor_layout::quantized::QuantizedRef<#lifetime, #layout>)
        }
        Some((layout, View::Sparse)) => {
            quote_spanned!(span=> ::tensor_layout::checkpoint::View<#lifetime, #layout>)
        }
        // Only rustc knows what a name refers to.
        None => quote_spanned!(span=> ::tensor_layout::checkpoint::View<#lifetime, #ty>),
    };
    *ty = Type::Verbatim(view);
    Ok(0)
}

/// Adds the lifetime to the name of a manifest of the same macro call. Returns whether the type is one.
fn with_lifetime(ty: &mut Type, context: &Context<'_>) -> bool {
    let Type::Path(path) = ty else { return false };
    let is_alone = path.path.segments.len() == 1;
    let Some(last) = path.path.segments.last_mut() else { return false };
    if !is_alone || !context.manifests.contains(&last.ident) {
        return false;
    }
    let lifetime = context.lifetime;
    match &mut last.arguments {
        PathArguments::AngleBracketed(arguments) => {
            arguments.args.insert(0, syn::parse_quote!(#lifetime));
        }
        arguments => *arguments = PathArguments::AngleBracketed(syn::parse_quote!(<#lifetime>)),
    }
    true
}

/// Whether this is a number type, `bool` or `String`.
fn is_primitive(name: &Ident) -> bool {
    ["f32", "f64", "bool", "String", "u8", "u16", "u32", "u64", "usize", "i8", "i16", "i32", "i64"]
        .iter()
        .any(|primitive| name == primitive)
}

/// The type that a field is loaded as.
enum View {
    Packed,
    Quantized,
    Sparse,
}

/// The tokens of a layout whose macro is known, and its view. Macros of layouts are expanded, because rustc cannot derive
/// traits for a struct with parameters whose fields have macros in their types.
fn expanded(ty: &Type) -> Option<(TokenStream, View)> {
    let Type::Macro(call) = ty else { return None };
    let input = call.mac.tokens.clone();
    match call.mac.path.segments.last()?.ident.to_string().as_str() {
        "tiled" => Some((tiled::expand(input), View::Packed)),
        "tpu" => Some((tpu::expand(input), View::Packed)),
        "quantized" => Some((quantized::expand(input), View::Quantized)),
        "sparse_tensor" => Some((sparse_tensor::expand(input), View::Sparse)),
        _ => None,
    }
}
