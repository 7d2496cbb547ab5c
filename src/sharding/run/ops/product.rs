//! Products of tensors.

use super::ElementOf;
use super::bounds::{MatmulAxes, Multiplied};
use super::checked::{Both, call};
use super::deferred::{Call, Compute, Deferred, Local, sealed};
use super::numbers::{DotOf, Matrices};
use crate::compute::{DotDimensionNumbers, MatmulElement, RoundedFrom, dot_general_into};
use crate::sharding::run::{RunError, Sharded};
use crate::sharding::typed::{OnMesh, ShardedLayout};
use crate::typed::{Layout, Packed};
use core::marker::PhantomData;
use layout_core::sharding::shaped::{ShapedCall, ShapedOp};
use layout_core::tiled::TiledSpec;

/// A product of shards, in a [`Deferred`]; see [`Sharded::matmul`] and [`Sharded::dot_general`].
pub struct Product<'a, L: ShardedLayout, R: ShardedLayout, N> {
    left: &'a Packed<L::Local>,
    right: &'a Packed<R::Local>,
    numbers: PhantomData<fn() -> N>,
}

impl<L: ShardedLayout, R: ShardedLayout, N> sealed::Sealed for Product<'_, L, R, N> {}

impl<L, R, N: DotOf> Call for Product<'_, L, R, N>
where
    L: ShardedLayout,
    R: ShardedLayout,
{
    type Mesh = L::Mesh;
    type Made = N::Made;
    const CALL: ShapedCall<'static> =
        call::<L>("dot_general", ShapedOp::Dot(N::NUMBERS), Both::<L, R>::TENSORS);
}

#[diagnostic::do_not_recommend]
impl<L, R, N: DotOf, C> Compute<C> for Product<'_, L, R, N>
where
    L: ShardedLayout,
    R: ShardedLayout,
    ElementOf<L>: MatmulElement<ElementOf<R>>,
    C: RoundedFrom<<ElementOf<L> as MatmulElement<ElementOf<R>>>::Sum>,
{
    fn write(&self, spec: &TiledSpec, bytes: &mut [u8]) -> Result<(), RunError> {
        let numbers = DotDimensionNumbers {
            lhs_batching_dimensions: N::NUMBERS.lhs_batch,
            rhs_batching_dimensions: N::NUMBERS.rhs_batch,
            lhs_contracting_dimensions: N::NUMBERS.lhs_contracting,
            rhs_contracting_dimensions: N::NUMBERS.rhs_contracting,
        };
        Ok(dot_general_into(self.left, self.right, &numbers, spec, bytes)?)
    }
}

impl<L: ShardedLayout> Sharded<L> {
    /// The product of two matrices, of two batches of matrices, or of a batch and a matrix. The last dimension of this array is
    /// summed over; if it is split, the corresponding dimension of `other` must be split in the same way, and each device has a
    /// part of each sum. See [the module](super) for an example.
    ///
    /// Does not compile if the two dimensions are split differently, or if the result cannot be split as its type says.
    pub fn matmul<'a, R: OnMesh<L::Mesh>>(
        &'a self,
        other: &'a Sharded<R>,
    ) -> Deferred<Product<'a, L, R, Matrices<L, R>>>
    where
        L::Axes: MatmulAxes<R::Axes> + Multiplied<R::Axes>,
        Local<L>: Layout<Element: MatmulElement<ElementOf<R>>>,
    {
        self.product(other)
    }

    /// The product of two arrays by the numbers of their dimensions, [`DotDims`](super::DotDims), as in StableHLO. The
    /// dimensions of the result are those of the batch, then the other dimensions of the left operand, then those of the right
    /// operand.
    ///
    /// ```
    /// # #[cfg(feature = "std")] {
    /// use tensor_layout::sharding::run::ops::{Dims1, DotDims};
    /// use tensor_layout::sharding::run::{RunError, Sharded, threads};
    /// use tensor_layout::{mesh, sharded};
    ///
    /// mesh! { Pod = ["data" = 2, "model" = 4] }
    /// type Q = sharded!(f32[4,6,8] @ Pod [{"model"}, {"data"}, {}]);       // heads, queries, features
    /// type K = sharded!(f32[4,10,8] @ Pod [{"model"}, {}, {}]);
    /// type Scores = sharded!(f32[4,6,10] @ Pod [{"model"}, {"data"}, {}]);
    /// type QueriesByKeys = DotDims<Dims1<0>, Dims1<0>, Dims1<2>, Dims1<2>>;
    ///
    /// let scores = threads::run(8, |_| -> Result<Vec<f32>, RunError> {
    ///     let (q, k) = (Sharded::<Q>::filled(2.0)?, Sharded::<K>::filled(1.0)?);
    ///     let scores: Sharded<Scores> = q.dot_general::<QueriesByKeys, _>(&k).local()?;
    ///     Ok(scores.softmax::<2>()?.local().unpack())                       // each device has whole rows
    /// });
    /// assert_eq!(scores[7].as_ref().unwrap().len(), 3 * 10);
    /// # }
    /// ```
    ///
    /// Does not compile if corresponding dimensions differ in size or are split differently, or if the result cannot be split as
    /// its type says.
    pub fn dot_general<'a, N: DotOf, R: OnMesh<L::Mesh>>(
        &'a self,
        other: &'a Sharded<R>,
    ) -> Deferred<Product<'a, L, R, N>>
    where
        Local<L>: Layout<Element: MatmulElement<ElementOf<R>>>,
    {
        self.product(other)
    }

    fn product<'a, N, R: ShardedLayout>(
        &'a self,
        other: &'a Sharded<R>,
    ) -> Deferred<Product<'a, L, R, N>> {
        Deferred(Product { left: self.local(), right: other.local(), numbers: PhantomData })
    }
}
