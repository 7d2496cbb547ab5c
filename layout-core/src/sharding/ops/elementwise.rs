//! Operations on each element.

use super::elements::Elements;
use super::{At, Attribute, Input, Made, Result, wrong};
use crate::dtype::DType;
use crate::sharding::propagation::OpKind;
use crate::sharding::registry;
use alloc::format;
use alloc::vec::Vec;

/// Of one tensor, with the name that StableHLO has for them, and the element types that it takes.
const UNARY: &[(&str, &str, Elements)] = &[
    ("abs", "abs", Elements::SIGNED),
    ("all_reduce", "all_reduce", Elements::ANY),
    ("cbrt", "cbrt", Elements::FLOAT_OR_COMPLEX),
    ("ceil", "ceil", Elements::FLOAT),
    ("collective_permute", "collective_permute", Elements::ANY),
    ("cos", "cosine", Elements::FLOAT_OR_COMPLEX),
    ("cosine", "cosine", Elements::FLOAT_OR_COMPLEX),
    ("count_leading_zeros", "count_leading_zeros", Elements::INTEGER),
    ("exp", "exponential", Elements::FLOAT_OR_COMPLEX),
    ("exponential", "exponential", Elements::FLOAT_OR_COMPLEX),
    ("expm1", "exponential_minus_one", Elements::FLOAT_OR_COMPLEX),
    ("exponential_minus_one", "exponential_minus_one", Elements::FLOAT_OR_COMPLEX),
    ("floor", "floor", Elements::FLOAT),
    ("imag", "imag", Elements::FLOAT_OR_COMPLEX),
    ("is_finite", "is_finite", Elements::FLOAT),
    ("log", "log", Elements::FLOAT_OR_COMPLEX),
    ("log1p", "log_plus_one", Elements::FLOAT_OR_COMPLEX),
    ("log_plus_one", "log_plus_one", Elements::FLOAT_OR_COMPLEX),
    ("logistic", "logistic", Elements::FLOAT_OR_COMPLEX),
    ("neg", "negate", Elements::NUMBER),
    ("negate", "negate", Elements::NUMBER),
    ("not", "not", Elements::PRED_OR_INTEGER),
    ("popcnt", "popcnt", Elements::INTEGER),
    ("real", "real", Elements::FLOAT_OR_COMPLEX),
    ("reduce_precision", "reduce_precision", Elements::FLOAT),
    ("round", "round_nearest_even", Elements::FLOAT),
    ("round_nearest_afz", "round_nearest_afz", Elements::FLOAT),
    ("round_nearest_even", "round_nearest_even", Elements::FLOAT),
    ("rsqrt", "rsqrt", Elements::FLOAT_OR_COMPLEX),
    ("sign", "sign", Elements::SIGNED),
    ("sin", "sine", Elements::FLOAT_OR_COMPLEX),
    ("sine", "sine", Elements::FLOAT_OR_COMPLEX),
    ("sqrt", "sqrt", Elements::FLOAT_OR_COMPLEX),
    ("tan", "tan", Elements::FLOAT_OR_COMPLEX),
    ("tanh", "tanh", Elements::FLOAT_OR_COMPLEX),
];

/// Of two tensors.
const BINARY: &[(&str, &str, Elements)] = &[
    ("add", "add", Elements::ANY),
    ("and", "and", Elements::PRED_OR_INTEGER),
    ("atan2", "atan2", Elements::FLOAT_OR_COMPLEX),
    ("complex", "complex", Elements::FLOAT),
    ("div", "divide", Elements::NUMBER),
    ("divide", "divide", Elements::NUMBER),
    ("max", "maximum", Elements::ANY),
    ("maximum", "maximum", Elements::ANY),
    ("min", "minimum", Elements::ANY),
    ("minimum", "minimum", Elements::ANY),
    ("mul", "multiply", Elements::ANY),
    ("multiply", "multiply", Elements::ANY),
    ("or", "or", Elements::PRED_OR_INTEGER),
    ("pow", "power", Elements::NUMBER),
    ("power", "power", Elements::NUMBER),
    ("rem", "remainder", Elements::NUMBER),
    ("remainder", "remainder", Elements::NUMBER),
    ("shift_left", "shift_left", Elements::INTEGER),
    ("shift_right_arithmetic", "shift_right_arithmetic", Elements::INTEGER),
    ("shift_right_logical", "shift_right_logical", Elements::INTEGER),
    ("sub", "subtract", Elements::NUMBER),
    ("subtract", "subtract", Elements::NUMBER),
    ("xor", "xor", Elements::PRED_OR_INTEGER),
];

/// Of three, or of one that stays as it is.
const OTHERS: &[&str] = &["clamp", "constrain", "reshard", "select"];

pub(super) fn names() -> impl Iterator<Item = &'static str> {
    UNARY.iter().chain(BINARY).map(|(name, _, _)| *name).chain(OTHERS.iter().copied())
}

/// The operation `name`, if it is one on each element.
pub(super) fn make(name: &str, input: &Input<'_>) -> Option<Result<Made>> {
    if let Some(&(_, stablehlo, elements)) = UNARY.iter().find(|(own, _, _)| *own == name) {
        return Some(same(input, 1, stablehlo, elements));
    }
    if let Some(&(_, stablehlo, elements)) = BINARY.iter().find(|(own, _, _)| *own == name) {
        return Some(same(input, 2, stablehlo, elements));
    }
    match name {
        "select" => Some(select(input)),
        "clamp" => Some(clamp(input)),
        "constrain" | "reshard" => Some(same(input, 1, "constrain", Elements::ANY)),
        _ => None,
    }
}

/// An operation on tensors of one size and one element type.
fn same(
    input: &Input<'_>,
    arity: usize,
    stablehlo: &'static str,
    elements: Elements,
) -> Result<Made> {
    input.arity(arity)?;
    input.same(0, &[])?;
    if stablehlo == "complex" {
        input.one_of(0, &[DType::F32, DType::F64])?;
    }
    input.elements(0, elements)?;
    input.all_same_elements()?;
    Ok(of(input, 0, &[], stablehlo))
}

/// `select(p, x, y)`
fn select(input: &Input<'_>) -> Result<Made> {
    input.arity(3)?;
    input.same(1, &[0])?;
    input.elements(0, Elements::PRED)?;
    input.same_elements(1, [2])?;
    Ok(of(input, 1, &[0], "select"))
}

/// `clamp(least, x, most)`
fn clamp(input: &Input<'_>) -> Result<Made> {
    input.arity(3)?;
    input.same(1, &[0, 2])?;
    input.same_elements(1, [0, 2])?;
    Ok(of(input, 1, &[0, 2], "clamp"))
}

/// `compare(x, y, direction=LT)`
pub(super) fn compare(input: &Input<'_>) -> Result<Made> {
    input.arity(2)?;
    input.same(0, &[])?;
    input.all_same_elements()?;
    input.word("direction", &["EQ", "NE", "GE", "GT", "LE", "LT"])?;
    Ok(of(input, 0, &[], "compare"))
}

/// `convert(x, type=f32)`
pub(super) fn convert(input: &Input<'_>) -> Result<Made> {
    input.arity(1)?;
    let mut made = of(input, 0, &[], "convert");
    made.results[0].1 = dtype(input)?;
    Ok(made)
}

/// The element type of the result of a product: what is written, or that of both operands.
pub(super) fn product_type(input: &Input<'_>) -> Result<DType> {
    let [lhs, rhs] = [0, 1].map(|at| input.operands[at].dtype);
    if lhs == rhs && input.attributes.get("type").is_none() {
        return Ok(lhs);
    }
    if input.attributes.get("type").is_some() {
        return dtype(input);
    }
    let message = format!("the operands have elements of type `{lhs}` and `{rhs}`");
    let wider = if rhs.bits() > lhs.bits() { rhs } else { lhs };
    Err((At::Operand(1), message, format!("say which the result has: `type={wider}`")))
}

/// The element type of the result.
pub(super) fn dtype(input: &Input<'_>) -> Result<DType> {
    match input.attributes.get("type") {
        Some(Attribute::Word(word)) if let Some(dtype) = DType::from_name(word) => {
            match super::unknown_elements(dtype) {
                None => Ok(dtype),
                Some(message) => wrong(At::Named("type".into()), message),
            }
        }
        Some(_) => wrong(At::Named("type".into()), "expected an element type: `type=f32`"),
        None => wrong(At::Call, "expected the element type of the result: `type=f32`"),
    }
}

fn of(input: &Input<'_>, like: usize, scalars: &[usize], stablehlo: &'static str) -> Made {
    let operands = input.operands;
    let scalars: Vec<_> =
        scalars.iter().copied().filter(|&at| operands[at].dims.is_empty()).collect();
    let dims = operands[like].dims;
    let rule = registry::elementwise(operands.len(), &scalars, dims);
    let dtype = result_type(stablehlo, operands[like].dtype);
    Made::one(OpKind::Elementwise, rule, (dims.to_vec(), dtype), stablehlo)
}

/// The type of the real part of an element.
pub(super) fn real_part(dtype: DType) -> DType {
    match dtype {
        DType::C64 => DType::F32,
        DType::C128 => DType::F64,
        _ => dtype,
    }
}

/// The element type of the result, where it is another than that of the operands.
fn result_type(stablehlo: &str, dtype: DType) -> DType {
    match (stablehlo, dtype) {
        ("compare" | "is_finite", _) => DType::PRED,
        ("complex", DType::F64) => DType::C128,
        ("complex", _) => DType::C64,
        ("abs" | "real" | "imag", _) => real_part(dtype),
        _ => dtype,
    }
}
