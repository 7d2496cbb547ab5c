//! Running kernels from index notation: the functions that generated kernels call, and the interpreter of kernels that are only
//! known at run time.

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
