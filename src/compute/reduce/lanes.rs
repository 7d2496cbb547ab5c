//! The total of lanes that are accumulated independently.

use super::op::Op;
use core::hint::black_box;

/// The number of totals to which lanes are reduced before these are added up two by two.
pub(super) const FOLDED: usize = 8;

/// The total of `N` lanes, a power of two from 16 on, in pairs, so that an addition rarely waits for the one before.
#[inline(always)]
pub(super) fn total_of<H, O: Op<H>, const N: usize>(op: &O, lanes: &[O::Lane; N]) -> O::Total {
    let mut folded = folded(op, lanes);
    let folded = black_box(&mut folded);
    total_of_folded(op, folded)
}

/// The same for rows of lanes; calls `give` with the number and the total of each row. The second step loads in other pieces what
/// the first stored, which makes the CPU wait until the data is in the cache; so all rows run the first step before any runs the
/// second.
#[inline(always)]
pub(super) fn total_of_each<H, O: Op<H>, const N: usize, const ROWS: usize>(
    op: &O,
    rows: &[[O::Lane; N]],
    mut give: impl FnMut(usize, O::Total),
) {
    let mut totals = [[op.total(); FOLDED]; ROWS];
    for (totals, lanes) in totals.iter_mut().zip(rows) {
        *totals = folded(op, lanes);
    }
    let totals = black_box(&mut totals);
    for (row, totals) in totals.iter().enumerate().take(rows.len()) {
        give(row, total_of_folded(op, totals));
    }
}

/// The same for lanes that have been carried.
#[inline(always)]
pub(super) fn total_of_totals<H, O: Op<H>, const N: usize>(
    op: &O,
    totals: [O::Total; N],
) -> O::Total {
    let mut folded = folded_totals(op, totals);
    let folded = black_box(&mut folded);
    total_of_folded(op, folded)
}

/// The totals of results of which each has every `period`-th lane, in the first elements. `period` is a power of two and at most
/// [`FOLDED`].
#[inline(always)]
pub(super) fn totals_of_period<H, O: Op<H>, const N: usize>(
    op: &O,
    totals: [O::Total; N],
    period: usize,
) -> [O::Total; FOLDED] {
    let mut folded = folded_totals(op, totals);
    let folded = black_box(&mut folded);
    let mut half = FOLDED;
    while half > period {
        half /= 2;
        for i in 0..half {
            folded[i] = op.merge(folded[i], folded[i + half]);
        }
    }
    *folded
}

#[inline(always)]
fn folded<H, O: Op<H>, const N: usize>(op: &O, lanes: &[O::Lane; N]) -> [O::Total; FOLDED] {
    let mut totals = [op.total(); N];
    for (total, lane) in totals.iter_mut().zip(lanes) {
        *total = op.carry(*lane);
    }
    folded_totals(op, totals)
}

#[inline(always)]
fn folded_totals<H, O: Op<H>, const N: usize>(
    op: &O,
    mut totals: [O::Total; N],
) -> [O::Total; FOLDED] {
    const { assert!(N.is_power_of_two() && N >= 2 * FOLDED) };
    let mut half = N / 2;
    while half > FOLDED {
        for i in 0..half {
            totals[i] = op.merge(totals[i], totals[i + half]);
        }
        half /= 2;
    }
    let mut folded = [op.total(); FOLDED];
    for i in 0..FOLDED {
        folded[i] = op.merge(totals[i], totals[i + FOLDED]);
    }
    folded
}

/// In memory first, because otherwise LLVM would use pairs instead of whole registers from the first step on.
#[inline(always)]
fn total_of_folded<H, O: Op<H>>(op: &O, folded: &[O::Total; FOLDED]) -> O::Total {
    let [a, b, c, d, e, f, g, h] = *folded;
    let even = op.merge(op.merge(a, e), op.merge(c, g));
    let odd = op.merge(op.merge(b, f), op.merge(d, h));
    op.merge(even, odd)
}
