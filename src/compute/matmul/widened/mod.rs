//! Products of few rows with elements of `B` of another type: they are widened in registers.
//!
//! In `bf16[1,4096] * s8[4096,4096]{1,0:T(8,128)(4,1)}`, a word has four elements of `B`. Panels would have twice the bytes, and
//! writing and reading them takes much longer than reading `B`. So a word becomes four `f32`, each in a part of its own, and is
//! multiplied by four elements of `A`.

pub(super) mod avx2;
pub(super) mod avx512;

use super::micro_kernel::{BlockFn, FewRows, ManyRows, MicroKernel};
use super::row_run::RunFn;
use super::zipped_run::ZippedFn;
use core::marker::PhantomData;
use layout_core::dtype::DType;

/// The largest number of rows of `A`. Elements are widened again for each block of rows; with more rows, panels take less time.
const MAX_ROWS: usize = 64;

/// Elements of 4 bits, of which a word has eight.
struct Nibbles<E>(PhantomData<E>);

/// Elements `Stored` that become `Factor` in registers.
struct As<Stored, Factor>(PhantomData<(Stored, Factor)>);

/// Functions of a kernel: for blocks of many rows and of one, for runs of one row and of a few, and for one row with `B` as rows of
/// elements.
pub(super) struct Functions {
    pub(super) block: BlockFn,
    pub(super) row: BlockFn,
    /// Also the number of columns.
    pub(super) wide_row: (usize, RunFn),
    pub(super) few_rows: FewRows,
    pub(super) many_rows: Option<ManyRows>,
    /// Also the number of columns.
    pub(super) zipped_row: Option<(usize, ZippedFn)>,
}

impl Functions {
    /// The kernel of words of `stacked` elements that become `parts` words, and that otherwise is the kernel for elements of `A`.
    pub(super) fn kernel(
        self,
        of_a: MicroKernel,
        stored: DType,
        stacked: usize,
        parts: usize,
    ) -> MicroKernel {
        MicroKernel {
            elements: [of_a.elements[0], stored],
            stacked,
            spread: parts,
            direct: MAX_ROWS,
            run: self.block,
            row: self.row,
            wide_row: self.wide_row,
            few_rows: Some(self.few_rows),
            many_rows: self.many_rows,
            zipped_row: self.zipped_row,
            ..of_a
        }
    }
}

/// The kernel for a product of few rows, if it is faster to widen the elements of `B` in registers. A word of `B` has `stored`
/// elements.
pub(super) fn kernel(operands: [DType; 2], rows: usize, stored: usize) -> Option<MicroKernel> {
    if rows > MAX_ROWS {
        return None;
    }
    avx512::kernel(operands, rows, stored).or_else(|| avx2::kernel(operands, rows, stored))
}
