use super::SparseElement;
use super::tensor::SparseTensor;
use super::typed::Encoding;
use alloc::vec::Vec;
use half::{bf16, f16};
use layout_core::dtype::float::{bf16_from_f64, f16_from_f64, integer_to_odd};
use layout_core::sparse::storage::{Parts, Storage};
use num_complex::Complex;

impl<E: Encoding, T> SparseTensor<E, T> {
    /// The tensor with each stored value replaced by `f` of it. The positions and coordinates are kept and not copied.
    ///
    /// `f` is also called for the zeros that the encoding stores, as blocks do; values that are not stored stay zero. So `f` is
    /// applied to the whole array only if it is zero at zero.
    ///
    /// ```
    /// use tensor_layout::sparse::{SparseTensor, formats::Csr};
    /// let a = SparseTensor::<Csr, f64>::from_dense([1, 3], &[1.5, 0.0, -2.5]).unwrap();
    /// assert_eq!(a.clone().map(f64::abs).values(), [1.5, 2.5]);
    /// assert_eq!(a.cast::<i8>().to_dense().unwrap(), [1, 0, -2]);
    /// ```
    #[must_use]
    pub fn map<U>(self, f: impl FnMut(T) -> U) -> SparseTensor<E, U> {
        self.map_values(|values| values.into_iter().map(f).collect())
    }

    /// The same positions and coordinates with the same number of other values.
    pub(crate) fn map_values<U>(self, f: impl FnOnce(Vec<T>) -> Vec<U>) -> SparseTensor<E, U> {
        let Storage { parts, extents, counts, batches } = self.storage;
        let Parts { shape, levels, values } = parts;
        let len = values.len();
        let values = f(values);
        assert_eq!(values.len(), len, "each position has one value");
        let parts = Parts { shape, levels, values };
        SparseTensor::from_storage(Storage { parts, extents, counts, batches })
    }

    /// The tensor with values of another type, each converted as Rust's `as` does: a float that becomes an integer is rounded
    /// toward zero and saturates, a wider integer wraps around, and a float that becomes a narrower float is rounded to the
    /// nearest. A value that becomes a `bool` is true unless it is zero.
    #[must_use]
    pub fn cast<U>(self) -> SparseTensor<E, U>
    where
        T: Cast<U>,
    {
        self.map(T::cast)
    }
}

/// A value that can be converted to a `U` as Rust's `as` does. A value that becomes a `bool` is true unless it is zero.
///
/// ```
/// use tensor_layout::sparse::Cast;
/// assert_eq!((Cast::<i8>::cast(300.7_f32), Cast::<u8>::cast(300_i32), Cast::<bool>::cast(-2_i8)), (127, 44, true));
/// ```
pub trait Cast<U> {
    /// The value as a `U`.
    fn cast(self) -> U;
}

// `$exact` gives a number that rounds to fewer bits as the value does.
macro_rules! casts {
    ($($T:ident $exact:expr;)*) => { $( casts! { @from $T $exact; i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 } )* };
    (@from $T:ident $exact:expr; $($U:ident)*) => {
        $(
            impl Cast<$U> for $T {
                #[inline]
                fn cast(self) -> $U {
                    self as $U
                }
            }
        )*
        impl Cast<f16> for $T {
            #[inline]
            fn cast(self) -> f16 {
                f16_from_f64($exact(self))
            }
        }
        impl Cast<bf16> for $T {
            #[inline]
            fn cast(self) -> bf16 {
                bf16_from_f64($exact(self))
            }
        }
    };
}
casts! {
    i8 f64::from; i16 f64::from; i32 f64::from; i64 |x: i64| integer_to_odd(x.into());
    u8 f64::from; u16 f64::from; u32 f64::from; u64 |x: u64| integer_to_odd(x.into());
    f32 f64::from; f64 f64::from;
}

macro_rules! halves {
    ($($T:ident)*) => { $( halves! { @from $T; i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 f16 bf16 } )* };
    (@from $T:ident; $($U:ident)*) => { $(
        impl Cast<$U> for $T {
            #[inline]
            fn cast(self) -> $U {
                // Exact, because every 16-bit float is also a 32-bit float.
                self.to_f32().cast()
            }
        }
    )* };
}
halves! { f16 bf16 }

macro_rules! truths {
    ($($T:ident)*) => { $(
        impl Cast<bool> for $T {
            /// Whether it is not zero.
            #[inline]
            fn cast(self) -> bool {
                self != <$T as SparseElement>::ZERO
            }
        }

        impl Cast<$T> for bool {
            #[inline]
            fn cast(self) -> $T {
                u8::from(self).cast()
            }
        }
    )* };
}
truths! { i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 f16 bf16 }

impl Cast<Self> for bool {
    #[inline]
    fn cast(self) -> Self {
        self
    }
}

macro_rules! complexes {
    ($($T:ident)*) => { $(
        impl Cast<Complex<f32>> for $T {
            #[inline]
            fn cast(self) -> Complex<f32> {
                Complex::new(self.cast(), 0.0)
            }
        }

        impl Cast<Complex<f64>> for $T {
            #[inline]
            fn cast(self) -> Complex<f64> {
                Complex::new(self.cast(), 0.0)
            }
        }
    )* };
    (@from $($T:ident to $($U:ident)*;)*) => { $( $(
        impl Cast<Complex<$U>> for Complex<$T> {
            #[inline]
            fn cast(self) -> Complex<$U> {
                Complex::new(self.re.cast(), self.im.cast())
            }
        }
    )* )* };
}
complexes! { bool i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64 }
complexes! { @from f32 to f32 f64; f64 to f32 f64; }
