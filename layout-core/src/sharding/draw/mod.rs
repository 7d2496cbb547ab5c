//! What a sharded array and a sharding rule look like.

mod rule;
mod sharded;

pub use sharded::Sharded;
