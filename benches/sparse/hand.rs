//! Handwritten loops, without checks of bounds.

use sparse_bench::Matrix;

/// `y = A x`
///
/// # Safety
/// `x` must have an element for each column of the matrix, and `y` an element for each row.
pub(crate) unsafe fn spmv(a: &Matrix, x: &[f64], y: &mut [f64]) {
    for i in 0..a.rows {
        // SAFETY: a matrix has one position more than rows, which are bounds of its entries; the caller passes vectors of
        // its sizes.
        unsafe {
            let (start, end) = (*a.positions.get_unchecked(i), *a.positions.get_unchecked(i + 1));
            let mut sum = 0.0;
            for p in start as usize..end as usize {
                let j = *a.coordinates.get_unchecked(p) as usize;
                sum += a.values.get_unchecked(p) * x.get_unchecked(j);
            }
            *y.get_unchecked_mut(i) = sum;
        }
    }
}

/// The same with four sums, so that additions need not wait for each other.
///
/// # Safety
/// As [`spmv`].
pub(crate) unsafe fn spmv_unrolled(a: &Matrix, x: &[f64], y: &mut [f64]) {
    for i in 0..a.rows {
        // SAFETY: as in `spmv`; groups of four end before `end`.
        unsafe {
            let (start, end) = (*a.positions.get_unchecked(i), *a.positions.get_unchecked(i + 1));
            let (mut p, end) = (start as usize, end as usize);
            let term = |p: usize| {
                a.values.get_unchecked(p)
                    * x.get_unchecked(*a.coordinates.get_unchecked(p) as usize)
            };
            let mut sums = [0.0; 4];
            while p + 4 <= end {
                for (lane, sum) in sums.iter_mut().enumerate() {
                    *sum += term(p + lane);
                }
                p += 4;
            }
            let mut sum = (sums[0] + sums[1]) + (sums[2] + sums[3]);
            while p < end {
                sum += term(p);
                p += 1;
            }
            *y.get_unchecked_mut(i) = sum;
        }
    }
}

/// `Y = A X`, where `X` has 32 columns.
pub(crate) fn spmm_32(a: &Matrix, x: &[[f64; 32]], y: &mut [[f64; 32]]) {
    for (i, row) in y.iter_mut().enumerate() {
        let mut sums = [0.0; 32];
        for p in a.positions[i] as usize..a.positions[i + 1] as usize {
            let (value, x) = (a.values[p], &x[a.coordinates[p] as usize]);
            for (sum, x) in sums.iter_mut().zip(x) {
                *sum += value * x;
            }
        }
        *row = sums;
    }
}

/// Fibers of an array of rank 3, in the obvious storage: `A(i, k, l)` for `l` in a range of each `(i, k)`.
pub(crate) struct Fibers {
    pub(crate) tops: Vec<u32>,
    pub(crate) fibers: Vec<(u32, u32)>,
    pub(crate) coordinates: Vec<u32>,
    pub(crate) values: Vec<f64>,
}

impl Fibers {
    pub(crate) fn new(rows: usize, entries: &[([usize; 3], f64)]) -> Self {
        let mut this =
            Self { tops: vec![0], fibers: Vec::new(), coordinates: Vec::new(), values: Vec::new() };
        let mut last = None;
        for i in 0..rows {
            let of = entries.partition_point(|([at, ..], _)| *at < i);
            for ([_, k, l], value) in entries[of..].iter().take_while(|([at, ..], _)| *at == i) {
                if last != Some((i, *k)) {
                    this.fibers.push((*k as u32, this.values.len() as u32));
                    last = Some((i, *k));
                }
                this.coordinates.push(*l as u32);
                this.values.push(*value);
            }
            this.tops.push(this.fibers.len() as u32);
        }
        this.fibers.push((0, this.values.len() as u32));
        this
    }
}

/// `A(i, j) = B(i, k, l) D(l, j) C(k, j)` for 32 values of `j`: sums over `l` first.
pub(crate) fn mttkrp_32(b: &Fibers, d: &[[f64; 32]], c: &[[f64; 32]], a: &mut [[f64; 32]]) {
    for (i, row) in a.iter_mut().enumerate() {
        let mut sums = [0.0; 32];
        for fiber in b.tops[i] as usize..b.tops[i + 1] as usize {
            let (k, start) = b.fibers[fiber];
            let mut inner = [0.0; 32];
            for p in start as usize..b.fibers[fiber + 1].1 as usize {
                let (value, d) = (b.values[p], &d[b.coordinates[p] as usize]);
                for (sum, d) in inner.iter_mut().zip(d) {
                    *sum += value * d;
                }
            }
            for ((sum, inner), c) in sums.iter_mut().zip(inner).zip(&c[k as usize]) {
                *sum += inner * c;
            }
        }
        *row = sums;
    }
}
