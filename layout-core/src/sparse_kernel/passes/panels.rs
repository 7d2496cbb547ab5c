//! Products of a sparse matrix, with blocks or with some columns of each group, and a dense matrix: the macro computes them from
//! panels of the dense matrix.
//!
//! ```text
//! if i % 64 == 0 && j % 64 == 0 { loops } else { checked loops }
//! ->  if i % 64 == 0 && j % 64 == 0 { panels { loops } } else { checked loops }
//! ```

use super::super::ir::*;
use super::super::statement::{Expr, HintSpec, Schedule, Statement};
use crate::sparse::{LevelExpr, LevelFormat, LevelSpec, Properties, SparseEncoding};

/// Marks the loops of such a product that need no checks.
pub(super) fn block(statement: &Statement, kernel: &Kernel, body: &mut Body) {
    let [Stmt::IfDivides { then, .. }] = &mut body[..] else { return };
    if let Some(product) = product(statement, kernel) {
        let body = core::mem::take(then);
        then.push(Stmt::Panels { product, body });
    }
}

/// The product that a statement computes: `c[i, k] = a[i, j] * b[j, k]`, in exactly this form, and without a schedule but that rows may
/// be computed in parallel.
fn product(statement: &Statement, kernel: &Kernel) -> Option<PanelProduct> {
    let Schedule { order, splits, hints } = &statement.schedule;
    let in_parts = hints.is_empty()
        || kernel.parts.is_some() && hints.iter().all(|(_, hint)| *hint == HintSpec::Parallel);
    let plain = statement.reduction == Reduction::Sum
        && !statement.accumulates
        && statement.guard.is_none()
        && order.is_empty()
        && splits.is_empty()
        && in_parts
        && kernel.floats
        && kernel.operands.len() == 3
        && kernel.operands.iter().all(|operand| !operand.casts);
    let Expr::Binary(BinaryOp::Mul, first, second) = &statement.value else { return None };
    let (Expr::Access(a), Expr::Access(b)) = (&**first, &**second) else { return None };
    let [a, b] = [a, b].map(|access| &statement.accesses[*access]);
    let [[i, j], [row, k]] = [indices(&a.subscripts)?, indices(&b.subscripts)?];
    let written = indices(&statement.target)? == [i, k] && row == j && i != j && i != k && j != k;
    let storage = |operand: OperandId| &kernel.operands[operand].storage;
    let dense = [b.operand, kernel.output]
        .map(storage)
        .iter()
        .all(|storage| **storage == Storage::Dense { rank: 2 });
    let Storage::Sparse(encoding) = storage(a.operand) else { return None };
    let factor = factor(encoding).filter(|_| plain && written && dense)?;
    Some(PanelProduct { sparse: a.operand, factor, dense: b.operand })
}

/// The indices of a matrix, if its subscripts are two single indices.
fn indices(subscripts: &[super::super::statement::Subscript]) -> Option<[IndexId; 2]> {
    match subscripts {
        [row, column] => Some([row.plain()?, column.plain()?]),
        _ => None,
    }
}

/// The structure of the levels of an encoding, if panels are multiplied by it.
fn factor(encoding: &SparseEncoding) -> Option<PanelFactor> {
    if encoding.is_slice()
        || encoding.levels().iter().any(|level| level.properties != Properties::NONE)
    {
        return None;
    }
    match encoding.levels() {
        [outer, columns, row, column] => {
            let [rows, wide] = [divisor(outer, 0)?, divisor(columns, 1)?];
            let dense = [outer, row, column].iter().all(|level| level.format == LevelFormat::Dense);
            let inside = is_modulo(row, 0, rows) && is_modulo(column, 1, wide);
            // Rows that are multiplied together: four or eight of a block.
            let blocks = dense
                && inside
                && rows.is_multiple_of(4)
                && columns.format == LevelFormat::Compressed;
            blocks.then_some(PanelFactor::Blocks { rows, columns: wide })
        }
        [row, columns, column] => {
            let LevelFormat::Structured { n: stored, m: of } = column.format else { return None };
            let dense = [row, columns].iter().all(|level| level.format == LevelFormat::Dense);
            let inside = row.expr.plain() == Some(0)
                && divisor(columns, 1) == Some(of)
                && is_modulo(column, 1, of);
            (dense && inside).then_some(PanelFactor::Structured { stored, of })
        }
        _ => None,
    }
}

/// The divisor of a level of a dimension: 4 for `i floordiv 4`.
fn divisor(level: &LevelSpec, dim: usize) -> Option<usize> {
    match level.expr {
        LevelExpr::Part { form, div, modulus: None }
            if LevelExpr::dim(dim).form() == Some(&form) =>
        {
            Some(div)
        }
        _ => None,
    }
}

/// Whether a level is a dimension modulo a number: `i mod 4`.
fn is_modulo(level: &LevelSpec, dim: usize, by: usize) -> bool {
    let LevelExpr::Part { form, div: 1, modulus: Some(modulus) } = level.expr else { return false };
    LevelExpr::dim(dim).form() == Some(&form) && modulus == by
}
