//! The file that is read, a window at a time.

use crate::Result;
use memmap2::{Mmap, MmapOptions};
use std::fs::File;
use std::ops::Range;
use std::path::Path;

/// Bytes that are mapped at a time: mapped pages count as memory of the process while they are.
const WINDOW: u64 = 16 << 20;

/// A file of which one window is mapped.
pub(crate) struct Source {
    file: File,
    len: u64,
    window: Option<(u64, Mmap)>,
}

impl Source {
    pub(crate) fn open(path: &Path) -> Result<Self> {
        let file = File::open(path)?;
        let metadata = file.metadata()?;
        if !metadata.is_file() {
            return Err("not a file".into());
        }
        Ok(Self { file, len: metadata.len(), window: None })
    }

    /// Bytes in the file.
    pub(crate) fn len(&self) -> u64 {
        self.len
    }

    /// The bytes `at` of the file.
    pub(crate) fn bytes(&mut self, at: Range<u64>) -> Result<&[u8]> {
        if at.is_empty() {
            return Ok(&[]);
        }
        let mapped =
            |(start, map): &(u64, Mmap)| *start <= at.start && at.end <= start + map.len() as u64;
        if !self.window.as_ref().is_some_and(mapped) {
            // The old window goes first, so that there is never more than one.
            self.window = None;
            let len = WINDOW.max(at.end - at.start).min(self.len - at.start);
            // SAFETY: the map is read as plain bytes. Another program that shortens or writes the file meanwhile is
            // what every memory-mapped file is exposed to; the documentation of the program says not to.
            let map =
                unsafe { MmapOptions::new().offset(at.start).len(len as usize).map(&self.file)? };
            self.window = Some((at.start, map));
        }
        let (start, map) = self.window.as_ref().expect("mapped above");
        let from = (at.start - start) as usize;
        Ok(&map[from..from + (at.end - at.start) as usize])
    }
}
