use super::ir::{IndexId, OperandId};
use alloc::string::String;
use core::fmt;

/// The reason why a statement cannot become loops: the error of [`compile`](super::compile). Displays as its message, with the
/// help in parentheses. `SparseKernel` reports it with its line and column.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// The part of the statement that the problem is about.
    pub subject: Subject,
    /// What is wrong.
    pub message: String,
    /// How to fix it; empty if the message already says it.
    pub help: String,
}

/// The part of the statement that a [`Problem`] is about, so that an error can be reported at the right tokens.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Subject {
    /// The statement.
    Statement,
    /// The output in the signature.
    Output,
    /// An operand in the signature.
    Operand(OperandId),
    /// An index, at its first use.
    Index(IndexId),
    /// The order of the loops in the schedule.
    Order,
    /// One of the parts in that order.
    OrderPart(usize),
    /// One of the hints of the schedule on how to run a loop.
    Hint(usize),
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        if self.help.is_empty() { Ok(()) } else { write!(f, " (help: {})", self.help) }
    }
}

impl core::error::Error for Problem {}
