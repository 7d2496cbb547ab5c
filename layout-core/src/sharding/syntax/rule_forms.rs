//! The three notations of a rule.

use super::rule::{FactorUse, RuleSyntax, Special, TensorSyntax, index_of};
use super::rule_elsewhere::{einsum, named, sides_in_parentheses, tensors_in_groups};
use super::skip_prefix;
use crate::sharding::FactorKind;
use crate::syntax::{Cursor, Kind, Offer, Parsed, Span, Stop, list, nearest, number, written};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// How a rule is written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Notation {
    /// `([ij, k])->([i, j, k])`, Shardy's own.
    Symbols,
    /// `((ij),k)->(i,j,k)`, as in Shardy's documentation.
    Document,
    /// `(i j) k -> i j k`, with names of any length.
    Names,
    /// `([b, q])->([b, q])`: names in Shardy's brackets, which has been reported.
    NamesInBrackets,
    /// `(b,q)->(b,q)`: names in the parentheses of Shardy's documentation, which has been reported.
    NamesInParentheses,
}

/// Reads a rule in any notation. `None` if reading had to stop.
pub fn parse_rule<S: Span>(cursor: &mut Cursor<'_, S>) -> Option<RuleSyntax<S>> {
    cursor.reads("a rule is written `(i, k), (k, j) -> (i, j) reduction={k}`");
    rule(cursor).ok()
}

pub(super) fn rule<S: Span>(cursor: &mut Cursor<'_, S>) -> Parsed<RuleSyntax<S>> {
    einsum(cursor)?;
    let start = cursor.span();
    skip_prefix(cursor);
    let angle = cursor.take_symbol('<');
    sides_in_parentheses(cursor)?;
    let in_groups = tensors_in_groups(cursor);
    let notation = match notation(cursor) {
        notation @ (Notation::Symbols | Notation::Document) => named(cursor, notation),
        notation => notation,
    };
    // All parts are read, including those after a part with a mistake.
    let follows = |cursor: &Cursor<'_, S>| {
        let at = usize::from(cursor.peek() == Some(&Kind::Symbol(',')));
        cursor.peek() == Some(&Kind::Open('{')) || size_follows(cursor, at)
    };
    let (operands, arrow, results) = match in_groups {
        Some(Stop) => (Err(Stop), Ok(()), Err(Stop)),
        None => {
            let ends = |cursor: &Cursor<'_, S>| at_arrow(cursor) || follows(cursor);
            let operands = cursor.part(ends, |cursor| tensors(cursor, notation));
            let arrow = cursor.part(ends, arrow);
            if arrow.is_err() && at_arrow(cursor) {
                cursor.take_many(2);
            }
            let has_results = arrow.is_ok() || !follows(cursor);
            let results = match has_results {
                true => cursor.part(follows, |cursor| tensors(cursor, notation)),
                false => Err(Stop),
            };
            (operands, arrow, results)
        }
    };
    let sizes = cursor.part(follows, |cursor| sizes(cursor, notation));
    let special = cursor.part(|_| false, |cursor| special(cursor, notation));
    if angle {
        cursor.expect(&Kind::Symbol('>'))?;
    }
    // The factors are checked even if sizes or lists of them could not be read.
    let (operands, results) = (operands?, results?);
    let (sizes, (special, custom)) = (sizes.unwrap_or_default(), special.unwrap_or_default());
    arrow?;
    let symbols = notation == Notation::Symbols;
    let span = cursor.since(start);
    Ok(RuleSyntax { symbols, operands, results, sizes, special, custom, span })
}

/// The factors of a dimension, as symbols or as one name.
fn factors<S: Span>(
    cursor: &mut Cursor<'_, S>,
    notation: Notation,
) -> Parsed<(Vec<FactorUse<S>>, S)> {
    match notation {
        Notation::Symbols | Notation::Document => symbol_dim(cursor),
        _ => name(cursor).map(|factor| (alloc::vec![factor.clone()], factor.span)),
    }
}

/// Whether an arrow comes next.
fn at_arrow<S: Span>(cursor: &Cursor<'_, S>) -> bool {
    matches!(cursor.peek(), Some(Kind::Symbol('-' | '=')))
        && cursor.peek_nth(1) == Some(&Kind::Symbol('>'))
}

/// `->`; `=>` is reported.
fn arrow<S: Span>(cursor: &mut Cursor<'_, S>) -> Parsed<()> {
    let (first, second) = (cursor.peek(), cursor.peek_nth(1));
    let span = cursor.span();
    if first == Some(&Kind::Symbol('=')) && second == Some(&Kind::Symbol('>')) {
        let span = cursor.take_many(2).unwrap_or(span);
        cursor.report(span, "expected `->`, found `=>`", "write `->`");
        return Ok(());
    }
    if first == Some(&Kind::Symbol('-')) && second == Some(&Kind::Symbol('>')) {
        cursor.take_many(2);
        return Ok(());
    }
    if let Some(Kind::Symbol(sign @ ('-' | '>' | '=' | ':' | '|'))) = first {
        cursor.next();
        cursor.report(span, format!("expected `->`, found `{sign}`"), "write `->`");
        return Ok(());
    }
    let help = match (cursor.peek(), cursor.last()) {
        _ if size_follows(cursor, 0) || matches!(first, None | Some(Kind::Open('{'))) => {
            "an arrow and the results follow the operands: `(i,k),(k,j)->(i,j)`"
        }
        (Some(Kind::Symbol('!')), _) => {
            "write the rule itself: macros do not know the values of expressions"
        }
        (Some(Kind::Symbol('.')), _) => {
            "each dimension has a factor of its own, and there is no `...`"
        }
        (Some(Kind::Symbol('*' | '@' | ';' | '+') | Kind::Word(_)), _)
        | (Some(Kind::Open('(')), Some(Kind::Close(')'))) => {
            "a comma goes between two operands: `(i,k),(k,j)->(i,j)`"
        }
        _ => "an arrow goes between operands and results: `(i,k),(k,j)->(i,j)`",
    };
    Err(cursor.unexpected_with_help("`->`", help))
}

/// The notation that follows. Only Shardy's own notation has brackets, and only the notation of its documentation has parentheses
/// that contain commas or other parentheses.
fn notation<S: Span>(cursor: &Cursor<'_, S>) -> Notation {
    let (mut depth, mut at) = (0usize, 0);
    while let Some(kind) = cursor.peek_nth(at) {
        match kind {
            Kind::Open('[') => return Notation::Symbols,
            Kind::Open('(') if depth > 0 => return Notation::Document,
            Kind::Open('(') => depth += 1,
            Kind::Close(')') => depth = depth.saturating_sub(1),
            Kind::Symbol(',') if depth > 0 => return Notation::Document,
            Kind::Symbol('-' | '>') if depth == 0 => {}
            Kind::Word(_) | Kind::Symbol(',') => {}
            // `()->()`: scalars have no factors.
            Kind::Close(_) | Kind::Open(_) | Kind::Symbol(_) => break,
            _ => break,
        }
        at += 1;
    }
    let empty =
        cursor.peek() == Some(&Kind::Open('(')) && cursor.peek_nth(1) == Some(&Kind::Close(')'));
    if empty { Notation::Symbols } else { Notation::Names }
}

fn tensors<S: Span>(
    cursor: &mut Cursor<'_, S>,
    notation: Notation,
) -> Parsed<Vec<TensorSyntax<S>>> {
    match notation {
        Notation::Symbols | Notation::NamesInBrackets => {
            if cursor.peek() == Some(&Kind::Open('[')) {
                let len = cursor.group_len();
                let tensor = written(&cursor.rest()[..len]).unwrap_or_default();
                let first = cursor.span();
                let span = cursor.take_many(len).unwrap_or(first);
                let help = format!("write `({})`", tensor.replace(',', ", "));
                cursor.report(span, "the tensors of each side go in parentheses", help);
                return Err(Stop);
            }
            cursor.expect(&Kind::Open('('))?;
            list(cursor, ')', |cursor| {
                let start = cursor.expect(&Kind::Open('['))?;
                let dims = list(cursor, ']', |cursor| factors(cursor, notation))?;
                Ok(TensorSyntax { dims, span: cursor.since(start) })
            })
        }
        Notation::Document | Notation::NamesInParentheses => separated(cursor, |cursor| {
            if let Some(Kind::Word(word)) = cursor.peek()
                && kind_of(word).is_some()
            {
                let help = format!("the factors go in braces: `{word}={{k}}`");
                return Err(cursor.unexpected_with_help("a tensor", &help));
            }
            let start = cursor.expect(&Kind::Open('('))?;
            let dims = list(cursor, ')', |cursor| {
                if cursor.peek() != Some(&Kind::Open('(')) {
                    let dim = factors(cursor, notation)?;
                    if matches!(cursor.peek(), Some(Kind::Word(_))) {
                        let help = "each tensor has its own parentheses, with commas between its dimensions: `(i,k),(k,j)->(i,j)`";
                        return Err(cursor.unexpected_with_help("`,` or `)`", help));
                    }
                    return Ok(dim);
                }
                let start = cursor.span();
                cursor.next();
                let (mut all, _) = factors(cursor, notation)?;
                while matches!(cursor.peek(), Some(Kind::Word(_))) {
                    all.extend(factors(cursor, notation)?.0);
                }
                cursor.expect(&Kind::Close(')'))?;
                Ok((all, cursor.since(start)))
            })?;
            Ok(TensorSyntax { dims, span: cursor.since(start) })
        }),
        Notation::Names => separated(cursor, names),
    }
}

/// Tensors separated by commas, up to the arrow or the sizes.
fn separated<S: Span>(
    cursor: &mut Cursor<'_, S>,
    mut tensor: impl FnMut(&mut Cursor<'_, S>) -> Parsed<TensorSyntax<S>>,
) -> Parsed<Vec<TensorSyntax<S>>> {
    let mut tensors = Vec::new();
    loop {
        tensors.push(tensor(cursor)?);
        if let Some(Kind::Symbol(sign @ (';' | '*' | '@' | '+' | '&'))) = cursor.peek()
            && (*sign != ';' || arrow_before_semicolon(cursor))
        {
            let message = format!("expected `,` or `->`, found `{sign}`");
            cursor.report(cursor.span(), message, "a comma goes between two tensors: write `,`");
            cursor.next();
            continue;
        }
        let another = cursor.peek() == Some(&Kind::Symbol(',')) && !size_follows(cursor, 1);
        if !another {
            return Ok(tensors);
        }
        cursor.next();
    }
}

/// Whether an arrow comes between the semicolon that comes next and another one: it is in the place of a comma, and does not end the
/// statement of a program.
fn arrow_before_semicolon<S: Span>(cursor: &Cursor<'_, S>) -> bool {
    let mut rest = cursor.rest()[1..].iter();
    rest.find_map(|token| match token.kind {
        Kind::Symbol('>') => Some(true),
        Kind::Symbol(';') => Some(false),
        _ => None,
    })
    .unwrap_or(false)
}

/// Whether the size of a factor, the list of a kind of factors, or `custom` is `at` tokens ahead.
pub(super) fn size_follows<S: Span>(cursor: &Cursor<'_, S>, at: usize) -> bool {
    let is_size = cursor.peek_nth(at + 1) == Some(&Kind::Symbol('='))
        && cursor.peek_nth(at + 2) != Some(&Kind::Symbol('>'));
    matches!(cursor.peek_nth(at), Some(Kind::Word(word)) if is_size || word == "custom")
}

/// `(i j) k`
fn names<S: Span>(cursor: &mut Cursor<'_, S>) -> Parsed<TensorSyntax<S>> {
    let start = cursor.span();
    let mut dims = Vec::new();
    loop {
        let at = cursor.span();
        match cursor.peek() {
            Some(Kind::Word(word)) if kind_of(word).is_some() && !size_follows(cursor, 0) => {
                let help = format!("the factors follow in braces: `{word}={{k}}`");
                return Err(cursor.unexpected_with_help("a factor", &help));
            }
            Some(Kind::Word(_)) if !size_follows(cursor, 0) => {
                dims.push((alloc::vec![name(cursor)?], at));
            }
            Some(Kind::Open('(')) => {
                cursor.next();
                let mut factors = alloc::vec![name(cursor)?];
                while cursor.take(&Kind::Close(')')).is_none() {
                    factors.push(name(cursor)?);
                }
                dims.push((factors, cursor.since(at)));
            }
            _ => break,
        }
    }
    let span = if dims.is_empty() { start } else { cursor.since(start) };
    Ok(TensorSyntax { dims, span })
}

/// A help for a missing factor.
const fn factor_help(found: Option<&Kind>) -> &'static str {
    match found {
        Some(Kind::Number(_)) => {
            "a factor is a letter or a name, and its size comes after the rule: `([i])->([i]) {i=8}`"
        }
        Some(Kind::Close(_) | Kind::Symbol(',')) => "leave the `,` out, or write one more factor",
        _ => "factors are letters, `i` to `z`, or names: `rows cols -> cols rows`",
    }
}

fn name<S: Span>(cursor: &mut Cursor<'_, S>) -> Parsed<FactorUse<S>> {
    let span = cursor.span();
    match cursor.peek() {
        Some(Kind::Word(name)) => {
            cursor.next();
            Ok(FactorUse { name: name.clone(), span })
        }
        _ => Err(cursor.unexpected_with_help("the name of a factor", factor_help(cursor.peek()))),
    }
}

/// `ij`: letters that are factors; each can be followed by `_` and a number.
fn symbol_dim<S: Span>(cursor: &mut Cursor<'_, S>) -> Parsed<(Vec<FactorUse<S>>, S)> {
    let span = cursor.span();
    let Some(Kind::Word(word)) = cursor.peek() else {
        let help = factor_help(cursor.peek());
        return Err(cursor.unexpected_with_help("the factors of a dimension", help));
    };
    let factors = split(cursor, word)?;
    cursor.next();
    Ok((factors.into_iter().map(|name| FactorUse { name, span }).collect(), span))
}

/// The symbols in a word.
fn split<S: Span>(cursor: &mut Cursor<'_, S>, word: &str) -> Parsed<Vec<String>> {
    let mut symbols = Vec::new();
    let mut rest = word;
    while let Some(c) = rest.chars().next() {
        let mut len = c.len_utf8();
        let message = match (c, rest[len..].strip_prefix('_')) {
            ('z', Some(digits)) => {
                let count = digits.bytes().take_while(u8::is_ascii_digit).count();
                len += 1 + count;
                match digits[..count].parse::<u16>() {
                    Ok(1..) => None,
                    _ => Some("expecting integer after 'z_'".to_string()),
                }
            }
            ('i'..='z', _) => None,
            _ => Some(format!("expecting symbol from 'i' to 'z'. Received: '{c}'")),
        };
        if let Some(message) = message {
            let help = "factors are `i` to `z`, then `z_1`; names of any length are written without brackets: `rows cols -> cols rows`";
            cursor.report(cursor.span(), message, help);
            return Err(Stop);
        }
        symbols.push(rest[..len].to_string());
        rest = &rest[len..];
    }
    Ok(symbols)
}

type Sizes<S> = Vec<(FactorUse<S>, Option<crate::syntax::Number<S>>)>;

/// `{i=2, j=4}`, or `, i=2, j=4` in the notation with free names.
fn sizes<S: Span>(cursor: &mut Cursor<'_, S>, notation: Notation) -> Parsed<Sizes<S>> {
    let size = |cursor: &mut Cursor<'_, S>| {
        let factor = name(cursor)?;
        if notation == Notation::Symbols && index_of(&factor.name).is_none() {
            let c = factor.name.chars().next().unwrap_or('?');
            let message = format!("expecting symbol from 'i' to 'z'. Received: '{c}'");
            cursor.report(factor.span, message, "factors are `i` to `z`, then `z_1`");
            return Err(Stop);
        }
        if let (Some(Kind::Symbol(sign @ ':')), Some(size)) = (cursor.peek(), cursor.peek_nth(1)) {
            let size = match size {
                Kind::Number(size) => size.as_str(),
                _ => "?",
            };
            let help = format!("write `{}={size}`", factor.name);
            cursor.report(
                factor.span.to(cursor.span()),
                format!("expected `=`, found `{sign}`"),
                help,
            );
            cursor.next();
        } else {
            cursor.expect(&Kind::Symbol('='))?;
        }
        if cursor.take_symbol('?') {
            return Ok((factor, None));
        }
        if let Some(Kind::Word(word)) = cursor.peek() {
            let help = format!(
                "write the number, or leave the size of `{}` out: it follows from the shapes",
                factor.name
            );
            cursor.report(
                cursor.span(),
                format!("the size of a factor is a number, found `{word}`"),
                help,
            );
            return Err(Stop);
        }
        Ok((factor, Some(number(cursor)?)))
    };
    if cursor.take(&Kind::Open('{')).is_some() {
        return list(cursor, '}', size);
    }
    let mut sizes = Vec::new();
    while matches!(cursor.peek(), Some(Kind::Symbol(',' | ':')))
        && cursor.peek_nth(2) == Some(&Kind::Symbol('='))
        // A list of factors follows.
        && cursor.peek_nth(3) != Some(&Kind::Open('{'))
        && !matches!(cursor.peek_nth(1), Some(Kind::Word(word)) if kind_of(word).is_some())
    {
        cursor.next();
        sizes.push(cursor.part(Cursor::at_separator, size));
    }
    sizes.into_iter().collect()
}

/// The kind of the factors in the list with this name: `Some(None)` for blocked ones, `None` if there is no such list.
pub(super) fn kind_of(name: &str) -> Option<Option<FactorKind>> {
    let kind = FactorKind::SPECIAL.into_iter().find(|kind| kind.name() == name);
    kind.map(Some).or((name == "blocked_propagation").then_some(None))
}

/// The names of the lists of factors, in the order in which they are written.
pub(crate) const FACTOR_LISTS: [&str; 4] =
    ["reduction", "need_replication", "permutation", "blocked_propagation"];

/// Reports and skips a list of factors of an unknown kind: `reduce={k}`.
fn unknown_list<S: Span>(cursor: &mut Cursor<'_, S>, comma: usize, word: &str) {
    let begins = |name: &&&str| word.len() > 2 && name.starts_with(&word[..word.len().min(4)]);
    // Shardings call the axes along which nothing is split by the first of these words.
    let is_replication = matches!(word, "replicated" | "replicate" | "replication");
    let meant = nearest(word, &FACTOR_LISTS)
        .or_else(|| FACTOR_LISTS.iter().find(begins).copied())
        .or(is_replication.then_some("need_replication"));
    let help = match meant {
        Some(name) => format!("did you mean `{name}`?"),
        None => format!("the lists are `{}={{..}}`", FACTOR_LISTS.join("={..}`, `")),
    };
    cursor.take_many(comma);
    cursor.report(cursor.span(), format!("unknown list of factors `{word}`"), help);
    cursor.take_many(2);
    cursor.skip_to(|cursor| matches!(cursor.peek(), Some(Kind::Word(_) | Kind::Symbol(_))));
}

/// `reduction={k} need_replication={i}`, and `, custom`.
fn special<S: Span>(
    cursor: &mut Cursor<'_, S>,
    notation: Notation,
) -> Parsed<(Vec<Special<S>>, bool)> {
    let mut lists: Vec<Special<S>> = Vec::new();
    let order = |kind: Option<FactorKind>| kind.map_or(3, |kind| kind as usize - 1);
    loop {
        let comma = usize::from(cursor.peek() == Some(&Kind::Symbol(',')));
        cursor.offer_among(comma + 1, Offer::FactorList);
        let Some(Kind::Word(word)) = cursor.peek_nth(comma) else { break };
        if word == "custom" && comma == 1 {
            cursor.next();
            cursor.next();
            return Ok((lists, true));
        }
        if word == "custom" {
            let help = "a comma comes before it: `, custom`";
            return Err(cursor.unexpected_with_help("the end of the rule", help));
        }
        if kind_of(word).is_none() && cursor.peek_nth(comma + 1) == Some(&Kind::Symbol('=')) {
            unknown_list(cursor, comma, word);
            continue;
        }
        let Some(kind) = kind_of(word) else { break };
        if comma == 1 && notation == Notation::Symbols {
            let span = cursor.span();
            cursor.report(span, "no comma goes between the lists of factors", "leave the `,` out");
        }
        if comma == 1 {
            cursor.next();
        }
        let sorted = notation != Notation::Symbols
            || lists.last().is_none_or(|last| order(last.kind) < order(kind));
        let twice = lists.iter().any(|list| list.kind == kind);
        if twice || !sorted {
            let help = "the order is reduction, need_replication, permutation, blocked_propagation";
            let message = if twice {
                format!("`{word}` is listed twice")
            } else {
                format!("`{word}` is out of order")
            };
            cursor.report(cursor.span(), message, help);
            return Err(Stop);
        }
        cursor.next();
        if cursor.peek() == Some(&Kind::Symbol(':')) {
            let help = format!("write `{word}={{..}}`");
            cursor.report(cursor.span(), "expected `=`, found `:`", help);
            cursor.next();
        } else {
            cursor.expect(&Kind::Symbol('='))?;
        }
        if let Some(Kind::Word(factor)) = cursor.peek() {
            let help = format!("the factors go in braces: `{word}={{{factor}}}`");
            return Err(cursor.unexpected_with_help("`{`", &help));
        }
        if let Some(Kind::Open('[' | '(')) = cursor.peek() {
            let (first, group) = (cursor.span(), &cursor.rest()[..cursor.group_len()]);
            let factors: Vec<_> = group
                .iter()
                .filter_map(|token| match &token.kind {
                    Kind::Word(factor) => Some(factor.as_str()),
                    _ => None,
                })
                .collect();
            let help = format!("write `{{{}}}`", factors.join(", "));
            cursor.skip_group();
            cursor.report(cursor.since(first), "the factors of a list go in braces", help);
            continue;
        }
        cursor.expect(&Kind::Open('{'))?;
        let factors = list(cursor, '}', name)?;
        lists.push(Special { kind, factors });
    }
    Ok((lists, false))
}
