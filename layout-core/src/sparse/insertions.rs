use super::dynamic::DynSparseTensor;
use super::element::SparseElement;
use super::storage::{BuildError, Memory, Written};
use alloc::vec::Vec;

/// Elements that are written to a tensor one by one, in any order, and are changed or stored at the end, all at once: the twin of
/// `Insertions` for encodings that are only known at run time.
///
/// [`finish`](Self::finish) takes time O(n + k log k) for `k` calls and a tensor with `n` entries. It is also called when this is
/// dropped, but then its error is lost, and with it the elements that could not be stored.
///
/// ```
/// use tensor_layout::sparse::{Duplicates, DynSparseTensor, SparseEncoding};
/// let csr: SparseEncoding = "(i, j) -> (i : dense, j : compressed)".parse().unwrap();
/// let mut matrix = DynSparseTensor::from_coo(csr, &[2, 3], &[([1, 2], 1.0)], Duplicates::Error)?;
/// let mut insertions = matrix.insertions();
/// insertions.set(&[1, 0], 5.0)?;
/// insertions.add(&[1, 0], 2.0)?;
/// insertions.add(&[1, 2], 3.0)?;
/// assert!(insertions.set(&[2, 0], 1.0).is_err());    // out of bounds
/// insertions.finish()?;
/// assert_eq!(matrix.to_coo(), [(vec![1, 0], 7.0), (vec![1, 2], 4.0)]);
/// # Ok::<(), tensor_layout::sparse::BuildError>(())
/// ```
pub struct DynInsertions<'t, T: SparseElement> {
    tensor: &'t mut DynSparseTensor<T>,
    /// What was written, in the order of the calls.
    pending: Vec<(Vec<usize>, Written<T>)>,
}

impl<T: SparseElement> DynSparseTensor<T> {
    /// Starts to write single elements, stored or not. See [`DynInsertions`] for what they cost.
    pub fn insertions(&mut self) -> DynInsertions<'_, T> {
        DynInsertions { tensor: self, pending: Vec::new() }
    }
}

impl<T: SparseElement> DynInsertions<'_, T> {
    /// Gives the element at `index` a value, which may be zero. If the tensor stores several entries there, all others become
    /// zero.
    ///
    /// # Errors
    /// If `index` is out of bounds or has another number of dimensions, or memory cannot be allocated. Nothing is then written.
    pub fn set(&mut self, index: &[usize], value: T) -> Result<(), BuildError> {
        self.write(index, Written::Set(value))
    }

    /// Adds a value to the element at `index`, which is zero if it is not stored.
    ///
    /// # Errors
    /// As for [`DynInsertions::set`].
    pub fn add(&mut self, index: &[usize], value: T) -> Result<(), BuildError> {
        self.write(index, Written::Add(value))
    }

    fn write(&mut self, index: &[usize], written: Written<T>) -> Result<(), BuildError> {
        let (shape, entry) = (self.tensor.shape(), self.pending.len());
        if index.len() != shape.len() || index.iter().zip(shape).any(|(x, size)| x >= size) {
            let (index, shape) = (index.to_vec(), shape.to_vec());
            return Err(BuildError::OutOfBounds { entry, index, shape });
        }
        let memory = |_| BuildError::OutOfMemory { level: 0, positions: entry };
        self.pending.try_reserve(1).map_err(memory)?;
        self.pending.push((index.to_vec(), written));
        Ok(())
    }

    /// The number of calls that wrote elements.
    pub fn len(&self) -> usize {
        self.pending.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.pending.is_empty()
    }

    /// Changes the elements that the tensor stores, and then stores the others.
    ///
    /// # Errors
    /// If the encoding cannot store them together with its entries: there are more entries than a position can number or than a
    /// row may have, or memory cannot be allocated. The tensor then has its entries, with what was written to them, but none of
    /// the others.
    pub fn finish(mut self) -> Result<(), BuildError> {
        self.merge()
    }

    fn merge(&mut self) -> Result<(), BuildError> {
        let pending = core::mem::take(&mut self.pending);
        if pending.is_empty() {
            return Ok(());
        }
        let (encoding, storage) = self.tensor.storage_mut();
        let new = storage.change_stored(encoding, pending);
        storage.insert(encoding, new, Memory::PLAIN)
    }
}

impl<T: SparseElement> Drop for DynInsertions<'_, T> {
    fn drop(&mut self) {
        drop(self.merge());
    }
}
