//! The model, the types and the kernels of [tensor-layout](https://docs.rs/tensor-layout): use that crate.
#![cfg_attr(not(feature = "std"), no_std)]
#![deny(unsafe_code)]

#[cfg(target_endian = "big")]
compile_error!(
    "packed arrays are little-endian, as the accelerators that read them; big-endian hosts are not supported"
);

extern crate alloc;

pub mod draw;
pub mod dtype;
pub mod index_map;
pub mod kernel;
pub mod layout;
mod prefetch;
mod require;
mod same;
pub mod sharding;
pub mod sparse;
pub mod sparsify;
pub mod syntax;
pub mod text;
pub mod tiled;
mod unrolled;

pub use dtype::*;
pub use kernel::{
    MatmulElement, Operand, OperandMut, PackError, Packed, PackedMut, PackedRef, Plan, matmul,
    matmul_into,
};
pub use layout::{Host, Layout};
pub use same::{assert_same_bytes, same_bytes};
#[doc(no_inline)]
pub use sharding::{Mesh, OpShardingRule, ShardedLayout, TensorSharding};
#[doc(no_inline)]
pub use sparse::{Encoding, SparseEncoding, SparseTensor};
pub use syntax::ParseError;
pub use tiled::{Shape, Tiled, TiledSpec, types};
#[doc(no_inline)]
pub use {half, microfloat, num_complex, typenum};
