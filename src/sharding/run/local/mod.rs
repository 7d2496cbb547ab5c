//! The local array of a shard.

#[cfg(feature = "std")]
mod both;
#[cfg(not(feature = "std"))]
mod packed;

use crate::movement::{DynLayout, PackError};
use crate::typed::{Layout, Packed};
#[cfg(feature = "std")]
pub(super) use both::Local;
#[cfg(not(feature = "std"))]
pub(super) use packed::Local;

/// The array of row-major bytes, [`DType::byte_width`](crate::DType::byte_width) for each element.
pub(super) fn packed_from<L: Layout>(row_major: &[u8]) -> Result<Packed<L>, PackError> {
    let mut packed = Packed::zeroed()?;
    L::SPEC.pack_bytes(row_major, packed.as_bytes_mut())?;
    Ok(packed)
}
