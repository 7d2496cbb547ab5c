//! Operations that cut, pad and join arrays.

use super::super::numbers::Numbers;
use super::index::index_of;
use super::shape::{strided, strides};
use super::{Failed, HostArray, LocalCall, Made};
use crate::sharding::run::region::{Shard, intersection, read, write};
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

/// The box of size `dims` that starts at `start`.
fn boxed(start: &[usize], dims: &[usize]) -> Vec<Range<usize>> {
    start.iter().zip(dims).map(|(&start, size)| start..start + size).collect()
}

/// The elements of an array within a box.
fn cut(array: &HostArray, part: &[Range<usize>]) -> Result<HostArray, Failed> {
    let dims: Vec<_> = part.iter().map(ExactSizeIterator::len).collect();
    if dims.contains(&0) {
        return Ok(HostArray::zeroed(array.dtype(), &dims)?);
    }
    let bytes = read(part, &Shard::whole(array.dims()), array.width(), array.as_bytes());
    Ok(HostArray::from_bytes(array.dtype(), &dims, bytes)?)
}

/// `concatenate(x, y, 0)`
pub(super) fn concatenate(call: &LocalCall<'_>) -> Made {
    let (dims, along) = (call.result().local_dims(), call.number());
    let mut result = HostArray::zeroed(call.result().dtype, dims)?;
    let mut start = vec![0; dims.len()];
    for operand in &call.operands {
        let part = &operand.array;
        if !part.as_bytes().is_empty() {
            let to = boxed(&start, part.dims());
            let bytes = result.as_bytes_mut()?;
            write(&to, &Shard::whole(dims), part.width(), part.as_bytes(), bytes);
        }
        start[along] += part.dims()[along];
    }
    Ok(vec![result])
}

/// `slice(x, [4])` keeps the first elements of each dimension. In MLIR, a slice also has starts and strides.
pub(super) fn slice(call: &LocalCall<'_>) -> Made {
    let [start, stride] = ["start", "stride"].map(|name| call.attributes.named_numbers(name));
    let (x, dims) = (call.operand(0), call.result().local_dims());
    if start.len() != dims.len() || dims.is_empty() || dims.contains(&0) {
        return resized(call);
    }
    let own = strides(x.dims());
    let first = start.iter().zip(&own).map(|(&start, own)| start as isize * own).sum();
    let strides: Vec<_> = stride.iter().zip(&own).map(|(&by, own)| by as isize * own).collect();
    strided(x, dims, first, &strides)
}

/// `pad(x, [16])` adds zeros after the elements of each dimension, or removes elements. In MLIR, a pad also has the value that
/// is added, and the number of values before, after and between the elements.
pub(super) fn pad(call: &LocalCall<'_>) -> Made {
    let list = |name| call.attributes.named_numbers(name);
    let Some(padding) = call.operands.get(1) else { return resized(call) };
    let (x, dims) = (call.operand(0), call.result().local_dims());
    let mut result = HostArray::repeating(&padding.array, dims)?;
    let width = x.width();
    let (low, cut, between) = (list("low"), list("cut_low"), list("interior"));
    let to = strides(dims);
    for (at, element) in x.as_bytes().chunks_exact(width).enumerate() {
        let index = index_of(at, x.dims());
        let position = |dim: usize| {
            let between = between.get(dim).copied().unwrap_or(0);
            let position = (low[dim] + index[dim] * (between + 1)).checked_sub(cut[dim])?;
            (position < dims[dim]).then(|| position * to[dim] as usize)
        };
        if let Some(at) = (0..dims.len()).map(position).sum::<Option<usize>>() {
            result.as_bytes_mut()?[at * width..][..width].copy_from_slice(element);
        }
    }
    Ok(vec![result])
}

/// The first elements of each dimension, followed by zeros.
fn resized(call: &LocalCall<'_>) -> Made {
    let (x, dims) = (call.operand(0), call.result().local_dims());
    let common: Vec<_> = x.dims().iter().zip(dims).map(|(old, new)| 0..*old.min(new)).collect();
    let part = cut(x, &common)?;
    let mut result = HostArray::zeroed(x.dtype(), dims)?;
    if !part.as_bytes().is_empty() {
        let bytes = result.as_bytes_mut()?;
        write(&common, &Shard::whole(dims), x.width(), part.as_bytes(), bytes);
    }
    Ok(vec![result])
}

/// The start of a slice of size `part` in an array of size `whole`, from the scalar operands that begin at number `first`. A start
/// from which the slice would reach out of the array is moved so that the slice fits.
fn start(call: &LocalCall<'_>, first: usize, whole: &[usize], part: &[usize]) -> Vec<usize> {
    let index = |(at, (whole, part)): (usize, (&usize, &usize))| {
        let last = (whole - part) as i128;
        match Numbers::of(call.operand(first + at)) {
            Numbers::Integer(index) => index[0].clamp(0, last) as usize,
            // Operands have been checked to be integers.
            _ => 0,
        }
    };
    whole.iter().zip(part).enumerate().map(index).collect()
}

/// `dynamic_slice(x, i, j, [4, 4])`: dimensions that are cut are not sharded.
pub(super) fn dynamic_slice(call: &LocalCall<'_>) -> Made {
    let (x, dims) = (call.operand(0), call.result().local_dims());
    let start = start(call, 1, x.dims(), dims);
    Ok(vec![cut(x, &boxed(&start, dims))?])
}

/// `dynamic_update_slice(x, update, i, j)`: each device writes the elements in its part of the array.
pub(super) fn dynamic_update_slice(call: &mut LocalCall<'_>) -> Made {
    let mut result = call.operands[0].array.take();
    let (x, update) = (&call.operands[0], &call.operands[1]);
    let (whole, part) = (x.shards.dims(), update.shards.dims());
    let mut start = start(call, 2, whole, part);
    let origin = x.origin(call.device);
    for (dim, start) in start.iter_mut().enumerate() {
        if whole[dim] == part[dim] {
            // The update is split like the array.
            *start = origin[dim];
        } else if update.array.dims()[dim] != part[dim] {
            let message =
                format!("the update is sharded along dimension {dim}, and the array differently");
            return Err(Failed::Not(message));
        }
    }
    let (own, new) = (boxed(&origin, result.dims()), boxed(&start, update.array.dims()));
    if let Some(common) = intersection(&own, &new) {
        let width = result.width();
        let from = Shard { dims: update.array.dims(), origin: start };
        let bytes = read(&common, &from, width, update.array.as_bytes());
        let dims = result.dims().to_vec();
        let to = Shard { dims: &dims, origin };
        write(&common, &to, width, &bytes, result.as_bytes_mut()?);
    }
    Ok(vec![result])
}
