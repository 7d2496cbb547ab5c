//! The loops of a statement: plain data that the macro turns into Rust, and that can also be interpreted.
//!
//! A **position** numbers an element of a level, as everywhere in sparse storage: position `p` of the last level has the value
//! `values[p]`. Above the first level there is the single position 0. Dense operands are row-major: the position of a value is
//! the number of its index in row-major order. The positions of packed operands are the offsets of their layout.

mod int;
mod stmt;
mod value;
pub(crate) mod visit;

pub use int::Int;
pub use stmt::{
    Because, Body, Case, Entry, Hint, Lanes, LevelIter, PanelFactor, PanelProduct, Segment, Stmt,
};
pub use value::{BinaryOp, UnaryOp, Value};

use crate::sparse::SparseEncoding;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

/// The number of an operand in [`Kernel::operands`].
pub type OperandId = usize;
/// The number of an index of the statement in [`Kernel::indices`].
pub type IndexId = usize;
/// The number of a workspace in [`Kernel::workspaces`].
pub type WorkspaceId = usize;
/// The number of a vector in [`Kernel::vectors`].
pub type VectorId = usize;

/// A whole number that is bound once in each iteration: a coordinate, a position, or the end of a group. Its name is
/// `Kernel::vars[number]`. Two variables that are in scope at the same time have different names.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Var(pub usize);

/// A value that changes: an accumulator. Its name is `Kernel::locals[number]`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Local(pub usize);

/// A statement as loops: the result of [`compile`](super::compile). `Display` prints the loops.
///
/// ```
/// use tensor_layout::sparsify::SparseKernel;
/// let dot: SparseKernel = "fn dot(x: Dense<f64>[i], y: Dense<f64>[i]) -> s: f64 { s += x[i] * y[i] }".parse()?;
/// let kernel = dot.kernel();
/// assert_eq!((&kernel.name[..], &kernel.cost[..], kernel.operands.len()), ("dot", "i", 3));
/// # Ok::<(), tensor_layout::ParseError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Kernel {
    /// The name of the function.
    pub name: String,
    /// The statement as written.
    pub statement: String,
    /// The operands: the parameters in the order of the signature, then the output, then converted operands.
    pub operands: Vec<KernelOperand>,
    /// The number of the output.
    pub output: OperandId,
    /// How the output is written.
    pub result: OutputMode,
    /// How several values that are written to one element of the output are combined.
    pub reduction: Reduction,
    /// Whether the statement adds to values that the output already contains (`+=`).
    pub accumulates: bool,
    /// The indices of the statement with their sizes.
    pub indices: Vec<Index>,
    /// The size of each dimension of the output.
    pub output_shape: Vec<Int>,
    /// Sizes that must agree, which are checked first.
    pub size_checks: Vec<SizeCheck>,
    /// Index arrays whose elements must be within bounds; they are checked after the sizes.
    pub index_checks: Vec<IndexCheck>,
    /// The names of the whole numbers.
    pub vars: Vec<String>,
    /// The names of the accumulators.
    pub locals: Vec<String>,
    /// The workspaces. They are made once, before the loops, and are initially empty.
    pub workspaces: Vec<Workspace>,
    /// The vectors that strips load.
    pub vectors: Vec<Vector>,
    /// Whether the elements are `f32` or `f64`, whose operators are instructions of the CPU.
    pub floats: bool,
    /// The number of bytes of a sum of elements; if only rustc knows their type, the largest usual number.
    pub sum_bytes: i64,
    /// The Rust functions that the statement contains.
    pub functions: Vec<Function>,
    /// If the outermost loop runs in parallel, in parts that write to different elements: the number of rows of the output that
    /// each iteration writes. Rows are coordinates of its first level.
    pub parts: Option<i64>,
    /// The loops.
    pub body: Body,
    /// The cost, in terms of `nnz(a)` and sizes: `nnz(a) * k`.
    pub cost: String,
    /// Notes for the user: the operands that are converted first, and the use of a workspace.
    pub notes: Vec<String>,
}

/// Kernels that share their outermost loop: each iteration runs an iteration of each of them, in order.
#[derive(Clone, Debug)]
pub struct SharedLoop<'k>(pub Vec<&'k Kernel>);

/// The number of iterations of a parallel loop that are added up as one part, if the loop computes a number. It depends only on
/// the total number of iterations, so that the sum does not depend on the number of threads.
#[doc(hidden)]
pub const fn part_of_a_sum(iterations: usize) -> usize {
    let part = iterations.div_ceil(64);
    if part < 256 { 256 } else { part }
}

/// An operand of a kernel: a tensor, or a number.
#[derive(Clone, PartialEq, Debug)]
pub struct KernelOperand {
    /// Its name.
    pub name: String,
    /// How it is stored.
    pub storage: Storage,
    /// The element type: the name of an [`ElementType`](super::ElementType) if it is one of these, otherwise as written.
    pub element: String,
    /// The origin of its values.
    pub origin: Origin,
    /// Whether its values are converted as Rust's `as` does, because the type in which the kernel computes does not hold all of
    /// them.
    pub casts: bool,
    /// For a packed operand or output, its layout as written.
    pub layout: Option<String>,
    /// The part of it that exists while the loops run.
    pub held: Held,
}

/// The part of an operand that exists while the loops run.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Held {
    /// All of it.
    #[default]
    All,
    /// Only the row at the coordinate of the outermost loop, of an array that one kernel computes for other kernels in the same
    /// loop.
    Row,
    /// Only the row, of a sparse tensor with the positions and coordinates of the operand of this name.
    RowOf(String),
}

impl Kernel {
    /// The outermost loop, if the only other statements fill the output: its variable, its end and its body.
    pub fn outermost(&self) -> Option<(Var, &Int, &Body)> {
        let body = match &self.body[..] {
            [Stmt::Fill, rest @ ..] => rest,
            all => all,
        };
        match body {
            [Stmt::Range { var, to, hint: Hint { unroll: None, .. }, body }] => {
                Some((*var, to, body))
            }
            _ => None,
        }
    }

    /// Whether the elements of an operand have another type than those of the output. In that case each of its values is widened by
    /// itself to the type in which the output is computed, and entries at one index are added up in that type.
    pub fn is_mixed(&self, operand: OperandId) -> bool {
        self.operands[operand].element != self.operands[self.output].element
    }
}

/// How an operand is stored.
#[derive(Clone, PartialEq, Debug)]
pub enum Storage {
    /// One value, at position 0.
    Scalar,
    /// All values in row-major order.
    Dense {
        /// The number of dimensions.
        rank: usize,
    },
    /// All values in a tiled layout, read where they are stored. A packed vector or output is [`Storage::Dense`] instead: it is
    /// row-major while the loops run.
    Tiled {
        /// The number of dimensions.
        rank: usize,
    },
    /// The entries in an encoding.
    Sparse(Box<SparseEncoding>),
}

impl Storage {
    /// The number of dimensions.
    pub fn rank(&self) -> usize {
        match self {
            Self::Scalar => 0,
            Self::Dense { rank } | Self::Tiled { rank } => *rank,
            Self::Sparse(encoding) => encoding.rank(),
        }
    }
}

/// The origin of an operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin {
    /// A parameter of the function, by its number.
    Parameter(usize),
    /// The operand is the result of the function.
    Output,
    /// The operand is converted before the loops: it has the sizes and the entries of another operand, including zeros that the
    /// other encoding adds. Entries at the same index are summed.
    Converted(OperandId),
}

/// How the output is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OutputMode {
    /// Every position exists from the start, with the identity of the reduction as its value, and [`Stmt::Store`] writes to
    /// positions. Used for dense outputs, numbers, and encodings whose levels are all full.
    Positions,
    /// [`Stmt::Append`] adds entries in storage order, each once.
    Append,
    /// [`Stmt::Append`] adds entries in any order; they are sorted at the end. Several entries at one index are reduced.
    Collect {
        /// Whether there is at most one entry at each index.
        unique: bool,
    },
    /// The output has the positions and coordinates of an operand. [`Stmt::Store`] writes to positions, whose values are initially
    /// the identity of the reduction. (Padding that no iteration reaches must be zero at the end.)
    Pattern(OperandId),
}

/// How several values are combined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reduction {
    /// `+=`, from 0.
    Sum,
    /// `*=`, from 1.
    Product,
    /// `min=`, from the largest value.
    Min,
    /// `max=`, from the smallest value.
    Max,
    /// A Rust function of two values, `Kernel::functions[function]`, starting from a Rust value.
    Custom {
        /// The function.
        function: usize,
        /// The function without arguments that returns the identity, or the identity itself.
        identity: usize,
    },
}

/// A Rust function in the statement: a path or a closure, as written. A function without arguments can also be a value: a
/// number, a constant, or another expression.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Function {
    /// Its text.
    pub text: String,
    /// The number of arguments.
    pub arity: usize,
}

/// An index of the statement, such as `i`, and its size.
#[derive(Clone, PartialEq, Debug)]
pub struct Index {
    /// Its name, or the text of an element of an index array: `p[j]`.
    pub name: String,
    /// Its size, in terms of [`Int::DimSize`] of parameters; never negative.
    pub size: Int,
}

impl Index {
    /// Whether the index is an element of an index array instead of a loop.
    pub fn is_element(&self) -> bool {
        self.name.ends_with(']')
    }
}

/// Two sizes that must agree.
#[derive(Clone, PartialEq, Debug)]
pub struct SizeCheck {
    /// The index whose size it is.
    pub index: IndexId,
    /// An operand with a dimension that must have the same size.
    pub operand: OperandId,
    /// The number of that dimension.
    pub dim: usize,
}

/// An index array whose elements must all be at least 0 and less than a size.
#[derive(Clone, PartialEq, Debug)]
pub struct IndexCheck {
    /// The index array.
    pub operand: OperandId,
    /// The index that the elements are values of; its size is the bound.
    pub index: IndexId,
}

/// An array of values to which other values are scattered. Initially, each is the identity of the reduction.
#[derive(Clone, PartialEq, Debug)]
pub struct Workspace {
    /// Its name.
    pub name: String,
    /// The number of values.
    pub size: Int,
    /// Whether it records the positions that were scattered to, which [`Stmt::Drain`] needs.
    pub tracked: bool,
}

/// Values of an operand that start at a position and are loaded at once.
#[derive(Clone, PartialEq, Debug)]
pub struct Vector {
    /// Its name. Another vector with the same name is loaded only when this one is no longer needed.
    pub name: String,
    /// The operand.
    pub operand: OperandId,
    /// The number of values.
    pub len: VectorLen,
}

/// The number of values of a vector.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum VectorLen {
    /// One value, which all lanes use.
    One,
    /// One value for each lane of the strip.
    Lanes,
    /// A constant number: all values of a block.
    Fixed(i64),
}
