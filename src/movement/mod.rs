//! Packing, unpacking and relayout of arrays in every layout and element type.
//!
//! A [`Plan`] compares the index maps of source and destination and finds the loop nest; for types rustc does so. The
//! loops then hand blocks of elements to a mover, of which there is one for each width of an element: shapes and
//! tiles are values to it, so a program pays for no code per layout.
//!
//! Packed arrays are what an accelerator keeps in memory: elements little-endian, those narrower than a byte packed
//! from the least significant bits up, or, where the layout gives them whole bytes, the byte of the host, with zeros in
//! what is left of the bits. Padding is written as zero, or as `padded to` says, and never read. What `M(n)` keeps in
//! front of the data is not part of a packed array.
//!
//! Storage can hold bits that `pack` never writes. All that reads or moves elements agrees on what they mean: of `pred`,
//! every value but 0 is true; of other types narrower than their storage, the low bits count.

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
pub(crate) mod regions;
pub(crate) mod run_time;
pub(crate) mod step;
pub(crate) mod transfer;
pub(crate) mod window;

#[cfg(test)]
pub(crate) mod tests;

pub use error::PackError;
pub(crate) use host::{bytes_of, bytes_of_mut};
pub use mover::{Mover, Pack, Relayout, Unpack};
pub use plan::Plan;
pub use run_time::{DynLayout, pack, unpack};
