//! Products of a sparse matrix and a dense one. Some columns of the dense matrix at a time are copied to a panel.
//!
//! A row of 256 `f32` has 1 KiB, so the same few columns of all rows share four sets of the L1 cache. In a panel, the rows of these
//! columns are contiguous, begin at a cache line, and have the type of the sums. A row of sums has as many lanes as a row of a
//! panel; those of several rows of the sparse matrix stay in registers.
//!
//! Each sum adds its terms in the order in which the loops of the kernel would, except where pairs of `bf16` are multiplied.

#![allow(
    clippy::needless_range_loop,
    reason = "arrays that are iterated by value go through memory"
)]

#[cfg(all(feature = "std", target_arch = "x86_64"))]
mod dots;
mod structured;

use super::{LevelRef, WidenTo, filled};
use crate::cpu::{Cpu, prefetch_element};
use crate::sparse::kernel::KernelError;
use crate::sparse::{Encoding, SparseElement};
use core::ops::{AddAssign, Mul};

/// The number of sparse values for each row of the dense matrix from which copying that matrix pays off.
const PAYS: usize = 32;

/// A row of a panel. Vectors that begin at a cache line are read at twice the speed of others.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Row<T, const LANES: usize>([T; LANES]);

/// Runs `$body` for each of at most eight rows of a group, unrolled: rustc does not keep the sums of a loop over rows in registers.
macro_rules! for_rows {
    ($GROUP:ident, |$row:ident| $body:expr) => { for_rows!(@$GROUP, $row, $body, 0 1 2 3 4 5 6 7) };
    (@$GROUP:ident, $row:ident, $body:expr, $($number:literal)*) => { $(
        if const { $number < $GROUP } {
            let $row = const { if $number < $GROUP { $number } else { 0 } };
            $body
        }
    )* };
}
use for_rows;

/// Adds the lanes of a row, multiplied by a number.
#[inline(always)]
fn add<T: Copy + Mul<Output = T> + AddAssign, const LANES: usize>(
    sums: &mut [T; LANES],
    value: T,
    row: [T; LANES],
) {
    for lane in 0..LANES {
        sums[lane] += value * row[lane];
    }
}

/// Whether copying a dense matrix to panels of `lanes` columns pays off for this number of values of the sparse matrix.
#[inline(always)]
fn pays_off<B>(columns: usize, b: &[B], values: usize, lanes: usize) -> bool {
    // With narrower vectors, the sums do not fit in the registers.
    Cpu::detect().has_wide_vectors() && columns >= lanes && values / PAYS >= b.len() / columns
}

/// Copies the columns of a panel, starting at column `first`.
#[inline(always)]
fn fill<B: Copy + WidenTo<T>, T, const LANES: usize>(
    panel: &mut [Row<T, LANES>],
    first: usize,
    (columns, b): (usize, &[B]),
) {
    for (row, b) in panel.iter_mut().zip(b.chunks_exact(columns)) {
        let b = &b[first..][..LANES];
        for lane in 0..LANES {
            row.0[lane] = b[lane].widen_to();
        }
    }
}

/// Writes the sums of some rows, starting at row `first`, to the columns of a panel, starting at `column`.
#[inline(always)]
fn write<T: Copy, const LANES: usize>(
    sums: &[[T; LANES]],
    (first, column, columns): (usize, usize, usize),
    c: &mut [T],
) {
    for (row, sums) in sums.iter().enumerate() {
        c[(first + row) * columns + column..][..LANES].copy_from_slice(sums);
    }
}

/// Writes the product of a matrix of blocks of `ROWS` rows and `COLUMNS` columns, whose compressed level is given, and a dense
/// matrix to `c`. `GROUP` rows are computed together. Each sum adds its terms in the order of the columns. Returns `false`, and
/// writes nothing, if the loops of the kernel are faster.
///
/// # Errors
/// If there is no memory for a panel.
#[inline(always)]
pub fn blocks_by_panels<
    E: Encoding,
    A: Copy + WidenTo<T> + 'static,
    B: Copy + WidenTo<T> + 'static,
    T: SparseElement + Mul<Output = T> + AddAssign,
    const ROWS: usize,
    const COLUMNS: usize,
    const GROUP: usize,
    const LANES: usize,
>(
    level: LevelRef<'_, E, 1>,
    (rows, a): (usize, &[A]),
    (columns, b): (usize, &[B]),
    c: &mut [T],
) -> Result<bool, KernelError> {
    if !pays_off(columns, b, a.len(), LANES) {
        return Ok(false);
    }
    #[cfg(all(feature = "std", target_arch = "x86_64"))]
    if COLUMNS.is_multiple_of(2)
        && let Some((dots, a, b, c)) = dots::Dots::of(a, b, c)
    {
        dots.blocks::<E, ROWS, COLUMNS, GROUP, LANES>(level, (rows, a), (columns, b), c)?;
        return Ok(true);
    }
    let mut panel = filled(b.len() / columns, Row([T::ZERO; LANES]))?;
    // No closures: they would be compiled for every CPU of the target.
    for column in (0..columns).step_by(LANES) {
        let column = column.min(columns - LANES);
        fill(&mut panel, column, (columns, b));
        for block in 0..rows / ROWS {
            for group in (0..ROWS).step_by(GROUP) {
                let sums = group_of_blocks::<_, _, _, ROWS, COLUMNS, GROUP, LANES>(
                    level,
                    (block, group),
                    a,
                    &panel,
                );
                write(&sums, (block * ROWS + group, column, columns), c);
            }
        }
    }
    Ok(true)
}

/// The sums of `GROUP` rows of the blocks of a row of blocks.
#[inline(always)]
fn group_of_blocks<
    E: Encoding,
    A: Copy + WidenTo<T>,
    T: SparseElement + Mul<Output = T> + AddAssign,
    const ROWS: usize,
    const COLUMNS: usize,
    const GROUP: usize,
    const LANES: usize,
>(
    level: LevelRef<'_, E, 1>,
    (block, group): (usize, usize),
    a: &[A],
    panel: &[Row<T, LANES>],
) -> [[T; LANES]; GROUP] {
    let mut sums = [[T::ZERO; LANES]; GROUP];
    for position in level.below(block) {
        let panel = &panel[level.coordinate(position) * COLUMNS..][..COLUMNS];
        let start = (position * ROWS + group) * COLUMNS;
        let mut values = [&a[..0]; GROUP];
        for row in 0..GROUP {
            values[row] = &a[start + row * COLUMNS..][..COLUMNS];
        }
        // The same rows of the next block.
        for at in (0..GROUP * COLUMNS).step_by(const { 64usize.div_ceil(size_of::<A>()) }) {
            prefetch_element(a, start + ROWS * COLUMNS + at);
        }
        for j in 0..COLUMNS {
            let Row(lanes) = panel[j];
            for_rows!(GROUP, |row| add(&mut sums[row], values[row][j].widen_to(), lanes));
        }
    }
    sums
}

/// As [`blocks_by_panels`], for a matrix that stores `STORED` of each `OF` columns, whose last level is given. The terms of each
/// `OF` columns are added up first.
///
/// # Errors
/// If there is no memory for panels.
#[inline(always)]
pub fn structured_by_panels<
    E: Encoding,
    A: Copy + WidenTo<T> + 'static,
    B: Copy + WidenTo<T> + 'static,
    T: SparseElement + Mul<Output = T> + AddAssign,
    const STORED: usize,
    const OF: usize,
    const GROUP: usize,
    const LANES: usize,
>(
    level: LevelRef<'_, E, 2>,
    (rows, a): (usize, &[A]),
    (columns, b): (usize, &[B]),
    c: &mut [T],
) -> Result<bool, KernelError> {
    if const { OF > 1 << u8::BITS } || !pays_off(columns, b, a.len(), LANES) {
        return Ok(false);
    }
    #[cfg(all(feature = "std", target_arch = "x86_64"))]
    if const { STORED == 2 && OF == 4 && GROUP == 4 && LANES == 64 }
        && let Some((method, a, b, c)) = dots::Dots::of(a, b, c)
    {
        let product = structured::Product { method, level, rows, a, columns, b };
        product.write::<f32, 2, 4, 4, 64>(c)?;
        return Ok(true);
    }
    let method = structured::ByGroups::new();
    let product = structured::Product { method, level, rows, a, columns, b };
    product.write::<T, STORED, OF, GROUP, LANES>(c)?;
    Ok(true)
}
