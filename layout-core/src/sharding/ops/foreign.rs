//! The names of the operations in JAX, PyTorch, NumPy and StableHLO, and what to write for operations that do not exist in
//! programs.

use super::find;
use crate::syntax::with_words;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// Other names of operations that take the same arguments.
const SAME: [(&str, &[&str]); 32] = [
    ("abs", &["absolute", "fabs"]),
    ("add", &["add_any"]),
    ("all_reduce", &["psum", "allreduce", "cross_replica_sum"]),
    ("and", &["logical_and", "bitwise_and"]),
    ("cbrt", &["cube_root"]),
    ("ceil", &["ceiling"]),
    ("concatenate", &["concat", "cat"]),
    ("constrain", &["with_sharding_constraint", "sharding_constraint"]),
    ("convert", &["astype", "cast", "convert_element_type", "type_as"]),
    ("div", &["true_divide", "truediv", "quotient"]),
    ("dot", &["matmul", "mm", "matvec", "mv"]),
    ("is_finite", &["isfinite"]),
    ("log", &["ln"]),
    ("logistic", &["sigmoid", "expit"]),
    ("max", &["fmax"]),
    ("min", &["fmin"]),
    ("neg", &["negative"]),
    ("not", &["invert", "logical_not", "bitwise_not"]),
    ("or", &["logical_or", "bitwise_or"]),
    ("popcnt", &["population_count", "bitwise_count"]),
    ("pow", &["float_power"]),
    ("rem", &["fmod"]),
    ("reshape", &["view"]),
    ("reverse", &["flip", "rev"]),
    ("round", &["rint", "round_half_to_even"]),
    ("select", &["where"]),
    ("shift_left", &["left_shift", "bitwise_left_shift"]),
    ("shift_right_arithmetic", &["right_shift", "bitwise_right_shift"]),
    ("sign", &["signum", "sgn"]),
    ("top_k", &["topk"]),
    ("transpose", &["permute", "permute_dims"]),
    ("xor", &["logical_xor", "bitwise_xor"]),
];

/// What to write for operations that take other arguments, or that are composed of several operations.
const OTHER: [(&[&str], &str); 45] = [
    (&["dropout"], "write `mul(x, mask)`, with a parameter `mask` of the shape of `x`"),
    (
        &["attention", "scaled_dot_product_attention", "multi_head_attention"],
        "write it out with `dot_general`, `exp`, `reduce` and `div`",
    ),
    (
        &["distribute_tensor", "shard_tensor", "device_put", "redistribute"],
        "write `constrain(x) [{\"data\"}, {}]`, with the axes of each dimension",
    ),
    (
        &["einsum", "tensordot", "bmm", "baddbmm", "batch_matmul", "inner"],
        "write `dot_general(x, w, lhs_contracting=[1], rhs_contracting=[0])`",
    ),
    (&["linear", "dense", "addmm"], "write `add(dot(x, w), b)`"),
    (
        &["relu", "leaky_relu", "relu6"],
        "write `max(x, zero)`, with a parameter `zero` of the shape of `x`",
    ),
    (&["silu", "swish"], "write `mul(x, logistic(x))`"),
    (
        &["gelu", "elu", "selu", "softplus", "mish"],
        "write it out with `exp`, `tanh`, `mul` and `add`",
    ),
    (&["softmax", "log_softmax", "logsumexp"], "write it out with `exp`, `reduce` and `div`"),
    (
        &["sum", "prod", "amax", "amin", "reduce_sum", "reduce_max", "reduce_min", "any", "all"],
        "write `reduce(x, [1])`, with the dimensions that it removes",
    ),
    (&["mean"], "write `reduce(x, [1])`, with the dimensions that it removes, and a division"),
    (
        &["norm", "var", "std", "layer_norm", "rms_norm", "batch_norm"],
        "write it out with `mul`, `reduce` and `rsqrt`",
    ),
    (&["square"], "write `mul(x, x)`"),
    (
        &["mod", "floor_mod"],
        "write `sub(x, mul(y, floor(div(x, y))))`: the remainder `rem(x, y)` has the sign of `x`",
    ),
    (&["select_n"], "write `select(p, b, a)`: `select_n(p, a, b)` is `a` where `p` is false"),
    (
        &["dynamic_slice_in_dim", "dynamic_update_slice_in_dim", "dynamic_index_in_dim"],
        "write `dynamic_slice(x, i, j, sizes=[1,8])` or `dynamic_update_slice(x, part, i, j)`, with an index for each dimension",
    ),
    (
        &["linalg_qr"],
        "write `qr(x)`, which returns reflectors, and `householder_product` of them for the orthogonal matrix",
    ),
    (&["solve_triangular"], "write `triangular_solve(a, b)`, with a lower triangular matrix `a`"),
    (&["reciprocal"], "write `div(one, x)`, with a parameter `one` of the shape of `x`"),
    (&["t", "swapaxes", "moveaxis", "matrix_transpose"], "write `transpose(x, [1, 0])`"),
    (
        &["expand", "broadcast", "broadcast_to", "expand_dims", "tile", "repeat"],
        "write `broadcast_in_dim(x, [8, 4], [1])`, with the size of the result, and the dimension that each one becomes",
    ),
    (&["squeeze", "unsqueeze", "flatten", "ravel"], "write `reshape` with all sizes"),
    (&["stack", "hstack", "vstack"], "write `reshape` for each operand, and `concatenate`"),
    (&["split", "chunk", "narrow", "index_select", "getitem"], "write one `slice` for each part"),
    (
        &["take", "take_along_axis", "embedding", "lookup"],
        "write `gather(x, i, offset=[1], collapsed=[0], slice_sizes=[1,8], index_vector=1)`",
    ),
    (&["scatter_add", "index_add", "segment_sum"], "write `scatter`"),
    (
        &["at", "index_update", "index_put"],
        "write `dynamic_update_slice(x, part, i, j)`, with the first index in each dimension as a parameter `s32[]`",
    ),
    (&["clip"], "write `clamp(least, x, most)`: the value comes between its bounds"),
    (&["equal", "eq"], "write `compare(x, y, direction=EQ)`"),
    (&["not_equal", "ne"], "write `compare(x, y, direction=NE)`"),
    (&["greater", "gt"], "write `compare(x, y, direction=GT)`"),
    (&["greater_equal", "ge"], "write `compare(x, y, direction=GE)`"),
    (&["less", "lt"], "write `compare(x, y, direction=LT)`"),
    (&["less_equal", "le"], "write `compare(x, y, direction=LE)`"),
    (
        &["conv", "conv1d", "conv2d", "conv3d", "conv_general_dilated", "conv_transpose"],
        "write `convolution`",
    ),
    (
        &[
            "max_pool",
            "avg_pool",
            "maxpool",
            "avgpool",
            "max_pool2d",
            "avg_pool2d",
            "cumsum",
            "cumprod",
        ],
        "write `reduce_window`",
    ),
    (&["arange", "range", "linspace"], "write `iota`"),
    (&["zeros", "ones", "full", "zeros_like", "ones_like", "full_like"], "write `constant`"),
    (&["argmax", "argmin"], "write `top_k(x, 1)`, of which the second result holds the indices"),
    (&["argsort"], "write `sort`"),
    (&["pmean"], "write `all_reduce` and a division"),
    (&["ppermute", "pshuffle", "pbroadcast"], "write `collective_permute`"),
    (&["psum_scatter"], "write `reduce_scatter`"),
    (&["uniform", "normal", "randn", "rand", "random_bits"], "write `rng_bit_generator`"),
    (
        &["scan", "fori_loop", "while_loop", "cond", "switch"],
        "write `while (x = x0) { .. }` or `case { .. } { .. }`",
    ),
];

/// The operation that takes the same arguments under this name in another library.
pub(in crate::sharding) fn same(name: &str) -> Option<&'static str> {
    let lower = name.to_ascii_lowercase();
    let word = lower.trim_start_matches('_');
    SAME.iter().find(|(_, names)| names.contains(&word)).map(|(ours, _)| *ours)
}

/// The help for an operation under a name that it has in another library.
pub(in crate::sharding) fn help(name: &str) -> Option<String> {
    if let Some(ours) = same(name) {
        return Some(format!("write `{ours}`"));
    }
    let lower = name.to_ascii_lowercase();
    let word = lower.trim_start_matches('_');
    OTHER.iter().find(|(names, _)| names.contains(&word)).map(|(_, help)| String::from(*help))
}

/// A help about another operation than the called one, which may take the operands in another order: `x`, `y` and `b` in its code
/// are the first three, as are their other names, and all others are new. `div(one, x)` becomes `div(one, h)`. The dimensions are
/// those of a reduction.
pub(in crate::sharding) fn with_operands(
    help: &str,
    operands: &[Option<String>],
    dims: Option<&str>,
) -> String {
    let is_call = |code: &str| code.split_once('(').is_some_and(|(name, _)| find(name).is_ok());
    if !help.split('`').skip(1).step_by(2).any(is_call) {
        return help.into();
    }
    let word = |word: &str| {
        let at = match word {
            "x" => 0,
            "y" | "w" | "i" | "least" => 1,
            "b" | "most" => 2,
            _ => return String::from(word),
        };
        operands.get(at).cloned().flatten().unwrap_or_else(|| word.into())
    };
    let pieces = help.split('`').enumerate().map(|(number, piece)| match (number % 2, dims) {
        (1, Some(dims)) if piece.starts_with("reduce(") => {
            with_words(&piece.replacen("[1]", dims, 1), word)
        }
        (1, _) => with_words(piece, word),
        _ => String::from(piece),
    });
    pieces.collect::<Vec<_>>().join("`")
}

/// Whether a help replaces a whole call, and not only the name of the operation.
pub(in crate::sharding) fn is_call(help: &str) -> bool {
    help.strip_prefix("write `").is_some_and(|code| {
        let end = |c: char| !c.is_ascii_alphanumeric() && c != '_';
        code.find(end).is_some_and(|end| code[end..].starts_with('('))
    })
}

#[cfg(test)]
mod tests {
    use super::super::names;
    use super::*;

    #[test]
    fn what_is_proposed_exists_and_no_operation_has_a_name_of_the_table() {
        let ours: Vec<_> = names().collect();
        for (name, others) in SAME {
            assert!(find(name).is_ok(), "{name}");
            for other in others {
                assert!(!ours.contains(other), "{other}");
            }
        }
        let mut foreign: Vec<_> = SAME.iter().flat_map(|(_, names)| names.iter()).collect();
        foreign.extend(OTHER.iter().flat_map(|(names, _)| names.iter()));
        let count = foreign.len();
        foreign.sort();
        foreign.dedup();
        assert_eq!(foreign.len(), count, "a name has one translation");
        assert!(foreign.iter().all(|name| !ours.contains(name)));
        assert_eq!(help("Matmul").as_deref(), Some("write `dot`"));
        assert_eq!(help("frobnicate"), None);
    }

    #[test]
    fn nothing_is_proposed_that_is_another_operation() {
        for name in ["matmul", "relu", "softmax", "silu", "mean", "erfinv"] {
            let Err(error) = find(name) else { panic!("{name}") };
            let text = alloc::string::ToString::to_string(&error);
            assert!(!text.contains("did you mean"), "{text}");
        }
    }
}
