use super::*;

impl IndexMap {
    /// The table for [`IndexMap::index`] as a person would write it: the same index for each offset, from as few digits as
    /// possible.
    ///
    /// Unlike [`IndexMap::joined`] this one keeps padding. In `f32[6,10,8,128]{3,2,1,0:T(*,*,8,128)}` an offset consists of
    /// the digits `row floordiv 8` and `row mod 8` of the derived value `row`, which is `d0 * 80 + d1 * 8 + d2`, and of
    /// `d3`. The result reads the dimensions from the offset without the row: `d0` is `offset floordiv 10240`, `d1` is
    /// `(offset floordiv 1024) mod 10`, and `d2` is `(offset floordiv 128) mod 8`.
    #[doc(hidden)]
    pub const fn joined_digits(&self) -> Self {
        if self.elements() == 0 {
            return *self;
        }
        let mut map = *self;
        map.part_count = 0;
        let mut i = 0;
        while i < self.part_count {
            if self.parts[i].size > 1 {
                map.push(self.parts[i]);
            }
            i += 1;
        }
        i = 0;
        map.term_count = 0;
        while i < self.term_count {
            if self.terms[i].part.size > 1 {
                map.terms[map.term_count] = self.terms[i];
                map.term_count += 1;
            }
            i += 1;
        }
        // From the last value down, since a derived value can be a sum of other derived values.
        let mut value = self.values;
        while value > self.rank {
            value -= 1;
            map.read_from_offset(value);
        }
        map.join_digits();
        map
    }

    /// Whether checking one bound also rejects every offset past the end: the bound of the value to which the most major digit
    /// belongs. Only for a table of [`IndexMap::joined_digits`], whose first digit is the whole quotient of the offset.
    ///
    /// In `f32[1000,500]{0,1:T(8,128)}` every offset past the end has a column of 504 or more, and 500 is the bound.
    #[doc(hidden)]
    pub const fn bound_sees_the_end(&self) -> bool {
        if self.elements() == 0 || self.part_count == 0 {
            return false;
        }
        let Part { source, div, stride, .. } = self.parts[0];
        // The sum of the digits must not overflow for any offset: `usize::MAX / stride * div`, and less than `div` more.
        let fits = div < stride || stride.is_power_of_two();
        self.completes(&self.parts[0]) && fits && self.reach(source) > self.bounds[source]
    }

    /// Whether term `i` is the most major one of its derived value, so that its digit is the whole quotient, without `mod`.
    #[doc(hidden)]
    pub const fn is_most_major_term(&self, i: usize) -> bool {
        i + 1 >= self.term_count || self.terms[i + 1].target != self.terms[i].target
    }

    /// Joins the parts that are adjacent in the offset and continue each other in their value. A digit that is 0 except in
    /// padding is joined to the more minor one if that one completes its value: then one bound checks both. In
    /// `f32[1,100]{1,0:T(8,128)}` the only check that remains is whether the offset is less than 100.
    const fn join_digits(&mut self) {
        let whole = *self;
        self.part_count = 0;
        let mut i = whole.part_count;
        let mut digit = Part::UNIT;
        let mut started = false;
        while i > 0 {
            i -= 1;
            let major = whole.parts[i];
            let is_padding = major.div >= self.bounds[major.source];
            if !started {
                (digit, started) = (major, true);
            } else if let Some(joined) = major.joined_to(&digit) {
                digit = joined;
            } else if is_padding && self.completes(&digit) {
                digit.size *= major.size;
            } else {
                self.keep(digit, whole.values);
                digit = major;
            }
        }
        if started {
            self.keep(digit, whole.values);
        }
    }

    /// Adds a digit. A digit that is 0 except in padding becomes a digit of value number `zero`, whose bound is 1, so that
    /// it is checked without computing the dimension. If its stride is a power of two, the sum of such digits is one mask
    /// of the offset.
    const fn keep(&mut self, mut digit: Part, zero: usize) {
        if digit.div >= self.bounds[digit.source] && zero < MAX_VALUES {
            self.values = zero + 1;
            self.bounds[zero] = 1;
            digit.source = zero;
            digit.div = if digit.stride.is_power_of_two() { digit.stride } else { 1 };
        }
        self.insert(digit);
    }

    /// Whether all more major digits of the value are 0, except in padding.
    const fn completes(&self, part: &Part) -> bool {
        part.div * part.size >= self.bounds[part.source]
    }

    /// Replaces the digits of a derived value by digits of its summands, if each of those is a digit of the offset too;
    /// otherwise changes nothing.
    ///
    /// A row `d0 * 10 + d1` whose digits are `row floordiv 5` at stride 640 and `row mod 5` at stride 128 is replaced by `d0`
    /// at stride 1280, `d1 floordiv 5` at stride 640 and `d1 mod 5` at stride 128.
    const fn read_from_offset(&mut self, value: usize) {
        let (first, end) = self.terms_of(value);
        if first == end {
            return;
        }
        let Some(reach) = self.reach_of_chain(value) else { return };
        // The bound of a summand must also reject the padding of the value.
        if reach > self.bounds[value] && self.terms[end - 1].part.wrap {
            return;
        }
        let mut resolved = *self;
        resolved.part_count = 0;
        let mut i = 0;
        while i < self.part_count {
            let part = self.parts[i];
            i += 1;
            if part.source != value {
                if resolved.part_count == MAX_PARTS {
                    return;
                }
                resolved.insert(part);
                continue;
            }
            let mut t = first;
            while t < end {
                let term = self.terms[t].part;
                t += 1;
                let term_end = if t == end { reach } else { term.stride * term.size };
                let part_end = part.div * part.size;
                let low = if part.div > term.stride { part.div } else { term.stride };
                let high = if part_end < term_end { part_end } else { term_end };
                if low >= high {
                    continue;
                }
                let divides = low.is_multiple_of(part.div)
                    && low.is_multiple_of(term.stride)
                    && high.is_multiple_of(low)
                    && part_end.is_multiple_of(high)
                    && term_end.is_multiple_of(high);
                if !divides || resolved.part_count == MAX_PARTS {
                    return;
                }
                resolved.insert(Part {
                    source: term.source,
                    div: low / term.stride * term.div,
                    size: high / low,
                    stride: low / part.div * part.stride,
                    wrap: term.wrap || high < term_end,
                });
            }
        }
        resolved.remove_terms(first, end);
        *self = resolved;
    }

    /// The number of the first term of a value, and one past the number of its last term.
    const fn terms_of(&self, value: usize) -> (usize, usize) {
        let mut first = 0;
        while first < self.term_count && self.terms[first].target != value {
            first += 1;
        }
        let mut end = first;
        while end < self.term_count && self.terms[end].target == value {
            end += 1;
        }
        (first, end)
    }

    /// One past the largest number that the parts of a value represent. `None` if one of them does not start where a smaller one
    /// ends, or if the value is also split by a term, so that the offset by itself does not determine it.
    const fn reach_of_chain(&self, value: usize) -> Option<usize> {
        let mut i = 0;
        while i < self.term_count {
            if self.terms[i].part.source == value {
                return None;
            }
            i += 1;
        }
        let mut left = 0;
        i = 0;
        while i < self.part_count {
            left += (self.parts[i].source == value) as usize;
            i += 1;
        }
        let mut reach = 1;
        while left > 0 {
            i = 0;
            while i < self.part_count
                && (self.parts[i].source != value || self.parts[i].div != reach)
            {
                i += 1;
            }
            if i == self.part_count {
                return None;
            }
            reach *= self.parts[i].size;
            left -= 1;
        }
        Some(reach)
    }

    const fn remove_terms(&mut self, first: usize, end: usize) {
        let mut i = end;
        while i < self.term_count {
            self.terms[first + i - end] = self.terms[i];
            i += 1;
        }
        self.term_count -= end - first;
    }

    const fn push(&mut self, part: Part) {
        self.parts[self.part_count] = part;
        self.part_count += 1;
    }
}

impl Part {
    /// This part and a more minor one as a single part; `None` unless this one continues the other, in the offset and in
    /// the value.
    ///
    /// `y floordiv 8` at stride 1024 and `y mod 8` at stride 128 are `y` at stride 128, since 8 * 128 = 1024.
    #[inline]
    pub(super) const fn joined_to(&self, minor: &Self) -> Option<Self> {
        let continues = self.source == minor.source
            && self.div == minor.div * minor.size
            && self.stride == minor.stride * minor.size;
        if !continues {
            return None;
        }
        Some(Self { size: self.size * minor.size, wrap: self.wrap, ..*minor })
    }
}
