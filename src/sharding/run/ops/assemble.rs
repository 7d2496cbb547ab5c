//! Parts of arrays, and arrays from parts.

use super::checked::{Both, Of, call, check};
use super::deferred::Local;
use crate::sharding::run::{RunError, Sharded};
use crate::sharding::typed::{OnMesh, ShardedLayout};
use crate::typed::Layout;
use layout_core::sharding::shaped::ShapedOp;

/// The index type of the local arrays.
type IndexOf<L> = <Local<L> as Layout>::Index;

impl<L: ShardedLayout> Sharded<L> {
    /// The part of the array that starts at the index `first` and has the size of `Y`. Parts of sums stay parts.
    ///
    /// Does not compile if a dimension that becomes smaller is split, or unless `Y` is split like this array.
    ///
    /// # Errors
    /// If the part is not within the array, or if memory cannot be allocated.
    pub fn slice<Y>(&self, first: IndexOf<L>) -> Result<Sharded<Y>, RunError>
    where
        Y: OnMesh<L::Mesh>,
        Y::Local: Layout<
                Element = <Local<L> as Layout>::Element,
                Rank = <Local<L> as Layout>::Rank,
                Index = IndexOf<L>,
            >,
    {
        const { check::<Y>(call::<L>("slice", ShapedOp::Slice, Of::<L>::ALONE)) };
        Ok(Sharded::new(self.local().as_ref().try_slice(first)?))
    }

    /// This array and `other`, one after the other along dimension `DIM`. Parts of sums stay parts if both are.
    ///
    /// Does not compile if dimension `DIM` is split, or unless `Y` has the sizes of the result and is split like both arrays.
    ///
    /// # Errors
    /// If memory cannot be allocated.
    pub fn concatenate<const DIM: usize, M, Y>(
        &self,
        other: &Sharded<M>,
    ) -> Result<Sharded<Y>, RunError>
    where
        M: OnMesh<L::Mesh>,
        M::Local: Layout<
                Element = <Local<L> as Layout>::Element,
                Rank = <Local<L> as Layout>::Rank,
                Index = IndexOf<L>,
            >,
        Y: OnMesh<L::Mesh>,
        Y::Local: Layout<
                Element = <Local<L> as Layout>::Element,
                Rank = <Local<L> as Layout>::Rank,
                Index = IndexOf<L>,
            >,
    {
        const {
            check::<Y>(call::<L>("concatenate", ShapedOp::Concatenate(DIM), Both::<L, M>::TENSORS));
        }
        let (left, right) = (self.local().as_ref(), other.local().as_ref());
        Ok(Sharded::new(left.try_concatenate::<DIM, _, _>(right)?))
    }
}
