//! Kernels from index notation: the arguments and errors of the functions that `sparse_kernel!` generates, and kernels that are
//! only known at run time. [`sparsify`](crate::sparsify) has the same items.

mod argument;
mod dense;
mod error;
mod index;
mod literal;
mod number;
mod packed;
mod run;
#[doc(hidden)]
pub mod runtime;
mod widen;

pub use argument::{DenseOperand, DenseOutput, SparseArgument, SparseOperand, StaticSizes};
pub use dense::{Dense, DenseMut, DenseRef};
pub use error::KernelError;
pub use index::IndexElement;
pub use number::*;
pub use packed::{PackedOperand, PackedOutput};
pub use run::{AnyOperand, DynFunction, DynOperand, Evaluate, RunError, SparseKernel, WideOperand};
pub use widen::WidenTo;
