//! Products by the C interface of a BLAS, OpenBLAS or MKL: a peer if `TENSOR_LAYOUT_BLAS` names its shared library, as in
//! `TENSOR_LAYOUT_BLAS=libopenblas.so.0` or `=libmkl_rt.so.2`. It is loaded when the bench runs, so nothing depends on it.

use super::library::function;
use super::race::Runner;
use std::ffi::{c_int, c_void};
use std::hint::black_box;
use tensor_layout::half::bf16;

/// `CblasRowMajor` and `CblasNoTrans`.
const ROW_MAJOR: c_int = 101;
const AS_IT_IS: c_int = 111;

macro_rules! products {
    ($($name:ident: $T:ty => $Sum:ty, $one:expr, [$($function:literal)*];)*) => { $(
        /// The product by the library, if there is one and it multiplies such elements.
        pub(crate) fn $name<'a>([m, k, n]: [usize; 3]) -> Option<Runner<'a>> {
            type Gemm = unsafe extern "C" fn(
                c_int, c_int, c_int, c_int, c_int, c_int,
                $Sum, *const $T, c_int, *const $T, c_int, $Sum, *mut $Sum, c_int,
            );
            let at = function(&[$($function),*])?;
            // SAFETY: functions of these names have this signature in each BLAS.
            let gemm = unsafe { std::mem::transmute::<*mut c_void, Gemm>(at) };
            let (a, b, mut c): (Vec<$T>, Vec<$T>, Vec<$Sum>) =
                (vec![$one; m * k], vec![$one; k * n], vec![0.0; m * n]);
            let [rows, inner, columns] = [m, k, n].map(|size| size as c_int);
            let run = move || {
                let (a, b) = (black_box(&a), black_box(&b));
                // SAFETY: three row-major arrays of these sizes.
                unsafe {
                    gemm(
                        ROW_MAJOR, AS_IT_IS, AS_IT_IS, rows, columns, inner,
                        1.0, a.as_ptr(), inner, b.as_ptr(), columns, 0.0, c.as_mut_ptr(), columns,
                    );
                }
            };
            Some(("BLAS".to_owned(), Box::new(run)))
        }
    )* };
}
products! {
    f32: f32 => f32, 1.0, [c"cblas_sgemm"];
    f64: f64 => f64, 1.0, [c"cblas_dgemm"];
    bf16: bf16 => f32, bf16::ONE, [c"cblas_gemm_bf16bf16f32" c"cblas_sbgemm"];
}
