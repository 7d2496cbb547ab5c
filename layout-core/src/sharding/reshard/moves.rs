//! The slices, all-to-alls and gathers of Shardy's plan.

use super::super::axis::{Axis, AxisList};
use super::super::propagation::{gcd, push_or_merge};
use super::state::{State, size, take};
use alloc::vec::Vec;

impl State<'_> {
    /// Slices along free axes, while the result is split further than the tensor is now. Returns the axes of each dimension;
    /// `None` if there are no such axes.
    pub(super) fn slice(&mut self) -> Option<Vec<AxisList>> {
        let mut slices = self.empty();
        let mut capacity: Vec<usize> = self
            .before
            .iter()
            .zip(&self.after)
            .map(|(before, after)| size(after) / gcd(size(before), size(after)))
            .collect();
        for (dim, slices) in slices.iter_mut().enumerate() {
            for axis in self.borrow(dim, &mut capacity) {
                self.before[dim].push(axis);
                push_or_merge(slices, axis, self.mesh);
                self.push_current(dim, axis);
            }
        }
        let mut available = [Vec::new()];
        for (dim, (slices, capacity)) in slices.iter_mut().zip(&mut capacity).enumerate() {
            self.slice_dim(dim, capacity, slices, &mut available[0]);
        }
        let mesh = self.mesh;
        self.distribute(&mut available, &mut capacity, false, |state, axis, dim| {
            push_or_merge(&mut slices[dim], axis, mesh);
            state.push_current(dim, axis);
        });
        slices.iter().any(|axes| !axes.is_empty()).then_some(slices)
    }

    /// Slices a dimension along its final axes, and collects those for which it has no capacity.
    fn slice_dim(
        &mut self,
        dim: usize,
        capacity: &mut usize,
        slices: &mut AxisList,
        available: &mut Vec<Axis>,
    ) {
        let mut at = 0;
        while at < self.after[dim].len() {
            let axis = self.after[dim][at];
            if self.is_misplaced(axis) {
                at += 1;
                continue;
            }
            let Some((part, rest)) = take(axis, capacity) else {
                available.push(axis);
                at += 1;
                continue;
            };
            push_or_merge(slices, part, self.mesh);
            self.push_current(dim, part);
            if self.before[dim].is_empty() && at == 0 {
                self.after[dim].remove(0);
            } else {
                self.before[dim].push(part);
                self.after[dim][at] = part;
                at += 1;
            }
            if let Some(rest) = rest {
                self.after[dim].insert(at, rest);
                available.push(rest);
                at += 1;
            }
        }
    }

    /// Axes whose final position, in another dimension, follows the axes that this dimension passes to it. If they are sliced here,
    /// they move in the same all-to-all.
    fn borrow(&self, from: usize, capacity: &mut [usize]) -> Vec<Axis> {
        let none = Vec::new();
        let before = &self.before[from];
        let Some(last) = before.last().filter(|_| self.after[from].is_empty()) else { return none };
        let Some((to, at)) = self.destination(*last) else { return none };
        let after = &self.after[to];
        let start = at + 1;
        let free = |axis: &&Axis| !self.is_misplaced(**axis);
        let added: Vec<_> = after[start..].iter().take_while(free).copied().collect();
        if !self.before[to].is_empty() || added.is_empty() {
            return none;
        }
        let pairs = before.iter().rev().zip(after[..start].iter().rev());
        let common = pairs.take_while(|(a, b)| a == b).count();
        let (others, suffix) = before.split_at(before.len() - common);
        let out_of_order =
            others.iter().any(|axis| self.destination(*axis).is_some_and(|(dim, _)| dim == to));
        let parts = size(&self.current[from]).saturating_mul(size(&added));
        if out_of_order || !self.dims[from].is_multiple_of(parts) {
            return none;
        }
        capacity[to] /= size(suffix) * size(&added);
        added
    }

    /// Moves the last axes of a dimension to their final dimension. Unless `out_of_order`, moves them only if they reach their
    /// final position there.
    pub(super) fn all_to_all(
        &mut self,
        from: usize,
        out_of_order: bool,
    ) -> Option<(AxisList, usize)> {
        let before = &self.before[from];
        let mut target = None;
        let mut start = before.len();
        while start > 0 {
            let Some((dim, _)) = self.destination(before[start - 1]) else { break };
            if dim == from || target.is_some_and(|target| target != dim) {
                break;
            }
            target = Some(dim);
            start -= 1;
        }
        let to = target?;
        if !out_of_order && !self.after[to].starts_with(&before[start..]) {
            return None;
        }
        let moved = self.before[from].split_off(start);
        self.pop_current(from, &moved);
        let mut axes = AxisList::new();
        for axis in moved {
            push_or_merge(&mut axes, axis, self.mesh);
            self.push_current(to, axis);
            if self.before[to].is_empty() && self.after[to].first() == Some(&axis) {
                self.after[to].remove(0);
            } else {
                self.before[to].push(axis);
            }
        }
        Some((axes, to))
    }

    /// Gathers the last axes of each dimension that split no dimension in the final sharding.
    pub(super) fn gather(&mut self) -> Option<Vec<AxisList>> {
        let mut gathered = self.empty();
        for (dim, gathered) in gathered.iter_mut().enumerate() {
            let stays = |axis: &Axis| self.destination(*axis).is_some();
            let start = self.before[dim].iter().rposition(stays).map_or(0, |last| last + 1);
            let axes = self.before[dim].split_off(start);
            self.pop_current(dim, &axes);
            for axis in axes {
                push_or_merge(gathered, axis, self.mesh);
            }
        }
        gathered.iter().any(|axes| !axes.is_empty()).then_some(gathered)
    }
}
