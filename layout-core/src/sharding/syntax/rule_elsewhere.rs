//! Rules in notations that are not accepted, recognized so that the help can show the intended rule.

use super::rule::index_of;
use super::rule_forms::{Notation, kind_of, size_follows};
use crate::syntax::{Cursor, Kind, Parsed, Span, Stop, Token};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// Reports names that are not symbols of Shardy's notations, `([b, q])->([b, q])`, as one mistake.
pub(super) fn named<S: Span>(cursor: &mut Cursor<'_, S>, notation: Notation) -> Notation {
    let is_tensors = |kind: &Kind| match kind {
        Kind::Open(c) | Kind::Close(c) => !matches!(c, '{' | '}'),
        // The lists of factors come after the tensors.
        Kind::Word(word) => kind_of(word).is_none(),
        Kind::Symbol(',' | '-' | '>') => true,
        _ => false,
    };
    let rest = cursor.rest();
    let mut tensors = &rest[..rest.iter().take_while(|token| is_tensors(&token.kind)).count()];
    // `reduction` of `reduction={k}`
    while let [before @ .., Token { kind: Kind::Word(_) | Kind::Symbol(','), .. }] = tensors {
        tensors = before;
    }
    let is_symbol = |word: &str| word.chars().all(|c| matches!(c, 'i'..='z' | '_' | '0'..='9'));
    let wrong = tensors.iter().find_map(|token| match &token.kind {
        Kind::Word(word) if !is_symbol(word) => Some((word, token.span)),
        _ => None,
    });
    let Some((word, span)) = wrong else { return notation };
    let outermost = usize::from(notation == Notation::Symbols);
    let mut text = String::new();
    let mut depth = 0usize;
    for token in tensors {
        match &token.kind {
            Kind::Open(_) => depth += 1,
            Kind::Close(_) => depth = depth.saturating_sub(1),
            Kind::Symbol(',') => text.push_str(if depth > outermost { " " } else { ", " }),
            Kind::Symbol('-') => text.push_str(" -"),
            Kind::Symbol(c) => text.extend([*c, ' ']),
            Kind::Word(word) => text.push_str(word),
            _ => {}
        }
    }
    let message = format!("factors in brackets are `i` to `z`, found `{word}`");
    let help = match text.len() < 400 {
        true => format!("write names without brackets: `{text}`"),
        false => "write names without brackets: `rows cols -> cols rows`".into(),
    };
    cursor.report(span, message, help);
    match notation {
        Notation::Symbols => Notation::NamesInBrackets,
        _ => Notation::NamesInParentheses,
    }
}

/// Whether the items of a list in parentheses are tensors: `(b q d, b k d)` has dimensions next to each other without a comma, and so has
/// `((i j) k, k l)`. The items of `((i j), k)` are dimensions.
fn has_tensors_of_names<S>(list: &[Token<S>]) -> bool {
    let (mut depth, mut ends_item) = (0_usize, false);
    let (mut has_comma, mut are_adjacent) = (false, false);
    for token in list {
        let begins_item = match &token.kind {
            Kind::Open('(') => {
                depth += 1;
                depth == 2
            }
            Kind::Open(_) => return false,
            Kind::Close(_) => {
                depth = depth.saturating_sub(1);
                false
            }
            kind => depth == 1 && matches!(kind, Kind::Word(_)),
        };
        are_adjacent |= begins_item && ends_item;
        has_comma |= depth == 1 && token.kind == Kind::Symbol(',');
        if depth == 1 {
            ends_item = matches!(token.kind, Kind::Word(_) | Kind::Close(_));
        }
    }
    has_comma && are_adjacent
}

/// Reports tensors of names with parentheses around each side, `(b q d, b k d) -> (b q k)`.
pub(super) fn sides_in_parentheses<S: Span>(cursor: &mut Cursor<'_, S>) -> Parsed<()> {
    let side = &cursor.rest()[..cursor.group_len()];
    if cursor.peek() != Some(&Kind::Open('(')) || !has_tensors_of_names(side) {
        return Ok(());
    }
    let (first, start) = (cursor.span(), cursor.taken());
    cursor.skip_group();
    cursor.skip_to(|cursor| matches!(cursor.peek(), Some(Kind::Open(_) | Kind::Word(_))));
    if cursor.peek() == Some(&Kind::Open('(')) {
        cursor.skip_group();
    }
    let (mut text, mut depth) = (String::new(), 0usize);
    for token in cursor.from(start) {
        match &token.kind {
            Kind::Open(_) => depth += 1,
            Kind::Close(_) => depth = depth.saturating_sub(1),
            _ => {}
        }
        match &token.kind {
            Kind::Open(c) if depth > 1 => text.extend([' ', *c]),
            Kind::Close(c) if depth > 0 => text.push(*c),
            Kind::Symbol('-') => text.push_str(" -"),
            Kind::Symbol(c) => text.push(*c),
            Kind::Word(word) if text.is_empty() || text.ends_with('(') => text.push_str(word),
            Kind::Word(word) => text.extend([" ", word]),
            _ => {}
        }
    }
    let message = "the tensors of a side have no parentheses around them";
    cursor.report(cursor.since(first), message, format!("write `{}`", text.trim_start()));
    Err(Stop)
}

/// Reports tensors in brackets or braces without parentheses around each side, `[i, k], [k, j] -> [i, j]`, as one mistake.
pub(super) fn tensors_in_groups<S: Span>(cursor: &mut Cursor<'_, S>) -> Option<Stop> {
    if !matches!(cursor.peek(), Some(Kind::Open('[' | '{'))) {
        return None;
    }
    let (first, start) = (cursor.span(), cursor.taken());
    let ends = |cursor: &Cursor<'_, S>| {
        let is_tensor = matches!(cursor.peek(), Some(Kind::Open('[' | '{' | '(')))
            || matches!(cursor.peek(), Some(Kind::Symbol(',' | ';' | '-' | '>' | '=')))
                && !size_follows(cursor, 1);
        !is_tensor
    };
    let mut is_after_arrow = false;
    while !ends(cursor) {
        is_after_arrow |= cursor.peek() == Some(&Kind::Symbol('>'));
        // The sizes follow the results without a comma.
        if is_after_arrow
            && matches!(cursor.last(), Some(Kind::Close(_)))
            && matches!(cursor.peek(), Some(Kind::Open(_)))
        {
            break;
        }
        match cursor.peek() {
            Some(Kind::Open(_)) => cursor.skip_group(),
            _ => drop(cursor.next()),
        }
    }
    let tokens = cursor.from(start);
    let names = || {
        tokens.iter().filter_map(|token| match &token.kind {
            Kind::Word(name) => Some(name.as_str()),
            _ => None,
        })
    };
    let are_symbols = names().all(|name| index_of(name).is_some());
    let (mut text, mut depth) = (String::from(if are_symbols { "([" } else { "" }), 0_usize);
    let mut begins = true;
    for token in tokens {
        match &token.kind {
            Kind::Open(_) => depth += 1,
            Kind::Close(_) => depth = depth.saturating_sub(1),
            Kind::Symbol(',' | ';') if depth == 0 => {
                text += if are_symbols { "], [" } else { ", " };
                begins = true;
            }
            Kind::Symbol('>') => {
                text += if are_symbols { "])->([" } else { " -> " };
                begins = true;
            }
            Kind::Word(name) => {
                text += match (begins, are_symbols) {
                    (true, _) => "",
                    (false, true) => ", ",
                    (false, false) => " ",
                };
                text += name;
                begins = false;
            }
            _ => {}
        }
    }
    text += if are_symbols { "])" } else { "" };
    let (message, help) = match are_symbols {
        true => ("the tensors of each side go in parentheses", format!("write `{text}`")),
        false => ("names of factors have no brackets around them", format!("write `{text}`")),
    };
    cursor.report(cursor.since(first), message, help);
    Some(Stop)
}

/// `"ij,jk->ik"`, as in einsum; reported with a help that contains the rule.
pub(super) fn einsum<S: Span>(cursor: &mut Cursor<'_, S>) -> Parsed<()> {
    // `jnp.einsum("ij,jk->ik")`
    let start = cursor.span();
    let mut ahead = 0;
    while matches!(cursor.peek_nth(ahead), Some(Kind::Word(_) | Kind::Symbol('.'))) {
        ahead += 1;
    }
    let is_call = ahead > 0
        && cursor.peek_nth(ahead) == Some(&Kind::Open('('))
        && matches!(cursor.peek_nth(ahead + 1), Some(Kind::Text(_)));
    if is_call {
        cursor.take_many(ahead + 1);
    }
    let Some(Kind::Text(text)) = cursor.peek() else { return Ok(()) };
    // einops separates names by spaces, and is otherwise the notation of rules.
    let is_names = text.split([',', '>']).any(|tensor| tensor.split_whitespace().count() > 2);
    let is_einsum = text.contains("->")
        && !is_names
        && text.chars().all(|c| c.is_ascii_alphabetic() || matches!(c, ',' | '-' | '>' | ' '));
    let help = match text.split_once("->").filter(|_| is_einsum) {
        Some((operands, result)) => {
            let tensor = |letters: &str| {
                let letters: Vec<_> = letters.trim().chars().map(String::from).collect();
                letters.join(" ")
            };
            let operands: Vec<_> = operands.split(',').map(tensor).collect();
            let mut summed: Vec<_> = text
                .chars()
                .take_while(|c| *c != '-')
                .filter(|c| c.is_ascii_alphabetic() && !result.contains(*c))
                .collect();
            summed.sort_unstable();
            summed.dedup();
            let summed: Vec<_> = summed.into_iter().map(String::from).collect();
            let reduction = match summed.is_empty() {
                true => String::new(),
                false => format!(" reduction={{{}}}", summed.join(", ")),
            };
            format!("write `{} -> {}{reduction}`", operands.join(", "), tensor(result))
        }
        None if text.len() < 400 => format!("write it without quotes: `{text}`"),
        None => "write it without quotes".into(),
    };
    let found = if is_call { "a call of Python" } else { "a string" };
    cursor.next();
    if is_call {
        cursor.skip_rest_of_group();
    }
    cursor.report(cursor.since(start), format!("expected a rule, found {found}"), help);
    Err(Stop)
}
