//! Devices that are processes, which MPI connects: `mpirun -np 8 program`.

use super::{Transport, TransportError};
use mpi::environment::Universe;
use mpi::request::WaitGuard;
use mpi::topology::SimpleCommunicator;
use mpi::traits::{Communicator, Destination, Source};
use std::vec::Vec;

/// The most bytes that go in one message of MPI, which counts them in 32 bits. What is longer goes in several.
const PIECE: usize = 1 << 30;

/// What connects one process with all others: the rank of a process is its device.
///
/// MPI ends all processes if one cannot be reached. A process that gives up should exit with an error, so that `mpirun`
/// ends those that wait for it.
///
/// ```no_run
/// use layout_core::sharding::run::{Transport, processes::Processes};
/// let transport = Processes::connect().expect("nothing else has started MPI");
/// println!("device {} of {}", transport.device(), transport.devices());
/// ```
pub struct Processes {
    world: SimpleCommunicator,
    received: u64,
    // Dropped last: without it there are no communicators.
    _universe: Option<Universe>,
}

impl Processes {
    /// Starts MPI, which ends when the value is dropped, and connects all processes; `None` if it was started before.
    pub fn connect() -> Option<Self> {
        let universe = mpi::initialize()?;
        Some(Self { world: universe.world(), received: 0, _universe: Some(universe) })
    }

    /// Connects the processes of a communicator, which all of them must call.
    pub fn of(communicator: &SimpleCommunicator) -> Self {
        // Messages of others stay theirs.
        Self { world: communicator.duplicate(), received: 0, _universe: None }
    }

    /// The rank of a device.
    fn rank(&self, device: usize) -> Result<i32, TransportError> {
        let rank = i32::try_from(device).ok().filter(|rank| *rank < self.world.size());
        rank.ok_or(TransportError { device })
    }

    /// Receives how long a message is, and then its pieces.
    fn receive(&self, device: usize) -> Result<Vec<u8>, TransportError> {
        let process = self.world.process_at_rank(self.rank(device)?);
        let mut header = [0; 8];
        process.receive_into(&mut header[..]);
        let len = usize::try_from(u64::from_le_bytes(header));
        let mut message = Vec::new();
        let room = len.ok().filter(|len| message.try_reserve_exact(*len).is_ok());
        message.resize(room.ok_or(TransportError { device })?, 0);
        for piece in message.chunks_mut(PIECE) {
            process.receive_into(piece);
        }
        Ok(message)
    }
}

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
        let header = |(device, message): &(usize, Vec<u8>)| {
            Ok((self.rank(*device)?, (message.len() as u64).to_le_bytes()))
        };
        let headers = messages.iter().map(header).collect::<Result<Vec<_>, _>>()?;
        // Sends wait for nobody, so that all may send first.
        let received = mpi::request::scope(|scope| {
            let mut sends = Vec::new();
            for ((_, message), (rank, header)) in messages.iter().zip(&headers) {
                let process = self.world.process_at_rank(*rank);
                sends.push(WaitGuard::from(process.immediate_send(scope, &header[..])));
                for piece in message.chunks(PIECE) {
                    sends.push(WaitGuard::from(process.immediate_send(scope, piece)));
                }
            }
            from.iter().map(|&device| self.receive(device)).collect::<Result<Vec<_>, _>>()
        })?;
        self.received += received.iter().map(|message| message.len() as u64).sum::<u64>();
        Ok(received)
    }

    fn received(&self) -> u64 {
        self.received
    }
}
