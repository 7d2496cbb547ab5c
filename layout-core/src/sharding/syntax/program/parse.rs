//! Programs, their functions and the parameters.

use super::super::jax::jax;
use super::super::tensor::{AXES, split};
use super::elsewhere::{self, Sizes};
use super::functions;
use super::header::Header;
use super::numbers::{Constants, evaluated};
use super::{BodySyntax, FunctionSyntax, NameSyntax, ParameterSyntax, PlacedSyntax, ProgramSyntax};
use crate::syntax::{Cursor, HEAD, Head, Kind, Offer, Parsed, Span, Stop, nearest};
use crate::tiled::syntax::array;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// The largest depth of nested calls and bodies, because the parser is recursive.
pub(super) const MAX_DEPTH: usize = 64;

const PROGRAM: &str =
    "a program is written `mesh Pod; fn f(x: f32[8] [{\"data\"}]) { let y = tanh(x); return y; }`";

/// Reads a program: `mesh Pod; fn f(x: f32[8] [{"data"}]) { let y = tanh(x); return y; }`. `None` if reading had to
/// stop.
pub fn parse_program<S: Span>(cursor: &mut Cursor<'_, S>) -> Option<ProgramSyntax<S>> {
    cursor.reads(PROGRAM);
    program(cursor).ok()
}

fn program<S: Span>(cursor: &mut Cursor<'_, S>) -> Parsed<ProgramSyntax<S>> {
    let mut head = Header::default();
    elsewhere::module(cursor)?;
    while head.continues(cursor) {
        let start = cursor.taken();
        if head.item(cursor).is_err() {
            head.is_wrong = true;
            cursor.recover(start, |cursor| cursor.at_semicolon() || begins_function(cursor));
            cursor.take_symbol(';');
        }
    }
    let (mut functions, mut rules) = (Vec::new(), Vec::new());
    while functions.is_empty() && !head.is_wrong || begins_function(cursor) {
        match function(cursor, &head.numbers, &mut rules)? {
            Some(function) => functions.push(function),
            None => head.is_wrong = true,
        }
    }
    // A mistake in one of several functions affects the values of the others, so only a program with a single function is checked
    // further.
    let is_complete = !head.is_wrong
        && !head.is_incomplete
        && functions.iter().all(|function| function.is_complete);
    if head.is_wrong || (!is_complete && functions.len() > 1) {
        return Err(Stop);
    }
    let (function, called) = functions::parted(cursor, functions)?;
    let Header { meshes, run, padded, constants, .. } = head;
    if let (Some(_), Some((name, _))) = (run, constants.iter().find(|(name, _)| name.text == "run"))
    {
        let message = "`run` is the function that runs the program";
        cursor.report(name.span, message, "give the number another name");
    }
    Ok(ProgramSyntax { meshes, run, padded, constants, function, called, rules, is_complete })
}

/// Whether another function follows.
fn begins_function<S: Span>(cursor: &Cursor<'_, S>) -> bool {
    cursor.is_word("fn") || cursor.is_word("pub") || cursor.peek() == Some(&Kind::Symbol('#'))
}

/// Reads a function, and adds the rules that it names; `None` if it has mistakes but ends where another one can begin.
fn function<S: Span>(
    cursor: &mut Cursor<'_, S>,
    numbers: &Constants,
    found: &mut Vec<NameSyntax<S>>,
) -> Parsed<Option<FunctionSyntax<S>>> {
    let head = cursor.rust(HEAD, |rust, at| rust.head(at))?;
    let attributes = head.attributes.iter().filter_map(|len| cursor.take_many(*len)).collect();
    let visibility = cursor.take_many(head.visibility);
    if head != Head::default() && !cursor.is_word("fn") {
        return Err(cursor.unexpected_with_help("`fn`", HEAD));
    }
    let is_python = cursor.is_word("def");
    if is_python && has_colon_before_body(cursor) {
        let help = "a function is written `fn f(x: f32[8,16]) { let y = tanh(x); return y; }`";
        return Err(cursor.unexpected_with_help("`fn` and a body in braces", help));
    }
    if is_python {
        cursor.unexpected_with_help("`fn`", "write `fn`");
        cursor.next();
    } else if let Some(Kind::Word(word)) = cursor.peek()
        && let Some(meant) = nearest(word, &["fn", "run", "mesh", "const", "padded", "file"])
        && meant != "fn"
    {
        return Err(cursor.unexpected_with_help("`fn`", &format!("did you mean `{meant}`?")));
    } else {
        cursor.expect_word("fn")?;
    }
    let name = name(cursor, "the name of the function")?;
    let (length, is_last) = function_len(cursor);
    let tokens = evaluated(&cursor.rest()[..length], numbers);
    let rules = core::mem::take(found);
    let mut inner = Cursor::new(&tokens, cursor.end());
    inner.reads("a parameter has a name and an array: `x: f32[8,16] [{\"data\"}, {}]`");
    let (failed, parameters) = (Vec::new(), Vec::new());
    let mut reader = Reader {
        cursor: inner,
        rules,
        is_complete: true,
        failed,
        parameters,
        translated: Vec::new(),
        translation: None,
    };
    let read = reader.function();
    cursor.take_many(length);
    cursor.diagnostics.append(&mut reader.cursor.diagnostics);
    cursor.offered = cursor.offered.or(reader.cursor.offered);
    *found = reader.rules;
    let (is_complete, failed) = (reader.is_complete && !is_python, reader.failed);
    match read {
        Ok((parameters, body)) => Ok(Some(FunctionSyntax {
            attributes,
            visibility,
            name,
            parameters,
            failed,
            body,
            is_complete,
        })),
        Err(Stop) if is_last => Err(Stop),
        Err(Stop) => Ok(None),
    }
}

pub(super) fn name<S: Span>(cursor: &mut Cursor<'_, S>, what: &str) -> Parsed<NameSyntax<S>> {
    let span = cursor.span();
    match cursor.peek() {
        Some(Kind::Word(text)) => {
            cursor.next();
            Ok(NameSyntax { text: text.clone(), span })
        }
        _ => Err(cursor.unexpected(what)),
    }
}

/// `pods::Pod`, as written.
pub(super) fn path<S: Span>(cursor: &mut Cursor<'_, S>, what: &str) -> Parsed<NameSyntax<S>> {
    let start = cursor.span();
    let mut text = String::new();
    loop {
        while cursor.take_symbol(':') {
            text.push(':');
        }
        cursor.offer(Offer::Type);
        let Some(Kind::Word(name)) = cursor.peek() else {
            return Err(cursor.unexpected(what));
        };
        cursor.next();
        text += name;
        if cursor.peek() != Some(&Kind::Symbol(':')) {
            return Ok(NameSyntax { text, span: cursor.since(start) });
        }
    }
}

/// Whether the parameters of the function that comes next are followed by a colon, as in Python.
fn has_colon_before_body<S: Span>(cursor: &Cursor<'_, S>) -> bool {
    let mut ahead = Cursor::new(cursor.rest(), cursor.end());
    while let Some(kind) = ahead.peek() {
        match kind {
            Kind::Symbol(':') => return true,
            Kind::Open('{') => return false,
            _ => ahead.skip_group(),
        }
    }
    false
}

/// The number of tokens from the parameters of a function to the end of its body, and whether they are the last ones.
fn function_len<S: Span>(cursor: &Cursor<'_, S>) -> (usize, bool) {
    let rest = cursor.rest();
    let mut ahead = Cursor::new(rest, cursor.end());
    while let Some(kind) = ahead.peek() {
        let is_body = *kind == Kind::Open('{');
        ahead.skip_group();
        if is_body {
            break;
        }
    }
    (ahead.taken(), ahead.taken() == rest.len())
}

/// Reads a function, and collects the rules that it names.
pub(super) struct Reader<'t, S> {
    pub(super) cursor: Cursor<'t, S>,
    pub(super) rules: Vec<NameSyntax<S>>,
    /// Whether all of it could be read. Mistakes have been reported.
    pub(super) is_complete: bool,
    /// The parameters that could not be read; empty for one whose name could not be read.
    pub(super) failed: Vec<NameSyntax<S>>,
    /// The parameters that have numbers as sizes.
    pub(super) parameters: Vec<Sizes>,
    /// The numbers of the mistakes in expressions that were read as their translations.
    pub(super) translated: Vec<usize>,
    /// The expression that the help of the last mistake is, and the number of mistakes up to it.
    pub(super) translation: Option<(usize, String)>,
}

impl<S: Span> Reader<'_, S> {
    fn function(&mut self) -> Parsed<(Vec<ParameterSyntax<S>>, BodySyntax<S>)> {
        self.cursor.expect(&Kind::Open('('))?;
        let mut parameters = Vec::new();
        while self.cursor.take(&Kind::Close(')')).is_none() {
            let (start, name) = (self.cursor.taken(), self.cursor.peek().cloned());
            let span = self.cursor.span();
            let read = self.parameter().and_then(|parameter| {
                parameters.push(parameter);
                match self.cursor.peek() {
                    Some(Kind::Symbol(',') | Kind::Close(')')) => Ok(()),
                    Some(Kind::Word(_)) if self.cursor.peek_nth(1) == Some(&Kind::Symbol(':')) => {
                        // The next parameter is read as if a comma came before it.
                        self.cursor
                            .unexpected_with_help("`,` or `)`", "separate the items by commas");
                        self.is_complete = false;
                        Ok(())
                    }
                    _ => self.cursor.expect_close(')').map(drop),
                }
            });
            if read.is_err() {
                self.is_complete = false;
                self.cursor.recover(start, Cursor::at_separator);
                let text = match name {
                    Some(Kind::Word(text)) => text,
                    _ => String::new(),
                };
                parameters.retain(|other: &ParameterSyntax<S>| other.name.text != text);
                self.failed.push(NameSyntax { text, span });
            }
            let is_next = matches!(self.cursor.peek(), Some(Kind::Word(_))) && read.is_ok();
            if !self.cursor.take_symbol(',') && !is_next {
                self.cursor.take(&Kind::Close(')')).ok_or(Stop)?;
                break;
            }
        }
        let arrow = (Some(&Kind::Symbol('-')), Some(&Kind::Symbol('>')));
        if (self.cursor.peek(), self.cursor.peek_nth(1)) == arrow {
            let first = self.cursor.span();
            let help = match self.cursor.peek_nth(2) {
                Some(Kind::Open('[')) => {
                    "the sharding of a result follows its value: `return y [{\"data\"}, {}];`"
                }
                _ => "leave the types of results out: they follow from `return`",
            };
            self.is_complete = false;
            self.cursor.skip_to(|cursor| cursor.peek() == Some(&Kind::Open('{')));
            let span = self.cursor.since(first);
            self.cursor.report(span, "expected `{`, found the type of a result", help);
        }
        self.cursor.reads("statements are `let y = tanh(x);` and `return y;`");
        Ok((parameters, self.body(0)?))
    }

    fn parameter(&mut self) -> Parsed<ParameterSyntax<S>> {
        let name = name(&mut self.cursor, "the name of a parameter")?;
        if !self.cursor.take_symbol(':') {
            let help = "a parameter has a name and an array: `x: f32[8,16]`";
            return Err(self.cursor.unexpected_with_help("`:`", help));
        }
        if self.cursor.peek() == Some(&Kind::Symbol('&')) {
            let help = "leave it out: a program has arrays, not references";
            self.cursor.unexpected_with_help("an element type", help);
            self.is_complete = false;
            self.cursor.next();
        }
        let start = self.cursor.taken();
        let array = array(&mut self.cursor);
        // Attributes can also follow a type of MLIR, which has been reported; of `f32{8,16}`, the braces have been.
        let has_sizes = self.cursor.taken() > start + 1;
        if has_sizes && self.cursor.peek() == Some(&Kind::Open('{')) {
            return Err(elsewhere::attributes(&mut self.cursor));
        }
        let array = array?;
        let start = self.cursor.taken();
        let split = self.split().unwrap_or_else(|Stop| {
            // The parameter is read as if it had no sharding.
            self.is_complete = false;
            self.cursor.recover(start, Cursor::at_separator);
            None
        });
        let parameter = ParameterSyntax { name, array, split };
        self.parameters.extend(elsewhere::sizes(&parameter));
        Ok(parameter)
    }

    /// `[{"data"}, {}]` or `@Ring [{"x"}]`, if it follows.
    pub(super) fn split(&mut self) -> Parsed<Option<PlacedSyntax<S>>> {
        let mesh = match self.cursor.take_symbol('@') {
            true if matches!(self.cursor.peek(), Some(Kind::Open('[' | '{'))) => {
                let message = "the mesh of the program is not written";
                self.cursor.report(self.cursor.last_span(), message, "leave the `@` out");
                self.is_complete = false;
                None
            }
            true => Some(path(&mut self.cursor, "the name of a mesh")?),
            false if self.cursor.peek() == Some(&Kind::Open('[')) => None,
            false => {
                self.is_complete &= jax(&mut self.cursor, "").is_ok();
                return Ok(None);
            }
        };
        let split = self.cursor.reading(AXES, split)?;
        Ok(Some(PlacedSyntax { mesh, split }))
    }
}
