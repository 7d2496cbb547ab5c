//! The body of a kernel: its statements, and the schedule or type after each of them.

use super::body::{computed, statement};
use super::schedule::schedule;
use super::signature::{OperandSyntax, StepSyntax, dims, typed};
use super::subscript::SubscriptSyntax;
use super::{Name, name, tokens};
use crate::sparse_kernel::ElementType;
use crate::syntax::{Cursor, Kind, Parsed, Span, Stop, written};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// The statements of a body, and the schedule or type after each of them. The names that statements with mistakes compute are added
/// to `failed`. Temporaries without a type have elements of the type in which the `output` is computed.
pub(super) fn steps<S: Span>(
    cursor: &mut Cursor<'_, S>,
    output: Option<&OperandSyntax<S>>,
    failed: &mut Vec<String>,
) -> Parsed<Vec<StepSyntax<S>>> {
    if cursor.take(&Kind::Open('{')).is_none() {
        let help = "the statements of a kernel go in braces: `{ y[i] += a[i, j] * x[j] }`";
        return Err(cursor.unexpected_with_help("`{`", help));
    }
    let element = output.map(|output| output.element.clone());
    let element = element.unwrap_or(Name { text: "f64".into(), span: cursor.span() });
    let (mut steps, mut is_first): (Vec<StepSyntax<S>>, _) = (Vec::new(), true);
    loop {
        let start = cursor.taken();
        let target = usize::from(is_declaration(cursor));
        let target = match cursor.peek_nth(target) {
            Some(Kind::Word(word)) => word.as_str(),
            _ => "",
        };
        let read = cursor.part(Cursor::at_semicolon, |cursor| {
            let step = match core::mem::take(&mut is_first) || is_statement(cursor) {
                true => {
                    without_target(cursor, output)?;
                    Some(step(cursor, &element)?)
                }
                false => {
                    follows(cursor, steps.last_mut())?;
                    None
                }
            };
            match cursor.peek() {
                Some(Kind::Symbol(';') | Kind::Close('}')) => Ok(step),
                _ => Err(cursor.unexpected_with_help("`;`, `}` or an operator", &instead(cursor))),
            }
        });
        match read {
            Ok(step) => steps.extend(step),
            Err(Stop) => failed.push(target.into()),
        }
        while cursor.take_symbol(';') {}
        if cursor.take(&Kind::Close('}')).is_some() {
            return Ok(steps);
        }
        if cursor.taken() == start {
            return Err(Stop);
        }
    }
}

/// Reports a value that is not assigned to the output, `return a[i, j] * x[j]` or `a[i, j] * x[j]`.
fn without_target<S: Span>(
    cursor: &mut Cursor<'_, S>,
    output: Option<&OperandSyntax<S>>,
) -> Parsed<()> {
    let Some(output) = output else { return Ok(()) };
    let is_word = |nth| matches!(cursor.peek_nth(nth), Some(Kind::Word(_)));
    let subscripts = match cursor.peek_nth(1) {
        Some(Kind::Open('[')) => Cursor::new(&cursor.rest()[1..], cursor.span()).group_len(),
        _ => 0,
    };
    let [after, next] = [1, 2].map(|nth| cursor.peek_nth(subscripts + nth));
    let is_computed = is_word(0)
        && matches!(after, Some(Kind::Symbol('*' | '+' | '/')))
        && next != Some(&Kind::Symbol('='));
    let is_returned = cursor.is_word("return") && is_word(1);
    if !is_computed && !is_returned {
        return Ok(());
    }
    let target = format!("{} =", output.access());
    if is_returned {
        let span = cursor.take_many(1).unwrap_or(cursor.span());
        cursor.report(span, "expected a statement, found `return`", format!("write `{target}`"));
    } else {
        let first = cursor.span();
        cursor.skip_to(|cursor| cursor.at_semicolon());
        let help = format!("write `{target}` before it");
        cursor.report(cursor.since(first), "a statement assigns a value to an output", help);
    }
    Err(Stop)
}

/// Reads the text after a statement: a schedule, or the type in which the statement is computed.
fn follows<S: Span>(cursor: &mut Cursor<'_, S>, step: Option<&mut StepSyntax<S>>) -> Parsed<()> {
    if !cursor.is_word("accumulator") {
        let schedule = schedule(cursor)?;
        step.into_iter().for_each(|step| step.schedule.push(schedule.clone()));
        return Ok(());
    }
    let (accumulator, span) = accumulator(cursor)?;
    let Some(step) = step else { return Ok(()) };
    if step.accumulator.take().is_some() {
        cursor.report(span, "a statement has one accumulator", "remove one of them");
        return Err(Stop);
    }
    step.accumulator = Some(accumulator);
    Ok(())
}

/// Whether a statement comes next, rather than a schedule.
fn is_statement<S: Span>(cursor: &Cursor<'_, S>) -> bool {
    let operator = |nth| match cursor.peek_nth(nth) {
        Some(Kind::Symbol('=')) => true,
        Some(Kind::Symbol('+' | '*' | '-')) => cursor.peek_nth(nth + 1) == Some(&Kind::Symbol('=')),
        Some(Kind::Word(word)) if word == "min" || word == "max" => {
            cursor.peek_nth(nth + 1) == Some(&Kind::Symbol('='))
        }
        _ => false,
    };
    let word = matches!(cursor.peek(), Some(Kind::Word(_)));
    let target = matches!(cursor.peek_nth(1), Some(Kind::Open('['))) || operator(1);
    is_declaration(cursor) || (word && target)
}

/// Whether the declaration of a temporary comes next. `r#let[i] = ..` computes an operand that is called `let`.
fn is_declaration<S: Span>(cursor: &Cursor<'_, S>) -> bool {
    cursor.is_word("let") && matches!(cursor.peek_nth(1), Some(Kind::Word(_)))
}

/// Reads a statement, or the declaration of a temporary. The elements of a temporary without a type have the type in which the
/// first output, with elements of type `element`, is computed.
fn step<S: Span>(cursor: &mut Cursor<'_, S>, element: &Name<S>) -> Parsed<StepSyntax<S>> {
    let (schedule, accumulator) = (Vec::new(), None);
    if let (Some(Kind::Word(word)), Some(Kind::Word(_))) = (cursor.peek(), cursor.peek_nth(1))
        && matches!(word.as_str(), "for" | "while" | "if" | "loop" | "match")
    {
        let help = match word.as_str() {
            "if" | "match" => {
                "a condition comes at the end of its statement: `y[i] += a[i, j] if a[i, j] > 0`"
            }
            _ => {
                "a kernel consists of statements, and its loops follow from them: `y[i] += a[i, j] * x[j]`"
            }
        };
        return Err(cursor.unexpected_with_help("a statement", help));
    }
    if !is_declaration(cursor) {
        let statement = statement(cursor)?;
        return Ok(StepSyntax { declared: None, statement, schedule, accumulator });
    }
    cursor.next();
    if cursor.is_word("mut") && matches!(cursor.peek_nth(1), Some(Kind::Word(_))) {
        let span = cursor.take_many(1).unwrap_or(cursor.span());
        cursor.report(span, "a temporary is computed once", "leave the `mut` out");
    }
    let target = name(cursor, "the name of a temporary: `let t[i] = a[i, j]`")?;
    let declared = match cursor.take_symbol(':') {
        true => typed(cursor, target.clone())?,
        false => {
            let dims = dims(cursor)?;
            let wide = ElementType::parse(&element.text).map(ElementType::wide);
            let text = wide.map_or_else(|| element.text.clone(), |wide| wide.name().into());
            let element = Name { text, span: element.span };
            OperandSyntax::made(target.clone(), element, dims)
        }
    };
    let target_span = cursor.since(target.span);
    let subscripts = declared.dims.iter().map(SubscriptSyntax::index).collect();
    let statement = computed(cursor, target, subscripts, target_span)?;
    Ok(StepSyntax { declared: Some(declared), statement, schedule, accumulator })
}

/// `accumulator(f64)`: the type, and the location of the whole.
fn accumulator<S: Span>(cursor: &mut Cursor<'_, S>) -> Parsed<(Name<S>, S)> {
    let first = cursor.span();
    cursor.next();
    cursor.expect(&Kind::Open('('))?;
    if matches!(cursor.peek(), None | Some(Kind::Close(_))) {
        return Err(cursor.unexpected("the type to compute in: `accumulator(f64)`"));
    }
    let len = cursor.rust("write a type: `f64`", |rust, at| rust.ty(at))?.len;
    let element = tokens(cursor, 0..len);
    cursor.take_many(len);
    cursor.expect_close(')')?;
    Ok((element, cursor.since(first)))
}

/// Whether `y[i] =` or `y[i] +=` comes next.
fn is_assignment<S: Span>(cursor: &Cursor<'_, S>) -> bool {
    let mut ahead = Cursor::new(cursor.rest(), cursor.end());
    ahead.next();
    if ahead.peek() == Some(&Kind::Open('[')) {
        ahead.skip_group();
    }
    ahead.take_symbol('+');
    ahead.peek() == Some(&Kind::Symbol('='))
}

/// Whether an assignment follows the next token.
fn is_statement_after<S: Span>(cursor: &Cursor<'_, S>) -> bool {
    let rest = cursor.rest().get(1..).unwrap_or_default();
    is_assignment(&Cursor::new(rest, cursor.end()))
}

/// The value that ends before the next token, `a[i, j]` or `alpha`.
fn value_before<S: Span>(cursor: &Cursor<'_, S>) -> Option<String> {
    let tokens = cursor.from(0);
    let open = match tokens.last()?.kind {
        Kind::Close(']') => {
            tokens.iter().rposition(|token| token.kind == Kind::Open('['))?.checked_sub(1)?
        }
        _ => tokens.len() - 1,
    };
    matches!(tokens[open].kind, Kind::Word(_)).then(|| written(&tokens[open..]))?
}

/// The help for text that cannot follow a statement: `.abs()`, for example, is written `abs(..)`.
fn instead<S: Span>(cursor: &Cursor<'_, S>) -> String {
    let help = match cursor.peek() {
        Some(Kind::Symbol('.'))
            if matches!(cursor.peek_nth(1), Some(Kind::Word(_)))
                && cursor.peek_nth(2) == Some(&Kind::Open('[')) =>
        {
            "a product of two elements is written `a[i, j] * b[i, j]`"
        }
        Some(Kind::Symbol('.')) if let Some(Kind::Word(function)) = cursor.peek_nth(1) => {
            return alloc::format!("write a function before its argument: `{function}(..)`");
        }
        Some(Kind::Word(_)) if is_assignment(cursor) => "a `;` separates two statements",
        Some(Kind::Word(_)) if cursor.peek_nth(1) == Some(&Kind::Open('[')) => {
            let (before, next) = (value_before(cursor), cursor.rest());
            let next = Cursor::new(&next[1..], cursor.end()).group_len() + 1;
            let next = written(&cursor.rest()[..next]);
            return match before.zip(next).filter(|(left, right)| left.len() + right.len() < 80) {
                Some((left, right)) => {
                    alloc::format!("write an operator: `{left} * {right}`").replace(',', ", ")
                }
                None => "write an operator between two values: `a[i, j] * x[j]`".into(),
            };
        }
        Some(Kind::Symbol('.'))
            if matches!(cursor.peek_nth(1), Some(Kind::Symbol('*' | '+' | '-' | '/'))) =>
        {
            "leave the `.` out: an operator acts on the elements with the same indices"
        }
        Some(Kind::Symbol('.')) => "write a function before its argument: `abs(a[i])`",
        Some(Kind::Symbol(',')) if is_statement_after(cursor) => "a `;` separates two statements",
        Some(Kind::Symbol('^')) => "a power is `pow(x, 2)`",
        Some(Kind::Symbol('&')) if cursor.peek_nth(1) == Some(&Kind::Symbol('&')) => {
            "write `(x) * (y)`: a product is not zero where both values are not zero"
        }
        Some(Kind::Symbol('|')) if cursor.peek_nth(1) == Some(&Kind::Symbol('|')) => {
            "write `max(x, y)`, which is not zero where one of the values is not zero"
        }
        Some(Kind::Symbol('%' | '&' | '|')) => {
            "call a Rust function for any other operator: `call(|x, y| x % y, a[i], b[i])`"
        }
        Some(Kind::Symbol('?')) => "write `select(c, x, y)`, which is `x` where `c` is not zero",
        Some(Kind::Symbol('@')) => {
            "a product is `*`, and is summed over the indices that the output does not have"
        }
        Some(Kind::Open('[')) => "write all subscripts in one pair of brackets: `a[i, j]`",
        Some(Kind::Word(word)) if word == "as" => {
            "leave it out: values are converted to the type in which the output is computed"
        }
        Some(Kind::Word(word)) if matches!(word.as_str(), "where" | "when") => {
            let mut ahead = Cursor::new(cursor.rest(), cursor.end());
            ahead.next();
            let first = ahead.taken();
            ahead.skip_to(Cursor::at_semicolon);
            let condition = crate::syntax::written(ahead.from(first));
            let condition = condition.filter(|text| !text.is_empty() && text.len() < 80);
            return match condition {
                Some(condition) => alloc::format!("a condition follows `if`: `if {condition}`"),
                None => "a condition follows `if`: `if j < i`".into(),
            };
        }
        Some(Kind::Word(word)) if matches!(word.as_str(), "for" | "forall" | "over") => {
            "leave it out: a statement runs for all values of its indices"
        }
        Some(Kind::Symbol(',') | Kind::Word(_)) => {
            "write a schedule after a semicolon: `; parallel(i)`"
        }
        _ => "",
    };
    help.into()
}
