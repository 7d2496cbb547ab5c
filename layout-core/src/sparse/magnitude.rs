//! Magnitudes that are compared without rounding.

/// The absolute value of a number; any NaN is the largest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Magnitude(u64);

impl Magnitude {
    pub(super) fn of(value: f64) -> Self {
        // The bit patterns of positive numbers are ordered as the numbers are, with infinity last.
        Self(if value.is_nan() { u64::MAX } else { value.to_bits() & (u64::MAX >> 1) })
    }
}

/// The square of the absolute value of a complex number, exactly: its square root would be rounded, and a float may
/// overflow or underflow. A number with a NaN in either part is the largest, then come infinite ones.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum SquaredNorm {
    Zero,
    /// The square is `(whole + rest) * 4^exponent / 2^20`, with `whole` at least 2^124 and less than 2^126, and `rest` below 1. For
    /// 3 + 4i, `whole` is `25 * 2^120`, `rest` is 0 and `exponent` is -50.
    Finite {
        exponent: i32,
        whole: u128,
        rest: Rest,
    },
    Infinite,
    Nan,
}

/// A number below 1: `digits * 2^exponent`, with the highest bit of `digits` set unless all are zero.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Rest {
    exponent: i32,
    digits: u128,
}

/// The number of bits by which the square of a 53-bit mantissa, at least 2^104 and less than 2^106, is shifted up.
const SHIFT: u32 = 20;

impl SquaredNorm {
    pub(super) fn of(re: f64, im: f64) -> Self {
        if re.is_nan() || im.is_nan() {
            return Self::Nan;
        }
        if re.is_infinite() || im.is_infinite() {
            return Self::Infinite;
        }
        let (larger, smaller) = match Magnitude::of(re) > Magnitude::of(im) {
            true => (split(re), split(im)),
            false => (split(im), split(re)),
        };
        let Some((high, exponent)) = larger else { return Self::Zero };
        let (low, below) = smaller.map_or((0, 0), |(low, other)| (low, exponent - other));
        // The unit of `low` is 2^below times smaller than that of `high`, and its square is 4^below times smaller.
        let sum = |shift: u32, below: i32| {
            let square = (low * low) << SHIFT;
            let dropped = 2 * below;
            let whole = if dropped < 128 { square >> dropped } else { 0 };
            let rest = if dropped < 128 { square & !(u128::MAX << dropped) } else { square };
            (((high * high) << shift) + whole, Rest::new(rest, -dropped))
        };
        let (whole, rest) = sum(SHIFT, below);
        match whole >> 126 {
            0 => Self::Finite { exponent, whole, rest },
            _ => {
                let (whole, rest) = sum(SHIFT - 2, below + 1);
                Self::Finite { exponent: exponent + 1, whole, rest }
            }
        }
    }
}

impl Rest {
    fn new(digits: u128, exponent: i32) -> Self {
        match digits.leading_zeros() {
            128 => Self { exponent: i32::MIN, digits },
            zeros => Self { exponent: exponent - zeros as i32, digits: digits << zeros },
        }
    }
}

/// A finite number as 53 bits, the first of which is set, and the exponent of the last bit; `None` for zero.
fn split(value: f64) -> Option<(u128, i32)> {
    let bits = value.to_bits();
    let (exponent, fraction) = ((bits >> 52 & 0x7FF) as i32, bits & ((1 << 52) - 1));
    let (mantissa, exponent) = match exponent {
        0 if fraction == 0 => return None,
        0 => {
            let zeros = fraction.leading_zeros() - 11;
            (fraction << zeros, 1 - zeros as i32)
        }
        _ => (fraction | 1 << 52, exponent),
    };
    Some((mantissa.into(), exponent - 1075))
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::cmp::Ordering;

    fn compare(a: (f64, f64), b: (f64, f64)) -> Ordering {
        SquaredNorm::of(a.0, a.1).cmp(&SquaredNorm::of(b.0, b.1))
    }

    #[test]
    fn squares_neither_round_nor_overflow_nor_underflow() {
        let tiny = f64::from_bits(1);
        for (smaller, larger) in [
            ((0.0, -0.0), (0.0, tiny)),
            ((tiny, 0.0), (tiny, tiny)),
            ((tiny, tiny), (2.0 * tiny, 0.0)),
            ((1e-200, 0.0), (0.0, 2e-200)),
            ((1e200, 0.0), (0.0, 2e200)),
            ((1.0, 1e-9), (2e-9, 1.0)),
            ((1.0, 1e-200), (1.0, 2e-200)),
            ((1.0, 0.0), (1.0, 1e-300)),
            ((1.9, 1.9), (2.7, 0.0)),
            ((2.68, 0.0), (1.9, 1.9)),
            ((f64::MAX, f64::MAX), (f64::INFINITY, 0.0)),
            ((f64::INFINITY, 0.0), (f64::NAN, 0.0)),
        ] {
            assert_eq!(compare(smaller, larger), Ordering::Less, "{smaller:?} {larger:?}");
            assert_eq!(compare(larger, smaller), Ordering::Greater, "{smaller:?} {larger:?}");
        }
        for (a, b) in [
            ((3.0, 4.0), (-5.0, 0.0)),
            ((1e-300, 2e-300), (-2e-300, 1e-300)),
            ((f64::INFINITY, 1.0), (0.0, f64::NEG_INFINITY)),
            ((f64::NAN, 1.0), (0.0, -f64::NAN)),
            ((3.0 * 2f64.powi(-400), 4.0 * 2f64.powi(-400)), (5.0 * 2f64.powi(-400), 0.0)),
            // 33^2 + 56^2 = 63^2 + 16^2 = 65^2: the numbers are on both sides of a power of two.
            ((33.0, 56.0), (63.0, 16.0)),
            ((33.0, 56.0), (65.0, 0.0)),
        ] {
            assert_eq!(compare(a, b), Ordering::Equal, "{a:?} {b:?}");
        }
    }

    #[test]
    fn small_integers_are_compared_as_integers() {
        for number in 0..60 * 60 * 60 * 60 / 97 {
            let [a, b, c, d] = [1, 60, 3600, 216_000].map(|unit| number * 97 / unit % 60);
            let (left, right) = ((a as f64, b as f64), (c as f64, d as f64));
            assert_eq!(compare(left, right), (a * a + b * b).cmp(&(c * c + d * d)));
        }
    }
}
