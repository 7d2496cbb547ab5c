use crate::sparse::BuildError;
use alloc::string::String;
use alloc::vec::Vec;
use layout_core::sparse_kernel::ElementType;

/// The reason why a [`SparseKernel`](super::SparseKernel) cannot run on its operands.
///
/// ```
/// use tensor_layout::sparsify::{DynOperand, RunError, SparseKernel};
/// let dot: SparseKernel = "fn dot(x: Dense<f64>[i], y: Dense<f64>[i]) -> s: f64 { s += x[i] * y[i] }".parse()?;
/// let error = dot.run(&[DynOperand::dense(&[1], vec![1.0])?]).unwrap_err();
/// assert_eq!(error, RunError::Count { expected: 2, found: 1 });
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// The number of operands is not the number of parameters.
    #[error("the kernel has {expected} parameters, but {found} operands are given")]
    Count {
        /// The number of parameters of the kernel.
        expected: usize,
        /// The number of operands that are given.
        found: usize,
    },
    /// The elements do not have the type in the signature.
    #[error("the signature says that elements are `{expected}`, but `{found}` are given")]
    Element {
        /// The type of the signature.
        expected: ElementType,
        /// The type that is given.
        found: ElementType,
    },
    /// An operand is not stored as the signature declares.
    #[error("operand `{name}` is not stored as the signature says")]
    Storage {
        /// The operand.
        name: String,
    },
    /// An index has two different sizes.
    #[error("index `{index}` has size {expected}, but dimension {dim} of `{name}` has {found}")]
    Size {
        /// The index.
        index: String,
        /// The size that it has elsewhere.
        expected: usize,
        /// The operand that disagrees.
        name: String,
        /// The dimension that disagrees.
        dim: usize,
        /// Its size.
        found: usize,
    },
    /// The shape of a given output is not the one that the kernel computes.
    #[error("the output `{name}` is {found} along dimension {dim}, but {expected} is written")]
    Output {
        /// The output.
        name: String,
        /// The dimension.
        dim: usize,
        /// Its size.
        found: usize,
        /// The size that the kernel writes.
        expected: usize,
    },
    /// An element of an index array is not a valid index.
    #[error("element {position} of `{array}` is {found}, but the size of `{index}` is {size}")]
    Index {
        /// The index array.
        array: String,
        /// The position of the element in it.
        position: usize,
        /// The element.
        found: i128,
        /// The index that it is a value of, as written.
        index: String,
        /// The number of indices.
        size: usize,
    },
    /// The kernel reads index arrays, whose elements have types of their own.
    #[error("the kernel reads the index array `{name}`: `run_all` runs it")]
    IndexArray {
        /// The index array.
        name: String,
    },
    /// The number of values of a dense operand is not the number of elements of its shape.
    #[error("{found} values are given, but the shape {shape:?} has {expected}")]
    Length {
        /// The shape.
        shape: Vec<usize>,
        /// The number of elements of the shape.
        expected: usize,
        /// The number of values that are given.
        found: usize,
    },
    /// A Rust function of the statement is not given.
    #[error("the function `{text}` is not given")]
    Function {
        /// The function as written.
        text: String,
    },
    /// The kernel has several statements or outputs.
    #[error("the kernel has several statements: `run_all` runs them")]
    Several,
    /// A function of the statement is not defined for the elements.
    #[error("the elements have no function `{name}`")]
    Unsupported {
        /// The function.
        name: &'static str,
    },
    /// Memory for the values cannot be allocated.
    #[error("no memory for {values} values")]
    OutOfMemory {
        /// The number of values.
        values: usize,
    },
    /// The slice does not exist.
    #[error(transparent)]
    Slice(#[from] crate::sparse::SliceError),
    /// The output cannot be stored.
    #[error("{0}")]
    Build(#[from] BuildError),
}
