//! Devices that are threads of one process.

use super::{Transport, TransportError};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};
use std::vec::Vec;

/// The transport of one thread, which connects it with all others.
#[derive(Debug)]
pub struct Threads {
    device: usize,
    to: Vec<Sender<Vec<u8>>>,
    from: Vec<Receiver<Vec<u8>>>,
    received: u64,
    time_limit: Option<Duration>,
}

impl Threads {
    /// Limits how long an exchange waits for other devices; `None`, the default, waits forever. When the limit passes,
    /// the exchange fails with a [`TransportError`] that names the device that has not answered.
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

    /// Connects `devices` devices with each other.
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
        ends.map(|(device, (to, from))| Self { device, to, from, received: 0, time_limit: None })
            .collect()
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
            let sent = self.to.get(device).map(|to| to.send(message));
            if !matches!(sent, Some(Ok(()))) {
                return Err(TransportError { device });
            }
        }
        let deadline = self.time_limit.and_then(|limit| Instant::now().checked_add(limit));
        let mut received = Vec::with_capacity(from.len());
        for &device in from {
            let message = self.receive(device, deadline).ok_or(TransportError { device })?;
            self.received += message.len() as u64;
            received.push(message);
        }
        Ok(received)
    }

    fn received(&self) -> u64 {
        self.received
    }
}

/// Runs a program on `devices` devices, each of which is a thread. Returns what each one returns, in order.
///
/// # Panics
/// If one of them panics.
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
