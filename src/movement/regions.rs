//! Boxes: an array cut so that within each piece no loop of a plan depends on another.
//!
//! A dimension that ends, or starts, within a tile is cut into its whole tiles and what is left of them, which is cut
//! into whole parts of tiles in turn: only the edges pay for the edges. Tiles whose own tiles do not divide them are cut
//! in the same way, all at once.

use super::plan::{Loop, MAX_LOOPS, Nest};
use layout_core::parts::{Digit, MAX_RANK};

/// One side of a box: its number of elements, and how far apart they are in both arrays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Axis {
    pub(crate) count: usize,
    /// What the count would be if the array did not end before.
    pub(crate) size: usize,
    pub(crate) source: usize,
    pub(crate) destination: usize,
}

impl Axis {
    pub(crate) const UNIT: Self = Self { count: 1, size: 1, source: 0, destination: 0 };

    /// How far the last element is from the first, in the source and in the destination.
    #[inline]
    pub(crate) const fn reach(&self) -> [usize; 2] {
        [(self.count - 1) * self.source, (self.count - 1) * self.destination]
    }
}

/// Sides of a box, outermost first.
#[derive(Clone, Copy)]
pub(crate) struct Axes {
    list: [Axis; MAX_LOOPS],
    len: usize,
}

impl Axes {
    pub(crate) const NONE: Self = Self { list: [Axis::UNIT; MAX_LOOPS], len: 0 };

    pub(crate) const fn as_slice(&self) -> &[Axis] {
        self.list.split_at(self.len).0
    }

    pub(crate) const fn push(&mut self, axis: Axis) {
        self.list[self.len] = axis;
        self.len += 1;
    }

    pub(crate) const fn remove(&mut self, at: usize) -> Axis {
        let removed = self.list[at];
        self.len -= 1;
        let mut i = at;
        while i < self.len {
            self.list[i] = self.list[i + 1];
            i += 1;
        }
        removed
    }
}

/// Elements that lie on a grid in both arrays.
#[derive(Clone, Copy)]
pub(crate) struct Box {
    /// Number of the first element in the source.
    pub(crate) from: usize,
    /// Number of the first element in the destination.
    pub(crate) to: usize,
    pub(crate) axes: Axes,
}

/// `count` times `div` values of a dimension, from `first` on: loops that divide by more stand still, those that
/// divide by less run through.
#[derive(Clone, Copy)]
struct Range {
    first: usize,
    div: usize,
    count: usize,
}

impl Range {
    const NONE: Self = Self { first: 0, div: 0, count: 0 };

    /// One past the last value: `end` where the range is not cut.
    const fn next(&self, end: usize) -> usize {
        if self.div == 0 { end } else { self.first + self.count * self.div }
    }
}

/// What a box has of a dimension: a range of values, or, where the dimension has a period, of periods, and the range
/// within each of them.
#[derive(Clone, Copy)]
struct Cut {
    range: Range,
    within: Range,
    period: usize,
    /// Where the next cut starts.
    next: usize,
}

/// Elements that take turns, at most.
const MAX_TURNS: usize = 64;

impl Nest {
    /// Number of boxes that the array is cut into.
    pub(crate) const fn boxes(&self) -> usize {
        if self.empty {
            return 0;
        }
        let mut boxes = 1;
        let mut dim = 0;
        while dim < MAX_RANK {
            boxes *= self.ranges(dim);
            dim += 1;
        }
        boxes
    }

    /// Box number `number`. Linear in the number of loops, but for those of dimensions that are cut.
    pub(crate) const fn cut(&self, mut number: usize) -> Box {
        let mut cuts = [self.cut_dim(0, self.first[0]); MAX_RANK];
        let mut dim = 0;
        while dim < MAX_RANK {
            let len = self.ranges(dim);
            cuts[dim] = self.cut_dim(dim, self.first[dim]);
            let mut skip = number % len;
            while skip > 0 {
                cuts[dim] = self.cut_dim(dim, cuts[dim].next);
                skip -= 1;
            }
            number /= len;
            dim += 1;
        }
        let mut cut = Box { from: 0, to: 0, axes: Axes::NONE };
        let loops = self.loops();
        let mut i = 0;
        while i < loops.len() {
            cut.add(&loops[i], &cuts[loops[i].dim()]);
            i += 1;
        }
        cut.from -= self.base[0][0];
        cut.to -= self.base[0][1];
        cut
    }

    /// Number of cuts of the dimension.
    const fn ranges(&self, dim: usize) -> usize {
        let (mut ranges, mut first) = (0, self.first[dim]);
        loop {
            ranges += 1;
            first = self.cut_dim(dim, first).next;
            if first >= self.sizes[dim] {
                return ranges;
            }
        }
    }

    /// The largest cut from the value `at` on.
    const fn cut_dim(&self, dim: usize, at: usize) -> Cut {
        let (period, end) = (self.periods[dim], self.sizes[dim]);
        if period == 0 {
            let range = self.range(dim, [0, usize::MAX], at, end - at);
            let next = range.next(end);
            return Cut { range, within: Range::NONE, period, next };
        }
        let first = at - at % period;
        let is_whole = first >= self.first[dim] && end - first >= period;
        let range = match is_whole {
            true => self.range(dim, [period, usize::MAX], first, end - first),
            false => Range { first, div: 1, count: 1 },
        };
        let left = if end - first < period { end - first } else { period };
        let within = self.range(dim, [0, period], at - first, left - (at - first));
        let mut next = first + within.next(left);
        if is_whole && next - first == period {
            next = range.next(end);
        }
        Cut { range, within, period, next }
    }

    /// The largest range from `first` on, of `left` values at most, for the loops that divide by one of `divs`; without
    /// a `div` where those are not cut.
    const fn range(&self, dim: usize, divs: [usize; 2], first: usize, left: usize) -> Range {
        // The div of the range, and the next larger one.
        let (mut div, mut above) = (0, usize::MAX);
        let loops = self.loops();
        let mut i = 0;
        while i < loops.len() {
            let each = &loops[i];
            if each.ragged && each.dim() == dim && divs[0] <= each.div && each.div < divs[1] {
                if first.is_multiple_of(each.div) && each.div <= left {
                    div = if each.div > div { each.div } else { div };
                } else if each.div < above {
                    above = each.div;
                }
            }
            i += 1;
        }
        if div == 0 {
            return Range::NONE;
        }
        // The loops that divide by more, of which the smallest divides evenly by all that is smaller.
        let to_above = if above == usize::MAX { left } else { above - first % above };
        Range { first, div, count: if to_above < left { to_above } else { left } / div }
    }
}

impl Box {
    /// Adds a loop of a dimension that is cut.
    const fn add(&mut self, each: &Loop, cut: &Cut) {
        let Loop { div, size, source, destination, ragged, .. } = *each;
        let range = if div < cut.period { cut.within } else { cut.range };
        let (first, count, size) = if !ragged || div < range.div {
            (0, size, size)
        } else {
            let first = Digit::<usize> { div, size: Some(size) }.of(range.first);
            let count = if div == range.div { range.count } else { 1 };
            // Neighbours of a single value are in other boxes.
            let size = if div > range.div || first > 0 { count } else { size };
            (first, count, size)
        };
        self.from += first * source;
        self.to += first * destination;
        // A side of one element is of interest where it takes turns with others, which are missing.
        let turns = size <= MAX_TURNS && (source == 1 || destination == 1);
        if count > 1 || (count < size && turns) {
            self.axes.push(Axis { count, size, source, destination });
        }
    }
}
