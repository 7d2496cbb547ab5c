//! What the notations of [tensor-layout](https://docs.rs/tensor-layout) mean: the model, its grammars, its pictures and
//! its compilers. Use that crate instead: this one is built once for its macros and once for the programs that use it, and may
//! change in any release.
#![warn(clippy::missing_errors_doc, clippy::missing_panics_doc, clippy::missing_safety_doc)]
#![cfg_attr(not(test), no_std)]
#![forbid(unsafe_code)]

extern crate alloc;

// Shared by all notations, and compiled completely whichever features are on.
#[cfg_attr(not(all(feature = "sparse", feature = "sharding")), allow(dead_code))]
pub mod draw;
pub mod dtype;
pub mod einsum;
mod list;
mod no_such_method;
pub mod offers;
pub mod parts;
pub mod quantized;
#[cfg(feature = "serde")]
mod serde;
#[cfg(feature = "sharding")]
pub mod sharding;
#[cfg(feature = "sparse")]
pub mod sparse;
#[cfg(feature = "sparse")]
pub mod sparse_kernel;
#[cfg_attr(not(all(feature = "sparse", feature = "sharding")), allow(dead_code, unused_imports))]
pub mod syntax;
pub mod text;
pub mod tiled;

pub use dtype::{DType, Kind, PaddingValue};
#[cfg(feature = "sharding")]
pub use sharding::{Mesh, OpShardingRule, TensorSharding};
#[cfg(feature = "sparse")]
pub use sparse::SparseEncoding;
pub use syntax::ParseError;
pub use tiled::{Shape, TiledSpec};
