//! The micro-kernels that need tile registers.

#[cfg(all(target_arch = "x86_64", feature = "std"))]
use super::lanes::LINE_WORDS;
use super::micro_kernel::{BlockFn, MicroKernel};
#[cfg(all(target_arch = "x86_64", feature = "std"))]
use super::micro_kernel::{Prepare, stacked};
use super::shallow_tiles::{DEPTHS, STREAMS};
use super::tiles::{ROWS as TALL_ROWS, TILE_ROWS, TileColumn};
#[cfg(all(target_arch = "x86_64", feature = "std"))]
use super::vector_kernels::FEW_ROWS;
#[cfg(all(target_arch = "x86_64", feature = "std"))]
use super::{amx, tiles};
#[cfg(all(target_arch = "x86_64", feature = "std"))]
use crate::cpu::detect::{HasAmxBf16, HasAmxInt8};
#[cfg(all(target_arch = "x86_64", feature = "std"))]
use crate::cpu::tile_registers;
#[cfg(all(target_arch = "x86_64", feature = "std"))]
use layout_core::dtype::DType;

/// The functions of AMX for tiles of `B` where they are.
#[cfg(all(target_arch = "x86_64", feature = "std"))]
macro_rules! shallow {
    ($run:ident) => {{
        let functions: [[BlockFn; 2]; 4] = [
            [amx::$run::<1, { DEPTHS[0] }>, amx::$run::<2, { DEPTHS[0] }>],
            [amx::$run::<1, { DEPTHS[1] }>, amx::$run::<2, { DEPTHS[1] }>],
            [amx::$run::<1, { DEPTHS[2] }>, amx::$run::<2, { DEPTHS[2] }>],
            [amx::$run::<1, { DEPTHS[3] }>, amx::$run::<2, { DEPTHS[3] }>],
        ];
        functions
    }};
}

/// The functions for a kind of tiles: one that computes a block, and one that computes blocks one below the other.
pub(super) type TileFns = (BlockFn, unsafe fn(&mut TileColumn<'_>));

/// A micro-kernel that needs tile registers.
#[derive(Clone, Copy, Debug)]
pub(super) struct TileKernel {
    /// The number of rows of `A` from which it is faster than the kernels of vectors.
    pub(super) fewest: usize,
    /// Computes blocks one below the other.
    pub(super) column: unsafe fn(&mut TileColumn<'_>),
    /// Compute blocks of the usual size if there are few rows.
    pub(super) few: TileFns,
    /// Compute blocks of one tile of rows.
    pub(super) short: TileFns,
    /// Compute a block with tiles of `B` where they are, for each depth of [`DEPTHS`]: a block of one tile of rows, and one of two.
    pub(super) shallow: [[BlockFn; 2]; 4],
    /// The number of rows of a tile of `A` and of its sums. With fewer rows, instructions take less time.
    pub(super) height: usize,
    /// The number of words of the inner dimension in a step.
    pub(super) words: usize,
    /// Configures the tile registers of a thread for that many rows and steps of that many words, for CPUs that have them.
    pub(super) configure: unsafe fn(usize, usize),
    /// Releases the tile registers.
    pub(super) release: unsafe fn(),
}

impl TileKernel {
    /// The number of rows of `A` from which it is faster than the kernels of vectors, given the height of the tiles of words of `B`. Up
    /// to four rows, vectors are as fast as the memory.
    pub(super) fn fewest_for(&self, height: Option<usize>) -> usize {
        let is_shallow = height.is_some_and(|height| DEPTHS.contains(&height));
        if is_shallow { self.fewest.min(5) } else { self.fewest }
    }
}

impl MicroKernel {
    #[cfg(all(target_arch = "x86_64", feature = "std"))]
    pub(super) fn amx_bf16(_: HasAmxBf16) -> Self {
        let shallow = shallow!(bf16_shallow);
        let functions: [TileFns; 3] = [
            (amx::bf16, amx::bf16_column),
            (amx::bf16_few, amx::bf16_few_column),
            (amx::bf16_short, amx::bf16_short_column),
        ];
        Self::amx([DType::BF16; 2], functions, shallow, 16)
    }

    /// The kernel for bytes. Unsigned bytes are unchanged.
    #[cfg(all(target_arch = "x86_64", feature = "std"))]
    pub(super) fn amx_bytes(_: HasAmxInt8, operands: [DType; 2]) -> Self {
        let elements = operands.map(|dtype| if dtype == DType::U8 { dtype } else { DType::S8 });
        macro_rules! functions {
            ([$($run:ident $column:ident),*] $shallow:ident) => {{
                let functions: [TileFns; 3] = [$((amx::$run, amx::$column)),*];
                (functions, shallow!($shallow))
            }};
        }
        let (functions, shallow) = match elements {
            [DType::U8, DType::U8] => {
                functions!([u8_u8 u8_u8_column, u8_u8_few u8_u8_few_column, u8_u8_short u8_u8_short_column] u8_u8_shallow)
            }
            [DType::U8, _] => {
                functions!([u8_s8 u8_s8_column, u8_s8_few u8_s8_few_column, u8_s8_short u8_s8_short_column] u8_s8_shallow)
            }
            [_, DType::U8] => {
                functions!([s8_u8 s8_u8_column, s8_u8_few s8_u8_few_column, s8_u8_short s8_u8_short_column] s8_u8_shallow)
            }
            _ => {
                functions!([s8_s8 s8_s8_column, s8_s8_few s8_s8_few_column, s8_s8_short s8_s8_short_column] s8_s8_shallow)
            }
        };
        Self::amx(elements, functions, shallow, 8)
    }

    /// The kernel with these functions; the CPU must have their instructions.
    ///
    /// Its block sizes are the best that were found on Sapphire Rapids, as is the number of rows from which it pays off. On
    /// that CPU, the tiles multiply 16 times as many pairs of `bf16` per second as the vectors do, and 8 times as many bytes,
    /// so every CPU with AMX is assumed to be faster with it.
    #[cfg(all(target_arch = "x86_64", feature = "std"))]
    pub(super) fn amx(
        elements: [DType; 2],
        [(run, column), few, short]: [TileFns; 3],
        shallow: [[BlockFn; 2]; 4],
        fewest: usize,
    ) -> Self {
        Self {
            elements,
            stacked: stacked(elements[1]),
            rows: tiles::ROWS,
            columns: tiles::COLUMNS,
            depth: 1024,
            direct: FEW_ROWS,
            prepare: Prepare::Lines,
            run,
            run_split: None,
            tiles: Some(TileKernel {
                fewest,
                column,
                few,
                short,
                shallow,
                height: TILE_ROWS,
                words: LINE_WORDS,
                configure: tile_registers::configure,
                release: tile_registers::release,
            }),
            ..Self::vectors(elements)
        }
    }

    /// The kernel of tiles with these functions.
    pub(super) fn with_tiles(self, (run, column): TileFns) -> Self {
        Self { run, tiles: self.tiles.map(|tiles| TileKernel { column, ..tiles }), ..self }
    }

    /// The kernel of tiles that loads those of `B` where they are, for this number of rows, if tiles of words of that height fit the
    /// registers.
    pub(super) fn shallow(&self, rows: usize, height: usize) -> Option<Self> {
        let tiles = self.tiles?;
        let depth = DEPTHS.iter().position(|depth| *depth == height)?;
        let [short, tall] = tiles.shallow[depth];
        let (rows, run) = if rows <= TILE_ROWS { (TILE_ROWS, short) } else { (TALL_ROWS, tall) };
        let tiles = Some(TileKernel { words: height, ..tiles });
        Some(Self { rows, run, tiles, chunk: STREAMS * height, ..*self })
    }
}
