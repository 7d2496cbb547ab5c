//! Permutations of devices: other axes, or the same axes in another order, split each dimension into the same number of parts as
//! before.

use super::super::axis::Axis;
use super::state::{State, size, take};
use alloc::vec;
use alloc::vec::Vec;

const fn divide_each_other(a: Axis, b: Axis) -> bool {
    a.size().is_multiple_of(b.size()) || b.size().is_multiple_of(a.size())
}

impl State<'_> {
    /// Whether a permutation brings the tensor closer to its final sharding.
    pub(super) fn needs_permute(&self) -> bool {
        // An axis that can leave, and one that can replace it.
        let (mut leaving, mut entering) = (None, None);
        for dim in 0..self.dims.len() {
            let (before, after) = (&self.before[dim], &self.after[dim]);
            if let (Some(a), Some(b)) = (before.first(), after.first())
                && divide_each_other(*a, *b)
            {
                return true;
            }
            entering = after.iter().rfind(|axis| !self.is_misplaced(**axis)).copied().or(entering);
            let mut seen = vec![false; self.dims.len()];
            let mut last: Option<(usize, usize)> = None;
            for &axis in before {
                let destination = self.destination(axis);
                match destination {
                    Some((to, at)) => {
                        // The axes of one destination must be adjacent and in the order of the destination.
                        let follows =
                            last.is_some_and(|(dim, before)| dim == to && before + 1 == at);
                        if (to == dim || seen[to]) && !follows {
                            return true;
                        }
                        seen[to] = true;
                    }
                    // An axis to gather follows an axis to move, so the two must be swapped.
                    None if last.is_some() && after.is_empty() => return true,
                    None => leaving = Some(axis),
                }
                last = destination;
            }
        }
        matches!((leaving, entering), (Some(a), Some(b)) if divide_each_other(b, a))
    }

    /// Permutes the axes: the axes that belong to a dimension come first, then the axes to gather, and finally the axes that belong
    /// to another dimension.
    pub(super) fn permute(&mut self) {
        let rank = self.dims.len();
        let belongs: Vec<Axis> = self.after.concat();
        let mut capacity = vec![1; rank];
        let mut entering = [Vec::new()];
        let mut leaving = vec![Vec::new(); rank];
        for dim in 0..rank {
            let mut before = core::mem::take(&mut self.before[dim]);
            self.pop_current(dim, &before);
            capacity[dim] = size(&before);
            let mut used = capacity[dim];
            while capacity[dim] > 1
                && let Some(&first) = self.after[dim].first()
                && let Some((part, rest)) = take(first, &mut capacity[dim])
            {
                self.after[dim].remove(0);
                self.push_current(dim, part);
                if let Some(rest) = rest {
                    self.after[dim].insert(0, rest);
                }
            }
            entering[0].extend_from_slice(&self.after[dim]);
            used /= capacity[dim];
            before.retain(|axis| !belongs.contains(axis));
            // Axes that were not replaced come first, so that they keep their positions.
            let mut replaced = Vec::new();
            while used > 1
                && let Some(&first) = before.first()
                && let Some((part, rest)) = take(first, &mut used)
            {
                before.remove(0);
                replaced.push(part);
                if let Some(rest) = rest {
                    before.insert(0, rest);
                }
            }
            before.append(&mut replaced);
            leaving[dim] = before;
        }
        self.distribute(&mut entering, &mut capacity, false, |_, _, _| {});
        if rank > 1 {
            self.distribute(&mut leaving, &mut capacity, true, |_, _, _| {});
        }
        let mut rest = [leaving.concat()];
        self.distribute(&mut rest, &mut capacity, true, |_, _, _| {});
        for dim in 0..rank {
            for axis in self.before[dim].clone() {
                self.push_current(dim, axis);
            }
        }
    }
}
