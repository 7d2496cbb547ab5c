//! Arrays that are split over devices, at run time: [`Sharded`] is the shard of one device, and collectives scatter, gather and
//! reshard an array.
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

/// Carries messages between devices: the threads of a process ([`threads`]), processes connected by MPI (feature `mpi`), or
/// anything else that implements this trait.
///
/// A device is identified by its position in the mesh, counted row-major over the axes, not by its id.
///
/// A transport needs only the first four methods:
///
/// ```
/// use tensor_layout::sharding::run::{Sharded, Transport, TransportError};
/// use tensor_layout::{mesh, sharded};
///
/// /// A single device, which sends messages to itself.
/// struct Alone(u64);
///
/// impl Transport for Alone {
///     fn device(&self) -> usize {
///         0
///     }
///     fn devices(&self) -> usize {
///         1
///     }
///     fn exchange(&mut self, messages: Vec<(usize, Vec<u8>)>, _: &[usize]) -> Result<Vec<Vec<u8>>, TransportError> {
///         let messages: Vec<Vec<u8>> = messages.into_iter().map(|(_, message)| message).collect();
///         self.0 += messages.iter().map(|message| message.len() as u64).sum::<u64>();
///         Ok(messages)
///     }
///     fn received(&self) -> u64 {
///         self.0
///     }
/// }
///
/// # fn main() -> Result<(), tensor_layout::sharding::run::RunError> {
/// mesh! { One = ["x" = 1] }
/// type X = sharded!(f32[4] @ One [{"x"}]);
/// let x = Sharded::<X>::scatter(&mut Alone(0), 0, Some(&vec![1.0, 2.0, 3.0, 4.0]))?;
/// assert_eq!(x.local().get([3]), 4.0);
/// # Ok(())
/// # }
/// ```
pub trait Transport {
    /// The position of this device in the mesh, counted from 0.
    fn device(&self) -> usize;

    /// The number of devices.
    fn devices(&self) -> usize;

    /// Sends messages, each to the device whose position is given with it, and receives one message from each device in `from`,
    /// in that order. Messages from one device to another arrive in the order in which they were sent.
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

/// The number by which [`Transport::finish`] finds a collective that [`Transport::begin`] began. The transport chooses it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[must_use = "a collective that has begun is finished by `Transport::finish`"]
pub struct Begun(pub u64);

/// A collective of a group of devices, which [`Transport::begin`] is asked to begin.
///
/// ```
/// use tensor_layout::DType;
/// use tensor_layout::sharding::run::{Combine, Combined, GroupCollective};
///
/// /// The bytes that each member sends in a ring.
/// fn sent(collective: &GroupCollective<'_>, members: usize) -> Option<usize> {
///     match collective {
///         GroupCollective::AllReduce { array, .. } => Some(2 * array.len() * (members - 1) / members),
///         GroupCollective::AllGather { array, .. } => Some(array.len() * (members - 1)),
///         _ => None,
///     }
/// }
/// let combined = Combined { by: Some(Combine::Sum), dtype: DType::F32 };
/// assert_eq!(sent(&GroupCollective::AllReduce { combined, array: &[0; 16] }, 4), Some(24));
/// ```
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
///
/// ```
/// use tensor_layout::sharding::ReductionOp;
/// use tensor_layout::sharding::run::Combine;
/// assert_eq!(Combine::from(ReductionOp::Max), Combine::Max);
/// ```
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

/// How devices combine elements, and of which type they are; see [`GroupCollective`].
///
/// ```
/// use tensor_layout::DType;
/// use tensor_layout::sharding::run::{Combine, Combined};
/// let sums = Combined { by: Some(Combine::Sum), dtype: DType::BF16 };
/// assert_eq!(sums.dtype.byte_width(), 2);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Combined {
    /// The operation; `None` if it is not one of [`Combine`].
    pub by: Option<Combine>,
    /// The type of the elements, which have [`DType::byte_width`] bytes.
    pub dtype: DType,
}

/// A device that cannot be reached: it does not exist, it has ended, or it has not answered within the time limit of the
/// transport.
///
/// ```
/// use std::time::Duration;
/// use tensor_layout::sharding::run::{Transport, TransportError, threads};
/// let errors = threads::run(2, |transport| {
///     transport.set_time_limit(Some(Duration::from_millis(10)));
///     // Each device waits for the other, and neither sends anything.
///     transport.exchange(vec![], &[1 - transport.device()])
/// });
/// assert!(errors.contains(&Err(TransportError { device: 0 })));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("device {device} cannot be reached")]
pub struct TransportError {
    /// The position of the device in the mesh.
    pub device: usize,
}

/// The reason why devices could not exchange shards, or could not run a program.
///
/// ```
/// use tensor_layout::sharding::run::{RunError, Sharded, threads};
/// use tensor_layout::{mesh, sharded};
/// # fn main() {
/// mesh! { Pod = ["data" = 4] }
/// type X = sharded!(f32[8] @ Pod [{"data"}]);
/// // Two threads for a mesh of four devices.
/// let errors = threads::run(2, |transport| Sharded::<X>::scatter(transport, 0, None).map(|_| ()));
/// assert_eq!(errors[0], Err(RunError::Devices { mesh: 4, transport: 2 }));
/// # }
/// ```
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

/// Sends each device its shard of a row-major array with `width` bytes for each element. Every device calls it, but only device
/// `root` passes the array, as `global`. Like [`Transport::device`], `root` is a position in the mesh, not an id. It is the
/// run-time twin of [`Sharded::scatter`].
///
/// ```
/// use tensor_layout::sharding::run::{gather, scatter, threads};
/// use tensor_layout::sharding::{Mesh, Padding, Shards, TensorSharding};
/// let (mesh, rows): (Mesh, TensorSharding) = (r#"<["x"=2]>"#.parse()?, r#"<@mesh, [{"x"}]>"#.parse()?);
/// let shards = Shards::new(&rows, &mesh, &[4], Padding::Forbidden)?;
/// let found = threads::run(2, |transport| {
///     let shard = scatter(transport, &shards, 1, 0, Some(&[1, 2, 3, 4]))?;
///     Ok::<_, tensor_layout::sharding::run::RunError>((shard.clone(), gather(transport, &shards, 1, 0, &shard)?))
/// });
/// assert_eq!(found[0], Ok((vec![1, 2], Some(vec![1, 2, 3, 4]))));
/// assert_eq!(found[1], Ok((vec![3, 4], None)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Complexity
/// `root` sends a shard to each device, one copy of the array in total if nothing is replicated. Others receive only their
/// shard.
///
/// # Errors
/// If the array has the wrong length or is too large, if there is no device `root`, if the transport does not connect as many
/// devices as the mesh has, or if a device cannot be reached.
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

/// Collects the shards of all devices on device `root`. Returns the row-major array there, and `None` elsewhere. Every device
/// calls it. [`scatter`] has an example; [`Sharded::gather`] does the same for typed shards.
///
/// # Errors
/// If a shard has the wrong length, if the array is too large, if axes are unreduced, if there is no device `root`, if the
/// transport does not connect as many devices as the mesh has, or if a device cannot be reached.
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
/// device. Elements have [`DType::byte_width`] bytes. It is the run-time twin of [`Sharded::reshard`].
///
/// ```
/// use tensor_layout::DType;
/// use tensor_layout::sharding::run::{Transport, reshard, threads};
/// use tensor_layout::sharding::{Mesh, TensorSharding};
/// let mesh: Mesh = r#"<["x"=2]>"#.parse()?;
/// let (rows, columns): (TensorSharding, TensorSharding) =
///     (r#"<@mesh, [{"x"}, {}]>"#.parse()?, r#"<@mesh, [{}, {"x"}]>"#.parse()?);
/// let found = threads::run(2, |transport| {
///     let row = [[1, 2], [3, 4]][transport.device()];
///     reshard(transport, &mesh, (&rows, &columns), (DType::U8, &[2, 2]), &row)
/// });
/// assert_eq!(found, [Ok(vec![1, 3]), Ok(vec![2, 4])]);            // an all-to-all
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If there is no plan (see [`plan`](crate::sharding::reshard::plan)), if the shard has the wrong length, if the transport does
/// not connect as many devices as the mesh has, or if a device cannot be reached.
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
