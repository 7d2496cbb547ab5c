//! Conflicts: axes that a factor cannot have, and operations that cannot run on the shardings of their tensors.

use super::super::axis::{Axis, AxisList, product};
use super::super::rule::{Factor, FactorKind, OpShardingRule, symbol};
use super::projection::{Projection, gcd};
use alloc::format;
use alloc::string::{String, ToString};

/// The longest major part of `axis` along which the tensor is not sharded in any other factor.
pub(super) fn across(
    projection: &Projection,
    axis: Axis,
    tensor: usize,
    factor: usize,
) -> Option<Axis> {
    let mut axis = axis;
    for (other, cell) in projection.row(tensor).iter().enumerate() {
        if other != factor && cell.present {
            axis = axis.prefix_without_overlaps(&cell.overflow)?;
            axis = axis.prefix_without_overlaps(&cell.axes)?;
        }
    }
    Some(axis)
}

/// The longest major part of `axis` along which the factor of the tensor can be sharded, after axes of the size `before`.
pub(super) fn within(
    projection: &Projection,
    axis: Axis,
    tensor: usize,
    factor: usize,
    before: usize,
    size: usize,
) -> Option<Axis> {
    let axis = axis.prefix_without_overlaps(projection.forbidden(tensor))?;
    let cell = projection.cell(tensor, factor);
    if cell.axes.iter().any(|own| own.contains(axis)) {
        return Some(axis);
    }
    if !cell.closed && cell.overflow.is_empty() {
        if cell.minor_most {
            return Some(axis);
        }
        if before > 0 && size.is_multiple_of(before) {
            let common = gcd(size / before, axis.size());
            if common == axis.size() {
                return Some(axis);
            }
            if common != 1 {
                return Some(axis.part(axis.pre(), common));
            }
        }
    }
    cell.axes.last().copied().filter(|last| last.is_prefix_of(axis))
}

/// Cuts `axes` at the first axis that `keep` does not keep completely. `keep` gets the product of the axes before it.
pub(super) fn truncate(
    axes: &mut AxisList,
    conservative: bool,
    mut keep: impl FnMut(Axis, usize) -> Option<Axis>,
) {
    let mut before: usize = 1;
    for at in 0..axes.len() {
        let kept = keep(axes[at], before).filter(|kept| !conservative || kept.is_full());
        let Some(kept) = kept else {
            axes.truncate(at);
            return;
        };
        if kept != axes[at] {
            axes[at] = kept;
            axes.truncate(at + 1);
            return;
        }
        before = before.saturating_mul(kept.size());
    }
}

/// The reason why an operation cannot run on the shardings of its tensors: some of them would have to be resharded first.
///
/// ```
/// use tensor_layout::sharding::propagation::{ConflictKind, Graph, OpKind};
/// let mut graph = Graph::new("mesh", r#"<["a"=2]>"#.parse()?);
/// let (x, y) = (graph.argument(&[8]), graph.argument(&[8]));
/// let add = graph.op(OpKind::Elementwise, "([i], [i])->([i]) {i=8}".parse()?, &[x, y], &[&[8]])?;
/// graph.set_sharding(x, &r#"<@mesh, [{"a"}]>"#.parse()?)?;
/// graph.set_sharding(y, &r#"<@mesh, [{}]>"#.parse()?)?;
/// let conflict = graph.conflict(add).unwrap();
/// assert_eq!((conflict.kind, conflict.tensor, conflict.other), (ConflictKind::Different, 0, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Conflict {
    /// The kind of the conflict.
    pub kind: ConflictKind,
    /// The factor; the first one if there are two.
    pub factor: usize,
    /// A tensor that has the conflict, by number with operands before results.
    pub tensor: usize,
    /// The second tensor if two disagree; otherwise the same tensor.
    pub other: usize,
    /// The axes of the first tensor, as text.
    pub axes: String,
    /// The axes of the second tensor.
    pub other_axes: String,
}

/// Why an operation cannot run on the shardings of its tensors: the kind of a [`Conflict`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ConflictKind {
    /// The axes of a dimension divide none of its factors.
    Overflow,
    /// Two tensors are sharded differently along a factor.
    Different,
    /// A factor is sharded, but the operation needs the whole of it.
    NeedsReplication,
    /// An axis shards two factors; the second tensor has it on another factor.
    AxisTwice,
    /// Two tensors are on different meshes. The axes of the conflict are the names of the meshes.
    Meshes,
    /// A factor is padded and shares a dimension with others, so that a device has other elements of the factor in the other
    /// tensors. Or a result does not have the factor, and needs its elements on devices that have only padding. Shardy does not
    /// check this.
    Padded,
}

impl Conflict {
    /// A description of the conflict. `tensors` contains the names of the operands and results of the operation.
    pub fn message(&self, tensors: &[&str]) -> String {
        let name = |tensor: usize| tensors.get(tensor).copied().unwrap_or("?");
        let (factor, first, second) = (symbol(self.factor), name(self.tensor), name(self.other));
        let (axes, other) = (&self.axes, &self.other_axes);
        match self.kind {
            ConflictKind::Overflow => {
                format!(
                    "`{first}` is sharded along {{{axes}}}, which divides no factor of its dimension"
                )
            }
            ConflictKind::Different => {
                let along = |axes: &str| match axes {
                    "" => "not sharded".to_string(),
                    _ => format!("sharded along {{{axes}}}"),
                };
                let other = along(other);
                let other =
                    other.strip_prefix("sharded ").filter(|_| !axes.is_empty()).unwrap_or(&other);
                format!(
                    "factor {factor} is {} in `{first}`, but {other} in `{second}`",
                    along(axes)
                )
            }
            ConflictKind::NeedsReplication => {
                format!("factor {factor} must be whole, but `{first}` is sharded along {{{axes}}}")
            }
            ConflictKind::Meshes => {
                format!("`{first}` is on the mesh {axes}, but `{second}` is on {other}")
            }
            ConflictKind::Padded if self.tensor != self.other => format!(
                "{{{axes}}} does not divide factor {factor} of `{second}`, which `{first}` does not have: elements would move between devices"
            ),
            ConflictKind::Padded => format!(
                "{{{axes}}} does not divide factor {factor}, which shares a dimension of `{second}` with others: elements would move between devices"
            ),
            ConflictKind::AxisTwice => format!(
                "axis {{{axes}}} shards factor {factor} in `{first}`, and another factor in `{second}`"
            ),
        }
    }
}

/// A conflict whose axes have no names yet.
pub(super) struct Found {
    pub(super) kind: ConflictKind,
    pub(super) factor: usize,
    pub(super) tensors: [usize; 2],
    pub(super) axes: [AxisList; 2],
}

/// The first factor of an operation that would have to be padded, but cannot be. Either a tensor is split along a factor that
/// shares its dimension with others, so that a device has other elements of the factor in the other tensors. Or an operand is split
/// along a factor that no result has, such as a dimension of size 1 that a reshape drops, so that some devices have no elements to
/// compute with.
pub(super) fn padded(projection: &Projection, rule: &OpShardingRule) -> Option<Found> {
    for (tensor, mapping) in rule.tensors().enumerate() {
        for dim in (0..mapping.rank()).filter(|&dim| mapping.dim(dim).len() > 1) {
            for factor in mapping.dim(dim) {
                let cell = projection.cell(tensor, factor);
                let parts = product(&cell.axes);
                if cell.present && !rule.factors[factor].size.is_multiple_of(parts.max(1)) {
                    return Some(padded_factor(factor, [tensor; 2], &cell.axes));
                }
            }
        }
    }
    let results = projection.operands..projection.tensors;
    let lost = |factor: usize| {
        let Factor { size, kind, .. } = rule.factors[factor];
        let missing = results.clone().find(|&result| !projection.cell(result, factor).present)?;
        let reaches_one = results.clone().any(|result| projection.cell(result, factor).present);
        let is_split = |operand: &usize| {
            let cell = projection.cell(*operand, factor);
            cell.present && !size.is_multiple_of(product(&cell.axes).max(1))
        };
        let split = (0..projection.operands).find(is_split)?;
        let axes = &projection.cell(split, factor).axes;
        let passes = kind == FactorKind::PassThrough && !reaches_one;
        passes.then(|| padded_factor(factor, [missing, split], axes))
    };
    (0..projection.factors).find_map(lost)
}

fn padded_factor(factor: usize, tensors: [usize; 2], axes: &AxisList) -> Found {
    Found { kind: ConflictKind::Padded, factor, tensors, axes: [axes.clone(), AxisList::new()] }
}

/// The first conflict of an operation, if there is one.
pub(super) fn find(projection: &Projection, rule: &OpShardingRule) -> Option<Found> {
    let factors = 0..projection.factors;
    let cells = |factor: usize| {
        let cells =
            (0..projection.tensors).map(move |tensor| (tensor, projection.cell(tensor, factor)));
        cells.filter(|(_, cell)| cell.present)
    };
    for factor in factors.clone() {
        if let Some((tensor, cell)) = cells(factor).find(|(_, cell)| !cell.overflow.is_empty()) {
            let axes = [cell.overflow.clone(), AxisList::new()];
            return Some(Found {
                kind: ConflictKind::Overflow,
                factor,
                tensors: [tensor; 2],
                axes,
            });
        }
    }
    for factor in factors.clone() {
        let mut of_factor = cells(factor);
        let Some((tensor, first)) = of_factor.next() else { continue };
        if let Some((other, second)) = of_factor.find(|(_, cell)| cell.axes != first.axes) {
            let axes = [first.axes.clone(), second.axes.clone()];
            let kind = ConflictKind::Different;
            return Some(Found { kind, factor, tensors: [tensor, other], axes });
        }
        if rule.factors[factor].kind == FactorKind::NeedReplication && !first.axes.is_empty() {
            let axes = [first.axes.clone(), AxisList::new()];
            let kind = ConflictKind::NeedsReplication;
            return Some(Found { kind, factor, tensors: [tensor; 2], axes });
        }
    }
    // All tensors agree on each factor, so checking one of them is enough.
    for factor in factors.clone() {
        let Some((tensor, cell)) = cells(factor).next() else { continue };
        for second in factor + 1..projection.factors {
            let Some((other, second_cell)) = cells(second).next() else { continue };
            let mut pairs =
                cell.axes.iter().flat_map(|a| second_cell.axes.iter().map(move |b| (a, b)));
            if let Some((a, b)) = pairs.find(|(a, b)| a.overlaps(**b)) {
                let axes = [[*a].into_iter().collect(), [*b].into_iter().collect()];
                let kind = ConflictKind::AxisTwice;
                return Some(Found { kind, factor, tensors: [tensor, other], axes });
            }
        }
    }
    None
}
