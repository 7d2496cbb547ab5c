//! Reductions over dimensions.

use super::super::numbers::Numbers;
use super::super::reduction::Reduction;
use super::index::index_of;
use super::shape::{offsets, strides};
use super::window::folded;
use super::{Body, Failed, HostArray, LocalCall, LocalOperand, LocalResult, Made, region};
use alloc::string::ToString;
use alloc::vec;
use alloc::vec::Vec;

/// `reduce(x, [0])`, also of several arrays at once: sums. In MLIR, a reduce also has the operation, and the initial value of
/// each reduction, which is an operand after the arrays.
pub(super) fn reduce(call: &LocalCall<'_>) -> Made {
    let count = call.results.len();
    if let [body] = call.bodies {
        return by_body(call, body);
    }
    let starts = call.operands.get(count..).unwrap_or(&[]);
    let made = call.operands.iter().zip(call.results).enumerate().map(|(at, (operand, result))| {
        let start = starts.get(at).map(|start| &start.array);
        let numbers = reduced(call, operand, result)?;
        let begun = begin(call, start, numbers, result)?;
        begun.store(result.dtype, result.local_dims()).map_err(Failed::from)
    });
    made.collect()
}

/// A reduction whose body is not an operation of two values. Each device has all elements that it reduces.
fn by_body(call: &LocalCall<'_>, body: &Body) -> Made {
    let (own, dims) = (call.operand(0).dims(), call.result().local_dims());
    let is_reduced = |dim: &usize| call.list(0).contains(dim);
    let (reduced, kept): (Vec<_>, Vec<_>) = (0..own.len()).partition(is_reduced);
    let steps = strides(own);
    let sizes: Vec<_> = reduced.iter().map(|dim| own[*dim]).collect();
    let reduced: Vec<_> = reduced.iter().map(|dim| steps[*dim]).collect();
    folded(call, body, dims, |at| {
        let index = index_of(at, dims);
        let start = kept.iter().zip(index).map(|(dim, at)| steps[*dim] * at as isize).sum();
        let mut taken = Vec::new();
        offsets(&sizes, start, &reduced, |at| taken.push(at as usize));
        taken
    })
}

fn no_kernel() -> Failed {
    Failed::Not("there is no such reduction of elements of this type".to_string())
}

/// Combines the result of reducing an array with the initial value. If the results of several devices are added up or
/// multiplied, only the first device does so.
fn begin(
    call: &LocalCall<'_>,
    start: Option<&HostArray>,
    numbers: Option<Numbers>,
    result: &LocalResult<'_>,
) -> Result<Numbers, Failed> {
    let count = result.local_dims().iter().product();
    let takes_part = call.is_first || call.reduction.is_idempotent();
    let start = match start.filter(|_| takes_part) {
        Some(start) => Numbers::of(start),
        None => neutral(call.reduction, result)?,
    };
    let start = start.repeated(count);
    match numbers {
        // Sums are computed in double precision, and rounded once.
        Some(Numbers::Double(numbers)) => {
            let both = call.reduction.both(start.doubled(), Numbers::Double(numbers));
            both.ok_or_else(no_kernel)
        }
        Some(numbers) => call.reduction.both(start, numbers).ok_or_else(no_kernel),
        None => Ok(start),
    }
}

/// The identity of the reduction.
fn neutral(reduction: Reduction, result: &LocalResult<'_>) -> Result<Numbers, Failed> {
    let number = match reduction {
        Reduction::Sum => 0,
        Reduction::Product => 1,
        // These reductions have the initial value as an operand.
        _ => return Err(no_kernel()),
    };
    Ok(Numbers::of(&Numbers::Integer(vec![number]).store(result.dtype, &[])?))
}

/// The result of reducing the elements of an array; `None` if this device has none of them.
fn reduced(
    call: &LocalCall<'_>,
    operand: &LocalOperand<'_>,
    result: &LocalResult<'_>,
) -> Result<Option<Numbers>, Failed> {
    let (x, dims) = (&operand.array, result.local_dims());
    // Padding is ignored.
    let valid = region(operand.shards, call.device);
    let valid: Vec<_> = valid.iter().map(ExactSizeIterator::len).collect();
    if valid.contains(&0) || dims.contains(&0) {
        return Ok(None);
    }
    let (mut to, own) = (vec![0; x.dims().len()], strides(dims));
    let kept = (0..x.dims().len()).filter(|dim| !call.list(0).contains(dim));
    kept.zip(own).for_each(|(dim, stride)| to[dim] = stride);
    let mut from = Vec::with_capacity(valid.iter().product());
    offsets(&valid, 0, &strides(x.dims()), |at| from.push(at as usize));
    let count: usize = dims.iter().product();
    macro_rules! folded {
        ($x:ident, $Kind:ident, $Acc:ty, $combine:expr) => {{
            let combine: fn($Acc, $Acc) -> $Acc = $combine;
            let mut folded: Vec<Option<$Acc>> = vec![None; count];
            let mut from = from.iter();
            offsets(&valid, 0, &to, |at| {
                if let Some(&from) = from.next() {
                    let (value, folded) = (<$Acc>::from($x[from]), &mut folded[at as usize]);
                    *folded = Some(folded.map_or(value, |before| combine(before, value)));
                }
            });
            // The padding of the result is cleared later.
            let numbers = folded.into_iter().map(Option::unwrap_or_default);
            Numbers::$Kind(numbers.collect())
        }};
    }
    macro_rules! float {
        ($x:ident, $Kind:ident, $Acc:ty) => {
            match call.reduction {
                Reduction::Sum => folded!($x, Double, f64, |a, b| a + b),
                Reduction::Product => folded!($x, Double, f64, |a, b| a * b),
                // NaN stays NaN.
                Reduction::Max => {
                    folded!($x, $Kind, $Acc, |a, b| if a.is_nan() || a > b { a } else { b })
                }
                Reduction::Min => {
                    folded!($x, $Kind, $Acc, |a, b| if a.is_nan() || a < b { a } else { b })
                }
                _ => return Err(no_kernel()),
            }
        };
    }
    Ok(Some(match Numbers::of(x) {
        Numbers::Single(x) => float!(x, Single, f32),
        Numbers::Double(x) => float!(x, Double, f64),
        Numbers::Integer(x) => match call.reduction {
            Reduction::Sum => folded!(x, Integer, i128, |a, b| a + b),
            Reduction::Product => folded!(x, Integer, i128, i128::wrapping_mul),
            Reduction::Max => folded!(x, Integer, i128, i128::max),
            Reduction::Min => folded!(x, Integer, i128, i128::min),
            Reduction::And => folded!(x, Integer, i128, |a, b| a & b),
            Reduction::Or => folded!(x, Integer, i128, |a, b| a | b),
            Reduction::Set => return Err(no_kernel()),
        },
    }))
}
