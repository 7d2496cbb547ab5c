//! Packing and unpacking.

use crate::dtype::Element;
use crate::layout::Layout;
use crate::tiled::TiledSpec;

/// Why a buffer cannot be packed or unpacked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PackError {}

/// Packed.
pub struct Packed<L>(core::marker::PhantomData<L>, alloc::vec::Vec<u8>);

impl<L: Layout> Packed<L> {
    /// z
    pub fn zeroed() -> Result<Self, PackError> {
        Ok(Self(core::marker::PhantomData, alloc::vec![0; L::BYTES]))
    }
    /// b
    pub fn as_bytes_mut(&mut self) -> &mut [u8] {
        &mut self.1
    }
}

/// p
pub fn pack<E: Element>(_: &TiledSpec, _: &[E::Host], _: &mut [u8]) -> Result<(), PackError> {
    Ok(())
}
/// p
pub fn unpack<E: Element>(_: &TiledSpec, _: &[u8], _: &mut [E::Host]) -> Result<(), PackError> {
    Ok(())
}
