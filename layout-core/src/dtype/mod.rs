//! Element types: their names in XLA, their bits, their stored bytes.
//!
//! Names and widths are those of XLA's `xla_data.proto`. The markers that represent element types in layout types, `F32`,
//! `BF16`, ..., are generated from the same table, so that the two cannot disagree.

#[doc(hidden)]
pub mod float;
mod mlir;
mod table;

pub use table::DType;

/// The value that an explicitly padded layout writes into its padding: `padded to [3,5] with zero`.
///
/// ```
/// use tensor_layout::{DType, PaddingValue, TiledSpec};
/// let spec: TiledSpec = "s8[2,3]{1,0} padded to [2,4] with lowest".parse()?;
/// assert_eq!(spec.padded().unwrap().value, PaddingValue::Lowest);
/// assert_eq!(DType::S8.padding_bits(PaddingValue::Lowest), Some(0x80));
/// # Ok::<(), tensor_layout::ParseError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PaddingValue {
    /// 0.
    Zero,
    /// 1.
    One,
    /// The lowest value of the type: negative infinity if it has one.
    Lowest,
    /// The highest value of the type: infinity if it has one.
    Highest,
}

impl PaddingValue {
    /// All values, in the order in which XLA declared them.
    pub const ALL: [Self; 4] = [Self::Zero, Self::One, Self::Lowest, Self::Highest];

    /// The word in the notation.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Zero => "zero",
            Self::One => "one",
            Self::Lowest => "lowest",
            Self::Highest => "highest",
        }
    }
}

/// What the bits of an element mean.
///
/// ```
/// use tensor_layout::{DType, Kind};
/// assert_eq!((DType::S4.kind(), DType::BF16.kind()), (Kind::Signed, Kind::Float));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// Truth value.
    Pred,
    /// Two's complement integer.
    Signed,
    /// Unsigned integer.
    Unsigned,
    /// Floating point.
    Float,
    /// A pair of floats, the real part first.
    Complex,
}

impl DType {
    /// Bytes of one element that is not packed: `ceil(bits / 8)`.
    ///
    /// ```
    /// use tensor_layout::DType;
    /// assert_eq!((DType::S4.bits(), DType::S4.byte_width()), (4, 1));
    /// assert_eq!((DType::C64.bits(), DType::C64.byte_width()), (64, 8));
    /// ```
    pub const fn byte_width(self) -> usize {
        self.bits().div_ceil(8)
    }

    /// Bits of one element in an array of XLA, in which a truth value takes a byte and other types are packed.
    ///
    /// ```
    /// use tensor_layout::DType;
    /// assert_eq!((DType::PRED.bits(), DType::PRED.stored_bits()), (1, 8));
    /// assert_eq!(DType::S4.stored_bits(), 4);
    /// ```
    pub const fn stored_bits(self) -> usize {
        if matches!(self.kind(), Kind::Pred) { 8 } else { self.bits() }
    }

    /// The type with this XLA name, in lower or upper case; `None` if there is none.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|dtype| dtype.name().eq_ignore_ascii_case(name))
    }

    /// The byte in which the host type represents the value of the stored `byte`.
    ///
    /// A type narrower than a byte uses only the low bits of the stored byte. The high bits of the result repeat the sign of
    /// a signed type, and are zero otherwise: for `s4`, 0x08 becomes 0xF8, which is -8. For types of whole bytes this is the
    /// identity.
    pub const fn normalize(self, byte: u8) -> u8 {
        let bits = self.bits();
        if bits >= 8 {
            return byte;
        }
        let unused = 8 - bits as u32;
        match self.kind() {
            Kind::Pred => (byte != 0) as u8,
            Kind::Signed => (((byte << unused) as i8) >> unused) as u8,
            _ => (byte << unused) >> unused,
        }
    }

    /// The bit pattern of a padding value; `None` if the type has no such value.
    pub const fn padding_bits(self, value: PaddingValue) -> Option<u128> {
        let bits = self.bits() as u32;
        let all = if bits == 128 { u128::MAX } else { (1 << bits) - 1 };
        let top = 1 << (bits - 1);
        match (self.kind(), value) {
            (Kind::Complex, PaddingValue::Lowest | PaddingValue::Highest) => None,
            (Kind::Float | Kind::Complex, _) => self.float_padding_bits(value),
            (Kind::Signed, PaddingValue::One) if bits == 1 => None,
            (_, PaddingValue::Zero) => Some(0),
            (_, PaddingValue::One) => Some(1),
            (Kind::Signed, PaddingValue::Lowest) => Some(top),
            (Kind::Signed, PaddingValue::Highest) => Some(all ^ top),
            (_, PaddingValue::Lowest) => Some(0),
            (_, PaddingValue::Highest) => Some(all),
        }
    }
}

impl core::fmt::Display for DType {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.name())
    }
}

impl core::fmt::Display for PaddingValue {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_found_in_both_cases() {
        for dtype in DType::ALL {
            assert_eq!(DType::from_name(dtype.name()), Some(dtype));
            assert_eq!(DType::from_name(&dtype.name().to_uppercase()), Some(dtype));
        }
        assert_eq!(DType::ALL.len(), 32);
        assert_eq!(DType::from_name("f31"), None);
    }

    #[test]
    fn narrow_types_use_the_low_bits_of_their_byte() {
        assert_eq!(DType::S4.normalize(0xF8) as i8, -8);
        assert_eq!(DType::S4.normalize(0x08) as i8, -8);
        assert_eq!(DType::U4.normalize(0xF8), 8);
        assert_eq!(DType::PRED.normalize(2), 1);
        assert_eq!(DType::S1.normalize(1) as i8, -1);
        assert_eq!(DType::F6E2M3FN.normalize(0xFF), 0x3F);
        assert_eq!(DType::S8.normalize(0xF8), 0xF8);
    }
}
