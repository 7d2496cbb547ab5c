use layout_core::tiled::TiledSpec;

/// Four bytes of an array: one element of 32 bits, or 2 or 4 narrower elements. They need not be aligned.
pub(super) type Word = [u8; 4];

/// The positions of the elements of a matrix: tiles in row-major order, each with its elements in row-major order.
///
/// An array without tiles is one tile. An array of narrow elements with a second tile `(2,1)` or `(4,1)` is a grid of words,
/// each with the elements of 2 or 4 rows that are one above the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Grid {
    /// The rows of a tile.
    pub(super) height: usize,
    /// The columns of a tile.
    pub(super) width: usize,
    /// The number of tiles from left to right.
    pub(super) across: usize,
}

/// The elements of 4 bits in a word.
pub(super) const NIBBLES: usize = 8;

impl Grid {
    /// The grid of a matrix in a layout that packs `depth` rows into a row of words; `None` for any other layout.
    pub(super) const fn of(spec: &TiledSpec, depth: usize) -> Option<Self> {
        let bits = spec.stored_bits();
        let whole = match depth {
            NIBBLES => bits == 4,
            _ => bits == spec.dtype().bits().next_multiple_of(8),
        };
        if !matches!(spec.minor_to_major(), [1, 0]) || spec.padded().is_some() || !whole {
            return None;
        }
        let &[rows, columns] = spec.dims() else { return None };
        match spec.tiles() {
            [] if depth == 1 => Some(Self::row_major([rows, columns])),
            [tile, inner @ ..] => {
                let &[height, width] = tile.as_slice() else { return None };
                let packs = match inner {
                    [] => depth == 1,
                    [inner] => match inner.as_slice() {
                        [rows, 1] => depth > 1 && *rows == depth,
                        _ => false,
                    },
                    _ => false,
                };
                // The check of the layout has rejected empty tiles; `*` is not a number.
                let fits = height < isize::MAX as usize && width < isize::MAX as usize;
                if packs && fits && height.is_multiple_of(depth) {
                    Some(Self { height: height / depth, width, across: columns.div_ceil(width) })
                } else {
                    None
                }
            }
            _ => None,
        }
    }

    /// The grid of a matrix, and the number of rows in a row of words: 1, 2 or 4.
    pub(super) fn stacked(spec: &TiledSpec) -> Option<(Self, usize)> {
        [1, 2, 4].into_iter().find_map(|stack| Some((Self::of(spec, stack)?, stack)))
    }

    /// The grid of an array without tiles.
    pub(super) const fn row_major([rows, columns]: [usize; 2]) -> Self {
        let (height, width) =
            (if rows > 0 { rows } else { 1 }, if columns > 0 { columns } else { 1 });
        Self { height, width, across: 1 }
    }

    /// The grid of the words of a matrix whose elements are `wide` words each.
    pub(super) const fn of_words(self, wide: usize) -> Self {
        Self { width: self.width * wide, ..self }
    }

    /// The position of the element in a row and column, in elements.
    ///
    /// With tiles of 8 x 128, two of them across, the element in row 9 and column 130 is in tile 1 * 2 + 1 = 3, at position
    /// (3 * 8 + 1) * 128 + 2 = 3202.
    #[inline]
    pub(super) const fn offset(&self, row: usize, column: usize) -> usize {
        // The first tile, which is all of a small matrix, needs no division.
        if row < self.height && column < self.width {
            return row * self.width + column;
        }
        let tile = row / self.height * self.across + column / self.width;
        (tile * self.height + row % self.height) * self.width + column % self.width
    }

    /// How many of the `count` elements that start at a column are contiguous: with tiles of 128 columns, 28 of the 64 elements
    /// that start at column 100.
    #[inline]
    pub(super) const fn run(&self, column: usize, count: usize) -> usize {
        let at = if column < self.width { column } else { column % self.width };
        let left = self.width - at;
        if left < count { left } else { count }
    }

    /// A number of rows. If the rows of the array are cut at multiples of it, each piece is contiguous.
    #[cfg(feature = "parallel")]
    pub(super) const fn cut(&self) -> usize {
        if self.across == 1 { 1 } else { self.height }
    }
}
