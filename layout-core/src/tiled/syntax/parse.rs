use super::array::{ArraySyntax, DimSyntax, Size};
use super::lower::lower;
use super::shape::{ShapeSyntax, parse_shape};
use crate::syntax::{Cursor, Diagnostic, Diagnostics, ParseError, failed, lex};
use crate::tiled::{Shape, TiledSpec};
use alloc::boxed::Box;
use alloc::format;
use alloc::string::ToString;
use alloc::vec::Vec;
use core::str::FromStr;

impl FromStr for Shape {
    type Err = ParseError;

    /// Reads XLA's shape text. Linear in the text.
    fn from_str(text: &str) -> Result<Self, ParseError> {
        read(text, |syntax, diagnostics| build(&syntax, diagnostics))
    }
}

impl FromStr for TiledSpec {
    type Err = ParseError;

    /// Reads the text of an array shape. Linear in the text.
    fn from_str(text: &str) -> Result<Self, ParseError> {
        read(text, |syntax, diagnostics| match syntax.array() {
            Ok(array) => spec(&array, diagnostics),
            Err((message, help)) => {
                let (message, help) = (message.to_string(), help.to_string());
                diagnostics.push(Diagnostic { span: 0, message, help });
                None
            }
        })
    }
}

/// Reads a whole text, and lowers it.
fn read<T>(
    text: &str,
    make: impl FnOnce(ShapeSyntax<usize>, &mut Diagnostics<usize>) -> Option<T>,
) -> Result<T, ParseError> {
    let tokens = lex(text);
    let mut cursor = Cursor::new(&tokens, text.len());
    let syntax = parse_shape(&mut cursor);
    if syntax.is_some() {
        cursor.expect_end();
    }
    let mut diagnostics = cursor.diagnostics;
    let made = syntax.and_then(|syntax| make(syntax, &mut diagnostics));
    match made {
        Some(made) if diagnostics.is_empty() => Ok(made),
        _ => Err(failed(text, &tokens, diagnostics)),
    }
}

fn build(syntax: &ShapeSyntax<usize>, diagnostics: &mut Diagnostics<usize>) -> Option<Shape> {
    match syntax {
        ShapeSyntax::Array(array) => boxed(array, diagnostics).map(Shape::Array),
        ShapeSyntax::Buffer(array) => boxed(array, diagnostics).map(Shape::Buffer),
        ShapeSyntax::Token => Some(Shape::Token),
        ShapeSyntax::Opaque => Some(Shape::Opaque),
        ShapeSyntax::Tuple(shapes) => {
            // Builds all shapes before checking any result, so that the mistakes of every shape are found, not only those of the
            // first.
            let shapes: Vec<_> = shapes.iter().map(|shape| build(shape, diagnostics)).collect();
            shapes.into_iter().collect::<Option<_>>().map(Shape::Tuple)
        }
    }
}

/// Not inlined: a spec is large, and must not be part of the stack frames of a nested tuple.
#[inline(never)]
fn boxed(
    array: &ArraySyntax<usize>,
    diagnostics: &mut Diagnostics<usize>,
) -> Option<Box<TiledSpec>> {
    spec(array, diagnostics).map(Box::new)
}

pub(super) fn spec(
    array: &ArraySyntax<usize>,
    diagnostics: &mut Diagnostics<usize>,
) -> Option<TiledSpec> {
    let widths = array.padded.iter().filter(|padded| padded.has_widths);
    let widths = widths.flat_map(|padded| &padded.widths);
    let tiles = array.layout.iter().flat_map(|layout| &layout.tiles).flat_map(|tile| &tile.sizes);
    for size in array.dims.iter().chain(widths).chain(tiles) {
        unknown(size, diagnostics);
    }
    lower(array, diagnostics)?.validate().ok()
}

/// Only rustc can resolve names.
pub(crate) fn unknown(size: &DimSyntax<usize>, diagnostics: &mut Diagnostics<usize>) {
    let found = match &size.size {
        Size::Name(name) => format!("`{name}`"),
        Size::Expression => "`{`".to_string(),
        _ => return,
    };
    let message = format!("expected an integer, found {found}");
    let help = "names and expressions are for the macros: write a number".to_string();
    diagnostics.push(Diagnostic { span: size.span, message, help });
}
