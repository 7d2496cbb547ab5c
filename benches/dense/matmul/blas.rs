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

/// Types of functions of MKL, each with the types of its arguments. `c_int` is the type of sizes, and of how a matrix is stored.
macro_rules! functions {
    ($($(#[$doc:meta])* $Name:ident($($Argument:ty),*) $(-> $Result:ty)?;)*) => { $(
        $(#[$doc])*
        type $Name = unsafe extern "C" fn($($Argument),*) $(-> $Result)?;
    )* };
}
functions! {
    /// The number of bytes of a packed matrix.
    Size(c_int, c_int, c_int, c_int) -> usize;
    /// Packs a matrix.
    Pack(c_int, c_int, c_int, c_int, c_int, c_int, *const c_void, c_int, *mut c_void);
    /// A product of `bf16`.
    Bf16(
        c_int, c_int, c_int, c_int, c_int, c_int,
        f32, *const bf16, c_int, *const c_void, c_int, f32, *mut f32, c_int
    );
    /// A product of bytes.
    Bytes(
        c_int, c_int, c_int, c_int, c_int, c_int, c_int,
        f32, *const u8, c_int, i8, *const c_void, c_int, i8, f32, *mut i32, c_int, *const i32
    );
}

/// A right matrix, at a multiple of 4096 bytes.
struct Right(Vec<u8>);

impl Right {
    /// A matrix of this number of bytes, all 1.
    fn new(bytes: usize) -> Self {
        Self(vec![1; bytes + 4096])
    }

    /// The first byte.
    fn start(&mut self) -> *mut c_void {
        let at = self.0.as_ptr().align_offset(4096);
        self.0[at..].as_mut_ptr().cast()
    }

    /// A matrix that MKL has packed with its functions of these names; its elements have `width` bytes.
    fn packed(size: &CStr, pack: &CStr, width: usize, [m, k, n]: [c_int; 3]) -> Option<Self> {
        let mut plain = Self::new(k as usize * n as usize * width);
        // SAFETY: functions with these names have these signatures. The row-major matrix and its packed form have memory.
        unsafe {
            let size: Size = std::mem::transmute(function(&[size])?);
            let pack: Pack = std::mem::transmute(function(&[pack])?);
            let mut packed = Self::new(size(RIGHT, m, n, k));
            pack(ROW_MAJOR, RIGHT, AS_IT_IS, m, n, k, plain.start(), n, packed.start());
            Some(packed)
        }
    }
}

/// The product of `bf16` whose right matrix MKL has packed in advance.
pub(crate) fn packed_bf16<'a>([m, k, n]: [usize; 3]) -> Option<Runner<'a>> {
    let sizes @ [rows, inner, columns] = [m, k, n].map(|size| size as c_int);
    let names = [c"cblas_gemm_bf16bf16f32_pack_get_size", c"cblas_gemm_bf16bf16f32_pack"];
    let mut b = Right::packed(names[0], names[1], 2, sizes)?;
    let (a, mut c) = (vec![bf16::ONE; m * k], vec![0.0; m * n]);
    // SAFETY: a function with this name has this signature.
    let compute: Bf16 =
        unsafe { std::mem::transmute(function(&[c"cblas_gemm_bf16bf16f32_compute"])?) };
    let run = move || {
        let (a, b, c) = (black_box(&a).as_ptr(), b.start(), c.as_mut_ptr());
        // SAFETY: two row-major arrays and a packed one of these sizes.
        unsafe {
            #[rustfmt::skip]
            compute(
                ROW_MAJOR, AS_IT_IS, PACKED, rows, columns, inner, 1.0, a, inner, b, columns, 0.0, c, columns,
            );
        }
    };
    Some(("BLAS, packed in advance".to_owned(), Box::new(run)))
}

/// Products of `u8` by `s8`, without and with a right matrix that MKL has packed in advance. It multiplies no other bytes by rows.
pub(crate) fn bytes<'a>([m, k, n]: [usize; 3]) -> Option<[Runner<'a>; 2]> {
    let sizes @ [rows, inner, columns] = [m, k, n].map(|size| size as c_int);
    let names = [c"cblas_gemm_s8u8s32_pack_get_size", c"cblas_gemm_s8u8s32_pack"];
    let packed = Right::packed(names[0], names[1], 1, sizes)?;
    let runner = |name: &str, gemm: &CStr, kind, mut b: Right| -> Option<Runner<'a>> {
        // SAFETY: functions with these names have this signature.
        let gemm: Bytes = unsafe { std::mem::transmute(function(&[gemm])?) };
        let (a, mut c) = (vec![1_u8; m * k], vec![0; m * n]);
        let run = move || {
            let (a, b, c) = (black_box(&a).as_ptr(), b.start(), c.as_mut_ptr());
            // SAFETY: as above.
            unsafe {
                #[rustfmt::skip]
                gemm(
                    ROW_MAJOR, AS_IT_IS, kind, ONE_OFFSET, rows, columns, inner,
                    1.0, a, inner, 0, b, columns, 0, 0.0, c, columns, &0,
                );
            }
        };
        Some((name.to_owned(), Box::new(run)))
    };
    Some([
        runner("BLAS, u8 x s8", c"cblas_gemm_s8u8s32", AS_IT_IS, Right::new(k * n))?,
        runner("BLAS, u8 x s8, packed", c"cblas_gemm_s8u8s32_compute", PACKED, packed)?,
    ])
}
