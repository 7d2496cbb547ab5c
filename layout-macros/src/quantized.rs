use crate::editor;
use crate::emit::{Arguments, braced, element, literal, with_arguments};
use crate::error::compile_errors;
use crate::flatten::{Flat, TokenRange};
use layout_core::DType;
use layout_core::quantized::syntax::{
    FormatSyntax, QuantizedSyntax, lower_quantized, parse_quantized,
};
use layout_core::quantized::{Arrangement, QuantizedSpec};
use layout_core::syntax::Diagnostic;
use layout_core::tiled::syntax::{DimSyntax, Size};
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{quote, quote_spanned};

pub(crate) fn expand(input: TokenStream) -> TokenStream {
    editor::in_type(input, |cursor| editor::read("quantized", cursor), described)
}

/// The type of an array, and the text that an editor shows for it.
fn described(input: TokenStream) -> (TokenStream, Option<String>) {
    let flat = Flat::new(input);
    let mut cursor = flat.cursor();
    let syntax = parse_quantized(&mut cursor);
    if syntax.is_some() {
        cursor.expect_end_of("the block-scaled array");
    }
    let mut diagnostics = cursor.diagnostics;
    let spec = syntax.as_ref().and_then(|syntax| lower_quantized(syntax, &mut diagnostics));
    match (syntax, spec) {
        (Some(syntax), Some(spec)) if diagnostics.is_empty() => {
            let is_known = |dim: &DimSyntax<_>| matches!(dim.size, Size::Literal(_));
            let shown = syntax.dims.iter().all(is_known).then_some(&spec);
            let shown = shown.and_then(|spec| editor::shown_in_words(spec, spec.bytes()));
            (emit(&flat, &syntax, &spec), shown)
        }
        (syntax, _) => (instead(&flat, syntax.as_ref(), diagnostics), None),
    }
}

/// `Quantized<S8, Shape2<4096, 4096>, By<F16, 32>, Blocks>`
fn emit(flat: &Flat, syntax: &QuantizedSyntax<TokenRange>, spec: &QuantizedSpec) -> TokenStream {
    let span = flat.span(syntax.name_span);
    let elements = element(spec.element(), span);
    let (scale_span, block_span) = match &syntax.format {
        FormatSyntax::Preset(_) => (span, span),
        FormatSyntax::Scaled(_, scale) => {
            (flat.span(scale.dtype_span), flat.span(scale.block_span))
        }
    };
    let scale = element(spec.scale(), scale_span);
    let block = literal(spec.block(), block_span);
    let by = Ident::new(if spec.has_tensor_scale() { "ByTensor" } else { "By" }, scale_span);
    let arrangement = match spec.arrangement() {
        Arrangement::Blocks => quote!(Blocks),
        Arrangement::Planes => quote!(Planes),
    };
    let of_shape = |sizes: &[TokenStream]| {
        let dims_span = flat.span(syntax.dims_span);
        let shape = with_arguments("Shape", sizes.len(), dims_span, sizes);
        quote! {
            ::tensor_layout::quantized::Quantized<
                #elements,
                #shape,
                ::tensor_layout::quantized::#by<#scale, #block>,
                ::tensor_layout::quantized::#arrangement,
            >
        }
    };
    let mut sizes: Arguments = syntax.dims.iter().map(|dim| size(flat, dim)).collect();
    let plain = of_shape(&sizes);
    // Only rustc knows the value of an expression: the last size, which blocks must divide, contains a check of the type.
    let last = syntax.dims.last().filter(|dim| dim.size == Size::Expression);
    if let (Some(dim), Some(size)) = (last, sizes.last_mut()) {
        let span = flat.tree(dim.span).span();
        *size = quote_spanned! {span=>
            { ::tensor_layout::__private::checked_quantized_size::<#plain>(#size) }
        };
    }
    of_shape(&sizes)
}

fn size(flat: &Flat, dim: &DimSyntax<TokenRange>) -> TokenStream {
    match dim.size {
        Size::Literal(value) => literal(value as usize, flat.span(dim.span)),
        _ => match flat.tree(dim.span) {
            TokenTree::Group(group) => {
                let expression = group.stream();
                quote!({ #expression })
            }
            name => braced(name),
        },
    }
}

/// A placeholder for an array with mistakes. Each error is reported at its token, and no further errors follow from it. It has
/// the written rank, as far as that can be read.
fn instead(
    flat: &Flat,
    syntax: Option<&QuantizedSyntax<TokenRange>>,
    diagnostics: Vec<Diagnostic<TokenRange>>,
) -> TokenStream {
    let errors = compile_errors(flat, diagnostics);
    let rank = syntax.map_or(2, |syntax| syntax.dims.len().clamp(1, layout_core::parts::MAX_RANK));
    let sizes: Vec<_> = (0..rank).map(|_| literal(32, Span::call_site())).collect();
    let shape = with_arguments("Shape", rank, Span::call_site(), &sizes);
    let (elements, scale) =
        (element(DType::S8, Span::call_site()), element(DType::F16, Span::call_site()));
    // Only a const argument of a type can contain statements.
    quote! {
        ::tensor_layout::quantized::Quantized<
            #elements,
            #shape,
            ::tensor_layout::quantized::By<#scale, { #(#errors;)* 32 }>,
            ::tensor_layout::quantized::Blocks,
        >
    }
}
