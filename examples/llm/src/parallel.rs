//! Work that the threads of rayon's current pool share, with the feature `parallel`.

use crate::Result;

/// Calls `f` with the number of each chunk of `len` items, and the chunk. If `is_large`, threads share the chunks.
pub(crate) fn each_chunk<T: Send>(
    items: &mut [T],
    len: usize,
    is_large: bool,
    f: impl Fn(usize, &mut [T]) -> Result<()> + Sync,
) -> Result<()> {
    #[cfg(feature = "parallel")]
    if is_large && rayon::current_num_threads() > 1 {
        use rayon::prelude::*;
        return items
            .par_chunks_mut(len)
            .enumerate()
            .try_for_each(|(number, chunk)| f(number, chunk));
    }
    let _ = is_large;
    items.chunks_mut(len).enumerate().try_for_each(|(number, chunk)| f(number, chunk))
}

/// Calls two functions, which threads run at the same time.
pub(crate) fn both<A: Send, B: Send>(
    a: impl FnOnce() -> A + Send,
    b: impl FnOnce() -> B + Send,
) -> (A, B) {
    #[cfg(feature = "parallel")]
    if rayon::current_num_threads() > 1 {
        return rayon::join(a, b);
    }
    (a(), b())
}
