//! The texts of messages about operations, in const evaluation.

use super::axes::{Axes, DimAxes};
use super::{ShapedCall, ShapedOp};
use crate::sharding::axis::Axis;
use crate::sharding::mesh::MeshAxis;
use crate::sharding::tensor::ReductionOp;
use crate::text::TextOf;

/// Why an operation on shards does not compile, and what to write instead.
pub type Message = TextOf<900>;

impl ShapedCall<'_> {
    /// The start of a message.
    pub(super) const fn message(&self) -> Message {
        Message::new().str("`").str(self.name).str("`: ")
    }

    /// The name of a tensor in messages: operand 0 or 1, or tensor 2, the result.
    pub(super) const fn tensor_name(&self, tensor: usize) -> &'static str {
        match (tensor, self.op) {
            (2, _) => "the result",
            (0, ShapedOp::Rows) => "the table",
            (1, ShapedOp::Rows) => "the row numbers",
            (1, ShapedOp::Update) => "the update",
            (0, _) if self.operands.len() == 1 => "the operand",
            (0, ShapedOp::Update) => "the array",
            (0, _) => "the left operand",
            _ => "the right operand",
        }
    }

    /// Appends `dimension 1 of the left operand`.
    pub(super) const fn dim(&self, text: Message, tensor: usize, dim: usize) -> Message {
        text.str("dimension ").num(dim).str(" of ").str(self.tensor_name(tensor))
    }
}

/// Appends `{"x", "y":(1)2}`.
pub(super) const fn axes(mut text: Message, mesh: &[MeshAxis], axes: &Axes) -> Message {
    text = text.str("{");
    let mut at = 0;
    while at < axes.len {
        text = axis(text.str(if at > 0 { ", " } else { "" }), mesh, axes.items[at]);
        at += 1;
    }
    text.str("}")
}

const fn axis(text: Message, mesh: &[MeshAxis], axis: Axis) -> Message {
    let text = text.str("\"").str(mesh[axis.index()].constant_name()).str("\"");
    match axis.is_full() || axis.size() == mesh[axis.index()].size() {
        true => text,
        false => text.str(":(").num(axis.pre()).str(")").num(axis.size()),
    }
}

/// Appends `[{"x"}, {}], unreduced={"y"}`.
pub(super) const fn sharding(
    mut text: Message,
    mesh: &[MeshAxis],
    (dims, rank): (&DimAxes, usize),
    (unreduced, reduction): (&Axes, ReductionOp),
) -> Message {
    text = text.str("[");
    let mut dim = 0;
    while dim < rank {
        text = axes(text.str(if dim > 0 { ", " } else { "" }), mesh, &dims[dim]);
        dim += 1;
    }
    text = text.str("]");
    if unreduced.len == 0 {
        return text;
    }
    axes(text.str(", unreduced=").str(reduction.word()), mesh, unreduced)
}
