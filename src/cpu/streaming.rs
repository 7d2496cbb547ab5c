//! Stores that bypass the caches, and the fence that must follow them.

use super::dispatch::{fence, streams};
use core::marker::PhantomData;

/// Which stores bypass the caches: those in order, and those that are far apart.
#[derive(Clone, Copy)]
pub(crate) struct Stores {
    in_order: bool,
    apart: bool,
}

impl Stores {
    /// For a source and a destination of these lengths in bytes.
    #[inline]
    pub(crate) fn of(source: usize, destination: usize) -> Self {
        let [in_order, apart] = [false, true].map(|apart| streams(source, destination, apart));
        Self { in_order, apart }
    }

    /// Allows the thread to issue such stores.
    #[inline]
    pub(crate) fn begin(self) -> Streaming {
        Streaming { stores: self, thread: PhantomData }
    }
}

/// Permission for this thread to issue stores that bypass the caches. The CPU does not order them with later accesses:
/// `core::arch` requires a fence, by the thread that streamed, before any other access to what was written. Dropping this
/// value is the fence, however the work ends, and kernels stream only for callers that hold one.
pub(crate) struct Streaming {
    stores: Stores,
    /// Not to be sent to, or shared with, another thread, whose stores its fence would not order.
    thread: PhantomData<*const ()>,
}

impl Streaming {
    /// Whether to stream what is written in order.
    #[inline]
    pub(crate) fn in_order(&self) -> bool {
        self.stores.in_order
    }

    /// Whether to stream what is written far apart.
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

/// Whether the thread has streamed without a fence since, as far as the portable kernels say.
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
