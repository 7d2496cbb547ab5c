//! The elements of constants.

use super::HostArray;
use super::execute::part;
use super::kernels::is_complex;
use super::numbers::{Number, Numbers};
use crate::sharding::run::RunError;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use layout_core::dtype::{DType, Kind};
use layout_core::sharding::program::{Instruction, Literal, NamedValue};

/// The elements of a constant.
#[derive(Debug)]
pub(super) enum Constant {
    /// All elements have the value of this scalar.
    Splat(HostArray),
    Dense(HostArray),
}

impl Constant {
    /// Reads the elements of a constant; the error states what is wrong with them.
    pub(super) fn of(instruction: &Instruction<'_>, value: &NamedValue) -> Result<Self, String> {
        let Some(literal) = instruction.literal() else {
            return Err("the text does not have its elements".to_string());
        };
        let (dtype, dims) = (value.dtype, &value.dims[..]);
        let fits = |array: Result<HostArray, RunError>| array.map_err(|error| error.to_string());
        match literal {
            Literal::Splat(word) => Ok(Self::Splat(array(dtype, &[], &[word])?)),
            Literal::List(words) => Ok(Self::Dense(array(dtype, dims, &words)?)),
            Literal::Bytes(digits) => {
                let mut bytes = bytes(digits).ok_or("its elements are not hexadecimal digits")?;
                let count = dims.iter().product::<usize>();
                if dtype == DType::PRED {
                    // Older versions of MLIR write 8 truth values as the bits of a byte, the lowest bit first.
                    if bytes.len() != count && bytes.len() == count.div_ceil(8) {
                        bytes = (0..count).map(|at| bytes[at / 8] >> (at % 8) & 1).collect();
                    }
                    bytes.iter_mut().for_each(|byte| *byte = (*byte != 0).into());
                }
                // The bytes of one element are repeated for all elements.
                if bytes.len() == dtype.byte_width() && count != 1 {
                    return fits(HostArray::from_bytes(dtype, &[], bytes)).map(Self::Splat);
                }
                fits(HostArray::from_bytes(dtype, dims, bytes)).map(Self::Dense)
            }
        }
    }

    /// The shard of a device.
    pub(super) fn shard(&self, value: &NamedValue, device: usize) -> Result<HostArray, RunError> {
        match self {
            Self::Dense(array) => part(array, value.shards(), device),
            Self::Splat(scalar) => {
                let mut array = HostArray::repeating(scalar, value.local_dims())?;
                super::clear_padding(&mut array, value.shards(), device)?;
                Ok(array)
            }
        }
    }
}

fn bytes(digits: &str) -> Option<Vec<u8>> {
    let digit = |digit: u8| -> Option<u8> { char::from(digit).to_digit(16)?.try_into().ok() };
    let pairs = digits.as_bytes().chunks(2);
    let byte = |pair: &[u8]| -> Option<u8> { Some(digit(pair[0])? << 4 | digit(*pair.get(1)?)?) };
    pairs.map(byte).collect()
}

/// The element that a word is.
pub(super) fn scalar(dtype: DType, word: &str) -> Option<Number> {
    Some(Numbers::of(&array(dtype, &[], &[word]).ok()?).at(0))
}

/// An integer that the type has. As in MLIR, whose `i8` has no sign, -128 to 255 are elements of `s8`, and 0 to 255 of `u8`.
fn integer(dtype: DType, word: &str) -> Option<i128> {
    let number: i128 = word.parse().ok()?;
    let bits = dtype.bits();
    let least = if matches!(dtype.kind(), Kind::Unsigned) { 0 } else { -(1 << (bits - 1)) };
    (least..1 << bits).contains(&number).then_some(number)
}

/// The array of these numbers and words.
fn array(dtype: DType, dims: &[usize], words: &[&str]) -> Result<HostArray, String> {
    let wrong = |word: &&str| format!("`{word}` is not an element of type `{dtype}`");
    let width = dtype.byte_width();
    let is_float = matches!(dtype.kind(), Kind::Float);
    let mut all = Vec::with_capacity(words.len() * width);
    for word in words {
        // The bits of a number without decimal digits: `0xFF800000` is negative infinity in `f32`.
        if let Some(digits) = word.strip_prefix("0x") {
            let mut bits =
                bytes(digits).filter(|bits| bits.len() == width).ok_or_else(|| wrong(word))?;
            bits.reverse();
            all.extend(bits);
            continue;
        }
        // `(1.0,2.0)`
        if is_complex(dtype) {
            let real = if dtype == DType::C128 { DType::F64 } else { DType::F32 };
            let parts = word.trim_matches(['(', ')']).split_once(',');
            let (re, im) = parts.ok_or_else(|| wrong(word))?;
            let parts = array(real, &[2], &[re.trim(), im.trim()]).map_err(|_| wrong(word))?;
            all.extend_from_slice(parts.as_bytes());
            continue;
        }
        let number = match *word {
            "true" => Some(Numbers::Integer([1].into())),
            "false" => Some(Numbers::Integer([0].into())),
            word if dtype == DType::F64 => {
                word.parse().ok().map(|number| Numbers::Double([number].into()))
            }
            word if is_float => word.parse().ok().map(|number| Numbers::Single([number].into())),
            word => integer(dtype, word).map(|number| Numbers::Integer([number].into())),
        };
        let number = number.ok_or_else(|| wrong(word))?.store(dtype, &[]);
        all.extend_from_slice(number.map_err(|error| error.to_string())?.as_bytes());
    }
    HostArray::from_bytes(dtype, dims, all).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::element::{BF16, F32, PRED, S32};

    #[test]
    fn numbers_and_words_are_elements() {
        let of = |dtype, words: &[&str]| array(dtype, &[words.len()], words).expect("elements");
        let floats = of(DType::F32, &["0xFF800000", "-1.500000e+00", "0x7F800000"]);
        let expected = [f32::NEG_INFINITY, -1.5, f32::INFINITY];
        assert_eq!(floats.values::<F32>().expect("f32"), expected);
        let narrow = of(DType::BF16, &["0x3F80", "2.000000e+00"]).values::<BF16>().expect("bf16");
        assert_eq!(narrow, [1.0, 2.0].map(half::bf16::from_f32));
        assert_eq!(of(DType::S32, &["-7", "2"]).values::<S32>().expect("s32"), [-7, 2]);
        assert_eq!(
            of(DType::PRED, &["true", "false"]).values::<PRED>().expect("pred"),
            [true, false]
        );
        assert!(array(DType::S32, &[1], &["1.5"]).is_err());
        assert!(array(DType::F32, &[2], &["1.5"]).is_err());
        assert!(array(DType::F32, &[1], &["0x80"]).is_err());
        assert_eq!(bytes("01fF"), Some([1, 255].into()));
        assert_eq!(bytes("01f"), None);
    }
}
