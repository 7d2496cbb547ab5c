//! The index of an element in the physical shape: the document's combined vector of tile index and within-tile index.

use super::spec::TiledSpec;
use crate::parts::{Coordinates, MAX_PARTS};
use core::ops::Deref;

/// An index in the physical shape of a layout, major to minor; dereferences to a slice.
///
/// ```
/// use tensor_layout::TiledSpec;
/// let spec: TiledSpec = "f32[3,5]{1,0:T(2,2)}".parse().unwrap();
/// let index = spec.physical_index(&[2, 3]);
/// assert_eq!(index, [1, 1, 0, 1]);
/// assert_eq!(index.tile(), Some(&[1, 1][..]));
/// assert_eq!(index.within_tile(), Some(&[0, 1][..]));
/// ```
#[derive(Clone, Copy)]
pub struct PhysicalIndex {
    at: [usize; MAX_PARTS],
    rank: usize,
    /// The number of leading coordinates that form the index of a tile of the first level.
    numbers: Option<usize>,
}

impl PhysicalIndex {
    /// The index as a slice.
    pub const fn as_slice(&self) -> &[usize] {
        self.at.split_at(self.rank).0
    }

    /// The tile index: the index of the tile of the first level. `None` if a later tile reaches across tiles of the first
    /// level, because then the vector does not consist of a tile index and a within-tile index.
    pub const fn tile(&self) -> Option<&[usize]> {
        match self.numbers {
            Some(numbers) => Some(self.as_slice().split_at(numbers).0),
            None => None,
        }
    }

    /// The within-tile index: the position in the tile of the first level. `None` as for [`PhysicalIndex::tile`].
    pub const fn within_tile(&self) -> Option<&[usize]> {
        match self.numbers {
            Some(numbers) => Some(self.as_slice().split_at(numbers).1),
            None => None,
        }
    }
}

impl Deref for PhysicalIndex {
    type Target = [usize];
    fn deref(&self) -> &[usize] {
        self.as_slice()
    }
}

impl AsRef<[usize]> for PhysicalIndex {
    fn as_ref(&self) -> &[usize] {
        self
    }
}

impl<T: AsRef<[usize]> + ?Sized> PartialEq<T> for PhysicalIndex {
    fn eq(&self, other: &T) -> bool {
        self.as_slice() == other.as_ref()
    }
}

impl Eq for PhysicalIndex {}

impl core::fmt::Debug for PhysicalIndex {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        self.as_slice().fmt(f)
    }
}

impl TiledSpec {
    /// Number of dimensions of the physical shape.
    pub const fn physical_rank(&self) -> usize {
        self.map().parts().len()
    }

    /// The index in [`TiledSpec::physical_shape`] of the element at `index`. The offset of the element is the row-major
    /// number of this index in that shape.
    ///
    /// # Panics
    /// If `index` is out of bounds, as slice indexing does; [`TiledSpec::checked_physical_index`] does not.
    #[track_caller]
    pub const fn physical_index(&self, index: &[usize]) -> PhysicalIndex {
        self.physical_index_at(self.offset(index))
    }

    /// [`TiledSpec::physical_index`], or `None` out of bounds.
    pub const fn checked_physical_index(&self, index: &[usize]) -> Option<PhysicalIndex> {
        match self.checked_offset(index) {
            Some(offset) => Some(self.physical_index_at(offset)),
            None => None,
        }
    }

    const fn physical_index_at(&self, offset: usize) -> PhysicalIndex {
        let parts = self.map().parts();
        let mut at = [0; MAX_PARTS];
        let mut i = 0;
        while i < parts.len() {
            at[i] = parts[i].at(offset);
            i += 1;
        }
        PhysicalIndex { at, rank: parts.len(), numbers: self.tile_parts() }
    }

    /// The offset, in elements, of a physical index; `None` if it is not an index of the physical shape.
    pub const fn physical_offset(&self, physical: &[usize]) -> Option<usize> {
        let parts = self.map().parts();
        if physical.len() != parts.len() {
            return None;
        }
        let mut offset = 0;
        let mut i = 0;
        while i < parts.len() {
            if physical[i] >= parts[i].size {
                return None;
            }
            offset += physical[i] * parts[i].stride;
            i += 1;
        }
        Some(offset)
    }

    /// The index of the element at a physical index: the inverse of [`TiledSpec::physical_index`]. `None` for padding, and
    /// for an index outside of the physical shape.
    ///
    /// ```
    /// let spec: tensor_layout::TiledSpec = "f32[3,5]{1,0:T(2,2)}".parse().unwrap();
    /// assert_eq!(spec.logical_index(&[1, 1, 0, 1]).unwrap(), [2, 3]);
    /// assert_eq!(spec.logical_index(&[1, 1, 1, 1]), None, "padding");
    /// assert_eq!(spec.logical_index(&[1, 3, 0, 1]), None, "there are three tiles in a row");
    /// ```
    pub const fn logical_index(&self, physical: &[usize]) -> Option<Coordinates> {
        match self.physical_offset(physical) {
            Some(offset) => self.index(offset),
            None => None,
        }
    }
}
