#![doc = layout_macros::__readme!()]

extern crate self as tensor_layout;

// Cargo compiles anew when the text above changes.
const _: &str = include_str!("../README.md");

#[doc(inline)]
pub use layout_core::*;
#[doc(inline)]
pub use layout_macros::{
    layouts, layouts_index, layouts_listing, mesh, propagate, sharded, sharding_rule,
    sparse_encoding, sparse_kernel, tiled, tpu,
};

/// What the macros name. Not for use by hand: it may change in any release.
#[doc(hidden)]
pub mod __private {
    pub use layout_core::sharding::shard_size;
    pub use layout_core::tiled::{TpuDefault, checked_size};
    pub use layout_macros::{
        __layouts_on as layouts_on, __propagate_on as propagate_on, __sharded_on as sharded_on,
        __sparse_kernel_on as sparse_kernel_on,
    };

    /// What kernels call.
    pub use layout_core::sparsify::runtime as sparse;

    /// The rule that `sharding_rule!` has checked.
    pub fn rule(text: &str) -> layout_core::sharding::OpShardingRule {
        text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
    }
}
