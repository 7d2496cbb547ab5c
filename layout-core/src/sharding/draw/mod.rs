//! Pictures of sharded arrays and sharding rules.

mod rule;
mod sharded;

pub use sharded::Sharded;
