//! The reductions of arrays whose layout is a type, and of others.

use super::op::{Code, Extreme, Fold, Max, MeanSum, Min, Moments, Op, Sum, Variance};
use super::{Ordered, Reduce, Summand};
use crate::compute::array::{Array, HostOf};
use crate::compute::dims::Dims;
use crate::compute::memory::{NoMemory, collected};
use crate::compute::source::with_source;
use crate::element::{Element, HostValue};
use crate::movement::PackError;
use alloc::vec::Vec;
use core::marker::PhantomData;
use layout_core::dtype::PaddingValue;

/// Reduces the dimensions whose bits are set in `passed`, by loops over storage.
pub(in crate::compute) fn storage<A: Array, O: Op<HostOf<A>>>(
    array: A,
    passed: u16,
    op: &O,
) -> Result<Vec<O::Total>, NoMemory> {
    let whole = array.spec().map();
    let sized = (!array.is_whole()).then(|| whole.with_dims(array.sizes()));
    with_source(array, Reduce { map: sized.as_ref().unwrap_or(whole), kept: !passed, op })
}

/// The results of a reduction over `dims`; `finish` computes them from the totals and the number of elements of each.
#[track_caller]
fn results<A: Array, O: Op<HostOf<A>>, R>(
    array: A,
    dims: impl Dims,
    op: &O,
    finish: impl Fn(O::Total, usize) -> R,
) -> Result<Vec<R>, PackError> {
    let (dims, count) = dims.of(array.sizes());
    let totals = array.reduce(dims, op);
    totals
        .and_then(|totals| collected(totals.into_iter().map(|total| finish(total, count))))
        .map_err(|error| error.for_layout(array.spec()))
}

#[track_caller]
pub(in crate::compute) fn sum<A: Array>(
    array: A,
    dims: impl Dims,
) -> Result<Vec<<HostOf<A> as Summand>::Sum>, PackError>
where
    HostOf<A>: Summand,
{
    results(array, dims, &Sum, |total, _| HostOf::<A>::sum(total))
}

pub(in crate::compute) fn total<A: Array>(
    array: A,
) -> Result<<HostOf<A> as Summand>::Sum, PackError>
where
    HostOf<A>: Summand,
{
    let total = array.reduce_all(&Sum).map_err(|error| error.for_layout(array.spec()))?;
    Ok(HostOf::<A>::sum(total))
}

#[track_caller]
pub(in crate::compute) fn mean<A: Array>(
    array: A,
    dims: impl Dims,
) -> Result<Vec<<HostOf<A> as Summand>::Mean>, PackError>
where
    HostOf<A>: Summand,
{
    results(array, dims, &MeanSum, HostOf::<A>::mean)
}

#[track_caller]
pub(in crate::compute) fn var<A: Array>(array: A, dims: impl Dims) -> Result<Vec<f64>, PackError>
where
    HostOf<A>: Ordered,
{
    results(array, dims, &Variance, |moments: Moments, _| moments.variance())
}

#[track_caller]
pub(in crate::compute) fn max<A: Array>(
    array: A,
    dims: impl Dims,
) -> Result<Vec<HostOf<A>>, PackError>
where
    HostOf<A>: Ordered,
{
    results(array, dims, &Max, |key, count| match count {
        0 => extreme::<A::Element>(PaddingValue::Lowest),
        _ => HostOf::<A>::narrow(key),
    })
}

#[track_caller]
pub(in crate::compute) fn min<A: Array>(
    array: A,
    dims: impl Dims,
) -> Result<Vec<HostOf<A>>, PackError>
where
    HostOf<A>: Ordered,
{
    results(array, dims, &Min, |key, count| match count {
        0 => extreme::<A::Element>(PaddingValue::Highest),
        _ => HostOf::<A>::narrow(key),
    })
}

/// The lowest or highest value of an element type.
fn extreme<E: Element>(value: PaddingValue) -> E::Host {
    let mut le = E::DTYPE.padding_bits(value).unwrap_or(0).to_le_bytes();
    le[0] = E::DTYPE.normalize(le[0]);
    E::Host::from_le(&le)
}

/// The positions of the maxima, or of the minima if `MIN`.
#[track_caller]
pub(in crate::compute) fn positions<A: Array, const MIN: bool>(
    array: A,
    dims: impl Dims,
) -> Result<Vec<usize>, PackError>
where
    HostOf<A>: Ordered,
{
    let (_, count) = dims.of(array.sizes());
    if HostOf::<A>::SHORT_KEYS && u32::try_from(count).is_ok() {
        positions_with::<A, i64, MIN>(array, dims)
    } else {
        positions_with::<A, i128, MIN>(array, dims)
    }
}

#[track_caller]
fn positions_with<A: Array, C: Code, const MIN: bool>(
    array: A,
    dims: impl Dims,
) -> Result<Vec<usize>, PackError>
where
    HostOf<A>: Ordered,
{
    results(array, dims, &Extreme::<C, MIN>(PhantomData), |code, count| {
        let what = if MIN { "minimum" } else { "maximum" };
        assert!(count > 0, "an array without elements has no {what}");
        code.at()
    })
}

#[track_caller]
pub(in crate::compute) fn fold<A: Array, T: Copy>(
    array: A,
    dims: impl Dims,
    start: T,
    step: impl Fn(T, HostOf<A>) -> T,
    merge: impl Fn(T, T) -> T,
) -> Result<Vec<T>, PackError> {
    results(array, dims, &Fold { start, step, merge }, |total, _| total)
}
