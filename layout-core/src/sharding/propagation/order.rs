//! The order in which operations are visited: a linked list, in which constraints move to the values that they are on.

use super::body::BodyId;
use super::graph::Op;
use alloc::collections::BTreeMap;
use alloc::vec::Vec;

/// The neighbours of an operation in the order, and the body that contains it.
#[derive(Clone, Copy, Debug)]
struct Link {
    before: Option<Op>,
    after: Option<Op>,
    body: BodyId,
}

/// The operations in the order in which they are visited.
#[derive(Clone, Debug, Default)]
pub(super) struct Order {
    /// By the number of the operation; `None` if it is not visited.
    links: Vec<Option<Link>>,
    first: Option<Op>,
    last: Option<Op>,
    /// The first operation of each body.
    heads: BTreeMap<BodyId, Op>,
}

impl Order {
    /// Adds an operation of this body at the end.
    pub(super) fn push(&mut self, op: Op, body: BodyId) {
        self.insert(op, body, (self.last, None));
        self.heads.entry(body).or_insert(op);
    }

    pub(super) const fn last(&self) -> Option<Op> {
        self.last
    }

    /// The operation that is visited before this one.
    pub(super) fn before(&self, op: Op) -> Option<Op> {
        self.link(op)?.before
    }

    fn after(&self, op: Op) -> Option<Op> {
        self.link(op)?.after
    }

    fn link(&self, op: Op) -> Option<&Link> {
        self.links.get(op.0)?.as_ref()
    }

    fn is_in(&self, op: Op, body: BodyId) -> bool {
        self.link(op).is_some_and(|link| link.body == body)
    }

    /// The position of each operation by its number; `None` if it is not visited.
    pub(super) fn positions(&self) -> Vec<Option<usize>> {
        let mut positions = alloc::vec![None; self.links.len()];
        let all = core::iter::successors(self.first, |op| self.after(*op));
        all.enumerate().for_each(|(at, op)| positions[op.0] = Some(at));
        positions
    }

    /// Moves an operation to the front of a body. Returns whether the body has operations.
    pub(super) fn move_to_front(&mut self, op: Op, body: BodyId) -> bool {
        let Some(&head) = self.heads.get(&body) else { return false };
        if head != op {
            self.remove(op);
            self.insert(op, body, (self.before(head), Some(head)));
            self.heads.insert(body, op);
        }
        true
    }

    /// Moves an operation immediately behind another one, and into a body. Returns whether the other one is visited.
    pub(super) fn move_behind(&mut self, op: Op, other: Op, body: BodyId) -> bool {
        if self.link(other).is_none() {
            return false;
        }
        self.remove(op);
        if self.precedes(other, body) {
            self.heads.insert(body, op);
        }
        self.insert(op, body, (Some(other), self.after(other)));
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

    fn insert(&mut self, op: Op, body: BodyId, (before, after): (Option<Op>, Option<Op>)) {
        if self.links.len() <= op.0 {
            self.links.resize(op.0 + 1, None);
        }
        self.links[op.0] = Some(Link { before, after, body });
        self.join(before, Some(op));
        self.join(Some(op), after);
    }

    fn remove(&mut self, op: Op) {
        let Some(Link { before, after, body }) = self.links.get_mut(op.0).and_then(Option::take)
        else {
            return;
        };
        if self.heads.get(&body) == Some(&op) {
            let mut rest = core::iter::successors(after, |op| self.after(*op));
            match rest.find(|op| self.is_in(*op, body)) {
                Some(head) => self.heads.insert(body, head),
                None => self.heads.remove(&body),
            };
        }
        self.join(before, after);
    }

    /// Makes two operations neighbours; `None` is the end of the list.
    fn join(&mut self, before: Option<Op>, after: Option<Op>) {
        match before {
            Some(op) => self.links[op.0].iter_mut().for_each(|link| link.after = after),
            None => self.first = after,
        }
        match after {
            Some(op) => self.links[op.0].iter_mut().for_each(|link| link.before = before),
            None => self.last = before,
        }
    }
}
