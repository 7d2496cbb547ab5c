//! A local array in its layout, in the form in which programs take it, or in both.

use super::packed_from;
use crate::sharding::run::RunError;
use crate::sharding::run::program::HostArray;
use crate::typed::packed::or_end;
use crate::typed::{Layout, Packed};
use std::sync::OnceLock;

/// A local array. Each form is made from the other one when it is first needed.
pub(in super::super) struct Local<L: Layout> {
    packed: OnceLock<Packed<L>>,
    /// At least one of the two is there.
    host: OnceLock<HostArray>,
}

impl<L: Layout> Local<L> {
    pub(in super::super) fn new(packed: Packed<L>) -> Self {
        Self { packed: packed.into(), host: OnceLock::new() }
    }

    /// A local array that a program has computed, whose type and size have been checked. It is packed when someone looks at it,
    /// unless that can fail for another reason than a lack of memory.
    pub(in super::super) fn of_host(host: HostArray) -> Result<Self, RunError> {
        let (spec, dtype) = (L::SPEC, host.dtype());
        let has_all_values = dtype.bits() == 8 * dtype.byte_width();
        match has_all_values && spec.draft().splits.is_empty() {
            true => Ok(Self { packed: OnceLock::new(), host: host.into() }),
            false => Ok(Self::new(packed_from(host.as_bytes())?)),
        }
    }

    pub(in super::super) fn packed(&self) -> &Packed<L> {
        if let Some(packed) = self.packed.get() {
            return packed;
        }
        // Made before the cell is locked, because packing can run other tasks on this thread.
        let packed = or_end(packed_from(self.host_bytes().unwrap_or_default()));
        self.packed.get_or_init(|| packed)
    }

    /// The array to write to. The other form is dropped.
    pub(in super::super) fn packed_mut(&mut self) -> &mut Packed<L> {
        self.packed();
        self.host.take();
        match self.packed.get_mut() {
            Some(packed) => packed,
            None => unreachable!("it has just been made"),
        }
    }

    pub(in super::super) fn into_packed(self) -> Packed<L> {
        self.packed();
        match self.packed.into_inner() {
            Some(packed) => packed,
            None => unreachable!("it has just been made"),
        }
    }

    /// The row-major bytes, if they are there.
    pub(in super::super) fn host_bytes(&self) -> Option<&[u8]> {
        self.host.get().map(HostArray::as_bytes)
    }

    /// The form in which programs take the array; `make` makes it.
    pub(in super::super) fn host(
        &self,
        make: impl FnOnce(&Packed<L>) -> Result<HostArray, RunError>,
    ) -> Result<HostArray, RunError> {
        if let Some(host) = self.host.get() {
            return Ok(host.clone());
        }
        let made = make(self.packed())?;
        Ok(self.host.get_or_init(|| made).clone())
    }
}

impl<L: Layout> Clone for Local<L> {
    fn clone(&self) -> Self {
        Self { packed: self.packed.clone(), host: self.host.clone() }
    }
}
