//! Lists of axes in const evaluation.

use crate::list::List;
use crate::parts::MAX_RANK;
use crate::sharding::axis::{Axis, AxisRef};
use crate::sharding::constant::same_text;
use crate::sharding::mesh::MeshAxis;
use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

/// The largest number of axes of one tensor.
const MAX_SPLITTING_AXES: usize = 16;

/// Axes, major to minor.
pub(super) type Axes = List<Axis, MAX_SPLITTING_AXES>;

/// No axes.
pub(super) const NONE: Axes = List::new(Axis::full(0, 1));

/// The axes of each dimension of a tensor.
pub(super) type DimAxes = [Axes; MAX_RANK];

/// The items of a list that a constant holds.
#[allow(clippy::ptr_arg, reason = "a `Cow` does not become a slice in const evaluation")]
pub(super) const fn items<'a, T: Clone>(list: &'a Cow<'static, [T]>) -> &'a [T] {
    match list {
        Cow::Borrowed(items) => items,
        Cow::Owned(items) => Vec::as_slice(items),
    }
}

#[allow(clippy::ptr_arg, reason = "a `Cow` does not become a text in const evaluation")]
const fn text<'a>(text: &'a Cow<'static, str>) -> &'a str {
    match text {
        Cow::Borrowed(text) => text,
        Cow::Owned(text) => String::as_str(text),
    }
}

/// The axes of a sharding, by their number in the mesh. Axes that the mesh does not have are left out; shardings from the macros
/// have none.
pub(super) const fn resolved(mesh: &[MeshAxis], axes: &[AxisRef]) -> Axes {
    let (mut list, mut at) = (NONE, 0);
    while at < axes.len() {
        let mut index = 0;
        while index < mesh.len() && !same_text(mesh[index].constant_name(), text(&axes[at].name)) {
            index += 1;
        }
        if index < mesh.len() {
            list = push(
                list,
                match axes[at].sub {
                    None => Axis::full(index, mesh[index].size()),
                    Some(sub) => Axis::sub(index, sub.pre, sub.size),
                },
            );
        }
        at += 1;
    }
    list
}

/// Appends an axis.
pub(super) const fn push(list: Axes, axis: Axis) -> Axes {
    match list.push(axis) {
        Ok(list) => list,
        Err(_) => panic!("a tensor is split along more than 16 axes"),
    }
}

/// Appends an axis. If the last axis is the sub-axis before it, the two are merged.
pub(super) const fn push_or_merge(mut list: Axes, axis: Axis, mesh: &[MeshAxis]) -> Axes {
    if list.len > 0 && list.items[list.len - 1].can_merge(axis) {
        let last = list.items[list.len - 1];
        list.items[list.len - 1] = last.merge(axis, mesh[axis.index()].size());
        return list;
    }
    push(list, axis)
}

/// Appends the axes of another list, as [`push_or_merge`] does.
pub(super) const fn append(mut list: Axes, axes: &Axes, mesh: &[MeshAxis]) -> Axes {
    let mut at = 0;
    while at < axes.len {
        list = push_or_merge(list, axes.items[at], mesh);
        at += 1;
    }
    list
}

/// Whether two axes are the same part of the same axis.
pub(super) const fn same(a: Axis, b: Axis) -> bool {
    a.index() == b.index() && a.pre() == b.pre() && a.size() == b.size()
}

/// Whether two lists have the same axes in the same order.
pub(super) const fn same_list(a: &Axes, b: &Axes) -> bool {
    let mut at = 0;
    while at < a.len && at < b.len && same(a.items[at], b.items[at]) {
        at += 1;
    }
    a.len == b.len && at == a.len
}

/// The axes in the order of the mesh, with consecutive parts merged. Equal sets of devices have equal lists.
pub(super) const fn as_set(mut axes: Axes, mesh: &[MeshAxis]) -> Axes {
    let mut end = axes.len;
    while end > 1 {
        let mut at = 1;
        while at < end {
            let (a, b) = (axes.items[at - 1], axes.items[at]);
            if a.index() > b.index() || a.index() == b.index() && a.pre() > b.pre() {
                (axes.items[at - 1], axes.items[at]) = (b, a);
            }
            at += 1;
        }
        end -= 1;
    }
    append(NONE, &axes, mesh)
}

/// The axis of a list that equals `axis` or overlaps it.
pub(super) const fn overlapping(axes: &Axes, axis: Axis) -> Option<Axis> {
    let mut at = 0;
    while at < axes.len {
        if axes.items[at].overlaps(axis) {
            return Some(axes.items[at]);
        }
        at += 1;
    }
    None
}

/// The number of parts into which the axes split a dimension.
pub(super) const fn parts(axes: &Axes) -> usize {
    let (mut parts, mut at) = (1_usize, 0);
    while at < axes.len {
        parts = parts.saturating_mul(axes.items[at].size());
        at += 1;
    }
    parts
}
