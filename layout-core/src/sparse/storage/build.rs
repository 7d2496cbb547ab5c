use super::super::element::SparseElement;
use super::super::encoding::SparseEncoding;
use super::super::extent::Extent;
use super::super::format::LevelFormat;
use super::super::width::{Coordinate, Position};
use super::keys::Keys;
use super::{BuildError, Duplicates, LevelParts, Parts, Storage, widest_gap};
use alloc::vec::Vec;
use core::ops::Range;

/// The entries below one position, as a range of the sorted entries.
type Node = Range<usize>;

impl<P: Position, C: Coordinate, T: SparseElement> Storage<P, C, T> {
    /// Stores `entries` entries in any order.
    ///
    /// Sorts them, then goes from level to level: each position of a level has a range of the entries, which the next level
    /// divides among its own positions.
    pub fn build<'a>(
        encoding: &SparseEncoding,
        shape: &[usize],
        entries: usize,
        index: impl Fn(usize) -> &'a [usize],
        value: impl Fn(usize) -> T,
        duplicates: Duplicates,
    ) -> Result<Self, BuildError> {
        let extents = extents(encoding, shape)?;
        let keys = Keys::new(encoding, shape, &extents, entries, index, duplicates)?;
        let mut nodes = alloc::vec![Node { start: 0, end: keys.order.len() }];
        let first = encoding.batch_levels();
        for (level, extent) in extents.iter().enumerate().take(first) {
            nodes = full::<T>(&keys, level, *extent, nodes)?;
        }
        let batches = nodes.len();
        let mut built = Vec::with_capacity(batches);
        for node in nodes {
            let mut build = Build {
                encoding,
                keys: &keys,
                extents: &extents,
                levels: Vec::new(),
                counts: alloc::vec![1; first],
                value: &value,
            };
            let values = build.batch::<C, T>(first, node)?;
            built.push((build.levels, build.counts, values));
        }
        let (mut levels, values) = super::batch::join::<P, C, T>(encoding, built);
        let shape = shape.to_vec();
        super::interleave::interleave(encoding, &mut levels);
        Self::seal(encoding, Parts { shape, levels, values }, extents)
    }
}

/// The range of coordinates of each level, if the encoding can store an array of `shape`.
pub fn extents(encoding: &SparseEncoding, shape: &[usize]) -> Result<Vec<Extent>, BuildError> {
    if encoding.is_slice() {
        return Err(BuildError::Slice);
    }
    let known: Vec<_> = shape.iter().copied().map(Some).collect();
    if let Some(problem) = encoding.array_problems(&known, None).into_iter().next() {
        return Err(BuildError::Shape(problem));
    }
    // No extent is missing: `array_problems` reports those that overflow.
    Ok(encoding.levels().iter().filter_map(|level| level.expr.extent(shape)).collect())
}

/// One position for each coordinate of a level.
fn full<T>(
    keys: &Keys,
    level: usize,
    extent: Extent,
    nodes: Vec<Node>,
) -> Result<Vec<Node>, BuildError> {
    let count = nodes.len().saturating_mul(extent.size);
    let mut below = Vec::new();
    // One value for each position must fit the address space too.
    let fits = count.checked_mul(size_of::<T>()).is_some_and(|bytes| bytes <= isize::MAX as usize);
    if !fits || below.try_reserve_exact(count).is_err() {
        return Err(BuildError::OutOfMemory { level, positions: count });
    }
    for node in nodes {
        let mut start = node.start;
        for coordinate in extent.least..extent.least + extent.size as i64 {
            let mut end = start;
            while end < node.end && keys.coordinate(end, level) == coordinate {
                end += 1;
            }
            below.push(start..end);
            start = end;
        }
    }
    Ok(below)
}

struct Build<'a, P, W, F> {
    encoding: &'a SparseEncoding,
    keys: &'a Keys,
    extents: &'a [Extent],
    levels: Vec<LevelParts<P, W>>,
    /// The number of positions of each level.
    counts: Vec<usize>,
    value: &'a F,
}

impl<P: Position, W: Copy, F> Build<'_, P, W, F> {
    /// Builds the levels from `first` on for the entries of one batch, and returns its values.
    fn batch<C: Coordinate<Word = W>, T: SparseElement>(
        &mut self,
        first: usize,
        node: Node,
    ) -> Result<Vec<T>, BuildError>
    where
        F: Fn(usize) -> T,
    {
        let mut nodes = Vec::from([node]);
        for level in first..self.extents.len() {
            let mut parts = LevelParts::default();
            nodes = match self.encoding.levels()[level].format {
                format if format.is_full() => {
                    full::<T>(self.keys, level, self.extents[level], nodes)?
                }
                format => {
                    let mut stored = Stored::<P, C, F> {
                        build: self,
                        level,
                        parts: &mut parts,
                        below: Vec::new(),
                    };
                    stored.level(format, nodes)?;
                    stored.below
                }
            };
            self.counts.push(nodes.len());
            self.levels.push(parts);
        }
        let mut values = Vec::new();
        let level = self.extents.len() - 1;
        if values.try_reserve_exact(nodes.len()).is_err() {
            return Err(BuildError::OutOfMemory { level, positions: nodes.len() });
        }
        values.extend(nodes.into_iter().map(|node| self.value(node)));
        Ok(values)
    }

    /// The value at a position: that of its entry, or the sum of all entries with its index.
    fn value<T: SparseElement>(&self, node: Node) -> T
    where
        F: Fn(usize) -> T,
    {
        if node.is_empty() {
            return T::ZERO;
        }
        match self.keys.ends.get(node.start) {
            None => (self.value)(self.keys.order[node.start]),
            Some(&end) => {
                let start = if node.start == 0 { 0 } else { self.keys.ends[node.start - 1] };
                let values =
                    self.keys.sorted[start..end].iter().map(|entry| (self.value)(*entry).widen());
                values.reduce(T::Wide::plus).map_or(T::ZERO, T::narrow)
            }
        }
    }
}

/// The arrays of a level that stores coordinates, as they grow.
struct Stored<'b, 'a, P, C: Coordinate, F> {
    build: &'b Build<'a, P, C::Word, F>,
    level: usize,
    parts: &'b mut LevelParts<P, C::Word>,
    below: Vec<Node>,
}

impl<P: Position, C: Coordinate, F> Stored<'_, '_, P, C, F> {
    fn level(&mut self, format: LevelFormat, nodes: Vec<Node>) -> Result<(), BuildError> {
        if self.build.encoding.is_padded(self.level) {
            return nodes.into_iter().try_for_each(|node| self.slot(node));
        }
        let nonunique = self.build.encoding.levels()[self.level].properties.nonunique;
        match format {
            LevelFormat::Singleton => nodes.into_iter().try_for_each(|node| self.slot(node))?,
            LevelFormat::Structured { n, m } => {
                nodes.into_iter().try_for_each(|node| self.structured(node, n, m))?;
            }
            LevelFormat::LooseCompressed => {
                for node in nodes {
                    self.bound()?;
                    self.groups(node, nonunique)?;
                    self.bound()?;
                }
                // Unused, but MLIR's array has it.
                self.bound()?;
            }
            LevelFormat::Delta { bits } => {
                self.bound()?;
                for node in nodes {
                    self.gaps(node, bits)?;
                    self.bound()?;
                }
            }
            _ => {
                self.bound()?;
                for node in nodes {
                    self.groups(node, nonunique)?;
                    self.bound()?;
                }
            }
        }
        Ok(())
    }

    fn coordinate(&self, at: usize) -> i64 {
        self.build.keys.coordinate(at, self.level)
    }

    /// Where the entries with the coordinate of the one at `start` end.
    fn group(&self, start: usize, end: usize) -> usize {
        let coordinate = self.coordinate(start);
        (start + 1..end).find(|at| self.coordinate(*at) != coordinate).unwrap_or(end)
    }

    /// Stores one position for each coordinate, or with `nonunique` one for each entry.
    fn groups(&mut self, node: Node, nonunique: bool) -> Result<(), BuildError> {
        let mut start = node.start;
        while start < node.end {
            let end = if nonunique { start + 1 } else { self.group(start, node.end) };
            self.push(self.coordinate(start), start..end)?;
            start = end;
        }
        Ok(())
    }

    /// Stores the one position of a singleton, or of a slot, which may be empty.
    fn slot(&mut self, node: Node) -> Result<(), BuildError> {
        let coordinate = if node.is_empty() { 0 } else { self.coordinate(node.start) };
        self.push(coordinate, node)
    }

    /// Stores `n` positions: those of the entries, filled up with the first coordinates that have no entry.
    ///
    /// With `n = 2`, `m = 4` and an entry at coordinate 3, coordinates 0 and 3 are stored, the first with value zero.
    fn structured(&mut self, node: Node, n: usize, m: usize) -> Result<(), BuildError> {
        let mut entries = 0;
        let mut start = node.start;
        while start < node.end {
            if entries == n {
                let entry = self.build.keys.order[start];
                return Err(BuildError::Structured { level: self.level, entry, n, m });
            }
            entries += 1;
            start = self.group(start, node.end);
        }
        let mut padding = n - entries;
        let mut start = node.start;
        for coordinate in 0..m as i64 {
            if start < node.end && self.coordinate(start) == coordinate {
                let end = self.group(start, node.end);
                self.push(coordinate, start..end)?;
                start = end;
            } else if padding > 0 {
                padding -= 1;
                self.push(coordinate, start..start)?;
            }
        }
        if start < node.end {
            let (coordinate, entry) = (self.coordinate(start), self.build.keys.order[start]);
            let (level, least, size) = (self.level, 0, m);
            return Err(BuildError::Coordinate { level, coordinate, entry, least, size });
        }
        Ok(())
    }

    /// Stores the gaps between coordinates. A gap that is too wide is bridged by positions without an entry: in 2 bits, whose
    /// widest gap is 3, coordinate 9 is stored as gaps 3, 3, 1, which stand for coordinates 3, 7, 9.
    fn gaps(&mut self, node: Node, bits: usize) -> Result<(), BuildError> {
        let widest = widest_gap(bits);
        let mut previous = -1;
        let mut start = node.start;
        while start < node.end {
            let coordinate = self.coordinate(start);
            let mut gap = coordinate - previous - 1;
            while gap > widest {
                self.push(widest, start..start)?;
                gap -= widest + 1;
            }
            let end = self.group(start, node.end);
            self.push(gap, start..end)?;
            previous = coordinate;
            start = end;
        }
        Ok(())
    }

    fn push(&mut self, coordinate: i64, node: Node) -> Result<(), BuildError> {
        let bits = self.build.encoding.draft().coordinate_bits;
        let fits = match bits {
            0 | 64 => true,
            _ if self.build.encoding.is_signed() => coordinate >> (bits - 1) == coordinate >> 63,
            _ => coordinate >> bits == 0,
        };
        let coordinates = &mut self.parts.coordinates;
        if !fits || !C::push(coordinates, self.below.len(), coordinate) {
            let entry = self.build.keys.order.get(node.start).copied().unwrap_or(0);
            return Err(BuildError::CoordinateOverflow {
                level: self.level,
                coordinate,
                entry,
                bits,
            });
        }
        self.below.push(node);
        Ok(())
    }

    /// Appends the number of positions so far to the array of positions.
    fn bound(&mut self) -> Result<(), BuildError> {
        let position = self.below.len();
        let bits = self.build.encoding.draft().position_bits;
        match P::new(position) {
            Some(narrow) if matches!(bits, 0 | 64) || position >> bits == 0 => {
                self.parts.positions.push(narrow);
                Ok(())
            }
            _ => Err(BuildError::PositionOverflow { level: self.level, position, bits }),
        }
    }
}
