//! Statements, and what they are made of.

use super::*;
use crate::parts::Digit;
use alloc::boxed::Box;
use alloc::vec::Vec;

/// Statements one after another.
pub type Block = Vec<Stmt>;

/// A statement.
#[derive(Clone, PartialEq, Debug)]
pub enum Stmt {
    /// `let var = value;`
    Let {
        /// What is bound.
        var: Var,
        /// To what.
        value: Int,
    },
    /// `for var in 0..to { body }`
    Range {
        /// The coordinate.
        var: Var,
        /// One past the last.
        to: Int,
        /// How it should run.
        hint: Hint,
        /// What is done.
        body: Block,
    },
    /// One iterator drives: `for (position, coordinate) in level { body }`.
    Entries {
        /// The positions that are visited.
        iter: LevelIter,
        /// How it should run.
        hint: Hint,
        /// What is done.
        body: Block,
    },
    /// Several iterators over the same coordinate at once, in ascending order. At each coordinate at most one case
    /// holds: the one whose `present` are exactly the iterators that stand there. Where there is none, nothing is done.
    Merge {
        /// The coordinate. The iterators bind their own variables as well, in the cases where they are present.
        var: Var,
        /// The iterators.
        iters: Vec<LevelIter>,
        /// With a number, every coordinate from 0 to below it is visited; without, those where an iterator stands.
        range: Option<Int>,
        /// What is done where.
        cases: Vec<Case>,
        /// Whether the iterators should gallop (search by doubling steps) to a common coordinate; only where the one
        /// case needs all.
        gallop: bool,
        /// How it should run.
        hint: Hint,
    },
    /// Looks for a coordinate among the positions of a level that stores coordinates in order.
    Find {
        /// The operand.
        operand: OperandId,
        /// Its level.
        level: usize,
        /// Where to look.
        segment: Segment,
        /// What to look for.
        coordinate: Int,
        /// The first position that has it, in `found`.
        position: Var,
        /// One past the last position that has it, if the level may store it several times.
        end: Option<Var>,
        /// What is done if it is there.
        found: Block,
        /// What is done if it is not.
        absent: Block,
    },
    /// `if 0 <= value < limit { then } else { otherwise }`
    Inside {
        /// What is compared.
        value: Int,
        /// One past the largest.
        limit: Int,
        /// Why it is not always so.
        because: Because,
        /// What is done if it is so.
        then: Block,
        /// What is done if not.
        otherwise: Block,
    },
    /// `if condition is not zero { then }`
    When {
        /// The condition.
        condition: Value,
        /// What is done where it is not zero.
        then: Block,
    },
    /// `let mut local = value;`
    Local {
        /// The accumulator.
        local: Local,
        /// What it starts from.
        value: Value,
    },
    /// `local += value`, or what the reduction says; also notes that there is something, for [`Stmt::IfTouched`].
    Accumulate {
        /// The accumulator.
        local: Local,
        /// What is added.
        value: Value,
    },
    /// Runs `then` if something was accumulated in `local` since it was declared.
    IfTouched {
        /// The accumulator.
        local: Local,
        /// What is done.
        then: Block,
    },
    /// Writes the output at a position.
    Store {
        /// The position.
        at: Int,
        /// Whether the value is reduced with the one that is there.
        reduce: bool,
        /// What is written.
        value: Value,
    },
    /// Adds an entry to an output without positions.
    Append(Entry),
    /// Reduces `term` over the entries of a level and adds the result to an accumulator, with four sums at once: entry `n` is
    /// added to sum `n mod 4`.
    Gather {
        /// The accumulator.
        local: Local,
        /// The entries.
        iter: LevelIter,
        /// How the schedule would have them run.
        hint: Hint,
        /// The vectors that the term reads at the coordinate.
        vectors: Vec<OperandId>,
        /// What each entry adds. It reads the operand at the position, the vectors at the coordinate, and what stays the same.
        term: Value,
    },
    /// Reduces a value with the one that a workspace holds.
    Scatter {
        /// The workspace.
        workspace: WorkspaceId,
        /// Where.
        at: Int,
        /// What.
        value: Value,
    },
    /// Goes through what was scattered, in ascending order, and empties the workspace.
    Drain {
        /// The workspace.
        workspace: WorkspaceId,
        /// Where.
        at: Var,
        /// What.
        value: Local,
        /// What is done with it.
        body: Block,
    },
    /// Sets all of a workspace that is not `tracked` to the identity.
    Clear {
        /// The workspace.
        workspace: WorkspaceId,
    },
    /// Sets all of a dense output to the identity.
    Fill,
    /// `if size(index) % block == 0 { then } else { otherwise }`, for all of these blocks at once.
    IfDivides {
        /// Indices, and sizes of blocks.
        blocks: Vec<(IndexId, i64)>,
        /// What is done if all of them divide.
        then: Block,
        /// What is done if not.
        otherwise: Block,
    },
    /// Makes rows of sums, all of them the identity, for the body to add to and to write.
    Strips {
        /// The sums of a row.
        lanes: Lanes,
        /// How many rows.
        rows: i64,
        /// What is done with the sums of each strip.
        body: Block,
    },
    /// `for lane in 0..LANES { body }`
    Lanes {
        /// The lane.
        lane: Var,
        /// What is done for each.
        body: Block,
    },
    /// `sums[row][lane] += value`
    Add {
        /// The row.
        row: Int,
        /// The lane.
        lane: Int,
        /// What is added.
        value: Value,
    },
    /// Writes a row of sums to as many elements of the output.
    StoreLanes {
        /// The position of the first one.
        at: Int,
        /// Stands for the lane.
        lane: Var,
        /// The row.
        row: Int,
        /// Whether the sums are reduced with what is there.
        reduce: bool,
    },
    /// Loads a vector.
    Vector {
        /// The vector.
        vector: VectorId,
        /// The position of its first value.
        at: Int,
    },
    /// Asks for what an entry that comes a few entries later reads: the lanes of an operand from a position on.
    Prefetch {
        /// The operand whose entries are gone through.
        operand: OperandId,
        /// Its level.
        level: usize,
        /// The position of this entry.
        position: Var,
        /// Stands for the coordinate of the later entry.
        coordinate: Var,
        /// The operand that is read.
        of: OperandId,
        /// Where it is read.
        at: Int,
    },
    /// Asks for the segment that an entry that comes a few entries later reads.
    PrefetchBelow {
        /// The operand whose entries are gone through.
        operand: OperandId,
        /// Its level.
        level: usize,
        /// The position of this entry.
        position: Var,
        /// The operand whose segment is read, and its level, the last one.
        below: (OperandId, usize),
    },
    /// [`Stmt::Scatter`] of a term for each entry of a segment in order, to its coordinate.
    ScatterSegment {
        /// The workspace.
        workspace: WorkspaceId,
        /// The entries.
        iter: LevelIter,
        /// What each of them scatters.
        value: Value,
    },
    /// [`Stmt::Drain`] whose entries are one segment of the output.
    DrainSegment {
        /// The workspace.
        workspace: WorkspaceId,
        /// Where.
        at: Var,
        /// What.
        value: Local,
        /// The entry of each.
        entry: Entry,
    },
    /// [`Stmt::Merge`] of two segments in which every coordinate becomes an entry of one segment of the output. All values are
    /// made at each coordinate, and one of them is taken.
    Union {
        /// The coordinate.
        var: Var,
        /// The segments.
        iters: Box<[LevelIter; 2]>,
        /// The index of an entry.
        index: Vec<Int>,
        /// Its coordinate on each level of the output.
        levels: Vec<Int>,
        /// Its value where both segments have the coordinate, where only the second one has it, and where only the first has.
        values: Box<[Value; 3]>,
    },
}

/// An entry that is added to the output.
#[derive(Clone, PartialEq, Debug)]
pub struct Entry {
    /// Its index: a coordinate for each dimension of the output.
    pub index: Vec<Int>,
    /// Its coordinate on each level of the output; with [`OutputMode::Append`] only.
    pub levels: Vec<Int>,
    /// Its value.
    pub value: Value,
}

/// The sums of a row.
#[derive(Clone, PartialEq, Debug)]
pub enum Lanes {
    /// One for each coordinate of a part of an index: `for width in widths { while first + width <= to { ..; first += width } }`.
    Index {
        /// The first coordinate of a strip.
        first: Var,
        /// One past the last coordinate of the index.
        to: Int,
        /// How many lanes strips have, wide ones first; the last ones have one.
        widths: Vec<i64>,
    },
    /// One for each part of a block, in one strip.
    Block {
        /// The size of the block.
        size: i64,
    },
}

/// What is done where exactly these iterators stand.
#[derive(Clone, PartialEq, Debug)]
pub struct Case {
    /// For each iterator whether it stands there.
    pub present: Vec<bool>,
    /// What is done.
    pub body: Block,
}

/// The positions of a level that stores coordinates, one after another.
#[derive(Clone, PartialEq, Debug)]
pub struct LevelIter {
    /// The operand.
    pub operand: OperandId,
    /// Its level.
    pub level: usize,
    /// Which positions.
    pub segment: Segment,
    /// Which digit of what is stored the coordinate is: all of it, unless an index is split that the level does not
    /// split.
    pub digit: Digit<i64>,
    /// What is subtracted from the digit, where a subscript is a sum.
    pub shift: Option<Int>,
    /// The position.
    pub position: Var,
    /// If given, positions with the same coordinate are visited as one, from `position` to before this.
    pub end: Option<Var>,
    /// The coordinate.
    pub coordinate: Var,
}

/// Positions of a level.
#[derive(Clone, PartialEq, Debug)]
pub enum Segment {
    /// Those below a position of the level above.
    Below(Int),
    /// From one to before another: what a group of equal coordinates of the level above leaves to a singleton.
    Group(Var, Var),
}

/// Why a number may lie outside.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Because {
    /// Blocks of this size need not divide the size of this index. Where they do, the number is always inside.
    Blocks(IndexId, i64),
    /// Storage holds positions that stand for no index: the end of a diagonal, padding.
    Padding,
    /// A subscript is a sum, which is outside of the operand for some indices, where it counts as zero.
    Subscript,
}

/// How a loop should run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Hint {
    /// On all threads: iterations write to different elements of the output.
    pub parallel: bool,
    /// In chunks of vector registers.
    pub vectorize: bool,
    /// So many iterations at once.
    pub unroll: Option<usize>,
}
