//! Tiled layouts: notation, index functions, the documents that specify them, and facts from real compilers.

#[path = "../golden/rows.rs"]
mod rows;

mod documents;
mod empty;
mod golden;
mod pieces;
mod properties;
mod quantized;
mod questions;
mod sentences;
mod text;
