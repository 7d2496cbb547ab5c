use super::*;

/// The largest number of ranges that the search keeps for later: one for each bit of an offset, since each halving of a
/// digit decides one bit, and one for each part.
const MAX_RANGES: usize = usize::BITS as usize + MAX_PARTS;

impl IndexMap {
    /// One past the largest offset of an element; 0 if the array is empty.
    ///
    /// Searches from the end, halving the digits of the offset, and skips the halves that are all padding. Of the 24 stored
    /// elements of `f32[3,5]{1,0:T(2,2)}` it searches 12..=23, 16..=23 and 20..=23, skips 22..=23 (row 3) and 21 (column 5),
    /// and finds element `[2, 4]` at 20: the extent is 21.
    ///
    /// Quadratic in the number of parts, unless combined dimensions carry into each other: then a half that is all padding
    /// is not always recognized, and is searched too.
    pub const fn extent(&self) -> usize {
        if self.elements() == 0 {
            return 0;
        }
        let largest = self.largest();
        let mut ranges = [(0, 0); MAX_RANGES];
        ranges[0] = (0, self.len - 1);
        let mut count = 1;
        while count > 0 {
            count -= 1;
            let (first, last) = ranges[count];
            if !self.may_hold(first, last, &largest) {
                continue;
            }
            if first == last {
                return last + 1;
            }
            let middle = self.middle(first, last);
            ranges[count] = (first, middle - 1);
            ranges[count + 1] = (middle, last);
            count += 2;
        }
        0
    }

    /// The start of the upper half of a range, which is cut in the most major digit in which its ends differ. So all more
    /// minor digits are 0 at the start of a range, and as large as possible at its end.
    const fn middle(&self, first: usize, last: usize) -> usize {
        let mut i = 0;
        while first / self.parts[i].stride == last / self.parts[i].stride {
            i += 1;
        }
        let stride = self.parts[i].stride;
        (first / stride + last / stride).div_ceil(2) * stride
    }

    /// Whether a range that [`IndexMap::middle`] cut may contain an element. Exact for a range of one offset, and for every
    /// range if there are no derived values.
    const fn may_hold(&self, first: usize, last: usize, largest: &[usize; MAX_VALUES]) -> bool {
        // The least and the largest value over the range, as sums of digits.
        let (mut low, mut high) = ([0; MAX_VALUES], [0; MAX_VALUES]);
        let mut i = 0;
        while i < self.part_count {
            let part = &self.parts[i];
            low[part.source] += part.at(first) * part.div;
            high[part.source] += part.at(last) * part.div;
            i += 1;
        }
        let mut i = self.term_count;
        while i > 0 {
            i -= 1;
            let Term { target, part } = self.terms[i];
            if low[target] > largest[target] {
                return false;
            }
            let end = if high[target] < largest[target] { high[target] } else { largest[target] };
            // The digit takes all values between those at the ends, unless it wraps around in between.
            let period = part.stride.saturating_mul(part.size);
            if low[target] / period == end / period {
                low[part.source] += part.at(low[target]) * part.div;
                high[part.source] += part.at(end) * part.div;
            } else {
                high[part.source] += (part.size - 1) * part.div;
            }
        }
        let mut value = 0;
        while value < self.values {
            if low[value] > largest[value] {
                return false;
            }
            value += 1;
        }
        true
    }
}
