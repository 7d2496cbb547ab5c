//! Cuts axes so that any two that overlap are equal.

use super::super::axis::{Axis, AxisList};
use super::super::mesh::Mesh;
use super::super::propagation::push_or_merge;
use super::super::tensor::TensorSharding;
use alloc::vec::Vec;

/// Cuts every axis of `lists` at the points where an axis of `others` begins or ends. For an axis of size 8, `"x"` is cut at
/// `"x":(2)2` into `"x":(1)2`, `"x":(2)2` and `"x":(4)2`.
pub(in crate::sharding) fn align(lists: &mut [Vec<Axis>], others: &[Axis]) {
    let mut others = others.to_vec();
    others.sort_unstable_by_key(|axis| (axis.index(), axis.pre(), axis.size()));
    for list in lists {
        let whole = core::mem::take(list);
        for axis in whole {
            cut(axis, &others, list);
        }
    }
}

/// The parts of `axes` that `others` do not cover.
pub(in crate::sharding) fn without(mesh: &Mesh, axes: Vec<Axis>, others: &[Axis]) -> AxisList {
    let mut parts = [axes];
    align(&mut parts, others);
    let mut left = AxisList::new();
    let kept = parts.concat().into_iter().filter(|axis| !others.iter().any(|o| o.contains(*axis)));
    kept.for_each(|axis| push_or_merge(&mut left, axis, mesh));
    left
}

/// The difference between the axes of one dimension in two shardings.
pub(super) struct Difference {
    /// The major axes that both shardings have in common.
    pub(super) kept: Vec<Axis>,
    pub(super) before: Vec<Axis>,
    pub(super) after: Vec<Axis>,
}

/// The differences between two shardings, for each dimension.
pub(super) fn differences(
    mesh: &Mesh,
    from: &TensorSharding,
    to: &TensorSharding,
) -> impl Iterator<Item = Difference> {
    let axes = |sharding: &TensorSharding| -> Vec<Vec<Axis>> {
        let dims = sharding.dims.iter();
        dims.map(|dim| dim.axes.iter().filter_map(|axis| mesh.resolve(axis)).collect()).collect()
    };
    let (mut before, mut after) = (axes(from), axes(to));
    let (of_before, of_after) = (before.concat(), after.concat());
    align(&mut before, &of_after);
    align(&mut after, &of_before);
    before.into_iter().zip(after).map(|(mut kept, mut after)| {
        let common = kept.iter().zip(&after).take_while(|(a, b)| a == b).count();
        let before = kept.split_off(common);
        after.drain(..common);
        Difference { kept, before, after }
    })
}

/// Appends the parts of an axis.
fn cut(axis: Axis, others: &[Axis], parts: &mut Vec<Axis>) {
    let mut rest = axis;
    for other in others {
        if !other.overlaps(rest) || other.contains(rest) || !other.can_coexist(rest) {
            continue;
        }
        let start = rest.pre().max(other.pre());
        let end = rest.end().min(other.end());
        if start > rest.pre() {
            parts.push(rest.part(rest.pre(), start / rest.pre()));
        }
        parts.push(rest.part(start, end / start));
        if end == rest.end() {
            return;
        }
        rest = rest.part(end, rest.end() / end);
    }
    parts.push(rest);
}
