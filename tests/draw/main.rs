//! What layouts look like: the figures of the documents, and one of each kind of layout, as text and as SVG.
#![cfg(all(feature = "sparse", feature = "sharding"))]

mod everything;
mod formulas;
mod golden;
mod pictures;
mod random;
mod tiling;
