//! In which order a transpose goes along its two sides.

use super::cpu::LINE;
use crate::kernel::boxes::Axis;
use crate::prefetch::prefetch_behind;

/// One side of a transpose: elements that are contiguous in one array, and where they are in the other.
#[derive(Clone, Copy)]
pub(super) struct Side {
    pub(super) len: usize,
    /// Elements that are `stride` apart, and bytes from the first of them to the first of the next so many.
    count: usize,
    pub(super) stride: usize,
    pub(super) next: usize,
}

impl Side {
    #[inline(always)]
    pub(super) fn new([outer, inner]: [Axis; 2], stride: fn(&Axis) -> usize) -> Self {
        let len = outer.count * inner.count;
        Self { len, count: inner.count, stride: stride(&inner), next: stride(&outer) }
    }

    /// Whether all elements are `stride` apart.
    #[inline(always)]
    pub(super) fn is_even(&self) -> bool {
        self.len == self.count
    }

    /// Where the elements from number `first` on are.
    #[inline(always)]
    pub(super) fn walk(self, first: usize) -> Walk {
        let start = first / self.count * self.next;
        Walk { side: self, start, inner: first % self.count }
    }
}

/// On the way along a side.
pub(super) struct Walk {
    side: Side,
    start: usize,
    inner: usize,
}

impl Walk {
    /// Where the next element is.
    #[inline(always)]
    pub(super) fn step(&mut self) -> usize {
        let at = self.start + self.inner * self.side.stride;
        self.inner += 1;
        if self.inner == self.side.count {
            self.inner = 0;
            self.start += self.side.next;
        }
        at
    }
}

/// Rows and columns that are turned one after the other.
#[derive(Clone, Copy)]
pub(super) struct Block {
    pub(super) first: [usize; 2],
    pub(super) end: [usize; 2],
}

impl Block {
    /// Squares of `line` rows and columns in it.
    #[inline(always)]
    pub(super) fn squares(&self, line: usize) -> usize {
        (self.end[0] - self.first[0]).div_ceil(line) * self.across(line)
    }

    #[inline(always)]
    fn across(&self, line: usize) -> usize {
        (self.end[1] - self.first[1]).div_ceil(line)
    }

    /// The square `number`: its first row and column, and how many of them there are; none past the last square.
    #[inline(always)]
    pub(super) fn square(&self, number: usize, line: usize) -> [[usize; 2]; 2] {
        let across = self.across(line);
        let at = [number / across, number % across];
        let first = [0, 1].map(|i| self.first[i] + at[i] * line);
        [first, [0, 1].map(|i| line.min(self.end[i].saturating_sub(first[i])))]
    }
}

/// All blocks: strips of columns, in each of them some rows after the other, and of those some columns.
pub(super) struct Blocks {
    len: [usize; 2],
    strip: usize,
    size: [usize; 2],
    /// Rows of the first blocks of a strip, if not as many as of the others.
    head: usize,
    /// The first block, and the next one.
    first: Block,
    next: Block,
    strip_end: usize,
}

impl Blocks {
    #[inline(always)]
    pub(super) fn new(len: [usize; 2], head: usize, strip: usize, size: [usize; 2]) -> Self {
        let none = Block { first: [0; 2], end: [0; 2] };
        let mut blocks = Self { len, strip, size, head, first: none, next: none, strip_end: 0 };
        blocks.start_strip(0);
        blocks.first = blocks.next;
        blocks
    }

    #[inline(always)]
    fn start_strip(&mut self, column: usize) {
        self.strip_end = self.len[1].min(column.saturating_add(self.strip));
        let rows = if self.head > 0 { self.head } else { self.size[0] };
        self.next = Block { first: [0, column], end: [self.len[0].min(rows), self.end(column)] };
    }

    /// Asks for the square `number` of `block`, which is the last one that was handed out, or, past its last square, for
    /// those of the next block: after all others that is the first one of what comes `then` bytes later.
    #[inline(always)]
    pub(super) fn ask<const N: usize>(
        &self,
        (block, number): (&Block, usize),
        from: *const u8,
        rows: &Side,
        then: usize,
    ) {
        let line = const { LINE / N };
        let ([[row, column], [row_count, _]], from) = match number.checked_sub(block.squares(line))
        {
            None => (block.square(number, line), from),
            Some(past) if self.next.first[1] < self.len[1] => (self.next.square(past, line), from),
            Some(past) => (self.first.square(past, line), from.wrapping_add(then)),
        };
        let mut walk = rows.walk(row);
        for _ in 0..row_count {
            prefetch_behind(from.wrapping_add(walk.step() + column * N));
        }
    }

    /// Where columns end that start with this one.
    #[inline(always)]
    fn end(&self, column: usize) -> usize {
        self.strip_end.min(column.saturating_add(self.size[1]))
    }
}

impl Iterator for Blocks {
    type Item = Block;

    #[inline(always)]
    fn next(&mut self) -> Option<Block> {
        let block = self.next;
        let [_, column] = block.first;
        if column >= self.len[1] {
            return None;
        }
        let [row_end, column_end] = block.end;
        let strip_start = column / self.strip * self.strip;
        if column_end < self.strip_end {
            self.next.first[1] = column_end;
            self.next.end[1] = self.end(column_end);
        } else if row_end < self.len[0] {
            self.next = Block {
                first: [row_end, strip_start],
                end: [self.len[0].min(row_end.saturating_add(self.size[0])), self.end(strip_start)],
            };
        } else {
            self.start_strip(column_end);
        }
        Some(block)
    }
}
