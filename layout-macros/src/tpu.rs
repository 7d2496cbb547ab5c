use crate::editor;
use crate::emit::{Emit, literal};
use crate::error;
use crate::flatten::{Flat, TokenRange};
use crate::tiled::{spec, static_array, warn_of_padding};
use layout_core::TiledSpec;
use layout_core::syntax::Diagnostic;
use layout_core::tiled::Draft;
use layout_core::tiled::syntax::{ArraySyntax, Size, lower};
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

pub(crate) fn expand(input: TokenStream) -> TokenStream {
    editor::described_type("tpu", input, described)
}

/// The type of an array, and its description if it has no mistakes and its sizes are literals.
pub(crate) fn described(input: TokenStream) -> (TokenStream, Option<TiledSpec>) {
    let flat = Flat::new(input);
    let mut cursor = flat.cursor();
    let help = "read the shape at run time, and use `TiledSpec::tpu_default`";
    let array = static_array(&mut cursor, help);
    if let Some(array) = &array {
        let help = "leave the layout out, or write it with `tiled!`";
        let message = "`tpu!` chooses the layout itself";
        for span in array
            .layout
            .iter()
            .map(|layout| layout.span)
            .chain(array.padded.iter().map(|padded| padded.span))
        {
            cursor.report(span, message, help);
        }
    }
    let mut diagnostics = cursor.diagnostics;
    // A layout that is to be left out is not checked.
    let array = array.map(|array| ArraySyntax { layout: None, padded: None, ..array });
    let written = array.as_ref().and_then(|array| lower(array, &mut diagnostics));
    let Some((array, written)) = array.zip(written).filter(|_| diagnostics.is_empty()) else {
        return (error::layout(&flat, diagnostics), None);
    };
    let draft = Draft::tpu_default(written.dtype, written.dims)
        .map(|draft| Draft { bounded: written.bounded, ..draft });
    let Some(draft) = draft else {
        let message = format!("the TPU compiler has no default layout for `{}`", written.dtype);
        let help = "write the layout with `tiled!`".to_owned();
        let mistake = Diagnostic { span: array.dtype_span, message, help };
        return (error::layout(&flat, vec![mistake]), None);
    };
    if let Some(problem) = draft.problems().as_slice().first() {
        let (message, help) = (problem.message().to_string(), problem.help().to_string());
        let mistake = Diagnostic { span: array.dims_span, message, help };
        return (error::layout(&flat, vec![mistake]), None);
    }
    let emit = Emit { flat: &flat, array: &array, draft: &draft };
    let number = numbers(&array, &emit);
    let order = (0..draft.minor_to_major.len())
        .map(|at| number(draft.minor_to_major.as_slice()[at], quote!(order(#at))));
    let (mut order, spec): (Vec<_>, _) = (order.collect(), spec(&array, &draft));
    warn_of_padding(&flat, &array, spec.as_ref(), &mut order);
    let tiles = draft.tiles.as_slice().iter().enumerate().map(|(tile, sizes)| {
        let sizes = sizes.as_slice().iter().enumerate();
        let sizes = sizes.map(|(at, size)| number(*size, quote!(tile(#tile, #at))));
        (sizes.collect(), flat.span(array.dims_span))
    });
    (emit.tiled(&order, &tiles.collect::<Vec<_>>()), spec)
}

/// Writes a number of the chosen layout: as a literal if all sizes are known, else as the expression that computes it.
fn numbers(
    array: &ArraySyntax<TokenRange>,
    emit: &Emit<'_>,
) -> impl Fn(usize, TokenStream) -> TokenStream {
    let known = array.dims.iter().all(|dim| matches!(dim.size, Size::Literal(_)));
    let (dims, span) = (emit.dims(), emit.flat.span(array.dims_span));
    let dtype = Ident::new(&format!("{:?}", emit.draft.dtype), Span::call_site());
    move |value, call| match known {
        true => literal(value, span),
        false => quote! {
            { ::tensor_layout::__private::TpuDefault::new(::tensor_layout::DType::#dtype, &[#(#dims),*]).#call }
        },
    }
}
