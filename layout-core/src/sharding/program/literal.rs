//! The elements of constants in the notation of MLIR: `dense<1.0>`, `dense<[1, 2]>`, `dense<"0x0000803F">`.

use alloc::vec::Vec;

/// The elements of a constant.
///
/// ```
/// use tensor_layout::sharding::program::Literal;
/// assert_eq!(Literal::parse("dense<1.0> : tensor<4xf32>"), Some(Literal::Splat("1.0")));
/// let list = Literal::parse("dense<[[1, 2], [3, -4]]> : tensor<2x2xi32>");
/// assert_eq!(list, Some(Literal::List(vec!["1", "2", "3", "-4"])));
/// let bytes = Literal::parse("dense<\"0x01FF\"> : tensor<2xi8>");
/// assert_eq!(bytes, Some(Literal::Bytes("01FF")));
/// let complex = Literal::parse("dense<(0.0,1.0)> : tensor<2xcomplex<f32>>");
/// assert_eq!(complex, Some(Literal::Splat("(0.0,1.0)")));
/// assert_eq!(Literal::parse("dense_resource<weights> : tensor<4xf32>"), None);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Literal<'a> {
    /// One number or word, which is the value of all elements.
    Splat(&'a str),
    /// The elements in row-major order.
    List(Vec<&'a str>),
    /// The hexadecimal digits of the row-major, little-endian bytes, two for each byte.
    Bytes(&'a str),
}

impl<'a> Literal<'a> {
    /// Reads the elements from the text of a constant; `None` if the text does not contain them.
    pub fn parse(text: &'a str) -> Option<Self> {
        let (_, text) = text.split_once("dense<")?;
        if let Some(digits) = text.strip_prefix("\"0x") {
            return Some(Self::Bytes(digits.split_once('"')?.0));
        }
        let (elements, _) = text.split_once('>')?;
        let is_list = elements.trim_start().starts_with('[') || elements.trim().is_empty();
        // A complex number, `(1.0,2.0)`, is one word.
        let mut is_within = false;
        let words = elements.split(|c: char| {
            is_within = c == '(' || is_within && c != ')';
            !is_within && (matches!(c, '[' | ']' | ',') || c.is_whitespace())
        });
        let mut words = words.filter(|word| !word.is_empty());
        match is_list {
            true => Some(Self::List(words.collect())),
            false => words.next().map(Self::Splat),
        }
    }

    /// Whether it is one number, and that number is zero: `0`, `-0.0`, `(0.0,0.0)`.
    pub(super) fn is_zero(&self) -> bool {
        let Self::Splat(word) = self else { return false };
        let mut parts = word.trim_matches(['(', ')']).split(',');
        parts.all(|part| part == "false" || part.trim().parse() == Ok(0.0))
    }
}
