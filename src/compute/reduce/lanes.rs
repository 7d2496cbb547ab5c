//! The total of lanes that are accumulated independently.

use super::op::Op;
use core::hint::black_box;

/// Totals that are left before they are added up two by two.
pub(super) const FEW: usize = 8;

/// The total of `N` lanes, a power of two from 16 on, in pairs, so that an addition seldom waits for the one before.
#[inline(always)]
pub(super) fn total_of<H, O: Op<H>, const N: usize>(op: &O, lanes: &[O::Lane; N]) -> O::Total {
    let mut few = few(op, lanes);
    let few = black_box(&mut few);
    total_of_few(op, few)
}

/// The same for rows of lanes; calls `give` with the number and the total of each row. What one step stores is loaded by the next
/// in other parts: the CPU waits until it is in the cache unless all rows take one step before any takes the next.
#[inline(always)]
pub(super) fn total_of_each<H, O: Op<H>, const N: usize, const ROWS: usize>(
    op: &O,
    rows: &[[O::Lane; N]],
    mut give: impl FnMut(usize, O::Total),
) {
    let mut totals = [[op.total(); FEW]; ROWS];
    for (totals, lanes) in totals.iter_mut().zip(rows) {
        *totals = few(op, lanes);
    }
    let totals = black_box(&mut totals);
    for (row, totals) in totals.iter().enumerate().take(rows.len()) {
        give(row, total_of_few(op, totals));
    }
}

/// The same for lanes that have been carried.
#[inline(always)]
pub(super) fn total_of_totals<H, O: Op<H>, const N: usize>(
    op: &O,
    totals: [O::Total; N],
) -> O::Total {
    let mut few = few_of_totals(op, totals);
    let few = black_box(&mut few);
    total_of_few(op, few)
}

/// The totals of results of which each has every `period`-th lane, in the first elements. `period` is a power of two and at most
/// [`FEW`].
#[inline(always)]
pub(super) fn totals_of_period<H, O: Op<H>, const N: usize>(
    op: &O,
    totals: [O::Total; N],
    period: usize,
) -> [O::Total; FEW] {
    let mut few = few_of_totals(op, totals);
    let few = black_box(&mut few);
    let mut half = FEW;
    while half > period {
        half /= 2;
        for i in 0..half {
            few[i] = op.merge(few[i], few[i + half]);
        }
    }
    *few
}

#[inline(always)]
fn few<H, O: Op<H>, const N: usize>(op: &O, lanes: &[O::Lane; N]) -> [O::Total; FEW] {
    let mut totals = [op.total(); N];
    for (total, lane) in totals.iter_mut().zip(lanes) {
        *total = op.carry(*lane);
    }
    few_of_totals(op, totals)
}

#[inline(always)]
fn few_of_totals<H, O: Op<H>, const N: usize>(
    op: &O,
    mut totals: [O::Total; N],
) -> [O::Total; FEW] {
    const { assert!(N.is_power_of_two() && N >= 2 * FEW) };
    let mut half = N / 2;
    while half > FEW {
        for i in 0..half {
            totals[i] = op.merge(totals[i], totals[i + half]);
        }
        half /= 2;
    }
    let mut few = [op.total(); FEW];
    for i in 0..FEW {
        few[i] = op.merge(totals[i], totals[i + FEW]);
    }
    few
}

/// In memory before, because LLVM would use pairs instead of whole registers from the first step on.
#[inline(always)]
fn total_of_few<H, O: Op<H>>(op: &O, few: &[O::Total; FEW]) -> O::Total {
    let [a, b, c, d, e, f, g, h] = *few;
    let even = op.merge(op.merge(a, e), op.merge(c, g));
    let odd = op.merge(op.merge(b, f), op.merge(d, h));
    op.merge(even, odd)
}
