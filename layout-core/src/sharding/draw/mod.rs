//! Pictures of sharded arrays and sharding rules.

mod explain;
mod explore;
mod rule;
mod sharded;
#[cfg(feature = "sparse")]
mod sparse;

pub use sharded::Sharded;
#[cfg(feature = "sparse")]
pub use sparse::ShardedSparseSpec;
