//! The micro-kernel of tile registers, without their instructions.
//!
//! A tile is 16 rows of 64 bytes; if `A` has fewer rows, its tiles and those of sums have as many. One instruction multiplies a
//! tile of `A` by a tile of `B` and adds the products to a tile of sums. A block is two tiles of `A` by two of `B`: for each 16
//! words of the inner dimension, four tiles are loaded and four products are added to four tiles of sums. A row of a tile of `A`
//! is 16 words of one row of `A`; a row of a tile of `B` is the words of 16 columns in one row of words.
//!
//! Tiles of `B` stay in the L1 cache from block to block, so those of `A`, which are read from the L2 cache once, are loaded
//! without a copy in L1. Meanwhile the words of `B` that come next are prefetched: four lines for each four products, since more
//! at a time would delay the loads of `A`.
#![allow(unsafe_code, reason = "tiles are loaded and stored unchecked, after all checks are made")]
#![cfg_attr(
    not(any(test, all(target_arch = "x86_64", feature = "std"))),
    expect(dead_code, reason = "only x86-64 has tile registers")
)]

use super::grid::Word;
use super::lanes::{LINE_WORDS, MicroBlock, Panel, Start};
use core::mem::MaybeUninit;
use core::ops::Range;
use core::ptr;

/// The rows of a tile.
pub(super) const TILE_ROWS: usize = 16;
/// The largest number of rows of a block: those of two tiles.
pub(super) const ROWS: usize = 2 * TILE_ROWS;
/// The columns of a block: those of two tiles.
pub(super) const COLUMNS: usize = 2 * LINE_WORDS;

/// The words that a block prefetches in a step: four lines.
pub(super) const STEP_AHEAD: usize = 4 * LINE_WORDS;

/// The rows of words of a last step.
pub(super) type Gathered = [[Word; COLUMNS]; TILE_ROWS];

/// The bytes from one of these rows to the next.
pub(super) const GATHERED_STRIDE: usize = size_of::<[Word; COLUMNS]>();

/// The arguments of the loop over tiles: the products of blocks of one or two tiles of rows, one below the other, and two tiles of
/// columns, summed up over the inner dimension.
pub(super) struct TileBlocks {
    /// The number of blocks, at least 1.
    pub(super) blocks: usize,
    /// The tiles of `A`: one or two for each step, of 1 KiB each.
    pub(super) a: *const u32,
    /// The bytes from the tiles of a block to those of the next.
    pub(super) a_next: usize,
    /// The first row of words of `B`.
    pub(super) b: *const Word,
    /// The bytes from one row of words to the next within a step.
    pub(super) b_stride: usize,
    /// The bytes from one step to the next.
    pub(super) b_step: usize,
    /// The number of steps of 16 rows of words.
    pub(super) steps: usize,
    /// 16 rows of words, [`GATHERED_STRIDE`] bytes apart, for a last step; null if there is none.
    pub(super) last: *const Word,
    /// The sums.
    pub(super) c: *mut Word,
    /// The bytes from one row of sums to the next, and from the sums of a block to those of the next.
    pub(super) c_stride: usize,
    pub(super) c_next: usize,
    /// Whether the products are added to the values of `c`.
    pub(super) adds: usize,
    /// What to prefetch: [`STEP_AHEAD`] words in each step. After a block that passes the end, it goes on with `B`. Any address is
    /// allowed.
    pub(super) ahead: *const Word,
    pub(super) ahead_end: *const Word,
    /// Other rows of 32 sums, one after the other, that are copied past the caches meanwhile, one in each step; two until `second_end`.
    pub(super) from: *const Word,
    /// Where these rows start, as numbers of words from `to` on, which are those of lines.
    pub(super) rows_at: *const usize,
    pub(super) rows_end: *const usize,
    pub(super) second_end: *const usize,
    pub(super) to: *mut Word,
}

/// The instructions of tiles for some element types, with `TALL` tiles of rows in a block, 1 or 2. If there are `FEW` rows in all, the tiles
/// of `A` are expected in the L1 cache. A value proves that the CPU has the instructions.
pub(super) trait Tiles<const TALL: usize, const FEW: bool>: Copy {
    /// Writes the sums of the blocks. Returns the number of other rows that were copied.
    ///
    /// # Safety
    /// The tile registers must be configured for 16 words, and must not contain anything that is still needed.
    /// The memory at the pointers must be readable: at `a`, for each block, `TALL` KiB for each step and for a last one; at `b`
    /// and at `last`, 128 bytes for each row of words. At `c`, for each block, 128 bytes for each of `16 * TALL` rows must be writable,
    /// and contain sums if `adds` is not 0. For each other row, 128 bytes must be readable, and writable at its start.
    unsafe fn run(self, blocks: TileBlocks) -> usize;
}

/// Computes a block of `16 * TALL` rows and [`COLUMNS`] columns. `A` is lines of 16 words: the first 16 words of all rows of
/// the block, then the next 16 words of all rows, up to a multiple of 16 words; everything that `A` does not have is zero.
///
/// # Panics
/// If a slice of the block is too short, if its rows of sums or of `B` are not the same distance apart, or if it starts with numbers
/// for columns.
///
/// # Safety
/// The tile registers must be configured for 16 words, and must not contain anything that is still needed.
#[inline(always)]
pub(super) unsafe fn multiply<T: Tiles<TALL, FEW>, const TALL: usize, const FEW: bool>(
    tiles: T,
    block: &mut MicroBlock<'_>,
) {
    let (panel, rows) = (block.b, TALL * TILE_ROWS);
    assert!(block.a.len() == panel.rows.next_multiple_of(TILE_ROWS) * rows);
    let Sums { c, c_stride, adds } = sums(block, rows);
    // Words that are read soon anyway cost nothing.
    let ahead = if block.ahead.is_empty() { panel.words() } else { block.ahead };
    let mut gathered = MaybeUninit::uninit();
    let blocks = TileBlocks {
        a: block.a.as_ptr(),
        c,
        c_stride,
        adds: adds.into(),
        ahead: ahead.as_ptr(),
        ..tiles_of(&panel, &mut gathered)
    };
    // SAFETY: `a` has lines for each row of words, as asserted, and `c` has all rows, as asserted. There are no other rows.
    unsafe { tiles.run(blocks) };
}

/// Blocks of rows, one below the other, that are multiplied by the same panel of `B`.
pub(super) struct TileColumn<'a> {
    /// The lines of the first block, and those of the others, each `a_next` words after the one before.
    pub(super) a: &'a [u32],
    pub(super) a_next: usize,
    pub(super) b: Panel<'a>,
    /// The sums of all blocks, in rows of [`COLUMNS`] words.
    pub(super) c: &'a mut [Word],
    /// Whether the products are added to them.
    pub(super) adds: bool,
    /// Words that will be read soon: some of them are prefetched.
    pub(super) ahead: &'a [Word],
    /// Other sums that are written meanwhile.
    pub(super) writes: Option<Writes<'a>>,
}

/// Rows of [`COLUMNS`] sums that are written past the caches. The caller has [permission](crate::cpu::Streaming) to do that.
pub(super) struct Writes<'a> {
    /// The sums, row after row.
    pub(super) sums: &'a [Word],
    /// Where the rows start.
    pub(super) rows_at: LineRows<'a>,
    /// The number of rows that have been written.
    pub(super) done: usize,
    pub(super) c: &'a mut [Word],
}

/// The starts of rows, in words, if all of them are a whole number of lines.
#[derive(Clone, Copy)]
pub(super) struct LineRows<'a> {
    rows_at: &'a [usize],
    last: usize,
}

impl<'a> LineRows<'a> {
    pub(super) fn of(rows_at: &'a [usize]) -> Option<Self> {
        let last = *rows_at.iter().max()?;
        let lines = rows_at.iter().all(|at| at.is_multiple_of(LINE_WORDS));
        lines.then_some(Self { rows_at, last })
    }

    /// Whether all rows of [`COLUMNS`] words are in a slice, and begin at lines of memory.
    pub(super) fn fit(&self, c: &[Word]) -> bool {
        let fits = self.last <= c.len() && COLUMNS <= c.len() - self.last;
        fits && c.as_ptr().addr().is_multiple_of(LINE_WORDS * size_of::<Word>())
    }
}

/// As [`multiply`], for blocks one below the other. The registers go from one block to the next without waiting for the sums to be
/// stored.
///
/// # Panics
/// If a slice is too short, if there are no blocks, or if the rows of `B` are not the same distance apart.
///
/// # Safety
/// As for [`multiply`].
#[inline(always)]
pub(super) unsafe fn multiply_column<T: Tiles<TALL, FEW>, const TALL: usize, const FEW: bool>(
    tiles: T,
    column: &mut TileColumn<'_>,
) {
    let (panel, rows) = (column.b, TALL * TILE_ROWS);
    let (blocks, rest) = (column.c.len() / (rows * COLUMNS), column.c.len() % (rows * COLUMNS));
    let each = panel.rows.next_multiple_of(TILE_ROWS) * rows;
    assert!(blocks > 0 && rest == 0 && column.a_next >= each);
    assert!(column.a.len() >= (blocks - 1) * column.a_next + each);
    let ahead = if column.ahead.is_empty() { panel.words() } else { column.ahead }.as_ptr_range();
    let mut gathered = MaybeUninit::uninit();
    let blocks = TileBlocks {
        blocks,
        a: column.a.as_ptr(),
        a_next: column.a_next * size_of::<u32>(),
        c: column.c.as_mut_ptr(),
        c_next: rows * COLUMNS * size_of::<Word>(),
        adds: column.adds.into(),
        ahead: ahead.start,
        ahead_end: ahead.end,
        ..tiles_of(&panel, &mut gathered)
    };
    let Some(writes) = &mut column.writes else {
        // SAFETY: `a` has lines for each row of words of each block, and `c` has the rows of each block, as asserted. There are no other
        // rows.
        unsafe { tiles.run(blocks) };
        return;
    };
    let Writes { sums, rows_at: LineRows { rows_at, .. }, done, ref mut c } = *writes;
    assert!(writes.rows_at.fit(c) && sums.len() >= rows_at.len() * COLUMNS);
    let steps = blocks.blocks * blocks.steps;
    let left = rows_at[done..].as_ptr_range();
    let blocks = TileBlocks {
        from: sums[done * COLUMNS..].as_ptr(),
        rows_at: left.start,
        rows_end: left.end,
        // Fewer stores at a time are faster.
        second_end: if rows_at.len() - done > steps { left.end } else { ptr::null() },
        to: c.as_mut_ptr(),
        ..blocks
    };
    // SAFETY: as above. Each other row is in `sums`, and in `c`, where it begins at a line, as asserted.
    writes.done += unsafe { tiles.run(blocks) };
}

/// One block whose tiles of `B` are those of a panel, without any pointers but those to `B` and to `gathered`, where the words of the last
/// step are copied if they are not 16 whole rows.
///
/// # Panics
/// If the rows of the panel are not the same distance apart.
#[inline(always)]
fn tiles_of(panel: &Panel<'_>, gathered: &mut MaybeUninit<Gathered>) -> TileBlocks {
    assert!(panel.is_in_one_tile(), "the rows of words are the same distance apart");
    // The last row of words is copied and masked if some of its bits are padding.
    let steps = (panel.rows - usize::from(panel.mask != u32::MAX)) / TILE_ROWS;
    let rest = steps * TILE_ROWS..panel.rows;
    let last = if rest.is_empty() { ptr::null() } else { gather(panel, rest, gathered) };
    let [b_stride, b_step] = [1, TILE_ROWS].map(|rows| rows * panel.width * size_of::<Word>());
    TileBlocks {
        blocks: 1,
        a: ptr::null(),
        a_next: 0,
        b: panel.words().as_ptr(),
        b_stride,
        b_step,
        steps,
        last,
        c: ptr::null_mut(),
        c_stride: COLUMNS * size_of::<Word>(),
        c_next: 0,
        adds: 0,
        ahead: ptr::null(),
        ahead_end: ptr::null(),
        from: ptr::null(),
        rows_at: ptr::null(),
        rows_end: ptr::null(),
        second_end: ptr::null(),
        to: ptr::null_mut(),
    }
}

/// Where the sums of a block are.
pub(super) struct Sums {
    /// The first one.
    pub(super) c: *mut Word,
    /// The bytes from one row of sums to the next.
    pub(super) c_stride: usize,
    /// Whether the products are added to the values there.
    pub(super) adds: bool,
}

/// Checks that a block has that many rows of [`COLUMNS`] sums, all the same distance apart and in memory that it borrows.
///
/// # Panics
/// If it does not, or if it starts with numbers for columns.
#[inline(always)]
pub(super) fn sums(block: &mut MicroBlock<'_>, rows: usize) -> Sums {
    assert!(block.b.columns == COLUMNS && block.rows.len() == rows);
    let inside = |at: &usize| *at <= block.c.len() && COLUMNS <= block.c.len() - at;
    assert!(block.rows.iter().all(inside));
    assert!(!matches!(block.start, Start::Columns(_)));
    let stride = stride(block.rows).expect("tiles are stored with one stride");
    let c = block.c[block.rows[0]..].as_mut_ptr();
    Sums { c, c_stride: stride * size_of::<Word>(), adds: !matches!(block.start, Start::Zero) }
}

/// The distance from each row to the next, if it is the same for all.
fn stride(rows: &[usize]) -> Option<usize> {
    let stride = rows[1].checked_sub(rows[0])?;
    let same = |pair: &[usize]| pair[1].checked_sub(pair[0]) == Some(stride);
    rows.windows(2).all(same).then_some(stride)
}

/// Copies some rows of words to the start of `to`, the last row of the panel without padding, and writes zeros after them. Returns a
/// pointer to the first word.
///
/// # Panics
/// If there are more rows than `to` has.
#[inline]
pub(super) fn gather(
    panel: &Panel<'_>,
    rows: Range<usize>,
    to: &mut MaybeUninit<Gathered>,
) -> *const Word {
    assert!(rows.len() <= TILE_ROWS && rows.end <= panel.rows);
    let first = to.as_mut_ptr().cast::<[Word; COLUMNS]>();
    let mut count = 0;
    panel.each_row(rows.clone(), |words| {
        let words = words.first_chunk().expect("a panel is as wide as a block");
        // SAFETY: `each_row` passes as many rows as were asked for, and `to` has them, as asserted.
        unsafe { first.add(count).write(*words) };
        count += 1;
    });
    if rows.end == panel.rows && panel.mask != u32::MAX && count > 0 {
        // SAFETY: the row has been written.
        let last = unsafe { &mut *first.add(count - 1) };
        for word in last {
            *word = (u32::from_le_bytes(*word) & panel.mask).to_le_bytes();
        }
    }
    for i in count..TILE_ROWS {
        // SAFETY: `to` has these rows.
        unsafe { first.add(i).write([Word::default(); COLUMNS]) };
    }
    first.cast()
}
