//! Memory for panels. A thread keeps it for its next product: new memory is mapped page by page as it is written, which takes
//! as long as the rest of a product of 256 rows and columns. Panels of half a megabyte or more are in huge pages: in a page of 4 KiB, each
//! tile of a tile register may need an address to be looked up.
#![allow(unsafe_code, reason = "new memory is zeros without being written")]

use super::grid::Word;
use super::lanes::LINE_WORDS;
use crate::compute::memory;
use crate::cpu::{HUGE_PAGE, LINE};
use crate::movement::host::zeroed_of;
use alloc::vec::Vec;
use core::cell::Cell;
use smallvec::SmallVec;

/// A matrix of a product.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    A,
    B,
    C,
}

/// Memory that the allocator does not have: the bytes, and the matrix that they are for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct NoMemory {
    pub(super) role: Role,
    pub(super) bytes: usize,
}

impl NoMemory {
    const fn of(role: Role, memory::NoMemory { bytes }: memory::NoMemory) -> Self {
        Self { role, bytes }
    }
}

/// The starts of rows. Those of small matrices need no allocation.
pub(super) type Offsets = SmallVec<[usize; 64]>;

/// An empty list of offsets with room for `len`.
pub(super) fn offsets(role: Role, len: usize) -> Result<Offsets, NoMemory> {
    let mut list = Offsets::new();
    match list.try_reserve_exact(len) {
        Ok(()) => Ok(list),
        Err(_) => Err(NoMemory { role, bytes: len.saturating_mul(size_of::<usize>()) }),
    }
}

/// [`memory::filled`], for values about a matrix.
pub(super) fn filled<T: Copy>(role: Role, value: T, len: usize) -> Result<Vec<T>, NoMemory> {
    memory::filled(value, len).map_err(|lack| NoMemory::of(role, lack))
}

/// A word of the panels of `A` or of `B`.
pub(crate) trait PanelWord: Copy + Default {
    /// The matrix whose panels consist of these words.
    const ROLE: Role;
    /// Zeros; `None` if there is no memory for them.
    fn zeroed(len: usize) -> Option<Vec<Self>>;
    /// Calls `use_kept` with the words that the thread keeps for a matrix; `None` if it keeps none.
    fn with<T>(role: Role, use_kept: impl FnOnce(&Cell<Vec<Self>>) -> T) -> Option<T>;
}

/// Keeps words of a type if there are threads; a thread that ends frees its words.
macro_rules! keep {
    ($($word:ty => $role:ident),*) => { $(
        impl PanelWord for $word {
            const ROLE: Role = Role::$role;

            fn zeroed(len: usize) -> Option<Vec<Self>> {
                // SAFETY: zero bytes are a word.
                unsafe { zeroed_of(len) }
            }

            #[cfg(feature = "std")]
            fn with<T>(role: Role, use_kept: impl FnOnce(&Cell<Vec<Self>>) -> T) -> Option<T> {
                std::thread_local! {
                    static PANELS: Cell<Vec<$word>> = const { Cell::new(Vec::new()) };
                    static SUMS: Cell<Vec<$word>> = const { Cell::new(Vec::new()) };
                }
                if role == Role::C { SUMS.try_with(use_kept).ok() } else { PANELS.try_with(use_kept).ok() }
            }

            #[cfg(not(feature = "std"))]
            fn with<T>(_: Role, _: impl FnOnce(&Cell<Vec<Self>>) -> T) -> Option<T> {
                None
            }
        }
    )* };
}

keep! { u32 => A, Word => B }

/// Words that begin at a cache line, so that no vector crosses two. Their values are unspecified.
pub(crate) struct Scratch<W: PanelWord> {
    all: Vec<W>,
    start: usize,
    len: usize,
    role: Role,
}

/// The number of bytes from which memory is in huge pages, even if it is smaller than one: panels are read again and again.
const LARGE: usize = HUGE_PAGE / 4;

/// The bytes that are allocated in addition so that some bytes can begin at a cache line or, if there are many, at a huge page, and fill
/// it.
const fn room_for(bytes: usize) -> usize {
    match bytes {
        LARGE..=MOST => bytes.next_multiple_of(HUGE_PAGE) - bytes + HUGE_PAGE,
        _ => LINE,
    }
}

/// The largest number of bytes that fill whole huge pages without an overflow.
const MOST: usize = usize::MAX / 2;

/// The index at which `len` words start: at the first huge page if they fit after it, or else at a cache line. If the address is
/// not known, as in const evaluation, any start will do.
fn start_of<W>(all: &[W], len: usize) -> usize {
    let huge = all.as_ptr().align_offset(HUGE_PAGE);
    if huge < all.len() && len <= all.len() - huge {
        return huge;
    }
    all.as_ptr().align_offset(LINE).min(LINE_WORDS)
}

/// The largest number of sums whose memory a thread keeps: 8 MiB.
const KEPT_SUMS: usize = 1 << 21;

impl<W: PanelWord> Scratch<W> {
    /// Words of panels.
    pub(crate) fn new(len: usize) -> Result<Self, NoMemory> {
        Self::of(W::ROLE, len)
    }

    /// Words for a matrix.
    pub(super) fn of(role: Role, len: usize) -> Result<Self, NoMemory> {
        let mut all = W::with(role, Cell::take).unwrap_or_default();
        if all.len() < len.saturating_add(LINE_WORDS) {
            drop(all);
            let words =
                len.saturating_add(room_for(len.saturating_mul(size_of::<W>())) / size_of::<W>());
            let bytes = len.saturating_add(LINE_WORDS).saturating_mul(size_of::<W>());
            all = W::zeroed(words).ok_or(NoMemory { role, bytes })?;
        }
        let start = start_of(&all, len);
        Ok(Self { all, start, len, role })
    }

    /// All words.
    pub(crate) fn words(&mut self) -> &mut [W] {
        &mut self.all[self.start..][..self.len]
    }
}

impl<W: PanelWord> Drop for Scratch<W> {
    fn drop(&mut self) {
        let all = core::mem::take(&mut self.all);
        if self.role != Role::C || self.len <= KEPT_SUMS {
            W::with(self.role, |kept| kept.set(all));
        }
    }
}

#[cfg(all(test, feature = "std"))]
mod tests {
    use super::{NoMemory, Role, Scratch};

    #[test]
    fn words_are_kept_for_the_next_product_but_never_shared() {
        let mut first = Scratch::<u32>::new(100).unwrap();
        let mut second = Scratch::<u32>::new(100).unwrap();
        let [at, other] = [&mut first, &mut second].map(|scratch| scratch.words().as_ptr());
        assert_ne!(at, other);
        drop(second);
        drop(first);
        for len in [100, 7, 0] {
            let mut again = Scratch::<u32>::new(len).unwrap();
            assert_eq!((again.words().as_ptr(), again.words().len()), (at, len));
        }
        assert_eq!(Scratch::<u32>::new(1000).unwrap().words().len(), 1000);
    }

    #[test]
    fn panels_that_no_memory_holds_are_an_error() {
        let [most, huge] = [usize::MAX, isize::MAX as usize / 8];
        let missing = |role, words: usize| {
            Some(NoMemory { role, bytes: words.saturating_add(16).saturating_mul(4) })
        };
        for len in [most, huge] {
            assert_eq!(Scratch::<u32>::new(len).err(), missing(Role::A, len));
            assert_eq!(Scratch::<[u8; 4]>::new(len).err(), missing(Role::B, len));
        }
        assert_eq!(Scratch::<u32>::new(10).unwrap().words().len(), 10);
    }
}
