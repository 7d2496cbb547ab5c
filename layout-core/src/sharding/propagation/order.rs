//! The order in which operations are visited: a linked list, in which constraints move to the values that they are on.

use super::body::BodyId;
use super::graph::Op;
use crate::sharding::lists::Lists;
use alloc::collections::BTreeMap;
use alloc::vec::Vec;

/// The number of the only list.
const VISITED: usize = 0;

/// The operations in the order in which they are visited.
#[derive(Clone, Debug, Default)]
pub(super) struct Order {
    /// The numbers of the operations that are visited.
    visited: Lists,
    /// The body that contains each operation, by number; `None` if it is not visited.
    bodies: Vec<Option<BodyId>>,
    /// The first operation of each body.
    heads: BTreeMap<BodyId, Op>,
}

impl Order {
    /// Adds an operation of this body at the end.
    pub(super) fn push(&mut self, op: Op, body: BodyId) {
        self.insert(op, body, self.last());
        self.heads.entry(body).or_insert(op);
    }

    pub(super) fn last(&self) -> Option<Op> {
        self.visited.last(VISITED).map(Op)
    }

    /// The operation that is visited before this one.
    pub(super) fn before(&self, op: Op) -> Option<Op> {
        self.visited.before(op.0).map(Op)
    }

    fn after(&self, op: Op) -> Option<Op> {
        self.visited.after(op.0).map(Op)
    }

    fn body(&self, op: Op) -> Option<BodyId> {
        self.bodies.get(op.0).copied().flatten()
    }

    fn is_in(&self, op: Op, body: BodyId) -> bool {
        self.body(op) == Some(body)
    }

    /// The position of each operation by its number; `None` if it is not visited.
    pub(super) fn positions(&self) -> Vec<Option<usize>> {
        let mut positions = alloc::vec![None; self.bodies.len()];
        let first = self.visited.first(VISITED).map(Op);
        let all = core::iter::successors(first, |op| self.after(*op));
        all.enumerate().for_each(|(at, op)| positions[op.0] = Some(at));
        positions
    }

    /// Moves an operation to the front of a body. Returns whether the body has operations.
    pub(super) fn move_to_front(&mut self, op: Op, body: BodyId) -> bool {
        let Some(&head) = self.heads.get(&body) else { return false };
        if head != op {
            self.remove(op);
            self.insert(op, body, self.before(head));
            self.heads.insert(body, op);
        }
        true
    }

    /// Moves an operation immediately after another one, and into a body. Returns whether the other one is visited.
    pub(super) fn move_behind(&mut self, op: Op, other: Op, body: BodyId) -> bool {
        if self.body(other).is_none() {
            return false;
        }
        self.remove(op);
        if self.precedes(other, body) {
            self.heads.insert(body, op);
        }
        self.insert(op, body, Some(other));
        true
    }

    /// Whether an operation comes before all operations of a body. Searches in both directions for an operation of the body, so that
    /// the search between two neighbours of the body takes no longer than the way to the nearer one.
    fn precedes(&self, op: Op, body: BodyId) -> bool {
        let Some(&head) = self.heads.get(&body) else { return true };
        let (mut back, mut forth) = (Some(op), self.after(op));
        while let Some(next) = forth {
            if back.is_some_and(|op| self.is_in(op, body)) {
                return false;
            }
            if self.is_in(next, body) {
                return next == head;
            }
            (back, forth) = (back.and_then(|op| self.before(op)), self.after(next));
        }
        false
    }

    fn insert(&mut self, op: Op, body: BodyId, before: Option<Op>) {
        if self.bodies.len() <= op.0 {
            self.bodies.resize(op.0 + 1, None);
        }
        self.bodies[op.0] = Some(body);
        self.visited.insert(op.0, VISITED, before.map(|before| before.0));
    }

    /// Takes an operation out of the order.
    pub(super) fn remove(&mut self, op: Op) {
        let Some(body) = self.bodies.get_mut(op.0).and_then(Option::take) else { return };
        if self.heads.get(&body) == Some(&op) {
            let mut rest = core::iter::successors(self.after(op), |op| self.after(*op));
            match rest.find(|op| self.is_in(*op, body)) {
                Some(head) => self.heads.insert(body, head),
                None => self.heads.remove(&body),
            };
        }
        self.visited.remove(op.0);
    }
}
