//! Runs a plan region by region, and the values of walked dimensions one by one.

use super::inner::WholeBytes;
use super::plan::{Nest, Plan};
use super::regions::{Axis, Region};
use super::step::{ArrayFacts, Program, Step};
use layout_core::parts::{IndexMap, MAX_RANK};

/// The number of axes of a block: loops that run within one call of [`MoveBlock::move_block`].
pub(crate) const AXES: usize = 4;

/// Elements that are on a grid in both arrays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Block {
    /// The number of the first element in the source.
    pub(crate) from: usize,
    /// The number of the first element in the destination.
    pub(crate) to: usize,
    /// The axes, outermost first. Unused axes have one element.
    pub(crate) axes: [Axis; AXES],
}

impl Block {
    /// Calls `body` for each rectangle of the two innermost axes, with the number of its first element in each array.
    pub(crate) fn rectangles(&self, mut body: impl FnMut(usize, usize)) {
        let [a, b, ..] = self.axes;
        for i in 0..a.count {
            for j in 0..b.count {
                let from = self.from + i * a.source + j * b.source;
                body(from, self.to + i * a.destination + j * b.destination);
            }
        }
    }
}

/// A plan and its maps, wherever they are stored: in constants, on the stack, or in a [`Mover`].
///
/// [`Mover`]: super::Mover
#[derive(Clone, Copy)]
pub(crate) struct Planned<'a> {
    pub(crate) nest: &'a Nest,
    /// `None` if every element has the same source.
    pub(crate) source: Option<&'a IndexMap>,
    pub(crate) destination: &'a IndexMap,
    /// The program of the nest, if it has been made already.
    pub(crate) program: Option<&'a Program>,
}

impl<'a> From<&'a Plan<'a>> for Planned<'a> {
    fn from(Plan { nest, source, destination, .. }: &'a Plan<'a>) -> Self {
        Self { nest, source: *source, destination, program: None }
    }
}

/// How the elements of a block are moved, which depends on their widths.
pub(crate) trait MoveBlock {
    /// Moves the elements of a block.
    fn move_block(&mut self, block: &Block);
}

/// Moves every element of the array once.
///
/// Zeros may be written to padding between elements, but never over elements that were written before.
pub(crate) fn execute(planned: Planned<'_>, elements: &mut impl MoveBlock) {
    for number in 0..planned.nest.regions() {
        let Region { from, to, axes } = planned.nest.region(number);
        let axes = axes.as_slice();
        let (outer, last) = axes.split_at(axes.len().saturating_sub(AXES));
        let mut inner = [Axis::UNIT; AXES];
        inner[AXES - last.len()..].copy_from_slice(last);
        walk(planned, |[walked_from, walked_to]| {
            grid(outer, [from + walked_from, to + walked_to], &mut |[from, to]| {
                elements.move_block(&Block { from, to, axes: inner });
            });
        });
    }
}

/// [`execute`] for elements of whole bytes that have the same width in both arrays.
pub(crate) fn execute_whole_bytes(
    planned: Planned<'_>,
    arrays: ArrayFacts,
    whole: &mut WholeBytes<'_>,
) {
    let arrays = after_every_walk(planned, arrays);
    for number in 0..planned.nest.regions() {
        let (step, outer) = Step::of(&planned.nest.region(number), arrays);
        walk(planned, |at| {
            grid(outer.as_slice(), at.map(|at| at * arrays.width), &mut |at| {
                whole.run(core::slice::from_ref(&step), at);
            });
        });
    }
}

/// The facts about what remains of both arrays at every combination of values of the walked dimensions. A kernel that also reads
/// the missing rows of a group reads past the last element of a step, so the step must have room for them wherever it runs:
/// in `s8[2,3,16,100]{2,3,1,0:T(*,1,4,16)}`, the last window of 16 by 4 starts at byte 192 of 256.
fn after_every_walk(planned: Planned<'_>, arrays: ArrayFacts) -> ArrayFacts {
    let is_ragged = |number| {
        let Region { axes, .. } = planned.nest.region(number);
        axes.as_slice().iter().any(|axis| axis.count < axis.size)
    };
    let mut last = [0; 2];
    if planned.nest.walked != 0 && (0..planned.nest.regions()).any(is_ragged) {
        walk(planned, |at| last = [last[0].max(at[0]), last[1].max(at[1])]);
    }
    let rest = |array: usize| arrays.len[array].saturating_sub(last[array] * arrays.width);
    ArrayFacts { len: [rest(0), rest(1)], ..arrays }
}

/// Calls `body` for each combination of values of the walked dimensions, with its offset in each array.
fn walk(Planned { nest, source, destination, .. }: Planned<'_>, mut body: impl FnMut([usize; 2])) {
    if nest.walked == 0 {
        return body([0, 0]);
    }
    let mut index = nest.first;
    (0..nest.rank).filter(|dim| nest.walked >> dim & 1 == 0).for_each(|dim| index[dim] = 0);
    loop {
        let at = &index[..nest.rank];
        let from = source.map_or(0, |map| map.offset(at));
        body([from - nest.base[1][0], destination.offset(at) - nest.base[1][1]]);
        if !nest.advance(&mut index[..nest.rank]) {
            return;
        }
    }
}

impl Nest {
    /// Moves to the next index of the walked dimensions; returns false at the end.
    fn advance(&self, index: &mut [usize]) -> bool {
        for dim in (0..index.len()).rev().filter(|dim| self.walked >> dim & 1 == 1) {
            index[dim] += 1;
            if index[dim] < self.sizes[dim] {
                return true;
            }
            index[dim] = self.first[dim];
        }
        false
    }
}

/// Calls `body` for each combination of values of the axes, with its offset in each array.
fn grid(axes: &[Axis], at: [usize; 2], body: &mut impl FnMut([usize; 2])) {
    let Some((axis, rest)) = axes.split_first() else { return body(at) };
    for i in 0..axis.count {
        grid(rest, [at[0] + i * axis.source, at[1] + i * axis.destination], body);
    }
}

const _: () = assert!(MAX_RANK <= u16::BITS as usize, "a bit for each walked dimension");
