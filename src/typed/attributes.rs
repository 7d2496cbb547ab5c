//! The attributes of a layout as types. Attributes with the default value are left out, so that a layout has one spelling.

use super::types::{Sealed, Shape};
use crate::element::{Element, PackingOf, Width};
use crate::require::{fail, require};
use crate::typed::sizes::{DynamicSizes, RunTimeSizes, StaticSizes};
use core::marker::PhantomData;
use layout_core::dtype::PaddingValue;
use layout_core::tiled::{Draft, List, MAX_SPLIT_INDICES, MAX_SPLITS, Padded, Split};
use typenum::Unsigned;

/// The value of an [`Attribute`] of a layout.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "each variant is the attribute type of its name")]
#[allow(clippy::large_enum_variant, reason = "a constant; nothing can be boxed in one")]
pub enum AttributeValue {
    ElementBits(usize),
    TailAlignment(usize),
    MemorySpace(usize),
    Splits(List<Split, MAX_SPLITS>),
    PrefixBytes(usize),
    Bounded(u16),
    Padded(Padded),
}

impl AttributeValue {
    /// The position of the attribute in a list of several.
    const fn order(&self) -> usize {
        match self {
            Self::ElementBits(_) => 0,
            Self::TailAlignment(_) => 1,
            Self::MemorySpace(_) => 2,
            Self::Splits(_) => 3,
            Self::PrefixBytes(_) => 4,
            Self::Bounded(_) => 5,
            Self::Padded(_) => 6,
        }
    }
}

/// An attribute of a layout, such as `S(1)`, as a type. [`tiled!`](crate::tiled!) writes them.
pub trait Attribute: Sealed + 'static {
    /// The value of the attribute.
    const VALUE: AttributeValue;
    /// The number of elements of `E` in a 32-bit word of storage.
    type Packing<E: Element>: Unsigned;
    /// The sizes that arrays of shape `S` store at run time. `Others` is the type without this attribute.
    type Sizes<S: Shape, Others: RunTimeSizes>: RunTimeSizes;
}

/// The attributes of a layout: a tuple of [`Attribute`]s in the order in which this module defines them.
pub trait Attributes: 'static {
    /// The values of the attributes.
    const VALUES: &'static [AttributeValue];
    /// The number of elements of `E` in a 32-bit word of storage.
    type Packing<E: Element>: Unsigned;
    /// The sizes that arrays of shape `S` store at run time.
    type Sizes<S: Shape>: RunTimeSizes;
}

/// `E(n)`: an element is stored in `BITS` bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct ElementBits<const BITS: usize>;

/// `L(n)`: the storage is rounded up to a multiple of `N` elements.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct TailAlignment<const N: usize>;

/// `S(n)`: the array is in memory space `N`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct MemorySpace<const N: usize>;

/// `SC(..)`: physical dimensions are split between memories; `T` is a tuple of [`Split1`] to [`Split8`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Splits<T>(PhantomData<fn() -> T>);

/// `M(n)`: `N` bytes before the data hold the sizes of a dynamic shape.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct PrefixBytes<const N: usize>;

/// `<=n`: the sizes of the dimensions whose bits are set in `MASK` are bounds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Bounded<const MASK: u16>;

/// `padded to [..] with ..`: the dimensions are padded to the widths of the shape `W` with the value `V`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct PaddedTo<W, V>(PhantomData<fn() -> (W, V)>);

/// A padding value as a type.
pub trait PaddingType: Sealed + 'static {
    /// The value.
    const VALUE: PaddingValue;
}

macro_rules! padding {
    ($($Value:ident)*) => { $(
        #[doc = concat!("[`PaddingValue::", stringify!($Value), "`] as a type.")]
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
        pub struct $Value;
        impl Sealed for $Value {}
        impl PaddingType for $Value {
            const VALUE: PaddingValue = PaddingValue::$Value;
        }
    )* };
}
padding! { Zero One Lowest Highest }

/// One split of a physical dimension, as a type.
pub trait SplitType: Sealed + 'static {
    /// The split.
    const VALUE: Split;
}

macro_rules! splits {
    ($($Split:ident: $($I:ident)*;)*) => { $(
        /// A split of physical dimension `DIM`. The number in the name is the number of indices.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
        pub struct $Split<const DIM: usize, $(const $I: usize),*>;
        impl<const DIM: usize, $(const $I: usize),*> Sealed for $Split<DIM, $($I),*> {}
        impl<const DIM: usize, $(const $I: usize),*> SplitType for $Split<DIM, $($I),*> {
            const VALUE: Split = Split {
                dimension: DIM,
                indices: match List::<usize, MAX_SPLIT_INDICES>::of(&[$($I),*]) {
                    Some(indices) => indices,
                    None => fail("more indices than a split can have"),
                },
            };
        }
    )* };
}
splits! {
    Split1: A; Split2: A B; Split3: A B C; Split4: A B C D; Split5: A B C D E; Split6: A B C D E F;
    Split7: A B C D E F G; Split8: A B C D E F G H;
}

/// The splits of a layout, as a tuple of types.
pub trait SplitList: 'static {
    /// The splits.
    const LIST: List<Split, MAX_SPLITS>;
}

macro_rules! split_tuples {
    ($(($($T:ident)*))*) => { $(
        impl<$($T: SplitType),*> SplitList for ($($T,)*) {
            const LIST: List<Split, MAX_SPLITS> = {
                let list = List::new(Split { dimension: 0, indices: List::new(0) });
                $( let list = match list.push($T::VALUE) { Ok(list) | Err(list) => list }; )*
                list
            };
        }
    )* };
}
split_tuples! { (A) (A B) (A B C) (A B C D) (A B C D E) (A B C D E F) (A B C D E F G) (A B C D E F G H) }

macro_rules! attributes {
    ($([$($generics:tt)*] $Type:ty => $value:expr;)*) => { $(
        impl<$($generics)*> Sealed for $Type {}
        impl<$($generics)*> Attribute for $Type {
            const VALUE: AttributeValue = $value;
            type Packing<Elem: Element> = Elem::Packing;
            type Sizes<S: Shape, Others: RunTimeSizes> = Others;
        }
    )* };
}
attributes! {
    [const N: usize] TailAlignment<N> => AttributeValue::TailAlignment(N);
    [const N: usize] MemorySpace<N> => AttributeValue::MemorySpace(N);
    [T: SplitList] Splits<T> => AttributeValue::Splits(T::LIST);
    [const N: usize] PrefixBytes<N> => AttributeValue::PrefixBytes(N);
    [W: Shape, V: PaddingType] PaddedTo<W, V> =>
        AttributeValue::Padded(Padded { widths: W::SIZES, value: V::VALUE });
}

impl<const BITS: usize> Sealed for ElementBits<BITS> {}
impl<const BITS: usize> Attribute for ElementBits<BITS>
where
    Width<BITS>: PackingOf,
{
    const VALUE: AttributeValue = AttributeValue::ElementBits(BITS);
    type Packing<E: Element> = <Width<BITS> as PackingOf>::Packing;
    type Sizes<S: Shape, Others: RunTimeSizes> = Others;
}

impl<const MASK: u16> Sealed for Bounded<MASK> {}
impl<const MASK: u16> Attribute for Bounded<MASK> {
    const VALUE: AttributeValue = AttributeValue::Bounded(MASK);
    type Packing<E: Element> = E::Packing;
    type Sizes<S: Shape, Others: RunTimeSizes> = DynamicSizes<S::Index>;
}

impl Attributes for () {
    const VALUES: &'static [AttributeValue] = &[];
    type Packing<E: Element> = E::Packing;
    type Sizes<S: Shape> = StaticSizes;
}

/// The type of the run-time sizes for a list of attributes.
macro_rules! sizes {
    ($S:ident:) => { StaticSizes };
    ($S:ident: $First:ident $($T:ident)*) => { $First::Sizes<$S, sizes!($S: $($T)*)> };
}

macro_rules! attribute_tuples {
    ($(($First:ident $($T:ident)*))*) => { $(
        impl<$First: Attribute, $($T: Attribute),*> Attributes for ($First, $($T,)*) {
            const VALUES: &'static [AttributeValue] = &[$First::VALUE, $($T::VALUE),*];
            // Only the first attribute can be `ElementBits`.
            type Packing<Elem: Element> = $First::Packing<Elem>;
            type Sizes<S: Shape> = sizes!(S: $First $($T)*);
        }
    )* };
}
attribute_tuples! { (A) (A B) (A B C) (A B C D) (A B C D E) (A B C D E F) (A B C D E F G) }

/// Sets the attributes of a draft.
///
/// # Panics
/// If the attributes are not in order, or one is given twice. Otherwise two types could be the same layout.
pub(crate) const fn apply(mut draft: Draft, values: &[AttributeValue]) -> Draft {
    let mut i = 0;
    while i < values.len() {
        require(
            i == 0 || values[i - 1].order() < values[i].order(),
            "attributes of a layout are out of order",
        );
        match values[i] {
            AttributeValue::ElementBits(bits) => draft.element_bits = bits,
            AttributeValue::TailAlignment(n) => draft.tail_alignment = n,
            AttributeValue::MemorySpace(n) => draft.memory_space = n,
            AttributeValue::Splits(splits) => draft.splits = splits,
            AttributeValue::PrefixBytes(n) => draft.prefix_bytes = n,
            AttributeValue::Bounded(mask) => draft.bounded = mask,
            AttributeValue::Padded(padded) => draft.padded = Some(padded),
        }
        i += 1;
    }
    draft
}
