//! The format in which elements are sent: elements of few bits are packed.

use super::RunError;
use crate::movement::DynLayout;
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;
use layout_core::dtype::DType;
use layout_core::tiled::TiledSpec;

/// The bytes in which elements are sent.
pub(super) fn len(dtype: DType, elements: usize) -> usize {
    spec(dtype, elements).map_or(elements * dtype.byte_width(), |spec| spec.storage_bytes())
}

/// The layout in which elements of few bits are packed, `s4[96]{0:E(4)}`; `None` for elements of whole bytes.
fn spec(dtype: DType, elements: usize) -> Option<TiledSpec> {
    let bits = dtype.stored_bits();
    if bits >= 8 || elements == 0 {
        return None;
    }
    format!("{dtype}[{elements}]{{0:E({bits})}}").parse().ok()
}

/// Packs elements of [`DType::byte_width`] bytes.
pub(super) fn packed(dtype: DType, bytes: Vec<u8>) -> Result<Vec<u8>, RunError> {
    let Some(spec) = spec(dtype, bytes.len()) else { return Ok(bytes) };
    let mut packed = vec![0; spec.storage_bytes()];
    spec.pack_bytes(&bytes, &mut packed)?;
    Ok(packed)
}

/// The reverse of [`packed`].
pub(super) fn unpacked(dtype: DType, elements: usize, bytes: Vec<u8>) -> Result<Vec<u8>, RunError> {
    super::collective::check(len(dtype, elements), bytes.len())?;
    let Some(spec) = spec(dtype, elements) else { return Ok(bytes) };
    let mut unpacked = vec![0; elements];
    spec.unpack_bytes(&bytes, &mut unpacked)?;
    Ok(unpacked)
}
