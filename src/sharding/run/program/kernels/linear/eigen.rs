//! Eigenvalues of symmetric matrices, by Jacobi's method.

use super::matrix::{Matrix, Triangle, scale};
use alloc::vec::Vec;

/// A sweep rotates each pair of columns once. The method converges quadratically: about ten sweeps suffice.
const SWEEPS: usize = 64;

/// The cosine and the sine of the rotation of two columns after which their product is zero; `own` and `other` are their products
/// with themselves, and `both` their product.
fn rotation(own: f64, other: f64, both: f64) -> (f64, f64) {
    let half = (other - own) / (2.0 * both);
    let tangent = 1.0_f64.copysign(half) / (half.abs() + half.hypot(1.0));
    let cosine = 1.0 / tangent.hypot(1.0);
    (cosine, cosine * tangent)
}

impl Matrix {
    /// Rotates two columns.
    fn rotate(&mut self, [p, q]: [usize; 2], (cosine, sine): (f64, f64)) {
        for row in 0..self.rows {
            let (x, y) = (self[[row, p]], self[[row, q]]);
            self[[row, p]] = cosine * x - sine * y;
            self[[row, q]] = sine * x + cosine * y;
        }
    }

    /// Rotates two rows.
    fn rotate_rows(&mut self, [p, q]: [usize; 2], (cosine, sine): (f64, f64)) {
        for column in 0..self.columns {
            let (x, y) = (self[[p, column]], self[[q, column]]);
            self[[p, column]] = cosine * x - sine * y;
            self[[q, column]] = sine * x + cosine * y;
        }
    }

    fn identity(size: usize) -> Self {
        let values = (0..size * size).map(|at| f64::from(at.is_multiple_of(size + 1))).collect();
        Self { rows: size, columns: size, values }
    }

    /// The eigenvalues of a symmetric matrix, of which one triangle is read, in ascending order, and the eigenvectors as the
    /// columns of a matrix. The signs of eigenvectors are not determined. `None` if an element is not finite.
    pub(super) fn eigen(&self, triangle: Triangle) -> Option<(Vec<f64>, Self)> {
        let size = self.rows;
        let mut x = self.clone();
        for row in 0..size {
            for column in 0..row {
                let own = match triangle {
                    Triangle::Lower => self[[row, column]],
                    Triangle::Upper => self[[column, row]],
                };
                (x[[row, column]], x[[column, row]]) = (own, own);
            }
        }
        if x.values.iter().any(|value| !value.is_finite()) {
            return None;
        }
        let scale = scale(x.values.iter().copied());
        x.values.iter_mut().for_each(|value| *value /= scale);
        let mut vectors = Self::identity(size);
        let norm: f64 = x.values.iter().map(|x| x * x).sum();
        let is_done = (0..SWEEPS).any(|_| {
            let off = (0..size).flat_map(|p| (p + 1..size).map(move |q| [p, q]));
            let rest: f64 = off.clone().map(|at| x[at] * x[at]).sum();
            if rest <= norm * 1e-32 {
                return true;
            }
            for [p, q] in off {
                if x[[p, q]] != 0.0 {
                    let by = rotation(x[[p, p]], x[[q, q]], x[[p, q]]);
                    x.rotate([p, q], by);
                    x.rotate_rows([p, q], by);
                    vectors.rotate([p, q], by);
                }
            }
            false
        });
        let mut order: Vec<_> = (0..size).collect();
        order.sort_by(|a, b| x[[*a, *a]].total_cmp(&x[[*b, *b]]));
        let values = order.iter().map(|at| x[[*at, *at]] * scale).collect();
        is_done.then(|| (values, vectors.with_columns(&order)))
    }

    fn with_columns(&self, order: &[usize]) -> Self {
        let rows = (0..self.rows).flat_map(|row| order.iter().map(move |at| self[[row, *at]]));
        Self { rows: self.rows, columns: order.len(), values: rows.collect() }
    }
}
