//! Rows that become columns.

use super::copy::{Mode, run, to_line};
use super::cpu::{Instructions, LANE, LINE, Lanes};
use super::interleave::turn;
use crate::kernel::boxes::Axis;
use crate::prefetch::prefetch_behind;
use core::mem::MaybeUninit;

/// Lines of rows that are turned before the next columns, and elements of the columns: what is read and written next to
/// each other, and few enough pages.
const BAND: [usize; 2] = [16, LINE];

/// Bytes after which addresses share a set of the nearest cache.
const PAGE: usize = 4096;

/// Squares of elements of `width` bytes from what is read to what is asked for meanwhile. So many rows of narrow
/// elements have no room in the nearest cache for what follows in each of them.
const fn ahead(width: usize) -> usize {
    if width < 4 { 1 } else { 2 }
}

/// One side of a transpose: elements that are contiguous in one array, and where they are in the other.
#[derive(Clone, Copy)]
struct Side {
    len: usize,
    /// Elements that are `stride` apart, and bytes from the first of them to the first of the next so many.
    count: usize,
    stride: usize,
    next: usize,
}

impl Side {
    #[inline(always)]
    fn new([outer, inner]: [Axis; 2], stride: fn(&Axis) -> usize) -> Self {
        let len = outer.count * inner.count;
        Self { len, count: inner.count, stride: stride(&inner), next: stride(&outer) }
    }

    /// Whether all elements are `stride` apart.
    #[inline(always)]
    fn is_even(&self) -> bool {
        self.len == self.count
    }

    /// Where the elements from number `first` on are.
    #[inline(always)]
    fn walk(self, first: usize) -> Walk {
        let start = first / self.count * self.next;
        Walk { side: self, start, inner: first % self.count }
    }
}

/// On the way along a side.
struct Walk {
    side: Side,
    start: usize,
    inner: usize,
}

impl Walk {
    /// Where the next element is.
    #[inline(always)]
    fn step(&mut self) -> usize {
        let at = self.start + self.inner * self.side.stride;
        self.inner += 1;
        if self.inner == self.side.count {
            self.inner = 0;
            self.start += self.side.next;
        }
        at
    }
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
}

/// Writes rows from columns. The elements of `rows` are contiguous in the destination, those of `columns` in the
/// source; each is a square of `P` by `P`, which is turned too.
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
) {
    let rows = Side::new(rows, |axis| axis.source);
    let columns = Side::new(columns, |axis| axis.destination);
    // Lines of many columns, or whose addresses clash, would be flushed before they are full; and what starts within a
    // line is streamed from the next one on.
    let clash = columns.stride.is_multiple_of(PAGE)
        || (rows.stride.is_multiple_of(PAGE) && rows.len * N >= BAND[0] * LINE);
    let stage = STREAM && (const { N < 4 } || clash || !columns.stride.is_multiple_of(LINE));
    // SAFETY: passed on.
    unsafe {
        match stage {
            true => bands::<I, N, P, STREAM, STREAM>(from, to, rows, columns, squares),
            false => bands::<I, N, P, STREAM, false>(from, to, rows, columns, squares),
        }
    }
}

/// Turns band after band, and writes each square by square, or, if it is to be put together on a `STAGE`, while the next
/// one is read: memory is read and written evenly.
///
/// # Safety
/// As [`transpose`].
#[inline(always)]
unsafe fn bands<
    I: Instructions,
    const N: usize,
    const P: usize,
    const STREAM: bool,
    const STAGE: bool,
>(
    from: *const u8,
    to: *mut u8,
    rows: Side,
    columns: Side,
    squares: &mut Squares,
) {
    let line = const { LINE / N };
    // What is streamed are lines of the destination.
    let head = if STREAM && !STAGE { (to_line(to) / N).min(rows.len) } else { 0 };
    let (mut first_row, mut row_end) = (0, head);
    let stages = squares.written.each_mut().map(|stage| stage.as_mut_ptr().cast::<u8>());
    let (mut stage, mut before) =
        (0, Band { from: stages[0], to, len: 0, columns: columns.walk(0), left: 0 });
    while first_row < rows.len {
        if first_row == row_end {
            row_end = rows.len.min(first_row + const { BAND[0] * LINE / N });
        }
        for first_column in (0..columns.len).step_by(BAND[1]) {
            let column_end = columns.len.min(first_column + BAND[1]);
            let across = (column_end - first_column).div_ceil(line);
            let count = across * (row_end - first_row).div_ceil(line);
            let written = before.left.div_ceil(count);
            let place = |number: usize| {
                (first_row + number / across * line, first_column + number % across * line)
            };
            for number in 0..count {
                if STREAM {
                    let (row, column) = match number + const { ahead(N) } {
                        next if next < count => place(next),
                        next => (first_row + (next - count) * line, column_end),
                    };
                    let mut walk = rows.walk(row);
                    for _ in row..row_end.min(row + line) {
                        prefetch_behind(from.wrapping_add(walk.step() + column * N));
                    }
                }
                let (row, column) = place(number);
                let (height, width) = (line.min(row_end - row), line.min(column_end - column));
                let at = (column - first_column) * pitch(true) + (row - first_row) * N;
                // SAFETY: the rest of both sides is counted, and a band has room for the square.
                unsafe {
                    let turned = stages[stage].add(if STAGE { at } else { 0 });
                    let read = squares.read.as_mut_ptr().cast::<u8>();
                    let rows = (&rows, row, height);
                    square::<I, N, P, STAGE>(from.add(column * N), rows, width, read, turned);
                    if STAGE {
                        before.write::<I, STREAM>(written);
                    } else {
                        let (to, columns) = (to.add(row * N), (&columns, column, width));
                        put_rows::<I, STREAM>(turned, height * N, to, columns);
                    }
                }
            }
            if STAGE {
                before = Band {
                    from: stages[stage],
                    to: to.wrapping_add(first_row * N),
                    len: (row_end - first_row) * N,
                    columns: columns.walk(first_column),
                    left: column_end - first_column,
                };
                stage = 1 - stage;
            }
        }
        first_row = row_end;
    }
    // SAFETY: as above.
    unsafe { before.write::<I, STREAM>(before.left) };
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
    unsafe fn write<I: Instructions, const STREAM: bool>(&mut self, columns: usize) {
        for _ in 0..columns.min(self.left) {
            // SAFETY: as the caller promises.
            unsafe {
                let to = self.to.add(self.columns.step());
                run::<I, STREAM, _>(self.from, to, self.len, Mode::NEAR);
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
    mut from: *const u8,
    (rows, first_row, row_count): (&Side, usize, usize),
    column_count: usize,
    read: *mut u8,
    written: *mut u8,
) {
    let (row_bytes, column_bytes) = (row_count * N, column_count * N);
    let mut stride = LINE;
    // SAFETY: lines of rows that there are lie within the source, and parts of lines are copied as such.
    unsafe {
        if const { N >= 4 } && row_bytes == LINE && column_bytes == LINE && rows.is_even() {
            from = from.add(first_row * rows.stride);
            stride = rows.stride;
        } else {
            let mut walk = rows.walk(first_row);
            for row in 0..row_count {
                let (from, to) = (from.add(walk.step()), read.add(row * LINE));
                match column_bytes {
                    LINE => I::store(to, I::load(from)),
                    len => core::ptr::copy_nonoverlapping(from, to, len),
                }
            }
            from = read;
        }
        let lanes = size_of::<I::Lanes>();
        for row in (0..row_bytes).step_by(lanes) {
            for column in (0..column_bytes).step_by(LANE) {
                let to = written.add(column / N * pitch(STAGE) + row);
                turn_lanes::<I, N, P, STAGE>(from.add(row / N * stride + column), stride, to);
            }
        }
    }
}

/// Writes `len` bytes, a line at most, to each of some columns.
///
/// # Safety
/// As [`transpose`]; `from` must be good for the bytes of each column.
#[inline(always)]
unsafe fn put_rows<I: Instructions, const STREAM: bool>(
    from: *const u8,
    len: usize,
    to: *mut u8,
    (columns, first_column, column_count): (&Side, usize, usize),
) {
    let mut walk = columns.walk(first_column);
    for column in 0..column_count {
        // SAFETY: as the caller promises.
        unsafe {
            let (from, to) = (from.add(column * pitch(false)), to.add(walk.step()));
            match len {
                LINE => put::<I, STREAM>(to, I::load(from)),
                _ => core::ptr::copy_nonoverlapping(from, to, len),
            }
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

/// A lane of each of as many rows as all lanes have elements, as rows of registers in lines of a band.
///
/// # Safety
/// `from` must be good for a lane of each row, `to` for the lines; the CPU must have the instructions.
#[inline(always)]
unsafe fn turn_lanes<I: Instructions, const N: usize, const P: usize, const STAGE: bool>(
    from: *const u8,
    stride: usize,
    to: *mut u8,
) {
    macro_rules! elements {
        ($K:literal) => {{
            let lanes: [I::Lanes; $K] = core::array::from_fn(|row| {
                let lanes = I::Lanes::load(from.add(row * stride), $K * stride);
                lanes.turn::<N, P>()
            });
            let lanes = turn::<I::Lanes, $K>(lanes);
            let mut row = 0;
            while row < $K {
                to.add(row * pitch(STAGE)).cast::<I::Lanes>().write_unaligned(lanes[row]);
                row += 1;
            }
        }};
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
