//! MPI collectives that have begun.
#![allow(unsafe_code, reason = "MPI reads and writes memory until a collective is done")]

use super::processes::Shared;
use mpi::request::{Request, Scope, StaticScope};
use mpi::topology::SimpleCommunicator;
use mpi::traits::{Communicator, Source};
use std::boxed::Box;
use std::time::{Duration, Instant};
use std::vec::Vec;

/// The tag of the last message of a device to another one: the number of collectives in which both have taken part.
pub(super) const ENDED: mpi::Tag = 1;

/// A request of MPI without a limited lifetime.
pub(super) type Detached = Request<'static, (), StaticScope>;

/// Detaches a request from the borrows of its memory.
///
/// # Safety
/// The memory that the request reads and writes must stay in place, and no other code may access it, until the request is done.
pub(super) unsafe fn detached<'a, D: ?Sized, S: Scope<'a>>(request: Request<'a, D, S>) -> Detached {
    // SAFETY: the request was live, and nothing else uses it after this call. The caller promises that its memory stays in place
    // and untouched until it is done, and `()` has no memory.
    unsafe {
        let (request, _, _) = request.into_raw();
        Request::from_raw(request, &(), StaticScope)
    }
}

/// A collective that has begun.
pub(super) struct Pending {
    request: Detached,
    /// The members of its group, each with the number of collectives in which both will then have taken part.
    members: Vec<(usize, u64)>,
    /// Owns the memory of the request, and returns the received arrays.
    read: Box<dyn FnOnce() -> Vec<Vec<u8>>>,
}

impl Pending {
    /// A collective among these members. `read` owns the memory of the request.
    pub(super) fn new(
        request: Detached,
        members: Vec<(usize, u64)>,
        read: Box<dyn FnOnce() -> Vec<Vec<u8>>>,
    ) -> Self {
        Self { request, members, read }
    }

    /// Waits until all members have taken part, and returns the received arrays. If a member ends before that, or if the time
    /// limit passes, all processes are ended, because a collective that has begun cannot be cancelled.
    pub(super) fn finish(
        self,
        world: &SimpleCommunicator,
        shared: &mut [Shared],
        time_limit: Option<Duration>,
    ) -> Vec<Vec<u8>> {
        let Self { mut request, members, read } = self;
        let start = Instant::now();
        loop {
            request = match request.test() {
                Ok(_) => return read(),
                Err(unfinished) => unfinished,
            };
            check(&members, (world, shared), (start, time_limit));
            if start.elapsed() < Duration::from_millis(1) {
                std::thread::yield_now();
            } else {
                std::thread::sleep(Duration::from_micros(100));
            }
        }
    }
}

/// Ends all processes if a member will not take part, or if the time limit has passed.
fn check(
    members: &[(usize, u64)],
    (world, shared): (&SimpleCommunicator, &mut [Shared]),
    (start, time_limit): (Instant, Option<Duration>),
) {
    let me = world.rank() as usize;
    let group = || members.iter().map(|(device, _)| *device).collect::<Vec<_>>();
    let end = |reason: core::fmt::Arguments<'_>| -> ! {
        std::eprintln!("device {me}: {reason}");
        world.abort(1)
    };
    for &(device, count) in members.iter().filter(|(device, _)| *device != me) {
        let process = world.process_at_rank(device as i32);
        let (_, said) = &mut shared[device];
        if said.is_none() && process.immediate_probe_with_tag(ENDED).is_some() {
            let mut count = [0_u8; 8];
            process.receive_into_with_tag(&mut count[..], ENDED);
            *said = Some(u64::from_le_bytes(count));
        }
        if said.is_some_and(|said| said < count) {
            end(format_args!("device {device} has ended, but devices {:?} wait for it", group()));
        }
    }
    if let Some(limit) = time_limit.filter(|limit| start.elapsed() >= *limit) {
        end(format_args!("devices {:?} have not answered within {limit:?}", group()));
    }
}
