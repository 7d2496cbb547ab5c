//! The total of lanes that are accumulated independently.

use super::op::Op;
use core::hint::black_box;

/// Lanes that LLVM does not keep in a register each. Not all at once: on Zen 5, a part of a store of 64 bytes is not read before
/// the store is done.
#[inline(always)]
pub(super) fn in_memory<T: Copy, const N: usize>(mut lanes: [T; N]) -> [T; N] {
    for eight in lanes.as_chunks_mut::<8>().0 {
        let mut copy = *eight;
        *eight = *black_box(&mut copy);
    }
    lanes
}

/// The total of `N` lanes, a power of two from 16 on, in pairs, so that an addition seldom waits for the one before.
#[inline(always)]
pub(super) fn total_of<H, O: Op<H>, const N: usize>(op: &O, lanes: &[O::Lane; N]) -> O::Total {
    let mut totals = [op.total(); N];
    for (total, lane) in totals.iter_mut().zip(lanes) {
        *total = op.carry(*lane);
    }
    total_of_totals(op, totals)
}

/// The same for lanes that have been carried.
#[inline(always)]
pub(super) fn total_of_totals<H, O: Op<H>, const N: usize>(
    op: &O,
    mut totals: [O::Total; N],
) -> O::Total {
    const { assert!(N.is_power_of_two() && N >= 16) };
    let mut half = N / 2;
    while half > 4 {
        for i in 0..half {
            totals[i] = op.merge(totals[i], totals[i + half]);
        }
        half /= 2;
    }
    let mut four = [op.total(); 4];
    for i in 0..4 {
        four[i] = op.merge(totals[i], totals[i + 4]);
    }
    // In memory: LLVM would take pairs instead of whole registers all the way up. Not eight, which may be 64 bytes: see
    // `in_memory`.
    let [a, b, c, d] = *black_box(&mut four);
    op.merge(op.merge(a, c), op.merge(b, d))
}
