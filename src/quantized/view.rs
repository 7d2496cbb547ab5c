use super::error::QuantizedError;
use super::matmul::Activation;
use super::types::QuantizedLayout;
use crate::typed::types::Shape;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;
use core::ops::Range;
use layout_core::quantized::{MAX_BLOCK, QuantizedSpec, Rejected};

/// A view of a block-scaled array of the layout `Q`: of an array in memory, or of a mapped file.
///
/// ```
/// use tensor_layout::quantized;
/// use tensor_layout::quantized::QuantizedRef;
/// type Weights = quantized!(q8_0[2,32]);
/// let bytes = Weights::pack(&[127.0; 64])?.as_bytes().to_vec();   // or those of a file
/// let view = QuantizedRef::<Weights>::from_bytes(&bytes)?;
/// assert_eq!(view.get([1, 31]), 127.0);
/// # Ok::<(), quantized::QuantizedError>(())
/// ```
pub struct QuantizedRef<'a, Q: QuantizedLayout> {
    bytes: &'a [u8],
    layout: PhantomData<fn() -> Q>,
}

impl<Q: QuantizedLayout> Clone for QuantizedRef<'_, Q> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<Q: QuantizedLayout> Copy for QuantizedRef<'_, Q> {}

impl<'a, Q: QuantizedLayout> QuantizedRef<'a, Q> {
    /// A view of packed bytes, which may start at any address.
    ///
    /// # Errors
    /// If `bytes` does not have the length of the layout.
    pub fn from_bytes(bytes: &'a [u8]) -> Result<Self, QuantizedError> {
        check_packed(&Q::SPEC, bytes)?;
        Ok(Self::of_checked(bytes))
    }

    pub(super) fn of_checked(bytes: &'a [u8]) -> Self {
        Self { bytes, layout: PhantomData }
    }

    /// The stored bytes.
    pub fn as_bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// The view with its layout as a value: it unpacks, multiplies and selects rows.
    pub fn as_dyn(&self) -> DynQuantizedRef<'a> {
        DynQuantizedRef { spec: Q::SPEC, bytes: self.bytes, rows: 0..const { Q::SPEC.rows() } }
    }

    /// The number at `index`.
    ///
    /// # Panics
    /// If `index` is out of bounds, as slice indexing does.
    #[track_caller]
    pub fn get(&self, index: <Q::Shape as Shape>::Index) -> f32 {
        let mut position = 0;
        for (index, size) in index.as_ref().iter().zip(Q::SPEC.dims()) {
            assert!(index < size, "index {index} is out of bounds of a dimension of size {size}");
            position = position * size + index;
        }
        value(&Q::SPEC, self.bytes, position)
    }
}

/// A view of a block-scaled array, or of some of its rows, whose layout is known at run time.
///
/// ```
/// use tensor_layout::quantized::{DynQuantizedRef, QuantizedSpec};
/// let spec: QuantizedSpec = "q8_0[2,32]".parse().unwrap();
/// // A scale of 0.5, 0x3800 as `f16`, and 32 times 3; then a row of zeros.
/// let mut bytes = [3; 68];
/// bytes[..2].copy_from_slice(&[0x00, 0x38]);
/// bytes[34..].fill(0);
/// let weights = DynQuantizedRef::new(spec, &bytes)?;
/// assert_eq!(weights.matmul(&[1.0_f32; 32])?, [48.0, 0.0]);
/// assert_eq!(weights.rows(0..1).unpack(), [1.5; 32]);
/// # Ok::<(), tensor_layout::quantized::QuantizedError>(())
/// ```
#[derive(Clone)]
pub struct DynQuantizedRef<'a> {
    spec: QuantizedSpec,
    /// The layout of the whole array.
    bytes: &'a [u8],
    rows: Range<usize>,
}

impl<'a> DynQuantizedRef<'a> {
    /// A view of packed bytes, which may start at any address.
    ///
    /// # Errors
    /// If `bytes` does not have the length of the layout.
    pub fn new(spec: QuantizedSpec, bytes: &'a [u8]) -> Result<Self, QuantizedError> {
        check_packed(&spec, bytes)?;
        Ok(Self { spec, bytes, rows: 0..spec.rows() })
    }

    /// The layout of the whole array.
    pub fn spec(&self) -> &QuantizedSpec {
        &self.spec
    }

    /// The bytes of the whole array.
    pub(super) fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// The rows of the array that the view shows.
    pub fn row_range(&self) -> Range<usize> {
        self.rows.clone()
    }

    /// Some of the rows of the view, with all dimensions but the last counted as one.
    ///
    /// # Panics
    /// If the rows are out of bounds, as slice indexing does.
    #[must_use]
    #[track_caller]
    pub fn rows(&self, rows: Range<usize>) -> Self {
        let len = self.rows.len();
        assert!(
            rows.start <= rows.end && rows.end <= len,
            "rows {}..{} are out of bounds of {len} rows",
            rows.start,
            rows.end,
        );
        let start = self.rows.start;
        Self { spec: self.spec, bytes: self.bytes, rows: start + rows.start..start + rows.end }
    }

    /// The numbers in row-major order.
    ///
    /// # Panics
    /// If memory cannot be allocated, as collections do.
    pub fn unpack(&self) -> Vec<f32> {
        let mut values = vec![0.0; self.rows.len() * self.spec.columns()];
        self.unpack_all(&mut values);
        values
    }

    /// [`DynQuantizedRef::unpack`] into a slice.
    ///
    /// # Errors
    /// If `row_major` does not have one value for each element of the rows.
    pub fn unpack_into(&self, row_major: &mut [f32]) -> Result<(), QuantizedError> {
        let (actual, expected) = (row_major.len(), self.rows.len() * self.spec.columns());
        if actual != expected {
            let layout = self.spec.into();
            return Err(QuantizedError::RowMajorLength { actual, expected, layout });
        }
        self.unpack_all(row_major);
        Ok(())
    }

    fn unpack_all(&self, values: &mut [f32]) {
        if self.unpack_groups(values) {
            return;
        }
        let block = self.spec.block();
        let first = self.rows.start * (self.spec.columns() / block);
        let tensor_scale = tensor_scale(&self.spec, self.bytes);
        for (at, values) in values.chunks_exact_mut(block).enumerate() {
            let (elements, scale) = block_of(&self.spec, self.bytes, first + at);
            self.spec.unpack_block(elements, scale, tensor_scale, values);
        }
    }
}

impl<Q: QuantizedLayout> fmt::Debug for QuantizedRef<'_, Q> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("QuantizedRef").field(&Q::SPEC).finish_non_exhaustive()
    }
}

impl fmt::Debug for DynQuantizedRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut fields = f.debug_struct("DynQuantizedRef");
        fields.field("spec", &self.spec).field("rows", &self.rows).finish_non_exhaustive()
    }
}

fn check_packed(spec: &QuantizedSpec, bytes: &[u8]) -> Result<(), QuantizedError> {
    let (actual, expected) = (bytes.len(), spec.bytes());
    let error = || QuantizedError::PackedLength { actual, expected, layout: (*spec).into() };
    if actual == expected { Ok(()) } else { Err(error()) }
}

/// The bytes of the elements of a block, and those of its scale.
fn block_of<'a>(spec: &QuantizedSpec, bytes: &'a [u8], block: usize) -> (&'a [u8], &'a [u8]) {
    let elements = &bytes[spec.elements_at(block)..];
    let scale = &bytes[spec.scale_at(block)..];
    (&elements[..spec.block_element_bytes()], &scale[..spec.scale().byte_width()])
}

/// The scale of the whole array: 1 if it has none.
pub(super) fn tensor_scale(spec: &QuantizedSpec, bytes: &[u8]) -> f32 {
    let scale = spec.tensor_scale_start().and_then(|start| bytes.get(start..)?.first_chunk());
    scale.map_or(1.0, |bytes| f32::from_le_bytes(*bytes))
}

/// The number at a position in row-major order.
pub(super) fn value(spec: &QuantizedSpec, bytes: &[u8], position: usize) -> f32 {
    let (elements, scale) = block_of(spec, bytes, position / spec.block());
    let element = spec.element_of(elements, position % spec.block());
    element * spec.scale_of(scale) * tensor_scale(spec, bytes)
}

/// Quantizes numbers in row-major order.
pub(crate) fn pack_into<T: Activation>(
    spec: &QuantizedSpec,
    row_major: &[T],
    bytes: &mut [u8],
) -> Result<(), QuantizedError> {
    if row_major.len() != spec.len() {
        let (actual, expected) = (row_major.len(), spec.len());
        return Err(QuantizedError::RowMajorLength { actual, expected, layout: (*spec).into() });
    }
    let largest = match spec.has_tensor_scale() {
        true => row_major.iter().map(|x| x.widen().abs()).fold(0.0, f32::max),
        false => 0.0,
    };
    pack_part(spec, row_major, largest, bytes)
}

/// Quantizes the numbers of `spec`, in an array whose largest magnitude is `largest`: if the array has a scale of its own, the
/// numbers may be only a part of it.
pub(crate) fn pack_part<T: Activation>(
    spec: &QuantizedSpec,
    row_major: &[T],
    largest: f32,
    bytes: &mut [u8],
) -> Result<(), QuantizedError> {
    let unit = spec.tensor_scale_for(largest);
    if let Some(start) = spec.tensor_scale_start() {
        bytes[start..][..size_of::<f32>()].copy_from_slice(&unit.to_le_bytes());
    }
    let (width, len) = (spec.scale().byte_width(), spec.block_element_bytes());
    let mut values = [0.0; MAX_BLOCK];
    let values = &mut values[..spec.block()];
    let mut scale = [0; size_of::<f32>()];
    for (block, numbers) in row_major.chunks_exact(spec.block()).enumerate() {
        for (value, number) in values.iter_mut().zip(numbers) {
            *value = number.widen();
        }
        let elements = &mut bytes[spec.elements_at(block)..][..len];
        spec.pack_block(values, unit, elements, &mut scale[..width]).map_err(|rejected| {
            let (first, layout) = (block * spec.block(), (*spec).into());
            match rejected {
                Rejected::NotFinite(at) => {
                    QuantizedError::NotFinite { position: first + at, layout }
                }
                Rejected::ScaleOverflow => {
                    QuantizedError::ScaleOverflow { position: first, layout }
                }
            }
        })?;
        bytes[spec.scale_at(block)..][..width].copy_from_slice(&scale[..width]);
    }
    Ok(())
}
