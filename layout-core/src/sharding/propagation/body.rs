//! Bodies of loops and the like.

use super::graph::{Graph, Kind, Value};

/// The body of an operation, by number; 0 is that of the function.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Block(u32);

impl Graph {
    /// Begins the body of a loop, a branch or a manual computation, whose arguments are `arguments`. What is added from
    /// now on is in it, up to [`Graph::leave`].
    ///
    /// It matters to constraints only: they do not reach into another body.
    pub fn enter(&mut self, arguments: &[Value]) {
        let is_manual =
            |value: &Value| matches!(self.definition_kind(value.0), Some(Kind::Edge(Some(_))));
        let block = Block(self.computations.len() as u32);
        let computation = match arguments.iter().any(is_manual) {
            true => block,
            false => self.computation_of(self.block()),
        };
        self.computations.push(computation);
        self.open.push(block);
        for argument in arguments {
            self.values[argument.0].block = block;
        }
    }

    /// The manual computation that a body is in, by the body of that.
    pub(super) fn computation_of(&self, block: Block) -> Block {
        self.computations[block.0 as usize]
    }

    /// Ends the body that was entered last.
    pub fn leave(&mut self) {
        self.open.pop();
    }

    /// The body that is open.
    pub(super) fn block(&self) -> Block {
        self.open.last().copied().unwrap_or_default()
    }
}
