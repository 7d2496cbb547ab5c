//! Expressions that have the element type.

use super::{Int, Local, OperandId, Var, VectorId, WorkspaceId};
use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

/// An expression that has the element type.
#[derive(Clone, PartialEq, Debug)]
pub enum Value {
    /// A number as written.
    Literal(String),
    /// Zero.
    Zero,
    /// The identity of the reduction.
    Identity,
    /// The value of an operand at a position.
    Load {
        /// The operand.
        operand: OperandId,
        /// The position.
        at: Int,
    },
    /// The sum of the values of an operand at several positions, whose entries have the same index.
    LoadSum {
        /// The operand.
        operand: OperandId,
        /// The first position.
        from: Var,
        /// One past the last position.
        to: Var,
    },
    /// The value of an accumulator.
    Local(Local),
    /// The value of a workspace at a position.
    Workspace {
        /// The workspace.
        workspace: WorkspaceId,
        /// The position.
        at: Int,
    },
    /// An element of a vector.
    Vector {
        /// The vector.
        vector: VectorId,
        /// The number of the element.
        at: Int,
    },
    /// One of the sums of a strip.
    Sum {
        /// The row.
        row: Int,
        /// The lane.
        lane: Int,
    },
    /// All sums of a row of a strip, reduced from the first lane to the last.
    SumOfLanes {
        /// The row.
        row: Int,
    },
    /// A whole number as a value.
    Index(Int),
    /// A function of one value.
    Unary(UnaryOp, Box<Value>),
    /// A function of two values.
    Binary(BinaryOp, Box<Value>, Box<Value>),
    /// `if condition is not zero { .. } else { .. }`
    Select(Box<Value>, Box<Value>, Box<Value>),
    /// A call of a Rust function of the statement.
    Call(usize, Vec<Value>),
}

impl Value {
    /// Calls `f` with each operand of the operation.
    fn each_part<'v>(&'v self, f: &mut dyn FnMut(&'v Self)) {
        match self {
            Self::Unary(_, a) => f(a),
            Self::Binary(_, a, b) => [a, b].into_iter().for_each(|value| f(value)),
            Self::Select(c, a, b) => [c, a, b].into_iter().for_each(|value| f(value)),
            Self::Call(_, arguments) => arguments.iter().for_each(f),
            Self::Load { .. }
            | Self::Literal(_)
            | Self::Zero
            | Self::Identity
            | Self::LoadSum { .. }
            | Self::Local(_)
            | Self::Workspace { .. }
            | Self::Vector { .. }
            | Self::Sum { .. }
            | Self::SumOfLanes { .. }
            | Self::Index(_) => {}
        }
    }

    /// Calls `f` with each load.
    pub(crate) fn loads<'v>(&'v self, f: &mut dyn FnMut(OperandId, &'v Int)) {
        match self {
            Self::Load { operand, at } => f(*operand, at),
            _ => self.each_part(&mut |part| part.loads(f)),
        }
    }

    /// Whether `found` holds for a part of the value.
    pub fn any(&self, found: &dyn Fn(&Self) -> bool) -> bool {
        let mut holds = found(self);
        self.each_part(&mut |part| holds = holds || part.any(found));
        holds
    }

    /// The value with every part replaced for which `f` returns a replacement.
    #[must_use]
    pub(crate) fn replaced(&self, f: &dyn Fn(&Self) -> Option<Self>) -> Self {
        let part = |value: &Self| Box::new(value.replaced(f));
        if let Some(other) = f(self) {
            return other;
        }
        match self {
            Self::Unary(op, a) => Self::Unary(*op, part(a)),
            Self::Binary(op, a, b) => Self::Binary(*op, part(a), part(b)),
            Self::Select(c, a, b) => Self::Select(part(c), part(a), part(b)),
            Self::Call(function, arguments) => {
                Self::Call(*function, arguments.iter().map(|a| a.replaced(f)).collect())
            }
            _ => self.clone(),
        }
    }

    /// The value with each variable replaced by its definition.
    #[must_use]
    pub(crate) fn inlined(&self, lets: &BTreeMap<Var, Int>) -> Self {
        self.replaced(&|value| match value {
            Self::Load { operand, at } => {
                Some(Self::Load { operand: *operand, at: at.inlined(lets) })
            }
            Self::Workspace { workspace, at } => {
                Some(Self::Workspace { workspace: *workspace, at: at.inlined(lets) })
            }
            Self::Index(int) => Some(Self::Index(int.inlined(lets))),
            _ => None,
        })
    }
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
