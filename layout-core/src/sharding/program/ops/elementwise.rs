//! Operations on each element.

use super::{At, Attribute, Input, Made, Result, wrong};
use crate::dtype::{DType, Kind};
use crate::sharding::propagation::OpKind;
use crate::sharding::registry;
use alloc::vec::Vec;

/// Of one tensor, with the name that StableHLO has for them.
const UNARY: &[(&str, &str)] = &[
    ("abs", "abs"),
    ("all_reduce", "all_reduce"),
    ("cbrt", "cbrt"),
    ("ceil", "ceil"),
    ("collective_permute", "collective_permute"),
    ("cos", "cosine"),
    ("cosine", "cosine"),
    ("count_leading_zeros", "count_leading_zeros"),
    ("exp", "exponential"),
    ("exponential", "exponential"),
    ("expm1", "exponential_minus_one"),
    ("exponential_minus_one", "exponential_minus_one"),
    ("floor", "floor"),
    ("imag", "imag"),
    ("is_finite", "is_finite"),
    ("log", "log"),
    ("log1p", "log_plus_one"),
    ("log_plus_one", "log_plus_one"),
    ("logistic", "logistic"),
    ("neg", "negate"),
    ("negate", "negate"),
    ("not", "not"),
    ("popcnt", "popcnt"),
    ("real", "real"),
    ("reduce_precision", "reduce_precision"),
    ("round", "round_nearest_even"),
    ("round_nearest_afz", "round_nearest_afz"),
    ("round_nearest_even", "round_nearest_even"),
    ("rsqrt", "rsqrt"),
    ("sign", "sign"),
    ("sin", "sine"),
    ("sine", "sine"),
    ("sqrt", "sqrt"),
    ("tan", "tan"),
    ("tanh", "tanh"),
];

/// Of two tensors.
const BINARY: &[(&str, &str)] = &[
    ("add", "add"),
    ("and", "and"),
    ("atan2", "atan2"),
    ("complex", "complex"),
    ("div", "divide"),
    ("divide", "divide"),
    ("max", "maximum"),
    ("maximum", "maximum"),
    ("min", "minimum"),
    ("minimum", "minimum"),
    ("mul", "multiply"),
    ("multiply", "multiply"),
    ("or", "or"),
    ("pow", "power"),
    ("power", "power"),
    ("rem", "remainder"),
    ("remainder", "remainder"),
    ("shift_left", "shift_left"),
    ("shift_right_arithmetic", "shift_right_arithmetic"),
    ("shift_right_logical", "shift_right_logical"),
    ("sub", "subtract"),
    ("subtract", "subtract"),
    ("xor", "xor"),
];

/// Of three, or of one that stays as it is.
const OTHERS: &[&str] = &["clamp", "constrain", "reshard", "select"];

pub(super) fn names() -> impl Iterator<Item = &'static str> {
    UNARY.iter().chain(BINARY).map(|(name, _)| *name).chain(OTHERS.iter().copied())
}

/// The operation `name`, if it is one on each element.
pub(super) fn make(name: &str, input: &Input<'_>) -> Option<Result<Made>> {
    let found = |table: &[(&str, &'static str)]| {
        table.iter().find(|(own, _)| *own == name).map(|(_, stablehlo)| *stablehlo)
    };
    if let Some(stablehlo) = found(UNARY) {
        return Some(input.arity(1).map(|()| of(input, 0, &[], stablehlo)));
    }
    if let Some(stablehlo) = found(BINARY) {
        let fits = input.arity(2).and_then(|()| input.same(0, &[]));
        return Some(fits.map(|()| of(input, 0, &[], stablehlo)));
    }
    let (scalars, stablehlo): (&[usize], _) = match name {
        "select" => (&[0], "select"),
        "clamp" => (&[0, 2], "clamp"),
        "constrain" | "reshard" => {
            return Some(input.arity(1).map(|()| of(input, 0, &[], "constrain")));
        }
        _ => return None,
    };
    let fits = input.arity(3).and_then(|()| input.same(1, scalars));
    Some(fits.map(|()| of(input, 1, scalars, stablehlo)))
}

/// `compare(x, y, direction=LT)`
pub(super) fn compare(input: &Input<'_>) -> Result<Made> {
    input.arity(2)?;
    input.same(0, &[])?;
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

/// The element type of the result.
pub(super) fn dtype(input: &Input<'_>) -> Result<DType> {
    match input.attributes.get("type") {
        Some(Attribute::Word(word)) if let Some(dtype) = DType::from_name(word) => Ok(dtype),
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

/// The element type of the result, where it is another than that of the operands.
fn result_type(stablehlo: &str, dtype: DType) -> DType {
    match (stablehlo, dtype) {
        ("compare" | "is_finite", _) => DType::PRED,
        ("complex", DType::F64) => DType::C128,
        ("complex", _) => DType::C64,
        ("abs" | "real" | "imag", DType::C128) => DType::F64,
        ("abs" | "real" | "imag", _) if matches!(dtype.kind(), Kind::Complex) => DType::F32,
        _ => dtype,
    }
}
