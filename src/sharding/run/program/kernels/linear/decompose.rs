//! Decompositions into triangular and orthogonal matrices, in the form of LAPACK.

use super::matrix::{Matrix, scale};
use alloc::vec::Vec;

impl Matrix {
    /// Replaces a matrix by the factors of its LU decomposition with partial pivoting: `u` on and above the diagonal, and `l`,
    /// whose diagonal is ones, below. Returns the row with which each row was exchanged, counted from 1, and 0 or the number of
    /// the first column without a pivot, counted from 1.
    pub(super) fn lu(&mut self) -> (Vec<usize>, usize) {
        let mut pivots = Vec::with_capacity(self.rows.min(self.columns));
        let mut failed = 0;
        for column in 0..self.rows.min(self.columns) {
            let mut pivot = column;
            for row in column + 1..self.rows {
                if self[[row, column]].abs() > self[[pivot, column]].abs() {
                    pivot = row;
                }
            }
            pivots.push(pivot + 1);
            if self[[pivot, column]] == 0.0 {
                failed = if failed == 0 { column + 1 } else { failed };
                continue;
            }
            for other in 0..self.columns {
                self.values.swap(column * self.columns + other, pivot * self.columns + other);
            }
            for row in column + 1..self.rows {
                let factor = self[[row, column]] / self[[column, column]];
                self[[row, column]] = factor;
                for other in column + 1..self.columns {
                    let own = self[[column, other]];
                    self[[row, other]] -= factor * own;
                }
            }
        }
        (pivots, failed)
    }

    /// Replaces a matrix by its QR decomposition: `r` on and above the diagonal and, below, the vectors `v` of the reflectors
    /// `1 - tau v vᵀ`, whose first element, 1, is not stored. Returns the scalar factors tau.
    pub(super) fn qr(&mut self) -> Vec<f64> {
        let count = self.rows.min(self.columns);
        let mut taus = Vec::with_capacity(count);
        for column in 0..count {
            let mut vector = self.below(column);
            if vector.iter().all(|x| *x == 0.0) {
                taus.push(0.0);
                continue;
            }
            let first = self[[column, column]];
            let scale = scale(vector.iter().copied().chain([first]));
            let first = first / scale;
            vector.iter_mut().for_each(|x| *x /= scale);
            let below: f64 = vector.iter().map(|x| x * x).sum();
            let length = -(first * first + below).sqrt().copysign(first);
            let tau = (length - first) / length;
            for (row, x) in (column + 1..self.rows).zip(&mut vector) {
                *x /= first - length;
                self[[row, column]] = *x;
            }
            self[[column, column]] = length * scale;
            self.reflect((column, &vector), tau, column + 1);
            taus.push(tau);
        }
        taus
    }

    /// The elements of a column below the diagonal.
    fn below(&self, column: usize) -> Vec<f64> {
        (column + 1..self.rows).map(|row| self[[row, column]]).collect()
    }

    /// Applies a reflector to the columns from `from` on. Its vector is zero before row `first`, 1 there, and `rest` after it.
    fn reflect(&mut self, (first, rest): (usize, &[f64]), tau: f64, from: usize) {
        for column in from..self.columns {
            let rows = (first + 1..self.rows).zip(rest);
            let sum: f64 = rows.clone().map(|(row, own)| own * self[[row, column]]).sum();
            let sum = tau * (self[[first, column]] + sum);
            self[[first, column]] -= sum;
            for (row, own) in rows {
                self[[row, column]] -= sum * own;
            }
        }
    }

    /// The first columns of the product of the reflectors whose vectors are below the diagonal, as many as the matrix has.
    pub(super) fn product_of_reflectors(&self, taus: &[f64]) -> Self {
        let mut made = self.clone();
        made.values.fill(0.0);
        let count = self.rows.min(self.columns);
        for at in 0..count {
            made[[at, at]] = 1.0;
        }
        for (column, tau) in taus.iter().enumerate().take(count).rev() {
            made.reflect((column, &self.below(column)), *tau, column);
        }
        made
    }
}
