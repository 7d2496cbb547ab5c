#![allow(unsafe_code, reason = "a tensor over arrays that it does not own must never free them")]

use super::tensor::{SparseTensor, Word};
use super::typed::Encoding;
use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;
use core::mem::{ManuallyDrop, forget};
use core::ops::Deref;
use layout_core::sparse::AssembleError;
use layout_core::sparse::storage::{LevelParts, Parts, Storage, extents};

/// The borrowed arrays of one level, from which [`SparseTensorRef::new`] makes a tensor. Arrays that the level does not have are
/// empty.
///
/// ```
/// use tensor_layout::sparse::{LevelSlices, SparseTensorRef, formats::Csr};
/// let rows = LevelSlices::default();                              // dense: no arrays
/// let columns = LevelSlices { positions: &[0, 1, 2], coordinates: &[1, 0] };
/// let matrix = SparseTensorRef::<Csr, f64>::new([2, 2], &[rows, columns], &[5.0, 6.0])?;
/// assert_eq!(matrix.get([0, 1]), 5.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct LevelSlices<'a, P, W> {
    /// The positions at which the segments begin and end.
    pub positions: &'a [P],
    /// The coordinates.
    pub coordinates: &'a [W],
}

impl<P, W> Clone for LevelSlices<'_, P, W> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P, W> Copy for LevelSlices<'_, P, W> {}

impl<P, W> Default for LevelSlices<'_, P, W> {
    fn default() -> Self {
        Self { positions: &[], coordinates: &[] }
    }
}

/// A sparse tensor over borrowed arrays, which are checked once and not copied. Everything that only reads a [`SparseTensor`]
/// accepts it, including kernels.
///
/// ```
/// use tensor_layout::sparse::{LevelSlices, SparseTensorRef, formats::Csr};
/// let (positions, coordinates, values) = ([0, 2, 2, 3], [0, 3, 1], [1.0, 2.0, 3.0]);
/// let levels = [LevelSlices::default(), LevelSlices { positions: &positions, coordinates: &coordinates }];
/// let matrix = SparseTensorRef::<Csr<u32, u32>, f64>::new([3, 4], &levels, &values).unwrap();
/// assert_eq!((matrix.get([0, 3]), matrix.values().as_ptr()), (2.0, values.as_ptr()));
/// assert!(matrix.row(2).eq([(1, &3.0)]));
///
/// let levels = [LevelSlices::default(), LevelSlices { positions: &[0, 2, 1, 3], coordinates: &coordinates }];
/// assert!(SparseTensorRef::<Csr<u32, u32>, f64>::new([3, 4], &levels, &values).is_err());
/// ```
pub struct SparseTensorRef<'a, E: Encoding, T> {
    /// The tensor does not own its arrays of positions, coordinates and values. They are never dropped, and nothing that could
    /// reallocate them can reach them, because only shared references to the tensor are given out.
    tensor: ManuallyDrop<SparseTensor<E, T>>,
    arrays: PhantomData<&'a [T]>,
}

/// The elements of a slice as a vector that must neither grow nor be dropped.
fn foreign<T>(slice: &[T]) -> Vec<T> {
    // SAFETY: the vector is only read, as the slice could be. It is kept in a `ManuallyDrop`, and `SparseTensorRef` gives out
    // no mutable reference to it and forgets it instead of dropping it. So the allocator, which may not have allocated the
    // memory, never sees it.
    unsafe { Vec::from_raw_parts(slice.as_ptr().cast_mut(), slice.len(), slice.len()) }
}

/// Drops the memory that a tensor over borrowed arrays owns.
fn release<P, W, T>(parts: Parts<P, W, T>) {
    let Parts { levels, values, .. } = parts;
    forget(values);
    for LevelParts { positions, coordinates } in levels {
        forget(positions);
        forget(coordinates);
    }
}

impl<'a, E: Encoding, T> SparseTensorRef<'a, E, T> {
    /// Views arrays after checking them: whatever their contents, the tensor can then be read. Nothing is copied.
    ///
    /// # Errors
    /// If they are not a tensor of the encoding.
    pub fn new(
        shape: E::Index,
        levels: &[LevelSlices<'a, E::Position, Word<E>>],
        values: &'a [T],
    ) -> Result<Self, AssembleError> {
        let extents = extents(const { &E::SPEC }, shape.as_ref()).map_err(|error| match error {
            layout_core::sparse::BuildError::Shape(problem) => AssembleError::Shape(problem),
            _ => AssembleError::Slice,
        })?;
        let (expected, found) = (extents.len(), levels.len());
        if expected != found {
            return Err(AssembleError::Levels { expected, found });
        }
        let shape = shape.as_ref().to_vec();
        // If anything below panics, the list of levels is leaked and the arrays are not freed.
        let mut owned = ManuallyDrop::new(Vec::with_capacity(levels.len()));
        owned.extend(levels.iter().map(|level| LevelParts {
            positions: foreign(level.positions),
            coordinates: foreign(level.coordinates),
        }));
        let levels = ManuallyDrop::into_inner(owned);
        let parts = Parts { shape, levels, values: foreign(values) };
        let storage = Storage { parts, extents, counts: Vec::new(), batches: 1 };
        let mut tensor = ManuallyDrop::new(SparseTensor::<E, T>::from_storage(storage));
        let measured = tensor.storage.measure(&E::SPEC, true);
        let this = Self { tensor, arrays: PhantomData };
        measured.map(|()| this)
    }
}

impl<E: Encoding, T> Drop for SparseTensorRef<'_, E, T> {
    fn drop(&mut self) {
        // SAFETY: the tensor is not used again.
        let tensor = unsafe { ManuallyDrop::take(&mut self.tensor) };
        release(tensor.disassemble());
    }
}

impl<E: Encoding, T> Deref for SparseTensorRef<'_, E, T> {
    type Target = SparseTensor<E, T>;

    fn deref(&self) -> &SparseTensor<E, T> {
        &self.tensor
    }
}

impl<E: Encoding, T: fmt::Debug> fmt::Debug for SparseTensorRef<'_, E, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}
