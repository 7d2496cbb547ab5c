//! Checksums of the name, the layout and the bytes of a tensor.

use crc32fast::Hasher;
use std::format;
use std::string::String;

/// The digits of a checksum.
pub(super) const DIGITS: usize = 8;

/// The checksum of a tensor in a file.
pub(super) struct Checksum {
    /// The checksum that was written.
    pub(super) stored: u32,
    /// The checksum of the name and the layout, which precede the bytes.
    pub(super) start: Hasher,
}

impl Checksum {
    /// Reads the checksum of a tensor.
    pub(super) fn read(digits: &str, name: &str, layout: &str) -> Option<Self> {
        Some(Self { stored: parse(digits)?, start: start(name, layout) })
    }
}

/// The checksum of a tensor before its bytes: that of its name and its layout, each followed by a line feed. A change of either
/// is detected in the same way as a change of the bytes.
pub(super) fn start(name: &str, layout: &str) -> Hasher {
    let mut hasher = Hasher::new();
    hasher.update(format!("{name}\n{layout}\n").as_bytes());
    hasher
}

/// A checksum in the form in which files contain it.
pub(super) fn text(checksum: u32) -> String {
    format!("{checksum:08x}")
}

/// A checksum from a file; `None` if the text is not a checksum, which is the case until the tensor has been written.
pub(super) fn parse(text: &str) -> Option<u32> {
    let digits = text.len() == DIGITS && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    u32::from_str_radix(text, 16).ok().filter(|_| digits)
}
