//! Sparse encodings: MLIR's `sparse_tensor` notation, the storage that it describes, and what moves data into it.
//!
//! A [`SparseDraft`] is an encoding as written; [`SparseDraft::validate`] checks it, proves that its level map has an
//! inverse, and gives a [`SparseEncoding`].

mod append;
mod blocks;
mod entries;
#[cfg(any(feature = "faer", feature = "nalgebra-sparse", feature = "sprs"))]
mod exchange;
#[cfg(feature = "std")]
pub mod files;
pub mod formats;
mod gather;
mod insert;
pub mod kernel;
mod level;
mod prune;
mod slice;
mod tensor;
mod typed;
pub mod types;
mod walk;

pub use append::{Appender, Refused, Room};
pub use blocks::BlockTensor;
pub use gather::Gather;
pub use insert::Inserter;
pub use layout_core::sparse::*;
pub use level::LevelRef;
pub use slice::{SliceError, SliceRange, SparseSlice};
pub use tensor::{Iter, PartsOf, SparseTensor, Word};
pub use typed::{Encoded, Encoding};
