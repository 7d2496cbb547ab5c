use super::tensor::SparseTensor;
use super::typed::Encoding;
use alloc::vec::Vec;
use layout_core::sparse::SparseElement;
use layout_core::sparse::storage::{BuildError, Duplicates};

impl<E: Encoding, T: SparseElement> SparseTensor<E, T> {
    /// A tensor without entries.
    ///
    /// ```
    /// use tensor_layout::sparse::{SparseTensor, formats::Csr};
    /// let matrix = SparseTensor::<Csr, f64>::empty([2, 3]).unwrap();
    /// assert_eq!((matrix.positions(1), matrix.get([1, 2])), (&[0, 0, 0][..], 0.0));
    /// ```
    ///
    /// # Errors
    /// If the encoding cannot store an array of this shape.
    pub fn empty(shape: E::Index) -> Result<Self, BuildError> {
        Self::from_coo(shape, &[], Duplicates::Error)
    }
}

impl<E: Encoding<Index = [usize; 2]>, T: SparseElement> SparseTensor<E, T> {
    /// Stores entries given in any order as three arrays: their rows, their columns and their values.
    ///
    /// ```
    /// use tensor_layout::sparse::{Duplicates, SparseTensor, formats::Csr};
    /// let (rows, columns, values) = ([1, 0], [0, 2], [3.0, 1.0]);
    /// let matrix = SparseTensor::<Csr, f64>::from_triplets([2, 3], &rows, &columns, &values, Duplicates::Error).unwrap();
    /// assert_eq!(matrix.to_coo(), [([0, 2], 1.0), ([1, 0], 3.0)]);
    /// ```
    ///
    /// # Errors
    /// If the arrays differ in length, or as [`SparseTensor::from_coo`].
    pub fn from_triplets(
        shape: [usize; 2],
        rows: &[usize],
        columns: &[usize],
        values: &[T],
        duplicates: Duplicates,
    ) -> Result<Self, BuildError> {
        let (rows_len, columns_len, values_len) = (rows.len(), columns.len(), values.len());
        if rows_len != values_len || columns_len != values_len {
            let [rows, columns, values] = [rows_len, columns_len, values_len];
            return Err(BuildError::Triplets { rows, columns, values });
        }
        let entries = rows.iter().zip(columns).zip(values);
        let entries: Vec<_> = entries.map(|((i, j), value)| ([*i, *j], *value)).collect();
        Self::from_coo(shape, &entries, duplicates)
    }
}
