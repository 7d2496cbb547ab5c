//! Insertion of single entries into a tensor, which is rebuilt once for many of them.

use super::memory::MEMORY;
use super::tensor::SparseTensor;
use super::typed::Encoding;
use alloc::vec::Vec;
use layout_core::sparse::SparseElement;
use layout_core::sparse::storage::{BuildError, Written};

/// Elements that are written to a tensor one by one, in any order: at the end they are merged with its entries.
///
/// An element that the tensor stores is written in place, which takes a binary search. The others go to a list, and
/// [`finish`](Self::finish) sorts the `k` of them and merges them with the `n` entries of the tensor, in time O(n + k log k) for all
/// of them together. It is also called when this is dropped, but then its error is lost, and with it the listed elements.
///
/// ```
/// use tensor_layout::sparse::{Duplicates, SparseTensor, formats::Csr};
/// let mut matrix = SparseTensor::<Csr, f64>::from_coo([2, 3], &[([1, 2], 1.0)], Duplicates::Error)?;
/// let mut insertions = matrix.insertions();
/// insertions.set([1, 0], 5.0)?;
/// insertions.add([1, 0], 2.0)?;
/// insertions.add([1, 2], 3.0)?;
/// assert!(insertions.set([2, 0], 1.0).is_err());    // out of bounds
/// assert_eq!(insertions.len(), 2);
/// insertions.finish()?;
/// assert_eq!(matrix.to_coo(), [([1, 0], 7.0), ([1, 2], 4.0)]);
/// # Ok::<(), tensor_layout::sparse::BuildError>(())
/// ```
pub struct Insertions<'t, E: Encoding, T: SparseElement> {
    tensor: &'t mut SparseTensor<E, T>,
    /// What was written to elements that the tensor does not store, in the order of the calls.
    pending: Vec<(E::Index, Written<T>)>,
}

impl<E: Encoding, T: SparseElement> SparseTensor<E, T> {
    /// Starts to write single elements, stored or not. See [`Insertions`] for what they cost.
    pub fn insertions(&mut self) -> Insertions<'_, E, T> {
        Insertions { tensor: self, pending: Vec::new() }
    }
}

impl<E: Encoding, T: SparseElement> Insertions<'_, E, T> {
    /// Gives the element at `index` a value, which may be zero. If the tensor stores several entries there, all others become
    /// zero.
    ///
    /// # Errors
    /// If `index` is out of bounds, or memory cannot be allocated. Nothing is then written.
    pub fn set(&mut self, index: E::Index, value: T) -> Result<(), BuildError> {
        self.write(index, Written::Set(value))
    }

    /// Adds a value to the element at `index`, which is zero if it is not stored.
    ///
    /// # Errors
    /// As for [`Insertions::set`].
    pub fn add(&mut self, index: E::Index, value: T) -> Result<(), BuildError> {
        self.write(index, Written::Add(value))
    }

    fn write(&mut self, index: E::Index, written: Written<T>) -> Result<(), BuildError> {
        let (shape, entry) = (self.tensor.shape(), self.pending.len());
        if index.as_ref().iter().zip(shape.as_ref()).any(|(x, size)| x >= size) {
            let (index, shape) = (index.as_ref().to_vec(), shape.as_ref().to_vec());
            return Err(BuildError::OutOfBounds { entry, index, shape });
        }
        if self.tensor.write(index, written) {
            return Ok(());
        }
        let memory = |_| BuildError::OutOfMemory { level: 0, positions: entry };
        self.pending.try_reserve(1).map_err(memory)?;
        self.pending.push((index, written));
        Ok(())
    }

    /// The number of calls that wrote elements that the tensor does not store yet.
    pub fn len(&self) -> usize {
        self.pending.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.pending.is_empty()
    }

    /// Stores the elements that the tensor does not store yet.
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
        self.tensor.storage.insert(const { &E::SPEC }, pending, MEMORY)
    }
}

impl<E: Encoding, T: SparseElement> Drop for Insertions<'_, E, T> {
    fn drop(&mut self) {
        drop(self.merge());
    }
}

impl<E: Encoding, T: SparseElement> SparseTensor<E, T> {
    /// Writes an element in place. False if it is not stored; of several entries, one becomes the new value and the others zero.
    fn write(&mut self, index: E::Index, written: Written<T>) -> bool {
        let Some(position) = self.locate(index) else { return false };
        // An empty slot of a row also has a coordinate, but is not an entry.
        if const { E::SPEC.counts() } && self.storage.parts.values[position].is_zero() {
            return false;
        }
        if let (Written::Set(_), true) = (written, const { E::SPEC.repeats() }) {
            let mut others = Vec::new();
            self.seek(index, |position| {
                others.push(position);
                false
            });
            for other in others {
                self.storage.parts.values[other] = T::ZERO;
            }
        }
        let value = &mut self.storage.parts.values[position];
        *value = written.applied(*value);
        true
    }
}
