//! Rows that become columns.

use super::blocks::{Blocks, Scout, Side, SideWalk};
use super::copy::{Mode, run, short, to_line};
use super::tiles::{Grid, group, part_of_tile, stage_tile, stream_tile, transpose_tile};
use crate::cpu::{Instructions, LANE, LINE};
use crate::movement::regions::Axis;
use core::mem::MaybeUninit;

/// Lines of rows that are turned before the next columns, and elements of the columns: what is read and written next to
/// each other, and few enough pages.
const BAND: [usize; 2] = [16, LINE];

/// Bytes of rows that are turned before what follows in the same rows, if streamed: no more pages, one of each column,
/// than the CPU remembers the addresses of.
const STRIP: usize = 2048;

/// Bytes after which addresses share a set of the nearest cache.
const PAGE: usize = 4096;

/// Bytes after which lines that are streamed one by one clash.
const CLASH: usize = 512;

/// TransposeBuffers of elements of `width` bytes from what is read for a band to what is asked for meanwhile. So many rows of
/// narrow elements have no room in the nearest cache for what follows in each of them.
const fn ahead(width: usize) -> usize {
    if width < 4 { 1 } else { width / 2 }
}

/// Bytes from one line of a band to the next, not a power of two.
const PITCH: usize = BAND[0] * LINE + LINE;

/// What has been read, as many rows of a line as a line has elements, and what is to be written: a band that is put
/// together, and the one before.
#[repr(align(64))]
pub(super) struct TransposeBuffers {
    read: [MaybeUninit<u8>; LINE * LINE],
    written: [[MaybeUninit<u8>; BAND[1] * PITCH]; 2],
}

impl TransposeBuffers {
    pub(super) const NEW: Self = Self {
        read: [MaybeUninit::uninit(); LINE * LINE],
        written: [[MaybeUninit::uninit(); BAND[1] * PITCH]; 2],
    };

    /// Where squares are read, and where the two bands are.
    #[inline(always)]
    fn parts(&mut self) -> (*mut u8, [*mut u8; 2]) {
        (
            self.read.as_mut_ptr().cast(),
            self.written.each_mut().map(|band| band.as_mut_ptr().cast()),
        )
    }
}

/// Writes rows from columns. The elements of `rows` are contiguous in the destination, those of `columns` in the
/// source; each is a square of `P` by `P`, which is turned too. What is read `then` bytes later is turned next.
///
/// # Safety
/// The pointers must be good for the elements that counts and strides reach, not overlapping; the CPU must have the
/// instructions.
#[inline(always)]
pub(super) unsafe fn transpose<
    I: Instructions,
    const N: usize,
    const P: usize,
    const STREAM: bool,
>(
    from: *const u8,
    to: *mut u8,
    (rows, columns): ([Axis; 2], [Axis; 2]),
    buffers: &mut TransposeBuffers,
    then: usize,
) {
    let rows = Side::new(rows, |axis| axis.source);
    let columns = Side::new(columns, |axis| axis.destination);
    // Only what may be streamed is compiled with bands: without optimization, code that is never run costs most of a build.
    if STREAM {
        // Lines of many columns, or whose addresses clash, would be flushed before they are full; and what starts within
        // a line is streamed from the next one on.
        let clash = match rows.stride.is_multiple_of(PAGE) {
            true => columns.stride.is_multiple_of(PAGE) || rows.len * N >= BAND[0] * LINE,
            false => columns.stride.is_multiple_of(CLASH),
        };
        if clash || const { N == 1 } || !columns.stride.is_multiple_of(LINE) {
            // SAFETY: passed on.
            return unsafe { bands::<I, N, P>(from, to, &rows, &columns, buffers, then) };
        }
    }
    // SAFETY: passed on.
    unsafe { lines::<I, N, P, STREAM>(from, to, &rows, &columns, buffers, then) }
}

/// Turns square after square, and writes the lines of each.
///
/// # Safety
/// As [`transpose`].
#[inline(always)]
unsafe fn lines<I: Instructions, const N: usize, const P: usize, const STREAM: bool>(
    from: *const u8,
    to: *mut u8,
    rows: &Side,
    columns: &Side,
    buffers: &mut TransposeBuffers,
    then: usize,
) {
    let line = const { LINE / N };
    let len = [rows.len, columns.len];
    let (strip, ahead) = match rows.len * N < BAND[0] * LINE {
        true => (BAND[1], 2),
        false => (const { STRIP / N }, 4),
    };
    // As many lines as a square has columns stay in the nearest cache while they are written piece by piece.
    let near = !STREAM && !columns.stride.is_multiple_of(const { CLASH * N });
    let blocks = match (STREAM, near) {
        // What is streamed are lines of the destination.
        (true, _) => Blocks::new(len, to_line(to) / N, strip, [usize::MAX; 2]),
        (_, true) => Blocks::new(len, 0, usize::MAX, [usize::MAX; 2]),
        _ => Blocks::new(len, 0, usize::MAX, const { [BAND[0] * LINE / N, BAND[1]] }),
    };
    let (read, [turned, _]) = buffers.parts();
    let mut scout = Scout::new(blocks, line, if STREAM { ahead } else { 0 }, then);
    for block in blocks {
        for [[row, column], count] in block.tiles(line) {
            if STREAM {
                scout.ask(from, rows, N);
            }
            // Lines of narrow elements are many: if they clash, the fewer are on their way at a time, the faster.
            let whole = (near || STREAM || const { N >= 4 })
                && count == [line; 2]
                && rows.has_groups(row, group::<I>(N))
                && columns.has_groups(column, const { LANE / N });
            // SAFETY: the rest of both sides is counted, and `turned` has room for the square.
            unsafe {
                let (from, to) = (from.add(column * N), to.add(row * N));
                if whole {
                    let (rows, columns) = (Grid::of(rows, row, N), Grid::of(columns, column, N));
                    if const { !STREAM } && near {
                        transpose_tile::<I, N, P>(from, rows, read, to, columns);
                        continue;
                    }
                    if STREAM && const { N >= 4 } && columns.is_aligned(to) {
                        stream_tile::<I, N, P>(from, rows, to, columns);
                        continue;
                    }
                    stage_tile::<I, N, P>(from, rows, read, turned, LINE);
                } else {
                    let (rows, staged) = ((rows, row, count[0]), const { Grid::even(N, LINE) });
                    part_of_tile::<I, N, P>(from, rows, count[1] * N, read, turned, staged);
                }
                let mut walk = columns.walk(column);
                for column in 0..count[1] {
                    let (from, to) = (turned.add(column * LINE), to.add(walk.step()));
                    match count[0] * N {
                        LINE => put::<I, STREAM>(to, I::load(from)),
                        len => short::<I>(from, to, len),
                    }
                }
            }
        }
    }
}

/// Puts band after band together on a stage, each while the one before is streamed: memory is read and written evenly.
///
/// # Safety
/// As [`transpose`].
#[inline(always)]
unsafe fn bands<I: Instructions, const N: usize, const P: usize>(
    from: *const u8,
    to: *mut u8,
    rows: &Side,
    columns: &Side,
    buffers: &mut TransposeBuffers,
    then: usize,
) {
    let line = const { LINE / N };
    let (read, mut stages) = buffers.parts();
    let mut before = Band { from, to, len: 0, columns: columns.walk(0), left: 0 };
    let size = const { [BAND[0] * LINE / N, BAND[1]] };
    let blocks = Blocks::new([rows.len, columns.len], 0, const { STRIP / N }, size);
    let mut scout = Scout::new(blocks, line, const { ahead(N) }, then);
    for block in blocks {
        let [[first_row, first_column], [row_end, column_end]] = [block.first, block.end];
        let written = before.left.div_ceil(block.count(line));
        for [[row, column], count] in block.tiles(line) {
            scout.ask(from, rows, N);
            let at = (column - first_column) * PITCH + (row - first_row) * N;
            // SAFETY: the rest of both sides is counted, and a band has room for the square.
            unsafe {
                let (from, turned) = (from.add(column * N), stages[0].add(at));
                // One by one where lines are many, as above.
                let whole = const { N > 1 } && count == [line; 2];
                if whole && rows.has_groups(row, group::<I>(N)) {
                    stage_tile::<I, N, P>(from, Grid::of(rows, row, N), read, turned, PITCH);
                } else {
                    let (rows, staged) = ((rows, row, count[0]), const { Grid::even(N, PITCH) });
                    part_of_tile::<I, N, P>(from, rows, count[1] * N, read, turned, staged);
                }
                before.write::<I>(written);
            }
        }
        before = Band {
            from: stages[0],
            to: to.wrapping_add(first_row * N),
            len: (row_end - first_row) * N,
            columns: columns.walk(first_column),
            left: column_end - first_column,
        };
        stages.swap(0, 1);
    }
    // SAFETY: as above.
    unsafe { before.write::<I>(before.left) };
}

/// A band that has been put together, and the columns of it that are still to be written.
struct Band {
    from: *const u8,
    to: *mut u8,
    len: usize,
    columns: SideWalk,
    left: usize,
}

impl Band {
    /// Writes some more columns.
    ///
    /// # Safety
    /// The stage must be as it was when the band was put together, which the destination has room for; the CPU must have
    /// the instructions.
    #[inline(always)]
    unsafe fn write<I: Instructions>(&mut self, columns: usize) {
        for _ in 0..columns.min(self.left) {
            // SAFETY: as the caller promises.
            unsafe {
                let to = self.to.add(self.columns.step());
                run::<I, true, _>(self.from, to, self.len, Mode::NEAR);
            }
            self.from = self.from.wrapping_add(PITCH);
            self.left -= 1;
        }
    }
}

/// Writes a line, past the caches if `STREAM` says so and the address is one that allows it.
///
/// # Safety
/// `to` must be good for a line, and the CPU must have the instructions.
#[inline(always)]
unsafe fn put<I: Instructions, const STREAM: bool>(to: *mut u8, line: I::Line) {
    // SAFETY: as the caller promises; streamed lines are aligned.
    unsafe {
        match STREAM && to.addr().is_multiple_of(LINE) {
            true => I::stream(to, line),
            false => I::store(to, line),
        }
    }
}
