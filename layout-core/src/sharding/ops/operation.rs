//! The description of one operation.

use super::elements::Elements;
use super::error::Result;
use super::execution::{Bodies, Effect, KernelTypes, Shifts};
use super::input::Input;
use super::mlir::Mlir;
use super::sums::PartialSums;
use crate::dtype::DType;
use crate::sharding::propagation::OpKind;
use crate::sharding::rule::OpShardingRule;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// Everything that is known about one operation. A row leaves out the fields that are equal to those of [`Operation::DEFAULT`].
pub(in crate::sharding) struct Operation {
    /// Its names in programs; `exp` and `exponential` are the same operation.
    pub(super) names: &'static [&'static str],
    /// An example of a call, for the help on calls with a mistake. Operations on each element need none, because their number of
    /// operands determines the call.
    pub(super) call: &'static str,
    /// The kind that propagation needs besides the rule.
    pub(in crate::sharding) kind: OpKind,
    /// The names of its attributes.
    pub(super) attributes: &'static [&'static str],
    /// Whether it has an array instead of operands, `constant(f32[8])`.
    pub(in crate::sharding) takes_array: bool,
    /// How the results and the rule follow from the operands and the attributes.
    pub(super) infer: Infer,
    /// Its effect on partial sums.
    pub(in crate::sharding) sums: PartialSums,
    /// Its text in MLIR.
    pub(in crate::sharding) mlir: Mlir,
    /// The elements that its kernel supports.
    pub(in crate::sharding) kernel: KernelTypes,
    /// Whether the kernel runs only in programs that were read from MLIR, because it needs more than the library's own text
    /// contains, such as how elements are combined or which devices exchange them.
    pub(in crate::sharding) only_imported: bool,
    /// Whether shards need only other types, if the rule lets the operation run on shards.
    pub(in crate::sharding) on_shards: bool,
    /// Along which dimensions it can move elements although its rule does not say so.
    pub(in crate::sharding) shifts: Shifts,
    /// Its effect besides its results.
    pub(in crate::sharding) effect: Effect,
    /// Its bodies.
    pub(in crate::sharding) bodies: Bodies,
    /// Whether it can be a step of a body.
    pub(in crate::sharding) is_step: bool,
    /// Whether it combines two elements in any order, so that reductions can use it.
    pub(in crate::sharding) combines: bool,
}

impl Operation {
    pub(super) const DEFAULT: Self = Self {
        names: &[],
        call: "",
        kind: OpKind::Other,
        attributes: &[],
        takes_array: false,
        infer: Infer::Each { operands: 0, elements: Elements::ANY, result: same_type },
        sums: PartialSums::Never,
        mlir: Mlir::CustomCall,
        kernel: KernelTypes::None,
        only_imported: false,
        on_shards: false,
        shifts: Shifts::None,
        effect: Effect::None,
        bodies: Bodies::None,
        is_step: false,
        combines: false,
    };

    /// Whether it has a kernel in programs of this kind.
    pub(in crate::sharding) const fn has_kernel(&self, is_imported: bool) -> bool {
        self.kernel.exists() && (is_imported || !self.only_imported)
    }

    /// The number of its operands, if it is an operation on each element of the library's own programs.
    pub(in crate::sharding) const fn arity(&self) -> Option<usize> {
        match self.infer {
            Infer::Each { operands, .. } if operands > 0 => Some(operands),
            _ => None,
        }
    }

    /// The operation with this kernel.
    pub(super) const fn with(self, kernel: KernelTypes) -> Self {
        Self { kernel, ..self }
    }

    /// The operation with this effect on partial sums.
    pub(super) const fn sums(self, sums: PartialSums) -> Self {
        Self { sums, ..self }
    }

    /// The operation, which can be a step of a body.
    pub(super) const fn step(self) -> Self {
        Self { is_step: true, ..self }
    }

    /// The operation, which can be a step of a body, and the whole body of a reduction.
    pub(super) const fn combines(self) -> Self {
        Self { is_step: true, combines: true, ..self }
    }

    /// How the operation is called under this name; `None` if there are many ways.
    pub(super) fn usage(&self, name: &str) -> Option<String> {
        match self.infer {
            _ if !self.call.is_empty() => Some(self.call.into()),
            Infer::Each { operands, .. } => {
                let operands = ["x", "y", "z"].get(..operands)?;
                Some(format!("{name}({})", operands.join(", ")))
            }
            Infer::By(_) => None,
        }
    }
}

/// How the results and the rule of an operation follow.
#[derive(Clone, Copy)]
pub(super) enum Infer {
    /// The operation works on each element of tensors of the same size and element type. `result` maps the element type of the
    /// operands to that of the result.
    Each { operands: usize, elements: Elements, result: fn(DType) -> DType },
    /// This function computes them.
    By(fn(&Input<'_>) -> Result<Inferred>),
}

impl Infer {
    /// One operand; the result has its size and element type.
    pub(super) const SAME: Self =
        Self::Each { operands: 1, elements: Elements::ANY, result: same_type };
}

/// The element type of a result that has the type of its operands.
pub(super) const fn same_type(dtype: DType) -> DType {
    dtype
}

/// A tensor without its elements: its element type and its dimensions. MLIR writes `tensor<8x4xf32>`, XLA `f32[8,4]`.
///
/// ```
/// use tensor_layout::DType;
/// use tensor_layout::sharding::ops::TensorType;
/// let x = TensorType::new(DType::BF16, &[64, 512]);
/// assert_eq!((x.dtype.bits(), x.dims), (16, &[64, 512][..]));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TensorType<'a> {
    /// The element type.
    pub dtype: DType,
    /// The size of each dimension.
    pub dims: &'a [usize],
}

impl<'a> TensorType<'a> {
    /// A tensor of this element type and size.
    pub const fn new(dtype: DType, dims: &'a [usize]) -> Self {
        Self { dtype, dims }
    }
}

/// The results and the rule of a call.
pub(in crate::sharding) struct Inferred {
    /// The size and the element type of each result.
    pub(in crate::sharding) results: Vec<(Vec<usize>, DType)>,
    /// `None` if nothing propagates through the call.
    pub(in crate::sharding) rule: Option<OpShardingRule>,
}

impl Inferred {
    /// A call with one result.
    pub(super) fn one(rule: OpShardingRule, dims: Vec<usize>, dtype: DType) -> Self {
        Self { results: alloc::vec![(dims, dtype)], rule: Some(rule) }
    }

    /// A call with several results.
    pub(super) const fn several(rule: OpShardingRule, results: Vec<(Vec<usize>, DType)>) -> Self {
        Self { results, rule: Some(rule) }
    }
}
