//! Register strips: the sums of dense innermost loops are kept in arrays of a fixed length while the loops around them run, and
//! are written once.
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
//! A loop over an index is split into strips of 32, 8 and 1 coordinates, and the loops around it run for each strip. Each row
//! of a block has a row of sums. If these do not all fit in the registers, groups of 8 rows are computed one after another, all
//! of them for one strip before the next strip starts: the part of `x` that a strip reads stays in the caches.
//!
//! ```text
//! for lane0 in strips of 16, 8, 1 in 0..size(k) {             // blocks of 64 x 64, f32
//!     for group in 0..8 {
//!         let mut sums = [[identity; LANES]; 8];
//!         for (p_a1, j0) in a.level1[i0] {
//!             let a_lanes0 = a[(p_a1 * 64 + group * 8) * 64..][..512];
//!             for j1 in 0..64 {
//!                 let x_lanes1 = x[(j0 * 64 + j1) * m + lane0..][..LANES];
//!                 for row in 0..8 { for lane in 0..LANES { sums[row][lane] += a_lanes0[row * 64 + j1] * x_lanes1[lane]; } }
//! ```
//!
//! The order of additions is the same on every CPU, except that panels of `bf16` may be multiplied in pairs. Each sum of such
//! a product adds its terms in the order of `j`, as it would without blocks; in panels, each product is added with one rounding.
//! If the lanes are the columns of a block, as in a product with a vector, lane `j mod 8` of a row adds the terms of its columns
//! in order, and at the end the lanes are added from the first to the last. (A block of fewer columns has one lane for each
//! column.)

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
/// The largest number of sums of a strip, so that they fit in registers.
const WIDEST: i64 = 32;
/// The number of lanes of the widest strips of several rows.
const NARROW: i64 = 8;
/// The number of rows of a group: the rows of larger blocks are computed group by group. Each element of a row of `x` is then
/// loaded once for all rows of a group, and 8 rows of 64 bytes of sums fit in the registers.
const GROUP: i64 = 8;
/// The number of bytes of the sums of each row in the widest strips of several rows: a cache line.
const ROW_BYTES: i64 = 64;
/// The largest number of lanes along which the values of a block are summed.
pub(super) const BLOCK_LANES: i64 = 8;

/// The sums that are kept in registers while the statements of a block run.
#[derive(Clone)]
pub(super) struct Strip {
    /// The first leaf; the others write to the same positions.
    pub(super) leaf: Leaf,
    /// The loop that becomes lanes.
    pub(super) lane: Lane,
    /// Rows of lanes that have been loaded before a loop in which they do not change.
    pub(super) held: Held,
    /// The group of rows that is computed, if it is not all rows.
    group: Option<Group>,
}

/// Some of the rows of a block.
#[derive(Clone)]
struct Group {
    /// The variable of the part of blocks that numbers all rows.
    part: Var,
    /// The variable of the rows of the group, and their number.
    row: (Var, i64),
    /// The number of a row of the group among all rows.
    coordinate: Int,
}

/// The loop that becomes lanes.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Lane {
    /// The loop over an index.
    Index,
    /// A loop over a part of blocks: its variable, and its size.
    Block(Var, i64),
}

/// The pass for one version of the loops.
pub(super) struct Strips<'k> {
    pub(super) kernel: &'k mut Kernel,
    /// The variables that may be negative.
    pub(super) signed: &'k BTreeSet<Var>,
    /// Whether the sizes of blocks divide those of their indices.
    pub(super) exact: bool,
    /// The variables for the first coordinate of a strip and for the lane, once they exist.
    pub(super) first: Option<Var>,
    pub(super) lane: Option<Var>,
    /// The variables for a group of rows and for a row of it, once they exist.
    pub(super) group: Option<(Var, Var)>,
    /// The variable for a chunk of consecutive lanes of a long row of a block, once it exists.
    pub(super) chunk: Option<Var>,
}

impl Strips<'_> {
    /// Turns a block into strips if it has dense innermost loops that all add to the same positions.
    pub(super) fn block(&mut self, block: &Body) -> Body {
        if let Some((strip, base)) = self.find(block) {
            return self.strips(&strip, &base, block);
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

    /// The first position that the strip of a block writes, its number of rows, and the width of the rows if the width is the size
    /// of an index.
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
                // Lanes must be adjacent in the output, or be summed.
                let Lane::Block(var, size) = lane else { return true };
                let own = target.coefficients.contains_key(var);
                !(target.strides.contains_key(var) || own && *size > BLOCK_LANES)
            })?,
        };
        let strip = Strip { leaf: first.clone(), lane, held: Vec::new(), group: None };
        let fits = strip.rows() <= MAX_ROWS || strip.long_part(self.group_size(&strip)).is_some();
        fits.then_some((strip, target.rest))
    }

    /// Collects the leaves of a statement; returns false if the statement uses the output in any other way.
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

    /// The strips of a block: of all rows at once or, if there are many, of one group of rows after another.
    fn strips(&mut self, strip: &Strip, base: &Int, block: &Body) -> Body {
        let rows = self.group_size(strip);
        let Some((part, size)) = strip.long_part(rows) else {
            return alloc::vec![self.strip(strip, base, None, block)];
        };
        let (group, row) = self.group_vars();
        let (full, rest) = (size / rows, size % rows);
        let number = match rows {
            1 => Int::Var(group),
            _ => Int::Var(group).times(Int::Const(rows)).plus(Int::Var(row)),
        };
        let mut groups = alloc::vec![(rows, number, Some((group, full)))];
        if rest > 0 {
            groups.push((rest, Int::Const(size - rest).plus(Int::Var(row)), None));
        }
        let mut strips = Vec::new();
        for (rows, coordinate, groups) in groups {
            let leaf = strip.leaf.clone().grouped(part, (row, rows), &coordinate);
            let Some(target) = leaf.target() else { continue };
            let group = Some(Group { part, row: (row, rows), coordinate });
            let strip = Strip { leaf, lane: strip.lane, held: Vec::new(), group };
            strips.push(self.strip(&strip, &target.rest, groups, block));
        }
        strips
    }

    /// The number of rows of a group.
    fn group_size(&self, strip: &Strip) -> i64 {
        match strip.lane {
            // The rows share only the loads of a part of the vector, which stays in the L1 cache.
            Lane::Block(..) if strip.rows() > GROUP => 1,
            _ => GROUP,
        }
    }

    /// The strip: sums that are initialized before the loops and written after them.
    fn strip(
        &mut self,
        strip: &Strip,
        base: &Int,
        groups: Option<(Var, i64)>,
        block: &Body,
    ) -> Stmt {
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
                let size = size.min(BLOCK_LANES);
                (Lanes::Block { size }, Stmt::Store { at, reduce: true, value })
            }
            (Lane::Index, lanes) => {
                let to = lanes.as_ref().map_or(Int::Const(0), |(_, to)| to.clone());
                let several = (2..=GROUP).contains(&rows);
                let line = if several { ROW_BYTES / self.kernel.sum_bytes } else { NARROW };
                let widest = (WIDEST / rows).max(line).max(NARROW);
                // 10 lanes do not divide the runs of a layout, so the number is rounded down to a power of two.
                let packed =
                    |operand: &KernelOperand| matches!(operand.storage, Storage::Tiled { .. });
                let widest = match self.kernel.operands.iter().any(packed) {
                    true => 1 << widest.ilog2(),
                    false => widest,
                };
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
        Stmt::Strips { lanes, rows, groups, body }
    }

    /// A statement within a strip.
    fn within(&mut self, strip: &Strip, stmt: &Stmt, block: &mut Body) {
        if let Some(leaf) = strip.leaf_of(stmt, self.exact) {
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

    pub(super) fn chunk_var(&mut self) -> Var {
        *self.chunk.get_or_insert_with(|| super::var(self.kernel, "chunk"))
    }

    /// A group of rows, and a row of it.
    fn group_vars(&mut self) -> (Var, Var) {
        *self.group.get_or_insert_with(|| {
            (super::var(self.kernel, "group"), super::var(self.kernel, "row"))
        })
    }
}

/// Wraps a block in loops over parts of blocks.
pub(super) fn nest(vars: &[(Var, i64)], inner: Body) -> Body {
    vars.iter().rev().fold(inner, |body, (var, size)| {
        alloc::vec![Stmt::Range { var: *var, to: Int::Const(*size), hint: Hint::default(), body }]
    })
}

/// Whether part of a statement runs only if a number that does not change in the statement is within bounds. If the number is out
/// of bounds, the sums may have no position.
fn is_checked(stmt: &Stmt, moves: &dyn Fn(&Int) -> bool) -> bool {
    stmt.any(&mut |stmt| match stmt {
        Stmt::Inside { value, otherwise, .. } => otherwise.is_empty() && !moves(value),
        _ => false,
    })
}

impl Strip {
    /// The part of blocks that numbers the rows, and its size, if the size is larger than `rows`.
    fn long_part(&self, rows: i64) -> Option<(Var, i64)> {
        match self.row_vars()[..] {
            [(part, size)] if size > rows => Some((part, size)),
            _ => None,
        }
    }

    /// The loops that start with a statement, over the rows of the group.
    pub(super) fn leaf_of(&self, stmt: &Stmt, exact: bool) -> Option<Leaf> {
        let leaf = Leaf::of(stmt, exact)?;
        Some(match &self.group {
            Some(group) => leaf.grouped(group.part, group.row, &group.coordinate),
            None => leaf,
        })
    }

    /// The loops over parts of blocks that number positions of the output, without the loop that becomes lanes.
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

    /// The position at which a row is written, if the first row is at `base`.
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
