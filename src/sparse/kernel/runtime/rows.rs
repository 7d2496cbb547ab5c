use crate::sparse::kernel::KernelError;
use core::ops::Range;

/// A kernel that computes any range of rows of its output.
pub trait Rows<T>: Sync {
    /// Computes the rows. `output` has the elements of these rows only.
    ///
    /// # Errors
    /// If there is no memory.
    fn rows(&self, rows: Range<usize>, output: &mut [T]) -> Result<(), KernelError>;
}

/// Runs a kernel for all rows of its output, of `width` elements each: on the threads of rayon's current pool if the feature
/// `parallel` is on, and there are enough rows.
///
/// # Errors
/// If there is no memory.
#[inline]
pub fn in_parts<T: Send, K: Rows<T>>(
    kernel: &K,
    rows: usize,
    width: usize,
    output: &mut [T],
) -> Result<(), KernelError> {
    #[cfg(feature = "parallel")]
    {
        let threads = rayon::current_num_threads();
        // More parts than threads, since some rows take longer than others.
        let size = rows.div_ceil(threads.saturating_mul(8)).max(64);
        if threads > 1 && size < rows && width > 0 {
            use rayon::prelude::*;
            let parts = output.par_chunks_mut(size * width).enumerate();
            return parts.try_for_each(|(part, output)| {
                let first = part * size;
                kernel.rows(first..(first + size).min(rows), output)
            });
        }
    }
    let _ = width;
    kernel.rows(0..rows, output)
}
