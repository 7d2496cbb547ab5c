//! The reshards that Shardy adds to a program after propagation, so that an operation runs on one set of axes.
//!
//! It does so for concatenations whose tensors have different shardings, and for the result of a dot product that gets the axes
//! of the contraction. The reshards of other operations are left to the compiler.

use super::super::axis::{Axis, AxisList, product};
use super::super::local::elements;
use super::super::mesh::Mesh;
use super::super::rule::{FactorKind, OpShardingRule};
use super::super::tensor::TensorSharding;
use super::graph::{Graph, Op};
use super::projection::{Projection, is_strict_prefix, push_or_merge};
use alloc::borrow::Cow;
use alloc::vec;
use alloc::vec::Vec;

/// Tensors of an operation, by number with operands before results, and the shardings that they need.
pub(crate) type Needed = Vec<(usize, TensorSharding)>;

/// Axes along which a factor could be sharded.
struct Candidate {
    factor: usize,
    axes: AxisList,
    /// The number of elements of all tensors that are sharded at least along these axes.
    elements: u128,
}

impl Graph {
    /// The shardings that the tensors of a concatenation need so that all tensors agree and the dimension along which they are
    /// joined is not split. Only tensors with other shardings are listed.
    ///
    /// Operands `[{"a"}, {}]` and `[{}, {"b"}]` that are joined along dimension 0 are read as `[{}, {"b", "a"}]`: the axis of the
    /// dimension that must not be split moves to the other dimension. `taken` contains the shardings of the operands, by number.
    pub(crate) fn concatenation_reshards(
        &self,
        op: Op,
        taken: &[(usize, TensorSharding)],
    ) -> Needed {
        let taken = self.resolved(op, taken);
        let Ok(Some((mut projection, mesh))) = self.project_with(op, &taken) else {
            return Vec::new();
        };
        let (name, mesh) = &self.meshes[mesh];
        let data = self.op_data(op);
        let dims: Vec<_> = data.tensors().map(|value| self.dims(value)).collect();
        let elements: Vec<u128> = dims.iter().map(|dims| elements(dims)).collect();
        let Some(axes) = common_axes(&projection, &data.rule, &elements, mesh) else {
            return Vec::new();
        };
        let differing = projection.set_all(&axes).into_iter().map(|tensor| {
            let mapping = data.rule.tensors().nth(tensor);
            let own = projection.back(&data.rule, tensor, mapping?, None, (0, mesh));
            Some((tensor, own.written(mesh, name.clone())))
        });
        differing.flatten().collect()
    }

    /// The sharding in which a dot product computes its result, if the result must then be resharded to its own sharding.
    ///
    /// For example, the contraction is split along `"x"`, and so is a dimension of the result that comes from an operand split
    /// along `"y"`. If the product is computed with that dimension split along `"y"`, more devices work in parallel, and the result
    /// that is resharded is not larger than the operand that would be resharded otherwise.
    pub(crate) fn dot_reshard(
        &self,
        op: Op,
        taken: &[(usize, TensorSharding)],
    ) -> Option<TensorSharding> {
        let taken = self.resolved(op, taken);
        let (mut projection, mesh) = self.project_with(op, &taken).ok()??;
        let data = self.op_data(op);
        self.held(*data.results.first()?)?;
        let (name, mesh) = &self.meshes[mesh];
        let elements = |value| elements(self.dims(value));
        let sizes = [elements(data.operands[0]), elements(data.operands[1])];
        let result = elements(data.results[0]);
        let (mut conflict, mut contracted, mut free) = (None, AxisList::new(), AxisList::new());
        for factor in 0..projection.factors {
            let [left, right, out] = [0, 1, 2].map(|tensor| projection.cell(tensor, factor));
            let (axes, largest) = match (left.present, right.present) {
                (true, true) => {
                    if left.axes != right.axes {
                        return None;
                    }
                    if data.rule.factors[factor].kind == FactorKind::Reduction {
                        contracted.extend_from_slice(&left.axes);
                        continue;
                    }
                    (&left.axes, sizes[0].max(sizes[1]))
                }
                (is_left, _) => {
                    let (axes, size) =
                        if is_left { (&left.axes, sizes[0]) } else { (&right.axes, sizes[1]) };
                    if axes.iter().any(|axis| free.iter().any(|other| other.overlaps(*axis))) {
                        return None;
                    }
                    free.extend_from_slice(axes);
                    (axes, size)
                }
            };
            if out.axes != *axes {
                if axes.is_empty() || conflict.is_some() || result > largest {
                    return None;
                }
                conflict = Some((factor, axes.clone()));
            }
        }
        let (factor, axes) = conflict?;
        let own = &projection.cell(2, factor).axes;
        if own.is_empty() || *own != contracted {
            return None;
        }
        projection.set(2, factor, &axes);
        let mapping = data.rule.results.first()?;
        let own = projection.back(&data.rule, 2, mapping, None, (0, mesh));
        Some(own.written(mesh, name.clone()))
    }
}

/// The axes of each factor with which an operation moves little data; `None` if its tensors agree. Factors must not share
/// dimensions.
fn common_axes(
    projection: &Projection,
    rule: &OpShardingRule,
    elements: &[u128],
    mesh: &Mesh,
) -> Option<Vec<AxisList>> {
    super::conflict::find(projection, rule)?;
    let mut chosen = vec![AxisList::new(); projection.factors];
    let mut candidates = candidates(projection, elements);
    let kind = |factor: usize| match rule.factors[factor].kind {
        FactorKind::PassThrough => 3,
        FactorKind::Reduction => 2,
        FactorKind::Permutation => 1,
        FactorKind::NeedReplication => 0,
    };
    while let Some(best) = candidates.iter().max_by_key(|candidate| {
        let Candidate { factor, axes, elements } = candidate;
        // The factor by which the candidate splits further than the axes that its factor already has.
        let more = product(axes) / product(&chosen[*factor]);
        (*elements, kind(*factor), more, *factor, axes.len(), names(axes, mesh))
    }) {
        let (factor, axes) = (best.factor, best.axes.clone());
        chosen[factor].clone_from(&axes);
        candidates.retain_mut(|candidate| {
            if candidate.factor == factor {
                return is_strict_prefix(&axes, &candidate.axes);
            }
            super::conflict::truncate(&mut candidate.axes, false, |axis, _| {
                axis.prefix_without_overlaps(&axes)
            });
            candidate.axes != chosen[candidate.factor]
        });
    }
    // Axes of a factor that must not be split move to other factors whose size they divide.
    let whole = |factor: &usize| rule.factors[*factor].kind == FactorKind::NeedReplication;
    for from in (0..projection.factors).filter(whole) {
        let moved = core::mem::take(&mut chosen[from]);
        let mut moved = moved.iter().copied().peekable();
        for (to, axes) in chosen.iter_mut().enumerate() {
            let parts = product(axes);
            let size = rule.factors[to].size;
            if whole(&to) || size == 0 || !size.is_multiple_of(parts) {
                continue;
            }
            let mut left = size / parts;
            while let Some(axis) = moved.next_if(|axis| left.is_multiple_of(axis.size())) {
                left /= axis.size();
                push_or_merge(axes, axis, mesh);
            }
        }
    }
    Some(chosen)
}

/// The axes of each factor in each tensor, and all prefixes of these.
fn candidates(projection: &Projection, elements: &[u128]) -> Vec<Candidate> {
    let mut candidates: Vec<Candidate> = Vec::new();
    for tensor in 0..projection.tensors {
        for factor in 0..projection.factors {
            let axes = &projection.cell(tensor, factor).axes;
            for length in 1..=axes.len() {
                let axes: AxisList = axes[..length].into();
                let is_new = |other: &Candidate| other.factor != factor || other.axes != axes;
                if candidates.iter().all(is_new) {
                    candidates.push(Candidate { factor, axes, elements: 0 });
                }
            }
        }
    }
    for candidate in &mut candidates {
        for (tensor, elements) in elements.iter().enumerate() {
            let axes = &projection.cell(tensor, candidate.factor).axes;
            if *axes == candidate.axes || is_strict_prefix(&candidate.axes, axes) {
                candidate.elements = candidate.elements.saturating_add(*elements);
            }
        }
    }
    candidates
}

/// Axes in Shardy's order: by name, then by the position at which they begin.
fn names(axes: &[Axis], mesh: &Mesh) -> Vec<(Cow<'static, str>, usize, usize)> {
    axes.iter().map(|axis| (mesh.name(*axis).name, axis.pre(), axis.size())).collect()
}
