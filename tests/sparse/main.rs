//! Sparse encodings and tensors, as users meet them.
#![cfg(feature = "sparse")]

#[path = "../golden/rows.rs"]
mod rows;

mod append;
mod arrays;
mod assemble;
mod definition;
mod dense;
mod documents;
mod encoding_table;
mod encodings;
mod exchange;
mod files;
mod golden_storage;
mod golden_text;
mod kinds;
mod merge;
mod naive;
mod round_trips;
mod shaped;
mod tensors;
mod text;
