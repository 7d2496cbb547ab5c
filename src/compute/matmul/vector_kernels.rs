//! The micro-kernels of vectors for each instruction set.

#[cfg(all(target_arch = "x86_64", feature = "std"))]
use super::in_place::InPlace;
use super::lanes::NO_TABLE;
#[cfg(all(target_arch = "x86_64", feature = "std"))]
use super::micro_kernel::FewRows;
use super::micro_kernel::{BlockFn, MicroKernel, Prepare, stacked};
use super::row_run::RunFn;
#[cfg(all(target_arch = "x86_64", feature = "std"))]
use super::zipped_run::ZippedFn;
#[cfg(all(target_arch = "x86_64", feature = "std"))]
use super::{avx2, avx512, in_place, transpose};
use super::{panels, portable};
#[cfg(all(target_arch = "x86_64", feature = "std"))]
use crate::cpu::detect::{HasAvx512Bf16, HasAvx512F, HasAvx512Vnni, HasAvxVnni, HasFma};
use layout_core::dtype::DType;

/// The number of rows of `A` up to which copying `B` to panels does not pay off, if the inner loop reads whole words of `B`.
pub(super) const FEW_ROWS: usize = 64;

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

impl MicroKernel {
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
            many_rows: None,
            // Rows are interleaved in the L1 cache with vectors, which every CPU has there.
            zipped_row: None,
            transpose: panels::transpose_of(dtype),
            tiles: None,
        }
    }

    #[cfg(all(target_arch = "x86_64", feature = "std"))]
    pub(super) fn avx2(_: HasFma, dtype: DType) -> Self {
        let (run, row, prepare): (BlockFn, BlockFn, _) = match dtype {
            DType::BF16 => (avx2::bf16, avx2::bf16_row, Prepare::Widen),
            DType::S8 => (avx2::s8, avx2::s8_row, Prepare::SignExtend),
            DType::S16 => (avx2::s16, avx2::s16_row, Prepare::Keep),
            DType::F64 => (avx2::f64, avx2::f64_row, Prepare::Double),
            _ => (avx2::f32, avx2::f32_row, Prepare::Keep),
        };
        let portable = Self::portable(dtype);
        macro_rules! few_rows {
            ($wide:ident $two:ident $four:ident) => {{
                let few: FewRows = [(2, avx2::LOW, avx2::$two), (4, avx2::COLUMNS, avx2::$four)];
                let wide: RunFn = avx2::$wide;
                ((avx2::WIDE, wide), Some(few))
            }};
        }
        let (wide_row, few_rows) = match dtype {
            DType::F32 => few_rows!(f32_wide_row f32_two_rows f32_four_rows),
            DType::F64 => few_rows!(f64_wide_row f64_two_rows f64_four_rows),
            // Kernels that widen elements in registers compute products of few rows.
            _ => (portable.wide_row, None),
        };
        Self {
            rows: avx2::ROWS,
            columns: avx2::COLUMNS,
            depth: 512,
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
            wide_row,
            few_rows,
            transpose: match dtype {
                DType::F64 => panels::transpose_of(dtype),
                _ => transpose::transpose::<{ avx2::ROWS }>,
            },
            ..portable
        }
    }

    /// The kernel for `s8`.
    #[cfg(all(target_arch = "x86_64", feature = "std"))]
    pub(super) fn avx_vnni(_: HasAvxVnni) -> Self {
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
    pub(super) fn avx512_f32(_: HasAvx512F) -> Self {
        let rows: (BlockFn, RunFn) = (avx512::f32_row, avx512::f32_wide_row);
        Self {
            in_place: Some(in_place!(f32_in_place f32_packing)),
            few_rows: few_rows!(f32_two_rows f32_four_rows),
            ..Self::avx512(DType::F32, avx512::f32, rows, Prepare::Keep)
        }
    }

    #[cfg(all(target_arch = "x86_64", feature = "std"))]
    pub(super) fn avx512_f64(_: HasAvx512F) -> Self {
        let rows: (BlockFn, RunFn) = (avx512::f64_row, avx512::f64_wide_row);
        Self {
            in_place: Some(in_place!(f64_in_place f64_packing)),
            transpose: transpose::doubles,
            few_rows: few_rows!(f64_two_rows f64_four_rows),
            ..Self::avx512(DType::F64, avx512::f64, rows, Prepare::Double)
        }
    }

    #[cfg(all(target_arch = "x86_64", feature = "std"))]
    pub(super) fn avx512_bf16(_: HasAvx512Bf16) -> Self {
        let rows: (BlockFn, RunFn) = (avx512::bf16_row, avx512::bf16_wide_row);
        Self {
            zipped_row: Some((2 * 16, avx512::bf16_zipped_row)),
            few_rows: few_rows!(bf16_two_rows bf16_four_rows),
            ..Self::avx512(DType::BF16, avx512::bf16, rows, Prepare::Keep)
        }
    }

    #[cfg(all(target_arch = "x86_64", feature = "std"))]
    pub(super) fn avx512_widened(_: HasAvx512F) -> Self {
        let rows: (BlockFn, RunFn) = (avx512::widened_row, avx512::widened_wide_row);
        Self {
            zipped_row: Some((2 * 16, avx512::widened_zipped_row)),
            few_rows: few_rows!(widened_two_rows widened_four_rows),
            ..Self::avx512(DType::BF16, avx512::widened, rows, Prepare::Widen)
        }
    }

    #[cfg(all(target_arch = "x86_64", feature = "std"))]
    pub(super) fn avx512_s8(_: HasAvx512Vnni) -> Self {
        let rows: (BlockFn, RunFn) = (avx512::s8_row, avx512::s8_wide_row);
        Self {
            zipped_row: Some((4 * 16, avx512::s8_zipped_row)),
            few_rows: few_rows!(s8_two_rows s8_four_rows),
            ..Self::avx512(DType::S8, avx512::s8, rows, Prepare::Shift)
        }
    }

    /// The kernel for bytes of which at least one operand is unsigned.
    #[cfg(all(target_arch = "x86_64", feature = "std"))]
    pub(super) fn avx512_bytes(_: HasAvx512Vnni, operands: [DType; 2]) -> Self {
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
}
