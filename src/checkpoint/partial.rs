//! A file that appears under its name only when it is complete.

use super::Result;
use super::error::CheckpointError;
use super::source::io_error;
use std::format;
use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};

/// A file under a temporary name, `NAME.partial`, locked against all programs with which it is not shared.
pub(super) struct Partial {
    file: File,
    /// The temporary path.
    path: PathBuf,
    /// The final path.
    target: PathBuf,
    keep: bool,
    shared: bool,
    /// Dropped last, so that the next program does not find the file locked.
    gate: Option<Gate>,
}

/// A file, `NAME.partial.gate`, that a program locks while it joins or leaves the programs that share a file. A program that has
/// the gate and finds the shared file locked exclusively knows that another one writes it alone, and need not wait.
struct Gate {
    file: File,
    path: PathBuf,
}

impl Gate {
    /// Waits for the program in the gate, if any.
    fn enter(target: &Path) -> Result<Self> {
        let path = target.with_added_extension("partial.gate");
        loop {
            let file = open(&path)?;
            file.lock().map_err(|error| io_error(&path, error))?;
            // The program before has removed the file that it had locked.
            if is_at(&file, &path) {
                return Ok(Self { file, path });
            }
        }
    }
}

impl Drop for Gate {
    fn drop(&mut self) {
        // Failures cannot be reported from here. A file that remains is used again.
        let _ = fs::remove_file(&self.path);
        let _ = self.file.unlock();
    }
}

impl Partial {
    /// Opens the file that will be moved to `target`, with the contents that an interrupted program left in it.
    pub(super) fn open(target: &Path) -> Result<Self> {
        Self::lock(target, |file, path| match is_alone(file, path)? {
            true => Ok(()),
            false => Err(busy(path)),
        })
    }

    /// Opens a file that several programs write. Returns whether this program has exclusive access to it until
    /// [`Partial::join`]; the other programs wait until then.
    ///
    /// # Errors
    /// Also if a program that does not share the file writes it.
    pub(super) fn share(target: &Path) -> Result<(Self, bool)> {
        let gate = Gate::enter(target)?;
        let mut alone = false;
        let mut partial = Self::lock(target, |file, path| {
            alone = is_alone(file, path)?;
            if alone { Ok(()) } else { lock_shared(file, path) }
        })?;
        partial.shared = true;
        partial.gate = alone.then_some(gate);
        Ok((partial, alone))
    }

    /// Opens the file, once it is locked.
    fn lock(target: &Path, mut lock: impl FnMut(&File, &Path) -> Result<()>) -> Result<Self> {
        let path = target.with_added_extension("partial");
        loop {
            let file = open(&path)?;
            lock(&file, &path)?;
            // Another program may have renamed or removed the file before it was locked here.
            if is_at(&file, &path) {
                // What an interrupted program left is kept until a new file is started.
                let keep = file.metadata().is_ok_and(|found| found.len() > 0);
                let target = target.into();
                return Ok(Self { file, path, target, keep, shared: false, gate: None });
            }
        }
    }

    /// Gives the programs that share the file access to it.
    pub(super) fn join(&mut self) -> Result<()> {
        self.file.unlock().map_err(|error| io_error(&self.path, error))?;
        lock_shared(&self.file, &self.path)?;
        self.gate = None;
        Ok(())
    }

    /// Gives up access to the file. Returns whether no other program has access to it and it still has its temporary name. This
    /// program then has exclusive access, and those that want to share the file wait.
    pub(super) fn leave(&mut self) -> Result<bool> {
        let error = |error| io_error(&self.path, error);
        self.file.sync_all().map_err(error)?;
        let gate = Gate::enter(&self.target)?;
        self.file.unlock().map_err(error)?;
        let is_last = is_alone(&self.file, &self.path)? && is_at(&self.file, &self.path);
        self.gate = is_last.then_some(gate);
        Ok(is_last)
    }

    pub(super) fn file(&self) -> &File {
        &self.file
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Empties the file, for new contents.
    pub(super) fn clear(&mut self) -> std::io::Result<()> {
        self.file.set_len(0)?;
        self.keep = false;
        Ok(())
    }

    /// Keeps the file even if [`Partial::finish`] is not called.
    pub(super) fn keep(&mut self) {
        self.keep = true;
    }

    /// Waits until the file is on the disk, and moves it to its final path.
    pub(super) fn finish(mut self) -> Result<()> {
        self.file.sync_all().map_err(|error| io_error(&self.path, error))?;
        fs::rename(&self.path, &self.target).map_err(|error| io_error(&self.target, error))?;
        self.keep = true;
        Ok(())
    }
}

impl Drop for Partial {
    fn drop(&mut self) {
        // A shared file is left to the other programs, and to later ones.
        if !self.keep && !self.shared {
            // A failure cannot be reported from here.
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Opens a file for reading and writing, and creates it if it does not exist.
fn open(path: &Path) -> Result<File> {
    let file = File::options().read(true).write(true).create(true).truncate(false).open(path);
    file.map_err(|error| io_error(path, error))
}

/// Locks a file together with the programs that share it.
fn lock_shared(file: &File, path: &Path) -> Result<()> {
    match file.try_lock_shared() {
        Ok(()) => Ok(()),
        Err(TryLockError::WouldBlock) => Err(busy(path)),
        Err(TryLockError::Error(error)) => Err(io_error(path, error)),
    }
}

fn busy(path: &Path) -> CheckpointError {
    let reason = format!("`{}` is being written by another program", path.display());
    CheckpointError::Write { reason }
}

/// Locks a file exclusively. Returns `false` if another program has locked it.
fn is_alone(file: &File, path: &Path) -> Result<bool> {
    match file.try_lock() {
        Ok(()) => Ok(true),
        Err(TryLockError::WouldBlock) => Ok(false),
        Err(TryLockError::Error(error)) => Err(io_error(path, error)),
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
