//! The nonzero values of row-major arrays.

use super::memory::MEMORY;
use alloc::vec::Vec;
use layout_core::sparse::SparseElement;
use layout_core::sparse::storage::{BuildError, Chunks, OnChunk, Source};

/// The nonzero values of a row-major array with their indices, in row-major order.
pub(super) struct Nonzeros<'a, I, T> {
    shape: I,
    dense: &'a [T],
}

impl<'a, I, T> Nonzeros<'a, I, T>
where
    I: AsRef<[usize]> + AsMut<[usize]> + Copy + Default,
    T: SparseElement,
{
    /// # Errors
    /// If the length is not the number of elements of the shape.
    pub(super) fn new(shape: I, dense: &'a [T]) -> Result<Self, BuildError> {
        let len = shape.as_ref().iter().try_fold(1usize, |len, size| len.checked_mul(*size));
        if len != Some(dense.len()) {
            let (expected, found) = (len.unwrap_or(usize::MAX), dense.len());
            return Err(BuildError::Length { expected, found });
        }
        Ok(Self { shape, dense })
    }

    /// The number of values that are not zero.
    pub(super) fn count(&self) -> usize {
        self.dense.iter().filter(|value| !value.is_zero()).count()
    }

    /// A list of the values.
    ///
    /// # Errors
    /// If memory for it cannot be allocated.
    pub(super) fn list(&self) -> Result<Vec<(I, T)>, BuildError> {
        let (mut list, positions) = (Vec::new(), self.count());
        let reserved = MEMORY.reserve_exact(&mut list, positions);
        reserved.map_err(|_| BuildError::OutOfMemory { level: 0, positions })?;
        self.each(|index, value| {
            list.push((index, value));
            true
        });
        Ok(list)
    }

    /// Calls `f` with each value, until it returns false.
    #[inline(always)]
    fn each(&self, mut f: impl FnMut(I, T) -> bool) {
        let mut index = I::default();
        let sizes = self.shape.as_ref();
        let last = sizes.len().saturating_sub(1);
        // An array without dimensions has one value.
        let len = sizes.last().copied().unwrap_or(1);
        for row in self.dense.chunks_exact(len.max(1)) {
            for (at, value) in row.iter().enumerate().filter(|(_, value)| !value.is_zero()) {
                if let Some(last) = index.as_mut().last_mut() {
                    *last = at;
                }
                if !f(index, *value) {
                    return;
                }
            }
            for (x, size) in index.as_mut()[..last].iter_mut().zip(&sizes[..last]).rev() {
                *x += 1;
                if *x < *size {
                    break;
                }
                *x = 0;
            }
        }
    }
}

impl<I, T> Source<I, T> for Nonzeros<'_, I, T>
where
    I: AsRef<[usize]> + AsMut<[usize]> + Copy + Default,
    T: SparseElement,
{
    fn chunks(&self, f: &mut OnChunk<'_, I, T>) {
        let mut chunks = Chunks::new(f);
        self.each(|index, value| {
            chunks.push(index, value);
            chunks.wanted()
        });
        chunks.finish();
    }
}
