//! The types of which the type of an encoding consists: its levels, the coordinates that they store, and their formats.
//!
//! The macro [`sparse_encoding!`](crate::sparse_encoding!) writes them. Programs name them in bounds, and rustc names them in its
//! errors.

pub use super::entries::*;
use super::visit::Visit;
use crate::require::fail;
use core::fmt::Debug;
use core::marker::PhantomData;
use layout_core::parts::Form;
use layout_core::sparse::{LevelExpr, LevelFormat, LevelSpec, MAX_LEVELS, Properties};
use layout_core::tiled::List;
use typenum::{U1, U2, U3, U4, U5, U6, U7, U8, U9, U10, U11, U12, U13, U14, U15, U16, Unsigned};

mod sealed {
    pub trait Sealed {}
}
pub(crate) use sealed::Sealed;

/// The number of dimensions of an encoding as a type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Rank<const RANK: usize>;

/// A [`Rank`] that an encoding can have.
pub trait RankType: Sealed + 'static {
    /// The number as a type, for use in bounds.
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
}

macro_rules! ranks {
    ($($rank:literal $Rank:ident;)*) => { $(
        impl Sealed for Rank<$rank> {}
        impl RankType for Rank<$rank> {
            type Rank = $Rank;
            type Index = [usize; $rank];
        }
    )* };
}
ranks! { 1 U1; 2 U2; 3 U3; 4 U4; 5 U5; 6 U6; 7 U7; 8 U8; }

/// The part of an index that a level stores: [`Dim`], [`Floordiv`], [`Mod`], [`Count`], or a sum, [`Sum1`] to [`Sum8`].
pub trait Expr: Sealed + 'static {
    /// The expression.
    const EXPR: LevelExpr;
}

/// A dimension as the part of an index that a level stores: `i` in [`sparse_encoding!`](crate::sparse_encoding!).
#[derive(Clone, Copy, Debug)]
pub struct Dim<const DIM: usize>;

/// `E floordiv DIV`: the part of an index that a level of blocks stores.
#[derive(Debug)]
pub struct Floordiv<E, const DIV: usize>(PhantomData<fn() -> E>);

/// `E mod SIZE`: the part of an index that a level within a block stores.
#[derive(Debug)]
pub struct Mod<E, const SIZE: usize>(PhantomData<fn() -> E>);

/// `c * SLOTS * d`: counts the entries of each value of a dimension.
#[derive(Clone, Copy, Debug)]
pub struct Count<const DIM: usize, const SLOTS: usize>;

impl<const DIM: usize> Sealed for Dim<DIM> {}
impl<const DIM: usize> Expr for Dim<DIM> {
    const EXPR: LevelExpr = LevelExpr::dim(DIM);
}

impl<E: Expr, const DIV: usize> Sealed for Floordiv<E, DIV> {}
impl<E: Expr, const DIV: usize> Expr for Floordiv<E, DIV> {
    const EXPR: LevelExpr = match E::EXPR {
        LevelExpr::Part { form, div, modulus: None } => {
            LevelExpr::Part { form, div: div.saturating_mul(DIV), modulus: None }
        }
        _ => fail("only a dimension, a sum of dimensions or a quotient of one can be divided"),
    };
}

impl<E: Expr, const SIZE: usize> Sealed for Mod<E, SIZE> {}
impl<E: Expr, const SIZE: usize> Expr for Mod<E, SIZE> {
    const EXPR: LevelExpr = match E::EXPR {
        LevelExpr::Part { form, div, modulus: None } => {
            LevelExpr::Part { form, div, modulus: Some(SIZE) }
        }
        _ => fail("only a dimension, a sum of dimensions or a quotient of one has a remainder"),
    };
}

impl<const DIM: usize, const SLOTS: usize> Sealed for Count<DIM, SLOTS> {}
impl<const DIM: usize, const SLOTS: usize> Expr for Count<DIM, SLOTS> {
    const EXPR: LevelExpr = LevelExpr::Count { dim: DIM, slots: SLOTS };
}

macro_rules! sums {
    ($($rank:literal $Sum:ident: $($C:ident)*;)*) => { $(
        #[doc = concat!("The sum of the first ", $rank, " dimensions, each times its coefficient, as the part of an index that a level stores.")]
        #[derive(Clone, Copy, Debug)]
        pub struct $Sum<$(const $C: i64),*>;
        impl<$(const $C: i64),*> Sealed for $Sum<$($C),*> {}
        impl<$(const $C: i64),*> Expr for $Sum<$($C),*> {
            const EXPR: LevelExpr = {
                let mut form = Form::ZERO;
                let coefficients = [$($C),*];
                let mut dim = 0;
                while dim < coefficients.len() {
                    form.coefficients[dim] = coefficients[dim];
                    dim += 1;
                }
                LevelExpr::Part { form, div: 1, modulus: None }
            };
        }
    )* };
}
sums! {
    1 Sum1: A; 2 Sum2: A B; 3 Sum3: A B C; 4 Sum4: A B C D; 5 Sum5: A B C D E; 6 Sum6: A B C D E F;
    7 Sum7: A B C D E F G; 8 Sum8: A B C D E F G H;
}

/// How a level stores its coordinates: [`Compressed`] and the other formats, with the properties [`Nonunique`], [`Nonordered`]
/// and [`Soa`].
pub trait Format: Sealed + 'static {
    /// The format.
    const FORMAT: LevelFormat;
    /// The properties.
    const PROPERTIES: Properties = Properties::NONE;
}

macro_rules! formats {
    ($($Format:ident $(<$($N:ident),*>)? = $format:expr;)*) => { $(
        #[doc = concat!("[`LevelFormat::", stringify!($Format), "`] as a type.")]
        #[derive(Clone, Copy, Debug)]
        pub struct $Format $(<$(const $N: usize),*>)?;
        impl $(<$(const $N: usize),*>)? Sealed for $Format $(<$($N),*>)? {}
        impl $(<$(const $N: usize),*>)? Format for $Format $(<$($N),*>)? {
            const FORMAT: LevelFormat = $format;
        }
    )* };
}
formats! {
    Dense = LevelFormat::Dense;
    Batch = LevelFormat::Batch;
    Compressed = LevelFormat::Compressed;
    LooseCompressed = LevelFormat::LooseCompressed;
    Singleton = LevelFormat::Singleton;
    Structured<N, M> = LevelFormat::Structured { n: N, m: M };
    Range = LevelFormat::Range;
    Delta<BITS> = LevelFormat::Delta { bits: BITS };
}

macro_rules! properties {
    ($($Property:ident $field:ident;)*) => { $(
        #[doc = concat!("The format `F` with the property `", stringify!($field), "`.")]
        #[derive(Debug)]
        pub struct $Property<F>(PhantomData<fn() -> F>);
        impl<F: Format> Sealed for $Property<F> {}
        impl<F: Format> Format for $Property<F> {
            const FORMAT: LevelFormat = F::FORMAT;
            const PROPERTIES: Properties = Properties { $field: true, ..F::PROPERTIES };
        }
    )* };
}
properties! { Nonunique nonunique; Nonordered nonordered; Soa soa; }

/// One level of an encoding: the part of an index that it stores, and its format.
#[derive(Debug)]
pub struct Level<E, F>(PhantomData<fn() -> (E, F)>);

/// A [`Level`].
pub trait LevelType: Sealed + 'static {
    /// Its description.
    const SPEC: LevelSpec;
}

impl<E: Expr, F: Format> Sealed for Level<E, F> {}
impl<E: Expr, F: Format> LevelType for Level<E, F> {
    const SPEC: LevelSpec =
        LevelSpec { expr: E::EXPR, format: F::FORMAT, properties: F::PROPERTIES };
}

/// The levels of an encoding: a tuple of up to sixteen [`Level`]s, outermost first.
pub trait Levels: Sealed + 'static {
    /// The number of levels, for use in bounds.
    type Count: Unsigned;
    /// The same levels as nested pairs: `(A, (B, ()))`.
    type Nest: Nest;
    /// The descriptions of the levels.
    const LIST: List<LevelSpec, MAX_LEVELS>;
}

/// Levels one by one, so that a function over them is compiled to a nest of loops.
pub trait Nest: Sealed + Visit + 'static {
    /// The description of the level; `None` for the end.
    const SPEC: Option<LevelSpec>;
}

impl Sealed for () {}
impl Nest for () {
    const SPEC: Option<LevelSpec> = None;
}

/// A level and those below it: an implementation of [`Nest`].
#[derive(Debug)]
pub struct Nested<L, B>(PhantomData<fn() -> (L, B)>);

impl<L: LevelType, B: Nest> Sealed for Nested<L, B> {}
impl<L: LevelType, B: Nest> Nest for Nested<L, B> {
    const SPEC: Option<LevelSpec> = Some(L::SPEC);
}

macro_rules! nest {
    () => { () };
    ($L:ident $($Below:ident)*) => { Nested<$L, nest!($($Below)*)> };
}

macro_rules! levels {
    ($($Count:ident: $($L:ident)*;)*) => { $(
        impl<$($L: LevelType),*> Sealed for ($($L,)*) {}
        impl<$($L: LevelType),*> Levels for ($($L,)*) {
            type Count = $Count;
            type Nest = nest!($($L)*);
            const LIST: List<LevelSpec, MAX_LEVELS> = {
                let mut list = List::new(LevelSpec::FILLER);
                $( list = match list.push($L::SPEC) { Ok(list) | Err(list) => list }; )*
                list
            };
        }
    )* };
}
levels! {
    U1: A; U2: A B; U3: A B C; U4: A B C D; U5: A B C D E; U6: A B C D E F; U7: A B C D E F G; U8: A B C D E F G H;
    U9: A B C D E F G H I; U10: A B C D E F G H I J; U11: A B C D E F G H I J K; U12: A B C D E F G H I J K L;
    U13: A B C D E F G H I J K L M; U14: A B C D E F G H I J K L M N; U15: A B C D E F G H I J K L M N O;
    U16: A B C D E F G H I J K L M N O P;
}
