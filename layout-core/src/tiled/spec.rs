use super::draft::{Draft, Padded, Split, Tile};
use crate::dtype::DType;
use crate::parts::{Coordinates, IndexMap, MAX_RANK};
use core::fmt;

/// An array shape with its layout, checked: the run-time twin of `Tiled`.
///
/// Reads and prints XLA's text, and has a function for every property that the types have; almost all of them are `const`. Sizes
/// are in elements unless their names say bytes.
///
/// ```
/// use tensor_layout::TiledSpec;
/// let spec: TiledSpec = "F32[3,5]<1,0:T(2,2)>".parse().unwrap();
/// assert_eq!(spec.to_string(), "f32[3,5]{1,0:T(2,2)}");
/// assert_eq!((spec.len(), spec.bytes()), (24, 96));
/// assert_eq!(spec.offset(&[2, 3]), 17);
/// assert_eq!(spec.index(17).unwrap(), [2, 3]);
/// assert_eq!(spec.index(9), None, "padding");
/// ```
#[derive(Clone, Copy)]
pub struct TiledSpec {
    draft: Draft,
    map: IndexMap,
}

impl TiledSpec {
    /// One byte, as an array of `rank` dimensions of size 1; `rank` is at most [`MAX_RANK`].
    #[doc(hidden)]
    pub const fn units(rank: usize) -> Self {
        let units = [1; MAX_RANK];
        match Self::row_major(DType::U8, units.split_at(rank).0) {
            Some(spec) => spec,
            None => unreachable!(),
        }
    }

    pub(super) const fn of_parts(draft: Draft, map: IndexMap) -> Self {
        Self { draft, map }
    }

    /// An array of sizes `dims` in row-major order without tiles; `None` if there are more than 16 dimensions, or if it does
    /// not fit the address space.
    pub const fn row_major(dtype: DType, dims: &[usize]) -> Option<Self> {
        let Some(dims) = super::List::of(dims) else { return None };
        match Draft::row_major(dtype, dims).validate() {
            Ok(spec) => Some(spec),
            Err(_) => None,
        }
    }

    /// The layout as written: to read it, or to change it and validate it again.
    pub const fn draft(&self) -> &Draft {
        &self.draft
    }

    /// The table from which all sizes and index functions are computed.
    pub const fn map(&self) -> &IndexMap {
        &self.map
    }

    /// Element type.
    pub const fn dtype(&self) -> DType {
        self.draft.dtype
    }

    /// Number of dimensions.
    pub const fn rank(&self) -> usize {
        self.draft.dims.len()
    }

    /// Logical sizes: the bound of a bounded dimension, 0 for an unbounded one.
    pub const fn dims(&self) -> &[usize] {
        self.draft.dims.as_slice()
    }

    /// The dimensions from the most minor to the most major.
    pub const fn minor_to_major(&self) -> &[usize] {
        self.draft.minor_to_major.as_slice()
    }

    /// The tiles, outermost first.
    pub const fn tiles(&self) -> &[Tile] {
        self.draft.tiles.as_slice()
    }

    /// The number of the memory space that the array is in: the `n` of `S(n)`, 0 by default.
    pub const fn memory_space(&self) -> usize {
        self.draft.memory_space
    }

    /// How physical dimensions are split between memories.
    pub const fn splits(&self) -> &[Split] {
        self.draft.splits.as_slice()
    }

    /// Explicit padding of the dimensions.
    pub const fn padded(&self) -> Option<Padded> {
        self.draft.padded
    }

    /// Bits of one element in storage.
    pub const fn stored_bits(&self) -> usize {
        self.draft.stored_bits()
    }

    /// Bytes in front of the data of a dynamic shape, not counted in [`TiledSpec::bytes`].
    pub const fn prefix_bytes(&self) -> usize {
        self.draft.prefix_bytes
    }

    /// Whether every dimension has a known size or bound.
    pub const fn is_static(&self) -> bool {
        self.draft.unbounded == 0
    }

    /// Number of logical elements: the product of the dimensions, 0 if one is unbounded.
    pub const fn elements(&self) -> usize {
        self.map.elements()
    }

    /// Bytes of the logical elements without any padding: XLA's `ByteSizeOf`.
    pub const fn logical_bytes(&self) -> usize {
        self.packed_bytes(self.elements())
    }

    /// Number of stored elements, padding included; 0 if a dimension is unbounded.
    pub const fn len(&self) -> usize {
        self.aligned(self.map.len())
    }

    /// Whether nothing is stored.
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The size in bytes of a device buffer, padding included; elements narrower than a byte are packed.
    ///
    /// A tiled layout that splits a dimension (`SC`) has one such buffer in each memory, of the size of the largest piece, as
    /// in XLA; [`TiledSpec::storage_bytes`] is the size of the array in one piece.
    pub const fn bytes(&self) -> usize {
        if self.draft.splits.is_empty() || self.draft.tiles.is_empty() {
            return self.storage_bytes();
        }
        let piece = self.largest_piece();
        match self.draft.map_of(piece.as_slice(), piece.as_slice()) {
            Some(map) => self.packed_bytes(self.aligned(map.len())),
            // A piece is no larger than the array, whose map exists.
            None => self.storage_bytes(),
        }
    }

    /// Number of stored bytes of the array in one piece, padding included: `ceil(len * stored bits / 8)`.
    pub const fn storage_bytes(&self) -> usize {
        self.packed_bytes(self.len())
    }

    /// Logical sizes of the largest piece if `SC` splits dimensions, otherwise of the array.
    pub const fn largest_piece(&self) -> Coordinates {
        let Some(mut piece) = Coordinates::new(self.dims()) else { unreachable!() };
        let mut i = 0;
        while i < self.splits().len() {
            let split = &self.splits()[i];
            let indices = split.indices.as_slice();
            let dim = self.minor_to_major()[self.rank() - 1 - split.dimension];
            let (mut start, mut largest, mut at) = (0, 0, 0);
            while at <= indices.len() {
                let end = if at < indices.len() { indices[at] } else { self.dims()[dim] };
                if end - start > largest {
                    largest = end - start;
                }
                start = end;
                at += 1;
            }
            piece.as_mut_slice()[dim] = largest;
            i += 1;
        }
        piece
    }

    /// One past the largest offset of an element; everything from there on is padding.
    pub const fn extent(&self) -> usize {
        self.map.extent()
    }

    /// The offset of the element at `index`, in elements.
    ///
    /// # Panics
    /// If `index` is out of bounds, as slice indexing does; [`TiledSpec::checked_offset`] does not.
    #[track_caller]
    pub const fn offset(&self, index: &[usize]) -> usize {
        assert!(self.map.contains(index), "index out of bounds of the array");
        self.map.offset(index)
    }

    /// The offset of the element at `index`, or `None` out of bounds.
    pub const fn checked_offset(&self, index: &[usize]) -> Option<usize> {
        if self.map.contains(index) { Some(self.map.offset(index)) } else { None }
    }

    /// The index of the element at `offset`; `None` for padding and past the end.
    pub const fn index(&self, offset: usize) -> Option<Coordinates> {
        self.map.index(offset)
    }

    /// The distance in elements between neighbours along dimension `dim`, if it is the same everywhere; see
    /// [`IndexMap::stride`].
    ///
    /// # Panics
    /// If `dim` is not below the rank.
    pub const fn stride(&self, dim: usize) -> Option<usize> {
        self.map.stride(dim)
    }

    /// [`TiledSpec::stride`] in bytes; also `None` if it is not a whole number of bytes.
    ///
    /// # Panics
    /// If `dim` is not below the rank.
    pub const fn byte_stride(&self, dim: usize) -> Option<usize> {
        let Some(stride) = self.stride(dim) else { return None };
        // The stride of an empty array is not limited by the address space.
        let bits = stride as u128 * self.stored_bits() as u128;
        if bits.is_multiple_of(8) && bits / 8 <= usize::MAX as u128 {
            Some((bits / 8) as usize)
        } else {
            None
        }
    }

    /// The expanded physical shape, major to minor: the dimensions after all tiles are applied, `(2,4,128,2,1)` for
    /// `bf16[2048]{0:T(1024)(128)(2,1)}`.
    pub fn physical_shape(&self) -> impl ExactSizeIterator<Item = usize> + Clone + '_ {
        self.map.parts().iter().map(|part| part.size)
    }

    const fn aligned(&self, len: usize) -> usize {
        // XLA rounds the storage of tiled arrays only.
        if self.draft.tiles.is_empty() {
            len
        } else {
            len.div_ceil(self.draft.tail_alignment) * self.draft.tail_alignment
        }
    }

    pub(super) const fn packed_bytes(&self, len: usize) -> usize {
        // Groups of 8 elements first: the bytes of the array fit a `usize`, but its bits may overflow.
        let bits = self.stored_bits();
        len / 8 * bits + (len % 8 * bits).div_ceil(8)
    }
}

const _: () = assert!(MAX_RANK == 16, "`bounded` and `unbounded` hold a bit for each dimension");

impl PartialEq for TiledSpec {
    fn eq(&self, other: &Self) -> bool {
        // The map is determined by the draft.
        self.draft == other.draft
    }
}

impl Eq for TiledSpec {}

impl core::hash::Hash for TiledSpec {
    fn hash<H: core::hash::Hasher>(&self, state: &mut H) {
        self.draft.hash(state);
    }
}

impl fmt::Debug for TiledSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TiledSpec({self})")
    }
}
