use super::ir::{IndexId, OperandId};
use alloc::string::String;
use core::fmt;

/// Why a statement cannot become loops.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// What it is about.
    pub subject: Subject,
    /// What is wrong.
    pub message: String,
    /// What would be right; empty where the message says it all.
    pub help: String,
}

/// What a [`Problem`] is about, so that an error can stand under the right words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Subject {
    /// The statement.
    Statement,
    /// The output in the signature.
    Output,
    /// An operand in the signature.
    Operand(OperandId),
    /// An index, where it is first used.
    Index(IndexId),
    /// The order of loops that is given.
    Order,
    /// One of the parts in it.
    OrderPart(usize),
    /// One of the ways in which loops are to run.
    Hint(usize),
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        if self.help.is_empty() { Ok(()) } else { write!(f, " (help: {})", self.help) }
    }
}

impl core::error::Error for Problem {}
