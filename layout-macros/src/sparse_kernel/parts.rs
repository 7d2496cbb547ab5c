//! Which loops can run in parts, each of which writes to rows of its own.

use super::emit::each_block;
use super::leaf::inline;
use layout_core::sparse_kernel::ir::*;
use std::collections::BTreeMap;

/// How many rows of the output each iteration of the outermost loop writes, if that loop is to run in parallel and writes
/// nothing else.
pub(crate) fn rows_of_a_part(kernel: &Kernel) -> Option<i64> {
    let [.., Stmt::Range { var, to, hint, body }] = &kernel.body[..] else { return None };
    let Storage::Dense { rank } = kernel.operands[kernel.output].storage else { return None };
    if !hint.parallel {
        return None;
    }
    let height = match to {
        Int::Div(_, height) => *height,
        _ => 1,
    };
    let groups = match height {
        1 => kernel.output_shape[0].clone(),
        _ => {
            let more =
                Int::Add(kernel.output_shape[0].clone().into(), Int::Const(height - 1).into());
            Int::Div(more.into(), height)
        }
    };
    let mut lets = BTreeMap::new();
    let mut places = Vec::new();
    collect(body, &mut lets, &mut places);
    let own = |at: &Int| row(at, rank, kernel.output).is_some_and(|row| is_own(row, *var, height));
    (*to == groups && places.iter().all(own)).then_some(height)
}

/// What variables are bound to, and the places that are written.
fn collect(block: &Block, lets: &mut BTreeMap<Var, Int>, places: &mut Vec<Int>) {
    for stmt in block {
        match stmt {
            Stmt::Let { var, value } => {
                lets.insert(*var, inline(value, lets));
            }
            Stmt::Store { at, .. } => places.push(inline(at, lets)),
            _ => {}
        }
        each_block(stmt, &mut |inner| collect(inner, lets, places));
    }
}

/// The row of a place in row-major order.
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

/// Whether a row is one of those that an iteration of `var` has for itself.
fn is_own(row: &Int, var: Var, height: i64) -> bool {
    match row {
        Int::Var(own) => *own == var && height == 1,
        Int::Add(first, part) if matches!(**part, Int::Var(_)) => {
            **first == Int::Mul(Int::Var(var).into(), Int::Const(height).into())
        }
        _ => false,
    }
}
