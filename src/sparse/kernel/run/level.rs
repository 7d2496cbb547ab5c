//! Iterates over a level, coordinate by coordinate.

use crate::sparse::{DynSparseTensor, LevelFormat};
use core::ops::Range;
use layout_core::parts::Digit;
use layout_core::sparse_kernel::ir::LevelIter;

/// The positions of a segment in order; if `grouped`, those with the same coordinate together.
pub(super) struct Groups<'t, T> {
    tensor: &'t DynSparseTensor<T>,
    level: usize,
    gaps: bool,
    digit: Digit<i64>,
    shift: i64,
    grouped: bool,
    /// The positions that remain.
    left: Range<usize>,
    /// The coordinate at the previous position, if the level stores gaps.
    before: i64,
}

/// A coordinate, and the positions that have it.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Group {
    pub(super) coordinate: i64,
    pub(super) positions: Range<usize>,
}

impl<'t, T> Groups<'t, T> {
    pub(super) fn new(
        tensor: &'t DynSparseTensor<T>,
        iter: &LevelIter,
        segment: Range<usize>,
        shift: i64,
    ) -> Self {
        let format = tensor.encoding().levels()[iter.level].format;
        Self {
            tensor,
            level: iter.level,
            gaps: matches!(format, LevelFormat::Delta { .. }),
            digit: iter.digit,
            shift,
            grouped: iter.end.is_some(),
            left: segment,
            before: -1,
        }
    }

    /// The stored number at the first remaining position.
    fn held(&self) -> i64 {
        let stored = self.tensor.stored(self.level, self.left.start);
        if self.gaps { self.before + 1 + stored } else { stored }
    }

    fn coordinate(&self, held: i64) -> i64 {
        self.digit.of(held) - self.shift
    }
}

impl<T> Iterator for Groups<'_, T> {
    type Item = Group;

    fn next(&mut self) -> Option<Group> {
        if self.left.is_empty() {
            return None;
        }
        let (held, start) = (self.held(), self.left.start);
        let coordinate = self.coordinate(held);
        self.before = held;
        self.left.start += 1;
        while self.grouped && !self.left.is_empty() && self.coordinate(self.held()) == coordinate {
            self.left.start += 1;
        }
        Some(Group { coordinate, positions: start..self.left.start })
    }
}
