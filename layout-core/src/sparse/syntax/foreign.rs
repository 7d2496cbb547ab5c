//! Sparse formats under the names and in the notations of other libraries, recognized so that the help is the notation to write.

use crate::sparse::LevelFormat;
use crate::syntax::{Cursor, Kind, Parsed, Span, Stop, Token};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// Names of formats, and their maps. The formats of SciPy are listed without `_matrix` and `_array`.
const NAMES: [(&str, &str); 11] = [
    ("csr", "(i, j) -> (i : dense, j : compressed)"),
    ("csc", "(i, j) -> (j : dense, i : compressed)"),
    ("coo", "(i, j) -> (i : compressed(nonunique), j : singleton)"),
    ("dcsr", "(i, j) -> (i : compressed, j : compressed)"),
    ("dcsc", "(i, j) -> (j : compressed, i : compressed)"),
    (
        "bsr",
        "(i, j) -> (i floordiv 2 : dense, j floordiv 2 : compressed, i mod 2 : dense, j mod 2 : dense)",
    ),
    (
        "bcsr",
        "(i, j) -> (i floordiv 2 : dense, j floordiv 2 : compressed, i mod 2 : dense, j mod 2 : dense)",
    ),
    ("csf", "(i, j, k) -> (i : compressed, j : compressed, k : compressed)"),
    ("dia", "(i, j) -> (j - i : compressed, i : range)"),
    ("ell", "[c](i, j) -> (c * 3 * i : dense, i : dense, j : compressed)"),
    ("sparsevector", "(i) -> (i : compressed)"),
];

/// Names of dense layouts, which are the layouts of Kokkos and the orders of arrays elsewhere, and their maps.
const DENSE: [(&str, &str); 6] = [
    ("dense", "(i, j) -> (i : dense, j : dense)"),
    ("rowmajor", "(i, j) -> (i : dense, j : dense)"),
    ("layoutright", "(i, j) -> (i : dense, j : dense)"),
    ("colmajor", "(i, j) -> (j : dense, i : dense)"),
    ("columnmajor", "(i, j) -> (j : dense, i : dense)"),
    ("layoutleft", "(i, j) -> (j : dense, i : dense)"),
];

/// Reports an encoding in the notation of another library.
pub(super) fn foreign<S: Span>(cursor: &mut Cursor<'_, S>) -> Parsed<()> {
    let span = cursor.span();
    match (cursor.peek(), cursor.peek_nth(1), cursor.peek_nth(2)) {
        (Some(Kind::Text(text)), ..) => {
            let help = match by_name(text) {
                Some(map) => format!("write `{map}`"),
                None if text.len() < 400 => format!("write it without quotes: `{}`", text.trim()),
                None => "write it without quotes".to_string(),
            };
            cursor.report(span, "expected an encoding, found a string", help);
            Err(Stop)
        }
        (Some(Kind::Word(dialect)), Some(Kind::Symbol('.')), Some(Kind::Word(word)))
            if dialect == "sparse_tensor" && word == "encoding" =>
        {
            let help = "a `#` comes before it: `#sparse_tensor.encoding<{ .. }>`";
            Err(cursor.unexpected_with_help("an encoding", help))
        }
        _ => match translated(cursor) {
            Some((message, help)) => {
                let span = cursor.take_many(cursor.rest().len()).unwrap_or(span);
                cursor.report(span, message, help);
                Err(Stop)
            }
            None => Ok(()),
        },
    }
}

/// The error about all tokens, and the help, if another library writes an encoding so.
fn translated<S: Span>(cursor: &Cursor<'_, S>) -> Option<(String, String)> {
    let write = |map: &str| format!("write `{map}`");
    let name = "expected an encoding, found the name of a format";
    let taco = "expected an encoding as MLIR writes it, found a format of TACO";
    let rest = cursor.rest();
    let (message, help) = match (cursor.peek()?, cursor.peek_nth(1)) {
        (Kind::Word(word), Some(Kind::Symbol('='))) if word == "layout" || word == "format" => {
            (name, write(last_name(rest)?))
        }
        (_, Some(Kind::Symbol('='))) => return None,
        (Kind::Word(word), Some(Kind::Open('('))) if word == "Format" => {
            let map = level_types(&mut Cursor::new(&rest[1..], cursor.end()));
            let each = "write one level for each mode: `(i, j) -> (i : dense, j : compressed)`";
            (taco, map.map_or_else(|| each.into(), |map| write(&map)))
        }
        // `scipy.sparse.csr_matrix`
        (Kind::Word(_), Some(Kind::Symbol('.'))) => {
            (name, write(&with_blocks(last_name(rest)?, rest)))
        }
        (Kind::Word(_), Some(Kind::Open('('))) if let Some(map) = fiber(rest) => {
            ("expected an encoding as MLIR writes it, found a format of Finch", write(&map))
        }
        // `[c](i, j) -> ..` has symbols in its brackets.
        (Kind::Open('['), _)
            if cursor.peek_nth(cursor.group_len()) == Some(&Kind::Symbol('-'))
                && let Some(map) = map_in_brackets(rest) =>
        {
            ("dimensions and levels go in parentheses", write(&map))
        }
        (Kind::Open('{' | '['), _) if matches!(rest.last()?.kind, Kind::Close('}' | ']')) => {
            (taco, write(&level_types(&mut Cursor::new(rest, cursor.end()))?))
        }
        (Kind::Word(word), Some(Kind::Symbol(',' | '-'))) if by_name(word).is_none() => {
            let help =
                "dimensions and levels go in parentheses: `(i, j) -> (i : dense, j : compressed)`";
            return Some((format!("expected `(`, found `{word}`"), help.into()));
        }
        (Kind::Word(_), Some(Kind::Symbol(':'))) if let Some(map) = levels_alone(rest) => {
            ("expected a map, found only its levels", write(&map))
        }
        (Kind::Word(word), Some(Kind::Symbol('<'))) if word == "affine_map" => (
            "expected an encoding, found an `affine_map`",
            "write the map without it, and a format for each level: `(i, j) -> (i : dense, j : compressed)`".into(),
        ),
        (Kind::Word(word), next) => {
            let help = match (by_name(word), next) {
                (Some(map), _) => write(&with_blocks(map, rest)),
                (None, None) => "write its levels: `(i, j) -> (i : dense, j : compressed)`".into(),
                (None, Some(_)) => return None,
            };
            return Some((format!("expected an encoding, found the name `{word}`"), help));
        }
        _ => return None,
    };
    Some((message.into(), help))
}

/// The map of the last word that is the name of a format.
fn last_name<S>(tokens: &[Token<S>]) -> Option<&'static str> {
    let names = tokens.iter().filter_map(|token| match &token.kind {
        Kind::Word(word) | Kind::Text(word) => by_name(word),
        _ => None,
    });
    names.last()
}

/// The map to write for `dimLevelType = ["dense", "compressed"]`, of MLIR's former notation; `None` if it cannot be determined.
pub(super) fn former<S: Span>(cursor: &Cursor<'_, S>) -> Option<String> {
    level_types(&mut Cursor::new(cursor.rest(), cursor.end()))
}

/// The map to write for `lvlTypes = ["dense", "compressed"], dimToLvl = affine_map<(i, j) -> (j, i)>`, and the number of tokens
/// of both, the first of which is the `=` after `lvlTypes`.
pub(super) fn former_map<S: Span>(cursor: &Cursor<'_, S>) -> Option<(String, usize)> {
    let mut ahead = Cursor::new(cursor.rest(), cursor.end());
    ahead.take_symbol('=');
    let formats = formats(&mut ahead)?.0;
    ahead.take_symbol(',');
    if !["dimToLvl", "dimOrdering"].iter().any(|key| ahead.is_word(key)) {
        return None;
    }
    ahead.next();
    if !ahead.take_symbol('=') || !ahead.is_word("affine_map") {
        return None;
    }
    ahead.take_many(2);
    let group = |ahead: &mut Cursor<'_, S>| {
        let tokens = &ahead.rest()[..ahead.group_len()];
        ahead.skip_group();
        let inner = tokens.get(1..tokens.len().checked_sub(1)?)?;
        let items = inner.split(|token| token.kind == Kind::Symbol(','));
        items.map(|item| crate::syntax::written(item)).collect::<Option<Vec<_>>>()
    };
    let dims = group(&mut ahead)?;
    if !(ahead.take_symbol('-') && ahead.take_symbol('>')) {
        return None;
    }
    let exprs = group(&mut ahead)?;
    ahead.take_symbol('>');
    let levels = exprs.iter().zip(&formats).map(|(expr, format)| format!("{expr} : {format}"));
    let map = format!("({}) -> ({})", dims.join(", "), levels.collect::<Vec<_>>().join(", "));
    (exprs.len() == formats.len()).then_some((map, ahead.taken()))
}

/// The map of `Dense(SparseList(Element(0.0)))`, of Finch, whose outermost level is the last dimension.
fn fiber<S>(tokens: &[Token<S>]) -> Option<String> {
    let mut formats = Vec::new();
    for nested in tokens.chunks(2) {
        let [Token { kind: Kind::Word(level), .. }, Token { kind: Kind::Open('('), .. }] = nested
        else {
            return None;
        };
        formats.push(match level.as_str() {
            "Dense" => "dense",
            "Sparse" | "SparseList" | "SparseDict" | "SparseHash" | "SparseByteMap" => "compressed",
            "Element" | "Pattern" => break,
            _ => return None,
        });
    }
    let names = DIMS.get(..formats.len()).filter(|names| !names.is_empty())?;
    let levels = names.iter().rev().zip(formats).map(|(name, format)| format!("{name} : {format}"));
    Some(format!("({}) -> ({})", names.join(", "), levels.collect::<Vec<_>>().join(", ")))
}

/// The names of the dimensions in maps that are proposed.
const DIMS: [&str; 6] = ["i", "j", "k", "l", "m", "n"];

/// The map of `[i, j] -> [i : dense, j : compressed]`.
fn map_in_brackets<S>(tokens: &[Token<S>]) -> Option<String> {
    let (mut text, mut after_word) = (String::new(), false);
    for token in tokens {
        let is_word = matches!(token.kind, Kind::Word(_) | Kind::Number(_));
        if after_word && is_word {
            text.push(' ');
        }
        match &token.kind {
            Kind::Word(word) | Kind::Number(word) => text.push_str(word),
            Kind::Open(_) => text.push('('),
            Kind::Close(_) => text.push(')'),
            Kind::Symbol(',') => text.push_str(", "),
            Kind::Symbol(':') => text.push_str(" : "),
            Kind::Symbol('-') => text.push_str(" -"),
            Kind::Symbol('>') => text.push_str("> "),
            _ => return None,
        }
        after_word = is_word;
    }
    let (dims, levels) = text.split_once(" -> ")?;
    (dims.starts_with('(') && levels.starts_with('(') && levels.ends_with(')')).then_some(text)
}

/// The map of `i : dense, j : compressed`.
fn levels_alone<S>(tokens: &[Token<S>]) -> Option<String> {
    let (mut dims, mut levels) = (Vec::new(), Vec::new());
    for level in tokens.split(|token| token.kind == Kind::Symbol(',')) {
        let [dim, colon, format] = level else { return None };
        let (Kind::Word(dim), Kind::Symbol(':'), Kind::Word(format)) =
            (&dim.kind, &colon.kind, &format.kind)
        else {
            return None;
        };
        if !LevelFormat::NAMES.contains(&format.as_str()) || dims.contains(&dim.as_str()) {
            return None;
        }
        dims.push(dim.as_str());
        levels.push(format!("{dim} : {format}"));
    }
    Some(format!("({}) -> ({})", dims.join(", "), levels.join(", ")))
}

/// The type that an encoding with this name in another library probably is: `Csr` for `csr_matrix`.
pub(super) fn encoding_named(name: &str) -> Option<String> {
    let map = by_name(name)?;
    let (known, _) = NAMES.iter().find(|(_, known)| *known == map)?;
    Some(known[..1].to_ascii_uppercase() + &known[1..])
}

fn by_name(name: &str) -> Option<&'static str> {
    let lower = name.to_ascii_lowercase().replace('_', "");
    // `CUSPARSE_FORMAT_CSR`, `cusparseCreateBsr`
    let lower = ["cusparseformat", "cusparsecreate", "graphblas", "gxb", "scipysparse"]
        .iter()
        .find_map(|prefix| lower.strip_prefix(prefix))
        .unwrap_or(&lower);
    // PyTorch's `sparse_csr`.
    let lower = lower.strip_prefix("sparse").filter(|name| *name != "vector").unwrap_or(lower);
    let short = ["matrix", "array", "tensor"].iter().find_map(|suffix| lower.strip_suffix(suffix));
    let short = short.unwrap_or(lower);
    NAMES.iter().chain(&DENSE).find(|(known, _)| *known == short).map(|(_, map)| *map)
}

/// A map with blocks of the sizes after its name: `bsr_matrix(blocksize=(4, 8))`.
fn with_blocks<S>(map: &str, tokens: &[Token<S>]) -> String {
    let sizes = tokens.iter().filter_map(|token| match &token.kind {
        Kind::Number(size) => Some(size),
        _ => None,
    });
    match sizes.collect::<Vec<_>>()[..] {
        [rows, columns] => {
            let map = map.replace("i floordiv 2", &format!("i floordiv {rows}"));
            let map = map.replace("i mod 2", &format!("i mod {rows}"));
            let map = map.replace("j floordiv 2", &format!("j floordiv {columns}"));
            map.replace("j mod 2", &format!("j mod {columns}"))
        }
        _ => map.to_string(),
    }
}

/// The map of levels whose formats are listed in any kind of brackets, with or without quotes.
fn level_types<S: Span>(cursor: &mut Cursor<'_, S>) -> Option<String> {
    let (formats, mut order) = formats(cursor)?;
    let names = DIMS.get(..formats.len()).filter(|names| !names.is_empty())?;
    if order.is_empty() {
        order.extend(0..names.len());
    }
    let is_order = order.len() == names.len() && (0..names.len()).all(|mode| order.contains(&mode));
    let levels = order
        .iter()
        .zip(&formats)
        .filter_map(|(mode, format)| Some(format!("{} : {format}", names.get(*mode)?)));
    let levels: Vec<_> = levels.collect();
    is_order.then(|| format!("({}) -> ({})", names.join(", "), levels.join(", ")))
}

/// The formats of such levels, and their modes in order, if these are listed.
fn formats<S: Span>(cursor: &mut Cursor<'_, S>) -> Option<(Vec<&'static str>, Vec<usize>)> {
    let (mut formats, mut order) = (Vec::new(), Vec::new());
    let mut depth = 0usize;
    loop {
        let word = match cursor.next().map(|token| &token.kind)? {
            Kind::Open(_) => {
                depth += 1;
                continue;
            }
            // `{Dense, Sparse}, {1, 0}`
            Kind::Close(_)
                if depth == 1
                    && cursor.peek() == Some(&Kind::Symbol(','))
                    && matches!(cursor.peek_nth(1), Some(Kind::Open(_))) =>
            {
                depth = 0;
                continue;
            }
            Kind::Close(_) if depth <= 1 => break,
            Kind::Close(_) => {
                depth -= 1;
                continue;
            }
            Kind::Word(word) | Kind::Text(word) => word,
            // The numbers in `Format({Dense, Sparse}, {1, 0})` are the modes in the order of the levels.
            Kind::Number(mode) => {
                order.push(mode.parse::<usize>().ok()?);
                continue;
            }
            _ => continue,
        };
        formats.push(match word.to_ascii_lowercase().replace(['_', '-'], "").as_str() {
            "dense" => "dense",
            "sparse" | "compressed" => "compressed",
            "compressednu" => "compressed(nonunique)",
            "singleton" => "singleton",
            // The first word of a path: `taco.dense` or `ModeFormat::Dense`.
            "taco" | "modeformat" => continue,
            _ => return None,
        });
    }
    Some((formats, order))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sparse::SparseEncoding;

    #[test]
    fn the_maps_that_are_proposed_are_encodings() {
        for (name, map) in NAMES.into_iter().chain(DENSE) {
            let read = map.parse::<SparseEncoding>();
            assert!(read.is_ok(), "{name}: {map}: {}", read.unwrap_err());
        }
        assert_eq!(by_name("csr_matrix"), by_name("CSR"));
        assert_eq!(by_name("Csf"), Some(NAMES[7].1));
        assert_eq!(by_name("lil_matrix"), None);
    }

    #[test]
    fn what_others_write_is_translated() {
        for (text, help) in [
            ("CSR", "write `(i, j) -> (i : dense, j : compressed)`"),
            ("\"csc\"", "write `(i, j) -> (j : dense, i : compressed)`"),
            ("Format({Dense, Sparse})", "write `(i, j) -> (i : dense, j : compressed)`"),
            ("Format({Dense, Sparse}, {1, 0})", "write `(i, j) -> (j : dense, i : compressed)`"),
            ("LayoutLeft", "write `(i, j) -> (j : dense, i : dense)`"),
            ("(i, j) -> (i = Sparse, j : dense)", "write `i : compressed`"),
            ("torch.sparse_csr", "write `(i, j) -> (i : dense, j : compressed)`"),
            (
                "bsr_matrix(blocksize=(4, 8))",
                "write `(i, j) -> (i floordiv 4 : dense, j floordiv 8 : compressed, i mod 4 : dense, j mod 8 : dense)`",
            ),
            (
                "affine_map<(i, j) -> (i, j)>",
                "write the map without it, and a format for each level: `(i, j) -> (i : dense, j : compressed)`",
            ),
            ("(i, j) -> (i : dense, j : compressed), pos = i32", "write `posWidth = 32`"),
            (
                "lvlTypes = [ \"dense\", \"compressed\" ]",
                "write `map = (i, j) -> (i : dense, j : compressed)`",
            ),
            ("(i, j) -> (i : dense j : compressed)", "separate the items by commas"),
            (
                "(i, j) -> (i : dense, j : hashed)",
                "write `compressed`, which stores the coordinates of the entries",
            ),
            ("{Dense, Compressed}", "write `(i, j) -> (i : dense, j : compressed)`"),
            ("{Dense, Sparse}, {1, 0}", "write `(i, j) -> (j : dense, i : compressed)`"),
            ("Dense(SparseList(Element(0.0)))", "write `(i, j) -> (j : dense, i : compressed)`"),
            (
                "lvlTypes = [\"dense\", \"compressed\"], dimToLvl = affine_map<(i,j) -> (j,i)>",
                "write `map = (i, j) -> (j : dense, i : compressed)`",
            ),
            ("(i, j) -> (i : compressed(non-unique), j : singleton)", "did you mean `nonunique`?"),
            ("(i, j) -> (i : dense, j)", "a format follows it: `j : compressed`"),
            ("scipy.sparse.csr_matrix", "write `(i, j) -> (i : dense, j : compressed)`"),
            ("lil", "write its levels: `(i, j) -> (i : dense, j : compressed)`"),
            (
                "i, j -> i : dense, j : compressed",
                "dimensions and levels go in parentheses: `(i, j) -> (i : dense, j : compressed)`",
            ),
            ("(i, j) -> (dense(i), j : compressed)", "write `i : dense`"),
            ("i : dense, j : compressed", "write `(i, j) -> (i : dense, j : compressed)`"),
            (
                "(i, j) -> (i : compressed<nonunique>, j : singleton)",
                "properties go in parentheses: `compressed(nonunique)`",
            ),
            (
                "(i, j) -> (i : compressed-nu-no, j : singleton)",
                "properties go in parentheses: `compressed(nonunique, nonordered)`",
            ),
            ("(i, j) -> (i : compressed(non_unique), j : singleton)", "did you mean `nonunique`?"),
            (
                "(i, j) -> (i : compressed(nonunique), j : singleton(soa, ))",
                "leave the last `,` out",
            ),
            (
                "{ map = (i, j) -> (i : dense, j : compressed), posWidth = 32 }",
                "leave the braces out, or write `#sparse_tensor.encoding<{ .. }>`",
            ),
            (
                "(i, j) -> (floor(i / 2) : dense, j : compressed)",
                "`i floordiv 2` and `i mod 2` are the parts of `i` for blocks of 2",
            ),
            (
                "(i, j) -> (i : dense, j : block[2,4])",
                "write `structured[2, 4]`, or blocks as separate levels: `i floordiv 2 : dense`, .., `i mod 2 : dense`",
            ),
            (
                "(i : 4, j) -> (i : dense, j : compressed)",
                "leave the size out: the sizes are those of each tensor",
            ),
            ("(i, j) -> (i : dense, j : compressed), posWidth = u32", "write `32`"),
            ("(i, j) -> (i : dense, j : compressed), posWidth = \"32\"", "write `32`"),
            ("(i, j) -> (i : dense, j : compressed), index_dtype = 32", "write `crdWidth`"),
            (
                "(i, j) -> (i : dense, j : compressed) posWidth = 32",
                "a comma comes before it: `, posWidth = ..`",
            ),
            (
                "dimLevelType = [ \"dense\", \"compressed\" ]",
                "write `map = (i, j) -> (i : dense, j : compressed)`",
            ),
        ] {
            let error = text.parse::<SparseEncoding>().unwrap_err();
            assert_eq!(error.mistakes().len(), 1, "{error}");
            assert_eq!(error.mistakes()[0].help, help);
        }
    }
}
