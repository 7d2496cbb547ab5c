//! The arrays of an HLO text dump.

mod alias;
pub(crate) mod assignment;
mod lifetimes;
pub(crate) mod shape;
mod storage;
#[cfg(test)]
mod tests;
pub(crate) mod text;

use lifetimes::Lifetimes;
use shape::{Unread, ValueShape};
use std::collections::{HashMap, HashSet};
use std::ops::RangeInclusive;
pub(crate) use storage::Cut;
use storage::{ArrayId, Program};
use tensor_layout::{Shape, TiledSpec};
pub(crate) use text::cleaned;

/// The role of an array in a program.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    Argument,
    Output,
    /// A number that is stored with the program. XLA counts it neither among the temporaries nor at their peak.
    Constant,
    /// Anything else. The compiler assigns the same memory to several temporaries, one after the other.
    Temporary,
}

impl Role {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Argument => "argument",
            Self::Output => "output",
            Self::Constant => "constant",
            Self::Temporary => "temporary",
        }
    }

    pub(crate) const fn plural(self) -> &'static str {
        match self {
            Self::Argument => "arguments",
            Self::Output => "outputs",
            Self::Constant => "constants",
            Self::Temporary => "temporaries",
        }
    }
}

/// An array that has storage of its own.
pub(crate) struct Array {
    pub(crate) role: Role,
    /// The time during which it is alive, in numbers of instructions that have begun.
    pub(crate) alive: RangeInclusive<usize>,
}

/// One value of a program.
pub(crate) struct Value {
    pub(crate) name: String,
    /// Its shape; arrays that cannot be read have no elements in it.
    pub(crate) shape: Shape,
    /// The arrays that cannot be read.
    pub(crate) unread: Vec<Unread>,
    /// The arrays of the shape; `None` for a view of another, and for those that cannot be read.
    pub(crate) arrays: Vec<Option<Array>>,
    /// The number of the line, counted from 1, and its offset in the text, in bytes.
    pub(crate) line: usize,
    pub(crate) start: usize,
}

/// A dump, after [`cleaned`] has removed the comments.
pub(crate) struct Dump<'t> {
    program: Program<'t>,
    lifetimes: Lifetimes,
    /// Whether the instructions are listed in the order in which they run.
    pub(crate) is_scheduled: bool,
    /// Whether it is the dump of a TPU program, whose arrays are tiled.
    pub(crate) is_tpu: bool,
}

impl<'t> Dump<'t> {
    pub(crate) fn read(text: &'t str) -> Self {
        // If no array has elements, the settings of the instructions decide.
        let is_tpu = text.contains(":T(") || text.contains("\"flag_configs\"");
        let is_scheduled = text.lines().any(text::is_scheduled);
        let program = Program::read(text);
        Self { lifetimes: Lifetimes::of(&program), program, is_tpu, is_scheduled }
    }

    /// The position in the program at which the text ends, if it was cut off.
    pub(crate) fn cut(&self) -> Option<Cut<'t>> {
        self.program.cut
    }

    /// The name and the line of the instruction that runs at `time`.
    pub(crate) fn running(&self, time: usize) -> Option<(&'t str, usize)> {
        let line = &self.program.lines[self.lifetimes.at(time)?];
        Some((line.instruction.name, line.number))
    }

    /// Whether there are no instructions at all.
    pub(crate) fn is_empty(&self) -> bool {
        self.program.lines.is_empty()
    }

    /// The values with storage: not values that a fusion, a reduction or a sort computes for single elements, nor views of
    /// other values.
    pub(crate) fn values(&self) -> impl Iterator<Item = Value> {
        let program = &self.program;
        program.lines.iter().enumerate().filter(|(at, _)| program.is_stored(*at)).map(
            |(at, line)| {
                let ValueShape { shape, unread } = shape::read(line.instruction.shape);
                let hidden: HashSet<_> = unread.iter().map(|unread| unread.array).collect();
                let role = |array| match () {
                    () if program.is_argument(at) => Role::Argument,
                    () if program.is_output(at, array) => Role::Output,
                    () if program.is_constant(at) => Role::Constant,
                    () => Role::Temporary,
                };
                let of = |array| {
                    let alive = |role| self.alive(ArrayId { line: at, array }, role);
                    let of_role = |role| Array { role, alive: alive(role) };
                    let is_listed = !hidden.contains(&array) && program.is_own(at, array);
                    is_listed.then(|| of_role(role(array)))
                };
                let arrays = (0..shape.arrays().count()).map(of).collect();
                let name = line.instruction.name.into();
                Value { name, shape, unread, arrays, line: line.number, start: line.start }
            },
        )
    }

    /// When an array has storage: arguments and results until the program ends.
    fn alive(&self, array: ArrayId, role: Role) -> RangeInclusive<usize> {
        let alive = self.lifetimes.alive(array);
        let program = self.lifetimes.whole(&self.program, array.line);
        match role {
            Role::Argument => program,
            Role::Output => *alive.start()..=*program.end(),
            Role::Constant | Role::Temporary => alive,
        }
    }

    /// The memory space and the bytes of each result that is in the storage of an argument.
    pub(crate) fn aliased(&self) -> impl Iterator<Item = (usize, usize)> {
        // The shape of each root is read once, because most programs have one root with many aliases.
        let mut known = HashMap::new();
        self.program.aliased.iter().filter_map(move |ArrayId { line, array }| {
            let arrays: &Vec<_> = known.entry(*line).or_insert_with(|| {
                let bytes = |spec: &TiledSpec| (spec.memory_space(), spec.storage_bytes());
                let shape = shape::read(self.program.lines[*line].instruction.shape).shape;
                shape.arrays().map(bytes).collect()
            });
            arrays.get(*array).copied()
        })
    }

    /// The shapes of the results of the programs.
    pub(crate) fn outputs(&self) -> impl Iterator<Item = Shape> {
        self.program.roots().map(|root| shape::read(root.instruction.shape).shape)
    }

    /// The shapes of arguments that are passed as one tuple.
    pub(crate) fn tuples(&self) -> impl Iterator<Item = Shape> {
        let lines = self.program.lines.iter().enumerate();
        let arguments = lines.filter(|(at, _)| self.program.is_argument(*at));
        let tuples = arguments.filter(|(_, line)| line.instruction.shape.starts_with('('));
        tuples.map(|(_, line)| shape::read(line.instruction.shape).shape)
    }
}
