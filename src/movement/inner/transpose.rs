//! Transposes rows into columns: tile by tile, or in bands that are assembled in the L1 cache before they are streamed.
//!
//! Rows of `f32[4000,4048]` are 16,192 bytes apart, and those of the result 16,000: lines that are streamed to 16 columns are
//! in different sets of the L1 cache, so the lines of each tile of 16 by 16 elements are written directly. In `f32[4096,4096]`
//! both distances are 16,384 bytes, a multiple of a page, so that these lines clash: bands of 64 rows and 32 columns are
//! assembled first.

use super::blocks::{Blocks, Scout, Side};
use super::copy::{Mode, run, short, to_line};
use super::tiles::{Grid, group, part_of_tile, stage_tile, stream_tile, transpose_tile};
use crate::cpu::{Instructions, LANE, LINE};
use crate::movement::regions::Axis;
use core::mem::MaybeUninit;

/// The size of a block if lines are written one by one: the number of rows that fill 16 lines of the destination, and 64 columns.
/// That is enough for reads and writes in long runs, and touches few pages.
const BLOCK: [usize; 2] = [16, LINE];

/// The number of lines of each column that are assembled before they are written, and the number of lines of each row that they
/// are read from. Longer runs are not faster, and the columns would not fit in the L1 cache.
const BAND: [usize; 2] = [4, 2];

/// The number of lines of a row that are prefetched together. With fewer, runs of memory that are read are too short.
const RUN: usize = 4;

/// The bytes of each row that are transposed before the bytes that follow in the same row, if streamed. Each column is in a
/// page of its own, and the TLB must have entries for all of them.
const STRIP: usize = 2048;

/// The distance in bytes of addresses that share a set of the L1 cache.
const PAGE: usize = 4096;

/// The distance in bytes of lines that clash if they are streamed one by one.
const CLASH: usize = 512;

/// The bytes from one line of a band to the next; not a power of two.
const PITCH: usize = BAND[0] * LINE + LINE;

/// The rows of a tile as they were read, and the band that is being assembled.
///
/// Whole lanes are loaded from the rows, also where a tile is narrower or has fewer rows than they do; those bytes are zeros, or
/// remain from an earlier tile. Of a band, only what was stored is loaded.
#[repr(align(64))]
pub(super) struct TransposeBuffers {
    read: [MaybeUninit<u8>; LINE * LINE],
    band: [MaybeUninit<u8>; BAND[1] * LINE * PITCH],
}

impl TransposeBuffers {
    pub(super) const NEW: Self = Self {
        read: [MaybeUninit::new(0); LINE * LINE],
        band: [MaybeUninit::uninit(); BAND[1] * LINE * PITCH],
    };

    /// Pointers to the rows of a tile, and to the band.
    #[inline(always)]
    fn parts(&mut self) -> [*mut u8; 2] {
        [self.read.as_mut_ptr().cast(), self.band.as_mut_ptr().cast()]
    }
}

/// Transposes rows and columns. The elements of `rows` are contiguous in the destination, and those of `columns` in the source;
/// each element is a square of `P` by `P` units, which is transposed too. The next transpose reads `then` bytes later.
///
/// # Safety
/// The pointers must be valid for all elements that the counts and strides reach, and these must not overlap.
#[inline(always)]
pub(super) unsafe fn transpose<
    I: Instructions,
    const N: usize,
    const P: usize,
    const STREAM: bool,
>(
    simd: I,
    from: *const u8,
    to: *mut u8,
    (rows, columns): ([Axis; 2], [Axis; 2]),
    buffers: &mut TransposeBuffers,
    then: usize,
) {
    let rows = Side::new(rows, |axis| axis.source);
    let columns = Side::new(columns, |axis| axis.destination);
    // Bands are compiled only where streaming is possible: without optimization, code that never runs would take most of the
    // time of a build.
    if STREAM {
        // Lines of many columns, or lines whose addresses clash, would be flushed before they are full; and a column that starts
        // within a line can be streamed only from the start of the next line.
        let clash = match rows.stride.is_multiple_of(PAGE) {
            true => columns.stride.is_multiple_of(PAGE) || rows.len * N >= BLOCK[0] * LINE,
            false => columns.stride.is_multiple_of(CLASH),
        };
        if clash || const { N == 1 } || !columns.stride.is_multiple_of(LINE) {
            // SAFETY: the caller promises the same.
            return unsafe { bands::<I, N, P>(simd, from, to, &rows, &columns, buffers, then) };
        }
    }
    // SAFETY: the caller promises the same.
    unsafe { lines::<I, N, P, STREAM>(simd, from, to, &rows, &columns, buffers, then) }
}

/// Transposes tile by tile, and writes the lines of each tile.
///
/// # Safety
/// As for [`transpose`].
#[inline(always)]
unsafe fn lines<I: Instructions, const N: usize, const P: usize, const STREAM: bool>(
    simd: I,
    from: *const u8,
    to: *mut u8,
    rows: &Side,
    columns: &Side,
    buffers: &mut TransposeBuffers,
    then: usize,
) {
    let line = const { LINE / N };
    let len = [rows.len, columns.len];
    let (strip, ahead) = match rows.len * N < BLOCK[0] * LINE {
        true => (BLOCK[1], 2),
        false => (const { STRIP / N }, 4),
    };
    // The lines of all columns of a tile stay in the L1 cache while they are written piece by piece.
    let near = !STREAM && !columns.stride.is_multiple_of(const { CLASH * N });
    let blocks = match (STREAM, near) {
        // Whole lines of the destination are streamed.
        (true, _) => Blocks::new(len, to_line(to) / N, strip, [usize::MAX; 2]),
        (_, true) => Blocks::new(len, 0, usize::MAX, [usize::MAX; 2]),
        _ => Blocks::new(len, 0, usize::MAX, const { [BLOCK[0] * LINE / N, BLOCK[1]] }),
    };
    let [read, staged] = buffers.parts();
    let mut scout = Scout::new(blocks, [line; 2], if STREAM { ahead } else { 0 }, then);
    for block in blocks {
        for [[row, column], count] in block.tiles([line; 2]) {
            if STREAM {
                scout.ask(from, rows, N);
            }
            // Tiles of narrow elements have many lines: if these clash, writing fewer at a time is faster.
            let whole = (near || STREAM || const { N >= 4 })
                && count == [line; 2]
                && rows.has_groups(row, group::<I>(N))
                && columns.has_groups(column, const { LANE / N });
            // SAFETY: `count` does not reach past the end of either side, `read` is initialized, and `staged` has room for the tile.
            unsafe {
                let (from, to) = (from.add(column * N), to.add(row * N));
                if whole {
                    let (rows, columns) = (Grid::of(rows, row, N), Grid::of(columns, column, N));
                    if const { !STREAM } && near {
                        transpose_tile::<I, N, P>(simd, from, rows, read, to, columns);
                        continue;
                    }
                    if STREAM && const { N >= 4 } && columns.is_aligned(to) {
                        stream_tile::<I, N, P>(simd, from, rows, to, columns);
                        continue;
                    }
                    stage_tile::<I, N, P>(simd, from, rows, read, staged, LINE);
                } else {
                    let (rows, grid) = ((rows, row, count[0]), const { Grid::even(N, LINE) });
                    part_of_tile::<I, N, P>(simd, from, rows, count[1] * N, read, staged, grid);
                }
                let mut walk = columns.walk(column);
                for column in 0..count[1] {
                    let (from, to) = (staged.add(column * LINE), to.add(walk.step()));
                    match count[0] * N {
                        LINE => put::<I, STREAM>(simd, to, simd.load(from)),
                        len => short(simd, from, to, len),
                    }
                }
            }
        }
    }
}

/// Assembles each band in a buffer, and then streams it. Meanwhile the rows of the next bands are prefetched one after the other,
/// so that memory is also read in runs. With elements of 4 bytes, a band is 64 rows by 32 columns, assembled from 4 by 2 tiles of
/// 16 by 16 elements: each of its columns is 256 bytes, 4 lines of the destination.
///
/// # Safety
/// As for [`transpose`].
#[inline(always)]
unsafe fn bands<I: Instructions, const N: usize, const P: usize>(
    simd: I,
    from: *const u8,
    to: *mut u8,
    rows: &Side,
    columns: &Side,
    buffers: &mut TransposeBuffers,
    then: usize,
) {
    let (line, strip) = const { (LINE / N, STRIP / N) };
    let [read, staged] = buffers.parts();
    let len = [rows.len, columns.len];
    let blocks = Blocks::new(len, 0, strip, BAND.map(|lines| lines * line));
    let asked = Blocks::new(len, 0, strip, [BAND[0] * line, RUN * line]);
    let ahead = BAND[0] * line;
    let mut scout = Scout::new(asked, [1, RUN * line], ahead, then);
    for block in blocks {
        let [[first_row, first_column], [row_end, column_end]] = [block.first, block.end];
        for [[row, column], count] in block.tiles([line; 2]) {
            // Each call prefetches `RUN` lines; together they prefetch as many lines as a tile has.
            for _ in 0..const { (LINE / N).div_ceil(RUN) } {
                scout.ask(from, rows, N);
            }
            let at = (column - first_column) * PITCH + (row - first_row) * N;
            // SAFETY: `count` does not reach past the end of either side, `read` is initialized, and a band has room for the tile.
            unsafe {
                let (from, staged) = (from.add(column * N), staged.add(at));
                // Line by line if there are many lines, as above.
                let whole = const { N > 1 } && count == [line; 2];
                if whole && rows.has_groups(row, group::<I>(N)) {
                    stage_tile::<I, N, P>(simd, from, Grid::of(rows, row, N), read, staged, PITCH);
                } else {
                    let (rows, grid) = ((rows, row, count[0]), const { Grid::even(N, PITCH) });
                    part_of_tile::<I, N, P>(simd, from, rows, count[1] * N, read, staged, grid);
                }
            }
        }
        let mut walk = columns.walk(first_column);
        for column in 0..column_end - first_column {
            // SAFETY: the column is within the band and within the destination.
            unsafe {
                let (from, to) = (staged.add(column * PITCH), to.add(walk.step() + first_row * N));
                run::<I, true, _>(simd, from, to, (row_end - first_row) * N, Mode::NEAR);
            }
        }
    }
}

/// Writes a line. The store bypasses the caches if `STREAM` is set and the address is aligned.
///
/// # Safety
/// `to` must be valid for a line.
#[inline(always)]
unsafe fn put<I: Instructions, const STREAM: bool>(simd: I, to: *mut u8, line: I::Line) {
    // SAFETY: the caller promises it; streamed lines are aligned.
    unsafe {
        match STREAM && to.addr().is_multiple_of(LINE) {
            true => simd.stream(to, line),
            false => simd.store(to, line),
        }
    }
}
