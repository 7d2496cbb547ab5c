//! Builds a sparse tensor from entries that arrive in storage order.

mod join;
mod segment;

pub(crate) use join::Joined;
pub use segment::{Refused, SegmentWriter};

use super::memory::MEMORY;
use super::tensor::{SparseTensor, Word};
use super::typed::Encoding;
use crate::require::require;
use alloc::vec::Vec;
use layout_core::sparse::storage::{
    BuildError, Duplicates, Home, LevelParts, Parts, Rule, Storage, extents,
};
use layout_core::sparse::{Coordinate, Extent, Position, Properties, SparseElement};

/// Builds a tensor from entries in storage order, like a kernel that computes a tensor.
///
/// Each entry is checked, so that the finished tensor can be read like any other. After an error, nothing more can be appended,
/// and no tensor is returned.
///
/// ```
/// use tensor_layout::sparse::{Appender, formats::Csr};
/// let mut rows = Appender::<Csr, f32, 2>::new([2, 3]).unwrap();
/// rows.push([0, 2], [0, 2], 1.0).unwrap();
/// rows.push([1, 0], [1, 0], 2.0).unwrap();
/// let rows = rows.finish().unwrap();
/// assert_eq!((rows.positions(1), rows.coordinates(1)), (&[0, 1, 2][..], &[2, 0][..]));
/// ```
pub struct Appender<E: Encoding, T, const N: usize> {
    shape: E::Index,
    /// The range of coordinates of each level. After an error, the range of the first level is empty.
    extents: [Extent; N],
    levels: [LevelParts<E::Position, Word<E>>; N],
    values: Vec<T>,
    /// The coordinates of the last entry, and its positions.
    last: [i64; N],
    at: [usize; N],
    /// The number of positions of each level that stores coordinates.
    count: [usize; N],
    /// The number of entries.
    appended: usize,
    failed: Option<BuildError>,
    /// The entries, for encodings with padding: they are stored at the end, when all are known.
    entries: Vec<(E::Index, T)>,
}

/// The path to an entry, down to some level.
struct Path {
    /// Whether it differs from the path to the last entry.
    fresh: bool,
    /// Whether a coordinate differs from the coordinate of the last entry.
    moved: bool,
    /// The position on the last level of the path.
    above: usize,
}

/// The constants of a level that the encoding determines.
#[derive(Clone, Copy)]
struct Constants {
    rule: Rule,
    /// The location of its coordinates in the arrays.
    home: Home,
    /// Whether each entry has a position of its own.
    nonunique: bool,
    ordered: bool,
    /// Whether each entry has a position of its own, and no two entries have the same coordinates down to this level.
    tells_apart: bool,
}

impl<E: Encoding, T: SparseElement, const N: usize> Appender<E, T, N> {
    const GROWS: bool = E::SPEC.grows();
    const CONSTANTS: [Constants; N] = {
        require(N == E::SPEC.levels().len(), "there is a coordinate for each level");
        let home = Home { level: 0, offset: 0, stride: 1 };
        let mut constants = [Constants {
            rule: Rule::Same,
            home,
            nonunique: false,
            ordered: true,
            tells_apart: false,
        }; N];
        let mut level = 0;
        while level < N {
            let Properties { nonunique, nonordered, .. } = E::SPEC.levels()[level].properties;
            let (rule, home) = (Rule::of(&E::SPEC, level), E::SPEC.home(level));
            let (ordered, tells_apart) = (!nonordered, E::SPEC.tells_apart(level));
            constants[level] = Constants { rule, home, nonunique, ordered, tells_apart };
            level += 1;
        }
        constants
    };
    /// Whether a coordinate can be repeated anywhere in a segment, so that only a check of the whole segment finds it.
    const REPEATS: bool = {
        let (mut repeats, mut all_ordered, mut level) = (false, true, 0);
        while level < N {
            let Constants { nonunique, ordered, tells_apart, .. } = Self::CONSTANTS[level];
            all_ordered &= ordered;
            repeats |= !ordered && !nonunique || tells_apart && !all_ordered;
            level += 1;
        }
        repeats
    };
    const LAST: Rule = Self::CONSTANTS[N - 1].rule;

    /// A tensor without entries.
    ///
    /// # Errors
    /// If the encoding cannot store an array of this shape.
    pub fn new(shape: E::Index) -> Result<Self, BuildError> {
        let extents = extents(const { &E::SPEC }, shape.as_ref())?;
        Ok(Self {
            shape,
            extents: core::array::from_fn(|level| extents[level]),
            levels: core::array::from_fn(|_| LevelParts::default()),
            values: Vec::new(),
            last: [0; N],
            at: [0; N],
            count: [0; N],
            appended: 0,
            failed: None,
            entries: Vec::new(),
        })
    }

    /// A tensor without entries in the memory of another tensor, whose entries are discarded.
    ///
    /// ```
    /// use tensor_layout::sparse::{Appender, Duplicates, SparseTensor, formats::Csr};
    /// let old = SparseTensor::<Csr, f32>::from_coo([2, 3], &[([1, 0], 1.0)], Duplicates::Error).unwrap();
    /// let values = old.values().as_ptr();
    /// let mut rows = Appender::<Csr, f32, 2>::reusing([1, 4], old).unwrap();
    /// rows.push([0, 3], [0, 3], 2.0).unwrap();
    /// let rows = rows.finish().unwrap();
    /// assert_eq!((rows.to_coo(), rows.values().as_ptr()), (vec![([0, 3], 2.0)], values));
    /// ```
    ///
    /// # Errors
    /// As for [`Appender::new`].
    pub fn reusing(shape: E::Index, old: SparseTensor<E, T>) -> Result<Self, BuildError> {
        let mut appender = Self::new(shape)?;
        let Parts { levels, mut values, .. } = old.disassemble();
        values.clear();
        appender.values = values;
        for (new, mut old) in appender.levels.iter_mut().zip(levels) {
            old.positions.clear();
            old.coordinates.clear();
            *new = old;
        }
        Ok(appender)
    }

    /// Reserves memory for `entries` further entries. This is a hint: if there is not enough memory, a later call reports it.
    pub fn reserve(&mut self, entries: usize) {
        if Self::GROWS && !matches!(Self::LAST, Rule::Full) {
            let home = Self::CONSTANTS[N - 1].home;
            let _ = MEMORY.reserve(&mut self.values, entries);
            let words = &mut self.levels[home.level].coordinates;
            let _ = MEMORY.reserve(words, entries.saturating_mul(home.stride));
        }
    }

    /// Appends an entry, with its index and its coordinates on all levels. Entries must arrive in storage order, each index once
    /// unless a level is `nonunique`. The coordinates of a level are compared with those of the previous entry if the coordinates
    /// on all levels above are the same, also below a `nonunique` level.
    ///
    /// # Errors
    /// If a level does not have the coordinate, if the coordinate does not come after the previous one, if a position does not fit
    /// its width, or if memory cannot be allocated. If levels have padding, [`Appender::finish`] reports mistakes in the indices.
    #[inline(always)]
    pub fn push(
        &mut self,
        index: E::Index,
        levels: [usize; N],
        value: T,
    ) -> Result<(), BuildError> {
        if !Self::GROWS {
            self.entries.push((index, value));
            return Ok(());
        }
        let appended = self.append(levels, value);
        appended.map_err(|error| self.fail(error))
    }

    #[inline(always)]
    fn append(&mut self, levels: [usize; N], value: T) -> Result<(), BuildError> {
        let Path { fresh, above, .. } = self.go::<true>(levels)?;
        if !fresh {
            return Err(self.disorder(N - 1, self.last[N - 1]));
        }
        if matches!(Self::LAST, Rule::Full) {
            if self.values.len() <= above {
                self.fill(above.saturating_add(1))?;
            }
            self.values[above] = value;
        } else {
            self.values.push(value);
        }
        self.appended += 1;
        Ok(())
    }

    /// Finds the position of an entry on all levels, or on all but the last one, and stores its coordinates.
    #[inline(always)]
    fn go<const ALL: bool>(&mut self, levels: [usize; N]) -> Result<Path, BuildError> {
        let first = self.appended == 0;
        let mut path = Path { fresh: first, moved: first, above: 0 };
        // Level by level, each with its own constants.
        macro_rules! steps {
            ($($level:literal)*) => { $(
                if const { $level < N - !ALL as usize } {
                    self.step::<$level>(levels[const { if $level < N { $level } else { 0 } }], &mut path)?;
                }
            )* };
        }
        steps!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
        Ok(path)
    }

    /// Finds the position of the entry on one level, and stores its coordinate if the position is new.
    #[inline(always)]
    fn step<const LEVEL: usize>(
        &mut self,
        coordinate: usize,
        path: &mut Path,
    ) -> Result<(), BuildError> {
        let Constants { rule, home, nonunique, ordered, tells_apart } =
            const { Self::CONSTANTS[if LEVEL < N { LEVEL } else { 0 }] };
        let (coordinate, above) = (coordinate as i64, path.above);
        let (extent, last) = (self.extents[LEVEL], self.last[LEVEL]);
        // One comparison is enough: a coordinate below the smallest wraps around to a large unsigned number.
        let offset = coordinate.wrapping_sub(extent.least) as usize;
        if offset >= extent.size {
            return Err(self.outside(LEVEL, coordinate));
        }
        let disorder = ordered && coordinate < last || tells_apart && coordinate == last;
        if disorder && !path.moved {
            return Err(self.disorder(LEVEL, coordinate));
        }
        path.moved |= last != coordinate;
        path.fresh |= nonunique || last != coordinate;
        self.last[LEVEL] = coordinate;
        if rule == Rule::Full {
            let first = above.checked_mul(extent.size);
            let position = first.and_then(|first| first.checked_add(offset));
            let memory = || BuildError::OutOfMemory { level: LEVEL, positions: usize::MAX };
            path.above = position.ok_or_else(memory)?;
            return Ok(());
        }
        if path.fresh {
            let position = self.count[LEVEL];
            self.open(LEVEL, rule, above)?;
            let words = &mut self.levels[home.level].coordinates;
            if !E::Coordinate::push(words, position * home.stride + home.offset, coordinate) {
                let (entry, bits) = (self.appended, E::Coordinate::BITS);
                return Err(BuildError::CoordinateOverflow {
                    level: LEVEL,
                    coordinate,
                    entry,
                    bits,
                });
            }
            self.at[LEVEL] = position;
            self.count[LEVEL] = position + 1;
        }
        path.above = self.at[LEVEL];
        Ok(())
    }

    /// Fills the array of positions up to the start of the segment below `above`, which gets its first position.
    #[inline(always)]
    fn open(&mut self, level: usize, rule: Rule, above: usize) -> Result<(), BuildError> {
        if !rule.has_positions() {
            return Ok(());
        }
        let open = rule.positions(above).unwrap_or(usize::MAX);
        match self.levels[level].positions.len() < open {
            true => self.close(level, open, above),
            false => Ok(()),
        }
    }

    /// Fills the array of positions up to length `needed` with the end of the last segment. `above` is the number of
    /// positions above.
    #[inline]
    fn close(&mut self, level: usize, needed: usize, above: usize) -> Result<(), BuildError> {
        let position = position(level, self.count[level])?;
        let positions = &mut self.levels[level].positions;
        let more = needed.saturating_sub(positions.len());
        if MEMORY.reserve(positions, more).is_err() {
            return Err(BuildError::OutOfMemory { level, positions: above });
        }
        positions.resize(needed, position);
        Ok(())
    }

    /// Fills the values up to length `count` with zeros.
    #[inline]
    fn fill(&mut self, count: usize) -> Result<(), BuildError> {
        let more = count.saturating_sub(self.values.len());
        if MEMORY.reserve(&mut self.values, more).is_err() {
            return Err(BuildError::OutOfMemory { level: N - 1, positions: count });
        }
        self.values.resize(count, T::ZERO);
        Ok(())
    }

    /// Stores the first error, so that no tensor is made of incomplete arrays.
    #[cold]
    #[inline(never)]
    fn fail(&mut self, error: BuildError) -> BuildError {
        // The first level now has no coordinates, so the next entry fails without a check of its own.
        self.extents[0].size = 0;
        self.failed.get_or_insert(error).clone()
    }

    #[cold]
    #[inline(never)]
    fn outside(&self, level: usize, coordinate: i64) -> BuildError {
        let (Extent { least, size }, entry) = (self.extents[level], self.appended);
        BuildError::Coordinate { level, coordinate, entry, least, size }
    }

    #[cold]
    #[inline(never)]
    fn disorder(&self, level: usize, coordinate: i64) -> BuildError {
        let (last, entry) = (self.last[level], self.appended);
        BuildError::Sequence { level, coordinate, entry, last }
    }

    /// The finished tensor.
    ///
    /// # Errors
    /// If an entry could not be appended, if a coordinate is repeated in a level without order, if a position does not fit its
    /// width, or if memory for a full level cannot be allocated. If levels have padding, also the errors of
    /// [`SparseTensor::from_coo`].
    pub fn finish(mut self) -> Result<SparseTensor<E, T>, BuildError> {
        if let Some(error) = self.failed {
            return Err(error);
        }
        if !Self::GROWS {
            return SparseTensor::from_coo(self.shape, &self.entries, Duplicates::Error);
        }
        self.close_all()?;
        self.sealed()
    }

    /// Fills the arrays of all levels, and the values, up to their ends.
    fn close_all(&mut self) -> Result<(), BuildError> {
        let mut above = 1usize;
        for level in 0..N {
            let rule = Self::CONSTANTS[level].rule;
            let memory = BuildError::OutOfMemory { level, positions: above };
            if rule.has_positions() {
                let needed = rule.positions(above).ok_or_else(|| memory.clone())?;
                self.close(level, needed, above)?;
            }
            above = match rule {
                Rule::Full => above.checked_mul(self.extents[level].size).ok_or(memory)?,
                _ => self.count[level],
            };
        }
        self.fill(above)
    }

    /// The tensor of the arrays, which must be complete.
    fn sealed(self) -> Result<SparseTensor<E, T>, BuildError> {
        let shape = self.shape.as_ref().to_vec();
        let parts = Parts { shape, levels: self.levels.into(), values: self.values };
        if Self::REPEATS {
            let assembled = SparseTensor::assemble(parts);
            return assembled.map_err(|rejected| BuildError::Arrays(rejected.error.into()));
        }
        Ok(SparseTensor::from_storage(Storage::seal(
            const { &E::SPEC },
            parts,
            self.extents.into(),
        )?))
    }
}

#[inline(always)]
fn position<P: Position>(level: usize, position: usize) -> Result<P, BuildError> {
    let Some(fits) = P::new(position) else {
        return Err(BuildError::PositionOverflow { level, position, bits: P::BITS });
    };
    Ok(fits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sparse::formats::{Coo, Csc, Csr};
    use crate::sparse::types::*;
    use crate::sparse::{Bits2, Encoded};

    /// Appends the entries of a tensor that was built from the same entries, and compares the arrays.
    fn check<E: Encoding<Index = [usize; 2]>, const N: usize>() {
        let mut dense = [0.0; 8 * 12];
        for at in [0, 3, 4, 13, 40, 41, 44, 66, 90, 95] {
            dense[at] = at as f64 + 1.0;
        }
        let built = SparseTensor::<E, f64>::from_dense([8, 12], &dense).unwrap();
        let mut appender = Appender::<E, f64, N>::new([8, 12]).unwrap();
        built.for_each(|index, value| {
            let levels = E::SPEC.target(&index);
            let levels = core::array::from_fn::<_, N, _>(|level| levels[level] as usize);
            appender.push(index, levels, *value).unwrap();
        });
        let appended = appender.finish().unwrap();
        assert_eq!(appended, built);
        assert!(SparseTensor::<E, f64>::assemble(appended.disassemble()).is_ok());
    }

    #[test]
    fn appended_tensors_are_those_that_are_built() {
        check::<Csr, 2>();
        check::<Csr<u32, u8>, 2>();
        check::<Csc, 2>();
        check::<Coo, 2>();
        check::<Encoded<Rank<2>, (Level<Dim<0>, Compressed>, Level<Dim<1>, Compressed>)>, 2>();
        check::<Encoded<Rank<2>, (Level<Dim<0>, Dense>, Level<Dim<1>, LooseCompressed>)>, 2>();
        check::<Encoded<Rank<2>, (Level<Dim<0>, Compressed>, Level<Dim<1>, Dense>)>, 2>();
        check::<Encoded<Rank<2>, (Level<Dim<0>, Dense>, Level<Dim<1>, Delta<2>>)>, 2>();
        type Bsr = Encoded<
            Rank<2>,
            (
                Level<Floordiv<Dim<0>, 2>, Dense>,
                Level<Floordiv<Dim<1>, 3>, Compressed>,
                Level<Mod<Dim<0>, 2>, Dense>,
                Level<Mod<Dim<1>, 3>, Dense>,
            ),
        >;
        check::<Bsr, 4>();
        type Nv = Encoded<
            Rank<2>,
            (
                Level<Dim<0>, Dense>,
                Level<Floordiv<Dim<1>, 4>, Dense>,
                Level<Mod<Dim<1>, 4>, Structured<3, 4>>,
            ),
            usize,
            Bits2,
        >;
        let empty = Appender::<Nv, f64, 3>::new([2, 4]).unwrap().finish().unwrap();
        assert_eq!(empty, SparseTensor::from_coo([2, 4], &[], Duplicates::Error).unwrap());
        let empty = Appender::<Csr, f64, 2>::new([3, 4]).unwrap().finish().unwrap();
        assert_eq!(empty.positions(1), [0, 0, 0, 0]);
    }

    #[test]
    fn a_position_that_does_not_fit_is_an_error() {
        let mut rows = Appender::<Csr<u8, usize>, f64, 2>::new([2, 400]).unwrap();
        for j in 0..300 {
            rows.push([0, j], [0, j], 1.0).unwrap();
        }
        let error = rows.finish().unwrap_err();
        assert!(matches!(error, BuildError::PositionOverflow { level: 1, position: 300, bits: 8 }));
    }
}
