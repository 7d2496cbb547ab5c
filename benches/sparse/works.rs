//! The computations that are measured.

use crate::hand::{self, Fibers};
#[cfg(unix)]
use crate::mkl;
use crate::race::Runner;
use crate::{Measure, kernels, peers};
use faer::Mat;
use nalgebra_sparse::na::DMatrix;
use ndarray::Array2;
use sparse_bench::{Matrix, Random};
use std::hint::black_box;

/// Columns of the dense matrices.
const K: usize = 32;

/// MKL as two more runners, if it is loaded. The result goes to `y`.
#[cfg(unix)]
fn with<'a, T>(
    mut runners: Vec<Runner<'a>>,
    a: &Matrix,
    y: [&'a mut [T]; 2],
    run: impl Fn(&mkl::Prepared, &mut [T]) + Copy + 'a,
) -> Vec<Runner<'a>> {
    for ((name, many), y) in [("MKL CSR", false), ("MKL prepared", true)].into_iter().zip(y) {
        if let Some(mkl) = mkl::prepared(a, many) {
            runners.push((name.into(), Box::new(move || run(black_box(&mkl), y))));
        }
    }
    runners
}

fn spmv(measure: &mut Measure, name: &str, a: &Matrix) {
    let x = Random::new(5).values(a.columns);
    let [mut y0, mut y1, mut y2, mut y3, mut y4] = [(); 5].map(|()| vec![0.0; a.rows]);
    #[cfg(feature = "parallel")]
    let mut y5 = y0.clone();
    let own = kernels::csr(a);
    let (short, long) = (peers::sprs::<u32>(a), peers::sprs::<usize>(a));
    let (faer, nalgebra) = (peers::faer_rows(a), peers::nalgebra(a));
    let (faer_x, mut faer_y) = (Mat::from_fn(a.columns, 1, |i, _| x[i]), Mat::zeros(a.rows, 1));
    let nalgebra_x = DMatrix::from_fn(a.columns, 1, |i, _| x[i]);
    let mut nalgebra_y = DMatrix::zeros(a.rows, 1);
    #[cfg(unix)]
    let [mut mkl_y0, mut mkl_y1] = [(); 2].map(|()| vec![0.0; a.rows]);
    let runners: Vec<Runner<'_>> = vec![
        ("own".into(), Box::new(|| kernels::spmv_into(black_box(&own), &x, &mut y0).unwrap())),
        #[cfg(feature = "parallel")]
        (
            "threads".into(),
            Box::new(|| kernels::spmv_parallel_into(black_box(&own), &x, &mut y5).unwrap()),
        ),
        // SAFETY: the vectors have the sizes of the matrix.
        ("hand".into(), Box::new(|| unsafe { hand::spmv(black_box(a), &x, &mut y1) })),
        ("sprs u32".into(), Box::new(|| peers::spmv_sprs(black_box(&short), &x, &mut y3))),
        ("sprs usize".into(), Box::new(|| peers::spmv_sprs(black_box(&long), &x, &mut y4))),
        ("faer".into(), Box::new(|| peers::product_faer(black_box(&faer), &faer_x, &mut faer_y))),
        (
            "nalgebra".into(),
            Box::new(|| {
                peers::product_nalgebra(black_box(&nalgebra), &nalgebra_x, &mut nalgebra_y)
            }),
        ),
        (
            "hand, unrolled".into(),
            // SAFETY: as above. Not next to the other one, which would leave the matrix in the caches.
            Box::new(|| unsafe { hand::spmv_unrolled(black_box(a), &x, &mut y2) }),
        ),
    ];
    #[cfg(unix)]
    let runners = with(runners, a, [&mut mkl_y0, &mut mkl_y1], |mkl, y| mkl.spmv(&x, y));
    measure.work(name, a.nnz(), runners);
}

fn spmm(measure: &mut Measure, name: &str, a: &Matrix) {
    let x: Vec<[f64; K]> = {
        let mut random = Random::new(5);
        (0..a.columns).map(|_| std::array::from_fn(|_| random.unit())).collect()
    };
    let [mut y0, mut y1] = [(); 2].map(|()| vec![[0.0; K]; a.rows]);
    #[cfg(feature = "parallel")]
    let mut y2 = y0.clone();
    let own = kernels::csr(a);
    let (sprs, faer, nalgebra) = (peers::sprs::<u32>(a), peers::faer_rows(a), peers::nalgebra(a));
    let sprs_x = Array2::from_shape_fn((a.columns, K), |(j, k)| x[j][k]);
    let mut sprs_y = Array2::zeros((a.rows, K));
    let faer_x = Mat::from_fn(a.columns, K, |j, k| x[j][k]);
    let mut faer_y = Mat::zeros(a.rows, K);
    let nalgebra_x = DMatrix::from_fn(a.columns, K, |j, k| x[j][k]);
    let mut nalgebra_y = DMatrix::zeros(a.rows, K);
    #[cfg(unix)]
    let [mut mkl_y0, mut mkl_y1] = [(); 2].map(|()| vec![[0.0; K]; a.rows]);
    let runners: Vec<Runner<'_>> = vec![
        ("own".into(), Box::new(|| kernels::spmm_into(black_box(&own), &x, &mut y0).unwrap())),
        #[cfg(feature = "parallel")]
        (
            "threads".into(),
            Box::new(|| kernels::spmm_parallel_into(black_box(&own), &x, &mut y2).unwrap()),
        ),
        ("hand".into(), Box::new(|| hand::spmm_32(black_box(a), &x, &mut y1))),
        ("sprs".into(), Box::new(|| peers::spmm_sprs(black_box(&sprs), &sprs_x, &mut sprs_y))),
        ("faer".into(), Box::new(|| peers::product_faer(black_box(&faer), &faer_x, &mut faer_y))),
        (
            "nalgebra".into(),
            Box::new(|| {
                peers::product_nalgebra(black_box(&nalgebra), &nalgebra_x, &mut nalgebra_y)
            }),
        ),
    ];
    #[cfg(unix)]
    let runners = with(runners, a, [&mut mkl_y0, &mut mkl_y1], |mkl, y| mkl.spmm(&x, y));
    measure.work(name, a.nnz(), runners);
}

/// Multiplications of the product of a matrix with itself.
fn multiplications(a: &Matrix) -> usize {
    let of_row = |j: &u32| a.positions[*j as usize + 1] - a.positions[*j as usize];
    a.coordinates.iter().map(|j| of_row(j) as usize).sum()
}

fn spgemm(measure: &mut Measure, name: &str, a: &Matrix) {
    let own = kernels::csr(a);
    let (sprs, faer, nalgebra) =
        (peers::sprs::<u32>(a), peers::faer_columns(a), peers::nalgebra(a));
    let runners: Vec<Runner<'_>> = vec![
        ("own".into(), Box::new(|| drop(black_box(kernels::spgemm(black_box(&own), &own))))),
        #[cfg(feature = "parallel")]
        (
            "threads".into(),
            Box::new(|| drop(black_box(kernels::spgemm_parallel(black_box(&own), &own)))),
        ),
        ("sprs".into(), Box::new(|| drop(black_box(black_box(&sprs) * &sprs)))),
        ("faer".into(), Box::new(|| drop(black_box(peers::spgemm_faer(black_box(&faer)))))),
        ("nalgebra".into(), Box::new(|| drop(black_box(black_box(&nalgebra) * &nalgebra)))),
    ];
    measure.work(name, multiplications(a), runners);
}

/// Adds the matrix to its transposed one.
fn add(measure: &mut Measure, name: &str, a: &Matrix) {
    let own = kernels::csr(a);
    let own_b = kernels::transposed(&own).unwrap();
    let sprs = peers::sprs::<u32>(a);
    let sprs_b = sprs.transpose_view().to_csr();
    let faer = peers::faer_columns(a);
    let faer_b = faer.transpose().to_col_major().expect("there is memory");
    let nalgebra = peers::nalgebra(a);
    let nalgebra_b = nalgebra.transpose();
    let runners: Vec<Runner<'_>> = vec![
        ("own".into(), Box::new(|| drop(black_box(kernels::add(black_box(&own), &own_b))))),
        #[cfg(feature = "parallel")]
        (
            "threads".into(),
            Box::new(|| drop(black_box(kernels::add_parallel(black_box(&own), &own_b)))),
        ),
        ("sprs".into(), Box::new(|| drop(black_box(black_box(&sprs) + &sprs_b)))),
        ("faer".into(), Box::new(|| drop(black_box(peers::add_faer(black_box(&faer), &faer_b))))),
        ("nalgebra".into(), Box::new(|| drop(black_box(black_box(&nalgebra) + &nalgebra_b)))),
    ];
    measure.work(name, 2 * a.nnz(), runners);
}

fn mttkrp(measure: &mut Measure, name: &str) {
    let ([rows, ks, ls], entries) = sparse_bench::fibers();
    let b = Fibers::new(rows, &entries);
    let own = kernels::csf([rows, ks, ls], &entries);
    let mut random = Random::new(5);
    let mut dense = |rows: usize| -> Vec<[f64; K]> {
        (0..rows).map(|_| std::array::from_fn(|_| random.unit())).collect()
    };
    let (c, d) = (dense(ks), dense(ls));
    let [mut y0, mut y1] = [(); 2].map(|()| vec![[0.0; K]; rows]);
    let runners: Vec<Runner<'_>> = vec![
        (
            "own".into(),
            Box::new(|| kernels::mttkrp_into(black_box(&own), &d, &c, &mut y0).unwrap()),
        ),
        ("hand".into(), Box::new(|| hand::mttkrp_32(black_box(&b), &d, &c, &mut y1))),
    ];
    measure.work(name, entries.len(), runners);
}

/// The matrix of blocks, stored by blocks.
fn bsr(measure: &mut Measure, name: &str) {
    let a = sparse_bench::blocks();
    let (csr, x) = (kernels::csr(&a), Random::new(5).values(a.columns));
    let bsr = csr.convert::<kernels::Bsr>().unwrap();
    let [mut y0, mut y1, mut y2] = [(); 3].map(|()| vec![0.0; a.rows]);
    let sprs = peers::sprs::<u32>(&a);
    let (faer, faer_x) = (peers::faer_rows(&a), Mat::from_fn(a.columns, 1, |i, _| x[i]));
    let mut faer_y = Mat::zeros(a.rows, 1);
    let runners: Vec<Runner<'_>> = vec![
        ("own".into(), Box::new(|| kernels::bsr_spmv_into(black_box(&bsr), &x, &mut y0).unwrap())),
        ("own CSR".into(), Box::new(|| kernels::spmv_into(black_box(&csr), &x, &mut y1).unwrap())),
        ("sprs".into(), Box::new(|| peers::spmv_sprs(black_box(&sprs), &x, &mut y2))),
        ("faer".into(), Box::new(|| peers::product_faer(black_box(&faer), &faer_x, &mut faer_y))),
    ];
    measure.work(name, a.nnz(), runners);
}

/// The same by 32 columns.
fn bsr_spmm(measure: &mut Measure, name: &str) {
    let a = sparse_bench::blocks();
    let csr = kernels::csr(&a);
    let bsr = csr.convert::<kernels::Bsr>().unwrap();
    let x: Vec<[f64; K]> = {
        let mut random = Random::new(5);
        (0..a.columns).map(|_| std::array::from_fn(|_| random.unit())).collect()
    };
    let [mut y0, mut y1, mut y2] = [(); 3].map(|()| vec![[0.0; K]; a.rows]);
    let sprs = peers::sprs::<u32>(&a);
    let sprs_x = Array2::from_shape_fn((a.columns, K), |(j, k)| x[j][k]);
    let mut sprs_y = Array2::zeros((a.rows, K));
    let runners: Vec<Runner<'_>> = vec![
        ("own".into(), Box::new(|| kernels::bsr_spmm_into(black_box(&bsr), &x, &mut y0).unwrap())),
        ("own CSR".into(), Box::new(|| kernels::spmm_into(black_box(&csr), &x, &mut y1).unwrap())),
        ("hand".into(), Box::new(|| hand::spmm_32(black_box(&a), &x, &mut y2))),
        ("sprs".into(), Box::new(|| peers::spmm_sprs(black_box(&sprs), &sprs_x, &mut sprs_y))),
    ];
    measure.work(name, a.nnz(), runners);
}

type Matrices = [(&'static str, fn() -> Matrix); 4];
const MATRICES: Matrices = [
    ("band", sparse_bench::band),
    ("power law", sparse_bench::power_law),
    ("uniform", sparse_bench::uniform),
    ("small uniform", sparse_bench::small_uniform),
];

type Kernel = fn(&mut Measure, &str, &Matrix);
/// A kernel with a matrix of its own.
type Other = fn(&mut Measure, &str);

pub(crate) fn all(measure: &mut Measure) {
    let kernels: [(&str, Kernel, &[usize]); 4] = [
        ("spmv CSR", spmv, &[0, 1, 2]),
        ("spmm 32 CSR", spmm, &[0, 1]),
        ("spgemm CSR", spgemm, &[0, 3]),
        ("add CSR", add, &[0, 2]),
    ];
    for (kernel, run, matrices) in kernels {
        for (matrix, make) in matrices.iter().map(|at| MATRICES[*at]) {
            let name = format!("{kernel}, {matrix}");
            if measure.wants(&name) {
                run(measure, &name, &make());
            }
        }
    }
    let others: [(&str, Other); 3] = [
        ("spmv BSR 4x4, blocks", bsr),
        ("spmm 32 BSR 4x4, blocks", bsr_spmm),
        ("mttkrp 32 CSF", mttkrp),
    ];
    for (name, run) in others {
        if measure.wants(name) {
            run(measure, name);
        }
    }
}
