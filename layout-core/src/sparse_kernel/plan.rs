//! A plan: one arrangement of the loops of a statement.

use super::ir::{IndexId, Int, OutputMode, Reduction, Storage};
use super::statement::{AccessId, PartSpec, Statement, Subscript};
use super::view::View;
use crate::parts::Digit;
use crate::sparse::{LevelFormat, SparseEncoding};
use alloc::vec::Vec;
use core::ops::Range;

/// A loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum LoopVar {
    /// Part number `part` of an index.
    Part { index: IndexId, part: usize },
    /// A level of the driver.
    Level(usize),
}

/// How an access is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Mode {
    /// As it is stored. If it meets other accesses in a loop, it is merged with them.
    Merged,
    /// As it is stored. If other accesses drive a loop, its coordinates are searched for.
    Located,
    /// Converted before the loops, with every level compressed, in the order of the loops.
    Sorted,
    /// Converted before the loops, with the first level dense, in the order of the loops.
    Indexed,
}

impl Mode {
    pub(super) fn is_converted(self) -> bool {
        matches!(self, Self::Sorted | Self::Indexed)
    }
}

/// One arrangement of the loops.
#[derive(Clone, Debug)]
pub(super) struct LoopPlan {
    /// The units of the parts of each index, from the largest to 1: `i floordiv 2` and `i mod 2` have units 2 and 1.
    pub(super) units: Vec<Vec<i64>>,
    /// The loops, outermost first.
    pub(super) order: Vec<LoopVar>,
    /// How each access is read.
    pub(super) modes: Vec<Mode>,
    /// The driver: the access whose levels are the first loops, regardless of what they store.
    pub(super) driver: Option<AccessId>,
}

impl LoopPlan {
    /// The parts of `index` that make up a digit of it; `None` if a part would have to be split.
    pub(super) fn cover(&self, index: IndexId, digit: Digit<i64>) -> Option<Range<usize>> {
        let units = &self.units[index];
        let at = |unit: i64| units.iter().position(|other| *other == unit);
        let end = at(digit.div)? + 1;
        let start = match digit.size {
            None => 0,
            Some(size) => at(digit.div.checked_mul(size)?)? + 1,
        };
        (start < end).then_some(start..end)
    }

    /// The number of values of a part.
    pub(super) fn part_size(&self, index: IndexId, part: usize) -> Int {
        let units = &self.units[index];
        match part.checked_sub(1) {
            Some(above) => Int::Const(units[above] / units[part]),
            None => Int::Size(index).blocks(units[0]),
        }
    }

    /// Whether the schedule refers to this loop.
    pub(super) fn is_named(&self, var: LoopVar, spec: &PartSpec) -> bool {
        match (var, spec.div, spec.modulus) {
            (LoopVar::Level(_), ..) => false,
            (LoopVar::Part { index, .. }, None, None) => index == spec.index,
            (LoopVar::Part { index, part }, div, modulus) => {
                let parts = self.cover(spec.index, Digit { div: div.unwrap_or(1), size: modulus });
                index == spec.index && parts == Some(part..part + 1)
            }
        }
    }

    /// Whether there is a loop that the schedule refers to.
    pub(super) fn names(&self, spec: &PartSpec) -> bool {
        let index = spec.index;
        let mut parts = 0..self.units[index].len();
        parts.any(|part| self.is_named(LoopVar::Part { index, part }, spec))
    }

    pub(super) fn is_split(&self, index: IndexId) -> bool {
        self.units[index].len() > 1
    }

    /// The depth below all loops over parts of indices of the output.
    fn output_depth(&self, statement: &Statement) -> usize {
        let last = self.order.iter().rposition(|var| self.is_output(statement, *var));
        last.map_or(0, |last| last + 1)
    }

    /// Whether different iterations of a loop write to different positions of the output.
    pub(super) fn is_output(&self, statement: &Statement, var: LoopVar) -> bool {
        match var {
            LoopVar::Part { index, .. } => statement.is_output_index(index),
            // Each position of a driver can belong to a different position of the output.
            LoopVar::Level(_) => true,
        }
    }
}

/// How a plan computes its output.
#[derive(Clone, Debug)]
pub(super) struct OutputPlan {
    pub(super) mode: OutputMode,
    /// The depth from which an accumulator receives the values of the inner loops.
    pub(super) accumulate: Option<usize>,
    /// The depth from which a workspace receives them, and the parts of the output that number its elements.
    pub(super) workspace: Option<(usize, Vec<(IndexId, usize)>)>,
    /// Whether each element is written at most once.
    pub(super) single: bool,
}

impl OutputPlan {
    pub(super) fn new(
        statement: &Statement,
        plan: &LoopPlan,
        output: &View,
        pattern: Option<AccessId>,
        unique: bool,
    ) -> Self {
        let storage = &statement.operands[statement.output()].storage;
        let depth = plan.output_depth(statement);
        let is_output = |var: &LoopVar| plan.is_output(statement, *var);
        // The loops before the first reduction.
        let prefix = plan.order.iter().take_while(|var| is_output(var)).count();
        let interleaved = prefix < depth;
        let accumulate = (depth < plan.order.len()).then_some(depth);
        // A driver visits each element of the output once if it has no other indices and if entries with equal coordinates
        // count as one.
        let drives_output = plan.driver.is_none_or(|driver| {
            let subscripts = &statement.accesses[driver].subscripts;
            subscripts.iter().filter_map(Subscript::plain).all(|i| statement.is_output_index(i))
        });
        // Several elements of an index array can be equal.
        let plain = output.is_plain() && !statement.scatters();
        let single = !interleaved && plain && drives_output && unique;
        if has_all_positions(storage, statement.reduction) {
            return Self { mode: OutputMode::Positions, accumulate, workspace: None, single };
        }
        if let Some(access) = pattern {
            let operand = statement.accesses[access].operand;
            return Self {
                mode: OutputMode::Pattern(operand),
                accumulate,
                workspace: None,
                single,
            };
        }
        let encoding = match storage {
            Storage::Sparse(encoding) => encoding,
            // Handled above: every position exists from the start.
            _ => return Self { mode: OutputMode::Positions, accumulate, workspace: None, single },
        };
        let parts = |vars: &[LoopVar]| -> Vec<(IndexId, usize)> {
            let part = |var: &LoopVar| match var {
                LoopVar::Part { index, part } if is_output(var) => Some((*index, *part)),
                _ => None,
            };
            vars.iter().filter_map(part).collect()
        };
        let wanted = appendable(encoding).then(|| level_parts(plan, output)).flatten();
        if plan.driver.is_some() || !plain {
            let mode = OutputMode::Collect { unique: single };
            return Self { mode, accumulate, workspace: None, single };
        }
        if !interleaved {
            let mode = match wanted {
                Some(wanted) if wanted == parts(&plan.order) => OutputMode::Append,
                _ => OutputMode::Collect { unique: single },
            };
            return Self { mode, accumulate, workspace: None, single };
        }
        let before = parts(&plan.order[..prefix]);
        let mut rest = parts(&plan.order[prefix..]);
        if let Some(wanted) = &wanted {
            // In the order of the levels of the output, if that is known.
            rest.sort_by_key(|part| wanted.iter().position(|other| other == part));
        }
        // Only one part may have a size that is not constant, and it must come first: the others are split off by dividing by
        // constants.
        let small = |(index, part): &(IndexId, usize)| {
            matches!(plan.part_size(*index, *part), Int::Const(_))
        };
        if !rest.iter().skip(1).all(small) {
            let mode = OutputMode::Collect { unique: false };
            return Self { mode, accumulate, workspace: None, single: false };
        }
        let ordered = wanted.is_some_and(|wanted| wanted.iter().eq(before.iter().chain(&rest)));
        let mode = if ordered { OutputMode::Append } else { OutputMode::Collect { unique: true } };
        Self { mode, accumulate: None, workspace: Some((prefix, rest)), single: false }
    }
}

/// Whether every position of the output exists from the start.
pub(super) fn has_all_positions(storage: &Storage, reduction: Reduction) -> bool {
    match storage {
        Storage::Scalar | Storage::Dense { .. } | Storage::Tiled { .. } => true,
        // The padding of blocks must be zero at the end, and only a sum starts from zero.
        Storage::Sparse(encoding) => {
            let dense = |level: &crate::sparse::LevelSpec| level.format == LevelFormat::Dense;
            reduction == Reduction::Sum && !encoding.counts() && encoding.levels().iter().all(dense)
        }
    }
}

/// Whether entries in storage order can be appended one by one.
fn appendable(encoding: &SparseEncoding) -> bool {
    encoding.levels().iter().all(|level| {
        matches!(
            level.format,
            LevelFormat::Dense
                | LevelFormat::Compressed
                | LevelFormat::LooseCompressed
                | LevelFormat::Singleton
        )
    })
}

/// The parts of indices that the levels of the output store, in order; `None` if a level stores anything else.
fn level_parts(plan: &LoopPlan, output: &View) -> Option<Vec<(IndexId, usize)>> {
    let mut parts = Vec::new();
    for level in &output.levels {
        let holds = level.holds.as_ref()?;
        let index = holds.index()?;
        parts.extend(plan.cover(index, holds.digit)?.map(|part| (index, part)));
    }
    Some(parts)
}
