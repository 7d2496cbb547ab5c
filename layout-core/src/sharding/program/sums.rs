//! Partial sums: operands that must be summed over the devices before an operation runs, and results that need not be summed
//! yet.

use super::{Call, NamedValue, mesh_of};
use crate::sharding::axis::{Axis, AxisList, AxisRef};
use crate::sharding::check::mesh_order;
use crate::sharding::mesh::Mesh;
use crate::sharding::ops::{self, Bodies, PartialSums};
use crate::sharding::propagation::{Graph, push_or_merge};
use crate::sharding::reshard::align;
use crate::sharding::rule::FactorKind;
use crate::sharding::tensor::{Axes, ReductionOp, TensorSharding};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// The partial sums of an operation.
#[derive(Clone, Debug, Default)]
pub(super) struct Sums {
    /// Operands by number, and the axes over which they are summed before the operation.
    pub(super) before: Vec<(usize, Vec<AxisRef>)>,
    /// The axes over which the results are summed: the axes of reductions.
    pub(super) after: Vec<AxisRef>,
    /// The number of devices along `after`.
    pub(super) devices: u128,
    /// The axes along which complete values become partial sums.
    pub(super) made: Vec<AxisRef>,
}

/// Axes by name, in the order of the mesh.
fn written(mesh: &Mesh, axes: impl IntoIterator<Item = Axis>) -> Vec<AxisRef> {
    let mut axes: Vec<Axis> = axes.into_iter().collect();
    axes.sort_unstable_by_key(|axis| mesh_order(*axis));
    axes.dedup();
    let mut merged = AxisList::new();
    axes.into_iter().for_each(|axis| push_or_merge(&mut merged, axis, mesh));
    merged.into_iter().map(|axis| mesh.name(axis)).collect()
}

/// The axes along which the tensors of an operation are partial sums, cut so that any two axes that overlap are equal.
struct Cut {
    operands: Vec<Vec<Axis>>,
    /// How the devices combine their partial sums of each operand.
    reductions: Vec<ReductionOp>,
    results: Vec<Vec<Axis>>,
    /// The axes of reductions.
    reduced: Vec<Axis>,
}

impl Cut {
    fn new(
        mesh: &Mesh,
        operands: Vec<&TensorSharding>,
        results: Vec<&TensorSharding>,
        reduced: Vec<Axis>,
    ) -> Self {
        let count = operands.len();
        let reductions = operands.iter().map(|sharding| sharding.reduction).collect();
        let axes = |sharding: &&TensorSharding| -> Vec<Axis> {
            sharding.unreduced.iter().filter_map(|axis| mesh.resolve(axis)).collect()
        };
        let mut lists: Vec<_> = operands.iter().chain(&results).map(axes).collect();
        lists.push(reduced);
        let all = lists.concat();
        align(&mut lists, &all);
        let reduced = lists.pop().unwrap_or_default();
        let results = lists.split_off(count);
        Self { operands: lists, reductions, results, reduced }
    }

    /// The operands that are partial sums along an axis.
    fn along(&self, axis: Axis) -> Vec<usize> {
        let operands = self.operands.iter().enumerate();
        operands.filter(|(_, axes)| axes.contains(&axis)).map(|(at, _)| at).collect()
    }

    /// Whether the devices combine their partial sums of all these operands in the same way.
    fn combine_by(&self, reduction: ReductionOp, operands: &[usize]) -> bool {
        operands.iter().all(|operand| self.reductions[*operand] == reduction)
    }
}

/// The partial sums of an operation, some of whose operands have been resharded; the error is a description with help.
pub(super) fn sums(
    call: &Call,
    graph: &Graph,
    values: &[NamedValue],
    meshes: &[(String, Mesh)],
    resharded: &[(usize, TensorSharding)],
) -> Result<Sums, (String, String)> {
    let operands = call.operands.iter().enumerate().map(|(at, &value)| {
        let anew = resharded.iter().find(|(operand, _)| *operand == at);
        anew.map_or(&values[value].sharding, |(_, sharding)| sharding)
    });
    let operands: Vec<_> = operands.collect();
    let results: Vec<_> = call.results.iter().map(|&value| &values[value].sharding).collect();
    let unreduced = operands.iter().chain(&results).find(|own| !own.unreduced.is_empty());
    let rule = graph.rule(call.op);
    let mut kinds = (0..rule.factor_count()).map(|factor| rule.factor_kind(factor));
    if unreduced.is_none() && kinds.all(|kind| kind != FactorKind::Reduction) {
        return Ok(Sums::default());
    }
    let factors = graph.factor_axes(call.op, resharded);
    let (mesh, factors) = match (factors, unreduced) {
        (Some((mesh, factors)), _) => (mesh, factors),
        (None, Some(sharding)) => (mesh_of(meshes, sharding), Vec::new()),
        (None, None) => return Ok(Sums::default()),
    };
    let factors = factors.into_iter().enumerate();
    let reduced = factors.filter(|(at, _)| rule.factor_kind(*at) == FactorKind::Reduction);
    let reduced = reduced.flat_map(|(_, axes)| axes).collect();
    let cut = Cut::new(mesh, operands, results, reduced);
    let mut made = Vec::new();
    for (at, axes) in cut.results.iter().enumerate() {
        let reduction = values[call.results[at]].sharding.reduction;
        // The operation by which a reduction combines elements is known only later: `other_reduction` compares it.
        let reduces = reduction == ReductionOp::Sum || has_reducer(&call.name);
        for &axis in axes {
            let from = cut.along(axis);
            let is_kept =
                cut.combine_by(reduction, &from) && is_linear(call, values, (&from, reduction));
            let fits = cut.reduced.contains(&axis) && reduces || is_kept;
            let makes = call.partial == PartialSums::Created && from.is_empty();
            if makes {
                made.push(axis);
            } else if !fits || cut.results.iter().any(|other| !other.contains(&axis)) {
                let result = &values[call.results[at]].name;
                return Err(no_sum(call, result, &mesh.name(axis), from.is_empty()));
            }
        }
    }
    let kept = |axis: &Axis| cut.results.first().is_some_and(|kept| kept.contains(axis));
    let before = cut.operands.iter().enumerate().filter_map(|(at, axes)| {
        let summed = axes.iter().copied().filter(|axis| !kept(axis) || cut.reduced.contains(axis));
        let summed = written(mesh, summed);
        (!summed.is_empty()).then_some((at, summed))
    });
    let before = before.collect();
    let after: Vec<_> = cut.reduced.iter().copied().filter(|axis| !kept(axis)).collect();
    let devices = after.iter().map(|axis| axis.size() as u128).product();
    Ok(Sums { before, after: written(mesh, after), devices, made: written(mesh, made) })
}

/// Whether the operation has an attribute for the operation by which it combines elements.
fn has_reducer(name: &str) -> bool {
    ops::row(name).is_some_and(|operation| operation.bodies == Bodies::Reducer)
}

/// The reason why an operation does not compute the partial results that are written after it: it combines elements by
/// `reducer`, and the devices would combine them in another way.
pub(super) fn other_reduction(call: &Call, values: &[NamedValue]) -> Option<String> {
    let reducer = call.attributes.word("reducer", "add");
    let mut results = call.results.iter().map(|at| &values[*at]);
    let wrong = results.find(|value| {
        let own = &value.sharding;
        own.reduction.reducer() != reducer && !own.unreduced.is_empty()
    });
    wrong.filter(|_| has_reducer(&call.name)).map(|value| {
        let (name, by) = (&value.name, value.sharding.reduction.reducer());
        let how = match reducer {
            "" => "in another way".into(),
            reducer => format!("by `{reducer}`"),
        };
        format!("`{name}` is unreduced, to be combined by `{by}`, but the operation combines {how}")
    })
}

/// Whether the result of an operation is a partial sum if exactly these operands are partial sums, which devices combine by
/// `reduction`.
fn is_linear(
    call: &Call,
    values: &[NamedValue],
    (operands, reduction): (&[usize], ReductionOp),
) -> bool {
    let first = call.operands.first();
    first.is_some_and(|&first| {
        call.partial.allows(operands, call.operands.len(), values[first].dtype, reduction)
    })
}

fn no_sum(call: &Call, result: &str, axis: &AxisRef, none: bool) -> (String, String) {
    let name = &call.name;
    let axes = Axes(core::slice::from_ref(axis)).to_string();
    let message = format!(
        "`{result}` is unreduced along {{{axes}}}, but `{name}` does not produce partial sums along it"
    );
    let help = match none {
        true => format!("write `let y = reshard({result}) [..], unreduced={{{axes}}}` after it"),
        false => format!(
            "leave `unreduced={{{axes}}}` out: its operands are summed over {{{axes}}} first"
        ),
    };
    (message, help)
}
