#![doc = include_str!("../README.md")]

extern crate self as tensor_layout;

#[doc(inline)]
pub use layout_core::*;
#[doc(inline)]
pub use layout_macros::{sparse_encoding, tiled, tpu};

/// What the macros name. Not for use by hand: it may change in any release.
#[doc(hidden)]
pub mod __private {
    pub use layout_core::tiled::{TpuDefault, checked_size};
}
