//! Bytes that start at a multiple of 64.

use super::error::QuantizedError;
use crate::movement::host::zeroed;
use alloc::vec::Vec;
use layout_core::quantized::QuantizedSpec;

/// Bytes that the address of each array is a multiple of.
pub(super) const ALIGN: usize = 64;

pub(super) struct AlignedBytes {
    bytes: Vec<u8>,
    /// Where the aligned bytes start.
    start: usize,
    len: usize,
}

impl AlignedBytes {
    /// Zeros for an array.
    pub(super) fn zeroed(spec: &QuantizedSpec) -> Result<Self, QuantizedError> {
        let len = spec.bytes();
        let no_memory = || QuantizedError::OutOfMemory { bytes: len, layout: (*spec).into() };
        let bytes = zeroed::<u8>(len + (ALIGN - 1)).ok_or_else(no_memory)?;
        let start = bytes.as_ptr().addr().wrapping_neg() % ALIGN;
        Ok(Self { bytes, start, len })
    }

    pub(super) fn as_slice(&self) -> &[u8] {
        &self.bytes[self.start..][..self.len]
    }

    pub(super) fn as_mut_slice(&mut self) -> &mut [u8] {
        &mut self.bytes[self.start..][..self.len]
    }
}
