//! Numbers and pictures of layouts, for the documentation, the terminal and programs.

mod listing;

pub use layout_core::draw::*;
#[cfg(feature = "sharding")]
pub use layout_core::sharding::draw::Sharded;
#[cfg(all(feature = "sparse", feature = "sharding"))]
pub use layout_core::sharding::draw::ShardedSparseSpec;
pub use layout_core::tiled::draw::{Formula, Named, Steps};
pub use listing::Listing;
