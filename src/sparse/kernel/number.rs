//! The operations of kernels on elements.

use crate::compute::Arithmetic;
use crate::sparse::SparseElement;
use half::{bf16, f16};
use layout_core::dtype::float::{bf16_from_f64, f16_from_f64};
use num_complex::Complex;

/// An element with which kernels can compute.
///
/// Kernels compute in [`SparseElement::Wide`]: each value is widened when it is read, and narrowed once when the output is written.
/// So `f16` and `bf16` are summed in `f32`, and intermediate results of values of 8 and 16 bits do not overflow. Whole numbers wrap
/// around: those of 32 and 64 bits at each operation, narrower ones when they are written. Dividing a whole number by zero results
/// in zero. `bool` is 0 or 1 in computations, and every nonzero value is true when it is written.
///
/// ```
/// use tensor_layout::sparsify::Number;
///
/// fn average<T: Number>(a: T, b: T) -> T {
///     a.plus(b).over(T::ONE.plus(T::ONE))
/// }
/// assert_eq!((average(1.0, 2.0), average(4_i32, 8)), (1.5, 6));
/// assert_eq!(7_i32.over(0), 0);
/// ```
#[diagnostic::on_unimplemented(
    message = "kernels cannot compute with `{Self}`",
    note = "elements are `bool`, `f16`, `bf16`, `f32`, `f64`, whole numbers of 8 to 64 bits, or `Complex`"
)]
pub trait Number: SparseElement {
    /// The start of a product, and the value of a comparison that holds.
    const ONE: Self;
    /// The smallest and the largest whole number that can be written in a statement.
    #[doc(hidden)]
    const WHOLE: (i64, i64) = (i64::MIN, i64::MAX);
    /// Whether a number with a fraction can be written in a statement.
    #[doc(hidden)]
    const FRACTIONS: bool = true;
    /// The largest absolute value of a number with a fraction that becomes zero, and the smallest one that becomes infinite.
    #[doc(hidden)]
    const LOST: (f64, f64) = (0.0, f64::INFINITY);
    /// The difference.
    #[must_use]
    fn minus(self, other: Self) -> Self;
    /// The product.
    #[must_use]
    fn times(self, other: Self) -> Self;
    /// The quotient.
    #[must_use]
    fn over(self, other: Self) -> Self;
    /// The product added to a sum: for `f32` and `f64`, with one rounding, which takes long on CPUs without an instruction for it.
    #[doc(hidden)]
    #[must_use]
    #[inline(always)]
    fn times_plus(self, factor: Self, sum: Self) -> Self {
        self.times(factor).plus(sum)
    }
    /// The number of an index.
    fn from_index(index: i64) -> Self;
    /// The element nearest to a number as written.
    fn from_f64(number: f64) -> Self;
    /// The number with its sign changed.
    #[must_use]
    fn negated(self) -> Self {
        Self::ZERO.minus(self)
    }
}

/// Elements that have an order. If there is a NaN among the values, in any position, their smallest and their largest value are
/// NaN. Zeros of both signs are equal.
///
/// ```
/// use tensor_layout::sparsify::Ordered;
///
/// fn largest<T: Ordered>(values: &[T]) -> T {
///     values.iter().fold(T::LEAST, |most, value| Ordered::max(most, *value))
/// }
/// assert_eq!(largest(&[1.0, 3.0, 2.0]), 3.0);
/// assert!(largest(&[1.0, f64::NAN, 2.0]).is_nan());
/// ```
#[diagnostic::on_unimplemented(
    message = "values of `{Self}` have no order, so there is no least or largest one"
)]
pub trait Ordered: Number + PartialOrd {
    /// The start of a maximum.
    const LEAST: Self;
    /// The start of a minimum.
    const LARGEST: Self;
    /// The absolute value.
    #[must_use]
    fn abs(self) -> Self;
    /// -1, 0 or 1.
    #[must_use]
    fn signum(self) -> Self;

    /// Whether it is not a number.
    #[inline(always)]
    fn is_nan(self) -> bool {
        false
    }

    /// The smaller one; NaN if one of them is NaN.
    #[inline(always)]
    #[must_use]
    fn min(self, other: Self) -> Self {
        if other < self || Ordered::is_nan(other) { other } else { self }
    }

    /// The larger one; NaN if one of them is NaN.
    #[inline(always)]
    #[must_use]
    fn max(self, other: Self) -> Self {
        if other > self || Ordered::is_nan(other) { other } else { self }
    }

    /// Reduces two values by `min=`: the smaller of the two after narrowing to elements.
    #[inline(always)]
    #[must_use]
    fn least_of(a: Self::Wide, b: Self::Wide) -> Self::Wide {
        Ordered::min(Self::narrow(a), Self::narrow(b)).widen()
    }

    /// Reduces two values by `max=`: the larger of the two after narrowing to elements.
    #[inline(always)]
    #[must_use]
    fn largest_of(a: Self::Wide, b: Self::Wide) -> Self::Wide {
        Ordered::max(Self::narrow(a), Self::narrow(b)).widen()
    }
}

/// The value of a condition.
///
/// ```
/// use tensor_layout::sparsify::truth;
/// assert_eq!((truth::<f64>(true), truth::<i32>(false)), (1.0, 0));
/// ```
#[inline(always)]
pub fn truth<T: Number>(holds: bool) -> T {
    if holds { T::ONE } else { T::ZERO }
}

/// 1/2 to the power of `times`.
const fn half_power(times: u64) -> f64 {
    f64::from_bits((1023 - times) << 52)
}

macro_rules! floats {
    ($($T:ident $one:expr, $from:expr, $whole:expr, $lost:expr $(, $fused:path)?;)*) => { $(
        impl Number for $T {
            const ONE: Self = $one;
            const WHOLE: (i64, i64) = (-$whole, $whole);
            const LOST: (f64, f64) = $lost;
            #[inline(always)]
            fn minus(self, other: Self) -> Self {
                self - other
            }
            #[inline(always)]
            fn times(self, other: Self) -> Self {
                self * other
            }
            #[inline(always)]
            fn over(self, other: Self) -> Self {
                self / other
            }
            $(
                #[cfg(feature = "std")]
                #[inline(always)]
                fn times_plus(self, factor: Self, sum: Self) -> Self {
                    $fused(self, factor, sum)
                }
            )?
            #[inline(always)]
            fn from_index(index: i64) -> Self {
                Self::from_f64(index as f64)
            }
            #[inline(always)]
            fn from_f64(number: f64) -> Self {
                $from(number)
            }
            #[inline(always)]
            fn negated(self) -> Self {
                -self
            }
        }

        #[diagnostic::do_not_recommend]
        impl Ordered for $T {
            const LEAST: Self = $T::NEG_INFINITY;
            const LARGEST: Self = $T::INFINITY;
            #[inline(always)]
            fn abs(self) -> Self {
                if self < Self::ZERO { -self } else { self + Self::ZERO }
            }
            #[inline(always)]
            fn signum(self) -> Self {
                if self > Self::ZERO {
                    Self::ONE
                } else if self < Self::ZERO {
                    -Self::ONE
                } else {
                    self
                }
            }
            #[inline(always)]
            fn is_nan(self) -> bool {
                $T::is_nan(self)
            }
            // Rounding preserves the order, so rounding once at the end is enough.
            #[inline(always)]
            fn least_of(a: Self::Wide, b: Self::Wide) -> Self::Wide {
                Ordered::min(a, b)
            }
            #[inline(always)]
            fn largest_of(a: Self::Wide, b: Self::Wide) -> Self::Wide {
                Ordered::max(a, b)
            }
        }
    )* };
}
floats! {
    f16 f16::ONE, f16_from_f64, 65_519, (half_power(25), 65_520.0);
    bf16 bf16::ONE, bf16_from_f64, i64::MAX, (half_power(134), (2.0 - half_power(8)) / half_power(127));
    f32 1.0, |number| number as f32, i64::MAX, (half_power(150), (2.0 - half_power(24)) / half_power(127)), f32::mul_add;
    f64 1.0, |number| number, i64::MAX, (0.0, f64::INFINITY), f64::mul_add;
}

macro_rules! integers {
    ($($T:ident)*) => { $(
        impl Number for $T {
            const ONE: Self = 1;
            const WHOLE: (i64, i64) =
                ($T::MIN as i64, if $T::MAX as u64 > i64::MAX as u64 { i64::MAX } else { $T::MAX as i64 });
            const FRACTIONS: bool = false;
            #[inline(always)]
            fn minus(self, other: Self) -> Self {
                self.wrapping_sub(other)
            }
            #[inline(always)]
            fn times(self, other: Self) -> Self {
                self.wrapping_mul(other)
            }
            #[inline(always)]
            fn over(self, other: Self) -> Self {
                if other == 0 { 0 } else { self.wrapping_div(other) }
            }
            #[inline(always)]
            fn from_index(index: i64) -> Self {
                index as Self
            }
            #[inline(always)]
            fn from_f64(number: f64) -> Self {
                number as Self
            }
        }

        #[diagnostic::do_not_recommend]
        impl Ordered for $T {
            const LEAST: Self = $T::MIN;
            const LARGEST: Self = $T::MAX;
            #[inline(always)]
            #[allow(unused_comparisons, reason = "unsigned numbers are here too")]
            fn abs(self) -> Self {
                if self < 0 { self.negated() } else { self }
            }
            #[inline(always)]
            #[allow(unused_comparisons, reason = "unsigned numbers are here too")]
            fn signum(self) -> Self {
                match self {
                    0 => 0,
                    _ if self < 0 => Self::ZERO.minus(1),
                    _ => 1,
                }
            }
        }
    )* };
}
integers! { i8 i16 i32 i64 u8 u16 u32 u64 }

impl Number for bool {
    const ONE: Self = true;
    const WHOLE: (i64, i64) = (0, 1);
    const FRACTIONS: bool = false;
    /// Whether they differ.
    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        self != other
    }
    #[inline(always)]
    fn times(self, other: Self) -> Self {
        self & other
    }
    #[inline(always)]
    fn over(self, other: Self) -> Self {
        self & other
    }
    #[inline(always)]
    fn from_index(index: i64) -> Self {
        index != 0
    }
    #[inline(always)]
    fn from_f64(number: f64) -> Self {
        number != 0.0
    }
}

#[diagnostic::do_not_recommend]
impl Ordered for bool {
    const LEAST: Self = false;
    const LARGEST: Self = true;
    #[inline(always)]
    fn abs(self) -> Self {
        self
    }
    #[inline(always)]
    fn signum(self) -> Self {
        self
    }
}

macro_rules! complexes {
    ($($T:ident)*) => { $(
        impl Number for Complex<$T> {
            const ONE: Self = Complex::new(1.0, 0.0);
            #[inline(always)]
            fn minus(self, other: Self) -> Self {
                self - other
            }
            #[inline(always)]
            fn times(self, other: Self) -> Self {
                self * other
            }
            #[inline(always)]
            fn over(self, other: Self) -> Self {
                Arithmetic::div(self, other)
            }
            #[inline(always)]
            fn from_index(index: i64) -> Self {
                Complex::new(index as $T, 0.0)
            }
            #[inline(always)]
            fn from_f64(number: f64) -> Self {
                Complex::new(number as $T, 0.0)
            }
        }
    )* };
}
complexes! { f32 f64 }

/// Functions of real numbers, with the names that Rust's floats use.
///
/// ```
/// use tensor_layout::sparsify::Real;
///
/// fn sigmoid<T: Real>(x: T) -> T {
///     T::ONE.over(T::ONE.plus(Real::exp(x.negated())))
/// }
/// assert_eq!(sigmoid(0.0), 0.5);
/// ```
#[cfg(feature = "std")]
#[diagnostic::on_unimplemented(message = "`{Self}` has no functions of real numbers")]
#[allow(missing_docs, reason = "named as the methods of Rust's floats are")]
pub trait Real: Ordered {
    fn sqrt(self) -> Self;
    fn exp(self) -> Self;
    fn exp2(self) -> Self;
    fn exp_m1(self) -> Self;
    fn ln(self) -> Self;
    fn ln_1p(self) -> Self;
    fn log2(self) -> Self;
    fn log10(self) -> Self;
    fn sin(self) -> Self;
    fn cos(self) -> Self;
    fn tan(self) -> Self;
    fn asin(self) -> Self;
    fn atan(self) -> Self;
    fn sinh(self) -> Self;
    fn cosh(self) -> Self;
    fn tanh(self) -> Self;
    fn ceil(self) -> Self;
    fn floor(self) -> Self;
    fn round(self) -> Self;
    fn trunc(self) -> Self;
    fn recip(self) -> Self;
    fn pow(self, exponent: Self) -> Self;
}

#[cfg(feature = "std")]
macro_rules! reals {
    ($($T:ident $into:expr, $from:expr;)*) => { $(
        impl Real for $T {
            reals! { @ $into, $from, sqrt exp exp2 exp_m1 ln ln_1p log2 log10 sin cos tan asin atan sinh cosh tanh ceil floor
                round trunc recip }
            #[inline(always)]
            fn pow(self, exponent: Self) -> Self {
                $from($into(self).powf($into(exponent)))
            }
        }
    )* };
    (@ $into:expr, $from:expr, $($f:ident)*) => { $(
        #[inline(always)]
        fn $f(self) -> Self {
            $from($into(self).$f())
        }
    )* };
}
#[cfg(feature = "std")]
reals! {
    f32 |x: f32| x, |x: f32| x; f64 |x: f64| x, |x: f64| x;
    f16 f16::to_f32, f16::from_f32; bf16 bf16::to_f32, bf16::from_f32;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_neither_overflow_nor_divide_by_zero() {
        assert_eq!((i8::MIN.negated(), i8::MIN.over(-1), 5i8.over(0)), (i8::MIN, i8::MIN, 0));
        assert_eq!((200u8.times(2), 3u8.minus(5), Ordered::abs(-3i32)), (144, 254, 3));
        assert_eq!(
            (Ordered::signum(-7i64), Ordered::signum(0u8), Ordered::signum(9u8)),
            (-1, 0, 1)
        );
    }

    #[test]
    fn floats_have_signs() {
        assert_eq!((Ordered::signum(-0.5f64), Ordered::signum(0.0f32)), (-1.0, 0.0));
        assert!(Ordered::abs(-0.0f64).is_sign_positive());
        assert_eq!(Real::pow(bf16::from_f32(2.0), bf16::from_f32(3.0)), bf16::from_f32(8.0));
        assert_eq!((Ordered::max(1.0, 2.0), Ordered::min(1.0, 2.0)), (2.0, 1.0));
    }

    #[test]
    fn the_least_and_the_largest_of_values_with_nan_is_nan() {
        for (a, b) in [(f32::NAN, 1.0), (1.0, f32::NAN), (f32::NAN, f32::INFINITY)] {
            assert!(Ordered::min(a, b).is_nan() && Ordered::max(a, b).is_nan());
            let (a, b) = (f16::from_f32(a), f16::from_f32(b));
            assert!(Ordered::min(a, b).is_nan() && Ordered::max(a, b).is_nan());
            assert!(f16::least_of(a.widen(), b.widen()).is_nan());
        }
    }

    #[test]
    fn complex_numbers_are_divided_without_overflow() {
        let number = |re: f64, im: f64| Complex::new(re, im);
        assert_eq!(number(1.0, 2.0).over(number(0.0, 1.0)), number(2.0, -1.0));
        assert_eq!(number(5.0, 10.0).over(number(3.0, 4.0)), number(2.2, 0.4));
        assert_eq!(number(1e200, 0.0).over(number(1e200, 0.0)), number(1.0, 0.0));
        assert_eq!(number(1e-200, 1e-200).over(number(1e-200, 1e-200)), number(1.0, 0.0));
        assert_eq!(number(0.0, 1e300).over(number(0.0, 1e300)), number(1.0, 0.0));
        let none = Complex::<f64>::ZERO;
        assert!(
            number(1.0, 0.0).over(none).re == f64::INFINITY && none.over(number(1.0, 1.0)) == none
        );
        assert!(none.over(none).re.is_nan());
    }

    #[test]
    fn what_is_compared_by_a_reduction_are_elements() {
        // 300 is 44 as a `u8`.
        assert_eq!((u8::largest_of(300, 50), u8::least_of(300, 50)), (50, 44));
        assert_eq!((i32::largest_of(300, 50), i8::least_of(-1, 128)), (300, -128));
    }

    #[test]
    fn numbers_that_become_zero_or_infinite_are_known() {
        fn check<T: Number + PartialOrd>() {
            let (zero, infinite) = T::LOST;
            let beside =
                |number: f64, by: i64| f64::from_bits((number.to_bits() as i64 + by) as u64);
            assert!(T::from_f64(zero).is_zero() && !T::from_f64(beside(zero, 1)).is_zero());
            let largest = T::from_f64(beside(infinite, -1));
            assert!(largest < T::from_f64(infinite) && largest.minus(largest).is_zero());
        }
        check::<f16>();
        check::<bf16>();
        check::<f32>();
    }

    #[test]
    fn whole_numbers_have_the_range_of_their_type() {
        assert_eq!([u8::WHOLE, i8::WHOLE], [(0, 255), (-128, 127)]);
        assert_eq!([u64::WHOLE, i64::WHOLE], [(0, i64::MAX), (i64::MIN, i64::MAX)]);
        assert_eq!((f32::WHOLE.1, f32::FRACTIONS, u16::FRACTIONS), (i64::MAX, true, false));
    }
}
