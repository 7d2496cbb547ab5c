//! Collectives that a program writes itself.

use super::{At, Input, Made, Result, wrong};
use crate::sharding::propagation::OpKind;
use crate::sharding::registry;
use alloc::format;

/// `all_gather(x, [16, 4])`, `reduce_scatter(x, [4, 4])`: one dimension grows or shrinks.
pub(super) fn resized(input: &Input<'_>) -> Result<Made> {
    let x = input.operand()?;
    let result = input.list(0, "the size of the result")?;
    let changed = x.dims.iter().zip(result).filter(|(old, new)| old != new).count();
    if result.len() != x.dims.len() || changed > 1 {
        let message = format!("{:?} and {result:?} differ in more than one dimension", x.dims);
        return wrong(At::List(0), message);
    }
    let rule = registry::collective_dim(x.dims, result);
    Ok(Made::one(OpKind::Other, rule, (result.to_vec(), x.dtype), ""))
}

/// `all_to_all(x, [4, 16], split=0, concat=1)`
pub(super) fn all_to_all(input: &Input<'_>) -> Result<Made> {
    let x = input.operand()?;
    let result = input.list(0, "the size of the result")?;
    let rank = x.dims.len();
    let dim = |name: &str| match input.number(name)? {
        Some(dim) if dim < rank && result.len() == rank => Ok(dim),
        _ => wrong(At::Call, format!("expected `{name}`, a dimension of {:?}", x.dims)),
    };
    let (split, concat) = (dim("split")?, dim("concat")?);
    let rule = registry::all_to_all(x.dims, result, split, concat);
    Ok(Made::one(OpKind::Other, rule, (result.to_vec(), x.dtype), ""))
}
