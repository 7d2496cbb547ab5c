use super::row_major::RowMajor;
use super::*;

impl IndexMap {
    /// The row-major number of the first element for which two maps differ in the offset; `None` if they agree on all
    /// elements that both have.
    ///
    /// Quadratic in the number of parts while the dimensions of both arrays wrap around at the same elements. From the first
    /// element where they do not, and where combined dimensions carry into each other, the function follows both maps from
    /// carry to carry, which is linear in the number of carries up to the difference.
    pub const fn first_difference(&self, other: &Self) -> Option<usize> {
        match self.agreement(other, usize::MAX) {
            Agreement::Before(number) => Some(number),
            // No array has enough elements for that many carries.
            Agreement::All | Agreement::AtLeast(_) => None,
        }
    }

    /// How far two maps agree on the offsets of the elements, compared as by [`IndexMap::first_difference`], but followed over at
    /// most this number of carries.
    pub const fn agreement(&self, other: &Self, mut carries: usize) -> Agreement {
        if self.is_same_table(other) {
            return Agreement::All;
        }
        let len = self.common_len(other);
        let mut agreed = 0;
        loop {
            match self.compare(other, agreed, len) {
                Comparison::Same => return Agreement::All,
                Comparison::DifferAt(number) => return Agreement::Before(number),
                Comparison::Unknown { from, to } => {
                    match self.follow(other, from, to, &mut carries) {
                        Agreement::All => agreed = to,
                        end => return end,
                    }
                }
            }
        }
    }

    /// Whether both maps compute each offset in the same way.
    const fn is_same_table(&self, other: &Self) -> bool {
        if self.rank != other.rank
            || self.term_count != other.term_count
            || self.part_count != other.part_count
        {
            return false;
        }
        let mut is_same = true;
        let mut i = 0;
        while i < self.rank {
            is_same &= self.bounds[i] == other.bounds[i];
            i += 1;
        }
        i = 0;
        while i < self.term_count {
            let (mine, others) = (&self.terms[i], &other.terms[i]);
            is_same &= mine.target == others.target && mine.part.is_same(&others.part);
            i += 1;
        }
        i = 0;
        while i < self.part_count {
            is_same &= self.parts[i].is_same(&other.parts[i]);
            i += 1;
        }
        is_same
    }

    const fn common_len(&self, other: &Self) -> usize {
        let (mine, others) = (self.elements(), other.elements());
        if mine < others { mine } else { others }
    }

    /// Compares the first `len` elements. The first `agreed` are known to agree: none of them, or all up to the end of a range
    /// that an earlier comparison left to [`IndexMap::follow`].
    const fn compare(&self, other: &Self, agreed: usize, len: usize) -> Comparison {
        if agreed >= len {
            return Comparison::Same;
        }
        let (a, b) = (RowMajor::of(self), RowMajor::of(other));
        let mut number = if a.from > b.from { a.from } else { b.from };
        if number > 1 && agreed == 0 {
            return Comparison::Unknown { from: 0, to: if number < len { number } else { len } };
        }
        // The elements before `number` agree. If the dimensions of both arrays start again there, and element `number` agrees,
        // so do all elements before the next start.
        while number < len {
            if !a.starts_at(number) || !b.starts_at(number) {
                return Comparison::Unknown { from: number, to: len };
            }
            if self.offset_of(number) != other.offset_of(number) {
                return Comparison::DifferAt(number);
            }
            number = if a.next(number) < b.next(number) { a.next(number) } else { b.next(number) };
        }
        Comparison::Same
    }

    /// The offset of element `number` in row-major order.
    pub(super) const fn offset_of(&self, number: usize) -> usize {
        match self.index_of(number) {
            Some(index) => self.offset(index.as_slice()),
            None => panic!("no such element"),
        }
    }

    /// The first difference among the elements `from..to`, from carry to carry, of which at most `carries` remain.
    const fn follow(&self, other: &Self, from: usize, to: usize, carries: &mut usize) -> Agreement {
        let mut number = from;
        while number < to {
            if *carries == 0 {
                return Agreement::AtLeast(number);
            }
            *carries -= 1;
            let (a, b) = (self.run_at(number), other.run_at(number));
            if a.offset != b.offset {
                return Agreement::Before(number);
            }
            let len = if a.len < b.len { a.len } else { b.len };
            if len > 1 && number + 1 < to && a.stride != b.stride {
                return Agreement::Before(number + 1);
            }
            number = number.saturating_add(len);
        }
        Agreement::All
    }

    /// The longest progression of elements from `number` on: along the most minor dimension, up to the next carry of a part.
    ///
    /// In `f32[3,5]{1,0:T(2,2)}` the progressions of the first row start at elements 0, 2 and 4, at the offsets 0, 4 and 8.
    const fn run_at(&self, number: usize) -> Progression {
        let Some(index) = self.index_of(number) else { panic!("no such element") };
        let mut run = Progression { offset: 0, stride: 0, len: usize::MAX };
        // The values at the first element, and by how much each rises from one element to the next.
        let (mut at, mut step) = ([0; MAX_VALUES], [0; MAX_VALUES]);
        let mut dim = 0;
        while dim < self.rank {
            at[dim] = index.as_slice()[dim];
            if self.bounds[dim] > 1 {
                (step, run.len) = ([0; MAX_VALUES], self.bounds[dim] - at[dim]);
                step[dim] = 1;
            }
            dim += 1;
        }
        let mut i = 0;
        while i < self.term_count {
            let Term { target, part } = self.terms[i];
            let moved = run.through(&part, at[part.source], step[part.source]);
            step[target] = moved.saturating_add(step[target]);
            at[target] += part.of(at[part.source]) * part.stride;
            i += 1;
        }
        let mut i = 0;
        while i < self.part_count {
            let part = self.parts[i];
            let moved = run.through(&part, at[part.source], step[part.source]);
            run.stride = moved.saturating_add(run.stride);
            run.offset += part.of(at[part.source]) * part.stride;
            i += 1;
        }
        run
    }
}

/// How far two layouts agree on the offsets of the elements, in row-major order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Agreement {
    /// On all elements that both have.
    All,
    /// On the elements before this one, which has different offsets.
    Before(usize),
    /// On the elements before this one; those that follow were not compared.
    AtLeast(usize),
}

/// What a comparison of two maps shows without following them from carry to carry.
enum Comparison {
    Same,
    DifferAt(usize),
    /// The elements before `from` agree; those in `from..to` must be followed.
    Unknown {
        from: usize,
        to: usize,
    },
}

impl Part {
    const fn is_same(&self, other: &Self) -> bool {
        self.source == other.source
            && self.div == other.div
            && self.size == other.size
            && self.stride == other.stride
            && self.wrap == other.wrap
    }
}

/// Elements that follow each other in row-major order and are `stride` apart in storage.
#[derive(Clone, Copy)]
struct Progression {
    offset: usize,
    stride: usize,
    len: usize,
}

impl Progression {
    /// The distance by which a part of a value moves the offset with each element. Shortens the progression to end where the part
    /// carries. If it carries after the first element, the result may have overflowed, and is not used.
    const fn through(&mut self, part: &Part, value: usize, step: usize) -> usize {
        if step == 0 || part.size <= 1 {
            return 0;
        }
        let (left, step, stride) = if step.is_multiple_of(part.div) {
            let step = step / part.div;
            let left = if part.wrap { part.size - part.of(value) } else { usize::MAX };
            (left, step, step.saturating_mul(part.stride))
        } else {
            (part.div - value % part.div, step, 0)
        };
        let len = left.div_ceil(step);
        if len < self.len {
            self.len = len;
        }
        stride
    }
}
