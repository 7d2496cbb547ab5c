//! Numbers of dimensions as types.

use super::bounds::{And, Made, MatmulAxes, OfFactors, Unknown, ValuesOf};
use super::checked::Of;
use crate::sharding::typed::ShardedLayout;
use core::marker::PhantomData;
use layout_core::parts::MAX_RANK;
use layout_core::sharding::ops::DotNumbers;

/// A list of dimensions as a type: [`Dims2<0, 1>`](Dims2). An operation on shards takes it as a parameter, so that rustc checks
/// how the result is split.
///
/// ```
/// use tensor_layout::sharding::run::ops::{DimNumbers, Dims2};
/// assert_eq!(Dims2::<0, 1>::LIST, [0, 1]);
/// ```
pub trait DimNumbers: 'static {
    /// The dimensions.
    const LIST: &'static [usize];
}

macro_rules! lists {
    ($($(#[$doc:meta])* $Dims:ident: $($D:ident)*;)*) => { $(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $Dims<$(const $D: usize),*>;

        impl<$(const $D: usize),*> DimNumbers for $Dims<$($D),*> {
            const LIST: &'static [usize] = &[$($D),*];
        }
    )* };
}
lists! {
    /// An empty list of dimensions; see [`DimNumbers`].
    Dims0:;
    /// A list of one dimension; see [`DimNumbers`].
    Dims1: A;
    /// A list of two dimensions; see [`DimNumbers`].
    Dims2: A B;
    /// A list of three dimensions; see [`DimNumbers`].
    Dims3: A B C;
    /// A list of four dimensions; see [`DimNumbers`].
    Dims4: A B C D;
    /// A list of five dimensions; see [`DimNumbers`].
    Dims5: A B C D E;
    /// A list of six dimensions; see [`DimNumbers`].
    Dims6: A B C D E F;
    /// A list of seven dimensions; see [`DimNumbers`].
    Dims7: A B C D E F G;
    /// A list of eight dimensions; see [`DimNumbers`].
    Dims8: A B C D E F G H;
}

/// The dimensions that a product of shards pairs: [`DotDims`] or [`Matrices`].
pub trait DotOf: 'static {
    /// How a product on devices is split if they exchange nothing: [`Made`](super::Made), or [`Unknown`](super::Unknown).
    type Made;
    #[doc(hidden)]
    const NUMBERS: DotNumbers<'static>;
}

/// The dimensions that a product of shards pairs: the batch dimensions of the left and the right operand, then the dimensions of
/// both that are summed over, as `stablehlo.dot_general` lists them. `DotDims<Dims1<0>, Dims1<0>, Dims1<2>, Dims1<2>>` multiplies
/// queries and keys, `[batch, q, d]` and `[batch, k, d]`. See
/// [`Sharded::dot_general`](crate::sharding::run::Sharded::dot_general) for an example.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::type_complexity, reason = "the parameters are the lists")]
pub struct DotDims<LhsBatch, RhsBatch, LhsContracting, RhsContracting>(
    PhantomData<fn() -> (LhsBatch, RhsBatch, LhsContracting, RhsContracting)>,
);

impl<A, B, C, D> DotOf for DotDims<A, B, C, D>
where
    A: DimNumbers,
    B: DimNumbers,
    C: DimNumbers,
    D: DimNumbers,
{
    type Made = Unknown;
    const NUMBERS: DotNumbers<'static> = DotNumbers {
        lhs_batch: A::LIST,
        rhs_batch: B::LIST,
        lhs_contracting: C::LIST,
        rhs_contracting: D::LIST,
    };
}

/// The dimensions of a product of matrices: the last one of the left operand, and the one before the last of the right. All
/// dimensions before these are batch dimensions, unless the right operand is one matrix.
pub struct Matrices<L, R>(PhantomData<fn() -> (L, R)>);

/// The numbers of dimensions.
const NUMBERS: &[usize; MAX_RANK] = &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];

/// Whether the sums of a product are [`Whole`](crate::sharding::types::Whole) or [`Parts`](crate::sharding::types::Parts).
type SumsOf<L, R> = <ValuesOf<LeftOf<L, R>> as And<ValuesOf<RightOf<L, R>>>>::Values;
type LeftOf<L, R> = <AxesOf<L> as MatmulAxes<AxesOf<R>>>::Left;
type RightOf<L, R> = <AxesOf<L> as MatmulAxes<AxesOf<R>>>::Right;
type AxesOf<L> = <L as ShardedLayout>::Axes;

impl<L, R> DotOf for Matrices<L, R>
where
    L: ShardedLayout<Axes: MatmulAxes<R::Axes>>,
    R: ShardedLayout,
    ValuesOf<LeftOf<L, R>>: And<ValuesOf<RightOf<L, R>>>,
    SumsOf<L, R>: OfFactors<ValuesOf<L::Unreduced>, ValuesOf<R::Unreduced>>,
{
    type Made = Made<
        <L::Axes as MatmulAxes<R::Axes>>::Dims,
        <SumsOf<L, R> as OfFactors<ValuesOf<L::Unreduced>, ValuesOf<R::Unreduced>>>::Values,
    >;
    const NUMBERS: DotNumbers<'static> = {
        let (left, right) = (Of::<L>::TENSOR.dims.len(), Of::<R>::TENSOR.dims.len());
        if left < 2 || right < 2 || right > 2 && left != right {
            panic!(
                "`matmul` takes matrices, batches of the same rank, or a batch and a matrix\n\nhelp: name the dimensions: `x.dot_general::<DotDims<..>, _>(&w)`"
            )
        }
        let batch = NUMBERS.split_at(right - 2).0;
        DotNumbers {
            lhs_batch: batch,
            rhs_batch: batch,
            lhs_contracting: NUMBERS.split_at(left - 1).1.split_at(1).0,
            rhs_contracting: NUMBERS.split_at(right - 2).1.split_at(1).0,
        }
    };
}
