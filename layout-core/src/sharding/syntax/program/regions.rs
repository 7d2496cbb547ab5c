//! Operations with bodies: `while(..) { .. }`, `manual{..}(..) { .. }`, `op(b = x) : x -> b { .. }`.

use super::super::tensor::axes;
use super::parse::{Reader, name};
use super::{EdgeSyntax, InputSyntax, NameSyntax, RegionSyntax};
use crate::syntax::{Cursor, Kind, Parsed, Span};
use alloc::format;
use alloc::vec::Vec;

impl<S: Span> Reader<'_, S> {
    pub(super) fn region(&mut self, depth: usize) -> Parsed<RegionSyntax<S>> {
        let keyword = name(&mut self.cursor, "an operation with a body")?;
        let mut region = RegionSyntax {
            keyword,
            edges: None,
            axes: Vec::new(),
            inputs: Vec::new(),
            condition: None,
            index: None,
            bodies: Vec::new(),
        };
        match &region.keyword.text[..] {
            "case" => {
                if self.cursor.take(&Kind::Open('(')).is_some() {
                    region.index = Some(self.expression(depth, 1)?);
                    self.cursor.expect_close(')')?;
                } else if let Some(Kind::Word(index)) = self.cursor.peek() {
                    let help = format!(
                        "the value that selects a body goes in parentheses: `case({index})`"
                    );
                    self.cursor.unexpected_with_help("`(`", &help);
                    self.is_complete = false;
                    region.index = Some(self.expression(depth, 1)?);
                }
                while self.cursor.peek() == Some(&Kind::Open('{')) {
                    region.bodies.push(self.body(depth + 1)?);
                }
                return Ok(region);
            }
            "manual" => region.axes = axes(&mut self.cursor)?,
            _ => {}
        }
        self.cursor.expect(&Kind::Open('('))?;
        while self.cursor.take(&Kind::Close(')')).is_none() {
            let name = name(&mut self.cursor, "the name of an argument of the body")?;
            self.cursor.expect(&Kind::Symbol('='))?;
            // The sharding that follows belongs to the argument, not to the result of a call.
            let value = self.expression(depth, 1)?;
            let split = self.split()?;
            region.inputs.push(InputSyntax { name, value, split });
            if !self.cursor.take_symbol(',') {
                self.cursor.expect_close(')')?;
                break;
            }
        }
        let has_own_edges = matches!(&region.keyword.text[..], "while" | "manual");
        if !has_own_edges && self.cursor.take_symbol(':') {
            region.edges = Some(self.edges()?);
        }
        if region.keyword.text == "while" && self.cursor.is_word("cond") {
            self.cursor.next();
            region.condition = Some(self.body(depth + 1)?);
            self.cursor.expect_word("do")?;
        }
        region.bodies.push(self.body(depth + 1)?);
        Ok(region)
    }

    /// `x -> b, (r, s) -> y`
    fn edges(&mut self) -> Parsed<Vec<EdgeSyntax<S>>> {
        let mut edges = Vec::new();
        loop {
            let sources = self.ends("an operand, or a value that the body returns")?;
            self.cursor.expect(&Kind::Symbol('-'))?;
            self.cursor.expect(&Kind::Symbol('>'))?;
            let targets = self.ends("an argument of the body, or a result")?;
            edges.push(EdgeSyntax { sources, targets });
            if !self.cursor.take_symbol(',') {
                return Ok(edges);
            }
        }
    }

    /// The sources or the targets of an edge: `x`, or `(x, r)`.
    fn ends(&mut self, what: &str) -> Parsed<Vec<NameSyntax<S>>> {
        if self.cursor.take(&Kind::Open('(')).is_none() {
            return Ok(alloc::vec![name(&mut self.cursor, what)?]);
        }
        let mut names = alloc::vec![name(&mut self.cursor, what)?];
        while self.cursor.take_symbol(',') {
            names.push(name(&mut self.cursor, what)?);
        }
        self.cursor.expect_close(')')?;
        Ok(names)
    }
}

/// Whether the word that comes next begins an operation with bodies, instead of an operation or a value.
pub(super) fn is_region<S: Span>(word: &str, cursor: &Cursor<'_, S>) -> bool {
    let next = cursor.peek_nth(1);
    match word {
        "while" => next == Some(&Kind::Open('(')),
        "case" if next == Some(&Kind::Open('(')) => has_body(cursor),
        "case" if matches!(next, Some(Kind::Word(_))) => {
            cursor.peek_nth(2) == Some(&Kind::Open('{'))
        }
        "case" | "manual" => next == Some(&Kind::Open('{')),
        _ => next == Some(&Kind::Open('(')) && has_body(cursor),
    }
}

/// Whether the call that comes next has a body: `op(b = x) { .. }` or `op(b = x) : x -> b { .. }`. A rule can also have braces, but
/// their contents begin with neither a statement nor `return`.
fn has_body<S: Span>(cursor: &Cursor<'_, S>) -> bool {
    let (mut depth, mut at) = (0usize, 1);
    while let Some(kind) = cursor.peek_nth(at) {
        match kind {
            Kind::Open('{') if depth == 0 && begins_body(cursor, at + 1) => return true,
            Kind::Open(_) => depth += 1,
            Kind::Close(_) => match depth.checked_sub(1) {
                Some(outer) => depth = outer,
                None => return false,
            },
            Kind::Symbol(';') if depth == 0 => return false,
            // The semicolon of the statement is missing.
            Kind::Word(word) if depth == 0 && begins_statement(word) => return false,
            _ => {}
        }
        at += 1;
    }
    false
}

/// Whether the token `at` tokens ahead is the first word of a body. `let=2` is the size of a factor.
fn begins_body<S: Span>(cursor: &Cursor<'_, S>, at: usize) -> bool {
    matches!(cursor.peek_nth(at), Some(Kind::Word(word)) if begins_statement(word))
        && cursor.peek_nth(at + 1) != Some(&Kind::Symbol('='))
}

pub(super) fn begins_statement(word: &str) -> bool {
    matches!(word, "let" | "return" | "group")
}
