//! Inner kernels, which move bytes with the widest registers of the CPU.
//!
//! Each kernel is written once, as loops that the compiler vectorizes, and compiled for each instruction set; which version
//! runs is decided at run time. All versions write the same bytes.
#![allow(
    unsafe_code,
    reason = "kernels work on raw parts of the arrays, which are checked when a block arrives"
)]

mod blocks;
mod copy;
mod gather;
mod interleave;
mod narrow;
mod stage;
mod task;
mod tiles;
mod transpose;

pub(crate) use interleave::interleave_rows;
pub(super) use narrow::{
    BitBuffers, Shape, are_values, pack_bits, pack_rows, unpack_bits, unpack_rows,
};
pub(super) use stage::PIECE;
pub(crate) use task::constant;
pub(super) use task::{StepKernel, WholeBytes};
