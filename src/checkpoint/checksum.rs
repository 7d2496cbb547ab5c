//! What tells that the bytes of a tensor, its name and its layout are those that were written.

use crc32fast::Hasher;
use std::format;
use std::string::String;

/// The digits of a checksum.
pub(super) const DIGITS: usize = 8;

/// The checksum of a tensor in a file.
pub(super) struct Checksum {
    /// What was written.
    pub(super) stored: u32,
    /// The checksum of what stands before the bytes.
    pub(super) start: Hasher,
}

impl Checksum {
    /// Reads the checksum of a tensor.
    pub(super) fn read(digits: &str, name: &str, layout: &str) -> Option<Self> {
        Some(Self { stored: parse(digits)?, start: start(name, layout) })
    }
}

/// The checksum of a tensor before its bytes: that of its name and its layout, each with a line feed after it. A file in
/// which one of them has changed is found out like one whose bytes have.
pub(super) fn start(name: &str, layout: &str) -> Hasher {
    let mut hasher = Hasher::new();
    hasher.update(format!("{name}\n{layout}\n").as_bytes());
    hasher
}

/// A checksum as it stands in a file.
pub(super) fn text(checksum: u32) -> String {
    format!("{checksum:08x}")
}

/// A checksum out of a file; `None` if it is not one, as before the tensor is written.
pub(super) fn parse(text: &str) -> Option<u32> {
    let digits = text.len() == DIGITS && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    u32::from_str_radix(text, 16).ok().filter(|_| digits)
}
