//! Regions: pieces of an array in which no loop of a plan depends on another.
//!
//! A dimension that ends or starts within a tile is cut into its whole tiles and a remainder, and the remainder is cut into the
//! whole parts of a tile that it contains: only the edges take the extra time. Tiles that their own inner tiles do not divide are
//! cut in the same way, all at once.
//!
//! `bf16[20,300]{1,0:T(8,128)(2,1)}` has 20 rows, which are two whole tiles of 8 rows (rows 0 to 15) and two whole pairs
//! of rows (16 to 19), and 300 columns, which are two whole tiles of 128 columns and 44 single columns. That makes four
//! regions, each a perfect loop nest:
//!
//! | rows | columns | first element, source and destination | counts |
//! |---|---|---|---|
//! | 0 to 15 | 0 to 255 | 0, 0 | 2 tiles, 2 tiles, 4 pairs, 128 columns, 2 rows |
//! | 16 to 19 | 0 to 255 | 4800, 6144 | 2 tiles, 2 pairs, 128 columns, 2 rows |
//! | 0 to 15 | 256 to 299 | 256, 2048 | 2 tiles, 4 pairs, 44 columns, 2 rows |
//! | 16 to 19 | 256 to 299 | 5056, 8192 | 2 pairs, 44 columns, 2 rows |

use super::plan::{Loop, MAX_LOOPS, Nest};
use layout_core::parts::{Digit, MAX_RANK};

/// One axis of a region: its number of elements, and their strides in both arrays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Axis {
    pub(crate) count: usize,
    /// The number of elements if the array did not end earlier.
    pub(crate) size: usize,
    pub(crate) source: usize,
    pub(crate) destination: usize,
}

impl Axis {
    pub(crate) const UNIT: Self = Self { count: 1, size: 1, source: 0, destination: 0 };

    /// The distance from the first element to the last, in the source and in the destination.
    #[inline]
    pub(crate) const fn reach(&self) -> [usize; 2] {
        [(self.count - 1) * self.source, (self.count - 1) * self.destination]
    }
}

/// The axes of a region, outermost first.
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

/// Elements that are on a grid in both arrays.
#[derive(Clone, Copy)]
pub(crate) struct Region {
    /// The number of the first element in the source.
    pub(crate) from: usize,
    /// The number of the first element in the destination.
    pub(crate) to: usize,
    pub(crate) axes: Axes,
}

/// The values of a dimension from `first` to `first + count * div`. A loop with a larger divisor has one value there; a loop with a
/// smaller divisor runs over all of its values.
#[derive(Clone, Copy)]
struct Interval {
    first: usize,
    div: usize,
    count: usize,
}

impl Interval {
    const NONE: Self = Self { first: 0, div: 0, count: 0 };

    /// The end of the interval; `end` if no loop is cut.
    const fn next(&self, end: usize) -> usize {
        if self.div == 0 { end } else { self.first + self.count * self.div }
    }
}

/// The part of a dimension that a region covers: an interval of values or, if the dimension has a period, an interval of
/// periods and an interval within each of them.
#[derive(Clone, Copy)]
struct Cut {
    interval: Interval,
    within: Interval,
    period: usize,
    /// The value at which the next cut starts.
    next: usize,
}

/// The largest number of rows that are interleaved.
const MAX_GROUP: usize = 64;

impl Nest {
    /// The number of regions of the array.
    pub(crate) const fn regions(&self) -> usize {
        if self.empty {
            return 0;
        }
        let mut regions = 1;
        let mut dim = 0;
        while dim < MAX_RANK {
            regions *= self.intervals(dim);
            dim += 1;
        }
        regions
    }

    /// Region number `number`. Linear in the number of loops, not counting the loops of dimensions that are cut.
    pub(crate) const fn region(&self, mut number: usize) -> Region {
        let mut cuts = [self.cut_dim(0, self.first[0]); MAX_RANK];
        let mut dim = 0;
        while dim < MAX_RANK {
            let len = self.intervals(dim);
            cuts[dim] = self.cut_dim(dim, self.first[dim]);
            let mut skip = number % len;
            while skip > 0 {
                cuts[dim] = self.cut_dim(dim, cuts[dim].next);
                skip -= 1;
            }
            number /= len;
            dim += 1;
        }
        let mut cut = Region { from: 0, to: 0, axes: Axes::NONE };
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

    /// The number of cuts of the dimension.
    const fn intervals(&self, dim: usize) -> usize {
        let (mut intervals, mut first) = (0, self.first[dim]);
        loop {
            intervals += 1;
            first = self.cut_dim(dim, first).next;
            if first >= self.sizes[dim] {
                return intervals;
            }
        }
    }

    /// The largest cut that starts at the value `at`.
    const fn cut_dim(&self, dim: usize, at: usize) -> Cut {
        let (period, end) = (self.periods[dim], self.sizes[dim]);
        if period == 0 {
            let interval = self.interval(dim, [0, usize::MAX], at, end - at);
            let next = interval.next(end);
            return Cut { interval, within: Interval::NONE, period, next };
        }
        let first = at - at % period;
        let is_whole = first >= self.first[dim] && end - first >= period;
        let interval = match is_whole {
            true => self.interval(dim, [period, usize::MAX], first, end - first),
            false => Interval { first, div: 1, count: 1 },
        };
        let left = if end - first < period { end - first } else { period };
        let within = self.interval(dim, [0, period], at - first, left - (at - first));
        let mut next = first + within.next(left);
        if is_whole && next - first == period {
            next = interval.next(end);
        }
        Cut { interval, within, period, next }
    }

    /// The largest interval that starts at `first` and has at most `left` values, for the ragged loops whose `div` is in the range
    /// `divs`. Without such loops, its `div` is 0.
    const fn interval(&self, dim: usize, divs: [usize; 2], first: usize, left: usize) -> Interval {
        // The div of the interval, and the next larger one.
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
            return Interval::NONE;
        }
        // The interval ends at the next value of a loop with a larger `div`. The smallest of these divides the others, so its next
        // value comes first.
        let to_above = if above == usize::MAX { left } else { above - first % above };
        Interval { first, div, count: if to_above < left { to_above } else { left } / div }
    }
}

impl Region {
    /// Adds a loop of a dimension that is cut.
    const fn add(&mut self, each: &Loop, cut: &Cut) {
        let Loop { div, size, source, destination, ragged, .. } = *each;
        let interval = if div < cut.period { cut.within } else { cut.interval };
        let (first, count, size) = if !ragged || div < interval.div {
            (0, size, size)
        } else {
            let first = Digit::<usize> { div, size: Some(size) }.of(interval.first);
            let count = if div == interval.div { interval.count } else { 1 };
            // The values next to a single value are in other regions.
            let size = if div > interval.div || first > 0 { count } else { size };
            (first, count, size)
        };
        self.from += first * source;
        self.to += first * destination;
        // An axis of one element matters if its element is interleaved with missing rows.
        let grouped = size <= MAX_GROUP && (source == 1 || destination == 1);
        if count > 1 || (count < size && grouped) {
            self.axes.push(Axis { count, size, source, destination });
        }
    }
}
