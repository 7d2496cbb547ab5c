use super::bytes::{ALIGN, AlignedBytes};
use super::error::QuantizedError;
use super::matmul::Activation;
use super::types::QuantizedLayout;
use super::view::{DynQuantizedRef, QuantizedRef, pack_into};
use crate::typed::types::{Shape, Shape2};
use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;
use core::ops::Range;

/// A block-scaled array of the layout `Q`, aligned to 64 bytes.
///
/// ```
/// use tensor_layout::{half::bf16, quantized};
/// use tensor_layout::quantized::QuantizedArray;
/// type Weights = quantized!(mxfp4[3,32]);
///
/// let packed = Weights::pack(&[bf16::from_f32(-1.5); 96])?;
/// assert_eq!(packed.get([2, 31]), -1.5);
/// // 16 bytes of elements for each row, their scales at the next multiple of 64.
/// assert_eq!(packed.as_bytes().len(), 64 + 3);
/// let copy = QuantizedArray::<Weights>::from_bytes(packed.as_bytes())?;
/// assert_eq!(copy.rows(1..3).unpack(), [-1.5; 64]);
/// # Ok::<(), tensor_layout::quantized::QuantizedError>(())
/// ```
pub struct QuantizedArray<Q: QuantizedLayout> {
    bytes: AlignedBytes,
    layout: PhantomData<fn() -> Q>,
}

impl<Q: QuantizedLayout> QuantizedArray<Q> {
    /// The alignment of the array in bytes.
    pub const ALIGN: usize = ALIGN;

    /// Quantizes numbers in row-major order, `f32`, `bf16` or `f16`, by the rule of the format:
    /// [`QuantizedSpec::pack_block`](super::QuantizedSpec::pack_block).
    ///
    /// # Errors
    /// If `row_major` does not have one number for each element, a number is infinite or not a number, a block is too large
    /// for its scale, or there is no memory.
    pub fn pack<T: Activation>(row_major: &[T]) -> Result<Self, QuantizedError> {
        let mut bytes = AlignedBytes::zeroed(&Q::SPEC)?;
        pack_into(&Q::SPEC, row_major, bytes.as_mut_slice())?;
        Ok(Self { bytes, layout: PhantomData })
    }

    /// A copy of packed bytes, such as a file of the format contains.
    ///
    /// # Errors
    /// If `bytes` does not have the length of the layout, or there is no memory.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, QuantizedError> {
        let view = QuantizedRef::<Q>::from_bytes(bytes)?;
        let mut bytes = AlignedBytes::zeroed(&Q::SPEC)?;
        bytes.as_mut_slice().copy_from_slice(view.as_bytes());
        Ok(Self { bytes, layout: PhantomData })
    }

    /// The stored bytes.
    pub fn as_bytes(&self) -> &[u8] {
        self.bytes.as_slice()
    }

    /// The array as a view.
    pub fn as_ref(&self) -> QuantizedRef<'_, Q> {
        QuantizedRef::of_checked(self.bytes.as_slice())
    }

    /// The array as a view whose layout is a value.
    pub fn as_dyn(&self) -> DynQuantizedRef<'_> {
        self.as_ref().as_dyn()
    }

    /// The numbers in row-major order.
    ///
    /// # Panics
    /// If memory cannot be allocated, as collections do.
    pub fn unpack(&self) -> Vec<f32> {
        self.as_dyn().unpack()
    }

    /// The number at `index`.
    ///
    /// # Panics
    /// If `index` is out of bounds, as slice indexing does.
    #[track_caller]
    pub fn get(&self, index: <Q::Shape as Shape>::Index) -> f32 {
        self.as_ref().get(index)
    }

    /// Some of the rows, with all dimensions but the last counted as one.
    ///
    /// # Panics
    /// If the rows are out of bounds, as slice indexing does.
    #[track_caller]
    pub fn rows(&self, rows: Range<usize>) -> DynQuantizedRef<'_> {
        self.as_dyn().rows(rows)
    }
}

impl<Q, const N: usize, const K: usize> QuantizedArray<Q>
where
    Q: QuantizedLayout<Shape = Shape2<N, K>>,
{
    /// `x` times the transposed array, in row-major order: `M` x `N`, for `M` rows of `K` activations. See
    /// [`DynQuantizedRef::matmul_into`].
    ///
    /// # Errors
    /// If `x` does not consist of rows of `K`, or there is no memory.
    pub fn matmul<T: Activation /* weights.matmul(x.as_elements())? */>(
        &self,
        x: &[T],
    ) -> Result<Vec<f32>, QuantizedError> {
        self.as_dyn().matmul(x)
    }

    /// [`QuantizedArray::matmul`] into a slice of `M` x `N`.
    ///
    /// # Errors
    /// If a slice has the wrong length, or there is no memory.
    pub fn matmul_into<T: Activation>(&self, x: &[T], y: &mut [f32]) -> Result<(), QuantizedError> {
        self.as_dyn().matmul_into(x, y)
    }
}

impl<Q: QuantizedLayout> fmt::Debug for QuantizedArray<Q> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("QuantizedArray").field(&Q::SPEC).finish_non_exhaustive()
    }
}
