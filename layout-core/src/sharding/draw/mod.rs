//! Pictures of sharded arrays and sharding rules.

mod explain;
mod rule;
mod sharded;
mod sparse;

pub use sharded::Sharded;
pub use sparse::ShardedSparseSpec;
