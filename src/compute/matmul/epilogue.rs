//! The steps that are applied to the sums of a product before they are rounded.

use super::contraction::{Array, Contraction};
use super::decode::{Decode, Table};
use super::entry;
use super::labels::Labels;
use super::matrices::Matrices;
use super::output::{Number, number_type};
use super::panels::Matrix;
use super::row_notes::RowNotes;
use crate::movement::PackError;
use alloc::vec::Vec;
use layout_core::dtype::DType;
use layout_core::parts::MAX_RANK;

/// Changes the numbers of a row, starting at a column.
pub(super) trait Epilogue<N>: Sync {
    /// Changes the numbers of row `row`, starting at column `column`, in matrix number `matrix` of a batch.
    fn apply(&self, matrix: usize, row: usize, column: usize, numbers: &mut [N]);
    /// Records the numbers of a row that are about to be rounded and written.
    fn note(&self, _matrix: usize, _row: usize, _numbers: &[N]) {}
}

/// The steps for the sums of one matrix of a batch: the epilogue, and the number of the matrix, which is 0 without a batch.
pub(super) type InBatch<'a, N> = (&'a dyn Epilogue<N>, usize);

/// The last step.
pub trait Activation<N>: Sync {
    /// Whether it changes nothing.
    #[doc(hidden)]
    const IS_SAME: bool = false;
    /// The number to be rounded.
    #[doc(hidden)]
    fn activate(&self, number: N) -> N;
}

impl<N, F: Fn(N) -> N + Sync> Activation<N> for F {
    #[inline(always)]
    fn activate(&self, number: N) -> N {
        self(number)
    }
}

/// No activation.
#[derive(Clone, Copy, Debug)]
pub struct Same;

impl<N> Activation<N> for Same {
    const IS_SAME: bool = true;

    #[inline(always)]
    fn activate(&self, number: N) -> N {
        number
    }
}

/// A packed matrix, or a batch of matrices, that is multiplied by a number and added.
#[derive(Clone, Copy)]
pub(super) struct Addend<'a> {
    pub(super) scale: f32,
    pub(super) array: Array<'a>,
    pub(super) labels: Labels,
}

/// The steps for each number, in this order.
pub(super) struct Steps<'a, F> {
    pub(super) scale: Option<f32>,
    pub(super) row_scales: Option<&'a [f32]>,
    pub(super) column_scales: Option<&'a [f32]>,
    pub(super) addend: Option<Addend<'a>>,
    pub(super) row_bias: Option<&'a [f32]>,
    pub(super) column_bias: Option<&'a [f32]>,
    pub(super) activation: F,
}

impl Steps<'_, Same> {
    pub(super) const fn new() -> Self {
        Self {
            scale: None,
            row_scales: None,
            column_scales: None,
            addend: None,
            row_bias: None,
            column_bias: None,
            activation: Same,
        }
    }
}

/// The memory that reading an addend needs: a table of its elements, and a copy if they are not in rows.
pub(super) type AddendStorage = Option<(Option<Table>, Vec<u8>)>;

/// The matrices of an addend.
struct AddedMatrices<'a> {
    scale: f32,
    /// The first matrix or, if all matrices are the same bytes, that one.
    first: Matrix<'a>,
    matrices: Matrices,
    /// The sizes of the batch dimensions of the product.
    batch: [usize; MAX_RANK],
    dtype: DType,
}

impl<'a> AddedMatrices<'a> {
    /// The matrix with this number.
    fn matrix(&self, mut number: usize) -> Matrix<'a> {
        let batch = self.matrices.batch.as_slice();
        let mut index = [0; MAX_RANK];
        for (index, size) in index.iter_mut().zip(self.batch).take(batch.len()).rev() {
            (*index, number) = (number % size, number / size);
        }
        let start = self.matrices.number(&index) * self.matrices.bytes();
        Matrix { bytes: &self.first.bytes[start..], ..self.first }
    }
}

impl<'a, F> Steps<'a, F> {
    /// The same steps with another activation.
    pub(super) fn with<G>(self, activation: G) -> Steps<'a, G> {
        let Self { scale, row_scales, column_scales, addend, row_bias, column_bias, .. } = self;
        Steps { scale, row_scales, column_scales, addend, row_bias, column_bias, activation }
    }

    /// Whether there is no step.
    pub(super) fn is_empty<N>(&self) -> bool
    where
        F: Activation<N>,
    {
        let Self { scale, row_scales, column_scales, addend, row_bias, column_bias, .. } = self;
        let numbers = [row_scales, column_scales, row_bias, column_bias];
        F::IS_SAME && scale.is_none() && addend.is_none() && numbers.iter().all(|x| x.is_none())
    }

    /// The steps with the addend as matrices, for products with these rows and columns, in a batch of these sizes.
    pub(super) fn ready<'b>(
        &'b self,
        [rows, columns]: [usize; 2],
        batch: &[usize],
        storage: &'b mut AddendStorage,
        notes: Option<&'b RowNotes>,
    ) -> Result<Ready<'b, F>, PackError> {
        let addend = match &self.addend {
            None => None,
            Some(Addend { scale, array, labels }) => {
                let Array { spec, bytes, .. } = *array;
                let (table, copy) = storage.insert((None, Vec::new()));
                let dtype = number_type(spec.dtype());
                let decode = Decode::of(spec.dtype(), dtype, table);
                let mut matrices = Contraction::addend(labels, spec, false);
                // A single matrix is read in place, even if that takes longer for each element.
                if matrices.copy.is_none() && !entry::is_in_rows(&matrices.matrix, dtype) {
                    matrices = Contraction::addend(labels, spec, true);
                }
                let bytes = matrices.read(spec, array.sized().sizes, bytes, copy)?;
                let first = entry::matrix(&matrices.matrix, bytes, dtype, decode);
                let first = first.expect("rows without tiles, or as asked");
                let mut sizes = [1; MAX_RANK];
                sizes[..batch.len()].copy_from_slice(batch);
                Some(AddedMatrices { scale: *scale, first, matrices, batch: sizes, dtype })
            }
        };
        Ok(Ready { steps: self, addend, rows, columns, notes })
    }
}

/// Steps that are ready to be applied.
pub(super) struct Ready<'a, F> {
    steps: &'a Steps<'a, F>,
    addend: Option<AddedMatrices<'a>>,
    rows: usize,
    columns: usize,
    notes: Option<&'a RowNotes>,
}

/// The numbers for a part of a matrix, from numbers for one matrix or for all matrices of a batch.
fn part(numbers: &[f32], (matrix, each): (usize, usize), first: usize, len: usize) -> &[f32] {
    let start = if numbers.len() == each { first } else { matrix * each + first };
    &numbers[start..][..len]
}

impl<N: Number, F: Activation<N>> Epilogue<N> for Ready<'_, F> {
    fn apply(&self, matrix: usize, row: usize, column: usize, numbers: &mut [N]) {
        let steps = self.steps;
        let len = numbers.len();
        let of_row = |numbers| part(numbers, (matrix, self.rows), row, 1)[0];
        let of_columns = |numbers| part(numbers, (matrix, self.columns), column, len);
        for scale in [steps.scale, steps.row_scales.map(of_row)].into_iter().flatten() {
            numbers.iter_mut().for_each(|x| *x = *x * scale.into());
        }
        if let Some(scales) = steps.column_scales {
            for (x, scale) in numbers.iter_mut().zip(of_columns(scales)) {
                *x = *x * (*scale).into();
            }
        }
        if let Some(addend) = &self.addend {
            addend.matrix(matrix).each_element(row, column..column + len, |i, bits| {
                let number = N::of_bits(bits, addend.dtype);
                numbers[i] = numbers[i] + number * addend.scale.into();
            });
        }
        if let Some(bias) = steps.row_bias {
            let bias = of_row(bias);
            numbers.iter_mut().for_each(|x| *x = *x + bias.into());
        }
        if let Some(bias) = steps.column_bias {
            for (x, bias) in numbers.iter_mut().zip(of_columns(bias)) {
                *x = *x + (*bias).into();
            }
        }
        numbers.iter_mut().for_each(|x| *x = steps.activation.activate(*x));
    }

    fn note(&self, matrix: usize, row: usize, numbers: &[N]) {
        if let Some(notes) = self.notes {
            notes.add(matrix * self.rows + row, numbers);
        }
    }
}
