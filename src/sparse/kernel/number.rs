//! What kernels do with elements.

use crate::sparse::SparseElement;
use half::{bf16, f16};
use num_complex::Complex;

/// An element that kernels can compute with. Whole numbers wrap around; dividing one by zero gives zero.
pub trait Number: SparseElement {
    /// What a product starts from, and what a comparison that holds gives.
    const ONE: Self;
    /// The difference.
    #[must_use]
    fn minus(self, other: Self) -> Self;
    /// The product.
    #[must_use]
    fn times(self, other: Self) -> Self;
    /// The quotient.
    #[must_use]
    fn over(self, other: Self) -> Self;
    /// The number of an index.
    fn from_index(index: i64) -> Self;
    /// The number that is nearest to one as written.
    fn from_f64(number: f64) -> Self;
    /// The number with its sign changed.
    #[must_use]
    fn negated(self) -> Self {
        Self::ZERO.minus(self)
    }
}

/// Elements that have an order.
pub trait Ordered: Number + PartialOrd {
    /// What a maximum starts from.
    const LEAST: Self;
    /// What a minimum starts from.
    const LARGEST: Self;
    /// The absolute value.
    #[must_use]
    fn abs(self) -> Self;
    /// -1, 0 or 1.
    #[must_use]
    fn signum(self) -> Self;

    /// The lesser one.
    #[inline(always)]
    #[must_use]
    fn min(self, other: Self) -> Self {
        if other < self { other } else { self }
    }

    /// The larger one.
    #[inline(always)]
    #[must_use]
    fn max(self, other: Self) -> Self {
        if other > self { other } else { self }
    }
}

/// The value of a condition.
#[inline(always)]
pub fn truth<T: Number>(holds: bool) -> T {
    if holds { T::ONE } else { T::ZERO }
}

macro_rules! floats {
    ($($T:ident $one:expr, $from:expr;)*) => { $(
        impl Number for $T {
            const ONE: Self = $one;
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
        }
    )* };
}
floats! {
    f16 f16::ONE, f16::from_f64; bf16 bf16::ONE, bf16::from_f64;
    f32 1.0, |number| number as f32; f64 1.0, |number| number;
}

macro_rules! integers {
    ($($T:ident)*) => { $(
        impl Number for $T {
            const ONE: Self = 1;
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
                self / other
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

/// Functions of real numbers, by the names of Rust's floats.
#[cfg(feature = "std")]
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
}
