use super::tensor::SparseTensor;
use super::typed::{Encoding, WithDimsOf};
use crate::require::require;
use alloc::vec::Vec;
use layout_core::sparse::storage::{BuildError, Duplicates};
use layout_core::sparse::{DimSlice, SparseElement, SparseEncoding};

/// The coordinates of one dimension that a slice has: `size` coordinates from `offset` on, each `stride` after the previous one.
///
/// ```
/// use tensor_layout::sparse::{SliceRange, SparseTensor, formats::Csr};
/// let matrix = SparseTensor::<Csr, f64>::from_dense([4, 1], &[1.0, 2.0, 3.0, 4.0])?;
/// let odd_rows = SliceRange { offset: 1, size: 2, stride: 2 };
/// let all = SliceRange { offset: 0, size: 1, stride: 1 };
/// assert_eq!(matrix.slice(&[odd_rows, all])?.to_tensor::<Csr>()?.values(), [2.0, 4.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SliceRange {
    /// The first coordinate.
    pub offset: usize,
    /// The number of coordinates.
    pub size: usize,
    /// The distance from one coordinate to the next.
    pub stride: usize,
}

/// The reason why a slice does not exist.
///
/// ```
/// use tensor_layout::sparse::{SliceError, SliceRange, SparseTensor, formats::Csr};
/// let matrix = SparseTensor::<Csr, f64>::from_dense([1, 3], &[1.0, 2.0, 3.0])?;
/// let (row, wide) = (SliceRange { offset: 0, size: 1, stride: 1 }, SliceRange { offset: 1, size: 3, stride: 1 });
/// let error = matrix.slice(&[row, wide]).err();
/// assert!(matches!(error, Some(SliceError::OutOfBounds { dim: 1, bound: 3, .. })));
/// # Ok::<(), tensor_layout::sparse::BuildError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SliceError {
    /// The encoding differs from the given range.
    #[error("dimension {dim}: the encoding says {what} {expected}, not {found}")]
    Mismatch {
        /// The dimension.
        dim: usize,
        /// Offset, size or stride.
        what: &'static str,
        /// The number in the encoding.
        expected: usize,
        /// The given number.
        found: usize,
    },
    /// The slice reaches out of the array, or its stride is zero.
    #[error(
        "dimension {dim}: a slice of {size} from {offset} with stride {stride} is not within {bound}"
    )]
    OutOfBounds {
        /// The dimension.
        dim: usize,
        /// Its first coordinate.
        offset: usize,
        /// Its number of coordinates.
        size: usize,
        /// Its stride.
        stride: usize,
        /// The size of the dimension.
        bound: usize,
    },
}

impl SliceRange {
    /// Checks that the range is within dimension `dim`, whose size is `bound`.
    pub(crate) fn check(self, dim: usize, bound: usize) -> Result<(), SliceError> {
        let Self { offset, size, stride } = self;
        let last = size
            .checked_sub(1)
            .map_or(Some(0), |steps| steps.checked_mul(stride)?.checked_add(offset));
        let inside = last.is_some_and(|last| last < bound || size == 0);
        if !inside || stride == 0 || offset > bound {
            return Err(SliceError::OutOfBounds { dim, offset, size, stride, bound });
        }
        Ok(())
    }

    /// The coordinate in the slice of a coordinate in the tensor; `None` if it is not in the slice.
    #[inline]
    pub(crate) fn inner(self, outer: usize) -> Option<usize> {
        let from_start = outer.checked_sub(self.offset)?;
        let inner = from_start / self.stride;
        (from_start % self.stride == 0 && inner < self.size).then_some(inner)
    }
}

/// The policy for several entries at one index with which a slice stores the same entries as its tensor.
pub(crate) fn duplicates(encoding: &SparseEncoding) -> Duplicates {
    let keeps = encoding.levels().iter().any(|level| level.properties.nonunique);
    if keeps { Duplicates::Keep } else { Duplicates::Error }
}

/// A slice of a sparse tensor: a view with an offset, a size and a stride in each dimension, from [`SparseTensor::slice`].
/// Kernels accept it in place of a tensor, and copy its entries.
///
/// ```
/// use tensor_layout::sparse::{SliceRange, SparseTensor, formats::Csr};
/// let matrix = SparseTensor::<Csr, f64>::from_dense([2, 3], &[0.0, 5.0, 0.0, 7.0, 0.0, 9.0])?;
/// let last_row = [SliceRange { offset: 1, size: 1, stride: 1 }, SliceRange { offset: 0, size: 3, stride: 1 }];
/// let slice = matrix.slice(&last_row)?;
/// assert_eq!(slice.get([0, 2]), 9.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct SparseSlice<'a, E: Encoding, T> {
    parent: &'a SparseTensor<E, T>,
    offset: E::Index,
    size: E::Index,
    stride: E::Index,
}

impl<E: Encoding, T> SparseTensor<E, T> {
    /// A slice of the tensor, with one range for each dimension.
    ///
    /// Copies nothing.
    ///
    /// # Errors
    /// If it is not within the tensor.
    ///
    /// # Panics
    /// If the number of ranges is not the number of dimensions.
    pub fn slice(&self, ranges: &[SliceRange]) -> Result<SparseSlice<'_, E, T>, SliceError> {
        let shape = self.shape();
        assert!(ranges.len() == shape.as_ref().len(), "a slice needs a range for each dimension");
        let (mut offset, mut size, mut stride) = Default::default();
        for (dim, range) in ranges.iter().enumerate() {
            range.check(dim, shape.as_ref()[dim])?;
            let at = |index: &mut E::Index, number| index.as_mut()[dim] = number;
            at(&mut offset, range.offset);
            at(&mut size, range.size);
            at(&mut stride, range.stride);
        }
        Ok(SparseSlice { parent: self, offset, size, stride })
    }

    /// The slice that the encoding `S` describes, which must be this encoding with `slice(..)` at its dimensions. `ranges` has
    /// the numbers that `S` leaves open with `?`, and must agree with the others.
    ///
    /// # Errors
    /// If `S` differs from `ranges`, or if the slice is not within the tensor.
    ///
    /// # Panics
    /// If the number of ranges is not the number of dimensions.
    pub fn slice_as<S>(&self, ranges: &[SliceRange]) -> Result<SparseSlice<'_, E, T>, SliceError>
    where
        S: Encoding<
                Nest = E::Nest,
                Index = E::Index,
                Position = E::Position,
                Coordinate = E::Coordinate,
            >,
    {
        const { require(S::SPEC.is_slice(), "the encoding is not that of a slice") };
        for (dim, range) in ranges.iter().enumerate() {
            let Some(slice) = S::SPEC.slices().and_then(|slices| slices.get(dim)) else { continue };
            let DimSlice { offset, size, stride } = *slice;
            for (what, expected, found) in [
                ("offset", offset, range.offset),
                ("size", size, range.size),
                ("stride", stride, range.stride),
            ] {
                if let Some(expected) = expected
                    && expected != found
                {
                    return Err(SliceError::Mismatch { dim, what, expected, found });
                }
            }
        }
        self.slice(ranges)
    }
}

impl<'a, E: Encoding, T> SparseSlice<'a, E, T> {
    /// The tensor from which this slice is taken.
    pub fn parent(&self) -> &'a SparseTensor<E, T> {
        self.parent
    }

    /// The sizes of the dimensions.
    pub fn shape(&self) -> E::Index {
        self.size
    }

    /// The index in the parent.
    fn outer(&self, index: E::Index) -> E::Index {
        let mut outer = self.offset;
        let steps = index.as_ref().iter().zip(self.stride.as_ref());
        for (x, (step, stride)) in outer.as_mut().iter_mut().zip(steps) {
            *x += step * stride;
        }
        outer
    }

    /// The index in the slice; `None` if the index of the parent is not in it.
    #[inline]
    fn inner(&self, outer: E::Index) -> Option<E::Index> {
        let mut inner = outer;
        for (dim, x) in inner.as_mut().iter_mut().enumerate() {
            let [offset, size, stride] =
                [self.offset, self.size, self.stride].map(|of| of.as_ref()[dim]);
            *x = SliceRange { offset, size, stride }.inner(*x)?;
        }
        Some(inner)
    }

    /// Calls `f` with the index in the slice and the value of each stored entry of the slice, in the storage order of the
    /// parent.
    ///
    /// Visits all entries of the parent.
    #[inline]
    pub fn for_each(&self, mut f: impl FnMut(E::Index, &T)) {
        self.parent.for_each(|outer, value| {
            if let Some(inner) = self.inner(outer) {
                f(inner, value);
            }
        });
    }
}

impl<E: Encoding, T: SparseElement> SparseSlice<'_, E, T> {
    /// The value at an index of the slice; zero if none is stored.
    ///
    /// Takes the time of [`SparseTensor::locate`].
    ///
    /// # Panics
    /// If `index` is out of bounds, as slice indexing does.
    pub fn get(&self, index: E::Index) -> T {
        let inside = index.as_ref().iter().zip(self.size.as_ref()).all(|(x, size)| x < size);
        assert!(inside, "index {index:?} is out of bounds of the slice of shape {:?}", self.size);
        self.parent.get(self.outer(index))
    }

    /// The stored entries in the parent's storage order.
    ///
    /// Visits all entries of the parent, and takes memory for the list.
    pub fn to_coo(&self) -> Vec<(E::Index, T)> {
        let mut entries = Vec::new();
        self.for_each(|index, value| {
            if !(const { E::SPEC.fills() } && value.is_zero()) {
                entries.push((index, *value));
            }
        });
        entries
    }

    /// The slice as a tensor of its own.
    ///
    /// Visits all entries of the tensor from which the slice is taken, and takes memory for a list of those in the slice.
    ///
    /// # Errors
    /// As for [`SparseTensor::from_coo`].
    pub fn to_tensor<F: WithDimsOf<E>>(&self) -> Result<SparseTensor<F, T>, BuildError> {
        SparseTensor::from_coo(self.size, &self.to_coo(), duplicates(const { &F::SPEC }))
    }
}
