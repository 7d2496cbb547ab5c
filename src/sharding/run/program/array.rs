//! Arrays whose element type and size are only known at run time.

use crate::element::{Element, HostValue};
use crate::sharding::run::RunError;
use crate::sharding::run::collective::{bytes_of, check, zeros};
use alloc::vec::Vec;
use layout_core::dtype::DType;

/// A row-major array whose element type and size are values: an argument or a result of a running program.
///
/// ```
/// use tensor_layout::sharding::run::program::HostArray;
/// use tensor_layout::{F32, S32};
/// let x = HostArray::new::<F32>(&[2, 3], &[0.0, 1.0, 2.0, 3.0, 4.0, 5.0])?;
/// assert_eq!((x.dtype().name(), x.dims()), ("f32", &[2, 3][..]));
/// assert_eq!(x.values::<F32>().unwrap()[5], 5.0);
/// assert_eq!(x.values::<S32>(), None);
/// # Ok::<(), tensor_layout::sharding::run::RunError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HostArray {
    dtype: DType,
    dims: Vec<usize>,
    bytes: Vec<u8>,
}

impl HostArray {
    /// Makes an array from its row-major values.
    ///
    /// # Errors
    /// If an array of this size has a different number of values.
    pub fn new<E: Element>(dims: &[usize], values: &[E::Host]) -> Result<Self, RunError> {
        let width = E::DTYPE.byte_width();
        check(bytes_of(dims, width)?, size_of_val(values))?;
        let mut bytes = zeros(dims, width)?;
        for (bytes, value) in bytes.chunks_exact_mut(width).zip(values) {
            value.write_le(bytes);
        }
        Ok(Self { dtype: E::DTYPE, dims: dims.to_vec(), bytes })
    }

    /// Makes an array from its row-major, little-endian bytes. Each element has [`DType::byte_width`] bytes.
    ///
    /// # Errors
    /// If an array of this size has a different number of bytes.
    pub fn from_bytes(dtype: DType, dims: &[usize], bytes: Vec<u8>) -> Result<Self, RunError> {
        check(bytes_of(dims, dtype.byte_width())?, bytes.len())?;
        Ok(Self { dtype, dims: dims.to_vec(), bytes })
    }

    /// An array of zeros.
    pub(super) fn zeroed(dtype: DType, dims: &[usize]) -> Result<Self, RunError> {
        let bytes = zeros(dims, dtype.byte_width())?;
        Ok(Self { dtype, dims: dims.to_vec(), bytes })
    }

    /// The same elements with other dimensions.
    pub(super) fn with_dims(&self, dims: &[usize]) -> Result<Self, RunError> {
        Self::from_bytes(self.dtype, dims, self.bytes.clone())
    }

    /// The element type.
    pub const fn dtype(&self) -> DType {
        self.dtype
    }

    /// The size of each dimension.
    pub fn dims(&self) -> &[usize] {
        &self.dims
    }

    /// The row-major, little-endian bytes.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    pub(super) fn as_bytes_mut(&mut self) -> &mut [u8] {
        &mut self.bytes
    }

    /// The bytes of an element.
    pub(super) const fn width(&self) -> usize {
        self.dtype.byte_width()
    }

    /// The row-major values; `None` if the elements have another type.
    pub fn values<E: Element>(&self) -> Option<Vec<E::Host>> {
        let values = || self.bytes.chunks_exact(self.width()).map(E::Host::from_le).collect();
        (E::DTYPE == self.dtype).then(values)
    }
}
