use crate::sparse::BuildError;
use alloc::string::String;
use alloc::vec::Vec;
use layout_core::sparse_kernel::ElementType;

/// Why a kernel cannot run on what it is given.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// There are not as many operands as parameters.
    #[error("the kernel has {expected} parameters, but {found} operands are given")]
    Count {
        /// Parameters of the kernel.
        expected: usize,
        /// Operands that are given.
        found: usize,
    },
    /// The elements have another type than the signature says.
    #[error("the signature says that elements are `{expected}`, but `{found}` are given")]
    Element {
        /// The type of the signature.
        expected: ElementType,
        /// The type that is given.
        found: ElementType,
    },
    /// An operand is stored in another way than the signature says.
    #[error("operand `{name}` is stored in another way than the signature says")]
    Storage {
        /// The operand.
        name: String,
    },
    /// Sizes of an index disagree.
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
    /// A dense operand has not as many values as its shape says.
    #[error("{found} values are given, but the shape {shape:?} has {expected}")]
    Length {
        /// The shape.
        shape: Vec<usize>,
        /// Elements of the shape.
        expected: usize,
        /// Values that are given.
        found: usize,
    },
    /// A function that the statement writes out is not given.
    #[error("the function `{text}` is not given")]
    Function {
        /// The function as written.
        text: String,
    },
    /// The elements have no such function.
    #[error("the elements have no function `{name}`")]
    Unsupported {
        /// The function.
        name: &'static str,
    },
    /// There is no memory for so many values.
    #[error("no memory for {values} values")]
    OutOfMemory {
        /// How many.
        values: usize,
    },
    /// The output cannot be stored.
    #[error("{0}")]
    Build(#[from] BuildError),
}
