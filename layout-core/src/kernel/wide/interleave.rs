//! Rows whose elements take turns, and back. With as many rows as a line has elements, this is a transpose.

use super::copy::{Mode, put};
use super::cpu::{Instructions, LINE};

/// Rows of elements and the groups in which they take turns.
#[derive(Clone, Copy)]
pub(super) struct Turns {
    /// Rows that there are; the others are zeros.
    pub(super) rows: usize,
    /// Bytes from one row to the next.
    pub(super) row_stride: usize,
    /// Elements of a row.
    pub(super) count: usize,
    /// Bytes from one line of groups to the next.
    pub(super) line_stride: usize,
}

/// `P` lines of `P` rows as `P` lines of groups. Each round pairs rows that are half of the rows apart, so that after
/// all of them the elements of all rows have taken turns.
#[inline(always)]
unsafe fn take_turns<I: Instructions, const N: usize, const P: usize>(
    mut lines: [I::Line; P],
) -> [I::Line; P] {
    let mut round = 1;
    while round < P {
        let old = lines;
        let mut i = 0;
        while i < P / 2 {
            // SAFETY: as the caller promises.
            (lines[2 * i], lines[2 * i + 1]) = unsafe { I::zip::<N>(old[i], old[i + P / 2]) };
            i += 1;
        }
        round *= 2;
    }
    lines
}

/// The reverse.
#[inline(always)]
unsafe fn take_apart<I: Instructions, const N: usize, const P: usize>(
    mut lines: [I::Line; P],
) -> [I::Line; P] {
    let mut round = 1;
    while round < P {
        let old = lines;
        let mut i = 0;
        while i < P / 2 {
            // SAFETY: as the caller promises.
            (lines[i], lines[i + P / 2]) = unsafe { I::unzip::<N>(old[2 * i], old[2 * i + 1]) };
            i += 1;
        }
        round *= 2;
    }
    lines
}

/// Writes groups of `P` elements of `N` bytes, one from each row.
///
/// # Safety
/// `from` must be good for each row, `to` for the groups, not overlapping; the CPU must have the instructions.
#[inline(always)]
pub(super) unsafe fn interleave<I: Instructions, const N: usize, const P: usize>(
    from: *const u8,
    to: *mut u8,
    turns: Turns,
    mode: Mode,
) {
    let columns = const { LINE / N };
    let mut at = 0;
    // SAFETY: a line from column `at` on lies within each row, and its groups within the destination.
    unsafe {
        let zeros = I::load([0; LINE].as_ptr());
        while at + columns <= turns.count {
            let mut lines = [zeros; P];
            let mut row = 0;
            while row < P {
                if row < turns.rows {
                    let from = from.add(row * turns.row_stride + at * N);
                    if mode.stream {
                        I::prefetch(from.wrapping_add(mode.ahead));
                    }
                    lines[row] = I::load(from);
                }
                row += 1;
            }
            let lines = take_turns::<I, N, P>(lines);
            let mut line = 0;
            while line < P {
                put::<I>(
                    to.add((at / columns * P + line) * turns.line_stride),
                    lines[line],
                    mode.stream,
                );
                line += 1;
            }
            at += columns;
        }
        if at < turns.count {
            rest::<N>(
                from.add(at * N),
                to.add(at / columns * P * turns.line_stride),
                P,
                turns,
                turns.count - at,
            );
        }
    }
}

/// The groups of the columns that do not fill a line.
///
/// # Safety
/// As [`interleave`].
unsafe fn rest<const N: usize>(
    from: *const u8,
    to: *mut u8,
    rows: usize,
    turns: Turns,
    count: usize,
) {
    for column in 0..count {
        for row in 0..rows {
            let byte = (column * rows + row) * N;
            // SAFETY: within a row that there is, and within the groups.
            unsafe {
                let to = to.add(byte / LINE * turns.line_stride + byte % LINE).cast::<[u8; N]>();
                let from = from.add(row * turns.row_stride + column * N).cast::<[u8; N]>();
                to.write_unaligned(if row < turns.rows { from.read_unaligned() } else { [0; N] });
            }
        }
    }
}

/// Writes rows from groups of `P` elements of `N` bytes, which are contiguous.
///
/// # Safety
/// `from` must be good for the groups, `to` for each row, not overlapping; the CPU must have the instructions.
#[inline(always)]
pub(super) unsafe fn deinterleave<I: Instructions, const N: usize, const P: usize>(
    from: *const u8,
    to: *mut u8,
    turns: Turns,
    mode: Mode,
) {
    let columns = const { LINE / N };
    let mut at = 0;
    // SAFETY: the lines of groups from column `at` on lie within the source, and a line within each row.
    unsafe {
        while at + columns <= turns.count {
            let from = from.add(at * N * P);
            let lines: [I::Line; P] = core::array::from_fn(|line| {
                if mode.stream {
                    I::prefetch(from.wrapping_add(line * LINE + mode.ahead));
                }
                I::load(from.add(line * LINE))
            });
            let lines = take_apart::<I, N, P>(lines);
            let mut row = 0;
            while row < P {
                if row < turns.rows {
                    put::<I>(to.add(row * turns.row_stride + at * N), lines[row], mode.stream);
                }
                row += 1;
            }
            at += columns;
        }
        while at < turns.count {
            for row in 0..turns.rows {
                let from = from.add((at * P + row) * N).cast::<[u8; N]>();
                to.add(row * turns.row_stride + at * N)
                    .cast::<[u8; N]>()
                    .write_unaligned(from.read_unaligned());
            }
            at += 1;
        }
    }
}
