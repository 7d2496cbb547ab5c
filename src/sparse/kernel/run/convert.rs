//! Conversions of operands from any element type to any other, through one type of values: each type is compiled once, and not
//! once for each other type.

use super::operand::DynOperand;
use crate::sparse::Cast;
use alloc::boxed::Box;
use half::{bf16, f16};
use num_complex::Complex;

/// A value of any element type.
#[derive(Clone, Copy)]
pub(super) enum AnyValue {
    Signed(i64),
    Unsigned(u64),
    Real(f64),
    Complex(Complex<f64>),
}

/// An element type that is converted through [`AnyValue`].
pub(super) trait AnyElement: Copy {
    const IS_COMPLEX: bool;

    /// The value, exactly.
    fn value(self) -> AnyValue;

    /// The value, converted as Rust's `as` does. A complex number that becomes a real one is replaced by its real part.
    fn of(value: AnyValue) -> Self;
}

macro_rules! reals {
    ($($Variant:ident($V:ty): $($T:ident)*;)*) => { $( $(
        impl AnyElement for $T {
            const IS_COMPLEX: bool = false;

            fn value(self) -> AnyValue {
                AnyValue::$Variant(self.cast())
            }

            fn of(value: AnyValue) -> Self {
                match value {
                    AnyValue::Signed(value) => value.cast(),
                    AnyValue::Unsigned(value) => value.cast(),
                    AnyValue::Real(value) => value.cast(),
                    AnyValue::Complex(value) => value.re.cast(),
                }
            }
        }
    )* )* };
}
reals! {
    Signed(i64): i8 i16 i32 i64;
    Unsigned(u64): bool u8 u16 u32 u64;
    Real(f64): f16 bf16 f32 f64;
}

macro_rules! complexes {
    ($($T:ident)*) => { $(
        impl AnyElement for Complex<$T> {
            const IS_COMPLEX: bool = true;

            fn value(self) -> AnyValue {
                AnyValue::Complex(Complex::new(self.re.cast(), self.im.cast()))
            }

            fn of(value: AnyValue) -> Self {
                let im = if let AnyValue::Complex(value) = value { value.im.cast() } else { 0.0 };
                Self::new(AnyElement::of(value), im)
            }
        }
    )* };
}
complexes! { f32 f64 }

/// An operand of any element type: how it is stored, and its values.
pub(super) struct AnyParts<'a> {
    stored: DynOperand<()>,
    is_complex: bool,
    value: Box<dyn Fn(usize) -> AnyValue + 'a>,
}

impl<'a> AnyParts<'a> {
    pub(super) fn of<T: AnyElement>(operand: &'a DynOperand<T>) -> Self {
        let values = operand.values();
        let value = Box::new(|at: usize| values[at].value());
        Self { stored: operand.map_values(|_| ()), is_complex: T::IS_COMPLEX, value }
    }

    /// The operand with elements of another type; `None` if complex numbers would become real ones.
    pub(super) fn converted<T: AnyElement>(&self) -> Option<DynOperand<T>> {
        let mut at = 0;
        let next = |()| {
            let value = T::of((self.value)(at));
            at += 1;
            value
        };
        (T::IS_COMPLEX || !self.is_complex).then(|| self.stored.map_values(next))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    fn converted<T: AnyElement, U: AnyElement>(values: &[T]) -> Option<Vec<U>> {
        let operand = DynOperand::Dense { shape: [values.len()].to_vec(), values: values.to_vec() };
        AnyParts::of(&operand).converted().map(|operand: DynOperand<U>| operand.values().to_vec())
    }

    #[test]
    fn numbers_are_converted_as_by_as() {
        let large = [i64::MIN, -1, 0, i64::MAX];
        assert_eq!(converted(&large), Some(large.map(|value| value as u8).to_vec()));
        assert_eq!(converted(&large), Some(large.map(|value| value as f32).to_vec()));
        assert_eq!(converted(&[u64::MAX]), Some([u64::MAX as f32].to_vec()));
        assert_eq!(converted(&[u64::MAX]), Some([-1i8].to_vec()));
        assert_eq!(converted(&[f32::NAN, -0.5, 300.0]), Some([0u8, 0, 255].to_vec()));
        assert_eq!(converted(&[0.0, f64::NAN]), Some([false, true].to_vec()));
        assert_eq!(converted(&[true]), Some([f16::ONE].to_vec()));
        // 2^24 + 1 is rounded to even once, from the integer.
        assert_eq!(converted(&[16_777_217]), Some([16_777_216.0f32].to_vec()));
    }

    #[test]
    fn complex_numbers_do_not_become_real() {
        assert_eq!(converted::<_, f64>(&[Complex::new(1.0f32, 0.0)]), None);
        assert_eq!(converted(&[2i8]), Some([Complex::new(2.0f32, 0.0)].to_vec()));
        assert_eq!(
            converted(&[Complex::new(1.5f32, -2.0)]),
            Some([Complex::new(1.5, -2.0)].to_vec())
        );
    }
}
