use layout_core::sparse::storage::BuildError;
use std::io;
use std::string::String;

/// The reason why a file cannot be read or written, and the line.
///
/// ```
/// use tensor_layout::sparse::{Duplicates, SparseTensor, files::FileErrorKind, formats::Csr};
/// let text = "%%MatrixMarket matrix coordinate real general\n2 2 1\n3 1 1.5\n";
/// let error = SparseTensor::<Csr, f64>::read_matrix_market(text.as_bytes(), Duplicates::Error).err().unwrap();
/// assert_eq!(error.line, 3);
/// assert!(matches!(error.kind, FileErrorKind::Coordinate { dim: 0, found: 3, size: 2 }));
/// ```
#[derive(Debug, thiserror::Error)]
#[error("{}{kind}", if *line == 0 { String::new() } else { std::format!("line {line}: ") })]
pub struct FileError {
    /// The number of the line, counted from 1; 0 if the error is about the whole file.
    pub line: usize,
    /// The kind of the error.
    pub kind: FileErrorKind,
}

/// What is wrong in a file: the kind of a [`FileError`].
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FileErrorKind {
    /// Reading or writing failed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A line is too long.
    #[error("the line is longer than {0} bytes")]
    LongLine(usize),
    /// The text is not the expected text.
    #[error("expected {expected}, found `{found}`")]
    Expected {
        /// What is expected.
        expected: &'static str,
        /// The text that was found.
        found: String,
    },
    /// The file ends before it is complete.
    #[error("the file ends where {0} should follow")]
    End(&'static str),
    /// There are more entries than the header states.
    #[error("the file says that it has {0} entries, but this line is one more")]
    TooMany(usize),
    /// A number is not a value of the element type.
    #[error("`{found}` is not a value of type `{ty}`")]
    Value {
        /// The text that was found.
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
    /// A coordinate is out of bounds of the array. In files, coordinates count from 1.
    #[error("coordinate {found} of dimension {dim} is not between 1 and {size}")]
    Coordinate {
        /// The dimension.
        dim: usize,
        /// The coordinate that was found.
        found: usize,
        /// The size of the dimension.
        size: usize,
    },
    /// The rank of the file differs from the rank of the tensor.
    #[error("the file has {found} dimensions, but the tensor has {expected}")]
    Rank {
        /// The rank of the tensor.
        expected: usize,
        /// The rank of the file.
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
    /// Only a square matrix can be symmetric.
    #[error("a {0} matrix must be square, but this one is {1} by {2}")]
    NotSquare(&'static str, usize, usize),
    /// The matrix to be written does not have the requested symmetry.
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
