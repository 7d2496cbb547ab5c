//! Entries that are passed on chunk by chunk.

use crate::sparse::SparseElement;

/// A function that is called with a chunk of entries, and returns whether it should be called with the next chunk.
pub type OnChunk<'f, I, T> = dyn FnMut(&[(I, T)]) -> bool + 'f;

/// Entries that can be read several times, always in the same order.
pub trait Source<I, T> {
    /// Calls `f` with all entries, chunk by chunk, until it returns false.
    fn chunks(&self, f: &mut OnChunk<'_, I, T>);
}

impl<I, T> Source<I, T> for &[(I, T)] {
    fn chunks(&self, f: &mut OnChunk<'_, I, T>) {
        f(self);
    }
}

/// The number of entries that are passed on at a time: few enough to stay in the L1 cache.
pub const CHUNK: usize = 512;

/// Collects entries, and calls a function with each [`CHUNK`] of them, until it returns false.
pub struct Chunks<'f, 'g, I, T> {
    f: &'f mut OnChunk<'g, I, T>,
    chunk: [(I, T); CHUNK],
    filled: usize,
    wanted: bool,
}

impl<'f, 'g, I: Copy + Default, T: SparseElement> Chunks<'f, 'g, I, T> {
    /// No entries yet.
    pub fn new(f: &'f mut OnChunk<'g, I, T>) -> Self {
        Self { f, chunk: [(I::default(), T::ZERO); CHUNK], filled: 0, wanted: true }
    }

    /// Whether the function wants further entries.
    #[inline(always)]
    pub fn wanted(&self) -> bool {
        self.wanted
    }

    /// Adds an entry.
    #[inline(always)]
    pub fn push(&mut self, index: I, value: T) {
        self.chunk[self.filled] = (index, value);
        self.filled += 1;
        if self.filled == CHUNK {
            self.wanted = self.wanted && (self.f)(&self.chunk);
            self.filled = 0;
        }
    }

    /// Passes on the entries of the last chunk.
    pub fn finish(self) {
        if self.wanted {
            (self.f)(&self.chunk[..self.filled]);
        }
    }
}
