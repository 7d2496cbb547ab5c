//! The operations that devices can run: whether there is a kernel for an operation, its element types and its bodies.
//!
//! The kernels themselves are in the crate that runs programs. `propagate!` uses this module to check whether a program can run.

use super::{Instruction, Program, ScalarBody};
use crate::dtype::{DType, Kind};
use crate::sharding::ops::{self, Bodies, Effect, KernelTypes};
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// The functions of LAPACK, without the letter of their element type, that a `custom_call` can call.
const OF_LAPACK: &[&str] = &["geqrf", "getrf", "orgqr", "potrf", "syevd", "trsm"];

/// The start of the message about an operation without a kernel.
const NO_KERNEL: &str = "it has no kernel";

/// The message about a reduction whose partial results devices cannot combine, because their order matters.
pub(super) const NO_EXCHANGE: &str =
    "its body is not a single operation with which devices can combine their values";

/// The name of the reducer that returns its second argument.
const SET: &str = "set";

/// Whether kernels combine two elements by this operation of StableHLO, or by `set`, which returns the second one.
fn combines(reducer: &str) -> bool {
    reducer == SET || can_exchange(reducer)
}

/// Whether devices can combine what they have by this operation, because the order does not matter.
pub(super) fn can_exchange(reducer: &str) -> bool {
    ops::row(reducer).is_some_and(|operation| operation.combines)
}

/// The operations that have a kernel, in alphabetical order: in programs that were read from MLIR if `is_imported`, otherwise in
/// the library's own programs.
///
/// ```
/// use tensor_layout::sharding::program::kernels;
/// assert!(kernels(false).any(|name| name == "dot"));
/// assert!(kernels(true).any(|name| name == "sort") && !kernels(false).any(|name| name == "sort"));
/// ```
pub fn kernels(is_imported: bool) -> impl Iterator<Item = &'static str> {
    ops::with_kernel(is_imported).into_iter()
}

impl Instruction<'_> {
    /// The reason why its bodies cannot run.
    fn refused_body(&self) -> Option<String> {
        let is_known = combines(self.attributes().word("reducer", "add"));
        let row = ops::row(self.name());
        let needs_body = row.is_some_and(|operation| operation.bodies == Bodies::Whole);
        if is_known && !needs_body {
            return None;
        }
        if self.bodies().is_empty() {
            let exchanges = row.is_some_and(|operation| operation.effect == Effect::Exchange);
            let message = match exchanges {
                true => NO_EXCHANGE,
                false => "its body is not one operation of two values that has a kernel",
            };
            return Some(message.into());
        }
        let mut bodies = self.bodies().iter().enumerate();
        let expected = if self.name() == "select_and_scatter" { 2 } else { 1 };
        if bodies.len() != expected || !bodies.all(|(at, body)| self.fits(at, body)) {
            return Some("its body does not take its elements".into());
        }
        let step = self.bodies().iter().find_map(|body| body.refused())?;
        Some(format!("there is no kernel for `{}` of `{}` in its body", step.name, step.dtype))
    }

    /// Whether the body with this number takes the elements of two positions, and returns an element of each result. A comparison
    /// returns whether it holds.
    fn fits(&self, number: usize, body: &ScalarBody) -> bool {
        let elements: Vec<_> = self.results().iter().map(|at| self.values()[*at].dtype).collect();
        let is_sort = self.name() == "sort";
        let compares = is_sort || self.name() == "select_and_scatter" && number == 0;
        let taken: Vec<_> = match is_sort {
            true => elements.iter().flat_map(|dtype| [*dtype; 2]).collect(),
            false => elements.repeat(2),
        };
        let made = if compares { [DType::PRED].into() } else { elements };
        let all: Vec<_> = body
            .arguments
            .iter()
            .copied()
            .chain(body.steps.iter().map(|step| step.dtype))
            .collect();
        body.arguments == taken
            && body.returned.iter().map(|at| all.get(*at).copied()).eq(made.into_iter().map(Some))
    }

    /// The reason why there is no kernel for the function that it calls, for its dimension, or for its state of random numbers.
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
            "top_k" => {
                let [of, made] = [self.operands(), self.results()].map(|values| {
                    let dims = values.first().map(|at| &self.values()[*at].dims[..]);
                    dims.and_then(<[usize]>::split_last).map(|(_, rest)| rest)
                });
                (of != made).then(|| "there is a kernel only for the last dimension".into())
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
        let operation = ops::row(name).filter(|operation| {
            operation.has_kernel(is_imported) || operation.kernel == KernelTypes::Literal
        });
        let Some(operation) = operation.filter(|_| !self.has_own_rule()) else {
            let names: Vec<_> = kernels(is_imported).collect();
            let names = names.join(", ");
            return Some(format!("{NO_KERNEL}; these operations have one: {names}"));
        };
        if let Some(message) = self.refused_call() {
            return Some(message);
        }
        let values = || self.operands().iter().chain(self.results()).map(|at| &self.values()[*at]);
        let is_sum = self.attributes().word("reducer", "add") == "add";
        let is_known = |dtype: DType| {
            operation.kernel.supports(dtype) && (dtype.kind() != Kind::Complex || is_sum)
        };
        if let Some(value) = values().find(|value| !is_known(value.dtype)) {
            return Some(no_elements(value.dtype, is_imported));
        }
        if let Some(message) = self.refused_types() {
            return Some(message);
        }
        if name == "compare" && self.attributes().word("direction", "EQ").is_empty() {
            return Some("it does not say how it compares: `comparison_direction`".into());
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

/// The message about an operation whose kernel does not support elements of this type.
fn no_elements(dtype: DType, is_imported: bool) -> String {
    let reason = format!("there is no kernel for elements of type `{dtype}`");
    let known = |name: &&str| ops::row(name).is_some_and(|row| row.kernel.supports(dtype));
    let names: Vec<_> = kernels(is_imported).filter(known).collect();
    match names.is_empty() {
        true => reason,
        false => format!("{reason}; these operations have one: {}", names.join(", ")),
    }
}

impl Program {
    /// Every operation that devices cannot run, by its number, with the reason. Empty if devices can run all of them, and also if
    /// [`Program::tasks`] rejects the program as a whole. Only the first error about a missing kernel lists the operations that
    /// have one.
    pub fn refused(&self) -> Vec<(usize, String)> {
        let (mut refused, mut listed): (Vec<_>, Option<(_, _, _)>) = (Vec::new(), None);
        for task in self.tasks().unwrap_or_default() {
            task.each(false, &mut |number, is_manual| {
                let instruction = self.instruction(number);
                let outside = || instruction.refused_outside().filter(|_| !is_manual);
                let message = instruction.refused().or_else(|| outside().map(ToOwned::to_owned));
                let Some(message) = message else { return };
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
