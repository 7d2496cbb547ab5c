//! Collectives: moves boxes of elements between devices.

use super::region::{Shard, elements, read, write};
use super::{Begun, Combined, GroupCollective, RunError, Transport, TransportError};
use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;
use layout_core::parts::Digit;
use layout_core::sharding::{AxisRef, Shards};

/// A collective that has begun: waits for it, and returns its result.
pub(super) type UnderWay<'a, T, R> = Box<dyn FnOnce(&mut T) -> Result<R, RunError> + 'a>;

/// Moves the shards of one array.
pub(super) struct Mover<'a, T> {
    pub(super) transport: &'a mut T,
    shards: &'a Shards,
    width: usize,
}

impl<'a, T: Transport> Mover<'a, T> {
    pub(super) fn new(
        transport: &'a mut T,
        shards: &'a Shards,
        width: usize,
    ) -> Result<Self, RunError> {
        let (mesh, connected) = (shards.mesh().devices(), transport.devices());
        if mesh != connected {
            return Err(RunError::Devices { mesh, transport: connected });
        }
        Ok(Self { transport, shards, width })
    }

    /// The bytes of a shard, padding included.
    fn shard_len(&self) -> Result<usize, RunError> {
        byte_len(self.shards.local_dims(), self.width)
    }

    /// Checks the length of a shard.
    pub(super) fn check_shard(&self, shard: &[u8]) -> Result<(), RunError> {
        check(self.shard_len()?, shard.len())
    }

    /// The indices of the elements on the device at `position` in the mesh.
    fn region(&self, position: usize) -> Vec<Range<usize>> {
        region(self.shards, position)
    }

    fn shard_at(&self, position: usize) -> Shard<'a> {
        shard_at(self.shards, position)
    }

    /// The first device in mesh order that has the same elements as this one.
    fn holder(&self, position: usize) -> usize {
        let tile = self.shards.tile(position);
        (0..position).find(|&other| self.shards.tile(other) == tile).unwrap_or(position)
    }

    pub(super) fn send_shards(self, global: &[u8]) -> Result<Vec<u8>, RunError> {
        check(byte_len(self.shards.dims(), self.width)?, global.len())?;
        let whole = Shard::whole(self.shards.dims());
        let part = |position: usize| read(&self.region(position), &whole, self.width, global);
        let me = self.transport.device();
        let others = (0..self.transport.devices()).filter(|&device| device != me);
        let messages = others.map(|device| (device, part(device))).collect();
        let own = part(me);
        self.transport.exchange(messages, &[])?;
        self.padded(me, &own)
    }

    pub(super) fn receive_shard(self, root: usize) -> Result<Vec<u8>, RunError> {
        let me = self.transport.device();
        let received = self.transport.exchange(Vec::new(), &[root])?;
        self.padded(me, &received[0])
    }

    /// The padded local array of a device, made from the elements that it has.
    fn padded(&self, position: usize, bytes: &[u8]) -> Result<Vec<u8>, RunError> {
        let region = self.region(position);
        check(elements(&region) * self.width, bytes.len())?;
        let mut shard = zeros(self.shards.local_dims(), self.width)?;
        if elements(&region) > 0 {
            write(&region, &self.shard_at(position), self.width, bytes, &mut shard);
        }
        Ok(shard)
    }

    pub(super) fn collect(self, root: usize, shard: &[u8]) -> Result<Option<Vec<u8>>, RunError> {
        self.check_shard(shard)?;
        let me = self.transport.device();
        // Of the devices that have the same elements, only one sends them.
        let sends =
            |device: usize| self.holder(device) == device && elements(&self.region(device)) > 0;
        let own = if elements(&self.region(me)) > 0 {
            read(&self.region(me), &self.shard_at(me), self.width, shard)
        } else {
            Vec::new()
        };
        if me != root {
            let messages = if sends(me) { vec![(root, own)] } else { Vec::new() };
            self.transport.exchange(messages, &[])?;
            return Ok(None);
        }
        let from: Vec<_> =
            (0..self.transport.devices()).filter(|&device| device != me && sends(device)).collect();
        let received = self.transport.exchange(Vec::new(), &from)?;
        let whole = Shard::whole(self.shards.dims());
        let mut global = zeros(self.shards.dims(), self.width)?;
        let parts = from.iter().copied().zip(received.iter()).chain([(me, &own)]);
        for (device, bytes) in parts {
            let region = self.region(device);
            check(elements(&region) * self.width, bytes.len())?;
            if !bytes.is_empty() {
                write(&region, &whole, self.width, bytes, &mut global);
            }
        }
        Ok(Some(global))
    }

    /// Combines shards over the devices along axes: each device combines a part, and then all devices collect the parts.
    pub(super) fn begin_all_reduce<'b>(
        self,
        shard: Vec<u8>,
        axes: &[AxisRef],
        combined: Combined,
        combine: impl Fn(&mut [u8], &[Vec<u8>]) -> Result<(), RunError> + 'b,
    ) -> Result<UnderWay<'b, T, Vec<u8>>, RunError>
    where
        T: 'b,
    {
        self.check_shard(&shard)?;
        let mesh = self.shards.mesh();
        let me = self.transport.device();
        let axes: Vec<_> = axes.iter().filter_map(|axis| mesh.resolve(axis)).collect();
        let same = |device: usize| {
            // The coordinates without the parts that are summed over. Along `"x":(2)2` of an axis of size 8, coordinates 5 and 7
            // are both 5 without it.
            let (own, other) = (mesh.coordinates(me), mesh.coordinates(device));
            (0..own.len()).all(|index| {
                let reduced = axes.iter().filter(|axis| axis.index() == index);
                let rest = |coordinate: usize| {
                    reduced.clone().fold(coordinate, |rest, axis| {
                        let minor = mesh.size_of(index) / axis.end();
                        let part = Digit::<usize> { div: minor, size: Some(axis.size()) };
                        rest - part.of(coordinate) * minor
                    })
                };
                rest(own[index]) == rest(other[index])
            })
        };
        let group: Vec<_> = (0..self.transport.devices()).filter(|&device| same(device)).collect();
        begin_all_reduce(self.transport, group, (self.width, combined), shard, combine)
    }
}

/// Combines the arrays of a group of devices that includes this one.
pub(super) fn begin_all_reduce<'a, T: Transport + 'a>(
    transport: &mut T,
    group: Vec<usize>,
    (width, combined): (usize, Combined),
    mut shard: Vec<u8>,
    combine: impl Fn(&mut [u8], &[Vec<u8>]) -> Result<(), RunError> + 'a,
) -> Result<UnderWay<'a, T, Vec<u8>>, RunError> {
    if group.len() < 2 || shard.is_empty() {
        return Ok(Box::new(|_| Ok(shard)));
    }
    let whole = GroupCollective::AllReduce { combined, array: &shard };
    if let Some(begun) = transport.begin(&group, whole) {
        let begun = begun?;
        return Ok(Box::new(move |transport| {
            let reduced = transport.finish(begun)?.pop().unwrap_or_default();
            check(shard.len(), reduced.len())?;
            Ok(reduced)
        }));
    }
    let me = transport.device();
    let (elements, count) = (shard.len() / width, group.len());
    // 10 elements are cut at 2, 5 and 7 for 4 members.
    let part = move |member: usize| {
        let at = |member: usize| elements * member / count * width;
        at(member)..at(member + 1)
    };
    let own = group.iter().position(|&device| device == me).unwrap_or(0);
    // Each member combines a part, and then all members collect the parts.
    let parts = (0..count).map(|at| shard[part(at)].to_vec()).collect();
    let parts = begin_all_to_all(transport, group.clone(), parts, vec![part(own).len(); count])?;
    Ok(Box::new(move |transport| {
        let mut parts = parts(transport)?;
        parts.remove(own);
        combine(&mut shard[part(own)], &parts)?;
        let lens = (0..count).map(|at| part(at).len()).collect();
        let received = begin_all_gather(transport, group, shard[part(own)].to_vec(), lens)?;
        for (at, bytes) in received(transport)?.into_iter().enumerate() {
            shard[part(at)].copy_from_slice(&bytes);
        }
        Ok(shard)
    }))
}

/// Begins an all-to-all; its result is the parts that the members of a group have for this device, in the order of the group; part
/// `i` has `lens[i]` bytes.
pub(super) fn begin_all_to_all<'a, T: Transport + 'a>(
    transport: &mut T,
    group: Vec<usize>,
    parts: Vec<Vec<u8>>,
    lens: Vec<usize>,
) -> Result<UnderWay<'a, T, Vec<Vec<u8>>>, RunError> {
    let begun = transport.begin(&group, GroupCollective::AllToAll { parts: &parts, lens: &lens });
    finished_by(group, parts, lens, begun)
}

/// Begins an all-gather; its result is the arrays of the members of a group, of `lens` bytes, in the order of the group.
pub(super) fn begin_all_gather<'a, T: Transport + 'a>(
    transport: &mut T,
    group: Vec<usize>,
    array: Vec<u8>,
    lens: Vec<usize>,
) -> Result<UnderWay<'a, T, Vec<Vec<u8>>>, RunError> {
    let begun = transport.begin(&group, GroupCollective::AllGather { array: &array, lens: &lens });
    let parts = vec![array; if begun.is_some() { 0 } else { group.len() }];
    finished_by(group, parts, lens, begun)
}

/// Waits for a collective that has begun. If the transport has none, sends each other member of the group its part, and
/// receives one part from each.
fn finished_by<'a, T: Transport + 'a>(
    group: Vec<usize>,
    mut parts: Vec<Vec<u8>>,
    lens: Vec<usize>,
    begun: Option<Result<Begun, TransportError>>,
) -> Result<UnderWay<'a, T, Vec<Vec<u8>>>, RunError> {
    let begun = begun.transpose()?;
    Ok(Box::new(move |transport| {
        let received = match begun {
            Some(begun) => transport.finish(begun)?,
            None => {
                let me = transport.device();
                let others: Vec<_> = group.iter().copied().filter(|&device| device != me).collect();
                let own = group.iter().position(|&device| device == me).unwrap_or(0);
                let part = parts.remove(own);
                let messages = others.iter().copied().zip(parts).collect();
                let mut received = transport.exchange(messages, &others)?;
                received.insert(own, part);
                received
            }
        };
        check(lens.len(), received.len())?;
        received.iter().zip(&lens).try_for_each(|(bytes, len)| check(*len, bytes.len()))?;
        Ok(received)
    }))
}

/// The indices of the elements on the device at `position` in the mesh.
pub(super) fn region(shards: &Shards, position: usize) -> Vec<Range<usize>> {
    shards.slice(shards.mesh().device_id(position)).unwrap_or_default()
}

/// The local array of a device as a part of the whole array.
pub(super) fn shard_at(shards: &Shards, position: usize) -> Shard<'_> {
    let origin = shards.tile(position).into_iter().zip(shards.local_dims());
    let origin = origin.map(|(tile, size)| tile.saturating_mul(*size)).collect();
    Shard { dims: shards.local_dims(), origin }
}

/// The bytes of an array.
pub(super) fn byte_len(dims: &[usize], width: usize) -> Result<usize, RunError> {
    let bytes = dims.iter().try_fold(width, |bytes, size| bytes.checked_mul(*size));
    // If one dimension is empty, the array is empty too, whatever the other sizes are.
    let bytes = if dims.contains(&0) { Some(0) } else { bytes };
    bytes.ok_or_else(|| RunError::TooLarge { dims: dims.to_vec(), width })
}

/// An array of zeros.
pub(super) fn zeros(dims: &[usize], width: usize) -> Result<Vec<u8>, RunError> {
    let len = byte_len(dims, width)?;
    let mut bytes = Vec::new();
    if bytes.try_reserve_exact(len).is_err() {
        return Err(RunError::TooLarge { dims: dims.to_vec(), width });
    }
    bytes.resize(len, 0);
    Ok(bytes)
}

pub(super) fn check(expected: usize, found: usize) -> Result<(), RunError> {
    if expected == found { Ok(()) } else { Err(RunError::Length { expected, found }) }
}
