//! The bytes of a file, mapped or in memory.
#![allow(unsafe_code, reason = "files are mapped")]

use super::error::CheckpointError;
use super::{ALIGNMENT, Result};
use crate::cpu::in_huge_pages;
use memmap2::Mmap;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::SystemTime;
use std::vec::Vec;

/// All bytes of a file.
pub(super) struct Source {
    path: PathBuf,
    bytes: Bytes,
}

enum Bytes {
    /// The file stays open, so that its length can be checked.
    Mapped(Mmap, File),
    /// The bytes of the file begin at this index, which is aligned as a map would be.
    Read(Vec<u8>, usize),
}

impl Source {
    /// Maps a file.
    pub(super) fn map(path: &Path) -> Result<Self> {
        let (file, _) = open(path)?;
        // SAFETY: the map is private to this crate, is only read, and any bytes are valid. Another program can write or
        // truncate any file while it is mapped; the documentation of `Checkpoint::open` warns of this and names the option that
        // reads the file instead.
        let map = unsafe { Mmap::map(&file) }.map_err(|source| io_error(path, source))?;
        Ok(Self { path: path.into(), bytes: Bytes::Mapped(map, file) })
    }

    /// Reads a file into memory.
    pub(super) fn read(path: &Path) -> Result<Self> {
        let (mut file, len) = open(path)?;
        let error = |source| io_error(path, source);
        let out_of_memory = || error(io::ErrorKind::OutOfMemory.into());
        let len = usize::try_from(len).map_err(|_| out_of_memory())?;
        let room = len.checked_add(ALIGNMENT - 1).ok_or_else(out_of_memory)?;
        let mut bytes = Vec::<u8>::new();
        bytes.try_reserve_exact(room).map_err(|_| out_of_memory())?;
        let mut bytes = in_huge_pages(bytes);
        let start = bytes.as_ptr().addr().wrapping_neg() % ALIGNMENT;
        bytes.resize(start, 0);
        let read = (&mut file).take(len as u64).read_to_end(&mut bytes).map_err(error)?;
        if read < len {
            return Err(error(io::ErrorKind::UnexpectedEof.into()));
        }
        Ok(Self { path: path.into(), bytes: Bytes::Read(bytes, start) })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// When the file was last written, if the system knows it.
    pub(super) fn modified(&self) -> Option<SystemTime> {
        match &self.bytes {
            Bytes::Mapped(_, file) => file.metadata().and_then(|metadata| metadata.modified()).ok(),
            Bytes::Read(..) => None,
        }
    }

    /// The bytes, if the file is still long enough.
    pub(super) fn bytes(&self) -> Result<&[u8]> {
        if let Bytes::Mapped(map, file) = &self.bytes {
            let actual = file.metadata().map_err(|source| io_error(&self.path, source))?.len();
            let expected = map.len() as u64;
            if actual < expected {
                let path = self.path.clone();
                return Err(CheckpointError::Shrunk { path, actual, expected });
            }
        }
        Ok(self.unasked())
    }

    /// The bytes, without a check that the file is still long enough.
    pub(super) fn unasked(&self) -> &[u8] {
        match &self.bytes {
            Bytes::Mapped(map, _) => map,
            Bytes::Read(bytes, start) => &bytes[*start..],
        }
    }

    /// Asks the system to read a range of the file ahead of its use, if the system supports this.
    pub(super) fn prefetch(&self, range: std::ops::Range<usize>) -> Result<()> {
        #[cfg(unix)]
        if let Bytes::Mapped(map, _) = &self.bytes {
            map.advise_range(memmap2::Advice::WillNeed, range.start, range.len())
                .map_err(|source| io_error(&self.path, source))?;
        }
        #[cfg(not(unix))]
        let _ = range;
        Ok(())
    }
}

/// A file and its length.
fn open(path: &Path) -> Result<(File, u64)> {
    let error = |source| io_error(path, source);
    let file = File::open(path).map_err(error)?;
    let metadata = file.metadata().map_err(error)?;
    if !metadata.is_file() {
        return Err(CheckpointError::Format { path: path.into(), reason: "not a file".into() });
    }
    Ok((file, metadata.len()))
}

pub(super) fn io_error(path: &Path, source: io::Error) -> CheckpointError {
    CheckpointError::Io { path: path.into(), source }
}
