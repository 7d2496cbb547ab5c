//! Products by the letters of dimensions: the expansion of `einsum!`.

use super::contraction::Contraction;
pub use super::labels::Labels;
pub use super::{ElementOf, SumOf};
use super::{MatmulElement, Operand, RoundedFrom, array, fresh_of};
use crate::movement::{DynLayout, PackError};
use crate::typed::entry::Const;
use crate::typed::packed::or_end;
use crate::typed::types::*;
use crate::typed::{Layout, Packed, SameElement};
use core::marker::PhantomData;
use layout_core::parts::MAX_RANK;
use layout_core::tiled::{Draft, List, TiledSpec};

/// A letter of [`einsum!`](crate::einsum!), which represents dimensions of one size.
#[derive(Debug)]
pub struct Letter<const LETTER: char, const SIZE: usize>;

/// A bound of [`einsum!`](crate::einsum!): a shape whose dimensions have these letters.
#[diagnostic::on_unimplemented(
    message = "an array of shape `{Self}` does not have the dimensions `{Letters}`",
    note = "in `einsum!` an array has one letter for each dimension",
    note = "a function that calls `einsum!` names the sizes instead of the layouts of its arrays: `fn f<const N: usize>(x: &Packed<tiled!(f32[N,64])>)`"
)]
pub trait Labelled<Letters> {}

/// The letters of no array. If a shape had only one implementation, rustc would quote it, with the whole macro that contains
/// it.
#[derive(Debug)]
pub struct NoLetters;

macro_rules! labelled {
    ($($Shape:ident: $($LETTER:ident $N:ident)*;)*) => { $(
        #[diagnostic::do_not_recommend]
        impl<$(const $LETTER: char, const $N: usize),*> Labelled<($(Letter<$LETTER, $N>,)*)>
            for $Shape<$($N),*> {}

        #[diagnostic::do_not_recommend]
        impl<$(const $N: usize),*> Labelled<NoLetters> for $Shape<$($N),*> {}
    )* };
}

labelled! {
    Shape0:;
    Shape1: A N0;
    Shape2: A N0 B N1;
    Shape3: A N0 B N1 C N2;
    Shape4: A N0 B N1 C N2 D N3;
    Shape5: A N0 B N1 C N2 D N3 E N4;
    Shape6: A N0 B N1 C N2 D N3 E N4 F N5;
    Shape7: A N0 B N1 C N2 D N3 E N4 F N5 G N6;
    Shape8: A N0 B N1 C N2 D N3 E N4 F N5 G N6 H N7;
}

/// The letters of a product, which [`einsum!`](crate::einsum!) reads from its text.
pub trait Equation {
    /// The letters of the operands and the result.
    const LABELS: Labels;
}

/// The plan that rustc makes for a product of two layouts.
struct Planned<T, A, B, C>(PhantomData<(T, A, B, C)>);

impl<T: Equation, A: Layout, B: Layout, C: Layout> Planned<T, A, B, C> {
    /// Whether the operands are exchanged, which makes the rows of the result contiguous if its columns were.
    const EXCHANGED: bool = T::LABELS.is_column_major(Const::<C>::SPEC);
    const PRODUCT: &'static Contraction = if Self::EXCHANGED {
        let labels = T::LABELS.exchanged();
        &Contraction::new(Const::<B>::SPEC, Const::<A>::SPEC, Const::<C>::SPEC, labels)
    } else {
        &Contraction::new(Const::<A>::SPEC, Const::<B>::SPEC, Const::<C>::SPEC, T::LABELS)
    };
}

/// The product of two arrays whose dimensions have the letters of a text: what [`einsum!`](crate::einsum!) calls.
///
/// # Panics
/// As for [`einsum!`](crate::einsum!).
#[track_caller]
pub fn einsum<T, A, B, C>(a: &A, b: &B) -> Packed<C>
where
    T: Equation,
    A: Operand<Layout: Layout<Element: MatmulElement<ElementOf<B>>>>,
    B: Operand,
    C: Layout<Element: RoundedFrom<SumOf<A, B>>>,
{
    or_end(try_einsum::<T, A, B, C>(a, b))
}

#[track_caller]
fn try_einsum<T, A, B, C>(a: &A, b: &B) -> Result<Packed<C>, PackError>
where
    T: Equation,
    A: Operand<Layout: Layout<Element: MatmulElement<ElementOf<B>>>>,
    B: Operand,
    C: Layout<Element: RoundedFrom<SumOf<A, B>>>,
{
    let mut c = fresh_of::<C>(&T::LABELS, array(a), array(b))?;
    let plan = const { Planned::<T, A::Layout, B::Layout, C>::PRODUCT };
    let [first, second] = if const { Planned::<T, A::Layout, B::Layout, C>::EXCHANGED } {
        [array(b), array(a)]
    } else {
        [array(a), array(b)]
    };
    let to = (Const::<C>::SPEC, c.as_bytes_mut());
    plan.run::<SumOf<A, B>>(first, second, to, None, None)?;
    Ok(c)
}

/// The array with its dimensions in another order, given by a letter for each dimension.
///
/// # Panics
/// If a dimension that is bounded only in `a` is shorter than its bound. If memory cannot be allocated, as collections do.
#[track_caller]
pub fn permuted<A, C>(a: &A, from: &[u8], to: &[u8]) -> Packed<C>
where
    A: Operand,
    C: Layout<Element: SameElement<ElementOf<A>>>,
{
    let a = array(a);
    let order = to.iter().map(|letter| from.iter().position(|known| known == letter));
    let order: List<_, _> = order.flatten().fold(List::new(0), super::labels::pushed);
    let view = reordered(a.spec, order.as_slice());
    let sizes = order.as_slice().iter().map(|dim| a.sized().sizes[*dim]);
    let sizes: List<_, MAX_RANK> = sizes.fold(List::new(0), super::labels::pushed);
    let mut c = or_end(Packed::try_fresh()).sized(sizes.as_slice());
    or_end(view.relayout_bytes(a.bytes, Const::<C>::SPEC, c.as_bytes_mut()));
    c
}

/// Writes the array to the packed array `to` of the layout `spec`, whose dimension `i` is dimension `order[i]` of this one.
#[cfg(feature = "sharding")]
pub(crate) fn permute_into<A: Operand>(
    a: &A,
    order: &[usize],
    spec: &TiledSpec,
    to: &mut [u8],
) -> Result<(), PackError> {
    let a = array(a);
    reordered(a.spec, order).relayout_bytes(a.bytes, spec, to)
}

/// The layout of the same bytes as an array whose dimension `i` is dimension `order[i]` of this one.
fn reordered(spec: &TiledSpec, order: &[usize]) -> TiledSpec {
    let draft = spec.draft();
    let new = |old: usize| order.iter().position(|dim| *dim == old).expect("a permutation");
    let list =
        |items: &mut dyn Iterator<Item = usize>| items.fold(List::new(0), super::labels::pushed);
    let draft = Draft {
        dims: list(&mut order.iter().map(|dim| spec.dims()[*dim])),
        minor_to_major: list(&mut spec.minor_to_major().iter().map(|dim| new(*dim))),
        bounded: order.iter().rev().fold(0, |mask, dim| mask << 1 | draft.bounded >> dim & 1),
        padded: spec.padded().map(|mut padded| {
            let widths = padded.widths;
            padded.widths = list(&mut order.iter().map(|dim| widths.as_slice()[*dim]));
            padded
        }),
        ..*draft
    };
    draft.validate().expect("the same bytes, by other names of their dimensions")
}
