//! Reductions of all elements of an array without padding: one loop over storage.

use super::engine::CARRY;
use super::lanes::total_of;
use super::op::Op;
use crate::compute::blocks::LANES as BLOCK;
use crate::compute::source::Source;
use crate::cpu::{self, Work};
use core::hint::black_box;
use core::marker::PhantomData;
use layout_core::parts::IndexMap;

/// The number of elements that are accumulated independently: four registers of `f32`, so that an addition need not wait for
/// the one before.
const LANES: usize = 2 * BLOCK;

/// Whether each stored element is an element of the array.
pub(super) const fn is_flat(map: &IndexMap) -> bool {
    let (mut elements, mut dim) = (1, 0);
    while dim < map.rank() {
        elements *= map.bound(dim);
        dim += 1;
    }
    elements == map.len()
}

/// Reduces the first `len` elements; the operation must not depend on their positions.
pub(super) fn reduce<H: Copy, S: Source<H>, O: Op<H>>(source: S, len: usize, op: &O) -> O::Total {
    cpu::run(FlatReduction { source, len, op, element: PhantomData })
}

struct FlatReduction<'a, H, S, O> {
    source: S,
    len: usize,
    op: &'a O,
    element: PhantomData<H>,
}

impl<H: Copy, S: Source<H>, O: Op<H>> Work for FlatReduction<'_, H, S, O> {
    type Output = O::Total;

    #[inline(always)]
    fn run(self) -> O::Total {
        let (mut total, mut start) = (self.op.total(), 0);
        while start < self.len {
            let end = self.len.min(start + CARRY * LANES);
            total = self.op.merge(total, self.piece(start, end));
            start = end;
        }
        total
    }
}

impl<H: Copy, S: Source<H>, O: Op<H>> FlatReduction<'_, H, S, O> {
    /// The total of so few elements that the lanes are carried only once.
    #[inline(always)]
    fn piece(&self, start: usize, end: usize) -> O::Total {
        let Self { source, op, .. } = self;
        let full = end - (end - start) % LANES;
        let (mut sums, mut at) = ([op.lane(); LANES], start);
        while at < full {
            if let (Some(low), Some(high)) = (source.block(at), source.block(at + BLOCK)) {
                for lane in 0..BLOCK {
                    sums[lane] = op.step(sums[lane], low[lane], 0);
                    sums[BLOCK + lane] = op.step(sums[BLOCK + lane], high[lane], 0);
                }
            }
            at += LANES;
        }
        // In memory, because LLVM would keep each lane in a register of its own and add them one by one.
        let lanes = black_box(&mut sums);
        for (lane, at) in lanes.iter_mut().zip(full..end) {
            *lane = op.step(*lane, source.one(at), 0);
        }
        total_of(*op, lanes)
    }
}
