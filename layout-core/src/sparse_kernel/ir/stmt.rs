//! Statements, and their parts.

use super::*;
use crate::parts::Digit;
use alloc::boxed::Box;
use alloc::vec::Vec;

/// Statements one after another.
pub type Body = Vec<Stmt>;

/// A statement.
#[derive(Clone, PartialEq, Debug)]
pub enum Stmt {
    /// `let var = value;`
    Let {
        /// The variable.
        var: Var,
        /// Its value.
        value: Int,
    },
    /// `for var in 0..to { body }`
    Range {
        /// The coordinate.
        var: Var,
        /// One past the last coordinate.
        to: Int,
        /// How it should run.
        hint: Hint,
        /// The body.
        body: Body,
    },
    /// A loop that one iterator drives: `for (position, coordinate) in level { body }`.
    Entries {
        /// The positions that are visited.
        iter: LevelIter,
        /// How it should run.
        hint: Hint,
        /// The body.
        body: Body,
    },
    /// Merges several iterators over the same coordinate, in ascending order. At most one case runs at each coordinate: the case
    /// whose `present` lists exactly the iterators that have the coordinate. `a[i] + b[i]` has three cases: both, only `a`, only
    /// `b`; `a[i] * b[i]` has only the first.
    Merge {
        /// The coordinate. Each iterator also binds its own variables, in the cases in which it is present.
        var: Var,
        /// The iterators.
        iters: Vec<LevelIter>,
        /// If set, every coordinate from 0 to one less than this is visited; otherwise, only those that some iterator has.
        range: Option<Int>,
        /// The cases.
        cases: Vec<Case>,
        /// Whether the iterators gallop (search in steps that double) to a common coordinate. This is only allowed if the single
        /// case requires all of them.
        gallop: bool,
        /// The iterator whose coordinates are marked, so that those of the other one are looked up. It is set only if each case
        /// requires the other iterator, and if the loop around the merge visits the same segment in all iterations.
        marked: Option<usize>,
        /// How it should run.
        hint: Hint,
    },
    /// Searches for a coordinate among the positions of a level that stores coordinates in order.
    Find {
        /// The operand.
        operand: OperandId,
        /// Its level.
        level: usize,
        /// The positions to search.
        segment: Segment,
        /// The coordinate to search for.
        coordinate: Int,
        /// The first position with the coordinate, for use in `found`.
        position: Var,
        /// One past the last position with the coordinate, if the level may store it several times.
        end: Option<Var>,
        /// The body that runs if it is found.
        found: Body,
        /// The body that runs if it is not found.
        absent: Body,
    },
    /// `if 0 <= value < limit { then } else { otherwise }`
    Inside {
        /// The number that is compared.
        value: Int,
        /// One past the largest allowed number.
        limit: Int,
        /// Why the number may be out of bounds.
        because: Because,
        /// The body that runs if it is within bounds.
        then: Body,
        /// The body that runs if it is not.
        otherwise: Body,
    },
    /// `if condition is not zero { then }`
    When {
        /// The condition.
        condition: Value,
        /// The body that runs if it is not zero.
        then: Body,
    },
    /// `let mut local = value;`
    Local {
        /// The accumulator.
        local: Local,
        /// Its initial value.
        value: Value,
    },
    /// `local += value`, or another reduction. Also records that something was accumulated, for [`Stmt::IfTouched`].
    Accumulate {
        /// The accumulator.
        local: Local,
        /// The value that is added.
        value: Value,
    },
    /// Runs `then` if something was accumulated in `local` after its declaration.
    IfTouched {
        /// The accumulator.
        local: Local,
        /// The body.
        then: Body,
    },
    /// Writes the output at a position.
    Store {
        /// The position.
        at: Int,
        /// Whether the value is reduced with the value of the output at that position.
        reduce: bool,
        /// The value that is written.
        value: Value,
    },
    /// Adds an entry to an output that has no positions from the start.
    Append(Entry),
    /// Reduces `term` over the entries of a level, in four sums at once, and adds the result to an accumulator: entry `n` is
    /// added to sum `n mod 4`.
    Gather {
        /// The accumulator.
        local: Local,
        /// The entries.
        iter: LevelIter,
        /// How the entries should be visited, according to the schedule.
        hint: Hint,
        /// The vectors that the term reads at the coordinate.
        vectors: Vec<OperandId>,
        /// The value that each entry adds. It reads the operand at the position, the vectors at the coordinate, and values that
        /// do not change in the loop.
        term: Value,
    },
    /// Reduces a value with a value of a workspace.
    Scatter {
        /// The workspace.
        workspace: WorkspaceId,
        /// The position.
        at: Int,
        /// The value.
        value: Value,
    },
    /// Visits the positions of a workspace that were scattered to, in ascending order, and empties it.
    Drain {
        /// The workspace.
        workspace: WorkspaceId,
        /// The variable for the position.
        at: Var,
        /// The accumulator for the value.
        value: Local,
        /// The body that runs for each position.
        body: Body,
    },
    /// Sets all values of a dense output to the identity.
    Fill,
    /// `if size(index) % block == 0 { then } else { otherwise }`, with this condition for all `blocks` at once.
    IfDivides {
        /// The indices, and the sizes of their blocks.
        blocks: Vec<(IndexId, i64)>,
        /// The body that runs if all of them divide.
        then: Body,
        /// The body that runs if not.
        otherwise: Body,
    },
    /// Runs the body, which computes the product of two matrices. If it is faster, the macro computes the product from a copy of
    /// the dense matrix in panels; each sum still adds the same terms in the order of the columns, but a product is added with one
    /// rounding, and products of `bf16` may be added in pairs.
    Panels {
        /// The product.
        product: PanelProduct,
        /// The loops.
        body: Body,
    },
    /// Makes rows of sums, each initially the identity; the body adds to them and writes them.
    Strips {
        /// The sums of a row.
        lanes: Lanes,
        /// The number of rows.
        rows: i64,
        /// If set, the rows of a block are computed group by group: the variable for the number of the group, and the number of
        /// groups. The body runs for each group, with separate sums.
        groups: Option<(Var, i64)>,
        /// The body that runs for each strip.
        body: Body,
    },
    /// `for lane in 0..LANES { body }`
    Lanes {
        /// The lane.
        lane: Var,
        /// The body, which runs for each lane.
        body: Body,
    },
    /// `sums[row][lane] += value`
    Add {
        /// The row.
        row: Int,
        /// The lane.
        lane: Int,
        /// The value that is added.
        value: Value,
    },
    /// Writes a row of sums to consecutive elements of the output.
    StoreLanes {
        /// The position of the first element.
        at: Int,
        /// The variable of the lane.
        lane: Var,
        /// The row.
        row: Int,
        /// Whether the sums are reduced with the values of the output at these positions.
        reduce: bool,
    },
    /// Loads a vector.
    Vector {
        /// The vector.
        vector: VectorId,
        /// The position of its first value.
        at: Int,
    },
    /// Prefetches the lanes of an operand that a slightly later entry will read.
    Prefetch {
        /// The operand whose entries are visited.
        operand: OperandId,
        /// Its level.
        level: usize,
        /// The position of this entry.
        position: Var,
        /// The variable for the coordinate of the later entry.
        coordinate: Var,
        /// The operand that will be read.
        of: OperandId,
        /// The position at which it will be read.
        at: Int,
    },
    /// Prefetches the segment of an operand that a slightly later entry will read.
    PrefetchBelow {
        /// The operand whose entries are visited.
        operand: OperandId,
        /// Its level.
        level: usize,
        /// The position of this entry.
        position: Var,
        /// The operand whose segment will be read, and its level, which is the last one.
        below: (OperandId, usize),
    },
    /// [`Stmt::Scatter`] for each entry of an ordered segment, to its coordinate.
    ScatterSegment {
        /// The workspace.
        workspace: WorkspaceId,
        /// The entries.
        iter: LevelIter,
        /// The value that is scattered for each of them.
        value: Value,
    },
    /// [`Stmt::Drain`] whose entries are one segment of the output.
    DrainSegment {
        /// The workspace.
        workspace: WorkspaceId,
        /// The variable for the position.
        at: Var,
        /// The accumulator for the value.
        value: Local,
        /// The entry that is appended for each position.
        entry: Entry,
    },
    /// [`Stmt::Merge`] of two segments in which every coordinate becomes an entry of one segment of the output. At each
    /// coordinate all three values are computed, and one of them is selected.
    Union {
        /// The coordinate.
        var: Var,
        /// The segments.
        iters: Box<[LevelIter; 2]>,
        /// The index of an entry.
        index: Vec<Int>,
        /// Its coordinate on each level of the output.
        levels: Vec<Int>,
        /// The values at coordinates that both segments have, that only the second has, and that only the first has, in this order.
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

/// The product of a sparse matrix and a dense one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PanelProduct {
    /// The sparse matrix.
    pub sparse: OperandId,
    /// The structure of its levels.
    pub factor: PanelFactor,
    /// The dense matrix.
    pub dense: OperandId,
}

/// The structure of the levels of a sparse matrix that is multiplied by panels.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PanelFactor {
    /// Blocks of some rows and columns: `i floordiv rows : dense, j floordiv columns : compressed, i mod rows : dense,
    /// j mod columns : dense`.
    Blocks {
        /// The number of rows of a block.
        rows: usize,
        /// The number of its columns.
        columns: usize,
    },
    /// Some columns of each group: `i : dense, j floordiv of : dense, j mod of : structured[stored, of]`.
    Structured {
        /// The number of columns that are stored.
        stored: usize,
        /// The number of columns of a group.
        of: usize,
    },
}

/// The sums of a row.
#[derive(Clone, PartialEq, Debug)]
pub enum Lanes {
    /// One sum for each coordinate of a part of an index: `for width in widths { while first + width <= to { ..; first += width
    /// } }`.
    Index {
        /// The first coordinate of a strip.
        first: Var,
        /// One past the last coordinate of the index.
        to: Int,
        /// The numbers of lanes of the strips, from the widest to 1. With widths 32, 8 and 1, the strips of 50 coordinates are
        /// 32, 8, 8, 1 and 1 lanes wide.
        widths: Vec<i64>,
    },
    /// One sum for each part of a block, in one strip.
    Block {
        /// The size of the block.
        size: i64,
    },
}

/// The body of a merge at the coordinates that exactly these iterators have.
#[derive(Clone, PartialEq, Debug)]
pub struct Case {
    /// For each iterator, whether it has the coordinate.
    pub present: Vec<bool>,
    /// The body.
    pub body: Body,
}

/// Consecutive positions of a level that stores coordinates.
#[derive(Clone, PartialEq, Debug)]
pub struct LevelIter {
    /// The operand.
    pub operand: OperandId,
    /// Its level.
    pub level: usize,
    /// The positions.
    pub segment: Segment,
    /// The digit of the stored coordinate that is the coordinate of the loop. It is the whole coordinate, unless the loops split an
    /// index that the level does not split.
    pub digit: Digit<i64>,
    /// The number that is subtracted from the digit, if the subscript is a sum: `i` if the loop over `k` iterates `a[i + k]`.
    pub shift: Option<Int>,
    /// The position.
    pub position: Var,
    /// If set, positions with the same coordinate are visited as one, from `position` to one before this variable.
    pub end: Option<Var>,
    /// The coordinate.
    pub coordinate: Var,
}

/// Positions of a level.
#[derive(Clone, PartialEq, Debug)]
pub enum Segment {
    /// The positions below a position of the level above.
    Below(Int),
    /// From one position up to another, excluding it: the positions of a singleton level below a group of equal coordinates.
    Group(Var, Var),
}

/// Why a number may be out of bounds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Because {
    /// Blocks of this size need not divide the size of this index. If they do, the number is never out of bounds.
    Blocks(IndexId, i64),
    /// The level stores positions that belong to no index: the end of a diagonal, or padding.
    Padding,
    /// A subscript is a sum, which is out of bounds of the operand for some indices. There the value of the operand is zero.
    Subscript,
}

/// How a loop should run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Hint {
    /// On all threads: iterations write to different elements of the output.
    pub parallel: bool,
    /// In chunks of vector registers.
    pub vectorize: bool,
    /// Unrolled, with this number of copies of the body.
    pub unroll: Option<usize>,
}
