//! How operations are called: the help for a call that has a mistake of another kind.

use super::find;
use super::operation::{Infer, Operation};
use alloc::format;
use alloc::string::String;

/// One call of each operation that has attributes.
const CALLS: [(&str, &str); 40] = [
    ("all_gather", "all_gather(x, [16])"),
    ("all_reduce", "all_reduce(x)"),
    ("all_to_all", "all_to_all(x, [4, 16], split=0, concat=1)"),
    ("approx_top_k", "approx_top_k(x, i, 8)"),
    ("batch_norm_inference", "batch_norm_inference(x, scale, offset, mean, variance, 3)"),
    ("bitcast_convert", "bitcast_convert(x, type=u8)"),
    ("broadcast_in_dim", "broadcast_in_dim(x, [8, 4], [0])"),
    ("cholesky", "cholesky(x)"),
    ("clamp", "clamp(least, x, most)"),
    ("complex", "complex(re, im)"),
    ("compare", "compare(x, y, direction=LT)"),
    ("concatenate", "concatenate(x, y, 0)"),
    ("constant", "constant(f32[8])"),
    ("convert", "convert(x, type=f32)"),
    (
        "convolution",
        "convolution(x, w, input=[0,3,1,2], kernel=[2,3,0,1], output=[0,3,1,2], strides=[1,1])",
    ),
    ("dot", "dot(x, y)"),
    ("dot_general", "dot_general(x, y, lhs_contracting=[1], rhs_contracting=[0])"),
    ("dynamic_slice", "dynamic_slice(x, i, j, [4, 4])"),
    ("dynamic_update_slice", "dynamic_update_slice(x, part, i, j)"),
    ("eigh", "eigh(x)"),
    ("fft", "fft(x, [64], type=RFFT)"),
    ("gather", "gather(x, i, offset=[1], collapsed=[0], slice_sizes=[1,8], index_vector=1)"),
    ("householder_product", "householder_product(a, taus)"),
    ("iota", "iota(s32[8], 0)"),
    ("pad", "pad(x, [16])"),
    ("qr", "qr(x)"),
    ("reduce", "reduce(x, [1])"),
    ("reduce_scatter", "reduce_scatter(x, [4])"),
    ("reduce_window", "reduce_window(x, window=[1,2], strides=[1,2])"),
    ("reshape", "reshape(x, [2, 32])"),
    ("reverse", "reverse(x, [0])"),
    ("rng_bit_generator", "rng_bit_generator(state, [8])"),
    ("scatter", "scatter(x, i, updates, window=[1], inserted=[0], index_vector=1)"),
    ("select", "select(p, x, y)"),
    ("select_and_scatter", "select_and_scatter(x, source, window=[1,2], strides=[1,2])"),
    ("slice", "slice(x, [4])"),
    ("sort", "sort(x, y, 0)"),
    ("top_k", "top_k(x, 8)"),
    ("transpose", "transpose(x, [1, 0])"),
    ("triangular_solve", "triangular_solve(a, b, side=LEFT)"),
];

/// A call of the operation with this name; `None` if there is no such operation, or it is called in many ways.
pub(in crate::sharding) fn usage(name: &str) -> Option<String> {
    let Operation { names, infer, .. } = find(name).ok()?;
    if let Some((_, call)) = CALLS.iter().find(|(known, _)| names.contains(known)) {
        return Some(String::from(*call));
    }
    match infer {
        Infer::Each { operands, .. } => {
            let operands = ["x", "y", "z"].get(..*operands)?;
            Some(format!("{name}({})", operands.join(", ")))
        }
        Infer::By(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    #[test]
    fn every_call_is_of_an_operation() {
        for (name, call) in CALLS {
            assert!(find(name).is_ok(), "{name}");
            assert!(call.strip_prefix(name).is_some_and(|rest| rest.starts_with('(')), "{call}");
        }
        assert_eq!(usage("add").as_deref(), Some("add(x, y)"));
        assert_eq!(usage("exponential").as_deref(), Some("exponential(x)"));
        assert_eq!(usage("frobnicate"), None);
        let without: Vec<_> = super::super::names().filter(|name| usage(name).is_none()).collect();
        assert_eq!(without, [""; 0], "without a call");
    }
}
