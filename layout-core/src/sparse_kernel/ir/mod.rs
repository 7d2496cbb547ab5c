//! The loops that a statement becomes: plain data, which the macro turns into Rust, and which can be run as it is.
//!
//! A **place** numbers an element of a level, as everywhere in sparse storage: place `p` of the last level has value
//! `values[p]`. Above the first level there is the one place 0. Dense operands are row-major: their value at an index
//! is at the place that the index has in row-major order.

use crate::sparse::SparseEncoding;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

/// Number of an operand in [`Kernel::operands`].
pub type OperandId = usize;
/// Number of an index of the statement in [`Kernel::indices`].
pub type IndexId = usize;
/// Number of a workspace in [`Kernel::workspaces`].
pub type WorkspaceId = usize;

/// A whole number that is bound once in each iteration: a coordinate, a place, the end of a group. Its name is
/// `Kernel::vars[number]`; no two that are visible at the same time have the same name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Var(pub usize);

/// A value that changes: an accumulator. Its name is `Kernel::locals[number]`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Local(pub usize);

/// A statement as loops.
#[derive(Clone, PartialEq, Debug)]
pub struct Kernel {
    /// The name of the function.
    pub name: String,
    /// The statement as written.
    pub statement: String,
    /// The operands: the parameters in the order of the signature, then the output, then what is converted.
    pub operands: Vec<Operand>,
    /// Which one is the output.
    pub output: OperandId,
    /// How the output comes about.
    pub result: OutputMode,
    /// How several contributions to one element of the output become one.
    pub reduction: Reduction,
    /// Whether the statement adds to what the output holds (`+=`), should it hold something.
    pub accumulates: bool,
    /// The indices of the statement with their sizes.
    pub indices: Vec<Index>,
    /// The size of each dimension of the output.
    pub output_shape: Vec<Int>,
    /// Sizes that must agree for the statement to make sense, to be checked before everything else.
    pub size_checks: Vec<SizeCheck>,
    /// Names of the whole numbers.
    pub vars: Vec<String>,
    /// Names of the accumulators.
    pub locals: Vec<String>,
    /// The workspaces, made once before the loops, all empty.
    pub workspaces: Vec<Workspace>,
    /// The functions that the expression calls and that are not known by name.
    pub functions: Vec<Function>,
    /// The loops.
    pub body: Block,
    /// What it costs, in terms of `nnz(a)` and sizes: `nnz(a) * k`.
    pub cost: String,
    /// What a user should know: what is converted first, where a workspace is used.
    pub notes: Vec<String>,
}

/// A tensor, or a number.
#[derive(Clone, PartialEq, Debug)]
pub struct Operand {
    /// Its name.
    pub name: String,
    /// How it is stored.
    pub storage: Storage,
    /// Where it comes from.
    pub origin: Origin,
}

/// How an operand is stored.
#[derive(Clone, PartialEq, Debug)]
pub enum Storage {
    /// One value: at place 0.
    Scalar,
    /// All values in row-major order.
    Dense {
        /// Number of dimensions.
        rank: usize,
    },
    /// As an encoding says.
    Sparse(Box<SparseEncoding>),
}

impl Storage {
    /// Number of dimensions.
    pub fn rank(&self) -> usize {
        match self {
            Self::Scalar => 0,
            Self::Dense { rank } => *rank,
            Self::Sparse(encoding) => encoding.rank(),
        }
    }
}

/// Where an operand comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin {
    /// It is parameter number so and so of the function.
    Parameter(usize),
    /// It is returned.
    Output,
    /// It is made before the loops: the entries of another operand, zeros that its encoding stores for itself among them, in
    /// this one's encoding, entries at the same index summed. Sizes are the same.
    Converted(OperandId),
}

/// How the output comes about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OutputMode {
    /// Every place exists from the start, holding the identity of the reduction; [`Stmt::Store`] writes to places. For
    /// dense outputs, numbers, and encodings whose levels are all full.
    Places,
    /// [`Stmt::Append`] adds entries in storage order, each once.
    Append,
    /// [`Stmt::Append`] adds entries in any order: sorted and built at the end. Several at one index are reduced.
    Collect {
        /// Whether there is at most one entry at each index.
        unique: bool,
    },
    /// The output has positions and coordinates of an operand; [`Stmt::Store`] writes to places, which hold the
    /// identity of the reduction at first (padding that no iteration reaches must end as zero).
    Pattern(OperandId),
}

/// How several values become one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reduction {
    /// `+=`, from 0.
    Sum,
    /// `*=`, from 1.
    Product,
    /// `min=`, from the largest value.
    Min,
    /// `max=`, from the least value.
    Max,
    /// A function of two values that is written out, `Kernel::functions[function]`, from a value that is written out.
    Custom {
        /// The function.
        function: usize,
        /// The function without arguments that gives its identity, or a value.
        identity: usize,
    },
}

/// A function that is written in the statement: a path or a closure, as written. One without arguments may be a value as well:
/// a number, a constant, or another expression.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Function {
    /// Its text.
    pub text: String,
    /// Number of arguments.
    pub arity: usize,
}

/// An index of the statement.
#[derive(Clone, PartialEq, Debug)]
pub struct Index {
    /// Its name.
    pub name: String,
    /// Its size, in terms of [`Int::DimSize`] of parameters; never below zero.
    pub size: Int,
}

/// Two sizes that must agree.
#[derive(Clone, PartialEq, Debug)]
pub struct SizeCheck {
    /// The index whose size it is.
    pub index: IndexId,
    /// A dimension that has it too.
    pub operand: OperandId,
    /// Its number.
    pub dim: usize,
}

/// A whole number. Only differences and shifted coordinates can be below zero.
#[derive(Clone, PartialEq, Debug)]
pub enum Int {
    /// A number.
    Const(i64),
    /// A bound one.
    Var(Var),
    /// The size of an index.
    Size(IndexId),
    /// The size of a dimension of an operand.
    DimSize(OperandId, usize),
    /// How many coordinates a level has: the factor in the places of a full level.
    LevelSize(OperandId, usize),
    /// The least coordinate of a level; below zero for diagonals.
    LevelLeast(OperandId, usize),
    /// A sum.
    Add(Box<Int>, Box<Int>),
    /// A difference.
    Sub(Box<Int>, Box<Int>),
    /// A product.
    Mul(Box<Int>, Box<Int>),
    /// A quotient, rounded down, by a positive number.
    Div(Box<Int>, i64),
    /// What is left, from 0, by a positive number.
    Rem(Box<Int>, i64),
    /// The larger one.
    Max(Box<Int>, Box<Int>),
}

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
    /// One iterator drives: `for (place, coordinate) in level { body }`.
    Walk {
        /// The places that are visited.
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
    /// Looks for a coordinate among the places of a level that stores coordinates in order.
    Find {
        /// The operand.
        operand: OperandId,
        /// Its level.
        level: usize,
        /// Where to look.
        segment: Segment,
        /// What to look for.
        coordinate: Int,
        /// The first place that has it, in `found`.
        place: Var,
        /// One past the last place that has it, if the level may store it several times.
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
    /// Writes the output at a place.
    Store {
        /// The place.
        at: Int,
        /// Whether the value is reduced with the one that is there.
        reduce: bool,
        /// What is written.
        value: Value,
    },
    /// Adds an entry to an output without places.
    Append {
        /// Its index: a coordinate for each dimension of the output.
        index: Vec<Int>,
        /// Its coordinate on each level of the output; with [`OutputMode::Append`] only.
        levels: Vec<Int>,
        /// Its value.
        value: Value,
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
}

/// What is done where exactly these iterators stand.
#[derive(Clone, PartialEq, Debug)]
pub struct Case {
    /// For each iterator whether it stands there.
    pub present: Vec<bool>,
    /// What is done.
    pub body: Block,
}

/// The places of a level that stores coordinates, one after another.
#[derive(Clone, PartialEq, Debug)]
pub struct LevelIter {
    /// The operand.
    pub operand: OperandId,
    /// Its level.
    pub level: usize,
    /// Which places.
    pub segment: Segment,
    /// The coordinate is `((stored floordiv div) mod modulus) - shift`: 1, nothing and 0 but where an index is split
    /// that the level does not split, or where a subscript is a sum.
    pub div: i64,
    /// See `div`.
    pub modulus: Option<i64>,
    /// See `div`.
    pub shift: Option<Int>,
    /// The place.
    pub place: Var,
    /// If given, places with the same coordinate are visited as one, from `place` to before this.
    pub end: Option<Var>,
    /// The coordinate.
    pub coordinate: Var,
}

/// Places of a level.
#[derive(Clone, PartialEq, Debug)]
pub enum Segment {
    /// Those below a place of the level above.
    Below(Int),
    /// From one to before another: what a group of equal coordinates of the level above leaves to a singleton.
    Group(Var, Var),
}

/// Why a number may lie outside.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Because {
    /// Blocks of this size need not divide the size of this index. Where they do, the number is always inside.
    Blocks(IndexId, i64),
    /// Storage holds places that stand for no index: the end of a diagonal, padding.
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

/// Values at hand, all of them the identity of the reduction when there is nothing.
#[derive(Clone, PartialEq, Debug)]
pub struct Workspace {
    /// Its name.
    pub name: String,
    /// How many values.
    pub size: Int,
    /// Whether it knows which ones were scattered to, as [`Stmt::Drain`] needs.
    pub tracked: bool,
}

/// What has the type of the elements.
#[derive(Clone, PartialEq, Debug)]
pub enum Value {
    /// A number as written.
    Literal(String),
    /// Zero.
    Zero,
    /// The identity of the reduction.
    Identity,
    /// What an operand holds at a place.
    Load {
        /// The operand.
        operand: OperandId,
        /// The place.
        at: Int,
    },
    /// The sum of what an operand holds at several places: entries at the same index.
    LoadSum {
        /// The operand.
        operand: OperandId,
        /// The first place.
        from: Var,
        /// One past the last.
        to: Var,
    },
    /// What an accumulator holds.
    Local(Local),
    /// What a workspace holds.
    Workspace {
        /// The workspace.
        workspace: WorkspaceId,
        /// Where.
        at: Int,
    },
    /// A whole number as a value.
    Index(Int),
    /// A function of one value.
    Unary(UnaryOp, Box<Value>),
    /// A function of two values.
    Binary(BinaryOp, Box<Value>, Box<Value>),
    /// `if condition is not zero { .. } else { .. }`
    Select(Box<Value>, Box<Value>, Box<Value>),
    /// A function that is written in the statement.
    Call(usize, Vec<Value>),
}

/// A function of one value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "named as the methods of Rust's floats are")]
pub enum UnaryOp {
    Neg,
    Abs,
    Sqrt,
    Exp,
    Exp2,
    ExpM1,
    Ln,
    Ln1p,
    Log2,
    Log10,
    Sin,
    Cos,
    Tan,
    Asin,
    Atan,
    Sinh,
    Cosh,
    Tanh,
    Ceil,
    Floor,
    Round,
    Trunc,
    Recip,
    /// -1, 0 or 1.
    Signum,
}

/// A function of two values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "comparisons give 1 or 0")]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    Min,
    Max,
    Pow,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    NotEqual,
}
