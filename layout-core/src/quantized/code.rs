//! The codes of elements and scales, and the numbers that they represent.

use crate::dtype::DType;
use crate::dtype::float::{narrow_f16, widen_f16};
use half::f16;

/// How a number halfway between two codes is rounded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ties {
    /// To the even code: the rule of IEEE 754 and of the OCP formats.
    Even,
    /// To the smaller magnitude, and to +0 rather than -0: GGUF searches for the nearest value, and finds this one first.
    Zero,
}

/// A float of up to 8 bits: a sign, an exponent and a mantissa.
#[derive(Clone, Copy)]
pub(super) struct SmallFloat {
    /// Bits of the mantissa.
    mantissa: u32,
    bias: i32,
    /// The code of the largest finite number.
    largest: u8,
    /// The bit of the sign.
    sign: u8,
}

impl SmallFloat {
    pub(super) const E2M1: Self = Self { mantissa: 1, bias: 1, largest: 0x07, sign: 0x08 };
    pub(super) const E4M3: Self = Self { mantissa: 3, bias: 7, largest: 0x7E, sign: 0x80 };
    pub(super) const E5M2: Self = Self { mantissa: 2, bias: 15, largest: 0x7B, sign: 0x80 };

    /// The format of a type; `None` for a type that is not one of these three.
    pub(super) const fn of(dtype: DType) -> Option<Self> {
        match dtype {
            DType::F4E2M1FN => Some(Self::E2M1),
            DType::F8E4M3FN => Some(Self::E4M3),
            DType::F8E5M2 => Some(Self::E5M2),
            _ => None,
        }
    }

    /// The largest finite number: 6, 448 or 57344.
    pub(super) const fn max(self) -> f32 {
        self.decode(self.largest)
    }

    /// The exponent of the largest finite number: 2, 8 or 15.
    pub(super) const fn max_exponent(self) -> i32 {
        (self.largest >> self.mantissa) as i32 - self.bias
    }

    /// The number that a code represents.
    pub(super) const fn decode(self, code: u8) -> f32 {
        let magnitude = code & (self.sign - 1);
        let (exponent, mantissa) =
            (magnitude >> self.mantissa, magnitude & ((1 << self.mantissa) - 1));
        let bits = if magnitude > self.largest {
            // Codes past the largest number are NaNs, except that the first one of e5m2 is infinity.
            if self.mantissa == 2 && mantissa == 0 { 0x7F80_0000 } else { 0x7FC0_0000 }
        } else if exponent == 0 {
            (mantissa as f32 * power_of_two(1 - self.bias - self.mantissa as i32)).to_bits()
        } else {
            ((exponent as i32 - self.bias + 127) as u32) << 23
                | (mantissa as u32) << (23 - self.mantissa)
        };
        let sign = if code & self.sign != 0 { 1 << 31 } else { 0 };
        f32::from_bits(bits | sign)
    }

    /// The code of the nearest finite number. `x` must not be a NaN.
    ///
    /// In f4e2m1fn, the steps between 2 and 4 have size 1, so 2.6 is 2.6 steps, which are rounded to 3. The code is 2 + 3 = 5,
    /// which represents the number 3.
    pub(super) const fn encode(self, x: f32, ties: Ties) -> u8 {
        let magnitude = x.abs();
        let negative = x.is_sign_negative();
        if magnitude >= self.max() {
            return self.largest | if negative { self.sign } else { 0 };
        }
        let least = 1 - self.bias;
        let exponent = if exponent(magnitude) < least { least } else { exponent(magnitude) };
        // The magnitude in steps of the mantissa. Exact, since the factor is a power of two.
        let steps = magnitude * power_of_two(self.mantissa as i32 - exponent);
        let whole = steps as u32;
        let past = steps - whole as f32;
        let up = match ties {
            Ties::Even => past > 0.5 || past == 0.5 && whole % 2 == 1,
            Ties::Zero => past > 0.5,
        };
        // The steps of the least exponent are counted from zero. So are those of larger exponents, whose implicit bit adds one
        // to the exponent in the code.
        let code = ((exponent - least) as u32) << self.mantissa;
        let code = (code + whole + up as u32) as u8;
        let code = if code > self.largest { self.largest } else { code };
        let keeps_sign = matches!(ties, Ties::Even) || code != 0;
        code | if negative && keeps_sign { self.sign } else { 0 }
    }
}

/// 2 to the power of `exponent`, which must be between -149 and 127.
pub(super) const fn power_of_two(exponent: i32) -> f32 {
    f32::from_bits(if exponent >= -126 {
        ((exponent + 127) as u32) << 23
    } else {
        1 << (exponent + 149)
    })
}

/// The exponent of the largest power of two that is at most `magnitude`, also if it is subnormal; -150 for zero.
pub(super) const fn exponent(magnitude: f32) -> i32 {
    let bits = magnitude.to_bits();
    if bits >> 23 > 0 { (bits >> 23) as i32 - 127 } else { 31 - bits.leading_zeros() as i32 - 149 }
}

/// The number that the code of an element represents; 0 for types that elements cannot have. Integers are in two's
/// complement.
///
/// ```
/// use tensor_layout::{DType, quantized::element_value};
/// assert_eq!(element_value(DType::S4, 0xF), -1.0);
/// assert_eq!(element_value(DType::F4E2M1FN, 0b0111), 6.0);
/// ```
pub const fn element_value(element: DType, code: u8) -> f32 {
    match element {
        DType::S8 => code.cast_signed() as f32,
        DType::S4 => ((code << 4).cast_signed() >> 4) as f32,
        _ => match SmallFloat::of(element) {
            Some(format) => format.decode(code),
            None => 0.0,
        },
    }
}

/// The number that the bits of a scale represent.
///
/// ```
/// use tensor_layout::{DType, quantized::scale_value};
/// assert_eq!(scale_value(DType::F8E8M0FNU, 128), 2.0);            // 2 to the power of 128 - 127
/// assert_eq!(scale_value(DType::F16, 0x3C00), 1.0);
/// ```
pub fn scale_value(scale: DType, bits: u32) -> f32 {
    match scale {
        DType::F16 => widen_f16(f16::from_bits(bits as u16)),
        DType::F8E8M0FNU if bits == 0xFF => f32::NAN,
        DType::F8E8M0FNU => power_of_two(bits as i32 - 127),
        DType::F8E4M3FN => SmallFloat::E4M3.decode(bits as u8),
        _ => f32::from_bits(bits),
    }
}

/// The bits of the scale nearest to `value`, which must not be negative if the type of the scale has no sign.
pub(super) fn scale_bits(scale: DType, value: f32) -> u32 {
    match scale {
        DType::F16 => narrow_f16(value).to_bits().into(),
        DType::F8E4M3FN => SmallFloat::E4M3.encode(value, Ties::Even).into(),
        _ => value.to_bits(),
    }
}

/// The bits of the scale nearest to `value`, which must not be negative, as GGUF computes them (`ggml_fp32_to_ue4m3`).
///
/// Ties are rounded up. Numbers from 7.5 * 2^-9 to 2^-6 become 7 * 2^-9, and those that would be rounded to 256 or more become 448.
pub(super) const fn unsigned_scale_bits(value: f32) -> u8 {
    let bits = value.to_bits();
    let exponent = (bits >> 23) as i32 - 127 + 7;
    if exponent <= 0 {
        let steps = (value * 512.0 + 0.5) as u8;
        return if steps > 7 { 7 } else { steps };
    }
    // A mantissa of three bits after rounding, which may carry into the exponent.
    let code = (bits >> 20) as i32 - ((127 - 7) << 3) + (bits >> 19 & 1) as i32;
    if code >= 15 << 3 { SmallFloat::E4M3.largest } else { code as u8 }
}

/// The number that a scale of GGUF represents (`ggml_ue4m3_to_fp32`): the bit of the sign is ignored, and the code that is not a number
/// in `f8e4m3fn` is zero.
pub(super) const fn unsigned_scale_value(code: u8) -> f32 {
    match code & 0x7F {
        0x7F => 0.0,
        code => SmallFloat::E4M3.decode(code),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unsigned_scales_are_rounded_as_documented() {
        for (value, code) in [
            (0.0, 0),
            (0.49 / 512.0, 0),
            (0.5 / 512.0, 1),
            (7.49 / 512.0, 7),
            (7.99 / 512.0, 7),
            (8.0 / 512.0, 8),
            // Halfway between 1 and 1.125, and just below.
            (1.0625, 0x39),
            (1.062_499_9, 0x38),
            (247.9, 0x77),
            (248.0, 0x7E),
            (1e30, 0x7E),
        ] {
            assert_eq!(unsigned_scale_bits(value), code, "{value}");
        }
        for code in 0..=0x77 {
            assert_eq!(unsigned_scale_bits(unsigned_scale_value(code)), code);
            assert_eq!(unsigned_scale_value(code | 0x80), SmallFloat::E4M3.decode(code));
        }
        assert_eq!((unsigned_scale_value(0x7F), unsigned_scale_value(0xFF)), (0.0, 0.0));
    }

    #[test]
    fn codes_are_those_of_microfloat() {
        use tensor_layout::microfloat::{f4e2m1fn, f8e4m3fn, f8e5m2};
        for code in 0..=u8::MAX {
            let expected = [
                (SmallFloat::E4M3, f8e4m3fn::from_bits(code).to_f32()),
                (SmallFloat::E5M2, f8e5m2::from_bits(code).to_f32()),
                (SmallFloat::E2M1, f4e2m1fn::from_bits(code & 15).to_f32()),
            ];
            for (format, expected) in expected {
                let found = format.decode(code & (format.sign | (format.sign - 1)));
                assert!(
                    found.to_bits() == expected.to_bits() || found.is_nan() && expected.is_nan()
                );
            }
        }
    }

    #[test]
    fn a_number_becomes_the_nearest_code() {
        for format in [SmallFloat::E2M1, SmallFloat::E4M3, SmallFloat::E5M2] {
            for code in 0..format.largest {
                let (x, next) = (format.decode(code), format.decode(code + 1));
                let tie = (x + next) / 2.0;
                let beside = |by: i32| f32::from_bits(tie.to_bits().wrapping_add_signed(by));
                for (value, even, zero) in [
                    (x, code, code),
                    (beside(-1), code, code),
                    (tie, code + code % 2, code),
                    (beside(1), code + 1, code + 1),
                ] {
                    assert_eq!(format.encode(value, Ties::Even), even, "{value:e}");
                    assert_eq!(format.encode(value, Ties::Zero), zero, "{value:e}");
                    assert_eq!(format.encode(-value, Ties::Even), even | format.sign, "{value:e}");
                    let sign = if zero == 0 { 0 } else { format.sign };
                    assert_eq!(format.encode(-value, Ties::Zero), zero | sign, "{value:e}");
                }
            }
            for ties in [Ties::Even, Ties::Zero] {
                assert_eq!(format.encode(f32::MAX, ties), format.largest);
                assert_eq!(format.encode(-f32::MAX, ties), format.largest | format.sign);
                assert_eq!(format.encode(f32::from_bits(1), ties), 0);
            }
        }
        let maxima = [SmallFloat::E2M1, SmallFloat::E4M3, SmallFloat::E5M2];
        assert_eq!(maxima.map(SmallFloat::max), [6.0, 448.0, 57344.0]);
        assert_eq!(maxima.map(SmallFloat::max_exponent), [2, 8, 15]);
    }

    #[test]
    fn exponents_are_exact() {
        for power in -149..=127 {
            let x = power_of_two(power);
            assert_eq!(x, 2f64.powi(power) as f32);
            assert_eq!(exponent(x), power);
            let below = f32::from_bits(x.to_bits() - 1);
            assert_eq!(exponent(below), power - 1, "{below:e}");
        }
    }
}
