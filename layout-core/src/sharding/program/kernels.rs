//! The operations that devices can run: those for which the library has kernels, on element types with which these compute.
//!
//! The kernels themselves are in the crate that runs programs. `propagate!` asks here whether a program can run.

use super::{Instruction, Program};
use crate::dtype::DType;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// The operations that have a kernel, in alphabetical order.
const KERNELS: &[&str] = &[
    "abs",
    "add",
    "all_gather",
    "all_reduce",
    "all_to_all",
    "and",
    "atan2",
    "bitcast_convert",
    "broadcast_in_dim",
    "cbrt",
    "ceil",
    "clamp",
    "collective_permute",
    "compare",
    "concatenate",
    "constrain",
    "convert",
    "convolution",
    "cos",
    "cosine",
    "div",
    "divide",
    "dot",
    "dot_general",
    "dynamic_slice",
    "dynamic_update_slice",
    "exp",
    "expm1",
    "exponential",
    "exponential_minus_one",
    "floor",
    "gather",
    "iota",
    "is_finite",
    "log",
    "log1p",
    "log_plus_one",
    "logistic",
    "max",
    "maximum",
    "min",
    "minimum",
    "mul",
    "multiply",
    "neg",
    "negate",
    "not",
    "or",
    "pad",
    "partition_id",
    "pow",
    "power",
    "propagation_barrier",
    "reduce",
    "reduce_scatter",
    "reduce_window",
    "rem",
    "remainder",
    "reshape",
    "reshard",
    "reverse",
    "round",
    "round_nearest_afz",
    "round_nearest_even",
    "rsqrt",
    "scatter",
    "select",
    "shift_left",
    "shift_right_arithmetic",
    "shift_right_logical",
    "sign",
    "sin",
    "sine",
    "slice",
    "sqrt",
    "square",
    "sub",
    "subtract",
    "tan",
    "tanh",
    "top_k",
    "transpose",
    "xor",
];

/// Kernels that need more than the text format of the library has for an operation, such as how elements are combined, or which
/// devices exchange them.
const OF_IMPORTED: &[&str] = &[
    "all_gather",
    "all_reduce",
    "all_to_all",
    "collective_permute",
    "convolution",
    "partition_id",
    "reduce_scatter",
    "reduce_window",
    "scatter",
];

/// How kernels combine two elements: operations of StableHLO, and `set`, which returns the second one.
const REDUCERS: &[&str] = &["add", "and", "maximum", "minimum", "multiply", "or", "set"];

/// The operations that have a kernel, in programs that were read from MLIR or in others.
pub fn kernels(is_imported: bool) -> impl Iterator<Item = &'static str> {
    KERNELS.iter().copied().filter(move |name| is_imported || !OF_IMPORTED.contains(name))
}

/// Whether kernels compute with elements of this type.
pub const fn computes_with(dtype: DType) -> bool {
    use DType::{BF16, F16, F32, F64, PRED, S8, S16, S32, S64, U8, U16, U32, U64};
    matches!(dtype, PRED | S8 | S16 | S32 | S64 | U8 | U16 | U32 | U64 | F16 | BF16 | F32 | F64)
}

impl Instruction<'_> {
    /// The reason why devices cannot run it; `None` if they can.
    pub fn refused(&self) -> Option<String> {
        let (name, is_imported) = (self.name(), self.is_imported());
        if name == "constant" && !is_imported {
            return Some("a program does not say its elements: pass it as an argument".into());
        }
        // A constant needs no kernel, because its elements are read.
        let has_kernel = name == "constant" || kernels(is_imported).any(|known| known == name);
        if !has_kernel || self.has_own_rule() {
            let names: Vec<_> = kernels(is_imported).collect();
            let names = names.join(", ");
            return Some(format!("it has no kernel; these operations have one: {names}"));
        }
        let values = || self.operands().iter().chain(self.results()).map(|at| &self.values()[*at]);
        if let Some(value) = values().find(|value| !computes_with(value.dtype)) {
            return Some(format!("there is no kernel for elements of type `{}`", value.dtype));
        }
        let own = values().map(|value| &value.sharding);
        let taken = (0..self.operands().len()).map(|at| self.sharding(at));
        let mut meshes = own.chain(taken).map(|sharding| self.mesh(sharding));
        if let Some(first) = meshes.next()
            && meshes.any(|mesh| mesh != first)
        {
            return Some("its tensors are on several meshes".into());
        }
        if !REDUCERS.contains(&self.attributes().word("reducer", "add")) {
            let message = "its body is not one operation of two values that has a kernel";
            return Some(message.into());
        }
        match is_imported {
            true => None,
            false => self.not_local(),
        }
    }
}

impl Program {
    /// Every operation that devices cannot run, by its number, with the reason. Empty if they can run all of them, and if
    /// [`Program::tasks`] rejects the program as a whole.
    pub fn refused(&self) -> Vec<(usize, String)> {
        let mut refused = Vec::new();
        for task in self.tasks().unwrap_or_default() {
            task.each(&mut |number| {
                refused.extend(self.instruction(number).refused().map(|message| (number, message)));
            });
        }
        refused
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kernels_are_in_order() {
        assert!(KERNELS.is_sorted() && OF_IMPORTED.iter().all(|name| KERNELS.contains(name)));
    }
}
