use super::coo::CooEntries;
use super::dense::Nonzeros;
use super::memory::MEMORY;
use super::typed::Encoding;
use super::visit::Visit;
use crate::require::require;
use crate::typed::RowMajor;
use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;
use core::ops::Range;
use layout_core::sparse::storage::{
    Assembled, BuildError, Cursor, Duplicates, Parts, Rule, Storage,
};
use layout_core::sparse::{Coordinate, MAX_RANK, SparseElement};

/// An item of the arrays of coordinates of the encoding: a coordinate or, if coordinates are narrower than a byte, a byte of
/// several.
pub type Word<E> = <<E as Encoding>::Coordinate as Coordinate>::Word;

/// The arrays of a tensor of the encoding `E` with values of type `T`, as [`SparseTensor::disassemble`] returns them.
pub type PartsOf<E, T> = Parts<<E as Encoding>::Position, Word<E>, T>;

/// A sparse tensor in the encoding `E`: the arrays of each level, and the values, which are `f64` unless another type is given.
///
/// ```
/// use tensor_layout::sparse::{Duplicates, Encoded, SparseTensor, types::*};
/// // sparse_encoding!((i, j) -> (i : dense, j : compressed), posWidth = 32, crdWidth = 32)
/// type Csr = Encoded<Rank<2>, (Level<Dim<0>, Dense>, Level<Dim<1>, Compressed>), u32, u32>;
///
/// let entries = [([1, 0], 3.0), ([0, 2], 1.0), ([1, 2], 4.0)];
/// let matrix = SparseTensor::<Csr, f64>::from_coo([2, 3], &entries, Duplicates::Error).unwrap();
/// assert_eq!((matrix.positions(1), matrix.coordinates(1)), (&[0, 1, 3][..], &[2, 0, 2][..]));
/// assert_eq!((matrix.get([1, 2]), matrix.get([0, 0])), (4.0, 0.0));
///
/// let mut y = [0.0; 2];
/// matrix.for_each(|[i, j], value| y[i] += value * [1.0, 10.0, 100.0][j]);
/// assert_eq!(y, [100.0, 403.0]);
/// ```
pub struct SparseTensor<E: Encoding, T = f64 /* SparseTensor<Csr, f64> */> {
    pub(super) storage: Storage<E::Position, E::Coordinate, T>,
    encoding: PhantomData<fn() -> E>,
}

impl<E: Encoding, T> SparseTensor<E, T> {
    pub(super) const fn from_storage(storage: Storage<E::Position, E::Coordinate, T>) -> Self {
        Self { storage, encoding: PhantomData }
    }

    /// Makes a tensor from arrays, after checking that it can be read safely. Nothing is copied.
    ///
    /// Reads each position and each coordinate once.
    ///
    /// # Errors
    /// If the arrays are not a tensor of the encoding. The error contains the arrays.
    pub fn assemble(parts: PartsOf<E, T>) -> Assembled<Self, E::Position, Word<E>, T> {
        Storage::assemble(&E::SPEC, parts).map(Self::from_storage)
    }

    /// The arrays. Nothing is copied.
    pub fn disassemble(self) -> PartsOf<E, T> {
        self.storage.parts
    }

    /// The sizes of the dimensions.
    pub fn shape(&self) -> E::Index {
        let mut shape = E::Index::default();
        shape.as_mut().copy_from_slice(self.storage.shape());
        shape
    }

    /// The size of each level: the number of coordinates that it can have, whether or not they are stored.
    pub fn level_sizes(&self) -> Vec<usize> {
        self.storage.extents.iter().map(|extent| extent.size).collect()
    }

    /// The array of positions of a level; empty if it has none.
    ///
    /// # Panics
    /// If there is no such level.
    #[inline]
    pub fn positions(&self, level: usize) -> &[E::Position] {
        &self.storage.parts.levels[level].positions
    }

    /// The coordinates of a level as they are stored. Empty if it has none, or if they are interleaved with the coordinates of the
    /// level above, in the array of that level.
    ///
    /// # Panics
    /// If there is no such level.
    #[inline]
    pub fn coordinates(&self, level: usize) -> &[Word<E>] {
        &self.storage.parts.levels[level].coordinates
    }

    /// The coordinates of one level one by one, whichever array contains them.
    ///
    /// # Panics
    /// If there is no such level.
    pub fn level_coordinates(&self, level: usize) -> impl Iterator<Item = i64> + '_ {
        self.storage.level_coordinates(const { &E::SPEC }, level)
    }

    /// The stored values, zeros and padding included: position `p` of the last level has the value `values()[p]`.
    #[inline]
    pub fn values(&self) -> &[T] {
        &self.storage.parts.values
    }

    /// The values, as a mutable slice.
    #[inline]
    pub fn values_mut(&mut self) -> &mut [T] {
        &mut self.storage.parts.values
    }

    /// The number of stored values, zeros and padding included.
    pub fn number_of_entries(&self) -> usize {
        self.storage.parts.values.len()
    }

    /// The number of bytes of all arrays.
    pub fn bytes(&self) -> usize {
        self.storage.bytes()
    }

    /// The positions of segment `segment` of level `LEVEL`, which must have an array of positions. For hand-written loops:
    ///
    /// ```
    /// # use tensor_layout::sparse::{Encoded, SparseTensor, types::*};
    /// # type Csr = Encoded<Rank<2>, (Level<Dim<0>, Dense>, Level<Dim<1>, Compressed>), u32, u32>;
    /// fn row_sums(matrix: &SparseTensor<Csr, f64>) -> Vec<f64> {
    ///     let row = |i| matrix.values()[matrix.segment::<1>(i)].iter().sum();
    ///     (0..matrix.shape()[0]).map(row).collect()
    /// }
    /// # assert_eq!(row_sums(&SparseTensor::from_dense([2, 2], &[1.0, 2.0, 0.0, 4.0]).unwrap()), [3.0, 4.0]);
    /// ```
    ///
    /// # Panics
    /// If there is no such segment.
    #[inline]
    pub fn segment<const LEVEL: usize>(&self, segment: usize) -> Range<usize> {
        let rule = const {
            let rule = Rule::of(&E::SPEC, LEVEL);
            require(rule.has_positions(), "the level has no positions");
            rule
        };
        rule.below(&self.storage.parts.levels[LEVEL].positions, 0, segment)
    }

    /// Calls `f` with the index and the value of each stored entry, in storage order, including the zeros of dense levels, and the
    /// zeros of padding within the bounds of the array.
    ///
    /// Compiles to one loop for each level.
    ///
    /// Takes time linear in the number of entries and of the positions of all levels: each row of CSR is visited, even an empty one.
    #[inline]
    pub fn for_each(&self, mut f: impl FnMut(E::Index, &T)) {
        // Without values there is nothing to visit, however many rows the shape has.
        if self.storage.parts.values.is_empty() {
            return;
        }
        // If every position has an index within bounds, the innermost loop has nothing to check.
        if const { E::SPEC.overhangs() } && E::SPEC.is_ragged(self.storage.shape()) {
            E::Nest::visit::<E, T, _, true>(&self.storage, 0, 0, [0; MAX_RANK], &mut f);
        } else {
            E::Nest::visit::<E, T, _, false>(&self.storage, 0, 0, [0; MAX_RANK], &mut f);
        }
    }

    /// The index and the value of each stored entry, in the order of [`SparseTensor::for_each`], which is faster. Includes the zeros
    /// of dense levels and of padding, as [`SparseTensor::for_each`] does.
    pub fn iter(&self) -> Iter<'_, E, T> {
        Iter { cursor: Cursor::new(const { &E::SPEC }, &self.storage), tensor: self }
    }

    /// Calls `f` with the positions of the values at `index`, in storage order, until it returns true.
    #[inline(always)]
    pub(super) fn seek(&self, index: E::Index, mut f: impl FnMut(usize) -> bool) {
        let inside = index.as_ref().iter().zip(self.storage.shape()).all(|(x, size)| x < size);
        if !inside {
            out_of_bounds(index.as_ref(), self.storage.shape());
        }
        E::Nest::seek::<E, T, _>(&self.storage, 0, 0, &E::SPEC.target(index.as_ref()), &mut f);
    }
}

#[cold]
#[inline(never)]
fn out_of_bounds(index: &[usize], shape: &[usize]) -> ! {
    panic!("index {index:?} is out of bounds of the array of shape {shape:?}")
}

impl<E: Encoding, T: SparseElement> SparseTensor<E, T> {
    /// Stores entries given in any order. Explicit zeros are entries.
    ///
    /// Takes time linear in the number of entries and the size of the arrays, also if the entries are not in storage order: they are
    /// sorted by counting, which takes 4 bytes for each entry and each bucket, or 8 bytes from 2^32 entries on.
    ///
    /// # Errors
    /// If the encoding cannot store an array of this shape, or one of the entries, or if memory cannot be allocated.
    pub fn from_coo<Entries /* from_coo([2, 3], &[([0, 1], 2.0)], Duplicates::Error) */>(
        shape: E::Index,
        entries: &Entries,
        duplicates: Duplicates,
    ) -> Result<Self, BuildError>
    where
        Entries: CooEntries<E::Index, T> + ?Sized,
    {
        let (spec, entries) = (const { &E::SPEC }, entries.entries());
        let storage = Storage::build(spec, shape.as_ref(), entries, duplicates, MEMORY)?;
        Ok(Self::from_storage(storage))
    }

    /// Stores the nonzero values of a row-major array.
    ///
    /// Takes time linear in the number of elements. If the values are in storage order one row after the other, or if the encoding stores
    /// rows or columns, they are stored as they are read; otherwise through a list of them with their indices.
    ///
    /// ```
    /// use tensor_layout::sparse::{SparseTensor, formats::Csr};
    /// let matrix = SparseTensor::<Csr, f64>::from_dense([2, 3], &[0.0, 5.0, 0.0, 7.0, 0.0, 9.0])?;
    /// assert_eq!((matrix.coordinates(1), matrix.values()), (&[1, 0, 2][..], &[5.0, 7.0, 9.0][..]));
    /// # Ok::<(), tensor_layout::sparse::BuildError>(())
    /// ```
    ///
    /// # Errors
    /// If the length is not the number of elements of the shape, or as for [`SparseTensor::from_coo`].
    pub fn from_dense(
        shape: E::Index,
        dense: &(impl RowMajor<T> + ?Sized),
    ) -> Result<Self, BuildError> {
        let (spec, all) = (const { &E::SPEC }, Nonzeros::new(shape, dense.row_major())?);
        let (sizes, duplicates) = (shape.as_ref(), Duplicates::Error);
        match Storage::convert(spec, sizes, all.count(), true, &all, duplicates, MEMORY)? {
            Some(storage) => Ok(Self::from_storage(storage)),
            None => Self::from_coo(shape, &all.list()?, duplicates),
        }
    }

    /// The stored entries in storage order. Zeros are left out if the encoding adds zeros to the given entries.
    ///
    /// Takes the time of [`SparseTensor::for_each`], and memory for the list.
    pub fn to_coo(&self) -> Vec<(E::Index, T)> {
        let mut entries = Vec::new();
        self.for_each(|index, value| {
            if !(const { E::SPEC.fills() } && value.is_zero()) {
                entries.push((index, *value));
            }
        });
        entries
    }

    /// The array in row-major order. Entries with the same index are summed.
    ///
    /// Takes time linear in the number of entries and of elements.
    ///
    /// # Errors
    /// If memory for it cannot be allocated.
    pub fn to_dense(&self) -> Result<Vec<T>, BuildError> {
        let shape = self.storage.shape();
        let mut dense = Vec::new();
        let len = shape.iter().try_fold(1usize, |len, size| len.checked_mul(*size));
        let len = len.filter(|len| MEMORY.reserve_exact(&mut dense, *len).is_ok());
        let len = len.ok_or(BuildError::OutOfMemory { level: 0, positions: usize::MAX })?;
        dense.resize(len, T::Wide::ZERO);
        self.for_each(|index, value| {
            let at = row_major(shape, index.as_ref());
            // Zero plus a negative zero is zero, so only entries with the same index are added.
            dense[at] = match const { E::SPEC.repeats() } {
                true => dense[at].plus(value.widen()),
                false => value.widen(),
            };
        });
        Ok(T::narrow_all(dense))
    }

    /// The value at `index`: zero if none is stored, and the sum if a `nonunique` level stores several, as in
    /// [`SparseTensor::to_dense`].
    ///
    /// ```
    /// use tensor_layout::sparse::{SparseTensor, formats::Csr};
    /// let matrix = SparseTensor::<Csr, f64>::from_dense([2, 3], &[0.0, 5.0, 0.0, 7.0, 0.0, 9.0])?;
    /// assert_eq!((matrix.get([1, 2]), matrix.get([0, 0])), (9.0, 0.0));
    /// # Ok::<(), tensor_layout::sparse::BuildError>(())
    /// ```
    ///
    /// Takes the time of [`SparseTensor::locate`].
    ///
    /// # Panics
    /// If `index` is out of bounds, as slice indexing does.
    #[inline]
    pub fn get(&self, index: E::Index /* a.get([i, j]) */) -> T {
        if const { !E::SPEC.repeats() } {
            return self
                .locate(index)
                .map_or(T::ZERO, |position| self.storage.parts.values[position]);
        }
        let mut sum: Option<T::Wide> = None;
        self.seek(index, |position| {
            let value = self.storage.parts.values[position].widen();
            sum = Some(sum.map_or(value, |sum| sum.plus(value)));
            false
        });
        sum.map_or(T::ZERO, T::narrow)
    }

    /// The position of the value at `index` among the values; `None` if it is not stored. If several are stored, it is the
    /// first one or, if the encoding adds zeros below a `nonunique` level, the first one that is not zero.
    ///
    /// Takes a binary search for each level that stores coordinates in order, and a search through the segment for a level that is
    /// `nonordered`, stores gaps, or counts entries.
    ///
    /// # Panics
    /// If `index` is out of bounds, as slice indexing does.
    #[inline]
    pub fn locate(&self, index: E::Index) -> Option<usize> {
        let mut found = None;
        self.seek(index, |position| {
            // Zeros that the encoding adds can be stored before the given values.
            let given =
                const { !E::SPEC.repeats_fill() } || !self.storage.parts.values[position].is_zero();
            if given || found.is_none() {
                found = Some(position);
            }
            given
        });
        found
    }

    /// The value at `index`, as a mutable reference; `None` if it is not stored. If several are stored, it is the value that
    /// [`SparseTensor::locate`] finds.
    ///
    /// # Panics
    /// If `index` is out of bounds, as slice indexing does.
    pub fn get_mut(&mut self, index: E::Index) -> Option<&mut T> {
        let position = self.locate(index)?;
        Some(&mut self.storage.parts.values[position])
    }
}

/// The number of an index in row-major order.
pub(super) fn row_major(shape: &[usize], index: &[usize]) -> usize {
    shape.iter().zip(index).fold(0, |at, (size, x)| at * size + x)
}

/// The entries of a tensor in storage order, from [`SparseTensor::iter`].
///
/// ```
/// use tensor_layout::sparse::{SparseTensor, formats::Csc};
/// let matrix = SparseTensor::<Csc, f64>::from_dense([2, 3], &[0.0, 5.0, 0.0, 7.0, 0.0, 9.0])?;
/// assert!(matrix.iter().eq([([1, 0], &7.0), ([0, 1], &5.0), ([1, 2], &9.0)]));
/// # Ok::<(), tensor_layout::sparse::BuildError>(())
/// ```
pub struct Iter<'a, E: Encoding, T> {
    cursor: Cursor<'a, E::Position, E::Coordinate, T>,
    tensor: &'a SparseTensor<E, T>,
}

impl<'a, E: Encoding, T> Iterator for Iter<'a, E, T> {
    type Item = (E::Index, &'a T);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let position = self.cursor.next_position()?;
            if let Some(found) = self.cursor.index() {
                let mut index = E::Index::default();
                index.as_mut().copy_from_slice(&found);
                return Some((index, &self.tensor.storage.parts.values[position]));
            }
        }
    }
}

impl<'a, E: Encoding, T> IntoIterator for &'a SparseTensor<E, T> {
    type Item = (E::Index, &'a T);
    type IntoIter = Iter<'a, E, T>;

    fn into_iter(self) -> Iter<'a, E, T> {
        self.iter()
    }
}

impl<E: Encoding, T: Clone> Clone for SparseTensor<E, T> {
    fn clone(&self) -> Self {
        Self::from_storage(self.storage.clone())
    }
}

impl<E: Encoding, T: PartialEq> PartialEq for SparseTensor<E, T> {
    /// Whether both have the same arrays.
    fn eq(&self, other: &Self) -> bool {
        self.storage.parts == other.storage.parts
    }
}

impl<E: Encoding, T: fmt::Debug> fmt::Debug for SparseTensor<E, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.storage.parts.fmt(f)
    }
}

/// Writes the text of MLIR's `sparse_tensor.print`.
impl<E: Encoding, T: SparseElement> fmt::Display for SparseTensor<E, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.storage.print(&E::SPEC, f)
    }
}
