//! Operations on the bits of elements.

use super::super::numbers::Numbers;
use super::{Failed, LocalCall, Made};
use alloc::string::ToString;
use alloc::vec;

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
    let is_whole =
        matches!(x.dtype(), layout_core::dtype::DType::F32 | layout_core::dtype::DType::F64);
    let numbers = match (Numbers::of(x), Numbers::of(call.operand(1))) {
        (Numbers::Single(x), Numbers::Single(y)) if is_whole => next!(x, y, Single, f32),
        (Numbers::Double(x), Numbers::Double(y)) => next!(x, y, Double, f64),
        _ => return Err(Failed::Not("there is no kernel for elements of this type".to_string())),
    };
    Ok(vec![numbers.store(x.dtype(), x.dims())?])
}

/// `reduce_precision(x)` in MLIR: elements with fewer bits of the exponent and of the mantissa, in their own type.
pub(super) fn reduce_precision(call: &LocalCall<'_>) -> Made {
    let x = call.operand(0);
    let bits = |name: &str| call.attributes.named_number(name).unwrap_or(0).min(63) as u32;
    let (exponent, mantissa) = (bits("exponent"), bits("mantissa"));
    let reduced = |number: f64| less_precise(number, exponent, mantissa);
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

/// A number with the given numbers of bits of the exponent and of the mantissa. A number that is too large becomes infinite, and a
/// number that is too small becomes zero.
///
/// With 5 bits of the exponent, 2^16 is infinite, and 2^-15 is zero.
fn less_precise(number: f64, exponent: u32, mantissa: u32) -> f64 {
    if !number.is_finite() || number == 0.0 {
        return number;
    }
    let mut bits = number.to_bits();
    if mantissa < 52 {
        let dropped = 52 - mantissa;
        let (half, last) = (1_u64 << (dropped - 1), bits >> dropped & 1);
        // Rounds to the nearest number, and ties to even.
        bits = (bits + (half - 1 + last)) & !((1 << dropped) - 1);
    }
    let rounded = f64::from_bits(bits);
    if exponent == 0 || exponent >= 11 {
        return rounded;
    }
    let bias = (1_i64 << (exponent - 1)) - 1;
    let own = (bits >> 52 & 0x7FF) as i64 - 1023;
    match own {
        own if own > bias => f64::INFINITY.copysign(number),
        own if own < 1 - bias => 0.0_f64.copysign(number),
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
            assert_eq!(less_precise(number, 5, 10), expected, "{number}");
        }
        assert!(less_precise(f64::NAN, 5, 10).is_nan());
    }
}
