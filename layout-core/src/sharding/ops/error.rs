//! Mistakes in calls of operations.

use alloc::string::String;
use core::fmt;

/// The part of a call that an [`OpError`] is about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Subject {
    /// The whole call.
    Call,
    /// An operand, by number.
    Operand(usize),
    /// A list without a name, by number.
    List(usize),
    /// The attribute of this name.
    Attribute(String),
}

/// A mistake in a call of an operation. Displays as its message, with the help in parentheses.
///
/// ```
/// use tensor_layout::DType;
/// use tensor_layout::sharding::ops::{self, Attributes, Subject, TensorType};
/// let (x, w) = (TensorType::new(DType::F32, &[8, 4]), TensorType::new(DType::F32, &[5, 2]));
/// let error = ops::rule("dot", &Attributes::new(), &[x, w]).unwrap_err();
/// assert_eq!(error.subject, Subject::Operand(1));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OpError {
    /// What the error is about.
    pub subject: Subject,
    /// What is wrong.
    pub message: String,
    /// What to write instead; empty if the message says enough.
    pub help: String,
}

pub(super) type Result<T> = core::result::Result<T, OpError>;

/// An error without help.
pub(super) fn wrong<T>(subject: Subject, message: impl Into<String>) -> Result<T> {
    wrong_with_help(subject, message, "")
}

pub(super) fn wrong_with_help<T>(
    subject: Subject,
    message: impl Into<String>,
    help: impl Into<String>,
) -> Result<T> {
    Err(OpError { subject, message: message.into(), help: help.into() })
}

impl fmt::Display for OpError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        if self.help.is_empty() { Ok(()) } else { write!(f, " (help: {})", self.help) }
    }
}

impl core::error::Error for OpError {}
