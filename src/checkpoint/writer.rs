//! Writes packed checkpoints.

use super::checksum::{self, DIGITS};
use super::dtype::to_safetensors;
use super::error::CheckpointError;
use super::header::{MAX_HEADER, METADATA, total};
use super::partial::Partial;
use super::shards::{Contents, described};
use super::source::io_error;
use super::sparse::{self, StoredElement};
use super::storable::StoredSpec;
use super::{ALIGNMENT, Result};
use crate::movement::transfer::check_packed;
use crate::quantized::DynQuantizedRef;
use crate::sparse::{Encoding, SparseTensor};
use crc32fast::Hasher;
use safetensors::Dtype;
use serde_json::Value;
use std::boxed::Box;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::format;
use std::io::{Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::Path;
use std::string::{String, ToString};
use std::vec::Vec;

/// The key of the version of the format.
pub(super) const VERSION: &str = "tensor_layout.version";
/// The prefix of the keys of layouts.
pub(super) const LAYOUT: &str = "layout.";
/// The prefix of the keys of shardings.
pub(super) const SHARDING: &str = "sharding.";
/// The prefix of the keys of checksums.
pub(super) const CHECKSUM: &str = "checksum.";
/// The prefix of the names of the entries that fill gaps.
pub(super) const PADDING: &str = "__padding__";

/// The maximum length of a file.
const MAX_FILE: u64 = i64::MAX as u64 / 2;

/// A text with the length of a checksum, for tensors that have not been written yet.
const UNWRITTEN: &str = "--------";
const _: () = assert!(UNWRITTEN.len() == DIGITS);

/// Writes a packed checkpoint, tensor by tensor. The file appears under its name when it is complete.
///
/// Until then it is called `NAME.partial`, and is removed when the writer is dropped, unless [`Writer::keep`] was called. It
/// also remains if the program is killed. [`Writer::resume`] continues it.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let path = std::env::temp_dir().join(format!("tensor-layout-writer-{}.safetensors", std::process::id()));
/// use tensor_layout::checkpoint::Writer;
/// use tensor_layout::{Layout, tiled};
/// type W = tiled!(f32[2,3]);
///
/// let mut writer = Writer::create(&path, [("a", W::SPEC), ("b", W::SPEC)])?;
/// writer.write("a", W::pack(&[1.0; 6])?.as_bytes())?;
/// writer.write("b", W::pack(&[2.0; 6])?.as_bytes())?;
/// assert!(!path.exists());
/// writer.finish()?;
/// assert!(path.exists());
/// # std::fs::remove_file(&path)?;
/// # Ok(())
/// # }
/// ```
pub struct Writer {
    partial: Partial,
    tensors: Vec<Tensor>,
    numbers: BTreeMap<String, usize>,
    /// The tensor that is being written: its number, the number of its bytes so far, and their checksum.
    current: Option<(usize, usize, Hasher)>,
    /// The header without checksums, if several programs write the file.
    shared: Option<Vec<u8>>,
    /// The position after the data.
    end: u64,
    /// Bytes that follow the data until the file is finished. A file with other ones is not continued.
    mark: Vec<u8>,
}

struct Tensor {
    name: String,
    spec: Box<StoredSpec>,
    /// The text that its checksum covers in addition to its name and its bytes.
    described: String,
    /// The range of its bytes in the file.
    bytes: Range<u64>,
    /// The position of its checksum in the file.
    checksum: u64,
    written: bool,
}

impl Writer {
    /// Starts a file with arrays of these names and layouts.
    ///
    /// A tensor that is split ([`Contents::sharded`]) is written in parts: those of `w` are called `w@0`, `w@1`, ..., and a
    /// device stores the part [`Contents::part`].
    ///
    /// # Errors
    /// If two names are the same or one is reserved (`__metadata__`, `__padding__...`); if a layout splits an array between
    /// memories or has an unbounded dimension; if a tensor is split by a sharding with unreduced axes, or by a `padded` one whose
    /// axes do not divide it; if another program writes the file; or if the system refuses.
    pub fn create(
        path: impl AsRef<Path>,
        tensors: impl IntoIterator<Item = (impl Into<String>, impl Into<Contents>)>,
    ) -> Result<Self> {
        let (mut writer, header) = Self::open(path.as_ref(), tensors, Vec::new())?;
        writer.start(&header)?;
        Ok(writer)
    }

    /// Continues a file that was interrupted: the tensors for which [`Writer::is_written`] returns `true` need not be written
    /// again. If no such file exists, or if it is for other tensors, a new one is started.
    ///
    /// # Errors
    /// As [`Writer::create`].
    pub fn resume(
        path: impl AsRef<Path>,
        tensors: impl IntoIterator<Item = (impl Into<String>, impl Into<Contents>)>,
    ) -> Result<Self> {
        Self::resume_marked(path.as_ref(), tensors, Vec::new())
    }

    /// As [`Writer::resume`], but continues only a file with this mark.
    pub(super) fn resume_marked(
        path: &Path,
        tensors: impl IntoIterator<Item = (impl Into<String>, impl Into<Contents>)>,
        mark: Vec<u8>,
    ) -> Result<Self> {
        let (mut writer, header) = Self::open(path, tensors, mark)?;
        if !writer.find(&header).map_err(|error| io_error(writer.partial.path(), error))? {
            writer.start(&header)?;
        }
        Ok(writer)
    }

    /// Starts or continues a file that other programs also write, at the same time or earlier. Each program announces the same
    /// tensors, and writes some of them completely. The last program to call [`Writer::finish`] gives the file its name. Until
    /// then `NAME.partial` remains, even if a program is killed.
    ///
    /// [`Writer::is_written`] returns `true` for the tensors that other programs have completed before this call, which cannot be
    /// written again. The first program compares what it finds with the checksums, and the others wait for it. While a program
    /// joins or leaves the others, a file `NAME.partial.gate` exists.
    ///
    /// Programs on several machines need a file system that they share, with locks.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let path = std::env::temp_dir().join(format!("tensor-layout-shared-{}.safetensors", std::process::id()));
    /// use tensor_layout::checkpoint::{Checkpoint, Contents, Writer};
    /// use tensor_layout::{Layout, ShardedLayout, mesh, sharded};
    /// mesh! { Pod = ["model" = 2] }
    /// type W = sharded!(f32[4,8] @ Pod [{"model"}, {}]);
    /// type Local = <W as ShardedLayout>::Local;
    ///
    /// // Each of two processes runs one iteration.
    /// let mut writers = Vec::new();
    /// for device in 0..2 {
    ///     let mut writer = Writer::share(&path, [("w", Contents::sharded::<W>())])?;
    ///     writer.write(&format!("w@{device}"), Local::pack(&[device as f32; 16])?.as_bytes())?;
    ///     writers.push(writer);
    /// }
    /// for writer in writers {
    ///     writer.finish()?;
    /// }
    /// assert_eq!(Checkpoint::open_for(&path, 1)?.get_shard::<W>("w")?.get([0, 0]), 1.0);
    /// # std::fs::remove_file(&path)?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As for [`Writer::create`], where programs that call this function are not other ones; and if they announced other tensors.
    pub fn share(
        path: impl AsRef<Path>,
        tensors: impl IntoIterator<Item = (impl Into<String>, impl Into<Contents>)>,
    ) -> Result<Self> {
        Self::share_marked(path.as_ref(), tensors, Vec::new())
    }

    /// As [`Writer::share`], but continues only a file with this mark.
    pub(super) fn share_marked(
        path: &Path,
        tensors: impl IntoIterator<Item = (impl Into<String>, impl Into<Contents>)>,
        mark: Vec<u8>,
    ) -> Result<Self> {
        let (header, tensors) = plan(tensors)?;
        let numbers = numbers(&tensors)?;
        let (partial, alone) = Partial::share(path)?;
        let end = end(&header, &tensors);
        let mut writer = Self { partial, tensors, numbers, current: None, shared: None, end, mark };
        let error = |writer: &Self, error| io_error(writer.partial.path(), error);
        if alone {
            if !writer.find(&header).map_err(|source| error(&writer, source))? {
                writer.start(&header)?;
            }
            writer.partial.join()?;
        } else {
            let written = writer.checksums(&header).map_err(|source| error(&writer, source))?;
            let Some(written) = written else {
                let path = writer.partial.path().display();
                return Err(refused(format!(
                    "other tensors, or those of other sources, are being written into `{path}`"
                )));
            };
            // The first program has verified the checksums that it found, and those that were written since follow their bytes.
            for (tensor, checksum) in writer.tensors.iter_mut().zip(written) {
                tensor.written = checksum.is_some();
            }
        }
        writer.shared = Some(header);
        Ok(writer)
    }

    /// A writer that has neither read nor written anything, and the header of its file.
    fn open(
        path: &Path,
        tensors: impl IntoIterator<Item = (impl Into<String>, impl Into<Contents>)>,
        mark: Vec<u8>,
    ) -> Result<(Self, Vec<u8>)> {
        let (header, tensors) = plan(tensors)?;
        let numbers = numbers(&tensors)?;
        let partial = Partial::open(path)?;
        let end = end(&header, &tensors);
        Ok((Self { partial, tensors, numbers, current: None, shared: None, end, mark }, header))
    }

    /// Whether a tensor has been written; `false` if it was not announced.
    pub fn is_written(&self, name: &str) -> bool {
        self.number(name).is_ok_and(|number| self.tensors[number].written)
    }

    /// Writes a packed array. Its bytes do not say how many indices of a bounded dimension are in use; see [the file](super#the-file).
    ///
    /// # Errors
    /// If no such tensor was announced, it has been written already, or another one is only written in part; if `packed` does
    /// not have the length of its layout; or if the system refuses.
    pub fn write(&mut self, name: &str, packed: &[u8] /* x.as_bytes() */) -> Result<()> {
        let number = self.number(name)?;
        match &*self.tensors[number].spec {
            StoredSpec::Tiled(spec) => check_packed(spec, packed.len())
                .map_err(|source| CheckpointError::Pack { name: name.into(), source })?,
            StoredSpec::Quantized(spec) => {
                DynQuantizedRef::new(*spec, packed)
                    .map_err(|source| CheckpointError::Quantized { name: name.into(), source })?;
            }
            StoredSpec::Sparse(spec) if spec.bytes() != packed.len() => {
                let (expected, found) = (spec.bytes(), packed.len());
                return Err(refused(format!(
                    "tensor `{name}` has {expected} bytes, but {found} are written"
                )));
            }
            StoredSpec::Sparse(_) => {}
        }
        self.append(name, packed)
    }

    /// Writes a sparse tensor, which was announced as [`stored_sparse`](super::stored_sparse) says.
    ///
    /// # Errors
    /// As for [`Writer::write`], and if another tensor was announced.
    pub fn write_sparse<E: Encoding, T: StoredElement>(
        &mut self,
        name: &str,
        tensor: &SparseTensor<E, T>,
    ) -> Result<()> {
        let number = self.number(name)?;
        let (spec, bytes) = sparse::stored_bytes(name, tensor)?;
        let announced = &self.tensors[number].spec;
        if announced.sparse() != Some(&spec) {
            return Err(refused(format!("tensor `{name}` is `{spec}`, not `{announced}`")));
        }
        self.append(name, &bytes)
    }

    /// Writes the next bytes of a packed array. The tensor is complete with the last one.
    ///
    /// # Errors
    /// As for [`Writer::write`], except that `packed` may have fewer bytes.
    pub fn append(&mut self, name: &str, packed: &[u8]) -> Result<()> {
        let number = self.number(name)?;
        let Tensor { described, bytes, checksum: at, written, .. } = &self.tensors[number];
        let len = (bytes.end - bytes.start) as usize;
        let done = match &self.current {
            Some((current, done, _)) if *current == number => *done,
            Some((current, ..)) => {
                let first = &self.tensors[*current].name;
                return Err(refused(format!(
                    "tensor `{name}` is written before all of `{first}` is"
                )));
            }
            None if *written => return Err(refused(format!("tensor `{name}` is written twice"))),
            None => 0,
        };
        if packed.len() > len - done {
            let more = done + packed.len();
            return Err(refused(format!(
                "tensor `{name}` has {len} bytes, but {more} are written"
            )));
        }
        let error = |source| io_error(self.partial.path(), source);
        write_at(self.partial.file(), bytes.start + done as u64, packed).map_err(error)?;
        let mut hasher = match self.current.take() {
            Some((.., hasher)) => hasher,
            None => checksum::start(name, described),
        };
        hasher.update(packed);
        if done + packed.len() < len {
            self.current = Some((number, done + packed.len(), hasher));
            return Ok(());
        }
        let text = checksum::text(hasher.finalize());
        write_at(self.partial.file(), *at, text.as_bytes()).map_err(error)?;
        self.tensors[number].written = true;
        Ok(())
    }

    /// Keeps the written bytes if the writer is dropped before it is finished, so that [`Writer::resume`] can continue.
    pub fn keep(&mut self) {
        self.partial.keep();
    }

    /// Gives the file its name. A file that already had this name is replaced.
    ///
    /// # Errors
    /// If a tensor has not been written, or the system refuses. If programs share the file, a missing tensor is not an error,
    /// because another program can write it later.
    pub fn finish(self) -> Result<()> {
        self.finish_share().map(drop)
    }

    /// As [`Writer::finish`]. Returns whether the file has its name: a shared file that others still write to does not.
    pub(super) fn finish_share(mut self) -> Result<bool> {
        if let Some(header) = self.shared.take() {
            if !self.partial.leave()? {
                return Ok(false);
            }
            let written = self.checksums(&header);
            let written = written.map_err(|error| io_error(self.partial.path(), error))?;
            let is_complete = written.is_some_and(|written| written.iter().all(Option::is_some));
            return if is_complete { self.complete() } else { Ok(false) };
        }
        if let Some(tensor) = self.tensors.iter().find(|tensor| !tensor.written) {
            return Err(refused(format!("tensor `{}` has not been written", tensor.name)));
        }
        self.complete()
    }

    /// Removes the mark, and gives the file its name.
    fn complete(self) -> Result<bool> {
        if !self.mark.is_empty() {
            let cut = self.partial.file().set_len(self.end);
            cut.map_err(|error| io_error(self.partial.path(), error))?;
        }
        self.partial.finish().map(|()| true)
    }

    /// Writes a header without checksums and the mark, and gives the file its length.
    fn start(&mut self, header: &[u8]) -> Result<()> {
        let mut start = || {
            self.partial.clear()?;
            write_at(self.partial.file(), 0, header)?;
            self.partial.file().set_len(self.end)?;
            write_at(self.partial.file(), self.end, &self.mark)
        };
        start().map_err(|error| io_error(self.partial.path(), error))
    }

    /// The checksums of the tensors that have been written to a file with this header; `None` if the file has another header or
    /// mark.
    fn checksums(&self, header: &[u8]) -> std::io::Result<Option<Vec<Option<u32>>>> {
        let mut file = self.partial.file();
        let mut found = Vec::new();
        file.seek(SeekFrom::Start(0))?;
        file.take(header.len() as u64).read_to_end(&mut found)?;
        if found.len() < header.len() || file.metadata()?.len() != self.end + self.mark.len() as u64
        {
            return Ok(None);
        }
        let mut mark = Vec::new();
        file.seek(SeekFrom::Start(self.end))?;
        file.read_to_end(&mut mark)?;
        if mark != self.mark {
            return Ok(None);
        }
        let mut written = Vec::new();
        for tensor in &self.tensors {
            let at = tensor.checksum as usize..tensor.checksum as usize + UNWRITTEN.len();
            let text = std::str::from_utf8(&found[at.clone()]);
            written.push(text.ok().and_then(checksum::parse));
            found[at].copy_from_slice(UNWRITTEN.as_bytes());
        }
        Ok((found == header).then_some(written))
    }

    /// Determines which tensors an interrupted program has written; `false` if the file has another header.
    fn find(&mut self, header: &[u8]) -> std::io::Result<bool> {
        let Some(written) = self.checksums(header)? else { return Ok(false) };
        let mut file = self.partial.file();
        // After a crash, the file can contain a checksum but not all of its bytes.
        let mut buffer = std::vec![0; 1 << 20];
        for (tensor, checksum) in self.tensors.iter_mut().zip(written) {
            let Some(stored) = checksum else { continue };
            let mut hasher = checksum::start(&tensor.name, &tensor.described);
            let mut at = tensor.bytes.start;
            file.seek(SeekFrom::Start(at))?;
            while at < tensor.bytes.end {
                let len = (tensor.bytes.end - at).min(buffer.len() as u64) as usize;
                file.read_exact(&mut buffer[..len])?;
                hasher.update(&buffer[..len]);
                at += len as u64;
            }
            tensor.written = hasher.finalize() == stored;
            if !tensor.written {
                write_at(file, tensor.checksum, UNWRITTEN.as_bytes())?;
            }
        }
        Ok(true)
    }

    fn number(&self, name: &str) -> Result<usize> {
        self.numbers.get(name).copied().ok_or_else(|| {
            refused(format!("tensor `{name}` was not announced when the file was started"))
        })
    }
}

/// The header of a file with these arrays, including its length but without checksums, and the positions of all entries.
fn plan(
    tensors: impl IntoIterator<Item = (impl Into<String>, impl Into<Contents>)>,
) -> Result<(Vec<u8>, Vec<Tensor>)> {
    let (mut metadata, mut entries) = (format!("{}:\"1\"", text(VERSION)), String::new());
    let (mut planned, mut data, mut gaps) = (Vec::new(), 0_u64, 0);
    // The text before the metadata.
    let front = 8 + format!("{{{}:{{", text(METADATA)).len();
    let mut names = BTreeMap::new();
    for (name, spec, described) in parts(tensors, &mut names, &mut metadata)? {
        spec.check().map_err(|source| CheckpointError::Pack { name: name.clone(), source })?;
        if names.contains_key(&name) {
            return Err(refused(format!("tensor `{name}` is announced twice")));
        }
        if let Some((whole, number)) = name.rsplit_once('@')
            && let Some(&parts) = names.get(whole)
            && !(0..parts).contains(&number.parse().unwrap_or(parts))
        {
            let reason =
                format!("`{name}` would be a part of tensor `{whole}`, which has {parts} parts");
            return Err(refused(reason));
        }
        if name == METADATA || name.starts_with(PADDING) {
            return Err(refused(format!("the name `{name}` is reserved")));
        }
        let layout = format!("{LAYOUT}{name}");
        let _ = write!(metadata, ",{}:{}", text(&layout), text(&spec.to_string()));
        let _ = write!(metadata, ",{}:\"", text(&format!("{CHECKSUM}{name}")));
        let checksum = (front + metadata.len()) as u64;
        let _ = write!(metadata, "{UNWRITTEN}\"");

        // Every byte must belong to an entry, including the bytes between two tensors.
        let start = data.next_multiple_of(ALIGNMENT as u64);
        if start > data {
            let (gap, len) = (text(&format!("{PADDING}.{gaps}")), start - data);
            let _ = write!(
                entries,
                ",{gap}:{{\"dtype\":\"U8\",\"shape\":[{len}],\"data_offsets\":[{data},{start}]}}"
            );
            gaps += 1;
        }
        let end = start.checked_add(spec.bytes() as u64);
        data = end
            .filter(|&end| end <= MAX_FILE)
            .ok_or_else(|| refused("the file is larger than any file can be".into()))?;
        entry(&mut entries, &name, &spec, start..data);
        planned.push(Tensor {
            name,
            spec: spec.into(),
            described,
            bytes: start..data,
            checksum,
            written: false,
        });
    }
    let header = header(&metadata, &entries)?;
    let len = header.len() as u64;
    for tensor in &mut planned {
        tensor.bytes = tensor.bytes.start + len..tensor.bytes.end + len;
    }
    Ok((header, planned))
}

/// The entries of tensors: the name, the layout and the description of each whole tensor and of each part. Writes the shardings
/// to the metadata, and the names of the tensors that are split, with the number of parts of each, to `split`.
fn parts(
    tensors: impl IntoIterator<Item = (impl Into<String>, impl Into<Contents>)>,
    split: &mut BTreeMap<String, usize>,
    metadata: &mut String,
) -> Result<Vec<(String, StoredSpec, String)>> {
    let mut entered = Vec::new();
    for (name, contents) in tensors {
        let (name, contents): (String, Contents) = (name.into(), contents.into());
        if let Some(why) = contents.unstorable() {
            return Err(refused(format!("tensor `{name}` cannot be stored: {why}")));
        }
        if contents.parts() > MAX_HEADER as usize / 100 {
            return Err(refused(format!("tensor `{name}` has more parts than a header lists")));
        }
        let sharding = contents.sharding().map(ToString::to_string);
        if let Some(sharding) = &sharding {
            let key = format!("{SHARDING}{name}");
            let _ = write!(metadata, ",{}:{}", text(&key), text(sharding));
            if split.insert(name.clone(), contents.parts()).is_some() {
                return Err(refused(format!("tensor `{name}` is announced twice")));
            }
        }
        for (number, part) in contents.names(&name).into_iter().enumerate() {
            let spec = *contents.part_spec(number);
            entered.push((part, spec, described(&spec.to_string(), sharding.as_deref())));
        }
    }
    Ok(entered)
}

/// The header with its length, padded so that the data is aligned.
fn header(metadata: &str, entries: &str) -> Result<Vec<u8>> {
    let mut json = format!("{{{}:{{{metadata}}}{entries}}}", text(METADATA));
    let len = (8 + json.len()).next_multiple_of(ALIGNMENT);
    json.extend(std::iter::repeat_n(' ', len - 8 - json.len()));
    if json.len() as u64 > MAX_HEADER {
        return Err(refused(format!("the header takes more than {MAX_HEADER} bytes")));
    }
    Ok([&(json.len() as u64).to_le_bytes(), json.as_bytes()].concat())
}

/// Appends the entry of a tensor whose bytes are `bytes` of the data.
fn entry(entries: &mut String, name: &str, spec: &StoredSpec, bytes: Range<u64>) {
    let Range { start, end } = bytes;
    let len = end - start;
    let typed = spec.tiled().and_then(|spec| {
        let dtype = to_safetensors(spec.dtype())?;
        let shape: Vec<_> = spec.physical_shape().collect();
        let stored = total(dtype.bitsize() / 8, &shape).map(|stored| stored as u64);
        (stored == Some(len)).then_some((dtype, shape))
    });
    let (dtype, shape) = typed.unwrap_or_else(|| (Dtype::U8, std::vec![len as usize]));
    let (name, shape) = (text(name), Value::from(shape));
    let _ = write!(
        entries,
        ",{name}:{{\"dtype\":\"{dtype}\",\"shape\":{shape},\"data_offsets\":[{start},{end}]}}"
    );
}

/// The position after the data of a file with this header.
fn end(header: &[u8], tensors: &[Tensor]) -> u64 {
    tensors.last().map_or(header.len() as u64, |tensor| tensor.bytes.end)
}

/// The number of each name.
fn numbers(tensors: &[Tensor]) -> Result<BTreeMap<String, usize>> {
    let mut numbers = BTreeMap::new();
    for (number, Tensor { name, .. }) in tensors.iter().enumerate() {
        if numbers.insert(name.clone(), number).is_some() {
            return Err(refused(format!("tensor `{name}` is announced twice")));
        }
    }
    Ok(numbers)
}

/// A text as a string of JSON.
fn text(text: &str) -> Value {
    Value::from(text)
}

fn refused(reason: String) -> CheckpointError {
    CheckpointError::Write { reason }
}

fn write_at(mut file: &std::fs::File, at: u64, bytes: &[u8]) -> std::io::Result<()> {
    file.seek(SeekFrom::Start(at))?;
    file.write_all(bytes)
}
