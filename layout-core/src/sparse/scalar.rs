use crate::dtype::DType;
use crate::dtype::float::{bf16_from_f64, f16_from_f64};
use crate::text::Text;
use alloc::format;
use alloc::string::{String, ToString};
use core::fmt;
use half::{bf16, f16};

/// A type of values in an encoding, as MLIR writes it.
///
/// ```
/// use tensor_layout::sparse::ScalarType;
/// assert_eq!(ScalarType::from_name("i8"), Some(ScalarType::Integer(8)));
/// assert_eq!(ScalarType::Complex32.to_string(), "complex<f32>");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ScalarType {
    /// `f16`
    F16,
    /// `bf16`
    BF16,
    /// `f32`
    F32,
    /// `f64`
    F64,
    /// `i1` to `i64`
    Integer(u8),
    /// `index`
    Index,
    /// `complex<f32>`
    Complex32,
    /// `complex<f64>`
    Complex64,
}

impl ScalarType {
    /// The type with this name; `None` if there is none, and for `complex<..>`.
    pub fn from_name(name: &str) -> Option<Self> {
        Some(match name {
            "f16" => Self::F16,
            "bf16" => Self::BF16,
            "f32" => Self::F32,
            "f64" => Self::F64,
            "index" => Self::Index,
            _ => match name.strip_prefix('i').filter(|bits| !bits.starts_with(['0', '+']))?.parse()
            {
                Ok(bits @ 1..=64) => Self::Integer(bits),
                _ => return None,
            },
        })
    }

    /// The number of the type, for a const parameter.
    pub const fn code(self) -> u32 {
        match self {
            Self::Integer(bits) => bits as u32,
            Self::F16 => 100,
            Self::BF16 => 101,
            Self::F32 => 102,
            Self::F64 => 103,
            Self::Index => 104,
            Self::Complex32 => 105,
            Self::Complex64 => 106,
        }
    }

    /// The type with this number; `None` if there is none.
    pub const fn from_code(code: u32) -> Option<Self> {
        Some(match code {
            bits @ 1..=64 => Self::Integer(bits as u8),
            100 => Self::F16,
            101 => Self::BF16,
            102 => Self::F32,
            103 => Self::F64,
            104 => Self::Index,
            105 => Self::Complex32,
            106 => Self::Complex64,
            _ => return None,
        })
    }

    /// The element type of stored arrays of such values; `None` if no such arrays are stored. MLIR's integers, which are
    /// signless, count as signed.
    pub const fn dtype(self) -> Option<DType> {
        Some(match self {
            Self::F16 => DType::F16,
            Self::BF16 => DType::BF16,
            Self::F32 => DType::F32,
            Self::F64 => DType::F64,
            Self::Integer(8) => DType::S8,
            Self::Integer(16) => DType::S16,
            Self::Integer(32) => DType::S32,
            Self::Integer(64) => DType::S64,
            Self::Complex32 => DType::C64,
            Self::Complex64 => DType::C128,
            Self::Integer(_) | Self::Index => return None,
        })
    }

    /// The type whose [`ScalarType::dtype`] is `dtype`; `None` if there is none.
    pub const fn from_dtype(dtype: DType) -> Option<Self> {
        Some(match dtype {
            DType::F16 => Self::F16,
            DType::BF16 => Self::BF16,
            DType::F32 => Self::F32,
            DType::F64 => Self::F64,
            DType::S8 => Self::Integer(8),
            DType::S16 => Self::Integer(16),
            DType::S32 => Self::Integer(32),
            DType::S64 => Self::Integer(64),
            DType::C64 => Self::Complex32,
            DType::C128 => Self::Complex64,
            _ => return None,
        })
    }

    pub(crate) const fn is_float(self) -> bool {
        matches!(self, Self::F16 | Self::BF16 | Self::F32 | Self::F64)
    }

    /// The number of bits of a value, or of one part of a complex value.
    pub(crate) const fn bits(self) -> u32 {
        match self {
            Self::F16 | Self::BF16 => 16,
            Self::F32 | Self::Complex32 => 32,
            Self::F64 | Self::Complex64 | Self::Index => 64,
            Self::Integer(bits) => bits as u32,
        }
    }

    /// The type of the two parts of a complex value; for other types the type itself.
    pub(crate) const fn part(self) -> Self {
        match self {
            Self::Complex32 => Self::F32,
            Self::Complex64 => Self::F64,
            other => other,
        }
    }

    /// Appends the name.
    pub(crate) const fn write(self, text: Text) -> Text {
        match self {
            Self::Integer(bits) => text.str("i").num(bits as usize),
            Self::F16 => text.str("f16"),
            Self::BF16 => text.str("bf16"),
            Self::F32 => text.str("f32"),
            Self::F64 => text.str("f64"),
            Self::Index => text.str("index"),
            Self::Complex32 => text.str("complex<f32>"),
            Self::Complex64 => text.str("complex<f64>"),
        }
    }

    /// The bits of `value`, rounded to this floating-point type.
    pub(crate) fn round(self, value: f64) -> u128 {
        match self {
            Self::F16 => f16_from_f64(value).to_bits().into(),
            Self::BF16 => bf16_from_f64(value).to_bits().into(),
            Self::F32 => (value as f32).to_bits().into(),
            _ => value.to_bits().into(),
        }
    }

    /// The value that `bits` represent in this floating-point type.
    fn value(self, bits: u128) -> f64 {
        match self {
            Self::F16 => f16::from_bits(bits as u16).to_f64(),
            Self::BF16 => bf16::from_bits(bits as u16).to_f64(),
            Self::F32 => f32::from_bits(bits as u32).into(),
            _ => f64::from_bits(bits as u64),
        }
    }
}

impl fmt::Display for ScalarType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.write(Text::new()).as_str())
    }
}

/// A value in an encoding, with its type: `1.0 : f32`. Displays as MLIR prints it.
///
/// ```
/// use tensor_layout::sparse::{Scalar, ScalarType};
/// let one = Scalar { ty: ScalarType::F32, bits: 1.0_f32.to_bits().into() };
/// assert_eq!(one.to_string(), "1.000000e+00 : f32");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Scalar {
    /// The type of the value.
    pub ty: ScalarType,
    /// The bits of the value. For a complex value, the low bits are the real part and the bits above them the imaginary part.
    pub bits: u128,
}

impl Scalar {
    /// Whether the value is zero, of either sign.
    pub const fn is_zero(&self) -> bool {
        let sign = match self.ty {
            ScalarType::F16 | ScalarType::BF16 => 1 << 15,
            ScalarType::F32 => 1 << 31,
            ScalarType::F64 => 1 << 63,
            ScalarType::Complex32 => (1 << 31) | (1 << 63),
            ScalarType::Complex64 => (1 << 63) | (1 << 127),
            ScalarType::Integer(_) | ScalarType::Index => 0,
        };
        self.bits & !sign == 0
    }
}

impl fmt::Display for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { ty, bits } = *self;
        match ty {
            ScalarType::Integer(width) => {
                // Bits above the width are copies of the sign.
                let shift = 128 - u32::from(width);
                let value = ((bits << shift) as i128) >> shift;
                match (width, value) {
                    (1, 0) => f.write_str("false"),
                    (1, _) => f.write_str("true"),
                    _ => write!(f, "{value} : {ty}"),
                }
            }
            ScalarType::Index => write!(f, "{} : {ty}", bits as u64 as i64),
            ScalarType::Complex32 | ScalarType::Complex64 => {
                let (part, width) = (ty.part(), ty.bits());
                let (re, im) = (bits & ((1 << width) - 1), bits >> width);
                let (re, im) = (float(part, re), float(part, im));
                write!(f, "#complex.number<:{part} {re}, {im}> : {ty}")
            }
            _ => write!(f, "{} : {ty}", float(ty, bits)),
        }
    }
}

/// A float as MLIR prints it: with six decimals if these are exact, otherwise with as many as are needed, and as its bits if
/// it is not finite.
fn float(ty: ScalarType, bits: u128) -> String {
    let value = ty.value(bits);
    if !value.is_finite() {
        return format!("0x{bits:0width$X}", width = ty.bits() as usize / 4);
    }
    let short = format!("{value:.6e}");
    let exact = |text: &String| text.parse().is_ok_and(|parsed| ty.round(parsed) == bits);
    let digits = if exact(&short) { short } else { format!("{value:e}") };
    match digits.split_once('e') {
        Some((mantissa, exponent)) => {
            let (sign, exponent) = match exponent.strip_prefix('-') {
                Some(exponent) => ('-', exponent),
                None => ('+', exponent),
            };
            let point = if mantissa.contains('.') { "" } else { ".0" };
            format!("{mantissa}{point}e{sign}{exponent:0>2}")
        }
        None => value.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_print_as_mlir_prints_them() {
        let float = |ty: ScalarType, value| Scalar { ty, bits: ty.round(value) }.to_string();
        assert_eq!(float(ScalarType::F64, 1.0), "1.000000e+00 : f64");
        assert_eq!(float(ScalarType::F64, -0.0), "-0.000000e+00 : f64");
        assert_eq!(float(ScalarType::BF16, 1.5e-12), "1.499245e-12 : bf16");
        assert_eq!(float(ScalarType::F64, 0.1 + 0.2), "3.0000000000000004e-01 : f64");
        assert_eq!(float(ScalarType::F64, f64::INFINITY), "0x7FF0000000000000 : f64");
        assert_eq!(float(ScalarType::F16, f64::NEG_INFINITY), "0xFC00 : f16");
        let integer = |bits, value: i64| {
            Scalar { ty: ScalarType::Integer(bits), bits: value as i128 as u128 }.to_string()
        };
        assert_eq!((integer(64, -3), integer(8, 1)), ("-3 : i64".into(), "1 : i8".into()));
        assert_eq!((integer(1, 0), integer(1, 1)), ("false".into(), "true".into()));
    }

    #[test]
    fn every_type_has_a_number() {
        for ty in ["f16", "bf16", "f32", "f64", "index", "i1", "i64"] {
            let ty = ScalarType::from_name(ty).expect("a type");
            assert_eq!(ScalarType::from_code(ty.code()), Some(ty));
        }
        assert_eq!(ScalarType::from_name("i65"), None);
        assert_eq!(ScalarType::from_name("i0"), None);
    }
}
