use super::expr::{ExprSyntax, FunctionSyntax, constant, expr, function, semiring};
use super::subscript::{SubscriptSyntax, subscript};
use super::{Name, name};
use crate::sparse_kernel::Monoid;
use crate::sparse_kernel::ir::Reduction;
use crate::syntax::{Cursor, Kind, Parsed, Span, Stop, list, nearest, written};
use alloc::format;
use alloc::vec::Vec;

/// `y[i] += a[i, j] * x[j]`
#[derive(Clone, Debug)]
pub struct StatementSyntax<S> {
    /// The target: the operand that is written.
    pub target: Name<S>,
    /// The subscripts of the target.
    pub subscripts: Vec<SubscriptSyntax<S>>,
    /// The location of the target with its subscripts.
    pub target_span: S,
    /// How several values become one.
    pub reduction: ReductionSyntax<S>,
    /// The value that is written.
    pub value: ExprSyntax<S>,
    /// The condition, if any: the statement writes only if the condition is not zero.
    pub guard: Option<ExprSyntax<S>>,
    /// The location of the statement.
    pub span: S,
}

impl<S: Span> StatementSyntax<S> {
    /// A placeholder for a statement that could not be read.
    pub fn absent(target: &Name<S>) -> Self {
        Self {
            target: target.clone(),
            subscripts: Vec::new(),
            target_span: target.span,
            reduction: ReductionSyntax::Assign,
            value: ExprSyntax::Name(target.clone()),
            guard: None,
            span: target.span,
        }
    }
}

/// How several values become one.
#[derive(Clone, Debug)]
pub enum ReductionSyntax<S> {
    /// `=`, which also sums over the indices that the target does not have.
    Assign,
    /// `+=`
    Sum,
    /// `*=`
    Product,
    /// `min=`
    Min,
    /// `max=`
    Max,
    /// `= min.plus(..)` or, with the operator of the same monoid, `min= min.plus(..)`, which combines the result with the
    /// values of the target.
    Semiring {
        /// The monoid.
        monoid: Monoid,
        /// Whether the statement combines the result with the values of the target.
        accumulates: bool,
        /// The location of the monoid's name.
        span: S,
    },
    /// `= argmin(x, j)`, `= argmax(x, j)`: the first index with the smallest or the largest value.
    Witness {
        /// Whether the value is the largest one.
        largest: bool,
        /// The index.
        index: Name<S>,
        /// The location of the function's name.
        span: S,
    },
    /// `= reduce(function, identity, ..)`
    Custom {
        /// The function of two values.
        function: FunctionSyntax<S>,
        /// The start: a value, or a function without arguments.
        identity: FunctionSyntax<S>,
    },
}

pub(super) fn statement<S: Span>(cursor: &mut Cursor<'_, S>) -> Parsed<StatementSyntax<S>> {
    let target = name(cursor, "a statement: `y[i] += a[i, j] * x[j]`")?;
    mask(cursor);
    let subscripts = match cursor.peek() {
        Some(Kind::Open('[')) => {
            cursor.next();
            list(cursor, ']', subscript)?
        }
        // This mistake has been reported; the following tokens are read to find further mistakes.
        Some(Kind::Open(open @ ('(' | '{'))) => {
            let len = cursor.group_len();
            cursor.next();
            let close = if *open == '(' { ')' } else { '}' };
            let subscripts = list(cursor, close, subscript)?;
            let text =
                written(cursor.from(cursor.taken() + 1 - len).get(..len - 2).unwrap_or_default());
            let help = match text {
                Some(text) => format!("write `{}[{}]`", target.text, text.replace(',', ", ")),
                None => "write `[` and `]`".into(),
            };
            let message = "subscripts go in brackets";
            cursor.report(cursor.since(target.span), message, help);
            subscripts
        }
        _ => Vec::new(),
    };
    let target_span = cursor.since(target.span);
    mask(cursor);
    computed(cursor, target, subscripts, target_span)
}

/// Reports and skips the mask of `c<m>[i, j] += ..`, as GraphBLAS writes it.
fn mask<S: Span>(cursor: &mut Cursor<'_, S>) {
    let (Some(Kind::Symbol('<')), Some(Kind::Word(mask)), Some(Kind::Symbol('>'))) =
        (cursor.peek(), cursor.peek_nth(1), cursor.peek_nth(2))
    else {
        return;
    };
    let help = format!("a mask is a condition after the statement: `if {mask}[i, j] != 0`");
    let first = cursor.span();
    let span = cursor.take_many(3).unwrap_or(first);
    cursor.report(span, "expected the subscripts of the output, found a mask", help);
}

/// Reads the tokens after the target of a statement.
pub(super) fn computed<S: Span>(
    cursor: &mut Cursor<'_, S>,
    target: Name<S>,
    subscripts: Vec<SubscriptSyntax<S>>,
    target_span: S,
) -> Parsed<StatementSyntax<S>> {
    let mut reduction = operator(cursor)?;
    let value = match reduction {
        ReductionSyntax::Assign if cursor.is_word("reduce") => {
            cursor.next();
            cursor.expect(&Kind::Open('('))?;
            let function = function(cursor)?;
            cursor.expect(&Kind::Symbol(','))?;
            let identity = constant(cursor)?;
            cursor.expect(&Kind::Symbol(','))?;
            reduction = ReductionSyntax::Custom { function, identity };
            let value = expr(cursor, 0)?;
            cursor.expect_close(')')?;
            value
        }
        ReductionSyntax::Assign if is_witness(cursor) => {
            let span = cursor.span();
            let largest = cursor.is_word("argmax");
            cursor.next();
            cursor.expect(&Kind::Open('('))?;
            let value = expr(cursor, 0)?;
            cursor.expect(&Kind::Symbol(','))?;
            let index = name(cursor, "an index: `argmin(a[i, j], j)`")?;
            cursor.expect_close(')')?;
            reduction = ReductionSyntax::Witness { largest, index, span };
            value
        }
        _ => match semiring(cursor)? {
            Some((monoid, value)) => {
                reduction = by(cursor, reduction, monoid)?;
                value
            }
            None => expr(cursor, 0)?,
        },
    };
    let guard = match cursor.is_word("if") {
        true => {
            cursor.next();
            Some(expr(cursor, 0)?)
        }
        false => None,
    };
    let span = cursor.since(target.span);
    Ok(StatementSyntax { target, subscripts, target_span, reduction, value, guard, span })
}

fn is_witness<S: Span>(cursor: &Cursor<'_, S>) -> bool {
    (cursor.is_word("argmin") || cursor.is_word("argmax"))
        && cursor.peek_nth(1) == Some(&Kind::Open('('))
}

/// The reduction by the monoid of a semiring.
fn by<S: Span>(
    cursor: &mut Cursor<'_, S>,
    operator: ReductionSyntax<S>,
    monoid: Name<S>,
) -> Parsed<ReductionSyntax<S>> {
    let Name { text, span } = monoid;
    let Some(monoid) = Monoid::from_name(&text) else {
        let names: Vec<&str> = Monoid::names().collect();
        let help = match nearest(&text, &names) {
            _ if text == "lxor" => {
                "write `= reduce(|x, y| x != y, false, a[i, k] * b[k, j])`".into()
            }
            Some(name) => format!("did you mean `{name}`?"),
            None => format!("they are {}", names.join(", ")),
        };
        cursor.report(span, format!("there is no monoid `{text}`"), help);
        return Err(Stop);
    };
    let (written, same) = match operator {
        ReductionSyntax::Sum => ("+=", Reduction::Sum),
        ReductionSyntax::Product => ("*=", Reduction::Product),
        ReductionSyntax::Min => ("min=", Reduction::Min),
        ReductionSyntax::Max => ("max=", Reduction::Max),
        _ => return Ok(ReductionSyntax::Semiring { monoid, accumulates: false, span }),
    };
    if monoid.reduction() != same {
        let operator = match monoid.reduction() {
            Reduction::Sum => "+=",
            Reduction::Product => "*=",
            Reduction::Min => "min=",
            _ => "max=",
        };
        let message = format!("`{text}` and `{written}` reduce in two ways");
        let help = format!("write `=`, or `{operator}` to add to what the output holds");
        cursor.report(span, message, help);
        return Err(Stop);
    }
    Ok(ReductionSyntax::Semiring { monoid, accumulates: true, span })
}

fn operator<S: Span>(cursor: &mut Cursor<'_, S>) -> Parsed<ReductionSyntax<S>> {
    let reduction = match cursor.peek() {
        Some(Kind::Symbol('=')) => {
            let first = cursor.span();
            cursor.next();
            if let Some(Kind::Symbol(operator @ ('+' | '*'))) = cursor.peek() {
                // `y[i] =+ x[i]`. The following tokens are read to find further mistakes.
                let written = alloc::string::String::from(*operator);
                cursor.next();
                let message = format!("expected a value, found `={written}`");
                cursor.report(cursor.since(first), message, format!("write `{written}=`"));
            }
            return Ok(ReductionSyntax::Assign);
        }
        Some(Kind::Symbol('+')) => ReductionSyntax::Sum,
        Some(Kind::Symbol('*')) => ReductionSyntax::Product,
        Some(Kind::Word(word)) if word == "min" => ReductionSyntax::Min,
        Some(Kind::Word(word)) if word == "max" => ReductionSyntax::Max,
        Some(Kind::Symbol('-')) => {
            let help = "add what is negative: `y[i] += -a[i]`";
            return Err(cursor.unexpected_with_help("`=`, `+=`, `*=`, `min=` or `max=`", help));
        }
        _ => {
            let help = match cursor.peek() {
                Some(Kind::Word(_)) if cursor.peek_nth(1) == Some(&Kind::Symbol('=')) => {
                    "any other reduction is a function of two values: `y[i] = reduce(f, 0.0, a[i, j])`"
                }
                Some(Kind::Word(_)) => {
                    "a kernel consists of statements, and its loops follow from them: `y[i] += a[i, j] * x[j]`"
                }
                Some(Kind::Symbol('.')) => {
                    "leave it out: an output starts as zero, and a result has all its values from one statement"
                }
                Some(Kind::Open('(')) => "subscripts go in brackets: `y[i] += a[i, j] * x[j]`",
                _ => "a statement says what it computes: `y[i] += a[i, j] * x[j]`",
            };
            return Err(cursor.unexpected_with_help("`=`, `+=`, `*=`, `min=` or `max=`", help));
        }
    };
    cursor.next();
    cursor.expect(&Kind::Symbol('='))?;
    Ok(reduction)
}
