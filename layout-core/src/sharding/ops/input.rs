//! A call of an operation in the form that its row reads, and the checks that rows share.

use super::attributes::{Attribute, Attributes};
use super::error::{Result, Subject, wrong, wrong_with_help};
use super::operation::{Operation, TensorType};
use crate::syntax::nearest;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::cell::Cell;

/// A call of an operation.
pub(super) struct Input<'a> {
    pub(super) operands: &'a [TensorType<'a>],
    pub(super) attributes: &'a Attributes,
    /// The number of lists without names that the row has read so far.
    lists_read: Cell<usize>,
    /// Whether the row has read the number without a name.
    number_read: Cell<bool>,
}

impl<'a> Input<'a> {
    pub(super) fn new(operands: &'a [TensorType<'a>], attributes: &'a Attributes) -> Self {
        let (lists_read, number_read) = Default::default();
        Self { operands, attributes, lists_read, number_read }
    }

    /// Checks the number of operands.
    pub(super) fn arity(&self, count: usize) -> Result<()> {
        let found = self.operands.len();
        if found == count {
            return Ok(());
        }
        let plural = if count == 1 { "" } else { "s" };
        wrong(Subject::Call, format!("expected {count} operand{plural}, found {found}"))
    }

    /// The only operand.
    pub(super) fn operand(&self) -> Result<TensorType<'a>> {
        self.arity(1)?;
        Ok(self.operands[0])
    }

    /// The first of at least one operand.
    pub(super) fn first(&self) -> Result<TensorType<'a>> {
        match self.operands {
            [first, ..] => Ok(*first),
            [] => wrong(Subject::Call, "expected operands, found none"),
        }
    }

    /// Checks that operand `at` has the size `expected`.
    pub(super) fn size(&self, at: usize, expected: &[usize]) -> Result<()> {
        let found = self.operands[at].dims;
        if found == expected {
            return Ok(());
        }
        let message = format!("expected an array of size {expected:?}, found {found:?}");
        wrong(Subject::Operand(at), message)
    }

    /// Checks that all operands have the size of operand `reference`; those listed in `scalars` may be scalars instead.
    pub(super) fn same_size(&self, reference: usize, scalars: &[usize]) -> Result<()> {
        let is_scalar = |at| scalars.contains(&at) && self.operands[at].dims.is_empty();
        let expected = self.operands[reference].dims;
        (0..self.operands.len()).filter(|&at| !is_scalar(at)).try_for_each(|at| {
            self.size(at, expected).map_err(|mut error| {
                error.help = broadcast(self.operands[at].dims, expected);
                error
            })
        })
    }

    /// Checks that the operands from `start` on are scalars.
    pub(super) fn scalars(&self, start: usize) -> Result<()> {
        match (start..self.operands.len()).find(|&at| !self.operands[at].dims.is_empty()) {
            None => Ok(()),
            Some(at) => {
                let dims = self.operands[at].dims;
                let message = format!("expected a scalar, found an array of size {dims:?}");
                wrong(Subject::Operand(at), message)
            }
        }
    }

    /// The number without a name.
    pub(super) fn count(&self) -> Option<usize> {
        self.number_read.set(true);
        self.attributes.number
    }

    /// The dimension that follows the operands.
    pub(super) fn dim(&self, rank: usize, what: &str) -> Result<usize> {
        match self.count() {
            Some(dim) if dim < rank => Ok(dim),
            Some(dim) => wrong(Subject::Call, no_dim(dim, rank)),
            None => wrong(Subject::Call, format!("expected the dimension {what}")),
        }
    }

    /// List `at` among those without names.
    pub(super) fn list(&self, at: usize, what: &str) -> Result<&'a [usize]> {
        self.lists_read.set(self.lists_read.get().max(at + 1));
        match self.attributes.lists.get(at) {
            Some(list) => Ok(list),
            None => wrong(Subject::Call, format!("expected {what}, in brackets")),
        }
    }

    /// List `at` among those without names, as a list of dimensions.
    pub(super) fn dims(&self, at: usize, rank: usize, what: &str) -> Result<&'a [usize]> {
        distinct_dims(self.list(at, what)?, rank, || Subject::List(at))
    }

    /// A list with a name; empty if it is absent.
    pub(super) fn named(&self, name: &str) -> Result<&'a [usize]> {
        match self.attributes.get(name) {
            None => Ok(&[]),
            Some(Attribute::List(list)) => Ok(list),
            Some(_) => {
                wrong(Subject::Attribute(name.into()), format!("expected a list: `{name}=[0, 1]`"))
            }
        }
    }

    /// A list of dimensions with a name.
    pub(super) fn named_dims(&self, name: &str, rank: usize) -> Result<&'a [usize]> {
        distinct_dims(self.named(name)?, rank, || Subject::Attribute(name.to_string()))
    }

    /// A number with a name.
    pub(super) fn number(&self, name: &str) -> Result<Option<usize>> {
        match self.attributes.get(name) {
            None => Ok(None),
            Some(Attribute::Number(number)) => Ok(Some(*number)),
            Some(_) => {
                wrong(Subject::Attribute(name.into()), format!("expected a number: `{name}=1`"))
            }
        }
    }

    /// A word with a name, which must be one of those allowed; the first of them if it is absent.
    pub(super) fn word(&self, name: &str, allowed: &[&'static str]) -> Result<&'static str> {
        let found = match self.attributes.get(name) {
            None => return Ok(allowed[0]),
            Some(Attribute::Word(word)) => allowed.iter().find(|other| *other == word),
            Some(_) => None,
        };
        match found {
            Some(word) => Ok(word),
            None => {
                let message = format!("`{name}` is one of {}", allowed.join(", "));
                wrong(Subject::Attribute(name.into()), message)
            }
        }
    }

    /// Checks that `operation`, which is called as `name`, has all attributes of the call.
    pub(super) fn known_names(&self, name: &str, operation: &Operation) -> Result<()> {
        let known = operation.attributes;
        let mut names = self.attributes.named.iter().map(|(name, _)| name);
        let unknown = names.find(|name| !known.contains(&name.as_str()));
        let Some(unknown) = unknown else { return Ok(()) };
        let help = match (nearest(unknown, known), known) {
            (Some(other), _) => format!("did you mean `{other}`?"),
            (None, []) if !operation.call.is_empty() => {
                format!("a call is written `{}`", operation.call)
            }
            (None, []) => format!("leave `{unknown}` out"),
            (None, _) => format!("leave it out: the attributes are `{}`", known.join("`, `")),
        };
        let message = format!("`{name}` has no attribute `{unknown}`");
        wrong_with_help(Subject::Attribute(unknown.clone()), message, help)
    }

    /// Checks that the row has read all arguments without names.
    pub(super) fn all_read(&self, name: &str, operation: &Operation) -> Result<()> {
        let lists = self.lists_read.get();
        if lists < self.attributes.lists.len() {
            return wrong(Subject::List(lists), "the operation takes no such list");
        }
        if let Some(number) = self.attributes.number
            && !self.number_read.get()
        {
            let message = format!("the operation takes no number, found {number}");
            return wrong(Subject::Call, message);
        }
        if self.attributes.array.is_some() && !operation.takes_array {
            return wrong(Subject::Call, format!("`{name}` takes operands, not an array"));
        }
        Ok(())
    }
}

/// Checks that dimensions are less than `rank` and that none is listed twice.
fn distinct_dims(dims: &[usize], rank: usize, subject: impl Fn() -> Subject) -> Result<&[usize]> {
    for (at, &dim) in dims.iter().enumerate() {
        if dim >= rank {
            return wrong(subject(), no_dim(dim, rank));
        }
        if dims[..at].contains(&dim) {
            return wrong(subject(), format!("dimension {dim} is listed twice"));
        }
    }
    Ok(dims)
}

fn no_dim(dim: usize, rank: usize) -> String {
    format!("dimension {dim} does not exist: the array has rank {rank}")
}

/// How to write something that NumPy would broadcast: `found` is aligned with the last dimension of `expected`, and has its
/// sizes or 1.
fn broadcast(found: &[usize], expected: &[usize]) -> String {
    let Some(first) = expected.len().checked_sub(found.len()) else { return String::new() };
    let fits =
        found.iter().zip(&expected[first..]).all(|(found, size)| found == size || *found == 1);
    let dims: Vec<_> = (first..expected.len()).collect();
    match fits {
        true => format!("write `broadcast_in_dim(.., {expected:?}, {dims:?})` around it"),
        false => String::new(),
    }
}
