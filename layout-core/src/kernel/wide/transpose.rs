//! Rows that become columns.

use super::copy::{put, to_line};
use super::cpu::{Instructions, LANE, LINE, Lanes};
use super::interleave::turn;
use crate::kernel::boxes::Axis;

/// Lines of rows that are turned before the next columns: what is written next to each other, and few enough pages.
const BAND: usize = 16;

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

/// Blocks in the nearest cache, of what has been read, and of what is to be written: as many rows of a line each as a
/// line has elements.
#[repr(align(64))]
pub(super) struct Squares([[u8; LINE * LINE]; 2]);

impl Squares {
    pub(super) const ZERO: Self = Self([[0; LINE * LINE]; 2]);
}

/// Writes rows from columns. The elements of `rows` are contiguous in the destination, those of `columns` in the
/// source.
///
/// # Safety
/// The pointers must be good for the elements that counts and strides reach, not overlapping; the CPU must have the
/// instructions.
#[inline(always)]
pub(super) unsafe fn transpose<I: Instructions, const N: usize, const STREAM: bool>(
    from: *const u8,
    to: *mut u8,
    (rows, columns): ([Axis; 2], [Axis; 2]),
    squares: &mut Squares,
) {
    let line = const { LINE / N };
    let rows = Side::new(rows, |axis| axis.source);
    let columns = Side::new(columns, |axis| axis.destination);
    let column_blocks = columns.len.div_ceil(line);
    // The second block of rows starts with a line of the destination.
    let head = (to_line(to) / N).min(rows.len);
    let row_blocks = usize::from(head > 0) + (rows.len - head).div_ceil(line);
    let first_row =
        |block: usize| if head == 0 { block * line } else { head + block * line - line };
    for band in (0..row_blocks).step_by(BAND) {
        for j in 0..column_blocks {
            let j = j * line;
            for block in band..row_blocks.min(band + BAND) {
                let (i, count) = match block {
                    0 if head > 0 => (0, head),
                    _ => (first_row(block), line.min(rows.len - first_row(block))),
                };
                // SAFETY: the rest of both sides is counted.
                unsafe {
                    square::<I, N, STREAM>(
                        from.add(j * N),
                        to.add(i * N),
                        (&rows, i, count),
                        (&columns, j, line.min(columns.len - j)),
                        squares,
                    );
                }
            }
        }
    }
}

/// Writes the elements of some rows, and of some columns, of a line each at most.
///
/// # Safety
/// As [`transpose`].
#[inline(always)]
unsafe fn square<I: Instructions, const N: usize, const STREAM: bool>(
    from: *const u8,
    to: *mut u8,
    (rows, first_row, row_count): (&Side, usize, usize),
    (columns, first_column, column_count): (&Side, usize, usize),
    Squares([read, written]): &mut Squares,
) {
    let (row_bytes, column_bytes) = (row_count * N, column_count * N);
    let full = row_bytes == LINE && column_bytes == LINE;
    let (read, written) = (read.as_mut_ptr(), written.as_mut_ptr());
    // SAFETY: lines of rows that there are lie within the source, parts of lines are copied as such, and the same for
    // the destination; both squares have a line for each row.
    unsafe {
        let (mut from, mut stride) = (from, LINE);
        if const { N >= 4 } && full && rows.is_even() {
            from = from.add(first_row * rows.stride);
            stride = rows.stride;
            let ahead = LINE / N * stride;
            for row in 0..LINE / N {
                I::prefetch(from.wrapping_add(row * stride + ahead));
            }
        } else {
            let ahead = LINE / N * rows.stride;
            let mut walk = rows.walk(first_row);
            for row in 0..row_count {
                let (from, to) = (from.add(walk.step()), read.add(row * LINE));
                I::prefetch(from.wrapping_add(ahead));
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
                turn_lanes::<I, N>(
                    from.add(row / N * stride + column),
                    stride,
                    written.add(column / N * LINE + row),
                );
            }
        }
        let mut walk = columns.walk(first_column);
        for column in 0..column_count {
            let (from, to) = (written.add(column * LINE), to.add(walk.step()));
            match row_bytes {
                // Narrow elements take more lines at a time than can be collected on the way past the caches.
                LINE if const { N >= 4 } => put::<I, STREAM>(to, I::load(from)),
                LINE => I::store(to, I::load(from)),
                len => core::ptr::copy_nonoverlapping(from, to, len),
            }
        }
    }
}

/// A lane of each of as many rows as all lanes have elements, as rows of registers in lines that follow each other.
///
/// # Safety
/// `from` must be good for a lane of each row, `to` for the lines; the CPU must have the instructions.
#[inline(always)]
unsafe fn turn_lanes<I: Instructions, const N: usize>(from: *const u8, stride: usize, to: *mut u8) {
    macro_rules! elements {
        ($K:literal) => {{
            let lanes: [I::Lanes; $K] =
                core::array::from_fn(|row| I::Lanes::load(from.add(row * stride), $K * stride));
            let lanes = turn::<I::Lanes, $K>(lanes);
            let mut row = 0;
            while row < $K {
                to.add(row * LINE).cast::<I::Lanes>().write_unaligned(lanes[row]);
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

/// Elements of a side of the blocks in which elements move one by one.
const BLOCK: usize = 16;

/// Moves elements of `N` bytes between any strides, block by block.
///
/// # Safety
/// The pointers must be good for the elements that counts and strides reach, not overlapping.
#[inline(always)]
pub(super) unsafe fn gather<const N: usize>(from: *const u8, to: *mut u8, axes: [Axis; 4]) {
    let [a, b, outer, inner] = axes;
    for i in 0..a.count * b.count {
        let (i, j) = (i / b.count, i % b.count);
        // SAFETY: both counts are kept.
        let (from, to) = unsafe {
            (from.add(i * a.source + j * b.source), to.add(i * a.destination + j * b.destination))
        };
        for i in (0..outer.count).step_by(BLOCK) {
            for j in (0..inner.count).step_by(BLOCK) {
                for i in i..outer.count.min(i + BLOCK) {
                    for j in j..inner.count.min(j + BLOCK) {
                        // SAFETY: both counts are kept.
                        unsafe {
                            let from =
                                from.add(i * outer.source + j * inner.source).cast::<[u8; N]>();
                            let to = to
                                .add(i * outer.destination + j * inner.destination)
                                .cast::<[u8; N]>();
                            to.write_unaligned(from.read_unaligned());
                        }
                    }
                }
            }
        }
    }
}
