//! An array of any rank as a batch of matrices, each contiguous.
//!
//! In `bf16[16,128,64]{2,1,0:T(8,128)(2,1)}` the tiles divide the last two dimensions, so each of the 16 matrices is a packed
//! `bf16[128,64]{1,0:T(8,128)(2,1)}`. If matrices are not contiguous, or if several dimensions make up the rows or the columns,
//! the array is copied to an order in which they are.

use super::labels::{Labelled, position, pushed};
use crate::movement::run_time::allocate;
use crate::movement::{DynLayout, PackError};
use alloc::vec::Vec;
use layout_core::parts::MAX_RANK;
use layout_core::tiled::{Draft, List, Tile, TiledSpec};

type Dims = List<usize, MAX_RANK>;

/// The dimensions of an array by their roles in a product.
#[derive(Clone, Copy)]
pub(super) struct Roles {
    /// The batch dimensions, in the order of the product's; `None` for one that the array does not have.
    batch: List<Option<usize>, MAX_RANK>,
    rows: Dims,
    columns: Dims,
}

impl Roles {
    /// The roles of the dimensions with these labels.
    pub(super) const fn of(
        array: &Labelled,
        batch: &Labelled,
        rows: &Labelled,
        columns: &Labelled,
    ) -> Self {
        let mut all = List::new(None);
        let mut i = 0;
        while i < batch.len() {
            all = pushed(all, position(array, batch.as_slice()[i]));
            i += 1;
        }
        Self { batch: all, rows: dims(array, rows), columns: dims(array, columns) }
    }
}

/// The dimensions of an array that have these labels; the array must have all of them.
const fn dims(array: &Labelled, labels: &Labelled) -> Dims {
    let mut dims = List::new(0);
    let mut i = 0;
    while i < labels.len() {
        let Some(dim) = position(array, labels.as_slice()[i]) else { unreachable!() };
        dims = pushed(dims, dim);
        i += 1;
    }
    dims
}

/// The positions of the matrices of an array.
#[derive(Clone, Copy)]
pub(super) struct Matrices {
    /// The layout of each matrix.
    pub(super) matrix: TiledSpec,
    /// The layout of a copy of the array in which the matrices are contiguous, if they are not contiguous in the array itself.
    pub(super) copy: Option<TiledSpec>,
    roles: Roles,
    /// The sizes of the batch dimensions, and the number of matrices from one index to the next, which is 0 if the array has
    /// one matrix for all indices.
    pub(super) batch: List<(usize, usize), MAX_RANK>,
}

impl Matrices {
    /// The matrices of an array.
    pub(super) const fn of(spec: &TiledSpec, roles: Roles) -> Self {
        match in_place(spec, &roles) {
            Some(matrix) => Self::new(spec, None, matrix, roles),
            None => Self::copied(spec, roles),
        }
    }

    /// The matrices of a copy of the array.
    pub(super) const fn copied(spec: &TiledSpec, roles: Roles) -> Self {
        let (mut major_to_minor, mut i) = (List::new(0), 0);
        while i < roles.batch.len() {
            if let Some(dim) = roles.batch.as_slice()[i] {
                major_to_minor = pushed(major_to_minor, dim);
            }
            i += 1;
        }
        let (mut sizes, groups, mut group) = ([1; 2], [&roles.rows, &roles.columns], 0);
        while group < 2 {
            let mut i = 0;
            while i < groups[group].len() {
                let dim = groups[group].as_slice()[i];
                sizes[group] *= spec.dims()[dim];
                major_to_minor = pushed(major_to_minor, dim);
                i += 1;
            }
            group += 1;
        }
        let (mut order, mut i) = (List::new(0), major_to_minor.len());
        while i > 0 {
            i -= 1;
            order = pushed(order, major_to_minor.as_slice()[i]);
        }
        let Some(dims) = List::of(spec.dims()) else { unreachable!() };
        let copy = Draft::untiled(spec.dtype(), dims, order);
        match (copy.validate(), TiledSpec::row_major(spec.dtype(), &sizes)) {
            (Ok(copy), Some(matrix)) => Self::new(spec, Some(copy), matrix, roles),
            _ => panic!("the array fits with its padding"),
        }
    }

    const fn new(
        spec: &TiledSpec,
        copy: Option<TiledSpec>,
        matrix: TiledSpec,
        roles: Roles,
    ) -> Self {
        let order = match &copy {
            Some(copy) => copy.minor_to_major(),
            None => spec.minor_to_major(),
        };
        let (mut apart, mut count, mut i) = ([0; MAX_RANK], 1, 0);
        while i < order.len() {
            if !contains(&roles.rows, order[i]) && !contains(&roles.columns, order[i]) {
                apart[order[i]] = count;
                count *= spec.dims()[order[i]];
            }
            i += 1;
        }
        let (mut batch, mut i) = (List::new((0, 0)), 0);
        while i < roles.batch.len() {
            batch = pushed(
                batch,
                match roles.batch.as_slice()[i] {
                    Some(dim) if spec.dims()[dim] != 1 => (spec.dims()[dim], apart[dim]),
                    _ => (1, 0),
                },
            );
            i += 1;
        }
        Self { matrix, copy, roles, batch }
    }

    /// The bytes of a matrix.
    pub(super) const fn bytes(&self) -> usize {
        self.matrix.storage_bytes()
    }

    /// The number of the matrix at an index of the batch.
    pub(super) fn number(&self, index: &[usize]) -> usize {
        self.batch.as_slice().iter().zip(index).map(|((_, apart), index)| apart * index).sum()
    }

    /// The sizes of a matrix of an array with these sizes.
    pub(super) fn reached(&self, sizes: &[usize]) -> [usize; 2] {
        let dims = self.matrix.dims();
        let of = |group: &Dims, all: usize| match group.as_slice() {
            [dim] => sizes[*dim],
            _ => all,
        };
        [of(&self.roles.rows, dims[0]), of(&self.roles.columns, dims[1])]
    }

    /// The bytes of the matrices: those of the array, or of a copy, which is zero past the sizes.
    pub(super) fn read<'a>(
        &self,
        spec: &TiledSpec,
        sizes: &[usize],
        bytes: &'a [u8],
        copy: &'a mut Vec<u8>,
    ) -> Result<&'a [u8], PackError> {
        let Some(layout) = &self.copy else { return Ok(bytes) };
        *copy = allocate(layout, layout.storage_bytes())?;
        spec.relayout_bytes(bytes, layout, copy)?;
        clear_past(layout, sizes, copy);
        Ok(copy)
    }
}

/// Writes zeros past the sizes of an array without tiles.
pub(super) fn clear_past(spec: &TiledSpec, sizes: &[usize], bytes: &mut [u8]) {
    let [minor, others @ ..] = spec.minor_to_major() else { return };
    let (dims, width) = (spec.dims(), spec.stored_bits() / 8);
    if dims == sizes || bytes.is_empty() {
        return;
    }
    for (line, bytes) in bytes.chunks_exact_mut(dims[*minor] * width).enumerate() {
        let mut left = line;
        let inside = others.iter().all(|&dim| {
            let index = left % dims[dim];
            left /= dims[dim];
            index < sizes[dim]
        });
        bytes[if inside { sizes[*minor] * width } else { 0 }..].fill(0);
    }
}

/// The layout of the matrices of an array, if each is contiguous.
const fn in_place(spec: &TiledSpec, roles: &Roles) -> Option<TiledSpec> {
    let ([row], [column]) = (roles.rows.as_slice(), roles.columns.as_slice()) else { return None };
    let ([first, second, ..], draft) = (spec.minor_to_major(), spec.draft()) else { return None };
    let minor_to_major: &[usize] = if *first == *column && *second == *row {
        &[1, 0]
    } else if *first == *row && *second == *column {
        &[0, 1]
    } else {
        return None;
    };
    if spec.rank() == 2 && *row == 0 {
        return Some(*spec);
    }
    if spec.rank() > 2 && (!tiles_end_in_matrices(spec) || draft.tail_alignment != 1)
        || draft.padded.is_some()
        || !draft.splits.is_empty()
    {
        return None;
    }
    let (Some(dims), Some(order)) =
        (List::of(&[spec.dims()[*row], spec.dims()[*column]]), List::of(minor_to_major))
    else {
        return None;
    };
    let Ok(matrix) = (Draft { dims, minor_to_major: order, bounded: 0, ..*draft }).validate()
    else {
        return None;
    };
    let (mut count, mut i) = (1, 2);
    while i < spec.rank() {
        count *= spec.dims()[spec.minor_to_major()[i]];
        i += 1;
    }
    let whole = (matrix.len() * spec.stored_bits()).is_multiple_of(8);
    if whole && matrix.len() * count == spec.len() { Some(matrix) } else { None }
}

/// Whether no tile reaches past the two most minor dimensions.
const fn tiles_end_in_matrices(spec: &TiledSpec) -> bool {
    let mut i = 0;
    while i < spec.tiles().len() {
        let tile = spec.tiles()[i].as_slice();
        if tile.len() > 2 || !tile.is_empty() && tile[0] == Tile::COMBINE {
            return false;
        }
        i += 1;
    }
    true
}

const fn contains(dims: &Dims, dim: usize) -> bool {
    let mut i = 0;
    while i < dims.len() {
        if dims.as_slice()[i] == dim {
            return true;
        }
        i += 1;
    }
    false
}
