//! Copies runs of bytes that are contiguous in both arrays.

use crate::cpu::{Instructions, LINE, prefetch};

/// How the source is read: from memory if `FAR`, else from the caches.
#[derive(Clone, Copy)]
pub(super) struct Mode<const FAR: bool> {
    /// The distance in bytes from the data that is read to the data that is prefetched at the same time.
    pub(super) ahead: usize,
}

impl Mode<false> {
    /// The source is in the caches.
    pub(super) const NEAR: Self = Self { ahead: 0 };
}

impl<const FAR: bool> Mode<FAR> {
    /// Prefetches the bytes `ahead` of `at`.
    #[inline(always)]
    pub(super) fn prefetch(self, at: *const u8) {
        if FAR {
            prefetch(at.wrapping_add(self.ahead));
        }
    }
}

/// Copies `len` bytes.
///
/// # Safety
/// Both pointers must be valid for `len` bytes, and these must not overlap.
#[inline(always)]
pub(super) unsafe fn run<I: Instructions, const STREAM: bool, const FAR: bool>(
    simd: I,
    from: *const u8,
    to: *mut u8,
    len: usize,
    mode: Mode<FAR>,
) {
    // SAFETY: every access is within `len` bytes of the pointers.
    unsafe {
        if STREAM && len >= LINE {
            return stream(simd, from, to, len, |from| mode.prefetch(from));
        }
        match len <= 16 * LINE {
            true => short(simd, from, to, len),
            false => core::ptr::copy_nonoverlapping(from, to, len),
        }
    }
}

/// Copies so few bytes that a function call would cost more. The last register overlaps the one before it: 13 bytes are copied
/// as the first 8 and the last 8.
///
/// # Safety
/// As for [`run`].
#[inline(always)]
pub(super) unsafe fn short<I: Instructions>(simd: I, from: *const u8, to: *mut u8, len: usize) {
    // SAFETY: every access is within `len` bytes of the pointers.
    unsafe {
        macro_rules! ends {
            ($bytes:literal) => {{
                let last = len - $bytes;
                let first = from.cast::<[u8; $bytes]>().read_unaligned();
                let second = from.add(last).cast::<[u8; $bytes]>().read_unaligned();
                to.cast::<[u8; $bytes]>().write_unaligned(first);
                to.add(last).cast::<[u8; $bytes]>().write_unaligned(second);
            }};
        }
        match len {
            LINE.. => {
                let mut at = 0;
                while at + LINE <= len {
                    simd.store(to.add(at), simd.load(from.add(at)));
                    at += LINE;
                }
                if at < len {
                    simd.store(to.add(len - LINE), simd.load(from.add(len - LINE)));
                }
            }
            32.. => ends!(32),
            16.. => ends!(16),
            8.. => ends!(8),
            4.. => ends!(4),
            2.. => ends!(2),
            1 => to.write(from.read()),
            0 => {}
        }
    }
}

/// Streams `len` bytes. Calls `ask` with the address of each line before it is read, so that `ask` can prefetch other lines
/// meanwhile.
///
/// # Safety
/// As for [`run`].
#[inline(always)]
pub(super) unsafe fn stream<I: Instructions>(
    simd: I,
    from: *const u8,
    to: *mut u8,
    len: usize,
    mut ask: impl FnMut(*const u8),
) {
    // SAFETY: every access is within `len` bytes of the pointers.
    unsafe {
        let head = to_line(to).min(len);
        short(simd, from, to, head);
        let mut at = head;
        while at + LINE <= len {
            ask(from.add(at));
            simd.stream(to.add(at), simd.load(from.add(at)));
            at += LINE;
        }
        short(simd, from.add(at), to.add(at), len - at);
    }
}

/// The number of bytes from an address to the next start of a line.
#[inline(always)]
pub(super) fn to_line(to: *const u8) -> usize {
    to.addr().wrapping_neg() % LINE
}
