//! Sparse kernels from index notation: a statement about tensors, whatever their encodings, becomes loops over their
//! storage.
//!
//! ```text
//! text -> [syntax] -> Statement -> [check] -> [schedule] -> Plan -> [lower] -> Kernel (the loops) -> run, or Rust
//! ```

mod dense;
mod error;
pub mod ir;
mod number;
mod op;
mod print;
#[doc(hidden)]
pub mod runtime;

pub use dense::{Dense, DenseMut, DenseRef};
pub use error::KernelError;
pub use ir::Kernel;
pub use number::{Number, Ordered};
#[cfg(feature = "std")]
pub use number::Real;
