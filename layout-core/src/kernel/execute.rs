//! Runs a plan: loops over blocks of elements, which a [`Mover`] moves.

use super::plan::{Loop, MAX_LOOPS, Plan};
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
///
/// Zeros may be written to padding that lies between elements, but to nothing that was written before.
pub(super) fn execute(plan: &Plan<'_>, mover: &mut impl Mover) {
    if plan.empty {
        return;
    }
    let loops = plan.loops();
    let mut cut = Cut { loops, counts: [0; MAX_LOOPS], last: 0, mover };
    for (count, each) in cut.counts.iter_mut().zip(loops) {
        *count = if each.ragged { 0 } else { each.size };
    }
    let ragged =
        loops.iter().fold(0, |dims, each| dims | if each.ragged { 1 << each.dim() } else { 0 });
    if plan.walked == 0 {
        return cut.next(&plan.sizes, ragged, 0, 0);
    }
    let mut index = [0; MAX_RANK];
    let index = &mut index[..plan.destination.rank()];
    let place = |map: Option<&IndexMap>, index: &[usize]| map.map_or(0, |map| map.offset(index));
    loop {
        cut.next(
            &plan.sizes,
            ragged,
            place(plan.source, index),
            place(Some(plan.destination), index),
        );
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

/// Cuts the array into boxes in which no loop depends on another: in each ragged dimension the whole steps of its
/// largest loop, and then what is left of it, so that only the edges pay for the edges.
struct Cut<'a, M> {
    loops: &'a [Loop],
    /// How often each loop runs; 0 where that is not decided yet.
    counts: [usize; MAX_LOOPS],
    /// The loops that are at their last step, a bit for each: what they go on with lies elsewhere.
    last: u128,
    mover: &'a mut M,
}

impl<M: Mover> Cut<'_, M> {
    /// Cuts the ragged dimensions in `dims` one after the other; moves the box when none is left.
    fn next(&mut self, sizes: &[usize; MAX_RANK], dims: u8, from: usize, to: usize) {
        match dims.trailing_zeros() as usize {
            dim @ ..MAX_RANK => self.dimension(sizes, dims, dim, sizes[dim], from, to),
            _ => self.block(from, to),
        }
    }

    /// Cuts dimension `dim`, of which `left` values are left.
    fn dimension(
        &mut self,
        sizes: &[usize; MAX_RANK],
        dims: u8,
        dim: usize,
        left: usize,
        from: usize,
        to: usize,
    ) {
        let undecided = |cut: &Self, at: usize| {
            cut.counts[at] == 0 && cut.loops[at].ragged && cut.loops[at].dim() == dim
        };
        let before = self.counts;
        let mut reach = 0;
        let mut largest: Option<usize> = None;
        let mut number = 0;
        for at in (0..self.loops.len()).filter(|&at| undecided(self, at)) {
            reach += self.loops[at].reach();
            number += 1;
            if largest.is_none_or(|other| self.loops[other].div < self.loops[at].div) {
                largest = Some(at);
            }
        }
        let rest = dims & !(1 << dim);
        let Some(largest) = largest else { return self.next(sizes, rest, from, to) };
        let each = self.loops[largest];
        let whole = match (left > reach, number) {
            (true, _) => each.size,
            (false, 1) => left.div_ceil(each.div),
            (false, _) => left / each.div,
        };
        if whole > 0 {
            for at in 0..self.loops.len() {
                if undecided(self, at) {
                    self.counts[at] = self.loops[at].size;
                }
            }
            self.counts[largest] = whole;
            self.next(sizes, rest, from, to);
            self.counts = before;
        }
        if left <= reach && number > 1 && left > whole * each.div {
            self.counts[largest] = 1;
            self.last |= 1 << largest;
            let (from, to) = (from + whole * each.source, to + whole * each.destination);
            self.dimension(sizes, dims, dim, left - whole * each.div, from, to);
            self.counts = before;
            self.last &= !(1 << largest);
        }
    }

    /// Moves a box: the innermost loops as blocks.
    fn block(&mut self, from: usize, to: usize) {
        let mut axes = [Axis::UNIT; MAX_LOOPS];
        let mut len = 0;
        for (at, (each, &count)) in self.loops.iter().zip(&self.counts).enumerate() {
            // A side of one element is of interest where it takes turns with others, which are missing.
            let turns = each.size <= MAX_TURNS && (each.source == 1 || each.destination == 1);
            if count > 1 || (count < each.size && turns && self.last >> at & 1 == 0) {
                axes[len] = Axis {
                    count,
                    size: each.size,
                    source: each.source,
                    destination: each.destination,
                };
                len += 1;
            }
        }
        let split = len.saturating_sub(AXES);
        let mut inner = [Axis::UNIT; AXES];
        inner[AXES - (len - split)..].copy_from_slice(&axes[split..len]);
        self.steps(&axes[..split], &mut Block { from, to, axes: inner });
    }

    fn steps(&mut self, outer: &[Axis], block: &mut Block) {
        let Some((each, outer)) = outer.split_first() else { return self.mover.block(block) };
        let (from, to) = (block.from, block.to);
        for step in 0..each.count {
            block.from = from + step * each.source;
            block.to = to + step * each.destination;
            self.steps(outer, block);
        }
    }
}

const _: () = assert!(MAX_LOOPS <= u128::BITS as usize, "a bit for each loop");

/// Elements that take turns, at most.
const MAX_TURNS: usize = 64;
