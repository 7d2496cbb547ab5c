//! The operations of programs, and the sharding rule of each, as Shardy defines it: which dimensions of its operands and results
//! are split alike.
//!
//! Each operation has a row with its names, an example of a call, its attributes, the function that computes the results and the
//! sharding rule of a call, its effect on partial sums, and its text in MLIR.
//!
//! [`rule`] returns the rule of any of them, as Shardy does:
//!
//! ```
//! use tensor_layout::DType;
//! use tensor_layout::sharding::ops::{self, Attributes, TensorType};
//! let x = TensorType::new(DType::BF16, &[64, 512]);
//! let w = TensorType::new(DType::BF16, &[512, 128]);
//! let dims = Attributes::new().named("lhs_contracting", [1]).named("rhs_contracting", [0]);
//! let rule = ops::rule("dot_general", &dims, &[x, w])?.expect("a product has a rule");
//! assert_eq!(
//!     rule.to_string(),
//!     "<([i, k], [k, j])->([i, j]) {i=64, j=128, k=512} reduction={k}>",
//! );
//!
//! let error = ops::rule("transpose", &Attributes::new().list([1, 2]), &[x]).unwrap_err();
//! assert_eq!(error.to_string(), "dimension 2 does not exist: the array has rank 2");
//! # Ok::<(), ops::OpError>(())
//! ```
//!
//! The other functions return the rule of one operation from exactly the arguments on which the rule depends. These include
//! arguments that programs leave out: the initial scalars of a reduction are operands, and a [`Mode`] says how careful a rule
//! is.
//!
//! ```
//! use tensor_layout::sharding::ops;
//! let rule = ops::reshape(&[8, 4], &[2, 16]).unwrap();
//! assert_eq!(rule.to_string(), "<([ij, k])->([i, jk]) {i=2, j=4, k=4}>");
//! ```
//!
//! `infeed`, tokens and the like have no rule: add them with [`Graph::opaque_op`]. `while`, `case`, `optimization_barrier` and
//! calls have edges: [`Graph::open_edge`]. For any other operation, write a rule, [`OpShardingRule`].
//!
//! # Panics
//! The functions for one operation panic if an argument names a dimension that does not exist. If sizes contradict each other,
//! the rule is that of an operation that cannot exist. [`rule`] does not panic, because it checks its arguments.
//!
//! [`Graph::opaque_op`]: super::propagation::Graph::opaque_op
//! [`Graph::open_edge`]: super::propagation::Graph::open_edge
//! [`OpShardingRule`]: super::OpShardingRule

mod attributes;
mod collective;
mod convolution;
mod creation;
mod custom;
mod dot;
mod elements;
mod elementwise;
mod error;
mod execution;
mod foreign;
pub(in crate::sharding) use foreign::{
    help as foreign_help, is_call, same as foreign_name, with_operands as foreign_operands,
};
mod imported;
mod index;
mod input;
mod linear;
mod mlir;
mod operation;
mod partition;
mod reduce;
mod reshape;
mod shape;
mod slice;
mod sums;
mod transform;
mod window;

pub use attributes::{Attribute, Attributes};
pub use collective::{all_to_all, collective_dim};
pub use convolution::{Convolution, convolution};
pub use creation::rng_bit_generator;
pub use dot::{DotDims, DotNumbers, dot, dot_general};
pub use elementwise::elementwise;
pub use error::{OpError, Subject};
pub use execution::computes_with;
pub use index::{Gather, Scatter, gather, scatter};
pub use linear::{cholesky, eigh, householder_product, qr, triangular_solve};
pub use operation::TensorType;
pub use reduce::{approx_top_k, reduce, sort, top_k};
pub use reshape::reshape;
pub use shape::{bitcast_convert, broadcast_in_dim, reverse, transpose};
pub use slice::{concatenate, dynamic_slice, dynamic_update_slice, pad, slice};
pub use transform::{batch_norm_inference, fft, half_of};
pub use window::{reduce_window, select_and_scatter};

pub(super) use custom::infer_custom;
pub(super) use execution::{Bodies, Effect, KernelTypes, Shifts};
pub(super) use index::GatherNumbers;
pub(super) use mlir::{CallText, Mlir, OpText, tensor_type, zero};
pub(super) use operation::{Inferred, Operation};
pub(super) use reduce::reduce_factor;
pub(super) use reshape::reshape_factor;
pub(super) use shape::{broadcast_factor, transpose_factor};
pub(super) use slice::{resized_kind, update_factor};
pub(super) use sums::PartialSums;

use super::propagation::OpKind;
use super::rule::OpShardingRule;
use crate::dtype::DType;
use crate::sharding::constant::same_text;
use crate::syntax::nearest;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use error::{Result, wrong, wrong_with_help};
use input::Input;
use operation::Infer;

/// The rows of each file.
const CLASSES: &[&[Operation]] = &[
    collective::ROWS,
    convolution::ROWS,
    creation::ROWS,
    dot::ROWS,
    index::ROWS,
    linear::ROWS,
    partition::ROWS,
    reduce::ROWS,
    reshape::ROWS,
    shape::ROWS,
    slice::ROWS,
    transform::ROWS,
    window::ROWS,
    elementwise::ROWS,
];

/// Whether a rule lets shardings propagate through an operation after which devices must exchange the edges of their parts.
///
/// ```
/// use tensor_layout::sharding::ops::{Mode, slice};
/// let rule = |mode| slice(&[8, 4], &[8, 2], mode).to_string();
/// assert_eq!(rule(Mode::Normal), "<([i, j])->([i, j]) {i=8, j=4} permutation={j}>");
/// assert!(rule(Mode::Conservative).ends_with("blocked_propagation={j}>"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Mode {
    /// Shardings propagate even if devices then have to exchange the edges of their parts.
    #[default]
    Normal,
    /// Shardings do not propagate in that case.
    Conservative,
}

impl Mode {
    const fn is_conservative(self) -> bool {
        matches!(self, Self::Conservative)
    }
}

/// The names of all operations. Some operations have two: `exp` and `exponential` are the same.
///
/// ```
/// use tensor_layout::sharding::ops;
/// assert!(ops::names().any(|name| name == "exp") && ops::names().any(|name| name == "exponential"));
/// ```
pub fn names() -> impl Iterator<Item = &'static str> {
    CLASSES.iter().copied().flatten().flat_map(|operation| operation.names).copied()
}

/// The sharding rule of operation `op` on operands of these types, as for a call in a program. `None` if nothing propagates
/// through the call, because it has no operands, or is a reshape without elements.
///
/// See [the module](self) for an example.
///
/// ```
/// use tensor_layout::DType;
/// use tensor_layout::sharding::ops::{self, Attributes, TensorType};
/// let x = TensorType::new(DType::F32, &[8, 4]);
/// let rule = ops::rule("transpose", &Attributes::new().list([1, 0]), &[x])?;
/// assert_eq!(rule.unwrap().to_string(), "<([j, i])->([i, j]) {i=4, j=8}>");
/// # Ok::<(), ops::OpError>(())
/// ```
///
/// # Errors
/// If there is no operation `op`, or if it does not accept these attributes or operands.
pub fn rule(
    op: &str,
    attributes: &Attributes,
    operands: &[TensorType<'_>],
) -> core::result::Result<Option<OpShardingRule>, OpError> {
    let made = attributes.array.as_ref().map(|(dtype, _)| (Subject::Call, *dtype));
    let operand = |(at, ty): (usize, &TensorType<'_>)| (Subject::Operand(at), ty.dtype);
    for (subject, dtype) in operands.iter().enumerate().map(operand).chain(made) {
        if let Some(message) = unknown_elements(dtype) {
            return wrong(subject, message);
        }
    }
    Ok(find(op)?.infer(op, attributes, operands)?.rule)
}

/// The row of the operation with this name in the library's own programs.
fn own_row(name: &str) -> Option<&'static Operation> {
    CLASSES.iter().copied().flatten().find(|operation| operation.names.contains(&name))
}

/// The row of the operation with this name, also if only programs from MLIR have it.
pub(super) fn row(name: &str) -> Option<&'static Operation> {
    let imported = || imported::ROWS.iter().find(|operation| operation.names.contains(&name));
    own_row(name).or_else(imported)
}

/// The operations with a kernel in programs of this kind, in alphabetical order.
pub(super) fn with_kernel(is_imported: bool) -> Vec<&'static str> {
    let rows = CLASSES.iter().copied().flatten().chain(imported::ROWS);
    let rows = rows.filter(|operation| operation.has_kernel(is_imported));
    let mut names: Vec<_> = rows.flat_map(|operation| operation.names).copied().collect();
    names.sort_unstable();
    names
}

/// The effect on partial sums of the operation `name`, in const evaluation: [`PartialSums::Never`] if there is none.
pub(super) const fn partial_sums(name: &str) -> PartialSums {
    let mut class = 0;
    while class < CLASSES.len() {
        let mut row = 0;
        while row < CLASSES[class].len() {
            let operation = &CLASSES[class][row];
            let mut at = 0;
            while at < operation.names.len() {
                if same_text(operation.names[at], name) {
                    return operation.sums;
                }
                at += 1;
            }
            row += 1;
        }
        class += 1;
    }
    PartialSums::Never
}

/// The kind of the operation `name`, which propagation needs besides its rule; [`OpKind::Other`] if there is none.
pub(super) fn kind(name: &str) -> OpKind {
    row(name).map_or(OpKind::Other, |operation| operation.kind)
}

/// The kind of a call of the operation `name`, given the ranks of its first operand and its first result. A `bitcast_convert` to
/// elements of another size has a dimension more or less, and is no elementwise operation.
pub(super) fn kind_of_call(name: &str, operand: usize, result: usize) -> OpKind {
    match name {
        "bitcast_convert" if operand != result => OpKind::Other,
        _ => kind(name),
    }
}

/// A call of the operation with this name; `None` if there is no such operation, or it is called in many ways.
pub(super) fn usage(name: &str) -> Option<String> {
    own_row(name)?.usage(name)
}

/// The operation with this name.
pub(super) fn find(name: &str) -> Result<&'static Operation> {
    if let Some(found) = own_row(name) {
        return Ok(found);
    }
    let known = names().collect::<Vec<_>>();
    let help = match (foreign::help(name), nearest(name, &known)) {
        (Some(help), _) => help,
        (None, Some(other)) => format!("did you mean `{other}`?"),
        (None, None) => "write its rule after it: `op(x, w) : (i,k),(k,j)->(i,j)`".into(),
    };
    wrong_with_help(Subject::Call, format!("unknown operation `{name}`"), help)
}

impl Operation {
    /// The results and the rule of a call of the operation under this name.
    pub(super) fn infer(
        &self,
        name: &str,
        attributes: &Attributes,
        operands: &[TensorType<'_>],
    ) -> Result<Inferred> {
        let input = Input::new(operands, attributes);
        input.known_names(name, self)?;
        let inferred = match self.infer {
            Infer::Each { operands, elements, result } => {
                elementwise::infer_each(&input, operands, elements, result)?
            }
            Infer::By(infer) => infer(&input)?,
        };
        input.all_read(name, self)?;
        Ok(inferred)
    }
}

/// The reason why a program cannot have elements of a type: StableHLO has no `u1`, and its `i1` is boolean.
pub(super) fn unknown_elements(dtype: DType) -> Option<String> {
    matches!(dtype, DType::S1 | DType::U1)
        .then(|| format!("StableHLO has no elements of type `{dtype}`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_operation_has_a_call() {
        for operation in CLASSES.iter().copied().flatten() {
            for name in operation.names {
                let call = usage(name).unwrap_or_default();
                let written = call.split_once('(').map(|(written, _)| written);
                assert!(
                    written.is_some_and(|written| operation.names.contains(&written)),
                    "{name}"
                );
            }
        }
        assert_eq!(usage("add").as_deref(), Some("add(x, y)"));
        assert_eq!(usage("exponential").as_deref(), Some("exponential(x)"));
        assert_eq!(usage("frobnicate"), None);
    }
}
