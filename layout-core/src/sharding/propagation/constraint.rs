//! Sharding constraints: a constraint is its operand with the given sharding, and its operand is affected by it.

use super::flow::Direction;
use super::graph::{Graph, Kind, Op, Replaced, User, Value};
use super::resolved::Resolved;
use crate::sharding::{OpShardingRule, ShardingError, TensorSharding};
use alloc::collections::BTreeMap;
use alloc::vec::Vec;

impl Graph {
    /// Adds a sharding constraint: a value with the elements of `value` and this sharding.
    ///
    /// Before propagation, `value` gets the same sharding if that sharding is closed, `value` has none yet, and no other constraint
    /// on it has a different one. Operations after a chain of constraints read the result of the last of them.
    ///
    /// # Errors
    /// As for [`Graph::set_sharding`].
    pub fn constraint(
        &mut self,
        value: Value,
        sharding: &TensorSharding,
    ) -> Result<Value, ShardingError> {
        self.check_values(&[value])?;
        self.know_mesh(sharding)?;
        let resolved = self.resolve(sharding, &self.values[value.0].dims)?;
        let body = self.open_body();
        let op = self.constrain(value, resolved);
        self.values[self.ops[op.0].results[0].0].body = body;
        self.constraints.push(op);
        Ok(self.ops[op.0].results[0])
    }

    fn constrain(&mut self, value: Value, sharding: Resolved) -> Op {
        let dims = self.values[value.0].dims.clone();
        let result = self.value(&dims);
        self.values[result.0].sharding = Some(sharding);
        let rule = OpShardingRule::elementwise(1, 1, &dims);
        self.push(Kind::Constraint, Direction::Both, rule, &[value], alloc::vec![result])
    }

    /// Applies the constraints that have not been applied yet to their operands.
    pub(super) fn apply_constraints(&mut self) {
        let constraints = core::mem::take(&mut self.constraints);
        if constraints.is_empty() {
            return;
        }
        let positions = self.order.positions();
        let mut application = Application { graph: self, positions, users: BTreeMap::new() };
        for op in constraints {
            if let Some(tail) = application.tail(op) {
                application.redirect(op, tail);
            }
            application.apply(op);
        }
    }

    /// The sharding that an operation imposes on its operand: the sharding of a constraint, or of an argument of a manual
    /// computation.
    fn sharding_for(&self, op: Op) -> Option<&Resolved> {
        let data = &self.ops[op.0];
        match &data.kind {
            Kind::Constraint => self.values[data.results[0].0].sharding.as_ref(),
            Kind::Edge(Some(manual)) => manual.operand.as_ref(),
            _ => None,
        }
    }

    fn is_constraint(&self, op: Op) -> bool {
        matches!(self.ops[op.0].kind, Kind::Constraint)
    }

    /// Adds a constraint on `value`, which all users of `value` then read.
    pub(super) fn constrain_all(&mut self, value: Value, sharding: Resolved) -> Value {
        let op = self.constrain(value, sharding);
        self.take_over(op, value);
        self.ops[op.0].results[0]
    }

    /// Makes all users of `value` read the constraint `op` on it.
    fn take_over(&mut self, op: Op, value: Value) {
        self.move_behind(op, value);
        let result = self.ops[op.0].results[0];
        self.replaced.push(Replaced { value, by: result, later: false });
        self.replace(value, result, |user| user.op != op);
        let returned = self.returned.remove(&value).unwrap_or_default();
        for number in &returned {
            self.returns[*number].value = result;
        }
        self.values[value.0].uses -= returned.len();
        self.values[result.0].uses += returned.len();
        self.returned.entry(result).or_default().extend(returned);
    }

    /// Moves `op` so that it is visited immediately after the operation that computes `value`.
    fn move_behind(&mut self, op: Op, value: Value) {
        let body = self.values[value.0].body;
        let is_moved = match self.values[value.0].definition {
            Some(definition) => self.order.move_behind(op, definition, body),
            None => self.order.move_to_front(op, body),
        };
        if is_moved {
            self.ops[op.0].body = body;
        }
    }

    /// Makes users of `value` read `other`, starting with the newest.
    fn replace(&mut self, value: Value, other: Value, which: impl Fn(&User) -> bool) {
        let oldest_first = self.is_edge(value);
        let users = core::mem::take(&mut self.values[value.0].users);
        let (mut moved, kept): (Vec<_>, _) = users.into_iter().partition(which);
        self.values[value.0].uses -= moved.len();
        self.values[value.0].users = kept;
        if !oldest_first {
            moved.reverse();
        }
        for user in moved {
            let operands = self.ops[user.op.0].operands.iter_mut();
            operands.filter(|operand| **operand == value).for_each(|operand| *operand = other);
            self.take(other, user.op, user.body);
        }
    }
}

/// The users of a value that impose shardings on it, reduced to what a constraint needs.
#[derive(Clone, Copy, Default)]
struct Users {
    /// Up to two of these operations.
    some: [Option<Op>; 2],
    /// The first of them, and one with another sharding than the first.
    different: [Option<Op>; 2],
}

/// Applies the constraints of a graph.
struct Application<'g> {
    graph: &'g mut Graph,
    /// The positions of the operations before constraints move. Only constraints move.
    positions: Vec<Option<usize>>,
    /// What is known about the users of values.
    users: BTreeMap<Value, Users>,
}

impl Application<'_> {
    /// The users of a value that impose shardings on it.
    fn users(&mut self, value: Value) -> Users {
        if let Some(known) = self.users.get(&value) {
            return *known;
        }
        let mut found = Users::default();
        for &User { op, .. } in &self.graph.values[value.0].users {
            let Some(own) = self.graph.sharding_for(op) else { continue };
            let [first, second] = &mut found.some;
            if first.is_none() {
                *first = Some(op);
            } else if second.is_none() && *first != Some(op) {
                *second = Some(op);
            }
            let [first, other] = &mut found.different;
            let first = *first.get_or_insert(op);
            if other.is_none() && self.graph.sharding_for(first) != Some(own) {
                *other = Some(op);
            }
        }
        self.users.insert(value, found);
        found
    }

    /// Forgets the users of a value, and of the result of the constraint that some of them now read.
    fn forget(&mut self, value: Value, constraint: Op) {
        self.users.remove(&value);
        self.users.remove(&self.graph.ops[constraint.0].results[0]);
    }

    fn has_constraint_but(&mut self, value: Value, op: Option<Op>) -> bool {
        self.users(value).some.into_iter().flatten().any(|user| Some(user) != op)
    }

    /// The last of the chain of constraints that begins with `head`, if there are several and no other operation reads the values
    /// in between.
    fn tail(&mut self, head: Op) -> Option<Op> {
        let input = self.graph.ops[head.0].operands[0];
        let defined = self.graph.values[input.0].definition;
        if !self.graph.is_constraint(head)
            || defined.is_some_and(|op| self.graph.is_constraint(op))
            || self.graph.held(input).is_some()
            || self.has_constraint_but(input, Some(head))
        {
            return None;
        }
        let mut tail = head;
        loop {
            let result = &self.graph.values[self.graph.ops[tail.0].results[0].0];
            match &result.users[..] {
                [user] if result.uses == 1 && self.graph.is_constraint(user.op) => tail = user.op,
                _ => break,
            }
        }
        let result = self.graph.ops[tail.0].results[0];
        (tail != head && !self.has_constraint_but(result, None)).then_some(tail)
    }

    /// Makes the operations in the same body after `tail` read its result instead of the operand of `head`.
    fn redirect(&mut self, head: Op, tail: Op) {
        let input = self.graph.ops[head.0].operands[0];
        let body = self.graph.ops[tail.0].body;
        let result = self.graph.ops[tail.0].results[0];
        self.graph.replaced.push(Replaced { value: input, by: result, later: true });
        let position = |op: Op| self.positions.get(op.0).copied().flatten();
        self.graph.replace(input, result, |user| {
            user.op != head && user.body == body && position(user.op) >= position(tail)
        });
        self.forget(input, tail);
    }

    /// Gives the operand of a constraint the sharding of the constraint. If several values share the sharding of the operand,
    /// its users read the constraint instead.
    fn apply(&mut self, op: Op) {
        let input = self.graph.ops[op.0].operands[0];
        let Some(sharding) = self.graph.sharding_for(op).cloned() else { return };
        let is_closed = sharding.dims.iter().all(|dim| dim.closed);
        if self.graph.held(input).is_some() || !is_closed {
            return;
        }
        let users = self.users(input).different;
        let graph = &mut *self.graph;
        if users.into_iter().flatten().any(|user| graph.sharding_for(user) != Some(&sharding)) {
            return;
        }
        if !graph.is_edge(input) && graph.values[input.0].alias.is_none() {
            graph.values[input.0].sharding = Some(sharding);
            return;
        }
        if !sharding.unreduced.is_empty() {
            // All these values share the partial sums, regardless of their shardings.
            let (unreduced, reduction) = (sharding.unreduced.clone(), sharding.reduction);
            let open = Resolved::open(sharding.mesh, sharding.dims.len());
            let owner = graph.owner(input);
            graph.values[owner.0].sharding = Some(Resolved { unreduced, reduction, ..open });
        }
        if graph.is_constraint(op) {
            graph.take_over(op, input);
            self.forget(input, op);
        } else {
            graph.constrain_all(input, sharding);
            self.users.remove(&input);
        }
    }
}
