//! Files of sparse tensors: Matrix Market and FROSTT, read and written as streams.

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

/// How far a file has been read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// Entries that were read.
    pub entries: usize,
    /// Entries that the file says it has; `None` if it does not say.
    pub total: Option<usize>,
    /// Lines that were read.
    pub lines: usize,
}

/// Entries between two reports of progress.
const REPORT_EVERY: usize = 1 << 16;

/// Entries for which memory is reserved at once: what a file says of itself is not trusted with more.
const RESERVE: usize = 1 << 16;
