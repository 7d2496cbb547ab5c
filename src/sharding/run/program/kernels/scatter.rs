//! Updates of elements at indices.

use super::super::numbers::Numbers;
use super::super::reduction::Reduction;
use super::functions::Functions;
use super::index::{index_of, number_of};
use super::{Body, Failed, LocalCall, LocalOperand, Made, region};
use alloc::string::ToString;
use alloc::vec;
use alloc::vec::Vec;

/// `scatter(x, indices, updates)` in MLIR, with the operation that combines an element and its update. Each device updates the
/// elements that it has. If the updates are sharded along a dimension that the array does not have, each device computes a part
/// of the sum.
pub(super) fn scatter(call: &LocalCall<'_>) -> Made {
    if let [body] = call.bodies {
        return by_body(call, body);
    }
    let [x, indices, updates] = &call.operands[..] else {
        return Err(Failed::Not("there is no kernel for several arrays at once".to_string()));
    };
    let pairs = pairs(call, x, indices, updates)?;
    let mut numbers = Numbers::of(&x.array);
    if !call.is_first && !call.reduction.is_idempotent() {
        // The elements count once in the sum or the product, so the other devices start from its identity.
        let neutral = (call.reduction == Reduction::Product).into();
        let neutral = Numbers::Integer(vec![neutral; x.array.dims().iter().product()]);
        numbers = Numbers::of(&neutral.store(x.array.dtype(), x.array.dims())?);
    }
    let no_kernel = || Failed::Not("there is no such update of elements of this type".to_string());
    macro_rules! updated {
        ($x:ident, $updates:ident, $binary:expr, $T:ty) => {{
            let combine: fn($T, $T) -> $T = match call.reduction {
                Reduction::Set => |_, update| update,
                reduction => $binary(reduction.operation()).ok_or_else(no_kernel)?,
            };
            for &(to, from) in &pairs {
                $x[to] = combine($x[to], $updates[from]);
            }
        }};
    }
    match (&mut numbers, &Numbers::of(&updates.array)) {
        (Numbers::Single(x), Numbers::Single(updates)) => {
            updated!(x, updates, f32::binary, f32);
        }
        (Numbers::Double(x), Numbers::Double(updates)) => {
            updated!(x, updates, f64::binary, f64);
        }
        (Numbers::Integer(x), Numbers::Integer(updates)) => {
            updated!(x, updates, i128::binary, i128);
        }
        _ => return Err(no_kernel()),
    }
    Ok(vec![numbers.store(x.array.dtype(), x.array.dims())?])
}

/// Updates of one or several arrays whose body is not an operation of two values.
fn by_body(call: &LocalCall<'_>, body: &Body) -> Made {
    let wrong = || Failed::Not("its body does not take its elements".to_string());
    let count = call.results.len();
    let (arrays, rest) = call.operands.split_at(count.min(call.operands.len()));
    let Some((indices, updates)) = rest.split_first().filter(|(_, rest)| rest.len() == count)
    else {
        return Err(wrong());
    };
    let pairs = pairs(call, &arrays[0], indices, &updates[0])?;
    let all = |operands: &[LocalOperand<'_>]| -> Vec<Numbers> {
        operands.iter().map(|operand| Numbers::of(&operand.array)).collect()
    };
    let (mut made, updates) = (all(arrays), all(updates));
    let mut values = Vec::new();
    for (to, from) in pairs {
        let own = made.iter().map(|array| array.at(to));
        let arguments: Vec<_> = own.chain(updates.iter().map(|array| array.at(from))).collect();
        let numbers = body.run(&arguments, &mut values).ok_or_else(wrong)?;
        made.iter_mut().zip(numbers).for_each(|(array, number)| array.set(to, number));
    }
    let made = made.into_iter().zip(arrays);
    made.map(|(made, own)| Ok(made.store(own.array.dtype(), own.array.dims())?)).collect()
}

/// The elements of the array that this device updates, each with the element of its update. A window that is not completely within
/// the array updates nothing, as in XLA; StableHLO would update the part that is within it.
fn pairs(
    call: &LocalCall<'_>,
    x: &LocalOperand<'_>,
    indices: &LocalOperand<'_>,
    updates: &LocalOperand<'_>,
) -> Result<Vec<(usize, usize)>, Failed> {
    let list = |name: &str| call.attributes.named_numbers(name);
    let Numbers::Integer(starts) = Numbers::of(&indices.array) else {
        return Err(Failed::Not("indices are integers".to_string()));
    };
    let index_dims = indices.array.dims();
    let vector = call.attributes.named_number("index_vector").unwrap_or(index_dims.len());
    let (window, batch) = (list("window"), list("operand_batch"));
    let rank = x.shards.dims().len();
    let is_gone = |dim: &usize| list("inserted").contains(dim) || batch.contains(dim);
    let windowed: Vec<_> = (0..rank).filter(|dim| !is_gone(dim)).collect();
    let mut sizes = vec![1; rank];
    for (&dim, &window) in windowed.iter().zip(window) {
        sizes[dim] = updates.shards.dims()[window];
    }
    // Along a dimension that windows span completely, the updates are split like the array.
    let is_full = |dim: usize| windowed.contains(&dim) && sizes[dim] == x.shards.dims()[dim];
    let (origin, local) = (x.origin(call.device), x.array.dims());
    let valid = region(updates.shards, call.device);
    let mut pairs = Vec::new();
    for from in 0..updates.array.dims().iter().product() {
        let index = index_of(from, updates.array.dims());
        // Padding is ignored.
        if index.iter().zip(&valid).any(|(index, valid)| *index >= valid.len()) {
            continue;
        }
        let mut own: Vec<_> =
            (0..index.len()).filter(|dim| !window.contains(dim)).map(|dim| index[dim]).collect();
        if vector < index_dims.len() {
            own.insert(vector, 0);
        }
        let mut at = vec![0_i128; rank];
        for (&dim, &indices_dim) in batch.iter().zip(list("indices_batch")) {
            at[dim] = own[indices_dim] as i128;
        }
        for (number, &dim) in list("index_map").iter().enumerate() {
            if vector < index_dims.len() {
                own[vector] = number;
            }
            at[dim] = starts[number_of(&own, index_dims)];
        }
        let is_within =
            |dim: usize| (0..=x.shards.dims()[dim] as i128 - sizes[dim] as i128).contains(&at[dim]);
        if !(0..rank).all(is_within) {
            continue;
        }
        for (&dim, &window) in windowed.iter().zip(window) {
            at[dim] += index[window] as i128;
        }
        let here = |dim: usize| -> Option<usize> {
            let own = batch.contains(&dim) || is_full(dim);
            let first = if own { 0 } else { origin[dim] };
            let at = usize::try_from(at[dim]).ok()?.checked_sub(first)?;
            (at < local[dim]).then_some(at)
        };
        if let Some(to) = (0..rank).map(here).collect::<Option<Vec<_>>>() {
            pairs.push((number_of(&to, local), from));
        }
    }
    Ok(pairs)
}
