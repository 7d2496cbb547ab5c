use super::market::Field;
use core::str::FromStr;
use half::{bf16, f16};
use layout_core::dtype::float::{bf16_from_f64, f16_from_f64};
use layout_core::sparse::SparseElement;
use num_complex::Complex;
use std::string::String;

/// An element type that files can contain.
///
/// ```
/// use tensor_layout::sparse::files::{FileError, FileValue};
/// use tensor_layout::sparse::{Duplicates, SparseTensor, formats::Csr};
///
/// fn read<T: FileValue>(text: &str) -> Result<SparseTensor<Csr, T>, FileError> {
///     SparseTensor::read_matrix_market(text.as_bytes(), Duplicates::Error)
/// }
/// let text = "%%MatrixMarket matrix coordinate integer general\n2 2 1\n2 1 7\n";
/// assert_eq!((read::<i8>(text)?.get([1, 0]), read::<f64>(text)?.get([1, 0])), (7, 7.0));
/// # Ok::<(), FileError>(())
/// ```
pub trait FileValue: SparseElement {
    /// The name of the type in errors.
    const NAME: &'static str;
    /// The kind that headers of files declare.
    const FIELD: Field;
    /// The value of every entry of a file without values.
    const ONE: Self;
    /// Reads a value from one word, or from two for complex numbers; `None` if it is malformed.
    fn read(field: Field, words: [&str; 2]) -> Option<Self>;
    /// Appends the value as text.
    fn write_words(&self, text: &mut String);
    /// The complex conjugate; for real types, the value itself.
    #[must_use]
    fn conjugate(self) -> Self {
        self
    }
    /// Whether the value has no imaginary part.
    fn is_real(&self) -> bool {
        true
    }
    /// The negated value; `None` if the type cannot represent it.
    fn negative(self) -> Option<Self>;
    /// Whether values of this kind fit the type.
    fn accepts(field: Field) -> bool {
        match Self::FIELD {
            Field::Complex => true,
            Field::Real => field != Field::Complex,
            _ => matches!(field, Field::Integer | Field::UnsignedInteger | Field::Pattern),
        }
    }
}

fn parsed<T: FromStr>(word: &str) -> Option<T> {
    word.parse().ok()
}

/// A number in double precision, from which narrow types are rounded. The parsers of `half` round to `f32` first.
fn double(word: &str) -> Option<f64> {
    parsed(word)
}

macro_rules! numbers {
    ($($T:ident $field:ident $one:expr, $read:expr, $negative:expr;)*) => { $(
        impl FileValue for $T {
            const NAME: &'static str = stringify!($T);
            const FIELD: Field = Field::$field;
            const ONE: Self = $one;
            fn read(_: Field, [word, _]: [&str; 2]) -> Option<Self> {
                let read: fn(&str) -> Option<Self> = $read;
                read(word)
            }
            fn write_words(&self, text: &mut String) {
                // Writing to a string cannot fail.
                let _ = core::fmt::Write::write_fmt(text, format_args!("{self}"));
            }
            fn negative(self) -> Option<Self> {
                let negative: fn(Self) -> Option<Self> = $negative;
                negative(self)
            }
        }
    )* };
}
numbers! {
    f16 Real f16::ONE, |word| double(word).map(f16_from_f64), |x| Some(-x);
    bf16 Real bf16::ONE, |word| double(word).map(bf16_from_f64), |x| Some(-x);
    f32 Real 1.0, parsed, |x| Some(-x); f64 Real 1.0, parsed, |x| Some(-x);
    i8 Integer 1, parsed, Self::checked_neg; i16 Integer 1, parsed, Self::checked_neg;
    i32 Integer 1, parsed, Self::checked_neg; i64 Integer 1, parsed, Self::checked_neg;
    u8 Integer 1, parsed, Self::checked_neg; u16 Integer 1, parsed, Self::checked_neg;
    u32 Integer 1, parsed, Self::checked_neg; u64 Integer 1, parsed, Self::checked_neg;
}

macro_rules! complexes {
    ($($T:ident)*) => { $(
        impl FileValue for Complex<$T> {
            const NAME: &'static str = concat!("Complex<", stringify!($T), ">");
            const FIELD: Field = Field::Complex;
            const ONE: Self = Complex::new(1.0, 0.0);
            fn read(field: Field, [re, im]: [&str; 2]) -> Option<Self> {
                let im = if field == Field::Complex { im.parse().ok()? } else { 0.0 };
                Some(Complex::new(re.parse().ok()?, im))
            }
            fn write_words(&self, text: &mut String) {
                // Writing to a string cannot fail.
                let _ = core::fmt::Write::write_fmt(text, format_args!("{} {}", self.re, self.im));
            }
            fn conjugate(self) -> Self {
                self.conj()
            }
            fn is_real(&self) -> bool {
                self.im == 0.0
            }
            fn negative(self) -> Option<Self> {
                Some(-self)
            }
        }
    )* };
}
complexes! { f32 f64 }
