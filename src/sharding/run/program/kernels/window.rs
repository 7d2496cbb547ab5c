//! Reductions over windows, and the largest elements.

use super::super::numbers::Numbers;
use super::super::reduction::Reduction;
use super::index::{index_of, number_of};
use super::{Failed, HostArray, LocalCall, Made, elementwise};
use alloc::string::ToString;
use alloc::vec;
use alloc::vec::Vec;

/// `reduce_window(x, start)` in MLIR: combines the elements of each window with the initial value.
pub(super) fn reduce_window(call: &LocalCall<'_>) -> Made {
    let [x, start] = call.operands else {
        return Err(Failed::Not("there is no kernel for several arrays at once".to_string()));
    };
    let dims = call.result().local_dims();
    let list = |name: &str, default: usize| -> Vec<usize> {
        let list = call.attributes.named_numbers(name);
        if list.is_empty() { vec![default; dims.len()] } else { list.to_vec() }
    };
    let (window, stride) = (list("window", 1), list("stride", 1));
    let (dilation, base) = (list("dilation", 1), list("base_dilation", 1));
    let low = list("low", 0);
    let own = x.array.dims();
    // The elements of the array in the window of each element of the result.
    let taken = |at: usize| {
        let to = index_of(at, dims);
        let windows: usize = window.iter().product();
        let window = &window;
        let (stride, dilation, base, low) = (&stride, &dilation, &base, &low);
        (0..windows).filter_map(move |number| {
            let offset = index_of(number, window);
            let position = |dim: usize| {
                let dilated = to[dim] * stride[dim] + offset[dim] * dilation[dim];
                let dilated = dilated.checked_sub(low[dim])?;
                let position = dilated / base[dim];
                (dilated.is_multiple_of(base[dim]) && position < own[dim]).then_some(position)
            };
            let from = (0..own.len()).map(position).collect::<Option<Vec<_>>>()?;
            Some(number_of(&from, own))
        })
    };
    let no_kernel =
        || Failed::Not("there is no such reduction of elements of this type".to_string());
    let count: usize = dims.iter().product();
    macro_rules! reduced {
        ($Kind:ident, $x:ident, $start:ident, $binary:expr, $T:ty) => {{
            let combine: fn($T, $T) -> $T = match call.reduction {
                Reduction::Set => return Err(no_kernel()),
                reduction => $binary(reduction.operation()).ok_or_else(no_kernel)?,
            };
            let of = |at: usize| taken(at).fold($start[0], |sum, from| combine(sum, $x[from]));
            Numbers::$Kind((0..count).map(of).collect())
        }};
    }
    let numbers = match (Numbers::of(&x.array), Numbers::of(&start.array)) {
        (Numbers::Single(x), Numbers::Single(start)) => {
            reduced!(Single, x, start, elementwise::single::binary, f32)
        }
        (Numbers::Double(x), Numbers::Double(start)) => {
            reduced!(Double, x, start, elementwise::double::binary, f64)
        }
        (Numbers::Integer(x), Numbers::Integer(start)) => {
            reduced!(Integer, x, start, elementwise::binary, i128)
        }
        _ => return Err(no_kernel()),
    };
    Ok(vec![numbers.store(call.result().dtype, dims)?])
}

/// `top_k(x, 2)`: the largest elements along the last dimension, and their indices. Equal elements keep their order.
pub(super) fn top_k(call: &LocalCall<'_>) -> Made {
    let x = call.operand(0);
    let dims = call.result().local_dims();
    let (Some(&size), Some(&kept)) = (x.dims().last(), dims.last()) else {
        return Err(Failed::Not("a scalar has no largest elements".to_string()));
    };
    let numbers = Numbers::of(x);
    let larger = |a: usize, b: usize| match &numbers {
        Numbers::Single(x) => x[b].total_cmp(&x[a]),
        Numbers::Double(x) => x[b].total_cmp(&x[a]),
        Numbers::Integer(x) => x[b].cmp(&x[a]),
    };
    let mut values = HostArray::zeroed(x.dtype(), dims)?;
    let mut indices = Vec::with_capacity(dims.iter().product());
    let width = x.width();
    for row in 0..dims[..dims.len() - 1].iter().product() {
        let mut order: Vec<_> = (row * size..(row + 1) * size).collect();
        order.sort_by(|a, b| larger(*a, *b));
        for (number, from) in order.into_iter().take(kept).enumerate() {
            let to = &mut values.as_bytes_mut()[(row * kept + number) * width..][..width];
            to.copy_from_slice(&x.as_bytes()[from * width..][..width]);
            indices.push((from - row * size) as i128);
        }
    }
    let mut made = vec![values];
    if let Some(result) = call.results.get(1) {
        made.push(Numbers::Integer(indices).store(result.dtype, result.local_dims())?);
    }
    Ok(made)
}
