//! Runs a reduction over storage.

use super::op::Op;
use crate::index_map::IndexMap;
use crate::kernel::blocks::{Blocks, Inside, LANES, Place};
use crate::kernel::simd;
use crate::kernel::source::Source;
use alloc::vec;
use alloc::vec::Vec;

/// Elements that a lane takes before it is carried to its total.
const CARRY: usize = 256;
/// Bytes for the lanes of a window: half of the smallest nearest cache leaves room for what streams through.
const LANE_BYTES: usize = 8 << 10;

/// Reduces all dimensions but those whose bits are set in `kept`. The result has these, row-major.
pub(super) fn reduce<H: Copy, S: Source<H>, O: Op<H>>(
    map: &IndexMap,
    kept: u8,
    source: S,
    op: &O,
) -> Vec<O::Total> {
    let is_kept = |dim: &usize| kept >> dim & 1 == 1;
    let len = (0..map.rank()).filter(is_kept).map(|dim| map.bound(dim)).product();
    let mut out = vec![op.total(); len];
    if (0..map.rank()).any(|dim| map.bound(dim) == 0) {
        return out;
    }
    let max_slots = LANE_BYTES / (LANES * size_of::<O::Lane>().max(1));
    match Blocks::new(map, kept, max_slots.max(1)) {
        Some(blocks) => Reduction::new(&blocks, source, op).run(&mut out),
        None => one_by_one(map, kept, &source, op, &mut out),
    }
    out
}

/// The same for layouts that do not fall into blocks.
fn one_by_one<H: Copy, S: Source<H>, O: Op<H>>(
    map: &IndexMap,
    kept: u8,
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
    source: S,
    op: &'a O,
    lanes: Vec<[O::Lane; LANES]>,
    totals: Vec<[O::Total; LANES]>,
    /// Positions of the lanes of a block among the dimensions that are reduced.
    passed: [usize; LANES],
    /// Elements that a lane holds at most.
    held: usize,
}

impl<'a, H: Copy, S: Source<H>, O: Op<H>> Reduction<'a, S, O, H> {
    fn new(blocks: &'a Blocks, source: S, op: &'a O) -> Self {
        Self {
            blocks,
            source,
            op,
            lanes: vec![[op.lane(); LANES]; blocks.slots.len()],
            totals: vec![[op.total(); LANES]; blocks.slots.len()],
            passed: blocks.lanes.map(|lane| lane.passed),
            held: 0,
        }
    }

    fn run(&mut self, out: &mut [O::Total]) {
        let blocks = self.blocks;
        blocks.for_each_group(|group| {
            blocks.for_each_step(group, |window| {
                if self.held + blocks.folds.len() > CARRY {
                    self.carry();
                }
                self.held += blocks.folds.len();
                simd::run(|| self.window(&window));
            });
            self.carry();
            self.give(&group, out);
        });
    }

    #[inline(always)]
    fn window(&mut self, window: &Place) {
        if !self.blocks.is_full(window, self.source.len(), false) {
            return self.ragged(window);
        }
        for (slot, lanes) in self.blocks.slots.iter().zip(&mut self.lanes) {
            let mut gathered = *lanes;
            for fold in &self.blocks.folds {
                let at = window.passed + slot.passed + fold.passed;
                let Some(block) = self.source.block(window.offset + slot.offset + fold.offset)
                else {
                    break;
                };
                for lane in 0..LANES {
                    let at = at + self.passed[lane];
                    gathered[lane] = self.op.step(gathered[lane], block[lane], at);
                }
            }
            *lanes = gathered;
        }
    }

    /// A window with padding.
    #[inline(always)]
    fn ragged(&mut self, window: &Place) {
        for (slot, lanes) in self.blocks.slots.iter().zip(&mut self.lanes) {
            for fold in &self.blocks.folds {
                let offset = window.offset + slot.offset + fold.offset;
                let at = window.passed + slot.passed + fold.passed;
                match (self.blocks.inside(window, slot, fold), self.source.block(offset)) {
                    (Inside::All, Some(block)) => {
                        for lane in 0..LANES {
                            let at = at + self.passed[lane];
                            lanes[lane] = self.op.step(lanes[lane], block[lane], at);
                        }
                    }
                    (Inside::Some(mask), _) => {
                        for lane in (0..LANES).filter(|&lane| mask[lane]) {
                            let at = at + self.passed[lane];
                            lanes[lane] =
                                self.op.step(lanes[lane], self.source.one(offset + lane), at);
                        }
                    }
                    _ => {}
                }
            }
        }
    }

    /// Carries the lanes to their totals.
    fn carry(&mut self) {
        for (totals, lanes) in self.totals.iter_mut().zip(&mut self.lanes) {
            for (total, lane) in totals.iter_mut().zip(lanes) {
                *total = self.op.merge(*total, self.op.carry(*lane));
                *lane = self.op.lane();
            }
        }
        self.held = 0;
    }

    /// Gives the totals of a group to the result.
    fn give(&mut self, group: &Place, out: &mut [O::Total]) {
        let blocks = self.blocks;
        let full = blocks.is_full_of_kept(group);
        let each = blocks.parallel;
        for (slots, totals) in blocks.slots.chunks(each).zip(self.totals.chunks_mut(each)) {
            let mut merged = [self.op.total(); LANES];
            for totals in totals {
                for (merged, total) in merged.iter_mut().zip(totals) {
                    *merged = self.op.merge(*merged, *total);
                    *total = self.op.total();
                }
            }
            let mut given = LANES;
            while blocks.uniform && given > 1 {
                given /= 2;
                for lane in 0..given {
                    merged[lane] = self.op.merge(merged[lane], merged[lane + given]);
                }
            }
            for (lane, total) in blocks.lanes[..given].iter().zip(merged) {
                if full || blocks.keeps(group, &slots[0], lane) {
                    let to = &mut out[group.kept + slots[0].kept + lane.kept];
                    *to = self.op.merge(*to, total);
                }
            }
        }
    }
}
