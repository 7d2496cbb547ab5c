//! Sharding constraints: a constraint is its operand with the given sharding, and its operand is affected by it.

use super::flow::Direction;
use super::graph::{Graph, Kind, Op, Replaced, User, Value};
use super::resolved::Resolved;
use crate::sharding::{OpShardingRule, ShardingError, TensorSharding};

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
        for op in core::mem::take(&mut self.constraints) {
            if let Some(tail) = self.tail(op) {
                self.redirect(op, tail);
            }
            self.apply(op);
        }
    }

    /// The sharding that an operation imposes on its operand: the sharding of a constraint, or of an argument of a manual
    /// computation.
    fn says(&self, op: Op) -> Option<&Resolved> {
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

    fn has_constraint_but(&self, value: Value, op: Option<Op>) -> bool {
        let mut users = self.values[value.0].users.iter();
        users.any(|user| Some(user.op) != op && self.says(user.op).is_some())
    }

    /// The last of the chain of constraints that begins with `head`, if there are several and no other operation reads the values
    /// in between.
    fn tail(&self, head: Op) -> Option<Op> {
        let input = self.ops[head.0].operands[0];
        let defined = self.values[input.0].definition;
        if !self.is_constraint(head)
            || defined.is_some_and(|op| self.is_constraint(op))
            || self.held(input).is_some()
            || self.has_constraint_but(input, Some(head))
        {
            return None;
        }
        let mut tail = head;
        loop {
            let result = &self.values[self.ops[tail.0].results[0].0];
            match &result.users[..] {
                [user] if result.uses == 1 && self.is_constraint(user.op) => tail = user.op,
                _ => break,
            }
        }
        let result = self.ops[tail.0].results[0];
        (tail != head && !self.has_constraint_but(result, None)).then_some(tail)
    }

    /// Makes the operations in the same body after `tail` read its result instead of the operand of `head`.
    fn redirect(&mut self, head: Op, tail: Op) {
        let input = self.ops[head.0].operands[0];
        let body = self.ops[tail.0].body;
        let at = self.order.iter().position(|op| *op == tail);
        let Some(later) = at.map(|at| self.order[at..].to_vec()) else { return };
        let result = self.ops[tail.0].results[0];
        self.replaced.push(Replaced { value: input, by: result, later: true });
        self.replace(input, result, |user| {
            user.op != head && user.body == body && later.contains(&user.op)
        });
    }

    /// Gives the operand of a constraint the sharding of the constraint. If several values share the sharding of the operand,
    /// its users read the constraint instead.
    fn apply(&mut self, op: Op) {
        let input = self.ops[op.0].operands[0];
        let Some(sharding) = self.says(op) else { return };
        let others = self.values[input.0].users.iter();
        let differs = |user: &User| self.says(user.op).is_some_and(|other| other != sharding);
        let is_closed = sharding.dims.iter().all(|dim| dim.closed);
        if self.held(input).is_some() || !is_closed || others.clone().any(differs) {
            return;
        }
        let sharding = sharding.clone();
        if !self.is_edge(input) && self.values[input.0].alias.is_none() {
            self.values[input.0].sharding = Some(sharding);
            return;
        }
        if !sharding.unreduced.is_empty() {
            // All these values share the partial sums, regardless of their shardings.
            let (unreduced, reduction) = (sharding.unreduced.clone(), sharding.reduction);
            let open = Resolved::open(sharding.mesh, sharding.dims.len());
            let owner = self.owner(input);
            self.values[owner.0].sharding = Some(Resolved { unreduced, reduction, ..open });
        }
        if self.is_constraint(op) {
            self.take_over(op, input);
        } else {
            self.constrain_all(input, sharding);
        }
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
        for returned in self.returns.iter_mut().filter(|returned| returned.value == value) {
            returned.value = result;
            self.values[value.0].uses -= 1;
            self.values[result.0].uses += 1;
        }
    }

    /// Moves `op` so that it is visited immediately after the operation that computes `value`.
    fn move_behind(&mut self, op: Op, value: Value) {
        let body = self.values[value.0].body;
        let behind = |other: &&Op| match self.values[value.0].definition {
            Some(definition) => **other == definition,
            None => self.ops[other.0].body == body,
        };
        let Some(&first) = self.order.iter().find(behind) else { return };
        if first != op {
            let after = usize::from(self.values[value.0].definition.is_some());
            self.order.retain(|other| *other != op);
            let at = self.order.iter().position(|other| *other == first);
            self.order.insert(at.map_or(self.order.len(), |at| at + after), op);
        }
        self.ops[op.0].body = body;
    }

    /// Makes users of `value` read `other`, starting with the newest.
    fn replace(&mut self, value: Value, other: Value, which: impl Fn(&User) -> bool) {
        let oldest_first = self.is_edge(value);
        let users = core::mem::take(&mut self.values[value.0].users);
        let (mut moved, kept): (alloc::vec::Vec<_>, _) = users.into_iter().partition(which);
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
