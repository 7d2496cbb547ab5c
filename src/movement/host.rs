//! Host values as bytes, and fresh arrays of them.
#![allow(unsafe_code, reason = "slices of host values are moved as bytes")]

use crate::element::HostValue;
use alloc::alloc::{Layout, alloc_zeroed};
use alloc::vec::Vec;

/// The bytes of host values.
pub(crate) fn bytes_of<T: HostValue>(values: &[T]) -> &[u8] {
    // SAFETY: the bytes are those of the slice, and `HostValue` promises that none of them is padding; any address is
    // aligned for bytes.
    unsafe { core::slice::from_raw_parts(values.as_ptr().cast(), size_of_val(values)) }
}

/// The bytes of host values, to write.
///
/// # Safety
/// When the borrow ends, the bytes of each `bool` must be 0 or 1.
pub(crate) unsafe fn bytes_of_mut<T: HostValue>(values: &mut [T]) -> &mut [u8] {
    // SAFETY: as in `bytes_of`; `HostValue` promises that whatever is written is a value, but for what the caller
    // promises.
    unsafe { core::slice::from_raw_parts_mut(values.as_mut_ptr().cast(), size_of_val(values)) }
}

/// Bytes that the addresses of all packed arrays are a multiple of.
pub(crate) const ALIGN: usize = 64;

/// Zero bytes for a packed array, and the first of them that is aligned; `None` if there is no memory for them.
pub(crate) fn aligned(bytes: usize) -> Option<(Vec<u8>, usize)> {
    let bytes = zeroed::<u8>(bytes + (ALIGN - 1))?;
    let start = bytes.as_ptr().addr().wrapping_neg() % ALIGN;
    Some((bytes, start))
}

/// `len` values whose bytes are zero; `None` if there is no memory for them. The pages of a large array come from the
/// system and have not been touched yet.
pub(crate) fn zeroed<T: HostValue>(len: usize) -> Option<Vec<T>> {
    let layout = Layout::array::<T>(len).ok()?;
    if layout.size() == 0 {
        return Some(Vec::new());
    }
    // SAFETY: the size is not zero.
    let values = unsafe { alloc_zeroed(layout) };
    if values.is_null() {
        return None;
    }
    // SAFETY: the global allocator gave the memory for an array of `len` values, and zero bytes are a value of every
    // host type: of `bool` too, the one whose bit patterns are not all values.
    Some(unsafe { Vec::from_raw_parts(values.cast(), len, len) })
}
