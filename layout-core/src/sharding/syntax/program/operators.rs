//! Expressions with operators and those in the notation of other libraries, which are read as their translations: the help is one
//! text for the whole expression, and the rest of the program is checked as if it had been written.

use super::parse::{MAX_DEPTH, Reader};
use super::{ArgumentSyntax, AttributeSyntax, CallSyntax, ExpressionSyntax, NameSyntax};
use crate::syntax::{Cursor, Kind, Parsed, Span, Stop, Token, lex};
use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

/// The longest translation that a help shows.
const MAX_TEXT: usize = 120;

/// An operator: its operation, what follows the operands of the operation, the number of its tokens, and how strongly it binds.
struct Operator {
    symbol: &'static str,
    name: &'static str,
    direction: &'static str,
    binds: u8,
}

/// Operators whose first characters are those of others come first.
const OPERATORS: [Operator; 14] = [
    operator("**", "power", "", 5),
    operator("==", "compare", "EQ", 2),
    operator("!=", "compare", "NE", 2),
    operator("<=", "compare", "LE", 2),
    operator(">=", "compare", "GE", 2),
    operator("<", "compare", "LT", 2),
    operator(">", "compare", "GT", 2),
    operator("+", "add", "", 3),
    operator("-", "sub", "", 3),
    operator("*", "mul", "", 4),
    operator("/", "div", "", 4),
    operator("@", "dot", "", 4),
    operator("&", "and", "", 1),
    operator("|", "or", "", 1),
];

const fn operator(
    symbol: &'static str,
    name: &'static str,
    direction: &'static str,
    binds: u8,
) -> Operator {
    Operator { symbol, name, direction, binds }
}

/// How strongly a sign before a value binds.
const SIGN: u8 = 5;

impl<S: Span> Reader<'_, S> {
    /// An expression inside `depth` bodies and `nested` calls.
    pub(super) fn expression(
        &mut self,
        depth: usize,
        nested: usize,
    ) -> Parsed<ExpressionSyntax<S>> {
        let (first, before) = (self.cursor.span(), self.cursor.diagnostics.len());
        let mut signs = Vec::new();
        let mut value = self.operators(depth, nested, 0, &mut signs)?;
        let Some(sign) = signs.first() else { return Ok(value) };
        // The translation of the whole also corrects the mistakes of its operands that have translations.
        let mut at = 0;
        let translated = core::mem::take(&mut self.translated);
        self.cursor.diagnostics.retain(|_| {
            at += 1;
            at <= before || !translated.contains(&(at - 1))
        });
        self.translated = translated.into_iter().filter(|at| *at < before).collect();
        let message = match *sign {
            "(" => "an operand has no parentheses of its own".to_string(),
            sign => format!("an operation has a name, found `{sign}`"),
        };
        let help = match value.text() {
            Some(text) => format!("write `{text}`"),
            None => "operations are named: `add(x, y)`, `mul(x, y)`, `dot(x, y)`".into(),
        };
        self.translates(self.cursor.since(first), message, help);
        if let ExpressionSyntax::Call(call) = &mut value
            && nested == 0
            && call.splits.is_empty()
        {
            call.splits.extend(self.split()?);
        }
        Ok(value)
    }

    /// Reports a mistake in an expression that is read as its translation.
    fn translates(&mut self, span: S, message: String, help: String) {
        self.is_complete = false;
        self.translated.push(self.cursor.diagnostics.len());
        self.cursor.report(span, message, help);
    }

    /// Operands and the operators between them that bind at least as strongly as `binds`. Adds the operators, which operations
    /// do not have, to `signs`.
    fn operators(
        &mut self,
        depth: usize,
        nested: usize,
        binds: u8,
        signs: &mut Vec<&'static str>,
    ) -> Parsed<ExpressionSyntax<S>> {
        let first = self.cursor.span();
        let mut value = self.operand(depth, nested, signs)?;
        while let Some(operator) = next_operator(&self.cursor).filter(|next| next.binds > binds) {
            let op = self.cursor.take_many(operator.len(&self.cursor)).unwrap_or(first);
            signs.push(operator.symbol);
            let right = self.operators(depth, nested + 1, operator.binds, signs)?;
            let op = NameSyntax { text: operator.name.into(), span: op };
            let mut arguments = vec![ArgumentSyntax::Value(value), ArgumentSyntax::Value(right)];
            if !operator.direction.is_empty() {
                let name = NameSyntax { text: "direction".into(), span: op.span };
                let direction = AttributeSyntax::Word(operator.direction.into());
                arguments.push(ArgumentSyntax::Named(name, direction));
            }
            value = call(op, arguments, self.cursor.since(first));
        }
        Ok(value)
    }

    /// A value or a call, with a sign or in parentheses.
    fn operand(
        &mut self,
        depth: usize,
        nested: usize,
        signs: &mut Vec<&'static str>,
    ) -> Parsed<ExpressionSyntax<S>> {
        let first = self.cursor.span();
        if signs.len() >= MAX_DEPTH {
            let message = format!("expressions are nested deeper than {MAX_DEPTH}");
            self.cursor.report(first, message, "");
            return Err(Stop);
        }
        let is_operand =
            |kind: Option<&Kind>| matches!(kind, Some(Kind::Word(_) | Kind::Open('(')));
        let sign = match self.cursor.peek() {
            Some(Kind::Symbol('-')) => Some(("-", "neg")),
            Some(Kind::Symbol('!' | '~')) => Some(("!", "not")),
            _ => None,
        };
        if let Some((sign, name)) = sign
            && is_operand(self.cursor.peek_nth(1))
        {
            let op = NameSyntax { text: name.into(), span: first };
            self.cursor.next();
            signs.push(sign);
            let value = self.operators(depth, nested + 1, SIGN, signs)?;
            return Ok(call(op, vec![ArgumentSyntax::Value(value)], self.cursor.since(first)));
        }
        if self.cursor.peek() == Some(&Kind::Open('(')) && self.is_operand_in_parentheses() {
            self.cursor.next();
            signs.push("(");
            let value = self.operators(depth, nested + 1, 0, signs)?;
            self.cursor.expect_close(')')?;
            return Ok(value);
        }
        let before = self.cursor.diagnostics.len();
        self.value(depth, nested).or_else(|Stop| self.meant(before, depth, nested))
    }

    /// Whether the parentheses that come next contain operators, or a single value.
    fn is_operand_in_parentheses(&self) -> bool {
        let group = &self.cursor.rest()[1..self.cursor.group_len().max(2) - 1];
        let mut inner = Cursor::new(group, self.cursor.end());
        let mut has_value = false;
        while let Some(kind) = inner.peek() {
            match kind {
                Kind::Symbol(',') => return false,
                Kind::Word(_) => has_value = true,
                Kind::Open('(') => has_value |= inner.group_len() > 2,
                _ => {}
            }
            inner.skip_group();
        }
        has_value
    }

    /// The translation of the expression that ends here, if a single mistake was reported for it: the program is checked as if
    /// the translation had been written.
    fn meant(&mut self, before: usize, depth: usize, nested: usize) -> Parsed<ExpressionSyntax<S>> {
        let ends =
            matches!(self.cursor.peek(), None | Some(Kind::Symbol(';' | ',') | Kind::Close(_)))
                || next_operator(&self.cursor).is_some();
        let translation = self.translation.take().filter(|(mistakes, _)| {
            *mistakes == before + 1 && self.cursor.diagnostics.len() == *mistakes
        });
        let Some((_, text)) = translation.filter(|_| ends) else { return Err(Stop) };
        let span = self.cursor.diagnostics[before].span;
        let tokens: Vec<_> =
            lex(&text).into_iter().map(|token| Token { kind: token.kind, span }).collect();
        let mut reader = Reader {
            cursor: Cursor::new(&tokens, span),
            rules: Vec::new(),
            is_complete: true,
            failed: Vec::new(),
            parameters: self.parameters.clone(),
            translated: Vec::new(),
            translation: None,
        };
        let value = reader.expression(depth, nested)?;
        if !reader.cursor.diagnostics.is_empty() || reader.cursor.peek().is_some() {
            return Err(Stop);
        }
        self.is_complete = false;
        self.translated.push(before);
        Ok(value)
    }
}

impl Operator {
    /// The number of tokens of the operator, which comes next.
    fn len<S: Span>(&self, cursor: &Cursor<'_, S>) -> usize {
        if cursor.peek() == Some(&Kind::AtMost) { 1 } else { self.symbol.len() }
    }
}

/// The operator that comes next.
fn next_operator<S: Span>(cursor: &Cursor<'_, S>) -> Option<&'static Operator> {
    let is_next = |operator: &&Operator| match operator.symbol {
        "<=" => cursor.peek() == Some(&Kind::AtMost),
        symbol => {
            symbol.chars().enumerate().all(|(at, c)| cursor.peek_nth(at) == Some(&Kind::Symbol(c)))
        }
    };
    // The arrow and the assignments of other languages are not operators.
    let next = cursor.peek_nth(1);
    let found = OPERATORS.iter().find(is_next)?;
    let is_whole = found.symbol.len() > 1
        || !matches!(next, Some(Kind::Symbol('=' | '|' | '&')))
            && (found.symbol, next) != ("-", Some(&Kind::Symbol('>')));
    // `@Ring [..]` is the mesh of a sharding.
    let is_mesh = found.symbol == "@" && cursor.peek_nth(2) == Some(&Kind::Open('['));
    (is_whole && !is_mesh).then_some(found)
}

fn call<S>(op: NameSyntax<S>, arguments: Vec<ArgumentSyntax<S>>, span: S) -> ExpressionSyntax<S> {
    let (rule, splits) = (None, Vec::new());
    ExpressionSyntax::Call(Box::new(CallSyntax { op, arguments, rule, splits, span }))
}

impl<S> ExpressionSyntax<S> {
    /// The expression as it is written; `None` for one that a line does not hold.
    pub(in crate::sharding) fn text(&self) -> Option<String> {
        match self {
            Self::Name(name) => Some(name.text.clone()),
            Self::Call(call) if call.rule.is_none() && call.splits.is_empty() => {
                let arguments: Option<Vec<_>> = call.arguments.iter().map(argument).collect();
                let text = format!("{}({})", call.op.text, arguments?.join(", "));
                (text.len() < MAX_TEXT).then_some(text)
            }
            _ => None,
        }
    }
}

fn argument<S>(argument: &ArgumentSyntax<S>) -> Option<String> {
    match argument {
        ArgumentSyntax::Value(value) => value.text(),
        ArgumentSyntax::Attribute(value, _) => Some(attribute(value)),
        ArgumentSyntax::Named(name, value) => Some(format!("{}={}", name.text, attribute(value))),
        ArgumentSyntax::Array(_) => None,
    }
}

fn attribute<S>(attribute: &AttributeSyntax<S>) -> String {
    match attribute {
        AttributeSyntax::List(numbers) => {
            let numbers: Vec<_> = numbers.iter().map(|number| number.value.to_string()).collect();
            format!("[{}]", numbers.join(", "))
        }
        AttributeSyntax::Number(number) => number.value.to_string(),
        AttributeSyntax::Word(word) => word.clone(),
    }
}
