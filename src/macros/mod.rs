//! The macros. Each calls the procedural macro of the same name and passes it the path of this crate, `$crate`, so that the
//! crate may be renamed or re-exported.

mod checkpoint;
mod einsum;
mod features;
mod layouts;
mod propagate;
mod quantized;
mod sharding;
mod sparse;
mod sparse_kernel;
mod tiled;
