//! Operations whose places are values.

use super::{At, Input, Made, Result, wrong};
use crate::sharding::propagation::OpKind;
use crate::sharding::registry::{self, Gather, Scatter};
use alloc::format;
use alloc::string::ToString;
use alloc::vec;
use alloc::vec::Vec;

/// `dynamic_slice(x, i, j, [4, 4])`, with a scalar for each dimension.
pub(super) fn dynamic_slice(input: &Input<'_>) -> Result<Made> {
    let x = input.first()?;
    input.arity(1 + x.dims.len())?;
    input.scalars(1)?;
    let result = input.list(0, "the size of the slice")?;
    if result.len() != x.dims.len() || result.iter().zip(x.dims).any(|(new, old)| new > old) {
        return wrong(At::List(0), format!("{:?} cannot be sliced to {result:?}", x.dims));
    }
    let rule = registry::dynamic_slice(x.dims, result);
    Ok(Made::one(OpKind::DynamicSlice, rule, (result.to_vec(), x.dtype), "dynamic_slice"))
}

/// `dynamic_update_slice(x, update, i, j, indices=constant)`
pub(super) fn dynamic_update_slice(input: &Input<'_>) -> Result<Made> {
    let x = input.first()?;
    input.arity(2 + x.dims.len())?;
    input.scalars(2)?;
    let update = input.operands[1].dims;
    if update.len() != x.dims.len() || update.iter().zip(x.dims).any(|(new, old)| new > old) {
        let message = format!("an array of size {update:?} is no part of one of size {:?}", x.dims);
        return wrong(At::Operand(1), message);
    }
    let constant = input.word("indices", &["dynamic", "constant"])? == "constant";
    let rule = registry::dynamic_update_slice(x.dims, update, constant);
    let result = (x.dims.to_vec(), x.dtype);
    Ok(Made::one(OpKind::DynamicSlice, rule, result, "dynamic_update_slice"))
}

/// The dimensions of `indices` that are not the index vector, with their sizes.
fn batches(indices: &[usize], vector: usize) -> Vec<usize> {
    let sizes = indices.iter().enumerate().filter(|(dim, _)| *dim != vector);
    sizes.map(|(_, &size)| size).collect()
}

/// `gather(x, indices, offset=[1], collapsed=[0], slice_sizes=[1, 8], index_vector=1)`
pub(super) fn gather(input: &Input<'_>) -> Result<Made> {
    input.arity(2)?;
    let (x, indices) = (input.operands[0].dims, input.operands[1].dims);
    let sizes = input.named("slice_sizes")?;
    if sizes.len() != x.len() || sizes.iter().zip(x).any(|(size, whole)| size > whole) {
        let message = format!("expected `slice_sizes`, the size of a slice of {x:?}");
        return wrong(At::Call, message);
    }
    let vector = input.number("index_vector")?.unwrap_or(indices.len());
    let collapsed = input.named_dims("collapsed", x.len())?;
    let operand_batch = input.named_dims("operand_batch", x.len())?;
    let indices_batch = input.named_dims("indices_batch", indices.len())?;
    input.named_dims("start_index_map", x.len())?;
    let slices: Vec<_> = (0..x.len())
        .filter(|dim| !collapsed.contains(dim) && !operand_batch.contains(dim))
        .map(|dim| sizes[dim])
        .collect();
    let mut batch = batches(indices, vector).into_iter();
    let rank = batch.len() + slices.len();
    let offset = input.named_dims("offset", rank)?;
    if vector > indices.len()
        || offset.len() != slices.len()
        || operand_batch.len() != indices_batch.len()
    {
        let message = format!(
            "a slice has {} dimensions that the result keeps, `offset` lists {}",
            slices.len(),
            offset.len()
        );
        return wrong(At::Named("offset".to_string()), message);
    }
    let mut slices = slices.into_iter();
    let result: Vec<_> = (0..rank)
        .map(|dim| if offset.contains(&dim) { slices.next() } else { batch.next() })
        .map(Option::unwrap_or_default)
        .collect();
    let dims = Gather {
        offset: offset.to_vec(),
        collapsed: collapsed.to_vec(),
        operand_batch: operand_batch.to_vec(),
        indices_batch: indices_batch.to_vec(),
        index_vector: vector,
    };
    let rule = registry::gather(x, indices, &result, &dims);
    Ok(Made::one(OpKind::Other, rule, (result, input.operands[0].dtype), ""))
}

/// `scatter(x, indices, updates, window=[1], inserted=[0], index_vector=1, reduces=true)`
pub(super) fn scatter(input: &Input<'_>) -> Result<Made> {
    input.arity(3)?;
    let [x, indices, updates] = [0, 1, 2].map(|at| input.operands[at].dims);
    let vector = input.number("index_vector")?.unwrap_or(indices.len());
    let window = input.named_dims("window", updates.len())?;
    let inserted = input.named_dims("inserted", x.len())?;
    let operand_batch = input.named_dims("operand_batch", x.len())?;
    let indices_batch = input.named_dims("indices_batch", indices.len())?;
    let reduces = input.word("reduces", &["true", "false"])? == "true";
    let kept: Vec<_> = (0..x.len())
        .filter(|dim| !inserted.contains(dim) && !operand_batch.contains(dim))
        .map(|dim| x[dim])
        .collect();
    let windows: Vec<_> = window.iter().map(|&dim| updates[dim]).collect();
    let rest: Vec<_> =
        (0..updates.len()).filter(|dim| !window.contains(dim)).map(|dim| updates[dim]).collect();
    let fits = vector <= indices.len()
        && operand_batch.len() == indices_batch.len()
        && rest == batches(indices, vector)
        && windows.len() == kept.len()
        && windows.iter().zip(&kept).all(|(part, whole)| part <= whole);
    if !fits {
        let message = format!(
            "updates of size {updates:?} do not fit an array of size {x:?} at indices of size {indices:?}"
        );
        return wrong(At::Operand(2), message);
    }
    let dims = Scatter {
        window: window.to_vec(),
        inserted: inserted.to_vec(),
        operand_batch: operand_batch.to_vec(),
        indices_batch: indices_batch.to_vec(),
        index_vector: vector,
        reduces,
    };
    let rule = Some(registry::scatter(1, x, indices, updates, &dims));
    let results = vec![(x.to_vec(), input.operands[0].dtype)];
    Ok(Made { kind: OpKind::Other, rule, results, stablehlo: "" })
}
