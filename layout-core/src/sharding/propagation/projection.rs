//! Converts shardings of dimensions to shardings of factors, and back.

use super::super::axis::{Axis, AxisList, product};
use super::super::mesh::Mesh;
use super::super::rule::{FactorKind, OpShardingRule, TensorMapping};
use super::resolved::{Resolved, ResolvedDim};
use alloc::vec::Vec;

/// The sharding of one factor in one tensor.
#[derive(Clone, Debug, Default)]
pub(super) struct FactorSharding {
    /// Whether the tensor has the factor, and its axes could be assigned up to this factor.
    pub(super) present: bool,
    pub(super) closed: bool,
    /// Whether it is the last factor of its dimension.
    pub(super) minor_most: bool,
    pub(super) axes: AxisList,
    /// Axes of the dimension that divide neither this factor nor those after it.
    pub(super) overflow: AxisList,
}

/// The shardings of all factors of an operation. Rows are operands, then results; columns are factors.
#[derive(Debug, Default)]
pub(super) struct Projection {
    cells: Vec<FactorSharding>,
    /// For each tensor, the axes that must not split it: first the replicated axes, then the unreduced ones.
    forbidden: Vec<AxisList>,
    pub(super) tensors: usize,
    pub(super) operands: usize,
    pub(super) factors: usize,
}

/// Appends an axis; merges it with the last one if that is the sub-axis before it.
pub(crate) fn push_or_merge(axes: &mut AxisList, axis: Axis, mesh: &Mesh) {
    match axes.last_mut() {
        Some(last) if last.can_merge(axis) => {
            *last = last.merge(axis, mesh.size_of(axis.index()));
        }
        _ => axes.push(axis),
    }
}

/// Reads the axes of a dimension, starting with the most major one. A major part of an axis can be read separately.
struct AxisCursor<'a> {
    rest: &'a [Axis],
    /// The rest of the next axis.
    first: Option<Axis>,
}

impl<'a> AxisCursor<'a> {
    const fn new(axes: &'a [Axis]) -> Self {
        match axes.split_first() {
            Some((first, rest)) => Self { rest, first: Some(*first) },
            None => Self { rest: &[], first: None },
        }
    }

    fn advance(&mut self) {
        *self = Self::new(self.rest);
    }

    fn take_all(&mut self, axes: &mut AxisList, mesh: &Mesh) {
        while let Some(axis) = self.first {
            push_or_merge(axes, axis, mesh);
            self.advance();
        }
    }
}

pub(crate) const fn gcd(mut a: usize, mut b: usize) -> usize {
    while b > 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// The major part of an axis that splits a factor of which `left` is not split yet, and the rest of the axis. `None` if no part of
/// the axis divides the factor. For `left` 6 and an axis of size 4, the two are `(1)2` and `(2)2`.
pub(crate) const fn part_for(left: usize, axis: Axis) -> Option<(Axis, Option<Axis>)> {
    let common = gcd(left, axis.size());
    if axis.size() == 1 || axis.size() == common {
        return Some((axis, None));
    }
    if common == 1 {
        return None;
    }
    let rest = axis.part(axis.pre() * common, axis.size() / common);
    Some((axis.part(axis.pre(), common), Some(rest)))
}

impl Projection {
    /// Projects the shardings of all tensors of an operation.
    ///
    /// A dimension with the factors `i=2` and `j=4`, split along `"a"=4`, shards `i` along `"a":(1)2` and `j` along `"a":(2)2`. If
    /// `i` has size 3, no part of `"a"` divides it: `"a"` is the overflow of `i`, and `j` is not sharded.
    pub(super) fn fill<'a>(
        &mut self,
        rule: &OpShardingRule,
        shardings: impl Iterator<Item = Option<&'a Resolved>>,
        mesh: &Mesh,
    ) {
        self.operands = rule.operands.len();
        self.tensors = self.operands + rule.results.len();
        self.factors = rule.factors.len();
        let count = self.tensors * self.factors;
        if self.cells.len() < count {
            self.cells.resize(count, FactorSharding::default());
            self.forbidden.resize(self.tensors, AxisList::new());
        }
        for cell in &mut self.cells[..count] {
            if cell.present {
                cell.present = false;
                cell.axes.clear();
                cell.overflow.clear();
            }
        }
        if self.forbidden.len() < self.tensors {
            self.forbidden.resize(self.tensors, AxisList::new());
        }
        for (tensor, (mapping, sharding)) in rule.tensors().zip(shardings).enumerate() {
            self.forbidden[tensor].clear();
            if let Some(sharding) = sharding {
                self.forbidden[tensor].extend_from_slice(&sharding.replicated);
                self.forbidden[tensor].extend_from_slice(&sharding.unreduced);
            }
            for dim in 0..mapping.rank() {
                let (axes, closed) = match sharding.and_then(|sharding| sharding.dims.get(dim)) {
                    Some(dim) => (&dim.axes[..], dim.closed),
                    None => (&[][..], false),
                };
                self.project(rule, tensor, mapping.dim(dim), axes, closed, mesh);
            }
        }
    }

    fn project(
        &mut self,
        rule: &OpShardingRule,
        tensor: usize,
        factors: impl ExactSizeIterator<Item = usize>,
        axes: &[Axis],
        closed: bool,
        mesh: &Mesh,
    ) {
        let mut cursor = AxisCursor::new(axes);
        let mut overflowed = false;
        let last = factors.len().saturating_sub(1);
        for (at, factor) in factors.enumerate() {
            let cell = &mut self.cells[tensor * self.factors + factor];
            cell.present = true;
            cell.minor_most = at == last;
            cell.closed = closed || overflowed;
            if overflowed {
                // The factors after this one have no axes.
                break;
            }
            if cell.minor_most {
                cursor.take_all(&mut cell.axes, mesh);
                break;
            }
            let mut left = rule.factors[factor].size;
            while let Some(axis) = cursor.first {
                let Some((part, rest)) = part_for(left, axis) else { break };
                cell.axes.push(part);
                left /= part.size();
                match rest {
                    Some(rest) => cursor.first = Some(rest),
                    None => cursor.advance(),
                }
            }
            if left > 1 && cursor.first.is_some() {
                cursor.take_all(&mut cell.overflow, mesh);
                overflowed = true;
            }
        }
    }

    pub(super) fn cell(&self, tensor: usize, factor: usize) -> &FactorSharding {
        &self.cells[tensor * self.factors + factor]
    }

    /// The factors of a tensor.
    pub(super) fn row(&self, tensor: usize) -> &[FactorSharding] {
        &self.cells[tensor * self.factors..][..self.factors]
    }

    pub(super) fn forbidden(&self, tensor: usize) -> &[Axis] {
        &self.forbidden[tensor]
    }

    /// Shards a factor of a tensor along `axes` if they extend its sharding. Returns whether they do.
    pub(super) fn expand(&mut self, tensor: usize, factor: usize, axes: &[Axis]) -> bool {
        let cell = &mut self.cells[tensor * self.factors + factor];
        let expands = cell.present && is_strict_prefix(&cell.axes, axes);
        if expands {
            cell.axes = axes.into();
        }
        expands
    }

    /// Replaces the axes of a factor of a tensor by `axes`.
    pub(super) fn set(&mut self, tensor: usize, factor: usize, axes: &[Axis]) {
        self.cells[tensor * self.factors + factor].axes = axes.into();
    }

    /// Shards every factor along its axes in every tensor that has it. Returns the tensors that this changes.
    pub(super) fn set_all(&mut self, axes: &[AxisList]) -> Vec<usize> {
        let mut changed = Vec::new();
        for tensor in 0..self.tensors {
            let cells = &mut self.cells[tensor * self.factors..][..self.factors];
            let present = cells.iter_mut().zip(axes).filter(|(cell, _)| cell.present);
            let differing = present.filter(|(cell, axes)| cell.axes != **axes);
            let mut count = 0;
            for (cell, axes) in differing {
                cell.axes.clone_from(axes);
                count += 1;
            }
            if count > 0 {
                changed.push(tensor);
            }
        }
        changed
    }

    /// Shards some operands in the same way as the other tensors. Along a factor that no other tensor has, an operand keeps the
    /// axes that shard no other factor.
    pub(super) fn adapt(&mut self, rule: &OpShardingRule, operands: &[usize]) {
        for factor in 0..self.factors {
            let fixed = (0..self.tensors)
                .filter(|tensor| !operands.contains(tensor))
                .map(|tensor| self.cell(tensor, factor))
                .find(|cell| cell.present)
                .map(|cell| cell.axes.clone());
            let whole = rule.factors[factor].kind == FactorKind::NeedReplication;
            let free = || {
                let first = operands.iter().map(|&operand| self.cell(operand, factor));
                let mut axes =
                    first.filter(|cell| cell.present).map(|cell| cell.axes.clone()).next()?;
                let others = (0..self.tensors).filter(|tensor| !operands.contains(tensor));
                let used: Vec<_> = others.flat_map(|tensor| self.row(tensor)).collect();
                axes.retain(|axis| {
                    !whole
                        && !used
                            .iter()
                            .any(|cell| cell.axes.iter().any(|other| other.overlaps(*axis)))
                });
                Some(axes)
            };
            let Some(axes) = fixed.or_else(free) else { continue };
            for &operand in operands {
                let cell = &mut self.cells[operand * self.factors + factor];
                cell.overflow.clear();
                if cell.present {
                    cell.axes.clone_from(&axes);
                }
            }
        }
    }

    /// The sharding of a tensor, computed from the shardings of its factors.
    pub(super) fn back(
        &self,
        rule: &OpShardingRule,
        tensor: usize,
        mapping: &TensorMapping,
        old: Option<&Resolved>,
        mesh: (usize, &Mesh),
    ) -> Resolved {
        let (number, mesh) = mesh;
        let dims = (0..mapping.rank()).map(|dim| {
            let mut made = ResolvedDim::default();
            for factor in mapping.dim(dim) {
                let cell = self.cell(tensor, factor);
                made.closed |= cell.closed;
                append(&mut made.axes, &cell.axes, mesh);
                if !cell.overflow.is_empty() {
                    append(&mut made.axes, &cell.overflow, mesh);
                    break;
                }
                // The axes of the next factor would not be contiguous.
                if product(&cell.axes) < rule.factors[factor].size {
                    break;
                }
            }
            made
        });
        let (replicated, unreduced, reduction) = match old {
            Some(old) => (old.replicated.clone(), old.unreduced.clone(), old.reduction),
            None => Default::default(),
        };
        Resolved { mesh: number, dims: dims.collect(), replicated, unreduced, reduction }
    }
}

/// Appends axes. Only the first of them can be the sub-axis after the last one.
fn append(axes: &mut AxisList, more: &[Axis], mesh: &Mesh) {
    if let Some((first, rest)) = more.split_first() {
        push_or_merge(axes, *first, mesh);
        axes.extend_from_slice(rest);
    }
}

/// Whether `longer` begins with `axes`, the last of which can be the major part of an axis of `longer`.
pub(super) fn is_prefix(axes: &[Axis], longer: &[Axis]) -> bool {
    let Some((last, before)) = axes.split_last() else { return true };
    longer.len() >= axes.len()
        && before == &longer[..before.len()]
        && last.is_prefix_of(longer[before.len()])
}

pub(super) fn is_strict_prefix(axes: &[Axis], longer: &[Axis]) -> bool {
    is_prefix(axes, longer) && axes != longer
}
