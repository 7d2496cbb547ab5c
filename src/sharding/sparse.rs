//! Sparse tensors that are split over a mesh, as types.

use super::typed::types::{Axes, Dims};
use super::typed::{MeshType, array};
use crate::require::fail;
use crate::sparse::kernel::runtime::entries_with_fill;
use crate::sparse::slice::duplicates;
use crate::sparse::types::Slice;
use crate::sparse::{BuildError, Encoding, ShapedTensor, SparseScalar, SparseTensor};
use crate::typed::types::Shape;
use alloc::borrow::Cow;
use alloc::vec;
use alloc::vec::Vec;
use core::marker::PhantomData;
use core::ops::Range;
use layout_core::sharding::draw::ShardedSparseSpec;
use layout_core::sharding::{CutBlock, MeshRef, Padding, ReductionOp, Shards, TensorSharding};

mod sealed {
    pub trait Sealed {}
}
use sealed::Sealed;

/// A sparse tensor that is split over a mesh, as a type: each device has a tensor of its own in the same encoding, with the
/// entries of its shard.
///
/// ```
/// use tensor_layout::sharding::ShardedSparseLayout;
/// use tensor_layout::sparse::{Duplicates, formats::Csr};
/// use tensor_layout::{mesh, sharded, sparse_tensor};
/// mesh! { Pod = ["data" = 2] }
/// type Rows = sharded!(f64[4,6] Csr @ Pod [{"data"}, {}]);
/// # fn main() {
/// let matrix = <sparse_tensor!(f64[4,6] Csr)>::from_coo(&[([1, 5], 2.0), ([3, 0], 4.0)], Duplicates::Error).unwrap();
/// let shards = Rows::scatter(&matrix).unwrap();
/// assert_eq!((shards[1].shape(), shards[1].to_coo()), ([2, 6], vec![([1, 0], 4.0)]));
/// assert_eq!(Rows::locate([3, 0]), (1, [1, 0]));
/// assert_eq!(Rows::gather(&shards).unwrap(), matrix);
/// # }
/// ```
pub trait ShardedSparseLayout: Sealed + 'static {
    /// The encoding of the whole tensor and of each local one.
    type Encoding: Encoding;
    /// The type of its values.
    type Value: SparseScalar;
    /// The sizes of the whole tensor.
    type Shape: Shape<Index = <Self::Encoding as Encoding>::Index>;
    /// The sizes of the local tensors; [`Slice::DYNAMIC`] if they are not the same on all devices.
    type LocalShape: Shape<Index = <Self::Encoding as Encoding>::Index>;
    /// The devices.
    type Mesh: MeshType;
    /// How the tensor is split.
    const SHARDING: TensorSharding;
    /// Whether the last devices along a dimension can have fewer indices than the others.
    const PADDING: Padding;

    /// The shards, which the functions below use.
    ///
    /// # Panics
    /// If the sharding does not match the tensor. A sharding that `sharded!` wrote always does.
    fn shards() -> Shards;

    /// The run-time twin, which can be drawn.
    ///
    /// # Panics
    /// As for [`ShardedSparseLayout::shards`].
    fn sharded() -> ShardedSparseSpec {
        let shards = Self::shards();
        ShardedSparseSpec::new(GlobalOf::<Self>::SPEC, Self::SHARDING, shards)
    }

    /// The range of indices, in each dimension, of the device with the id `device`; `None` if the mesh has no such device.
    fn slice(device: usize) -> Option<Vec<Range<usize>>> {
        Self::shards().slice(device)
    }

    /// The sizes of the local tensor of the device with the id `device`; `None` if the mesh has no such device.
    fn local_shape(device: usize) -> Option<IndexOf<Self>> {
        Self::slice(device).map(|slice| array(&lengths(&slice)))
    }

    /// The id of the first device in mesh order that has the entry at `index`, and the index of the entry in its local tensor.
    ///
    /// # Panics
    /// If `index` is out of bounds, as slice indexing does.
    #[track_caller]
    fn locate(index: IndexOf<Self>) -> (usize, IndexOf<Self>) {
        let (device, found) = Self::shards().locate(index.as_ref());
        (device, array(&found))
    }

    /// The index in the whole tensor of the entry at `local` on the device with the id `device`; `None` if it has no such index.
    fn global(device: usize, local: IndexOf<Self>) -> Option<IndexOf<Self>> {
        Self::shards().global(device, local.as_ref()).map(|index| array(&index))
    }

    /// The local tensor of each device, in mesh order.
    ///
    /// # Errors
    /// If the tensor does not have the sizes of the type, or if the encoding cannot store a shard.
    fn scatter(
        tensor: &SparseTensor<Self::Encoding, Self::Value>,
    ) -> Result<Vec<LocalOf<Self>>, BuildError> {
        let shards = Self::shards();
        let parts = split::<Self>(&shards, tensor)?;
        let mut tiles: Vec<Option<LocalOf<Self>>> = parts.iter().map(|_| None).collect();
        let mut tensors = Vec::with_capacity(shards.mesh().devices());
        for position in 0..shards.mesh().devices() {
            let number = tile_number(&shards, position);
            let local = match tiles[number].take() {
                Some(local) => local,
                None => build::<Self>(&shards, position, &parts[number])?,
            };
            tiles[number] = Some(local.clone());
            tensors.push(local);
        }
        Ok(tensors)
    }

    /// The whole tensor, from the local tensors of all devices in mesh order. If several devices have the same shard, only the
    /// first one is used.
    ///
    /// # Errors
    /// If a local tensor does not have the sizes of its shard, or if the encoding cannot store the tensor.
    ///
    /// # Panics
    /// If the number of tensors is not the number of devices.
    fn gather(tensors: &[LocalOf<Self>]) -> Result<GlobalOf<Self>, BuildError> {
        let shards = Self::shards();
        let devices = shards.mesh().devices();
        assert!(tensors.len() == devices, "{} tensors for {devices} devices", tensors.len());
        let mut entries = Vec::new();
        for (position, local) in tensors.iter().enumerate() {
            check_shape::<Self>(&shards, position, local.shape())?;
            if is_first(&shards, position) {
                entries.extend(to_global::<Self>(&shards, position, local));
            }
        }
        assemble::<Self>(&entries)
    }
}

/// An index of a tensor.
pub(crate) type IndexOf<L> = <<L as ShardedSparseLayout>::Encoding as Encoding>::Index;

/// The whole tensor that the type `L` splits.
pub type GlobalOf<L> = ShapedTensor<
    <L as ShardedSparseLayout>::Encoding,
    <L as ShardedSparseLayout>::Value,
    <L as ShardedSparseLayout>::Shape,
>;

/// The local tensor of each device of the type `L`.
pub type LocalOf<L> = ShapedTensor<
    <L as ShardedSparseLayout>::Encoding,
    <L as ShardedSparseLayout>::Value,
    <L as ShardedSparseLayout>::LocalShape,
>;

/// Entries with their indices.
pub(crate) type EntriesOf<L> = Vec<(IndexOf<L>, <L as ShardedSparseLayout>::Value)>;

fn lengths(slice: &[Range<usize>]) -> Vec<usize> {
    slice.iter().map(Range::len).collect()
}

fn slice_at(shards: &Shards, position: usize) -> Vec<Range<usize>> {
    shards.slice(shards.mesh().device_id(position)).unwrap_or_default()
}

/// The number of the shard of a device.
pub(crate) fn tile_number(shards: &Shards, position: usize) -> usize {
    let tile = shards.tile(position).into_iter().zip(shards.tiles());
    tile.fold(0, |number, (at, count)| number * count + at)
}

/// Whether no device before this one in mesh order has the same shard.
pub(crate) fn is_first(shards: &Shards, position: usize) -> bool {
    let own = tile_number(shards, position);
    (0..position).all(|other| tile_number(shards, other) != own)
}

/// The entries of each shard, with their indices in it.
pub(crate) fn split<L: ShardedSparseLayout + ?Sized>(
    shards: &Shards,
    tensor: &SparseTensor<L::Encoding, L::Value>,
) -> Result<Vec<EntriesOf<L>>, BuildError> {
    let shape = tensor.shape();
    for (dim, (&found, &expected)) in shape.as_ref().iter().zip(shards.dims()).enumerate() {
        if found != expected {
            return Err(BuildError::Size { dim, expected, found });
        }
    }
    let (tiles, local) = (shards.tiles(), shards.local_dims());
    let mut parts = vec![Vec::new(); tiles.iter().product()];
    for (mut index, value) in entries_with_fill(tensor) {
        let mut number = 0;
        for ((x, &count), &size) in index.as_mut().iter_mut().zip(&tiles).zip(local) {
            number = number * count + *x / size;
            *x %= size;
        }
        parts[number].push((index, value));
    }
    Ok(parts)
}

/// The local tensor of a device, from the entries of its shard.
pub(crate) fn build<L: ShardedSparseLayout + ?Sized>(
    shards: &Shards,
    position: usize,
    entries: &[(IndexOf<L>, L::Value)],
) -> Result<LocalOf<L>, BuildError> {
    let shape = array(&lengths(&slice_at(shards, position)));
    ShapedTensor::with_shape(shape, entries, duplicates(const { &L::Encoding::SPEC }))
}

/// The whole tensor, from all entries.
pub(crate) fn assemble<L: ShardedSparseLayout + ?Sized>(
    entries: &[(IndexOf<L>, L::Value)],
) -> Result<GlobalOf<L>, BuildError> {
    ShapedTensor::with_shape(L::Shape::DIMS, entries, duplicates(const { &L::Encoding::SPEC }))
}

/// Checks that a local tensor has the sizes of its shard.
pub(crate) fn check_shape<L: ShardedSparseLayout + ?Sized>(
    shards: &Shards,
    position: usize,
    shape: IndexOf<L>,
) -> Result<(), BuildError> {
    let expected = lengths(&slice_at(shards, position));
    for (dim, (&found, expected)) in shape.as_ref().iter().zip(expected).enumerate() {
        if found != expected {
            return Err(BuildError::Size { dim, expected, found });
        }
    }
    Ok(())
}

/// The entries of a device, with their indices in the whole tensor.
pub(crate) fn to_global<L: ShardedSparseLayout + ?Sized>(
    shards: &Shards,
    position: usize,
    local: &SparseTensor<L::Encoding, L::Value>,
) -> EntriesOf<L> {
    let slice = slice_at(shards, position);
    let mut entries = entries_with_fill(local);
    for (index, _) in &mut entries {
        index.as_mut().iter_mut().zip(&slice).for_each(|(x, range)| *x += range.start);
    }
    entries
}

/// A tensor of shape `S` in the encoding `E`, split over the mesh `M` so that each device has a tensor of shape `L`.
///
/// Write it with the macro `sharded!`; the type has no values. `D` are the dimensions, `R` the replicated axes.
///
/// ```
/// use tensor_layout::sharding::ShardedSparseLayout;
/// use tensor_layout::sparse::formats::Csr;
/// use tensor_layout::{mesh, sharded};
/// # fn main() {
/// mesh! { Pod = ["data" = 2] }
/// type A = sharded!(f64[1000,384] Csr @ Pod [{"data"}, {}]);
/// assert_eq!(A::SHARDING.to_string(), r#"<@Pod, [{"data"}, {}]>"#);
/// assert_eq!(A::shards().local_dims(), [500, 384]);
/// # }
/// ```
#[allow(clippy::type_complexity, reason = "the parameters are the sharding")]
pub struct ShardedSparse<E, T, S, L, M, D, R = (), const PADDED: bool = false> {
    marker: PhantomData<fn() -> (E, T, S, L, M, D, R)>,
}

impl<E, T, S, L, M, D, R, const PADDED: bool> Sealed
    for ShardedSparse<E, T, S, L, M, D, R, PADDED>
{
}

impl<E, T, S, L, M, D, R, const PADDED: bool> ShardedSparseLayout
    for ShardedSparse<E, T, S, L, M, D, R, PADDED>
where
    E: Encoding,
    T: SparseScalar,
    S: Shape<Index = E::Index>,
    L: Shape<Index = E::Index>,
    M: MeshType,
    D: Dims<M> + 'static,
    R: Axes<M> + 'static,
{
    type Encoding = E;
    type Value = T;
    type Shape = S;
    type LocalShape = L;
    type Mesh = M;
    const SHARDING: TensorSharding = TensorSharding {
        mesh: MeshRef::Name(Cow::Borrowed(M::NAME)),
        dims: Cow::Borrowed(D::LIST),
        replicated: Cow::Borrowed(R::LIST),
        unreduced: Cow::Borrowed(&[]),
        reduction: ReductionOp::Sum,
    };
    const PADDING: Padding = if PADDED { Padding::Allowed } else { Padding::Forbidden };

    fn shards() -> Shards {
        const { cuts_no_blocks::<E, S, L>() };
        match Shards::new(&Self::SHARDING, &M::MESH, S::DIMS.as_ref(), Self::PADDING) {
            Ok(shards) => {
                for (dim, (&local, parts)) in
                    shards.local_dims().iter().zip(shards.tiles()).enumerate()
                {
                    if parts > 1
                        && let Some(cut) = CutBlock::find(const { &E::SPEC }, dim, local)
                    {
                        panic!("{}", cut.message(parts).as_str());
                    }
                }
                shards
            }
            Err(error) => panic!("{error}"),
        }
    }
}

/// The items of [`ShardedSparseLayout`], without importing it.
impl<E, T, S, L, M, D, R, const PADDED: bool> ShardedSparse<E, T, S, L, M, D, R, PADDED>
where
    Self: ShardedSparseLayout,
{
    /// See [`ShardedSparseLayout::SHARDING`].
    pub const SHARDING: TensorSharding = <Self as ShardedSparseLayout>::SHARDING;

    /// See [`ShardedSparseLayout::shards`].
    ///
    /// # Panics
    /// If the sharding does not match the tensor.
    pub fn shards() -> Shards {
        <Self as ShardedSparseLayout>::shards()
    }

    /// See [`ShardedSparseLayout::sharded`].
    ///
    /// # Panics
    /// If the sharding does not match the tensor.
    pub fn sharded() -> ShardedSparseSpec {
        <Self as ShardedSparseLayout>::sharded()
    }

    /// See [`ShardedSparseLayout::slice`].
    pub fn slice(device: usize) -> Option<Vec<Range<usize>>> {
        <Self as ShardedSparseLayout>::slice(device)
    }
}

/// Fails const evaluation if a shard whose size is known to the type ends within a block.
#[track_caller]
const fn cuts_no_blocks<E: Encoding, S: Shape, L: Shape>() {
    let mut dim = 0;
    while dim < S::SIZES.len && dim < L::SIZES.len {
        let (size, local) = (S::SIZES.items[dim], L::SIZES.items[dim]);
        if local != size && local != Slice::DYNAMIC && local != 0 {
            check_cut(&E::SPEC, dim, local, size.div_ceil(local));
        }
        dim += 1;
    }
}

#[track_caller]
const fn check_cut(
    encoding: &crate::sparse::SparseEncoding,
    dim: usize,
    local: usize,
    parts: usize,
) {
    if let Some(cut) = CutBlock::find(encoding, dim, local) {
        fail(cut.message(parts).as_str())
    }
}

/// The size of dimension `dim` of the local tensors, or [`Slice::DYNAMIC`] if it is not the same on all devices. Checks that the
/// shards can be stored; macros call this function so that rustc makes the check.
///
/// # Panics
/// If the parts do not divide the size, unless it may be uneven, or if a shard ends within a block of the encoding; in const
/// evaluation that is a compile error at the caller's line.
#[doc(hidden)]
#[track_caller]
pub const fn sparse_shard_size<E: Encoding, const RANK: usize>(
    (size, dim): (usize, usize),
    parts: usize,
    padded: bool,
) -> usize {
    let size = crate::sparse::__private::size_of_rank::<E, RANK>(size);
    let local = super::typed::shard_size(size, parts, padded);
    if parts > 1 {
        check_cut(&E::SPEC, dim, local, parts);
    }
    if size.is_multiple_of(parts) { local } else { Slice::DYNAMIC }
}
