//! Operations on each element, and those that convert or compare elements.

use super::elements::Elements;
use super::error::{Result, Subject, wrong, wrong_with_help};
use super::execution::KernelTypes;
use super::input::Input;
use super::mlir::{Mlir, OpText, plain};
use super::operation::{Infer, Inferred, Operation, same_type};
use super::sums::PartialSums;
use super::{Attribute, unknown_elements};
use crate::dtype::DType;
use crate::sharding::propagation::OpKind;
use crate::sharding::{FactorKind, OpShardingRule, RuleBuilder};
use Elements as E;
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;

/// An operation on each element of `operands` tensors: its names, its name in StableHLO, the element types that it accepts, and
/// the element type of its result.
const fn each(
    names: &'static [&'static str],
    stablehlo: &'static str,
    operands: usize,
    elements: Elements,
    result: fn(DType) -> DType,
) -> Operation {
    Operation {
        names,
        kind: OpKind::Elementwise,
        infer: Infer::Each { operands, elements, result },
        mlir: Mlir::StableHlo(stablehlo, plain),
        kernel: KernelTypes::Numbers,
        on_shards: true,
        ..Operation::DEFAULT
    }
}

/// An operation on one tensor.
const fn unary(
    names: &'static [&'static str],
    stablehlo: &'static str,
    elements: Elements,
) -> Operation {
    each(names, stablehlo, 1, elements, same_type)
}

/// An operation on two tensors.
const fn binary(
    names: &'static [&'static str],
    stablehlo: &'static str,
    elements: Elements,
) -> Operation {
    each(names, stablehlo, 2, elements, same_type)
}

const FIRST: PartialSums = PartialSums::Linear(&[0]);

pub(super) const ROWS: &[Operation] = &[
    each(&["abs"], "abs", 1, E::SIGNED, real_part).with(KernelTypes::Complex).step(),
    unary(&["cbrt"], "cbrt", E::FLOAT_OR_COMPLEX),
    unary(&["ceil"], "ceil", E::FLOAT).step(),
    unary(&["cos", "cosine"], "cosine", E::FLOAT_OR_COMPLEX),
    unary(&["count_leading_zeros"], "count_leading_zeros", E::INTEGER),
    unary(&["exp", "exponential"], "exponential", E::FLOAT_OR_COMPLEX)
        .with(KernelTypes::Complex)
        .step(),
    unary(&["expm1", "exponential_minus_one"], "exponential_minus_one", E::FLOAT_OR_COMPLEX).step(),
    unary(&["floor"], "floor", E::FLOAT).step(),
    each(&["imag"], "imag", 1, E::FLOAT_OR_COMPLEX, real_part)
        .with(KernelTypes::Complex)
        .sums(FIRST),
    each(&["is_finite"], "is_finite", 1, E::FLOAT, truth),
    unary(&["log"], "log", E::FLOAT_OR_COMPLEX).with(KernelTypes::Complex).step(),
    unary(&["log1p", "log_plus_one"], "log_plus_one", E::FLOAT_OR_COMPLEX).step(),
    unary(&["logistic"], "logistic", E::FLOAT_OR_COMPLEX),
    unary(&["neg", "negate"], "negate", E::NUMBER).with(KernelTypes::Complex).step().sums(FIRST),
    unary(&["not"], "not", E::PRED_OR_INTEGER).step(),
    unary(&["popcnt"], "popcnt", E::INTEGER),
    each(&["real"], "real", 1, E::FLOAT_OR_COMPLEX, real_part)
        .with(KernelTypes::Complex)
        .sums(FIRST),
    Operation {
        // The precision is that of bf16, because a program does not have one.
        mlir: Mlir::StableHlo("reduce_precision", |_| {
            OpText::properties("exponent_bits = 8 : i32, mantissa_bits = 7 : i32")
        }),
        only_imported: true,
        ..unary(&["reduce_precision"], "reduce_precision", E::FLOAT)
    },
    unary(&["round", "round_nearest_even"], "round_nearest_even", E::FLOAT),
    unary(&["round_nearest_afz"], "round_nearest_afz", E::FLOAT),
    unary(&["rsqrt"], "rsqrt", E::FLOAT_OR_COMPLEX),
    unary(&["sign"], "sign", E::SIGNED).step(),
    unary(&["sin", "sine"], "sine", E::FLOAT_OR_COMPLEX),
    unary(&["sqrt"], "sqrt", E::FLOAT_OR_COMPLEX).with(KernelTypes::Complex).step(),
    unary(&["tan"], "tan", E::FLOAT_OR_COMPLEX),
    unary(&["tanh"], "tanh", E::FLOAT_OR_COMPLEX).step(),
    binary(&["add"], "add", E::ANY).with(KernelTypes::Complex).combines().sums(PartialSums::All),
    binary(&["and"], "and", E::PRED_OR_INTEGER).combines(),
    binary(&["atan2"], "atan2", E::FLOAT_OR_COMPLEX).step(),
    Operation {
        names: &["complex"],
        call: "complex(re, im)",
        kind: OpKind::Elementwise,
        infer: Infer::By(infer_complex),
        sums: PartialSums::All,
        mlir: Mlir::StableHlo("complex", plain),
        kernel: KernelTypes::Complex,
        on_shards: true,
        ..Operation::DEFAULT
    },
    binary(&["div", "divide"], "divide", E::NUMBER)
        .with(KernelTypes::Complex)
        .step()
        .sums(PartialSums::Dividend),
    binary(&["max", "maximum"], "maximum", E::ANY).with(KernelTypes::Narrow).combines(),
    binary(&["min", "minimum"], "minimum", E::ANY).with(KernelTypes::Narrow).combines(),
    binary(&["mul", "multiply"], "multiply", E::ANY)
        .with(KernelTypes::Complex)
        .combines()
        .sums(PartialSums::Any),
    binary(&["or"], "or", E::PRED_OR_INTEGER).combines(),
    binary(&["pow", "power"], "power", E::NUMBER).step(),
    binary(&["rem", "remainder"], "remainder", E::NUMBER).step(),
    binary(&["shift_left"], "shift_left", E::INTEGER),
    binary(&["shift_right_arithmetic"], "shift_right_arithmetic", E::INTEGER),
    binary(&["shift_right_logical"], "shift_right_logical", E::INTEGER),
    binary(&["sub", "subtract"], "subtract", E::NUMBER)
        .with(KernelTypes::Complex)
        .step()
        .sums(PartialSums::All),
    binary(&["xor"], "xor", E::PRED_OR_INTEGER).step(),
    Operation {
        names: &["clamp"],
        call: "clamp(least, x, most)",
        kind: OpKind::Elementwise,
        infer: Infer::By(infer_clamp),
        mlir: Mlir::StableHlo("clamp", plain),
        kernel: KernelTypes::Narrow,
        on_shards: true,
        ..Operation::DEFAULT
    },
    Operation {
        names: &["select"],
        call: "select(p, x, y)",
        kind: OpKind::Elementwise,
        infer: Infer::By(infer_select),
        sums: PartialSums::Of(&[1, 2]),
        mlir: Mlir::StableHlo("select", plain),
        kernel: KernelTypes::All,
        on_shards: true,
        is_step: true,
        ..Operation::DEFAULT
    },
    Operation {
        names: &["compare"],
        call: "compare(x, y, direction=LT)",
        kind: OpKind::Elementwise,
        attributes: &["direction"],
        infer: Infer::By(infer_compare),
        mlir: Mlir::StableHlo("compare", |call| {
            let direction = call.attributes.word("direction", "EQ");
            let direction = format!("#stablehlo<comparison_direction {direction}>");
            OpText::properties(format!("comparison_direction = {direction}"))
        }),
        kernel: KernelTypes::All,
        on_shards: true,
        is_step: true,
        ..Operation::DEFAULT
    },
    Operation {
        names: &["convert"],
        call: "convert(x, type=f32)",
        kind: OpKind::Elementwise,
        attributes: &["type"],
        infer: Infer::By(infer_convert),
        mlir: Mlir::StableHlo("convert", plain),
        kernel: KernelTypes::All,
        on_shards: true,
        is_step: true,
        ..Operation::DEFAULT
    },
];

/// The type of the real part of an element.
pub(super) const fn real_part(dtype: DType) -> DType {
    match dtype {
        DType::C64 => DType::F32,
        DType::C128 => DType::F64,
        _ => dtype,
    }
}

const fn truth(_: DType) -> DType {
    DType::PRED
}

/// An operation on tensors of the same size and element type.
pub(super) fn infer_each(
    input: &Input<'_>,
    operands: usize,
    elements: Elements,
    result: fn(DType) -> DType,
) -> Result<Inferred> {
    input.arity(operands)?;
    input.same_size(0, &[])?;
    input.elements(0, elements)?;
    input.all_same_elements()?;
    Ok(like(input, 0, &[], result(input.operands[0].dtype)))
}

/// A result of the size of operand `at`; the operands listed in `scalars` may be scalars.
fn like(input: &Input<'_>, at: usize, scalars: &[usize], dtype: DType) -> Inferred {
    let operands = input.operands;
    let scalars: Vec<_> =
        scalars.iter().copied().filter(|&at| operands[at].dims.is_empty()).collect();
    let dims = operands[at].dims;
    Inferred::one(elementwise(operands.len(), &scalars, dims), dims.to_vec(), dtype)
}

/// `complex(x, y)`
fn infer_complex(input: &Input<'_>) -> Result<Inferred> {
    input.arity(2)?;
    input.same_size(0, &[])?;
    input.one_of(0, &[DType::F32, DType::F64])?;
    input.all_same_elements()?;
    let is_double = input.operands[0].dtype == DType::F64;
    Ok(like(input, 0, &[], if is_double { DType::C128 } else { DType::C64 }))
}

/// `select(p, x, y)`
fn infer_select(input: &Input<'_>) -> Result<Inferred> {
    input.arity(3)?;
    input.same_size(1, &[0])?;
    input.elements(0, Elements::PRED)?;
    input.same_elements(1, [2])?;
    Ok(like(input, 1, &[0], input.operands[1].dtype))
}

/// `clamp(least, x, most)`
fn infer_clamp(input: &Input<'_>) -> Result<Inferred> {
    input.arity(3)?;
    input.same_size(1, &[0, 2])?;
    input.same_elements(1, [0, 2])?;
    Ok(like(input, 1, &[0, 2], input.operands[1].dtype))
}

/// `compare(x, y, direction=LT)`
fn infer_compare(input: &Input<'_>) -> Result<Inferred> {
    input.arity(2)?;
    input.same_size(0, &[])?;
    input.all_same_elements()?;
    input.word("direction", &["EQ", "NE", "GE", "GT", "LE", "LT"])?;
    Ok(like(input, 0, &[], DType::PRED))
}

/// `convert(x, type=f32)`
fn infer_convert(input: &Input<'_>) -> Result<Inferred> {
    input.arity(1)?;
    Ok(like(input, 0, &[], named_type(input)?))
}

/// The element type of the result, from the attribute `type`.
pub(super) fn named_type(input: &Input<'_>) -> Result<DType> {
    let subject = || Subject::Attribute("type".into());
    match input.attributes.get("type") {
        Some(Attribute::Word(word)) if let Some(dtype) = DType::from_name(word) => {
            unknown_elements(dtype).map_or(Ok(dtype), |message| wrong(subject(), message))
        }
        Some(_) => wrong(subject(), "expected an element type: `type=f32`"),
        None => wrong(Subject::Call, "expected the element type of the result: `type=f32`"),
    }
}

/// The element type of a product: that of the attribute `type`, or that of both operands.
pub(super) fn product_type(input: &Input<'_>) -> Result<DType> {
    if input.attributes.get("type").is_some() {
        return named_type(input);
    }
    let [lhs, rhs] = [0, 1].map(|at| input.operands[at].dtype);
    if lhs == rhs {
        return Ok(lhs);
    }
    let message = format!("the operands have elements of type `{lhs}` and `{rhs}`");
    let wider = if rhs.bits() > lhs.bits() { rhs } else { lhs };
    wrong_with_help(
        Subject::Operand(1),
        message,
        format!("write which type the result has: `type={wider}`"),
    )
}

/// The rule of an operation on each element of `operands` tensors of size `dims`. The operands listed in `scalars` are scalars
/// instead, as in `select` and `clamp`.
///
/// ```
/// use tensor_layout::sharding::ops::elementwise;
/// let rule = elementwise(3, &[0], &[8, 4]);
/// assert_eq!(rule.to_string(), "<([], [i, j], [i, j])->([i, j]) {i=8, j=4}>");
/// ```
pub fn elementwise(operands: usize, scalars: &[usize], dims: &[usize]) -> OpShardingRule {
    let ranks: Vec<_> = (0..operands)
        .map(|operand| if scalars.contains(&operand) { 0 } else { dims.len() })
        .collect();
    let mut rule = RuleBuilder::new(&ranks, &[dims.len()]);
    for (dim, &size) in dims.iter().enumerate() {
        rule.shared(dim, size, FactorKind::PassThrough, false);
    }
    rule.build()
}

/// One factor for each dimension, which all tensors share.
pub(super) fn pointwise(
    operands: usize,
    results: usize,
    dims: &[usize],
    kind: impl Fn(usize) -> (FactorKind, bool),
) -> OpShardingRule {
    let mut rule = RuleBuilder::new(&vec![dims.len(); operands], &vec![dims.len(); results]);
    for (dim, &size) in dims.iter().enumerate() {
        let (kind, blocked) = kind(dim);
        rule.shared(dim, size, kind, blocked);
    }
    rule.build()
}
