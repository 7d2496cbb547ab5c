//! Block-scaled arrays: elements of a few bits, and a scale for each block of them.
//!
//! The notation is this crate's own, not XLA's: `s8[4096,4096] by f16[1,32] in blocks` is an array of `s8` with one `f16`
//! scale for every 32 elements of a row, stored block by block. [`Preset`] lists the public formats that have names, such as
//! `q8_0` and `mxfp4`.

mod code;
mod preset;
mod print;
mod problem;
mod rule;
mod spec;
pub mod syntax;

pub use code::{element_value, scale_value};
pub use preset::Preset;
pub use problem::{Problem, Subject};
pub use rule::Rejected;
pub use spec::{Arrangement, MAX_BLOCK, QuantizedSpec};
