//! Operations on each element.

use super::super::numbers::Numbers;
use super::special;
use super::{Failed, HostArray, LocalCall, LocalKernel, Made};
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;

/// Functions of one and of two floating-point numbers, by the name of their operation.
macro_rules! float {
    ($module:ident $T:ident) => {
        pub(in super::super) mod $module {
            use super::{erf_inv, special};

            pub(in super::super::super) fn unary(name: &str) -> Option<fn($T) -> $T> {
                Some(match name {
                    "abs" => $T::abs,
                    "acos" => $T::acos,
                    "acosh" => $T::acosh,
                    "asin" => $T::asin,
                    "asinh" => $T::asinh,
                    "atan" => $T::atan,
                    "atanh" => $T::atanh,
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
                    _ => return None,
                })
            }

            pub(in super::super::super) fn binary(name: &str) -> Option<fn($T, $T) -> $T> {
                Some(match name {
                    "add" => |a, b| a + b,
                    "atan2" => $T::atan2,
                    "div" | "divide" => |a, b| a / b,
                    // NaN stays NaN.
                    "max" | "maximum" => |a, b| if a.is_nan() || a > b { a } else { b },
                    "min" | "minimum" => |a, b| if a.is_nan() || a < b { a } else { b },
                    "mul" | "multiply" => |a, b| a * b,
                    "polygamma" => |a, b| special::polygamma(a.into(), b.into()) as $T,
                    "pow" | "power" => $T::powf,
                    "rem" | "remainder" => |a, b| a % b,
                    "sub" | "subtract" => |a, b| a - b,
                    "zeta" => |a, b| special::zeta(a.into(), b.into()) as $T,
                    _ => return None,
                })
            }
        }
    };
}
float! { single f32 }
float! { double f64 }

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

/// Functions of one integer. Booleans have functions of their own.
pub(in super::super) fn unary(name: &str, is_pred: bool) -> Option<fn(i128) -> i128> {
    Some(match name {
        "abs" => i128::abs,
        "neg" | "negate" => |x| -x,
        "not" if is_pred => |x| 1 - x,
        "not" => |x| !x,
        "sign" => i128::signum,
        "square" => |x| x.wrapping_mul(x),
        _ => return None,
    })
}

pub(in super::super) fn binary(name: &str) -> Option<fn(i128, i128) -> i128> {
    Some(match name {
        "add" => |a, b| a + b,
        "and" => |a, b| a & b,
        // Division by zero has this result in XLA.
        "div" | "divide" => |a, b| if b == 0 { -1 } else { a / b },
        "max" | "maximum" => i128::max,
        "min" | "minimum" => i128::min,
        "mul" | "multiply" => i128::wrapping_mul,
        "or" => |a, b| a | b,
        "rem" | "remainder" => |a, b| if b == 0 { a } else { a % b },
        "sub" | "subtract" => |a, b| a - b,
        "xor" => |a, b| a ^ b,
        _ => return None,
    })
}

/// The kernel of an operation on one or two numbers of each position.
pub(super) fn find(name: &str) -> Option<LocalKernel> {
    if single::unary(name).is_some() || unary(name, false).is_some() {
        return Some(map);
    }
    let is_binary = single::binary(name).is_some() || binary(name).is_some();
    is_binary.then_some(zip as LocalKernel)
}

fn no_kernel(call: &LocalCall<'_>) -> Failed {
    let dtype = call.operand(0).dtype();
    Failed::Not(format!("there is no kernel for elements of type `{dtype}`"))
}

/// An array of these numbers with the size of operand `like`.
fn stored(call: &LocalCall<'_>, numbers: Numbers, like: usize) -> Made {
    Ok(vec![numbers.store(call.result().dtype, call.operand(like).dims())?])
}

fn map(call: &LocalCall<'_>) -> Made {
    let array = call.operand(0);
    let is_pred = array.dtype() == layout_core::dtype::DType::PRED;
    let missing = || no_kernel(call);
    let numbers = match Numbers::of(array) {
        Numbers::Single(x) => {
            let f = single::unary(call.name).ok_or_else(missing)?;
            Numbers::Single(x.into_iter().map(f).collect())
        }
        Numbers::Double(x) => {
            let f = double::unary(call.name).ok_or_else(missing)?;
            Numbers::Double(x.into_iter().map(f).collect())
        }
        Numbers::Integer(x) => {
            let f = unary(call.name, is_pred).ok_or_else(missing)?;
            Numbers::Integer(x.into_iter().map(f).collect())
        }
    };
    stored(call, numbers, 0)
}

/// An operation on two numbers for each element; `None` if it is not defined for numbers of this type.
pub(in super::super) fn combined(name: &str, a: Numbers, b: Numbers) -> Option<Numbers> {
    Some(match (a, b) {
        (Numbers::Single(a), Numbers::Single(b)) => {
            let f = single::binary(name)?;
            Numbers::Single(a.into_iter().zip(b).map(|(a, b)| f(a, b)).collect())
        }
        (Numbers::Double(a), Numbers::Double(b)) => {
            let f = double::binary(name)?;
            Numbers::Double(a.into_iter().zip(b).map(|(a, b)| f(a, b)).collect())
        }
        (Numbers::Integer(a), Numbers::Integer(b)) => {
            let f = binary(name)?;
            Numbers::Integer(a.into_iter().zip(b).map(|(a, b)| f(a, b)).collect())
        }
        _ => return None,
    })
}

fn zip(call: &LocalCall<'_>) -> Made {
    let (a, b) = (Numbers::of(call.operand(0)), Numbers::of(call.operand(1)));
    let numbers = combined(call.name, a, b).ok_or_else(|| no_kernel(call))?;
    stored(call, numbers, 0)
}

/// `is_finite(x)`
pub(super) fn is_finite(call: &LocalCall<'_>) -> Made {
    let finite = match Numbers::of(call.operand(0)) {
        Numbers::Single(x) => x.into_iter().map(|x| x.is_finite().into()).collect(),
        Numbers::Double(x) => x.into_iter().map(|x| x.is_finite().into()).collect(),
        Numbers::Integer(x) => vec![1; x.len()],
    };
    stored(call, Numbers::Integer(finite), 0)
}

/// `shift_left(x, y)`, `shift_right_logical(x, y)`, `shift_right_arithmetic(x, y)`. A shift by the width of an element or more
/// shifts all bits out.
pub(super) fn shift(call: &LocalCall<'_>) -> Made {
    let bits = call.operand(0).dtype().bits() as i128;
    let (Numbers::Integer(x), Numbers::Integer(by)) =
        (Numbers::of(call.operand(0)), Numbers::of(call.operand(1)))
    else {
        return Err(no_kernel(call));
    };
    let shifted = |(x, by): (i128, i128)| {
        let fits = (0..bits).contains(&by);
        match call.name {
            "shift_left" if fits => x << by,
            "shift_right_logical" if fits => (x & ((1 << bits) - 1)) >> by,
            "shift_right_arithmetic" => x >> if fits { by } else { bits - 1 },
            _ => 0,
        }
    };
    stored(call, Numbers::Integer(x.into_iter().zip(by).map(shifted).collect()), 0)
}

/// `compare(x, y, direction=LT)`
pub(super) fn compare(call: &LocalCall<'_>) -> Made {
    fn each<T: PartialOrd>(direction: &str, a: &[T], b: &[T]) -> Vec<i128> {
        let holds: fn(&T, &T) -> bool = match direction {
            "NE" => |a, b| a != b,
            "GE" => |a, b| a >= b,
            "GT" => |a, b| a > b,
            "LE" => |a, b| a <= b,
            "LT" => |a, b| a < b,
            _ => |a, b| a == b,
        };
        a.iter().zip(b).map(|(a, b)| holds(a, b).into()).collect()
    }
    let direction = call.attributes.word("direction", "EQ");
    let is_total = call.attributes.word("order", "") == "TOTALORDER";
    let operand = |at: usize| match is_total {
        true => in_total_order(Numbers::of(call.operand(at))),
        false => Numbers::of(call.operand(at)),
    };
    let truths = match (operand(0), operand(1)) {
        (Numbers::Single(a), Numbers::Single(b)) => each(direction, &a, &b),
        (Numbers::Double(a), Numbers::Double(b)) => each(direction, &a, &b),
        (Numbers::Integer(a), Numbers::Integer(b)) => each(direction, &a, &b),
        _ => return Err(no_kernel(call)),
    };
    stored(call, Numbers::Integer(truths), 0)
}

/// Integers in the total order of floating-point numbers: zeros are ordered by their signs, and NaNs come before or after all other
/// numbers.
fn in_total_order(numbers: Numbers) -> Numbers {
    macro_rules! keys {
        ($x:ident, $Bits:ty) => {
            $x.into_iter()
                .map(|x| {
                    let bits = x.to_bits() as $Bits;
                    i128::from(if bits < 0 { !bits ^ <$Bits>::MIN } else { bits })
                })
                .collect()
        };
    }
    Numbers::Integer(match numbers {
        Numbers::Single(x) => keys!(x, i32),
        Numbers::Double(x) => keys!(x, i64),
        Numbers::Integer(x) => x,
    })
}

/// `convert(x, type=f32)`: floating-point numbers that become integers are rounded toward zero; those out of the range of the type
/// become its nearest value.
pub(super) fn convert(call: &LocalCall<'_>) -> Made {
    stored(call, Numbers::of(call.operand(0)), 0)
}

/// The bytes of element `at`; a scalar has one element for all.
fn element(array: &HostArray, at: usize) -> &[u8] {
    let at = if array.dims().is_empty() { 0 } else { at };
    &array.as_bytes()[at * array.width()..][..array.width()]
}

/// `select(p, x, y)`
pub(super) fn select(call: &LocalCall<'_>) -> Made {
    let [p, x, y] = [0, 1, 2].map(|at| call.operand(at));
    let mut result = x.clone();
    let width = x.width();
    for (at, bytes) in result.as_bytes_mut().chunks_exact_mut(width).enumerate() {
        if element(p, at) == [0] {
            bytes.copy_from_slice(element(y, at));
        }
    }
    Ok(vec![result])
}

/// `clamp(least, x, most)`
pub(super) fn clamp(call: &LocalCall<'_>) -> Made {
    fn each<T: PartialOrd + Copy>(least: &[T], x: &[T], most: &[T]) -> Vec<T> {
        let bound = |bounds: &[T], at: usize| *bounds.get(at).unwrap_or(&bounds[0]);
        let clamped = |(at, &x): (usize, &T)| {
            let (least, most) = (bound(least, at), bound(most, at));
            let x = if x < least { least } else { x };
            if x > most { most } else { x }
        };
        x.iter().enumerate().map(clamped).collect()
    }
    let [least, x, most] = [0, 1, 2].map(|at| Numbers::of(call.operand(at)));
    let numbers = match (least, x, most) {
        (Numbers::Single(a), Numbers::Single(x), Numbers::Single(b)) => {
            Numbers::Single(each(&a, &x, &b))
        }
        (Numbers::Double(a), Numbers::Double(x), Numbers::Double(b)) => {
            Numbers::Double(each(&a, &x, &b))
        }
        (Numbers::Integer(a), Numbers::Integer(x), Numbers::Integer(b)) => {
            Numbers::Integer(each(&a, &x, &b))
        }
        _ => return Err(no_kernel(call)),
    };
    stored(call, numbers, 1)
}
