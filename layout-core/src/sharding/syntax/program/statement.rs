//! The statements of a body.

use super::elsewhere;
use super::parse::{MAX_DEPTH, Reader, name};
use super::regions::{begins_statement, is_region};
use super::{
    BodySyntax, ExpressionSyntax, NameSyntax, PlacedSyntax, StatementSyntax, TargetSyntax,
};
use crate::syntax::{Cursor, Kind, Parsed, Span, Stop, Token, list, nearest, written};
use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

/// The names that the statement with these tokens defines: `y` in `let y = ..`.
fn declared<S: Span>(statement: &[Token<S>]) -> Vec<NameSyntax<S>> {
    let targets = statement.iter().take_while(|token| token.kind != Kind::Symbol('='));
    let names = targets.filter_map(|token| match &token.kind {
        Kind::Word(text) if text != "let" => {
            Some(NameSyntax { text: text.clone(), span: token.span })
        }
        _ => None,
    });
    let names: Vec<_> = names.collect();
    match statement.first() {
        Some(first) if names.is_empty() => {
            vec![NameSyntax { text: String::new(), span: first.span }]
        }
        _ => names,
    }
}

/// The words that define a value in other languages.
const DECLARATIONS: [&str; 6] = ["const", "var", "val", "auto", "static", "final"];

impl<S: Span> Reader<'_, S> {
    pub(super) fn body(&mut self, depth: usize) -> Parsed<BodySyntax<S>> {
        let open = self.cursor.expect(&Kind::Open('{'))?;
        if depth == MAX_DEPTH {
            let message = format!("bodies are nested deeper than {MAX_DEPTH}");
            self.cursor.report(open, message, "");
            return Err(Stop);
        }
        let (mut statements, mut returns) = (Vec::new(), Vec::new());
        let mut is_wrong = false;
        while !matches!(self.cursor.peek(), None | Some(Kind::Close(_))) {
            let start = self.cursor.taken();
            let read = match () {
                () if self.cursor.is_word("return") => {
                    self.cursor.next();
                    self.returned(depth, &mut returns)
                }
                () if let Some((len, text)) = elsewhere::last_value(&self.cursor) => {
                    let mut ahead = Cursor::new(self.cursor.rest(), self.cursor.end());
                    let first = ahead.span();
                    let span = ahead.take_many(len).unwrap_or(first);
                    let help = format!("write `return {text};`");
                    self.cursor.report(span, "a body ends with `return`", help);
                    self.is_complete = false;
                    let value = self.expression(depth, usize::from(depth > 0));
                    value.map(|value| returns.push((value, None)))
                }
                () => self.statement(depth).map(|statement| statements.push(statement)),
            };
            if read.is_err() {
                is_wrong = true;
                // A statement without its semicolon ends where the next one begins.
                self.cursor.recover(start, |cursor| {
                    let begins = |word: &str| begins_statement(word) && cursor.taken() > start;
                    matches!(cursor.peek(), Some(Kind::Word(word)) if begins(word))
                        || cursor.at_semicolon()
                });
                statements.push(StatementSyntax::Wrong(declared(self.cursor.from(start))));
                self.cursor.take_symbol(';');
            } else if !returns.is_empty() {
                break;
            }
        }
        let end = match self.cursor.take(&Kind::Close('}')) {
            Some(end) => end,
            None if is_wrong => return Err(Stop),
            None if returns.is_empty() => {
                let help = "a body ends with `return y;`";
                return Err(self.cursor.unexpected_with_help("`let` or `return`", help));
            }
            None => {
                let help = "`return` is the last statement";
                return Err(self.cursor.unexpected_with_help("`}`", help));
            }
        };
        self.is_complete &= !is_wrong;
        // If a statement of a body is wrong, the values that the body returns are unknown.
        if is_wrong && depth > 0 { Err(Stop) } else { Ok(BodySyntax { statements, returns, end }) }
    }

    fn statement(&mut self, depth: usize) -> Parsed<StatementSyntax<S>> {
        if self.cursor.is_word("let") {
            self.cursor.next();
            if self.cursor.is_word("mut") && matches!(self.cursor.peek_nth(1), Some(Kind::Word(_)))
            {
                let span = self.cursor.span();
                self.cursor.report(span, "values do not change", "leave the `mut` out");
                self.cursor.next();
            }
            return self.definition(depth, true);
        }
        if self.cursor.is_word("group") {
            self.cursor.next();
            self.cursor.expect(&Kind::Open('('))?;
            let members = list(&mut self.cursor, ')', |cursor| name(cursor, "a value"))?;
            self.end_of_statement()?;
            return Ok(StatementSyntax::Group(members));
        }
        let help = match (self.cursor.peek(), self.cursor.peek_nth(1)) {
            (Some(Kind::Word(name)), Some(Kind::Symbol(':' | '='))) => {
                let help = format!("a value is defined with `let`: `let {name} = ..;`");
                self.cursor.unexpected_with_help("`let` or `return`", &help);
                self.is_complete = false;
                return self.definition(depth, false);
            }
            (Some(Kind::Word(word)), Some(Kind::Word(name)))
                if self.cursor.peek_nth(2) == Some(&Kind::Symbol('='))
                    && (DECLARATIONS.contains(&word.as_str())
                        || nearest(word, &["let"]).is_some()) =>
            {
                let help = format!("write `let {name} = ..;`");
                self.cursor.unexpected_with_help("`let`", &help);
                self.is_complete = false;
                self.cursor.next();
                return self.definition(depth, false);
            }
            (Some(Kind::Word(_)), Some(Kind::Close('}'))) => "a body ends with `return y;`".into(),
            (Some(Kind::Symbol('%')), _) => elsewhere::FILE.into(),
            (Some(Kind::Word(word)), _) if nearest(word, &["return", "let"]).is_some() => {
                format!("did you mean `{}`?", nearest(word, &["return", "let"]).unwrap_or_default())
            }
            (Some(Kind::Word(word)), _) if word == "for" || word == "while" => {
                "a loop computes values: `let y = while (x0 = x) { let x1 = tanh(x0); return x1; };`"
                    .into()
            }
            (Some(Kind::Word(word)), _) if word == "if" || word == "match" => {
                "a choice computes a value: `let y = case { return a; } { return b; };`".into()
            }
            _ => "statements are `let y = f(x);`, `group(x, y);` and `return y;`".into(),
        };
        Err(self.cursor.unexpected_with_help("`let` or `return`", &help))
    }

    /// `return x, y;`, after `return`.
    fn returned(
        &mut self,
        depth: usize,
        returns: &mut Vec<(ExpressionSyntax<S>, Option<PlacedSyntax<S>>)>,
    ) -> Parsed<()> {
        loop {
            // In a body, the sharding that follows belongs to the value as it leaves the body.
            let value = self.expression(depth, usize::from(depth > 0))?;
            returns.push((value, self.split()?));
            if !self.cursor.take_symbol(',') {
                return self.end_of_statement();
            }
        }
    }

    /// Whether the next statement defines a value without `let`: `y = tanh(x)`.
    fn defines_without_let(&self) -> bool {
        let next = [0, 1, 2].map(|nth| self.cursor.peek_nth(nth));
        matches!(next, [Some(Kind::Word(_)), Some(Kind::Symbol('=')), other] if other != Some(&Kind::Symbol('=')))
    }

    fn end_of_statement(&mut self) -> Parsed<()> {
        if self.cursor.take_symbol(';') {
            return Ok(());
        }
        let last = self.cursor.last();
        let help = match (last, self.cursor.peek()) {
            (_, Some(Kind::Symbol('.'))) => "an operation precedes its operands: `tanh(x)`",
            (Some(Kind::Word(_)), Some(Kind::Symbol(':'))) => {
                "leave the type out: it follows from the operation"
            }
            (Some(Kind::Word(_)), Some(Kind::Word(word)))
                if word != "let" && word != "return" && !self.defines_without_let() =>
            {
                "the operands of an operation go in parentheses: `tanh(x)`"
            }
            (_, next) => {
                let help = "a statement ends with `;`";
                let is_next = matches!(next, Some(Kind::Word(word)) if begins_statement(word))
                    || self.defines_without_let();
                let stop = self.cursor.unexpected_with_help("`;`", help);
                // The statement before is read, and so is the next one.
                self.is_complete = false;
                let ends = matches!(next, None | Some(Kind::Close('}')));
                return if is_next || ends { Ok(()) } else { Err(stop) };
            }
        };
        Err(self.cursor.unexpected_with_help("`;`", help))
    }

    /// Reads the text after `let`, if there is one; that it is missing has been reported.
    fn definition(&mut self, depth: usize, has_let: bool) -> Parsed<StatementSyntax<S>> {
        let mut targets = Vec::new();
        if self.cursor.take(&Kind::Open('(')).is_some() {
            while self.cursor.take(&Kind::Close(')')).is_none() {
                targets.push(self.target(has_let)?);
                if !self.cursor.take_symbol(',') {
                    self.cursor.expect_close(')')?;
                    break;
                }
            }
        } else {
            let (start, first) = (self.cursor.taken(), self.cursor.span());
            targets.push(self.target(has_let)?);
            // `v, i = top_k(x, 8)`, as in Python.
            while self.cursor.take_symbol(',') {
                targets.push(self.target(has_let)?);
            }
            if targets.len() > 1 {
                let text = written(self.cursor.from(start)).unwrap_or_default();
                let help = format!("write `let ({})`", text.replace(',', ", "));
                let message = "several results go in parentheses";
                self.cursor.report(self.cursor.since(first), message, help);
                self.is_complete = false;
            }
        }
        self.cursor.expect(&Kind::Symbol('='))?;
        let before = self.cursor.diagnostics.len();
        let value = match self.cursor.peek() {
            Some(Kind::Word(word)) if is_region(word, &self.cursor) => {
                ExpressionSyntax::Region(Box::new(self.region(depth)?))
            }
            _ => self.expression(depth, 0)?,
        };
        self.end_of_statement()?;
        // The value has parentheses, or the rest of the statement has been skipped: there is nothing to check.
        if self.cursor.diagnostics.len() > before && matches!(value, ExpressionSyntax::Name(_)) {
            return Err(Stop);
        }
        Ok(StatementSyntax::Let(targets, value))
    }

    fn target(&mut self, has_let: bool) -> Parsed<TargetSyntax<S>> {
        let name = name(&mut self.cursor, "the name of a value")?;
        let next = (self.cursor.peek(), self.cursor.peek_nth(1));
        if next == (Some(&Kind::Symbol(':')), Some(&Kind::Symbol('='))) {
            // `y := ..` is one mistake.
            if has_let {
                self.cursor.unexpected_with_help("`=`", "write `=`");
                self.is_complete = false;
            }
            self.cursor.next();
        } else if self.cursor.peek() == Some(&Kind::Symbol(':')) {
            let (first, start) = (self.cursor.span(), self.cursor.taken());
            self.cursor.skip_to(|cursor| {
                cursor.at_semicolon() || cursor.peek() == Some(&Kind::Symbol('='))
            });
            let span = self.cursor.since(first);
            let message = "a value has no type of its own";
            if self.cursor.taken() > start && self.cursor.peek() != Some(&Kind::Symbol('=')) {
                // `let y: tanh(x);`
                self.cursor.report(first, "expected `=`, found `:`", "write `=`");
                return Err(Stop);
            }
            if self.cursor.taken() > start {
                self.cursor.report(span, message, "leave it out: it follows from the operation");
                self.is_complete = false;
            }
        }
        Ok(TargetSyntax { name, split: self.split()? })
    }
}
