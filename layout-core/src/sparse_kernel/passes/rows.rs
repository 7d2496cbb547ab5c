//! Runs several kernels in one outermost loop: each iteration computes a row of each kernel, in order, so that only one row exists
//! of the arrays that they compute for one another.
//!
//! ```text
//!                                                      for i in 0..size(i) {
//! for i in 0..size(i) {                                    let mut e = [identity; s.level1[i].len()];
//!     for (p_s, j) in s.level1[i] { e[p_s] = ..; }         for (p_s, j) in s.level1[i] { e[p_s] = ..; }
//! }                                                        let mut most = [identity; 1];
//! for i in 0..size(i) {                           ->       let mut most_sum = identity;
//!     let mut most_sum = identity;                         for (p_e, j) in s.level1[i] { most_sum = max(most_sum, e[p_e]); }
//!     for (p_e, j) in e.level1[i] { .. }                   most[i] = most_sum;
//!     most[i] = most_sum;                              }
//! }
//! ```
//!
//! Each row is computed as in separate loops, so the results are the same bit for bit.

use super::super::ir::*;
use super::encoding;
use super::finish::overwrites;
use super::parallel::{above, has_values_by_rows, row, rows_of_an_iteration};
use crate::sparse::Properties;
use alloc::collections::BTreeMap;
use alloc::vec::Vec;

/// The outermost loop of a kernel.
pub(in super::super) struct RowLoop<'k> {
    var: Var,
    index: IndexId,
    body: &'k Body,
}

/// The outermost loop, if it is the whole kernel, and no two iterations write to the same row.
pub(in super::super) fn row_loop(kernel: &Kernel) -> Option<RowLoop<'_>> {
    let (var, to, body) = kernel.outermost()?;
    let Int::Size(index) = to else { return None };
    let output = &kernel.operands[kernel.output];
    let by_rows = match (&output.storage, kernel.result) {
        (Storage::Dense { rank: 1.. }, _) => true,
        (_, OutputMode::Pattern(of)) => has_plain_rows(kernel, of),
        _ => false,
    };
    let converted = |operand: &KernelOperand| matches!(operand.origin, Origin::Converted(_));
    let plain = kernel.workspaces.is_empty()
        && !kernel.operands.iter().any(|operand| operand.layout.is_some() || converted(operand));
    let first = kernel.output_shape.first() == Some(to);
    let own = rows_of_an_iteration(kernel, var, to, body) == Some(1);
    (by_rows && plain && first && own).then_some(RowLoop { var, index: *index, body })
}

/// Removes the fill of the output if the loops overwrite it.
pub(in super::super) fn leave_out_fill(kernel: &mut Kernel) {
    if overwrites(kernel) {
        kernel.body.retain(|stmt| *stmt != Stmt::Fill);
    }
}

impl RowLoop<'_> {
    /// Whether an iteration is more than a few statements, that is, contains a loop.
    pub(in super::super) fn is_nested(&self) -> bool {
        self.body.iter().any(|stmt| {
            stmt.any(&mut |stmt| {
                matches!(stmt, Stmt::Range { .. } | Stmt::Entries { .. } | Stmt::Gather { .. })
            })
        })
    }

    /// Whether each iteration reads only its own row of the operands in `made`, whose number of rows is the number of iterations.
    pub(in super::super) fn reads_rows(&self, kernel: &Kernel, made: &[OperandId]) -> bool {
        let as_long = |operand: &OperandId| {
            let is_it = |check: &SizeCheck| {
                (check.index, check.operand, check.dim) == (self.index, *operand, 0)
            };
            kernel.indices[self.index].size == Int::DimSize(*operand, 0)
                || kernel.size_checks.iter().any(is_it)
        };
        let indexes = |check: &IndexCheck| made.contains(&check.operand);
        let stored = |operand: &OperandId| match kernel.operands[*operand].storage {
            Storage::Dense { .. } => true,
            Storage::Sparse(_) => has_plain_rows(kernel, *operand),
            Storage::Scalar | Storage::Tiled { .. } => false,
        };
        let known = made.iter().all(|operand| as_long(operand) && stored(operand));
        if !known || kernel.index_checks.iter().any(indexes) {
            return false;
        }
        let mut reads = Reads { kernel, row: self.var, made, positions: Vec::new() };
        reads.block(self.body, &mut BTreeMap::new())
    }
}

/// Whether an operand is stored as rows of entries, each with one value.
fn has_plain_rows(kernel: &Kernel, operand: OperandId) -> bool {
    let plain = encoding(kernel, operand).is_some_and(|encoding| {
        let levels = encoding.levels();
        levels.len() == 2 && levels.iter().all(|level| level.properties == Properties::NONE)
    });
    plain && has_values_by_rows(kernel, operand)
}

/// The reads of the body of the outermost loop.
struct Reads<'k> {
    kernel: &'k Kernel,
    row: Var,
    made: &'k [OperandId],
    /// The positions of entries of the row.
    positions: Vec<(OperandId, Var)>,
}

impl Reads<'_> {
    /// Whether a block reads only the row. `lets` are the definitions of the variables.
    fn block(&mut self, block: &Body, lets: &mut BTreeMap<Var, Int>) -> bool {
        block.iter().all(|stmt| {
            let mut fits = self.stmt(stmt, lets);
            stmt.values(&mut |value| fits &= self.value(value, lets));
            stmt.blocks(&mut |inner| fits = fits && self.block(inner, lets));
            fits
        })
    }

    fn stmt(&mut self, stmt: &Stmt, lets: &mut BTreeMap<Var, Int>) -> bool {
        let is_made = |operand: &OperandId| self.made.contains(operand);
        match stmt {
            Stmt::Let { var, value } => {
                lets.insert(*var, value.inlined(lets));
                true
            }
            Stmt::Gather { vectors, .. } if vectors.iter().any(is_made) => false,
            Stmt::Entries { iter, .. } | Stmt::Gather { iter, .. } => self.entries(iter, lets),
            Stmt::Merge { iters, marked: Some(_), .. }
                if iters.iter().any(|iter| is_made(&iter.operand)) =>
            {
                false
            }
            Stmt::Merge { iters, .. } => iters.iter().all(|iter| self.entries(iter, lets)),
            Stmt::Find { operand, level, segment, position, end, .. } if is_made(operand) => {
                self.positions.push((*operand, *position));
                *level == 1 && end.is_none() && self.is_row(segment, lets)
            }
            Stmt::Vector { vector, at } => {
                let Vector { operand, len, .. } = self.kernel.vectors[*vector];
                let within =
                    len == VectorLen::One || self.kernel.operands[operand].storage.rank() > 1;
                !is_made(&operand) || within && self.is_at(operand, at, lets)
            }
            Stmt::Prefetch { of, .. } => !is_made(of),
            Stmt::PrefetchBelow { below: (of, _), .. } => !is_made(of),
            Stmt::Range { .. }
            | Stmt::Find { .. }
            | Stmt::Inside { .. }
            | Stmt::When { .. }
            | Stmt::Local { .. }
            | Stmt::Accumulate { .. }
            | Stmt::IfTouched { .. }
            | Stmt::Store { .. }
            | Stmt::IfDivides { .. }
            | Stmt::Panels { .. }
            | Stmt::Strips { .. }
            | Stmt::Lanes { .. }
            | Stmt::Add { .. }
            | Stmt::StoreLanes { .. } => true,
            Stmt::Append(_)
            | Stmt::Scatter { .. }
            | Stmt::Drain { .. }
            | Stmt::Fill
            | Stmt::ScatterSegment { .. }
            | Stmt::DrainSegment { .. }
            | Stmt::Union { .. } => false,
        }
    }

    /// Records the positions of a loop over entries. Returns whether they belong to the row.
    fn entries(&mut self, iter: &LevelIter, lets: &BTreeMap<Var, Int>) -> bool {
        if !self.made.contains(&iter.operand) {
            return true;
        }
        self.positions.push((iter.operand, iter.position));
        let plain = iter.level == 1 && iter.end.is_none() && iter.is_as_stored();
        plain && self.is_row(&iter.segment, lets)
    }

    fn is_row(&self, segment: &Segment, lets: &BTreeMap<Var, Int>) -> bool {
        above(segment, lets) == Some(Int::Var(self.row))
    }

    /// Whether a position belongs to the row.
    fn is_at(&self, operand: OperandId, at: &Int, lets: &BTreeMap<Var, Int>) -> bool {
        let at = at.inlined(lets);
        match &self.kernel.operands[operand].storage {
            Storage::Dense { rank } => row(&at, *rank, operand) == Some(&Int::Var(self.row)),
            _ => matches!(at, Int::Var(at) if self.positions.contains(&(operand, at))),
        }
    }

    fn value(&self, value: &Value, lets: &BTreeMap<Var, Int>) -> bool {
        let several = |value: &Value| matches!(value, Value::LoadSum { operand, .. } if self.made.contains(operand));
        let mut fits = !value.any(&several);
        value.loads(&mut |operand, at| {
            fits &= !self.made.contains(&operand) || self.is_at(operand, at, lets);
        });
        fits
    }
}
