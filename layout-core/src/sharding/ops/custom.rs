//! Operations whose rule is written in the program.

use super::error::{OpError, Result, Subject};
use super::operation::{Inferred, TensorType};
use crate::dtype::DType;
use crate::sharding::problem::Location;
use crate::sharding::rule::{OpShardingRule, TensorMapping};
use alloc::vec::Vec;

/// A call of an operation with this rule. The sizes of the results are the products of their factors, and their element type is
/// that of the first operand.
pub(in crate::sharding) fn infer_custom(
    rule: OpShardingRule,
    operands: &[TensorType<'_>],
) -> Result<Inferred> {
    let shapes: Vec<_> = operands.iter().map(|operand| operand.dims).collect();
    let sized = rule.with_operands(&shapes).map_err(|error| {
        let problem = &error.problems()[0];
        let subject = match problem.location {
            Location::Tensor { result: false, at }
            | Location::TensorDim { result: false, at, .. } => Subject::Operand(at),
            _ => Subject::Call,
        };
        let (message, help) = (problem.message.clone(), problem.help.clone());
        OpError { subject, message, help }
    })?;
    let dtype = operands.first().map_or(DType::F32, |operand| operand.dtype);
    let size = |mapping: &TensorMapping, dim| {
        let factors = mapping.dim(dim).filter_map(|factor| sized.factor_size(factor));
        factors.fold(1, usize::saturating_mul)
    };
    let dims =
        |mapping: &TensorMapping| (0..mapping.rank()).map(|dim| size(mapping, dim)).collect();
    let results = sized.results().iter().map(|mapping| (dims(mapping), dtype)).collect();
    Ok(Inferred::several(sized, results))
}
