use super::carries::{Carries, Carry};
use super::*;

impl IndexMap {
    /// The table as a person would write the formula: the same offset for each element, from as few digits as possible.
    /// Parts that continue each other are joined: `y floordiv 128 * 4096 + y mod 128 * 32` is `y * 32`. This is for
    /// [`IndexMap::offset`] and its unrolled twin only: the padding is lost, so the result cannot compute an index.
    ///
    /// A value that combines dimensions is resolved into them if that saves instructions. Quadratic in the number of parts,
    /// for each derived value.
    #[doc(hidden)]
    pub const fn joined(&self) -> Self {
        if self.elements() == 0 {
            return *self;
        }
        let mut kept = [true; MAX_VALUES];
        let Some(mut best) = self.of_carries(&kept) else {
            panic!("the parts of one value divide each other");
        };
        // From the last value down, since a derived value can be a sum of other derived values.
        let mut value = if self.term_count == 0 { self.rank } else { self.values };
        while value > self.rank {
            value -= 1;
            kept[value] = false;
            match self.of_carries(&kept) {
                Some(resolved) if resolved.operations() < best.operations() => best = resolved,
                _ => kept[value] = true,
            }
        }
        best
    }

    /// One part for each carry. `None` if the carries of a value do not divide each other, as those of `(y mod 8) mod 3`
    /// at 3 and 8: such a digit is not one quotient and remainder of the value.
    const fn of_carries(&self, kept: &[bool; MAX_VALUES]) -> Option<Self> {
        let largest = self.largest();
        let (carries, joint) = self.carries_keeping(kept);
        let mut map = *self;
        map.part_count = 0;
        let mut i = 0;
        while i < carries.as_slice().len() {
            let Carry { source, div, stride } = carries.as_slice()[i];
            let size = match carries.after(i) {
                Some(next) if next > div && next.is_multiple_of(div) => next / div,
                Some(_) => return None,
                None => largest[source] / div + 1,
            };
            let wrap = carries.after(i).is_some();
            i += 1;
            match stride {
                None => {}
                Some(stride) => map.insert(Part { source, div, size, stride, wrap }),
            }
        }
        map.keep_terms(&joint, &largest);
        Some(map)
    }

    /// Inserts a part so that the strides stay in descending order.
    pub(super) const fn insert(&mut self, part: Part) {
        let mut i = self.part_count;
        while i > 0 && self.parts[i - 1].stride < part.stride {
            self.parts[i] = self.parts[i - 1];
            i -= 1;
        }
        self.parts[i] = part;
        self.part_count += 1;
    }

    /// Drops the terms of all values except those in `joint` and the values from which these are computed.
    const fn keep_terms(&mut self, joint: &[bool; MAX_VALUES], largest: &[usize; MAX_VALUES]) {
        let mut needed = *joint;
        // Terms come before the terms that split their value. Going backwards, a value is known to be needed before its own
        // terms are reached.
        let mut first = self.term_count;
        let mut i = self.term_count;
        while i > 0 {
            i -= 1;
            let Term { target, part } = self.terms[i];
            if needed[target] && part.moves(largest) {
                needed[part.source] = true;
                first -= 1;
                self.terms[first] = self.terms[i];
            }
        }
        let kept = self.term_count - first;
        i = 0;
        while i < kept {
            self.terms[i] = self.terms[first + i];
            i += 1;
        }
        self.term_count = kept;
    }

    /// An estimate of the instructions of an offset. Dividing by a power of two is one shift or mask; dividing by another
    /// constant is a multiplication and shifts, counted as 3.
    const fn operations(&self) -> usize {
        let mut operations = 0;
        let mut i = 0;
        while i < self.term_count + self.part_count {
            let part = self.entry(i);
            // The terms of a value are adjacent; the first needs no addition.
            let starts_a_value =
                i < self.term_count && (i == 0 || self.terms[i - 1].target != self.terms[i].target);
            operations += !starts_a_value as usize + (part.stride > 1) as usize;
            if part.div > 1 {
                operations += if part.div.is_power_of_two() { 1 } else { 3 };
            }
            if part.wrap {
                operations += if part.size.is_power_of_two() { 1 } else { 3 };
            }
            i += 1;
        }
        operations
    }

    /// Whether computing an offset takes a division by a number that is not a power of two.
    #[doc(hidden)]
    pub const fn divides(&self) -> bool {
        let mut i = 0;
        while i < self.term_count + self.part_count {
            if self.entry(i).divides() {
                return true;
            }
            i += 1;
        }
        false
    }

    /// The terms, then the parts.
    const fn entry(&self, i: usize) -> &Part {
        if i < self.term_count { &self.terms[i].part } else { &self.parts[i - self.term_count] }
    }
}

impl Part {
    const fn divides(&self) -> bool {
        !self.div.is_power_of_two() || (self.wrap && !self.size.is_power_of_two())
    }
}

impl Carries {
    /// The `div` of the next carry of the same value, if there is one.
    const fn after(&self, i: usize) -> Option<usize> {
        let carries = self.as_slice();
        if i + 1 < carries.len() && carries[i + 1].source == carries[i].source {
            Some(carries[i + 1].div)
        } else {
            None
        }
    }
}
