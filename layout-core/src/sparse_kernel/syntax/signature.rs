use super::body::{StatementSyntax, statement};
use super::schedule::{ScheduleSyntax, schedule};
use super::{Name, name, tokens};
use crate::sparse::syntax::{EncodingSyntax, parse_encoding};
use crate::sparse_kernel::ElementType;
use crate::sparse_kernel::layout::elements_of;
use crate::syntax::{Cursor, HEAD, Kind, Parsed, Span, Stop, list};
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

/// The expected type of an operand, in messages.
const TYPE: &str = "a type: `Dense<f64>`, `Csr<f64>` or `f64`";

/// A function.
#[derive(Clone, Debug)]
pub struct KernelSyntax<S> {
    /// The location of each attribute, including documentation.
    pub attributes: Vec<S>,
    /// The location of `pub` and the parentheses after it.
    pub visibility: Option<S>,
    /// Its name.
    pub name: Name<S>,
    /// The operands.
    pub parameters: Vec<OperandSyntax<S>>,
    /// The output.
    pub output: OperandSyntax<S>,
    /// The statement.
    pub statement: StatementSyntax<S>,
    /// How it should run.
    pub schedule: Vec<ScheduleSyntax<S>>,
    /// The location of the function, without attributes.
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
    /// The whole type, where it could also be that of one value: it has a type in angle brackets, and no dimensions follow.
    whole: Option<Name<S>>,
    /// The names of its dimensions.
    pub dims: Vec<Name<S>>,
    /// The location of the operand.
    pub span: S,
}

/// How an operand is stored.
#[derive(Clone, Debug)]
pub enum TypeSyntax<S> {
    /// `f64`: one value.
    Scalar,
    /// `Dense<f64>`: all values in row-major order.
    Dense,
    /// `Packed<tpu!(bf16[64, 128])>`: all values in a tiled layout.
    Tiled(LayoutSyntax<S>),
    /// `Csr<f64>`: an encoding with a name.
    Alias(Name<S>),
    /// `{(i, j) -> (i : dense, j : compressed)}<f64>`: an encoding.
    Encoding(Box<EncodingSyntax<S>>),
}

/// The layout of a packed operand.
#[derive(Clone, Debug)]
pub struct LayoutSyntax<S> {
    /// All of it: `tpu!(bf16[64, 128])`, or the name of a type.
    pub text: Name<S>,
    /// The type of its elements, if it is written out.
    pub dtype: Option<Name<S>>,
    /// The number of its dimensions, if it is written out.
    pub rank: Option<usize>,
}

pub(super) fn kernel<S: Span>(cursor: &mut Cursor<'_, S>) -> Parsed<KernelSyntax<S>> {
    let head = cursor.rust(HEAD, |rust, at| rust.head(at))?;
    let attributes = head.attributes.iter().filter_map(|len| cursor.take_many(*len)).collect();
    let first = cursor.span();
    let visibility = cursor.take_many(head.visibility);
    cursor.expect_word("fn")?;
    let name = name(cursor, "the name of the function")?;
    if cursor.peek() == Some(&Kind::Symbol('<')) {
        let help = "a kernel is compiled for the types that are written; a `macro_rules!` around it can insert others";
        return Err(cursor.unexpected_with_help("`(`", help));
    }
    cursor.expect(&Kind::Open('('))?;
    let mut parameters = operands(cursor)?;
    if !cursor.take_symbol('-') || !cursor.take_symbol('>') {
        return Err(cursor.unexpected("`->` and the output: `-> y: Dense<f64>[i]`"));
    }
    let mut output = operand(cursor, "the output has a name and a type: `y: Dense<f64>[i]`")?;
    single_values(&mut parameters, &mut output);
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

/// Reads `s: Number<f64>` as one value if other operands have elements of that type: all have the same. Without brackets it
/// can be no tensor.
fn single_values<S: Span>(parameters: &mut [OperandSyntax<S>], output: &mut OperandSyntax<S>) {
    let operands = parameters.iter().chain([&*output]);
    let elements: Vec<String> = operands.map(|operand| operand.element.text.clone()).collect();
    for operand in parameters.iter_mut().chain([output]) {
        if let Some(whole) = operand.whole.take_if(|whole| elements.contains(&whole.text)) {
            operand.ty = TypeSyntax::Scalar;
            operand.element = whole;
        }
    }
}

/// How to write what follows a statement but cannot follow it: `.abs()`, for example, is `abs(..)`.
fn instead(found: Option<&Kind>) -> &'static str {
    match found {
        Some(Kind::Symbol('.')) => "write a function before its argument: `abs(a[i])`",
        Some(Kind::Symbol('%' | '^' | '&' | '|')) => {
            "call a Rust function for any other operator: `call(|x, y| x % y, a[i], b[i])`"
        }
        Some(Kind::Symbol('@')) => {
            "a product is `*`, and is summed over the indices that the output does not have"
        }
        Some(Kind::Open('[')) => "write all subscripts in one pair of brackets: `a[i, j]`",
        Some(Kind::Symbol(',') | Kind::Word(_)) => {
            "write a schedule after a semicolon: `; parallel(i)`"
        }
        _ => "",
    }
}

/// Reads operands up to the closing parenthesis. A comma at the end is optional.
fn operands<S: Span>(cursor: &mut Cursor<'_, S>) -> Parsed<Vec<OperandSyntax<S>>> {
    let mut operands = Vec::new();
    while cursor.take(&Kind::Close(')')).is_none() {
        operands.push(operand(cursor, "an operand has a name and a type: `a: Csr<f64>[i, j]`")?);
        if !cursor.take_symbol(',') {
            cursor.expect_close(')')?;
            break;
        }
    }
    Ok(operands)
}

/// Reads an operand or the output; `help` shows one.
fn operand<S: Span>(cursor: &mut Cursor<'_, S>, help: &str) -> Parsed<OperandSyntax<S>> {
    let name = name(cursor, "an operand: `a: Csr<f64>[i, j]`")?;
    if !cursor.take_symbol(':') {
        return Err(cursor.unexpected_with_help("`:`", help));
    }
    let (ty, element);
    let mut whole = None;
    if cursor.take(&Kind::Open('{')).is_some() {
        let encoding = parse_encoding(cursor).ok_or(Stop)?;
        cursor.expect_close('}')?;
        ty = TypeSyntax::Encoding(Box::new(encoding));
        element = element_in_brackets(cursor)?;
    } else {
        let all;
        (ty, element, all) = operand_type(cursor)?;
        let tensor = cursor.peek() == Some(&Kind::Open('['));
        whole = (matches!(ty, TypeSyntax::Alias(_)) && !tensor).then_some(all);
    }
    let dims = match cursor.take(&Kind::Open('[')) {
        Some(_) => list(cursor, ']', |cursor| super::name(cursor, "the name of a dimension"))?,
        None if cursor.peek() == Some(&Kind::Open('(')) => {
            let help = "the names of its dimensions stand in brackets: `a: Csr<f64>[i, j]`";
            return Err(cursor.unexpected_with_help("`[`", help));
        }
        None => Vec::new(),
    };
    let span = cursor.since(name.span);
    Ok(OperandSyntax { name, ty, element, whole, dims, span })
}

/// `Dense<f64>`, `formats::Csr<f64>`, or the type of one value: how the operand is stored, the type of its elements, and all of
/// the type.
fn operand_type<S: Span>(cursor: &mut Cursor<'_, S>) -> Parsed<(TypeSyntax<S>, Name<S>, Name<S>)> {
    if !matches!(cursor.peek(), Some(Kind::Word(_) | Kind::Symbol(':' | '<'))) {
        let help = match cursor.peek() {
            Some(Kind::Symbol('&')) => "leave it out: operands are always borrowed",
            _ => "",
        };
        return Err(cursor.unexpected_with_help(TYPE, help));
    }
    let parts = cursor.rust(&alloc::format!("write {TYPE}"), |rust, at| rust.ty(at))?;
    let (whole, path) = (tokens(cursor, 0..parts.len), tokens(cursor, 0..parts.path));
    let read = match &parts.arguments[..] {
        [] => (TypeSyntax::Scalar, whole.clone()),
        [argument] if argument.is_empty() => {
            cursor.take_many(argument.start);
            return Err(cursor.unexpected("an element type: `f64`"));
        }
        [argument] => {
            let element = tokens(cursor, argument.clone());
            match path.text.as_str() {
                "Dense" => (TypeSyntax::Dense, element),
                path if path == "Packed" || path.ends_with("::Packed") => {
                    let layout = layout(cursor, argument.clone());
                    let host = |dtype: &Name<S>| elements_of(&dtype.text);
                    let text = match layout.dtype.as_ref().and_then(host) {
                        Some(element) => element.name().into(),
                        None => alloc::format!("Host<{}>", element.text),
                    };
                    let span = layout.dtype.as_ref().map_or(element.span, |dtype| dtype.span);
                    (TypeSyntax::Tiled(layout), Name { text, span })
                }
                // `Complex<f64>` is one value.
                _ if ElementType::parse(&whole.text).is_some() => {
                    (TypeSyntax::Scalar, whole.clone())
                }
                _ => (TypeSyntax::Alias(path), element),
            }
        }
        [first, others @ ..] => {
            let message = alloc::format!("`{}` takes one type, that of its elements", path.text);
            let help =
                alloc::format!("write `{}<{}>`", path.text, tokens(cursor, first.clone()).text);
            for other in others {
                let span = tokens(cursor, other.clone()).span;
                cursor.report(span, message.clone(), help.clone());
            }
            return Err(Stop);
        }
    };
    cursor.take_many(parts.len);
    let (ty, element) = read;
    Ok((ty, element, whole))
}

/// `tpu!(bf16[64, 128])`, or the name of a type.
fn layout<S: Span>(cursor: &Cursor<'_, S>, range: Range<usize>) -> LayoutSyntax<S> {
    let text = tokens(cursor, range.clone());
    let all = &cursor.rest()[range.clone()];
    let written =
        |word: &Kind| matches!(word, Kind::Word(word) if word == "tpu" || word == "tiled");
    let at = (3..all.len())
        .find(|at| written(&all[at - 3].kind) && all[at - 2].kind == Kind::Symbol('!'));
    let Some(at) = at else { return LayoutSyntax { text, dtype: None, rank: None } };
    let dtype = tokens(cursor, range.start + at..range.start + at + 1);
    let mut rank = None;
    if all.get(at + 1).map(|token| &token.kind) == Some(&Kind::Open('[')) {
        // The brackets of a size may contain commas of their own.
        let (mut depth, mut commas, mut empty) = (0, 0, true);
        for token in &all[at + 2..] {
            match token.kind {
                Kind::Close(_) if depth == 0 => break,
                Kind::Open(_) => depth += 1,
                Kind::Close(_) => depth -= 1,
                Kind::Symbol(',') if depth == 0 => {
                    commas += usize::from(!empty);
                    empty = true;
                    continue;
                }
                _ => {}
            }
            empty = false;
        }
        rank = Some(commas + usize::from(!empty));
    }
    LayoutSyntax { text, dtype: Some(dtype), rank }
}

/// `<f64>`
fn element_in_brackets<S: Span>(cursor: &mut Cursor<'_, S>) -> Parsed<Name<S>> {
    cursor.expect(&Kind::Symbol('<'))?;
    if matches!(cursor.peek(), None | Some(Kind::Symbol('>' | ',') | Kind::Close(_))) {
        return Err(cursor.unexpected("an element type: `f64`"));
    }
    let len = cursor.rust("write a type: `f64`", |rust, at| rust.ty(at))?.len;
    let element = tokens(cursor, 0..len);
    cursor.take_many(len);
    cursor.expect(&Kind::Symbol('>'))?;
    Ok(element)
}
