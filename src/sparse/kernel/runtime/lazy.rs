//! Lists of copies of a value, in memory that the system has already set to zero where that is the value.
#![allow(unsafe_code, reason = "memory of zeros is a list of numbers")]

use super::filled;
use crate::sparse::kernel::KernelError;
use alloc::alloc::alloc_zeroed;
use alloc::vec::Vec;
use core::alloc::Layout;
use core::any::TypeId;
use num_complex::Complex;

/// The number of bytes from which memory is requested as zeros: the system provides large blocks page by page when they are first
/// used, so a workspace of which a thread uses a part costs only that part.
const LARGE: usize = 1 << 16;

/// A list of `len` copies of `value`, as [`filled`] makes it.
///
/// # Errors
/// If memory for it cannot be allocated.
pub(super) fn lazily_filled<T: Copy + 'static>(
    len: usize,
    value: T,
) -> Result<Vec<T>, KernelError> {
    match len >= LARGE / size_of::<T>().max(1) && is_zero(&value) {
        true => zeros(len).ok_or(KernelError::OutOfMemory { values: len }),
        false => filled(len, value),
    }
}

/// Whether a type is a number of which every byte is part of the value, so that bytes of zero are the number zero.
fn is_number<T: 'static>() -> bool {
    macro_rules! any {
        ($($Type:ty)*) => { [$(TypeId::of::<$Type>()),*].contains(&TypeId::of::<T>()) };
    }
    any! { u8 u16 u32 u64 usize i8 i16 i32 i64 isize f32 f64 Complex<f32> Complex<f64> }
}

/// Whether a value consists of bytes of zero, as far as this is known: -0.0 does not.
fn is_zero<T: Copy + 'static>(value: &T) -> bool {
    if !is_number::<T>() {
        return false;
    }
    let first = core::ptr::from_ref(value).cast::<u8>();
    // SAFETY: the type is one of those of `is_number`, which have no bytes between their parts, so all bytes are initialized.
    let bytes = unsafe { core::slice::from_raw_parts(first, size_of::<T>()) };
    bytes.iter().all(|byte| *byte == 0)
}

/// A list of `len` zeros, of which there must be at least one; the type must be a number. `None` if memory for it cannot be
/// allocated.
fn zeros<T: Copy + 'static>(len: usize) -> Option<Vec<T>> {
    assert!(is_number::<T>() && len > 0, "the list has bytes of zero");
    let layout = Layout::array::<T>(len).ok()?;
    // SAFETY: the list has at least one element, and numbers have a size, so the layout does not have the size zero.
    let start = unsafe { alloc_zeroed(layout) }.cast::<T>();
    // SAFETY: the memory comes from the global allocator with the layout of `len` elements, all of which are initialized: bytes of
    // zero are a number.
    (!start.is_null()).then(|| unsafe { Vec::from_raw_parts(start, len, len) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_have_copies_of_the_value() {
        for len in [0, 1, LARGE / 8 - 1, LARGE / 8, LARGE] {
            assert!(lazily_filled(len, 0.0_f64).unwrap().iter().all(|value| value.to_bits() == 0));
            let negative = lazily_filled(len, -0.0_f64).unwrap();
            assert!(negative.iter().all(|value| value.is_sign_negative()));
            assert_eq!(lazily_filled(len, 7_u8).unwrap(), alloc::vec![7; len]);
            assert_eq!(lazily_filled(len, ()).unwrap().len(), len);
            assert_eq!(lazily_filled(len, Complex::new(0.0_f32, 0.0)).unwrap().len(), len);
            assert_eq!(lazily_filled(len, (0_u8, 0_u32)).unwrap(), alloc::vec![(0, 0); len]);
            assert_eq!(
                (
                    lazily_filled(len, false).unwrap().len(),
                    lazily_filled(len, 0_i32).unwrap().capacity()
                ),
                (len, len)
            );
        }
        let mut zeros = lazily_filled(LARGE, 0_u64).unwrap();
        zeros.push(1);
        assert_eq!((zeros.len(), zeros[LARGE]), (LARGE + 1, 1));
    }

    #[test]
    fn a_lack_of_memory_is_an_error() {
        for len in [isize::MAX as usize / 8, usize::MAX] {
            assert_eq!(lazily_filled(len, 0.0_f64), Err(KernelError::OutOfMemory { values: len }));
            assert_eq!(lazily_filled(len, 1.0_f64), Err(KernelError::OutOfMemory { values: len }));
        }
    }
}
