//! Bytes that arrays share, with the forms in which products read them.

use crate::movement::host::{ALIGN, aligned};
use crate::movement::{DynLayout, PackError};
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;
use layout_core::tiled::TiledSpec;
use std::sync::{Mutex, PoisonError};

/// The bytes of row-major arrays. Its copies share them until one of them is written to.
#[derive(Clone, Default)]
pub(super) struct Buffer {
    /// `None` if there are no bytes.
    shared: Option<Arc<Shared>>,
}

struct Shared {
    bytes: Bytes,
    /// The array in other layouts, which products have made. They always correspond to the current bytes, because
    /// [`Buffer::as_mut_slice`] removes them.
    forms: Mutex<Vec<(TiledSpec, Form)>>,
}

impl Shared {
    /// The form in this layout, if there is one.
    fn kept(&self, layout: &TiledSpec) -> Option<Form> {
        let forms = self.forms.lock().unwrap_or_else(PoisonError::into_inner);
        forms.iter().find(|(spec, _)| spec == layout).map(|(_, form)| form.clone())
    }
}

/// An array in a layout in which a product reads it in place.
pub(super) type Form = Arc<Bytes>;

/// Bytes that may start after the beginning of their allocation, so that they can start at a cache line.
#[derive(Default)]
pub(super) struct Bytes {
    memory: Vec<u8>,
    start: usize,
}

impl Bytes {
    pub(super) fn as_slice(&self) -> &[u8] {
        &self.memory[self.start..]
    }

    /// Zeros that start at a cache line; `None` if memory for them cannot be allocated.
    fn zeroed(len: usize) -> Option<Self> {
        let (mut memory, start) = aligned(len.checked_add(ALIGN)?)?;
        memory.truncate(start + len);
        Some(Self { memory, start })
    }
}

impl Buffer {
    /// Zeros; `None` if memory for them cannot be allocated.
    pub(super) fn zeroed(len: usize) -> Option<Self> {
        if len == 0 { Some(Self::default()) } else { Bytes::zeroed(len).map(Self::of) }
    }

    fn of(bytes: Bytes) -> Self {
        Self { shared: Some(Arc::new(Shared { bytes, forms: Mutex::default() })) }
    }

    pub(super) fn as_slice(&self) -> &[u8] {
        self.shared.as_ref().map_or(&[], |shared| shared.bytes.as_slice())
    }

    /// The bytes to write to: a copy, if other arrays share them. Removes the forms. Returns `None` if memory for the copy cannot
    /// be allocated.
    pub(super) fn as_mut_slice(&mut self) -> Option<&mut [u8]> {
        if !self.is_unique() {
            let own = self.as_slice();
            let mut copy = Bytes::zeroed(own.len())?;
            copy.memory[copy.start..].copy_from_slice(own);
            *self = Self::of(copy);
        }
        let Some(shared) = &mut self.shared else { return Some(&mut []) };
        let Shared { bytes, forms } = Arc::get_mut(shared)?;
        forms.get_mut().unwrap_or_else(PoisonError::into_inner).clear();
        Some(&mut bytes.memory[bytes.start..])
    }

    /// Whether no other array shares the bytes.
    pub(super) fn is_unique(&mut self) -> bool {
        self.shared.as_mut().is_none_or(|shared| Arc::get_mut(shared).is_some())
    }

    /// The bytes as a vector; without a new allocation if no other array shares them.
    pub(super) fn into_vec(self) -> Vec<u8> {
        match self.shared.map(Arc::try_unwrap) {
            Some(Ok(Shared { bytes: Bytes { mut memory, start }, .. })) => {
                memory.drain(..start);
                memory
            }
            Some(Err(shared)) => shared.bytes.as_slice().to_vec(),
            None => Vec::new(),
        }
    }

    /// The array, whose layout is `from`, in the layout `to`. It is kept until the bytes change. Devices that need it at the same time
    /// may each make it, because none of them waits for another one, but only one is kept.
    ///
    /// # Errors
    /// If memory for it cannot be allocated.
    pub(super) fn form(&self, from: &TiledSpec, to: &TiledSpec) -> Result<Form, PackError> {
        let Some(shared) = &self.shared else { return Ok(Form::default()) };
        if let Some(form) = shared.kept(to) {
            return Ok(form);
        }
        let len = to.storage_bytes();
        let no_memory = || PackError::OutOfMemory { bytes: len, layout: (*to).into() };
        let mut form = Bytes::zeroed(len).ok_or_else(no_memory)?;
        let start = form.start;
        from.relayout_bytes(self.as_slice(), to, &mut form.memory[start..])?;
        let form = Arc::new(form);
        let mut forms = shared.forms.lock().unwrap_or_else(PoisonError::into_inner);
        let first = forms.iter().find(|(spec, _)| spec == to).map(|(_, first)| first.clone());
        Ok(first.unwrap_or_else(|| {
            forms.push((*to, form.clone()));
            form
        }))
    }

    /// The number of forms.
    #[cfg(test)]
    pub(super) fn forms(&self) -> usize {
        let forms = |shared: &Arc<Shared>| {
            shared.forms.lock().unwrap_or_else(PoisonError::into_inner).len()
        };
        self.shared.as_ref().map_or(0, forms)
    }
}

impl From<Vec<u8>> for Buffer {
    fn from(memory: Vec<u8>) -> Self {
        Self::of(Bytes { memory, start: 0 })
    }
}

impl PartialEq for Buffer {
    fn eq(&self, other: &Self) -> bool {
        self.as_slice() == other.as_slice()
    }
}

impl Eq for Buffer {}

impl fmt::Debug for Buffer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_slice().fmt(f)
    }
}
