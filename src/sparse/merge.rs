//! The union of the entries of two tensors.

use super::memory::MEMORY;
use super::tensor::SparseTensor;
use super::typed::Encoding;
use layout_core::sparse::SparseElement;
use layout_core::sparse::storage::BuildError;

impl<E: Encoding, T: SparseElement> SparseTensor<E, T> {
    /// Adds the entries of another tensor. Where both store an element, `combine` computes it from this tensor's element and the
    /// other's; zeros that the encoding stores, as blocks do, are elements.
    ///
    /// Takes time linear in the number of entries of both if they are stored in the order of the levels, and no memory if both
    /// have the same positions and coordinates.
    ///
    /// ```
    /// use tensor_layout::sparse::{Duplicates, SparseTensor, formats::Csr};
    /// let of = |entries: &[_]| SparseTensor::<Csr, f64>::from_coo([2, 3], entries, Duplicates::Error);
    /// let mut sum = of(&[([0, 1], 1.0), ([1, 2], 2.0)])?;
    /// sum.merge(of(&[([0, 0], 4.0), ([1, 2], 8.0)])?, |a, b| a + b)?;
    /// assert_eq!(sum.to_coo(), [([0, 0], 4.0), ([0, 1], 1.0), ([1, 2], 10.0)]);
    /// # Ok::<(), tensor_layout::sparse::BuildError>(())
    /// ```
    ///
    /// # Errors
    /// If the encoding cannot store the union: there are more entries than a position can number or than a row may have, or memory
    /// cannot be allocated. The tensor is then unchanged.
    ///
    /// # Panics
    /// If the shapes differ.
    pub fn merge(&mut self, other: Self, combine: impl Fn(T, T) -> T) -> Result<(), BuildError> {
        self.storage.merge(const { &E::SPEC }, other.storage, combine, MEMORY)
    }
}
