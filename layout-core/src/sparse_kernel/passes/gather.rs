//! Sums along the last level of an operand, which is the innermost loop of most kernels. At run time they are computed in four
//! lanes.

use super::super::ir::*;
use super::encoding;
use crate::sparse::{LevelFormat, SparseEncoding};
use alloc::vec::Vec;

/// Replaces `for (p, j) in a.level1[i] { s += a[p] * x[j]; }` by one statement, in a block and in the blocks inside it.
pub(super) fn block(kernel: &Kernel, block: &mut Body) {
    for stmt in block {
        match gathered(kernel, stmt) {
            Some(gather) => *stmt = gather,
            None => stmt.blocks_mut(&mut |inner| self::block(kernel, inner)),
        }
    }
}

fn gathered(kernel: &Kernel, stmt: &Stmt) -> Option<Stmt> {
    let Stmt::Entries { iter, hint, body } = stmt else { return None };
    let [Stmt::Accumulate { local, value }] = &body[..] else { return None };
    let encoding = encoding(kernel, iter.operand)?;
    let last = iter.level + 1 == encoding.levels().len();
    let known = !matches!(kernel.reduction, Reduction::Custom { .. });
    if !(last && known && iter.is_as_stored() && iter.end.is_none() && is_covered(encoding)) {
        return None;
    }
    let mut vectors = Vec::new();
    let term = value.clone();
    is_term(kernel, iter, value, &mut vectors).then(|| Stmt::Gather {
        local: *local,
        iter: iter.clone(),
        hint: *hint,
        vectors,
        term,
    })
}

/// Whether a value reads only its operand at the position, vectors at the coordinate, and values that do not change.
fn is_term(kernel: &Kernel, iter: &LevelIter, value: &Value, vectors: &mut Vec<OperandId>) -> bool {
    match value {
        Value::Load { operand, at: Int::Var(var) } if *var == iter.position => {
            *operand == iter.operand
        }
        Value::Load { operand, at: Int::Var(var) } if *var == iter.coordinate => {
            // The vectors are an array of slices, so they have the same type.
            let element = |operand: OperandId| &kernel.operands[operand].element;
            let vector = kernel.operands[*operand].storage == (Storage::Dense { rank: 1 })
                && vectors.first().is_none_or(|first| element(*first) == element(*operand));
            if vector && !vectors.contains(operand) {
                vectors.push(*operand);
            }
            vector && *operand != kernel.output
        }
        Value::Load { at, operand } => {
            let varies = at.mentions(iter.position) || at.mentions(iter.coordinate);
            !varies && *operand != kernel.output
        }
        Value::Literal(_) | Value::Zero | Value::Identity => true,
        Value::Unary(_, a) => is_term(kernel, iter, a, vectors),
        Value::Binary(_, a, b) => {
            is_term(kernel, iter, a, vectors) && is_term(kernel, iter, b, vectors)
        }
        Value::Select(c, a, b) => [c, a, b].iter().all(|v| is_term(kernel, iter, v, vectors)),
        Value::Call(_, arguments) => arguments.iter().all(|v| is_term(kernel, iter, v, vectors)),
        Value::LoadSum { .. }
        | Value::Local(_)
        | Value::Workspace { .. }
        | Value::Vector { .. }
        | Value::Sum { .. }
        | Value::SumOfLanes { .. }
        | Value::Index(_) => false,
    }
}

/// Whether every position of the last level is below a position of the level above, so that its coordinate has been checked.
fn is_covered(encoding: &SparseEncoding) -> bool {
    let format = encoding.levels().last().map(|level| level.format);
    matches!(
        format,
        Some(LevelFormat::Compressed | LevelFormat::Singleton | LevelFormat::Structured { .. })
    ) && !encoding.counts()
        && encoding.batch_levels() == 0
        && !encoding.is_signed()
}
