//! The same loops over plain slices, written for speed.

use ndarray::{Array1, Array2, Axis};
use tensor_layout::half::bf16;

/// The number of independent sums.
const LANES: usize = 32;

/// A float type whose rows are summed.
pub(crate) trait Value: Copy {
    fn of(x: f32) -> Self;
    fn widen(self) -> f32;
    fn scale(self) -> Self;
    fn add(self, other: Self) -> Self;
    /// The sums of an `ndarray` over an axis.
    fn sums(x: &Array2<Self>, axis: usize) -> Array1<f32>;
    /// The sum of an `ndarray`.
    fn total(x: &Array2<Self>) -> f32;
}

impl Value for f32 {
    fn of(x: f32) -> Self {
        x
    }
    #[inline(always)]
    fn widen(self) -> f32 {
        self
    }
    #[inline(always)]
    fn scale(self) -> Self {
        self * 0.5 + 1.0
    }
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self + other
    }
    fn sums(x: &Array2<Self>, axis: usize) -> Array1<f32> {
        x.sum_axis(Axis(axis))
    }
    fn total(x: &Array2<Self>) -> f32 {
        x.sum()
    }
}

impl Value for bf16 {
    fn of(x: f32) -> Self {
        Self::from_f32(x)
    }
    #[inline(always)]
    fn widen(self) -> f32 {
        f32::from_bits(u32::from(self.to_bits()) << 16)
    }
    #[inline(always)]
    fn scale(self) -> Self {
        Self::from_f32(self.to_f32() * 0.5 + 1.0)
    }
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self + other
    }
    fn sums(x: &Array2<Self>, axis: usize) -> Array1<f32> {
        x.fold_axis(Axis(axis), 0.0, |sum, x| sum + x.widen())
    }
    fn total(x: &Array2<Self>) -> f32 {
        x.fold(0.0, |sum, x| sum + x.widen())
    }
}

pub(crate) fn add_to<T: Value>(to: &mut [T], x: &[T]) {
    for (to, x) in to.iter_mut().zip(x) {
        *to = to.add(*x);
    }
}

pub(crate) fn map<T: Value>(x: &mut [T]) {
    for x in x {
        *x = x.scale();
    }
}

pub(crate) fn zip<T: Value>(x: &[T], y: &[T], to: &mut [T]) {
    for (to, (x, y)) in to.iter_mut().zip(x.iter().zip(y)) {
        *to = x.add(*y);
    }
}

pub(crate) fn zip_row<T: Value>(x: &mut [T], row: &[T]) {
    for x in x.chunks_exact_mut(row.len()) {
        for (x, y) in x.iter_mut().zip(row) {
            *x = x.add(*y);
        }
    }
}

pub(crate) fn zip_column<T: Value>(x: &mut [T], column: &[T]) {
    let columns = x.len() / column.len();
    for (x, y) in x.chunks_exact_mut(columns).zip(column) {
        for x in x {
            *x = x.add(*y);
        }
    }
}

pub(crate) fn total<T: Value>(x: &[T]) -> f32 {
    let (chunks, rest) = x.as_chunks::<LANES>();
    let mut sums = [0.0; LANES];
    for chunk in chunks {
        for (sum, x) in sums.iter_mut().zip(chunk) {
            *sum += x.widen();
        }
    }
    sums.iter().sum::<f32>() + rest.iter().map(|x| x.widen()).sum::<f32>()
}

pub(crate) fn row_sums<T: Value>(x: &[T], columns: usize) -> Vec<f32> {
    x.chunks_exact(columns).map(total).collect()
}

pub(crate) fn column_sums<T: Value>(x: &[T], columns: usize) -> Vec<f32> {
    let mut sums = vec![0.0; columns];
    for row in x.chunks_exact(columns) {
        for (sum, x) in sums.iter_mut().zip(row) {
            *sum += x.widen();
        }
    }
    sums
}

pub(crate) fn row_maxima<T: Value>(x: &[T], columns: usize) -> Vec<f32> {
    let larger = |a: f32, b: f32| if b > a || b.is_nan() { b } else { a };
    x.chunks_exact(columns)
        .map(|row| {
            let (chunks, rest) = row.as_chunks::<LANES>();
            let mut maxima = [f32::NEG_INFINITY; LANES];
            for chunk in chunks {
                for (max, x) in maxima.iter_mut().zip(chunk) {
                    *max = larger(*max, x.widen());
                }
            }
            let rest = rest.iter().map(|x| x.widen());
            maxima.into_iter().chain(rest).fold(f32::NEG_INFINITY, larger)
        })
        .collect()
}

pub(crate) fn row_places<T: Value>(x: &[T], columns: usize) -> Vec<usize> {
    x.chunks_exact(columns)
        .map(|row| {
            let (mut position, mut max) = (0, f32::NEG_INFINITY);
            for (i, x) in row.iter().enumerate() {
                if x.widen() > max {
                    (position, max) = (i, x.widen());
                }
            }
            position
        })
        .collect()
}
