//! Tensors that are split over devices.

use super::Result;
use super::error::CheckpointError;
use super::open::Checkpoint;
use super::sparse::{StoredElement, stored_sparse};
use super::storable::StoredSpec;
use crate::movement::PackError;
use crate::movement::host::zeroed;
use crate::sharding::{LocalOf, MeshType, ShardedLayout, ShardedSparseLayout};
use crate::sparse::{SparseTensorRef, StoredSparseSpec};
use crate::typed::{Layout, PackedRef};
use layout_core::quantized::QuantizedSpec;
use layout_core::sharding::{DimSharding, Mesh, MeshRef, Padding, Shards, TensorSharding};
use layout_core::tiled::TiledSpec;
use std::boxed::Box;
use std::format;
use std::ops::Range;
use std::string::{String, ToString};
use std::vec::Vec;

/// The layout of a tensor that is announced to a [`Writer`](super::Writer), or how the tensor is split and the layout of each
/// part.
///
/// ```
/// use tensor_layout::checkpoint::Contents;
/// use tensor_layout::{mesh, sharded};
/// mesh! { Pod = ["data" = 2, "model" = 4] }
/// type W = sharded!(f32[64,128] @ Pod [{"model"}, {}]);
/// # fn main() {
/// let contents = Contents::sharded::<W>();
/// assert_eq!(contents.spec().to_string(), "f32[16,128]{1,0}");
/// assert_eq!(contents.parts(), 4);
/// assert_eq!(contents.part(6), Some(2));      // device 6 is at ("data", "model") = (1, 2)
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Contents {
    spec: Box<StoredSpec>,
    /// The layouts of all parts if they are sparse, since their arrays differ in length.
    parts: Vec<StoredSpec>,
    shards: Option<Box<(TensorSharding, Shards)>>,
}

impl From<StoredSpec> for Contents {
    fn from(spec: StoredSpec) -> Self {
        Self { spec: spec.into(), parts: Vec::new(), shards: None }
    }
}

impl From<TiledSpec> for Contents {
    fn from(spec: TiledSpec) -> Self {
        StoredSpec::from(spec).into()
    }
}

impl From<QuantizedSpec> for Contents {
    fn from(spec: QuantizedSpec) -> Self {
        StoredSpec::from(spec).into()
    }
}

impl From<StoredSparseSpec> for Contents {
    fn from(spec: StoredSparseSpec) -> Self {
        StoredSpec::from(spec).into()
    }
}

impl Contents {
    /// An array that is split over a mesh, in parts of the same size. A [`Writer`](super::Writer) refuses a sharding that is
    /// `padded`, unless its axes divide the array, and one with unreduced axes.
    pub fn sharded<S: ShardedLayout>() -> Self {
        let shards = Box::new((canonical(&S::SHARDING, &S::Mesh::MESH), S::shards()));
        Self { spec: Box::new(S::Local::SPEC.into()), parts: Vec::new(), shards: Some(shards) }
    }

    /// A sparse tensor that is split over a mesh. `locals` contains the local tensors of all devices in mesh order, as
    /// [`ShardedSparseLayout::scatter`] returns them. Devices that store the same part ([`Contents::part`]) have the same
    /// tensor, and the first one is used. A [`Writer`](super::Writer) refuses the same shardings as those of
    /// [`Contents::sharded`].
    ///
    /// # Errors
    /// If the number of tensors is not that of devices, or a tensor does not have the sizes of its part; and as for
    /// [`stored_sparse`](super::stored_sparse).
    pub fn sharded_sparse<S>(locals: &[LocalOf<S>]) -> Result<Self>
    where
        S: ShardedSparseLayout<Value: StoredElement>,
    {
        let shards = S::shards();
        let sharding = canonical(&S::SHARDING, &S::Mesh::MESH);
        let wrong = |reason: &str| CheckpointError::Write {
            reason: format!("a tensor that is split by `{sharding}`: {reason}"),
        };
        let mut parts: Vec<Option<StoredSpec>> = std::vec![None; shards.tiles().iter().product()];
        if locals.len() != shards.mesh().devices() {
            return Err(wrong("the number of local tensors differs from the number of devices"));
        }
        for (position, local) in locals.iter().enumerate() {
            let expected = shards.slice(shards.mesh().device_id(position)).unwrap_or_default();
            if !local.shape().as_ref().iter().copied().eq(expected.iter().map(Range::len)) {
                return Err(wrong("the sizes of a local tensor differ from those of its part"));
            }
            parts[part_at(&shards, position)].get_or_insert(stored_sparse(local)?.into());
        }
        let parts = parts.into_iter().flatten().collect();
        Self::sparse_parts(parts, &S::SHARDING, shards).ok_or_else(|| wrong("it has no parts"))
    }

    /// A sparse tensor that is split, with the layout of each part; `None` if there are no parts.
    pub(super) fn sparse_parts(
        parts: Vec<StoredSpec>,
        sharding: &TensorSharding,
        shards: Shards,
    ) -> Option<Self> {
        let first = *parts.first()?;
        Some(Self { parts, ..Self::new(first, sharding, shards) })
    }

    /// An array that is split. Each device stores a part in the layout `local`. The sharding contains its mesh:
    /// `<mesh<["data"=2]>, [{"data"}, {}]>`.
    pub(super) fn new(local: StoredSpec, sharding: &TensorSharding, shards: Shards) -> Self {
        let shards = Box::new((canonical(sharding, shards.mesh()), shards));
        Self { spec: local.into(), parts: Vec::new(), shards: Some(shards) }
    }

    /// The layout of the tensor, or of each of its parts; if they are sparse, of the first one.
    pub fn spec(&self) -> &StoredSpec {
        &self.spec
    }

    /// The layout of a part.
    pub(super) fn part_spec(&self, part: usize) -> &StoredSpec {
        self.parts.get(part).unwrap_or(&self.spec)
    }

    /// How the tensor is split, with the mesh; `None` if it is not.
    pub fn sharding(&self) -> Option<&TensorSharding> {
        self.shards.as_ref().map(|shards| &shards.0)
    }

    /// The number of different parts: 1 if the tensor is not split.
    pub fn parts(&self) -> usize {
        self.shards.as_ref().map_or(1, |shards| shards.1.tiles().iter().product())
    }

    /// The number of the part that the device with the id `device` stores; `None` if the mesh has no such device. Several devices
    /// can store the same part.
    pub fn part(&self, device: usize) -> Option<usize> {
        let Some(shards) = &self.shards else { return Some(0) };
        let shards = &shards.1;
        Some(part_at(shards, shards.mesh().position(device)?))
    }

    /// Why a file cannot store the tensor, and what to do; `None` if it can. A file contains the size of the parts but not that of
    /// the tensor: if 10 rows are split in 4 parts of 3, it would be read as one of 12 rows.
    pub(super) fn unstorable(&self) -> Option<&'static str> {
        let (sharding, shards) = self.shards.as_deref()?;
        if !sharding.unreduced.is_empty() {
            return Some(PARTIAL_SUMS);
        }
        let sizes = sharding.check_sizes(shards.mesh(), shards.dims(), Padding::Forbidden);
        sizes.is_err().then_some(UNEQUAL_PARTS)
    }

    /// The largest id of a device of the mesh; 0 if the tensor is not split.
    fn largest_device(&self) -> usize {
        let Some(shards) = &self.shards else { return 0 };
        let mesh = shards.1.mesh();
        let ids = mesh.device_ids().iter().copied();
        ids.max().unwrap_or_else(|| mesh.devices().saturating_sub(1))
    }

    /// The index of the first element of a part in the whole tensor.
    pub(super) fn origin(&self, part: usize) -> Vec<usize> {
        let mut rest = part;
        let mut origin = std::vec![0; self.spec.dims().len()];
        let tiles = self.shards.as_ref().map(|shards| shards.1.tiles()).unwrap_or_default();
        for (dim, tiles) in tiles.iter().enumerate().rev() {
            origin[dim] = rest % tiles * self.spec.dims()[dim];
            rest /= tiles;
        }
        origin
    }

    /// The names of the entries of a tensor: its own, or one for each part.
    pub(super) fn names(&self, name: &str) -> Vec<String> {
        match self.shards {
            None => std::vec![name.into()],
            Some(_) => (0..self.parts()).map(|part| part_name(name, part)).collect(),
        }
    }
}

/// Why a tensor with unreduced axes cannot be stored.
const PARTIAL_SUMS: &str = "it has unreduced axes, but partial sums are not stored\nhelp: add up the parts of the devices, and leave `unreduced` out of the sharding";
/// Why a tensor that its axes do not divide cannot be stored.
const UNEQUAL_PARTS: &str = "its sharding is `padded`, but the parts in a file have the same size\nhelp: use sizes that the axes divide, or do not split the tensor";

/// The number of the part that the device at this position in the mesh stores.
fn part_at(shards: &Shards, position: usize) -> usize {
    let tile = shards.tile(position);
    tile.iter().zip(shards.tiles()).fold(0, |part, (tile, tiles)| part * tiles + tile)
}

/// The name of the entry of a part: `layers.0.w1@3`.
pub(super) fn part_name(name: &str, part: usize) -> String {
    format!("{name}@{part}")
}

/// The text that checksums cover in addition to the name and the bytes: the layout, and how the tensor is split.
pub(super) fn described(layout: &str, sharding: Option<&str>) -> String {
    match sharding {
        Some(sharding) => format!("{layout} @ {sharding}"),
        None => layout.into(),
    }
}

/// A sharding that contains its mesh, reduced to what determines the shards: without priorities, open dimensions and replicated
/// axes. Unreduced axes remain, so that it differs from the shardings of files, which have none.
pub(super) fn canonical(sharding: &TensorSharding, mesh: &Mesh) -> TensorSharding {
    let closed =
        |dim: &DimSharding| DimSharding { axes: dim.axes.clone(), ..DimSharding::default() };
    let dims: Vec<_> = sharding.dims.iter().map(closed).collect();
    TensorSharding {
        unreduced: sharding.unreduced.clone(),
        reduction: sharding.reduction,
        ..TensorSharding::new(MeshRef::Inline(mesh.clone()), dims)
    }
}

/// The shards of a tensor of size `dims`, by a sharding that contains its mesh.
pub(super) fn shards(sharding: &TensorSharding, dims: &[usize]) -> Result<Shards, String> {
    let MeshRef::Inline(mesh) = &sharding.mesh else {
        return Err(format!("the sharding `{sharding}` has no mesh in it"));
    };
    if !sharding.unreduced.is_empty() {
        return Err(format!("`{sharding}`: {PARTIAL_SUMS}"));
    }
    Shards::new(sharding, mesh, dims, Padding::Forbidden).map_err(|error| error.to_string())
}

/// The parts of a tensor that is split.
pub(super) struct Sharded {
    pub(super) contents: Contents,
}

impl Sharded {
    /// Reads the text of the metadata. Each part has the layout `local`.
    pub(super) fn read(text: &str, local: StoredSpec) -> Result<Self, String> {
        let wrong = |error: &dyn std::fmt::Display| format!("its sharding `{text}`: {error}");
        let sharding: TensorSharding = text.parse().map_err(|error| wrong(&error))?;
        let MeshRef::Inline(mesh) = &sharding.mesh else { return Err(wrong(&"it has no mesh")) };
        // The file contains as many parts as the axes require, so the whole tensor is not larger than the file.
        if sharding.rank() != local.dims().len() {
            return Err(wrong(&format!("the parts are `{local}`, which has another rank")));
        }
        let mut dims = local.dims().to_vec();
        for (size, dim) in dims.iter_mut().zip(sharding.dims.iter()) {
            for axis in dim.axes.iter() {
                let axis = mesh.resolve(axis).ok_or_else(|| wrong(&"it has an unknown axis"))?;
                *size = size.checked_mul(axis.size()).ok_or_else(|| wrong(&"it is too large"))?;
            }
        }
        let shards = shards(&sharding, &dims).map_err(|error| wrong(&error))?;
        let contents = Contents::new(local, &sharding, shards);
        match contents.sharding() {
            Some(canonical) if canonical.to_string() == text => Ok(Self { contents }),
            _ => Err(wrong(&"it is not in canonical form")),
        }
    }

    pub(super) fn text(&self) -> String {
        self.contents.sharding().map(ToString::to_string).unwrap_or_default()
    }

    /// The part of a device.
    pub(super) fn part(&self, name: &str, device: usize) -> Result<usize> {
        self.contents.part(device).ok_or_else(|| CheckpointError::Device {
            name: name.into(),
            device,
            largest: self.contents.largest_device(),
            sharding: self.text(),
        })
    }
}

impl Checkpoint {
    /// The sizes and the number type of a tensor that is split, as a row-major layout; `None` if it is not split.
    pub(super) fn split_spec(&self, name: &str) -> Option<Result<TiledSpec>> {
        let contents = &self.sharded.get(name)?.contents;
        let mut dims = contents.spec().dims().to_vec();
        let tiles = contents.shards.as_ref().map(|shards| shards.1.tiles()).unwrap_or_default();
        dims.iter_mut().zip(tiles).for_each(|(size, tiles)| *size *= tiles);
        let spec = TiledSpec::row_major(contents.spec().unpacked(), &dims);
        Some(spec.ok_or_else(|| CheckpointError::NoLayout {
            name: name.into(),
            reason: format!("no layout has the dimensions {dims:?}"),
        }))
    }

    /// The elements of a tensor that is split, in row-major order of the whole tensor.
    pub(super) fn assemble(&self, name: &str, whole: &TiledSpec) -> Result<Vec<u8>> {
        let contents = &self.sharded[name].contents;
        let width = whole.dtype().byte_width();
        let mut bytes = zeroed::<u8>(whole.storage_bytes()).ok_or_else(|| {
            let (bytes, layout) = (whole.storage_bytes(), Box::new(*whole));
            let source = PackError::OutOfMemory { bytes, layout };
            CheckpointError::Pack { name: name.into(), source }
        })?;
        for part in 0..contents.parts() {
            let part_bytes = self.dense_bytes(&part_name(name, part))?;
            let (origin, local) = (contents.origin(part), contents.spec().dims());
            // Elements along the last dimension are contiguous in both.
            let run = local.last().copied().unwrap_or(1).saturating_mul(width);
            for (number, from) in part_bytes.chunks_exact(run.max(1)).enumerate() {
                let (mut rest, mut at, mut stride) = (number, 0, 1);
                for (dim, size) in whole.dims().iter().enumerate().rev() {
                    let is_last = dim + 1 == local.len();
                    let within = if is_last { 0 } else { rest % local[dim] };
                    rest = if is_last { rest } else { rest / local[dim] };
                    (at, stride) = (at + (origin[dim] + within) * stride, stride * size);
                }
                bytes[at * width..][..run].copy_from_slice(from);
            }
        }
        Ok(bytes)
    }

    /// The part of a split tensor that belongs to the device for which the file was opened.
    ///
    /// # Errors
    /// As for [`Checkpoint::get`] for the local array; if the tensor is split in another way, or over another mesh, as it always
    /// is if `S` has unreduced axes; and if `S` is `padded` and has fewer elements.
    pub fn get_shard<S: ShardedLayout>(&self, name: &str) -> Result<PackedRef<'_, S::Local>> {
        self.check_split(name, &canonical(&S::SHARDING, &S::Mesh::MESH))?;
        let local = self.get::<S::Local>(name)?;
        self.check_whole(name, S::shards().dims())?;
        Ok(local)
    }

    /// The part of a split sparse tensor that belongs to the device for which the file was opened, as views of its arrays in
    /// the file.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let path = std::env::temp_dir().join(format!("tensor-layout-sparse-shards-{}.safetensors", std::process::id()));
    /// use tensor_layout::checkpoint::{Checkpoint, Contents, Writer};
    /// use tensor_layout::sharding::ShardedSparseLayout;
    /// use tensor_layout::sparse::{Duplicates, formats::Csr};
    /// use tensor_layout::{mesh, sharded, sparse_tensor};
    /// mesh! { Pod = ["model" = 2] }
    /// type Format = Csr<u32, u32>;
    /// type Rows = sharded!(f32[4,6] Format @ Pod [{"model"}, {}]);
    ///
    /// let w = <sparse_tensor!(f32[4,6] Format)>::from_coo(&[([1, 5], 2.0), ([3, 0], 4.0)], Duplicates::Error)?;
    /// let locals = Rows::scatter(&w)?;
    /// let mut writer = Writer::create(&path, [("w", Contents::sharded_sparse::<Rows>(&locals)?)])?;
    /// writer.write_sparse("w@0", &locals[0])?;
    /// writer.write_sparse("w@1", &locals[1])?;
    /// writer.finish()?;
    ///
    /// let checkpoint = Checkpoint::open_for(&path, 1)?;
    /// let rows = checkpoint.get_sparse_shard::<Rows>("w")?;
    /// assert_eq!((rows.shape(), rows.get([1, 0])), ([2, 6], 4.0));
    /// # std::fs::remove_file(&path)?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As for [`Checkpoint::get`] for the local tensor, and as for [`Checkpoint::get_shard`].
    pub fn get_sparse_shard<S>(
        &self,
        name: &str,
    ) -> Result<SparseTensorRef<'_, S::Encoding, S::Value>>
    where
        S: ShardedSparseLayout<Value: StoredElement>,
    {
        self.check_split(name, &canonical(&S::SHARDING, &S::Mesh::MESH))?;
        let local = self.get::<LocalOf<S>>(name)?;
        self.check_whole(name, S::shards().dims())?;
        Ok(local)
    }

    /// Checks how a tensor is split.
    fn check_split(&self, name: &str, wanted: &TensorSharding) -> Result<()> {
        let stored = self.sharding(name)?;
        if stored == Some(wanted) {
            return Ok(());
        }
        let (stored, wanted) = (stored.map(ToString::to_string), wanted.to_string());
        Err(CheckpointError::Sharding { name: name.into(), stored, wanted })
    }

    /// Checks the sizes of all parts together. A `padded` sharding of 10 rows has the parts of one of 12 rows.
    fn check_whole(&self, name: &str, wanted: &[usize]) -> Result<()> {
        let Some(stored) = self.split_spec(name).transpose()? else { return Ok(()) };
        match TiledSpec::row_major(stored.dtype(), wanted) {
            Some(wanted) if wanted.dims() != stored.dims() => {
                Err(StoredSpec::from(stored).differs(name, wanted.into()))
            }
            _ => Ok(()),
        }
    }
}
