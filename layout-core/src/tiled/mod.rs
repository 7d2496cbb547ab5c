//! XLA's tiled layouts: how they are written, the rules that they follow, and the offset of each element.
//!
//! A [`Draft`] is a layout as written; [`Draft::validate`] checks it and returns a [`TiledSpec`], which computes the offset
//! of each element.

mod bitcast;
mod check;
mod default;
mod dims;
mod draft;
pub mod draw;
mod equality;
mod first;
mod generation;
mod iterate;
mod memory;
mod no_such_method;
mod numbers;
mod orders;
mod physical;
mod pieces;
mod pjrt;
mod print;
mod problem;
mod reorder;
mod same_bytes;
mod shape;
mod spec;
pub mod syntax;
mod tiling;
mod waste;

pub use crate::list::{List, MAX_PROBLEMS};
pub use bitcast::Bitcast;
pub use check::Problems;
pub use default::TpuDefault;
pub use draft::{Draft, MAX_SPLIT_INDICES, MAX_SPLITS, Padded, Split, Tile};
pub use equality::Fields;
pub use generation::{TpuGeneration, TpuKernelTiling};
pub use iterate::{Indices, Slots};
pub use memory::{TpuChip, TpuMemory};
pub use numbers::{ArrayNumbers, NumbersError};
pub use physical::PhysicalIndex;
pub use pieces::{Piece, Pieces, Run};
pub use pjrt::PjrtTiledLayout;
pub use print::{LayoutText, MAX_TEXT};
pub use problem::{MAX_MEMORY_SPACE, Problem, Subject, checked};
pub use shape::Shape;
pub use spec::TiledSpec;
pub use tiling::Tiling;
