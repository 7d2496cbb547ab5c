//! Iterators over the places of a level.

use crate::sparse::{DynSparseTensor, LevelFormat};
use core::ops::Range;
use layout_core::parts::Digit;
use layout_core::sparse_kernel::ir::LevelIter;

/// Goes through the places of a level in their order.
pub(super) struct Places<'t, T> {
    tensor: &'t DynSparseTensor<T>,
    level: usize,
    gaps: bool,
    digit: Digit<i64>,
    shift: i64,
    grouped: bool,
    /// What is left.
    left: Range<usize>,
    /// What the level has at the place before, where gaps are stored.
    before: i64,
}

/// Places with a coordinate.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Group {
    pub(super) coordinate: i64,
    pub(super) places: Range<usize>,
}

impl<'t, T> Places<'t, T> {
    pub(super) fn new(
        tensor: &'t DynSparseTensor<T>,
        iter: &LevelIter,
        places: Range<usize>,
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
            left: places,
            before: -1,
        }
    }

    /// What the level has at the first place that is left.
    fn held(&self) -> i64 {
        let stored = self.tensor.stored(self.level, self.left.start);
        if self.gaps { self.before + 1 + stored } else { stored }
    }

    fn coordinate(&self, held: i64) -> i64 {
        self.digit.of(held) - self.shift
    }
}

impl<T> Iterator for Places<'_, T> {
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
        Some(Group { coordinate, places: start..self.left.start })
    }
}
