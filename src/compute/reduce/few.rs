//! Reductions of a few tiles, whose runs are long: loops over runs, without the set-up that blocks need.

use super::engine::CARRY;
use super::op::Op;
use crate::compute::runs::{Longest, runs};
use crate::cpu::{self, Work};
use crate::typed::entry::Const;
use crate::typed::sizes::is_bounded;
use crate::typed::{Host, Layout};
use core::marker::PhantomData;

/// Elements that are accumulated independently.
const LANES: usize = 16;

/// Elements of an array that has so few: the set-up of blocks takes as long as to sum them.
const MOST: usize = 4096;

/// Whether an array is that small, and its runs that long.
pub(in crate::compute) const fn is_few<L: Layout>() -> bool {
    let map = Const::<L>::SPEC.map();
    let run = Longest::of(map).len;
    map.len() <= MOST && run >= 4 * LANES && run <= CARRY * LANES && !is_bounded::<L>()
}

/// How far the elements of a run are from each other among the dimensions whose bits are set in `dims`, and the position
/// of its first one there.
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

/// Reduces all dimensions but those whose bits are set in `kept` into `out`, which has these, row-major.
pub(super) fn reduce<L: Layout, O: Op<Host<L>>>(
    kept: u16,
    elements: &[Host<L>],
    op: &O,
    out: &mut [O::Total],
) {
    cpu::run(Few { kept, elements, op, out, layout: PhantomData::<L> });
}

struct Few<'a, L: Layout, O: Op<Host<L>>> {
    kept: u16,
    elements: &'a [Host<L>],
    op: &'a O,
    out: &'a mut [O::Total],
    layout: PhantomData<L>,
}

impl<L: Layout, O: Op<Host<L>>> Work for Few<'_, L, O> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { kept, elements, op, out, .. } = self;
        // What has been gathered for one result, and how many elements a lane holds of it at most.
        let (mut lanes, mut gathered, mut held) = ([op.lane(); LANES], 0, 0);
        for (index, offset, len) in runs::<L>(L::DIMS) {
            let run = &elements[offset..][..len];
            let ((to, to_step), (at, at_step)) =
                (position::<L>(kept, &index), position::<L>(!kept, &index));
            if to_step == 0 {
                let more = len.div_ceil(LANES);
                if held > 0 && (to != gathered || held + more > CARRY) {
                    give(op, &mut lanes, &mut out[gathered]);
                    held = 0;
                }
                gathered = to;
                held += more;
                let (blocks, rest) = run.as_chunks::<LANES>();
                for (i, block) in blocks.iter().enumerate() {
                    for lane in 0..LANES {
                        let at = at + (i * LANES + lane) * at_step;
                        lanes[lane] = op.step(lanes[lane], block[lane], at);
                    }
                }
                for (i, x) in rest.iter().enumerate() {
                    let at = at + (blocks.len() * LANES + i) * at_step;
                    lanes[i] = op.step(lanes[i], *x, at);
                }
            } else if to_step == 1 {
                for (total, x) in out[to..][..len].iter_mut().zip(run) {
                    *total = op.merge(*total, op.carry(op.step(op.lane(), *x, at)));
                }
            } else {
                for (total, x) in out[to..].iter_mut().step_by(to_step).zip(run) {
                    *total = op.merge(*total, op.carry(op.step(op.lane(), *x, at)));
                }
            }
        }
        if held > 0 {
            give(op, &mut lanes, &mut out[gathered]);
        }
    }
}

/// Empties the lanes into a result.
#[inline(always)]
fn give<H, O: Op<H>>(op: &O, lanes: &mut [O::Lane; LANES], to: &mut O::Total) {
    for lane in lanes {
        *to = op.merge(*to, op.carry(*lane));
        *lane = op.lane();
    }
}
