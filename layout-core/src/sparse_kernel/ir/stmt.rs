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
        /// One past the last.
        to: Int,
        /// How it should run.
        hint: Hint,
        /// The body.
        body: Body,
    },
    /// One iterator drives: `for (position, coordinate) in level { body }`.
    Entries {
        /// The positions that are visited.
        iter: LevelIter,
        /// How it should run.
        hint: Hint,
        /// The body.
        body: Body,
    },
    /// Merges several iterators over the same coordinate, in ascending order. At each coordinate at most one case runs: the
    /// one whose `present` are exactly the iterators that have the coordinate.
    Merge {
        /// The coordinate. Each iterator also binds its own variables, in the cases where it is present.
        var: Var,
        /// The iterators.
        iters: Vec<LevelIter>,
        /// If given, every coordinate from 0 to below this is visited; if not, those that some iterator has.
        range: Option<Int>,
        /// The cases.
        cases: Vec<Case>,
        /// Whether the iterators gallop (search in steps that double) to a common coordinate. Only if the single case needs
        /// all of them.
        gallop: bool,
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
        /// The first position that has it, in `found`.
        position: Var,
        /// One past the last position that has it, if the level may store it several times.
        end: Option<Var>,
        /// What runs if it is found.
        found: Body,
        /// What runs if it is not found.
        absent: Body,
    },
    /// `if 0 <= value < limit { then } else { otherwise }`
    Inside {
        /// The number that is compared.
        value: Int,
        /// One past the largest.
        limit: Int,
        /// Why the number may be out of bounds.
        because: Because,
        /// What runs if it is within bounds.
        then: Body,
        /// What runs if it is not.
        otherwise: Body,
    },
    /// `if condition is not zero { then }`
    When {
        /// The condition.
        condition: Value,
        /// What runs if it is not zero.
        then: Body,
    },
    /// `let mut local = value;`
    Local {
        /// The accumulator.
        local: Local,
        /// Its first value.
        value: Value,
    },
    /// `local += value`, or another reduction. Also records for [`Stmt::IfTouched`] that something was accumulated.
    Accumulate {
        /// The accumulator.
        local: Local,
        /// The value that is added.
        value: Value,
    },
    /// Runs `then` if something was accumulated in `local` since it was declared.
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
        /// Whether the value is reduced with the one that the output holds there.
        reduce: bool,
        /// The value that is written.
        value: Value,
    },
    /// Adds an entry to an output that has no positions yet.
    Append(Entry),
    /// Reduces `term` over the entries of a level and adds the result to an accumulator, with four sums at once: entry `n` is
    /// added to sum `n mod 4`.
    Gather {
        /// The accumulator.
        local: Local,
        /// The entries.
        iter: LevelIter,
        /// How the schedule asks for them to run.
        hint: Hint,
        /// The vectors that the term reads at the coordinate.
        vectors: Vec<OperandId>,
        /// The value that each entry adds. It reads the operand at the position, the vectors at the coordinate, and values that
        /// do not change in the loop.
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
    /// Visits the positions of a workspace that were scattered to, in ascending order, and empties it.
    Drain {
        /// The workspace.
        workspace: WorkspaceId,
        /// Where.
        at: Var,
        /// What.
        value: Local,
        /// What runs for each of them.
        body: Body,
    },
    /// Sets all values of a workspace that is not `tracked` to the identity.
    Clear {
        /// The workspace.
        workspace: WorkspaceId,
    },
    /// Sets all values of a dense output to the identity.
    Fill,
    /// `if size(index) % block == 0 { then } else { otherwise }`, for all of these blocks at once.
    IfDivides {
        /// The indices, and the sizes of their blocks.
        blocks: Vec<(IndexId, i64)>,
        /// What runs if all of them divide.
        then: Body,
        /// What runs if not.
        otherwise: Body,
    },
    /// Runs the body, which computes the product of two matrices. The macro computes it from a copy of the dense one in panels where
    /// that is faster: each sum adds the same terms in the same order.
    Panels {
        /// The product.
        product: PanelProduct,
        /// The loops.
        body: Body,
    },
    /// Makes rows of sums, all of them the identity, for the body to add to and to write.
    Strips {
        /// The sums of a row.
        lanes: Lanes,
        /// The number of rows.
        rows: i64,
        /// If given, the rows of a block are computed group by group: the number of a group, and the number of groups. The
        /// body runs for each group, with sums of its own.
        groups: Option<(Var, i64)>,
        /// What runs for each strip.
        body: Body,
    },
    /// `for lane in 0..LANES { body }`
    Lanes {
        /// The lane.
        lane: Var,
        /// What runs for each lane.
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
    /// Writes a row of sums to as many elements of the output.
    StoreLanes {
        /// The position of the first one.
        at: Int,
        /// The variable of the lane.
        lane: Var,
        /// The row.
        row: Int,
        /// Whether the sums are reduced with the values that the output holds there.
        reduce: bool,
    },
    /// Loads a vector.
    Vector {
        /// The vector.
        vector: VectorId,
        /// The position of its first value.
        at: Int,
    },
    /// Prefetches the lanes of an operand that an entry a few entries later reads.
    Prefetch {
        /// The operand whose entries are visited.
        operand: OperandId,
        /// Its level.
        level: usize,
        /// The position of this entry.
        position: Var,
        /// The variable for the coordinate of the later entry.
        coordinate: Var,
        /// The operand that is read.
        of: OperandId,
        /// The position where it is read.
        at: Int,
    },
    /// Prefetches the segment of an operand that an entry a few entries later reads.
    PrefetchBelow {
        /// The operand whose entries are visited.
        operand: OperandId,
        /// Its level.
        level: usize,
        /// The position of this entry.
        position: Var,
        /// The operand whose segment is read, and its level, the last one.
        below: (OperandId, usize),
    },
    /// [`Stmt::Scatter`] for each entry of an ordered segment, to its coordinate.
    ScatterSegment {
        /// The workspace.
        workspace: WorkspaceId,
        /// The entries.
        iter: LevelIter,
        /// The value that each of them scatters.
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
        /// The entry that is appended for each position.
        entry: Entry,
    },
    /// [`Stmt::Merge`] of two segments in which every coordinate becomes an entry of one segment of the output. All three
    /// values are computed at each coordinate, and one of them is selected.
    Union {
        /// The coordinate.
        var: Var,
        /// The segments.
        iters: Box<[LevelIter; 2]>,
        /// The index of an entry.
        index: Vec<Int>,
        /// Its coordinate on each level of the output.
        levels: Vec<Int>,
        /// Its values where both segments have the coordinate, where only the second has it, and where only the first has it.
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
    /// What its levels have.
    pub factor: PanelFactor,
    /// The dense matrix.
    pub dense: OperandId,
}

/// What the levels of a sparse matrix have that is multiplied by panels.
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
    /// Some of each few columns: `i : dense, j floordiv of : dense, j mod of : structured[stored, of]`.
    Structured {
        /// The number of columns that are stored.
        stored: usize,
        /// Of so many.
        of: usize,
    },
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
        /// The numbers of lanes of the strips, from the widest to 1.
        widths: Vec<i64>,
    },
    /// One for each part of a block, in one strip.
    Block {
        /// The size of the block.
        size: i64,
    },
}

/// What a merge runs at the coordinates that exactly these iterators have.
#[derive(Clone, PartialEq, Debug)]
pub struct Case {
    /// For each iterator, whether it has the coordinate.
    pub present: Vec<bool>,
    /// The body.
    pub body: Body,
}

/// The positions of a level that stores coordinates, one after another.
#[derive(Clone, PartialEq, Debug)]
pub struct LevelIter {
    /// The operand.
    pub operand: OperandId,
    /// Its level.
    pub level: usize,
    /// The positions.
    pub segment: Segment,
    /// The digit of the stored coordinate that is the coordinate: all of it, unless an index is split that the level does
    /// not split.
    pub digit: Digit<i64>,
    /// The number that is subtracted from the digit, if the subscript is a sum.
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
    /// From one position to before another: the positions of a singleton below a group of equal coordinates.
    Group(Var, Var),
}

/// Why a number may be out of bounds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Because {
    /// Blocks of this size need not divide the size of this index. Where they do, the number is always within bounds.
    Blocks(IndexId, i64),
    /// The level stores positions that have no index: the end of a diagonal, or padding.
    Padding,
    /// A subscript is a sum, which for some indices is out of bounds of the operand. There the operand counts as zero.
    Subscript,
}

/// How a loop should run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Hint {
    /// On all threads: iterations write to different elements of the output.
    pub parallel: bool,
    /// In chunks of vector registers.
    pub vectorize: bool,
    /// Unrolled, with so many copies of the body.
    pub unroll: Option<usize>,
}
