//! The layout of a buffer as PJRT's C interface passes it: `PJRT_Buffer_MemoryLayout_Tiled`.

use super::numbers::{ArrayNumbers, NumbersError};
use super::spec::TiledSpec;
use crate::dtype::DType;
use alloc::vec::Vec;

/// The three lists of `PJRT_Buffer_MemoryLayout_Tiled`, which the C struct points to.
///
/// ```
/// use tensor_layout::{DType, TiledSpec, tiled::PjrtTiledLayout};
/// let spec: TiledSpec = "bf16[2048,300]{1,0:T(8,128)(2,1)}".parse().unwrap();
/// let layout = PjrtTiledLayout::of(&spec).unwrap();
/// assert_eq!(layout.minor_to_major, [1, 0]);
/// assert_eq!(layout.tile_dims, [8, 128, 2, 1]);
/// assert_eq!(layout.tile_dim_sizes, [2, 2]);
/// assert_eq!(layout.spec(DType::BF16, &[2048, 300]), Ok(spec));
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct PjrtTiledLayout {
    /// The dimensions from the most minor to the most major.
    pub minor_to_major: Vec<i64>,
    /// The sizes of all tiles, one tile after the other, outermost first.
    pub tile_dims: Vec<i64>,
    /// The number of sizes of each tile.
    pub tile_dim_sizes: Vec<usize>,
}

impl PjrtTiledLayout {
    /// The layout in PJRT's lists; `None` if it has attributes that they cannot express: element bits, a memory space, an
    /// alignment, splits, a prefix or explicit padding.
    pub fn of(spec: &TiledSpec) -> Option<Self> {
        let numbers = ArrayNumbers::of(spec);
        let tiles = ArrayNumbers { tiles: Vec::new(), ..numbers.clone() };
        let plain = ArrayNumbers {
            dynamic: numbers.dynamic.clone(),
            minor_to_major: numbers.minor_to_major.clone(),
            ..ArrayNumbers::row_major(numbers.dtype, numbers.dims.clone())
        };
        (tiles == plain).then(|| Self {
            minor_to_major: numbers.minor_to_major,
            tile_dims: numbers.tiles.concat(),
            tile_dim_sizes: numbers.tiles.iter().map(Vec::len).collect(),
        })
    }

    /// The layout for an array of type `dtype` and size `dims`.
    ///
    /// # Errors
    /// If the lists do not fit each other, or break a rule of layouts.
    pub fn spec(&self, dtype: DType, dims: &[i64]) -> Result<TiledSpec, NumbersError> {
        let mut rest = self.tile_dims.as_slice();
        let mut tiles = Vec::new();
        for len in &self.tile_dim_sizes {
            let Some((tile, others)) = rest.split_at_checked(*len) else {
                return Err(NumbersError::new(
                    "the tiles have more sizes than `tile_dims` lists",
                    "",
                ));
            };
            tiles.push(tile.to_vec());
            rest = others;
        }
        if !rest.is_empty() {
            return Err(NumbersError::new("`tile_dims` lists more sizes than the tiles have", ""));
        }
        let minor_to_major = self.minor_to_major.clone();
        let row_major = ArrayNumbers::row_major(dtype, dims.to_vec());
        ArrayNumbers { minor_to_major, tiles, ..row_major }.spec()
    }
}
