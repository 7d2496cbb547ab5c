//! Appends the entries of one segment of the output together: the entries of a workspace, or the union of two segments.

use super::super::ir::visit::bound;
use super::super::ir::*;
use super::encoding;
use crate::sparse::LevelFormat;
use alloc::boxed::Box;

/// Runs the pass on a block, and on the blocks inside it.
pub(super) fn block(kernel: &Kernel, block: &mut Body) {
    for stmt in block {
        let found = is_segment(kernel, stmt).then(|| drained(stmt).or_else(|| union(kernel, stmt)));
        match found.flatten() {
            Some(segment) => *stmt = segment,
            None => stmt.blocks_mut(&mut |inner| self::block(kernel, inner)),
        }
    }
}

/// The entry that a block appends, if this is its only effect.
fn entry(block: &Body) -> Option<&Entry> {
    match &block[..] {
        [Stmt::Append(entry)] => Some(entry),
        _ => None,
    }
}

/// Whether a loop appends the entries of one segment, which have the same coordinates on all levels above the last one.
fn is_segment(kernel: &Kernel, stmt: &Stmt) -> bool {
    let Some(encoding) = encoding(kernel, kernel.output) else { return false };
    if kernel.result != OutputMode::Append || !encoding.appends_segments() {
        return false;
    }
    let mut inside = match stmt {
        Stmt::Drain { at, .. } => alloc::vec![*at],
        Stmt::Merge { var, .. } => alloc::vec![*var],
        _ => return false,
    };
    let mut all = true;
    stmt.blocks(&mut |block| {
        bound(block, &mut inside);
        let same = |entry: &Entry| {
            let above = entry.levels.split_last().map_or(&[][..], |(_, above)| above);
            !above.iter().any(|level| inside.iter().any(|var| level.mentions(*var)))
        };
        all &= entry(block).is_some_and(same);
    });
    all
}

/// Appends the contents of a workspace as a segment.
fn drained(stmt: &Stmt) -> Option<Stmt> {
    let Stmt::Drain { workspace, at, value, body } = stmt else { return None };
    let (workspace, at, value, entry) = (*workspace, *at, *value, entry(body)?.clone());
    Some(Stmt::DrainSegment { workspace, at, value, entry })
}

/// Merges two segments whose coordinates all become entries. The CPU cannot predict which segment is next, so each step computes
/// all three values (with both segments, with only the first, and with only the second) and selects one of them: coordinates 1 and
/// 4 merged with 4 and 6 take three steps, which append the entries 1, 4 and 6.
fn union(kernel: &Kernel, stmt: &Stmt) -> Option<Stmt> {
    let Stmt::Merge { var, iters, range: None, cases, .. } = stmt else { return None };
    let [a, b] = &iters[..] else { return None };
    let of = |present: [bool; 2]| {
        let case = cases.iter().find(|case| case.present == present)?;
        entry(&case.body)
    };
    let (first, second, both) = (of([true, false])?, of([false, true])?, of([true, true])?);
    let plain = |iter: &LevelIter| {
        encoding(kernel, iter.operand).is_some_and(|encoding| {
            let level = encoding.levels()[iter.level];
            let stored = level.format == LevelFormat::Compressed && !level.properties.nonordered;
            stored && !encoding.is_signed() && iter.is_as_stored() && iter.end.is_none()
        })
    };
    let entries = [both, second, first];
    let cheap = entries.iter().all(|entry| {
        let mut here = true;
        entry.value.loads(&mut |_, at| {
            here &= [a, b].iter().any(|iter| *at == Int::Var(iter.position));
        });
        here && is_cheap(&entry.value)
    });
    let same = entries.iter().all(|entry| entry.levels == both.levels && entry.index == both.index);
    (kernel.floats && plain(a) && plain(b) && cheap && same).then(|| Stmt::Union {
        var: *var,
        iters: Box::new([a.clone(), b.clone()]),
        index: both.index.clone(),
        levels: both.levels.clone(),
        values: Box::new(entries.map(|entry| entry.value.clone())),
    })
}

/// Whether a value may be computed although it is not used.
fn is_cheap(value: &Value) -> bool {
    match value {
        Value::Load { .. } | Value::Literal(_) | Value::Zero | Value::Identity => true,
        Value::Unary(op, a) => *op == UnaryOp::Neg && is_cheap(a),
        Value::Binary(op, a, b) => {
            let quick = matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul);
            let quick = quick || matches!(op, BinaryOp::Min | BinaryOp::Max);
            quick && is_cheap(a) && is_cheap(b)
        }
        _ => false,
    }
}
