//! Operations without an effect whose results nothing uses. As in Shardy, such an operation takes part in propagation until it is
//! visited without a user, and is then removed: in `%1 = tanh(%0); %2 = sine(%1)`, in which nothing uses `%2`, the first visit of
//! `%1` propagates, that of `%2` removes it, and the second visit of `%1` removes that too.

use super::graph::{Graph, Op, Value};
use alloc::vec::Vec;

impl Graph {
    /// Lets propagation remove the operation that computes `value`, which has no effect, once nothing uses its results.
    pub(in crate::sharding) fn set_removable(&mut self, value: Value) {
        if let Some(op) = self.data(value).definition {
            self.ops[op.0].is_removable = true;
        }
    }

    /// Keeps the operation that computes `value`, which a body or a function returns.
    pub(in crate::sharding) fn keep(&mut self, value: Value) {
        if let Some(op) = self.data(value).definition {
            self.ops[op.0].is_removable = false;
        }
    }

    /// Whether an operation can be removed, because it has no effect and nothing uses its results.
    pub(super) fn is_unused(&self, op: Op) -> bool {
        let data = &self.ops[op.0];
        data.is_removable && data.results.iter().all(|result| self.values[result.0].uses == 0)
    }

    /// Removes an operation. Returns the operations to visit next: those that compute its operands, unless these have more than one
    /// other user.
    pub(super) fn remove_unused(&mut self, op: Op) -> Vec<Op> {
        self.order.remove(op);
        let data = &mut self.ops[op.0];
        data.is_removable = false;
        let operands = data.operands.clone();
        for operand in &operands {
            let data = &mut self.values[operand.0];
            let before = data.users.len();
            data.users.retain(|user| user.op != op);
            data.uses -= before - data.users.len();
        }
        operands.into_iter().filter_map(|operand| self.visited_again(operand)).collect()
    }

    fn visited_again(&self, operand: Value) -> Option<Op> {
        let data = &self.values[operand.0];
        let is_returned = data.uses > data.users.len();
        let mut users: Vec<_> = data.users.iter().map(|user| user.op).collect();
        users.dedup();
        data.definition.filter(|_| users.len() + usize::from(is_returned) <= 1)
    }
}
