use super::array::{ARRAY, ArraySyntax, array};
use super::foreign::foreign;
use crate::syntax::{Cursor, Kind, Parsed, Span, Stop, list};
use alloc::vec::Vec;

/// How deep tuples may be nested: reading, printing and dropping recurse, however small the stack is.
const MAX_DEPTH: usize = 64;

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

impl<S> ShapeSyntax<S> {
    /// The shape if it is an array.
    ///
    /// # Errors
    /// A message that names any other kind of shape, and what to write instead.
    pub fn array(self) -> Result<ArraySyntax<S>, (&'static str, &'static str)> {
        match self {
            Self::Array(array) => Ok(array),
            Self::Tuple(parts) if parts.len() == 1 => {
                Err(("expected an array, found a tuple of one array", "leave the parentheses out"))
            }
            Self::Tuple(_) => Err((
                "expected an array, found a tuple",
                "take its arrays one by one, or read it at run time as a `Shape`",
            )),
            Self::Buffer(_) => {
                Err(("expected an array, found a buffer", "write the array without `b(..)`"))
            }
            Self::Token => Err(("expected an array, found a token", "a token has no elements")),
            Self::Opaque => {
                Err(("expected an array, found an opaque value", "its elements are not known"))
            }
        }
    }
}

/// Reads one shape; `None` if reading could not continue. The diagnostics of the cursor contain all mistakes, including those that
/// did not stop it.
pub fn parse_shape<S: Span>(cursor: &mut Cursor<'_, S>) -> Option<ShapeSyntax<S>> {
    cursor.reads(ARRAY);
    shape(cursor, 0).ok()
}

fn shape<S: Span>(cursor: &mut Cursor<'_, S>, depth: usize) -> Parsed<ShapeSyntax<S>> {
    if depth > MAX_DEPTH {
        cursor.report(
            cursor.span(),
            alloc::format!("shapes are nested deeper than {MAX_DEPTH}"),
            "",
        );
        return Err(Stop);
    }
    match cursor.peek() {
        Some(Kind::Open('(')) => {
            foreign(cursor)?;
            cursor.next();
            tuple(cursor, depth).map(ShapeSyntax::Tuple)
        }
        Some(Kind::Word(word)) if word == "b" && cursor.peek_nth(1) == Some(&Kind::Open('(')) => {
            cursor.next();
            cursor.next();
            buffer(cursor).map(ShapeSyntax::Buffer)
        }
        Some(Kind::Word(word)) if word == "token" => empty(cursor, ShapeSyntax::Token),
        Some(Kind::Word(word)) if word == "opaque" => empty(cursor, ShapeSyntax::Opaque),
        _ => array(cursor).map(ShapeSyntax::Array),
    }
}

fn tuple<S: Span>(cursor: &mut Cursor<'_, S>, depth: usize) -> Parsed<Vec<ShapeSyntax<S>>> {
    list(cursor, ')', |cursor| shape(cursor, depth + 1))
}

fn buffer<S: Span>(cursor: &mut Cursor<'_, S>) -> Parsed<ArraySyntax<S>> {
    let one = |cursor: &mut Cursor<'_, S>, found| {
        let message = alloc::format!("a buffer holds one array, found {found}");
        cursor.report(cursor.span(), message, "several arrays are a tuple: `(f32[3], s32[])`");
        Stop
    };
    if cursor.peek() == Some(&Kind::Close(')')) {
        return Err(one(cursor, "none"));
    }
    let array = array(cursor)?;
    if cursor.peek() == Some(&Kind::Symbol(',')) {
        return Err(one(cursor, "several"));
    }
    cursor.expect(&Kind::Close(')'))?;
    Ok(array)
}

/// `token[]` and `opaque[]`, which have no dimensions.
fn empty<S: Span>(cursor: &mut Cursor<'_, S>, shape: ShapeSyntax<S>) -> Parsed<ShapeSyntax<S>> {
    let name = cursor.next().map(|token| &token.kind);
    cursor.expect(&Kind::Open('['))?;
    if let (Some(name), Some(_)) = (name, cursor.peek().filter(|kind| **kind != Kind::Close(']'))) {
        cursor.report(
            cursor.span(),
            alloc::format!("{name} has no dimensions"),
            "leave the brackets empty",
        );
        return Err(Stop);
    }
    cursor.expect(&Kind::Close(']'))?;
    Ok(shape)
}
