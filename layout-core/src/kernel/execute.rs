//! Runs a plan: loops over blocks of elements, which a [`Mover`] moves.

use super::plan::{Loop, Plan};
use crate::index_map::{IndexMap, MAX_RANK};

/// One side of a block: its number of elements, and how far apart they are in both arrays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Axis {
    pub(super) count: usize,
    /// What the count would be if the array did not end before.
    pub(super) size: usize,
    pub(super) source: usize,
    pub(super) destination: usize,
}

impl Axis {
    pub(super) const UNIT: Self = Self { count: 1, size: 1, source: 0, destination: 0 };
}

/// Sides of a block; as many loops run inside of a mover, without a call for each.
pub(super) const AXES: usize = 4;

/// Elements that lie on a grid in both arrays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Block {
    /// Number of the first element in the source.
    pub(super) from: usize,
    /// Number of the first element in the destination.
    pub(super) to: usize,
    /// The sides, outermost first; what is not needed has one element.
    pub(super) axes: [Axis; AXES],
}

impl Block {
    /// Hands on the rectangles of the two innermost sides: where each starts, in both arrays.
    pub(super) fn rectangles(&self, mut body: impl FnMut(usize, usize)) {
        let [a, b, ..] = self.axes;
        for i in 0..a.count {
            for j in 0..b.count {
                let from = self.from + i * a.source + j * b.source;
                body(from, self.to + i * a.destination + j * b.destination);
            }
        }
    }
}

/// Moves elements: what depends on their width.
pub(super) trait Mover {
    /// Moves the elements of a block.
    fn block(&mut self, block: &Block);
}

/// Moves every element of the array once.
pub(super) fn execute(plan: &Plan<'_>, mover: &mut impl Mover) {
    if plan.empty {
        return;
    }
    let mut dims = [0; MAX_RANK];
    for (dim, size) in dims.iter_mut().enumerate().take(plan.destination.rank()) {
        *size = plan.destination.bound(dim);
    }
    let mut index = [0; MAX_RANK];
    let index = &mut index[..plan.destination.rank()];
    let place = |map: Option<&IndexMap>, index: &[usize]| map.map_or(0, |map| map.offset(index));
    let mut nest = Nest { loops: plan.loops(), left: dims, mover };
    loop {
        nest.descend(0, place(plan.source, index), place(Some(plan.destination), index));
        if !advance(index, &dims, plan.walked) {
            return;
        }
    }
}

/// Goes on to the next index, over the dimensions in `walked` only; false at the end.
fn advance(index: &mut [usize], dims: &[usize], walked: u8) -> bool {
    for dim in (0..index.len()).rev().filter(|dim| walked >> dim & 1 == 1) {
        index[dim] += 1;
        if index[dim] < dims[dim] {
            return true;
        }
        index[dim] = 0;
    }
    false
}

struct Nest<'a, M> {
    loops: &'a [Loop],
    /// Of each dimension, the values from the one that the loops have come to.
    left: [usize; MAX_RANK],
    mover: &'a mut M,
}

impl<M: Mover> Nest<'_, M> {
    fn descend(&mut self, depth: usize, from: usize, to: usize) {
        if let Some(axes) = self.axes(&self.loops[depth..]) {
            return self.mover.block(&Block { from, to, axes });
        }
        let each = self.loops[depth];
        if !each.ragged {
            for step in 0..each.size {
                self.descend(depth + 1, from + step * each.source, to + step * each.destination);
            }
            return;
        }
        let left = self.left[each.dim()];
        for step in 0..each.count(left) {
            self.left[each.dim()] = left - step * each.div;
            self.descend(depth + 1, from + step * each.source, to + step * each.destination);
        }
        self.left[each.dim()] = left;
    }

    /// The loops as sides of a block, if there are few enough and none of them is cut short by another's step.
    fn axes(&self, loops: &[Loop]) -> Option<[Axis; AXES]> {
        let unused = AXES.checked_sub(loops.len())?;
        let mut axes = [Axis::UNIT; AXES];
        for (at, each) in loops.iter().enumerate() {
            let mut count = each.size;
            if each.ragged {
                let left = self.left[each.dim()];
                let same = |other: &&Loop| other.ragged && other.dims == each.dims;
                let reach: usize = loops.iter().filter(same).map(Loop::reach).sum();
                if left <= reach {
                    if loops.iter().filter(same).count() > 1 {
                        return None;
                    }
                    count = each.count(left);
                }
            }
            axes[unused + at] =
                Axis { count, size: each.size, source: each.source, destination: each.destination };
        }
        Some(axes)
    }
}
