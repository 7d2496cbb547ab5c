#![allow(unsafe_code, reason = "`HostValue` is a promise that kernels rely on")]

use core::fmt::Debug;
use layout_core::dtype::DType;
use num_complex::Complex;
use typenum::{U1, U2, U4, U8, U16, U32, Unsigned};

mod sealed {
    pub trait Sealed {}
}
pub(super) use sealed::Sealed;

/// An element type as a zero-sized marker type, named as XLA prints it.
///
/// The trait is sealed: its implementors are the 32 array element types of XLA.
///
/// ```
/// use tensor_layout::{BF16, DType, DynLayout, Element, F32, TiledSpec};
///
/// /// The value at the start of a vector, packed at run time.
/// fn first<E: Element>(values: &[E::Host]) -> E::Host {
///     let spec = TiledSpec::tpu_default(E::DTYPE, &[values.len()]).unwrap();
///     let packed = spec.pack::<E>(values).unwrap();
///     spec.get::<E>(&packed, &[0]).unwrap()
/// }
///
/// assert_eq!(first::<F32>(&[1.5, 2.0]), 1.5);
/// assert_eq!(BF16::DTYPE, DType::BF16);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an element type of XLA",
    label = "not an element type",
    note = "the element types are in this crate and named as XLA prints them, in capitals: `F32` holds `f32`, `BF16` `bf16`, and `S8` `i8`"
)]
pub trait Element: Sealed + Copy + Default + Debug + Send + Sync + 'static {
    /// The type of the items of a row-major slice on the host. Types narrower than a byte have a whole byte each.
    type Host: HostValue;
    /// The same type as a value.
    const DTYPE: DType;
    /// The number of elements in a 32-bit word if each is stored in whole bytes; [`U1`] for wider types.
    type Packing: Unsigned;
}

/// The type of a value on the host that represents one element.
///
/// ```
/// use tensor_layout::HostValue;
/// use tensor_layout::half::bf16;
/// let mut bytes = [0; 2];
/// bf16::ONE.write_le(&mut bytes);
/// assert_eq!(bytes, [0x80, 0x3F]);
/// assert_eq!(bf16::from_le(&bytes), bf16::ONE);
/// ```
///
/// # Safety
/// The type must have no padding bytes, and each bit pattern of its size must be a value, because kernels move such values as
/// bytes. The only exception is `bool`: its layouts normalize every byte that they write.
pub unsafe trait HostValue: Copy + PartialEq + Debug + Send + Sync + 'static {
    /// The value with the little-endian bytes at the start of `bytes`.
    ///
    /// # Panics
    /// If `bytes` is shorter than the value.
    fn from_le(bytes: &[u8]) -> Self;
    /// Writes the little-endian bytes of the value to the start of `bytes`.
    ///
    /// # Panics
    /// If `bytes` is shorter than the value.
    fn write_le(self, bytes: &mut [u8]);
}

macro_rules! number {
    ($($T:ty)*) => { $(
        // SAFETY: a plain number, or a transparent wrapper of one: no padding, and every bit pattern is a value.
        unsafe impl HostValue for $T {
            fn from_le(bytes: &[u8]) -> Self {
                Self::from_le_bytes(bytes[..size_of::<Self>()].try_into().expect("sliced to the size"))
            }
            fn write_le(self, bytes: &mut [u8]) {
                bytes[..size_of::<Self>()].copy_from_slice(&self.to_le_bytes());
            }
        }
    )* };
}
number! { i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 half::f16 half::bf16
microfloat::f8e5m2 microfloat::f8e4m3 microfloat::f8e4m3fn microfloat::f8e4m3b11fnuz microfloat::f8e3m4
microfloat::f8e5m2fnuz microfloat::f8e4m3fnuz microfloat::f8e8m0fnu
microfloat::f4e2m1fn microfloat::f6e3m2fn microfloat::f6e2m3fn }

// SAFETY: one byte without padding. Not every bit pattern is a value: it is the exception that the trait names.
unsafe impl HostValue for bool {
    fn from_le(bytes: &[u8]) -> Self {
        bytes[0] != 0
    }
    fn write_le(self, bytes: &mut [u8]) {
        bytes[0] = self.into();
    }
}

macro_rules! complex {
    ($($T:ty)*) => { $(
        // SAFETY: `Complex` is `repr(C)` with two floats of one type: no padding, and every bit pattern is a value.
        unsafe impl HostValue for Complex<$T> {
            fn from_le(bytes: &[u8]) -> Self {
                Self::new(<$T>::from_le(bytes), <$T>::from_le(&bytes[size_of::<$T>()..]))
            }
            fn write_le(self, bytes: &mut [u8]) {
                self.re.write_le(bytes);
                self.im.write_le(&mut bytes[size_of::<$T>()..]);
            }
        }
    )* };
}
complex! { f32 f64 }

/// The number of elements in a 32-bit word as a type, for a [`Width`] in bits that is a const parameter.
///
/// ```
/// use tensor_layout::typenum::Unsigned;
/// use tensor_layout::{PackingOf, Width};
/// assert_eq!(<Width<8> as PackingOf>::Packing::USIZE, 4);
/// assert_eq!(<Width<64> as PackingOf>::Packing::USIZE, 1);
/// ```
pub trait PackingOf {
    /// [`U32`] for 1 bit, [`U1`] for 32 bits and more. Elements of 6 bits count as bytes, so [`U4`].
    type Packing: Unsigned;
}

/// A width in bits as a type, on which [`PackingOf`] is implemented: `Width<16>`.
#[derive(Clone, Copy, Debug)]
pub struct Width<const BITS: usize>;

macro_rules! packing {
    ($($bits:literal $P:ty;)*) => { $( impl PackingOf for Width<$bits> { type Packing = $P; } )* };
}
// Elements of six bits count as bytes: six does not divide 32, and no TPU format packs five of them into a word.
packing! { 1 U32; 2 U16; 4 U8; 6 U4; 8 U4; 16 U2; 32 U1; 64 U1; 128 U1; }
