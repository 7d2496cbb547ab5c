//! Bodies of loops and similar operations.

use super::graph::{Graph, Value};

/// The number of a body: the body of the function is 0, and those of operations follow.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(super) struct BodyId(u32);

impl Graph {
    /// Begins the body of a loop or a branch with these arguments. Everything that is added before [`Graph::leave`] is in this
    /// body.
    ///
    /// Bodies matter only for constraints, which do not affect other bodies.
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

    /// The body of the manual computation that contains a body.
    pub(super) fn computation_of(&self, body: BodyId) -> BodyId {
        self.computations[body.0 as usize]
    }

    /// Ends the body that was entered last.
    pub fn leave(&mut self) {
        let left = self.open.pop();
        self.bound.retain(|(body, _)| Some(*body) != left);
    }

    /// Calls `make` so that everything it adds is in the body around the open one; returns its result.
    pub(crate) fn outside<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> T {
        let inner = self.open.pop();
        let made = make(self);
        self.open.extend(inner);
        made
    }

    /// The body that is open.
    pub(super) fn open_body(&self) -> BodyId {
        self.open.last().copied().unwrap_or_default()
    }
}
