//! Products by the C interface of a BLAS, OpenBLAS or MKL: a peer if `TENSOR_LAYOUT_BLAS` names its shared library, as in
//! `TENSOR_LAYOUT_BLAS=libopenblas.so.0` or `=libmkl_rt.so.2`. It is loaded when the bench runs, so nothing depends on it. MKL also
//! multiplies by a matrix that it has packed in advance, as our tiles are.

use super::library::function;
use super::race::Runner;
use std::ffi::{CStr, c_int, c_void};
use std::hint::black_box;
use tensor_layout::half::bf16;

/// `CblasRowMajor` and `CblasNoTrans`.
const ROW_MAJOR: c_int = 101;
const AS_IT_IS: c_int = 111;
/// `CblasPacked`, `CblasBMatrix` and `CblasFixOffset`, which only MKL has.
const PACKED: c_int = 151;
const RIGHT: c_int = 162;
const ONE_OFFSET: c_int = 173;

/// The number of bytes of a packed matrix.
type PackedSize = unsafe extern "C" fn(c_int, c_int, c_int, c_int) -> usize;

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

/// Memory for the right matrix as MKL packs it, in pages of its own.
fn memory(size: &[&CStr], [m, k, n]: [c_int; 3]) -> Option<Vec<u8>> {
    // SAFETY: functions of these names have this signature.
    let size = unsafe { std::mem::transmute::<*mut c_void, PackedSize>(function(size)?) };
    // SAFETY: the function only computes.
    Some(vec![0; unsafe { size(RIGHT, m, n, k) } + 4096])
}

/// The first byte at a multiple of 4096.
fn aligned(memory: &mut [u8]) -> *mut c_void {
    let at = memory.as_ptr().align_offset(4096);
    memory[at..].as_mut_ptr().cast()
}

/// The product of `bf16` whose right matrix MKL has packed in advance.
pub(crate) fn packed_bf16<'a>([m, k, n]: [usize; 3]) -> Option<Runner<'a>> {
    type Pack = unsafe extern "C" fn(
        c_int,
        c_int,
        c_int,
        c_int,
        c_int,
        c_int,
        *const bf16,
        c_int,
        *mut c_void,
    );
    type Compute = unsafe extern "C" fn(
        c_int,
        c_int,
        c_int,
        c_int,
        c_int,
        c_int,
        f32,
        *const bf16,
        c_int,
        *const c_void,
        c_int,
        f32,
        *mut f32,
        c_int,
    );
    let sizes @ [rows, inner, columns] = [m, k, n].map(|size| size as c_int);
    let mut packed = memory(&[c"cblas_gemm_bf16bf16f32_pack_get_size"], sizes)?;
    let to = aligned(&mut packed);
    let (a, b, mut c) = (vec![bf16::ONE; m * k], vec![bf16::ONE; k * n], vec![0.0; m * n]);
    // SAFETY: functions of these names have these signatures. The matrix is row-major, and its packed form has memory.
    let compute = unsafe {
        let pack: Pack = std::mem::transmute(function(&[c"cblas_gemm_bf16bf16f32_pack"])?);
        pack(ROW_MAJOR, RIGHT, AS_IT_IS, rows, columns, inner, b.as_ptr(), columns, to);
        std::mem::transmute::<*mut c_void, Compute>(function(&[c"cblas_gemm_bf16bf16f32_compute"])?)
    };
    let run = move || {
        let b = aligned(black_box(&mut packed));
        // SAFETY: two row-major arrays and a packed one of these sizes.
        unsafe {
            compute(
                ROW_MAJOR,
                AS_IT_IS,
                PACKED,
                rows,
                columns,
                inner,
                1.0,
                black_box(&a).as_ptr(),
                inner,
                b,
                columns,
                0.0,
                c.as_mut_ptr(),
                columns,
            );
        }
    };
    Some(("BLAS, packed in advance".to_owned(), Box::new(run)))
}

/// Products of `u8` by `s8`, without and with a right matrix that MKL has packed in advance. It multiplies no other bytes by rows.
pub(crate) fn bytes<'a>([m, k, n]: [usize; 3]) -> Option<[Runner<'a>; 2]> {
    type Pack = unsafe extern "C" fn(
        c_int,
        c_int,
        c_int,
        c_int,
        c_int,
        c_int,
        *const i8,
        c_int,
        *mut c_void,
    );
    type Gemm = unsafe extern "C" fn(
        c_int,
        c_int,
        c_int,
        c_int,
        c_int,
        c_int,
        c_int,
        f32,
        *const u8,
        c_int,
        i8,
        *const c_void,
        c_int,
        i8,
        f32,
        *mut i32,
        c_int,
        *const i32,
    );
    let sizes @ [rows, inner, columns] = [m, k, n].map(|size| size as c_int);
    let mut packed = memory(&[c"cblas_gemm_s8u8s32_pack_get_size"], sizes)?;
    let to = aligned(&mut packed);
    let b = vec![1_i8; k * n];
    // SAFETY: as above.
    let [gemm, compute] = unsafe {
        let pack: Pack = std::mem::transmute(function(&[c"cblas_gemm_s8u8s32_pack"])?);
        pack(ROW_MAJOR, RIGHT, AS_IT_IS, rows, columns, inner, b.as_ptr(), columns, to);
        let [gemm, compute] =
            [function(&[c"cblas_gemm_s8u8s32"])?, function(&[c"cblas_gemm_s8u8s32_compute"])?];
        [gemm, compute].map(|at| std::mem::transmute::<*mut c_void, Gemm>(at))
    };
    let runner = |name: &str, gemm: Gemm, kind, mut b: Vec<u8>| -> Runner<'a> {
        let (a, mut c) = (vec![1_u8; m * k], vec![0; m * n]);
        let run = move || {
            let b = aligned(black_box(&mut b));
            // SAFETY: as above.
            unsafe {
                gemm(
                    ROW_MAJOR,
                    AS_IT_IS,
                    kind,
                    ONE_OFFSET,
                    rows,
                    columns,
                    inner,
                    1.0,
                    black_box(&a).as_ptr(),
                    inner,
                    0,
                    b,
                    columns,
                    0,
                    0.0,
                    c.as_mut_ptr(),
                    columns,
                    &0,
                );
            }
        };
        (name.to_owned(), Box::new(run))
    };
    let plain = vec![1; k * n + 4096];
    Some([
        runner("BLAS, u8 x s8", gemm, AS_IT_IS, plain),
        runner("BLAS, u8 x s8, packed", compute, PACKED, packed),
    ])
}
