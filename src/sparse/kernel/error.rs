use crate::movement::PackError;
use crate::sparse::BuildError;

/// The reason why a function of [`sparse_kernel!`](crate::sparse_kernel!) cannot run on its operands.
///
/// ```
/// use tensor_layout::sparse_kernel;
/// use tensor_layout::sparsify::KernelError;
/// sparse_kernel! {
///     fn dot(x: Dense<f64>[i], y: Dense<f64>[i]) -> s: f64 { s += x[i] * y[i] }
/// }
/// # fn main() {
/// let error = dot(&vec![1.0; 2], &vec![1.0; 3]).unwrap_err();
/// assert!(matches!(error, KernelError::Size { index: "i", size: 3, expected: 2, .. }));
/// # }
/// ```
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum KernelError {
    /// An index has two different sizes.
    #[error("index `{index}` is {size} in `{operand}`, but {expected} in {from}")]
    Size {
        /// The index.
        index: &'static str,
        /// The operand that disagrees.
        operand: &'static str,
        /// The size there.
        size: usize,
        /// The size in `from`.
        expected: usize,
        /// The operand or dimension with that size.
        from: &'static str,
    },
    /// An element of an index array is not a valid index.
    #[error("element {position} of `{array}` is {found}, but the size of `{index}` is {size}")]
    Index {
        /// The index array.
        array: &'static str,
        /// The position of the element in it.
        position: usize,
        /// The element.
        found: i128,
        /// The index that it is a value of, as written.
        index: &'static str,
        /// The number of indices.
        size: usize,
    },
    /// The shape of the output does not follow from the shapes of the operands.
    #[error("the output `{operand}` is {size} along dimension {dim}, but {expected} is written")]
    Output {
        /// The output.
        operand: &'static str,
        /// The dimension.
        dim: usize,
        /// Its size.
        size: usize,
        /// The size that the kernel writes.
        expected: usize,
    },
    /// An output whose values should be recomputed does not have the positions and coordinates of the operand from which it
    /// takes them.
    #[error("the output `{operand}` does not have the positions and coordinates of `{from}`")]
    Pattern {
        /// The output.
        operand: &'static str,
        /// The operand.
        from: &'static str,
    },
    /// The number of values of a dense operand is not the number of elements of its shape.
    #[error("{found} values were given, but the shape {shape:?} has {expected}")]
    Length {
        /// The shape.
        shape: alloc::vec::Vec<usize>,
        /// The number of elements of the shape.
        expected: usize,
        /// The number of values that were given.
        found: usize,
    },
    /// Memory for the values cannot be allocated.
    #[error("no memory for {values} values")]
    OutOfMemory {
        /// The number of values.
        values: usize,
    },
    /// A packed operand cannot be unpacked, or the output cannot be packed.
    #[error(transparent)]
    Pack(#[from] PackError),
    /// The output cannot be stored.
    #[error(transparent)]
    Build(#[from] BuildError),
}
