//! The arrays of an HLO text dump.

mod storage;
#[cfg(test)]
mod tests;
mod text;

use storage::Program;
use tensor_layout::{ParseError, Shape};
pub(crate) use text::cleaned;

/// What an array is to a program.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    Argument,
    Output,
    /// Anything else. The compiler gives the same memory to several of them, one after the other.
    Temporary,
}

impl Role {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Argument => "argument",
            Self::Output => "output",
            Self::Temporary => "temporary",
        }
    }
}

/// One value of a program.
pub(crate) struct Value {
    pub(crate) name: String,
    pub(crate) shape: Result<Shape, (String, ParseError)>,
    /// For each array of the shape, its role; `None` for a view of another.
    pub(crate) roles: Vec<Option<Role>>,
    /// The line, from 1, and where in the text it starts, in bytes.
    pub(crate) line: usize,
    pub(crate) start: usize,
}

/// A dump, whose comments are [`cleaned`] away.
pub(crate) struct Dump<'t> {
    program: Program<'t>,
    /// Whether it is the dump of a TPU program, whose arrays are tiled.
    pub(crate) is_tpu: bool,
}

impl<'t> Dump<'t> {
    pub(crate) fn read(text: &'t str) -> Self {
        // Without arrays that have elements, the settings of its instructions say so.
        let is_tpu = text.contains(":T(") || text.contains("\"flag_configs\"");
        Self { program: Program::read(text), is_tpu }
    }

    /// Whether there are no instructions at all.
    pub(crate) fn is_empty(&self) -> bool {
        self.program.lines.is_empty()
    }

    /// The values that have storage: not those that a fusion, a reduction or a sort computes for single elements, nor
    /// views of other values.
    pub(crate) fn values(&self) -> impl Iterator<Item = Value> {
        let program = &self.program;
        program.lines.iter().enumerate().filter(|(at, _)| program.is_stored(*at)).map(
            |(at, line)| {
                let text = line.instruction.shape;
                let shape: Result<Shape, _> =
                    text.parse().map_err(|error| (text.to_string(), error));
                let arrays = shape.as_ref().map_or(0, |shape| shape.arrays().count());
                let role = |array| match () {
                    () if !program.is_own(at, array) => None,
                    () if program.is_argument(at) => Some(Role::Argument),
                    () if program.is_output(at, array) => Some(Role::Output),
                    () => Some(Role::Temporary),
                };
                let roles = (0..arrays).map(role).collect();
                let name = line.instruction.name.into();
                Value { name, shape, roles, line: line.number, start: line.start }
            },
        )
    }

    /// The shapes of the results of the programs.
    pub(crate) fn outputs(&self) -> impl Iterator<Item = Shape> {
        self.program.roots().filter_map(|root| root.instruction.shape.parse().ok())
    }

    /// The shapes of arguments that are passed as one tuple.
    pub(crate) fn tuples(&self) -> impl Iterator<Item = Shape> {
        let lines = self.program.lines.iter().enumerate();
        let arguments = lines.filter(|(at, _)| self.program.is_argument(*at));
        let tuples = arguments.filter(|(_, line)| line.instruction.shape.starts_with('('));
        tuples.filter_map(|(_, line)| line.instruction.shape.parse().ok())
    }
}
