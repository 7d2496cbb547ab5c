//! The elements of arrays as the numbers with which kernels compute, and back.

use crate::element::{HostValue, narrow_f8e4m3fn};
use half::{bf16, f16};
use layout_core::dtype::DType;
use layout_core::dtype::float::{
    bf16_from_f64, f16_from_f64, integer_to_odd, narrow_bf16, narrow_f16, round_to_odd,
};
use microfloat::{f8e4m3fn, f8e5m2};

/// How the elements of a type are represented in computations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// As `f32`: floating-point numbers of at most 32 bits, which are rounded once.
    Single,
    /// As `f64`.
    Double,
    /// As `i64`: integers and booleans, which wrap around when they are stored.
    Integer,
    /// As `i128`: `u64`.
    Wide,
}

impl Kind {
    pub(super) const fn of(dtype: DType) -> Self {
        match dtype {
            DType::F32 | DType::F16 | DType::BF16 | DType::F8E4M3FN | DType::F8E5M2 => Self::Single,
            DType::F64 => Self::Double,
            DType::U64 => Self::Wide,
            // Other types are rejected before a program runs.
            _ => Self::Integer,
        }
    }

    pub(super) const fn is_integer(self) -> bool {
        matches!(self, Self::Integer | Self::Wide)
    }
}

/// Calls a generic function with the numbers of a [`Kind`]: `with_kind!(Kind::of(dtype), function(arguments))` is
/// `function::<f32>(arguments)` for `Kind::Single`.
macro_rules! with_kind {
    ($kind:expr, $function:ident($($argument:expr),*)) => {
        match $kind {
            $crate::sharding::run::program::elements::Kind::Single => $function::<f32>($($argument),*),
            $crate::sharding::run::program::elements::Kind::Double => $function::<f64>($($argument),*),
            $crate::sharding::run::program::elements::Kind::Integer => $function::<i64>($($argument),*),
            $crate::sharding::run::program::elements::Kind::Wide => $function::<i128>($($argument),*),
        }
    };
}
pub(super) use with_kind;

/// Numbers with which kernels compute.
pub(super) trait Computed: Copy + PartialOrd {
    const ZERO: Self;
    const ONE: Self;

    /// Whether the sign is negative, also that of a zero.
    fn is_negative(self) -> bool;

    /// The nearest element of a narrow floating-point type, by its conversion from `f32` or from `f64`.
    fn rounded<T>(self, from: (impl Fn(f32) -> T, impl Fn(f64) -> T)) -> T;

    /// Reads little-endian elements of a type that kernels compute with these numbers.
    fn read(dtype: DType, bytes: &[u8], to: &mut [Self]);

    /// Writes numbers as elements of any type, converted as `convert` does.
    fn write(numbers: &[Self], dtype: DType, bytes: &mut [u8]);
}

fn decode<T: HostValue, N>(bytes: &[u8], to: &mut [N], number: impl Fn(T) -> N) {
    for (to, bytes) in to.iter_mut().zip(bytes.chunks_exact(size_of::<T>())) {
        *to = number(T::from_le(bytes));
    }
}

fn encode<T: HostValue, N: Copy>(numbers: &[N], bytes: &mut [u8], element: impl Fn(N) -> T) {
    for (bytes, number) in bytes.chunks_exact_mut(size_of::<T>()).zip(numbers) {
        element(*number).write_le(bytes);
    }
}

fn read_single(dtype: DType, bytes: &[u8], to: &mut [f32]) {
    match dtype {
        DType::F16 => decode(bytes, to, f16::to_f32),
        DType::BF16 => decode(bytes, to, bf16::to_f32),
        DType::F8E4M3FN => decode(bytes, to, f8e4m3fn::to_f32),
        DType::F8E5M2 => decode(bytes, to, f8e5m2::to_f32),
        _ => decode(bytes, to, |number: f32| number),
    }
}

fn read_double(_: DType, bytes: &[u8], to: &mut [f64]) {
    decode(bytes, to, |number: f64| number);
}

fn read_integer<N>(dtype: DType, bytes: &[u8], to: &mut [N])
where
    N: From<i8> + From<i16> + From<i32> + From<i64> + From<u8> + From<u16> + From<u32>,
{
    match dtype {
        DType::S8 => decode(bytes, to, <N as From<i8>>::from),
        DType::S16 => decode(bytes, to, <N as From<i16>>::from),
        DType::S32 => decode(bytes, to, <N as From<i32>>::from),
        DType::S64 => decode(bytes, to, <N as From<i64>>::from),
        DType::U16 => decode(bytes, to, <N as From<u16>>::from),
        DType::U32 => decode(bytes, to, <N as From<u32>>::from),
        // Any byte other than 0 is true.
        DType::PRED => decode(bytes, to, |byte: u8| N::from(u8::from(byte != 0))),
        // `u8`.
        _ => decode(bytes, to, <N as From<u8>>::from),
    }
}

fn read_wide(dtype: DType, bytes: &[u8], to: &mut [i128]) {
    match dtype {
        DType::U64 => decode(bytes, to, <i128 as From<u64>>::from),
        _ => read_integer(dtype, bytes, to),
    }
}

macro_rules! computed {
    ($($N:ident $read:ident $zero:literal $one:literal $from:tt $via:expr, $x:ident => $is_negative:expr;)*) => { $(
        impl Computed for $N {
            const ZERO: Self = $zero;
            const ONE: Self = $one;

            #[inline(always)]
            fn is_negative(self) -> bool {
                let $x = self;
                $is_negative
            }

            fn rounded<T>(self, from: (impl Fn(f32) -> T, impl Fn(f64) -> T)) -> T {
                from.$from($via(self))
            }

            fn read(dtype: DType, bytes: &[u8], to: &mut [Self]) {
                $read(dtype, bytes, to);
            }

            fn write(numbers: &[Self], dtype: DType, bytes: &mut [u8]) {
                match dtype {
                    DType::F32 => encode(numbers, bytes, |number| number as f32),
                    DType::F64 => encode(numbers, bytes, |number| number as f64),
                    DType::F16 => encode(numbers, bytes, |number| number.rounded((narrow_f16, f16_from_f64))),
                    DType::BF16 => encode(numbers, bytes, |number| number.rounded((narrow_bf16, bf16_from_f64))),
                    DType::F8E4M3FN => encode(numbers, bytes, |number| number.rounded((narrow_f8e4m3fn, |x| narrow_f8e4m3fn(round_to_odd(x))))),
                    DType::F8E5M2 => encode(numbers, bytes, |number| number.rounded((f8e5m2::from_f32, |x| f8e5m2::from_f32(round_to_odd(x))))),
                    DType::S8 => encode(numbers, bytes, |number| number as i8),
                    DType::S16 => encode(numbers, bytes, |number| number as i16),
                    DType::S32 => encode(numbers, bytes, |number| number as i32),
                    DType::S64 => encode(numbers, bytes, |number| number as i64),
                    DType::U8 => encode(numbers, bytes, |number| number as u8),
                    DType::U16 => encode(numbers, bytes, |number| number as u16),
                    DType::U32 => encode(numbers, bytes, |number| number as u32),
                    DType::U64 => encode(numbers, bytes, |number| number as u64),
                    _ => encode(numbers, bytes, |number| number != Self::ZERO),
                }
            }
        }
    )* };
}
computed! {
    f32 read_single 0.0 1.0 0 f32::from, x => x.is_sign_negative();
    f64 read_double 0.0 1.0 1 f64::from, x => x.is_sign_negative();
    i64 read_integer 0 1 1 |x| integer_to_odd(i128::from(x)), x => x < 0;
    i128 read_wide 0 1 1 integer_to_odd, x => x < 0;
}

/// The larger of two numbers. NaN stays NaN, and a positive zero is larger than a negative one.
#[inline(always)]
#[allow(clippy::eq_op, reason = "only NaN differs from itself")]
pub(super) fn larger<N: Computed>(a: N, b: N) -> N {
    if a != a || a > b || a == b && !a.is_negative() { a } else { b }
}

/// The smaller of two numbers; see [`larger`].
#[inline(always)]
#[allow(clippy::eq_op, reason = "only NaN differs from itself")]
pub(super) fn smaller<N: Computed>(a: N, b: N) -> N {
    if a != a || a < b || a == b && a.is_negative() { a } else { b }
}
