//! The arrays of a sparse tensor, level by level, and the rules by which they are built, checked and read. The typed tensor
//! and its run-time twin both store their data in [`Storage`].

mod access;
mod batch;
mod blocks;
mod build;
mod cursor;
mod error;
mod insert;
mod interleave;
mod keys;
mod memory;
mod merge;
mod order;
mod print;
mod prune;
mod rows;
mod run;
mod scatter;
mod source;
mod stream;
mod validate;
mod writer;

pub use access::{Home, Rule};
pub use blocks::BlockRows;
pub use build::extents;
pub use cursor::Cursor;
pub use error::{AssembleError, Assembled, BuildError, Rejected};
pub use insert::Written;
pub use memory::Memory;
pub use rows::{LastLevel, Rows};
pub use source::{CHUNK, Chunks, OnChunk, Source};

use super::encoding::SparseEncoding;
use super::extent::Extent;
use super::width::{Coordinate, Position};
use alloc::vec::Vec;

/// What to do with several entries at one index.
///
/// ```
/// use tensor_layout::sparse::{Duplicates, SparseTensor, formats::{Coo, Csr}};
/// let twice = [([0, 1], 5.0), ([0, 1], 7.0)];
/// let summed = SparseTensor::<Csr, f64>::from_coo([2, 3], &twice, Duplicates::Sum)?;
/// assert_eq!(summed.values(), [12.0]);
/// assert!(SparseTensor::<Csr, f64>::from_coo([2, 3], &twice, Duplicates::Keep).is_err());
/// # Ok::<(), tensor_layout::sparse::BuildError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Duplicates {
    /// Return an error.
    Error,
    /// Store their sum, computed in [`SparseElement::Wide`](crate::sparse::SparseElement::Wide).
    Sum,
    /// Store all of them. This needs a `nonunique` level, and every `singleton` must be `nonunique` unless it is the last
    /// level.
    Keep,
}

/// The arrays of one level of a sparse tensor. An array that the level does not have is empty.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LevelParts<P, W> {
    /// The positions at which the segments begin and end.
    pub positions: Vec<P>,
    /// The coordinates. Those of a run of levels with singletons that are not `soa` are interleaved in the array of the first
    /// level of the run.
    pub coordinates: Vec<W>,
}

impl<P, W> Default for LevelParts<P, W> {
    fn default() -> Self {
        Self { positions: Vec::new(), coordinates: Vec::new() }
    }
}

/// The data of a sparse tensor: everything except its encoding.
///
/// The matrix `[[0, 5, 0], [7, 0, 9]]` in CSR has the shape `[2, 3]`, the values `[5, 7, 9]` and two levels. Level 0 is dense, so
/// both of its arrays are empty. Level 1 has the positions `[0, 1, 3]` and the coordinates `[1, 0, 2]`.
///
/// ```
/// use tensor_layout::sparse::{SparseTensor, formats::Csr};
/// let matrix = SparseTensor::<Csr, f64>::from_dense([2, 3], &[0.0, 5.0, 0.0, 7.0, 0.0, 9.0])?;
/// let mut parts = matrix.disassemble();
/// assert_eq!((&parts.levels[1].positions[..], &parts.levels[1].coordinates[..]), (&[0, 1, 3][..], &[1, 0, 2][..]));
/// parts.levels[1].coordinates[0] = 2;
/// let matrix = SparseTensor::<Csr, f64>::assemble(parts).unwrap();
/// assert_eq!(matrix.get([0, 2]), 5.0);
/// # Ok::<(), tensor_layout::sparse::BuildError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parts<P, W, T> {
    /// The sizes of the dimensions.
    pub shape: Vec<usize>,
    /// The arrays of each level.
    pub levels: Vec<LevelParts<P, W>>,
    /// The values.
    pub values: Vec<T>,
}

/// Checked [`Parts`].
#[derive(Clone, PartialEq, Debug)]
pub struct Storage<P, C: Coordinate, T> {
    pub parts: Parts<P, C::Word, T>,
    /// The range of coordinates of each level.
    pub extents: Vec<Extent>,
    /// The number of positions of each level, in each batch.
    pub counts: Vec<usize>,
    /// The number of batches; 1 if there are no batch levels.
    pub batches: usize,
}

/// Whether `index` has the rank of `shape` and is within its bounds.
#[inline(always)]
fn within(index: &[usize], shape: &[usize]) -> bool {
    index.len() == shape.len() && index.iter().zip(shape).all(|(x, size)| x < size)
}

/// The widest gap that a `delta` level of `bits` bits, from 1 to 63, can store: 15 for 4 bits.
fn widest_gap(bits: usize) -> i64 {
    i64::MAX >> (63 - bits)
}

impl<P: Position, C: Coordinate, T> Storage<P, C, T> {
    pub fn shape(&self) -> &[usize] {
        &self.parts.shape
    }

    /// The number of bytes of all arrays.
    pub fn bytes(&self) -> usize {
        let level = |level: &LevelParts<P, C::Word>| {
            size_of_val(&level.positions[..]) + size_of_val(&level.coordinates[..])
        };
        self.parts.levels.iter().map(level).sum::<usize>() + size_of_val(&self.parts.values[..])
    }

    /// The coordinates of one level, whichever array stores them.
    pub fn level_coordinates<'a>(
        &'a self,
        encoding: &'a SparseEncoding,
        level: usize,
    ) -> impl Iterator<Item = i64> + 'a {
        let stored = encoding.levels()[level].format.has_coordinates();
        let count = if stored { self.counts[level] * self.batches } else { 0 };
        (0..count).map(move |position| self.coordinate_at(encoding, level, position))
    }

    /// The coordinate at `position` of `level`, whichever array stores it.
    pub fn coordinate_at(&self, encoding: &SparseEncoding, level: usize, position: usize) -> i64 {
        let home = encoding.home(level);
        C::get(&self.parts.levels[home.level].coordinates, position * home.stride + home.offset)
    }
}
