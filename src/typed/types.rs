//! What a layout is spelled with, as types: shapes, orders and tiles, one struct for each rank with its numbers as
//! const parameters, and attributes.

pub use super::attributes::*;
pub use super::static_size::{Computed, Known, OpenShape, SameSize, Size, SizeOf, Unknown};
use core::fmt::Debug;
use layout_core::parts::{MAX_RANK, MAX_TILES};
use layout_core::tiled::{List, Tile};
use typenum::{U0, U1, U2, U3, U4, U5, U6, U7, U8, Unsigned};
use typenum::{U9, U10, U11, U12, U13, U14, U15, U16};

mod sealed {
    pub trait Sealed {}
}
pub(crate) use sealed::Sealed;

/// What must hold of the sizes of a shape.
#[doc(hidden)]
pub trait Sizes {
    /// Its evaluation fails where it does not hold. It stands in no macro, of which rustc would quote all lines.
    const CHECKED: () = ();
}

/// The logical sizes of an array, as a type: `Shape2<3, 5>`.
pub trait Shape: Sealed + Sizes + 'static {
    /// Number of dimensions, as a type, so that users can write bounds on it.
    type Rank: Unsigned;
    /// An index: `[usize; RANK]`.
    type Index: AsRef<[usize]>
        + AsMut<[usize]>
        + Copy
        + Default
        + PartialEq
        + Debug
        + Send
        + Sync
        + 'static;
    /// The sizes.
    const DIMS: Self::Index;
    /// The sizes, for any rank.
    const SIZES: List<usize, MAX_RANK>;
}

/// A minor_to_major order as a type: `Order2<1, 0>`.
pub trait Order: Sealed + 'static {
    /// The dimensions, from the most minor.
    const DIMS: List<usize, MAX_RANK>;
}

/// A tile as a type: `Tile2<8, 128>`. `Tile::COMBINE` stands for `*`.
pub trait TileType: Sealed + 'static {
    /// The sizes, major to minor.
    const SIZES: Tile;
}

/// The tiles of a layout, outermost first: a tuple of up to four [`TileType`]s.
pub trait Tiles: Sealed + 'static {
    /// The tiles.
    const LIST: List<Tile, MAX_TILES>;
}

pub(crate) const fn list<const LEN: usize, const N: usize>(items: [usize; LEN]) -> List<usize, N> {
    let mut list = List::new(0);
    while list.len < LEN {
        list.items[list.len] = items[list.len];
        list.len += 1;
    }
    list
}

macro_rules! ranks {
    ($($rank:literal $Rank:ident $Shape:ident $Order:ident: $($N:ident)*;)*) => { $(
        #[doc = concat!("The sizes of an array of rank ", $rank, ".")]
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
        pub struct $Shape<$(const $N: usize),*>;
        #[doc = concat!("The minor_to_major order of an array of rank ", $rank, ", most minor dimension first.")]
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
        pub struct $Order<$(const $N: usize),*>;

        impl<$(const $N: usize),*> Sealed for $Shape<$($N),*> {}
        impl<$(const $N: usize),*> Sizes for $Shape<$($N),*> {}
        impl<$(const $N: usize),*> Sealed for $Order<$($N),*> {}

        impl<$(const $N: usize),*> Shape for $Shape<$($N),*> {
            type Rank = $Rank;
            type Index = [usize; $rank];
            const DIMS: Self::Index = [$($N),*];
            const SIZES: List<usize, MAX_RANK> = list([$($N),*]);
        }

        impl<$(const $N: usize),*> Order for $Order<$($N),*> {
            const DIMS: List<usize, MAX_RANK> = list([$($N),*]);
        }
    )* };
}

ranks! {
    0 U0 Shape0 Order0:;
    1 U1 Shape1 Order1: A;
    2 U2 Shape2 Order2: A B;
    3 U3 Shape3 Order3: A B C;
    4 U4 Shape4 Order4: A B C D;
    5 U5 Shape5 Order5: A B C D E;
    6 U6 Shape6 Order6: A B C D E F;
    7 U7 Shape7 Order7: A B C D E F G;
    8 U8 Shape8 Order8: A B C D E F G H;
    9 U9 Shape9 Order9: A B C D E F G H I;
    10 U10 Shape10 Order10: A B C D E F G H I J;
    11 U11 Shape11 Order11: A B C D E F G H I J K;
    12 U12 Shape12 Order12: A B C D E F G H I J K L;
    13 U13 Shape13 Order13: A B C D E F G H I J K L M;
    14 U14 Shape14 Order14: A B C D E F G H I J K L M N;
    15 U15 Shape15 Order15: A B C D E F G H I J K L M N O;
    16 U16 Shape16 Order16: A B C D E F G H I J K L M N O P;
}

macro_rules! tile_ranks {
    ($($rank:literal $Tile:ident: $($N:ident)*;)*) => { $(
        #[doc = concat!("A tile of rank ", $rank, ", sizes major to minor.")]
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
        pub struct $Tile<$(const $N: usize),*>;
        impl<$(const $N: usize),*> Sealed for $Tile<$($N),*> {}
        impl<$(const $N: usize),*> TileType for $Tile<$($N),*> {
            const SIZES: Tile = list([$($N),*]);
        }
    )* };
}

tile_ranks! {
    1 Tile1: A;
    2 Tile2: A B;
    3 Tile3: A B C;
    4 Tile4: A B C D;
    5 Tile5: A B C D E;
    6 Tile6: A B C D E F;
    7 Tile7: A B C D E F G;
    8 Tile8: A B C D E F G H;
}

macro_rules! tiles {
    ($(($($T:ident)*))*) => { $(
        impl<$($T: TileType),*> Sealed for ($($T,)*) {}
        impl<$($T: TileType),*> Tiles for ($($T,)*) {
            const LIST: List<Tile, MAX_TILES> = {
                #[allow(unused_mut, reason = "nothing is pushed for the empty tuple")]
                let mut list = List::new(Tile::new(0));
                $( list = match list.push($T::SIZES) { Ok(list) | Err(list) => list }; )*
                list
            };
        }
    )* };
}
tiles! { () (A) (A B) (A B C) (A B C D) }
