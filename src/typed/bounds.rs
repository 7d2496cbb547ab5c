//! Bounds on layouts whose error messages have plain numbers instead of typenum's types.

use crate::typed::Layout;
use typenum::{U1, U2, U4, U8, U16, U32};

/// A layout of `N` dimensions, whose indices are `[usize; N]`.
///
/// For `N = 2` it is the same bound as `Layout<Rank = U2, Index = [usize; 2]>`, but the error message contains `2`.
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

/// A layout with as many dimensions as the layout `L`.
///
/// It is the same bound as `Layout<Rank = L::Rank, Index = L::Index>`, but the error message names both layouts.
/// ```
/// use tensor_layout::{Layout, Packed, WithElementOf, WithRankOf, tpu};
/// fn corner<L: Layout, M: WithElementOf<L> + WithRankOf<L>>(x: &Packed<L>) -> Packed<M> {
///     x.slice(L::Index::default())
/// }
/// let part: Packed<tpu!(f32[2,2])> = corner(&Packed::<tpu!(f32[8,128])>::filled(1.0));
/// assert_eq!(part.total(), 4.0);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` and `{L}` do not have the same number of dimensions",
    label = "has another number of dimensions",
    note = "write a size of 1 for each dimension that is missing; `reshape` then leaves it out"
)]
pub trait WithRankOf<L: Layout>: Layout<Rank = L::Rank, Index = L::Index> {}

#[diagnostic::do_not_recommend]
impl<M: Layout<Rank = L::Rank, Index = L::Index>, L: Layout> WithRankOf<L> for M {}

/// A layout with the element type of the layout `L`.
///
/// It is the same bound as `Layout<Element = L::Element>`, but the error message names both layouts.
///
/// ```
/// use tensor_layout::{Layout, Packed, WithElementOf, tpu};
/// fn first<L: Layout, M: WithElementOf<L>>(a: &Packed<L>, b: &Packed<M>) -> bool {
///     a.iter().next() == b.iter().next()
/// }
/// let (a, b) = (<tpu!(s8[4])>::pack(&[7; 4])?, <tpu!(s8[2,3])>::pack(&[7; 6])?);
/// assert!(first(&a, &b));
/// # Ok::<(), tensor_layout::PackError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` and `{L}` do not have the same element type",
    label = "has another element type",
    note = "`convert` computes elements of another type: `x.convert::<M>(|x| ..)`"
)]
pub trait WithElementOf<L: Layout>: Layout<Element = <L as Layout>::Element> {}

#[diagnostic::do_not_recommend]
impl<M: Layout<Element = <L as Layout>::Element>, L: Layout> WithElementOf<L> for M {}

/// A layout that stores `N` elements in each word of 32 bits.
///
/// For `N = 2` it is the same bound as `Layout<Packing = U2>`, but the error message contains `2`.
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
