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

/// The progress of reading a file.
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
