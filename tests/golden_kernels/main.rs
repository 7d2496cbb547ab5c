//! Golden results of numpy and of MLIR's sparsifier, compared with kernels at run time and through the macro. This is a
//! separate test program because compiling the functions of all rows takes as long as compiling all other tests of kernels.
// clippy does not look at what a macro makes, and reads a fraction of as many kernels in `sparse_kernels`.
#![cfg(all(feature = "sparse", not(clippy)))]

#[path = "../golden/rows.rs"]
mod rows;
#[path = "../golden/tensors.rs"]
mod tensors;

mod golden;
#[rustfmt::skip]
mod macro_kernels;
#[rustfmt::skip]
mod macro_statements;
mod statements_through_macro;
mod through_macro;
