//! Storage as blocks of lanes, with which kernels that depend on the index traverse an array of any layout at the speed of
//! memory.
//!
//! Some dimensions are *kept* (a reduction's result has them, a broadcast operand has them), and the others are *passed*.
//! Storage is the parts of the index map in row-major order, so the most minor parts are contiguous, however many they are, and
//! what they add to the index does not depend on the other parts. The most minor parts make a block of [`LANES`] elements. The
//! next ones make a window of blocks, from kept parts (*slots*: each has lanes of its own to accumulate in) and passed parts
//! (*folds*: blocks that are accumulated in the same slot). The rest are loops around the window, with kept parts outermost.
//!
//! The sum over the columns of `f32[1000,300]{1,0:T(8,128)}` keeps rows. Its parts, major to minor, are 125 tiles down, 3
//! across, 8 rows, 128 columns. Columns 0 to 31 make the block. The other 4 steps of the 128 columns are folds, and the 8 rows
//! are slots: a window is a tile of 32 blocks, and sums them into 8 slots of 32 lanes. The 3 tiles across are the steps of a
//! group, and the 125 tiles down are the groups, after each of which 8 sums are complete. The last tile across has 44 columns,
//! so its blocks are checked one by one.

use super::memory::{NoMemory, reserved};
use alloc::vec::Vec;
use layout_core::parts::{IndexMap, MAX_PARTS, Part};

/// The number of elements of a block. They are contiguous in storage.
pub(super) const LANES: usize = 32;
/// The number of blocks for which a window is worth its set-up: 1024 elements, a tile.
const WINDOW: usize = 32;
/// The number of slots that are accumulated alternately, so that an addition need not wait for the one before.
const PARALLEL: usize = 4;
/// The largest number of dimensions: each further dimension would make every step slower.
const MAX_RANK: usize = 8;
/// The dimensions, and the value that is always zero.
const VALUES: usize = MAX_RANK + 1;
const ZERO: usize = MAX_RANK;
/// The parts, and the loop that leads out of the array.
const MAX_LOOPS: usize = MAX_PARTS + 1;

/// The position of an element or a block, or the difference between two.
#[derive(Clone, Copy, Default)]
pub(super) struct Position {
    /// The offset in elements from the start of storage.
    pub(super) offset: usize,
    /// The row-major position in the kept dimensions.
    pub(super) kept: usize,
    /// The row-major position in the passed dimensions.
    pub(super) passed: usize,
    /// The index, padding included.
    at: [usize; VALUES],
}

impl Position {
    #[inline(always)]
    fn plus(mut self, other: &Self) -> Self {
        self.offset += other.offset;
        self.kept += other.kept;
        self.passed += other.passed;
        self.at.iter_mut().zip(other.at).for_each(|(a, b)| *a += b);
        self
    }

    #[inline(always)]
    fn minus(mut self, other: &Self) -> Self {
        self.offset -= other.offset;
        self.kept -= other.kept;
        self.passed -= other.passed;
        self.at.iter_mut().zip(other.at).for_each(|(a, b)| *a -= b);
        self
    }

    #[inline(always)]
    fn times(mut self, n: usize) -> Self {
        self.offset *= n;
        self.kept *= n;
        self.passed *= n;
        self.at.iter_mut().for_each(|a| *a *= n);
        self
    }
}

/// A part, or a piece of one.
#[derive(Clone, Copy)]
struct Loop {
    y: usize,
    size: usize,
    step: Position,
    /// Whether a step past the size leads to an element of another loop; otherwise it leads out of the array.
    exact: bool,
}

impl Loop {
    /// Splits off the most minor `size` steps, or fewer if the split must be exact.
    fn split(self, size: usize) -> (Self, Self) {
        let size = size.min(self.size);
        let size = if self.exact {
            (1..=size).rev().find(|&size| self.size.is_multiple_of(size)).unwrap_or(1)
        } else {
            size
        };
        self.cut(size)
    }

    fn cut(self, size: usize) -> (Self, Self) {
        let outer = Self { size: self.size.div_ceil(size), step: self.step.times(size), ..self };
        (Self { size, exact: self.exact || outer.size > 1, ..self }, outer)
    }
}

/// The blocks of an array.
pub(super) struct Blocks {
    bounds: [usize; VALUES],
    kept: u16,
    /// The lanes of a block.
    pub(super) lanes: [Position; LANES],
    /// Whether all lanes of a block have the same position in the kept dimensions.
    pub(super) uniform: bool,
    /// The number of lanes after which their positions in the kept dimensions repeat: 2 for rows of pairs, of which each row
    /// is kept.
    pub(super) period: usize,
    /// The slots of a window: [`parallel`](Self::parallel) consecutive slots for each position in the kept dimensions.
    pub(super) slots: Vec<Position>,
    pub(super) parallel: usize,
    pub(super) folds: Vec<Position>,
    /// The number of slots that are consecutive in storage before the next fold.
    pub(super) run: usize,
    /// The number of stored elements from the first of a window to the last.
    span: usize,
    /// The distance from the first block and lane of a window to the last.
    reach: [usize; VALUES],
    /// The distance from the first lane of a block to the last.
    lane_reach: [usize; VALUES],
    groups: Vec<Loop>,
    steps: Vec<Loop>,
}

/// How much of a block is within the array.
pub(super) enum Inside {
    All,
    None,
    Some([bool; LANES]),
}

impl Blocks {
    /// The blocks of an array, with at most `max_slots` slots for a window. Bit `d` of `kept` is set if dimension `d` is kept.
    /// `None` if storage cannot be divided into blocks: there are too many dimensions, they are combined, or the sizes of tiles
    /// have no power of two in common with a block.
    pub(super) fn new(
        map: &IndexMap,
        kept: u16,
        max_slots: usize,
    ) -> Result<Option<Self>, NoMemory> {
        if !map.terms().is_empty() || map.rank() > MAX_RANK {
            return Ok(None);
        }
        let mut bounds = [1; VALUES];
        bounds[..map.rank()].iter_mut().enumerate().for_each(|(dim, size)| *size = map.bound(dim));
        let mut blocks = Self {
            bounds,
            // The value that is always zero is passed.
            kept: kept & ((1 << ZERO) - 1),
            lanes: [Position::default(); LANES],
            uniform: true,
            period: 1,
            slots: Vec::new(),
            parallel: 1,
            folds: Vec::new(),
            run: 1,
            span: 0,
            reach: [0; VALUES],
            lane_reach: [0; VALUES],
            groups: Vec::new(),
            steps: Vec::new(),
        };
        let mut rest = blocks.loops(map)?;
        if blocks.make_lanes(&mut rest).is_none() {
            return Ok(None);
        }
        blocks.period = blocks.period_of_lanes();
        blocks.make_window(rest, max_slots)?;
        Ok(Some(blocks))
    }

    fn is_kept(&self, y: usize) -> bool {
        self.kept >> y & 1 == 1
    }

    /// The parts as loops, major to minor, after one that leads out of the array, for arrays smaller than a block.
    fn loops(&self, map: &IndexMap) -> Result<Vec<Loop>, NoMemory> {
        let mut strides = [0; VALUES];
        let mut sizes = [1, 1];
        for dim in (0..map.rank()).rev() {
            let size = &mut sizes[usize::from(self.is_kept(dim))];
            strides[dim] = *size;
            *size *= self.bounds[dim];
        }
        let outside = Part { source: ZERO, stride: map.len(), ..Part::UNIT };
        let parts = map.parts().iter().filter(|part| part.size > 1);
        let mut loops = reserved(1 + map.parts().len())?;
        loops.extend(core::iter::once(&outside).chain(parts).map(|part| {
            let y = if part.source < map.rank() { part.source } else { ZERO };
            let mut step = Position { offset: part.stride, ..Position::default() };
            step.at[y] = part.div;
            if self.is_kept(y) {
                step.kept = part.div * strides[y];
            } else {
                step.passed = part.div * strides[y];
            }
            Loop { y, size: part.size, step, exact: part.wrap }
        }));
        Ok(loops)
    }

    fn make_lanes(&mut self, rest: &mut Vec<Loop>) -> Option<()> {
        let mut made = 1;
        while made < LANES {
            let each = rest.pop()?;
            let wanted = LANES / made;
            let size = if wanted.is_multiple_of(each.size) && each.size > 1 {
                each.size
            } else if !each.exact || each.size.is_multiple_of(wanted) {
                wanted
            } else {
                return None;
            };
            let (inner, outer) = each.cut(size);
            for lane in made..made * size {
                self.lanes[lane] = self.lanes[lane - made].plus(&inner.step);
            }
            self.uniform &= !self.is_kept(each.y);
            self.lane_reach[each.y] += (size - 1) * each.step.at[each.y];
            made *= size;
            if outer.size > 1 {
                rest.push(outer);
            }
        }
        Some(())
    }

    /// See [`Blocks::period`]; a power of two.
    fn period_of_lanes(&self) -> usize {
        let mut period = 1;
        while !self.uniform
            && period < LANES
            && (period..LANES).any(|lane| self.lanes[lane].kept != self.lanes[lane - period].kept)
        {
            period *= 2;
        }
        period
    }

    fn make_window(&mut self, mut rest: Vec<Loop>, max_slots: usize) -> Result<(), NoMemory> {
        // One more slot, for slots with the same position.
        let (mut slots, mut folds) = (reserved(rest.len() + 1)?, reserved(rest.len())?);
        let (mut slot_count, mut fold_count) = (1, 1);
        while let Some(each) = rest.pop() {
            if each.size == 1 {
                continue;
            }
            let most = if self.is_kept(each.y) {
                max_slots / slot_count
            } else if slot_count * fold_count < WINDOW {
                WINDOW / fold_count
            } else {
                1
            };
            let (inner, outer) = each.split(most.max(1));
            if self.is_kept(each.y) {
                slots.insert(0, inner);
                slot_count *= inner.size;
            } else {
                folds.insert(0, inner);
                fold_count *= inner.size;
            }
            if outer.size > 1 {
                rest.push(outer);
                break;
            }
        }
        // If only a few blocks can be accumulated independently, adds slots for the same position.
        if slot_count < PARALLEL
            && let Some(fold) = folds.first_mut()
        {
            let (inner, outer) = fold.split(fold.size.div_ceil(PARALLEL));
            *fold = inner;
            slots.push(outer);
            self.parallel = outer.size;
        }
        self.reach = self.lane_reach;
        for each in slots.iter().chain(&folds) {
            self.reach[each.y] += (each.size - 1) * each.step.at[each.y];
        }
        self.slots = all(&slots)?;
        self.folds = all(&folds)?;
        let fold = folds.iter().rev().find(|fold| fold.size > 1);
        self.run = fold.map_or(self.slots.len(), |fold| {
            self.slots.iter().take_while(|slot| slot.offset < fold.step.offset).count()
        });
        let last = |positions: &[Position]| positions.last().map_or(0, |position| position.offset);
        self.span = last(&self.slots) + last(&self.folds) + LANES;
        (self.groups, self.steps) = (reserved(rest.len())?, reserved(rest.len())?);
        for each in rest {
            match self.is_kept(each.y) {
                true => self.groups.push(each),
                false => self.steps.push(each),
            }
        }
        Ok(())
    }

    /// The first window of each position of the outer kept parts, in storage order.
    #[inline(always)]
    pub(super) fn groups(&self) -> Positions<'_> {
        Positions::new(&self.bounds, &self.groups, Position::default())
    }

    /// The windows of all groups that are `step` away from the first window of each, in the order of [`Blocks::groups`].
    #[inline(always)]
    pub(super) fn groups_at(&self, step: Position) -> Positions<'_> {
        Positions::new(&self.bounds, &self.groups, step)
    }

    /// Whether storage has a window of every group before the next window of any group: the columns of tiles are kept, and the
    /// rows are passed.
    pub(super) fn groups_alternate(&self) -> bool {
        match (self.groups.first(), self.steps.first()) {
            (Some(group), Some(step)) => step.step.offset > group.step.offset,
            _ => false,
        }
    }

    /// The windows of a group, in storage order.
    #[inline(always)]
    pub(super) fn steps(&self, group: Position) -> Positions<'_> {
        Positions::new(&self.bounds, &self.steps, group)
    }

    /// Whether a window contains only elements or, if not `exact`, also padding of kept dimensions. Its blocks are then within
    /// the `len` stored elements.
    #[inline(always)]
    pub(super) fn is_full(&self, window: &Position, len: usize, exact: bool) -> bool {
        window.offset + self.span <= len
            && (0..VALUES).all(|y| {
                (!exact && self.is_kept(y)) || window.at[y] + self.reach[y] < self.bounds[y]
            })
    }

    /// How much of a block is within the array.
    #[inline(always)]
    pub(super) fn inside(&self, window: &Position, slot: &Position, fold: &Position) -> Inside {
        let (mut all, mut left) = (true, [0; VALUES]);
        for (y, left) in left.iter_mut().enumerate() {
            let at = window.at[y] + slot.at[y] + fold.at[y];
            if at >= self.bounds[y] {
                return Inside::None;
            }
            *left = self.bounds[y] - at;
            all &= *left > self.lane_reach[y];
        }
        if all {
            return Inside::All;
        }
        Inside::Some(crate::cpu::array(|lane: usize| {
            self.lanes[lane].at.iter().zip(left).all(|(&at, left)| at < left)
        }))
    }

    /// Whether all slots and lanes of a group are within the array in the kept dimensions.
    #[inline(always)]
    pub(super) fn is_full_of_kept(&self, group: &Position) -> bool {
        (0..VALUES).all(|y| !self.is_kept(y) || group.at[y] + self.reach[y] < self.bounds[y])
    }

    /// Whether a lane is within the array in the kept dimensions.
    #[inline(always)]
    pub(super) fn keeps(&self, group: &Position, slot: &Position, lane: &Position) -> bool {
        (0..VALUES)
            .all(|y| !self.is_kept(y) || group.at[y] + slot.at[y] + lane.at[y] < self.bounds[y])
    }
}

/// The positions within the array that loops lead to; the most minor loop runs fastest.
pub(super) struct Positions<'a> {
    bounds: &'a [usize; VALUES],
    loops: &'a [Loop],
    digits: [usize; MAX_LOOPS],
    next: Option<Position>,
}

impl<'a> Positions<'a> {
    #[inline(always)]
    fn new(bounds: &'a [usize; VALUES], loops: &'a [Loop], start: Position) -> Self {
        Self { bounds, loops, digits: [0; MAX_LOOPS], next: Some(start) }
    }

    /// The position after `position`: the most minor loop with a value left advances, and the loops within it start again.
    #[inline(always)]
    fn after(&mut self, mut position: Position) -> Option<Position> {
        for (each, digit) in self.loops.iter().zip(&mut self.digits).rev() {
            position = position.plus(&each.step);
            *digit += 1;
            if *digit < each.size && position.at[each.y] < self.bounds[each.y] {
                return Some(position);
            }
            position = position.minus(&each.step.times(*digit));
            *digit = 0;
        }
        None
    }
}

impl Iterator for Positions<'_> {
    type Item = Position;

    #[inline(always)]
    fn next(&mut self) -> Option<Position> {
        let position = self.next?;
        self.next = self.after(position);
        Some(position)
    }
}

/// All positions that loops lead to; the most minor loop runs fastest.
fn all(loops: &[Loop]) -> Result<Vec<Position>, NoMemory> {
    let mut positions = reserved(loops.iter().map(|each| each.size).product())?;
    positions.push(Position::default());
    // In reverse: the positions of the minor loops repeat for each step of a major one.
    for each in loops.iter().rev() {
        let inner = positions.len();
        for i in inner..inner * each.size {
            positions.push(positions[i - inner].plus(&each.step));
        }
    }
    Ok(positions)
}
