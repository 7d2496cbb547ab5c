//! The grammar of sparse kernels: functions whose bodies are statements in index notation.
//!
//! ```text
//! kernel    := attribute* ['pub'] 'fn' name '(' operand,* ')' '->' operand '{' statement (';' schedule)* [';'] '}'
//! operand   := name ':' type [ '[' index,* ']' ]
//! type      := 'Dense' '<' element '>' | 'Packed' '<' layout '>' | encoding '<' element '>' | element
//! layout    := a type of Rust: 'tpu!(bf16[64,128])', 'Weights'
//! encoding  := path | '{' encoding of MLIR '}'
//! statement := name '[' subscript,* ']' ('=' | '+=' | '*=' | 'min=' | 'max=') expr [ 'if' expr ]
//!            | name '[' subscript,* ']' ('=' | '+=' | ..) semiring [ 'if' expr ]
//!            | name '[' subscript,* ']' '=' 'reduce' '(' function ',' identity ',' expr ')'
//! semiring  := monoid '.' multiplication '(' expr ',' expr ')'
//! schedule  := 'order' '(' part,* ')' | 'split' '(' index ',' n ')' | 'unroll' '(' part [',' n] ')'
//!            | 'parallel' '(' part ')' | 'vectorize' '(' part ')' | 'gallop' '(' part ')' | 'size' '(' index ',' n ')'
//! ```

mod body;
mod expr;
mod lower;
mod print;
mod schedule;
mod signature;
mod subscript;
mod values;

pub use body::{ReductionSyntax, StatementSyntax};
pub use expr::{ExprSyntax, FunctionSyntax, RegionSyntax};
pub use lower::lower_kernel;
pub use schedule::{PartSyntax, ScheduleSyntax};
pub use signature::{KernelSyntax, LayoutSyntax, OperandSyntax, TypeSyntax};
pub use subscript::SubscriptSyntax;

use crate::sparse::SparseEncoding;
use crate::sparse_kernel::{ElementType, Kernel, layout_of};
use crate::syntax::ParseError;
use crate::syntax::lex;
use crate::syntax::nearest;
use crate::syntax::{Cursor, Diagnostics, Kind, Parsed, Span};
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

/// A name and its location.
#[derive(Clone, Debug)]
pub struct Name<S> {
    /// The name.
    pub text: String,
    /// Its location.
    pub span: S,
}

/// Reads kernels, one after another. An element is `None` where the text could not be read; the cursor has the diagnostics.
pub fn parse_kernels<S: Span>(cursor: &mut Cursor<'_, S>) -> Option<Vec<KernelSyntax<S>>> {
    let mut kernels = Vec::new();
    while cursor.peek().is_some() {
        kernels.push(signature::kernel(cursor).ok()?);
    }
    Some(kernels)
}

/// Reads the text of one function, and the type of its elements.
#[doc(hidden)]
pub fn read_kernel(
    text: &str,
    encodings: &dyn Fn(&str) -> Option<SparseEncoding>,
) -> Result<(Kernel, ElementType), ParseError> {
    let tokens = lex(text);
    let mut cursor = Cursor::new(&tokens, text.len());
    let syntax = signature::kernel(&mut cursor).ok();
    if syntax.is_some() {
        cursor.expect_end_of("the kernel");
    }
    let mut diagnostics = cursor.diagnostics;
    if let Some(syntax) = &syntax {
        layouts(syntax, &mut diagnostics);
    }
    let element = syntax.as_ref().and_then(|syntax| element(syntax, &mut diagnostics));
    let kernel = syntax.and_then(|syntax| lower_kernel(&syntax, encodings, &mut diagnostics));
    match (kernel, element) {
        (Some((kernel, _)), Some(element)) if diagnostics.is_empty() => Ok((kernel, element)),
        _ => Err(ParseError::new(text, diagnostics)),
    }
}

/// Reports layouts that only rustc knows. At run time they are written out.
fn layouts<S: Span>(syntax: &KernelSyntax<S>, diagnostics: &mut Diagnostics<S>) {
    for operand in syntax.parameters.iter().chain([&syntax.output]) {
        if let TypeSyntax::Tiled(layout) = &operand.ty
            && layout_of(&layout.text.text).is_none()
        {
            let message = alloc::format!("unknown layout `{}`", layout.text.text);
            let help = "write it out with its sizes: `tpu!(bf16[64,256])`, `tiled!(f32[8,4]{0,1})`";
            lower::report(diagnostics, layout.text.span, message, help);
        }
    }
}

/// The type of the elements. At run time only the types of [`ElementType`] are known.
fn element<S: Span>(
    syntax: &KernelSyntax<S>,
    diagnostics: &mut Diagnostics<S>,
) -> Option<ElementType> {
    let mut seen: Vec<&str> = Vec::new();
    for operand in syntax.parameters.iter().chain([&syntax.output]) {
        let Name { text, span } = &operand.element;
        if ElementType::parse(text).is_some() || seen.contains(&text.as_str()) {
            continue;
        }
        seen.push(text);
        // An unknown layout has been reported.
        if matches!(&operand.ty, TypeSyntax::Tiled(layout) if layout.dtype.is_none()) {
            continue;
        }
        // `a: f64[i]`, and an encoding without the type of its elements, have messages of their own.
        if matches!(operand.ty, TypeSyntax::Scalar) && !operand.dims.is_empty() {
            continue;
        }
        let names: Vec<&str> = ElementType::names().collect();
        let help = match nearest(text, &names) {
            Some(name) => alloc::format!("did you mean `{name}`?"),
            None => alloc::format!("the types are {}", names.join(", ")),
        };
        let message = alloc::format!("unknown element type `{text}`");
        lower::report(diagnostics, *span, message, help);
    }
    ElementType::parse(&syntax.output.element.text)
}

fn name<S: Span>(cursor: &mut Cursor<'_, S>, expected: &str) -> Parsed<Name<S>> {
    let Some(Kind::Word(text)) = cursor.peek() else { return Err(cursor.unexpected(expected)) };
    let span = cursor.span();
    cursor.next();
    Ok(Name { text: text.clone(), span })
}

/// The tokens of `range`, counted from the next one, as text, and their location.
fn tokens<S: Span>(cursor: &Cursor<'_, S>, range: Range<usize>) -> Name<S> {
    let tokens = &cursor.rest()[range];
    let mut text = String::new();
    for token in tokens {
        let piece = match &token.kind {
            Kind::Word(text) | Kind::Number(text) | Kind::Other(text) => text.clone(),
            Kind::Text(text) => alloc::format!("{text:?}"),
            Kind::AtMost => "<=".into(),
            Kind::Open(c) | Kind::Close(c) | Kind::Symbol(c) => String::from(*c),
        };
        let wordy = |c: char| c.is_alphanumeric() || c == '_';
        if (text.ends_with(wordy) && piece.starts_with(wordy)) || text.ends_with(',') {
            text.push(' ');
        }
        text.push_str(&piece);
    }
    let span = match tokens {
        [first, .., last] => first.span.to(last.span),
        [one] => one.span,
        [] => cursor.span(),
    };
    Name { text, span }
}
