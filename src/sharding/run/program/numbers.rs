//! Elements as the numbers with which kernels compute.

use super::HostArray;
use crate::element::HostValue;
use crate::sharding::run::RunError;
use alloc::vec::Vec;
use half::{bf16, f16};
use layout_core::dtype::DType;
use microfloat::{f8e4m3fn, f8e5m2};

/// The elements of an array. Narrow floating-point types are computed in `f32`, and rounded once.
#[derive(Clone, Debug)]
pub(super) enum Numbers {
    Single(Vec<f32>),
    Double(Vec<f64>),
    /// Integers and booleans. They wrap around when they are stored.
    Integer(Vec<i128>),
}

/// One element.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Number {
    Single(f32),
    Double(f64),
    Integer(i128),
}

impl Numbers {
    /// Element `at`.
    pub(super) fn at(&self, at: usize) -> Number {
        match self {
            Self::Single(numbers) => Number::Single(numbers[at]),
            Self::Double(numbers) => Number::Double(numbers[at]),
            Self::Integer(numbers) => Number::Integer(numbers[at]),
        }
    }

    /// Replaces element `at` by a number of the same kind.
    pub(super) fn set(&mut self, at: usize, number: Number) {
        match (self, number) {
            (Self::Single(numbers), Number::Single(number)) => numbers[at] = number,
            (Self::Double(numbers), Number::Double(number)) => numbers[at] = number,
            (Self::Integer(numbers), Number::Integer(number)) => numbers[at] = number,
            // Bodies are checked: they return numbers of the kind of the elements.
            _ => {}
        }
    }

    /// The elements of an array of a known type.
    pub(super) fn of(array: &HostArray) -> Self {
        macro_rules! each {
            ($Kind:ident, $T:ty, |$value:ident| $number:expr) => {{
                let values = array.as_bytes().chunks_exact(size_of::<$T>());
                let number = |bytes: &[u8]| {
                    let $value = <$T as HostValue>::from_le(bytes);
                    $number
                };
                Self::$Kind(values.map(number).collect())
            }};
        }
        match array.dtype() {
            DType::F32 => each!(Single, f32, |value| value),
            DType::F16 => each!(Single, f16, |value| value.to_f32()),
            DType::BF16 => each!(Single, bf16, |value| value.to_f32()),
            DType::F64 => each!(Double, f64, |value| value),
            DType::F8E4M3FN => each!(Single, f8e4m3fn, |value| value.to_f32()),
            DType::F8E5M2 => each!(Single, f8e5m2, |value| value.to_f32()),
            DType::S8 => each!(Integer, i8, |value| value.into()),
            DType::S16 => each!(Integer, i16, |value| value.into()),
            DType::S32 => each!(Integer, i32, |value| value.into()),
            DType::S64 => each!(Integer, i64, |value| value.into()),
            DType::U16 => each!(Integer, u16, |value| value.into()),
            DType::U32 => each!(Integer, u32, |value| value.into()),
            DType::U64 => each!(Integer, u64, |value| value.into()),
            // `u8` and booleans. Other types are rejected before a program runs.
            _ => each!(Integer, u8, |value| value.into()),
        }
    }

    /// The same floating-point numbers in double precision.
    pub(super) fn doubled(self) -> Self {
        match self {
            Self::Single(numbers) => Self::Double(numbers.into_iter().map(f64::from).collect()),
            others => others,
        }
    }

    /// The first number, repeated `count` times.
    pub(super) fn repeated(self, count: usize) -> Self {
        match self {
            Self::Single(numbers) => Self::Single(numbers[..1].repeat(count)),
            Self::Double(numbers) => Self::Double(numbers[..1].repeat(count)),
            Self::Integer(numbers) => Self::Integer(numbers[..1].repeat(count)),
        }
    }

    /// An array of these elements, converted to `dtype` as `convert` does.
    pub(super) fn store(self, dtype: DType, dims: &[usize]) -> Result<HostArray, RunError> {
        let mut array = HostArray::zeroed(dtype, dims)?;
        macro_rules! each {
            ($T:ty, |$number:ident| $single:expr, $double:expr, $integer:expr) => {{
                let bytes = array.as_bytes_mut().chunks_exact_mut(size_of::<$T>());
                match self {
                    Self::Single(numbers) => bytes.zip(numbers).for_each(|(bytes, $number)| {
                        let value: $T = $single;
                        value.write_le(bytes);
                    }),
                    Self::Double(numbers) => bytes.zip(numbers).for_each(|(bytes, $number)| {
                        let value: $T = $double;
                        value.write_le(bytes);
                    }),
                    Self::Integer(numbers) => bytes.zip(numbers).for_each(|(bytes, $number)| {
                        let value: $T = $integer;
                        value.write_le(bytes);
                    }),
                }
            }};
            ($T:ty) => {
                each!($T, |number| number as $T, number as $T, number as $T)
            };
        }
        match dtype {
            DType::F32 => each!(f32),
            DType::F64 => each!(f64),
            DType::F16 => each!(
                f16,
                |number| f16::from_f32(number),
                f16::from_f64(number),
                f16::from_f64(number as f64)
            ),
            DType::BF16 => each!(
                bf16,
                |number| bf16::from_f32(number),
                bf16::from_f64(number),
                bf16::from_f64(number as f64)
            ),
            DType::F8E4M3FN => each!(
                f8e4m3fn,
                |number| f8e4m3fn::from_f32(number),
                f8e4m3fn::from_f64(number),
                f8e4m3fn::from_f64(number as f64)
            ),
            DType::F8E5M2 => each!(
                f8e5m2,
                |number| f8e5m2::from_f32(number),
                f8e5m2::from_f64(number),
                f8e5m2::from_f64(number as f64)
            ),
            DType::S8 => each!(i8),
            DType::S16 => each!(i16),
            DType::S32 => each!(i32),
            DType::S64 => each!(i64),
            DType::U8 => each!(u8),
            DType::U16 => each!(u16),
            DType::U32 => each!(u32),
            DType::U64 => each!(u64),
            _ => each!(bool, |number| number != 0.0, number != 0.0, number != 0),
        }
        Ok(array)
    }
}
