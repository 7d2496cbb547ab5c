use super::layout::{LayoutSyntax, layout, layout_follows};
use crate::dtype::{DType, PaddingValue};
use crate::syntax::{Cursor, Kind, Parsed, Span, element_type, list, number};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// A size as written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Size {
    /// A number.
    Literal(i128),
    /// `?`: no size at all.
    Unbounded,
    /// `*`: combined with the next more minor dimension.
    Combine,
    /// A name that rustc knows.
    Name(String),
    /// An expression in braces.
    Expression,
}

/// A dimension, or an entry of a tile.
#[derive(Clone, Debug)]
pub struct DimSyntax<S> {
    /// Its size.
    pub size: Size,
    /// Whether it was written as a bound, `<=n`.
    pub bounded: bool,
    /// Where its size stands.
    pub span: S,
}

/// `padded to [3,5] with zero`, or only one of the two
#[derive(Clone, Debug)]
pub struct PaddedSyntax<S> {
    /// The widths: where none are written, the sizes of the dimensions.
    pub widths: Vec<DimSyntax<S>>,
    /// Whether widths are written.
    pub has_widths: bool,
    /// Where they stand.
    pub widths_span: S,
    /// The value: zero where none is written, unless it was misspelled.
    pub value: Option<PaddingValue>,
    /// Where the value stands.
    pub value_span: S,
    /// Where all of it stands.
    pub span: S,
}

/// `bf16[1000,384]{1,0:T(8,128)(2,1)}`
#[derive(Clone, Debug)]
pub struct ArraySyntax<S> {
    /// Element type, unless it was misspelled.
    pub dtype: Option<DType>,
    /// Where it stands.
    pub dtype_span: S,
    /// The dimensions.
    pub dims: Vec<DimSyntax<S>>,
    /// Where they stand.
    pub dims_span: S,
    /// The layout, if one is written.
    pub layout: Option<LayoutSyntax<S>>,
    /// Explicit padding, if it is written.
    pub padded: Option<PaddedSyntax<S>>,
}

pub(crate) fn array<S: Span>(cursor: &mut Cursor<'_, S>) -> Parsed<ArraySyntax<S>> {
    let dtype_span = cursor.span();
    let Some(Kind::Word(name)) = cursor.peek() else {
        return Err(cursor.unexpected("an element type"));
    };
    cursor.next();
    let dtype = DType::from_name(name);
    if dtype.is_none() {
        let help = match element_type(name) {
            Some(suggestion) => format!("did you mean `{suggestion}`?"),
            None => {
                "element types are written as XLA prints them: `f32`, `bf16`, `s8`, `pred`".into()
            }
        };
        cursor.report(dtype_span, format!("unknown element type `{name}`"), help);
    }
    let open = cursor.expect(&Kind::Open('['))?;
    let dims = list(cursor, ']', dim)?;
    let dims_span = cursor.since(open);
    let layout = if layout_follows(cursor) { Some(layout(cursor)?) } else { None };
    let padded = if cursor.is_word("padded") { Some(padded(cursor, &dims)?) } else { None };
    Ok(ArraySyntax { dtype, dtype_span, dims, dims_span, layout, padded })
}

pub(super) fn size<S: Span>(cursor: &mut Cursor<'_, S>) -> Parsed<DimSyntax<S>> {
    let first = cursor.span();
    let size = match cursor.peek() {
        Some(Kind::Word(name)) => {
            cursor.next();
            Size::Name(name.clone())
        }
        Some(Kind::Open('{')) => {
            cursor.skip_group();
            Size::Expression
        }
        _ => Size::Literal(number(cursor)?.value),
    };
    Ok(DimSyntax { size, bounded: false, span: cursor.since(first) })
}

fn dim<S: Span>(cursor: &mut Cursor<'_, S>) -> Parsed<DimSyntax<S>> {
    let span = cursor.span();
    if cursor.take_symbol('?') {
        return Ok(DimSyntax { size: Size::Unbounded, bounded: false, span });
    }
    let bounded = cursor.take(&Kind::AtMost).is_some();
    Ok(DimSyntax { bounded, ..size(cursor)? })
}

/// What padding of the dimensions is written: widths, a value, or both.
fn padded<S: Span>(cursor: &mut Cursor<'_, S>, dims: &[DimSyntax<S>]) -> Parsed<PaddedSyntax<S>> {
    let first = cursor.expect_word("padded")?;
    let has_widths = !cursor.is_word("with");
    let (mut widths, mut widths_span) = (dims.to_vec(), first);
    if has_widths {
        cursor.expect_word("to")?;
        let open = cursor.expect(&Kind::Open('['))?;
        widths = list(cursor, ']', size)?;
        widths_span = cursor.since(open);
        if !cursor.is_word("with") {
            let span = cursor.since(first);
            let value = Some(PaddingValue::Zero);
            return Ok(PaddedSyntax {
                widths,
                has_widths,
                widths_span,
                value,
                value_span: span,
                span,
            });
        }
    }
    cursor.expect_word("with")?;
    let value_span = cursor.span();
    let Some(Kind::Word(word)) = cursor.peek() else {
        return Err(cursor.unexpected("a padding value"));
    };
    cursor.next();
    let value = PaddingValue::ALL.into_iter().find(|value| value.name() == word);
    if value.is_none() {
        let help = "the values are `zero`, `one`, `lowest` and `highest`";
        cursor.report(value_span, format!("unknown padding value `{word}`"), help);
    }
    let span = cursor.since(first);
    Ok(PaddedSyntax { widths, has_widths, widths_span, value, value_span, span })
}
