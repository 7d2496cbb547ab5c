//! Chooses the micro-kernel for elements of a type on this CPU.

use super::micro_kernel::MicroKernel;
use super::panels::MAX_ROWS;
use super::tile_kernels::TileKernel;
use super::tiles::TILE_ROWS;
use super::types;
#[cfg(all(target_arch = "x86_64", feature = "std"))]
use super::widened;
use super::widening::Widening;
#[cfg(all(target_arch = "x86_64", feature = "std"))]
use crate::cpu::detect::{
    HasAmxBf16, HasAmxInt8, HasAvx512Bf16, HasAvx512F, HasAvx512Vnni, HasAvxVnni, HasFma,
};
#[cfg(all(target_arch = "x86_64", feature = "std"))]
use crate::cpu::{Vendor, model, pairs_are_fast};
use layout_core::dtype::DType;

impl MicroKernel {
    /// The fastest kernel for elements of two types.
    pub(super) fn choose(operands: [DType; 2]) -> Self {
        let mut best = Self::vectors(operands);
        Self::each_of_tiles(operands, |kernel| best = kernel);
        Self { operands: Some(operands), ..best }
    }

    /// The fastest kernel of vectors. No other one is made, which takes as long as a small product.
    pub(super) fn vectors(operands: [DType; 2]) -> Self {
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

    /// The kernel for products with this number of rows, whose right operand has as many elements in a word of storage, and tiles of
    /// words of that height, if it has any.
    pub(super) fn for_rows(self, rows: usize, stored: usize, height: Option<usize>) -> Self {
        // Tiles of words that are widened on the way to panels are faster than vectors that widen them for each eight rows.
        let is_widened = |[_, b]: [DType; 2]| Widening::of(b, self.elements[1]).is_some();
        let widens =
            rows > MAX_ROWS && self.tiles.is_some() && self.operands.is_some_and(is_widened);
        #[cfg(all(target_arch = "x86_64", feature = "std"))]
        if !widens
            && let Some(kernel) =
                self.operands.and_then(|operands| widened::kernel(operands, rows, stored))
        {
            return kernel;
        }
        #[cfg(not(all(target_arch = "x86_64", feature = "std")))]
        let _ = (stored, self.operands);
        match self.tiles {
            Some(tiles) if rows < tiles.fewest_for(height) && !widens => {
                Self::vectors(self.elements)
            }
            Some(tiles) if rows <= TILE_ROWS => {
                let (run, column) = tiles.short;
                let tiles = Some(TileKernel { height: rows.max(1), column, ..tiles });
                Self { rows: TILE_ROWS, run, tiles, ..self }
            }
            Some(tiles) if rows <= self.direct => self.with_tiles(tiles.few),
            _ => self,
        }
    }
}

/// Whether prefetches make products of few rows, which read a few long streams, faster. On the CPUs of AMD with AVX-512 on which this
/// was measured, Zen 4 and Zen 5, they are faster without. On Zen 3, which does not have it, products of one row with tiles take 1.2
/// to 2.9 times as long without.
pub(super) fn prefetch_helps_streams() -> bool {
    #[cfg(all(target_arch = "x86_64", feature = "std"))]
    let helps = model().vendor != Vendor::Amd || !std::is_x86_feature_detected!("avx512f");
    #[cfg(not(all(target_arch = "x86_64", feature = "std")))]
    let helps = true;
    helps
}
