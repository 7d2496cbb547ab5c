//! Writes the arrays of all levels at once, from entries in storage order.

use super::super::encoding::{MAX_LEVELS, SparseEncoding};
use super::super::extent::Extent;
use super::super::format::LevelFormat;
use super::super::width::{Coordinate, Position};
use super::access::Home;
use super::batch::Batch;
use super::keys::{Keys, Target};
use super::{BuildError, LevelParts, Memory, widest_gap};
use crate::sparse::SparseElement;
use alloc::vec::Vec;
use core::ops::RangeInclusive;

/// How a level stores the coordinates of a segment.
#[derive(Clone, Copy)]
enum Kind {
    /// One position for each coordinate of the level.
    Full,
    /// One position for each coordinate that has an entry.
    Compressed,
    /// The same as `Compressed`, with both ends of each segment in the array of positions.
    Loose,
    /// The gaps between coordinates, of at most `widest`.
    Delta { widest: i64 },
    /// One position for each segment.
    Slot,
    /// `n` positions for each segment; always the last level.
    Structured { n: usize, m: usize },
}

/// The arrays of the levels from `first` on, as they grow.
///
/// A level is a list of segments, one for each position of the level above. The entries come in storage order, so at any
/// time one segment of each level is open: the one that the last entry is in.
pub(super) struct Writer<'a, P, C: Coordinate, T> {
    encoding: &'a SparseEncoding,
    extents: &'a [Extent],
    first: usize,
    kinds: [Kind; MAX_LEVELS],
    nonunique: [bool; MAX_LEVELS],
    /// The coordinates that fit the width of the encoding, which may be less than that of `C`.
    narrow: RangeInclusive<i64>,
    /// The array to which the coordinates of each level are written.
    homes: [Home; MAX_LEVELS],
    levels: Vec<LevelParts<P, C::Word>>,
    /// The number of positions of each level.
    counts: [usize; MAX_LEVELS],
    /// The coordinates of the last entry.
    last: Target,
    /// For the open segment of a full level, the first offset that has no position yet; for a segment of gaps, the least coordinate
    /// that may come next.
    next: [i64; MAX_LEVELS],
    /// The entries of the open segment of a structured level: their coordinates, numbers and values.
    pending: Vec<(i64, usize, T)>,
    started: bool,
    values: Vec<T>,
    /// Number of the current entry, for errors.
    number: usize,
    memory: Memory,
}

impl<'a, P: Position, C: Coordinate, T: SparseElement> Writer<'a, P, C, T> {
    /// Starts the only segment of level `first`, and reserves memory for `entries` entries. With `interleaves`, the
    /// coordinates of a run of levels are written to one array.
    pub(super) fn new(
        keys: &Keys<'a>,
        first: usize,
        entries: usize,
        interleaves: bool,
    ) -> Result<Self, BuildError> {
        let Keys { encoding, extents, memory, .. } = *keys;
        let mut kinds = [Kind::Full; MAX_LEVELS];
        let mut nonunique = [false; MAX_LEVELS];
        let mut homes = [Home { level: 0, offset: 0, stride: 1 }; MAX_LEVELS];
        for (level, spec) in encoding.levels().iter().enumerate() {
            kinds[level] = match spec.format {
                _ if encoding.is_padded(level) => Kind::Slot,
                LevelFormat::Dense | LevelFormat::Batch | LevelFormat::Range => Kind::Full,
                LevelFormat::Compressed => Kind::Compressed,
                LevelFormat::LooseCompressed => Kind::Loose,
                LevelFormat::Delta { bits } => Kind::Delta { widest: widest_gap(bits) },
                LevelFormat::Singleton => Kind::Slot,
                LevelFormat::Structured { n, m } => Kind::Structured { n, m },
            };
            nonunique[level] =
                spec.properties.nonunique && matches!(kinds[level], Kind::Compressed | Kind::Loose);
            homes[level] = match interleaves {
                true => encoding.home(level),
                false => Home { level, offset: 0, stride: 1 },
            };
        }
        let narrow = match encoding.draft().coordinate_bits {
            0 | 64 => i64::MIN..=i64::MAX,
            bits if encoding.is_signed() => -(1 << (bits - 1))..=(1 << (bits - 1)) - 1,
            bits => 0..=(1 << bits) - 1,
        };
        let mut levels = Vec::new();
        levels.resize_with(extents.len(), LevelParts::default);
        let mut writer = Self {
            encoding,
            extents,
            first,
            kinds,
            nonunique,
            narrow,
            homes,
            levels,
            counts: [0; MAX_LEVELS],
            last: [0; MAX_LEVELS],
            next: [0; MAX_LEVELS],
            pending: Vec::new(),
            started: false,
            values: Vec::new(),
            number: 0,
            memory,
        };
        writer.reserve(entries)?;
        for (level, kind) in kinds.iter().enumerate().take(extents.len()).skip(first) {
            if matches!(kind, Kind::Compressed | Kind::Delta { .. }) {
                writer.bounds(level, 1)?;
            }
        }
        Ok(writer)
    }

    /// Reserves the memory of the leading full levels and of `entries` entries.
    fn reserve(&mut self, entries: usize) -> Result<(), BuildError> {
        let (mut level, mut count) = (self.first, 1usize);
        let memory = |level: usize, positions| BuildError::OutOfMemory { level, positions };
        while level < self.extents.len() && matches!(self.kinds[level], Kind::Full) {
            let size = self.extents[level].size;
            let below = count.saturating_mul(size);
            self.check_values(level, below)?;
            (level, count) = (level + 1, below);
        }
        let full = level.saturating_sub(1);
        let Some(kind) = self.kinds[..self.extents.len()].get(level) else {
            let reserved = self.memory.reserve_exact(&mut self.values, count);
            return reserved.map_err(|_| memory(full, count));
        };
        let bounds = match kind {
            Kind::Compressed | Kind::Delta { .. } => count.saturating_add(1),
            Kind::Loose => count.saturating_mul(2).saturating_add(1),
            _ => 0,
        };
        let reserved = self.memory.reserve_exact(&mut self.levels[level].positions, bounds);
        reserved.map_err(|_| memory(full, count))?;
        // If no level pads, there are at most as many positions as entries.
        let last = self.extents.len() - 1;
        if matches!(self.kinds[last], Kind::Compressed | Kind::Loose | Kind::Slot) {
            let home = self.homes[last];
            let words = entries.saturating_mul(home.stride).div_ceil(C::PER_WORD);
            let list = &mut self.levels[home.level].coordinates;
            let reserved = self.memory.reserve_exact(list, words);
            reserved.map_err(|_| memory(last, entries))?;
            let reserved = self.memory.reserve_exact(&mut self.values, entries);
            reserved.map_err(|_| memory(last, entries))?;
        }
        Ok(())
    }

    /// Checks that one value for each position fits the address space.
    fn check_values(&self, level: usize, positions: usize) -> Result<(), BuildError> {
        match positions.checked_mul(size_of::<T>()) {
            Some(bytes) if bytes <= isize::MAX as usize => Ok(()),
            _ => Err(BuildError::OutOfMemory { level, positions }),
        }
    }

    /// Appends an entry, which must follow the last one in storage order. Its number is only for errors.
    #[inline]
    pub(super) fn push(
        &mut self,
        target: &Target,
        number: usize,
        value: T,
    ) -> Result<(), BuildError> {
        let count = self.extents.len();
        self.number = number;
        let mut level = self.first;
        if self.started {
            while level + 1 < count && target[level] == self.last[level] && !self.nonunique[level] {
                level += 1;
            }
            for below in (level + 1..count).rev() {
                self.close(below)?;
            }
        } else {
            self.started = true;
            if level < count {
                self.open(level)?;
            }
        }
        self.last = *target;
        for (at, &coordinate) in target.iter().enumerate().take(count).skip(level) {
            if at > level {
                self.open(at)?;
            }
            self.position(at, coordinate, value)?;
        }
        if !matches!(self.kinds[..count].last(), Some(Kind::Structured { .. })) {
            self.value(value)?;
        }
        Ok(())
    }

    /// Opens a segment.
    #[inline(always)]
    fn open(&mut self, level: usize) -> Result<(), BuildError> {
        self.next[level] = 0;
        match self.kinds[level] {
            Kind::Loose => self.bounds(level, 1),
            _ => Ok(()),
        }
    }

    /// Appends the position of a coordinate to the open segment.
    #[inline(always)]
    fn position(&mut self, level: usize, coordinate: i64, value: T) -> Result<(), BuildError> {
        match self.kinds[level] {
            Kind::Full => {
                let offset = coordinate - self.extents[level].least;
                let skipped = (offset - self.next[level]) as usize;
                self.next[level] = offset + 1;
                if skipped > 0 {
                    self.counts[level] += skipped;
                    self.fill(level + 1, skipped)?;
                }
                self.counts[level] += 1;
                Ok(())
            }
            Kind::Compressed | Kind::Loose | Kind::Slot => self.coordinate(level, coordinate),
            Kind::Delta { widest } => {
                let mut gap = coordinate - self.next[level];
                self.next[level] = coordinate + 1;
                if gap > widest {
                    // With gaps of at most 3, an entry at coordinate 9 of a new segment is stored as the gaps 3, 3 and 1: zeros
                    // at 3 and 7, then the entry. That is 9 / 4 = 2 more positions; as `u64`, since `widest + 1` may overflow.
                    self.reserve_coordinates(level, (gap as u64 / (widest as u64 + 1)) as usize)?;
                }
                while gap > widest {
                    self.coordinate(level, widest)?;
                    self.fill(level + 1, 1)?;
                    gap -= widest + 1;
                }
                self.coordinate(level, gap)
            }
            Kind::Structured { n, m } => {
                let entry = self.number;
                if self.pending.len() == n {
                    return Err(BuildError::Structured { level, entry, n, m });
                }
                self.pending.push((coordinate, entry, value));
                Ok(())
            }
        }
    }

    /// Closes the open segment.
    #[inline(always)]
    fn close(&mut self, level: usize) -> Result<(), BuildError> {
        match self.kinds[level] {
            Kind::Full => {
                let rest = self.extents[level].size - self.next[level] as usize;
                if rest > 0 {
                    self.counts[level] += rest;
                    self.fill(level + 1, rest)?;
                }
                Ok(())
            }
            Kind::Compressed | Kind::Loose | Kind::Delta { .. } => self.bounds(level, 1),
            Kind::Slot => Ok(()),
            Kind::Structured { n, m } => self.structured(level, n, m),
        }
    }

    /// Stores the entries of a structured segment, filled up to `n` with the first coordinates that have no entry.
    ///
    /// With `n = 2`, `m = 4` and an entry at coordinate 3, coordinates 0 and 3 are stored, the first with value zero.
    fn structured(&mut self, level: usize, n: usize, m: usize) -> Result<(), BuildError> {
        let pending = core::mem::take(&mut self.pending);
        let mut entries = pending.iter().peekable();
        let mut padding = n - pending.len();
        for coordinate in 0..m as i64 {
            match entries.next_if(|(entry, ..)| *entry == coordinate) {
                Some((_, number, value)) => {
                    self.number = *number;
                    self.coordinate(level, coordinate)?;
                    self.value(*value)?;
                }
                None if padding > 0 => {
                    padding -= 1;
                    self.coordinate(level, coordinate)?;
                    self.value(T::ZERO)?;
                }
                None => {}
            }
        }
        if let Some(&(coordinate, entry, _)) = entries.next() {
            let (least, size) = (0, m);
            return Err(BuildError::Coordinate { level, coordinate, entry, least, size });
        }
        self.pending = pending;
        self.pending.clear();
        Ok(())
    }

    /// Appends `segments` segments without entries to a level, or the same number of zeros to the values.
    fn fill(&mut self, level: usize, segments: usize) -> Result<(), BuildError> {
        if level == self.extents.len() {
            let positions = self.values.len().saturating_add(segments);
            if self.memory.reserve(&mut self.values, segments).is_err() {
                return Err(BuildError::OutOfMemory { level: level - 1, positions });
            }
            self.values.resize(positions, T::ZERO);
            return Ok(());
        }
        match self.kinds[level] {
            Kind::Full => {
                let positions = segments.saturating_mul(self.extents[level].size);
                self.check_values(level, positions)?;
                self.counts[level] = self.counts[level].saturating_add(positions);
                if positions > 0 { self.fill(level + 1, positions) } else { Ok(()) }
            }
            Kind::Compressed | Kind::Delta { .. } => self.bounds(level, segments),
            Kind::Loose => self.bounds(level, segments.saturating_mul(2)),
            Kind::Slot => {
                self.reserve_coordinates(level, segments)?;
                for _ in 0..segments {
                    self.coordinate(level, 0)?;
                }
                self.fill(level + 1, segments)
            }
            Kind::Structured { n, .. } => {
                self.reserve_coordinates(level, segments.saturating_mul(n))?;
                for _ in 0..segments {
                    for coordinate in 0..n as i64 {
                        self.coordinate(level, coordinate)?;
                    }
                }
                self.fill(level + 1, segments.saturating_mul(n))
            }
        }
    }

    #[inline(always)]
    fn value(&mut self, value: T) -> Result<(), BuildError> {
        if self.values.len() == self.values.capacity() {
            self.grow(1)?;
        }
        self.values.push(value);
        Ok(())
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self, more: usize) -> Result<(), BuildError> {
        let (level, positions) = (self.extents.len() - 1, self.values.len());
        let reserved = self.memory.reserve(&mut self.values, more);
        reserved.map_err(|_| BuildError::OutOfMemory { level, positions })
    }

    /// Reserves memory for the coordinates of `positions` positions that pad a level, before they are written one by one.
    fn reserve_coordinates(&mut self, level: usize, positions: usize) -> Result<(), BuildError> {
        let home = self.homes[level];
        let words = positions.saturating_mul(home.stride).div_ceil(C::PER_WORD);
        let reserved = self.memory.reserve(&mut self.levels[home.level].coordinates, words);
        reserved.map_err(|_| BuildError::OutOfMemory { level, positions })
    }

    /// Appends a position with its coordinate.
    #[inline(always)]
    fn coordinate(&mut self, level: usize, coordinate: i64) -> Result<(), BuildError> {
        let (home, at) = (self.homes[level], self.counts[level]);
        let words = &mut self.levels[home.level].coordinates;
        if !self.narrow.contains(&coordinate)
            || !C::push(words, at * home.stride + home.offset, coordinate)
        {
            let (entry, bits) = (self.number, self.encoding.draft().coordinate_bits);
            return Err(BuildError::CoordinateOverflow { level, coordinate, entry, bits });
        }
        self.counts[level] = at + 1;
        Ok(())
    }

    /// Appends the current number of positions to the array of positions, `times` times.
    #[inline(always)]
    fn bounds(&mut self, level: usize, times: usize) -> Result<(), BuildError> {
        let position = self.counts[level];
        let bits = self.encoding.draft().position_bits;
        let narrow = P::new(position).filter(|_| matches!(bits, 0 | 64) || position >> bits == 0);
        let Some(narrow) = narrow else {
            return Err(BuildError::PositionOverflow { level, position, bits });
        };
        let positions = &mut self.levels[level].positions;
        if times == 1 {
            positions.push(narrow);
            return Ok(());
        }
        let count = positions.len().saturating_add(times);
        if self.memory.reserve(positions, times).is_err() {
            let level = level.saturating_sub(1);
            return Err(BuildError::OutOfMemory { level, positions: times });
        }
        positions.resize(count, narrow);
        Ok(())
    }

    /// The arrays from level `first` on, the number of positions of each level, and the values.
    pub(super) fn finish(mut self) -> Result<Batch<P, C::Word, T>, BuildError> {
        let count = self.extents.len();
        if self.started {
            for level in (self.first..count).rev() {
                self.close(level)?;
            }
        } else {
            self.fill(self.first, 1)?;
        }
        for level in self.first..count {
            // Unused, but present in MLIR's array.
            if matches!(self.kinds[level], Kind::Loose) {
                self.bounds(level, 1)?;
            }
        }
        // Several entries may share a position, so fewer values than reserved may be used.
        self.values.shrink_to_fit();
        self.levels.iter_mut().for_each(|level| level.coordinates.shrink_to_fit());
        let mut counts = self.counts[..count].to_vec();
        counts[..self.first].fill(1);
        Ok((self.levels.split_off(self.first), counts, self.values))
    }
}
