//! Analyzes dense innermost loops: the value and the position that they write, and how both depend on the coordinates.

use super::super::ir::*;
use super::linear::{Linear, strided};
use alloc::collections::BTreeMap;
use alloc::vec::Vec;

/// The largest size of a part of a block.
const MAX_BLOCK: i64 = 256;
/// The largest number of contiguous elements of the output in a block that are not cut into strips.
const MAX_ROW: i64 = 16;

/// Loops over all coordinates of blocks and of at most one index, with one statement inside: `out[at] += value`.
#[derive(Clone)]
pub(super) struct Leaf {
    /// Loops with a constant number of iterations: parts of blocks.
    pub(super) blocks: Vec<(Var, i64)>,
    /// The loop over an index, the innermost one.
    pub(super) lanes: Option<(Var, Int)>,
    pub(super) at: Int,
    pub(super) value: Value,
}

impl Leaf {
    /// The loops that start with this statement. If `exact`, the sizes of blocks divide those of their indices.
    pub(super) fn of(stmt: &Stmt, exact: bool) -> Option<Self> {
        let mut leaf =
            Self { blocks: Vec::new(), lanes: None, at: Int::Const(0), value: Value::Zero };
        let mut lets = BTreeMap::new();
        leaf.loops(stmt, exact, &mut lets, None)?;
        leaf.at = leaf.at.inlined(&lets);
        leaf.value = leaf.value.inlined(&lets);
        // A long row of a block is cut into strips, as rows of any length are.
        if leaf.lanes.is_none()
            && let Some((var, size)) = leaf.blocks.last().copied()
            && size > MAX_ROW
            && leaf.target().is_some_and(|target| target.coefficients.get(&var) == Some(&1))
        {
            leaf.blocks.pop();
            leaf.lanes = Some((var, Int::Const(size)));
        }
        Some(leaf)
    }

    /// The same loops over only a group of the coordinates of a part of blocks. `row` numbers the coordinates of the group, and
    /// `coordinate` is the coordinate with that number: for the second group of 8, `row` runs from 0 to 7 and `coordinate` is
    /// `1 * 8 + row`.
    pub(super) fn grouped(mut self, part: Var, row: (Var, i64), coordinate: &Int) -> Self {
        let lets = BTreeMap::from([(part, coordinate.clone())]);
        self.at = self.at.inlined(&lets);
        self.value = self.value.inlined(&lets);
        for block in self.blocks.iter_mut().filter(|(var, _)| *var == part) {
            *block = row;
        }
        // A single row needs no loop.
        self.blocks.retain(|block| *block != (row.0, 1) || coordinate.mentions(row.0));
        self
    }

    /// `sum` is an accumulator to which the loops add, and the position to which it is added at the end.
    fn loops(
        &mut self,
        stmt: &Stmt,
        exact: bool,
        lets: &mut BTreeMap<Var, Int>,
        sum: Option<(Local, &Int)>,
    ) -> Option<()> {
        let Stmt::Range { var, to, hint, body } = stmt else { return None };
        if hint.parallel || self.lanes.is_some() {
            return None;
        }
        match to {
            Int::Const(size) if (1..=MAX_BLOCK).contains(size) => self.blocks.push((*var, *size)),
            to => self.lanes = Some((*var, to.clone())),
        }
        self.inside(body, exact, lets, sum)
    }

    fn inside(
        &mut self,
        body: &[Stmt],
        exact: bool,
        lets: &mut BTreeMap<Var, Int>,
        sum: Option<(Local, &Int)>,
    ) -> Option<()> {
        let (last, mut before) = body.split_last()?;
        let mut last = last;
        let mut sum = sum;
        if let Stmt::Store { at, reduce: true, value: Value::Local(local) } = last
            && let [first @ .., Stmt::Local { local: made, value: Value::Identity }, loops] = before
            && made == local
        {
            (last, before, sum) = (loops, first, Some((*local, at)));
        }
        for stmt in before {
            let Stmt::Let { var, value } = stmt else { return None };
            lets.insert(*var, value.inlined(lets));
        }
        match last {
            Stmt::Inside { because: Because::Blocks(..), then, .. } if exact => {
                self.inside(then, exact, lets, sum)
            }
            Stmt::Accumulate { local, value } => {
                let (_, at) = sum.filter(|(sum, _)| sum == local)?;
                (self.at, self.value) = (at.clone(), value.clone());
                Some(())
            }
            Stmt::Store { at, reduce: true, value } if sum.is_none() => {
                (self.at, self.value) = (at.clone(), value.clone());
                Some(())
            }
            stmt => self.loops(stmt, exact, lets, sum),
        }
    }

    /// The variables of its loops.
    pub(super) fn vars(&self) -> Vec<Var> {
        let blocks = self.blocks.iter().map(|(var, _)| *var);
        blocks.chain(self.lanes.iter().map(|(var, _)| *var)).collect()
    }

    /// The position at which it writes, as a linear function of the variables of its loops.
    pub(super) fn target(&self) -> Option<Linear> {
        strided(&self.at, &self.vars())
    }
}
