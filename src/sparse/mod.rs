//! Sparse tensors: storage in MLIR's sparse encodings, conversion, files, slices, and kernels over them.
//!
//! A [`SparseDraft`] is an encoding as written. [`SparseDraft::validate`] checks it, proves that its level map has an inverse,
//! and returns a [`SparseEncoding`].

mod append;
mod blocks;
mod borrowed;
mod convert;
mod coo;
mod dense;
mod dynamic;
mod entries;
#[cfg(any(feature = "faer", feature = "nalgebra-sparse", feature = "sprs"))]
mod exchange;
#[cfg(feature = "std")]
pub mod files;
pub mod formats;
mod gather;
mod insert;
mod insertions;
pub mod kernel;
mod level;
mod memory;
mod merge;
mod no_brackets;
mod no_such_method;
mod operators;
mod prune;
mod rows;
mod shaped;
pub(crate) mod slice;
mod tensor;
mod transpose;
mod triplets;
mod two_of_four;
mod typed;
pub mod types;
mod value;
mod values;
mod visit;

pub use append::{Appender, Refused, SegmentWriter};
pub use blocks::BlockTensor;
pub use borrowed::{LevelSlices, SparseTensorRef};
pub use coo::CooEntries;
pub use dynamic::FromDynamicError;
#[cfg(feature = "checkpoint")]
pub(crate) use dynamic::widened;
pub use gather::{Gather, RowGather};
pub use insert::Inserter;
pub use insertions::Insertions;
#[doc(hidden)]
pub use layout_core::sparse::storage;
#[doc(inline)]
pub use layout_core::sparse::{
    AssembleError, Assembled, Bits2, BuildError, Coordinate, DimSlice, Duplicates, DynInsertions,
    DynSparseTensor, Extent, Inverse, LevelExpr, LevelFormat, LevelParts, LevelSpec, MAX_LEVELS,
    MAX_RANK, MAX_STRUCTURED, PACKED_WIDTH, Parts, Position, Problem, Problems, Properties,
    Rejected, Scalar, ScalarType, SparseArray, SparseDraft, SparseElement, SparseEncoding,
    SparseTensorSpec, StoredProblem, StoredSparseSpec, Subject, WIDTHS,
};
pub use level::LevelRef;
#[cfg(feature = "checkpoint")]
pub(crate) use no_brackets::no_brackets;
pub use shaped::{ShapedTensor, SparseScalar};
pub use slice::{SliceError, SliceRange, SparseSlice};
pub use tensor::{Iter, PartsOf, SparseTensor, Word};
pub use transpose::Transpose;
pub use two_of_four::TwoOfFourError;
pub use typed::{Encoded, Encoding, WithDimsOf};
// Only their meaning as values: as types, the names are those of the lines above.
#[doc(hidden)]
pub use value::*;
pub use values::Cast;

/// The items that the macros of sparse tensors name.
#[doc(hidden)]
pub mod __private {
    /// The functions that kernels call.
    pub use super::kernel::runtime as sparse;
    pub use super::shaped::size_of_rank;
    pub use layout_macros::__sparse_kernel_on as sparse_kernel_on;
}
