//! Packing, unpacking and relayout of arrays in every layout and element type.
//!
//! A [`Plan`] compares the index maps of source and destination and finds the loop nest; for types, rustc does so. The
//! loops then call kernels, one for each width of an element and pattern of movement. Shapes and tiles are values to
//! them, so that a layout adds no code to a program. A [`Mover`] keeps a plan that is made at run time.
//!
//! Packed arrays are what an accelerator keeps in memory. Elements are little-endian; those narrower than a byte are
//! packed from the least significant bit up or, where the layout gives them whole bytes, stored as the host's byte, zero-
//! extended. Padding is written as zero, or as `padded to` says, and never read. The bytes that `M(n)` keeps in front of
//! the data are not part of a packed array.
//!
//! Storage can hold bits that `pack` never writes. Everything that reads or moves elements agrees on what they mean: for
//! `pred`, every value but 0 is true; for other types narrower than their storage, only the low bits count.

mod cache;
pub(crate) mod compact;
pub(crate) mod element;
pub(crate) mod error;
pub(crate) mod execute;
pub(crate) mod host;
pub(crate) mod inner;
mod mover;
pub(crate) mod narrow;
pub(crate) mod padding;
mod pairs;
#[cfg(feature = "parallel")]
mod parallel;
pub(crate) mod plan;
pub(crate) mod prepared;
pub(crate) mod regions;
pub(crate) mod run_time;
pub(crate) mod step;
mod strided;
pub(crate) mod transfer;
pub(crate) mod window;
mod window_mover;

#[cfg(test)]
pub(crate) mod tests;

pub use cache::MoverCache;
pub use error::PackError;
pub(crate) use host::{bytes_of, bytes_of_mut};
pub use mover::{Mover, Pack, Relayout, Unpack};
pub use plan::Plan;
pub use run_time::{DynLayout, pack, unpack};
pub use strided::Strided;
pub use window_mover::{WindowMover, WindowRelayout};
