use super::magnitude::{Magnitude, SquaredNorm};
use core::cmp::Ordering;
use core::fmt::{Debug, Display};
use half::{bf16, f16};
use num_complex::Complex;

/// A value that a sparse tensor can store.
pub trait SparseElement: Copy + PartialEq + Debug + Send + Sync + 'static {
    /// What is not stored.
    const ZERO: Self;

    /// Whether the value need not be stored: zero of either sign.
    fn is_zero(&self) -> bool {
        *self == Self::ZERO
    }

    /// The sum with a value at the same place.
    #[must_use]
    fn plus(self, other: Self) -> Self;

    /// Compares how large the values are, whatever their signs, to choose which ones to keep. NaN is larger than all
    /// others. This is an order of all values: it must not contradict itself.
    fn cmp_magnitude(&self, other: &Self) -> Ordering;

    /// Writes the value as MLIR prints it.
    ///
    /// # Errors
    /// If writing fails.
    fn write(&self, f: &mut dyn core::fmt::Write) -> core::fmt::Result;
}

fn display(value: &dyn Display, f: &mut dyn core::fmt::Write) -> core::fmt::Result {
    write!(f, "{value}")
}

macro_rules! floats {
    ($($T:ident $zero:expr, $to_f64:expr;)*) => { $(
        impl SparseElement for $T {
            const ZERO: Self = $zero;
            #[inline]
            fn plus(self, other: Self) -> Self {
                self + other
            }
            fn cmp_magnitude(&self, other: &Self) -> Ordering {
                let magnitude = |value: Self| Magnitude::of($to_f64(value));
                magnitude(*self).cmp(&magnitude(*other))
            }
            fn write(&self, f: &mut dyn core::fmt::Write) -> core::fmt::Result {
                display(self, f)
            }
        }
    )* };
}
floats! { f16 f16::ZERO, f16::to_f64; bf16 bf16::ZERO, bf16::to_f64; f32 0.0, f64::from; f64 0.0, f64::from; }

macro_rules! integers {
    ($($T:ident)*) => { $(
        impl SparseElement for $T {
            const ZERO: Self = 0;
            #[inline]
            fn plus(self, other: Self) -> Self {
                self.wrapping_add(other)
            }
            fn cmp_magnitude(&self, other: &Self) -> Ordering {
                // No integer has more than 64 bits.
                (*self as i128).unsigned_abs().cmp(&(*other as i128).unsigned_abs())
            }
            fn write(&self, f: &mut dyn core::fmt::Write) -> core::fmt::Result {
                display(self, f)
            }
        }
    )* };
}
integers! { i8 i16 i32 i64 u8 u16 u32 u64 }

macro_rules! complexes {
    ($($T:ident)*) => { $(
        impl SparseElement for Complex<$T> {
            const ZERO: Self = Complex::new(0.0, 0.0);
            #[inline]
            fn plus(self, other: Self) -> Self {
                self + other
            }
            fn cmp_magnitude(&self, other: &Self) -> Ordering {
                let norm = |value: &Self| SquaredNorm::of(value.re.into(), value.im.into());
                norm(self).cmp(&norm(other))
            }
            fn write(&self, f: &mut dyn core::fmt::Write) -> core::fmt::Result {
                write!(f, "( {}, {} )", self.re, self.im)
            }
        }
    )* };
}
complexes! { f32 f64 }
