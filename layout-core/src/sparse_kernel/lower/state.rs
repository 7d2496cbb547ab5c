//! Where the loops stand at some depth of the nest.

use super::super::ir::{Int, Local, Segment, Var};
use super::super::plan::LoopVar;
use super::super::statement::{AccessId, Expr};
use super::Lower;
use alloc::string::String;
use alloc::vec::Vec;

#[derive(Clone)]
pub(super) struct State {
    /// How many loops are open.
    pub(super) depth: usize,
    /// What is computed, without what is known to be absent.
    pub(super) value: Expr,
    pub(super) guard: Option<Expr>,
    pub(super) cursors: Vec<Cursor>,
    /// The coordinates of the parts of each index, as far as they are known.
    pub(super) parts: Vec<Vec<Option<Int>>>,
    /// How many parts of each index are known to be inside together; the first one is, unless a level gave it that stores
    /// coordinates behind the end.
    pub(super) checked: Vec<usize>,
    /// The indices of which a level that stores coordinates behind the end gave a part: blocks that divide their size are no
    /// reason for them to be inside.
    pub(super) overhung: Vec<bool>,
    /// The indices, as far as they are known.
    pub(super) indices: Vec<Option<Int>>,
    /// What the driver's levels hold, as far as they are open.
    pub(super) driver: Vec<Int>,
    /// The dimensions of each access that are known to be inside.
    pub(super) inside: Vec<Vec<bool>>,
    /// What takes the values, in place of the output.
    pub(super) accumulator: Option<Local>,
    pub(super) in_workspace: bool,
    /// The accesses that need not be there where all coordinates are gone through: each doubles the cases.
    pub(super) sought: Vec<AccessId>,
    /// Names in sight.
    pub(super) names: Vec<String>,
}

/// Where an access stands: in a level of which nothing or only some parts are open.
#[derive(Clone)]
pub(super) struct Cursor {
    pub(super) level: usize,
    pub(super) segment: Segment,
    /// How many parts of what the level holds are open.
    pub(super) taken: usize,
    /// Where the values are, once all levels are behind.
    pub(super) found: Option<Found>,
}

/// The positions of an access at one index.
#[derive(Clone)]
pub(super) enum Found {
    One(Int),
    /// Several whose values are summed.
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
                    // An index that is no loop as a whole has no variable of its name.
                    lower.statement.operands.iter().any(|operand| operand.name == **name)
                })
                .cloned()
                .collect(),
        }
    }

    /// Whether nothing is left to compute.
    pub(super) fn is_dead(&self) -> bool {
        self.value == Expr::Zero || self.guard == Some(Expr::Zero)
    }

    pub(super) fn reads(&self, access: AccessId) -> bool {
        self.value.reads(access) || self.guard.as_ref().is_some_and(|guard| guard.reads(access))
    }

    /// The same where some accesses find nothing.
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

    /// Notes that a level that overhangs gives a part of an index.
    pub(super) fn overhang(&mut self, index: usize, part: usize) {
        self.overhung[index] = true;
        self.checked[index] = self.checked[index].min(part);
    }

    /// Makes a part of an index known, and the index if it is all of it.
    pub(super) fn bind(&mut self, index: usize, part: usize, coordinate: Int) {
        if self.parts[index].len() == 1 {
            self.indices[index] = Some(coordinate.clone());
        }
        self.parts[index][part] = Some(coordinate);
    }
}
