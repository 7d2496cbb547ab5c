//! The texts of messages about operations, in const evaluation.

use super::axes::{Axes, DimAxes, parts};
use super::factors::{Factors, of_dim};
use super::{ShapedCall, ShapedOp, ShapedTensor};
use crate::sharding::axis::Axis;
use crate::sharding::mesh::MeshAxis;
use crate::sharding::tensor::ReductionOp;
use crate::text::TextOf;

/// Why an operation on shards does not compile, and what to write instead.
pub type Message = TextOf<900>;

/// A value, or a message.
pub(super) type Checked<T> = Result<T, Message>;

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

    pub(super) const fn no_dim(&self, dim: usize, rank: usize) -> Message {
        let text = self.message().str("dimension ").num(dim).str(" does not exist: the rank is ");
        text.num(rank)
    }

    pub(super) const fn wrong_rank(&self, tensor: usize, rank: usize, expected: usize) -> Message {
        let text = self.message().str(self.tensor_name(tensor)).str(" has ");
        text.count(rank, "dimension").str(", expected ").num(expected)
    }

    pub(super) const fn does_not_fit(&self, dim: usize, result: &ShapedTensor<'_>) -> Message {
        let text = self.message().str("the sizes do not fit along dimension ").num(dim).str(": ");
        let text = text.str(self.tensor_name(0)).str(" has ").num(self.operands[0].dims[dim]);
        let text = match self.operands {
            [_, second] => text.str(", ").str(self.tensor_name(1)).str(" ").num(second.dims[dim]),
            _ => text,
        };
        text.str(", ").str(self.tensor_name(2)).str(" ").num(result.dims[dim])
    }

    pub(super) const fn not_divided(&self, tensor: usize, dim: usize) -> Message {
        let text = self.dim(self.message().str("the axes that split "), tensor, dim);
        let text = text.str(" do not divide the parts that it is reshaped into, so devices would ");
        text.str(
            "exchange elements\n\nhelp: reshard the operand first: `x.reshard::<X, _>(transport)`",
        )
    }

    pub(super) const fn not_whole(&self, tensor: usize, dim: usize, axes: &Axes) -> Message {
        let text = self.dim(self.message().str("devices need all of "), tensor, dim);
        let text = text.str(", which is split along ");
        let text = axes_text(text, self.mesh, axes);
        text.str("\n\nhelp: reshard it first, to a type that does not split this dimension: ")
            .str("`x.reshard::<X, _>(transport)`")
    }

    pub(super) const fn uneven(&self, tensor: usize, dim: usize, axes: &Axes) -> Message {
        let text = self.dim(self.message(), tensor, dim).str(" has size ");
        let text = text.num(self.operands[tensor].dims[dim]).str(", which ").num(parts(axes));
        text.str(" parts do not divide: the last device would combine padding with elements\n\n")
            .str("help: reshard it first, to a type that does not split this dimension")
    }

    /// Two operands split a factor in different ways.
    pub(super) const fn disagree(
        &self,
        factors: &Factors,
        at: usize,
        [(first, own), (second, other)]: &[(usize, Axes); 2],
    ) -> Message {
        let text = self.dim(self.message(), *first, of_dim(factors, at, *first)).str(" is ");
        let text = split_along(text, self, own).str(", but ");
        let text = self.dim(text, *second, of_dim(factors, at, *second)).str(" is ");
        let text = split_along(text, self, other);
        text.str("\n\nhelp: reshard one of them to the sharding of the other: ")
            .str("`x.reshard::<X, _>(transport)`")
    }

    pub(super) const fn not_contiguous(&self, dim: usize) -> Message {
        let text = self.message().str("the elements that a device has are not contiguous in ");
        self.dim(text, 2, dim).str(
            "\n\nhelp: reshard the operand first, so that only the first of the dimensions that are joined is split: \
             `x.reshard::<X, _>(transport)`",
        )
    }

    pub(super) const fn unreduced(&self, tensor: usize, unreduced: &Axes) -> Message {
        let text = self.message().str(self.tensor_name(tensor)).str(" is unreduced along ");
        let text = axes_text(text, self.mesh, unreduced);
        let text = text.str(", and the operation on its parts would not give parts of the result");
        text.str("\n\nhelp: reduce it first, to a type without `unreduced`: ")
            .str("`x.reshard::<X, _>(transport)`")
    }
}

/// Appends `{"x", "y":(1)2}`.
pub(super) const fn axes_text(mut text: Message, mesh: &[MeshAxis], axes: &Axes) -> Message {
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
        text = axes_text(text.str(if dim > 0 { ", " } else { "" }), mesh, &dims[dim]);
        dim += 1;
    }
    text = text.str("]");
    if unreduced.len == 0 {
        return text;
    }
    axes_text(text.str(", unreduced=").str(reduction.word()), mesh, unreduced)
}

/// Appends how a dimension is split.
const fn split_along(text: Message, call: &ShapedCall<'_>, axes: &Axes) -> Message {
    match axes.len {
        0 => text.str("whole on each device"),
        _ => axes_text(text.str("split along "), call.mesh, axes),
    }
}
