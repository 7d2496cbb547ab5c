use super::element::SparseElement;
use super::encoding::SparseEncoding;
use super::extent::Extent;
use super::storage::{Assembled, BuildError, Cursor, Duplicates, Memory, Parts, Rule, Storage};
use alloc::vec::Vec;
use core::ops::Range;

/// A sparse tensor whose encoding is only known at run time: the twin of `SparseTensor`, with the same rules.
///
/// Positions and coordinates are stored as wide as a pointer, but must fit the widths of the encoding.
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
        let storage = Storage::build(&encoding, shape, entries, duplicates, Memory::PLAIN)?;
        Ok(Self { encoding, storage })
    }

    /// Makes a tensor from arrays: checks them, and takes ownership of them without changes.
    ///
    /// # Errors
    /// If the arrays are not a tensor of the encoding. The error returns them.
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

    /// The entries in storage order: those that were given, without zeros that the encoding added.
    pub fn to_coo(&self) -> Vec<(Vec<usize>, T)> {
        let value = |position: usize| self.storage.parts.values[position];
        self.stored_positions()
            .into_iter()
            .filter(|(position, _)| !(self.encoding.fills() && value(*position).is_zero()))
            .map(|(position, index)| (index, value(position)))
            .collect()
    }

    /// Everything that is stored within the array, in storage order: as [`DynSparseTensor::to_coo`], but with the zeros that
    /// the encoding adds. Only empty slots are left out, since they have no index.
    #[doc(hidden)]
    pub fn stored_entries(&self) -> Vec<(Vec<usize>, T)> {
        let value = |position: usize| self.storage.parts.values[position];
        self.stored_positions()
            .into_iter()
            .filter(|(position, _)| !(self.encoding.counts() && value(*position).is_zero()))
            .map(|(position, index)| (index, value(position)))
            .collect()
    }

    /// Adds the entries of another tensor; where both store an element, `combine` computes it from this tensor's element and the
    /// other's. This is the twin of `SparseTensor::merge`.
    ///
    /// # Errors
    /// If the encoding cannot store the union. The tensor is then unchanged.
    ///
    /// # Panics
    /// If the encodings or the shapes differ.
    pub fn merge(&mut self, other: Self, combine: impl Fn(T, T) -> T) -> Result<(), BuildError> {
        assert!(self.encoding == other.encoding, "the encodings of merged tensors are the same");
        self.storage.merge(&self.encoding, other.storage, combine, Memory::PLAIN)
    }

    /// The position in the array of values and the index of each stored value, in storage order. Padding outside of the array is
    /// left out.
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
    /// The encoding and the arrays.
    pub(crate) fn storage_mut(&mut self) -> (&SparseEncoding, &mut Storage<usize, isize, T>) {
        (&self.encoding, &mut self.storage)
    }

    /// The encoding.
    pub fn encoding(&self) -> &SparseEncoding {
        &self.encoding
    }

    /// The sizes of the dimensions.
    pub fn shape(&self) -> &[usize] {
        self.storage.shape()
    }

    /// The size of each level: the number of coordinates that it can have, whether or not they are stored.
    pub fn level_sizes(&self) -> Vec<usize> {
        self.storage.extents.iter().map(|extent| extent.size).collect()
    }

    /// The array of positions of a level; empty if the level has none.
    ///
    /// # Panics
    /// If there is no such level.
    pub fn positions(&self, level: usize) -> &[usize] {
        &self.storage.parts.levels[level].positions
    }

    /// The array of coordinates of a level; empty if the level has none, or if they are in the array of a level above.
    ///
    /// # Panics
    /// If there is no such level.
    pub fn coordinates(&self, level: usize) -> &[isize] {
        &self.storage.parts.levels[level].coordinates
    }

    /// The coordinates of one level, whichever array stores them.
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

    /// The positions of a level below position `above` of the level above, for encodings without batches.
    #[doc(hidden)]
    pub fn below(&self, level: usize, above: usize) -> Range<usize> {
        let positions = &self.storage.parts.levels[level].positions;
        Rule::of(&self.encoding, level).below(positions, self.extent(level).size, above)
    }

    /// The number that a level stores at a position: a coordinate, or the gap before it.
    #[doc(hidden)]
    pub fn stored(&self, level: usize, position: usize) -> i64 {
        self.storage.coordinate_at(&self.encoding, level, position)
    }

    /// The range of the coordinates of a level.
    #[doc(hidden)]
    pub fn extent(&self, level: usize) -> Extent {
        self.storage.extents[level]
    }

    /// The same tensor with each value replaced by `f` of it.
    #[doc(hidden)]
    #[must_use]
    pub fn map_values<U>(self, f: impl FnMut(&T) -> U) -> DynSparseTensor<U> {
        let Storage { parts, extents, counts, batches } = self.storage;
        let Parts { shape, levels, values } = parts;
        let parts = Parts { shape, levels, values: values.iter().map(f).collect() };
        let storage = Storage { parts, extents, counts, batches };
        DynSparseTensor { encoding: self.encoding, storage }
    }

    /// The same tensor with other values; `None` if their number differs.
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

    /// The number of bytes of all arrays, with positions and coordinates as wide as a pointer.
    pub fn bytes(&self) -> usize {
        self.storage.bytes()
    }
}

/// Prints the text of MLIR's `sparse_tensor.print`.
impl<T: SparseElement> core::fmt::Display for DynSparseTensor<T> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        self.storage.print(&self.encoding, f)
    }
}
