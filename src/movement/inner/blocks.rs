//! The order in which a transpose visits its two sides.

use crate::cpu::{LINE, prefetch_behind};
use crate::movement::regions::Axis;

/// One side of a transpose: elements that are contiguous in one array, and their positions in the other.
#[derive(Clone, Copy)]
pub(super) struct Side {
    pub(super) len: usize,
    /// The number of elements that are `stride` bytes apart; the next `count` elements start `next` bytes after the first of these.
    /// With `count` 8, `stride` 512 and `next` 4096, element 10 is at byte 4096 + 2 * 512 = 5120.
    count: usize,
    pub(super) stride: usize,
    next: usize,
}

impl Side {
    #[inline(always)]
    pub(super) fn new([outer, inner]: [Axis; 2], stride: fn(&Axis) -> usize) -> Self {
        let len = outer.count * inner.count;
        Self { len, count: inner.count, stride: stride(&inner), next: stride(&outer) }
    }

    /// The positions of the elements, starting with number `first`.
    #[inline(always)]
    pub(super) fn walk(self, first: usize) -> SideWalk {
        // Divisions would take a considerable part of the time of a tile.
        let (start, inner) = match first < self.count {
            true => (0, first),
            false => (first / self.count * self.next, first % self.count),
        };
        SideWalk { side: self, start, inner }
    }

    /// Whether the elements of each group of `group` elements, starting with number `first`, are `stride` apart.
    #[inline(always)]
    pub(super) fn has_groups(&self, first: usize, group: usize) -> bool {
        self.len == self.count || (self.count | first).is_multiple_of(group)
    }
}

/// An iterator along a side.
pub(super) struct SideWalk {
    side: Side,
    start: usize,
    inner: usize,
}

impl SideWalk {
    /// The position of the next element, in bytes.
    #[inline(always)]
    pub(super) fn step(&mut self) -> usize {
        self.step_over(1)
    }

    /// The position of the next element, in bytes. Skips `elements` elements, which must be a stride apart.
    #[inline(always)]
    pub(super) fn step_over(&mut self, elements: usize) -> usize {
        let at = self.start + self.inner * self.side.stride;
        self.inner += elements;
        if self.inner == self.side.count {
            self.inner = 0;
            self.start += self.side.next;
        }
        at
    }
}

/// A rectangle of rows and columns that are transposed together.
#[derive(Clone, Copy)]
pub(super) struct TransposeBlock {
    pub(super) first: [usize; 2],
    pub(super) end: [usize; 2],
}

impl TransposeBlock {
    /// The tiles of the block, with `size` rows and columns each; the last ones have fewer.
    #[inline(always)]
    pub(super) fn tiles(self, size: [usize; 2]) -> BlockTiles {
        BlockTiles { block: self, size, at: self.first }
    }
}

/// The tiles of a block, row by row: the first row and column of each, and the numbers of its rows and columns.
#[derive(Clone, Copy)]
pub(super) struct BlockTiles {
    block: TransposeBlock,
    size: [usize; 2],
    at: [usize; 2],
}

impl Iterator for BlockTiles {
    type Item = [[usize; 2]; 2];

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        let TransposeBlock { first, end } = self.block;
        let at = self.at;
        if at[0] >= end[0] {
            return None;
        }
        self.at[1] += self.size[1];
        if self.at[1] >= end[1] {
            self.at = [at[0] + self.size[0], first[1]];
        }
        Some([at, [0, 1].map(|i| self.size[i].min(end[i] - at[i]))])
    }
}

/// All blocks of a transpose: strips of columns, each divided into bands of rows, and each band into blocks of columns.
#[derive(Clone, Copy)]
pub(super) struct Blocks {
    len: [usize; 2],
    strip: usize,
    size: [usize; 2],
    /// The number of rows of the first blocks of a strip, if it differs from the number of rows of the others; else 0.
    head: usize,
    next: TransposeBlock,
    strip_end: usize,
}

impl Blocks {
    #[inline(always)]
    pub(super) fn new(len: [usize; 2], head: usize, strip: usize, size: [usize; 2]) -> Self {
        let next = TransposeBlock { first: [0; 2], end: [0; 2] };
        let mut blocks = Self { len, strip, size, head, next, strip_end: 0 };
        blocks.start_strip(0);
        blocks
    }

    #[inline(always)]
    fn start_strip(&mut self, column: usize) {
        self.strip_end = self.len[1].min(column.saturating_add(self.strip));
        let rows = if self.head > 0 { self.head } else { self.size[0] };
        self.next =
            TransposeBlock { first: [0, column], end: [self.len[0].min(rows), self.end(column)] };
    }

    /// The end of the block of columns that starts at `column`.
    #[inline(always)]
    fn end(&self, column: usize) -> usize {
        self.strip_end.min(column.saturating_add(self.size[1]))
    }
}

impl Iterator for Blocks {
    type Item = TransposeBlock;

    #[inline(always)]
    fn next(&mut self) -> Option<TransposeBlock> {
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
            self.next = TransposeBlock {
                first: [row_end, strip_start],
                end: [self.len[0].min(row_end.saturating_add(self.size[0])), self.end(strip_start)],
            };
        } else {
            self.start_strip(column_end);
        }
        Some(block)
    }
}

/// Prefetches tiles some time before they are read.
pub(super) struct Scout {
    blocks: Blocks,
    tiles: BlockTiles,
    /// All blocks of the next transpose, and its distance in bytes.
    again: Option<(Blocks, usize)>,
    further: usize,
}

impl Scout {
    /// Starts `ahead` tiles of `size` rows and columns after the first one. The next transpose starts `then` bytes later and
    /// has the same blocks.
    #[inline(always)]
    pub(super) fn new(mut blocks: Blocks, size: [usize; 2], ahead: usize, then: usize) -> Self {
        let again = Some((blocks, then));
        let block = blocks.next;
        blocks.next();
        let mut scout = Self { blocks, tiles: block.tiles(size), again, further: 0 };
        for _ in 0..ahead {
            scout.tile();
        }
        scout
    }

    #[inline(always)]
    fn tile(&mut self) -> Option<[[usize; 2]; 2]> {
        if let Some(tile) = self.tiles.next() {
            return Some(tile);
        }
        let block = match self.blocks.next() {
            Some(block) => block,
            None => {
                (self.blocks, self.further) = self.again.take()?;
                self.blocks.next()?
            }
        };
        self.tiles = block.tiles(self.tiles.size);
        self.tiles.next()
    }

    /// Prefetches the rows of the next tile, whose elements have `width` bytes.
    #[inline(always)]
    pub(super) fn ask(&mut self, from: *const u8, rows: &Side, width: usize) {
        if let Some([[row, column], [count, columns]]) = self.tile() {
            let from = from.wrapping_add(self.further + column * width);
            let mut walk = rows.walk(row);
            for _ in 0..count {
                let row = from.wrapping_add(walk.step());
                for line in (0..columns * width).step_by(LINE) {
                    prefetch_behind(row.wrapping_add(line));
                }
            }
        }
    }
}
