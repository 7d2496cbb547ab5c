//! Shardings as in Shardy: meshes of devices, how tensors are split over them, and how shardings propagate from
//! operation to operation.
//!
//! A [`Mesh`] names the axes along which devices are arranged. A [`TensorSharding`] lists, for each dimension of a tensor, the
//! axes that split it, major to minor. An [`OpShardingRule`] says which dimensions of the operands and results of an operation
//! correspond to each other: each dimension consists of factors, and a factor is sharded in the same way in all tensors that
//! have it. [`propagation`] finds the shardings of a whole graph from those that its author wrote.
//!
//! All three read and print Shardy's own text. Text that Shardy's verifier rejects is an error here, and so is meaningless text
//! that the verifier accepts.

pub(crate) mod axis;
pub(crate) mod check;
mod constant;
pub mod draw;
mod hlo;
mod lists;
mod local;
mod mesh;
pub mod ops;
mod problem;
pub mod program;
pub mod propagation;
pub mod reshard;
mod rule;
pub mod shaped;
#[cfg(feature = "sparse")]
mod sparse;
pub mod syntax;
mod tensor;

#[doc(hidden)]
pub use axis::Axis;
pub use axis::{AxisRef, SubAxis};
pub use check::Padding;
pub use hlo::HloSharding;
pub use local::{MAX_LISTED, Shards};
pub use mesh::{MAX_AXES, MAX_DEVICES, Mesh, MeshAxis};
pub use problem::{Location, Problem, ShardingError};
pub use rule::{FactorKind, OpShardingRule, RuleBuilder, TensorMapping, symbol};
#[cfg(feature = "sparse")]
pub use sparse::CutBlock;
pub use tensor::{DimSharding, MeshRef, ReductionOp, TensorSharding};
