//! Sharding groups: values with a common sharding.

use super::flow::Direction;
use super::graph::{Graph, Kind, Op, Value};
use super::resolved::Resolved;
use crate::sharding::{Location, OpShardingRule, Problem, ShardingError};
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::vec::Vec;

impl Graph {
    /// Adds a value to group `id`. All values of a group have the same sharding, and groups with a common value are one group.
    ///
    /// If values of a group have different shardings before propagation, they keep these. Their users read constraints on them
    /// instead, and the constraints have a common sharding.
    ///
    /// # Errors
    /// If the size of the value differs from the size of the group's values, if one of these is in another manual computation, or
    /// if the value belongs to another graph.
    pub fn group(&mut self, id: usize, value: Value) -> Result<(), ShardingError> {
        self.check_values(&[value])?;
        let other = self.group_firsts.get(&id);
        let message = other.and_then(|op| {
            let other = &self.ops[op.0];
            let (dims, others) = (self.dims(value), self.dims(other.operands[0]));
            if dims != others {
                Some(format!("values of a sharding group must have one size: {others:?} != {dims:?}"))
            } else if self.computation_of(other.body) != self.computation_of(self.open_body()) {
                Some("the values of a sharding group cannot cross the border of a manual computation".into())
            } else {
                None
            }
        });
        if let Some(message) = message {
            return Err(Problem::new(Location::All, message).into());
        }
        let rule = OpShardingRule::elementwise(0, 0, &[]);
        let op = self.push(Kind::Group, Direction::None, rule, &[value], Vec::new());
        self.group_ops.push((id, op));
        self.group_firsts.entry(id).or_insert(op);
        Ok(())
    }

    /// Gives all members of a group the sharding of those that have one.
    pub(super) fn agree(&mut self) {
        self.unify();
        for number in 0..self.groups.len() {
            let members = self.groups[number].clone();
            let known = members.iter().filter_map(|value| self.held(*value));
            let mut known = known.filter(|sharding| !sharding.is_unconstrained());
            let Some(first) = known.next().cloned() else { continue };
            if known.all(|other| *other == first) {
                let from = members.iter().copied().find(|value| self.held(*value) == Some(&first));
                for member in members {
                    let owner = self.owner(member);
                    if let Some(from) = from.filter(|from| *from != member) {
                        self.trace_copy(owner, from);
                    }
                    self.values[owner.0].sharding = Some(first.clone());
                }
            } else {
                self.groups[number] =
                    members.iter().map(|member| self.stand_in(*member, first.mesh)).collect();
            }
        }
    }

    /// Finds the groups with common values, and their members.
    fn unify(&mut self) {
        let mut ids: BTreeMap<usize, usize> = BTreeMap::new();
        let mut first: BTreeMap<Value, (usize, Op)> = BTreeMap::new();
        let mut doubles: BTreeMap<Value, BTreeSet<Op>> = BTreeMap::new();
        for &(id, op) in &self.group_ops {
            let value = self.ops[op.0].operands[0];
            let (other, own) = *first.entry(value).or_insert((id, op));
            ids.entry(id).or_insert(id);
            let (a, b) = (leader(&mut ids, id), leader(&mut ids, other));
            ids.insert(a.max(b), a.min(b));
            if own != op {
                doubles.entry(value).or_default().insert(op);
            }
        }
        for (value, ops) in &doubles {
            let data = &mut self.values[value.0];
            data.users.retain(|user| !ops.contains(&user.op));
            data.uses -= ops.len();
        }
        self.group_ops.retain(|(_, op)| {
            let value = self.ops[op.0].operands[0];
            !doubles.get(&value).is_some_and(|ops| ops.contains(op))
        });
        let mut groups: BTreeMap<usize, Vec<Value>> = BTreeMap::new();
        for (id, op) in &self.group_ops {
            groups.entry(leader(&mut ids, *id)).or_default().push(self.ops[op.0].operands[0]);
        }
        self.groups = groups.into_values().collect();
        for (number, members) in self.groups.iter().enumerate() {
            for member in members {
                self.values[member.0].group = Some(number);
            }
        }
    }

    /// A constraint without a sharding, which the users of a member and its group use instead of the member.
    fn stand_in(&mut self, member: Value, mesh: usize) -> Value {
        let open = Resolved::open(mesh, self.values[member.0].dims.len());
        let group = self.values[member.0].group.take();
        let own = self.constrain_all(member, open);
        self.values[own.0].group = group;
        own
    }
}

/// The smallest number of the groups that are joined with group `id`. Shortens the path to it for the next search.
fn leader(ids: &mut BTreeMap<usize, usize>, mut id: usize) -> usize {
    while let Some(&other) = ids.get(&id).filter(|other| **other != id) {
        let next = ids.get(&other).copied().unwrap_or(other);
        ids.insert(id, next);
        id = next;
    }
    id
}
