//! Interleaves and deinterleaves rows: by cache lines; if rows are shorter, by lanes of 16 bytes; and if they are shorter still, by
//! the number of columns that fill one lane together with all rows.
//!
//! Two rows of 2-byte elements, `a0 a1 a2 ..` and `b0 b1 b2 ..`, become `a0 b0 a1 b1 a2 b2 ..`. Lines of 64 bytes have 32
//! columns. One zip makes the first line, `a0 b0 .. a15 b15`, and the second, `a16 b16 .. a31 b31`. Four rows take two rounds
//! of zips: first rows 0 and 2, and 1 and 3; then the results of both.

use super::copy::Mode;
use crate::cpu::{Baseline, Cpu, Instructions, LANE, LINE, Lanes, array, for_cpu};

/// The number of lanes of a row from which [`interleave_rows`] uses the best instructions of the CPU.
const LONG: usize = 2 * LINE / LANE;

/// Rows of elements that are interleaved: one element of each row makes a group.
#[derive(Clone, Copy)]
pub(super) struct RowGroup {
    /// The number of rows that exist; the others count as zeros.
    pub(super) rows: usize,
    /// The bytes from one row to the next.
    pub(super) row_stride: usize,
    /// The number of elements of a row.
    pub(super) count: usize,
}

impl RowGroup {
    /// Whether all `rows` rows exist, with at least `columns` columns.
    #[inline(always)]
    pub(super) fn fill(&self, rows: usize, columns: usize) -> bool {
        self.rows == rows && self.count >= columns
    }
}

/// Interleaves `$count` rows by zips of pairs: each round zips rows whose numbers differ by half of `$count`, and after the
/// last round the elements of all rows are interleaved.
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

/// `P` lines of `P` rows become `P` lines of groups.
#[inline(always)]
fn interleave_lines<I: Instructions, const N: usize, const P: usize>(
    simd: I,
    mut lines: [I::Line; P],
) -> [I::Line; P] {
    rounds!(lines, P, |a, b| simd.zip::<N>(a, b));
    lines
}

/// `P` lines of groups as `P` lines of rows: the reverse of [`interleave_lines`].
#[inline(always)]
fn deinterleave_lines<I: Instructions, const N: usize, const P: usize>(
    simd: I,
    mut lines: [I::Line; P],
) -> [I::Line; P] {
    let mut round = 1;
    while round < P {
        let old = lines;
        let mut i = 0;
        while i < P / 2 {
            (lines[i], lines[i + P / 2]) = simd.unzip::<N>(old[2 * i], old[2 * i + 1]);
            i += 1;
        }
        round *= 2;
    }
    lines
}

/// `P` lanes of `P` rows become `P` lanes of groups.
#[inline(always)]
fn interleave_lanes<L: Lanes, const N: usize, const P: usize>(mut lanes: [L; P]) -> [L; P] {
    rounds!(lanes, P, |a, b| a.zip::<N>(b));
    lanes
}

/// Writes groups of `P` elements of `N` bytes, one from each row, until a row has no further whole lane or `to` has no room.
/// Returns the number of bytes of each row that were read.
#[inline(always)]
pub(crate) fn interleave_rows<const N: usize, const P: usize>(
    rows: [&[u8]; P],
    to: &mut [u8],
) -> usize {
    let count = rows.iter().fold(to.len() / (P * LANE), |count, row| count.min(row.len() / LANE));
    // For short rows, selecting the instructions would take as long as the rest.
    let lines = if count < LONG { 0 } else { count * LANE / LINE * LINE };
    if lines > 0 {
        let (rows, to) = (rows.map(<[u8]>::as_ptr), to.as_mut_ptr());
        // SAFETY: each row has the bytes of these lines, and `to` has room for the lines of all rows.
        unsafe {
            for_cpu!(
                Cpu::detect(),
                unsafe interleave_whole_lines[N: usize = N, P: usize = P](
                    rows: [*const u8; P], to: *mut u8, lines: usize
                )
            );
        }
    }
    for at in (lines..count * LANE).step_by(LANE) {
        // SAFETY: each row has a whole lane there, and `to` has room for one lane of each row.
        unsafe {
            let lanes = array(|row: usize| Baseline.load_lane(rows[row].as_ptr().add(at)));
            for (i, lane) in interleave_lanes::<_, N, P>(lanes).into_iter().enumerate() {
                lane.store(to.as_mut_ptr().add(at * P + i * LANE));
            }
        }
    }
    count * LANE
}

/// Interleaves rows of `len` bytes, which must be a multiple of a line.
///
/// # Safety
/// The rows must be valid for reads of `len` bytes and `to` for writes of `P * len` bytes, and these must not overlap.
#[inline(always)]
unsafe fn interleave_whole_lines<I: Instructions, const N: usize, const P: usize>(
    simd: I,
    rows: [*const u8; P],
    to: *mut u8,
    len: usize,
) {
    for at in (0..len).step_by(LINE) {
        // SAFETY: as the caller promises.
        unsafe {
            let lines: [I::Line; P] = array(|row| simd.load(rows[row].add(at)));
            for (i, line) in interleave_lines::<I, N, P>(simd, lines).into_iter().enumerate() {
                simd.store(to.add(at * P + i * LINE), line);
            }
        }
    }
}

/// Takes `P` registers whose lanes consist of `P` parts each, and returns registers of the first parts, of the second, and so
/// on: a transpose in each lane.
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

/// If there are `$rows` rows and at least `$columns` columns, runs `$body` for the first of every `$columns` columns, and returns.
/// The last columns start early enough to be complete: columns that they share with the columns before them are moved twice. With
/// 20 columns and `$columns` = 8, `$body` runs for columns 0, 8 and 12, and moves columns 12 to 15 twice.
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
/// `from` must be valid for each row and `to` for the groups, and these must not overlap.
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
    // SAFETY: the line that starts at column `at` is within each row, and its groups are within the destination.
    unsafe {
        // A line that is partly streamed and partly stored costs more than one that is stored twice.
        let stream = STREAM && (to.addr() | (group.count * P * N)).is_multiple_of(LINE);
        pieces!(group, P, const { LINE / N }, |at| {
            let lines: [I::Line; P] = array(|row| {
                let from = from.add(row * group.row_stride + at * N);
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
    // SAFETY: the caller promises the same.
    unsafe { interleave_each::<N, P>(from, to, group) }
}

/// Writes rows from contiguous groups of `P` elements of `N` bytes.
///
/// # Safety
/// `from` must be valid for the groups and `to` for each row, and these must not overlap.
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
    // SAFETY: the lines of groups that start at column `at` are within the source, and a line is within each row.
    unsafe {
        // A line that is partly streamed and partly stored costs more than one that is stored.
        let stream =
            STREAM && (to.addr() | group.row_stride | (group.count * N)).is_multiple_of(LINE);
        if const { I::UNZIPS && P <= 4 } {
            pieces!(group, P, const { LINE / N }, |at| {
                let lines: [I::Line; P] = array(|line| {
                    let from = from.add(at * N * P + line * LINE);
                    mode.prefetch(from);
                    simd.load(from)
                });
                let lines = deinterleave_lines::<I, N, P>(simd, lines);
                let mut row = 0;
                while row < P {
                    let to = to.add(row * group.row_stride + at * N);
                    match stream {
                        true => simd.stream(to, lines[row]),
                        false => simd.store(to, lines[row]),
                    }
                    row += 1;
                }
            });
        }
        pieces!(group, P, const { LINE / N }, |at| {
            let mut part = 0;
            while part < LINE {
                let from = from.add(at * N * P + part * P);
                let lanes: [I::Lanes; P] = array(|lane| {
                    let from = from.add(lane * LANE);
                    if (lane * LANE).is_multiple_of(LINE) {
                        mode.prefetch(from);
                    }
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
    // SAFETY: the caller promises the same.
    unsafe { deinterleave_each::<N, P>(from, to, group) }
}

/// [`interleave`] for rows that have fewer columns than a line, or if rows are missing; these count as zeros.
///
/// # Safety
/// As for [`interleave`].
#[inline(always)]
pub(super) unsafe fn interleave_short<I: Instructions, const N: usize, const P: usize>(
    simd: I,
    from: *const u8,
    to: *mut u8,
    group: RowGroup,
) {
    // SAFETY: accesses a lane of each row that exists, or the part of each that fills one lane together with all others.
    unsafe {
        let row_at = |row: usize, at: usize| from.wrapping_add(row * group.row_stride + at * N);
        pieces!(group, group.rows, const { LANE / N }, |at| {
            let lanes: [I::Lane; P] = array(|row| {
                let from = if row < group.rows { row_at(row, at) } else { ZEROS.as_ptr() };
                simd.load_lane(from)
            });
            let lanes = interleave_lanes::<I::Lane, N, P>(lanes);
            to.add(at * P * N).cast::<[I::Lane; P]>().write_unaligned(lanes);
        });
        pieces!(group, group.rows, const { LANE / N / P }, |at| {
            let lanes: [I::Lane; P] = array(|row| {
                let mut lane = [0; LANE];
                if row < group.rows {
                    let part = lane.as_mut_ptr();
                    core::ptr::copy_nonoverlapping(row_at(row, at), part, const { LANE / P });
                }
                simd.load_lane(lane.as_ptr())
            });
            let lane = interleave_lanes::<I::Lane, N, P>(lanes)[0];
            lane.store(to.add(at * P * N));
        });
    }
    // SAFETY: the caller promises the same.
    unsafe { interleave_each::<N, P>(from, to, group) }
}

/// [`deinterleave`] for rows that have fewer columns than a line, or if rows are missing.
///
/// # Safety
/// As for [`deinterleave`].
#[inline(always)]
pub(super) unsafe fn deinterleave_short<I: Instructions, const N: usize, const P: usize>(
    simd: I,
    from: *const u8,
    to: *mut u8,
    group: RowGroup,
) {
    // SAFETY: accesses a lane of each row that exists, or the part of each that one lane of groups contains.
    unsafe {
        let row_at = |row: usize, at: usize| to.wrapping_add(row * group.row_stride + at * N);
        pieces!(group, group.rows, const { LANE / N }, |at| {
            let lanes: [I::Lane; P] = array(|lane| {
                let from = from.add(at * P * N + lane * LANE);
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
    // SAFETY: the caller promises the same.
    unsafe { deinterleave_each::<N, P>(from, to, group) }
}

/// [`interleave`] element by element.
///
/// # Safety
/// As for [`interleave`].
#[inline(always)]
unsafe fn interleave_each<const N: usize, const P: usize>(
    from: *const u8,
    to: *mut u8,
    group: RowGroup,
) {
    for column in 0..group.count {
        for row in 0..P {
            // SAFETY: the element is within the groups, and is read only from a row that exists.
            unsafe {
                let to = to.add((column * P + row) * N).cast::<[u8; N]>();
                let from = from.add(row * group.row_stride + column * N).cast::<[u8; N]>();
                to.write_unaligned(if row < group.rows { from.read_unaligned() } else { [0; N] });
            }
        }
    }
}

/// [`deinterleave`] element by element.
///
/// # Safety
/// As for [`deinterleave`].
#[inline(always)]
unsafe fn deinterleave_each<const N: usize, const P: usize>(
    from: *const u8,
    to: *mut u8,
    group: RowGroup,
) {
    for column in 0..group.count {
        for row in 0..group.rows {
            // SAFETY: the element is within the groups, and within a row that exists.
            unsafe {
                let from = from.add((column * P + row) * N).cast::<[u8; N]>();
                let to = to.add(row * group.row_stride + column * N).cast::<[u8; N]>();
                to.write_unaligned(from.read_unaligned());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpu::forced;
    use crate::movement::tests::reference::Random;

    #[test]
    fn rows_are_interleaved_on_every_cpu() {
        fn check<const N: usize, const P: usize>(random: &mut Random) {
            for len in [0, 16, 48, 127, 128, 144, 200, 256, 333] {
                let rows: [Vec<u8>; P] =
                    core::array::from_fn(|_| (0..len).map(|_| random.below(256) as u8).collect());
                let mut to = vec![7; len * P + 5];
                let done = interleave_rows::<N, P>(rows.each_ref().map(Vec::as_slice), &mut to);
                assert_eq!(done, len / LANE * LANE);
                for (at, byte) in to.iter().enumerate() {
                    let (group, element) = (at / (N * P), at % (N * P) / N);
                    match group * N < done {
                        true => assert_eq!(*byte, rows[element][group * N + at % N], "{len}, {at}"),
                        false => assert_eq!(*byte, 7, "{len}, {at}"),
                    }
                }
            }
        }
        let random = &mut Random(31);
        for cpu in Cpu::all() {
            forced::set(cpu, false);
            check::<1, 4>(random);
            check::<2, 2>(random);
            check::<4, 1>(random);
        }
        forced::set(Cpu::detect(), false);
    }

    /// Zips two lines, and unzips them again.
    ///
    /// # Safety
    /// Both pointers must be valid for two lines.
    #[inline(always)]
    unsafe fn there_and_back<I: Instructions, const N: usize>(
        simd: I,
        from: *const u8,
        to: *mut u8,
    ) {
        // SAFETY: as the caller promises.
        unsafe {
            let (a, b) = simd.zip::<N>(simd.load(from), simd.load(from.add(LINE)));
            let (a, b) = simd.unzip::<N>(a, b);
            simd.store(to, a);
            simd.store(to.add(LINE), b);
        }
    }

    #[test]
    fn unzipping_undoes_zipping_on_every_cpu() {
        fn check<const N: usize>(cpu: Cpu) {
            let lines: [u8; 2 * LINE] = core::array::from_fn(|at| at as u8);
            let mut back = [0; 2 * LINE];
            let (from, to) = (lines.as_ptr(), back.as_mut_ptr());
            // SAFETY: both have two lines.
            unsafe {
                for_cpu!(cpu, unsafe there_and_back[N: usize = N](from: *const u8, to: *mut u8));
            }
            assert_eq!(back, lines, "{N} bytes, {cpu:?}");
        }
        for cpu in Cpu::all() {
            check::<1>(cpu);
            check::<2>(cpu);
            check::<4>(cpu);
            check::<8>(cpu);
        }
    }
}
