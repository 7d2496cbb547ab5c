//! What a tiled layout looks like: its numbers, its picture, its index function and the steps to one element.

mod facts;
mod formula;
mod picture;
mod steps;

pub use formula::Formula;
pub use steps::Steps;
