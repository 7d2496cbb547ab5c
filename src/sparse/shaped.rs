use super::coo::CooEntries;
use super::tensor::SparseTensor;
use super::transpose::Transpose;
use super::typed::{Encoding, WithDimsOf};
use super::types::Slice;
use super::values::Cast;
use crate::require::{fail, require};
use crate::typed::types::{OpenShape, Shape, Shape2, Size};
use core::fmt;
use core::marker::PhantomData;
use core::ops::Deref;
use half::{bf16, f16};
use layout_core::sparse::storage::{BuildError, Duplicates};
use layout_core::sparse::{MAX_RANK, ScalarType, SparseElement, SparseTensorSpec};
use layout_core::text::Text;
use num_complex::Complex;

/// Checks that the encoding has as many dimensions as the tensor, and returns `size`. Macros wrap a size in this function so that
/// rustc makes the check.
///
/// # Panics
/// If the encoding has another number of dimensions; in const evaluation that is a compile error at the caller's line.
#[track_caller]
pub const fn size_of_rank<E: Encoding, const RANK: usize>(size: usize) -> usize {
    let rank = E::SPEC.rank();
    if rank != RANK {
        let text = Text::new().str("the encoding has ").num(rank).str(" dimension");
        let text = text.str(if rank == 1 { "" } else { "s" });
        fail(text.str(", but the tensor has ").num(RANK).as_str())
    }
    size
}

/// A value of a sparse tensor whose type has a name in MLIR.
///
/// ```
/// use tensor_layout::sparse::SparseScalar;
/// assert_eq!((f32::TYPE.to_string(), u8::TYPE.to_string()), ("f32".into(), "i8".into()));
/// ```
pub trait SparseScalar: SparseElement {
    /// The type in MLIR, whose integers are signless: `i8` for `i8` and `u8`.
    const TYPE: ScalarType;
}

macro_rules! scalars {
    ($($T:ty = $ty:expr;)*) => { $(
        impl SparseScalar for $T {
            const TYPE: ScalarType = $ty;
        }
    )* };
}
scalars! {
    f16 = ScalarType::F16; bf16 = ScalarType::BF16; f32 = ScalarType::F32; f64 = ScalarType::F64;
    i8 = ScalarType::Integer(8); i16 = ScalarType::Integer(16); i32 = ScalarType::Integer(32);
    i64 = ScalarType::Integer(64); u8 = ScalarType::Integer(8); u16 = ScalarType::Integer(16);
    u32 = ScalarType::Integer(32); u64 = ScalarType::Integer(64);
    Complex<f32> = ScalarType::Complex32; Complex<f64> = ScalarType::Complex64;
}

/// A [`SparseTensor`] whose sizes are part of its type: MLIR's `tensor<4x6xf64, #CSR>`.
///
/// Write it with [`sparse_tensor!`](crate::sparse_tensor). `S` has the sizes; if one is `?`, it is an [`OpenShape`]. Everything
/// that only reads a sparse tensor accepts it, including kernels.
///
/// ```
/// use tensor_layout::sparse::Duplicates;
/// use tensor_layout::{sparse_encoding, sparse_tensor};
/// sparse_encoding! { type Csr = (i, j) -> (i : dense, j : compressed); }
/// type Matrix = sparse_tensor!(tensor<4x6xf64, #CSR>);
/// # fn main() {
/// let matrix = Matrix::from_coo(&[([1, 5], 2.0)], Duplicates::Error).unwrap();
/// assert_eq!((matrix.shape(), matrix.get([1, 5])), ([4, 6], 2.0));
/// let error = Matrix::from_coo(&[([1, 6], 2.0)], Duplicates::Error).unwrap_err();
/// assert_eq!(error.to_string(), "entry 0 at [1, 6] is out of bounds of the array of shape [4, 6]");
/// # }
/// ```
pub struct ShapedTensor<E: Encoding, T, S: Shape<Index = E::Index>> {
    tensor: SparseTensor<E, T>,
    sizes: PhantomData<fn() -> S>,
}

impl<E: Encoding, T, S: Shape<Index = E::Index>> ShapedTensor<E, T, S> {
    const SIZES: [Option<usize>; MAX_RANK] = {
        let mut sizes = [None; MAX_RANK];
        let mut dim = 0;
        while dim < S::SIZES.len {
            if S::SIZES.items[dim] != Slice::DYNAMIC {
                sizes[dim] = Some(S::SIZES.items[dim]);
            }
            dim += 1;
        }
        sizes
    };

    const IS_STATIC: bool = {
        let mut dim = 0;
        while dim < S::SIZES.len && Self::SIZES[dim].is_some() {
            dim += 1;
        }
        dim == S::SIZES.len
    };

    /// The sizes, which must all be known.
    #[track_caller]
    const fn static_shape() -> E::Index {
        require(
            Self::IS_STATIC,
            "the type leaves a size open with `?`: give the shape, as in `T::with_shape([4, 6], ..)`",
        );
        S::DIMS
    }

    const fn of(tensor: SparseTensor<E, T>) -> Self {
        Self { tensor, sizes: PhantomData }
    }

    /// The tensor without its sizes in the type.
    pub fn into_tensor(self) -> SparseTensor<E, T> {
        self.tensor
    }

    /// The values, as a mutable slice.
    pub fn values_mut(&mut self) -> &mut [T] {
        self.tensor.values_mut()
    }

    /// [`SparseTensor::map`], with the sizes kept in the type.
    #[must_use]
    pub fn map<U>(self, f: impl FnMut(T) -> U) -> ShapedTensor<E, U, S> {
        ShapedTensor::of(self.tensor.map(f))
    }

    /// [`SparseTensor::cast`], with the sizes kept in the type.
    #[must_use]
    pub fn cast<U>(self) -> ShapedTensor<E, U, S>
    where
        T: Cast<U>,
    {
        ShapedTensor::of(self.tensor.cast())
    }
}

impl<E: Encoding, T: SparseScalar, S: Shape<Index = E::Index>> ShapedTensor<E, T, S> {
    /// The run-time twin, which displays as MLIR's canonical text of the tensor's type.
    pub const SPEC: SparseTensorSpec = SparseTensorSpec::unchecked(&Self::SIZES, T::TYPE, E::SPEC);

    /// Checks that a tensor of this shape has the type.
    fn check(shape: E::Index) -> Result<(), BuildError> {
        let sizes = shape.as_ref().iter().zip(Self::SIZES).enumerate();
        for (dim, (&found, expected)) in sizes {
            if let Some(expected) = expected
                && expected != found
            {
                return Err(BuildError::Size { dim, expected, found });
            }
        }
        let problems = E::SPEC.array_problems(Self::SPEC.sizes(), Some(T::TYPE));
        problems.into_iter().next().map_or(Ok(()), |problem| Err(BuildError::Shape(problem)))
    }

    /// Stores entries given in any order. Explicit zeros are entries. Does not compile if the type has a `?`.
    ///
    /// # Errors
    /// If the encoding cannot store a tensor of these sizes or one of the entries, such as an entry outside of the tensor.
    pub fn from_coo(
        entries: &(impl CooEntries<E::Index, T> + ?Sized),
        duplicates: Duplicates,
    ) -> Result<Self, BuildError> {
        Self::with_shape(const { Self::static_shape() }, entries, duplicates)
    }

    /// [`ShapedTensor::from_coo`], with the sizes that the type leaves open. The other sizes must be the sizes in the type.
    ///
    /// # Errors
    /// If a size differs from the type, and as for [`ShapedTensor::from_coo`].
    pub fn with_shape(
        shape: E::Index,
        entries: &(impl CooEntries<E::Index, T> + ?Sized),
        duplicates: Duplicates,
    ) -> Result<Self, BuildError> {
        Self::check(shape)?;
        SparseTensor::from_coo(shape, entries, duplicates).map(Self::of)
    }

    /// Stores the nonzero values of a row-major array. Does not compile if the type has a `?`.
    ///
    /// # Errors
    /// If the length is not the product of the sizes, or as for [`ShapedTensor::from_coo`].
    pub fn from_dense(dense: &[T]) -> Result<Self, BuildError> {
        let shape = const { Self::static_shape() };
        Self::check(shape)?;
        SparseTensor::from_dense(shape, dense).map(Self::of)
    }

    /// A tensor without entries. Does not compile if the type has a `?`.
    ///
    /// # Errors
    /// If the encoding cannot store a tensor of these sizes.
    pub fn empty() -> Result<Self, BuildError> {
        Self::with_shape(const { Self::static_shape() }, &[], Duplicates::Error)
    }

    /// The same tensor in another encoding; see [`SparseTensor::convert`].
    ///
    /// # Errors
    /// If the other encoding cannot store the tensor.
    pub fn convert<F>(&self) -> Result<ShapedTensor<F, T, S>, BuildError>
    where
        F: WithDimsOf<E>,
        S: Shape<Index = F::Index>,
    {
        ShapedTensor::<F, T, S>::check(self.shape())?;
        self.tensor.convert::<F>().map(ShapedTensor::of)
    }
}

impl<E: Encoding<Index = [usize; 2]>, T: SparseScalar, S: Shape<Index = [usize; 2]>>
    ShapedTensor<E, T, S>
{
    /// See [`SparseTensor::from_triplets`]. Does not compile if the type has a `?`.
    ///
    /// # Errors
    /// If the arrays differ in length, or as for [`ShapedTensor::from_coo`].
    pub fn from_triplets(
        rows: &[usize],
        columns: &[usize],
        values: &[T],
        duplicates: Duplicates,
    ) -> Result<Self, BuildError> {
        let shape = const { Self::static_shape() };
        Self::check(shape)?;
        SparseTensor::from_triplets(shape, rows, columns, values, duplicates).map(Self::of)
    }
}

impl<E: Transpose, T, const ROWS: usize, const COLUMNS: usize>
    ShapedTensor<E, T, Shape2<ROWS, COLUMNS>>
{
    /// See [`SparseTensor::transpose`]; the sizes are exchanged too.
    #[must_use]
    pub fn transpose(self) -> ShapedTensor<E::Transposed, T, Shape2<COLUMNS, ROWS>> {
        ShapedTensor::of(self.tensor.transpose())
    }
}

impl<E: Transpose, T, A: Size, B: Size> ShapedTensor<E, T, OpenShape<(A, B)>> {
    /// See [`SparseTensor::transpose`]; the sizes are exchanged too.
    #[must_use]
    pub fn transpose(self) -> ShapedTensor<E::Transposed, T, OpenShape<(B, A)>> {
        ShapedTensor::of(self.tensor.transpose())
    }
}

/// A tensor whose sizes are not in its type, after a check of the sizes.
impl<E: Encoding, T: SparseScalar, S: Shape<Index = E::Index>> TryFrom<SparseTensor<E, T>>
    for ShapedTensor<E, T, S>
{
    type Error = BuildError;

    fn try_from(tensor: SparseTensor<E, T>) -> Result<Self, BuildError> {
        Self::check(tensor.shape())?;
        Ok(Self::of(tensor))
    }
}

impl<E: Encoding, T, S: Shape<Index = E::Index>> From<ShapedTensor<E, T, S>>
    for SparseTensor<E, T>
{
    /// The same as [`ShapedTensor::into_tensor`].
    fn from(tensor: ShapedTensor<E, T, S>) -> Self {
        tensor.into_tensor()
    }
}

impl<E: Encoding, T, S: Shape<Index = E::Index>> Deref for ShapedTensor<E, T, S> {
    type Target = SparseTensor<E, T>;

    fn deref(&self) -> &SparseTensor<E, T> {
        &self.tensor
    }
}

impl<E: Encoding, T: Clone, S: Shape<Index = E::Index>> Clone for ShapedTensor<E, T, S> {
    fn clone(&self) -> Self {
        Self::of(self.tensor.clone())
    }
}

impl<E: Encoding, T: PartialEq, S: Shape<Index = E::Index>> PartialEq for ShapedTensor<E, T, S> {
    fn eq(&self, other: &Self) -> bool {
        self.tensor == other.tensor
    }
}

impl<E: Encoding, T: fmt::Debug, S: Shape<Index = E::Index>> fmt::Debug for ShapedTensor<E, T, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.tensor.fmt(f)
    }
}

/// The text that MLIR's `sparse_tensor.print` prints.
impl<E: Encoding, T: SparseElement, S: Shape<Index = E::Index>> fmt::Display
    for ShapedTensor<E, T, S>
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.tensor.fmt(f)
    }
}
