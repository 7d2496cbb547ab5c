//! Reading a checkpoint.

mod stored;

use super::Result;
use super::error::CheckpointError;
use super::header;
use super::shards::{Sharded, part_name};
use super::source::Source;
use super::sparse::{self, StoredElement};
use super::storable::{Storable, StoredSpec, View};
use super::writer::VERSION;
use crate::compute::Operand;
use crate::element::Element;
use crate::movement::host::zeroed;
use crate::movement::{DynLayout, PackError, bytes_of_mut};
use crate::quantized::DynQuantizedRef;
use crate::sparse::{DynSparseTensor, SparseTensorSpec};
use crate::typed::{Layout, Packed, PackedRef};
use layout_core::sharding::TensorSharding;
use layout_core::syntax::nearest;
use layout_core::tiled::TiledSpec;
use std::borrow::ToOwned;
use std::boxed::Box;
use std::collections::BTreeMap;
use std::ops::{Bound, Range};
use std::path::Path;
use std::string::String;
use std::sync::atomic::Ordering::Relaxed;
use std::time::SystemTime;
use std::vec::Vec;
use stored::{Stored, stored};

/// A packed checkpoint or another safetensors file, open for reading.
///
/// Opening maps the file and reads only its header, so it takes as long for 40 GB as for 40 kB, unless [`Options::in_memory`] is
/// set. An array is a view of the mapped file.
///
/// A checkpoint is `Sync`: threads may share it.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let path = std::env::temp_dir().join(format!("tensor-layout-open-{}.safetensors", std::process::id()));
/// use tensor_layout::checkpoint::{Checkpoint, Writer};
/// use tensor_layout::{Layout, tiled};
/// type W = tiled!(f32[2,3]);
/// let mut writer = Writer::create(&path, [("w", W::SPEC)])?;
/// writer.write("w", W::pack(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0])?.as_bytes())?;
/// writer.finish()?;
///
/// let checkpoint = Checkpoint::open(&path)?;
/// assert_eq!(checkpoint.get::<W>("w")?.get([1, 0]), 4.0);
/// # std::fs::remove_file(&path)?;
/// # Ok(())
/// # }
/// ```
pub struct Checkpoint {
    source: Source,
    tensors: BTreeMap<String, Stored>,
    /// The tensors that are split over a mesh.
    pub(super) sharded: BTreeMap<String, Sharded>,
    verify: Verify,
}

/// The options with which a checkpoint is opened, from [`Checkpoint::options`].
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let path = std::env::temp_dir().join(format!("tensor-layout-options-{}.safetensors", std::process::id()));
/// use tensor_layout::checkpoint::{Checkpoint, Verify, Writer};
/// # use tensor_layout::{Layout, tiled};
/// # type W = tiled!(f32[2]);
/// # let mut writer = Writer::create(&path, [("w", W::SPEC)])?;
/// # writer.write("w", W::pack(&[1.0, 2.0])?.as_bytes())?;
/// # writer.finish()?;
/// let checkpoint = Checkpoint::options().in_memory(true).verify(Verify::OnRequest).open(&path)?;
/// assert_eq!(checkpoint.get::<W>("w")?.unpack(), [1.0, 2.0]);
/// # std::fs::remove_file(&path)?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    verify: Verify,
    read: bool,
    device: Option<usize>,
}

/// When the bytes of a tensor are compared with its checksum. Only packed checkpoints have checksums.
///
/// ```
/// use tensor_layout::checkpoint::{Checkpoint, Verify};
/// // The program checks the file itself, once: `checkpoint.verify()`.
/// let options = Checkpoint::options().verify(Verify::OnRequest);
/// # let _ = options;
/// assert_eq!(Verify::default(), Verify::FirstUse);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Verify {
    /// The first time that the tensor is requested, which reads all of its bytes once.
    #[default]
    FirstUse,
    /// Only by [`Checkpoint::verify`]: bytes that are mapped are read when they are used.
    OnRequest,
}

/// The array that [`Checkpoint::get_or_relayout`] returns: a view of the file if the file has the layout, otherwise a copy.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let path = std::env::temp_dir().join(format!("tensor-layout-loaded-{}.safetensors", std::process::id()));
/// use tensor_layout::checkpoint::{Checkpoint, Loaded, Writer};
/// use tensor_layout::{Layout, tiled, tpu};
/// # let mut writer = Writer::create(&path, [("w", <tiled!(f32[8,8])>::SPEC)])?;
/// # writer.write("w", <tiled!(f32[8,8])>::pack(&[1.0; 64])?.as_bytes())?;
/// # writer.finish()?;
/// let checkpoint = Checkpoint::open(&path)?;                      // has a row-major `w`
/// let w = checkpoint.get_or_relayout::<tpu!(f32[8,8])>("w")?;
/// assert!(matches!(w, Loaded::Moved(_)));
/// let w = checkpoint.get_or_relayout::<tiled!(f32[8,8])>("w")?;
/// assert!(matches!(w, Loaded::Mapped(_)));
/// # std::fs::remove_file(&path)?;
/// # Ok(())
/// # }
/// ```
pub enum Loaded<'a, L: Layout> {
    /// In the file, in this layout.
    Mapped(PackedRef<'a, L>),
    /// In memory, because it was moved into this layout.
    Moved(Packed<L>),
}

impl Options {
    /// When checksums are compared; [`Verify::FirstUse`] unless set.
    pub fn verify(mut self, verify: Verify) -> Self {
        self.verify = verify;
        self
    }

    /// Reads the file into memory instead of mapping it. Later changes of the file then have no effect. On Linux, the memory has huge
    /// pages, which a mapped file does not: in a virtual machine, memory was then read 1.4 times as fast.
    pub fn in_memory(mut self, read: bool) -> Self {
        self.read = read;
        self
    }

    /// Opens the parts of one device: see [`Checkpoint::open_for`].
    pub fn device(mut self, device: usize) -> Self {
        self.device = Some(device);
        self
    }

    /// Opens a file: see [`Checkpoint::open`].
    ///
    /// # Errors
    /// As [`Checkpoint::open`].
    pub fn open(self, path: impl AsRef<Path>) -> Result<Checkpoint> {
        let path = path.as_ref();
        let source = if self.read { Source::read(path)? } else { Source::map(path)? };
        Checkpoint::of_source(source, self)
    }
}

impl Checkpoint {
    /// Maps a safetensors file, packed or not, and reads its header.
    ///
    /// The file must not change while it is mapped. It may be replaced by a rename, as [`Writer`](super::Writer) does: the map
    /// then keeps the old file. If the file is truncated, the next request for a tensor returns [`CheckpointError::Shrunk`],
    /// but if an existing view reads past the new end, the system ends the program (`SIGBUS`). Bytes that another program
    /// writes become visible at any time. If any of this can happen, read the file into memory:
    /// `Checkpoint::options().in_memory(true).open(path)`.
    ///
    /// # Errors
    /// If the system refuses, the file is not a complete safetensors file, its metadata contradicts it, or it was packed by a
    /// later version of the library.
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        Self::options().open(path)
    }

    /// Maps the parts of the tensors that the device with this id stores. A tensor that is split is then the local array, under
    /// its own name; a tensor that is not split is complete. Other parts are never read.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let path = std::env::temp_dir().join(format!("tensor-layout-shards-{}.safetensors", std::process::id()));
    /// use tensor_layout::checkpoint::{Checkpoint, Contents, Writer};
    /// use tensor_layout::{Layout, ShardedLayout, mesh, sharded};
    /// mesh! { Pod = ["model" = 2] }
    /// type W = sharded!(f32[4,8] @ Pod [{"model"}, {}]);
    /// type Local = <W as ShardedLayout>::Local;
    ///
    /// let mut writer = Writer::create(&path, [("w", Contents::sharded::<W>())])?;
    /// writer.write("w@0", Local::pack(&[0.0; 16])?.as_bytes())?;
    /// writer.write("w@1", Local::pack(&[1.0; 16])?.as_bytes())?;
    /// writer.finish()?;
    ///
    /// let checkpoint = Checkpoint::open_for(&path, 1)?;
    /// assert_eq!(checkpoint.get_shard::<W>("w")?.get([0, 0]), 1.0);
    ///
    /// type Columns = sharded!(f32[4,8] @ Pod [{}, {"model"}]);
    /// assert_eq!(checkpoint.get_shard::<Columns>("w").unwrap_err().to_string(), r#"tensor `w` is split by `<mesh<["model"=2]>, [{"model"}, {}]>`, not `<mesh<["model"=2]>, [{}, {"model"}]>`
    /// help: write the sharding of the file, or pack the file again"#);
    /// # std::fs::remove_file(&path)?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As for [`Checkpoint::open`], and if the mesh of a tensor does not have the device.
    pub fn open_for(path: impl AsRef<Path>, device: usize) -> Result<Self> {
        Self::options().device(device).open(path)
    }

    /// The options for opening a file, with their default values.
    pub fn options() -> Options {
        Options::default()
    }

    fn of_source(source: Source, options: Options) -> Result<Self> {
        let wrong = |reason| CheckpointError::Format { path: source.path().into(), reason };
        let bytes = source.unasked();
        let file = bytes.len() as u64;
        let start = header::len(bytes, file).map_err(wrong)?;
        let header = header::read(&bytes[8..start as usize], file - start).map_err(wrong)?;
        let version = header.metadata.get(VERSION);
        if let Some(found) = version.filter(|version| *version != "1") {
            let (path, found) = (source.path().to_owned(), found.clone());
            return Err(CheckpointError::Version { path, found });
        }
        let is_packed = version.is_some();
        let (mut tensors, sharded) = stored(header, is_packed).map_err(wrong)?;
        if let Some(device) = options.device {
            for (name, sharded) in &sharded {
                let part = part_name(name, sharded.part(name, device)?);
                let local = tensors.remove(&part);
                for other in sharded.contents.names(name) {
                    tensors.remove(&other);
                }
                tensors.extend(local.map(|local| (name.clone(), local)));
            }
        }
        Ok(Self { source, tensors, sharded, verify: options.verify })
    }

    /// The names of the tensors, in alphabetical order.
    pub fn names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.tensors.keys().map(String::as_str)
    }

    /// The sharding of a tensor, with its mesh; `None` if it is not split.
    ///
    /// # Errors
    /// If there is no such tensor.
    pub fn sharding(&self, name: &str) -> Result<Option<&TensorSharding>> {
        match self.sharded.get(name) {
            Some(sharded) => Ok(sharded.contents.sharding()),
            None => self.stored(name).map(|_| None),
        }
    }

    /// The names of the tensors that are split, in alphabetical order.
    pub fn sharded_names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.sharded.keys().map(String::as_str)
    }

    /// The names that begin with `prefix`, also those of tensors of which the file has only parts.
    pub(super) fn names_from<'a>(&'a self, prefix: &'a str) -> impl Iterator<Item = &'a str> {
        let from = (Bound::Included(prefix), Bound::Unbounded);
        let names = self.tensors.range::<str, _>(from).map(|(name, _)| name.as_str());
        let split = self.sharded.range::<str, _>(from).map(|(name, _)| name.as_str());
        let has_prefix = move |name: &&str| name.starts_with(prefix);
        names.take_while(has_prefix).chain(split.take_while(has_prefix))
    }

    pub(super) fn path(&self) -> &Path {
        self.source.path()
    }

    /// What tells this file from a later one of the same name: its length, its header and, if `by_time`, when it was written.
    pub(super) fn identity(&self, by_time: bool) -> (usize, u32, Option<SystemTime>) {
        let bytes = self.source.unasked();
        let header = header::len(bytes, bytes.len() as u64).map_or(0, |len| len as usize);
        let modified = self.source.modified().filter(|_| by_time);
        (bytes.len(), crc32fast::hash(&bytes[..header]), modified)
    }

    /// The layout of a tensor, which is row-major unless the file says otherwise.
    ///
    /// # Errors
    /// If there is no such tensor, if no layout has its element type or rank, or if it is block-scaled or sparse, in which case
    /// [`Checkpoint::stored_spec`] returns its layout.
    pub fn spec(&self, name: &str) -> Result<&TiledSpec> {
        let stored = self.stored_spec(name)?;
        let (name, boxed) = (|| name.into(), || Box::new(*stored));
        match stored {
            StoredSpec::Tiled(spec) => Ok(spec),
            StoredSpec::Quantized(_) => {
                Err(CheckpointError::BlockScaled { name: name(), stored: boxed() })
            }
            StoredSpec::Sparse(_) => Err(CheckpointError::Sparse { name: name(), stored: boxed() }),
        }
    }

    /// The layout of a tensor, which is tiled, block-scaled or sparse, and row-major unless the file says otherwise.
    ///
    /// # Errors
    /// If there is no such tensor, or no layout has its element type or rank.
    pub fn stored_spec(&self, name: &str) -> Result<&StoredSpec> {
        self.stored(name)?.spec(name)
    }

    /// An array as a view of the file, without a copy. The view is a [`PackedRef`] for a tiled layout, a
    /// [`QuantizedRef`](crate::quantized::QuantizedRef) for a layout of [`quantized!`](crate::quantized!), and a
    /// [`SparseTensorRef`](crate::sparse::SparseTensorRef) for a [`SparseTensor`](crate::SparseTensor). For a sparse tensor,
    /// each call reads all positions and coordinates once to check them.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let path = std::env::temp_dir().join(format!("tensor-layout-quantized-{}.safetensors", std::process::id()));
    /// use tensor_layout::checkpoint::{Checkpoint, Writer};
    /// use tensor_layout::quantized;
    /// type W1 = quantized!(q8_0[4,64]);
    ///
    /// let mut writer = Writer::create(&path, [("w1", W1::SPEC)])?;
    /// writer.write("w1", W1::pack(&[0.5_f32; 4 * 64])?.as_bytes())?;
    /// writer.finish()?;
    ///
    /// let checkpoint = Checkpoint::open(&path)?;
    /// let y = checkpoint.get::<W1>("w1")?.as_dyn().matmul(&[2.0_f32; 64])?;
    /// assert_eq!(y.len(), 4);
    /// # std::fs::remove_file(&path)?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// The first request reads all bytes of the tensor once, for the checksum, unless [`Verify`] says otherwise. Later requests take no
    /// time that depends on its size.
    ///
    /// # Errors
    /// If there is no such tensor; if it has another element type, shape or layout, in which case the message shows both and
    /// says what to do; if its bytes are damaged (see [`Verify`]) or are not aligned to its elements; or if the file has become
    /// shorter.
    pub fn get<L: Storable>(&self, name: &str) -> Result<View<'_, L>> {
        let stored = self.stored_spec(name)?;
        L::check(name, stored)?;
        L::view(name, stored, self.bytes(name)?)
    }

    /// A sparse tensor whose encoding is only known at run time. Its arrays are copied.
    ///
    /// # Errors
    /// As for [`Checkpoint::get`], and if the tensor is not sparse or its values are not of type `T`.
    pub fn get_sparse<T: StoredElement>(&self, name: &str) -> Result<DynSparseTensor<T>> {
        let stored = self.stored_spec(name)?;
        let spec = stored.sparse().ok_or_else(|| CheckpointError::NotSparse {
            name: name.into(),
            stored: Box::new(*stored),
        })?;
        let tensor = spec.tensor();
        let wanted = SparseTensorSpec::unchecked(tensor.sizes(), T::TYPE, *tensor.encoding());
        let spec = sparse::of_type(name, stored, &wanted)?;
        sparse::read(name, spec, self.bytes(name)?)
    }

    /// All elements of an array in row-major order, as bytes of [`StoredSpec::unpacked`], whatever its layout. Elements that a
    /// sparse tensor does not store are zero. If a tensor is split and the file is not opened for one device, its parts are
    /// joined.
    ///
    /// # Errors
    /// As for [`Checkpoint::bytes`]; if the tensor has no layout, or its arrays are not a tensor of its encoding; or if memory
    /// cannot be allocated.
    pub fn dense_bytes(&self, name: &str) -> Result<Vec<u8>> {
        if !self.tensors.contains_key(name)
            && let Some(whole) = self.split_spec(name)
        {
            return self.assemble(name, &whole?);
        }
        let (stored, bytes) = (self.stored_spec(name)?, self.bytes(name)?);
        sparse::all_bytes(name, stored, bytes)
    }

    /// A block-scaled array whose layout is only known at run time, as a view of the file.
    ///
    /// # Errors
    /// As for [`Checkpoint::get`], and if the array is not block-scaled.
    pub fn get_quantized(&self, name: &str) -> Result<DynQuantizedRef<'_>> {
        let stored = self.stored_spec(name)?;
        let spec = stored.quantized().ok_or_else(|| CheckpointError::NotBlockScaled {
            name: name.into(),
            stored: Box::new(*stored),
        })?;
        DynQuantizedRef::new(*spec, self.bytes(name)?)
            .map_err(|source| CheckpointError::Quantized { name: name.into(), source })
    }

    /// An array as a view of the file if it is in this layout, and otherwise moved into the layout.
    ///
    /// If the array is moved, this takes one pass over its bytes, and memory for the new array.
    ///
    /// # Errors
    /// As for [`Checkpoint::get`], except that the file may have another layout of the same array; and if memory for the moved
    /// array cannot be allocated.
    pub fn get_or_relayout<L: Layout>(&self, name: &str) -> Result<Loaded<'_, L>> {
        let (stored, wanted) = (self.stored_spec(name)?, StoredSpec::from(L::SPEC));
        let spec = match (stored, &L::SPEC) {
            (StoredSpec::Tiled(spec), to)
                if spec.dims() == to.dims() && spec.dtype() == to.dtype() =>
            {
                spec
            }
            _ => return Err(stored.differs(name, wanted)),
        };
        let bytes = self.bytes(name)?;
        if stored.is_same(&wanted)
            && let Ok(view) = PackedRef::new(bytes)
        {
            return Ok(Loaded::Mapped(view));
        }
        let moved = Packed::zeroed().and_then(|mut packed| {
            spec.relayout_bytes(bytes, &L::SPEC, packed.as_bytes_mut()).map(|()| packed)
        });
        moved.map(Loaded::Moved).map_err(|source| pack_error(name, source))
    }

    /// The elements at the indices `rows` of the first dimension, row-major.
    ///
    /// ```no_run
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use tensor_layout::{BF16, checkpoint::Checkpoint};
    /// let checkpoint = Checkpoint::open("model.packed.safetensors")?;
    /// let embeddings = checkpoint.rows::<BF16>("tok_embeddings.weight", 100..104)?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As for [`Checkpoint::get`]; if the elements are not of type `E`, or `rows` is out of bounds; or if memory cannot be
    /// allocated.
    #[allow(unsafe_code, reason = "slices of host values are written as bytes")]
    pub fn rows<E: Element>(&self, name: &str, rows: Range<usize>) -> Result<Vec<E::Host>> {
        let spec = self.spec(name)?;
        let bytes = self.bytes(name)?;
        let error = |source| pack_error(name, source);
        let layout = || Box::new(*spec);
        if spec.dtype() != E::DTYPE {
            return Err(error(PackError::ElementType { actual: E::DTYPE, layout: layout() }));
        }
        let (mut first, mut shape) = (spec.dims().to_vec(), spec.dims().to_vec());
        first.fill(0);
        let outside = rows.start > rows.end || shape.first().is_none_or(|&size| rows.end > size);
        if outside {
            return Err(error(PackError::Window { dim: 0, layout: layout() }));
        }
        (first[0], shape[0]) = (rows.start, rows.len());
        // Not larger than the tensor, whose sizes have been checked.
        let len = header::total(1, &shape).unwrap_or(usize::MAX);
        let mut values = zeroed(len).ok_or_else(|| {
            let bytes = len.saturating_mul(size_of::<E::Host>());
            error(PackError::OutOfMemory { bytes, layout: layout() })
        })?;
        // SAFETY: unpacking leaves 0 or 1 in each byte of a `bool` that it has written to.
        let unpacked = unsafe { bytes_of_mut(&mut values) };
        spec.unpack_window_bytes(&first, &shape, bytes, unpacked).map_err(error)?;
        Ok(values)
    }

    /// The bytes of a tensor, for a layout that is only known at run time: [`Checkpoint::spec`].
    ///
    /// # Errors
    /// If there is no such tensor, its bytes are damaged ([`Verify`]), or the file has become shorter.
    pub fn bytes(&self, name: &str) -> Result<&[u8]> {
        let stored = self.stored(name)?;
        let bytes = &self.source.bytes()?[stored.bytes.clone()];
        if self.verify == Verify::FirstUse && !stored.verified.load(Relaxed) {
            stored.verify(name, bytes)?;
        }
        Ok(bytes)
    }

    /// Whether the tensors have checksums: those of packed checkpoints have, and those of other safetensors files do not.
    pub fn has_checksums(&self) -> bool {
        self.tensors.values().any(|stored| stored.checksum.is_some())
    }

    /// Reads the bytes of all tensors, and compares them with their checksums. This compares nothing unless there are
    /// [checksums](Checkpoint::has_checksums).
    ///
    /// # Errors
    /// If the checksum of a tensor differs, or if the file has become shorter.
    pub fn verify(&self) -> Result<()> {
        let bytes = self.source.bytes()?;
        self.tensors
            .iter()
            .try_for_each(|(name, stored)| stored.verify(name, &bytes[stored.bytes.clone()]))
    }

    /// Asks the system to read a tensor ahead of its use. Does nothing on systems that do not support this.
    ///
    /// # Errors
    /// If there is no such tensor, or the system refuses.
    pub fn prefetch(&self, name: &str) -> Result<()> {
        let stored = self.stored(name)?;
        self.source.prefetch(stored.bytes.clone())
    }

    fn stored(&self, name: &str) -> Result<&Stored> {
        self.tensors.get(name).ok_or_else(|| {
            if let Some(sharded) = self.sharded.get(name) {
                return CheckpointError::Sharded { name: name.into(), sharding: sharded.text() };
            }
            let nearest = nearest(name, &self.names().collect::<Vec<_>>()).map(ToOwned::to_owned);
            CheckpointError::Missing { name: name.into(), nearest }
        })
    }
}

impl<L: Layout> Loaded<'_, L> {
    /// The array as a view.
    pub fn as_ref(&self) -> PackedRef<'_, L> {
        match self {
            Self::Mapped(view) => *view,
            Self::Moved(packed) => packed.as_ref(),
        }
    }
}

#[diagnostic::do_not_recommend]
impl<L: Layout> Operand for Loaded<'_, L> {
    type Layout = L;
    fn view(&self) -> PackedRef<'_, L> {
        self.as_ref()
    }
}

impl<L: Layout> std::fmt::Debug for Loaded<'_, L> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Mapped(view) => f.debug_tuple("Mapped").field(view).finish(),
            Self::Moved(packed) => f.debug_tuple("Moved").field(packed).finish(),
        }
    }
}

impl std::fmt::Debug for Checkpoint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Checkpoint").field("path", &self.source.path()).finish_non_exhaustive()
    }
}

fn pack_error(name: &str, source: PackError) -> CheckpointError {
    CheckpointError::Pack { name: name.into(), source }
}
