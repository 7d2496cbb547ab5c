//! The graph: values, and the operations between them.

use super::super::axis::AxisRef;
use super::super::mesh::Mesh;
use super::super::problem::{Location, Problem, ShardingError};
use super::super::rule::OpShardingRule;
use super::super::tensor::{MeshRef, TensorSharding};
use super::body::BodyId;
use super::flow::Direction;
use super::manual::Manual;
use super::order::Order;
use super::origin::Origin;
use super::resolved::Resolved;
use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// A tensor of a graph, as a number: [`Graph::argument`] and [`Graph::results`] return it. With another graph, functions return an
/// error or panic.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Value(pub(super) usize);

/// An operation of a graph, as a number: [`Graph::op`] returns it. With another graph, functions return an error or panic.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Op(pub(super) usize);

/// The message for a value of another graph.
const STRANGER: &str = "a value of another graph";

/// The property of an operation that propagation needs besides its rule.
///
/// ```
/// use tensor_layout::sharding::ops;
/// use tensor_layout::sharding::propagation::{Graph, OpKind, Strategy, propagate};
/// let mut graph = Graph::new("mesh", r#"<["a"=2]>"#.parse()?);
/// let x = graph.argument(&[8, 4]);
/// let rows = graph.op(OpKind::Reshape, ops::transpose(&[8, 4], &[1, 0]), &[x], &[&[4, 8]])?;
/// graph.set_sharding(x, &r#"<@mesh, [{"a"}, {}]>"#.parse()?)?;
/// propagate(&mut graph, Strategy::default());
/// let transposed = graph.sharding(graph.results(rows)[0]).unwrap();
/// assert_eq!(transposed.to_string(), r#"<@mesh, [{?}, {"a", ?}]>"#);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum OpKind {
    /// It operates on each element separately, as a sharding constraint does.
    Elementwise,
    /// A reshape or a transpose: it moves elements without changing them.
    Reshape,
    /// `dynamic_slice` and `dynamic_update_slice`, which propagate forward early on.
    DynamicSlice,
    /// `broadcast_in_dim`, which propagates backward first.
    BroadcastInDim,
    /// Any other.
    Other,
}

/// The kind of an operation, including those that only the graph creates.
#[derive(Clone, Debug)]
pub(super) enum Kind {
    Op(OpKind),
    Constraint,
    Edge(Option<Box<Manual>>),
    Barrier,
    Group,
}

impl Kind {
    pub(super) const fn is_elementwise(&self) -> bool {
        matches!(self, Self::Op(OpKind::Elementwise) | Self::Constraint | Self::Barrier)
    }
}

/// An operation that reads a value, and the body in which it reads the value. An edge reads a value that a body returns in that
/// body.
#[derive(Clone, Copy, Debug)]
pub(super) struct User {
    pub(super) op: Op,
    pub(super) body: BodyId,
}

#[derive(Clone, Debug, Default)]
pub(super) struct ValueData {
    pub(super) dims: Vec<usize>,
    pub(super) sharding: Option<Resolved>,
    /// The operation whose result it is.
    pub(super) definition: Option<Op>,
    /// The operations that read it, once for each use, oldest first; for the target of an edge, newest first.
    pub(super) users: Vec<User>,
    /// The number of its uses, returns included.
    pub(super) uses: usize,
    /// For a target of an edge: the target that owns the edge.
    pub(super) alias: Option<Value>,
    /// For the owner of an edge, the other targets.
    pub(super) aliases: Vec<Value>,
    pub(super) group: Option<usize>,
    /// The body that contains it.
    pub(super) body: BodyId,
}

#[derive(Clone, Debug)]
pub(super) struct OpData {
    pub(super) kind: Kind,
    /// The direction that a barrier allows.
    pub(super) allowed: Direction,
    pub(super) rule: OpShardingRule,
    pub(super) operands: Vec<Value>,
    pub(super) results: Vec<Value>,
    pub(super) body: BodyId,
    /// Whether it is an edge into a body, with no source that this body returns.
    pub(super) is_entry: bool,
    /// Whether it is removed when it is visited and no operation uses its results any more.
    pub(super) is_removable: bool,
}

impl OpData {
    /// Operands, then results.
    pub(super) fn tensors(&self) -> impl Iterator<Item = Value> {
        self.operands.iter().chain(&self.results).copied()
    }
}

/// A value that the function returns, and the sharding of the result.
#[derive(Clone, Debug)]
pub(super) struct Return {
    pub(super) value: Value,
    pub(super) sharding: Option<Resolved>,
    /// The rule of an identity from the value to the result.
    pub(super) rule: OpShardingRule,
}

/// A value whose users read a constraint instead.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Replaced {
    pub(crate) value: Value,
    /// The result of the constraint.
    pub(crate) by: Value,
    /// Whether only operations of one body after the constraint read it; the constraint is then not moved.
    pub(crate) later: bool,
}

/// The values and operations of a function, with the known shardings. Operations are visited in the order in which they are added,
/// which should be the order of the program.
///
/// ```
/// use tensor_layout::sharding::ops;
/// use tensor_layout::sharding::propagation::{Graph, OpKind, Strategy, propagate};
/// let mut graph = Graph::new("mesh", r#"<["a"=2]>"#.parse()?);
/// let x = graph.argument(&[8, 4]);
/// let tanh = graph.op(OpKind::Elementwise, ops::elementwise(1, &[], &[8, 4]), &[x], &[&[8, 4]])?;
/// graph.set_sharding(x, &r#"<@mesh, [{"a"}, {}]>"#.parse()?)?;
/// propagate(&mut graph, Strategy::default());
/// let y = graph.sharding(graph.results(tanh)[0]).unwrap();
/// assert_eq!(y.to_string(), r#"<@mesh, [{"a", ?}, {?}]>"#);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Graph {
    /// Meshes by name.
    pub(super) meshes: Vec<(MeshRef, Mesh)>,
    pub(super) values: Vec<ValueData>,
    pub(super) ops: Vec<OpData>,
    /// The operations in the order in which they are visited.
    pub(super) order: Order,
    /// The bodies that are open, the innermost last.
    pub(super) open: Vec<BodyId>,
    /// For each body, the manual computation that contains it.
    pub(super) computations: Vec<BodyId>,
    /// The axes that the open manual computations have bound.
    pub(super) bound: Vec<(BodyId, Vec<AxisRef>)>,
    /// The constraints that have not been applied to their operands yet.
    pub(super) constraints: Vec<Op>,
    pub(super) returns: Vec<Return>,
    /// The numbers of the returns of each value.
    pub(super) returned: BTreeMap<Value, Vec<usize>>,
    /// For each value of a group, the operation that adds it and the number that was given for the group.
    pub(super) group_ops: Vec<(usize, Op)>,
    /// The first of these operations for each number.
    pub(super) group_firsts: BTreeMap<usize, Op>,
    pub(super) groups: Vec<Vec<Value>>,
    pub(super) conservative: bool,
    /// The values that constraints replace, in order.
    pub(super) replaced: Vec<Replaced>,
    /// The origins of axes, if they are recorded.
    pub(super) origins: Option<Vec<Origin>>,
}

impl Graph {
    /// An empty graph over one mesh.
    pub fn new(name: impl Into<String>, mesh: Mesh) -> Self {
        let meshes = alloc::vec![(MeshRef::Name(name.into().into()), mesh)];
        Self {
            meshes,
            values: Vec::new(),
            ops: Vec::new(),
            order: Order::default(),
            open: Vec::new(),
            computations: alloc::vec![BodyId::default()],
            bound: Vec::new(),
            constraints: Vec::new(),
            returns: Vec::new(),
            returned: BTreeMap::new(),
            group_ops: Vec::new(),
            group_firsts: BTreeMap::new(),
            groups: Vec::new(),
            conservative: false,
            replaced: Vec::new(),
            origins: None,
        }
    }

    /// Adds another mesh. Nothing propagates through operations on tensors of different meshes.
    ///
    /// # Errors
    /// If it differs from the others in its number of devices, or has the name of one of them.
    pub fn add_mesh(&mut self, name: impl Into<String>, mesh: Mesh) -> Result<(), ShardingError> {
        let name = MeshRef::Name(name.into().into());
        self.check_mesh(&name, &mesh)?;
        self.meshes.push((name, mesh));
        Ok(())
    }

    /// [`Graph::add_mesh`] for a mesh of any number of devices, as Shardy allows it.
    pub(crate) fn add_any_mesh(&mut self, name: impl Into<String>, mesh: Mesh) {
        self.meshes.push((MeshRef::Name(name.into().into()), mesh));
    }

    fn check_mesh(&self, name: &MeshRef, mesh: &Mesh) -> Result<(), ShardingError> {
        let problem = |message: String| Problem::new(Location::Mesh, message).into();
        let has_devices = |mesh: &Mesh| !mesh.is_empty() && !mesh.is_maximal();
        for (other_name, other) in &self.meshes {
            if name == other_name {
                return Err(problem(format!("the mesh {name} already exists")));
            }
            if has_devices(mesh) && has_devices(other) && mesh.devices() != other.devices() {
                let message = format!(
                    "meshes differ in their number of devices: {} has {}, {} has {}",
                    other_name,
                    other.devices(),
                    name,
                    mesh.devices()
                );
                let help = "all meshes of a program have the same devices, or one of them";
                return Err(Problem::new(Location::Mesh, message).help(help).into());
            }
        }
        Ok(())
    }

    /// Sets whether propagation is conservative, that is, skips sub-axes and axes that do not divide a factor.
    pub const fn set_conservative(&mut self, conservative: bool) {
        self.conservative = conservative;
    }

    pub(super) fn value(&mut self, dims: &[usize]) -> Value {
        let body = self.open_body();
        self.values.push(ValueData { dims: dims.to_vec(), body, ..ValueData::default() });
        Value(self.values.len() - 1)
    }

    /// The data of a value.
    #[track_caller]
    pub(super) fn data(&self, value: Value) -> &ValueData {
        match self.values.get(value.0) {
            Some(data) => data,
            None => panic!("{STRANGER}"),
        }
    }

    /// The data of an operation.
    #[track_caller]
    pub(super) fn op_data(&self, op: Op) -> &OpData {
        match self.ops.get(op.0) {
            Some(data) => data,
            None => panic!("an operation of another graph"),
        }
    }

    /// Checks that these values belong to the graph.
    pub(super) fn check_values(&self, values: &[Value]) -> Result<(), ShardingError> {
        match values.iter().all(|value| value.0 < self.values.len()) {
            true => Ok(()),
            false => Err(Problem::new(Location::All, STRANGER).into()),
        }
    }

    /// Adds an argument of the function.
    pub fn argument(&mut self, dims: &[usize]) -> Value {
        self.value(dims)
    }

    /// Adds an operation with a rule, and its results with their sizes.
    ///
    /// # Errors
    /// If the rule does not match tensors of these ranks, if the size of a factor is unknown, or if an operand is a value of
    /// another graph.
    pub fn op(
        &mut self,
        kind: OpKind,
        rule: OpShardingRule,
        operands: &[Value],
        results: &[&[usize]],
    ) -> Result<Op, ShardingError> {
        self.check_values(operands)?;
        let results = results.iter().map(|dims| self.value(dims)).collect();
        self.add(Kind::Op(kind), Direction::Both, rule, operands, results)
    }

    /// Adds an operation without a rule: nothing propagates through it.
    ///
    /// # Panics
    /// If an operand is a value of another graph.
    #[track_caller]
    pub fn opaque_op(&mut self, operands: &[Value], results: &[&[usize]]) -> Op {
        for operand in operands {
            let _ = self.data(*operand);
        }
        let results: Vec<_> = results.iter().map(|dims| self.value(dims)).collect();
        let rule = OpShardingRule::elementwise(0, 0, &[]);
        self.push(Kind::Op(OpKind::Other), Direction::None, rule, operands, results)
    }

    /// Adds a barrier after `value`. Shardings pass it in one direction only, or not at all.
    ///
    /// # Errors
    /// If the direction is both, or if `value` is a value of another graph.
    pub fn barrier(&mut self, value: Value, allowed: Direction) -> Result<Value, ShardingError> {
        self.check_values(&[value])?;
        if allowed == Direction::Both {
            let message = "cannot specify `BOTH` as the direction. `BOTH` is the default, so it has no effect";
            let help = "leave the barrier out, or write `FORWARD`, `BACKWARD` or `NONE`";
            return Err(Problem::new(Location::All, message).help(help).into());
        }
        let dims = self.values[value.0].dims.clone();
        let result = self.value(&dims);
        let rule = OpShardingRule::elementwise(1, 1, &dims);
        self.push(Kind::Barrier, allowed, rule, &[value], alloc::vec![result]);
        Ok(result)
    }

    /// Returns a value from the function. The result is the number of the return, counted from 0.
    ///
    /// # Errors
    /// As for [`Graph::set_sharding`].
    pub fn ret(
        &mut self,
        value: Value,
        sharding: Option<&TensorSharding>,
    ) -> Result<usize, ShardingError> {
        self.check_values(&[value])?;
        let data = &self.values[value.0];
        let sharding = sharding.map(|sharding| self.resolve(sharding, &data.dims)).transpose()?;
        let rule = OpShardingRule::elementwise(1, 1, &data.dims);
        self.values[value.0].uses += 1;
        self.returned.entry(value).or_default().push(self.returns.len());
        self.returns.push(Return { value, sharding, rule });
        Ok(self.returns.len() - 1)
    }

    /// The results of an operation.
    ///
    /// # Panics
    /// If the operation belongs to another graph.
    #[track_caller]
    pub fn results(&self, op: Op) -> &[Value] {
        &self.op_data(op).results
    }

    /// The operation whose result a value is; `None` for arguments.
    ///
    /// # Panics
    /// If the value belongs to another graph.
    #[track_caller]
    pub fn definition(&self, value: Value) -> Option<Op> {
        self.data(self.owner(value)).definition
    }

    /// The operands of an operation.
    ///
    /// # Panics
    /// If the operation belongs to another graph.
    #[track_caller]
    pub fn operands(&self, op: Op) -> &[Value] {
        &self.op_data(op).operands
    }

    /// The rule of an operation.
    ///
    /// # Panics
    /// If the operation belongs to another graph.
    #[track_caller]
    pub fn rule(&self, op: Op) -> &OpShardingRule {
        &self.op_data(op).rule
    }

    /// The size of a tensor.
    ///
    /// # Panics
    /// If the value belongs to another graph.
    #[track_caller]
    pub fn dims(&self, value: Value) -> &[usize] {
        &self.data(value).dims
    }

    /// Sets the sharding of a tensor.
    ///
    /// # Errors
    /// If the sharding violates a rule of Shardy or names a mesh that the graph does not have, or if `value` is a value of
    /// another graph.
    pub fn set_sharding(
        &mut self,
        value: Value,
        sharding: &TensorSharding,
    ) -> Result<(), ShardingError> {
        self.check_values(&[value])?;
        self.know_mesh(sharding)?;
        let resolved = self.resolve(sharding, &self.values[value.0].dims)?;
        let owner = self.owner(value);
        self.values[owner.0].sharding = Some(resolved);
        Ok(())
    }

    /// Adds the mesh of a sharding that has an inline mesh.
    pub(super) fn know_mesh(&mut self, sharding: &TensorSharding) -> Result<(), ShardingError> {
        if let MeshRef::Inline(mesh) = &sharding.mesh
            && self.number(&sharding.mesh).is_none()
        {
            self.check_mesh(&sharding.mesh, mesh)?;
            self.meshes.push((sharding.mesh.clone(), mesh.clone()));
        }
        Ok(())
    }

    /// The sharding of a tensor; `None` if nothing determines it.
    ///
    /// # Panics
    /// If the value belongs to another graph.
    #[track_caller]
    pub fn sharding(&self, value: Value) -> Option<TensorSharding> {
        self.written(self.held(value)?)
    }

    /// The values that constraints replace, in order.
    pub(crate) fn replaced(&self) -> &[Replaced] {
        &self.replaced
    }

    /// The sharding in which a manual computation reads or returns a value: the sharding of the target of an edge across its
    /// border.
    pub(crate) fn outside_sharding(&self, value: Value) -> Option<TensorSharding> {
        let data = &self.ops[self.values[value.0].definition?.0];
        self.written(&self.seen(data)?)
    }

    /// The sharding of a returned value; `None` if nothing determines it, or if there is no return with this number.
    pub fn return_sharding(&self, number: usize) -> Option<TensorSharding> {
        self.written(self.returns.get(number)?.sharding.as_ref()?)
    }

    fn written(&self, sharding: &Resolved) -> Option<TensorSharding> {
        let (name, mesh) = self.meshes.get(sharding.mesh)?;
        Some(sharding.written(mesh, name.clone()))
    }

    fn number(&self, name: &MeshRef) -> Option<usize> {
        self.meshes.iter().position(|(other, _)| other == name)
    }

    pub(super) fn resolve(
        &self,
        sharding: &TensorSharding,
        dims: &[usize],
    ) -> Result<Resolved, ShardingError> {
        let Some(number) = self.number(&sharding.mesh) else {
            let message = format!("unknown mesh: {}", sharding.mesh);
            return Err(Problem::new(Location::Mesh, message).into());
        };
        let mesh = &self.meshes[number].1;
        sharding.check(mesh, dims)?;
        ShardingError::unless(self.bound_problems(sharding), ())?;
        Ok(Resolved::new(sharding, mesh, number))
    }

    pub(super) fn mesh_of(&self, sharding: &Resolved) -> &Mesh {
        &self.meshes[sharding.mesh].1
    }

    /// The value that stores the sharding of `value`.
    #[track_caller]
    pub(crate) fn owner(&self, value: Value) -> Value {
        self.data(value).alias.unwrap_or(value)
    }

    #[track_caller]
    pub(super) fn held(&self, value: Value) -> Option<&Resolved> {
        self.values[self.owner(value).0].sharding.as_ref()
    }

    /// The kind of the operation whose result is value number `number`.
    pub(super) fn definition_kind(&self, number: usize) -> Option<&Kind> {
        self.values[number].definition.map(|op| &self.ops[op.0].kind)
    }

    pub(super) fn add(
        &mut self,
        kind: Kind,
        allowed: Direction,
        rule: OpShardingRule,
        operands: &[Value],
        results: Vec<Value>,
    ) -> Result<Op, ShardingError> {
        let shapes =
            |values: &[Value]| values.iter().map(|value| self.dims(*value)).collect::<Vec<_>>();
        let (operand_dims, result_dims) = (shapes(operands), shapes(&results));
        let rule = if rule.factors.iter().any(|factor| factor.size == OpShardingRule::UNKNOWN) {
            rule.with_shapes(&operand_dims, &result_dims)?
        } else {
            let problems = rule.count_problems(&operand_dims, &result_dims);
            ShardingError::unless(problems, rule)?
        };
        Ok(self.push(kind, allowed, rule, operands, results))
    }

    pub(super) fn push(
        &mut self,
        kind: Kind,
        allowed: Direction,
        rule: OpShardingRule,
        operands: &[Value],
        results: Vec<Value>,
    ) -> Op {
        let op = Op(self.ops.len());
        let body = self.open_body();
        for &operand in operands {
            self.take(operand, op, body);
        }
        for result in &results {
            self.values[result.0].definition = Some(op);
        }
        let (operands, is_entry, is_removable) = (operands.to_vec(), false, false);
        self.ops.push(OpData {
            kind,
            allowed,
            rule,
            operands,
            results,
            body,
            is_entry,
            is_removable,
        });
        self.order.push(op, body);
        op
    }

    /// Makes `op` a user of a value.
    pub(super) fn take(&mut self, value: Value, op: Op, body: BodyId) {
        let data = &mut self.values[value.0];
        data.users.push(User { op, body });
        data.uses += 1;
    }

    /// The sharding of the target of an edge into or out of a manual computation, in the form for its sources.
    pub(super) fn seen(&self, data: &OpData) -> Option<Resolved> {
        match &data.kind {
            Kind::Edge(Some(manual)) => manual.outside(self.held(data.results[0])),
            _ => None,
        }
    }
}
