//! Devices that are processes connected by MPI: `mpirun -np 8 program`.

use super::{Transport, TransportError};
use mpi::environment::Universe;
use mpi::request::{LocalScope, Request};
use mpi::topology::SimpleCommunicator;
use mpi::traits::{Communicator, Destination, Source};
use std::time::{Duration, Instant};
use std::vec::Vec;

/// The most bytes in one message of MPI, which counts them in 32 bits. Longer messages travel in several pieces.
const PIECE: usize = 1 << 30;

/// Sent instead of the length of a message: the sender has been dropped, and nothing follows.
const CLOSED: u64 = u64::MAX;

/// Connects one process with all others: the rank of a process is its device.
///
/// **A process that ends early**, by returning or by panicking, blocks no other process. When its `Processes` is
/// dropped it tells the others, and an exchange that waits for it fails with a [`TransportError`], as between threads.
/// Dropping then waits until the others are dropped too (MPI requires that all processes end together), and discards
/// what they still send.
///
/// **A process that neither answers nor ends** is found by a [time limit](Self::set_time_limit). There is none by
/// default.
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
    /// For each device, whether it has said that it is dropped.
    closed: Vec<bool>,
    // Dropped last: without it there are no communicators.
    _universe: Option<Universe>,
}

impl Processes {
    /// Starts MPI, which ends when the value is dropped, and connects all processes; `None` if it was started before.
    pub fn connect() -> Option<Self> {
        let universe = mpi::initialize()?;
        Some(Self::new(universe.world(), Some(universe)))
    }

    /// Connects the processes of a communicator. All of them must call this.
    pub fn of(communicator: &SimpleCommunicator) -> Self {
        // A communicator of their own keeps their messages apart from those of others.
        Self::new(communicator.duplicate(), None)
    }

    fn new(world: SimpleCommunicator, universe: Option<Universe>) -> Self {
        let closed = vec![false; world.size() as usize];
        Self { world, received: 0, time_limit: None, closed, _universe: universe }
    }

    /// Limits how long an exchange waits for other devices; `None`, the default, waits forever.
    ///
    /// When the limit passes, messages may be half sent, and no later exchange could be trusted. So the waiting device
    /// prints to standard error which device has not answered, and MPI ends all processes with an error.
    pub fn set_time_limit(&mut self, limit: Option<Duration>) {
        self.time_limit = limit;
    }

    /// Ends all processes.
    fn abort(&self, reason: core::fmt::Arguments<'_>) -> ! {
        std::eprintln!("device {}: {reason}", self.device());
        self.world.abort(1)
    }

    /// Calls `poll` until it has a result, or ends all processes when the deadline has passed.
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
            // Once the answer takes longer than a message between two machines, waiting should not keep a core busy.
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
        self.wait(device, deadline, || process.immediate_probe());
        let mut header = [0; 8];
        process.receive_into(&mut header[..]);
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
            process.receive_into(piece);
        }
        Ok(message)
    }
}

/// A message that is on its way to a device.
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
        // Every device sends first, without waiting, and then receives, so that no two devices wait for each other.
        let received = mpi::request::scope(|scope| {
            let mut sent: Vec<Sent<'_, '_>> = Vec::new();
            for ((device, message), (rank, header)) in messages.iter().zip(&headers) {
                let process = self.world.process_at_rank(*rank);
                sent.push((*device, process.immediate_send(scope, &header[..])));
                for piece in message.chunks(PIECE) {
                    sent.push((*device, process.immediate_send(scope, piece)));
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
}

impl Drop for Processes {
    /// Tells all others that nothing follows, and receives until they have said so too. Otherwise their sends could not
    /// end, and MPI could not be finalized.
    fn drop(&mut self) {
        let header = CLOSED.to_le_bytes();
        let others: Vec<_> =
            (0..self.devices()).filter(|&device| device != self.device()).collect();
        mpi::request::scope(|scope| {
            let send = |&device: &usize| {
                self.world.process_at_rank(device as i32).immediate_send(scope, &header[..])
            };
            let ends: Vec<_> = others.iter().map(send).collect();
            for &device in &others {
                while self.receive(device, None).is_ok() {}
            }
            for end in ends {
                end.wait_without_status();
            }
        });
    }
}
