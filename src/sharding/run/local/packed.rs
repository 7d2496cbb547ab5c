//! A local array in its layout.

use crate::typed::{Layout, Packed};

/// A local array. Without the standard library there are no programs that take another form of it.
pub(in super::super) struct Local<L: Layout>(Packed<L>);

impl<L: Layout> Local<L> {
    pub(in super::super) const fn new(packed: Packed<L>) -> Self {
        Self(packed)
    }

    pub(in super::super) const fn packed(&self) -> &Packed<L> {
        &self.0
    }

    pub(in super::super) const fn packed_mut(&mut self) -> &mut Packed<L> {
        &mut self.0
    }

    /// The row-major bytes, if they are there.
    pub(in super::super) const fn host_bytes(&self) -> Option<&[u8]> {
        None
    }

    pub(in super::super) fn into_packed(self) -> Packed<L> {
        self.0
    }
}

impl<L: Layout> Clone for Local<L> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}
