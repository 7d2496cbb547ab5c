use super::draft::Tile;
use super::spec::TiledSpec;
use crate::parts::Coordinates;

/// The tiles of the first level as pieces of storage: what kernels loop over.
impl TiledSpec {
    /// The number of stored elements in one tile of the first level, padding included: 1024 for `T(8,128)(2,1)`. These tiles
    /// are contiguous in storage. An array without tiles is one tile.
    ///
    /// `None` if a later tile reaches across tiles of the first level, so that these are not contiguous: with
    /// `T(128)(2,1)` the elements of two tiles alternate.
    ///
    /// ```
    /// let tile_len = |text: &str| text.parse::<tensor_layout::TiledSpec>().unwrap().tile_len();
    /// assert_eq!(tile_len("bf16[1000,384]{1,0:T(8,128)(2,1)}"), Some(1024));
    /// assert_eq!(tile_len("bf16[10,10]{1,0:T(1,128)(2,1)}"), Some(256), "padded to pairs of rows");
    /// assert_eq!(tile_len("bf16[1000]{0:T(128)(2,1)}"), None);
    /// assert_eq!(tile_len("f32[1000,384]{1,0}"), Some(384_000));
    /// ```
    pub const fn tile_len(&self) -> Option<usize> {
        let parts = self.map().parts();
        let Some(mut i) = self.tile_parts() else { return None };
        let mut len = 1;
        while i < parts.len() {
            len *= parts[i].size;
            i += 1;
        }
        Some(len)
    }

    /// The sizes of one tile of the first level along the dimensions of the array, 1 along those that are not tiled.
    ///
    /// `None` if the tile combines dimensions with `*`, since it is then not a box of the array.
    pub const fn tile_dims(&self) -> Option<Coordinates> {
        let Some(mut dims) = Coordinates::new(self.widths()) else { unreachable!() };
        if self.tiles().is_empty() {
            return Some(dims);
        }
        let tile = self.tiles()[0].as_slice();
        let mut i = 0;
        while i < self.rank() {
            let dim = self.minor_to_major()[i];
            dims.as_mut_slice()[dim] = if i < tile.len() { tile[tile.len() - 1 - i] } else { 1 };
            if dims.as_slice()[dim] == Tile::COMBINE {
                return None;
            }
            i += 1;
        }
        Some(dims)
    }

    /// The sizes of the array before tiles are applied: the widths of explicit padding, or else the dimensions.
    #[doc(hidden)]
    pub const fn widths(&self) -> &[usize] {
        match &self.draft().padded {
            Some(padded) => padded.widths.as_slice(),
            None => self.dims(),
        }
    }

    /// The number of the first part within a tile of the first level; all later parts do too. `None` as for
    /// [`TiledSpec::tile_len`].
    ///
    /// A matrix in `T(8,128)(2,1)` has two parts that number the tiles, then parts of sizes 4, 128, 2 and 1: the result is 2.
    #[doc(hidden)]
    pub const fn tile_parts(&self) -> Option<usize> {
        if self.tiles().is_empty() {
            return Some(0);
        }
        let mut inner = 0;
        let mut i = 0;
        while i < self.tiles().len() {
            let tile = self.tiles()[i].as_slice();
            let mut combined = 0;
            let mut entry = 0;
            while entry < tile.len() {
                combined += (tile[entry] == Tile::COMBINE) as usize;
                // This entry of a later tile splits a number of a tile.
                if i > 0 && entry + inner < tile.len() && tile[entry] != 1 {
                    return None;
                }
                entry += 1;
            }
            // Each entry adds a part, except `*`, which merges two parts into one.
            inner = if i == 0 { tile.len() - combined } else { inner + tile.len() - 2 * combined };
            i += 1;
        }
        Some(self.map().parts().len() - inner)
    }
}
