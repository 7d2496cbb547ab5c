//! The collectives that a manual computation writes: devices exchange their local arrays as it says.

use super::HostArray;
use super::kernels::{Failed, LocalCall, Made};
use crate::sharding::run::collective::{self, all_reduce, check};
use crate::sharding::run::region::{Shard, read, write};
use crate::sharding::run::{Combined, RunError, Transport};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;
use layout_core::sharding::Mesh;

/// The collectives, and what tells a device which one it is.
pub(super) const NAMES: &[&str] = &[
    "all_gather",
    "all_reduce",
    "all_to_all",
    "collective_permute",
    "partition_id",
    "reduce_scatter",
];

/// Runs a collective on one device.
pub(super) fn run<T: Transport>(transport: &mut T, mesh: &Mesh, call: &LocalCall<'_>) -> Made {
    let id = mesh.device_id(call.device);
    if call.name == "partition_id" {
        let id = u32::try_from(id).unwrap_or(u32::MAX);
        let bytes = id.to_le_bytes().to_vec();
        return Ok(vec![HostArray::from_bytes(call.results[0].dtype, &[], bytes)?]);
    }
    let position = |id: usize| {
        let position = mesh.position(id);
        position.ok_or_else(|| Failed::Not(format!("the mesh has no device {id}")))
    };
    let listed = call.attributes.named_numbers("devices");
    let of = call.attributes.named_number("of").unwrap_or(0);
    if of == usize::MAX {
        return Err(Failed::Not(String::from("the devices that exchange arrays cannot be read")));
    }
    let mut groups = listed.chunks(of.max(1));
    if call.name == "collective_permute" {
        let pairs = groups.filter_map(|pair| Some((*pair.first()?, *pair.get(1)?)));
        let pairs: Vec<_> = pairs.collect();
        let to = pairs.iter().filter(|(from, _)| *from == id).map(|(_, to)| position(*to));
        let to = to.collect::<Result<Vec<_>, _>>()?;
        let from = pairs.iter().find(|(_, to)| *to == id).map(|(from, _)| position(*from));
        return permuted(transport, call, &to, from.transpose()?);
    }
    // Without groups, all devices are one.
    let all: Vec<_>;
    let group = match groups.find(|group| group.contains(&id)) {
        Some(group) => group,
        None if listed.is_empty() => {
            all = (0..mesh.devices()).map(|position| mesh.device_id(position)).collect();
            &all
        }
        None => return Err(Failed::Not(format!("device {id} is in none of its groups"))),
    };
    let group = group.iter().map(|id| position(*id)).collect::<Result<Vec<_>, _>>()?;
    let made = (0..call.results.len()).map(|at| {
        let Some(operand) = call.operands.get(at) else {
            return Err(Failed::Not("it makes more arrays than it takes".to_string()));
        };
        let array = &operand.array;
        match call.name {
            "all_gather" => joined(&group, call.number(), gathered(transport, &group, array)?),
            "all_to_all" => {
                let [split, concat] =
                    ["split", "concat"].map(|name| call.attributes.named_number(name).unwrap_or(0));
                let part = |member| part(array, split, (member, group.len()));
                joined(&group, concat, exchanged(transport, &group, part)?)
            }
            "reduce_scatter" => scattered(transport, &group, call, array),
            _ => {
                let (mut array, dtype) = (array.clone(), array.dtype());
                let (width, reduction) = (array.width(), call.reduction);
                let combine =
                    |sum: &mut [u8], others: &[Vec<u8>]| reduction.of_bytes(sum, others, dtype);
                let of = (width, Combined { by: reduction.combine(), dtype });
                all_reduce(transport, &group, of, array.as_bytes_mut(), combine)?;
                Ok(array)
            }
        }
    });
    made.collect()
}

/// The box of part `at` of `count` along a dimension.
fn boxed(dims: &[usize], dim: usize, (at, size): (usize, usize)) -> Vec<Range<usize>> {
    let whole = dims.iter().map(|size| 0..*size).enumerate();
    whole.map(|(own, whole)| if own == dim { at * size..(at + 1) * size } else { whole }).collect()
}

/// Part `at` of `count` of an array along a dimension.
fn part(array: &HostArray, dim: usize, (at, count): (usize, usize)) -> Result<HostArray, Failed> {
    let mut dims = array.dims().to_vec();
    let Some(size) = dims.get_mut(dim).filter(|size| size.is_multiple_of(count)) else {
        let message = format!("{:?} has no {count} equal parts along {dim}", array.dims());
        return Err(Failed::Not(message));
    };
    *size /= count;
    let region = boxed(array.dims(), dim, (at, dims[dim]));
    let bytes = match dims.contains(&0) {
        true => Vec::new(),
        false => read(&region, &Shard::whole(array.dims()), array.width(), array.as_bytes()),
    };
    Ok(HostArray::from_bytes(array.dtype(), &dims, bytes)?)
}

/// Sends each other member of a group an array, and receives one of the same size from each. Returns them in the order of
/// the group, with the own one.
fn exchanged<T: Transport>(
    transport: &mut T,
    group: &[usize],
    part: impl Fn(usize) -> Result<HostArray, Failed>,
) -> Result<Vec<HostArray>, Failed> {
    let me = transport.device();
    let parts = (0..group.len()).map(part).collect::<Result<Vec<_>, _>>()?;
    let Some(own) = group.iter().position(|&device| device == me) else {
        return Err(Failed::Not(format!("device {me} is not in its group")));
    };
    let (dtype, dims) = (parts[own].dtype(), parts[own].dims().to_vec());
    let bytes: Vec<_> = parts.iter().map(|part| part.as_bytes().to_vec()).collect();
    let lens = vec![bytes[own].len(); group.len()];
    let received = match transport.all_to_all(group, &bytes, &lens) {
        Some(received) => received.map_err(RunError::from)?,
        None => collective::exchanged(transport, group, |at| bytes[at].clone())?,
    };
    let all = received.into_iter().map(|bytes| Ok(HostArray::from_bytes(dtype, &dims, bytes)?));
    all.collect()
}

/// The arrays of all members of a group, in its order.
fn gathered<T: Transport>(
    transport: &mut T,
    group: &[usize],
    array: &HostArray,
) -> Result<Vec<HostArray>, Failed> {
    let bytes = array.as_bytes();
    let received = match transport.all_gather(group, bytes, &vec![bytes.len(); group.len()]) {
        Some(received) => received.map_err(RunError::from)?,
        None => collective::exchanged(transport, group, |_| bytes.to_vec())?,
    };
    let all = received
        .into_iter()
        .map(|bytes| Ok(HostArray::from_bytes(array.dtype(), array.dims(), bytes)?));
    all.collect()
}

/// Parts of the members of a group, joined along a dimension.
fn joined(group: &[usize], dim: usize, parts: Vec<HostArray>) -> Result<HostArray, Failed> {
    let (dtype, own) = (parts[0].dtype(), parts[0].dims());
    let mut dims = own.to_vec();
    let Some(size) = dims.get_mut(dim) else {
        return Err(Failed::Not(format!("{own:?} has no dimension {dim}")));
    };
    *size *= group.len();
    let mut all = HostArray::zeroed(dtype, &dims)?;
    for (at, part) in parts.iter().enumerate().filter(|(_, part)| !part.as_bytes().is_empty()) {
        let region = boxed(&dims, dim, (at, own[dim]));
        let (width, whole) = (part.width(), Shard::whole(&dims));
        write(&region, &whole, width, part.as_bytes(), all.as_bytes_mut());
    }
    Ok(all)
}

/// The part of this device of the arrays of a group, combined.
fn scattered<T: Transport>(
    transport: &mut T,
    group: &[usize],
    call: &LocalCall<'_>,
    array: &HostArray,
) -> Result<HostArray, Failed> {
    let me = transport.device();
    let count = group.len();
    let parts = (0..count).map(|at| part(array, call.number(), (at, count)));
    let parts = parts.collect::<Result<Vec<_>, _>>()?;
    let all: Vec<u8> = parts.iter().flat_map(HostArray::as_bytes).copied().collect();
    let combined = Combined { by: call.reduction.combine(), dtype: array.dtype() };
    if let Some(sum) = transport.reduce_scatter(group, combined, &all) {
        let sum = sum.map_err(RunError::from)?;
        return Ok(HostArray::from_bytes(array.dtype(), parts[0].dims(), sum)?);
    }
    let parts = exchanged(transport, group, |at| Ok(parts[at].clone()))?;
    let own = group.iter().position(|&device| device == me).unwrap_or(0);
    let mut parts: Vec<_> = parts.into_iter().collect();
    let mut sum = parts.remove(own);
    let others: Vec<_> = parts.iter().map(|part| part.as_bytes().to_vec()).collect();
    let dtype = sum.dtype();
    call.reduction.of_bytes(sum.as_bytes_mut(), &others, dtype)?;
    Ok(sum)
}

/// What another device sends; zeros if none does.
fn permuted<T: Transport>(
    transport: &mut T,
    call: &LocalCall<'_>,
    to: &[usize],
    from: Option<usize>,
) -> Made {
    let me = transport.device();
    let mut made = Vec::with_capacity(call.operands.len());
    for operand in call.operands {
        let array = &operand.array;
        let others = to.iter().filter(|&&device| device != me);
        let messages = others.map(|&device| (device, array.as_bytes().to_vec())).collect();
        let other: Vec<_> = from.into_iter().filter(|&device| device != me).collect();
        let received = transport.exchange(messages, &other).map_err(RunError::from)?;
        made.push(match (from, received.into_iter().next()) {
            (_, Some(bytes)) => {
                check(array.as_bytes().len(), bytes.len())?;
                HostArray::from_bytes(array.dtype(), array.dims(), bytes)?
            }
            (Some(_), None) => array.clone(),
            (None, None) => HostArray::zeroed(array.dtype(), array.dims())?,
        });
    }
    Ok(made)
}
