//! A file that appears whole or not at all.

use super::Result;
use super::error::CheckpointError;
use super::source::io_error;
use std::format;
use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};

/// A file under a temporary name, `NAME.partial`, locked against other programs.
pub(super) struct Partial {
    file: File,
    /// Where it is now.
    path: PathBuf,
    /// Where it will be.
    target: PathBuf,
    keep: bool,
}

impl Partial {
    /// Opens the file that will be at `target`, with what an interrupted program left in it.
    pub(super) fn open(target: &Path) -> Result<Self> {
        let path = target.with_added_extension("partial");
        loop {
            let open =
                File::options().read(true).write(true).create(true).truncate(false).open(&path);
            let file = open.map_err(|error| io_error(&path, error))?;
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => {
                    let reason =
                        format!("`{}` is being written by another program", path.display());
                    return Err(CheckpointError::Write { reason });
                }
                Err(TryLockError::Error(error)) => return Err(io_error(&path, error)),
            }
            // Another program may have given it its name, or removed it, before it was locked here.
            if is_at(&file, &path) {
                return Ok(Self { file, path, target: target.into(), keep: false });
            }
        }
    }

    pub(super) fn file(&self) -> &File {
        &self.file
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Keeps what is written when the program goes on without [`Partial::finish`].
    pub(super) fn keep(&mut self) {
        self.keep = true;
    }

    /// Gives the file its name, when all of it is on the disk.
    pub(super) fn finish(mut self) -> Result<()> {
        self.file.sync_all().map_err(|error| io_error(&self.path, error))?;
        fs::rename(&self.path, &self.target).map_err(|error| io_error(&self.target, error))?;
        self.keep = true;
        Ok(())
    }
}

impl Drop for Partial {
    fn drop(&mut self) {
        if !self.keep {
            // Nobody is left to tell if this fails.
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Whether an open file is the one at a path.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    match (file.metadata(), fs::metadata(path)) {
        (Ok(open), Ok(found)) => (open.dev(), open.ino()) == (found.dev(), found.ino()),
        _ => false,
    }
}

/// Whether an open file is the one at a path.
#[cfg(not(unix))]
fn is_at(_: &File, path: &Path) -> bool {
    path.exists()
}
