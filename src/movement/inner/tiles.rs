//! Transpose tiles: squares of elements, as long and as wide as a cache line, whose rows become columns.
//!
//! A tile of 4-byte elements has 16 rows of 64 bytes. With registers of two lanes of 16 bytes, four registers hold four
//! columns of 8 rows: register `r` has row `r` in lane 0 and row `r + 4` in lane 1. Two rounds of zips transpose the 4 x 4
//! elements of each lane, and register `c` is then column `c` of rows 0 to 7: 32 bytes of a line of the destination.

use super::blocks::Side;
use super::copy::short;
use super::interleave::transpose_lanes;
use crate::cpu::{Instructions, LANE, LINE, Lanes, array};

/// The positions of the lines of a tile, in groups. A group has one line for each element of a lane.
#[derive(Clone, Copy)]
pub(super) struct Grid {
    groups: [usize; LINE / LANE],
    /// The bytes from one line of a group to the next.
    stride: usize,
}

impl Grid {
    /// Lines that are `stride` bytes apart and have elements of `width` bytes.
    #[inline(always)]
    pub(super) const fn even(width: usize, stride: usize) -> Self {
        let group = LANE / width * stride;
        Self { groups: [0, group, 2 * group, 3 * group], stride }
    }

    /// The lines of a side, starting with number `first`.
    #[inline(always)]
    pub(super) fn of(side: &Side, first: usize, width: usize) -> Self {
        let mut walk = side.walk(first);
        Self { groups: core::array::from_fn(|_| walk.step_over(LANE / width)), stride: side.stride }
    }

    /// Whether all lines of a tile at the address `at` are aligned to cache lines.
    #[inline(always)]
    pub(super) fn is_aligned(&self, at: *const u8) -> bool {
        let [a, b, c, d] = self.groups;
        (at.addr() | self.stride | a | b | c | d).is_multiple_of(LINE)
    }
}

/// The number of lines that must be a stride apart for a tile to be read or written as a whole.
#[inline(always)]
pub(super) const fn group<I: Instructions>(width: usize) -> usize {
    // Narrower elements are first copied to a buffer.
    if width < 4 { LANE / width } else { size_of::<I::Lanes>() / width }
}

/// Transposes a tile.
///
/// # Safety
/// `from` must be valid for the lines of `rows`, `to` for those of `columns`, and `read` for one line for each element of a line;
/// none may overlap. Each [`group`] of `rows` must be a stride apart.
#[inline(always)]
pub(super) unsafe fn transpose_tile<I: Instructions, const N: usize, const P: usize>(
    simd: I,
    mut from: *const u8,
    mut rows: Grid,
    read: *mut u8,
    to: *mut u8,
    columns: Grid,
) {
    // SAFETY: the caller promises it.
    unsafe {
        if const { N < 4 } {
            // Otherwise pieces of many rows would be read alternately, and lines that share a set would leave the L1 cache
            // meanwhile.
            let mut line = read;
            for group in rows.groups {
                let mut from = from.add(group);
                for _ in 0..const { LANE / N } {
                    simd.store(line, simd.load(from));
                    from = from.wrapping_add(rows.stride);
                    line = line.add(LINE);
                }
            }
            (from, rows) = (read, Grid::even(N, LINE));
        }
        for row in (0..LINE).step_by(size_of::<I::Lanes>()) {
            let from = from.add(rows.groups[row / LANE]);
            transpose_rows::<I, N, P>(simd, from, rows.stride, LINE, to.add(row), columns);
        }
    }
}

/// Transposes a tile of elements of 2 bytes or more into staged lines that are `pitch` bytes apart.
///
/// # Safety
/// As for [`transpose_tile`].
#[inline(always)]
pub(super) unsafe fn stage_tile<I: Instructions, const N: usize, const P: usize>(
    simd: I,
    from: *const u8,
    rows: Grid,
    read: *mut u8,
    to: *mut u8,
    pitch: usize,
) {
    // SAFETY: the caller promises it.
    unsafe {
        if const { N != 2 } {
            return transpose_tile::<I, N, P>(simd, from, rows, read, to, Grid::even(N, pitch));
        }
        // Reading 8 rows at a time needs no copy, and there are enough registers for that.
        for (row, group) in (0..LINE).step_by(LANE).zip(rows.groups) {
            for column in (0..LINE).step_by(size_of::<I::Lanes>()) {
                let (from, to) = (from.add(group + column), to.add(row + column / N * pitch));
                transpose_columns(simd, from, rows.stride, to, pitch);
            }
        }
    }
}

/// Transposes a register from each of 8 rows of 2-byte elements into a lane of each column.
///
/// # Safety
/// `from` must be valid for a register of each row, and `to` for a lane of each column.
#[inline(always)]
unsafe fn transpose_columns<I: Instructions>(
    simd: I,
    from: *const u8,
    stride: usize,
    to: *mut u8,
    pitch: usize,
) {
    const K: usize = LANE / 2;
    // SAFETY: the caller promises the same.
    unsafe {
        let rows = array(|row| simd.load_lanes(from.add(row * stride), LANE));
        let columns = transpose_lanes::<I::Lanes, K>(rows);
        for (column, lanes) in columns.into_iter().enumerate() {
            lanes.store_lanes(to.add(column * pitch), K * pitch);
        }
    }
}

/// Transposes part of a tile line by line: `len` bytes, at most a line, of `row_count` rows, for each of which `read` has a
/// line.
///
/// # Safety
/// `from` must be valid for the rows, and `read` and `to` for one line for each element of a line. `read` must be initialized,
/// because whole lanes are loaded from it.
#[inline(always)]
pub(super) unsafe fn part_of_tile<I: Instructions, const N: usize, const P: usize>(
    simd: I,
    from: *const u8,
    (rows, first_row, row_count): (&Side, usize, usize),
    len: usize,
    read: *mut u8,
    to: *mut u8,
    columns: Grid,
) {
    let mut walk = rows.walk(first_row);
    // SAFETY: lines of rows that exist are within the source, and if a line is partial, only that part is copied. Whatever else the
    // lanes of `read` contain is initialized, as the caller promises, and is transposed to where no element of the tile is.
    unsafe {
        for row in 0..row_count {
            let (from, to) = (from.add(walk.step()), read.add(row * LINE));
            match len {
                LINE => simd.store(to, simd.load(from)),
                _ => short(simd, from, to, len),
            }
        }
        for row in (0..row_count * N).step_by(size_of::<I::Lanes>()) {
            transpose_rows::<I, N, P>(
                simd,
                read.add(row / N * LINE),
                LINE,
                len,
                to.add(row),
                columns,
            );
        }
    }
}

/// Transposes `len` bytes, at most a line, of one row for each element of the lanes of a register.
///
/// # Safety
/// `from` must be valid for whole lanes of each row, and `to` for a register in each line.
#[inline(always)]
unsafe fn transpose_rows<I: Instructions, const N: usize, const P: usize>(
    simd: I,
    from: *const u8,
    stride: usize,
    len: usize,
    to: *mut u8,
    columns: Grid,
) {
    macro_rules! elements {
        ($K:literal) => {
            for (column, to_group) in (0..len).step_by(LANE).zip(columns.groups) {
                let lanes = transposed_lanes::<I, N, P, $K>(simd, from.add(column), stride);
                let to = to.add(to_group);
                let mut row = 0;
                while row < $K {
                    lanes[row].store(to.add(row * columns.stride));
                    row += 1;
                }
            }
        };
    }
    // SAFETY: the caller promises the same.
    unsafe {
        match N {
            1 => elements!(16),
            2 => elements!(8),
            4 => elements!(4),
            8 => elements!(2),
            _ => elements!(1),
        }
    }
}

/// Transposes a tile with stores that bypass the caches, if its elements have 4 bytes or more.
///
/// # Safety
/// As for [`transpose_tile`]; the lines at `to` must be aligned.
#[inline(always)]
pub(super) unsafe fn stream_tile<I: Instructions, const N: usize, const P: usize>(
    simd: I,
    from: *const u8,
    rows: Grid,
    to: *mut u8,
    columns: Grid,
) {
    macro_rules! elements {
        ($K:literal, $PARTS:literal) => {{
            let lanes = const { size_of::<I::Lanes>() };
            let from: [*const u8; $PARTS] =
                array(|part| from.wrapping_add(rows.groups[part * lanes / LANE]));
            for (column, to_group) in (0..LINE).step_by(LANE).zip(columns.groups) {
                let parts: [[I::Lanes; $K]; $PARTS] = array(|part: usize| {
                    let from = from[part].add(column);
                    transposed_lanes::<I, N, P, $K>(simd, from, rows.stride)
                });
                let to = to.add(to_group);
                let mut row = 0;
                while row < $K {
                    let to = to.add(row * columns.stride);
                    let mut part = 0;
                    while part < $PARTS {
                        parts[part][row].stream(to.add(part * lanes));
                        part += 1;
                    }
                    row += 1;
                }
            }
        }};
    }
    // SAFETY: the caller promises the same.
    unsafe {
        // Nested matches: with a match of a tuple, all six arms would be compiled for each `N`.
        match N {
            4 => match const { LINE / size_of::<I::Lanes>() } {
                2 => elements!(4, 2),
                _ => elements!(4, 4),
            },
            8 => match const { LINE / size_of::<I::Lanes>() } {
                2 => elements!(2, 2),
                _ => elements!(2, 4),
            },
            _ => match const { LINE / size_of::<I::Lanes>() } {
                2 => elements!(1, 2),
                _ => elements!(1, 4),
            },
        }
    }
}

/// Transposes a lane of each of several rows: one row for each element of the lanes of a register, `K` for each lane.
///
/// # Safety
/// `from` must be valid for a lane of each row.
#[inline(always)]
unsafe fn transposed_lanes<I: Instructions, const N: usize, const P: usize, const K: usize>(
    simd: I,
    from: *const u8,
    stride: usize,
) -> [I::Lanes; K] {
    // SAFETY: the caller promises the same.
    unsafe {
        transpose_lanes::<I::Lanes, K>(array(|row| {
            simd.load_lanes(from.add(row * stride), K * stride).transpose_units::<N, P>()
        }))
    }
}
