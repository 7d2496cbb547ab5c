use super::*;
use core::ops::Deref;

/// An index of up to [`MAX_RANK`] dimensions; reads as a slice.
///
/// ```
/// use layout_core::TiledSpec;
/// let spec = TiledSpec::row_major(layout_core::DType::F32, &[3, 5]).unwrap();
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
    /// Where the element at `index` lives, in elements from the start. Linear in the number of parts.
    ///
    /// The caller answers for `index` being in bounds; out of bounds the answer means nothing, or overflows.
    ///
    /// # Panics
    /// If `index` has not as many dimensions as the array.
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
        let mut i = 0;
        while i < self.part_count {
            let part = &self.parts[i];
            offset += part.of(y[part.source]) * part.stride;
            i += 1;
        }
        offset
    }

    /// Which element lives at `offset`; `None` for padding and past the end. The inverse of [`IndexMap::offset`].
    pub const fn index(&self, offset: usize) -> Option<Coordinates> {
        if offset >= self.len {
            return None;
        }
        let mut y = [0; MAX_VALUES];
        let mut i = 0;
        while i < self.part_count {
            let part = &self.parts[i];
            y[part.source] += (offset / part.stride) % part.size * part.div;
            i += 1;
        }
        // A derived value is known once all its parts are: from the last one back to the dimensions.
        let mut i = self.term_count;
        while i > 0 {
            i -= 1;
            let Term { target, part } = &self.terms[i];
            if y[*target] >= self.bounds[*target] {
                return None;
            }
            y[part.source] += (y[*target] / part.stride) % part.size * part.div;
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

    /// Whether `index` has the array's rank and lies within its bounds.
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

    /// Elements from one value of dimension `dim` to the next, where that is the same everywhere; `None` where tiles
    /// make it differ. A dimension of size one or zero has the stride that its place in the order gives it.
    ///
    /// # Panics
    /// If `dim` is not a dimension of the array.
    pub const fn stride(&self, dim: usize) -> Option<usize> {
        assert!(dim < self.rank, "no such dimension");
        let (reached, mut strides) = (self.reached(), [None; MAX_VALUES]);
        let mut value = self.values;
        // Derived values come after what they are made of, so their strides are known when they are asked for.
        while value > dim {
            value -= 1;
            strides[value] = self.stride_of(value, reached[value], &strides);
        }
        strides[dim]
    }

    /// The stride of a value that goes up to `reached`: that of its most minor piece, if the other pieces that move
    /// continue it.
    const fn stride_of(
        &self,
        value: usize,
        reached: usize,
        known: &[Option<usize>; MAX_VALUES],
    ) -> Option<usize> {
        let (mut unit, mut size) = (None, 0);
        let mut i = 0;
        while i < self.pieces() {
            let (part, stride) = self.piece(i, known);
            // A tile of size one leaves two pieces with this `div`; the one that moves decides.
            if part.source == value && part.div == 1 && (part.size > 1 || size <= 1) {
                (unit, size) = (stride, part.size);
            }
            i += 1;
        }
        let Some(unit) = unit else { return None };
        let mut i = 0;
        while i < self.pieces() {
            let (part, stride) = self.piece(i, known);
            if part.source == value && part.size > 1 && part.div <= reached {
                match stride {
                    Some(stride) if stride == unit * part.div => {}
                    _ => return None,
                }
            }
            i += 1;
        }
        Some(unit)
    }

    /// The largest that each value becomes, or more: padding may leave a derived value below its bound.
    const fn reached(&self) -> [usize; MAX_VALUES] {
        let mut reached = [0; MAX_VALUES];
        let mut dim = 0;
        while dim < self.rank {
            reached[dim] = self.bounds[dim].saturating_sub(1);
            dim += 1;
        }
        let mut i = 0;
        while i < self.term_count {
            let Term { target, part } = &self.terms[i];
            let last = reached[part.source] / part.div;
            let last = if part.wrap && last >= part.size { part.size - 1 } else { last };
            reached[*target] += last * part.stride;
            i += 1;
        }
        reached
    }

    const fn pieces(&self) -> usize {
        self.term_count + self.part_count
    }

    /// A term or a part, with the elements that one step of it moves.
    const fn piece(&self, i: usize, known: &[Option<usize>; MAX_VALUES]) -> (&Part, Option<usize>) {
        if i < self.term_count {
            let Term { target, part } = &self.terms[i];
            match known[*target] {
                Some(stride) => (part, Some(part.stride * stride)),
                None => (part, None),
            }
        } else {
            let part = &self.parts[i - self.term_count];
            (part, Some(part.stride))
        }
    }
}
