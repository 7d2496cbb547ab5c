//! The same product by other crates, row-major.

use super::race::Runner;
use std::hint::black_box;

macro_rules! peers {
    ($($T:ident $gemm:ident)*) => { $(
        /// Products by `matrixmultiply`, `gemm` and `faer`.
        pub(crate) fn $T<'a>([m, k, n]: [usize; 3]) -> Vec<Runner<'a>> {
            let operands = || (vec![1.0 as $T; m * k], vec![1.0 as $T; k * n], vec![0.0 as $T; m * n]);
            let [k_stride, n_stride] = [k, n].map(|stride| stride as isize);
            let (a, b, mut c) = operands();
            let by_matrixmultiply = move || {
                // SAFETY: three row-major arrays of these sizes.
                unsafe {
                    let (a, b, c) = (black_box(&a).as_ptr(), black_box(&b).as_ptr(), c.as_mut_ptr());
                    matrixmultiply::$gemm(
                        m, k, n, 1.0, a, k_stride, 1, b, n_stride, 1, 0.0, c, n_stride, 1,
                    );
                }
            };
            let (a, b, mut c) = operands();
            let by_gemm = move || {
                let none = gemm::Parallelism::None;
                // SAFETY: as above.
                unsafe {
                    let (a, b, c) = (black_box(&a).as_ptr(), black_box(&b).as_ptr(), c.as_mut_ptr());
                    gemm::gemm(
                        m, n, k, c, 1, n_stride, false, a, 1, k_stride, b, 1, n_stride, 0.0, 1.0, false,
                        false, false, none,
                    );
                }
            };
            let (a, b, mut c) = operands();
            let by_faer = move || {
                use faer::{Accum, MatMut, MatRef, Par};
                let a = MatRef::from_row_major_slice(black_box(&a), m, k);
                let b = MatRef::from_row_major_slice(black_box(&b), k, n);
                let c = MatMut::from_row_major_slice_mut(&mut c, m, n);
                faer::linalg::matmul::matmul(c, Accum::Replace, a, b, 1.0, Par::Seq);
            };
            vec![
                ("matrixmultiply".to_owned(), Box::new(by_matrixmultiply)),
                ("gemm".to_owned(), Box::new(by_gemm)),
                ("faer".to_owned(), Box::new(by_faer)),
            ]
        }
    )* };
}
peers! { f32 sgemm  f64 dgemm }
