use super::*;

/// Where a value carries: from one multiple of `div` to the next, the offset moves by `stride`.
///
/// In `f32[1000,384]{1,0:T(8,128)}` dimension 0 has two carries: `div` 1 with a stride of 128, from row to row in a tile,
/// and `div` 8 with a stride of 3072, from one row of three tiles to the next.
#[derive(Clone, Copy)]
pub(super) struct Carry {
    pub(super) source: usize,
    pub(super) div: usize,
    /// In elements; `None` if the move also depends on other dimensions.
    pub(super) stride: Option<usize>,
}

const MAX_CARRIES: usize = MAX_PARTS + MAX_TERMS;

/// How the offset depends on each value: carries ordered by source and `div`. A carry that only continues the one before
/// it is left out. Derived values are resolved into their summands where possible.
#[derive(Clone, Copy)]
pub(super) struct Carries {
    list: [Carry; MAX_CARRIES],
    len: usize,
}

impl Carries {
    const NONE: Self =
        Self { list: [Carry { source: 0, div: 1, stride: None }; MAX_CARRIES], len: 0 };

    pub(super) const fn as_slice(&self) -> &[Carry] {
        self.list.split_at(self.len).0
    }

    const fn insert(&mut self, carry: Carry) {
        let mut i = self.len;
        while i > 0 && carry.precedes(&self.list[i - 1]) {
            self.list[i] = self.list[i - 1];
            i -= 1;
        }
        self.list[i] = carry;
        self.len += 1;
    }

    const fn append(&mut self, carries: &Self) {
        let mut i = 0;
        while i < carries.len {
            self.insert(carries.list[i]);
            i += 1;
        }
    }

    /// Removes the carries of `source`, and returns those of them that do not merely continue the one before.
    const fn take(&mut self, source: usize) -> Self {
        let mut taken = Self::NONE;
        let mut kept = 0;
        let mut i = 0;
        while i < self.len {
            let carry = self.list[i];
            i += 1;
            if carry.source != source {
                self.list[kept] = carry;
                kept += 1;
            } else if taken.len == 0 || !carry.continues(&taken.list[taken.len - 1]) {
                taken.list[taken.len] = carry;
                taken.len += 1;
            }
        }
        self.len = kept;
        taken
    }
}

impl Carry {
    const fn precedes(&self, other: &Self) -> bool {
        self.source < other.source || (self.source == other.source && self.div < other.div)
    }

    const fn continues(&self, before: &Self) -> bool {
        match (self.stride, before.at(self.div)) {
            (Some(stride), Some(expected)) => stride == expected,
            _ => false,
        }
    }

    /// How far the offset moves from one multiple of `div` to the next, if no later carry changes that.
    const fn at(&self, div: usize) -> Option<usize> {
        match self.stride {
            Some(stride) if div.is_multiple_of(self.div) => stride.checked_mul(div / self.div),
            _ => None,
        }
    }
}

impl IndexMap {
    /// The carries of all values, and a flag for each derived value that could not be resolved. Quadratic in the number of
    /// parts.
    pub(super) const fn carries(&self) -> (Carries, [bool; MAX_VALUES]) {
        self.carries_keeping(&[false; MAX_VALUES])
    }

    /// The carries of all values, without resolving the values that are `kept`, and a flag for each value that was not
    /// resolved.
    pub(super) const fn carries_keeping(
        &self,
        kept: &[bool; MAX_VALUES],
    ) -> (Carries, [bool; MAX_VALUES]) {
        let largest = self.largest();
        let mut carries = Carries::NONE;
        let mut joint = [false; MAX_VALUES];
        let mut i = 0;
        while i < self.part_count {
            let part = self.parts[i];
            if part.moves(&largest) {
                let Part { source, div, stride, .. } = part;
                carries.insert(Carry { source, div, stride: Some(stride) });
            }
            i += 1;
        }
        // From the last value down: the carries of a source are complete when all values derived from it are resolved.
        let mut value = self.values;
        while value > 0 {
            value -= 1;
            let own = carries.take(value);
            if value < self.rank {
                carries.append(&own);
                continue;
            }
            let resolved = if kept[value] { None } else { self.resolve(value, &own, &largest) };
            match resolved {
                Some(resolved) => carries.append(&resolved),
                None => {
                    joint[value] = true;
                    carries.append(&own);
                    self.mark_sources(value, &largest, &mut carries);
                }
            }
        }
        (carries, joint)
    }

    /// The carries of a derived value as carries of its summands. Possible if each carry is a multiple of the summand below
    /// it, so that the summand starts again at each carry: then each summand moves the offset on its own.
    ///
    /// Let `v = d0 * 8 + d1` have a carry of 128 at 1 and of 1024 at 4. Then `d1` has the same two, and `d0` one of 2048 at 1.
    /// For `v = d0 * 6 + d1` there is no answer, as 6 is not a multiple of 4.
    const fn resolve(
        &self,
        value: usize,
        own: &Carries,
        largest: &[usize; MAX_VALUES],
    ) -> Option<Carries> {
        let mut resolved = Carries::NONE;
        let (mut t, mut s) = (0, 0);
        let mut part: Option<Part> = None;
        loop {
            while t < self.term_count && !self.terms[t].moves(value, largest) {
                t += 1;
            }
            let summand = if t < self.term_count { self.terms[t].part.stride } else { usize::MAX };
            let carry = if s < own.len { own.list[s].div } else { usize::MAX };
            let div = if summand < carry { summand } else { carry };
            if div == usize::MAX {
                return Some(resolved);
            }
            if let Some(Part { stride: summand, .. }) = part
                && !div.is_multiple_of(summand)
            {
                return None;
            }
            if summand == div {
                part = Some(self.terms[t].part);
                t += 1;
            }
            if carry == div {
                s += 1;
            }
            // Nothing moves below the smallest summand, and nothing at all in an empty array.
            let Some(Part { source, div: unit, size, stride: summand, .. }) = part else {
                continue;
            };
            if s == 0 {
                continue;
            }
            let stride = own.list[s - 1].at(div);
            if stride.is_none() && carry != div {
                return None;
            }
            let digit = div / summand;
            if digit < size && unit.saturating_mul(digit) <= largest[source] {
                resolved.insert(Carry { source, div: unit * digit, stride });
            }
        }
    }

    /// Adds a carry of unknown stride to each source of a derived value.
    const fn mark_sources(
        &self,
        value: usize,
        largest: &[usize; MAX_VALUES],
        carries: &mut Carries,
    ) {
        let mut i = 0;
        while i < self.term_count {
            if self.terms[i].moves(value, largest) {
                let Part { source, div, .. } = self.terms[i].part;
                carries.insert(Carry { source, div, stride: None });
            }
            i += 1;
        }
    }

    /// The largest number that each value has outside of padding.
    pub(super) const fn largest(&self) -> [usize; MAX_VALUES] {
        let mut largest = [0; MAX_VALUES];
        let mut dim = 0;
        while dim < self.rank {
            largest[dim] = self.bounds[dim].saturating_sub(1);
            dim += 1;
        }
        let mut i = 0;
        while i < self.term_count {
            let Term { target, part } = &self.terms[i];
            if part.moves(&largest) {
                let digit = largest[part.source] / part.div;
                largest[*target] +=
                    if digit < part.size { digit } else { part.size - 1 } * part.stride;
            }
            i += 1;
        }
        largest
    }
}

impl Part {
    /// Whether the part is ever nonzero.
    pub(super) const fn moves(&self, largest: &[usize; MAX_VALUES]) -> bool {
        self.size > 1 && self.div <= largest[self.source]
    }
}

impl Term {
    /// Whether the term is a summand of `target` that is ever nonzero.
    pub(super) const fn moves(&self, target: usize, largest: &[usize; MAX_VALUES]) -> bool {
        self.target == target && self.part.moves(largest)
    }
}
