//! Interleaves rows and deinterleaves them: by cache lines or, where rows are shorter, by lanes of 16 bytes, or by as
//! many columns as fill one lane with all rows.
//!
//! Two rows of 2-byte elements, `a0 a1 a2 ..` and `b0 b1 b2 ..`, become `a0 b0 a1 b1 a2 b2 ..`: with lines of 64 bytes,
//! 32 columns at a time. One zip gives the first line, `a0 b0 .. a15 b15`, and the second, `a16 b16 .. a31 b31`. Four
//! rows take two rounds of zips: rows 0 and 2, and 1 and 3, then the results of both.

use super::copy::Mode;
use crate::cpu::{Baseline, Instructions, LANE, LINE, Lanes};

/// Rows of elements that are interleaved: one element of each makes a group.
#[derive(Clone, Copy)]
pub(super) struct RowGroup {
    /// Rows that exist; the others are zeros.
    pub(super) rows: usize,
    /// Bytes from one row to the next.
    pub(super) row_stride: usize,
    /// Elements of a row.
    pub(super) count: usize,
}

impl RowGroup {
    /// Whether all `rows` rows exist, with at least `columns` columns.
    #[inline(always)]
    pub(super) fn fill(&self, rows: usize, columns: usize) -> bool {
        self.rows == rows && self.count >= columns
    }
}

/// Shuffles `$count` rows by pairs: each round zips rows that are half of all apart, so that after the last round
/// the elements of all rows are interleaved.
macro_rules! rounds {
    ($rows:ident, $count:expr, |$a:ident, $b:ident| $zip:expr) => {{
        let mut round = 1;
        while round < $count {
            let old = $rows;
            let mut i = 0;
            while i < $count / 2 {
                let ($a, $b) = (old[i], old[i + $count / 2]);
                ($rows[2 * i], $rows[2 * i + 1]) = $zip;
                i += 1;
            }
            round *= 2;
        }
    }};
}

/// `P` lines of `P` rows as `P` lines of groups.
#[inline(always)]
fn interleave_lines<I: Instructions, const N: usize, const P: usize>(
    simd: I,
    mut lines: [I::Line; P],
) -> [I::Line; P] {
    rounds!(lines, P, |a, b| simd.zip::<N>(a, b));
    lines
}

/// `P` lanes of `P` rows as `P` lanes of groups.
#[inline(always)]
fn interleave_lanes<L: Lanes, const N: usize, const P: usize>(mut lanes: [L; P]) -> [L; P] {
    rounds!(lanes, P, |a, b| a.zip::<N>(b));
    lanes
}

/// Writes groups of `P` elements of `N` bytes, one from each row, as far as all rows have whole lanes and `to` has room.
/// Returns the bytes of each row that it has read.
#[inline(always)]
pub(crate) fn interleave_rows<const N: usize, const P: usize>(
    rows: [&[u8]; P],
    to: &mut [u8],
) -> usize {
    let count = rows.iter().fold(to.len() / (P * LANE), |count, row| count.min(row.len() / LANE));
    for at in (0..count * LANE).step_by(LANE) {
        // SAFETY: each row has a lane there, and `to` as many as there are rows.
        unsafe {
            let lanes = rows.map(|row| Baseline.load_lane(row.as_ptr().add(at)));
            for (i, lane) in interleave_lanes::<_, N, P>(lanes).into_iter().enumerate() {
                lane.store(to.as_mut_ptr().add(at * P + i * LANE));
            }
        }
    }
    count * LANE
}

/// `P` registers whose lanes are `P` parts each, as registers of the first parts, of the second, and so on: a transpose
/// in each lane.
#[inline(always)]
pub(super) fn transpose_lanes<L: Lanes, const P: usize>(mut lanes: [L; P]) -> [L; P] {
    rounds!(lanes, P, |a, b| match P {
        2 => a.zip::<8>(b),
        4 => a.zip::<4>(b),
        8 => a.zip::<2>(b),
        _ => a.zip::<1>(b),
    });
    lanes
}

/// The elements of missing rows.
static ZEROS: [u8; LANE] = [0; LANE];

/// Runs `$body` for the first of each `$columns` columns, and returns, if there are that many, and `$rows` rows. The last
/// ones start far enough back to be complete: columns that they share with the ones before move twice.
macro_rules! pieces {
    ($group:ident, $rows:expr, $columns:expr, |$at:ident| $body:expr) => {
        if $group.rows == $rows && $group.count >= $columns {
            let mut next = 0;
            while next < $group.count {
                let $at = next.min($group.count - $columns);
                $body;
                next = $at + $columns;
            }
            return;
        }
    };
}

/// Writes groups of `P` elements of `N` bytes, one from each row.
///
/// # Safety
/// `from` must be good for each row, `to` for the groups, not overlapping.
#[inline(always)]
pub(super) unsafe fn interleave<
    I,
    const N: usize,
    const P: usize,
    const STREAM: bool,
    const FAR: bool,
>(
    simd: I,
    from: *const u8,
    to: *mut u8,
    group: RowGroup,
    mode: Mode<FAR>,
) where
    I: Instructions,
{
    // SAFETY: a line from column `at` on lies within each row, and its groups within the destination.
    unsafe {
        // A line that is both streamed and stored costs more than one that is stored twice.
        let stream = STREAM && (to.addr() | (group.count * P * N)).is_multiple_of(LINE);
        pieces!(group, P, const { LINE / N }, |at| {
            let mut row = 0;
            let lines: [I::Line; P] = core::array::from_fn(|_| {
                let from = from.add(row * group.row_stride + at * N);
                row += 1;
                mode.prefetch(from);
                simd.load(from)
            });
            let lines = interleave_lines::<I, N, P>(simd, lines);
            let mut line = 0;
            while line < P {
                let to = to.add(at * P * N + line * LINE);
                match stream {
                    true => simd.stream(to, lines[line]),
                    false => simd.store(to, lines[line]),
                }
                line += 1;
            }
        });
    }
    // SAFETY: passed on.
    unsafe { interleave_each::<N, P>(from, to, group) }
}

/// Writes rows from groups of `P` elements of `N` bytes, which are contiguous.
///
/// # Safety
/// `from` must be good for the groups, `to` for each row, not overlapping.
#[inline(always)]
pub(super) unsafe fn deinterleave<
    I,
    const N: usize,
    const P: usize,
    const STREAM: bool,
    const FAR: bool,
>(
    simd: I,
    from: *const u8,
    to: *mut u8,
    group: RowGroup,
    mode: Mode<FAR>,
) where
    I: Instructions,
{
    // SAFETY: the lines of groups from column `at` on lie within the source, and a line within each row.
    unsafe {
        // A line that is partly streamed and partly stored costs more than one that is stored.
        let stream =
            STREAM && (to.addr() | group.row_stride | (group.count * N)).is_multiple_of(LINE);
        pieces!(group, P, const { LINE / N }, |at| {
            let mut part = 0;
            while part < LINE {
                let from = from.add(at * N * P + part * P);
                let mut lane = 0;
                let lanes: [I::Lanes; P] = core::array::from_fn(|_| {
                    let from = from.add(lane * LANE);
                    if (lane * LANE).is_multiple_of(LINE) {
                        mode.prefetch(from);
                    }
                    lane += 1;
                    simd.load_lanes(from, P * LANE).deinterleave::<N, P>()
                });
                let lanes = transpose_lanes::<I::Lanes, P>(lanes);
                let mut row = 0;
                while row < P {
                    let to = to.add(row * group.row_stride + at * N + part);
                    match stream {
                        true => lanes[row].stream(to),
                        false => lanes[row].store(to),
                    }
                    row += 1;
                }
                part += const { size_of::<I::Lanes>() };
            }
        });
    }
    // SAFETY: passed on.
    unsafe { deinterleave_each::<N, P>(from, to, group) }
}

/// [`interleave`] for fewer columns than a line holds, or where rows are missing, which count as zeros.
///
/// # Safety
/// As [`interleave`].
#[inline(always)]
pub(super) unsafe fn interleave_short<I: Instructions, const N: usize, const P: usize>(
    simd: I,
    from: *const u8,
    to: *mut u8,
    group: RowGroup,
) {
    // SAFETY: this is for a lane of each row that there is, or for as much of each as fills one lane with all rows.
    unsafe {
        let row_at = |row: usize, at: usize| from.wrapping_add(row * group.row_stride + at * N);
        pieces!(group, group.rows, const { LANE / N }, |at| {
            let mut row = 0;
            let lanes: [I::Lane; P] = core::array::from_fn(|_| {
                let from = if row < group.rows { row_at(row, at) } else { ZEROS.as_ptr() };
                row += 1;
                simd.load_lane(from)
            });
            let lanes = interleave_lanes::<I::Lane, N, P>(lanes);
            to.add(at * P * N).cast::<[I::Lane; P]>().write_unaligned(lanes);
        });
        pieces!(group, group.rows, const { LANE / N / P }, |at| {
            let mut row = 0;
            let lanes: [I::Lane; P] = core::array::from_fn(|_| {
                let mut lane = [0; LANE];
                if row < group.rows {
                    let part = lane.as_mut_ptr();
                    core::ptr::copy_nonoverlapping(row_at(row, at), part, const { LANE / P });
                }
                row += 1;
                simd.load_lane(lane.as_ptr())
            });
            let lane = interleave_lanes::<I::Lane, N, P>(lanes)[0];
            lane.store(to.add(at * P * N));
        });
    }
    // SAFETY: passed on.
    unsafe { interleave_each::<N, P>(from, to, group) }
}

/// [`deinterleave`] for fewer columns than a line holds, or where rows are missing.
///
/// # Safety
/// As [`deinterleave`].
#[inline(always)]
pub(super) unsafe fn deinterleave_short<I: Instructions, const N: usize, const P: usize>(
    simd: I,
    from: *const u8,
    to: *mut u8,
    group: RowGroup,
) {
    // SAFETY: this is for a lane of each row that there is, or for as much of each as one lane of groups has.
    unsafe {
        let row_at = |row: usize, at: usize| to.wrapping_add(row * group.row_stride + at * N);
        pieces!(group, group.rows, const { LANE / N }, |at| {
            let mut lane = 0;
            let lanes: [I::Lane; P] = core::array::from_fn(|_| {
                let from = from.add(at * P * N + lane * LANE);
                lane += 1;
                simd.load_lane(from).deinterleave::<N, P>()
            });
            let lanes = transpose_lanes::<I::Lane, P>(lanes);
            let mut row = 0;
            while row < P && row < group.rows {
                lanes[row].store(row_at(row, at));
                row += 1;
            }
        });
        pieces!(group, group.rows, const { LANE / N / P }, |at| {
            let mut lane = [0; LANE];
            let sorted = simd.load_lane(from.add(at * P * N)).deinterleave::<N, P>();
            sorted.store(lane.as_mut_ptr());
            let mut row = 0;
            while row < P && row < group.rows {
                let part = lane.as_ptr().add(row * const { LANE / P });
                core::ptr::copy_nonoverlapping(part, row_at(row, at), const { LANE / P });
                row += 1;
            }
        });
    }
    // SAFETY: passed on.
    unsafe { deinterleave_each::<N, P>(from, to, group) }
}

/// [`interleave`], element by element.
///
/// # Safety
/// As [`interleave`].
#[inline(always)]
unsafe fn interleave_each<const N: usize, const P: usize>(
    from: *const u8,
    to: *mut u8,
    group: RowGroup,
) {
    for column in 0..group.count {
        for row in 0..P {
            // SAFETY: within a row that there is, and within the groups.
            unsafe {
                let to = to.add((column * P + row) * N).cast::<[u8; N]>();
                let from = from.add(row * group.row_stride + column * N).cast::<[u8; N]>();
                to.write_unaligned(if row < group.rows { from.read_unaligned() } else { [0; N] });
            }
        }
    }
}

/// [`deinterleave`], element by element.
///
/// # Safety
/// As [`deinterleave`].
#[inline(always)]
unsafe fn deinterleave_each<const N: usize, const P: usize>(
    from: *const u8,
    to: *mut u8,
    group: RowGroup,
) {
    for column in 0..group.count {
        for row in 0..group.rows {
            // SAFETY: within the groups, and within a row that there is.
            unsafe {
                let from = from.add((column * P + row) * N).cast::<[u8; N]>();
                let to = to.add(row * group.row_stride + column * N).cast::<[u8; N]>();
                to.write_unaligned(from.read_unaligned());
            }
        }
    }
}
