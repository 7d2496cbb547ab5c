//! Sums, maxima and minima of arrays of bytes.

use super::RunError;
use crate::element::narrow_f8e4m3fn;
use alloc::vec::Vec;
use layout_core::dtype::DType;
use layout_core::sharding::ReductionOp;
use microfloat::{f8e4m3fn, f8e5m2};

/// Adds the elements of `others` to those of `sum`. Integers wrap around, and the sum of truth values is their disjunction. Narrow floating-point numbers are summed in `f32` and
/// rounded once.
pub(super) fn add(sum: &mut [u8], others: &[Vec<u8>], dtype: DType) -> Result<(), RunError> {
    macro_rules! each {
        ($T:ty, $zero:expr, |$sum:ident, $value:ident| $plus:expr, |$total:ident| $rounded:expr) => {{
            const WIDTH: usize = size_of::<$T>();
            for (at, sum) in sum.chunks_exact_mut(WIDTH).enumerate() {
                let value = |bytes: &[u8]| {
                    let mut own = [0; WIDTH];
                    own.copy_from_slice(bytes);
                    <$T>::from_le_bytes(own)
                };
                let ($sum, $value) = ($zero, value(sum));
                let mut $total = $plus;
                for other in others {
                    let ($sum, $value) = ($total, value(&other[at * WIDTH..][..WIDTH]));
                    $total = $plus;
                }
                sum.copy_from_slice(&($rounded).to_le_bytes());
            }
        }};
    }
    match dtype {
        // The two parts of a complex number are summed separately. The sum of negative zeros is negative zero.
        DType::F32 | DType::C64 => each!(f32, -0.0, |a, b| a + b, |sum| sum),
        DType::F64 | DType::C128 => each!(f64, -0.0, |a, b| a + b, |sum| sum),
        DType::F16 => {
            each!(half::f16, -0.0, |a, b| a + b.to_f32(), |sum| half::f16::from_f32(sum));
        }
        DType::BF16 => {
            each!(half::bf16, -0.0, |a, b| a + b.to_f32(), |sum| half::bf16::from_f32(sum));
        }
        DType::F8E4M3FN => {
            each!(f8e4m3fn, -0.0, |a, b| a + b.to_f32(), |sum| narrow_f8e4m3fn(sum));
        }
        DType::F8E5M2 => {
            each!(f8e5m2, -0.0, |a, b| a + b.to_f32(), |sum| f8e5m2::from_f32(sum));
        }
        // As for `add` of truth values.
        DType::PRED => each!(u8, 0u8, |a, b| u8::from(a != 0 || b != 0), |sum| sum),
        DType::S8 | DType::U8 => each!(u8, 0u8, |a, b| a.wrapping_add(b), |sum| sum),
        DType::S16 | DType::U16 => each!(u16, 0u16, |a, b| a.wrapping_add(b), |sum| sum),
        DType::S32 | DType::U32 => each!(u32, 0u32, |a, b| a.wrapping_add(b), |sum| sum),
        DType::S64 | DType::U64 => each!(u64, 0u64, |a, b| a.wrapping_add(b), |sum| sum),
        _ => return Err(RunError::Sum(dtype)),
    }
    Ok(())
}

/// Combines the elements of `others` with those of `bytes`. NaN stays NaN, and a positive zero is larger than a negative one.
pub(super) fn combine(
    reduction: ReductionOp,
    bytes: &mut [u8],
    others: &[Vec<u8>],
    dtype: DType,
) -> Result<(), RunError> {
    macro_rules! each {
        ($T:ty, |$value:ident| $replaces:expr, $is_negative:expr) => {{
            const WIDTH: usize = size_of::<$T>();
            let value = |bytes: &[u8]| {
                let mut own = [0; WIDTH];
                own.copy_from_slice(bytes);
                <$T>::from_le_bytes(own)
            };
            let is_max = reduction == ReductionOp::Max;
            for (at, kept) in bytes.chunks_exact_mut(WIDTH).enumerate() {
                for other in others {
                    let other = &other[at * WIDTH..][..WIDTH];
                    let (a, b) = (value(kept), value(other));
                    let $value = b;
                    let is_beyond = if is_max { b > a } else { b < a };
                    if $replaces || is_beyond || a == b && $is_negative != is_max {
                        kept.copy_from_slice(other);
                    }
                }
            }
        }};
    }
    match dtype {
        _ if reduction == ReductionOp::Sum => return add(bytes, others, dtype),
        DType::F32 => each!(f32, |value| value.is_nan(), value.is_sign_negative()),
        DType::F64 => each!(f64, |value| value.is_nan(), value.is_sign_negative()),
        DType::F16 => each!(half::f16, |value| value.is_nan(), value.is_sign_negative()),
        DType::BF16 => each!(half::bf16, |value| value.is_nan(), value.is_sign_negative()),
        DType::F8E4M3FN => each!(f8e4m3fn, |value| value.is_nan(), value.is_sign_negative()),
        DType::F8E5M2 => each!(f8e5m2, |value| value.is_nan(), value.is_sign_negative()),
        DType::S8 => each!(i8, |_value| false, false),
        DType::S16 => each!(i16, |_value| false, false),
        DType::S32 => each!(i32, |_value| false, false),
        DType::S64 => each!(i64, |_value| false, false),
        DType::U8 | DType::PRED => each!(u8, |_value| false, false),
        DType::U16 => each!(u16, |_value| false, false),
        DType::U32 => each!(u32, |_value| false, false),
        DType::U64 => each!(u64, |_value| false, false),
        _ => return Err(RunError::Sum(dtype)),
    }
    Ok(())
}
