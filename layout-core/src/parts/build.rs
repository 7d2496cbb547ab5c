use super::*;

/// Splits the dimensions of an array tile by tile, then computes the strides of the parts.
///
/// ```
/// use tensor_layout::parts::Builder;
/// // The documents' first figure: a 3x5 array in 2x2 tiles.
/// let map = Builder::new(&[3, 5], &[3, 5], &[1, 0]).tile(&[2, 2]).and_then(Builder::with_strides).unwrap();
/// assert_eq!((map.offset(&[2, 3]), map.len()), (17, 24));
/// ```
#[derive(Clone, Copy)]
pub struct Builder {
    map: IndexMap,
    zero: Option<usize>,
}

impl IndexMap {
    /// The map of a row-major array without tiles; `None` if it has more than [`MAX_RANK`] dimensions, or more
    /// elements than a pointer can number.
    pub const fn row_major(dims: &[usize]) -> Option<Self> {
        let rank = dims.len();
        if rank > MAX_RANK {
            return None;
        }
        let mut minor_to_major = [0; MAX_RANK];
        let mut i = 0;
        while i < rank {
            minor_to_major[i] = rank - 1 - i;
            i += 1;
        }
        Builder::new(dims, dims, minor_to_major.split_at(rank).0).with_strides()
    }

    /// The map of this row-major array as a window of a larger row-major array of sizes `shape`: the indices of this array,
    /// with the strides of the larger one.
    #[doc(hidden)]
    pub const fn with_window(mut self, shape: &[usize]) -> Self {
        let mut stride = 1;
        let mut dim = self.rank;
        while dim > 0 {
            dim -= 1;
            // The parts of a row-major array are in the order of its dimensions.
            self.parts[dim].stride = stride;
            stride *= shape[dim];
        }
        self
    }

    /// The map of the transposed array: the same offsets, for an index whose dimensions are in reverse order.
    #[doc(hidden)]
    pub const fn reversed(mut self) -> Self {
        let last = self.rank.saturating_sub(1);
        let bounds = self.bounds;
        let mut dim = 0;
        while dim < self.rank {
            self.bounds[dim] = bounds[last - dim];
            dim += 1;
        }
        let mut i = 0;
        while i < self.part_count {
            if self.parts[i].source < self.rank {
                self.parts[i].source = last - self.parts[i].source;
            }
            i += 1;
        }
        i = 0;
        while i < self.term_count {
            if self.terms[i].part.source < self.rank {
                self.terms[i].part.source = last - self.terms[i].part.source;
            }
            i += 1;
        }
        self
    }

    /// The same offsets for an array of sizes `dims`, none larger than the padded width in which this one is stored.
    #[doc(hidden)]
    pub const fn with_dims(mut self, dims: &[usize]) -> Self {
        let mut dim = 0;
        while dim < self.rank {
            self.bounds[dim] = dims[dim];
            dim += 1;
        }
        self
    }
}

impl Builder {
    /// The entry of a tile that combines its dimension with the next more minor one.
    ///
    /// Larger than any size. It is not `usize::MAX`, so that the result of a miscalculation does not mean `*`.
    pub const COMBINE: usize = usize::MAX - 0x2A;

    /// An array of sizes `dims`, each stored in the width of `widths` (at least the size), with its dimensions in the order
    /// of `minor_to_major`.
    ///
    /// # Panics
    /// If the three differ in length, if there are more than [`MAX_RANK`] dimensions, or if `minor_to_major` names a
    /// dimension that does not exist.
    pub const fn new(dims: &[usize], widths: &[usize], minor_to_major: &[usize]) -> Self {
        let rank = dims.len();
        assert!(widths.len() == rank && minor_to_major.len() == rank);
        Self::start(rank, dims, widths, minor_to_major)
    }

    /// [`Builder::new`] for the first `rank` entries of each slice.
    ///
    /// Const evaluation builds the table of every layout type. There a slice, a call, an `Option` or a copy of the table
    /// costs as much as dozens of statements, so the code below passes lengths, and uses plain loops, references and `bool`s.
    pub(crate) const fn start(
        rank: usize,
        dims: &[usize],
        widths: &[usize],
        minor_to_major: &[usize],
    ) -> Self {
        let mut map = IndexMap {
            rank,
            bounds: [1; MAX_VALUES],
            values: rank,
            terms: [Term { target: 0, part: Part::UNIT }; MAX_TERMS],
            term_count: 0,
            parts: [Part::UNIT; MAX_PARTS],
            part_count: rank,
            len: 0,
        };
        let mut i = 0;
        while i < rank {
            let source = minor_to_major[rank - 1 - i];
            assert!(source < rank);
            map.bounds[i] = dims[i];
            map.parts[i].source = source;
            map.parts[i].size = widths[source];
            i += 1;
        }
        Self { map, zero: None }
    }

    /// Applies one tile to the most minor parts: each entry splits a part into the number of the tile and the index
    /// in the tile. `None` if a size overflows.
    ///
    /// # Panics
    /// If `tile` has more than [`MAX_TILE_RANK`] entries, if an entry is zero, if the last is [`Builder::COMBINE`],
    /// or if [`MAX_TILES`] tiles have been applied already.
    pub const fn tile(mut self, tile: &[usize]) -> Option<Self> {
        if self.add_tile(tile.len(), tile) { Some(self) } else { None }
    }

    /// [`Builder::tile`] for the first `entries` entries of `tile`, in place. Returns false if a size overflows; the builder
    /// must not be used after that.
    pub(crate) const fn add_tile(&mut self, entries: usize, tile: &[usize]) -> bool {
        while self.map.part_count < entries {
            self.prepend_unit();
        }
        let mut sizes = [0; MAX_TILE_RANK];
        let mut kept = 0;
        let mut combined = 0;
        let mut i = 0;
        while i < entries {
            if tile[i] == Self::COMBINE {
                combined += 1;
            } else {
                if combined > 0 {
                    // Each entry belongs to a part, counted from the most minor one; combining removes parts before the
                    // entries that are left, whose distance from the end stays the same.
                    let last = self.map.part_count + i - entries;
                    if !self.combine(last - combined, last) {
                        return false;
                    }
                    combined = 0;
                }
                sizes[kept] = tile[i];
                kept += 1;
            }
            i += 1;
        }
        assert!(
            combined == 0,
            "the most minor entry of a tile cannot be combined with a more minor one"
        );
        self.split(&sizes, kept)
    }

    /// The parts without strides, whose product may overflow if the array is empty.
    pub(crate) const fn without_strides(self) -> IndexMap {
        self.map
    }

    /// Gives the parts row-major strides and returns the finished map; `None` if the length overflows.
    pub const fn with_strides(mut self) -> Option<IndexMap> {
        let mut stride: usize = 1;
        let mut empty = false;
        let mut i = self.map.part_count;
        while i > 0 {
            i -= 1;
            self.map.parts[i].stride = stride;
            let size = self.map.parts[i].size;
            empty |= size == 0;
            let factor = if size == 0 { 1 } else { size };
            if stride > usize::MAX / factor {
                return None;
            }
            stride *= factor;
        }
        self.map.len = if empty { 0 } else { stride };
        Some(self.map)
    }

    /// Splits the `split` most minor parts by the first entries of `sizes`.
    ///
    /// In `bf16[1000,384]{1,0:T(8,128)(2,1)}` the first tile splits `d0` into `d0 floordiv 8` and `d0 mod 8`; the second
    /// splits `d0 mod 8` into `(d0 floordiv 2) mod 4` and `d0 mod 2`.
    const fn split(&mut self, sizes: &[usize; MAX_TILE_RANK], split: usize) -> bool {
        let count = self.map.part_count;
        let base = count - split;
        let mut i = 0;
        while i < split {
            let size = sizes[i];
            let mut whole = self.map.parts[base + i];
            // `(y mod s) mod t` is `y mod t` only if t divides s; otherwise `y mod s` becomes a derived value. For
            // `(y mod 8) mod 3` and y = 8 the result is 0, but `8 mod 3` is 2.
            if whole.wrap && !whole.size.is_multiple_of(size) {
                whole = self.derive(whole);
            }
            if whole.div > usize::MAX / size {
                return false;
            }
            let part = &mut self.map.parts[base + i];
            *part = whole;
            part.div *= size;
            part.size = whole.size.div_ceil(size);
            let part = &mut self.map.parts[count + i];
            *part = whole;
            part.size = size;
            part.wrap |= whole.size > size;
            i += 1;
        }
        self.map.part_count = count + split;
        true
    }

    /// Replaces the parts `first..=last` by one part: a derived value that numbers their indices row-major. The parts `d0` of
    /// size 2 and `d1` of size 7 become `d0 * 7 + d1`, of size 14.
    const fn combine(&mut self, first: usize, last: usize) -> bool {
        let target = self.map.values;
        let mut empty = false;
        let mut stride: usize = 1;
        let mut i = last + 1;
        while i > first {
            i -= 1;
            let part = self.map.parts[i];
            self.map.terms[self.map.term_count] = Term { target, part: Part { stride, ..part } };
            self.map.term_count += 1;
            empty |= part.size == 0;
            let factor = if part.size == 0 { 1 } else { part.size };
            if stride > usize::MAX / factor {
                return false;
            }
            stride *= factor;
        }
        let bound = if empty { 0 } else { stride };
        self.map.values += 1;
        self.map.bounds[target] = bound;
        self.map.parts[first] = Part { source: target, size: bound, ..Part::UNIT };
        let removed = last - first;
        let mut i = first + 1;
        while i + removed < self.map.part_count {
            self.map.parts[i] = self.map.parts[i + removed];
            i += 1;
        }
        self.map.part_count -= removed;
        true
    }

    /// Makes a derived value of a part, and returns that value as a part, which can then be split by any size.
    const fn derive(&mut self, part: Part) -> Part {
        if part.size <= 1 {
            return Part { source: self.zero(), size: part.size, ..Part::UNIT };
        }
        let target = self.map.values;
        self.map.terms[self.map.term_count] = Term { target, part: Part { stride: 1, ..part } };
        self.map.term_count += 1;
        self.map.values += 1;
        self.map.bounds[target] = part.size;
        Part { source: target, size: part.size, ..Part::UNIT }
    }

    const fn prepend_unit(&mut self) {
        let mut i = self.map.part_count;
        while i > 0 {
            self.map.parts[i] = self.map.parts[i - 1];
            i -= 1;
        }
        self.map.parts[0] = Part { source: self.zero(), ..Part::UNIT };
        self.map.part_count += 1;
    }

    /// The number of the value that is always zero: the source of the dimensions of size 1 that are added in front of an
    /// array whose rank is lower than that of a tile.
    const fn zero(&mut self) -> usize {
        match self.zero {
            Some(value) => value,
            None => {
                let value = self.map.values;
                self.map.values += 1;
                self.zero = Some(value);
                value
            }
        }
    }
}
