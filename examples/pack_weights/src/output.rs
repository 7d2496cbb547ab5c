//! The packed file and its index, which appear whole or not at all.

use crate::Result;
use crate::header::Tensor;
use crate::layouts::Placement;
use crate::shards::Part;
use serde_json::{Value, json};
use std::fs::{self, File, TryLockError};
use std::io::{BufWriter, IntoInnerError, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Every tensor starts at a multiple of this many bytes, a page, so that it can be mapped on its own.
pub(crate) const ALIGNMENT: u64 = 4096;

const PACKED: &str = "packed.bin";
const INDEX: &str = "index.json";

/// Both files under temporary names. They are removed unless [`Output::finish`] gives them their own.
pub(crate) struct Output {
    packed: File,
    index: BufWriter<File>,
    /// The number of bytes of the packed file that are allocated to tensors.
    len: u64,
    tensors: usize,
    /// Last, so that what is written is in the files before they are removed.
    directory: Directory,
}

/// What has to be removed again after a failure.
struct Directory {
    path: PathBuf,
    created: bool,
    files: Vec<PathBuf>,
    /// Further handles of the files: a file stays locked while one of its handles is open, here until it has its name.
    locks: Vec<File>,
}

impl Output {
    /// Starts both files in the directory `path`, which is made if there is none.
    pub(crate) fn create(path: &Path, source: &Path) -> Result<Self> {
        let created = !path.is_dir();
        if created {
            fs::create_dir(path).map_err(|error| about(path, error))?;
        }
        let mut directory =
            Directory { path: path.into(), created, files: Vec::new(), locks: Vec::new() };
        let target = path.join(PACKED);
        if target.exists() && fs::canonicalize(&target)? == fs::canonicalize(source)? {
            return Err(format!("`{}` is the source itself", target.display()).into());
        }
        let packed = directory.start(PACKED)?;
        let mut index = BufWriter::new(directory.start(INDEX)?);
        let source = source.file_name().map(|name| name.to_string_lossy());
        write!(
            index,
            "{{\"format\":\"tensor-layout packed\",\"version\":1,\"source\":{},\"file\":\"{PACKED}\",\"alignment\":{ALIGNMENT},\"tensors\":[",
            Value::from(source)
        )?;
        Ok(Self { directory, packed, index, len: 0, tensors: 0 })
    }

    /// Adds a tensor that takes `bytes` bytes to the index, and says where they start.
    pub(crate) fn add(
        &mut self,
        tensor: &Tensor,
        part: Option<&Part>,
        placement: &Placement,
        bytes: u64,
    ) -> Result<u64> {
        let offset = self.len.checked_next_multiple_of(ALIGNMENT);
        let end = offset.and_then(|offset| offset.checked_add(bytes));
        let (Some(offset), Some(end)) = (offset, end) else {
            return Err("the packed file is larger than any file can be".into());
        };
        let mut entry = json!({
            "name": tensor.name,
            "dtype": tensor.info.dtype.to_string(),
            "shape": tensor.info.shape,
            "layout": placement.layout(),
            "offset": offset,
            "bytes": bytes,
        });
        if let Some(part) = part {
            entry["sharding"] = part.sharding.clone().into();
            entry["origin"] = part.origin.clone().into();
            entry["local_shape"] = part.info.shape.clone().into();
        }
        if let Placement::Kept { reason, .. } = placement {
            entry["kept"] = (*reason).into();
        }
        let comma = if self.tensors > 0 { "," } else { "" };
        write!(self.index, "{comma}\n{entry}")?;
        (self.len, self.tensors) = (end, self.tensors + 1);
        Ok(offset)
    }

    /// Writes `bytes` at `offset` of the packed file.
    pub(crate) fn write(&mut self, offset: u64, bytes: &[u8]) -> Result<()> {
        let mut write = || {
            self.packed.seek(SeekFrom::Start(offset))?;
            self.packed.write_all(bytes)
        };
        Ok(write().map_err(|error| about(&self.directory.path.join(PACKED), error))?)
    }

    /// Writes what is left, and gives both files their names. The index comes last: where it exists, all is complete.
    pub(crate) fn finish(mut self) -> Result<()> {
        writeln!(self.index, "\n],\"bytes\":{}}}", self.len)?;
        self.packed.set_len(self.len)?;
        self.packed.sync_all()?;
        self.index.into_inner().map_err(IntoInnerError::into_error)?.sync_all()?;
        drop(self.packed);
        self.directory.finish()
    }
}

impl Directory {
    /// Creates the file that will be `name`. A file that an interrupted program left behind is overwritten.
    fn start(&mut self, name: &str) -> Result<File> {
        let path = self.path.join(name).with_added_extension("partial");
        let file = loop {
            let open =
                File::options().read(true).write(true).create(true).truncate(false).open(&path);
            let file = open.map_err(|error| about(&path, error))?;
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => {
                    let path = path.display();
                    return Err(format!("`{path}` is being written by another program").into());
                }
                Err(TryLockError::Error(error)) => return Err(about(&path, error).into()),
            }
            // Another program may have given it its name, or removed it, before it was locked here.
            if is_at(&file, &path) {
                break file;
            }
        };
        self.locks.push(file.try_clone().map_err(|error| about(&path, error))?);
        self.files.push(path.clone());
        file.set_len(0).map_err(|error| about(&path, error))?;
        Ok(file)
    }

    fn finish(mut self) -> Result<()> {
        // An old index must not describe a new file.
        let index = self.path.join(INDEX);
        if index.exists() {
            fs::remove_file(&index).map_err(|error| about(&index, error))?;
        }
        for file in &mut self.files {
            let name = file.with_extension("");
            fs::rename(&file, &name).map_err(|error| about(&name, error))?;
            *file = name;
        }
        self.files.clear();
        self.created = false;
        Ok(())
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        // Nobody is left to tell if this fails too.
        for file in &self.files {
            let _ = fs::remove_file(file);
        }
        if self.created {
            let _ = fs::remove_dir(&self.path);
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

fn about(path: &Path, error: std::io::Error) -> String {
    format!("`{}`: {error}", path.display())
}
