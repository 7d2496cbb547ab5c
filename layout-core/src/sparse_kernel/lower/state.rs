//! The facts that are known at a depth of the nest.
//!
//! For `y[i] += a[i, j] * x[j]` with `a` in CSR, the cursors of both operands begin at level 0. When `i` is known, that of `a` is at
//! level 1, in the segment of row `i`. In the loop over the positions `p` of this segment, which stores `j`, the cursor of `a` has
//! found `p` and that of `x` has found `j`, so the innermost statement multiplies the values at these positions.

use super::super::ir::{Int, Local, Segment, Var};
use super::super::plan::LoopVar;
use super::super::statement::{AccessId, Expr};
use super::Lower;
use alloc::string::String;
use alloc::vec::Vec;

#[derive(Clone)]
pub(super) struct State {
    /// The number of open loops.
    pub(super) depth: usize,
    /// The expression to compute, without the accesses that are known to be absent.
    pub(super) value: Expr,
    pub(super) guard: Option<Expr>,
    pub(super) cursors: Vec<Cursor>,
    /// The coordinates of the parts of each index that are known.
    pub(super) parts: Vec<Vec<Option<Int>>>,
    /// The number of parts of each index that are known to be within bounds together. The first part always is, unless it comes
    /// from a level that stores coordinates past the end.
    pub(super) checked: Vec<usize>,
    /// The indices that have a part from a level that stores coordinates past the end. They can be out of bounds even if blocks
    /// divide their size.
    pub(super) overhung: Vec<bool>,
    /// The indices that are known.
    pub(super) indices: Vec<Option<Int>>,
    /// The coordinates of the driver's levels over which loops are open.
    pub(super) driver: Vec<Int>,
    /// For each access and dimension, whether the subscript is known to be within bounds.
    pub(super) inside: Vec<Vec<bool>>,
    /// The accumulator that receives the values instead of the output.
    pub(super) accumulator: Option<Local>,
    pub(super) in_workspace: bool,
    /// The accesses that can be absent in a loop over all coordinates: each doubles the number of cases.
    pub(super) sought: Vec<AccessId>,
    /// The names in scope.
    pub(super) names: Vec<String>,
}

/// The progress of an access: the level that it has reached, of which some parts may be open.
#[derive(Clone)]
pub(super) struct Cursor {
    pub(super) level: usize,
    pub(super) segment: Segment,
    /// The number of open parts of the level.
    pub(super) taken: usize,
    /// The position of the value, after the last level has been passed.
    pub(super) found: Option<Found>,
}

/// The positions of an access for one index.
#[derive(Clone)]
pub(super) enum Found {
    One(Int),
    /// A range of positions whose values are summed.
    Several(Var, Var),
}

impl State {
    pub(super) fn new(lower: &Lower<'_>) -> Self {
        let count = lower.statement.indices.len();
        let cursor = |levels: usize| Cursor {
            level: 0,
            segment: Segment::Below(Int::Const(0)),
            taken: 0,
            found: (levels == 0).then_some(Found::One(Int::Const(0))),
        };
        let nothing = |_: AccessId| false;
        Self {
            depth: 0,
            value: lower.statement.value.without(&nothing),
            guard: lower.statement.guard.as_ref().map(|guard| guard.without(&nothing)),
            cursors: lower.views.iter().map(|view| cursor(view.levels.len())).collect(),
            parts: lower.plan.units.iter().map(|units| alloc::vec![None; units.len()]).collect(),
            checked: alloc::vec![1; count],
            overhung: alloc::vec![false; count],
            indices: alloc::vec![None; count],
            driver: Vec::new(),
            inside: lower
                .sizes
                .guarded
                .iter()
                .map(|dims| dims.iter().map(|g| !g).collect())
                .collect(),
            accumulator: None,
            in_workspace: false,
            sought: Vec::new(),
            names: lower
                .statement
                .indices
                .iter()
                .filter(|name| {
                    // An index that is split does not have a variable with its name yet.
                    lower.statement.operands.iter().any(|operand| operand.name == **name)
                })
                .cloned()
                .collect(),
        }
    }

    /// Whether there is nothing left to compute.
    pub(super) fn is_dead(&self) -> bool {
        self.value == Expr::Zero || self.guard == Some(Expr::Zero)
    }

    /// Whether the value or the condition contains an access.
    pub(super) fn computes_with(&self, access: AccessId) -> bool {
        self.value.reads(access) || self.guard.as_ref().is_some_and(|guard| guard.reads(access))
    }

    /// The state in which some accesses are absent.
    #[must_use]
    pub(super) fn without(&self, absent: &dyn Fn(AccessId) -> bool) -> Self {
        let mut state = self.clone();
        state.value = self.value.without(absent);
        state.guard = self.guard.as_ref().map(|guard| guard.without(absent));
        state
    }

    /// Opens a loop over a part of an index.
    pub(super) fn open(&mut self, var: LoopVar, coordinate: Int) {
        self.depth += 1;
        if let LoopVar::Part { index, part } = var {
            self.bind(index, part, coordinate);
        }
    }

    /// Records that a part of an index comes from a level that stores coordinates past the end.
    pub(super) fn overhang(&mut self, index: usize, part: usize) {
        self.overhung[index] = true;
        self.checked[index] = self.checked[index].min(part);
    }

    /// Sets a part of an index, and the index itself if it has only this part.
    pub(super) fn bind(&mut self, index: usize, part: usize, coordinate: Int) {
        if self.parts[index].len() == 1 {
            self.indices[index] = Some(coordinate.clone());
        }
        self.parts[index][part] = Some(coordinate);
    }
}
