use super::super::encoding::SparseEncoding;
use super::super::format::LevelFormat;
use super::super::width::{Coordinate, Position};
use super::Storage;
use core::ops::Range;

/// Where the coordinates of a level are stored: in the array of `level`, at `offset` in each group of `stride`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Home {
    pub level: usize,
    pub offset: usize,
    pub stride: usize,
}

impl SparseEncoding {
    /// Where the coordinates of `level` are stored.
    pub const fn home(&self, level: usize) -> Home {
        let mut first = level;
        loop {
            let run = self.interleaved(first);
            if first + run > level && run > 1 {
                return Home { level: first, offset: level - first, stride: run };
            }
            if first == 0 {
                return Home { level, offset: 0, stride: 1 };
            }
            first -= 1;
        }
    }
}

/// The positions of a level below a position of the level above, with one rule for each format.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rule {
    /// One position for each coordinate of the level.
    Full,
    /// The positions from one entry of the array of positions to the next.
    Segment,
    /// The same as `Segment`, but the level stores gaps instead of coordinates.
    Gaps,
    /// The positions between two entries of the array of positions, both of which belong only to this segment.
    Interval,
    /// The position of the level above.
    Same,
    /// A fixed number of positions.
    Fixed(usize),
}

impl Rule {
    /// The rule of `level`.
    pub const fn of(encoding: &SparseEncoding, level: usize) -> Self {
        match encoding.levels()[level].format {
            _ if encoding.is_padded(level) => Self::Same,
            LevelFormat::Dense | LevelFormat::Batch | LevelFormat::Range => Self::Full,
            LevelFormat::Compressed => Self::Segment,
            LevelFormat::Delta { .. } => Self::Gaps,
            LevelFormat::LooseCompressed => Self::Interval,
            LevelFormat::Singleton => Self::Same,
            LevelFormat::Structured { n, .. } => Self::Fixed(n),
        }
    }

    /// Whether the level has an array of positions.
    pub const fn has_positions(self) -> bool {
        matches!(self, Self::Segment | Self::Gaps | Self::Interval)
    }

    /// The length of the array of positions of a level with `above` segments; `None` if that overflows.
    pub const fn positions(self, above: usize) -> Option<usize> {
        match self {
            Self::Segment | Self::Gaps => above.checked_add(1),
            Self::Interval => match above.checked_mul(2) {
                Some(ends) => ends.checked_add(1),
                None => None,
            },
            _ => Some(0),
        }
    }

    /// The positions below position `above` of the level above. `positions` is the array of positions of the batch.
    #[inline(always)]
    pub fn below<P: Position>(self, positions: &[P], size: usize, above: usize) -> Range<usize> {
        match self {
            Self::Full => above * size..above * size + size,
            Self::Segment | Self::Gaps => positions[above].get()..positions[above + 1].get(),
            Self::Interval => positions[2 * above].get()..positions[2 * above + 1].get(),
            Self::Same => above..above + 1,
            Self::Fixed(n) => above * n..above * n + n,
        }
    }
}

impl<P: Position, C: Coordinate, T> Storage<P, C, T> {
    /// The array of positions of `level` in one batch.
    #[inline(always)]
    pub fn positions_of(&self, level: usize, batch: usize) -> &[P] {
        let positions = &self.parts.levels[level].positions;
        if self.batches == 1 {
            return positions;
        }
        let stride = positions.len() / self.batches;
        &positions[batch * stride..][..stride]
    }

    /// The number that is added to a position of `level` within its batch to get its position in the array of coordinates.
    #[inline(always)]
    pub fn first_position(&self, level: usize, batch: usize) -> usize {
        if self.batches == 1 { 0 } else { batch * self.counts[level] }
    }
}
