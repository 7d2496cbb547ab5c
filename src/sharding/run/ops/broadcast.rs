//! Arrays whose elements are repeated along other dimensions.

use super::ElementOf;
use super::bounds::Reduced;
use super::checked::{Of, call, check};
use super::deferred::HostOf;
use super::numbers::DimNumbers;
use crate::compute::require_ascending;
use crate::sharding::run::{RunError, Sharded};
use crate::sharding::typed::{OnMesh, ShardedLayout};
use crate::typed::entry::Const;
use crate::typed::{Layout, Packed};
use alloc::vec::Vec;
use layout_core::sharding::shaped::ShapedOp;

/// The dimensions in `to` of a layout that do not become larger.
fn kept<V: Layout, Y: Layout>(to: &[usize]) -> Vec<usize> {
    let sizes = Const::<V>::SPEC.dims().iter().zip(to);
    sizes.filter(|(size, to)| **size == Const::<Y>::SPEC.dims()[**to]).map(|(_, to)| *to).collect()
}

impl<L: ShardedLayout> Sharded<L> {
    /// The array as an array of type `Y`: its dimension `i` becomes dimension `D::LIST[i]`, and its elements are repeated along the
    /// others, as in StableHLO's `broadcast_in_dim`. A dimension of size 1 may become larger. The new dimensions can be split in
    /// any way: each device creates its part.
    ///
    /// ```
    /// # #[cfg(feature = "std")] {
    /// use tensor_layout::sharding::run::{Sharded, ops::Dims1, threads};
    /// use tensor_layout::{mesh, sharded};
    ///
    /// mesh! { Pod = ["data" = 2, "model" = 2] }
    /// type Bias = sharded!(f32[6] @ Pod [{"model"}]);
    /// type Rows = sharded!(f32[4,6] @ Pod [{"data"}, {"model"}]);
    ///
    /// let rows = threads::run(4, |_| {
    ///     let bias = Sharded::<Bias>::filled(0.5)?;
    ///     Ok::<_, tensor_layout::sharding::run::RunError>(bias.broadcast_in_dim::<Dims1<1>, Rows>()?.local().unpack())
    /// });
    /// assert_eq!(rows[3], Ok(vec![0.5; 2 * 3]));
    /// # }
    /// ```
    ///
    /// Does not compile if the dimensions are not in ascending order, do not have the sizes of those that they become, or are
    /// split differently.
    ///
    /// # Errors
    /// If memory cannot be allocated.
    pub fn broadcast_in_dim<D: DimNumbers, Y>(&self) -> Result<Sharded<Y>, RunError>
    where
        Y: OnMesh<L::Mesh> + ShardedLayout<Global: Layout<Element = ElementOf<L>>>,
    {
        const {
            require_ascending(D::LIST);
            check::<Y>(call::<L>("broadcast_in_dim", ShapedOp::Broadcast(D::LIST), Of::<L>::ALONE));
        };
        let mut local = Packed::<Y::Local>::zeroed()?;
        let (dims, values) = (kept::<L::Local, Y::Local>(D::LIST), self.local().unpack());
        local.try_zip_broadcast_in_place(&dims, &values, |_, value| value)?;
        Ok(Sharded::new(local))
    }

    /// A new array of `f` of each element and of its value in `values`, whose dimension `i` is dimension `D::LIST[i]` of this
    /// array: `Dims1<1>` adds a row to a matrix, `Dims1<0>` a column. See
    /// [`PackedRef::zip_broadcast`](crate::PackedRef::zip_broadcast).
    ///
    /// Does not compile if one of the arrays is unreduced, or if a dimension of `values` is not split like that of this array.
    ///
    /// # Errors
    /// If memory cannot be allocated.
    pub fn zip_broadcast<D: DimNumbers, V>(
        &self,
        values: &Sharded<V>,
        f: impl FnMut(HostOf<L>, HostOf<V>) -> HostOf<L>,
    ) -> Result<Self, RunError>
    where
        V: OnMesh<L::Mesh> + ShardedLayout<Unreduced: Reduced>,
        L::Unreduced: Reduced,
    {
        const {
            require_ascending(D::LIST);
            check::<L>(call::<L>("zip_broadcast", ShapedOp::Each, Of::<L>::ALONE));
            check::<L>(call::<V>("zip_broadcast", ShapedOp::Broadcast(D::LIST), Of::<V>::ALONE));
        };
        let (dims, values) = (kept::<V::Local, L::Local>(D::LIST), values.local().unpack());
        Ok(Self::new(self.local().as_ref().try_zip_broadcast(&dims, &values, f)?))
    }
}
