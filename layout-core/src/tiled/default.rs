//! The default layout of an array in the TPU compiler, for TPU v4 and later.

use super::draft::{Draft, Tile};
use super::generation::TpuGeneration;
use super::spec::TiledSpec;
use crate::dtype::{DType, Kind};
use crate::list::List;
use crate::parts::{MAX_RANK, MAX_TILES};
use alloc::vec::Vec;

/// Lanes of a TPU vector register: the minor size of every two-dimensional tile.
const LANES: usize = 128;
/// Elements of the largest tile of an array of rank one.
const LINEAR_TILE: usize = 1024;

/// Bits of an element as the rule counts them: its share of a 32-bit lane.
const fn lane_bits(dtype: DType) -> usize {
    match dtype.kind() {
        Kind::Pred => 8,
        _ if dtype.bits() > 32 => 32,
        _ => dtype.bits(),
    }
}

/// Whether the TPU compiler has a default layout for arrays of this type.
const fn has_default(dtype: DType) -> bool {
    dtype.bits() != 6 && !matches!(dtype, DType::S1 | DType::U1)
}

/// The height of a tile over a second-minor dimension of `size`.
const fn tile_height(bits: usize, size: usize) -> usize {
    match bits {
        8 if size.is_multiple_of(32) => return 32,
        4 if size.is_multiple_of(64) => return 64,
        2 => return if size.is_multiple_of(128) { 128 } else { 16 },
        _ => {}
    }
    let mut height = match bits {
        32 => 1,
        16 => 2,
        8 => 4,
        _ => 8,
    };
    while height < size && height < 8 {
        height *= 2;
    }
    height
}

/// The multiple to which a second-minor dimension of `size` counts as padded when layouts are compared: the height of a
/// tile, except that a tile of 16 rows of a 2-bit type counts as 8 rows.
const fn compared_height(bits: usize, size: usize) -> usize {
    match (bits, tile_height(bits, size)) {
        (2, 16) => 8,
        (_, height) => height,
    }
}

/// The pair of minor and second-minor dimension that takes the least storage; among equal pairs, the pair of the last dimensions.
const fn minor_pair(bits: usize, dims: &[usize]) -> (usize, usize) {
    let mut best = (u128::MAX, dims.len() - 1, dims.len() - 2);
    let mut a = dims.len();
    while a > 0 {
        a -= 1;
        let mut b = dims.len();
        while b > 0 {
            b -= 1;
            if a == b {
                continue;
            }
            let mut size: u128 = 1;
            let mut d = 0;
            while d < dims.len() {
                let unit = if d == a {
                    LANES
                } else if d == b {
                    compared_height(bits, dims[b])
                } else {
                    1
                };
                size = size
                    .saturating_mul((dims[d].div_ceil(unit) as u128).saturating_mul(unit as u128));
                d += 1;
            }
            if size < best.0 {
                best = (size, a, b);
            }
        }
    }
    (best.1, best.2)
}

/// Whether the array has no elements.
const fn has_zero(dims: &[usize]) -> bool {
    let mut d = 0;
    while d < dims.len() {
        if dims[d] == 0 {
            return true;
        }
        d += 1;
    }
    false
}

const fn push<const N: usize>(list: List<usize, N>, item: usize) -> List<usize, N> {
    match list.push(item) {
        Ok(list) | Err(list) => list,
    }
}

const fn push_tile(list: List<Tile, MAX_TILES>, sizes: &[usize]) -> List<Tile, MAX_TILES> {
    match Tile::of(sizes) {
        Some(tile) => match list.push(tile) {
            Ok(list) | Err(list) => list,
        },
        None => list,
    }
}

impl Draft {
    /// The default layout of the array for a TPU; `None` if the TPU compiler has none for the type. An array with a dimension of
    /// size 0 has no tiles.
    pub const fn tpu_default(dtype: DType, dims: List<usize, MAX_RANK>) -> Option<Self> {
        let (minor, second) = match dims.as_slice() {
            [] | [_] => (0, 0),
            _ if has_zero(dims.as_slice()) => (0, 0),
            dims => minor_pair(lane_bits(dtype), dims),
        };
        Self::tpu_with_minor(dtype, dims, minor, second)
    }

    /// The layout that the TPU compiler would give the array if `minor` and `second` were its minor and second-minor
    /// dimensions, for an array of two or more dimensions.
    const fn tpu_with_minor(
        dtype: DType,
        dims: List<usize, MAX_RANK>,
        minor: usize,
        second: usize,
    ) -> Option<Self> {
        if !has_default(dtype) {
            return None;
        }
        let mut draft = Self::row_major(dtype, dims);
        let bits = lane_bits(dtype);
        let packing = 32 / bits;
        if bits < 8 {
            draft.element_bits = bits;
        }
        if has_zero(dims.as_slice()) {
            return Some(draft);
        }
        match dims.as_slice() {
            [] => draft.tiles = push_tile(draft.tiles, &[LANES * packing]),
            [n] => {
                let mut tile = LANES * packing;
                while tile < LINEAR_TILE && tile < *n {
                    tile *= 2;
                }
                draft.tiles = push_tile(draft.tiles, &[tile]);
                if packing > 1 {
                    draft.tiles = push_tile(push_tile(draft.tiles, &[LANES]), &[packing, 1]);
                }
            }
            dims => {
                let mut order = push(push(List::new(0), minor), second);
                let mut d = dims.len();
                while d > 0 {
                    d -= 1;
                    if d != minor && d != second {
                        order = push(order, d);
                    }
                }
                draft.minor_to_major = order;
                draft.tiles = push_tile(draft.tiles, &[tile_height(bits, dims[second]), LANES]);
                if packing > 1 {
                    draft.tiles = push_tile(draft.tiles, &[packing, 1]);
                }
            }
        }
        Some(draft)
    }
}

impl TiledSpec {
    /// The layout that the TPU compiler gives an array by default (TPU v4 and later). `None` if the type has none, if there
    /// are more than 16 dimensions, or if the array does not fit the address space. Quadratic in the rank.
    ///
    /// The rule was fitted to layouts that the compiler reports: it chooses the two minor dimensions for which the padded
    /// array is smallest.
    ///
    /// ```
    /// use tensor_layout::{DType, TiledSpec};
    /// let spec = TiledSpec::tpu_default(DType::BF16, &[1000, 384]).unwrap();
    /// assert_eq!(spec.to_string(), "bf16[1000,384]{1,0:T(8,128)(2,1)}");
    /// ```
    pub const fn tpu_default(dtype: DType, dims: &[usize]) -> Option<Self> {
        let Some(dims) = List::of(dims) else { return None };
        let Some(draft) = Draft::tpu_default(dtype, dims) else { return None };
        match draft.validate() {
            Ok(spec) => Some(spec),
            Err(_) => None,
        }
    }

    /// [`TiledSpec::tpu_default`] on a generation of TPUs. The fourth and all later generations agree. `None` for older
    /// ones, whose rule differs and is not known; for these see [`TiledSpec::tpu_documented`], the rule of XLA's document,
    /// and [`TiledSpec::tpu_kernel`], the layouts of kernels.
    ///
    /// ```
    /// use tensor_layout::{DType, TiledSpec, tiled::TpuGeneration::{V3, V6}};
    /// let default = TiledSpec::tpu_default(DType::BF16, &[1000, 384]);
    /// assert_eq!(TiledSpec::tpu_default_of(V6, DType::BF16, &[1000, 384]), default);
    /// assert_eq!(TiledSpec::tpu_default_of(V3, DType::BF16, &[1000, 384]), None);
    /// ```
    pub const fn tpu_default_of(
        generation: TpuGeneration,
        dtype: DType,
        dims: &[usize],
    ) -> Option<Self> {
        match generation {
            TpuGeneration::V2 | TpuGeneration::V3 => None,
            _ => Self::tpu_default(dtype, dims),
        }
    }
}

impl TiledSpec {
    /// The layouts among which the TPU compiler chooses, in its order: one for each pair of dimensions that can be the two
    /// minor ones. [`TiledSpec::tpu_default`] is the first of those that take the least storage. In that comparison a
    /// second-minor dimension of a 2-bit type that is not a multiple of 128 counts as padded to a multiple of 8, although its
    /// tiles have 16 rows. An array without elements has a single layout.
    ///
    /// ```
    /// use tensor_layout::{DType, TiledSpec};
    /// let candidates = TiledSpec::tpu_candidates(DType::BF16, &[1000, 3]);
    /// let sizes: Vec<_> = candidates.iter().map(|spec| (spec.layout().to_string(), spec.bytes())).collect();
    /// assert_eq!(sizes[0], ("{1,0:T(8,128)(2,1)}".into(), 256_000));
    /// assert_eq!(sizes[1], ("{0,1:T(4,128)(2,1)}".into(), 8192));
    /// assert_eq!(TiledSpec::tpu_default(DType::BF16, &[1000, 3]).as_ref(), Some(&candidates[1]));
    /// ```
    pub fn tpu_candidates(dtype: DType, dims: &[usize]) -> Vec<Self> {
        let pairs = (0..dims.len()).rev().flat_map(|minor| {
            let seconds = (0..dims.len()).rev().filter(move |second| *second != minor);
            seconds.map(move |second| (minor, second))
        });
        let empty = has_zero(dims);
        let pairs = pairs.filter(|_| !empty);
        let alone = (dims.len() < 2 || empty).then_some((0, 0));
        let layout = |(minor, second)| {
            Draft::tpu_with_minor(dtype, List::of(dims)?, minor, second)?.validate().ok()
        };
        pairs.chain(alone).filter_map(layout).collect()
    }
}

/// The default layout of an array whose sizes only rustc can compute. `tpu!` reads its numbers one at a time, as const arguments.
#[derive(Clone, Copy, Debug)]
pub struct TpuDefault(Draft);

impl TpuDefault {
    /// The default layout of the array.
    ///
    /// # Panics
    /// If [`TiledSpec::tpu_default`] is `None`; in const evaluation that is a compile error.
    #[track_caller]
    pub const fn new(dtype: DType, dims: &[usize]) -> Self {
        let Some(dims) = List::of(dims) else { panic!("an array has at most 16 dimensions") };
        let Some(draft) = Draft::tpu_default(dtype, dims) else {
            panic!("the TPU has no default layout for this type")
        };
        super::checked(&draft.validate());
        Self(draft)
    }

    /// The dimension at position `at` of minor_to_major.
    pub const fn order(&self, at: usize) -> usize {
        self.0.minor_to_major.as_slice()[at]
    }

    /// Size number `at` of tile number `tile`.
    ///
    /// # Panics
    /// If a dimension is 0, which leaves the array without tiles; in const evaluation that is a compile error.
    #[track_caller]
    pub const fn tile(&self, tile: usize, at: usize) -> usize {
        if self.0.tiles.is_empty() {
            panic!(
                "an array with a dimension of size 0 has no tiles; write its layout with `tiled!`"
            )
        }
        self.0.tiles.as_slice()[tile].as_slice()[at]
    }
}
