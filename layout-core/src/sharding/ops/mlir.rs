//! The text of operations in MLIR, and the pieces from which it is composed.

use super::attributes::Attributes;
use super::operation::TensorType;
use crate::dtype::{DType, Kind};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// How an operation is written in MLIR.
#[derive(Clone, Copy, Debug)]
pub(in crate::sharding) enum Mlir {
    /// The operation of the dialect `stablehlo` with this name, and the text that the function writes.
    StableHlo(&'static str, fn(&CallText<'_>) -> OpText),
    /// A custom call that carries the sharding rule, because StableHLO's operation needs more than a program contains, or does
    /// not exist.
    CustomCall,
    /// `sdy.sharding_constraint`
    Constraint,
    /// `sdy.propagation_barrier`
    Barrier,
}

/// The call that is being written.
pub(in crate::sharding) struct CallText<'a> {
    pub(in crate::sharding) operands: Vec<TensorType<'a>>,
    pub(in crate::sharding) results: Vec<TensorType<'a>>,
    pub(in crate::sharding) attributes: &'a Attributes,
    /// The name of the first result, without `%`; names inside of a region begin with it.
    pub(in crate::sharding) name: &'a str,
}

/// The parts of an operation other than its operands, results and sharding.
#[derive(Default)]
pub(in crate::sharding) struct OpText {
    /// `dimensions = array<i64: 0>`, in the order of the operation.
    pub(in crate::sharding) properties: String,
    /// ` ({ .. })`
    pub(in crate::sharding) region: String,
    /// Whether a scalar zero for each result follows the operands.
    pub(in crate::sharding) takes_zeros: bool,
}

impl OpText {
    /// An operation with only properties.
    pub(super) fn properties(properties: impl Into<String>) -> Self {
        Self { properties: properties.into(), ..Self::default() }
    }
}

/// The text of an operation with only operands.
pub(super) fn plain(_: &CallText<'_>) -> OpText {
    OpText::default()
}

impl CallText<'_> {
    /// The number after the operands.
    pub(super) fn number(&self) -> usize {
        self.attributes.number.unwrap_or(0)
    }

    /// `name = array<i64: 1, 0>`, from list `at`.
    pub(super) fn list(&self, name: &str, at: usize) -> String {
        array(name, self.attributes.numbers(at))
    }

    /// Two scalars for each result, and their types: `%y.lhs0`, `%y.rhs0`, `tensor<f32>`.
    pub(super) fn scalars(&self) -> Vec<[String; 3]> {
        let scalar = |(at, result): (usize, &TensorType<'_>)| {
            let [lhs, rhs] = ["lhs", "rhs"].map(|side| format!("%{}.{side}{at}", self.name));
            [lhs, rhs, tensor_type(result.dtype, &[])]
        };
        self.results.iter().enumerate().map(scalar).collect()
    }
}

/// `tensor<8x4xf32>`
pub(in crate::sharding) fn tensor_type(dtype: DType, dims: &[usize]) -> String {
    let dims: String = dims.iter().map(|size| format!("{size}x")).collect();
    format!("tensor<{dims}{}>", dtype.mlir_name())
}

/// The number zero of this element type.
pub(in crate::sharding) fn zero(dtype: DType) -> &'static str {
    match dtype.kind() {
        Kind::Pred => "false",
        Kind::Float => "0.0",
        Kind::Complex => "(0.0, 0.0)",
        Kind::Signed | Kind::Unsigned => "0",
    }
}

/// `1, 0`
pub(super) fn list<T: ToString>(numbers: &[T]) -> String {
    let numbers: Vec<_> = numbers.iter().map(ToString::to_string).collect();
    numbers.join(", ")
}

/// `name = array<i64: 1, 0>`, without a colon if there are no numbers.
pub(super) fn array<T: ToString>(name: &str, numbers: &[T]) -> String {
    let colon = if numbers.is_empty() { "" } else { ": " };
    format!("{name} = array<i64{colon}{}>", list(numbers))
}
