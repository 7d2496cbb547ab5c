//! The text before the functions of a program: its meshes, its numbers, and whether it runs.

use super::NameSyntax;
use super::numbers::{Constants, arithmetic};
use super::parse::{name, path};
use crate::syntax::{Cursor, Kind, Parsed, Span, Stop, written};
use alloc::format;
use alloc::vec::Vec;

/// The name of the constant that contains the program's text, in the module that `propagate!` generates.
const TEXT: &str = "MLIR";

/// The text before the functions of a program.
pub(super) struct Header<S> {
    pub(super) meshes: Vec<NameSyntax<S>>,
    pub(super) run: Option<S>,
    pub(super) padded: bool,
    pub(super) constants: Vec<(NameSyntax<S>, usize)>,
    pub(super) numbers: Constants,
    /// Whether an item of it could not be read; such an item has been reported.
    pub(super) is_wrong: bool,
    /// Whether it has a mistake that leaves no doubt about its meaning.
    pub(super) is_incomplete: bool,
}

impl<S> Default for Header<S> {
    fn default() -> Self {
        let (meshes, constants, numbers) = (Vec::new(), Vec::new(), Constants::new());
        Self {
            meshes,
            run: None,
            padded: false,
            constants,
            numbers,
            is_wrong: false,
            is_incomplete: false,
        }
    }
}

impl<S: Span> Header<S> {
    /// Whether another item of it follows.
    pub(super) fn continues(&self, cursor: &Cursor<'_, S>) -> bool {
        let is_absent = self.meshes.is_empty() && !self.is_wrong;
        let words = ["const", "run", "mesh"];
        is_absent || words.iter().any(|word| cursor.is_word(word))
    }

    pub(super) fn item(&mut self, cursor: &mut Cursor<'_, S>) -> Parsed<()> {
        if cursor.is_word("const") {
            let constant = constant(cursor, &mut self.numbers)?;
            self.constants.push(constant);
            return Ok(());
        }
        if cursor.is_word("run") {
            self.run = Some(cursor.span());
            cursor.next();
            if cursor.take_symbol(';') {
                return Ok(());
            }
            let stop = cursor.unexpected_with_help("`;`", "a `;` follows `run`: `run;`");
            self.is_incomplete |= cursor.is_word("mesh");
            return if cursor.is_word("mesh") { Ok(()) } else { Err(stop) };
        }
        if !cursor.is_word("mesh") {
            let help = "a program names its mesh first: `mesh Pod;`";
            return Err(cursor.unexpected_with_help("`mesh`", help));
        }
        cursor.next();
        if cursor.peek() == Some(&Kind::Symbol('=')) {
            let mut ahead = Cursor::new(cursor.rest(), cursor.end());
            ahead.next();
            let axes = written(&ahead.rest()[..ahead.group_len()]);
            let help = match axes {
                Some(axes) if axes.starts_with('[') => format!(
                    "define it before the program, `mesh! {{ Pod = {} }}`, and write `mesh Pod;`",
                    axes.replace(',', ", ")
                ),
                _ => "write `mesh Pod;`".into(),
            };
            return Err(cursor.unexpected_with_help("the name of a mesh", &help));
        }
        self.meshes.push(path(cursor, "the name of a mesh")?);
        if cursor.is_word("padded") {
            cursor.next();
            self.padded = true;
        }
        if cursor.take_symbol(';') {
            return Ok(());
        }
        let help = "a `;` follows the name of the mesh: `mesh Pod;`";
        let stop = cursor.unexpected_with_help("`;`", help);
        // The functions are read and checked as well.
        let words = ["fn", "pub", "const", "run", "mesh"];
        let is_next = words.iter().any(|word| cursor.is_word(word));
        self.is_incomplete |= is_next;
        if is_next { Ok(()) } else { Err(stop) }
    }
}

/// `const N = 512;`, with or without a type.
fn constant<S: Span>(
    cursor: &mut Cursor<'_, S>,
    numbers: &mut Constants,
) -> Parsed<(NameSyntax<S>, usize)> {
    cursor.expect_word("const")?;
    let name = name(cursor, "the name of a number")?;
    if name.text == TEXT {
        let message = format!("`{TEXT}` is the constant that holds the text of the program");
        cursor.report(name.span, message, "give the number another name");
    } else if numbers.contains_key(&name.text) {
        let message = format!("the name `{}` is defined twice", name.text);
        cursor.report(name.span, message, "every number must have a different name");
    }
    if cursor.take_symbol(':') {
        if !cursor.is_word("usize") {
            cursor.unexpected_with_help("`usize`", "write `usize`, or leave the type out");
        }
        cursor.next();
    }
    cursor.expect(&Kind::Symbol('='))?;
    let span = cursor.span();
    let Some(value) = arithmetic(cursor, numbers) else {
        let help = "a size is a whole number; it may use names that are defined before it, and `+ - * / %`";
        cursor.report(span, format!("the number `{}` cannot be computed here", name.text), help);
        return Err(Stop);
    };
    if !cursor.take_symbol(';') {
        return Err(cursor.unexpected_with_help("`;`", "a `;` ends the definition of a number"));
    }
    numbers.entry(name.text.clone()).or_insert(value);
    Ok((name, value))
}
