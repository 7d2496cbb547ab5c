//! Mistakes in meshes, shardings and rules.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

/// The part that a [`Problem`] is about, so that an error can be reported at the right tokens.
///
/// ```
/// use tensor_layout::sharding::{Location, Mesh, TensorSharding};
/// let (mesh, sharding): (Mesh, TensorSharding) = (r#"<["x"=2]>"#.parse()?, r#"<@mesh, [{}, {"y"}]>"#.parse()?);
/// let error = sharding.check(&mesh, &[8, 8]).unwrap_err();
/// assert_eq!(error.problems()[0].location, Location::Axis { dim: 1, at: 0 });
/// # Ok::<(), tensor_layout::ParseError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the fields number the entries as written, from 0")]
pub enum Location {
    /// The whole text.
    All,
    /// The mesh of a sharding.
    Mesh,
    /// An axis of a mesh.
    MeshAxis(usize),
    /// The device ids of a mesh.
    DeviceIds,
    DeviceId(usize),
    /// The dimensions of a sharding.
    Dims,
    Dim(usize),
    /// An axis of a dimension.
    Axis {
        dim: usize,
        at: usize,
    },
    Priority(usize),
    Replicated(usize),
    Unreduced(usize),
    /// All operands or all results of a rule.
    Tensors {
        results: bool,
    },
    /// A tensor of a rule: an operand or a result.
    Tensor {
        result: bool,
        at: usize,
    },
    /// A dimension of a tensor of a rule.
    TensorDim {
        result: bool,
        at: usize,
        dim: usize,
    },
    /// The size of a factor.
    FactorSize(usize),
}

/// One mistake in a mesh, a sharding or a rule: an item of [`ShardingError::problems`]. Displays as its message, with the help in
/// parentheses.
///
/// ```
/// use tensor_layout::sharding::{Mesh, MeshAxis};
/// let error = Mesh::new(vec![MeshAxis::new("x", 2), MeshAxis::new("x", 4)], vec![]).unwrap_err();
/// let problem = &error.problems()[0];
/// assert!(problem.message.contains(r#""x""#));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// The part that it is about.
    pub location: Location,
    /// What is wrong.
    pub message: String,
    /// What to write instead; empty if the message already says it.
    pub help: String,
}

impl Problem {
    pub(crate) fn new(location: Location, message: impl Into<String>) -> Self {
        Self { location, message: message.into(), help: String::new() }
    }

    #[must_use]
    pub(crate) fn help(self, help: impl Into<String>) -> Self {
        Self { help: help.into(), ..self }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        if self.help.is_empty() { Ok(()) } else { write!(f, " (help: {})", self.help) }
    }
}

/// All mistakes in a mesh, a sharding or a rule. Displays one mistake per line.
///
/// ```
/// use tensor_layout::sharding::{Mesh, TensorSharding};
/// let mesh: Mesh = r#"<["x"=2]>"#.parse()?;
/// let sharding: TensorSharding = r#"<@mesh, [{"y"}, {"z"}]>"#.parse()?;
/// let error = sharding.check(&mesh, &[8, 8]).unwrap_err();
/// assert_eq!((error.problems().len(), error.to_string().lines().count()), (2, 2));
/// # Ok::<(), tensor_layout::ParseError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ShardingError {
    problems: Vec<Problem>,
}

impl ShardingError {
    /// The mistakes; there is at least one.
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// `value`, unless there are mistakes.
    pub(crate) fn unless<T>(problems: Vec<Problem>, value: T) -> Result<T, Self> {
        if problems.is_empty() { Ok(value) } else { Err(Self { problems }) }
    }
}

impl From<Problem> for ShardingError {
    fn from(problem: Problem) -> Self {
        Self { problems: alloc::vec![problem] }
    }
}

impl fmt::Display for ShardingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, problem) in self.problems.iter().enumerate() {
            f.write_str(if i > 0 { "\n" } else { "" })?;
            problem.fmt(f)?;
        }
        Ok(())
    }
}

impl core::error::Error for ShardingError {}
