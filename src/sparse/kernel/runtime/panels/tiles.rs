//! Products of `bf16` whose sums are `f32`, with the tile registers of AMX.
//!
//! A panel has the pairs of two rows of the dense matrix side by side, as for [`pairs`](super::pairs), in 64 columns. A tile of `A` is read from
//! where the values are: for blocks of 32 x 64, one step multiplies 32 columns of all rows, in two tiles, by 16 pairs of 32 columns
//! of the panel, in two tiles; two steps multiply a block. For blocks of 16 x 16, the only step multiplies 8 pairs of 16 rows, in one
//! tile, by those of all 64 columns, in four tiles.
#![allow(unsafe_code, reason = "instructions that not every CPU has")]

use super::blocks::{Blocks, Group, Method};
use super::pairs::side_by_side;
use super::{Row, Write};
use crate::cpu::detect::{HasAmxBf16, HasAvx512F};
use crate::cpu::run_wide;
use crate::cpu::tile_registers::{self, tile_asm};
use crate::sparse::Encoding;
use crate::sparse::kernel::KernelError;

use core::marker::PhantomData;
use half::bf16;

/// The number of columns of a panel.
pub(super) const LANES: usize = 64;
/// The smallest number of elements of blocks that are multiplied faster by tiles than by vectors.
const SMALLEST: usize = 64;
/// The rows of two tiles.
pub(super) const TALL: usize = 2 * tile_registers::ROWS;

/// The largest divisor of a number that is not larger than the rows or the words of a tile; 1 for 0, the pairs of blocks of one column,
/// which are not multiplied by tiles.
const fn part_of(number: usize) -> usize {
    let mut part = match number {
        0 => 1,
        1..tile_registers::ROWS => number,
        _ => tile_registers::ROWS,
    };
    while !number.is_multiple_of(part) {
        part -= 1;
    }
    part
}

/// The tile registers of this thread, configured for some products; they are released when the value is dropped.
pub(super) struct Tiles {
    /// Only this thread has the configuration.
    thread: PhantomData<*mut ()>,
}

impl Tiles {
    /// The registers for tiles of that many rows of `A`, which have that many pairs; `None` if the CPU has none that may be used.
    pub(super) fn of(rows: usize, pairs: usize) -> Option<Self> {
        HasAmxBf16::detect()?;
        // SAFETY: the CPU has the registers, and the process may use them. Whatever configures them on a thread releases them before
        // anything else runs there.
        unsafe { tile_registers::configure(rows, pairs) };
        Some(Self { thread: PhantomData })
    }
}

impl Drop for Tiles {
    fn drop(&mut self) {
        // SAFETY: this thread has configured the registers, and no product needs them any more.
        unsafe { tile_registers::release() };
    }
}

/// The numbers of a loop over blocks.
pub(super) trait Numbers {
    /// The steps of a block, and the pairs of each row of `A` that a step multiplies.
    const STEPS: usize;
    const PAIRS: usize;
    /// The bytes of `A` from one row to the next, and from one block to the next.
    const PITCH: usize;
    const BLOCK: usize;
}

/// What a loop over blocks reads and writes.
pub(super) struct Loop<N> {
    numbers: PhantomData<N>,
    a: *const bf16,
    /// A panel, and for each block the first of its rows by which the block is multiplied.
    b: *const Row<u32, LANES>,
    starts: *const usize,
    blocks: usize,
    /// The first sum, and the bytes from one row of sums to the next.
    c: *mut f32,
    c_stride: usize,
    /// Whether products are added to the sums that are there.
    adds: bool,
}

/// The loop over blocks and their steps. The arguments: how the sums start, what a step does, how the sums are stored,
/// and further operands.
macro_rules! multiply_tiles {
    ($tiles:ident [$($start:tt)*] [$($step:tt)*] [$($store:tt)*] [$($operand:tt)*]) => {{
        let Loop { a, b, starts, blocks, c, c_stride, adds, .. } = *$tiles;
        tile_asm!(
            $($start)*
            "2:",
            "test {blocks}, {blocks}",
            "jz 5f",
            "3:",
            "mov {pb}, [{starts}]",
            "add {starts}, 8",
            "shl {pb}, 8",
            "add {pb}, {b}",
            "mov {pa}, {a}",
            "add {a}, {block}",
            "mov {other:e}, {steps}",
            "4:",
            $($step)*
            "add {pa}, {a_step}",
            "add {pb}, {b_step}",
            "dec {other:e}",
            "jnz 4b",
            "dec {blocks}",
            "jnz 3b",
            "5:",
            $($store)*
            a = inout(reg) a => _,
            a_stride = in(reg) N::PITCH,
            b = in(reg) b,
            b_stride = in(reg) size_of::<Row<u32, LANES>>(),
            starts = inout(reg) starts => _,
            blocks = inout(reg) blocks => _,
            c = in(reg) c,
            c_stride = in(reg) c_stride,
            pa = out(reg) _,
            pb = out(reg) _,
            other = inout(reg) usize::from(adds) => _,
            block = const N::BLOCK,
            steps = const N::STEPS,
            a_step = const 4 * N::PAIRS,
            b_step = const 4 * LANES * N::PAIRS,
            $($operand)*
            options(nostack)
        );
    }};
}

impl<N: Numbers> Loop<N> {
    /// The loop over blocks whose first values, panel and starts are given, with sums in rows of `pitch` elements.
    pub(super) fn new(
        a: &[bf16],
        b: &[Row<u32, LANES>],
        starts: &[usize],
        (c, pitch): (&mut [f32], usize),
        adds: bool,
    ) -> Self {
        let (a, b, c, blocks) = (a.as_ptr(), b.as_ptr(), c.as_mut_ptr(), starts.len());
        let (starts, c_stride) = (starts.as_ptr(), pitch * size_of::<f32>());
        Self { numbers: PhantomData, a, b, starts, blocks, c, c_stride, adds }
    }

    /// Multiplies one tile of rows, or two, by all columns of a panel.
    ///
    /// # Safety
    /// As for [`one_tile`](Self::one_tile); two tiles have 16 rows each.
    pub(super) unsafe fn all_columns(&self, two: bool) {
        // SAFETY: the caller promises the same. Both halves of the columns exist, and a row of the panel begins in each.
        unsafe {
            match two {
                true => {
                    self.two_tiles();
                    let (b, c) = (self.b.byte_add(4 * LANES / 2), self.c.add(LANES / 2));
                    Self { b, c, ..*self }.two_tiles();
                }
                false => self.one_tile(),
            }
        }
    }

    /// Multiplies one tile of rows by all columns of a panel.
    ///
    /// # Safety
    /// The registers of this thread must be configured for these rows and words. All values and rows of the panel that the blocks name
    /// must be readable, and the sums writable and, if products are added to them, readable.
    unsafe fn one_tile(&self) {
        // SAFETY: the caller promises the registers, and all bytes that are read and written.
        unsafe {
            multiply_tiles!(self
                [
                    "tilezero tmm0", "tilezero tmm1", "tilezero tmm2", "tilezero tmm3",
                    "test {other}, {other}",
                    "jz 2f",
                    "tileloadd tmm0, [{c} + {c_stride}*1]",
                    "tileloadd tmm1, [{c} + {c_stride}*1 + 64]",
                    "tileloadd tmm2, [{c} + {c_stride}*1 + 128]",
                    "tileloadd tmm3, [{c} + {c_stride}*1 + 192]",
                ]
                [
                    "tileloadd tmm4, [{pa} + {a_stride}*1]",
                    "tileloadd tmm6, [{pb} + {b_stride}*1]",
                    "tdpbf16ps tmm0, tmm4, tmm6",
                    "tileloadd tmm7, [{pb} + {b_stride}*1 + 64]",
                    "tdpbf16ps tmm1, tmm4, tmm7",
                    "tileloadd tmm6, [{pb} + {b_stride}*1 + 128]",
                    "tdpbf16ps tmm2, tmm4, tmm6",
                    "tileloadd tmm7, [{pb} + {b_stride}*1 + 192]",
                    "tdpbf16ps tmm3, tmm4, tmm7",
                ]
                [
                    "tilestored [{c} + {c_stride}*1], tmm0",
                    "tilestored [{c} + {c_stride}*1 + 64], tmm1",
                    "tilestored [{c} + {c_stride}*1 + 128], tmm2",
                    "tilestored [{c} + {c_stride}*1 + 192], tmm3",
                ]
                []
            );
        }
    }

    /// Multiplies two tiles of rows by half of the columns of a panel, of which the first is the first in `b`.
    ///
    /// # Safety
    /// As for [`one_tile`](Self::one_tile), for 16 rows in a tile.
    unsafe fn two_tiles(&self) {
        // SAFETY: as above.
        unsafe {
            multiply_tiles!(self
                [
                    "tilezero tmm0", "tilezero tmm1", "tilezero tmm2", "tilezero tmm3",
                    "test {other}, {other}",
                    "jz 2f",
                    "mov {pa}, {c_stride}",
                    "shl {pa}, 4",
                    "add {pa}, {c}",
                    "tileloadd tmm0, [{c} + {c_stride}*1]",
                    "tileloadd tmm1, [{c} + {c_stride}*1 + 64]",
                    "tileloadd tmm2, [{pa} + {c_stride}*1]",
                    "tileloadd tmm3, [{pa} + {c_stride}*1 + 64]",
                ]
                [
                    "tileloadd tmm4, [{pa} + {a_stride}*1]",
                    "tileloadd tmm6, [{pb} + {b_stride}*1]",
                    "tdpbf16ps tmm0, tmm4, tmm6",
                    "tileloadd tmm7, [{pb} + {b_stride}*1 + 64]",
                    "tdpbf16ps tmm1, tmm4, tmm7",
                    "tileloadd tmm5, [{pa} + {a_stride}*1 + {second}]",
                    "tdpbf16ps tmm2, tmm5, tmm6",
                    "tdpbf16ps tmm3, tmm5, tmm7",
                ]
                [
                    "mov {pa}, {c_stride}",
                    "shl {pa}, 4",
                    "add {pa}, {c}",
                    "tilestored [{c} + {c_stride}*1], tmm0",
                    "tilestored [{c} + {c_stride}*1 + 64], tmm1",
                    "tilestored [{pa} + {c_stride}*1], tmm2",
                    "tilestored [{pa} + {c_stride}*1 + 64], tmm3",
                ]
                [second = const tile_registers::ROWS * N::PITCH,]
            );
        }
    }
}

/// The numbers for blocks.
struct OfBlocks<const ROWS: usize, const COLUMNS: usize>;

impl<const ROWS: usize, const COLUMNS: usize> Numbers for OfBlocks<ROWS, COLUMNS> {
    const STEPS: usize = COLUMNS / 2 / Self::PAIRS;
    const PAIRS: usize = part_of(COLUMNS / 2);
    const PITCH: usize = COLUMNS * size_of::<bf16>();
    const BLOCK: usize = ROWS * Self::PITCH;
}

impl<const ROWS: usize, const COLUMNS: usize> Method<bf16, bf16, f32, ROWS, COLUMNS> for &Tiles {
    type Row = Row<u32, LANES>;
    type Value = bf16;
    const DEPTH: usize = 2;
    const LANES: usize = LANES;
    const GROUP: usize = if ROWS.is_multiple_of(TALL) { TALL } else { part_of(ROWS) };

    #[inline(always)]
    fn row(from: &[bf16], columns: usize) -> Self::Row {
        side_by_side(&from[..LANES], &from[columns..][..LANES])
    }

    #[inline(always)]
    fn in_place(values: &[bf16]) -> Option<&[bf16]> {
        Some(values)
    }

    #[inline(always)]
    fn value(of: bf16) -> bf16 {
        of
    }

    fn multiply(self, group: &Group<'_, bf16>, panel: &[Self::Row], c: &mut [f32], columns: usize) {
        let rows = <Self as Method<_, _, _, ROWS, COLUMNS>>::GROUP;
        let Group { starts, values, .. } = *group;
        let used = (starts.len().saturating_sub(1) * ROWS + rows) * COLUMNS;
        let fits = |start: &usize| start + COLUMNS / 2 <= panel.len();
        assert!(starts.is_empty() || used <= values.len() && starts.iter().all(fits));
        assert!(c.len() >= (rows - 1) * columns + LANES);
        let tiles =
            Loop::<OfBlocks<ROWS, COLUMNS>>::new(values, panel, starts, (c, columns), false);
        // SAFETY: the registers are configured for blocks of this size, and the slices have the elements, as was asserted.
        unsafe { tiles.all_columns(rows == TALL) };
    }
}

/// Writes the product of a matrix of blocks to `c`. `None` if the CPU has no tile registers, or if vectors are faster.
pub(super) fn blocks<E: Encoding, const ROWS: usize, const COLUMNS: usize>(
    product: &Blocks<'_, E, bf16, bf16, ROWS, COLUMNS>,
    c: &mut [f32],
) -> Option<Result<(), KernelError>> {
    if const { ROWS * COLUMNS < SMALLEST || !COLUMNS.is_multiple_of(2) } || product.columns < LANES
    {
        return None;
    }
    let has = HasAvx512F::detect()?;
    let tiles = Tiles::of(const { part_of(ROWS) }, const { part_of(COLUMNS / 2) })?;
    Some(run_wide(has, Write { product, method: &tiles, c }))
}
