//! The digits of a sharded array as JSON, from which a page computes the devices that have each element, and its position
//! there.

use super::Sharded;
use crate::draw::Draw;
use crate::sharding::{Axis, Mesh, Shards};
use crate::tiled::draw::explore::{list, map, table};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// The largest number of devices of a mesh with explicit device ids, because the page lists them.
const MAX_IDS: usize = 4096;

impl Sharded {
    pub(super) fn table(&self) -> Option<String> {
        let mesh = self.mesh();
        if mesh.device_ids().len() > MAX_IDS {
            return None;
        }
        let shards = format!(
            ",\"shards\":{{\"local\":{},\"map\":{},\"digits\":[{}],\"copies\":[{}],\"ids\":{}}}",
            list(self.shards().local_dims().iter().copied()),
            map(self.local().map()),
            digits(self.shards()).map(list).collect::<Vec<_>>().join(","),
            copies(self.shards()).into_iter().map(list).collect::<Vec<_>>().join(","),
            list(mesh.device_ids().iter().copied()),
        );
        table(self.global(), &self.notation(), &shards)
    }
}

/// The number of devices that a step along an axis skips; `minor` is the product of the sub-axes to its right.
fn stride(mesh: &Mesh, axis: usize, minor: usize) -> usize {
    mesh.axes()[axis + 1..].iter().map(|axis| axis.size()).product::<usize>() * minor
}

/// The digits of the position of the first device that has a shard: `[dimension, div, size, stride]` for each axis, a digit of
/// the number of the shard along the dimension.
fn digits(shards: &Shards) -> impl Iterator<Item = [usize; 4]> + '_ {
    let dims = shards.axes.iter().enumerate();
    dims.flat_map(move |(dim, axes)| {
        axes.iter().enumerate().map(move |(at, axis)| {
            let div = axes[at + 1..].iter().map(|axis| axis.size()).product();
            let minor = shards.mesh().size_of(axis.index()) / axis.end();
            [dim, div, axis.size(), stride(shards.mesh(), axis.index(), minor)]
        })
    })
}

/// The sub-axes along which no dimension is split, as `[size, stride]`: along them, other devices have the same shard.
fn copies(shards: &Shards) -> Vec<[usize; 2]> {
    let mesh = shards.mesh();
    let mut copies = Vec::new();
    for axis in 0..mesh.axes().len() {
        let whole = mesh.size_of(axis);
        let mut used: Vec<&Axis> =
            shards.axes.iter().flatten().filter(|used| used.index() == axis).collect();
        used.sort_by_key(|used| used.pre());
        let mut done = 1;
        for (start, end) in used.iter().map(|used| (used.pre(), used.end())).chain([(whole, whole)])
        {
            if start > done {
                copies.push([start / done, stride(mesh, axis, whole / start)]);
            }
            done = end;
        }
    }
    copies
}
