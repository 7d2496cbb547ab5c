use super::Name;
use super::body::StatementSyntax;
use super::expr::{ExprSyntax, RegionSyntax};
use super::lower::Lower;
use super::subscript::SubscriptSyntax;
use crate::sparse_kernel::ir::{BinaryOp, OperandId, Storage, UnaryOp};
use crate::sparse_kernel::literal;
use crate::sparse_kernel::statement::{Access, Expr, Region};
use crate::sparse_kernel::{ElementType, Literal, Monoid, Multiply};
use crate::syntax::{Span, nearest, with_words};
use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// Calls `f` with each name that is read, from left to right: the name of an operand, of an index array, or of an index that is a
/// value.
pub(super) fn names<'a, S: Span>(expr: &'a ExprSyntax<S>, f: &mut impl FnMut(&'a super::Name<S>)) {
    names_except(expr, &[], f);
}

/// [`names`], except in arguments whose own values are not needed: those of the given functions, and, if one of them is `stored`,
/// those of `pair`, which also depends only on what is stored.
fn names_except<'a, S: Span>(
    expr: &'a ExprSyntax<S>,
    functions: &[&str],
    f: &mut impl FnMut(&'a super::Name<S>),
) {
    match expr {
        ExprSyntax::Literal(_) => {}
        ExprSyntax::Name(name) => f(name),
        ExprSyntax::Access { name, subscripts, .. } => {
            f(name);
            index_arrays(subscripts, f);
        }
        ExprSyntax::Negative(value, _) => names_except(value, functions, f),
        ExprSyntax::Binary(_, left, right) => {
            names_except(left, functions, f);
            names_except(right, functions, f);
        }
        ExprSyntax::Product { multiply: Multiply::Pair, .. } if functions.contains(&"stored") => {}
        ExprSyntax::Product { operands, .. } => {
            names_except(&operands.0, functions, f);
            names_except(&operands.1, functions, f);
        }
        ExprSyntax::Call { name, .. } if functions.contains(&name.text.as_str()) => {}
        ExprSyntax::Call { arguments, .. }
        | ExprSyntax::Regions { arguments, .. }
        | ExprSyntax::Custom { arguments, .. } => {
            arguments.iter().for_each(|argument| names_except(argument, functions, f));
        }
    }
}

/// Whether a statement reads an operand, and only as part of values that are converted: `cast(a[i, j])`.
pub(super) fn is_only_cast<S: Span>(statement: &StatementSyntax<S>, name: &str) -> bool {
    is_only_in(&["cast"], statement, name)
}

/// Whether a statement reads an operand, and needs only to know which of its elements are stored, apart from values that are
/// converted: `stored(a[i, j])`, `plus.pair(a[i, k], b[k, j])`.
pub(super) fn is_only_stored<S: Span>(statement: &StatementSyntax<S>, name: &str) -> bool {
    is_only_in(&["cast", "stored"], statement, name)
}

fn is_only_in<S: Span>(functions: &[&str], statement: &StatementSyntax<S>, name: &str) -> bool {
    let (mut read, mut outside) = (false, false);
    for value in [Some(&statement.value), statement.guard.as_ref()].into_iter().flatten() {
        names(value, &mut |other| read |= other.text == name);
        names_except(value, functions, &mut |other| outside |= other.text == name);
    }
    read && !outside
}

/// Calls `f` with each function that is called by its name, and its arguments.
pub(super) fn calls<'a, S: Span>(
    expr: &'a ExprSyntax<S>,
    f: &mut impl FnMut(&'a super::Name<S>, &'a [ExprSyntax<S>]),
) {
    match expr {
        ExprSyntax::Literal(_) | ExprSyntax::Name(_) | ExprSyntax::Access { .. } => {}
        ExprSyntax::Negative(value, _) => calls(value, f),
        ExprSyntax::Binary(_, left, right) => {
            calls(left, f);
            calls(right, f);
        }
        ExprSyntax::Product { operands, .. } => {
            calls(&operands.0, f);
            calls(&operands.1, f);
        }
        ExprSyntax::Call { name, arguments, .. } => {
            f(name, arguments);
            arguments.iter().for_each(|argument| calls(argument, f));
        }
        ExprSyntax::Regions { arguments, .. } | ExprSyntax::Custom { arguments, .. } => {
            arguments.iter().for_each(|argument| calls(argument, f));
        }
    }
}

/// Calls `f` with the name of each index array in subscripts.
pub(super) fn index_arrays<'a, S: Span>(
    subscripts: &'a [SubscriptSyntax<S>],
    f: &mut impl FnMut(&'a super::Name<S>),
) {
    for subscript in subscripts {
        subscript.each(&mut |inner| inner.gathers.iter().for_each(|gather| f(&gather.array)));
    }
}

/// Calls `f` with the subscripts of each access, from left to right.
pub(super) fn subscripts<'a, S>(
    expr: &'a ExprSyntax<S>,
    f: &mut impl FnMut(&'a [SubscriptSyntax<S>]),
) {
    accesses(expr, &mut |_, subscripts| f(subscripts));
}

/// Calls `f` with the operand and the subscripts of each access, from left to right.
pub(super) fn accesses<'a, S>(
    expr: &'a ExprSyntax<S>,
    f: &mut impl FnMut(&'a Name<S>, &'a [SubscriptSyntax<S>]),
) {
    match expr {
        ExprSyntax::Literal(_) | ExprSyntax::Name(_) => {}
        ExprSyntax::Access { name, subscripts, .. } => f(name, subscripts),
        ExprSyntax::Negative(value, _) => accesses(value, f),
        ExprSyntax::Binary(_, left, right) => {
            accesses(left, f);
            accesses(right, f);
        }
        ExprSyntax::Product { operands, .. } => {
            accesses(&operands.0, f);
            accesses(&operands.1, f);
        }
        ExprSyntax::Call { arguments, .. }
        | ExprSyntax::Regions { arguments, .. }
        | ExprSyntax::Custom { arguments, .. } => {
            arguments.iter().for_each(|argument| accesses(argument, f));
        }
    }
}

/// The value with its names resolved.
pub(super) fn value<'a, S: Span>(
    lower: &mut Lower<'a, '_, S>,
    syntax: &'a ExprSyntax<S>,
) -> Option<Expr> {
    match syntax {
        ExprSyntax::Literal(text) => number(lower, &text.text, text.span),
        ExprSyntax::Name(name) => {
            if let Some(index) = lower.index(&name.text) {
                return Some(Expr::Index(index));
            }
            read(lower, name, &[], name.span)
        }
        ExprSyntax::Access { name, subscripts, span } => read(lower, name, subscripts, *span),
        ExprSyntax::Negative(inner, span) => match &**inner {
            // The sign belongs to the number: `i8` has -128, but not 128.
            ExprSyntax::Literal(text) if !text.text.starts_with('-') => {
                number(lower, &format!("-{}", text.text), *span)
            }
            inner => {
                let value = value(lower, inner);
                lower.sign(*span);
                Some(Expr::Unary(UnaryOp::Neg, Box::new(value?)))
            }
        },
        ExprSyntax::Binary(op, left, right) => {
            let (a, b) = (value(lower, left), value(lower, right));
            let (a, b) = (a?, b?);
            // The divisor is zero if it is not stored.
            if *op == BinaryOp::Div && b.without(&|access| is_sparse(lower, access)) == Expr::Zero {
                let message = "this divides by a value that may not be stored, and so may be zero";
                let help = "divide by something dense, or say what happens where it is not stored: `binary(a, b, both = ..)`";
                lower.report(right.span(), message, help);
            }
            Some(Expr::Binary(*op, Box::new(a), Box::new(b)))
        }
        ExprSyntax::Call { name, arguments, span } => call(lower, name, arguments, *span),
        ExprSyntax::Custom { function, arguments, .. } => {
            let values = values(lower, arguments);
            let function = lower.function(function, arguments.len());
            Some(Expr::Call(function, values?))
        }
        ExprSyntax::Product { multiply, operands, .. } => {
            let (a, b) = (value(lower, &operands.0), value(lower, &operands.1));
            Some(Expr::Product(*multiply, Box::new((a?, b?))))
        }
        ExprSyntax::Regions { arguments, regions, .. } => by_regions(lower, arguments, regions),
    }
}

/// A call of a function that has a name.
fn call<'a, S: Span>(
    lower: &mut Lower<'a, '_, S>,
    name: &Name<S>,
    arguments: &'a [ExprSyntax<S>],
    span: S,
) -> Option<Expr> {
    if let Some(operand) = lower.operand(&name.text) {
        let message = format!("`{}` is an operand, not a function", name.text);
        let help = lower.as_declared(operand);
        lower.report(span, message, help);
        return None;
    }
    if let Some(operand) = lower.operand_in_another_case(&name.text) {
        let message = format!("unknown function `{}`", name.text);
        let help = lower.as_declared(operand);
        lower.report(span, message, help);
        return None;
    }
    let (unary, binary) = (UnaryOp::from_name(&name.text), BinaryOp::from_name(&name.text));
    let expected = match (unary, binary, name.text.as_str()) {
        (Some(_), ..) => 1,
        (_, Some(_), _) => 2,
        (_, _, "select") => 3,
        (_, _, "stored" | "cast") => 1,
        _ => {
            // A function of other libraries may take whole arrays.
            let elements = arguments.iter().filter(|value| !matches!(value, ExprSyntax::Name(_)));
            elements.for_each(|element| _ = value(lower, element));
            unknown_function(lower, name, arguments, span);
            return None;
        }
    };
    let values = values(lower, arguments);
    if name.text == "stored" && arguments.len() == 1 {
        let value = values?.remove(0);
        return Some(Expr::Product(Multiply::Pair, Box::new((value.clone(), value))));
    }
    if name.text == "cast" && arguments.len() == 1 {
        // The operands that it reads are converted when they are read.
        return values?.pop();
    }
    if arguments.len() != expected {
        let plural = if expected == 1 { "" } else { "s" };
        let message = format!(
            "`{}` takes {expected} value{plural}, but is given {}",
            name.text,
            arguments.len()
        );
        let call = ["x", "x, y", "x, y, z"][expected - 1];
        let help = match name.text.as_str() {
            extremum @ ("max" | "min") if arguments.len() == 1 => {
                format!("the extremum over an index is a reduction: `y[i] {extremum}= a[i, j]`")
            }
            "cast" => "it converts to the type in which the statement is computed; `; accumulator(f64)` names another".into(),
            name => format!("it is called as `{name}({call})`"),
        };
        lower.report(span, message, help);
        return None;
    }
    let mut values = values?.into_iter().map(Box::new);
    let mut next = || values.next();
    Some(match (unary, binary) {
        (Some(op), _) => Expr::Unary(op, next()?),
        (_, Some(op)) => Expr::Binary(op, next()?, next()?),
        _ => Expr::Select(next()?, next()?, next()?),
    })
}

/// The operations `binary` and `unary`, with a region for each set of operands that are stored.
fn by_regions<'a, S: Span>(
    lower: &mut Lower<'a, '_, S>,
    arguments: &'a [ExprSyntax<S>],
    regions: &'a [(Name<S>, RegionSyntax<S>)],
) -> Option<Expr> {
    let values = values(lower, arguments);
    let mut region = |name: &str, arity: usize| {
        let found = regions.iter().find(|(known, _)| known.text == name);
        match found.map(|(_, region)| region) {
            None => Region::Empty,
            Some(RegionSyntax::Identity) => Region::Identity,
            Some(RegionSyntax::Function(function)) => {
                Region::Function(lower.function(function, arity))
            }
        }
    };
    let function = |region: Region| match region {
        Region::Function(function) => Some(function),
        _ => None,
    };
    if arguments.len() == 2 {
        let (both, left, right) = (region("both", 2), region("left", 1), region("right", 1));
        identity(lower, regions, "both");
        let mut values = values?.into_iter();
        let operands = Box::new((values.next()?, values.next()?));
        return Some(Expr::Overlap { operands, both: function(both), left, right });
    }
    let (present, absent) = (region("present", 1), region("absent", 0));
    identity(lower, regions, "absent");
    let operand = Box::new(values?.into_iter().next()?);
    Some(Expr::Presence { operand, present, absent: function(absent) })
}

/// A number as written, with its sign.
fn number<S: Span>(lower: &mut Lower<'_, '_, S>, text: &str, span: S) -> Option<Expr> {
    if literal(text).is_none() {
        lower.report(span, format!("`{text}` is not a number"), "");
        return None;
    }
    lower.number(text, span);
    let value = match ElementType::parse(lower.element()) {
        Some(element) => literal(&Literal::in_type(text, element)?)?,
        None => literal(text)?,
    };
    // Differences of unsigned numbers wrap around, so a number can be evaluated only if its type is known.
    let suffix = match ElementType::parse(lower.element()) {
        Some(element @ (ElementType::U32 | ElementType::U64)) => element.name(),
        _ => return Some(value),
    };
    match value {
        Expr::Literal(text)
            if text.ends_with(|c: char| c.is_ascii_digit()) && !text.contains(['u', 'i', 'f']) =>
        {
            Some(Expr::Literal(text + suffix))
        }
        value => Some(value),
    }
}

fn values<'a, S: Span>(
    lower: &mut Lower<'a, '_, S>,
    arguments: &'a [ExprSyntax<S>],
) -> Option<Vec<Expr>> {
    // All arguments are resolved first, so that every mistake is reported.
    let values: Vec<Option<Expr>> = arguments.iter().map(|a| value(lower, a)).collect();
    values.into_iter().collect()
}

/// Checks that `identity` is used only in a region with a single operand.
fn identity<S: Span>(
    lower: &mut Lower<'_, '_, S>,
    regions: &[(super::Name<S>, RegionSyntax<S>)],
    name: &str,
) {
    for (region, what) in regions {
        if region.text == name && matches!(what, RegionSyntax::Identity) {
            let message = format!("`{name}` needs a function: there is no single operand to keep");
            lower.report(region.span, message, "");
        }
    }
}

/// Whether the element that an access reads may not be stored.
fn is_sparse<S: Span>(lower: &Lower<'_, '_, S>, access: usize) -> bool {
    let access = &lower.accesses[access];
    matches!(lower.operands[access.operand].storage, Storage::Sparse(_))
}

fn read<S: Span>(
    lower: &mut Lower<'_, '_, S>,
    name: &super::Name<S>,
    subscripts: &[SubscriptSyntax<S>],
    span: S,
) -> Option<Expr> {
    let operand = operand(lower, name)?;
    lower.rank(operand, subscripts.len(), span);
    if lower.operands[operand].storage == Storage::Scalar {
        return Some(Expr::Scalar(operand));
    }
    let subscripts = lower.subscripts(subscripts);
    Some(Expr::Access(lower.access(Access { operand, subscripts })))
}

/// The operand with this name, if it can be read.
pub(super) fn operand<S: Span>(
    lower: &mut Lower<'_, '_, S>,
    name: &super::Name<S>,
) -> Option<OperandId> {
    let Some(operand) = lower.operand(&name.text) else {
        let known: Vec<&str> = lower.operands.iter().map(|operand| operand.name.as_str()).collect();
        let message = format!("unknown operand `{}`", name.text);
        let help = match known.split_last() {
            Some((_, inputs)) if !inputs.is_empty() => match nearest(&name.text, inputs) {
                Some(meant) => format!("did you mean `{meant}`?"),
                None => format!(
                    "the operands are `{}`; name another one in the signature: `{}: Dense<{}>[i]`",
                    inputs.join("`, `"),
                    name.text,
                    lower.element()
                ),
            },
            _ => "name it in the signature".into(),
        };
        lower.report(name.span, message, help);
        return None;
    };
    if operand == lower.output() {
        let message = format!("the output `{}` cannot be read", name.text);
        let help = "use `+=` to add to what the output holds; read other values from an operand";
        lower.report(name.span, message, help);
        return None;
    }
    Some(operand)
}

/// What to write for a function of other libraries, with these arguments; an expression that other operators would tear apart is in
/// parentheses.
fn of_other_libraries<S>(name: &str, arguments: &[ExprSyntax<S>]) -> Option<String> {
    let text = match name {
        "relu" => "max(x, 0)",
        "sigmoid" | "logistic" | "expit" => "(1 / (1 + exp(-x)))",
        "silu" | "swish" => "(x / (1 + exp(-x)))",
        "square" => "(x * x)",
        "reciprocal" => "recip(x)",
        "rsqrt" => "recip(sqrt(x))",
        "log" => "ln(x)",
        "log1p" => "ln_1p(x)",
        "expm1" => "exp_m1(x)",
        "sign" | "sgn" => "signum(x)",
        "arctan" => "atan(x)",
        "arcsin" => "asin(x)",
        "maximum" | "fmax" | "amax" => "max(x, y)",
        "minimum" | "fmin" | "amin" => "min(x, y)",
        "clamp" | "clip" => "min(max(x, y), z)",
        "power" | "float_power" => "pow(x, y)",
        "absolute" | "fabs" => "abs(x)",
        "where" | "ifelse" => "select(x, y, z)",
        "count" | "nnz" | "count_nonzero" => "stored(x)",
        _ => return None,
    };
    let printed: fn(&ExprSyntax<S>) -> String =
        if text.starts_with('(') { super::print::value_alone } else { super::print::value };
    let piece = |piece: &str| match piece {
        "x" | "y" | "z" => {
            let argument = arguments.get(usize::from(piece.as_bytes()[0] - b'x'));
            argument.map_or_else(|| piece.into(), printed)
        }
        piece => String::from(piece),
    };
    Some(with_words(text, piece))
}

/// The help for a function of other libraries that takes several statements.
fn in_steps(name: &str) -> Option<&'static str> {
    Some(match name {
        "norm" => "sum the squares first: `let t[i] = a[i, j] * a[i, j]; y[i] = sqrt(t[i])`",
        "mean" | "average" | "avg" => {
            "divide the sum by the number of elements, an operand: `let t[i] = a[i, j]; y[i] = t[i] / n`"
        }
        "softmax" => {
            "compute the sum first: `let t[i] = exp(a[i, j]); y[i, j] = exp(a[i, j]) / t[i]`"
        }
        _ => return None,
    })
}

/// Whether other libraries call a product of arrays by this name.
fn is_product(name: &str) -> bool {
    matches!(
        name,
        "matmul"
            | "mm"
            | "bmm"
            | "mv"
            | "dot"
            | "vdot"
            | "inner"
            | "einsum"
            | "tensordot"
            | "matvec"
            | "gemm"
            | "gemv"
            | "spmm"
            | "spmv"
            | "spgemm"
            | "mxm"
            | "mxv"
            | "vxm"
    )
}

/// The product of whole operands, `matmul(a, x)`, with the names of their dimensions.
fn of_whole_operands<S: Span>(
    lower: &Lower<'_, '_, S>,
    arguments: &[ExprSyntax<S>],
) -> Option<String> {
    let factors = arguments.iter().map(|argument| match argument {
        ExprSyntax::Name(name) => lower.operand(&name.text).map(|operand| lower.declared(operand)),
        ExprSyntax::Access { .. } => Some(super::print::value(argument)),
        _ => None,
    });
    let factors: Vec<_> = factors.collect::<Option<_>>()?;
    (factors.len() > 1).then(|| factors.join(" * "))
}

/// The element of `transpose(a)` in a statement that computes a matrix: `a[j, i]` for `y[i, j]`.
fn transposed<S: Span>(
    lower: &Lower<'_, '_, S>,
    function: &str,
    arguments: &[ExprSyntax<S>],
) -> Option<String> {
    let is_transpose = matches!(function, "transpose" | "transposed" | "T" | "t" | "swapaxes");
    let ([ExprSyntax::Name(operand), ..], [i, j]) = (arguments, &lower.syntax.output.dims[..])
    else {
        return None;
    };
    let is_operand = lower.operand(&operand.text).is_some();
    (is_transpose && is_operand).then(|| format!("{}[{}, {}]", operand.text, j.text, i.text))
}

/// Reports a call of a function that does not exist, under its name if only the name is wrong.
fn unknown_function<S: Span>(
    lower: &mut Lower<'_, '_, S>,
    name: &Name<S>,
    arguments: &[ExprSyntax<S>],
    call: S,
) {
    let text = name.text.as_str();
    let mut known: Vec<&'static str> = UnaryOp::names().collect();
    known.extend(["min", "max", "pow", "select", "stored", "cast", "binary", "unary", "call"]);
    let halves = text.split_once('_').filter(|(monoid, multiply)| {
        Monoid::from_name(monoid).is_some() && Multiply::from_name(multiply).is_some()
    });
    let (span, help) = match nearest(text, &known) {
        _ if halves.is_some() => {
            let written = text.replacen('_', ".", 1);
            (name.span, format!("a semiring is written with a dot: `{written}(x, y)`"))
        }
        _ if text == "sum" => {
            let help =
                "leave it out: everything is summed over the indices that the output does not have";
            (name.span, help.into())
        }
        _ if let Some(element) = transposed(lower, text, arguments) => {
            (call, format!("write `{element}`: the order of the indices transposes it"))
        }
        _ if is_product(text)
            && let Some(product) = of_whole_operands(lower, arguments) =>
        {
            (
                call,
                format!(
                    "write `{product}`: it is summed over the indices that the output does not have"
                ),
            )
        }
        _ if is_product(text) => {
            let help = "write the product of two elements: it is summed over the indices that the output does not have: `c[i, k] = a[i, j] * b[j, k]`";
            (name.span, help.into())
        }
        _ if let Some(help) = in_steps(text) => (name.span, help.into()),
        _ if let Some(written) = of_other_libraries(text, arguments) => {
            (call, format!("write `{written}`"))
        }
        Some(known) => (name.span, format!("did you mean `{known}`?")),
        None => {
            let values: Vec<_> = arguments.iter().map(super::print::value).collect();
            let values = if values.is_empty() { "a[i]".into() } else { values.join(", ") };
            (call, format!("call a function of your own with `call`: `call({text}, {values})`"))
        }
    };
    lower.report(span, format!("unknown function `{text}`"), help);
}
