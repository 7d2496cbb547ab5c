//! From packed arrays to what the kernels take.

use super::choose::MicroKernel;
use super::grid::Grid;
use super::panels::Matrix;
use super::product::Product;
use super::scratch::{NoMemory, Role};
use crate::movement::run_time::allocate;
use crate::movement::{DynLayout, PackError, padding};
use alloc::vec::Vec;
use layout_core::tiled::TiledSpec;

/// A packed matrix and its layout.
pub(super) type Operand<'a> = (&'a TiledSpec, &'a [u8]);

/// Writes the product of the packed matrices `a` and `b` to `c`, padding included.
///
/// # Errors
/// If there is no memory for copies and panels; a part of `c` may have been written then.
pub(super) fn multiply(
    kernel: MicroKernel,
    (a_spec, a): Operand<'_>,
    (b_spec, b): Operand<'_>,
    (c_spec, c): (&TiledSpec, &mut [u8]),
) -> Result<(), PackError> {
    let size = a_spec.dtype().byte_width();
    let (mut a_copy, mut b_copy) = (Vec::new(), Vec::new());
    let mut a_matrix = matrix(a_spec, a);
    if a_matrix.is_none_or(|a| !a.has_words()) {
        a_matrix = row_major((a_spec, a), &mut a_copy)?;
    }
    let b_words = Grid::of(b_spec, 4 / size).map(|grid| {
        let [rows, columns] = dims(b_spec);
        Matrix { bytes: b, grid, rows: (rows * size).div_ceil(4), columns, size: 4 }
    });
    let mut b_matrix = b_words.or_else(|| matrix(b_spec, b));
    if b_matrix.is_none() {
        b_matrix = row_major((b_spec, b), &mut b_copy)?;
    }
    let (Some(a), Some(b)) = (a_matrix, b_matrix) else {
        unreachable!("a row-major copy is a matrix")
    };
    let product = |c| Product { kernel, a, b, c };
    let no_memory = |NoMemory { role, bytes }| {
        let layout = match role {
            Role::A => a_spec,
            Role::B => b_spec,
            Role::C => c_spec,
        };
        PackError::OutOfMemory { bytes, layout: (*layout).into() }
    };
    match Grid::of(c_spec, 1) {
        Some(grid) => {
            padding::write(c_spec, c);
            product(grid).run(c.as_chunks_mut().0).map_err(no_memory)
        }
        None => {
            let spec = row_major_spec(c_spec);
            let mut sums = allocate::<u8>(&spec, spec.bytes())?;
            let sums_grid = Grid::row_major(dims(&spec));
            product(sums_grid).run(sums.as_chunks_mut().0).map_err(no_memory)?;
            spec.relayout_bytes(&sums, c_spec, c)
        }
    }
}

/// The packed matrix, if the elements of its rows are beside each other.
fn matrix<'a>(spec: &TiledSpec, bytes: &'a [u8]) -> Option<Matrix<'a>> {
    let (grid, size) = (Grid::of(spec, 1)?, spec.dtype().byte_width());
    let [rows, columns] = dims(spec);
    Some(Matrix { bytes, grid, rows, columns, size })
}

/// A copy of a packed matrix in which they are.
fn row_major<'a>(
    (spec, bytes): Operand<'_>,
    copy: &'a mut Vec<u8>,
) -> Result<Option<Matrix<'a>>, PackError> {
    let row_major = row_major_spec(spec);
    *copy = allocate(&row_major, row_major.bytes())?;
    spec.relayout_bytes(bytes, &row_major, copy)?;
    Ok(matrix(&row_major, copy))
}

fn dims(spec: &TiledSpec) -> [usize; 2] {
    spec.dims().try_into().expect("a matrix has two dimensions")
}

fn row_major_spec(spec: &TiledSpec) -> TiledSpec {
    TiledSpec::row_major(spec.dtype(), spec.dims()).expect("the array fits with its padding")
}
