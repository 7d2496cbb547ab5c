use super::cursor::{Cursor, Kind, Parsed};
use super::shape::{MAX_DEPTH, shape};
use super::suggest::nearest;
use crate::dtype::{DType, PaddingValue};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// A number as written; larger ones than `i128` holds are kept as its end.
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
    /// An expression in braces; the number of the token that opens it.
    Expression(usize),
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

/// `(8,128)`
#[derive(Clone, Debug)]
pub struct TileSyntax<S> {
    /// The sizes.
    pub sizes: Vec<DimSyntax<S>>,
    /// Where it begins.
    pub span: S,
}

/// `(1:40,130)`
#[derive(Clone, Debug)]
pub struct SplitSyntax<S> {
    /// The physical dimension.
    pub dimension: Number<S>,
    /// Where it is split.
    pub indices: Vec<Number<S>>,
}

/// `{1,0:T(8,128)(2,1)S(1)}`
#[derive(Clone, Debug)]
pub struct LayoutSyntax<S> {
    /// minor_to_major.
    pub order: Vec<Number<S>>,
    /// Where it begins.
    pub span: S,
    /// `T`
    pub tiles: Vec<TileSyntax<S>>,
    /// Where the tiles begin, if there are any.
    pub tiles_span: Option<S>,
    /// `L`
    pub tail_alignment: Option<Number<S>>,
    /// `E`
    pub element_bits: Option<Number<S>>,
    /// `S`
    pub memory_space: Option<Number<S>>,
    /// `SC`
    pub splits: Vec<SplitSyntax<S>>,
    /// `M`
    pub prefix_bytes: Option<Number<S>>,
}

/// `padded to [3,5] with zero`
#[derive(Clone, Debug)]
pub struct PaddedSyntax<S> {
    /// The widths.
    pub widths: Vec<DimSyntax<S>>,
    /// Where they begin.
    pub span: S,
    /// The value, unless it was misspelled.
    pub value: Option<PaddingValue>,
    /// Where the value stands.
    pub value_span: S,
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
    /// Where they begin.
    pub dims_span: S,
    /// The layout, if one is written.
    pub layout: Option<LayoutSyntax<S>>,
    /// Explicit padding, if it is written.
    pub padded: Option<PaddedSyntax<S>>,
}

/// The attributes of a layout in the order in which they must stand.
const ATTRIBUTES: [&str; 10] = ["D", "T", "L", "#", "*", "E", "S", "SC", "P", "M"];
const ATTRIBUTE_HELP: &str = "the attributes are `T`, `L`, `E`, `S`, `SC` and `M`, in this order";

pub(super) fn array<S: Copy>(cursor: &mut Cursor<'_, S>, depth: usize) -> Parsed<ArraySyntax<S>> {
    let dtype_span = cursor.span();
    let Some(Kind::Word(name)) = cursor.peek() else {
        return Err(cursor.unexpected("an element type"));
    };
    cursor.next();
    let dtype = DType::from_name(name);
    if dtype.is_none() {
        let suggestion = nearest(name, DType::ALL.iter().map(|dtype| dtype.name()));
        let help = suggestion
            .map(|suggestion| format!("did you mean `{suggestion}`?"))
            .unwrap_or_default();
        cursor.report(dtype_span, format!("unknown element type `{name}`"), help);
    }
    let dims_span = cursor.expect(&Kind::Open('['))?;
    let dims = list(cursor, ']', dim)?;
    let layout = if layout_follows(cursor) { Some(layout(cursor, depth)?) } else { None };
    let padded = if cursor.is_word("padded") { Some(padded(cursor)?) } else { None };
    Ok(ArraySyntax { dtype, dtype_span, dims, dims_span, layout, padded })
}

/// A layout without its shape.
pub(super) fn layout_alone<S: Copy>(cursor: &mut Cursor<'_, S>) -> Option<LayoutSyntax<S>> {
    match cursor.peek() {
        Some(Kind::Open('{') | Kind::Symbol('<')) => layout(cursor, 0).ok(),
        _ => {
            cursor.unexpected("`{`");
            None
        }
    }
}

/// A brace belongs to the shape only if it reads like a layout, as in XLA.
fn layout_follows<S: Copy>(cursor: &Cursor<'_, S>) -> bool {
    matches!(cursor.peek(), Some(Kind::Open('{') | Kind::Symbol('<')))
        && matches!(cursor.peek_nth(1), Some(Kind::Number(_) | Kind::Symbol(':' | '-')))
}

/// Items with commas between them, up to behind `close`.
fn list<S: Copy, T>(
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

fn number<S: Copy>(cursor: &mut Cursor<'_, S>) -> Parsed<Number<S>> {
    let span = cursor.span();
    let negative = cursor.take_symbol('-');
    let Some(Kind::Number(digits)) = cursor.peek() else {
        return Err(cursor.unexpected("an integer"));
    };
    cursor.next();
    let magnitude = digits.parse().unwrap_or(i128::MAX);
    Ok(Number { value: if negative { -magnitude } else { magnitude }, span })
}

fn size<S: Copy>(cursor: &mut Cursor<'_, S>) -> Parsed<DimSyntax<S>> {
    let span = cursor.span();
    let size = match cursor.peek() {
        Some(Kind::Word(name)) => {
            cursor.next();
            Size::Name(name.clone())
        }
        Some(Kind::Open('{')) => {
            let opened = cursor.position();
            cursor.skip_group();
            Size::Expression(opened)
        }
        _ => Size::Literal(number(cursor)?.value),
    };
    Ok(DimSyntax { size, bounded: false, span })
}

fn dim<S: Copy>(cursor: &mut Cursor<'_, S>) -> Parsed<DimSyntax<S>> {
    let span = cursor.span();
    if cursor.take_symbol('?') {
        return Ok(DimSyntax { size: Size::Unbounded, bounded: false, span });
    }
    let bounded = cursor.take_symbol('<');
    if bounded {
        cursor.expect(&Kind::Symbol('='))?;
    }
    Ok(DimSyntax { bounded, ..size(cursor)? })
}

fn tile_entry<S: Copy>(cursor: &mut Cursor<'_, S>) -> Parsed<DimSyntax<S>> {
    let span = cursor.span();
    if cursor.take_symbol('*') {
        return Ok(DimSyntax { size: Size::Combine, bounded: false, span });
    }
    size(cursor)
}

fn layout<S: Copy>(cursor: &mut Cursor<'_, S>, depth: usize) -> Parsed<LayoutSyntax<S>> {
    let span = cursor.span();
    let close = match cursor.next().map(|token| &token.kind) {
        Some(Kind::Open('{')) => Kind::Close('}'),
        _ => Kind::Symbol('>'),
    };
    let mut layout = LayoutSyntax {
        order: Vec::new(),
        span,
        tiles: Vec::new(),
        tiles_span: None,
        tail_alignment: None,
        element_bits: None,
        memory_space: None,
        splits: Vec::new(),
        prefix_bytes: None,
    };
    while matches!(cursor.peek(), Some(Kind::Number(_) | Kind::Symbol('-'))) {
        layout.order.push(number(cursor)?);
        if !cursor.take_symbol(',') {
            break;
        }
        if !matches!(cursor.peek(), Some(Kind::Number(_) | Kind::Symbol('-'))) {
            return Err(cursor.unexpected("a dimension"));
        }
    }
    if cursor.take_symbol(':') {
        attributes(cursor, &mut layout, depth)?;
    }
    match cursor.take(&close) {
        Some(_) => Ok(layout),
        None => Err(cursor.unexpected(&format!("{close}"))),
    }
}

fn attributes<S: Copy>(
    cursor: &mut Cursor<'_, S>,
    layout: &mut LayoutSyntax<S>,
    depth: usize,
) -> Parsed<()> {
    let mut last: Option<usize> = None;
    loop {
        let name = match cursor.peek() {
            Some(Kind::Word(name)) => name.clone(),
            Some(Kind::Symbol(symbol @ ('#' | '*'))) => String::from(*symbol),
            _ => return Ok(()),
        };
        let span = cursor.span();
        let Some(order) = ATTRIBUTES.iter().position(|attribute| *attribute == name) else {
            cursor.report(span, format!("unknown attribute `{name}`"), ATTRIBUTE_HELP);
            return Err(super::cursor::Stop);
        };
        cursor.next();
        match last {
            Some(last) if last == order => {
                cursor.report(span, format!("attribute `{name}` is given twice"), "")
            }
            Some(last) if last > order => {
                let message = format!("attribute `{name}` must come before `{}`", ATTRIBUTES[last]);
                cursor.report(span, message, ATTRIBUTE_HELP);
            }
            _ => {}
        }
        last = last.max(Some(order));
        attribute(cursor, layout, &name, span, depth)?;
    }
}

fn attribute<S: Copy>(
    cursor: &mut Cursor<'_, S>,
    layout: &mut LayoutSyntax<S>,
    name: &str,
    span: S,
    depth: usize,
) -> Parsed<()> {
    match name {
        "T" => {
            layout.tiles_span = Some(span);
            layout.tiles = groups(cursor, |cursor, span| {
                Ok(TileSyntax { sizes: list(cursor, ')', tile_entry)?, span })
            })?;
            // XLA reads a `T` without tiles as one tile without sizes.
            if layout.tiles.is_empty() {
                layout.tiles.push(TileSyntax { sizes: Vec::new(), span });
            }
        }
        "SC" => {
            layout.splits = groups(cursor, |cursor, _| {
                let dimension = number(cursor)?;
                cursor.expect(&Kind::Symbol(':'))?;
                Ok(SplitSyntax { dimension, indices: list(cursor, ')', number)? })
            })?;
            if layout.splits.is_empty() {
                return Err(cursor.unexpected("`(`"));
            }
        }
        "L" => layout.tail_alignment = Some(parenthesized(cursor, number)?),
        "E" => layout.element_bits = Some(parenthesized(cursor, number)?),
        "S" => layout.memory_space = Some(parenthesized(cursor, number)?),
        "M" => layout.prefix_bytes = Some(parenthesized(cursor, number)?),
        "D" => parenthesized(cursor, level_types)?,
        _ => {
            if name == "P" {
                parenthesized(cursor, |cursor| shape(cursor, depth + 1).map(|_| ()))?;
            } else {
                parenthesized(cursor, |cursor| match cursor.next().map(|token| &token.kind) {
                    Some(Kind::Word(_)) => Ok(()),
                    _ => Err(cursor.unexpected("an unsigned integer type")),
                })?;
            }
            cursor.report(
                span,
                format!("attribute `{name}` is for sparse arrays, and this array is dense"),
                "",
            );
        }
    }
    Ok(())
}

/// As many groups in parentheses as there are.
fn groups<S: Copy, T>(
    cursor: &mut Cursor<'_, S>,
    mut group: impl FnMut(&mut Cursor<'_, S>, S) -> Parsed<T>,
) -> Parsed<Vec<T>> {
    let mut groups = Vec::new();
    while let Some(span) = cursor.take(&Kind::Open('(')) {
        groups.push(group(cursor, span)?);
    }
    Ok(groups)
}

fn parenthesized<S: Copy, T>(
    cursor: &mut Cursor<'_, S>,
    item: impl FnOnce(&mut Cursor<'_, S>) -> Parsed<T>,
) -> Parsed<T> {
    cursor.expect(&Kind::Open('('))?;
    let item = item(cursor)?;
    cursor.expect(&Kind::Close(')'))?;
    Ok(item)
}

/// What is left of sparse layouts in XLA's grammar: read, and dropped.
fn level_types<S: Copy>(cursor: &mut Cursor<'_, S>) -> Parsed<()> {
    loop {
        if !matches!(cursor.peek(), Some(Kind::Word(level)) if ["D", "C", "S", "H"].contains(&level.as_str()))
        {
            return Err(cursor.unexpected("a level type, `D`, `C`, `S` or `H`"));
        }
        cursor.next();
        cursor.take_symbol('+');
        cursor.take_symbol('~');
        if !cursor.take_symbol(',') {
            return Ok(());
        }
    }
}

fn padded<S: Copy>(cursor: &mut Cursor<'_, S>) -> Parsed<PaddedSyntax<S>> {
    cursor.expect_word("padded")?;
    cursor.expect_word("to")?;
    let span = cursor.expect(&Kind::Open('['))?;
    let widths = list(cursor, ']', size)?;
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
    Ok(PaddedSyntax { widths, span, value, value_span })
}

const _: () = assert!(MAX_DEPTH < 1 << 12, "the grammar recurses");
