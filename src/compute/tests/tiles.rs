use super::*;
use std::collections::HashSet;

/// A const parameter cannot be the length of the tiles of any layout, so this uses the length of the type.
macro_rules! tiles_hold {
    ($($E:ident [$($size:literal),*] {$($dim:literal),*} $([$($tile:literal),*])* : $len:literal in $count:literal;)*) => { $(
        check_tiles::<layout!($E [$($size),*] {$($dim),*} $([$($tile),*])*), $len>($count);
    )* };
}

#[test]
fn tiles_hold_each_element_once() {
    tiles_hold! {
        F32 [60, 300] {1, 0} [8, 128]: 1024 in 24;
        F32 [20, 257] {0, 1} [8, 128]: 1024 in 33;
        BF16 [33, 130] {1, 0} [8, 128][2, 1]: 1024 in 10;
        BF16 [10, 10] {1, 0} [1, 128][2, 1]: 256 in 10;
        S8 [20, 200] {1, 0} [8, 128][4, 1]: 1024 in 6;
        F32 [5, 9, 130] {2, 0, 1} [4, 128]: 512 in 36;
        BF16 [3, 17, 5, 40] {1, 3, 2, 0} [8, 128][2, 1]: 1024 in 75;
        S16 [2048] {0} [1024][128][2, 1]: 1024 in 2;
        F32 [1000] {0} [1024]: 1024 in 1;
        U32 [9, 10] {0, 1} [3, 4][2, 3]: 24 in 12;
        F32 [37, 70] {1, 0}: 2590 in 1;
        F32 [] {} [128]: 128 in 1;
        F32 [0, 10] {1, 0} [8, 128]: 1024 in 0;
        F32 [9] {0} [8, 128]: 1024 in 1;
    }
}

fn check_tiles<L: Layout, const N: usize>(count: usize) {
    let mut random = Random(1);
    let mut packed = noisy::<L>(&mut random);
    let tiles = packed.tiles::<N>();
    assert_eq!(tiles.len(), count);
    let mut seen = HashSet::new();
    for (number, tile) in tiles.enumerate() {
        assert_eq!(L::index(number * N), Some(tile.index()), "tiles are in storage order");
        let mut held = 0;
        for at in reference::indices(tile.extents().as_ref()) {
            let index = plus::<L>(tile.index(), &at);
            let element = tile.elements()[tile.offset(plus::<L>(L::Index::default(), &at))];
            assert_eq!(bits::<L>(element), bits::<L>(packed.get(index)));
            assert!(seen.insert(index.as_ref().to_vec()));
            held += 1;
        }
        assert_eq!(tile.is_full(), held == N);
    }
    assert_eq!(seen.len(), indices::<L>().len());

    // The same through mutable tiles: values that are written to elements are stored, and those written to padding are not.
    let zeros = Packed::<L>::zeroed().unwrap();
    let zero = zeros.as_elements()[..N.min(zeros.as_elements().len())].to_vec();
    for mut tile in packed.tiles_mut::<N>() {
        tile.elements_mut().copy_from_slice(&zero);
    }
    assert!(packed == zeros);
}

#[test]
fn extents_are_what_is_left_of_the_array() {
    type L = layout!(F32 [20, 300] {1, 0} [8, 128]);
    let packed = Packed::<L>::zeroed().unwrap();
    let tiles: Vec<_> = packed.tiles::<1024>().map(|tile| (tile.index(), tile.extents())).collect();
    assert_eq!(tiles[0], ([0, 0], [8, 128]));
    assert_eq!(tiles[2], ([0, 256], [8, 44]));
    assert_eq!(tiles[8], ([16, 256], [4, 44]));
}

#[test]
fn tiles_of_explicit_padding_alone_hold_nothing() {
    use crate::types::{Order1, PaddedTo, Shape1, Tile1, Zero};
    type L =
        crate::Tiled<crate::F32, Shape1<3>, Order1<0>, (Tile1<4>,), (PaddedTo<Shape1<10>, Zero>,)>;
    let packed = Packed::<L>::zeroed().unwrap();
    let extents: Vec<_> = packed.tiles::<4>().map(|tile| tile.extents()).collect();
    assert_eq!(extents, [[3], [0], [0]]);
}

#[test]
fn tiles_that_others_reach_across_are_not_contiguous() {
    let tile_len = |text: &str| text.parse::<crate::TiledSpec>().unwrap().tile_len();
    assert_eq!(tile_len("bf16[256]{0:T(128)(2,1)}"), None);
    assert_eq!(tile_len("f32[9,10]{1,0:T(4,4)(*,3,2)}"), None);
    assert_eq!(tile_len("f32[9]{0:T(8)(1,5)}"), Some(10));
    assert_eq!(tile_len("f32[4,5,6]{2,1,0:T(*,3,4)}"), Some(12));
    assert_eq!(tile_len("f32[4,5,6]{2,1,0:T(*,3,4)(*,5)}"), Some(15));
}

#[test]
fn runs_hold_each_element_once() {
    for_direct!(check_runs);
    check_runs::<
        crate::Tiled<
            crate::F32,
            crate::types::Shape3<4, 5, 6>,
            crate::types::Order3<2, 1, 0>,
            (crate::types::Tile3<{ layout_core::tiled::Tile::COMBINE }, 3, 4>,),
        >,
    >();
    check_runs::<layout!(BF16 [1000] {0} [128][2, 1])>();
}

fn check_runs<L: Layout>() {
    let mut packed = noisy::<L>(&mut Random(2));
    let mut seen = HashSet::new();
    packed.for_each_run(|first, run| {
        assert!(!run.is_empty());
        let offset = L::offset(first);
        for (i, element) in run.iter().enumerate() {
            assert!(core::ptr::eq(element, &packed.as_elements()[offset + i]));
            let index = L::index(offset + i).expect("no padding");
            let steps: usize = first.as_ref().iter().zip(index.as_ref()).map(|(a, b)| b - a).sum();
            assert_eq!(steps, i, "along one dimension");
            assert!(first.as_ref().iter().zip(index.as_ref()).filter(|(a, b)| a != b).count() <= 1);
            assert!(seen.insert(index.as_ref().to_vec()));
        }
    });
    assert_eq!(seen.len(), indices::<L>().len());

    let expected = Packed::<L>::zeroed().unwrap();
    let zeros = expected.as_elements().to_vec();
    packed.for_each_run_mut(|_, run| run.copy_from_slice(&zeros[..run.len()]));
    assert!(packed == expected);
}

#[test]
fn runs_are_as_long_as_the_layout_has_them() {
    fn longest<L: Layout>() -> usize {
        let mut longest = 0;
        Packed::<L>::zeroed().unwrap().for_each_run(|_, run| longest = longest.max(run.len()));
        longest
    }
    assert_eq!(longest::<layout!(F32 [20, 300] {1, 0} [8, 128])>(), 128);
    assert_eq!(longest::<layout!(F32 [20, 300] {0, 1} [8, 128])>(), 20);
    assert_eq!(longest::<layout!(F32 [20, 300] {1, 0})>(), 300);
    assert_eq!(longest::<layout!(BF16 [20, 300] {1, 0} [8, 128][2, 1])>(), 2);
    assert_eq!(longest::<layout!(F32 [5000] {0} [1024][128])>(), 5000);
}

#[test]
#[should_panic(expected = "out of bounds")]
fn elements_end_where_storage_does() {
    let packed = Packed::<layout!(F32 [20, 300] {1, 0} [8, 128])>::zeroed().unwrap();
    let _ = packed.as_elements()[24 * 384];
}
