//! Operations that create arrays without operands, and random bits.

use super::elements::Elements;
use super::error::{Result, Subject, wrong};
use super::execution::KernelTypes;
use super::input::Input;
use super::mlir::{Mlir, OpText, tensor_type, zero};
use super::operation::{Infer, Inferred, Operation};
use crate::dtype::DType;
use crate::sharding::{FactorKind, OpShardingRule, RuleBuilder};
use FactorKind::{NeedReplication, PassThrough};
use alloc::format;
use alloc::vec;

pub(super) const ROWS: &[Operation] = &[
    Operation {
        names: &["constant"],
        call: "constant(f32[8])",
        takes_array: true,
        infer: Infer::By(|input| infer_array(input, "constant")),
        // A program does not contain the elements.
        mlir: Mlir::StableHlo("constant", |call| {
            let result = call.results[0];
            let array = tensor_type(result.dtype, result.dims);
            OpText::properties(format!("value = dense<{}> : {array}", zero(result.dtype)))
        }),
        kernel: KernelTypes::Literal,
        is_step: true,
        ..Operation::DEFAULT
    },
    Operation {
        names: &["iota"],
        call: "iota(s32[8], 0)",
        takes_array: true,
        infer: Infer::By(infer_iota),
        mlir: Mlir::StableHlo("iota", |call| {
            OpText::properties(format!("iota_dimension = {} : i64", call.number()))
        }),
        kernel: KernelTypes::Numbers,
        ..Operation::DEFAULT
    },
    Operation {
        names: &["rng_bit_generator"],
        call: "rng_bit_generator(state, [8])",
        infer: Infer::By(infer_rng_bit_generator),
        kernel: KernelTypes::Numbers,
        only_imported: true,
        ..Operation::DEFAULT
    },
];

/// `constant(f32[8])`
fn infer_array(input: &Input<'_>, name: &str) -> Result<Inferred> {
    input.arity(0)?;
    match &input.attributes.array {
        Some((dtype, dims)) => Ok(Inferred { results: vec![(dims.clone(), *dtype)], rule: None }),
        None => wrong(Subject::Call, format!("expected the array: `{name}(f32[8])`")),
    }
}

/// `iota(s32[8], 0)`
fn infer_iota(input: &Input<'_>) -> Result<Inferred> {
    let made = infer_array(input, "iota")?;
    let (dims, dtype) = &made.results[0];
    if *dtype == DType::PRED {
        return wrong(Subject::Call, "`iota` cannot count in elements of type `pred`");
    }
    input.dim(dims.len(), "that counts")?;
    Ok(made)
}

/// `rng_bit_generator(state, [8, 4])`: the next state, and random bits.
fn infer_rng_bit_generator(input: &Input<'_>) -> Result<Inferred> {
    let state = input.operand()?;
    input.elements(0, Elements::REAL)?;
    let result = input.list(0, "the size of the result")?;
    let rule = rng_bit_generator(state.dims, result);
    let results = vec![(state.dims.to_vec(), state.dtype), (result.to_vec(), state.dtype)];
    Ok(Inferred::several(rule, results))
}

/// The rule of a generator of random bits of size `result` from a state. The next state is also a result.
///
/// ```
/// use tensor_layout::sharding::ops::rng_bit_generator;
/// let rule = rng_bit_generator(&[2], &[8, 4]);
/// assert_eq!(rule.to_string(), "<([i])->([i], [j, k]) {i=2, j=8, k=4} need_replication={i} blocked_propagation={i}>");
/// ```
pub fn rng_bit_generator(state: &[usize], result: &[usize]) -> OpShardingRule {
    let mut rule = RuleBuilder::new(&[state.len()], &[state.len(), result.len()]);
    for (dim, &size) in state.iter().enumerate() {
        rule.blocked_factor(&[Some(dim)], &[Some(dim), None], size, NeedReplication);
    }
    for (dim, &size) in result.iter().enumerate() {
        rule.factor(&[None], &[None, Some(dim)], size, PassThrough);
    }
    rule.build()
}
