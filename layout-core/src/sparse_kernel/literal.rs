//! Numbers as written in a statement.

use super::element::ElementType;
use super::ir::BinaryOp;
use alloc::string::String;
use core::ops::RangeInclusive;

/// A number as written in a statement, whose element type is not known yet.
///
/// ```
/// use tensor_layout::sparsify::Literal;
/// assert_eq!(Literal::parse("1_000"), Some(Literal::Integer(1000)));
/// assert_eq!(Literal::parse("-1e-3"), Some(Literal::Real(-0.001)));
/// assert_eq!(Literal::parse("inf"), None);
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Literal {
    /// A number without a fraction, stored as an integer so that it stays exact.
    Integer(i64),
    /// Any other finite number.
    Real(f64),
}

/// The suffixes that give the type of a number.
const SUFFIXES: [&str; 10] = ["f32", "f64", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64"];

impl Literal {
    /// A literal without separators and without its suffix.
    fn digits(text: &str) -> String {
        let text: String = text.chars().filter(|c| *c != '_').collect();
        let digits = SUFFIXES.iter().find_map(|suffix| text.strip_suffix(suffix));
        digits.map(String::from).unwrap_or(text)
    }

    /// Reads a Rust literal, with or without a sign: `2`, `-1e-3`, `2.5f32`, `1_000`.
    pub fn parse(text: &str) -> Option<Self> {
        let digits = Self::digits(text);
        // `f64::from_str` accepts `inf` and `nan`, which are names in Rust.
        if !digits.trim_start_matches('-').starts_with(|c: char| c.is_ascii_digit()) {
            return None;
        }
        if let Ok(whole) = digits.parse() {
            return Some(Self::Integer(whole));
        }
        digits.parse().ok().filter(|real: &f64| real.is_finite()).map(Self::Real)
    }

    /// Reads a constant of a Rust number type: `f64::INFINITY`, `i32::MAX`. As a float, `i64::MAX` is one too large, but converting
    /// it to an `i64` returns the right number again.
    pub fn constant(path: &str) -> Option<f64> {
        let (ty, name) = path.split_once("::")?;
        let real = |most: f64| match name {
            "MAX" => Some(most),
            "MIN" => Some(-most),
            "INFINITY" => Some(f64::INFINITY),
            "NEG_INFINITY" => Some(f64::NEG_INFINITY),
            _ => None,
        };
        match ty {
            "f64" => real(f64::MAX),
            "f32" => real(f32::MAX.into()),
            _ => {
                let range = Self::range(ty)?;
                match name {
                    "MIN" => Some(*range.start() as f64),
                    "MAX" if ty == "u64" => Some(u64::MAX as f64),
                    "MAX" => Some(*range.end() as f64),
                    _ => None,
                }
            }
        }
    }

    /// The number rounded to the element type. Numbers that are equal in that type get the same text, and others keep their order,
    /// so that comparing the numbers in the texts has the same result as comparing elements. `None` if it is infinite in that type.
    pub(super) fn in_type(text: &str, element: ElementType) -> Option<String> {
        let number = Self::parse(text)?;
        // From the text, because a number that is rounded to `f64` first can be halfway between two of `f32`.
        let single = match element {
            ElementType::F32 | ElementType::Complex32 => Self::digits(text).parse::<f32>().ok(),
            _ => None,
        };
        let real = single.map_or(number.to_f64(), f64::from);
        let Some(nearest) = element.nearest(real) else { return Some(text.into()) };
        // The number with the fewest digits that rounds to this element.
        let becomes = |short: &f64| element.nearest(*short) == Some(nearest);
        let digits = |digits| alloc::format!("{nearest:.digits$e}").parse().ok();
        let short = (0..17).filter_map(digits).find(becomes).filter(|short| short.is_finite())?;
        let same = match number {
            Self::Integer(whole) => short == whole as f64 && short as i128 == whole.into(),
            Self::Real(real) => short == real,
        };
        Some(match short.abs() {
            _ if same => text.into(),
            1e-4..1e16 | 0.0 => alloc::format!("{short}"),
            _ => alloc::format!("{short:e}"),
        })
    }

    /// The number as a float.
    pub fn to_f64(self) -> f64 {
        match self {
            Self::Integer(whole) => whole as f64,
            Self::Real(real) => real,
        }
    }

    /// The number with its sign changed.
    pub(super) fn negated(self) -> Self {
        match self {
            Self::Integer(whole) => {
                whole.checked_neg().map_or(Self::Real(-(whole as f64)), Self::Integer)
            }
            Self::Real(real) => Self::Real(-real),
        }
    }

    /// The value of a comparison.
    pub(super) fn compares(self, op: BinaryOp, other: Self) -> bool {
        match (self, other) {
            (Self::Integer(a), Self::Integer(b)) => op.compares(a, b),
            (a, b) => op.compares(a.to_f64(), b.to_f64()),
        }
    }

    /// Whether a literal has the suffix of an unsigned type of 32 or 64 bits. Narrower types do not wrap around before they are
    /// stored.
    pub(super) fn is_unsigned(text: &str) -> bool {
        ["u32", "u64"].iter().any(|suffix| text.ends_with(suffix))
    }

    /// The range of numbers that can be written if elements are integers; `None` for every other type.
    pub(crate) fn range(ty: &str) -> Option<RangeInclusive<i64>> {
        Some(match ty.rsplit("::").next()? {
            "bool" => 0..=1,
            "i8" => i8::MIN.into()..=i8::MAX.into(),
            "i16" => i16::MIN.into()..=i16::MAX.into(),
            "i32" => i32::MIN.into()..=i32::MAX.into(),
            "i64" => i64::MIN..=i64::MAX,
            "u8" => 0..=u8::MAX.into(),
            "u16" => 0..=u16::MAX.into(),
            "u32" => 0..=u32::MAX.into(),
            "u64" => 0..=i64::MAX,
            _ => return None,
        })
    }

    /// Whether the number is in this range.
    pub(crate) fn is_in(self, range: &RangeInclusive<i64>) -> bool {
        matches!(self, Self::Integer(whole) if range.contains(&whole))
    }
}

#[cfg(test)]
mod tests {
    use super::{ElementType, Literal};

    #[test]
    fn literals_are_numbers_of_the_type() {
        let of = |element, text| Literal::in_type(text, element);
        for (element, text, expected) in [
            (ElementType::F32, "0.1", "0.1"),
            (ElementType::F32, "16777217", "16777216"),
            (ElementType::F32, "1e-50", "0"),
            (ElementType::F32, "3.14159265", "3.1415927"),
            (ElementType::F64, "9007199254740993", "9007199254740992"),
            (ElementType::F64, "9223372036854775807", "9.223372036854776e18"),
            (ElementType::F64, "3.14159265358979323846", "3.14159265358979323846"),
            (ElementType::F16, "2049", "2048"),
            (ElementType::Bf16, "0.3", "0.3"),
            (ElementType::I64, "9007199254740993", "9007199254740993"),
        ] {
            assert_eq!(of(element, text).as_deref(), Some(expected), "{element}");
        }
        assert_eq!(of(ElementType::F32, "1e39"), None);
        assert_eq!(of(ElementType::F16, "65520"), None);
        assert_eq!(of(ElementType::F16, "65519").as_deref(), Some("65500"));
    }

    #[test]
    fn literals_are_those_of_rust() {
        assert_eq!(
            ["2", "-1_000", "9007199254740993", "3u8"].map(Literal::parse),
            [2, -1000, 9_007_199_254_740_993, 3].map(|whole| Some(Literal::Integer(whole)))
        );
        assert_eq!(
            ["1e-3", "2.5f32", "-0.5"].map(Literal::parse),
            [0.001, 2.5, -0.5].map(|real| Some(Literal::Real(real)))
        );
        assert_eq!(["0x10", "inf", "nan", "-", "1e400", "zero"].map(Literal::parse), [None; 6]);
    }

    #[test]
    fn whole_numbers_have_a_range() {
        let is_in = |text, ty| Some(Literal::parse(text)?.is_in(&Literal::range(ty)?));
        assert_eq!([is_in("255", "u8"), is_in("-128", "i8")], [Some(true); 2]);
        assert_eq!([is_in("256", "u8"), is_in("-1", "u64"), is_in("0.5", "i32")], [Some(false); 3]);
        assert_eq!((is_in("0.5", "f32"), is_in("-1", "core::primitive::u8")), (None, Some(false)));
    }
}
