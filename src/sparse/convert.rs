//! Conversion between encodings.

use super::memory::MEMORY;
use super::slice::duplicates;
use super::tensor::{PartsOf, SparseTensor};
use super::typed::{Encoding, WithDimsOf};
use alloc::vec::Vec;
use layout_core::sparse::storage::{
    BlockRows, BuildError, CHUNK, Chunks, Duplicates, LevelParts, OnChunk, Parts, Rows, Source,
    Storage, extents,
};
use layout_core::sparse::{
    Coordinate, Extent, LevelFormat, LevelSpec, MAX_RANK, Position, Properties, SparseElement,
    SparseEncoding,
};

/// The stored entries in storage order, as in [`SparseTensor::to_coo`].
impl<E: Encoding, T: SparseElement> Source<E::Index, T> for SparseTensor<E, T> {
    fn chunks(&self, f: &mut OnChunk<'_, E::Index, T>) {
        let mut chunks = Chunks::new(f);
        self.for_each(|index, value| {
            if chunks.wanted() && !(const { E::SPEC.fills() } && value.is_zero()) {
                chunks.push(index, *value);
            }
        });
        chunks.finish();
    }
}

impl<E: Encoding, T: SparseElement> SparseTensor<E, T> {
    /// The same tensor in the encoding `F`. Entries with the same index are kept apart if `F` has a `nonunique` level; otherwise
    /// they are an error. Zeros are left out if this encoding adds zeros to its entries, as blocks do.
    ///
    /// ```
    /// use tensor_layout::sparse::{SparseTensor, formats::{Csc, Csr}};
    /// let rows = SparseTensor::<Csr, f64>::from_dense([2, 3], &[0.0, 5.0, 0.0, 7.0, 0.0, 9.0])?;
    /// let columns = rows.convert::<Csc>()?;
    /// assert_eq!((rows.values(), columns.values()), (&[5.0, 7.0, 9.0][..], &[7.0, 5.0, 9.0][..]));
    /// # Ok::<(), tensor_layout::sparse::BuildError>(())
    /// ```
    ///
    /// Takes the time of [`SparseTensor::convert_with`].
    ///
    /// # Errors
    /// If the other encoding cannot store the array or one of the entries, or if memory cannot be allocated.
    pub fn convert<F: WithDimsOf<E>>(&self) -> Result<SparseTensor<F, T>, BuildError> {
        self.convert_with(duplicates(&F::SPEC))
    }

    /// The same tensor in another encoding, with a policy for entries with the same index.
    ///
    /// Takes time linear in the number of entries and the sizes of the arrays: each row of CSR is visited, even an empty one. Rows
    /// and columns are filled in two passes, of which the first counts the entries of each. If both encodings have the same order,
    /// or the same order of their outermost coordinates, one pass over the entries is enough; all other conversions go through a
    /// list of the entries.
    ///
    /// # Errors
    /// As for [`SparseTensor::convert`].
    pub fn convert_with<F: WithDimsOf<E>>(
        &self,
        duplicates: Duplicates,
    ) -> Result<SparseTensor<F, T>, BuildError> {
        let (shape, spec) = (self.shape(), const { &F::SPEC });
        let extents = extents(spec, shape.as_ref())?;
        let direct = if const { exchanges(&E::SPEC, &F::SPEC) } {
            self.exchanged::<F>()
        } else if const { lists(&E::SPEC, &F::SPEC) } {
            self.listed::<F>()
        } else if const { blocks(&E::SPEC, &F::SPEC).is_some() } {
            self.blocked::<F>(&extents)
        } else {
            None
        };
        if let Some(parts) = direct {
            let storage = Storage::seal(spec, parts, extents)?;
            return Ok(SparseTensor::from_storage(storage));
        }
        let (entries, distinct) = (self.number_of_entries(), const { !E::SPEC.repeats() });
        match Storage::convert(spec, shape.as_ref(), entries, distinct, self, duplicates, MEMORY)? {
            Some(storage) => Ok(SparseTensor::from_storage(storage)),
            None => SparseTensor::from_coo(shape, &self.to_coo(), duplicates),
        }
    }

    /// The entries as columns instead of rows, or the reverse: each coordinate is counted, and then the entries of each row are
    /// distributed to the columns. `None` if a width is too small or memory cannot be allocated.
    fn exchanged<F: Encoding<Index = E::Index>>(&self) -> Option<PartsOf<F, T>> {
        let Storage { parts, extents, .. } = &self.storage;
        let LevelParts { positions, coordinates } = &parts.levels[1];
        let columns = |range| E::Coordinate::segment(coordinates, range, 1, 0);
        F::Position::new(parts.values.len())?;
        let mut rows = Rows::<F::Position, F::Coordinate, T>::new(extents[1].size, MEMORY)?;
        let mut batch = [0; CHUNK];
        let mut all = columns(0..parts.values.len());
        loop {
            let mut len = 0;
            for (to, j) in batch.iter_mut().zip(&mut all) {
                *to = j as usize;
                len += 1;
            }
            if len == 0 {
                break;
            }
            rows.count(&batch[..len]);
        }
        rows.start()?;
        for (i, ends) in positions.windows(2).enumerate() {
            let row = ends[0].get()..ends[1].get();
            let entries = columns(row.clone()).zip(&parts.values[row]);
            rows.put(entries.map(|(j, value)| (j as usize, i as i64, *value)));
        }
        // Each column got its entries row by row.
        let (last, values) = rows.finish_sorted()?;
        let levels = [LevelParts::default(), last].into();
        Some(Parts { shape: parts.shape.clone(), levels, values })
    }

    /// The blocks of rows. `None` if a width is too small or memory cannot be allocated.
    fn blocked<F: Encoding<Index = E::Index>>(&self, extents: &[Extent]) -> Option<PartsOf<F, T>> {
        let parts = &self.storage.parts;
        let LevelParts { positions, coordinates } = &parts.levels[1];
        let [height, width] = const { blocks(&E::SPEC, &F::SPEC) }?;
        let (rows, columns) = (extents[0].size, extents[1]);
        let (size, entries) = (height.checked_mul(width)?, parts.values.len());
        let mut made =
            BlockRows::<F::Position, F::Coordinate, T>::new(rows, columns, size, entries, MEMORY)?;
        for (i, ends) in positions.windows(2).enumerate() {
            made.enter(i / height)?;
            let row = ends[0].get()..ends[1].get();
            let columns = E::Coordinate::segment(coordinates, row.clone(), 1, 0);
            for (j, value) in columns.zip(&parts.values[row]) {
                let j = j as usize;
                made.put(j / width, i % height * width + j % width, *value)?;
            }
        }
        let (last, values) = made.finish()?;
        let levels = [LevelParts::default(), last, LevelParts::default(), LevelParts::default()];
        Some(Parts { shape: parts.shape.clone(), levels: levels.into(), values })
    }

    /// A list of the entries whose coordinates are next to each other. `None` if a width is too small or memory cannot be
    /// allocated.
    fn listed<F: Encoding<Index = E::Index>>(&self) -> Option<PartsOf<F, T>> {
        let rank = const { F::SPEC.rank() };
        let dims = const { dims(&F::SPEC) };
        let count = self.number_of_entries();
        let positions = [F::Position::new(0)?, F::Position::new(count)?].into();
        let (mut coordinates, mut values) = (Vec::new(), Vec::new());
        MEMORY.reserve_exact(&mut coordinates, count.checked_mul(rank)?).ok()?;
        MEMORY.reserve_exact(&mut values, count).ok()?;
        values.extend_from_slice(&self.storage.parts.values);
        // Written in chunks, so that the capacity is not checked for each entry.
        let mut chunk = [F::Coordinate::word(0); CHUNK];
        let mut filled = 0;
        self.for_each(|index, _| {
            if filled + rank > CHUNK {
                coordinates.extend_from_slice(&chunk[..filled]);
                filled = 0;
            }
            let entry = &mut chunk[filled..filled + rank];
            for (coordinate, dim) in entry.iter_mut().zip(dims) {
                *coordinate = F::Coordinate::word(index.as_ref()[dim] as i64);
            }
            filled += rank;
        });
        coordinates.extend_from_slice(&chunk[..filled]);
        let mut levels = Vec::from([LevelParts { positions, coordinates }]);
        levels.resize_with(rank, LevelParts::default);
        Some(Parts { shape: self.storage.parts.shape.clone(), levels, values })
    }
}

/// The dimension that each level stores, if all levels store whole dimensions; otherwise [`MAX_RANK`].
const fn dims(encoding: &SparseEncoding) -> [usize; MAX_RANK] {
    let mut dims = [MAX_RANK; MAX_RANK];
    let mut level = 0;
    while level < encoding.levels().len() && level < MAX_RANK {
        if let Some(dim) = encoding.levels()[level].expr.plain() {
            dims[level] = dim;
        }
        level += 1;
    }
    dims
}

/// Whether a level stores each coordinate of a segment once, in order.
const fn is_compressed(level: &LevelSpec) -> bool {
    let Properties { nonunique, nonordered, .. } = level.properties;
    matches!(level.format, LevelFormat::Compressed) && !nonunique && !nonordered
}

/// Whether one encoding stores rows, and the other columns.
const fn exchanges(from: &SparseEncoding, to: &SparseEncoding) -> bool {
    let ([a, b], [c, d]) = (from.levels(), to.levels()) else { return false };
    let ([i, j, ..], [k, l, ..]) = (dims(from), dims(to));
    let full = matches!((a.format, c.format), (LevelFormat::Dense, LevelFormat::Dense));
    let whole = i < MAX_RANK && j < MAX_RANK && i == l && j == k;
    full && whole
        && is_compressed(b)
        && is_compressed(d)
        && to.draft().coordinate_bits != 2
        && from.draft().coordinate_bits != 2
}

/// The numbers of rows and columns of a block, if the first encoding stores rows and the second stores blocks of these rows, or the
/// same for columns.
const fn blocks(from: &SparseEncoding, to: &SparseEncoding) -> Option<[usize; 2]> {
    let ([a, b], [c, d, e, f]) = (from.levels(), to.levels()) else { return None };
    let [i, j, ..] = dims(from);
    let full = matches!(
        (a.format, c.format, e.format, f.format),
        (LevelFormat::Dense, LevelFormat::Dense, LevelFormat::Dense, LevelFormat::Dense)
    );
    let words = to.draft().coordinate_bits != 2 && from.draft().coordinate_bits != 2;
    if !(full && words && i < MAX_RANK && j < MAX_RANK && is_compressed(b) && is_compressed(d)) {
        return None;
    }
    match (split(c, e, i), split(d, f, j)) {
        (Some(height), Some(width)) => Some([height, width]),
        _ => None,
    }
}

/// The number by which a dimension is divided, if one level stores its quotients and another one its remainders.
const fn split(quotients: &LevelSpec, remainders: &LevelSpec, dim: usize) -> Option<usize> {
    let (Some(quotient), Some(remainder)) = (quotients.expr.part(), remainders.expr.part()) else {
        return None;
    };
    let whole = quotient.form.terms() == 1 && quotient.form.coefficients[dim] == 1;
    if !whole || !quotient.form.same(&remainder.form) {
        return None;
    }
    match (quotient.digit.size, remainder.digit.size) {
        (None, Some(size)) if quotient.digit.div == size && remainder.digit.div == 1 => Some(size),
        _ => None,
    }
}

/// Whether the second encoding is a list of entries in the storage order of the first, in which no index occurs twice.
const fn lists(from: &SparseEncoding, to: &SparseEncoding) -> bool {
    let (levels, rank) = (from.levels(), to.rank());
    if levels.len() != rank || to.interleaved(0) != rank || to.draft().coordinate_bits == 2 {
        return false;
    }
    let mut level = 0;
    while level < rank {
        if to.tells_apart(level) {
            return false;
        }
        level += 1;
    }
    let compressed = matches!(to.levels()[0].format, LevelFormat::Compressed);
    let (from, to) = (dims(from), dims(to));
    level = 0;
    while level < rank {
        let full = matches!(levels[level].format, LevelFormat::Dense) && level + 1 < rank;
        if from[level] == MAX_RANK
            || from[level] != to[level]
            || !(full || is_compressed(&levels[level]))
        {
            return false;
        }
        level += 1;
    }
    compressed
}
