use super::super::problem::Problem;
use super::Parts;
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::fmt;

/// Why a sparse tensor cannot be built. The entries are unchanged.
///
/// ```
/// use tensor_layout::sparse::{BuildError, Duplicates, SparseTensor, formats::Csr};
/// let twice = [([0, 1], 5.0), ([0, 1], 7.0)];
/// let error = SparseTensor::<Csr, f64>::from_coo([2, 3], &twice, Duplicates::Error).err().unwrap();
/// assert_eq!(error, BuildError::Duplicate { first: 0, second: 1, index: vec![0, 1] });
/// ```
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// The encoding cannot store an array of this shape.
    #[error("{0}")]
    Shape(Problem),
    /// A slice has no storage of its own.
    #[error(
        "the encoding describes a slice, which is a view of another tensor and has no storage of its own"
    )]
    Slice,
    /// An entry is outside of the array.
    #[error("entry {entry} at {index:?} is out of bounds of the array of shape {shape:?}")]
    OutOfBounds {
        /// Number of the entry.
        entry: usize,
        /// Its index.
        index: Vec<usize>,
        /// The shape.
        shape: Vec<usize>,
    },
    /// Two entries have the same index.
    #[error("entries {first} and {second} have the same index {index:?}")]
    Duplicate {
        /// Number of one entry.
        first: usize,
        /// Number of the other.
        second: usize,
        /// Their index.
        index: Vec<usize>,
    },
    /// Two entries have the same coordinates down to a singleton with further levels below it.
    #[error(
        "level {level}: entries {first} and {second} have the same coordinates down to this level: to store both, it must be `singleton(nonunique)`"
    )]
    Repeated {
        /// The level.
        level: usize,
        /// Number of one entry.
        first: usize,
        /// Number of the other.
        second: usize,
    },
    /// Entries were to be kept apart, but no level is `nonunique`.
    #[error("entries with the same index can only be kept apart at a `nonunique` level")]
    KeepUnique,
    /// More than `n` of `m` coordinates have an entry.
    #[error("level {level}: entry {entry} is one too many: {n} of {m} coordinates can be stored")]
    Structured {
        /// The level.
        level: usize,
        /// Number of the first entry that cannot be stored.
        entry: usize,
        /// The number of coordinates that can be stored.
        n: usize,
        /// The number of coordinates from which they are chosen.
        m: usize,
    },
    /// A row has more entries than slots.
    #[error("level {level}: entry {entry} is one too many: a row has room for {slots}")]
    Slots {
        /// The level that numbers the entries of a row.
        level: usize,
        /// Number of the first entry without a slot.
        entry: usize,
        /// The number of slots of a row.
        slots: usize,
    },
    /// A position does not fit its width.
    #[error("level {level}: position {position} does not fit {bits} bits")]
    PositionOverflow {
        /// The level.
        level: usize,
        /// The position.
        position: usize,
        /// The width.
        bits: usize,
    },
    /// A coordinate does not fit its width.
    #[error("level {level}: coordinate {coordinate} of entry {entry} does not fit {bits} bits")]
    CoordinateOverflow {
        /// The level.
        level: usize,
        /// The coordinate.
        coordinate: i64,
        /// Number of the entry.
        entry: usize,
        /// The width.
        bits: usize,
    },
    /// The length of a dense array is not the product of its sizes.
    #[error("the array has {found} elements, but its shape says {expected}")]
    Length {
        /// The number of elements of the shape.
        expected: usize,
        /// The number of elements that were given.
        found: usize,
    },
    /// Entries were given as arrays of different length.
    #[error(
        "there are {rows} rows and {columns} columns for {values} values: each entry needs one of each"
    )]
    Triplets {
        /// Number of rows.
        rows: usize,
        /// Number of columns.
        columns: usize,
        /// Number of values.
        values: usize,
    },
    /// The size of a tensor differs from that in its type.
    #[error("dimension {dim} has the size {expected} in the type, but {found} was given")]
    Size {
        /// The dimension.
        dim: usize,
        /// The size in the type.
        expected: usize,
        /// The size that was given.
        found: usize,
    },
    /// An entry was inserted after one that follows it in storage order.
    #[error(
        "entry {entry} at {index:?} comes before the one inserted last: insert in storage order, or in any order with `insert_any`"
    )]
    Order {
        /// Number of the entry.
        entry: usize,
        /// Its index.
        index: Vec<usize>,
    },
    /// An entry was appended with a coordinate outside of the level.
    #[error(
        "level {level}: coordinate {coordinate} of entry {entry} is not one of the {size} from {least} on"
    )]
    Coordinate {
        /// The level.
        level: usize,
        /// The coordinate.
        coordinate: i64,
        /// Number of the entry.
        entry: usize,
        /// The least coordinate of the level.
        least: i64,
        /// The number of its coordinates.
        size: usize,
    },
    /// An entry was appended after one that follows it in storage order, or that has the same coordinate.
    #[error(
        "level {level}: coordinate {coordinate} of entry {entry} does not come after {last}, that of the entry before: append in storage order, each index once"
    )]
    Sequence {
        /// The level.
        level: usize,
        /// The coordinate.
        coordinate: i64,
        /// Number of the entry.
        entry: usize,
        /// The coordinate of the entry before.
        last: i64,
    },
    /// The appended entries do not form a tensor.
    #[error("{0}")]
    Arrays(Box<AssembleError>),
    /// Memory for the arrays could not be allocated.
    #[error("level {level}: no memory for {positions} positions")]
    OutOfMemory {
        /// The level.
        level: usize,
        /// The number of its positions.
        positions: usize,
    },
}

/// Why arrays are not a sparse tensor.
///
/// ```
/// use tensor_layout::sparse::{AssembleError, SparseTensor, formats::Csr};
/// let mut parts = SparseTensor::<Csr, f64>::from_dense([1, 3], &[0.0, 5.0, 0.0])?.disassemble();
/// parts.levels[1].coordinates[0] = 3;
/// let rejected = SparseTensor::<Csr, f64>::assemble(parts).err().unwrap();
/// assert!(matches!(rejected.error, AssembleError::Coordinate { level: 1, coordinate: 3, .. }));
/// # Ok::<(), tensor_layout::sparse::BuildError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AssembleError {
    /// The encoding cannot store an array of this shape.
    #[error("{0}")]
    Shape(Problem),
    /// A slice has no storage of its own.
    #[error(
        "the encoding describes a slice, which is a view of another tensor and has no storage of its own"
    )]
    Slice,
    /// A matrix stored by rows was given where one stored by columns is needed, or the reverse.
    #[error("the matrix is stored in the other order: convert it, or use the other encoding")]
    StorageOrder,
    /// The sizes of a matrix do not fit the types of its indices in another crate.
    #[error(
        "the matrix is {rows} by {columns}, which the types of its indices cannot hold in the other crate: use wider ones"
    )]
    Sizes {
        /// Number of rows.
        rows: usize,
        /// Number of columns.
        columns: usize,
    },
    /// A segment of a matrix of another crate has unused capacity.
    #[error("segment {segment} has unused capacity: copy the entries to a matrix without it first")]
    Room {
        /// Number of the row or column.
        segment: usize,
    },
    /// The number of levels differs from that of the encoding.
    #[error("the encoding has {expected} levels, but the arrays are those of {found}")]
    Levels {
        /// The number of levels of the encoding.
        expected: usize,
        /// The number of levels that were given.
        found: usize,
    },
    /// An array has the wrong length.
    #[error("level {level}: {expected} {what} are needed, but there are {found}")]
    Length {
        /// The level; the last one for values.
        level: usize,
        /// The name of the array.
        what: &'static str,
        /// The length that the levels above require.
        expected: usize,
        /// The length that was given.
        found: usize,
    },
    /// The level has more positions than a `usize` can number.
    #[error("level {level} has more positions than an address can number")]
    Overflow {
        /// The level.
        level: usize,
    },
    /// A segment ends before it begins, or after the last coordinate, or overlaps another one.
    #[error(
        "level {level}: segment {segment} from {start} to {end} is out of order or out of bounds of the {positions} positions"
    )]
    Segment {
        /// The level.
        level: usize,
        /// Number of the segment.
        segment: usize,
        /// The position at which it starts.
        start: usize,
        /// The position at which it ends.
        end: usize,
        /// The number of positions of the level.
        positions: usize,
    },
    /// A coordinate is outside of the level.
    #[error(
        "level {level}: coordinate {coordinate} at position {position} is not between {least} and {largest}"
    )]
    Coordinate {
        /// The level.
        level: usize,
        /// The position.
        position: usize,
        /// The coordinate.
        coordinate: i64,
        /// The least coordinate of the level.
        least: i64,
        /// The largest.
        largest: i64,
    },
    /// Two entries have the same coordinates down to a singleton with further levels below it.
    #[error(
        "level {level}: the entry at position {position} has the same coordinates down to this level as another one: to store both, the level must be `singleton(nonunique)`"
    )]
    Repeated {
        /// The level.
        level: usize,
        /// The position.
        position: usize,
    },
    /// A coordinate is repeated, or less than the one before it.
    #[error(
        "level {level}: coordinate {coordinate} at position {position} does not come after the one before it"
    )]
    Order {
        /// The level.
        level: usize,
        /// The position.
        position: usize,
        /// The coordinate.
        coordinate: i64,
    },
}

/// A tensor made of the given arrays, or these arrays and the reason why they are not a tensor.
pub type Assembled<S, P, W, T> = Result<S, Box<Rejected<Parts<P, W, T>>>>;

/// Arrays that are not a sparse tensor, returned to the caller, and the reason.
///
/// ```
/// use tensor_layout::sparse::{SparseTensor, formats::Csr};
/// let mut parts = SparseTensor::<Csr, f64>::from_dense([1, 3], &[0.0, 5.0, 0.0])?.disassemble();
/// parts.levels[1].coordinates[0] = 3;
/// let mut rejected = SparseTensor::<Csr, f64>::assemble(parts).err().unwrap();
/// rejected.parts.levels[1].coordinates[0] = 2;                    // mend the arrays, and try again
/// assert_eq!(SparseTensor::<Csr, f64>::assemble(rejected.parts).unwrap().get([0, 2]), 5.0);
/// # Ok::<(), tensor_layout::sparse::BuildError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rejected<T> {
    /// The given arrays.
    pub parts: T,
    /// Why they are not a tensor.
    pub error: AssembleError,
}

impl<T> fmt::Display for Rejected<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}

impl<T: fmt::Debug> core::error::Error for Rejected<T> {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        Some(&self.error)
    }
}
