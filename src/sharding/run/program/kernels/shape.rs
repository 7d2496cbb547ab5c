//! Operations that move elements to other dimensions.

use super::{Failed, HostArray, LocalCall, Made};
use crate::movement::DynLayout;
use alloc::format;
use alloc::string::ToString;
use alloc::vec;
use alloc::vec::Vec;
use layout_core::dtype::DType;
use layout_core::tiled::{Draft, List, TiledSpec};

/// Row-major strides, in elements. Those of an array without elements have no meaning, and may have wrapped around.
pub(super) fn strides(dims: &[usize]) -> Vec<isize> {
    let mut strides = vec![1_isize; dims.len()];
    for dim in (1..dims.len()).rev() {
        strides[dim - 1] = strides[dim].wrapping_mul(dims[dim] as isize);
    }
    strides
}

/// Calls `with` with the offset of each element of an array of size `dims`, in row-major order. The offset of the first element
/// is `start`, and each step along a dimension adds its stride.
pub(super) fn offsets(
    dims: &[usize],
    start: isize,
    strides: &[isize],
    mut with: impl FnMut(isize),
) {
    if dims.contains(&0) {
        return;
    }
    let (mut index, mut at) = (vec![0; dims.len()], start);
    loop {
        with(at);
        let mut dim = dims.len();
        loop {
            let Some(next) = dim.checked_sub(1) else { return };
            dim = next;
            index[dim] += 1;
            at += strides[dim];
            if index[dim] < dims[dim] {
                break;
            }
            at -= strides[dim] * dims[dim] as isize;
            index[dim] = 0;
        }
    }
}

/// Joins dimensions that follow each other at the same distances in each array, so that few and long rows remain; there is at least
/// one. Removes dimensions of size 1.
pub(super) fn joined<const K: usize>(
    dims: &[usize],
    strides: [&[isize]; K],
) -> (Vec<usize>, [Vec<isize>; K]) {
    let mut sizes: Vec<usize> = vec![1];
    let mut steps = [(); K].map(|()| vec![0]);
    for (dim, &size) in dims.iter().enumerate().filter(|(_, size)| **size != 1) {
        let own = strides.map(|strides| strides[dim]);
        let last = sizes.len() - 1;
        let follows = |(steps, own): (&Vec<isize>, isize)| steps[last] == own * size as isize;
        if sizes[last] == 1 || steps.iter().zip(own).all(follows) {
            sizes[last] *= size;
            steps.iter_mut().zip(own).for_each(|(steps, own)| steps[last] = own);
        } else {
            sizes.push(size);
            steps.iter_mut().zip(own).for_each(|(steps, own)| steps.push(own));
        }
    }
    (sizes, steps)
}

/// The array of size `dims` whose elements are the elements of `array` at these strides.
pub(super) fn strided(array: &HostArray, dims: &[usize], start: isize, strides: &[isize]) -> Made {
    let mut result = HostArray::zeroed(array.dtype(), dims)?;
    let (width, bytes, to) = (array.width(), array.as_bytes(), result.as_bytes_mut()?);
    let (sizes, [steps]) = joined(dims, [strides]);
    let ([outer @ .., inner], [outer_steps @ .., step]) = (&sizes[..], &steps[..]) else {
        return Ok(vec![result]);
    };
    let mut rows = to.chunks_exact_mut((inner * width).max(1));
    offsets(outer, start, outer_steps, |at| {
        let Some(row) = rows.next() else { return };
        match width {
            1 => copy::<1>(bytes, at, *step, row),
            2 => copy::<2>(bytes, at, *step, row),
            4 => copy::<4>(bytes, at, *step, row),
            8 => copy::<8>(bytes, at, *step, row),
            _ => copy::<16>(bytes, at, *step, row),
        }
    });
    Ok(vec![result])
}

/// Copies elements of `WIDTH` bytes, which are `step` elements apart and start at element `at`.
fn copy<const WIDTH: usize>(from: &[u8], at: isize, step: isize, to: &mut [u8]) {
    let (from, to) = (from.as_chunks::<WIDTH>().0, to.as_chunks_mut::<WIDTH>().0);
    match step {
        0 => to.fill(from[at as usize]),
        1 => to.copy_from_slice(&from[at as usize..][..to.len()]),
        _ => {
            for (number, to) in to.iter_mut().enumerate() {
                *to = from[(at + number as isize * step) as usize];
            }
        }
    }
}

/// `transpose(x, [1, 0])`
pub(super) fn transpose(call: &LocalCall<'_>) -> Made {
    let (x, order) = (call.operand(0), call.list(0));
    let own = strides(x.dims());
    let dims: Vec<_> = order.iter().map(|&dim| x.dims()[dim]).collect();
    let strides: Vec<_> = order.iter().map(|&dim| own[dim]).collect();
    match relayout(x, order, &dims) {
        Some(result) => Ok(vec![result?]),
        None => strided(x, &dims, 0, &strides),
    }
}

/// The transposed array, of size `dims`, by a relayout; `None` if the array has more dimensions than a layout.
fn relayout(x: &HostArray, order: &[usize], dims: &[usize]) -> Option<Result<HostArray, Failed>> {
    // A relayout moves the bits of elements, whatever their type is.
    let bits = match x.width() {
        1 => DType::U8,
        2 => DType::U16,
        4 => DType::U32,
        8 => DType::U64,
        _ => DType::C128,
    };
    let place = |dim: usize| order.iter().position(|other| *other == dim);
    let minor_to_major: Option<Vec<_>> = (0..dims.len()).rev().map(place).collect();
    let order = List::of(&minor_to_major?)?;
    let from = Draft::untiled(bits, List::of(dims)?, order).validate().ok()?;
    let to = TiledSpec::row_major(bits, dims)?;
    let moved = || {
        let mut result = HostArray::zeroed(x.dtype(), dims)?;
        from.relayout_bytes(x.as_bytes(), &to, result.as_bytes_mut()?)?;
        Ok(result)
    };
    Some(moved())
}

/// `broadcast_in_dim(x, [8, 4], [0])`
pub(super) fn broadcast_in_dim(call: &LocalCall<'_>) -> Made {
    let (x, to) = (call.operand(0), call.list(1));
    let (result, own) = (call.result(), strides(x.dims()));
    if result.is_splat {
        return Ok(vec![x.clone().viewed(x.dtype(), &[])?]);
    }
    let mut strides = vec![0; result.dims().len()];
    for (dim, &to) in to.iter().enumerate() {
        // A dimension of size 1 is repeated.
        if call.operands[0].shards.dims()[dim] == result.dims()[to] {
            strides[to] = own[dim];
        }
    }
    strided(x, result.local_dims(), 0, &strides)
}

/// `reverse(x, [0])`
pub(super) fn reverse(call: &LocalCall<'_>) -> Made {
    let x = call.operand(0);
    let (mut strides, mut start) = (strides(x.dims()), 0);
    for &dim in call.list(0) {
        start += strides[dim] * (x.dims()[dim] as isize - 1);
        strides[dim] = -strides[dim];
    }
    strided(x, x.dims(), start, &strides)
}

/// `reshape(x, [2, 32])`
pub(super) fn reshape(call: &mut LocalCall<'_>) -> Made {
    let x = call.operands[0].array.take();
    let dims = call.result().local_dims();
    if x.count() != dims.iter().product::<usize>() {
        let message = "the shards of the operand and of the result have different sizes";
        return Err(Failed::Not(message.to_string()));
    }
    let dtype = x.dtype();
    Ok(vec![x.viewed(dtype, dims)?])
}

/// `bitcast_convert(x)`. The bits of an element of the wider type are those of the elements along the last dimension of the
/// other array, the lowest bits first.
pub(super) fn bitcast_convert(call: &LocalCall<'_>) -> Made {
    let (x, result) = (call.operand(0), call.result());
    let has_whole_bytes = |dtype: DType| dtype.stored_bits() == 8 * dtype.byte_width();
    let bytes = result.local_dims().iter().product::<usize>() * result.dtype.byte_width();
    if !has_whole_bytes(x.dtype()) || !has_whole_bytes(result.dtype) || bytes != x.as_bytes().len()
    {
        let message = format!("there is no kernel from `{}` to `{}`", x.dtype(), result.dtype);
        return Err(Failed::Not(message));
    }
    Ok(vec![x.clone().viewed(result.dtype, result.local_dims())?])
}

/// An operation that only changes how its operand is sharded: `reshard`, `constrain`, `propagation_barrier`.
pub(super) fn same(call: &mut LocalCall<'_>) -> Made {
    Ok(vec![call.operands[0].array.take()])
}
