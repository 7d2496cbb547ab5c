//! Reductions over any dimensions of a packed array, without unpacking it. Padding is ignored.
//!
//! The order in which elements are combined depends only on the layout, so results are the same on every CPU.

mod any;
mod engine;
mod flat;
mod host;
mod lanes;
mod minimum;
mod op;
mod small;
mod variance;

use super::source::{Source, WithSource};
use crate::compute::dims::Dims;
use crate::compute::elements::elements;
use crate::compute::memory::{NoMemory, filled};
use crate::movement::PackError;
use crate::typed::entry::Const;
use crate::typed::forward::forward;
use crate::typed::packed::{Packed, or_end};
use crate::typed::sizes::is_bounded;
use crate::typed::view::PackedRef;
use crate::typed::{Host, Layout};
use alloc::vec::Vec;
pub(super) use any::{fold, max, mean, min, positions, storage, sum, total, var};
pub(super) use host::Plus;
pub use host::{Ordered, Summand};
use layout_core::parts::IndexMap;
pub(super) use op::Op;
pub(super) use small::{goes_by_runs, position};

/// One reduction of an array.
struct Reduce<'a, O> {
    map: &'a IndexMap,
    kept: u16,
    op: &'a O,
}

impl<H: Copy, O: Op<H>> WithSource<H> for Reduce<'_, O> {
    type Output = Result<Vec<O::Total>, NoMemory>;
    fn call(self, source: impl Source<H>) -> Self::Output {
        engine::reduce(self.map, self.kept, source, self.op)
    }
}

/// Reduces the dimensions whose bits are set in `passed` if that needs no blocks; otherwise returns `None`.
pub(super) fn small_array<L: Layout, O: Op<Host<L>>>(
    packed: PackedRef<'_, L>,
    passed: u16,
    op: &O,
) -> Option<Result<Vec<O::Total>, NoMemory>> {
    let kept = (0..L::RANK).filter(|dim| passed >> dim & 1 == 0);
    let (kept, len) =
        kept.fold((0, 1), |(kept, len), dim| (kept | 1 << dim, len * L::DIMS.as_ref()[dim]));
    if kept == 0 {
        return small_to_one(packed, op).map(|total| filled(total, 1));
    }
    if const { !small::is_small::<L>() } {
        return None;
    }
    let elements = elements(packed)?;
    let out = filled(op.total(), len);
    Some(out.map(|mut out| {
        small::reduce::<L, O>(kept, elements, op, &mut out);
        out
    }))
}

/// Reduces all dimensions of an array without padding, or of a small array, without an allocation; otherwise returns `None`.
pub(super) fn small_to_one<L: Layout, O: Op<Host<L>>>(
    packed: PackedRef<'_, L>,
    op: &O,
) -> Option<O::Total> {
    let map = Const::<L>::SPEC.map();
    if const { !O::POSITIONS && !is_bounded::<L>() && flat::is_flat(Const::<L>::SPEC.map()) } {
        return Some(flat::reduce(elements(packed)?, map.len(), op));
    }
    if const { !small::is_small::<L>() } {
        return None;
    }
    let mut total = op.total();
    small::reduce::<L, O>(0, elements(packed)?, op, core::slice::from_mut(&mut total));
    Some(total)
}

impl<L: Layout> PackedRef<'_, L> {
    /// The sums over the dimensions `dims`, in row-major order of the other dimensions.
    ///
    /// Floats of up to 32 bits are summed in `f32`, at most 256 one after the other, and these sums in `f64`: before it is
    /// rounded to `f32`, the error of a sum is at most 2⁻¹⁶ times the sum of the magnitudes, however many there are. Integers
    /// are summed in 64 bits, and wrap. For `bool`, the number of true elements is counted.
    ///
    /// ```
    /// use tensor_layout::{Layout, tiled};
    /// type Acts = tiled!(f32[2,3]{1,0:T(8,128)});
    /// let acts = Acts::pack(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]).unwrap();
    /// assert_eq!(acts.sum(&[1]), [6.0, 15.0]);
    /// assert_eq!(acts.sum(&[0]), [5.0, 7.0, 9.0]);
    /// assert_eq!(acts.total(), 21.0);
    /// ```
    ///
    /// All reductions read the elements once, in the order of storage, and need memory for their results.
    ///
    /// # Panics
    /// If a number in `dims` is not a dimension, or occurs twice. If memory for the result cannot be allocated, as collections
    /// do; see [`PackedRef::try_sum`]. The other reductions have such variants too.
    #[track_caller]
    pub fn sum<S>(self, dims: impl Dims) -> Vec<S>
    where
        Host<L>: Summand<Sum = S>,
    {
        or_end(self.try_sum(dims))
    }

    /// [`PackedRef::sum`] that returns an error if memory cannot be allocated.
    ///
    /// # Errors
    /// [`PackError::OutOfMemory`] if memory for the result cannot be allocated.
    ///
    /// # Panics
    /// As for [`PackedRef::sum`], except for a lack of memory.
    #[track_caller]
    pub fn try_sum<S>(self, dims: impl Dims) -> Result<Vec<S>, PackError>
    where
        Host<L>: Summand<Sum = S>,
    {
        any::sum(self, dims)
    }

    /// The sum of all elements; see [`PackedRef::sum`].
    ///
    /// # Panics
    /// If memory for intermediate sums cannot be allocated, as collections do; see [`PackedRef::try_total`].
    pub fn total<S>(self) -> S
    where
        Host<L>: Summand<Sum = S>,
    {
        or_end(self.try_total())
    }

    /// [`PackedRef::total`] that returns an error if memory cannot be allocated.
    ///
    /// # Errors
    /// [`PackError::OutOfMemory`] if memory for intermediate sums cannot be allocated.
    pub fn try_total<S>(self) -> Result<S, PackError>
    where
        Host<L>: Summand<Sum = S>,
    {
        any::total(self)
    }

    /// The means over the dimensions `dims`, in row-major order of the other dimensions: the sum, in `f64`, divided by the
    /// number of elements. Means of no elements are NaN. See [`PackedRef::sum`].
    ///
    /// # Panics
    /// As for [`PackedRef::sum`].
    #[track_caller]
    pub fn mean<S>(self, dims: impl Dims) -> Vec<S>
    where
        Host<L>: Summand<Mean = S>,
    {
        or_end(self.try_mean(dims))
    }

    /// [`PackedRef::mean`] that returns an error if memory cannot be allocated.
    ///
    /// # Errors
    /// [`PackError::OutOfMemory`] if memory for the result cannot be allocated.
    ///
    /// # Panics
    /// As for [`PackedRef::mean`], except for a lack of memory.
    #[track_caller]
    pub fn try_mean<S>(self, dims: impl Dims) -> Result<Vec<S>, PackError>
    where
        Host<L>: Summand<Mean = S>,
    {
        any::mean(self, dims)
    }

    /// The maxima over the dimensions `dims`, in row-major order of the other dimensions. If any element is NaN, the maximum is
    /// NaN; the maximum of no elements is the lowest value of the type.
    ///
    /// ```
    /// use tensor_layout::{Layout, tiled};
    /// type Acts = tiled!(f32[2,3]{1,0:T(8,128)});
    /// let acts = Acts::pack(&[-1.0, -3.0, -2.0, 4.0, 6.0, 6.0]).unwrap();
    /// assert_eq!(acts.max(&[1]), [-1.0, 6.0]);
    /// assert_eq!(acts.argmax(&[1]), [0, 1]);
    /// ```
    ///
    /// # Panics
    /// As for [`PackedRef::sum`].
    #[track_caller]
    pub fn max(self, dims: impl Dims) -> Vec<Host<L>>
    where
        Host<L>: Ordered,
    {
        or_end(self.try_max(dims))
    }

    /// [`PackedRef::max`] that returns an error if memory cannot be allocated.
    ///
    /// # Errors
    /// [`PackError::OutOfMemory`] if memory for the result cannot be allocated.
    ///
    /// # Panics
    /// As for [`PackedRef::max`], except for a lack of memory.
    #[track_caller]
    pub fn try_max(self, dims: impl Dims) -> Result<Vec<Host<L>>, PackError>
    where
        Host<L>: Ordered,
    {
        any::max(self, dims)
    }

    /// The positions of the maxima over the dimensions `dims`, in row-major order of the other dimensions. Each is the first
    /// row-major position of the maximum in `dims`, in ascending order; for one dimension, that is its index. A NaN is greater
    /// than all numbers.
    ///
    /// # Panics
    /// As for [`PackedRef::sum`], or if there are no elements to take a maximum of.
    #[track_caller]
    pub fn argmax(self, dims: impl Dims) -> Vec<usize>
    where
        Host<L>: Ordered,
    {
        or_end(self.try_argmax(dims))
    }

    /// [`PackedRef::argmax`] that returns an error if memory cannot be allocated.
    ///
    /// # Errors
    /// [`PackError::OutOfMemory`] if memory for the result cannot be allocated.
    ///
    /// # Panics
    /// As for [`PackedRef::argmax`], except for a lack of memory.
    #[track_caller]
    pub fn try_argmax(self, dims: impl Dims) -> Result<Vec<usize>, PackError>
    where
        Host<L>: Ordered,
    {
        any::positions::<_, false>(self, dims)
    }

    /// Folds the elements over the dimensions `dims`; the results are in row-major order of the other dimensions.
    ///
    /// `step` adds an element, never padding, to a partial result, and `merge` combines two partial results. Each partial result
    /// begins as `start`, so merging `start` must change nothing. The order is that of storage and not of indices, so neither function
    /// should depend on it; it is the same on every CPU.
    ///
    /// ```
    /// use tensor_layout::{Layout, tiled};
    /// type Acts = tiled!(f32[2,3]{1,0:T(8,128)});
    /// let acts = Acts::pack(&[-1.0, -3.0, -2.0, 4.0, 6.0, 6.0]).unwrap();
    /// let largest = acts.fold(&[1], 0.0, |max, x| f32::max(max, x.abs()), f32::max);
    /// assert_eq!(largest, [3.0, 6.0]);
    /// ```
    ///
    /// # Panics
    /// As for [`PackedRef::sum`].
    #[track_caller]
    pub fn fold<A: Copy>(
        self,
        dims: impl Dims,
        start: A,
        step: impl Fn(A, Host<L>) -> A,
        merge: impl Fn(A, A) -> A,
    ) -> Vec<A> {
        or_end(self.try_fold(dims, start, step, merge))
    }

    /// [`PackedRef::fold`] that returns an error if memory cannot be allocated.
    ///
    /// # Errors
    /// [`PackError::OutOfMemory`] if memory for the result cannot be allocated.
    ///
    /// # Panics
    /// As for [`PackedRef::fold`], except for a lack of memory.
    #[track_caller]
    pub fn try_fold<A: Copy>(
        self,
        dims: impl Dims,
        start: A,
        step: impl Fn(A, Host<L>) -> A,
        merge: impl Fn(A, A) -> A,
    ) -> Result<Vec<A>, PackError> {
        any::fold(self, dims, start, step, merge)
    }
}

impl<L: Layout> Packed<L> {
    forward! {
        #[track_caller]
        PackedRef::sum[S](dims: impl Dims) -> Vec<S> where [Host<L>: Summand<Sum = S>]; // x.sum(1); of all elements, x.total()
        #[track_caller]
        PackedRef::try_sum[S](dims: impl Dims) -> Result<Vec<S>, PackError>
            where [Host<L>: Summand<Sum = S>];
        PackedRef::total[S]() -> S where [Host<L>: Summand<Sum = S>];
        PackedRef::try_total[S]() -> Result<S, PackError> where [Host<L>: Summand<Sum = S>];
        #[track_caller]
        PackedRef::mean[S](dims: impl Dims) -> Vec<S> where [Host<L>: Summand<Mean = S>]; // x.mean(1)
        #[track_caller]
        PackedRef::try_mean[S](dims: impl Dims) -> Result<Vec<S>, PackError>
            where [Host<L>: Summand<Mean = S>];
        #[track_caller]
        PackedRef::max(dims: impl Dims) -> Vec<Host<L>> where [Host<L>: Ordered]; // x.max(1); of all elements, x.max(&[0, 1])[0]
        #[track_caller]
        PackedRef::try_max(dims: impl Dims) -> Result<Vec<Host<L>>, PackError> where [Host<L>: Ordered];
        #[track_caller]
        PackedRef::argmax(dims: impl Dims) -> Vec<usize> where [Host<L>: Ordered]; // x.argmax(1)
        #[track_caller]
        PackedRef::try_argmax(dims: impl Dims) -> Result<Vec<usize>, PackError> where [Host<L>: Ordered];
        #[track_caller]
        PackedRef::fold[A: Copy](
            dims: impl Dims, start: A, step: impl Fn(A, Host<L>) -> A, merge: impl Fn(A, A) -> A
        ) -> Vec<A>;
        #[track_caller]
        PackedRef::try_fold[A: Copy](
            dims: impl Dims, start: A, step: impl Fn(A, Host<L>) -> A, merge: impl Fn(A, A) -> A
        ) -> Result<Vec<A>, PackError>;
    }
}
