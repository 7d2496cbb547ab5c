//! Reductions of small arrays with long runs, such as a tile: loops over runs, without the set-up that blocks need.

use super::engine::CARRY;
use super::lanes::{total_of, total_of_each};
use super::op::Op;
use crate::compute::runs::{Longest, runs};
use crate::cpu::{self, Work};
use crate::typed::entry::Const;
use crate::typed::sizes::is_bounded;
use crate::typed::{Host, Layout};
use core::marker::PhantomData;

/// The number of elements that are accumulated independently if there are several results.
const LANES: usize = 16;

/// The number of runs whose lanes are added up at once: the rows of a tile.
const ROWS: usize = 8;

/// The number of lanes if all elements belong to one result: two or more registers of `f32`, so that an addition need not wait for
/// the one before.
const ALL_LANES: usize = 32;

/// The number of results that are accumulated at once if a run crosses them: the columns of a tile.
const ACROSS: usize = 128;

/// The largest number of elements of a small array: setting up blocks takes as long as summing them.
const MAX_ELEMENTS: usize = 4096;

/// The same for a broadcast, which combines nothing: the set-up of blocks is noticeable while caches contain the array.
const MAX_TO_WRITE: usize = 1 << 16;

/// Whether an array is small enough, and its runs are long enough.
pub(super) const fn is_small<L: Layout>() -> bool {
    Const::<L>::SPEC.map().len() <= MAX_ELEMENTS && goes_by_runs::<L>()
}

/// Whether a broadcast uses the runs of an array instead of blocks.
pub(in crate::compute) const fn goes_by_runs<L: Layout>() -> bool {
    let map = Const::<L>::SPEC.map();
    let run = Longest::of(map).len;
    map.len() <= MAX_TO_WRITE && run >= 4 * LANES && run <= CARRY * LANES && !is_bounded::<L>()
}

/// The position of the first element of a run in the dimensions whose bits are set in `dims`, and the distance between its
/// elements there.
///
/// For index `[1, 2, 0]` of an array of 2 x 4 x 8 elements with runs along dimension 2, the two are 2 * 8 + 0 = 16 and 1 in
/// dimensions 1 and 2, and 2 and 0 in dimension 1 alone.
#[inline(always)]
pub(in crate::compute) fn position<L: Layout>(dims: u16, index: &L::Index) -> (usize, usize) {
    let along = const { Longest::of(Const::<L>::SPEC.map()).dim };
    let (mut at, mut step, mut stride) = (0, 0, 1);
    for dim in (0..L::RANK).rev().filter(|dim| dims >> dim & 1 == 1) {
        if dim == along {
            step = stride;
        }
        at += index.as_ref()[dim] * stride;
        stride *= L::DIMS.as_ref()[dim];
    }
    (at, step)
}

/// Reduces all dimensions except those whose bits are set in `kept` into `out`, which has these dimensions, in row-major order.
pub(super) fn reduce<L: Layout, O: Op<Host<L>>>(
    kept: u16,
    elements: &[Host<L>],
    op: &O,
    out: &mut [O::Total],
) {
    cpu::run(SmallReduction { kept, elements, op, out, layout: PhantomData::<L> });
}

struct SmallReduction<'a, L: Layout, O: Op<Host<L>>> {
    kept: u16,
    elements: &'a [Host<L>],
    op: &'a O,
    out: &'a mut [O::Total],
    layout: PhantomData<L>,
}

impl<L: Layout, O: Op<Host<L>>> Work for SmallReduction<'_, L, O> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        match position::<L>(self.kept, &L::Index::default()).1 {
            0 if self.kept == 0 => self.in_all(),
            0 => self.along(),
            1 => self.across(),
            step => self.apart(step),
        }
    }
}

impl<L: Layout, O: Op<Host<L>>> SmallReduction<'_, L, O> {
    /// All elements belong to one result.
    #[inline(always)]
    fn in_all(self) {
        let Self { elements, op, out, .. } = self;
        let (mut lanes, mut held) = ([op.lane(); ALL_LANES], 0);
        // In memory, because LLVM would keep each lane in a register of its own and add them one by one.
        let lanes = core::hint::black_box(&mut lanes);
        for (index, offset, len) in runs::<L>(L::DIMS) {
            let run = &elements[offset..][..len];
            let (at, at_step) = position::<L>(u16::MAX, &index);
            let more = len.div_ceil(ALL_LANES);
            if held + more > CARRY {
                give_all(op, lanes, &mut out[0]);
                held = 0;
            }
            held += more;
            let (blocks, rest) = run.as_chunks::<ALL_LANES>();
            let mut sums = *lanes;
            for (i, block) in blocks.iter().enumerate() {
                for lane in 0..ALL_LANES {
                    let at = at + (i * ALL_LANES + lane) * at_step;
                    sums[lane] = op.step(sums[lane], block[lane], at);
                }
            }
            *lanes = sums;
            for (i, x) in rest.iter().enumerate() {
                let at = at + (blocks.len() * ALL_LANES + i) * at_step;
                lanes[i] = op.step(lanes[i], *x, at);
            }
        }
        give_all(op, lanes, &mut out[0]);
    }

    /// The elements of a run belong to one result.
    #[inline(always)]
    fn along(self) {
        let Self { kept, elements, op, out, .. } = self;
        let (mut rows, mut positions, mut held) = ([[op.lane(); LANES]; ROWS], [0; ROWS], 0);
        for (index, offset, len) in runs::<L>(L::DIMS) {
            let run = &elements[offset..][..len];
            let ((to, _), (at, at_step)) =
                (position::<L>(kept, &index), position::<L>(!kept, &index));
            let (blocks, rest) = run.as_chunks::<LANES>();
            let mut sums = [op.lane(); LANES];
            for (i, block) in blocks.iter().enumerate() {
                for lane in 0..LANES {
                    let at = at + (i * LANES + lane) * at_step;
                    sums[lane] = op.step(sums[lane], block[lane], at);
                }
            }
            let mut lanes = sums;
            for (i, x) in rest.iter().enumerate() {
                let at = at + (blocks.len() * LANES + i) * at_step;
                lanes[i] = op.step(lanes[i], *x, at);
            }
            if O::POSITIONS {
                // Codes are compared one by one, because they are too wide for pairs to help.
                out[to] = lanes.iter().fold(out[to], |to, lane| op.merge(to, op.carry(*lane)));
                continue;
            }
            if held == ROWS {
                give_rows(op, &mut rows, &positions, out);
                held = 0;
            }
            (rows[held], positions[held]) = (lanes, to);
            held += 1;
        }
        give_rows(op, &mut rows[..held], &positions, out);
    }

    /// The elements of a run belong to consecutive results. Those of the rows of a tile are accumulated before they are carried
    /// to the totals, which are wider.
    #[inline(always)]
    fn across(self) {
        let Self { kept, elements, op, out, .. } = self;
        let (mut lanes, mut gathered, mut held) = ([op.lane(); ACROSS], (0, 0), 0);
        for (index, offset, len) in runs::<L>(L::DIMS) {
            let run = &elements[offset..][..len];
            let ((to, _), (at, _)) = (position::<L>(kept, &index), position::<L>(!kept, &index));
            if len > ACROSS {
                for (total, x) in out[to..][..len].iter_mut().zip(run) {
                    *total = op.merge(*total, op.carry(op.step(op.lane(), *x, at)));
                }
                continue;
            }
            if held > 0 && (gathered != (to, len) || held == CARRY) {
                give_each(op, &mut lanes, &mut out[gathered.0..][..gathered.1]);
                held = 0;
            }
            gathered = (to, len);
            held += 1;
            for (lane, x) in lanes.iter_mut().zip(run) {
                *lane = op.step(*lane, *x, at);
            }
        }
        if held > 0 {
            give_each(op, &mut lanes, &mut out[gathered.0..][..gathered.1]);
        }
    }

    /// The elements of a run belong to results that are `step` apart.
    #[inline(always)]
    fn apart(self, step: usize) {
        let Self { kept, elements, op, out, .. } = self;
        for (index, offset, len) in runs::<L>(L::DIMS) {
            let ((to, _), (at, _)) = (position::<L>(kept, &index), position::<L>(!kept, &index));
            let run = &elements[offset..][..len];
            for (total, x) in out[to..].iter_mut().step_by(step).zip(run) {
                *total = op.merge(*total, op.carry(op.step(op.lane(), *x, at)));
            }
        }
    }
}

/// Adds the lanes of each row to its result.
#[inline(always)]
fn give_rows<H, O: Op<H>>(
    op: &O,
    rows: &mut [[O::Lane; LANES]],
    positions: &[usize; ROWS],
    out: &mut [O::Total],
) {
    // In memory, as above.
    let rows = core::hint::black_box(rows);
    total_of_each::<_, _, LANES, ROWS>(op, rows, |row, total| {
        let to = &mut out[positions[row]];
        *to = op.merge(*to, total);
    });
}

/// Empties the lanes into one result.
#[inline(always)]
fn give_all<H, O: Op<H>>(op: &O, lanes: &mut [O::Lane; ALL_LANES], to: &mut O::Total) {
    *to = op.merge(*to, total_of(op, lanes));
    *lanes = [op.lane(); ALL_LANES];
}

/// Empties each lane into a result of its own.
#[inline(always)]
fn give_each<H, O: Op<H>>(op: &O, lanes: &mut [O::Lane; ACROSS], to: &mut [O::Total]) {
    for (to, lane) in to.iter_mut().zip(lanes) {
        *to = op.merge(*to, op.carry(*lane));
        *lane = op.lane();
    }
}
