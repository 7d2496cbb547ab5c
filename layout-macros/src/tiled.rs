use crate::editor;
use crate::emit::{Emit, literal};
use crate::error;
use crate::flatten::{Flat, TokenRange};
use crate::warning::warning;
use layout_core::TiledSpec;
use layout_core::syntax::Cursor;
use layout_core::tiled::Draft;
use layout_core::tiled::syntax::{ArraySyntax, Size, lower, parse_shape};
use proc_macro2::TokenStream;
use quote::quote;

pub(crate) fn expand(input: TokenStream) -> TokenStream {
    editor::described_type("tiled", input, described)
}

/// The type of an array, and its description if it has no mistakes and its sizes are literals.
pub(crate) fn described(input: TokenStream) -> (TokenStream, Option<TiledSpec>) {
    let flat = Flat::new(input);
    let mut cursor = flat.cursor();
    let help = "read the shape at run time as a `TiledSpec`, or use a const parameter: `N`";
    let array = static_array(&mut cursor, help);
    let mut diagnostics = cursor.diagnostics;
    let draft = array.as_ref().and_then(|array| lower(array, &mut diagnostics));
    match (array, draft) {
        (Some(array), Some(draft)) if diagnostics.is_empty() => {
            let emit = Emit { flat: &flat, array: &array, draft: &draft };
            let written = array.layout.as_ref().map(|layout| &layout.order);
            let span = |at: usize| {
                let dim = written.and_then(|order| order.get(at));
                flat.span(dim.map_or(array.dims_span, |dim| dim.span))
            };
            let order = draft.minor_to_major.as_slice().iter().enumerate();
            let mut order: Vec<_> = order.map(|(at, dim)| literal(*dim, span(at))).collect();
            let spec = spec(&array, &draft);
            warn_of_padding(&flat, &array, spec.as_ref(), &mut order);
            (emit.tiled(&order, &emit.tiles()), spec)
        }
        _ => (error::layout(&flat, diagnostics), None),
    }
}

/// Warns about much padding, in the first number of an order, because only a const argument of a type can contain statements.
pub(crate) fn warn_of_padding(
    flat: &Flat,
    array: &ArraySyntax<TokenRange>,
    spec: Option<&TiledSpec>,
    order: &mut [TokenStream],
) {
    if let Some(text) = spec.and_then(TiledSpec::padding_warning)
        && let Some(first) = order.first_mut()
    {
        let help = "choose sizes or an order of the dimensions that fill the tiles";
        let warning =
            warning("padding", flat.span(array.dims_span), &format!("{text}\n\nhelp: {help}"));
        *first = quote!({ #warning; #first });
    }
}

/// The array, if all of its sizes are literals: the draft does not contain the values of other sizes.
pub(crate) fn spec(array: &ArraySyntax<TokenRange>, draft: &Draft) -> Option<TiledSpec> {
    let tiles = array.layout.iter().flat_map(|layout| &layout.tiles);
    let widths = array.padded.iter().flat_map(|padded| &padded.widths);
    let mut sizes = array.dims.iter().chain(tiles.flat_map(|tile| &tile.sizes)).chain(widths);
    let is_known = sizes.all(|size| !matches!(size.size, Size::Name(_) | Size::Expression));
    is_known.then(|| draft.validate().ok()).flatten()
}

/// Reads one array whose dimensions must all have a size; `help` states what to write if a size is missing. Mistakes are added to
/// the diagnostics of the cursor.
pub(crate) fn static_array(
    cursor: &mut Cursor<'_, TokenRange>,
    help: &str,
) -> Option<ArraySyntax<TokenRange>> {
    let start = cursor.span();
    let shape = parse_shape(cursor)?;
    let span = cursor.since(start);
    cursor.expect_end();
    let array = match shape.array() {
        Ok(array) => array,
        Err((message, help)) => {
            cursor.report(span, message, help);
            return None;
        }
    };
    for dim in array.dims.iter().filter(|dim| dim.size == Size::Unbounded) {
        cursor.report(dim.span, "`?` has no size at compile time", help);
    }
    Some(array)
}
