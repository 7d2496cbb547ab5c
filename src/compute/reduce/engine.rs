//! Runs a reduction over storage.

use super::flat;
use super::lanes::{FOLDED, total_of, total_of_totals, totals_of_period};
use super::op::Op;
use crate::compute::blocks::{Blocks, Inside, LANES, Position};
use crate::compute::memory::{NoMemory, filled};
use crate::compute::source::Source;
use crate::cpu::{self, Work};
use alloc::vec::Vec;
use layout_core::parts::IndexMap;

/// The number of elements that a lane accumulates before it is carried to its total.
pub(super) const CARRY: usize = 256;
/// The bytes of the lanes of a window: half of the smallest L1 cache, which leaves room for the elements that are streamed
/// through it.
const LANE_BYTES: usize = 8 << 10;

/// Reduces all dimensions except those whose bits are set in `kept`. The result has these dimensions, in row-major order.
pub(super) fn reduce<H: Copy, S: Source<H>, O: Op<H>>(
    map: &IndexMap,
    kept: u16,
    source: S,
    op: &O,
) -> Result<Vec<O::Total>, NoMemory> {
    let is_kept = |dim: &usize| kept >> dim & 1 == 1;
    let len = (0..map.rank()).filter(is_kept).map(|dim| map.bound(dim)).product();
    let mut out = filled(op.total(), len)?;
    if (0..map.rank()).any(|dim| map.bound(dim) == 0) {
        return Ok(out);
    }
    if !O::POSITIONS && !(0..map.rank()).any(|dim| is_kept(&dim)) && flat::is_flat(map) {
        out[0] = flat::reduce(source, map.len(), op);
        return Ok(out);
    }
    let max_slots = LANE_BYTES / (LANES * size_of::<O::Lane>().max(1));
    match Blocks::new(map, kept, max_slots.max(1))? {
        Some(blocks) => cpu::run(Reduction::new(&blocks, source, op, &mut out)?),
        None => one_by_one(map, kept, &source, op, &mut out),
    }
    Ok(out)
}

/// The same for layouts that cannot be divided into blocks. If dimension 0 of a 2 x 3 array is kept, the element at `[1, 2]` is
/// added to element 1 of the result, and its position in the reduced dimensions is 2.
fn one_by_one<H: Copy, S: Source<H>, O: Op<H>>(
    map: &IndexMap,
    kept: u16,
    source: &S,
    op: &O,
    out: &mut [O::Total],
) {
    for offset in 0..map.len() {
        if let Some(index) = map.index(offset) {
            let (mut to, mut at) = (0, 0);
            for (dim, i) in index.iter().enumerate() {
                let position = if kept >> dim & 1 == 1 { &mut to } else { &mut at };
                *position = *position * map.bound(dim) + i;
            }
            let lane = op.step(op.lane(), source.one(offset), at);
            out[to] = op.merge(out[to], op.carry(lane));
        }
    }
}

struct Reduction<'a, S, O: Op<H>, H> {
    blocks: &'a Blocks,
    input: Input<'a, S, O>,
    out: &'a mut [O::Total],
    lanes: Vec<[O::Lane; LANES]>,
    totals: Vec<[O::Total; LANES]>,
    /// The largest number of elements in a lane.
    held: usize,
    /// Whether totals contain any elements.
    carried: bool,
}

/// Moves elements to the lanes.
struct Input<'a, S, O> {
    source: S,
    op: &'a O,
    /// The positions of the lanes of a block in the dimensions that are reduced.
    passed: [usize; LANES],
}

impl<S, O> Input<'_, S, O> {
    /// Accumulates a block.
    #[inline(always)]
    fn block<H: Copy>(&self, lanes: &mut [O::Lane; LANES], offset: usize, at: usize)
    where
        S: Source<H>,
        O: Op<H>,
    {
        if let Some(block) = self.source.block(offset) {
            for lane in 0..LANES {
                lanes[lane] = self.op.step(lanes[lane], block[lane], at + self.passed[lane]);
            }
        }
    }

    /// Accumulates the elements of a block whose lanes `mask` selects.
    #[inline(always)]
    fn masked<H: Copy>(
        &self,
        lanes: &mut [O::Lane; LANES],
        offset: usize,
        at: usize,
        mask: [bool; LANES],
    ) where
        S: Source<H>,
        O: Op<H>,
    {
        for lane in (0..LANES).filter(|&lane| mask[lane]) {
            let x = self.source.one(offset + lane);
            lanes[lane] = self.op.step(lanes[lane], x, at + self.passed[lane]);
        }
    }
}

impl<'a, H: Copy, S: Source<H>, O: Op<H>> Reduction<'a, S, O, H> {
    fn new(
        blocks: &'a Blocks,
        source: S,
        op: &'a O,
        out: &'a mut [O::Total],
    ) -> Result<Self, NoMemory> {
        Ok(Self {
            blocks,
            input: Input { source, op, passed: blocks.lanes.map(|lane| lane.passed) },
            out,
            lanes: filled([op.lane(); LANES], blocks.slots.len())?,
            totals: filled([op.total(); LANES], blocks.slots.len())?,
            held: 0,
            carried: false,
        })
    }

    #[inline(always)]
    fn window(&mut self, window: &Position) {
        let (blocks, input) = (self.blocks, &self.input);
        if !blocks.is_full(window, input.source.len(), !O::PADDING) {
            return self.ragged(window);
        }
        let runs = blocks.slots.chunks(blocks.run).zip(self.lanes.chunks_mut(blocks.run));
        for (slots, lanes) in runs {
            if let ([slot], [lanes]) = (slots, &mut *lanes) {
                // A copy, which the compiler keeps in registers.
                let mut gathered = *lanes;
                for fold in &blocks.folds {
                    let [offset, at] = block(window, slot, fold);
                    input.block(&mut gathered, offset, at);
                }
                *lanes = gathered;
            } else {
                // In the order of storage.
                for fold in &blocks.folds {
                    for (slot, lanes) in slots.iter().zip(&mut *lanes) {
                        let [offset, at] = block(window, slot, fold);
                        input.block(lanes, offset, at);
                    }
                }
            }
        }
    }

    /// A window with padding.
    #[inline(always)]
    fn ragged(&mut self, window: &Position) {
        for (slot, lanes) in self.blocks.slots.iter().zip(&mut self.lanes) {
            for fold in &self.blocks.folds {
                let [offset, at] = block(window, slot, fold);
                match self.blocks.inside(window, slot, fold) {
                    Inside::All => self.input.block(lanes, offset, at),
                    Inside::None => {}
                    Inside::Some(mask) => self.input.masked(lanes, offset, at, mask),
                }
            }
        }
    }

    /// Carries the lanes to their totals.
    #[inline(always)]
    fn carry(&mut self) {
        let op = self.input.op;
        for (totals, lanes) in self.totals.iter_mut().zip(&mut self.lanes) {
            for (total, lane) in totals.iter_mut().zip(lanes) {
                *total = op.merge(*total, op.carry(*lane));
                *lane = op.lane();
            }
        }
        (self.held, self.carried) = (0, true);
    }

    /// Adds the totals of a group to the result.
    #[inline(always)]
    fn give(&mut self, group: &Position) {
        let (blocks, op) = (self.blocks, self.input.op);
        if self.carried {
            self.carry();
        }
        let full = blocks.is_full_of_kept(group);
        for (i, slot) in blocks.slots.iter().enumerate().step_by(blocks.parallel) {
            let first = group.kept + slot.kept;
            let keeps = |lane: &Position| full || blocks.keeps(group, slot, lane);
            if blocks.uniform && blocks.parallel == 1 && !self.carried {
                // Without a copy.
                let total = total_of(op, &self.lanes[i]);
                self.lanes[i] = [op.lane(); LANES];
                if keeps(&blocks.lanes[0]) {
                    self.add(first + blocks.lanes[0].kept, total);
                }
                continue;
            }
            let mut totals = take(op, self.carried, &mut self.lanes[i], &mut self.totals[i]);
            for i in i + 1..i + blocks.parallel {
                let others = take(op, self.carried, &mut self.lanes[i], &mut self.totals[i]);
                for (total, other) in totals.iter_mut().zip(others) {
                    *total = op.merge(*total, other);
                }
            }
            if blocks.uniform {
                let total = total_of_totals(op, totals);
                if keeps(&blocks.lanes[0]) {
                    self.add(first + blocks.lanes[0].kept, total);
                }
            } else if full && blocks.period <= FOLDED {
                let totals = totals_of_period(op, totals, blocks.period);
                for (lane, total) in blocks.lanes[..blocks.period].iter().zip(totals) {
                    self.add(first + lane.kept, total);
                }
            } else {
                for (lane, total) in blocks.lanes.iter().zip(totals) {
                    if keeps(lane) {
                        self.add(first + lane.kept, total);
                    }
                }
            }
        }
        (self.held, self.carried) = (0, false);
    }

    /// Adds a total to an element of the result.
    #[inline(always)]
    fn add(&mut self, to: usize, total: O::Total) {
        let to = &mut self.out[to];
        *to = self.input.op.merge(*to, total);
    }
}

/// Empties a slot. The totals contain everything that was carried, if anything was.
#[inline(always)]
fn take<H, O: Op<H>>(
    op: &O,
    carried: bool,
    lanes: &mut [O::Lane; LANES],
    totals: &mut [O::Total; LANES],
) -> [O::Total; LANES] {
    if carried {
        core::mem::replace(totals, [op.total(); LANES])
    } else {
        // Not `map`, which may be compiled for the baseline instruction set only.
        let mut taken = [op.total(); LANES];
        for (total, lane) in taken.iter_mut().zip(&mut *lanes) {
            *total = op.carry(*lane);
        }
        *lanes = [op.lane(); LANES];
        taken
    }
}

impl<H: Copy, S: Source<H>, O: Op<H>> Work for Reduction<'_, S, O, H> {
    type Output = ();

    #[inline(always)]
    fn run(mut self) {
        let blocks = self.blocks;
        for group in blocks.groups() {
            for window in blocks.steps(group) {
                if self.held + blocks.folds.len() > CARRY {
                    self.carry();
                }
                self.held += blocks.folds.len();
                self.window(&window);
            }
            self.give(&group);
        }
    }
}

/// The offset of a block, and its position in the reduced dimensions.
#[inline(always)]
fn block(window: &Position, slot: &Position, fold: &Position) -> [usize; 2] {
    [window.offset + slot.offset + fold.offset, window.passed + slot.passed + fold.passed]
}
