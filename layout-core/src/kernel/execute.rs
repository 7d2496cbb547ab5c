//! Runs a plan: loops over rectangles of elements, which a [`Mover`] moves.

use super::plan::{Loop, Plan};
use crate::index_map::{IndexMap, MAX_RANK};

/// One side of a rectangle: its number of elements, and how far apart they are in both arrays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Axis {
    pub(super) count: usize,
    pub(super) source: usize,
    pub(super) destination: usize,
}

/// Moves elements: what depends on their width.
pub(super) trait Mover {
    /// Moves a rectangle of elements, of which the first is number `from` in the source and number `to` in the
    /// destination.
    fn rectangle(&mut self, from: usize, to: usize, outer: Axis, inner: Axis);
}

/// Moves every element of the array once.
pub(super) fn execute(plan: &Plan<'_>, mover: &mut impl Mover) {
    if plan.empty {
        return;
    }
    let mut nest = Nest { loops: plan.loops(), left: plan.sizes, mover };
    if plan.walked == 0 {
        return nest.descend(0, 0, 0);
    }
    let mut index = [0; MAX_RANK];
    let index = &mut index[..plan.destination.rank()];
    let place = |map: Option<&IndexMap>, index: &[usize]| map.map_or(0, |map| map.offset(index));
    loop {
        nest.descend(0, place(plan.source, index), place(Some(plan.destination), index));
        if !advance(index, &plan.sizes, plan.walked) {
            return;
        }
    }
}

/// Goes on to the next index, over the dimensions in `walked` only; false at the end.
fn advance(index: &mut [usize], sizes: &[usize], walked: u8) -> bool {
    for dim in (0..index.len()).rev().filter(|dim| walked >> dim & 1 == 1) {
        index[dim] += 1;
        if index[dim] < sizes[dim] {
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
        match self.loops[depth..] {
            [] => self.rectangle(&Loop::UNIT, &Loop::UNIT, from, to),
            [ref inner] => self.rectangle(&Loop::UNIT, inner, from, to),
            [ref outer, ref inner] => self.rectangle(outer, inner, from, to),
            [each, ..] => self.steps(&each, |nest, step| {
                nest.descend(depth + 1, from + step * each.source, to + step * each.destination);
            }),
        }
    }

    /// Runs one loop.
    #[inline]
    fn steps(&mut self, each: &Loop, mut body: impl FnMut(&mut Self, usize)) {
        if !each.ragged {
            return (0..each.size).for_each(|step| body(self, step));
        }
        let left = self.left[each.dim()];
        for step in 0..each.count(left) {
            self.left[each.dim()] = left - step * each.div;
            body(self, step);
        }
        self.left[each.dim()] = left;
    }

    fn rectangle(&mut self, outer: &Loop, inner: &Loop, from: usize, to: usize) {
        let same = outer.ragged && inner.ragged && outer.dims == inner.dims;
        if same && self.left[inner.dim()] <= outer.reach() + inner.reach() {
            // The dimension ends within: how far the inner loop runs depends on the outer.
            return self.steps(outer, |nest, step| {
                let (from, to) = (from + step * outer.source, to + step * outer.destination);
                let axis = nest.axis(inner);
                nest.mover.rectangle(from, to, nest.axis(&Loop::UNIT), axis);
            });
        }
        let (outer, inner) = (self.axis(outer), self.axis(inner));
        self.mover.rectangle(from, to, outer, inner);
    }

    #[inline]
    fn axis(&self, each: &Loop) -> Axis {
        // A loop of several dimensions is never ragged; its count does not depend on what is left.
        let left = if each.ragged { self.left[each.dim()] } else { 0 };
        Axis { count: each.count(left), source: each.source, destination: each.destination }
    }
}
