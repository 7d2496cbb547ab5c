//! What the notations of [tensor-layout](https://docs.rs/tensor-layout) mean: the model, its grammars, its pictures and
//! its compilers. Use that crate; this one is built once for its macros and once for the programs that use it.
#![cfg_attr(not(test), no_std)]
#![forbid(unsafe_code)]

extern crate alloc;

pub mod draw;
pub mod dtype;
pub mod einsum;
mod list;
pub mod parts;
#[cfg(feature = "serde")]
mod serde;
pub mod sharding;
pub mod sparse;
pub mod sparse_kernel;
pub mod syntax;
pub mod text;
pub mod tiled;

pub use dtype::{DType, Kind, PaddingValue};
pub use sharding::{Mesh, OpShardingRule, TensorSharding};
pub use sparse::SparseEncoding;
pub use syntax::ParseError;
pub use tiled::{Shape, TiledSpec};
