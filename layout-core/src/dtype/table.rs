use super::{Kind, PaddingValue};

/// Calls a macro with the table of all element types: marker, name, bits, kind, and the type of the items of a row-major
/// slice on the host.
#[doc(hidden)]
#[macro_export]
macro_rules! __element_types {
    ($callback:ident) => {
        $callback! {
            PRED "pred" 1 Pred bool;
            S1 "s1" 1 Signed i8;
            S2 "s2" 2 Signed i8;
            S4 "s4" 4 Signed i8;
            S8 "s8" 8 Signed i8;
            S16 "s16" 16 Signed i16;
            S32 "s32" 32 Signed i32;
            S64 "s64" 64 Signed i64;
            U1 "u1" 1 Unsigned u8;
            U2 "u2" 2 Unsigned u8;
            U4 "u4" 4 Unsigned u8;
            U8 "u8" 8 Unsigned u8;
            U16 "u16" 16 Unsigned u16;
            U32 "u32" 32 Unsigned u32;
            U64 "u64" 64 Unsigned u64;
            F16 "f16" 16 Float half::f16;
            BF16 "bf16" 16 Float half::bf16;
            F32 "f32" 32 Float f32;
            F64 "f64" 64 Float f64;
            F8E5M2 "f8e5m2" 8 Float microfloat::f8e5m2;
            F8E4M3 "f8e4m3" 8 Float microfloat::f8e4m3;
            F8E4M3FN "f8e4m3fn" 8 Float microfloat::f8e4m3fn;
            F8E4M3B11FNUZ "f8e4m3b11fnuz" 8 Float microfloat::f8e4m3b11fnuz;
            F8E3M4 "f8e3m4" 8 Float microfloat::f8e3m4;
            F8E5M2FNUZ "f8e5m2fnuz" 8 Float microfloat::f8e5m2fnuz;
            F8E4M3FNUZ "f8e4m3fnuz" 8 Float microfloat::f8e4m3fnuz;
            F8E8M0FNU "f8e8m0fnu" 8 Float microfloat::f8e8m0fnu;
            F4E2M1FN "f4e2m1fn" 4 Float microfloat::f4e2m1fn;
            F6E3M2FN "f6e3m2fn" 6 Float microfloat::f6e3m2fn;
            F6E2M3FN "f6e2m3fn" 6 Float microfloat::f6e2m3fn;
            C64 "c64" 64 Complex Complex<f32>;
            C128 "c128" 128 Complex Complex<f64>;
        }
    };
}

macro_rules! dtypes {
    ($($Marker:ident $name:literal $bits:literal $kind:ident $Host:ty;)*) => {
        /// An element type of arrays, as XLA names it.
        ///
        /// ```
        /// use tensor_layout::DType;
        /// assert_eq!(DType::from_name("bf16"), Some(DType::BF16));
        /// assert_eq!((DType::BF16.name(), DType::BF16.bits()), ("bf16", 16));
        /// ```
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[allow(missing_docs, reason = "each variant is named and documented as its marker")]
        pub enum DType { $($Marker),* }

        impl DType {
            /// All 32 types, in the order of XLA's documents.
            pub const ALL: [Self; [$($bits),*].len()] = [$(Self::$Marker),*];

            /// The name that XLA prints.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$Marker => $name),* }
            }

            /// Width in bits of the values, as the type names it: 1 for `pred`, 4 for `s4`.
            pub const fn bits(self) -> usize {
                match self { $(Self::$Marker => $bits),* }
            }

            /// The meaning of the bits.
            pub const fn kind(self) -> Kind {
                match self { $(Self::$Marker => Kind::$kind),* }
            }
        }
    };
}
__element_types! { dtypes }

impl DType {
    /// Bit patterns of 0, 1 and the extremes of the floating-point formats, according to their definitions.
    pub(super) const fn float_padding_bits(self, value: PaddingValue) -> Option<u128> {
        let (one, lowest, highest) = match self {
            Self::F16 => (0x3C00, 0xFC00, 0x7C00),
            Self::BF16 => (0x3F80, 0xFF80, 0x7F80),
            Self::F32 | Self::C64 => (0x3F80_0000, 0xFF80_0000, 0x7F80_0000),
            Self::F64 | Self::C128 => {
                (0x3FF0_0000_0000_0000, 0xFFF0_0000_0000_0000, 0x7FF0_0000_0000_0000)
            }
            Self::F8E5M2 => (0x3C, 0xFC, 0x7C),
            Self::F8E4M3 => (0x38, 0xF8, 0x78),
            Self::F8E4M3FN => (0x38, 0xFE, 0x7E),
            Self::F8E4M3B11FNUZ => (0x58, 0xFF, 0x7F),
            Self::F8E3M4 => (0x30, 0xF0, 0x70),
            Self::F8E5M2FNUZ | Self::F8E4M3FNUZ => (0x40, 0xFF, 0x7F),
            Self::F8E8M0FNU => (0x7F, 0x00, 0xFE),
            Self::F4E2M1FN => (0x2, 0xF, 0x7),
            Self::F6E3M2FN => (0x0C, 0x3F, 0x1F),
            Self::F6E2M3FN => (0x08, 0x3F, 0x1F),
            _ => return None,
        };
        match value {
            // Powers of two only: this format has no zero.
            PaddingValue::Zero if matches!(self, Self::F8E8M0FNU) => None,
            PaddingValue::Zero => Some(0),
            PaddingValue::One => Some(one),
            PaddingValue::Lowest => Some(lowest),
            PaddingValue::Highest => Some(highest),
        }
    }
}
