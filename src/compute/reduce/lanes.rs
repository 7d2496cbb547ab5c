//! The total of lanes that are accumulated independently.

use super::op::Op;
use core::hint::black_box;

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
    while half > 8 {
        for i in 0..half {
            totals[i] = op.merge(totals[i], totals[i + half]);
        }
        half /= 2;
    }
    let mut eight = [op.total(); 8];
    for i in 0..8 {
        eight[i] = op.merge(totals[i], totals[i + 8]);
    }
    // In memory, because LLVM would use pairs instead of whole registers from the first step on.
    let [a, b, c, d, e, f, g, h] = *black_box(&mut eight);
    let even = op.merge(op.merge(a, e), op.merge(c, g));
    let odd = op.merge(op.merge(b, f), op.merge(d, h));
    op.merge(even, odd)
}
