//! Operations whose places are values.

use super::elements::Elements;
use super::{At, Input, Made, Result, wrong};
use crate::sharding::propagation::OpKind;
use crate::sharding::registry::{self, Gather, Scatter};
use alloc::format;
use alloc::string::ToString;
use alloc::vec;
use alloc::vec::Vec;

/// Operands from `from` on, which are the place of a slice: scalars of one integer type.
fn places(input: &Input<'_>, from: usize) -> Result<()> {
    input.scalars(from)?;
    if from < input.operands.len() {
        input.elements(from, Elements::INTEGER)?;
        input.same_elements(from, from + 1..input.operands.len())?;
    }
    Ok(())
}

/// `dynamic_slice(x, i, j, [4, 4])`, with a scalar for each dimension.
pub(super) fn dynamic_slice(input: &Input<'_>) -> Result<Made> {
    let x = input.first()?;
    input.arity(1 + x.dims.len())?;
    places(input, 1)?;
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
    places(input, 2)?;
    input.same_elements(0, [1])?;
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

/// The dimension of the indices that an index lies along; their rank if each is a scalar.
fn index_vector(input: &Input<'_>, indices: &[usize]) -> Result<usize> {
    let vector = input.number("index_vector")?.unwrap_or(indices.len());
    if vector <= indices.len() {
        return Ok(vector);
    }
    let message =
        format!("dimension {vector} does not exist: the indices have rank {}", indices.len());
    let help = "leave it out where each index is one number";
    Err((At::Named("index_vector".to_string()), message, help.into()))
}

/// A list of dimensions under a name, in order.
fn sorted<'a>(input: &Input<'a>, name: &str, rank: usize) -> Result<&'a [usize]> {
    let dims = input.named_dims(name, rank)?;
    match dims.is_sorted() {
        true => Ok(dims),
        false => wrong(
            At::Named(name.to_string()),
            format!("the dimensions of `{name}` are not in order"),
        ),
    }
}

/// That no dimension is in two lists.
fn apart(first: &[usize], second: &[usize], name: &str) -> Result<()> {
    match second.iter().find(|dim| first.contains(dim)) {
        None => Ok(()),
        Some(dim) => wrong(
            At::Named(name.to_string()),
            format!("dimension {dim} is listed elsewhere as well"),
        ),
    }
}

/// That the batch dimensions of an array and of the indices have the same sizes.
fn batches_fit(
    x: &[usize],
    indices: &[usize],
    operand_batch: &[usize],
    indices_batch: &[usize],
    vector: usize,
) -> Result<()> {
    if indices_batch.contains(&vector) {
        let message =
            format!("an index lies along dimension {vector}, which is no batch dimension");
        return wrong(At::Named("indices_batch".to_string()), message);
    }
    let of = |dims: &[usize], sizes: &[usize]| -> Vec<_> {
        dims.iter().map(|&dim| sizes[dim]).collect()
    };
    let (left, right) = (of(operand_batch, x), of(indices_batch, indices));
    if left == right {
        return Ok(());
    }
    let message = format!("the batch dimensions have sizes {left:?} and {right:?}");
    wrong(At::Named("indices_batch".to_string()), message)
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
    input.elements(1, Elements::INTEGER)?;
    let vector = index_vector(input, indices)?;
    let collapsed = sorted(input, "collapsed", x.len())?;
    let operand_batch = sorted(input, "operand_batch", x.len())?;
    let indices_batch = input.named_dims("indices_batch", indices.len())?;
    apart(collapsed, operand_batch, "operand_batch")?;
    batches_fit(x, indices, operand_batch, indices_batch, vector)?;
    let map = input.named_dims("start_index_map", x.len())?;
    apart(operand_batch, map, "start_index_map")?;
    let known = input.attributes.get("start_index_map").is_some();
    let (length, most) =
        (indices.get(vector).map_or(1, |&length| length), x.len() - operand_batch.len());
    if known && map.len() != length || length > most {
        let message = format!(
            "an index has {length} numbers, for {} dimensions",
            if known { map.len() } else { most }
        );
        return wrong(At::Operand(1), message);
    }
    for &dim in collapsed.iter().chain(operand_batch) {
        if sizes[dim] > 1 {
            let message = format!(
                "dimension {dim} is not part of the result, and a slice has {} of it",
                sizes[dim]
            );
            let help = format!("`slice_sizes` has 1 for dimension {dim}");
            return Err((At::Named("slice_sizes".to_string()), message, help));
        }
    }
    let slices: Vec<_> = (0..x.len())
        .filter(|dim| !collapsed.contains(dim) && !operand_batch.contains(dim))
        .map(|dim| sizes[dim])
        .collect();
    let mut batch = batches(indices, vector).into_iter();
    let rank = batch.len() + slices.len();
    let offset = sorted(input, "offset", rank)?;
    if offset.len() != slices.len() {
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
    input.elements(1, Elements::INTEGER)?;
    input.same_elements(0, [2])?;
    let vector = index_vector(input, indices)?;
    let window = sorted(input, "window", updates.len())?;
    let inserted = sorted(input, "inserted", x.len())?;
    let operand_batch = sorted(input, "operand_batch", x.len())?;
    let indices_batch = input.named_dims("indices_batch", indices.len())?;
    apart(inserted, operand_batch, "operand_batch")?;
    batches_fit(x, indices, operand_batch, indices_batch, vector)?;
    let length = indices.get(vector).map_or(1, |&length| length);
    let most = x.len() - operand_batch.len();
    if length > most {
        let message = format!("an index has {length} numbers, for {most} dimensions");
        return wrong(At::Operand(1), message);
    }
    let reduces = input.word("reduces", &["true", "false"])? == "true";
    let kept: Vec<_> = (0..x.len())
        .filter(|dim| !inserted.contains(dim) && !operand_batch.contains(dim))
        .map(|dim| x[dim])
        .collect();
    let windows: Vec<_> = window.iter().map(|&dim| updates[dim]).collect();
    let rest: Vec<_> =
        (0..updates.len()).filter(|dim| !window.contains(dim)).map(|dim| updates[dim]).collect();
    let fits = rest == batches(indices, vector)
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
