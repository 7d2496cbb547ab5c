//! Memory for panels, which a thread keeps for its next product.
#![allow(unsafe_code, reason = "memory for words becomes memory for rows")]

use crate::compute::Scratch;
use crate::sparse::kernel::KernelError;
use core::marker::PhantomData;
use core::mem::MaybeUninit;

/// Memory for rows of panels.
pub(super) struct Panels<R> {
    words: Scratch<u32>,
    rows: PhantomData<R>,
}

impl<R: Copy> Panels<R> {
    /// Memory for `len` rows, which have no padding.
    ///
    /// # Errors
    /// If there is none.
    pub(super) fn new(len: usize) -> Result<Self, KernelError> {
        let missing = KernelError::OutOfMemory { values: len };
        // One more row, in case the first word is not aligned to a row.
        let words = len.checked_add(1).and_then(|len| len.checked_mul(size_of::<R>() / 4));
        match words.map(Scratch::new) {
            Some(Ok(words)) => Ok(Self { words, rows: PhantomData }),
            _ => Err(missing),
        }
    }

    /// The memory. Rows must be written before they are read.
    pub(super) fn rows(&mut self) -> &mut [MaybeUninit<R>] {
        // SAFETY: every bit pattern is valid for memory that may be uninitialized, and rows without padding leave initialized words.
        let (_, rows, _) = unsafe { self.words.words().align_to_mut() };
        rows
    }
}

#[cfg(all(test, feature = "std"))]
mod tests {
    use super::super::Row;
    use super::Panels;

    #[test]
    fn rows_begin_at_cache_lines_and_there_are_enough_of_them() {
        for len in [0, 1, 7, 1000] {
            let mut panels = Panels::<Row<f64, 16>>::new(len).unwrap();
            let rows = panels.rows();
            assert!(rows.len() >= len && rows.as_ptr().addr().is_multiple_of(64));
            rows.iter_mut().for_each(|row| *row = core::mem::MaybeUninit::new(Row([0.5; 16])));
        }
        for len in [usize::MAX, isize::MAX as usize / 64, usize::MAX / 128] {
            assert!(Panels::<Row<f64, 16>>::new(len).is_err());
        }
    }
}
