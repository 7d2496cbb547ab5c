//! Chooses the micro-kernel for elements of a type on this CPU.
#![allow(unsafe_code, reason = "kernels need instructions that not every CPU has")]

use super::grid::Word;
use super::in_place::InPlace;
use super::lanes::{ByteTable, LINE_WORDS, MicroBlock, NO_TABLE, Panel, Start};
use super::row_run::{RowRun, RunFn};
use super::shallow_tiles::{DEPTHS, STREAMS};
use super::tiles::{ROWS as TALL_ROWS, TILE_ROWS, TileColumn};
use super::zipped_run::{ZippedFn, ZippedRun};
#[cfg(all(target_arch = "x86_64", feature = "std"))]
use super::{amx, avx2, avx512, in_place, tiles, transpose, widened};
use super::{panels, portable, types};
#[cfg(all(target_arch = "x86_64", feature = "std"))]
use crate::cpu::detect::{
    HasAmxBf16, HasAmxInt8, HasAvx512Bf16, HasAvx512F, HasAvx512Vnni, HasAvxVnni, HasFma,
};
#[cfg(all(target_arch = "x86_64", feature = "std"))]
use crate::cpu::{Vendor, model, pairs_are_fast, tile_registers};
use core::marker::PhantomData;
use layout_core::dtype::DType;

/// How a word of `A` is stored in its panel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Prepare {
    /// It is unchanged.
    Keep,
    /// Two `bf16` become two `f32`.
    Widen,
    /// Four bytes become two words of two `i16`: elements 0 and 2, then 1 and 3.
    SignExtend,
    /// 128 is added to each byte.
    Shift,
    /// It is unchanged, and the micro-kernel adds 128 to each byte of `B`. Each sum of a row is then too large by 128 times the
    /// sum of that row of `A`, a single number that is subtracted.
    Flip,
    /// An `f64` is two words, each of which is multiplied by two words of `B`.
    Double,
    /// It is unchanged, in a line of 16 words of a row.
    #[cfg_attr(
        not(any(test, all(target_arch = "x86_64", feature = "std"))),
        expect(dead_code, reason = "only x86-64 has tile registers")
    )]
    Lines,
}

impl Prepare {
    /// The words of a panel of `A` for each row of words of `B`.
    pub(super) const fn parts(self) -> usize {
        match self {
            Self::Keep | Self::Shift | Self::Flip | Self::Lines => 1,
            Self::Widen | Self::SignExtend | Self::Double => 2,
        }
    }

    /// The two words that a word becomes, for the ways of storing that split words.
    #[inline(always)]
    pub(super) fn split(self, word: u32) -> [u32; 2] {
        if self == Self::Widen {
            return [word << 16, word & 0xFFFF_0000];
        }
        let signed = |byte: u32| i32::from((word >> (8 * byte)) as i8).cast_unsigned();
        [signed(0) & 0xFFFF | signed(2) << 16, signed(1) & 0xFFFF | signed(3) << 16]
    }
}

/// The number of rows of `A` up to which copying `B` to panels does not pay off, if the inner loop reads whole words of `B`.
const FEW_ROWS: usize = 64;

/// The number of rows of words of `B` that are read from left to right for few rows of `A`: four rows of tiles with `bf16`.
const CHUNK: usize = 16;

/// The functions of AVX-512 for two and four rows.
#[cfg(all(target_arch = "x86_64", feature = "std"))]
macro_rules! few_rows {
    ($two:ident $four:ident) => {{
        let few: FewRows =
            [(2, avx512::WIDE, avx512::$two), (4, 16 * avx512::LOW_VECTORS, avx512::$four)];
        Some(few)
    }};
}

/// The kernel of AVX-512 that reads `A` in place.
#[cfg(all(target_arch = "x86_64", feature = "std"))]
macro_rules! in_place {
    ($run:ident $packing:ident) => {
        InPlace {
            rows: in_place::ROWS,
            columns: 16 * in_place::VECTORS,
            run: avx512::$run,
            run_packing: avx512::$packing,
        }
    };
}

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

/// A function that computes a block, for CPUs that have its instructions.
pub(super) type BlockFn = unsafe fn(&mut MicroBlock<'_>);

/// The functions for a kind of tiles: one that computes a block, and one that computes blocks one below the other.
pub(super) type TileFns = (BlockFn, unsafe fn(&mut TileColumn<'_>));

/// A function that writes the first words of all rows, then the second words of all rows, and so on; for elements of 64 bits, two
/// words each.
pub(super) type TransposeFn = unsafe fn(&[&[Word]], &mut [u32]);

/// The largest number of rows, and the number of columns of the blocks of a run and the function for up to this number.
pub(super) type FewRows = [(usize, usize, RunFn); 2];

/// A micro-kernel that this CPU can run.
#[derive(Clone, Copy, Debug)]
pub(super) struct MicroKernel {
    /// The types of the elements in panels of `A` and of `B`.
    pub(super) elements: [DType; 2],
    /// The number of elements of `B` in a word, which are one above the other.
    pub(super) stacked: usize,
    /// The number of parts of a row of words by which a word of `B` is multiplied, if its elements are widened in registers. Part
    /// `p` has the elements `p`, `p + spread`, and so on, of each `stacked` elements of a row of `A`.
    pub(super) spread: usize,
    /// The element types of the operands, if other kernels may compute products of few rows of them.
    pub(super) operands: Option<[DType; 2]>,
    /// The table in which the kernel looks up elements of `B`.
    pub(super) table: &'static ByteTable,
    /// The rows of a block.
    pub(super) rows: usize,
    /// The columns of a block, in words.
    pub(super) columns: usize,
    /// The largest number of rows of words in a block, so that the panels of `A` and `B` stay in the L1 and L2 caches.
    pub(super) depth: usize,
    /// The number of rows of `A` up to which `B` is read in place.
    pub(super) direct: usize,
    /// The number of rows of words of `B` that are then read from left to right, for each block of rows.
    pub(super) chunk: usize,
    pub(super) prepare: Prepare,
    pub(super) run: BlockFn,
    /// Computes a block in which the words of `B` are split as those of `A` are, if that is faster. For integers only: padding
    /// in the last row of words is not cleared, but is multiplied by zeros of `A`.
    pub(super) run_split: Option<BlockFn>,
    /// The kernel that reads `A` in place, if that is faster than copying it to panels.
    pub(super) in_place: Option<InPlace>,
    /// Computes a block of one row.
    pub(super) row: BlockFn,
    /// Computes products of one row, with the number of columns of its blocks: enough for words of `B` to be read in long
    /// pieces.
    pub(super) wide_row: (usize, RunFn),
    /// Computes products of a few rows.
    pub(super) few_rows: Option<FewRows>,
    /// Computes products of one row with `B` as rows of narrow elements, with the number of columns of its blocks.
    pub(super) zipped_row: Option<(usize, ZippedFn)>,
    /// Writes rows of elements to a panel of `A`.
    pub(super) transpose: TransposeFn,
    /// The functions that a kernel of tiles has in addition to those of vectors.
    pub(super) tiles: Option<TileKernel>,
}

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
    fn fewest_for(&self, height: Option<usize>) -> usize {
        let is_shallow = height.is_some_and(|height| DEPTHS.contains(&height));
        if is_shallow { self.fewest.min(5) } else { self.fewest }
    }
}

impl MicroKernel {
    /// The fastest kernel for elements of two types.
    pub(super) fn choose(operands: [DType; 2]) -> Self {
        let mut best = Self::vectors(operands);
        Self::each_of_tiles(operands, |kernel| best = kernel);
        Self { operands: Some(operands), ..best }
    }

    /// The fastest kernel of vectors. No other one is made, which takes as long as a small product.
    fn vectors(operands: [DType; 2]) -> Self {
        let (mut slower, mut best) = (0, None);
        Self::each_of_vectors(operands, |_| slower += 1);
        Self::each_of_vectors(operands, |kernel| {
            slower -= 1;
            if slower == 0 {
                best = Some(kernel());
            }
        });
        best.expect("there is a kernel for every CPU")
    }

    /// Every kernel that this CPU can run, the fastest last.
    #[cfg(test)]
    pub(super) fn each(operands: [DType; 2], mut with: impl FnMut(Self)) {
        Self::each_of_vectors(operands, |kernel| with(kernel()));
        Self::each_of_tiles(operands, with);
    }

    /// Every kernel of tiles that this CPU can run.
    #[cfg_attr(not(all(target_arch = "x86_64", feature = "std")), expect(unused_variables))]
    fn each_of_tiles(operands: [DType; 2], with: impl FnMut(Self)) {
        #[cfg(all(target_arch = "x86_64", feature = "std"))]
        match types::panel(operands) {
            DType::BF16 => HasAmxBf16::detect().map(Self::amx_bf16).into_iter().for_each(with),
            DType::S8 | DType::S16 => {
                let kernel = |has| Self::amx_bytes(has, operands);
                HasAmxInt8::detect().map(kernel).into_iter().for_each(with);
            }
            _ => {}
        }
    }

    /// A function for every kernel of vectors that this CPU can run, the fastest last.
    fn each_of_vectors(operands: [DType; 2], mut with: impl FnMut(&dyn Fn() -> Self)) {
        let dtype = types::panel(operands);
        with(&|| Self::portable(dtype));
        #[cfg(all(target_arch = "x86_64", feature = "std"))]
        {
            let Some(has) = HasFma::detect() else { return };
            with(&|| Self::avx2(has, dtype));
            if dtype == DType::S8
                && let Some(has) = HasAvxVnni::detect()
            {
                with(&|| Self::avx_vnni(has));
            }
            match dtype {
                DType::BF16 => {
                    let (widened, paired) = (HasAvx512F::detect(), HasAvx512Bf16::detect());
                    for pairs in [!pairs_are_fast(), pairs_are_fast()] {
                        match (pairs, widened, paired) {
                            (false, Some(has), _) => with(&|| Self::avx512_widened(has)),
                            (true, _, Some(has)) => with(&|| Self::avx512_bf16(has)),
                            _ => {}
                        }
                    }
                }
                DType::S8 if let Some(has) = HasAvx512Vnni::detect() => {
                    with(&|| Self::avx512_s8(has))
                }
                DType::S16 if let Some(has) = HasAvx512Vnni::detect() => {
                    with(&|| Self::avx512_bytes(has, operands))
                }
                DType::F32 if let Some(has) = HasAvx512F::detect() => {
                    with(&|| Self::avx512_f32(has))
                }
                DType::F64 if let Some(has) = HasAvx512F::detect() => {
                    with(&|| Self::avx512_f64(has))
                }
                _ => {}
            }
        }
    }

    /// The kernel for every CPU.
    pub(super) fn portable(dtype: DType) -> Self {
        let (run, (row, wide_row), prepare): (BlockFn, (BlockFn, RunFn), _) = match dtype {
            DType::BF16 => {
                (portable::bf16, (portable::bf16_row, portable::bf16_wide_row), Prepare::Widen)
            }
            DType::S8 => {
                (portable::s8, (portable::s8_row, portable::s8_wide_row), Prepare::SignExtend)
            }
            DType::S16 => {
                (portable::s16, (portable::s16_row, portable::s16_wide_row), Prepare::Keep)
            }
            DType::F64 => {
                (portable::f64, (portable::f64_row, portable::f64_wide_row), Prepare::Double)
            }
            _ => (portable::f32, (portable::f32_row, portable::f32_wide_row), Prepare::Keep),
        };
        Self {
            elements: [dtype; 2],
            stacked: stacked(dtype),
            spread: 1,
            operands: None,
            table: &NO_TABLE,
            rows: portable::ROWS,
            columns: portable::COLUMNS,
            depth: 256,
            direct: FEW_ROWS,
            chunk: CHUNK,
            prepare,
            run,
            run_split: None,
            in_place: None,
            row,
            wide_row: (portable::WIDE, wide_row),
            few_rows: None,
            // Rows are interleaved in the L1 cache with vectors, which every CPU has there.
            zipped_row: None,
            transpose: panels::transpose_of(dtype),
            tiles: None,
        }
    }

    #[cfg(all(target_arch = "x86_64", feature = "std"))]
    fn avx2(_: HasFma, dtype: DType) -> Self {
        let zipped_row: Option<(usize, ZippedFn)> = match dtype {
            DType::BF16 => Some((2 * 8, avx2::bf16_zipped_row)),
            DType::S8 => Some((4 * 8, avx2::s8_zipped_row)),
            _ => None,
        };
        let (run, (row, wide_row), prepare): (BlockFn, (BlockFn, RunFn), _) = match dtype {
            DType::BF16 => (avx2::bf16, (avx2::bf16_row, avx2::bf16_wide_row), Prepare::Widen),
            DType::S8 => (avx2::s8, (avx2::s8_row, avx2::s8_wide_row), Prepare::SignExtend),
            DType::S16 => (avx2::s16, (avx2::s16_row, avx2::s16_wide_row), Prepare::Keep),
            DType::F64 => (avx2::f64, (avx2::f64_row, avx2::f64_wide_row), Prepare::Double),
            _ => (avx2::f32, (avx2::f32_row, avx2::f32_wide_row), Prepare::Keep),
        };
        Self {
            rows: avx2::ROWS,
            columns: avx2::COLUMNS,
            depth: if dtype == DType::F64 { 512 } else { 1024 },
            // Panels save the inner loop the most if words are split into parts.
            direct: match dtype {
                DType::S8 => 18,
                DType::BF16 => 36,
                _ => FEW_ROWS,
            },
            prepare,
            run,
            run_split: (dtype == DType::S8).then_some(avx2::s16),
            row,
            wide_row: (avx2::WIDE, wide_row),
            zipped_row,
            transpose: match dtype {
                DType::F64 => panels::transpose_of(dtype),
                _ => transpose::transpose::<{ avx2::ROWS }>,
            },
            ..Self::portable(dtype)
        }
    }

    /// The kernel for `s8`.
    #[cfg(all(target_arch = "x86_64", feature = "std"))]
    fn avx_vnni(_: HasAvxVnni) -> Self {
        let row: BlockFn = avx2::s8_vnni_row;
        let wide_row: RunFn = avx2::s8_vnni_wide_row;
        let run: BlockFn = avx2::s8_vnni;
        let zipped_row: ZippedFn = avx2::s8_vnni_zipped_row;
        Self {
            rows: avx2::ROWS,
            columns: avx2::COLUMNS,
            depth: 512,
            prepare: Prepare::Shift,
            run,
            row,
            wide_row: (avx2::WIDE, wide_row),
            zipped_row: Some((4 * 8, zipped_row)),
            transpose: transpose::transpose::<{ avx2::ROWS }>,
            ..Self::portable(DType::S8)
        }
    }

    #[cfg(all(target_arch = "x86_64", feature = "std"))]
    fn avx512_f32(_: HasAvx512F) -> Self {
        let rows: (BlockFn, RunFn) = (avx512::f32_row, avx512::f32_wide_row);
        Self {
            in_place: Some(in_place!(f32_in_place f32_packing)),
            few_rows: few_rows!(f32_two_rows f32_four_rows),
            ..Self::avx512(DType::F32, avx512::f32, rows, Prepare::Keep)
        }
    }

    #[cfg(all(target_arch = "x86_64", feature = "std"))]
    fn avx512_f64(_: HasAvx512F) -> Self {
        let rows: (BlockFn, RunFn) = (avx512::f64_row, avx512::f64_wide_row);
        Self {
            in_place: Some(in_place!(f64_in_place f64_packing)),
            transpose: transpose::doubles,
            few_rows: few_rows!(f64_two_rows f64_four_rows),
            ..Self::avx512(DType::F64, avx512::f64, rows, Prepare::Double)
        }
    }

    #[cfg(all(target_arch = "x86_64", feature = "std"))]
    fn avx512_bf16(_: HasAvx512Bf16) -> Self {
        let rows: (BlockFn, RunFn) = (avx512::bf16_row, avx512::bf16_wide_row);
        Self {
            zipped_row: Some((2 * 16, avx512::bf16_zipped_row)),
            few_rows: few_rows!(bf16_two_rows bf16_four_rows),
            ..Self::avx512(DType::BF16, avx512::bf16, rows, Prepare::Keep)
        }
    }

    #[cfg(all(target_arch = "x86_64", feature = "std"))]
    fn avx512_widened(_: HasAvx512F) -> Self {
        let rows: (BlockFn, RunFn) = (avx512::widened_row, avx512::widened_wide_row);
        Self {
            zipped_row: Some((2 * 16, avx512::widened_zipped_row)),
            few_rows: few_rows!(widened_two_rows widened_four_rows),
            ..Self::avx512(DType::BF16, avx512::widened, rows, Prepare::Widen)
        }
    }

    #[cfg(all(target_arch = "x86_64", feature = "std"))]
    fn avx512_s8(_: HasAvx512Vnni) -> Self {
        let rows: (BlockFn, RunFn) = (avx512::s8_row, avx512::s8_wide_row);
        Self {
            zipped_row: Some((4 * 16, avx512::s8_zipped_row)),
            few_rows: few_rows!(s8_two_rows s8_four_rows),
            ..Self::avx512(DType::S8, avx512::s8, rows, Prepare::Shift)
        }
    }

    /// The kernel for bytes of which at least one operand is unsigned.
    #[cfg(all(target_arch = "x86_64", feature = "std"))]
    fn avx512_bytes(_: HasAvx512Vnni, operands: [DType; 2]) -> Self {
        let elements = operands.map(|dtype| if dtype == DType::U8 { dtype } else { DType::S8 });
        macro_rules! kernel {
            ($prepare:expr, $run:ident $row:ident $wide_row:ident $zipped:ident $($few:ident)*) => {{
                let rows: (BlockFn, RunFn) = (avx512::$row, avx512::$wide_row);
                Self {
                    elements,
                    zipped_row: Some((4 * 16, avx512::$zipped)),
                    few_rows: few_rows!($($few)*),
                    ..Self::avx512(DType::S8, avx512::$run, rows, $prepare)
                }
            }};
        }
        match elements {
            [DType::U8, DType::U8] => kernel!(
                Prepare::Shift, u8_u8 u8_u8_row u8_u8_wide_row u8_u8_zipped_row
                u8_u8_two_rows u8_u8_four_rows
            ),
            [DType::U8, _] => kernel!(
                Prepare::Keep, u8_s8 u8_s8_row u8_s8_wide_row u8_s8_zipped_row
                u8_s8_two_rows u8_s8_four_rows
            ),
            _ => kernel!(
                Prepare::Keep, s8_u8 s8_u8_row s8_u8_wide_row s8_u8_zipped_row
                s8_u8_two_rows s8_u8_four_rows
            ),
        }
    }

    /// The kernel with these functions; the CPU must have their instructions, and AVX2.
    #[cfg(all(target_arch = "x86_64", feature = "std"))]
    pub(super) fn avx512(
        dtype: DType,
        run: BlockFn,
        (row, wide_row): (BlockFn, RunFn),
        prepare: Prepare,
    ) -> Self {
        Self {
            rows: avx512::ROWS,
            columns: avx512::COLUMNS,
            depth: 1024,
            prepare,
            run,
            row,
            wide_row: (avx512::WIDE, wide_row),
            transpose: transpose::words,
            ..Self::portable(dtype)
        }
    }

    #[cfg(all(target_arch = "x86_64", feature = "std"))]
    fn amx_bf16(_: HasAmxBf16) -> Self {
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
    fn amx_bytes(_: HasAmxInt8, operands: [DType; 2]) -> Self {
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
    fn amx(
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
                words: LINE_WORDS,
                configure: tile_registers::configure,
                release: tile_registers::release,
            }),
            ..Self::vectors(elements)
        }
    }

    /// The kernel for products with this number of rows, whose right operand has as many elements in a word of storage, and tiles of
    /// words of that height, if it has any.
    pub(super) fn for_rows(self, rows: usize, stored: usize, height: Option<usize>) -> Self {
        #[cfg(all(target_arch = "x86_64", feature = "std"))]
        if let Some(kernel) =
            self.operands.and_then(|operands| widened::kernel(operands, rows, stored))
        {
            return kernel;
        }
        #[cfg(not(all(target_arch = "x86_64", feature = "std")))]
        let _ = (stored, self.operands);
        match self.tiles {
            Some(tiles) if rows < tiles.fewest_for(height) => Self::vectors(self.elements),
            Some(tiles) if rows <= TILE_ROWS => {
                Self { rows: TILE_ROWS, ..self.with_tiles(tiles.short) }
            }
            Some(tiles) if rows <= self.direct => self.with_tiles(tiles.few),
            _ => self,
        }
    }

    /// The kernel of tiles with these functions.
    fn with_tiles(self, (run, column): TileFns) -> Self {
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

    /// A number of words of a row, rounded up to whole steps of the micro-kernel.
    pub(super) const fn whole_steps(&self, words: usize) -> usize {
        match self.prepare {
            Prepare::Lines => words.next_multiple_of(LINE_WORDS),
            _ => words,
        }
    }

    /// The words of a panel of `A` for a block of rows with this number of words each.
    pub(super) const fn panel_words(&self, words: usize) -> usize {
        self.rows * self.parts() * self.whole_steps(words)
    }

    /// The words of a panel of `A` for each row and each word of `B`.
    pub(super) const fn parts(&self) -> usize {
        self.prepare.parts() * self.spread
    }

    /// The number of words that a word of `B` becomes in a panel.
    pub(super) const fn packed_parts(&self) -> usize {
        if self.run_split.is_some() { self.prepare.parts() } else { 1 }
    }

    /// The kernel with the registers of this thread ready for blocks, until it is dropped. Nothing that runs in between may use
    /// a kernel: neither functions of users, nor code that can run tasks of other threads.
    #[inline]
    pub(super) fn ready(&self) -> Ready<'_> {
        if let Some(tiles) = &self.tiles {
            // SAFETY: whoever made this value had proof that the CPU has tile registers, and that the process may use them. No
            // other kernel is in use on this thread.
            unsafe { (tiles.configure)(TILE_ROWS, tiles.words) };
        }
        Ready { kernel: self, thread: PhantomData }
    }

    /// Writes the first words of all rows, then the second words of all rows, and so on. With rows `a0 a1 a2` and `b0 b1 b2`,
    /// it writes `a0 b0 a1 b1 a2 b2`. Words of elements of 64 bits stay together.
    #[inline]
    pub(super) fn transpose(&self, rows: &[&[Word]], to: &mut [u32]) {
        // SAFETY: as in `run`; the function checks the lengths.
        unsafe { (self.transpose)(rows, to) }
    }

    /// A block of this kernel, with nothing to prefetch.
    #[inline]
    pub(super) fn block<'b>(
        &self,
        a: &'b [u32],
        b: Panel<'b>,
        start: Start<'b>,
        c: &'b mut [Word],
        rows: &'b [usize],
    ) -> MicroBlock<'b> {
        MicroBlock { a, b, start, c, rows, next: &[], ahead: &[], table: self.table }
    }

    /// Computes a block of one row.
    pub(super) fn run_row(&self, block: &mut MicroBlock<'_>) {
        // SAFETY: as in `run`.
        unsafe { (self.row)(block) }
    }

    /// The kernel for a few rows, whose blocks [`MicroKernel::run_few_rows`] computes; `None` if there are too many rows.
    pub(super) fn few_rows(&self, rows: usize) -> Option<Self> {
        let (high, columns, run) = match (rows, &self.few_rows) {
            (1, _) => (1, self.wide_row.0, self.wide_row.1),
            (_, few) => *few.as_ref()?.iter().find(|(high, ..)| rows <= *high)?,
        };
        let transpose = match high == self.rows {
            true => self.transpose,
            false => panels::transpose_of(self.elements[0]),
        };
        // With few rows, the sums of columns would be shared with few rows.
        let prepare = if self.prepare == Prepare::Shift { Prepare::Flip } else { self.prepare };
        let (wide_row, run_split) = ((columns, run), None);
        Some(Self { rows: high, columns, wide_row, run_split, transpose, prepare, ..*self })
    }

    /// Computes a run of blocks of one row, of words that are put together in registers.
    ///
    /// # Panics
    /// If the kernel has no such function.
    pub(super) fn run_zipped_row(&self, run: &mut ZippedRun<'_>) {
        let (_, function) = self.zipped_row.expect("chosen for it");
        // SAFETY: as in `run_row`; the function checks the run.
        unsafe { function(run) }
    }

    /// Computes a run of blocks of a few rows.
    pub(super) fn run_few_rows(&self, run: &mut RowRun<'_>) {
        // SAFETY: as in `run_row`; the function checks the run.
        unsafe { (self.wide_row.1)(run) }
    }
}

/// A micro-kernel for which the registers of a thread are ready.
pub(super) struct Ready<'a> {
    kernel: &'a MicroKernel,
    /// Other threads have registers of their own.
    thread: PhantomData<*const ()>,
}

impl Ready<'_> {
    /// Computes a block of [`MicroKernel::rows`] rows; `split` says whether the words of `B` are split.
    #[inline]
    pub(super) fn run(&self, split: bool, block: &mut MicroBlock<'_>) {
        let kernel = self.kernel;
        let run = if split { kernel.run_split.unwrap_or(kernel.run) } else { kernel.run };
        // SAFETY: whoever made the kernel had proof that the CPU has the instructions of the function. If they use tile
        // registers, this value has configured these, and each earlier block has finished with them. The function checks the
        // block.
        unsafe { run(block) }
    }
}

impl Ready<'_> {
    /// Computes blocks of [`MicroKernel::rows`] rows, one below the other.
    ///
    /// # Panics
    /// If the kernel has no tiles.
    pub(super) fn run_column(&self, column: &mut TileColumn<'_>) {
        let tiles = self.kernel.tiles.as_ref().expect("a kernel of tiles");
        // SAFETY: as in `run`.
        unsafe { (tiles.column)(column) }
    }
}

impl Drop for Ready<'_> {
    #[inline]
    fn drop(&mut self) {
        if let Some(tiles) = &self.kernel.tiles {
            // SAFETY: this value has configured the registers, and no block needs them any more.
            unsafe { (tiles.release)() };
        }
    }
}

/// The number of elements of a panel of `B` in a word.
pub(super) const fn stacked(dtype: DType) -> usize {
    let size = dtype.byte_width();
    if size < 4 { 4 / size } else { 1 }
}

/// Whether prefetches make products of one row, which read a few long streams, faster. On the AMD CPU on which this was
/// measured (Zen 4), the products are faster without.
pub(super) fn prefetch_helps_streams() -> bool {
    #[cfg(all(target_arch = "x86_64", feature = "std"))]
    let helps = model().vendor != Vendor::Amd;
    #[cfg(not(all(target_arch = "x86_64", feature = "std")))]
    let helps = true;
    helps
}
