//! The activations by which chunks are multiplied.

use super::rows::Loop;
use super::{ChunkScales, Codes};
use core::arch::x86_64::*;

/// Activations in the form in which the loops multiply them by chunks of `E`.
pub(super) trait Factors<E: Codes>: Copy + Send + Sync {
    /// The number of these for a chunk.
    const OF_CHUNK: usize;

    /// The products of a chunk and its activations, added up in each lane.
    ///
    /// # Safety
    /// The activations of a chunk must be readable at `x`, and the CPU must have the instructions for which
    /// [`Factors::all_rows`] is compiled.
    unsafe fn part(elements: E, codes: __m512i, x: *const Self) -> __m512;

    /// As [`all_rows`](super::rows::all_rows), compiled for instructions that multiply these activations.
    ///
    /// # Safety
    /// As [`all_rows`](super::rows::all_rows), and the CPU must have the instructions.
    unsafe fn all_rows<S: ChunkScales>(it: &Loop<'_, E, S>, x: &[Self], y: &mut [f32]);
}
