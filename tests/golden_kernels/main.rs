//! What numpy and MLIR's sparsifier compute, by kernels at run time and through the macro. A program of its own, since rustc takes
//! as long for the functions of all rows as for all other tests of kernels.
#![cfg(feature = "sparse")]

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
