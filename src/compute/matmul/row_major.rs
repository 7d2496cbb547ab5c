//! Products of slices in row-major order, whose sizes are known at run time.
#![allow(unsafe_code, reason = "slices are multiplied as bytes")]

use super::entry;
use super::micro_kernel::MicroKernel;
use crate::element::F32;
use crate::movement::PackError;
use crate::movement::host::{bytes_of, bytes_of_mut};
use layout_core::dtype::DType;
use layout_core::tiled::TiledSpec;

/// Writes `a * b`, of `m` by `k` and `k` by `n` numbers, to `c`.
///
/// # Errors
/// If memory for panels cannot be allocated.
///
/// # Panics
/// If a slice has another length, or more elements than a layout may have.
pub(crate) fn multiply_rows(
    [m, k, n]: [usize; 3],
    a: &[f32],
    b: &[f32],
    c: &mut [f32],
) -> Result<(), PackError> {
    assert!([a.len(), b.len(), c.len()] == [m * k, k * n, m * n]);
    let spec = |dims: [usize; 2]| TiledSpec::row_major(DType::F32, &dims).expect("it is in memory");
    let (a_spec, b_spec, c_spec) = (spec([m, k]), spec([k, n]), spec([m, n]));
    // SAFETY: all bytes are values of an `f32`.
    let c = unsafe { bytes_of_mut(c) };
    let kernel = MicroKernel::choose([DType::F32; 2]);
    let (a, b) = ((&a_spec, bytes_of(a)), (&b_spec, bytes_of(b)));
    entry::multiply::<F32>(kernel, [m, k, n], a, b, (&c_spec, c), None, None)
}
