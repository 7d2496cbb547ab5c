//! Shardy's shardings: meshes of devices, how a tensor is split over them, and how that follows from operation to
//! operation.
//!
//! A [`Mesh`] names the axes along which devices are laid out. A [`TensorSharding`] says, for each dimension of a
//! tensor, the axes that it is split along, major to minor. An [`OpShardingRule`] says which dimensions of the operands
//! and results of an operation belong together: each is made of factors, and a factor is sharded alike wherever it is.
//! [`propagation`] finds the shardings of a whole graph from the few that its author wrote.
//!
//! All three are read from and printed as Shardy's own text. What its verifier rejects is an error here; so is what
//! it takes but cannot mean anything.

pub(crate) mod axis;
pub(crate) mod check;
pub mod draw;
mod hlo;
mod local;
mod mesh;
pub mod ops;
mod problem;
pub mod program;
pub mod propagation;
pub mod reshard;
mod rule;
pub mod syntax;
mod tensor;

#[doc(hidden)]
pub use axis::Axis;
pub use axis::{AxisRef, SubAxis};
pub use check::Padding;
pub use hlo::HloSharding;
pub use local::{MAX_LISTED, Shards};
pub use mesh::{MAX_AXES, MAX_DEVICES, Mesh, MeshAxis};
/// The name of [`ops`] when it had rules alone.
#[doc(hidden)]
pub use ops as registry;
pub use problem::{Place, Problem, ShardingError};
pub use rule::{FactorKind, OpShardingRule, RuleBuilder, TensorMapping, symbol};
pub use tensor::{DimSharding, MeshRef, TensorSharding};
