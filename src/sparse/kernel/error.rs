use crate::sparse::BuildError;

/// Why a kernel cannot run on what it is given.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum KernelError {
    /// An index has two sizes.
    #[error("index `{index}` is {size} in `{operand}`, but {expected} in {from}")]
    Size {
        /// The index.
        index: &'static str,
        /// The operand that disagrees.
        operand: &'static str,
        /// What it says.
        size: usize,
        /// What the others say.
        expected: usize,
        /// Where they say it.
        from: &'static str,
    },
    /// The output has another shape than the operands say.
    #[error("the output `{operand}` is {size} along dimension {dim}, but {expected} is written")]
    Output {
        /// The output.
        operand: &'static str,
        /// The dimension.
        dim: usize,
        /// What it has.
        size: usize,
        /// What it should have.
        expected: usize,
    },
    /// A dense operand has not as many values as its shape says.
    #[error("{found} values were given, but the shape {shape:?} has {expected}")]
    Length {
        /// The shape.
        shape: alloc::vec::Vec<usize>,
        /// Elements of the shape.
        expected: usize,
        /// Values that were given.
        found: usize,
    },
    /// There is no memory for so many values.
    #[error("no memory for {values} values")]
    OutOfMemory {
        /// How many.
        values: usize,
    },
    /// The output cannot be stored.
    #[error(transparent)]
    Build(#[from] BuildError),
}
