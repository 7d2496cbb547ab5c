//! Tiling as a pad, a reshape and a transpose, as XLA's document on tiled layouts explains it.

use super::draft::Tile;
use super::spec::TiledSpec;
use crate::list::List;
use crate::parts::{Builder, IndexMap, MAX_PARTS, MAX_TILE_RANK};

/// Sizes of dimensions, or a permutation of them, major to minor.
type Sizes = List<usize, MAX_PARTS>;

/// The effect of one tile on the dimensions: it pads them to whole tiles, splits each into the number of the tile and the
/// position in the tile, and moves the positions after the numbers.
///
/// All lists are major to minor. The second tile is applied to the result of the first, and so on; the result of the last
/// is the physical shape, in which the array is stored in row-major order.
///
/// ```
/// use tensor_layout::TiledSpec;
/// let spec: TiledSpec = "f32[3,5]{1,0:T(2,2)}".parse().unwrap();
/// let tiling = spec.tiling(0).unwrap();
/// assert_eq!((tiling.dims(), tiling.tile()), (&[3, 5][..], &[2, 2][..]));
/// assert_eq!(tiling.padded(), [4, 6]);
/// assert_eq!(tiling.reshaped(), [2, 2, 3, 2]);
/// assert_eq!(tiling.permutation(), [0, 2, 1, 3]);
/// assert_eq!(tiling.transposed(), [2, 3, 2, 2]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Tiling {
    dims: Sizes,
    tile: Tile,
    padded: Sizes,
    reshaped: Sizes,
    permutation: Sizes,
    transposed: Sizes,
}

impl Tiling {
    /// The dimensions that are tiled. Dimensions that a `*` of the tile combines are one dimension here, and if the tile has
    /// more sizes than there are dimensions, dimensions of size 1 precede them.
    pub const fn dims(&self) -> &[usize] {
        self.dims.as_slice()
    }

    /// The sizes of the tile without its `*`. They belong to the most minor dimensions.
    pub const fn tile(&self) -> &[usize] {
        self.tile.as_slice()
    }

    /// The first step: a dimension of size `d` under a tile of size `t` is padded to `ceil(d / t) * t`.
    pub const fn padded(&self) -> &[usize] {
        self.padded.as_slice()
    }

    /// The second step: each padded dimension becomes two, `(ceil(d / t), t)`. The reshape moves no byte.
    pub const fn reshaped(&self) -> &[usize] {
        self.reshaped.as_slice()
    }

    /// The transpose of the third step: dimension `i` of the result is dimension `permutation[i]` of the reshaped array.
    pub const fn permutation(&self) -> &[usize] {
        self.permutation.as_slice()
    }

    /// The third step: all numbers of tiles first, then all sizes of the tile.
    pub const fn transposed(&self) -> &[usize] {
        self.transposed.as_slice()
    }

    /// The number of leading sizes of [`Tiling::transposed`] that count tiles; the others are the sizes of the tile.
    pub const fn numbers(&self) -> usize {
        self.transposed.len() - self.tile.len()
    }
}

impl TiledSpec {
    /// The effect of tile number `level`, counted from 0; `None` if there are fewer tiles.
    pub const fn tiling(&self, level: usize) -> Option<Tiling> {
        if level >= self.tiles().len() {
            return None;
        }
        let entries = self.tiles()[level].as_slice();
        let (before, after) = (self.map_before(level), self.map_before(level + 1));
        let mut tiling = Tiling {
            dims: List::new(0),
            tile: List::new(0),
            padded: List::new(0),
            reshaped: List::new(0),
            permutation: List::new(0),
            transposed: List::new(0),
        };
        let mut i = 0;
        while i < entries.len() {
            if entries[i] != Tile::COMBINE {
                tiling.tile = extended::<MAX_TILE_RANK>(tiling.tile, entries[i]);
            }
            i += 1;
        }
        // The dimensions after `*` has combined them: each `*` multiplies a size into the next one.
        let untiled = before.parts().len().saturating_sub(entries.len());
        let added = entries.len().saturating_sub(before.parts().len());
        let mut product = 1;
        let mut i = 0;
        while i < untiled + entries.len() {
            product *= if i < added { 1 } else { before.parts()[i - added].size };
            if i < untiled || entries[i - untiled] != Tile::COMBINE {
                tiling.dims = extended(tiling.dims, product);
                product = 1;
            }
            i += 1;
        }
        // The sizes after the tile are in the table of the layout.
        let (rank, tiled) = (tiling.dims.len(), tiling.tile.len());
        let mut i = 0;
        while i < rank {
            let number = after.parts()[i].size;
            tiling.transposed = extended(tiling.transposed, number);
            tiling.reshaped = extended(tiling.reshaped, number);
            if i < rank - tiled {
                tiling.permutation = extended(tiling.permutation, i);
                tiling.padded = extended(tiling.padded, number);
            } else {
                // The dimensions without a tile are followed by pairs: the number of tiles, and the size of the tile.
                let at = i - (rank - tiled);
                tiling.permutation = extended(tiling.permutation, rank - tiled + 2 * at);
                tiling.reshaped = extended(tiling.reshaped, tiling.tile()[at]);
                tiling.padded = extended(tiling.padded, number * tiling.tile()[at]);
            }
            i += 1;
        }
        let mut at = 0;
        while at < tiled {
            tiling.permutation = extended(tiling.permutation, rank - tiled + 2 * at + 1);
            tiling.transposed = extended(tiling.transposed, tiling.tile()[at]);
            at += 1;
        }
        Some(tiling)
    }

    /// The effect of each tile, outermost first.
    ///
    /// ```
    /// use tensor_layout::TiledSpec;
    /// let spec: TiledSpec = "bf16[2,7,8,11,10]{4,3,2,1,0:T(*,*,2,*,3)(2,1)}".parse().unwrap();
    /// let sizes: Vec<_> = spec.tilings().map(|tiling| (tiling.dims().to_vec(), tiling.transposed().to_vec())).collect();
    /// assert_eq!(sizes[0], (vec![112, 110], vec![56, 37, 2, 3]));
    /// assert_eq!(sizes[1], (vec![56, 37, 2, 3], vec![56, 37, 1, 3, 2, 1]));
    /// ```
    pub fn tilings(&self) -> impl ExactSizeIterator<Item = Tiling> + '_ {
        (0..self.tiles().len()).map(|level| match self.tiling(level) {
            Some(tiling) => tiling,
            None => unreachable!("the level is below the number of tiles"),
        })
    }

    /// The sizes before tile `level` is applied; they have no strides.
    const fn map_before(&self, level: usize) -> IndexMap {
        let (dims, order) = (self.dims(), self.minor_to_major());
        let mut builder = Builder::start(self.rank(), dims, self.widths(), order);
        let mut tile = 0;
        while tile < level {
            let sizes = self.tiles()[tile].as_slice();
            // All tiles of a checked layout can be applied.
            assert!(builder.add_tile(sizes.len(), sizes));
            tile += 1;
        }
        builder.without_strides()
    }
}

const fn extended<const N: usize>(list: List<usize, N>, item: usize) -> List<usize, N> {
    match list.push(item) {
        Ok(list) | Err(list) => list,
    }
}
