//! Matrices, their Cholesky factors, and triangular systems.

use alloc::vec::Vec;
use core::ops::{Index, IndexMut};

/// A row-major matrix.
#[derive(Clone, Debug)]
pub(super) struct Matrix {
    pub(super) rows: usize,
    pub(super) columns: usize,
    pub(super) values: Vec<f64>,
}

impl Index<[usize; 2]> for Matrix {
    type Output = f64;

    fn index(&self, [row, column]: [usize; 2]) -> &f64 {
        &self.values[row * self.columns + column]
    }
}

impl IndexMut<[usize; 2]> for Matrix {
    fn index_mut(&mut self, [row, column]: [usize; 2]) -> &mut f64 {
        &mut self.values[row * self.columns + column]
    }
}

/// The side of the diagonal on which the elements of a triangular matrix are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Triangle {
    Lower,
    Upper,
}

impl Triangle {
    /// `L` or `U`.
    pub(super) fn of(word: &str) -> Self {
        if word == "U" { Self::Upper } else { Self::Lower }
    }
}

/// The power of two by which numbers are divided so that the largest magnitude among them is near 1. Their squares then do not
/// overflow, and those that underflow are too small to matter. Dividing by it rounds no other numbers.
pub(super) fn scale(values: impl IntoIterator<Item = f64>) -> f64 {
    const EXPONENT: u64 = 0x7ff0_0000_0000_0000;
    let largest = values.into_iter().fold(0.0, |largest: f64, value| largest.max(value.abs()));
    f64::from_bits(largest.to_bits() & EXPONENT).max(f64::MIN_POSITIVE)
}

impl Matrix {
    /// Replaces one triangle of a symmetric matrix, of which only that triangle is read, by its Cholesky factor: `x = l lᵀ`, or
    /// `x = uᵀ u`. Returns 0 or, if the matrix is not positive definite, the size of its first leading part that is not.
    pub(super) fn cholesky(&mut self, triangle: Triangle) -> usize {
        let at = |row: usize, column: usize| match triangle {
            Triangle::Lower => [row, column],
            Triangle::Upper => [column, row],
        };
        for column in 0..self.rows {
            let squares: f64 = (0..column).map(|k| self[at(column, k)].powi(2)).sum();
            let square = self[at(column, column)] - squares;
            if square.is_nan() || square <= 0.0 {
                return column + 1;
            }
            let diagonal = square.sqrt();
            self[at(column, column)] = diagonal;
            for row in column + 1..self.rows {
                let sum: f64 = (0..column).map(|k| self[at(row, k)] * self[at(column, k)]).sum();
                self[at(row, column)] = (self[at(row, column)] - sum) / diagonal;
            }
        }
        0
    }

    /// Sets the elements on the other side of the diagonal to zero.
    pub(super) fn clear_outside(&mut self, triangle: Triangle) {
        for row in 0..self.rows {
            for column in 0..self.columns {
                let is_outside = match triangle {
                    Triangle::Lower => column > row,
                    Triangle::Upper => column < row,
                };
                if is_outside {
                    self[[row, column]] = 0.0;
                }
            }
        }
    }
}

/// A triangular system: `a x = b`, or `x a = b` unless `is_left`.
pub(super) struct System {
    pub(super) triangle: Triangle,
    pub(super) is_left: bool,
    pub(super) is_transposed: bool,
    /// The diagonal is not read: its elements are ones.
    pub(super) is_unit: bool,
}

impl System {
    /// Replaces `b` by the solution.
    pub(super) fn solve(&self, a: &Matrix, b: &mut Matrix) {
        // `x a = b` is the system `aᵀ xᵀ = bᵀ`.
        let is_transposed = self.is_transposed == self.is_left;
        let of = |row: usize, column: usize| match is_transposed {
            true => a[[column, row]],
            false => a[[row, column]],
        };
        let is_lower = (self.triangle == Triangle::Lower) != is_transposed;
        let (size, count) = if self.is_left { (b.rows, b.columns) } else { (b.columns, b.rows) };
        for vector in 0..count {
            let at = |k: usize| if self.is_left { [k, vector] } else { [vector, k] };
            for step in 0..size {
                let row = if is_lower { step } else { size - 1 - step };
                let known = if is_lower { 0..row } else { row + 1..size };
                let sum: f64 = known.map(|k| of(row, k) * b[at(k)]).sum();
                let value = b[at(row)] - sum;
                b[at(row)] = if self.is_unit { value } else { value / of(row, row) };
            }
        }
    }
}
