//! Kernels that read the given output of another kernel: its entries that remain where the condition of a statement does, or does
//! not, hold (`keep` and `replace`), and its sum with the value of the statement.

use super::body::{ReductionSyntax, StatementSyntax};
use super::expr::ExprSyntax;
use super::lower::{lower_kernel, report};
use super::schedule::{Outside, ScheduleSyntax};
use super::signature::{KernelSyntax, OperandSyntax, TypeSyntax};
use super::{Name, values};
use crate::sparse::SparseEncoding;
use crate::sparse_kernel::ElementType;
use crate::sparse_kernel::ir::{BinaryOp, Kernel, KernelOperand, Origin, OutputMode, Storage};
use crate::syntax::{Diagnostics, Span};
use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// A kernel that reads the given output, and computes the tensor of those of its entries that remain, or the tensor that takes its
/// place.
///
/// With `c[i, j] += a[i, j] if m[i, j] != 0; replace` it is `kept[i, j] = c[i, j] if m[i, j] != 0`, and with `c[i, j] += a[i, j]` it is
/// `kept[i, j] = c[i, j] + a[i, j]`.
#[derive(Clone, Debug)]
pub struct Kept<S> {
    /// The kernel as if it were written by itself. Its last parameter is the given output.
    pub syntax: KernelSyntax<S>,
    /// Its loops.
    pub kernel: Kernel,
    /// The location of each of its Rust functions.
    pub functions: Vec<S>,
    /// The parameters of the statement that it reads, by their numbers.
    pub reads: Vec<usize>,
}

/// Lowers the kernel of the entries that remain. `None` if all of them remain or none does, as the operator of the statement
/// says, or if there is a mistake, which is reported.
pub fn lower_kept<S: Span>(
    syntax: &KernelSyntax<S>,
    encodings: &dyn Fn(&str) -> Option<SparseEncoding>,
    diagnostics: &mut Diagnostics<S>,
) -> Option<Kept<S>> {
    // A mistake in the condition would be reported twice.
    if !diagnostics.is_empty() {
        return None;
    }
    let (outside, span) = outside(syntax, diagnostics)?;
    let guard = checked_guard(syntax, (outside, span), diagnostics)?;
    if !diagnostics.is_empty() {
        return None;
    }
    let overwrites = match &syntax.statement.reduction {
        ReductionSyntax::Semiring { accumulates, .. } => !accumulates,
        ReductionSyntax::Assign
        | ReductionSyntax::Witness { .. }
        | ReductionSyntax::Custom { .. } => true,
        _ => false,
    };
    let condition = match (outside, overwrites) {
        (Outside::Replace, false) => guard.clone(),
        (Outside::Keep, true) => {
            let zero = ExprSyntax::Literal(Name { text: "0".to_string(), span });
            ExprSyntax::Binary(BinaryOp::Equal, Box::new(guard.clone()), Box::new(zero))
        }
        _ => return None,
    };
    let (kept, reads) = kept_syntax(syntax, None, Some(condition), Vec::new());
    let (kernel, functions) = lower_kernel(&kept, encodings, diagnostics)?;
    Some(Kept { syntax: kept, kernel, functions, reads })
}

/// Lowers the kernel that adds the value of a statement `c[i, j] += ..` to the given output in one pass over the entries of all
/// operands. `None` if the statement has a condition, sums over other indices, or may round before it adds, and if the output is
/// not stored in segments that are computed in order.
pub fn lower_sum<S: Span>(
    syntax: &KernelSyntax<S>,
    encodings: &dyn Fn(&str) -> Option<SparseEncoding>,
) -> Option<Kept<S>> {
    let StatementSyntax { reduction, value, guard, .. } = &syntax.statement;
    let outside = |schedule: &ScheduleSyntax<S>| matches!(schedule, ScheduleSyntax::Outside(..));
    let is_packed = |operand: &OperandSyntax<S>| matches!(operand.ty, TypeSyntax::Tiled(_));
    if !matches!(reduction, ReductionSyntax::Sum)
        || guard.is_some()
        || !adds_as_it_computes(&syntax.output.element.text)
        || syntax.schedule.iter().any(outside)
        || syntax.parameters.iter().any(is_packed)
    {
        return None;
    }
    let mut unread = Vec::new();
    let plain = plain_indices(syntax, "+=", &mut unread)?;
    let known = |index: &&Name<S>| plain.iter().any(|plain| plain.text == index.text);
    if !indices(syntax, value).iter().all(known) {
        return None;
    }
    let (sum, reads) = kept_syntax(syntax, Some(value), None, syntax.schedule.clone());
    let (kernel, functions) = lower_kernel(&sum, encodings, &mut unread)?;
    let Storage::Sparse(encoding) = &kernel.operands[kernel.output].storage else { return None };
    let in_order = kernel.result == OutputMode::Append && encoding.appends_segments();
    let converts = |operand: &KernelOperand| matches!(operand.origin, Origin::Converted(_));
    let fits = unread.is_empty() && in_order && !kernel.operands.iter().any(converts);
    fits.then_some(Kept { syntax: sum, kernel, functions, reads })
}

/// Whether a value and the element that it is added to can be computed as one sum, with the same result as if the value were
/// rounded to an element first: not for 16-bit floats, which are summed in `f32`, nor for `bool`, where `true + (0 - 1)` in `i64` is
/// false. An alias can be either.
fn adds_as_it_computes(element: &str) -> bool {
    use ElementType::{Bf16, Bool, F16};
    !matches!(ElementType::parse(element), None | Some(Bool | F16 | Bf16))
}

/// The word in the schedule, if there is one; reports a second one.
fn outside<S: Span>(
    syntax: &KernelSyntax<S>,
    diagnostics: &mut Diagnostics<S>,
) -> Option<(Outside, S)> {
    let mut words = syntax.schedule.iter().filter_map(|schedule| match schedule {
        ScheduleSyntax::Outside(outside, span) => Some((*outside, *span)),
        _ => None,
    });
    let first = words.next()?;
    if let Some((second, span)) = words.next() {
        let message = format!("`{}` follows `{}`", second.word(), first.0.word());
        report(diagnostics, span, message, "write one of them");
    }
    Some(first)
}

/// The condition, after checks that it says of each element of a sparse output whether it holds there.
fn checked_guard<'s, S: Span>(
    syntax: &'s KernelSyntax<S>,
    (outside, span): (Outside, S),
    diagnostics: &mut Diagnostics<S>,
) -> Option<&'s ExprSyntax<S>> {
    let (word, output) = (outside.word(), &syntax.output.name.text);
    if !matches!(syntax.output.ty, TypeSyntax::Alias(_) | TypeSyntax::Encoding(_)) {
        let message = format!("`{word}` is for sparse outputs, but `{output}` is not one");
        let help = "leave it out: `+=` keeps the elements where the condition does not hold, and `=` makes them zero";
        report(diagnostics, span, message, help);
        return None;
    }
    let Some(guard) = &syntax.statement.guard else {
        let message = format!("`{word}` needs a condition, and the statement has none");
        let help = "a mask is a condition after the statement: `if m[i, j] != 0`";
        report(diagnostics, span, message, help);
        return None;
    };
    let plain = plain_indices(syntax, word, diagnostics)?;
    let mut names: Vec<&Name<S>> = Vec::new();
    values::names(guard, &mut |name| names.push(name));
    for operand in &syntax.parameters {
        let read = names.iter().find(|name| name.text == operand.name.text);
        if let (Some(name), TypeSyntax::Tiled(_)) = (read, &operand.ty) {
            let message = format!("the condition of `{word}` reads a packed operand");
            report(diagnostics, name.span, message, "unpack it before the call");
            return None;
        }
    }
    if let Some(other) = indices(syntax, guard)
        .into_iter()
        .find(|index| plain.iter().all(|known| known.text != index.text))
    {
        let message = format!("the condition of `{word}` reads index `{}`", other.text);
        let help = format!("a mask has the indices of the output `{output}`");
        report(diagnostics, other.span, message, help);
        return None;
    }
    Some(guard)
}

/// The indices of the output, which must be different ones, so that they are all of its dimensions.
fn plain_indices<'s, S: Span>(
    syntax: &'s KernelSyntax<S>,
    word: &str,
    diagnostics: &mut Diagnostics<S>,
) -> Option<Vec<&'s Name<S>>> {
    let target = &syntax.statement.subscripts;
    let mut plain: Vec<&Name<S>> = Vec::new();
    for index in target.iter().filter_map(|subscript| subscript.plain()) {
        if plain.iter().all(|other| other.text != index.text) {
            plain.push(index);
        }
    }
    if plain.len() == target.len() && target.iter().all(|subscript| subscript.gathers.is_empty()) {
        return Some(plain);
    }
    let output = &syntax.output.name.text;
    let message = format!("`{word}` needs an output that is computed at all of its indices");
    let help = format!("compute `{output}` at different plain indices: `{output}[i, j]`");
    report(diagnostics, syntax.statement.target_span, message, help);
    None
}

/// The indices that a condition reads, as values and in subscripts.
fn indices<'s, S: Span>(syntax: &'s KernelSyntax<S>, guard: &'s ExprSyntax<S>) -> Vec<&'s Name<S>> {
    let mut indices: Vec<&Name<S>> = Vec::new();
    let operands = syntax.parameters.iter().map(|operand| operand.name.text.as_str());
    values::names(guard, &mut |name| {
        if operands.clone().all(|operand| operand != name.text) {
            indices.push(name);
        }
    });
    values::subscripts(guard, &mut |subscripts| {
        for subscript in subscripts {
            subscript.each(&mut |inner| {
                // `p[j]` is not an index itself, and `j` is visited too.
                let names = inner.terms.iter().map(|(_, index)| index);
                indices.extend(names.filter(|index| !index.text.ends_with(']')));
            });
        }
    });
    indices
}

/// The kernel, and the parameters of the statement that it reads: the given output, plus `more`, where the condition holds.
fn kept_syntax<S: Span>(
    syntax: &KernelSyntax<S>,
    more: Option<&ExprSyntax<S>>,
    condition: Option<ExprSyntax<S>>,
    schedule: Vec<ScheduleSyntax<S>>,
) -> (KernelSyntax<S>, Vec<usize>) {
    let mut names: Vec<&str> = Vec::new();
    for value in more.into_iter().chain(&condition) {
        values::names(value, &mut |name| names.push(&name.text));
    }
    let parameters = syntax.parameters.iter().enumerate();
    let read = parameters.filter(|(_, operand)| names.contains(&operand.name.text.as_str()));
    let (reads, mut parameters): (Vec<usize>, Vec<OperandSyntax<S>>) =
        read.map(|(number, operand)| (number, operand.clone())).unzip();
    parameters.push(syntax.output.clone());
    let target = Name { text: unused_name(syntax), span: syntax.output.name.span };
    let old = &syntax.statement;
    let given = ExprSyntax::Access {
        name: syntax.output.name.clone(),
        subscripts: old.subscripts.clone(),
        span: old.target_span,
    };
    let value = match more {
        Some(more) => ExprSyntax::Binary(BinaryOp::Add, Box::new(given), Box::new(more.clone())),
        None => given,
    };
    let statement = StatementSyntax {
        target: target.clone(),
        reduction: ReductionSyntax::Assign,
        value,
        guard: condition,
        ..old.clone()
    };
    let mut output = syntax.output.clone();
    (output.name, output.made) = (target, true);
    let kept = KernelSyntax {
        visibility: None,
        parameters,
        output,
        statement,
        schedule,
        ..syntax.clone()
    };
    (kept, reads)
}

/// A name for the entries that remain that no operand has.
fn unused_name<S>(syntax: &KernelSyntax<S>) -> String {
    let mut name = format!("{}_kept", syntax.output.name.text);
    while syntax.parameters.iter().any(|operand| operand.name.text == name) {
        name.push('_');
    }
    name
}
