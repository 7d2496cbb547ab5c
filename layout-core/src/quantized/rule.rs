//! The conversion of numbers to blocks and back.
//!
//! | element | scale | scale of a block | code of `x` |
//! |---|---|---|---|
//! | `s8` | a float | `amax / 127` | `x / scale`, rounded half away from zero |
//! | `s4` | a float | the number of the largest magnitude, the first of several, divided by -8 | `trunc(x / scale + 8.5) - 8`, at most 7 |
//! | a float | `f8e8m0fnu` | 2 to the power of `floor(log2(amax)) - emax` | nearest, ties to even, saturating |
//! | a float | any other | `amax / (max * s)` | `x / (scale * s)`: nearest, ties to even, saturating |
//!
//! `amax` is the largest magnitude of the block, `max` and `emax` are the largest number of the element type and its exponent, and
//! `s` is the scale of the array: 1, or `amax` of the whole array divided by `max * 448`. Integers are divided by the scale before
//! it is rounded to its type, floats by the rounded scale. These are the rules of GGUF (`quantize_row_q8_0_ref`,
//! `quantize_row_q4_0_ref`, `quantize_row_nvfp4_ref`), OCP Microscaling Formats 1.0 (section 6.3) and NVIDIA's FP4 recipe.
//! `in blocks`, `f4e2m1fn` rounds ties to the smaller magnitude, and `f8e4m3fn` scales of blocks of 16 elements are converted
//! as unsigned numbers, as in GGUF.

use super::code::{
    SmallFloat, Ties, element_value, exponent, power_of_two, scale_bits, scale_value,
    unsigned_scale_bits, unsigned_scale_value,
};
use super::spec::{Arrangement, MAX_BLOCK, QuantizedSpec};
use crate::dtype::DType;

/// Why [`QuantizedSpec::pack_block`] cannot pack numbers.
///
/// ```
/// use tensor_layout::quantized::{QuantizedSpec, Rejected};
/// let spec: QuantizedSpec = "q8_0[1,32]".parse()?;
/// let (mut elements, mut scale) = ([0; 32], [0; 2]);
/// let rejected = spec.pack_block(&[f32::NAN; 32], 1.0, &mut elements, &mut scale);
/// assert_eq!(rejected, Err(Rejected::NotFinite(0)));
/// # Ok::<(), tensor_layout::ParseError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rejected {
    /// A number is infinite or not a number: its position in the block.
    NotFinite(usize),
    /// The scale of the block is past the largest number of its type.
    ScaleOverflow,
}

impl QuantizedSpec {
    /// The scale of the whole array; 1 if it has none. `largest` is the largest magnitude in the array.
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
    /// If a number is not finite, or the scale is too large for its type. `elements` and `scale` are then unchanged.
    ///
    /// # Panics
    /// If `values`, `elements` or `scale` does not have the length of a block, of its elements' bytes or of a scale.
    pub fn pack_block(
        &self,
        values: &[f32],
        tensor_scale: f32,
        elements: &mut [u8],
        scale: &mut [u8],
    ) -> Result<(), Rejected> {
        assert_eq!(values.len(), self.block());
        // Magnitudes have the order of their bits, with NaNs above infinity.
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
                let (bits, step) = self.float_scale(&format, amax, tensor_scale)?;
                self.float_codes(&format, step, values, codes);
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
        if !self.scale_number(bits).is_finite() {
            return Err(Rejected::ScaleOverflow);
        }
        self.store_codes(codes, elements);
        scale.copy_from_slice(&bits.to_le_bytes()[..self.scale().byte_width()]);
        Ok(())
    }

    /// The bits of the scale of a block of small floats whose largest magnitude is `amax`, and the number that the element 1
    /// represents.
    fn float_scale(
        &self,
        format: &SmallFloat,
        amax: f32,
        tensor_scale: f32,
    ) -> Result<(u32, f32), Rejected> {
        if self.scale() == DType::F8E8M0FNU {
            let power = (exponent(amax) - format.max_exponent()).clamp(-127, 127);
            return Ok(((power + 127) as u32, power_of_two(power)));
        }
        let unit = format.max() * tensor_scale;
        let quotient = if unit == 0.0 { 0.0 } else { amax / unit };
        // `f8e4m3fn` has no infinity; 464 is halfway from its largest number, 448, to the next one, 480. With a scale of the whole
        // array, quotients are larger only if that scale is subnormal.
        if self.scale() == DType::F8E4M3FN && !self.has_tensor_scale() && quotient > 464.0 {
            return Err(Rejected::ScaleOverflow);
        }
        let bits = match self.has_unsigned_scales() {
            true => unsigned_scale_bits(quotient).into(),
            false => scale_bits(self.scale(), quotient),
        };
        Ok((bits, self.scale_number(bits) * tensor_scale))
    }

    /// Writes the codes of numbers, for elements that are small floats.
    fn float_codes(&self, format: &SmallFloat, step: f32, values: &[f32], codes: &mut [u8]) {
        let ties = match (self.element(), self.arrangement()) {
            (DType::F4E2M1FN, Arrangement::Blocks) => Ties::Zero,
            _ => Ties::Even,
        };
        if step != 0.0 {
            for (code, x) in codes.iter_mut().zip(values) {
                *code = format.encode(x / step, ties);
            }
        }
    }

    /// Writes the numbers of a block to `values`: the number of each element times the scale of the block, times the scale of
    /// the array.
    ///
    /// # Panics
    /// If `values` or `elements` does not have the length of a block or of its elements' bytes, or if `scale` is too short.
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

    /// The scale at the start of `bytes`.
    ///
    /// # Panics
    /// If there are fewer bytes than a scale has.
    pub fn scale_of(&self, bytes: &[u8]) -> f32 {
        let width = self.scale().byte_width();
        let mut word = [0; size_of::<u32>()];
        word[..width].copy_from_slice(&bytes[..width]);
        self.scale_number(u32::from_le_bytes(word))
    }

    /// The number that the bits of a scale represent: [`scale_value`], except in `nvfp4_gguf`, where scales have no sign and the code
    /// `0x7F` is zero.
    ///
    /// ```
    /// use tensor_layout::quantized::QuantizedSpec;
    /// let spec = |text: &str| text.parse::<QuantizedSpec>().unwrap();
    /// assert_eq!(spec("nvfp4[1,64]").scale_number(0xB8), -1.0);
    /// assert_eq!(spec("nvfp4_gguf[1,64]").scale_number(0xB8), 1.0);
    /// ```
    pub fn scale_number(&self, bits: u32) -> f32 {
        match self.has_unsigned_scales() {
            true => unsigned_scale_value(bits as u8),
            false => scale_value(self.scale(), bits),
        }
    }

    /// Whether scales are GGUF's unsigned numbers of 8 bits.
    const fn has_unsigned_scales(&self) -> bool {
        self.blocks_together() > 1
    }

    /// A bound on the difference between a number and its packed value. `amax` is the largest magnitude in the number's block,
    /// `largest` the largest magnitude in the whole array.
    ///
    /// | format | bound |
    /// |---|---|
    /// | `q8_0` | `amax * 0.00443 + 3.8e-6` |
    /// | `q4_0` | `amax * 0.1256 + 2.4e-7` |
    /// | `mxfp4` | `amax / 4`, at least 2^-129 |
    /// | `mxfp8` | `amax / 8`, at least 2^-137 |
    /// | `mxfp8_e5m2` | `amax / 8`, at least 2^-144 |
    /// | `nvfp4` | `amax * 0.178 + largest * 2.2e-6` |
    /// | `nvfp4_gguf` | `amax * 0.178 + 0.012`; 448 if `amax` is 1488 or more |
    ///
    /// The bound combines half a step of the elements (a whole step if the largest number saturates) with the error that
    /// rounding the scale causes in the largest number: a relative one, plus an absolute one if the scale is subnormal. Another
    /// 2^-120 covers blocks so small that the step is not a normal `f32`.
    pub fn error_bound(&self, amax: f32, largest: f32) -> f32 {
        // The relative error of rounding a scale, and the absolute one of a subnormal scale.
        let (relative, absolute) = match self.scale() {
            DType::F16 => (power_of_two(-11), power_of_two(-25)),
            // 7.9 * 2^-9 becomes 7 * 2^-9: the error may be a whole step.
            DType::F8E4M3FN if self.has_unsigned_scales() => (power_of_two(-4), power_of_two(-9)),
            DType::F8E4M3FN => (power_of_two(-4), power_of_two(-10)),
            DType::F8E8M0FNU => (0.0, 0.0),
            _ => (power_of_two(-24), power_of_two(-149)),
        };
        let (steps, coarsest, least) = match self.element() {
            // The largest code, and half of the coarsest step between two codes.
            DType::S8 => (127.0, 0.5, 0.0),
            // A whole step: the largest magnitude has the code -8, but its negative only 7.
            DType::S4 => (8.0, 1.0, 0.0),
            DType::F4E2M1FN => (6.0, 1.0, 0.25),
            DType::F8E4M3FN => (448.0, 16.0, power_of_two(-10)),
            _ => (57344.0, 4096.0, power_of_two(-17)),
        };
        let rounding = 1.0 + power_of_two(-20);
        if self.scale() == DType::F8E8M0FNU {
            // Numbers above the largest one saturate: 8 becomes 6, 512 becomes 448, and 65536 becomes 57344.
            let saturated = if self.element() == DType::F4E2M1FN { 0.25 } else { 0.125 };
            return (amax * saturated).max(least * power_of_two(-127));
        }
        // A scale that would be rounded to 256 or more is 448.
        if self.has_unsigned_scales() && amax >= 6.0 * 248.0 {
            return 448.0 * rounding;
        }
        let unit = self.tensor_scale_for(largest);
        let of_scale = amax * relative + steps * absolute * unit;
        let step = amax / steps * (1.0 + relative) + absolute * unit;
        // Integers are divided by the scale before it is rounded, so both errors add up. Floats are divided by the rounded
        // scale, whose error matters only where they saturate.
        let bound = match self.element() {
            DType::S8 | DType::S4 => amax / steps * coarsest + of_scale,
            _ => (step * coarsest).max(of_scale),
        };
        bound * rounding + power_of_two(-120)
    }

    /// The byte of element `at` of a block, and whether the element is in its high bits: in `blocks`, elements 4 and 20 share
    /// byte 4, and 20 is in the high bits.
    #[inline]
    const fn position(&self, at: usize) -> (usize, bool) {
        match self.pair_distance() {
            None => (at, false),
            Some(distance) => {
                (at / (2 * distance) * distance + at % distance, at / distance % 2 == 1)
            }
        }
    }

    /// The bits to flip in a stored code: adding 8 to a number of 4 bits flips the highest one.
    const fn excess(&self) -> u8 {
        match (self.element(), self.arrangement()) {
            (DType::S4, Arrangement::Blocks) => 8,
            _ => 0,
        }
    }

    /// Writes codes to the bytes of the elements.
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

/// The factor that replaces a division by `step`; zero if it would not be finite, so that all codes are zero.
fn inverse(step: f32) -> f32 {
    let inverse = 1.0 / step;
    if inverse.is_finite() { inverse } else { 0.0 }
}

/// The nearest whole number; a number halfway between two is rounded to the one further from zero. `x` must be between -128 and
/// 128.
fn round_half_away(x: f32) -> f32 {
    let whole = x as i32 as f32;
    // Exact: the fraction has no more bits than `x`.
    let past = x - whole;
    whole + if past >= 0.5 { 1.0 } else { 0.0 } - if past <= -0.5 { 1.0 } else { 0.0 }
}
