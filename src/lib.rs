//! The layout of a tensor as a type.

pub use layout_core::*;
