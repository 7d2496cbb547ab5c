use crate::emit::{Emit, literal};
use crate::error;
use crate::flatten::Flat;
use layout_core::syntax::{ArraySyntax, Cursor, ShapeSyntax, Size, lower, parse_shape};
use proc_macro2::{Span, TokenStream};

pub(crate) fn expand(input: TokenStream) -> TokenStream {
    let flat = Flat::new(input);
    let mut cursor = flat.cursor();
    let array = static_array(&mut cursor, "tiled!");
    let mut diagnostics = cursor.diagnostics;
    let draft = array.as_ref().and_then(|array| lower(array, &mut diagnostics));
    match (array, draft) {
        (Some(array), Some(draft)) if diagnostics.is_empty() => {
            let emit = Emit { flat: &flat, array: &array, draft: &draft };
            let written = array.layout.as_ref().map(|layout| &layout.order);
            let span = |at: usize| {
                written.and_then(|order| order.get(at)).map_or(array.dims_span, |dim| dim.span)
            };
            let order = draft.minor_to_major.as_slice().iter().enumerate();
            let order: Vec<_> = order.map(|(at, dim)| literal(*dim, span(at))).collect();
            emit.tiled(&order, &emit.tiles())
        }
        _ => error::types(&flat, diagnostics),
    }
}

/// Reads one array whose dimensions all have a size. What is wrong is among the cursor's diagnostics.
pub(crate) fn static_array(
    cursor: &mut Cursor<'_, Span>,
    macro_name: &str,
) -> Option<ArraySyntax<Span>> {
    let start = cursor.span();
    let shape = parse_shape(cursor)?;
    cursor.expect_end();
    let ShapeSyntax::Array(array) = shape else {
        let help = "read it at run time as a `Shape`, and take its arrays";
        cursor.report(start, format!("`{macro_name}` takes one array"), help);
        return None;
    };
    for dim in array.dims.iter().filter(|dim| dim.size == Size::Unbounded) {
        let help = "use `TiledSpec` at run time, or a const parameter: `N` instead of `?`";
        cursor.report(dim.span, "`?` has no size at compile time", help);
    }
    Some(array)
}
