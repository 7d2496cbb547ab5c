//! Whether devices can run an operation on their local arrays, and how the result is then split.
#![allow(clippy::result_large_err, reason = "const evaluation has no heap for the messages")]

use super::axes::{
    self, Axes, DimAxes, NONE, append, as_set, items, overlapping, parts, resolved, same, same_list,
};
use super::factors::{DimSplit, Factors, is_of, of_dim, split_of};
use super::message::{self, Checked};
use super::{Finish, ShapedCall, ShapedOp, ShapedTensor};
use crate::parts::MAX_RANK;
use crate::sharding::axis::AxisRef;
use crate::sharding::mesh::Mesh;
use crate::sharding::ops::{PartialSums, partial_sums};
use crate::sharding::rule::FactorKind;
use crate::sharding::tensor::{DimSharding, MeshRef, ReductionOp, TensorSharding};
use alloc::vec::Vec;

/// How the result of an operation is split if devices run it on their local arrays and exchange nothing.
#[derive(Clone, Copy)]
pub struct Split {
    dims: DimAxes,
    rank: usize,
    unreduced: Axes,
    reduction: ReductionOp,
}

impl Split {
    /// The sharding, on a mesh with this name.
    pub fn sharding(&self, mesh: &Mesh, name: &'static str) -> TensorSharding {
        let named = |axes: &Axes| -> Vec<AxisRef> {
            axes.as_slice().iter().map(|axis| mesh.name(*axis)).collect()
        };
        let dim = |axes| DimSharding { axes: named(axes).into(), ..DimSharding::default() };
        let mesh_name = MeshRef::Name(name.into());
        let dims: Vec<_> = self.dims[..self.rank].iter().map(dim).collect();
        let mut sharding = TensorSharding::new(mesh_name, dims);
        sharding.unreduced = named(&self.unreduced).into();
        sharding.reduction = self.reduction;
        sharding
    }
}

impl ShapedCall<'_> {
    /// How the result is split, if the operation can run and its result can have the type `result`.
    ///
    /// # Errors
    /// What is wrong, and what to write instead.
    pub const fn split(&self, result: &ShapedTensor<'_>, finish: Finish) -> Checked<Split> {
        if let Err(message) = self.check_numbers(result) {
            return Err(message);
        }
        let factors = self.factors(result.dims);
        if let Err(message) = self.check_sizes(&factors, result) {
            return Err(message);
        }
        if let Err(message) = self.check_factors(&factors) {
            return Err(message);
        }
        let dims = self.result_dims(&factors, result);
        if let Err(message) = self.check_contiguous(&factors, &dims) {
            return Err(message);
        }
        let split =
            Split { dims, rank: result.dims.len(), unreduced: NONE, reduction: ReductionOp::Sum };
        let split = match self.with_unreduced(&factors, split) {
            Ok(split) => split,
            Err(message) => return Err(message),
        };
        if let Err(message) = self.check_once(&split) {
            return Err(message);
        }
        match self.check_result(&split, result, finish) {
            Ok(()) => Ok(split),
            Err(message) => Err(message),
        }
    }

    pub(super) const fn tensor<'a>(
        &'a self,
        at: usize,
        result: &'a ShapedTensor<'a>,
    ) -> &'a ShapedTensor<'a> {
        if at < 2 { &self.operands[at] } else { result }
    }

    /// Checks that all operands split each factor in the same way, and that they do not split factors that must be whole.
    const fn check_factors(&self, factors: &Factors) -> Checked<()> {
        let mut at = 0;
        while at < factors.len {
            let factor = factors.items[at];
            let mut first: Option<(usize, Axes)> = None;
            let mut tensor = 0;
            while tensor < self.operands.len() {
                if let Some(dim) = factor.dim(tensor) {
                    let split = self.split_of_operand(factors, tensor, at);
                    let axes = split.axes;
                    if !split.divides {
                        return Err(self.not_divided(tensor, dim));
                    }
                    if axes.len > 0 && self.needs_whole(factors, at) {
                        return Err(self.not_whole(tensor, dim, &axes));
                    }
                    if self.adds_padding(factors, at, &axes) {
                        return Err(self.uneven(tensor, dim, &axes));
                    }
                    match first {
                        Some((other, known)) if !same_list(&known, &axes) => {
                            let sides = [(other, known), (tensor, axes)];
                            return Err(self.disagree(factors, at, &sides));
                        }
                        _ => first = Some((tensor, axes)),
                    }
                }
                tensor += 1;
            }
            at += 1;
        }
        Ok(())
    }

    /// How an operand splits a factor.
    const fn split_of_operand(&self, factors: &Factors, tensor: usize, at: usize) -> DimSplit {
        let dim = of_dim(factors, at, tensor);
        let axes = axes_of_dim(self, &self.operands[tensor], dim);
        split_of(self, factors, tensor, &axes, at)
    }

    /// Checks that the parts of devices are contiguous in each dimension of the result: that its axes split each factor as
    /// those of the operands do.
    const fn check_contiguous(&self, factors: &Factors, dims: &DimAxes) -> Checked<()> {
        let mut at = 0;
        while at < factors.len {
            let factor = factors.items[at];
            if let Some(dim) = factor.result
                && (factor.operands[0].is_some() || factor.operands[1].is_some())
            {
                let tensor = if factor.operands[0].is_some() { 0 } else { 1 };
                let own = self.split_of_operand(factors, tensor, at);
                let made = split_of(self, factors, 2, &dims[dim], at);
                if !made.divides || !same_list(&own.axes, &made.axes) {
                    return Err(self.not_contiguous(dim));
                }
            }
            at += 1;
        }
        Ok(())
    }

    /// Whether devices need all of a factor, because of its kind or because its position in the result differs.
    const fn needs_whole(&self, factors: &Factors, at: usize) -> bool {
        let factor = factors.items[at];
        match factor.kind {
            FactorKind::NeedReplication | FactorKind::Permutation => true,
            FactorKind::PassThrough => factor.result.is_none(),
            FactorKind::Reduction => false,
        }
    }

    /// Whether the last devices would combine padding with elements.
    const fn adds_padding(&self, factors: &Factors, at: usize, axes: &Axes) -> bool {
        let factor = factors.items[at];
        matches!(factor.kind, FactorKind::Reduction)
            && !matches!(self.op, ShapedOp::Rows)
            && !factor.size.is_multiple_of(parts(axes))
    }

    /// The axes of each dimension of the result.
    const fn result_dims(&self, factors: &Factors, result: &ShapedTensor<'_>) -> DimAxes {
        let mut dims = [NONE; MAX_RANK];
        let mut dim = 0;
        while dim < result.dims.len() {
            let (mut at, mut is_new) = (0, true);
            while at < factors.len {
                if is_of(factors, at, 2, dim) {
                    let mut tensor = 0;
                    while tensor < self.operands.len() {
                        if factors.items[at].dim(tensor).is_some() {
                            let split = self.split_of_operand(factors, tensor, at);
                            dims[dim] = append(dims[dim], &split.axes, self.mesh);
                            is_new = false;
                            break;
                        }
                        tensor += 1;
                    }
                }
                at += 1;
            }
            // Each device creates its part of a dimension that no operand has.
            if is_new && matches!(self.op, ShapedOp::Broadcast(_)) {
                dims[dim] = axes_of_dim(self, result, dim);
            }
            dim += 1;
        }
        dims
    }

    /// The split with the axes along which the result is unreduced.
    const fn with_unreduced(&self, factors: &Factors, mut split: Split) -> Checked<Split> {
        let mut at = 0;
        while at < factors.len {
            if matches!(factors.items[at].kind, FactorKind::Reduction) {
                let mut tensor = 0;
                while tensor < self.operands.len() {
                    if factors.items[at].dim(tensor).is_some() {
                        let own = self.split_of_operand(factors, tensor, at);
                        split.unreduced = append(split.unreduced, &own.axes, self.mesh);
                        split.reduction = self.reduction;
                        break;
                    }
                    tensor += 1;
                }
            }
            at += 1;
        }
        let mut tensor = 0;
        while tensor < self.operands.len() {
            let own = &self.operands[tensor];
            let unreduced = resolved(self.mesh, items(&own.sharding.unreduced));
            let mut at = 0;
            while at < unreduced.len {
                split = match self.with_kept(tensor, at, &unreduced, split) {
                    Ok(split) => split,
                    Err(message) => return Err(message),
                };
                at += 1;
            }
            tensor += 1;
        }
        split.unreduced = as_set(split.unreduced, self.mesh);
        Ok(split)
    }

    /// The split whose result is unreduced along an axis of an operand, too.
    const fn with_kept(
        &self,
        tensor: usize,
        at: usize,
        unreduced: &Axes,
        mut split: Split,
    ) -> Checked<Split> {
        let axis = unreduced.items[at];
        let reduction = self.operands[tensor].sharding.reduction;
        let (mut partial, mut count, mut other) = ([0; 2], 0, 0);
        while other < self.operands.len() {
            let sharding = self.operands[other].sharding;
            let list = resolved(self.mesh, items(&sharding.unreduced));
            if let Some(found) = overlapping(&list, axis) {
                if !same(found, axis) || sharding.reduction as u8 != reduction as u8 {
                    return Err(self.unreduced(tensor, unreduced));
                }
                partial[count] = other;
                count += 1;
            }
            other += 1;
        }
        let sums = match self.op {
            ShapedOp::Reduce(_) if self.reduction as u8 != ReductionOp::Sum as u8 => {
                PartialSums::Never
            }
            _ => partial_sums(self.name),
        };
        let (partial, _) = partial.split_at(count);
        let allowed = sums.allows(partial, self.operands.len(), self.dtype, reduction);
        let clashes = split.unreduced.len > 0 && split.reduction as u8 != reduction as u8;
        if !allowed || clashes {
            return Err(self.unreduced(tensor, unreduced));
        }
        split.reduction = reduction;
        if partial[0] == tensor {
            split.unreduced = axes::push(split.unreduced, axis);
        }
        Ok(split)
    }

    /// Checks that no axis splits the result twice.
    const fn check_once(&self, split: &Split) -> Checked<()> {
        let (mut seen, mut list) = (NONE, 0);
        while list <= split.rank {
            let axes = if list < split.rank { &split.dims[list] } else { &split.unreduced };
            let mut at = 0;
            while at < axes.len {
                if overlapping(&seen, axes.items[at]).is_some() {
                    let text = self.message().str("both operands are split along axes of ");
                    let text = message::axes_text(text, self.mesh, axes);
                    let text = text.str(", in dimensions that do not belong together\n\nhelp: ");
                    return Err(text.str("reshard one of them: `x.reshard::<X, _>(transport)`"));
                }
                seen = axes::push(seen, axes.items[at]);
                at += 1;
            }
            list += 1;
        }
        Ok(())
    }

    /// Checks that the result is split as its type says, or can be resharded to that.
    const fn check_result(
        &self,
        split: &Split,
        result: &ShapedTensor<'_>,
        finish: Finish,
    ) -> Checked<()> {
        let (mut same_dims, mut dim) = (true, 0);
        let mut written = [NONE; MAX_RANK];
        while dim < split.rank {
            written[dim] = axes_of_dim(self, result, dim);
            same_dims &= same_list(&written[dim], &split.dims[dim]);
            dim += 1;
        }
        let unreduced = as_set(resolved(self.mesh, items(&result.sharding.unreduced)), self.mesh);
        let reduction = result.sharding.reduction;
        let same_reduction = unreduced.len == 0 || reduction as u8 == split.reduction as u8;
        let is_same = same_dims && same_list(&unreduced, &split.unreduced) && same_reduction;
        let can_follow = same_reduction && contains_all(&split.unreduced, &unreduced);
        if is_same || matches!(finish, Finish::Reshard) && can_follow {
            return Ok(());
        }
        let text = self.message().str("devices have a result that is split as ");
        let made = (&split.unreduced, split.reduction);
        let text = message::sharding(text, self.mesh, (&split.dims, split.rank), made);
        let text = text.str(", but its type says ");
        let (written, made) = ((&written, split.rank), (&unreduced, reduction));
        let text = message::sharding(text, self.mesh, written, made).str("\n\nhelp: ");
        Err(match (can_follow, &self.op) {
            (false, _) => {
                text.str("communication does not create partial results: leave `unreduced` out")
            }
            (true, ShapedOp::Dot(_) | ShapedOp::Reduce(_) | ShapedOp::Rows) => {
                text.str("`.on(transport)` in place of `.local()` exchanges what is missing")
            }
            (true, _) => text
                .str("write the first sharding in the type of the result, and reshard that: ")
                .str("`y.reshard::<Y, _>(transport)`"),
        })
    }
}

/// The axes of a dimension of a tensor in the written order, with consecutive parts merged.
const fn axes_of_dim(call: &ShapedCall<'_>, tensor: &ShapedTensor<'_>, dim: usize) -> Axes {
    let dims = items(&tensor.sharding.dims);
    if dim >= dims.len() {
        return NONE;
    }
    append(NONE, &resolved(call.mesh, items(&dims[dim].axes)), call.mesh)
}

/// Whether each axis of `part` is one of `whole`, or a part of one.
const fn contains_all(whole: &Axes, part: &Axes) -> bool {
    let mut at = 0;
    while at < part.len {
        match overlapping(whole, part.items[at]) {
            Some(axis) if axis.contains(part.items[at]) => {}
            _ => return false,
        }
        at += 1;
    }
    true
}
