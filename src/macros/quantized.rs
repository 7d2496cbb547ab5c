//! Block-scaled arrays.

/// A block-scaled layout as a type: elements of 4 or 8 bits, with a scale for each block of elements.
///
/// The notation is this crate's own, not XLA's. A preset names a public format:
///
/// | preset | notation | defined by |
/// |---|---|---|
/// | `q8_0[M,K]` | `s8[M,K] by f16[1,32] in blocks` | GGUF |
/// | `q4_0[M,K]` | `s4[M,K] by f16[1,32] in blocks` | GGUF |
/// | `mxfp4_gguf[M,K]` | `f4e2m1fn[M,K] by f8e8m0fnu[1,32] in blocks` | GGUF |
/// | `mxfp4[M,K]` | `f4e2m1fn[M,K] by f8e8m0fnu[1,32] in planes` | OCP |
/// | `mxfp8[M,K]` | `f8e4m3fn[M,K] by f8e8m0fnu[1,32] in planes` | OCP |
/// | `mxfp8_e5m2[M,K]` | `f8e5m2[M,K] by f8e8m0fnu[1,32] in planes` | OCP |
/// | `nvfp4[M,K]` | `f4e2m1fn[M,K] by f8e4m3fn[1,16] by f32 in planes` | NVIDIA |
/// | `nvfp4_gguf[M,K]` | `f4e2m1fn[M,K] by f8e4m3fn[1,16] in blocks` | GGUF, whose files store the scale of the whole array in another tensor |
///
/// `by f16[1,32]` means one scale of type `f16` for every 32 elements along the last dimension, and `by f32` one scale for the
/// whole array. `in blocks` stores each scale before its elements; if blocks have 16 elements, the scales of four blocks are stored
/// before the elements of the four. `in planes`, the default, stores all elements before all scales.
/// [`Arrangement`](crate::quantized::Arrangement) defines the position of each byte.
///
/// A size is a literal, a name (a const, or a const generic parameter), or an expression in braces, as in
/// [`tiled!`](crate::tiled!).
///
/// ```
/// use tensor_layout::quantized;
/// type Weights = quantized!(q4_0[4096,4096]);
/// const _: () = assert!(Weights::BYTES == 4096 * 4096 / 32 * 18);
/// assert_eq!(Weights::SPEC.to_string(), "s4[4096,4096] by f16[1,32] in blocks");
///
/// const ROWS: usize = 3;
/// type Scaled = quantized!(f8e4m3fn[ROWS, {ROWS * 128}] by f32[1,128]);
/// assert_eq!(Scaled::DIMS, [3, 384]);
/// ```
///
/// # Errors
/// Every mistake is an error under its own token:
///
/// ```compile_fail
/// type Bad = tensor_layout::quantized!(q8_0[4096,100]);
/// ```
#[macro_export]
macro_rules! quantized {
    ($($input:tt)*) => { $crate::__private::macros::quantized! { [$crate] $($input)* } };
}
