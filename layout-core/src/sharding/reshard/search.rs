//! The search for the cheapest plan from one sharding to another.

use super::align::differences;
use super::state::size;
use super::{Collective, Tensor};
use crate::sharding::axis::{Axis, AxisList, product};
use crate::sharding::mesh::Mesh;
use crate::sharding::propagation::push_or_merge;
use crate::sharding::tensor::{DimSharding, TensorSharding};
use alloc::collections::{BTreeSet, BinaryHeap};
use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Reverse;

/// The number of shardings after which the search gives up.
const MAX_NODES: usize = 4000;
/// The number of permutations of devices that are tried from one sharding.
const MAX_PERMUTATIONS: usize = 64;
/// Axes are cut into parts of prime size if that makes at most this many parts.
const MAX_PARTS: usize = 12;

/// For each dimension, the numbers of the parts of axes that follow the kept axes, major to minor.
///
/// From `[{"x"}, {}]` to `[{}, {"x"}]`, with `"x"` of size 4, part 0 is `"x":(1)2` and part 1 is `"x":(2)2`. The search starts from
/// `[[0, 1], []]`, and an all-to-all of both parts leads to `[[], [0, 1]]`.
pub(super) type Arrangement = Vec<Vec<u16>>;

/// A search from one sharding to another.
pub(super) struct Search<'a> {
    mesh: &'a Mesh,
    dims: &'a [usize],
    element_bits: usize,
    /// The axes of each dimension that are kept.
    kept: Vec<AxisList>,
    parts: Vec<Axis>,
    start: Arrangement,
    goal: Arrangement,
}

/// A collective, and the axes of each dimension after it.
pub(super) type PlannedStep = (Collective, Vec<DimSharding>);

/// A sharding that the search has reached.
pub(super) struct Reached {
    arrangement: Arrangement,
    bytes: u128,
    steps: usize,
    permuted: bool,
    sliced: bool,
    /// The number of the previous sharding, and the collective that leads from it to this one.
    before: Option<(usize, Collective)>,
}

impl<'a> Search<'a> {
    /// A search from one sharding to another.
    pub(super) fn new(
        mesh: &'a Mesh,
        (dims, element_bits): (&'a [usize], usize),
        from: &TensorSharding,
        to: &TensorSharding,
    ) -> Self {
        let mut kept = vec![AxisList::new(); dims.len()];
        let sides = differences(mesh, from, to).zip(&mut kept).map(|(dim, kept)| {
            dim.kept.into_iter().for_each(|axis| push_or_merge(kept, axis, mesh));
            (dim.before, dim.after)
        });
        let (before, after): (Vec<_>, Vec<_>) = sides.unzip();
        let primes = |axes: &[Vec<Axis>]| -> usize {
            axes.iter().flatten().map(|axis| pieces(*axis, true).len()).sum()
        };
        let cut = primes(&before) + primes(&after) <= MAX_PARTS;
        let mut parts = Vec::new();
        let mut number = |axes: &Vec<Axis>| {
            let mut numbers = Vec::new();
            for part in axes.iter().flat_map(|axis| pieces(*axis, cut)) {
                let known = parts.iter().position(|other| *other == part);
                numbers.push(known.unwrap_or(parts.len()) as u16);
                if known.is_none() {
                    parts.push(part);
                }
            }
            numbers
        };
        let start = before.iter().map(&mut number).collect();
        let goal = after.iter().map(&mut number).collect();
        Self { mesh, dims, element_bits, kept, parts, start, goal }
    }

    /// The moves that lead to the goal in fewer than `steps` steps and with the fewest bytes, which must be fewer than `bytes`.
    /// `next` returns the moves that are allowed from a sharding.
    pub(super) fn run(
        &self,
        next: impl Fn(&Self, &Reached) -> Vec<(Collective, Arrangement)>,
        bytes: u128,
        steps: usize,
    ) -> Option<Vec<PlannedStep>> {
        if self.parts.len() > MAX_PARTS {
            return None;
        }
        let mut nodes = vec![Reached {
            arrangement: self.start.clone(),
            bytes: 0,
            steps: 0,
            permuted: false,
            sliced: false,
            before: None,
        }];
        let mut seen = BTreeSet::new();
        let mut heap = BinaryHeap::from([Reverse((0, 0, 0))]);
        while let Some(Reverse((_, _, at))) = heap.pop() {
            let node = &nodes[at];
            if node.arrangement == self.goal {
                return Some(self.moves(&nodes, at));
            }
            if !seen.insert((node.arrangement.clone(), node.steps, node.permuted, node.sliced)) {
                continue;
            }
            if seen.len() > MAX_NODES {
                return None;
            }
            let parts = self.part_counts(&node.arrangement);
            let tensor = Tensor { dims: self.dims, element_bits: self.element_bits };
            for (collective, arrangement) in next(self, node) {
                let sliced = matches!(collective, Collective::AllSlice(_));
                let after = self.part_counts(&arrangement);
                let received = collective.bytes(self.mesh, tensor, &parts, &after);
                let next = Reached {
                    bytes: nodes[at].bytes.saturating_add(received),
                    // Consecutive slices count as one step.
                    steps: nodes[at].steps + usize::from(!(sliced && nodes[at].sliced)),
                    permuted: nodes[at].permuted || collective == Collective::CollectivePermute,
                    sliced,
                    arrangement,
                    before: Some((at, collective)),
                };
                if next.bytes < bytes && next.steps < steps {
                    heap.push(Reverse((next.bytes, next.steps, nodes.len())));
                    nodes.push(next);
                }
            }
        }
        None
    }

    /// Gathers the parts that are not kept in place, and slices along the parts that are missing.
    pub(super) fn plain(&self) -> Vec<PlannedStep> {
        let common = |dim: usize| {
            let pairs = self.start[dim].iter().zip(&self.goal[dim]);
            pairs.take_while(|(a, b)| a == b).count()
        };
        let middle: Arrangement =
            (0..self.dims.len()).map(|dim| self.start[dim][..common(dim)].to_vec()).collect();
        let mut moves = Vec::new();
        let rest =
            |arrangement: &Arrangement, dim: usize| self.named(&arrangement[dim][common(dim)..]);
        let dims = 0..self.dims.len();
        let gathered: Vec<_> = dims.clone().map(|dim| rest(&self.start, dim)).collect();
        if middle != self.start {
            moves.push((Collective::AllGather(gathered), self.sharding(&middle)));
        }
        let sliced: Vec<_> = dims.map(|dim| rest(&self.goal, dim)).collect();
        if middle != self.goal {
            moves.push((Collective::AllSlice(sliced), self.sharding(&self.goal)));
        }
        moves
    }

    fn moves(&self, nodes: &[Reached], goal: usize) -> Vec<PlannedStep> {
        let mut moves: Vec<PlannedStep> = Vec::new();
        let mut at = goal;
        while let Some((before, collective)) = &nodes[at].before {
            match (moves.last_mut(), collective) {
                (Some((Collective::AllSlice(later), _)), Collective::AllSlice(axes)) => {
                    for (later, axes) in later.iter_mut().zip(axes) {
                        let both = axes.iter().chain(later.iter());
                        let mut merged = AxisList::new();
                        for axis in both.filter_map(|axis| self.mesh.resolve(axis)) {
                            push_or_merge(&mut merged, axis, self.mesh);
                        }
                        *later = merged.iter().map(|axis| self.mesh.name(*axis)).collect();
                    }
                }
                _ => moves.push((collective.clone(), self.sharding(&nodes[at].arrangement))),
            }
            at = *before;
        }
        moves.reverse();
        moves
    }

    fn axes(&self, numbers: &[u16]) -> impl Iterator<Item = Axis> {
        numbers.iter().map(|&number| self.parts[usize::from(number)])
    }

    fn merged(&self, numbers: &[u16], mut axes: AxisList) -> AxisList {
        self.axes(numbers).for_each(|axis| push_or_merge(&mut axes, axis, self.mesh));
        axes
    }

    fn named(&self, numbers: &[u16]) -> Vec<crate::sharding::AxisRef> {
        let merged = self.merged(numbers, AxisList::new());
        merged.iter().map(|axis| self.mesh.name(*axis)).collect()
    }

    fn sharding(&self, arrangement: &Arrangement) -> Vec<DimSharding> {
        let dims = arrangement.iter().zip(&self.kept);
        dims.map(|(numbers, kept)| {
            let axes = self.merged(numbers, kept.clone());
            let axes: Vec<_> = axes.iter().map(|axis| self.mesh.name(*axis)).collect();
            DimSharding { axes: axes.into(), ..DimSharding::default() }
        })
        .collect()
    }

    /// The number of parts of each dimension.
    fn part_counts(&self, arrangement: &Arrangement) -> Vec<usize> {
        let dims = arrangement.iter().zip(&self.kept);
        dims.map(|(numbers, kept)| product(kept).saturating_mul(self.size(numbers))).collect()
    }

    fn size(&self, numbers: &[u16]) -> usize {
        size(&self.axes(numbers).collect::<Vec<_>>())
    }

    /// Whether a part can be added to `arrangement`.
    fn is_free(&self, number: u16, arrangement: &Arrangement) -> bool {
        let part = self.parts[usize::from(number)];
        let used = arrangement.iter().flat_map(|numbers| self.axes(numbers));
        used.chain(self.kept.iter().flatten().copied())
            .all(|other| !part.overlaps(other) && part.can_coexist(other))
    }

    /// Slices and all-to-alls.
    pub(super) fn exchanges(&self, node: &Reached) -> Vec<(Collective, Arrangement)> {
        let mut next = Vec::new();
        self.slices(&node.arrangement, &mut next);
        self.moved(&node.arrangement, false, &mut next);
        next
    }

    /// All moves: slices, all-to-alls, gathers and permutations.
    pub(super) fn anything(&self, node: &Reached) -> Vec<(Collective, Arrangement)> {
        let mut next = Vec::new();
        self.slices(&node.arrangement, &mut next);
        self.moved(&node.arrangement, true, &mut next);
        if !node.permuted {
            self.permuted(&node.arrangement, &mut next);
        }
        next
    }

    /// The moves of XLA's partitioner, in its order: gathers of whole dimensions, all-to-alls and a permutation, or a
    /// permutation and gathers.
    pub(super) fn partitioners(&self, node: &Reached) -> Vec<(Collective, Arrangement)> {
        let last = node.before.as_ref().map(|(_, collective)| collective);
        let mut next = Vec::new();
        let gathers = !matches!(last, Some(Collective::AllToAll { .. }));
        self.moved(&node.arrangement, gathers, &mut next);
        if node.permuted {
            next.retain(|(collective, _)| matches!(collective, Collective::AllGather(_)));
            return next;
        }
        next.retain(|(collective, after)| match collective {
            Collective::AllGather(axes) => {
                axes.iter().zip(after).all(|(axes, left)| axes.is_empty() || left.is_empty())
            }
            _ => true,
        });
        let mut permuted = Vec::new();
        self.permuted(&node.arrangement, &mut permuted);
        // After all-to-alls, the permutation is the last step.
        permuted.retain(|(_, arrangement)| last.is_none() || *arrangement == self.goal);
        next.extend(permuted);
        next
    }

    /// Permutations of the devices.
    fn permuted(&self, arrangement: &Arrangement, next: &mut Vec<(Collective, Arrangement)>) {
        let mut arrangements = Vec::new();
        self.permutations(arrangement, &mut Vec::new(), &mut arrangements);
        let permuted = arrangements.into_iter().filter(|permuted| permuted != arrangement);
        next.extend(permuted.map(|permuted| (Collective::CollectivePermute, permuted)));
    }

    /// Slices a dimension along parts that some dimension has in the final sharding.
    fn slices(&self, arrangement: &Arrangement, next: &mut Vec<(Collective, Arrangement)>) {
        for goal in &self.goal {
            for start in 0..goal.len() {
                let free =
                    goal[start..].iter().take_while(|&&part| self.is_free(part, arrangement));
                for end in start + 1..=start + free.count() {
                    for dim in 0..arrangement.len() {
                        let mut sliced = arrangement.clone();
                        sliced[dim].extend_from_slice(&goal[start..end]);
                        let mut axes = vec![Vec::new(); arrangement.len()];
                        axes[dim] = self.named(&goal[start..end]);
                        next.push((Collective::AllSlice(axes), sliced));
                    }
                }
            }
        }
    }

    /// Moves the last parts of a dimension to another one, or gathers them.
    fn moved(
        &self,
        arrangement: &Arrangement,
        gathers: bool,
        next: &mut Vec<(Collective, Arrangement)>,
    ) {
        for from in 0..arrangement.len() {
            for start in 0..arrangement[from].len() {
                let moved = &arrangement[from][start..];
                let mut gathered = arrangement.clone();
                gathered[from].truncate(start);
                for to in (0..arrangement.len()).filter(|&to| to != from) {
                    let mut exchanged = gathered.clone();
                    exchanged[to].extend_from_slice(moved);
                    let axes = self.named(moved);
                    next.push((Collective::AllToAll { axes, from, to }, exchanged));
                }
                if gathers {
                    let mut axes = vec![Vec::new(); arrangement.len()];
                    axes[from] = self.named(moved);
                    next.push((Collective::AllGather(axes), gathered));
                }
            }
        }
    }

    /// The ways to split the dimensions into the same number of parts as now. `made` contains the first dimensions.
    fn permutations(
        &self,
        arrangement: &Arrangement,
        made: &mut Arrangement,
        all: &mut Vec<Arrangement>,
    ) {
        if made.len() == arrangement.len() {
            all.push(made.clone());
            return;
        }
        let dim = made.len();
        made.push(Vec::new());
        self.fill(arrangement, self.size(&arrangement[dim]), made, all);
        made.pop();
    }

    /// [`Self::permutations`] if the last dimension of `made` must still be split into `left` times as many parts.
    fn fill(
        &self,
        arrangement: &Arrangement,
        left: usize,
        made: &mut Arrangement,
        all: &mut Vec<Arrangement>,
    ) {
        if all.len() >= MAX_PERMUTATIONS {
            return;
        }
        if left == 1 {
            self.permutations(arrangement, made, all);
            return;
        }
        let dim = made.len() - 1;
        // The parts of the final sharding are tried first.
        let goal = self.goal[dim].get(made[dim].len()).copied();
        let others = (0..self.parts.len() as u16).filter(|part| Some(*part) != goal);
        for part in goal.into_iter().chain(others) {
            let size = self.size(&[part]);
            if left.is_multiple_of(size) && self.is_free(part, made) {
                made[dim].push(part);
                self.fill(arrangement, left / size, made, all);
                made[dim].pop();
            }
        }
    }
}

/// The parts of an axis: of prime size if `cut`, otherwise the whole axis. The parts of `"x"` of size 12 are `"x":(1)2`, `"x":(2)2`
/// and `"x":(4)3`.
fn pieces(axis: Axis, cut: bool) -> Vec<Axis> {
    let mut pieces = Vec::new();
    let mut rest = axis;
    let mut factor = 2;
    while cut && factor * factor <= rest.size() {
        if rest.size().is_multiple_of(factor) {
            let part = rest.part(rest.pre(), factor);
            pieces.push(part);
            rest = rest.part(part.end(), rest.size() / factor);
        } else {
            factor += 1;
        }
    }
    pieces.push(rest);
    pieces
}
