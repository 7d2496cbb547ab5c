//! Bodies of loops and the like.

use super::graph::{Graph, Value};

/// The body of an operation, by number; 0 is that of the function.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct BodyId(u32);

impl Graph {
    /// Begins the body of a loop or a branch, whose arguments are `arguments`. What is added from
    /// now on is in it, up to [`Graph::leave`].
    ///
    /// It matters to constraints only: they do not reach into another body.
    ///
    /// # Panics
    /// If an argument is a value of another graph.
    #[track_caller]
    pub fn enter(&mut self, arguments: &[Value]) {
        self.enter_computation(arguments, false);
    }

    #[track_caller]
    pub(super) fn enter_computation(&mut self, arguments: &[Value], manual: bool) {
        for argument in arguments {
            let _ = self.data(*argument);
        }
        let body = BodyId(self.computations.len() as u32);
        let computation = if manual { body } else { self.computation_of(self.open_body()) };
        self.computations.push(computation);
        self.open.push(body);
        for argument in arguments {
            self.values[argument.0].body = body;
        }
    }

    /// The manual computation that a body is in, by the body of that.
    pub(super) fn computation_of(&self, body: BodyId) -> BodyId {
        self.computations[body.0 as usize]
    }

    /// Ends the body that was entered last.
    pub fn leave(&mut self) {
        let left = self.open.pop();
        self.bound.retain(|(body, _)| Some(*body) != left);
    }

    /// The body that is open.
    pub(super) fn open_body(&self) -> BodyId {
        self.open.last().copied().unwrap_or_default()
    }
}
