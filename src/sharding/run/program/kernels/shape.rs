//! Operations that move elements to other dimensions.

use super::{Failed, HostArray, LocalCall, Made};
use alloc::format;
use alloc::string::ToString;
use alloc::vec;
use alloc::vec::Vec;
use layout_core::dtype::DType;

/// Row-major strides, in elements.
pub(super) fn strides(dims: &[usize]) -> Vec<isize> {
    let mut strides = vec![1; dims.len()];
    for dim in (1..dims.len()).rev() {
        strides[dim - 1] = strides[dim] * dims[dim] as isize;
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

/// The array of size `dims` whose elements are the elements of `array` at these strides.
pub(super) fn strided(array: &HostArray, dims: &[usize], start: isize, strides: &[isize]) -> Made {
    let mut result = HostArray::zeroed(array.dtype(), dims)?;
    let (width, bytes) = (array.width(), array.as_bytes());
    let mut to = result.as_bytes_mut()?.chunks_exact_mut(width);
    offsets(dims, start, strides, |at| {
        if let Some(to) = to.next() {
            to.copy_from_slice(&bytes[at as usize * width..][..width]);
        }
    });
    Ok(vec![result])
}

/// `transpose(x, [1, 0])`
pub(super) fn transpose(call: &LocalCall<'_>) -> Made {
    let (x, order) = (call.operand(0), call.list(0));
    let own = strides(x.dims());
    let dims: Vec<_> = order.iter().map(|&dim| x.dims()[dim]).collect();
    let strides: Vec<_> = order.iter().map(|&dim| own[dim]).collect();
    strided(x, &dims, 0, &strides)
}

/// `broadcast_in_dim(x, [8, 4], [0])`
pub(super) fn broadcast_in_dim(call: &LocalCall<'_>) -> Made {
    let (x, to) = (call.operand(0), call.list(1));
    let (result, own) = (call.result(), strides(x.dims()));
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
