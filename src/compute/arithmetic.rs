//! Arithmetic of elements as XLA defines it, and the operators of arrays.

use super::reduce::{Ordered, Summand};
use crate::typed::packed::Packed;
use crate::typed::{Host, Layout, SameElement, SameShape};
use core::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Sub, SubAssign};
use half::{bf16, f16};
use layout_core::dtype::float::round_to_odd;
use microfloat::*;
use num_complex::Complex;

/// A host value on which arrays have operators: all but `bool`.
///
/// As in XLA, integers wrap, and an integer divided by zero has all bits set. Floats narrower than 32 bits are computed in
/// `f32` and rounded once.
///
/// ```
/// use tensor_layout::compute::Arithmetic;
/// use tensor_layout::{Host, Layout, Packed, tiled};
///
/// fn square<L: Layout>(x: &Packed<L>) -> Packed<L>
/// where
///     Host<L>: Arithmetic,
/// {
///     x * x
/// }
///
/// let x = <tiled!(s8[3])>::pack(&[3, -4, 16])?;
/// assert_eq!(square(&x).unpack(), [9, 16, 0]);                    // 256 wraps
/// # Ok::<(), tensor_layout::PackError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "the elements are not known to be numbers: their host type is `{Self}`",
    label = "arithmetic is for numbers",
    note = "`x.convert::<M>(u8::from)` makes an array of numbers",
    note = "a function for layouts of many element types has the bound `Host<L>: tensor_layout::compute::Arithmetic`; for `f32` alone it is `L: Layout<Element = F32>`"
)]
pub trait Arithmetic: Summand {
    #[doc(hidden)]
    fn add(a: Self, b: Self) -> Self;
    #[doc(hidden)]
    fn sub(a: Self, b: Self) -> Self;
    #[doc(hidden)]
    fn mul(a: Self, b: Self) -> Self;
    #[doc(hidden)]
    fn div(a: Self, b: Self) -> Self;
    /// The element nearest to a sum.
    #[doc(hidden)]
    fn rounded(total: Self::Total) -> Self;
}

macro_rules! floats {
    ($($($H:ty)+: $total:ident => $rounded:expr;)*) => { $( $(
        #[diagnostic::do_not_recommend]
        impl Arithmetic for $H {
            #[inline(always)]
            fn add(a: Self, b: Self) -> Self {
                Self::narrow(Self::widen(a) + Self::widen(b))
            }
            #[inline(always)]
            fn sub(a: Self, b: Self) -> Self {
                Self::narrow(Self::widen(a) - Self::widen(b))
            }
            #[inline(always)]
            fn mul(a: Self, b: Self) -> Self {
                Self::narrow(Self::widen(a) * Self::widen(b))
            }
            #[inline(always)]
            fn div(a: Self, b: Self) -> Self {
                Self::narrow(Self::widen(a) / Self::widen(b))
            }
            #[inline(always)]
            fn rounded($total: f64) -> Self {
                $rounded
            }
        }
    )+ )* };
}
floats! {
    f32 f64: total => total as Self;
    // The nearest `f32` would be rounded a second time.
    bf16 f16 f8e5m2 f8e4m3 f8e4m3fn f8e4m3b11fnuz f8e3m4 f8e5m2fnuz f8e4m3fnuz f8e8m0fnu f4e2m1fn f6e3m2fn f6e2m3fn:
        total => Self::narrow(round_to_odd(total));
}

macro_rules! integers {
    ($($H:ty)*) => { $(
        #[diagnostic::do_not_recommend]
        impl Arithmetic for $H {
            #[inline(always)]
            fn add(a: Self, b: Self) -> Self {
                a.wrapping_add(b)
            }
            #[inline(always)]
            fn sub(a: Self, b: Self) -> Self {
                a.wrapping_sub(b)
            }
            #[inline(always)]
            fn mul(a: Self, b: Self) -> Self {
                a.wrapping_mul(b)
            }
            #[inline(always)]
            fn div(a: Self, b: Self) -> Self {
                if b == 0 { !0 } else { a.wrapping_div(b) }
            }
            #[inline(always)]
            fn rounded(total: Self::Total) -> Self {
                total as Self
            }
        }
    )* };
}
integers! { i8 i16 i32 i64 u8 u16 u32 u64 }

macro_rules! complex {
    ($($T:ty)*) => { $(
        #[diagnostic::do_not_recommend]
        impl Arithmetic for Complex<$T> {
            #[inline(always)]
            fn add(a: Self, b: Self) -> Self {
                a + b
            }
            #[inline(always)]
            fn sub(a: Self, b: Self) -> Self {
                a - b
            }
            #[inline(always)]
            fn mul(a: Self, b: Self) -> Self {
                a * b
            }
            /// By Smith's method, in which no square can overflow, with the quotients by zero and of infinities that XLA and MLIR
            /// have.
            #[inline(always)]
            fn div(a: Self, b: Self) -> Self {
                let quotient = if b.re.abs() >= b.im.abs() {
                    let ratio = b.im / b.re;
                    let by = b.re + b.im * ratio;
                    Self::new((a.re + a.im * ratio) / by, (a.im - a.re * ratio) / by)
                } else {
                    let ratio = b.re / b.im;
                    let by = b.re * ratio + b.im;
                    Self::new((a.re * ratio + a.im) / by, (a.im * ratio - a.re) / by)
                };
                if !quotient.re.is_nan() || !quotient.im.is_nan() {
                    return quotient;
                }
                // The direction of a number with an infinite part: 1 for each such part, and 0 for the other one.
                let unit = |x: $T| (if x.is_infinite() { 1.0 } else { 0.0 } as $T).copysign(x);
                let direction = |z: Self| Self::new(unit(z.re), unit(z.im));
                let is_infinite = |z: Self| z.re.is_infinite() || z.im.is_infinite();
                let is_finite = |z: Self| z.re.is_finite() && z.im.is_finite();
                let (a, b, by) = if b.re == 0.0 && b.im == 0.0 {
                    let infinity = <$T>::INFINITY.copysign(b.re);
                    return Self::new(a.re * infinity, a.im * infinity);
                } else if is_infinite(a) && is_finite(b) {
                    (direction(a), b, <$T>::INFINITY)
                } else if is_infinite(b) && is_finite(a) {
                    (a, direction(b), 0.0)
                } else {
                    return quotient;
                };
                Self::new(by * (a.re * b.re + a.im * b.im), by * (a.im * b.re - a.re * b.im))
            }
            fn rounded(total: Complex<f64>) -> Self {
                <Self as Summand>::sum(total)
            }
        }
    )* };
}
complex! { f32 f64 }

/// The right side of an operator of an array of the layout `L`: an array of the same shape and element type in any layout, or a
/// number of the element type.
///
/// ```
/// use tensor_layout::{Layout, tiled, tpu};
/// let x = <tpu!(f32[2,3])>::pack(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0])?;
/// let row_major = <tiled!(f32[2,3])>::pack(&[10.0; 6])?;
/// assert_eq!((&x + &row_major).get([1, 2]), 16.0);                // an array in another layout
/// assert_eq!((&x * 2.0).get([1, 2]), 12.0);                       // a number
/// # Ok::<(), tensor_layout::PackError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is neither a number of the element type of this array nor an array",
    label = "expected a number of the element type, such as `1.0` for `f32`, or an array of the same shape",
    note = "`x.map(|x| ..)` computes any function of each element, and `x.zip_broadcast(&[1], &row, |x, y| x + y)` adds a row",
    note = "`x.convert::<M>(|x| ..)` makes an array of another element type"
)]
pub trait Elementwise<L: Layout> {
    #[doc(hidden)]
    fn combined(self, left: &Packed<L>, f: impl Fn(Host<L>, Host<L>) -> Host<L>) -> Packed<L>;
    #[doc(hidden)]
    fn combine_in_place(self, left: &mut Packed<L>, f: impl Fn(Host<L>, Host<L>) -> Host<L>);
}

impl<L: Layout, M> Elementwise<L> for &Packed<M>
where
    M: Layout<Element: SameElement<<L as Layout>::Element>, Shape: SameShape<<L as Layout>::Shape>>,
{
    fn combined(self, left: &Packed<L>, f: impl Fn(Host<L>, Host<L>) -> Host<L>) -> Packed<L> {
        left.zip(self, f)
    }

    fn combine_in_place(self, left: &mut Packed<L>, f: impl Fn(Host<L>, Host<L>) -> Host<L>) {
        left.zip_in_place(self, f);
    }
}

#[diagnostic::do_not_recommend]
impl<L: Layout, M> Elementwise<L> for Packed<M>
where
    M: Layout<Element: SameElement<<L as Layout>::Element>, Shape: SameShape<<L as Layout>::Shape>>,
{
    fn combined(self, left: &Packed<L>, f: impl Fn(Host<L>, Host<L>) -> Host<L>) -> Packed<L> {
        (&self).combined(left, f)
    }

    fn combine_in_place(self, left: &mut Packed<L>, f: impl Fn(Host<L>, Host<L>) -> Host<L>) {
        (&self).combine_in_place(left, f);
    }
}

macro_rules! operators {
    ($($Operator:ident $method:ident, $Assign:ident $assign:ident, $sign:literal;)*) => { $(
        #[doc = concat!("`&a ", $sign, " &b` and `&a ", $sign, " x`, element by element; see \
                         [`PackedRef::try_zip`](crate::PackedRef::try_zip) for a lack of memory as an error.")]
        impl<L: Layout, R: Elementwise<L>> $Operator<R> for &Packed<L>
        where
            Host<L>: Arithmetic,
        {
            type Output = Packed<L>;
            fn $method(self, right: R) -> Packed<L> {
                right.combined(self, Arithmetic::$method)
            }
        }

        #[doc = concat!("`a ", $sign, " &b` and `a ", $sign, " x`, in the memory of `a`.")]
        impl<L: Layout, R: Elementwise<L>> $Operator<R> for Packed<L>
        where
            Host<L>: Arithmetic,
        {
            type Output = Packed<L>;
            fn $method(mut self, right: R) -> Packed<L> {
                right.combine_in_place(&mut self, Arithmetic::$method);
                self
            }
        }

        #[doc = concat!("`a ", $sign, "= &b` and `a ", $sign, "= x`, element by element.")]
        impl<L: Layout, R: Elementwise<L>> $Assign<R> for Packed<L>
        where
            Host<L>: Arithmetic,
        {
            fn $assign(&mut self, right: R) {
                right.combine_in_place(self, Arithmetic::$method);
            }
        }
    )* };
}
operators! {
    Add add, AddAssign add_assign, "+";
    Sub sub, SubAssign sub_assign, "-";
    Mul mul, MulAssign mul_assign, "*";
    Div div, DivAssign div_assign, "/";
}

/// Numbers on either side of an operator.
macro_rules! numbers {
    ($($H:ty)*) => { $(
        #[diagnostic::do_not_recommend]
        impl<L: Layout<Element: crate::Element<Host = $H>>> Elementwise<L> for $H {
            fn combined(self, left: &Packed<L>, f: impl Fn($H, $H) -> $H) -> Packed<L> {
                left.map(|x| f(x, self))
            }

            fn combine_in_place(self, left: &mut Packed<L>, f: impl Fn($H, $H) -> $H) {
                left.map_in_place(|x| f(x, self));
            }
        }

        numbers! { @left $H: Add add "+", Sub sub "-", Mul mul "*", Div div "/" }
    )* };
    (@left $H:ty: $($Operator:ident $method:ident $sign:literal),*) => { $(
        #[doc = concat!("`x ", $sign, " &a`, for each element.")]
        #[diagnostic::do_not_recommend]
        impl<L: Layout<Element: crate::Element<Host = $H>>> $Operator<&Packed<L>> for $H {
            type Output = Packed<L>;
            fn $method(self, array: &Packed<L>) -> Packed<L> {
                array.map(|x| Arithmetic::$method(self, x))
            }
        }

        #[doc = concat!("`x ", $sign, " a`, for each element, in the memory of `a`.")]
        #[diagnostic::do_not_recommend]
        impl<L: Layout<Element: crate::Element<Host = $H>>> $Operator<Packed<L>> for $H {
            type Output = Packed<L>;
            fn $method(self, mut array: Packed<L>) -> Packed<L> {
                array.map_in_place(|x| Arithmetic::$method(self, x));
                array
            }
        }
    )* };
}
numbers! {
    f32 f64 bf16 f16 f8e5m2 f8e4m3 f8e4m3fn f8e4m3b11fnuz f8e3m4 f8e5m2fnuz f8e4m3fnuz f8e8m0fnu f4e2m1fn f6e3m2fn f6e2m3fn
    i8 i16 i32 i64 u8 u16 u32 u64 Complex<f32> Complex<f64>
}
