//! Sparse kernels from index notation: a statement about tensors, whatever their encodings, becomes loops over their
//! storage.
//!
//! ```text
//! text -> [syntax] -> Statement -> [search: Plan -> [lower] -> Kernel -> cost] -> Kernel -> run, or Rust
//! ```
//!
//! A statement says what holds for all values of its indices: `y[i] += a[i, j] * x[j]` is a sum over `j`, since the output
//! has no `j`; `=` means the same. With `max=`, `min=`, `*=` and `reduce(function, identity, ..)` something else than a sum
//! is meant, of what is stored alone. An identity is a number, a constant, or a function without arguments.
//!
//! - What is not stored is zero, and zero times anything is zero, infinity included. So a product visits what both of its
//!   factors store, a sum what either stores, and what is not zero at zero, such as `exp(a[i])`, everything. Zeros that
//!   arise are stored; zeros that an encoding stores for itself, as blocks do, count as stored.
//! - Subscripts are sums such as `2 * i + k - 1`. Outside of an operand there is nothing, so that this filters, shifts,
//!   joins and folds.
//! - An index is as large as the dimensions that have its name; else as large as its subscripts allow, or as `size(i, 4)`
//!   says.
//! - `binary(a[i], b[i], both = f, left = identity, right = g)` is the product of a semiring: what is done where both are,
//!   where only the left one is, and where only the right one is. `unary(a[i], present = f, absent = g)` likewise.
//! - The loops are those that cost least, by rule of thumb: operands in an order that does not agree are converted first,
//!   what is scattered over a row of the output goes through a workspace, and the notes of the kernel say so. `order(..)`,
//!   `split(i, 4)`, `unroll(j, 4)`, `parallel(i)`, `vectorize(k)` and `gallop(j)` behind the statement ask for others.
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
pub use error::KernelError;
pub use ir::Kernel;
pub use literal::Literal;
pub use number::*;
pub use problem::{Place, Problem};
pub use run::{DynFunction, DynOperand, Evaluate, RunError, SparseKernel};
pub use search::compile;
pub(crate) use simplify::literal;
