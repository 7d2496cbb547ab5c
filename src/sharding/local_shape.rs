//! The shape of a local array whose sizes are known only to rustc.

use super::typed::shard_size;
use crate::typed::types::{self, Sealed, Shape, SizeOf, Sizes, Unknown};
use core::marker::PhantomData;
use layout_core::parts::MAX_RANK;
use layout_core::tiled::List;
use typenum::{U1, U2, U3, U4, U5, U6, U7, U8, U9, U10, U11, U12, U13, U14, U15, U16};

/// The shape of the local arrays of an array of shape `G`, whose dimension `i` is split into `P[i]` parts.
///
/// `sharded!` writes it if the size of a dimension that is split is a name, which can be the name of a const generic parameter:
/// `sharded!(f32[N,128] @ Pod [{"data"}, {}])`. The parts must divide the sizes unless `PADDED`. Each layout of the shape checks
/// that when rustc knows the sizes.
///
/// ```
/// use tensor_layout::sharding::types::LocalShape;
/// use tensor_layout::types::{Shape, Shape2};
/// fn rows<const N: usize>() -> usize {
///     <LocalShape<Shape2<N, 128>, Shape2<4, 1>>>::DIMS[0]
/// }
/// assert_eq!(rows::<64>(), 16);
/// ```
pub struct LocalShape<G, P, const PADDED: bool = false>(PhantomData<(G, P)>);

impl<G, P, const PADDED: bool, const DIM: usize> SizeOf<DIM> for LocalShape<G, P, PADDED> {
    type Size = Unknown;
}

impl<G: Shape, P: Shape, const PADDED: bool> Sizes for LocalShape<G, P, PADDED> {
    const CHECKED: () = check(&G::SIZES, &P::SIZES, PADDED);
}

/// Fails const evaluation unless the parts divide the sizes.
#[track_caller]
const fn check(sizes: &List<usize, MAX_RANK>, parts: &List<usize, MAX_RANK>, padded: bool) {
    let mut dim = 0;
    while dim < sizes.len {
        shard_size(sizes.items[dim], parts.items[dim], padded);
        dim += 1;
    }
}

macro_rules! ranks {
    ($($rank:literal $Rank:ident $Shape:ident: $($N:ident $P:ident)*;)*) => { $(
        impl<$(const $N: usize,)* $(const $P: usize,)* const PADDED: bool> Sealed
            for LocalShape<types::$Shape<$($N),*>, types::$Shape<$($P),*>, PADDED> {}

        impl<$(const $N: usize,)* $(const $P: usize,)* const PADDED: bool> Shape
            for LocalShape<types::$Shape<$($N),*>, types::$Shape<$($P),*>, PADDED>
        {
            type Rank = $Rank;
            type Index = [usize; $rank];
            const DIMS: Self::Index = [$($N.div_ceil($P)),*];
            const SIZES: List<usize, MAX_RANK> = types::list(Self::DIMS);
        }
    )* };
}

ranks! {
    1 U1 Shape1: A PA;
    2 U2 Shape2: A PA B PB;
    3 U3 Shape3: A PA B PB C PC;
    4 U4 Shape4: A PA B PB C PC D PD;
    5 U5 Shape5: A PA B PB C PC D PD E PE;
    6 U6 Shape6: A PA B PB C PC D PD E PE F PF;
    7 U7 Shape7: A PA B PB C PC D PD E PE F PF G PG;
    8 U8 Shape8: A PA B PB C PC D PD E PE F PF G PG H PH;
    9 U9 Shape9: A PA B PB C PC D PD E PE F PF G PG H PH I PI;
    10 U10 Shape10: A PA B PB C PC D PD E PE F PF G PG H PH I PI J PJ;
    11 U11 Shape11: A PA B PB C PC D PD E PE F PF G PG H PH I PI J PJ K PK;
    12 U12 Shape12: A PA B PB C PC D PD E PE F PF G PG H PH I PI J PJ K PK L PL;
    13 U13 Shape13: A PA B PB C PC D PD E PE F PF G PG H PH I PI J PJ K PK L PL M PM;
    14 U14 Shape14: A PA B PB C PC D PD E PE F PF G PG H PH I PI J PJ K PK L PL M PM N PN;
    15 U15 Shape15: A PA B PB C PC D PD E PE F PF G PG H PH I PI J PJ K PK L PL M PM N PN O PO;
    16 U16 Shape16: A PA B PB C PC D PD E PE F PF G PG H PH I PI J PJ K PK L PL M PM N PN O PO Q PQ;
}
