//! The cost of loops, by which plans are compared. It assumes ten thousand values for every index, ten entries for each row of a
//! matrix, and so on: only orders of magnitude matter.
//!
//! For a product of a CSR matrix and a vector, the loop over the rows costs `0.3 * 10^4`, and the loop over the 10 entries of each
//! row `2 * 10^5`. The statements in these loops are added.

use super::ir::visit::Visitor;
use super::ir::*;
use crate::sparse::{LevelExpr, LevelFormat, SparseEncoding};
use alloc::vec::Vec;

const SIZE: f64 = 1e4;
const FILTER: f64 = 10.0;
/// The cost of sorting one entry.
const SORT: f64 = 60.0;

/// The cost of a kernel, in operations.
pub(super) fn cost(kernel: &Kernel) -> f64 {
    let mut cost = Cost {
        kernel,
        groups: alloc::vec![1.0; kernel.vars.len()],
        lets: alloc::vec![None; kernel.vars.len()],
        scattered: 0.0,
        total: 0.0,
    };
    for operand in &kernel.operands {
        if let Origin::Converted(from) = operand.origin
            && let Storage::Sparse(encoding) = &kernel.operands[from].storage
        {
            let last = encoding.levels().len() - 1;
            let dense = matches!(&operand.storage, Storage::Sparse(encoding)
                if encoding.levels()[0].format == LevelFormat::Dense);
            cost.total += SORT * cost.nodes(from, last).positions + if dense { SIZE } else { 0.0 };
        }
    }
    cost.block(&kernel.body, &Times { count: 1.0, inner: None });
    // Sizes in the statement can be so large that the cost is not a number.
    if cost.total.is_nan() { f64::INFINITY } else { cost.total }
}

/// The number of entries of a tensor.
fn entries(rank: usize) -> f64 {
    let mut entries = SIZE / 10.0;
    for _ in 1..rank {
        entries *= if entries < SIZE { 100.0 } else { 10.0 };
    }
    entries
}

struct Cost<'k> {
    kernel: &'k Kernel,
    /// The definitions of the variables.
    lets: Vec<Option<&'k Int>>,
    /// The number of positions in the group that starts at each variable.
    groups: Vec<f64>,
    /// The number of values that have been scattered to a workspace since it was last drained.
    scattered: f64,
    /// The cost so far.
    total: f64,
}

/// The number of times that something runs.
#[derive(Clone, Copy)]
struct Times {
    count: f64,
    /// The innermost loop over a range that contains it.
    inner: Option<Var>,
}

/// The number of positions of a level, and the number of groups of equal coordinates.
#[derive(Clone, Copy)]
struct Nodes {
    positions: f64,
    groups: f64,
}

impl<'k> Visitor<'k> for Cost<'k> {
    type Times = Times;

    fn stmt(&mut self, stmt: &'k Stmt, times: &Times) -> Vec<Option<Times>> {
        let Times { count, inner } = *times;
        let same = |count: f64| Some(Times { count, inner });
        let within = |count: f64| Some(Times { count, inner: None });
        let (own, blocks) = match stmt {
            Stmt::Let { var, value } => {
                self.lets[var.0] = Some(value);
                (0.1 * count, Vec::new())
            }
            Stmt::Local { .. } => (0.1 * count, Vec::new()),
            Stmt::Range { var, to, .. } => {
                let count = count * self.size(to);
                (0.3 * count, alloc::vec![Some(Times { count, inner: Some(*var) })])
            }
            Stmt::Entries { iter, .. } => {
                let count = count * self.visits(iter);
                (2.0 * count, alloc::vec![within(count)])
            }
            Stmt::Merge { iters, range, cases, .. } => {
                let (steps, counts) = self.merge(count, iters, range.as_ref(), cases);
                (count * steps, counts.into_iter().map(within).collect())
            }
            Stmt::Find { operand, level, segment, position, .. } => {
                let share = self.found((*operand, *level), segment, *position);
                (10.0 * count, alloc::vec![same(count * share), same(count * (1.0 - share))])
            }
            Stmt::Inside { .. } => (0.1 * count, alloc::vec![same(count), same(0.1 * count)]),
            Stmt::When { condition, .. } => {
                (self.value(condition, count, inner), alloc::vec![same(count)])
            }
            Stmt::IfTouched { .. } => (0.0, alloc::vec![same(count)]),
            Stmt::Accumulate { value, .. } => {
                (0.3 * count + self.value(value, count, inner), Vec::new())
            }
            Stmt::Store { at, value, .. } => {
                let own = self.touch(at, count, inner) + 0.3 * count;
                (own + self.value(value, count, inner), Vec::new())
            }
            Stmt::Append(Entry { value, .. }) => {
                let each = match self.kernel.result {
                    OutputMode::Collect { .. } => SORT,
                    _ => 3.0,
                };
                (each * count + self.value(value, count, inner), Vec::new())
            }
            Stmt::Scatter { value, .. } => {
                self.scattered += count;
                (3.0 * count + self.value(value, count, inner), Vec::new())
            }
            Stmt::Drain { workspace, .. } => {
                let size = self.size(&self.kernel.workspaces[*workspace].size);
                // Several values can have the same position.
                let visits = (core::mem::take(&mut self.scattered) / count / 4.0).min(size);
                (10.0 * count * visits, alloc::vec![within(count * visits)])
            }
            // Passes introduce these only after the plan has been chosen.
            Stmt::Fill
            | Stmt::IfDivides { .. }
            | Stmt::Panels { .. }
            | Stmt::Strips { .. }
            | Stmt::Lanes { .. }
            | Stmt::Add { .. }
            | Stmt::StoreLanes { .. }
            | Stmt::Vector { .. }
            | Stmt::Prefetch { .. }
            | Stmt::PrefetchBelow { .. }
            | Stmt::Gather { .. }
            | Stmt::ScatterSegment { .. }
            | Stmt::DrainSegment { .. }
            | Stmt::Union { .. } => (0.0, Vec::new()),
        };
        self.total += own;
        blocks
    }
}

impl Cost<'_> {
    fn value(&self, value: &Value, count: f64, inner: Option<Var>) -> f64 {
        match value {
            Value::Load { at, .. } | Value::Workspace { at, .. } => self.touch(at, count, inner),
            Value::Unary(_, a) => 0.3 * count + self.value(a, count, inner),
            Value::Binary(_, a, b) => {
                0.1 * count + self.value(a, count, inner) + self.value(b, count, inner)
            }
            Value::Select(a, b, c) => {
                [a, b, c].into_iter().map(|part| self.value(part, count, inner)).sum()
            }
            Value::Call(_, arguments) => {
                arguments.iter().map(|a| self.value(a, count, inner)).sum::<f64>() + count
            }
            Value::LoadSum { .. } => 2.0 * count,
            _ => 0.0,
        }
    }

    /// The cost of reading at a position, which can be far from the position of the last iteration, next to it, or the same.
    fn touch(&self, at: &Int, count: f64, inner: Option<Var>) -> f64 {
        count
            * match (inner, inner.and_then(|inner| self.stride(at, inner))) {
                (None, _) => 0.5,
                (Some(_), Some(0)) => 0.05,
                (Some(_), Some(1)) => 0.2,
                _ => 2.0,
            }
    }

    /// The number of steps of a merge that runs once, and the number of times that each case runs if the merge runs `count` times.
    fn merge(
        &mut self,
        count: f64,
        iters: &[LevelIter],
        range: Option<&Int>,
        cases: &[Case],
    ) -> (f64, Vec<f64>) {
        let visits: Vec<f64> = iters.iter().map(|iter| self.visits(iter)).collect();
        let sizes = iters.iter().map(|iter| self.coordinates(iter));
        let size = match range {
            Some(to) => self.size(to),
            None => sizes.fold(1.0, f64::max),
        };
        let steps = visits.iter().sum::<f64>() * 3.0 + range.map_or(0.0, |_| size);
        let case = |case: &Case| {
            let share = |(nth, present): (usize, &bool)| {
                let share = (visits[nth] / size).min(1.0);
                if *present { share } else { 1.0 - share }
            };
            let share: f64 = case.present.iter().enumerate().map(share).product();
            count * size * share
        };
        (steps, cases.iter().map(case).collect())
    }

    /// The share of searches for a coordinate in a level that find it. Records the number of positions that `position` starts.
    fn found(
        &mut self,
        (operand, level): (OperandId, usize),
        segment: &Segment,
        position: Var,
    ) -> f64 {
        let nodes = self.nodes(operand, level);
        let visits = match segment {
            Segment::Below(_) => nodes.groups / self.above(operand, level),
            Segment::Group(start, _) => self.groups[start.0],
        };
        self.groups[position.0] = nodes.positions / nodes.groups;
        (visits / self.level_size(operand, level)).clamp(0.001, 1.0)
    }

    /// The number of iterations of a loop over a level, for each iteration of the loops around it.
    fn visits(&mut self, iter: &LevelIter) -> f64 {
        let nodes = self.nodes(iter.operand, iter.level);
        let splits = iter.end.is_some() && nodes.groups == nodes.positions;
        let (positions, groups) = match iter.segment {
            Segment::Below(_) => {
                let above = self.above(iter.operand, iter.level);
                (nodes.positions / above, nodes.groups / above)
            }
            Segment::Group(start, _) => (self.groups[start.0], self.groups[start.0]),
        };
        let size = self.level_size(iter.operand, iter.level) / iter.digit.div as f64;
        let visits = match iter.end {
            None => positions,
            Some(_) if splits || iter.digit.div > 1 => groups.min(size).max(0.001),
            Some(_) => groups,
        };
        self.groups[iter.position.0] = (positions / visits).max(1.0);
        visits
    }

    /// The number of different coordinates that an iterator can yield.
    fn coordinates(&self, iter: &LevelIter) -> f64 {
        match iter.digit.size {
            Some(size) => size as f64,
            None => self.level_size(iter.operand, iter.level) / iter.digit.div as f64,
        }
    }

    fn encoding(&self, operand: OperandId) -> Option<&SparseEncoding> {
        match &self.kernel.operands[operand].storage {
            Storage::Sparse(encoding) => Some(encoding),
            _ => None,
        }
    }

    /// The number of entries of a sparse operand. Conversion does not change it.
    fn entries(&self, operand: OperandId, encoding: &SparseEncoding) -> f64 {
        match self.kernel.operands[operand].origin {
            Origin::Converted(from) => {
                let last = self.encoding(from).map_or(0, |encoding| encoding.levels().len() - 1);
                self.nodes(from, last).positions
            }
            _ => entries(encoding.rank()),
        }
    }

    /// The number of positions of the level above.
    fn above(&self, operand: OperandId, level: usize) -> f64 {
        match level.checked_sub(1) {
            Some(above) => self.nodes(operand, above).positions,
            None => 1.0,
        }
    }

    fn nodes(&self, operand: OperandId, level: usize) -> Nodes {
        let mut nodes = Nodes { positions: 1.0, groups: 1.0 };
        let Some(encoding) = self.encoding(operand) else { return nodes };
        let levels = encoding.levels();
        for (number, spec) in levels.iter().enumerate().take(level + 1) {
            let size = self.level_size(operand, number);
            // Blocks are assumed to be full.
            let below: f64 = levels[number + 1..]
                .iter()
                .zip(number + 1..)
                .filter(|(level, _)| level.format.is_full())
                .map(|(_, level)| self.level_size(operand, level))
                .product();
            let most = (self.entries(operand, encoding) / below).max(1.0);
            let positions = match spec.format {
                format if format.is_full() => nodes.positions * size,
                LevelFormat::Singleton => nodes.positions,
                LevelFormat::Structured { n, .. } => nodes.positions * n as f64,
                _ if spec.properties.nonunique => most,
                _ => (nodes.positions * size).min(most).max(nodes.positions.min(most)),
            };
            nodes = Nodes { positions, groups: (nodes.groups * size).min(positions) };
        }
        nodes
    }

    fn level_size(&self, operand: OperandId, level: usize) -> f64 {
        match self.encoding(operand).map(|encoding| &encoding.levels()[level].expr) {
            Some(LevelExpr::Part { modulus: Some(modulus), .. }) => *modulus as f64,
            Some(LevelExpr::Part { form, div, .. }) => {
                form.terms() as f64 * (SIZE / *div as f64).max(1.0)
            }
            Some(LevelExpr::Count { slots, .. }) => *slots as f64,
            None => SIZE,
        }
    }

    fn size(&self, int: &Int) -> f64 {
        match int {
            // An index of size zero costs as much as one of size one.
            Int::Const(number) => (*number as f64).max(1.0),
            Int::Size(index) => match &self.kernel.indices[*index].size {
                Int::Const(size) => (*size as f64).max(1.0),
                _ if self.is_filter(*index) => FILTER,
                _ => SIZE,
            },
            Int::LevelSize(operand, level) => self.level_size(*operand, *level),
            Int::Add(a, b) => self.size(a) + self.size(b),
            Int::Sub(a, _) => self.size(a),
            Int::Mul(a, b) => self.size(a) * self.size(b),
            Int::Div(a, b) => {
                let all = match &**a {
                    // Rounding up must not make blocks cost more than the same entries one by one.
                    Int::Add(a, up) if **up == Int::Const(b - 1) => a,
                    _ => a,
                };
                (self.size(all) / *b as f64).max(1.0)
            }
            Int::Rem(_, b) => *b as f64,
            Int::Max(a, b) => self.size(a).max(self.size(b)),
            Int::Var(_) | Int::DimSize(..) | Int::LevelLeast(..) => SIZE,
            Int::Offset(..) | Int::Element(..) => SIZE,
        }
    }

    /// Whether another index is added to this one in a subscript, as in a convolution.
    fn is_filter(&self, index: IndexId) -> bool {
        let indices = &self.kernel.indices;
        let size = &indices[index].size;
        indices.iter().any(|other| other.size != *size && mentions(&other.size, size))
    }

    /// The number that one step of `var` adds; `None` if it is not known or more than 1.
    fn stride(&self, int: &Int, var: Var) -> Option<i64> {
        let still = |a: &Int| self.stride(a, var) == Some(0);
        match int {
            Int::Var(other) if *other == var => Some(1),
            Int::Var(other) => self.lets[other.0].map_or(Some(0), |value| self.stride(value, var)),
            Int::Add(a, b) => {
                let sum = self.stride(a, var)?.checked_add(self.stride(b, var)?)?;
                (sum <= 1).then_some(sum)
            }
            Int::Sub(a, b) => still(b).then(|| self.stride(a, var)).flatten(),
            Int::Mul(a, b) | Int::Max(a, b) => (still(a) && still(b)).then_some(0),
            Int::Div(a, _) | Int::Rem(a, _) | Int::Element(_, a) => still(a).then_some(0),
            // The last dimension is contiguous, or nearly so.
            Int::Offset(operand, dim, a) => {
                let last = dim + 1 == self.kernel.operands[*operand].storage.rank();
                if last { self.stride(a, var) } else { still(a).then_some(0) }
            }
            _ => Some(0),
        }
    }
}

/// Whether a size is computed from another size.
fn mentions(int: &Int, size: &Int) -> bool {
    if int == size {
        return true;
    }
    match int {
        Int::Add(a, b) | Int::Sub(a, b) | Int::Mul(a, b) | Int::Max(a, b) => {
            mentions(a, size) || mentions(b, size)
        }
        Int::Div(a, _) | Int::Rem(a, _) | Int::Offset(_, _, a) | Int::Element(_, a) => {
            mentions(a, size)
        }
        _ => false,
    }
}
