//! Sparse encodings: MLIR's `sparse_tensor` notation, the storage that it describes, and what moves data into it.
//!
//! A [`SparseDraft`] is an encoding as written; [`SparseDraft::validate`] checks it, proves that its level map has an
//! inverse, and gives a [`SparseEncoding`].

mod append;
mod blocks;
mod check;
mod dynamic;
mod element;
mod encoding;
mod entries;
#[cfg(any(feature = "faer", feature = "nalgebra-sparse", feature = "sprs"))]
mod exchange;
mod expr;
mod extent;
#[cfg(feature = "std")]
pub mod files;
mod format;
pub mod formats;
mod gather;
mod insert;
mod inverse;
mod level;
pub(crate) mod print;
mod problem;
mod prove;
mod prune;
mod scalar;
mod slice;
mod storage;
mod tensor;
mod typed;
pub mod types;
mod walk;
mod width;

pub use append::{Appender, Refused, Room};
pub use blocks::BlockTensor;
pub use check::{MAX_STRUCTURED, PACKED_WIDTH, Problems, WIDTHS};
pub use dynamic::DynSparseTensor;
pub use element::SparseElement;
pub use encoding::{DimSlice, LevelSpec, MAX_LEVELS, SparseDraft, SparseEncoding};
pub use expr::LevelExpr;
pub use extent::Extent;
pub use format::{LevelFormat, Properties};
pub use gather::Gather;
pub use insert::Inserter;
pub use inverse::Inverse;
pub use level::LevelRef;
pub use problem::{Place, Problem};
pub use scalar::{Scalar, ScalarType};
pub use slice::{SliceError, SliceRange, SparseSlice};
pub use storage::{AssembleError, Assembled, BuildError, Duplicates, LevelParts, Parts, Rejected};
pub use tensor::{Iter, PartsOf, SparseTensor, Word};
pub use typed::{Encoded, Encoding};
pub use width::{Bits2, Coordinate, Position};

/// Dimensions that an encoding can have.
pub const MAX_RANK: usize = crate::index_map::MAX_FORM_RANK;
