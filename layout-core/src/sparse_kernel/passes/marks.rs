//! Merges that visit the same segment of one operand repeatedly, as in a product that is computed only where a mask has entries:
//! the coordinates of that segment are marked once, and those of the other operand are looked up.

use super::super::ir::visit::bound;
use super::super::ir::*;
use super::encoding;
use crate::sparse::LevelFormat;
use alloc::vec::Vec;

/// Runs the pass on a block, and on the blocks inside it.
///
/// In `for i { for k in a.level1[i] { merge j over m.level1[i], b.level1[k] { m & b => .. } } }` the segment of `m` is marked.
pub(super) fn block(kernel: &Kernel, block: &mut Body) {
    within(kernel, block, None);
}

/// `inside` are the variables of the innermost loop around the block, and of the statements in that loop.
fn within(kernel: &Kernel, block: &mut Body, inside: Option<&[Var]>) {
    for stmt in block {
        let is_loop = matches!(
            stmt,
            Stmt::Range { .. } | Stmt::Entries { .. } | Stmt::Merge { .. } | Stmt::Drain { .. }
        );
        let found = inside.and_then(|inside| marked_iter(kernel, stmt, inside));
        let own = is_loop.then(|| {
            let mut own = Vec::new();
            bound(core::slice::from_ref(stmt), &mut own);
            own
        });
        stmt.blocks_mut(&mut |inner| within(kernel, inner, own.as_deref().or(inside)));
        if let Some(found) = found
            && !marks_inside(stmt, found)
            && let Stmt::Merge { marked, .. } = stmt
        {
            *marked = Some(found);
        }
    }
}

/// The iterator of a merge whose segment does not depend on the innermost loop, if it can be marked.
fn marked_iter(kernel: &Kernel, stmt: &Stmt, inside: &[Var]) -> Option<usize> {
    let Stmt::Merge { iters, range: None, cases, gallop: false, hint, .. } = stmt else {
        return None;
    };
    let [a, b] = &iters[..] else { return None };
    if hint.parallel || ![a, b].iter().all(|iter| is_plain(kernel, iter)) {
        return None;
    }
    let changes = |iter: &LevelIter| match &iter.segment {
        Segment::Below(above) => inside.iter().any(|var| above.mentions(*var)),
        Segment::Group(from, to) => inside.contains(from) || inside.contains(to),
    };
    let marked = match (changes(a), changes(b)) {
        (false, true) => 0,
        (true, false) => 1,
        _ => return None,
    };
    cases.iter().all(|case| case.present[1 - marked]).then_some(marked)
}

/// Whether the coordinates of an iterator are stored in order, each once.
fn is_plain(kernel: &Kernel, iter: &LevelIter) -> bool {
    encoding(kernel, iter.operand).is_some_and(|encoding| {
        let level = encoding.levels()[iter.level];
        let properties = level.properties;
        level.format == LevelFormat::Compressed
            && !properties.nonordered
            && !properties.nonunique
            && !encoding.is_signed()
            && encoding.batch_levels() == 0
            && iter.is_as_stored()
            && iter.end.is_none()
    })
}

/// Whether a merge inside of this one marks coordinates of the same level.
fn marks_inside(stmt: &Stmt, marked: usize) -> bool {
    let level_of = |stmt: &Stmt, marked: usize| match stmt {
        Stmt::Merge { iters, .. } => Some((iters[marked].operand, iters[marked].level)),
        _ => None,
    };
    let level = level_of(stmt, marked);
    let same = |inner: &Stmt| match inner {
        Stmt::Merge { marked: Some(marked), .. } => level_of(inner, *marked) == level,
        _ => false,
    };
    stmt.any(&mut |inner| same(inner))
}
