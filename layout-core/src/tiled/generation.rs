//! Tilings other than the compiler's default on TPU v4 and later: those of older TPUs, of kernels, and of XLA's document.

use super::draft::{Draft, Tile};
use super::spec::TiledSpec;
use crate::dtype::{DType, Kind};
use crate::list::List;

/// Lanes of a vector register of a TPU.
const LANES: usize = 128;
/// Rows of a vector register.
const ROWS: usize = 8;

/// A generation of TPUs: the number in its name.
///
/// ```
/// use tensor_layout::tiled::{TpuChip, TpuGeneration, TpuKernelTiling};
/// assert_eq!(TpuChip::V5e.generation(), TpuGeneration::V5);
/// assert!(TpuKernelTiling::of(TpuGeneration::V7).large_16_bit);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs, reason = "they are what their names say")]
pub enum TpuGeneration {
    V2,
    V3,
    V4,
    V5,
    V6,
    V7,
}

/// How arrays of kernels (Mosaic's) are tiled: the generation of the TPU, and the narrow types for which the compiler uses large
/// tiles. A large tile has 8 rows of words, that is, 16, 32 or 64 rows of elements of 16, 8 or 4 bits; it is used if it divides
/// the rows of the array. Types of 2 bits always have large tiles, of 128 rows, under the same condition.
///
/// ```
/// use tensor_layout::{DType, TiledSpec, tiled::{TpuGeneration::{V3, V4}, TpuKernelTiling}};
/// let rows = |tiling| TiledSpec::tpu_kernel(tiling, DType::F32, &[1, 128]).unwrap().to_string();
/// assert_eq!(rows(TpuKernelTiling::of(V3)), "f32[1,128]{1,0:T(2,128)}");
/// assert_eq!(rows(TpuKernelTiling::of(V4)), "f32[1,128]{1,0:T(1,128)}");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TpuKernelTiling {
    /// The generation; before TPU v4 a tile has at least two rows of words.
    pub generation: TpuGeneration,
    /// Whether 16-bit types have tiles of 16 rows.
    pub large_16_bit: bool,
    /// Whether 8-bit types have tiles of 32 rows.
    pub large_8_bit: bool,
    /// Whether 4-bit types have tiles of 64 rows.
    pub large_4_bit: bool,
}

impl TpuKernelTiling {
    /// The compiler's default for a generation: large tiles from TPU v7 on.
    pub const fn of(generation: TpuGeneration) -> Self {
        let large = generation as usize >= TpuGeneration::V7 as usize;
        Self { generation, large_16_bit: large, large_8_bit: large, large_4_bit: large }
    }

    /// The number of rows of the smallest tile if a word contains `packing` elements.
    const fn least_rows(self, packing: usize) -> usize {
        if (self.generation as usize) < TpuGeneration::V4 as usize { 2 * packing } else { packing }
    }

    /// Whether elements of `bits` bits have large tiles. Those of two bits always do.
    const fn is_large(self, bits: usize) -> bool {
        match bits {
            2 => true,
            4 => self.large_4_bit,
            8 => self.large_8_bit,
            16 => self.large_16_bit,
            _ => false,
        }
    }

    /// Rows of a tile over a second-minor dimension of size `second`.
    const fn rows(self, bits: usize, second: usize) -> usize {
        let large = ROWS * (32 / bits);
        if self.is_large(bits) && second >= large && second.is_multiple_of(large) {
            return large;
        }
        self.compact_rows(bits, second)
    }

    /// [`TpuKernelTiling::rows`] without large tiles.
    const fn compact_rows(self, bits: usize, second: usize) -> usize {
        let packing = 32 / bits;
        let normal = if packing > ROWS { packing } else { ROWS };
        if second >= normal {
            return normal;
        }
        let mut rows = self.least_rows(packing);
        while rows < second && rows < normal {
            rows *= 2;
        }
        rows
    }
}

impl TiledSpec {
    /// The row-major layout of an array of a kernel (Mosaic's) on a generation of TPUs; `None` for types of more than 32 bits, of
    /// 6 bits, and of 1 bit except `pred`, for more than 16 dimensions, and for arrays that do not fit the address space.
    ///
    /// Unlike [`TiledSpec::tpu_default`], this rule does not choose the order of the dimensions.
    ///
    /// ```
    /// use tensor_layout::{DType, TiledSpec, tiled::{TpuGeneration::{V5, V7}, TpuKernelTiling}};
    /// let kernel = |generation| {
    ///     let tiling = TpuKernelTiling::of(generation);
    ///     TiledSpec::tpu_kernel(tiling, DType::BF16, &[32, 256]).unwrap().to_string()
    /// };
    /// assert_eq!(kernel(V5), "bf16[32,256]{1,0:T(8,128)(2,1)}");
    /// assert_eq!(kernel(V7), "bf16[32,256]{1,0:T(16,128)(2,1)}");
    /// ```
    pub const fn tpu_kernel(tiling: TpuKernelTiling, dtype: DType, dims: &[usize]) -> Option<Self> {
        let bits = dtype.stored_bits();
        if bits > 32 || dtype.bits() == 6 || dtype.bits() == 1 && !is_pred(dtype) {
            return None;
        }
        let packing = 32 / bits;
        let Some(list) = List::of(dims) else { return None };
        let mut draft = Draft::row_major(dtype, list);
        if bits < 8 {
            draft.element_bits = bits;
        }
        match dims {
            [] => draft = tiled(draft, &[tiling.least_rows(packing) * LANES]),
            [n] => {
                let rows = tiling.compact_rows(bits, n.div_ceil(LANES));
                draft = tiled(draft, &[rows * LANES]);
                if packing > 1 {
                    draft = tiled(draft, &[LANES]);
                }
            }
            [.., second, _] => {
                draft = tiled(draft, &[tiling.rows(bits, *second), LANES]);
            }
        }
        valid(if packing > 1 && !dims.is_empty() { tiled(draft, &[packing, 1]) } else { draft })
    }

    /// The row-major layout of an array of at least two dimensions on a TPU, according to XLA's document. Tiles have 128 columns.
    /// Their number of rows depends on the second-minor dimension: for types of 32 and 16 bits, it is 2 for a size of up to 2, 4
    /// for 3 or 4, and 8 for larger ones; for types of 8 bits, 4 for a size of up to 4, and 8 for larger ones; for single bits,
    /// always 32. A word holds 2, 4 or, for single bits, 32 rows of narrow elements. `None` for types and ranks that the document
    /// does not cover.
    ///
    /// For the layouts of compilers for TPU v4 and later see [`TiledSpec::tpu_default`].
    ///
    /// ```
    /// use tensor_layout::{DType, TiledSpec};
    /// let documented = |dtype, dims: &[usize]| TiledSpec::tpu_documented(dtype, dims).unwrap().to_string();
    /// assert_eq!(documented(DType::F32, &[1, 300]), "f32[1,300]{1,0:T(2,128)}");
    /// assert_eq!(documented(DType::F32, &[3, 300]), "f32[3,300]{1,0:T(4,128)}");
    /// assert_eq!(documented(DType::BF16, &[20, 300]), "bf16[20,300]{1,0:T(8,128)(2,1)}");
    /// assert_eq!(documented(DType::U1, &[64, 256]), "u1[64,256]{1,0:T(32,128)(32,1)E(1)}");
    /// ```
    pub const fn tpu_documented(dtype: DType, dims: &[usize]) -> Option<Self> {
        let (Some(list), [.., second, _]) = (List::of(dims), dims) else { return None };
        let mut draft = Draft::row_major(dtype, list);
        let bits = dtype.stored_bits();
        let packing = 32 / if bits > 32 { 32 } else { bits };
        let rows = match (bits, *second) {
            (1, _) => 32,
            (32, 0..=2) => 2,
            (16 | 32, 3 | 4) | (8, 0..=4) => 4,
            (16, 0..=2) => 2,
            (8 | 16 | 32, _) => ROWS,
            _ => return None,
        };
        if bits == 1 {
            draft.element_bits = 1;
        }
        draft = tiled(draft, &[rows, LANES]);
        valid(if packing > 1 { tiled(draft, &[packing, 1]) } else { draft })
    }
}

const fn is_pred(dtype: DType) -> bool {
    matches!(dtype.kind(), Kind::Pred)
}

const fn tiled(mut draft: Draft, sizes: &[usize]) -> Draft {
    if let Some(tile) = Tile::of(sizes)
        && let Ok(tiles) = draft.tiles.push(tile)
    {
        draft.tiles = tiles;
    }
    draft
}

const fn valid(draft: Draft) -> Option<TiledSpec> {
    match draft.validate() {
        Ok(spec) => Some(spec),
        Err(_) => None,
    }
}
