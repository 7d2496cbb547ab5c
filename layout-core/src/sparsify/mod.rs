//! Sparse kernels from index notation: a statement about tensors, whatever their encodings, becomes loops over their
//! storage.
//!
//! ```text
//! text -> [syntax] -> Statement -> [check] -> [schedule] -> Plan -> [lower] -> Kernel (the loops) -> run, or Rust
//! ```

mod cost;
mod dense;
mod describe;
mod error;
pub mod ir;
mod lower;
mod number;
mod op;
mod plan;
mod print;
mod problem;
mod run;
#[doc(hidden)]
pub mod runtime;
mod search;
mod simplify;
mod sizes;
pub mod statement;
mod view;

pub use dense::{Dense, DenseMut, DenseRef};
pub use error::KernelError;
pub use ir::Kernel;
pub use number::*;
pub use problem::{Place, Problem};
pub use run::{DynFunction, DynOperand, Evaluate, RunError, SparseKernel};
pub use search::compile;
pub(crate) use simplify::literal;
