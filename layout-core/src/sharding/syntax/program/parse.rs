use super::super::jax::jax;
use super::super::rule_forms::rule;
use super::super::tensor::split;
use super::elsewhere::{self, Sizes};
use super::functions;
use super::header::Header;
use super::numbers::{Constants, evaluated};
use super::regions::{begins_statement, is_region};
use super::{
    ArgumentSyntax, AttributeSyntax, BodySyntax, CallSyntax, ExpressionSyntax, FunctionSyntax,
    NameSyntax, ParameterSyntax, PlacedSyntax, ProgramSyntax, RuleUseSyntax, StatementSyntax,
    TargetSyntax,
};
use crate::sharding::ops;
use crate::syntax::{
    Cursor, HEAD, Head, Kind, Offer, Parsed, Span, Stop, Token, list, nearest, number,
};
use crate::tiled::syntax::array;
use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// The largest depth of nested calls and bodies, because the parser is recursive.
const MAX_DEPTH: usize = 64;

/// Reads a program: `mesh Pod; fn f(x: f32[8] [{"data"}]) { let y = tanh(x); return y; }`. `None` if reading had to
/// stop.
pub fn parse_program<S: Span>(cursor: &mut Cursor<'_, S>) -> Option<ProgramSyntax<S>> {
    program(cursor).ok()
}

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
    let is_complete = !head.is_wrong && functions.iter().all(|function| function.is_complete);
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
    if is_python {
        // The function is read as well.
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
    let inner = Cursor::new(&tokens, cursor.end());
    let (failed, parameters) = (Vec::new(), Vec::new());
    let mut reader = Reader { cursor: inner, rules, is_complete: true, failed, parameters };
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

/// The names that the statement with these tokens defines: `y` in `let y = ..`.
fn declared<S: Span>(statement: &[Token<S>]) -> Vec<NameSyntax<S>> {
    let targets = statement.iter().take_while(|token| token.kind != Kind::Symbol('='));
    let names = targets.filter_map(|token| match &token.kind {
        Kind::Word(text) if text != "let" => {
            Some(NameSyntax { text: text.clone(), span: token.span })
        }
        _ => None,
    });
    names.collect()
}

/// Reads a function, and collects the rules that it names.
pub(super) struct Reader<'t, S> {
    pub(super) cursor: Cursor<'t, S>,
    rules: Vec<NameSyntax<S>>,
    /// Whether all of it could be read. Mistakes have been reported.
    pub(super) is_complete: bool,
    /// The parameters that could not be read.
    failed: Vec<NameSyntax<S>>,
    /// The parameters that have numbers as sizes.
    pub(super) parameters: Vec<Sizes>,
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
                if let Some(Kind::Word(text)) = name {
                    parameters.retain(|other: &ParameterSyntax<S>| other.name.text != text);
                    self.failed.push(NameSyntax { text, span });
                }
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
            // The body of the function is read as well.
            self.cursor.skip_to(|cursor| cursor.peek() == Some(&Kind::Open('{')));
            let span = self.cursor.since(first);
            self.cursor.report(span, "expected `{`, found the type of a result", help);
        }
        Ok((parameters, self.body(0)?))
    }

    fn parameter(&mut self) -> Parsed<ParameterSyntax<S>> {
        let name = name(&mut self.cursor, "the name of a parameter")?;
        if !self.cursor.take_symbol(':') {
            let help = "a parameter has a name and an array: `x: f32[8,16]`";
            return Err(self.cursor.unexpected_with_help("`:`", help));
        }
        if self.cursor.peek() == Some(&Kind::Symbol('&')) {
            let help = "leave it out: a program has arrays, and no references";
            self.cursor.unexpected_with_help("an element type", help);
            self.is_complete = false;
            self.cursor.next();
        }
        let array = array(&mut self.cursor);
        // Attributes can also follow a type of MLIR, which has been reported.
        if self.cursor.peek() == Some(&Kind::Open('{')) {
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
            return self.definition(depth);
        }
        if self.cursor.is_word("group") {
            self.cursor.next();
            self.cursor.expect(&Kind::Open('('))?;
            let members = list(&mut self.cursor, ')', |cursor| name(cursor, "a value"))?;
            self.end_of_statement()?;
            return Ok(StatementSyntax::Group(members));
        }
        let help = match (self.cursor.peek(), self.cursor.peek_nth(1)) {
            (Some(Kind::Word(name)), Some(Kind::Symbol('='))) => {
                format!("a value is defined with `let`: `let {name} = ..;`")
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

    fn end_of_statement(&mut self) -> Parsed<()> {
        if self.cursor.take_symbol(';') {
            return Ok(());
        }
        let last = self.cursor.last();
        let help = match (last, self.cursor.peek()) {
            (_, Some(Kind::Symbol(symbol))) if elsewhere::operator(*symbol).is_some() => {
                let help = elsewhere::operator(*symbol).unwrap_or_default();
                match elsewhere::operation(&self.cursor) {
                    Some(operation) => {
                        let first = self.cursor.from(self.cursor.taken() - 1)[0].span;
                        let message = format!("an operation has a name, found `{symbol}`");
                        self.cursor.take_many(2);
                        let span = self.cursor.since(first);
                        self.cursor.report(span, message, format!("write `{operation}`"));
                    }
                    None => {
                        self.cursor.unexpected_with_help("`;`", help);
                    }
                }
                // The first operand is checked as if nothing followed it.
                self.is_complete = false;
                self.cursor.skip_to(Cursor::at_semicolon);
                self.cursor.take_symbol(';');
                return Ok(());
            }
            (_, Some(Kind::Symbol('.'))) => "an operation precedes its operands: `tanh(x)`",
            (Some(Kind::Word(_)), Some(Kind::Word(word))) if word != "let" && word != "return" => {
                "the operands of an operation go in parentheses: `tanh(x)`"
            }
            (_, next) => {
                let help = "a statement ends with `;`";
                let is_next = matches!(next, Some(Kind::Word(word)) if begins_statement(word));
                let stop = self.cursor.unexpected_with_help("`;`", help);
                // The statement before is read, and so is the next one.
                self.is_complete = false;
                let ends = matches!(next, None | Some(Kind::Close('}')));
                return if is_next || ends { Ok(()) } else { Err(stop) };
            }
        };
        Err(self.cursor.unexpected_with_help("`;`", help))
    }

    /// Reads the text after `let`.
    fn definition(&mut self, depth: usize) -> Parsed<StatementSyntax<S>> {
        let mut targets = Vec::new();
        if self.cursor.take(&Kind::Open('(')).is_some() {
            while self.cursor.take(&Kind::Close(')')).is_none() {
                targets.push(self.target()?);
                if !self.cursor.take_symbol(',') {
                    self.cursor.expect_close(')')?;
                    break;
                }
            }
        } else {
            targets.push(self.target()?);
        }
        self.cursor.expect(&Kind::Symbol('='))?;
        let value = match self.cursor.peek() {
            Some(Kind::Word(word)) if is_region(word, &self.cursor) => {
                ExpressionSyntax::Region(Box::new(self.region(depth)?))
            }
            _ => self.expression(depth, 0)?,
        };
        let before = self.cursor.diagnostics.len();
        self.end_of_statement()?;
        // Of `x + y` nothing is left to check.
        if self.cursor.diagnostics.len() > before && matches!(value, ExpressionSyntax::Name(_)) {
            return Err(Stop);
        }
        Ok(StatementSyntax::Let(targets, value))
    }

    fn target(&mut self) -> Parsed<TargetSyntax<S>> {
        let name = name(&mut self.cursor, "the name of a value")?;
        if self.cursor.peek() == Some(&Kind::Symbol(':')) {
            let (first, start) = (self.cursor.span(), self.cursor.taken());
            self.cursor.skip_to(|cursor| {
                cursor.at_semicolon() || cursor.peek() == Some(&Kind::Symbol('='))
            });
            let span = self.cursor.since(first);
            let message = "a value has no type of its own";
            if self.cursor.taken() > start {
                self.cursor.report(span, message, "leave it out: it follows from the operation");
                self.is_complete = false;
            }
        }
        Ok(TargetSyntax { name, split: self.split()? })
    }

    /// `[{"data"}, {}]` or `@Ring [{"x"}]`, if it follows.
    pub(super) fn split(&mut self) -> Parsed<Option<PlacedSyntax<S>>> {
        let mesh = match self.cursor.take_symbol('@') {
            true => Some(path(&mut self.cursor, "the name of a mesh")?),
            false if self.cursor.peek() == Some(&Kind::Open('[')) => None,
            // The text after this mistake is read as well.
            false => {
                self.is_complete &= jax(&mut self.cursor, "").is_ok();
                return Ok(None);
            }
        };
        Ok(Some(PlacedSyntax { mesh, split: split(&mut self.cursor)? }))
    }

    /// Reports a minus sign, `-x`.
    fn signed(&mut self) -> Parsed<()> {
        let help = match (self.cursor.peek(), self.cursor.peek_nth(1)) {
            (Some(Kind::Symbol('-')), Some(Kind::Word(value))) => format!("write `neg({value})`"),
            (Some(Kind::Symbol('!' | '~')), Some(Kind::Word(value))) => {
                format!("write `not({value})`")
            }
            _ => return Ok(()),
        };
        Err(self.cursor.unexpected_with_help("a value or an operation", &help))
    }

    /// An expression inside `depth` bodies and `nested` calls.
    pub(super) fn expression(
        &mut self,
        depth: usize,
        nested: usize,
    ) -> Parsed<ExpressionSyntax<S>> {
        if self.cursor.peek() == Some(&Kind::Open('(')) {
            return Err(elsewhere::tuple(&mut self.cursor));
        }
        if self.cursor.peek() == Some(&Kind::Symbol('%')) {
            let help = "values have names without `%`: `return y;`";
            return Err(self.cursor.unexpected_with_help("a value or an operation", help));
        }
        self.signed()?;
        elsewhere::not_a_value(&mut self.cursor)?;
        self.cursor.offer(Offer::Operation);
        let mut op = name(&mut self.cursor, "a value or an operation")?;
        self.without_path(&mut op);
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
            if let Some(help) = elsewhere::unknown_operation(&op.text) {
                self.cursor.diagnostics.truncate(before);
                self.cursor.report(op.span, format!("unknown operation `{}`", op.text), help);
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
                if let Some(Kind::Symbol(symbol)) = self.cursor.peek()
                    && let Some(help) = elsewhere::operator(*symbol)
                {
                    return Err(self.cursor.unexpected_with_help("`,` or `)`", help));
                }
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
                self.cursor.report(op.span, "an operation has a name, and no path", help);
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
            let message = "an operation has a name, and no path";
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
            (Some(Kind::Open('[') | Kind::Number(_) | Kind::Symbol('-')), _) => {
                let attribute = self.attribute()?;
                Ok(ArgumentSyntax::Attribute(attribute, self.cursor.since(span)))
            }
            (Some(Kind::Word(_)), Some(Kind::Open('[')))
                if !elsewhere::is_indexed(&self.cursor, &self.parameters) =>
            {
                array(&mut self.cursor).map(Box::new).map(ArgumentSyntax::Array)
            }
            (Some(Kind::Word(_)), Some(Kind::Symbol('='))) => {
                let mut name = name(&mut self.cursor, "the name of an attribute")?;
                self.cursor.next();
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
            _ => number(&mut self.cursor).map(AttributeSyntax::Number),
        }
    }
}
