//! Sparse encodings: MLIR's `sparse_tensor` notation, the storage that it describes, and the rules by which data is
//! stored in it.
//!
//! A [`SparseDraft`] is an encoding as written; [`SparseDraft::validate`] checks it, proves that its level map has an
//! inverse, and returns a [`SparseEncoding`].

mod check;
pub mod draw;
mod dynamic;
mod element;
mod encoding;
mod expr;
mod extent;
mod format;
mod insertions;
mod magnitude;
pub(crate) mod print;
mod problem;
mod questions;
mod scalar;
#[doc(hidden)]
pub mod storage;
mod stored;
pub mod syntax;
mod tensor_spec;
mod width;

pub use crate::parts::Inverse;
pub use check::{MAX_STRUCTURED, PACKED_WIDTH, Problems, WIDTHS};
pub use dynamic::DynSparseTensor;
pub use element::SparseElement;
pub use encoding::{DimSlice, LevelSpec, MAX_LEVELS, SparseDraft, SparseEncoding};
pub use expr::LevelExpr;
pub use extent::Extent;
pub use format::{LevelFormat, Properties};
pub use insertions::DynInsertions;
pub use problem::{Problem, Subject};
pub use scalar::{Scalar, ScalarType};
pub use storage::{AssembleError, Assembled, BuildError, Duplicates, LevelParts, Parts, Rejected};
pub use stored::{SparseArray, StoredProblem, StoredSparseSpec};
pub use tensor_spec::SparseTensorSpec;
pub use width::{Bits2, Coordinate, Position};

/// The largest number of dimensions of an encoding.
pub const MAX_RANK: usize = crate::parts::MAX_FORM_RANK;
