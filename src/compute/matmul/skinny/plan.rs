//! How a product of few rows is computed: where the words of `B` are, and by which loops they are multiplied.

use super::super::choose::prefetch_helps_streams;
use super::super::grid::{Grid, NIBBLES};
use super::super::micro_kernel::MicroKernel;
use super::super::multiplication::Multiplication;
use super::super::tiles::TILE_ROWS;
use super::super::zipped_run;

/// The number of rows of words of a chunk that is read without prefetches: with `bf16` 32 rows of tiles, and thus 32 streams. On
/// Zen 5, one row of `bf16` takes 0.8 to 0.9 of the time of 16 rows of words; with elements of 4 bits, more rows take longer.
/// Without tiles, each row is a stream.
const STREAM_CHUNK: usize = 128;
const NIBBLE_CHUNK: usize = 16;
const ROW_STREAMS: usize = 8;

/// The largest number of rows of words of a chunk.
pub(super) const MAX_CHUNK: usize = 1024;

/// The rows and columns of words that are assembled at a time if `B` has no rows of words: 16 KiB, or half of that for one row of `A`,
/// for which no sums are kept from block to block.
const STAGE: Grid = Grid { height: 16, width: 256, across: 1 };
const STAGE_OF_ONE_ROW: Grid = Grid { height: STAGE.height / 2, ..STAGE };

/// The same for tile registers: 64 KiB, of the L2 cache. They load and store their sums for each block, so a block has more rows of
/// words, which must be the same distance apart.
const TILE_STAGE: Grid = Grid { height: 64, width: 256, across: 1 };

/// The same for tile registers if `B` has tiles of rows of words, which are copied: 128 KiB, of the L2 cache. A tile of `(8,128)(4,1)` is
/// 1 KiB of memory, all of which is copied at once. It is small in tests, so that their products have several parts.
const COPIED_STAGE: Grid =
    Grid { height: if cfg!(test) { 32 } else { 256 }, width: 128, across: 1 };

/// The loops over the words of `B`.
#[derive(Clone, Copy)]
pub(super) enum Loops {
    /// A micro-kernel computes some rows and columns at a time.
    Blocks,
    /// Tile registers do. They load the tiles of `B` [where they are](super::super::shallow_tiles), if these have 2, 4, 8 or 16 rows of
    /// words.
    Tiles,
    /// All rows are computed from left to right. The CPU prefetches `B` well enough on its own, if it `streams`.
    Runs { streams: bool },
    /// Words are assembled [in registers](zipped_run), for one row of `A`.
    Zipped,
}

/// How some rows and columns of words at a time get to memory from which they are multiplied immediately.
#[derive(Clone, Copy)]
pub(super) enum Staging {
    /// Words are assembled from the elements of `B`.
    Assembled,
    /// They are those of `B`, whose rows only need to be the same distance apart.
    Copied,
}

/// How a product of few rows is computed.
pub(super) struct Plan {
    /// The rows of words of `B`, or of the part of it that is staged.
    pub(super) grid: Grid,
    /// How words are staged, unless the loops read them in the bytes of `B`.
    pub(super) staging: Option<Staging>,
    pub(super) loops: Loops,
    /// The kernel for all rows, or for few.
    pub(super) kernel: MicroKernel,
}

impl Plan {
    pub(super) fn of(product: &Multiplication<'_>) -> Self {
        let (all, rows, b) = (product.kernel, product.a.rows, &product.b);
        let has_words = b.size == 4 && b.is_plain() && b.grid.width.is_multiple_of(all.columns);
        if all.tiles.is_some() {
            let shallow = all.shallow(rows, b.grid.height).filter(|_| has_words);
            // Each tile of rows is multiplied by as many tiles of `B` as 16 rows of words have. For more than eight instructions in place
            // of one, copying is faster.
            let pays = rows.div_ceil(TILE_ROWS) * TILE_ROWS <= 8 * b.grid.height;
            let loops = Loops::Tiles;
            let (grid, staging, kernel) = match shallow {
                Some(kernel) if pays => (b.grid, None, kernel),
                Some(_) => (COPIED_STAGE, Some(Staging::Copied), all),
                None => (TILE_STAGE, Some(Staging::Assembled), all),
            };
            return Self { grid, staging, loops, kernel };
        }
        let grid = match rows {
            _ if has_words => b.grid,
            1 => STAGE_OF_ONE_ROW,
            _ => STAGE,
        };
        let few = all.few_rows(rows);
        // Rows of narrow elements that no tile divides.
        let has_rows = !has_words && b.size < 4 && b.is_plain() && b.grid.across == 1;
        if rows == 1
            && let Some(few) = few
            && let Some((columns, _)) = few.zipped_row.filter(|_| has_rows)
        {
            let kernel = MicroKernel { columns, ..few };
            return Self { grid, staging: None, loops: Loops::Zipped, kernel };
        }
        let (kernel, loops) = match few.filter(|few| grid.width.is_multiple_of(few.columns)) {
            Some(few) => {
                let streams = rows <= few.rows && !prefetch_helps_streams();
                (few, Loops::Runs { streams })
            }
            None => (all, Loops::Blocks),
        };
        Self { grid, staging: (!has_words).then_some(Staging::Assembled), loops, kernel }
    }

    /// Whether the loops read whole words in the bytes of `B`.
    pub(super) fn is_in_place(&self) -> bool {
        self.staging.is_none() && !matches!(self.loops, Loops::Zipped)
    }

    /// The number of rows of words that are read from left to right, for this number of rows of sums.
    pub(super) fn chunk(&self, rows: usize) -> usize {
        let Self { grid, ref kernel, .. } = *self;
        if self.staging.is_some() {
            return grid.height;
        }
        let least = match self.loops {
            Loops::Zipped => return zipped_run::rows(kernel.elements[1]) / kernel.stacked,
            // Taller chunks if the sums are read and written more often.
            Loops::Blocks => kernel.chunk * rows.div_ceil(kernel.rows),
            Loops::Runs { streams: false } if rows > kernel.rows => 2 * kernel.chunk,
            Loops::Tiles | Loops::Runs { streams: false } => kernel.chunk,
            Loops::Runs { .. } if grid.across == 1 => ROW_STREAMS,
            Loops::Runs { .. } if kernel.stacked == NIBBLES => NIBBLE_CHUNK,
            Loops::Runs { .. } => STREAM_CHUNK,
        };
        let whole = if grid.height < least { least.next_multiple_of(grid.height) } else { least };
        whole.min(MAX_CHUNK)
    }
}
