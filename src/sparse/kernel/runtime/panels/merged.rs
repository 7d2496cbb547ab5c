//! Products of small blocks of `bf16` with the tile registers of AMX: blocks are copied to their places in blocks of 32 x 32, which have
//! zeros elsewhere.
//!
//! A step of tiles multiplies two tiles of 16 rows and 32 columns. A block of 4 x 4 fills a 64th of them, but the steps take nearly as
//! long. If half of all blocks of 4 x 4 are stored, 32 of the 64 in a merged block are, so a step does 32 times the work.
#![allow(unsafe_code, reason = "panels are written row by row")]

use super::blocks::{Blocks, Group, Method};
use super::kept::Panels;
use super::pairs::side_by_side;
use super::tiles::{LANES, TALL, Tiles};
use super::{Row, Write};
use crate::cpu::detect::HasAvx512F;
use crate::cpu::{Work, run_wide, second_level, tile_registers};
use crate::sparse::Encoding;
use crate::sparse::kernel::KernelError;
use crate::sparse::kernel::runtime::filled;
use crate::sparse::two_of_four::are_finite;
use core::ops::Range;
use half::bf16;

/// The rows and columns of a merged block.
const SIDE: usize = TALL;
/// The rows of a panel by which a merged block is multiplied.
const PAIRS: usize = SIDE / 2;

/// A merged block.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Merged([[bf16; SIDE]; SIDE]);

/// Merging blocks of this size pays off if at least one of so many blocks is stored; 0 if it never does.
///
/// Multiplied as they are, blocks of 8 x 8 take about 3.5 times as long per stored element as the dense product per element, and blocks
/// of 4 x 4 take 11 times as long. Merged blocks take as long as the dense product.
const fn one_of(rows: usize, columns: usize) -> usize {
    if !SIDE.is_multiple_of(rows) || !SIDE.is_multiple_of(columns) {
        return 0;
    }
    match rows * columns {
        ..64 => 12,
        64..128 => 3,
        _ => 0,
    }
}

/// Writes the product of a matrix of blocks to `c`. `None` if the CPU has no tile registers, if merging does not pay off, or if the dense
/// matrix has an infinity or a NaN: the zeros of merged blocks would make it a NaN in the sums of rows that do not store its column.
pub(super) fn blocks<E: Encoding, const ROWS: usize, const COLUMNS: usize>(
    product: &Blocks<'_, E, bf16, bf16, ROWS, COLUMNS>,
    c: &mut [f32],
) -> Option<Result<(), KernelError>> {
    if const { one_of(ROWS, COLUMNS) == 0 } || product.columns < LANES {
        return None;
    }
    let has = HasAvx512F::detect()?;
    let blocks: usize = product.rows.clone().map(|row| product.level.below(row).len()).sum();
    let inner = product.b.len() / product.columns;
    let all = product.rows.len() * (inner / COLUMNS);
    if all > blocks.saturating_mul(one_of(ROWS, COLUMNS)) || !are_finite(product.b) {
        return None;
    }
    let tiles = Tiles::of(tile_registers::ROWS, PAIRS)?;
    Some(run_wide(has, Write { product, method: Merging { tiles: &tiles }, c }))
}

/// Multiplying merged blocks with configured registers.
#[derive(Clone, Copy)]
struct Merging<'a> {
    tiles: &'a Tiles,
}

impl<E: Encoding, const ROWS: usize, const COLUMNS: usize> Work
    for Write<'_, Blocks<'_, E, bf16, bf16, ROWS, COLUMNS>, Merging<'_>, f32>
{
    type Output = Result<(), KernelError>;

    #[inline(always)]
    fn run(self) -> Self::Output {
        let Self { product, method: Merging { tiles }, c } = self;
        let columns = product.columns;
        let inner = product.b.len() / columns;
        let across = inner.div_ceil(SIDE);
        let height = across * PAIRS;
        let fitting = second_level() / 2 / (height * size_of::<Row<u32, LANES>>());
        let count = fitting.clamp(1, columns.div_ceil(LANES));
        let mut panels = Panels::new(height * count)?;
        let mut strip = Strip {
            merged: filled(across, Merged([[bf16::ZERO; SIDE]; SIDE]))?,
            numbers: filled(across, 0)?,
            starts: filled(across, 0)?,
        };
        for first in (0..columns).step_by(count * LANES) {
            let count = count.min((columns - first).div_ceil(LANES));
            // The last panel has the last columns, of which the panel before it may have some too.
            let column = |panel: usize| (first + panel * LANES).min(columns - LANES);
            for row in 0..height {
                // Rows after the last one are zero.
                let [a, b] = [2 * row, 2 * row + 1].map(|row| product.b.get(row * columns..));
                for panel in 0..count {
                    let lanes = [a, b].map(|b| match b {
                        Some(b) if !b.is_empty() => &b[column(panel)..][..LANES],
                        _ => &[bf16::ZERO; LANES],
                    });
                    panels.rows()[panel * height + row].write(side_by_side(lanes[0], lanes[1]));
                }
            }
            // SAFETY: all of these rows have been written: there are `height` rows of each panel.
            let panels = unsafe { panels.rows()[..count * height].assume_init_ref() };
            for number in (0..product.rows.len()).step_by(SIDE / ROWS) {
                let start = product.rows.start + number;
                let group = strip.merge(product, start..product.rows.end.min(start + SIDE / ROWS));
                for panel in 0..count {
                    let c = &mut c[number * ROWS * columns + column(panel)..];
                    let panel = &panels[panel * height..][..height];
                    multiply(tiles, &group, panel, c, columns);
                }
            }
        }
        Ok(())
    }
}

/// 32 rows of the sparse matrix in merged blocks.
struct Strip {
    /// The merged blocks that have elements, in the order of their columns, followed by the others.
    merged: Vec<Merged>,
    /// For each 32 columns, one more than the number of their merged block; 0 if these columns have no elements.
    numbers: Vec<usize>,
    /// For each merged block, the first row of a panel by which it is multiplied.
    starts: Vec<usize>,
}

impl Strip {
    /// Copies some rows of blocks to merged blocks.
    #[inline(always)]
    fn merge<E: Encoding, const ROWS: usize, const COLUMNS: usize>(
        &mut self,
        product: &Blocks<'_, E, bf16, bf16, ROWS, COLUMNS>,
        rows: Range<usize>,
    ) -> Group<'_, bf16> {
        self.numbers.fill(0);
        for row in rows.clone() {
            for position in product.level.below(row) {
                self.numbers[product.level.coordinate(position) * COLUMNS / SIDE] = 1;
            }
        }
        let mut count = 0;
        for (at, number) in self.numbers.iter_mut().enumerate().filter(|(_, number)| **number > 0) {
            self.merged[count] = Merged([[bf16::ZERO; SIDE]; SIDE]);
            self.starts[count] = at * PAIRS;
            count += 1;
            *number = count;
        }
        for (number, row) in rows.enumerate() {
            for position in product.level.below(row) {
                let column = product.level.coordinate(position) * COLUMNS;
                let Merged(to) = &mut self.merged[self.numbers[column / SIDE] - 1];
                let from = &product.a[position * ROWS * COLUMNS..][..ROWS * COLUMNS];
                let to = &mut to[number * ROWS..][..ROWS];
                for row in 0..ROWS {
                    to[row][column % SIDE..][..COLUMNS]
                        .copy_from_slice(&from[row * COLUMNS..][..COLUMNS]);
                }
            }
        }
        let merged = &self.merged[..count];
        // SAFETY: merged blocks consist of these elements, without padding.
        let values = unsafe {
            core::slice::from_raw_parts(merged.as_ptr().cast(), merged.len() * SIDE * SIDE)
        };
        Group { starts: &self.starts[..count], values, pitch: SIDE * SIDE }
    }
}

/// Writes the sums of merged blocks to rows of `columns` elements, of which the first to write is the first in `c`, and of which there may be
/// fewer than 32.
#[inline(always)]
fn multiply(
    tiles: &Tiles,
    group: &Group<'_, bf16>,
    panel: &[Row<u32, LANES>],
    c: &mut [f32],
    columns: usize,
) {
    let multiply = <&Tiles as Method<bf16, bf16, f32, SIDE, SIDE>>::multiply;
    if c.len() >= (SIDE - 1) * columns + LANES {
        return multiply(tiles, group, panel, c, columns);
    }
    let mut sums = [0.0; SIDE * LANES];
    multiply(tiles, group, panel, &mut sums, LANES);
    for (sums, c) in sums.chunks_exact(LANES).zip(c.chunks_mut(columns)) {
        c[..LANES].copy_from_slice(sums);
    }
}
