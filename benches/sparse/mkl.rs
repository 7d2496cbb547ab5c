//! Products with CSR by MKL: a peer if `TENSOR_LAYOUT_BLAS` names its shared library, as in `TENSOR_LAYOUT_BLAS=libmkl_rt.so.2`. On
//! CPUs that are not Intel's, MKL may choose narrower instructions than the CPU has.

use crate::library::function;
use sparse_bench::Matrix;
use std::ffi::{CStr, c_int, c_void};

/// `SPARSE_INDEX_BASE_ZERO`, `SPARSE_OPERATION_NON_TRANSPOSE`, `SPARSE_LAYOUT_ROW_MAJOR` and `SPARSE_STATUS_SUCCESS`.
const FROM_ZERO: c_int = 0;
const AS_IT_IS: c_int = 10;
const ROW_MAJOR: c_int = 101;
const SUCCESS: c_int = 0;

/// The number of products for which MKL prepares a matrix.
const MANY: c_int = 1000;

/// `struct matrix_descr`.
#[repr(C)]
#[derive(Clone, Copy)]
struct Description {
    kind: c_int,
    half: c_int,
    diagonal: c_int,
}

/// `SPARSE_MATRIX_TYPE_GENERAL`; the rest is for other kinds.
const GENERAL: Description = Description { kind: 20, half: 40, diagonal: 50 };

type Handle = *mut c_void;
type Create = unsafe extern "C" fn(
    *mut Handle,
    c_int,
    c_int,
    c_int,
    *mut c_int,
    *mut c_int,
    *mut c_int,
    *mut f64,
) -> c_int;
type Hint = unsafe extern "C" fn(Handle, c_int, Description, c_int) -> c_int;
type Optimize = unsafe extern "C" fn(Handle) -> c_int;
type Multiply =
    unsafe extern "C" fn(c_int, f64, Handle, Description, *const f64, f64, *mut f64) -> c_int;
type MultiplyMatrix = unsafe extern "C" fn(
    c_int,
    f64,
    Handle,
    Description,
    c_int,
    *const f64,
    c_int,
    c_int,
    f64,
    *mut f64,
    c_int,
) -> c_int;

/// A function of the library.
///
/// # Safety
/// `F` must be the type of a pointer to a function, and that of the one with this name.
unsafe fn of<F: Copy>(name: &CStr) -> Option<F> {
    let at = function(&[name])?;
    // SAFETY: the caller promises the type, which has the size of the address.
    Some(unsafe { std::mem::transmute_copy::<*mut c_void, F>(&at) })
}

/// A matrix of MKL, with the arrays that it reads.
pub(crate) struct Prepared {
    handle: Handle,
    rows: usize,
    columns: usize,
    multiply: Multiply,
    multiply_matrix: MultiplyMatrix,
    _arrays: (Vec<c_int>, Vec<c_int>, Vec<f64>),
}

/// The matrix as MKL reads it; `None` without MKL.
///
/// If it is prepared for `many` products, MKL copies it to the format that it expects to be the fastest: diagonals for a band, or
/// slices of eight rows for a uniform matrix.
pub(crate) fn prepared(a: &Matrix, many: bool) -> Option<Prepared> {
    let narrow = |numbers: &[u32]| numbers.iter().map(|n| *n as c_int).collect::<Vec<_>>();
    let (mut positions, mut coordinates) = (narrow(&a.positions), narrow(&a.coordinates));
    let mut values = a.values.clone();
    let mut handle = std::ptr::null_mut();
    // SAFETY: these are the types of the functions in `mkl_spblas.h`, with integers of 32 bits. The arrays are those of CSR, and
    // live as long as the handle.
    unsafe {
        let create: Create = of(c"mkl_sparse_d_create_csr")?;
        let (rows, columns) = (a.rows as c_int, a.columns as c_int);
        let starts = positions.as_mut_ptr();
        let (indices, data) = (coordinates.as_mut_ptr(), values.as_mut_ptr());
        let ends = starts.add(1);
        let made = create(&mut handle, FROM_ZERO, rows, columns, starts, ends, indices, data);
        assert_eq!(made, SUCCESS, "MKL takes the matrix");
        if many {
            // The hint only affects the speed.
            of::<Hint>(c"mkl_sparse_set_mv_hint")?(handle, AS_IT_IS, GENERAL, MANY);
            of::<Optimize>(c"mkl_sparse_optimize")?(handle);
        }
        Some(Prepared {
            handle,
            rows: a.rows,
            columns: a.columns,
            multiply: of(c"mkl_sparse_d_mv")?,
            multiply_matrix: of(c"mkl_sparse_d_mm")?,
            _arrays: (positions, coordinates, values),
        })
    }
}

impl Prepared {
    /// `y = A x`.
    pub(crate) fn spmv(&self, x: &[f64], y: &mut [f64]) {
        assert!(x.len() == self.columns && y.len() == self.rows);
        // SAFETY: the vectors have the sizes of the matrix.
        let done = unsafe {
            (self.multiply)(AS_IT_IS, 1.0, self.handle, GENERAL, x.as_ptr(), 0.0, y.as_mut_ptr())
        };
        assert_eq!(done, SUCCESS, "MKL multiplies");
    }

    /// `Y = A X`, both row-major.
    pub(crate) fn spmm<const K: usize>(&self, x: &[[f64; K]], y: &mut [[f64; K]]) {
        assert!(x.len() == self.columns && y.len() == self.rows);
        let (x, y, width) = (x.as_ptr().cast(), y.as_mut_ptr().cast(), K as c_int);
        // SAFETY: the matrices have the sizes of the sparse one, and rows of `K`.
        let done = unsafe {
            (self.multiply_matrix)(
                AS_IT_IS,
                1.0,
                self.handle,
                GENERAL,
                ROW_MAJOR,
                x,
                width,
                width,
                0.0,
                y,
                width,
            )
        };
        assert_eq!(done, SUCCESS, "MKL multiplies");
    }
}
