use super::*;

impl IndexMap {
    /// One past the largest offset of an element, for an array that has elements. Quadratic in the number of parts;
    /// where dimensions are combined, linear in the padding at the end.
    pub const fn extent(&self) -> usize {
        if self.term_count > 0 {
            let mut end = self.len;
            while end > 0 && self.index(end - 1).is_none() {
                end -= 1;
            }
            return end;
        }
        // Without combined dimensions the offset is a sum over dimensions, so each can be maximized on its own.
        let mut last = 0;
        let mut dim = 0;
        while dim < self.rank {
            last += self.largest(dim);
            dim += 1;
        }
        last + 1
    }

    /// The largest sum of the parts of one dimension.
    ///
    /// Either all digits are those of the last value, or the digits from some part up are, that part's digit is one
    /// less, and all parts below are free.
    const fn largest(&self, dim: usize) -> usize {
        let last = self.bounds[dim] - 1;
        let mut best = self.sum(dim, last, usize::MAX);
        let mut i = 0;
        while i < self.part_count {
            let part = &self.parts[i];
            if part.source == dim && part.size > 1 && part.of(last) > 0 {
                let below = self.sum(dim, last - last % part.div - 1, part.div);
                let from =
                    self.sum(dim, last, usize::MAX) - self.sum(dim, last % part.div, usize::MAX);
                let candidate = from - part.stride + below;
                if candidate > best {
                    best = candidate;
                }
            }
            i += 1;
        }
        best
    }

    /// The sum of the parts of `y` whose `div` is less than `below`.
    const fn sum(&self, dim: usize, y: usize, below: usize) -> usize {
        let mut sum = 0;
        let mut i = 0;
        while i < self.part_count {
            let part = &self.parts[i];
            if part.source == dim && part.div < below {
                sum += part.of(y) * part.stride;
            }
            i += 1;
        }
        sum
    }
}
