//! Register strips: the sums of dense innermost loops are kept in arrays of a fixed length while the loops around them run, and
//! written once.
//!
//! ```text
//! for i in 0..size(i) {                          for i in 0..size(i) {
//!     for (p_a, j) in a.level1[i] {                  for lane0 in strips of 32, 8, 1 in 0..size(k) {
//!         for k in 0..size(k) {                          let mut sums = [[identity; LANES]; 1];
//!             y[i * n + k] += a[p_a] * x[j * m + k];     for (p_a, j) in a.level1[i] {
//!         }                                     ->           let a_lanes0 = a[p_a];
//!     }                                                      let x_lanes1 = x[j * m + lane0..][..LANES];
//! }                                                          for lane in 0..LANES {
//!                                                                let k = lane0 + lane;
//!                                                                sums[0][lane] += a_lanes0 * x_lanes1[lane];
//!                                                            }
//!                                                        }
//!                                                        y[i * n + lane0..][..LANES] += sums[0];
//!                                                    }
//!                                                }
//! ```
//!
//! A loop over an index is split into strips of 32, 8 and 1 coordinates, and the loops around it run for each of them. Parts of
//! blocks are not split. The order of additions is the same on every CPU.

use super::super::ir::visit::bound;
use super::super::ir::*;
use super::encoding;
use super::lanes::Held;
use super::leaf::Leaf;
use super::linear::{Linear, linear};
use alloc::collections::BTreeSet;
use alloc::vec::Vec;

/// The largest number of rows of sums.
const MAX_ROWS: i64 = 64;
/// The largest number of sums, which must fit in registers.
const WIDEST: i64 = 32;
/// The number of lanes of the widest strips of several rows.
const NARROW: i64 = 8;

/// The sums that are kept in registers while the statements of a block run.
#[derive(Clone)]
pub(super) struct Strip {
    /// The first leaf; the others write to the same positions.
    pub(super) leaf: Leaf,
    /// The loop that becomes lanes.
    pub(super) lane: Lane,
    /// Rows of lanes that were loaded before a loop in which they do not change.
    pub(super) held: Held,
}

/// The loop that becomes lanes.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Lane {
    /// The loop over an index.
    Index,
    /// A loop over a part of blocks: its variable, and its size.
    Block(Var, i64),
}

/// The pass over one version of the loops.
pub(super) struct Strips<'k> {
    pub(super) kernel: &'k mut Kernel,
    /// The variables that may be negative.
    pub(super) signed: &'k BTreeSet<Var>,
    /// Whether the sizes of blocks divide those of their indices.
    pub(super) exact: bool,
    /// The variables for the first coordinate of a strip and for the lane, once they exist.
    pub(super) first: Option<Var>,
    pub(super) lane: Option<Var>,
}

impl Strips<'_> {
    /// Turns a block into strips where it has dense innermost loops that all add to the same positions.
    pub(super) fn block(&mut self, block: &Body) -> Body {
        if let Some((strip, base)) = self.find(block) {
            return alloc::vec![self.strip(&strip, &base, block)];
        }
        let mut statements = Vec::new();
        for stmt in block {
            match stmt {
                Stmt::Inside { because: Because::Blocks(..), then, .. } if self.exact => {
                    statements.extend(self.block(then));
                }
                stmt => {
                    let mut stmt = stmt.clone();
                    stmt.blocks_mut(&mut |inner| *inner = self.block(inner));
                    statements.push(stmt);
                }
            }
        }
        statements
    }

    /// The first position that the strip of a block writes, its number of rows, and their width if that is a size of an index.
    pub(super) fn written(&self, block: &Body) -> Option<(Int, i64, Option<Int>)> {
        let (strip, base) = self.find(block)?;
        Some((base, strip.rows(), strip.leaf.lanes.clone().map(|(_, to)| to)))
    }

    fn find(&self, block: &Body) -> Option<(Strip, Int)> {
        let custom = matches!(self.kernel.reduction, Reduction::Custom { .. });
        let output = &self.kernel.operands[self.kernel.output].storage;
        if custom || !matches!(output, Storage::Dense { .. }) {
            return None;
        }
        let mut leaves = Vec::new();
        let all = block
            .iter()
            .all(|stmt| Leaf::of(stmt, self.exact).is_none() && self.leaves(stmt, &mut leaves));
        let (first, others) = leaves.split_first()?;
        let target = first.target()?;
        let mut inside = Vec::new();
        bound(block, &mut inside);
        let same = others.iter().all(|leaf| {
            leaf.at == first.at && leaf.blocks == first.blocks && leaf.lanes == first.lanes
        });
        let moves = |int: &Int| inside.iter().any(|var| int.mentions(*var));
        if !(all && same)
            || moves(&target.rest)
            || block.iter().any(|stmt| is_checked(stmt, &moves))
        {
            return None;
        }
        let lane = match &first.lanes {
            Some((var, to)) => {
                let unit = target.coefficients.get(var) == Some(&1);
                (unit && !moves(to)).then_some(Lane::Index)?
            }
            None => self.block_lane(first).filter(|lane| {
                // Lanes must be next to each other in the output, or be summed.
                !matches!(lane, Lane::Block(var, _) if target.strides.contains_key(var))
            })?,
        };
        let strip = Strip { leaf: first.clone(), lane, held: Vec::new() };
        (strip.rows() <= MAX_ROWS).then_some((strip, target.rest))
    }

    /// Collects the leaves of a statement; false if it uses the output in any other way.
    fn leaves(&self, stmt: &Stmt, found: &mut Vec<Leaf>) -> bool {
        if let Some(leaf) = Leaf::of(stmt, self.exact) {
            let mut reads = false;
            leaf.value.loads(&mut |operand, _| reads |= operand == self.kernel.output);
            found.push(leaf);
            return !reads;
        }
        let mut all = match stmt {
            Stmt::Range { hint, .. } => !hint.parallel && hint.unroll.is_none(),
            stmt => matches!(
                stmt,
                Stmt::Let { .. }
                    | Stmt::Entries { .. }
                    | Stmt::Find { .. }
                    | Stmt::Inside { .. }
                    | Stmt::Merge { .. }
                    | Stmt::PrefetchBelow { .. }
            ),
        };
        stmt.blocks(&mut |block| all &= block.iter().all(|inner| self.leaves(inner, found)));
        all
    }

    /// The part of a block along which values are contiguous.
    fn block_lane(&self, leaf: &Leaf) -> Option<Lane> {
        let vars = leaf.vars();
        let mut lane = None;
        leaf.value.loads(&mut |operand, at| {
            if encoding(self.kernel, operand).is_some()
                && let Some(position) = linear(at, &vars)
            {
                let unit = |(var, _): &&(Var, i64)| position.coefficients.get(var) == Some(&1);
                lane = leaf.blocks.iter().find(unit).copied();
            }
        });
        lane.map(|(var, size)| Lane::Block(var, size))
    }

    /// The strip: sums that start before the loops and are written after them.
    fn strip(&mut self, strip: &Strip, base: &Int, block: &Body) -> Stmt {
        let (first, lane) = (self.first_var(), self.lane_var());
        let mut body = Vec::new();
        block.iter().for_each(|stmt| self.within(strip, stmt, &mut body));
        let (row, rows, row_vars) = (strip.row(), strip.rows(), strip.row_vars());
        let at = strip.row_at(base.clone());
        let mut loops = row_vars;
        let (lanes, write) = match (strip.lane, &strip.leaf.lanes) {
            (Lane::Block(var, size), _) => {
                let own = strip.leaf.target().and_then(|sum| sum.coefficients.get(&var).copied());
                let (at, value) = match own {
                    // Each lane is an element of the output.
                    Some(coefficient) => {
                        loops.push((var, size));
                        let at = at.plus(Int::Var(var).times(Int::Const(coefficient)));
                        (at, Value::Sum { row, lane: Int::Var(var) })
                    }
                    None => (at, Value::SumOfLanes { row }),
                };
                (Lanes::Block { size }, Stmt::Store { at, reduce: true, value })
            }
            (Lane::Index, lanes) => {
                let to = lanes.as_ref().map_or(Int::Const(0), |(_, to)| to.clone());
                let widest = (WIDEST / rows).max(NARROW);
                let mut widths = alloc::vec![widest, NARROW, 1];
                widths.dedup();
                let at = Int::Add(at.into(), Int::Var(first).into());
                (
                    Lanes::Index { first, to, widths },
                    Stmt::StoreLanes { at, lane, row, reduce: true },
                )
            }
        };
        body.extend(nest(&loops, alloc::vec![write]));
        Stmt::Strips { lanes, rows, body }
    }

    /// A statement within a strip.
    fn within(&mut self, strip: &Strip, stmt: &Stmt, block: &mut Body) {
        if let Some(leaf) = Leaf::of(stmt, self.exact) {
            return self.add(strip, &leaf, block);
        }
        match stmt {
            Stmt::Inside { because: Because::Blocks(..), then, .. } if self.exact => {
                then.iter().for_each(|stmt| self.within(strip, stmt, block));
            }
            Stmt::Entries { iter, hint, body } => {
                let strip = self.holding(strip, iter, body, block);
                let mut inner = Vec::new();
                self.prefetches(&strip, iter, body, &mut inner);
                body.iter().for_each(|stmt| self.within(&strip, stmt, &mut inner));
                block.push(Stmt::Entries { iter: iter.clone(), hint: *hint, body: inner });
            }
            stmt => {
                let mut stmt = stmt.clone();
                stmt.blocks_mut(&mut |inner| {
                    let mut new = Vec::new();
                    inner.iter().for_each(|stmt| self.within(strip, stmt, &mut new));
                    *inner = new;
                });
                block.push(stmt);
            }
        }
    }

    /// The first coordinate of a strip.
    pub(super) fn first_var(&mut self) -> Var {
        *self.first.get_or_insert_with(|| super::var(self.kernel, "lane0"))
    }

    pub(super) fn lane_var(&mut self) -> Var {
        *self.lane.get_or_insert_with(|| super::var(self.kernel, "lane"))
    }
}

/// Wraps a block in loops over parts of blocks.
pub(super) fn nest(vars: &[(Var, i64)], inner: Body) -> Body {
    vars.iter().rev().fold(inner, |body, (var, size)| {
        alloc::vec![Stmt::Range { var: *var, to: Int::Const(*size), hint: Hint::default(), body }]
    })
}

/// Whether part of a statement runs only if a number that never changes in it is within bounds. If it is not, the sums may
/// have no position.
fn is_checked(stmt: &Stmt, moves: &dyn Fn(&Int) -> bool) -> bool {
    stmt.any(&mut |stmt| match stmt {
        Stmt::Inside { value, otherwise, .. } => otherwise.is_empty() && !moves(value),
        _ => false,
    })
}

impl Strip {
    /// The loops over parts of blocks that number positions of the output, except the one that becomes lanes.
    fn row_vars(&self) -> Vec<(Var, i64)> {
        let target = self.leaf.target();
        let written = |var: &Var| {
            let of = |target: &Linear| {
                target.coefficients.contains_key(var) || target.strides.contains_key(var)
            };
            target.as_ref().is_some_and(of)
        };
        let lane = |var: Var| matches!(self.lane, Lane::Block(lane, _) if lane == var);
        self.leaf.blocks.iter().filter(|(var, _)| written(var) && !lane(*var)).copied().collect()
    }

    /// The number of rows of sums.
    fn rows(&self) -> i64 {
        self.row_vars().iter().map(|(_, size)| size).product()
    }

    /// The number of a row of sums.
    pub(super) fn row(&self) -> Int {
        self.row_vars()
            .into_iter()
            .fold(Int::Const(0), |row, (var, size)| row.times(Int::Const(size)).plus(Int::Var(var)))
    }

    /// The position where a row is written, if the first one is at `base`.
    fn row_at(&self, base: Int) -> Int {
        let Some(target) = self.leaf.target() else { return base };
        self.row_vars().into_iter().fold(base, |at, (var, _)| {
            let distance = match target.strides.get(&var) {
                Some(stride) => stride.clone(),
                None => Int::Const(target.coefficients.get(&var).copied().unwrap_or(0)),
            };
            at.plus(Int::Var(var).times(distance))
        })
    }
}
