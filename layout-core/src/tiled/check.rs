//! The rules of valid layouts, each written once.

use super::draft::{Draft, Split, Tile};
use super::problem::{MAX_MEMORY_SPACE, Problem};
use crate::dtype::DType;
use crate::list::List;
use crate::parts::{Builder, IndexMap, MAX_RANK};

/// The mistakes of one layout, as [`Draft::problems`] returns them.
pub type Problems = crate::list::Problems<Problem>;

pub(super) const NO_PROBLEMS: Problems = Problems::new(Problem::Overflow { bytes: 0 });

impl Draft {
    #[allow(
        clippy::result_large_err,
        reason = "runs in const evaluation, where nothing can be boxed"
    )]
    /// Checks every rule, and builds the index map if all hold.
    pub(super) const fn build(&self) -> Result<IndexMap, Problems> {
        let mut problems = NO_PROBLEMS;
        self.check_bounds(&mut problems);
        self.check_order(&mut problems);
        self.check_tiles(&mut problems);
        self.check_attributes(&mut problems);
        self.check_splits(&mut problems);
        self.check_padded(&mut problems);
        if problems.is_empty() {
            match self.index_map() {
                Some(map) => return Ok(map),
                None => problems.push(Problem::Overflow { bytes: self.unpadded_bytes() }),
            }
        }
        Err(problems)
    }

    const fn check_bounds(&self, problems: &mut Problems) {
        let (mut bounded, mut unbounded, mut dim) = (self.bounded, self.unbounded, 0);
        while bounded | unbounded != 0 {
            let exists = dim < self.dims.len;
            let is_wrong = match (bounded & 1, unbounded & 1) {
                (0, 0) => false,
                (_, 0) => !exists,
                (0, _) => !exists || self.dims.items[dim] != 0,
                _ => true,
            };
            if is_wrong {
                problems.push(Problem::Bound { dim });
            }
            bounded >>= 1;
            unbounded >>= 1;
            dim += 1;
        }
    }

    const fn check_order(&self, problems: &mut Problems) {
        let (rank, order) = (self.dims.len, &self.minor_to_major);
        if order.len != rank {
            let proposed = self.proposed_order();
            return problems.push(Problem::OrderLength { len: order.len, proposed });
        }
        let mut at = 0;
        while at < rank {
            let dim = order.items[at];
            if dim >= rank {
                let proposed = self.proposed_order();
                problems.push(Problem::OrderOutOfRange { at, dim: dim as i128, proposed });
            } else if position(&order.items, dim) < at {
                let proposed = self.proposed_order();
                problems.push(Problem::OrderDuplicate { at, dim, proposed });
            }
            at += 1;
        }
    }

    /// A permutation close to `minor_to_major`, in which the missing dimensions replace its wrong entries.
    const fn proposed_order(&self) -> List<usize, MAX_RANK> {
        let (rank, order) = (self.dims.len(), self.minor_to_major.as_slice());
        let mut proposed = List::new(0);
        if counts_from_one(order, rank) {
            let mut at = 0;
            while at < rank {
                proposed = extended(proposed, order[at] - 1);
                at += 1;
            }
            return proposed;
        }
        if is_row_major(order) {
            let mut at = rank;
            while at > 0 {
                at -= 1;
                proposed = extended(proposed, at);
            }
            return proposed;
        }
        if let Some(digits) = digits(order, rank) {
            return digits;
        }
        let mut missing = rank;
        let mut at = 0;
        while proposed.len() < rank {
            let good = at < order.len() && order[at] < rank && position(order, order[at]) == at;
            if good {
                proposed = extended(proposed, order[at]);
            } else if at >= order.len() || order.len() <= rank {
                missing -= 1;
                while position(order, missing) < order.len() {
                    missing -= 1;
                }
                proposed = extended(proposed, missing);
            }
            at += 1;
        }
        proposed
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
                let previous = if at > 0 { indices.items[at - 1] } else { 0 };
                problems.push(Problem::SplitOrder { split, at, index: index as i128, previous });
            } else if index >= size {
                problems.push(Problem::SplitIndex { split, at, index, dim, size });
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

    /// Whether no dimension is unbounded.
    #[doc(hidden)]
    pub const fn is_bounded(&self) -> bool {
        let mut dim = 0;
        while dim < self.dims.len() {
            if self.is_unbounded(dim) {
                return false;
            }
            dim += 1;
        }
        true
    }

    /// The index map; `None` if its sizes or the bytes of the array do not fit the address space.
    const fn index_map(&self) -> Option<IndexMap> {
        let widths = match &self.padded {
            Some(padded) => &padded.widths,
            None => &self.dims,
        };
        let Some(map) = self.map_of(&self.dims.items, &widths.items) else { return None };
        // An array without elements takes no memory, but its sizes are signed numbers elsewhere, and so in texts, and those that
        // are not 0 are multiplied.
        let (mut dim, mut product) = (0, 1);
        while dim < self.dims.len {
            let width = if widths.items[dim] == 0 { 1 } else { widths.items[dim] };
            if width > isize::MAX as usize / product {
                return None;
            }
            product *= width;
            dim += 1;
        }
        let mut tile = 0;
        while map.is_empty() && tile < self.tiles.len {
            let sizes = &self.tiles.items[tile];
            let mut at = 0;
            while at < sizes.len {
                if sizes.items[at] > isize::MAX as usize && sizes.items[at] != Tile::COMBINE {
                    return None;
                }
                at += 1;
            }
            tile += 1;
        }
        // The address space must also hold the tail alignment, the array in its host type, and the prefix.
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

    /// Bytes of the elements without padding; `u128::MAX` if that overflows.
    const fn unpadded_bytes(&self) -> u128 {
        let (dims, mut bits, mut dim) = (self.dims.as_slice(), self.stored_bits() as u128, 0);
        while dim < dims.len() {
            match bits.checked_mul(dims[dim] as u128) {
                Some(product) => bits = product,
                None => return u128::MAX,
            }
            dim += 1;
        }
        bits.div_ceil(8)
    }

    /// The map of an array of sizes `dims` in this layout. The slices may be longer than the rank.
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
        builder.with_strides()
    }
}

/// The first position of `value` in `list`; the length of `list` if there is none.
const fn position(list: &[usize], value: usize) -> usize {
    let (mut i, len) = (0, list.len());
    while i < len && list[i] != value {
        i += 1;
    }
    i
}

/// The digits of the entries, if they order all dimensions: commas are missing in `{21,0}`.
const fn digits(order: &[usize], rank: usize) -> Option<List<usize, MAX_RANK>> {
    let mut digits = List::new(0);
    let mut at = order.len();
    // From the last digit to the first one.
    while at > 0 {
        at -= 1;
        let mut rest = order[at];
        loop {
            if digits.len() == rank || position(digits.as_slice(), rest % 10) < digits.len() {
                return None;
            }
            if rest % 10 >= rank {
                return None;
            }
            digits = extended(digits, rest % 10);
            rest /= 10;
            if rest == 0 {
                break;
            }
        }
    }
    if digits.len() < rank {
        return None;
    }
    let mut forward = List::new(0);
    let mut at = rank;
    while at > 0 {
        at -= 1;
        forward = extended(forward, digits.as_slice()[at]);
    }
    Some(forward)
}

/// Whether each number from 1 to `rank` is in `order`: the author counted the dimensions from one.
const fn counts_from_one(order: &[usize], rank: usize) -> bool {
    let mut dim = 1;
    while dim <= rank && position(order, dim) < order.len() {
        dim += 1;
    }
    dim > rank && order.len() == rank
}

/// Whether `order` is row-major in two or more dimensions: `{1,0}`, which in an array of three means `{2,1,0}`.
const fn is_row_major(order: &[usize]) -> bool {
    let mut at = 0;
    while at < order.len() && order[at] == order.len() - 1 - at {
        at += 1;
    }
    at == order.len() && at > 1
}

/// `list` with `item` appended. The list must not be full.
const fn extended(list: List<usize, MAX_RANK>, item: usize) -> List<usize, MAX_RANK> {
    match list.push(item) {
        Ok(list) | Err(list) => list,
    }
}
