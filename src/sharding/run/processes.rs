//! Devices that are processes connected by MPI: `mpirun -np 8 program`.
#![allow(unsafe_code, reason = "MPI reads and writes memory until a collective is done")]

use super::pending::{Detached, ENDED, Pending, detached};
use super::{Begun, Combine, Combined, GroupCollective, Transport, TransportError};
use layout_core::dtype::DType;
use mpi::Tag;
use mpi::collective::SystemOperation;
use mpi::datatype::{Partition, PartitionMut};
use mpi::environment::Universe;
use mpi::request::{LocalScope, Request};
use mpi::topology::SimpleCommunicator;
use mpi::traits::{Communicator, CommunicatorCollectives, Destination, Group, Source};
use std::boxed::Box;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};
use std::vec::Vec;

/// The largest number of bytes in one MPI message, because MPI counts them in 32 bits. Longer messages are sent in several
/// pieces.
const PIECE: usize = 1 << 30;

/// The tag of messages.
const MESSAGE: Tag = 0;

/// Sent instead of the length of a message if the sender has been dropped and nothing follows.
const CLOSED: u64 = u64::MAX;

/// Runs code with `T` as the number type of MPI for an element type.
macro_rules! with_numbers {
    ($dtype:expr, |$T:ident| $body:block) => {
        with_numbers!($dtype, $T, $body, F32 f32, F64 f64, S8 i8, S16 i16, S32 i32, S64 i64, U8 u8, U16 u16, U32 u32, U64 u64)
    };
    ($dtype:expr, $T:ident, $body:block, $($DType:ident $Number:ty),*) => {
        match $dtype {
            $(DType::$DType => {
                type $T = $Number;
                $body
            })*
            _ => return None,
        }
    };
}
macro_rules! numbers {
    ($T:ident, $bytes:expr) => {{
        let number = |bytes: &[u8]| {
            let mut own = [0; size_of::<$T>()];
            own.copy_from_slice(bytes);
            $T::from_le_bytes(own)
        };
        let numbers: Vec<$T> = $bytes.chunks_exact(size_of::<$T>()).map(number).collect();
        numbers
    }};
}
/// Connects a process with all others. The rank of a process is its device.
///
/// **A process that ends early**, by returning or by panicking, does not block any other process. When its `Processes` is dropped,
/// it notifies the others, and an exchange that waits for it fails with a [`TransportError`], as between threads. Dropping then
/// waits until the others are dropped too (MPI requires that all processes end together), and discards everything that they still
/// send.
///
/// **A process that neither answers nor ends** is detected by a [time limit](Self::set_time_limit). By default there is none.
///
/// ```no_run
/// use tensor_layout::sharding::run::{Transport, processes::Processes};
/// use std::time::Duration;
/// let mut transport = Processes::connect().expect("nothing else has started MPI");
/// transport.set_time_limit(Some(Duration::from_secs(60)));
/// println!("device {} of {}", transport.device(), transport.devices());
/// ```
pub struct Processes {
    world: SimpleCommunicator,
    received: u64,
    time_limit: Option<Duration>,
    /// Whether each device has reported that it has been dropped.
    closed: Vec<bool>,
    shared: Vec<Shared>,
    /// The collectives that have begun, and their number so far.
    begun: (BTreeMap<Begun, Pending>, u64),
    /// The communicators of groups of devices.
    groups: BTreeMap<Vec<usize>, SimpleCommunicator>,
    // Dropped last: without it there are no communicators.
    _universe: Option<Universe>,
}

/// The number of collectives in which a process has taken part with another one, and the last number that the other one has
/// sent.
pub(super) type Shared = (u64, Option<u64>);

impl Processes {
    /// Starts MPI, which ends when the value is dropped, and connects all processes; `None` if MPI has been started before.
    pub fn connect() -> Option<Self> {
        let universe = mpi::initialize()?;
        Some(Self::new(universe.world(), Some(universe)))
    }

    /// Connects the processes of a communicator. All of them must call this.
    pub fn of(communicator: &SimpleCommunicator) -> Self {
        // A duplicate keeps their messages apart from other messages of the processes.
        Self::new(communicator.duplicate(), None)
    }

    fn new(world: SimpleCommunicator, universe: Option<Universe>) -> Self {
        let devices = world.size() as usize;
        let (closed, shared) = (vec![false; devices], vec![(0, None); devices]);
        let groups = BTreeMap::new();
        let (received, time_limit, begun) = (0, None, (BTreeMap::new(), 0));
        Self { world, received, time_limit, closed, shared, begun, groups, _universe: universe }
    }

    /// Limits the time that an exchange waits for other devices; `None`, the default, waits forever.
    ///
    /// When the limit passes, messages can be partly sent, and later exchanges would be unreliable. So the waiting device
    /// prints to standard error which device has not answered, and MPI ends all processes with an error.
    pub fn set_time_limit(&mut self, limit: Option<Duration>) {
        self.time_limit = limit;
    }

    /// Ends all processes.
    fn abort(&self, reason: core::fmt::Arguments<'_>) -> ! {
        std::eprintln!("device {}: {reason}", self.device());
        self.world.abort(1)
    }

    /// Calls `poll` until it has a result. Ends all processes if the deadline passes first.
    fn wait<R>(
        &self,
        device: usize,
        deadline: Option<Instant>,
        mut poll: impl FnMut() -> Option<R>,
    ) -> R {
        let start = Instant::now();
        loop {
            if let Some(result) = poll() {
                return result;
            }
            let now = Instant::now();
            if deadline.is_some_and(|deadline| now >= deadline) {
                let limit = self.time_limit.unwrap_or_default();
                self.abort(format_args!("device {device} has not answered within {limit:?}"));
            }
            // If the answer takes longer than a message between two machines, waiting should not keep a core busy.
            if now - start < Duration::from_millis(1) {
                std::thread::yield_now();
            } else {
                std::thread::sleep(Duration::from_micros(100));
            }
        }
    }

    /// The rank of a device.
    fn rank(&self, device: usize) -> Result<i32, TransportError> {
        let rank = i32::try_from(device).ok().filter(|rank| *rank < self.world.size());
        rank.ok_or(TransportError { device })
    }

    /// Whether MPI can count this many bytes, with the headers of messages, in 32 bits.
    const fn fits(&self, bytes: usize) -> bool {
        bytes <= i32::MAX as usize
    }

    /// Begins a collective of a group. The first collective of a group creates its communicator, once every member has
    /// answered.
    fn enter(&mut self, group: &[usize]) -> Result<(), TransportError> {
        if !self.groups.contains_key(group) {
            let me = self.device();
            let others: Vec<_> = group.iter().copied().filter(|&device| device != me).collect();
            let messages = others.iter().map(|&device| (device, Vec::new())).collect();
            self.exchange(messages, &others)?;
            let ranks = group.iter().map(|&device| self.rank(device));
            let ranks = ranks.collect::<Result<Vec<_>, _>>()?;
            let members = self.world.group().include(&ranks);
            let Some(communicator) = self.world.split_by_subgroup(&members) else {
                return Err(TransportError { device: me });
            };
            self.groups.insert(group.to_vec(), communicator);
        }
        for &device in group {
            self.shared[device].0 += 1;
        }
        Ok(())
    }

    /// Receives the next message from a device: its length, and then its pieces.
    fn receive(
        &mut self,
        device: usize,
        deadline: Option<Instant>,
    ) -> Result<Vec<u8>, TransportError> {
        let process = self.world.process_at_rank(self.rank(device)?);
        if self.closed[device] {
            return Err(TransportError { device });
        }
        self.wait(device, deadline, || process.immediate_probe_with_tag(MESSAGE));
        let mut header = [0; 8];
        process.receive_into_with_tag(&mut header[..], MESSAGE);
        let len = u64::from_le_bytes(header);
        if len == CLOSED {
            self.closed[device] = true;
            return Err(TransportError { device });
        }
        let mut message = Vec::new();
        let held = usize::try_from(len).is_ok_and(|len| message.try_reserve_exact(len).is_ok());
        if !held {
            self.abort(format_args!("no memory for a message of {len} bytes from device {device}"));
        }
        message.resize(len as usize, 0);
        for piece in message.chunks_mut(PIECE) {
            process.receive_into_with_tag(piece, MESSAGE);
        }
        Ok(message)
    }
}

/// A message that is being sent to a device.
type Sent<'a, 'b> = (usize, Request<'a, [u8], &'b LocalScope<'a>>);

impl Transport for Processes {
    fn device(&self) -> usize {
        self.world.rank() as usize
    }

    fn devices(&self) -> usize {
        self.world.size() as usize
    }

    fn exchange(
        &mut self,
        messages: Vec<(usize, Vec<u8>)>,
        from: &[usize],
    ) -> Result<Vec<Vec<u8>>, TransportError> {
        let deadline = self.time_limit.and_then(|limit| Instant::now().checked_add(limit));
        let header = |(device, message): &(usize, Vec<u8>)| {
            Ok((self.rank(*device)?, (message.len() as u64).to_le_bytes()))
        };
        let headers = messages.iter().map(header).collect::<Result<Vec<_>, _>>()?;
        // Every device first sends, without waiting, and then receives, so that no two devices wait for each other.
        let received = mpi::request::scope(|scope| {
            let mut sent: Vec<Sent<'_, '_>> = Vec::new();
            for ((device, message), (rank, header)) in messages.iter().zip(&headers) {
                let process = self.world.process_at_rank(*rank);
                sent.push((*device, process.immediate_send_with_tag(scope, &header[..], MESSAGE)));
                for piece in message.chunks(PIECE) {
                    sent.push((*device, process.immediate_send_with_tag(scope, piece, MESSAGE)));
                }
            }
            let received: Result<Vec<_>, _> =
                from.iter().map(|&device| self.receive(device, deadline)).collect();
            for (device, request) in sent {
                let mut request = Some(request);
                self.wait(device, deadline, || match request.take()?.test() {
                    Ok(status) => Some(status),
                    Err(unfinished) => {
                        request = Some(unfinished);
                        None
                    }
                });
            }
            received
        });
        let received = received?;
        self.received += received.iter().map(|message| message.len() as u64).sum::<u64>();
        Ok(received)
    }

    fn received(&self) -> u64 {
        self.received
    }

    fn begin(
        &mut self,
        group: &[usize],
        collective: GroupCollective<'_>,
    ) -> Option<Result<Begun, TransportError>> {
        match collective {
            GroupCollective::AllReduce { combined, array } => {
                self.begin_all_reduce(group, combined, array)
            }
            GroupCollective::ReduceScatter { combined, parts } => {
                self.begin_reduce_scatter(group, combined, parts)
            }
            GroupCollective::AllGather { array, lens } => self.begin_all_gather(group, array, lens),
            GroupCollective::AllToAll { parts, lens } => self.begin_all_to_all(group, parts, lens),
        }
    }

    fn finish(&mut self, begun: Begun) -> Result<Vec<Vec<u8>>, TransportError> {
        let pending = self.begun.0.remove(&begun);
        let pending = pending.ok_or(TransportError { device: self.device() })?;
        Ok(pending.finish(&self.world, &mut self.shared, self.time_limit))
    }
}

impl Processes {
    /// Stores a collective of a group that has begun.
    fn keep(
        &mut self,
        group: &[usize],
        request: Detached,
        read: Box<dyn FnOnce() -> Vec<Vec<u8>>>,
    ) -> Begun {
        let members = group.iter().map(|&device| (device, self.shared[device].0)).collect();
        let begun = Begun(self.begun.1);
        self.begun.1 += 1;
        self.begun.0.insert(begun, Pending::new(request, members, read));
        begun
    }

    fn begin_all_reduce(
        &mut self,
        group: &[usize],
        Combined { by, dtype }: Combined,
        array: &[u8],
    ) -> Option<Result<Begun, TransportError>> {
        if !self.fits(array.len()) || array.is_empty() {
            return None;
        }
        let operation = operation(by?, dtype)?;
        if let Err(error) = self.enter(group) {
            return Some(Err(error));
        }
        // The bytes that each device receives if every member combines a part and all members collect the parts, rounded as in
        // the plan of a program.
        self.received += (2 * array.len() * (group.len() - 1)).div_ceil(group.len()) as u64;
        let communicator = &self.groups[group];
        with_numbers!(dtype, |T| {
            let own = numbers!(T, array);
            let mut all = own.clone();
            let request = mpi::request::scope(|scope| {
                let (from, to) = (&own[..], &mut all[..]);
                let request = communicator.immediate_all_reduce_into(scope, from, to, operation);
                // SAFETY: both arrays are kept with the request until it is done; moving the vectors does not move their
                // elements.
                unsafe { detached(request) }
            });
            let read = move || {
                drop(own);
                vec![all.iter().flat_map(|number| number.to_le_bytes()).collect()]
            };
            Some(Ok(self.keep(group, request, Box::new(read))))
        })
    }

    fn begin_reduce_scatter(
        &mut self,
        group: &[usize],
        Combined { by, dtype }: Combined,
        parts: &[u8],
    ) -> Option<Result<Begun, TransportError>> {
        if !self.fits(parts.len()) || parts.is_empty() {
            return None;
        }
        let operation = operation(by?, dtype)?;
        if let Err(error) = self.enter(group) {
            return Some(Err(error));
        }
        self.received += (parts.len() / group.len() * (group.len() - 1)) as u64;
        let communicator = &self.groups[group];
        with_numbers!(dtype, |T| {
            let all = numbers!(T, parts);
            let mut own = vec![T::default(); all.len() / group.len()];
            let request = mpi::request::scope(|scope| {
                let (from, to) = (&all[..], &mut own[..]);
                let request =
                    communicator.immediate_reduce_scatter_block_into(scope, from, to, operation);
                // SAFETY: both arrays are kept with the request until it is done; moving the vectors does not move their
                // elements.
                unsafe { detached(request) }
            });
            let read = move || {
                drop(all);
                vec![own.iter().flat_map(|number| number.to_le_bytes()).collect()]
            };
            Some(Ok(self.keep(group, request, Box::new(read))))
        })
    }

    fn begin_all_gather(
        &mut self,
        group: &[usize],
        array: &[u8],
        lens: &[usize],
    ) -> Option<Result<Begun, TransportError>> {
        let total = lens.iter().sum();
        if !self.fits(total) {
            return None;
        }
        if let Err(error) = self.enter(group) {
            return Some(Err(error));
        }
        self.received += (total - array.len()) as u64;
        let communicator = &self.groups[group];
        // One more byte, because the address of an empty vector has another meaning for MPI.
        let own = [array, &[0]].concat();
        let (len, lens) = (array.len(), lens.to_vec());
        let mut all = vec![0_u8; total + 1];
        let (counts, starts) = counts(&lens);
        let request = mpi::request::scope(|scope| {
            let from = &own[..len];
            if lens.iter().all(|other| *other == len) {
                let to = &mut all[..total];
                let request = communicator.immediate_all_gather_into(scope, from, to);
                // SAFETY: all arrays are kept with the request until it is done; moving the vectors does not move their
                // elements.
                return unsafe { detached(request) };
            }
            let mut to = PartitionMut::new(&mut all[..], &counts[..], &starts[..]);
            mpi::request::scope(|scope| {
                let request = communicator.immediate_all_gather_varcount_into(scope, from, &mut to);
                // SAFETY: as above, the counts included.
                unsafe { detached(request) }
            })
        });
        let read = move || {
            drop((own, counts, starts));
            split(&all, &lens)
        };
        Some(Ok(self.keep(group, request, Box::new(read))))
    }

    fn begin_all_to_all(
        &mut self,
        group: &[usize],
        parts: &[Vec<u8>],
        lens: &[usize],
    ) -> Option<Result<Begun, TransportError>> {
        // The longest part in either direction. It has the same length on every device, so that all devices decide in the same way.
        let longest = |lens: &mut dyn Iterator<Item = usize>| lens.max().unwrap_or(0);
        let most = longest(&mut lens.iter().copied()).max(longest(&mut parts.iter().map(Vec::len)));
        if !self.fits((most + 1).saturating_mul(group.len())) {
            return None;
        }
        if let Err(error) = self.enter(group) {
            return Some(Err(error));
        }
        let me = self.device();
        let kept = group.iter().position(|&device| device == me).map_or(0, |own| lens[own]);
        let total = lens.iter().sum::<usize>();
        self.received += (total - kept) as u64;
        let communicator = &self.groups[group];
        // One more byte, because the address of an empty vector has another meaning for MPI.
        let own: Vec<u8> = parts.iter().flatten().copied().chain([0]).collect();
        let mut all = vec![0_u8; total + 1];
        let (sent, lens) = (parts.iter().map(Vec::len).collect::<Vec<_>>(), lens.to_vec());
        let ((to, to_starts), (from, from_starts)) = (counts(&sent), counts(&lens));
        let request = mpi::request::scope(|scope| {
            if sent.iter().chain(&lens).all(|len| *len == lens[0]) {
                let (from, to) = (&own[..own.len() - 1], &mut all[..total]);
                let request = communicator.immediate_all_to_all_into(scope, from, to);
                // SAFETY: all arrays are kept with the request until it is done; moving the vectors does not move their
                // elements.
                return unsafe { detached(request) };
            }
            let sent = Partition::new(&own[..], &to[..], &to_starts[..]);
            let mut parts = PartitionMut::new(&mut all[..], &from[..], &from_starts[..]);
            mpi::request::scope(|scope| {
                let request =
                    communicator.immediate_all_to_all_varcount_into(scope, &sent, &mut parts);
                // SAFETY: as above, the counts included.
                unsafe { detached(request) }
            })
        });
        let read = move || {
            drop((own, to, to_starts, from, from_starts));
            split(&all, &lens)
        };
        Some(Ok(self.keep(group, request, Box::new(read))))
    }
}

/// The MPI operation that combines elements of a type as devices do, if there is one. There is none for maxima and minima of
/// floating-point numbers, because MPI does not define the result for NaN.
fn operation(by: Combine, dtype: DType) -> Option<SystemOperation> {
    let is_float = matches!(dtype, DType::F32 | DType::F64);
    let is_integer = matches!(
        dtype,
        DType::S8
            | DType::S16
            | DType::S32
            | DType::S64
            | DType::U8
            | DType::U16
            | DType::U32
            | DType::U64
    );
    match by {
        _ if !is_float && !is_integer => None,
        Combine::Sum => Some(SystemOperation::sum()),
        Combine::Product => Some(SystemOperation::product()),
        Combine::Max | Combine::Min if is_float => None,
        Combine::Max => Some(SystemOperation::max()),
        Combine::Min => Some(SystemOperation::min()),
    }
}

/// Lengths in the integers of MPI, and the start of each part.
fn counts(lens: &[usize]) -> (Vec<i32>, Vec<i32>) {
    let starts = lens.iter().scan(0, |end, len| {
        *end += len;
        Some((*end - len) as i32)
    });
    (lens.iter().map(|len| *len as i32).collect(), starts.collect())
}

/// Splits an array into parts of these lengths.
fn split(mut all: &[u8], lens: &[usize]) -> Vec<Vec<u8>> {
    let parts = lens.iter().map(|len| {
        let (part, rest) = all.split_at(*len);
        all = rest;
        part.to_vec()
    });
    parts.collect()
}

impl Drop for Processes {
    /// Notifies all others that nothing follows, and receives until they have done the same. Otherwise their sends could not
    /// complete, and MPI could not be finalized.
    fn drop(&mut self) {
        let header = CLOSED.to_le_bytes();
        let others: Vec<_> =
            (0..self.devices()).filter(|&device| device != self.device()).collect();
        let counts: Vec<_> = self.shared.iter().map(|(own, _)| own.to_le_bytes()).collect();
        mpi::request::scope(|scope| {
            let mut ends = Vec::new();
            for &device in &others {
                let process = self.world.process_at_rank(device as i32);
                ends.push(process.immediate_send_with_tag(scope, &header[..], MESSAGE));
                ends.push(process.immediate_send_with_tag(scope, &counts[device][..], ENDED));
            }
            for &device in &others {
                while self.receive(device, None).is_ok() {}
                if self.shared[device].1.is_none() {
                    let process = self.world.process_at_rank(device as i32);
                    let mut count = [0_u8; 8];
                    process.receive_into_with_tag(&mut count[..], ENDED);
                    self.shared[device].1 = Some(u64::from_le_bytes(count));
                }
            }
            // Processes that take part have arrived here too.
            for pending in core::mem::take(&mut self.begun.0).into_values() {
                pending.finish(&self.world, &mut self.shared, self.time_limit);
            }
            for end in ends {
                end.wait_without_status();
            }
        });
    }
}
