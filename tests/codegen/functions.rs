//! Index functions next to what a person would write by hand. `tests/compiler/codegen.rs` compares their assembly.
//!
//! A function named `x_ours` has a twin named `x_twin`. If a function may assume that an index is in bounds, so may its twin. A
//! function named `x_alone` has no twin: it must not be able to panic.

use tensor_layout::half::bf16;
use tensor_layout::{Layout, PackedMut, PackedRef, tiled};

/// Pairs of functions from an index to an offset, without a check of the bounds.
macro_rules! offsets {
    ($($ours:ident $twin:ident ($($i:ident),*) $layout:ty => $by_hand:expr;)*) => { $(
        #[unsafe(no_mangle)]
        pub fn $ours($($i: usize),*) -> usize {
            // SAFETY: the caller keeps the bounds, as the caller of the twin does.
            unsafe { <$layout as Layout>::offset_unchecked([$($i),*]) }
        }
        #[unsafe(no_mangle)]
        pub fn $twin($($i: usize),*) -> usize {
            $by_hand
        }
    )* };
}

offsets! {
    row_major_ours row_major_twin (i, j) tiled!(f32[1000,1000]{1,0}) => i * 1000 + j;
    tile_8_128_ours tile_8_128_twin (i, j) tiled!(f32[1024,512]{1,0:T(8,128)}) =>
        (i >> 3) * 4096 + (j >> 7) * 1024 + (i & 7) * 128 + (j & 127);
    bf16_pairs_ours bf16_pairs_twin (i, j) tiled!(bf16[1024,512]{1,0:T(8,128)(2,1)}) =>
        (i >> 3) * 4096 + (j >> 7) * 1024 + ((i >> 1) & 3) * 256 + (j & 127) * 2 + (i & 1);
    bytes_by_four_ours bytes_by_four_twin (i, j) tiled!(s8[1024,512]{1,0:T(8,128)(4,1)}) =>
        (i >> 3) * 4096 + (j >> 7) * 1024 + ((i >> 2) & 1) * 512 + (j & 127) * 4 + (i & 3);
    nibbles_by_eight_ours nibbles_by_eight_twin (i, j) tiled!(s4[1024,512]{1,0:T(8,128)(8,1)E(4)}) =>
        (i >> 3) * 4096 + (j >> 7) * 1024 + (j & 127) * 8 + (i & 7);
    // Adjacent parts are merged into one.
    bits_by_32_ours bits_by_32_twin (i, j) tiled!(pred[1000,3000]{1,0:T(32,128)(32,1)E(1)}) =>
        (i >> 5) * 98_304 + j * 32 + (i & 31);
    columns_by_eight_ours columns_by_eight_twin (i, j) tiled!(s4[100,200]{0,1:T(64,128)(8,1)E(4)}) =>
        (j >> 3) * 1024 + i * 8 + (j & 7);
    combined_whole_tiles_ours combined_whole_tiles_twin (a, b, c, d) tiled!(f32[6,10,8,128]{3,2,1,0:T(*,*,8,128)}) =>
        a * 10_240 + b * 1024 + c * 128 + d;
    combined_tiles_of_two_columns_ours combined_tiles_of_two_columns_twin (a, b, c, d)
        tiled!(f32[6,10,8,256]{3,2,1,0:T(*,*,8,128)}) =>
        a * 20_480 + b * 2048 + (d >> 7) * 1024 + c * 128 + (d & 127);
    one_dimension_ours one_dimension_twin (i) tiled!(bf16[1048576]{0:T(1024)(128)(2,1)}) =>
        (i >> 10) * 1024 + ((i >> 8) & 3) * 256 + (i & 127) * 2 + ((i >> 7) & 1);
    transposed_ours transposed_twin (i, j) tiled!(f32[1024,512]{0,1:T(8,128)}) =>
        (j >> 3) * 8192 + (i >> 7) * 1024 + (j & 7) * 128 + (i & 127);
    rank_4_ours rank_4_twin (a, b, c, d) tiled!(bf16[8,16,256,32]{2,3,1,0:T(8,128)(2,1)}) =>
        a * 131_072 + b * 8192 + (d >> 3) * 2048 + (c >> 7) * 1024 + ((d >> 1) & 3) * 256 + (c & 127) * 2 + (d & 1);
    ragged_ours ragged_twin (i, j) tiled!(bf16[1000,1000]{1,0:T(16,128)(2,1)}) =>
        (i >> 4) * 16384 + (j >> 7) * 2048 + ((i >> 1) & 7) * 256 + (j & 127) * 2 + (i & 1);
    combined_ours combined_twin (a, b, c, d, e) tiled!(f32[2,7,8,11,10]{4,3,2,1,0:T(*,*,2,*,3)}) => {
        let (row, column) = (a * 56 + b * 8 + c, d * 10 + e);
        (row >> 1) * 222 + column / 3 * 6 + (row & 1) * 3 + column % 3
    };
    // Large, because rustc divides numbers that are known to be small in narrower registers, with more but cheaper
    // instructions.
    not_a_power_of_two_ours not_a_power_of_two_twin (i, j) tiled!(f32[300000,400000]{1,0:T(3,5)}) =>
        i / 3 * 1_200_000 + j / 5 * 15 + i % 3 * 5 + j % 5;
    padded_ours padded_twin (i, j) tiled!(f32[20,30]{0,1} padded to [24,32] with zero) => j * 24 + i;
    scalar_ours scalar_twin () tiled!(f32[]{:T(128)}) => 0;
    const_generic_ours const_generic_twin (i, j) tiled!(f32[{ 1 << 10 },512]{1,0:T(8,128)}) =>
        (i >> 3) * 4096 + (j >> 7) * 1024 + (i & 7) * 128 + (j & 127);
}

fn rows<const N: usize>(i: usize, j: usize) -> usize {
    <tiled!(bf16[N,512]{1,0:T(8,128)(2,1)})>::offset([i, j])
}

/// Checks the bounds as slice indexing does.
#[unsafe(no_mangle)]
pub fn checked_generic_ours(i: usize, j: usize) -> usize {
    rows::<1000>(i, j)
}

#[unsafe(no_mangle)]
pub fn checked_generic_twin(i: usize, j: usize) -> usize {
    // As with slice indexing, the panic names the caller's line.
    #[cold]
    #[inline(never)]
    #[track_caller]
    fn out_of_bounds(index: [usize; 2]) -> ! {
        panic!("{index:?} is out of bounds")
    }
    if i >= 1000 {
        out_of_bounds([i, j]);
    }
    if j >= 512 {
        out_of_bounds([i, j]);
    }
    (i >> 3) * 4096 + (j >> 7) * 1024 + ((i >> 1) & 3) * 256 + (j & 127) * 2 + (i & 1)
}

/// Pairs of functions from an offset to an index.
macro_rules! indices {
    ($($ours:ident $twin:ident ($offset:ident) $layout:ty => $by_hand:expr;)*) => { $(
        #[unsafe(no_mangle)]
        pub fn $ours($offset: usize) -> Option<[usize; 2]> {
            <$layout as Layout>::index($offset)
        }
        #[unsafe(no_mangle)]
        pub fn $twin($offset: usize) -> Option<[usize; 2]> {
            $by_hand
        }
    )* };
}

indices! {
    index_of_tile_8_128_ours index_of_tile_8_128_twin (at) tiled!(f32[1024,512]{1,0:T(8,128)}) => {
        let (i, j) = ((at >> 12) * 8 + (at >> 7 & 7), (at >> 10 & 3) * 128 + (at & 127));
        (at < 1024 * 512).then_some([i, j])
    };
    index_of_bf16_pairs_ours index_of_bf16_pairs_twin (at) tiled!(bf16[1024,512]{1,0:T(8,128)(2,1)}) => {
        let i = (at >> 12) * 8 + (at >> 8 & 3) * 2 + (at & 1);
        let j = (at >> 10 & 3) * 128 + (at >> 1 & 127);
        (at < 1024 * 512).then_some([i, j])
    };
    index_of_ragged_ours index_of_ragged_twin (at) tiled!(f32[1000,500]{1,0:T(8,128)}) => {
        let (i, j) = ((at >> 12) * 8 + (at >> 7 & 7), (at >> 10 & 3) * 128 + (at & 127));
        (at < 1000 * 512 && j < 500).then_some([i, j])
    };
    index_of_transposed_ours index_of_transposed_twin (at) tiled!(f32[1024,512]{0,1:T(8,128)}) => {
        let (j, i) = ((at >> 13) * 8 + (at >> 7 & 7), (at >> 10 & 7) * 128 + (at & 127));
        (at < 1024 * 512).then_some([i, j])
    };
}

type Tile = tiled!(f32[8,128]{1,0:T(8,128)});

/// A user's kernel: no index is checked, because rustc sees that each is in bounds.
#[unsafe(no_mangle)]
pub fn loop_over_a_tile_ours(packed: &mut [f32; Tile::LEN]) {
    for i in 0..8 {
        for j in 0..128 {
            packed[Tile::offset([i, j])] += 1.0;
        }
    }
}

#[unsafe(no_mangle)]
pub fn loop_over_a_tile_twin(packed: &mut [f32; 1024]) {
    for i in 0..8 {
        for j in 0..128 {
            packed[i * 128 + j] += 1.0;
        }
    }
}

type Acts = tiled!(f32[1000,300]{1,0:T(8,128)});

/// The same over the tiles of an array.
#[unsafe(no_mangle)]
pub fn loop_over_tiles_ours(mut packed: PackedMut<'_, Acts>) {
    for mut tile in packed.tiles_mut::<1024>() {
        for x in tile.elements_mut() {
            *x += 1.0;
        }
    }
}

/// By reference, as views are passed: with sizes at run time a view is larger than two registers.
#[unsafe(no_mangle)]
pub fn loop_over_tiles_twin(tiles: &mut &mut [[f32; 1024]; 125 * 3]) {
    for tile in tiles.iter_mut() {
        for x in tile {
            *x += 1.0;
        }
    }
}

/// Rows of a tile up to the edge of the array: nothing here can panic.
#[unsafe(no_mangle)]
pub fn rows_of_tiles_alone(packed: PackedRef<'_, Acts>) -> f32 {
    let mut sum = 0.0;
    for tile in packed.tiles::<1024>() {
        let [rows, columns] = tile.extents();
        for row in tile.elements().as_chunks::<128>().0.iter().take(rows) {
            for x in &row[..columns] {
                sum += x;
            }
        }
    }
    sum
}

/// The positions of a tile's elements in the array and in the tile.
#[unsafe(no_mangle)]
pub fn places_in_tiles_alone(packed: &mut PackedMut<'_, tiled!(bf16[1000,300]{1,0:T(8,128)(2,1)})>) {
    for mut tile in packed.tiles_mut::<1024>() {
        let ([first_row, first_column], [rows, columns]) = (tile.index(), tile.extents());
        for row in 0..rows {
            for column in 0..columns {
                let one = first_row + row == first_column + column;
                let at = tile.offset([row, column]);
                tile.elements_mut()[at] = if one { bf16::ONE } else { bf16::ZERO };
            }
        }
    }
}
