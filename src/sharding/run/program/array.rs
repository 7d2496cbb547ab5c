//! Arrays whose element type and size are only known at run time.

use super::buffer::{Buffer, Form};
use crate::element::{Element, HostValue};
use crate::movement::PackError;
use crate::sharding::run::RunError;
use crate::sharding::run::collective::{byte_len, check};
use alloc::vec::Vec;
use layout_core::dtype::DType;
use layout_core::tiled::TiledSpec;

/// A row-major array whose element type and size are values: an argument or a result of a running program.
///
/// A clone shares the elements, so it takes the same time for any number of them. An array that is an argument of several runs
/// keeps the forms in which products have packed it; see [the module](super#arguments-of-many-runs).
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
    bytes: Buffer,
}

impl HostArray {
    /// Makes an array from its row-major values.
    ///
    /// # Errors
    /// If an array of this size has a different number of values.
    pub fn new<E: Element>(dims: &[usize], values: &[E::Host]) -> Result<Self, RunError> {
        let width = E::DTYPE.byte_width();
        check(byte_len(dims, width)?, size_of_val(values))?;
        let mut array = Self::zeroed(E::DTYPE, dims)?;
        for (bytes, value) in array.as_bytes_mut()?.chunks_exact_mut(width).zip(values) {
            value.write_le(bytes);
        }
        Ok(array)
    }

    /// Makes an array from its row-major, little-endian bytes. Each element has [`DType::byte_width`] bytes.
    ///
    /// # Errors
    /// If an array of this size has a different number of bytes.
    pub fn from_bytes(dtype: DType, dims: &[usize], bytes: Vec<u8>) -> Result<Self, RunError> {
        check(byte_len(dims, dtype.byte_width())?, bytes.len())?;
        Ok(Self { dtype, dims: dims.to_vec(), bytes: bytes.into() })
    }

    /// An array of zeros.
    pub(super) fn zeroed(dtype: DType, dims: &[usize]) -> Result<Self, RunError> {
        let width = dtype.byte_width();
        let too_large = || RunError::TooLarge { dims: dims.to_vec(), width };
        let bytes = Buffer::zeroed(byte_len(dims, width)?).ok_or_else(too_large)?;
        Ok(Self { dtype, dims: dims.to_vec(), bytes })
    }

    /// An array whose elements all are the first one of another array.
    pub(super) fn repeating(element: &Self, dims: &[usize]) -> Result<Self, RunError> {
        let mut array = Self::zeroed(element.dtype, dims)?;
        let width = array.width();
        for to in array.as_bytes_mut()?.chunks_exact_mut(width) {
            to.copy_from_slice(&element.as_bytes()[..width]);
        }
        Ok(array)
    }

    /// The same bytes as elements of another type, with other dimensions.
    pub(super) fn viewed(self, dtype: DType, dims: &[usize]) -> Result<Self, RunError> {
        check(byte_len(dims, dtype.byte_width())?, self.as_bytes().len())?;
        Ok(Self { dtype, dims: dims.to_vec(), bytes: self.bytes })
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
        self.bytes.as_slice()
    }

    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.bytes.into_vec()
    }

    /// The bytes to write to. They are copied first if other arrays share them.
    pub(super) fn as_bytes_mut(&mut self) -> Result<&mut [u8], RunError> {
        let Self { dtype, dims, bytes } = self;
        let width = dtype.byte_width();
        bytes.as_mut_slice().ok_or_else(|| RunError::TooLarge { dims: dims.clone(), width })
    }

    /// Whether writing to the array needs no copy.
    pub(super) fn is_unique(&mut self) -> bool {
        self.bytes.is_unique()
    }

    /// The array, whose layout is `from`, in the layout `to`. It is made once, and shared by all arrays that share the elements.
    ///
    /// # Errors
    /// If memory for it cannot be allocated.
    pub(super) fn form(&self, from: &TiledSpec, to: &TiledSpec) -> Result<Form, PackError> {
        self.bytes.form(from, to)
    }

    /// The number of forms that are kept.
    #[cfg(test)]
    pub(super) fn forms(&self) -> usize {
        self.bytes.forms()
    }

    /// The bytes of an element.
    pub(super) const fn width(&self) -> usize {
        self.dtype.byte_width()
    }

    /// Takes the array, and leaves one without elements in its place.
    pub(super) fn take(&mut self) -> Self {
        let Self { dtype, dims, bytes } = self;
        Self { dtype: *dtype, dims: core::mem::take(dims), bytes: core::mem::take(bytes) }
    }

    /// The number of elements.
    pub(super) fn count(&self) -> usize {
        self.as_bytes().len() / self.width()
    }

    /// The row-major values; `None` if the elements have another type.
    pub fn values<E: Element>(&self) -> Option<Vec<E::Host>> {
        let values = || self.as_bytes().chunks_exact(self.width()).map(E::Host::from_le).collect();
        (E::DTYPE == self.dtype).then(values)
    }
}
