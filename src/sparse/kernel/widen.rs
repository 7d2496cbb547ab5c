//! Exact conversions of elements to the type that a kernel computes in.

use crate::sparse::SparseElement;
use half::{bf16, f16};
use num_complex::Complex;

/// An element with which a kernel whose output has elements of another type computes, converted to `W`, the type in which
/// elements of the output are added up ([`SparseElement::Wide`](crate::sparse::SparseElement::Wide)). The conversion is exact.
///
/// ```
/// use tensor_layout::sparsify::WidenTo;
/// let half: f32 = tensor_layout::half::bf16::from_f32(0.5).widen_to();
/// let count: f32 = (-3i8).widen_to();
/// assert_eq!(half * count, -1.5);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{W}` cannot represent every value of `{Self}`",
    label = "the kernel computes in `{W}`",
    note = "give the output elements of a wider type, or convert the operand before the call: `a.cast::<f32>()`"
)]
pub trait WidenTo<W> {
    /// The exact value.
    #[must_use]
    fn widen_to(self) -> W;
}

impl<T: SparseElement> WidenTo<T> for T {
    #[inline(always)]
    fn widen_to(self) -> T {
        self
    }
}

macro_rules! widen {
    ($($T:ident to $($W:ident)*;)*) => { $( $(
        impl WidenTo<$W> for $T {
            #[inline(always)]
            fn widen_to(self) -> $W {
                self.into()
            }
        }
    )* )* };
}
widen! {
    bool to i32 i64 u32 u64 f32 f64;
    i8 to i32 i64 f32 f64;
    i16 to i32 i64 f32 f64;
    i32 to i64 f64;
    u8 to i32 i64 u32 u64 f32 f64;
    u16 to i32 i64 u32 u64 f32 f64;
    u32 to i64 u64 f64;
    f16 to f32 f64;
    bf16 to f32 f64;
    f32 to f64;
}

macro_rules! complex {
    ($W:ident from $($T:ident)*) => { $(
        impl WidenTo<Complex<$W>> for $T {
            #[inline(always)]
            fn widen_to(self) -> Complex<$W> {
                Complex::new(self.widen_to(), 0.0)
            }
        }
    )* };
}
// Each on a line of its own, because rustc quotes the one that an error is about.
complex!(f32 from bool i8 i16 u8 u16 f16 bf16 f32);
complex!(f64 from bool i8 i16 i32 u8 u16 u32 f16 bf16 f32 f64);

impl WidenTo<Complex<f64>> for Complex<f32> {
    #[inline(always)]
    fn widen_to(self) -> Complex<f64> {
        Complex::new(self.re.into(), self.im.into())
    }
}
