//! Expressions in the notation of Python, which are recognized so that the help can be their translation.

use super::super::jax::specification;
use super::parse::Reader;
use super::{ArgumentSyntax, ExpressionSyntax, NameSyntax, ParameterSyntax, einsum};
use crate::dtype::DType;
use crate::sharding::ops;
use crate::syntax::{Cursor, Kind, Parsed, Span, Stop, Token, element_type, written};
use crate::tiled::syntax::Size;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// The help for a mistake in an expression.
enum Help {
    /// The expression that is meant, as text: the program is checked as if it had been written.
    Write(String),
    /// Anything else.
    Say(String),
}

/// A parameter with its sizes, if all are numbers.
pub(super) type Sizes = (String, Vec<i128>);

/// The sizes of a parameter, if all are numbers.
pub(super) fn sizes<S>(parameter: &ParameterSyntax<S>) -> Option<Sizes> {
    let sizes = parameter.array.dims.iter().map(|dim| match dim.size {
        Size::Literal(size) => Some(size),
        _ => None,
    });
    Some((parameter.name.text.clone(), sizes.collect::<Option<_>>()?))
}

/// The help for an operation of another library, whose parentheses are `group`. Operations whose calls are translated as a whole are
/// handled elsewhere.
pub(super) fn unknown_operation<S>(name: &str, group: &[Token<S>]) -> Option<String> {
    let is_translated =
        matches!(name, "einsum" | "with_sharding_constraint" | "sharding_constraint")
            || collective(name).is_some();
    let help = ops::foreign_help(name).filter(|_| !is_translated)?;
    Some(with_operands(&help, None, group))
}

/// Whether a word that is followed by brackets is a value instead of an element type.
pub(super) fn is_indexed<S: Span>(cursor: &Cursor<'_, S>, parameters: &[Sizes]) -> bool {
    let Some(Kind::Word(word)) = cursor.peek() else { return false };
    parameters.iter().any(|(name, _)| name == word)
        || (DType::from_name(word).is_none() && element_type(word).is_none())
}

/// The help for a module of MLIR.
pub(super) const FILE: &str =
    "a module of MLIR is read from its file: `propagate!(file \"models/block.mlir\")`";

/// Reports a module of MLIR, or the name of its file without `file`, at the start of a program.
pub(super) fn module<S: Span>(cursor: &mut Cursor<'_, S>) -> Parsed<()> {
    let help = match (cursor.peek(), cursor.peek_nth(1)) {
        (Some(Kind::Text(name)), None) => format!("write `file {name:?}`"),
        (Some(Kind::Word(word)), Some(Kind::Symbol('@' | '.')))
            if matches!(word.as_str(), "module" | "func" | "sdy" | "stablehlo") =>
        {
            FILE.into()
        }
        _ => return Ok(()),
    };
    Err(cursor.unexpected_with_help("a program", &help))
}

/// What operations are.
const OPERATIONS: &str = "operations are those of StableHLO, such as `add(x, y)` and `dot(x, w)`";

const NO_CLOSURE: &str =
    "a program has no closures: an operation acts on all elements, `let y = mul(x, x);`";

/// Reports a number, a name in quotes, a closure and a choice of Rust instead of a value.
pub(super) fn not_a_value<S: Span>(cursor: &mut Cursor<'_, S>) -> Parsed<()> {
    let help = match (cursor.peek(), cursor.peek_nth(1)) {
        (Some(Kind::Other(number)), _) if number.starts_with(|c: char| c.is_ascii_digit()) => {
            "a number is a parameter of its own, of the shape of the other operand: `fn f(x: f32[8], two: f32[8])`".to_string()
        }
        (Some(Kind::Text(name)), Some(Kind::Open('('))) => {
            let name = name.rsplit('.').next().unwrap_or_default();
            format!("write it without quotes: `{name}`")
        }
        (Some(Kind::Word(word)), Some(Kind::Word(_) | Kind::Symbol('!'))) if word == "if" || word == "match" => {
            "a choice computes a value: `let y = case (i) { return a; } { return b; };`".to_string()
        }
        (Some(Kind::Symbol('|')), _) => NO_CLOSURE.to_string(),
        (Some(Kind::Word(word)), Some(Kind::Word(_))) if word == "lambda" || word == "move" => {
            NO_CLOSURE.to_string()
        }
        _ => return Ok(()),
    };
    Err(cursor.unexpected_with_help("a value or an operation", &help))
}

/// The number of tokens and the text of a value without `return` at the end of a body: `y`, `tanh(x)`.
pub(super) fn last_value<S: Span>(cursor: &Cursor<'_, S>) -> Option<(usize, String)> {
    let Some(Kind::Word(word)) = cursor.peek() else { return None };
    let mut ahead = Cursor::new(cursor.rest(), cursor.end());
    ahead.next();
    let is_statement = matches!(word.as_str(), "let" | "group" | "while" | "case" | "if" | "for");
    if !is_statement && ahead.peek() == Some(&Kind::Open('(')) {
        ahead.skip_group();
    }
    let text = written(ahead.from(0))?.replace(',', ", ");
    matches!(ahead.peek(), None | Some(Kind::Close('}'))).then_some((ahead.taken(), text))
}

/// Reports the attributes of an argument of MLIR, `{sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}`.
pub(super) fn attributes<S: Span>(cursor: &mut Cursor<'_, S>) -> Stop {
    let (first, len) = (cursor.span(), cursor.group_len());
    let group = &cursor.rest()[..len];
    let axes = group.iter().position(|token| token.kind == Kind::Open('[')).and_then(|open| {
        let len = Cursor::new(&group[open..], cursor.end()).group_len();
        written(&group[open..open + len])
    });
    let help = match axes {
        Some(axes) => format!("write `{axes}`"),
        None => "a sharding goes in brackets: `[{\"data\"}, {}]`".to_string(),
    };
    let span = cursor.take_many(len).unwrap_or(first);
    cursor.report(span, "expected a sharding in brackets, found `{`", help);
    Stop
}

/// Reports numbers in parentheses, `(1, 0)`, or the dimensions of a product in the notation of JAX, `(((1,), (0,)), ((), ()))`.
pub(super) fn tuple<S: Span>(cursor: &mut Cursor<'_, S>) -> Stop {
    let (first, len) = (cursor.span(), cursor.group_len());
    let group = &cursor.rest()[..len];
    let is_values = group[1..len.max(2) - 1].iter().enumerate().all(|(at, token)| {
        matches!(&token.kind, Kind::Word(_) if at % 2 == 0)
            || token.kind == Kind::Symbol(',') && at % 2 == 1
    });
    if is_values && len > 2 {
        let values = written(&group[1..len - 1]).unwrap_or_default().replace(',', ", ");
        let span = cursor.take_many(len).unwrap_or(first);
        let help = format!("write `{}`", values.trim_end_matches([',', ' ']));
        cursor.report(span, "several values have no parentheses around them", help);
        return Stop;
    }
    let help = match numbers(group) {
        Some(text) => format!("write `{text}`"),
        None => "numbers of dimensions and sizes go in brackets: `transpose(x, [1, 0])`".into(),
    };
    let span = cursor.take_many(len).unwrap_or(first);
    cursor.report(span, "expected a value or an operation, found `(`", help);
    Stop
}

/// Reports `dimension_numbers=(((1,), (0,)), ((), ()))` and `axis=(0, 1)`, whose tuple comes next.
pub(super) fn named_tuple<S: Span>(cursor: &mut Cursor<'_, S>, name: &NameSyntax<S>) -> Stop {
    let group = &cursor.rest()[..cursor.group_len()];
    let help = match numbers(group) {
        Some(list) if list.starts_with('[') => format!("write `{}={list}`", name.text),
        Some(text) => format!("write `{text}`"),
        None => format!("numbers go in brackets: `{}=[1, 0]`", name.text),
    };
    cursor.skip_group();
    cursor.report(cursor.since(name.span), "numbers go in brackets, found `(`", help);
    Stop
}

/// The translation of a tuple of numbers, `(1, 0)`, or of the dimensions of a product.
fn numbers<S>(group: &[Token<S>]) -> Option<String> {
    let (depth, lists) = lists(group);
    Some(match &lists[..] {
        [numbers] if depth == 1 => format!("[{}]", numbers.join(", ")),
        [lhs, rhs] if depth == 2 && !lhs.is_empty() && lhs.len() == rhs.len() => {
            format!("lhs_contracting=[{}], rhs_contracting=[{}]", lhs.join(", "), rhs.join(", "))
        }
        [lhs_contracting, rhs_contracting, lhs_batch, rhs_batch] if depth == 3 => {
            let lists = [
                ("lhs_batch", lhs_batch),
                ("rhs_batch", rhs_batch),
                ("lhs_contracting", lhs_contracting),
                ("rhs_contracting", rhs_contracting),
            ];
            let lists = lists.iter().filter(|(_, numbers)| !numbers.is_empty());
            let lists = lists.map(|(name, numbers)| format!("{name}=[{}]", numbers.join(", ")));
            lists.collect::<Vec<_>>().join(", ")
        }
        _ => return None,
    })
}

/// The numbers of the innermost lists, and the depth of these lists; no lists if they contain other tokens.
fn lists<S>(tokens: &[Token<S>]) -> (usize, Vec<Vec<&str>>) {
    let (mut depth, mut deepest, mut lists) = (0, 0, Vec::new());
    let mut is_innermost = false;
    for token in tokens {
        match &token.kind {
            Kind::Open(_) => {
                depth += 1;
                if is_innermost {
                    lists.pop();
                }
                deepest = deepest.max(depth);
                lists.push(Vec::new());
                is_innermost = true;
            }
            Kind::Close(_) => {
                depth -= 1;
                is_innermost = false;
            }
            Kind::Number(number) if is_innermost => {
                lists.last_mut().into_iter().for_each(|list| list.push(number.as_str()));
            }
            Kind::Symbol(',') => {}
            _ => return (0, Vec::new()),
        }
    }
    (deepest, lists)
}

/// Reports operands in brackets, as in a list of Python: `[x, y]`.
pub(super) fn operands_in_brackets<S: Span>(cursor: &mut Cursor<'_, S>) -> Parsed<()> {
    let (Some(Kind::Open('[')), Some(Kind::Word(_)), Some(Kind::Symbol(',') | Kind::Close(']'))) =
        (cursor.peek(), cursor.peek_nth(1), cursor.peek_nth(2))
    else {
        return Ok(());
    };
    let (first, len) = (cursor.span(), cursor.group_len());
    let text = written(&cursor.rest()[1..len.max(2) - 1]).unwrap_or_default().replace(',', ", ");
    let span = cursor.take_many(len).unwrap_or(first);
    let message = "operands are separated by commas, and brackets hold numbers";
    cursor.report(span, message, format!("write `{text}`"));
    Err(Stop)
}

/// What to write for a method or a field of `name`, `.dot(w)` or `.T`, which comes next and is read.
fn method_of<S: Span>(
    cursor: &mut Cursor<'_, S>,
    name: &str,
    sizes: Option<&[i128]>,
    method: &str,
) -> Help {
    cursor.take_many(2);
    let len = match cursor.peek() {
        Some(Kind::Open('(')) => cursor.group_len(),
        _ => 0,
    };
    let (_, lists) = lists(&cursor.rest()[..len]);
    let is_ours = matches!(method, "reshape" | "transpose");
    let operation = if is_ours { Some(method) } else { ops::foreign_name(method) };
    let operands = written(&cursor.rest()[1.min(len)..len.saturating_sub(1)]);
    let operands = operands.unwrap_or_default().replace(',', ", ");
    let help = match (&lists[..], operation) {
        // `x.view(4, 32)`, `x.permute(1, 0)`
        ([numbers], Some(operation @ ("reshape" | "transpose"))) if !numbers.is_empty() => {
            Help::Write(format!("{operation}({name}, [{}])", numbers.join(", ")))
        }
        // `x.reshape(-1, 8)`
        (_, Some(operation @ ("reshape" | "transpose"))) if len > 2 => {
            match whole(&operands, sizes) {
                Some(sizes) if operation == "reshape" => {
                    Help::Write(format!("reshape({name}, [{sizes}])"))
                }
                _ => Help::Say(format!(
                    "write `{operation}({name}, [..])`, with numbers that are not negative"
                )),
            }
        }
        // `x.map(|v| v + v)`
        _ if cursor.rest()[..len].iter().any(|token| token.kind == Kind::Symbol('|')) => {
            Help::Say(NO_CLOSURE.into())
        }
        // `x.matmul(w)`
        (_, Some(operation)) if len > 2 => Help::Write(format!("{operation}({name}, {operands})")),
        // `x.dot(w)`
        _ if len > 2 && ops::find(method).is_ok() => {
            Help::Write(format!("{method}({name}, {operands})"))
        }
        _ => called(name, sizes, method, len > 2),
    };
    let help = match help {
        Help::Say(help) => {
            Help::Say(with_operands(&help, Some((name, sizes)), &cursor.rest()[..len]))
        }
        written => written,
    };
    cursor.take_many(len);
    help
}

/// A help for an operation of another library with the operands and the dimensions of its call, whose parentheses are `group`. A
/// method also has its receiver, an array of these sizes.
fn with_operands<S>(
    help: &str,
    receiver: Option<(&str, Option<&[i128]>)>,
    group: &[Token<S>],
) -> String {
    let inner = group.get(1..group.len().saturating_sub(1)).unwrap_or_default();
    let mut operands = Vec::from_iter(receiver.map(|(name, _)| Some(name.to_string())));
    let mut dims = Vec::new();
    let sizes = receiver.and_then(|(_, sizes)| sizes);
    for argument in apart(inner) {
        if argument.iter().any(|token| token.kind == Kind::Symbol('=')) || !has_word(argument) {
            dims.extend(dimensions(argument, sizes));
        } else {
            operands.push(written(argument).map(|text| text.replace(',', ", ")));
        }
    }
    let dims = (!dims.is_empty()).then(|| format!("[{}]", joined(&dims)));
    ops::foreign_operands(help, &operands, dims.as_deref())
}

/// Arguments, which are separated by the commas outside of all brackets.
fn apart<S>(tokens: &[Token<S>]) -> impl Iterator<Item = &[Token<S>]> {
    let mut depth = 0;
    let arguments = tokens.split(move |token| {
        match token.kind {
            Kind::Open(_) => depth += 1,
            Kind::Close(_) => depth -= 1,
            _ => {}
        }
        depth == 0 && token.kind == Kind::Symbol(',')
    });
    arguments.filter(|argument| !argument.is_empty())
}

fn has_word<S>(tokens: &[Token<S>]) -> bool {
    tokens.iter().any(|token| matches!(token.kind, Kind::Word(_)))
}

/// The dimensions in `1`, `axis=-1` or `dim=[0, 1]`, of an array of these sizes; empty if they are not known.
fn dimensions<S>(argument: &[Token<S>], sizes: Option<&[i128]>) -> Vec<i128> {
    let mut dims = Vec::new();
    let mut is_negative = false;
    for token in argument {
        if let Kind::Number(dim) = &token.kind {
            let Ok(dim) = dim.parse::<i128>() else { return Vec::new() };
            match (is_negative, sizes) {
                (false, _) => dims.push(dim),
                (true, Some(sizes)) => dims.push(sizes.len() as i128 - dim),
                (true, None) => return Vec::new(),
            }
        }
        is_negative = token.kind == Kind::Symbol('-');
    }
    dims
}

impl<S: Span> Reader<'_, S> {
    /// Reports `with_sharding_constraint(x, P("data", None))`, after `arguments` have been read.
    pub(super) fn specification(
        &mut self,
        op: &NameSyntax<S>,
        arguments: &[ArgumentSyntax<S>],
    ) -> Parsed<()> {
        let constrains = matches!(
            op.text.as_str(),
            "constrain" | "with_sharding_constraint" | "sharding_constraint"
        );
        let [ArgumentSyntax::Value(ExpressionSyntax::Name(value))] = arguments else {
            return Ok(());
        };
        let Some(axes) = specification(&self.cursor).filter(|_| constrains) else { return Ok(()) };
        let help = Help::Write(format!("constrain({}) {axes}", value.text));
        self.cursor.skip_rest_of_group();
        let message = "a sharding follows the operation that constrains a value to it";
        Err(self.advise(self.cursor.since(op.span), message, help))
    }

    /// Reports `x.T` and `x[0]`, after `value` has been read.
    pub(super) fn of_value(&mut self, value: &NameSyntax<S>) -> Parsed<()> {
        let name = value.text.as_str();
        let parameter = self.parameters.iter().find(|(parameter, _)| parameter == name);
        let sizes = parameter.map(|(_, sizes)| &sizes[..]);
        let cursor = &mut self.cursor;
        let (message, help) = match (cursor.peek(), cursor.peek_nth(1)) {
            (Some(Kind::Symbol('.')), Some(Kind::Word(method))) => {
                let mut help = method_of(cursor, name, sizes, method);
                // `x.dot(w).tanh()`: each method takes what is written for those before it.
                while let (Help::Write(text), Some(Kind::Symbol('.')), Some(Kind::Word(method))) =
                    (&help, cursor.peek(), cursor.peek_nth(1))
                {
                    help = method_of(cursor, &text.clone(), None, method);
                }
                ("an operation precedes its operands", help)
            }
            (Some(Kind::Open('[')), Some(Kind::Word(_))) if ops::find(name).is_ok() => {
                let operands = &cursor.rest()[1..cursor.group_len().max(2) - 1];
                let operands = written(operands).unwrap_or_default().replace(',', ", ");
                cursor.skip_group();
                let help = Help::Write(format!("{name}({operands})"));
                ("the operands of an operation go in parentheses", help)
            }
            (Some(Kind::Open('[')), Some(Kind::Number(_) | Kind::Symbol(':' | '-' | '.'))) => {
                let help = match (cursor.peek_nth(1), cursor.peek_nth(2), sizes) {
                    (Some(Kind::Number(zero)), Some(Kind::Close(']')), Some([_, rest @ ..]))
                        if zero == "0" =>
                    {
                        let rest = joined(rest);
                        let sizes = if rest.is_empty() { "1".into() } else { format!("1, {rest}") };
                        Help::Write(format!("reshape(slice({name}, [{sizes}]), [{rest}])"))
                    }
                    _ => Help::Say(format!(
                        "`slice({name}, [..])` keeps the first elements of each dimension, up to the given sizes, and `reshape` removes dimensions"
                    )),
                };
                cursor.skip_group();
                ("a value has no indices", help)
            }
            _ => return Ok(()),
        };
        let span = cursor.since(value.span);
        Err(self.advise(span, message, help))
    }

    /// Reports a mistake in an expression.
    fn advise(&mut self, span: S, message: &str, help: Help) -> Stop {
        match help {
            Help::Say(help) => self.cursor.report(span, message, help),
            Help::Write(text) => {
                self.cursor.report(span, message, format!("write `{text}`"));
                self.translation = Some((self.cursor.diagnostics.len(), text));
            }
        }
        Stop
    }

    /// Reports a text among the arguments of `op`.
    pub(super) fn text(&mut self, op: &NameSyntax<S>) -> Parsed<()> {
        let Some(Kind::Text(text)) = self.cursor.peek() else { return Ok(()) };
        let operand = |nth| match self.cursor.peek_nth(nth) {
            Some(Kind::Word(name)) => name.as_str(),
            _ => "x",
        };
        if op.text == "einsum"
            && let Some(product) = einsum::translated(text, operand(2), operand(4))
        {
            self.cursor.skip_rest_of_group();
            let span = self.cursor.since(op.span);
            let message = "a product of arrays names the dimensions that it sums over";
            return Err(self.advise(span, message, Help::Write(product)));
        }
        if let Some(help) = collective(&op.text) {
            self.cursor.skip_rest_of_group();
            let message =
                format!("`{}` names no axis: devices exchange what shardings require", op.text);
            self.cursor.report(self.cursor.since(op.span), message, help);
            return Err(Stop);
        }
        let help = match op.text.as_str() {
            "einsum" => "a product is `dot_general`, another order `transpose`, and a sum `reduce`",
            _ => "words are written without quotes: `direction=LT`",
        };
        Err(self.cursor.unexpected_with_help("a value or an operation", help))
    }
}

/// The help for a collective of JAX, which names an axis.
fn collective(name: &str) -> Option<&'static str> {
    Some(match name {
        "psum" | "pmean" | "pmax" | "pmin" | "all_reduce" => {
            "leave it out: parts of a sum are added where the sum is used, or where its sharding, `[{\"data\"}, {}]`, is written after the operation"
        }
        "all_gather"
        | "all_to_all"
        | "psum_scatter"
        | "reduce_scatter"
        | "ppermute"
        | "all_gather_invariant" => {
            "write `constrain(x) [{\"data\"}, {}]`, with the axes that split each dimension afterwards"
        }
        _ => return None,
    })
}

/// The sizes of a reshape of an array of these sizes, with a number in place of `-1`.
fn whole(written: &str, sizes: Option<&[i128]>) -> Option<String> {
    let written: Vec<i128> =
        written.split(',').map(|size| size.trim().parse().ok()).collect::<Option<_>>()?;
    let known =
        written.iter().copied().filter(|size| *size != -1).try_fold(1, i128::checked_mul)?;
    let all = sizes?.iter().copied().try_fold(1, i128::checked_mul)?;
    let is_one = written.iter().filter(|size| **size < 1).count() == 1 && written.contains(&-1);
    (is_one && known > 0 && all % known == 0).then(|| {
        let size = |size: &i128| if *size == -1 { all / known } else { *size };
        joined(&written.iter().map(size).collect::<Vec<_>>())
    })
}

/// The help for `name.method` of a value of these sizes, or for a call with further operands.
fn called(name: &str, sizes: Option<&[i128]>, method: &str, has_operands: bool) -> Help {
    match method {
        "T" | "mT" | "t" | "transpose" | "permute" if !has_operands => {
            let rank = sizes.map_or(2, <[_]>::len);
            let mut order: Vec<_> = (0..rank as i128).collect();
            // `mT` exchanges only the last two dimensions.
            match rank.checked_sub(2) {
                Some(first) if method == "mT" => order[first..].reverse(),
                _ => order.reverse(),
            }
            Help::Write(format!("transpose({name}, [{}])", joined(&order)))
        }
        "astype" | "to" => Help::Say(format!("write `convert({name}, type=..)`")),
        _ if ops::find(method).is_err() && ops::foreign_help(method).is_none() => {
            Help::Say(format!("no operation is called `{method}`: {OPERATIONS}"))
        }
        _ if has_operands => Help::Say(
            ops::foreign_help(method).unwrap_or_else(|| format!("write `{method}({name}, ..)`")),
        ),
        _ => match ops::foreign_name(method) {
            Some(operation) => Help::Write(format!("{operation}({name})")),
            None => ops::foreign_help(method)
                .map_or_else(|| Help::Write(format!("{method}({name})")), Help::Say),
        },
    }
}

fn joined(numbers: &[i128]) -> String {
    numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}
