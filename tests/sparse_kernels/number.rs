//! Elements of random statements: whole numbers, and floats, some of which are infinite or NaN.

use std::fmt::Debug;
use tensor_layout::sparsify::{DynFunction, Evaluate};

/// Numbers that plain loops compute with.
pub(crate) trait Arithmetic: Copy + PartialEq + PartialOrd + Debug {
    /// The element that represents a small whole number in the data of an operand.
    fn entry(number: i64) -> Self;
    fn from(number: i64) -> Self;
    fn add(self, other: Self) -> Self;
    fn sub(self, other: Self) -> Self;
    fn mul(self, other: Self) -> Self;
    fn neg(self) -> Self;
    fn abs(self) -> Self;
    /// Whether it is the same for every order in which numbers were combined.
    fn is_exact(self) -> bool;
    fn is_nan(self) -> bool {
        self.partial_cmp(&self).is_none()
    }
}

/// Elements that kernels compute in.
pub(crate) trait Number: Arithmetic + Evaluate {
    /// The least and the greatest value.
    const RANGE: [Self; 2];
    fn is_same(self, other: Self) -> bool {
        self == other || (self.is_nan() && other.is_nan())
    }
    fn functions() -> [(&'static str, DynFunction<Self>); 2] {
        [("add3", add3), ("twice", twice)]
    }
}

macro_rules! whole_numbers {
    ($($Integer:ty),*) => { $(
        impl Arithmetic for $Integer {
            fn entry(number: i64) -> Self {
                number.into()
            }
            fn from(number: i64) -> Self {
                number.into()
            }
            fn add(self, other: Self) -> Self {
                self.wrapping_add(other)
            }
            fn sub(self, other: Self) -> Self {
                self.wrapping_sub(other)
            }
            fn mul(self, other: Self) -> Self {
                self.wrapping_mul(other)
            }
            fn neg(self) -> Self {
                self.wrapping_neg()
            }
            fn abs(self) -> Self {
                self.wrapping_abs()
            }
            fn is_exact(self) -> bool {
                true
            }
        }
    )* };
}
whole_numbers!(i64, i128);

impl Number for i64 {
    const RANGE: [Self; 2] = [i64::MIN, i64::MAX];
}

impl Arithmetic for f64 {
    fn entry(number: i64) -> Self {
        match number {
            4 => f64::INFINITY,
            -4 => f64::NEG_INFINITY,
            -3 => f64::NAN,
            number => number as f64,
        }
    }
    fn from(number: i64) -> Self {
        number as f64
    }
    fn add(self, other: Self) -> Self {
        self + other
    }
    fn sub(self, other: Self) -> Self {
        self - other
    }
    fn mul(self, other: Self) -> Self {
        self * other
    }
    fn neg(self) -> Self {
        -self
    }
    fn abs(self) -> Self {
        f64::abs(self)
    }
    fn is_exact(self) -> bool {
        !self.is_finite() || self.abs() < 1e15
    }
}

impl Number for f64 {
    const RANGE: [Self; 2] = [f64::NEG_INFINITY, f64::INFINITY];
}

pub(crate) fn add3<T: Arithmetic>(values: &[T]) -> T {
    values[0].add(values[1].mul(T::from(3)))
}

pub(crate) fn twice<T: Arithmetic>(values: &[T]) -> T {
    values[0].mul(T::from(2))
}
