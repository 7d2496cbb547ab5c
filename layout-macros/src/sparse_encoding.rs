use crate::editor;
use crate::emit::number;
use crate::error::compile_errors;
use crate::flatten::{Flat, TokenRange};
use crate::layouts;
use crate::rust::{Aliases, Item, aliases, error};
use layout_core::sparse::syntax::{EncodingSyntax, MapSyntax, lower_encoding, parse_encoding};
use layout_core::sparse::{DimSlice, LevelExpr, LevelFormat, LevelSpec, Scalar, SparseEncoding};
use layout_core::syntax::Diagnostic;
use proc_macro2::{Group, Literal, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};

pub(crate) fn expand(input: TokenStream) -> TokenStream {
    let Some(Aliases { items, meant, mistakes }) = aliases(input.clone()) else {
        return editor::described_type("sparse_encoding", input, described);
    };
    let example = "write `pub type Csr = (i, j) -> (i : dense, j : compressed);`";
    let mistakes = mistakes.iter().map(|mistake| error(mistake, example));
    items.iter().chain(&meant).map(definition).chain(mistakes).collect()
}

/// `pub type Csr = sparse_encoding!(..);` of `layouts!`: the item form with a picture.
pub(crate) fn alias(item: &Item, input: TokenStream) -> TokenStream {
    let (encoding, spec) = described(input.clone());
    let alias = layouts::alias(item, &encoding, "", spec.as_ref());
    let generics = generics(item);
    let reader = Item { tokens: input, ..item.clone() }.reader();
    quote!(#generics #alias #reader)
}

/// The tokens with 2 in place of the parameters, which are reported themselves: as the size of a block, it can be checked.
fn without_parameters(item: &Item, tokens: TokenStream) -> TokenStream {
    let names: Vec<_> = item
        .generics
        .params
        .iter()
        .filter_map(|parameter| match parameter {
            syn::GenericParam::Const(parameter) => Some(&parameter.ident),
            syn::GenericParam::Type(parameter) => Some(&parameter.ident),
            syn::GenericParam::Lifetime(_) => None,
        })
        .collect();
    if names.is_empty() {
        return tokens;
    }
    let without = |tree| match tree {
        TokenTree::Ident(name) if names.iter().any(|parameter| **parameter == name) => {
            number(2, name.span())
        }
        TokenTree::Group(group) => {
            let mut inner = Group::new(group.delimiter(), without_parameters(item, group.stream()));
            inner.set_span(group.span());
            inner.into_token_stream()
        }
        other => other.into_token_stream(),
    };
    tokens.into_iter().map(without).collect()
}

/// The error for an encoding with parameters.
fn generics(item: &Item) -> Option<TokenStream> {
    let first = item.generics.params.first()?;
    let message = "an encoding takes no parameters";
    let help = format!("write `type {} = ..`; the sizes are those of each tensor", item.name);
    let (conditions, error) =
        (item.conditions(), error(&syn::Error::new_spanned(first, message), &help));
    Some(quote!(#(#conditions)* #error))
}

/// `pub type Csr = ..;` and a macro of the same name, which passes the tokens of the definition to a callback.
fn definition(item: &Item) -> TokenStream {
    let Item { attributes, visibility, name, tokens, .. } = item;
    let (encoding, spec) = described(without_parameters(item, tokens.clone()));
    let (Ok(offers) | Err(offers)) =
        editor::before_items(tokens, |cursor| editor::read("sparse_encoding", cursor));
    let doc = spec.map(|text| {
        let text = format!("The sparse encoding `{text}`.");
        quote!(#[doc = #text])
    });
    let (reader, generics) = (item.reader(), generics(item));
    quote! {
        #offers
        #generics
        #(#attributes)*
        #doc
        #visibility type #name = #encoding;
        #reader
    }
}

/// The type of an encoding, and its description if it has no mistakes.
pub(crate) fn described(input: TokenStream) -> (TokenStream, Option<SparseEncoding>) {
    let flat = Flat::new(input);
    let mut cursor = flat.cursor();
    let syntax = parse_encoding(&mut cursor);
    if syntax.is_some() {
        cursor.expect_end_of("the encoding");
    }
    let mut diagnostics = cursor.diagnostics;
    let encoding = syntax.as_ref().and_then(|syntax| lower_encoding(syntax, &mut diagnostics));
    match (&syntax, encoding) {
        (Some(EncodingSyntax { map: Some(map), .. }), Some(encoding)) if diagnostics.is_empty() => {
            (Emit { flat: &flat, map, encoding: &encoding }.encoded(), Some(encoding))
        }
        _ => (instead(&flat, syntax.as_ref(), diagnostics), None),
    }
}

/// The type of a checked encoding; `None` if it has no map.
pub(crate) fn encoded(
    flat: &Flat,
    syntax: &EncodingSyntax<TokenRange>,
    encoding: &SparseEncoding,
) -> Option<TokenStream> {
    let map = syntax.map.as_ref()?;
    Some(Emit { flat, map, encoding }.encoded())
}

/// A dense placeholder for an encoding with mistakes. Each error is reported at its token, and no further errors follow from
/// it, because it has the written rank, as far as that can be read.
fn instead(
    flat: &Flat,
    syntax: Option<&EncodingSyntax<TokenRange>>,
    diagnostics: Vec<Diagnostic<TokenRange>>,
) -> TokenStream {
    let errors = compile_errors(flat, diagnostics);
    let map = syntax.and_then(|syntax| syntax.map.as_ref());
    let rank = map.map_or(1, |map| map.dims.len().max(1));
    // Only a const argument of a type can contain statements.
    let dims = core::iter::once(quote!({ #(#errors;)* 0 }))
        .chain((1..rank).map(|dim| number(dim, Span::call_site())));
    quote! {
        ::tensor_layout::sparse::Encoded::<
            ::tensor_layout::sparse::types::Rank<#rank>,
            (#(::tensor_layout::sparse::types::Level<
                ::tensor_layout::sparse::types::Dim<#dims>,
                ::tensor_layout::sparse::types::Dense,
            >,)*),
        >
    }
}

struct Emit<'a> {
    flat: &'a Flat,
    map: &'a MapSyntax<TokenRange>,
    encoding: &'a SparseEncoding,
}

impl Emit<'_> {
    /// `Encoded<Rank<2>, (Level<..>, ..), P, C, A>`, without trailing arguments that have their default value.
    fn encoded(&self) -> TokenStream {
        let draft = self.encoding.draft();
        let rank = with(
            "Rank",
            self.flat.span(self.map.dims_span),
            &[number(self.encoding.rank(), Span::call_site())],
        );
        let levels = self.encoding.levels().iter().zip(&self.map.levels).map(|(level, syntax)| {
            let expr = expr(&level.expr, self.flat.span(syntax.expr_span));
            let format = format(level, self.flat.span(syntax.format_span));
            with("Level", Span::call_site(), &[expr, format])
        });
        let entries = self.entries();
        let position = integer(draft.position_bits, false);
        let coordinate = integer(draft.coordinate_bits, self.encoding.is_signed());
        let optional = match (draft.position_bits, draft.coordinate_bits, self.encoding.is_signed())
        {
            _ if !entries.is_empty() => quote!(#position, #coordinate, #entries),
            (0, 0, false) => quote!(),
            (_, 0, false) => quote!(#position),
            _ => quote!(#position, #coordinate),
        };
        quote!(::tensor_layout::sparse::Encoded::<#rank, (#(#levels,)*), #optional>)
    }

    /// `With<Explicit<..>, With<Slices<..>>>`, or nothing.
    fn entries(&self) -> TokenStream {
        let draft = self.encoding.draft();
        let value = |name: &str, Scalar { ty, bits }: Scalar| {
            let arguments = [Literal::u32_unsuffixed(ty.code()), Literal::u128_unsuffixed(bits)];
            with(name, Span::call_site(), &arguments.map(ToTokens::into_token_stream))
        };
        let mut entries = Vec::new();
        entries.extend(draft.explicit.map(|explicit| value("Explicit", explicit)));
        entries.extend(draft.implicit.map(|implicit| value("Implicit", implicit)));
        if draft.exact {
            entries.push(with("Exact", Span::call_site(), &[]));
        }
        if let Some(slices) = self.encoding.slices() {
            let slices = slices.iter().zip(&self.map.dims).map(|(slice, dim)| {
                let DimSlice { offset, size, stride } = *slice;
                let span = self.flat.span(dim.span);
                with("Slice", span, &[offset, size, stride].map(known))
            });
            entries.push(with("Slices", Span::call_site(), &[quote!((#(#slices,)*))]));
        }
        let nested = entries.into_iter().rev().reduce(|others, entry| {
            let others = quote!(::tensor_layout::sparse::types::With<#others>);
            quote!(#entry, #others)
        });
        nested
            .map(|nested| quote!(::tensor_layout::sparse::types::With<#nested>))
            .unwrap_or_default()
    }
}

fn expr(expr: &LevelExpr, span: Span) -> TokenStream {
    let (form, div, modulus) = match expr {
        LevelExpr::Count { dim, slots } => {
            return with("Count", span, &[number(*dim, span), number(*slots, span)]);
        }
        LevelExpr::Part { form, div, modulus } => (form, *div, *modulus),
    };
    let last = form.coefficients.iter().rposition(|coefficient| *coefficient != 0).unwrap_or(0);
    let mut tokens = match form.coefficients[last] == 1 && form.terms() == 1 {
        true => with("Dim", span, &[number(last, span)]),
        false => {
            let coefficients = form.coefficients[..=last].iter();
            let coefficients: Vec<_> =
                coefficients.map(|c| Literal::i64_unsuffixed(*c).into_token_stream()).collect();
            with(&format!("Sum{}", last + 1), span, &coefficients)
        }
    };
    if div > 1 {
        tokens = with("Floordiv", span, &[tokens, number(div, span)]);
    }
    match modulus {
        Some(modulus) => with("Mod", span, &[tokens, number(modulus, span)]),
        None => tokens,
    }
}

fn format(level: &LevelSpec, span: Span) -> TokenStream {
    let sizes = match level.format {
        LevelFormat::Structured { n, m } => vec![number(n, span), number(m, span)],
        LevelFormat::Delta { bits } => vec![number(bits, span)],
        _ => Vec::new(),
    };
    let name = match level.format {
        LevelFormat::Dense => "Dense",
        LevelFormat::Batch => "Batch",
        LevelFormat::Compressed => "Compressed",
        LevelFormat::LooseCompressed => "LooseCompressed",
        LevelFormat::Singleton => "Singleton",
        LevelFormat::Structured { .. } => "Structured",
        LevelFormat::Range => "Range",
        LevelFormat::Delta { .. } => "Delta",
    };
    // The first property is the outermost.
    let properties = ["Nonunique", "Nonordered", "Soa"].into_iter().zip(level.properties.given());
    properties
        .rev()
        .filter(|(_, given)| *given)
        .fold(with(name, span, &sizes), |format, (name, _)| with(name, span, &[format]))
}

/// The integer type of a width.
fn integer(bits: usize, signed: bool) -> TokenStream {
    let name = match (bits, signed) {
        (2, _) => return quote!(::tensor_layout::sparse::Bits2),
        (0, false) => "usize".into(),
        (0, true) => "isize".into(),
        (_, false) => format!("u{bits}"),
        (_, true) => format!("i{bits}"),
    };
    let name = proc_macro2::Ident::new(&name, Span::call_site());
    quote!(::core::primitive::#name)
}

pub(crate) fn known(slice: Option<usize>) -> TokenStream {
    match slice {
        Some(value) => number(value, Span::call_site()),
        None => quote!({ ::tensor_layout::sparse::types::Slice::DYNAMIC }),
    }
}

/// `::tensor_layout::sparse::types::Name<..>`
fn with(name: &str, span: Span, arguments: &[TokenStream]) -> TokenStream {
    let ident = proc_macro2::Ident::new(name, span);
    match arguments {
        [] => quote!(::tensor_layout::sparse::types::#ident),
        _ => quote_spanned!(span=> ::tensor_layout::sparse::types::#ident<#(#arguments),*>),
    }
}
