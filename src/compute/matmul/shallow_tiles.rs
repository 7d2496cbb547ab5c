//! The micro-kernel of tile registers for few rows, without the instructions: tiles of `B` are loaded from where they are.
//!
//! A TPU tile `(8,128)(2,1)` of `bf16` has 4 rows of words, a tile `(8,128)(4,1)` of bytes has 2; the rows after them are in the tile
//! below, elsewhere in memory. A register has the rows of words of one TPU tile, so an instruction computes a quarter or an eighth of
//! the products that it computes with [16 rows](super::tiles), and takes as long. In return no word of `B` is copied, which with few
//! rows of `A` would take longer.
//!
//! While 32 columns of some TPU tiles are multiplied, as many bytes of the TPU tiles to their right are prefetched, in the order of their
//! addresses: a quarter of each tile, 512 bytes of 2 KiB, with 128 columns.
#![allow(unsafe_code, reason = "tiles are loaded and stored unchecked, after all checks are made")]
#![cfg_attr(
    not(any(test, all(target_arch = "x86_64", feature = "std"))),
    expect(dead_code, reason = "only x86-64 has tile registers")
)]

use super::grid::Word;
use super::lanes::{LINE_WORDS, MicroBlock};
use super::tiles::{GATHERED_STRIDE, Gathered, Sums, TILE_ROWS, gather, sums};
use core::mem::MaybeUninit;

/// The rows of words of TPU tiles that registers can have.
pub(super) const DEPTHS: [usize; 4] = [2, 4, 8, 16];

/// The number of TPU tiles, one below the other, that are read from left to right, each a stream of memory. It is small in tests, so that
/// their products have several chunks.
pub(super) const STREAMS: usize = if cfg!(test) { 4 } else { 16 };

/// The arguments of the loop over tiles: the product of one or two tiles of rows and two tiles of columns.
pub(super) struct ShallowBlock {
    /// Lines of 16 words of each row of `A`; a tile is some words of each.
    pub(super) a: *const u32,
    /// The first row of words of `B`.
    pub(super) b: *const Word,
    /// The bytes from one row of words to the next within a step.
    pub(super) b_stride: usize,
    /// The bytes from one step to the next.
    pub(super) b_step: usize,
    /// The number of steps, at least 1.
    pub(super) steps: usize,
    /// The sums.
    pub(super) c: *mut Word,
    /// The bytes from one row of sums to the next.
    pub(super) c_stride: usize,
    /// Whether the products are added to the values of `c`.
    pub(super) adds: bool,
    /// What to prefetch: as many lines as a step reads of `B`, and `b_step` bytes further on in the next step. Any address is allowed.
    pub(super) ahead: *const Word,
}

/// The instructions of tiles for some element types, with `TALL` tiles of rows in a block, 1 or 2, and `DEPTH` rows of words in a
/// step, one of [`DEPTHS`]. A value proves that the CPU has the instructions.
pub(super) trait ShallowTiles<const TALL: usize, const DEPTH: usize>: Copy {
    /// Writes the sums of a block. The words of `A` are those at the start of a line, and go on in the next line after 16 words; if the
    /// number of steps is not a multiple of those of a line, they do not go on.
    ///
    /// # Safety
    /// The tile registers must be configured for this depth, and must not contain anything that is still needed. The memory at the
    /// pointers of the block must be readable: at `a`, lines for each step, and at `b`, 128 bytes for each row of words. At `c`, 128
    /// bytes for each of `16 * TALL` rows must be writable, and contain sums if `adds`.
    unsafe fn run_shallow(self, block: ShallowBlock);
}

/// Computes a block of `16 * TALL` rows and [`COLUMNS`](super::tiles::COLUMNS) columns. `A` is lines as for
/// [`tiles::multiply`](super::tiles::multiply).
///
/// # Panics
/// If a slice of the block is too short, if its rows of sums are not the same distance apart, if `B` does not begin at the top of tiles
/// of `DEPTH` rows, or if the block starts with numbers for columns.
///
/// # Safety
/// The tile registers must be configured for this depth, and must not contain anything that is still needed.
#[inline(always)]
pub(super) unsafe fn multiply<
    T: ShallowTiles<TALL, DEPTH>,
    const TALL: usize,
    const DEPTH: usize,
>(
    tiles: T,
    block: &mut MicroBlock<'_>,
) {
    let (panel, rows) = (block.b, TALL * TILE_ROWS);
    assert!(panel.rows > 0 && block.a.len() == panel.rows.next_multiple_of(LINE_WORDS) * rows);
    let tile = panel.tile_of(DEPTH).expect("the panel begins at the top of tiles");
    let Sums { c, c_stride, mut adds } = sums(block, rows);

    let (b_stride, b_step) = (panel.width * size_of::<Word>(), tile * size_of::<Word>());
    // Words that are read soon anyway cost nothing.
    let ahead = if block.ahead.is_empty() { panel.words() } else { block.ahead }.as_ptr();
    let mut run = |step: usize, steps: usize, b: *const Word, b_stride: usize| {
        if steps > 0 {
            let words = step * DEPTH;
            // The line, and the words within it.
            let at = words / LINE_WORDS * LINE_WORDS * rows + words % LINE_WORDS;
            let (a, ahead) = (block.a[at..].as_ptr(), ahead.wrapping_byte_add(step * b_step));
            // SAFETY: `a` has lines for each row of words, as asserted, and `b` those of the steps, as each call says. `c` has all rows,
            // as asserted. The caller promises the registers.
            unsafe {
                tiles.run_shallow(ShallowBlock {
                    a,
                    b,
                    b_stride,
                    b_step,
                    steps,
                    c,
                    c_stride,
                    adds,
                    ahead,
                });
            }
            adds = true;
        }
    };
    // The last row of words is copied and masked if some of its bits are padding.
    let steps = (panel.rows - usize::from(panel.mask != u32::MAX)) / DEPTH;
    let in_lines = steps - steps % (LINE_WORDS / DEPTH);
    // The panel has the rows of words of these steps, the same distances apart, as asserted.
    let b = panel.words().as_ptr();
    run(0, in_lines, b, b_stride);
    run(in_lines, steps - in_lines, b.wrapping_byte_add(in_lines * b_step), b_stride);
    let rest = steps * DEPTH..panel.rows;
    if !rest.is_empty() {
        let mut gathered = MaybeUninit::<Gathered>::uninit();
        // At least `DEPTH` rows, the last of them zero if there are fewer.
        run(steps, 1, gather(&panel, rest, &mut gathered), GATHERED_STRIDE);
    }
}
