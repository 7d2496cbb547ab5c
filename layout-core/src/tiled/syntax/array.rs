use super::cursor::{Cursor, Kind, Parsed, Span, Stop};
use super::layout::{LayoutSyntax, layout, layout_follows};
use super::suggest::element_type;
use crate::dtype::{DType, PaddingValue};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// A number as written.
#[derive(Clone, Copy, Debug)]
pub struct Number<S> {
    /// Its value.
    pub value: i128,
    /// Where it stands.
    pub span: S,
}

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

/// `padded to [3,5] with zero`
#[derive(Clone, Debug)]
pub struct PaddedSyntax<S> {
    /// The widths.
    pub widths: Vec<DimSyntax<S>>,
    /// Where they stand.
    pub widths_span: S,
    /// The value, unless it was misspelled.
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

pub(super) fn array<S: Span>(cursor: &mut Cursor<'_, S>) -> Parsed<ArraySyntax<S>> {
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
    let padded = if cursor.is_word("padded") { Some(padded(cursor)?) } else { None };
    Ok(ArraySyntax { dtype, dtype_span, dims, dims_span, layout, padded })
}

/// Items with commas between them, up to behind `close`.
pub(super) fn list<S: Span, T>(
    cursor: &mut Cursor<'_, S>,
    close: char,
    mut item: impl FnMut(&mut Cursor<'_, S>) -> Parsed<T>,
) -> Parsed<Vec<T>> {
    let mut items = Vec::new();
    if cursor.take(&Kind::Close(close)).is_some() {
        return Ok(items);
    }
    loop {
        items.push(item(cursor)?);
        if !cursor.take_symbol(',') {
            cursor.expect_close(close)?;
            return Ok(items);
        }
    }
}

pub(super) fn number<S: Span>(cursor: &mut Cursor<'_, S>) -> Parsed<Number<S>> {
    let first = cursor.span();
    let negative = cursor.take_symbol('-');
    let digits = match cursor.peek() {
        Some(Kind::Number(digits)) => digits,
        Some(Kind::Other(literal)) if literal.starts_with(|c: char| c.is_ascii_digit()) => {
            let message = format!("expected a decimal integer, found `{literal}`");
            cursor.report(
                cursor.span(),
                message,
                "write it without a base, a fraction or a suffix",
            );
            return Err(Stop);
        }
        _ => return Err(cursor.unexpected("an integer")),
    };
    cursor.next();
    let span = cursor.since(first);
    match digits.parse::<isize>() {
        Ok(magnitude) => {
            let value = i128::from(magnitude as i64);
            Ok(Number { value: if negative { -value } else { value }, span })
        }
        Err(_) => {
            let help = format!("the largest is {}", isize::MAX);
            cursor.report(span, "integer literal is too large", help);
            Err(Stop)
        }
    }
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

fn padded<S: Span>(cursor: &mut Cursor<'_, S>) -> Parsed<PaddedSyntax<S>> {
    let first = cursor.expect_word("padded")?;
    cursor.expect_word("to")?;
    let open = cursor.expect(&Kind::Open('['))?;
    let widths = list(cursor, ']', size)?;
    let widths_span = cursor.since(open);
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
    Ok(PaddedSyntax { widths, widths_span, value, value_span, span: cursor.since(first) })
}
