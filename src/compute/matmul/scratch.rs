//! Memory for panels. A thread keeps it for its next product: fresh memory is mapped page by page when it is written to,
//! which takes as long as all the rest of a product of 256 rows and columns.

use super::grid::Word;
use super::lanes::LINE;
use alloc::vec;
use alloc::vec::Vec;
use core::cell::Cell;

/// Words of the panels of `A` or of `B`.
pub(super) trait PanelWord: Copy + Default {
    /// Does something with the words that the thread keeps; `None` if it keeps none.
    fn with<T>(use_kept: impl FnOnce(&Cell<Vec<Self>>) -> T) -> Option<T>;
}

/// Keeps words of a type where there are threads; those of a thread that ends are gone.
macro_rules! keep {
    ($($word:ty),*) => { $(
        impl PanelWord for $word {
            #[cfg(feature = "std")]
            fn with<T>(use_kept: impl FnOnce(&Cell<Vec<Self>>) -> T) -> Option<T> {
                std::thread_local! { static KEPT: Cell<Vec<$word>> = const { Cell::new(Vec::new()) }; }
                KEPT.try_with(use_kept).ok()
            }

            #[cfg(not(feature = "std"))]
            fn with<T>(_: impl FnOnce(&Cell<Vec<Self>>) -> T) -> Option<T> {
                None
            }
        }
    )* };
}

keep! { u32, Word }

/// Words from the start of a cache line on, so that no vector lies in two. What they are is not said.
pub(super) struct Scratch<W: PanelWord> {
    all: Vec<W>,
    start: usize,
    len: usize,
}

impl<W: PanelWord> Scratch<W> {
    pub(super) fn new(len: usize) -> Self {
        let mut all = W::with(Cell::take).unwrap_or_default();
        if all.len() < len + LINE {
            drop(all);
            all = vec![W::default(); len + LINE];
        }
        // Where the address is not known, as in const evaluation, any start will do.
        let start = all.as_ptr().align_offset(4 * LINE).min(LINE);
        Self { all, start, len }
    }

    pub(super) fn words(&mut self) -> &mut [W] {
        &mut self.all[self.start..][..self.len]
    }
}

impl<W: PanelWord> Drop for Scratch<W> {
    fn drop(&mut self) {
        let all = core::mem::take(&mut self.all);
        W::with(|kept| kept.set(all));
    }
}

#[cfg(all(test, feature = "std"))]
mod tests {
    use super::Scratch;

    #[test]
    fn words_are_kept_for_the_next_product_but_never_shared() {
        let mut first = Scratch::<u32>::new(100);
        let mut second = Scratch::<u32>::new(100);
        let [at, other] = [&mut first, &mut second].map(|scratch| scratch.words().as_ptr());
        assert_ne!(at, other);
        drop(second);
        drop(first);
        for len in [100, 7, 0] {
            let mut again = Scratch::<u32>::new(len);
            assert_eq!((again.words().as_ptr(), again.words().len()), (at, len));
        }
        assert_eq!(Scratch::<u32>::new(1000).words().len(), 1000);
    }
}
