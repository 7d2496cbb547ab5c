//! Parallel loops: finds those that can run in parts, each of which writes its own rows.

use super::super::ir::*;
use alloc::collections::BTreeMap;
use alloc::vec::Vec;

/// The number of rows of the output that each iteration of the outermost loop writes, if that loop is to run in parallel and
/// writes nothing else.
///
/// `for i1 in 0..(size(i) + 1) / 2` whose stores are all at `(i1 * 2 + i2) * n + k` writes 2 rows in each iteration.
pub(super) fn rows_of_a_part(kernel: &Kernel) -> Option<i64> {
    let [.., Stmt::Range { var, to, hint, body }] = &kernel.body[..] else { return None };
    let Storage::Dense { rank } = kernel.operands[kernel.output].storage else { return None };
    if !hint.parallel {
        return None;
    }
    let height = match to {
        Int::Div(_, height) => *height,
        _ => 1,
    };
    let groups = kernel.output_shape.first()?.clone().blocks(height);
    let mut lets = BTreeMap::new();
    let mut positions = Vec::new();
    collect(body, &mut lets, &mut positions);
    let own = |at: &Int| row(at, rank, kernel.output).is_some_and(|row| is_own(row, *var, height));
    (*to == groups && positions.iter().all(own)).then_some(height)
}

/// The definitions of the variables, and the positions that are written.
fn collect(block: &Body, lets: &mut BTreeMap<Var, Int>, positions: &mut Vec<Int>) {
    for stmt in block {
        match stmt {
            Stmt::Let { var, value } => {
                lets.insert(*var, value.inlined(lets));
            }
            Stmt::Store { at, .. } => positions.push(at.inlined(lets)),
            _ => {}
        }
        stmt.blocks(&mut |inner| collect(inner, lets, positions));
    }
}

/// The row of a position in row-major order: `i` of `i * n + k`.
fn row(at: &Int, rank: usize, output: OperandId) -> Option<&Int> {
    if rank == 1 {
        return Some(at);
    }
    let Int::Add(rows, _) = at else { return None };
    match &**rows {
        Int::Mul(rows, size) if **size == Int::DimSize(output, rank - 1) => {
            row(rows, rank - 1, output)
        }
        _ => None,
    }
}

/// Whether a row is written by only one iteration of `var`.
fn is_own(row: &Int, var: Var, height: i64) -> bool {
    match row {
        Int::Var(own) => *own == var && height == 1,
        Int::Add(first, part) if height > 1 && matches!(**part, Int::Var(_)) => {
            **first == Int::Var(var).times(Int::Const(height))
        }
        _ => false,
    }
}
