//! The grammar of sparse kernels: functions whose bodies are statements in index notation.
//!
//! ```text
//! kernel    := attribute* ['pub'] 'fn' name '(' operand,* ')' '->' outputs '{' step (';' step)* [';'] '}'
//! outputs   := operand | '(' operand,* ')'
//! step      := ['let'] statement (';' schedule)*
//! operand   := name ':' type [ '[' index,* ']' ]
//! type      := 'Dense' '<' element '>' | 'Packed' '<' layout '>' | encoding '<' element '>' | element
//! layout    := a type of Rust: 'tpu!(bf16[64,128])', 'Weights'
//! subscript := a sum of indices, and of elements of index arrays: '2 * i + k - 1', 'p[j]'
//! encoding  := path | '{' encoding of MLIR '}'
//! statement := name '[' subscript,* ']' ('=' | '+=' | '*=' | 'min=' | 'max=') expr [ 'if' expr ]
//!            | name '[' subscript,* ']' ('=' | '+=' | ..) semiring [ 'if' expr ]
//!            | name '[' subscript,* ']' '=' 'reduce' '(' function ',' identity ',' expr ')'
//!            | name '[' subscript,* ']' '=' ('argmin' | 'argmax') '(' expr ',' index ')' [ 'if' expr ]
//! semiring  := monoid '.' multiplication '(' expr ',' expr ')'
//! schedule  := 'order' '(' part,* ')' | 'split' '(' index ',' n ')' | 'unroll' '(' part [',' n] ')'
//!            | 'parallel' '(' part ')' | 'vectorize' '(' part ')' | 'gallop' '(' part ')' | 'size' '(' index ',' n ')'
//!            | 'accumulator' '(' element ')' | 'keep' | 'replace'
//! ```

mod body;
mod expr;
mod fuse;
mod gather;
mod kept;
mod lower;
mod print;
mod repeated;
mod rows;
mod schedule;
mod several;
mod signature;
mod steps;
mod subscript;
mod used;
mod values;

pub use body::{ReductionSyntax, StatementSyntax};
pub use expr::{ExprSyntax, FunctionSyntax, RegionSyntax};
pub use kept::{Kept, lower_kept, lower_sum};
pub use lower::lower_kernel;
pub use repeated::RepeatedTerm;
pub use schedule::{Outside, PartSyntax, ScheduleSyntax};
pub use several::{LoweredStatement, Program, Source, lower_several};
pub use signature::{
    ItemSyntax, KernelSyntax, LayoutSyntax, OperandSyntax, SeveralSyntax, StepSyntax, TypeSyntax,
};
pub use subscript::{GatherSyntax, SubscriptSyntax};

use crate::sparse::SparseEncoding;
use crate::sparse_kernel::{ElementType, layout_of};
use crate::syntax::ParseError;
use crate::syntax::failed;
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

/// Reads consecutive kernels, and returns those that could be read. The cursor collects the mistakes.
pub fn parse_kernels<S: Span>(cursor: &mut Cursor<'_, S>) -> Vec<ItemSyntax<S>> {
    let mut kernels = Vec::new();
    while cursor.peek().is_some() {
        let start = cursor.taken();
        // A word that is misplaced at the start of a function does not start another function.
        let is_next = |cursor: &Cursor<'_, S>| cursor.taken() > start && signature::at_item(cursor);
        kernels.extend(cursor.part(is_next, signature::item));
        if cursor.taken() == start {
            cursor.next();
        }
    }
    kernels
}

/// Reads the text of one function, which is its statements one after another.
#[doc(hidden)]
pub fn read_kernel(
    text: &str,
    encodings: &dyn Fn(&str) -> Option<SparseEncoding>,
) -> Result<Program<usize>, ParseError> {
    let tokens = lex(text);
    let mut cursor = Cursor::new(&tokens, text.len());
    let item = signature::item(&mut cursor).ok();
    if item.is_some() {
        cursor.expect_end_of("the kernel");
    }
    let mut diagnostics = cursor.diagnostics;
    if let Some(item) = &item {
        layouts(&item.operands(), &mut diagnostics);
        elements(item, &mut diagnostics);
    }
    let program = match &item {
        Some(ItemSyntax::One(kernel)) => Program::of_one(kernel, encodings, &mut diagnostics),
        Some(ItemSyntax::Several(several)) => lower_several(several, encodings, &mut diagnostics),
        None => None,
    };
    match program {
        Some(program) if diagnostics.is_empty() => Ok(program),
        _ => Err(failed(text, &tokens, diagnostics)),
    }
}

/// Reports layouts that only rustc can resolve. At run time, layouts must be written out.
fn layouts<S: Span>(operands: &[&OperandSyntax<S>], diagnostics: &mut Diagnostics<S>) {
    for operand in operands {
        if let TypeSyntax::Tiled(layout) = &operand.ty
            && layout_of(&layout.text.text).is_none()
        {
            let message = alloc::format!("unknown layout `{}`", layout.text.text);
            let help = "write it out with its sizes: `tpu!(bf16[64,256])`, `tiled!(f32[8,4]{0,1})`";
            lower::report(diagnostics, layout.text.span, message, help);
        }
    }
}

/// Reports element types that only rustc can resolve. At run time, only those of [`ElementType`] are known.
fn elements<S: Span>(item: &ItemSyntax<S>, diagnostics: &mut Diagnostics<S>) {
    let mut seen: Vec<&str> = Vec::new();
    let mut check = |Name { text, span }: &Name<S>| {
        let names: Vec<&str> = ElementType::names().collect();
        let help = match nearest(text, &names) {
            Some(name) => alloc::format!("did you mean `{name}`?"),
            None => alloc::format!("the types are {}", names.join(", ")),
        };
        let message = alloc::format!("unknown element type `{text}`");
        lower::report(diagnostics, *span, message, help);
    };
    for operand in item.operands() {
        let element = &operand.element;
        if ElementType::parse(&element.text).is_some() || seen.contains(&element.text.as_str()) {
            continue;
        }
        seen.push(&element.text);
        // An unknown layout has been reported already.
        if matches!(&operand.ty, TypeSyntax::Tiled(layout) if layout.dtype.is_none()) {
            continue;
        }
        // Separate messages report `a: f64[i]`, and an encoding without an element type.
        if matches!(operand.ty, TypeSyntax::Scalar) && !operand.dims.is_empty() {
            continue;
        }
        check(element);
    }
    if let ItemSyntax::Several(several) = item {
        let named = several.steps.iter().filter_map(|step| step.accumulator.as_ref());
        named.filter(|name| ElementType::parse(&name.text).is_none()).for_each(check);
    }
}

fn name<S: Span>(cursor: &mut Cursor<'_, S>, expected: &str) -> Parsed<Name<S>> {
    let Some(Kind::Word(text)) = cursor.peek() else { return Err(cursor.unexpected(expected)) };
    let span = cursor.span();
    cursor.next();
    Ok(Name { text: text.clone(), span })
}

/// The tokens of `range`, counted from the next one, as text with their location.
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
        let is_word_char = |c: char| c.is_alphanumeric() || c == '_';
        if (text.ends_with(is_word_char) && piece.starts_with(is_word_char)) || text.ends_with(',')
        {
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
