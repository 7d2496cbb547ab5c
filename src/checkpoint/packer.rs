//! Makes packed checkpoints from safetensors files.

use super::Result;
use super::checksum;
use super::error::CheckpointError;
use super::open::Checkpoint;
use super::quantize;
use super::rules::Rules;
use super::shards::Contents;
use super::source::io_error;
use super::sparse::{self, Keep};
use super::storable::StoredSpec;
use super::writer::Writer;
use crate::movement::DynLayout;
use crate::sparse::SparseTensorSpec;
use layout_core::sharding::{Shards, TensorSharding};
use layout_core::tiled::TiledSpec;
use serde_json::Value;
use std::borrow::Cow;
use std::boxed::Box;
use std::collections::BTreeMap;
use std::format;
use std::fs::File;
use std::path::{Component, Path, PathBuf};
use std::string::{String, ToString};
use std::vec::Vec;

/// The number of packed bytes that are written at a time, which are still in the cache when they are checked.
const SLAB: usize = 1 << 20;

/// The longest index of files that is read, in bytes.
const MAX_INDEX: u64 = 100_000_000;

/// Packs the tensors of safetensors files into the layouts that rules choose, a megabyte at a time, and checks every bit. A
/// tensor that is or becomes sparse is kept in memory completely and built twice: the first time to determine the lengths of
/// its arrays. If its parts become sparse, they are built one by one, and do not store the zeros that a sparse source stores.
/// If numbers become block-scaled, the packer checks that each of them is within
/// [`QuantizedSpec::error_bound`](crate::quantized::QuantizedSpec::error_bound).
///
/// ```no_run
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use tensor_layout::checkpoint::{Packer, Rules};
/// let rules: Rules = "*norm* = row-major \n *.w1 = q8_0 \n * = tpu!".parse()?;
/// let summary = Packer::new(rules).pack("model.safetensors.index.json", "model.packed.safetensors")?;
/// println!("{} tensors, {} bytes", summary.tensors, summary.written);
/// # Ok(())
/// # }
/// ```
///
/// If a tensor of a source is split over a mesh, its parts are first joined in memory, in row-major order. Tensors whose
/// numbers are rounded are also converted to row-major order in memory.
///
/// An interrupted run is resumed: tensors that are complete in `NAME.partial` are not packed again. A run with other rules, or from
/// sources that have been written since, starts again. Processes that [share](Packer::share) the work notice only other lengths and
/// headers, since they may have copies of the sources.
pub struct Packer<'a> {
    rules: Rules,
    /// The number of this process, and the number of all processes.
    process: Option<(usize, usize)>,
    progress: Box<dyn FnMut(u64, u64) + 'a>,
}

/// The number of tensors and bytes that [`Packer::pack`] has read and written.
///
/// ```no_run
/// use tensor_layout::checkpoint::{Packer, Rules};
/// let rules: Rules = "* = tpu!".parse()?;
/// let summary = Packer::new(rules).pack("model.safetensors", "model.packed.safetensors")?;
/// println!("{} of {} tensors were there already", summary.resumed, summary.tensors);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Summary {
    /// The number of tensors in the new file, or of those that this process has packed. Each part of a tensor that is split
    /// counts.
    pub tensors: usize,
    /// The number of these tensors that an earlier run had written.
    pub resumed: usize,
    /// The number of bytes of these tensors in the sources. A tensor of which several processes pack parts counts in each of them.
    pub read: u64,
    /// The number of bytes of the packed tensors, including padding.
    pub written: u64,
    /// Whether this call gave the file its name. Of processes that share the work, the last one to finish does so.
    pub is_complete: bool,
}

/// A tensor to pack.
struct Task<'a> {
    name: &'a str,
    from: &'a Checkpoint,
    /// Its layout in the source, or before it is packed.
    stored: StoredSpec,
    /// The name of the entry that is written: that of the tensor or of a part.
    target: String,
    to: StoredSpec,
    /// The elements that are kept, if it is pruned.
    keep: Option<Keep>,
    /// The index at which the part begins.
    origin: Vec<usize>,
}

impl<'a> Packer<'a> {
    /// A packer with these rules.
    pub fn new(rules: Rules /* "* = tpu!".parse()? */) -> Self {
        Self { rules, process: None, progress: Box::new(|_, _| {}) }
    }

    /// Calls `progress` with the number of packed bytes that have been written, and the number of all packed bytes.
    pub fn progress(mut self, progress: impl FnMut(u64, u64) + 'a) -> Self {
        self.progress = Box::new(progress);
        self
    }

    /// Shares the work among `count` processes. `number` is the number of this process, from 0 to `count - 1`; process 0 of 1
    /// shares nothing. Each process packs some of the tensors, or some of the parts of those that are split. The file exists once
    /// all processes have returned: see [`Writer::share`].
    pub fn share(mut self, number: usize, count: usize) -> Self {
        // Only a process that is alone can see from the time of a source that it has changed.
        self.process = (count > 1 || number > 0).then_some((number, count.max(1)));
        self
    }

    /// Packs the tensors of `source`, a safetensors file or the index of several (`*.index.json`), into the file `target`. The
    /// file appears when everything is written and checked. The sources can be packed checkpoints themselves.
    ///
    /// # Errors
    /// If a source cannot be read, a rule does not fit a tensor, a tensor has no layout, or the target cannot be written. The
    /// tensors that are complete are kept for the next run. Nothing is written if a rule does not fit, or if [`Packer::share`] was
    /// given a number of a process that does not exist.
    pub fn pack(mut self, source: impl AsRef<Path>, target: impl AsRef<Path>) -> Result<Summary> {
        if let Some((number, count)) = self.process.filter(|(number, count)| number >= count) {
            let reason = format!("there is no process {number} among {count}");
            return Err(CheckpointError::Write { reason });
        }
        let sources = open(source.as_ref())?;
        let (mut tasks, mut announced) = (Vec::new(), Vec::new());
        for (name, from) in &sources.tensors {
            let (name, from) = (name.as_str(), &sources.files[*from]);
            let spec = source_spec(from, name, &self.rules)?;
            let (dtype, dims) = (spec.unpacked(), spec.dims());
            let contents = match self.rules.sparse_parts(name, dtype, dims)? {
                // The lengths of its arrays are only known once it has been built.
                Some((to, split)) => {
                    sparse_contents(name, (&spec, &source_bytes(from, name, &spec)?), &to, split)?
                }
                None => self.rules.contents(name, dtype, dims)?,
            };
            for (part, target) in contents.names(name).into_iter().enumerate() {
                let (to, origin) = (*contents.part_spec(part), contents.origin(part));
                let keep = self.rules.keep(name);
                tasks.push(Task { name, from, stored: spec, target, to, keep, origin });
            }
            announced.push((name, contents));
        }
        if let Some((number, count)) = self.process {
            tasks = tasks.into_iter().skip(number).step_by(count).collect();
        }
        let mut read = 0;
        for parts in tasks.chunk_by(|a, b| a.name == b.name) {
            read += from_bytes(parts[0].from, parts[0].name)?;
        }
        // A process without work would start the finished file of the others again. If no process has work, the first one writes
        // the file.
        if self.process.is_some_and(|(number, _)| number > 0) && tasks.is_empty() {
            return Ok(Summary::default());
        }
        let mark = sources.mark(&self.rules, self.process.is_none());
        let mut writer = match self.process {
            Some(_) => Writer::share_marked(target.as_ref(), announced, mark)?,
            None => Writer::resume_marked(target.as_ref(), announced, mark)?,
        };
        // From here on, the written bytes are worth keeping.
        writer.keep();
        let total = tasks.iter().map(|task| task.to.bytes() as u64).sum();
        let mut summary = Summary { tensors: tasks.len(), read, ..Summary::default() };
        // The parts of a tensor are adjacent.
        let mut held: Option<(&str, Cow<'_, [u8]>)> = None;
        for task in &tasks {
            if writer.is_written(&task.target) {
                summary.resumed += 1;
                summary.written += task.to.bytes() as u64;
            } else {
                let bytes = match held.take() {
                    Some((name, bytes)) if name == task.name => bytes,
                    _ => source_bytes(task.from, task.name, &task.stored)?,
                };
                let (_, bytes) = held.insert((task.name, bytes));
                task.pack(bytes, &mut writer, &mut |len| {
                    summary.written += len;
                    (self.progress)(summary.written, total);
                })?;
            }
            (self.progress)(summary.written, total);
        }
        summary.is_complete = writer.finish_share()?;
        Ok(summary)
    }
}

impl Task<'_> {
    /// Packs `bytes`, and calls `progress` with the number of bytes of each part that is written.
    fn pack(&self, bytes: &[u8], writer: &mut Writer, progress: &mut dyn FnMut(u64)) -> Result<()> {
        let stored = &self.stored;
        // A sparse tensor is unpacked completely.
        let unpacked;
        let from = match (stored, &self.to) {
            (StoredSpec::Sparse(spec), to) if to.sparse().is_none() || self.keep.is_some() => {
                unpacked = sparse::dense_bytes(self.name, spec, bytes)?;
                let row_major = TiledSpec::row_major(spec.element(), spec.dims());
                let row_major = row_major.ok_or_else(|| CheckpointError::NoLayout {
                    name: self.name.into(),
                    reason: format!("no layout has the dimensions {:?}", spec.dims()),
                })?;
                (&StoredSpec::Tiled(row_major), &unpacked[..])
            }
            _ => (stored, bytes),
        };
        match &self.to {
            StoredSpec::Sparse(to) if let Some(keep) = self.keep => {
                let bytes = sparse::prune(self.name, from, &self.origin, (to, keep), SLAB)?;
                writer.write(&self.target, &bytes)?;
                progress(bytes.len() as u64);
                Ok(())
            }
            StoredSpec::Sparse(to) => {
                let (spec, bytes) = sparse::build_part(self.name, from, &self.origin, to.tensor())?;
                if spec != *to {
                    let reason = format!("tensor `{}` has changed while it was packed", self.name);
                    return Err(CheckpointError::Write { reason });
                }
                writer.write(&self.target, &bytes)?;
                progress(bytes.len() as u64);
                Ok(())
            }
            StoredSpec::Tiled(to) => self.pack_tiled(to, from, writer, progress),
            StoredSpec::Quantized(to) => {
                quantize::pack(self.name, from, &self.origin, to, SLAB, &mut |packed| {
                    writer.append(&self.target, packed)?;
                    progress(packed.len() as u64);
                    Ok(())
                })
            }
        }
    }

    fn pack_tiled(
        &self,
        to: &TiledSpec,
        (from, bytes): (&StoredSpec, &[u8]),
        writer: &mut Writer,
        progress: &mut dyn FnMut(u64),
    ) -> Result<()> {
        let Self { name, target, .. } = self;
        let error = |source| CheckpointError::Pack { name: (*name).into(), source };
        let (mut row_major, mut packed, mut unpacked) = (Vec::new(), Vec::new(), Vec::new());
        let mut pieces = 0;
        for piece in to.pieces(SLAB) {
            let spec = piece.spec();
            row_major.resize(spec.elements() * spec.dtype().byte_width(), 0);
            let origin: Vec<_> =
                piece.origin().iter().zip(&self.origin).map(|(at, part)| at + part).collect();
            quantize::unpack_window(name, from, &origin, spec.dims(), bytes, &mut row_major)?;
            packed.resize(spec.storage_bytes(), 0);
            spec.pack_bytes(&row_major, &mut packed).map_err(error)?;
            // The comparison must not see bytes of an earlier piece.
            unpacked.clear();
            unpacked.resize(row_major.len(), 0xA5);
            spec.unpack_bytes(&packed, &mut unpacked).map_err(error)?;
            if unpacked != row_major {
                let reason = format!(
                    "tensor `{name}` unpacks to different bits; this is a bug in the library"
                );
                return Err(CheckpointError::Write { reason });
            }
            writer.append(target, &packed)?;
            progress(packed.len() as u64);
            pieces += 1;
        }
        // An array without elements has no pieces.
        if pieces == 0 { writer.write(target, &std::vec![0; to.storage_bytes()]) } else { Ok(()) }
    }
}

/// The layout of the tensor that becomes `to`, or whose parts do.
fn sparse_contents(
    name: &str,
    from: (&StoredSpec, &[u8]),
    to: &SparseTensorSpec,
    split: Option<(&TensorSharding, Shards)>,
) -> Result<Contents> {
    let Some((sharding, shards)) = split else {
        return Ok(sparse::build(name, from, to)?.0.into());
    };
    // A part begins at the same index in all layouts of its size.
    let (spec, _) = from;
    let local = TiledSpec::row_major(spec.unpacked(), shards.local_dims()).map(StoredSpec::Tiled);
    let no_layout = || CheckpointError::NoLayout {
        name: name.into(),
        reason: format!("no layout has the dimensions {:?}", shards.local_dims()),
    };
    let contents = Contents::new(local.ok_or_else(no_layout)?, sharding, shards.clone());
    let part = |part| {
        sparse::build_part(name, from, &contents.origin(part), to).map(|(spec, _)| spec.into())
    };
    let parts = (0..contents.parts()).map(part).collect::<Result<_>>()?;
    Contents::sparse_parts(parts, sharding, shards.clone()).ok_or_else(no_layout)
}

/// Files, and the file of each tensor.
struct Sources {
    files: Vec<Checkpoint>,
    tensors: BTreeMap<String, usize>,
}

impl Sources {
    /// The mark of an unfinished file that is packed from these sources by these rules. An interrupted run with another mark is
    /// not continued, because its tensors can have other values. Processes that share the work can have copies of the sources,
    /// so only those of one process count the times at which they were written.
    fn mark(&self, rules: &Rules, by_time: bool) -> Vec<u8> {
        let files: Vec<_> = self.files.iter().map(|file| file.identity(by_time)).collect();
        let text = format!("{rules:?} {files:?} {:?}", self.tensors);
        checksum::text(crc32fast::hash(text.as_bytes())).into_bytes()
    }
}

/// Opens a safetensors file, or all files of an index.
fn open(path: &Path) -> Result<Sources> {
    if path.extension().is_none_or(|extension| extension != "json") {
        let file = Checkpoint::open(path)?;
        let tensors = names(&file).map(|name| (name.to_string(), 0)).collect();
        return Ok(Sources { files: std::vec![file], tensors });
    }
    let (mut files, mut tensors, mut numbers) = (Vec::new(), BTreeMap::new(), BTreeMap::new());
    for (name, file) in weight_map(path)? {
        let number = match numbers.get(&file) {
            Some(number) => *number,
            None => {
                let number = files.len();
                files.push(Checkpoint::open(path.with_file_name(&file))?);
                numbers.insert(file, number);
                number
            }
        };
        from_bytes(&files[number], &name)?;
        tensors.insert(name, number);
    }
    Ok(Sources { files, tensors })
}

/// The tensors of a file. A tensor that is split counts as one.
fn names(file: &Checkpoint) -> impl Iterator<Item = &str> {
    let is_part = |name: &str| {
        let whole = name.rsplit_once('@').map(|(whole, _)| whole);
        whole.is_some_and(|whole| file.sharded.contains_key(whole))
    };
    file.names().filter(move |name| !is_part(name)).chain(file.sharded_names())
}

/// The layout of a tensor of a source. A tensor that is split or rounded is first made row-major.
fn source_spec(from: &Checkpoint, name: &str, rules: &Rules) -> Result<StoredSpec> {
    let spec = match from.split_spec(name) {
        Some(whole) => StoredSpec::Tiled(whole?),
        None => *from.stored_spec(name)?,
    };
    let dtype = rules.stored_type(name, spec.unpacked());
    if dtype == spec.unpacked() {
        return Ok(spec);
    }
    let rounded = TiledSpec::row_major(dtype, spec.dims()).map(StoredSpec::Tiled);
    rounded.ok_or_else(|| CheckpointError::NoLayout {
        name: name.into(),
        reason: format!("no layout has the dimensions {:?}", spec.dims()),
    })
}

/// The bytes of a tensor in the layout [`source_spec`].
fn source_bytes<'a>(from: &'a Checkpoint, name: &str, spec: &StoredSpec) -> Result<Cow<'a, [u8]>> {
    let dtype = match from.split_spec(name) {
        Some(whole) => whole?.dtype(),
        None if from.stored_spec(name)?.unpacked() == spec.unpacked() => {
            return from.bytes(name).map(Cow::Borrowed);
        }
        None => from.stored_spec(name)?.unpacked(),
    };
    let dense = from.dense_bytes(name)?;
    if dtype == spec.unpacked() {
        return Ok(Cow::Owned(dense));
    }
    quantize::round(name, dtype, &dense).map(Cow::Owned)
}

/// The number of bytes of a tensor of a source.
fn from_bytes(from: &Checkpoint, name: &str) -> Result<u64> {
    match from.split_spec(name) {
        Some(whole) => Ok(whole?.storage_bytes() as u64),
        None => Ok(from.stored_spec(name)?.bytes() as u64),
    }
}

/// The file of each tensor, in the directory of the index.
fn weight_map(path: &Path) -> Result<Vec<(String, PathBuf)>> {
    let wrong = |reason: String| CheckpointError::Format { path: path.into(), reason };
    let mut file = File::open(path).map_err(|error| io_error(path, error))?;
    let len = file.metadata().map_err(|error| io_error(path, error))?.len();
    if len > MAX_INDEX {
        return Err(wrong(format!("an index of {len} bytes; at most {MAX_INDEX} are read")));
    }
    let mut text = String::new();
    std::io::Read::read_to_string(&mut std::io::Read::take(&mut file, MAX_INDEX), &mut text)
        .map_err(|error| io_error(path, error))?;
    let index: Value =
        serde_json::from_str(&text).map_err(|error| wrong(format!("not an index: {error}")))?;
    let Some(map) = index.get("weight_map").and_then(Value::as_object) else {
        return Err(wrong("not an index of safetensors files: it has no `weight_map`".into()));
    };
    let file = |(name, file): (&String, &Value)| {
        let named = file.as_str().map(PathBuf::from);
        // An index may name only files in its own directory.
        let beside = named.filter(|file| {
            let mut components = file.components();
            matches!((components.next(), components.next()), (Some(Component::Normal(_)), None))
        });
        let beside = beside
            .ok_or_else(|| wrong(format!("`{name}` is not in a file beside the index: {file}")))?;
        Ok((name.clone(), beside))
    };
    map.iter().map(file).collect()
}
