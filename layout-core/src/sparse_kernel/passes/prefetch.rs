//! In loops over the entries of a level that each read a segment of another operand, prefetches the segment of a later entry.

use super::super::ir::*;
use super::encoding;
use crate::sparse::LevelFormat;

/// Runs the pass on a block, and on the blocks inside it.
pub(super) fn block(kernel: &Kernel, block: &mut Body) {
    for stmt in block {
        stmt.blocks_mut(&mut |inner| self::block(kernel, inner));
        if let Stmt::Entries { iter, body, .. } = stmt
            && let Some(prefetch) = below(kernel, iter, body)
        {
            body.insert(0, prefetch);
        }
    }
}

fn below(kernel: &Kernel, iter: &LevelIter, body: &Body) -> Option<Stmt> {
    let inner = match &body[..] {
        [Stmt::Entries { iter, .. }] => iter,
        [Stmt::Merge { iters, marked: Some(marked), .. }] => &iters[1 - marked],
        _ => return None,
    };
    let Segment::Below(Int::Var(above)) = &inner.segment else { return None };
    let last = encoding(kernel, inner.operand)?.levels().len() == inner.level + 1;
    (*above == iter.coordinate && last && has_entries(kernel, iter)).then_some(
        Stmt::PrefetchBelow {
            operand: iter.operand,
            level: iter.level,
            position: iter.position,
            below: (inner.operand, inner.level),
        },
    )
}

/// Whether a loop visits the entries of a level one by one, with the stored coordinates.
pub(super) fn has_entries(kernel: &Kernel, iter: &LevelIter) -> bool {
    let format =
        encoding(kernel, iter.operand).map(|encoding| encoding.levels()[iter.level].format);
    let one = matches!(iter.segment, Segment::Below(_)) && format == Some(LevelFormat::Singleton);
    iter.end.is_none() && iter.is_as_stored() && !one
}
