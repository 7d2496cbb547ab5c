//! Runs of bytes that are contiguous in both arrays.

use super::cpu::{Instructions, LINE};

/// Lines ahead of the copy that are asked for.
const AHEAD: usize = 16;

/// Copies `len` bytes.
///
/// # Safety
/// Both pointers must be good for `len` bytes that do not overlap, and the CPU must have the instructions.
#[inline(always)]
pub(super) unsafe fn run<I: Instructions>(from: *const u8, to: *mut u8, len: usize, stream: bool) {
    // SAFETY: every access lies within `len` bytes of the pointers, and lines start at aligned addresses.
    unsafe {
        if stream && to.addr().is_multiple_of(LINE) {
            let lines = len / LINE * LINE;
            let mut at = 0;
            while at < lines {
                I::prefetch(from.wrapping_add(at + AHEAD * LINE));
                I::stream(from.add(at), to.add(at));
                at += LINE;
            }
            core::ptr::copy_nonoverlapping(from.add(lines), to.add(lines), len - lines);
        } else if len.is_multiple_of(LINE) && len <= 16 * LINE {
            let mut at = 0;
            while at < len {
                to.add(at)
                    .cast::<[u8; LINE]>()
                    .write_unaligned(from.add(at).cast::<[u8; LINE]>().read_unaligned());
                at += LINE;
            }
        } else {
            core::ptr::copy_nonoverlapping(from, to, len);
        }
    }
}
