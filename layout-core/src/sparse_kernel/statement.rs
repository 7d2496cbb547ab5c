//! A statement in index notation, with its names resolved.

use super::ir::{BinaryOp, Function, IndexId, OperandId, Reduction, Storage, UnaryOp};
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

/// Number of an access in [`Statement::accesses`].
pub type AccessId = usize;

/// A statement with everything that it is about.
#[derive(Clone, PartialEq, Debug)]
pub struct Statement {
    /// The name of the function.
    pub name: String,
    /// The statement as written.
    pub text: String,
    /// The parameters, then the output.
    pub operands: Vec<OperandSpec>,
    /// The names of the indices that the statement uses.
    pub indices: Vec<String>,
    /// The sizes that the schedule gives.
    pub sizes: Vec<Option<usize>>,
    /// Where the output is written.
    pub target: Vec<Subscript>,
    /// How several values become one.
    pub reduction: Reduction,
    /// Whether the statement adds to what the output holds.
    pub accumulates: bool,
    /// What is read where: each distinct access once.
    pub accesses: Vec<Access>,
    /// What is written.
    pub value: Expr,
    /// Only where this is not zero, if it is given.
    pub guard: Option<Expr>,
    /// Whether the elements are `f32` or `f64`.
    pub floats: bool,
    /// The functions that are written out.
    pub functions: Vec<Function>,
    /// How the loops should run.
    pub schedule: Schedule,
}

impl Statement {
    /// The number of the output among the operands.
    pub fn output(&self) -> OperandId {
        self.operands.len() - 1
    }

    /// How the operand of an access is stored.
    pub fn storage(&self, access: AccessId) -> &Storage {
        &self.operands[self.accesses[access].operand].storage
    }

    /// How the output is stored.
    pub fn storage_of_output(&self) -> &Storage {
        &self.operands[self.output()].storage
    }

    /// Whether `value`, where `guard` is not zero, adds up over entries of `access` at one index: those may then be visited
    /// one by one, although together they are one element. The largest of them is not the largest of sums, and a guard that
    /// sees each of them does not see the sum.
    pub(super) fn adds_up(&self, access: AccessId, value: &Expr, guard: Option<&Expr>) -> bool {
        self.reduction == Reduction::Sum
            && value.is_plainly(access)
            && guard.is_none_or(|guard| !guard.reads(access))
    }

    /// Whether entries of `access` may be visited one by one although two of them, in two slots of a row, may be one element:
    /// a sum takes multiples of them, where nothing else depends on them. Those are the same as the multiple of the sum, up to
    /// rounding; where the factor is infinite, each of them counts.
    pub(super) fn distributes(&self, access: AccessId) -> bool {
        self.reduction == Reduction::Sum
            && self.value.is_multiple(access)
            && self.guard.as_ref().is_none_or(|guard| !guard.reads(access))
    }

    /// Whether an index is an index of the output.
    pub fn is_output_index(&self, index: IndexId) -> bool {
        self.target.iter().any(|subscript| subscript.contains(index))
    }
}

/// An operand of the signature.
#[derive(Clone, PartialEq, Debug)]
pub struct OperandSpec {
    /// Its name.
    pub name: String,
    /// How it is stored.
    pub storage: Storage,
    /// For each dimension the index of the statement that has its name, if there is one.
    pub dims: Vec<Option<IndexId>>,
}

/// What is read where.
#[derive(Clone, PartialEq, Debug)]
pub struct Access {
    /// The operand.
    pub operand: OperandId,
    /// A subscript for each dimension.
    pub subscripts: Vec<Subscript>,
}

/// A sum of indices with coefficients, and a constant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Subscript {
    /// The indices, each once, with coefficients that are not zero.
    pub terms: Vec<(i64, IndexId)>,
    /// What is added.
    pub constant: i64,
}

impl Subscript {
    /// The index, if the subscript is nothing but one.
    pub fn plain(&self) -> Option<IndexId> {
        match self.terms[..] {
            [(1, index)] if self.constant == 0 => Some(index),
            _ => None,
        }
    }

    /// Whether it depends on `index`.
    pub fn contains(&self, index: IndexId) -> bool {
        self.terms.iter().any(|(_, other)| *other == index)
    }
}

/// A value in index notation.
#[derive(Clone, PartialEq, Debug)]
pub enum Expr {
    /// What is not stored.
    Zero,
    /// A number as written, not zero.
    Literal(String),
    /// What an operand holds at an index.
    Access(AccessId),
    /// An operand without dimensions.
    Scalar(OperandId),
    /// An index as a value.
    Index(IndexId),
    /// A function of one value.
    Unary(UnaryOp, Box<Expr>),
    /// A function of two values.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// One value where the first is not zero, another one where it is.
    Select(Box<Expr>, Box<Expr>, Box<Expr>),
    /// A function that is written out, and zero nowhere.
    Call(usize, Vec<Expr>),
    /// A semiring's product: what is done where both operands are, and where one is.
    Overlap {
        /// Both operands.
        operands: Box<(Expr, Expr)>,
        /// The function of both; without one the region is empty.
        both: Option<usize>,
        /// What is done where only the left one is.
        left: Region,
        /// What is done where only the right one is.
        right: Region,
    },
    /// What is done where the operand is, and the function without arguments where it is not.
    Presence {
        /// The operand.
        operand: Box<Expr>,
        /// What is done where it is.
        present: Region,
        /// What is done where it is not.
        absent: Option<usize>,
    },
}

/// What a semiring does in a region.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Region {
    /// Nothing: there is no value.
    Empty,
    /// The operand as it is.
    Identity,
    /// A function of the operand.
    Function(usize),
}

/// The largest block that an index is cut into.
pub(super) const MAX_UNIT: i64 = 1 << 20;

/// How the loops should run; what is not given is chosen.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Schedule {
    /// Loops, outermost first.
    pub order: Vec<PartSpec>,
    /// Indices in blocks.
    pub splits: Vec<(IndexId, i64)>,
    /// What runs in which way.
    pub hints: Vec<(PartSpec, HintSpec)>,
}

/// A way to run a loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HintSpec {
    /// On all threads.
    Parallel,
    /// In chunks of vector registers.
    Vectorize,
    /// So many iterations at once.
    Unroll(usize),
    /// Searching by doubling steps.
    Gallop,
}

/// An index or a part of one, as a schedule names it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PartSpec {
    /// The index.
    pub index: IndexId,
    /// What it is divided by; `None` means every part of the index if there is no modulus either.
    pub div: Option<i64>,
    /// What is taken modulo.
    pub modulus: Option<i64>,
}
