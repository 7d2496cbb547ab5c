use crate::editor;
use crate::emit::{self, braced, number, with_arguments};
use crate::error::compile_errors;
use crate::flatten::{Flat, TokenRange};
use crate::rust::{Item, name_of};
use crate::{layouts, sparse_encoding};
use layout_core::sparse::syntax::{
    EncodingName, SizedSyntax, SparseSize, lower_encoding, parse_sized,
};
use layout_core::sparse::{MAX_RANK, ScalarType, SparseTensorSpec};
use layout_core::syntax::Diagnostic;
use proc_macro2::{Span, TokenStream, TokenTree};
use quote::{quote, quote_spanned};

pub(crate) fn expand(input: TokenStream) -> TokenStream {
    editor::described_type("sparse_tensor", input, described)
}

/// The type of a tensor, and its description if the whole encoding is written and all sizes are numbers or `?`.
pub(crate) fn described(input: TokenStream) -> (TokenStream, Option<SparseTensorSpec>) {
    let flat = Flat::new(input);
    let mut cursor = flat.cursor();
    let syntax = parse_sized(&mut cursor);
    if syntax.is_some() {
        cursor.expect_end_of("the sparse tensor");
    }
    let mut diagnostics = cursor.diagnostics;
    let Some(syntax) = syntax else { return (instead(&flat, None, diagnostics), None) };
    match checked(&flat, &syntax, &mut diagnostics) {
        Some((encoding, element)) if diagnostics.is_empty() => {
            let mut sizes: Vec<_> =
                syntax.sizes.iter().map(|size| self::size(&flat, size)).collect();
            if let EncodingName::Alias(..) = syntax.encoding {
                // Only rustc knows the rank of the encoding. A parameter of a generic item cannot occur in MLIR's text, so the
                // first size can contain a check.
                let (rank, first) = (sizes.len(), &sizes[0]);
                let span = flat.span(syntax.sizes_span);
                sizes[0] = quote_spanned! {span=>
                    { ::tensor_layout::__private::size_of_rank::<#encoding, #rank>(#first) }
                };
            }
            let span = flat.span(syntax.sizes_span);
            let open: Vec<_> =
                syntax.sizes.iter().map(|(size, _)| matches!(size, SparseSize::Dynamic)).collect();
            let shape = shape(&sizes, &open, span);
            let tensor =
                quote!(::tensor_layout::sparse::ShapedTensor::<#encoding, #element, #shape>);
            (tensor, spec(&syntax))
        }
        _ => (instead(&flat, Some(&syntax), diagnostics), None),
    }
}

/// `pub type A = sparse_tensor!(..);` of `layouts!`.
pub(crate) fn alias(item: &Item, input: TokenStream) -> TokenStream {
    let (tensor, spec) = described(input);
    let note = match spec {
        Some(_) => String::new(),
        None => format!("`{}`", layouts::as_written(item)),
    };
    layouts::alias(item, &tensor, &note, spec.as_ref())
}

/// The description of a tensor whose whole encoding is written.
fn spec(syntax: &SizedSyntax<TokenRange>) -> Option<SparseTensorSpec> {
    let EncodingName::Inline(written) = &syntax.encoding else { return None };
    let encoding = lower_encoding(written, &mut Vec::new())?;
    let sizes = syntax.sizes.iter().map(|(size, _)| match size {
        SparseSize::Literal(size) => Some(*size),
        _ => None,
    });
    SparseTensorSpec::new(&sizes.collect::<Vec<_>>(), syntax.element, encoding).ok()
}

/// The types of the encoding and of the values, unless there are mistakes.
pub(crate) fn checked(
    flat: &Flat,
    syntax: &SizedSyntax<TokenRange>,
    diagnostics: &mut Vec<Diagnostic<TokenRange>>,
) -> Option<(TokenStream, TokenStream)> {
    let element = element(syntax.element);
    let mut report = |message: String, help: &str| {
        let span = syntax.sizes_span;
        diagnostics.push(Diagnostic { span, message, help: help.into() });
    };
    if element.is_none() {
        let message = format!("a sparse tensor cannot hold values of `{}`", syntax.element);
        let help = "the types are `f16`, `bf16`, `f32`, `f64`, `i8`, `i16`, `i32`, `i64` and `complex<..>` of `f32` and `f64`";
        report(message, help);
    }
    if syntax.sizes.is_empty() {
        report("a sparse tensor has at least one dimension".into(), "");
    }
    if syntax.sizes.len() > MAX_RANK {
        let dims = syntax.sizes.len();
        report(format!("{dims} dimensions are more than the {MAX_RANK} that are supported"), "");
    }
    let encoding = encoding(flat, syntax, diagnostics);
    encoding.zip(element)
}

/// `Shape2<4, 6>` or, if a size is open, `OpenShape<(Known<4>, Computed<{ Slice::DYNAMIC }>)>`.
pub(crate) fn shape(sizes: &[TokenStream], open: &[bool], span: Span) -> TokenStream {
    if !open.contains(&true) {
        return with_arguments("Shape", sizes.len(), span, sizes);
    }
    let sizes = sizes.iter().zip(open).map(|(size, open)| match open {
        true => quote!(::tensor_layout::types::Computed<#size>),
        false => quote!(::tensor_layout::types::Known<#size>),
    });
    quote!(::tensor_layout::types::OpenShape<(#(#sizes,)*)>)
}

/// A placeholder for a tensor with mistakes, of the same rank as far as that can be read.
fn instead(
    flat: &Flat,
    syntax: Option<&SizedSyntax<TokenRange>>,
    diagnostics: Vec<Diagnostic<TokenRange>>,
) -> TokenStream {
    // The encoding is an import that is used, although its tensor could not be read.
    let used = match syntax {
        Some(_) => None,
        None => flat.path_of_type().map(|path| quote!(let _: ::core::option::Option<#path>;)),
    };
    let errors = compile_errors(flat, diagnostics).chain(used);
    let (encoding, element, shape) = instead_of(syntax, errors);
    quote!(::tensor_layout::sparse::ShapedTensor::<#encoding, #element, #shape>)
}

/// The encoding, the element type and the shape of the placeholder for a tensor with mistakes.
pub(crate) fn instead_of(
    syntax: Option<&SizedSyntax<TokenRange>>,
    errors: impl Iterator<Item = TokenStream>,
) -> (TokenStream, TokenStream, TokenStream) {
    let rank = syntax.map_or(1, |syntax| syntax.sizes.len().clamp(1, MAX_RANK));
    let levels = (0..rank).map(|dim| number(dim, Span::call_site()));
    let encoding = quote! {
        ::tensor_layout::sparse::Encoded::<
            ::tensor_layout::sparse::types::Rank<#rank>,
            (#(::tensor_layout::sparse::types::Level<
                ::tensor_layout::sparse::types::Dim<#levels>,
                ::tensor_layout::sparse::types::Dense,
            >,)*),
        >
    };
    let element = syntax.and_then(|syntax| element(syntax.element));
    let element = element.unwrap_or_else(|| quote!(::core::primitive::f64));
    // Only a const argument of a type can contain statements.
    let sizes: Vec<_> = core::iter::once(quote!({ #(#errors;)* 1 }))
        .chain((1..rank).map(|_| number(1, Span::call_site())))
        .collect();
    (encoding, element, with_arguments("Shape", rank, Span::call_site(), &sizes))
}

fn encoding(
    flat: &Flat,
    syntax: &SizedSyntax<TokenRange>,
    diagnostics: &mut Vec<Diagnostic<TokenRange>>,
) -> Option<TokenStream> {
    match &syntax.encoding {
        EncodingName::Alias(name, span) => {
            let name = name_of(&type_name(name), flat.span(*span));
            Some(quote!(#name))
        }
        EncodingName::Type(span) => Some(flat.tokens(*span)),
        EncodingName::Inline(written) => {
            let encoding = lower_encoding(written, diagnostics)?;
            sparse_encoding::encoded(flat, written, &encoding)
        }
    }
}

pub(crate) fn size(flat: &Flat, (size, span): &(SparseSize, TokenRange)) -> TokenStream {
    match size {
        SparseSize::Literal(size) => number(*size, flat.span(*span)),
        SparseSize::Dynamic => sparse_encoding::known(None),
        SparseSize::Name(_) | SparseSize::Expression => match flat.tree(*span) {
            TokenTree::Group(group) => {
                let (expression, span) = (group.stream(), group.span());
                quote_spanned!(span=> { #expression })
            }
            name => braced(name),
        },
    }
}

/// The Rust type with the values of an MLIR type: that of the items of a row-major slice.
fn element(ty: ScalarType) -> Option<TokenStream> {
    let marker = emit::element(ty.dtype()?, Span::call_site());
    Some(quote!(<#marker as ::tensor_layout::Element>::Host))
}

/// The name of the type for an alias of MLIR, spelled as Rust types are: `SortedCOO` is `SortedCoo`, and `CSR_SLICE` is
/// `CsrSlice`.
fn type_name(alias: &str) -> String {
    let mut name = String::new();
    let mut before = None;
    for c in alias.chars() {
        let starts = match before {
            None | Some('_' | '$' | '.') => true,
            Some(before) => c.is_ascii_uppercase() && !before.is_ascii_uppercase(),
        };
        if c.is_ascii_alphanumeric() {
            name.push(if starts { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() });
        }
        before = Some(c);
    }
    name
}

#[cfg(test)]
mod tests {
    use super::type_name;

    #[test]
    fn the_aliases_of_the_document_are_spelled_as_types() {
        for (alias, name) in [
            ("CSR", "Csr"),
            ("SparseVector", "SparseVector"),
            ("SortedCOO", "SortedCoo"),
            ("BCOO", "Bcoo"),
            ("DCSC", "Dcsc"),
            ("BSR_explicit", "BsrExplicit"),
            ("NV_24", "Nv24"),
            ("ELL", "Ell"),
            ("CSR_SLICE", "CsrSlice"),
            ("csr", "Csr"),
            ("Csr", "Csr"),
        ] {
            assert_eq!(type_name(alias), name);
        }
    }
}
