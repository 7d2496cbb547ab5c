//! The collectives in a manual computation, by which devices exchange their local arrays.

use super::HostArray;
use super::kernels::{Failed, LocalCall, LocalOperand};
use crate::sharding::run::collective::{
    UnderWay, begin_all_gather, begin_all_reduce, begin_all_to_all, check,
};
use crate::sharding::run::region::{Shard, read, write};
use crate::sharding::run::{Combined, GroupCollective, RunError, Transport};
use alloc::boxed::Box;
use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;
use layout_core::dtype::DType;
use layout_core::sharding::Mesh;

/// Begins a collective on one device. Returns the functions that complete each of its results.
pub(super) fn begin<'a, T: Transport + 'a>(
    transport: &mut T,
    mesh: &Mesh,
    call: &LocalCall<'_>,
) -> Result<Vec<UnderWay<'a, T, HostArray>>, Failed> {
    let id = mesh.device_id(call.device);
    if call.name == "partition_id" {
        let id = u32::try_from(id).unwrap_or(u32::MAX);
        let bytes = id.to_le_bytes().to_vec();
        let id = HostArray::from_bytes(call.results[0].dtype, &[], bytes)?;
        return Ok(vec![Box::new(|_| Ok(id))]);
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
        return Ok(begin_permutes(transport, call, &to, from.transpose()?));
    }
    // Without groups, all devices are one group, in the order of their ids.
    let all: Vec<_>;
    let group = match groups.find(|group| group.contains(&id)) {
        Some(group) => group,
        None if listed.is_empty() => {
            let ids = (0..mesh.devices()).map(|position| mesh.device_id(position));
            all = ids.collect::<BTreeSet<_>>().into_iter().collect();
            &all
        }
        None => return Err(Failed::Not(format!("device {id} is in none of its groups"))),
    };
    let group = group.iter().map(|id| position(*id)).collect::<Result<Vec<_>, _>>()?;
    let made = (0..call.results.len()).map(|at| match call.operands.get(at) {
        Some(operand) => begin_in_group(transport, &group, call, &operand.array),
        None => Err(Failed::Not("it has more results than operands".to_string())),
    });
    made.collect()
}

/// Begins a collective of one array within a group of devices.
fn begin_in_group<'a, T: Transport + 'a>(
    transport: &mut T,
    group: &[usize],
    call: &LocalCall<'_>,
    array: &HostArray,
) -> Result<UnderWay<'a, T, HostArray>, Failed> {
    let (dtype, dims) = (array.dtype(), array.dims());
    match call.name {
        "all_gather" => {
            let join = Join::of(dtype, dims, call.number())?;
            let lens = vec![array.as_bytes().len(); group.len()];
            let bytes = array.as_bytes().to_vec();
            let parts = begin_all_gather(transport, group.to_vec(), bytes, lens)?;
            Ok(Box::new(move |transport: &mut T| join.all(&parts(transport)?)))
        }
        "all_to_all" => {
            let [split, concat] =
                ["split", "concat"].map(|name| call.attributes.named_number(name).unwrap_or(0));
            let (dims, parts) = parts(array, split, group.len())?;
            let join = Join::of(dtype, &dims, concat)?;
            let lens = vec![parts[0].len(); group.len()];
            let parts = begin_all_to_all(transport, group.to_vec(), parts, lens)?;
            Ok(Box::new(move |transport: &mut T| join.all(&parts(transport)?)))
        }
        "reduce_scatter" => begin_scatter(transport, group, call, array),
        "all_reduce" => {
            let dims = dims.to_vec();
            let (width, reduction) = (array.width(), call.reduction);
            let combine =
                move |sum: &mut [u8], others: &[Vec<u8>]| reduction.of_bytes(sum, others, dtype);
            let of = (width, Combined { by: reduction.combine(), dtype });
            let bytes = array.as_bytes().to_vec();
            let reduced = begin_all_reduce(transport, group.to_vec(), of, bytes, combine)?;
            Ok(Box::new(move |transport: &mut T| {
                HostArray::from_bytes(dtype, &dims, reduced(transport)?)
            }))
        }
        name => Err(Failed::Not(format!("devices do not exchange data by `{name}`"))),
    }
}

/// The box of part `at` of `count` along a dimension.
fn boxed(dims: &[usize], dim: usize, (at, size): (usize, usize)) -> Vec<Range<usize>> {
    let whole = dims.iter().map(|size| 0..*size).enumerate();
    whole.map(|(own, whole)| if own == dim { at * size..(at + 1) * size } else { whole }).collect()
}

/// The size of the equal parts of an array along a dimension, and their bytes.
fn parts(
    array: &HostArray,
    dim: usize,
    count: usize,
) -> Result<(Vec<usize>, Vec<Vec<u8>>), Failed> {
    let mut dims = array.dims().to_vec();
    let Some(size) = dims.get_mut(dim).filter(|size| size.is_multiple_of(count)) else {
        let message = format!(
            "dimension {dim} of {:?} cannot be split into {count} equal parts",
            array.dims()
        );
        return Err(Failed::Not(message));
    };
    *size /= count;
    let is_empty = dims.contains(&0);
    let part = |at| {
        let region = boxed(array.dims(), dim, (at, dims[dim]));
        match is_empty {
            true => Vec::new(),
            false => read(&region, &Shard::whole(array.dims()), array.width(), array.as_bytes()),
        }
    };
    let parts = (0..count).map(part).collect();
    Ok((dims, parts))
}

/// Joins the parts of the members of a group along a dimension.
struct Join {
    dtype: DType,
    /// The size of a part.
    part: Vec<usize>,
    dim: usize,
}

impl Join {
    fn of(dtype: DType, part: &[usize], dim: usize) -> Result<Self, Failed> {
        if dim >= part.len() {
            return Err(Failed::Not(format!("{part:?} has no dimension {dim}")));
        }
        Ok(Self { dtype, part: part.to_vec(), dim })
    }

    fn all(&self, parts: &[Vec<u8>]) -> Result<HostArray, RunError> {
        let mut dims = self.part.clone();
        dims[self.dim] *= parts.len();
        let mut all = HostArray::zeroed(self.dtype, &dims)?;
        for (at, part) in parts.iter().enumerate().filter(|(_, part)| !part.is_empty()) {
            let region = boxed(&dims, self.dim, (at, self.part[self.dim]));
            let (width, whole) = (all.width(), Shard::whole(&dims));
            write(&region, &whole, width, part, all.as_bytes_mut()?);
        }
        Ok(all)
    }
}

/// Begins to combine the arrays of a group; each device gets its part of the result.
fn begin_scatter<'a, T: Transport + 'a>(
    transport: &mut T,
    group: &[usize],
    call: &LocalCall<'_>,
    array: &HostArray,
) -> Result<UnderWay<'a, T, HostArray>, Failed> {
    let (me, reduction, dtype) = (transport.device(), call.reduction, array.dtype());
    let (dims, parts) = parts(array, call.number(), group.len())?;
    let Some(own) = group.iter().position(|&device| device == me) else {
        return Err(Failed::Not(format!("device {me} is not in its group")));
    };
    let combined = Combined { by: reduction.combine(), dtype };
    let whole = GroupCollective::ReduceScatter { combined, parts: &parts.concat() };
    if let Some(begun) = transport.begin(group, whole) {
        let begun = begun.map_err(RunError::from)?;
        return Ok(Box::new(move |transport| {
            let sum = transport.finish(begun)?.pop().unwrap_or_default();
            HostArray::from_bytes(dtype, &dims, sum)
        }));
    }
    let lens = vec![parts[0].len(); group.len()];
    let parts = begin_all_to_all(transport, group.to_vec(), parts, lens)?;
    Ok(Box::new(move |transport| {
        let mut parts = parts(transport)?;
        let mut sum = parts.remove(own);
        reduction.of_bytes(&mut sum, &parts, dtype)?;
        HostArray::from_bytes(dtype, &dims, sum)
    }))
}

/// Begins to receive the array that another device sends; zeros if no device sends one.
fn begin_permutes<'a, T: Transport + 'a>(
    transport: &T,
    call: &LocalCall<'_>,
    to: &[usize],
    from: Option<usize>,
) -> Vec<UnderWay<'a, T, HostArray>> {
    let me = transport.device();
    let permuted = |operand: &LocalOperand<'_>| -> UnderWay<'a, T, HostArray> {
        let array = operand.array.clone();
        let others: Vec<_> = to.iter().copied().filter(|&device| device != me).collect();
        Box::new(move |transport| {
            let messages =
                others.into_iter().map(|device| (device, array.as_bytes().to_vec())).collect();
            let other: Vec<_> = from.into_iter().filter(|&device| device != me).collect();
            let received = transport.exchange(messages, &other)?;
            Ok(match (from, received.into_iter().next()) {
                (_, Some(bytes)) => {
                    check(array.as_bytes().len(), bytes.len())?;
                    HostArray::from_bytes(array.dtype(), array.dims(), bytes)?
                }
                (Some(_), None) => array,
                (None, None) => HostArray::zeroed(array.dtype(), array.dims())?,
            })
        })
    };
    call.operands.iter().map(permuted).collect()
}
