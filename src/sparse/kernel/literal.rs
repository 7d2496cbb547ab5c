//! Turns numbers written in a statement into elements.

use super::number::Number;
use layout_core::sparse_kernel::Literal;

/// The nearest element.
#[inline]
pub(super) fn value<T: Number>(literal: Literal) -> T {
    match literal {
        Literal::Integer(whole) => T::from_index(whole),
        Literal::Real(real) => T::from_f64(real),
    }
}

/// The value of a number or of a constant such as `f64::INFINITY`, if the text is one.
pub(super) fn value_of<T: Number>(text: &str) -> Option<T> {
    let literal = Literal::parse(text).map(value);
    literal.or_else(|| Literal::constant(text).map(T::from_f64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_become_those_of_their_type() {
        assert_eq!(value_of("i64::MAX"), Some(i64::MAX));
        assert_eq!(value_of("u64::MAX"), Some(u64::MAX));
        assert_eq!(value_of("i8::MIN"), Some(i8::MIN));
        assert_eq!(value_of("f32::MIN"), Some(f32::MIN));
        assert_eq!(value_of("f64::NEG_INFINITY"), Some(f64::NEG_INFINITY));
        assert_eq!(value_of::<f64>("f64::sqrt"), None);
        assert_eq!(value_of("2"), Some(2i32));
    }
}
