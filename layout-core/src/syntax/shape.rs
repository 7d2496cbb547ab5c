use super::array::{ArraySyntax, array};
use super::cursor::{Cursor, Kind, Parsed};
use alloc::vec::Vec;

/// How deep tuples may be nested.
pub(super) const MAX_DEPTH: usize = 256;

/// A shape as written.
#[derive(Clone, Debug)]
pub enum ShapeSyntax<S> {
    /// One array.
    Array(ArraySyntax<S>),
    /// `(f32[3], s32[])`
    Tuple(Vec<Self>),
    /// `b(f32[3])`
    Buffer(ArraySyntax<S>),
    /// `token[]`
    Token,
    /// `opaque[]`
    Opaque,
}

/// Reads one shape. `None` where reading could not go on; then, and where something was wrong that did not stop it,
/// the cursor has the diagnostics.
pub fn parse_shape<S: Copy>(cursor: &mut Cursor<'_, S>) -> Option<ShapeSyntax<S>> {
    shape(cursor, 0).ok()
}

pub(super) fn shape<S: Copy>(cursor: &mut Cursor<'_, S>, depth: usize) -> Parsed<ShapeSyntax<S>> {
    if depth > MAX_DEPTH {
        cursor.report(
            cursor.span(),
            alloc::format!("shapes are nested deeper than {MAX_DEPTH}"),
            "",
        );
        return Err(super::cursor::Stop);
    }
    match cursor.peek() {
        Some(Kind::Open('(')) => {
            cursor.next();
            tuple(cursor, depth).map(ShapeSyntax::Tuple)
        }
        Some(Kind::Word(word)) if word == "b" && cursor.peek_nth(1) == Some(&Kind::Open('(')) => {
            cursor.next();
            cursor.next();
            let buffer = array(cursor, depth)?;
            cursor.expect(&Kind::Close(')'))?;
            Ok(ShapeSyntax::Buffer(buffer))
        }
        Some(Kind::Word(word)) if word == "token" => empty(cursor, ShapeSyntax::Token),
        Some(Kind::Word(word)) if word == "opaque" => empty(cursor, ShapeSyntax::Opaque),
        _ => array(cursor, depth).map(ShapeSyntax::Array),
    }
}

fn tuple<S: Copy>(cursor: &mut Cursor<'_, S>, depth: usize) -> Parsed<Vec<ShapeSyntax<S>>> {
    let mut shapes = Vec::new();
    if cursor.take(&Kind::Close(')')).is_some() {
        return Ok(shapes);
    }
    loop {
        shapes.push(shape(cursor, depth + 1)?);
        if !cursor.take_symbol(',') {
            cursor.expect_close(')')?;
            return Ok(shapes);
        }
    }
}

/// `token[]` and `opaque[]`, which have no dimensions.
fn empty<S: Copy>(cursor: &mut Cursor<'_, S>, shape: ShapeSyntax<S>) -> Parsed<ShapeSyntax<S>> {
    let name = cursor.next().map(|token| &token.kind);
    cursor.expect(&Kind::Open('['))?;
    if let (Some(name), Some(_)) = (name, cursor.peek().filter(|kind| **kind != Kind::Close(']'))) {
        cursor.report(cursor.span(), alloc::format!("{name} has no dimensions"), "");
        return Err(super::cursor::Stop);
    }
    cursor.expect(&Kind::Close(']'))?;
    Ok(shape)
}
