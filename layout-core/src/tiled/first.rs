use super::draft::Tile;
use super::spec::TiledSpec;
use crate::parts::Coordinates;

/// The tiles of the first level as pieces of storage: what kernels loop over.
impl TiledSpec {
    /// Stored elements of one tile of the first level, padding included: 1024 for `T(8,128)(2,1)`. Such tiles follow
    /// each other in storage. An array without tiles is one tile.
    ///
    /// `None` if a later tile reaches across tiles of the first level, so that these are not contiguous:
    /// `T(128)(2,1)` alternates between two.
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

    /// Sizes of one tile of the first level in the dimensions of the array, 1 for those that are not tiled.
    ///
    /// `None` if the tile combines dimensions with `*`: it is then not a box of the array.
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

    /// Sizes that the array is stored in before tiles: those of explicit padding, else the dimensions.
    #[doc(hidden)]
    pub const fn widths(&self) -> &[usize] {
        match &self.draft().padded {
            Some(padded) => padded.widths.as_slice(),
            None => self.dims(),
        }
    }

    /// Number of the first part that lies within a tile of the first level, as all after it do. `None` as for
    /// [`TiledSpec::tile_len`].
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
                // What a later tile does to the numbers of tiles.
                if i > 0 && entry + inner < tile.len() && tile[entry] != 1 {
                    return None;
                }
                entry += 1;
            }
            // An entry splits a part in two, but for `*`, which makes one of two.
            inner = if i == 0 { tile.len() - combined } else { inner + tile.len() - 2 * combined };
            i += 1;
        }
        Some(self.map().parts().len() - inner)
    }
}
