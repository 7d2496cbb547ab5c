use super::magnitude::{Magnitude, SquaredNorm};
use crate::dtype::float::{narrow_bf16, narrow_f16, widen_bf16, widen_f16};
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::fmt::{Debug, Display};
use half::{bf16, f16};
use num_complex::Complex;

/// A value that a sparse tensor can store.
///
/// ```
/// use tensor_layout::half::bf16;
/// use tensor_layout::sparse::SparseElement;
///
/// /// The sum of values, rounded once.
/// fn sum<T: SparseElement>(values: &[T]) -> T {
///     T::narrow(values.iter().fold(T::Wide::ZERO, |sum, value| sum.plus(value.widen())))
/// }
/// assert_eq!(sum(&[bf16::ONE; 1000]).to_f32(), 1000.0);
/// ```
pub trait SparseElement: Copy + PartialEq + Debug + Send + Sync + 'static {
    /// Zero, the value of all elements that are not stored.
    const ZERO: Self;

    /// The type in which values are summed: `f32` for floats of 16 bits, `i32` for integers of 8 and 16 bits, `i64` for `bool`, and
    /// the type itself for all others. A sum of a thousand ones in `bf16` would be 256.
    type Wide: SparseElement<Wide = Self::Wide>;

    /// Converts the value to the type of sums, exactly.
    #[must_use]
    fn widen(self) -> Self::Wide;

    /// Converts a sum to the stored type: rounds a float to the nearest, wraps an integer around, and makes a number
    /// `true` unless it is zero.
    #[must_use]
    fn narrow(wide: Self::Wide) -> Self;

    /// Converts sums to the stored type. If a type is its own type of sums, the list is returned unchanged.
    fn narrow_all(wide: Vec<Self::Wide>) -> Vec<Self> {
        wide.into_iter().map(Self::narrow).collect()
    }

    /// The values as sums to add to in place; `None` unless the type is its own type of sums.
    fn as_wide(_values: &mut [Self]) -> Option<&mut [Self::Wide]> {
        None
    }

    /// Whether the value is zero, of either sign, so that it need not be stored.
    fn is_zero(&self) -> bool {
        *self == Self::ZERO
    }

    /// The sum of two values at the same index.
    #[must_use]
    fn plus(self, other: Self) -> Self;

    /// Compares the magnitudes of two values, to choose the values to keep. NaN is larger than all others. This must be a
    /// total order.
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

/// The type of sums: another type, or the type itself.
macro_rules! wide {
    () => {
        type Wide = Self;
        #[inline(always)]
        fn widen(self) -> Self {
            self
        }
        #[inline(always)]
        fn narrow(wide: Self) -> Self {
            wide
        }
        #[inline(always)]
        fn narrow_all(wide: Vec<Self>) -> Vec<Self> {
            wide
        }
        #[inline(always)]
        fn as_wide(values: &mut [Self]) -> Option<&mut [Self]> {
            Some(values)
        }
    };
    ($Wide:ident, $widen:expr, $narrow:expr) => {
        type Wide = $Wide;
        #[inline(always)]
        fn widen(self) -> $Wide {
            $widen(self)
        }
        #[inline(always)]
        fn narrow(wide: $Wide) -> Self {
            $narrow(wide)
        }
    };
}

macro_rules! floats {
    ($($T:ident $zero:expr, $to_f64:expr, [$($wide:tt)*];)*) => { $(
        impl SparseElement for $T {
            const ZERO: Self = $zero;
            wide! { $($wide)* }
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
floats! {
    f16 f16::ZERO, f16::to_f64, [f32, widen_f16, narrow_f16];
    bf16 bf16::ZERO, bf16::to_f64, [f32, widen_bf16, narrow_bf16];
    f32 0.0, f64::from, [];
    f64 0.0, f64::from, [];
}

macro_rules! integers {
    ($($T:ident [$($wide:tt)*])*) => { $(
        impl SparseElement for $T {
            const ZERO: Self = 0;
            wide! { $($wide)* }
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
integers! {
    i8 [i32, i32::from, |wide| wide as Self]
    i16 [i32, i32::from, |wide| wide as Self]
    u8 [i32, i32::from, |wide| wide as Self]
    u16 [i32, i32::from, |wide| wide as Self]
    i32 [] i64 [] u32 [] u64 []
}

impl SparseElement for bool {
    const ZERO: Self = false;
    wide! { i64, i64::from, |wide| wide != 0 }
    /// Whether at least one of the two is true.
    #[inline]
    fn plus(self, other: Self) -> Self {
        self | other
    }
    fn cmp_magnitude(&self, other: &Self) -> Ordering {
        self.cmp(other)
    }
    fn write(&self, f: &mut dyn core::fmt::Write) -> core::fmt::Result {
        display(self, f)
    }
}

macro_rules! complexes {
    ($($T:ident)*) => { $(
        impl SparseElement for Complex<$T> {
            const ZERO: Self = Complex::new(0.0, 0.0);
            wide! {}
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
