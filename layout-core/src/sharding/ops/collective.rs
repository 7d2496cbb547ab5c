//! Collectives that a program writes itself.

use super::{At, Input, Made, Result, wrong};
use crate::sharding::propagation::OpKind;
use crate::sharding::registry;
use alloc::format;

/// `all_gather(x, [16, 4])`: one dimension grows.
pub(super) fn all_gather(input: &Input<'_>) -> Result<Made> {
    resized(input, true)
}

/// `reduce_scatter(x, [4, 4])`: one dimension shrinks.
pub(super) fn reduce_scatter(input: &Input<'_>) -> Result<Made> {
    resized(input, false)
}

/// How many times as large `large` is; `None` if it is no whole number of times.
fn times(large: usize, small: usize) -> Option<usize> {
    match (large, small) {
        (0, 0) => Some(1),
        (_, 0) | (0, _) => None,
        _ => large.is_multiple_of(small).then(|| large / small),
    }
}

fn resized(input: &Input<'_>, grows: bool) -> Result<Made> {
    let x = input.operand()?;
    let result = input.list(0, "the size of the result")?;
    let changed = x.dims.iter().zip(result).filter(|(old, new)| old != new).count();
    if result.len() != x.dims.len() || changed > 1 {
        let message = format!("{:?} and {result:?} differ in more than one dimension", x.dims);
        return wrong(At::List(0), message);
    }
    if x.dims.iter().all(|&size| size == 0) {
        let message = format!("{:?} has no dimension with elements", x.dims);
        return wrong(At::Operand(0), message);
    }
    let fits = |old: usize, new: usize| match grows {
        true => times(new, old).is_some(),
        false => times(old, new).is_some(),
    };
    if let Some((old, new)) = x.dims.iter().zip(result).find(|(old, new)| !fits(**old, **new)) {
        let message = match grows {
            true => format!("a dimension of size {old} cannot be gathered to one of size {new}"),
            false => format!("a dimension of size {old} cannot be scattered to one of size {new}"),
        };
        let help = match grows {
            true => "the result has it once for each device",
            false => "each device has an equal part of it",
        };
        return Err((At::List(0), message, help.into()));
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
    let other = |dim: &usize| *dim != split && *dim != concat;
    let same = (0..rank).filter(other).all(|dim| x.dims[dim] == result[dim]);
    let devices = match split == concat {
        true => Some(1).filter(|_| x.dims[split] == result[split]),
        false if x.dims[split] == 0 => {
            times(result[concat], x.dims[concat]).filter(|_| result[split] == 0)
        }
        false => times(x.dims[split], result[split])
            .filter(|&devices| x.dims[concat].checked_mul(devices) == Some(result[concat])),
    };
    if !same || devices.is_none() {
        let message = format!(
            "{:?} cannot become {result:?} where dimension {split} is split and {concat} joined",
            x.dims
        );
        let help = "as many times as the one is smaller the other is larger";
        return Err((At::List(0), message, help.into()));
    }
    let rule = registry::all_to_all(x.dims, result, split, concat);
    Ok(Made::one(OpKind::Other, rule, (result.to_vec(), x.dtype), ""))
}
