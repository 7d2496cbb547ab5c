//! Reads and writes files of sparse tensors as streams: Matrix Market and FROSTT.

mod error;
mod frostt;
mod lines;
mod market;
mod value;
mod write;

pub use error::{FileError, FileErrorKind};
pub use frostt::{FrosttForm, FrosttReader};
pub use market::{Field, MarketReader, Symmetry};
pub use value::FileValue;

/// The progress of reading a file, which readers with a callback report from time to time.
///
/// ```
/// use tensor_layout::sparse::{Duplicates, SparseTensor, formats::Csr};
/// let text = "%%MatrixMarket matrix coordinate real general\n2 2 1\n2 1 1.5\n";
/// let mut last = None;
/// let matrix = SparseTensor::<Csr, f64>::read_matrix_market_with(text.as_bytes(), Duplicates::Error, |progress| {
///     last = Some((progress.entries, progress.total));
/// })?;
/// assert_eq!((matrix.get([1, 0]), last), (1.5, Some((1, Some(1)))));
/// # Ok::<(), tensor_layout::sparse::files::FileError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// The number of entries that were read.
    pub entries: usize,
    /// The number of entries according to the header; `None` without one.
    pub total: Option<usize>,
    /// The number of lines that were read.
    pub lines: usize,
}

/// The number of entries between two reports of progress.
const REPORT_EVERY: usize = 1 << 16;

/// The largest number of entries for which memory is reserved in advance, because a header can be wrong.
const RESERVE: usize = 1 << 16;
