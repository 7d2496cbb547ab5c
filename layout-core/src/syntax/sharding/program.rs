use super::super::array::{ArraySyntax, Number, array, list, number};
use super::super::cursor::{Cursor, Kind, Parsed, Span};
use super::rule::RuleSyntax;
use super::rule_forms::rule;
use super::sharded::path;
use super::tensor::{SplitSyntax, split};
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

/// How deep calls may be nested: reading them recurses.
const MAX_DEPTH: usize = 64;

/// A name and where it stands.
#[derive(Clone, Debug)]
pub struct NameSyntax<S> {
    /// The name.
    pub text: String,
    /// Where it stands.
    pub span: S,
}

/// `x: bf16[64,512] [{"data"}, {}]`
#[derive(Clone, Debug)]
pub struct ParameterSyntax<S> {
    /// Its name.
    pub name: NameSyntax<S>,
    /// The array.
    pub array: ArraySyntax<S>,
    /// How it is split, if that is written.
    pub split: Option<SplitSyntax<S>>,
}

/// An argument of a call.
#[derive(Clone, Debug)]
pub enum ArgumentSyntax<S> {
    /// A value.
    Value(ExpressionSyntax<S>),
    /// `[1, 0]`
    List(Vec<Number<S>>, S),
    /// `1`
    Number(Number<S>),
    /// `f32[8,8]`
    Array(Box<ArraySyntax<S>>),
}

/// A value that is named, or made by an operation.
#[derive(Clone, Debug)]
pub enum ExpressionSyntax<S> {
    /// `x`
    Name(NameSyntax<S>),
    /// `dot(x, w)`
    Call(Box<CallSyntax<S>>),
}

impl<S: Copy> ExpressionSyntax<S> {
    /// Where it stands.
    pub fn span(&self) -> S {
        match self {
            Self::Name(name) => name.span,
            Self::Call(call) => call.span,
        }
    }
}

/// `op(x, w) : (i,k),(k,j)->(i,j)`
#[derive(Clone, Debug)]
pub struct CallSyntax<S> {
    /// The operation.
    pub op: NameSyntax<S>,
    /// What it is called with.
    pub arguments: Vec<ArgumentSyntax<S>>,
    /// Its rule, if that is written.
    pub rule: Option<RuleSyntax<S>>,
    /// How the result is split, if that is written.
    pub split: Option<SplitSyntax<S>>,
    /// Where it stands.
    pub span: S,
}

/// A program: one function over one mesh.
#[derive(Clone, Debug)]
pub struct ProgramSyntax<S> {
    /// The name of the mesh, without the path before it.
    pub mesh: NameSyntax<S>,
    /// Whether axes need not divide dimensions.
    pub padded: bool,
    /// The name of the function.
    pub name: NameSyntax<S>,
    /// Its parameters.
    pub parameters: Vec<ParameterSyntax<S>>,
    /// `let` statements, in order.
    pub statements: Vec<(NameSyntax<S>, ExpressionSyntax<S>)>,
    /// What it returns, and how that is split, if that is written.
    pub returns: Vec<(ExpressionSyntax<S>, Option<SplitSyntax<S>>)>,
}

/// Reads a program: `mesh Pod; fn f(x: f32[8] [{"data"}]) { let y = tanh(x); return y; }`. `None` where reading could
/// not go on.
pub fn parse_program<S: Span>(cursor: &mut Cursor<'_, S>) -> Option<ProgramSyntax<S>> {
    program(cursor).ok()
}

fn program<S: Span>(cursor: &mut Cursor<'_, S>) -> Parsed<ProgramSyntax<S>> {
    cursor.expect_word("mesh")?;
    let (text, span) = path(cursor)?;
    let mesh = NameSyntax { text, span };
    let padded = cursor.is_word("padded");
    if padded {
        cursor.next();
    }
    cursor.expect(&Kind::Symbol(';'))?;
    if cursor.is_word("pub") {
        cursor.next();
        if cursor.peek() == Some(&Kind::Open('(')) {
            cursor.skip_group();
        }
    }
    cursor.expect_word("fn")?;
    let name = name(cursor, "the name of the function")?;
    cursor.expect(&Kind::Open('('))?;
    let parameters = parameters(cursor)?;
    cursor.expect(&Kind::Open('{'))?;
    let (mut statements, mut returns) = (Vec::new(), Vec::new());
    while cursor.is_word("let") {
        cursor.next();
        let name = self::name(cursor, "the name of a value")?;
        cursor.expect(&Kind::Symbol('='))?;
        statements.push((name, expression(cursor, 0)?));
        cursor.expect(&Kind::Symbol(';'))?;
    }
    if cursor.is_word("return") {
        cursor.next();
        loop {
            let value = expression(cursor, 0)?;
            returns.push((value, split_if_any(cursor)?));
            if !cursor.take_symbol(',') {
                break;
            }
        }
        cursor.expect(&Kind::Symbol(';'))?;
    } else if cursor.peek() != Some(&Kind::Close('}')) {
        return Err(cursor.unexpected("`let` or `return`"));
    }
    cursor.expect(&Kind::Close('}'))?;
    Ok(ProgramSyntax { mesh, padded, name, parameters, statements, returns })
}

fn name<S: Span>(cursor: &mut Cursor<'_, S>, what: &str) -> Parsed<NameSyntax<S>> {
    let span = cursor.span();
    match cursor.peek() {
        Some(Kind::Word(text)) => {
            cursor.next();
            Ok(NameSyntax { text: text.clone(), span })
        }
        _ => Err(cursor.unexpected(what)),
    }
}

fn parameters<S: Span>(cursor: &mut Cursor<'_, S>) -> Parsed<Vec<ParameterSyntax<S>>> {
    let mut parameters = Vec::new();
    while cursor.take(&Kind::Close(')')).is_none() {
        let name = name(cursor, "the name of a parameter")?;
        cursor.expect(&Kind::Symbol(':'))?;
        let array = array(cursor)?;
        let split = split_if_any(cursor)?;
        parameters.push(ParameterSyntax { name, array, split });
        if !cursor.take_symbol(',') {
            cursor.expect_close(')')?;
            break;
        }
    }
    Ok(parameters)
}

fn split_if_any<S: Span>(cursor: &mut Cursor<'_, S>) -> Parsed<Option<SplitSyntax<S>>> {
    match cursor.peek() {
        Some(Kind::Open('[')) => split(cursor).map(Some),
        _ => Ok(None),
    }
}

fn expression<S: Span>(cursor: &mut Cursor<'_, S>, depth: usize) -> Parsed<ExpressionSyntax<S>> {
    let op = name(cursor, "a value or an operation")?;
    if cursor.take(&Kind::Open('(')).is_none() {
        return Ok(ExpressionSyntax::Name(op));
    }
    if depth == MAX_DEPTH {
        cursor.report(op.span, alloc::format!("calls are nested deeper than {MAX_DEPTH}"), "");
        return Err(super::super::cursor::Stop);
    }
    let arguments = list(cursor, ')', |cursor| argument(cursor, depth + 1))?;
    let mut span = cursor.since(op.span);
    let mut call_rule = None;
    if cursor.take_symbol(':') {
        call_rule = Some(rule(cursor)?);
        span = cursor.since(op.span);
    }
    // The result of a whole statement can be split; that of an argument could not be told from a list.
    let split = if depth == 0 { split_if_any(cursor)? } else { None };
    Ok(ExpressionSyntax::Call(Box::new(CallSyntax { op, arguments, rule: call_rule, split, span })))
}

fn argument<S: Span>(cursor: &mut Cursor<'_, S>, depth: usize) -> Parsed<ArgumentSyntax<S>> {
    let span = cursor.span();
    match (cursor.peek(), cursor.peek_nth(1)) {
        (Some(Kind::Open('[')), _) => {
            cursor.next();
            let numbers = list(cursor, ']', number)?;
            Ok(ArgumentSyntax::List(numbers, cursor.since(span)))
        }
        (Some(Kind::Number(_) | Kind::Symbol('-')), _) => {
            number(cursor).map(ArgumentSyntax::Number)
        }
        (Some(Kind::Word(_)), Some(Kind::Open('['))) => {
            array(cursor).map(Box::new).map(ArgumentSyntax::Array)
        }
        _ => expression(cursor, depth).map(ArgumentSyntax::Value),
    }
}
