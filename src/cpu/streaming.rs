//! Stores that bypass the caches, and the fence that must follow them.

use super::dispatch::{fence, streams};
use core::marker::PhantomData;

/// Whether stores bypass the caches: those in order, and those that are far apart.
#[derive(Clone, Copy)]
pub(crate) struct Stores {
    in_order: bool,
    apart: bool,
}

impl Stores {
    /// The decision for a source and a destination of these sizes in bytes.
    #[inline]
    pub(crate) fn of(source: usize, destination: usize) -> Self {
        let [in_order, apart] = [false, true].map(|apart| streams(source, destination, apart));
        Self { in_order, apart }
    }

    /// A decision that has been made, for stores in order or far apart.
    #[inline]
    pub(crate) fn of_either(stream: bool) -> Self {
        Self { in_order: stream, apart: stream }
    }

    /// Permits this thread to issue these stores.
    #[inline]
    pub(crate) fn begin(self) -> Streaming {
        Streaming { stores: self, thread: PhantomData }
    }
}

/// Permission for this thread to issue stores that bypass the caches. The CPU does not order them with later accesses:
/// `core::arch` requires a fence, in the thread that streamed, before any other access to the written memory. Dropping this
/// value issues the fence, even on a panic, and kernels stream only for callers that have such a value.
pub(crate) struct Streaming {
    stores: Stores,
    /// Makes the type neither `Send` nor `Sync`, since a fence orders only the stores of its own thread.
    thread: PhantomData<*const ()>,
}

impl Streaming {
    /// Whether to stream stores that are in order.
    #[inline]
    pub(crate) fn in_order(&self) -> bool {
        self.stores.in_order
    }

    /// Whether to stream stores that are far apart.
    #[inline]
    pub(crate) fn apart(&self) -> bool {
        self.stores.apart
    }
}

impl Drop for Streaming {
    #[inline]
    fn drop(&mut self) {
        if self.stores.in_order || self.stores.apart {
            fence();
            #[cfg(test)]
            unfenced::set(false);
        }
    }
}

/// Whether the thread has streamed since its last fence. Only the portable kernels record that.
#[cfg(test)]
pub(crate) mod unfenced {
    use core::cell::Cell;

    std::thread_local! { static UNFENCED: Cell<bool> = const { Cell::new(false) }; }

    pub(crate) fn get() -> bool {
        UNFENCED.get()
    }

    pub(in crate::cpu) fn set(unfenced: bool) {
        UNFENCED.set(unfenced);
    }
}
