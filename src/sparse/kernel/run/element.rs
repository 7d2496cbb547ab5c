#[cfg(feature = "std")]
use super::super::number::Real;
use super::super::number::{Number, Ordered, truth};
use super::super::widen::WidenTo;
use crate::sparse::SparseElement;
use half::{bf16, f16};
use layout_core::sparse_kernel::ElementType;
use layout_core::sparse_kernel::ir::{BinaryOp, UnaryOp};
use num_complex::Complex;

/// An element with which kernels can compute at run time. Its functions compute in `SparseElement::Wide`.
///
/// ```
/// use tensor_layout::sparsify::{DynOperand, ElementType, Evaluate, RunError, SparseKernel};
///
/// fn doubled<T: Evaluate>(x: Vec<T>) -> Result<DynOperand<T>, RunError> {
///     let ty = T::ELEMENT;
///     let text = format!("fn double(x: Dense<{ty}>[i]) -> y: Dense<{ty}>[i] {{ y[i] = 2 * x[i] }}");
///     let kernel: SparseKernel = text.parse().unwrap();
///     kernel.run(&[DynOperand::dense(&[x.len()], x).unwrap()])
/// }
/// assert_eq!(doubled(vec![1_i32, 4]), DynOperand::dense(&[2], vec![2, 8]));
/// ```
pub trait Evaluate: Number + WidenTo<<Self as SparseElement>::Wide> {
    /// The type, as signatures name it.
    const ELEMENT: ElementType;

    /// The start of a maximum and the start of a minimum; `None` if the elements have no order.
    const BOUNDS: Option<(Self, Self)>;

    /// The number of an index.
    fn from_index(index: i64) -> Self::Wide;

    /// A function of one value; `None` if it is not defined for these elements.
    fn unary(op: UnaryOp, a: Self::Wide) -> Option<Self::Wide>;

    /// A function of two values; `None` if it is not defined for these elements.
    fn binary(op: BinaryOp, a: Self::Wide, b: Self::Wide) -> Option<Self::Wide>;

    /// Two values reduced to one; `None` if the function is not defined for these elements.
    fn reduce(op: BinaryOp, a: Self::Wide, b: Self::Wide) -> Option<Self::Wide> {
        Self::binary(op, a, b)
    }
}

fn arithmetic<T: Number>(op: BinaryOp, a: T, b: T) -> Option<T> {
    Some(match op {
        BinaryOp::Add => a.plus(b),
        BinaryOp::Sub => a.minus(b),
        BinaryOp::Mul => a.times(b),
        BinaryOp::Div => a.over(b),
        BinaryOp::Equal => truth(a == b),
        BinaryOp::NotEqual => truth(a != b),
        _ => return None,
    })
}

fn ordered<T: Ordered>(op: BinaryOp, a: T, b: T) -> Option<T> {
    Some(match op {
        BinaryOp::Min => Ordered::min(a, b),
        BinaryOp::Max => Ordered::max(a, b),
        _ if op.is_comparison() => truth(op.compares(a, b)),
        _ => return arithmetic(op, a, b),
    })
}

/// Reduces two values by `min=` or `max=`.
fn compared<T: Ordered>(op: BinaryOp, a: T::Wide, b: T::Wide) -> Option<T::Wide> {
    match op {
        BinaryOp::Min => Some(T::least_of(a, b)),
        BinaryOp::Max => Some(T::largest_of(a, b)),
        _ => None,
    }
}

fn sign<T: Ordered>(op: UnaryOp, a: T) -> Option<T> {
    Some(match op {
        UnaryOp::Neg => a.negated(),
        UnaryOp::Abs => Ordered::abs(a),
        UnaryOp::Signum => Ordered::signum(a),
        _ => return None,
    })
}

#[cfg(feature = "std")]
fn real<T: Real>(op: UnaryOp, a: T) -> Option<T> {
    Some(match op {
        UnaryOp::Sqrt => Real::sqrt(a),
        UnaryOp::Exp => Real::exp(a),
        UnaryOp::Exp2 => Real::exp2(a),
        UnaryOp::ExpM1 => Real::exp_m1(a),
        UnaryOp::Ln => Real::ln(a),
        UnaryOp::Ln1p => Real::ln_1p(a),
        UnaryOp::Log2 => Real::log2(a),
        UnaryOp::Log10 => Real::log10(a),
        UnaryOp::Sin => Real::sin(a),
        UnaryOp::Cos => Real::cos(a),
        UnaryOp::Tan => Real::tan(a),
        UnaryOp::Asin => Real::asin(a),
        UnaryOp::Atan => Real::atan(a),
        UnaryOp::Sinh => Real::sinh(a),
        UnaryOp::Cosh => Real::cosh(a),
        UnaryOp::Tanh => Real::tanh(a),
        UnaryOp::Ceil => Real::ceil(a),
        UnaryOp::Floor => Real::floor(a),
        UnaryOp::Round => Real::round(a),
        UnaryOp::Trunc => Real::trunc(a),
        UnaryOp::Recip => Real::recip(a),
        _ => return sign(op, a),
    })
}

macro_rules! floats {
    ($($T:ident $of:ident;)*) => { $(
        impl Evaluate for $T {
            const ELEMENT: ElementType = ElementType::$of;
            const BOUNDS: Option<(Self, Self)> = Some((Self::LEAST, Self::LARGEST));
            fn from_index(index: i64) -> Self::Wide {
                Number::from_index(index)
            }
            fn unary(op: UnaryOp, a: Self::Wide) -> Option<Self::Wide> {
                #[cfg(feature = "std")]
                return real(op, a);
                #[cfg(not(feature = "std"))]
                sign(op, a)
            }
            fn binary(op: BinaryOp, a: Self::Wide, b: Self::Wide) -> Option<Self::Wide> {
                #[cfg(feature = "std")]
                if op == BinaryOp::Pow {
                    return Some(Real::pow(a, b));
                }
                ordered(op, a, b)
            }
            fn reduce(op: BinaryOp, a: Self::Wide, b: Self::Wide) -> Option<Self::Wide> {
                compared::<Self>(op, a, b).or_else(|| Self::binary(op, a, b))
            }
        }
    )* };
}
floats! { f16 F16; bf16 Bf16; f32 F32; f64 F64; }

macro_rules! integers {
    ($($T:ident $of:ident;)*) => { $(
        impl Evaluate for $T {
            const ELEMENT: ElementType = ElementType::$of;
            const BOUNDS: Option<(Self, Self)> = Some((Self::LEAST, Self::LARGEST));
            fn from_index(index: i64) -> Self::Wide {
                Number::from_index(index)
            }
            fn unary(op: UnaryOp, a: Self::Wide) -> Option<Self::Wide> {
                sign(op, a)
            }
            fn binary(op: BinaryOp, a: Self::Wide, b: Self::Wide) -> Option<Self::Wide> {
                ordered(op, a, b)
            }
            fn reduce(op: BinaryOp, a: Self::Wide, b: Self::Wide) -> Option<Self::Wide> {
                compared::<Self>(op, a, b).or_else(|| Self::binary(op, a, b))
            }
        }
    )* };
}
integers! { bool Bool; i8 I8; i16 I16; i32 I32; i64 I64; u8 U8; u16 U16; u32 U32; u64 U64; }

macro_rules! complexes {
    ($($T:ident $of:ident;)*) => { $(
        impl Evaluate for Complex<$T> {
            const ELEMENT: ElementType = ElementType::$of;
            const BOUNDS: Option<(Self, Self)> = None;
            fn from_index(index: i64) -> Self::Wide {
                Number::from_index(index)
            }
            fn unary(op: UnaryOp, a: Self::Wide) -> Option<Self::Wide> {
                (op == UnaryOp::Neg).then(|| a.negated())
            }
            fn binary(op: BinaryOp, a: Self::Wide, b: Self::Wide) -> Option<Self::Wide> {
                arithmetic(op, a, b)
            }
        }
    )* };
}
complexes! { f32 Complex32; f64 Complex64; }
