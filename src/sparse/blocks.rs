use super::tensor::{SparseTensor, Word};
use super::typed::Encoding;
use crate::movement::PackError;
use crate::require::require;
use crate::typed::entry::row_major;
use crate::typed::packed::or_end;
use crate::typed::{Host, Layout, Packed};
use alloc::vec::Vec;
use layout_core::sparse::storage::Parts;

/// A sparse tensor of blocks, each packed in the tiled layout `L`.
///
/// The last levels of the encoding `E` are the dense levels of a block. Each block is a [`Packed`] array, which kernels can use
/// without converting it. The kernels of `sparse_kernel!` accept the tensor as an operand of the encoding `E`, and unpack the
/// blocks before the loops run.
///
/// ```
/// use tensor_layout::sparse::{BlockTensor, Duplicates, SparseTensor};
/// use tensor_layout::{sparse_encoding, sparse_kernel, tiled};
/// sparse_encoding! {
///     type Bsr = (i, j) -> (i floordiv 4 : dense, j floordiv 4 : compressed, i mod 4 : dense, j mod 4 : dense);
/// }
/// sparse_kernel! {
///     fn multiply(a: Bsr<f32>[i, j], x: Dense<f32>[j]) -> y: Dense<f32>[i] { y[i] = a[i, j] * x[j] }
/// }
/// type Block = tiled!(f32[4,4]{1,0:T(2,2)});
///
/// # fn main() {
/// let matrix = SparseTensor::<Bsr, f32>::from_coo([8, 8], &[([5, 6], 1.0)], Duplicates::Error).unwrap();
/// let blocks = BlockTensor::<Bsr, Block>::pack(&matrix).unwrap();
/// assert_eq!((blocks.positions(1), blocks.coordinates(1)), (&[0, 0, 1][..], &[1][..]));
/// assert_eq!(blocks.block(0).get([1, 2]), 1.0);
/// assert_eq!(blocks.unpack(), matrix);
/// assert_eq!(multiply(&blocks, &[2.0; 8]).unwrap().values(), [0.0, 0.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0]);
/// # }
/// ```
pub struct BlockTensor<E: Encoding, L: Layout> {
    /// The arrays of positions and coordinates.
    parts: Parts<E::Position, Word<E>, ()>,
    blocks: Vec<Packed<L>>,
}

impl<E: Encoding, L: Layout> BlockTensor<E, L> {
    /// Checks that the layout has the shape of a block of the encoding; evaluating it fails otherwise.
    const CHECKED: () = {
        require(
            E::SPEC.has_blocks_of(L::SPEC.dims()),
            "the last levels of the encoding must be dense, and hold a block of the shape of the layout; give both the same sizes",
        );
        require(E::SPEC.batch_levels() == 0, "blocks in batches are not supported");
    };

    /// Packs each block.
    ///
    /// Takes one pass over the values, and an allocation for each block.
    ///
    /// # Errors
    /// If memory for a block cannot be allocated, or if a value does not fit the element type.
    pub fn pack(tensor: &SparseTensor<E, Host<L>>) -> Result<Self, PackError> {
        let () = Self::CHECKED;
        let blocks = tensor.values().chunks_exact(L::SPEC.elements()).map(L::pack);
        let blocks = blocks.collect::<Result<Vec<_>, _>>()?;
        let Parts { shape, levels, .. } = &tensor.storage.parts;
        let (shape, levels) = (shape.clone(), levels.clone());
        Ok(Self { parts: Parts { shape, levels, values: Vec::new() }, blocks })
    }

    /// The tensor with the values of each block in row-major order.
    ///
    /// # Panics
    /// If memory for the values cannot be allocated, as collections do; see [`BlockTensor::try_unpack`].
    pub fn unpack(&self) -> SparseTensor<E, Host<L>> {
        or_end(self.try_unpack())
    }

    /// [`BlockTensor::unpack`] that returns an error if memory cannot be allocated.
    ///
    /// # Errors
    /// [`PackError::OutOfMemory`] if memory for the values cannot be allocated.
    pub fn try_unpack(&self) -> Result<SparseTensor<E, Host<L>>, PackError> {
        let size = L::SPEC.elements();
        let mut values = row_major::<L>(self.blocks.len().saturating_mul(size))?;
        // Blocks without elements have no values.
        let each = values.chunks_exact_mut(size.max(1)).zip(&self.blocks);
        each.into_iter().try_for_each(|(values, block)| block.as_ref().unpack_into(values))?;
        let Parts { shape, levels, .. } = &self.parts;
        let parts = Parts { shape: shape.clone(), levels: levels.clone(), values };
        match SparseTensor::assemble(parts) {
            Ok(tensor) => Ok(tensor),
            Err(_) => unreachable!("the arrays were those of a tensor, and the values are as many"),
        }
    }

    /// The sizes of the dimensions.
    pub fn shape(&self) -> E::Index {
        let mut shape = E::Index::default();
        shape.as_mut().copy_from_slice(&self.parts.shape);
        shape
    }

    /// The positions of a level; empty if it has none.
    ///
    /// # Panics
    /// If there is no such level.
    pub fn positions(&self, level: usize) -> &[E::Position] {
        &self.parts.levels[level].positions
    }

    /// The coordinates of a level as they are stored; empty if it has none.
    ///
    /// # Panics
    /// If there is no such level.
    pub fn coordinates(&self, level: usize) -> &[Word<E>] {
        &self.parts.levels[level].coordinates
    }

    /// The block at a position of the level above it.
    ///
    /// # Panics
    /// If there is no such position.
    pub fn block(&self, position: usize) -> &Packed<L> {
        &self.blocks[position]
    }

    /// The blocks in storage order.
    pub fn blocks(&self) -> &[Packed<L>] {
        &self.blocks
    }
}
