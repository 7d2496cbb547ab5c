//! The same kernels for every level format and for elements of every type: a program beside `sparse_kernels`, so that both compile
//! at the same time.
// clippy does not look at what a macro makes, and reads a fraction of as many kernels in `sparse_kernels`.
#![cfg(all(feature = "sparse", not(clippy)))]

#[path = "../sparse_kernels/cases.rs"]
mod cases;
mod formats;
mod widths;
