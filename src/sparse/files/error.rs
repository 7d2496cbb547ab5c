use layout_core::sparse::storage::BuildError;
use std::io;
use std::string::String;

/// Why a file cannot be read or written, and where.
#[derive(Debug, thiserror::Error)]
#[error("line {line}: {kind}")]
pub struct FileError {
    /// The line, from 1; 0 where it is about the file as a whole.
    pub line: usize,
    /// What is wrong.
    pub kind: FileErrorKind,
}

/// What is wrong with a file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FileErrorKind {
    /// Reading or writing failed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A line has no end in sight.
    #[error("the line is longer than {0} bytes")]
    LongLine(usize),
    /// Something else is expected here.
    #[error("expected {expected}, found `{found}`")]
    Expected {
        /// What is expected.
        expected: &'static str,
        /// The text there.
        found: String,
    },
    /// The file ends before it is complete.
    #[error("the file ends where {0} should follow")]
    End(&'static str),
    /// There are more entries than the file says.
    #[error("the file says that it has {0} entries, but here is one more")]
    TooMany(usize),
    /// A number is not a value of the element type.
    #[error("`{found}` is not a value of type `{ty}`")]
    Value {
        /// The text there.
        found: String,
        /// The element type.
        ty: &'static str,
    },
    /// Values of this kind do not fit the element type.
    #[error("the values of the file are {field}, which do not fit elements of type `{ty}`")]
    Field {
        /// The kind.
        field: &'static str,
        /// The element type.
        ty: &'static str,
    },
    /// A coordinate lies outside of the array; coordinates of files count from 1.
    #[error("coordinate {found} of dimension {dim} is not between 1 and {size}")]
    Coordinate {
        /// The dimension.
        dim: usize,
        /// The text there.
        found: usize,
        /// Its size.
        size: usize,
    },
    /// The file has another rank than the tensor.
    #[error("the file has {found} dimensions, but the tensor has {expected}")]
    Rank {
        /// Dimensions of the tensor.
        expected: usize,
        /// Dimensions of the file.
        found: usize,
    },
    /// The diagonal of a skew-symmetric matrix is zero.
    #[error("the diagonal of a skew-symmetric matrix is zero, but entry ({0}, {0}) is not")]
    SkewDiagonal(usize),
    /// The diagonal of a hermitian matrix has no imaginary part.
    #[error("the diagonal of a hermitian matrix is real, but entry ({0}, {0}) is not")]
    HermitianDiagonal(usize),
    /// Only complex matrices are written as hermitian.
    #[error(
        "a hermitian matrix is complex, but the elements have type `{0}`: write it as symmetric"
    )]
    Hermitian(&'static str),
    /// A matrix that is symmetric must be square.
    #[error("a {0} matrix must be square, but this one is {1} by {2}")]
    NotSquare(&'static str, usize, usize),
    /// The matrix to be written does not have the symmetry that was asked for.
    #[error("the matrix is not {0}: see entry ({1}, {2})")]
    NotSymmetric(&'static str, usize, usize),
    /// The entries cannot be stored.
    #[error(transparent)]
    Build(#[from] BuildError),
}

impl FileError {
    pub(super) fn at(line: usize, kind: impl Into<FileErrorKind>) -> Self {
        Self { line, kind: kind.into() }
    }
}

impl From<io::Error> for FileError {
    fn from(error: io::Error) -> Self {
        Self::at(0, error)
    }
}

impl From<BuildError> for FileError {
    fn from(error: BuildError) -> Self {
        Self::at(0, error)
    }
}
