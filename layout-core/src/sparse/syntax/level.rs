use super::affine::{Affine, affine};
use super::name::candidates;
use super::number::integer;
use super::scope::Scope;
use crate::sparse::{LevelFormat, Properties};
use crate::syntax::{Cursor, Kind, Offer, Parsed, Span, Stop, list, nearest, written};
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// `ib = i floordiv 2 : compressed(nonunique)`
#[derive(Clone, Debug)]
pub struct LevelSyntax<S> {
    /// The name of the level, if one is given, and its position.
    pub name: Option<(String, S)>,
    /// The part of an index that it holds; `None` if the expression is wrong.
    pub(super) expr: Option<Affine>,
    /// The tokens of the expression.
    pub expr_span: S,
    /// The format, unless its name is unknown.
    pub format: Option<LevelFormat>,
    /// The tokens of the format and its properties.
    pub format_span: S,
    /// The properties.
    pub properties: Properties,
}

pub(super) fn level<S: Span>(cursor: &mut Cursor<'_, S>, scope: &Scope) -> Parsed<LevelSyntax<S>> {
    if let Some(level) = misplaced(cursor) {
        return Ok(level);
    }
    if let Some(group) = in_parentheses(cursor) {
        cursor.next();
        let level = level(cursor, scope);
        cursor.leave_groups(group);
        return level;
    }
    without_dimension(cursor, scope)?;
    let mut name = None;
    if let Some((_, tokens)) = candidates(cursor).last()
        && cursor.peek_nth(*tokens) == Some(&Kind::Symbol('='))
    {
        name = super::name::name(cursor);
        cursor.next();
    }
    let (first, start) = (cursor.span(), cursor.taken());
    let expr = affine(cursor, scope)?;
    let expr_span = cursor.since(first);
    if matches!(cursor.peek(), Some(Kind::Symbol(',') | Kind::Close(_))) {
        let level = as_in_mlir(&written(cursor.from(start)).unwrap_or_default());
        if let (Some(Kind::Symbol(',')), Some(Kind::Word(format))) =
            (cursor.peek(), cursor.peek_nth(1))
            && LevelFormat::NAMES.contains(&format.as_str())
            && matches!(cursor.peek_nth(2), Some(Kind::Symbol(',') | Kind::Close(_)))
        {
            cursor.take_many(2);
            let message = "the format of a level follows a colon";
            cursor.report(cursor.since(first), message, format!("write `{level} : {format}`"));
            return Err(Stop);
        }
        // A level of one element in each block is dense.
        let format = if level.contains(" mod ") { "dense" } else { "compressed" };
        cursor.report(
            expr_span,
            "a level has no format",
            format!("a format follows it: `{level} : {format}`"),
        );
        return Err(Stop);
    }
    if !cursor.take_symbol(':') {
        let is_instead = matches!(cursor.peek(), Some(Kind::Symbol(';' | '=')));
        let format = match cursor.peek_nth(usize::from(is_instead)) {
            Some(Kind::Word(word)) if LevelFormat::NAMES.contains(&word.as_str()) => word,
            _ => {
                let level = as_in_mlir(&written(cursor.from(start)).unwrap_or_default());
                let help = format!("a level has a format after a colon: `{level} : dense`");
                return Err(cursor.unexpected_with_help("`:`", &help));
            }
        };
        match is_instead {
            true => {
                cursor.unexpected_with_help("`:`", "write `:`");
                cursor.next();
            }
            false => _ = cursor.unexpected_with_help("`:`", &format!("write `: {format}`")),
        }
    }
    ratio(cursor, start)?;
    let first = cursor.span();
    let (format, properties) = level_type(cursor)?;
    let format_span = cursor.since(first);
    Ok(LevelSyntax { name, expr, expr_span, format, format_span, properties })
}

/// Reports `2:4` after the colon of the level that begins at token `start`.
fn ratio<S: Span>(cursor: &mut Cursor<'_, S>, start: usize) -> Parsed<()> {
    let (Some(Kind::Number(n)), Some(Kind::Symbol(':' | '/')), Some(Kind::Number(m))) =
        (cursor.peek(), cursor.peek_nth(1), cursor.peek_nth(2))
    else {
        return Ok(());
    };
    let dim = match cursor.from(start) {
        [dim, _] => written(core::slice::from_ref(dim)),
        _ => None,
    };
    let dim = dim.unwrap_or_else(|| "j".into());
    let help = format!(
        "{n} of each {m} elements are two levels: `{dim} floordiv {m} : dense, {dim} mod {m} : structured[{n}, {m}]`"
    );
    let first = cursor.span();
    let span = cursor.take_many(3).unwrap_or(first);
    cursor.report(span, "expected a level format, found a ratio", help);
    Err(Stop)
}

/// Reports the parentheses around a level, `(i : dense)`; the number of their first token.
fn in_parentheses<S: Span>(cursor: &mut Cursor<'_, S>) -> Option<usize> {
    let group = match cursor.peek() {
        Some(Kind::Open('(')) => &cursor.rest()[..cursor.group_len()],
        _ => return None,
    };
    let [_, level @ .., last] = group else { return None };
    level.iter().find(|token| token.kind == Kind::Symbol(':'))?;
    let help = match written(level) {
        Some(level) => format!("write `{}`", as_in_mlir(&level.replacen(':', " : ", 1))),
        None => "leave them out".into(),
    };
    cursor.report(cursor.span().to(last.span), "a level has no parentheses around it", help);
    Some(cursor.taken())
}

/// An expression with `/` and `%`, which have been reported, as MLIR writes it.
fn as_in_mlir(level: &str) -> String {
    level.replace('/', " floordiv ").replace('%', " mod ")
}

/// Reports `dense` and `dense(i)`, which mean `i : dense`, and functions such as `floor(i / 2)`.
fn without_dimension<S: Span>(cursor: &mut Cursor<'_, S>, scope: &Scope) -> Parsed<()> {
    let (first, Some(Kind::Word(format))) = (cursor.span(), cursor.peek()) else { return Ok(()) };
    if scope.find(format).is_some() {
        return Ok(());
    }
    let Some(format) = format_named(format) else {
        return match cursor.peek_nth(1) {
            Some(Kind::Open('(')) => {
                let help = "`i floordiv 2` and `i mod 2` are the parts of `i` for blocks of 2";
                cursor.report(first, "a level is a dimension or a part of one", help);
                Err(Stop)
            }
            _ => Ok(()),
        };
    };
    let (dim, len) = match (cursor.peek_nth(1), cursor.peek_nth(2), cursor.peek_nth(3)) {
        (Some(Kind::Open('(')), Some(Kind::Word(dim)), Some(Kind::Close(')'))) => (Some(dim), 4),
        (Some(Kind::Symbol(',') | Kind::Close(_)), ..) => (None, 1),
        _ => return Ok(()),
    };
    let help = match dim {
        Some(dim) => format!("write `{dim} : {format}`"),
        None => format!("the dimension comes before it: `i : {format}`"),
    };
    let span = cursor.take_many(len).unwrap_or(first);
    cursor.report(span, "a level is a dimension and its format", help);
    Err(Stop)
}

/// Reports `dense : i` and `i = dense`, which mean `i : dense`.
fn misplaced<S: Span>(cursor: &mut Cursor<'_, S>) -> Option<LevelSyntax<S>> {
    let word = |at| match cursor.peek_nth(at) {
        Some(Kind::Word(word)) => Some(word.as_str()),
        _ => None,
    };
    let (first, second) = (word(0)?, word(2)?);
    let (message, level) = match (cursor.peek_nth(1), format_named(first), format_named(second)) {
        (Some(Kind::Symbol(':')), Some(format), None) => {
            ("the dimension of a level precedes its format", format!("{second} : {format}"))
        }
        (Some(Kind::Symbol('=')), _, Some(format))
            if cursor.peek_nth(3) != Some(&Kind::Symbol(':')) =>
        {
            ("the format of a level follows a colon", format!("{first} : {format}"))
        }
        _ => return None,
    };
    let span = cursor.take_many(3)?;
    cursor.report(span, message, format!("write `{level}`"));
    if cursor.peek() == Some(&Kind::Open('(')) {
        cursor.skip_group();
    }
    let properties = Properties::NONE;
    Some(LevelSyntax {
        name: None,
        expr: None,
        expr_span: span,
        format: None,
        format_span: span,
        properties,
    })
}

/// The format with this name, in capitals or as TACO names it too: `Sparse`.
fn format_named(word: &str) -> Option<&'static str> {
    let lower = word.to_ascii_lowercase();
    let name = if lower == "sparse" { "compressed" } else { &lower };
    LevelFormat::NAMES.into_iter().find(|known| *known == name)
}

fn level_type<S: Span>(cursor: &mut Cursor<'_, S>) -> Parsed<(Option<LevelFormat>, Properties)> {
    cursor.offer(Offer::Format);
    let Some(Kind::Word(word)) = cursor.peek() else {
        let help = match cursor.peek() {
            Some(Kind::Text(word)) => format!("write it without quotes: `{word}`"),
            _ => "a format follows the colon: `i : dense`, `j : compressed`".to_owned(),
        };
        return Err(cursor.unexpected_with_help("a level format", &help));
    };
    let span = cursor.span();
    cursor.next();
    let mut format = match word.as_str() {
        "dense" => Some(LevelFormat::Dense),
        "batch" => Some(LevelFormat::Batch),
        "compressed" => Some(LevelFormat::Compressed),
        "loose_compressed" => Some(LevelFormat::LooseCompressed),
        "singleton" => Some(LevelFormat::Singleton),
        "range" => Some(LevelFormat::Range),
        // The spelling of older documents.
        "block2_4" => Some(LevelFormat::Structured { n: 2, m: 4 }),
        "structured" => {
            sizes(cursor, "structured[2, 4]", 2)?.map(|[n, m]| LevelFormat::Structured { n, m })
        }
        "delta" => sizes(cursor, "delta[8]", 1)?.map(|[bits, _]| LevelFormat::Delta { bits }),
        _ => {
            let help = match nearest(word, &LevelFormat::NAMES) {
                _ if word.eq_ignore_ascii_case("coo") => {
                    "coordinates are `compressed(nonunique)` in the first level and `singleton` in the others".to_owned()
                }
                _ if word.eq_ignore_ascii_case("sparse") => "write `compressed`".to_owned(),
                _ if matches!(word.as_str(), "compressed_hi" | "compressed_high") => {
                    "write `loose_compressed`".to_owned()
                }
                _ if matches!(word.as_str(), "hashed" | "hash" | "run_length" | "rle") => {
                    "write `compressed`, which stores the coordinates of the entries".to_owned()
                }
                _ if matches!(word.as_str(), "bitmap" | "bytemap" | "bitvector") => {
                    "write `dense`, which stores every element, or `compressed`, which stores those that are not zero".to_owned()
                }
                _ if word.eq_ignore_ascii_case("block") => "write `structured[2, 4]`, or blocks as separate levels: \
                    `i floordiv 2 : dense`, .., `i mod 2 : dense`"
                    .to_owned(),
                Some(name) => format!("did you mean `{name}`?"),
                None => "the formats are `dense`, `batch`, `compressed`, `loose_compressed`, `singleton`, \
                    `structured[n, m]`, `range` and `delta[b]`"
                    .to_owned(),
            };
            // A call of Rust, `formats::csr(3)`, is one mistake.
            let is_path = cursor.peek() == Some(&Kind::Symbol(':'));
            while is_path && matches!(cursor.peek(), Some(Kind::Symbol(':') | Kind::Word(_))) {
                cursor.next();
            }
            cursor.report(cursor.since(span), format!("unknown level format `{word}`"), help);
            let has_arguments = is_path && cursor.peek() == Some(&Kind::Open('('));
            if has_arguments || cursor.peek() == Some(&Kind::Open('[')) {
                cursor.skip_group();
            }
            None
        }
    };
    let mut properties = Properties::NONE;
    misplaced_properties(cursor, word, &mut properties);
    if cursor.take(&Kind::Open('(')).is_some() {
        list(cursor, ')', |cursor| property(cursor, &mut format, &mut properties))?;
    }
    bare_properties(cursor, &mut properties);
    Ok((format, properties))
}

/// Reports properties that are written as `compressed[nonunique]`, `compressed{nonunique}`, `compressed<nonunique>`, `compressed+nonunique` or
/// `compressed-nu`, and reads them as if they were in parentheses.
fn misplaced_properties<S: Span>(
    cursor: &mut Cursor<'_, S>,
    format: &str,
    properties: &mut Properties,
) {
    let (first, opening) = (cursor.span(), cursor.peek());
    let separator = match opening {
        Some(Kind::Open('[' | '{') | Kind::Symbol('<')) => ',',
        Some(Kind::Symbol(symbol @ ('+' | '|' | '-'))) => *symbol,
        _ => return,
    };
    if !matches!(cursor.peek_nth(1), Some(Kind::Word(_))) {
        return;
    }
    let mut named = Vec::new();
    loop {
        cursor.next();
        let Some(Kind::Word(word)) = cursor.peek() else { break };
        cursor.next();
        named.push(intended(word).unwrap_or(word));
        if cursor.peek() != Some(&Kind::Symbol(separator)) {
            break;
        }
    }
    match opening {
        Some(Kind::Open(_)) if matches!(cursor.peek(), Some(Kind::Close(_))) => drop(cursor.next()),
        Some(Kind::Symbol('<')) => drop(cursor.take_symbol('>')),
        _ => {}
    }
    named.iter().for_each(|name| set(name, properties));
    let help = format!("properties go in parentheses: `{format}({})`", named.join(", "));
    let found = opening.map(Kind::to_string).unwrap_or_default();
    cursor.report(first, format!("expected `,` or `)`, found {found}"), help);
}

/// Reports properties that follow the format without parentheses, `compressed nonunique`, and reads them.
fn bare_properties<S: Span>(cursor: &mut Cursor<'_, S>, properties: &mut Properties) {
    let (first, mut named) = (cursor.span(), Vec::new());
    while let Some(Kind::Word(word)) = cursor.peek()
        && Properties::NAMES.contains(&word.as_str())
    {
        set(word, properties);
        named.push(word.as_str());
        cursor.next();
    }
    if !named.is_empty() {
        let help = format!("write `({})`", named.join(", "));
        cursor.report(cursor.since(first), "the properties of a level go in parentheses", help);
    }
}

/// The property that a word abbreviates or misspells.
fn intended(word: &str) -> Option<&'static str> {
    match word {
        "nu" => Some("nonunique"),
        "no" => Some("nonordered"),
        _ => nearest(word, &Properties::NAMES),
    }
}

/// Sets the property with this name, if there is one.
fn set(name: &str, properties: &mut Properties) {
    match name {
        "nonunique" => properties.nonunique = true,
        "nonordered" => properties.nonordered = true,
        "soa" => properties.soa = true,
        _ => {}
    }
}

fn property<S: Span>(
    cursor: &mut Cursor<'_, S>,
    format: &mut Option<LevelFormat>,
    properties: &mut Properties,
) -> Parsed<()> {
    cursor.offer(Offer::Property);
    let Some(Kind::Word(word)) = cursor.peek() else {
        let help = match cursor.peek() {
            Some(Kind::Close(_)) if cursor.last() == Some(&Kind::Symbol(',')) => {
                "leave the last `,` out"
            }
            _ => "the properties are `nonunique`, `nonordered` and `soa`",
        };
        return Err(cursor.unexpected_with_help("a level property", help));
    };
    let first = cursor.span();
    cursor.next();
    // `non-unique`
    let mut word = word.clone();
    while let (Some(Kind::Symbol('-')), Some(Kind::Word(next))) =
        (cursor.peek(), cursor.peek_nth(1))
    {
        word = format!("{word}-{next}");
        cursor.take_many(2);
    }
    let span = cursor.since(first);
    match word.as_str() {
        "nonunique" | "nonordered" | "soa" => set(&word, properties),
        // The spelling of older documents: positions with a high end of their own.
        "high"
            if matches!(format, Some(LevelFormat::Compressed | LevelFormat::LooseCompressed)) =>
        {
            *format = Some(LevelFormat::LooseCompressed);
        }
        _ => {
            let is_false = cursor.peek() == Some(&Kind::Symbol('='))
                && matches!(cursor.peek_nth(1), Some(Kind::Word(value)) if value == "false");
            let negated = match word.as_str() {
                "unique" if is_false => Some("nonunique"),
                "ordered" if is_false => Some("nonordered"),
                _ => None,
            };
            if let Some(name) = negated {
                let span = cursor.take_many(2).map_or(span, |_| cursor.since(span));
                set(name, properties);
                cursor.report(span, "a property is a single word", format!("write `{name}`"));
                return Ok(());
            }
            let help = match word.as_str() {
                "unique" | "ordered" | "aos" => "leave it out: it is the default".to_owned(),
                name if LevelFormat::NAMES.contains(&name) => {
                    *format = None;
                    format!("it is a format, and not a property of another: write `: {name}`")
                }
                _ => match intended(&word) {
                    Some(name) => {
                        // The rules are checked for the property that was meant.
                        set(name, properties);
                        format!("did you mean `{name}`?")
                    }
                    None => {
                        // The rules cannot be checked for a property that is not known.
                        *format = None;
                        "the properties are `nonunique`, `nonordered` and `soa`".to_owned()
                    }
                },
            };
            cursor.report(span, format!("unknown level property `{word}`"), help);
        }
    }
    Ok(())
}

/// The `count` sizes in brackets; `None` if they are not sizes, which is reported.
fn sizes<S: Span>(
    cursor: &mut Cursor<'_, S>,
    example: &str,
    count: usize,
) -> Parsed<Option<[usize; 2]>> {
    let first = cursor.span();
    let close = match cursor.peek() {
        Some(Kind::Open('[')) => ']',
        // `structured(2, 4)`
        Some(Kind::Open('(')) if matches!(cursor.peek_nth(1), Some(Kind::Number(_))) => {
            let format = cursor.last_span();
            let sizes = &cursor.rest()[..cursor.group_len()];
            let end = sizes.last().map_or(first, |close| close.span);
            let sizes = written(&sizes[1..sizes.len().max(2) - 1]).unwrap_or_default();
            let name = example.split('[').next().unwrap_or_default();
            let help = format!("write `{name}[{}]`", sizes.replace(',', ", "));
            cursor.report(format.to(end), "the sizes of a level go in brackets", help);
            ')'
        }
        _ => return Err(cursor.unexpected_with_help("`[`", &format!("write `{example}`"))),
    };
    cursor.next();
    let mut negative = false;
    let written = list(cursor, close, |cursor| {
        let size = integer(cursor, "a size")?;
        negative |= size < 0;
        Ok(usize::try_from(size).unwrap_or(0))
    })?;
    let span = cursor.since(first);
    if negative {
        cursor.report(span, "sizes must be positive", format!("write `{example}`"));
        return Ok(None);
    }
    if written.len() != count {
        let message = format!(
            "expected {count} size{}, found {}",
            if count == 1 { "" } else { "s" },
            written.len()
        );
        cursor.report(span, message, format!("write `{example}`"));
        return Ok(None);
    }
    Ok(Some([written[0], written[count - 1]]))
}
