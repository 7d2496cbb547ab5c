use super::element::SparseElement;
use super::encoding::SparseEncoding;
use super::extent::Extent;
use super::format::LevelFormat;
use super::storage::{BuildError, Duplicates, Home, LevelParts, Parts, Rule, Storage, extents};
use super::tensor::{SparseTensor, Word};
use super::typed::Encoding;
use super::width::{Coordinate, Position};
use alloc::vec::Vec;

/// A tensor that grows by entries in storage order, level by level: what a kernel writes its result with.
///
/// ```
/// use layout_core::sparse::{Appender, formats::Csr};
/// let mut rows = Appender::<Csr, f32, 2>::new([2, 3]).unwrap();
/// rows.push([0, 2], [0, 2], 1.0).unwrap();
/// rows.push([1, 0], [1, 0], 2.0).unwrap();
/// let rows = rows.finish().unwrap();
/// assert_eq!((rows.positions(1), rows.coordinates(1)), (&[0, 1, 2][..], &[2, 0][..]));
/// ```
pub struct Appender<E: Encoding, T, const N: usize> {
    shape: E::Index,
    extents: Vec<Extent>,
    levels: [LevelParts<E::Position, Word<E>>; N],
    values: Vec<T>,
    /// Coordinates of the last entry, and its places.
    last: [i64; N],
    at: [usize; N],
    /// Places of each level that stores coordinates.
    count: [usize; N],
    any: bool,
    /// Entries of encodings that have padding among their places, to be sorted in at the end.
    entries: Vec<(E::Index, T)>,
}

/// The way to an entry, so far.
struct Path {
    /// Whether it left that of the last entry.
    fresh: bool,
    /// The place.
    above: usize,
}

impl SparseEncoding {
    /// Whether places follow from entries one by one: no level pads.
    const fn grows(&self) -> bool {
        let mut level = 0;
        while level < self.levels().len() {
            let format = self.levels()[level].format;
            if matches!(
                format,
                LevelFormat::Structured { .. } | LevelFormat::Delta { .. } | LevelFormat::Batch
            ) {
                return false;
            }
            level += 1;
        }
        !self.counts()
    }
}

impl<E: Encoding, T: SparseElement, const N: usize> Appender<E, T, N> {
    const GROWS: bool = E::SPEC.grows();
    /// What is constant of each level: its rule, where its coordinates are, and whether each entry has a place of its own.
    const CONSTANTS: [(Rule, Home, bool); N] = {
        assert!(N == E::SPEC.levels().len(), "there is a coordinate for each level");
        let mut constants = [(Rule::Same, Home { level: 0, offset: 0, stride: 1 }, false); N];
        let mut level = 0;
        while level < N {
            let nonunique = E::SPEC.levels()[level].properties.nonunique;
            constants[level] = (Rule::of(&E::SPEC, level), E::SPEC.home(level), nonunique);
            level += 1;
        }
        constants
    };
    const LAST: Rule = Self::CONSTANTS[N - 1].0;

    /// A tensor without entries.
    ///
    /// # Errors
    /// If the encoding cannot store an array of this shape.
    pub fn new(shape: E::Index) -> Result<Self, BuildError> {
        let extents = extents(const { &E::SPEC }, shape.as_ref())?;
        Ok(Self {
            shape,
            extents,
            levels: core::array::from_fn(|_| LevelParts::default()),
            values: Vec::new(),
            last: [0; N],
            at: [0; N],
            count: [0; N],
            any: false,
            entries: Vec::new(),
        })
    }

    /// Makes room for so many further entries. A hint: where there is no room, it is found later.
    pub fn reserve(&mut self, entries: usize) {
        if Self::GROWS && !matches!(Self::LAST, Rule::Full) {
            let (_, home, _) = Self::CONSTANTS[N - 1];
            let _ = self.values.try_reserve(entries);
            let _ = self.levels[home.level].coordinates.try_reserve(entries * home.stride);
        }
    }

    /// Appends an entry, with its index and its coordinates on all levels. Entries come in storage order.
    ///
    /// # Errors
    /// If a coordinate or a position does not fit its width.
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
        let mut path = Path { fresh: !self.any, above: 0 };
        // Level by level, each with its own constants.
        macro_rules! steps {
            ($($level:literal)*) => { $(
                if const { $level < N } {
                    self.step::<$level>(levels[const { if $level < N { $level } else { 0 } }], &mut path)?;
                }
            )* };
        }
        steps!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
        let above = path.above;
        self.any = true;
        if matches!(Self::LAST, Rule::Full) {
            if self.values.len() <= above {
                self.values.resize(above + 1, T::ZERO);
            }
            self.values[above] = value;
        } else {
            self.values.push(value);
        }
        Ok(())
    }

    /// Goes to the place of the entry on one level.
    #[inline(always)]
    fn step<const LEVEL: usize>(
        &mut self,
        coordinate: usize,
        path: &mut Path,
    ) -> Result<(), BuildError> {
        let (rule, home, nonunique) = const { Self::CONSTANTS[if LEVEL < N { LEVEL } else { 0 }] };
        let (coordinate, above) = (coordinate as i64, path.above);
        path.fresh |= nonunique || self.last[LEVEL] != coordinate;
        self.last[LEVEL] = coordinate;
        if rule == Rule::Full {
            let extent = self.extents[LEVEL];
            path.above = above * extent.size + (coordinate - extent.least) as usize;
            return Ok(());
        }
        if path.fresh {
            let place = self.count[LEVEL];
            self.open(LEVEL, rule, above)?;
            let words = &mut self.levels[home.level].coordinates;
            if !E::Coordinate::push(words, place * home.stride + home.offset, coordinate) {
                let (entry, bits) = (self.values.len(), E::Coordinate::BITS);
                return Err(BuildError::CoordinateOverflow {
                    level: LEVEL,
                    coordinate,
                    entry,
                    bits,
                });
            }
            self.at[LEVEL] = place;
            self.count[LEVEL] = place + 1;
        }
        path.above = self.at[LEVEL];
        Ok(())
    }

    /// Positions up to the segment below place `above`, which is to get a place.
    #[inline(always)]
    fn open(&mut self, level: usize, rule: Rule, above: usize) -> Result<(), BuildError> {
        let (count, positions) = (self.count[level], &mut self.levels[level].positions);
        let open = match rule {
            Rule::Segment => above + 1,
            Rule::Interval => 2 * above + 1,
            _ => return Ok(()),
        };
        if positions.len() < open {
            let position = position(level, count)?;
            while positions.len() < open {
                positions.push(position);
            }
        }
        Ok(())
    }

    /// The tensor.
    ///
    /// # Errors
    /// If a position does not fit its width, or there is no memory for a full level.
    pub fn finish(mut self) -> Result<SparseTensor<E, T>, BuildError> {
        if !Self::GROWS {
            return SparseTensor::from_coo(self.shape, &self.entries, Duplicates::Error);
        }
        let (mut above, mut places) = (1usize, Vec::new());
        for level in 0..N {
            let count = self.count[level];
            let (rule, ..) = Self::CONSTANTS[level];
            let positions = &mut self.levels[level].positions;
            let memory = BuildError::OutOfMemory { level, places: above };
            if let Some(needed) = rule.positions(above)
                && rule.has_positions()
            {
                let more = needed.saturating_sub(positions.len());
                positions.try_reserve(more).map_err(|_| memory.clone())?;
                positions.resize(needed, position(level, count)?);
            }
            above = match rule {
                Rule::Full => above.checked_mul(self.extents[level].size).ok_or(memory)?,
                _ => count,
            };
            places.push(above);
        }
        let level = N - 1;
        let more = above.saturating_sub(self.values.len());
        self.values
            .try_reserve(more)
            .map_err(|_| BuildError::OutOfMemory { level, places: above })?;
        self.values.resize(above, T::ZERO);
        let shape = self.shape.as_ref().to_vec();
        let parts = Parts { shape, levels: self.levels.into(), values: self.values };
        Ok(SparseTensor::new(Storage { parts, extents: self.extents, places, batches: 1 }))
    }
}

#[inline(always)]
fn position<P: Position>(level: usize, position: usize) -> Result<P, BuildError> {
    P::new(position).ok_or(BuildError::PositionOverflow { level, position, bits: P::BITS })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sparse::formats::{Coo, Csc, Csr};
    use crate::sparse::types::*;
    use crate::sparse::{Bits2, Encoded};

    /// Appends what is built from entries, and compares the arrays.
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
