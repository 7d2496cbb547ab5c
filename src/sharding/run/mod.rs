//! Running collectives: scatters an array to devices, gathers it, and executes the plan of a reshard.
//!
//! Each device runs the same program on its own shard, and exchanges messages through a [`Transport`].

mod collective;
mod local;
mod no_such_method;
pub mod ops;
#[cfg(feature = "mpi")]
mod pending;
#[cfg(feature = "mpi")]
pub mod processes;
#[cfg(feature = "std")]
pub mod program;
mod redistribution;
mod region;
mod resharding;
mod sharded;
#[cfg(feature = "sparse")]
mod sparse;
mod sum;
#[cfg(feature = "std")]
pub mod threads;
mod wire;

use crate::movement::PackError;
use alloc::string::String;
use alloc::vec::Vec;
use collective::Mover;
use core::fmt;
use layout_core::dtype::DType;
use layout_core::sharding::{Mesh, ReductionOp, ShardingError, Shards, TensorSharding};
use resharding::Resharding;
pub use sharded::Sharded;
#[cfg(feature = "sparse")]
pub use sparse::{ShardedBlocks, ShardedTensor, SparseMessage};

/// Carries messages between devices: the threads of a process, processes connected by MPI (feature `mpi`), or anything else
/// that implements this trait.
///
/// A device is identified by its position in the mesh, counted row-major over the axes, not by its id.
pub trait Transport {
    /// The number of this device.
    fn device(&self) -> usize;

    /// The number of devices.
    fn devices(&self) -> usize;

    /// Sends each message to its device, and receives one message from each device in `from`, in that order. Messages from one
    /// device to another arrive in the order in which they were sent.
    ///
    /// # Errors
    /// If a device cannot be reached.
    fn exchange(
        &mut self,
        messages: Vec<(usize, Vec<u8>)>,
        from: &[usize],
    ) -> Result<Vec<Vec<u8>>, TransportError>;

    /// Bytes that this device has received so far.
    fn received(&self) -> u64;

    /// Begins a collective of a group of devices that includes this one. `None` if the transport has no collective of its own for
    /// these elements; in that case devices [`exchange`](Self::exchange) parts. Either all members return `None` or none does, and
    /// all must begin the collectives of a group in the same order.
    fn begin(
        &mut self,
        _group: &[usize],
        _collective: GroupCollective<'_>,
    ) -> Option<Result<Begun, TransportError>> {
        None
    }

    /// Waits until a collective is done, and returns its result: the combined array, or the arrays of all members in the order
    /// of the group.
    ///
    /// # Errors
    /// If a device cannot be reached, or if the collective has not begun.
    fn finish(&mut self, _begun: Begun) -> Result<Vec<Vec<u8>>, TransportError> {
        Err(TransportError { device: self.device() })
    }
}

/// A collective that a transport has begun, identified by a number that the transport chooses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[must_use = "a collective that has begun is finished by `Transport::finish`"]
pub struct Begun(pub u64);

/// A collective of a group of devices.
#[derive(Clone, Copy, Debug)]
pub enum GroupCollective<'a> {
    /// Combines the arrays of all members; each gets the result.
    AllReduce {
        /// How elements are combined.
        combined: Combined,
        /// The array of this device.
        array: &'a [u8],
    },
    /// Combines arrays that have a part for each member; each member gets its part of the result.
    ReduceScatter {
        /// How elements are combined.
        combined: Combined,
        /// The parts of this device, in the order of the group; all have the same length.
        parts: &'a [u8],
    },
    /// Each member gets the arrays of all members.
    AllGather {
        /// The array of this device.
        array: &'a [u8],
        /// The lengths of all arrays, in bytes.
        lens: &'a [usize],
    },
    /// Each member gets the parts that all members have for it.
    AllToAll {
        /// The parts that this device has for the members.
        parts: &'a [Vec<u8>],
        /// The lengths of the parts that it gets from the members, in bytes.
        lens: &'a [usize],
    },
}

/// How devices combine elements.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Combine {
    /// They are added; integers wrap around.
    Sum,
    /// They are multiplied; integers wrap around.
    Product,
    /// The largest one; NaN if any is NaN.
    Max,
    /// The smallest one; NaN if any is NaN.
    Min,
}

impl From<ReductionOp> for Combine {
    fn from(reduction: ReductionOp) -> Self {
        match reduction {
            ReductionOp::Sum => Self::Sum,
            ReductionOp::Max => Self::Max,
            ReductionOp::Min => Self::Min,
        }
    }
}

/// How devices combine elements of a type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Combined {
    /// The operation; `None` if it is not one of [`Combine`].
    pub by: Option<Combine>,
    /// The type of the elements, which have [`DType::byte_width`] bytes.
    pub dtype: DType,
}

/// A device that cannot be reached: it does not exist, it has ended, or it has not answered within the time limit of the
/// transport.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("device {device} cannot be reached")]
pub struct TransportError {
    /// The device.
    pub device: usize,
}

/// The reason why shards could not be moved.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// A device cannot be reached.
    #[error(transparent)]
    Transport(#[from] TransportError),
    /// There is no plan from one sharding to the other.
    #[error(transparent)]
    Sharding(#[from] ShardingError),
    /// The array does not match its layout.
    #[error(transparent)]
    Pack(#[from] PackError),
    /// A sparse tensor cannot be stored, or does not have the sizes of its type.
    #[cfg(feature = "sparse")]
    #[error(transparent)]
    Sparse(#[from] crate::sparse::BuildError),
    /// The number of devices that the transport connects is not the number of devices of the mesh.
    #[error("the mesh has {mesh} devices, the transport connects {transport}")]
    Devices {
        /// The devices of the mesh.
        mesh: usize,
        /// The devices of the transport.
        transport: usize,
    },
    /// An array or a message has the wrong length.
    #[error("expected {expected} bytes, found {found}")]
    Length {
        /// The expected number of bytes.
        expected: usize,
        /// The actual number of bytes.
        found: usize,
    },
    /// An array has more bytes than memory can hold.
    #[error("an array of size {dims:?} with {width} bytes for each element is too large")]
    TooLarge {
        /// Its size.
        dims: Vec<usize>,
        /// The bytes of an element.
        width: usize,
    },
    /// The device that scatters has no array.
    #[error("device {device} scatters, but was given no array")]
    NoArray {
        /// The device.
        device: usize,
    },
    /// Devices have partial sums, from which no whole array can be assembled.
    #[error("each of {0} devices has a part of the same sum: reshard the array first")]
    PartialSums(usize),
    /// An operation of a program cannot run.
    #[error("{}`{name}`: {message}", Line(line))]
    Operation {
        /// The operation.
        name: String,
        /// Its line, counted from 1, if the program was read from a file.
        line: Option<usize>,
        /// The reason why it cannot run.
        message: String,
    },
    /// A program is run with the wrong number of arguments.
    #[error("expected {expected} arguments, found {found}")]
    Arguments {
        /// The number of parameters.
        expected: usize,
        /// The number of arguments.
        found: usize,
    },
    /// An argument of a program has another element type or another size than the parameter.
    #[error("`{name}`: expected an array {expected}, found {found}")]
    Argument {
        /// The parameter.
        name: String,
        /// Its element type and size, `f32[4, 8]`.
        expected: String,
        /// The element type and size of the argument.
        found: String,
    },
    /// A number is not the number of a row.
    #[error("number {at} in the list is not the number of a row: the table has {size} rows")]
    Row {
        /// Its position among the numbers of this device.
        at: usize,
        /// The rows of the table.
        size: usize,
    },
    /// Elements of this type cannot be summed.
    #[error("elements of type `{0}` cannot be summed")]
    Sum(DType),
}

/// The line of an operation, before a message.
struct Line<'a>(&'a Option<usize>);

impl fmt::Display for Line<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.map_or(Ok(()), |line| write!(f, "line {line}: "))
    }
}

/// Sends each device its shard of the row-major array `global` of device `root`, with `width` bytes for each element.
///
/// # Errors
/// If the array has the wrong length or is too large, if there is no device `root`, or if a device cannot be reached.
pub fn scatter<T: Transport>(
    transport: &mut T,
    shards: &Shards,
    width: usize,
    root: usize,
    global: Option<&[u8]>,
) -> Result<Vec<u8>, RunError> {
    let mover = Mover::new(transport, shards, width)?;
    let me = mover.transport.device();
    if me != root {
        return mover.receive_shard(root);
    }
    let global = global.ok_or(RunError::NoArray { device: root })?;
    mover.send_shards(global)
}

/// Collects the shards of all devices on device `root`. Returns the row-major array there, and `None` elsewhere.
///
/// # Errors
/// If a shard has the wrong length, if the array is too large, if axes are unreduced, if there is no device `root`, or if a
/// device cannot be reached.
pub fn gather<T: Transport>(
    transport: &mut T,
    shards: &Shards,
    width: usize,
    root: usize,
    shard: &[u8],
) -> Result<Option<Vec<u8>>, RunError> {
    if shards.partial_sums() > 1 {
        return Err(RunError::PartialSums(shards.partial_sums()));
    }
    Mover::new(transport, shards, width)?.collect(root, shard)
}

/// Executes the collectives that lead from one sharding of an array to another. Takes and returns the row-major shard of this
/// device. Elements have [`DType::byte_width`] bytes.
///
/// # Errors
/// If there is no plan (see [`plan`](crate::sharding::reshard::plan)), if the shard has the wrong length, or if a device cannot be reached.
pub fn reshard<T: Transport>(
    transport: &mut T,
    mesh: &Mesh,
    (from, to): (&TensorSharding, &TensorSharding),
    (dtype, dims): (DType, &[usize]),
    shard: &[u8],
) -> Result<Vec<u8>, RunError> {
    let devices = transport.devices();
    let resharding = Resharding::new(devices, mesh, (from, to), (dtype, dims), &[])?;
    resharding.begin(transport, shard.into())?(transport)
}
