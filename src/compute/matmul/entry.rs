//! From packed arrays to the form that the kernels need.

use super::decode::Decode;
use super::epilogue::InBatch;
use super::grid::{Grid, NIBBLES, Word};
use super::micro_kernel::MicroKernel;
use super::multiplication::Multiplication;
use super::output::Output;
use super::panels::Matrix;
use super::scratch::{NoMemory, Role, Scratch};
use super::skinny::MAX_INNER;
use super::types::Sum;
use super::widening::Widening;
use crate::movement::run_time::allocate;
use crate::movement::{DynLayout, PackError, padding};
use alloc::vec::Vec;
use layout_core::dtype::DType;
use layout_core::tiled::TiledSpec;

/// The largest number of elements of a matrix, in tiles with words of several rows, that are read one by one in place: copying
/// the matrix to row-major order takes less time for each element, but more to set up.
const SMALL: usize = 1 << 14;

/// A packed matrix and its layout.
pub(super) type PackedMatrix<'a> = (&'a TiledSpec, &'a [u8]);

/// The kernel for that many rows of `A`; `in_rows` says whether `B` is read as rows of elements of 4 bits.
pub(super) fn kernel_for(
    kernel: MicroKernel,
    rows: usize,
    b: &TiledSpec,
    in_rows: bool,
) -> MicroKernel {
    let stored = match in_rows || has_nibbles(b) {
        true => NIBBLES,
        false => 4 / b.dtype().byte_width().min(4),
    };
    // The tiles of words that tile registers can load where they are.
    let fits =
        |grid: &Grid| b.dtype() == kernel.elements[1] && grid.width.is_multiple_of(kernel.columns);
    let grid = kernel.tiles.and_then(|_| Grid::of(b, stored)).filter(fits);
    kernel.for_rows(rows, stored, grid.map(|grid| grid.height))
}

/// Writes the product of the first rows, inner indices and columns of the packed matrices `a` and `b` to `c`, with the kernel's
/// elements in panels and with sums of type `S`. The padding of `c` becomes zero, and so do indices of a dimension that is not bounded
/// past the size of the product. Those of a bounded dimension are not part of the array, and may keep their values.
///
/// Given `before`, adds the product to `c` multiplied by `before`, and leaves the padding unchanged.
///
/// # Errors
/// If memory for copies and panels cannot be allocated. A part of `c` may then have been written.
pub(super) fn multiply<S: Sum>(
    kernel: MicroKernel,
    [rows, inner, columns]: [usize; 3],
    (a_spec, a): PackedMatrix<'_>,
    (b_spec, b): PackedMatrix<'_>,
    (c_spec, c): (&TiledSpec, &mut [u8]),
    before: Option<f32>,
    epilogue: Option<InBatch<'_, S::Number>>,
) -> Result<(), PackError> {
    let in_rows = rows == 1 && inner <= MAX_INNER && has_rows_of_nibbles(b_spec);
    let kernel = kernel_for(kernel, rows, b_spec, in_rows);
    let (mut a_copy, mut b_copy) = (Vec::new(), Vec::new());
    let (mut a_table, mut b_table, mut c_table) = (None, None, None);
    let [a_element, b_element] = kernel.elements;
    let b_rows = (b_element == DType::F64).then(|| row_major_spec(b_spec));
    let a_decode = Decode::of(a_spec.dtype(), a_element, &mut a_table);
    let b_decode = Decode::of(b_spec.dtype(), b_element, &mut b_table);
    let b_dims = [inner, columns];
    let b = match words((b_spec, b), &kernel, b_dims) {
        Some(words) => words,
        None if in_rows && kernel.stacked == NIBBLES => rows_of_nibbles((b_spec, b), b_dims),
        None if let Some(b_rows) = &b_rows => {
            row_major((b_spec, b), &mut b_copy, b_element, b_decode)?;
            words((b_rows, &b_copy), &kernel, b_dims).expect("rows without tiles")
        }
        None => {
            let b = self::rows((b_spec, b), &mut b_copy, b_element, b_decode)?;
            Matrix { rows: inner, columns, ..b }
        }
    };
    let in_place = |a: &Matrix<'_>| a.has_words() && (is_quick(a) || a.unstacks(&kernel, inner));
    let a = match in_tiles(a_spec, a, a_element, a_decode).filter(in_place) {
        Some(a) => a,
        None => row_major((a_spec, a), &mut a_copy, a_element, a_decode)?,
    };
    let a = Matrix { rows, columns: inner, ..a };
    let product = |c, adds, finish| Multiplication::new(kernel, [a, b], c, adds, finish);
    let no_memory = |NoMemory { role, bytes }| {
        let layout = match role {
            Role::A => a_spec,
            Role::B => b_spec,
            Role::C => c_spec,
        };
        PackError::OutOfMemory { bytes, layout: (*layout).into() }
    };
    // A sum of 64 bits is two words.
    let wide = S::DTYPE.byte_width() / 4;
    let is_sum = c_spec.dtype() == S::DTYPE
        && epilogue.is_none()
        && before.is_none_or(|before| before == 1.0);
    if is_sum && let Some(grid) = Grid::of(c_spec, 1) {
        if before.is_none() {
            write_padding(c_spec, c, [rows, columns]);
        }
        let product = product(grid.of_words(wide), before.is_some(), None);
        return product.run(c.as_chunks_mut().0).map_err(no_memory);
    }
    if is_sum && before.is_some() {
        // Unlike below, where integers saturate: the layout must not change the result.
        let spec = row_major_spec(c_spec);
        let mut copy = allocate::<u8>(&spec, spec.storage_bytes())?;
        c_spec.relayout_bytes(c, &spec, &mut copy)?;
        let grid = Grid::of(&spec, 1).expect("rows without tiles").of_words(wide);
        product(grid, true, None).run(copy.as_chunks_mut().0).map_err(no_memory)?;
        return spec.relayout_window_bytes((&[0, 0], &[rows, columns]), &copy, c_spec, c);
    }
    // The sums have an array of their own. They are finished into `c`, or into a row-major copy if `c` has another layout.
    let mut sums = Scratch::<Word>::of(Role::C, rows.saturating_mul(columns).saturating_mul(wide))
        .map_err(no_memory)?;
    let sums = sums.words();
    let grid = Grid::row_major([rows, columns]).of_words(wide);
    let before = before.map(|before| (before, &mut c_table));
    if Grid::stacked(c_spec).is_some() {
        if before.is_none() {
            write_padding(c_spec, c, [rows, columns]);
        }
        let output = Output::of(c_spec, c, S::DTYPE, before, epilogue).expect("a stacked grid");
        return product(grid, false, Some(&output)).run(sums).map_err(no_memory);
    }
    let spec = row_major_spec(c_spec);
    let mut copy = allocate::<u8>(&spec, spec.storage_bytes())?;
    let adds = before.is_some();
    if adds {
        c_spec.relayout_bytes(c, &spec, &mut copy)?;
    }
    let output =
        Output::of(&spec, &mut copy, S::DTYPE, before, epilogue).expect("rows without tiles");
    product(grid, false, Some(&output)).run(sums).map_err(no_memory)?;
    if adds {
        return spec.relayout_window_bytes((&[0, 0], &[rows, columns]), &copy, c_spec, c);
    }
    spec.relayout_bytes(&copy, c_spec, c)
}

/// Writes padding, and zeros outside of the first rows and columns. This can overwrite the latter.
fn write_padding(spec: &TiledSpec, packed: &mut [u8], reached: [usize; 2]) {
    let is_bounded = |dim: usize| spec.draft().bounded >> dim & 1 == 1;
    if (0..2).all(|dim| is_bounded(dim) || spec.dims()[dim] == reached[dim]) {
        padding::write(spec, packed);
    } else {
        packed.fill(0);
    }
}

/// The packed matrix of size `rows` by `columns`, as rows of words that a kernel can read in place; for `B` only.
fn words<'a>(
    (spec, bytes): PackedMatrix<'a>,
    kernel: &MicroKernel,
    [rows, columns]: [usize; 2],
) -> Option<Matrix<'a>> {
    let element = kernel.elements[1];
    let (depth, wide) = (kernel.stacked, element.byte_width().div_ceil(4));
    let grid = Grid::of(spec, depth).filter(|_| spec.dtype() == element)?.of_words(wide);
    let (rows, columns) = (rows.div_ceil(depth), columns * wide);
    let decode = Decode::Keep;
    Some(Matrix {
        bytes,
        grid,
        stack: 1,
        rows,
        columns,
        stored: 4,
        size: 4,
        nibbles: false,
        decode,
        widening: None,
    })
}

/// Whether a matrix is row-major with elements of 4 bits, two in each byte of a row.
fn has_rows_of_nibbles(spec: &TiledSpec) -> bool {
    let [_, columns] = dims(spec);
    let order = spec.minor_to_major();
    spec.stored_bits() == 4
        && spec.tiles().is_empty()
        && spec.padded().is_none()
        && order == [1, 0]
        && columns.is_multiple_of(2)
}

/// The first rows and columns of a matrix that [has rows of nibbles](has_rows_of_nibbles).
fn rows_of_nibbles((spec, bytes): PackedMatrix<'_>, [rows, columns]: [usize; 2]) -> Matrix<'_> {
    let (grid, decode) = (Grid::row_major(dims(spec)), Decode::Keep);
    Matrix {
        bytes,
        grid,
        stack: 1,
        rows,
        columns,
        stored: 1,
        size: 1,
        nibbles: true,
        decode,
        widening: None,
    }
}

/// Whether a matrix has rows of words of eight elements each.
fn has_nibbles(spec: &TiledSpec) -> bool {
    Grid::of(spec, NIBBLES).is_some()
}

/// Whether [`matrix`] reads the elements of a packed matrix in place.
pub(super) fn is_in_rows(spec: &TiledSpec, element: DType) -> bool {
    matrix(spec, &[], element, Decode::Keep).is_some()
}

/// The packed matrix, if its elements are in rows of tiles and reading them there is as fast as reading a copy.
pub(super) fn matrix<'a>(
    spec: &TiledSpec,
    bytes: &'a [u8],
    element: DType,
    decode: Decode<'a>,
) -> Option<Matrix<'a>> {
    in_tiles(spec, bytes, element, decode).filter(is_quick)
}

/// Whether reading the elements of a matrix one by one is as fast as reading a copy.
fn is_quick(matrix: &Matrix<'_>) -> bool {
    matrix.stack == 1 || matrix.rows.saturating_mul(matrix.columns) <= SMALL
}

/// The packed matrix, if its elements are in rows of tiles.
fn in_tiles<'a>(
    spec: &TiledSpec,
    bytes: &'a [u8],
    element: DType,
    decode: Decode<'a>,
) -> Option<Matrix<'a>> {
    let (grid, stack) = Grid::stacked(spec)?;
    let [rows, columns] = dims(spec);
    let (stored, size) = (spec.dtype().byte_width(), element.byte_width());
    let widening = Widening::of(spec.dtype(), element);
    Some(Matrix {
        bytes,
        grid,
        stack,
        rows,
        columns,
        stored,
        size,
        nibbles: false,
        decode,
        widening,
    })
}

/// The packed matrix, or a row-major copy of it.
fn rows<'a>(
    (spec, bytes): PackedMatrix<'a>,
    copy: &'a mut Vec<u8>,
    element: DType,
    decode: Decode<'a>,
) -> Result<Matrix<'a>, PackError> {
    let has_words = |matrix: &Matrix<'_>| matrix.stack == 4 && matrix.widening.is_some();
    match in_tiles(spec, bytes, element, decode).filter(|b| is_quick(b) || has_words(b)) {
        Some(matrix) => Ok(matrix),
        None => row_major((spec, bytes), copy, element, decode),
    }
}

/// A row-major copy of a packed matrix.
fn row_major<'a>(
    (spec, bytes): PackedMatrix<'_>,
    copy: &'a mut Vec<u8>,
    element: DType,
    decode: Decode<'a>,
) -> Result<Matrix<'a>, PackError> {
    let row_major = row_major_spec(spec);
    *copy = allocate(&row_major, row_major.storage_bytes())?;
    spec.relayout_bytes(bytes, &row_major, copy)?;
    Ok(matrix(&row_major, copy, element, decode).expect("rows without tiles"))
}

fn dims(spec: &TiledSpec) -> [usize; 2] {
    spec.dims().try_into().expect("a matrix has two dimensions")
}

fn row_major_spec(spec: &TiledSpec) -> TiledSpec {
    TiledSpec::row_major(spec.dtype(), spec.dims()).expect("the array fits with its padding")
}
