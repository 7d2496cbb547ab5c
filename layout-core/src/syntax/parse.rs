use super::array::{ArraySyntax, DimSyntax, Size};
use super::cursor::{Cursor, Diagnostic, Diagnostics};
use super::lex::lex;
use super::lower::lower;
use super::shape::{ShapeSyntax, parse_shape};
use crate::tiled::{Shape, TiledSpec};
use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

/// One mistake in a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mistake {
    /// The line, from 1.
    pub line: usize,
    /// The character in the line, from 1.
    pub column: usize,
    /// What is wrong.
    pub message: String,
    /// What would be right; empty where the message says it all.
    pub help: String,
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)?;
        if self.help.is_empty() { Ok(()) } else { write!(f, " (help: {})", self.help) }
    }
}

/// Why a text is not a shape: every mistake in it, in the order of the text. Displays them a line each.
///
/// ```
/// let error = "f32[3,5]{1,1:T(0,2)}".parse::<layout_core::TiledSpec>().unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "1:12: dimension 1 is listed twice in minor_to_major (help: did you mean `{1,0}`?)\n\
///      1:16: a tile size must be positive, but this one is 0",
/// );
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseError {
    mistakes: Vec<Mistake>,
}

impl ParseError {
    /// The mistakes; there is at least one.
    pub fn mistakes(&self) -> &[Mistake] {
        &self.mistakes
    }

    pub(super) fn new(text: &str, mut diagnostics: Diagnostics<usize>) -> Self {
        diagnostics.sort_by_key(|diagnostic| diagnostic.span);
        // From one mistake to the next, so that the text is read once.
        let (mut line, mut column, mut at) = (1, 1, 0);
        let mistake = |Diagnostic { span, message, help }| {
            for char in text[at..span].chars() {
                (line, column) = if char == '\n' { (line + 1, 1) } else { (line, column + 1) };
            }
            at = span;
            Mistake { line, column, message, help }
        };
        Self { mistakes: diagnostics.into_iter().map(mistake).collect() }
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, mistake) in self.mistakes.iter().enumerate() {
            f.write_str(if i > 0 { "\n" } else { "" })?;
            mistake.fmt(f)?;
        }
        Ok(())
    }
}

impl core::error::Error for ParseError {}

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

/// Reads a whole text and makes something of it.
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
        _ => Err(ParseError::new(text, diagnostics)),
    }
}

fn build(syntax: &ShapeSyntax<usize>, diagnostics: &mut Diagnostics<usize>) -> Option<Shape> {
    match syntax {
        ShapeSyntax::Array(array) => boxed(array, diagnostics).map(Shape::Array),
        ShapeSyntax::Buffer(array) => boxed(array, diagnostics).map(Shape::Buffer),
        ShapeSyntax::Token => Some(Shape::Token),
        ShapeSyntax::Opaque => Some(Shape::Opaque),
        ShapeSyntax::Tuple(shapes) => {
            // All of them, so that every mistake is found, and not just those of the first bad one.
            let shapes: Vec<_> = shapes.iter().map(|shape| build(shape, diagnostics)).collect();
            shapes.into_iter().collect::<Option<_>>().map(Shape::Tuple)
        }
    }
}

/// Not inlined: a spec is large, and the frames of a nested tuple must not be.
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
    let widths = array.padded.iter().flat_map(|padded| &padded.widths);
    let tiles = array.layout.iter().flat_map(|layout| &layout.tiles).flat_map(|tile| &tile.sizes);
    for size in array.dims.iter().chain(widths).chain(tiles) {
        unknown(size, diagnostics);
    }
    lower(array, diagnostics)?.validate().ok()
}

/// Names mean something to rustc only.
fn unknown(size: &DimSyntax<usize>, diagnostics: &mut Diagnostics<usize>) {
    let found = match &size.size {
        Size::Name(name) => format!("`{name}`"),
        Size::Expression => "`{`".to_string(),
        _ => return,
    };
    let message = format!("expected an integer, found {found}");
    diagnostics.push(Diagnostic { span: size.span, message, help: String::new() });
}
