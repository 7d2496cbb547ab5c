use super::check::{NO_PROBLEMS, Problems};
use super::problem::Problem;
use super::spec::TiledSpec;
use crate::dtype::{DType, PaddingValue};
use crate::list::List;
use crate::parts::{Builder, MAX_RANK, MAX_TILE_RANK, MAX_TILES};

/// The largest number of dimensions that a layout splits between memories.
pub const MAX_SPLITS: usize = 8;

/// The largest number of indices at which a layout splits one dimension.
pub const MAX_SPLIT_INDICES: usize = 8;

/// The sizes of one tile, major to minor; [`Tile::COMBINE`] represents `*`.
pub type Tile = List<usize, MAX_TILE_RANK>;

impl Tile {
    /// The entry that combines its dimension with the next more minor one, written `*`.
    pub const COMBINE: usize = Builder::COMBINE;
}

/// Where one physical dimension is split between memories: `SC(1:40,130)`.
///
/// ```
/// use tensor_layout::TiledSpec;
/// let spec: TiledSpec = "f32[8,256]{1,0:SC(1:40,130)}".parse()?;
/// let split = spec.splits()[0];
/// assert_eq!((split.dimension, split.indices.as_slice()), (1, &[40, 130][..]));
/// # Ok::<(), tensor_layout::ParseError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Split {
    /// The physical dimension, 0 being the most major.
    pub dimension: usize,
    /// The first index of each piece except the first.
    pub indices: List<usize, MAX_SPLIT_INDICES>,
}

/// Widths to which the dimensions are padded, and the value of the padding: `padded to [3,5] with zero`.
///
/// Each of the two may be left out in text: `padded to [3,5]` pads with zero, and `padded with one` pads no dimension. The padding
/// of tiles is always zero.
///
/// ```
/// use tensor_layout::{PaddingValue, TiledSpec};
/// let spec: TiledSpec = "f32[2,4]{1,0} padded to [3,5] with one".parse()?;
/// let padded = spec.padded().unwrap();
/// assert_eq!((padded.widths.as_slice(), padded.value), (&[3, 5][..], PaddingValue::One));
/// # Ok::<(), tensor_layout::ParseError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Padded {
    /// The widths, one for each dimension.
    pub widths: List<usize, MAX_RANK>,
    /// The value that `pack` writes into the padding.
    pub value: PaddingValue,
}

/// An array shape with its layout, as written: nothing is checked yet.
///
/// [`Draft::validate`] checks all rules, and returns a [`TiledSpec`].
///
/// ```
/// use tensor_layout::{DType, tiled::{Draft, List, Tile}};
/// let mut draft = Draft::row_major(DType::F32, List::of(&[3, 5]).unwrap());
/// draft.tiles = List::new(Tile::new(0)).push(Tile::of(&[2, 2]).unwrap()).unwrap();
/// assert_eq!(draft.validate().unwrap().to_string(), "f32[3,5]{1,0:T(2,2)}");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Draft {
    /// Element type.
    pub dtype: DType,
    /// Logical sizes; for a bounded dimension `<=n` its bound, for an unbounded one 0.
    pub dims: List<usize, MAX_RANK>,
    /// Bit `d` is set if dimension `d` is bounded: `<=n`.
    pub bounded: u16,
    /// Bit `d` is set if dimension `d` is unbounded: `?`.
    pub unbounded: u16,
    /// The dimensions from the most minor to the most major.
    pub minor_to_major: List<usize, MAX_RANK>,
    /// The tiles, outermost first: `T(8,128)(2,1)`.
    pub tiles: List<Tile, MAX_TILES>,
    /// The storage of a tiled array is rounded up to a multiple of this many elements: `L(1024)`.
    pub tail_alignment: usize,
    /// Bits of an element in storage: `E(4)`; 0 if the layout does not specify them.
    pub element_bits: usize,
    /// Number of the memory space that the array is in: `S(1)`; 0 is the default memory.
    pub memory_space: usize,
    /// Physical dimensions that are split between memories: `SC(0:30)(1:40,130)`.
    pub splits: List<Split, MAX_SPLITS>,
    /// The number of bytes in front of the data that store the sizes of a dynamic shape: `M(8)`.
    pub prefix_bytes: usize,
    /// Explicit padding, of the older form of layouts.
    pub padded: Option<Padded>,
}

impl Draft {
    /// An array in row-major order without tiles.
    pub const fn row_major(dtype: DType, dims: List<usize, MAX_RANK>) -> Self {
        let mut minor_to_major = List::new(0);
        while minor_to_major.len < dims.len {
            minor_to_major.items[minor_to_major.len] = dims.len - 1 - minor_to_major.len;
            minor_to_major.len += 1;
        }
        Self::untiled(dtype, dims, minor_to_major)
    }

    /// An array in the order `minor_to_major` without tiles.
    pub const fn untiled(
        dtype: DType,
        dims: List<usize, MAX_RANK>,
        minor_to_major: List<usize, MAX_RANK>,
    ) -> Self {
        Self {
            dtype,
            dims,
            bounded: 0,
            unbounded: 0,
            minor_to_major,
            tiles: List::new(Tile::new(0)),
            tail_alignment: 1,
            element_bits: 0,
            memory_space: 0,
            splits: List::new(Split { dimension: 0, indices: List::new(0) }),
            prefix_bytes: 0,
            padded: None,
        }
    }

    /// Checks the draft.
    ///
    /// # Errors
    /// The first mistake. [`Draft::problems`] finds all of them.
    #[allow(
        clippy::result_large_err,
        reason = "runs in const evaluation, where nothing can be boxed"
    )]
    pub const fn validate(self) -> Result<TiledSpec, Problem> {
        match self.build() {
            Ok(map) => Ok(TiledSpec::of_parts(self, map)),
            Err(problems) => match problems.first() {
                Some(problem) => Err(problem),
                None => unreachable!(),
            },
        }
    }

    /// All mistakes of the draft, in the order in which they are written.
    pub const fn problems(&self) -> Problems {
        match self.build() {
            Ok(_) => NO_PROBLEMS,
            Err(problems) => problems,
        }
    }

    /// Bits of an element in storage.
    pub const fn stored_bits(&self) -> usize {
        if self.element_bits == 0 { self.dtype.byte_width() * 8 } else { self.element_bits }
    }
}
