//! Sums, maxima and minima over dimensions.

use super::ElementOf;
use super::checked::{Of, call};
use super::deferred::{Call, Compute, Deferred, HostOf, sealed};
use super::numbers::DimNumbers;
use crate::compute::{Ordered, Summand};
use crate::element::Element;
use crate::movement::{DynLayout, PackError};
use crate::sharding::run::{RunError, Sharded};
use crate::sharding::typed::ShardedLayout;
use crate::typed::Packed;
use core::marker::PhantomData;
use layout_core::sharding::ReductionOp;
use layout_core::sharding::shaped::{ShapedCall, ShapedOp};
use layout_core::tiled::TiledSpec;

/// The parameter of [`Reduction`] for sums.
#[derive(Clone, Copy, Debug)]
pub struct Total;
/// The parameter of [`Reduction`] for maxima.
#[derive(Clone, Copy, Debug)]
pub struct Largest;
/// The parameter of [`Reduction`] for minima.
#[derive(Clone, Copy, Debug)]
pub struct Smallest;

/// How elements are combined.
pub trait Combining: 'static {
    const REDUCTION: ReductionOp;
}

impl Combining for Total {
    const REDUCTION: ReductionOp = ReductionOp::Sum;
}
impl Combining for Largest {
    const REDUCTION: ReductionOp = ReductionOp::Max;
}
impl Combining for Smallest {
    const REDUCTION: ReductionOp = ReductionOp::Min;
}

/// A reduction of shards over the dimensions `D`, in a [`Deferred`]; see [`Sharded::sum`], [`Sharded::max`] and
/// [`Sharded::min`].
pub struct Reduction<'a, L: ShardedLayout, D, C> {
    array: &'a Packed<L::Local>,
    how: PhantomData<fn() -> (D, C)>,
}

impl<L: ShardedLayout, D, C> sealed::Sealed for Reduction<'_, L, D, C> {}

impl<L: ShardedLayout, D: DimNumbers, C: Combining> Call for Reduction<'_, L, D, C> {
    type Mesh = L::Mesh;
    type Made = super::Unknown;
    const CALL: ShapedCall<'static> = ShapedCall {
        reduction: C::REDUCTION,
        ..call::<L>("reduce", ShapedOp::Reduce(D::LIST), Of::<L>::ALONE)
    };
}

/// Writes row-major values as a packed array.
fn write<E: Element>(
    values: Result<alloc::vec::Vec<E::Host>, PackError>,
    spec: &TiledSpec,
    bytes: &mut [u8],
) -> Result<(), RunError> {
    bytes.copy_from_slice(&spec.pack::<E>(&values?)?);
    Ok(())
}

#[diagnostic::do_not_recommend]
impl<L, D, E> Compute<E> for Reduction<'_, L, D, Total>
where
    L: ShardedLayout,
    D: DimNumbers,
    HostOf<L>: Summand,
    E: Element<Host = <HostOf<L> as Summand>::Sum>,
{
    fn write(&self, spec: &TiledSpec, bytes: &mut [u8]) -> Result<(), RunError> {
        write::<E>(self.array.as_ref().try_sum(D::LIST), spec, bytes)
    }
}

#[diagnostic::do_not_recommend]
impl<L, D> Compute<ElementOf<L>> for Reduction<'_, L, D, Largest>
where
    L: ShardedLayout,
    D: DimNumbers,
    HostOf<L>: Ordered,
{
    fn write(&self, spec: &TiledSpec, bytes: &mut [u8]) -> Result<(), RunError> {
        write::<ElementOf<L>>(self.array.as_ref().try_max(D::LIST), spec, bytes)
    }
}

#[diagnostic::do_not_recommend]
impl<L, D> Compute<ElementOf<L>> for Reduction<'_, L, D, Smallest>
where
    L: ShardedLayout,
    D: DimNumbers,
    HostOf<L>: Ordered,
{
    fn write(&self, spec: &TiledSpec, bytes: &mut [u8]) -> Result<(), RunError> {
        write::<ElementOf<L>>(self.array.as_ref().try_min(D::LIST), spec, bytes)
    }
}

impl<L: ShardedLayout> Sharded<L> {
    fn reduced<D, C>(&self) -> Deferred<Reduction<'_, L, D, C>> {
        Deferred(Reduction { array: self.local(), how: PhantomData })
    }

    /// The sums over the dimensions `D`. Sums of floats of up to 32 bits are `f32`, those of integers have 64 bits. If a
    /// dimension is split, each device has a part of each sum.
    ///
    /// ```
    /// # #[cfg(feature = "std")] {
    /// use tensor_layout::sharding::run::ops::Dims1;
    /// use tensor_layout::sharding::run::{RunError, Sharded, threads};
    /// use tensor_layout::{mesh, sharded};
    ///
    /// mesh! { Pod = ["x" = 4] }
    /// type X = sharded!(f32[2,8] @ Pod [{}, {"x"}]);
    /// type Parts = sharded!(f32[2] @ Pod [{}], unreduced={"x"});
    /// type Sums = sharded!(f32[2] @ Pod [{}]);
    ///
    /// let sums = threads::run(4, |transport| -> Result<_, RunError> {
    ///     let x = Sharded::<X>::filled(1.5)?;
    ///     let parts: Sharded<Parts> = x.sum::<Dims1<1>>().local()?;
    ///     let sums: Sharded<Sums> = x.sum::<Dims1<1>>().on(transport)?;
    ///     Ok((parts.local().unpack(), sums.local().unpack()))
    /// });
    /// assert!(sums.iter().all(|sums| *sums == Ok((vec![3.0; 2], vec![12.0; 2]))));
    /// # }
    /// ```
    pub fn sum<D: DimNumbers /* x.sum::<Dims1<1>>() */>(
        &self,
    ) -> Deferred<Reduction<'_, L, D, Total>> {
        self.reduced()
    }

    /// The maxima over the dimensions `D`; NaN if any element is NaN. If a dimension is split, each device has the maximum of
    /// its part, `unreduced=max{..}`.
    pub fn max<D: DimNumbers /* x.max::<Dims1<1>>() */>(
        &self,
    ) -> Deferred<Reduction<'_, L, D, Largest>> {
        self.reduced()
    }

    /// The minima over the dimensions `D`; NaN if any element is NaN. If a dimension is split, each device has the minimum of
    /// its part, `unreduced=min{..}`.
    pub fn min<D: DimNumbers /* x.min::<Dims1<1>>() */>(
        &self,
    ) -> Deferred<Reduction<'_, L, D, Smallest>> {
        self.reduced()
    }
}
