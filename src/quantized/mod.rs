//! Block-scaled arrays: weights of 4 or 8 bits with a scale for each block, in the bytes of the public formats.
//!
//! [`quantized!`](crate::quantized!) names a layout: a preset, `q8_0[4096,4096]`, or elements, scales and an arrangement,
//! `s8[4096,4096] by f16[1,32] in blocks`. The notation is this crate's own, not XLA's. Its run-time twin is [`QuantizedSpec`], and
//! [`Preset`] lists the public formats that have names, and who defines them.
//!
//! ```
//! use tensor_layout::quantized;
//! type Weights = quantized!(q8_0[2,64]);
//!
//! let weights: Vec<f32> = (0..128).map(|n| (n % 7) as f32 - 3.0).collect();
//! let packed = Weights::pack(&weights)?;
//! assert_eq!(packed.as_bytes().len(), 2 * 2 * 34);                  // 32 bytes and one `f16` for each block
//! let error = packed.unpack().iter().zip(&weights).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
//! assert!(error <= Weights::SPEC.error_bound(3.0, 3.0));
//!
//! // One row of activations, `f32`, `bf16` or `f16`, times the transposed weights.
//! let y = packed.matmul(&[1.0_f32; 64])?;
//! assert_eq!(y.len(), 2);
//! # Ok::<(), tensor_layout::quantized::QuantizedError>(())
//! ```
//!
//! # What is rounded
//! Packing rounds as the formats define it: [`QuantizedSpec::pack_block`] has the rule of each. Numbers that are infinite or not a
//! number, and scales past the largest number of their type, are errors. [`QuantizedSpec::error_bound`] bounds the difference
//! between a number and its packed value. Unpacking is exact, except that the product of element and scale is rounded if it has
//! more than the 24 bits of an `f32`, and again if the whole array has a scale.
//!
//! # Products
//! `matmul` multiplies activations by the exact numbers of the elements, and sums in `f32`. With elements of 4 bits, some CPUs round
//! the activations of each 32 columns to integers of 24 bits first, with a common scale. [`DynQuantizedRef::matmul_into`] documents
//! the order of the operations and bounds the error.
//!
//! On a CPU whose AVX-512 has dot products of bytes and of `bf16`, a product with one row of activations reaches 0.7 to 1.1 times
//! the speed of only reading the weights from the last-level cache. Formats of 4 bits are the slowest, because each byte holds
//! more elements to multiply.
//!
//! `matmul_s8` first quantizes the activations to `s8`, with a scale for each 32 of them, and multiplies integers. With AVX-512
//! it reaches 0.75 to 1.0 times that speed; on CPUs without these dot products it is faster than `matmul`.
//! [`DynQuantizedRef::matmul_s8_into`] bounds the error.

mod array;
mod bytes;
#[cfg(all(feature = "std", target_arch = "x86_64"))]
mod digits;
mod error;
pub(crate) mod expanded;
#[cfg(all(feature = "std", target_arch = "x86_64"))]
mod float_tables;
mod integers;
#[cfg(all(feature = "std", target_arch = "x86_64"))]
mod lane_scales;
mod lanes;
#[cfg(all(feature = "std", target_arch = "x86_64"))]
mod many_rows;
mod matmul;
mod no_such_method;
#[cfg(all(feature = "std", target_arch = "x86_64"))]
mod panel_tiles;
#[cfg(all(feature = "std", target_arch = "x86_64"))]
pub(crate) mod panels;
mod row_bytes;
mod row_kernel;
mod s8;
mod strips;
#[cfg(test)]
mod tests;
mod types;
mod unpack;
mod view;
#[cfg(all(feature = "std", target_arch = "x86_64"))]
mod words;

pub use array::QuantizedArray;
pub use error::QuantizedError;
#[doc(inline)]
pub use layout_core::quantized::{
    Arrangement, MAX_BLOCK, Preset, Problem, QuantizedSpec, Rejected, Subject, element_value,
    scale_value,
};
pub use matmul::Activation;
#[doc(hidden)]
pub use types::checked_quantized_size;
pub use types::{Blocks, By, ByTensor, Planes, Quantized, QuantizedLayout, Scales, Stored};
#[cfg(all(test, feature = "checkpoint"))]
pub(crate) use view::pack_into;
#[cfg(feature = "checkpoint")]
pub(crate) use view::pack_part;
pub use view::{DynQuantizedRef, QuantizedRef};
