//! Rows that become columns.

use super::blocks::{Blocks, Scout, Side, Walk};
use super::copy::{Mode, run, to_line};
use super::cpu::{Instructions, LANE, LINE, Lanes};
use super::interleave::turn;
use crate::kernel::boxes::Axis;
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

/// Squares of elements of `width` bytes from what is read for a band to what is asked for meanwhile. So many rows of
/// narrow elements have no room in the nearest cache for what follows in each of them.
const fn ahead(width: usize) -> usize {
    if width < 4 { 1 } else { width / 2 }
}

/// Bytes from one line of a band to the next, not a power of two; of a square, if that is all that is put together.
const fn pitch(stage: bool) -> usize {
    if stage { BAND[0] * LINE + LINE } else { LINE }
}

/// What has been read, as many rows of a line as a line has elements, and what is to be written: a band that is put
/// together, and the one before.
#[repr(align(64))]
pub(super) struct Squares {
    read: [MaybeUninit<u8>; LINE * LINE],
    written: [[MaybeUninit<u8>; BAND[1] * pitch(true)]; 2],
}

impl Squares {
    pub(super) const NEW: Self = Self {
        read: [MaybeUninit::uninit(); LINE * LINE],
        written: [[MaybeUninit::uninit(); BAND[1] * pitch(true)]; 2],
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
    squares: &mut Squares,
    then: usize,
) {
    let rows = Side::new(rows, |axis| axis.source);
    let columns = Side::new(columns, |axis| axis.destination);
    // Lines of many columns, or whose addresses clash, would be flushed before they are full; and what starts within a
    // line is streamed from the next one on.
    let clash = match rows.stride.is_multiple_of(PAGE) {
        true => columns.stride.is_multiple_of(PAGE) || rows.len * N >= BAND[0] * LINE,
        false => columns.stride.is_multiple_of(CLASH),
    };
    let stage = STREAM && (const { N == 1 } || clash || !columns.stride.is_multiple_of(LINE));
    // SAFETY: passed on.
    unsafe {
        match stage {
            true => bands::<I, N, P>(from, to, &rows, &columns, squares, then),
            false => lines::<I, N, P, STREAM>(from, to, &rows, &columns, squares, then),
        }
    }
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
    squares: &mut Squares,
    then: usize,
) {
    let line = const { LINE / N };
    let len = [rows.len, columns.len];
    let (strip, ahead) = match rows.len * N < BAND[0] * LINE {
        true => (BAND[1], 2),
        false => (const { STRIP / N }, 4),
    };
    let blocks = match STREAM {
        // What is streamed are lines of the destination.
        true => Blocks::new(len, to_line(to) / N, strip, [usize::MAX; 2]),
        false => Blocks::new(len, 0, usize::MAX, const { [BAND[0] * LINE / N, BAND[1]] }),
    };
    let (read, [turned, _]) = squares.parts();
    let mut scout = Scout::new(blocks, line, if STREAM { ahead } else { 0 }, then);
    for block in blocks {
        for [[row, column], [row_count, column_count]] in block.squares(line) {
            if STREAM {
                scout.ask(from, rows, N);
            }
            // SAFETY: the rest of both sides is counted, and `turned` has room for the square.
            unsafe {
                let from = from.add(column * N);
                let to = to.add(row * N);
                let mut walk = columns.walk(column);
                let whole = STREAM
                    && const { N >= 4 }
                    && [row_count, column_count] == [line; 2]
                    && rows.has_groups(row, const { size_of::<I::Lanes>() / N })
                    && (to.addr() | columns.stride | columns.next).is_multiple_of(LINE);
                if whole {
                    stream_square::<I, N, P>(from, (rows, row), to, &mut walk);
                    continue;
                }
                square::<I, N, P, false>(from, (rows, row, row_count), column_count, read, turned);
                for column in 0..column_count {
                    let (from, to) = (turned.add(column * pitch(false)), to.add(walk.step()));
                    match row_count * N {
                        LINE => put::<I, STREAM>(to, I::load(from)),
                        len => core::ptr::copy_nonoverlapping(from, to, len),
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
    squares: &mut Squares,
    then: usize,
) {
    let line = const { LINE / N };
    let size = const { [BAND[0] * LINE / N, BAND[1]] };
    let (read, mut stages) = squares.parts();
    let mut before = Band { from, to, len: 0, columns: columns.walk(0), left: 0 };
    let blocks = Blocks::new([rows.len, columns.len], 0, const { STRIP / N }, size);
    let mut scout = Scout::new(blocks, line, const { ahead(N) }, then);
    for block in blocks {
        let [[first_row, first_column], [row_end, column_end]] = [block.first, block.end];
        let written = before.left.div_ceil(block.count(line));
        for [[row, column], [row_count, column_count]] in block.squares(line) {
            scout.ask(from, rows, N);
            let at = (column - first_column) * pitch(true) + (row - first_row) * N;
            // SAFETY: the rest of both sides is counted, and a band has room for the square.
            unsafe {
                let (from, turned) = (from.add(column * N), stages[0].add(at));
                square::<I, N, P, true>(from, (rows, row, row_count), column_count, read, turned);
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
    columns: Walk,
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
            self.from = self.from.wrapping_add(pitch(true));
            self.left -= 1;
        }
    }
}

/// Turns the elements of some rows, and of some columns, of a line each at most.
///
/// # Safety
/// As [`transpose`]; `read` must be good for a line of each row, and `written` for one of each column.
#[inline(always)]
unsafe fn square<I: Instructions, const N: usize, const P: usize, const STAGE: bool>(
    from: *const u8,
    (rows, first_row, row_count): (&Side, usize, usize),
    column_count: usize,
    read: *mut u8,
    written: *mut u8,
) {
    let (row_bytes, column_bytes) = (row_count * N, column_count * N);
    let mut walk = rows.walk(first_row);
    let lanes = size_of::<I::Lanes>();
    // SAFETY: lines of rows that there are lie within the source, and parts of lines are copied as such.
    unsafe {
        let whole = const { N >= 4 } && row_bytes == LINE && column_bytes == LINE;
        if whole && rows.has_groups(first_row, lanes / N) {
            for row in (0..LINE).step_by(lanes) {
                let from = from.add(walk.step_over(lanes / N));
                turn_rows::<I, N, P, STAGE>(from, rows.stride, LINE, written.add(row));
            }
            return;
        }
        for row in 0..row_count {
            let (from, to) = (from.add(walk.step()), read.add(row * LINE));
            match column_bytes {
                LINE => I::store(to, I::load(from)),
                len => core::ptr::copy_nonoverlapping(from, to, len),
            }
        }
        for row in (0..row_bytes).step_by(lanes) {
            let from = read.add(row / N * LINE);
            turn_rows::<I, N, P, STAGE>(from, LINE, column_bytes, written.add(row));
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

/// Some bytes, a line at most, of each of as many rows as all lanes have elements, as rows of registers in lines of a band.
///
/// # Safety
/// `from` must be good for whole lanes of each row, `to` for the lines; the CPU must have the instructions.
#[inline(always)]
unsafe fn turn_rows<I: Instructions, const N: usize, const P: usize, const STAGE: bool>(
    from: *const u8,
    stride: usize,
    len: usize,
    to: *mut u8,
) {
    macro_rules! elements {
        ($K:literal) => {
            for column in (0..len).step_by(LANE) {
                let lanes = turned::<I, N, P, $K>(from.add(column), stride);
                let to = to.add(column / N * pitch(STAGE));
                let mut row = 0;
                while row < $K {
                    to.add(row * pitch(STAGE)).cast::<I::Lanes>().write_unaligned(lanes[row]);
                    row += 1;
                }
            }
        };
    }
    // SAFETY: passed on.
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

/// Lines of as many rows as a line has elements, as lines of the columns on the way along `columns`, past the caches.
///
/// # Safety
/// `from` must be good for a line of each row, `to` for one of each column, aligned to lines; the CPU must have the
/// instructions.
#[inline(always)]
unsafe fn stream_square<I: Instructions, const N: usize, const P: usize>(
    from: *const u8,
    (rows, first_row): (&Side, usize),
    to: *mut u8,
    columns: &mut Walk,
) {
    let mut walk = rows.walk(first_row);
    macro_rules! elements {
        ($K:literal, $PARTS:literal) => {{
            let group = const { size_of::<I::Lanes>() / N };
            let from: [*const u8; $PARTS] =
                core::array::from_fn(|_| from.wrapping_add(walk.step_over(group)));
            let mut column = 0;
            while column < LINE {
                let mut part = 0;
                let parts: [[I::Lanes; $K]; $PARTS] = core::array::from_fn(|_| {
                    let from = from[part].add(column);
                    part += 1;
                    turned::<I, N, P, $K>(from, rows.stride)
                });
                let mut row = 0;
                while row < $K {
                    let to = to.add(columns.step());
                    let mut part = 0;
                    while part < $PARTS {
                        parts[part][row].stream(to.add(part * size_of::<I::Lanes>()));
                        part += 1;
                    }
                    row += 1;
                }
                column += LANE;
            }
        }};
    }
    // SAFETY: passed on.
    unsafe {
        match (N, const { LINE / size_of::<I::Lanes>() }) {
            (4, 2) => elements!(4, 2),
            (4, _) => elements!(4, 4),
            (8, 2) => elements!(2, 2),
            (8, _) => elements!(2, 4),
            (_, 2) => elements!(1, 2),
            _ => elements!(1, 4),
        }
    }
}

/// A lane of each of as many rows as all lanes have elements, `K` of them a lane, as rows of registers.
///
/// # Safety
/// `from` must be good for a lane of each row, and the CPU must have the instructions.
#[inline(always)]
unsafe fn turned<I: Instructions, const N: usize, const P: usize, const K: usize>(
    from: *const u8,
    stride: usize,
) -> [I::Lanes; K] {
    let mut row = 0;
    // SAFETY: passed on.
    unsafe {
        turn::<I::Lanes, K>(core::array::from_fn(|_| {
            let lanes = I::Lanes::load(from.add(row * stride), K * stride);
            row += 1;
            lanes.turn::<N, P>()
        }))
    }
}
