//! How numbers become blocks, and blocks numbers.
//!
//! | element | scale | scale of a block | code of `x` |
//! |---|---|---|---|
//! | `s8` | a float | `amax / 127` | `x / scale`, rounded half away from zero |
//! | `s4` | a float | the number of the largest magnitude, the first of several, divided by -8 | `trunc(x / scale + 8.5) - 8`, at most 7 |
//! | a float | `f8e8m0fnu` | 2 to the power of `floor(log2(amax)) - emax` | nearest, ties to even, saturating |
//! | a float | any other | `amax / (max * s)` | `x / (scale * s)`: nearest, ties to even, saturating |
//!
//! `amax` is the largest magnitude of the block, `max` and `emax` are the largest number of the element type and its
//! exponent, and `s` is the scale of the array: 1, or `amax` of the whole array divided by `max * 448`. Integers are divided
//! by the scale before it is rounded to its type, floats by the rounded one. This is what GGUF (`quantize_row_q8_0_ref`,
//! `quantize_row_q4_0_ref`), OCP Microscaling Formats 1.0 (section 6.3) and NVIDIA's FP4 recipe do. `in blocks`,
//! `f4e2m1fn` rounds ties to the smaller magnitude, as GGUF does.

use super::code::{
    SmallFloat, Ties, element_value, exponent, power_of_two, scale_bits, scale_value,
};
use super::spec::{Arrangement, MAX_BLOCK, QuantizedSpec};
use crate::dtype::DType;

/// Why numbers cannot be packed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rejected {
    /// A number is infinite or not a number: its position in the block.
    NotFinite(usize),
    /// The scale of the block is past the largest number of its type.
    ScaleOverflow,
}

/// Elements of a group: of each 32 in `blocks`, the first 16 share bytes with the others.
const GROUP: usize = 32;

impl QuantizedSpec {
    /// The scale of the whole array: 1 if it has none. `largest` is the largest magnitude in it.
    pub fn tensor_scale_for(&self, largest: f32) -> f32 {
        match SmallFloat::of(self.element()) {
            Some(format) if self.has_tensor_scale() => {
                largest / (format.max() * SmallFloat::E4M3.max())
            }
            _ => 1.0,
        }
    }

    /// Quantizes a block: writes the bytes of its elements and of its scale.
    ///
    /// # Errors
    /// If a number is not finite, or the type of the scales has no such scale. `elements` and `scale` keep their bytes then.
    ///
    /// # Panics
    /// If a slice does not have the length of a block, of its elements' bytes or of a scale.
    pub fn pack_block(
        &self,
        values: &[f32],
        tensor_scale: f32,
        elements: &mut [u8],
        scale: &mut [u8],
    ) -> Result<(), Rejected> {
        assert_eq!(values.len(), self.block());
        // Magnitudes are ordered as their bits are; a NaN is above infinity.
        let magnitude = |x: &f32| x.to_bits() & 0x7FFF_FFFF;
        let largest = values.iter().map(magnitude).max().unwrap_or(0);
        if largest >= f32::INFINITY.to_bits() {
            let at = values.iter().position(|x| !x.is_finite());
            return Err(Rejected::NotFinite(at.unwrap_or(0)));
        }
        let amax = f32::from_bits(largest);
        let mut codes = [0; MAX_BLOCK];
        let codes = &mut codes[..values.len()];
        let bits = match (self.element(), SmallFloat::of(self.element())) {
            (DType::S4, _) => {
                let first = values.iter().find(|x| magnitude(x) == largest);
                let step = first.copied().unwrap_or(0.0) / -8.0;
                let inverse = inverse(step);
                for (code, x) in codes.iter_mut().zip(values) {
                    *code = ((x * inverse + 8.5) as u8).min(15).wrapping_sub(8) & 15;
                }
                scale_bits(self.scale(), step)
            }
            (_, Some(format)) => {
                let (bits, step) = match self.scale() {
                    DType::F8E8M0FNU => {
                        let power = (exponent(amax) - format.max_exponent()).clamp(-127, 127);
                        ((power + 127) as u32, power_of_two(power))
                    }
                    scale => {
                        let unit = format.max() * tensor_scale;
                        let quotient = if unit == 0.0 { 0.0 } else { amax / unit };
                        let bits = scale_bits(scale, quotient);
                        (bits, scale_value(scale, bits) * tensor_scale)
                    }
                };
                let ties = match (self.element(), self.arrangement()) {
                    (DType::F4E2M1FN, Arrangement::Blocks) => Ties::Zero,
                    _ => Ties::Even,
                };
                if step != 0.0 {
                    for (code, x) in codes.iter_mut().zip(values) {
                        *code = format.encode(x / step, ties);
                    }
                }
                bits
            }
            _ => {
                let step = amax / 127.0;
                let inverse = inverse(step);
                for (code, x) in codes.iter_mut().zip(values) {
                    *code = (round_half_away(x * inverse) as i8).cast_unsigned();
                }
                scale_bits(self.scale(), step)
            }
        };
        if !scale_value(self.scale(), bits).is_finite() {
            return Err(Rejected::ScaleOverflow);
        }
        self.store_codes(codes, elements);
        scale.copy_from_slice(&bits.to_le_bytes()[..self.scale().byte_width()]);
        Ok(())
    }

    /// The numbers of a block: each is its element's number times the scale, times the scale of the array.
    ///
    /// # Panics
    /// If a slice does not have the length of a block, of its elements' bytes or of a scale.
    pub fn unpack_block(
        &self,
        elements: &[u8],
        scale: &[u8],
        tensor_scale: f32,
        values: &mut [f32],
    ) {
        assert_eq!((values.len(), elements.len()), (self.block(), self.block_element_bytes()));
        let scale = self.scale_of(scale);
        for (at, value) in values.iter_mut().enumerate() {
            *value = self.element_of(elements, at) * scale * tensor_scale;
        }
    }

    /// The number of element `at` of a block, without its scale.
    ///
    /// # Panics
    /// If the bytes end before the element.
    #[inline]
    pub fn element_of(&self, elements: &[u8], at: usize) -> f32 {
        let (byte, high) = self.position(at);
        let stored = elements[byte];
        let code = match self.element().bits() {
            8 => stored,
            _ => (if high { stored >> 4 } else { stored & 15 }) ^ self.excess(),
        };
        element_value(self.element(), code)
    }

    /// The scale that some bytes start with.
    ///
    /// # Panics
    /// If there are fewer bytes than a scale has.
    pub fn scale_of(&self, bytes: &[u8]) -> f32 {
        let width = self.scale().byte_width();
        let mut word = [0; size_of::<u32>()];
        word[..width].copy_from_slice(&bytes[..width]);
        scale_value(self.scale(), u32::from_le_bytes(word))
    }

    /// A bound of the difference between a number and its packed value. `amax` is the largest magnitude of the number's
    /// block, `largest` that of the whole array.
    ///
    /// | format | bound |
    /// |---|---|
    /// | `q8_0` | `amax * 0.00443 + 3.8e-6` |
    /// | `q4_0` | `amax * 0.1256 + 2.4e-7` |
    /// | `mxfp4` | `amax / 4`, at least 2^-129 |
    /// | `mxfp8` | `amax / 8`, at least 2^-137 |
    /// | `mxfp8_e5m2` | `amax / 8`, at least 2^-144 |
    /// | `nvfp4` | `amax * 0.178 + largest * 2.2e-6` |
    ///
    /// Half a step of the elements, or a whole one where the largest number is saturated, and what rounding the scale moves
    /// the largest number by: a relative and, where the scale is subnormal, an absolute amount. Blocks so small that
    /// computing the step leaves the range of normal `f32` are bounded by 2^-120 more.
    pub fn error_bound(&self, amax: f32, largest: f32) -> f32 {
        // The relative error of rounding a scale, and the absolute one of a subnormal scale.
        let (relative, absolute) = match self.scale() {
            DType::F16 => (power_of_two(-11), power_of_two(-25)),
            DType::F8E4M3FN => (power_of_two(-4), power_of_two(-10)),
            DType::F8E8M0FNU => (0.0, 0.0),
            _ => (power_of_two(-24), power_of_two(-149)),
        };
        let (steps, coarsest, least) = match self.element() {
            // The largest code, and half a step.
            DType::S8 => (127.0, 0.5, 0.0),
            // -8 stands for the largest magnitude, and 7 for its opposite.
            DType::S4 => (8.0, 1.0, 0.0),
            DType::F4E2M1FN => (6.0, 1.0, 0.25),
            DType::F8E4M3FN => (448.0, 16.0, power_of_two(-10)),
            _ => (57344.0, 4096.0, power_of_two(-17)),
        };
        let rounding = 1.0 + power_of_two(-20);
        if self.scale() == DType::F8E8M0FNU {
            // Above the largest number: 8 becomes 6, 512 becomes 448, 65536 becomes 57344.
            let saturated = if self.element() == DType::F4E2M1FN { 0.25 } else { 0.125 };
            return (amax * saturated).max(least * power_of_two(-127));
        }
        let unit = self.tensor_scale_for(largest);
        let of_scale = amax * relative + steps * absolute * unit;
        let step = amax / steps * (1.0 + relative) + absolute * unit;
        // An integer is not divided by the rounded scale: both errors add up. A float is, and saturates only at the top.
        let bound = match self.element() {
            DType::S8 | DType::S4 => amax / steps * coarsest + of_scale,
            _ => (step * coarsest).max(of_scale),
        };
        bound * rounding + power_of_two(-120)
    }

    /// The byte of element `at` of a block, and whether it is in the high bits.
    #[inline]
    const fn position(&self, at: usize) -> (usize, bool) {
        match (self.element().bits(), self.arrangement()) {
            (8, _) => (at, false),
            (_, Arrangement::Planes) => (at / 2, at % 2 == 1),
            (_, Arrangement::Blocks) => {
                (at / GROUP * (GROUP / 2) + at % (GROUP / 2), at % GROUP >= GROUP / 2)
            }
        }
    }

    /// What is flipped in the stored codes: adding 8 to 4 bits flips the highest.
    const fn excess(&self) -> u8 {
        match (self.element(), self.arrangement()) {
            (DType::S4, Arrangement::Blocks) => 8,
            _ => 0,
        }
    }

    /// Writes codes as they are stored.
    fn store_codes(&self, codes: &[u8], elements: &mut [u8]) {
        if self.element().bits() == 8 {
            return elements.copy_from_slice(codes);
        }
        elements.fill(0);
        for (at, code) in codes.iter().enumerate() {
            let (byte, high) = self.position(at);
            elements[byte] |= (code ^ self.excess()) << if high { 4 } else { 0 };
        }
    }
}

/// What numbers are multiplied by in place of a division; zero where it would be infinite, so that their codes are zero.
fn inverse(step: f32) -> f32 {
    let inverse = 1.0 / step;
    if inverse.is_finite() { inverse } else { 0.0 }
}

/// The nearest whole number, of two the one further from zero. `x` is between -128 and 128.
fn round_half_away(x: f32) -> f32 {
    let whole = x as i32 as f32;
    // Exact: the part behind the point has no more bits than `x`.
    let past = x - whole;
    whole + if past >= 0.5 { 1.0 } else { 0.0 } - if past <= -0.5 { 1.0 } else { 0.0 }
}
