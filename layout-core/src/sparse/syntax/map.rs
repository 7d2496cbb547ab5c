use super::affine::{Affine, NOT_DECLARED, affine};
use super::level::{LevelSyntax, level};
use super::name::name;
use super::number::integer;
use super::scope::Scope;
use crate::sparse::MAX_RANK;
use crate::sparse::{DimSlice, LevelFormat, MAX_LEVELS};
use crate::syntax::{
    Cursor, Diagnostic, Diagnostics, Kind, Parsed, Span, Stop, Token, items, list,
};
use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// `i = ib * 2 + ii : #sparse_tensor<slice(0, 4, 1)>`
#[derive(Clone, Debug)]
pub struct SparseDimSyntax<S> {
    /// Its name.
    pub name: String,
    /// Its expression in terms of the levels; `None` if it is not written, or wrong.
    pub(super) expr: Option<Affine>,
    /// Whether the expression is written.
    pub(super) has_expr: bool,
    /// Its slice, if it has one.
    pub slice: Option<DimSlice>,
    /// The tokens of the whole dimension.
    pub span: S,
}

/// `[c] {l0, l1} (i, j) -> (l0 = i : dense, l1 = j : compressed)`
#[derive(Clone, Debug)]
pub struct MapSyntax<S> {
    /// The free symbols.
    pub symbols: Vec<(String, S)>,
    /// The level variables that are declared ahead.
    pub level_names: Vec<(String, S)>,
    /// The dimensions.
    pub dims: Vec<SparseDimSyntax<S>>,
    /// The tokens of the dimensions.
    pub dims_span: S,
    /// The levels.
    pub levels: Vec<LevelSyntax<S>>,
    /// The tokens of the levels.
    pub levels_span: S,
    /// Whether all of it could be read. Mistakes have been reported.
    pub is_complete: bool,
}

/// Reports levels without the dimensions before them, `(i : dense, j : compressed)`, or only their formats, `(dense, compressed)`.
fn levels_alone<S: Span>(cursor: &mut Cursor<'_, S>) -> Parsed<()> {
    let group = match cursor.peek() {
        Some(Kind::Open('(')) => &cursor.rest()[..cursor.group_len()],
        _ => return Ok(()),
    };
    // Dimensions, which the arrow follows.
    if matches!(cursor.peek_nth(group.len()), Some(Kind::Symbol('-' | '='))) {
        return Ok(());
    }
    // A text may end within the parentheses.
    let formats: Option<Vec<&str>> = group[1..group.len().max(2) - 1]
        .split(|token| token.kind == Kind::Symbol(','))
        .map(|level| match level {
            [Token { kind: Kind::Word(format), .. }]
                if LevelFormat::NAMES.contains(&format.as_str()) =>
            {
                Some(format.as_str())
            }
            _ => None,
        })
        .collect();
    if let Some(formats) = formats.filter(|formats| formats.len() <= MAX_RANK) {
        let dims = &crate::draw::NAMES[..formats.len()];
        let level = |(dim, format): (&&str, &&str)| format!("{dim} : {format}");
        let levels: Vec<_> = dims.iter().zip(&formats).map(level).collect();
        let first = cursor.span();
        cursor.skip_group();
        let help = format!("write `({}) -> ({})`", dims.join(", "), levels.join(", "));
        cursor.report(cursor.since(first), "expected the dimensions, found formats", help);
        return Err(Stop);
    }
    let mut dims: Vec<&str> = Vec::new();
    for tokens in group.windows(3) {
        let [Token { kind: Kind::Word(dim), .. }, colon, Token { kind: Kind::Word(format), .. }] =
            tokens
        else {
            continue;
        };
        if colon.kind == Kind::Symbol(':')
            && LevelFormat::NAMES.contains(&format.as_str())
            && !dims.contains(&dim.as_str())
        {
            dims.push(dim);
        }
    }
    if dims.is_empty() {
        return Ok(());
    }
    let first = cursor.span();
    cursor.skip_group();
    let help =
        format!("the dimensions and an arrow come before them: `({}) -> (..)`", dims.join(", "));
    cursor.report(cursor.since(first), "expected the dimensions, found levels", help);
    Err(Stop)
}

pub(super) fn map<S: Span>(cursor: &mut Cursor<'_, S>) -> Parsed<MapSyntax<S>> {
    levels_alone(cursor)?;
    if (cursor.peek(), cursor.peek_nth(1)) == (Some(&Kind::Open('{')), Some(&Kind::Open('('))) {
        let first = cursor.span();
        cursor.skip_group();
        cursor.report(cursor.since(first), "a map has no braces around it", "leave them out");
        return Err(Stop);
    }
    let mut names = BTreeSet::new();
    let mut symbols = Vec::new();
    if cursor.take(&Kind::Open('[')).is_some() {
        symbols = list(cursor, ']', |cursor| declare(cursor, "a symbol", &mut names))?;
    }
    let mut level_names = Vec::new();
    if cursor.take(&Kind::Open('{')).is_some() {
        level_names = list(cursor, '}', |cursor| declare(cursor, "a level variable", &mut names))?;
    }
    let only_names =
        |list: &[(String, S)]| list.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
    capacity(cursor, level_names.len(), MAX_LEVELS, "levels")?;
    let symbol_names = only_names(&symbols);
    let scope = Scope::new(&symbol_names, only_names(&level_names));
    let open = parenthesis(cursor)?;
    let read = items(cursor, ')', |cursor| dim(cursor, &scope, &mut names))?;
    let dims_span = cursor.since(open);
    capacity(cursor, read.len(), MAX_RANK, "dimensions")?;
    // The levels are read even if a dimension or the arrow has a mistake.
    let mut is_complete = read.iter().all(Option::is_some) && !cursor.follows_comma();
    let dims: Vec<_> = read.into_iter().flatten().collect();
    let scope = Scope::new(&symbol_names, dims.iter().map(|dim| dim.name.clone()).collect());
    let scope = if is_complete { scope } else { scope.with_others() };
    is_complete &= cursor.part(|cursor| cursor.peek() == Some(&Kind::Open('(')), arrow).is_ok();
    let open = parenthesis(cursor).inspect_err(|Stop| cursor.skip_to(|_| false))?;
    let before = cursor.diagnostics.len();
    let read = items(cursor, ')', |cursor| level(cursor, &scope))?;
    let levels_span = cursor.since(open);
    capacity(cursor, read.len(), MAX_LEVELS, "levels")?;
    is_complete &= read.iter().all(Option::is_some);
    let levels: Vec<_> = read.into_iter().flatten().collect();
    merge_misspelled(&mut cursor.diagnostics, before, &dims, &levels);
    Ok(MapSyntax { symbols, level_names, dims, dims_span, levels, levels_span, is_complete })
}

/// If the levels use one name that is not declared, and all but one of the dimensions, reports that name once: it is the other
/// dimension.
fn merge_misspelled<S: Span>(
    diagnostics: &mut Diagnostics<S>,
    before: usize,
    dims: &[SparseDimSyntax<S>],
    levels: &[LevelSyntax<S>],
) {
    let is_used = |at: usize| {
        levels.iter().any(|level| level.expr.as_ref().is_some_and(|expr| expr.terms[at] != 0))
    };
    let mut unused = (0..dims.len()).filter(|at| !is_used(*at));
    let (Some(unused), None) = (unused.next(), unused.next()) else { return };
    let is_undeclared = |mistake: &Diagnostic<S>| mistake.message.ends_with(NOT_DECLARED);
    let mut undeclared = diagnostics[before..].iter_mut().filter(|mistake| is_undeclared(mistake));
    let Some(first) = undeclared.next() else { return };
    let message = first.message.clone();
    if undeclared.any(|mistake| mistake.message != message) {
        return;
    }
    // A name that is used once is misspelled there, and one that is used more often where it is declared.
    let uses = diagnostics[before..].iter().filter(|mistake| is_undeclared(mistake)).count();
    let mut is_first = true;
    let mut at = 0;
    diagnostics.retain_mut(|mistake| {
        at += 1;
        if at <= before || !is_undeclared(mistake) {
            return true;
        }
        let SparseDimSyntax { name, span, .. } = &dims[unused];
        if uses == 1 {
            mistake.help = format!("did you mean `{name}`?");
        } else {
            let undeclared = mistake.message.split('`').nth(1).unwrap_or_default();
            mistake.help = format!("did you mean `{undeclared}`?");
            mistake.message = format!("no level holds `{name}`, and {}", mistake.message);
            mistake.span = *span;
        }
        core::mem::take(&mut is_first)
    });
}

fn parenthesis<S: Span>(cursor: &mut Cursor<'_, S>) -> Parsed<S> {
    let help = "dimensions and levels go in parentheses: `(i, j) -> (i : dense, j : compressed)`";
    let open = cursor.take(&Kind::Open('('));
    open.ok_or_else(|| cursor.unexpected_with_help("`(`", help))
}

/// `->`; `=>` is reported and accepted.
fn arrow<S: Span>(cursor: &mut Cursor<'_, S>) -> Parsed<()> {
    let help = "an arrow follows the dimensions, and then the levels: `(i, j) -> (i : dense, j : compressed)`";
    let is_double = cursor.peek() == Some(&Kind::Symbol('='));
    if is_double && cursor.peek_nth(1) == Some(&Kind::Symbol('>')) {
        let first = cursor.span();
        let span = cursor.take_many(2).unwrap_or(first);
        cursor.report(span, "expected `->`, found `=>`", "write `->`");
        return Ok(());
    }
    if cursor.peek() != Some(&Kind::Symbol('-')) {
        return Err(cursor.unexpected_with_help("`->`", help));
    }
    cursor.next();
    if cursor.take_symbol('>') { Ok(()) } else { Err(cursor.unexpected_with_help("`>`", help)) }
}

fn capacity<S: Span>(
    cursor: &mut Cursor<'_, S>,
    len: usize,
    most: usize,
    what: &str,
) -> Parsed<()> {
    if len <= most {
        return Ok(());
    }
    let message = format!("{len} {what} are more than the {most} that are supported");
    cursor.report(cursor.span(), message, format!("write at most {most}"));
    Err(Stop)
}

/// Declares a new name. All names of a map are different.
fn declare<S: Span>(
    cursor: &mut Cursor<'_, S>,
    expected: &str,
    names: &mut BTreeSet<String>,
) -> Parsed<(String, S)> {
    let Some((name, span)) = name(cursor) else {
        let help = "it has a name: `(i, j) -> (i : dense, j : compressed)`";
        return Err(cursor.unexpected_with_help(expected, help));
    };
    if !names.insert(name.clone()) {
        cursor.report(span, format!("`{name}` is declared twice"), "give one of them another name");
    }
    Ok((name, span))
}

fn dim<S: Span>(
    cursor: &mut Cursor<'_, S>,
    scope: &Scope,
    names: &mut BTreeSet<String>,
) -> Parsed<SparseDimSyntax<S>> {
    let (name, first) = declare(cursor, "a dimension", names)?;
    sized(cursor);
    let has_expr = cursor.take_symbol('=');
    let expr = if has_expr { affine(cursor, scope)? } else { None };
    let slice = if cursor.take_symbol(':') { Some(slice(cursor)?) } else { None };
    Ok(SparseDimSyntax { name, expr, has_expr, slice, span: cursor.since(first) })
}

/// Reports the size of a dimension, `i : 4` or `i = 4`, whose name has been read.
fn sized<S: Span>(cursor: &mut Cursor<'_, S>) {
    if let (Some(Kind::Symbol(':' | '=')), Some(Kind::Number(size))) =
        (cursor.peek(), cursor.peek_nth(1))
        && matches!(cursor.peek_nth(2), Some(Kind::Symbol(',') | Kind::Close(_)))
    {
        let first = cursor.span();
        let span = cursor.take_many(2).unwrap_or(first);
        let help = "leave the size out: the sizes are those of each tensor";
        let message = format!("a dimension of an encoding has no size, found `{size}`");
        cursor.report(span, message, help);
    }
}

fn slice<S: Span>(cursor: &mut Cursor<'_, S>) -> Parsed<DimSlice> {
    cursor.expect(&Kind::Symbol('#'))?;
    cursor.expect_word("sparse_tensor")?;
    cursor.expect(&Kind::Symbol('<'))?;
    cursor.expect_word("slice")?;
    cursor.expect(&Kind::Open('('))?;
    let number = |cursor: &mut Cursor<'_, S>| {
        if cursor.take_symbol('?') {
            return Ok(None);
        }
        let span = cursor.span();
        let number = integer(cursor, "an integer or `?`")?;
        match usize::try_from(number) {
            Ok(number) => Ok(Some(number)),
            Err(_) => {
                cursor.report(
                    span,
                    format!("a slice cannot have the negative number {number}"),
                    "write `?` for a size that is known only at run time",
                );
                Ok(None)
            }
        }
    };
    let offset = number(cursor)?;
    cursor.expect(&Kind::Symbol(','))?;
    let size = number(cursor)?;
    cursor.expect(&Kind::Symbol(','))?;
    let stride = number(cursor)?;
    cursor.expect(&Kind::Close(')'))?;
    cursor.expect(&Kind::Symbol('>'))?;
    Ok(DimSlice { offset, size, stride })
}
