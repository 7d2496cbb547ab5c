//! Types.

use super::Failure;
use super::scan::{Scanner, Token};
use super::tree::Type;
use crate::dtype::DType;
use alloc::format;
use alloc::vec::Vec;

/// The largest depth to which types of functions can be nested.
const MAX_DEPTH: usize = 64;

/// The contents of the angle brackets of a tensor: its sizes, with 0 for `?`, whether all are known, and its element type.
fn tensor(inside: &str) -> (Option<Vec<usize>>, bool, Option<DType>) {
    let (mut rest, mut dims, mut known) = (inside.trim(), Some(Vec::new()), true);
    if rest.starts_with('*') {
        return (None, false, None);
    }
    loop {
        let size = rest.find('x').map(|end| (rest[..end].trim(), end));
        match size {
            Some(("?", end)) => {
                dims.iter_mut().for_each(|dims| dims.push(0));
                known = false;
                rest = &rest[end + 1..];
            }
            Some((number, end))
                if !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()) =>
            {
                dims = dims.zip(number.parse().ok()).map(|(mut dims, size): (Vec<_>, usize)| {
                    dims.push(size);
                    dims
                });
                rest = &rest[end + 1..];
            }
            _ => break,
        }
    }
    // An encoding follows the element type.
    let mut depth = 0_usize;
    let end = rest.find(|c| {
        depth = match c {
            '<' => depth + 1,
            '>' => depth.saturating_sub(1),
            _ => depth,
        };
        c == ',' && depth == 0
    });
    let (elements, encoding) = rest.split_at(end.unwrap_or(rest.len()));
    // The sizes of a tensor with bounds can be dynamic.
    (dims, known && !encoding.contains("bounds"), DType::from_mlir_name(elements.trim()))
}

impl<'t> Scanner<'t> {
    /// Reads a type.
    pub(super) fn ty(&mut self) -> Result<Type<'t>, Failure> {
        self.ty_within(0)
    }

    /// Reads a type that is nested in `depth` others.
    fn ty_within(&mut self, depth: usize) -> Result<Type<'t>, Failure> {
        if depth > MAX_DEPTH {
            let message = format!("types are nested deeper than {MAX_DEPTH}");
            return Err(Failure::new(self.start, message));
        }
        let start = self.start;
        let (mut dims, mut unbounded, mut dtype) = (None, None, None);
        match self.token {
            Token::Word("tensor") => {
                self.next()?;
                if !self.is_mark(b'<') {
                    return Err(self.unexpected("`<`"));
                }
                let inside = self.angles()?;
                let (sizes, known);
                (sizes, known, dtype) = tensor(&inside[1..inside.len() - 1]);
                (dims, unbounded) = if known { (sizes, None) } else { (None, sizes) };
            }
            Token::Word(_) => {
                self.next()?;
                if self.is_mark(b'<') {
                    self.angles()?;
                }
            }
            Token::Mark(b'!') => {
                self.next()?;
                self.next()?;
                if self.is_mark(b'<') {
                    self.angles()?;
                }
            }
            Token::Mark(b'(') => {
                self.balanced()?;
                if self.token == Token::Arrow {
                    self.next()?;
                    self.types_within(depth + 1)?;
                }
            }
            _ => return Err(self.unexpected("a type")),
        }
        Ok(Type { text: self.since(start), dims, unbounded, dtype })
    }

    /// Reads types: one type, or several in parentheses.
    pub(super) fn types(&mut self) -> Result<Vec<Type<'t>>, Failure> {
        self.types_within(0)
    }

    fn types_within(&mut self, depth: usize) -> Result<Vec<Type<'t>>, Failure> {
        let mut types = Vec::new();
        if !self.take(b'(')? {
            types.push(self.ty_within(depth)?);
            return Ok(types);
        }
        while !self.take(b')')? {
            types.push(self.ty_within(depth)?);
            if !self.is_mark(b')') {
                self.expect(b',')?;
            }
        }
        Ok(types)
    }
}
