//! The shard of one device as a type.

use super::local::{Local, packed_from};
#[cfg(feature = "std")]
use super::program::HostArray;
use super::{RunError, Transport, gather, reshard, scatter};
use crate::element::Element;
use crate::movement::{DynLayout, PackError};
use crate::sharding::typed::{MeshType, OnMesh, ShardedLayout};
use crate::typed::{Host, Layout, Packed, SameElement, SameShape};
use alloc::borrow::Cow;
use alloc::vec;
use alloc::vec::Vec;
#[cfg(feature = "std")]
use alloc::{format, string::ToString};
use layout_core::dtype::DType;
use layout_core::tiled::TiledSpec;

/// The part of an array of type `L` on one device: its local array, in its layout. [`ops`](super::ops) describes its operations.
///
/// ```
/// # #[cfg(feature = "std")] {
/// # use tensor_layout::sharding::{MeshAxis, MeshType, ShardedArray, types::{Closed, FullAxis}};
/// # use tensor_layout::{F32, Tiled, types::{Order1, Shape1}};
/// # struct Pod;
/// # impl MeshType for Pod {
/// #     const NAME: &'static str = "Pod";
/// #     const AXES: &'static [MeshAxis] = &[MeshAxis::constant("x", 4)];
/// #     const DEVICE_IDS: &'static [usize] = &[];
/// # }
/// # type Array<const LOCAL: usize, D> = ShardedArray<Tiled<F32, Shape1<8>, Order1<0>>, Tiled<F32, Shape1<LOCAL>, Order1<0>>, Pod, D>;
/// use tensor_layout::sharding::run::{Sharded, Transport, threads};
/// type Split = Array<2, (Closed<(FullAxis<0>,)>,)>;    // sharded!(f32[8] @ Pod [{"x"}])
/// type Whole8 = Array<8, (Closed<()>,)>;            // sharded!(f32[8] @ Pod [{}])
/// let array: Vec<f32> = (0..8).map(|n| n as f32).collect();
/// let gathered = threads::run(4, |transport| {
///     let own = Sharded::<Split>::scatter(transport, 0, (transport.device() == 0).then_some(&array)).unwrap();
///     assert_eq!(own.local().unpack(), [2.0 * transport.device() as f32, 2.0 * transport.device() as f32 + 1.0]);
///     own.reshard::<Whole8, _>(transport).unwrap().local().unpack()
/// });
/// assert!(gathered.iter().all(|copy| *copy == array));
/// # }
/// ```
pub struct Sharded<L: ShardedLayout> {
    local: Local<L::Local>,
}

impl<L: ShardedLayout> Clone for Sharded<L> {
    fn clone(&self) -> Self {
        Self { local: self.local.clone() }
    }
}

/// Row-major elements as bytes, with [`DType::byte_width`] for each.
fn to_bytes<E: Element>(dims: &[usize], values: &[E::Host]) -> Result<Vec<u8>, PackError> {
    let Some(spec) = TiledSpec::row_major(E::DTYPE, dims) else { return Ok(Vec::new()) };
    let packed = spec.pack::<E>(values)?;
    let mut bytes = vec![0; spec.elements() * E::DTYPE.byte_width()];
    spec.unpack_bytes(&packed, &mut bytes)?;
    Ok(bytes)
}

/// The reverse of [`to_bytes`].
fn from_bytes<E: Element>(dims: &[usize], bytes: &[u8]) -> Result<Vec<E::Host>, PackError> {
    let Some(spec) = TiledSpec::row_major(E::DTYPE, dims) else { return Ok(Vec::new()) };
    let mut packed = vec![0; spec.storage_bytes()];
    spec.pack_bytes(bytes, &mut packed)?;
    spec.unpack::<E>(&packed)
}

impl<L: ShardedLayout> Sharded<L> {
    const DTYPE: DType = <<L::Global as Layout>::Element as Element>::DTYPE;
    const WIDTH: usize = Self::DTYPE.byte_width();

    /// The shard of a device that already has its local array. Nothing is sent: each device passes the array of its own part, and
    /// devices with the same part must pass equal arrays, unless the type is `unreduced`.
    pub fn new(local: Packed<L::Local>) -> Self {
        Self { local: Local::new(local) }
    }

    /// The local array. If a program has computed the shard, the first call packs it.
    ///
    /// # Panics
    /// If memory for it cannot be allocated, as collections do.
    pub fn local(&self) -> &Packed<L::Local> {
        self.local.packed()
    }

    /// The local array.
    ///
    /// # Panics
    /// As for [`Sharded::local`].
    pub fn into_local(self) -> Packed<L::Local> {
        self.local.into_packed()
    }

    /// The local array, to write to. Drops the row-major form that [`Sharded::to_host`] keeps.
    ///
    /// # Panics
    /// As for [`Sharded::local`].
    pub fn local_mut(&mut self) -> &mut Packed<L::Local> {
        self.local.packed_mut()
    }

    pub(super) fn from_local_bytes(bytes: &[u8]) -> Result<Self, RunError> {
        Ok(Self::new(packed_from(bytes)?))
    }

    /// The row-major bytes.
    pub(super) fn local_bytes(&self) -> Result<Cow<'_, [u8]>, RunError> {
        match self.local.host_bytes() {
            Some(bytes) => Ok(bytes.into()),
            None => Ok(Self::unpacked(self.local())?.into()),
        }
    }

    fn unpacked(local: &Packed<L::Local>) -> Result<Vec<u8>, RunError> {
        let spec = <L::Local as Layout>::SPEC;
        let mut bytes = vec![0; spec.elements() * Self::WIDTH];
        spec.unpack_bytes(local.as_bytes(), &mut bytes)?;
        Ok(bytes)
    }

    /// The local array in the row-major form that a program accepts. The shard keeps it, with the forms that the products of
    /// programs make of it, until [`Sharded::local_mut`]: a shard that several runs take is unpacked once.
    ///
    /// # Errors
    /// If memory for it cannot be allocated.
    #[cfg(feature = "std")]
    pub fn to_host(&self) -> Result<HostArray, RunError> {
        let dims = <L::Local as Layout>::DIMS;
        self.local
            .host(|local| HostArray::from_bytes(Self::DTYPE, dims.as_ref(), Self::unpacked(local)?))
    }

    /// The shard whose local array a program has computed. It shares the elements with `array`, and is packed in its layout when
    /// [`Sharded::local`] is first called.
    ///
    /// # Errors
    /// If it has another element type or size than `L::Local`.
    #[cfg(feature = "std")]
    pub fn from_host(array: &HostArray) -> Result<Self, RunError> {
        let dims = <L::Local as Layout>::DIMS;
        if (array.dtype(), array.dims()) != (Self::DTYPE, dims.as_ref()) {
            return Err(RunError::Argument {
                name: <L::Local as Layout>::SPEC.to_string(),
                expected: format!("{}{:?}", Self::DTYPE, dims.as_ref()),
                found: format!("{}{:?}", array.dtype(), array.dims()),
            });
        }
        Ok(Self { local: Local::of_host(array.clone())? })
    }

    /// Sends each device its shard of the row-major array that device `root` passes. Like [`Transport::device`], `root` is a
    /// position in the mesh, not an id. Along unreduced axes all devices get the same elements, so the sum over `n` devices is
    /// `n` times the array.
    ///
    /// Every device calls this function. `root` sends each other device one message, its shard.
    ///
    /// # Errors
    /// If device `root` has no array or one of the wrong length, if the transport does not connect as many devices as the mesh has, or
    /// if a device cannot be reached.
    pub fn scatter<T: Transport>(
        transport: &mut T,
        root: usize,
        global: Option<&Vec<Host<L::Global>>>,
    ) -> Result<Self, RunError> {
        let dims = <L::Global as Layout>::DIMS;
        let bytes = global
            .map(|values| to_bytes::<<L::Global as Layout>::Element>(dims.as_ref(), values))
            .transpose()?;
        let shard = scatter(transport, &L::shards(), Self::WIDTH, root, bytes.as_deref())?;
        Self::from_local_bytes(&shard)
    }

    /// Collects the shards on device `root`. Returns the row-major array there, and `None` elsewhere. If the array is unreduced,
    /// [reshard](Self::reshard) it first.
    ///
    /// Every device calls this function. `root` receives each different shard once.
    ///
    /// # Errors
    /// If axes are unreduced, if the transport does not connect as many devices as the mesh has, or if a device cannot be reached.
    pub fn gather<T: Transport>(
        &self,
        transport: &mut T,
        root: usize,
    ) -> Result<Option<Vec<Host<L::Global>>>, RunError> {
        let shard = self.local_bytes()?;
        let global = gather(transport, &L::shards(), Self::WIDTH, root, &shard)?;
        let dims = <L::Global as Layout>::DIMS;
        let values =
            global.map(|bytes| from_bytes::<<L::Global as Layout>::Element>(dims.as_ref(), &bytes));
        Ok(values.transpose()?)
    }

    /// Executes the collectives that lead from the sharding of `L` to that of `M`.
    ///
    /// The plan lists the collectives and the bytes that each device receives in each of them.
    ///
    /// # Errors
    /// If there is no plan (see [`reshard::plan`](crate::sharding::reshard::plan)), or if a device cannot be reached.
    pub fn reshard<M, T: Transport>(&self, transport: &mut T) -> Result<Sharded<M>, RunError>
    where
        M: OnMesh<L::Mesh>,
        M::Global: Layout<
                Element: SameElement<<L::Global as Layout>::Element>,
                Shape: SameShape<<L::Global as Layout>::Shape>,
            >,
    {
        let (mesh, dims) = (<L::Mesh as MeshType>::MESH, <L::Global as Layout>::DIMS);
        let (from, to) = (&L::SHARDING, &M::SHARDING);
        let own = self.local_bytes()?;
        let shard = reshard(transport, &mesh, (from, to), (Self::DTYPE, dims.as_ref()), &own)?;
        Sharded::from_local_bytes(&shard)
    }
}
