//! Runs of bytes that are contiguous in both arrays.

use super::cpu::{Instructions, LINE};

/// How to write.
#[derive(Clone, Copy)]
pub(super) struct Mode {
    /// Past the caches.
    pub(super) stream: bool,
    /// Bytes from what is read to what is asked for meanwhile, when streaming.
    pub(super) ahead: usize,
}

impl Mode {
    /// Into the caches.
    pub(super) const NEAR: Self = Self { stream: false, ahead: 0 };
}

/// Writes a line, past the caches if asked to and the address is one that allows it.
///
/// # Safety
/// `to` must be good for a line, and the CPU must have the instructions.
#[inline(always)]
pub(super) unsafe fn put<I: Instructions>(to: *mut u8, line: I::Line, stream: bool) {
    // SAFETY: as the caller promises; streamed lines are aligned.
    unsafe {
        match stream && to.addr().is_multiple_of(LINE) {
            true => I::stream(to, line),
            false => I::store(to, line),
        }
    }
}

/// Copies `len` bytes.
///
/// # Safety
/// Both pointers must be good for `len` bytes that do not overlap, and the CPU must have the instructions.
#[inline(always)]
pub(super) unsafe fn run<I: Instructions>(from: *const u8, to: *mut u8, len: usize, mode: Mode) {
    let lines = len / LINE * LINE;
    // SAFETY: every access lies within `len` bytes of the pointers.
    unsafe {
        let mut at = 0;
        if mode.stream && to.addr().is_multiple_of(LINE) {
            while at < lines {
                I::prefetch(from.wrapping_add(at + mode.ahead));
                I::stream(to.add(at), I::load(from.add(at)));
                at += LINE;
            }
        } else if len <= 16 * LINE {
            while at < lines {
                I::store(to.add(at), I::load(from.add(at)));
                at += LINE;
            }
        }
        if at < len {
            core::ptr::copy_nonoverlapping(from.add(at), to.add(at), len - at);
        }
    }
}
