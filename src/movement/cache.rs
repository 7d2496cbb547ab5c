//! A cache of movers by layout.

use super::error::PackError;
use super::mover::{Mover, Pack, Relayout, Unpack};
use alloc::sync::Arc;
use alloc::vec::Vec;
use layout_core::tiled::TiledSpec;

/// Keeps the movers that were used most recently. Each is planned on its first use.
///
/// ```
/// use std::sync::Arc;
/// use tensor_layout::{MoverCache, TiledSpec};
/// let spec: TiledSpec = "f32[3,5]{1,0:T(2,2)}".parse()?;
/// let mut movers = MoverCache::new(16);
/// let first = movers.pack(&spec)?;
/// assert!(Arc::ptr_eq(&first, &movers.pack(&spec)?));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct MoverCache {
    packs: Recent<TiledSpec, Mover<Pack>>,
    unpacks: Recent<TiledSpec, Mover<Unpack>>,
    relayouts: Recent<(TiledSpec, TiledSpec), Mover<Relayout>>,
}

impl MoverCache {
    /// Keeps up to `capacity` movers of each kind. With a capacity of 0, each call plans anew.
    pub const fn new(capacity: usize) -> Self {
        Self {
            packs: Recent::new(capacity),
            unpacks: Recent::new(capacity),
            relayouts: Recent::new(capacity),
        }
    }

    /// [`Mover::for_pack`], planned once. The look-up is linear in the capacity.
    ///
    /// # Errors
    /// As for [`Mover::for_pack`].
    pub fn pack(&mut self, spec: &TiledSpec) -> Result<Arc<Mover<Pack>>, PackError> {
        self.packs.get(*spec, || Mover::for_pack(spec))
    }

    /// [`Mover::for_unpack`], planned once. The look-up is linear in the capacity.
    ///
    /// # Errors
    /// As for [`Mover::for_unpack`].
    pub fn unpack(&mut self, spec: &TiledSpec) -> Result<Arc<Mover<Unpack>>, PackError> {
        self.unpacks.get(*spec, || Mover::for_unpack(spec))
    }

    /// [`Mover::for_relayout`], planned once. The look-up is linear in the capacity.
    ///
    /// # Errors
    /// As for [`Mover::for_relayout`].
    pub fn relayout(
        &mut self,
        source: &TiledSpec,
        destination: &TiledSpec,
    ) -> Result<Arc<Mover<Relayout>>, PackError> {
        let plan = || Mover::for_relayout(source, destination);
        self.relayouts.get((*source, *destination), plan)
    }
}

/// Values by key, ordered by last use; the most recent is at the end.
#[derive(Debug)]
struct Recent<K, V> {
    capacity: usize,
    entries: Vec<(K, Arc<V>)>,
}

impl<K: PartialEq, V> Recent<K, V> {
    const fn new(capacity: usize) -> Self {
        Self { capacity, entries: Vec::new() }
    }

    fn get(
        &mut self,
        key: K,
        make: impl FnOnce() -> Result<V, PackError>,
    ) -> Result<Arc<V>, PackError> {
        let value = match self.entries.iter().position(|(kept, _)| *kept == key) {
            Some(at) => self.entries.remove(at).1,
            None => Arc::new(make()?),
        };
        if self.capacity > 0 {
            if self.entries.len() == self.capacity {
                self.entries.remove(0);
            }
            self.entries.push((key, value.clone()));
        }
        Ok(value)
    }
}
