//! Sizes as types, so that bounds can compare them.

use super::types::*;
use core::marker::PhantomData;
use layout_core::parts::MAX_RANK;
use layout_core::tiled::List;
use typenum::{U1, U2, U3, U4, U5, U6, U7, U8};

/// A size that is known at compile time. [`sparse_tensor!`](crate::sparse_tensor!) writes it, in an [`OpenShape`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Known<const N: usize>;

/// A size that is known only at run time: `?` in [`sparse_tensor!`](crate::sparse_tensor!).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Unknown;

/// A size that is the value of an expression, `N`, or `usize::MAX` if it is known only at run time. For bounds it counts as
/// [`Unknown`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Computed<const N: usize>;

/// A size as a type: [`Known`], [`Unknown`] or [`Computed`].
pub trait Size: Sealed + 'static {
    /// [`Known`] or [`Unknown`], for bounds.
    type Static;
    /// The size; `usize::MAX` if it is known only at run time.
    const SIZE: usize;
}

impl<const N: usize> Sealed for Known<N> {}
impl<const N: usize> Size for Known<N> {
    type Static = Self;
    const SIZE: usize = N;
}
impl Sealed for Unknown {}
impl Size for Unknown {
    type Static = Self;
    const SIZE: usize = usize::MAX;
}
impl<const N: usize> Sealed for Computed<N> {}
impl<const N: usize> Size for Computed<N> {
    type Static = Unknown;
    const SIZE: usize = N;
}

/// The bound that two sizes are equal. A function that is generic over both requires it by `where Known<N>: SameSize<M>`.
///
/// ```
/// use tensor_layout::types::{Known, SameSize};
/// fn join<const N: usize, const M: usize>(a: [f32; N], b: [f32; M]) -> usize
/// where
///     Known<N>: SameSize<M>,
/// {
///     a.len().min(b.len())
/// }
/// assert_eq!(join([1.0; 3], [2.0; 3]), 3);
/// ```
#[diagnostic::on_unimplemented(message = "the sizes are not equal: {N} and `{Self}`")]
pub trait SameSize<const N: usize> {}
impl<const N: usize> SameSize<N> for Known<N> {}

/// The size of dimension `DIM` as a type, for a [`Shape`], or for [`Unknown`], whose sizes are all unknown.
pub trait SizeOf<const DIM: usize> {
    /// [`Known`] or [`Unknown`].
    type Size;
}

impl<const DIM: usize> SizeOf<DIM> for Unknown {
    type Size = Self;
}

/// A shape whose sizes are not all known at compile time, `OpenShape<(Known<4>, Unknown)>`, as
/// [`sparse_tensor!`](crate::sparse_tensor!) writes it.
///
/// ```
/// use tensor_layout::sparse::{Duplicates, formats::Csr};
/// use tensor_layout::sparse_tensor;
/// type Rows = sparse_tensor!(f64[4, ?] Csr);
/// let rows = Rows::with_shape([4, 9], &[([1, 8], 2.0)], Duplicates::Error)?;
/// assert_eq!(rows.shape(), [4, 9]);
/// # Ok::<(), tensor_layout::sparse::BuildError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct OpenShape<T>(PhantomData<fn() -> T>);

/// The size of one dimension, whose parameter is `$Size`.
macro_rules! size_of {
    ($Shape:ident [$($N:ident)*] $Size:ident $dim:literal) => {
        impl<$(const $N: usize),*> SizeOf<$dim> for $Shape<$($N),*> {
            type Size = Known<$Size>;
        }
    };
    ([$($N:ident)*] $Size:ident $dim:literal) => {
        impl<$($N: Size),*> SizeOf<$dim> for OpenShape<($($N,)*)> {
            type Size = $Size::Static;
        }
    };
}

macro_rules! shapes {
    ($($Shape:ident $all:tt: $($Size:ident $dim:literal)*;)*) => { $( $(
        size_of! { $Shape $all $Size $dim }
    )* )* };
}
shapes! {
    Shape1 [A]: A 0;
    Shape2 [A B]: A 0 B 1;
    Shape3 [A B C]: A 0 B 1 C 2;
    Shape4 [A B C D]: A 0 B 1 C 2 D 3;
    Shape5 [A B C D E]: A 0 B 1 C 2 D 3 E 4;
    Shape6 [A B C D E F]: A 0 B 1 C 2 D 3 E 4 F 5;
    Shape7 [A B C D E F G]: A 0 B 1 C 2 D 3 E 4 F 5 G 6;
    Shape8 [A B C D E F G H]: A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7;
    Shape9 [A B C D E F G H I]: A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8;
    Shape10 [A B C D E F G H I J]: A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9;
    Shape11 [A B C D E F G H I J K]: A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9 K 10;
    Shape12 [A B C D E F G H I J K L]: A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9 K 10 L 11;
    Shape13 [A B C D E F G H I J K L M]: A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9 K 10 L 11 M 12;
    Shape14 [A B C D E F G H I J K L M N]:
        A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9 K 10 L 11 M 12 N 13;
    Shape15 [A B C D E F G H I J K L M N O]:
        A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9 K 10 L 11 M 12 N 13 O 14;
    Shape16 [A B C D E F G H I J K L M N O P]:
        A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9 K 10 L 11 M 12 N 13 O 14 P 15;
}

macro_rules! open_shapes {
    ($($rank:literal $Rank:ident $all:tt: $($Size:ident $dim:literal)*;)*) => { $(
        impl<$($Size: Size),*> Sealed for OpenShape<($($Size,)*)> {}
        impl<$($Size: Size),*> Sizes for OpenShape<($($Size,)*)> {}
        impl<$($Size: Size),*> Shape for OpenShape<($($Size,)*)> {
            type Rank = $Rank;
            type Index = [usize; $rank];
            const DIMS: Self::Index = [$($Size::SIZE),*];
            const SIZES: List<usize, MAX_RANK> = list(Self::DIMS);
        }
        $( size_of! { $all $Size $dim } )*
    )* };
}
open_shapes! {
    1 U1 [A]: A 0;
    2 U2 [A B]: A 0 B 1;
    3 U3 [A B C]: A 0 B 1 C 2;
    4 U4 [A B C D]: A 0 B 1 C 2 D 3;
    5 U5 [A B C D E]: A 0 B 1 C 2 D 3 E 4;
    6 U6 [A B C D E F]: A 0 B 1 C 2 D 3 E 4 F 5;
    7 U7 [A B C D E F G]: A 0 B 1 C 2 D 3 E 4 F 5 G 6;
    8 U8 [A B C D E F G H]: A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7;
}
