use super::foreign::{foreign, former, former_map};
use super::map::{MapSyntax, map};
use super::number::{integer, scalar};
use super::tensor::{TensorSyntax, tensor_type};
use crate::sparse::Scalar;
use crate::syntax::{Cursor, Kind, Offer, Parsed, Span, Stop, nearest};
use alloc::format;

/// The keys of an encoding; `padded` is not MLIR's.
pub(crate) const KEYS: [&str; 6] =
    ["map", "posWidth", "crdWidth", "explicitVal", "implicitVal", "padded"];

/// An encoding as written.
#[derive(Clone, Debug)]
pub struct EncodingSyntax<S> {
    /// The tensor type around it, if one is written.
    pub tensor: Option<TensorSyntax<S>>,
    /// `map = ..`
    pub map: Option<MapSyntax<S>>,
    /// `posWidth = ..`
    pub position_bits: Option<(i128, S)>,
    /// `crdWidth = ..`
    pub coordinate_bits: Option<(i128, S)>,
    /// `explicitVal = ..`
    pub explicit: Option<(Scalar, S)>,
    /// `implicitVal = ..`
    pub implicit: Option<(Scalar, S)>,
    /// `padded = ..`
    pub padded: Option<bool>,
    /// Whether all of it could be read. Mistakes have been reported.
    pub is_complete: bool,
    /// The tokens of the whole encoding.
    pub span: S,
}

/// Reads an encoding: MLIR's whole text, `tensor<4x8xf64, ..>` around it, the contents of its braces, or a map and the entries
/// after it. `None` if reading could not continue; the cursor has the diagnostics.
pub fn parse_encoding<S: Span>(cursor: &mut Cursor<'_, S>) -> Option<EncodingSyntax<S>> {
    cursor.reads("an encoding is written `(i, j) -> (i : dense, j : compressed)`");
    encoding(cursor).ok()
}

fn encoding<S: Span>(cursor: &mut Cursor<'_, S>) -> Parsed<EncodingSyntax<S>> {
    let first = cursor.span();
    let mut syntax = EncodingSyntax {
        tensor: None,
        map: None,
        position_bits: None,
        coordinate_bits: None,
        explicit: None,
        implicit: None,
        padded: None,
        is_complete: true,
        span: first,
    };
    if cursor.is_word("tensor") && cursor.peek_nth(1) == Some(&Kind::Symbol('<')) {
        syntax.tensor = Some(tensor_type(cursor)?);
        attribute(cursor, &mut syntax)?;
        unless_cut_off(cursor, "the tensor type", ">")?;
        cursor.expect(&Kind::Symbol('>'))?;
    } else if cursor.peek() == Some(&Kind::Symbol('#')) {
        // `#CSR = #sparse_tensor.encoding<..>`, as in a file.
        if cursor.peek_nth(2) == Some(&Kind::Symbol('=')) {
            for _ in 0..3 {
                cursor.next();
            }
        }
        attribute(cursor, &mut syntax)?;
    } else if is_in_braces(cursor) {
        let help = "leave the braces out, or write `#sparse_tensor.encoding<{ .. }>`";
        cursor.report(first, "expected a map and the entries after it, found `{`", help);
        cursor.next();
        entries(cursor, &mut syntax);
        cursor.expect_close('}')?;
    } else {
        foreign(cursor)?;
        entries(cursor, &mut syntax);
    }
    syntax.span = cursor.since(first);
    Ok(syntax)
}

/// Whether the entries are in braces, as in MLIR's whole text: `{ map = .., posWidth = 32 }`.
fn is_in_braces<S: Span>(cursor: &Cursor<'_, S>) -> bool {
    cursor.peek() == Some(&Kind::Open('{'))
        && matches!(cursor.peek_nth(1), Some(Kind::Word(_)))
        && cursor.peek_nth(2) == Some(&Kind::Symbol('='))
        && cursor.group_len() == cursor.rest().len()
}

/// `#sparse_tensor.encoding<{ .. }>`
fn attribute<S: Span>(cursor: &mut Cursor<'_, S>, syntax: &mut EncodingSyntax<S>) -> Parsed<()> {
    cursor.expect(&Kind::Symbol('#'))?;
    if !cursor.is_word("sparse_tensor") {
        let help = "an alias is defined elsewhere: write what it stands for, `#sparse_tensor.encoding<{ .. }>`";
        return Err(cursor.unexpected_with_help("`sparse_tensor`", help));
    }
    cursor.next();
    cursor.expect(&Kind::Symbol('.'))?;
    cursor.expect_word("encoding")?;
    if let Some(Kind::Open(_)) = cursor.peek() {
        let help = "the entries go in both brackets: `#sparse_tensor.encoding<{ .. }>`";
        return Err(cursor.unexpected_with_help("`<`", help));
    }
    cursor.expect(&Kind::Symbol('<'))?;
    cursor.expect(&Kind::Open('{'))?;
    entries(cursor, syntax);
    unless_cut_off(cursor, "the encoding", "}>")?;
    cursor.expect_close('}')?;
    unless_cut_off(cursor, "the encoding", ">")?;
    cursor.expect(&Kind::Symbol('>'))?;
    Ok(())
}

/// Reports a text that ends before its last delimiters, such as an example that was copied without them.
fn unless_cut_off<S: Span>(cursor: &mut Cursor<'_, S>, what: &str, closing: &str) -> Parsed<()> {
    if cursor.peek().is_some() {
        return Ok(());
    }
    let message = format!("{what} lacks its closing `{closing}`");
    cursor.report(cursor.span(), message, format!("write `{closing}` at the end"));
    Err(Stop)
}

/// Entries in any order, separated by commas; a trailing comma is allowed.
fn entries<S: Span>(cursor: &mut Cursor<'_, S>, syntax: &mut EncodingSyntax<S>) {
    while !matches!(cursor.peek(), None | Some(Kind::Close(_))) {
        let read = cursor.part(Cursor::at_separator, |cursor| match cursor.peek() {
            Some(Kind::Word(_)) => entry(cursor, syntax),
            Some(Kind::Open('(' | '[' | '{')) if syntax.map.is_none() => {
                syntax.map = Some(map(cursor)?);
                Ok(())
            }
            _ => {
                let help = "an encoding is a map, `(i, j) -> (i : dense, j : compressed)`, and entries after it, `posWidth = 32`";
                Err(cursor.unexpected_with_help("an entry of the encoding", help))
            }
        });
        syntax.is_complete &= read.is_ok();
        if cursor.take_symbol(',') {
            continue;
        }
        match cursor.peek() {
            // The comma is missing.
            Some(Kind::Word(key)) if KEYS.contains(&key.as_str()) => {
                let help = format!("a comma comes before it: `, {key} = ..`");
                cursor.unexpected_with_help("`,`", &help);
            }
            _ => break,
        }
    }
}

fn entry<S: Span>(cursor: &mut Cursor<'_, S>, syntax: &mut EncodingSyntax<S>) -> Parsed<()> {
    cursor.offer(Offer::Key);
    let Some(Kind::Word(key)) = cursor.peek() else { return Err(cursor.unexpected("a key")) };
    let key_span = cursor.span();
    cursor.next();
    if !KEYS.contains(&key.as_str()) {
        return Err(unknown_key(cursor, key, key_span));
    }
    if !cursor.take_symbol('=') {
        let help = format!("its value follows a `=`: `{key} = ..`");
        let stop = cursor.unexpected_with_help("`=`", &help);
        if !cursor.take_symbol(':') {
            return Err(stop);
        }
    }
    let first = cursor.span();
    // As in MLIR, the last value of a key counts.
    match key.as_str() {
        "map" => {
            syntax.map = Some(map(cursor)?);
        }
        "posWidth" => {
            let bits = width(cursor)?;
            syntax.position_bits = Some((bits, cursor.since(first)));
        }
        "crdWidth" => {
            let bits = width(cursor)?;
            syntax.coordinate_bits = Some((bits, cursor.since(first)));
        }
        "explicitVal" => {
            let value = scalar(cursor)?;
            syntax.explicit = Some((value, cursor.since(first)));
        }
        "implicitVal" => {
            let value = scalar(cursor)?;
            syntax.implicit = Some((value, cursor.since(first)));
        }
        _ => {
            syntax.padded = Some(if cursor.is_word("true") {
                true
            } else if cursor.is_word("false") {
                false
            } else {
                return Err(
                    cursor.unexpected_with_help("`true` or `false`", "write `padded = true`")
                );
            });
            cursor.next();
        }
    }
    Ok(())
}

/// Reports an unknown key, which has been read.
fn unknown_key<S: Span>(cursor: &mut Cursor<'_, S>, key: &str, key_span: S) -> Stop {
    if is_former(key)
        && let Some((map, len)) = former_map(cursor)
    {
        cursor.take_many(len);
        let message = "expected a map, found the formats of the levels and `dimToLvl`";
        cursor.report(cursor.since(key_span), message, format!("write `map = {map}`"));
        return Stop;
    }
    let help = match nearest(key, &KEYS) {
        _ if is_former(key) => match former(cursor) {
            Some(map) => format!("write `map = {map}`"),
            None => "the levels go in a map: `map = (i, j) -> (i : dense, j : compressed)`".into(),
        },
        _ if matches!(key, "dimOrdering" | "order" | "ordering" | "mode_ordering") => {
            "the order of the levels is that of the map: `(i, j) -> (j : dense, i : compressed)`"
                .into()
        }
        _ if let Some(name) = foreign_key(key) => match cursor.peek_nth(1).and_then(bits_of_type) {
            // A wrong width is a separate mistake, which the help also corrects.
            Some(bits) => {
                cursor.take_many(2);
                format!("write `{name} = {bits}`")
            }
            None => format!("write `{name}`"),
        },
        Some(name) => format!("did you mean `{name}`?"),
        None => {
            "the keys are `map`, `posWidth`, `crdWidth`, `explicitVal`, `implicitVal` and `padded`"
                .into()
        }
    };
    let mut span = cursor.since(key_span);
    if is_former(key) {
        cursor.skip_to(Cursor::at_separator);
        span = cursor.since(key_span);
    }
    cursor.report(span, format!("unknown key `{key}`"), help);
    Stop
}

/// Whether a key of MLIR's former notation lists the formats of the levels.
fn is_former(key: &str) -> bool {
    matches!(key, "dimLevelType" | "lvlTypes" | "lvl_types" | "levelTypes")
}

/// The equivalent of a key of MLIR's former notation or of another library.
fn foreign_key(key: &str) -> Option<&'static str> {
    match key.to_ascii_lowercase().replace('_', "").as_str() {
        "pointerbitwidth" | "pointerwidth" | "positionwidth" | "poswidth" | "ptrwidth"
        | "indptrdtype" | "pos" | "postype" | "indptr" | "crowindices" => Some("posWidth"),
        "indexbitwidth" | "indexwidth" | "coordinatewidth" | "crdwidth" | "idxwidth"
        | "indexdtype" | "indicesdtype" | "crd" | "crdtype" | "indices" | "colindices" => {
            Some("crdWidth")
        }
        "fillvalue" => Some("implicitVal"),
        _ => None,
    }
}

/// The bits of `u32`, `i32` and `"32"`.
fn bits_of_type(kind: &Kind) -> Option<&str> {
    let (Kind::Word(text) | Kind::Text(text)) = kind else { return None };
    let bits =
        text.trim_start_matches("int").trim_start_matches("uint").trim_start_matches(['u', 'i']);
    ["8", "16", "32", "64"].contains(&bits).then_some(bits)
}

/// A number of bits, with or without a type.
fn width<S: Span>(cursor: &mut Cursor<'_, S>) -> Parsed<i128> {
    if let Some(bits) = cursor.peek().and_then(bits_of_type) {
        return Err(cursor.unexpected_with_help("a number of bits", &format!("write `{bits}`")));
    }
    if !matches!(cursor.peek(), Some(Kind::Number(_) | Kind::Other(_) | Kind::Symbol('-'))) {
        let help = "the widths are 8, 16, 32 and 64, and 0 for that of a pointer";
        return Err(cursor.unexpected_with_help("a number of bits", help));
    }
    let bits = integer(cursor, "a number of bits")?;
    if cursor.take_symbol(':') {
        super::number::scalar_type(cursor)?;
    }
    Ok(bits)
}
