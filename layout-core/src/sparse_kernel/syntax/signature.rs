use super::body::{StatementSyntax, statement};
use super::schedule::{ScheduleSyntax, schedule};
use super::{Name, name, opaque};
use crate::sparse::syntax::{EncodingSyntax, parse_encoding};
use crate::sparse_kernel::ElementType;
use crate::syntax::{Cursor, Kind, Parsed, Span, Stop, list};
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

/// A function.
#[derive(Clone, Debug)]
pub struct KernelSyntax<S> {
    /// Where each attribute stands, documentation among them.
    pub attributes: Vec<S>,
    /// Where `pub` stands, with what is in parentheses behind it.
    pub visibility: Option<S>,
    /// Its name.
    pub name: Name<S>,
    /// The operands.
    pub parameters: Vec<OperandSyntax<S>>,
    /// What it returns.
    pub output: OperandSyntax<S>,
    /// What it does.
    pub statement: StatementSyntax<S>,
    /// How it should run.
    pub schedule: Vec<ScheduleSyntax<S>>,
    /// Where it stands, without attributes.
    pub span: S,
}

/// `a: Csr<f64>[i, j]`
#[derive(Clone, Debug)]
pub struct OperandSyntax<S> {
    /// Its name.
    pub name: Name<S>,
    /// How it is stored.
    pub ty: TypeSyntax<S>,
    /// The type of its elements: any type of Rust.
    pub element: Name<S>,
    /// The names of its dimensions.
    pub dims: Vec<Name<S>>,
    /// Where all of it stands.
    pub span: S,
}

/// How an operand is stored.
#[derive(Clone, Debug)]
pub enum TypeSyntax<S> {
    /// `f64`: one value.
    Scalar,
    /// `Dense<f64>`: all values in row-major order.
    Dense,
    /// `Csr<f64>`: an encoding with a name.
    Alias(Name<S>),
    /// `{(i, j) -> (i : dense, j : compressed)}<f64>`: an encoding.
    Encoding(Box<EncodingSyntax<S>>),
}

pub(super) fn kernel<S: Span>(cursor: &mut Cursor<'_, S>) -> Parsed<KernelSyntax<S>> {
    let mut attributes = Vec::new();
    while cursor.peek() == Some(&Kind::Symbol('#')) {
        let first = cursor.span();
        cursor.next();
        if cursor.peek() != Some(&Kind::Open('[')) {
            return Err(cursor.unexpected("`[`"));
        }
        cursor.skip_group();
        attributes.push(cursor.since(first));
    }
    let first = cursor.span();
    let mut visibility = None;
    if cursor.is_word("pub") {
        cursor.next();
        if cursor.peek() == Some(&Kind::Open('(')) {
            cursor.skip_group();
        }
        visibility = Some(cursor.since(first));
    }
    cursor.expect_word("fn")?;
    let name = name(cursor, "the name of the function")?;
    if cursor.peek() == Some(&Kind::Symbol('<')) {
        let help = "a kernel is made for the types that are written; a `macro_rules!` around it can name others";
        return Err(cursor.unexpected_with_help("`(`", help));
    }
    cursor.expect(&Kind::Open('('))?;
    let parameters = operands(cursor)?;
    if !cursor.take_symbol('-') || !cursor.take_symbol('>') {
        return Err(cursor.unexpected("`->` and the output: `-> y: Dense<f64>[i]`"));
    }
    let output = operand(cursor)?;
    cursor.expect(&Kind::Open('{'))?;
    let statement = statement(cursor)?;
    let mut schedules = Vec::new();
    while cursor.take_symbol(';') {
        if let Some(Kind::Word(_)) = cursor.peek() {
            schedules.push(schedule(cursor)?);
        }
    }
    if cursor.take(&Kind::Close('}')).is_none() {
        return Err(cursor.unexpected_with_help("`;`, `}` or an operator", instead(cursor.peek())));
    }
    let span = cursor.since(first);
    Ok(KernelSyntax {
        attributes,
        visibility,
        name,
        parameters,
        output,
        statement,
        schedule: schedules,
        span,
    })
}

/// How that is said which stands behind a statement, where it cannot go on.
fn instead(found: Option<&Kind>) -> &'static str {
    match found {
        Some(Kind::Symbol('.')) => "a function stands in front of its value: `abs(a[i])`",
        Some(Kind::Symbol('%' | '^' | '&' | '|')) => {
            "other operators are functions of Rust: `call(|x, y| x % y, a[i], b[i])`"
        }
        Some(Kind::Open('[')) => "all subscripts stand in one pair of brackets: `a[i, j]`",
        Some(Kind::Symbol(',') | Kind::Word(_)) => {
            "a schedule stands behind a semicolon: `; parallel(i)`"
        }
        _ => "",
    }
}

/// Operands up to the parenthesis, a comma at the end if one likes.
fn operands<S: Span>(cursor: &mut Cursor<'_, S>) -> Parsed<Vec<OperandSyntax<S>>> {
    let mut operands = Vec::new();
    while cursor.take(&Kind::Close(')')).is_none() {
        operands.push(operand(cursor)?);
        if !cursor.take_symbol(',') {
            cursor.expect_close(')')?;
            break;
        }
    }
    Ok(operands)
}

fn operand<S: Span>(cursor: &mut Cursor<'_, S>) -> Parsed<OperandSyntax<S>> {
    let name = name(cursor, "an operand: `a: Csr<f64>[i, j]`")?;
    if !cursor.take_symbol(':') {
        let help = "an operand has a name and a type: `a: Csr<f64>[i, j]`";
        return Err(cursor.unexpected_with_help("`:`", help));
    }
    let mut ty = TypeSyntax::Scalar;
    let element;
    if cursor.take(&Kind::Open('{')).is_some() {
        let encoding = parse_encoding(cursor).ok_or(Stop)?;
        cursor.expect_close('}')?;
        ty = TypeSyntax::Encoding(Box::new(encoding));
        element = element_in_brackets(cursor)?;
    } else {
        let path = type_path(cursor)?;
        if cursor.peek() == Some(&Kind::Symbol('<')) {
            let inner = element_in_brackets(cursor)?;
            let whole = alloc::format!("{}<{}>", path.text, inner.text);
            (ty, element) = match path.text.as_str() {
                "Dense" => (TypeSyntax::Dense, inner),
                // `Complex<f64>` is one value.
                _ if ElementType::parse(&whole).is_some() => {
                    (TypeSyntax::Scalar, Name { text: whole, span: cursor.since(path.span) })
                }
                _ => (TypeSyntax::Alias(path), inner),
            };
        } else {
            element = path;
        }
    }
    let dims = match cursor.take(&Kind::Open('[')) {
        Some(_) => list(cursor, ']', |cursor| super::name(cursor, "the name of a dimension"))?,
        None => Vec::new(),
    };
    let span = cursor.since(name.span);
    Ok(OperandSyntax { name, ty, element, dims, span })
}

/// `formats::Csr`
fn type_path<S: Span>(cursor: &mut Cursor<'_, S>) -> Parsed<Name<S>> {
    let first = cursor.span();
    let mut text = String::new();
    loop {
        match cursor.peek() {
            Some(Kind::Word(word)) => text.push_str(word),
            Some(Kind::Symbol(':')) => text.push(':'),
            found if text.is_empty() => {
                let help = match found {
                    Some(Kind::Symbol('&')) => "leave it out: operands are borrowed as they are",
                    _ => "",
                };
                let expected = "a type: `Dense<f64>`, `Csr<f64>` or `f64`";
                return Err(cursor.unexpected_with_help(expected, help));
            }
            _ => return Ok(Name { text, span: cursor.since(first) }),
        }
        cursor.next();
    }
}

/// `<f64>`: everything between the brackets, which may nest.
fn element_in_brackets<S: Span>(cursor: &mut Cursor<'_, S>) -> Parsed<Name<S>> {
    cursor.expect(&Kind::Symbol('<'))?;
    let mut element = element_type(cursor)?;
    while cursor.peek() == Some(&Kind::Symbol('<')) {
        // `Complex<f64>`
        let inner = element_in_brackets(cursor)?;
        element = Name {
            text: alloc::format!("{}<{}>", element.text, inner.text),
            span: cursor.since(element.span),
        };
    }
    cursor.expect(&Kind::Symbol('>'))?;
    Ok(element)
}

fn element_type<S: Span>(cursor: &mut Cursor<'_, S>) -> Parsed<Name<S>> {
    opaque(cursor, &['<', '>', ',']).ok_or_else(|| cursor.unexpected("an element type: `f64`"))
}
