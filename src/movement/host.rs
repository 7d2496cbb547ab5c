//! Host values as bytes, and new arrays of them.
#![allow(unsafe_code, reason = "slices of host values are moved as bytes")]

use crate::cpu::in_huge_pages;
use crate::element::HostValue;
use alloc::alloc::{Layout, alloc_zeroed};
use alloc::vec::Vec;

/// The bytes of host values.
pub(crate) fn bytes_of<T: HostValue>(values: &[T]) -> &[u8] {
    // SAFETY: the bytes are those of the slice, `HostValue` promises that none of them is padding, and every address is aligned
    // for bytes.
    unsafe { core::slice::from_raw_parts(values.as_ptr().cast(), size_of_val(values)) }
}

/// The bytes of host values, as a mutable slice.
///
/// # Safety
/// When the borrow ends, the bytes of each `bool` must be 0 or 1.
pub(crate) unsafe fn bytes_of_mut<T: HostValue>(values: &mut [T]) -> &mut [u8] {
    // SAFETY: as in `bytes_of`. `HostValue` promises that all bytes that are written are values, except for `bool`, for which
    // the caller promises it.
    unsafe { core::slice::from_raw_parts_mut(values.as_mut_ptr().cast(), size_of_val(values)) }
}

/// The alignment of all packed arrays in bytes.
pub(crate) const ALIGN: usize = 64;

/// Zero bytes for a packed array, and the index of the first of them that is aligned; `None` if memory cannot be allocated.
pub(crate) fn aligned(bytes: usize) -> Option<(Vec<u8>, usize)> {
    let bytes = zeroed::<u8>(bytes + (ALIGN - 1))?;
    let start = bytes.as_ptr().addr().wrapping_neg() % ALIGN;
    Some((bytes, start))
}

/// `len` values whose bytes are zero; `None` if memory cannot be allocated. The pages of a large array come from the operating
/// system and have not been touched yet.
pub(crate) fn zeroed<T: HostValue>(len: usize) -> Option<Vec<T>> {
    // SAFETY: zero bytes are a value of every host type, including `bool`, the only one with bit patterns that are not values.
    unsafe { zeroed_of(len) }
}

/// [`zeroed`] for values of any type.
///
/// # Safety
/// Zero bytes must be a value of the type.
pub(crate) unsafe fn zeroed_of<T>(len: usize) -> Option<Vec<T>> {
    let layout = Layout::array::<T>(len).ok()?;
    if layout.size() == 0 {
        return Some(Vec::new());
    }
    // SAFETY: the size is not zero.
    let values = unsafe { alloc_zeroed(layout) };
    if values.is_null() {
        return None;
    }
    // SAFETY: the global allocator returned the memory for an array of `len` values, and the caller promises that zero bytes are one.
    let values = unsafe { Vec::from_raw_parts(values.cast(), len, len) };
    Some(in_huge_pages(values))
}
