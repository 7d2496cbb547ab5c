//! The operations that devices can run: the operations for which the library has kernels, and the element types that the kernels
//! support.
//!
//! The kernels themselves are in the crate that runs programs. `propagate!` uses this module to check whether a program can run.

use super::{Instruction, Program};
use crate::dtype::{DType, Kind};
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// The operations that have a kernel, in alphabetical order.
const KERNELS: &[&str] = &[
    "abs",
    "acos",
    "acosh",
    "add",
    "all_gather",
    "all_reduce",
    "all_to_all",
    "and",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "bessel_i1e",
    "bitcast_convert",
    "broadcast_in_dim",
    "cbrt",
    "ceil",
    "cholesky",
    "clamp",
    "collective_permute",
    "compare",
    "complex",
    "concatenate",
    "constrain",
    "convert",
    "convolution",
    "cos",
    "cosh",
    "cosine",
    "count_leading_zeros",
    "custom_call",
    "digamma",
    "div",
    "divide",
    "dot",
    "dot_general",
    "dynamic_slice",
    "dynamic_update_slice",
    "erf",
    "erf_inv",
    "erfc",
    "exp",
    "expm1",
    "exponential",
    "exponential_minus_one",
    "fft",
    "floor",
    "gather",
    "imag",
    "iota",
    "is_finite",
    "lgamma",
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
    "next_after",
    "not",
    "or",
    "pad",
    "partition_id",
    "polygamma",
    "popcnt",
    "pow",
    "power",
    "propagation_barrier",
    "real",
    "reduce",
    "reduce_precision",
    "reduce_scatter",
    "reduce_window",
    "rem",
    "remainder",
    "reshape",
    "reshard",
    "reverse",
    "rng_bit_generator",
    "round",
    "round_nearest_afz",
    "round_nearest_even",
    "rsqrt",
    "scatter",
    "select",
    "select_and_scatter",
    "shift_left",
    "shift_right_arithmetic",
    "shift_right_logical",
    "sign",
    "sin",
    "sine",
    "sinh",
    "slice",
    "sort",
    "sqrt",
    "square",
    "sub",
    "subtract",
    "tan",
    "tanh",
    "top_k",
    "transpose",
    "triangular_solve",
    "xor",
    "zeta",
];

/// Kernels that need more information than the library's own text contains, such as how elements are combined or which devices
/// exchange them, and kernels of operations that the text does not have.
const OF_IMPORTED: &[&str] = &[
    "acos",
    "acosh",
    "all_gather",
    "all_reduce",
    "all_to_all",
    "asin",
    "asinh",
    "atan",
    "atanh",
    "bessel_i1e",
    "collective_permute",
    "convolution",
    "cosh",
    "custom_call",
    "digamma",
    "erf",
    "erf_inv",
    "erfc",
    "fft",
    "lgamma",
    "next_after",
    "partition_id",
    "polygamma",
    "reduce_precision",
    "reduce_scatter",
    "reduce_window",
    "rng_bit_generator",
    "scatter",
    "select_and_scatter",
    "sinh",
    "sort",
    "zeta",
];

/// The operations that have a kernel for complex numbers.
const OF_COMPLEX: &[&str] = &[
    "abs",
    "add",
    "all_gather",
    "all_to_all",
    "broadcast_in_dim",
    "collective_permute",
    "compare",
    "complex",
    "concatenate",
    "constant",
    "constrain",
    "convert",
    "div",
    "divide",
    "dot",
    "dot_general",
    "dynamic_slice",
    "dynamic_update_slice",
    "exp",
    "exponential",
    "fft",
    "gather",
    "imag",
    "log",
    "mul",
    "multiply",
    "neg",
    "negate",
    "pad",
    "propagation_barrier",
    "real",
    "reduce",
    "reshape",
    "reshard",
    "reverse",
    "select",
    "slice",
    "sqrt",
    "sub",
    "subtract",
    "transpose",
];

/// The operations that have a kernel for floating-point numbers of 8 bits: they move elements, convert them, or multiply
/// matrices of them.
const OF_NARROW: &[&str] = &[
    "all_gather",
    "all_to_all",
    "bitcast_convert",
    "broadcast_in_dim",
    "clamp",
    "collective_permute",
    "compare",
    "concatenate",
    "constant",
    "constrain",
    "convert",
    "dot",
    "dot_general",
    "dynamic_slice",
    "dynamic_update_slice",
    "gather",
    "maximum",
    "minimum",
    "pad",
    "propagation_barrier",
    "reshape",
    "reshard",
    "reverse",
    "select",
    "slice",
    "transpose",
];

/// The functions of LAPACK, without the letter of their element type, that a `custom_call` can call.
const OF_LAPACK: &[&str] = &["geqrf", "getrf", "orgqr", "potrf", "syevd", "trsm"];

/// The start of the message about an operation without a kernel.
const NO_KERNEL: &str = "it has no kernel";

/// How kernels combine two elements: operations of StableHLO, and `set`, which returns the second one.
pub(super) const REDUCERS: &[&str] = &["add", "and", "maximum", "minimum", "multiply", "or", "set"];

/// The operations that have a kernel: in programs that were read from MLIR if `is_imported`, otherwise in the library's own
/// programs.
pub fn kernels(is_imported: bool) -> impl Iterator<Item = &'static str> {
    KERNELS.iter().copied().filter(move |name| is_imported || !OF_IMPORTED.contains(name))
}

/// Whether kernels compute with elements of this type. The kernels of some operations also support complex numbers.
pub const fn computes_with(dtype: DType) -> bool {
    use DType::{BF16, F16, F32, F64, PRED, S8, S16, S32, S64, U8, U16, U32, U64};
    matches!(dtype, PRED | S8 | S16 | S32 | S64 | U8 | U16 | U32 | U64 | F16 | BF16 | F32 | F64)
}

impl Instruction<'_> {
    /// The reason why its bodies cannot run.
    fn refused_body(&self) -> Option<String> {
        let is_known = REDUCERS.contains(&self.attributes().word("reducer", "add"));
        let needs_body = matches!(self.name(), "sort" | "select_and_scatter");
        if is_known && !needs_body {
            return None;
        }
        if self.bodies().is_empty() {
            let message = "its body is not one operation of two values that has a kernel";
            return Some(message.into());
        }
        let step = self.bodies().iter().find_map(|body| body.refused())?;
        Some(format!("there is no kernel for `{}` of `{}` in its body", step.name, step.dtype))
    }

    /// The reason why there is no kernel for the function that it calls, or for its state of random numbers.
    fn refused_call(&self) -> Option<String> {
        match self.name() {
            "custom_call" => {
                let function = self.attributes().word("function", "");
                (!OF_LAPACK.contains(&function)).then(|| {
                    let target = self.attributes().word("target", "");
                    let known = OF_LAPACK.join("_ffi, lapack_?");
                    format!(
                        "there is no kernel for `@{target}`; these functions have one, for f32 and f64: lapack_?{known}_ffi"
                    )
                })
            }
            "rng_bit_generator" => {
                let [state, made] = [self.operands().first(), self.results().get(1)]
                    .map(|at| at.map(|at| &self.values()[*at]));
                let is_three_fry = self.attributes().word("algorithm", "DEFAULT") == "THREE_FRY";
                let has_state = state.is_some_and(|state| match state.dims[..] {
                    [2] => state.dtype == DType::U64,
                    [3] => state.dtype == DType::U64 && !is_three_fry,
                    _ => false,
                });
                let is_integer = made.is_some_and(|made| {
                    matches!(made.dtype.kind(), Kind::Signed | Kind::Unsigned)
                        && made.dtype.bits() >= 8
                });
                let message = "there is a kernel only for integers of 8 to 64 bits and states of type `u64[2]`, and `u64[3]` of Philox";
                (!has_state || !is_integer).then(|| message.into())
            }
            _ => None,
        }
    }

    /// The reason why devices cannot run it; `None` if they can.
    pub fn refused(&self) -> Option<String> {
        let (name, is_imported) = (self.name(), self.is_imported());
        if let Some(message) = self.makes_no_part() {
            return Some(message.to_owned());
        }
        if name == "constant" && !is_imported {
            return Some("a program does not say its elements: pass it as an argument".into());
        }
        // A constant needs no kernel, because its elements are read.
        let has_kernel = name == "constant" || kernels(is_imported).any(|known| known == name);
        if !has_kernel || self.has_own_rule() {
            let names: Vec<_> = kernels(is_imported).collect();
            let names = names.join(", ");
            return Some(format!("{NO_KERNEL}; these operations have one: {names}"));
        }
        if let Some(message) = self.refused_call() {
            return Some(message);
        }
        let values = || self.operands().iter().chain(self.results()).map(|at| &self.values()[*at]);
        let is_sum = self.attributes().word("reducer", "add") == "add";
        let is_known = |dtype: DType| match dtype.kind() {
            Kind::Complex => is_sum && OF_COMPLEX.contains(&name),
            Kind::Float if matches!(dtype, DType::F8E4M3FN | DType::F8E5M2) => {
                OF_NARROW.contains(&name)
            }
            _ => computes_with(dtype),
        };
        if let Some(value) = values().find(|value| !is_known(value.dtype)) {
            let reason = format!("there is no kernel for elements of type `{}`", value.dtype);
            let known = match value.dtype {
                DType::F8E4M3FN | DType::F8E5M2 => OF_NARROW,
                dtype if dtype.kind() == Kind::Complex => OF_COMPLEX,
                _ => return Some(reason),
            };
            let names: Vec<_> = kernels(is_imported).filter(|name| known.contains(name)).collect();
            return Some(format!("{reason}; these operations have one: {}", names.join(", ")));
        }
        if let Some(message) = self.refused_meshes() {
            return Some(message);
        }
        if let Some(message) = self.refused_body() {
            return Some(message);
        }
        match is_imported {
            true => None,
            false => self.not_local(),
        }
    }
}

impl Program {
    /// Every operation that devices cannot run, by its number, with the reason. Empty if devices can run all of them, and also if
    /// [`Program::tasks`] rejects the program as a whole. Only the first error about a missing kernel lists the operations that
    /// have one.
    pub fn refused(&self) -> Vec<(usize, String)> {
        let (mut refused, mut listed): (Vec<_>, Option<(_, _, _)>) = (Vec::new(), None);
        for task in self.tasks().unwrap_or_default() {
            task.each(&mut |number| {
                let instruction = self.instruction(number);
                let Some(message) = instruction.refused() else { return };
                // A function that is called twice has its operations twice, on the same lines.
                let (name, line) = (instruction.name(), instruction.line());
                let own = (name, line, if line.is_none() { number } else { 0 });
                let message = match listed {
                    _ if !message.starts_with(NO_KERNEL) => message,
                    Some(first) if first != own => {
                        format!(
                            "{NO_KERNEL}; the first such error lists the operations that have one"
                        )
                    }
                    _ => {
                        listed = Some(own);
                        message
                    }
                };
                refused.push((number, message));
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
        let mut known = OF_COMPLEX.iter().chain(OF_NARROW);
        assert!(known.all(|name| *name == "constant" || KERNELS.contains(name)));
    }
}
