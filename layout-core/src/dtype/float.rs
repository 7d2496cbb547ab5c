//! Conversions between 16-bit floats and `f32`, without branches, so that loops over them are compiled to vector code.

use half::{bf16, f16};

/// Converts to `f32`, exactly.
#[inline(always)]
pub fn widen_bf16(x: bf16) -> f32 {
    f32::from_bits(u32::from(x.to_bits()) << 16)
}

/// Rounds to nearest, ties to even; a NaN becomes a quiet NaN.
#[inline(always)]
pub fn narrow_bf16(x: f32) -> bf16 {
    let bits = x.to_bits();
    // Adds half of the last bit that is kept, or one less if that bit is 0: the tie 0x3F80_8000 becomes 0x3F80, and the tie
    // 0x3F81_8000 becomes 0x3F82.
    let rounded = bits.wrapping_add(0x7FFF + (bits >> 16 & 1));
    bf16::from_bits((if x.is_nan() { bits | 0x40_0000 } else { rounded } >> 16) as u16)
}

/// Converts to `f32`, exactly.
#[inline(always)]
pub fn widen_f16(x: f16) -> f32 {
    let bits = u32::from(x.to_bits());
    let (sign, magnitude) = ((bits & 0x8000) << 16, (bits & 0x7FFF) << 13);
    // The biases of the exponents differ by 127 - 15 = 112. Multiplying by 2^112 also makes subnormal numbers normal: the f16
    // with the bits 1 is read as the f32 2^-136, and 2^-136 * 2^112 = 2^-24.
    let scaled = (f32::from_bits(magnitude) * f32::from_bits((127 + 112) << 23)).to_bits();
    let finite = magnitude < 31 << 23;
    f32::from_bits(sign | if finite { scaled } else { magnitude | 0xFF << 23 })
}

/// Rounds to nearest, ties to even; a NaN becomes a quiet NaN.
#[inline(always)]
pub fn narrow_f16(x: f32) -> f16 {
    let bits = x.to_bits();
    let (sign, magnitude) = (bits >> 16 & 0x8000, bits & 0x7FFF_FFFF);
    // Subnormal: an f32 between 0.5 and 1 counts in steps of 2^-24, as a subnormal f16 does. So adding 0.5 rounds the number
    // to such steps, and the bits of the sum minus those of 0.5 are their number.
    let half = f32::from_bits(126 << 23);
    let subnormal = (f32::from_bits(magnitude) + half).to_bits().wrapping_sub(half.to_bits());
    let bias = magnitude.wrapping_sub(112 << 23);
    let normal = bias.wrapping_add(0xFFF + (magnitude >> 13 & 1)) >> 13;
    let nan_or_infinite =
        if magnitude > 0xFF << 23 { 0x7E00 | magnitude >> 13 & 0x3FF } else { 0x7C00 };
    let rounded = match magnitude {
        ..0x3880_0000 => subnormal,
        0x3880_0000..0x4780_0000 => normal,
        _ => nan_or_infinite,
    };
    f16::from_bits((sign | rounded) as u16)
}

/// The nearest `f16`, ties to even. Rounds once, whereas a conversion to the nearest `f32` first would round twice.
pub fn f16_from_f64(x: f64) -> f16 {
    narrow_f16(round_to_odd(x))
}

/// The nearest `bf16`, ties to even. Rounds once, as [`f16_from_f64`] does.
pub fn bf16_from_f64(x: f64) -> bf16 {
    narrow_bf16(round_to_odd(x))
}

/// Rounds to odd: drops the bits that an `f32` does not have, and sets the last bit that is left if any of them was set.
/// Rounding the result to fewer bits gives the same as rounding the number once: `1 + 2^-11 + 2^-40` becomes
/// `1 + 2^-11 + 2^-23`, which is not a tie between two `f16`s, while the nearest `f32`, `1 + 2^-11`, is one.
pub fn round_to_odd(x: f64) -> f32 {
    let near = x as f32;
    let back = f64::from(near);
    if back == x || x.is_nan() {
        return near;
    }
    let bits = near.to_bits();
    f32::from_bits(if back.abs() > x.abs() { bits - 1 } else { bits } | 1)
}

/// An integer as an `f64`, rounded to odd as [`round_to_odd`] does, so that rounding the result to fewer bits gives the same as
/// rounding the integer once.
pub fn integer_to_odd(x: i128) -> f64 {
    let near = x as f64;
    let back = near as i128;
    if back == x {
        return near;
    }
    let bits = near.to_bits();
    f64::from_bits(if back.unsigned_abs() > x.unsigned_abs() { bits - 1 } else { bits } | 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widening_is_exact_and_narrowing_gives_it_back() {
        for bits in 0..=u16::MAX {
            let (b, h) = (bf16::from_bits(bits), f16::from_bits(bits));
            let (wide_b, wide_h) = (widen_bf16(b), widen_f16(h));
            assert!(b.is_nan() && wide_b.is_nan() || wide_b.to_bits() == b.to_f32().to_bits());
            assert!(h.is_nan() && wide_h.is_nan() || wide_h.to_bits() == h.to_f32().to_bits());
            assert!(b.is_nan() && narrow_bf16(wide_b).is_nan() || narrow_bf16(wide_b) == b);
            assert!(h.is_nan() && narrow_f16(wide_h).is_nan() || narrow_f16(wide_h) == h);
        }
    }

    #[test]
    fn narrowing_rounds_as_half_does() {
        // All exponents and signs, and mantissas around the ties.
        for high in 0..=u16::MAX {
            for low in [0, 1, 0x0FFF, 0x1000, 0x1001, 0x3000, 0x7FFF, 0x8000, 0x8001, 0xFFFF] {
                let x = f32::from_bits(u32::from(high) << 16 | low);
                let (b, h) = (narrow_bf16(x), narrow_f16(x));
                assert!(x.is_nan() && b.is_nan() || b.to_bits() == bf16::from_f32(x).to_bits());
                assert!(
                    x.is_nan() && h.is_nan() || h.to_bits() == f16::from_f32(x).to_bits(),
                    "{x:e}"
                );
            }
        }
    }

    #[test]
    fn numbers_beside_a_tie_are_rounded_once() {
        for bits in 0..0x7C00 {
            let (x, next) = (f16::from_bits(bits).to_f64(), f16::from_bits(bits + 1));
            let next = if next.is_infinite() { 65_536.0 } else { next.to_f64() };
            let tie = (x + next) / 2.0;
            let at = |by: i64| f16_from_f64(f64::from_bits((tie.to_bits() as i64 + by) as u64));
            assert_eq!((at(-1).to_bits(), at(1).to_bits()), (bits, bits + 1), "{tie:e}");
            assert_eq!(at(0).to_bits(), bits + bits % 2, "{tie:e}");
        }
        for bits in (0..0x7F80).step_by(7) {
            let [x, next] = [bits, bits + 1].map(|bits| bf16::from_bits(bits).to_f64());
            let tie = if next.is_finite() { (x + next) / 2.0 } else { continue };
            let at = |by: i64| bf16_from_f64(f64::from_bits((tie.to_bits() as i64 + by) as u64));
            assert_eq!((at(-1).to_bits(), at(1).to_bits()), (bits, bits + 1), "{tie:e}");
        }
        assert_eq!(
            (f16_from_f64(-1e300), bf16_from_f64(1e39)),
            (f16::NEG_INFINITY, bf16::INFINITY)
        );
        assert!(f16_from_f64(f64::NAN).is_nan() && bf16_from_f64(-1e-300).to_bits() == 0x8000);
    }

    #[test]
    fn integers_beside_a_tie_are_rounded_once() {
        // Numbers of `bf16` near 2^62 are 2^55 apart.
        let tie = (1_i128 << 62) + (1 << 54);
        let at = |by: i128| bf16_from_f64(integer_to_odd(tie + by)).to_bits();
        let low = bf16::from_f32(2f32.powi(62)).to_bits();
        assert_eq!([at(-1), at(0), at(1)], [low, low, low + 1]);
        let negative = |by: i128| bf16_from_f64(integer_to_odd(-tie - by)).to_bits();
        assert_eq!(
            [negative(-1), negative(0), negative(1)],
            [low, low, low + 1].map(|x| x | 0x8000)
        );
        for x in [0, 1, -1, i128::from(i64::MIN), 1 << 53, 1 << 90] {
            assert_eq!(integer_to_odd(x) as i128, x);
        }
    }
}
