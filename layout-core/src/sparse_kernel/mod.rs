//! Sparse kernels from index notation: a statement about tensors of any encodings becomes loops over their storage.
//!
//! ```text
//! text -> [syntax] -> Statement -> [search: Plan -> [lower] -> Kernel -> cost] -> Kernel -> [passes] -> Kernel -> run, or Rust
//! ```
//!
//! The documentation of the macro `sparse_kernel!` of the crate `tensor_layout` describes statements. `SparseKernel` compiles
//! the same text at run time and interprets the loops.
//!
//! ```
//! use tensor_layout::sparsify::SparseKernel;
//! let csr = "(i, j) -> (i : dense, j : compressed)".parse().unwrap();
//! let add = "fn add(a: Csr<f64>[i, j], b: Csr<f64>[i, j]) -> c: Csr<f64>[i, j] { c[i, j] = a[i, j] + 2 * b[i, j] }";
//! let add = SparseKernel::parse(add, &[("Csr", csr)]).unwrap();
//! assert_eq!(add.kernel().cost, "i + nnz(a) + nnz(b)");
//! ```

mod cost;
mod describe;
mod element;
pub mod ir;
mod layout;
mod literal;
mod lower;
mod op;
mod passes;
mod plan;
mod print;
mod problem;
mod search;
mod semiring;
mod simplify;
mod sizes;
pub mod statement;
pub mod syntax;
mod view;

pub use element::ElementType;
pub use ir::Kernel;
#[doc(hidden)]
pub use ir::part_of_a_sum;
#[doc(hidden)]
pub use layout::is_read_in_place;
pub use layout::layout_of;
pub use literal::Literal;
#[doc(hidden)]
pub use op::functions;
pub use problem::{Problem, Subject};
pub use search::compile;
pub use semiring::{Monoid, Multiply};
pub(crate) use simplify::literal;
