//! Layer norm, written over tiles.
//!
//! [`Packed::layer_norm_in_place`] does the same for any layout. This example shows how to write such a kernel by hand. The
//! layout is a type, so the length of a tile, the number of tiles in a row and the number of elements in a tile's row are
//! constants, and no loop has a bounds check.

use crate::model::{BATCH, WIDTH};
use tensor_layout::Packed;

tensor_layout::layouts! {
    /// The input and the output of a layer: rows of [`WIDTH`] numbers, in tiles of 8 rows by 128 columns.
    pub type Rows = tiled!(f32[BATCH, WIDTH]{1,0:T(8,128)});
}

/// The number of rows of a tile.
const ROWS: usize = 8;
/// The number of columns of a tile.
const COLUMNS: usize = 128;
/// The number of tiles side by side, which are adjacent in memory.
const TILES: usize = WIDTH / COLUMNS;

const _: () = assert!(WIDTH.is_multiple_of(COLUMNS) && Rows::TILE_LEN == ROWS * COLUMNS);

/// Normalizes each row to mean 0 and variance 1, then multiplies by `scale` and adds `shift`.
pub fn layer_norm(
    rows: &mut Packed<Rows>,
    scale: &[f32; WIDTH],
    shift: &[f32; WIDTH],
    epsilon: f32,
) {
    let (scale, shift) = (scale.as_chunks::<COLUMNS>().0, shift.as_chunks::<COLUMNS>().0);
    // A band of 8 rows is contiguous in memory. Padding rows below the last row are computed as well, but never read.
    let bands = rows.as_elements_mut().as_chunks_mut::<{ TILES * ROWS * COLUMNS }>().0;
    for band in bands {
        let tiles = band.as_chunks_mut::<COLUMNS>().0;
        for row in 0..ROWS {
            // Row `row` of tile number `tile` of the band.
            let at = |tile: usize| tile * ROWS + row;
            let sum = |f: &dyn Fn(f32) -> f32| -> f32 {
                let of_tile = |tile| tiles[at(tile)].iter().map(|x| f(*x)).sum::<f32>();
                (0..TILES).map(of_tile).sum()
            };
            let mean = sum(&|x| x) / WIDTH as f32;
            let variance = sum(&|x| (x - mean) * (x - mean)) / WIDTH as f32;
            let inverse = 1.0 / (variance + epsilon).sqrt();
            for tile in 0..TILES {
                let parameters = scale[tile].iter().zip(&shift[tile]);
                for (x, (scale, shift)) in tiles[at(tile)].iter_mut().zip(parameters) {
                    *x = (*x - mean) * inverse * scale + shift;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_the_layer_norm_of_the_library() {
        let input = Packed::<Rows>::try_from_fn(|[i, j]| ((i * 31 + j * 7) % 97) as f32 - 40.0)
            .expect("memory");
        let scale = core::array::from_fn(|j| 1.0 + (j % 5) as f32);
        let shift = core::array::from_fn(|j| (j % 3) as f32);
        let mut expected = input.clone();
        expected.layer_norm_in_place(1, &scale, &shift, 1e-5);
        let mut computed = input;
        layer_norm(&mut computed, &scale, &shift, 1e-5);
        for (a, b) in computed.unpack().iter().zip(expected.unpack()) {
            assert!((a - b).abs() <= 1e-4 * (1.0 + b.abs()), "{a} is not {b}");
        }
    }
}
