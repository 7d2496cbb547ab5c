use super::types::Sealed;
use crate::require::fail;
use core::marker::PhantomData;
use layout_core::sparse::{DimSlice, MAX_RANK, Scalar, ScalarType, SparseDraft};

/// The entries of an encoding besides its levels and widths, as a type: [`Explicit`], [`Implicit`], [`Exact`], [`Slices`], in
/// this order, in [`With`]; `()` if there are none. [`sparse_encoding!`](crate::sparse_encoding!) writes them.
pub trait Entries: Sealed + 'static {
    /// The values of the entries.
    const GIVEN: Given;
}

/// The values of [`Entries`].
#[derive(Clone, Copy, Debug)]
pub struct Given {
    pub(super) explicit: Option<Scalar>,
    pub(super) implicit: Option<Scalar>,
    pub(super) exact: bool,
    pub(super) slices: Option<[DimSlice; MAX_RANK]>,
}

impl Given {
    const NOTHING: Self = Self { explicit: None, implicit: None, exact: false, slices: None };

    /// Writes the values into a draft.
    pub(super) const fn apply(self, draft: SparseDraft) -> SparseDraft {
        let Self { explicit, implicit, exact, slices } = self;
        SparseDraft { explicit, implicit, exact, slices, ..draft }
    }
}

/// No entries besides levels and widths.
impl Entries for () {
    const GIVEN: Given = Given::NOTHING;
}

/// One entry, followed by others.
#[derive(Debug)]
pub struct With<E, Others = ()>(PhantomData<fn() -> (E, Others)>);

/// An entry that [`With`] can add.
pub trait Entry: Sealed + 'static {
    /// The values of the entries.
    const ENTRY: Given;
}

impl<E: Entry, Others: Entries> Sealed for With<E, Others> {}
impl<E: Entry, Others: Entries> Entries for With<E, Others> {
    const GIVEN: Given = {
        let (this, others) = (E::ENTRY, Others::GIVEN);
        Given {
            explicit: if this.explicit.is_some() { this.explicit } else { others.explicit },
            implicit: if this.implicit.is_some() { this.implicit } else { others.implicit },
            exact: this.exact || others.exact,
            slices: if this.slices.is_some() { this.slices } else { others.slices },
        }
    };
}

/// `explicitVal` of an encoding: the number of its [`ScalarType`] and its bits.
#[derive(Clone, Copy, Debug)]
pub struct Explicit<const TYPE: u32, const BITS: u128>;

/// `implicitVal` of an encoding: the number of its [`ScalarType`] and its bits.
#[derive(Clone, Copy, Debug)]
pub struct Implicit<const TYPE: u32, const BITS: u128>;

/// `padded = false` of an encoding: blocks at the edges have only the elements of the array.
#[derive(Clone, Copy, Debug)]
pub struct Exact;

/// The slices of the dimensions: a tuple of [`Slice`]s.
#[derive(Debug)]
pub struct Slices<S>(PhantomData<fn() -> S>);

/// `slice(OFFSET, SIZE, STRIDE)`; [`Slice::DYNAMIC`] represents `?`.
#[derive(Clone, Copy, Debug)]
pub struct Slice<const OFFSET: usize, const SIZE: usize, const STRIDE: usize>;

impl Slice<0, 0, 0> {
    /// The value that represents `?`.
    pub const DYNAMIC: usize = usize::MAX;
}

const fn scalar(ty: u32, bits: u128) -> Option<Scalar> {
    match ScalarType::from_code(ty) {
        Some(ty) => Some(Scalar { ty, bits }),
        None => fail("no element type has this number"),
    }
}

impl<const TYPE: u32, const BITS: u128> Sealed for Explicit<TYPE, BITS> {}
impl<const TYPE: u32, const BITS: u128> Entry for Explicit<TYPE, BITS> {
    const ENTRY: Given = Given { explicit: scalar(TYPE, BITS), ..Given::NOTHING };
}

impl<const TYPE: u32, const BITS: u128> Sealed for Implicit<TYPE, BITS> {}
impl<const TYPE: u32, const BITS: u128> Entry for Implicit<TYPE, BITS> {
    const ENTRY: Given = Given { implicit: scalar(TYPE, BITS), ..Given::NOTHING };
}

impl Sealed for Exact {}
impl Entry for Exact {
    const ENTRY: Given = Given { exact: true, ..Given::NOTHING };
}

/// A [`Slice`].
pub trait SliceType: Sealed + 'static {
    /// Its numbers.
    const SLICE: DimSlice;
}

impl<const OFFSET: usize, const SIZE: usize, const STRIDE: usize> Sealed
    for Slice<OFFSET, SIZE, STRIDE>
{
}
impl<const OFFSET: usize, const SIZE: usize, const STRIDE: usize> SliceType
    for Slice<OFFSET, SIZE, STRIDE>
{
    const SLICE: DimSlice =
        DimSlice { offset: known(OFFSET), size: known(SIZE), stride: known(STRIDE) };
}

const fn known(number: usize) -> Option<usize> {
    if number == Slice::DYNAMIC { None } else { Some(number) }
}

macro_rules! slices {
    ($(($($S:ident)*))*) => { $(
        impl<$($S: SliceType),*> Sealed for Slices<($($S,)*)> {}
        impl<$($S: SliceType),*> Entry for Slices<($($S,)*)> {
            const ENTRY: Given = {
                let given = [$($S::SLICE),*];
                let mut slices = [DimSlice::WHOLE; MAX_RANK];
                let mut dim = 0;
                while dim < given.len() {
                    slices[dim] = given[dim];
                    dim += 1;
                }
                Given { slices: Some(slices), ..Given::NOTHING }
            };
        }
    )* };
}
slices! { (A) (A B) (A B C) (A B C D) (A B C D E) (A B C D E F) (A B C D E F G) (A B C D E F G H) }
