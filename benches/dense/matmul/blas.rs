//! Products by a BLAS over its C interface, OpenBLAS or MKL: a peer where `TENSOR_LAYOUT_BLAS` names its shared library, as
//! in `TENSOR_LAYOUT_BLAS=libopenblas.so.0` or `=libmkl_rt.so.2`. It is loaded when the bench runs, so nothing depends on it.

use super::race::Runner;
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::hint::black_box;
use std::sync::OnceLock;
use tensor_layout::half::bf16;

/// The environment variable with the name of the library.
const VARIABLE: &str = "TENSOR_LAYOUT_BLAS";

// Parts of the C library, which the standard library links anyway.
unsafe extern "C" {
    fn dlopen(name: *const c_char, flags: c_int) -> *mut c_void;
    fn dlsym(library: *mut c_void, name: *const c_char) -> *mut c_void;
}

/// `RTLD_NOW`.
const NOW: c_int = 2;

/// The names of functions that set the number of threads, of which a library has one.
const SET_THREADS: [&CStr; 2] = [c"openblas_set_num_threads", c"MKL_Set_Num_Threads"];

/// The address of the first of some functions that the library has; `None` without a library.
///
/// # Panics
/// If the library cannot be loaded.
fn function(names: &[&CStr]) -> Option<*mut c_void> {
    static LIBRARY: OnceLock<Option<usize>> = OnceLock::new();
    let load = || {
        let name = std::env::var(VARIABLE).ok()?;
        let c_name = CString::new(name.as_str()).expect("a name without zeros");
        // SAFETY: the name ends with a zero, and whoever sets the variable answers for the library.
        let library = unsafe { dlopen(c_name.as_ptr(), NOW) };
        assert!(!library.is_null(), "{VARIABLE} is `{name}`, which cannot be loaded");
        for name in SET_THREADS {
            // SAFETY: the library is loaded, and the name ends with a zero.
            let set = unsafe { dlsym(library, name.as_ptr()) };
            if !set.is_null() {
                // SAFETY: both functions take an `int` and return nothing.
                unsafe { std::mem::transmute::<*mut c_void, unsafe extern "C" fn(c_int)>(set)(1) };
            }
        }
        Some(library.expose_provenance())
    };
    let library = std::ptr::with_exposed_provenance_mut((*LIBRARY.get_or_init(load))?);
    // SAFETY: as above.
    names.iter().map(|name| unsafe { dlsym(library, name.as_ptr()) }).find(|at| !at.is_null())
}

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
