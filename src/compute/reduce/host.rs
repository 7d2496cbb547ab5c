//! The functions of the host types that reductions need.
//!
//! None of them is a method, so that the methods of a value are only those of its type.

use crate::element::{HostValue, narrow_f8e4m3fn};
use core::fmt::Debug;
use half::{bf16, f16};
use layout_core::dtype::float::{narrow_bf16, narrow_f16, widen_bf16, widen_f16};
use microfloat::*;
use num_complex::Complex;

/// A number that can be added up; integers wrap.
pub trait Plus: Copy + Default {
    #[doc(hidden)]
    fn plus(a: Self, b: Self) -> Self;
}

macro_rules! plus {
    ($method:ident: $($T:ty)*) => { $(
        impl Plus for $T {
            #[inline(always)]
            fn plus(a: Self, b: Self) -> Self {
                a.$method(b)
            }
        }
    )* };
}
use core::ops::Add;
plus! { add: f32 f64 Complex<f32> Complex<f64> }
plus! { wrapping_add: i32 u32 i64 u64 i128 u128 }

/// A host value that can be summed. All host types implement it.
///
/// ```
/// use tensor_layout::compute::Summand;
/// use tensor_layout::{Host, Layout, Packed, tiled};
///
/// fn total<L: Layout>(x: &Packed<L>) -> <Host<L> as Summand>::Sum
/// where
///     Host<L>: Summand,
/// {
///     x.total()
/// }
///
/// assert_eq!(total(&<tiled!(s8[3])>::pack(&[100; 3])?), 300);
/// assert_eq!(total(&<tiled!(pred[3])>::pack(&[true, false, true])?), 2);
/// # Ok::<(), tensor_layout::PackError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "the elements are not known to have sums: their host type is `{Self}`",
    label = "this function does not require that elements have sums",
    note = "a function for layouts of many element types has the bound `Host<L>: tensor_layout::compute::Summand`; for `f32` alone it is `L: Layout<Element = F32>`"
)]
pub trait Summand: HostValue {
    /// The type of sums: `f32` for floats of up to 32 bits, `i64` and `u64` for integers, a count for `bool`.
    type Sum: Copy + Default + PartialEq + Debug;
    /// The type of means: a float, or complex.
    type Mean: Copy + Default + PartialEq + Debug;
    /// The type in which at most 256 elements are added up.
    #[doc(hidden)]
    type Lane: Plus;
    /// The type in which such sums are added up.
    #[doc(hidden)]
    type Total: Plus;
    /// As `Lane`, for means, which do not wrap.
    #[doc(hidden)]
    type MeanLane: Plus;
    /// As `Total`, for means.
    #[doc(hidden)]
    type MeanTotal: Plus;
    #[doc(hidden)]
    fn lane(x: Self) -> Self::Lane;
    #[doc(hidden)]
    fn carry(lane: Self::Lane) -> Self::Total;
    #[doc(hidden)]
    fn sum(total: Self::Total) -> Self::Sum;
    #[doc(hidden)]
    fn mean_lane(x: Self) -> Self::MeanLane;
    #[doc(hidden)]
    fn mean_carry(lane: Self::MeanLane) -> Self::MeanTotal;
    #[doc(hidden)]
    fn mean(total: Self::MeanTotal, count: usize) -> Self::Mean;
}

macro_rules! summand {
    ($($($H:ty)+: $Lane:ty => $Total:ty => $Sum:ty, mean $MeanLane:ty => $MeanTotal:ty => $Mean:ty, $x:ident => $lane:expr;)*) => { $( $(
        impl Summand for $H {
            type Sum = $Sum;
            type Mean = $Mean;
            type Lane = $Lane;
            type Total = $Total;
            type MeanLane = $MeanLane;
            type MeanTotal = $MeanTotal;
            #[inline(always)]
            fn lane($x: Self) -> $Lane {
                $lane
            }
            #[inline(always)]
            fn carry(lane: $Lane) -> $Total {
                lane.into()
            }
            fn sum(total: $Total) -> $Sum {
                total as $Sum
            }
            #[inline(always)]
            fn mean_lane(x: Self) -> Self::MeanLane {
                Self::lane(x).into()
            }
            #[inline(always)]
            fn mean_carry(lane: Self::MeanLane) -> Self::MeanTotal {
                lane.into()
            }
            fn mean(total: Self::MeanTotal, count: usize) -> $Mean {
                (total as f64 / count as f64) as $Mean
            }
        }
    )+ )* };
}
// The element types, then the types of lanes, totals and sums, and those of means, whose totals do not wrap.
summand! {
    f32: f32 => f64 => f32, mean f32 => f64 => f32, x => x;
    bf16: f32 => f64 => f32, mean f32 => f64 => f32, x => widen_bf16(x);
    f16: f32 => f64 => f32, mean f32 => f64 => f32, x => widen_f16(x);
    f8e5m2 f8e4m3 f8e4m3fn f8e4m3b11fnuz f8e3m4 f8e5m2fnuz f8e4m3fnuz f8e8m0fnu f4e2m1fn f6e3m2fn f6e2m3fn:
        f32 => f64 => f32, mean f32 => f64 => f32, x => x.to_f32();
    f64: f64 => f64 => f64, mean f64 => f64 => f64, x => x;
    i8 i16: i32 => i64 => i64, mean i32 => i64 => f64, x => x.into();
    i32: i64 => i64 => i64, mean i64 => i64 => f64, x => x.into();
    i64: i64 => i64 => i64, mean i128 => i128 => f64, x => x;
    bool u8 u16: u32 => u64 => u64, mean u32 => u64 => f64, x => x.into();
    u32: u64 => u64 => u64, mean u64 => u64 => f64, x => x.into();
    u64: u64 => u64 => u64, mean u128 => u128 => f64, x => x;
}

macro_rules! complex {
    ($($T:ty)*) => { $(
        impl Summand for Complex<$T> {
            type Sum = Self;
            type Mean = Self;
            type Lane = Self;
            type Total = Complex<f64>;
            type MeanLane = Self;
            type MeanTotal = Complex<f64>;
            #[inline(always)]
            fn lane(x: Self) -> Self {
                x
            }
            #[inline(always)]
            fn carry(lane: Self) -> Complex<f64> {
                Complex::new(lane.re.into(), lane.im.into())
            }
            fn sum(total: Complex<f64>) -> Self {
                Self::new(total.re as $T, total.im as $T)
            }
            #[inline(always)]
            fn mean_lane(x: Self) -> Self {
                x
            }
            #[inline(always)]
            fn mean_carry(lane: Self) -> Complex<f64> {
                Self::carry(lane)
            }
            fn mean(total: Complex<f64>, count: usize) -> Self {
                <Self as Summand>::sum(total / count as f64)
            }
        }
    )* };
}
complex! { f32 f64 }

/// A host value that has an order: all but complex numbers. A NaN is greater than all numbers.
///
/// ```
/// use tensor_layout::compute::Ordered;
/// use tensor_layout::{Host, Layout, Packed, tiled};
///
/// /// The largest element of each row.
/// fn largest<L: Layout<Index = [usize; 2]>>(x: &Packed<L>) -> Vec<Host<L>>
/// where
///     Host<L>: Ordered,
/// {
///     x.max(&[1])
/// }
///
/// assert_eq!(largest(&<tiled!(s8[2,2])>::pack(&[-1, 5, 3, 2])?), [5, 3]);
/// # Ok::<(), tensor_layout::PackError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "the elements are not known to have an order: their host type is `{Self}`",
    label = "extrema are for types with an order, which complex numbers do not have",
    note = "a function for layouts of many element types has the bound `Host<L>: tensor_layout::compute::Ordered`; for `f32` alone it is `L: Layout<Element = F32>`"
)]
pub trait Ordered: HostValue {
    /// A type that is fast to compare and has all values.
    #[doc(hidden)]
    type Wide: Copy;
    #[doc(hidden)]
    const LOWEST: Self::Wide;
    #[doc(hidden)]
    const HIGHEST: Self::Wide;
    /// Whether keys have 32 bits.
    #[doc(hidden)]
    const SHORT_KEYS: bool;
    #[doc(hidden)]
    fn widen(x: Self) -> Self::Wide;
    #[doc(hidden)]
    fn narrow(wide: Self::Wide) -> Self;
    #[doc(hidden)]
    fn larger(a: Self::Wide, b: Self::Wide) -> Self::Wide;
    #[doc(hidden)]
    fn smaller(a: Self::Wide, b: Self::Wide) -> Self::Wide;
    /// A number with the same order; equal values have equal numbers.
    #[doc(hidden)]
    fn key(x: Self) -> i64;
    /// A number with the reverse order, except that NaN is greater than all numbers here too.
    #[doc(hidden)]
    fn reverse_key(x: Self) -> i64;
    /// The nearest `f64`.
    #[doc(hidden)]
    fn to_f64(x: Self) -> f64;
}

macro_rules! floats {
    ($($($H:ty)+: $Wide:ty, key $Key:ty, $x:ident => $widen:expr, $w:ident => $narrow:expr;)*) => { $( $(
        impl Ordered for $H {
            type Wide = $Wide;
            const LOWEST: $Wide = <$Wide>::NEG_INFINITY;
            const HIGHEST: $Wide = <$Wide>::INFINITY;
            const SHORT_KEYS: bool = <$Key>::BITS == 32;
            #[inline(always)]
            fn widen($x: Self) -> $Wide {
                $widen
            }
            fn narrow($w: $Wide) -> Self {
                $narrow
            }
            #[inline(always)]
            fn larger(a: $Wide, b: $Wide) -> $Wide {
                if b > a || b.is_nan() { b } else { a }
            }
            #[inline(always)]
            fn smaller(a: $Wide, b: $Wide) -> $Wide {
                if b < a || b.is_nan() { b } else { a }
            }
            #[inline(always)]
            fn key(x: Self) -> i64 {
                // Adding zero makes the two zeros equal.
                let wide = Self::widen(x) + 0.0;
                let bits = wide.to_bits() as $Key;
                let ordered = bits ^ (bits >> (<$Key>::BITS - 1) & <$Key>::MAX);
                (if wide.is_nan() { <$Key>::MAX } else { ordered }).into()
            }
            #[inline(always)]
            fn reverse_key(x: Self) -> i64 {
                let key = Self::key(x);
                if key == i64::from(<$Key>::MAX) { key } else { !key }
            }
            #[inline(always)]
            fn to_f64(x: Self) -> f64 {
                Self::widen(x).into()
            }
        }
    )+ )* };
}
floats! {
    f32: f32, key i32, x => x, w => w;
    bf16: f32, key i32, x => widen_bf16(x), w => narrow_bf16(w);
    f16: f32, key i32, x => widen_f16(x), w => narrow_f16(w);
    f8e4m3fn: f32, key i32, x => x.to_f32(), w => narrow_f8e4m3fn(w);
    f8e5m2 f8e4m3 f8e4m3b11fnuz f8e3m4 f8e5m2fnuz f8e4m3fnuz f8e8m0fnu f4e2m1fn f6e3m2fn f6e2m3fn:
        f32, key i32, x => x.to_f32(), w => Self::from_f32(w);
    f64: f64, key i64, x => x, w => w;
}

macro_rules! integers {
    ($($H:ty: $lowest:expr, $highest:expr, $short:literal, $x:ident => $key:expr;)*) => { $(
        impl Ordered for $H {
            type Wide = Self;
            const LOWEST: Self = $lowest;
            const HIGHEST: Self = $highest;
            const SHORT_KEYS: bool = $short;
            #[inline(always)]
            fn widen(x: Self) -> Self {
                x
            }
            fn narrow(wide: Self) -> Self {
                wide
            }
            #[inline(always)]
            fn larger(a: Self, b: Self) -> Self {
                a.max(b)
            }
            #[inline(always)]
            fn smaller(a: Self, b: Self) -> Self {
                a.min(b)
            }
            #[inline(always)]
            fn key($x: Self) -> i64 {
                $key
            }
            #[inline(always)]
            fn reverse_key(x: Self) -> i64 {
                !Self::key(x)
            }
            #[inline(always)]
            fn to_f64(x: Self) -> f64 {
                x as i128 as f64
            }
        }
    )* };
}
integers! {
    bool: false, true, true, x => x.into();
    i8: Self::MIN, Self::MAX, true, x => x.into();
    i16: Self::MIN, Self::MAX, true, x => x.into();
    i32: Self::MIN, Self::MAX, true, x => x.into();
    i64: Self::MIN, Self::MAX, false, x => x;
    u8: 0, Self::MAX, true, x => x.into();
    u16: 0, Self::MAX, true, x => x.into();
    u32: 0, Self::MAX, true, x => i64::from(x) + i64::from(i32::MIN);
    u64: 0, Self::MAX, false, x => (x ^ 1 << 63) as i64;
}
