//! Operations on the bits of elements.

use super::super::numbers::Numbers;
use super::{Failed, LocalCall, Made};
use alloc::string::ToString;
use alloc::vec;
use half::{bf16, f16};
use layout_core::dtype::DType;

/// `popcnt(x)` and `count_leading_zeros(x)`
pub(super) fn count(call: &LocalCall<'_>) -> Made {
    let x = call.operand(0);
    let Numbers::Integer(numbers) = Numbers::of(x) else {
        return Err(Failed::Not("its elements are not integers".to_string()));
    };
    let bits = x.dtype().bits() as u32;
    let counted = |number: i128| -> i128 {
        let own = number as u128 & (u128::MAX >> (128 - bits.clamp(1, 128)));
        match call.name {
            "popcnt" => own.count_ones().into(),
            _ => (own.leading_zeros() - (128 - bits)).into(),
        }
    };
    let numbers = Numbers::Integer(numbers.into_iter().map(counted).collect());
    Ok(vec![numbers.store(x.dtype(), x.dims())?])
}

/// `next_after(x, y)`: the next number after `x` in the direction of `y`.
pub(super) fn next_after(call: &LocalCall<'_>) -> Made {
    let x = call.operand(0);
    macro_rules! next {
        ($x:ident, $y:ident, $Kind:ident, $T:ty) => {{
            let next = |(x, y): ($T, $T)| match (x, y) {
                (x, y) if x.is_nan() || y.is_nan() => <$T>::NAN,
                (x, y) if x == y => y,
                (x, y) if x < y => x.next_up(),
                (x, _) => x.next_down(),
            };
            Numbers::$Kind($x.into_iter().zip($y).map(next).collect())
        }};
    }
    // A narrow type is computed in `f32`, whose next number is not the next number of the type.
    let narrow: Option<fn(f32, f32) -> f32> = match x.dtype() {
        DType::BF16 => {
            Some(|x, y| bf16::from_bits(next_bits(bf16::from_f32(x).to_bits(), x, y)).to_f32())
        }
        DType::F16 => {
            Some(|x, y| f16::from_bits(next_bits(f16::from_f32(x).to_bits(), x, y)).to_f32())
        }
        _ => None,
    };
    let numbers = match (Numbers::of(x), Numbers::of(call.operand(1))) {
        (Numbers::Single(x), Numbers::Single(y)) if let Some(next) = narrow => {
            let next = |(x, y): (f32, f32)| match (x, y) {
                (x, y) if x.is_nan() || y.is_nan() => f32::NAN,
                (x, y) if x == y => y,
                (x, y) => next(x, y),
            };
            Numbers::Single(x.into_iter().zip(y).map(next).collect())
        }
        (Numbers::Single(x), Numbers::Single(y)) => next!(x, y, Single, f32),
        (Numbers::Double(x), Numbers::Double(y)) => next!(x, y, Double, f64),
        _ => return Err(Failed::Not("there is no kernel for elements of this type".to_string())),
    };
    Ok(vec![numbers.store(x.dtype(), x.dims())?])
}

/// The bits of the number next to `x` in the direction of `y`, which differs; `bits` are those of `x`.
fn next_bits(bits: u16, x: f32, y: f32) -> u16 {
    match x {
        0.0 if y > 0.0 => 1,
        0.0 => 1 | 1 << 15,
        // The numbers of each sign are in the order of their bits.
        x if (x < y) == (x > 0.0) => bits + 1,
        _ => bits - 1,
    }
}

/// `reduce_precision(x)` in MLIR: elements with fewer bits of the exponent and of the mantissa, in their own type.
pub(super) fn reduce_precision(call: &LocalCall<'_>) -> Made {
    let x = call.operand(0);
    let bits = |name: &str| call.attributes.named_number(name).unwrap_or(0).min(63) as u32;
    let (exponent, mantissa) = (bits("exponent"), bits("mantissa"));
    let own = match x.dtype() {
        DType::F64 => 11,
        DType::F32 | DType::BF16 => 8,
        DType::F16 | DType::F8E5M2 => 5,
        _ => 4,
    };
    let reduced = |number: f64| less_precise(number, own, exponent, mantissa);
    let numbers = match Numbers::of(x) {
        Numbers::Single(x) => {
            Numbers::Single(x.into_iter().map(|x| reduced(x.into()) as f32).collect())
        }
        Numbers::Double(x) => Numbers::Double(x.into_iter().map(reduced).collect()),
        Numbers::Integer(_) => {
            return Err(Failed::Not("integers have no precision".to_string()));
        }
    };
    Ok(vec![numbers.store(x.dtype(), x.dims())?])
}

/// A number of a type with `own` bits of the exponent, with the given numbers of bits of the exponent and of the mantissa. A number that
/// is too large becomes infinite, and with fewer bits of the exponent, one that is too small becomes zero.
///
/// With 5 bits of the exponent, 2^16 is infinite, and 2^-15 is zero.
fn less_precise(number: f64, own: u32, exponent: u32, mantissa: u32) -> f64 {
    if !number.is_finite() || number == 0.0 {
        return number;
    }
    let bias = |bits: u32| (1_i64 << (bits - 1)) - 1;
    let power = |number: f64| (number.to_bits() >> 52 & 0x7FF) as i64 - 1023;
    let two_to = |power: i64| match power {
        -1022.. => f64::from_bits(((power + 1023) as u64) << 52),
        _ => f64::from_bits(1 << (power + 1074)),
    };
    // Rounds to the nearest number, and ties to even. Subnormal numbers are equally far apart.
    let last = two_to(power(number).max(1 - bias(own)) - i64::from(mantissa.min(52)));
    let rounded = ((number / last).round_ties_even() * last).copysign(number);
    if exponent == 0 || exponent >= own {
        return rounded;
    }
    let bias = bias(exponent);
    match power(rounded) {
        power if power > bias => f64::INFINITY.copysign(number),
        power if power < 1 - bias => 0.0_f64.copysign(number),
        _ => rounded,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_with_fewer_bits() {
        for (number, expected) in [
            (65536.0, f64::INFINITY),
            (-65520.0, f64::NEG_INFINITY),
            (65519.0, 65504.0),
            (2.0_f64.powi(-15), 0.0),
            (1.0 + 2.0_f64.powi(-11), 1.0),
            (1.0 + 3.0 * 2.0_f64.powi(-11), 1.0 + 2.0_f64.powi(-9)),
        ] {
            assert_eq!(less_precise(number, 8, 5, 10), expected, "{number}");
        }
        assert!(less_precise(f64::NAN, 8, 5, 10).is_nan());
    }

    #[test]
    fn subnormal_numbers_stay_with_all_bits_of_the_exponent() {
        let power = |power: i32| 2.0_f64.powi(power);
        assert_eq!(less_precise(power(-133), 8, 8, 7), power(-133));
        assert_eq!(less_precise(-3.0 * power(-135), 8, 8, 7), -power(-133));
        assert_eq!(less_precise(power(-135), 8, 8, 7), 0.0);
        assert_eq!(less_precise(power(-24), 5, 5, 10), power(-24));
        assert_eq!(less_precise(5e-324, 11, 11, 52), 5e-324);
        assert_eq!(less_precise(f64::MAX, 11, 11, 10), f64::INFINITY);
    }
}
