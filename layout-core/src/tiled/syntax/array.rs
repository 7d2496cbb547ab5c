use super::foreign::foreign;
use super::keywords;
use super::layout::{self, LayoutSyntax, layout, layout_follows};
use crate::dtype::{DType, PaddingValue};
use crate::syntax::{
    Cursor, Kind, Offer, Parsed, Span, Stop, Token, element_type, is_type_parameter, items, number,
    written,
};
use alloc::format;
use alloc::string::{String, ToString};
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
    /// A name that only rustc can resolve.
    Name(String),
    /// An expression in braces.
    Expression,
    /// A size that could not be read, and has been reported.
    Wrong,
}

/// A dimension, or an entry of a tile.
#[derive(Clone, Debug)]
pub struct DimSyntax<S> {
    /// Its size.
    pub size: Size,
    /// Whether it was written as a bound, `<=n`.
    pub bounded: bool,
    /// The tokens of its size.
    pub span: S,
}

impl<S> DimSyntax<S> {
    /// The placeholder for a size that could not be read.
    pub(crate) const fn wrong(span: S) -> Self {
        Self { size: Size::Wrong, bounded: false, span }
    }
}

/// `padded to [3,5] with zero`, or only one of the two.
#[derive(Clone, Debug)]
pub struct PaddedSyntax<S> {
    /// The widths; the sizes of the dimensions if no widths are written.
    pub widths: Vec<DimSyntax<S>>,
    /// Whether widths are written.
    pub has_widths: bool,
    /// Their tokens.
    pub widths_span: S,
    /// The value: zero if no value is written, and `None` if it was misspelled.
    pub value: Option<PaddingValue>,
    /// The tokens of the value.
    pub value_span: S,
    /// The tokens of all of it.
    pub span: S,
}

/// `bf16[1000,384]{1,0:T(8,128)(2,1)}`
#[derive(Clone, Debug)]
pub struct ArraySyntax<S> {
    /// Element type, unless it was misspelled.
    pub dtype: Option<DType>,
    /// Its tokens.
    pub dtype_span: S,
    /// The dimensions.
    pub dims: Vec<DimSyntax<S>>,
    /// Their tokens.
    pub dims_span: S,
    /// The layout, if one is written.
    pub layout: Option<LayoutSyntax<S>>,
    /// Explicit padding, if it is written.
    pub padded: Option<PaddedSyntax<S>>,
}

/// What an array looks like.
pub(crate) const ARRAY: &str =
    "an array is its element type, its sizes and its layout: `f32[3,5]{1,0}`";

/// Whether a name looks like a block-scaled format: `q8_0`, `q4_k`, `mxfp4`.
fn is_block_scaled(name: &str) -> bool {
    let is_gguf = name.starts_with('q') && name.contains('_');
    is_gguf || name.starts_with("mxfp") || name.starts_with("nvfp")
}

pub(crate) fn array<S: Span>(cursor: &mut Cursor<'_, S>) -> Parsed<ArraySyntax<S>> {
    cursor.offer(Offer::Element);
    foreign(cursor)?;
    let dtype_span = cursor.span();
    let Some(Kind::Word(name)) = cursor.peek() else {
        let help = match cursor.peek() {
            Some(Kind::Symbol('#')) => {
                "a layout comes after an element type and sizes, and is written as XLA prints it: `f32[3,5]{1,0:T(2,2)}`"
            }
            _ => ARRAY,
        };
        return Err(cursor.unexpected_with_help("an element type", help));
    };
    cursor.next();
    let dtype = DType::from_name(name);
    if dtype.is_none() {
        let help = match element_type(name) {
            Some(suggestion) => format!("did you mean `{suggestion}`?"),
            None if is_type_parameter(name) => {
                "a function for all element types takes any layout: `fn f<L: Layout>(x: &Packed<L>)`"
                    .into()
            }
            None if is_block_scaled(name) => {
                "block-scaled formats have a macro of their own, which lists them: `quantized!(q8_0[..])`".into()
            }
            None => {
                "element types are written as XLA prints them: `f32`, `bf16`, `s8`, `pred`".into()
            }
        };
        cursor.report(dtype_span, format!("unknown element type `{name}`"), help);
    }
    // If the element type is wrong, missing sizes are not reported too.
    if dtype.is_none() && !matches!(cursor.peek(), Some(Kind::Open('[' | '('))) {
        return Err(Stop);
    }
    let close = brackets(cursor, name)?;
    let open = cursor.span();
    cursor.next();
    let before = cursor.diagnostics.len();
    let mut dims = sizes(cursor, close, dim)?;
    let dims_span = cursor.since(open);
    let is_wrong = cursor.diagnostics.len() > before;
    let layout = if layout_follows(cursor) {
        Some(layout(cursor)?)
    } else {
        unordered_layout(cursor, dims.len());
        None
    };
    // The number of dimensions is not known, but the layout may say it.
    if is_wrong {
        let order = layout.as_ref().filter(|layout| !layout.order.is_empty());
        dims.resize(
            order.map_or(dims.len().max(1), |layout| layout.order.len()),
            DimSyntax::wrong(open),
        );
        if dims.iter().all(|dim| dim.size != Size::Wrong)
            && let Some(last) = dims.last_mut()
        {
            *last = DimSyntax::wrong(open);
        }
    }
    let padded = match cursor.is_word("padded") {
        // The array is checked without padding that could not be read, which has been reported.
        true => {
            let ends = |cursor: &Cursor<'_, S>| {
                cursor.at_separator() || cursor.peek() == Some(&Kind::Symbol('@'))
            };
            cursor.part(ends, |cursor| padded(cursor, &dims)).ok()
        }
        false => None,
    };
    Ok(ArraySyntax { dtype, dtype_span, dims, dims_span, layout, padded })
}

/// Reports a layout that does not begin with the order: a list of keywords, attributes alone, or an order in brackets of its own.
fn unordered_layout<S: Span>(cursor: &mut Cursor<'_, S>, rank: usize) {
    let (group, attributes) =
        (&cursor.rest()[..cursor.group_len()], layout::begins_attribute(cursor, 1));
    let row_major = || -> Vec<_> { (0..rank).rev().map(|dim| dim.to_string()).collect() };
    let inner = group.get(1..group.len().saturating_sub(1)).filter(|_| attributes);
    let ordered = inner.and_then(written).filter(|text| text.len() < 120);
    let layout =
        keywords::of_braces(group).or_else(|| without_inner_brackets(group)).or_else(|| {
            ordered.map(|attributes| format!("{{{}:{attributes}}}", row_major().join(",")))
        });
    let (Some(layout), Some(found)) = (layout, cursor.peek_nth(1)) else { return };
    let message = format!("expected the order of the dimensions, found {found}");
    let first = cursor.span();
    let span = cursor.take_many(group.len()).unwrap_or(first);
    cursor.report(span, message, format!("write `{layout}`"));
}

/// `{1,0:T(2,2)}` for a layout whose order has brackets of its own, `{[1,0]:T(2,2)}`.
fn without_inner_brackets<S: Span>(group: &[Token<S>]) -> Option<String> {
    let [open, inner, rest @ .., close] = group else { return None };
    let is_layout = open.kind == Kind::Open('{') && close.kind == Kind::Close('}');
    let end = rest.iter().position(|token| matches!(token.kind, Kind::Close(_)))?;
    let (order, attributes) = (&rest[..end], &rest[end + 1..]);
    let is_order = |token: &Token<S>| matches!(token.kind, Kind::Number(_) | Kind::Symbol(','));
    let has_brackets = matches!(inner.kind, Kind::Open(_)) && order.iter().all(is_order);
    let written = written(order)? + &written(attributes)?;
    (is_layout && has_brackets && written.len() < 120).then(|| format!("{{{written}}}"))
}

/// The bracket that closes the sizes, which come next: `]`, or `)` if the sizes are in parentheses, which is reported.
fn brackets<S: Span>(cursor: &mut Cursor<'_, S>, name: &str) -> Parsed<char> {
    let (close, len) = match cursor.peek() {
        Some(Kind::Open('[')) => return Ok(']'),
        Some(Kind::Open('(')) => (')', cursor.group_len()),
        // `f32{1,0}[3,5]`
        Some(Kind::Open('{'))
            if let (layout, sizes) = cursor.rest().split_at(cursor.group_len())
                && sizes.first().is_some_and(|token| token.kind == Kind::Open('['))
                && let Some((layout, sizes)) = written(layout)
                    .zip(written(&sizes[..Cursor::new(sizes, cursor.end()).group_len()])) =>
        {
            let help = format!("the sizes come before the layout: `{name}{sizes}{layout}`");
            return Err(cursor.unexpected_with_help("`[`", &help));
        }
        // `f32, 3, 5`
        Some(Kind::Symbol(','))
            if let Some(sizes) = written(&cursor.rest()[1..])
                && !sizes.is_empty()
                && sizes.chars().all(|c| c.is_ascii_digit() || c == ',') =>
        {
            let help = format!("sizes go in brackets: `{name}[{sizes}]`");
            return Err(cursor.unexpected_with_help("`[`", &help));
        }
        Some(Kind::Close(_) | Kind::Symbol(',' | ';')) | None => {
            let help = format!(
                "a scalar has empty brackets, `{name}[]`, and an array its sizes, `{name}[3,5]`"
            );
            return Err(cursor.unexpected_with_help("`[`", &help));
        }
        Some(Kind::Symbol('<')) => {
            let inner = cursor.rest()[1..].iter();
            let len = inner.take_while(|token| token.kind != Kind::Symbol('>')).count();
            let sizes = written(&cursor.rest()[1..1 + len]).filter(|sizes| sizes.len() < 80);
            let help = format!(
                "sizes go in brackets: `{name}[{}]`",
                sizes.unwrap_or_else(|| "3,5".into())
            );
            return Err(cursor.unexpected_with_help("`[`", &help));
        }
        _ => {
            let help = format!("the sizes follow the element type in brackets: `{name}[3,5]`");
            return Err(cursor.unexpected_with_help("`[`", &help));
        }
    };
    let inner = cursor.rest().get(1..len.saturating_sub(1)).and_then(written);
    let help = format!("sizes go in brackets: `{name}[{}]`", inner.unwrap_or_default());
    cursor.unexpected_with_help("`[`", &help);
    Ok(close)
}

/// Sizes separated by commas. A size with a mistake is replaced by a placeholder.
pub(crate) fn sizes<S: Span>(
    cursor: &mut Cursor<'_, S>,
    close: char,
    mut size: impl FnMut(&mut Cursor<'_, S>) -> Parsed<DimSyntax<S>>,
) -> Parsed<Vec<DimSyntax<S>>> {
    let open = cursor.span();
    let sizes =
        items(cursor, close, |cursor| if crossed(cursor) { Err(Stop) } else { size(cursor) })?;
    Ok(sizes.into_iter().map(|size| size.unwrap_or_else(|| DimSyntax::wrong(open))).collect())
}

/// Reports sizes separated by crosses: `128x256`, which rustc reads as one token.
pub(super) fn crossed<S: Span>(cursor: &mut Cursor<'_, S>) -> bool {
    let text = match (cursor.peek(), cursor.peek_nth(1)) {
        (Some(Kind::Other(text)), _) => text.clone(),
        (Some(Kind::Number(first)), Some(Kind::Word(rest))) => format!("{first}{rest}"),
        _ => return false,
    };
    let is_size = |size: &str| !size.is_empty() && size.bytes().all(|digit| digit.is_ascii_digit());
    if !text.contains('x') || text.starts_with("0x") || !text.split('x').all(is_size) {
        return false;
    }
    let help = format!("write `{}`", text.replace('x', ","));
    let is_one = matches!(cursor.peek(), Some(Kind::Other(_)));
    let first = cursor.span();
    let span = cursor.take_many(if is_one { 1 } else { 2 }).unwrap_or(first);
    cursor.report(span, format!("expected a size, found `{text}`"), help);
    true
}

pub(crate) fn size<S: Span>(cursor: &mut Cursor<'_, S>) -> Parsed<DimSyntax<S>> {
    cursor.offer(Offer::Size);
    let first = cursor.span();
    let size = match cursor.peek() {
        Some(Kind::Word(name)) if name == "_" => {
            return Err(
                cursor.unexpected_with_help("a size", "write a number, or the name of a constant")
            );
        }
        Some(Kind::Word(name)) if is_keyword(name) => {
            let help = "write a number or the name of a constant; a size that is known at run time has a bound, `<=784`";
            let stop = cursor.unexpected_with_help("a size", help);
            cursor.next();
            return Err(stop);
        }
        Some(Kind::Word(name)) => {
            cursor.next();
            // A call, `rows()`, or an element, `SIZES[0]`.
            if let Some(Kind::Open('(' | '[')) = cursor.peek() {
                return Err(cursor.without_braces());
            }
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

/// Whether a word is a keyword of Rust that people write for a size that is not known.
fn is_keyword(word: &str) -> bool {
    matches!(word, "dyn" | "self" | "in" | "as" | "type" | "let" | "const" | "match" | "ref")
}

fn dim<S: Span>(cursor: &mut Cursor<'_, S>) -> Parsed<DimSyntax<S>> {
    let span = cursor.span();
    if cursor.take_symbol('?') {
        return Ok(DimSyntax { size: Size::Unbounded, bounded: false, span });
    }
    let bounded = cursor.take(&Kind::AtMost).is_some();
    let help = match cursor.peek() {
        Some(Kind::Symbol('<')) => match cursor.peek_nth(1) {
            Some(Kind::Number(bound)) => {
                let help = format!("a bound is written `<={bound}`");
                return Err(cursor.unexpected_with_help("a size", &help));
            }
            _ => "a bound is written `<=784`",
        },
        Some(Kind::Symbol('?')) => {
            "a bound is a number, `<=784`, and a size without a bound is `?`"
        }
        Some(Kind::Symbol('*')) => "a size that is not known is `?`; `*` is for tiles",
        Some(Kind::Symbol(',') | Kind::Close(_)) => "leave the `,` out, or write a size",
        Some(Kind::Text(_)) => "write the name of a constant without quotes",
        Some(Kind::Word(word)) if matches!(word.as_str(), "None" | "_") => {
            let help = "write a number or the name of a constant; a shape that is read at run time may have a `?`";
            return Err(cursor.unexpected_with_help("a size", help));
        }
        _ => return Ok(DimSyntax { bounded, ..size(cursor)? }),
    };
    Err(cursor.unexpected_with_help("an integer", help))
}

/// The padding of the dimensions as written: widths, a value, or both.
fn padded<S: Span>(cursor: &mut Cursor<'_, S>, dims: &[DimSyntax<S>]) -> Parsed<PaddedSyntax<S>> {
    let first = cursor.expect_word("padded")?;
    let help = "padding is written `padded to [4,8] with zero`, and either half may be left out";
    let has_widths = !cursor.is_word("with");
    let (mut widths, mut widths_span) = (dims.to_vec(), first);
    if has_widths {
        if !cursor.is_word("to") {
            return Err(cursor.unexpected_with_help("`to`", help));
        }
        cursor.next();
        if cursor.peek() != Some(&Kind::Open('[')) {
            return Err(cursor.unexpected_with_help("`[`", help));
        }
        let open = cursor.span();
        cursor.next();
        widths = sizes(cursor, ']', size)?;
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
    let values = "the values are `zero`, `one`, `lowest` and `highest`";
    let Some(Kind::Word(word)) = cursor.peek() else {
        let help = match cursor.peek() {
            Some(Kind::Number(number)) if number == "0" => "write `zero`",
            Some(Kind::Number(number)) if number == "1" => "write `one`",
            _ => values,
        };
        let stop = cursor.unexpected_with_help("a padding value", help);
        cursor.next();
        return Err(stop);
    };
    cursor.next();
    let value = PaddingValue::ALL.into_iter().find(|value| value.name() == word);
    if value.is_none() {
        cursor.report(value_span, format!("unknown padding value `{word}`"), values);
    }
    let span = cursor.since(first);
    Ok(PaddedSyntax { widths, has_widths, widths_span, value, value_span, span })
}
