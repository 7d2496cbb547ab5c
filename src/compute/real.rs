//! The types and functions with which functions of real numbers are computed, without the standard library.

use super::reduce::Ordered;
use core::ops::{Add, Div, Mul, Sub};
use half::{bf16, f16};
use microfloat::*;

/// A host value that is a float; normalizations are defined for these.
///
/// ```
/// use tensor_layout::compute::Real;
/// use tensor_layout::{Host, Layout, Packed, tiled};
///
/// fn probabilities<L: Layout<Index = [usize; 2]>>(scores: &Packed<L>) -> Packed<L>
/// where
///     Host<L>: Real,
/// {
///     scores.softmax(1)
/// }
///
/// let scores = <tiled!(f32[1,2])>::pack(&[3.0, 3.0])?;
/// assert_eq!(probabilities(&scores).unpack(), [0.5, 0.5]);
/// # Ok::<(), tensor_layout::PackError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "the elements are not known to be floats: their host type is `{Self}`",
    label = "normalizations are for floats",
    note = "`x.convert::<M>(|x| x as f32)` makes an array of floats",
    note = "a function for layouts of many element types has the bound `Host<L>: tensor_layout::compute::Real`; for `f32` alone it is `L: Layout<Element = F32>`"
)]
pub trait Real: Ordered<Wide = Self::Compute> {
    /// The type in which functions are computed, and of their scales: `f64` for `f64`, `f32` for all others.
    type Compute: Float;
}

macro_rules! real {
    ($($Compute:ty: $($H:ty)*;)*) => { $( $(
        #[diagnostic::do_not_recommend]
        impl Real for $H {
            type Compute = $Compute;
        }
    )* )* };
}
real! {
    f32: f32 bf16 f16 f8e5m2 f8e4m3 f8e4m3fn f8e4m3b11fnuz f8e3m4 f8e5m2fnuz f8e4m3fnuz f8e8m0fnu f4e2m1fn f6e3m2fn f6e2m3fn;
    f64: f64;
}

/// `f32` or `f64`: the types in which functions of floats are computed, [`Real::Compute`].
pub trait Float:
    crate::element::HostValue
    + Default
    + PartialOrd
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
{
    #[doc(hidden)]
    const LOWEST: Self;
    /// The exponential function, with an error below 2 units in the last place. Unlike `x.exp()` of the standard library, it is
    /// vectorized in the functions that are given to [`PackedRef::map`](crate::PackedRef::map), `zip` and `convert`.
    ///
    /// ```
    /// use tensor_layout::{Packed, compute::Float, tpu};
    /// let gate = Packed::<tpu!(f32[8,128])>::filled(1.0);
    /// let silu = gate.map(|x| x / (1.0 + Float::exp(-x)));
    /// assert!((silu.get([7, 127]) - 0.731_058_6).abs() < 1e-6);
    /// ```
    fn exp(x: Self) -> Self;
    #[doc(hidden)]
    fn to_f64(x: Self) -> f64;
    #[doc(hidden)]
    fn of_f64(x: f64) -> Self;
}

/// The exponential function: 2^k e^r, where k is a whole number and r is at most ln 2 / 2 in absolute value. It uses only
/// operations that CPUs have for vectors, so that loops over it are vectorized. The error is less than 2 units in the last
/// place.
macro_rules! exp {
    (
        $T:ty, $Int:ty, $Bits:ty: between $low:literal and $high:literal, magic $magic:literal, ln2 $ln2_high:literal $ln2_low:literal,
        bias $bias:literal, mantissa $mantissa:literal, $($factorial:literal)*
    ) => {
        impl Float for $T {
            const LOWEST: Self = <$T>::NEG_INFINITY;

            #[inline(always)]
            fn exp(x: Self) -> Self {
                // Limits for which the result is zero or infinite; a NaN stays NaN.
                let x = if x < $low { $low } else { x };
                let x = if x > $high { $high } else { x };
                // Adding this rounds to a whole number, which is then in the low bits.
                const MAGIC: $T = $magic;
                let shifted = x * core::f64::consts::LOG2_E as $T + MAGIC;
                let k = (shifted.to_bits() as $Int).wrapping_sub(MAGIC.to_bits() as $Int);
                let whole = shifted - MAGIC;
                let r = (x - whole * $ln2_high) - whole * $ln2_low;
                let mut sum: $T = 0.0;
                $( sum = sum * r + 1.0 / $factorial; )*
                // In two steps, because 2^k itself can be subnormal or infinite.
                let power = |k: $Int| <$T>::from_bits(((k.wrapping_add($bias)) << $mantissa) as $Bits);
                sum * power(k >> 1) * power(k.wrapping_sub(k >> 1))
            }
            #[inline(always)]
            fn to_f64(x: Self) -> f64 {
                x.into()
            }
            #[inline(always)]
            fn of_f64(x: f64) -> Self {
                x as Self
            }
        }
    };
}
exp!(f32, i32, u32: between -104.0 and 89.0, magic 12_582_912.0, ln2 0.693_359_4 -2.121_944_4e-4,
    bias 127, mantissa 23, 5040.0 720.0 120.0 24.0 6.0 2.0 1.0 1.0);
exp!(f64, i64, u64: between -746.0 and 710.0, magic 6_755_399_441_055_744.0, ln2 0.693_147_180_369_123_8 1.908_214_929_270_587_7e-10,
    bias 1023, mantissa 52,
    6_227_020_800.0 479_001_600.0 39_916_800.0 3_628_800.0 362_880.0 40_320.0 5040.0 720.0 120.0 24.0 6.0 2.0 1.0 1.0);

/// The square root by Newton's method, because `core` has none.
pub(super) fn sqrt(x: f64) -> f64 {
    if x.is_nan() || x <= 0.0 || x.is_infinite() {
        return if x < 0.0 { f64::NAN } else { x };
    }
    // A subnormal number has its magnitude in the mantissa: 2^108 makes it normal, and the root is 2^54 times as large.
    if x < f64::MIN_POSITIVE {
        return sqrt(x * f64::from_bits((1023 + 108) << 52)) * f64::from_bits((1023 - 54) << 52);
    }
    // Halving the exponent gives a value within 7 % of the root, and each step doubles the number of correct digits.
    let mut root = f64::from_bits((x.to_bits() >> 1) + (1023 << 51));
    for _ in 0..5 {
        root = 0.5 * (root + x / root);
    }
    root
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exponentials_are_those_of_the_standard_library() {
        for i in -110_000..95_000 {
            let x = i as f32 / 1000.0;
            let (ours, exact) = (<f32 as Float>::exp(x), f64::from(x).exp());
            let ulp = f64::from(exact as f32).max(1.2e-38) * f64::from(f32::EPSILON);
            assert!(
                ours == exact as f32 || (f64::from(ours) - exact).abs() <= 2.0 * ulp,
                "{x}: {ours} is not {exact}"
            );
        }
        for i in -75_000..72_000 {
            let x = i as f64 / 100.0;
            let (ours, exact) = (<f64 as Float>::exp(x), x.exp());
            let ulp = exact.max(2.3e-308) * f64::EPSILON;
            assert!(
                ours == exact || (ours - exact).abs() <= 2.0 * ulp,
                "{x}: {ours} is not {exact}"
            );
        }
        assert!(<f32 as Float>::exp(f32::NAN).is_nan() && <f64 as Float>::exp(f64::NAN).is_nan());
        assert_eq!(<f32 as Float>::exp(f32::INFINITY), f32::INFINITY);
        assert_eq!(<f32 as Float>::exp(f32::NEG_INFINITY), 0.0);
        assert_eq!(<f64 as Float>::exp(f64::INFINITY), f64::INFINITY);
        assert_eq!(<f64 as Float>::exp(f64::NEG_INFINITY), 0.0);
    }

    #[test]
    fn roots_are_those_of_the_standard_library() {
        for i in 1..100_000_i32 {
            let subnormal = f64::from_bits(u64::from(i.unsigned_abs()).pow(3));
            for x in [f64::from(i) * 1e-5, f64::from(i) * 1e20, 1e-290 / f64::from(i), subnormal] {
                assert!((sqrt(x) - x.sqrt()).abs() <= x.sqrt() * f64::EPSILON, "{x}");
            }
        }
        assert_eq!((sqrt(0.0), sqrt(f64::INFINITY)), (0.0, f64::INFINITY));
        assert!(sqrt(-1.0).is_nan() && sqrt(f64::NAN).is_nan());
    }
}
