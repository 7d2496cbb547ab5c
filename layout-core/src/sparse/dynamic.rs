use super::element::SparseElement;
use super::encoding::SparseEncoding;
use super::extent::Extent;
use super::storage::{Assembled, BuildError, Cursor, Duplicates, Parts, Rule, Storage};
use alloc::vec::Vec;
use core::ops::Range;

/// A sparse tensor whose encoding is only known at run time: the twin of `SparseTensor`, with the same rules.
///
/// Positions and coordinates are kept as wide as a pointer, and must fit the widths that the encoding gives.
///
/// ```
/// use tensor_layout::sparse::{Duplicates, DynSparseTensor, SparseEncoding};
/// let csr: SparseEncoding = "(i, j) -> (i : dense, j : compressed)".parse().unwrap();
/// let entries = [(vec![1, 0], 3.0), (vec![0, 2], 1.0)];
/// let tensor = DynSparseTensor::from_coo(csr, &[2, 3], &entries, Duplicates::Error).unwrap();
/// assert_eq!((tensor.positions(1), tensor.coordinates(1), tensor.values()), (&[0, 1, 2][..], &[2, 0][..], &[1.0, 3.0][..]));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct DynSparseTensor<T> {
    encoding: SparseEncoding,
    storage: Storage<usize, isize, T>,
}

impl<T: SparseElement> DynSparseTensor<T> {
    /// Stores entries given in any order.
    ///
    /// # Errors
    /// If the encoding cannot store the array or one of the entries.
    pub fn from_coo<I: AsRef<[usize]>>(
        encoding: SparseEncoding,
        shape: &[usize],
        entries: &[(I, T)],
        duplicates: Duplicates,
    ) -> Result<Self, BuildError> {
        let storage = Storage::build(&encoding, shape, entries, duplicates)?;
        Ok(Self { encoding, storage })
    }

    /// Makes a tensor of arrays without changing them, after checking them.
    ///
    /// # Errors
    /// If they are not a tensor of the encoding; they are handed back.
    pub fn assemble(
        encoding: SparseEncoding,
        parts: Parts<usize, isize, T>,
    ) -> Assembled<Self, usize, isize, T> {
        Ok(Self { encoding, storage: Storage::assemble(&encoding, parts)? })
    }

    /// The arrays.
    pub fn disassemble(self) -> Parts<usize, isize, T> {
        self.storage.parts
    }

    /// The stored entries in storage order: those that were given, whatever the encoding.
    pub fn to_coo(&self) -> Vec<(Vec<usize>, T)> {
        let value = |position: usize| self.storage.parts.values[position];
        self.stored_positions()
            .into_iter()
            .filter(|(position, _)| !(self.encoding.fills() && value(*position).is_zero()))
            .map(|(position, index)| (index, value(position)))
            .collect()
    }

    /// All that is stored within the array, in storage order: as [`DynSparseTensor::to_coo`], but with the zeros that the
    /// encoding adds. Only empty slots are left out, since they belong to no index.
    #[doc(hidden)]
    pub fn stored_entries(&self) -> Vec<(Vec<usize>, T)> {
        let value = |position: usize| self.storage.parts.values[position];
        self.stored_positions()
            .into_iter()
            .filter(|(position, _)| !(self.encoding.counts() && value(*position).is_zero()))
            .map(|(position, index)| (index, value(position)))
            .collect()
    }

    /// The stored values, each as its number among all values and its index, in storage order. Padding outside of the
    /// array is left out.
    pub(crate) fn stored_positions(&self) -> Vec<(usize, Vec<usize>)> {
        let mut cursor = Cursor::new(&self.encoding, &self.storage);
        let mut positions = Vec::new();
        while let Some(position) = cursor.next_position() {
            if let Some(index) = cursor.index() {
                positions.push((position, index.to_vec()));
            }
        }
        positions
    }
}

impl<T> DynSparseTensor<T> {
    /// The encoding.
    pub fn encoding(&self) -> &SparseEncoding {
        &self.encoding
    }

    /// The sizes of the dimensions.
    pub fn shape(&self) -> &[usize] {
        self.storage.shape()
    }

    /// The number of coordinates of each level.
    pub fn level_sizes(&self) -> Vec<usize> {
        self.storage.extents.iter().map(|extent| extent.size).collect()
    }

    /// The positions of a level; empty where it has none.
    ///
    /// # Panics
    /// If there is no such level.
    pub fn positions(&self, level: usize) -> &[usize] {
        &self.storage.parts.levels[level].positions
    }

    /// The coordinates of a level as they are stored; empty where it has none, or has them in the array of the level
    /// above.
    ///
    /// # Panics
    /// If there is no such level.
    pub fn coordinates(&self, level: usize) -> &[isize] {
        &self.storage.parts.levels[level].coordinates
    }

    /// The coordinates of one level, whichever array they are in.
    ///
    /// # Panics
    /// If there is no such level.
    pub fn level_coordinates(&self, level: usize) -> impl Iterator<Item = i64> + '_ {
        self.storage.level_coordinates(&self.encoding, level)
    }

    /// The values.
    pub fn values(&self) -> &[T] {
        &self.storage.parts.values
    }

    /// The positions of a level below a position of the level above, where there are no batches.
    #[doc(hidden)]
    pub fn below(&self, level: usize, above: usize) -> Range<usize> {
        let positions = &self.storage.parts.levels[level].positions;
        Rule::of(&self.encoding, level).below(positions, self.extent(level).size, above)
    }

    /// What a level stores at a position: a coordinate, or the gap before it.
    #[doc(hidden)]
    pub fn stored(&self, level: usize, position: usize) -> i64 {
        self.storage.coordinate_at(&self.encoding, level, position)
    }

    /// The coordinates that a level can have.
    #[doc(hidden)]
    pub fn extent(&self, level: usize) -> Extent {
        self.storage.extents[level]
    }

    /// The same positions and coordinates with `f` of each value in its place.
    #[doc(hidden)]
    #[must_use]
    pub fn map_values<U>(self, f: impl FnMut(&T) -> U) -> DynSparseTensor<U> {
        let Storage { parts, extents, counts, batches } = self.storage;
        let Parts { shape, levels, values } = parts;
        let parts = Parts { shape, levels, values: values.iter().map(f).collect() };
        let storage = Storage { parts, extents, counts, batches };
        DynSparseTensor { encoding: self.encoding, storage }
    }

    /// The same positions and coordinates with other values; `None` if their number differs.
    #[doc(hidden)]
    pub fn with_values<U>(&self, values: Vec<U>) -> Option<DynSparseTensor<U>> {
        (values.len() == self.values().len()).then(|| {
            let Storage { parts, extents, counts, batches } = &self.storage;
            let Parts { shape, levels, .. } = parts;
            let parts = Parts { shape: shape.clone(), levels: levels.clone(), values };
            let (extents, counts) = (extents.clone(), counts.clone());
            let storage = Storage { parts, extents, counts, batches: *batches };
            DynSparseTensor { encoding: self.encoding, storage }
        })
    }

    /// Bytes of all arrays as they are kept here.
    pub fn bytes(&self) -> usize {
        self.storage.bytes()
    }
}

/// The text that MLIR's `sparse_tensor.print` gives.
impl<T: SparseElement> core::fmt::Display for DynSparseTensor<T> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        self.storage.print(&self.encoding, f)
    }
}
