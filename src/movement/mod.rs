//! Packing, unpacking and relayout of arrays in every layout and element type.
//!
//! A [`Plan`] is the loop nest that follows from the index maps of source and destination; for layout types, rustc computes it at
//! compile time. The loops then call kernels, one for each pattern of movement and width of an element. Shapes and tiles are values
//! to the kernels, so that a layout adds no code to a program. A [`Mover`] stores a plan that is made at run time.
//!
//! A packed array is the contents of an accelerator's memory. Elements are little-endian. Those narrower than a byte are packed
//! from the least significant bit up or, if the layout gives them whole bytes, stored as the byte of the host value, zero-extended.
//! Padding is written as zero, or as the value of `padded to`, and is never read. The bytes that `M(n)` reserves before the data
//! are not part of a packed array.
//!
//! Storage can contain bits that `pack` never writes. All code that reads or moves elements interprets them in the same way:
//! for `pred`, every nonzero value is true; for other types narrower than their storage, only the low bits count.

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
