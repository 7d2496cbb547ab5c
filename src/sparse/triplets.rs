use super::memory::MEMORY;
use super::tensor::SparseTensor;
use super::typed::Encoding;
use alloc::vec::Vec;
use core::ops::Range;
use layout_core::sparse::SparseElement;
use layout_core::sparse::storage::{BuildError, CHUNK, Duplicates, OnChunk, Source, Storage};

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
    /// If the arrays differ in length, or as for [`SparseTensor::from_coo`].
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
        let triplets = Triplets { rows, columns, values };
        let spec = const { &E::SPEC };
        match Storage::convert(spec, &shape, values_len, false, &triplets, duplicates, MEMORY)? {
            Some(storage) => Ok(Self::from_storage(storage)),
            None => Self::from_coo(shape, &triplets.entries(0..values_len), duplicates),
        }
    }
}

/// Entries as three arrays of the same length.
struct Triplets<'a, T> {
    rows: &'a [usize],
    columns: &'a [usize],
    values: &'a [T],
}

impl<T: Copy> Triplets<'_, T> {
    /// Some of the entries as a list.
    fn entries(&self, range: Range<usize>) -> Vec<([usize; 2], T)> {
        let Self { rows, columns, values } = self;
        range.map(|at| ([rows[at], columns[at]], values[at])).collect()
    }
}

impl<T: Copy> Source<[usize; 2], T> for Triplets<'_, T> {
    fn chunks(&self, f: &mut OnChunk<'_, [usize; 2], T>) {
        let len = self.values.len();
        let mut chunks = (0..len).step_by(CHUNK).map(|at| at..len.min(at + CHUNK));
        let _ = chunks.all(|chunk| f(&self.entries(chunk)));
    }
}
