use super::array::{DimSyntax, Size, size};
use crate::syntax::{Cursor, Kind, Number, Parsed, Span, Stop, list, number};
use crate::tiled::TpuMemory;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// `(8,128)`
#[derive(Clone, Debug)]
pub struct TileSyntax<S> {
    /// The sizes.
    pub sizes: Vec<DimSyntax<S>>,
    /// Where it stands.
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
    /// Where minor_to_major stands, or the brace where it is empty.
    pub order_span: S,
    /// Where the layout stands.
    pub span: S,
    /// `T`
    pub tiles: Vec<TileSyntax<S>>,
    /// Where the `T` stands, if there is one.
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

/// The attributes of a layout in the order in which they must stand.
const ATTRIBUTES: [&str; 10] = ["D", "T", "L", "#", "*", "E", "S", "SC", "P", "M"];
const ATTRIBUTE_HELP: &str = "the attributes are `T`, `L`, `E`, `S`, `SC` and `M`, in this order";

/// A layout without its shape.
pub(super) fn layout_alone<S: Span>(cursor: &mut Cursor<'_, S>) -> Option<LayoutSyntax<S>> {
    match cursor.peek() {
        Some(Kind::Open('{') | Kind::Symbol('<')) => layout(cursor).ok(),
        _ => {
            cursor.unexpected("`{`");
            None
        }
    }
}

/// As in XLA, a brace belongs to the shape only if it looks like a layout.
pub(super) fn layout_follows<S: Span>(cursor: &Cursor<'_, S>) -> bool {
    matches!(cursor.peek(), Some(Kind::Open('{') | Kind::Symbol('<')))
        && matches!(cursor.peek_nth(1), Some(Kind::Number(_) | Kind::Symbol(':' | '-')))
}

fn tile_entry<S: Span>(cursor: &mut Cursor<'_, S>) -> Parsed<DimSyntax<S>> {
    let span = cursor.span();
    if cursor.take_symbol('*') {
        return Ok(DimSyntax { size: Size::Combine, bounded: false, span });
    }
    let size = size(cursor)?;
    // XLA's document also writes -1 for `*`. The last size has no more minor dimension to be combined with: there it is
    // a number.
    if size.size == Size::Literal(-1) && cursor.peek() == Some(&Kind::Symbol(',')) {
        return Ok(DimSyntax { size: Size::Combine, ..size });
    }
    Ok(size)
}

pub(super) fn layout<S: Span>(cursor: &mut Cursor<'_, S>) -> Parsed<LayoutSyntax<S>> {
    let open = cursor.span();
    let close = match cursor.next().map(|token| &token.kind) {
        Some(Kind::Open('{')) => Kind::Close('}'),
        _ => Kind::Symbol('>'),
    };
    let mut layout = LayoutSyntax {
        order: Vec::new(),
        order_span: open,
        span: open,
        tiles: Vec::new(),
        tiles_span: None,
        tail_alignment: None,
        element_bits: None,
        memory_space: None,
        splits: Vec::new(),
        prefix_bytes: None,
    };
    let first = cursor.span();
    while matches!(cursor.peek(), Some(Kind::Number(_) | Kind::Symbol('-'))) {
        layout.order.push(number(cursor)?);
        layout.order_span = cursor.since(first);
        if !cursor.take_symbol(',') {
            break;
        }
        if !matches!(cursor.peek(), Some(Kind::Number(_) | Kind::Symbol('-'))) {
            return Err(cursor.unexpected("a dimension"));
        }
    }
    let colon = cursor.take_symbol(':');
    if colon {
        attributes(cursor, &mut layout)?;
    }
    if cursor.take(&close).is_none() {
        return Err(match colon {
            true => cursor.unexpected(&format!("an attribute or {close}")),
            false => cursor.unexpected(&format!("`:` or {close}")),
        });
    }
    layout.span = cursor.since(open);
    Ok(layout)
}

fn attributes<S: Span>(cursor: &mut Cursor<'_, S>, layout: &mut LayoutSyntax<S>) -> Parsed<()> {
    let mut last: Option<usize> = None;
    loop {
        let name = match cursor.peek() {
            Some(Kind::Word(name)) => name.clone(),
            Some(Kind::Symbol(symbol @ ('#' | '*'))) => String::from(*symbol),
            _ => return Ok(()),
        };
        let span = cursor.span();
        let Some(order) = ATTRIBUTES.iter().position(|attribute| *attribute == name) else {
            let upper = name.to_ascii_uppercase();
            let help = match ATTRIBUTES.contains(&upper.as_str()) {
                true => format!("did you mean `{upper}`?"),
                false => ATTRIBUTE_HELP.into(),
            };
            cursor.report(span, format!("unknown attribute `{name}`"), help);
            return Err(Stop);
        };
        cursor.next();
        match last {
            Some(last) if last == order => {
                let help = match name.as_str() {
                    "T" => "all tiles follow one `T`: `T(8,128)(2,1)`",
                    "SC" => "all splits follow one `SC`: `SC(0:30)(1:40,130)`",
                    _ => "",
                };
                cursor.report(span, format!("attribute `{name}` is given twice"), help);
            }
            Some(last) if last > order => {
                let message = format!("attribute `{name}` must come before `{}`", ATTRIBUTES[last]);
                cursor.report(span, message, ATTRIBUTE_HELP);
            }
            _ => {}
        }
        last = last.max(Some(order));
        attribute(cursor, layout, &name, span)?;
    }
}

fn attribute<S: Span>(
    cursor: &mut Cursor<'_, S>,
    layout: &mut LayoutSyntax<S>,
    name: &str,
    span: S,
) -> Parsed<()> {
    match name {
        "T" => {
            layout.tiles_span = Some(span);
            layout.tiles = groups(cursor, |cursor, open| {
                Ok(TileSyntax { sizes: list(cursor, ')', tile_entry)?, span: cursor.since(open) })
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
                if cursor.peek() == Some(&Kind::Close(')')) {
                    return Err(cursor.unexpected("an integer"));
                }
                Ok(SplitSyntax { dimension, indices: list(cursor, ')', number)? })
            })?;
            if layout.splits.is_empty() {
                return Err(cursor.unexpected("`(`"));
            }
        }
        "L" => layout.tail_alignment = Some(parenthesized(cursor, number)?),
        "E" => layout.element_bits = Some(parenthesized(cursor, number)?),
        "S" => layout.memory_space = Some(parenthesized(cursor, memory_space)?),
        "M" => layout.prefix_bytes = Some(parenthesized(cursor, number)?),
        "D" => parenthesized(cursor, level_types)?,
        _ => {
            // The contents do not matter, since this is an error anyway; they may be nested.
            if cursor.peek() == Some(&Kind::Open('(')) {
                cursor.skip_group();
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

/// The number of a memory. Of a name it is said which number it has.
fn memory_space<S: Span>(cursor: &mut Cursor<'_, S>) -> Parsed<Number<S>> {
    let memory = match cursor.peek() {
        Some(Kind::Word(name)) => TpuMemory::from_name(name),
        _ => None,
    };
    let help = match memory {
        Some(TpuMemory::Vmem) => "VMEM is `S(1)`",
        Some(TpuMemory::Host) => "the host is `S(5)`",
        Some(TpuMemory::Hbm) => "HBM needs no `S`",
        Some(TpuMemory::Smem | TpuMemory::Cmem) => {
            "its number is not documented: write the one that the compiler prints"
        }
        None => return number(cursor),
    };
    let span = cursor.span();
    cursor.next();
    cursor.report(span, "a memory space is a number", help);
    Ok(Number { value: 0, span })
}

/// As many groups in parentheses as there are.
fn groups<S: Span, T>(
    cursor: &mut Cursor<'_, S>,
    mut group: impl FnMut(&mut Cursor<'_, S>, S) -> Parsed<T>,
) -> Parsed<Vec<T>> {
    let mut groups = Vec::new();
    while let Some(span) = cursor.take(&Kind::Open('(')) {
        groups.push(group(cursor, span)?);
    }
    Ok(groups)
}

fn parenthesized<S: Span, T>(
    cursor: &mut Cursor<'_, S>,
    item: impl FnOnce(&mut Cursor<'_, S>) -> Parsed<T>,
) -> Parsed<T> {
    cursor.expect(&Kind::Open('('))?;
    let item = item(cursor)?;
    cursor.expect(&Kind::Close(')'))?;
    Ok(item)
}

/// The remains of sparse layouts in XLA's grammar, which are read and dropped.
fn level_types<S: Span>(cursor: &mut Cursor<'_, S>) -> Parsed<()> {
    if cursor.peek() == Some(&Kind::Close(')')) {
        return Ok(());
    }
    loop {
        match cursor.peek() {
            Some(Kind::Word(level)) if matches!(level.as_str(), "D" | "C" | "S" | "H") => {}
            _ => return Err(cursor.unexpected("a level type, `D`, `C`, `S` or `H`")),
        }
        cursor.next();
        cursor.take_symbol('+');
        cursor.take_symbol('~');
        if !cursor.take_symbol(',') {
            return Ok(());
        }
    }
}
