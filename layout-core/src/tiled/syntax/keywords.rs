//! Arrays and layouts as lists of keywords, as calls of Python and protos have them: recognized so that the help is the
//! translation.

use crate::syntax::{Kind, Token, known_element_type, written};
use crate::tiled::TpuMemory;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// A keyword with the tokens of its value.
type Keyword<'t, S> = (&'t str, &'t [Token<S>]);

/// The keywords of a list such as `dtype=bf16, shape=[16,128]`; `None` if it contains anything else.
fn keywords<S>(tokens: &[Token<S>]) -> Option<Vec<Keyword<'_, S>>> {
    let (mut found, mut depth, mut start) = (Vec::new(), 0_usize, 0);
    for at in 0..=tokens.len() {
        match tokens.get(at).map(|token| &token.kind) {
            Some(Kind::Open(_)) => depth += 1,
            Some(Kind::Close(_)) => depth = depth.checked_sub(1)?,
            None | Some(Kind::Symbol(',' | ';')) if depth == 0 => {
                if start == at && tokens.get(at).is_none() {
                    break;
                }
                let [name, equals, value @ ..] = &tokens[start..at] else { return None };
                let (Kind::Word(name), Kind::Symbol('=' | ':')) = (&name.kind, &equals.kind) else {
                    return None;
                };
                found.push((name.as_str(), value));
                start = at + 1;
            }
            _ => {}
        }
    }
    (!found.is_empty()).then_some(found)
}

/// The numbers and names in a list of sizes or dimensions, in any brackets.
fn entries<S>(value: &[Token<S>]) -> Option<Vec<String>> {
    let mut found = Vec::new();
    for token in value {
        match &token.kind {
            Kind::Word(entry) | Kind::Number(entry) => found.push(entry.clone()),
            Kind::Open('[' | '(' | '{') | Kind::Close(_) | Kind::Symbol(',') => {}
            _ => return None,
        }
    }
    Some(found)
}

/// The translation of `dtype=bf16, shape=[16,128], layout={1,0}`; `None` if it is not such a list, or if a keyword is unknown.
pub(super) fn array<S>(tokens: &[Token<S>]) -> Option<String> {
    let (mut dtype, mut sizes, mut layout) = (None, None, String::new());
    for (name, value) in keywords(tokens)? {
        match name {
            "dtype" | "type" | "element_type" => {
                dtype = match &value.last()?.kind {
                    Kind::Word(word) | Kind::Text(word) => known_element_type(word),
                    _ => None,
                };
            }
            "shape" | "size" | "sizes" | "dims" | "dimensions" => sizes = entries(value),
            "layout" => layout = of_braces(value).or_else(|| written(value))?,
            _ => return None,
        }
    }
    let known = layout.is_empty() || layout.starts_with('{');
    known.then_some(format!("{}[{}]{layout}", dtype?, sizes?.join(",")))
}

/// The translation of `{minor_to_major=[1,0], tiles=[(8,128),(2,1)]}`, the whole group; `None` if it is not such a group, or if a
/// keyword is unknown.
pub(super) fn of_braces<S>(group: &[Token<S>]) -> Option<String> {
    let [open, inner @ .., close] = group else { return None };
    if open.kind != Kind::Open('{') || close.kind != Kind::Close('}') {
        return None;
    }
    of_keywords(keywords(inner)?)
}

/// The translation of `order=[1,0], tile=(8,128)`, which may follow a comma; `None` if it is not a list of keywords, or if one is
/// unknown.
pub(super) fn of_list<S>(tokens: &[Token<S>]) -> Option<String> {
    let comma = tokens.first().is_some_and(|token| token.kind == Kind::Symbol(','));
    of_keywords(keywords(&tokens[usize::from(comma)..])?)
}

/// The layout that these keywords describe.
fn of_keywords<S>(keywords: Vec<Keyword<'_, S>>) -> Option<String> {
    let (mut order, mut tiles, mut space) = (None, String::new(), String::new());
    for (name, value) in keywords {
        match name {
            // Triton's `order` starts with the dimension of stride 1; that of NumPy is a letter.
            "minor_to_major" | "layout" | "order" => {
                order =
                    entries(value).filter(|dims| dims.iter().all(|dim| dim.parse::<u8>().is_ok()));
            }
            "major_to_minor" | "dim_order" => {
                order = entries(value).map(|dims| dims.into_iter().rev().collect());
            }
            "tiles" | "tiling" | "tile" | "tile_shape" | "T" => tiles = self::tiles(value)?,
            "memory_space" | "memory" | "space" => {
                let number = match &value.last()?.kind {
                    Kind::Number(number) => number.clone(),
                    Kind::Word(name) | Kind::Text(name) => {
                        TpuMemory::from_name(name)?.space()?.to_string()
                    }
                    _ => return None,
                };
                // The default memory is not written.
                space = if number == "0" { String::new() } else { format!("S({number})") };
            }
            _ => return None,
        }
    }
    let colon = if tiles.is_empty() && space.is_empty() { "" } else { ":" };
    Some(format!("{{{}{colon}{tiles}{space}}}", order?.join(",")))
}

/// `T(8,128)(2,1)` for the tiles `[(8,128),(2,1)]` or `(8,128)`: the sizes in each innermost pair of brackets.
fn tiles<S>(value: &[Token<S>]) -> Option<String> {
    let (mut tiles, mut sizes) = (String::from("T"), Vec::new());
    for token in value {
        match &token.kind {
            Kind::Number(size) => sizes.push(size.as_str()),
            Kind::Symbol('*') => sizes.push("*"),
            Kind::Open(_) => sizes.clear(),
            Kind::Close(_) if !sizes.is_empty() => {
                tiles += &format!("({})", sizes.join(","));
                sizes.clear();
            }
            Kind::Close(_) | Kind::Symbol(',') => {}
            _ => return None,
        }
    }
    (tiles.len() > 1).then_some(tiles)
}
