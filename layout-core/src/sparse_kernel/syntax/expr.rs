use super::subscript::{SubscriptSyntax, subscript};
use super::{Name, name, tokens};
use crate::sparse::syntax::literal;
use crate::sparse_kernel::ir::{BinaryOp, UnaryOp};
use crate::sparse_kernel::{Monoid, Multiply};
use crate::syntax::{
    Arithmetic, Cursor, Kind, Offer, Operator, Parsed, Span, Stop, list, nearest, written,
};
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

/// The largest depth of an expression, and the largest number of consecutive terms or factors: the parser is recursive.
const MAX_DEPTH: usize = 24;
const MAX_TERMS: usize = 64;

/// A value in index notation.
#[derive(Clone, Debug)]
pub enum ExprSyntax<S> {
    /// `2.5`
    Literal(Name<S>),
    /// `alpha`: an operand without indices, or an index as a value.
    Name(Name<S>),
    /// `a[i, j]`
    Access {
        /// The operand.
        name: Name<S>,
        /// Its subscripts.
        subscripts: Vec<SubscriptSyntax<S>>,
        /// The location of the access.
        span: S,
    },
    /// `-x`
    Negative(Box<Self>, S),
    /// `x + y`
    Binary(BinaryOp, Box<Self>, Box<Self>),
    /// `sqrt(x)`, `max(x, y)`, `select(c, x, y)`
    Call {
        /// The function.
        name: Name<S>,
        /// The arguments.
        arguments: Vec<Self>,
        /// The location of the call.
        span: S,
    },
    /// `binary(x, y, both = .., left = .., right = ..)`: the value if both are stored, and if only one is.
    Regions {
        /// The operands: one for `unary`, two for `binary`.
        arguments: Vec<Self>,
        /// The regions: `present` and `absent` for `unary`.
        regions: Vec<(Name<S>, RegionSyntax<S>)>,
        /// The location of the call.
        span: S,
    },
    /// `min.plus(x, y)`: the product of a named semiring.
    Product {
        /// The name of the monoid.
        monoid: Name<S>,
        /// The multiplication.
        multiply: Multiply,
        /// Both operands.
        operands: Box<(Self, Self)>,
        /// The location of the product.
        span: S,
    },
    /// `call(|x, y| .., x, y)`: a function that need not be zero anywhere.
    Custom {
        /// The function.
        function: FunctionSyntax<S>,
        /// The arguments.
        arguments: Vec<Self>,
        /// The location of the call.
        span: S,
    },
}

impl<S: Span> ExprSyntax<S> {
    /// The location of the value.
    pub fn span(&self) -> S {
        match self {
            Self::Literal(name) | Self::Name(name) => name.span,
            Self::Access { span, .. }
            | Self::Negative(_, span)
            | Self::Call { span, .. }
            | Self::Regions { span, .. }
            | Self::Product { span, .. }
            | Self::Custom { span, .. } => *span,
            Self::Binary(_, left, right) => left.span().to(right.span()),
        }
    }
}

/// The value of a semiring in a region.
#[derive(Clone, Debug)]
pub enum RegionSyntax<S> {
    /// `identity`: the operand unchanged.
    Identity,
    /// A function.
    Function(FunctionSyntax<S>),
}

/// A path, a closure or a value, which is passed on to rustc.
pub type FunctionSyntax<S> = Name<S>;

/// A path or a closure.
pub(super) fn function<S: Span>(cursor: &mut Cursor<'_, S>) -> Parsed<FunctionSyntax<S>> {
    rust(cursor, "a function: a path, or a closure `|x, y| x + y`")
}

/// A value, or a function without arguments.
pub(super) fn constant<S: Span>(cursor: &mut Cursor<'_, S>) -> Parsed<FunctionSyntax<S>> {
    rust(cursor, "a value: a number, a constant, or a function `|| 0.0`")
}

fn rust<S: Span>(cursor: &mut Cursor<'_, S>, expected: &str) -> Parsed<FunctionSyntax<S>> {
    if matches!(cursor.peek(), None | Some(Kind::Symbol(',') | Kind::Close(_))) {
        return Err(cursor.unexpected(expected));
    }
    let len = cursor.rust(&alloc::format!("write {expected}"), |rust, at| rust.expression(at))?;
    let function = tokens(cursor, 0..len);
    cursor.take_many(len);
    Ok(function)
}

pub(super) fn expr<S: Span>(cursor: &mut Cursor<'_, S>, depth: usize) -> Parsed<ExprSyntax<S>> {
    let left = Values.sum(cursor, depth)?;
    let Some((op, tokens)) = comparison(cursor) else { return Ok(left) };
    for _ in 0..tokens {
        cursor.next();
    }
    let right = Values.sum(cursor, depth)?;
    if comparison(cursor).is_some() {
        return Err(cursor.unexpected_with_help(
            "the end of the comparison",
            "comparisons cannot be chained: use parentheses",
        ));
    }
    Ok(ExprSyntax::Binary(op, Box::new(left), Box::new(right)))
}

/// The comparison that comes next, and the number of its tokens.
fn comparison<S: Span>(cursor: &Cursor<'_, S>) -> Option<(BinaryOp, usize)> {
    let equals = cursor.peek_nth(1) == Some(&Kind::Symbol('='));
    Some(match cursor.peek()? {
        Kind::AtMost => (BinaryOp::LessEqual, 1),
        Kind::Symbol('<') => (BinaryOp::Less, 1),
        Kind::Symbol('>') if equals => (BinaryOp::GreaterEqual, 2),
        Kind::Symbol('>') => (BinaryOp::Greater, 1),
        Kind::Symbol('=') if equals => (BinaryOp::Equal, 2),
        Kind::Symbol('!') if equals => (BinaryOp::NotEqual, 2),
        _ => return None,
    })
}

/// A parser of values that limits the depth of the tree.
struct Values;

impl<S: Span> Arithmetic<S> for Values {
    type Value = ExprSyntax<S>;

    const OPERATORS: &'static [Operator] =
        &[Operator::Add, Operator::Sub, Operator::Mul, Operator::Div];

    const MAX_OPERATORS: usize = MAX_TERMS;

    const SIGNS_NEST: bool = true;

    fn check_depth(&mut self, cursor: &mut Cursor<'_, S>, depth: usize) -> Parsed<()> {
        check_depth(cursor, depth)
    }

    fn value(&mut self, cursor: &mut Cursor<'_, S>, depth: usize) -> Parsed<Self::Value> {
        let (start, first) = (cursor.taken(), cursor.span());
        let value = value(cursor, depth)?;
        foreign(cursor, value, (start, first), depth)
    }

    fn group(&mut self, cursor: &mut Cursor<'_, S>, _: S, depth: usize) -> Parsed<Self::Value> {
        let value = expr(cursor, depth)?;
        cursor.expect_close(')')?;
        Ok(value)
    }

    fn negative(
        &mut self,
        cursor: &mut Cursor<'_, S>,
        signs: &[S],
        value: Self::Value,
    ) -> Parsed<Self::Value> {
        let negate = |value, sign: &S| ExprSyntax::Negative(Box::new(value), cursor.since(*sign));
        Ok(signs.iter().rev().fold(value, negate))
    }

    fn apply(
        &mut self,
        _: &mut Cursor<'_, S>,
        _: S,
        left: Self::Value,
        operator: Operator,
        right: Self::Value,
    ) -> Parsed<Self::Value> {
        let op = match operator {
            Operator::Add => BinaryOp::Add,
            Operator::Sub => BinaryOp::Sub,
            Operator::Mul => BinaryOp::Mul,
            _ => BinaryOp::Div,
        };
        Ok(ExprSyntax::Binary(op, Box::new(left), Box::new(right)))
    }

    fn too_long(&mut self, cursor: &mut Cursor<'_, S>) -> Stop {
        too_large(cursor)
    }
}

/// Reports what other languages write after a value, and reads what it means: the method `x.max(y)`, further subscripts, `a[i][j]`,
/// and the matrix product `a @ x`.
fn foreign<S: Span>(
    cursor: &mut Cursor<'_, S>,
    value: ExprSyntax<S>,
    (start, first): (usize, S),
    depth: usize,
) -> Parsed<ExprSyntax<S>> {
    let next = [0, 1, 2].map(|nth| cursor.peek_nth(nth));
    match (value, next) {
        (ExprSyntax::Access { name, mut subscripts, .. }, [Some(Kind::Open('[')), ..]) => {
            cursor.next();
            subscripts.extend(list(cursor, ']', subscript)?);
            let text = written(cursor.from(start)).unwrap_or_default();
            let text = text.replace("][", ",").replace(',', ", ");
            let message = "all subscripts go in one pair of brackets";
            let span = cursor.since(first);
            cursor.report(span, message, alloc::format!("write `{text}`"));
            let value = ExprSyntax::Access { name, subscripts, span };
            foreign(cursor, value, (start, first), depth)
        }
        (value, [Some(Kind::Symbol('.')), Some(Kind::Word(method)), Some(Kind::Open('('))]) => {
            check_depth(cursor, depth)?;
            let text = written(cursor.from(start)).unwrap_or_default();
            cursor.next();
            let name = Name { text: method.clone(), span: cursor.span() };
            cursor.take_many(2);
            let begin = cursor.taken();
            let mut arguments = alloc::vec![value];
            arguments.extend(list(cursor, ')', |cursor| expr(cursor, depth + 1))?);
            let mut others = written(cursor.from(begin)).unwrap_or_default();
            others.pop();
            let separator = if others.is_empty() { "" } else { "," };
            let help = alloc::format!("write `{method}({text}{separator}{others})`");
            let message = "a function comes before its arguments";
            let span = cursor.since(first);
            cursor.report(span, message, help.replace(',', ", "));
            let value = ExprSyntax::Call { name, arguments, span };
            foreign(cursor, value, (start, first), depth + 1)
        }
        (value, [Some(Kind::Symbol('@')), ..]) => {
            check_depth(cursor, depth)?;
            let help = "write `*`: it is summed over the indices that the output does not have";
            cursor.unexpected_with_help("`*`", help);
            cursor.next();
            let right = Values.value(cursor, depth + 1)?;
            Ok(ExprSyntax::Binary(BinaryOp::Mul, Box::new(value), Box::new(right)))
        }
        (value, _) => Ok(value),
    }
}

fn too_large<S: Span>(cursor: &mut Cursor<'_, S>) -> Stop {
    cursor.report(cursor.span(), "this expression is too large", "");
    Stop
}

/// Reports an expression that is nested too deeply.
pub(super) fn check_depth<S: Span>(cursor: &mut Cursor<'_, S>, depth: usize) -> Parsed<()> {
    if depth < MAX_DEPTH { Ok(()) } else { Err(too_large(cursor)) }
}

/// Whether the product of a named semiring comes next: `min.plus(`, or one with an unknown name in it.
fn is_semiring<S: Span>(cursor: &Cursor<'_, S>) -> bool {
    let word = |nth| match cursor.peek_nth(nth) {
        Some(Kind::Word(word)) => Some(word.as_str()),
        _ => None,
    };
    let (Some(monoid), Some(multiply)) = (word(0), word(2)) else { return false };
    let halves = cursor.peek_nth(1) == Some(&Kind::Symbol('.'))
        && cursor.peek_nth(3) == Some(&Kind::Open('('));
    let method = UnaryOp::from_name(multiply).is_some();
    halves
        && (Monoid::from_name(monoid).is_some()
            || (Multiply::from_name(multiply).is_some() && !method))
}

/// `min.plus(a[i, k], b[k, j])`: the name of the monoid, and the product. `None` if something else comes next.
pub(super) fn semiring<S: Span>(
    cursor: &mut Cursor<'_, S>,
) -> Parsed<Option<(Name<S>, ExprSyntax<S>)>> {
    if !is_semiring(cursor) {
        return Ok(None);
    }
    let first = cursor.span();
    let monoid = name(cursor, "a monoid")?;
    cursor.take_symbol('.');
    let multiplication = name(cursor, "a multiplication")?;
    let Some(multiply) = Multiply::from_name(&multiplication.text) else {
        let names: Vec<&str> = Multiply::names().collect();
        let help = match nearest(&multiplication.text, &names) {
            Some(name) => alloc::format!("did you mean `{name}`?"),
            None => alloc::format!("they are {}", names.join(", ")),
        };
        let message = alloc::format!("there is no multiplication `{}`", multiplication.text);
        cursor.report(multiplication.span, message, help);
        return Err(Stop);
    };
    cursor.expect(&Kind::Open('('))?;
    let operands = list(cursor, ')', |cursor| expr(cursor, 1))?;
    let span = cursor.since(first);
    let count = operands.len();
    let mut operands = operands.into_iter();
    let (Some(a), Some(b), None) = (operands.next(), operands.next(), operands.next()) else {
        let name = alloc::format!("{}.{}", monoid.text, multiplication.text);
        let message = alloc::format!("`{name}` takes 2 values, but is given {count}");
        let help = alloc::format!(
            "it is called as `{name}(x, y)`; a mask is a condition: `if m[i, j] != 0`"
        );
        cursor.report(span, message, help);
        return Err(Stop);
    };
    let operands = Box::new((a, b));
    let product = ExprSyntax::Product { monoid: monoid.clone(), multiply, operands, span };
    Ok(Some((monoid, product)))
}

fn value<S: Span>(cursor: &mut Cursor<'_, S>, depth: usize) -> Parsed<ExprSyntax<S>> {
    let first = cursor.span();
    match cursor.peek() {
        Some(Kind::Number(_) | Kind::Other(_)) => {
            let text = literal(cursor, "a number")?;
            return Ok(ExprSyntax::Literal(Name { text, span: cursor.since(first) }));
        }
        Some(Kind::Word(_)) => {}
        Some(Kind::Symbol('*')) => {
            cursor.unexpected_with_help("a value", "a power is `pow(x, 2)`");
            cursor.next();
            return value(cursor, depth);
        }
        Some(Kind::Symbol('!' | '~')) => {
            cursor.unexpected_with_help("a value", "write `x == 0` for `!x`");
            cursor.next();
            return value(cursor, depth);
        }
        found => {
            let help = match found {
                Some(Kind::Text(text)) if text.contains("->") => {
                    "write the product with its indices: `y[i] += a[i, j] * x[j]`"
                }
                Some(Kind::Symbol(';') | Kind::Close(_)) => {
                    "write a value after the operator, or leave the operator out"
                }
                _ => "",
            };
            let expected = "a value: `a[i, j]`, a number or a function";
            return Err(cursor.unexpected_with_help(expected, help));
        }
    }
    if cursor.is_word("if") {
        choice(cursor)?;
        let help = "`select(c, x, y)` is `x` where `c` is not zero; a condition on the whole statement comes at its end: `y[i] = a[i] if i < 3`";
        return Err(cursor.unexpected_with_help("a value", help));
    }
    if is_semiring(cursor) {
        let help = "a semiring reduces the whole statement: `c[i, j] = min.plus(a[i, k], b[k, j])`";
        cursor.report(first, "a semiring must be everything after `=`", help);
        return Err(Stop);
    }
    cursor.offer(Offer::Function);
    let mut name = name(cursor, "a value")?;
    without_module(cursor, &mut name);
    if is_sum_sign(cursor, &name) {
        return summed(cursor, &name, depth);
    }
    semiring_in_one_word(cursor, &name)?;
    if cursor.peek() == Some(&Kind::Symbol(':')) {
        let help = "write a path in a call: `call(f64::hypot, a[i], b[i])`, `call(|| f64::MAX)`";
        return Err(cursor.unexpected_with_help("an operator", help));
    }
    transposed(cursor, &name);
    if cursor.take(&Kind::Open('[')).is_some() {
        let subscripts = list(cursor, ']', subscript)?;
        return Ok(ExprSyntax::Access { name, subscripts, span: cursor.since(first) });
    }
    if cursor.peek() == Some(&Kind::Open('{')) {
        // `a{i, j}`
        let text = written(&cursor.rest()[1..cursor.group_len().max(2) - 1]).unwrap_or_default();
        cursor.next();
        let subscripts = list(cursor, '}', subscript)?;
        let help = alloc::format!("write `{}[{}]`", name.text, text.replace(',', ", "));
        cursor.report(cursor.since(first), "subscripts go in brackets", help);
        return Ok(ExprSyntax::Access { name, subscripts, span: cursor.since(first) });
    }
    if cursor.take(&Kind::Open('(')).is_none() {
        return Ok(ExprSyntax::Name(name));
    }
    match name.text.as_str() {
        "binary" | "unary" => regions(cursor, first, &name.text, depth),
        "reduce" => {
            let help = "reduce the whole expression: `y[i] = reduce(f64::max, 0.0, 2 * a[i, j])`";
            cursor.report(name.span, "`reduce` must be everything after `=`", help);
            Err(Stop)
        }
        "call" => {
            let function = function(cursor)?;
            let mut arguments = Vec::new();
            while cursor.take_symbol(',') {
                arguments.push(expr(cursor, depth + 1)?);
            }
            cursor.expect_close(')')?;
            Ok(ExprSyntax::Custom { function, arguments, span: cursor.since(first) })
        }
        "sum" | "Sum" | "SUM" | "einsum" => {
            // Each argument with its text.
            let mut arguments = list(cursor, ')', |cursor| {
                let start = cursor.taken();
                let value = expr(cursor, depth + 1)?;
                Ok((value, written(cursor.from(start)).unwrap_or_default()))
            })?;
            arguments.retain(|(value, _)| !matches!(value, ExprSyntax::Name(_)));
            let [(value, text)] = &arguments[..] else {
                let help = "everything is summed over the indices that the output does not have";
                cursor.report(first, alloc::format!("unknown function `{}`", name.text), help);
                return Err(Stop);
            };
            let text = match value {
                ExprSyntax::Binary(BinaryOp::Add | BinaryOp::Sub, ..) => alloc::format!("({text})"),
                _ => text.clone(),
            };
            let help = alloc::format!(
                "write `{}`: everything is summed over the indices that the output does not have",
                text.replace(',', ", ").replace('*', " * ")
            );
            let message = alloc::format!("unknown function `{}`", name.text);
            cursor.report(cursor.since(first), message, help);
            Ok(value.clone())
        }
        _ => {
            let arguments = list(cursor, ')', |cursor| expr(cursor, depth + 1))?;
            Ok(ExprSyntax::Call { name, arguments, span: cursor.since(first) })
        }
    }
}

/// Whether a word that was read is the sign of a sum, `Σ`, `Σ_k` or `sum_k`, whose summand follows.
fn is_sum_sign<S: Span>(cursor: &Cursor<'_, S>, name: &Name<S>) -> bool {
    let (sign, index) = name.text.split_once('_').unwrap_or((&name.text, ""));
    let is_sign = matches!(sign, "Σ" | "sigma") || (sign == "sum" && !index.is_empty());
    let has_summand = match cursor.peek() {
        Some(Kind::Word(word)) => word != "if",
        Some(Kind::Open('(' | '{' | '[')) => true,
        _ => false,
    };
    is_sign && has_summand
}

/// Reports the sign of a sum, which was read, with its indices, `Σ_k`, `Σ_{k}`, `Σ[k]` or `Σ(k)`, and reads the first factor of the
/// summand.
fn summed<S: Span>(
    cursor: &mut Cursor<'_, S>,
    sign: &Name<S>,
    depth: usize,
) -> Parsed<ExprSyntax<S>> {
    check_depth(cursor, depth)?;
    let len = cursor.group_len();
    let is_indices = len > 2
        && cursor.rest()[1..len - 1]
            .iter()
            .all(|token| matches!(token.kind, Kind::Word(_) | Kind::Symbol(',')))
        && matches!(cursor.peek_nth(len), Some(Kind::Word(_) | Kind::Open('(' | '[')));
    if is_indices {
        cursor.skip_group();
    }
    let message = "a statement has no sign for a sum";
    let help = "leave it out: everything is summed over the indices that the output does not have";
    cursor.report(cursor.since(sign.span), message, help);
    match cursor.take(&Kind::Open('(')) {
        Some(open) => Values.group(cursor, open, depth + 1),
        None => Values.value(cursor, depth + 1),
    }
}

/// Reports `if c { x } else { y }`, with the form that a kernel has for it.
fn choice<S: Span>(cursor: &mut Cursor<'_, S>) -> Parsed<()> {
    let mut ahead = Cursor::new(cursor.rest(), cursor.end());
    let first = ahead.span();
    ahead.next();
    ahead.skip_to(|ahead| ahead.at_semicolon() || ahead.peek() == Some(&Kind::Open('{')));
    if ahead.peek() != Some(&Kind::Open('{')) {
        return Ok(());
    }
    let condition = written(&ahead.from(0)[1..]).unwrap_or_default();
    let group = |ahead: &mut Cursor<'_, S>| {
        let start = ahead.taken();
        ahead.skip_group();
        let group = ahead.from(start);
        written(&group[1..group.len().max(2) - 1]).unwrap_or_default()
    };
    let value = group(&mut ahead);
    let mut other = String::from("0");
    if ahead.is_word("else") && ahead.peek_nth(1) == Some(&Kind::Open('{')) {
        ahead.next();
        other = group(&mut ahead);
    }
    let help = match other.as_str() {
        "0" | "0.0" => alloc::format!("write `{value} if {condition}`"),
        other => alloc::format!("write `select({condition},{value},{other})`"),
    };
    let spaced = help.replace(',', ", ").replace('<', " < ").replace('>', " > ");
    let span = ahead.since(first);
    cursor.take_many(ahead.taken());
    cursor.report(span, "a choice has another form in a kernel", spaced);
    Err(Stop)
}

/// Reports and skips the `.T` of `a.T[j, i]`, whose `a` has been read.
fn transposed<S: Span>(cursor: &mut Cursor<'_, S>, name: &Name<S>) {
    let (Some(Kind::Symbol('.')), Some(Kind::Word(t)), Some(Kind::Open('['))) =
        (cursor.peek(), cursor.peek_nth(1), cursor.peek_nth(2))
    else {
        return;
    };
    if !matches!(t.as_str(), "T" | "t" | "mT" | "H") {
        return;
    }
    cursor.take_many(2);
    let group = &cursor.rest()[..cursor.group_len()];
    let indices = written(&group[1..group.len().max(2) - 1]).unwrap_or_default();
    let reversed: Vec<&str> = indices.rsplit(',').collect();
    let help = alloc::format!("write `{}[{}]`", name.text, reversed.join(", "));
    let span = group.last().map_or(name.span, |close| name.span.to(close.span));
    cursor.report(span, "a transposed operand has its indices in the other order", help);
}

/// Reports `plus_times(a[i, k], b[k, j])`, whose name has been read: the parts of the name of a semiring are joined by a dot.
fn semiring_in_one_word<S: Span>(cursor: &mut Cursor<'_, S>, name: &Name<S>) -> Parsed<()> {
    if cursor.peek() != Some(&Kind::Open('(')) {
        return Ok(());
    }
    let lower = name.text.to_ascii_lowercase().replace("grb_", "").replace("gxb_", "");
    let Some((monoid, multiply)) = lower.split_once('_') else { return Ok(()) };
    let multiply = multiply.split('_').next().unwrap_or_default();
    if Monoid::from_name(monoid).is_none() || Multiply::from_name(multiply).is_none() {
        return Ok(());
    }
    cursor.skip_group();
    let help = alloc::format!("write `{monoid}.{multiply}`");
    cursor.report(name.span, alloc::format!("unknown function `{}`", name.text), help);
    Err(Stop)
}

/// Reports `np.exp(x)`, whose `np` has been read, and leaves the name of the function.
fn without_module<S: Span>(cursor: &mut Cursor<'_, S>, name: &mut Name<S>) {
    const MODULES: [&str; 7] = ["np", "numpy", "jnp", "torch", "math", "scipy", "sp"];
    if let (Some(Kind::Symbol('.')), Some(Kind::Word(function))) =
        (cursor.peek(), cursor.peek_nth(1))
        && MODULES.contains(&name.text.as_str())
    {
        cursor.take_many(2);
        let span = cursor.since(name.span);
        // A name that is not a function is reported when it is looked up.
        if UnaryOp::from_name(function).is_some() || BinaryOp::from_name(function).is_some() {
            let help = alloc::format!("write `{function}`");
            cursor.report(span, "a function has a name, and no module", help);
        }
        *name = Name { text: function.clone(), span };
    }
}

/// The arguments of a semiring.
fn regions<S: Span>(
    cursor: &mut Cursor<'_, S>,
    first: S,
    word: &str,
    depth: usize,
) -> Parsed<ExprSyntax<S>> {
    let names: &[&str] =
        if word == "binary" { &["both", "left", "right"] } else { &["present", "absent"] };
    let mut arguments = alloc::vec![expr(cursor, depth + 1)?];
    if word == "binary" {
        cursor.expect(&Kind::Symbol(','))?;
        arguments.push(expr(cursor, depth + 1)?);
    }
    let mut regions: Vec<(Name<S>, RegionSyntax<S>)> = Vec::new();
    let known: String =
        names.iter().map(|name| alloc::format!("`{name} = ..`")).collect::<Vec<_>>().join(", ");
    while cursor.take_symbol(',') {
        let region = name(cursor, &known)?;
        let again = regions.iter().any(|(other, _)| other.text == region.text);
        if !names.contains(&region.text.as_str()) || again {
            let message = alloc::format!("`{word}` takes {known}, each at most once");
            cursor.report(region.span, message, "");
            return Err(Stop);
        }
        cursor.expect(&Kind::Symbol('='))?;
        let what = match cursor.is_word("identity") {
            true => {
                cursor.next();
                RegionSyntax::Identity
            }
            false if region.text == "absent" => RegionSyntax::Function(constant(cursor)?),
            false => RegionSyntax::Function(function(cursor)?),
        };
        regions.push((region, what));
    }
    cursor.expect_close(')')?;
    if regions.is_empty() {
        let message = alloc::format!("`{word}` needs at least one region");
        cursor.report(cursor.since(first), message, alloc::format!("it takes {known}"));
        return Err(Stop);
    }
    Ok(ExprSyntax::Regions { arguments, regions, span: cursor.since(first) })
}
