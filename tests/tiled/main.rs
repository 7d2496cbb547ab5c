//! Tiled layouts: notation, index functions, the documents they come from, and what real compilers say.

#[path = "../golden/rows.rs"]
mod rows;

mod documents;
mod golden;
mod pieces;
mod properties;
mod quantized;
mod questions;
mod sentences;
mod text;
