//! Operations on arrays whose shapes and shardings rustc knows: whether devices can run them on only their local arrays, and how
//! the result is then split, in const evaluation.
//!
//! The factors are those of the rules in [`ops`](super::ops). Devices can run an operation on local arrays if every factor is
//! split along the same axes in all tensors that have it, and if factors that cannot be split are whole.

mod axes;
mod check;
mod factors;
mod message;
mod sizes;
#[cfg(test)]
mod tests;

use super::mesh::MeshAxis;
use super::ops::DotNumbers;
use super::tensor::{ReductionOp, TensorSharding};
use crate::dtype::DType;
pub use check::Split;
pub use message::Message;

/// An operation, with the numbers of dimensions on which its sharding rule depends.
#[derive(Clone, Copy, Debug)]
pub enum ShapedOp<'a> {
    /// A function of each element, of one operand or of two of the same size.
    Each,
    /// A function of all elements along a dimension, such as `softmax`.
    Along(usize),
    /// `dot_general`
    Dot(DotNumbers<'a>),
    /// `transpose`: dimension `i` of the result is dimension `permutation[i]`.
    Transpose(&'a [usize]),
    /// `broadcast_in_dim`: dimension `i` becomes dimension `to[i]`.
    Broadcast(&'a [usize]),
    /// `reduce` over these dimensions.
    Reduce(&'a [usize]),
    /// `reshape`
    Reshape,
    /// `dynamic_slice` and `slice`: the result is a part of the operand.
    Slice,
    /// `concatenate` of two operands along a dimension.
    Concatenate(usize),
    /// `gather` of the rows of the first operand whose numbers are the second one.
    Rows,
    /// `dynamic_update_slice`: the second operand is written over a part of the first.
    Update,
}

/// An operand or a result.
#[derive(Clone, Copy, Debug)]
pub struct ShapedTensor<'a> {
    /// The sizes of the whole array.
    pub dims: &'a [usize],
    /// How it is split.
    pub sharding: &'a TensorSharding,
}

/// An operation with its operands.
#[derive(Clone, Copy, Debug)]
pub struct ShapedCall<'a> {
    /// The name in messages. An operation of programs with this name says which partial sums it keeps.
    pub name: &'a str,
    /// What it does.
    pub op: ShapedOp<'a>,
    /// The axes of the mesh of all its tensors.
    pub mesh: &'a [MeshAxis],
    /// One operand or two.
    pub operands: &'a [ShapedTensor<'a>],
    /// The element type of the first operand.
    pub dtype: DType,
    /// How the elements of factors that the result does not have are combined.
    pub reduction: ReductionOp,
}

/// How devices get a result that is split as its type says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Finish {
    /// The local results are already split like this: devices exchange nothing.
    Local,
    /// Devices reshard the local results.
    Reshard,
}
