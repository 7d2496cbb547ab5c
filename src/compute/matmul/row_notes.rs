//! Results for each row of a product, computed when it is written: the largest element, or the sum.

use super::output::Number;
use alloc::vec::Vec;
use core::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// A result that a product computes for each of its rows, in the pass that writes them; see [`Product::packed_with_rows`].
///
/// [`Product::packed_with_rows`]: super::Product::packed_with_rows
///
/// ```
/// use tensor_layout::{Layout, Product, RowReduction, tiled};
/// let a = <tiled!(f32[2,2])>::pack(&[1.0, 2.0, 3.0, 4.0])?;
/// let (_, largest) = Product::of(&a, &a).packed_with_rows::<tiled!(f32[2,2])>(RowReduction::Max);
/// assert_eq!(largest, [10.0, 22.0]);                              // of `[7, 10]` and `[15, 22]`
/// # Ok::<(), tensor_layout::PackError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum RowReduction {
    /// The largest element. It is NaN if an element is NaN, and negative infinity for a row without elements.
    Max,
    /// The sum, in `f64`.
    Sum,
}

impl RowReduction {
    /// The result for a row without elements.
    const fn identity(self) -> f64 {
        match self {
            Self::Max => f64::NEG_INFINITY,
            Self::Sum => 0.0,
        }
    }

    fn of(self, a: f64, b: f64) -> f64 {
        match self {
            Self::Max if a >= b || a.is_nan() => a,
            Self::Max => b,
            Self::Sum => a + b,
        }
    }
}

/// The results for all rows so far. Several threads may have columns of the same row.
pub(super) struct RowNotes {
    reduction: RowReduction,
    /// The bits of `f64` numbers; every `f32` number is one.
    rows: Vec<AtomicU64>,
}

impl RowNotes {
    /// The results of rows without elements; `None` if memory cannot be allocated.
    pub(super) fn new(reduction: RowReduction, rows: usize) -> Option<Self> {
        let mut all = Vec::new();
        all.try_reserve_exact(rows).ok()?;
        all.extend((0..rows).map(|_| AtomicU64::new(reduction.identity().to_bits())));
        Some(Self { reduction, rows: all })
    }

    /// Adds some elements of a row.
    pub(super) fn add<N: Number>(&self, row: usize, numbers: &[N]) {
        let reduction = self.reduction;
        let part = numbers
            .iter()
            .fold(reduction.identity(), |so_far, x| reduction.of(so_far, (*x).into()));
        let add = |bits| Some(reduction.of(f64::from_bits(bits), part).to_bits());
        // `add` always returns a value.
        let _ = self.rows[row].fetch_update(Relaxed, Relaxed, add);
    }

    /// The results, row after row.
    pub(super) fn into_numbers(self) -> Vec<f64> {
        self.rows.into_iter().map(|bits| f64::from_bits(bits.into_inner())).collect()
    }
}
