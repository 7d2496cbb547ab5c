//! Memory for the arrays of tensors.

use alloc::collections::TryReserveError;
use alloc::vec::Vec;

/// How memory is requested for the arrays of a tensor, and for large temporary arrays.
///
/// This package allocates and does nothing else. The package that runs kernels also tells the operating system how the memory will
/// be used, before anything is written to it.
#[derive(Clone, Copy, Debug)]
pub struct Memory {
    /// Called with the address and the number of bytes of an array that has been allocated or has grown.
    allocated: fn(*const u8, usize),
}

impl Memory {
    /// Memory of which nothing more is known.
    pub const PLAIN: Self = Self::new(|_, _| {});

    /// Memory for which `allocated` is called with its address and its number of bytes.
    pub const fn new(allocated: fn(*const u8, usize)) -> Self {
        Self { allocated }
    }

    /// Reserves memory for `more` further elements of a list, and for no others.
    ///
    /// # Errors
    /// If memory cannot be allocated.
    #[inline]
    pub fn reserve_exact<T>(self, list: &mut Vec<T>, more: usize) -> Result<(), TryReserveError> {
        self.request(list, more, Vec::try_reserve_exact)
    }

    /// Reserves memory for `more` further elements of a list that may become longer still.
    ///
    /// # Errors
    /// If memory cannot be allocated.
    #[inline]
    pub fn reserve<T>(self, list: &mut Vec<T>, more: usize) -> Result<(), TryReserveError> {
        self.request(list, more, Vec::try_reserve)
    }

    /// A list of `len` copies of a value.
    ///
    /// # Errors
    /// If memory cannot be allocated.
    pub fn filled<T: Clone>(self, len: usize, value: T) -> Result<Vec<T>, TryReserveError> {
        let mut list = Vec::new();
        self.reserve_exact(&mut list, len)?;
        list.resize(len, value);
        Ok(list)
    }

    #[inline(always)]
    fn request<T>(
        self,
        list: &mut Vec<T>,
        more: usize,
        reserve: impl FnOnce(&mut Vec<T>, usize) -> Result<(), TryReserveError>,
    ) -> Result<(), TryReserveError> {
        if list.capacity() - list.len() < more {
            reserve(list, more)?;
            self.tell(list);
        }
        Ok(())
    }

    #[cold]
    fn tell<T>(self, list: &Vec<T>) {
        (self.allocated)(list.as_ptr().cast(), list.capacity().saturating_mul(size_of::<T>()));
    }
}

#[cfg(test)]
mod tests {
    use super::Memory;
    use alloc::vec::Vec;
    use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};

    #[test]
    fn each_allocation_is_told() {
        static CALLS: AtomicUsize = AtomicUsize::new(0);
        static BYTES: AtomicUsize = AtomicUsize::new(0);
        let memory = Memory::new(|start, bytes| {
            assert!(!start.is_null());
            CALLS.fetch_add(1, Relaxed);
            BYTES.store(bytes, Relaxed);
        });
        let mut list: Vec<u32> = Vec::new();
        memory.reserve_exact(&mut list, 3).unwrap();
        assert_eq!((CALLS.load(Relaxed), BYTES.load(Relaxed)), (1, 4 * list.capacity()));
        list.extend([1, 2]);
        // The list already has this capacity.
        memory.reserve_exact(&mut list, 1).unwrap();
        memory.reserve(&mut list, 1).unwrap();
        assert_eq!(CALLS.load(Relaxed), 1);
        memory.reserve(&mut list, 100).unwrap();
        assert_eq!((CALLS.load(Relaxed), BYTES.load(Relaxed)), (2, 4 * list.capacity()));
        assert_eq!((list, memory.filled(3, 7_u8).unwrap()), ([1, 2].to_vec(), [7; 3].to_vec()));
        assert!(memory.reserve_exact(&mut Vec::<u64>::new(), usize::MAX).is_err());
        assert!(memory.reserve(&mut Vec::<u64>::new(), usize::MAX).is_err());
        assert_eq!(CALLS.load(Relaxed), 3);
    }
}
