//! Which micro-kernel multiplies elements of a type on this CPU.
#![allow(unsafe_code, reason = "kernels need instructions that not every CPU has")]

use super::grid::Word;
use super::lanes::MicroBlock;
#[cfg(all(target_arch = "x86_64", feature = "std"))]
use super::{avx2, avx512, transpose};
use super::{panels, portable};
#[cfg(all(target_arch = "x86_64", feature = "std"))]
use crate::cpu::detect::{HasAvx512Bf16, HasAvx512F, HasAvx512Vnni, HasAvxVnni, HasFma};
use layout_core::dtype::DType;

/// How a word of `A` is stored in its panel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Prepare {
    /// It stays as it is.
    Keep,
    /// Two `bf16` become two `f32`.
    Widen,
    /// Four bytes become two words of two `i16`: elements 0 and 2, then 1 and 3.
    SignExtend,
    /// 128 is added to each byte.
    Shift,
    /// It stays as it is, and the micro-kernel adds 128 to each byte of `B`: each sum of a row is then too large by 128
    /// times the sum of that row of `A`, which is one number to subtract.
    Flip,
    /// An `f64` is two words, of which each is multiplied by two of `B`.
    Double,
}

impl Prepare {
    /// Words of a panel of `A` for each row of words of `B`.
    pub(super) const fn parts(self) -> usize {
        match self {
            Self::Keep | Self::Shift | Self::Flip => 1,
            Self::Widen | Self::SignExtend | Self::Double => 2,
        }
    }

    /// The two words that a word becomes, where it becomes two.
    #[inline(always)]
    pub(super) fn split(self, word: u32) -> [u32; 2] {
        if self == Self::Widen {
            return [word << 16, word & 0xFFFF_0000];
        }
        let signed = |byte: u32| i32::from((word >> (8 * byte)) as i8).cast_unsigned();
        [signed(0) & 0xFFFF | signed(2) << 16, signed(1) & 0xFFFF | signed(3) << 16]
    }
}

/// Rows of `A` up to which copying `B` to panels does not pay off, where the inner loop takes whole words of `B`.
const FEW_ROWS: usize = 64;

/// Rows of words of `B` that few rows of `A` meet from left to right: four rows of tiles with `bf16`.
const CHUNK: usize = 16;

/// A function that computes a block, for CPUs that have what it needs.
type BlockFn = unsafe fn(&mut MicroBlock<'_>);

/// A micro-kernel that this CPU can run.
#[derive(Clone, Copy, Debug)]
pub(super) struct MicroKernel {
    /// The type of the elements in panels.
    pub(super) element: DType,
    /// Rows of a block.
    pub(super) rows: usize,
    /// Columns of a block, in words.
    pub(super) columns: usize,
    /// Rows of words in a block at most, so that the panels of `A` and `B` stay in the L1 and L2 caches.
    pub(super) depth: usize,
    /// Rows of `A` up to which `B` is read in place.
    pub(super) direct: usize,
    /// Rows of words of `B` that are then read from left to right, for each block of rows.
    pub(super) chunk: usize,
    pub(super) prepare: Prepare,
    pub(super) run: BlockFn,
    /// Computes a block in which the words of `B` are split as those of `A` are, where that is faster. For integers
    /// only: padding in the last row of words is not cleared, but meets the zeros of `A`.
    pub(super) run_split: Option<BlockFn>,
    /// Computes a block of one row.
    pub(super) row: BlockFn,
    /// Computes a block of one row and so many columns that the words of `B` come in long pieces.
    pub(super) wide_row: (usize, BlockFn),
    pub(super) transpose: unsafe fn(&[&[Word]], &mut [u32]),
}

impl MicroKernel {
    /// The fastest for panels of a type: `bf16`, `f32`, `f64`, `s8` or `s16`.
    pub(super) fn choose(dtype: DType) -> Self {
        let mut best = Self::portable(dtype);
        Self::each(dtype, |kernel| best = kernel);
        best
    }

    /// Every kernel that this CPU can run, the fastest last.
    pub(super) fn each(dtype: DType, mut with: impl FnMut(Self)) {
        with(Self::portable(dtype));
        #[cfg(all(target_arch = "x86_64", feature = "std"))]
        {
            let Some(has) = HasFma::detect() else { return };
            with(Self::avx2(has, dtype));
            if dtype == DType::S8
                && let Some(has) = HasAvxVnni::detect()
            {
                with(Self::avx_vnni(has));
            }
            let [first, last] = match dtype {
                DType::BF16 => {
                    let widened = HasAvx512F::detect().map(Self::avx512_widened);
                    let paired = HasAvx512Bf16::detect().map(Self::avx512_bf16);
                    if paired.is_some() && pairs_are_slow() {
                        [paired, widened]
                    } else {
                        [widened, paired]
                    }
                }
                DType::S8 => [None, HasAvx512Vnni::detect().map(Self::avx512_s8)],
                DType::F32 => [None, HasAvx512F::detect().map(Self::avx512_f32)],
                DType::F64 => [None, HasAvx512F::detect().map(Self::avx512_f64)],
                _ => [None; 2],
            };
            first.into_iter().chain(last).for_each(with);
        }
    }

    /// The kernel for every CPU.
    pub(super) fn portable(dtype: DType) -> Self {
        let (run, (row, wide_row), prepare): (BlockFn, (BlockFn, BlockFn), _) = match dtype {
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
            element: dtype,
            rows: portable::ROWS,
            columns: portable::COLUMNS,
            depth: 256,
            direct: FEW_ROWS,
            chunk: CHUNK,
            prepare,
            run,
            run_split: None,
            row,
            wide_row: (portable::WIDE, wide_row),
            transpose: panels::transpose,
        }
    }

    #[cfg(all(target_arch = "x86_64", feature = "std"))]
    fn avx2(_: HasFma, dtype: DType) -> Self {
        let (run, (row, wide_row), prepare): (BlockFn, (BlockFn, BlockFn), _) = match dtype {
            DType::BF16 => (avx2::bf16, (avx2::bf16_row, avx2::bf16_wide_row), Prepare::Widen),
            DType::S8 => (avx2::s8, (avx2::s8_row, avx2::s8_wide_row), Prepare::SignExtend),
            DType::S16 => (avx2::s16, (avx2::s16_row, avx2::s16_wide_row), Prepare::Keep),
            DType::F64 => (avx2::f64, (avx2::f64_row, avx2::f64_wide_row), Prepare::Double),
            _ => (avx2::f32, (avx2::f32_row, avx2::f32_wide_row), Prepare::Keep),
        };
        Self {
            element: dtype,
            rows: avx2::ROWS,
            columns: avx2::COLUMNS,
            depth: if dtype == DType::F64 { 512 } else { 1024 },
            // Panels save the inner loop the most where words come in parts.
            direct: match dtype {
                DType::S8 => 18,
                DType::BF16 => 36,
                _ => FEW_ROWS,
            },
            chunk: CHUNK,
            prepare,
            run,
            run_split: (dtype == DType::S8).then_some(avx2::s16),
            row,
            wide_row: (avx2::WIDE, wide_row),
            transpose: transpose::transpose::<{ avx2::ROWS }>,
        }
    }

    /// The kernel for `s8`.
    #[cfg(all(target_arch = "x86_64", feature = "std"))]
    fn avx_vnni(_: HasAvxVnni) -> Self {
        let row: BlockFn = avx2::s8_vnni_row;
        let wide_row: BlockFn = avx2::s8_vnni_wide_row;
        let run: BlockFn = avx2::s8_vnni;
        Self {
            element: DType::S8,
            rows: avx2::ROWS,
            columns: avx2::COLUMNS,
            depth: 512,
            direct: FEW_ROWS,
            chunk: CHUNK,
            prepare: Prepare::Shift,
            run,
            run_split: None,
            row,
            wide_row: (avx2::WIDE, wide_row),
            transpose: transpose::transpose::<{ avx2::ROWS }>,
        }
    }

    #[cfg(all(target_arch = "x86_64", feature = "std"))]
    fn avx512_f32(_: HasAvx512F) -> Self {
        Self::avx512(
            DType::F32,
            avx512::f32,
            (avx512::f32_row, avx512::f32_wide_row),
            Prepare::Keep,
        )
    }

    #[cfg(all(target_arch = "x86_64", feature = "std"))]
    fn avx512_f64(_: HasAvx512F) -> Self {
        let rows: (BlockFn, BlockFn) = (avx512::f64_row, avx512::f64_wide_row);
        Self { depth: 512, ..Self::avx512(DType::F64, avx512::f64, rows, Prepare::Double) }
    }

    #[cfg(all(target_arch = "x86_64", feature = "std"))]
    fn avx512_bf16(_: HasAvx512Bf16) -> Self {
        Self::avx512(
            DType::BF16,
            avx512::bf16,
            (avx512::bf16_row, avx512::bf16_wide_row),
            Prepare::Keep,
        )
    }

    #[cfg(all(target_arch = "x86_64", feature = "std"))]
    fn avx512_widened(_: HasAvx512F) -> Self {
        let rows: (BlockFn, BlockFn) = (avx512::widened_row, avx512::widened_wide_row);
        Self::avx512(DType::BF16, avx512::widened, rows, Prepare::Widen)
    }

    #[cfg(all(target_arch = "x86_64", feature = "std"))]
    fn avx512_s8(_: HasAvx512Vnni) -> Self {
        Self::avx512(DType::S8, avx512::s8, (avx512::s8_row, avx512::s8_wide_row), Prepare::Shift)
    }

    /// The kernel with these functions, whose instructions the CPU has, and AVX2.
    #[cfg(all(target_arch = "x86_64", feature = "std"))]
    fn avx512(
        dtype: DType,
        run: BlockFn,
        (row, wide_row): (BlockFn, BlockFn),
        prepare: Prepare,
    ) -> Self {
        Self {
            element: dtype,
            rows: avx512::ROWS,
            columns: avx512::COLUMNS,
            depth: 1024,
            direct: FEW_ROWS,
            chunk: CHUNK,
            prepare,
            run,
            run_split: None,
            row,
            wide_row: (avx512::WIDE, wide_row),
            transpose: transpose::transpose::<{ avx512::ROWS }>,
        }
    }

    /// Words that a word of `B` becomes in a panel.
    pub(super) const fn packed_parts(&self) -> usize {
        if self.run_split.is_some() { self.prepare.parts() } else { 1 }
    }

    /// Computes a block of [`MicroKernel::rows`] rows, in which the words of `B` are split or not.
    #[inline]
    pub(super) fn run(&self, split: bool, block: &mut MicroBlock<'_>) {
        let run = if split { self.run_split.unwrap_or(self.run) } else { self.run };
        // SAFETY: whoever made this value had proof that the CPU has what the function needs; the function checks the block.
        unsafe { run(block) }
    }

    /// Writes the first words of all rows, then the second words of all rows, and so on.
    #[inline]
    pub(super) fn transpose(&self, rows: &[&[Word]], to: &mut [u32]) {
        // SAFETY: as in `run`; the function checks the lengths.
        unsafe { (self.transpose)(rows, to) }
    }

    /// Computes a block of one row.
    pub(super) fn run_row(&self, block: &mut MicroBlock<'_>) {
        // SAFETY: as in `run`.
        unsafe { (self.row)(block) }
    }

    /// The kernel for blocks of one row, which are wider than the others.
    pub(super) fn one_row(&self) -> Self {
        let (columns, run) = self.wide_row;
        let transpose = panels::transpose;
        // One row has no other to share the sums of columns with.
        let prepare = if self.prepare == Prepare::Shift { Prepare::Flip } else { self.prepare };
        Self { rows: 1, columns, run, run_split: None, row: run, transpose, prepare, ..*self }
    }
}

/// Whether the CPU multiplies pairs of `bf16` more slowly than two vectors of `f32`: those of Intel do, half as fast as
/// they multiply `f32` (measured on Sapphire Rapids); those of AMD take half the time (Zen 4, Zen 5).
#[cfg(all(target_arch = "x86_64", feature = "std"))]
fn pairs_are_slow() -> bool {
    vendor() == Vendor::Intel
}

/// Whether prefetches make products of one row faster, which read a few long streams. On the AMD CPU where this was
/// measured (Zen 4), the products are faster without.
pub(super) fn prefetch_helps_streams() -> bool {
    #[cfg(all(target_arch = "x86_64", feature = "std"))]
    let helps = vendor() != Vendor::Amd;
    #[cfg(not(all(target_arch = "x86_64", feature = "std")))]
    let helps = true;
    helps
}

/// Who made the CPU.
#[cfg(all(target_arch = "x86_64", feature = "std"))]
#[derive(Clone, Copy, PartialEq, Eq)]
enum Vendor {
    Intel,
    Amd,
    Other,
}

#[cfg(all(target_arch = "x86_64", feature = "std"))]
fn vendor() -> Vendor {
    use core::sync::atomic::{AtomicU8, Ordering::Relaxed};
    static VENDOR: AtomicU8 = AtomicU8::new(u8::MAX);
    const VENDORS: [Vendor; 3] = [Vendor::Intel, Vendor::Amd, Vendor::Other];
    if let Some(known) = VENDORS.get(usize::from(VENDOR.load(Relaxed))) {
        return *known;
    }
    let leaf = core::arch::x86_64::__cpuid(0);
    let found = match [leaf.ebx, leaf.edx, leaf.ecx].map(u32::to_le_bytes).as_flattened() {
        b"GenuineIntel" => Vendor::Intel,
        b"AuthenticAMD" => Vendor::Amd,
        _ => Vendor::Other,
    };
    VENDOR.store(found as u8, Relaxed);
    found
}
