//! The union of the entries of two tensors in one encoding.

use super::super::element::SparseElement;
use super::super::encoding::SparseEncoding;
use super::super::format::LevelFormat;
use super::super::width::{Coordinate, Position};
use super::{BuildError, Cursor, Duplicates, LastLevel, LevelParts, Memory, Storage};
use crate::parts::Coordinates;
use alloc::vec::Vec;
use core::cmp::Ordering;

/// Entries with their indices.
type Entries<T> = Vec<(Coordinates, T)>;

impl<P: Position, C: Coordinate, T: SparseElement> Storage<P, C, T> {
    /// Adds the entries of a tensor of the same encoding and shape; where both store an element, `combine` computes it from the
    /// element of this tensor and that of the other one. After an error this tensor is unchanged.
    ///
    /// Takes time linear in the number of entries of both, if they are stored in the order of the levels. If both store the same
    /// positions and coordinates, allocates nothing.
    ///
    /// # Panics
    /// If the shapes differ.
    pub fn merge(
        &mut self,
        encoding: &SparseEncoding,
        other: Self,
        combine: impl Fn(T, T) -> T,
        memory: Memory,
    ) -> Result<(), BuildError> {
        assert!(self.shape() == other.shape(), "the shapes of merged tensors are the same");
        if other.parts.values.is_empty() {
            return Ok(());
        }
        if self.parts.values.is_empty() {
            *self = other;
            return Ok(());
        }
        // Positions outside of the array have no elements to combine.
        let ragged = encoding.overhangs() && encoding.is_ragged(self.shape());
        let plain = !encoding.repeats() && !encoding.is_bounded() && !ragged;
        if plain && self.parts.levels == other.parts.levels {
            let pairs = self.parts.values.iter_mut().zip(other.parts.values);
            pairs.for_each(|(value, other)| *value = combine(*value, other));
            return Ok(());
        }
        *self = match encoding.segmented_level().filter(|_| plain && C::PER_WORD == 1) {
            Some(level) => self.merged_segments(encoding, level, &other, combine, memory)?,
            None => {
                let entries = (self.distinct(encoding), other.distinct(encoding));
                let mut entries = merged_entries(encoding, entries, combine, memory)?;
                if encoding.is_bounded() {
                    // Zeros that fill rows would use up the slots of entries.
                    entries.retain(|(_, value)| !value.is_zero());
                }
                Self::build(encoding, self.shape(), &entries, Duplicates::Error, memory)?
            }
        };
        Ok(())
    }

    /// Merges segment by segment: `level` is the only level with coordinates, and those below it hold a block of values for each
    /// of them.
    fn merged_segments(
        &self,
        encoding: &SparseEncoding,
        level: usize,
        other: &Self,
        combine: impl Fn(T, T) -> T,
        memory: Memory,
    ) -> Result<Self, BuildError> {
        let (a, b) = (self.segments(level), other.segments(level));
        let (last, values) = match a.block {
            1 => merge_segments::<1, P, C, T>(level, &a, &b, combine, memory)?,
            _ => merge_segments::<0, P, C, T>(level, &a, &b, combine, memory)?,
        };
        let (position, bits) = (last.coordinates.len(), encoding.draft().position_bits);
        if !matches!(bits, 0 | 64) && position >> bits != 0 {
            return Err(BuildError::PositionOverflow { level, position, bits });
        }
        let mut levels = Vec::new();
        levels.resize_with(self.parts.levels.len(), LevelParts::default);
        levels[level] = last;
        let parts = super::Parts { shape: self.parts.shape.clone(), levels, values };
        Self::seal(encoding, parts, self.extents.clone())
    }

    fn segments(&self, level: usize) -> Segments<'_, P, C, T> {
        let LevelParts { positions, coordinates } = &self.parts.levels[level];
        let block = self.extents[level + 1..].iter().map(|extent| extent.size).product();
        Segments { positions, coordinates, values: &self.parts.values, block }
    }

    /// The elements within the array that are stored, each once: several entries at one index are summed. Empty slots are left
    /// out, because they have no index.
    fn distinct(&self, encoding: &SparseEncoding) -> Entries<T> {
        let counts = encoding.counts();
        let mut entries: Entries<T> = Vec::new();
        let mut cursor = Cursor::new(encoding, self);
        while let Some(position) = cursor.next_position() {
            let value = self.parts.values[position];
            if let Some(index) = cursor.index().filter(|_| !(counts && value.is_zero())) {
                entries.push((index, value));
            }
        }
        let strict =
            |pair: &[(Coordinates, T)]| encoding.storage_order(&pair[0].0, &pair[1].0).is_lt();
        if !entries.windows(2).all(strict) {
            entries.sort_by(|(a, _), (b, _)| encoding.storage_order(a, b));
            let sum = |same: &[(Coordinates, T)]| {
                let sum = same.iter().map(|(_, value)| value.widen()).reduce(T::Wide::plus);
                (same[0].0, sum.map_or(T::ZERO, T::narrow))
            };
            entries = entries.chunk_by(|(a, _), (b, _)| a[..] == b[..]).map(sum).collect();
        }
        entries
    }
}

impl SparseEncoding {
    /// The order of the entries at two indices in storage. If the encoding counts the entries of rows, which says nothing about
    /// their order, it is the order of rows and columns.
    ///
    /// # Panics
    /// If an index has fewer coordinates than the encoding has dimensions.
    pub fn storage_order(&self, a: &[usize], b: &[usize]) -> Ordering {
        if self.counts() {
            return a.cmp(b);
        }
        let levels = self.levels().iter();
        let orders = levels.map(|level| level.expr.of(a).cmp(&level.expr.of(b)));
        orders.fold(Ordering::Equal, Ordering::then)
    }

    /// The level of a matrix in rows, or of blocks in rows, that stores coordinates: the levels above and below it are dense.
    fn segmented_level(&self) -> Option<usize> {
        let levels = self.levels();
        let dense = |level: &crate::sparse::LevelSpec| level.format == LevelFormat::Dense;
        let level = levels.iter().position(|level| !dense(level))?;
        let this = &levels[level];
        let plain = this.format == LevelFormat::Compressed
            && !this.properties.nonordered
            && !this.properties.nonunique;
        (plain && levels[level + 1..].iter().all(dense)).then_some(level)
    }
}

/// Merges entries that are in storage order.
fn merged_entries<T: SparseElement>(
    encoding: &SparseEncoding,
    (a, b): (Entries<T>, Entries<T>),
    combine: impl Fn(T, T) -> T,
    memory: Memory,
) -> Result<Entries<T>, BuildError> {
    let positions = a.len().saturating_add(b.len());
    let mut merged = Vec::new();
    let reserved = memory.reserve_exact(&mut merged, positions);
    reserved.map_err(|_| BuildError::OutOfMemory { level: 0, positions })?;
    let (mut a, mut b) = (a.into_iter().peekable(), b.into_iter().peekable());
    loop {
        let next = match (a.peek(), b.peek()) {
            (Some((x, _)), Some((y, _))) => encoding.storage_order(x, y),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (None, None) => return Ok(merged),
        };
        match next {
            Ordering::Less => merged.extend(a.next()),
            Ordering::Greater => merged.extend(b.next()),
            Ordering::Equal => {
                let both = a.next().zip(b.next());
                merged.extend(both.map(|((index, x), (_, y))| (index, combine(x, y))));
            }
        }
    }
}

/// The arrays of a level of segments, and the values below it.
struct Segments<'a, P, C: Coordinate, T> {
    positions: &'a [P],
    coordinates: &'a [C::Word],
    values: &'a [T],
    /// The number of values at each position.
    block: usize,
}

/// Merges two lists of segments with two pointers. `BLOCK` is the number of values at each position if it is 1.
fn merge_segments<const BLOCK: usize, P: Position, C: Coordinate, T: SparseElement>(
    level: usize,
    a: &Segments<'_, P, C, T>,
    b: &Segments<'_, P, C, T>,
    combine: impl Fn(T, T) -> T,
    memory: Memory,
) -> Result<LastLevel<P, C::Word, T>, BuildError> {
    let block = if BLOCK == 0 { a.block } else { BLOCK };
    let most = a.coordinates.len().saturating_add(b.coordinates.len());
    let none = |_| BuildError::OutOfMemory { level, positions: most };
    let (mut positions, mut coordinates, mut values) = (Vec::new(), Vec::new(), Vec::new());
    memory.reserve_exact(&mut positions, a.positions.len()).map_err(none)?;
    memory.reserve_exact(&mut coordinates, most).map_err(none)?;
    memory.reserve_exact(&mut values, most.saturating_mul(block)).map_err(none)?;
    positions.push(P::default());
    for (x, y) in a.positions.windows(2).zip(b.positions.windows(2)) {
        let (mut i, end_a) = (x[0].get(), x[1].get());
        let (mut j, end_b) = (y[0].get(), y[1].get());
        while i < end_a && j < end_b {
            let (at_a, at_b) = (C::get(a.coordinates, i), C::get(b.coordinates, j));
            let (from_a, from_b) = (at_a <= at_b, at_b <= at_a);
            coordinates.push(if from_a { a.coordinates[i] } else { b.coordinates[j] });
            match (from_a, from_b) {
                // The order of the coordinates cannot be predicted, so the value is selected without a branch.
                _ if BLOCK == 1 => {
                    let (x, y) = (a.values[i], b.values[j]);
                    let one = if from_a { x } else { y };
                    values.push(if from_a & from_b { combine(x, y) } else { one });
                }
                (true, true) => {
                    let pairs = a.values[i * block..][..block].iter().zip(&b.values[j * block..]);
                    values.extend(pairs.map(|(x, y)| combine(*x, *y)));
                }
                (true, false) => values.extend_from_slice(&a.values[i * block..][..block]),
                _ => values.extend_from_slice(&b.values[j * block..][..block]),
            }
            i += usize::from(from_a);
            j += usize::from(from_b);
        }
        for (from, rest) in [(a, i..end_a), (b, j..end_b)] {
            coordinates.extend_from_slice(&from.coordinates[rest.clone()]);
            values.extend_from_slice(&from.values[rest.start * block..rest.end * block]);
        }
        let position = coordinates.len();
        let overflow = BuildError::PositionOverflow { level, position, bits: P::BITS };
        positions.push(P::new(position).ok_or(overflow)?);
    }
    Ok((LevelParts { positions, coordinates }, values))
}
