//! Inner kernels: how bytes move, with the widest registers that the CPU has.
//!
//! Each kernel is written once, as loops that the compiler turns into vector code, and is compiled for each
//! instruction set; which one runs is decided when the program does. All give the same bytes.
#![allow(
    unsafe_code,
    reason = "kernels work on raw parts of the arrays, which are checked when a block arrives"
)]

mod blocks;
mod copy;
mod cpu;
mod gather;
mod interleave;
mod narrow;
mod squares;
mod stage;
mod streaming;
mod task;
mod transpose;

pub(super) use cpu::Cpu;
#[cfg(test)]
pub(super) use cpu::forced;
pub(super) use narrow::{Room, Shape, are_values, spread, spread_rows, squeeze, squeeze_rows};
pub(super) use stage::PIECE;
#[cfg(test)]
pub(super) use streaming::unfenced;
pub(super) use streaming::{Stores, Streaming};
pub(super) use task::{Whole, constant};
