//! Shardings as in Shardy: meshes of devices, how tensors are split over them, and how shardings propagate from operation to
//! operation.
//!
//! A [`Mesh`] names the axes along which devices are arranged. A [`TensorSharding`] lists, for each dimension of a tensor, the axes
//! that split it, major to minor. An [`OpShardingRule`] states which dimensions of the operands and results of an operation
//! correspond to each other: each dimension consists of factors, and a factor is sharded in the same way in all tensors that have
//! it. [`propagation`] finds the shardings of a whole graph from those that its author wrote.
//!
//! All three read and print Shardy's own text. Text that Shardy's verifier rejects is an error here, and so is text that it
//! accepts although it is meaningless.
#![deny(unsafe_code)]

mod local_shape;
pub mod run;
#[cfg(feature = "sparse")]
mod sparse;
mod typed;
mod value;

#[cfg(feature = "sparse")]
#[doc(inline)]
pub use layout_core::sharding::CutBlock;
#[doc(inline)]
pub use layout_core::sharding::{
    AxisRef, DimSharding, FactorKind, HloSharding, Location, MAX_AXES, MAX_DEVICES, MAX_LISTED,
    Mesh, MeshAxis, MeshRef, OpShardingRule, Padding, Problem, ReductionOp, RuleBuilder,
    ShardingError, Shards, SubAxis, TensorMapping, TensorSharding, ops, program, propagation,
    reshard, symbol,
};
#[cfg(feature = "sparse")]
pub use sparse::{GlobalOf, LocalOf, ShardedSparse, ShardedSparseLayout};
pub use typed::{MeshType, OnMesh, ShardedArray, ShardedLayout, types};
// Only their meaning as values: as types, the names are those of the lines above.
#[doc(hidden)]
pub use value::*;

/// The items that the macros of shardings name.
#[doc(hidden)]
pub mod __private {
    #[cfg(feature = "sparse")]
    pub use super::sparse::sparse_shard_size;
    pub use super::typed::shard_size;
    pub use layout_macros::{
        __layouts_on as layouts_on, __propagate_on as propagate_on, __sharded_on as sharded_on,
    };

    #[cfg(feature = "std")]
    pub use super::run::program::Prepared;

    /// In a module of `propagate!`, the type for a mesh that only the code around the module can name.
    pub trait StandsFor {
        /// The mesh.
        type Mesh;
    }

    /// The rule that `sharding_rule!` has checked.
    pub fn rule(text: &str) -> super::OpShardingRule {
        text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
    }
}
