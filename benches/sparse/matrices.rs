//! The matrices with which sparse kernels are measured, the same in every run.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

/// The entries of a matrix, row by row, with the columns in order: a form that every library can read.
#[derive(Clone, Debug, PartialEq)]
pub struct Matrix {
    /// Number of rows.
    pub rows: usize,
    /// Number of columns.
    pub columns: usize,
    /// Where each row starts, and where the last one ends.
    pub positions: Vec<u32>,
    /// The column of each entry.
    pub coordinates: Vec<u32>,
    /// The value of each entry.
    pub values: Vec<f64>,
}

/// SplitMix64: short, and good enough to scatter entries.
pub struct Random(u64);

impl Random {
    /// The numbers that follow from `seed`.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number from 0 to below 1.
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// A number below `end`.
    pub fn below(&mut self, end: usize) -> usize {
        (self.unit() * end as f64) as usize
    }

    /// `count` numbers from -1 to 1.
    pub fn values(&mut self, count: usize) -> Vec<f64> {
        (0..count).map(|_| self.unit() * 2.0 - 1.0).collect()
    }
}

impl Matrix {
    /// The matrix whose row `i` has entries in the columns `row(i)`.
    pub fn from_rows(
        rows: usize,
        columns: usize,
        mut row: impl FnMut(usize) -> BTreeSet<u32>,
    ) -> Self {
        let (mut positions, mut coordinates) = (vec![0], Vec::new());
        for i in 0..rows {
            coordinates.extend(row(i));
            positions.push(coordinates.len() as u32);
        }
        let values = Random::new(7).values(coordinates.len());
        Self { rows, columns, positions, coordinates, values }
    }

    /// Number of entries.
    pub fn nnz(&self) -> usize {
        self.values.len()
    }

    /// The matrix, after checking its number of entries.
    fn of_size(self, nnz: RangeInclusive<usize>) -> Self {
        assert!(nnz.contains(&self.nnz()), "{} entries, not {nnz:?}", self.nnz());
        self
    }
}

/// The nine diagonals around the main one: a million entries, in 14 MB with the vectors of a product.
pub fn band() -> Matrix {
    let rows = 111_112;
    Matrix::from_rows(rows, rows, |i| {
        (i.saturating_sub(4)..(i + 5).min(rows)).map(|j| j as u32).collect()
    })
    .of_size(9 * rows - 20..=9 * rows - 20)
}

/// About five million entries: few rows and few columns have most of them.
pub fn power_law() -> Matrix {
    let rows = 1 << 19;
    let mut random = Random::new(1);
    Matrix::from_rows(rows, rows, |_| {
        let degree = (4.0 / random.unit().max(1e-6).powf(0.6)) as usize;
        let column = |random: &mut Random| (random.unit().powi(3) * rows as f64) as u32;
        (0..degree.min(20_000)).map(|_| column(&mut random)).collect()
    })
    .of_size(4_500_000..=5_500_000)
}

/// About five million entries, ten in each row, anywhere.
pub fn uniform() -> Matrix {
    scattered(1 << 19)
}

/// The same with a sixteenth of the rows and columns, for what grows with the square of the entries.
pub fn small_uniform() -> Matrix {
    scattered(1 << 15)
}

/// Ten entries in each row, anywhere.
fn scattered(rows: usize) -> Matrix {
    let mut random = Random::new(2);
    Matrix::from_rows(rows, rows, |_| (0..10).map(|_| random.below(rows) as u32).collect())
        .of_size(10 * rows - 2 * rows / 100..=10 * rows)
}

/// Blocks of 4 by 4, eight in each row of blocks, near the diagonal: two million values.
pub fn blocks() -> Matrix {
    let rows = 1 << 16;
    let mut random = Random::new(3);
    let mut row = BTreeSet::new();
    Matrix::from_rows(rows, rows, |i| {
        if i % 4 == 0 {
            row.clear();
            while row.len() < 32 {
                let near = (i / 4 + random.below(512)).saturating_sub(256).min(rows / 4 - 1);
                row.extend((0..4).map(|j| (near * 4 + j) as u32));
            }
        }
        row.clone()
    })
    .of_size(1 << 21..=1 << 21)
}

/// The entries of an array of rank 3, in order: two million, ten in each fiber that has some.
pub fn fibers() -> ([usize; 3], Vec<([usize; 3], f64)>) {
    let shape = [500, 400, 1000];
    let mut random = Random::new(4);
    let mut entries = Vec::new();
    for i in 0..shape[0] {
        for k in 0..shape[1] {
            let fiber: BTreeSet<usize> = (0..10).map(|_| random.below(shape[2])).collect();
            entries.extend(fiber.into_iter().map(|l| ([i, k, l], 1.0 - random.unit())));
        }
    }
    (shape, entries)
}
