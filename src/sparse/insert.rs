use super::memory::MEMORY;
use super::tensor::SparseTensor;
use super::typed::Encoding;
use alloc::vec::Vec;
use layout_core::sparse::SparseElement;
use layout_core::sparse::storage::{BuildError, Duplicates, OnChunk, Source, Storage, extents};

/// Entries that will become a tensor, inserted one by one.
///
/// ```
/// use tensor_layout::sparse::{Duplicates, Encoded, SparseTensor, types::*};
/// type Csr = Encoded<Rank<2>, (Level<Dim<0>, Dense>, Level<Dim<1>, Compressed>)>;
/// let mut rows = SparseTensor::<Csr, f32>::inserter([2, 3]);
/// rows.insert([0, 2], 1.0).unwrap();
/// rows.insert([1, 0], 2.0).unwrap();
/// assert!(rows.insert([0, 0], 3.0).is_err());     // comes before the last one
/// rows.insert_any([0, 0], 3.0).unwrap();          // may come in any order
/// assert_eq!(rows.finish(Duplicates::Error).unwrap().values(), [3.0, 1.0, 2.0]);
/// ```
pub struct Inserter<E: Encoding, T> {
    shape: E::Index,
    /// The reason why the encoding cannot store an array of the shape, if it cannot.
    unfit: Option<BuildError>,
    entries: Vec<(E::Index, T)>,
}

impl<E: Encoding, T: SparseElement> SparseTensor<E, T> {
    /// Starts a tensor that is filled entry by entry.
    pub fn inserter(shape: E::Index) -> Inserter<E, T> {
        let unfit = extents(const { &E::SPEC }, shape.as_ref()).err();
        Inserter { shape, unfit, entries: Vec::new() }
    }

    /// The tensor with further entries. Takes time linear in the number of all entries, so it is better to add many at once
    /// than one after the other. [`SparseTensor::insertions`] collects entries that become known one by one.
    ///
    /// # Errors
    /// As for [`SparseTensor::from_coo`].
    pub fn with_entries(
        &self,
        entries: &[(E::Index, T)],
        duplicates: Duplicates,
    ) -> Result<Self, BuildError> {
        let (shape, spec) = (self.shape(), const { &E::SPEC });
        let all = Extended { tensor: self, entries };
        let count = self.number_of_entries() + entries.len();
        match Storage::convert(spec, shape.as_ref(), count, false, &all, duplicates, MEMORY)? {
            Some(storage) => Ok(Self::from_storage(storage)),
            None => {
                let mut all = self.to_coo();
                all.extend_from_slice(entries);
                Self::from_coo(shape, &all, duplicates)
            }
        }
    }
}

/// The entries of a tensor, and further entries.
struct Extended<'a, E: Encoding, T> {
    tensor: &'a SparseTensor<E, T>,
    entries: &'a [(E::Index, T)],
}

impl<E: Encoding, T: SparseElement> Source<E::Index, T> for Extended<'_, E, T> {
    fn chunks(&self, f: &mut OnChunk<'_, E::Index, T>) {
        let mut wanted = true;
        self.tensor.chunks(&mut |chunk| {
            wanted = f(chunk);
            wanted
        });
        if wanted {
            f(self.entries);
        }
    }
}

impl<E: Encoding, T: SparseElement> Inserter<E, T> {
    /// Inserts an entry in storage order. If all entries are inserted in this way, the tensor is finished without sorting.
    ///
    /// # Errors
    /// If the index is out of bounds or precedes the last one in storage order, or if the encoding cannot store an array of this
    /// shape. The entry is then not inserted.
    pub fn insert(&mut self, index: E::Index, value: T) -> Result<(), BuildError> {
        self.check_bounds(index)?;
        let levels = E::SPEC.levels().len();
        if let Some((last, _)) = self.entries.last()
            && E::SPEC.target(index.as_ref())[..levels] < E::SPEC.target(last.as_ref())[..levels]
        {
            let (entry, index) = (self.entries.len(), index.as_ref().to_vec());
            return Err(BuildError::Order { entry, index });
        }
        self.entries.push((index, value));
        Ok(())
    }

    /// Inserts an entry anywhere.
    ///
    /// # Errors
    /// If the index is out of bounds, or if the encoding cannot store an array of this shape. The entry is then not inserted.
    pub fn insert_any(&mut self, index: E::Index, value: T) -> Result<(), BuildError> {
        self.check_bounds(index)?;
        self.entries.push((index, value));
        Ok(())
    }

    /// Coordinates cannot overflow only if the index is within bounds and the array can be stored.
    fn check_bounds(&self, index: E::Index) -> Result<(), BuildError> {
        if let Some(unfit) = &self.unfit {
            return Err(unfit.clone());
        }
        let shape = self.shape.as_ref();
        if index.as_ref().iter().zip(shape).any(|(x, size)| x >= size) {
            let (entry, index) = (self.entries.len(), index.as_ref().to_vec());
            return Err(BuildError::OutOfBounds { entry, index, shape: shape.to_vec() });
        }
        Ok(())
    }

    /// The number of entries so far.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are no entries.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The tensor. The entries are kept, so that nothing is lost if it cannot be built.
    ///
    /// Takes time linear in the number of entries and the size of the arrays.
    ///
    /// # Errors
    /// As for [`SparseTensor::from_coo`].
    pub fn finish(&self, duplicates: Duplicates) -> Result<SparseTensor<E, T>, BuildError> {
        SparseTensor::from_coo(self.shape, &self.entries, duplicates)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sparse::Encoded;
    use crate::sparse::types::{Compressed, Dense, Dim, Level, Rank};
    use core::cell::Cell;

    type Csr = Encoded<Rank<2>, (Level<Dim<0>, Dense>, Level<Dim<1>, Compressed>)>;

    /// A source that counts the entries that it yields.
    struct Counted<'a, S>(&'a S, &'a Cell<usize>);

    impl<I, T, S: Source<I, T>> Source<I, T> for Counted<'_, S> {
        fn chunks(&self, f: &mut OnChunk<'_, I, T>) {
            self.0.chunks(&mut |chunk| {
                self.1.set(self.1.get() + chunk.len());
                f(chunk)
            });
        }
    }

    #[test]
    fn one_more_entry_among_a_million_moves_each_a_few_times_and_sorts_none() {
        const ROWS: usize = 1000;
        let entries: Vec<_> =
            (0..ROWS * ROWS).map(|at| ([at / ROWS, at % ROWS], 1.0_f32)).collect();
        let tensor =
            SparseTensor::<Csr, f32>::from_coo([ROWS, ROWS + 1], &entries, Duplicates::Error);
        let tensor = tensor.expect("a matrix");
        let seen = Cell::new(0);
        let all = Extended { tensor: &tensor, entries: &[([7, ROWS], 2.0)] };
        let count = tensor.number_of_entries() + 1;
        let spec = const { &Csr::SPEC };
        let counted = Counted(&all, &seen);
        let made =
            Storage::<<Csr as Encoding>::Position, <Csr as Encoding>::Coordinate, f32>::convert(
                spec,
                &[ROWS, ROWS + 1],
                count,
                false,
                &counted,
                Duplicates::Error,
                MEMORY,
            );
        assert!(made.expect("a matrix").is_some(), "built without a list of the entries");
        // Linear: each entry is visited to count it and to place it; sorting would visit each 20 times.
        assert!(seen.get() <= 4 * count, "{} of {count}", seen.get());
    }

    #[test]
    fn an_inserter_of_a_million_entries_takes_one_more_without_touching_them() {
        let mut inserter = SparseTensor::<Csr, f32>::inserter([1000, 1001]);
        let (mut grown, mut capacity) = (0, inserter.entries.capacity());
        for at in 0..1_000_000 {
            inserter.insert([at / 1000, at % 1000], 1.0).expect("in order");
            grown += usize::from(inserter.entries.capacity() != capacity);
            capacity = inserter.entries.capacity();
        }
        inserter.insert_any([7, 1000], 2.0).expect("within bounds");
        assert_eq!(inserter.len(), 1_000_001);
        // The list doubles its capacity, so all insertions together move each entry about twice.
        assert!(grown <= 24, "{grown}");
    }
}
