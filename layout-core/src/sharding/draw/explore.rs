//! The digits of a sharded array as JSON, from which a page computes which devices hold each element, and where.

use super::Sharded;
use crate::draw::Draw;
use crate::sharding::{Axis, Mesh, Shards};
use crate::tiled::draw::explore::{list, map, table};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// The most devices of a mesh whose devices have ids of their own, since the page lists those.
const MOST_IDS: usize = 4096;

impl Sharded {
    pub(super) fn table(&self) -> Option<String> {
        let mesh = self.mesh();
        if mesh.device_ids().len() > MOST_IDS {
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

/// How many devices a step along an axis passes, `minor` being the sub-axes to its right.
fn stride(mesh: &Mesh, axis: usize, minor: usize) -> usize {
    mesh.axes()[axis + 1..].iter().map(|axis| axis.size()).product::<usize>() * minor
}

/// The digits of the position of the first device that holds a shard: `[dimension, div, size, stride]` for each axis, a
/// digit of the number of the shard along the dimension.
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

/// The sub-axes that no dimension is split along, as `[size, stride]`: along them, other devices hold the same shard.
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
