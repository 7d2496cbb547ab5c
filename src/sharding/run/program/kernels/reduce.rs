//! Reductions over dimensions.

use super::super::elements::{Computed, Kind, larger, smaller};
use super::super::numbers::Numbers;
use super::super::reduction::Reduction;
use super::functions::Functions;
use super::index::index_of;
use super::shape::{joined, offsets, strides};
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
        begin(call, start, numbers, result)
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
) -> Result<HostArray, Failed> {
    let dims = result.local_dims();
    let takes_part = call.is_first || call.reduction.is_idempotent();
    let start = match start.filter(|_| takes_part) {
        Some(start) => Numbers::of(start),
        None => neutral(call.reduction, result)?,
    };
    let Some(numbers) = numbers else {
        return Ok(HostArray::repeating(&start.store(result.dtype, &[])?, dims)?);
    };
    let start = start.repeated(dims.iter().product());
    let both = match numbers {
        // Sums are computed in double precision, and rounded once.
        Numbers::Double(numbers) => call.reduction.both(start.doubled(), Numbers::Double(numbers)),
        numbers => call.reduction.both(start, numbers),
    };
    Ok(both.ok_or_else(no_kernel)?.store(result.dtype, dims)?)
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
    let (sizes, [from, to]) = joined(&valid, [&strides(x.dims()), &to]);
    let fold = Fold { x, sizes, from, to, count: dims.iter().product() };
    let reduction = call.reduction;
    let numbers = match Kind::of(x.dtype()) {
        Kind::Single => fold.in_doubles::<f32>(reduction).map(Numbers::Double).or_else(|| {
            let infinity = f32::INFINITY;
            fold.extreme(reduction, [-infinity, infinity]).map(Numbers::Single)
        }),
        Kind::Double => fold.in_doubles::<f64>(reduction).map(Numbers::Double).or_else(|| {
            let infinity = f64::INFINITY;
            fold.extreme(reduction, [-infinity, infinity]).map(Numbers::Double)
        }),
        Kind::Integer => fold
            .of_integers::<i64>(reduction, [i64::MIN, i64::MAX])
            .map(|numbers| Numbers::Integer(numbers.into_iter().map(i128::from).collect())),
        Kind::Wide => {
            fold.of_integers::<i128>(reduction, [i128::MIN, i128::MAX]).map(Numbers::Integer)
        }
    };
    numbers.map(Some).ok_or_else(no_kernel)
}

/// The reduction of the elements of an array.
struct Fold<'a> {
    x: &'a HostArray,
    /// The sizes of the dimensions that are read, and their distances in the array and in the result.
    sizes: Vec<usize>,
    from: Vec<isize>,
    to: Vec<isize>,
    /// The number of elements of the result.
    count: usize,
}

/// The number of elements that are read at a time.
const BLOCK: usize = 256;

impl Fold<'_> {
    /// Sums and products of floating-point numbers, in double precision.
    fn in_doubles<N: Computed + Into<f64>>(&self, reduction: Reduction) -> Option<Vec<f64>> {
        Some(match reduction {
            // The sum of negative zeros is negative zero.
            Reduction::Sum => self.run(-0.0, |sum, x: N| sum + x.into()),
            Reduction::Product => self.run(1.0, |product, x: N| product * x.into()),
            _ => return None,
        })
    }

    /// Maxima and minima of floating-point numbers.
    fn extreme<N: Computed>(&self, reduction: Reduction, [least, most]: [N; 2]) -> Option<Vec<N>> {
        Some(match reduction {
            Reduction::Max => self.run(least, larger),
            Reduction::Min => self.run(most, smaller),
            _ => return None,
        })
    }

    fn of_integers<N: Functions + Ord>(
        &self,
        reduction: Reduction,
        [least, most]: [N; 2],
    ) -> Option<Vec<N>> {
        let all = N::unary("not", false)?(N::ZERO);
        let start = match reduction {
            Reduction::Sum | Reduction::Or => N::ZERO,
            Reduction::Product => N::ONE,
            Reduction::Max => least,
            Reduction::Min => most,
            Reduction::And => all,
            Reduction::Set => return None,
        };
        let combine = N::binary(reduction.operation())?;
        Some(self.run(start, combine))
    }

    /// Combines the elements that become each element of the result, in row-major order, beginning with `start`.
    fn run<N: Computed, A: Copy>(&self, start: A, combine: impl Fn(A, N) -> A) -> Vec<A> {
        let mut folded = vec![start; self.count];
        let ([outer @ .., inner], [from @ .., step], [to @ .., into]) =
            (&self.sizes[..], &self.from[..], &self.to[..])
        else {
            return folded;
        };
        let (width, bytes, dtype) = (self.x.width(), self.x.as_bytes(), self.x.dtype());
        let mut targets = Vec::with_capacity(outer.iter().product());
        offsets(outer, 0, to, |at| targets.push(at as usize));
        let mut targets = targets.into_iter();
        let mut numbers = [N::ZERO; BLOCK];
        offsets(outer, 0, from, |at| {
            let Some(target) = targets.next() else { return };
            for first in (0..*inner).step_by(BLOCK) {
                let numbers = &mut numbers[..(inner - first).min(BLOCK)];
                let at = (at + first as isize * step) as usize;
                match step {
                    1 => N::read(dtype, &bytes[at * width..][..numbers.len() * width], numbers),
                    _ => {
                        for (number, element) in numbers.iter_mut().enumerate() {
                            let at = at + number * *step as usize;
                            let element = core::slice::from_mut(element);
                            N::read(dtype, &bytes[at * width..][..width], element);
                        }
                    }
                }
                match into {
                    0 => {
                        let folded = &mut folded[target];
                        *folded = numbers.iter().fold(*folded, |folded, x| combine(folded, *x));
                    }
                    1 => {
                        let folded = folded[target + first..].iter_mut();
                        folded
                            .zip(&*numbers)
                            .for_each(|(folded, x)| *folded = combine(*folded, *x));
                    }
                    // Of the dimensions that follow, this device has one element and padding.
                    into => {
                        let into = *into as usize;
                        let folded = folded[target + first * into..].iter_mut().step_by(into);
                        folded
                            .zip(&*numbers)
                            .for_each(|(folded, x)| *folded = combine(*folded, *x));
                    }
                }
            }
        });
        folded
    }
}
