//! Bounds by which rustc reports a call whose shardings do not match, at the line of the call. Const evaluation checks everything
//! else: its errors come later, and point into this crate.

use crate::element::Element;
use crate::sharding::types::{Parts, Unreduced, Whole};
use core::marker::PhantomData;

/// A bound of operations on two arrays: `Self`, the axes that split one of them, are the axes `A` of the other.
#[diagnostic::on_unimplemented(
    message = "the two arrays are split differently: along `{A}` and `{Self}`",
    note = "these are the axes of each dimension, by their numbers in the mesh; reshard one of the two to the sharding of the other: `b.reshard::<A, _>(transport)?`"
)]
pub trait SameAxes<A> {}

#[diagnostic::do_not_recommend]
impl<A> SameAxes<A> for A {}

/// A bound of operations on two arrays: both have the element type `E`.
#[diagnostic::on_unimplemented(
    message = "the element types `{Self}` and `{E}` differ",
    note = "`convert` computes elements of another type: `b.convert::<A>(|x| ..)?`"
)]
pub trait ElementOfBoth<E: Element>: Element<Host = E::Host> {}

#[diagnostic::do_not_recommend]
impl<E: Element> ElementOfBoth<E> for E {}

/// A bound of operations that need whole elements: the array has no unreduced axes.
#[diagnostic::on_unimplemented(
    message = "the array is unreduced along `{Self}`: its devices have parts of its elements",
    label = "not an operation on parts",
    note = "reduce it first: `x.reshard::<X, _>(transport)?`, with a type `X` without `unreduced`"
)]
pub trait Reduced: Unreduced {}

#[diagnostic::do_not_recommend]
impl<U: Unreduced<Values = Whole>> Reduced for U {}

/// A bound of [`Sharded::matmul`](crate::sharding::run::Sharded::matmul): devices can multiply their matrices, because the
/// dimensions that the product pairs are split alike. `Self` are the axes of the left array, and `R` those of the right one.
#[diagnostic::on_unimplemented(
    message = "matrices that are split along `{Self}` and `{R}` cannot be multiplied without communication",
    note = "these are the axes of each dimension, by their numbers in the mesh: the last of the left array and the last but one of the right array are split alike, and so are batches; `w.reshard::<W, _>(transport)?` changes how an array is split",
    note = "`matmul` takes matrices, batches of the same rank, or a batch and a matrix; `dot_general` names the dimensions of others"
)]
pub trait Multiplied<R> {}

#[diagnostic::do_not_recommend]
impl<L: SplitAlike<R>, R> Multiplied<R> for L {}

/// The condition for [`Multiplied`]: a separate trait, because rustc would list all of its implementations in errors.
#[doc(hidden)]
pub trait SplitAlike<R> {}

/// `Self` is the type `A`. A second implementation, for a type that `A` never is, keeps rustc from inferring `A` from this bound.
///
/// With a single implementation, it would infer `A` before it knows the right operand, and report an error about the inferred type.
#[doc(hidden)]
pub trait Same<A> {}

#[diagnostic::do_not_recommend]
impl<A> Same<A> for A {}
#[diagnostic::do_not_recommend]
impl<A> Same<Other<A>> for A {}

/// A type that `A` is not.
#[doc(hidden)]
#[derive(Debug)]
pub struct Other<A>(PhantomData<fn() -> A>);

/// A bound of [`Sharded::matmul`](crate::sharding::run::Sharded::matmul): two arrays have the dimensions of matrices, or of
/// batches of them. `Self` are the axes of the left array, and `R` those of the right one.
#[diagnostic::on_unimplemented(
    message = "arrays that are split along `{Self}` and `{R}` are not matrices",
    note = "these are the axes of each dimension: `matmul` takes matrices, batches of the same rank, or a batch and a matrix; `dot_general` names the dimensions"
)]
pub trait MatmulAxes<R> {
    /// The axes of the dimensions of the product.
    type Dims;
    /// The axes of the left array along the dimension that is summed over.
    type Left: Unreduced;
    /// The axes of the right array along it.
    type Right: Unreduced;
}

macro_rules! matmul {
    ($(($($B:ident $C:ident)*))*) => { $(
        #[diagnostic::do_not_recommend]
        impl<$($B, $C,)* M, K: Unreduced, J: Unreduced, N> MatmulAxes<($($C,)* J, N)> for ($($B,)* M, K) {
            type Dims = SplitAlong<($($B,)* M, N)>;
            type Left = K;
            type Right = J;
        }
        #[diagnostic::do_not_recommend]
        impl<$($B: Same<$C>, $C,)* M, K: Same<J>, J, N> SplitAlike<($($C,)* J, N)> for ($($B,)* M, K) {}
        matmul! { batch $($B)* }
    )* };
    (batch) => {};
    (batch $($B:ident)+) => {
        #[diagnostic::do_not_recommend]
        impl<$($B,)* M, K: Unreduced, J: Unreduced, N> MatmulAxes<(J, N)> for ($($B,)* M, K) {
            type Dims = SplitAlong<($($B,)* M, N)>;
            type Left = K;
            type Right = J;
        }
        #[diagnostic::do_not_recommend]
        impl<$($B,)* M, K: Same<J>, J, N> SplitAlike<(J, N)> for ($($B,)* M, K) {}
    };
}
matmul! {
    ()
    (B0 C0)
    (B0 C0 B1 C1)
    (B0 C0 B1 C1 B2 C2)
    (B0 C0 B1 C1 B2 C2 B3 C3)
    (B0 C0 B1 C1 B2 C2 B3 C3 B4 C4)
    (B0 C0 B1 C1 B2 C2 B3 C3 B4 C4 B5 C5)
    (B0 C0 B1 C1 B2 C2 B3 C3 B4 C4 B5 C5 B6 C6)
    (B0 C0 B1 C1 B2 C2 B3 C3 B4 C4 B5 C5 B6 C6 B7 C7)
    (B0 C0 B1 C1 B2 C2 B3 C3 B4 C4 B5 C5 B6 C6 B7 C7 B8 C8)
    (B0 C0 B1 C1 B2 C2 B3 C3 B4 C4 B5 C5 B6 C6 B7 C7 B8 C8 B9 C9)
    (B0 C0 B1 C1 B2 C2 B3 C3 B4 C4 B5 C5 B6 C6 B7 C7 B8 C8 B9 C9 B10 C10)
    (B0 C0 B1 C1 B2 C2 B3 C3 B4 C4 B5 C5 B6 C6 B7 C7 B8 C8 B9 C9 B10 C10 B11 C11)
    (B0 C0 B1 C1 B2 C2 B3 C3 B4 C4 B5 C5 B6 C6 B7 C7 B8 C8 B9 C9 B10 C10 B11 C11 B12 C12)
    (B0 C0 B1 C1 B2 C2 B3 C3 B4 C4 B5 C5 B6 C6 B7 C7 B8 C8 B9 C9 B10 C10 B11 C11 B12 C12 B13 C13)
}

// As for `Same`: rustc must not infer that the right operand of a matrix is a matrix.
#[diagnostic::do_not_recommend]
impl<M, K> SplitAlike<(Other<(M, K)>,)> for (M, K) {}

/// Vectors, which are not operands of `matmul`: the error about them is that of [`Multiplied`].
macro_rules! vectors {
    ($([$($generics:ident)*] $Left:ty, $Right:ty;)*) => { $(
        #[diagnostic::do_not_recommend]
        impl<$($generics),*> MatmulAxes<$Right> for $Left {
            type Dims = Unknown;
            type Left = ();
            type Right = ();
        }
    )* };
}
vectors! {
    [A B] (A,), (B,);
    [A B C] (A,), (B, C);
    [A B C D] (A,), (B, C, D);
    [A B C] (A, B), (C,);
    [A B C D] (A, B, C), (D,);
    [A B C D E] (A, B), (C, D, E);
}

/// How the result on devices is split, if types express it: [`Made`] if they do, and [`Unknown`] otherwise.
pub trait Had {
    /// [`Unknown`], or the axes of each dimension.
    type Dims;
    /// [`Whole`] or [`Parts`]; [`Unknown`] if types do not express it.
    type Values;
}

/// A property of a result that types do not express, so that only const evaluation checks it.
#[derive(Debug)]
pub struct Unknown;

impl Had for Unknown {
    type Dims = Self;
    type Values = Self;
}

/// The result of an operation on devices: an array that is split along the axes `D`, and whose elements are `V`, which is
/// [`Whole`] or [`Parts`].
#[derive(Debug)]
pub struct Made<D, V>(PhantomData<fn() -> (D, V)>);

/// The axes `A`.
#[doc(hidden)]
#[derive(Debug)]
pub struct SplitAlong<A>(PhantomData<fn() -> A>);

impl<D, V> Had for Made<D, V> {
    type Dims = D;
    type Values = V;
}

/// Whether arrays that are unreduced along `U` have whole elements or parts.
pub type ValuesOf<U> = <U as Unreduced>::Values;

/// Whether the elements of two arrays are both [`Whole`] or both [`Parts`]; [`Unknown`] if they differ.
pub trait And<V> {
    /// [`Whole`], [`Parts`] or [`Unknown`].
    type Values;
}

macro_rules! and {
    ($($A:ident $B:ident: $Both:ident;)*) => { $(
        impl And<$B> for $A {
            type Values = $Both;
        }
    )* };
}
and! {
    Whole Whole: Whole;
    Parts Parts: Parts;
    Whole Parts: Unknown;
    Parts Whole: Unknown;
}

/// Whether the elements of a product are [`Whole`] or [`Parts`], from the same property of its sums, `Self`, and of the elements
/// of its operands, `L` and `R`.
pub trait OfFactors<L, R> {
    /// [`Whole`], [`Parts`] or [`Unknown`].
    type Values;
}

impl<V> OfFactors<Whole, Whole> for V {
    type Values = V;
}
impl<V> OfFactors<Parts, Whole> for V {
    type Values = Unknown;
}
impl<V> OfFactors<Whole, Parts> for V {
    type Values = Unknown;
}
impl<V> OfFactors<Parts, Parts> for V {
    type Values = Unknown;
}

/// A bound of [`Deferred::local`](super::Deferred::local): the type of the result is split along the axes that the operation
/// leaves on devices.
#[diagnostic::on_unimplemented(
    message = "devices do not have a result that is split along `{Self}`, as its type says",
    note = "they have `{M}`: the axes of each dimension, by their numbers in the mesh",
    note = "`.on(transport)` in place of `.local()` exchanges what is missing"
)]
pub trait AxesOfResult<M> {}

#[diagnostic::do_not_recommend]
impl<A, M: Had<Dims: Gives<A>>> AxesOfResult<M> for A {}

/// A bound of [`Deferred::local`](super::Deferred::local): if devices have only parts of sums, the type of the result must be
/// `unreduced`.
#[diagnostic::on_unimplemented(
    message = "each device has a part of each sum, but the type of the result is not `unreduced`",
    note = "`.on(transport)` in place of `.local()` adds the parts",
    note = "to keep them, write `unreduced={{..}}` in the type, with the axes of the dimension that is summed over"
)]
pub trait NoMoreParts<M> {}

#[diagnostic::do_not_recommend]
impl<U: Unreduced, M: Had<Values: GivesWhole<U::Values>>> NoMoreParts<M> for U {}

/// A bound of [`Deferred::local`](super::Deferred::local): if devices have whole elements, the type of the result must not be
/// `unreduced`.
#[diagnostic::on_unimplemented(
    message = "devices have whole elements, but the type of the result is unreduced along `{Self}`",
    note = "whole elements cannot become parts of sums: remove `unreduced` from the type"
)]
pub trait NoMoreWhole<M> {}

#[diagnostic::do_not_recommend]
impl<U: Unreduced, M: Had<Values: GivesParts<U::Values>>> NoMoreWhole<M> for U {}

/// The axes of a result on devices may be those of a type that is split along `A`.
#[doc(hidden)]
pub trait Gives<A> {}

impl<A> Gives<A> for Unknown {}
impl<A> Gives<A> for SplitAlong<A> {}

/// The elements of a result on devices may be those of a type whose elements are `V`, except that parts are not whole elements.
#[doc(hidden)]
pub trait GivesWhole<V> {}

impl<V> GivesWhole<V> for Unknown {}
impl<V> GivesWhole<V> for Whole {}
impl GivesWhole<Parts> for Parts {}

/// The elements of a result on devices may be those of a type whose elements are `V`, except that whole elements are not parts.
#[doc(hidden)]
pub trait GivesParts<V> {}

impl<V> GivesParts<V> for Unknown {}
impl<V> GivesParts<V> for Parts {}
impl GivesParts<Whole> for Whole {}
