//! Reductions over windows, and the largest elements.

use super::super::numbers::Numbers;
use super::super::reduction::Reduction;
use super::blocks::computed;
use super::functions::Functions;
use super::index::{index_of, number_of};
use super::{Body, Failed, HostArray, LocalCall, LocalOperand, Made};
use alloc::string::ToString;
use alloc::vec;
use alloc::vec::Vec;

/// The windows of an operation over an array.
pub(super) struct Windows {
    window: Vec<usize>,
    stride: Vec<usize>,
    dilation: Vec<usize>,
    base: Vec<usize>,
    low: Vec<usize>,
    /// The number of elements that negative padding cuts off.
    cut: Vec<usize>,
    /// The size of the array.
    own: Vec<usize>,
}

impl Windows {
    pub(super) fn of(call: &LocalCall<'_>, own: &[usize]) -> Self {
        let list = |name: &str, default: usize| -> Vec<usize> {
            let list = call.attributes.named_numbers(name);
            if list.len() == own.len() { list.to_vec() } else { vec![default; own.len()] }
        };
        Self {
            window: list("window", 1),
            stride: list("stride", 1),
            dilation: list("dilation", 1),
            base: list("base_dilation", 1),
            low: list("low", 0),
            cut: list("cut_low", 0),
            own: own.to_vec(),
        }
    }

    /// The elements of the array in window `at`, if `dims` are the numbers of windows along each dimension.
    pub(super) fn taken(&self, at: usize, dims: &[usize]) -> impl Iterator<Item = usize> {
        let Self { window, stride, dilation, base, low, cut, own } = self;
        let to = index_of(at, dims);
        (0..window.iter().product()).filter_map(move |number| {
            let offset = index_of(number, window);
            let position = |dim: usize| {
                let dilated = to[dim] * stride[dim] + offset[dim] * dilation[dim];
                let dilated = (dilated + cut[dim]).checked_sub(low[dim])?;
                let position = dilated / base[dim].max(1);
                (dilated.is_multiple_of(base[dim].max(1)) && position < own[dim])
                    .then_some(position)
            };
            let from = (0..own.len()).map(position).collect::<Option<Vec<_>>>()?;
            Some(number_of(&from, own))
        })
    }
}

/// `reduce_window(x, start)` in MLIR: combines the elements of each window with the initial value.
pub(super) fn reduce_window(call: &LocalCall<'_>) -> Made {
    let dims = call.result().local_dims();
    let windows = Windows::of(call, call.operand(0).dims());
    if let [body] = call.bodies {
        return folded(call, body, dims, |at| windows.taken(at, dims).collect());
    }
    let [x, start] = &call.operands[..] else {
        return Err(Failed::Not("there is no kernel for several arrays at once".to_string()));
    };
    let no_kernel =
        || Failed::Not("there is no such reduction of elements of this type".to_string());
    macro_rules! reduced {
        ($x:ident, $start:ident, $binary:expr, $T:ty) => {{
            let combine: fn($T, $T) -> $T = match call.reduction {
                Reduction::Set => return Err(no_kernel()),
                reduction => $binary(reduction.operation()).ok_or_else(no_kernel)?,
            };
            let taken = |at: usize| windows.taken(at, dims);
            let of = |at: usize| taken(at).fold($start[0], |sum, from| combine(sum, $x[from]));
            computed(call.result(), of)?
        }};
    }
    let made = match (Numbers::of(&x.array), Numbers::of(&start.array)) {
        (Numbers::Single(x), Numbers::Single(start)) => {
            reduced!(x, start, f32::binary, f32)
        }
        (Numbers::Double(x), Numbers::Double(start)) => {
            reduced!(x, start, f64::binary, f64)
        }
        (Numbers::Integer(x), Numbers::Integer(start)) => {
            reduced!(x, start, i128::binary, i128)
        }
        _ => return Err(no_kernel()),
    };
    Ok(vec![made])
}

/// Arrays of size `dims`. Each element is a fold: it starts from an initial value, and `body` combines it with each element of an
/// array whose number `taken` returns, one after the other. The operands are the arrays, followed by their initial values.
pub(super) fn folded(
    call: &LocalCall<'_>,
    body: &Body,
    dims: &[usize],
    taken: impl Fn(usize) -> Vec<usize>,
) -> Made {
    let wrong = || Failed::Not("its body does not take its elements".to_string());
    let (arrays, starts) = call.operands.split_at(call.operands.len() / 2);
    let all = |operands: &[LocalOperand<'_>]| -> Vec<Numbers> {
        operands.iter().map(|operand| Numbers::of(&operand.array)).collect()
    };
    let (arrays, starts) = (all(arrays), all(starts));
    if arrays.len() != call.results.len() {
        return Err(wrong());
    }
    let zeroed = call.results.iter().map(|result| HostArray::zeroed(result.dtype, dims));
    let mut made = zeroed.collect::<Result<Vec<_>, _>>()?;
    let first: Vec<_> = starts.iter().map(|start| start.at(0)).collect();
    let (mut arguments, mut values) = (Vec::new(), Vec::new());
    for at in 0..made.first().map_or(0, HostArray::count) {
        let mut numbers = first.clone();
        for from in taken(at) {
            arguments.clear();
            arguments.extend_from_slice(&numbers);
            arguments.extend(arrays.iter().map(|array| array.at(from)));
            numbers = body.run(&arguments, &mut values).ok_or_else(wrong)?;
        }
        if numbers.len() != made.len() {
            return Err(wrong());
        }
        for (made, number) in made.iter_mut().zip(numbers) {
            let (dtype, width) = (made.dtype(), made.width());
            number.write(dtype, &mut made.as_bytes_mut()?[at * width..][..width]);
        }
    }
    Ok(made)
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
    let mut indices = Vec::with_capacity(values.count());
    let width = x.width();
    for row in 0..values.count().checked_div(kept).unwrap_or(0) {
        let mut order: Vec<_> = (row * size..(row + 1) * size).collect();
        order.sort_by(|a, b| larger(*a, *b));
        for (number, from) in order.into_iter().take(kept).enumerate() {
            let to = &mut values.as_bytes_mut()?[(row * kept + number) * width..][..width];
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
