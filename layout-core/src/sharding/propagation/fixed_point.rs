//! The engine: executes steps until nothing changes.

use super::super::mesh::Mesh;
use super::flow::{Direction, Flow, OpPropagation};
use super::graph::{Graph, Kind, Op, OpData, Value};
use super::projection::Projection;
use super::resolved::Resolved;
use super::{aggressive, basic};
use crate::sharding::OpShardingRule;
use alloc::vec;
use alloc::vec::Vec;
use smallvec::SmallVec;

/// The strategy of a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum OpStrategy {
    Basic,
    Aggressive,
}

/// Executes steps, and records the steps that would change nothing.
pub(super) struct Engine<'g> {
    pub(super) graph: &'g mut Graph,
    stepper: Stepper,
    stack: Vec<Op>,
    on_stack: Vec<bool>,
    /// For each operation, the flow of its last step, if that step changed nothing and no tensor of the operation has changed
    /// since.
    settled: Vec<Option<Flow>>,
}

/// Executes one step. Its buffers are reused by every step.
struct Stepper {
    strategy: OpStrategy,
    projection: Projection,
    expanded: Vec<bool>,
}

/// The tensors that a step changes, by number with operands first, and their new shardings.
type Changes = SmallVec<[(usize, Resolved); 2]>;

/// The data that a step needs of an operation.
struct Visit<'a> {
    rule: &'a OpShardingRule,
    mesh: (usize, &'a Mesh),
    flow: Flow,
    elementwise: bool,
    conservative: bool,
}

impl Stepper {
    fn step(&mut self, visit: &Visit<'_>, shardings: &[Option<&Resolved>]) -> Changes {
        let Visit { rule, mesh, flow, elementwise, conservative } = *visit;
        // Without any axes, there is nothing to propagate.
        if shardings.iter().all(|sharding| sharding.is_none_or(Resolved::is_unsplit)) {
            return Changes::new();
        }
        self.projection.fill(rule, shardings.iter().copied(), mesh.1);
        self.expanded.clear();
        self.expanded.resize(shardings.len(), false);
        let mut step = OpPropagation {
            projection: &mut self.projection,
            rule,
            flow,
            elementwise,
            conservative,
            expanded: &mut self.expanded,
        };
        match self.strategy {
            OpStrategy::Basic => basic::run(&mut step),
            OpStrategy::Aggressive => aggressive::run(&mut step),
        }
        let mut changes = Changes::new();
        for (tensor, mapping) in rule.tensors().enumerate() {
            if !self.expanded[tensor] {
                continue;
            }
            let old = shardings[tensor];
            let new = self.projection.back(rule, tensor, mapping, old, mesh);
            let differs = match old {
                None => !new.is_unsplit(),
                Some(old) => new.dims != old.dims,
            };
            if differs {
                changes.push((tensor, new));
            }
        }
        changes
    }
}

impl<'g> Engine<'g> {
    pub(super) fn new(graph: &'g mut Graph, strategy: OpStrategy) -> Self {
        let ops = graph.ops.len();
        let stepper = Stepper { strategy, projection: Projection::default(), expanded: Vec::new() };
        let (stack, on_stack, settled) = (Vec::new(), vec![false; ops], vec![None; ops]);
        Self { graph, stepper, stack, on_stack, settled }
    }

    /// Clears the record of the steps that would change nothing, because shardings were changed from outside.
    pub(super) fn unsettle(&mut self) {
        self.settled.fill(None);
    }

    /// Propagates until nothing changes; `flow` gives the directions for each operation.
    pub(super) fn run(&mut self, flow: impl Fn(&Graph, &OpData) -> Flow) {
        self.returns();
        self.sweep(&flow);
        self.returns();
    }

    /// Visits all operations, and visits those whose tensors change again.
    fn sweep(&mut self, flow: &impl Fn(&Graph, &OpData) -> Flow) {
        let mut next = self.graph.order.last();
        while let Some(op) = next {
            self.push(op);
            next = self.graph.order.before(op);
        }
        while let Some(op) = self.stack.pop() {
            self.on_stack[op.0] = false;
            if self.graph.is_unused(op) {
                self.graph.remove_unused(op).into_iter().for_each(|op| self.push(op));
                continue;
            }
            let data = &self.graph.ops[op.0];
            let flow = match data.kind {
                Kind::Barrier => Flow::all(data.allowed),
                _ => flow(self.graph, data),
            };
            if self.settled[op.0] == Some(flow) {
                continue;
            }
            self.settled[op.0] = Some(flow);
            self.step(op, flow);
        }
    }

    fn push(&mut self, op: Op) {
        if !self.on_stack[op.0] {
            self.on_stack[op.0] = true;
            self.stack.push(op);
        }
    }

    /// Executes a step of an operation.
    fn step(&mut self, op: Op, flow: Flow) {
        let Self { graph, stepper, .. } = self;
        let data = &graph.ops[op.0];
        if flow == Flow::all(Direction::None) || data.rule.factors.is_empty() {
            return;
        }
        let seen = graph.seen(data);
        let mut shardings: SmallVec<[_; 4]> =
            data.tensors().map(|value| graph.held(value)).collect();
        if let (Some(seen), Some(target)) = (&seen, shardings.last_mut()) {
            *target = Some(seen);
        }
        let Some(mesh) = common_mesh(graph, &shardings) else { return };
        let visit = Visit {
            rule: &data.rule,
            mesh: (mesh, &graph.meshes[mesh].1),
            flow,
            elementwise: data.kind.is_elementwise(),
            conservative: graph.conservative && matches!(data.kind, Kind::Op(_) | Kind::Constraint),
        };
        let changes = stepper.step(&visit, &shardings);
        drop(shardings);
        if self.graph.origins.is_some() {
            self.graph.trace_step(op, &changes);
        }
        let any = !changes.is_empty();
        for (tensor, sharding) in changes {
            let data = &self.graph.ops[op.0];
            let (value, sharding) = match (tensor.checked_sub(data.operands.len()), &data.kind) {
                (None, _) => (data.operands[tensor], sharding),
                (Some(at), Kind::Edge(Some(manual))) => (data.results[at], manual.inside(sharding)),
                (Some(at), _) => (data.results[at], sharding),
            };
            self.set(Some(op), value, sharding);
        }
        if any {
            self.settled[op.0] = None;
        }
    }

    /// Propagates between the values that the function returns and its results.
    fn returns(&mut self) {
        for number in 0..self.graph.returns.len() {
            let Self { graph, stepper, .. } = self;
            let returned = &graph.returns[number];
            let shardings = [graph.held(returned.value), returned.sharding.as_ref()];
            let Some(mesh) = common_mesh(graph, &shardings) else { continue };
            let visit = Visit {
                rule: &returned.rule,
                mesh: (mesh, &graph.meshes[mesh].1),
                flow: Flow::ANY,
                elementwise: false,
                conservative: false,
            };
            for (tensor, sharding) in stepper.step(&visit, &shardings) {
                match tensor {
                    0 => {
                        let value = self.graph.returns[number].value;
                        self.graph.trace_result(value, &sharding);
                        self.set(None, value, sharding);
                    }
                    _ => self.graph.returns[number].sharding = Some(sharding),
                }
            }
        }
    }

    /// Sets the sharding of a tensor and its group, and schedules the operations that use them, except `op`, whose step makes the
    /// change. Outside of a step, nothing is scheduled.
    fn set(&mut self, op: Option<Op>, value: Value, sharding: Resolved) {
        let value = self.graph.owner(value);
        let members = match self.graph.values[value.0].group {
            None => Vec::new(),
            Some(group) => self.graph.groups[group].clone(),
        };
        self.assign(op, value, sharding.clone());
        for member in members.into_iter().filter(|member| *member != value) {
            self.graph.trace_copy(member, value);
            self.assign(op, member, sharding.clone());
        }
    }

    fn assign(&mut self, op: Option<Op>, value: Value, sharding: Resolved) {
        self.siblings(value, sharding.mesh);
        let owner = self.graph.owner(value);
        self.graph.values[owner.0].sharding = Some(sharding);
        self.notify(op, value);
    }

    /// If one result of an operation has a sharding, gives each of its other results an open sharding unless it has one.
    fn siblings(&mut self, value: Value, mesh: usize) {
        let Some(op) = self.graph.values[value.0].definition else { return };
        for at in 0..self.graph.ops[op.0].results.len() {
            let sibling = self.graph.ops[op.0].results[at];
            let data = &mut self.graph.values[sibling.0];
            if sibling != value && data.sharding.is_none() {
                data.sharding = Some(Resolved::open(mesh, data.dims.len()));
            }
        }
    }

    /// Schedules the operations that use a value. Those that are visited first are pushed last.
    fn notify(&mut self, op: Option<Op>, value: Value) {
        for alias in 0..self.graph.values[value.0].aliases.len() {
            let alias = self.graph.values[value.0].aliases[alias];
            self.notify_users(op, alias);
        }
        if let Some(definition) = self.graph.values[value.0].definition {
            self.revisit(op, definition);
        }
        self.notify_users(op, value);
    }

    fn notify_users(&mut self, op: Option<Op>, value: Value) {
        let users = self.graph.values[value.0].users.len();
        let oldest_first = self.graph.is_edge(value);
        for at in 0..users {
            let at = if oldest_first { at } else { users - 1 - at };
            let user = self.graph.values[value.0].users[at].op;
            // As in Shardy, edges into a body are not visited again.
            match self.graph.ops[user.0].is_entry {
                true => self.settled[user.0] = None,
                false => self.revisit(op, user),
            }
        }
    }

    fn revisit(&mut self, op: Option<Op>, touched: Op) {
        self.settled[touched.0] = None;
        if op.is_some_and(|op| op != touched) {
            self.push(touched);
        }
    }
}

/// The mesh of the tensors of an operation, by number; `None` if no tensor has one, if they differ, or if it is a single
/// device.
pub(super) fn common_mesh(graph: &Graph, shardings: &[Option<&Resolved>]) -> Option<usize> {
    let mut common: Option<usize> = None;
    for sharding in shardings.iter().flatten() {
        let mesh = &graph.meshes[sharding.mesh].1;
        match common {
            _ if mesh.is_empty() => {}
            None => common = Some(sharding.mesh),
            Some(number) if number == sharding.mesh || graph.meshes[number].1 == *mesh => {}
            Some(_) => return None,
        }
    }
    common.filter(|number| !graph.meshes[*number].1.is_maximal())
}
