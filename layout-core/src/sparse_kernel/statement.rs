//! A statement in index notation, with its names resolved: the input of [`compile`](super::compile), which has an example.

use super::ir::{BinaryOp, Function, IndexId, Int, OperandId, Reduction, Storage, UnaryOp};
use super::semiring::Multiply;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

/// The number of an access in [`Statement::accesses`].
pub type AccessId = usize;

/// A statement with its operands, indices and schedule.
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
    /// For each index that is an element of an index array instead of a loop, the access to that array: for `p[j]` in `x[p[j]]`,
    /// the access to `p`.
    pub gathered: Vec<Option<AccessId>>,
    /// The subscripts of the output.
    pub target: Vec<Subscript>,
    /// The sizes of the dimensions of the output whose subscripts are elements of index arrays.
    pub target_sizes: Vec<Option<Int>>,
    /// How several values are combined.
    pub reduction: Reduction,
    /// Whether the statement adds to the values of the output.
    pub accumulates: bool,
    /// The accesses, each distinct one once.
    pub accesses: Vec<Access>,
    /// The value that is written.
    pub value: Expr,
    /// The condition, if any: the statement writes only if the condition is not zero.
    pub guard: Option<Expr>,
    /// Whether the elements are `f32` or `f64`.
    pub floats: bool,
    /// The number of bytes of a sum of elements; if only rustc knows their type, the largest usual number.
    pub sum_bytes: i64,
    /// The Rust functions that the statement contains.
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

    /// Whether entries of `access` at one index, which together are one element, may be visited one by one: the sum of their
    /// values is the value of their sum. This holds for a sum. It does not hold for a maximum, because the largest entry is not
    /// the largest sum, nor with a guard that reads the access, because the guard would see each entry instead of the sum.
    pub(super) fn adds_up(&self, access: AccessId, value: &Expr, guard: Option<&Expr>) -> bool {
        self.reduction == Reduction::Sum
            && value.is_plainly(access)
            && guard.is_none_or(|guard| !guard.reads(access))
    }

    /// Whether entries of `access` may be visited one by one although two of them, in two slots of a row, can be one element: a
    /// sum adds multiples of them, and nothing else depends on them. Their multiples add up to the multiple of their sum,
    /// except for rounding, unless the factor is infinite.
    pub(super) fn distributes(&self, access: AccessId) -> bool {
        self.reduction == Reduction::Sum
            && self.value.is_multiple(access)
            && self.guard.as_ref().is_none_or(|guard| !guard.reads(access))
    }

    /// Whether a subscript contains an element of an index array.
    pub fn is_gathered(&self, subscript: &Subscript) -> bool {
        subscript.terms.iter().any(|(_, index)| self.gathered[*index].is_some())
    }

    /// Whether an access is to an index array through which another access reads or the output is written.
    pub fn is_index_array(&self, access: AccessId) -> bool {
        self.gathered.contains(&Some(access))
    }

    /// Whether an index is an index of the output.
    pub fn is_output_index(&self, index: IndexId) -> bool {
        self.target.iter().any(|subscript| self.depends(subscript, index))
    }

    /// Whether a subscript depends on an index, directly or through index arrays.
    fn depends(&self, subscript: &Subscript, index: IndexId) -> bool {
        let through = |(_, gathered): &(i64, IndexId)| {
            self.gathered[*gathered].is_some_and(|access| {
                let mut inner = self.accesses[access].subscripts.iter();
                inner.any(|subscript| self.depends(subscript, index))
            })
        };
        subscript.contains(index) || subscript.terms.iter().any(through)
    }

    /// Whether the output is written at positions that are read from index arrays.
    pub fn scatters(&self) -> bool {
        self.target.iter().any(|subscript| self.is_gathered(subscript))
    }
}

/// An operand of the signature.
#[derive(Clone, PartialEq, Debug)]
pub struct OperandSpec {
    /// Its name.
    pub name: String,
    /// How it is stored.
    pub storage: Storage,
    /// The element type: the name of an [`ElementType`](super::ElementType) if it is one of these, otherwise as written.
    pub element: String,
    /// Whether its values are converted as Rust's `as` does, because the type in which the statement is computed does not hold
    /// all of them.
    pub casts: bool,
    /// For a packed operand or output, its layout as written.
    pub layout: Option<String>,
    /// For each dimension, the index of the statement with the same name, if there is one.
    pub dims: Vec<Option<IndexId>>,
}

/// An operand that is read with subscripts.
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
    /// The constant.
    pub constant: i64,
}

impl Subscript {
    /// The index, if the subscript is a single index.
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
    /// Zero, the value of everything that is not stored.
    Zero,
    /// A number as written, not zero.
    Literal(String),
    /// The value of an operand at an index.
    Access(AccessId),
    /// An operand without dimensions.
    Scalar(OperandId),
    /// An index as a value.
    Index(IndexId),
    /// A function of one value.
    Unary(UnaryOp, Box<Expr>),
    /// A function of two values.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// The second value if the first is not zero, and the third if it is.
    Select(Box<Expr>, Box<Expr>, Box<Expr>),
    /// A Rust function. It need not be zero anywhere.
    Call(usize, Vec<Expr>),
    /// The product of a semiring: its value if both operands are stored, and if only one is.
    Overlap {
        /// Both operands.
        operands: Box<(Expr, Expr)>,
        /// The function of both; `None` if that region is empty.
        both: Option<usize>,
        /// The value if only the left operand is stored.
        left: Region,
        /// The value if only the right operand is stored.
        right: Region,
    },
    /// The product of a named semiring, which requires that both operands are stored.
    Product(Multiply, Box<(Expr, Expr)>),
    /// A value if the operand is stored, and a function without arguments if it is not.
    Presence {
        /// The operand.
        operand: Box<Expr>,
        /// The value if it is stored.
        present: Region,
        /// The function if it is not.
        absent: Option<usize>,
    },
}

/// The value of a semiring in a region.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Region {
    /// The value is missing.
    Empty,
    /// The operand unchanged.
    Identity,
    /// A function of the operand.
    Function(usize),
}

/// The largest block into which an index is split.
pub(super) const MAX_UNIT: i64 = 1 << 20;

/// How the loops should run. The compiler chooses everything that is not given.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Schedule {
    /// Loops, outermost first.
    pub order: Vec<PartSpec>,
    /// Indices that are split into blocks, and the sizes of these.
    pub splits: Vec<(IndexId, i64)>,
    /// How loops over parts of indices should run.
    pub hints: Vec<(PartSpec, HintSpec)>,
}

/// A way to run a loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HintSpec {
    /// On all threads.
    Parallel,
    /// In chunks of vector registers.
    Vectorize,
    /// Unrolled, with this number of copies of the body.
    Unroll(usize),
    /// Searching by doubling steps.
    Gallop,
}

/// An index or a part of one, as a schedule names it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PartSpec {
    /// The index.
    pub index: IndexId,
    /// The divisor. Without a divisor and a modulus, all parts of the index are meant.
    pub div: Option<i64>,
    /// The modulus.
    pub modulus: Option<i64>,
}
