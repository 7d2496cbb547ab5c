//! Expressions: values, calls of operations and their arguments.

use super::super::rule_forms::rule;
use super::elsewhere;
use super::parse::{MAX_DEPTH, Reader, name, path};
use super::{
    ArgumentSyntax, AttributeSyntax, CallSyntax, ExpressionSyntax, NameSyntax, RuleUseSyntax,
};
use crate::sharding::ops;
use crate::syntax::{Cursor, Kind, Offer, Parsed, Span, Stop, list, number};
use crate::tiled::syntax::array;
use alloc::boxed::Box;
use alloc::format;
use alloc::vec::Vec;

/// The names of the modules that contain operations in other libraries.
const MODULES: [&str; 17] = [
    "stablehlo",
    "mhlo",
    "chlo",
    "np",
    "numpy",
    "jnp",
    "jax",
    "lax",
    "nn",
    "torch",
    "F",
    "functional",
    "tf",
    "math",
    "scipy",
    "special",
    "keras",
];

impl<S: Span> Reader<'_, S> {
    /// A value or a call inside `depth` bodies and `nested` calls.
    pub(super) fn value(&mut self, depth: usize, nested: usize) -> Parsed<ExpressionSyntax<S>> {
        if self.cursor.peek() == Some(&Kind::Open('(')) {
            return Err(elsewhere::tuple(&mut self.cursor));
        }
        if self.cursor.peek() == Some(&Kind::Symbol('%')) {
            let help = "values have names without `%`: `return y;`";
            return Err(self.cursor.unexpected_with_help("a value or an operation", help));
        }
        elsewhere::not_a_value(&mut self.cursor)?;
        self.cursor.offer(Offer::Operation);
        let mut op = name(&mut self.cursor, "a value or an operation")?;
        self.without_path(&mut op);
        let rest = self.cursor.rest();
        if self.cursor.take(&Kind::Open('(')).is_none() {
            self.of_value(&op)?;
            return Ok(ExpressionSyntax::Name(op));
        }
        if depth + nested >= MAX_DEPTH {
            let message = format!("calls are nested deeper than {MAX_DEPTH}");
            self.cursor.report(op.span, message, "");
            return Err(Stop);
        }
        let before = self.cursor.diagnostics.len();
        let Ok(arguments) = self.arguments(&op, depth, nested) else {
            // The arguments of an unknown operation are not reported as well.
            let group = &rest[..Cursor::new(rest, self.cursor.end()).group_len()];
            if let Some(help) = elsewhere::unknown_operation(&op.text, group) {
                self.cursor.diagnostics.truncate(before);
                let call = group.last().map_or(op.span, |close| op.span.to(close.span));
                let span = if ops::is_call(&help) { call } else { op.span };
                self.cursor.report(span, format!("unknown operation `{}`", op.text), help);
            }
            return Err(Stop);
        };
        let rule = match self.cursor.take_symbol(':') {
            true => Some(self.rule()?),
            false => None,
        };
        let span = self.cursor.since(op.span);
        // Only the result of a whole statement can have a sharding; among arguments it would be read as a list.
        let mut splits = Vec::new();
        if nested == 0 {
            splits.extend(self.split()?);
            while self.another_split(splits.is_empty()) {
                self.cursor.next();
                splits.extend(self.split()?);
            }
        }
        Ok(ExpressionSyntax::Call(Box::new(CallSyntax { op, arguments, rule, splits, span })))
    }

    /// The arguments of an operation, and the `)` after them.
    fn arguments(
        &mut self,
        op: &NameSyntax<S>,
        depth: usize,
        nested: usize,
    ) -> Parsed<Vec<ArgumentSyntax<S>>> {
        let mut arguments = Vec::new();
        while self.cursor.take(&Kind::Close(')')).is_none() {
            self.text(op)?;
            self.specification(op, &arguments)?;
            arguments.push(self.argument(depth, nested + 1)?);
            if !self.cursor.take_symbol(',') {
                self.cursor.expect_close(')')?;
                break;
            }
        }
        Ok(arguments)
    }

    /// Reports a path instead of the name of an operation, and keeps its last name.
    fn without_path(&mut self, op: &mut NameSyntax<S>) {
        let first = op.span;
        let mut has_path = false;
        while MODULES.contains(&op.text.as_str())
            && let (Some(Kind::Symbol('.')), Some(Kind::Word(name))) =
                (self.cursor.peek(), self.cursor.peek_nth(1))
        {
            op.text.clone_from(name);
            self.cursor.take_many(2);
            op.span = self.cursor.since(first);
            // A name that is not an operation is reported when it is looked up.
            if !MODULES.contains(&name.as_str()) && ops::foreign_help(name).is_none() {
                let help = format!("write `{name}`");
                self.cursor.report(op.span, "an operation is a single name, not a path", help);
            }
        }
        while let (Some(Kind::Symbol(':')), Some(Kind::Symbol(':')), Some(Kind::Word(name))) =
            (self.cursor.peek(), self.cursor.peek_nth(1), self.cursor.peek_nth(2))
        {
            op.text.clone_from(name);
            self.cursor.take_many(3);
            op.span = self.cursor.since(first);
            has_path = true;
        }
        if has_path {
            let message = "an operation is a single name, not a path";
            let help = format!(
                "write `{0}(x)`, or with a rule of your own `{0}(x) : rules::Rule`",
                op.text
            );
            self.cursor.report(op.span, message, help);
        }
    }

    /// Whether the sharding of another result follows.
    fn another_split(&self, none: bool) -> bool {
        let starts = matches!(self.cursor.peek_nth(1), Some(Kind::Open('[') | Kind::Symbol('@')));
        !none && starts && self.cursor.peek() == Some(&Kind::Symbol(','))
    }

    /// A rule, written out or as a path. After a path, the call or its argument must end.
    fn rule(&mut self) -> Parsed<RuleUseSyntax<S>> {
        let mut at = 0;
        while matches!(self.cursor.peek_nth(at), Some(Kind::Word(_) | Kind::Symbol(':'))) {
            at += 1;
        }
        let is_path = at > 0
            && matches!(
                self.cursor.peek_nth(at),
                Some(Kind::Symbol(';' | '@') | Kind::Open('[') | Kind::Close(')')) | None
            );
        if !is_path {
            return rule(&mut self.cursor).map(RuleUseSyntax::Written);
        }
        let path = path(&mut self.cursor, "the name of a rule")?;
        if !self.rules.iter().any(|rule| rule.text == path.text) {
            self.rules.push(path.clone());
        }
        Ok(RuleUseSyntax::Named(path))
    }

    fn argument(&mut self, depth: usize, nested: usize) -> Parsed<ArgumentSyntax<S>> {
        let span = self.cursor.span();
        elsewhere::operands_in_brackets(&mut self.cursor)?;
        match (self.cursor.peek(), self.cursor.peek_nth(1)) {
            (Some(Kind::Symbol('-')), Some(Kind::Word(_) | Kind::Open('('))) => {
                self.expression(depth, nested).map(ArgumentSyntax::Value)
            }
            (Some(Kind::Open('[') | Kind::Number(_) | Kind::Symbol('-')), _) => {
                let attribute = self.attribute()?;
                Ok(ArgumentSyntax::Attribute(attribute, self.cursor.since(span)))
            }
            (Some(Kind::Word(_)), Some(Kind::Open('[')))
                if !elsewhere::is_indexed(&self.cursor, &self.parameters) =>
            {
                array(&mut self.cursor).map(Box::new).map(ArgumentSyntax::Array)
            }
            (Some(Kind::Word(_)), Some(Kind::Symbol('=')))
                if self.cursor.peek_nth(2) != Some(&Kind::Symbol('=')) =>
            {
                let mut name = name(&mut self.cursor, "the name of an attribute")?;
                self.cursor.next();
                if self.cursor.peek() == Some(&Kind::Open('(')) {
                    return Err(elsewhere::named_tuple(&mut self.cursor, &name));
                }
                let attribute = self.attribute()?;
                name.span = self.cursor.since(span);
                Ok(ArgumentSyntax::Named(name, attribute))
            }
            _ => self.expression(depth, nested).map(ArgumentSyntax::Value),
        }
    }

    fn attribute(&mut self) -> Parsed<AttributeSyntax<S>> {
        match self.cursor.peek() {
            Some(Kind::Open('[')) => {
                self.cursor.next();
                list(&mut self.cursor, ']', number).map(AttributeSyntax::List)
            }
            Some(Kind::Word(word)) => {
                self.cursor.next();
                Ok(AttributeSyntax::Word(word.clone()))
            }
            // No attribute has such a value, which is reported with the name of the attribute.
            Some(Kind::Text(word)) => {
                self.cursor.next();
                Ok(AttributeSyntax::Word(format!("{word:?}")))
            }
            _ => number(&mut self.cursor).map(AttributeSyntax::Number),
        }
    }
}
