//! Pictures of tiled layouts: their sizes, their cells, their index functions and the calculation of one element's offset.

mod explain;
pub(crate) mod explore;
mod facts;
mod formula;
mod named;
mod picture;
mod steps;
mod tiling;

pub use formula::Formula;
pub use named::Named;
pub use steps::Steps;
