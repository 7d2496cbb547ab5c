//! Sparse kernels from index notation: a statement about tensors, whatever their encodings, becomes loops over their
//! storage.
//!
//! ```text
//! text -> [syntax] -> Statement -> [search: Plan -> [lower] -> Kernel -> cost] -> Kernel -> run, or Rust
//! ```
//!
//! What a statement can say is told where it is written most: at the macro `sparse_kernel!` of the crate `tensor_layout`. The
//! same text is compiled at run time by [`SparseKernel`], which then interprets the loops.
//!
//! ```
//! use layout_core::sparsify::SparseKernel;
//! let csr = "(i, j) -> (i : dense, j : compressed)".parse().unwrap();
//! let add = "fn add(a: Csr<f64>[i, j], b: Csr<f64>[i, j]) -> c: Csr<f64>[i, j] { c[i, j] = a[i, j] + 2 * b[i, j] }";
//! let add = SparseKernel::parse(add, &[("Csr", csr)]).unwrap();
//! assert_eq!(add.kernel().cost, "i + nnz(a) + nnz(b)");
//! ```

mod cost;
mod dense;
mod describe;
mod element;
mod error;
pub mod ir;
mod literal;
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
pub use element::ElementType;
pub use error::KernelError;
pub use ir::Kernel;
pub use literal::Literal;
pub use number::*;
pub use problem::{Place, Problem};
pub use run::{DynFunction, DynOperand, Evaluate, RunError, SparseKernel};
pub use search::compile;
pub(crate) use simplify::literal;
