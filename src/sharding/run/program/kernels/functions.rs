//! Functions of one and of two numbers, by the names of their operations: for single numbers, and for blocks, in which the
//! operation is not looked up for each number.

use super::super::elements::{Computed, larger, smaller};
use super::special;

/// The function of one number that an operation is.
pub(in super::super) type Unary<N> = fn(N) -> N;
/// The function of two numbers that an operation is.
pub(in super::super) type Binary<N> = fn(N, N) -> N;

/// [`Unary`] of each number of a block.
pub(in super::super) type UnaryBlock<N> = fn(&mut [N]);
/// [`Binary`] of each number of a block and a number of another block.
pub(in super::super) type BinaryBlock<N> = fn(&mut [N], &[N]);

/// Numbers with functions that are operations.
pub(in super::super) trait Functions: Computed {
    fn unary(name: &str, is_pred: bool) -> Option<Unary<Self>>;
    fn binary(name: &str) -> Option<Binary<Self>>;
    fn unary_block(name: &str, is_pred: bool) -> Option<UnaryBlock<Self>>;
    fn binary_block(name: &str) -> Option<BinaryBlock<Self>>;
}

#[inline(always)]
fn each<N: Copy>(block: &mut [N], f: impl Fn(N) -> N) {
    block.iter_mut().for_each(|x| *x = f(*x));
}

#[inline(always)]
fn both<N: Copy>(block: &mut [N], other: &[N], f: impl Fn(N, N) -> N) {
    block.iter_mut().zip(other).for_each(|(x, y)| *x = f(*x, *y));
}

/// Implements [`Functions`] by two tables.
macro_rules! functions {
    (
        $N:ident, $is_pred:ident;
        unary: { $($($one:literal)|+ $(if $holds:expr)? => $f:expr,)* }
        binary: { $($($two:literal)|+ => $g:expr,)* }
    ) => {
        impl Functions for $N {
            fn unary(name: &str, $is_pred: bool) -> Option<Unary<Self>> {
                Some(match name {
                    $($($one)|+ $(if $holds)? => $f,)*
                    _ => return None,
                })
            }

            fn binary(name: &str) -> Option<Binary<Self>> {
                Some(match name {
                    $($($two)|+ => $g,)*
                    _ => return None,
                })
            }

            fn unary_block(name: &str, $is_pred: bool) -> Option<UnaryBlock<Self>> {
                Some(match name {
                    $($($one)|+ $(if $holds)? => |block| each(block, $f),)*
                    _ => return None,
                })
            }

            fn binary_block(name: &str) -> Option<BinaryBlock<Self>> {
                Some(match name {
                    $($($two)|+ => |block, other| both(block, other, $g),)*
                    _ => return None,
                })
            }
        }
    };
}

macro_rules! float {
    ($T:ident) => {
        functions! {
            $T, _is_pred;
            unary: {
                "abs" => $T::abs,
                "acos" => $T::acos,
                // Those of the standard library overflow for large numbers, and `atanh` is imprecise near -1. `libm::acosh` is wrong
                // for some negative numbers.
                "acosh" => |x| if x < 1.0 { $T::NAN } else { libm::acosh(x.into()) as $T },
                "asin" => $T::asin,
                "asinh" => |x| libm::asinh(x.into()) as $T,
                "atan" => $T::atan,
                "atanh" => |x| libm::atanh(x.into()) as $T,
                "bessel_i1e" => |x| special::bessel_i1e(x.into()) as $T,
                "cbrt" => $T::cbrt,
                "ceil" => $T::ceil,
                "cos" | "cosine" => $T::cos,
                "cosh" => $T::cosh,
                "digamma" => |x| special::digamma(x.into()) as $T,
                "erf" => |x| libm::erf(x.into()) as $T,
                "erf_inv" => |x| erf_inv(x.into()) as $T,
                "erfc" => |x| libm::erfc(x.into()) as $T,
                "exp" | "exponential" => $T::exp,
                "expm1" | "exponential_minus_one" => $T::exp_m1,
                "floor" => $T::floor,
                "lgamma" => |x| libm::lgamma(x.into()) as $T,
                "log" => $T::ln,
                "log1p" | "log_plus_one" => $T::ln_1p,
                "logistic" => |x| 1.0 / (1.0 + (-x).exp()),
                "neg" | "negate" => |x| -x,
                "round" | "round_nearest_even" => $T::round_ties_even,
                "round_nearest_afz" => $T::round,
                "rsqrt" => |x| 1.0 / x.sqrt(),
                // The sign of a zero is that zero, and the sign of NaN is NaN.
                "sign" => |x| if x == 0.0 || x.is_nan() { x } else { x.signum() },
                "sin" | "sine" => $T::sin,
                "sinh" => $T::sinh,
                "sqrt" => $T::sqrt,
                "square" => |x| x * x,
                "tan" => $T::tan,
                "tanh" => $T::tanh,
            }
            binary: {
                "add" => |a, b| a + b,
                "atan2" => $T::atan2,
                "div" | "divide" => |a, b| a / b,
                "max" | "maximum" => larger,
                "min" | "minimum" => smaller,
                "mul" | "multiply" => |a, b| a * b,
                "polygamma" => |a, b| special::polygamma(a.into(), b.into()) as $T,
                "pow" | "power" => $T::powf,
                "rem" | "remainder" => |a, b| a % b,
                "sub" | "subtract" => |a, b| a - b,
                "zeta" => |a, b| special::zeta(a.into(), b.into()) as $T,
            }
        }
    };
}
float! { f32 }
float! { f64 }

/// Integers wrap around. `not` of a boolean is `1 - x`.
macro_rules! integer {
    ($T:ident, $power:ident) => {
        /// A power that is negative is rounded towards zero; as in XLA, that of 0 is 0.
        fn $power(base: $T, exponent: $T) -> $T {
            if exponent < 0 && !matches!(base, 1 | -1) {
                return 0;
            }
            let (mut power, mut factor, mut rest): ($T, $T, _) = (1, base, exponent.unsigned_abs());
            while rest > 0 {
                if rest % 2 == 1 {
                    power = power.wrapping_mul(factor);
                }
                (factor, rest) = (factor.wrapping_mul(factor), rest / 2);
            }
            power
        }

        functions! {
            $T, is_pred;
            unary: {
                "abs" => $T::wrapping_abs,
                "neg" | "negate" => $T::wrapping_neg,
                "not" if is_pred => |x| 1 - x,
                "not" => |x| !x,
                "sign" => $T::signum,
                "square" => |x| x.wrapping_mul(x),
            }
            binary: {
                "add" => $T::wrapping_add,
                "and" => |a, b| a & b,
                // Division by zero has this result in XLA.
                "div" | "divide" => |a, b| if b == 0 { -1 } else { a.wrapping_div(b) },
                "max" | "maximum" => $T::max,
                "min" | "minimum" => $T::min,
                "mul" | "multiply" => $T::wrapping_mul,
                "or" => |a, b| a | b,
                "pow" | "power" => $power,
                "rem" | "remainder" => |a, b| if b == 0 { a } else { a.wrapping_rem(b) },
                "sub" | "subtract" => $T::wrapping_sub,
                "xor" => |a, b| a ^ b,
            }
        }
    };
}
integer! { i64, power }
integer! { i128, wide_power }

/// The number whose error function is `y`, by Newton's method, which starts from Winitzki's approximation. From `|y|` = 0.5, the
/// method uses the complementary error function, which is more precise there.
fn erf_inv(y: f64) -> f64 {
    let left = 1.0 - y.abs();
    if left.is_nan() || left < 0.0 {
        return f64::NAN;
    }
    if left == 0.0 {
        return f64::INFINITY.copysign(y);
    }
    let log = (left * (1.0 + y.abs())).ln();
    let half = 2.0 / (core::f64::consts::PI * 0.147) + log / 2.0;
    let mut x = ((half * half - log / 0.147).sqrt() - half).max(0.0).sqrt();
    for _ in 0..4 {
        let slope = core::f64::consts::FRAC_2_SQRT_PI * (-x * x).exp();
        // Uses the smaller of the two function values, which is the more precise one.
        x += match left > 0.5 {
            true => (y.abs() - libm::erf(x)) / slope,
            false => (libm::erfc(x) - left) / slope,
        };
    }
    x.copysign(y)
}
