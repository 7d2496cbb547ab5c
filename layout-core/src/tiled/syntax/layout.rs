use super::array::{DimSyntax, Size, crossed, size};
use crate::syntax::{
    Cursor, Kind, Number, Offer, Parsed, Span, Stop, Token, items, list, number, written,
};
use crate::tiled::TpuMemory;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// `(8,128)`
#[derive(Clone, Debug)]
pub struct TileSyntax<S> {
    /// The sizes.
    pub sizes: Vec<DimSyntax<S>>,
    /// Its tokens.
    pub span: S,
}

/// `(1:40,130)`
#[derive(Clone, Debug)]
pub struct SplitSyntax<S> {
    /// The physical dimension.
    pub dimension: Number<S>,
    /// The indices at which it is split.
    pub indices: Vec<Number<S>>,
}

/// `{1,0:T(8,128)(2,1)S(1)}`
#[derive(Clone, Debug)]
pub struct LayoutSyntax<S> {
    /// minor_to_major.
    pub order: Vec<Number<S>>,
    /// Whether each entry of it could be read.
    pub has_order: bool,
    /// The tokens of minor_to_major, or the brace if it is empty.
    pub order_span: S,
    /// The tokens of the layout.
    pub span: S,
    /// `T`
    pub tiles: Vec<TileSyntax<S>>,
    /// The token `T`, if it is written.
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

/// The attributes of a layout in the required order.
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
        && (matches!(cursor.peek_nth(1), Some(Kind::Number(_) | Kind::Symbol(':' | '-')))
            || dotted(&cursor.rest()[1..]).is_some())
}

fn tile_entry<S: Span>(cursor: &mut Cursor<'_, S>) -> Parsed<DimSyntax<S>> {
    if crossed(cursor) {
        return Err(Stop);
    }
    let span = cursor.span();
    if matches!(cursor.peek(), Some(Kind::Symbol(',') | Kind::Close(_))) {
        return Err(cursor.unexpected_with_help("a size", "leave the `,` out, or write a size"));
    }
    if cursor.take_symbol('*') {
        return Ok(DimSyntax { size: Size::Combine, bounded: false, span });
    }
    let size = size(cursor)?;
    // XLA's document also writes -1 for `*`. In the last size -1 is a number, because there is no more minor dimension to combine
    // with.
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
        has_order: true,
        span: open,
        tiles: Vec::new(),
        tiles_span: None,
        tail_alignment: None,
        element_bits: None,
        memory_space: None,
        splits: Vec::new(),
        prefix_bytes: None,
    };
    let before = cursor.diagnostics.len();
    order(cursor, &mut layout);
    let colon = cursor.take_symbol(':') || missing_colon(cursor, &layout, &close);
    if colon {
        attributes(cursor, &mut layout, &close)?;
    }
    if cursor.take(&close).is_none() {
        if cursor.diagnostics.len() == before {
            let help = match cursor.peek() {
                Some(Kind::Symbol(';' | '|' | '/')) => with_colon(cursor, &layout, &close),
                found => order_help(found).into(),
            };
            cursor.unexpected_with_help(&format!("`:` or {close}"), &help);
        }
        skip_layout(cursor, &close)?;
    }
    layout.span = cursor.since(open);
    Ok(layout)
}

/// minor_to_major: numbers separated by commas.
fn order<S: Span>(cursor: &mut Cursor<'_, S>, layout: &mut LayoutSyntax<S>) {
    let first = cursor.span();
    loop {
        if let Some((numbers, len)) = dotted(cursor.rest()) {
            let span = cursor.span();
            let span = cursor.take_many(len).unwrap_or(span);
            let help = format!("write `{}`", numbers.replace('.', ","));
            let message = format!("dimensions are separated by commas, found `{numbers}`");
            cursor.report(span, message, help);
            layout.has_order = false;
            if cursor.take_symbol(',') {
                continue;
            }
            return;
        }
        match cursor.peek() {
            Some(Kind::Number(_) | Kind::Symbol('-') | Kind::Other(_)) => match number(cursor) {
                Ok(number) => layout.order.push(number),
                Err(Stop) => {
                    layout.has_order = false;
                    cursor.next();
                }
            },
            _ if layout.order.is_empty() => return,
            // What follows is an attribute without its colon; the missing colon is reported.
            Some(Kind::Word(_)) if begins_attribute(cursor, 0) => return,
            found => {
                let help = match found {
                    Some(Kind::Symbol(',')) => "leave one `,` out",
                    Some(Kind::Word(word)) if matches!(word.as_str(), "O" | "o") => {
                        "did you mean `0`?"
                    }
                    Some(Kind::Word(word)) if matches!(word.as_str(), "l" | "I") => {
                        "did you mean `1`?"
                    }
                    _ => "leave the last `,` out, or list one more dimension",
                };
                cursor.unexpected_with_help("a dimension", help);
                layout.has_order = false;
                match cursor.peek() {
                    Some(Kind::Symbol(',')) => drop(cursor.next()),
                    Some(Kind::Word(word)) if word.len() == 1 => {
                        cursor.next();
                        if !cursor.take_symbol(',') {
                            return;
                        }
                    }
                    _ => return,
                }
                continue;
            }
        }
        layout.order_span = cursor.since(first);
        if !cursor.take_symbol(',') {
            // `1;0`, `1->0`, `1 0`
            let is_sign =
                |nth| matches!(cursor.peek_nth(nth), Some(Kind::Symbol(sign)) if *sign != ':');
            let number = (0..2).take_while(|nth| is_sign(*nth)).count();
            let is_next = matches!(cursor.peek_nth(number), Some(Kind::Number(_)));
            if !is_next {
                return;
            }
            cursor.unexpected_with_help(
                "`,`, `:` or `}`",
                "dimensions are separated by commas: `{1,0}`",
            );
            cursor.take_many(number);
            // Whether the number belongs to the order is not known.
            layout.has_order = false;
        }
    }
}

/// The dimensions in `1.0`, which are separated by points and which rustc reads as one number, and the number of tokens.
fn dotted<S>(tokens: &[Token<S>]) -> Option<(String, usize)> {
    let (mut text, mut len) = (String::new(), 0);
    for token in tokens {
        match &token.kind {
            Kind::Number(piece) | Kind::Other(piece) => text += piece,
            Kind::Symbol('.') => text.push('.'),
            _ => break,
        }
        len += 1;
    }
    let is_number = |number: &str| !number.is_empty() && number.bytes().all(|c| c.is_ascii_digit());
    (text.contains('.') && text.split('.').all(is_number)).then_some((text, len))
}

fn order_help(found: Option<&Kind>) -> &'static str {
    match found {
        Some(Kind::Word(_)) => ATTRIBUTE_HELP,
        _ => "a layout is minor_to_major, and attributes after a colon: `{1,0:T(8,128)}`",
    }
}

/// Whether an attribute begins at the token `nth`, even if its number follows without parentheses: `T(8,128)`, `T8`.
pub(super) fn begins_attribute<S: Span>(cursor: &Cursor<'_, S>, nth: usize) -> bool {
    let Some(Kind::Word(word)) = cursor.peek_nth(nth) else { return false };
    let name = word.trim_end_matches(|c: char| c.is_ascii_digit()).to_ascii_uppercase();
    ATTRIBUTES.contains(&name.as_str())
        && (name.len() < word.len() || matches!(cursor.peek_nth(nth + 1), Some(Kind::Open(_))))
}

/// Reports that attributes follow minor_to_major without a colon.
fn missing_colon<S: Span>(
    cursor: &mut Cursor<'_, S>,
    layout: &LayoutSyntax<S>,
    close: &Kind,
) -> bool {
    let follows = !layout.order.is_empty() && begins_attribute(cursor, 0);
    if follows {
        let help = with_colon(cursor, layout, close);
        cursor.unexpected_with_help("`:` or `}`", &help);
    }
    follows
}

/// The help for attributes that come next, after another symbol or none: the layout with a colon before them.
fn with_colon<S: Span>(cursor: &Cursor<'_, S>, layout: &LayoutSyntax<S>, close: &Kind) -> String {
    let mut ahead = Cursor::new(cursor.rest(), cursor.end());
    if !matches!(ahead.peek(), Some(Kind::Word(_))) {
        ahead.next();
    }
    let first = ahead.taken();
    ahead.skip_to(|ahead| ahead.peek() == Some(close));
    let attributes = written(ahead.from(first)).filter(|text| !text.is_empty() && text.len() < 80);
    let order: Vec<_> = layout.order.iter().map(|dim| dim.value.to_string()).collect();
    let (order, attributes) = match attributes.filter(|_| layout.has_order) {
        Some(attributes) => (order.join(","), attributes),
        None => ("1,0".into(), "T(8,128)".into()),
    };
    format!("attributes follow a colon: `{{{order}:{attributes}}}`")
}

/// Skips the rest of a layout with a mistake.
fn skip_layout<S: Span>(cursor: &mut Cursor<'_, S>, close: &Kind) -> Parsed<()> {
    cursor.skip_to(|cursor| cursor.peek() == Some(close));
    cursor.take(close).map(drop).ok_or(Stop)
}

/// The attributes, up to the end of the layout. A mistake in one of them does not keep the others from being read.
fn attributes<S: Span>(
    cursor: &mut Cursor<'_, S>,
    layout: &mut LayoutSyntax<S>,
    close: &Kind,
) -> Parsed<()> {
    let (mut last, mut has_commas): (Option<usize>, bool) = (None, false);
    // Whether the comma before the next attribute was reported as part of it.
    let mut is_repeated = false;
    let mut is_read = true;
    while cursor.peek() != Some(close) {
        cursor.offer(Offer::Attribute);
        let (name, span) = (cursor.peek().cloned(), cursor.span());
        match name {
            Some(Kind::Word(name)) => {
                cursor.next();
                let reported = cursor.diagnostics.len();
                is_read = named(cursor, layout, &name, span, &mut last);
                if core::mem::take(&mut is_repeated) {
                    cursor.diagnostics.remove(reported);
                }
            }
            Some(Kind::Symbol(symbol @ ('#' | '*'))) => {
                cursor.next();
                is_read = named(cursor, layout, &String::from(symbol), span, &mut last);
            }
            Some(Kind::Symbol(',' | ':' | ';' | '|' | '+' | '/')) if last.is_some() => {
                // A single mistake, regardless of the number of separators.
                if !has_commas {
                    let help = match (cursor.peek_nth(1), last) {
                        (Some(Kind::Word(word)), Some(1)) if word == "T" => {
                            is_repeated = true;
                            "all tiles follow one `T`: `T(8,128)(2,1)`"
                        }
                        _ if cursor.peek() == Some(&Kind::Symbol(':')) => {
                            "only the first attribute follows a colon: `T(8,128)S(1)`"
                        }
                        _ => "write nothing between two attributes: `T(8,128)S(1)`",
                    };
                    let help = match (cursor.peek_nth(1), last) {
                        (Some(Kind::Open('(')), Some(1)) => {
                            "write nothing between two tiles: `T(8,128)(2,1)`"
                        }
                        _ => help,
                    };
                    cursor.unexpected_with_help(&format!("an attribute or {close}"), help);
                }
                has_commas = true;
                cursor.next();
                // The tiles after it are part of the mistake.
                skip_value(cursor);
            }
            // What follows a value that could not be read belongs to it: `T(8,)128`.
            Some(Kind::Number(_)) if !is_read => drop(cursor.next()),
            // A group without its closing parenthesis also swallows the end of the layout.
            None if !is_read => return Err(Stop),
            _ => {
                let help = match name {
                    Some(Kind::Open(_)) => {
                        let tile = written(&cursor.rest()[..cursor.group_len()]);
                        let tile = tile.filter(|tile| tile.starts_with('(') && tile.len() < 40);
                        format!("tiles follow a `T`: `T{}`", tile.unwrap_or("(8,128)".into()))
                    }
                    None => {
                        format!("write {close}: a layout ends with the bracket that it began with")
                    }
                    _ => ATTRIBUTE_HELP.into(),
                };
                cursor.unexpected_with_help(&format!("an attribute or {close}"), &help);
                skip_to_attribute(cursor, close)?;
            }
        }
    }
    Ok(())
}

/// Skips tokens that belong to no attribute.
fn skip_to_attribute<S: Span>(cursor: &mut Cursor<'_, S>, close: &Kind) -> Parsed<()> {
    let is_end = |cursor: &Cursor<'_, S>| {
        matches!(cursor.peek(), Some(Kind::Word(_))) || cursor.peek() == Some(close)
    };
    cursor.skip_to(is_end);
    if is_end(cursor) { Ok(()) } else { Err(Stop) }
}

/// Reads the value of the attribute of this name, whose name has been read; false if the value could not be read to the end.
fn named<S: Span>(
    cursor: &mut Cursor<'_, S>,
    layout: &mut LayoutSyntax<S>,
    name: &str,
    span: S,
    last: &mut Option<usize>,
) -> bool {
    let upper = name.to_ascii_uppercase();
    let digits = upper.trim_start_matches(|c: char| c.is_ascii_uppercase());
    let letters = &upper[..upper.len() - digits.len()];
    let is_glued = !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit());
    let known = if is_glued { letters } else { &upper };
    let glued = if is_glued { digits } else { "" };
    let long = match name.to_ascii_lowercase().as_str() {
        "tile" | "tiles" | "tiling" => Some("T"),
        "space" | "memory_space" | "memory" => Some("S"),
        "bits" | "element_size_in_bits" => Some("E"),
        _ => None,
    };
    if let Some(short) = long
        && matches!(cursor.peek(), Some(Kind::Open('[' | '{') | Kind::Symbol('=' | ':')))
    {
        return without_parentheses(cursor, short, "", span);
    }
    let Some(order) = ATTRIBUTES.iter().position(|attribute| *attribute == known) else {
        let meant = match name.to_ascii_lowercase().as_str() {
            "swizzle" | "sw" => "layouts of XLA have no swizzle: leave it out",
            _ => TpuMemory::from_name(name).map_or(ATTRIBUTE_HELP, memory_help),
        };
        let meant = match long {
            Some(short) => format!("did you mean `{short}`?"),
            None => meant.into(),
        };
        cursor.report(span, format!("unknown attribute `{name}`"), meant);
        skip_value(cursor);
        return true;
    };
    if !is_glued && upper != name {
        cursor.report(
            span,
            format!("unknown attribute `{name}`"),
            format!("did you mean `{upper}`?"),
        );
    }
    let known = ATTRIBUTES[order];
    match *last {
        Some(last) if last == order => {
            let help = match known {
                "T" => "all tiles follow one `T`: `T(8,128)(2,1)`",
                "SC" => "all splits follow one `SC`: `SC(0:30)(1:40,130)`",
                _ => "leave one of them out",
            };
            cursor.report(span, format!("attribute `{known}` is given twice"), help);
        }
        Some(last) if last > order => {
            let message = format!("attribute `{known}` must come before `{}`", ATTRIBUTES[last]);
            let help = match known {
                "D" => "leave it out: all dimensions are dense",
                _ => ATTRIBUTE_HELP,
            };
            cursor.report(span, message, help);
        }
        _ => {}
    }
    *last = (*last).max(Some(order));
    if without_parentheses(cursor, known, glued, span) {
        return true;
    }
    let taken = cursor.taken();
    let is_read = attribute(cursor, layout, known, span).is_ok();
    if !is_read {
        cursor.leave_groups(taken);
        skip_value(cursor);
    }
    is_read
}

/// Skips the groups that form the value of an attribute, also after an equals sign.
fn skip_value<S: Span>(cursor: &mut Cursor<'_, S>) {
    cursor.take_symbol('=');
    while matches!(cursor.peek(), Some(Kind::Open(_))) {
        cursor.skip_group();
    }
}

/// Reports and skips a value that has no parentheses: `T8,128`, `S=1`, `T[8,128]`.
fn without_parentheses<S: Span>(
    cursor: &mut Cursor<'_, S>,
    name: &str,
    glued: &str,
    span: S,
) -> bool {
    let brackets = matches!(cursor.peek(), Some(Kind::Open('[' | '{')));
    let mut values = Vec::new();
    if !glued.is_empty() {
        values.push(String::from(glued));
    } else if brackets || matches!(cursor.peek(), Some(Kind::Symbol('=' | ':'))) {
        cursor.next();
    } else if !matches!(cursor.peek(), Some(Kind::Number(_))) {
        return false;
    }
    let message = format!("the value of `{name}` goes in parentheses");
    // `T=(8,128)(2,1)`
    if !brackets && let Some(Kind::Open(_)) = cursor.peek() {
        let mut text = String::new();
        while let (Some(Kind::Open(_)), len) = (cursor.peek(), cursor.group_len()) {
            let inner = written(&cursor.rest()[1..len.max(2) - 1]).unwrap_or_default();
            text += &format!("({inner})");
            cursor.skip_group();
        }
        cursor.report(cursor.since(span), message, format!("write `{name}{text}`"));
        return true;
    }
    loop {
        match (cursor.peek(), cursor.peek_nth(1)) {
            (Some(Kind::Number(digits)), _) => values.push(digits.clone()),
            (Some(Kind::Symbol(',')), Some(Kind::Number(_))) => {}
            _ => break,
        }
        cursor.next();
    }
    if brackets {
        cursor.skip_rest_of_group();
        // More tiles: `T[8,128](2,1)`.
        while matches!(cursor.peek(), Some(Kind::Open(_))) {
            cursor.skip_group();
        }
    }
    let value = if values.is_empty() { "..".into() } else { values.join(",") };
    cursor.report(cursor.since(span), message, format!("write `{name}({value})`"));
    true
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
            if let (Some(Kind::Open('(')), Some(Kind::Open('('))) =
                (cursor.peek(), cursor.peek_nth(1))
            {
                return Err(nested_tiles(cursor));
            }
            layout.tiles = groups(cursor, |cursor, open| {
                let wrong = |size: Option<_>| size.unwrap_or_else(|| DimSyntax::wrong(open));
                let mut sizes: Vec<_> =
                    items(cursor, ')', tile_entry)?.into_iter().map(wrong).collect();
                // The last size is missing, which has been reported.
                if cursor.follows_comma() {
                    sizes.push(wrong(None));
                }
                Ok(TileSyntax { sizes, span: cursor.since(open) })
            })?;
            // XLA reads a `T` without tiles as one tile without sizes.
            if layout.tiles.is_empty() {
                layout.tiles.push(TileSyntax { sizes: Vec::new(), span });
            }
        }
        "SC" => {
            layout.splits = groups(cursor, |cursor, _| {
                let help = "a split is a physical dimension and its indices: `SC(0:30)(1:40,130)`";
                let dimension = number(cursor)?;
                if !cursor.take_symbol(':') {
                    return Err(cursor.unexpected_with_help("`:`", help));
                }
                if cursor.peek() == Some(&Kind::Close(')')) {
                    return Err(cursor.unexpected_with_help("an integer", help));
                }
                Ok(SplitSyntax { dimension, indices: list(cursor, ')', number)? })
            })?;
            if layout.splits.is_empty() {
                let help = "a split is a physical dimension and its indices: `SC(0:30)(1:40,130)`";
                return Err(cursor.unexpected_with_help("`(`", help));
            }
        }
        "L" => layout.tail_alignment = Some(parenthesized(cursor, "`L(1024)`", number)?),
        "E" => layout.element_bits = Some(parenthesized(cursor, "`E(4)`", number)?),
        "S" => layout.memory_space = Some(parenthesized(cursor, "`S(1)`", memory_space)?),
        "M" => layout.prefix_bytes = Some(parenthesized(cursor, "`M(8)`", prefix_bytes)?),
        "D" => parenthesized(cursor, "`D(D,C)`", level_types)?,
        _ => {
            // The contents do not matter, since this is an error anyway; they may be nested.
            skip_value(cursor);
            cursor.report(
                span,
                format!("attribute `{name}` is for sparse arrays, and this array is dense"),
                "leave it out, or write a sparse array with `sparse_tensor!`",
            );
        }
    }
    Ok(())
}

/// The number of a memory. If a name is written, the message contains the number of that memory.
fn memory_space<S: Span>(cursor: &mut Cursor<'_, S>) -> Parsed<Number<S>> {
    let memory = match cursor.peek() {
        Some(Kind::Word(name) | Kind::Text(name)) => TpuMemory::from_name(name),
        _ => None,
    };
    let Some(memory) = memory else { return number(cursor) };
    let span = cursor.span();
    cursor.next();
    cursor.report(span, "a memory space is a number", memory_help(memory));
    Ok(Number { value: 0, span })
}

/// The attribute that a memory has.
const fn memory_help(memory: TpuMemory) -> &'static str {
    match memory {
        TpuMemory::Vmem => "VMEM is `S(1)`",
        TpuMemory::Host => "the host is `S(5)`",
        TpuMemory::Hbm => "HBM needs no `S`",
        TpuMemory::Smem | TpuMemory::Cmem => {
            "its number is not documented: write the one that the compiler prints"
        }
    }
}

/// The number of bytes before the data, which is not a memory.
fn prefix_bytes<S: Span>(cursor: &mut Cursor<'_, S>) -> Parsed<Number<S>> {
    match cursor.peek() {
        Some(Kind::Word(name)) if TpuMemory::from_name(name).is_some() => {
            let help = "the memory is `S`: VMEM is `S(1)`, the host `S(5)`, and HBM needs no `S`";
            Err(cursor.unexpected_with_help("a number of bytes", help))
        }
        _ => number(cursor),
    }
}

/// All groups in parentheses that follow.
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

/// Reports and skips `((8,128),(2,1))`.
fn nested_tiles<S: Span>(cursor: &mut Cursor<'_, S>) -> Stop {
    let (first, len) = (cursor.span(), cursor.group_len());
    let span = cursor.take_many(len).unwrap_or(first);
    let text = written(cursor.from(cursor.taken() - len)).unwrap_or_default();
    let tiles = text.get(1..text.len().saturating_sub(1)).unwrap_or_default().replace("),(", ")(");
    cursor.report(span, "the tiles of `T` are written side by side", format!("write `{tiles}`"));
    Stop
}

/// The single value of an attribute, which is written like `example`.
fn parenthesized<S: Span, T>(
    cursor: &mut Cursor<'_, S>,
    example: &str,
    item: impl FnOnce(&mut Cursor<'_, S>) -> Parsed<T>,
) -> Parsed<T> {
    if cursor.take(&Kind::Open('(')).is_none() {
        let help = format!("its value goes in parentheses: {example}");
        return Err(cursor.unexpected_with_help("`(`", &help));
    }
    let item = item(cursor)?;
    if cursor.take(&Kind::Close(')')).is_none() {
        return Err(cursor.unexpected_with_help("`)`", &format!("it has one value: {example}")));
    }
    Ok(item)
}

/// Reads and discards the remains of sparse layouts in XLA's grammar.
fn level_types<S: Span>(cursor: &mut Cursor<'_, S>) -> Parsed<()> {
    if cursor.peek() == Some(&Kind::Close(')')) {
        return Ok(());
    }
    loop {
        match cursor.peek() {
            Some(Kind::Word(level)) if matches!(level.as_str(), "D" | "C" | "S" | "H") => {}
            _ => {
                let help = "leave the `D(..)` out: all dimensions of an array are dense";
                return Err(cursor.unexpected_with_help("a level type, `D`, `C`, `S` or `H`", help));
            }
        }
        cursor.next();
        cursor.take_symbol('+');
        cursor.take_symbol('~');
        if !cursor.take_symbol(',') {
            return Ok(());
        }
    }
}
