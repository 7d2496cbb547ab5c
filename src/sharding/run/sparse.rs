//! The local tensor of one device as a type.

use super::{RunError, Transport};
use crate::element::Element;
use crate::sharding::sparse::{
    EntriesOf, GlobalOf, IndexOf, LocalOf, ShardedSparseLayout, assemble, build, check_shape,
    is_first, split, tile_number, to_global,
};
use crate::sparse::{BlockTensor, Encoding, SparseScalar, SparseTensor};
use crate::typed::Layout;
use alloc::vec::Vec;
use half::{bf16, f16};
use layout_core::sharding::Shards;
use num_complex::Complex;

/// A value of a sparse tensor that can be sent to another device.
///
/// ```
/// use tensor_layout::sharding::run::SparseMessage;
/// let mut bytes = Vec::new();
/// 1.5_f32.write(&mut bytes);
/// assert_eq!(bytes.len(), f32::WIDTH);
/// assert_eq!(f32::read(&bytes), 1.5);
/// ```
pub trait SparseMessage: SparseScalar {
    /// The number of bytes.
    const WIDTH: usize;

    /// Appends the value to `bytes`.
    fn write(self, bytes: &mut Vec<u8>);

    /// The value of [`SparseMessage::WIDTH`] bytes.
    fn read(bytes: &[u8]) -> Self;
}

macro_rules! numbers {
    ($($T:ty)*) => { $(
        impl SparseMessage for $T {
            const WIDTH: usize = size_of::<$T>();

            fn write(self, bytes: &mut Vec<u8>) {
                bytes.extend(self.to_le_bytes());
            }

            fn read(bytes: &[u8]) -> Self {
                let mut own = [0; size_of::<$T>()];
                own.copy_from_slice(bytes);
                Self::from_le_bytes(own)
            }
        }
    )* };
}
numbers! { f16 bf16 f32 f64 i8 i16 i32 i64 u8 u16 u32 u64 }

impl<T: SparseMessage> SparseMessage for Complex<T>
where
    Self: SparseScalar,
{
    const WIDTH: usize = 2 * T::WIDTH;

    fn write(self, bytes: &mut Vec<u8>) {
        self.re.write(bytes);
        self.im.write(bytes);
    }

    fn read(bytes: &[u8]) -> Self {
        let (re, im) = bytes.split_at(T::WIDTH);
        Self { re: T::read(re), im: T::read(im) }
    }
}

/// The part of a sparse tensor of type `L` on one device: a smaller tensor in the same encoding.
///
/// ```
/// # #[cfg(feature = "std")] {
/// use tensor_layout::sharding::run::{ShardedTensor, Transport, threads};
/// use tensor_layout::sparse::{Duplicates, formats::Csr};
/// use tensor_layout::{mesh, sharded, sparse_tensor};
/// mesh! { Pod = ["data" = 2] }
/// type Rows = sharded!(f64[4,6] Csr @ Pod [{"data"}, {}]);
/// let matrix = <sparse_tensor!(f64[4,6] Csr)>::from_coo(&[([1, 5], 2.0), ([3, 0], 4.0)], Duplicates::Error).unwrap();
/// let gathered = threads::run(2, |transport| {
///     let given = (transport.device() == 0).then_some(&*matrix);
///     let own = ShardedTensor::<Rows>::scatter(transport, 0, given).unwrap();
///     assert_eq!((own.local().shape(), own.local().number_of_entries()), ([2, 6], 1));
///     own.gather(transport, 0).unwrap()
/// });
/// assert_eq!(gathered, [Some(matrix), None]);
/// # }
/// ```
pub struct ShardedTensor<L: ShardedSparseLayout> {
    local: LocalOf<L>,
}

impl<L: ShardedSparseLayout<Value: SparseMessage>> ShardedTensor<L> {
    /// The bytes of an entry: its coordinates, of 8 bytes each, and its value.
    const ENTRY: usize = 8 * <L::Encoding as Encoding>::SPEC.rank() + L::Value::WIDTH;

    /// The shard of a device that already has its local tensor.
    pub const fn new(local: LocalOf<L>) -> Self {
        Self { local }
    }

    /// The local tensor.
    pub const fn local(&self) -> &LocalOf<L> {
        &self.local
    }

    /// The local tensor.
    pub fn into_local(self) -> LocalOf<L> {
        self.local
    }

    fn shards<T: Transport>(transport: &T) -> Result<Shards, RunError> {
        let shards = L::shards();
        let (mesh, connected) = (shards.mesh().devices(), transport.devices());
        if mesh != connected {
            return Err(RunError::Devices { mesh, transport: connected });
        }
        Ok(shards)
    }

    fn to_bytes(entries: &EntriesOf<L>) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(entries.len() * Self::ENTRY);
        for (index, value) in entries {
            for x in index.as_ref() {
                bytes.extend((*x as u64).to_le_bytes());
            }
            value.write(&mut bytes);
        }
        bytes
    }

    /// Reads the output of [`Self::to_bytes`]. The numbers are checked when a tensor is built from them.
    fn from_bytes(bytes: &[u8]) -> Result<EntriesOf<L>, RunError> {
        let found = bytes.len();
        if !found.is_multiple_of(Self::ENTRY) {
            return Err(RunError::Length { expected: found.next_multiple_of(Self::ENTRY), found });
        }
        let entry = |bytes: &[u8]| {
            let (coordinates, value) = bytes.split_at(Self::ENTRY - L::Value::WIDTH);
            let mut index = IndexOf::<L>::default();
            for (x, bytes) in index.as_mut().iter_mut().zip(coordinates.chunks_exact(8)) {
                *x = usize::try_from(u64::read(bytes)).unwrap_or(usize::MAX);
            }
            (index, L::Value::read(value))
        };
        Ok(bytes.chunks_exact(Self::ENTRY).map(entry).collect())
    }

    /// Sends each device the entries of its shard of the tensor on device `root`.
    ///
    /// # Errors
    /// If device `root` has no tensor or one of other sizes, if the encoding cannot store a shard, or if a device cannot be
    /// reached.
    pub fn scatter<T: Transport>(
        transport: &mut T,
        root: usize,
        global: Option<&SparseTensor<L::Encoding, L::Value>>,
    ) -> Result<Self, RunError> {
        let shards = Self::shards(transport)?;
        let me = transport.device();
        let entries = if me == root {
            let mut parts = split::<L>(&shards, global.ok_or(RunError::NoArray { device: root })?)?;
            let others = (0..transport.devices()).filter(|&device| device != me);
            let message = |device| (device, Self::to_bytes(&parts[tile_number(&shards, device)]));
            let messages = others.map(message).collect();
            transport.exchange(messages, &[])?;
            parts.swap_remove(tile_number(&shards, me))
        } else {
            let received = transport.exchange(Vec::new(), &[root])?;
            Self::from_bytes(received.first().map_or(&[], Vec::as_slice))?
        };
        Ok(Self { local: build::<L>(&shards, me, &entries)? })
    }

    /// Collects the entries of all shards on device `root`. Returns the whole tensor there, and `None` elsewhere.
    ///
    /// # Errors
    /// If the local tensor does not have the sizes of its shard, if the encoding cannot store the tensor, if the transport does not
    /// connect as many devices as the mesh has, or if a device cannot be reached.
    pub fn gather<T: Transport>(
        &self,
        transport: &mut T,
        root: usize,
    ) -> Result<Option<GlobalOf<L>>, RunError> {
        let shards = Self::shards(transport)?;
        let me = transport.device();
        check_shape::<L>(&shards, me, self.local.shape())?;
        // Of the devices that have the same entries, the first one sends them.
        let own = match is_first(&shards, me) {
            true => to_global::<L>(&shards, me, &self.local),
            false => Vec::new(),
        };
        if me != root {
            let messages = if is_first(&shards, me) {
                [(root, Self::to_bytes(&own))].into()
            } else {
                Vec::new()
            };
            transport.exchange(messages, &[])?;
            return Ok(None);
        }
        let senders = (0..transport.devices()).filter(|&device| device != me);
        let senders: Vec<_> = senders.filter(|&device| is_first(&shards, device)).collect();
        let received = transport.exchange(Vec::new(), &senders)?;
        let mut entries = own;
        for bytes in received {
            entries.extend(Self::from_bytes(&bytes)?);
        }
        Ok(Some(assemble::<L>(&entries)?))
    }
}

/// The part of a sparse tensor of blocks on one device, with each block in the tiled layout `B`: sharded, sparse and tiled at
/// once.
///
/// ```
/// # #[cfg(feature = "std")] {
/// use tensor_layout::sharding::run::{ShardedBlocks, Transport, threads};
/// use tensor_layout::sparse::{Duplicates, SparseTensor};
/// use tensor_layout::{mesh, sharded, sparse_encoding, tiled};
/// mesh! { Pod = ["data" = 2] }
/// sparse_encoding! {
///     type Bsr = (i, j) -> (i floordiv 8 : dense, j floordiv 128 : compressed, i mod 8 : dense, j mod 128 : dense);
/// }
/// type Rows = sharded!(f32[16,256] Bsr @ Pod [{"data"}, {}]);
/// type Shard = ShardedBlocks<Rows, tiled!(f32[8,128]{1,0:T(8,128)})>;
/// let matrix = SparseTensor::from_coo([16, 256], &[([1, 5], 2.0), ([9, 130], 4.0)], Duplicates::Error).unwrap();
/// let gathered = threads::run(2, |transport| {
///     let own = Shard::scatter(transport, 0, (transport.device() == 0).then_some(&matrix)).unwrap();
///     assert_eq!((own.local().shape(), own.local().blocks().len()), ([8, 256], 1));
///     own.gather(transport, 0).unwrap()
/// });
/// assert_eq!(*gathered[0].as_ref().unwrap().to_coo(), matrix.to_coo());
/// # }
/// ```
pub struct ShardedBlocks<L: ShardedSparseLayout, B: Layout> {
    local: BlockTensor<L::Encoding, B>,
}

impl<L: ShardedSparseLayout<Value: SparseMessage>, B: Layout> ShardedBlocks<L, B>
where
    B::Element: Element<Host = L::Value>,
{
    /// The shard of a device that already has its local blocks.
    pub const fn new(local: BlockTensor<L::Encoding, B>) -> Self {
        Self { local }
    }

    /// The local blocks.
    pub const fn local(&self) -> &BlockTensor<L::Encoding, B> {
        &self.local
    }

    /// See [`ShardedTensor::scatter`]; each device packs its own blocks.
    ///
    /// # Errors
    /// As for [`ShardedTensor::scatter`], and if a value does not fit the element type.
    pub fn scatter<T: Transport>(
        transport: &mut T,
        root: usize,
        global: Option<&SparseTensor<L::Encoding, L::Value>>,
    ) -> Result<Self, RunError> {
        let shard = ShardedTensor::<L>::scatter(transport, root, global)?;
        Ok(Self { local: BlockTensor::pack(&shard.local)? })
    }

    /// See [`ShardedTensor::gather`].
    ///
    /// # Errors
    /// As for [`ShardedTensor::gather`].
    pub fn gather<T: Transport>(
        &self,
        transport: &mut T,
        root: usize,
    ) -> Result<Option<GlobalOf<L>>, RunError> {
        let local = LocalOf::<L>::try_from(self.local.unpack())?;
        ShardedTensor::<L>::new(local).gather(transport, root)
    }
}
