use super::*;

/// The offsets of the elements, as a function of their number in row-major order.
///
/// Let `e` be the last of `starts` that is at most `k`. Then the offset of element `k` is `k / e * offset(e) + offset(k mod
/// e)`: at each multiple of `e`, everything more minor wraps around to its start. In `f32[4,16]{1,0:T(4,8)}` the starts are 1,
/// 8 and 16, with the offsets 1, 32 and 8; element 27 is at 8 + offset(11) = 8 + 32 + offset(3) = 43.
pub(super) struct RowMajor {
    starts: [usize; MAX_STARTS],
    len: usize,
    /// The first number for which the rule holds; below it combined dimensions carry into each other.
    pub(super) from: usize,
}

const MAX_STARTS: usize = MAX_PARTS + MAX_TERMS;

/// The cycle of a value: the number of elements, in row-major order, after which it rises by one (`rises`), and after which it
/// returns to zero (`ends`). `rises` is `None` if a value combines dimensions in another order. In an array of 4 by 16, dimension 1
/// rises after 1 element and ends after 16; dimension 0 rises after 16 and ends after 64.
#[derive(Clone, Copy)]
struct Cycle {
    rises: Option<usize>,
    ends: usize,
    /// The value depends only on the number of the element modulo this.
    period: usize,
}

impl RowMajor {
    /// For an array that is not empty. Quadratic in the number of parts.
    pub(super) const fn of(map: &IndexMap) -> Self {
        let cycles = map.cycles();
        let (carries, joint) = map.carries();
        let mut this = Self { starts: [0; MAX_STARTS], len: 0, from: 1 };
        let mut value = map.rank;
        while value < map.values {
            if joint[value] && cycles[value].rises.is_none() && this.from < cycles[value].period {
                this.from = cycles[value].period;
            }
            value += 1;
        }
        let mut i = 0;
        while i < carries.as_slice().len() {
            let carry = &carries.as_slice()[i];
            if let (Some(_), Some(rises)) = (carry.stride, cycles[carry.source].rises) {
                this.insert(rises.saturating_mul(carry.div));
            }
            i += 1;
        }
        this.merge(map);
        this
    }

    const fn insert(&mut self, start: usize) {
        let mut i = self.len;
        while i > 0 && start < self.starts[i - 1] {
            self.starts[i] = self.starts[i - 1];
            i -= 1;
        }
        self.starts[i] = start;
        self.len += 1;
    }

    /// Drops the starts to which the rule does not apply, and those that only continue the one before.
    const fn merge(&mut self, map: &IndexMap) {
        let mut kept: usize = 0;
        let mut i = 0;
        while i < self.len {
            let start = self.starts[i];
            i += 1;
            if start < self.from || start >= map.elements() {
                continue;
            }
            if kept > 0 {
                let before = self.starts[kept - 1];
                let continued = (start / before).saturating_mul(map.offset_of(before));
                if start.is_multiple_of(before) && map.offset_of(start) == continued {
                    continue;
                }
            }
            self.starts[kept] = start;
            kept += 1;
        }
        self.len = kept;
    }

    /// The first start after `number`.
    pub(super) const fn next(&self, number: usize) -> usize {
        let mut i = 0;
        while i < self.len && self.starts[i] <= number {
            i += 1;
        }
        if i < self.len { self.starts[i] } else { usize::MAX }
    }

    /// Whether `number` is a multiple of the last start that is at most `number`.
    pub(super) const fn starts_at(&self, number: usize) -> bool {
        let mut before = None;
        let mut i = 0;
        while i < self.len && self.starts[i] <= number {
            before = Some(self.starts[i]);
            i += 1;
        }
        match before {
            Some(before) => number.is_multiple_of(before),
            None => false,
        }
    }
}

impl IndexMap {
    const fn cycles(&self) -> [Cycle; MAX_VALUES] {
        let largest = self.largest();
        let mut cycles = [Cycle { rises: Some(1), ends: 1, period: 1 }; MAX_VALUES];
        let mut below = 1;
        let mut dim = self.rank;
        while dim > 0 {
            dim -= 1;
            let ends = below * self.bounds[dim];
            cycles[dim] = Cycle { rises: Some(below), ends, period: ends };
            below = ends;
        }
        let mut i = 0;
        while i < self.term_count {
            let Term { target, part } = self.terms[i];
            if part.moves(&largest) {
                let first = cycles[target].period == 1;
                cycles[target] = cycles[target].join(&cycles[part.source], &part, first);
            }
            i += 1;
        }
        cycles
    }
}

impl Cycle {
    /// The cycle of a derived value after adding a summand that is more major than those before.
    const fn join(self, source: &Self, part: &Part, first: bool) -> Self {
        let period = if source.period > self.period { source.period } else { self.period };
        let Some(unit) = source.rises else { return Self { rises: None, ends: 0, period } };
        let rises = unit * part.div;
        let mut ends = source.ends;
        if part.wrap && rises.saturating_mul(part.size) < ends {
            ends = rises * part.size;
        }
        let rises = match self.rises {
            None => None,
            // The ranges of the summands must follow one another without a gap.
            _ if first => {
                if part.stride == 1 {
                    Some(rises)
                } else {
                    None
                }
            }
            Some(least) if self.ends == rises && rises == least.saturating_mul(part.stride) => {
                Some(least)
            }
            Some(_) => None,
        };
        Self { rises, ends, period }
    }
}
