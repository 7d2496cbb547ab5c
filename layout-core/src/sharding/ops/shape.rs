//! Operations that change the shape, or make one.

use super::elements::Elements;
use super::elementwise::dtype;
use super::{At, Input, Made, Result, wrong};
use crate::dtype::{DType, Kind};
use crate::sharding::propagation::OpKind;
use crate::sharding::registry::{self, Mode};
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;

/// How many elements there are; `None` if they are more than a number can tell.
fn elements(dims: &[usize]) -> Option<usize> {
    match dims.contains(&0) {
        true => Some(0),
        false => dims.iter().try_fold(1, |n: usize, &size| n.checked_mul(size)),
    }
}

/// `transpose(x, [1, 0])`
pub(super) fn transpose(input: &Input<'_>) -> Result<Made> {
    let x = input.operand()?;
    let rank = x.dims.len();
    let order = input.dims(0, rank, "the order of the dimensions")?;
    if order.len() != rank {
        return wrong(At::List(0), format!("expected {rank} dimensions, found {}", order.len()));
    }
    let result = order.iter().map(|&dim| x.dims[dim]).collect();
    let rule = registry::transpose(x.dims, order);
    Ok(Made::one(OpKind::Reshape, rule, (result, x.dtype), "transpose"))
}

/// `reshape(x, [2, 32])`
pub(super) fn reshape(input: &Input<'_>) -> Result<Made> {
    let x = input.operand()?;
    let result = input.list(0, "the size of the result")?;
    let (from, to) = (elements(x.dims), elements(result));
    if from != to || from.is_none() {
        let count = |elements: Option<usize>| {
            elements.map_or_else(|| "too many".into(), |elements| format!("{elements}"))
        };
        let message =
            format!("{:?} has {} elements, but {result:?} has {}", x.dims, count(from), count(to));
        return wrong(At::List(0), message);
    }
    let rule = registry::reshape(x.dims, result);
    let results = vec![(result.to_vec(), x.dtype)];
    Ok(Made { kind: OpKind::Reshape, rule, results, stablehlo: "reshape" })
}

/// `broadcast_in_dim(x, [8, 4], [0])`
pub(super) fn broadcast_in_dim(input: &Input<'_>) -> Result<Made> {
    let x = input.operand()?;
    let result = input.list(0, "the size of the result")?;
    let to = input.dims(1, result.len(), "the dimension that each one becomes")?;
    let fits = to.len() == x.dims.len()
        && to.iter().zip(x.dims).all(|(&to, &size)| size == 1 || size == result[to]);
    if !fits {
        let message = format!("{:?} cannot become dimensions {to:?} of {result:?}", x.dims);
        return wrong(At::List(1), message);
    }
    let rule = registry::broadcast_in_dim(x.dims, result, to);
    let result = (result.to_vec(), x.dtype);
    Ok(Made::one(OpKind::BroadcastInDim, rule, result, "broadcast_in_dim"))
}

/// `reduce(x, [0])`, or of several arrays at once.
pub(super) fn reduce(input: &Input<'_>) -> Result<Made> {
    let x = input.first()?;
    input.same(0, &[])?;
    let rank = x.dims.len();
    let over = input.dims(0, rank, "the dimensions to reduce over")?;
    let result: Vec<_> =
        (0..rank).filter(|dim| !over.contains(dim)).map(|dim| x.dims[dim]).collect();
    let count = input.operands.len();
    // The scalars to start from are not written.
    let mut rule = registry::reduce(count, x.dims, over);
    rule.operands.truncate(count);
    let results = input.operands.iter().map(|operand| (result.clone(), operand.dtype)).collect();
    Ok(Made { kind: OpKind::Other, rule: Some(rule), results, stablehlo: "reduce" })
}

/// `slice(x, [4])`
pub(super) fn slice(input: &Input<'_>) -> Result<Made> {
    resized(input, "sliced", "slice", |new, old| new <= old)
}

/// `pad(x, [16])`; a dimension may be cut as well.
pub(super) fn pad(input: &Input<'_>) -> Result<Made> {
    resized(input, "padded", "pad", |_, _| true)
}

fn resized(
    input: &Input<'_>,
    how: &str,
    stablehlo: &'static str,
    allowed: fn(&usize, &usize) -> bool,
) -> Result<Made> {
    let x = input.operand()?;
    let result = input.list(0, "the size of the result")?;
    let fits = result.len() == x.dims.len()
        && result.iter().zip(x.dims).all(|(new, old)| allowed(new, old));
    if !fits {
        return wrong(At::List(0), format!("{:?} cannot be {how} to {result:?}", x.dims));
    }
    let rule = registry::slice(x.dims, result, Mode::Normal);
    Ok(Made::one(OpKind::Other, rule, (result.to_vec(), x.dtype), stablehlo))
}

/// `reverse(x, [0])`
pub(super) fn reverse(input: &Input<'_>) -> Result<Made> {
    let x = input.operand()?;
    let over = input.dims(0, x.dims.len(), "the dimensions to reverse")?;
    let rule = registry::reverse(x.dims, over);
    Ok(Made::one(OpKind::Other, rule, (x.dims.to_vec(), x.dtype), "reverse"))
}

/// `sort(x, 0)`, or several arrays by the first.
pub(super) fn sort(input: &Input<'_>) -> Result<Made> {
    let x = input.first()?;
    input.same(0, &[])?;
    let dim = input.dim(x.dims.len(), "to sort along")?;
    let rule = registry::sort(input.operands.len(), x.dims, dim);
    let results =
        input.operands.iter().map(|operand| (operand.dims.to_vec(), operand.dtype)).collect();
    Ok(Made { kind: OpKind::Other, rule: Some(rule), results, stablehlo: "sort" })
}

/// `concatenate(x, y, 0)`
pub(super) fn concatenate(input: &Input<'_>) -> Result<Made> {
    let first = input.first()?;
    let along = input.dim(first.dims.len(), "to concatenate along")?;
    let mut dims = first.dims.to_vec();
    for (at, operand) in input.operands.iter().enumerate().skip(1) {
        let same = operand.dims.len() == dims.len()
            && (0..dims.len()).all(|dim| dim == along || operand.dims[dim] == dims[dim]);
        if !same {
            let message = format!(
                "an array of size {:?} cannot be joined to one of size {:?} along dimension {along}",
                operand.dims, first.dims
            );
            return wrong(At::Operand(at), message);
        }
        input.same_elements(0, [at])?;
        let Some(size) = dims[along].checked_add(operand.dims[along]) else {
            return wrong(At::Operand(at), "the result is too large");
        };
        dims[along] = size;
    }
    let rule = registry::concatenate(input.operands.len(), &dims, along, false, Mode::Normal);
    Ok(Made::one(OpKind::Other, rule, (dims, first.dtype), "concatenate"))
}

/// `bitcast_convert(x, type=u8)`
pub(super) fn bitcast_convert(input: &Input<'_>) -> Result<Made> {
    let x = input.operand()?;
    let to = dtype(input)?;
    if (x.dtype.kind() == Kind::Complex) != (to.kind() == Kind::Complex) {
        let message = format!("elements of type `{}` cannot be seen as `{to}`", x.dtype);
        let help = "real and imaginary parts are apart: `complex`, `real` and `imag`";
        return Err((At::Named("type".into()), message, help.into()));
    }
    let (from, into) = (x.dtype.bits(), to.bits());
    let mut result = x.dims.to_vec();
    if into < from && from.is_multiple_of(into) {
        result.push(from / into);
    } else if into.is_multiple_of(from) && result.last() == Some(&(into / from)) && into > from {
        result.pop();
    } else if into != from {
        let message = format!("elements of {from} bits cannot be seen as elements of {into} bits");
        return wrong(At::Named("type".into()), message);
    }
    let rule = registry::bitcast_convert(x.dims, &result);
    Ok(Made::one(OpKind::Other, rule, (result, to), "bitcast_convert"))
}

/// `fft(x, [64], type=RFFT)`
pub(super) fn fft(input: &Input<'_>) -> Result<Made> {
    let x = input.operand()?;
    let lengths = input.list(0, "the length of each transformed dimension")?;
    let kind = input.word("type", &["FFT", "IFFT", "RFFT", "IRFFT"])?;
    let Some(first) = x.dims.len().checked_sub(lengths.len()).filter(|_| !lengths.is_empty())
    else {
        let message =
            format!("an array of rank {} has not {} dimensions", x.dims.len(), lengths.len());
        return wrong(At::List(0), message);
    };
    if lengths.len() > 3 {
        return wrong(At::List(0), "a Fourier transform has 1 to 3 dimensions");
    }
    match kind {
        "RFFT" => input.one_of(0, &[DType::F32, DType::F64])?,
        _ => input.one_of(0, &[DType::C64, DType::C128])?,
    }
    let mut result = x.dims.to_vec();
    let half = lengths.last().map_or(0, |length| length / 2 + 1);
    let mut expected = lengths.to_vec();
    let (last, mut to) = (expected.len() - 1, x.dtype);
    match kind {
        "RFFT" => to = if x.dtype == DType::F64 { DType::C128 } else { DType::C64 },
        "IRFFT" => {
            expected[last] = half;
            to = if x.dtype == DType::C128 { DType::F64 } else { DType::F32 };
        }
        _ => {}
    }
    if x.dims[first..] != expected {
        let message =
            format!("expected dimensions of size {expected:?} last, found {:?}", &x.dims[first..]);
        return wrong(At::Operand(0), message);
    }
    match kind {
        "RFFT" => result[first + last] = if lengths[last] == 0 { 0 } else { half },
        "IRFFT" => result[first + last] = lengths[last],
        _ => {}
    }
    let rule = registry::fft(x.dims, &result, lengths.len());
    Ok(Made::one(OpKind::Other, rule, (result, to), "fft"))
}

/// `rng_bit_generator(state, [8, 4])`: the next state, and random bits.
pub(super) fn rng_bit_generator(input: &Input<'_>) -> Result<Made> {
    let state = input.operand()?;
    input.elements(0, Elements::REAL)?;
    let result = input.list(0, "the size of the result")?;
    let rule = Some(registry::rng_bit_generator(state.dims, result));
    let results = vec![(state.dims.to_vec(), state.dtype), (result.to_vec(), state.dtype)];
    Ok(Made { kind: OpKind::Other, rule, results, stablehlo: "rng_bit_generator" })
}

/// `constant(f32[8])`
pub(super) fn constant(input: &Input<'_>) -> Result<Made> {
    made_of_nothing(input, "constant")
}

/// `iota(s32[8], 0)`
pub(super) fn iota(input: &Input<'_>) -> Result<Made> {
    let made = made_of_nothing(input, "iota")?;
    if made.results[0].1 == DType::PRED {
        return wrong(At::Call, "`iota` cannot count in elements of type `pred`");
    }
    input.dim(made.results[0].0.len(), "that counts")?;
    Ok(made)
}

fn made_of_nothing(input: &Input<'_>, stablehlo: &'static str) -> Result<Made> {
    input.arity(0)?;
    match &input.attributes.array {
        Some((dtype, dims)) => {
            let results = vec![(dims.clone(), *dtype)];
            Ok(Made { kind: OpKind::Other, rule: None, results, stablehlo })
        }
        None => wrong(At::Call, format!("expected the array: `{stablehlo}(f32[8])`")),
    }
}
