//! The shards of a sharded tensor on its devices.

use super::axis::{Axis, AxisRef, product};
use super::check::Padding;
use super::mesh::Mesh;
use super::problem::ShardingError;
use super::tensor::TensorSharding;
use crate::dtype::DType;
use crate::parts::Digit;
use crate::tiled::TiledSpec;
use alloc::vec::Vec;
use core::ops::Range;

/// The largest number of devices that [`Shards::tile_assignment`] lists.
pub const MAX_LISTED: usize = 1 << 24;

/// The number of elements of an array; the largest number that `u128` has if there are more.
pub(in crate::sharding) fn elements(dims: &[usize]) -> u128 {
    dims.iter().fold(1, |elements: u128, size| elements.saturating_mul(*size as u128))
}

/// The shards of a tensor: their size, the part of the tensor on each device, and the position of each element.
///
/// ```
/// use tensor_layout::sharding::{Mesh, Padding, Shards};
/// let mesh: Mesh = r#"<["data"=2, "model"=4]>"#.parse().unwrap();
/// let sharding = r#"<@pod, [{"data"}, {"model"}]>"#.parse().unwrap();
/// let shards = Shards::new(&sharding, &mesh, &[8192, 4096], Padding::Forbidden).unwrap();
/// assert_eq!(shards.local_dims(), [4096, 1024]);
/// assert_eq!(shards.slice(6).unwrap(), [4096..8192, 2048..3072]);
/// assert_eq!(shards.locate(&[5000, 2049]), (6, vec![904, 1]));
/// assert_eq!(shards.global(6, &[904, 1]), Some(vec![5000, 2049]));
/// assert_eq!(shards.hlo().to_string(), "{devices=[2,4]<=[8]}");
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shards {
    mesh: Mesh,
    pub(super) dims: Vec<usize>,
    local: Vec<usize>,
    /// The axes of each dimension.
    pub(super) axes: Vec<Vec<Axis>>,
    /// The axes along which the devices have parts of a sum.
    pub(super) unreduced: Vec<Axis>,
}

impl Shards {
    /// The shards of a tensor of size `dims`.
    ///
    /// # Errors
    /// If the sharding violates a rule of Shardy, or the sizes are errors of [`TensorSharding::check_sizes`].
    pub fn new(
        sharding: &TensorSharding,
        mesh: &Mesh,
        dims: &[usize],
        padding: Padding,
    ) -> Result<Self, ShardingError> {
        sharding.check(mesh, dims)?;
        sharding.check_sizes(mesh, dims, padding)?;
        let resolve =
            |axes: &[AxisRef]| axes.iter().filter_map(|axis| mesh.resolve(axis)).collect();
        let axes: Vec<Vec<_>> = match mesh.is_maximal() {
            true => dims.iter().map(|_| Vec::new()).collect(),
            false => sharding.dims.iter().map(|dim| resolve(&dim.axes)).collect(),
        };
        let local = dims.iter().zip(&axes).map(|(size, axes)| size.div_ceil(product(axes)));
        let local = local.collect();
        let unreduced = resolve(&sharding.unreduced);
        Ok(Self { mesh: mesh.clone(), dims: dims.to_vec(), local, axes, unreduced })
    }

    /// The mesh.
    pub const fn mesh(&self) -> &Mesh {
        &self.mesh
    }

    /// The size of the tensor.
    pub fn dims(&self) -> &[usize] {
        &self.dims
    }

    /// The size of the local array of each device, padding included.
    pub fn local_dims(&self) -> &[usize] {
        &self.local
    }

    /// The number of parts that each dimension is split into.
    pub fn tiles(&self) -> Vec<usize> {
        self.axes.iter().map(|axes| product(axes)).collect()
    }

    /// Whether devices have parts of the array. A dimension of size 1 can be split too: one device has it, although the local sizes
    /// are those of the array.
    pub fn is_split(&self) -> bool {
        self.tiles().iter().any(|parts| *parts > 1)
    }

    /// The number of devices whose partial sums add up to one shard; 1 if no axis is unreduced.
    pub fn partial_sums(&self) -> usize {
        product(&self.unreduced)
    }

    /// The layout that the TPU compiler chooses for the local array; `None` as for [`TiledSpec::tpu_default`].
    pub fn local_tpu(&self, dtype: DType) -> Option<TiledSpec> {
        TiledSpec::tpu_default(dtype, &self.local)
    }

    /// The coordinate along an axis, or a part of one, at these coordinates of the mesh.
    #[doc(hidden)]
    pub fn coordinate(&self, axis: Axis, coordinates: &[usize]) -> usize {
        let minor = self.mesh.size_of(axis.index()) / axis.end();
        Digit::<usize> { div: minor, size: Some(axis.size()) }.of(coordinates[axis.index()])
    }

    /// The number of the part of each dimension on the device at `position` in the mesh.
    ///
    /// # Panics
    /// If the mesh has no such position.
    #[track_caller]
    pub fn tile(&self, position: usize) -> Vec<usize> {
        let coordinates = self.mesh.coordinates(position);
        let tile = |axes: &Vec<Axis>| {
            axes.iter()
                .fold(0, |tile, &axis| tile * axis.size() + self.coordinate(axis, &coordinates))
        };
        self.axes.iter().map(tile).collect()
    }

    /// The range of indices, in each dimension, of the device with the id `device`; past the end of a dimension, the range is
    /// empty. `None` if the mesh has no such device.
    pub fn slice(&self, device: usize) -> Option<Vec<Range<usize>>> {
        Some(self.slice_at(self.mesh.position(device)?))
    }

    /// The range of indices of the device at `position` in the mesh.
    pub(crate) fn slice_at(&self, position: usize) -> Vec<Range<usize>> {
        let tile = self.tile(position);
        let range = |(tile, (&size, &local)): (usize, (&usize, &usize))| {
            // Past the end of a dimension, the product can overflow.
            let start = tile.saturating_mul(local).min(size);
            start..start.saturating_add(local).min(size)
        };
        tile.into_iter().zip(self.dims.iter().zip(&self.local)).map(range).collect()
    }

    /// The id of the first device in mesh order that has the element at `index`, and the index of the element in its local array.
    ///
    /// # Panics
    /// If `index` is out of bounds, or has another rank, as slice indexing does.
    #[track_caller]
    pub fn locate(&self, index: &[usize]) -> (usize, Vec<usize>) {
        assert!(
            index.len() == self.dims.len()
                && index.iter().zip(&self.dims).all(|(at, size)| at < size),
            "index {index:?} is out of bounds of {:?}",
            self.dims
        );
        let mut coordinates = alloc::vec![0; self.mesh.axes().len()];
        let mut local = Vec::with_capacity(index.len());
        for ((&at, &size), axes) in index.iter().zip(&self.local).zip(&self.axes) {
            local.push(at % size);
            let mut tile = at / size;
            for axis in axes.iter().rev() {
                let minor = self.mesh.size_of(axis.index()) / axis.end();
                coordinates[axis.index()] += tile % axis.size() * minor;
                tile /= axis.size();
            }
        }
        let axes = coordinates.iter().zip(self.mesh.axes());
        let position = axes.fold(0, |position, (at, axis)| position * axis.size() + at);
        (self.mesh.device_id(position), local)
    }

    /// The global index of the element at `local` on the device with the id `device`; `None` for padding, for an index out of
    /// bounds, or if the mesh has no such device.
    pub fn global(&self, device: usize, local: &[usize]) -> Option<Vec<usize>> {
        let slice = self.slice(device)?;
        if local.len() != slice.len() {
            return None;
        }
        let index = slice
            .into_iter()
            .zip(local)
            .map(|(range, &at)| Some(range.start + at).filter(|at| *at < range.end));
        index.collect()
    }

    /// The ids of the devices, in row-major order of the tiles. Devices with the same tile are in mesh order.
    ///
    /// # Panics
    /// If there are more than [`MAX_LISTED`] devices. [`Shards::hlo`] has the same information for any number of devices.
    #[track_caller]
    pub fn tile_assignment(&self) -> Vec<usize> {
        let devices = self.mesh.devices();
        assert!(
            devices <= MAX_LISTED,
            "a list of {devices} devices is too long: it has at most {MAX_LISTED}"
        );
        let tiles = self.tiles();
        let count: usize = tiles.iter().product();
        // For each tile, the index in the list at which its next device is stored.
        let mut next: Vec<_> = (0..count).map(|tile| tile * (devices / count)).collect();
        let mut ids = alloc::vec![0; devices];
        for position in 0..devices {
            let tile = self.tile(position).into_iter().zip(&tiles);
            let number = tile.fold(0, |number, (at, count)| number * count + at);
            ids[next[number]] = self.mesh.device_id(position);
            next[number] += 1;
        }
        ids
    }
}
