//! The state of a plan under construction.

use super::super::axis::{Axis, AxisList, AxisRef};
use super::super::mesh::Mesh;
use super::super::propagation::push_or_merge;
use super::super::tensor::{DimSharding, TensorSharding};
use super::align::{align, differences};
use super::verify::resolved;
use alloc::vec;
use alloc::vec::Vec;

/// The sharding that a plan has reached, and its differences from the final one.
pub(super) struct State<'a> {
    pub(super) mesh: &'a Mesh,
    pub(super) dims: &'a [usize],
    /// The axes of each dimension.
    pub(super) current: Vec<AxisList>,
    /// The axes of each dimension after the kept axes.
    pub(super) before: Vec<Vec<Axis>>,
    /// The axes of each dimension after the kept axes in the final sharding.
    pub(super) after: Vec<Vec<Axis>>,
}

/// The product of the sizes of axes.
pub(super) fn size(axes: &[Axis]) -> usize {
    super::super::axis::product(axes)
}

/// Takes the largest part of an axis that fits in `capacity`, and divides `capacity` by its size. Returns that part and the rest.
pub(super) fn take(axis: Axis, capacity: &mut usize) -> Option<(Axis, Option<Axis>)> {
    let size = axis.size();
    let divides = size.is_multiple_of(*capacity) || capacity.is_multiple_of(size);
    if *capacity <= 1 || !divides {
        return None;
    }
    if *capacity >= size {
        *capacity /= size;
        return Some((axis, None));
    }
    let part = axis.part(axis.pre(), *capacity);
    let rest = axis.part(part.end(), size / *capacity);
    *capacity = 1;
    Some((part, Some(rest)))
}

impl<'a> State<'a> {
    pub(super) fn new(
        mesh: &'a Mesh,
        dims: &'a [usize],
        from: &TensorSharding,
        to: &TensorSharding,
    ) -> Self {
        let current = resolved(mesh, from);
        let sides = differences(mesh, from, to).map(|dim| (dim.before, dim.after));
        let (before, after) = sides.unzip();
        Self { mesh, dims, current, before, after }
    }

    pub(super) fn is_done(&self) -> bool {
        self.before.iter().chain(&self.after).all(Vec::is_empty)
    }

    /// Whether the axis is in another dimension or position than in the final sharding.
    pub(super) fn is_misplaced(&self, axis: Axis) -> bool {
        self.before.iter().flatten().any(|other| *other == axis)
    }

    /// The dimension that the axis splits in the final sharding, and its position there.
    pub(super) fn destination(&self, axis: Axis) -> Option<(usize, usize)> {
        self.after
            .iter()
            .enumerate()
            .find_map(|(dim, axes)| Some((dim, axes.iter().position(|other| *other == axis)?)))
    }

    /// Splits a dimension further.
    pub(super) fn push_current(&mut self, dim: usize, axis: Axis) {
        push_or_merge(&mut self.current[dim], axis, self.mesh);
    }

    /// Removes the last axes of a dimension.
    pub(super) fn pop_current(&mut self, dim: usize, axes: &[Axis]) {
        let current = &mut self.current[dim];
        for axis in axes.iter().rev() {
            let Some(last) = current.last_mut() else { return };
            // The last axis consists of two parts that were merged; the first of them remains.
            match last.prefix_without_overlap(*axis) {
                Some(prefix) => *last = prefix,
                None => {
                    current.pop();
                }
            }
        }
    }

    /// The axes of each dimension by name.
    pub(super) fn named(&self, dims: &[AxisList]) -> Vec<Vec<AxisRef>> {
        let names = |axes: &AxisList| axes.iter().map(|axis| self.mesh.name(*axis)).collect();
        dims.iter().map(names).collect()
    }

    /// The sharding that the plan has reached.
    pub(super) fn sharding(&self) -> Vec<DimSharding> {
        let dims = self.named(&self.current).into_iter();
        dims.map(|axes| DimSharding { axes: axes.into(), ..DimSharding::default() }).collect()
    }

    /// Distributes `available` axes to dimensions while these have capacity, after or before the existing axes. `lists`
    /// contains one list of axes for each dimension, or a single list for all.
    pub(super) fn distribute(
        &mut self,
        lists: &mut [Vec<Axis>],
        capacity: &mut [usize],
        in_front: bool,
        mut given: impl FnMut(&mut Self, Axis, usize),
    ) {
        let mut split = Vec::new();
        for (dim, capacity) in capacity.iter_mut().enumerate() {
            let list = if lists.len() == 1 { 0 } else { dim };
            let mut position = if in_front { 0 } else { self.before[dim].len() };
            let mut at = 0;
            while at < lists[list].len() && *capacity > 1 {
                let Some((part, rest)) = take(lists[list][at], capacity) else {
                    at += 1;
                    continue;
                };
                lists[list].remove(at);
                self.before[dim].insert(position, part);
                position += 1;
                given(self, part, dim);
                if let Some(rest) = rest {
                    split.push(part);
                    lists[list].insert(0, rest);
                    at += 1;
                }
            }
        }
        align(&mut self.after, &split);
    }

    pub(super) fn empty(&self) -> Vec<AxisList> {
        vec![AxisList::new(); self.dims.len()]
    }
}
