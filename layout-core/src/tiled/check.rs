//! What a layout may be: every rule, each with its message, written once.

use super::draft::{Draft, Split, Tile};
use crate::dtype::{DType, PaddingValue};
use crate::index_map::{Builder, IndexMap, MAX_RANK};
use crate::text::Text;

/// The largest memory space that a layout can name; XLA keeps the number in eight bits with a sign.
pub const MAX_MEMORY_SPACE: usize = 127;

/// Mistakes that are kept of one layout.
pub const MAX_PROBLEMS: usize = 16;

/// One mistake in a layout. Displays as its message; [`Problem::help`] says what would be right.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the fields are what the message of the variant says")]
#[non_exhaustive]
pub enum Problem {
    /// `minor_to_major` has not one entry for each dimension.
    OrderLength { rank: usize, len: usize },
    /// `minor_to_major` names a dimension that does not exist.
    OrderOutOfRange { at: usize, dim: i128, rank: usize },
    /// `minor_to_major` names a dimension twice; `missing` is the first that it does not name.
    OrderDuplicate { at: usize, dim: usize, missing: usize },
    /// A tile has no entries.
    TileEmpty { tile: usize },
    /// An entry of a tile is not positive.
    TileSize { tile: usize, at: usize, size: i128 },
    /// `*` in the most minor entry, where there is nothing to combine with.
    CombineMinor { tile: usize, at: usize },
    /// `L(n)` with `n` below one.
    TailAlignment { n: i128 },
    /// `E(n)` with fewer bits than the type has.
    ElementBitsNarrow { bits: usize, dtype: DType },
    /// `E(n)` with a width that no memory has.
    ElementBitsWidth { bits: i128, dtype: DType },
    /// `S(n)` outside of what XLA can store.
    MemorySpace { n: i128 },
    /// `SC` of a physical dimension that does not exist.
    SplitOutOfRange { split: usize, dimension: i128, rank: usize },
    /// `SC` splits the same physical dimension twice.
    SplitDuplicate { split: usize, dimension: usize },
    /// The indices of a split do not increase.
    SplitOrder { split: usize, at: usize, index: i128 },
    /// An index of a split lies outside of its dimension.
    SplitIndex { split: usize, at: usize, index: i128, size: usize },
    /// `padded to` has not one width for each dimension.
    PaddedLength { rank: usize, len: usize },
    /// A dimension is padded to less than its size.
    PaddedWidth { dim: usize, width: i128, size: usize },
    /// The element type has no such value to pad with.
    PaddedValue { value: PaddingValue, dtype: DType },
    /// `M(n)` that no buffer can start with.
    PrefixBytes { n: i128 },
    /// A size that no dimension can have.
    DimSize { dim: usize, size: i128 },
    /// An unbounded dimension cannot be padded or split: its size is not known.
    UnboundedWidth { dim: usize },
    /// The storage does not fit the address space.
    Overflow,
}

/// What a [`Problem`] is about, so that an error can stand under the right words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the fields number the entries as written, from 0")]
pub enum Place {
    /// The dimensions as a whole.
    Dims,
    /// `minor_to_major` as a whole.
    Order,
    OrderEntry(usize),
    Tile(usize),
    TileEntry(usize, usize),
    TailAlignment,
    ElementBits,
    MemorySpace,
    SplitDimension(usize),
    SplitIndex(usize, usize),
    /// The widths of `padded to` as a whole.
    Padded,
    PaddedWidth(usize),
    PaddedValue,
    PrefixBytes,
    Dim(usize),
}

impl Problem {
    /// What is wrong.
    pub const fn message(&self) -> Text {
        let text = Text::new();
        match *self {
            Self::OrderLength { rank, len } => {
                text.str("the array has ").num(rank).str(" dimensions, but minor_to_major lists ").num(len)
            }
            Self::OrderOutOfRange { dim, rank, .. } => {
                text.str("dimension ").int(dim).str(" does not exist: the array has rank ").num(rank)
            }
            Self::OrderDuplicate { dim, .. } => {
                text.str("dimension ").num(dim).str(" is listed twice in minor_to_major")
            }
            Self::TileEmpty { .. } => text.str("a tile needs at least one size"),
            Self::TileSize { size, .. } => text.str("a tile size must be positive, but this one is ").int(size),
            Self::CombineMinor { .. } => {
                text.str("`*` cannot be the most minor size of a tile: there is no dimension to combine it with")
            }
            Self::TailAlignment { n } => text.str("a tail alignment must be positive, but this one is ").int(n),
            Self::ElementBitsNarrow { bits, dtype } => {
                let bits = text.str("`E(").num(bits).str(")` cannot hold an element of `").str(dtype.name());
                bits.str("`, which has ").num(dtype.bits()).str(" bits")
            }
            Self::ElementBitsWidth { bits, .. } => {
                text.str("an element cannot be stored in ").int(bits).str(" bits")
            }
            Self::MemorySpace { n } => {
                text.str("memory space ").int(n).str(" is not between 0 and ").num(MAX_MEMORY_SPACE)
            }
            Self::SplitOutOfRange { dimension, rank, .. } => {
                text.str("physical dimension ").int(dimension).str(" does not exist: the array has rank ").num(rank)
            }
            Self::SplitDuplicate { dimension, .. } => {
                text.str("physical dimension ").num(dimension).str(" is split twice")
            }
            Self::SplitOrder { index, .. } => {
                text.str("split indices must be positive and increase, but ").int(index).str(" does not")
            }
            Self::SplitIndex { index, size, .. } => {
                text.str("split index ").int(index).str(" is out of bounds: the dimension has size ").num(size)
            }
            Self::PaddedLength { rank, len } => {
                text.str("the array has ").num(rank).str(" dimensions, but ").num(len).str(" padded widths are given")
            }
            Self::PaddedWidth { dim, width, size } => {
                let text = text.str("dimension ").num(dim).str(" has size ").num(size);
                text.str(" and cannot be padded to ").int(width)
            }
            Self::PaddedValue { value, dtype } => {
                text.str("`").str(dtype.name()).str("` has no value `").str(value.name()).str("` to pad with")
            }
            Self::PrefixBytes { n } => text.str("a buffer cannot start with ").int(n).str(" bytes of sizes"),
            Self::DimSize { dim, size } => text.str("dimension ").num(dim).str(" cannot have size ").int(size),
            Self::UnboundedWidth { dim } => {
                text.str("dimension ").num(dim).str(" is unbounded, so it can be neither padded nor split")
            }
            Self::Overflow => text.str("the array does not fit the address space"),
        }
    }

    /// What would be right, or nothing where the message says it all.
    pub const fn help(&self) -> Text {
        let text = Text::new();
        match *self {
            Self::OrderLength { rank, .. } if rank <= MAX_RANK => {
                let mut order = [0; MAX_RANK];
                let mut i = 0;
                while i < rank {
                    order[i] = rank - 1 - i;
                    i += 1;
                }
                text.str("row-major is `{").list(order.split_at(rank).0).str("}`")
            }
            Self::OrderOutOfRange { rank: 0, .. } => {
                text.str("a scalar has an empty minor_to_major: `{:T(128)}`")
            }
            Self::OrderOutOfRange { rank, .. } => {
                text.str("dimensions are numbered 0 to ").num(rank - 1)
            }
            Self::OrderDuplicate { missing, .. } => {
                text.str("dimension ").num(missing).str(" is missing")
            }
            Self::TailAlignment { .. } => {
                text.str("leave `L` out where the end needs no alignment")
            }
            Self::ElementBitsNarrow { dtype, .. } | Self::ElementBitsWidth { dtype, .. } => {
                let text = text.str("`").str(dtype.name()).str("` can be stored in ");
                let mut widths = [0; DType::STORED_WIDTHS.len()];
                let (mut n, mut i) = (0, 0);
                while i < widths.len() {
                    if DType::STORED_WIDTHS[i] >= dtype.bits() {
                        widths[n] = DType::STORED_WIDTHS[i];
                        n += 1;
                    }
                    i += 1;
                }
                text.list(widths.split_at(n).0).str(" bits")
            }
            _ => text,
        }
    }

    /// What the problem is about.
    pub const fn place(&self) -> Place {
        match *self {
            Self::OrderLength { .. } => Place::Order,
            Self::OrderOutOfRange { at, .. } | Self::OrderDuplicate { at, .. } => {
                Place::OrderEntry(at)
            }
            Self::TileEmpty { tile } => Place::Tile(tile),
            Self::TileSize { tile, at, .. } | Self::CombineMinor { tile, at } => {
                Place::TileEntry(tile, at)
            }
            Self::TailAlignment { .. } => Place::TailAlignment,
            Self::ElementBitsNarrow { .. } | Self::ElementBitsWidth { .. } => Place::ElementBits,
            Self::MemorySpace { .. } => Place::MemorySpace,
            Self::SplitOutOfRange { split, .. } | Self::SplitDuplicate { split, .. } => {
                Place::SplitDimension(split)
            }
            Self::SplitOrder { split, at, .. } | Self::SplitIndex { split, at, .. } => {
                Place::SplitIndex(split, at)
            }
            Self::PaddedLength { .. } => Place::Padded,
            Self::PaddedWidth { dim, .. } => Place::PaddedWidth(dim),
            Self::PaddedValue { .. } => Place::PaddedValue,
            Self::PrefixBytes { .. } => Place::PrefixBytes,
            Self::UnboundedWidth { dim } | Self::DimSize { dim, .. } => Place::Dim(dim),
            Self::Overflow => Place::Dims,
        }
    }
}

impl core::fmt::Display for Problem {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.message().as_str())
    }
}

impl core::error::Error for Problem {}

/// The mistakes of one layout, at most [`MAX_PROBLEMS`].
#[derive(Clone, Copy, Debug)]
pub struct Problems {
    list: [Problem; MAX_PROBLEMS],
    len: usize,
}

impl Problems {
    pub(super) const NONE: Self = Self { list: [Problem::Overflow; MAX_PROBLEMS], len: 0 };

    /// The problems.
    pub const fn as_slice(&self) -> &[Problem] {
        self.list.split_at(self.len).0
    }

    /// Whether there are none.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    pub(super) const fn first(&self) -> Problem {
        self.list[0]
    }

    const fn push(&mut self, problem: Problem) {
        if self.len < MAX_PROBLEMS {
            self.list[self.len] = problem;
            self.len += 1;
        }
    }
}

impl DType {
    /// Widths in bits that `E(n)` can give an element; narrower than a byte they are packed.
    pub const STORED_WIDTHS: [usize; 9] = [1, 2, 4, 6, 8, 16, 32, 64, 128];
}

impl Draft {
    #[allow(
        clippy::result_large_err,
        reason = "runs in const evaluation, where nothing can be boxed"
    )]
    /// Checks every rule, and builds the index map where all hold.
    pub(super) const fn build(&self) -> Result<IndexMap, Problems> {
        let mut problems = Problems::NONE;
        self.check_order(&mut problems);
        self.check_tiles(&mut problems);
        self.check_attributes(&mut problems);
        self.check_splits(&mut problems);
        self.check_padded(&mut problems);
        if problems.is_empty() {
            match self.index_map() {
                Some(map) => return Ok(map),
                None => problems.push(Problem::Overflow),
            }
        }
        Err(problems)
    }

    const fn check_order(&self, problems: &mut Problems) {
        let (rank, order) = (self.dims.len, &self.minor_to_major);
        if order.len != rank {
            problems.push(Problem::OrderLength { rank, len: order.len });
        }
        let mut at = 0;
        while at < order.len {
            let dim = order.items[at];
            if dim >= rank {
                problems.push(Problem::OrderOutOfRange { at, dim: dim as i128, rank });
            } else if position(&order.items, dim) < at {
                let mut missing = 0;
                while position(&order.items, missing) < order.len {
                    missing += 1;
                }
                problems.push(Problem::OrderDuplicate { at, dim, missing });
            }
            at += 1;
        }
    }

    const fn check_tiles(&self, problems: &mut Problems) {
        let mut tile = 0;
        while tile < self.tiles.len {
            let sizes = &self.tiles.items[tile];
            if sizes.len == 0 {
                problems.push(Problem::TileEmpty { tile });
            }
            let mut at = 0;
            while at < sizes.len {
                let size = sizes.items[at];
                if size == 0 {
                    problems.push(Problem::TileSize { tile, at, size: 0 });
                } else if size == Tile::COMBINE && at + 1 == sizes.len {
                    problems.push(Problem::CombineMinor { tile, at });
                }
                at += 1;
            }
            tile += 1;
        }
    }

    const fn check_attributes(&self, problems: &mut Problems) {
        let (bits, dtype) = (self.element_bits, self.dtype);
        if self.tail_alignment == 0 {
            problems.push(Problem::TailAlignment { n: 0 });
        }
        if bits != 0 {
            if position(&DType::STORED_WIDTHS, bits) == DType::STORED_WIDTHS.len() {
                problems.push(Problem::ElementBitsWidth { bits: bits as i128, dtype });
            } else if bits < dtype.bits() {
                problems.push(Problem::ElementBitsNarrow { bits, dtype });
            }
        }
        if self.memory_space > MAX_MEMORY_SPACE {
            problems.push(Problem::MemorySpace { n: self.memory_space as i128 });
        }
    }

    const fn check_splits(&self, problems: &mut Problems) {
        let rank = self.dims.len;
        let mut split = 0;
        while split < self.splits.len {
            let dimension = self.splits.items[split].dimension;
            let mut earlier = 0;
            while earlier < split && self.splits.items[earlier].dimension != dimension {
                earlier += 1;
            }
            if dimension >= rank {
                problems.push(Problem::SplitOutOfRange {
                    split,
                    dimension: dimension as i128,
                    rank,
                });
            } else if earlier < split {
                problems.push(Problem::SplitDuplicate { split, dimension });
            } else if rank - 1 - dimension < self.minor_to_major.len {
                self.check_split_indices(split, problems);
            }
            split += 1;
        }
    }

    const fn check_split_indices(&self, split: usize, problems: &mut Problems) {
        let Split { dimension, indices } = &self.splits.items[split];
        let dim = self.minor_to_major.items[self.dims.len - 1 - *dimension];
        if dim >= self.dims.len {
            return;
        }
        if self.is_unbounded(dim) {
            problems.push(Problem::UnboundedWidth { dim });
            return;
        }
        let size = self.dims.items[dim];
        let mut at = 0;
        while at < indices.len {
            let index = indices.items[at];
            if index == 0 || (at > 0 && index <= indices.items[at - 1]) {
                problems.push(Problem::SplitOrder { split, at, index: index as i128 });
            } else if index >= size {
                problems.push(Problem::SplitIndex { split, at, index: index as i128, size });
            }
            at += 1;
        }
    }

    const fn check_padded(&self, problems: &mut Problems) {
        let Some(padded) = self.padded else { return };
        let (rank, widths, dims) =
            (self.dims.len(), padded.widths.as_slice(), self.dims.as_slice());
        if widths.len() != rank {
            problems.push(Problem::PaddedLength { rank, len: widths.len() });
        }
        let mut dim = 0;
        while dim < widths.len() && dim < rank {
            if self.is_unbounded(dim) {
                problems.push(Problem::UnboundedWidth { dim });
            } else if widths[dim] < dims[dim] {
                problems.push(Problem::PaddedWidth {
                    dim,
                    width: widths[dim] as i128,
                    size: dims[dim],
                });
            }
            dim += 1;
        }
        if self.dtype.padding_bits(padded.value).is_none() {
            problems.push(Problem::PaddedValue { value: padded.value, dtype: self.dtype });
        }
    }

    /// Whether dimension `dim` is written `?`.
    pub const fn is_unbounded(&self, dim: usize) -> bool {
        self.unbounded >> dim & 1 == 1
    }

    /// The index map, if every size in it, and the bytes, fit what a pointer can reach.
    const fn index_map(&self) -> Option<IndexMap> {
        let widths = match &self.padded {
            Some(padded) => &padded.widths,
            None => &self.dims,
        };
        let Some(map) = self.map_of(&self.dims.items, &widths.items) else { return None };
        // Room for the tail alignment, the largest host value and the prefix, for the unpadded array and the padded.
        let bits = self.stored_bits();
        let bytes_each = if bits < 8 { 1 } else { bits / 8 };
        let limit = isize::MAX as usize;
        if self.prefix_bytes > limit || self.tail_alignment > limit {
            return None;
        }
        let room = (limit - self.prefix_bytes) / bytes_each;
        if self.tail_alignment > room || map.len() > room - self.tail_alignment {
            return None;
        }
        Some(map)
    }

    /// The map of an array of other sizes in this layout. The slices may be longer than the rank.
    pub(super) const fn map_of(&self, dims: &[usize], widths: &[usize]) -> Option<IndexMap> {
        let mut builder = Builder::start(self.dims.len, dims, widths, &self.minor_to_major.items);
        let mut tile = 0;
        while tile < self.tiles.len {
            let sizes = &self.tiles.items[tile];
            if !builder.add_tile(sizes.len, &sizes.items) {
                return None;
            }
            tile += 1;
        }
        builder.place()
    }
}

/// Where `value` first stands in `list`, or the length if it does not.
const fn position(list: &[usize], value: usize) -> usize {
    let (mut i, len) = (0, list.len());
    while i < len && list[i] != value {
        i += 1;
    }
    i
}
