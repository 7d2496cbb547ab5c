//! The types of the values of stored tensors.

use crate::element::HostValue;
use crate::sparse::SparseScalar;

/// A value of a sparse tensor that a checkpoint stores: `f16`, `bf16`, `f32`, `f64`, an integer or a complex number. Unsigned
/// integers are stored under MLIR's name of their width: `u8` as `i8`.
///
/// ```
/// use tensor_layout::checkpoint::{Checkpoint, CheckpointError, StoredElement};
/// use tensor_layout::sparse::formats::Csr;
/// use tensor_layout::SparseTensor;
///
/// fn nonzeros<T: StoredElement>(checkpoint: &Checkpoint) -> Result<usize, CheckpointError> {
///     Ok(checkpoint.get::<SparseTensor<Csr, T>>("w")?.values().len())
/// }
/// # let _ = nonzeros::<f32>;
/// ```
pub trait StoredElement: SparseScalar + HostValue {}

impl<T: SparseScalar + HostValue> StoredElement for T {}

/// Evaluates an expression with `T` as the type of the values of a [`ScalarType`](crate::sparse::ScalarType), or `$none` if no
/// arrays of it are stored.
macro_rules! with_element {
    ($ty:expr, $T:ident => $value:expr, $none:expr) => {{
        use crate::sparse::ScalarType;
        macro_rules! with {
            ($Type:ty) => {{
                type $T = $Type;
                $value
            }};
        }
        match $ty {
            ScalarType::F16 => with!(half::f16),
            ScalarType::BF16 => with!(half::bf16),
            ScalarType::F32 => with!(f32),
            ScalarType::F64 => with!(f64),
            ScalarType::Integer(8) => with!(i8),
            ScalarType::Integer(16) => with!(i16),
            ScalarType::Integer(32) => with!(i32),
            ScalarType::Integer(64) => with!(i64),
            ScalarType::Complex32 => with!(num_complex::Complex<f32>),
            ScalarType::Complex64 => with!(num_complex::Complex<f64>),
            _ => $none,
        }
    }};
}
pub(in super::super) use with_element;
