//! Operations that count, and operations that read elements at indices.

use super::super::numbers::Numbers;
use super::blocks::computed;
use super::{Failed, HostArray, LocalCall, Made};
use alloc::string::ToString;
use alloc::vec;
use alloc::vec::Vec;
use layout_core::sharding::ops::Attribute;

/// The index of element `at` of a row-major array.
pub(super) fn index_of(mut at: usize, dims: &[usize]) -> Vec<usize> {
    let mut index = vec![0; dims.len()];
    for (dim, size) in dims.iter().enumerate().rev() {
        (index[dim], at) = (at % size, at / size);
    }
    index
}

/// The number of an element in a row-major array.
pub(super) fn number_of(index: &[usize], dims: &[usize]) -> usize {
    index.iter().zip(dims).fold(0, |at, (index, size)| at * size + index)
}

/// `iota(s32[8], 0)`: each device starts to count at the first index of its part.
pub(super) fn iota(call: &LocalCall<'_>) -> Made {
    let (dims, along) = (call.result().local_dims(), call.number());
    let first = call.result_region()[along].start;
    // The product has a meaning only if there are elements, and then it is their number at most.
    let inner = dims[along + 1..].iter().fold(1, |inner: usize, size| inner.wrapping_mul(*size));
    let number = |at: usize| (first + at / inner % dims[along]) as i64;
    Ok(vec![computed(call.result(), number)?])
}

/// `gather(x, indices, offset=[1], collapsed=[0], slice_sizes=[1, 8], index_vector=1)`. Each device reads the elements that it has,
/// and zeros for the others: if the array is sharded along a dimension in which slices have a single index, the results are partial
/// sums.
pub(super) fn gather(call: &LocalCall<'_>) -> Made {
    let list = |name: &str| call.attributes.named_numbers(name);
    let (x, indices) = (&call.operands[0], &call.operands[1]);
    let index_dims = indices.array.dims();
    let vector = call.attributes.named_number("index_vector").unwrap_or(index_dims.len());
    let length = index_dims.get(vector).copied().unwrap_or(1);
    let (offset, collapsed, sizes) = (list("offset"), list("collapsed"), list("slice_sizes"));
    let own_batch = list("operand_batch");
    let map: Vec<usize> = match call.attributes.get("start_index_map") {
        Some(Attribute::List(map)) => map.clone(),
        // The first dimensions that are not batch dimensions.
        _ => (0..sizes.len()).filter(|dim| !own_batch.contains(dim)).take(length).collect(),
    };
    let is_gone = |dim: &usize| collapsed.contains(dim) || own_batch.contains(dim);
    let kept: Vec<_> = (0..sizes.len()).filter(|dim| !is_gone(dim)).collect();
    let Numbers::Integer(numbers) = Numbers::of(&indices.array) else {
        return Err(Failed::Not("indices are integers".to_string()));
    };
    let (result, whole, local) = (call.result(), x.shards.dims(), x.array.dims());
    let origin = x.origin(call.device);
    let dims = result.local_dims();
    let mut array = HostArray::zeroed(result.dtype, dims)?;
    let width = array.width();
    for (at, bytes) in array.as_bytes_mut()?.chunks_exact_mut(width).enumerate() {
        let index = index_of(at, dims);
        let batch = (0..dims.len()).filter(|dim| !offset.contains(dim)).map(|dim| index[dim]);
        let batch: Vec<_> = batch.collect();
        let mut from = vec![0; whole.len()];
        for (number, &dim) in map.iter().enumerate() {
            let mut own = batch.clone();
            if vector < index_dims.len() {
                own.insert(vector, number);
            }
            let start = numbers[number_of(&own, index_dims)];
            from[dim] = start.clamp(0, (whole[dim] - sizes[dim]) as i128) as usize;
        }
        let mut is_here = true;
        for dim in (0..whole.len()).filter(|dim| !own_batch.contains(dim)) {
            // Along a dimension in which slices have all indices, the result is split like the array.
            if sizes[dim] != whole[dim] || whole[dim] == 1 {
                is_here &= (origin[dim]..origin[dim] + local[dim]).contains(&from[dim]);
                from[dim] = from[dim].saturating_sub(origin[dim]);
            }
        }
        let mut own = batch;
        if vector < index_dims.len() {
            own.insert(vector, 0);
        }
        // Batch dimensions are split like those of the indices.
        for (&dim, &indices) in own_batch.iter().zip(list("indices_batch")) {
            from[dim] = own[indices];
        }
        for (&dim, &offset) in kept.iter().zip(offset) {
            from[dim] += index[offset];
        }
        if is_here {
            let from = number_of(&from, local);
            bytes.copy_from_slice(&x.array.as_bytes()[from * width..][..width]);
        }
    }
    Ok(vec![array])
}
