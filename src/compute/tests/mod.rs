//! Compares compute on packed arrays with loops over `get`, with garbage in the padding.

mod arithmetic;
mod assemble;
mod bounded;
mod broadcast;
mod create;
mod dynamic;
mod dynamic_assemble;
mod elementwise;
mod normalize;
mod reduce;
mod tiles;
mod window_operand;

use crate::cpu::{Cpu, forced};
use crate::element::HostValue;
use crate::movement::tests::reference::{self, Random};
use crate::typed::{Host, Layout, Packed};
use crate::types::*;
use crate::{F32, PRED, S4, S8, Tiled, U4};
use layout_core::tiled::Tile;

/// Calls a generic function for layouts of all kinds whose storage contains host values.
macro_rules! for_direct {
    ($function:ident) => {
        for_direct!($function,
            F32 [60, 300] {1, 0} [8, 128];
            F32 [5, 100] {1, 0} [8, 128];
            BF16 [200, 3] {0, 1} [2, 128];
            S16 [2, 3, 70] {2, 0, 1} [2, 64];
            F32 [20, 257] {0, 1} [8, 128];
            BF16 [33, 130] {1, 0} [8, 128][2, 1];
            BF16 [17, 384] {1, 0} [8, 128];
            BF16 [10, 10] {1, 0} [1, 128][2, 1];
            S8 [20, 200] {1, 0} [8, 128][4, 1];
            U8 [40, 130] {1, 0} [32, 128][4, 1];
            F32 [2, 3, 10, 140] {3, 2, 0, 1} [8, 128];
            F32 [5, 9, 130] {2, 0, 1} [4, 128];
            BF16 [3, 17, 5, 40] {1, 3, 2, 0} [8, 128][2, 1];
            S16 [2048] {0} [1024][128][2, 1];
            F32 [1000] {0} [1024];
            F64 [17, 45] {1, 0} [2, 16];
            S64 [7, 11] {1, 0} [3, 5];
            U32 [9, 10] {0, 1} [3, 4][2, 3];
            F16 [9] {0} [8][1, 5, 1];
            F8E5M2 [37, 70] {1, 0} [8, 32][4, 1];
            F32 [37, 70] {1, 0};
            S32 [13, 6, 50] {0, 2, 1};
            F32 [] {} [128];
            F32 [] {};
            F32 [0, 10] {1, 0} [8, 128];
            F32 [12, 0] {1, 0} [8, 128]
        );
    };
    ($function:ident, $($E:ident [$($size:literal),*] {$($dim:literal),*} $([$($tile:literal),*])*);*) => {
        $( $function::<layout!($E [$($size),*] {$($dim),*} $([$($tile),*])*)>(); )*
    };
}

/// The type of a layout from its numbers.
macro_rules! layout {
    ($E:ident [$($size:literal),*] {$($dim:literal),*} $([$($tile:literal),*])*) => {
        $crate::Tiled<
            $crate::$E,
            layout!(Shape $($size)*),
            layout!(Order $($dim)*),
            ($(layout!(Tile $($tile)*),)*)
        >
    };
    (Shape) => { $crate::types::Shape0 };
    (Shape $a:literal) => { $crate::types::Shape1<$a> };
    (Shape $a:literal $b:literal) => { $crate::types::Shape2<$a, $b> };
    (Shape $a:literal $b:literal $c:literal) => { $crate::types::Shape3<$a, $b, $c> };
    (Shape $a:literal $b:literal $c:literal $d:literal) => { $crate::types::Shape4<$a, $b, $c, $d> };
    (Order) => { $crate::types::Order0 };
    (Order $a:literal) => { $crate::types::Order1<$a> };
    (Order $a:literal $b:literal) => { $crate::types::Order2<$a, $b> };
    (Order $a:literal $b:literal $c:literal) => { $crate::types::Order3<$a, $b, $c> };
    (Order $a:literal $b:literal $c:literal $d:literal) => { $crate::types::Order4<$a, $b, $c, $d> };
    (Tile $a:literal) => { $crate::types::Tile1<$a> };
    (Tile $a:literal $b:literal) => { $crate::types::Tile2<$a, $b> };
    (Tile $a:literal $b:literal $c:literal) => { $crate::types::Tile3<$a, $b, $c> };
}
/// Calls a generic function for layouts of other kinds too.
macro_rules! for_others {
    ($function:ident) => {
        $function::<layout!(S4 [37, 70] {1, 0} [8, 128])>();
        $function::<layout!(PRED [37, 70] {1, 0} [32, 128][4, 1])>();
        $function::<Tiled<S4, Shape2<19, 70>, Order2<1, 0>, (Tile2<8, 128>, Tile2<8, 1>), (ElementBits<4>,)>>();
        $function::<Tiled<PRED, Shape2<37, 70>, Order2<1, 0>, (Tile2<32, 128>, Tile2<32, 1>), (ElementBits<1>,)>>();
        $function::<Tiled<U4, Shape1<37>, Order1<0>, (), (ElementBits<16>,)>>();
        $function::<Tiled<S8, Shape1<37>, Order1<0>, (Tile1<8>,), (ElementBits<32>,)>>();
        $function::<Tiled<F32, Shape2<7, 9>, Order2<1, 0>, (Tile2<2, 4>,), (TailAlignment<100>,)>>();
        $function::<Tiled<F32, Shape2<7, 9>, Order2<1, 0>, (Tile2<2, 4>,), (PaddedTo<Shape2<20, 16>, Highest>,)>>();
        $function::<Tiled<F32, Shape3<4, 5, 6>, Order3<2, 1, 0>, (Tile3<{ Tile::COMBINE }, 3, 4>,)>>();
        $function::<layout!(BF16 [1000] {0} [128][2, 1])>();
        $function::<layout!(F32 [5, 9, 130] {2, 1, 0})>();
        $function::<layout!(F32 [3, 7] {1, 0})>();
        $function::<layout!(F32 [9] {0} [8, 128])>();
        $function::<layout!(U64 [11, 40] {1, 0} [4, 8])>();
        $function::<layout!(F8E8M0FNU [11, 40] {1, 0} [4, 8])>();
    };
}

use {for_direct, for_others, layout};

/// A packed array of random values, with all bits of its padding set: floats in it are NaN.
fn noisy<L: Layout>(random: &mut Random) -> Packed<L> {
    let spec = <L as Layout>::SPEC;
    let row_major = random.values(&spec);
    let mut bytes = reference::pack(&spec, &row_major);
    reference::fill_padding(&spec, &mut bytes);
    Packed::from_bytes(&bytes).unwrap()
}

/// All indices of an array, in row-major order.
fn indices<L: Layout>() -> Vec<L::Index> {
    let dims = <L as Layout>::SPEC;
    reference::indices(dims.dims())
        .map(|from| {
            let mut index = L::Index::default();
            index.as_mut().copy_from_slice(&from);
            index
        })
        .collect()
}

/// `a + b` in each dimension.
fn plus<L: Layout>(a: L::Index, b: &[usize]) -> L::Index {
    let mut index = a;
    index.as_mut().iter_mut().zip(b).for_each(|(a, b)| *a += b);
    index
}

/// The bits of a value, to compare NaNs too.
fn bits<L: Layout>(value: Host<L>) -> [u8; 16] {
    let mut le = [0; 16];
    value.write_le(&mut le);
    le
}

/// All subsets of the dimensions, in ascending order.
fn subsets(rank: usize) -> impl Iterator<Item = Vec<usize>> {
    (0..1 << rank).map(move |set: usize| (0..rank).filter(|dim| set >> dim & 1 == 1).collect())
}
