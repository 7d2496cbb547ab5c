//! Entries that are passed on chunk by chunk.

use layout_core::sparse::SparseElement;
use layout_core::sparse::storage::OnChunk;

/// The number of entries that are passed on at a time: few enough to stay in the L1 cache.
pub(super) const CHUNK: usize = 512;

/// Collects entries, and calls a function with each [`CHUNK`] of them.
pub(super) struct Chunks<'f, 'g, I, T> {
    f: &'f mut OnChunk<'g, I, T>,
    chunk: [(I, T); CHUNK],
    filled: usize,
    wanted: bool,
}

impl<'f, 'g, I: Copy + Default, T: SparseElement> Chunks<'f, 'g, I, T> {
    pub(super) fn new(f: &'f mut OnChunk<'g, I, T>) -> Self {
        Self { f, chunk: [(I::default(), T::ZERO); CHUNK], filled: 0, wanted: true }
    }

    /// Whether the function wants further entries.
    #[inline(always)]
    pub(super) fn wanted(&self) -> bool {
        self.wanted
    }

    #[inline(always)]
    pub(super) fn push(&mut self, index: I, value: T) {
        self.chunk[self.filled] = (index, value);
        self.filled += 1;
        if self.filled == CHUNK {
            self.wanted = (self.f)(&self.chunk);
            self.filled = 0;
        }
    }

    /// Passes on the entries of the last chunk.
    pub(super) fn finish(self) {
        if self.wanted {
            (self.f)(&self.chunk[..self.filled]);
        }
    }
}
