//! Sums of arrays of bytes.

use super::RunError;
use layout_core::dtype::DType;

/// Adds the elements of `other` to those of `sum`. Integers wrap around.
pub(super) fn add(sum: &mut [u8], other: &[u8], dtype: DType) -> Result<(), RunError> {
    macro_rules! each {
        ($T:ty, |$a:ident, $b:ident| $plus:expr) => {{
            const WIDTH: usize = size_of::<$T>();
            for (sum, other) in sum.chunks_exact_mut(WIDTH).zip(other.chunks_exact(WIDTH)) {
                let value = |bytes: &[u8]| {
                    let mut own = [0; WIDTH];
                    own.copy_from_slice(bytes);
                    <$T>::from_le_bytes(own)
                };
                let ($a, $b) = (value(sum), value(other));
                sum.copy_from_slice(&($plus).to_le_bytes());
            }
        }};
    }
    match dtype {
        // The two parts of a complex number are summed one by one.
        DType::F32 | DType::C64 => each!(f32, |a, b| a + b),
        DType::F64 | DType::C128 => each!(f64, |a, b| a + b),
        DType::F16 => each!(half::f16, |a, b| half::f16::from_f32(a.to_f32() + b.to_f32())),
        DType::BF16 => each!(half::bf16, |a, b| half::bf16::from_f32(a.to_f32() + b.to_f32())),
        DType::S8 | DType::U8 => each!(u8, |a, b| a.wrapping_add(b)),
        DType::S16 | DType::U16 => each!(u16, |a, b| a.wrapping_add(b)),
        DType::S32 | DType::U32 => each!(u32, |a, b| a.wrapping_add(b)),
        DType::S64 | DType::U64 => each!(u64, |a, b| a.wrapping_add(b)),
        _ => return Err(RunError::Sum(dtype)),
    }
    Ok(())
}
