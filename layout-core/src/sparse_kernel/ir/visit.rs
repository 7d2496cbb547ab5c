//! Visits the parts of a statement at any depth.

use super::{Body, Entry, Kernel, LevelIter, Stmt, Storage, Value, Var};
use alloc::collections::BTreeSet;
use alloc::vec::Vec;

impl Kernel {
    /// The variables that may be negative.
    pub fn signed(&self) -> BTreeSet<Var> {
        let mut signed = BTreeSet::new();
        self.note_signed(&self.body, &mut signed);
        signed
    }

    fn note_signed(&self, block: &Body, signed: &mut BTreeSet<Var>) {
        let has_sign = |iter: &LevelIter| {
            let storage = &self.operands[iter.operand].storage;
            let diagonals = matches!(storage, Storage::Sparse(encoding) if encoding.is_signed());
            diagonals || iter.shift.is_some()
        };
        for stmt in block {
            match stmt {
                Stmt::Let { var, value } if !value.is_natural(signed) => {
                    signed.insert(*var);
                }
                Stmt::Entries { iter, .. } if has_sign(iter) => {
                    signed.insert(iter.coordinate);
                }
                Stmt::Merge { var, iters, range, .. } => {
                    let below_zero = iters.iter().filter(|iter| has_sign(iter));
                    signed.extend(below_zero.map(|iter| iter.coordinate));
                    if range.is_none() && iters.iter().any(has_sign) {
                        signed.insert(*var);
                    }
                }
                _ => {}
            }
            stmt.blocks(&mut |inner| self.note_signed(inner, signed));
        }
    }
}

/// Calls a function with each block of a statement, shared or mutable.
macro_rules! each_block {
    ($stmt:expr, $f:expr, $iter:ident $(, $mut:tt)?) => {
        match $stmt {
            Stmt::Range { body, .. }
            | Stmt::Entries { body, .. }
            | Stmt::Drain { body, .. }
            | Stmt::Panels { body, .. }
            | Stmt::Strips { body, .. }
            | Stmt::Lanes { body, .. } => $f(body),
            Stmt::Merge { cases, .. } => cases.$iter().for_each(|case| $f(&$($mut)? case.body)),
            Stmt::Find { found, absent, .. } => {
                $f(found);
                $f(absent);
            }
            Stmt::Inside { then, otherwise, .. } | Stmt::IfDivides { then, otherwise, .. } => {
                $f(then);
                $f(otherwise);
            }
            Stmt::IfTouched { then, .. } | Stmt::When { then, .. } => $f(then),
            Stmt::Let { .. }
            | Stmt::Local { .. }
            | Stmt::Accumulate { .. }
            | Stmt::Gather { .. }
            | Stmt::Store { .. }
            | Stmt::Append(_)
            | Stmt::Scatter { .. }
            | Stmt::Fill
            | Stmt::Add { .. }
            | Stmt::StoreLanes { .. }
            | Stmt::Vector { .. }
            | Stmt::Prefetch { .. }
            | Stmt::PrefetchBelow { .. }
            | Stmt::ScatterSegment { .. }
            | Stmt::DrainSegment { .. }
            | Stmt::Union { .. } => {}
        }
    };
}

impl Stmt {
    /// Calls `f` with each block that the statement contains.
    pub(crate) fn blocks<'s>(&'s self, f: &mut dyn FnMut(&'s Body)) {
        each_block!(self, f, iter)
    }

    /// Calls `f` with each block that the statement contains.
    pub(crate) fn blocks_mut(&mut self, f: &mut dyn FnMut(&mut Body)) {
        each_block!(self, f, iter_mut, mut)
    }

    /// Calls `f` with each value that the statement itself computes, without those of the blocks inside it.
    pub(crate) fn values<'s>(&'s self, f: &mut dyn FnMut(&'s Value)) {
        match self {
            Self::When { condition: value, .. }
            | Self::Local { value, .. }
            | Self::Accumulate { value, .. }
            | Self::Store { value, .. }
            | Self::Append(Entry { value, .. })
            | Self::Gather { term: value, .. }
            | Self::Scatter { value, .. }
            | Self::Add { value, .. }
            | Self::ScatterSegment { value, .. }
            | Self::DrainSegment { entry: Entry { value, .. }, .. } => f(value),
            Self::Union { values, .. } => values.iter().for_each(f),
            Self::Let { .. }
            | Self::Range { .. }
            | Self::Entries { .. }
            | Self::Merge { .. }
            | Self::Find { .. }
            | Self::Inside { .. }
            | Self::IfTouched { .. }
            | Self::Drain { .. }
            | Self::Fill
            | Self::IfDivides { .. }
            | Self::Panels { .. }
            | Self::Strips { .. }
            | Self::Lanes { .. }
            | Self::StoreLanes { .. }
            | Self::Vector { .. }
            | Self::Prefetch { .. }
            | Self::PrefetchBelow { .. } => {}
        }
    }

    /// Whether `found` holds for this statement or for a statement inside it.
    pub fn any(&self, found: &mut dyn FnMut(&Self) -> bool) -> bool {
        let mut any = found(self);
        self.blocks(&mut |block| any = any || block.iter().any(|stmt| stmt.any(found)));
        any
    }
}

/// Counts the times that statements run, from the outermost to the innermost.
pub(crate) trait Visitor<'k> {
    /// A number of times, in the measure of the visitor.
    type Times: Clone;

    /// Counts a statement that runs `times` times, without its blocks. Returns the number of times that each block
    /// runs, in the order of [`Stmt::blocks`]; a block with `None` is not visited.
    fn stmt(&mut self, stmt: &'k Stmt, times: &Self::Times) -> Vec<Option<Self::Times>>;

    /// Counts the statements of a block that runs `times` times, and the statements inside them.
    fn block(&mut self, block: &'k Body, times: &Self::Times) {
        for stmt in block {
            let mut within = self.stmt(stmt, times).into_iter();
            stmt.blocks(&mut |inner| {
                if let Some(times) = within.next().flatten() {
                    self.block(inner, &times);
                }
            });
        }
    }
}

/// The variables that a block binds, at any depth.
pub(crate) fn bound(block: &[Stmt], found: &mut Vec<Var>) {
    for stmt in block {
        match stmt {
            Stmt::Let { var, .. } | Stmt::Range { var, .. } | Stmt::Drain { at: var, .. } => {
                found.push(*var);
            }
            Stmt::Entries { iter, .. } => iter.bound(found),
            Stmt::Merge { var, iters, .. } => {
                found.push(*var);
                iters.iter().for_each(|iter| iter.bound(found));
            }
            Stmt::Find { position, end, .. } => {
                found.push(*position);
                found.extend(*end);
            }
            _ => {}
        }
        stmt.blocks(&mut |inner| bound(inner, found));
    }
}

impl LevelIter {
    /// The variables that the iterator binds.
    fn bound(&self, found: &mut Vec<Var>) {
        found.extend([self.position, self.coordinate]);
        found.extend(self.end);
    }

    /// Whether the coordinates of the loop are the stored ones.
    pub fn is_as_stored(&self) -> bool {
        self.digit.is_whole() && self.shift.is_none()
    }
}
