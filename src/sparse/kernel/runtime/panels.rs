//! Products of a sparse matrix and a dense one. Some columns of the dense matrix at a time are copied to a panel.
//!
//! A row of 256 `f32` has 1 KiB, so the same few columns of all rows share four sets of the L1 cache. In a panel, the rows of these
//! columns are contiguous, begin at a cache line, and have the type of the sums. A row of sums has as many lanes as a row of a
//! panel; those of several rows of the sparse matrix stay in registers.
//!
//! Each sum adds its terms in the order of the columns of the sparse matrix; for `f32` and `f64`, each product is added to the sum
//! with one rounding. Only the sums of products of `bf16` are computed otherwise where the CPU has instructions for them ([`tiles`],
//! [`merged`], [`expanded`], [`pairs`]).

#![allow(unsafe_code, reason = "code for the instructions of a CPU runs where they were found")]
#![allow(
    clippy::needless_range_loop,
    reason = "arrays that are iterated by value go through memory"
)]

mod blocks;
#[cfg(target_arch = "x86_64")]
mod expanded;
mod kept;
#[cfg(target_arch = "x86_64")]
mod merged;
#[cfg(target_arch = "x86_64")]
mod pairs;
mod structured;
#[cfg(target_arch = "x86_64")]
mod tiles;

use super::{LevelRef, Number, WidenTo};
#[cfg(target_arch = "aarch64")]
use crate::cpu::Work;
#[cfg(target_arch = "x86_64")]
use crate::cpu::detect::{HasAvx512F, HasFma};
#[cfg(target_arch = "x86_64")]
use crate::cpu::{run_narrow, run_wide};
use crate::sparse::Encoding;
use crate::sparse::kernel::KernelError;
use blocks::{Blocks, Vectors as VectorsOfBlocks};
use core::any::TypeId;
use core::ops::Range;
#[cfg(target_arch = "x86_64")]
use half::bf16;
use structured::{Structured, Vectors as VectorsOfGroups};

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
fn add<T: Number, const LANES: usize>(sums: &mut [T; LANES], value: T, row: [T; LANES]) {
    for lane in 0..LANES {
        sums[lane] = value.times_plus(row[lane], sums[lane]);
    }
}

/// The registers in which sums are kept.
enum Registers {
    /// 32 vectors of 64 bytes.
    #[cfg(target_arch = "x86_64")]
    Wide(HasAvx512F),
    /// 16 vectors of 32 bytes.
    #[cfg(target_arch = "x86_64")]
    Narrow(HasFma),
    /// 32 vectors of 16 bytes.
    #[cfg(target_arch = "aarch64")]
    Arm,
}

impl Registers {
    /// Those of this CPU for a number of columns of which `wide` or `narrow` are computed together. `None` if there are fewer, or if the
    /// CPU does not add a product to a sum in one instruction.
    fn detect(columns: usize, [wide, narrow]: [usize; 2]) -> Option<Self> {
        #[cfg(target_arch = "x86_64")]
        {
            let has = HasAvx512F::detect().filter(|_| columns >= wide).map(Self::Wide);
            has.or_else(|| HasFma::detect().filter(|_| columns >= narrow).map(Self::Narrow))
        }
        #[cfg(target_arch = "aarch64")]
        {
            let _ = wide;
            (columns >= narrow).then_some(Self::Arm)
        }
    }
}

/// Writing a product to `c` by a method.
struct Write<'a, P, M, T> {
    product: &'a P,
    method: M,
    c: &'a mut [T],
}

/// Runs `$write` on this CPU, with the method for its registers.
macro_rules! by_vectors {
    ($product:ident, $columns:ident, $c:ident, $Vectors:ident, [$GROUP:ident $LANES:ident], [$FEW:literal $NARROW:ident]) => {
        match Registers::detect($columns, [$LANES, $NARROW]) {
            #[cfg(target_arch = "x86_64")]
            Some(Registers::Wide(has)) => {
                let method = $Vectors::<$GROUP, $LANES>;
                run_wide(has, Write { product: &$product, method, c: $c }).map(|()| true)
            }
            #[cfg(target_arch = "x86_64")]
            Some(Registers::Narrow(has)) => {
                let method = $Vectors::<$FEW, $NARROW>;
                run_narrow(has, Write { product: &$product, method, c: $c }).map(|()| true)
            }
            #[cfg(target_arch = "aarch64")]
            Some(Registers::Arm) => {
                let method = $Vectors::<$FEW, $NARROW>;
                Write { product: &$product, method, c: $c }.run().map(|()| true)
            }
            None => Ok(false),
        }
    };
}

/// Whether copying a dense matrix to panels pays off for this number of values of the sparse matrix.
fn pays_off<B>(columns: usize, b: &[B], values: usize) -> bool {
    columns > 0 && values > 0 && values / PAYS >= b.len() / columns
}

/// Writes some rows of the product of a matrix of blocks of `ROWS` rows and `COLUMNS` columns, whose compressed level is given, and a
/// dense matrix to `c`: those of the rows of blocks in `rows`. With wide vectors, `GROUP` rows of `LANES` sums are computed together; with narrow ones, four rows of `NARROW`
/// sums. Returns `false`, and writes nothing, if the loops of the kernel are faster.
///
/// # Errors
/// If there is no memory for panels.
pub fn blocks_by_panels<
    E: Encoding,
    A: Copy + WidenTo<T> + 'static,
    B: Copy + WidenTo<T> + 'static,
    T: Number,
    const ROWS: usize,
    const COLUMNS: usize,
    const GROUP: usize,
    const LANES: usize,
    const NARROW: usize,
>(
    level: LevelRef<'_, E, 1>,
    (rows, a): (Range<usize>, &[A]),
    (columns, b): (usize, &[B]),
    c: &mut [T],
) -> Result<bool, KernelError> {
    if !pays_off(columns, b, a.len()) {
        return Ok(false);
    }
    #[cfg(target_arch = "x86_64")]
    if const { may_be_halves::<A, B, T>() }
        && let Some((a, b, c)) = halves(a, b, c)
    {
        let rows = rows.clone();
        let product = Blocks::<_, _, _, ROWS, COLUMNS> { level, rows, a, columns, b };
        if let Some(done) = merged::blocks(&product, c).or_else(|| tiles::blocks(&product, c)) {
            return done.map(|()| true);
        }
        if COLUMNS.is_multiple_of(2)
            && columns >= LANES
            && let Some((has, pairs)) = pairs::Pairs::detect()
        {
            let method = pairs::InBlocks::<GROUP, LANES>(pairs);
            return run_wide(has, Write { product: &product, method, c }).map(|()| true);
        }
    }
    let product = Blocks::<_, _, _, ROWS, COLUMNS> { level, rows, a, columns, b };
    by_vectors!(product, columns, c, VectorsOfBlocks, [GROUP LANES], [4 NARROW])
}

/// As [`blocks_by_panels`], for a matrix that stores `STORED` of each `OF` columns, whose last level is given; `rows` are its rows. With
/// narrow vectors, two rows are computed together: each of its values selects the row of the panel by which it is multiplied.
///
/// # Errors
/// If there is no memory for panels.
pub fn structured_by_panels<
    E: Encoding,
    A: Copy + WidenTo<T> + 'static,
    B: Copy + WidenTo<T> + 'static,
    T: Number,
    const STORED: usize,
    const OF: usize,
    const GROUP: usize,
    const LANES: usize,
    const NARROW: usize,
>(
    level: LevelRef<'_, E, 2>,
    (rows, a): (Range<usize>, &[A]),
    (columns, b): (usize, &[B]),
    c: &mut [T],
) -> Result<bool, KernelError> {
    if const { OF > 1 << u8::BITS } || !pays_off(columns, b, a.len()) {
        return Ok(false);
    }
    #[cfg(target_arch = "x86_64")]
    if const { STORED == 2 && OF == 4 && may_be_halves::<A, B, T>() }
        && let Some((a, b, c)) = halves(a, b, c)
    {
        let rows = rows.clone();
        let product = Structured::<_, _, _, 2, 4> { level, rows, a, columns, b };
        if let Some(done) = expanded::two_of_four(&product, c) {
            return done.map(|()| true);
        }
        if let Some((has, method)) = pairs::Pairs::detect() {
            return run_wide(has, Write { product: &product, method, c }).map(|()| true);
        }
    }
    let product = Structured::<_, _, _, STORED, OF> { level, rows, a, columns, b };
    by_vectors!(product, columns, c, VectorsOfGroups, [GROUP LANES], [2 NARROW])
}

/// Whether the types have the sizes of `bf16` and `f32`. For others, what multiplies only these is not compiled.
#[cfg(target_arch = "x86_64")]
const fn may_be_halves<A, B, T>() -> bool {
    size_of::<A>() == 2 && size_of::<B>() == 2 && size_of::<T>() == 4
}

/// The same slice, if both types are the same.
#[inline(always)]
fn same_type<A: 'static, T: 'static>(slice: &[A]) -> Option<&[T]> {
    // SAFETY: the types are the same, so the slice is of the same elements.
    let same = || unsafe { core::slice::from_raw_parts(slice.as_ptr().cast(), slice.len()) };
    (TypeId::of::<A>() == TypeId::of::<T>()).then(same)
}

/// The operands, if the factors are `bf16` and the sums are `f32`.
#[cfg(target_arch = "x86_64")]
fn halves<'a, A: 'static, B: 'static, T: 'static>(
    a: &'a [A],
    b: &'a [B],
    c: &'a mut [T],
) -> Option<(&'a [bf16], &'a [bf16], &'a mut [f32])> {
    if TypeId::of::<T>() != TypeId::of::<f32>() {
        return None;
    }
    let (a, b) = (same_type(a)?, same_type(b)?);
    // SAFETY: the types are the same, so the slice is of the same elements.
    Some((a, b, unsafe { core::slice::from_raw_parts_mut(c.as_mut_ptr().cast(), c.len()) }))
}
