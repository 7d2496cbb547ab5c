//! The element types, by their names in a signature.

use crate::dtype::float::{bf16_from_f64, f16_from_f64};
use core::fmt;

/// An element type with which a kernel can compute at run time.
///
/// ```
/// use tensor_layout::sparsify::ElementType;
/// assert_eq!(ElementType::parse("half::bf16"), Some(ElementType::Bf16));
/// assert_eq!(ElementType::Complex32.to_string(), "Complex<f32>");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "named as the types of Rust are")]
pub enum ElementType {
    Bool,
    F16,
    Bf16,
    F32,
    F64,
    I8,
    I16,
    I32,
    I64,
    U8,
    U16,
    U32,
    U64,
    Complex32,
    Complex64,
}

use ElementType::*;

const NAMES: [(ElementType, &str); 15] = [
    (Bool, "bool"),
    (F16, "f16"),
    (Bf16, "bf16"),
    (F32, "f32"),
    (F64, "f64"),
    (I8, "i8"),
    (I16, "i16"),
    (I32, "i32"),
    (I64, "i64"),
    (U8, "u8"),
    (U16, "u16"),
    (U32, "u32"),
    (U64, "u64"),
    (Complex32, "Complex<f32>"),
    (Complex64, "Complex<f64>"),
];

impl ElementType {
    /// The type with this name, with or without the path of its module: `f32`, `half::bf16`, `Complex<f64>`.
    pub fn parse(text: &str) -> Option<Self> {
        let outer = text.split_once('<').map_or(text, |(outer, _)| outer);
        let modules = outer.rfind("::").map_or(0, |colons| colons + 2);
        let name = match &text[modules..] {
            "Complex32" => "Complex<f32>",
            "Complex64" => "Complex<f64>",
            name => name,
        };
        NAMES.iter().find(|(_, known)| *known == name).map(|(element, _)| *element)
    }

    /// Its name in a signature.
    pub fn name(self) -> &'static str {
        NAMES.iter().find(|(element, _)| *element == self).map_or("", |(_, name)| name)
    }

    /// The names of all types.
    pub fn names() -> impl Iterator<Item = &'static str> {
        NAMES.iter().map(|(_, name)| *name)
    }

    /// The element nearest to the number that is written; `None` for integer types.
    pub(super) fn nearest(self, number: f64) -> Option<f64> {
        match self {
            F16 => Some(f16_from_f64(number).to_f64()),
            Bf16 => Some(bf16_from_f64(number).to_f64()),
            F32 | Complex32 => Some((number as f32).into()),
            F64 | Complex64 => Some(number),
            Bool | I8 | I16 | I32 | I64 | U8 | U16 | U32 | U64 => None,
        }
    }

    /// The number of bytes of the type in which values of this type are added up: the size of `f32` for `bf16`, of `i32` for `i8`,
    /// of `i64` for `bool`.
    pub(super) fn sum_bytes(self) -> i64 {
        match self {
            F16 | Bf16 | F32 | I8 | I16 | I32 | U8 | U16 | U32 => 4,
            Bool | F64 | I64 | U64 | Complex32 => 8,
            Complex64 => 16,
        }
    }

    /// The type in which values of this type are added up: `f32` for `bf16`, `i32` for `i8`, and `i64` for `bool`, so that no
    /// number of terms wraps around to false.
    pub fn wide(self) -> Self {
        match self {
            F16 | Bf16 => F32,
            I8 | I16 | U8 | U16 => I32,
            Bool => I64,
            F32 | F64 | I32 | I64 | U32 | U64 | Complex32 | Complex64 => self,
        }
    }

    /// Whether `wide` contains every value of the type.
    pub fn widens_to(self, wide: Self) -> bool {
        let floats = matches!(wide, F32 | F64 | Complex32 | Complex64);
        let doubles = matches!(wide, F64 | Complex64);
        self == wide
            || match self {
                Bool => true,
                I8 | I16 => floats || matches!(wide, I32 | I64),
                U8 | U16 => floats || matches!(wide, I32 | I64 | U32 | U64),
                I32 => doubles || wide == I64,
                U32 => doubles || matches!(wide, I64 | U64),
                F16 | Bf16 => floats,
                F32 => doubles || wide == Complex32,
                F64 | Complex32 => wide == Complex64,
                I64 | U64 | Complex64 => false,
            }
    }

    /// A type that contains every value of all `elements`; for integer types, the narrowest such integer type.
    pub(super) fn common(elements: &[Self]) -> Option<Self> {
        let wide = [I32, U32, I64, U64, F32, F64, Complex32, Complex64];
        wide.into_iter().find(|wide| elements.iter().all(|element| element.widens_to(*wide)))
    }

    /// Whether its values are complex numbers.
    pub fn is_complex(self) -> bool {
        matches!(self, Complex32 | Complex64)
    }

    /// Whether it is an integer type; `bool` does not count as one.
    pub fn is_integer(self) -> bool {
        matches!(self, I8 | I16 | I32 | I64 | U8 | U16 | U32 | U64)
    }

    /// Whether the type has no negative values.
    pub fn is_unsigned(self) -> bool {
        matches!(self, U8 | U16 | U32 | U64)
    }
}

impl fmt::Display for ElementType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_have_the_names_of_rust() {
        assert!(NAMES.iter().all(|(element, name)| ElementType::parse(name) == Some(*element)));
        let paths = ["half::bf16", "::core::primitive::i8", "num_complex::Complex<f32>"];
        assert_eq!(paths.map(ElementType::parse), [Some(Bf16), Some(I8), Some(Complex32)]);
        assert_eq!(ElementType::parse("Complex64"), Some(Complex64));
        assert_eq!(["banana", "", "::", "Complex<i8>", "s8"].map(ElementType::parse), [None; 5]);
    }

    #[test]
    fn types_have_a_type_that_holds_both() {
        let common = |a, b| ElementType::common(&[a, b]);
        assert_eq!([common(I8, U16), common(U32, I8)], [Some(I32), Some(I64)]);
        assert_eq!([common(U8, U32), common(Bf16, I16)], [Some(U32), Some(F32)]);
        assert_eq!([common(F32, I32), common(F64, Complex32)], [Some(F64), Some(Complex64)]);
        assert_eq!([common(I64, U64), common(F64, I64)], [None; 2]);
    }
}
