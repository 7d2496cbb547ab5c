//! The micro-kernel of tile registers, without their instructions.
//!
//! A tile is 16 rows of 64 bytes. One instruction multiplies a tile of `A` by a tile of `B` and adds the products to a tile of
//! sums. A block is two tiles of `A` by two of `B`: for each 16 words of the inner dimension, four tiles are loaded and four
//! products are added to four tiles of sums. A row of a tile of `A` is 16 words of one row of `A`; a row of a tile of `B` is
//! the words of 16 columns in one row of words.
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

/// The arguments of the loop over tiles: the product of one or two tiles of rows and two tiles of columns, summed up over the
/// inner dimension.
pub(super) struct TileBlock {
    /// The tiles of `A`: one or two for each step, of 1 KiB each.
    pub(super) a: *const u32,
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
    /// The bytes from one row of sums to the next.
    pub(super) c_stride: usize,
    /// Whether the products are added to the values of `c`.
    pub(super) adds: bool,
    /// What to prefetch: [`STEP_AHEAD`] words in each step. Any address is allowed.
    pub(super) ahead: *const Word,
}

/// The instructions of tiles for some element types, with `TALL` tiles of rows in a block, 1 or 2. If there are `FEW` rows in all, the tiles
/// of `A` are expected in the L1 cache. A value proves that the CPU has the instructions.
pub(super) trait Tiles<const TALL: usize, const FEW: bool>: Copy {
    /// Writes the sums of a block.
    ///
    /// # Safety
    /// The tile registers must be configured, all with 16 rows of 64 bytes, and must not contain anything that is still needed.
    /// The memory at the pointers of the block must be readable: at `a`, `TALL` KiB for each step and for a last one; at `b`
    /// and at `last`, 128 bytes for each row of words. At `c`, 128 bytes for each of `16 * TALL` rows must be writable, and
    /// contain sums if `adds`.
    unsafe fn run(self, block: TileBlock);
}

/// Computes a block of `16 * TALL` rows and [`COLUMNS`] columns. `A` is lines of 16 words: the first 16 words of all rows of
/// the block, then the next 16 words of all rows, up to a multiple of 16 words; everything that `A` does not have is zero.
///
/// # Panics
/// If a slice of the block is too short, if its rows of sums or of `B` are not the same distance apart, or if it starts with numbers
/// for columns.
///
/// # Safety
/// The tile registers must be configured, all with 16 rows of 64 bytes, and must not contain anything that is still needed.
#[inline(always)]
pub(super) unsafe fn multiply<T: Tiles<TALL, FEW>, const TALL: usize, const FEW: bool>(
    tiles: T,
    block: &mut MicroBlock<'_>,
) {
    let (panel, rows) = (block.b, TALL * TILE_ROWS);
    assert!(block.a.len() == panel.rows.next_multiple_of(TILE_ROWS) * rows);
    assert!(panel.is_in_one_tile(), "the rows of words are the same distance apart");
    let Sums { c, c_stride, adds } = sums(block, rows);
    // Words that are read soon anyway cost nothing.
    let ahead = if block.ahead.is_empty() { panel.words() } else { block.ahead }.as_ptr();
    let mut gathered = MaybeUninit::<Gathered>::uninit();
    // The last row of words is copied and masked if some of its bits are padding.
    let steps = (panel.rows - usize::from(panel.mask != u32::MAX)) / TILE_ROWS;
    let rest = steps * TILE_ROWS..panel.rows;
    let last = if rest.is_empty() { ptr::null() } else { gather(&panel, rest, &mut gathered) };
    let (a, b) = (block.a.as_ptr(), panel.words().as_ptr());
    let [b_stride, b_step] = [1, TILE_ROWS].map(|rows| rows * panel.width * size_of::<Word>());
    let block = TileBlock { a, b, b_stride, b_step, steps, last, c, c_stride, adds, ahead };
    // SAFETY: `a` has lines for each row of words, as asserted. The panel has the rows of words of the steps, the same distance apart,
    // as asserted, and `last` has been gathered. `c` has all rows, as asserted.
    unsafe { tiles.run(block) };
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
