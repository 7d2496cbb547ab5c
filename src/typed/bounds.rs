//! Bounds on layouts whose error messages have plain numbers instead of typenum's types.

use crate::typed::Layout;
use typenum::{U1, U2, U4, U8, U16, U32};

/// A layout of `N` dimensions, whose indices are `[usize; N]`.
///
/// For `N = 2` it is the same bound as `Layout<Rank = U2, Index = [usize; 2]>`, but the error message says `2`.
/// ```
/// use tensor_layout::{Host, Packed, WithRank, tpu};
/// fn corner<L: WithRank<2>>(x: &Packed<L>) -> Host<L> {
///     x.get([0, 0])
/// }
/// assert_eq!(corner(&Packed::<tpu!(f32[3,128])>::filled(7.0)), 7.0);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not have {N} dimensions",
    label = "not a layout of {N} dimensions",
    note = "`reshape` reads the same bytes with another number of dimensions"
)]
pub trait WithRank<const N: usize>: Layout<Index = [usize; N]> {}

#[diagnostic::do_not_recommend]
impl<L: Layout<Index = [usize; N]>, const N: usize> WithRank<N> for L {}

/// A layout that stores `N` elements in each word of 32 bits.
///
/// For `N = 2` it is the same bound as `Layout<Packing = U2>`, but the error message says `2`.
/// ```
/// use tensor_layout::{Packed, WithPacking, tpu};
/// fn pairs<L: WithPacking<2>>(_: &Packed<L>) {}
/// pairs(&Packed::<tpu!(bf16[16,256])>::zeroed()?);
/// # Ok::<(), tensor_layout::PackError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not store {N} elements in each word of 32 bits",
    label = "not a layout with {N} elements per word",
    note = "elements of 32, 16, 8 and 4 bits are 1, 2, 4 and 8 in a word; `convert` computes elements of another type"
)]
pub trait WithPacking<const N: usize>: Layout {}

macro_rules! packings {
    ($($N:literal $Packing:ident)*) => { $(
        #[diagnostic::do_not_recommend]
        impl<L: Layout<Packing = $Packing>> WithPacking<$N> for L {}
    )* };
}
packings! { 1 U1 2 U2 4 U4 8 U8 16 U16 32 U32 }
