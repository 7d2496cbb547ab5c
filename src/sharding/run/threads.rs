//! Devices that are threads of one process.

use super::{Begun, GroupCollective, Transport, TransportError};
use std::collections::{BTreeMap, VecDeque};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};
use std::vec;
use std::vec::Vec;

/// The transport of one thread of [`run`], which connects it with all others.
///
/// ```
/// use tensor_layout::sharding::run::{Transport, threads};
/// // Each device sends its number to the next one.
/// let received = threads::run(3, |transport: &mut threads::Threads| {
///     let (me, devices) = (transport.device(), transport.devices());
///     let message = (((me + 1) % devices), vec![me as u8]);
///     transport.exchange(vec![message], &[(me + devices - 1) % devices])
/// });
/// assert_eq!(received, [Ok(vec![vec![2]]), Ok(vec![vec![0]]), Ok(vec![vec![1]])]);
/// ```
#[derive(Debug)]
pub struct Threads {
    device: usize,
    to: Vec<Sender<Vec<u8>>>,
    from: Vec<Receiver<Vec<u8>>>,
    received: u64,
    time_limit: Option<Duration>,
    /// The number of the next collective that begins.
    next: u64,
    /// The groups of collectives that have begun.
    groups: BTreeMap<Begun, Vec<usize>>,
    /// For each device, the collectives for which it has sent or will send a message that has not been received.
    begun: Vec<VecDeque<Begun>>,
    /// The messages of devices for collectives that are not finished.
    arrived: BTreeMap<(Begun, usize), Vec<u8>>,
}

impl Threads {
    /// Limits the time that an exchange waits for other devices; `None`, the default, waits forever. When the limit passes, the
    /// exchange fails with a [`TransportError`] that names the device that has not answered.
    pub fn set_time_limit(&mut self, limit: Option<Duration>) {
        self.time_limit = limit;
    }

    /// The next message from a device, unless the device has ended or the deadline passes.
    fn receive(&self, device: usize, deadline: Option<Instant>) -> Option<Vec<u8>> {
        let from = self.from.get(device)?;
        match deadline {
            None => from.recv().ok(),
            Some(deadline) => {
                from.recv_timeout(deadline.saturating_duration_since(Instant::now())).ok()
            }
        }
    }

    fn send(&self, device: usize, message: Vec<u8>) -> Result<(), TransportError> {
        let sent = self.to.get(device).map(|to| to.send(message));
        if matches!(sent, Some(Ok(()))) { Ok(()) } else { Err(TransportError { device }) }
    }

    fn deadline(&self) -> Option<Instant> {
        self.time_limit.and_then(|limit| Instant::now().checked_add(limit))
    }

    /// Receives the messages of a device for collectives that have begun: for all of them, or up to one. They precede
    /// everything that the device sends later.
    fn receive_begun(
        &mut self,
        device: usize,
        up_to: Option<Begun>,
        deadline: Option<Instant>,
    ) -> Result<(), TransportError> {
        let lost = TransportError { device };
        while let Some(&next) = self.begun.get(device).ok_or(lost)?.front() {
            if up_to.is_some_and(|last| next > last) {
                break;
            }
            let message = self.receive(device, deadline).ok_or(lost)?;
            self.received += message.len() as u64;
            self.begun[device].pop_front();
            self.arrived.insert((next, device), message);
        }
        Ok(())
    }

    /// The transports of `devices` devices that are connected with each other, in order. [`run`] makes them itself; a program
    /// that starts its own threads gives one to each.
    pub fn connect(devices: usize) -> Vec<Self> {
        let mut to: Vec<Vec<_>> = (0..devices).map(|_| Vec::new()).collect();
        let mut from: Vec<Vec<_>> = (0..devices).map(|_| Vec::new()).collect();
        for receivers in &mut from {
            for senders in &mut to {
                let (sender, receiver) = channel();
                senders.push(sender);
                receivers.push(receiver);
            }
        }
        let ends = to.into_iter().zip(from).enumerate();
        let end = |(device, (to, from))| Self {
            device,
            to,
            from,
            received: 0,
            time_limit: None,
            next: 0,
            groups: BTreeMap::new(),
            begun: vec![VecDeque::new(); devices],
            arrived: BTreeMap::new(),
        };
        ends.map(end).collect()
    }
}

impl Transport for Threads {
    fn device(&self) -> usize {
        self.device
    }

    fn devices(&self) -> usize {
        self.to.len()
    }

    fn exchange(
        &mut self,
        messages: Vec<(usize, Vec<u8>)>,
        from: &[usize],
    ) -> Result<Vec<Vec<u8>>, TransportError> {
        for (device, message) in messages {
            self.send(device, message)?;
        }
        let deadline = self.deadline();
        let mut received = Vec::with_capacity(from.len());
        for &device in from {
            self.receive_begun(device, None, deadline)?;
            let message = self.receive(device, deadline).ok_or(TransportError { device })?;
            self.received += message.len() as u64;
            received.push(message);
        }
        Ok(received)
    }

    fn received(&self) -> u64 {
        self.received
    }

    /// Sends the parts of this device for the others. Arrays that are combined are exchanged in parts.
    fn begin(
        &mut self,
        group: &[usize],
        collective: GroupCollective<'_>,
    ) -> Option<Result<Begun, TransportError>> {
        let part = |at: usize| match collective {
            GroupCollective::AllGather { array, .. } => Some(array),
            GroupCollective::AllToAll { parts, .. } => parts.get(at).map(Vec::as_slice),
            GroupCollective::AllReduce { .. } | GroupCollective::ReduceScatter { .. } => None,
        };
        let messages = (0..group.len()).map(|at| Some(part(at)?.to_vec()));
        let messages = messages.collect::<Option<Vec<_>>>()?;
        let begun = Begun(self.next);
        self.next += 1;
        for (&device, message) in group.iter().zip(messages) {
            if device == self.device {
                self.arrived.insert((begun, device), message);
                continue;
            }
            if let Err(error) = self.send(device, message) {
                return Some(Err(error));
            }
            self.begun[device].push_back(begun);
        }
        self.groups.insert(begun, group.to_vec());
        Some(Ok(begun))
    }

    fn finish(&mut self, begun: Begun) -> Result<Vec<Vec<u8>>, TransportError> {
        let lost = TransportError { device: self.device };
        let group = self.groups.remove(&begun).ok_or(lost)?;
        let deadline = self.deadline();
        let mut arrays = Vec::with_capacity(group.len());
        for device in group {
            if device != self.device {
                self.receive_begun(device, Some(begun), deadline)?;
            }
            let array = self.arrived.remove(&(begun, device));
            arrays.push(array.ok_or(TransportError { device })?);
        }
        Ok(arrays)
    }
}

/// Runs a program on `devices` devices, each of which is a thread. Returns their results in order.
///
/// ```
/// use tensor_layout::sharding::run::{Transport, threads};
/// let squares = threads::run(4, |transport| transport.device() * transport.device());
/// assert_eq!(squares, [0, 1, 4, 9]);
/// ```
///
/// # Panics
/// If a device panics, or if the system cannot start a thread.
pub fn run<R: Send>(devices: usize, program: impl Fn(&mut Threads) -> R + Sync) -> Vec<R> {
    let ends = Threads::connect(devices);
    std::thread::scope(|scope| {
        let program = &program;
        // The transport is dropped when its thread ends, so that no other thread waits for it.
        let threads: Vec<_> =
            ends.into_iter().map(|mut end| scope.spawn(move || program(&mut end))).collect();
        let results = threads.into_iter().map(|thread| match thread.join() {
            Ok(result) => result,
            Err(panic) => std::panic::resume_unwind(panic),
        });
        results.collect()
    })
}
