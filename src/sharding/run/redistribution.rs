//! The exchange of the elements of an array whose sharding changes.

use super::collective::{Mover, UnderWay, region, shard_at, zeros};
use super::region::{elements, intersection, read, write};
use super::wire;
use super::{Begun, GroupCollective, RunError, Transport};
use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;
use layout_core::dtype::DType;
use layout_core::sharding::{AxisRef, Shards};

/// Which devices send each device its new elements, when an array of one sharding gets another one.
#[derive(Debug)]
pub(super) struct Redistribution {
    from: Shards,
    to: Shards,
    /// For each device, the devices that send it its new elements.
    sources: Vec<Sources>,
    /// Whether all devices are in groups of the same size whose members exchange parts of the same size with each other.
    is_grouped: bool,
    /// Whether each device sends the same elements to all others.
    is_gather: bool,
}

/// The devices from which a device gets elements, itself included, and the boxes of these elements. If two devices have a row each
/// of a 2 x 4 array, and then two columns each, device 0 gets `[0..1, 0..2]` from itself and `[1..2, 0..2]` from device 1.
type Sources = Vec<(usize, Vec<Range<usize>>)>;

impl Redistribution {
    /// The exchange that leads from the shards of an array to other shards of it, on as many devices. Devices that differ along
    /// `unreduced` axes have parts of different sums.
    pub(super) fn new(from: Shards, to: Shards, unreduced: &[AxisRef]) -> Self {
        let sources = sources(&from, &to, unreduced);
        let is_whole = |(source, common): &(usize, _)| *common == region(&from, *source);
        let is_gather = sources.iter().flatten().all(is_whole);
        Self { is_grouped: is_grouped(&sources), is_gather, sources, from, to }
    }

    /// Begins to send the parts of the shard of this device. The result is its new shard.
    pub(super) fn begin<'a, T: Transport + 'a>(
        &'a self,
        transport: &mut T,
        (dtype, shard): (DType, &[u8]),
    ) -> Result<UnderWay<'a, T, Vec<u8>>, RunError> {
        let width = dtype.byte_width();
        Mover::new(transport, &self.from, width)?.check_shard(shard)?;
        let me = transport.device();
        let own = shard_at(&self.from, me);
        let part = |common: &[Range<usize>]| wire::packed(dtype, read(common, &own, width, shard));
        let begun = match self.is_grouped {
            true => self.begin_in_group(transport, dtype, part)?,
            false => None,
        };
        let mut messages = Vec::new();
        let others = self.sources.iter().enumerate();
        for (receiver, parts) in others.filter(|(device, _)| begun.is_none() && *device != me) {
            for (_, common) in parts.iter().filter(|(source, _)| *source == me) {
                messages.push((receiver, part(common)?));
            }
        }
        let wanted = &self.sources[me];
        let kept = wanted.iter().find(|(source, _)| *source == me);
        let kept = kept.map(|(_, common)| Ok::<_, RunError>((me, part(common)?))).transpose()?;
        Ok(Box::new(move |transport| {
            let mut received: BTreeMap<usize, Vec<u8>> = match begun {
                Some((members, begun)) => {
                    members.into_iter().zip(transport.finish(begun)?).collect()
                }
                None => {
                    let from = wanted.iter().map(|(source, _)| *source);
                    let from: Vec<_> = from.filter(|&source| source != me).collect();
                    let bytes = transport.exchange(messages, &from)?;
                    from.into_iter().zip(bytes).collect()
                }
            };
            received.extend(kept);
            self.joined(me, dtype, received)
        }))
    }

    /// The new shard of a device, made from the parts that the other devices have sent.
    fn joined(
        &self,
        device: usize,
        dtype: DType,
        mut received: BTreeMap<usize, Vec<u8>>,
    ) -> Result<Vec<u8>, RunError> {
        let (dims, width) = (self.to.local_dims(), dtype.byte_width());
        let mut unpacked = |source: &usize, common: &[Range<usize>]| {
            let bytes = received.remove(source).unwrap_or_default();
            wire::unpacked(dtype, elements(common), bytes)
        };
        let wanted = &self.sources[device];
        if let [(source, common)] = &wanted[..] {
            // One part may be the whole shard.
            if common.iter().map(ExactSizeIterator::len).eq(dims.iter().copied()) {
                return unpacked(source, common);
            }
        }
        let (mut local, to) = (zeros(dims, width)?, shard_at(&self.to, device));
        for (source, common) in wanted {
            write(common, &to, width, &unpacked(source, common)?, &mut local);
        }
        Ok(local)
    }

    /// Begins a collective of the transport with which the members of the group of this device exchange their elements; `None` if
    /// the transport has no such collective.
    fn begin_in_group<T: Transport>(
        &self,
        transport: &mut T,
        dtype: DType,
        part: impl Fn(&[Range<usize>]) -> Result<Vec<u8>, RunError>,
    ) -> Result<Option<(Vec<usize>, Begun)>, RunError> {
        let me = transport.device();
        let members = members(&self.sources[me]);
        let mut parts = Vec::with_capacity(members.len());
        for receiver in &members {
            let own = self.sources[*receiver].iter().find(|(source, _)| *source == me);
            let Some((_, common)) = own else { return Ok(None) };
            parts.push(part(common)?);
        }
        let own = self.sources[me].first();
        let own = own.map_or(0, |(_, common)| wire::len(dtype, elements(common)));
        let lens: Vec<_> = vec![own; members.len()];
        let collective = match self.is_gather {
            true => GroupCollective::AllGather { array: &parts[0], lens: &lens },
            false => GroupCollective::AllToAll { parts: &parts, lens: &lens },
        };
        let begun = transport.begin(&members, collective).transpose()?;
        Ok(begun.map(|begun| (members, begun)))
    }
}

/// For each device, the devices that send it its new elements.
fn sources(from: &Shards, to: &Shards, unreduced: &[AxisRef]) -> Vec<Sources> {
    let mesh = from.mesh();
    let devices = mesh.devices();
    let coordinates: Vec<_> = (0..devices).map(|position| mesh.coordinates(position)).collect();
    let regions: Vec<_> = (0..devices).map(|position| region(from, position)).collect();
    let unreduced: Vec<_> = unreduced.iter().filter_map(|axis| mesh.resolve(axis)).collect();
    let part = |position: usize| -> Vec<usize> {
        let own = &coordinates[position];
        unreduced.iter().map(|axis| from.coordinate(*axis, own)).collect()
    };
    // Of the devices that have the same elements, the nearest one sends them.
    let parts = |receiver: usize| {
        let wanted = region(to, receiver);
        let far = |other: usize| {
            let pairs = coordinates[other].iter().zip(&coordinates[receiver]);
            (pairs.filter(|(a, b)| a != b).count(), other)
        };
        let mut sources: Sources = Vec::new();
        let sum = part(receiver);
        let mut order: Vec<_> = (0..devices).filter(|&other| part(other) == sum).collect();
        order.sort_unstable_by_key(|&other| far(other));
        for other in order {
            let known = sources.iter().any(|(source, _)| regions[*source] == regions[other]);
            if let (false, Some(common)) = (known, intersection(&regions[other], &wanted)) {
                sources.push((other, common));
            }
        }
        sources
    };
    (0..devices).map(parts).collect()
}

/// The devices with which a device exchanges elements, itself included, in order.
fn members(sources: &Sources) -> Vec<usize> {
    let mut members: Vec<_> = sources.iter().map(|(source, _)| *source).collect();
    members.sort_unstable();
    members
}

/// Whether all devices are in groups of the same size whose members exchange parts of the same size with each other.
fn is_grouped(all: &[Sources]) -> bool {
    let groups: Vec<_> = all.iter().map(members).collect();
    // The first device of each group; equal groups have equal numbers.
    let mut first = BTreeMap::new();
    let numbers: Vec<usize> = groups
        .iter()
        .enumerate()
        .map(|(device, group)| *first.entry(group).or_insert(device))
        .collect();
    let part = all.first().and_then(|sources| sources.first());
    let size = part.map_or(0, |(_, common)| elements(common));
    let is_group = |device: usize| {
        let group = &groups[device];
        group.len() == groups[0].len()
            && group.binary_search(&device).is_ok()
            && group.iter().all(|other| numbers[*other] == numbers[device])
            && all[device].iter().all(|(_, common)| elements(common) == size)
    };
    size > 0 && groups[0].len() > 1 && (0..all.len()).all(is_group)
}
