//! The types of which the type of a block-scaled layout consists.

use super::array::QuantizedArray;
use super::error::QuantizedError;
use super::matmul::Activation;
use crate::element::Element;
use crate::require::fail;
use crate::typed::types::{Sealed, Shape};
use core::marker::PhantomData;
use layout_core::DType;
use layout_core::quantized::{Arrangement, Problem, QuantizedSpec};
use layout_core::text::Text;

/// The scales of a block-scaled array: one of type `E` for every `BLOCK` elements along the last dimension. Written
/// `by f16[1,32]` in [`quantized!`](crate::quantized!).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct By<E, const BLOCK: usize>(PhantomData<E>);

/// The scales of a block-scaled array: those of [`By`], and one `f32` for the whole array. Written `by f8e4m3fn[1,16] by f32` in
/// [`quantized!`](crate::quantized!).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ByTensor<E, const BLOCK: usize>(PhantomData<E>);

/// [`Arrangement::Blocks`] as a type. Written `in blocks` in [`quantized!`](crate::quantized!).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Blocks;

/// [`Arrangement::Planes`] as a type. Written `in planes` in [`quantized!`](crate::quantized!).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Planes;

/// The scales of a block-scaled array, as a type: [`By`] or [`ByTensor`].
pub trait Scales: Sealed + 'static {
    /// The type of the scales of blocks.
    const DTYPE: DType;
    /// The number of elements of a block.
    const BLOCK: usize;
    /// Whether one more scale, an `f32`, applies to the whole array.
    const HAS_TENSOR_SCALE: bool;
}

impl<E, const BLOCK: usize> Sealed for By<E, BLOCK> {}
impl<E: Element, const BLOCK: usize> Scales for By<E, BLOCK> {
    const DTYPE: DType = E::DTYPE;
    const BLOCK: usize = BLOCK;
    const HAS_TENSOR_SCALE: bool = false;
}

impl<E, const BLOCK: usize> Sealed for ByTensor<E, BLOCK> {}
impl<E: Element, const BLOCK: usize> Scales for ByTensor<E, BLOCK> {
    const DTYPE: DType = E::DTYPE;
    const BLOCK: usize = BLOCK;
    const HAS_TENSOR_SCALE: bool = true;
}

/// The arrangement of a block-scaled array, as a type: [`Blocks`] or [`Planes`].
pub trait Stored: Sealed + 'static {
    /// The arrangement as a value.
    const ARRANGEMENT: Arrangement;
}

impl Sealed for Blocks {}
impl Stored for Blocks {
    const ARRANGEMENT: Arrangement = Arrangement::Blocks;
}

impl Sealed for Planes {}
impl Stored for Planes {
    const ARRANGEMENT: Arrangement = Arrangement::Planes;
}

/// A block-scaled array type: elements, shape, scales and the arrangement of the bytes.
///
/// Write it with the macro [`quantized!`](crate::quantized!); it has no values. Two equal layouts are the same type wherever they
/// are written: `quantized!(q8_0[64,64])` is `quantized!(s8[64,64] by f16[1,32] in blocks)`.
///
/// ```
/// use tensor_layout::quantized;
/// type Weights = quantized!(q4_0[2,64]);
/// assert_eq!(Weights::BYTES, 4 * 18);
/// let packed = Weights::pack(&[0.5; 128])?;
/// assert_eq!(packed.get([1, 63]), 0.5);
/// # Ok::<(), quantized::QuantizedError>(())
/// ```
#[allow(clippy::type_complexity, reason = "the parameters are the layout")]
pub struct Quantized<E, S, B, A>(PhantomData<fn() -> (E, S, B, A)>);

/// The properties of a block-scaled array type: its sizes, its bytes, and its run-time twin.
///
/// ```
/// use tensor_layout::quantized;
/// use tensor_layout::quantized::{QuantizedArray, QuantizedLayout};
///
/// fn bits_per_element<Q: QuantizedLayout>(_: &QuantizedArray<Q>) -> f64 {
///     8.0 * Q::BYTES as f64 / Q::SPEC.dims().iter().product::<usize>() as f64
/// }
/// let packed = <quantized!(q4_0[2,64])>::pack(&[0.5; 128])?;
/// assert_eq!(bits_per_element(&packed), 4.5);
/// # Ok::<(), quantized::QuantizedError>(())
/// ```
pub trait QuantizedLayout: Sealed + 'static {
    /// The logical sizes, as a type: `Shape2<4096, 4096>`.
    type Shape: Shape;
    #[doc(hidden)]
    const VALIDATED: Result<QuantizedSpec, Problem>;
    /// The run-time twin; displays as the canonical text.
    const SPEC: QuantizedSpec = checked(&Self::VALIDATED);
    /// The number of bytes.
    const BYTES: usize = Self::SPEC.bytes();
    /// The logical sizes.
    const DIMS: <Self::Shape as Shape>::Index = <Self::Shape as Shape>::DIMS;
}

impl<E, S, B, A> Sealed for Quantized<E, S, B, A> {}

impl<E: Element, S: Shape, B: Scales, A: Stored> QuantizedLayout for Quantized<E, S, B, A> {
    type Shape = S;
    const VALIDATED: Result<QuantizedSpec, Problem> = QuantizedSpec::new(
        E::DTYPE,
        S::SIZES.as_slice(),
        B::DTYPE,
        B::BLOCK,
        B::HAS_TENSOR_SCALE,
        A::ARRANGEMENT,
    );
}

/// `size`, after a check of the layout `Q` in which it occurs, so that rustc checks the expressions in a macro.
///
/// # Panics
/// If the layout breaks a rule. This function is called in const evaluation, so the panic is a compile error at its call.
#[track_caller]
pub const fn checked_quantized_size<Q: QuantizedLayout>(size: usize) -> usize {
    if let Err(problem) = &Q::VALIDATED {
        failed(problem)
    }
    size
}

/// The layout, checked in const evaluation.
#[track_caller]
const fn checked(validated: &Result<QuantizedSpec, Problem>) -> QuantizedSpec {
    match validated {
        Ok(spec) => *spec,
        Err(problem) => failed(problem),
    }
}

#[track_caller]
const fn failed(problem: &Problem) -> ! {
    let (message, help) = (problem.message(), problem.help());
    fail(Text::new().str(message.as_str()).str("; ").str(help.as_str()).as_str())
}

/// The items of [`QuantizedLayout`], without importing it.
impl<E: Element, S: Shape, B: Scales, A: Stored> Quantized<E, S, B, A> {
    /// See [`QuantizedLayout::SPEC`].
    pub const SPEC: QuantizedSpec = <Self as QuantizedLayout>::SPEC;
    /// See [`QuantizedLayout::BYTES`].
    pub const BYTES: usize = <Self as QuantizedLayout>::BYTES;
    /// See [`QuantizedLayout::DIMS`].
    pub const DIMS: S::Index = <Self as QuantizedLayout>::DIMS;

    /// See [`QuantizedArray::pack`].
    ///
    /// # Errors
    /// As [`QuantizedArray::pack`].
    pub fn pack<T: Activation>(row_major: &[T]) -> Result<QuantizedArray<Self>, QuantizedError> {
        QuantizedArray::pack(row_major)
    }
}
