use super::*;
use core::ops::Deref;

/// An index of up to [`MAX_RANK`] dimensions; dereferences to a slice.
///
/// ```
/// use tensor_layout::TiledSpec;
/// let spec = TiledSpec::row_major(tensor_layout::DType::F32, &[3, 5]).unwrap();
/// let index = spec.index(7).unwrap();
/// assert_eq!(index, [1, 2]);
/// assert_eq!(index.iter().sum::<usize>(), 3);
/// ```
#[derive(Clone, Copy)]
pub struct Coordinates {
    at: [usize; MAX_RANK],
    rank: usize,
}

impl Coordinates {
    /// The index `at`, or `None` if it has more than [`MAX_RANK`] dimensions.
    pub const fn new(at: &[usize]) -> Option<Self> {
        if at.len() > MAX_RANK {
            return None;
        }
        let mut coordinates = Self { at: [0; MAX_RANK], rank: at.len() };
        let mut i = 0;
        while i < at.len() {
            coordinates.at[i] = at[i];
            i += 1;
        }
        Some(coordinates)
    }

    /// The index as a slice.
    pub const fn as_slice(&self) -> &[usize] {
        self.at.split_at(self.rank).0
    }

    pub(crate) const fn as_mut_slice(&mut self) -> &mut [usize] {
        self.at.split_at_mut(self.rank).0
    }
}

impl Deref for Coordinates {
    type Target = [usize];
    fn deref(&self) -> &[usize] {
        self.as_slice()
    }
}

impl AsRef<[usize]> for Coordinates {
    fn as_ref(&self) -> &[usize] {
        self
    }
}

impl<T: AsRef<[usize]> + ?Sized> PartialEq<T> for Coordinates {
    fn eq(&self, other: &T) -> bool {
        self.as_slice() == other.as_ref()
    }
}

impl Eq for Coordinates {}

impl core::fmt::Debug for Coordinates {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        self.as_slice().fmt(f)
    }
}

impl IndexMap {
    /// The offset of the element at `index`, in elements. Linear in the number of parts.
    ///
    /// `index` must be in bounds; otherwise the result is meaningless, or the computation overflows.
    ///
    /// # Panics
    /// If `index` does not have as many dimensions as the array.
    pub const fn offset(&self, index: &[usize]) -> usize {
        assert!(index.len() == self.rank, "the index must have as many dimensions as the array");
        let mut y = [0; MAX_VALUES];
        let mut i = 0;
        while i < self.rank {
            y[i] = index[i];
            i += 1;
        }
        let mut i = 0;
        while i < self.term_count {
            let Term { target, part } = &self.terms[i];
            y[*target] += part.of(y[part.source]) * part.stride;
            i += 1;
        }
        let mut offset = 0;
        let mut i = self.part_count;
        while i > 0 {
            let (part, more_major) = self.joined_part(i);
            offset += part.of(y[part.source]) * part.stride;
            i = more_major;
        }
        offset
    }

    /// The part before number `end`, joined with the parts before it that continue it, and the number of the first of them.
    /// Joining saves divisions, which are slow here because the divisors are not constants.
    #[inline]
    const fn joined_part(&self, end: usize) -> (Part, usize) {
        let mut part = self.parts[end - 1];
        let mut start = end - 1;
        while start > 0 {
            // A part of size 1 is always zero: skip it.
            if self.parts[start - 1].size > 1 {
                match self.parts[start - 1].joined_to(&part) {
                    Some(joined) => part = joined,
                    None => break,
                }
            }
            start -= 1;
        }
        (part, start)
    }

    /// The index of the element at `offset`; `None` for padding and past the end. The inverse of [`IndexMap::offset`].
    pub const fn index(&self, offset: usize) -> Option<Coordinates> {
        if offset >= self.len {
            return None;
        }
        let mut y = [0; MAX_VALUES];
        let mut rest = offset;
        let mut i = self.part_count;
        while i > 0 {
            let (part, more_major) = self.joined_part(i);
            // The strides are the products of the sizes, so one division yields the digit and the rest.
            y[part.source] += rest % part.size * part.div;
            rest /= part.size;
            i = more_major;
        }
        // A derived value is known once all its parts are: go from the last value back to the dimensions.
        let mut i = self.term_count;
        while i > 0 {
            i -= 1;
            let Term { target, part } = &self.terms[i];
            if y[*target] >= self.bounds[*target] {
                return None;
            }
            y[part.source] += part.at(y[*target]) * part.div;
        }
        let mut coordinates = Coordinates { at: [0; MAX_RANK], rank: self.rank };
        let mut i = 0;
        while i < self.values {
            if y[i] >= self.bounds[i] {
                return None;
            }
            if i < self.rank {
                coordinates.at[i] = y[i];
            }
            i += 1;
        }
        Some(coordinates)
    }

    /// The index of element `number` in row-major order; `None` past the last.
    pub const fn index_of(&self, number: usize) -> Option<Coordinates> {
        if number >= self.elements() {
            return None;
        }
        let mut coordinates = Coordinates { at: [0; MAX_RANK], rank: self.rank };
        let mut rest = number;
        let mut dim = self.rank;
        while dim > 0 {
            dim -= 1;
            coordinates.at[dim] = rest % self.bounds[dim];
            rest /= self.bounds[dim];
        }
        Some(coordinates)
    }

    /// Whether `index` has the array's rank and is within its bounds.
    pub const fn contains(&self, index: &[usize]) -> bool {
        if index.len() != self.rank {
            return false;
        }
        let mut i = 0;
        while i < self.rank {
            if index[i] >= self.bounds[i] {
                return false;
            }
            i += 1;
        }
        true
    }
}
