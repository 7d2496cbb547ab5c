//! Which operations give partial sums where their operands are partial sums: those that are linear.

use crate::dtype::{DType, Kind};

/// Of which operands an operation takes partial sums, so that its result is one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in super::super) enum Linear {
    /// Of none.
    No,
    /// Of all of them at once.
    InAll,
    /// Of these at once, by number.
    In(&'static [usize]),
    /// Of any one: a product.
    InEach,
    /// Of what its author says.
    AsWritten,
    /// It has none to take: whole values become partial sums without a word between devices, as one device keeps them.
    Makes,
}

/// What the operation `name` on elements of type `dtype` is linear in.
pub(in super::super) fn linear(name: &str, dtype: DType) -> Linear {
    let divides = matches!(dtype.kind(), Kind::Float | Kind::Complex);
    match name {
        "constrain" | "reshard" => Linear::Makes,
        "add" | "sub" | "subtract" | "complex" | "concatenate" | "reduce" => Linear::InAll,
        "all_gather"
        | "all_to_all"
        | "broadcast_in_dim"
        | "collective_permute"
        | "dynamic_slice"
        | "fft"
        | "gather"
        | "imag"
        | "neg"
        | "negate"
        | "pad"
        | "propagation_barrier"
        | "real"
        | "reshape"
        | "reverse"
        | "slice"
        | "transpose" => Linear::In(&[0]),
        "div" | "divide" if divides => Linear::In(&[0]),
        "triangular_solve" => Linear::In(&[1]),
        "dynamic_update_slice" => Linear::In(&[0, 1]),
        "select" => Linear::In(&[1, 2]),
        "convolution" | "dot" | "dot_general" | "mul" | "multiply" => Linear::InEach,
        _ => Linear::No,
    }
}
